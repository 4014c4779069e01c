/*
 * hooks: firmware for tests/sim/test_hooks.sh, a case a file: the AVR's hooks where they are most
 * likely to be wrong. hooks.py holds what the node then says against the simulator's truth. around
 * is Cortex-M's, too.
 */
#ifndef HOOKS_H
#define HOOKS_H

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#endif
#include <stdint.h>

#include "wsnprof_send.h"

#define QUIET __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))

/* CPU cycles, exactly; a constant. Cortex-M: instructions. */
#ifdef __AVR__
#define BURN(cycles) __builtin_avr_delay_cycles(cycles)
#else
#define BURN(cycles) __asm__ volatile(".rept %c0\n\tnop\n\t.endr" : : "i" (cycles))
#endif

/* The case. Profiling is on when it is called and goes off behind it. */
void hooks_run(void) QUIET;

/* Look at the run's ticks: they must never get less. */
void hooks_watch(void) QUIET;

/*
 * An application's timer, which the runtime only reads (WSNPROF_TIMER_READ), and its overflow
 * handler.
 */
void hooks_timer_begin(void) QUIET;

/* Text: "NAME 0000002a". */
void hooks_say(const char *name, uint32_t value) QUIET;

/* Stop profiling, send everything, end the simulation. */
void hooks_end(void) QUIET __attribute__((noreturn));

/* The table's row of the function, whose address is in words as in the row; NULL: none. */
uint8_t *hooks_row(void (*function)(void)) QUIET;

extern uint8_t wsnprof_table[];
extern volatile uint8_t hooks_sink;

/* The hooks' clock. */
#if WSNPROF_SUM

extern volatile uint16_t wsnprof_base;

/* An 8-bit timer's overflow that is pending counts, too. */
WSNPROF_INLINE uint16_t hooks_count(void)
{
	uint16_t count = WSNPROF_T;

#if WSNPROF_TIMER_8
	if (WSNPROF_T_FLAGS & _BV(WSNPROF_T_OVERFLOW))
		count = WSNPROF_T + 256;
#endif
	return count;
}

WSNPROF_INLINE uint16_t hooks_time(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint16_t time;

#if WSNPROF_TIMER_READ
	wsnprof_clock_look();		/* a wrap moves the clock on */
#endif
	time = wsnprof_base + hooks_count();
	wsnprof_unlock(mask);
	return time;
}

WSNPROF_INLINE void hooks_time_set(uint16_t time)
{
	wsnprof_mask mask = wsnprof_lock();

	wsnprof_base = time - hooks_count();
	wsnprof_last = (uint8_t)(time >> 8);
	wsnprof_unlock(mask);
}

#elif defined(__AVR__)

WSNPROF_INLINE uint16_t hooks_time(void)
{
	return WSNPROF_T;
}

WSNPROF_INLINE void hooks_time_set(uint16_t time)
{
	WSNPROF_T = time;
}

#endif

#endif
