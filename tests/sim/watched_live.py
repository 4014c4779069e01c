"""Watches that are added and removed while the helper process of a simulator runs.

    watched_live.py ADDRESS SIZE HELPER ARGUMENT...

ADDRESS, SIZE: of a variable that the firmware writes again and again. Its standard input and output are one socket,
as wsntop's core/link/process.c makes it.
"""
import os
import socket
import subprocess
import sys

EVENTS, NAME, WATCHED, WATCH = 5, 7, 8, 32
CALL, RETURN, HANDLER, AWAY, STATE, VALUE, MARK = 0, 1, 2, 3, 5, 6, 7


def varint(x):
    out = bytearray()
    while x > 127:
        out.append(x & 127 | 128)
        x >>= 7
    out.append(x)
    return bytes(out)


class Stream:
    def __init__(self, sock):
        self.sock, self.held = sock, b""

    def take(self, n):
        while len(self.held) < n:
            more = self.sock.recv(65536)
            if not more:
                raise EOFError
            self.held += more
        out, self.held = self.held[:n], self.held[n:]
        return out

    def number(self):
        x = shift = 0
        while True:
            b = self.take(1)[0]
            x |= (b & 127) << shift
            shift += 7
            if b < 128:
                return x

    def record(self):
        kind = self.take(1)[0]
        return kind, self.take(self.number())


def notes(body):
    """Of an EVENTS record: the notes of its values."""
    at = 0

    def number():
        nonlocal at
        x = shift = 0
        while True:
            b = body[at]
            at += 1
            x |= (b & 127) << shift
            shift += 7
            if b < 128:
                return x
    number()
    out = []
    while at < len(body):
        kind = body[at] & 7
        at += 1
        number()
        if kind in (CALL, HANDLER):
            number()
        elif kind == AWAY:
            at += 1
        elif kind in (STATE, VALUE, MARK):
            out.append(number())
            number()
    return out


def watch(*points):
    body = varint(len(points))
    for note, address, size in points:
        body += b"\0" + varint(note) + varint(address) + varint(size) + b"\2" + varint(0)
        body += bytes([size, 0, 0, 0]) + varint(4) + b"live"
    return bytes([WATCH]) + varint(len(body)) + body


def until_watched(s, count):
    """What is told before the answer."""
    seen = []
    while True:
        kind, body = s.record()
        if kind == EVENTS:
            seen += notes(body)
        if kind == WATCHED:
            assert body[0] == count, body
            return seen


def main():
    address, size, helper = int(sys.argv[1], 0), int(sys.argv[2]), sys.argv[3:]
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(helper, stdin=theirs, stdout=theirs)
    theirs.close()
    s = Stream(ours)
    s.take(len(b"wsntop-sim 1\n"))
    ours.sendall(watch())
    assert not until_watched(s, 0)
    quiet = 0
    while quiet < 5:                    # it runs, and tells no values
        kind, body = s.record()
        if kind == EVENTS:
            assert not notes(body)
            quiet += 1
    ours.sendall(watch((77, address, size)))
    assert until_watched(s, 1) == [77]           # what it is
    told = 0
    while told < 50:
        kind, body = s.record()
        if kind == EVENTS:
            assert set(notes(body)) <= {77}
            told += len(notes(body))
    ours.sendall(watch((77, address, size), (78, address, size)))
    until_watched(s, 2)
    both = []
    while len(both) < 50:
        kind, body = s.record()
        both += notes(body) if kind == EVENTS else []
    assert set(both) == {77, 78}, both
    ours.sendall(bytes([WATCH, 3, 9, 9, 9]))    # nonsense changes nothing
    ours.sendall(watch())
    until_watched(s, 0)
    quiet = 0
    while quiet < 5:
        kind, body = s.record()
        if kind == EVENTS:
            assert not notes(body)
            quiet += 1
    ours.close()
    assert process.wait() in (0, -9), process.returncode
    print(os.path.basename(helper[0]) + ": none, then one's values, two's, then none")


main()
