/*
 * line_costs: what each source line of each function took, and which line took more than in another
 * run.
 *
 * Samples, a simulator's time of each instruction, and the calls that are made there fall on lines
 * of the function's own file, as in cost.h: what is inlined counts for the line that it was inlined
 * at. A snapshot brings its lines along (profile.lines), LINE_COSTS_KEPT of each function.
 *
 * Lines move between two builds. Those of one function are paired by a hash of their text without
 * its blanks, of equal ones the nearest; where a text is not known (no source file, or one that is
 * newer than its ELF), by the distance from the function's declaration.
 */
#ifndef WSNTOP_SOURCE_LINE_COSTS_H
#define WSNTOP_SOURCE_LINE_COSTS_H

#include "core/image/image.h"
#include "core/profile/profile.h"

enum { LINE_COSTS_KEPT = 32, LINE_COSTS_READ = 128 };	/* of a function: written, read */

struct line_costs {
	struct profile_line *items;	/* by function, then line */
	size_t count, cap;
};

/* im: NULL without one. 0 or ERR_NOMEM; release in both cases. Linear in PCs and call sites. */
int line_costs_build(struct line_costs *l, const struct profile *p, const struct image *im);
void line_costs_release(struct line_costs *l);

/* Those of a function, by line; NULL: none. */
const struct profile_line *line_costs_of(const struct line_costs *l, uint32_t function,
					 size_t *count);

/* It is one of the LINE_COSTS_KEPT of its function that took most time, then most calls. */
bool line_costs_keeps(const struct line_costs *l, const struct profile_line *line);

enum line_measure { LINE_TIME, LINE_CALLS };

/* A function of one of two runs. */
struct line_side {
	const struct line_costs *lines;
	uint32_t function;
	uint32_t declared;		/* its line; 0: not known */
	double per;			/* figures are given for each: of its calls, or seconds */
	const uint32_t *only;		/* of now: lines that count, with */
	size_t only_count;		/* 0: all do */
};

struct line_found {
	uint32_t line;
	double then, now;		/* NaN: not known. then 0: the line is new */
	double sigma;			/* of now - then, from samples; 0: it is exact */
};

/* The line whose figure grew most. False: none grew, or lines of one side are not known. */
bool line_costs_grown(const struct line_side *then, const struct line_side *now,
		 enum line_measure measure, struct line_found *found);

/* The line that has most. False: none has any. */
bool line_costs_heaviest(const struct line_side *now, enum line_measure measure,
		    struct line_found *found);

#endif
