"""A bridge: the packets of a SLIP line (RFC 1055), read from a file to its end, as datagrams: slip.py FILE PORT"""

import socket
import sys
import time

END, ESC, ESC_END, ESC_ESC = 0xc0, 0xdb, 0xdc, 0xdd
line, port = open(sys.argv[1], "rb").read(), int(sys.argv[2])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for coded in line.split(bytes([END])):
    packet = coded.replace(bytes([ESC, ESC_END]), bytes([END])).replace(bytes([ESC, ESC_ESC]), bytes([ESC]))
    if packet:
        s.sendto(packet, ("127.0.0.1", port))
        time.sleep(0.02)
