#!/bin/bash
# Call traces of an AVR's tasks, held against the simulator event by event: four tasks that a timer
# preempts anywhere, and that go by themselves in a call; the order of calls and of switches in each.
# With more tasks than lanes; then what a hook and a switch cost.
. "$(dirname "$0")/lib.sh"
CHIP=atmega1284p

"$WSNTOP" as --install "$TMP/as" avr- '--except=^(main|task_make|kernel_\w+|__vector_16)$' >"$TMP/said"
flags="-mmcu=$CHIP -DF_CPU=8000000UL -std=gnu99 -Os -ggdb -Wall -Wextra -Werror -fno-inline -fno-ipa-ra -DWSNPROF_TRACE=1
	-DWSNPROF_IDENTITY=0 -Itests/sim/hooks -Itarget-common -Itarget-avr"
tasks() {	# NAME LANES TICK BAUD [FLAGS]
	local more="-DWSNPROF_TASKS=$2 -DTICK_COUNT=$3 -DWSNPROF_BAUD=$4UL ${*:5}"
	avr-gcc $flags $more -B "$TMP/as" -c -o "$TMP/tasks.o" tests/sim/trace/tasks.c
	avr-gcc $flags $more -o "$TMP/$1.elf" "$TMP/tasks.o" target-avr/all/*
	simulate $1 --events="$TMP/$1.events"
}
tasks often 4 100 250000		# a tick each 800 us
tasks seldom 4 249 1000000
tasks short 4 31 1000000 -DTICKS=3000	# hardly time for a call
tasks fewer 3 173 250000		# a task has no lane

"$WSNTOP" -B -p "file:$TMP/seldom.bin" -e "$TMP/seldom.elf" -x "trace:$TMP/host" >/dev/null
"$WSNTOP" doctor -e "$TMP/seldom.elf" >"$TMP/doctor" || true
grep -q "wsntrace_tasks" "$TMP/doctor" || { echo "FAILED: doctor counts no lanes of tasks: $(cat "$TMP/doctor")"; exit 1; }

"$WSNTOP" as --install "$TMP/as" avr- '--only=^(leaf|caller|calls)$' >"$TMP/said"
for of in leaf caller swap; do
	[ $of = swap ] && counts=(4 12) kinds=("") || counts=(20 60) kinds=("" -plain)
	for n in "${counts[@]}"; do
		for kind in "${kinds[@]}"; do
			b=()
			[ -n "$kind" ] || b=(-B "$TMP/as")
			cost="-mmcu=$CHIP -DF_CPU=8000000UL -std=c99 -Os -fno-inline -fno-ipa-ra -DCOST_OF=$of -DCOST_CALLS=$n
				-DWSNPROF_TRACE=1 -DWSNPROF_TASKS=1 -DWSNPROF_UART=0 -Itests/sim/hooks -Itarget-common -Itarget-avr"
			avr-gcc $cost "${b[@]}" -c -o "$TMP/cost.o" tests/sim/trace/cost.c
			for f in target-avr/all/*; do
				[ -e "$TMP/${f##*/}.o" ] || avr-gcc $cost -c -o "$TMP/${f##*/}.o" $f
			done
			avr-gcc $cost -o "$TMP/$of$n$kind.elf" "$TMP/cost.o" "$TMP"/wsnprof_*.o
			simulate $of$n$kind
		done
	done
done

python3 - "$TMP" <<'END_PYTHON'
import collections
import sys
import trace
from truth import Truth, check

tmp = sys.argv[1]
LANES = ("main", "handlers", "task_fib", "task_burst", "task_wait", "task_deep")

def read(run):
    return trace.Node(open(f"{tmp}/{run}.bin", "rb").read())

for run, lanes in ("often", 6), ("seldom", 6), ("short", 6), ("fewer", 5):
    node, true = read(run), trace.events(f"{tmp}/{run}.events", lanes)
    check(not node.damaged and not node.lost_frames, f"{run}: no frame is damaged or lost")
    said, switches = [], 0
    for number in range(lanes):
        lane = node.lanes[number]
        calls = sum(e[0] or 0 for e in true[number]) + (true["nested"] if number == 1 else 0)
        try:
            trace.compare(lane, true[number])
        except trace.Differs as e:
            check(False, f"{run}: {LANES[number]}: {e}")
        told = trace.told(lane)
        # A task may be stopped between a call and its hook; those of one without a lane are the handlers'.
        behind = calls - told - lane.untold
        check(behind in (0, 1) if number > 1 or number == 1 and run == "fewer" else behind == 0,
              f"{run}: {LANES[number]}: {told} told, {lane.untold} counted of {calls}")
        check(not lane.unknown and trace.counted(lane) <= lane.untold, f"{run}: {LANES[number]}: boxes and gaps say no more")
        said.append(f"{told}/{calls}")
        switches += lane.tokens.get("away", 0)
    check(switches > 100, f"{run}: {switches} switches told, each in its place; calls told of all, by lane: {' '.join(said)}")

node, kinds = read("seldom"), collections.Counter()
for line in open(f"{tmp}/host"):
    _, lane, kind, *_ = line.lstrip("~? ").split(None, 4)
    kinds[lane, kind] += 1
for number, name in enumerate(LANES):
    lane = node.lanes[number]
    check(kinds[name, "call"] == trace.told(lane) and kinds[name, "away"] == lane.tokens.get("away", 0),
          f"wsntop -x trace: {name}: the same {kinds[name, 'call']} calls and {kinds[name, 'away']} switches")

def cost(of):
    run = [Truth(f"{tmp}/{of}{n}{kind}.truth").facts["run"] for n in (20, 60) for kind in ("", "-plain")]
    return (run[2] - run[3] - run[0] + run[1]) / 40

leaf, caller = cost("leaf"), cost("caller")
check(leaf <= 51, f"with tasks, a call that calls nothing: {leaf:.1f} cycles")
check(caller - leaf <= 140, f"with tasks, a call that calls: {caller - leaf:.1f} cycles")
few, more = (Truth(f"{tmp}/swap{n}.truth").facts["run"] for n in (4, 12))
check((more - few) / 16 < 1000, f"a switch: {(more - few) / 16:.0f} cycles")
END_PYTHON
