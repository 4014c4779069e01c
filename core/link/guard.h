/*
 * guard: what a node may send that is not believed: so many bytes and messages a second, and none
 * in another one's name. A token bucket: what was not used is saved up for GUARD_SAVED seconds. And
 * what it may say of itself: how often it is another one, and how long it ran.
 */
#ifndef WSNTOP_LINK_GUARD_H
#define WSNTOP_LINK_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	GUARD_BYTES = 2 << 20,		/* a second: more than a line of 12 Mbaud has */
	GUARD_MESSAGES = 200,		/* a second: batches are of a quarter of one */
	GUARD_SAVED = 4,		/* seconds */
};

/* Starts zeroed. */
struct guard {
	uint64_t since_ns;		/* 0: nothing came yet */
	double bytes, messages;		/* that may come */
	uint64_t over;			/* bytes that came and might not */
	uint64_t foreign;		/* bytes of payloads with another one's HELLO */
};

/* False: these are too much, and counted. */
bool guard_takes(struct guard *g, uint64_t now, unsigned messages, size_t size);

/* Every HELLO in a payload has this id; false: one has not, and all of it is counted. */
bool guard_is_own(struct guard *g, uint32_t id, const uint8_t *data, size_t n);

/* The id of a payload's first HELLO. False: it has none. */
bool guard_hello(const uint8_t *data, size_t n, uint32_t *id);

/* Up to behind the first HELLO, its zero too; all of it if there is none. */
size_t guard_hello_end(const uint8_t *data, size_t n);

/* Changes of its epoch or its id: one in GUARD_CHANGE_S seconds, GUARD_CHANGES at once. */
enum { GUARD_CHANGE_S = 10, GUARD_CHANGES = 6 };

/* Starts zeroed. */
struct guard_changes {
	uint64_t since_ns;		/* 0: none was asked for yet */
	double left;			/* that it may make, as of then */
};

bool guard_changes_take(struct guard_changes *c, uint64_t now);	/* false: too often */

/* It ran for `own` seconds by its clock while `ours` passed: that cannot be. */
bool guard_is_ahead(double own, double ours);

#endif
