#!/bin/bash
# The workloads on four chips, at every level of optimization: calls as the simulator saw them, site by
# site; durations within the stated error; the program's results untouched.
. "$(dirname "$0")/lib.sh"

runs=()
for level in O0 Os $(long O1 O2 O3); do
	for fw in atmega1284p/suite atmega2560/suite atmega128rfa1/suite atmega328p/small; do
		run ${fw%/*} ${fw#*/}-$level
		run ${fw%/*} ${fw#*/}-$level-plain --like="$WORK/$fw-$level.elf"
		runs+=("${fw%/*}.${fw#*/}-$level")
	done
done
for fw in atmega328p/calls-Os atmega328p/rest-Os atmega1284p/high17-Os atmega2560/high-Os atmega2560/across-O2; do
	run ${fw%/*} ${fw#*/}
	runs+=("${fw/\//.}")
done
ended "${runs[@]}"

python3 - "$TMP" "$WORK" "${runs[@]}" <<'END'
import re
import sys
from truth import *
from wsn import Node

tmp, work, *runs = sys.argv[1:]
sums = {}

def load(run):
    chip, name = run.split(".")
    elf = f"{work}/{chip}/{name}.elf"
    node = Node(open(f"{tmp}/{run}.bin", "rb").read())
    truth = Truth(f"{tmp}/{run}.truth")
    wide = node.hello.arch == 2
    rows = rows_of_node(node, Flash(elf) if wide else None)
    return node, truth, rows, narrow(truth.sites, 17) if wide else truth.sites, elf

for run in runs:
    node, truth, rows, sites, elf = load(run)
    check_calls(rows, sites, run)
    lost = {k: v for k, v in node.status.items()
            if k in ("stack_full", "table_full", "text", "carries") and v}
    check(not lost and not node.damaged and not node.lost_frames, f"{run}: nothing lost {lost or ''}")
    check(node.status["cut"] == truth.cut(), f"{run}: {truth.cut()} calls cut off by longjmp")
    # What each workload computed: the same everywhere, or the profiler has changed the program.
    for name, value in re.findall(r"(\w+) ([0-9a-f]{8})\n", node.text.decode()):
        sums.setdefault((name, "small" if "328p" in run else "big"), set()).add(value)
    if not run.split("-")[0].endswith(("suite", "small")):
        continue
    plain = Truth(f"{tmp}/{run}-plain.truth")
    true = plain.by_place(elf.replace(".elf", "-plain.elf"))
    timed = by_place_of({k: r for k, r in rows.items() if r.calls}, truth, elf)
    check(set(timed) - set(true) == set(), f"{run}: the plain build makes the same calls")
    mean = error_per_hook(timed, true)
    # What HELLO states as the spread of one call; a call's duration has its own and that of all within.
    check(mean <= node.hello.spread, f"{run}: durations are {mean:.1f} cycles a call off those of the plain build")
    handlers = [(r, true[k]) for k, r in timed.items() if not k[0]]
    row, own = handlers[0]
    outside = own.total / own.calls - row.total / row.calls
    # What a handler saves and restores, before and behind its hooks.
    check(len(handlers) == 1 and 30 < outside < 200,
          f"{run}: the handler's own row: {row.calls} calls, {outside:.0f} cycles each outside its hooks")
    isr = node.status["isr_low"] + (node.status["isr_high"] << 32)
    said = row.total + row.calls * node.hello.skew
    check(abs(isr - said) < 2 * row.calls, f"{run}: {isr} ticks in handlers, as their rows say")

for (name, size), values in sums.items():
    check(len(values) == 1, f"{name} computes the same everywhere: {values}")
END
