#!/bin/bash
# Times as wsntop prints them with the ELF, held against the plain program's: functions of many
# shapes (tests/sim/hooks/around.c), built in many ways, are right to 10 cycles or 2 %; and the
# spread that wsntop states covers 95 calls of 100 of the workloads, and those made within each.
. "$(dirname "$0")/lib.sh"

# build NAME CHIP [FLAGS]: NAME.elf, and NAME-plain.elf without hooks
build() {
	local name=$1 chip=$2 hooks=(-finstrument-functions)
	shift 2
	[ $chip != atmega2560 ] || hooks+=(-w)
	for kind in "" -plain; do
		[ -z "$kind" ] || hooks=()
		avr-gcc -mmcu=$chip -DF_CPU=8000000UL -std=c99 -ggdb -gdwarf-2 -Wall -Wextra -Werror -Wno-main \
			-DWSNPROF_SITES=128 -fno-inline -fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp \
			-fno-ipa-sra -fno-ipa-ra -Itests/sim/hooks -Itarget-common -Itarget-avr "$@" "${hooks[@]}" \
			-o "$TMP/$name$kind.elf" tests/sim/hooks/around.c tests/sim/hooks/common.c tests/sim/hooks/main.c \
			target-avr/all/wsnprof_all.c target-avr/all/wsnprof_hooks_all.S
	done
}

# try NAME CHIP [FLAGS]: built, run both ways, and what wsntop prints of it
try() {
	local name=$1 chip=$2
	build "$@"
	for kind in "" -plain; do
		like=()
		[ -z "$kind" ] || like=(--like="$TMP/$name.elf")
		sim/watchdog "$NODE" --mcu=$chip --fast --seconds=60 --uart="$TMP/$name$kind.bin" \
			--truth="$TMP/$name$kind.truth" "${like[@]}" "$TMP/$name$kind.elf" >"$TMP/$name$kind.end" || true
		ended $name$kind
	done
	"$WSNTOP" -B -p "file:$TMP/$name.bin" -e "$TMP/$name.elf" -x "json:$TMP/$name.json" >"$TMP/$name.out"
	tried+=($name)
}

tried=()
try Os atmega1284p -Os
try O2 atmega1284p -O2
try O1 atmega1284p -O1
try O0 atmega1284p -O0
try prologues atmega1284p -Os -mcall-prologues
# Without the jumps that the linker makes of a call and a return: the plain program alone has them.
try relax atmega1284p -Os -mrelax -Wl,--no-call-ret-replacement
try wide atmega2560 -Os
try read atmega1284p -Os -DWSNPROF_TIMER_READ=1
try eight atmega1284p -Os -DWSNPROF_TIMER=2
try stack atmega1284p -Os -DWSNPROF_STACK=64
for level in O0 Os $(long O2); do
	suite=atmega1284p.suite-$level
	run atmega1284p suite-$level
	run atmega1284p suite-$level-plain --like="$WORK/atmega1284p/suite-$level.elf"
	ended $suite $suite-plain
	ln -s "$(realpath "$WORK/atmega1284p/suite-$level.elf")" "$TMP/$suite.elf"
	ln -s "$(realpath "$WORK/atmega1284p/suite-$level-plain.elf")" "$TMP/$suite-plain.elf"
	"$WSNTOP" -B -p "file:$TMP/$suite.bin" -e "$TMP/$suite.elf" -x "json:$TMP/$suite.json" >"$TMP/$suite.out" 2>&1
done
python3 tests/sim/calib.py "$TMP" "${tried[@]}"
