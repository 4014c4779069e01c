#!/bin/bash
# Cortex-M: the host's commands over the line, to nodes in real time.
. "$(dirname "$0")/cortexm.sh"

for board in an385 microbit; do
	mkfifo "$TMP/$board.in" "$TMP/$board.out"
	sim/cortexm/run -l -s "pipe:$TMP/$board" "$board" "$FW/$board-arcs-Os.elf" \
		forever=1 run=wsn,net baud=115200 >"$TMP/$board.log" 2>&1 &
	node=$!
	status=0
	python3 tests/sim/cortexm_command.py "$TMP/$board" || status=$?
	kill "$node" && wait "$node" || true
	[ "$status" = 0 ] || exit "$status"
done
