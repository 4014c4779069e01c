#!/bin/bash
# Cortex-M: the cost of profiling as the host tells it, against the instructions that the hooks took in QEMU; after the stop
# and before.
. "$(dirname "$0")/cortexm.sh"

{
	echo "an385-timed an385-timed-Os run=net rounds=100 baud=115200"
	echo "microbit-timed microbit-timed-Os run=net rounds=50 baud=115200"
} | in_pairs simulate

python3 tests/sim/cortexm_cost.py "$WSNTOP" "$FW" "$TMP"
