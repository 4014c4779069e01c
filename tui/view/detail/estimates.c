/* estimates: calls from PC samples, with the interval that they are in 95 times of 100. */
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/profile/look/estimate.h"
#include "tui/view/detail/scene.h"

static const struct { enum column_id column; enum estimate_kind kind; } rows[] = {
	{ COLUMN_RAN, ESTIMATE_CALLS }, { COLUMN_RAN_RATE, ESTIMATE_RATE },
	{ COLUMN_RAN_SELF, ESTIMATE_SELF },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]), VALUE_X = 12, INTERVAL_X = 24 };

int scene_estimate_lines(const struct scene *c, int width)
{
	(void)width;
	return c->f->ran.calls > 0 ? 1 + ROWS : 0;
}

static const char *bound_text(enum estimate_kind kind, double value, char *dst, size_t size)
{
	if (isnan(value))
		snprintf(dst, size, "?");
	else if (kind == ESTIMATE_SELF)
		text_seconds(dst, size, value);
	else
		text_count(dst, size, value);
	return dst;
}

void scene_estimates(const struct scene *c, struct grid *g)
{
	struct column_data data = { c->p, c->s->model.contexts };
	char text[COLUMN_TEXT], low[24], high[24];

	scene_heading(g, g->width > 40 ? "FROM SAMPLES   95 %% within" : "FROM SAMPLES");
	for (int i = 0; i < ROWS && 1 + i < g->height; i++) {
		const struct column *column = &columns[rows[i].column];
		struct estimate e = estimate_of(c->p, c->f, rows[i].kind);

		column->format(&data, c->f, text, sizeof(text));
		grid_text(g, 1, 1 + i, VALUE_X - 2, ROLE_LABEL, column->header);
		grid_text(g, VALUE_X, 1 + i, -1, ROLE_VALUE, text);
		if (*text)
			grid_textf(g, INTERVAL_X - 3, 1 + i, -1, ROLE_LABEL, "%s to %s",
				   bound_text(rows[i].kind, e.low, low, sizeof(low)),
				   bound_text(rows[i].kind, e.high, high, sizeof(high)));
	}
}
