"""Call traces of encodings 3 to 5 read a second time, from docs/PROTOCOL.md sections 9 and 10 alone.

    trace_bits.py NODE.bin EVENTS FIRMWARE.elf     prints what each lane told, and where it differs from the truth
"""

import os
import struct
import subprocess
import sys
import tempfile

import trace
import wsn


def section(elf, name):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["avr-objcopy", "-O", "binary", "-j", name, "--set-section-flags", f"{name}=alloc,contents", elf, out.name],
                       check=True, stderr=subprocess.DEVNULL)
        return open(out.name, "rb").read() if os.path.getsize(out.name) else b""


class Tables:
    """Of an ELF: which ids are leaves; codes: id -> [(bits, length, id called or None: return)]."""

    def __init__(self, elf):
        self.leaf, self.codes, ids = set(), {}, {}
        for address, id_, flags, _ in struct.iter_unpack("<IHBB", section(elf, ".wsntrace_map")):
            if flags & 1:
                self.leaf.add(id_)
            if not flags & 4:
                ids[address] = id_
        self.functions = len(ids)
        for of, to, bits, length, _ in struct.iter_unpack("<IIHBB", section(elf, ".wsntrace_code")):
            self.codes.setdefault(ids.get(of, 0), []).append((bits, length, None if to == 0xffffffff else ids.get(to, 0)))


class Lane(trace.Lane):
    def __init__(self, node):
        super().__init__()
        self.node, self.stack, self.waits, self.bits = node, [], True, ""
        self.calls = self.returns = 0

    def frame(self, body):
        b = wsn.Body(body)
        flags, number, self.time = b.fixed(1), b.fixed(1), b.fixed(4)
        self.untold, depth = b.v(), b.v()
        head = b.fixed(1)
        floor = b.v() if flags & trace.RESYNC else 0
        lost = self.number is not None and (number - self.number - 1) % 256
        self.lost += lost
        self.resyncs += bool(flags & trace.RESYNC)
        follows = self.number is not None and not lost and not self.waits
        if self.number is None and number:		# the first were lost: any place may be this one's
            self.put("break", [], 0)
        self.number = number
        self.frames += 1
        self.bytes += b.left()
        if head & 8:
            if not follows:
                self.waits = True
                return
        else:
            self.bits, self.waits = "", False
            if not follows or flags & trace.RESYNC or depth != len(self.stack):
                known = self.stack[:floor] if follows else []
                self.stack = (known + [0] * depth)[:depth]
                self.put("break", list(self.stack), depth)
        while b.left():
            self.bits += f"{b.fixed(1):08b}"[::-1]
        if head & 16 and head & 7:
            self.bits = self.bits[:-(head & 7)]
        while not self.waits and self.token():
            pass

    def number_of(self, at, n):
        return int(self.bits[at:at + n][::-1], 2)

    def called(self, id_, length):
        self.bits = self.bits[length:]
        self.calls += 1
        self.put("call", id_)
        if id_ in self.node.tables.leaf:
            self.put("return",)
        else:
            self.stack.append(id_)
        return True

    def returned(self, length):
        assert self.stack, "a return of nothing"
        self.bits = self.bits[length:]
        self.returns += 1
        self.stack.pop()
        self.put("return",)
        return True

    def token(self):
        """False: no whole one is left."""
        encoding, n = self.node.tracing[0], self.node.call_bits
        if encoding == 3:
            if self.bits[:1] == "0":
                return self.returned(1)
            return len(self.bits) >= n and self.called(self.number_of(1, n - 1), n)
        if not self.stack:
            return len(self.bits) >= 7 and self.called(self.number_of(0, 7), 7)
        escape = "01" if encoding == 4 else "0000"
        if self.bits.startswith(escape):
            n = len(escape)
            return len(self.bits) >= n + 7 and self.called(self.number_of(n, 7), n + 7)
        if encoding == 4 and self.bits.startswith("00"):
            return self.returned(2)
        if self.stack and not self.stack[-1]:		# its scope is not known
            self.waits = bool(self.bits)
            return False
        for bits, length, to in self.node.tables.codes.get(self.stack[-1], []):
            if len(self.bits) >= length and self.number_of(0, length) == bits:
                return self.returned(length) if to is None else self.called(to, length)
        assert len(self.bits) < 7, f"no code: {self.bits[:16]}, open {self.stack}"
        return False


class Node(trace.Node):
    def __init__(self, data, elf):
        self.tables = Tables(elf)
        super().__init__(data)

    def _frame(self, kind, body):
        if kind == trace.TRACING:
            b = wsn.Body(body)
            self.tracing = b.fixed(1), b.fixed(1)
            self.call_bits = b.v()
        elif kind == trace.TRACE:
            self.lanes.setdefault(body[0] & 15, Lane(self)).frame(body)
        else:
            super()._frame(kind, body)


def main(node, path, elf):
    node = Node(open(node, "rb").read(), elf)
    true = trace.events(path)
    for number, lane in sorted(node.lanes.items()):
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number == 1 else 0)
        try:
            at, _ = trace.compare(lane, true[number])
            said = f"{at} of {len(true[number])} events follow"
        except trace.Differs as e:
            said = f"DIFFERS: {e}"
        n = trace.told(lane)
        print(f"lane {number}: {calls} calls, told {n}, untold {lane.untold}, {'ok' if n + lane.untold == calls else 'WRONG'}; "
              f"{lane.frames} frames, {lane.bytes} bytes, {8 * lane.bytes / max(n, 1):.2f} bits a call, resync {lane.resyncs}: {said}")


if __name__ == "__main__":
    main(*sys.argv[1:])
