/*
 * butterfly: one function with the edges into it and out of it, as lines. Private to tui/view.
 *
 *	callers, the most expensive nearest to the middle
 *	the function
 *	callees, the most expensive first
 */
#ifndef WSNTOP_TUI_VIEW_CALLERS_BUTTERFLY_H
#define WSNTOP_TUI_VIEW_CALLERS_BUTTERFLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/regex.h"
#include "core/profile/profile.h"

enum butterfly_kind { BUTTERFLY_CALLER, BUTTERFLY_FUNCTION, BUTTERFLY_CALLEE, BUTTERFLY_NOTE };

struct butterfly_line {
	enum butterfly_kind kind;
	uint32_t edge;			/* PROFILE_NONE: the function itself, a note */
	uint32_t other;			/* the function on the line; PROFILE_NONE: in no function */
	double share;			/* of the function's time, or of its calls; NaN unknown */
	double p50, p99;		/* seconds; NaN where calls by duration are not known */
	const char *note;
};

struct butterfly {
	const struct profile *profile;
	struct butterfly_line *lines;
	size_t count, cap;
	size_t middle;			/* the function's own line */
	bool times, minmax, buckets;	/* what these edges have */
	int longest;			/* columns of the longest name */
	/* Callers and callees that the filter leaves out: one line each, "(3 others)". */
	size_t shown, all;
	char rest[2][48];
};

void butterfly_release(struct butterfly *b);	/* one that is all zero holds nothing */

/* Lines of a function of p; PROFILE_NONE: none. Of the others those that pass the filter. */
void butterfly_build(struct butterfly *b, const struct profile *p, uint32_t function,
		     const struct regex *filter);

/* Seconds that an edge's calls took, NaN where not known, as of recursive calls. */
double butterfly_total(const struct butterfly *b, const struct profile_edge *e);

/* A call's duration on average, recursive or not; NaN where not known. */
double butterfly_per_call(const struct butterfly *b, const struct profile_edge *e);

#endif
