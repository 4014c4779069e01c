#!/bin/bash
# Cortex-M: the build that takes the least flash (WSNPROF_LEAST) counts arcs as QEMU saw them, also such as share a bucket,
# and says which firmware it is.
. "$(dirname "$0")/cortexm.sh"

{
	for board in an385 microbit; do
		echo "$board-wsn $board-least-Os run=wsn rounds=3 baud=115200"
		echo "$board-dispatch $board-least-Os run=dispatch,storm baud=115200"
		echo "$board-beyond $board-least-Os run=crc,net,sample,storm,wsn,dispatch,full,mutual baud=115200"
	done
} | in_pairs simulate

for board in an385 microbit; do
	python3 - "$TMP/$board" <<'END'
import sys
from cortexm import Run, check, check_same
from wsn import ARCS

for run in "wsn", "dispatch", "beyond":
    name = f"{sys.argv[1]}-{run}"
    r = Run(name)
    node, truth, name = r.node, r.truth, name.split("/")[-1]
    told = {(0 if a == node.hello.base else a, to): n for (a, to), n in node.counts(ARCS).items()}
    made = sum(truth.arcs.values())
    check(truth.strays == node.damaged == node.lost_frames == 0, f"{name}: {sum(node.frames.values())} frames, all whole")
    if run == "beyond":
        wrong = [k for k, n in told.items() if n != truth.arcs.get(k)]
        check(120 < len(told) <= 128 < len(truth.arcs) and not wrong, f"{name}: {len(truth.arcs)} arcs, those in the table right")
        check(sum(told.values()) + node.unknown(ARCS) == made, f"{name}: {node.unknown(ARCS)} of {made} calls lost, and said so")
    else:
        check_same(told, truth.arcs, f"{name}: arcs")
END
	for run in wsn dispatch; do
		"$WSNTOP" -B -p "file:$TMP/$board-$run.uart" -e "$FW/$board-least-Os.elf" -x "json:$TMP/$board-$run.json" \
			>"$TMP/out" || { cat "$TMP/out"; exit 1; }
		python3 tests/sim/cortexm_host.py "$TMP/$board-$run" arcs
	done
done
