/*
 * cycles: how many cycles of the processor a PC sample stands for, by the cycle counter that is
 * read with each.
 *
 * No clock of the host's is needed, so that a recording tells what the live source told. Whether
 * the counter goes on while the processor sleeps is up to the chip; it is found by pairs of samples
 * that both met it asleep. Where it stands then, its cycles are those of the samples awake alone.
 *
 *	cycles_read(&c, cyccnt);		if the core has the counter
 *	cycles_sample(&c, asleep);		or cycles_gap(&c), where there was no sample
 *	... cycles_period(&c) ...
 */
#ifndef WSNTOP_WIRE_PROBE_CYCLES_H
#define WSNTOP_WIRE_PROBE_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

enum { CYCLES_LEAST = 64 };		/* pairs of samples; fewer: not known */

struct cycles {
	uint32_t count, last;		/* of the sample under way, of that before */
	bool read, known;		/* they are known */
	bool asleep;			/* the last one */
	uint64_t sums[2][2];		/* from one sample to the next: asleep before, behind */
	uint64_t pairs[2][2];
	uint64_t odd;			/* pairs with half of the counter's range between them */
};

void cycles_read(struct cycles *c, uint32_t count);
void cycles_sample(struct cycles *c, bool asleep);
/* The next sample does not follow the one before: a halt, a server that was gone. */
void cycles_gap(struct cycles *c);

/* 0: not known (yet), as where the firmware itself sets the counter. */
double cycles_period(const struct cycles *c);

#endif
