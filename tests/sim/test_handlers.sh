#!/bin/bash
# Interrupt handlers of the firmware: those without hooks are in max and average, which is said with their names; where no
# data came, or next to none, those with hooks are named.
. "$(dirname "$0")/lib.sh"

# demo NAME FLAG: the demo with this flag, run to its end; what it sent in NAME.bin
demo() {
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -fno-inline -fno-ipa-cp -finstrument-functions \
		-finstrument-functions-exclude-file-list=util/ -DDEMO_ROUNDS=40 "${@:2}" -Isim/firmware -Itarget-common \
		-Itarget-avr -o "$TMP/$1.elf" sim/firmware/*.c target-avr/all/wsnprof_all.c \
		target-avr/all/wsnprof_hooks_all.S
	"$NODE" --fast --seconds=60 --uart="$TMP/$1.bin" "$TMP/$1.elf" >"$TMP/$1.end"
	ended $1
}
demo hooked
demo bare -finstrument-functions-exclude-function-list=__vector_9
print() {	# all that is printed of FILE with an ELF
	"$WSNTOP" -B -p "file:$TMP/$1.bin" -e "$TMP/$2.elf" -x flat -x "json:$TMP/$1.json" >"$TMP/out" 2>&1 || true
}
says() {	# what is printed of FILE with an ELF, a pattern
	print $1 $2
	grep -qE "$3" "$TMP/out" || { echo "FAILED: $1: no '$3'"; cat "$TMP/out"; exit 1; }
	echo "ok: $1: $3"
}
says bare bare "Max and average include interrupt handlers without hooks: __vector_9\.$"
grep -q '"handlers_in_times": *"__vector_9"' "$TMP/bare.json" || { echo "FAILED: JSON lacks it"; exit 1; }
# The UART's and the clock's own take themselves out of the time.
print hooked hooked
! grep -E "without hooks|handlers_in_times.*__vector" "$TMP/out" "$TMP/hooked.json" ||
	{ echo "FAILED: the runtime's own handlers"; exit 1; }
echo "ok: the runtime's own handlers are in no time"

# A handler of which there are too many a second: scraps come, as long as it leaves anything.
cat >"$TMP/starve.c" <<'END'
#include <avr/interrupt.h>
#include "wsnprof_uart.h"

volatile uint16_t ticks, done;

ISR(TIMER0_COMPA_vect) { ticks++; }
static void work(void) { done++; }

WSNPROF_QUIET int main(void)
{
	wsnprof_init();
	wsnprof_uart_init();
	wsnprof_start();
	TCCR0A = _BV(WGM01);
	OCR0A = F_CPU / 8 / HZ - 1;
	TCCR0B = _BV(CS01);
	TIMSK0 = _BV(OCIE0A);
	sei();
	for (;;) {
		work();
		wsnprof_poll();
	}
}
END
for hz in 5000 20000; do
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -DHZ=$hz -std=c99 -Os -fno-inline -finstrument-functions \
		-finstrument-functions-exclude-file-list=util/ -Itests/sim/hooks -Itarget-common -Itarget-avr \
		-o "$TMP/at$hz.elf" \
		"$TMP/starve.c" target-avr/all/wsnprof_all.c target-avr/all/wsnprof_hooks_all.S
	"$NODE" --fast --seconds=20 --uart="$TMP/at$hz.bin" "$TMP/at$hz.elf" >"$TMP/at$hz.end"
done
starved="the node may have no time left: instrumented handlers \(__vector_16\)"
# What comes of it is a matter of the phase: some rows, a HELLO, a few bytes.
says at20000 at20000 "(^wsntop: |; or )$starved"
print at5000 at5000
! grep -E "$starved" "$TMP/out" || { echo "FAILED: 5,000 a second leave it a third of its time"; exit 1; }
: >"$TMP/empty.bin"
says empty hooked "no data came; .*the node may have no time left: instrumented handlers \(__vector_9\)"
