#!/bin/bash
# Cortex-M: SysTick is the application's tick, and the profiler's clock; functions that make no call for many of its
# rounds, and calls while its interrupt waits; against what QEMU saw.
. "$(dirname "$0")/cortexm.sh"

{
	for board in an385 microbit; do
		echo "$board-rounds $board-rounds-Os run=rounds breathe=0"
		echo "$board-systick $board-systick-Os run=rounds breathe=0"
	done
	# 32 bits; 24 of them go round each 1.05 s.
	echo "microbit-whole microbit-timed-Os run=net,copy,mutual rounds=20 breathe=0"
	echo "microbit-clock24 microbit-clock24-Os run=net,copy,mutual rounds=20 breathe=0 bits=24"
} | in_pairs simulate

python3 tests/sim/cortexm_rounds.py "$TMP"
