/* wsnprof_sites: the clock on and off, the table's rows for the sender, own cost. */
#include <string.h>

#include "wsnprof_sites.h"

#if WSNPROF_PRESCALE == 1
#define CLOCK_SELECT _BV(CS10)
#elif WSNPROF_PRESCALE == 8
#define CLOCK_SELECT _BV(CS11)
#elif WSNPROF_PRESCALE == 64
#define CLOCK_SELECT (_BV(CS11) | _BV(CS10))
#elif WSNPROF_PRESCALE == 256
#define CLOCK_SELECT _BV(CS12)
#elif WSNPROF_PRESCALE == 1024
#define CLOCK_SELECT (_BV(CS12) | _BV(CS10))
#else
#error "WSNPROF_PRESCALE: 1, 8, 64, 256 or 1024"
#endif

uint16_t wsnprof_cost;
int16_t wsnprof_skew;

#if WSNPROF_LEVEL > 0

WSNPROF_INLINE void stack_set(struct wsnprof_level *behind)
{
	GPIOR0 = (uint8_t)(uint16_t)behind;
	GPIOR1 = (uint8_t)((uint16_t)behind >> 8);
}

/* Off: full, and the innermost level is no call's. */
WSNPROF_INLINE void hooks_off(void)
{
	wsnprof_stack[WSNPROF_STACK - 1].site = wsnprof_table_end;
	stack_set(wsnprof_stack + WSNPROF_STACK);
}

WSNPROF_INLINE void hooks_on(void)
{
	memset(wsnprof_stack, 0, sizeof(wsnprof_stack));
	wsnprof_deep = 0;
	wsnprof_stack[0].sp = 0xffff;
	wsnprof_stack[0].site = wsnprof_table_end;
	stack_set(wsnprof_stack + 1);
}

/* Wraps that the open levels hold. */
static WSNPROF_QUIET uint16_t wraps_open(void)
{
	struct wsnprof_level *l = (struct wsnprof_level *)(GPIOR1 << 8 | GPIOR0);
	uint16_t wraps = 0;

	while (l-- != wsnprof_stack)
		wraps += l->wraps_high * WSNPROF_WRAPS_BASE + l->wraps_low;
	return wraps;
}

#else

WSNPROF_INLINE void hooks_off(void)
{
	GPIOR0 = 0;
}

WSNPROF_INLINE void hooks_on(void)
{
	GPIOR0 = 1;
}

WSNPROF_INLINE uint16_t wraps_open(void)
{
	return 0;
}

#endif

void wsnprof_port_start(void)
{
	wsnprof_mask mask = wsnprof_lock();

	hooks_on();
	TCNT1 = wsnprof_run.t;
	TIFR1 = _BV(TOV1);
	wsnprof_running = 1;
	wsnprof_unlock(mask);
}

/* The run so far, into wsnprof_run's terms. Interrupts are off. */
static WSNPROF_QUIET void run_read(struct wsnprof_run *run)
{
	*run = wsnprof_run;
	if (!wsnprof_running)
		return;
	run->t = wsnprof_clock();
	run->wraps += wraps_open();
}

void wsnprof_port_stop(void)
{
	wsnprof_mask mask = wsnprof_lock();

	run_read(&wsnprof_run);
	hooks_off();
	wsnprof_running = 0;
	wsnprof_unlock(mask);
}

void wsnprof_port_run(uint32_t ticks[2])
{
	wsnprof_mask mask = wsnprof_lock();
	struct wsnprof_run run;

	run_read(&run);
	wsnprof_unlock(mask);
	ticks[0] = run.wraps << 16 | run.t;
	ticks[1] = run.wraps >> 16;
}

void wsnprof_rows_clear(void)
{
	memset(wsnprof_table, 0, sizeof(wsnprof_table));
#if WSNPROF_LEVEL > 2
	memset(wsnprof_buckets, 0, sizeof(wsnprof_buckets));
#endif
	memset(&wsnprof_run, 0, sizeof(wsnprof_run));
}

/* What an instrumented function with nothing in it is made of. */
static __attribute__((noinline)) WSNPROF_QUIET void empty(void)
{
	__cyg_profile_func_enter((void *)empty, __builtin_return_address(0));
	__cyg_profile_func_exit((void *)empty, __builtin_return_address(0));
}

/* An empty function with the hooks and its duration; call and ret are its own. */
static WSNPROF_QUIET void calibrate(void)
{
	const struct wsnprof_site *site;
	uint16_t begin;
	uint8_t i;

	memset(wsnprof_table, 0, sizeof(wsnprof_table));
	wsnprof_port_start();
	for (i = 0; i < 2; i++) {	/* the first finds no row */
		begin = TCNT1;
		empty();
		wsnprof_cost = (TCNT1 - begin + WSNPROF_TAKEN) * 16;
	}
	wsnprof_port_stop();
	for (site = wsnprof_table; !site->from; site++)
		;
#if WSNPROF_LEVEL > 0
	wsnprof_skew = (int16_t)(site->total / 2 * 16);
#endif
}

void wsnprof_port_init(void)
{
	wsnprof_mask mask = wsnprof_lock();

	TCCR1A = 0;
	TCCR1B = CLOCK_SELECT;
	TIMSK1 = _BV(TOIE1);
	hooks_off();
	calibrate();
	wsnprof_unlock(mask);
}

/* A slot that is wanted, as it is now, in `site`; it is marked as sent. */
static WSNPROF_QUIET bool row_take(struct wsnprof_site *s, uint8_t want, struct wsnprof_site *site)
{
	wsnprof_mask mask;
	uint32_t calls;

	if (want == WSNPROF_WANT_ANY ? !(s->from | s->to)
				     : s->fresh <= (want == WSNPROF_WANT_HOT ? 32 : 0))
		return false;
	mask = wsnprof_lock();
	if (s->to) {
		calls = (s->calls[0] | (uint32_t)s->calls[1] << 8 | (uint32_t)s->calls[2] << 16) + s->fresh;
		s->calls[0] = (uint8_t)calls;
		s->calls[1] = (uint8_t)(calls >> 8);
		s->calls[2] = (uint8_t)(calls >> 16);
		if (calls >> 24)
			wsnprof_carry(s);
	}
	s->fresh = 0;
	*site = *s;
	wsnprof_unlock(mask);
	return true;
}

uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	struct wsnprof_site s;

	(void)type;
	if (!row_take(&wsnprof_table[slot], want, &s))
		return NULL;
	if (!s.to)
		s.from = (uint16_t)((struct wsnprof_site *)s.from - wsnprof_table);
	p = wsnprof_varint(p, s.from);
	p = wsnprof_varint(p, s.to);
	p = wsnprof_varint(p, s.calls[0] | (uint32_t)s.calls[1] << 8 | (uint32_t)s.calls[2] << 16);
#if WSNPROF_LEVEL > 0
	p = wsnprof_varint(p, s.total);
#endif
#if WSNPROF_LEVEL > 1
	p = wsnprof_varint(p, s.min);
	p = wsnprof_varint(p, s.max);
#endif
	return p;
}
