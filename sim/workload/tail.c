/* tail: calls in tail position, direct and indirect, and a function that is nothing else. */
#include "workload.h"
#include "workload_port.h"

static volatile uint16_t sink;

static void tail_end(uint8_t n)
{
	sink += n;
}

static void tail_second(uint8_t n)
{
	sink ^= n;
	tail_end(n + 1);
}

static void tail_first(uint8_t n)
{
	tail_second(n + 1);
}

static void (*const tails[])(uint8_t) = { tail_first, tail_second, tail_end };

static void tail_any(uint8_t n)
{
	tails[n % 3](n);
}

/* Recursion in tail position. */
static uint16_t tail_sum(uint8_t n, uint16_t sum)
{
	return n ? tail_sum(n - 1, sum + n) : sum;
}

WORKLOAD_QUIET uint32_t workload_tail(void)
{
	uint32_t sum = 0;
	uint8_t i;

	sink = 0;
	for (i = 0; i < 150; i++) {
		tail_any(i);
		tail_first(i);
		sum = workload_mix(sum, tail_sum(i % 8, sink));
		if (i % 16 == 0)
			workload_breathe();
	}
	return sum;
}
