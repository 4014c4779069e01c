/*
 * wsnprof_port: the AVR half, for the portable half (target-common/wsnprof_send.h) and for drivers.
 *
 * It takes a 16-bit timer (WSNPROF_TIMER), GPIOR0 and GPIOR1. The timer runs on in idle sleep and
 * stands still in the deeper ones. Time is virtual: what the hooks and instrumented handlers take
 * is not in it.
 * Interrupts must not stay off for longer than 32,768 ticks, or the clock loses 65,536.
 *
 *	wsnprof_hooks.S		memory, start-up, the table's search, the overflow interrupt;
 *				includes
 *	wsnprof_timer.inc	how the timer is read and set back
 *	wsnprof_enter.inc	the enter hook
 *	wsnprof_clock.inc	carries, the clock
 *	wsnprof_exit.inc	the exit hook
 *	wsnprof_timed.inc	the hooks of `wsntop as` (WSNPROF_AS)
 *	wsnprof_poll.inc	wsnprof_poll(), out of the time
 *	wsnprof_sites.inc	clock on and off, own cost, rows for the sender
 *	wsnprof_rows.c		rows for the text report (WSNPROF_TEXT)
 *	wsnprof_tasks.c		a call stack for each task (WSNPROF_TASKS)
 *	wsnprof_send.S		the sender's inner loops
 *	wsnprof_isr.S		handlers that take themselves out of the time
 *	wsnprof_udre.S		USART 0's sending interrupt
 *	wsntrace_hooks.S	call traces (WSNPROF_TRACE): the hooks
 *	wsntrace_bits.S, .c	the same without a table (WSNPROF_TRACE 3 to 6)
 *	wsntrace_bits_jumps.c	its longjmp(); wsntrace_bits_lane.h: a lane
 *	wsntrace_flow.S		its hooks of control flow (WSNPROF_TRACE 6)
 *	wsntrace_clock.c	the clock without the other hooks
 *	wsnprof_uart.c		USART 0 as the transmitter; an application may have its own
 */
#ifndef WSNPROF_PORT_H
#define WSNPROF_PORT_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#include "wsnprof.h"
#include "wsnprof_arch.h"
#include "wsnprof_flash.h"
#include "wsnprof_protocol.h"

#define WSNPROF_INLINE \
	static inline __attribute__((always_inline, no_instrument_function, unused))

/* --- HELLO's constants --------------------------------------------------------------------- */

#ifdef __AVR_3_BYTE_PC__
#define WSNPROF_ARCH WSNPROF_ARCH_AVR22
#else
#define WSNPROF_ARCH WSNPROF_ARCH_AVR
#endif
#define WSNPROF_UNIT 2
#define WSNPROF_BASE 0
#define WSNPROF_TICKS_PER_SECOND (F_CPU / WSNPROF_PRESCALE)

#if WSNPROF_TRACE
#define WSNPROF_FEATURES WSNPROF_F_TRACE
#else
#define WSNPROF_FEATURES (WSNPROF_F_SITES | \
	(WSNPROF_LEVEL > 0 ? WSNPROF_F_TIMED : 0) | \
	(WSNPROF_LEVEL > 0 && WSNPROF_HANDLERS > 0 ? WSNPROF_F_ISR : 0) | \
	(WSNPROF_LEVEL > 1 ? WSNPROF_F_MINMAX | WSNPROF_F_CODED : 0) | \
	(WSNPROF_LEVEL > 2 ? WSNPROF_F_HISTOGRAM : 0) | \
	(WSNPROF_TAKES_BACK ? WSNPROF_F_TAKEN_BACK | WSNPROF_F_OWN_ISR : 0))
#endif
#define WSNPROF_BUCKET_BYTE \
	(WSNPROF_LEVEL > 2 ? WSNPROF_BUCKET_STEP << 4 | WSNPROF_BUCKET_FIRST : 0)

/* Calls that may be open at once: a level is the stack's own. */
#define WSNPROF_LEVELS (WSNPROF_LEVEL > 0 || WSNPROF_TRACE ? WSNPROF_STACK - 1 : 0)

/*
 * Sixteenths of a tick. The compiler's part of a call is between 32 and 48 cycles, by the
 * function: so many 95 calls of 100 are off at most, and of those within each (-O0 spills more). A
 * slow clock is read to a tick.
 */
#if WSNPROF_AS
#define WSNPROF_SPREAD_CYCLES 2	/* a jump to the exit hook that a `ret` in the middle becomes */
#elif defined(__OPTIMIZE__)
#define WSNPROF_SPREAD_CYCLES 13
#else
#define WSNPROF_SPREAD_CYCLES 33
#endif
#define WSNPROF_SPREAD \
	(16 * WSNPROF_SPREAD_CYCLES / WSNPROF_PRESCALE + (WSNPROF_PRESCALE > 1 ? 16 : 0))

/*
 * A task's memory: see wsnprof_switch(). A task that is switched out with more calls open loses
 * the innermost ones.
 */
#define WSNPROF_TASK_BYTES(levels) (WSNPROF_TRACE ? 1 : 8 + 8 * (levels))

/* --- the sender's -------------------------------------------------------------------------- */

typedef uint8_t wsnprof_mask;

WSNPROF_INLINE wsnprof_mask wsnprof_lock(void)
{
	wsnprof_mask mask = SREG;

	cli();
	return mask;
}

#define WSNPROF_WAS_LOCKED(mask) (!((mask) & _BV(SREG_I)))

WSNPROF_INLINE void wsnprof_unlock(wsnprof_mask mask)
{
	__asm__ volatile("" ::: "memory");
	SREG = mask;
}

/*
 * Paces the refreshes, off or on: counts 65,536 ticks each (256 with a prescaler). The wraps that
 * taking back hides are made up for by one count per 255 calls of a site.
 */
extern volatile uint16_t wsnprof_wraps;
#if WSNPROF_SUM
extern volatile uint8_t wsnprof_last;	/* the clock's high byte when it was looked at */
#endif
#if WSNPROF_TIMER_READ
/*
 * The application's, for a clock that is only read (WSNPROF_TIMER_READ). Look at it, from anywhere
 * but in a WSNPROF_ISR(); with 2: tell that the timer went over, once in each of its overflow
 * interrupts.
 */
void wsnprof_clock_look(void) WSNPROF_QUIET;
void wsnprof_clock_tick(void) WSNPROF_QUIET;
#endif

WSNPROF_INLINE uint16_t wsnprof_pace(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint16_t pace;

#if WSNPROF_TIMER_READ
	wsnprof_clock_look();
#endif
	pace = wsnprof_wraps;
#if WSNPROF_PRESCALE > 1 && WSNPROF_SUM
	pace = (uint16_t)(pace << 8 | wsnprof_last);
#elif WSNPROF_PRESCALE > 1
	pace = (uint16_t)(pace << 8 | WSNPROF_T >> 8);
#endif
	wsnprof_unlock(mask);
	return pace;
}

#define WSNPROF_PACE_NUM WSNPROF_TICKS_PER_SECOND
#define WSNPROF_PACE_DEN (WSNPROF_PRESCALE > 1 ? 256 : 65536)

/* --- drivers' ------------------------------------------------------------------------------ */

/*
 * In place of ISR(): a handler whose time is in no function that it interrupts, nor what it takes
 * to save and restore registers, to the cycle. It adds 105 cycles to its body's own. Interrupts
 * stay off in it, for less than 65,536 ticks.
 *
 *	WSNPROF_ISR(USART1_UDRE_vect) { ... }
 *
 * The body's name is the mark by which the host knows the handler.
 */
#define WSNPROF_ISR(vector) WSNPROF_ISR_OF(vector)
#define WSNPROF_ISR_OF(vector)								\
	void wsnprof_isr_##vector(void) __attribute__((used, noinline)) WSNPROF_QUIET;	\
	void vector(void) __attribute__((signal, naked, used, externally_visible))	\
		WSNPROF_QUIET;								\
	void vector(void)								\
	{										\
		__asm__ volatile("push	r24\n\tpush	r25\n\t"			\
				 "push	r30\n\tpush	r31\n\t"			\
				 "ldi	r30, lo8(%0)\n\t"				\
				 "ldi	r31, hi8(%0)\n\t"				\
				 WSNPROF_JMP " wsnprof_isr" :: "i"(wsnprof_isr_##vector)); \
	}										\
	void wsnprof_isr_##vector(void)
#ifdef __AVR_HAVE_JMP_CALL__
#define WSNPROF_JMP "jmp"
#else
#define WSNPROF_JMP "rjmp"
#endif

#if WSNPROF_TRACE
#include "wsntrace_port.h"
#endif

/* Nothing is counted while it is 0. */
extern volatile uint8_t wsnprof_running;

#endif
