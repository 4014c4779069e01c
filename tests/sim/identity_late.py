"""STREAM OUT: what a host hears that joins a node just behind a HELLO, until two STATUS later; into OUT.

Fails if the node says for more than two seconds of its own time (STATUS' run) not which firmware it runs.
"""

import sys

from truth import check
from wsn import HELLO, IDENTITY, STATUS, Body, Node, cobs_decode, crc16


def frames(data):
    """(type, body, where it ends)"""
    at = 0
    for block in data.split(b"\0"):
        plain = cobs_decode(block)
        at += len(block) + 1
        if plain and len(plain) >= 4 and crc16(plain[:-2]) == plain[-2] | plain[-1] << 8:
            yield plain[0] & 31, plain[2:-2], at


def main(source, target):
    data = open(source, "rb").read()
    hz = Node(data).hello.hz
    run = heard = worst = 0
    begin = end = 0
    statuses = []
    for kind, body, at in frames(data):
        if kind == STATUS:
            b = Body(body)
            run = (b.v() | b.v() << 32) / hz
            statuses.append(at)
        if kind in (HELLO, IDENTITY):
            worst, heard = max(worst, run - heard), run
        if kind == HELLO and not begin:
            begin, before = at, len(statuses)
        if begin and not end and len(statuses) == before + 3:	# the first is that HELLO's refresh's
            end = at
    check(end and run > 2, "it ran for so long that a host can join between two HELLOs")
    check(worst <= 2, f"which firmware it runs, at least each {worst:.2f} s of its time")
    open(target, "wb").write(data[begin:end])


main(*sys.argv[1:])
