/* What a call costs: the same program instrumented and plain, their cycles compared. */
#include "scenario.h"

volatile uint8_t sink;

#ifdef COST_FIB

uint32_t fib(uint8_t n);

uint32_t fib(uint8_t n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

void scenario(void)
{
	uint8_t i;

	for (i = 0; i < 18; i++)
		fib(i);
}

#else

#define LEAF(name) static void name(uint8_t v) { sink = v; }
LEAF(leaf0) LEAF(leaf1) LEAF(leaf2) LEAF(leaf3) LEAF(leaf4) LEAF(leaf5) LEAF(leaf6) LEAF(leaf7)

/* 12 sites each. */
#define THREE(f) f(1); f(2); f(3)
#define TWELVE(f) THREE(f); THREE(f); THREE(f); THREE(f)

static void sites(void)
{
	TWELVE(leaf0); TWELVE(leaf1); TWELVE(leaf2); TWELVE(leaf3);
	TWELVE(leaf4); TWELVE(leaf5); TWELVE(leaf6); TWELVE(leaf7);
}

void scenario(void)
{
	uint8_t i;

	for (i = 0; i < 200; i++)
		sites();
}

#endif
