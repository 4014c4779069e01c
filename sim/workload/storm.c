/*
 * storm: an interrupt whose handler calls, and calls on, over a program that calls all the time: it
 * strikes at every place, the profiler's own code included.
 */
#include "workload.h"
#include "workload_port.h"

#define PERIOD_US 411		/* in step with nothing */

static volatile uint32_t ticks, steps;
static volatile uint8_t sink;

static void storm_step(uint8_t v)
{
	sink = v;
	steps++;
}

static void storm_serve(uint8_t v)
{
	storm_step(v);
	storm_step(v + 1);
}

static void storm_tick(void)
{
	if (ticks == WORKLOAD_STORM)
		return;
	storm_serve((uint8_t)ticks);
	ticks++;
	if (ticks % 256 == 0)
		workload_say("tick\n");
}

static uint8_t storm_twice(uint8_t v)
{
	return v * 2;
}

static uint8_t storm_unit(uint8_t v)
{
	return storm_twice(v) + storm_twice(v + 1);
}

WORKLOAD_QUIET uint32_t workload_storm(void)
{
	uint8_t wrong = 0, i = 0;

	ticks = steps = 0;
	workload_ticker_start(PERIOD_US, storm_tick);
	while (ticks < WORKLOAD_STORM) {
		if (storm_unit(i) != (uint8_t)(4 * i + 2))
			wrong++;
		if (!++i)
			workload_breathe();
		if (!(i & 7))
			workload_pause();
	}
	workload_ticker_stop();
	return workload_mix(workload_mix(ticks, steps), wrong);
}
