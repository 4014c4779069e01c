#!/usr/bin/env python3
"""Serial ports with nodes at them, for the screen tests: ptys behind symlinks.

    ptys.py FOLDER [PORT=KIND[,ELF][@BAUD]]...

KIND: wsn (a node that says it runs ELF, or nothing if that is "-"), prof (its report is file ELF), text,
echo (a prompt, and an answer to each line), silent. With @BAUD it sends at that rate: whoever set the pty to another one gets what a UART would make of
it. FOLDER/PORT.rates gets each rate that was set, FOLDER/PORT.sent what was written to the node. When all
are there FOLDER/ready is made.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import time
import tty

import wsn

TCGETS2 = 0x802C542A
TEXT = b'[00:00:01.234] <inf> sensor: temperature 23.50, humidity 41 %\r\n'


def resample(data, sent, heard):
    """What a receiver at `heard` baud makes of bytes sent at `sent`: bits sampled in their middle."""
    bits = []
    for byte in data:
        bits += [0] + [byte >> i & 1 for i in range(8)] + [1]
    at, step, out = 0.0, sent / heard, bytearray()
    while True:
        while int(at) < len(bits) and bits[int(at)]:
            at += step / 16
        if int(at + 9.5 * step) >= len(bits):
            return bytes(out)
        out.append(sum(bits[int(at + (1.5 + i) * step)] << i for i in range(8)))
        at += 9.5 * step


class Port:
    def __init__(self, folder, word):
        self.name, what = word.split('=', 1)
        what, _, baud = what.partition('@')
        kind, _, elf = what.partition(',')
        self.baud, self.kind, self.elf = int(baud or 0), kind, elf
        self.node = wsn.Node(elf or '-', ['name=' + self.name]) if kind == 'wsn' else None
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        path = os.path.join(folder, self.name)
        if os.path.lexists(path):
            os.unlink(path)
        os.symlink(os.ttyname(slave), path)
        os.close(slave)
        self.rates = open(path + '.rates', 'w', encoding='ascii')
        self.sent = open(path + '.sent', 'wb')
        self.last = 0
        self.line = b''
        self.prompted = False

    def rate(self):
        state = bytearray(44)
        fcntl.ioctl(self.master, TCGETS2, state)
        return struct.unpack_from('<I', state, 40)[0]

    def packet(self):
        if self.kind == 'wsn':
            return self.node.refresh() + TEXT
        if self.kind == 'prof':
            with open(self.elf, 'rb') as report:
                return report.read()
        if self.kind == 'echo':
            return self.answer()
        return TEXT * 4 if self.kind == 'text' else b''

    def answer(self):
        out = b'' if self.prompted else b'\033[1;32mnode> \033[m'
        self.prompted = True
        while b'\n' in self.line:
            line, self.line = self.line.split(b'\n', 1)
            out += b'you said ' + repr(line)[2:-1].replace('\\r', '\\x0d').encode() + b'\r\nnode> '
        return out

    def step(self):
        poll = select.poll()
        poll.register(self.master, select.POLLIN)
        events = poll.poll(0)
        if events and events[0][1] & select.POLLHUP:
            return              # nobody listens
        if events and events[0][1] & select.POLLIN:
            data = os.read(self.master, 4096)
            self.sent.write(data)
            self.sent.flush()
            self.line += data
        data, rate = self.packet(), self.rate()
        if rate != self.last:
            self.rates.write(f'{rate}\n')
            self.rates.flush()
            self.last = rate
        if self.baud and rate != self.baud:
            data = resample(data, self.baud, rate)
        os.write(self.master, data)


def main():
    ports = [Port(sys.argv[1], word) for word in sys.argv[2:]]
    for port in ports:
        os.set_blocking(port.master, False)
    with open(os.path.join(sys.argv[1], 'ready'), 'w', encoding='ascii'):
        pass
    while True:
        for port in ports:
            try:
                port.step()
            except BlockingIOError:
                pass
        time.sleep(0.1)


if __name__ == '__main__':
    main()
