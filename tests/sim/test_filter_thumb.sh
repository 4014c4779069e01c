#!/bin/bash
# `wsntop as` on Thumb-1 and Thumb-2: programs compiled in every way give the output that they give
# without it, and what the hooks wrote down is what the simulator saw, call by call, in their order.
# SEEDS: programs made at random, of these numbers.
. "$(dirname "$0")/lib.sh"
command -v qemu-system-arm >/dev/null || { echo "no qemu-system-arm"; exit 77; }
command -v arm-none-eabi-g++ >/dev/null || { echo "no arm-none-eabi-g++"; exit 77; }
D=tests/sim/filter
. $D/text.sh
"$WSNTOP" as --install "$TMP/B" arm-none-eabi-
gcc -O2 -Wall -Wextra -Werror -I. -fPIC -shared -fvisibility=hidden -o "$TMP/calls.so" $D/thumbcalls.c

# board: machine, flash, RAM, the compiler's options
board() {
	case $1 in
	m0) M=microbit F=0 R=0x20000000 CPU="-mcpu=cortex-m0" ;;
	m3) M=mps2-an385 F=0 R=0x20000000 CPU="-mcpu=cortex-m3" ;;
	m4) M=mps2-an386 F=0 R=0x20000000 CPU="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16" ;;
	m33) M=mps2-an505 F=0x10000000 R=0x38000000 CPU="-mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16" ;;
	m23) M=mps2-an505 F=0x10000000 R=0x38000000 CPU="-mcpu=cortex-m23" ;;
	esac
	CPU="$CPU -mthumb -w"
	for f in record say; do
		arm-none-eabi-gcc $CPU -mgeneral-regs-only -Os -c -o "$TMP/$f.o" $D/$f.c
	done
	arm-none-eabi-gcc $CPU -c -o "$TMP/hooks.o" $D/hooks_thumb.S
}

# thumb2 FLAGS...: conditional.s, through DIR/as where -B is among the flags, which gcc has not written
thumb2() {
	local as=arm-none-eabi-as
	[ "$1" != -B ] || as=$2/as
	case $b in
	m0|m23) arm-none-eabi-gcc $CPU -x c -c -o "$TMP/$name.t.o" /dev/null ;;
	*) $as ${CPU%%-mthumb*} -o "$TMP/$name.t.o" $D/conditional.s ;;
	esac
}

# built NAME FLAGS...: $TMP/NAME.elf
built() {
	local name=$1
	shift
	text_compiled arm-none-eabi-gcc "$TMP/$name.c.o" "${PROGRAM:-$D/features.c}" $CPU -std=gnu11 -I$D "$@"
	text_compiled arm-none-eabi-gcc "$TMP/$name.b.o" $D/thumb.c $CPU -std=gnu11 "$@"
	text_compiled arm-none-eabi-g++ "$TMP/$name.cc.o" $D/features.cc $CPU -std=gnu++11 -fno-exceptions -fno-rtti \
		-fno-threadsafe-statics "$@"
	arm-none-eabi-gcc $CPU "$@" -c -o "$TMP/$name.S.o" $D/hand.S
	thumb2 "$@"
	arm-none-eabi-gcc $CPU "$@" -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--no-warn-rwx-segments \
		-Wl,--defsym=FLASH=$F,--defsym=RAM=$R -T $D/thumb.ld -o "$TMP/$name.elf" \
		"$TMP/$name".{c,b,cc,S,t}.o "$TMP"/{record,say,hooks}.o -lm
}

# run_elf ELF OUT [ADDRESSES CALLS]: what it said in OUT; in CALLS, in order, at which of the addresses it was
run_elf() {
	sim/watchdog timeout 60 qemu-system-arm -M $M -display none -monitor none -serial null -icount shift=6,sleep=off \
		-semihosting-config enable=on,target=native ${3:+-plugin "$TMP/calls.so,at=$3,out=$4"} -kernel "$1" \
		>"$2" 2>&1 </dev/null
}

# proven BOARD-NAME FLAGS...
proven() {
	local name=$1
	shift
	built plain "$@"
	run_elf "$TMP/plain.elf" "$TMP/plain.out" || { echo "FAILED: $name: the plain program crashed"; exit 1; }
	built "$name" -B "$TMP/B" "$@" 2>"$TMP/$name.said" || { cat "$TMP/$name.said"; exit 1; }
	! grep "refused" "$TMP/$name.said" || exit 1
	python3 $D/addresses.py "$TMP/$name.elf" >"$TMP/$name.at"
	run_elf "$TMP/$name.elf" "$TMP/$name.out" "$TMP/$name.at" "$TMP/$name.calls" ||
		{ echo "FAILED: $name: the program crashed"; exit 1; }
	echo -n "$name: "
	python3 $D/check.py "$TMP/$name.elf" "$TMP/$name.out" "$TMP/plain.out" "$TMP/$name.calls" \
		recursive SysTick_Handler PendSV_Handler -bare -from_assembly -put -quiet -Reset_Handler $MORE
}

for b in m0 m3; do
	board $b
	MORE="features_c gotos"
	for level in Os $(case $b in m3) echo O0 ;; *) long O0 ;; esac) $(long O1 O2 O3); do
		proven $b-$level -$level -g
	done
	long_only proven $b-sections -O2 -g -ffunction-sections -Wl,--gc-sections
	MORE=
	proven $b-lto -O2 -flto -pipe
done
MORE=features_c
for b in m23 $(long m4 m33); do
	board $b
	long_only proven $b-Os -Os
	proven $b-O2 -O2 -g
done

MORE=
for b in m0 m3; do
	board $b
	for seed in ${SEEDS:-1}; do
		python3 $D/random.py $seed >"$TMP/random.c"
		for level in O2 $(long Os); do
			PROGRAM=$TMP/random.c proven $b-random-$seed-$level -$level
		done
	done
done
