/*
 * phase: the timer goes over at every cycle of the hooks, of what is between them and of a handler
 * that strikes there: it is set to so many ticks before that, while no call is open.
 */
#include "hooks.h"

static NOINLINE void nap(void)
{
	BURN(100);
}

static NOINLINE void outer(void)
{
	nap();
	BURN(50);
	nap();
}

/* 32,768 ticks and more, and a nap at its end. */
static NOINLINE void far(void)
{
	BURN(40000);
	nap();
}

static NOINLINE void served(void)
{
	BURN(30);
}

/* Once, at the cycle that the loop below wants. */
ISR(TIMER0_COMPA_vect)
{
	TCCR0B = 0;
	served();
}

static QUIET void strike_in(uint8_t cycles)
{
	TCCR0B = 0;
	OCR0A = 255;
	TCNT0 = (uint8_t)(255 - cycles);
	TIFR0 = _BV(OCF0A);
	TIMSK0 = _BV(OCIE0A);
	TCCR0B = _BV(CS00);
}

void hooks_run(void)
{
	uint16_t before;

	for (before = 2; before < 1000; before++) {
		hooks_time_set(-before);
		outer();
	}
	for (before = 39800; before < 40500; before += 3) {
		hooks_time_set(-before);
		far();
	}
	for (before = 2; before < 1200; before++) {
		strike_in((uint8_t)(before * 7) | 1);
		hooks_time_set(-before);
		outer();
	}
}
