#!/bin/bash
# Cortex-M: times as wsntop prints them with the ELF, held against the plain program's: functions of many shapes
# (tests/sim/hooks/around.c), built in many ways, are right to 10 instructions or 2 %.
. "$(dirname "$0")/cortexm.sh"

# try NAME BOARD CPU CHIP [FLAGS]: built with and without hooks, run both ways, and what wsntop prints of it
try() {
	local name=$1 board=$2 cpu=$3 chip=$4 hooks kind
	shift 4
	arm-none-eabi-gcc -mcpu=$cpu -mthumb -std=c99 -Os -ffunction-sections -fdata-sections -DWSNPROF_SITES=64 "$@" \
		-Isim/cortexm -Isim/cortexm/boards/$chip -Itests/sim/hooks -Itarget-common -Itarget-cortexm -mgeneral-regs-only \
		-r -nostdlib -o "$TMP/$name.runtime.o" tests/sim/hooks/cortexm.c sim/cortexm/{start,uart,semihosting}.c \
		sim/cortexm/boards/$chip/chip.c target-cortexm/all/wsnprof_all.c target-cortexm/all/wsnprof_hooks_all.S
	for kind in "" -plain; do
		hooks=-finstrument-functions
		[ -z "$kind" ] || hooks=
		# shellcheck disable=SC2086
		arm-none-eabi-gcc -mcpu=$cpu -mthumb -g -std=c99 -ffunction-sections -fdata-sections -Wall -Wextra -Werror \
			-DWSNPROF_SITES=64 -fno-inline -fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp -fno-ipa-sra \
			-fno-ipa-ra -fno-ipa-icf -Isim/cortexm -Isim/cortexm/boards/$chip -Itests/sim/hooks -Itarget-common \
			-Itarget-cortexm "$@" $hooks -c -o "$TMP/$name$kind.o" tests/sim/hooks/around.c
		arm-none-eabi-gcc -mcpu=$cpu -mthumb -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections \
			-Wl,--no-warn-rwx-segments -T "$FW/$board.ld" -o "$TMP/$name$kind.elf" "$TMP/$name$kind.o" "$TMP/$name.runtime.o"
		sim/cortexm/run -o "$TMP/$name$kind" $board "$TMP/$name$kind.elf" >"$TMP/$name.log" 2>&1 ||
			{ cat "$TMP/$name.log"; exit 1; }
	done
	"$WSNTOP" -B -p "file:$TMP/$name.uart" -f wsn -e "$TMP/$name.elf" -x "json:$TMP/$name.json" >"$TMP/$name.out" ||
		{ cat "$TMP/$name.out"; exit 1; }
}

{
	for opt in O0 Os $(long O1 O2 O3); do
		echo "m3-$opt an385 cortex-m3 mps2 -$opt"
	done
	for opt in Os $(long O0 O1 O2 O3); do
		echo "m0-$opt microbit cortex-m0 microbit -$opt"
	done
	long_only echo "m4-O2 an386 cortex-m4 mps2 -O2"
	long_only echo "m7-O2 an500 cortex-m7 mps2 -O2"
	long_only echo "m33-Os an505 cortex-m33 an505 -Os"
	long_only echo "m3-systick an385 cortex-m3 mps2 -Os -DNODE_SYSTICK"
	long_only echo "m0-systick microbit cortex-m0 microbit -Os -DNODE_SYSTICK"
	long_only echo "m3-level3 an385 cortex-m3 mps2 -Os -DWSNPROF_LEVEL=3 -DWSNPROF_FRAME=128 -DWSNPROF_RING=255"
	long_only echo "m0-level1 microbit cortex-m0 microbit -Os -DWSNPROF_LEVEL=1"
} >"$TMP/list"
in_pairs try <"$TMP/list"
# shellcheck disable=SC2046
python3 tests/sim/cortexm_calib.py "$TMP" $(cut -d' ' -f1 "$TMP/list")
