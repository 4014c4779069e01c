/*
 * deep: recursion deeper than the profiler's call stack, and calls at its bottom and on the way
 * back.
 */
#include "workload.h"
#include "workload_port.h"

static uint16_t deep_leaf(uint16_t v)
{
	return v * 3 + 1;
}

static uint16_t deep_down(uint8_t n, uint16_t v)
{
	if (!n)
		return deep_leaf(v);
	v = deep_down(n - 1, v + n);
	return n % 8 ? v : deep_leaf(v);
}

WORKLOAD_QUIET uint32_t workload_deep(void)
{
	uint32_t sum = 0;
	uint8_t i;

	for (i = 0; i < 10; i++) {
		sum = workload_mix(sum, deep_down(i % 2 ? WORKLOAD_DEEP : 3, i));
		workload_breathe();
	}
	return sum;
}
