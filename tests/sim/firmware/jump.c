/* longjmp out of instrumented functions, then ordinary calls; stop, start and reset. */
#include <setjmp.h>

#include "scenario.h"

volatile uint8_t sink;
static jmp_buf back;

static void leaf(void) { sink++; }
static void thrower(uint8_t n) { if (n) thrower(n - 1); else longjmp(back, 1); sink = n; }
static void catcher(void) { if (!setjmp(back)) thrower(3); leaf(); }
static void forgotten(void) { sink++; }
static void unseen(void) { sink++; }
static void outer(void) { wsnprof_stop(); wsnprof_start(); leaf(); }

void scenario(void)
{
	uint8_t i;

	forgotten();
	wsnprof_reset();
	for (i = 0; i < 5; i++)
		catcher();
	wsnprof_stop();
	unseen();
	wsnprof_start();
	outer();		/* begun before the start: only its leaf counts */
}
