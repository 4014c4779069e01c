/*
 * durations: how long calls take, from the shortest to the longest: a line for each function, one
 * for each of its callers. Private to tui/view.
 */
#ifndef WSNTOP_TUI_VIEW_DURATIONS_H
#define WSNTOP_TUI_VIEW_DURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/profile.h"

struct duration {
	uint32_t function;
	uint32_t edge;			/* PROFILE_NONE: the function's own line, over all callers */
	double calls;
	double min, average, max;	/* seconds, NaN where not known */
	bool at_least;			/* max is a lower bound */
	bool has_buckets;		/* the node counts calls by duration: */
	struct profile_buckets buckets;	/* bounds: durations_bound */
};

struct durations {
	struct duration *items;
	size_t count, cap;
	int low, high;			/* decades that all fit in: 10^low s to 10^high s */
	int longest;			/* columns of the longest name, with what leads to it */
	/* private */
	const struct profile *profile;
	struct duration_sum *sums;		/* by function, over its timed callers */
	size_t sum_cap;
};

void durations_release(struct durations *s);	/* one that is all zero holds nothing */

/* None yet, of this profile. 0 or ERR_NOMEM. */
int durations_begin(struct durations *s, const struct profile *p);

bool durations_add_function(struct durations *s, uint32_t function);	/* false: no duration is known of it */
void durations_add_callers(struct durations *s, uint32_t function);	/* the dearest first */
void durations_fit(struct durations *s);				/* find low and high */

/* Seconds that bucket i's durations lie below; infinity for the last. */
double durations_bound(const struct durations *s, size_t i);

#endif
