#!/bin/bash
# The AVR's clocks that are not the runtime's own 16-bit timer: an 8-bit timer while the application has
# timer 1, and timer 1 of the application's, which is only read. Its registers, durations of all lengths,
# handlers; rounds that nobody read.
. "$(dirname "$0")/lib.sh"

# build NAME SETTINGS: NAME.elf, run
build() {
	local name=$1 hooks=(-finstrument-functions)
	shift
	# Of every call site on the larger chip gcc says that it is told 16 of its bits.
	[ $CHIP != atmega2560 ] || hooks+=(-w)
	avr-gcc -mmcu=$CHIP -DF_CPU=8000000UL -std=c99 -Os -ggdb -gdwarf-2 -Wall -Wextra -Werror -Wno-main \
		-fno-inline -fno-optimize-sibling-calls -Itests/sim/hooks -Itarget-common -Itarget-avr \
		-ffunction-sections -fdata-sections -Wl,--gc-sections "${hooks[@]}" \
		-finstrument-functions-exclude-file-list=avr/include -DWSNPROF_SITES=16 -DWSNPROF_STACK=12 "$@" \
		-o "$TMP/$name.elf" tests/sim/hooks/clocks.c tests/sim/hooks/common.c \
		target-avr/all/wsnprof_all.c target-avr/all/wsnprof_hooks_all.S
	simulate $name
}

CHIP=atmega328p
for late in "" -DLATE; do
	build two$late -DWSNPROF_TIMER=2 $late
	build zero$late -DWSNPROF_TIMER=0 $late
	build two_slow$late -DWSNPROF_TIMER=2 -DWSNPROF_PRESCALE=8 $late
	build flag$late -DWSNPROF_TIMER_READ=1 $late
	build flag_slow$late -DWSNPROF_TIMER_READ=1 -DWSNPROF_PRESCALE=8 $late
	build tick$late -DWSNPROF_TIMER_READ=2 $late
	build tick_slow$late -DWSNPROF_TIMER_READ=2 -DWSNPROF_PRESCALE=8 $late
done
CHIP=atmega2560
build wide_two -DWSNPROF_TIMER=2
build wide_tick -DWSNPROF_TIMER_READ=2
python3 tests/sim/clocks.py "$TMP"
