/*
 * tests/sim/filter's features as a workload of the simulated node: what they print becomes its sum.
 * Compiled without the filter.
 */
#include "features.h"

static uint32_t sum;

int conditional_return(int x), conditional_tail(int x);		/* conditional.s; Thumb-2 */
#pragma weak conditional_return
#pragma weak conditional_tail

void put(char c)
{
	sum = sum * 31 + (uint8_t)c;
}

/* Functions with hooks run before the runtime is there. */
void __real_wsnprof_init(void), __wrap_wsnprof_init(void);
int before(int x);
void __wrap_wsnprof_init(void)
{
	zero = before(0);
	__real_wsnprof_init();
}

uint32_t workload_mutual(void);
uint32_t workload_mutual(void)
{
	sum = 0;
	features_c();
	features_cc();
	for (int i = 0; i < 9 && conditional_return; i++)
		say("conditional", conditional_return(i) + 1000 * conditional_tail(i));
	return sum;
}
