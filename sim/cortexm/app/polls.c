/* polls: a function that does a little and polls, and does no more when polling takes long. */
#include "app.h"
#include "workload_port.h"

static volatile uint32_t polls_done;

static void polls_leaf(void)
{
	polls_done++;
}

static void polls_wait(void)
{
	uint32_t i;

	for (i = 0; i < 10; i++) {
		polls_leaf();
		workload_breathe();
	}
}

WORKLOAD_QUIET uint32_t workload_polls(void)
{
	uint32_t i;

	polls_done = 0;
	for (i = 0; i < 3000; i++)
		polls_wait();
	return polls_done;
}
