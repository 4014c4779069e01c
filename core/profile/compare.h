/*
 * compare: two profiles side by side: what became dearer, what cheaper, and whether that means
 * anything.
 *
 * Functions are paired by name and file (the firmware in between may be another build), by address
 * where names are not known; edges by their two functions. What is compared is a rate, not a sum,
 * so that a long baseline stands beside a short present.
 *
 * A difference is told from noise by what is known of the spread: the node's clock (a single
 * duration may be off by `spread` ticks), the calls' own spread (from their buckets, else from min
 * and max), the square root of the number of samples. `noise` is one standard deviation of the
 * difference; COMPARE_SURE of these are a difference that means something.
 */
#ifndef WSNTOP_PROFILE_COMPARE_H
#define WSNTOP_PROFILE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/profile.h"

#define COMPARE_SURE 3.0

enum compare_measure {
	COMPARE_LOAD,			/* self time a second of run (0..1) */
	COMPARE_PER_CALL,		/* inclusive seconds a call */
	COMPARE_RATE,			/* calls a second of run */
	COMPARE_MAX,			/* the longest call, seconds; no noise but the clock's */
	COMPARE_MEASURES,
};

enum compare_verdict {
	COMPARE_UNKNOWN,		/* one of the two is not known */
	COMPARE_SAME,			/* within the noise */
	COMPARE_WORSE, COMPARE_BETTER,
	COMPARE_NEW, COMPARE_GONE,	/* only now, only then */
};

struct compare_value {
	double then, now;		/* NaN: not known */
	double noise;			/* one sigma of now - then; NaN: not known */
	enum compare_verdict verdict;
};

struct compare_row {
	uint32_t then, now;		/* function or edge of the two profiles; PROFILE_NONE: not in it */
	struct compare_value value[COMPARE_MEASURES];
	double cost;			/* what the change costs: seconds of self time a second of run, now
					 * less then; rows sort by it. NaN: not known */
	bool sure;			/* cost is more than its noise */
};

struct compare {
	const struct profile *base, *now;	/* borrowed */
	struct compare_row *rows;	/* functions of now in their order, then those that are gone */
	size_t count, cap;
	struct compare_row *edges;	/* edges of now in their order */
	size_t edge_count, edge_cap;
	double load_then, load_now;	/* of all functions */
};

void compare_release(struct compare *c);		/* one that is all zero holds nothing */

/* Anew. Both computed. 0 or ERR_NOMEM (then it is empty). Linear, but for a sort by name. */
int compare_build(struct compare *c, const struct profile *base, const struct profile *now);

/* The row of a function, of an edge of `now`; NULL: not compared. c may be NULL. */
const struct compare_row *compare_function(const struct compare *c, uint32_t function);
const struct compare_row *compare_edge(const struct compare *c, uint32_t edge);

#endif
