#include "core/report/table.h"

#include <stdio.h>

#include "core/base/text.h"
#include "core/profile/look/context.h"
#include "core/profile/look/rows.h"

static const enum column_id table_columns[] = {
	COLUMN_SELF_PERCENT, COLUMN_SELF, COLUMN_TOTAL, COLUMN_CALLS, COLUMN_SAMPLES,
	COLUMN_PER_CALL, COLUMN_MAX, COLUMN_ENERGY, COLUMN_STACK_MAX,
};

enum { TABLE_COLUMNS = sizeof(table_columns) / sizeof(table_columns[0]) };

struct table {
	const struct export_source *s;
	struct column_data data;
	struct rows rows;
	size_t count;			/* of the rows that are written */
	int widths[TABLE_COLUMNS];	/* 0: nothing of it is known */
};

static const struct profile_function *table_function(const struct table *t, size_t row)
{
	return &t->s->profile->functions[t->rows.items[row]];
}

/* Those that are measured, up to the limit; how many are not written. */
static size_t table_choose(struct table *t, uint64_t limit)
{
	size_t measured = 0;

	for (size_t i = 0; i < t->rows.count; i++) {
		if (!profile_measured(table_function(t, i)))
			continue;
		if (!limit || measured < limit)
			t->rows.items[t->count++] = t->rows.items[i];
		measured++;
	}
	return measured - t->count;
}

static void widths_choose(struct table *t)
{
	char text[COLUMN_TEXT];

	for (size_t c = 0; c < TABLE_COLUMNS; c++) {
		const struct column *column = &columns[table_columns[c]];

		for (size_t i = 0; i < t->count; i++) {
			int width;

			column->format(&t->data, table_function(t, i), text, sizeof(text));
			width = text_columns(text);
			if (width > t->widths[c])
				t->widths[c] = width;
		}
		if (t->widths[c] && t->widths[c] < text_columns(column->header))
			t->widths[c] = text_columns(column->header);
	}
}

static void column_write(const struct table *t, size_t column, const char *text,
			 struct out *out)
{
	if (t->widths[column])
		out_addf(out, "%*s%s  ", t->widths[column] - text_columns(text), "", text);
}

static void function_row_write(const struct table *t, const struct profile_function *f,
			       struct out *out)
{
	char text[COLUMN_TEXT];

	for (size_t c = 0; c < TABLE_COLUMNS; c++) {
		columns[table_columns[c]].format(&t->data, f, text, sizeof(text));
		column_write(t, c, text, out);
	}
	out_text(out, f->name, NULL);
	columns[COLUMN_FILE].format(&t->data, f, text, sizeof(text));
	if (*text) {
		out_adds(out, "  ");
		out_text(out, text, NULL);
	}
	out_addc(out, '\n');
}

int table_write(const struct export_source *s, uint64_t limit, struct out *out)
{
	struct contexts contexts = { 0 };
	struct table t = { .s = s };
	int ret = contexts_build(&contexts, s->profile, s->profile->image);
	struct rows_order order = s->order;
	size_t left_out;

	t.data = (struct column_data){ s->profile, &contexts };
	order.contexts = &contexts;
	rows_init(&t.rows);
	if (ret == 0)
		ret = rows_sort(&t.rows, s->profile, &order);
	if (ret == 0) {
		left_out = table_choose(&t, limit);
		widths_choose(&t);
		for (size_t c = 0; c < TABLE_COLUMNS && t.count; c++)
			column_write(&t, c, columns[table_columns[c]].header, out);
		out_adds(out, t.count ? "FUNCTION\n" : "no function was measured\n");
		for (size_t i = 0; i < t.count && !out_failed(out); i++)
			function_row_write(&t, table_function(&t, i), out);
		if (left_out)
			out_addf(out, "%zu more\n", left_out);
	}
	rows_release(&t.rows);
	contexts_release(&contexts);
	return ret;
}
