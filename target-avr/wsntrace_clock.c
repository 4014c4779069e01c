/*
 * wsntrace_clock: what the sender needs of the chip where calls are traced (WSNPROF_TRACE): a clock
 * that only runs, and no tables.
 */
#include "wsnprof_node.h"

#if WSNPROF_TRACE

#include <avr/interrupt.h>

#include "wsntrace_send.h"

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

/*
 * Cycles that a call of a packet stack takes more, its return included, on the mean: bench/trace
 * measures them, and holds what HELLO tells against them.
 */
enum {
	CALL_CYCLES = WSNPROF_TRACE == 3 ? 48 :		/* global ids */
		      WSNPROF_TRACE == 4 ? 33 :		/* local ids */
		      WSNPROF_TRACE == 5 ? 35 :		/* local ids, Huffman */
		      WSNPROF_TRACE == 6 ? 26 :		/* control flow */
		      55 + (WSNPROF_TRACE_HASH == 40 ? 22 : 0) + (WSNPROF_TRACE_LONG ? 9 : 0) +
		      (WSNPROF_TRACE_EVERY ? 6 : 0) + (WSNPROF_TRACE_ALIKE ? 8 : 0) +
		      (WSNPROF_TASKS ? 12 : 0),
};

struct wsnprof_trace_live wsntrace_live __attribute__((section(".noinit")));

volatile uint16_t wsnprof_wraps;
volatile uint8_t wsnprof_running;
uint16_t wsnprof_cost = (CALL_CYCLES * 16 + WSNPROF_PRESCALE / 2) / WSNPROF_PRESCALE;
int16_t wsnprof_skew;
struct wsnprof_counts wsnprof_counts;

static uint32_t begun;			/* ticks when the run was counted last */

ISR(WSNPROF_T_OVERFLOW_VECT, WSNPROF_QUIET)
{
	wsnprof_wraps++;
}

uint32_t wsntrace_ticks(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint16_t t = WSNPROF_T, wraps = wsnprof_wraps;

	if (WSNPROF_T_FLAGS & _BV(WSNPROF_T_OVERFLOW) && t < 0x8000)
		wraps++;
	wsnprof_unlock(mask);
	return (uint32_t)wraps << 16 | t;
}

static WSNPROF_QUIET void run_count(void)
{
	uint32_t now = wsntrace_ticks();

	if (wsnprof_running) {
		wsnprof_counts.run[0] += now - begun;
		wsnprof_counts.run[1] += wsnprof_counts.run[0] < now - begun;
	}
	begun = now;
}

void wsnprof_port_init(void)
{
	WSNPROF_T_MODE &= 0xfc;					/* WGM */
	WSNPROF_T_SELECT = (WSNPROF_T_SELECT & 0xe0) | CLOCK_SELECT;	/* ICNC, ICES stay */
	WSNPROF_T_INTERRUPTS |= _BV(WSNPROF_T_OVERFLOW_ENABLE);
	wsnprof_running = 0;
}

void wsnprof_port_start(void)
{
	run_count();
	wsntrace_start();
	wsnprof_running = 1;
}

void wsnprof_port_stop(void)
{
	run_count();
	wsntrace_stop();
	wsnprof_running = 0;
}

void wsnprof_port_run(uint32_t run[2])
{
	(void)run;		/* they are in wsnprof_counts */
	run_count();
}

void wsnprof_rows_clear(void)
{
	uint8_t *p = (uint8_t *)&wsnprof_counts;

	do {
		*p++ = 0;
		__asm__ volatile("");	/* not memset(), see wsnprof_copy() */
	} while (p != (uint8_t *)(&wsnprof_counts + 1));
	wsntrace_init();
}

#endif
