#include "core/image/traced.h"

#include "core/image/traced_flow.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

enum { RECORD = 8, CODE_RECORD = 12, FLAG_LEAF = 1, FLAG_ENTRY = 4, LENGTH_MAX = 7 };

uint32_t traced_number(const struct elf *e, const uint8_t *p, size_t bytes)
{
	uint32_t x = 0;

	for (size_t i = 0; i < bytes; i++)
		x |= (uint32_t)p[i] << 8 * (e->big_data ? bytes - 1 - i : i);
	return x;
}

/* --- functions -------------------------------------------------------------------------------- */

static size_t ids_of(const struct elf *e, const uint8_t *p, uint64_t size)
{
	size_t ids = 0;

	for (; size >= RECORD; p += RECORD, size -= RECORD) {
		uint32_t id = traced_number(e, p + 4, 2);

		ids = id >= ids ? id + 1 : ids;
	}
	return ids;
}

static void functions_read(struct traced *t, const struct elf *e, const uint8_t *p, uint64_t size)
{
	size_t ids = ids_of(e, p, size);

	t->addresses = ids ? mem_alloc(ids * sizeof(*t->addresses)) : NULL;
	t->flags = ids ? mem_zalloc(ids) : NULL;
	if (!t->addresses || !t->flags)
		return;
	t->count = ids;
	memset(t->addresses, 0xff, ids * sizeof(*t->addresses));	/* TRACED_NONE */
	for (; size >= RECORD; p += RECORD, size -= RECORD) {
		uint32_t id = traced_number(e, p + 4, 2);

		if (p[6] & FLAG_ENTRY)
			continue;
		t->addresses[id] = traced_number(e, p, 4);
		t->flags[id] = p[6] & (uint8_t)~TRACED_CALLED;
	}
}

bool traced_is_leaf(const struct traced *t, uint32_t id)
{
	return t && id < t->count && t->flags[id] & FLAG_LEAF;
}

/* --- codes ------------------------------------------------------------------------------------ */

static int code_compare(const void *a, const void *b)
{
	const struct traced_code *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* 0: it is not followed. */
static uint32_t id_at(const struct map *ids, uint32_t address)
{
	uint32_t id = map_get(ids, address);

	return id == MAP_NONE ? 0 : id;
}

static void codes_fill(struct traced *t, const struct elf *e, const struct map *ids,
		       const uint8_t *p, uint64_t size)
{
	for (; size >= CODE_RECORD; p += CODE_RECORD, size -= CODE_RECORD) {
		uint32_t to = traced_number(e, p + 4, 4);
		struct traced_code c = {
			.from = id_at(ids, traced_number(e, p, 4)),
			.to = to == UINT32_MAX ? TRACED_RETURN : id_at(ids, to),
			.bits = (uint16_t)traced_number(e, p + 8, 2),
			.length = p[10],
		};

		if (c.from && c.to && c.length && c.length <= LENGTH_MAX && !(c.bits >> c.length))
			t->codes[t->code_count++] = c;
	}
	if (t->code_count)
		qsort(t->codes, t->code_count, sizeof(*t->codes), code_compare);
}

static void codes_read(struct traced *t, const struct elf *e, const uint8_t *p, uint64_t size)
{
	struct map ids;
	bool ok = true;

	t->codes = size >= CODE_RECORD ?
		   mem_alloc((size_t)(size / CODE_RECORD) * sizeof(*t->codes)) : NULL;
	if (!t->codes)
		return;
	map_init(&ids);
	for (size_t id = 1; ok && id < t->count; id++)
		ok = t->addresses[id] == TRACED_NONE ||
		     map_put(&ids, t->addresses[id], (uint32_t)id) == 0;
	if (ok)
		codes_fill(t, e, &ids, p, size);
	map_release(&ids);
}

const struct traced_code *traced_scope(const struct traced *t, uint32_t id, size_t *count)
{
	size_t from, to;

	*count = 0;
	if (!t || !t->code_count || !id)
		return NULL;
	from = SORTED_WHERE(t->code_count, i, t->codes[i].from < id);
	to = SORTED_WHERE(t->code_count, i, t->codes[i].from <= id);
	*count = to - from;
	return t->codes + from;
}

/* --- marks ------------------------------------------------------------------------------------ */

static void marks_read(struct traced *t, const struct elf *e)
{
	const struct elf_section *s = elf_find_section(e, ".wsntrace_mark");

	t->marks = s ? (char *)elf_load(e, s, 1, &t->mark_bytes) : NULL;
	if (t->marks)
		t->marks[t->mark_bytes] = '\0';
}

const char *traced_mark(const struct traced *t, uint32_t id)
{
	return t && t->marks && id < t->mark_bytes && t->marks[id] ? t->marks + id : NULL;
}

/* --- the ELF ---------------------------------------------------------------------------------- */

void traced_read(struct traced *t, const struct elf *e)
{
	const struct elf_section *map = elf_find_section(e, ".wsntrace_map");
	const struct elf_section *code = elf_find_section(e, ".wsntrace_code");
	const struct elf_section *flow = elf_find_section(e, ".wsntrace_flow");
	uint64_t size = 0, flow_size = 0;
	uint8_t *p = map ? elf_load(e, map, 1, &size) : NULL, *q;

	*t = (struct traced){ .addresses = NULL };
	marks_read(t, e);
	if (p)
		functions_read(t, e, p, size);
	q = t->count && flow ? elf_load(e, flow, 1, &flow_size) : NULL;
	if (q)
		traced_flow_read(t, e, p, size, q, flow_size);
	mem_free(q);
	mem_free(p);
	size = 0;
	p = t->count && code ? elf_load(e, code, 1, &size) : NULL;
	if (p)
		codes_read(t, e, p, size);
	mem_free(p);
}

void traced_release(struct traced *t)
{
	mem_free(t->addresses);
	mem_free(t->flags);
	mem_free(t->codes);
	mem_free(t->ops);
	mem_free(t->programs);
	mem_free(t->places);
	mem_free(t->marks);
}
