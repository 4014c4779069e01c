/*
 * align: where the node's clock stands on a power meter's.
 *
 * Both run by themselves, and nothing but three things joins them:
 *
 *	arrival	each one's map to the host's time (core/base/clock.h): the line under its arrivals.
 *		The difference of the least delays of the two ways (0.3 to 1.3 ms over USB) is
 *		seen by neither and is a constant error: it is part of the uncertainty
 *	current	the lag at which what ran tells most of the current: that part of its variance
 *		that lies between sleep and functions, not within them. A second of both at a time
 *		gives an anchor; a line through the anchors gives lag and drift. The board's
 *		capacitors delay the current by some 20 us: that is part of the uncertainty
 *	edge	edges on the meter's input D0 that the firmware makes, against marks or states that
 *		it tells at the same moments
 *
 * An anchor counts only if a fifth of the variance is told by it (of PC samples: beyond what so
 * many functions tell of so few samples by chance), and if the quarters of its
 * second, each by itself, agree about it: where nothing distinguishes one lag from another they do
 * not. Where neither stream has arrivals (files)
 * both are taken to begin within two seconds of each other.
 *
 * Times of the node are seconds of its own clock, those of the meter are its ticks, with fractions.
 */
#ifndef WSNTOP_POWER_ALIGN_H
#define WSNTOP_POWER_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/power/power.h"

enum align_method { ALIGN_NONE, ALIGN_ARRIVAL, ALIGN_CURRENT, ALIGN_EDGE };

enum { ALIGN_ANCHORS = 64, ALIGN_GROUPS = 64, ALIGN_MATCHES = 8 };

#define ALIGN_DELAYS 2e-3		/* s: by so much the least delays of two ways differ */
#define ALIGN_APART 2.0			/* s: begins of two files */
#define ALIGN_WINDOW 1.0		/* s: what gives an anchor */

/* The node ran `group`: 0 it slept or was idle, else a function, of any number. */
struct align_span {
	double begin, end;		/* s; the same: a sample */
	uint32_t group;
};

struct align_anchor {
	double at, tick;
	double error;			/* ticks, one standard deviation */
};

struct align {
	enum align_method method;
	double at, tick;		/* a point of the line, */
	double rate;			/* and its ticks a second of the node's */
	double uncertainty;		/* s, to either side; NaN: there is no line */
	double ppm;			/* what the rate may be off, without anchors */
	struct align_anchor anchors[ALIGN_ANCHORS];
	size_t count;
	unsigned misses;		/* windows since the last anchor that gave none */
	unsigned moves;			/* times that the line moved by more than it was sure of */
};

/* hz: the meter's nominal rate. */
void align_init(struct align *a, double hz);

static inline bool align_is_known(const struct align *a)
{
	return a->method != ALIGN_NONE;
}

/* The tick of a time of the node, as far as the line is known; else as if both began together. */
static inline double align_tick(const struct align *a, double at)
{
	return a->tick + (at - a->at) * a->rate;
}

static inline double align_at(const struct align *a, double tick)
{
	return a->at + (tick - a->tick) / a->rate;
}

/* By arrivals: that time of the node was that tick. Taken where nothing better is known. */
void align_arrival(struct align *a, double at, double tick, double rate, double uncertainty);

/*
 * By the current: spans of about ALIGN_WINDOW (what is behind the meter's samples is left out).
 * False: it tells nothing. Costs some ten milliseconds.
 */
bool align_current(struct align *a, const struct power *p, const struct align_span *spans,
		   size_t count);

/* By edges: times at which the firmware may have made one on D0, ascending. False: it did not. */
bool align_edge(struct align *a, const struct power *p, const double *times, size_t count);

/* The charge between two ticks, C; *covered: for so many of them a current is known. */
double power_charge(const struct power *p, double from, double to, double *covered);

#endif
