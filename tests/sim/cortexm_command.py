"""test_cortexm_command: what each command does to a node that counts arcs and takes samples."""

import fcntl
import os
import select
import sys
import time

from cortexm import check
from wsn import ARCS, PCS, STATUS, Node, frame

START, STOP, RESET, ALL, HZ, SELECT, PERIOD = range(16, 23)
# Wide enough for a minute: a socket is full after 300 writes of a byte, and then QEMU's microbit
# loses some.
told, tell = os.open(sys.argv[1] + ".out", os.O_RDWR), os.open(sys.argv[1] + ".in", os.O_RDWR)
fcntl.fcntl(told, fcntl.F_SETPIPE_SZ, 1 << 20)
name, node, pending = sys.argv[1].split("/")[-1], Node(), b""


def listen(refreshes, until=lambda: False):
    """Feed whole frames, text may wait, for so many refreshes: the node's own time, not that of a busy machine."""
    global pending
    end, hung = node.frames[STATUS] + refreshes, time.monotonic() + 300
    while node.frames[STATUS] < end and not until():
        if time.monotonic() > hung:
            check(False, "watchdog: hung for 5 minutes")
        if not select.select([told], [], [], 0.05)[0]:
            continue
        pending += os.read(told, 4096)
        cut = pending.rfind(b"\0") + 1
        node.feed(pending[:cut])
        pending = pending[cut:]


def command(kind, seq, body=b""):
    """Repeated until it is confirmed."""
    for _ in range(8):
        os.write(tell, frame(kind, seq, body))
        listen(2, lambda: node.status["command"] == seq + 1)
        if node.status["command"] == seq + 1:
            break
    check(node.status["command"] == seq + 1, f"{name}: command {kind} was carried out")


def run():
    return node.status["run_low"] / node.hello.hz


def counted(kind):
    return sum(node.counts(kind).values())


listen(15, lambda: node.hello and node.frames[ARCS] > 3)
check(node.hello and node.hello.has("receive") and node.hello.has("running"), f"{name}: a node that listens")
command(STOP, 41)
listen(6, lambda: not node.hello.has("running"))
check(not node.hello.has("running"), f"{name}: stopped")
listen(2)
before = counted(ARCS)
listen(2)
check(counted(ARCS) == before > 0, f"{name}: {before} calls, and no more of them")

epoch = node.epoch
command(RESET, 42)
listen(6, lambda: node.epoch != epoch)
check(node.epoch != epoch and counted(ARCS) == counted(PCS) == 0, f"{name}: reset: a new epoch, no calls")
command(HZ, 43, (499).to_bytes(2, "little"))
command(START, 44)
listen(6, lambda: node.hello.sampling == 499 and node.hello.has("running") and counted(ARCS) > 0)
check(node.hello.sampling == 499 and counted(ARCS) > 0, f"{name}: it runs, with 499 samples a second")
command(SELECT, 45, b"\4")
listen(1)
had = dict(node.frames)
listen(3)
check(node.frames[ARCS] == had[ARCS] and node.frames[PCS] > had.get(PCS, 0), f"{name}: PCs alone are told")
command(PERIOD, 46, (200).to_bytes(2, "little"))
listen(1)
began = run()
listen(10)
check(run() - began < 3, f"{name}: 10 refreshes in {run() - began:.2f} s of the node's")
command(STOP, 47)
listen(10)
made, ran = counted(PCS) + node.status["pcs_lost"], run()
check(abs(made / ran / 499 - 1) < 0.1, f"{name}: {made} samples in {ran:.2f} s")
check(node.damaged == 0, f"{name}: no frame was damaged")
