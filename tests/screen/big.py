#!/usr/bin/env python3
"""A large firmware and what it reports, for tests of how much work the screen makes.

    big.py N NAME

Writes NAME.s, N functions of 16 bytes, and NAME.txt, a report in which each is called from another.
"""
import sys

n, name = int(sys.argv[1]), sys.argv[2]
with open(name + '.s', 'w', encoding='ascii') as f:
    print('.text', file=f)
    for i in range(n):
        print(f'.globl fn_{i:05d}\n.type fn_{i:05d},@function\nfn_{i:05d}:\n.rept 15\nnop\n.endr\nret\n'
              f'.size fn_{i:05d},.-fn_{i:05d}', file=f)
with open(name + '.txt', 'w', encoding='ascii') as f:
    print(f'PROF:big:{n - 1}:20000:4000000000:32768', file=f)
    for i in range(1, n):
        calls, each = i % 97 + 1, i * 7919 % 3000 + 100
        print(f'{i // 3 * 16 + 8:x}:{i * 16:x}:{calls}:{each * calls}:{each // 2}:{each * 2}', file=f)
