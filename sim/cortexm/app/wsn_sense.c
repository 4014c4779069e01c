#include <stdbool.h>

#include "wsn.h"

enum { SAMPLES = 32, TAPS = 8 };

static uint32_t seed, sum;
static int16_t samples[SAMPLES];
static unsigned int newest;

void sense_init(void)
{
	seed = 12345;
	sum = 0;
	newest = 0;
	for (int i = 0; i < SAMPLES; i++)
		samples[i] = 0;
}

/* Marsaglia's xorshift. */
uint32_t sense_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

static int16_t sense_read(void)
{
	return (int16_t)((int32_t)(sense_random() >> 20) - 2048);
}

static int16_t sense_least(int16_t a, int16_t b)
{
	return a < b ? a : b;
}

static int16_t sense_most(int16_t a, int16_t b)
{
	return a > b ? a : b;
}

static int16_t sense_median(int16_t a, int16_t b, int16_t c)
{
	return sense_most(sense_least(a, b), sense_least(sense_most(a, b), c));
}

static int32_t sense_filter(void)
{
	static const int8_t taps[TAPS] = { -3, 5, 22, 40, 40, 22, 5, -3 };
	int32_t filtered = 0;

	for (unsigned int i = 0; i < TAPS; i++)
		filtered += taps[i] * samples[(newest - i) % SAMPLES];
	return filtered / 128;
}

static uint32_t sense_root(uint32_t v)
{
	uint32_t root = 0;

	for (uint32_t bit = 1u << 30; bit; bit >>= 2) {
		bool above = v >= root + bit;

		if (above)
			v -= root + bit;
		root = (root >> 1) + (above ? bit : 0);
	}
	return root;
}

void sense(void)
{
	int16_t a = sense_read(), b = sense_read(), c = sense_read();

	samples[newest++ % SAMPLES] = sense_median(a, b, c);
	sum += (uint32_t)sense_filter();
}

void sense_features(int32_t features[3])
{
	int32_t mean = 0;
	uint32_t energy = 0;

	for (int i = 0; i < SAMPLES; i++) {
		mean += samples[i];
		energy += (uint32_t)(samples[i] * samples[i]) >> 6;
	}
	features[0] = mean / SAMPLES;
	features[1] = (int32_t)sense_root(energy);
	features[2] = sense_median(samples[0], samples[9], samples[17]);
}

uint32_t sense_sum(void)
{
	return sum;
}
