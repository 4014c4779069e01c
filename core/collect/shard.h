/*
 * shard: the nodes of one shard, as their keyframes tell: what they count now (core/fleet/crowd.h),
 * and what they had counted in epochs that are over, their past. Sum: both, of all of them. A
 * keyframe has the running totals of its epoch: a newer one of the same epoch replaces it; the last
 * one of an epoch stays counted when another begins.
 *
 * A past belongs to its node: whoever takes the shard over has the node's keyframe and its past
 * from the broker, both retained, and goes on. Of two who count the same node at the same time each
 * overwrites what the other says with the same: nothing is added twice.
 *
 * Nodes are not believed. Refused, and counted: another shard's node, another node's HELLO, more
 * than guard.h lets pass, keyframes that are not whole, changes of the epoch beyond one in 10 s (6
 * at once). Unknown: a firmware that is none of the ELFs. Doubtful, and left out of the sum until
 * their epoch ends: a node that ran longer than the time that passed, or whose functions took more
 * than it ran.
 */
#ifndef WSNTOP_COLLECT_SHARD_H
#define WSNTOP_COLLECT_SHARD_H

#include "core/collect/elfs.h"
#include "core/collect/sum.h"
#include "core/fleet/crowd.h"
#include "core/mqtt/mqtt.h"
#include "core/mqtt/topic.h"

enum {
	SHARD_NODES = 65536,
	SHARD_KEY = 256 << 10,		/* bytes of a keyframe */
};

/* What all shards of a collector share; borrowed. */
struct shard_terms {
	struct elfs *elfs;
	unsigned shards;
	struct quota *quota;		/* for all that is kept of nodes */
	uint64_t seed;			/* of indices: nodes choose their ids (core/base/index.h) */
};

struct shard;

/* NULL: no memory. */
struct shard *shard_new(const struct shard_terms *terms, unsigned number);
void shard_free(struct shard *s);

/* A message of a node: `k` or `up`. True: the sum is another one now. */
bool shard_take(struct shard *s, uint64_t now, const struct topic *t, const struct mqtt_message *m);

/* A node's past, as it was told before (shard_past). True: the sum is another one now. */
bool shard_past_take(struct shard *s, const char *site, uint32_t node, const void *data, size_t n);

/* Into an empty sum, `by` left alone. `shares` take as long again; false: none are in it. */
void shard_sum(struct shard *s, struct sum *sum, bool shares);

size_t shard_nodes(const struct shard *s);
unsigned shard_number(const struct shard *s);

/*
 * The next past from node *at on that is to be told: of those that changed, or with `all` of all.
 * False: there is none. `told`: it was.
 */
struct shard_past {
	const char *site;
	uint32_t node;
	const struct sum *sum;
};
bool shard_past_next(struct shard *s, size_t *at, bool all, struct shard_past *past);
void shard_past_told(struct shard *s, size_t at);

struct shard_tally {
	size_t nodes, up, unknown, doubtful;
	uint64_t refused, ended, ends_lost;
	uint64_t keys;			/* keyframes that were taken */
};

void shard_tally(const struct shard *s, struct shard_tally *t);	/* added to *t */

#endif
