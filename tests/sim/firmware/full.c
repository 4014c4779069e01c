/* More sites than the table holds (8), and deeper than the stack is (6). */
#include "scenario.h"

volatile uint8_t sink;

static void leaf(uint8_t v) { sink = v; }
static void deep(uint8_t n) { if (n) deep(n - 1); sink = n; }

static void many(void)
{
	leaf(0); leaf(1); leaf(2); leaf(3); leaf(4); leaf(5); leaf(6); leaf(7); leaf(8); leaf(9);
}

void scenario(void)
{
	uint8_t i;

	for (i = 0; i < 30; i++)
		deep(9);		/* 10 calls, 6 fit: 2 sites */
	for (i = 0; i < 50; i++)
		many();			/* 1 site, and 10 more of which 5 fit */
	deep(5);			/* another site: lost to the table */
}
