/*
 * wsn/spot: are there frames in these bytes? For auto, over streams of every kind: most segments
 * are none.
 */
#include "core/wire/wsn/wsn.h"

#include <string.h>

enum { LEAST = 6 };	/* coded bytes of the shortest frame with a body */

/* Keep what a segment has so far; nothing longer than a frame. */
static void segment_keep(struct wsn_spotter *s, const uint8_t *data, size_t n)
{
	if (n > sizeof(s->segment) - s->len) {
		s->len = sizeof(s->segment);
		s->over = true;
		return;
	}
	memcpy(s->segment + s->len, data, n);
	s->len += n;
}

/* A second frame is believed when it might follow the first. */
static bool segment_take(struct wsn_spotter *s, const uint8_t *coded, size_t n)
{
	uint8_t frame[WSN_BLOCK_MAX + 1];
	size_t len = n < LEAST ? 0 : wsn_unwrap(NULL, frame, coded, n);
	uint8_t step;

	if (!len || (frame[0] & 0x1f) < WSN_HELLO || (frame[0] & 0x1f) > WSN_IDENTITY)
		return false;
	if (wsn_is_hello(frame, len) && frame[2] == WSN_VERSION) {
		s->hello = true;
		return true;
	}
	step = (uint8_t)(frame[1] - s->head[1]);
	if (s->frames && (s->head[0] ^ frame[0]) >> 5 == 0 && step > 0 && step <= 64) {
		s->hello = false;
		return true;
	}
	memcpy(s->head, frame, 2);
	memcpy(s->first, coded, n);
	s->first_len = n;
	s->frames = 1;
	return false;
}

/*
 * Bytes up to and with the last zero among LEAST of the 8 at p, 0: there is none. A stream of
 * addresses has zeros everywhere, and no frame has room between them: all 8 bytes at once.
 */
static size_t past_zeros(const uint8_t *p)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f, looked_at = (UINT64_C(1) << 8 * LEAST) - 1;
	uint64_t x, zeros;

	memcpy(&x, p, sizeof(x));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		x = __builtin_bswap64(x);
	zeros = ~(((x & low) + low) | x | low) & looked_at;	/* bit 7 of each byte that is 0 */
	return zeros ? 8 - (size_t)__builtin_clzll(zeros) / 8 : 0;
}

size_t wsn_spot(struct wsn_spotter *s, const uint8_t *data, size_t n, bool *found)
{
	size_t i = 0;

	*found = false;
	while (i < n && !*found) {
		const uint8_t *zero;
		size_t k;

		while (s->len == 0 && n - i >= 8 && (k = past_zeros(data + i)) > 0)
			i += k;
		zero = memchr(data + i, 0, n - i);
		k = zero ? (size_t)(zero - data) - i : n - i;
		if (!zero || s->len)
			segment_keep(s, data + i, k);
		if (zero && s->len)
			*found = !s->over && segment_take(s, s->segment, s->len);
		else if (zero && k <= sizeof(s->segment))
			*found = segment_take(s, data + i, k);
		i += k + (zero != NULL);
		if (zero && !*found) {
			s->len = 0;
			s->over = false;
		} else if (zero && !s->len) {
			segment_keep(s, data + i - k - 1, k);
		}
	}
	return i;
}
