#!/bin/bash
# The runtime with every setting, on every kind of core: compiled strictly, linked, without a
# warning; and settings that contradict each other say so.
set -eu
cd "$(dirname "$0")/../.."
. tests/long.sh
for tool in avr-gcc arm-none-eabi-gcc clang; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

STRICT="-Wall -Wextra -Wconversion -Wshadow -Werror -I$TMP -Itarget-common"
AVR="avr-gcc -DF_CPU=16000000UL $STRICT -Itarget-avr"
ARM="-mthumb -DWSNPROF_CLOCK_HZ=16000000 $STRICT -Itarget-cortexm"
GCC="arm-none-eabi-gcc $ARM"
CLANG="clang --target=arm-none-eabi -ffreestanding $ARM"
: >"$TMP/wsnprof_config.h"

# All that an application calls, and all that it gives.
cat >"$TMP/main.c" <<'C'
#include "wsnprof.h"
#include "wsnprof_defaults.h"
#ifdef __AVR__
#include "wsnprof_uart.h"
#else
#include "wsnprof_cortexm.h"
#define WSNPROF_UART 0
#endif
int main(void);
#if !WSNPROF_UART
void wsnprof_kick(void) { }
#endif
#if WSNPROF_PCS
void wsnprof_sample_ack(void) { }
void wsnprof_sample_period(uint32_t apart) { (void)apart; }
#endif
int main(void)
{
#if WSNPROF_UART
	wsnprof_uart_init();
#endif
	wsnprof_init();
	wsnprof_start();
#if WSNPROF_RECEIVE
	wsnprof_receive(0);
#endif
#if WSNPROF_TEXT
	wsnprof_report();
#endif
#if WSNPROF_TASKS
	wsnprof_switch(wsnprof_task_init(0, 0));
#endif
#if !defined(__AVR__) && WSNPROF_PCS
	wsnprof_sample_irq();
#endif
	while (!wsnprof_idle())
		wsnprof_poll();
	wsnprof_stop();
	wsnprof_reset();
	while (!wsnprof_room() || !wsnprof_try('x') || !wsnprof_write("x", 1))
		;
	return wsnprof_take() + wsnprof_putchar('x');
}
C
# Where flash ends: a linker script's.
cat >"$TMP/end.ld" <<'LD'
SECTIONS
{
	. = 0x100;
	.text : { *(.text*) *(.rodata*) } __etext = .;
	. = 0x20000000;
	.data : { *(.data*) }
	.bss : { *(.bss*) *(.noinit*) }
}
LD

count=0
# quiet WHAT COMMAND...: it succeeds and says nothing
quiet() {
	local what=$1
	shift
	count=$((count + 1))
	"$@" >"$TMP/said" 2>&1 && [ ! -s "$TMP/said" ] && return
	echo "FAILED: $what: $*"
	head -20 "$TMP/said"
	exit 1
}

avr() {		# CHIP SETTINGS...: linked
	quiet "$1" $AVR -mmcu="$@" -o "$TMP/x.elf" "$TMP/main.c" target-avr/all/*
}

arm() {		# CORE SETTINGS...: linked; -lc for the memset that gcc makes of loops
	quiet "$1" $GCC -mcpu="$@" -nostdlib -Wl,-e,main,-T,"$TMP/end.ld",--no-warn-rwx-segments \
		-o "$TMP/x.elf" "$TMP/main.c" target-cortexm/all/* -lc -lgcc
}

each_file() {	# WHAT COMMAND... -- FILE...: compiled alone
	local what=$1 command=()
	shift
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	shift
	for file; do
		quiet "$what, $file" "${command[@]}" -c -o "$TMP/x.o" "$file"
	done
}

done_with() {
	echo "ok: $1: $count builds"
	count=0
}

# refused SENTENCE COMMAND...: it fails, and says that
refused() {
	local sentence=$1
	shift
	if "$@" -c -o "$TMP/x.o" >"$TMP/said" 2>&1 || ! grep -q "error.*$sentence" "$TMP/said"; then
		echo "FAILED: not refused with '$sentence': $*"
		head -5 "$TMP/said"
		exit 1
	fi
	count=$((count + 1))
}

all_settings() {	# BUILD CORE SETTINGS...
	local level tasks receive text
	for level in 0 1 2 3; do
		for tasks in 0 1; do
			# AVR: level 0 has no call stacks to switch
			[ "$1$level$tasks" = avr01 ] && continue
			for receive in 0 1; do
				# each two of them in each combination
				[ $(((level + tasks + receive) % 2)) = 0 ] || [ -n "$(long all)" ] || continue
				for text in $receive $(long $((1 - receive))); do
					"$@" -DWSNPROF_LEVEL=$level -DWSNPROF_TASKS=$tasks \
						-DWSNPROF_RECEIVE=$receive -DWSNPROF_TEXT=$text
				done
			done
		done
	done
}

SMALL="-std=c99 -Os -DWSNPROF_SITES=16 -DWSNPROF_STACK=8"
for chip in atmega{328p,1284p,2560,128rfa1,644p} "atmega32u4 -DWSNPROF_UART=0"; do
	avr $chip $SMALL
done
for least in "" -DWSNPROF_{RING=16,IDENTITY=1,HANDLERS=2,NEXT=3,ASIDE=1}; do
	quiet "avr, the least" $AVR -mmcu=atmega328p $SMALL -DWSNPROF_LEAST=1 $least -c -o "$TMP/x.o" target-avr/all/*.S
done
long_only each_file "avr, the least" $AVR -mmcu=atmega328p $SMALL -DWSNPROF_LEAST=1 -- target-common/*.c target-avr/*.[cS]
for timer in "atmega1284p 3" "atmega2560 3" "atmega2560 4" "atmega128rfa1 5"; do
	avr ${timer% *} $SMALL -DWSNPROF_TIMER=${timer#* }
done
for clock in TIMER=0 TIMER=2 "TIMER=2 -DWSNPROF_PRESCALE=32" TIMER_READ=1 "TIMER_READ=2 -DWSNPROF_PRESCALE=8"; do
	for level in 2 $(long 0 1 3); do
		avr atmega328p $SMALL -DWSNPROF_LEVEL=$level -DWSNPROF_$clock
	done
	long_only avr atmega2560 $SMALL -DWSNPROF_TASKS=1 -DWSNPROF_$clock
done
all_settings avr atmega328p $SMALL
MOST="-DWSNPROF_TASKS=1 -DWSNPROF_RECEIVE=1 -DWSNPROF_TEXT=1"
for how in "-std=c99 -O0" "-std=gnu11 -O2 -flto" "-std=gnu99 -O3" \
	   "-std=c99 -Os -mcall-prologues -mrelax" \
	   "-std=c99 -Os -DWSNPROF_PRESCALE=8"; do
	avr atmega1284p $how $MOST
done
long_only each_file avr $AVR -mmcu=atmega2560 -std=c99 -Os $MOST -- target-common/*.c target-avr/*.[cS]
done_with AVR

ARCS="-DWSNPROF_SITES=0 -DWSNPROF_ARCS=64"
SAMPLES="-DWSNPROF_PCS=64 -DWSNPROF_JITTER=1"
hard="cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"
for core in cortex-m0 ${LONG:+"$hard"} $(long cortex-{m0plus,m3,m7,m23,m33}); do
	arm $core -std=c99 -Os
	arm $core -std=c99 -Os $ARCS $SAMPLES
done
all_settings arm cortex-m3 -std=c99 -Os -DWSNPROF_FRAME=85
for core in cortex-m0 $(long cortex-m33); do
	arm $core -std=c99 -Os $MOST $SAMPLES -DWSNPROF_ARCS=64
	arm $core -std=c99 -Os $ARCS -DWSNPROF_TASKS=1 -DWSNPROF_RECEIVE=1
	arm $core -std=c99 -O0 $MOST
	arm $core -std=gnu11 -O2 -flto $MOST
	arm $core -std=c99 -O3 -DWSNPROF_CLOCK_SYSTICK=1 $SAMPLES
done
arm cortex-m3 -std=c99 -Os -DWSNPROF_LEAST=1 -DWSNPROF_RING=16
arm cortex-m3 -std=c99 -Os -DWSNPROF_PCS=64 -DWSNPROF_SITES=0
arm cortex-m3 -std=c99 -Os $ARCS -DWSNPROF_PCS=64 -DWSNPROF_RAW=1
long_only each_file arm $GCC -mcpu=cortex-m3 -std=c99 -Os $MOST $SAMPLES -- target-common/*.c target-cortexm/*.[cS]
done_with Cortex-M

for core in cortex-m0 $(long cortex-m33 cortex-m3); do
	for what in "$MOST $SAMPLES" "$ARCS" "-DWSNPROF_LEVEL=3 -DWSNPROF_FRAME=85"; do
		each_file "clang, $core" $CLANG -mcpu=$core -std=c99 -Os $what -- target-cortexm/all/*.c
	done
done
long_only each_file clang $CLANG -mcpu=cortex-m3 -std=c99 -Os $MOST -- target-common/*.c target-cortexm/*.c
done_with "Cortex-M, clang"

M3="$GCC -mcpu=cortex-m3"
refused "of which there are none" $M3 $ARCS -DWSNPROF_TEXT=1 target-cortexm/all/wsnprof_all.c
refused "powers of two" $M3 -DWSNPROF_SITES=100 target-cortexm/all/wsnprof_all.c
refused "WSNPROF_CLOCK_HZ, the clock's" $M3 -UWSNPROF_CLOCK_HZ target-cortexm/all/wsnprof_all.c
refused "0 to 3" $M3 -DWSNPROF_LEVEL=4 target-cortexm/all/wsnprof_all.c
refused "no USART 0" $AVR -mmcu=atmega32u4 target-avr/all/wsnprof_all.c
for chip in atxmega128a1 attiny85 atmega8 atmega4809; do
	avr-gcc -mmcu=$chip -E -x c /dev/null >/dev/null 2>&1 || continue	# unknown to the compiler
	for file in target-avr/all/*; do
		refused "wsnprof needs an ATmega with GPIOR0" $AVR -mmcu=$chip $file
		[ "$(grep -c ' error: ' "$TMP/said")" = 2 ] || { cat "$TMP/said"; exit 1; }
	done
done
refused "for which there is no room" $AVR -mmcu=atmega328p -DWSNPROF_TEXT=1 -DWSNPROF_RING=0 \
	target-avr/all/wsnprof_all.c
refused "no timer of that number" $AVR -mmcu=atmega328p -DWSNPROF_TIMER=3 target-avr/all/wsnprof_all.c
refused "that is only read has 16 bits" $AVR -mmcu=atmega328p -DWSNPROF_TIMER=2 -DWSNPROF_TIMER_READ=1 \
	target-avr/all/wsnprof_hooks_all.S
refused "WSNPROF_TIMER_READ: 0 to 2" $AVR -mmcu=atmega328p -DWSNPROF_TIMER_READ=3 target-avr/all/wsnprof_all.c
refused "no timer of that number" $AVR -mmcu=atmega32u4 -DWSNPROF_TIMER=2 target-avr/all/wsnprof_hooks_all.S
refused "or 1024 for timer 2" $AVR -mmcu=atmega328p -DWSNPROF_TIMER=2 -DWSNPROF_PRESCALE=16 \
	target-avr/all/wsnprof_hooks_all.S
refused "no call stacks to switch" $AVR -mmcu=atmega328p -DWSNPROF_LEVEL=0 -DWSNPROF_TASKS=1 \
	target-avr/all/wsnprof_all.c
refused "2 to 512 on AVR" $AVR -mmcu=atmega328p -DWSNPROF_SITES=1024 target-avr/all/wsnprof_hooks_all.S
done_with "refused, with the reason"
