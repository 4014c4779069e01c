#!/usr/bin/env python3
"""A recording whose past is known, for the screen tests.

    past.py FILE SECONDS [boot=K] [junk=K] [text]

A node reports each second, from 12:00:00 UTC on 2 January 2026 (the firmware is firmware.sh's). In second k sample
is called 10 times; it took k milliseconds of that second, in the 7th half of it; send 5 times, 100 ms; crc16 has
been called in the first second only. boot=K: the node restarts in second K. junk=K: a row of
the report of second K is torn. text: it prints a line, too.
"""
import struct
import sys
import zlib

WALL = 1767355200 * 10**9
HZ = 32768
sampled = [0]		# ticks, by second


def report(seconds):
    while len(sampled) <= seconds:
        k = len(sampled)
        sampled.append(sampled[-1] + (HZ // 2 if k == 7 else HZ * k // 1000))
    sample = sampled[seconds]
    rows = (('120', '200', 10 * seconds, sample, 2, HZ // 20),
            ('130', '400', 5 * seconds, HZ // 10 * seconds, HZ // 50, HZ // 50),
            ('420', '500', 50, 800, 10, 40))
    head = f'PROF:demo:{len(rows)}:20:{HZ * seconds}:{HZ}'
    return '\n'.join([head] + [':'.join(str(n) for n in row) for row in rows]) + '\n\n'


def chunk(ns, data):
    head = struct.pack('<QI', ns, len(data)) + data
    return head + struct.pack('<I', zlib.crc32(head))


def main():
    path, seconds = sys.argv[1], int(sys.argv[2])
    options = dict((o + '=').split('=')[:2] for o in sys.argv[3:])
    boot = int(options.get('boot', 0))
    with open(path, 'wb') as out:
        out.write(b'wsnrec1\n' + struct.pack('<Q', WALL))
        out.write(chunk(0, b'hello from the node\n'))
        for k in range(1, seconds + 1):
            lived = k if not boot or k < boot else k - boot + 1
            text = f'second {k}\n' if 'text' in options else ''
            said = report(lived)
            if k == int(options.get('junk', 0)):
                said = said.replace('420:', '4~~20:', 1)
            out.write(chunk(k * 10**9, (text + said).encode()))


main()
