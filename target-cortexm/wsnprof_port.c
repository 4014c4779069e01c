/* wsnprof_port: what the portable half asks for, put together from this folder's parts. */
#include <stddef.h>

#include "wsnprof_cache.h"
#include "wsnprof_clock.h"
#include "wsnprof_cortexm.h"
#include "wsnprof_send.h"
#if WSNPROF_TRACE
#include "wsntrace_send.h"
#endif

volatile bool wsnprof_on;

uint16_t wsnprof_cost;
int16_t wsnprof_skew;
#if WSNPROF_TIMED
uint16_t wsnprof_spread;
#endif

uint16_t wsnprof_pace(void)
{
#if WSNPROF_CACHES && !WSNPROF_RAW && !WSNPROF_LEAST
	wsnprof_cache_close();
#endif
	return wsnprof_run_step();
}

void wsnprof_port_run(uint32_t run[2])
{
	(void)run;		/* where it is counted already */
	wsnprof_run_step();
#if WSNPROF_CACHES && !WSNPROF_RAW && !WSNPROF_LEAST
	wsnprof_cache_due();
#endif
}

/* --- own cost ------------------------------------------------------------------------------ */

#if WSNPROF_TIMED
#define ROUNDS 16
#define TRIES 4

#if WSNPROF_AS
/*
 * Calls of an empty function from one site, with hooks or without: three instructions a call, and
 * the function's.
 * `wsntop doctor` knows the functions of this file that call hooks by their names.
 */
static WSNPROF_QUIET void calls_make(uint32_t calls) __attribute__((noinline));
static void calls_make(uint32_t calls)
{
	__asm__ volatile (
		".syntax unified\n"
		"	b	3f\n"
		"	.p2align 2\n"
#if WSNPROF_THUMB1
		"1:	mov	ip, lr\n"
		"	bl	wsnprof_timed_enter\n"
		"	push	{lr}\n"
		"	bl	wsnprof_timed_exit\n"
		"	pop	{pc}\n"
#else
		"1:	adr.w	ip, 2f+1\n"
		"	b.w	wsnprof_timed_enter\n"
		"2:	b.w	wsnprof_timed_exit\n"
#endif
		"3:	bl	1b\n"
		"	subs	%0, #1\n"
		"	bne	3b"
		: "+l" (calls) : : "ip", "lr", "cc", "memory");
}

WSNPROF_INLINE void returns_make(uint32_t calls)
{
	__asm__ volatile (
		".syntax unified\n"
		"	b	3f\n"
		"1:	bx	lr\n"
		"3:	bl	1b\n"
		"	subs	%0, #1\n"
		"	bne	3b"
		: "+l" (calls) : : "lr", "cc", "memory");
}

/* Instructions from the one hook's reading of the clock to the other's, of an empty call. */
#define BETWEEN (WSNPROF_THUMB1 ? 29 : 21 - WSNPROF_FAULTMASK)

/*
 * Of calls behind the first ones, which make the row and its bounds: the ticks by which they take
 * longer with hooks; what the hooks measured, and by how much at most that differed.
 */
static WSNPROF_QUIET uint32_t calls_of_nothing(uint32_t *measured, uint32_t *apart)
{
	uint32_t *row = wsnprof_sites, start, bare, took;

	wsnprof_sites_clear();
	wsnprof_sites_start();
	calls_make(1);
	while (row[WSNPROF_FUNCTION] == 0)
		row += WSNPROF_SITE_WORDS;
	row[WSNPROF_MIN] = UINT32_MAX;
	row[WSNPROF_RANGE] = 0;
	calls_make(ROUNDS);
	row[WSNPROF_TOTAL] = 0;
	start = wsnprof_clock();
	returns_make(ROUNDS);
	bare = wsnprof_since(start, wsnprof_clock());
	start = wsnprof_clock();
	calls_make(ROUNDS);
	took = wsnprof_since(start, wsnprof_clock());
	wsnprof_sites_stop();
	*measured = row[WSNPROF_TOTAL];
	*apart = WSNPROF_LEVEL > 1 ? row[WSNPROF_RANGE] : 1;
	return took - bare;
}

/*
 * Measured is what lies between the hooks' readings: the skew, but for the return, one instruction.
 * What differs between functions is one or two more, and where the clock's ticks begin.
 */
static WSNPROF_QUIET void calibrate(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t took = UINT32_MAX, measured = 0, apart = 0;

	wsnprof_on = true;
	wsnprof_hook.cost = wsnprof_hook.outside = 0;
	for (unsigned n = 0; n < TRIES; n++) {	/* the first ones fill caches */
		uint32_t between, range, now = calls_of_nothing(&between, &range);

		if (now < took) {
			took = now;
			measured = between * (16 / ROUNDS);
			apart = range;
		}
	}
	wsnprof_hook.cost = (took + ROUNDS / 2) / ROUNDS;
	wsnprof_hook.outside = wsnprof_hook.cost / 4;
	wsnprof_cost = (uint16_t)(took * (16 / ROUNDS));
	wsnprof_skew = (int16_t)(measured - measured / BETWEEN);
	wsnprof_spread = (uint16_t)(2 * measured / BETWEEN + 16 * (2 + apart));
	wsnprof_on = false;
	wsnprof_unlock(mask);
}
#else
/*
 * Instructions of a hook outside of its two readings of the clock, the readings counted once:
 * before the first, and behind the second. 3 more are the call of a hook with its arguments. One
 * that extends a clock, or is the application's, counts as one that is found out.
 */
#if defined(WSNPROF_CLOCK_CAPTURE)
#define OUTER 12
#elif WSNPROF_SYSTICK_ALONE
#define OUTER (WSNPROF_THUMB1 ? 13 : 12)
#elif defined(WSNPROF_CLOCK_ADDRESS) && WSNPROF_CLOCK_DIRECT
#define OUTER 9
#else
#define OUTER 11
#endif
#define PART (64 * OUTER / (OUTER + 3))

/*
 * Empty calls: three instructions a hook and two a call, whatever the compiler makes of C. The host
 * counts them (core/image/calibration.h).
 */
WSNPROF_INLINE void calls_make(void *function, void *site, uint32_t calls)
{
	__asm__ volatile (
		".syntax unified\n"
		"1:	mov	r1, %2\n\t"
		"mov	r0, %1\n\t"
		"bl	__cyg_profile_func_enter\n\t"
		"mov	r1, %2\n\t"
		"mov	r0, %1\n\t"
		"bl	__cyg_profile_func_exit\n\t"
		"subs	%0, #1\n\t"
		"bne	1b"
		: "+l" (calls) : "l" (function), "l" (site)
		: "r0", "r1", "r2", "r3", "ip", "lr", "cc", "memory");
}

/*
 * Empty calls, from a call site that no program has. The first one makes the row, and is not
 * counted. Returns the ticks that the others took. `wsntop doctor` knows this function, the next
 * one and calibrate() by their names: they may call the hooks.
 */
static WSNPROF_QUIET uint32_t calls_of_nothing(void)
{
	void *const function = (void *)1;
	void *const site = (void *)1;		/* slot 0 */
	uint32_t start;

	wsnprof_sites_clear();
	wsnprof_sites_start();
	calls_make(function, site, 1);
	wsnprof_sites[WSNPROF_TOTAL] = 0;
	wsnprof_sites[WSNPROF_MIN] = UINT32_MAX;
	wsnprof_sites[WSNPROF_RANGE] = 0;
	start = wsnprof_clock();
	calls_make(function, site, ROUNDS);
	wsnprof_sites_stop();
	return wsnprof_since(start, wsnprof_clock());
}

/*
 * Ticks between the longest and the shortest measured call of the best try; at level 1 not known:
 * 1.
 */
static uint32_t apart;

/*
 * The shortest time of several tries, and the total that the hooks measured: the first tries fill
 * caches, or make an emulator translate.
 */
static WSNPROF_QUIET uint32_t least_of_nothing(uint32_t *measured)
{
	uint32_t took = UINT32_MAX;

	*measured = UINT32_MAX;
	for (unsigned n = 0; n < TRIES; n++) {
		uint32_t now = calls_of_nothing();

		took = now < took ? now : took;
		if (wsnprof_sites[WSNPROF_TOTAL] < *measured) {
			*measured = wsnprof_sites[WSNPROF_TOTAL];
			apart = WSNPROF_LEVEL > 1 ? wsnprof_sites[WSNPROF_RANGE] : 1;
		}
	}
	return took;
}

/*
 * The enter hook stops the time between its first and its last reading of the clock. The measured
 * duration of an empty call is therefore: the enter hook's last instructions, the call of the exit
 * hook with its arguments, and that hook's first instructions. PART 64ths of it are the hooks', and
 * as much lies outside of the readings of each hook. The rest, the call itself, keeps durations
 * above 0. It is the skew.
 *
 * The spread is the sum of three errors. Around a real call the compiler has other instructions, at
 * most as many as around an empty one: the skew. The clock's readings, and the time taken back, are
 * whole ticks: 2. And the difference between the empty calls.
 */
static WSNPROF_QUIET void calibrate(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t measured;

	wsnprof_on = true;
	wsnprof_hook.outside = 0;
	least_of_nothing(&measured);
	wsnprof_hook.outside = (measured * PART / 64 + ROUNDS / 2) / ROUNDS;
	wsnprof_cost = (uint16_t)(least_of_nothing(&measured) * 16 / ROUNDS);
	wsnprof_skew = (int16_t)(measured * 16 / ROUNDS);
	measured = measured * 16 / ROUNDS + 16 * (2 + apart);
	wsnprof_spread = (uint16_t)(measured < 0xffff ? measured : 0xffff);
	wsnprof_on = false;
	wsnprof_unlock(mask);
}
#endif
#endif

/* --- samples ------------------------------------------------------------------------------- */

#if WSNPROF_PCS > 0
uint16_t wsnprof_hz;

#define PERIOD_OF(hz) ((uint32_t)WSNPROF_SAMPLE_CLOCK / (hz))

#if WSNPROF_JITTER
static uint32_t mean_period = PERIOD_OF(WSNPROF_HZ);

/* Three quarters of it, and up to half of it more: Marsaglia's xorshift (2003). */
static WSNPROF_QUIET void period_jitter(void)
{
	static uint32_t x = 0x2545f491;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	wsnprof_sample_period(mean_period - (mean_period >> 2) +
			      (((mean_period >> 1) * (x >> 16)) >> 16));
}
#endif

WSNPROF_INLINE void hz_set(uint16_t hz, uint32_t gap)
{
	wsnprof_hz = hz;
#if WSNPROF_JITTER
	mean_period = gap;
#endif
	wsnprof_sample_period(gap);
}

void wsnprof_port_hz(uint16_t hz)
{
	hz_set(hz, hz ? PERIOD_OF(hz) : 0);
}

#if WSNPROF_SAMPLE_MORE
void wsnprof_sample_more(void)
{
#if WSNPROF_JITTER
	period_jitter();
#endif
	wsnprof_clock_tick();
}
#endif
#endif

/* --- life cycle ---------------------------------------------------------------------------- */

#define ARC_MEASURED (WSNPROF_ARCS > 0 && !WSNPROF_TIMED && !WSNPROF_RAW && !WSNPROF_LEAST)

#if ARC_MEASURED
/*
 * Calls as the compiler makes them, of one arc, which has a row from the first on: the hook leaves
 * lr as it was. Of their instructions 19 of 21 are a call's (v6-M 25 of 27), the loop has the rest.
 */
static WSNPROF_QUIET void arc_measure(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t calls = 256, start;

	wsnprof_cache_clear();
	wsnprof_cache_turn();
	wsnprof_on = true;
	start = wsnprof_clock();
	__asm__ volatile(".syntax unified\n"
			 "1:	push	{lr}\n"
			 "	bl	__gnu_mcount_nc\n"
			 "	subs	%0, #1\n"
			 "	bne	1b"
			 : "+l" (calls) : : "ip", "lr", "cc", "memory");
	wsnprof_cost = (uint16_t)(wsnprof_since(start, wsnprof_clock()) * 29 >> 9);
	wsnprof_on = false;
	wsnprof_unlock(mask);
}
#endif

#if WSNPROF_TRACE
/*
 * Calls that call nothing, in the main program's lane, which is cleared behind. 19 of 23
 * instructions are the hook's and its call's (v6-M 24 of 28). A packet stack's calls take 4 thirds
 * of these, with their returns and stamps (bench/node-cortexm).
 */
static WSNPROF_QUIET void leaf_measure(void)
{
	struct wsntrace_lane *l = &wsntrace_main.lane;
	wsnprof_mask mask = wsnprof_lock();
	uint32_t calls = 128, start;

	l->is.w = (uint32_t)l->tokens;
	l->is.end = (uint32_t)&l->none;
	start = wsnprof_clock();
	__asm__ volatile(".syntax unified\n"
			 "	b	2f\n"
			 "	.hword	0x81\n"
			 "1:	mov	ip, lr\n"
			 "	bl	wsntrace_leaf\n"
			 "	bx	lr\n"
			 "2:	bl	1b\n"
			 "	subs	%0, #1\n"
			 "	bne	2b"
			 : "+l" (calls) : : "ip", "lr", "cc", "memory");
	wsnprof_cost = (uint16_t)(wsnprof_since(start, wsnprof_clock()) * 9 >> 6);
	wsnprof_unlock(mask);
}
#endif

void wsnprof_port_init(void)
{
	wsnprof_clock_init();
#if WSNPROF_TIMED
	calibrate();
#elif ARC_MEASURED
	arc_measure();
#elif WSNPROF_TRACE
	leaf_measure();
#endif
#if WSNPROF_PCS > 0
	hz_set(WSNPROF_HZ, PERIOD_OF(WSNPROF_HZ));
#endif
}

void wsnprof_port_start(void)
{
	wsnprof_mask mask = wsnprof_lock();

	wsnprof_run_step();
#if WSNPROF_CACHES && !WSNPROF_RAW
	wsnprof_cache_turn();
#endif
#if WSNPROF_SITES > 0
	wsnprof_sites_start();
#endif
#if WSNPROF_TRACE
	wsntrace_start();
#endif
	wsnprof_on = true;
	wsnprof_unlock(mask);
}

void wsnprof_port_stop(void)
{
	wsnprof_mask mask = wsnprof_lock();

	wsnprof_run_step();
#if WSNPROF_TRACE
	wsntrace_stop();
#endif
	wsnprof_on = false;
#if WSNPROF_ASIDE
	wsnprof_polling = false;
#endif
#if WSNPROF_CACHES && !WSNPROF_RAW
	wsnprof_cache_turn();
#endif
#if WSNPROF_SITES > 0
	wsnprof_sites_stop();
#endif
	wsnprof_unlock(mask);
}

/* --- rows ---------------------------------------------------------------------------------- */

void wsnprof_rows_clear(void)
{
#if WSNPROF_CACHES && !WSNPROF_RAW
	wsnprof_cache_clear();
#endif
#if WSNPROF_SITES > 0
	wsnprof_sites_clear();
#endif
#if WSNPROF_TRACE
	wsntrace_init();
#endif
}

#if WSNPROF_SITES > 0 || WSNPROF_RAW
uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
#if WSNPROF_SITES > 0
	if (type == WSNPROF_TYPE_SITES)
		return wsnprof_site_put(slot, want, p);
#endif
#if WSNPROF_CACHES && !WSNPROF_RAW
	return wsnprof_cache_put(type, slot, want, p);
#else
	(void)type;
	(void)slot;
	(void)want;
	(void)p;
	return NULL;
#endif
}
#endif
