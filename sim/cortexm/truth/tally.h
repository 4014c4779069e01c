/*
 * tally: counts by a pair of addresses, in the order of first use; and by time where there is one.
 */
#ifndef TRUTH_TALLY_H
#define TRUTH_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t total, min, max;
};

struct tally {
	uint32_t from, to;
	uint64_t count;
	uint64_t done;		/* of these, returned: their time is in the spans */
	uint64_t inner;		/* instrumented calls made from within those */
	struct span own;	/* instructions */
	struct span other;
};

struct tallies {
	struct tally *row;
	size_t rows, size;
	uint32_t *bucket;	/* row + 1, 0: free */
	size_t buckets;
};

/* The row of (from, to), made when there is none. */
struct tally *tally_at(struct tallies *t, uint32_t from, uint32_t to);

static inline void span_add(struct span *s, uint64_t done_before, uint64_t took)
{
	s->total += took;
	if (!done_before || took < s->min)
		s->min = took;
	if (took > s->max)
		s->max = took;
}

#endif
