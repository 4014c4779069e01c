#!/usr/bin/env python3
"""A recording in which every number changes all the time, for tests of how many frames are drawn.

    busy.py FILE FUNCTIONS SECONDS

The firmware is big.py's. A whole report comes ten times a second, each in five pieces.
"""
import struct
import sys
import zlib


def chunk(ns, data):
    head = struct.pack('<QI', ns, len(data)) + data
    return head + struct.pack('<I', zlib.crc32(head))


def report(n, at):
    head = f'PROF:big:{n - 1}:20000:{32768 * at // 10}:32768'
    rows = []
    for i in range(1, n):
        calls = at * (i % 97 + 1)
        each = i * 79 % 30 + 1
        rows.append(f'{i // 3 * 16 + 8:x}:{i * 16:x}:{calls}:{calls * each // 40 + 1}:{each // 50}:{each + at // 8}')
    return '\n'.join([head] + rows) + '\n\n'


def main():
    path, n, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(path, 'wb') as out:
        out.write(b'wsnrec1\n' + struct.pack('<Q', 1767355200 * 10**9))
        for at in range(1, 10 * seconds + 1):
            data = report(n, at).encode()
            size = len(data) // 5 + 1
            for piece in range(5):
                out.write(chunk(at * 10**8 + piece * 2 * 10**7, data[piece * size:(piece + 1) * size]))


main()
