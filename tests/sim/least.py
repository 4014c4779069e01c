"""What wsntop says of the least builds, held against the simulator's truth; test_least.sh runs it."""

import sys

import calib
from truth import *
from wsn import Node

tmp = sys.argv[1]
for name in "level1", "level0":
    node = Node(open(f"{tmp}/{name}.bin", "rb").read())
    check(not node.damaged and not node.lost_frames and not node.text, f"{name}: {sum(node.frames.values())} frames")
    check(node.hello.identity == 0, f"{name}: no identity is sent")
    truth = Truth(f"{tmp}/{name}.truth")
    out, rows = rows_of_json(f"{tmp}/{name}.json", CPU_HZ)
    rows = {k: r for k, r in rows.items() if r.calls and truth.functions.get(k[1]) != "inlined"}
    check_calls(rows, truth.sites, name)

each, seven = calib.error(tmp, "level1")
check(each < 2, f"level1: a call is off by {each:.2f} cycles in the mean")
check(seven < 0.02, f"level1: a caller of seven tiny calls is off by {100 * seven:.2f} %")
node, plain = Node(open(f"{tmp}/level1.bin", "rb").read()), Truth(f"{tmp}/level1-plain.truth")
run, true = node.status["run_low"], plain.facts["run_net"]
check(abs(run - true) <= node.hello.spread * plain.calls(), f"level1: a run of {run} ticks, true {true}")
