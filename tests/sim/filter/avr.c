/* The board, an ATmega1284P in simavr: a byte to GPIOR0 is printed; handlers; naked functions. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "features.h"

static volatile uint8_t ticks, nested_ticks;

NOINLINE void put(char c)
{
	__asm__ volatile("/* wsntrace quiet */");
	GPIOR0 = (uint8_t)c;
}

NOINLINE uint8_t tick_count(uint8_t n)
{
	return (uint8_t)(n + (zero == 0));
}

/* It calls a function, another may strike in it, one calls none, one is naked. */
ISR(TIMER0_COMPA_vect)
{
	if (ticks < 40)
		ticks = tick_count(ticks);
}

ISR(TIMER1_COMPA_vect, ISR_NOBLOCK)
{
	if (nested_ticks < 40)
		nested_ticks = tick_count(nested_ticks);
}

ISR(TIMER2_COMPA_vect)
{
	GPIOR1++;
}

ISR(TIMER2_COMPB_vect, ISR_NAKED)
{
	__asm__ volatile("reti");
}

__attribute__((naked)) NOINLINE void bare(void)
{
	__asm__ volatile("ret");
}

/* A function inside: its frame comes in r2. */
NOINLINE int with_inner(int x)
{
	NOINLINE int inner(int y)
	{
		return x + y + zero;
	}
	return inner(3) + inner(4);
}

void features_board(void)
{
	OCR0A = 249;
	TCCR0A = _BV(WGM01);
	OCR1A = 3777;
	TCCR1B = _BV(WGM12) | _BV(CS10);
	OCR2A = 63;
	TCCR2A = _BV(WGM21);
	TIMSK0 = _BV(OCIE0A);
	TIMSK1 = _BV(OCIE1A);
	TIMSK2 = _BV(OCIE2A) | _BV(OCIE2B);
	TCCR2B = _BV(CS22);
	TCCR0B = _BV(CS01);
	sei();
	while (ticks < 40 || nested_ticks < 40)
		bare();
	cli();
	TIMSK0 = TIMSK1 = TIMSK2 = 0;
	say("ticks", ticks + nested_ticks);
	say("inner", with_inner(5));
}

int main(void)
{
	features_c();
	features_cc();
	features_board();
	cli();
	record_print();
	sleep_enable();
	sleep_cpu();
	return 0;
}
