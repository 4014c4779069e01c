#!/bin/bash
# The host's commands over the real line: a simulated demo node in real time, frames typed at it.
. "$(dirname "$0")/lib.sh"

"$NODE" --seconds=600 --link="$TMP/node" "$FW/demo.elf" >"$TMP/live.end" & node_pid=$!
until [ -e "$TMP/node" ]; do sleep 0.05; done

python3 - "$TMP/node" <<'END'
import os
import sys
import termios
import time
import tty
from truth import check
from wsn import *

START, STOP, RESET, ALL, HZ, SELECT, PERIOD = range(16, 23)
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
tty.setraw(port)
node = Node()
pending = b""

def listen(refreshes, until=lambda: False):
    """Feed whole frames, text may wait, for so many refreshes: the node's own time, not that of a busy machine."""
    global pending
    end, hung = node.frames[STATUS] + refreshes, time.monotonic() + 300
    while node.frames[STATUS] < end and not until():
        if time.monotonic() > hung:
            check(False, "watchdog: hung for 5 minutes")
        try:
            pending += os.read(port, 4096)
        except BlockingIOError:
            time.sleep(0.01)
        cut = pending.rfind(b"\0") + 1
        node.feed(pending[:cut])
        pending = pending[cut:]

def command(kind, seq, body=b""):
    """Repeated until it is confirmed: the node keeps one frame from poll to poll, of others that come it says nothing."""
    for _ in range(4):
        os.write(port, frame(kind, seq, body))
        listen(3, lambda: node.status["command"] == seq + 1)
        if node.status["command"] == seq + 1:
            break
    check(node.status["command"] == seq + 1, f"command {kind} was carried out")

listen(10, lambda: node.hello and node.frames[SITES] > 3)
node.damaged = 0		# joined in the middle of a frame
check(node.hello and node.hello.has("receive") and node.hello.has("running"), "a node that listens")
command(STOP, 41)
command(ALL, 42)
listen(5, lambda: not node.hello.has("running"))
check(not node.hello.has("running"), "stopped")
listen(2)
calls = sum(r.calls for r in node.sites().values())
listen(3)
check(sum(r.calls for r in node.sites().values()) == calls > 0, f"{calls} calls, and no more of them")

before = node.epoch
os.write(port, frame(RESET, 50)[:-3] + b"xx\0")
listen(2)
check(node.epoch == before and node.status["command"] == 43, "a damaged command is not obeyed")
os.write(port, frame(RESET, 51)[:-3] + b"xx\0")		# waits for the poll in the next one's place
command(RESET, 60)
listen(5, lambda: node.epoch != before)
check(node.epoch != before and sum(r.calls for r in node.sites().values()) == 0, "reset: a new epoch, no calls")
command(START, 61)
command(PERIOD, 62, (100).to_bytes(2, "little"))
def run():
    return ((node.status["run_high"] << 32) + node.status["run_low"]) / node.hello.hz

count, began = node.frames[STATUS], run()
listen(60, lambda: run() - began > 2)
count = node.frames[STATUS] - count
check(run() - began > 2 and count > 10, f"{count} refreshes in two seconds, as asked")
check(sum(r.calls for r in node.sites().values()) > 0, "and it counts again")
check(not node.damaged and not node.lost_frames, "nothing lost on the way")
END
