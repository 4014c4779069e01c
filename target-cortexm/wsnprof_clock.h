/*
 * wsnprof_clock: the clock (wsnprof_arch.h: which), and what is counted with it. For the
 * runtime's own files.
 *
 * A stamp is the time as the application knows it: the clock less what the hooks and instrumented
 * handlers took. A clock that counts down makes stamps that do.
 */
#ifndef WSNPROF_CLOCK_H
#define WSNPROF_CLOCK_H

#include "wsnprof_sites.h"

/* Turn it on, where it is ours. */
void wsnprof_clock_init(void) WSNPROF_QUIET;

/* Extended to 32 bits, upwards; WSNPROF_CLOCK_SOFT. From anywhere. */
uint32_t wsnprof_clock_soft(void) WSNPROF_QUIET;

/*
 * SysTick: the clock where the counter was at `now` after it rose, or while its interrupt was
 * pending. Interrupts are off.
 */
uint32_t wsnprof_clock_round(uint32_t now) WSNPROF_QUIET;

#if WSNPROF_CLOCK_BOTH && WSNPROF_SITES == 0
/* NULL: extended by software. */
extern const volatile uint32_t *wsnprof_clock_at;
#endif

/* WSNPROF_CLOCK_INCLUDE's, in wsnprof_hooks.S. */
uint32_t wsnprof_clock_raw(void) WSNPROF_QUIET;

/* With interrupts off. */
WSNPROF_INLINE uint32_t wsnprof_stamp(void)
{
	uint32_t clock = wsnprof_clock();

#if WSNPROF_TIMED
	return WSNPROF_COUNTS_DOWN ? clock + wsnprof_hook.taken : clock - wsnprof_hook.taken;
#else
	return clock;
#endif
}

/* Ticks from one stamp to the next; 0 where it went back (wsnprof_arch.h: why). */
WSNPROF_INLINE uint32_t wsnprof_since(uint32_t start, uint32_t now)
{
	uint32_t ticks = WSNPROF_COUNTS_DOWN ? start - now : now - start;

	return ticks >= -(uint32_t)WSNPROF_TIME_BACK ? 0 : ticks;
}

/*
 * wsnprof_counts.run: ticks while profiling was on. _step: counts them up to now and returns the
 * pace (wsnprof_port.h); call it at least every 3 * 2^30 ticks. _from: they continue from this
 * stamp.
 */
uint16_t wsnprof_run_step(void) WSNPROF_QUIET;
void wsnprof_run_from(uint32_t stamp) WSNPROF_QUIET;

#if WSNPROF_ASIDE
/* wsnprof_poll_begin() was called, and its time is to be taken out: profiling is on since. */
extern bool wsnprof_polling;
#endif

#endif
