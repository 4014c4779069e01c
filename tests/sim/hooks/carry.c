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

/* The innermost open call began so many overflows of the timer earlier. */
static QUIET void set_wraps(uint16_t wraps)
{
	uint8_t *level = (uint8_t *)(GPIOR1 << 8 | GPIOR0) - WSNPROF_LEVEL_BYTES;

	memcpy(level + WSNPROF_OFFSET(level, wraps), &wraps, 2);
}

/* 2^32 ticks and more: itself, its caller, a caller that gets there in another call's return. */
static NOINLINE void eon(void)
{
	set_wraps(0xfffe);
	BURN(200000);
}

static NOINLINE void eon_caller(void)
{
	eon();
	BURN(1000);
}

static NOINLINE void child(void)
{
	BURN(200000);
}

static NOINLINE void crossing(void)
{
	set_wraps(0xfffe);
	child();
	BURN(1000);
}

/* Both nearly there: together 2^33. */
static NOINLINE void twice_child(void)
{
	set_wraps(0xffff);
	BURN(1000);
}

static NOINLINE void twice(void)
{
	set_wraps(0xffff);
	twice_child();
}

void hooks_run(void)
{
	carry_calls();
	eon_caller();
	crossing();
	twice();
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
