/*
 * shapes: the programs of tests/sim/filter under the runtime: handlers that call, that call
 * nothing, that let themselves be interrupted; a naked function; C++. What they print is summed up.
 */
#include "../filter/features.h"
#include "hooks.h"

static volatile uint8_t ticks, nested_ticks, beats;
static uint32_t sum;

void put(char c)
{
	sum = (sum << 5 | sum >> 27) ^ (uint8_t)c;
}

static NOINLINE uint8_t tick_count(uint8_t n)
{
	return (uint8_t)(n + (zero == 0));
}

ISR(TIMER0_COMPA_vect)
{
	if (ticks < 40)
		ticks = tick_count(ticks);
}

ISR(TIMER0_COMPB_vect, ISR_NOBLOCK)
{
	if (nested_ticks < 40)
		nested_ticks = tick_count(nested_ticks);
}

ISR(TIMER2_COMPA_vect)
{
	beats++;
}

ISR(TIMER2_COMPB_vect, ISR_NAKED)
{
	__asm__ volatile("reti");
}

static __attribute__((naked)) NOINLINE void bare(void)
{
	__asm__ volatile("ret");
}

/* The handlers strike while calls are made. */
NOINLINE void strikes(void)
{
	OCR0A = 249;
	OCR0B = 100;
	TCCR0A = _BV(WGM01);
	OCR2A = 63;
	TCCR2A = _BV(WGM21);
	TIMSK0 = _BV(OCIE0A) | _BV(OCIE0B);
	TIMSK2 = _BV(OCIE2A) | _BV(OCIE2B);
	TCCR2B = _BV(CS22);
	TCCR0B = _BV(CS01) | _BV(CS00);
	while (ticks < 40 || nested_ticks < 40) {
		bare();
		tick_count(1);
	}
	TIMSK0 = TIMSK2 = 0;
}

void hooks_run(void)
{
	features_c();
	features_cc();
	strikes();
	hooks_say("sum", sum);
}
