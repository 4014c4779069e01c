"""A broker that speaks MQTT 3.1.1 alone, in front of one that speaks 5, too: old_broker.py PORT: prints its own port. A CONNECT of
another version gets return code 1, and is closed (MQTT 3.1.1, 3.1.2.2).
"""

import selectors
import socket
import sys

server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
ends = selectors.DefaultSelector()
ends.register(server, selectors.EVENT_READ)
other = {}


def level(connect):
    at = 1
    while connect[at] & 0x80:
        at += 1
    return connect[at + 7]


def drop(end):
    for s in filter(None, (end, other.pop(end, None))):
        other.pop(s, None)
        ends.unregister(s)
        s.close()


def begin(end, connect):
    if level(connect) != 4:
        end.sendall(bytes((0x20, 2, 0, 1)))
        return drop(end)
    behind = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    ends.register(behind, selectors.EVENT_READ)
    other[end], other[behind] = behind, end
    behind.sendall(connect)


def take(end):
    try:
        data = end.recv(65536)
        if not data:
            drop(end)
        elif end in other:
            other[end].sendall(data)
        else:
            begin(end, data)
    except OSError:
        drop(end)


while True:
    for key, _ in ends.select():
        if key.fileobj is server:
            ends.register(server.accept()[0], selectors.EVENT_READ)
        elif key.fileobj.fileno() >= 0:  # its other end may be gone, and it with it
            take(key.fileobj)
