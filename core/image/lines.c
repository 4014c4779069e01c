#include "core/image/lines.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

static int by_start(const void *a, const void *b)
{
	const struct debug_sequence *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/*
 * Units that have code at 0. Discarded functions have their line sequence at 0 too; in a unit
 * without code at 0 it is dropped.
 */
static uint8_t *units_at_zero(const struct debug_data *d)
{
	uint8_t *units = mem_zalloc((size_t)d->units + 1);

	for (size_t i = 0; units && i < d->code.count; i++) {
		const struct debug_instance *in = &d->instances.v[d->code.v[i].id];

		if (d->code.v[i].low == 0 && in->accepted)
			units[in->unit] = 1;
	}
	return units;
}

static bool sequence_holds(const struct debug_sequence *s, const struct elf *e,
			   const uint8_t *at_zero)
{
	const struct elf_code *c = elf_code_at(e, s->low);

	return c && s->high <= c->address + c->size && (s->low || at_zero[s->unit]);
}

/*
 * Redundant rows are left out; of several at one address the last one counts, as in binutils.
 */
static void row_append(struct lines *l, const struct debug_row *row)
{
	struct debug_row *last = l->count ? &l->rows[l->count - 1] : NULL;

	if (last && row->address < last->address)
		return; /* rows of a sequence go up: DWARF 5, 6.2.5 */
	if (last && last->address == row->address) {
		*last = *row;
		return;
	}
	if (last && last->path == row->path && last->line == row->line)
		return;
	l->rows[l->count++] = *row;
}

static void append_sequence(struct lines *l, const struct debug_sequence *s,
			    const struct debug_data *d, uint64_t from)
{
	const struct debug_row end = { .address = s->high, .path = DEBUG_NONE };

	for (size_t i = 0; i < s->count; i++) {
		const struct debug_row *row = &d->rows.v[s->first + i];

		if (row->address >= from && row->address < s->high)
			row_append(l, row);
	}
	row_append(l, &end);
}

static int build_rows(struct lines *l, const struct debug_data *d, const struct elf *e)
{
	uint8_t *at_zero = units_at_zero(d);
	uint64_t end = 0;

	l->rows = mem_alloc((d->rows.count + d->sequences.count + 1) * sizeof(*l->rows));
	if (!l->rows || !at_zero) {
		mem_free(at_zero);
		return ERR_NOMEM;
	}
	if (d->sequences.count)
		qsort(d->sequences.v, d->sequences.count, sizeof(*d->sequences.v), by_start);
	for (size_t i = 0; i < d->sequences.count; i++) {
		const struct debug_sequence *s = &d->sequences.v[i];

		if (!sequence_holds(s, e, at_zero) || (end && s->high <= end))
			continue;
		append_sequence(l, s, d, end > s->low ? end : s->low);
		end = s->high;
	}
	mem_free(at_zero);
	return 0;
}

static int build_inlined(struct lines *l, const struct debug_data *d)
{
	for (size_t i = 0; i < d->inlined.count; i++) {
		struct span s = d->inlined.v[i];

		if (d->instances.v[d->inlines.v[s.id].instance].accepted &&
		    spans_add(&l->inlined, s) < 0)
			return ERR_NOMEM;
	}
	return spans_flatten(&l->inlined);
}

int lines_init(struct lines *l, struct debug_data *d, const struct elf *e)
{
	struct debug_row *fit;
	int ret;

	*l = (struct lines){ NULL };
	ret = build_rows(l, d, e);
	if (ret == 0)
		ret = build_inlined(l, d);
	mem_free(d->rows.v);
	mem_free(d->sequences.v);
	memset(&d->rows, 0, sizeof(d->rows));
	memset(&d->sequences, 0, sizeof(d->sequences));
	fit = l->count ? mem_realloc(l->rows, l->count * sizeof(*l->rows)) : NULL;
	if (fit)
		l->rows = fit;
	return ret;
}

void lines_release(struct lines *l)
{
	mem_free(l->rows);
	spans_release(&l->inlined);
	*l = (struct lines){ NULL };
}

/* Index of the first row behind an address. */
static size_t index_after(const struct lines *l, uint64_t address)
{
	return SORTED_ABOVE(l->rows, l->count, address, address);
}

const struct debug_row *lines_find(const struct lines *l, uint64_t address)
{
	size_t i = index_after(l, address);

	return i && l->rows[i - 1].path != DEBUG_NONE ? &l->rows[i - 1] : NULL;
}

uint64_t lines_after(const struct lines *l, uint64_t address)
{
	size_t i = index_after(l, address);

	return i < l->count ? l->rows[i].address : UINT64_MAX;
}

uint32_t lines_inline(const struct lines *l, uint64_t address)
{
	return spans_find(&l->inlined, address);
}
