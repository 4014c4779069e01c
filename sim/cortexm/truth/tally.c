#include "tally.h"

#include <stdlib.h>

static size_t bucket_of(const struct tallies *t, uint32_t from, uint32_t to)
{
	size_t i = (from * 2654435761u ^ to * 2246822519u) >> 8;

	for (i &= t->buckets - 1; t->bucket[i]; i = (i + 1) & (t->buckets - 1)) {
		const struct tally *row = &t->row[t->bucket[i] - 1];

		if (row->from == from && row->to == to)
			break;
	}
	return i;
}

static void rows_grow(struct tallies *t)
{
	t->size = t->size ? 2 * t->size : 256;
	t->row = realloc(t->row, t->size * sizeof(*t->row));
	t->buckets = 2 * t->size;
	free(t->bucket);
	t->bucket = calloc(t->buckets, sizeof(*t->bucket));
	if (!t->row || !t->bucket)
		abort();
	for (size_t i = 0; i < t->rows; i++)
		t->bucket[bucket_of(t, t->row[i].from, t->row[i].to)] = (uint32_t)i + 1;
}

struct tally *tally_at(struct tallies *t, uint32_t from, uint32_t to)
{
	size_t i;

	if (t->rows == t->size)
		rows_grow(t);
	i = bucket_of(t, from, to);
	if (!t->bucket[i]) {
		t->row[t->rows] = (struct tally){ .from = from, .to = to };
		t->bucket[i] = (uint32_t)++t->rows;
	}
	return &t->row[t->bucket[i] - 1];
}
