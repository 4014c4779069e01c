/*
 * topic: SITE/SHARD/NODE/LEAF on a broker, and what wsntop agrees on there.
 *
 *	LEAF	QoS, kept	payload
 *	hello	1, retained	HELLO, and NAME where the node has one: whole frames, as on the line
 *	k	1, retained	keyframe: HELLO, NAME, closed counts, all rows, STATUS; not retained
 *			for 45 s behind the last one of an epoch
 *	w	0		the node's bytes as they came, whole frames, while somebody listens
 *	up	1, retained	its relay's name, " commands" if it takes them; "0": none has it
 *	cmd	1		"lease SECONDS": somebody listens; "key": a keyframe now
 *	order	1		frames of commands (docs/PROTOCOL.md, 6), for relays that pass them
 *				on to the node; a topic of its own, so that not all who may watch
 *				may write it
 *
 * Payloads are bytes of the wsn protocol (docs/PROTOCOL.md) and nothing else: `mosquitto_sub -N`
 * piped into `wsntop -f wsn -p -` shows a node. NODE is the id of its HELLO, 8 hex digits; SHARD is
 * a hash of NODE, modulo a number of shards that all on a broker share: wsn/config, retained, is
 * "shards=64". Who counts with another number would miss nodes without a word, so he is refused.
 *
 * wsn/relay/NAME, retained, is "1" while that relay is there; its last will says "0".
 */
#ifndef WSNTOP_MQTT_TOPIC_H
#define WSNTOP_MQTT_TOPIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define TOPIC_CONFIG "wsn/config"
#define TOPIC_RELAY "wsn/relay/"
#define TOPIC_COMMANDS " commands"	/* behind the relay's name in `up` */

enum {
	TOPIC_SHARDS = 64,		/* where nobody said */
	TOPIC_SHARDS_MOST = 4096,
	TOPIC_MAX = 320,		/* bytes, with the NUL */
	TOPIC_SITE_MAX = 256,
	TOPIC_LEASE_S = 30,		/* asked for again at a third of it */
	TOPIC_LEASE_MOST_S = 600,
};

enum topic_leaf {
	TOPIC_HELLO, TOPIC_KEY, TOPIC_WIRE, TOPIC_UP, TOPIC_COMMAND, TOPIC_ORDER, TOPIC_LEAVES
};

struct topic {
	char site[TOPIC_SITE_MAX];	/* may have slashes */
	unsigned shard;
	uint32_t node;
	enum topic_leaf leaf;
};

uint32_t topic_hash(uint32_t hash, const char *text);	/* FNV-1a, 32 bits; begins with */
#define TOPIC_HASH UINT32_C(2166136261)

unsigned topic_shard(uint32_t node, unsigned shards);

/* As topic_read has it. */
void topic_print(char *dst, size_t size, const struct topic *t);

/* Writes it whole, or "" where dst has not the room. */
void topic_write(char *dst, size_t size, const char *site, unsigned shards, uint32_t node,
		 enum topic_leaf leaf);

/* A filter: of one node, or with `node` NULL of all; of one leaf. */
void topic_filter(char *dst, size_t size, const char *site, const char *node,
		  enum topic_leaf leaf);

/* False: it is none of ours. */
bool topic_read(struct topic *t, const char *text);

/* This machine's name, of letters that a topic may have. */
void topic_host(char *dst, size_t size);

/* "shards=64" as wsn/config has it. */
void topic_shards_print(char *dst, size_t size, unsigned shards);

/* The broker has another number than this one. ERR_USAGE with the sentence. */
int topic_shards_refuse(struct err *err, const char *broker, unsigned theirs, unsigned ours);

/* "shards=64" of wsn/config; 0: it is none. */
unsigned topic_shards_read(const void *data, size_t n);

/* "lease 30": seconds, 0 it is no lease. */
unsigned topic_lease_read(const void *data, size_t n);

/* Of `up`: the relay takes commands. */
bool topic_takes_commands(const void *data, size_t n);

#endif
