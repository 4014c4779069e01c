/*
 * graph: a profile's call graph as a tree, from its roots on: what the tree and the flame graph
 * unroll. Private to tui/view.
 *
 * Top-down the roots are the functions that nobody measured calls, those called from no function,
 * and, for what cannot be reached from these (cycles that nothing enters), the dearest left; below
 * a function are its callees. Bottom-up the roots are the functions themselves, by their own time;
 * below a function are its callers, and what is told of each is what they cost the root.
 *
 * The profile knows how long a callee took for one caller, not for one path. So values are
 * apportioned. Top-down: the edge's time, times the share that this node has of all its function's
 * time. Bottom-up: the node's value, by what each caller's calls took. Both are exact where a
 * function has one way to it, an estimate (`shared`) where there are more. No node has more than
 * the one above it. Without any times calls stand in for time: a function's own are its own time,
 * with those made below it its inclusive time.
 */
#ifndef WSNTOP_PROFILE_TREE_GRAPH_H
#define WSNTOP_PROFILE_TREE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/profile/profile.h"

/* In `via`. */
#define GRAPH_VIA_ROOT PROFILE_NONE
#define GRAPH_VIA_UNSEEN (PROFILE_NONE - 1)

struct graph_node {
	uint64_t path;			/* hash of the addresses from the root, and of the direction
					 * */
	uint32_t function;
	uint32_t depth;
	double value;			/* seconds, or calls where there are no times */
	double share;			/* of its function's whole; bottom-up: of the root's */
	double self, total;		/* seconds on this path; bottom-up: the root's. NaN: not
					 * known */
	double calls;			/* on this path; NaN: not known */
	bool leaf;			/* there is nothing below */
	bool shared;			/* apportioned: an estimate */
};

struct graph_weight {
	double all;			/* of a function: its inclusive time or calls */
	double in, in_calls, out;	/* over its edges, recursive ones left out */
	uint32_t ways;			/* edges in, recursive ones left out */
	bool outside, inside;		/* called from no function; from another one */
};

struct graph {
	const struct profile *profile;
	bool times;			/* values are seconds */
	bool inverted;			/* bottom-up */
	double whole;			/* what 100 % is */
	uint32_t *roots;		/* functions, the dearest first */
	size_t root_count, root_cap;
	/* private */
	struct graph_weight *weights;	/* by function */
	uint32_t *via;			/* by function: the edge that first led to it (top-down) */
	uint32_t *queue;		/* functions in the order reached */
	uint32_t *rest;
	size_t weight_cap, via_cap, queue_cap, rest_cap, reached;
};

void graph_release(struct graph *g);		/* one that is all zero holds nothing */

/* Anew, of a computed profile. Linear, but for the sorting of the roots. 0 or ERR_NOMEM. */
int graph_build(struct graph *g, const struct profile *p, bool inverted);

/* The path of all, above the roots; that of a function below another's. */
uint64_t graph_start(bool inverted);
uint64_t graph_path(const struct graph *g, uint64_t up, uint32_t function);

void graph_root(const struct graph *g, size_t root, struct graph_node *n);

/* The edges below a function, PROFILE_NONE ends; the function at an edge's far end. */
uint32_t graph_first(const struct graph *g, uint32_t function);
uint32_t graph_next(const struct graph *g, uint32_t edge);
uint32_t graph_end(const struct graph *g, uint32_t edge);

/* What is below `up` by an edge of its function. */
void graph_below(const struct graph *g, const struct graph_node *up, uint32_t edge,
		 struct graph_node *n);

/*
 * What sorts roots and edges; what part of all below (bottom-up: above) a function an edge makes.
 */
double graph_root_weight(const struct graph *g, uint32_t function);
double graph_edge_weight(const struct graph *g, const struct profile_edge *e);
double graph_fraction(const struct graph *g, uint32_t function, uint32_t edge);

/* For qsort_r over edge numbers below one function, the graph as ctx: the dearest first. */
int graph_compare(const void *a, const void *b, void *graph);

/*
 * The shortest way to a function from a root, as functions; how many, 0: there is none, or it is
 * longer than max.
 */
size_t graph_way(const struct graph *g, uint32_t function, uint32_t *way, size_t max);

/* The dearest way from the dearest root to its end, as functions; how many. */
size_t graph_hottest(const struct graph *g, uint32_t *way, size_t max);

/*
 * Share of the whole that is spent in functions that match, or below them. Linear. NaN: no memory.
 */
double graph_through(const struct graph *g, bool (*matches)(void *ctx, uint32_t function),
		     void *ctx);

/*
 * Its total and calls are apportioned. Bottom-up those of a root's own callers are told by the
 * node.
 */
static inline bool graph_about(const struct graph *g, const struct graph_node *n)
{
	return n->shared && !(g->inverted && n->depth <= 1);
}

/*
 * "573 ms", "~573 ms" for what is apportioned, "~0 s" for less than nothing, "" for NaN. Of 20
 * bytes.
 */
const char *graph_seconds(char *dst, size_t size, double seconds, bool about);

/*
 * For the clipboard: "main;send 66.7 % total 1.00 s self 573 ms calls 50"; `way` from the root
 * down.
 */
void graph_copy(const struct graph *g, const struct graph_node *n, const uint32_t *way,
		size_t count, struct buf *out);

#endif
