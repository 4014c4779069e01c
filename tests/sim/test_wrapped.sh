#!/bin/bash
# The runtime calls nothing of the library, at no level of optimization: an application may have memcpy and its like
# wrapped to see them in the profile, and the profiler would profile itself. Once with everything that can be
# configured, once as it comes.
. "$(dirname "$0")/lib.sh"

mkdir "$TMP/all" "$TMP/default"
cat >"$TMP/default/wsnprof_config.h" <<'END'
#ifdef __arm__
#define WSNPROF_CLOCK_HZ 25000000
#define WSNPROF_CLOCK_ADDRESS 0x40001004
#elif defined(__AVR_ATmega328P__)
#define WSNPROF_SITES 32		/* 128 have no room there */
#endif
END
cat >"$TMP/all/wsnprof_config.h" <<'END'
#define WSNPROF_RECEIVE 1
#define WSNPROF_TEXT 1
#define WSNPROF_LEVEL 3
#define WSNPROF_TASKS 1
#define WSNPROF_STACK 12
#ifdef __arm__
#define WSNPROF_FRAME 96
#define WSNPROF_RING 255
#define WSNPROF_SITES 64
#define WSNPROF_ARCS 64
#define WSNPROF_PCS 64
#define WSNPROF_CLOCK_HZ 25000000
#define WSNPROF_CLOCK_ADDRESS 0x40001004
#elif defined(__AVR_ATmega328P__)
#define WSNPROF_SITES 32
#endif
END

check() {	# COMPILER-PREFIX FOLDER FLAGS...
	local prefix=$1 folder=$2 config level
	shift 2
	for config in all default; do
		for level in O0 Os O3 $(long O1 O2); do
			"$prefix-gcc" "$@" -std=c99 -$level -I"$TMP/$config" -Itarget-common -I"$folder" -r -nostdlib -o "$TMP/x.o" \
				"$folder"/all/*
			"$prefix-nm" -u "$TMP/x.o" | awk -v what="$* -$level ($config)" '
				$2 !~ /^_|^wsnprof_|^etext$|^\.sizeof\.\.data$/ { print "FAILED: " what " calls " $2 }'
		done
	done >"$TMP/calls"
	cat "$TMP/calls"
	[ ! -s "$TMP/calls" ] || exit 1
	echo "ok: $*: no calls of the library"
}

check avr target-avr -mmcu=atmega1284p -DF_CPU=8000000UL
long_only check avr target-avr -mmcu=atmega328p -DF_CPU=8000000UL
if command -v arm-none-eabi-gcc >/dev/null; then
	check arm-none-eabi target-cortexm -mcpu=cortex-m0 -mthumb
	long_only check arm-none-eabi target-cortexm -mcpu=cortex-m4 -mthumb
fi
