/*
 * storm: 12,000 interrupts whose handler calls twice, over a program that calls all the time; now
 * and then a second handler, which lets itself be interrupted (ISR_NOBLOCK).
 */
#include "hooks.h"

#define TICKS 12000

static volatile uint16_t ticks;

static NOINLINE void tick_step(void)
{
	hooks_sink++;
}

static NOINLINE void slow_step(void)
{
	BURN(700);
}

static NOINLINE void leaf(void)
{
	BURN(11);
}

static NOINLINE void work(void)
{
	leaf();
	BURN(100);
	leaf();
}

ISR(TIMER0_COMPA_vect)
{
	tick_step();
	ticks++;
	tick_step();
}

ISR(TIMER2_COMPA_vect, ISR_NOBLOCK)
{
	BURN(2000);
	slow_step();
	slow_step();
}

static QUIET uint16_t ticks_now(void)
{
	uint16_t now;

	cli();
	now = ticks;
	sei();
	return now;
}

void hooks_run(void)
{
	TCCR0A = _BV(WGM01);
	OCR0A = 240;			/* 1,928 cycles */
	TCCR0B = _BV(CS01);
	TIMSK0 = _BV(OCIE0A);
	TCCR2A = _BV(WGM21);
	OCR2A = 250;			/* 64,256 cycles */
	TCCR2B = _BV(CS22) | _BV(CS21);
	TIMSK2 = _BV(OCIE2A);
	while (ticks_now() < TICKS) {
		work();
		hooks_watch();
	}
	TIMSK0 = 0;
	TIMSK2 = 0;
}
