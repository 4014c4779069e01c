/*
 * notes: marks, values and states, where the build has a call trace (WSNPROF_TRACE); then ten
 * seconds in which the main program calls nothing.
 */
#include "app.h"
#include "workload_port.h"
#include "wsnprof.h"

enum { STEPS = 100, TICKS = 40, SILENT = 500 };

static volatile uint32_t ticks;

#if defined(WSNPROF_TRACE) && WSNPROF_TRACE
static void note(int32_t i)
{
	wsnprof_value(WSNPROF_MARK("step"), (i - 50) * 1000);
	wsnprof_state(WSNPROF_MARK("odd"), i & 1);
}

static void tick_note(void)
{
	wsnprof_mark(WSNPROF_MARK("tick"));
}
#else
static void note(int32_t i)
{
	(void)i;
}

static void tick_note(void)
{
}
#endif

static void tick(void)
{
	tick_note();
	ticks++;
}

uint32_t workload_notes(void)
{
	int32_t i;

	for (i = 0; i < STEPS; i++) {
		note(i);
		workload_breathe();
	}
	ticks = 0;
	workload_ticker_start(1000, tick);
	while (ticks < TICKS)
		workload_breathe();
	workload_ticker_start(20000, tick);
	for (ticks = 0; ticks < SILENT; ) {
		workload_breathe();
		workload_sleep();
	}
	workload_ticker_stop();
	return STEPS;
}
