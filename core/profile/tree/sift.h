/*
 * sift: what a filter leaves of a call tree: the functions that match, and those that lead to them.
 */
#ifndef WSNTOP_PROFILE_TREE_SIFT_H
#define WSNTOP_PROFILE_TREE_SIFT_H

#include "core/profile/tree/graph.h"

/* Marks of a function. */
#define SIFT_MATCHES 1
#define SIFT_LEADS 2			/* below it (bottom-up: above it) one matches */

struct sift {
	uint8_t *marks;			/* by function */
	uint32_t *queue;
	size_t cap, queue_cap, matching;
};

void sift_release(struct sift *s);	/* one that is all zero holds nothing */

/* Linear in functions and edges. 0 or ERR_NOMEM. */
int sift_build(struct sift *s, const struct graph *g,
	       bool (*matches)(void *ctx, uint32_t function), void *ctx);

#endif
