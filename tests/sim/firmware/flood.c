/* flood: text without end, and without a line's end, faster than it can leave. */
#include "workload.h"
#include "workload_port.h"

#define UNITS 20000

uint32_t workload_flood(void) WORKLOAD_QUIET;

static volatile uint16_t sink;

static void flood_work(uint16_t n)
{
	sink += n;
}

uint32_t workload_flood(void)
{
	uint16_t n;

	sink = 0;
	for (n = 0; n < UNITS; n++) {
		flood_work(n);
		workload_breathe();
		workload_say("and no end of it ");
	}
	return sink;
}
