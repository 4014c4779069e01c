/*
 * An interrupt that the simulator raises behind each instruction of the workloads, of the hooks and of
 * the sender (avrnode --strike=1); its handler calls, and tells a mark. And a workload of marks.
 *
 *	-DSTRIKE_NESTED	the handler may be interrupted by itself, twice
 */
#include <avr/interrupt.h>

#include "workload_port.h"
#include "wsnprof.h"

uint32_t workload_notes(void) WORKLOAD_QUIET;
uint32_t workload_strikes(void) WORKLOAD_QUIET;
uint32_t workload_peace(void) WORKLOAD_QUIET;

static volatile uint8_t strikes;
static volatile uint16_t sink, notes;

static void __attribute__((noinline)) strike_leaf(uint8_t n)
{
	sink += n;
}

/* Handlers come in between. */
static void WORKLOAD_QUIET note_count(void)
{
	uint8_t sreg = SREG;

	cli();
	notes++;
	SREG = sreg;
}

static void __attribute__((noinline)) strike_serve(uint8_t n)
{
	strike_leaf(n);
	if (!(n & 15)) {
		note_count();
		wsnprof_mark(WSNPROF_MARK("struck"));
	}
}

ISR(INT0_vect)
{
#ifdef STRIKE_NESTED
	static uint8_t level;

	if (++level < 3)
		sei();
	strike_serve(strikes++ & 31);
	cli();
	level--;
#else
	strike_serve(strikes++ & 31);
#endif
}

/* The first workload, and the last: the handler's calls are all in the run. How many notes were told. */
uint32_t workload_strikes(void)
{
	EIMSK = _BV(INT0);
	return 0;
}

uint32_t workload_peace(void)
{
	EIMSK = 0;
	return notes - wsntrace_notes_lost;
}

static void __attribute__((noinline)) notes_step(uint8_t i)
{
	strike_leaf(i);
	note_count();
	note_count();
	wsnprof_value(WSNPROF_MARK("step"), (i - 50) * 1000L);
	wsnprof_state(WSNPROF_MARK("odd"), i & 1);
	strike_leaf(i);
}

uint32_t workload_notes(void)
{
	for (uint8_t i = 0; i < 20; i++) {
		notes_step(i);
		if (!(i & 3))
			workload_pause();
	}
	return sink;
}
