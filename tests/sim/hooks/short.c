/*
 * short: functions so short that taking back what a call costs on the average takes more than the
 * call took: their callers' clocks, and the run, must not go backwards.
 */
#include "hooks.h"

static NOINLINE void nil(void)
{
	__asm__ volatile("");
}

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

static NOINLINE void mid(uint8_t n)
{
	while (n--)
		leaf();
	leaf();
}

#define TEN(x) x x x x x x x x x x

static NOINLINE void row(void)
{
	TEN(nil();) TEN(nil();) TEN(nil();)
}

static NOINLINE void deep(uint8_t n)
{
	nil();
	if (n)
		deep(n - 1);
	__asm__ volatile("");
}

/* Where many calls are open. Looking takes longer then: no times to compare. */
static NOINLINE void dive(uint8_t n)
{
	if (n)
		dive(n - 1);
	else
		hooks_watch();
	__asm__ volatile("");
}

void hooks_run(void)
{
	uint8_t round, i;

	for (round = 0; round < 60; round++) {
		for (i = 0; i < 20; i++)
			mid(i * 6);
		row();
		deep(round & 15);
		hooks_watch();
		dive(round & 15);
		hooks_watch();
	}
	for (round = 0; round < 60; round++) {
		TEN(nil();)		/* no call is open but these */
		hooks_watch();
	}
}
