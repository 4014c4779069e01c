#!/bin/bash
# Cortex-M: the cost of profiling as the host tells it, against what the program takes longer than the plain one in QEMU
# (arcs; in `full` the table is too small); after the stop and before.
. "$(dirname "$0")/cortexm.sh"

BOARDS="an385 $(long microbit)"
{
	for board in $BOARDS; do
		case $board in microbit) rounds=50 ;; *) rounds=100 ;; esac
		echo "$board-timed $board-timed-Os run=net rounds=$rounds baud=115200"
		echo "$board-plain-net $board-plain-Os run=net rounds=$rounds baud=115200"
	done
	for variant in plain calls full; do
		echo "an385-$variant an385-$variant-Os run=wsn rounds=48 baud=115200"
		long_only echo "microbit-$variant microbit-$variant-Os run=wsn rounds=36 baud=115200"
	done
	for board in $BOARDS; do
		echo "$board-storm $board-timed-Os run=storm breathe=0 baud=115200"
		echo "$board-storm-plain $board-plain-Os run=storm breathe=0 baud=115200"
	done
} | in_pairs simulate

python3 tests/sim/cortexm_cost.py "$WSNTOP" "$FW" "$TMP" $BOARDS
