/* traced_flow: programs of functions, for traces by control flow. */
#include "core/image/traced_flow.h"

#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

enum { RECORD = 8, OP_RECORD = 12 };

struct reader {
	struct traced *t;
	const struct elf *e;
	struct map ids;			/* address, of either entry -> id */
};

static bool ids_read(struct reader *r, const uint8_t *p, uint64_t size)
{
	for (; size >= RECORD; p += RECORD, size -= RECORD)
		if (map_put(&r->ids, traced_number(r->e, p, 4), traced_number(r->e, p + 4, 2)) < 0)
			return false;
	return true;
}

/* 0: it is not followed. */
static uint32_t id_at(const struct reader *r, uint32_t address)
{
	uint32_t id = map_get(&r->ids, address);

	return id < r->t->count ? id : 0;
}

/* The operation, with `to` counted from the function's first. False: it has no meaning there. */
static bool op_read(const struct reader *r, const uint8_t *p, struct traced_op *op)
{
	uint32_t address = traced_number(r->e, p + 4, 4);

	*op = (struct traced_op){
		.kind = p[0], .arg = p[1], .to = traced_number(r->e, p + 2, 2),
	};
	if (op->kind == TRACED_OP_CALL)
		op->id = id_at(r, address);
	else if (op->kind == TRACED_OP_SWITCH)
		op->id = address / 2 & 0xff;
	return op->kind > TRACED_OP_FUNCTION && op->kind < TRACED_OP_KINDS;
}

/* Each goes on to one of the `count`, or ends. */
static bool program_check(const struct traced_op *ops, uint32_t count)
{
	const struct traced_op *last = &ops[count - 1];

	for (uint32_t i = 0; i < count; i++) {
		const struct traced_op *op = &ops[i];

		if ((op->kind == TRACED_OP_BRANCH || op->kind == TRACED_OP_JUMP) &&
		    op->to >= count)
			return false;
		if (op->kind != TRACED_OP_SWITCH)
			continue;
		if (op->to >= count - i)
			return false;
		for (uint32_t n = 1; n <= op->to; n++)
			if (ops[i + n].kind != TRACED_OP_JUMP)
				return false;
	}
	return last->kind == TRACED_OP_END || last->kind == TRACED_OP_STOP ||
	       last->kind == TRACED_OP_JUMP;
}

/* Operations of function `id`, behind those that are there. */
static void program_read(struct reader *r, uint32_t id, const uint8_t *p, uint32_t count)
{
	struct traced *t = r->t;
	uint32_t first = (uint32_t)t->op_count;

	for (uint32_t i = 0; i < count; i++)
		if (!op_read(r, p + (size_t)i * OP_RECORD, &t->ops[first + i]))
			return;
	if (!id || t->programs[id] != TRACED_NO_PROGRAM || !program_check(t->ops + first, count))
		return;
	for (uint32_t i = 0; i < count; i++) {
		struct traced_op *op = &t->ops[first + i];
		uint32_t behind = traced_number(r->e, p + (size_t)i * OP_RECORD + 8, 4);

		if (op->kind == TRACED_OP_BRANCH || op->kind == TRACED_OP_JUMP)
			op->to += first;
		if (op->kind == TRACED_OP_CALL && op->id)
			t->flags[op->id] |= TRACED_CALLED;
		if (behind)
			t->places[t->place_count++] =
				(struct traced_place){ behind, first + i, id };
	}
	t->programs[id] = first;
	t->op_count += count;
}

static int place_compare(const void *a, const void *b)
{
	const struct traced_place *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void programs_read(struct reader *r, const uint8_t *p, uint64_t size)
{
	struct traced *t = r->t;

	while (size >= OP_RECORD) {
		uint32_t count = traced_number(r->e, p + 2, 2);
		uint32_t id = id_at(r, traced_number(r->e, p + 4, 4));

		if (p[0] != TRACED_OP_FUNCTION || !count || count > size / OP_RECORD - 1)
			break;
		program_read(r, id, p + OP_RECORD, count);
		p += (size_t)(count + 1) * OP_RECORD;
		size -= (uint64_t)(count + 1) * OP_RECORD;
	}
	if (t->place_count)
		qsort(t->places, t->place_count, sizeof(*t->places), place_compare);
}

void traced_flow_read(struct traced *t, const struct elf *e, const uint8_t *map, uint64_t map_size,
		      const uint8_t *flow, uint64_t size)
{
	struct reader r = { .t = t, .e = e };
	size_t ops = (size_t)(size / OP_RECORD);

	if (!ops || !t->count)
		return;
	map_init(&r.ids);
	t->ops = mem_alloc(ops * sizeof(*t->ops));
	t->places = mem_alloc(ops * sizeof(*t->places));
	t->programs = mem_alloc(t->count * sizeof(*t->programs));
	if (t->ops && t->places && t->programs) {
		for (size_t id = 0; id < t->count; id++)
			t->programs[id] = TRACED_NO_PROGRAM;
		if (ids_read(&r, map, map_size))
			programs_read(&r, flow, size);
	}
	map_release(&r.ids);
}

uint32_t traced_program(const struct traced *t, uint32_t id)
{
	return t && t->ops && t->places && t->programs && id < t->count ? t->programs[id] :
									  TRACED_NO_PROGRAM;
}

const struct traced_place *traced_place(const struct traced *t, uint32_t address)
{
	size_t i;

	if (!t || !t->place_count)
		return NULL;
	i = SORTED_WHERE(t->place_count, n, t->places[n].address < address);
	return i < t->place_count && t->places[i].address == address ? &t->places[i] : NULL;
}
