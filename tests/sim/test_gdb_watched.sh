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

until_over() {	# nothing that is watched happens any more: the program is over
	local size=0 before=-1
	for _ in $(seq 60); do
		sleep 3
		size=$(grep -ao '[$]=e ' "$TMP/rec" | wc -l)
		[ "$size" != "$before" ] || break
		before=$size
	done
	kill -TERM "$top"
	wait "$top" || true
}

# --- QEMU ---
serve() {	# an ELF
	local i
	rm -f "$TMP/rec"
	for _ in 1 2 3 4 5; do
		port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
		qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=10 -kernel "$1" -S \
			-gdb "tcp:127.0.0.1:$port" </dev/null >"$TMP/server" 2>&1 &
		node_pid=$!
		for i in $(seq 100); do
			! grep -q " 0100007F:$(printf %04X "$port") .* 0A " /proc/net/tcp || return 0
			[ -e "/proc/$node_pid" ] || break
			sleep 0.1
		done
	done
	cat "$TMP/server"
	fail "QEMU does not serve"
}
serve "$TMP/arm.elf"
"$WSNTOP" -B -p "gdb:localhost:$port?watch=1" -e "$TMP/arm.elf" "${watches[@]}" -x "trace:$TMP/arm.txt" -r "$TMP/rec" \
	>/dev/null 2>"$TMP/said" &
top=$!
until_over
kill "$node_pid"
python3 tests/sim/gdb_watched.py "$TMP/arm.txt" arm $variables || { cat "$TMP/said"; fail "QEMU"; }

# --- handlers by their numbers, system exceptions among them ---
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -nostdlib -T $SRC/watched.ld -Wl,-e,reset_handler -Wall -Wextra -Werror \
	-o "$TMP/handlers.elf" $SRC/handlers.c || fail "handlers.c"
serve "$TMP/handlers.elf"
"$WSNTOP" -B -p "gdb:localhost:$port?watch=1" -e "$TMP/handlers.elf" -w irq:15 -w irq:14 -w irq:21 -w irq:3 -w irq:7 -w mark \
	-x "log-csv:$TMP/h.csv" -x "log-json:$TMP/h.json" -x "vcd:$TMP/h.vcd" -x "log:$TMP/h.txt" -r "$TMP/rec" \
	>/dev/null 2>"$TMP/said" &
top=$!
until_over
kill "$node_pid"
python3 tests/sim/handlers.py "$TMP/h.csv" "$TMP/h.json" "$TMP/h.vcd" "$TMP/h.txt" 0 || { cat "$TMP/said"; fail "handlers"; }
grep -q 'irq:7 is not watched: the ELF.s vector table has no handler of that number.*mark is not watched: no mark is in the ELF' \
	"$TMP/said" || { cat "$TMP/said"; fail "what the ELF lacks"; }
echo ok
