#!/bin/bash
# Cortex-M: call sites at levels 0, 1 and 3 (buckets), the text report, a clock of 24 bits, tasks, and runs whose
# time is the simulating computer's; against what QEMU saw.
. "$(dirname "$0")/cortexm.sh"

# free NAME IMAGE SETTING...: as simulate, but an instruction takes what it takes
free() {
	local name=$1 image=$2
	shift 2
	sim/cortexm/run -f -o "$TMP/$name" "${image%%-*}" "$FW/$image.elf" "$@" >"$TMP/$name.log" 2>&1 ||
		{ echo "$name: $(cat "$TMP/$name.log")"; return 1; }
}

BOARDS="an385 $(long microbit)"
{
	for board in $BOARDS; do
		echo "simulate $board-0 $board-level0-Os run=net,pointer,tail breathe=0"
		echo "simulate $board-1 $board-level1-Os run=net,pointer,tail breathe=0"
		echo "simulate $board-3 $board-level3-Os run=net,mutual breathe=0 report=1"
		echo "simulate $board-storm-3 $board-level3-Os run=storm breathe=0"
		echo "simulate $board-tasks-3 $board-level3-Os run=tasks breathe=0"
		echo "simulate $board-systick $board-systick-Os run=net,wsn rounds=8 breathe=0"
		for n in 1 2; do
			echo "free $board-free$n $board-level3-Os run=net,mutual,storm baud=460800 finish=500"
		done
	done
} | in_pairs eval

python3 tests/sim/cortexm_levels.py "$TMP" $BOARDS
