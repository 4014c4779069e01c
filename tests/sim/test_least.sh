#!/bin/bash
# AVR: the least builds (WSNPROF_LEAST) profile right. What wsntop makes of their streams, held against
# the simulator's truth: calls with and without times, and the plain program's times.
. "$(dirname "$0")/lib.sh"

CHIP=atmega1284p
for level in 1 0; do
	for kind in "" -plain; do
		hooks=-finstrument-functions like=()
		[ -z "$kind" ] || { hooks=-fno-instrument-functions like=(--like="$TMP/level$level.elf"); }
		avr-gcc -mmcu=$CHIP -DF_CPU=8000000UL -std=c99 -Os -ggdb -gdwarf-2 -Wall -Wextra -Werror -Wno-main \
			-DWSNPROF_LEAST=1 -DWSNPROF_LEVEL=$level -DWSNPROF_SITES=128 -fno-inline \
			-fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp -fno-ipa-sra -fno-ipa-ra \
			-Itests/sim/hooks -Itarget-common -Itarget-avr $hooks -o "$TMP/level$level$kind.elf" \
			tests/sim/hooks/{around,common,main}.c target-avr/all/*
		simulate level$level$kind "${like[@]}"
	done
	export_json level$level "$TMP/level$level.elf"
done
python3 tests/sim/least.py "$TMP"
