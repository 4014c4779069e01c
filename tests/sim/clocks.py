"""What the nodes of tests/sim/test_clocks.sh said, held against the simulator's truth."""

import glob
import os
import re
import sys

from truth import *
from wsn import Node

tmp = sys.argv[1]
OWN = {"leaf": 5, "thousand": 1018, "lengthy": 100004, "longest": 700004}


def case(name):
    node, truth = Node(open(f"{tmp}/{name}.bin", "rb").read()), Truth(f"{tmp}/{name}.truth")
    slow, read, tick = "slow" in name, "flag" in name or "tick" in name, "tick" in name
    per_tick = 8 if slow else 1
    check(not node.damaged and not node.lost_frames, f"{name}: {sum(node.frames.values())} frames")
    check_calls(rows_of_node(node), truth.sites, name)
    masked = truth.facts["masked_hook"]
    check(masked <= 250, f"{name}: a hook turns interrupts off for {masked} cycles at most")

    said = {k: int(v, 16) for k, v in re.findall(r"(\w+) ([0-9a-f]{8})\n", node.text.decode())}
    bits = (0x404120 if not slow else 0x404220) | tick if read else 0x424c20
    check(said["before"] == said["after"] == bits, f"{name}: {said['before']:#x}, {said['after']:#x} in timer 1's registers")

    missed = node.hello.features >> 12 & 1
    check(missed == name.startswith("flag"), f"{name}: rounds may have been missed: {missed}")
    for function, own in OWN.items():
        if missed and function in ("lengthy", "longest"):
            continue			# more than a round without a reading
        rows = [r for (_, to), r in node.sites().items() if truth.functions.get(to) == function]
        calls = sum(r.calls for r in rows)
        mean = (sum(r.total for r in rows) / calls - node.hello.skew) * per_tick
        # Of a slow clock neither handlers nor hooks within are taken out; a handler that ticks never is.
        room = (500 if slow else 25) + own * (0.06 if slow else 0.004 if tick else 0.002)
        check(abs(mean - own) <= room, f"{name}: {function}: {calls} calls of {mean:.1f} cycles, its own are {own}")
        longest = (max(r.max for r in rows) - node.hello.skew) * per_tick
        check(longest <= own * 1.1 + (1500 if slow else 300), f"{name}: {function}: at most {longest:.0f} cycles")


for path in sorted(glob.glob(f"{tmp}/*.bin")):
    case(os.path.basename(path)[:-4])
