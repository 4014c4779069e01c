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

/* What stands between two zeros. */
static bool frame_is_foreign(uint32_t id, const uint8_t *coded, size_t n)
{
	uint8_t frame[WSN_BLOCK_MAX + 1];
	const uint8_t *at = frame + AT_ID;

	if (n > WSN_FRAME_MAX - 2 || wsn_unwrap(NULL, frame, coded, n) < HELLO_LEAST ||
	    (frame[0] & 0x1f) != WSN_HELLO)
		return false;
	return id != ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
		      (uint32_t)at[3] << 24);
}

bool guard_is_own(struct guard *g, uint32_t id, const uint8_t *data, size_t n)
{
	for (size_t i = 0; i < n;) {
		const uint8_t *zero = memchr(data + i, 0, n - i);
		size_t length = zero ? (size_t)(zero - data) - i : n - i;

		if (length && frame_is_foreign(id, data + i, length)) {
			g->foreign += n;
			return false;
		}
		i += length + 1;
	}
	return true;
}
