/*
 * span: a stretch of a recording, from one time to another, as a profile: what was counted in it.
 *
 * Read to its end and no further, and from the nearest key of its index on (core/link/keys.h): of a
 * day's recording an hour is there at once. The result is the same, count for count, as if all
 * before it had been read.
 */
#ifndef WSNTOP_RUN_SPAN_H
#define WSNTOP_RUN_SPAN_H

#include <signal.h>

#include "core/base/moment.h"
#include "core/node/node.h"

struct span {
	struct moment from, until;	/* until: +1h is from there */
	bool begins, ends;		/* one is given */
};

/* The options of a node that a span is to be read of. */
void span_options(struct node_options *o);

struct span_result {
	struct profile *profile;	/* for profile_drop; NULL: there is none */
	struct wire_stats stream;	/* bytes, events, losses in it */
	char said[128];			/* which time it is */
};

/* Reads a node that was opened so. 0, or negative with the sentence. */
int span_read(struct node *n, const struct span *s, const volatile sig_atomic_t *stop,
	      struct span_result *r, struct err *err);

#endif
