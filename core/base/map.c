#include "core/base/map.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define FIRST_SLOTS 64

void map_init(struct map *m)
{
	*m = (struct map){ NULL, 0, 0 };
}

void map_release(struct map *m)
{
	mem_free(m->slots);
	map_init(m);
}

static void slots_clear(struct map_slot *slots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		slots[i] = (struct map_slot){ 0, MAP_NONE };
}

void map_clear(struct map *m)
{
	if (m->slots)
		slots_clear(m->slots, m->mask + 1);
	m->count = 0;
}

size_t map_memory(const struct map *m)
{
	return m->slots ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

/* The slot that holds key, or the empty one where it would go. There always is an empty one. */
static struct map_slot *slot_of(const struct map *m, uint64_t key)
{
	size_t i = map_hash(key) & m->mask;

	while (m->slots[i].value != MAP_NONE && m->slots[i].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	return m->slots ? slot_of(m, key)->value : MAP_NONE;
}

static int slots_grow(struct map *m)
{
	size_t n = m->slots ? (m->mask + 1) * 2 : FIRST_SLOTS;
	struct map bigger = { mem_alloc(n * sizeof(*m->slots)), m->count, n - 1 };

	if (!bigger.slots)
		return ERR_NOMEM;
	slots_clear(bigger.slots, n);
	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].value != MAP_NONE)
			*slot_of(&bigger, m->slots[i].key) = m->slots[i];
	}
	mem_free(m->slots);
	*m = bigger;
	return 0;
}

int map_put(struct map *m, uint64_t key, uint32_t value)
{
	struct map_slot *s;

	if (!m->slots || m->count + 1 > (m->mask + 1) / 4 * 3) {
		if (slots_grow(m) < 0)
			return ERR_NOMEM;
	}
	s = slot_of(m, key);
	if (s->value == MAP_NONE)
		m->count++;
	*s = (struct map_slot){ key, value };
	return 0;
}

uint64_t map_hash_bytes(uint64_t hash, const void *data, size_t n)
{
	const uint8_t *byte = data;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
	return hash;
}
