#include "core/profile/rows.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"

/* What a row is sorted by, made once: some columns are dear to ask. */
struct row_key {
	double value;			/* NaN not known, and for columns of words */
	uint32_t function;
};

void rows_init(struct rows *r)
{
	*r = (struct rows){ 0 };
}

void rows_release(struct rows *r)
{
	mem_free(r->items);
	mem_free(r->keys);
	rows_init(r);
}

static bool passes(const struct profile_function *f, const struct regex *filter)
{
	return !filter || regex_match(filter, f->name) || (f->file && regex_match(filter, f->file));
}

struct ordering {
	struct column_data data;
	const struct column *column;
	bool inverted;
};

/* Larger first; what is not known comes last. */
static int by_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

/* Ties: the busier first, then by address, so that rows do not dance. */
static int by_calls(const struct column_data *d, const struct profile_function *a,
		    const struct profile_function *b)
{
	const struct column *calls = &columns[COLUMN_CALLS];
	int order = by_number(calls->value(d, a), calls->value(d, b));

	if (order)
		return order;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a < b ? -1 : 1;
}

static int by_rest(const struct ordering *o, const struct row_key *a, const struct row_key *b)
{
	const struct profile_function *fa = &o->data.profile->functions[a->function];
	const struct profile_function *fb = &o->data.profile->functions[b->function];
	int order = o->column->compare ? o->column->compare(&o->data, fa, fb) : 0;

	if (order)
		return o->inverted ? -order : order;
	return by_calls(&o->data, fa, fb);
}

/* Most differ in what they are sorted by. */
static int by_order(const void *a, const void *b, void *ctx)
{
	const struct ordering *o = ctx;
	const struct row_key *ka = a, *kb = b;
	int order;

	if (ka->value > kb->value)
		return o->inverted ? 1 : -1;
	if (ka->value < kb->value)
		return o->inverted ? -1 : 1;
	order = by_number(ka->value, kb->value);
	if (order)
		return o->inverted ? -order : order;
	return by_rest(o, ka, kb);
}

int rows_sort(struct rows *r, const struct profile *p, const struct rows_order *o)
{
	struct ordering ordering = { { p, o->contexts }, &columns[o->column], o->inverted };
	double (*value)(const struct column_data *, const struct profile_function *) =
		ordering.column->value;

	if (mem_grow(&r->items, &r->cap, p->function_count, sizeof(*r->items)) < 0 ||
	    mem_grow(&r->keys, &r->key_cap, p->function_count, sizeof(*r->keys)) < 0)
		return ERR_NOMEM;
	r->count = 0;
	for (uint32_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		if (passes(f, o->filter))
			r->keys[r->count++] = (struct row_key){
				value ? value(&ordering.data, f) : (double)NAN, i,
			};
	}
	r->hidden = p->function_count - r->count;
	if (r->count)
		qsort_r(r->keys, r->count, sizeof(*r->keys), by_order, &ordering);
	for (size_t i = 0; i < r->count; i++)
		r->items[i] = r->keys[i].function;
	return 0;
}
