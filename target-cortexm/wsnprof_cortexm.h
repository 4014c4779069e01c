/*
 * wsnprof_cortexm: the interface of an application on Cortex-M and the runtime.
 *
 * Counted arcs (WSNPROF_ARCS, -pg) need nothing. PC samples (WSNPROF_PCS) need a timer of the
 * application's, with the highest priority: wsnprof_sample_irq belongs in its vector, and the two
 * functions below are the application's.
 *
 *	[16 + TIMER_IRQ] = wsnprof_sample_irq,
 *
 *	void wsnprof_sample_ack(void) { TIMER->INTCLEAR = 1; }
 *	void wsnprof_sample_period(uint32_t ticks)
 *	{
 *		TIMER->RELOAD = ticks;
 *		TIMER->CTRL = ticks != 0;
 *	}
 *
 * Clock: DWT's CYCCNT, where it counts; else SysTick, which is turned on if it is off.
 * wsnprof_arch.h describes how to use another. An application with SysTick as its RTOS's tick calls
 * wsnprof_clock_tick() from it.
 */
#ifndef WSNPROF_CORTEXM_H
#define WSNPROF_CORTEXM_H

#include "wsnprof.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The timer's vector. Counts the interrupted instruction, calls wsnprof_sample_ack() first. */
void wsnprof_sample_irq(void) WSNPROF_QUIET;

/* The application's: the timer's interrupt is seen. Called in it. */
void wsnprof_sample_ack(void) WSNPROF_QUIET;

/*
 * The application's: interrupt every so many ticks of WSNPROF_SAMPLE_CLOCK; 0: never. Called by
 * wsnprof_init(), for the host's HZ, and with WSNPROF_JITTER in each interrupt, with the time to
 * the next one.
 */
void wsnprof_sample_period(uint32_t ticks) WSNPROF_QUIET;

/*
 * The clock went round. From SysTick's handler, once in each of its interrupts, where SysTick is
 * the clock: each call stands for a round of it, however long no instrumented call was made. From
 * any other interrupt it is a look at the clock, needed for clocks of less than 32 bits only, more
 * than once a round; instrumented calls, samples and wsnprof_poll() look themselves.
 */
void wsnprof_clock_tick(void) WSNPROF_QUIET;

/*
 * The application's, if it wants: the build-id's note as the linker script keeps it in flash (its
 * header, "GNU", the id). Without it the node sends a checksum of its flash.
 */
extern const uint32_t wsnprof_build_id[] __attribute__((weak));

/* WSNPROF_RAW: packets of the raw stream that found no room since wsnprof_init(). */
uint32_t wsnprof_raw_lost(void) WSNPROF_QUIET;

/*
 * wsnprof_task_init()'s memory, multiple of 4: calls that may be open at once, interrupts included.
 */
#define WSNPROF_TASK_BYTES(levels) (20 + 12 * ((levels) + 2))

/* What the compiler calls: -pg; -finstrument-functions. */
void __gnu_mcount_nc(void);
void __cyg_profile_func_enter(void *function, void *call_site) WSNPROF_QUIET;
void __cyg_profile_func_exit(void *function, void *call_site) WSNPROF_QUIET;

#ifdef __cplusplus
}
#endif

#endif
