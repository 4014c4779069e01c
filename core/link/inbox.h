/*
 * inbox: what a broker's nodes sent (core/mqtt/topic.h), until their links take it; apart from the
 * connection. Nothing of it is believed: nodes, payloads and what waits are bounded; a node that
 * sends too much, or another one's HELLO under its topic, is refused, and that is counted. A node
 * is found in constant time, however many there are; each takes 300 bytes, and what waits for it,
 * from the quota where there is one.
 *
 *	k ---> not synced: the retained one in case that none comes; a fresh one: synced
 *	       synced, no w yet: bytes for the link, as for who is not allowed to ask for w
 *	w ---> synced: bytes for the link
 *
 * A node is away when its `up` says so, or when the last will of the relay that `up` names does
 * (wsn/relay/NAME): a relay that was killed tells nothing itself.
 */
#ifndef WSNTOP_LINK_INBOX_H
#define WSNTOP_LINK_INBOX_H

#include "core/base/buf.h"
#include "core/base/index.h"
#include "core/base/quota.h"
#include "core/base/texts.h"
#include "core/link/guard.h"
#include "core/mqtt/mqtt.h"
#include "core/mqtt/topic.h"

enum {
	INBOX_NODES = 1 << 16,		/* a broker may name any number, */
	INBOX_KEPT = 4096,		/* ... of which each has a keyframe here: nobody hears; */
	INBOX_SITES = 4096,		/* also of sites, */
	INBOX_RELAYS = 4096,		/* and of relays that are gone */
	INBOX_WAITING = 1 << 20,	/* bytes of a node that nobody took yet */
	INBOX_KEY = 256 << 10,		/* of a payload: a keyframe, */
	INBOX_WIRE = 64 << 10,		/* and bytes as they came */
};

enum inbox_bound { INBOX_BY_NODES, INBOX_BY_SITES, INBOX_BY_MEMORY, INBOX_BOUNDS };

struct broker_node {
	void *owner;			/* of the inbox */
	struct quota_part *part;	/* the inbox's; NULL: it is in none */
	const char *site;		/* the inbox's */
	uint32_t site_number;
	unsigned shard;
	uint32_t id;
	bool away;			/* no relay has it: */
	bool left;			/* `up` says so, */
	uint64_t relay;			/* or that one is gone: its name's hash */
	bool obeys;			/* its relay takes commands for it */
	bool opened;			/* a link takes its bytes */
	bool synced;			/* it had a keyframe, */
	bool flows;			/* and bytes behind it: no keyframe is needed */
	uint64_t key_us;		/* which has what came before that; 0: not told */
	uint64_t opened_ns, lease_ns;	/* the lease is asked for again at */
	struct buf stale;		/* the retained keyframe, in case that none comes */
	struct buf waiting;		/* bytes for the link, */
	size_t taken;			/* which has so many of them */
	uint64_t dropped;		/* for which there was no room */
	struct guard guard;
};

struct inbox {
	void *owner;
	/*
	 * Who keeps nodes by their keyframes is told each that is believed, and with m NULL that a
	 * node went or came (n->away). None is kept here then for links to come. NULL: nobody.
	 */
	void (*hear)(void *ctx, const struct broker_node *n, const struct mqtt_message *m);
	void *ctx;
	struct broker_node **nodes;	/* in the order in which they appeared */
	size_t count, cap;
	uint64_t beyond[INBOX_BOUNDS];	/* messages of nodes left out, by why */
	uint64_t refused;		/* messages that were not believed, */
	uint64_t messages, bytes;	/* of all that came */
	uint64_t answered_ns;		/* when the last lease brought a keyframe */
	/* private */
	struct quota_part part;
	struct index index;		/* of nodes, by site and id */
	struct texts sites;
	uint64_t *gone;			/* relays: hashes of their names, ascending */
	size_t gone_count, gone_cap;
	bool gone_changed;
};

/* One that is all zero draws from no quota, and its index may be foreseen by who chooses ids. */
void inbox_init(struct inbox *b, struct quota *quota);	/* which outlives it; NULL: none */
void inbox_release(struct inbox *b);
size_t inbox_most(const struct inbox *b);	/* nodes */

/* Of any topic, any bytes. `hear` is called before it returns. */
void inbox_take(struct inbox *b, uint64_t now, const struct mqtt_message *m);

/* Behind a number of them: the nodes of relays that went or came; `hear` is called for each. */
void inbox_follow(struct inbox *b);

/* NULL: there is none. */
struct broker_node *inbox_find(const struct inbox *b, const char *site, uint32_t id);

/* Bytes for the link of a node, in whole frames, by another way than a broker. */
void inbox_wait(struct broker_node *n, const uint8_t *data, size_t size);

/* No keyframe came: the one that was retained will do. */
void inbox_settle(struct broker_node *n);

size_t inbox_read(struct broker_node *n, uint8_t *to, size_t size);
void inbox_forget(struct broker_node *n);	/* what waits */
void inbox_close(struct broker_node *n);	/* its link is gone: what was kept for it, too */

#endif
