#!/bin/bash
# Cortex-M: the cost of profiling as the host tells it, against what the program takes longer than the plain one in QEMU
# (arcs; in `full` the table is too small); after the stop and before.
. "$(dirname "$0")/cortexm.sh"

{
	echo "an385-timed an385-timed-Os run=net rounds=100 baud=115200"
	echo "microbit-timed microbit-timed-Os run=net rounds=50 baud=115200"
	echo "an385-plain-net an385-plain-Os run=net rounds=100 baud=115200"
	echo "microbit-plain-net microbit-plain-Os run=net rounds=50 baud=115200"
	for variant in plain calls full; do
		echo "an385-$variant an385-$variant-Os run=wsn rounds=48 baud=115200"
		echo "microbit-$variant microbit-$variant-Os run=wsn rounds=36 baud=115200"
	done
	for board in an385 microbit; do
		echo "$board-storm $board-timed-Os run=storm breathe=0 baud=115200"
		echo "$board-storm-plain $board-plain-Os run=storm breathe=0 baud=115200"
	done
} | in_pairs simulate

python3 tests/sim/cortexm_cost.py "$WSNTOP" "$FW" "$TMP"
