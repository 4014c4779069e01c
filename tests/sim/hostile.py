"""Nodes that lie: hostile.py KIND PORT: one on a TCP port, for who connects, until it is killed. KIND:

    epochs  another epoch twenty times a second
    ids     another id twenty times a second
    clock   an hour a second, by its own clock
    flood   as many bytes as there is room for
    file    a hundred changes of the id, into the file PORT
"""

import socket
import sys
import time

import wsn


def v(x):
    out = bytearray()
    while x > 127:
        out.append(x & 127 | 128)
        x >>= 7
    return bytes(out + bytes([x]))


def hello(node, epoch):
    fields = ((1, 1), (1, 1), (0x423, 2), (2, 1), (0, 1), (8000000, 4), (0, 2), (0, 2), (0, 2), (0, 2), (64, 2), (32, 2),
              (64, 2), (64, 2), (0, 4), (node, 4), (epoch, 2), (1, 1), (0, 4), (0x2000, 4), (0x1234, 2), (0xabcd, 2))
    return b"".join(x.to_bytes(n, "little") for x, n in fields)


class Liar:
    def __init__(self, to):
        self.to, self.seq = to, 0

    def send(self, kind, epoch, body):
        self.to.sendall(wsn.frame(kind | (epoch & 7) << 5, self.seq, body))
        self.seq += 1

    def life(self, node, epoch, seconds):
        run = int(seconds * 8000000)
        self.send(wsn.HELLO, epoch, hello(node, epoch))
        self.send(wsn.SITES, epoch, v(0) + v(100) + v(50) + v(epoch) + v(1000) + v(1) + v(1000))
        self.send(wsn.STATUS, epoch, v(run % 2**32) + v(run >> 32) + bytes(12))


def lie(kind, to):
    liar, n = Liar(to), 0
    while True:
        n += 1
        if kind == "flood":
            to.sendall(bytes([120]) * 65535 + b"\0")
            if n % 16 == 1:
                liar.life(9, 1, n / 1000)
            continue
        liar.life(9 + n % 2 if kind == "ids" else 9, 1 + n if kind == "epochs" else 1, n * (180 if kind == "clock" else 0.05))
        time.sleep(0.05)


if sys.argv[1] == "file":
    class File:
        def __init__(self, path):
            self.sendall = open(path, "wb", buffering=0).write

    liar = Liar(File(sys.argv[2]))
    for n in range(100):
        liar.life(9 + n % 2, 1, n * 0.05)
    sys.exit()

server = socket.create_server(("127.0.0.1", int(sys.argv[2])))
while True:
    try:
        lie(sys.argv[1], server.accept()[0])
    except OSError:
        pass
