#include "core/base/index.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/err.h"
#include "core/base/os.h"

#define FIRST_SLOTS 64

uint64_t index_seed(void)
{
	uint64_t seed;

	return os_random(&seed, sizeof(seed)) == 0 ? seed : map_hash(clock_wall() ^ clock_now());
}

void index_release(struct index *ix)
{
	mem_free(ix->slots);
	*ix = (struct index){ .seed = ix->seed };
}

void index_clear(struct index *ix)
{
	if (ix->slots)
		memset(ix->slots, 0xff, (ix->mask + 1) * sizeof(*ix->slots));
	ix->count = 0;
}

size_t index_memory(const struct index *ix)
{
	return ix->slots ? (ix->mask + 1) * sizeof(*ix->slots) : 0;
}

int index_grow(struct index *ix, const void *items, index_key_of *key_of)
{
	size_t n = ix->slots ? (ix->mask + 1) * 2 : FIRST_SLOTS;
	struct index bigger = {
		mem_alloc(n * sizeof(*ix->slots)), ix->count, n - 1, ix->seed,
	};

	if (!bigger.slots)
		return ERR_NOMEM;
	memset(bigger.slots, 0xff, n * sizeof(*bigger.slots));
	for (size_t i = 0; ix->slots && i <= ix->mask; i++) {
		uint32_t position = ix->slots[i];

		if (position != INDEX_NONE)
			*index_slot(&bigger, items, key_of, key_of(items, position)) = position;
	}
	mem_free(ix->slots);
	*ix = bigger;
	return 0;
}
