#include "core/report/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/profile/look/rows.h"

const struct diff_format diff_formats[] = {
	{ "text", "a table for a terminal or a log", diff_text },
	{ "json", "all figures, with noise and verdicts", diff_json },
	{ "markdown", "a table for a merge request", diff_markdown },
	{ "html", "a page of its own, without scripts", diff_html },
	{ .name = NULL },
};

const char *const diff_measures[COMPARE_MEASURES] = {
	[COMPARE_LOAD] = "load", [COMPARE_PER_CALL] = "per call", [COMPARE_RATE] = "calls/s",
	[COMPARE_MAX] = "max",
};

enum { TIMES = 10 };		/* from here on a change is told as a multiple */

/* --- rows ------------------------------------------------------------------------------------- */

/* What changed comes first, the largest cost at the top; one that is not known counts as none. */
static int diff_row_order(const void *a, const void *b, void *ctx)
{
	const struct compare *c = ctx;
	uint32_t ia = *(const uint32_t *)a, ib = *(const uint32_t *)b;
	const struct compare_row *ra = &c->rows[ia], *rb = &c->rows[ib];
	bool ca = ra->verdict > COMPARE_SAME, cb = rb->verdict > COMPARE_SAME;
	double wa = isnan(ra->cost) ? 0 : ra->cost, wb = isnan(rb->cost) ? 0 : rb->cost;

	if (ca != cb)
		return cb - ca;
	if (wa < wb || wa > wb)
		return wa < wb ? 1 : -1;
	return ia < ib ? -1 : ia > ib;
}

static bool diff_row_shown(const struct diff *d, const struct compare_row *r,
			   const struct diff_options *o)
{
	if (!rows_match(compare_subject(&d->compare, r), o->filter))
		return false;
	return r->verdict > COMPARE_SAME || (o->all && r->verdict == COMPARE_SAME);
}

static int rows_choose(struct diff *d, const struct diff_options *o)
{
	struct compare *c = &d->compare;

	d->rows = mem_alloc((c->count + 1) * sizeof(*d->rows));
	if (!d->rows)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < c->count; i++)
		if (diff_row_shown(d, &c->rows[i], o))
			d->rows[d->count++] = i;
	if (d->count)
		qsort_r(d->rows, d->count, sizeof(*d->rows), diff_row_order, c);
	if (o->limit && d->count > o->limit) {
		d->left_out = d->count - o->limit;
		d->count = o->limit;
	}
	return 0;
}

int diff_init(struct diff *d, const struct profile *then, const struct profile *now,
	      const char *then_name, const char *now_name, const struct diff_options *o)
{
	*d = (struct diff){ .then = then_name, .now = now_name, .least = o->least };
	if (compare_build(&d->compare, then, now, &o->least) < 0)
		return ERR_NOMEM;
	return rows_choose(d, o);
}

void diff_release(struct diff *d)
{
	compare_release(&d->compare);
	mem_free(d->rows);
	*d = (struct diff){ .count = 0 };
}

/* --- cells ------------------------------------------------------------------------------------ */

static const char *const verdict_names[COMPARE_VERDICTS] = {
	[COMPARE_UNKNOWN] = "", [COMPARE_SAME] = "same", [COMPARE_WORSE] = "worse",
	[COMPARE_BETTER] = "better", [COMPARE_NEW] = "new", [COMPARE_GONE] = "gone",
	[COMPARE_MIXED] = "mixed",
};

const char *diff_verdict(const struct compare_row *r)
{
	return verdict_names[r->verdict];
}

const char *diff_value(enum compare_measure m, double value, char *dst)
{
	dst[0] = '\0';
	if (isnan(value))
		return dst;
	if (m == COMPARE_LOAD)
		snprintf(dst, DIFF_CELL, "%s%.3g %%", value > 0 && value < 1e-4 ? "<" : "",
			 100 * (value > 0 ? fmax(value, 1e-4) : value));
	else if (m == COMPARE_RATE)
		text_count(dst, DIFF_CELL, value);
	else
		text_seconds(dst, DIFF_CELL, value);
	return dst;
}

const char *diff_change(enum compare_measure m, const struct compare_value *v, char *dst)
{
	char times[16];

	dst[0] = '\0';
	if (v->verdict == COMPARE_NEW || v->verdict == COMPARE_GONE)
		snprintf(dst, DIFF_CELL, "%s", verdict_names[v->verdict]);
	else if (v->verdict == COMPARE_SAME)
		snprintf(dst, DIFF_CELL, "=");
	else if (v->verdict != COMPARE_UNKNOWN && m == COMPARE_LOAD)
		snprintf(dst, DIFF_CELL, "%+.3g pt", 100 * (v->now - v->then));
	else if (v->verdict != COMPARE_UNKNOWN && v->then > 0 && v->now > TIMES * v->then)
		snprintf(dst, DIFF_CELL, "%s times",
			 text_count(times, sizeof(times), v->now / v->then));
	else if (v->verdict != COMPARE_UNKNOWN && v->then > 0)
		snprintf(dst, DIFF_CELL, "%+.3g %%", 100 * (v->now / v->then - 1));
	return dst;
}

bool diff_moved(const struct compare_value *v, const char *then, const char *now)
{
	return v->verdict > COMPARE_SAME && strcmp(then, now) != 0;
}

void diff_summary(const struct diff *d, const char *arrow, struct out *out)
{
	static const enum compare_verdict shown[] = {
		COMPARE_WORSE, COMPARE_NEW, COMPARE_MIXED, COMPARE_BETTER, COMPARE_GONE,
		COMPARE_SAME,
	};
	const struct compare *c = &d->compare;
	char then[DIFF_CELL], now[DIFF_CELL];
	const char *between = "; ";

	if (isnan(c->load.then) || isnan(c->load.now) || c->shares)
		between = "";
	else
		out_addf(out, "load %s %s %s", diff_value(COMPARE_LOAD, c->load.then, then), arrow,
			 diff_value(COMPARE_LOAD, c->load.now, now));
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		if (!c->verdicts[shown[i]])
			continue;
		out_addf(out, "%s%zu %s", between, c->verdicts[shown[i]],
			 verdict_names[shown[i]]);
		between = ", ";
	}
}
