/*
 * workload_port: what the workloads need of the chip they run on. sim/workload/avr/port.c gives it
 * on AVR. Nothing here is instrumented.
 */
#ifndef WORKLOAD_PORT_H
#define WORKLOAD_PORT_H

#include <stdint.h>

#include "workload.h"

/*
 * Between two units of work, outside of every instrumented call: time to send, wsnprof_poll(). A
 * firmware that measures durations against those of a plain build does nothing here.
 */
void workload_breathe(void) WORKLOAD_QUIET;

/* The same inside of one, where the calls themselves are sent: they are many. */
static inline WORKLOAD_QUIET __attribute__((always_inline, unused)) void workload_pause(void)
{
#ifdef WORKLOAD_TRACED
	workload_breathe();
#endif
}

/*
 * The ticker: an interrupt every so many microseconds, whose handler is instrumented (a row of its
 * own) and calls `tick`, also instrumented. From start to stop; stop returns when no tick is under
 * way or to come.
 */
void workload_ticker_start(uint16_t microseconds, void (*tick)(void)) WORKLOAD_QUIET;
void workload_ticker_stop(void) WORKLOAD_QUIET;

/* Wait for an interrupt; may return early. */
void workload_sleep(void) WORKLOAD_QUIET;

/* Text, on the port that the frames go out on; from handlers too. */
void workload_say(const char *text) WORKLOAD_QUIET;

#endif
