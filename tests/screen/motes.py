#!/usr/bin/env python3
"""Nodes that live and send when they are told to, by wsn.py's hands: unix sockets m1, m2, ... in the working directory.

    motes.py ORDERS COUNT ELF [KEY=VALUE...]

An order is a line of the FIFO ORDERS:

    all N		each node has run for N refreshes more, and sends the last of them
    slower NODE TIMES	from now on NODE's adc_read takes so many times longer
    elf ELF TIMES	each node was given ELF, counts from 0, and its adc_read takes so many times longer
"""
import os
import select
import socket
import sys

from wsn import Node


class Mote(Node):
    def __init__(self, number, elf, options):
        super().__init__(elf, [f'name=mote {number}', *options])
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(f'm{number}')
        self.server.listen(1)
        self.peer = None


def obey(motes, order, options):
    what, *words = order.split()
    if what == 'slower':
        mote = motes[int(words[0]) - 1]
        mote.o['since'], mote.o['slower'] = mote.rounds, int(words[1])
    for number, mote in enumerate(motes, 1):
        if what == 'all':
            mote.rounds += int(words[0]) - 1
            mote.peer.sendall(mote.refresh())
        elif what == 'elf':
            # its sequence goes on: the frames of another epoch are none of before
            new = Node(words[0], [f'name=mote {number}', *options])
            mote.identity = new.identity
            mote.o['slower'] *= int(words[1])
            mote.o['epoch'] += 1
            mote.o['since'] = mote.rounds = 0


def main():
    orders, count, elf, *options = sys.argv[1:]
    motes = [Mote(i, elf, options) for i in range(1, int(count) + 1)]
    fifo, pending = os.open(orders, os.O_RDONLY), b''
    print('there', flush=True)
    for mote in motes:
        mote.peer = mote.server.accept()[0]
    while True:
        peers = [mote.peer for mote in motes]
        ready = select.select([fifo, *peers], [], [])[0]
        for peer in peers:
            if peer in ready and not peer.recv(4096):
                return		# its reader has gone, and so do we
        if fifo in ready:
            *told, pending = (pending + os.read(fifo, 4096)).split(b'\n')
            for order in told:
                obey(motes, order.decode(), options)


if __name__ == '__main__':
    try:
        main()
    except (BrokenPipeError, ConnectionResetError):
        pass
