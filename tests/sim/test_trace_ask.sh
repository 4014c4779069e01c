#!/bin/bash
# What refers to calls that a lost frame told is unknown until the node clears its table: where it listens, wsntop asks
# for that.
. "$(dirname "$0")/lib.sh"

# unknown NAME [deaf]: references that stayed unknown, of 10 s over a line that loses 3 % of the frames
unknown() {
	"$NODE" --seconds=10 --link="$TMP/$1.node" "$FW/traced.elf" >/dev/null & node_pid=$!
	until [ -e "$TMP/$1.node" ]; do sleep 0.05; done
	python3 tests/sim/lossy.py "$TMP/$1.node" "$TMP/$1.line" 3 "${@:2}" >"$TMP/$1.frames" &
	until [ -e "$TMP/$1.line" ]; do sleep 0.05; done
	sim/watchdog "$WSNTOP" -B -p "$TMP/$1.line" -e "$FW/traced.elf" -x "trace:$TMP/$1.text" >/dev/null 2>&1 &
	wait $node_pid
	sleep 1
	kill -INT $! 2>/dev/null || true
	wait
	grep -c ' unknown ' "$TMP/$1.text" || true
}
asked=$(unknown asked)
deaf=$(unknown deaf deaf)
says="asked $asked references unknown, deaf $deaf; frames and lost ones $(cat "$TMP/asked.frames"), $(cat "$TMP/deaf.frames")"
[ "$deaf" -gt 200 ] && [ "$asked" -lt $((deaf / 3)) ] || { echo "FAILED: $says"; exit 1; }
echo "ok: $says"
