#include "core/image/traced.h"

#include <string.h>

#include "core/base/mem.h"

enum { RECORD = 8 };

static uint32_t number_at(const struct elf *e, const uint8_t *p, size_t bytes)
{
	uint32_t x = 0;

	for (size_t i = 0; i < bytes; i++)
		x |= (uint32_t)p[i] << 8 * (e->big_data ? bytes - 1 - i : i);
	return x;
}

static size_t ids_of(const struct elf *e, const uint8_t *p, uint64_t size)
{
	size_t ids = 0;

	for (; size >= RECORD; p += RECORD, size -= RECORD) {
		uint32_t id = number_at(e, p + 4, 2);

		ids = id >= ids ? id + 1 : ids;
	}
	return ids;
}

void traced_read(struct traced *t, const struct elf *e)
{
	const struct elf_section *s = elf_find_section(e, ".wsntrace_map");
	uint64_t size = 0;
	uint8_t *p = s ? elf_load(e, s, 1, &size) : NULL;
	size_t ids = p ? ids_of(e, p, size) : 0;

	*t = (struct traced){ .addresses = ids ? mem_alloc(ids * sizeof(*t->addresses)) : NULL };
	if (t->addresses) {
		t->count = ids;
		memset(t->addresses, 0xff, ids * sizeof(*t->addresses));	/* TRACED_NONE */
		for (uint64_t at = 0; at + RECORD <= size; at += RECORD)
			t->addresses[number_at(e, p + at + 4, 2)] = number_at(e, p + at, 4);
	}
	mem_free(p);
}

void traced_release(struct traced *t)
{
	mem_free(t->addresses);
}
