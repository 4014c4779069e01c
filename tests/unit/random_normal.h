/* random_normal: the same random numbers on every machine; about normal: mean 0, deviation 1. */
#ifndef WSNTOP_TESTS_RANDOM_NORMAL_H
#define WSNTOP_TESTS_RANDOM_NORMAL_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014): seeds near each other give numbers that are not. */
static inline uint32_t random_next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 32);
}

static inline double random_normal(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)random_next(seed) / 4294967296.0;
	return sum;
}

#endif
