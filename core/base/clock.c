#include "core/base/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec;
}

uint64_t clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

int clock_ms_until(uint64_t then, uint64_t now)
{
	const uint64_t ms = CLOCK_SECOND / 1000, hour = 3600 * CLOCK_SECOND;

	if (then <= now)
		return 0;
	return (int)(((then - now < hour ? then - now : hour) + ms - 1) / ms);
}

int clock_sooner(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}
