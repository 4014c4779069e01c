/*
 * A report as one HTML page: needs no network and, for the table, no script. Its script sorts and
 * filters the table and shows a function's callers, callees and durations; the flame graph is
 * flamegraph.c's.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/json_out.h"
#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/export/metric.h"

static const char script[] =
#include "embedded/report.js.inc"
;
static const char style[] =
#include "embedded/report.css.inc"
;

static const char *const escapes[] = { "&&amp;", "<&lt;", ">&gt;", "\"&quot;", NULL };

struct page {
	const struct export_source *s;
	const struct profile *p;
	struct rows rows;
	unsigned shown;			/* 1 << index of those of `metrics` that have a column */
	struct out *out;
};

static void text_write(struct page *h, const char *text)
{
	out_text(h->out, text, escapes);
}

/* --- above the table -------------------------------------------------------------------------- */

static void fact_write(struct page *h, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	out_addf(h->out, " \302\267 %s ", name);
	text_write(h, value);
}

static void remark_write(struct page *h, const char *note)
{
	out_adds(h->out, "<li>");
	text_write(h, note);
	out_adds(h->out, "</li>\n");
}

static void notes_write(struct page *h)
{
	const struct export_source *s = h->s;
	char line[200];

	out_adds(h->out, "<ul class=\"notes\">\n");
	if (profile_estimated(h->p))
		remark_write(h, "Times are estimates: the profiler's own cost is subtracted.");
	if (h->p->terms.incomplete)
		remark_write(h, "The newest report was cut short: calls may be missing.");
	if (s->refused)
		remark_write(h, "Names are addresses: the ELF is not the firmware that runs.");
	if (s->window)
		remark_write(h, s->window);
	if (s->stream.lost || s->stream.bad_bytes) {
		snprintf(line, sizeof(line), "%" PRIu64 " packets lost, %" PRIu64 " bad bytes.",
			 s->stream.lost, s->stream.bad_bytes);
		remark_write(h, line);
	}
	for (const struct loss *l = losses; s->status && l->name; l++) {
		if (!loss_count(l, s->status))
			continue;
		loss_say(l, s->status, line, sizeof(line));
		remark_write(h, line);
	}
	out_adds(h->out, "</ul>\n");
}

static void head_write(struct page *h)
{
	const struct export_source *s = h->s;
	const struct profile_totals *t = &h->p->totals;
	char text[40];

	out_adds(h->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<title>");
	text_write(h, s->node);
	out_adds(h->out, " - wsntop</title>\n<style>\n");
	out_adds(h->out, style);
	out_adds(h->out, "</style>\n</head>\n<body>\n<h1>");
	text_write(h, s->node);
	out_adds(h->out, "</h1>\n<p class=\"facts\">wsntop");
	fact_write(h, "format", s->format);
	if (s->image)
		fact_write(h, "image", text_basename(image_path(s->image)));
	fact_write(h, "image matches:", s->image ? s->image_match : NULL);
	if (t->run_s > 0)
		fact_write(h, "profiled", text_seconds(text, sizeof(text), t->run_s));
	snprintf(text, sizeof(text), "%" PRIu64, t->calls);
	fact_write(h, "calls", t->calls ? text : NULL);
	snprintf(text, sizeof(text), "%" PRIu64, t->samples);
	fact_write(h, "samples", t->samples ? text : NULL);
	out_adds(h->out, "</p>\n");
	notes_write(h);
}

/* --- the table -------------------------------------------------------------------------------- */

/* `value` to sort by; NaN sorts last and is a dash. */
static void cell_write(struct page *h, double value, const char *shown)
{
	out_adds(h->out, "<td data-v=\"");
	out_double(h->out, value);
	out_addf(h->out, "\">%s</td>", isnan(value) ? "-" : shown);
}

static void metric_cell(struct page *h, const struct metric *m, double value)
{
	char text[32] = "";

	if (m->unit == METRIC_COUNT && value >= 0 && value < 0x1p64)
		snprintf(text, sizeof(text), "%s", TEXT_WHOLE((uint64_t)value));
	else if (m->unit == METRIC_JOULES)
		snprintf(text, sizeof(text), "%.3g mJ", 1e3 * value);
	else if (m->unit == METRIC_SECONDS && !isnan(value))
		text_seconds(text, sizeof(text), value);
	cell_write(h, value, text);
}

static void share_cell(struct page *h, double self)
{
	double share = h->p->totals.shares_s > 0 ? 100 * self / h->p->totals.shares_s : (double)NAN;
	char text[128];

	snprintf(text, sizeof(text), "%.1f<span class=\"track\"><span class=\"bar\" "
		 "style=\"width:%.0fpx\"></span></span>", share,
		 share > 0 ? fmin(share, 100) * 0.8 : 0);
	cell_write(h, share, text);
}

static void name_cell(struct page *h, const struct profile_function *f)
{
	out_adds(h->out, "<td class=\"name\" title=\"");
	text_write(h, f->name);
	out_adds(h->out, "\">");
	text_write(h, f->name);
	out_adds(h->out, "</td>");
}

static void place_cell(struct page *h, const struct profile_function *f)
{
	out_adds(h->out, "<td class=\"text\">");
	text_write(h, f->file);
	if (f->file && f->line)
		out_addf(h->out, ":%" PRIu32, f->line);
	out_adds(h->out, "</td>");
}

/* What the filter looks into: in small letters. */
static void words_write(struct page *h, const struct profile_function *f)
{
	char words[1024];
	size_t n;

	snprintf(words, sizeof(words), "%s %s", f->name, f->file ? f->file : "");
	n = strlen(words);
	for (size_t i = 0; i < n; i++)
		if (words[i] >= 'A' && words[i] <= 'Z')
			words[i] += 'a' - 'A';
	text_write(h, words);
}

static void row_put(struct page *h, uint32_t index)
{
	const struct profile_function *f = &h->p->functions[index];

	out_addf(h->out, "<tr data-i=\"%" PRIu32 "\" data-s=\"", index);
	words_write(h, f);
	out_adds(h->out, "\">");
	name_cell(h, f);
	share_cell(h, metrics->value(h->p, f));		/* the first is its own time */
	for (size_t i = 0; metrics[i].title; i++)
		if (h->shown >> i & 1)
			metric_cell(h, &metrics[i], metrics[i].value(h->p, f));
	place_cell(h, f);
	out_adds(h->out, "</tr>\n");
}

static bool metric_is_known(const struct profile *p, const struct metric *m)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (!isnan(m->value(p, &p->functions[i])))
			return true;
	return false;
}

static void table_write(struct page *h)
{
	out_adds(h->out, "<h2>Functions</h2>\n<input id=\"find\" type=\"search\" "
		 "placeholder=\"Filter by name or file\" aria-label=\"Filter\"> <span id=\"shown\" "
		 "class=\"facts\"></span>\n<div class=\"list\"><table id=\"functions\">\n"
		 "<thead><tr><th class=\"text\">Function</th><th aria-sort=\"descending\">Self %"
		 "</th>");
	for (unsigned i = 0; metrics[i].title; i++) {
		if (metrics[i].rare && !metric_is_known(h->p, &metrics[i]))
			continue;
		h->shown |= 1u << i;
		out_addf(h->out, "<th>%s</th>", metrics[i].title);
	}
	out_adds(h->out, "<th class=\"text\">File</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < h->rows.count && !out_failed(h->out); i++)
		row_put(h, h->rows.items[i]);
	out_adds(h->out, "</tbody></table></div>\n");
}

/* --- the selected function -------------------------------------------------------------------- */

static void detail_write(struct page *h)
{
	static const char *const tables[][2] = {
		{ "callers", "Callers" }, { "callees", "Callees" },
	};

	out_adds(h->out, "<section id=\"detail\" hidden>\n<h2 id=\"name\">Function</h2>\n"
		 "<div class=\"two\">\n");
	for (size_t i = 0; i < 2; i++)
		out_addf(h->out, "<div class=\"wide\"><table id=\"%s\"><thead><tr><th "
			 "class=\"text\">%s</th><th>Calls</th><th>Total</th><th>Per call</th></tr>"
			 "</thead><tbody></tbody></table></div>\n", tables[i][0], tables[i][1]);
	out_adds(h->out, "</div>\n<h2>Durations of its calls</h2>\n<div id=\"durations\" "
		 "class=\"histogram\"></div>\n</section>\n");
}

/* --- what the script reads -------------------------------------------------------------------- */

static void function_list(struct json_out *j, const struct profile *p, uint32_t index)
{
	const struct profile_function *f = &p->functions[index];
	struct profile_buckets buckets;

	json_begin_array(j, NULL);
	json_text(j, NULL, f->name);
	json_text(j, NULL, f->file ? f->file : "");
	json_count(j, NULL, true, f->line);
	export_histogram(j, NULL, p, profile_function_buckets(p, index, &buckets) ? &buckets :
									       NULL);
	json_end_array(j);
}

static void edge_list(struct json_out *j, const struct profile *p, const struct profile_edge *e)
{
	json_begin_array(j, NULL);
	json_count(j, NULL, e->from != PROFILE_NONE, e->from);
	json_count(j, NULL, true, e->to);
	json_count(j, NULL, true, e->calls);
	json_number(j, NULL, export_edge_seconds(p, e));
	json_end_array(j);
}

static void data_write(struct page *h)
{
	struct json_out j = { .out = h->out, .script = true };

	out_adds(h->out, "<script type=\"application/json\" id=\"data\">\n");
	json_begin_object(&j, NULL);
	json_begin_array(&j, "functions");
	for (uint32_t i = 0; i < h->p->function_count && !out_failed(h->out); i++)
		function_list(&j, h->p, i);
	json_end_array(&j);
	json_begin_array(&j, "edges");
	for (size_t i = 0; i < h->p->edge_count && !out_failed(h->out); i++)
		edge_list(&j, h->p, &h->p->edges[i]);
	json_end_array(&j);
	json_end_object(&j);
	out_adds(h->out, "\n</script>\n<script>\n");
	out_adds(h->out, script);
	out_adds(h->out, "</script>\n</body>\n</html>\n");
}

int export_html(const struct export_source *s, struct out *out, struct err *err)
{
	struct page h = { .s = s, .p = s->profile, .out = out };
	int ret = export_rows(s, &h.rows);

	(void)err;
	if (ret < 0)
		return ret;
	head_write(&h);
	table_write(&h);
	detail_write(&h);
	out_adds(out, "<h2>Flame graph</h2>\n<div class=\"wide\">\n");
	ret = flamegraph_write(s, out);
	out_adds(out, "</div>\n");
	data_write(&h);
	rows_release(&h.rows);
	return ret;
}
