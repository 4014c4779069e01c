#!/bin/bash
# The table of AVR's cycles, by which calls are estimated from PC samples, against simavr's own: of every instruction
# that runs, at each level of optimisation, with a PC of 16 bits and of 22.
. "$(dirname "$0")/lib.sh"
CYCLES=${O:-build}/tests/tools/avr_cycles
[ -x "$CYCLES" ] || CYCLES=build/tests/tools/avr_cycles
fail() { echo "FAILED: $*"; exit 1; }

for image in atmega1284p/suite-O{0,s} $(long atmega1284p/suite-O{1,2,3} atmega2560/suite-O3) atmega1284p/slow-Os atmega328p/small-Os atmega2560/suite-Os atmega2560/high-Os; do
	"$CYCLES" "${image%%/*}" 20000000 "$WORK/$image.elf" >"$TMP/said" 2>"$TMP/wrong" ||
		{ cat "$TMP/wrong" "$TMP/said"; fail "$image"; }
	awk -v image="$image" '{ print image ": " $0; gsub(",", " "); exit !($2 > 2000 && $4 > 0.9 * $2 && $8 == 0) }' "$TMP/said" || fail "$image"
done
# It can fail: of a chip with a longer PC the table is another.
! "$CYCLES" atmega2560 1000000 "$WORK/atmega1284p/suite-Os.elf" >/dev/null 2>&1 || fail "another chip's cycles are the same"
echo ok
