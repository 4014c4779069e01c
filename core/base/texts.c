#include "core/base/texts.h"

#include <string.h>

#include "core/base/mem.h"

void texts_release(struct texts *n)
{
	for (size_t i = 0; i < n->count; i++)
		mem_free(n->of[i]);
	mem_free(n->of);
	map_release(&n->at);
	*n = (struct texts){ 0 };
}

size_t texts_memory(const struct texts *n)
{
	return n->bytes + n->cap * sizeof(*n->of) + map_memory(&n->at);
}

/* *slot: where it is looked for, or would stand. Two of one hash are neighbours. */
static uint32_t slot_find(const struct texts *n, const char *text, uint64_t *slot)
{
	uint32_t at;

	*slot = map_hash_bytes(MAP_HASH, text, strlen(text));
	for (; (at = map_get(&n->at, *slot)) != MAP_NONE; ++*slot)
		if (strcmp(n->of[at], text) == 0)
			return at;
	return TEXTS_NONE;
}

uint32_t texts_find(const struct texts *n, const char *text)
{
	uint64_t slot;

	return slot_find(n, text, &slot);
}

uint32_t texts_number(struct texts *n, const char *text, size_t most)
{
	uint64_t slot;
	uint32_t at = slot_find(n, text, &slot);
	char *copy;

	if (at != TEXTS_NONE)
		return at;
	if (n->count >= most ||
	    mem_grow(&n->of, &n->cap, n->count + 1, sizeof(*n->of)) < 0 ||
	    !(copy = mem_strdup(text)))
		return TEXTS_NONE;
	if (map_put(&n->at, slot, (uint32_t)n->count) < 0) {
		mem_free(copy);
		return TEXTS_NONE;
	}
	n->of[n->count] = copy;
	n->bytes += strlen(copy) + 1;
	return (uint32_t)n->count++;
}
