/*
 * nested: a handler that lets itself be interrupted, and a second one that strikes at every cycle
 * of its end, while the timer has just gone over: what both take back together is more than the
 * function that they interrupted has run.
 */
#include "hooks.h"

static volatile uint8_t second_after;

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

ISR(TIMER2_COMPA_vect)
{
	TCCR2B = 0;
}

ISR(TIMER0_COMPA_vect)
{
	TCCR0B = 0;
	TCNT2 = (uint8_t)(255 - second_after);
	TIFR2 = _BV(OCF2A);
	TCCR2B = _BV(CS20);
	sei();
}

static QUIET void strike_in(uint8_t cycles)
{
	TCNT0 = (uint8_t)(255 - cycles);
	TIFR0 = _BV(OCF0A);
	TCCR0B = _BV(CS00);
}

void hooks_run(void)
{
	uint8_t before, first;

	OCR0A = OCR2A = 255;
	TIMSK0 = _BV(OCIE0A);
	TIMSK2 = _BV(OCIE2A);
	for (before = 4; before < 120; before += 3)
		for (first = 30; first < 180; first += 15)
			for (second_after = 30; second_after < 250; second_after += 7) {
				strike_in(first);
				hooks_time_set((uint16_t)-before);
				leaf();
				BURN(250);
			}
}
