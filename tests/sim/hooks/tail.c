/*
 * tail: a handler that turns interrupts on, and returns at once while it is busy, struck at periods
 * from below what it takes to above. When it is ready again it must be through before the next one
 * begins: else each strike leaves a frame, and the stack grows with their number.
 */
#include "hooks.h"

#define STRIKES 240
#define DEEP 400		/* bytes */

static volatile uint8_t busy, strikes;
static volatile uint16_t base, lowest;

static NOINLINE void step(void)
{
	BURN(200);
}

ISR(TIMER0_COMPA_vect)
{
	if (SP < lowest)
		lowest = SP;
	if (!--strikes || base - lowest > DEEP)
		TCCR0B = 0;
	if (busy || !TCCR0B)
		return;
	busy = 1;
	sei();
	step();
	busy = 0;
}

/* The bytes that so many strikes take, so many times eight cycles apart. */
static QUIET uint16_t stack_of(uint8_t period)
{
	base = lowest = SP;
	strikes = STRIKES;
	TCNT0 = 0;
	OCR0A = (uint8_t)(period - 1);
	TCCR0B = _BV(CS01);
	while (TCCR0B)
		;
	return base - lowest;
}

void hooks_run(void)
{
	uint8_t period, deep = 0;

	TCCR0A = _BV(WGM01);
	TIMSK0 = _BV(OCIE0A);
	for (period = 50; period < 150; period++)
		deep += stack_of(period) > DEEP;
	hooks_say("deep", deep);
}
