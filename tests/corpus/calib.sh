#!/bin/sh
# tests/corpus/calib.sh: make the seeds of fuzz_calib again: the functions of tests/sim/hooks/around.c
# behind hooks at 0x100 and 0x102, each as the compiler wrote it. Needs avr-gcc and arm-none-eabi-gcc.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cat >"$work/h.S" <<'END'
	.global	__cyg_profile_func_enter, __cyg_profile_func_exit
	.set	__cyg_profile_func_enter, 0x100
	.set	__cyg_profile_func_exit, 0x102
END
seed() {	# NAME FLAGS...
	name=$1
	shift
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Itests/sim/hooks -Itarget-common -Itarget-avr \
		-fno-inline -finstrument-functions -nostdlib "$@" -Wl,--unresolved-symbols=ignore-all,-Ttext=0 \
		-o "$work/$name.elf" tests/sim/hooks/around.c "$work/h.S" -lgcc 2>/dev/null
	avr-objcopy -O binary -j .text "$work/$name.elf" "$work/$name.bin"
	{ printf '\000\200\201\000'; head -c 240 "$work/$name.bin"; } >"tests/corpus/calib/$name"
}
seed Os -Os
seed O0 -O0
seed O2 -O2
seed prologues -Os -mcall-prologues
seed relax -Os -mrelax

cat >"$work/t.S" <<'END'
	.section .hooks, "ax"
	.syntax	unified
	.thumb
	.global	__cyg_profile_func_enter, __cyg_profile_func_exit
	.thumb_func
__cyg_profile_func_enter:
	nop
	.thumb_func
__cyg_profile_func_exit:
	nop
END
thumb() {	# NAME FLAGS...
	name=$1
	shift
	arm-none-eabi-gcc -mthumb -std=c99 -Isim/cortexm -Isim/cortexm/boards/mps2 -Itests/sim/hooks -Itarget-common \
		-Itarget-cortexm -fno-inline -finstrument-functions -nostdlib "$@" \
		-Wl,--unresolved-symbols=ignore-all,--no-check-sections,-Ttext=0,--section-start=.hooks=0x100 \
		-o "$work/$name.elf" tests/sim/hooks/around.c "$work/t.S" -lgcc 2>/dev/null
	arm-none-eabi-objcopy -O binary -j .text "$work/$name.elf" "$work/$name.bin"
	{ printf '\000\200\201\002'; head -c 240 "$work/$name.bin"; } >"tests/corpus/calib/$name"
}
thumb m3-Os -mcpu=cortex-m3 -Os
thumb m3-O0 -mcpu=cortex-m3 -O0
thumb m0-O2 -mcpu=cortex-m0 -O2
