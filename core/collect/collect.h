/*
 * collect: `wsntop collect`: the keyframes of all nodes of a site on a broker (core/mqtt/topic.h),
 * added up by firmware build and function. Any number of collectors with the same GROUP share the
 * site's shards, wherever they run; nobody leads:
 *
 *	wsn/member/GROUP/ID		retained: a collector; its last will clears it
 *	wsn/sum/GROUP/SHARD		retained: the sum of a shard (sum.h), by its owner
 *	wsn/past/GROUP/SHARD/NODE/SITE	retained: what a node counted in epochs before
 *
 * Each computes who owns which shard (members.h), subscribes to the keyframes of its own alone, and
 * to the sums of all: what it puts out is the group's, whichever is asked. When a member goes its
 * shards' new owners have the nodes' keyframes and pasts from the broker. When the broker was away
 * everybody tells again what is retained.
 */
#ifndef WSNTOP_COLLECT_COLLECT_H
#define WSNTOP_COLLECT_COLLECT_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/say.h"
#include "core/collect/outputs.h"

enum { COLLECT_PERIOD_S = 10, COLLECT_GROUP = 32 };

#define COLLECT_MEMORY (1024.0 * (1 << 20))

struct collect_options {
	const char *from;		/* mqtt://BROKER/SITE; SITE + for all of one level */
	const char *group;
	const char *const *elfs;	/* firmware that nodes may run */
	size_t elf_count;
	unsigned shards;		/* 0: as wsn/config says, or 64 */
	double period;			/* seconds between two sums of a shard */
	double memory;			/* bytes for all that is kept of nodes, and for sums */
	const char *more_memory;	/* how there is more, for the sentence; NULL: not told */
	double seconds;			/* 0: until `stop` */
	const volatile sig_atomic_t *stop;
	struct say say;
	struct outputs_options outputs;
};

struct collect_tally {
	uint64_t nodes, unknown, doubtful;	/* of the group, at the end */
	unsigned long long keys, refused, ended, ends_lost;	/* of this collector */
	uint64_t no_room;		/* how often its memory was full */
	uint64_t failed;		/* rules, at the end */
	bool broken;			/* an output could not be written */
};

/* A name for topics: 1 to COLLECT_GROUP letters, digits, - and _. */
bool collect_is_group(const char *text);

/* Until it is stopped. 0, or negative with the sentence. */
int collect_run(const struct collect_options *o, struct collect_tally *t, struct err *err);

#endif
