/*
 * forest: the graph (graph.h) as lines, as far as it is open. Private to tui/view.
 *
 * A function that is among those above it is shown and marked, and not unrolled: so a cycle ends.
 * Only open lines are unrolled, and no more than FOREST_LINES. Open lines are kept by path, for
 * each direction by itself, so that they survive a recompute. With a filter the lines below one
 * that lead to nothing that passes are one line, and those that do are open.
 */
#ifndef WSNTOP_TUI_VIEW_TREE_FOREST_H
#define WSNTOP_TUI_VIEW_TREE_FOREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"
#include "core/base/regex.h"
#include "core/profile/tree/sift.h"

#define FOREST_LINES 100000		/* unrolled at most */
#define FOREST_OPENED 5000		/* branches opened at once by forest_open_all */
#define FOREST_SHOWN 1000		/* branches open because of the filter, at most */
#define FOREST_DEPTH 200		/* deeper lines are not opened */

struct forest_line {
	struct graph_node n;
	uint32_t parent;		/* line; UINT32_MAX for a root */
	uint32_t edge;			/* between the line above and this one; PROFILE_NONE */
	bool open, again;		/* again: among those above it */
	bool inside;			/* it or one above it passes the filter */
	uint32_t rest;			/* not 0: so many that do not; function is PROFILE_NONE */
};

struct forest {
	struct graph graph;
	struct forest_line *lines;
	size_t count, cap;
	bool cut;			/* FOREST_LINES reached */
	bool sifted;			/* by a filter: */
	struct sift sift;
	struct map fold;		/* path -> 1 open, 0 closed; absent: top-down roots open */
	/* private */
	uint32_t *stack;		/* edges of the open lines above the one at work */
	size_t stack_count, stack_cap;
	struct forest_way *ways;	/* for forest_open_all */
	size_t way_count, way_cap;
	size_t shown;			/* lines that are open because of the filter */
};

void forest_init(struct forest *f);
void forest_release(struct forest *f);

/*
 * The profile changed, the direction, or the filter (NULL: none). 0, or ERR_NOMEM: it is empty.
 */
int forest_build(struct forest *f, const struct profile *p, bool inverted,
		 const struct regex *filter);

/* Unroll again, after lines were opened or closed. */
void forest_unroll(struct forest *f);

/* These take effect at the next forest_unroll. */
void forest_fold(struct forest *f, size_t line, bool open);
void forest_close_all(struct forest *f);

/*
 * Open every branch, those near the roots first, at most FOREST_OPENED. False: all were open.
 */
bool forest_open_all(struct forest *f);

/*
 * Open the most expensive branches that nobody closed, as long as no more than `lines` lines are
 * shown. Takes effect at once.
 */
void forest_fill(struct forest *f, size_t lines);

/* Open the shortest way to a function; the path of its line there. 0: there is none. */
uint64_t forest_reveal(struct forest *f, uint32_t function);

/* Open the most expensive way from a root to its end; the path of the end. 0: there is none. */
uint64_t forest_hottest(struct forest *f);

/* The line of a path, or count. */
size_t forest_find(const struct forest *f, uint64_t path);

#endif
