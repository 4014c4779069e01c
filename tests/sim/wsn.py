"""The wsn protocol read a second time, from docs/PROTOCOL.md alone: what the host's decoder is held against.

A Node takes bytes and has the rows as they stand at the end.
"""

import binascii
import collections

HELLO, STATUS, SITES, ARCS, PCS, CLOSED_ARCS, CLOSED_PCS, NAME, LOST, IDENTITY = range(1, 11)
TIMED, MINMAX, HISTOGRAM, CODED = 1, 2, 4, 8
FEATURES = {"taken_back": 16, "arcs": 32, "pcs": 64, "receive": 128, "running": 256, "isr": 512, "sites": 1024,
            "own_isr": 2048}

STATUS_FIELDS = ("run_low", "run_high", "isr_low", "isr_high", "stack_full", "table_full", "cut", "text",
                 "carries", "command", "arcs_lost", "pcs_lost", "arcs_closed", "pcs_closed", "poll_low", "poll_high",
                 "no_stack")


def crc16(data):
    """CRC-16/CCITT, polynomial 0x1021, from 0xffff."""
    return binascii.crc_hqx(data, 0xffff)


def cobs_decode(block):
    """The bytes, or None."""
    out, at = bytearray(), 0
    while at < len(block):
        code = block[at]
        if code == 0 or at + code > len(block):
            return None
        out += block[at + 1:at + code]
        at += code
        if code < 255 and at < len(block):
            out.append(0)
    return bytes(out)


def cobs_encode(data):
    out = bytearray()
    for part in data.split(b"\0"):
        assert len(part) < 254
        out += bytes([len(part) + 1]) + part
    return bytes(out)


def frame(kind, seq, body=b""):
    """A whole frame, for the way to the node."""
    block = bytes([kind, seq & 255]) + body
    crc = crc16(block)
    return b"\0" + cobs_encode(block + bytes([crc & 255, crc >> 8])) + b"\0"


class Damaged(Exception):
    pass


class Body:
    """Numbers, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def fixed(self, size):
        if self.left() < size:
            raise Damaged("short")
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], "little")

    def v(self):
        value = shift = 0
        while True:
            byte = self.fixed(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift >= 70:
                raise Damaged("long")


class Hello:
    def __init__(self, body):
        b = Body(body)
        self.version, self.arch = b.fixed(1), b.fixed(1)
        self.features = b.fixed(2)
        self.unit, self.histogram = b.fixed(1), b.fixed(1)
        self.hz = b.fixed(4)
        self.sampling = b.fixed(2)
        self.cost, skew, self.spread = b.fixed(2) / 16, b.fixed(2), b.fixed(2) / 16
        self.skew = (skew - 65536 if skew & 0x8000 else skew) / 16
        self.sites, self.levels, self.arcs, self.pcs = (b.fixed(2) for _ in range(4))
        self.base, self.id, self.epoch = b.fixed(4), b.fixed(4), b.fixed(2)
        self.identity = b.fixed(1)
        self.identity_bytes = body[37:49]
        if len(self.identity_bytes) < 12:
            raise Damaged("short")

    def has(self, name):
        return bool(self.features & FEATURES[name])


Site = collections.namedtuple("Site", "source to calls total min max buckets")


class Node:
    """Everything that a node has told since its epoch began."""

    def __init__(self, data=b""):
        self.hello = self.name = self.epoch = None
        self.text = bytearray()
        self.frames = collections.Counter()
        self.bytes = collections.Counter()	# by type, delimiters included
        self.damaged = self.lost_frames = self.hellos = 0
        self.seq = None
        self.forget()
        self.feed(data)

    def forget(self):
        self.status = dict.fromkeys(STATUS_FIELDS, 0)
        self.slots = {SITES: {}, ARCS: {}, PCS: {}}
        self.closed = {ARCS: collections.Counter(), PCS: collections.Counter()}
        self.missed = {ARCS: 0, PCS: 0}		# closed counts that frames lost told
        self.heard = {ARCS: 0, PCS: 0}
        self.lost = {}				# the last LOST frame: calls by arc
        self.named = set()			# in any of them

    def feed(self, data):
        for block in data.split(b"\0"):
            if block:
                self._block(block)

    def _block(self, block):
        plain = cobs_decode(block)
        if plain is None or len(plain) < 4 or crc16(plain[:-2]) != plain[-2] | plain[-1] << 8:
            printable = all(32 <= c < 127 or c in b"\t\r\n" for c in block)
            if printable:
                self.text += block
            else:
                self.damaged += 1
            return
        kind, epoch, seq, body = plain[0] & 31, plain[0] >> 5, plain[1], plain[2:-2]
        if self.epoch is not None and epoch != self.epoch:
            self.forget()
        if self.seq is not None:
            self.lost_frames += (seq - self.seq - 1) % 256
        self.epoch, self.seq = epoch, seq
        self.frames[kind] += 1
        self.bytes[kind] += len(block) + 2
        try:
            self._frame(kind, body)
        except Damaged:
            self.damaged += 1

    def _frame(self, kind, body):
        b = Body(body)
        if kind == HELLO:
            self.hello = Hello(body)
            self.hellos += 1
        elif kind == NAME:
            self.name = body.decode()
        elif kind == IDENTITY and self.hello:
            told = b.v(), b"".join(b.v().to_bytes(4, "little") for _ in range(3))
            if told != (self.hello.identity, self.hello.identity_bytes):
                raise Damaged("another identity")
        elif kind == STATUS:
            values = []
            while b.left() and len(values) < len(STATUS_FIELDS):
                values.append(b.v())
            self.status = dict(zip(STATUS_FIELDS, values + [0] * len(STATUS_FIELDS)))
        elif kind in self.slots and self.hello:
            slot = -1
            while b.left():
                slot += b.v() + 1
                self.slots[kind][slot] = self._row(kind, b)
        elif kind in (CLOSED_ARCS, CLOSED_PCS) and self.hello:
            self._close(ARCS if kind == CLOSED_ARCS else PCS, b)
        elif kind == LOST and self.hello:
            self.lost = {}
            while b.left():
                key = self._address(b), self._address(b)
                self.lost[key] = b.v()
                self.named.add(key)

    def _address(self, b):
        return b.v() * self.hello.unit + self.hello.base

    def _duration(self, b):
        value = b.v()
        if not self.hello.features & CODED or value < 0x8000:
            return value
        return (0x800 | value & 0x7ff) << ((value >> 11 & 15) + 4)

    def _row(self, kind, b):
        if kind == PCS:
            return self._address(b), b.v()
        if kind == ARCS:
            return (self._address(b), self._address(b)), b.v()
        start = b.at
        source, to = self._address(b), self._address(b)
        if to == self.hello.base:	# an extension: the first number is a slot
            b.at = start
            source, to = b.v(), (b.v(), None)[1]
        calls, features = b.v(), self.hello.features
        total = b.v() if features & TIMED else 0
        low, high = (self._duration(b), self._duration(b)) if features & MINMAX else (0, 0)
        buckets = [b.v() for _ in range(8)] if features & HISTOGRAM else None
        return Site(source, to, calls, total, low, high, buckets)

    def _close(self, kind, b):
        before = b.v()
        self.missed[kind] += (before - self.heard[kind]) % 2 ** 32
        self.heard[kind] = before
        while b.left():
            key = self._address(b) if kind == PCS else (self._address(b), self._address(b))
            count = b.v()
            if count == 0:
                raise Damaged("a row of no calls is closed")
            self.closed[kind][key] += count
            self.heard[kind] = (self.heard[kind] + count) % 2 ** 32

    # What it comes to.

    def counts(self, kind):
        """Arcs or PCs with their counts: closed ones and those in slots."""
        sums = collections.Counter(self.closed[kind])
        for key, count in self.slots[kind].values():
            sums[key] += count
        return +sums

    def sites(self):
        """By (from, to), the extensions added."""
        rows = dict(self.slots[SITES])
        for slot, row in self.slots[SITES].items():
            if row.to is None:
                base = rows.pop(row.source)
                del rows[slot]
                rows[row.source] = base._replace(calls=base.calls + (row.calls << 24),
                                                 total=base.total + (row.total << 32))
        return {(row.source, row.to): row for row in rows.values()}

    def unknown(self, kind):
        """Calls (samples) of no arc that we know: not kept by the node, or told in frames that were lost."""
        field = "arcs" if kind == ARCS else "pcs"
        told = (self.status[field + "_closed"] - self.heard[kind]) % 2 ** 32
        return self.status[field + "_lost"] + self.missed[kind] + told
