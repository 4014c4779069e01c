/*
 * Changes since the baseline, one row per function, largest regressions first: RFC 4180 as csv.c.
 * A load is a share of wall time (of the time profiled where one of the two knows no other), noise
 * is one standard deviation of now - then (profile/look/compare.h). A figure's verdict is whether
 * it is beyond the noise, the row's whether that is relevant; `relevant` has the figures that it
 * is made of.
 */
#include "core/export/format.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/profile/look/compare.h"

static const char *const verdicts[COMPARE_VERDICTS] = {
	[COMPARE_UNKNOWN] = "", [COMPARE_SAME] = "same", [COMPARE_WORSE] = "worse",
	[COMPARE_BETTER] = "better", [COMPARE_NEW] = "new", [COMPARE_GONE] = "gone",
	[COMPARE_MIXED] = "mixed",
};

static const char *const measures[COMPARE_MEASURES] = {
	[COMPARE_LOAD] = "load", [COMPARE_PER_CALL] = "per_call_s",
	[COMPARE_RATE] = "calls_per_s", [COMPARE_MAX] = "max_s",
};

const char *changes_verdict(enum compare_verdict v)
{
	return *verdicts[v] ? verdicts[v] : NULL;
}

const char *changes_measure(enum compare_measure m)
{
	return measures[m];
}

static double row_weight(const struct compare_row *r)
{
	return isnan(r->cost) ? -(double)INFINITY : r->verdict == COMPARE_SAME ? 0 : r->cost;
}

static int row_by_cost(const void *a, const void *b, void *ctx)
{
	const struct compare *c = ctx;
	uint32_t ia = *(const uint32_t *)a, ib = *(const uint32_t *)b;
	double wa = row_weight(&c->rows[ia]), wb = row_weight(&c->rows[ib]);

	if (wa < wb || wa > wb)
		return wa < wb ? 1 : -1;
	return ia < ib ? -1 : ia > ib;
}

static void header_write(struct out *out)
{
	out_adds(out, "verdict,name,file");
	for (int m = 0; m < COMPARE_MEASURES; m++)
		out_addf(out, ",%s_then,%s_now,%s_noise,%s_verdict", measures[m], measures[m],
			 measures[m], measures[m]);
	out_adds(out, ",relevant\r\n");
}

/* "load per_call_s" */
static void relevant_write(struct out *out, unsigned relevant)
{
	const char *before = ",";

	if (!relevant)
		out_adds(out, before);
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		if (!(relevant >> m & 1))
			continue;
		out_addf(out, "%s%s", before, measures[m]);
		before = " ";
	}
}

static void row_write(struct out *out, const struct compare *c, const struct compare_row *r)
{
	const struct profile_function *f = compare_subject(c, r);

	out_addf(out, "%s,", verdicts[r->verdict]);
	out_csv(out, f->name);
	out_addc(out, ',');
	if (f->file)
		out_csv(out, f->file);
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		out_addc(out, ',');
		out_double(out, r->value[m].then);
		out_addc(out, ',');
		out_double(out, r->value[m].now);
		out_addc(out, ',');
		out_double(out, r->value[m].noise);
		out_addf(out, ",%s", verdicts[r->value[m].verdict]);
	}
	relevant_write(out, r->relevant);
	out_adds(out, "\r\n");
}

static int rows_write(const struct export_source *s, struct compare *c, struct out *out)
{
	uint32_t *order = mem_alloc((c->count + 1) * sizeof(*order));
	uint64_t limit = export_number(s, &export_limit), written = 0;

	if (!order)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < c->count; i++)
		order[i] = i;
	if (c->count)
		qsort_r(order, c->count, sizeof(*order), row_by_cost, c);
	header_write(out);
	for (size_t i = 0; i < c->count && !(limit && written == limit); i++) {
		if (!rows_match(compare_subject(c, &c->rows[order[i]]), s->order.filter))
			continue;
		row_write(out, c, &c->rows[order[i]]);
		written++;
	}
	mem_free(order);
	return 0;
}

int export_changes(const struct export_source *s, struct out *out, struct err *err)
{
	struct compare c = { .functions_alone = true };
	int ret;

	if (!s->baseline)
		return err_advise(err, ERR_USAGE, ADVICE_BASELINE, "changes: no baseline set");
	ret = compare_build(&c, s->baseline, s->profile, s->least);
	if (ret == 0)
		ret = rows_write(s, &c, out);
	compare_release(&c);
	return ret;
}
