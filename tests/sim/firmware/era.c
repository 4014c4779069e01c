/* era: stop, start and reset in the middle of calls. */
#include "workload.h"
#include "workload_port.h"
#include "wsnprof.h"

uint32_t workload_era(void) WORKLOAD_QUIET;

static volatile uint8_t sink;

static void era_leaf(void)
{
	sink++;
}

static void era_forgotten(void)
{
	sink++;
}

static void era_unseen(void)
{
	sink++;
}

/* Begun before the start: only its second leaf counts. */
static void era_across(void)
{
	wsnprof_stop();
	era_leaf();
	wsnprof_start();
	era_leaf();
}

uint32_t workload_era(void)
{
	uint8_t i;

	sink = 0;
	era_forgotten();
	wsnprof_reset();
	for (i = 0; i < 5; i++)
		era_leaf();
	wsnprof_stop();
	era_unseen();
	wsnprof_start();
	era_across();
	era_leaf();
	return sink;
}
