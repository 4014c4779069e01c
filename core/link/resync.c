#include "core/link/resync.h"

#include <assert.h>
#include <zlib.h>

#include "core/base/mem.h"
#include "core/link/record.h"

#define POLYNOMIAL UINT32_C(0xedb88320)	/* of CRC-32; lowest power on top, as all here */

struct resync {
	size_t most;
	size_t known;				/* sums, behind the first */
	size_t powers;				/* likewise: chunks are mostly short */
	uint32_t power[RECORD_CHUNK_MAX + 1];	/* x^8n: what n bytes do to the check before them */
	uint32_t sum[];				/* check of the buffer's first n bytes */
};

struct resync *resync_new(size_t most)
{
	struct resync *s = mem_alloc(sizeof(*s) + (most + 1) * sizeof(s->sum[0]));

	if (!s)
		return NULL;
	s->most = most;
	s->known = s->powers = 0;
	s->sum[0] = 0;
	s->power[0] = UINT32_C(1) << 31;
	return s;
}

void resync_free(struct resync *s)
{
	mem_free(s);
}

void resync_forget(struct resync *s)
{
	if (s)
		s->known = 0;
}

static void sums_reach(struct resync *s, const uint8_t *buffer, size_t to)
{
	const z_crc_t *table = get_crc_table();
	uint32_t sum = ~s->sum[s->known];

	assert(to <= s->most);
	while (s->known < to) {
		sum = (uint32_t)table[(sum ^ buffer[s->known]) & 0xff] ^ sum >> 8;
		s->sum[++s->known] = ~sum;
	}
}

static void powers_reach(struct resync *s, size_t to)
{
	const z_crc_t *table = get_crc_table();
	uint32_t power = s->power[s->powers];

	assert(to <= RECORD_CHUNK_MAX);
	while (s->powers < to) {
		power = (uint32_t)table[power & 0xff] ^ power >> 8;
		s->power[++s->powers] = power;
	}
}

/* Modulo the polynomial. */
static uint32_t crc_multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; a; a <<= 1) {
		if (a >> 31)
			product ^= b;
		b = b >> 1 ^ (b & 1 ? POLYNOMIAL : 0);
	}
	return product;
}

bool resync_is_whole(struct resync *s, const uint8_t *buffer, size_t from, size_t size)
{
	size_t end = from + size - RECORD_CHECK;

	sums_reach(s, buffer, end);
	powers_reach(s, end - from);
	return record_check(buffer + end) ==
	       (s->sum[end] ^ crc_multiply(s->sum[from], s->power[end - from]));
}

bool resync_find(struct resync *s, const uint8_t *buffer, size_t from, size_t end, size_t *at)
{
	struct record_chunk c;
	size_t size;

	*at = end;
	for (; from < end; from++) {
		switch (record_parse(buffer + from, end - from, &c, &size)) {
		case RECORD_MORE:
			*at = *at < from ? *at : from;
			break;
		case RECORD_CHUNK:
			if (!resync_is_whole(s, buffer, from, size))
				break;
			*at = from;
			return true;
		case RECORD_LOST:
			break;
		}
	}
	return false;
}
