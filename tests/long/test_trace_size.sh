#!/bin/bash
# `make bench-trace-size` in brief: it runs, and its figures of a million calls stay where they are: bytes of the line
# and of memory, instructions of the host a call.
. "$(dirname "$0")/../sim/lib.sh"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
make -s O="$O" "$O/bench/bench_trace" || exit 1
for needed in sim/avrnode sim/firmware/traced.elf sim/traced/atmega1284p/steady-Os.elf; do
	[ -e "$O/$needed" ] || { echo "skipped: there is no $needed"; exit 77; }
done

O=$O bench/trace-size --brief >"$TMP/figures" 2>&1 || { cat "$TMP/figures"; echo "FAILED: status $?"; exit 1; }
cat "$TMP/figures"
most() {	# NAME MOST
	awk -v name="$1" -v most="$2" 'index($0, name) == 1 { found = 1; ok = substr($0, 45) + 0 <= most }
		END { exit !(found && ok) }' "$TMP/figures" || { echo "FAILED: $1: more than $2"; exit 1; }
}
most "demo, 1 M calls: line" 220000
most "demo, 1 M calls: memory, a" 2600000
most "demo: a call of the first million" 960
most "net, 1 M calls: line" 110000
most "net, 1 M calls: memory, a" 2600000
most "net: a call of the first million" 650
