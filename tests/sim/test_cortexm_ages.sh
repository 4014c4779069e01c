#!/bin/bash
# Cortex-M: rows that come one after the other, over lines of which one has no time for all of them and one has just
# enough: self times while it runs are those after the stop.
. "$(dirname "$0")/cortexm.sh"

# Of a shorter run a later part: as many refreshes.
UNTOLD=-u rounds=$(long 400) parts=$(long 50 60 70 80)
{
	long_only echo "slow an385-timed-Os run=net rounds=400 baud=2400"
	echo "full an385-timed-Os run=net rounds=${rounds:-300} baud=9600"
} | in_pairs simulate

python3 tests/sim/cortexm_ages.py "$WSNTOP" "$FW/an385-timed-Os.elf" "$TMP" "${parts:-70 80}" full $(long slow)
