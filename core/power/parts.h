/*
 * parts: how the samples of a meter are kept. Private to core/power.
 *
 * power.c	samples come: blocks, their figures, the tree above them
 * thin.c	older parts become coarser
 * span.c	windows
 * time.c	the map to the host's time; edges of the logic inputs
 */
#ifndef WSNTOP_POWER_PARTS_H
#define WSNTOP_POWER_PARTS_H

#include "core/power/power.h"

enum {
	POWER_FAN = 16,
	POWER_FINE = POWER_FAN,			/* samples in a figure of block.fine, */
	POWER_COARSE = POWER_FINE * POWER_FAN,	/* of block.coarse, */
	POWER_BLOCK = POWER_COARSE * POWER_FAN,	/* and in a block that was not joined */
	POWER_LEVELS = 8,			/* of the tree: 16^8 blocks and more */
	POWER_ANCHORS = 1 << 14,
};

/* Of some samples; count 0: the others are 0. */
struct power_sum {
	float min, max, mean;
	uint32_t count;
};

struct power_block {
	uint64_t first, end;		/* ticks */
	struct power_sum all;
	float *raw;			/* POWER_BLOCK; NaN: missing. NULL: let go */
	struct power_sum *fine;		/* NULL: let go */
	struct power_sum *coarse;	/* likewise */
};

/* Where a tick was on the host's axis, as the map knew it when its minute was complete. */
struct power_anchor {
	uint64_t tick, ns;
	double uncertainty;		/* ns */
	unsigned map;			/* anchors of one map are on one line, about */
};

struct power {
	size_t bytes;			/* to be kept at most */
	double hz;
	unsigned ppm;
	uint64_t begin, end, count;
	bool begun;
	struct power_block *blocks;
	size_t block_count, block_cap;
	/* blocks before these have let go of it */
	size_t raw_from, fine_from, coarse_from;
	struct power_tree {
		struct power_sum *sums;	/* each of POWER_FAN entries of the level below */
		size_t count, cap;
	} tree[POWER_LEVELS];
	struct power_edge *edges;
	size_t edge_count, edge_cap;
	uint64_t edges_gone;
	struct {
		struct clock clock, before;	/* before: as it was at the arrival before */
		bool used;
		unsigned map;
		uint64_t begin;			/* first tick of this map */
		struct power_anchor *anchors;
		size_t count, cap;
		uint64_t known_from;	/* ticks before have no anchor any more */
		uint64_t step, next;	/* ticks between anchors; tick of the next one */
	} time;
};

/* --- power.c --- */

/* Adds what b sums up to `sum`. */
void sum_join(struct power_sum *sum, const struct power_sum *b);
/* Figures of the tree above these blocks, as the blocks are now. 0 or ERR_NOMEM. */
int tree_update(struct power *p, size_t from, size_t to);

/* --- thin.c --- */

void power_thin(struct power *p);

/* --- time.c --- */

void edges_add(struct power *p, uint64_t first, const uint8_t *logic, size_t n);
void time_forget(struct power *p);

#endif
