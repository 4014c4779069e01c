/*
 * relay: `wsntop relay`: nodes at this machine's ports, published on a broker (core/mqtt/topic.h).
 * Each node's bytes are decoded here, so that a keyframe can be told at any time: who comes late
 * knows all of a node at once.
 *
 *	a node's HELLO came ---> hello, k now and each period; up
 *	a lease ---> k, then w with all bytes behind it, until the lease ends
 *
 * Bytes go out in batches of a quarter of a second, whole frames; what does not fit a broker that
 * is slow is not kept: the next keyframe has all running totals. While it is away what comes is
 * spooled (spool.h), if there is a folder for it, also by a relay that is started again:
 *
 *	the broker is back ---> k of each part and of each epoch that ended, in order; then k as now
 *	a lease, soon enough ---> w with what was spooled, then as it comes
 *
 * The last counts of each epoch are published when it ends, as k.
 *
 * Nothing is written to a node but, where that is allowed, commands that came for it: whole frames
 * with a right check, of the types that the protocol has, as many as RELAY_COMMANDS at once and one
 * in a quarter of a second. Each is told.
 */
#ifndef WSNTOP_RELAY_RELAY_H
#define WSNTOP_RELAY_RELAY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/say.h"

enum { RELAY_PERIOD_S = 60, RELAY_KEEP = 64 << 20, RELAY_AGE_S = 86400, RELAY_COMMANDS = 8 };

struct relay_options {
	const char *to;			/* mqtt://BROKER/SITE */
	const char *const *sources;
	size_t count;
	long baud;			/* 0: as links have it */
	double period;			/* seconds between keyframes */
	unsigned shards;		/* 0: as wsn/config says, or 64 */
	bool commands;			/* those of the broker's users reach the nodes */
	const char *spool;		/* folder; NULL: nothing is kept */
	uint64_t keep;			/* its bytes at most, all nodes, */
	double age;			/* seconds that bytes in it may have */
	double seconds;			/* 0: until `stop` */
	const volatile sig_atomic_t *stop;
	struct say say;
};

struct relay_tally {
	size_t nodes;			/* that said who they are */
	unsigned long long keys, batches, unsent;	/* unsent: batches that found no room */
	unsigned long long ends, ends_lost;	/* epochs; whose last counts were not kept */
	unsigned long long refused, changes_refused;	/* bytes; changes of epoch or id */
	unsigned long long commands, commands_refused;
	size_t fast;			/* nodes whose clock runs ahead of ours */
	/* bytes of the spool: in, out; let go; nobody asked for; not written or read */
	unsigned long long kept, drained, thinned, unheard, unkept;
};

/* Until it is stopped, or all sources have ended. 0, or negative with the sentence. */
int relay_run(const struct relay_options *o, struct relay_tally *t, struct err *err);

#endif
