/*
 * carrier: one connection that may bring many nodes: a broker, a gateway. Each node that appears on
 * it is a link like any other; a source that is one node's alone is a carrier that brings one.
 *
 * Nothing here blocks but carrier_new and carrier_link, as long as link_new does. A carrier
 * outlives the links that it gave: what arrives for them may pass through it. A node is announced
 * first and its link is opened by the node, when its image is read: no byte waits meanwhile.
 */
#ifndef WSNTOP_LINK_CARRIER_H
#define WSNTOP_LINK_CARRIER_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "core/link/link.h"

struct carrier {
	const struct carrier_ops *ops;
	char *source;			/* as -p named it */
	void *own;			/* the kind's */
};

struct carrier_ops {
	const char *scheme;		/* how its SOURCE begins: "mqtt:"; "" any other */
	int (*open)(struct carrier *c, struct err *err);	/* NULL: nothing to do */
	void (*close)(struct carrier *c);	/* follows a failed open, too. NULL likewise */
	/*
	 * What to poll: -1 nothing. Milliseconds until it wants to be called: -1 never. NULL: both
	 * -1.
	 */
	int (*poll)(const struct carrier *c, uint64_t now, struct pollfd *fd);
	/*
	 * The name of a node that was not announced before, borrowed until the next call. NULL:
	 * none now.
	 */
	const char *(*next)(struct carrier *c, uint64_t now);
	struct link *(*link)(struct carrier *c, const char *name, const struct link_options *o,
			     struct err *err);
};

/* The kind that SOURCE names, opened. NULL with the sentence. */
struct carrier *carrier_new(const char *source, struct err *err);
struct carrier *carrier_new_of(const struct carrier_ops *ops, const char *source, struct err *err);
void carrier_free(struct carrier *c);	/* NULL is fine */

/* fd->fd -1: nothing */
int carrier_poll(const struct carrier *c, uint64_t now, struct pollfd *fd);
const char *carrier_next(struct carrier *c, uint64_t now);

/* The link of a node that was announced, owned by the caller. NULL with the sentence. */
struct link *carrier_link(struct carrier *c, const char *name, const struct link_options *o,
			  struct err *err);

#endif
