/*
 * rollout: two builds of a firmware, function by function: is one dearer on B than on A?
 *
 * A node that ran A and now runs B is compared with itself: what it differs from other nodes for
 * good cancels out, and few nodes tell much. Where there are at least ROLLOUT_PAIRS of these, they
 * alone count (Student's t of the differences). Else all nodes of A against all of B, of unlike
 * spread (Welch 1947), from ROLLOUT_GROUP nodes each on: with fewer on one side Welch's degrees of
 * freedom are too many so far out (5 against 30: 12 false ones in 100 comparisons, not 5).
 *
 * Compared are logarithms of self shares, because shares push each other less their median over the
 * functions: of a node's changes, or of its table against A's means. Times that B takes of A are
 * told with an interval; the intervals of a comparison together miss a true one at most once in 20
 * comparisons (ROLLOUT_FALSE, divided by the number of functions: Bonferroni). So:
 *
 *	ROLLOUT_ALIKE	all of the interval is within 2 % of 1
 *	ROLLOUT_DEARER, _CHEAPER	all of it is above 1, below 1
 *	ROLLOUT_UNSURE	else: more nodes, or more time, would tell
 *
 * Functions that one of the builds has not, or too few nodes call, are unsure without figures.
 */
#ifndef WSNTOP_FLEET_ROLLOUT_H
#define WSNTOP_FLEET_ROLLOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fleet/odd.h"

#define ROLLOUT_FALSE 0.05
#define ROLLOUT_SMALL 0.02

enum { ROLLOUT_PAIRS = 3, ROLLOUT_GROUP = 10 };

/* Functions by ascending number, which is the same for what has the same name in both. */
struct rollout_node {
	const struct odd_share *a, *b;	/* each function once; of none: not known of that build */
	size_t a_count, b_count;
};

enum rollout_kind { ROLLOUT_UNSURE, ROLLOUT_ALIKE, ROLLOUT_DEARER, ROLLOUT_CHEAPER };

struct rollout_verdict {
	enum rollout_kind kind;
	bool paired;
	size_t a, b;			/* nodes of each build that it is told by */
	double times;			/* B's share of A's; NaN: not known */
	double low, high;		/* the interval */
};

/*
 * A piece at a time, so that no key waits for many nodes: nodes are added, then each is looked at
 * twice, then each function. 12 to 24 bytes a share for as long as it runs.
 */
struct rollout;

struct rollout *rollout_new(size_t functions);	/* their numbers are below that; NULL: no memory */
void rollout_free(struct rollout *r);		/* NULL is fine */
int rollout_add(struct rollout *r, const struct rollout_node *n);	/* 0 or ERR_NOMEM */
bool rollout_step(struct rollout *r);		/* after all were added; false: all is told */
const struct rollout_verdict *rollout_verdicts(const struct rollout *r);	/* by function */

#endif
