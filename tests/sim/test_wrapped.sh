#!/bin/bash
# The portable half calls nothing of the library, at no level of optimization: an application may have memcpy and
# its like wrapped to see them in the profile, and the profiler would profile itself.
. "$(dirname "$0")/lib.sh"

cat >"$TMP/wsnprof_config.h" <<'END'
#define WSNPROF_RECEIVE 1
#define WSNPROF_TEXT 1
#ifdef __arm__
#define WSNPROF_ARCS 64
#define WSNPROF_PCS 64
#define WSNPROF_CLOCK_HZ 25000000
#define WSNPROF_CLOCK_ADDRESS 0x40001004
#endif
END

check() {	# COMPILER-PREFIX FOLDER FLAGS...
	local prefix=$1 folder=$2 level file calls
	shift 2
	for level in O0 O1 Os O2 O3; do
		for file in target-common/*.c; do
			"$prefix-gcc" "$@" -std=c99 -$level -I"$TMP" -Itarget-common -I"$folder" -c -o "$TMP/x.o" "$file"
			calls=$("$prefix-nm" -u "$TMP/x.o" | awk '$2 !~ /^_|^wsnprof_/ { print $2 }')
			[ -z "$calls" ] || { echo "FAILED: $* -$level $file calls $calls"; exit 1; }
		done
	done
	echo "ok: $*: no calls of the library"
}

check avr target-avr -mmcu=atmega1284p -DF_CPU=8000000UL
check avr target-avr -mmcu=atmega328p -DF_CPU=8000000UL
if command -v arm-none-eabi-gcc >/dev/null; then
	check arm-none-eabi target-cortexm -mcpu=cortex-m0 -mthumb
	check arm-none-eabi target-cortexm -mcpu=cortex-m4 -mthumb
fi
