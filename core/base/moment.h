/*
 * moment: a time as people type it, to go to in a recording.
 *
 *	12:03:41      of the day; where that is not within the recording: into it
 *	3:20          into it; where it is not that long: of the day
 *	90, 90s, 2m   into it
 *	+30, -10s     from where it stands; -1:30, +2 min, -1h
 *	40 %          of its length
 *	start, end    also "s", "e"
 *
 * Units are ms, s, m, min, h and d. Blanks are ignored.
 */
#ifndef WSNTOP_BASE_MOMENT_H
#define WSNTOP_BASE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum moment_kind {
	MOMENT_INTO,			/* `ns` into it */
	MOMENT_CLOCK,			/* of the day, in `ns` since midnight, or into it */
	MOMENT_BY,			/* `ns` on from here */
	MOMENT_BACK,			/* `ns` back from here */
	MOMENT_SHARE,			/* `share` of the whole, 0 to 1 */
	MOMENT_START,
	MOMENT_END,
};

struct moment {
	enum moment_kind kind;
	uint64_t ns;
	double share;
	bool minutes;			/* two numbers: 3:20, which may be 03:20 of the day */
};

bool moment_parse(const char *text, struct moment *m);	/* false: no such time */

/* What it is asked of; times in ns of one clock. */
struct moment_span {
	uint64_t begin, end;
	uint64_t at;			/* where it stands */
	bool whole;			/* `end` is known to be the end */
	bool wall_known;
	int64_t wall;			/* to add for the wall clock, since 1970 UTC */
};

enum moment_found {
	MOMENT_FOUND,
	MOMENT_BEFORE,			/* *ns is the begin */
	MOMENT_BEHIND,			/* *ns is the end, as far as it is known */
	MOMENT_UNKNOWN,			/* a share of a length that is not known yet */
};

/* In the time zone of the process (localtime_r). */
enum moment_found moment_find(const struct moment *m, const struct moment_span *s, uint64_t *ns);

#endif
