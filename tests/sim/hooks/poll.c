/*
 * poll: an instrumented function polls, while instrumented handlers strike: its time is that of
 * what else it does.
 */
#include "hooks.h"

static volatile uint8_t ticks;

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

ISR(TIMER0_COMPA_vect)
{
	leaf();
	ticks++;
}

static NOINLINE void waits(void)
{
	uint8_t i;

	for (i = 0; i < 4; i++) {
		BURN(100);
		wsnprof_poll();
	}
}

/* A node that does nothing but poll sends its refreshes all the same. */
static NOINLINE void idles(void)
{
	uint16_t i;

	for (i = 0; i < 20000; i++)
		wsnprof_poll();
}

void hooks_run(void)
{
	uint16_t i;

	TCCR0A = _BV(WGM01);
	OCR0A = 200;
	TCCR0B = _BV(CS01);		/* 1,608 cycles */
	TIMSK0 = _BV(OCIE0A);
	for (i = 0; i < 3000; i++)
		waits();
	idles();
	TIMSK0 = 0;
}
