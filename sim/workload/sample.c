/*
 * sample: INGA's sample-send: asleep most of the time, a sample each tick, every fourth a
 * bundle.
 */
#include "net.h"
#include "workload.h"
#include "workload_port.h"

#define TICK_US 20000

static volatile uint8_t due;

static void sample_due(void)
{
	due++;
}

WORKLOAD_QUIET uint32_t workload_sample(void)
{
	uint16_t done;

	app_init();
	due = 0;
	workload_ticker_start(TICK_US, sample_due);
	for (done = 0; done < 4 * WORKLOAD_ROUNDS; done++) {
		while (due == (uint8_t)done) {
			workload_breathe();
			workload_sleep();
		}
		app_sample();
	}
	workload_ticker_stop();
	return app_sum();
}
