#!/usr/bin/env python3
"""lossy.py NODE LINK PERCENT [deaf]: a line to the node's pty, at LINK, that loses so many of its TRACE frames; deaf: and
all that the host says. At its end, the frames and how many were lost."""
import os
import random
import select
import sys
import tty

import trace
import wsn

path, link, percent = sys.argv[1], sys.argv[2], float(sys.argv[3])
deaf = "deaf" in sys.argv[4:]
node = os.open(path, os.O_RDWR | os.O_NOCTTY)
tty.setraw(node)
mine, its = os.openpty()
tty.setraw(its)
os.symlink(os.ttyname(its), link)
rng, held, frames, lost = random.Random(1), b"", 0, 0


def is_trace(block):
    plain = wsn.cobs_decode(block)
    return bool(plain) and len(plain) > 3 and plain[0] & 31 == trace.TRACE


try:
    while True:
        for fd in select.select([node, mine], [], [])[0]:
            data = os.read(fd, 4096)
            if not data:
                raise OSError
            if fd == mine:
                deaf or os.write(node, data)
                continue
            *blocks, held = (held + data).split(b"\0")
            for block in blocks:
                traced = is_trace(block)
                frames += traced
                if traced and rng.random() < percent / 100:
                    lost += 1
                else:
                    os.write(mine, block + b"\0")
except OSError:			# the node is at its end
    os.unlink(link)
    print(frames, lost)
