#!/bin/bash
# Call traces of a Cortex-M's tasks, held against QEMU event by event: four tasks that PendSV preempts anywhere, and one of
# which goes by itself in a call; the order of calls and of switches in each, at periods of many lengths. With more tasks than
# lanes; then what a hook costs.
. "$(dirname "$0")/cortexm.sh"

SWEEP="131 433 $(long 173 250 291 307 333 357 371 380 385 390 395 400 405 410 415 420 440 457 480 499 550)"
{
	for board in an385 an385m0; do
		for level in Os $(long O0 O2); do
			echo "$board-often-$level $board-lanes-$level run=tasks stacks=4 tick=97 every=2 ticks=2000"
		done
		echo "$board-seldom-Os $board-lanes-Os run=tasks stacks=4 tick=433 ticks=1000"
		echo "$board-fewer-Os $board-lanes-Os run=tasks stacks=3 tick=211 ticks=2000"
		echo "$board-fewest-Os $board-lanes-Os run=tasks stacks=2 tick=211 ticks=500"
		for tick in $SWEEP; do
			echo "$board-$tick $board-lanes-Os run=tasks stacks=4 tick=$tick ticks=500"
		done
		echo "$board-steady $board-lanes-Os run=net breathe=10 rounds=8"
	done
} | in_pairs simulate

"$WSNTOP" -B -p "file:$TMP/an385-seldom-Os.uart" -e "$FW/an385-lanes-Os.elf" -x "trace:$TMP/host" >/dev/null

for board in an385 an385m0; do
	"$WSNTOP" -B -p "file:$TMP/$board-433.uart" -e "$FW/$board-lanes-Os.elf" -x "json:$TMP/$board.json" >/dev/null
done

# The bytes of a lane and of its sender, as target-cortexm/README.md says: 4 tasks, 48 levels.
for part in "tasks 4 852 12" "senders 6 504 2"; do
	set -- $part
	size=$(arm-none-eabi-nm -S "$FW/an385-lanes-Os.elf" | awk -v name="wsntrace_$1" '$4 == name { print $2 }')
	[ $((0x$size)) = $(($2 * ($3 + 48 * $4))) ] || { echo "FAILED: wsntrace_$1 has $((0x$size)) bytes, not $2 times $3 and 48 times $4"; exit 1; }
	grep -q "takes $3 bytes and $4 bytes a level" <(tr '\n' ' ' <target-cortexm/README.md) || { echo "FAILED: README: a lane's bytes"; exit 1; }
done

python3 - "$TMP" $SWEEP <<'END_PYTHON'
import collections
import json
import os
import re
import sys
import trace
from cortexm import Truth
from truth import check

tmp, *sweep = sys.argv[1:]
LANES = ("main", "handlers", "task_body", "task_body", "task_body", "task_body")

def read(run):
    return trace.Node(open(f"{tmp}/{run}.uart", "rb").read())

for board in "an385", "an385m0":
    often = ["often-Os"] + ["often-O0", "often-O2"] * bool(os.environ.get("LONG"))
    for run, lanes in *[(run, 6) for run in often], ("seldom-Os", 6), ("fewer-Os", 5):
        node, true = read(f"{board}-{run}"), trace.events(f"{tmp}/{board}-{run}.events", lanes, False)
        run = f"{board}-{run}"
        check(not node.damaged and not node.lost_frames and len(node.lanes) == lanes, f"{run}: no frame is damaged or lost")
        said, switches = [], 0
        for number in range(lanes):
            lane = node.lanes[number]
            calls = sum(e[0] or 0 for e in true[number]) + (true["nested"] if number == 1 else 0)
            try:
                trace.compare(lane, true[number])
            except trace.Differs as e:
                check(False, f"{run}: {LANES[number]}: {e}")
            told = trace.told(lane)
            behind = calls - told - lane.untold	# stopped between a call and its hook
            check(behind in (0, 1) if number > 1 else behind == 0,
                  f"{run}: lane {number}: {told} told, {lane.untold} counted of {calls}")
            check(trace.counted(lane) <= lane.untold and not lane.unknown, f"{run}: lane {number}: boxes and gaps say no more")
            check(told > 50 or not number, f"{run}: lane {number}: {told} told")
            said.append(f"{told}/{calls}")
            switches += lane.tokens.get("away", 0)
        check(switches > 100, f"{run}: {switches} switches told, each in its place; calls told of all, by lane: {' '.join(said)}")

# A value is told or counted as lost: also where its task has no lane.
for board in "an385", "an385m0":
    for run, least in ("often-Os", 10), ("fewest-Os", 0):
        node = read(f"{board}-{run}")
        values = sum(i[0] == "value" for lane in node.lanes.values() for i in lane.items)
        told = int(re.search(rb"tasks ([0-9a-f]{8})", node.text)[1], 16)
        check(values == told and (values >= least), f"{board}-{run}: {values} values, those that were not lost")

# Calls by the thousand that all differ: what is told as known was told before.
for board in "an385", "an385m0":
    calls = 0
    for tick in sweep:
        node, true = read(f"{board}-{tick}"), trace.events(f"{tmp}/{board}-{tick}.events", 6, False)
        for number, lane in node.lanes.items():
            try:
                trace.compare(lane, true[number])
            except trace.Differs as e:
                check(False, f"{board}, a tick of {tick}: {LANES[number]}: {e}")
            if lane.unknown:
                check(False, f"{board}, a tick of {tick}: {LANES[number]}: {lane.unknown} references to nothing")
            calls += trace.told(lane)
    check(calls > 2000 * len(sweep), f"{board}: {calls} calls told, at {len(sweep)} periods of the tick")

node, kinds, lanes = read("an385-seldom-Os"), collections.Counter(), set()
for line in open(f"{tmp}/host"):
    _, lane, kind, *_ = line.lstrip("~? ").split(None, 4)
    kinds[kind] += 1
    lanes.add(lane)
check(lanes == {"main", "handlers", "task_body/1", "task_body/2", "task_body/3", "task_body/4"},
      f"wsntop -x trace: tasks of one function have names of their own: {sorted(lanes)}")
check(kinds["call"] == sum(trace.told(lane) for lane in node.lanes.values()), f"wsntop -x trace: the same {kinds['call']} calls")
check(kinds["away"] == sum(lane.tokens.get("away", 0) for lane in node.lanes.values()),
      f"wsntop -x trace: the same {kinds['away']} switches")

# Where lanes have no room to tell that another task goes on, what the others tell is left out of their times: without that, the
# times of all functions together were twice the run, and a leaf took 32 us.
for board in "an385", "an385m0":
    truth = Truth(f"{tmp}/{board}-433.truth")
    profile = json.load(open(f"{tmp}/{board}.json"))
    own = {f["name"]: f for f in profile["functions"]}
    run, busy = profile["node"]["profiled_s"], sum(f["self_s"] or 0 for f in own.values())
    check(busy < run, f"{board}: all functions together {busy:.3f} s of {run:.3f} s")
    leaf, true = own["work_leaf"], truth.functions["work_leaf"]
    takes, should = leaf["self_s"] / leaf["calls"], (true.insns / true.entries + 30) * run / truth.insns
    check(0.8 < takes / should < 2, f"{board}: a leaf takes {takes * 1e6:.1f} us, its instructions {should * 1e6:.1f}")

# Four instructions a hook more than without tasks. Here most ids of net have three bytes, and many calls find no room.
for board, limit in ("an385", 34.5), ("an385m0", 39):
    truth = Truth(f"{tmp}/{board}-steady.truth")
    entered = {name: f.entries for name, f in truth.functions.items() if re.match("wsntrace_(leaf|enter|exit)", name)}
    calls = sum(n for name, n in entered.items() if "exit" not in name)
    each = (truth.hooks + 2 * sum(entered.values())) / calls
    check(each < limit, f"{board}: net, with tasks: {each:.1f} instructions a call")
END_PYTHON
