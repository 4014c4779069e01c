/*
 * carry: counters that pass their width. Rows are set to shortly before that: hooks.py knows to
 * what. At level 0 the table has room for one extension alone: the second carry is lost, and
 * counted.
 */
#include "hooks.h"

#include <string.h>

static NOINLINE void many(void)
{
	BURN(20);
}

static NOINLINE void sent(void)
{
	BURN(20);
}

/* In the row of a function that has been called once: what it had before that. */
static QUIET void set_calls(void (*function)(void), uint32_t calls)
{
	memcpy(hooks_row(function) + WSNPROF_OFFSET(site, calls), &calls, 3);
}

static QUIET void carry_calls(void)
{
	uint16_t i;

	for (i = 0; i < 600; i++) {	/* in the hook: 255 at once */
		many();
		if (i == 0)
			set_calls(many, 0xffff80);
	}
	for (i = 0; i < 5; i++) {	/* in the sender, which adds up what is fresh */
		sent();
		if (i == 0)
			set_calls(sent, 0xfffffd);
	}
}

#if WSNPROF_LEVEL > 0

static NOINLINE void over16(void)
{
	BURN(300);
}

static NOINLINE void over24(void)
{
	BURN(300);
}

static NOINLINE void over32(void)
{
	BURN(300);
}

static NOINLINE void slow32(void)
{
	BURN(40000);
}

static QUIET void set_total(void (*function)(void), uint32_t total)
{
	memcpy(hooks_row(function) + WSNPROF_OFFSET(site, total), &total, 4);
}

static QUIET void call(void (*function)(void), uint32_t total)
{
	uint8_t i;

	for (i = 0; i < 11; i++) {
		function();
		if (i == 0)
			set_total(function, total);
	}
}

void hooks_run(void)
{
	carry_calls();
	call(over16, 0xff00);
	call(over24, 0xffff00);
	call(over32, 0xffffff00);
	call(over32, 0xffffff00);
	call(slow32, 0xffffff00);
	hooks_watch();
}

#else

static NOINLINE void other(void)
{
	BURN(20);
}

void hooks_run(void)
{
	other();
	carry_calls();
}

#endif
