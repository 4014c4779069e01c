/*
 * forest: a profile's call graph unrolled into trees, as far as they are open. Private to tui/view.
 *
 * Roots are the functions that nobody measured calls, those called from no function, and, for what
 * cannot be reached from these (cycles that nothing enters), the dearest left. A function that is
 * among its own ancestors is shown and marked, and not unrolled: a cycle cannot go on for ever.
 *
 * The profile knows how long a callee took for one caller, not for one path. A line's time is
 * therefore apportioned: the edge's time, times the share that this line has of all its parent's
 * time. It is exact where a function has one way to it, an estimate (`shared`) where there are
 * more. A line never has more than its parent. Without any times calls stand in for time.
 *
 * Only what is open is unrolled, and no more than FOREST_LINES lines. What is open is kept by path,
 * so that it survives a recompute.
 */
#ifndef WSNTOP_TUI_VIEW_FOREST_H
#define WSNTOP_TUI_VIEW_FOREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"
#include "core/profile/profile.h"

#define FOREST_LINES 100000		/* unrolled at most */
#define FOREST_OPENED 2000		/* opened at once by forest_open_all */
#define FOREST_DEPTH 200		/* deeper lines are not opened */

struct forest_line {
	uint64_t path;			/* hash of the addresses from the root */
	uint32_t function;
	uint32_t parent;		/* line; UINT32_MAX for a root */
	uint32_t depth;
	double value;			/* seconds, or calls where the profile has no times */
	double share;			/* of its function's whole: 1 where there is one way to it */
	double calls;			/* NaN: not known */
	bool open, leaf, again;		/* again: among its own ancestors */
	bool shared;			/* value and calls are apportioned: an estimate */
};

struct forest {
	const struct profile *profile;
	struct forest_line *lines;
	size_t count, cap;
	bool cut;			/* FOREST_LINES reached */
	bool times;			/* values are seconds */
	double whole;			/* what 100 % is */
	struct map fold;		/* path -> 1 open, 0 closed; absent: roots are open */
	/* private */
	uint8_t *ways;			/* by function: how it is entered (WAY_* in forest.c) */
	uint32_t *via;			/* by function: the edge that first led to it */
	uint32_t *queue;		/* functions in the order reached */
	size_t ways_cap, via_cap, queue_cap, reached;
	uint32_t *roots;		/* the dearest first */
	size_t root_count, root_cap;
	uint32_t *stack;		/* edges of the open lines above the one at work */
	size_t stack_count, stack_cap;
};

void forest_init(struct forest *f);
void forest_release(struct forest *f);

/* Unroll anew: the profile changed, or what is open. 0 or ERR_NOMEM (then it is empty). */
int forest_build(struct forest *f, const struct profile *p);

/* These take effect at the next forest_build. */
void forest_fold(struct forest *f, size_t line, bool open);
void forest_open_all(struct forest *f, size_t line);	/* this and everything below, at most FOREST_OPENED */
void forest_close_all(struct forest *f, size_t line);

/* Open the shortest way to a function; the path of its line there. 0: there is none. */
uint64_t forest_reveal(struct forest *f, uint32_t function);

/* The line of a path, or count. */
size_t forest_find(const struct forest *f, uint64_t path);

#endif
