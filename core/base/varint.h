/*
 * varint: LEB128 numbers (DWARF 5, 7.6): seven bits a byte, the lowest first; bit 7: more follow.
 *
 * The wsn packets, the history's records and DWARF are written in them.
 */
#ifndef WSNTOP_BASE_VARINT_H
#define WSNTOP_BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

#define VARINT_MAX 10			/* bytes of 64 bits */

/* Write n at `to`, which has room for VARINT_MAX bytes. Returns how many it took. */
static inline size_t varint_put(uint8_t *to, uint64_t n)
{
	size_t at = 0;

	for (; n > 127; n >>= 7)
		to[at++] = (uint8_t)(n | 128);
	to[at++] = (uint8_t)n;
	return at;
}

/* Zigzag: small numbers of both signs are short. Not DWARF's SLEB128. */
static inline size_t varint_put_signed(uint8_t *to, int64_t n)
{
	return varint_put(to, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

/*
 * Read from n bytes at p. Returns how many the number takes; 0: it does not end within n bytes, or
 * within VARINT_MAX. Bits above 64 are lost.
 */
static inline size_t varint_get(const uint8_t *p, size_t n, uint64_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n && i < VARINT_MAX; i++) {
		sum |= (uint64_t)(p[i] & 127) << 7 * i;
		if (!(p[i] & 128)) {
			*value = sum;
			return i + 1;
		}
	}
	return 0;
}

/* SLEB128: the value of a varint of `size` bytes, as varint_get gave it, sign extended. */
static inline int64_t varint_extend(uint64_t value, size_t size)
{
	unsigned bits = 7 * (unsigned)size;

	if (bits < 64 && value >> (bits - 1))
		value |= ~UINT64_C(0) << bits;
	return (int64_t)value;
}

/* Read without a bound what varint_put wrote; *at moves behind it. For our own records alone. */
static inline uint64_t varint_take(const uint8_t **at)
{
	uint64_t n = 0;
	unsigned shift = 0;

	while (**at & 128 && shift < 63) {
		n |= (uint64_t)(*(*at)++ & 127) << shift;
		shift += 7;
	}
	return n | (uint64_t)*(*at)++ << shift;
}

static inline int64_t varint_take_signed(const uint8_t **at)
{
	uint64_t n = varint_take(at);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

#endif
