#include "core/profile/rows.h"

#include <stdlib.h>

#include "core/base/mem.h"

void rows_init(struct rows *r)
{
	*r = (struct rows){ NULL, 0, 0, 0 };
}

void rows_release(struct rows *r)
{
	mem_free(r->items);
	rows_init(r);
}

static bool passes(const struct profile_function *f, const struct regex *filter)
{
	return !filter || regex_match(filter, f->name) || (f->file && regex_match(filter, f->file));
}

struct ordering {
	const struct profile *p;
	const struct column *column;
	bool inverted;
};

static int by_order(const void *a, const void *b, void *ctx)
{
	const struct ordering *o = ctx;
	const struct profile_function *fa = &o->p->functions[*(const uint32_t *)a];
	const struct profile_function *fb = &o->p->functions[*(const uint32_t *)b];
	int order = o->column->compare(o->p, fa, fb);

	if (order)
		return o->inverted ? -order : order;
	/* Ties: the busier first, then by address, so that rows do not dance. */
	order = columns[COLUMN_CALLS].compare(o->p, fa, fb);
	if (order)
		return order;
	if (fa->address != fb->address)
		return fa->address < fb->address ? -1 : 1;
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

int rows_sort(struct rows *r, const struct profile *p, const struct rows_order *o)
{
	struct ordering ordering = { p, &columns[o->column], o->inverted };

	if (mem_grow(&r->items, &r->cap, p->function_count, sizeof(*r->items)) < 0)
		return ERR_NOMEM;
	r->count = 0;
	for (uint32_t i = 0; i < p->function_count; i++) {
		if (passes(&p->functions[i], o->filter))
			r->items[r->count++] = i;
	}
	r->hidden = p->function_count - r->count;
	if (r->count)
		qsort_r(r->items, r->count, sizeof(*r->items), by_order, &ordering);
	return 0;
}
