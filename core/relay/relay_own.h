/* relay_own: a relay and its nodes: what relay.c and kept.c share. */
#ifndef WSNTOP_RELAY_RELAY_OWN_H
#define WSNTOP_RELAY_RELAY_OWN_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/link/guard.h"
#include "core/link/link.h"
#include "core/mqtt/mqtt.h"
#include "core/mqtt/topic.h"
#include "core/relay/relay.h"
#include "core/relay/spool.h"
#include "core/wire/wire.h"

struct relay;

struct relay_node {
	struct relay *relay;
	const char *source;
	struct link *link;		/* NULL: of the spool alone, its port has not told its id */
	struct wire *wire;
	bool ended, known;		/* known: it said its id */
	bool announced, changed;	/* on the broker; its HELLO did */
	uint64_t ended_ns;		/* at its end, until its last keyframe is out */
	uint32_t id;
	uint16_t epoch;
	struct buf batch;
	uint64_t batch_ns, wall_us;	/* when its first byte came */
	uint32_t next;			/* number of the next batch; 0: none is sent */
	uint64_t lease_ns, key_ns;	/* leased until; a keyframe is due at, */
	uint64_t settle_ns;		/* and as it is at; 0: none is */
	uint64_t put_ns;		/* the last one went out */
	uint64_t hold_ns;		/* until then that of an epoch that ended stays retained */
	/* doubt.c */
	struct guard guard;
	struct guard_changes changes;
	uint64_t barred_ns;		/* its bytes are refused until then */
	uint32_t ticks_per_second;
	uint64_t run, run_then;		/* of its clock, in STATUS; at the keyframe before, */
	uint64_t then_ns;		/* which was put then */
	bool flood_told, haste_told, time_told, orders_told;
	double orders;			/* commands that it may be sent, as of then */
	uint64_t orders_ns;
	/* kept.c */
	struct spool *spool;		/* NULL: nothing is kept */
	uint64_t wait_ns;		/* that bytes of the spool are kept for a lease */
	struct buf early;		/* before its id was known: it may be in the spool */
	bool joins, swapped;		/* it is; another node is at the port */
	bool resuming;			/* what was kept is decoded again */
	bool before;			/* a relay before this one kept some of it */
	uint32_t spool_id;		/* whose the spool is */
	struct buf drain;		/* bytes of the spool, until they are a payload */
	uint64_t drain_us, drain_ns;	/* when they came; the next payload may go out at */
};

struct relay {
	const struct relay_options *o;
	struct relay_tally *tally;
	struct mqtt_place place;
	char name[96], topic[TOPIC_MAX];	/* of this relay, for its last will */
	struct mqtt *mqtt;
	unsigned shards;		/* 0: not known yet */
	uint64_t config_ns;		/* wsn/config is ours to say, from then on */
	bool down_told;			/* why it is down */
	bool was_up;
	struct err refused;		/* what ends it */
	struct relay_node *nodes;	/* those of ports, then those of the spool */
	size_t count;
	int lock;			/* of the spool's folder; -1: none */
	struct pollfd *fds;
};

/* relay.c */
int relay_wire(struct relay_node *n, struct err *err);	/* a new decoder, in place of the one */
int relay_publish(const struct relay_node *n, enum topic_leaf leaf, const void *data, size_t size,
		  unsigned how, const struct mqtt_extra *extra);
bool relay_is_leased(const struct relay_node *n, uint64_t now);
bool relay_is_ready(const struct relay *r);	/* the broker is there, and its shards are known */

/*
 * doubt.c: a node is not believed. Bytes beyond a rate are refused, as are changes of its epoch or
 * its id that come too often; one whose clock runs ahead of ours is marked. All is counted, and
 * said once.
 */
bool doubt_takes(struct relay_node *n, uint64_t now, size_t size);	/* bytes of its port */
bool doubt_commands(struct relay_node *n, uint64_t now);	/* one more may be sent to it */
bool doubt_changes(struct relay_node *n, uint64_t now);	/* its epoch may end, its id change */
void doubt_time(struct relay_node *n, uint64_t now);	/* at a keyframe */

/*
 * kept.c: what of nodes is kept while the broker is away.
 *
 * A node's spool is found by its id, which it must say first: what it sent before waits (early). If
 * the spool has it, from a run of the relay before, the decoder is brought to where that one was.
 */
int kept_open(struct relay *r, struct err *err);
void kept_close(struct relay *r);
bool kept_takes(const struct relay_node *n);	/* what comes is kept, not sent */
void kept_add(struct relay_node *n, uint64_t now, const uint8_t *data, size_t size);
/* An epoch ended: its counts go out, or are kept. */
void kept_end(struct relay_node *n, uint64_t now);
/* Behind a batch that was decoded: its id is known since, or it is another one. */
void kept_follow(struct relay_node *n, uint64_t now, const uint8_t *data, size_t size);
/* What was kept goes out. True: keyframes of before are still there, newer ones wait. */
bool kept_drain(struct relay_node *n, uint64_t now);

#endif
