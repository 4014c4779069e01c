#!/usr/bin/env python3
"""A node behind a socket, for the screen tests.

    peer.py SOCKET FIFO

Listens at the unix socket; what is written to the FIFO goes to whoever is connected. The line
"hang up" closes the connection and the socket; "listen" opens it again; "file NAME" sends that file's bytes; "end"
ends.
"""
import os
import socket
import sys

path, fifo = sys.argv[1:]
server = peer = None


def listen():
    global server
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{path}.new")
    server.listen(1)
    os.rename(f"{path}.new", path)	# whoever sees it can connect


def hang_up():
    global server, peer
    if peer:
        peer.close()
    if server:
        server.close()
    os.unlink(path)
    server = peer = None


listen()
while True:
    with open(fifo, encoding='utf-8') as lines:
        for line in lines:
            if line == 'end\n':
                sys.exit(0)
            if line == 'hang up\n':
                hang_up()
            elif line == 'listen\n':
                listen()
            elif line == 'accept\n':
                peer = server.accept()[0]
            elif line.startswith('file '):
                with open(line[5:-1], 'rb') as data:
                    peer.sendall(data.read())
            else:
                peer.sendall(line.encode())
