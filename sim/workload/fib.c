/* fib: INGA's Fibonacci. Nothing but calls: what a profiler slows down most. */
#include "workload.h"
#include "workload_port.h"

uint32_t fib(uint8_t n);

uint32_t fib(uint8_t n)
{
	uint32_t before;

	if (n < 2)
		return n;
	before = fib(n - 1);
	return before + fib(n - 2);
}

WORKLOAD_QUIET uint32_t workload_fib(void)
{
	uint32_t sum = 0;
	uint8_t n;

	for (n = 0; n < WORKLOAD_FIB; n++) {
		sum = workload_mix(sum, fib(n));
		workload_breathe();
	}
	return sum;
}
