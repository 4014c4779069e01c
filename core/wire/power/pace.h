/*
 * pace: which sample of an even series a time is, where the rate may have to be found out. Private
 * to core/wire/power.
 *
 * The rate is that of the first 16 times when their distances are even to 1 %, else of 256: the
 * mean of the distances that are near their median, and a round number where it is within 0.5 %.
 *
 * A time within one sample of the next one is the next one (times are rounded, timers tremble).
 * Later ones leave samples out, earlier ones are of the sample before.
 */
#ifndef WSNTOP_WIRE_POWER_PACE_H
#define WSNTOP_WIRE_POWER_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PACE_FEW = 16, PACE_MOST = 256 };

/* The rate of ascending times; 0: they do not tell (yet). n is at most PACE_MOST. */
double pace_rate(const double *times, size_t n, bool last);

struct pace {
	double hz;
	bool begun;
	double zero;			/* time of sample 0 */
	uint64_t next;
};

enum pace_kind {
	PACE_NEXT,			/* in its place */
	PACE_LATE,			/* samples before it are missing */
	PACE_SAME,			/* of the sample before */
	PACE_AGAIN,			/* time went back: the clock began again */
};

/* *index: which one it is; p->next is the one behind it. */
enum pace_kind pace_take(struct pace *p, double time, uint64_t *index);

#endif
