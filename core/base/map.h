/*
 * map: 64-bit key -> 32-bit index into an array that the caller keeps.
 *
 * Open addressing, linear probing, at most 3/4 full, 16 bytes a slot.
 * Keys are never removed one by one: map_clear empties the whole map.
 */
#ifndef WSNTOP_BASE_MAP_H
#define WSNTOP_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
	uint64_t key;
	uint32_t value;			/* MAP_NONE: empty */
};

struct map {
	struct map_slot *slots;
	size_t count;
	size_t mask;			/* slots - 1; 0 with slots NULL: nothing yet */
};

void map_init(struct map *m);
void map_release(struct map *m);
void map_clear(struct map *m);
size_t map_memory(const struct map *m);		/* bytes of heap */

/* Value of key, or MAP_NONE. */
uint32_t map_get(const struct map *m, uint64_t key);

/* Put or replace. 0, or ERR_NOMEM with the map as it was. */
int map_put(struct map *m, uint64_t key, uint32_t value);

static inline uint64_t map_hash(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15u;	/* Fibonacci hashing: Knuth, vol. 3, 6.4 */
	return key ^ key >> 32;
}

#define MAP_HASH UINT64_C(14695981039346656037)	/* with which a hash begins */

uint64_t map_hash_bytes(uint64_t hash, const void *data, size_t n);	/* FNV-1a, 64 bits */

#endif
