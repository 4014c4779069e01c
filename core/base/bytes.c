#include "core/base/bytes.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/base/varint.h"

/* Whether n bytes are left. */
static bool bytes_hold(struct bytes *b, uint64_t n)
{
	b->beyond |= b->at > b->end || b->end - b->at < n;
	return b->at <= b->end && b->end - b->at >= n;
}

void bytes_skip(struct bytes *b, uint64_t n)
{
	if (bytes_hold(b, n))
		b->at += n;
}

uint64_t bytes_take(struct bytes *b, unsigned n)
{
	if (!bytes_hold(b, n))
		return 0;
	b->at += n;
	return bits_load(b->data + b->at - n, n, b->big);
}

static size_t leb_take(struct bytes *b, uint64_t *value)
{
	size_t n = bytes_hold(b, 1) ?
		   varint_get(b->data + b->at, (size_t)(b->end - b->at), value) : 0;

	b->at += n;
	b->beyond |= !n;
	return n;
}

uint64_t bytes_take_uleb(struct bytes *b)
{
	uint64_t value = 0;

	leb_take(b, &value);
	return value;
}

int64_t bytes_take_sleb(struct bytes *b)
{
	uint64_t value = 0;
	size_t n = leb_take(b, &value);

	return n ? varint_extend(value, n) : 0;
}

const char *bytes_take_string(struct bytes *b)
{
	const char *s = bytes_hold(b, 1) ? (const char *)b->data + b->at : NULL;
	const char *end = s ? memchr(s, 0, (size_t)(b->end - b->at)) : NULL;

	if (!end) {
		b->beyond = true;
		return "";
	}
	b->at += (uint64_t)(end - s) + 1;
	return s;
}
