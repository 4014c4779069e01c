#!/bin/bash
# The AVR's port: what the runtime's own interrupts, and polling, cost nobody; text that may
# not be lost.
. "$(dirname "$0")/lib.sh"

# build NAME CASE [SETTINGS]: NAME.elf
build() {
	local name=$1 case=$2 main=(tests/sim/hooks/{common,main}.c)
	shift 2
	case $case in
	bare) main=() ;;
	text | timer) main=(tests/sim/hooks/common.c) ;;
	esac
	avr-gcc -mmcu=$CHIP -DF_CPU=8000000UL -std=c99 -Os -ggdb -gdwarf-2 -Wall -Wextra $STRICT -Wno-main \
		-fno-inline -fno-optimize-sibling-calls -Itests/sim/hooks -Itarget-common -Itarget-avr \
		-ffunction-sections -fdata-sections -Wl,--gc-sections -finstrument-functions \
		-finstrument-functions-exclude-file-list=avr/include "$@" -o "$TMP/$name.elf" \
		tests/sim/hooks/$case.c "${main[@]}" target-avr/all/wsnprof_all.c target-avr/all/wsnprof_hooks_all.S
}

all=$TMP
for CHIP in atmega1284p $(long atmega2560); do
	TMP=$all/$CHIP
	mkdir "$TMP"
	echo "$CHIP:"
	# Of every call site on the larger chip gcc says that it is told 16 of its bits.
	STRICT=-Werror
	[ $CHIP != atmega2560 ] || STRICT=-w
	build own own && simulate own
	build held own -DHELD && simulate held
	build third own -DHELD -DWSNPROF_TIMER=3 && simulate third
	build timer timer && simulate timer
	build other own -DOTHER && simulate other
	build poll poll && simulate poll
	build text text && simulate text
	build bare bare -DWSNPROF_RING=0 && simulate bare
	build counts bare -DWSNPROF_RING=0 -DWSNPROF_LEVEL=0 && simulate counts
	python3 tests/sim/port.py "$TMP"
done
TMP=$all
