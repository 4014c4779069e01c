/* trace/store: a lane's items, in chunks that never move. */
#include "core/trace/state.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

void store_release(struct store *s)
{
	for (size_t i = 0; i < s->count; i++)
		mem_free(s->chunks[i]);
	mem_free(s->chunks);
	*s = (struct store){ .chunks = NULL };
}

static struct chunk *chunk_last(const struct store *s)
{
	return s->count ? s->chunks[s->count - 1] : NULL;
}

static bool chunk_has_room(const struct chunk *c, size_t n, uint64_t units)
{
	return c && CHUNK_ITEMS - c->count >= n && units - c->base < ITEM_VALUE_MAX / 2;
}

int store_reserve(struct store *s, size_t n, uint64_t units)
{
	struct chunk *c = chunk_last(s);

	if (chunk_has_room(c, n, units))
		return 0;
	if (c && !c->count) {		/* none is left empty */
		c->base = units;
		return 0;
	}
	if (mem_grow(&s->chunks, &s->cap, s->count + 1, sizeof(*s->chunks)) < 0)
		return ERR_NOMEM;
	c = mem_alloc(sizeof(*c));
	if (!c)
		return ERR_NOMEM;
	c->base = units;
	c->count = 0;
	s->chunks[s->count++] = c;
	return 0;
}

uint64_t store_add(struct store *s, uint32_t item)
{
	struct chunk *c = chunk_last(s);

	c->items[c->count++] = item;
	return store_end(s) - 1;
}

uint64_t store_end(const struct store *s)
{
	const struct chunk *c = chunk_last(s);

	return c ? (s->gone + s->count - 1) * (uint64_t)CHUNK_ITEMS + c->count : store_begin(s);
}

void store_drop(struct store *s, uint64_t position)
{
	size_t n = (size_t)(position / CHUNK_ITEMS) - s->gone;

	n = n < s->count ? n : 0;
	for (size_t i = 0; i < n; i++)
		mem_free(s->chunks[i]);
	memmove(s->chunks, s->chunks + n, (s->count - n) * sizeof(*s->chunks));
	s->count -= n;
	s->gone += n;
}
