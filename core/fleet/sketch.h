/*
 * sketch: how many values lie where, of any number of values between 1e-6 and 1, in little memory:
 * any quantile to 2 %. DDSketch (Masson, Rim, Lee 2019) of a fixed range. Merging is adding counts:
 * parts that were counted apart make what one that saw all of them has, bit for bit, in any order.
 *
 *	bucket 0	below 1e-6, and 0
 *	bucket i	1e-6 * g^(i - 1) up to 1e-6 * g^i, g = 1.02 / 0.98
 *	the last	above 1
 *
 * The byte form, for payloads and files: version 1, number of buckets in use, and of each how many
 * it is behind the one before, and its count; all of it varints (core/base/varint.h).
 */
#ifndef WSNTOP_FLEET_SKETCH_H
#define WSNTOP_FLEET_SKETCH_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"

#define SKETCH_LEAST 1e-6
#define SKETCH_ERROR 0.02		/* of a quantile, relative */

enum { SKETCH_BUCKETS = 348 };

/* Starts zeroed. */
struct sketch {
	uint32_t bucket[SKETCH_BUCKETS];	/* they stop at UINT32_MAX */
};

void sketch_add(struct sketch *s, double value);
void sketch_merge(struct sketch *s, const struct sketch *other);
uint64_t sketch_count(const struct sketch *s);

/*
 * The value of rank q * (count - 1), rounded down: 0.5 the median. 0 below the range, 1 above it;
 * NaN: there is none.
 */
double sketch_quantile(const struct sketch *s, double q);

/*
 * Median and median absolute deviation of the logarithms of values from `least` on, as if the
 * values of a bucket were spread over it. How many there are; 0: both are NaN.
 */
uint64_t sketch_spread(const struct sketch *s, double least, double *median, double *deviation);

void sketch_write(const struct sketch *s, struct buf *bytes);

/* Bytes read; 0: they are none of a sketch, and *s is not changed. */
size_t sketch_read(struct sketch *s, const uint8_t *data, size_t n);

#endif
