"""Nodes on TCP ports: served.py FILE FIRST_ID COUNT SECONDS: the stream in FILE, each with an id of its own, sent in so many
seconds to who connects; then the connection stays. Prints the ports, a line each.
"""

import socket
import sys
import time

import renumber

with open(sys.argv[1], "rb") as f:
    stream = f.read()
first, count, seconds = int(sys.argv[2], 16), int(sys.argv[3]), float(sys.argv[4])
streams = [renumber.renumbered(stream, first + i) for i in range(count)]
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
for server in servers:
    server.setblocking(False)
    print(server.getsockname()[1])
sys.stdout.flush()

nodes = {}  # number -> [socket, since, sent]
while True:
    for i, server in enumerate(servers):
        try:
            nodes.setdefault(i, [server.accept()[0], time.monotonic(), 0])
        except BlockingIOError:
            pass
    for i, node in nodes.items():
        due = int(len(streams[i]) * min(1, (time.monotonic() - node[1]) / seconds))
        if due > node[2]:
            try:
                node[0].sendall(streams[i][node[2]:due])
            except ConnectionError:     # who listened was killed
                due = len(streams[i])
            node[2] = due
    time.sleep(0.05)
