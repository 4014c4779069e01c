/*
 * even: whatever a hook had to do, the program's clock has moved by the same amount: at its place,
 * next to it, further away, new, lost, a handler, long, with calls that a longjmp left behind. The
 * hooks are called here by hand, with sites of one place, and each time the clock is read before
 * and behind.
 */
#include "hooks.h"

void __cyg_profile_func_enter(void *to, void *from);
void __cyg_profile_func_exit(void *to, void *from);

#define PLACE 0x2010

static uint16_t entered, since, left, passed;

ISR(TIMER2_COMPA_vect)
{
}

ISR(TIMER0_COMPA_vect)
{
}

/* Calls of their own frames that never leave. */
static QUIET NOINLINE void levels_open(uint8_t n)
{
	if (!n)
		return;
	__cyg_profile_func_enter((void *)0x1235, (void *)0x3001);
	levels_open(n - 1);
	__asm__ volatile("");
}

static QUIET void call_hooks(uint16_t to, uint16_t from, uint8_t within)
{
	uint8_t *level = (uint8_t *)(GPIOR1 << 8 | GPIOR0);
	uint16_t t;

	hooks_time_set(0x4000);		/* far from a wrap */
	t = hooks_time();
	__cyg_profile_func_enter((void *)to, (void *)from);
	entered = hooks_time() - t;
	since = (uint16_t)(level[WSNPROF_OFFSET(level, t_high)] << 8 |
			   level[WSNPROF_OFFSET(level, t_low)]) - t;
	levels_open(within);
	hooks_time_set(hooks_time() + passed);
	t = hooks_time();
	__cyg_profile_func_exit((void *)to, (void *)from);
	left = t - hooks_time();
}

static QUIET void say(const char *name)
{
	hooks_say(name, (uint32_t)entered << 16 | (uint32_t)(since & 0xff) << 8 | (left & 0xff));
}

/* A call of hooks_say() that is never made: what is behind it, and who is called, is no handler. */
void even_behind(void);
static QUIET void even_call(void)
{
	__asm__ volatile("rjmp 1f\n\tcall hooks_say\n.global even_behind\neven_behind:\n1:");
}

/* New call sites, known ones, and those of a pointer to functions. */
static QUIET void run_places(void)
{
	static const char *const names[] = {
		"place", "next", "two", "three", "four", "five", "six", "seven", "eight",
	};
	uint16_t i;

	for (i = 0; i < 9; i++) {
		uint16_t place = PLACE + 12 * i, n;

		for (n = 0; n < i; n++)	/* so many slots in use */
			call_hooks(0x1234, place + n, 0);
		call_hooks(0x1234, place + WSNPROF_SITES, 0);
		if (i % 8 == 0)
			say(i ? "new8" : "new");
		call_hooks(0x1234, place + WSNPROF_SITES, 0);
		say(names[i]);
	}
	for (i = 0; i < 18; i++) {	/* of one place: a pointer to functions */
		call_hooks(0x1234 + i % 9, 0x20fc, 0);	/* at the table's end */
		if (i == 17)
			say("pointer");
	}
	even_call();
	call_hooks((uint16_t)hooks_say, (uint16_t)even_behind, 0);
	say("called");
}

static QUIET void run_handlers(void)
{
	uint16_t i;

	for (i = 0; i < 2; i++) {
		call_hooks((uint16_t)TIMER2_COMPA_vect, PLACE + 5 * i, 0);
		sei();			/* its reti */
		say(i ? "handler" : "newhandler");
	}
	cli();
	call_hooks((uint16_t)TIMER2_COMPA_vect, PLACE + 17, 0);
	sei();
	say("off");
	call_hooks((uint16_t)TIMER0_COMPA_vect, PLACE, 0);
	sei();
	say("another");
	call_hooks(0x1234, PLACE + 12 * 8 + WSNPROF_SITES, 0);
	say("behind");
	cli();
	call_hooks(0x1234, PLACE + 12 * 8 + WSNPROF_SITES, 0);
	sei();
	say("behindoff");
}

/* What finds no slot: places that look alike, and a full table. */
static QUIET void run_lost(void)
{
	uint16_t i;

	for (i = 0; i < 9; i++)		/* alike in the bytes that are looked at first */
		call_hooks(0x1234, 0x2184 + 256 * i, 0);
	call_hooks(0x1234, 0x2184 + 256 * 8, 0);
	say("alike");
	for (i = 0; i < WSNPROF_SITES; i++)
		call_hooks(0x1235, 0x3001 + i, 0);
	call_hooks(0x1236, 0x3188, 0);
	say("lost");
	__cyg_profile_func_enter((void *)0x1234, (void *)(PLACE + WSNPROF_SITES));
	call_hooks(0x1236, 0x3188, 0);
	say("lostwithin");
	__cyg_profile_func_exit((void *)0x1234, (void *)(PLACE + WSNPROF_SITES));
}

void hooks_run(void)
{
	static const char *const cuts[] = { "again", "cutone", "cuttwo" };
	uint16_t i;

	run_places();
	run_handlers();
	run_lost();
	for (i = 0; i < 3; i++) {
		call_hooks(0x1234, PLACE + WSNPROF_SITES, i);
		say(cuts[i]);
	}
	passed = 0x8800;
	call_hooks(0x1234, PLACE + WSNPROF_SITES, 0);
	say("long");
	call_hooks((uint16_t)TIMER2_COMPA_vect, PLACE + 5, 0);
	say("longhandler");
}
