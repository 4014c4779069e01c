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

/* "VmHWM:", "VmRSS:" of this process, MB. */
static inline double bench_memory_mb(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	double kb = 0;

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, name, strlen(name)) == 0)
			kb = atof(line + strlen(name));
	if (f)
		fclose(f);
	return kb / 1024;
}

/* Peak resident memory of this process, MB: since its start, or since the last reset. */
static inline double bench_peak_mb(void)
{
	return bench_memory_mb("VmHWM:");
}

/* The peak begins again at what is resident now, which is returned (proc(5), clear_refs). */
static inline double bench_peak_reset(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");

	if (f) {
		fputs("5", f);
		fclose(f);
	}
	return bench_memory_mb("VmRSS:");
}

#endif
