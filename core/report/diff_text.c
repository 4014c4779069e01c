/* diff_text: the comparison as text and as Markdown. */
#include <stdio.h>
#include <string.h>

#include "core/report/diff.h"

enum { CELL = 27, UNFOLDED = 5 };

/* --- text ------------------------------------------------------------------------------------- */

/* A cell of `CELL` columns: "7.25 us -> 10.0 us  +37.9 %". */
static void text_cell(struct out *out, const struct compare_row *r, enum compare_measure m)
{
	const struct compare_value *v = &r->value[m];
	char then[DIFF_CELL], now[DIFF_CELL], change[DIFF_CELL], cell[4 * DIFF_CELL];

	diff_value(m, v->then, then);
	diff_value(m, v->now, now);
	diff_change(m, v, change);
	if (*then && *now && !diff_moved(v, then, now))
		snprintf(cell, sizeof(cell), "%s", now);
	else if (*then && *now)
		snprintf(cell, sizeof(cell), "%s -> %s %s", then, now,
			 strlen(then) + strlen(now) + strlen(change) + 5 <= CELL ? change : "");
	else
		snprintf(cell, sizeof(cell), "%s%s%s", then, now, *then && !*now ? " ->" : "");
	out_addf(out, "%-*s ", CELL, cell);
}

static void text_row(const struct diff *d, struct out *out, const struct compare_row *r)
{
	const struct profile_function *f = compare_subject(&d->compare, r);

	out_addf(out, "%-7s", diff_verdict(r));
	for (int m = 0; m < COMPARE_MAX; m++)
		text_cell(out, r, (enum compare_measure)m);
	out_text(out, f->name, NULL);
	if (f->file) {
		out_adds(out, "  ");
		out_text(out, f->file, NULL);
		if (f->line)
			out_addf(out, ":%u", f->line);
	}
	out_addc(out, '\n');
}

void diff_text(const struct diff *d, struct out *out)
{
	out_text(out, d->then, NULL);
	out_adds(out, " -> ");
	out_text(out, d->now, NULL);
	out_adds(out, ": ");
	diff_summary(d, "->", out);
	out_addc(out, '\n');
	if (d->count) {
		out_addf(out, "\n%-7s", "");
		for (int m = 0; m < COMPARE_MAX; m++)
			out_addf(out, "%-*s ", CELL, diff_measures[m]);
		out_adds(out, "function\n");
	}
	for (size_t i = 0; i < d->count && !out_failed(out); i++)
		text_row(d, out, &d->compare.rows[d->rows[i]]);
	if (d->left_out)
		out_addf(out, "%zu more\n", d->left_out);
}

/* --- Markdown --------------------------------------------------------------------------------- */

/* Nothing of a name is taken for mark-up (CommonMark 2.4; | ends a cell of GitHub's tables). */
static const char *const markdown_escapes[] = {
	"\\\\\\", "`\\`", "*\\*", "_\\_", "{\\{", "}\\}", "[\\[", "]\\]", "<\\<", ">\\>", "#\\#",
	"|\\|", "~\\~", "&\\&", "!\\!", "@@\342\200\213", NULL,
};

static void markdown_cell(struct out *out, const struct compare_row *r, enum compare_measure m)
{
	const struct compare_value *v = &r->value[m];
	char then[DIFF_CELL], now[DIFF_CELL], change[DIFF_CELL];
	bool bold = r->relevant >> m & 1;

	diff_value(m, v->then, then);
	diff_value(m, v->now, now);
	diff_change(m, v, change);
	if (!diff_moved(v, then, now) || !*then || !*now)
		out_addf(out, " %s%s |", *now ? now : then,
			 *then && !*now ? " \342\206\222" : "");
	else
		out_addf(out, " %s \342\206\222 %s %s%s%s |", then, now, bold ? "**" : "", change,
			 bold ? "**" : "");
}

static void markdown_row(const struct diff *d, struct out *out, const struct compare_row *r)
{
	const struct profile_function *f = compare_subject(&d->compare, r);

	out_addf(out, "| %s | ", diff_verdict(r));
	out_text(out, f->name, markdown_escapes);
	out_adds(out, " |");
	for (int m = 0; m < COMPARE_MEASURES; m++)
		markdown_cell(out, r, (enum compare_measure)m);
	out_addc(out, ' ');
	if (f->file) {
		out_text(out, f->file, markdown_escapes);
		if (f->line)
			out_addf(out, ":%u", f->line);
	}
	out_adds(out, " |\n");
}

static void markdown_rows(const struct diff *d, struct out *out, size_t from, size_t to)
{
	if (from == to)
		return;
	out_adds(out, "\n| | function |");
	for (int m = 0; m < COMPARE_MEASURES; m++)
		out_addf(out, " %s |", diff_measures[m]);
	out_adds(out, " source |\n|---|---|---:|---:|---:|---:|---|\n");
	for (size_t i = from; i < to && !out_failed(out); i++)
		markdown_row(d, out, &d->compare.rows[d->rows[i]]);
}

/* A merge request's comment is short: what is behind the first rows is folded. */
void diff_markdown(const struct diff *d, struct out *out)
{
	size_t first = d->count > UNFOLDED + 1 ? UNFOLDED : d->count;

	out_adds(out, "**");
	out_text(out, d->then, markdown_escapes);
	out_adds(out, " \342\206\222 ");
	out_text(out, d->now, markdown_escapes);
	out_adds(out, "**: ");
	diff_summary(d, "\342\206\222", out);
	out_addc(out, '\n');
	markdown_rows(d, out, 0, first);
	if (first < d->count) {
		/* The blank lines make a table of what is inside (CommonMark 4.6). */
		out_addf(out, "\n<details><summary>%zu more functions</summary>\n",
			 d->count - first);
		markdown_rows(d, out, first, d->count);
		out_adds(out, "\n</details>\n");
	}
	if (d->left_out)
		out_addf(out, "\n%zu not shown\n", d->left_out);
}
