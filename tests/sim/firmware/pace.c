/*
 * pace: a fixed amount of work, a poll and now and then text after each unit, whoever takes what is sent
 * or does not: how many cycles does it take?
 */
#include "workload.h"
#include "workload_port.h"

#define UNITS 20000

uint32_t workload_pace(void) WORKLOAD_QUIET;

static volatile uint16_t sink;

static void pace_work(uint16_t n)
{
	sink += n;
}

uint32_t workload_pace(void)
{
	uint16_t n;

	sink = 0;
	for (n = 0; n < UNITS; n++) {
		pace_work(n);
		workload_breathe();
		if (n % 64 == 0)
			workload_say("still here\n");
	}
	return sink;
}
