/*
 * shares: how a function's share of the self time of a node is spread over the nodes of a build,
 * and the nodes where it is largest. Of the epochs that nodes are in: a share is of a node, not of
 * what it counted before.
 *
 * Parts of a fleet merge into what one that saw all nodes has, exactly, in any order: shares are
 * kept in whole 1e-9ths, quantiles as counts (core/fleet/sketch.h), the worst by share, then by id.
 * A function takes 130 bytes and those of its sketch, 2 to 4 for each 4 % of width; 1.4 KB while
 * nodes are added to it, not where sums are.
 *
 * As text, an entry of "functions" in a sum's part (sum.h): address, nodes, sum of shares, sketch
 * (hex), then of each of the worst node, share, calls:
 *
 *	"3f0 16 5210345678 0101b10210 2a/351234567/1200 31/350000001/1187"
 */
#ifndef WSNTOP_COLLECT_SHARES_H
#define WSNTOP_COLLECT_SHARES_H

#include "core/base/index.h"
#include "core/base/json_out.h"
#include "core/fleet/crowd.h"
#include "core/fleet/sketch.h"

enum {
	SHARES_FUNCTIONS = 4096,	/* of a build at a site */
	SHARES_WORST = 3,		/* nodes of a function */
	SHARES_ONE = 1000000000,	/* a share of 100 % */
};

struct shares_node {
	uint32_t id;
	uint32_t share;			/* 1e-9ths */
	uint64_t calls;
};

struct shares_function {
	uint64_t address;
	uint32_t nodes;			/* that spent time in it */
	uint64_t sum;			/* of their shares */
	struct shares_node worst[SHARES_WORST];	/* those with the largest, the first of all first */
	size_t worst_count;
	/* private */
	struct sketch *open;		/* NULL: packed */
	uint8_t *packed;
	size_t size;
};

/* Starts zeroed. */
struct shares {
	struct shares_function *functions;	size_t count, cap;
	uint64_t beyond;		/* functions that found no room */
	struct index index;		/* by address */
};

void shares_release(struct shares *s);
size_t shares_memory(const struct shares *s);	/* bytes of heap */

/* A node of this build, by crowd_costs() and their sum. */
void shares_add(struct shares *s, const struct build *b, const struct crowd_cost *costs, double sum,
		uint32_t id);
void shares_merge(struct shares *s, const struct shares *other);
void shares_pack(struct shares *s);	/* for keeping; may be added to again */

/* NULL: no node spent time in it. */
const struct shares_function *shares_find(const struct shares *s, uint64_t address);
void shares_sketch(const struct shares_function *f, struct sketch *sketch);

void shares_write(const struct shares *s, struct json_out *j);	/* an array "functions" */
bool shares_read(struct shares *s, const char *text);	/* an entry of it; false: it is none */

#endif
