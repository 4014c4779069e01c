/*
 * plain: the runtime that is not there, for the same firmware without a profiler. wsnprof_on
 * still shows the truth plugin where the workload began and ended.
 */
#include "wsnprof.h"
#include "wsnprof_cortexm.h"

enum { RING = 256 };

volatile uint8_t wsnprof_on;
static volatile uint8_t ring[RING], head, tail;

void wsnprof_init(void)
{
}

void wsnprof_start(void)
{
	wsnprof_on = 1;
}

void wsnprof_stop(void)
{
	wsnprof_on = 0;
}

void wsnprof_reset(void)
{
}

bool wsnprof_poll(void)
{
	return false;
}

bool wsnprof_idle(void)
{
	return head == tail;
}

bool wsnprof_putchar(char c)
{
	uint8_t next = head + 1;

	if (next == tail)
		return false;
	ring[head] = (uint8_t)c;
	head = next;
	wsnprof_kick();
	return true;
}

void wsnprof_clock_tick(void)
{
}

int16_t wsnprof_take(void)
{
	return head == tail ? -1 : ring[tail++];
}

void wsnprof_sample_irq(void)
{
	wsnprof_sample_ack();
}
