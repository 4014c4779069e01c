/*
 * icicle: the graph (graph.h) as boxes in a rectangle of characters. Private to tui/view.
 *
 *	|all                                  |	level 0: all, or what was zoomed into, or the focus
 *	|main                     |idle       |
 *	|send         |sample     |
 *	|crc16  |...|
 *
 * A box is as wide as its share of the one above it, to the nearest column. Functions that would be
 * narrower than a column are joined into one box, per box above, and not descended into. So an
 * icicle costs what its boxes and their edges cost, whatever is below them. The space under a box
 * that no box fills is its own part.
 *
 * A place is a chain of functions' addresses from the root: it holds while the profile changes.
 */
#ifndef WSNTOP_TUI_VIEW_FLAME_ICICLE_H
#define WSNTOP_TUI_VIEW_FLAME_ICICLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/tree/graph.h"

#define ICICLE_LEVELS 200		/* deeper ones are not laid out */
#define ICICLE_NONE UINT32_MAX
#define ICICLE_REST UINT64_MAX		/* the address of what is put together */

struct icicle_box {
	struct graph_node n;		/* of all: function is PROFILE_NONE */
	uint32_t up;			/* box above; ICICLE_NONE */
	uint32_t first, count;		/* boxes below, left to right */
	uint32_t level;
	int x, width;
	double left, wide;		/* before rounding */
	uint32_t rest;			/* not 0: a box for so many functions */
	bool again;			/* among those above it: not gone into */
};

struct icicle_chain {
	uint64_t address[ICICLE_LEVELS];
	size_t n;			/* 0: all */
};

struct icicle {
	struct graph graph;
	struct icicle_box *boxes;	/* level by level, left to right; the first is the widest */
	size_t count, cap;
	size_t level[ICICLE_LEVELS + 1];	/* the first box of each, and the end */
	size_t levels;
	struct icicle_chain zoom;	/* as far as it is there: at most what was asked for */
	uint32_t above[ICICLE_LEVELS];	/* its functions */
	double hottest;			/* the greatest own value of a function */
	uint32_t focus;			/* level 0 is this function alone; PROFILE_NONE: all */
	/* private */
	struct graph_node *row;		/* what is below the box at work */
	size_t row_cap;
};

void icicle_release(struct icicle *c);		/* one that is all zero holds nothing */

/* The profile or the direction changed. 0 or ERR_NOMEM (then it is empty). */
int icicle_build(struct icicle *c, const struct profile *p, bool inverted);

/*
 * After it was built: not the roots but this function alone is what there is, with its callees, or
 * bottom-up its callers, below it.
 */
void icicle_focus(struct icicle *c, uint32_t function);

/* Lay the boxes out, for so many columns. */
void icicle_lay_out(struct icicle *c, const struct icicle_chain *zoom, int width);

/* The box that a chain leads to, or the last on its way; 0 where the zoom leaves it out. */
uint32_t icicle_find(const struct icicle *c, const struct icicle_chain *chain);

/* The chain of a box; a box of several functions is ICICLE_REST. */
void icicle_chain_of(const struct icicle *c, uint32_t box, struct icicle_chain *chain);

/* The widest box of a function; ICICLE_NONE. */
uint32_t icicle_widest(const struct icicle *c, uint32_t function);

/* The box at a column of a level; ICICLE_NONE. */
uint32_t icicle_at(const struct icicle *c, size_t level, int x);

/* The shortest chain to a function; the most expensive, to its end. False: there is none. */
bool icicle_way(const struct icicle *c, uint32_t function, struct icicle_chain *chain);
bool icicle_hottest(const struct icicle *c, struct icicle_chain *chain);

/* How far into a chain one must zoom for its end to have at least `share` of the width. */
size_t icicle_zoom_for(const struct icicle *c, const struct icicle_chain *chain, double share);

/* A box's own part of the whole, what it spends in no box below it, 0..1. */
double icicle_own(const struct icicle *c, const struct icicle_box *b);

#endif
