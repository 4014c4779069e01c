/*
 * axis: durations drawn on a line, over a logarithmic axis of whole decades. For tui/view.
 *
 *	|10 us      |100 us     |1 ms       |10 ms
 *	       |--------o--------------|		no buckets: shortest, mean, longest
 *	      .::#o####%-.			buckets: a skyline and its percentiles
 */
#ifndef WSNTOP_TUI_PART_AXIS_H
#define WSNTOP_TUI_PART_AXIS_H

#include "tui/term/grid.h"
#include "core/profile/look/durations.h"

struct axis {
	int low, high;			/* decades: 10^low s to 10^high s */
	int x, width;
};

/* The column of a duration, from 0; -1 and width: off the axis. */
int axis_column(const struct axis *a, double seconds);

void axis_draw_scale(const struct axis *a, struct grid *g, int y);
void axis_draw_grid(const struct axis *a, struct grid *g, int y);	/* a dot at each decade */

/* Shortest, mean, longest. > longer than could be counted, < shorter than the axis has. */
void axis_draw_span(const struct axis *a, struct grid *g, int y, const struct duration *d);

/* How many took how long, mean and percentiles over it. False: nothing is known of that. */
bool axis_draw_buckets(const struct axis *a, struct grid *g, int y, const struct profile *p,
		       const struct duration *d);

/* The same without marks, so many lines high from y on. */
bool axis_draw_skyline(const struct axis *a, struct grid *g, int y, int height,
		       const struct profile *p, const struct duration *d);

/* The meaning of the marks over buckets; `fine`: percentiles are no estimates. */
const char *axis_legend(bool utf8, bool wide, bool fine);

#endif
