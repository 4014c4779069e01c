/*
 * mqtt: one connection to a broker (MQTT 5, else 3.1.1), for a poll loop, by libmosquitto without
 * its threads. One that goes is taken up again, by itself, after 0.5 s, then later each time, up to
 * 30 s; whoever has the connection subscribes and publishes what is retained each time it comes up
 * (`up`): the session is a clean one.
 *
 * libmosquitto's own reconnect waits for the kernel where nobody answers, and its asynchronous one
 * spins in a foreign loop; so each attempt begins with a connect() of ours that does not wait. A
 * host's name is looked up by mqtt_new, and by libmosquitto once the host has answered.
 */
#ifndef WSNTOP_MQTT_MQTT_H
#define WSNTOP_MQTT_MQTT_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/mqtt/place.h"

/* User properties of MQTT 5. A broker of 3.1.1 drops them: all 0. */
struct mqtt_extra {
	uint64_t wall_us;		/* t: of the first byte, since 1970 */
	uint32_t number;		/* n: of a batch, from 1 */
	bool late;			/* s: it waited for the broker */
};

struct mqtt_message {
	const char *topic;
	const uint8_t *data;
	size_t n;
	bool retained;
	struct mqtt_extra extra;
};

struct mqtt_hooks {
	void *ctx;
	void (*up)(void *ctx);
	void (*message)(void *ctx, const struct mqtt_message *m);
};

struct mqtt_will {
	const char *topic;		/* NULL: none */
	const char *text;		/* retained */
};

enum mqtt_publishing {
	MQTT_ONCE = 0,			/* at most: QoS 0 */
	MQTT_SURELY = 1,		/* at least once: QoS 1 */
	MQTT_KEPT = 2,			/* retained */
};

struct mqtt;

/* Strings of `place` are copied, the will's borrowed. NULL with the sentence. */
struct mqtt *mqtt_new(const struct mqtt_place *place, const struct mqtt_hooks *hooks,
		      const struct mqtt_will *will, struct err *err);
void mqtt_free(struct mqtt *m);		/* what was published is sent, for half a second at most */

/* What to poll, fd->fd -1: nothing; milliseconds until mqtt_service wants to be called. */
int mqtt_poll(const struct mqtt *m, uint64_t now, struct pollfd *fd);
void mqtt_service(struct mqtt *m, uint64_t now);

bool mqtt_is_up(const struct mqtt *m);
const char *mqtt_why(const struct mqtt *m);	/* why it is not; "" it is, or no try has failed */
unsigned mqtt_version(const struct mqtt *m);	/* 5 or 3, of the connection */

/* 0, or ERR_ABSENT: the connection is down. */
int mqtt_subscribe(struct mqtt *m, const char *filter, enum mqtt_publishing how);
int mqtt_unsubscribe(struct mqtt *m, const char *filter);

/* More can be published so: it is up, takes bytes, and few wait for their acknowledgement. */
bool mqtt_has_room(const struct mqtt *m, unsigned how);

/* `how`: bits. 0, or negative: it was not taken. `extra` may be NULL. */
int mqtt_publish(struct mqtt *m, const char *topic, const void *data, size_t n, unsigned how,
		 const struct mqtt_extra *extra);

#endif
