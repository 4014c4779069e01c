#!/bin/bash
# -w with simavr: and qemu:: each value that a firmware gives to its variables, none missed and none torn, each mark,
# call and interrupt, at its cycle or instruction; ranges and registers, read and written; what is added and removed
# while it runs; the same in the exports.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }
SRC=tests/sim/watched
variables="byte wide word longer real mode pair.low pair.high values_set:times row[2] stamp"
watches=()
for w in $variables call:values_set irq mark; do
	watches+=(-w "$w")
done

built() {	# name, compiler and its options; SET: more of them
	local elf=$TMP/$1.elf
	shift
	"$@" -g -gdwarf-4 -Wall -Wextra -Werror -Itarget-common $SET -o "$elf" $SRC/watched.c -lgcc || fail "$*"
}
SET=
for level in O0 Os O2; do
	built "avr-$level" avr-gcc -mmcu=atmega1284p -DF_CPU=1000000UL -std=gnu99 -$level
	built "arm-$level" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -$level -nostdlib -T $SRC/watched.ld -Wl,-e,reset_handler
	case $level in
	O0) trace= ;;
	*) trace="&trace=0" ;;		# no calls but those that are watched
	esac
	"$WSNTOP" -B -p "simavr:atmega1284p@1M?pace=max&for=5$trace" -e "$TMP/avr-$level.elf" "${watches[@]}" \
		-x "trace:$TMP/avr.txt" >/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "avr $level"; }
	python3 tests/sim/watched.py "$TMP/avr.txt" 1 avr $variables || fail "avr $level"
	"$WSNTOP" -B -p "qemu:mps2-an385@1M?pace=max&for=0.5$trace" -e "$TMP/arm-$level.elf" "${watches[@]}" \
		-x "trace:$TMP/arm.txt" >/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "arm $level"; }
	python3 tests/sim/watched.py "$TMP/arm.txt" 1.024 arm $variables || fail "arm $level"
done

# --- handlers by their numbers: in the log's forms, each with its number, name and duration; others are not in it ---
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -nostdlib -T $SRC/watched.ld -Wl,-e,reset_handler -Wall -Wextra -Werror \
	-DFAULT_LOOPS -o "$TMP/handlers.elf" $SRC/handlers.c || fail "handlers.c"
for options in "" "&trace=0"; do
	"$WSNTOP" -B -p "qemu:mps2-an385@1M?pace=max&for=0.1$options" -e "$TMP/handlers.elf" -w irq:15 -w irq:14 -w irq:21 -w irq:3 \
		-x "log-csv:$TMP/h.csv" -x "log-json:$TMP/h.json" -x "vcd:$TMP/h.vcd" -x "log:$TMP/h.txt" >/dev/null || fail "handlers"
	python3 tests/sim/handlers.py "$TMP/h.csv" "$TMP/h.json" "$TMP/h.vcd" "$TMP/h.txt" 976562.5 || fail "handlers, $options"
done
"$WSNTOP" -B -p "simavr:atmega1284p@1M?pace=max&for=5" -e "$TMP/avr-Os.elf" -w irq:18 -w irq:13 -w ticks -x "log-csv:$TMP/h.csv" \
	>/dev/null || fail "an AVR's handler"
python3 - "$TMP/h.csv" <<'END' || fail "an AVR's handler"
import csv
import sys

rows = list(csv.DictReader(open(sys.argv[1], newline="")))
irqs = [r for r in rows if r["what"] == "irq"]
values = [r for r in rows if r["what"] == "value" and r["within"]]
assert len(irqs) == len(values) > 5, (len(irqs), len(values))
assert {(r["number"], r["name"], r["exception"]) for r in irqs} == {("18", "__vector_18", "")}, irqs[0]
assert {r["within"] for r in values} == {"__vector_18"}
assert all(20e-6 < float(r["took_s"]) < 60e-6 for r in irqs), irqs[0]
END

# --- memory by its address: a register's accesses of each kind, a range's by their addresses ---
"$WSNTOP" -B -p "simavr:atmega1284p@1M?pace=max&for=5" -e "$TMP/avr-Os.elf" -w reg:0x84/2:r -w reg:0x81/1 -w reg:0x81/1:r \
	-w mem:0x44+3:rw -x "trace:$TMP/memory.txt" >/dev/null || fail "registers"
told() { grep -c " value .* $1 = $2\$" "$TMP/memory.txt" || true; }
[ "$(told reg:0x84/2:r '[0-9]*')" = 200 ] || fail "TCNT1 is read 200 times"
[ "$(told reg:0x81/1 1)" = 1 ] && [ "$(told reg:0x81/1 '[0-9]*')" = 2 ] || fail "TCCR1B is set once"
[ "$(told reg:0x81/1:r '[0-9]*')" = 0 ] || fail "TCCR1B is never read"
[ "$(told mem:0x44+3:rw 69)" = 1 ] && [ "$(told mem:0x44+3:rw '[0-9]*')" = 1 ] || fail "TCCR0B is set once"
"$WSNTOP" -B -p "qemu:mps2-an385@1M?pace=max&for=0.5" -e "$TMP/arm-Os.elf" -w mem:0xe000e010+8:rw -w reg:0xe000e010/4 \
	-x "trace:$TMP/memory.txt" >/dev/null || fail "registers of a Cortex-M"
[ "$(told mem:0xe000e010+8:rw $((0xe000e010)))" = 2 ] && [ "$(told mem:0xe000e010+8:rw $((0xe000e014)))" = 1 ] ||
	fail "SysTick is set and stopped"
[ "$(told reg:0xe000e010/4 '[0-9]*')" = 0 ] || fail "a device's value cannot be told"

# --- in the exports ---
"$WSNTOP" -B -p "simavr:atmega1284p@1M?pace=max&for=5" -e "$TMP/avr-Os.elf" -w real -w mark -w mode -x "perfetto:$TMP/p.json" \
	-x "ctf:$TMP/ctf" >/dev/null || fail "exports"
python3 - "$TMP/p.json" <<'END' || fail "perfetto"
import json
import sys

events = json.load(open(sys.argv[1]))
events = events["traceEvents"] if isinstance(events, dict) else events
real = [e["args"]["value"] for e in events if e["ph"] == "C" and e["name"] == "real"]
assert len(real) == 202 and any(v != int(v) for v in real), real
assert sum(e["name"] == "mark 3" for e in events) == 200
END
if command -v babeltrace2 >/dev/null; then
	babeltrace2 "$TMP/ctf" >"$TMP/ctf.txt" || fail "ctf"
	[ "$(grep -c ' real: .*value = ' "$TMP/ctf.txt")" = 202 ] || fail "reals in ctf"
fi

# --- the same line in a program with the runtime's call trace: seen by the simulator, and sent by the node ---
avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Wextra -Werror -ggdb -DWSNPROF_TRACE=1 -DWSNPROF_IDENTITY=0 \
	-DWSNPROF_BAUD=250000UL -Itests/sim/hooks -Itarget-common -Itarget-avr -o "$TMP/marked.elf" $SRC/marked.c target-avr/all/* ||
	fail "marked.c"
marks() { sed -n 's/.* mark  *[0-9]*  mark //p' "$1" | tr '\n' ' '; }
"$WSNTOP" -B -p "simavr:atmega1284p@8M?pace=max&for=5" -e "$TMP/marked.elf" -w mark -x "trace:$TMP/seen.txt" >/dev/null || fail "seen"
"$WSNTOP" -B -p "simavr:atmega1284p@8M?pace=max&for=5&uart=wsn" -e "$TMP/marked.elf" -x "trace:$TMP/sent.txt" >/dev/null || fail "sent"
[ "$(marks "$TMP/seen.txt")" = "$(printf '5 6 %.0s' $(seq 20))" ] || fail "marks seen: $(marks "$TMP/seen.txt")"
# What it has not sent when it ends is missing.
sent=$(marks "$TMP/sent.txt")
[ "${#sent}" -ge 60 ] && [ "$sent" = "$(printf '5 6 %.0s' $(seq $((${#sent} / 4))))" ] || fail "marks sent: $sent"

# --- added and removed while it runs ---
SET=-DROUNDS=4000000000u
built avr-long avr-gcc -mmcu=atmega1284p -DF_CPU=1000000UL -std=gnu99 -Os
built arm-long arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -nostdlib -T $SRC/watched.ld -Wl,-e,reset_handler
address() { "$1"nm "$2" | awk -v name="$3" '$3 == name { print "0x" $1 }'; }
python3 tests/sim/watched_live.py $(($(address avr- "$TMP/avr-long.elf" wide) - 0x800000)) 2 \
	"$O/wsntop-simavr" -m atmega1284p -f 1000000 -p 0 "$TMP/avr-long.elf" || fail "simavr, while it runs"
python3 tests/sim/watched_live.py "$(address arm-none-eabi- "$TMP/arm-long.elf" wide)" 2 \
	"$O/wsntop-qemu" -m mps2-an385 -f 1000000 -p 0 "$TMP/arm-long.elf" || fail "qemu, while it runs"
echo ok
