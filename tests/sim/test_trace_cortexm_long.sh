#!/bin/bash
# Stamps of a Cortex-M's call traces below the top level (WSNPROF_TRACE_LONG, WSNPROF_TRACE_SAMPLE), by clocks of every kind that
# QEMU has: workloads against it event by event, with frames lost, amid tasks and under a storm of interrupts; where
# the stamps are, which calls are told for their length, and what the hooks take.
. "$(dirname "$0")/cortexm.sh"
RUNS="an385-longtick an385-sampled an385m0-long $(long an385-{long,longfound} an385m0-{longtick,sampled} microbit-long)"
BOARDS="an385 $(long an385m0)"
STEADY="an385-traced an385-long an385m0-long $(long an385{,m0}-longtick)"

{
	for image in $RUNS; do
		echo "$image $image-Os run=net,storm,deep,jump,pointer,tail,copy,mutual,full,dispatch breathe=20 doze=1"
	done
	for image in $STEADY; do
		echo "$image-steady $image-Os run=net breathe=10 rounds=8"
	done
	for board in $BOARDS; do
		echo "$board-longlanes $board-longlanes-Os run=tasks stacks=4 tick=433 ticks=1000"
		echo "$board-storm $board-long-Os run=nested breathe=2 rounds=4"
	done
} | in_pairs simulate

python3 - "$TMP" "$RUNS" "$STEADY" "$BOARDS" <<'END_PYTHON'
import re
import sys
import trace
from cortexm import Truth
from truth import check

tmp, runs, steady, boards = sys.argv[1], *(text.split() for text in sys.argv[2:])
UNIT, LONG = 160, 60		# instructions; sim/cortexm/build.mk's

def read(run, lose=None):
    """The node; with `lose`: of TRACE frames each so manieth is lost."""
    data = open(f"{tmp}/{run}.uart", "rb").read()
    return trace.Node(trace.without(data, lose) if lose else data)

def compare(run, number, lane, true):
    try:
        return trace.compare(lane, true)[1]
    except trace.Differs as e:
        check(False, f"{run}: lane {number}: {e}")

def lengths(lane, true, places):
    """Units that the calls took which were told by REF."""
    at = iter(p for p in places if isinstance(p, int))
    place = {n: next(at) for n, item in enumerate(lane.items) if item[0] in ("call", "return")}
    return [(true[place[last]][2] - true[place[first]][2]) / UNIT for first, last in lane.refs]

def compare_all(run, lanes=2, struck=True):
    node, true, own = read(run), trace.events(f"{tmp}/{run}.events", lanes, struck), 0
    check(not node.damaged and not node.lost_frames and len(node.lanes) == lanes, f"{run}: no frame is damaged or lost")
    for number, lane in sorted(node.lanes.items()):
        compare(run, number, lane, true[number])
        calls = sum(e[0] or 0 for e in true[number]) + (true["nested"] if number == 1 else 0)
        told = trace.told(lane)
        own += lane.tokens.get("own", 0)
        behind = calls - told - lane.untold	# stopped between a call and its hook
        check(behind in (0, 1) if number > 1 else behind == 0, f"{run}: lane {number}: {told} calls told, each as it was, and "
              f"{lane.untold} counted: {calls}")
    check(own > (100 if lanes > 2 else 500), f"{run}: {own} stamps below the top level")
    return true

for run in runs:
    true = compare_all(run)
    for number, lane in read(run, 3).lanes.items() if run.endswith("long") else ():
        compare(f"{run}, one frame in 3 lost", number, lane, true[number])
        check(lane.lost, f"{run}: lane {number}: one frame in 3 lost: what is told is true")
for board in boards:
    compare_all(f"{board}-longlanes", 6, False)
    node, true = read(f"{board}-storm"), trace.events(f"{tmp}/{board}-storm.events")
    compare(f"{board}-storm", 0, node.lanes[0], true[0])
    for number, lane in node.lanes.items():
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number else 0)
        check(trace.told(lane) + lane.untold == calls and not lane.unknown,
              f"{board}: handlers that nest: lane {number}: {trace.told(lane)} told, {lane.untold} counted: {calls}")

longer = {}
for run in steady:
    node, true = read(f"{run}-steady"), trace.events(f"{tmp}/{run}-steady.events")
    lane = node.lanes[0]
    places = compare(run, 0, lane, true[0])
    longer[run] = sum(units >= LONG for units in lengths(lane, true[0], places))
    errors = trace.stamp_errors(places, UNIT, node.tracing[1])
    check(len(errors) > 200 and errors[-1] - errors[0] < 800,
          f"{run}: {len(errors)} stamps, {errors[0]} to {errors[-1]} instructions off")
    # where too much waits a call has no stamp
    check(longer[run] * 8 < longer["an385-traced"] or run == "an385-traced" and longer[run] > 100,
          f"{run}: {longer[run]} of {len(lane.refs)} references to calls of {LONG} units or more")

def hook(run, name):
    """Instructions, with the function's own."""
    entered = [f for n, f in Truth(f"{tmp}/{run}-steady.truth").functions.items() if name in n and n.startswith("wsntrace_")]
    return 2 + sum(f.insns for f in entered) / sum(f.entries for f in entered)

MOST = {"an385-long": 66, "an385-longtick": 64, "an385m0-long": 83, "an385m0-longtick": 80}
for run, most in ((run, MOST[run]) for run in steady if run in MOST):
    leaf, call = hook(run, "_leaf"), hook(run, "_enter") + hook(run, "_exit")
    check(leaf < (25 if "m0" in run else 20) and call < most,
          f"{run}: a call that calls nothing takes {leaf:.1f} instructions, another {call:.1f}, without C")
END_PYTHON
