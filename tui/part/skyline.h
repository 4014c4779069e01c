/*
 * skyline: calls by duration drawn large over a logarithmic axis, with what is known of the line
 * marked on it. For tui/view.
 *
 *	      ████████
 *	      ████████████████
 *	   ▁▁▁████████████████▂▂▂
 *	   |     o    #       @ |
 *	  min   P50 average  P99 max
 *	|1 ms          |10 ms        |100 ms
 */
#ifndef WSNTOP_TUI_PART_SKYLINE_H
#define WSNTOP_TUI_PART_SKYLINE_H

#include "core/profile/look/durations.h"
#include "tui/term/grid.h"

enum { SKYLINE_MARKS = 6, SKYLINE_LEAST = 7 /* lines */, SKYLINE_MOST = 20 };

struct skyline_mark {
	const char *name;
	const char *utf8, *ascii;	/* on the axis */
	double seconds;			/* NaN: not known */
	bool estimate, at_least;
};

/* Shortest, percentiles, average and longest of a line, in order of length. */
void skyline_marks(const struct profile *p, const struct duration *d,
		   struct skyline_mark marks[SKYLINE_MARKS]);

/* Its time, as columns have it; "" where it is not known. dst has 24 bytes. */
const char *skyline_mark_text(const struct profile *p, const struct skyline_mark *m, char *dst,
			      size_t size);

/* Into all of g, or its first SKYLINE_MOST lines, of a line with buckets. */
void skyline_draw(struct grid *g, const struct profile *p, const struct duration *d);

#endif
