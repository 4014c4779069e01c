/*
 * derive: the steps of profile_compute. Private to core/profile.
 *
 * resolve.c	sites and PCs -> functions and edges (names from the image)
 * sum.c	counts and ticks of edges and functions
 * cycle.c	strongly connected components of the call graph
 * propagate.c	time of sampled functions over the arcs, as gprof does
 * calibrate.c	times as the plain program's, where the image tells what is around the hooks
 * executions.c	how often functions ran, from samples (executions.h)
 * correct.c	the own cost of INGA's profiler subtracted (an estimate)
 */
#ifndef WSNTOP_PROFILE_DERIVE_DERIVE_H
#define WSNTOP_PROFILE_DERIVE_DERIVE_H

#include "core/profile/profile.h"

/* Give every site its edge and every PC its function. 0 or ERR_NOMEM. */
int profile_resolve(struct profile *p);

/* Fold sites into edges, edges into functions: calls, ticks, extremes, chains. */
void profile_sum(struct profile *p);

/* Last step: limits profiled_s to run_s, and sums shares_s. */
void profile_limit(struct profile *p);

/*
 * Strongly connected components. order[i]: functions, callees before callers (members of one
 * component stand together); component[f]: its number, counted along that order. Sets
 * function->cycle and ->recursive. 0 or ERR_NOMEM.
 */
struct profile_components {
	uint32_t *order;
	uint32_t *component;
	uint32_t count;
};

int profile_components_find(struct profile *p, struct profile_components *c);
void profile_components_release(struct profile_components *c);

/* Caller and callee are of one component: a recursive call, or one within a cycle. */
static inline bool profile_edge_inside(const struct profile_components *c,
				       const struct profile_edge *e)
{
	return e->from != PROFILE_NONE && c->component[e->from] == c->component[e->to];
}

/*
 * The sites' fixes, which the sums above are to be made with again: 1; 0: none are known;
 * ERR_NOMEM. Scratch: two numbers a function and two more.
 */
int profile_calibrate(struct profile *p, const struct profile_components *c, double *scratch);
void profile_fixes_forget(struct profile *p);

void profile_propagate(struct profile *p, const struct profile_components *c, double *scratch);
void profile_correct(struct profile *p, const struct profile_components *c, double *scratch);

#endif
