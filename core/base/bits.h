/*
 * bits: numbers in bytes of either order, and the sign of a field narrower than its integer.
 */
#ifndef WSNTOP_BASE_BITS_H
#define WSNTOP_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* The number that n bytes make (at most 8), the most significant one first if `big`. */
static inline uint64_t bits_load(const uint8_t *p, unsigned n, bool big)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n; i++)
		value = value << 8 | p[big ? i : n - 1 - i];
	return value;
}

static inline uint16_t bits_load16(const uint8_t *p, bool big)
{
	return (uint16_t)(big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static inline uint32_t bits_load32(const uint8_t *p, bool big)
{
	uint32_t a = bits_load16(p, big), b = bits_load16(p + 2, big);

	return big ? a << 16 | b : b << 16 | a;
}

/* The lowest `bits` (1 to 64) as a number in two's complement. */
static inline int64_t bits_extend(uint64_t value, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return (int64_t)(((value & (sign | (sign - 1))) ^ sign) - sign);
}

#endif
