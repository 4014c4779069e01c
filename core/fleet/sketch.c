#include "core/fleet/sketch.h"

#include <math.h>

#include "core/base/varint.h"

enum { VERSION = 1, LAST = SKETCH_BUCKETS - 1 };

/* ln of the factor between two buckets. */
static double sketch_step(void)
{
	return log((1 + SKETCH_ERROR) / (1 - SKETCH_ERROR));
}

static uint32_t counts_sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static size_t bucket_of(double value)
{
	double place;

	if (!(value >= SKETCH_LEAST))
		return 0;
	if (value > 1)
		return LAST;
	place = 1 + floor(log(value / SKETCH_LEAST) / sketch_step());
	return place < LAST - 1 ? (size_t)place : LAST - 1;
}

void sketch_add(struct sketch *s, double value)
{
	size_t i = bucket_of(value);

	s->bucket[i] = counts_sum(s->bucket[i], 1);
}

void sketch_merge(struct sketch *s, const struct sketch *other)
{
	for (size_t i = 0; i < SKETCH_BUCKETS; i++)
		s->bucket[i] = counts_sum(s->bucket[i], other->bucket[i]);
}

uint64_t sketch_count(const struct sketch *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < SKETCH_BUCKETS; i++)
		sum += s->bucket[i];
	return sum;
}

/* As far from both ends of the bucket, relatively. */
static double bucket_value(size_t i)
{
	double value;

	if (i == 0)
		return 0;
	value = SKETCH_LEAST * exp(((double)i - 1) * sketch_step()) * (1 + SKETCH_ERROR);
	return value < 1 && i < LAST ? value : 1;
}

double sketch_quantile(const struct sketch *s, double q)
{
	uint64_t count = sketch_count(s), below = 0;
	double rank = floor(q * (double)(count - 1));

	if (!count)
		return (double)NAN;
	for (size_t i = 0; i < SKETCH_BUCKETS; i++) {
		below += s->bucket[i];
		if ((double)below > rank)
			return bucket_value(i);
	}
	return 1;
}

/* --- spread ----------------------------------------------------------------------------------- */

enum { HALVINGS = 48 };

/* Buckets of a sketch; places among them are counted in buckets. */
struct stretch {
	const struct sketch *sketch;
	size_t first, end;
	double half;			/* of its values */
};

static double values_below(const struct stretch *s, double place)
{
	double sum = 0;

	for (size_t i = s->first; i < s->end && (double)i < place; i++)
		sum += s->sketch->bucket[i] * fmin(place - (double)i, 1);
	return sum;
}

/* The place that half of all values lie below; or how far they are from `middle`. */
static double half_find(const struct stretch *s, const double *middle)
{
	double low = 0, high = SKETCH_BUCKETS;

	for (int i = 0; i < HALVINGS; i++) {
		double at = (low + high) / 2;
		double seen = !middle ? values_below(s, at) :
			      values_below(s, *middle + at) - values_below(s, *middle - at);

		if (seen < s->half)
			low = at;
		else
			high = at;
	}
	return (low + high) / 2;
}

uint64_t sketch_spread(const struct sketch *s, double least, double *median, double *deviation)
{
	struct stretch all = { s, bucket_of(fmax(least, SKETCH_LEAST)), 0, 0 };
	uint64_t count = 0;
	double middle;

	for (size_t i = all.first; i < SKETCH_BUCKETS; i++) {
		count += s->bucket[i];
		if (s->bucket[i])
			all.end = i + 1;
	}
	*median = *deviation = (double)NAN;
	if (!count)
		return 0;
	all.half = (double)count / 2;
	middle = half_find(&all, NULL);
	*median = log(SKETCH_LEAST) + (middle - 1) * sketch_step();
	*deviation = half_find(&all, &middle) * sketch_step();
	return count;
}

/* --- bytes ------------------------------------------------------------------------------------ */

static void sketch_number(struct buf *bytes, uint64_t n)
{
	uint8_t varint[VARINT_MAX];

	buf_add(bytes, varint, varint_put(varint, n));
}

void sketch_write(const struct sketch *s, struct buf *bytes)
{
	size_t used = 0, before = 0;

	for (size_t i = 0; i < SKETCH_BUCKETS; i++)
		used += s->bucket[i] > 0;
	sketch_number(bytes, VERSION);
	sketch_number(bytes, used);
	for (size_t i = 0; i < SKETCH_BUCKETS; i++) {
		if (!s->bucket[i])
			continue;
		sketch_number(bytes, i - before);
		sketch_number(bytes, s->bucket[i]);
		before = i;
	}
}

/* A number of at most `most`. False: there is none. */
static bool varint_read(const uint8_t *data, size_t n, size_t *at, uint64_t most, uint64_t *number)
{
	size_t size = varint_get(data + *at, n - *at, number);

	*at += size;
	return size && *number <= most;
}

size_t sketch_read(struct sketch *s, const uint8_t *data, size_t n)
{
	struct sketch read = { { 0 } };
	uint64_t version, used, gap, count, bucket = 0;
	size_t at = 0;

	if (!varint_read(data, n, &at, VERSION, &version) || version != VERSION ||
	    !varint_read(data, n, &at, SKETCH_BUCKETS, &used))
		return 0;
	for (uint64_t i = 0; i < used; i++) {
		if (!varint_read(data, n, &at, LAST - bucket, &gap) || (i && !gap) ||
		    !varint_read(data, n, &at, UINT32_MAX, &count) || !count)
			return 0;
		bucket += gap;
		read.bucket[bucket] = (uint32_t)count;
	}
	*s = read;
	return at;
}
