/*
 * clock: a timer that runs slower than the processor (WSNPROF_PRESCALE): calls shorter than a
 * tick, and longer than the timer.
 */
#include "hooks.h"

static NOINLINE void brief(void)
{
	hooks_sink++;
}

static NOINLINE void plain(void)
{
	BURN(3001);
}

static NOINLINE void lengthy(void)
{
	BURN(1200000);
}

void hooks_run(void)
{
	uint16_t i;

	for (i = 0; i < 999; i++) {
		brief();
		plain();
		if (i & 1)
			BURN(57);
		hooks_watch();
	}
	for (i = 0; i < 8; i++) {
		lengthy();
		hooks_watch();
	}
}
