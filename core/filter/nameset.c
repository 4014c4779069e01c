#include "core/filter/nameset.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* FNV-1a, 64 bits. A map's own hash mixes it further. */
static uint64_t name_hash(struct piece p)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < p.n; i++)
		h = (h ^ (unsigned char)p.s[i]) * 0x100000001b3u;
	return h;
}

static uint32_t name_find(const struct nameset *n, struct piece name, uint64_t hash)
{
	uint32_t i = map_get(&n->at, hash);

	while (i != MAP_NONE && !piece_equal(n->v[i].name, name))
		i = n->v[i].before;
	return i;
}

void nameset_release(struct nameset *n)
{
	map_release(&n->at);
	mem_free(n->v);
	memset(n, 0, sizeof(*n));
}

int nameset_put(struct nameset *n, struct piece name, uint32_t value)
{
	uint64_t hash = name_hash(name);
	uint32_t i = name_find(n, name, hash);

	if (i != MAP_NONE) {
		n->v[i].value = value;
		return 0;
	}
	if (n->count >= MAP_NONE || mem_grow(&n->v, &n->cap, n->count + 1, sizeof(*n->v)) < 0)
		return ERR_NOMEM;
	n->v[n->count] = (struct nameset_one){ name, map_get(&n->at, hash), value };
	if (map_put(&n->at, hash, (uint32_t)n->count) < 0)
		return ERR_NOMEM;
	n->count++;
	return 0;
}

bool nameset_has(const struct nameset *n, struct piece name)
{
	return name_find(n, name, name_hash(name)) != MAP_NONE;
}

uint32_t nameset_get(const struct nameset *n, struct piece name)
{
	uint32_t i = name_find(n, name, name_hash(name));

	return i == MAP_NONE ? MAP_NONE : n->v[i].value;
}
