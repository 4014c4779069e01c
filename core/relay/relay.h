/*
 * relay: `wsntop relay`: nodes at this machine's ports, published on a broker (core/mqtt/topic.h).
 * Each node's bytes are decoded here, so that a keyframe can be told at any time: who comes late
 * knows all of a node at once.
 *
 *	a node's HELLO came ---> hello, k now and each period; up
 *	a lease ---> k, then w with all bytes behind it, until the lease ends
 *
 * Bytes go out in batches of a quarter of a second, whole frames; what does not fit a broker that
 * is slow or away is not kept: the next keyframe has all running totals.
 */
#ifndef WSNTOP_RELAY_RELAY_H
#define WSNTOP_RELAY_RELAY_H

#include <signal.h>
#include <stddef.h>

#include "core/base/err.h"

enum { RELAY_PERIOD_S = 60 };

struct relay_options {
	const char *to;			/* mqtt://BROKER/SITE */
	const char *const *sources;
	size_t count;
	long baud;			/* 0: as links have it */
	double period;			/* seconds between keyframes */
	unsigned shards;		/* 0: as wsn/config says, or 64 */
	double seconds;			/* 0: until `stop` */
	const volatile sig_atomic_t *stop;
	void (*say)(void *ctx, const char *line);
	void *ctx;
};

struct relay_tally {
	size_t nodes;			/* that said who they are */
	unsigned long long keys, batches, unsent;	/* unsent: batches that found no room */
};

/* Until it is stopped, or all sources have ended. 0, or negative with the sentence. */
int relay_run(const struct relay_options *o, struct relay_tally *t, struct err *err);

#endif
