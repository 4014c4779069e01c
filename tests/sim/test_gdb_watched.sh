#!/bin/bash
# -w by QEMU's gdb server: each value that a firmware gives to its variables, of all kinds, each mark, call and interrupt,
# none missed.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }
SRC=tests/sim/watched
variables="byte wide word longer real mode pair.low pair.high values_set:times row[2] ticks"
watches=()
for w in $variables call:values_set irq mark; do
	watches+=(-w "$w")
done
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -nostdlib -T $SRC/watched.ld -Wl,-e,reset_handler -g -gdwarf-4 -Itarget-common \
	-o "$TMP/arm.elf" $SRC/watched.c -lgcc

until_over() {	# the server says nothing any more: the program is over
	local size=0 before=-1
	for _ in $(seq 60); do
		sleep 3
		size=$(stat -c %s "$TMP/rec")
		[ "$size" != "$before" ] || break
		before=$size
	done
	kill -TERM "$top"
	wait "$top" || true
}

# --- QEMU ---
for _ in 1 2 3 4 5; do
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=10 -kernel "$TMP/arm.elf" -S \
		-gdb "tcp:127.0.0.1:$port" </dev/null >"$TMP/server" 2>&1 &
	node_pid=$!
	for _ in $(seq 100); do
		! grep -q " 0100007F:$(printf %04X "$port") .* 0A " /proc/net/tcp || break 2
		[ -e "/proc/$node_pid" ] || break
		sleep 0.1
	done
done
"$WSNTOP" -B -p "gdb:localhost:$port?watch=1" -e "$TMP/arm.elf" "${watches[@]}" -x "trace:$TMP/arm.txt" -r "$TMP/rec" \
	>/dev/null 2>"$TMP/said" &
top=$!
until_over
kill "$node_pid"
python3 tests/sim/gdb_watched.py "$TMP/arm.txt" arm $variables || { cat "$TMP/said"; fail "QEMU"; }
echo ok
