#include "core/link/guard.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/wire/wsn/wsn.h"

enum { AT_ID = 2 + 30, HELLO_LEAST = 2 + 49 };	/* in a HELLO: docs/PROTOCOL.md, 4 */

static double saved_up(double had, double seconds, double rate)
{
	double most = GUARD_SAVED * rate, has = had + seconds * rate;

	return has < most ? has : most;
}

bool guard_takes(struct guard *g, uint64_t now, unsigned messages, size_t size)
{
	double seconds = !g->since_ns ? GUARD_SAVED :
			 now > g->since_ns ? (double)(now - g->since_ns) / (double)CLOCK_SECOND : 0;

	g->since_ns = now;
	g->bytes = saved_up(g->bytes, seconds, GUARD_BYTES);
	g->messages = saved_up(g->messages, seconds, GUARD_MESSAGES);
	if (g->messages < messages || g->bytes < (double)size) {
		g->over += size;
		return false;
	}
	g->messages -= messages;
	g->bytes -= (double)size;
	return true;
}

static bool hello_unwrap(const uint8_t *coded, size_t n, uint32_t *id)
{
	uint8_t frame[WSN_BLOCK_MAX + 1];
	const uint8_t *at = frame + AT_ID;

	if (!wsn_may_be_hello(coded, n) || n > WSN_FRAME_MAX - 2 ||
	    wsn_unwrap(NULL, frame, coded, n) < HELLO_LEAST)
		return false;
	*id = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	      (uint32_t)at[3] << 24;
	return true;
}

static bool is_frame(const uint8_t *coded, size_t n)
{
	uint8_t frame[WSN_BLOCK_MAX + 1];

	return n <= WSN_FRAME_MAX - 2 && wsn_unwrap(NULL, frame, coded, n) > 0;
}

/*
 * Of what stands between two zeros: as the decoder finds it, also where the zero before it or
 * behind it is not there, and text is (core/wire/wsn/split.c).
 */
static bool hello_id(const uint8_t *coded, size_t n, uint32_t *id)
{
	size_t at = n > WSN_FRAME_MAX - 2 ? n - (WSN_FRAME_MAX - 2) : 1;

	if (hello_unwrap(coded, n, id))
		return true;
	for (; at + HELLO_LEAST < n; at++)
		if (hello_unwrap(coded + at, n - at, id))
			return !is_frame(coded, n);
	for (at = n ? coded[0] : n; at < n && wsn_may_be_hello(coded, n); at += coded[at])
		if (hello_unwrap(coded, at, id))
			return true;
	return false;
}

/* The next HELLO from *at on; *at is behind it. */
static bool hello_next(const uint8_t *data, size_t n, size_t *at, uint32_t *id)
{
	while (*at < n) {
		const uint8_t *begin = data + *at, *zero = memchr(begin, 0, n - *at);
		size_t length = zero ? (size_t)(zero - begin) : n - *at;

		*at += length + 1;
		if (hello_id(begin, length, id))
			return true;
	}
	return false;
}

bool guard_hello(const uint8_t *data, size_t n, uint32_t *id)
{
	size_t at = 0;

	return hello_next(data, n, &at, id);
}

size_t guard_hello_end(const uint8_t *data, size_t n)
{
	size_t at = 0;
	uint32_t id;

	return hello_next(data, n, &at, &id) && at < n ? at : n;
}

bool guard_is_own(struct guard *g, uint32_t id, const uint8_t *data, size_t n)
{
	uint32_t said;

	for (size_t at = 0; hello_next(data, n, &at, &said);) {
		if (said == id)
			continue;
		g->foreign += n;
		return false;
	}
	return true;
}

bool guard_changes_take(struct guard_changes *c, uint64_t now)
{
	double more = c->since_ns ? (double)(now - c->since_ns) /
				    (double)(GUARD_CHANGE_S * CLOCK_SECOND) : GUARD_CHANGES;

	c->since_ns = now;
	c->left = c->left + more < GUARD_CHANGES ? c->left + more : GUARD_CHANGES;
	if (c->left < 1)
		return false;
	c->left -= 1;
	return true;
}

bool guard_is_ahead(double own, double ours)
{
	return own > 1.5 * ours + 2;	/* seconds: bytes may have waited */
}
