#!/bin/bash
# What `wsntop doctor` says of a firmware is what the simulated chip does with it, and its cure
# cures: a small firmware of one's own, built with each of the mistakes of the first ten minutes.
. "$(dirname "$0")/lib.sh"

HEADERS=-finstrument-functions-exclude-file-list

# avr NAME FILE FLAGS...: $TMP/NAME.elf of FILE, instrumented; the runtime with the same flags
avr() {
	local name=$1 file=$2
	shift 2
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -ggdb -I"$TMP" -Itarget-common -Itarget-avr \
		-ffunction-sections -Wl,--gc-sections -finstrument-functions "$@" -o "$TMP/$name.elf" "$file" \
		target-avr/all/wsnprof_all.c target-avr/all/wsnprof_hooks_all.S
}
simulate() {	# NAME
	sim/watchdog "$NODE" --mcu=atmega1284p --fast --seconds=5 --uart="$TMP/$1.bin" --truth="$TMP/$1.truth" \
		"$TMP/$1.elf" >"$TMP/$1.end" 2>&1 || true
}
doctor() {	# NAME
	"$WSNTOP" doctor -e "$TMP/$1.elf" >"$TMP/out" || true
	tr -s ' \n' ' ' <"$TMP/out" >"$TMP/said"
}
says() { grep -q -- "$1" "$TMP/said" || { echo "FAILED: not said: $1: $(cat "$TMP/out")"; exit 1; }; }
silent() { ! grep -q -- "$1" "$TMP/said" || { echo "FAILED: said: $1: $(cat "$TMP/out")"; exit 1; }; }

: >"$TMP/wsnprof_config.h"

# An inline function of avr-libc's in naked start-up code: the function's own attribute does not
# reach it, nor does an exclude list that says util/.
cat >"$TMP/wdt.c" <<'END_C'
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include "wsnprof.h"
#include "wsnprof_uart.h"

uint8_t cause __attribute__((section(".noinit")));
volatile int sum;

__attribute__((naked, section(".init3"), used)) QUIET void early(void)
{
	cause = MCUSR;
	MCUSR = 0;
	wdt_disable();
}

__attribute__((noinline)) void leaf(void)
{
	sum++;
}

WSNPROF_QUIET int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	for (int i = 0; i < 1000; i++) {
		leaf();
		wsnprof_poll();
	}
	cli();
	sleep_mode();
	return 0;
}
END_C
avr plain "$TMP/wdt.c" -DQUIET= $HEADERS=util/
avr quiet "$TMP/wdt.c" -DQUIET=WSNPROF_QUIET $HEADERS=util/
for name in plain quiet; do
	doctor $name
	says 'fault instrumented start-up code .* beyond the RAM.*: early cure: .*exclude-file-list=avr/include'
	simulate $name
	! grep -q ', ended$' "$TMP/$name.end" || { echo "FAILED: $name: doctor's fault is none"; exit 1; }
done
avr cured "$TMP/wdt.c" -DQUIET=WSNPROF_QUIET $HEADERS=avr/include
doctor cured
silent 'fault'
simulate cured
ended cured
echo "ok: start-up code with an inline function of avr-libc's stops; the cure that doctor names cures it"

# Handlers are instrumented that the runtime has no rows for.
cat >"$TMP/isr.c" <<'END_C'
#include <avr/interrupt.h>
#include "wsnprof.h"
#include "wsnprof_uart.h"

ISR(TIMER0_COMPA_vect)
{
}

WSNPROF_QUIET int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	for (;;)
		wsnprof_poll();
}
END_C
avr least "$TMP/isr.c" -DWSNPROF_LEAST=1 $HEADERS=avr/include
doctor least
says 'fault 1 interrupt handler is instrumented, and WSNPROF_HANDLERS is 0: .*: __vector_16 cure: #define WSNPROF_HANDLERS 4'
avr least "$TMP/isr.c" -DWSNPROF_LEAST=1 -DWSNPROF_HANDLERS=4 $HEADERS=avr/include
doctor least
silent 'WSNPROF_HANDLERS is 0'
echo "ok: an instrumented handler without rows is a fault, and doctor's cure gives it one"

# The clock's timer, the runtime's or the application's, which is only read.
cat >"$TMP/timer.c" <<'END_C'
#include <avr/interrupt.h>
#include "wsnprof.h"
#include "wsnprof_uart.h"

WSNPROF_QUIET int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
#ifdef ONE
	TCCR1B = _BV(CS10);
#endif
#ifdef TWO
	TCCR2B = _BV(CS20);
#endif
	wsnprof_start();
	sei();
	for (;;)
		wsnprof_poll();
}
END_C
timer() {	# FLAGS...
	avr timer "$TMP/timer.c" "$@" $HEADERS=avr/include
	doctor timer
}
timer -DONE
says 'warning timer 1 is the profiler.s clock, and written elsewhere too: main cure: .*WSNPROF_TIMER 3: nothing'
for clock in -DWSNPROF_TIMER=2 -DWSNPROF_TIMER=0 -DWSNPROF_TIMER_READ=1 -DWSNPROF_TIMER_READ=2; do
	timer -DONE $clock
	silent 'warning timer'
done
timer -DTWO -DWSNPROF_TIMER=2
says 'warning timer 2 is the profiler.s clock, and written elsewhere too: main'
timer -DTWO -DWSNPROF_TIMER_READ=1
says 'warning timer 1 is the profiler.s clock and only read .*: it does not count cure: start it at WSNPROF_PRESCALE'
echo "ok: doctor knows the clock's timer: 16 bits, 8 bits, and one that is only read"

# Assembled without the preprocessor, as make's own rule for .s does it: a sentence, not a flood of
# errors, nor (the includes are comments then) an empty object.
unprocessed() {	# assembler, files
	local as=$1 file
	shift
	for file in "$@"; do
		! "$as" -o "$TMP/as.o" "$file" >"$TMP/as" 2>&1 || { echo "FAILED: $file is assembled"; exit 1; }
		[ "$(grep -c Error: "$TMP/as")" = 1 ] && grep -q "${file##*/} needs cpp: compile it with" "$TMP/as" ||
			{ echo "FAILED: $file: $(cat "$TMP/as")"; exit 1; }
	done
}
unprocessed avr-as target-avr/*.S target-avr/all/*.S
unprocessed arm-none-eabi-as target-cortexm/*.S target-cortexm/all/*.S
echo "ok: assembly without the preprocessor ends with one sentence"
