#!/bin/bash
# The simulated AVR does what the chip does where simavr does not: a compare interrupt that the firmware enables before it
# sets the compare register, 0 after the reset, comes (it may set the register itself).
. "$(dirname "$0")/lib.sh"

cat >"$TMP/compare.c" <<'C'
#include <avr/interrupt.h>
#include <avr/sleep.h>

static volatile uint8_t come;

ISR(TIMER1_COMPA_vect)
{
	OCR1A = 999;
	come++;
}

ISR(TIMER0_COMPA_vect)
{
	OCR0A = 99;
	come += 16;
}

int main(void)
{
	uint16_t i;

	UCSR0B = 1 << TXEN0;
	TCCR1B = 1 << WGM12 | 1 << CS10;
	TIMSK1 = 1 << OCIE1A;
	TCCR0A = 1 << WGM01;
	TCCR0B = 1 << CS01;
	TIMSK0 = 1 << OCIE0A;
	sei();
	for (i = 0; i < 1000; i++)
		asm volatile("nop");
	cli();
	UDR0 = (come & 15) > 2 && come >> 4 > 2 ? 'y' : 'n';
	for (i = 0; i < 30000; i++)
		asm volatile("nop");
	sleep_mode();
}
C
for CHIP in atmega1284p atmega328p; do
	avr-gcc -mmcu=$CHIP -Os -o "$TMP/compare.elf" "$TMP/compare.c"
	# As it is switched on, and once more behind the reset pin.
	for reset in 0 2000; do
		simulate compare --reset=$reset
		grep -q 'y$' "$TMP/compare.bin" || { echo "FAILED: $CHIP, reset at $reset: no compare interrupts"; exit 1; }
	done
done
echo "ok: compare interrupts come"
