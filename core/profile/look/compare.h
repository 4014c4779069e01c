/*
 * compare: two profiles side by side: what became dearer, what cheaper, and whether that means
 * anything.
 *
 * Functions are paired by name and file (the firmware in between may be another build), then by
 * name alone, then by the name without what the compiler put behind it (".constprop.0"), by
 * address where names are not known; edges by their two functions. Several of one name pair in
 * order of address. What is compared is a rate, not a sum, so that a long baseline stands beside a
 * short present.
 *
 * A difference is told from noise by what is known of the spread (noise.h has the formulas): the
 * node's clock, the calls' own spread, the number of samples, the number of independent events.
 * `noise` is one standard deviation of the difference; it means something when it is more than
 * COMPARE_SURE of these, and more than COMPARE_LEAST of the figure: a clock that warms up is off by
 * that much all by itself (an RC oscillator's 1 %: ATmega1284P datasheet, 29.3), and on a million
 * calls any difference is beyond chance.
 */
#ifndef WSNTOP_PROFILE_LOOK_COMPARE_H
#define WSNTOP_PROFILE_LOOK_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/profile.h"

#define COMPARE_SURE 3.0
#define COMPARE_LEAST 0.01

enum compare_measure {
	COMPARE_LOAD,			/* self time a second of run (0..1); an edge's: inclusive */
	COMPARE_PER_CALL,		/* inclusive seconds a call */
	COMPARE_RATE,			/* calls a second of run */
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
	COMPARE_WORSE, COMPARE_BETTER,	/* more, less: time and calls are what one pays with */
	COMPARE_NEW, COMPARE_GONE,	/* only now, only then */
	COMPARE_VERDICTS,
};

struct compare_value {
	double then, now;		/* NaN: not known */
	double noise;			/* one sigma of now - then; NaN: not known */
	enum compare_verdict verdict;
};

struct compare_row {
	uint32_t then, now;		/* function or edge; PROFILE_NONE: not in that profile */
	struct compare_value value[COMPARE_MEASURES];
	/* What the change costs: load, now less then; rows sort by it. NaN: not known. */
	double cost;
	bool sure;			/* cost is more than its noise */
	/*
	 * Of the whole row: new, gone; else the load's where that is sure; else the time's per
	 * call; else, where no times are known, the rate's.
	 */
	enum compare_verdict verdict;
};

struct compare {
	const struct profile *base, *now;	/* borrowed */
	struct compare_row *rows;	/* functions of now in order, then those that are gone */
	size_t count, cap;
	struct compare_row *edges;	/* edges of now in their order */
	size_t edge_count, edge_cap;
	struct compare_value load;	/* of all functions; NaN: not known */
	/*
	 * Nobody said for how long was profiled: loads are shares of all time that was counted, and
	 * there are no rates.
	 */
	bool shares;
	size_t verdicts[COMPARE_VERDICTS];	/* rows by their verdict */
	/* private: the base's own figures, which stay */
	void *figures;
	bool figures_shares;
};

void compare_release(struct compare *c);		/* one that is all zero holds nothing */

/*
 * Anew. Both computed. 0 or ERR_NOMEM (then it is empty). Linear; what did not pair at the same
 * place before is sorted by name. What is known of the base is kept for the next time: release
 * before the base changes or another has its address.
 */
int compare_build(struct compare *c, const struct profile *base, const struct profile *now);

/* The row of a function, of an edge of `now`; NULL: not compared. c may be NULL. */
const struct compare_row *compare_function(const struct compare *c, uint32_t function);
const struct compare_row *compare_edge(const struct compare *c, uint32_t edge);

/* What a row of `rows` is of: the function as it is now, or, gone, as it was then. */
const struct profile_function *compare_subject(const struct compare *c,
					       const struct compare_row *row);

#endif
