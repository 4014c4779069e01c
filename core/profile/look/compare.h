/*
 * compare: two profiles side by side: functions that became more expensive or cheaper, and whether
 * the difference is significant.
 *
 * Functions are paired by name and file (the firmware in between may be another build), then by
 * name alone, then by the name without the compiler's suffix (".constprop.0"), then by address
 * where names are not known; edges by their two functions. Several of one name pair in order of
 * address. Rates are compared, not sums: a long baseline and a short run have the same scale.
 * They are of wall time, as LOAD% and CALLS/S in any view, where both profiles know theirs
 * (profile.pace), else of the time profiled.
 *
 * Noise is estimated (noise.h has the formulas) from the node's clock, the variance of the calls,
 * the number of samples and of independent events. `noise` is one standard deviation of the
 * difference; it is significant when it exceeds COMPARE_SURE of these and COMPARE_LEAST of the
 * figure: a clock that warms up drifts by that much (an RC oscillator's 1 %: ATmega1284P datasheet,
 * 29.3), and over a million calls any difference is beyond chance.
 *
 * A significant difference need not matter: the same firmware takes longer for other data. The
 * verdict of a row counts only those that are relevant (struct compare_least):
 *
 *	load		it changed by least.load of a core
 *	per call	by least.call of the call, and the load by a tenth of least.load: a
 *			function that takes next to nothing costs next to nothing more
 *	rate		by least.call, where the load's change is relevant, too, or no times are
 *			known
 *	max		by least.call; it has no part in the verdict
 *
 * A function that ran in one of the two alone is new or gone only if it ran ten times or more
 * (COMPARE_SURE deviations of a count), and would have been seen in the other: what runs once, at
 * the start, is not gone. Calls made by one call of the caller count as one (noise.h: chains). A
 * function that the image of now still has is gone only if its load was relevant.
 */
#ifndef WSNTOP_PROFILE_LOOK_COMPARE_H
#define WSNTOP_PROFILE_LOOK_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/profile.h"

#define COMPARE_SURE 3.0
#define COMPARE_LEAST 0.01

/* The least change that is relevant; 0: each that is significant. */
struct compare_least {
	double load;			/* share of a core */
	double call;			/* share of a call */
};

#define COMPARE_LEAST_DEFAULT ((struct compare_least){ .load = 0.01, .call = 0.05 })

enum compare_measure {
	COMPARE_LOAD,			/* self time a second (0..1); an edge's: inclusive */
	COMPARE_PER_CALL,		/* inclusive seconds a call */
	COMPARE_RATE,			/* calls a second */
	/*
	 * The longest call, seconds; no noise but the clock's. Fewer calls have a shorter longest
	 * one: it is better only if there were as many.
	 */
	COMPARE_MAX,
	COMPARE_MEASURES,
};

enum compare_verdict {
	COMPARE_UNKNOWN,		/* one of the two is not known */
	COMPARE_SAME,			/* within the noise */
	COMPARE_WORSE, COMPARE_BETTER,	/* more, less time or calls */
	COMPARE_NEW, COMPARE_GONE,	/* only now, only then */
	COMPARE_MIXED,			/* of a row: worse in one measure, better in another */
	COMPARE_VERDICTS,
};

struct compare_value {
	double then, now;		/* NaN: not known */
	double noise;			/* one sigma of now - then; NaN: not known */
	enum compare_verdict verdict;
	bool minor;			/* worse or better, but not relevant */
};

struct compare_row {
	uint32_t then, now;		/* function or edge; PROFILE_NONE: not in that profile */
	struct compare_value value[COMPARE_MEASURES];
	/* Cost of the change: load now less load then; rows sort by it. NaN: not known. */
	double cost;
	bool sure;			/* cost is more than its noise */
	/* Of the whole row: new, gone; else what its relevant measures agree on, or mixed. */
	enum compare_verdict verdict;
	unsigned relevant;		/* bits 1 << measure: those the verdict is made of */
};

struct compare {
	bool functions_alone;		/* set by the caller, before: edges are not compared */
	const struct profile *base, *now;	/* borrowed */
	struct compare_row *rows;	/* functions of now in order, then those that are gone */
	size_t count, cap;
	struct compare_row *edges;	/* edges of now in their order */
	size_t edge_count, edge_cap;
	struct compare_value load;	/* of all functions; NaN: not known */
	/*
	 * The time profiled is not known: loads are shares of all time counted, and there are no
	 * rates.
	 */
	bool shares;
	bool wall;			/* they are of wall time, else of that profiled */
	size_t verdicts[COMPARE_VERDICTS];	/* rows by their verdict */
	/* private: the base's figures, kept */
	void *figures;
	unsigned figures_scale;		/* enum noise_scale */
};

void compare_release(struct compare *c);		/* one that is all zero holds nothing */

/*
 * Compares two computed profiles. 0 or ERR_NOMEM (then it is empty). Linear; functions that did not
 * pair at the same index last time are sorted by name. The base's figures are kept for the next
 * time: release before the base changes, or another profile gets its address. least: NULL is
 * COMPARE_LEAST_DEFAULT.
 */
int compare_build(struct compare *c, const struct profile *base, const struct profile *now,
		  const struct compare_least *least);

/* No function is worse, better, new or gone. */
bool compare_is_same(const struct compare *c);

/* The row of a function or an edge of `now`; NULL: not compared. c may be NULL. */
const struct compare_row *compare_function(const struct compare *c, uint32_t function);
const struct compare_row *compare_edge(const struct compare *c, uint32_t edge);

/* The function of a row: as it is now, or then if it is gone. */
const struct profile_function *compare_subject(const struct compare *c,
					       const struct compare_row *row);

#endif
