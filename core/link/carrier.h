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
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/quota.h"
#include "core/link/link.h"

/* What a carrier of many tells of a node, which need not be opened for that. */
struct carrier_word {
	const char *place;		/* PLACE/ID is its name: mqtt://broker/plant1/0000002a */
	uint32_t id;
	bool away;			/* nobody there has it */
	const uint8_t *data;		/* its counts, whole: a keyframe (core/mqtt/topic.h) ... */
	size_t n;			/* ... 0: it went away, or came */
	uint64_t told_us;		/* since 1970; 0: not told */
	bool retained, late;		/* of before; it waited for the broker */
};

/*
 * Who wants many nodes told, and not each opened. Up to `whole` nodes are announced as ever. Where
 * there are more, the rest is told alone, and carrier_next announces none but the very first; any
 * of them is opened by its name.
 */
struct carrier_ear {
	void (*hear)(void *ctx, const struct carrier_word *w);	/* also while carrier_new runs */
	void *ctx;
	size_t whole;
	struct quota *quota;		/* what is kept of nodes is drawn from; outlives it */
};

struct carrier {
	const struct carrier_ops *ops;
	char *source;			/* as -p named it */
	const struct carrier_ear *ear;	/* borrowed; NULL: nobody */
	void *own;			/* the kind's */
};

/* How many nodes there are, and how much was left out. */
struct carrier_count {
	size_t nodes, most, most_sites;	/* known; as many as are kept */
	uint64_t messages, bytes;	/* all that came, */
	uint64_t refused;		/* messages that are not believed, */
	uint64_t by_nodes, by_sites, by_memory;	/* or of nodes beyond these bounds */
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
	/* Where it tells its ear of nodes; else NULL. */
	bool (*has)(const struct carrier *c, const char *name);
	struct carrier_count (*count)(const struct carrier *c);
};

/* The kind that SOURCE names, opened. NULL with the sentence. An ear outlives it; NULL: none. */
struct carrier *carrier_new(const char *source, const struct carrier_ear *ear, struct err *err);
struct carrier *carrier_new_of(const struct carrier_ops *ops, const char *source, struct err *err);
void carrier_free(struct carrier *c);	/* NULL is fine */

/* fd->fd -1: nothing */
int carrier_poll(const struct carrier *c, uint64_t now, struct pollfd *fd);
const char *carrier_next(struct carrier *c, uint64_t now);

/* A node of this name is told of, and may be opened. */
bool carrier_has(const struct carrier *c, const char *name);
struct carrier_count carrier_count(const struct carrier *c);	/* all 0: it tells of none */

/* The link of a node that was announced or is told of. Owned by the caller; NULL: the sentence. */
struct link *carrier_link(struct carrier *c, const char *name, const struct link_options *o,
			  struct err *err);

#endif
