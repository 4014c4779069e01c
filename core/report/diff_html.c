/* diff_html: the comparison as a page of its own: no scripts, no network, light and dark. */
#include "core/report/diff.h"

static const char *const html_escapes[] = { "&&amp;", "<&lt;", ">&gt;", "\"&quot;", NULL };

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";

static const char style[] =
	"</title>\n<style>\n"
	":root { color-scheme: light dark; --line: #8884; --worse: #c22; --better: #282; }\n"
	"@media (prefers-color-scheme: dark) { :root { --worse: #f77; --better: #7d7; } }\n"
	"body { font: 15px/1.4 system-ui, sans-serif; margin: 1em auto; max-width: 75em;\n"
	"  padding: 0 1em; }\n"
	"h1 { overflow-wrap: anywhere; }\n"
	"table { border-collapse: collapse; width: 100%; }\n"
	"th, td { border-bottom: 1px solid var(--line); padding: .25em .6em; text-align: right;\n"
	"  vertical-align: top; font-variant-numeric: tabular-nums; }\n"
	"th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }\n"
	"td:nth-child(2) { overflow-wrap: anywhere; }\n"
	"small { display: block; opacity: .8; }\n"
	"td:nth-child(n+3) { white-space: nowrap; }\n"
	"td.worse, td.new, span.worse { color: var(--worse); }\n"
	"td.better, td.gone, span.better { color: var(--better); }\n"
	"tr.same td { opacity: .6; }\n"
	"tr { break-inside: avoid; }\n@media print { body { font-size: 11px; } }\n"
	/* A phone: each function is a block, its figures two beside each other. */
	"@media screen and (max-width: 45em) {\n"
	"  thead { display: none; }\n"
	"  tr { display: grid; grid-template-columns: 1fr 1fr; padding: .4em 0;\n"
	"    border-bottom: 1px solid var(--line); }\n"
	"  td { border: 0; padding: .1em .3em; text-align: left; }\n"
	"  td:nth-child(2) { grid-column: 1 / 3; grid-row: 1; font-weight: bold; }\n"
	"  td:nth-child(2) small { font-weight: normal; }\n"
	"  td:nth-child(1) { grid-column: 1 / 3; }\n"
	"  td[data-of]::before { content: attr(data-of) \" \"; opacity: .7; }\n"
	"}\n"
	"</style>\n</head>\n<body>\n<h1>";

static const char *html_class(const struct compare_value *v)
{
	if (v->minor)
		return "minor";
	return v->verdict == COMPARE_WORSE || v->verdict == COMPARE_NEW ? "worse" : "better";
}

static void html_cell(struct out *out, const struct compare_row *r, enum compare_measure m)
{
	const struct compare_value *v = &r->value[m];
	char then[DIFF_CELL], now[DIFF_CELL], change[DIFF_CELL];

	diff_value(m, v->then, then);
	diff_value(m, v->now, now);
	diff_change(m, v, change);
	out_addf(out, "<td data-of=\"%s\">", diff_measures[m]);
	out_text(out, now, html_escapes);
	if (diff_moved(v, then, now)) {
		out_adds(out, *then ? "<small>was " : "<small>");
		out_text(out, then, html_escapes);
		out_addf(out, " <span class=\"%s\">%s</span></small>", html_class(v), change);
	}
	out_adds(out, "</td>");
}

static void html_row(const struct diff *d, struct out *out, const struct compare_row *r)
{
	const struct profile_function *f = compare_subject(&d->compare, r);
	const char *verdict = diff_verdict(r);

	out_addf(out, "<tr class=\"%s\"><td class=\"%s\">%s</td><td>", verdict, verdict, verdict);
	out_text(out, f->name, html_escapes);
	if (f->file) {
		out_adds(out, "<small>");
		out_text(out, f->file, html_escapes);
		if (f->line)
			out_addf(out, ":%u", f->line);
		out_adds(out, "</small>");
	}
	out_adds(out, "</td>");
	for (int m = 0; m < COMPARE_MEASURES; m++)
		html_cell(out, r, (enum compare_measure)m);
	out_adds(out, "</tr>\n");
}

static void html_names(const struct diff *d, struct out *out)
{
	out_text(out, d->then, html_escapes);
	out_adds(out, " \342\206\222 ");
	out_text(out, d->now, html_escapes);
}

void diff_html(const struct diff *d, struct out *out)
{
	out_adds(out, head);
	html_names(d, out);
	out_adds(out, style);
	html_names(d, out);
	out_adds(out, "</h1>\n<p>");
	diff_summary(d, "\342\206\222", out);
	out_adds(out, "</p>\n");
	if (d->count) {
		out_adds(out, "<table>\n<thead><tr><th></th><th>function</th>");
		for (int m = 0; m < COMPARE_MEASURES; m++)
			out_addf(out, "<th>%s</th>", diff_measures[m]);
		out_adds(out, "</tr></thead>\n<tbody>\n");
	}
	for (size_t i = 0; i < d->count && !out_failed(out); i++)
		html_row(d, out, &d->compare.rows[d->rows[i]]);
	if (d->count)
		out_adds(out, "</tbody>\n</table>\n");
	if (d->left_out)
		out_addf(out, "<p>%zu more</p>\n", d->left_out);
	out_adds(out, "</body>\n</html>\n");
}
