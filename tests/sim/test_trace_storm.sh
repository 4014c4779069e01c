#!/bin/bash
# Call traces of an AVR that is interrupted behind each instruction of its hooks, its sender, its packer and of what it
# runs (avrnode --strike): each run is held against the simulator event by event, and the places are counted. A handler
# calls; handlers interrupt handlers; another task goes on.
. "$(dirname "$0")/lib.sh"
CHIP=atmega1284p
FLAGS="-mmcu=$CHIP -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Wextra -Werror -fno-inline -fno-ipa-ra -ffunction-sections -fdata-sections
	-DWSNPROF_TRACE=1 -DWSNPROF_IDENTITY=0 -Itarget-common -Itarget-avr"

# program NAME SOURCES FLAGS: $TMP/NAME.elf, its symbols, and those of the runtime in it
program() {
	local name=$1 sources=$2
	shift 2
	mkdir "$TMP/$name" "$TMP/$name/runtime"
	{
		for f in $sources; do
			echo -B "$TMP/as" -c -o "$TMP/$name/$(basename $f).o" "$f" "$@"
		done
		for f in target-avr/all/*; do
			echo -c -o "$TMP/$name/runtime/$(basename $f).o" "$f" "$@"
		done
	} | xargs -P2 -L1 avr-gcc $FLAGS
	avr-gcc -mmcu=$CHIP $LINK -Wl,--gc-sections -o "$TMP/$name.elf" "$TMP/$name"/*.o "$TMP/$name"/runtime/*.o
	avr-nm -S --defined-only "$TMP/$name.elf" >"$TMP/$name.nm"
	avr-nm -S --defined-only "$TMP/$name"/runtime/*.o >"$TMP/$name.runtime"
}
# strike RUN NAME VECTOR CYCLES_APART
strike() {
	[ $1 = $2 ] || cp "$TMP/$2.elf" "$TMP/$1.elf"
	simulate $1 --events="$TMP/$1.events" --strike=$3 --apart=$4 --struck="$TMP/$1.struck"
}

LINK=-Wl,--wrap=setjmp,--wrap=longjmp,--wrap=memcpy,--wrap=memset,--wrap=memmove
workloads() {	# NAME FLAGS
	local name=$1
	shift
	program $name "$(echo sim/workload/*.c sim/workload/avr/*.c tests/sim/trace/strike.c)" "$@" -DWSNPROF_TRACE_JUMPS=4 \
		-DWORKLOAD_TRACED -DWORKLOAD_FIB=8 -DWORKLOAD_CRC_KB=1 -DWORKLOAD_STORM=40 -DWORKLOAD_JUMPS=3 -DWORKLOAD_ROUNDS=3 \
		"-DWORKLOAD_RUN=RUN(strikes)RUN(crc)RUN(fib)RUN(net)RUN(storm)RUN(deep)RUN(jump)RUN(pointer)RUN(tail)RUN(mutual)RUN(notes)RUN(peace)" \
		-Isim/workload -Isim/workload/avr
}
quiet='--except=^(workload_\w+|main|say_sum|poll_for|drain|finish|timer_begin)$'
"$WSNTOP" as --install "$TMP/as" avr- "$quiet" >"$TMP/said"
workloads fast -DWSNPROF_BAUD=1000000UL -DWORKLOAD_PAUSE_MS=10 -DWSNPROF_STACK=24	# calls too deep for it: boxes
long_only workloads slow -DWSNPROF_BAUD=19200UL -DWORKLOAD_PAUSE_MS=40
long_only workloads raw -DWSNPROF_BAUD=250000UL -DWORKLOAD_PAUSE_MS=10 -DWSNPROF_TRACE_PACK=0
workloads nested -DWSNPROF_BAUD=1000000UL -DWORKLOAD_PAUSE_MS=10 -DSTRIKE_NESTED
"$WSNTOP" as --install "$TMP/as" avr- "$quiet" --wide >"$TMP/said"
long_only workloads wide -DWSNPROF_BAUD=1000000UL -DWORKLOAD_PAUSE_MS=10 -DWORKLOAD_IDS=300
for run in fast nested $(long slow raw wide); do
	strike $run $run 1 0
done
strike calm fast 1 4001

LINK= TICKS=$(long 40000) TICKS=${TICKS:-28000}
"$WSNTOP" as --install "$TMP/as" avr- '--except=^(main|task_make|kernel_\w+|__vector_16)$' >"$TMP/said"
program tasks tests/sim/trace/tasks.c -DWSNPROF_TASKS=4 -DWSNPROF_BAUD=1000000UL -DTICK_COUNT=249 "-DTICKS=$TICKS" -Itests/sim/hooks
strike tasks tasks 16 3001
strike tasks-seldom tasks 16 6007

# The host's own decoder.
for run in nested $(long slow) tasks-seldom; do
	"$WSNTOP" -B -p "file:$TMP/$run.bin" -e "$TMP/$run.elf" -x "trace:$TMP/$run.host" >/dev/null
done

python3 - "$TMP" fast nested $(long slow raw wide) <<'END_PYTHON'
import collections
import re
import struct
import sys
import trace
from truth import check

tmp, *workloads = sys.argv[1:]
WORKLOADS = {name: ("fast", "calm") if name == "fast" else (name,) for name in workloads}
TASKS = {"tasks": ("tasks", "tasks-seldom")}
HOOKS = {
    "a leaf's": ("wsntrace_leaf", "wsntrace_leaf_wide"),
    "a call's": ("wsntrace_enter", "wsntrace_enter_wide", "wsntrace_wide"),
    "a return's, a tail call's": ("wsntrace_exit",),
    "setjmp, longjmp": ("__wrap_setjmp", "__wrap_longjmp", "wsntrace_jump_set", "wsntrace_jump", "jump_end"),
    "marks": ("wsnprof_mark", "wsnprof_value", "wsnprof_state", "note_put"),
    "sending": ("wsntrace_send", "lane_send", "wsnprof_send", "wsnprof_poll", "frame_end", "head_put", "limit_follow"),
    "packing": ("wsntrace_pack", "lane_pack", "wsntrace_pack_take", "wsntrace_pack_put", "bit_put", "plain_put", "literal_put"),
}

def symbols(path):
    for line in open(path):
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tT":
            yield fields[3].split(".")[0], int(fields[0], 16) // 2, int(fields[1], 16) // 2

def struck(run):
    return list(struct.iter_unpack("<4I", open(f"{tmp}/{run}.struck", "rb").read()))

def coverage(name, runs, least):
    """Of the runtime's instructions that ran with interrupts on: so many were struck behind; of the hooks all,
    where they leave them on."""
    places = [tuple(map(sum, zip(*p))) for p in zip(*map(struck, runs))]
    runtime = {s for s, _, _ in symbols(f"{tmp}/{name}.runtime")}
    on, hit = collections.Counter(), collections.Counter()
    for symbol, first, words in symbols(f"{tmp}/{name}.nm"):
        for ran, _, at, late in places[first:first + words] if symbol in runtime else ():
            if ran and (at or not late):	# late: it turned interrupts off
                on[symbol] += 1
                hit[symbol] += at > 0
    for what, hooks in HOOKS.items():
        n, of = sum(hit[h] for h in hooks), sum(on[h] for h in hooks)
        if of:
            check(n >= (1 if least > 0.9 and "ing" not in what else least / 3) * of, f"{name}: {what}: struck behind {n} of {of} instructions")
    n, of = sum(hit.values()), sum(on.values())
    check(n >= least * of and n > 1000, f"{name}: the runtime: struck behind {n} of {of} instructions, "
          f"{sum(p[2] for p in places)} times in all; never: {sorted(s for s in on if on[s] > hit[s])}")

def compare(run, lanes, stopped=0):
    node, true = trace.Node(open(f"{tmp}/{run}.bin", "rb").read()), trace.events(f"{tmp}/{run}.events", lanes)
    check(not node.damaged and not node.lost_frames, f"{run}: {node.frames[trace.TRACE]} frames, none damaged or lost")
    said = []
    for number in range(lanes):
        lane = node.lanes[number]
        try:
            _, stamps = trace.compare(lane, true[number])
        except trace.Differs as e:
            check(False, f"{run}: lane {number}: {e}")
        calls, told = sum(e[0] or 0 for e in true[number]) + (true["nested"] if number == 1 else 0), trace.told(lane)
        behind = calls - told - lane.untold		# a task stopped between a call and its hook
        check(not lane.unknown and 0 <= behind <= (number > 1),
              f"{run}: lane {number}: {told} told and {lane.untold} counted of {calls}; no reference to what was not told")
        check(trace.counted(lane) <= lane.untold, f"{run}: lane {number}: boxes and gaps say no more")
        # Half a second is what stamps can tell; a poll that is interrupted everywhere takes longer.
        errors = trace.stamp_errors(stamps, 64) if lane.resyncs == 1 and "tasks" not in run else [0]
        check(errors[-1] - errors[0] < 300000, f"{run}: lane {number}: {len(errors)} stamps, {errors[0]} to {errors[-1]} cycles off")
        said.append(f"{told} of {calls}")
    told = re.search(rb"peace ([0-9a-f]+)", node.text)
    if told:
        notes = sum(i[0] in ("mark", "value", "state") for lane in node.lanes.values() for i in lane.items)
        check(notes == int(told[1], 16), f"{run}: {notes} marks, values and states: those that were not lost")
    print(f"ok: {run}: each as it was: {', '.join(said)} calls told")

def host_items(path, name):
    """Calls, returns, boxes and gaps of a lane."""
    for line in open(path):
        _, of, kind, _, what = line.lstrip("~? ").split(None, 4)
        if of == name and kind in ("call", "return", "box", "gap"):
            yield kind, int(what.split()[0]) if kind == "gap" else None

for run, names in ("slow" if "slow" in workloads else "nested", ("main", "handlers")), ("tasks-seldom", ("main", "handlers", "task_fib", "task_burst", "task_wait", "task_deep")):
    node = trace.Node(open(f"{tmp}/{run}.bin", "rb").read())
    for number, name in enumerate(names):
        said = list(host_items(f"{tmp}/{run}.host", name))
        own = [(i[0], i[1] if i[0] == "gap" else None) for i in node.lanes[number].items if i[0] in ("call", "return", "box", "gap")]
        check(said == own, f"wsntop -x trace: {run}: {name}: the same {len(own)} events")

for name, runs in WORKLOADS.items():
    for run in runs:
        compare(run, 2)
    coverage(name, runs, 0.98)
for name, runs in TASKS.items():
    for run in runs:
        compare(run, 6)
    coverage(name, runs, 0.75)
END_PYTHON
