#include "core/profile/look/rows.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/look/compare.h"

/*
 * The value that a row is sorted by, computed once: some columns are expensive. And what decides
 * between equals, as tens of thousands of functions are in no cache.
 */
struct row_key {
	double value;			/* NaN not known, and for columns of words */
	double calls;
	uint64_t address;
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

bool rows_match(const struct profile_function *f, const struct regex *filter)
{
	return !filter || regex_match(filter, f->name) || (f->file && regex_match(filter, f->file));
}

struct ordering {
	struct column_data data;
	const struct column *column;
	bool inverted;
	const struct compare *changes;	/* sort by cost of change; NULL: by column */
	bool decided;			/* the column's comparison is in the keys' values */
};

/* Larger first; unknown values last. */
static int by_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

/* Ties: more calls first, then by address, so that rows keep their places. */
static int by_calls(const struct row_key *a, const struct row_key *b)
{
	int order = by_number(a->calls, b->calls);

	if (order)
		return order;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->function < b->function ? -1 : 1;
}

static int by_rest(const struct ordering *o, const struct row_key *a, const struct row_key *b)
{
	const struct profile_function *fa = &o->data.profile->functions[a->function];
	const struct profile_function *fb = &o->data.profile->functions[b->function];
	int order = 0;

	if (o->changes && o->column->value)
		order = by_number(o->column->value(&o->data, fa), o->column->value(&o->data, fb));
	if (!order && o->column->compare && !o->decided)
		order = o->column->compare(&o->data, fa, fb);
	if (order)
		return o->inverted ? -order : order;
	return by_calls(a, b);
}

/* Most rows differ in their key. */
static inline bool is_before(const struct ordering *o, const struct row_key *a,
			     const struct row_key *b)
{
	int order;

	if (a->value > b->value)
		return !o->inverted;
	if (a->value < b->value)
		return o->inverted;
	order = by_number(a->value, b->value);
	if (order)
		return (order < 0) != o->inverted;
	return by_rest(o, a, b) < 0;
}

/* Merges two adjacent runs into `out`. */
static void runs_merge(const struct ordering *o, const struct row_key *a, const struct row_key *b,
		       const struct row_key *end, struct row_key *out)
{
	const struct row_key *middle = b;

	while (a < middle && b < end)
		*out++ = is_before(o, b, a) ? *b++ : *a++;
	memcpy(out, a, (size_t)(middle - a) * sizeof(*a));
	out += middle - a;
	memcpy(out, b, (size_t)(end - b) * sizeof(*b));
}

/*
 * Merge sort (Knuth, vol. 3, 5.2.4), as in qsort_r, with less than half its instructions because
 * the comparison is inlined. `spare` has room for n keys. Returns the array that holds the result.
 */
static struct row_key *keys_sort(const struct ordering *o, struct row_key *keys,
				 struct row_key *spare, size_t n)
{
	for (size_t run = 1; run < n; run *= 2) {
		struct row_key *sorted = spare;

		for (size_t i = 0; i < n; i += 2 * run) {
			size_t middle = n - i < run ? n : i + run;
			size_t end = n - i < 2 * run ? n : i + 2 * run;

			runs_merge(o, keys + i, keys + middle, keys + end, spare + i);
		}
		spare = keys;
		keys = sorted;
	}
	return keys;
}

/* The cost of a function's change; 0 within the noise; NaN where it is not known. */
static double change_cost(const struct compare *c, uint32_t function)
{
	const struct compare_row *row = compare_function(c, function);

	if (!row || isnan(row->cost))
		return NAN;
	return row->sure ? row->cost : 0;
}

static double key_value(const struct ordering *o, uint32_t function)
{
	if (o->changes)
		return change_cost(o->changes, function);
	if (!o->column->value)
		return NAN;
	return o->column->value(&o->data, &o->data.profile->functions[function]);
}

static struct row_key key_make(const struct ordering *o, uint32_t function)
{
	const struct profile_function *f = &o->data.profile->functions[function];

	return (struct row_key){ key_value(o, function), columns[COLUMN_CALLS].value(&o->data, f),
				 f->address, function };
}

/* No row has a value, and the column falls back on another one's: these are the keys. */
static void keys_fall_back(struct ordering *o, struct row_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isnan(keys[i].value))
			return;
	if (o->changes || !o->column->instead || !isnan(o->data.profile->totals.self_s))
		return;
	for (size_t i = 0; i < n; i++)
		keys[i].value = o->column->instead(&o->data,
						   &o->data.profile->functions[keys[i].function]);
	o->decided = true;
}

int rows_sort(struct rows *r, const struct profile *p, const struct rows_order *o)
{
	struct ordering ordering = {
		{ p, o->contexts }, &columns[o->column], o->inverted,
		rows_by_change(o) ? o->compare : NULL, false,
	};
	const struct row_key *sorted;

	/* One more than needed: the array must exist for 0 rows, too. */
	if (mem_grow(&r->items, &r->cap, p->function_count, sizeof(*r->items)) < 0 ||
	    mem_grow(&r->keys, &r->key_cap, 2 * p->function_count + 1, sizeof(*r->keys)) < 0)
		return ERR_NOMEM;
	r->count = 0;
	for (uint32_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		if (rows_match(f, o->filter))
			r->keys[r->count++] = key_make(&ordering, i);
	}
	keys_fall_back(&ordering, r->keys, r->count);
	r->hidden = p->function_count - r->count;
	sorted = keys_sort(&ordering, r->keys, r->keys + r->count, r->count);
	for (size_t i = 0; i < r->count; i++)
		r->items[i] = sorted[i].function;
	return 0;
}
