#!/bin/bash
# Cortex-M: WSNPROF_RAW, the gprof thesis' stream, through wsntop: it shows every packet sent.
. "$(dirname "$0")/cortexm.sh"

{
	for board in an385 microbit; do
		echo "$board-fast $board-raw-Os run=net,wsn raw=1 breathe=0 baud=8000000"
		echo "$board-slow $board-raw-Os run=net,wsn raw=1 breathe=0 baud=115200"
	done
} | in_pairs simulate

for board in an385 microbit; do
	for name in "$board-fast" "$board-slow"; do
		"$WSNTOP" -B -p "file:$TMP/$name.uart" -f gprof -e "$FW/$board-raw-Os.elf" \
			-x "json:$TMP/$name.json" >"$TMP/$name.out" || { cat "$TMP/$name.out"; exit 1; }
	done
done
python3 tests/sim/cortexm_raw.py "$TMP"
