/*
 * mutual: functions that call each other in a circle: an inclusive time counts once, wherever it
 * began.
 */
#include <stdbool.h>

#include "workload.h"
#include "workload_port.h"

static bool is_odd(uint8_t n);
static uint8_t male(uint8_t n);

static bool is_even(uint8_t n)
{
	return n ? is_odd(n - 1) : true;
}

static bool is_odd(uint8_t n)
{
	return n ? is_even(n - 1) : false;
}

/* Hofstadter's Female and Male sequences. */
static uint8_t female(uint8_t n)
{
	return n ? n - male(female(n - 1)) : 1;
}

static uint8_t male(uint8_t n)
{
	return n ? n - female(male(n - 1)) : 0;
}

static uint16_t ackermann(uint16_t m, uint16_t n)
{
	if (!m)
		return n + 1;
	if (!n)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

WORKLOAD_QUIET uint32_t workload_mutual(void)
{
	uint32_t sum = 0;
	uint8_t i;

	for (i = 0; i < 10; i++) {
		sum = workload_mix(sum, is_even(i) * 256 + female(i));
		sum = workload_mix(sum, male(i));
		workload_breathe();
	}
	return workload_mix(sum, ackermann(2, 3));
}
