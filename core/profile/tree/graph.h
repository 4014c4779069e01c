/*
 * graph: a profile's call graph unrolled as a tree, node by node on demand. It knows nothing of
 * screens and files: the code that draws or writes the tree walks it.
 *
 * Top-down the roots are the functions that no function was seen to call, those called from no
 * function (handlers, entries), and, for the rest, which only a cycle reaches, the most expensive
 * one; below a function are its callees. Bottom-up the roots are all functions, by self time; below
 * a function are its callers, and each caller's value is its share of the root's self time.
 *
 * The profile has a callee's time for each caller, not for each path. So values are apportioned.
 * Top-down: the edge's time, times this node's share of all its function's time. Bottom-up: the
 * node's value, divided among the callers by the time of their calls. Both are exact where a
 * function has one way in, an estimate (`shared`) where it has more. Where a call trace tells the
 * ways of calls, nodes are these, and exact. No node is larger than its
 * parent. In a profile without times calls stand in for them: a function's own calls for its self
 * time, with the calls made below it for its inclusive time.
 *
 *	if (graph_build(&g, profile, false) == 0)
 *		for (size_t i = 0; i < g.root_count; i++)
 *			graph_root(&g, i, &node);
 *	for (e = graph_first(&g, node.function); e != PROFILE_NONE; e = graph_next(&g, e))
 *		graph_below(&g, &node, e, &child);
 *
 * A cycle makes the tree infinite: stop descending at a function that is on the path already.
 * The profile stays the caller's and must not change until the next graph_build.
 */
#ifndef WSNTOP_PROFILE_TREE_GRAPH_H
#define WSNTOP_PROFILE_TREE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"
#include "core/profile/profile.h"

/* In `via`. */
#define GRAPH_VIA_ROOT PROFILE_NONE
#define GRAPH_VIA_UNSEEN (PROFILE_NONE - 1)

struct graph_node {
	uint64_t path;			/* hash of the addresses from the root and the direction */
	uint32_t function;
	uint32_t depth;			/* 0: a root */
	double value;			/* seconds, or calls where there are no times */
	double share;			/* of all of its function; bottom-up: of the root's value */
	double self, total;		/* seconds on this path (bottom-up: the root's) or NaN */
	double calls;			/* on this path; NaN: not known */
	bool leaf;			/* there is nothing below */
	bool shared;			/* apportioned: an estimate */
};

/* What a call trace tells of a node, by its path. */
struct graph_told {
	double calls, total, self;	/* total and self in seconds */
	uint32_t function;
	uint32_t parent;		/* top-down: an earlier one, or PROFILE_NONE */
};

struct graph_weight {
	double all;			/* of a function: its inclusive time or calls */
	double in, in_calls, out;	/* sums over its edges, recursive ones left out */
	uint32_t ways;			/* edges in, recursive ones left out */
	bool outside, inside;		/* called from no function; from another one */
};

struct graph {
	const struct profile *profile;
	bool times;			/* values are seconds */
	bool inverted;			/* bottom-up */
	double whole;			/* the value that is 100 % */
	uint32_t *roots;		/* functions, most expensive first */
	size_t root_count, root_cap;
	/* private */
	struct graph_told *told;	/* by path */
	size_t told_count, told_cap;
	struct map told_at;
	uint32_t *ways;			/* the profile's paths, in told; or PROFILE_NONE */
	uint64_t *way_paths;
	size_t ways_cap, way_paths_cap;
	struct graph_weight *weights;	/* by function */
	uint32_t *via;			/* by function: the edge that first reached it (top-down) */
	uint32_t *queue;		/* functions in the order reached */
	uint32_t *rest;
	size_t weight_cap, via_cap, queue_cap, rest_cap, reached;
};

void graph_release(struct graph *g);		/* one that is all zero holds nothing */

/*
 * Builds it, for the first time or again, from a computed profile. Linear, except for sorting the
 * roots. 0 or ERR_NOMEM.
 */
int graph_build(struct graph *g, const struct profile *p, bool inverted);

/* The path hash above the roots; that of a function below the path `up`. */
uint64_t graph_start(bool inverted);
uint64_t graph_path(const struct graph *g, uint64_t up, uint32_t function);

/* Root number `root`, in order. */
void graph_root(const struct graph *g, size_t root, struct graph_node *n);

/*
 * A function with all of its time, whatever leads to it: below it are its callees, bottom-up its
 * callers, each with its part of that time.
 */
void graph_alone(const struct graph *g, uint32_t function, struct graph_node *n);

/* The edges below a function, PROFILE_NONE ends; the function at an edge's far end. */
uint32_t graph_first(const struct graph *g, uint32_t function);
uint32_t graph_next(const struct graph *g, uint32_t edge);
uint32_t graph_end(const struct graph *g, uint32_t edge);

/* The node below `up` along an edge of its function. */
void graph_below(const struct graph *g, const struct graph_node *up, uint32_t edge,
		 struct graph_node *n);

/* graph_told.c: from the profile's paths. 0 or ERR_NOMEM. */
int graph_told_build(struct graph *g);
void graph_told_release(struct graph *g);

/* NULL: nothing is told of it. */
const struct graph_told *graph_told_of(const struct graph *g, uint64_t path);

/* A function is on the way to a node, or the node's own. */
bool graph_told_holds(const struct graph *g, uint64_t path, uint32_t function);

/* The weights that roots and edges are sorted by. */
double graph_root_weight(const struct graph *g, uint32_t function);
double graph_edge_weight(const struct graph *g, const struct profile_edge *e);

/* An edge's part, 0..1, of all below the function (bottom-up: of all above it). */
double graph_fraction(const struct graph *g, uint32_t function, uint32_t edge);

/* For qsort_r over edge numbers below one function, the graph as ctx: most expensive first. */
int graph_compare(const void *a, const void *b, void *graph);

/*
 * The shortest way from a root to a function, as functions; returns how many, 0 if there is none or
 * it is longer than max.
 */
size_t graph_way(const struct graph *g, uint32_t function, uint32_t *way, size_t max);

/* The most expensive way down from the most expensive root, as functions; returns how many. */
size_t graph_hottest(const struct graph *g, uint32_t *way, size_t max);

/* Share of the whole that is spent in matching functions, or below them. Linear. NaN: no memory. */
double graph_through(const struct graph *g, bool (*matches)(void *ctx, uint32_t function),
		     void *ctx);

/* Total and calls are estimates. Bottom-up the node's own counts tell those of a root's callers. */
static inline bool graph_about(const struct graph *g, const struct graph_node *n)
{
	return n->shared && !(g->inverted && n->depth <= 1);
}

/* So is the self time: bottom-up, or because its function's is; what stands for all has none. */
static inline bool graph_self_about(const struct graph *g, const struct graph_node *n)
{
	return g->inverted && n->depth ? n->shared :
	       n->function < g->profile->function_count &&
	       profile_self_rough(&g->profile->functions[n->function]);
}

#endif
