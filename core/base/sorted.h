/*
 * sorted: binary search. SORTED_WHERE is for any order: it takes a condition. SORTED_ABOVE and
 * SORTED_FROM are for arrays whose items begin with their key, a uint64_t, in ascending order; they
 * take the key's member, so that an item that does not begin with it does not compile.
 */
#ifndef WSNTOP_BASE_SORTED_H
#define WSNTOP_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * How many of `count` items come before a place: `before` is a condition on the item of index `i`
 * that holds for the items before the place and for none behind.
 */
#define SORTED_WHERE(count, i, before) \
	__extension__ ({ \
		size_t sorted_low = 0, sorted_high = (count); \
		while (sorted_low < sorted_high) { \
			size_t i = sorted_low + (sorted_high - sorted_low) / 2; \
			if (before) \
				sorted_low = i + 1; \
			else \
				sorted_high = i; \
		} \
		sorted_low; \
	})

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
	uint64_t at;

	return SORTED_WHERE(count, i, (memcpy(&at, (const char *)v + i * size, sizeof(at)),
				       at <= key));
}

#endif
