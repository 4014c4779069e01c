/*
 * dense: more call sites than the table has room for, all of them in use before the first interrupt
 * strikes: a handler's row must find its place wherever it interrupts, and be found there.
 */
#include "hooks.h"

static NOINLINE void a(void)
{
	BURN(11);
}

static NOINLINE void b(void)
{
	a();
	BURN(20);
	a();
}

static NOINLINE void work(void)
{
	a();
	BURN(31);
	b();
	a();
	BURN(7);
	b();
	a();
	b();
	a();
	BURN(60);
	a();
}

ISR(TIMER0_COMPA_vect)
{
	hooks_sink++;
}

void hooks_run(void)
{
	uint16_t i;

	work();
	work();
	TCCR0A = _BV(WGM01);
	OCR0A = 250;
	TCCR0B = _BV(CS01);
	TIMSK0 = _BV(OCIE0A);
	for (i = 0; i < 4000; i++) {
		work();
		hooks_watch();
	}
	TIMSK0 = 0;
}
