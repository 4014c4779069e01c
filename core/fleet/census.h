/*
 * census: each function of a build over all nodes that run it: calls and self time in sum, how its
 * share of a node's time is spread (sketch.h), and the node where it is largest.
 *
 * Sums are whole numbers and sketches are counts: censuses of parts of a fleet merge into that of
 * the whole, exactly, in any order. Functions are known by their address. About 1.5 KB a function.
 *
 * A node counts in shares once, however much it sends: a lying one moves p99, the worst and the
 * sums, not the median.
 */
#ifndef WSNTOP_FLEET_CENSUS_H
#define WSNTOP_FLEET_CENSUS_H

#include "core/fleet/crowd.h"
#include "core/fleet/sketch.h"

struct census_function {
	uint64_t address;
	uint64_t calls, self_ns;	/* sums */
	uint32_t nodes;			/* that spent time in it */
	uint32_t worst_id;		/* the node with the largest share, */
	const char *worst_place;	/* borrowed; of equal ones the first by place and id */
	double worst;
	struct sketch shares;		/* of these nodes' self time */
};

/* Starts zeroed. */
struct census {
	struct census_function *functions;	size_t count, cap;
	size_t nodes;			/* of which something is known */
	uint64_t self_ns;		/* of all functions */
	struct index index;		/* by address */
};

void census_release(struct census *s);

/*
 * A node: crowd_costs() of it, and their sum. 0, or ERR_NOMEM with the node taken in part.
 * Functions that nobody called and that took no time are left out.
 */
int census_add(struct census *s, const struct build *b, const struct crowd_cost *costs, double sum,
	       const char *place, uint32_t id);
int census_merge(struct census *s, const struct census *other);

/* All nodes of a build. 0 or ERR_NOMEM. Linear in their sites. */
int census_crowd(struct census *s, const struct crowd *c, uint32_t build, enum crowd_when when);

/* NULL: nobody called it. */
const struct census_function *census_find(const struct census *s, uint64_t address);

/* Of all nodes' self time; NaN: nothing is known. */
double census_share(const struct census *s, const struct census_function *f);

#endif
