/*
 * worst: the longest call of each edge ever seen, when the host learned of it, and the way to it.
 *
 * A node keeps the longest call without its time: but a maximum that grew between two looks grew in
 * that interval. So each look compares every edge's maximum with the longest known and latches a
 * longer one. Latched calls survive a restart of the node; the user's reset drops them. A maximum
 * that falls without either was an estimate (of a call trace, of an image): the call has that time.
 *
 * The way: the edge's caller and the call site are exact. From there up it is certain while each
 * function has one caller only. Where one has several, the most expensive is taken: a guess, as all
 * above it.
 *
 * Edges are identified by the addresses of their two functions, and by their call site, so that a
 * function which gets another address from the image (a clone that joins its source) keeps its
 * worst call. At most WORST_EDGES are kept; others are counted in `left_out`.
 *
 * Cost of a look: nothing if no counts came since the last one; else linear in edges.
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
	WORST_ROOT,			/* the first of the path has no known caller */
	WORST_HANDLER,			/* an interrupt calls it */
	WORST_DEEPER,			/* the path is longer than WORST_PATH, or has a cycle */
};

struct worst_call {
	double seconds;
	bool at_least;			/* the node's field was too narrow */
	uint64_t seen_ns;		/* the look that found it, on the clock of its data */
	uint64_t after_ns;		/* the look before; 0: there was none */
	uint32_t site;			/* return address of the call site; 0: not known */
	/* Addresses of functions, from the caller up; empty for an edge from no function. */
	uint64_t path[WORST_PATH];
	uint8_t path_length;
	uint8_t certain;		/* the first so many are exact */
	uint8_t top;			/* enum worst_top */
};

struct worst {
	size_t left_out;		/* edges beyond WORST_EDGES */
	uint64_t first_ns, last_ns;	/* looks; 0: none yet */
	/* private */
	struct worst_entry *entries;
	size_t count, cap;
	struct map by_edge, by_site, by_callee;
	struct worst_way *ways;		/* of a look: one step up, by function */
	size_t way_cap;
	uint64_t calls, ticks_run;	/* of the profile at the last look */
	uint32_t generation;
	bool looked;
};

void worst_init(struct worst *w);
void worst_release(struct worst *w);

/*
 * Looks at a profile; does nothing if it is not computed. 0, or ERR_NOMEM with the calls latched
 * before unchanged.
 */
int worst_look(struct worst *w, const struct profile *p, uint64_t time_ns);

/*
 * The user's reset, before profile_rebase: calls up to now are dropped. The node keeps its longest
 * call since its own start: shorter ones are not seen until it restarts.
 */
void worst_forget(struct worst *w, const struct profile *p);

/* The node's counters were reset: its maxima are new, and none is hidden by a call from before. */
void worst_restart(struct worst *w);

/* Another firmware: drops all. */
void worst_clear(struct worst *w);

/* The longest call of an edge of p; of a function, over its callers. NULL: none. */
const struct worst_call *worst_of_edge(const struct worst *w, const struct profile *p,
				       uint32_t edge);
const struct worst_call *worst_of_function(const struct worst *w, const struct profile *p,
					   uint32_t function);

#endif
