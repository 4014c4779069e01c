/*
 * worst: the longest call of each edge that was ever seen, with when the host learned of it and the
 * way that led there.
 *
 * A node keeps the longest call, not when it was: but a maximum that grew between two looks did so
 * between them. So each look compares every edge's maximum with the longest known, and latches what
 * is longer. What was latched stays when the node starts anew, and goes with the user's reset.
 *
 * The way: the edge's caller is exact, and so is the call site. From there up it is certain while a
 * function has one caller only; from the first that has several the dearest is taken, which is a
 * guess, and so is all above it.
 *
 * Edges are known by the addresses of their two functions, and again by their call site, so that a
 * function that gets another address from the image (a clone that joins its source) keeps its worst
 * call. At most WORST_EDGES are kept; others are counted in `left_out`.
 *
 * Cost of a look: nothing where nothing came since the last; else linear in edges.
 */
#ifndef WSNTOP_PROFILE_LOOK_WORST_H
#define WSNTOP_PROFILE_LOOK_WORST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"
#include "core/profile/profile.h"

#define WORST_EDGES 65536
#define WORST_PATH 8

enum worst_top {
	WORST_ROOT,			/* nobody is known to call the first of the path */
	WORST_HANDLER,			/* an interrupt does */
	WORST_DEEPER,			/* more callers than the path holds, or a cycle */
};

struct worst_call {
	double seconds;
	bool at_least;			/* its time's field was too narrow */
	uint64_t seen_ns;		/* the look that found it, on the clock of its data */
	uint64_t after_ns;		/* the look before; 0: the first that was heard of it */
	uint32_t site;			/* return address of the call site; 0: not known */
	/* Functions' addresses from the caller up; of an edge from no function none. */
	uint64_t path[WORST_PATH];
	uint8_t path_length;
	uint8_t certain;		/* the first so many are no guess */
	uint8_t top;			/* enum worst_top */
};

struct worst {
	size_t left_out;		/* edges that there was no room for */
	uint64_t first_ns, last_ns;	/* looks; 0: none yet */
	/* private */
	struct worst_entry *entries;
	size_t count, cap;
	struct map by_edge, by_site, by_callee;
	struct worst_way *ways;		/* of a look: up from each function */
	size_t way_cap;
	uint64_t calls, ticks_run;	/* of the profile at the last look */
	uint32_t generation;
	bool looked;
};

void worst_init(struct worst *w);
void worst_release(struct worst *w);

/*
 * A look at a computed profile (one that is not does nothing). 0, or ERR_NOMEM with what was
 * latched before as it was.
 */
int worst_look(struct worst *w, const struct profile *p, uint64_t time_ns);

/*
 * The user's reset, before profile_rebase: calls up to here count no more. A node keeps its longest
 * since its own start, so that a shorter one is not seen until it starts anew.
 */
void worst_forget(struct worst *w, const struct profile *p);

/* The node's counters began anew: its maxima are of now, and what was before a reset bars none. */
void worst_restart(struct worst *w);

/* Another firmware: nothing known holds for it. */
void worst_clear(struct worst *w);

/* The longest call of an edge of p; of a function, over its callers. NULL: none. */
const struct worst_call *worst_of_edge(const struct worst *w, const struct profile *p,
				       uint32_t edge);
const struct worst_call *worst_of_function(const struct worst *w, const struct profile *p,
					   uint32_t function);

#endif
