#!/usr/bin/env python3
"""A node that speaks wsn, for tests: docs/PROTOCOL.md once more, by other hands than the decoder's.

    wsn.py stream ELF [KEY=VALUE...]		its first refreshes, to standard output
    wsn.py record FILE ELF [KEY=VALUE...]	the same as a recording (core/link/record.h), `every` seconds a refresh
    wsn.py node SOCKET ELF LOG [KEY=VALUE...]	the same, live at a unix socket: refreshes each 200 ms,
						obeys commands and writes each to LOG; ends when its peer
						leaves, or `leaves` seconds after it came

ELF "-": it does not say which firmware it runs. The firmware is the one of views.sh. KEYs: name, features,
hz, cost, skew, spread (sixteenths), epoch, refreshes, table_full, stack_full, cut, text_lost, kinds (of s, a, p), deaf (it
listens and never answers), text, every,
slower (adc_read's calls take so many times longer), since (from that refresh on, from 0), late (send's longest call, of 800 ticks, comes with refresh number
late, from 0; until then it is 700), more (so many times more arcs' calls),
arcs_lost (calls of the first arc), sum (the checksum is over so many bytes only), id (hexadecimal: a
build-id instead), max_arcs (the size of the cache), tasks (1: send is a task's entry, which a kernel lets return to the
beginning of a function).
"""
import os
import select
import socket
import struct
import sys
import time
import zlib

TIMED, MINMAX, HISTOGRAM, TAKEN_BACK = 1, 2, 4, 16
ARCS, PCS, RECEIVE, RUNNING, ISR, SITES = 32, 64, 128, 256, 512, 1024
TICKS = 32768

# from, to, calls, total, min, max, buckets below 2^6, 2^8 ... 2^18 ticks
ROWS = [
    (0x120, 0x200, 100, 16384, 64, 70000, [0, 60, 30, 5, 2, 2, 1, 0]),
    (0x130, 0x400, 50, 32768, 600, 800, [0, 0, 50, 0, 0, 0, 0, 0]),
    (0x220, 0x300, 100, 8192, 40, 120, [50, 50, 0, 0, 0, 0, 0, 0]),
    (0x320, 0x200, 20, 2000, 50, 120, [5, 15, 0, 0, 0, 0, 0, 0]),
    (0x420, 0x500, 50, 8000, 100, 300, [0, 40, 10, 0, 0, 0, 0, 0]),
    (0x430, 0x500, 50, 4000, 60, 100, [1, 49, 0, 0, 0, 0, 0, 0]),
    (0x520, 0x500, 200, 3000, 10, 40, [200, 0, 0, 0, 0, 0, 0, 0]),
    (0, 0x600, 40, 1600, 30, 60, [40, 0, 0, 0, 0, 0, 0, 0]),	# uart_write is a handler
]
ARC_ROWS = [(0x120, 0x204, 100), (0x440, 0x604, 70)]
PC_ROWS = [(0x110, 40), (0x210, 31), (0x310, 19), (0x410, 63), (0x510, 36), (0x610, 5), (0x710, 4), (0x714, 3), (0x810, 2)]


def crc(data):
    c = 0xffff
    for byte in data:
        c ^= byte << 8
        for _ in range(8):
            c = (c << 1 ^ (0x1021 if c & 0x8000 else 0)) & 0xffff
    return c


def cobs(data):
    out, block = bytearray(), bytearray()
    for byte in data + b'\0':
        if byte:
            block.append(byte)
        else:
            out += bytes([len(block) + 1]) + block
            block.clear()
    return bytes(out)


def uncobs(data):
    out, at = bytearray(), 0
    while at < len(data):
        if at:
            out.append(0)
        n = data[at]
        out += data[at + 1:at + n]
        at += n
    return bytes(out)


def v(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def checksum(elf, most=0):
    """start, length, a, b of an ELF's loadable segments: 32 or 64 bits, little-endian."""
    data = open(elf, 'rb').read()
    wide = data[4] == 2
    off, = struct.unpack_from('<Q' if wide else '<I', data, 32 if wide else 28)
    size, count = struct.unpack_from('<HH', data, 54 if wide else 42)
    flash = {}
    for i in range(count):
        at = off + i * size
        if wide:
            kind, _, where, _, paddr, n = struct.unpack_from('<IIQQQQ', data, at)
        else:
            kind, where, _, paddr, n = struct.unpack_from('<IIIII', data, at)
        if kind == 1:
            flash.update((paddr + k, data[where + k]) for k in range(n))
    start, end = min(flash) & ~1, max(flash) + 2 & ~1
    end = start + most if most else end
    a = b = 0
    for at in range(start, end, 2):
        a = a + (flash.get(at, 255) | flash.get(at + 1, 255) << 8) & 0xffff
        b = b + a & 0xffff
    return start, end - start, a, b


class Node:
    def __init__(self, elf, options):
        self.o = {'name': 'mote 7', 'hz': 0, 'cost': 16 * 4, 'skew': 0, 'spread': 24, 'epoch': 1, 'refreshes': 2,
                  'table_full': 0, 'stack_full': 0, 'cut': 0, 'text_lost': 0, 'kinds': 's', 'deaf': 0, 'text': '', 'every': 1.0, 'leaves': 1e9, 'late': 0, 'slower': 1, 'since': 0, 'more': 1, 'arcs_lost': 0, 'sum': 0, 'id': '', 'max_arcs': 64, 'tasks': 0,
                  'features': TIMED | MINMAX | HISTOGRAM | TAKEN_BACK | RUNNING | ISR | SITES}
        for option in options:
            key, value = option.split('=', 1)
            self.o[key] = type(self.o[key])(value)
        if 'a' in self.o['kinds']:
            self.o['features'] |= ARCS
        if 'p' in self.o['kinds']:
            self.o['features'] |= PCS
            self.o['hz'] = self.o['hz'] or 100
        self.identity = bytes(13)
        if elf != '-':
            self.identity = b'\1' + struct.pack('<IIHH', *checksum(elf, self.o['sum']))
        if self.o['id']:
            self.identity = b'\2' + bytes.fromhex(self.o['id'])[:12]
        self.seq = self.did = self.rounds = 0

    def frame(self, kind, body=b''):
        data = bytes([kind | (self.o['epoch'] & 7) << 5, self.seq]) + body
        self.seq = self.seq + 1 & 255
        return b'\0' + cobs(data + struct.pack('<H', crc(data))) + b'\0'

    def hello(self):
        o = self.o
        return self.frame(1, struct.pack(
            '<BBHBBIHHhHHHHHIIH', 1, 0, o['features'], 1, 6 | 2 << 4, TICKS, o['hz'], o['cost'],
            o['skew'], o['spread'], 128, 32, o['max_arcs'], 64, 0, 7, o['epoch']) + self.identity)

    def status(self):
        o = self.o
        run = 65536 * (self.rounds + 1)
        return self.frame(2, b''.join(v(n) for n in (
            run, 0, 1600, 0, o['stack_full'], o['table_full'], o['cut'], o['text_lost'], 0, self.did, o['arcs_lost'], 0, 0, 0)))

    def rows(self, kind, rows):
        out = b''
        for at, row in enumerate(rows):
            # a frame each, so that none is too long: skip says the slot
            out += self.frame(kind, v(at) + b''.join(v(n) for n in row))
        return out

    def sites(self):
        times = self.rounds + 1
        f = self.o['features']
        rows = []
        for start, to, calls, total, low, high, buckets in ROWS:
            total *= times
            if to == 0x300:		# adc_read, and sample with it
                before = min(self.o['since'], times)
                total = total // times * (before + (times - before) * self.o['slower'])
                low, high = (n * self.o['slower'] for n in (low, high))
            if to == 0x400 and self.rounds < self.o['late']:
                high = 700
            if to == 0x400 and self.o['tasks']:
                start = 0x700
            row = [start, to, calls * times]
            if f & TIMED:
                row.append(total)
            if f & MINMAX:
                row += [low, high]
            if f & HISTOGRAM:
                row += [n * times for n in buckets]
            rows.append(row)
        return self.rows(3, rows)

    def refresh(self, whole=True):
        times = self.rounds + 1
        out = self.hello() + self.frame(8, self.o['name'].encode()) if whole else b''
        out += self.status()
        if self.o['arcs_lost']:
            out += self.frame(9, b''.join(v(n) for n in (*ARC_ROWS[0][:2], self.o['arcs_lost'])))
        if 's' in self.o['kinds']:
            out += self.sites()
        if 'a' in self.o['kinds']:
            out += self.rows(4, [(a, b, n * self.o['more'] * times) for a, b, n in ARC_ROWS])
        if 'p' in self.o['kinds']:
            out += self.rows(5, [(pc, n * times) for pc, n in PC_ROWS])
        out += self.o['text'].encode()
        self.rounds += 1
        return out

    def obey(self, frame, log):
        data = uncobs(frame)
        if len(data) < 4 or crc(data[:-2]) != struct.unpack('<H', data[-2:])[0]:
            log.write(f'damaged {frame.hex()}\n')
            return b''
        kind, seq, body = data[0], data[1], data[2:-2]
        names = {16: 'START', 17: 'STOP', 18: 'RESET', 19: 'ALL', 20: 'HZ', 21: 'SELECT', 22: 'PERIOD', 23: 'REPORT'}
        log.write(' '.join([names.get(kind, str(kind))] + [str(int.from_bytes(body, 'little'))] * bool(body)) + '\n')
        log.flush()
        if self.o['deaf']:
            return b''
        if kind == 16:
            self.o['features'] |= RUNNING
        elif kind == 17:
            self.o['features'] &= ~RUNNING
        elif kind == 18:
            self.o['epoch'] += 1
            self.rounds = 0
        elif kind == 20:
            self.o['hz'] = int.from_bytes(body, 'little')
        self.did = seq + 1
        return self.refresh()


def live(path, node, log):
    new = f"{path}.{os.getpid()}"
    server = socket.socket(socket.AF_UNIX)
    server.bind(new)
    server.listen(1)
    os.rename(new, path)		# whoever sees it can connect
    peer, pending, due = server.accept()[0], b'', time.time()
    end = due + node.o['leaves']
    while time.time() < end:
        ready = select.select([peer], [], [], max(0, due - time.time()))[0]
        if ready:
            data = peer.recv(4096)
            if not data:
                return
            pending += data
            *frames, pending = pending.split(b'\0')
            for frame in filter(None, frames):
                peer.sendall(node.obey(frame, log))
        if time.time() >= due:
            stopped = not node.o['features'] & RUNNING
            if stopped:
                node.rounds -= 1
            peer.sendall(node.refresh(node.rounds % 4 == 0 or stopped))
            due = time.time() + 0.2


def record(path, node):
    """One refresh a chunk; it began at 12:00 UTC on 1 January 2026."""
    with open(path, 'wb') as f:
        f.write(b'wsnrec1\n' + struct.pack('<Q', 1767268800 * 10**9))
        for i in range(node.o['refreshes']):
            data = node.refresh(i % 4 == 0)
            chunk = struct.pack('<QI', int(i * node.o['every'] * 1e9), len(data)) + data
            f.write(chunk + struct.pack('<I', zlib.crc32(chunk)))


def main():
    if sys.argv[1] == 'stream':
        node = Node(sys.argv[2], sys.argv[3:])
        for i in range(node.o['refreshes']):
            sys.stdout.buffer.write(node.refresh(i % 4 == 0))
    elif sys.argv[1] == 'record':
        record(sys.argv[2], Node(sys.argv[3], sys.argv[4:]))
    else:
        with open(sys.argv[4], 'w', encoding='ascii') as log:
            live(sys.argv[2], Node(sys.argv[3], sys.argv[5:]), log)


if __name__ == '__main__':
    try:
        main()
    except (BrokenPipeError, ConnectionResetError):
        pass
