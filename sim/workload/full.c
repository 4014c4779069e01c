/* full: 70 call sites one after the other, called more often the later they come. */
#include "workload.h"
#include "workload_port.h"

static volatile uint16_t sink;

static void full_leaf(uint8_t v)
{
	sink += v;
}

#define FIVE(n) \
	if (n < most + 1) { \
		full_leaf(n); \
		full_leaf(n + 1); \
		full_leaf(n + 2); \
		full_leaf(n + 3); \
		full_leaf(n + 4); \
	}

static void full_many(uint8_t most)
{
	FIVE(0) FIVE(5) FIVE(10) FIVE(15) FIVE(20) FIVE(25) FIVE(30)
	FIVE(35) FIVE(40) FIVE(45) FIVE(50) FIVE(55) FIVE(60) FIVE(65)
}

WORKLOAD_QUIET uint32_t workload_full(void)
{
	uint8_t most;

	sink = 0;
	for (most = 0; most < 70; most++) {
		full_many(most);
		workload_breathe();
	}
	return sink;
}
