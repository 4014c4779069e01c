/*
 * copy: library functions. Nobody compiled them with hooks: the linker leads their calls through
 * wrappers (-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove), as INGA's profiler does.
 */
#include <string.h>

#include "workload.h"
#include "workload_port.h"

#define BYTES 48

static uint8_t from[BYTES], to[BYTES];

static uint32_t copy_round(uint8_t n, uint32_t sum)
{
	uint8_t i;

	memset(from, n, n);
	memcpy(to, from, n);
	memmove(to + 1, to, n);
	memcpy(to + n / 2, from, n / 2);
	for (i = 0; i < BYTES; i++)
		sum = workload_mix(sum, to[i]);
	return sum;
}

WORKLOAD_QUIET uint32_t workload_copy(void)
{
	uint32_t sum = 0;
	uint8_t i;

	for (i = 1; i < BYTES; i++) {
		sum = copy_round(i, sum);
		if (i % 16 == 0)
			workload_breathe();
	}
	return sum;
}
