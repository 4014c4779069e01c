/*
 * worst: the nodes of a build that spend far more of their time in a function than the others do:
 * by the largest shares of each function and how all are spread (shares.h), as core/fleet/odd.h
 * judges it: from z = ODD_Z, of ODD_NODES nodes on. A few at most, so that what names nodes is
 * bounded however many there are.
 */
#ifndef WSNTOP_COLLECT_WORST_H
#define WSNTOP_COLLECT_WORST_H

#include "core/collect/outputs.h"

enum { WORST_NODES = 5 };

struct worst_node {
	const struct profile_function *function;	/* the one by which it is farthest off */
	const struct shares_node *node;
	double z;
	double times;			/* its share, of the median */
};

/* How many of worst[WORST_NODES], each node once, the farthest first. */
size_t worst_find(const struct output_part *p, struct worst_node *worst);

/* Of a function's shares, of their logarithms; NaN: too few nodes. */
struct worst_spread {
	double median, deviation;
};

void worst_spread(const struct shares_function *f, struct worst_spread *spread);
double worst_z(const struct worst_spread *spread, const struct shares_node *node);	/* or NaN */

/* Shares as numbers from 0 to 1. */
double worst_share(const struct shares_node *node);
double worst_mean(const struct shares_function *f);

#endif
