/*
 * bench: what the benches share. Each prints `name value unit` lines.
 *
 * Machines are noisy: every rate is the best of several rounds. Under valgrind --tool=callgrind the
 * rounds are one, and the instruction counts repeat exactly.
 */
#ifndef WSNTOP_BENCH_H
#define WSNTOP_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/clock.h"

static inline int bench_rounds(void)
{
	const char *rounds = getenv("BENCH_ROUNDS");

	return rounds ? atoi(rounds) : 5;
}

static inline void bench_print(const char *name, double value, const char *unit)
{
	printf("%-36s %12.2f %s\n", name, value, unit);
}

/* Best seconds of bench_rounds() runs of work(ctx). */
static inline double bench_best(void (*work)(void *ctx), void *ctx)
{
	double best = 1e9;

	for (int i = 0; i < bench_rounds(); i++) {
		uint64_t start = clock_now();
		double s;

		work(ctx);
		s = (double)(clock_now() - start) / 1e9;
		best = s < best ? s : best;
	}
	return best;
}

/* Peak resident memory of this process, MB. */
static inline double bench_peak_mb(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (double)r.ru_maxrss / 1024;
}

#endif
