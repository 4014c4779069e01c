/*
 * sorted: binary search in arrays whose items begin with their key, a uint64_t, in ascending order.
 */
#ifndef WSNTOP_BASE_SORTED_H
#define WSNTOP_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Index of the first item above `key`; `count`: there is none. */
#define SORTED_ABOVE(v, count, key) sorted_above((v), (count), sizeof(*(v)), (key))

/* Index of the first item not below `key`. */
#define SORTED_FROM(v, count, key) \
	((key) ? sorted_above((v), (count), sizeof(*(v)), (uint64_t)(key) - 1) : 0)

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
