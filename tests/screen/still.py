#!/usr/bin/env python3
"""Nobody reads wsntop's terminal while a node sends on a serial port: no byte is lost.

The pace is that of the reader: the next piece is sent when the port's driver has none left, and Ctrl-L with each
asks for a whole frame, of which a few fill the terminal.

    still.py WSNTOP FOLDER      the recording is FOLDER/still.wsnrec
"""
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import threading
import time
import tty

ROUNDS, PIECE = 80, 14			# pieces; lines of one


def recorded(path):
    data, at, out = open(path, 'rb').read(), 16, b''
    while at + 16 <= len(data):
        length = struct.unpack_from('<I', data, at + 8)[0]
        about, length = length >> 31, length & 0x7fffffff	# what the recording says of itself is no byte of the node
        out += b'' if about else data[at + 12:at + 12 + length]
        at += 16 + length
    return out


def taken(port, sent):
    for _ in range(2000):
        if not struct.unpack('i', fcntl.ioctl(port, termios.FIONREAD, bytes(4)))[0]:
            return
        time.sleep(0.01)
    sys.exit(f'the port is not read after {sent} bytes')


def main():
    wsntop, path = sys.argv[1], sys.argv[2] + '/still.wsnrec'
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 60, 200, 0, 0))
    node, port = pty.openpty()
    tty.setraw(port)
    os.set_blocking(node, False)
    program = subprocess.Popen([wsntop, '-f', 'prof', '-p', os.ttyname(port), '-r', path], stdin=slave, stdout=slave,
                               stderr=slave, env=dict(os.environ, TERM='xterm-256color'), start_new_session=True)
    while not os.path.exists(path):
        time.sleep(0.05)
    while select.select([master], [], [], 1)[0]:
        os.read(master, 65536)
    os.write(master, b'7')
    sent = b''
    for k in range(ROUNDS * PIECE):
        line = b'line %06d %s\n' % (k, bytes([65 + k % 26]) * 150)
        # A UART does not wait: a driver that takes nothing for five seconds has lost it.
        while line:
            if not select.select([], [node], [], 5)[1]:
                sys.exit(f'the driver is full after {len(sent)} bytes')
            n = os.write(node, line)
            sent += line[:n]
            line = line[n:]
        if k % PIECE == 0:
            os.write(master, b'\f')
            taken(port, len(sent))

    def terminal_read():
        try:
            while os.read(master, 65536):
                pass
        except OSError:
            pass

    threading.Thread(target=terminal_read, daemon=True).start()
    for _ in range(200):
        if len(recorded(path)) >= len(sent):
            break
        time.sleep(0.1)
    os.write(master, b'Q')
    program.wait(20)
    if recorded(path) != sent:
        sys.exit(f'{len(recorded(path))} of {len(sent)} bytes are in the recording')


main()
