/*
 * distribution: how long the calls of one line took, drawn large: a bar for each of the node's
 * buckets, with its bounds, calls and share, and what falls into it. For tui/view.
 *
 *	crc16 from send: 100 calls, min 1.83 ms, average 3.66 ms, P50 ~2.1 ms, max 9.16 ms
 *	    FROM    BELOW    CALLS  SHARE%
 *	 1.95 ms  7.81 ms       60    60.0 ##############################  min P50 average
 *	 7.81 ms  31.2 ms       40    40.0 ####################            P99 max
 *
 * Lines that are left below show the same as a skyline over a logarithmic axis (skyline.h).
 * Without buckets: shortest, mean and longest over an axis of their own, and how to get buckets.
 */
#ifndef WSNTOP_TUI_PART_DISTRIBUTION_H
#define WSNTOP_TUI_PART_DISTRIBUTION_H

#include "core/node/node.h"
#include "tui/term/grid.h"
#include "core/profile/look/durations.h"

/* "crc16 from send", the line's name. */
const char *distribution_title(const struct profile *p, const struct duration *d, char *dst,
			       size_t size);

/* Lines that it would like below its title. */
int distribution_lines(const struct duration *d);

/* A line, and what is known of its calls. */
struct distribution {
	const struct profile *profile;
	const struct duration *line;
	const char *title;
	const struct node *node;		/* for the reason of no buckets; or NULL */
	const struct profile_buckets *recent;	/* in the last so many seconds; NULL: not known */
	double recent_s;
};

/* Draw into all of g, whose first line is the title. */
void distribution_draw(struct grid *g, const struct distribution *dist);

#endif
