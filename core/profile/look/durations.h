/*
 * durations: how long calls take, from the shortest to the longest: one line a function, one line
 * each of its callers, or one line an edge.
 */
#ifndef WSNTOP_PROFILE_LOOK_DURATIONS_H
#define WSNTOP_PROFILE_LOOK_DURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/profile.h"
#include "core/profile/look/percentile.h"
#include "core/profile/look/rows.h"

struct duration {
	uint32_t function;
	uint32_t edge;			/* PROFILE_NONE: the function over all its callers */
	double calls;
	double min, average, max;	/* seconds, NaN where not known */
	bool min_at_least, at_least;	/* min, max are lower bounds */
	uint32_t site;			/* PROFILE_NONE unless it is a call site's */
	bool has_buckets;		/* the node counts calls by duration: */
	struct profile_buckets buckets;	/* bounds: percentile_bound */
	struct percentile_known known;	/* of the calls in them */
	double key;			/* private: the value it is sorted by */
};

struct durations {
	struct duration *items;
	size_t count, cap;
	int low, high;			/* decades that all fit in: 10^low s to 10^high s */
	int longest;			/* columns of the longest name and what is before it */
	bool any_buckets;
	/* private */
	const struct profile *profile;
};

void durations_release(struct durations *s);	/* one that is all zero holds nothing */

/* Starts an empty list, of this profile. */
void durations_begin(struct durations *s, const struct profile *p);

/* Adds a function's line. False: none of its durations is known. */
bool durations_add_function(struct durations *s, uint32_t function);
/*
 * Adds a line for each edge into it: all, most expensive first; or only those with durations, whose
 * number it returns.
 */
void durations_add_callers(struct durations *s, uint32_t function);
size_t durations_add_edges(struct durations *s, uint32_t function);
void durations_fit(struct durations *s);		/* sets low and high */

/* Sorts lines of edges by a column; by total time where edges have no such column. */
void durations_sort(struct durations *s, const struct rows_order *order);

/* One line by itself: of a function, an edge, a call site of one. */
struct duration duration_of_function(const struct profile *p, uint32_t function);
struct duration duration_of_edge(const struct profile *p, uint32_t edge);
struct duration duration_of_site(const struct profile *p, uint32_t site);

/*
 * Adds the calls to LENGTHS sums (core/base/lengths.h). False: not all durations are known so
 * finely; the sums are then of no use.
 */
bool duration_fine(const struct profile *p, const struct duration *d, uint64_t *calls);

/*
 * Seconds that a share (0..1) of the calls took at most; NaN where calls are not counted by
 * duration.
 */
double duration_percentile(const struct profile *p, const struct duration *d, double share);

#endif
