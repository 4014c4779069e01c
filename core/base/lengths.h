/*
 * lengths: durations by their length, to within a 16th: below 16 each has a range of its own, from
 * there on each doubling has 16.
 */
#ifndef WSNTOP_BASE_LENGTHS_H
#define WSNTOP_BASE_LENGTHS_H

#include <stdint.h>

enum { LENGTHS = 16 * 37 };		/* the last one: 2^39 and more */

static inline unsigned lengths_of(uint64_t n)
{
	unsigned power = 63 - (unsigned)__builtin_clzll(n | 1), range;

	if (n < 16)
		return (unsigned)n;
	range = 16 * (power - 3) + (unsigned)(n >> (power - 4) & 15);
	return range < LENGTHS ? range : LENGTHS - 1;
}

/* The least in a range; that of LENGTHS ends the last one. */
static inline uint64_t lengths_low(unsigned range)
{
	return range < 16 ? range : (uint64_t)(16 + range % 16) << (range / 16 - 1);
}

#endif
