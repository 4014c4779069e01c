"""What nodes sent on a UART, as datagrams of whole frames: datagrams.py PORT FILE [ID]... each from a port of its own, as a
node with that id. `=ID` has the file's own id in the first HELLO and ID in those behind it; `+ID` is sent when the others
have been: a second one of that id. Ends when all is sent."""

import socket
import sys
import time

import wsn


def named(block, node):
    """The frame with another id, where it is a HELLO."""
    plain = wsn.cobs_decode(block)
    if plain is None or len(plain) < 36 or plain[0] & 31 != wsn.HELLO:
        return b"\0" + block + b"\0"
    body = plain[2:32] + node.to_bytes(4, "little") + plain[36:-2]
    return wsn.frame(plain[0], plain[1], body)


def send(port, data, node, then):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    frames, hellos = [], 0
    for block in filter(None, data.split(b"\0")):
        frame = named(block, node if not hellos else then)
        hellos += frame[1:] != block + b"\0"
        frames.append(frame)
    for i in range(0, len(frames), 12):
        s.sendto(b"".join(frames[i:i + 12]), ("127.0.0.1", port))
        time.sleep(0.02)


port, data = int(sys.argv[1]), open(sys.argv[2], "rb").read()
for word in sys.argv[3:]:
    node = int(word.lstrip("=+"), 16)
    send(port, data, node + 1 if word[0] == "=" else node, node)
