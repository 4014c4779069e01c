/*
 * index: 64-bit key -> position in an array whose items know their own key.
 *
 * Like map, but a slot is only the position, 4 bytes: the key is read from the item. For arrays so
 * large that a map's 16 bytes a slot would count. Open addressing, at most 3/4 full, no removal
 * but of the last one.
 * Give the functions a constant key_of: they are inlined with it.
 */
#ifndef WSNTOP_BASE_INDEX_H
#define WSNTOP_BASE_INDEX_H

#include "core/base/map.h"
#include "core/base/mem.h"

#define INDEX_NONE UINT32_MAX

typedef uint64_t index_key_of(const void *items, uint32_t position);

struct index {
	uint32_t *slots;
	size_t count, mask;
	uint64_t seed;			/* set before the first key, where others choose the keys */
};

uint64_t index_seed(void);		/* which nobody can guess */

void index_release(struct index *ix);
void index_clear(struct index *ix);
size_t index_memory(const struct index *ix);

/*
 * Twice the slots, all positions below `count` inserted again. 0 or ERR_NOMEM with nothing
 * changed.
 */
int index_grow(struct index *ix, const void *items, index_key_of *key_of);

static inline uint32_t *index_slot(const struct index *ix, const void *items, index_key_of *key_of,
				   uint64_t key)
{
	size_t i = map_hash(key ^ ix->seed) & ix->mask;

	while (ix->slots[i] != INDEX_NONE && key_of(items, ix->slots[i]) != key)
		i = (i + 1) & ix->mask;
	return &ix->slots[i];
}

/* Position of key, or INDEX_NONE. */
static inline uint32_t index_get(const struct index *ix, const void *items, index_key_of *key_of,
				 uint64_t key)
{
	return ix->slots ? *index_slot(ix, items, key_of, key) : INDEX_NONE;
}

/* Put the item at `position`, whose key is not in yet. 0 or ERR_NOMEM. */
static inline int index_put(struct index *ix, const void *items, index_key_of *key_of,
			    uint64_t key, uint32_t position)
{
	if ((!ix->slots || ix->count + 1 > (ix->mask + 1) / 4 * 3) &&
	    index_grow(ix, items, key_of) < 0)
		return -1;
	*index_slot(ix, items, key_of, key) = position;
	ix->count++;
	return 0;
}

/* Take back the key of the last index_put: one before it may lead to others. */
static inline void index_undo(struct index *ix, const void *items, index_key_of *key_of,
			      uint64_t key)
{
	*index_slot(ix, items, key_of, key) = INDEX_NONE;
	ix->count--;
}

#endif
