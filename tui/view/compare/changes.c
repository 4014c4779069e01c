#include "tui/view/compare/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/part/delta.h"

const struct change_cell changes_cells[CHANGE_CELLS] = {
	{ CHANGE_VERDICT, COMPARE_LOAD, "VERDICT", NULL, 16, 2, "verdict",
	  "largest regressions first" },
	{ CHANGE_NOW, COMPARE_LOAD, "LOAD%", NULL, 6, 3, "load", "share of the time, now" },
	{ CHANGE_THEN, COMPARE_LOAD, "WAS", NULL, 6, 6, "load-was", "share of the time, then" },
	{ CHANGE_DELTA, COMPARE_LOAD, "Δ LOAD", "d LOAD", DELTA_WIDTH, 1, "load-change",
	  "change of the load" },
	{ CHANGE_NOW, COMPARE_PER_CALL, "PER CALL", NULL, 8, 4, "per-call", "time a call, now" },
	{ CHANGE_THEN, COMPARE_PER_CALL, "WAS", NULL, 7, 7, "per-call-was", "time a call, then" },
	{ CHANGE_DELTA, COMPARE_PER_CALL, "Δ CALL", "d CALL", DELTA_WIDTH, 3, "per-call-change",
	  "change of the time a call" },
	{ CHANGE_NOW, COMPARE_RATE, "CALLS/S", NULL, 7, 8, "rate", "calls a second, now" },
	{ CHANGE_THEN, COMPARE_RATE, "WAS", NULL, 7, 8, "rate-was", "calls a second, then" },
	{ CHANGE_DELTA, COMPARE_RATE, "Δ RATE", "d RATE", DELTA_WIDTH, 5, "rate-change",
	  "change of the calls a second" },
	{ CHANGE_NOW, COMPARE_MAX, "MAX", NULL, 7, 10, "max", "the longest call, now" },
	{ CHANGE_THEN, COMPARE_MAX, "WAS", NULL, 7, 10, "max-was", "the longest call, then" },
	{ CHANGE_DELTA, COMPARE_MAX, "Δ MAX", "d MAX", DELTA_WIDTH, 9, "max-change",
	  "change of the longest call" },
	{ CHANGE_NAME, COMPARE_LOAD, "FUNCTION", NULL, 0, 0, "function", "name" },
	{ CHANGE_FILE, COMPARE_LOAD, "FILE", NULL, 15, 11, NULL, NULL },
};

void changes_release(struct changes *c)
{
	mem_free(c->lines);
	*c = (struct changes){ 0 };
}

/* --- order ------------------------------------------------------------------------------------ */

/* Worse above better above differences within the noise, or not relevant. */
static int verdict_class(enum compare_verdict v)
{
	static const int classes[COMPARE_VERDICTS] = {
		[COMPARE_WORSE] = 0, [COMPARE_NEW] = 0, [COMPARE_MIXED] = 0,
		[COMPARE_BETTER] = 1, [COMPARE_GONE] = 1,
		[COMPARE_SAME] = 2, [COMPARE_UNKNOWN] = 3,
	};

	return classes[v];
}

bool changes_differs(enum compare_verdict v)
{
	return verdict_class(v) < 2;
}

/* The weight of a difference: of loads the difference, of other figures the ratio. */
static double difference_weight(const struct compare_value *v, enum compare_measure m)
{
	double then = isnan(v->then) ? 0 : v->then, now = isnan(v->now) ? 0 : v->now;

	if (v->verdict <= COMPARE_SAME || v->minor)
		return isnan(v->now) ? -1 : v->now;
	if (m == COMPARE_LOAD)
		return now - then;
	return then > 0 && now > 0 ? log(now / then) : now > then ? 1e9 : -1e9;
}

/* A row's cost: its change of load; with unknown loads, of the time per call, else of the rate. */
static double row_cost(const struct compare_row *r)
{
	if (!isnan(r->cost))
		return changes_differs(r->verdict) ? r->cost : fmax(r->value[COMPARE_LOAD].now, 0);
	if (isnan(r->value[COMPARE_PER_CALL].now))
		return difference_weight(&r->value[COMPARE_RATE], COMPARE_RATE);
	return difference_weight(&r->value[COMPARE_PER_CALL], COMPARE_PER_CALL);
}

static int number_order(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

/* Among improvements, the largest comes first. */
static int change_order(enum compare_verdict va, double a, enum compare_verdict vb, double b)
{
	int ca = verdict_class(va), cb = verdict_class(vb);

	if (ca != cb)
		return ca - cb;
	return ca == 1 ? number_order(b, a) : number_order(a, b);
}

static const struct profile_function *row_subject(const struct changes *c, uint32_t row)
{
	return compare_subject(c->compare, &c->compare->rows[row]);
}

static enum compare_verdict value_verdict(const struct compare_value *v)
{
	return v->minor ? COMPARE_SAME : v->verdict;
}

static int cell_order(const struct changes *c, const struct change_cell *cell, uint32_t ia,
		      uint32_t ib)
{
	const struct compare_row *a = &c->compare->rows[ia], *b = &c->compare->rows[ib];
	const struct compare_value *va = &a->value[cell->m], *vb = &b->value[cell->m];

	switch (cell->kind) {
	case CHANGE_NOW: return number_order(va->now, vb->now);
	case CHANGE_THEN: return number_order(va->then, vb->then);
	case CHANGE_DELTA:
		return change_order(value_verdict(va), difference_weight(va, cell->m),
				    value_verdict(vb), difference_weight(vb, cell->m));
	case CHANGE_VERDICT: return change_order(a->verdict, row_cost(a), b->verdict, row_cost(b));
	default: return strcmp(row_subject(c, ia)->name, row_subject(c, ib)->name);
	}
}

static int line_order(const void *a, const void *b, void *ctx)
{
	const struct changes *c = ctx;
	uint32_t ia = *(const uint32_t *)a, ib = *(const uint32_t *)b;
	int order = cell_order(c, &changes_cells[c->sort], ia, ib);

	if (order)
		return c->inverted ? -order : order;
	if (row_subject(c, ia)->address != row_subject(c, ib)->address)
		return row_subject(c, ia)->address < row_subject(c, ib)->address ? -1 : 1;
	return ia < ib ? -1 : 1;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool filter_passes(const struct profile_function *f, const struct regex *filter)
{
	return !filter || regex_match(filter, f->name) || (f->file && regex_match(filter, f->file));
}

static void row_measure(struct changes *c, uint32_t row)
{
	const struct compare_value *v = c->compare->rows[row].value;
	int length = text_columns(row_subject(c, row)->name);

	c->files |= row_subject(c, row)->file != NULL;
	if (length > c->longest)
		c->longest = length;
	for (int m = 0; m < COMPARE_MEASURES; m++)
		c->known[m] |= !isnan(v[m].now) || !isnan(v[m].then);
}

void changes_fill(struct changes *c, const struct compare *compare, const struct regex *filter)
{
	size_t n = compare ? compare->count : 0;

	c->compare = compare;
	c->count = c->hidden = 0;
	c->longest = 0;
	c->files = false;
	memset(c->known, 0, sizeof(c->known));
	if (mem_grow(&c->lines, &c->cap, n + 1, sizeof(*c->lines)) < 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (filter_passes(row_subject(c, i), filter)) {
			c->lines[c->count++] = i;
			row_measure(c, i);
		}
	}
	c->hidden = n - c->count;
	if (c->count)
		qsort_r(c->lines, c->count, sizeof(*c->lines), line_order, c);
}

const struct compare_row *changes_row(const struct changes *c, size_t line)
{
	return c->compare && line < c->count ? &c->compare->rows[c->lines[line]] : NULL;
}

const struct profile_function *changes_subject(const struct changes *c, size_t line)
{
	const struct compare_row *r = changes_row(c, line);

	return r ? compare_subject(c->compare, r) : NULL;
}

void changes_sort(struct changes *c, size_t cell)
{
	c->inverted = c->sort == cell && !c->inverted;
	c->sort = cell;
}

static bool has_figures(enum change_kind kind)
{
	return kind == CHANGE_NOW || kind == CHANGE_THEN || kind == CHANGE_DELTA;
}

void changes_sort_step(struct changes *c, size_t step)
{
	const struct change_cell *cell;

	do {
		c->sort = (c->sort + step) % CHANGE_CELLS;
		cell = &changes_cells[c->sort];
	} while (!cell->name || (has_figures(cell->kind) && !c->known[cell->m]));
	c->inverted = false;
}

