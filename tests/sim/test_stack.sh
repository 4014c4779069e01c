#!/bin/bash
# The stack that functions took in simavr: and qemu:, as measured: every frame is that of gcc -fstack-usage, a
# recursion its levels, alloca its bytes; the deepest point is where a painted stack has lost its paint, of tasks, too.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }
SRC=tests/sim/stack

measured() {	# name, chip, source, what stack.py has to know, compiler and its options
	local name=$1 chip=$2 source=$3 knows=$4
	shift 4
	"$@" -g -gdwarf-4 -fstack-usage -Wall -Wextra -Werror -c -o "$TMP/$name.o" $SRC/stack.c || fail "$*"
	"$@" $LINK -o "$TMP/$name.elf" "$TMP/$name.o" -lgcc || fail "$*: link"
	"$WSNTOP" -B -p "$source" -e "$TMP/$name.elf" -w lowest -w lowest_first -w lowest_second -w end_first -w end_second \
		-x "json:$TMP/$name.json" -x "trace:$TMP/$name.txt" >/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "$name"; }
	python3 tests/sim/stack.py "$chip" "$TMP/$name.json" "$TMP/$name.su" "$TMP/$name.txt" $knows || fail "$name"
}
avr="avr-gcc -DF_CPU=1000000UL -std=gnu99"
arm="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb"
for level in O0 Os O2; do
	LINK=
	simavr="simavr:atmega1284p@1M?pace=max&for=20"
	measured "avr-$level" avr "$simavr" "" $avr -mmcu=atmega1284p -$level -DROUNDS=0
	measured "avr-$level-irq" avr "$simavr" handlers $avr -mmcu=atmega1284p -$level -DROUNDS=3
	measured "avr-$level-tasks" avr "$simavr" tasks $avr -mmcu=atmega1284p -$level -DROUNDS=0 -DTASKS
	LINK="-nostdlib -T $SRC/stack.ld -Wl,-e,reset_handler"
	qemu="qemu:mps2-an385@1M?pace=max&for=1"
	measured "arm-$level" arm "$qemu" "" $arm -$level -DROUNDS=0
	measured "arm-$level-irq" arm "$qemu" handlers $arm -$level -DROUNDS=3
	[ $level = O0 ] || measured "arm-$level-tail" arm "$qemu" "handlers tail" $arm -$level -DROUNDS=3 -DTAIL
done

# --- in csv, sorted by it; a recording tells the same ---
"$WSNTOP" -B -p "$simavr" -e "$TMP/avr-Os.elf" -r "$TMP/rec" --sort=stack-use -x "csv:$TMP/live.csv" >/dev/null || fail "csv"
"$WSNTOP" -B -p "file:$TMP/rec" -f sim -e "$TMP/avr-Os.elf" --sort=stack-use -x "csv:$TMP/replay.csv" >/dev/null || fail "replay"
cmp "$TMP/live.csv" "$TMP/replay.csv" || fail "the recording differs"
python3 - "$TMP/live.csv" <<'END' || fail "csv's columns"
import csv
import sys

rows = list(csv.DictReader(open(sys.argv[1], newline="")))
used = [float(r["stack_use_bytes"]) for r in rows if r["stack_use_bytes"]]
assert used == sorted(used, reverse=True) and used[0] > 600, used
assert {"stack_max_bytes", "stack_frame_bytes"} <= set(rows[0])
END
echo ok
