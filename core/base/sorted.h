/*
 * sorted: binary search in arrays whose items begin with their key, a uint64_t, in ascending order.
 * The macros take the key's member, so that an item that does not begin with it does not compile.
 */
#ifndef WSNTOP_BASE_SORTED_H
#define WSNTOP_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Size of an item of v; no item unless `member` is a uint64_t and comes first. */
#define SORTED_SIZE(v, member) \
	(sizeof(*(v)) + 0 * sizeof(struct { \
		_Static_assert(offsetof(__typeof__(*(v)), member) == 0 && \
			       _Generic((v)->member, uint64_t: 1, default: 0), \
			       "the key must be a uint64_t at the beginning"); \
		int unused; \
	}))

/* Index of the first item whose member is above `key`; `count`: there is none. */
#define SORTED_ABOVE(v, count, member, key) \
	sorted_above((v), (count), SORTED_SIZE(v, member), (key))

/* Index of the first item whose member is not below `key`, which is evaluated twice. */
#define SORTED_FROM(v, count, member, key) \
	((key) ? sorted_above((v), (count), SORTED_SIZE(v, member), (uint64_t)(key) - 1) : 0)

static inline size_t sorted_above(const void *v, size_t count, size_t size, uint64_t key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		uint64_t at;

		memcpy(&at, (const char *)v + mid * size, sizeof(at));
		if (at <= key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#endif
