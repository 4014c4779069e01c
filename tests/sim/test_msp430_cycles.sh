#!/bin/bash
# The table of MSP430's cycles, which is its manual's, against the counter of mspdebug's simulator: of each instruction in
# each mode, and of compiled code.
. "$(dirname "$0")/lib.sh"
STEPS=${O:-build}/tests/tools/steps
[ -x "$STEPS" ] || STEPS=build/tests/tools/steps
fail() { echo "FAILED: $*"; exit 1; }

cycles_judge() {	# file of tests/sim/gdb, steps, the least that must have run
	clang --target=msp430 -O1 -g -ffreestanding -Wno-unused-command-line-argument -c "tests/sim/gdb/$1" -o "$TMP/one.o"
	ld.lld -T tests/sim/gdb/msp430.ld -e start "$TMP/one.o" -o "$TMP/one.elf"
	"$STEPS" "$TMP/one.elf" >"$TMP/table" || fail "$1: no table"
	{
		echo "prog $TMP/one.elf"
		echo "simio add tracer clock"
		echo reset
		for _ in $(seq "$2"); do
			echo "step 1"
			echo "simio info clock"
		done
	} >"$TMP/commands"
	mspdebug -q sim "read $TMP/commands" >"$TMP/clock" 2>&1 </dev/null || { tail -n 3 "$TMP/clock"; fail "mspdebug"; }
	python3 tests/sim/msp430_cycles.py "$TMP/table" "$TMP/clock" "$3" || fail "$1"
}
cycles_judge modes.s 120 85
cycles_judge shares.c 3000 12
# It can fail: a table that is off by one.
sed -i 's/ 3 ret/ 4 ret/' "$TMP/table"
! python3 tests/sim/msp430_cycles.py "$TMP/table" "$TMP/clock" 12 >/dev/null || fail "another table is as good"
echo ok
