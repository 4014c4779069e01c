#include "tui/part/skyline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/rows.h"
#include "tui/part/axis.h"

enum { WIDEST = 512 };		/* columns of a label line */

void skyline_marks(const struct profile *p, const struct duration *d,
		   struct skyline_mark marks[SKYLINE_MARKS])
{
	const struct skyline_mark average = { "average", "●", "o", d->average, false, false };
	size_t n = 5;

	marks[0] = (struct skyline_mark){ "min", "├", "|", d->min, false, d->min_at_least };
	marks[1] = (struct skyline_mark){ "P50", "○", "5", duration_percentile(p, d, 0.50),
					  true, false };
	marks[2] = (struct skyline_mark){ "P90", "◇", "9", duration_percentile(p, d, 0.90),
					  true, false };
	marks[3] = (struct skyline_mark){ "P99", "◆", "@", duration_percentile(p, d, 0.99),
					  true, false };
	marks[4] = (struct skyline_mark){ "max", "┤", "|", d->max, false, d->at_least };
	/* All others are in order as they stand. */
	while (n > 0 && !(marks[n - 1].seconds <= d->average)) {
		marks[n] = marks[n - 1];
		n--;
	}
	marks[n] = average;
}

const char *skyline_mark_text(const struct profile *p, const struct skyline_mark *m, char *dst,
			      size_t size)
{
	if (m->estimate)
		column_percentile(p, m->seconds, dst, size);
	else
		column_call_time(p, m->seconds, m->at_least, dst, size);
	return dst;
}

/* Columns that labels have taken. */
struct label_line {
	bool taken[WIDEST];
	int y;
};

static bool label_fits(const struct label_line *l, int x, int length, int width)
{
	if (x < 0 || x + length > width || x + length > WIDEST)
		return false;
	for (int i = x > 0 ? x - 1 : 0; i < x + length + 1 && i < WIDEST; i++) {
		if (l->taken[i])
			return false;
	}
	return true;
}

/* Under its mark, or moved as far as the edge demands. False: no room. */
static bool label_draw(struct grid *g, struct label_line *l, int column, const char *text)
{
	int length = text_columns(text), x = column - length / 2;

	x = x + length > g->width ? g->width - length : x;
	x = x < 0 ? 0 : x;
	if (!label_fits(l, x, length, g->width))
		return false;
	for (int i = x; i < x + length; i++)
		l->taken[i] = true;
	grid_text(g, x, l->y, length, ROLE_LABEL, text);
	return true;
}

static void draw_label(struct grid *g, struct label_line lines[2], const struct profile *p,
		       int column, const struct skyline_mark *m)
{
	char value[24], text[40];

	snprintf(text, sizeof(text), "%s %s", m->name,
		 skyline_mark_text(p, m, value, sizeof(value)));
	if (!label_draw(g, &lines[0], column, text) && !label_draw(g, &lines[1], column, text) &&
	    !label_draw(g, &lines[0], column, m->name))
		label_draw(g, &lines[1], column, m->name);
}

/* On the axis, and its name below; where there is no room for all, what is most asked for. */
static void draw_axis_marks(struct grid *g, const struct axis *a, int y, const struct profile *p,
		       const struct skyline_mark marks[SKYLINE_MARKS])
{
	static const char *const order[] = { "P99", "max", "P50", "average", "min", "P90" };
	struct label_line lines[2] = { { .y = y + 1 }, { .y = y + 2 } };

	axis_draw_grid(a, g, y);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		for (size_t k = 0; k < SKYLINE_MARKS; k++) {
			const struct skyline_mark *m = &marks[k];
			int at = axis_column(a, m->seconds);

			if (strcmp(m->name, order[i]) || isnan(m->seconds))
				continue;
			at = at < 0 ? 0 : at >= a->width ? a->width - 1 : at;
			grid_text(g, a->x + at, y, 1, ROLE_VALUE, g->utf8 ? m->utf8 : m->ascii);
			draw_label(g, lines, p, a->x + at, m);
		}
	}
}

void skyline_draw(struct grid *g, const struct profile *p, const struct duration *d)
{
	struct durations one = { .items = (struct duration *)(uintptr_t)d, .count = 1,
				 .profile = p };
	int lines = (g->height < SKYLINE_MOST ? g->height : SKYLINE_MOST) - 4;
	struct skyline_mark marks[SKYLINE_MARKS];
	struct axis a = { .x = 1, .width = g->width - 2 };

	durations_fit(&one);
	a.low = one.low;
	a.high = one.high;
	if (lines < 1 || a.width < 20 || a.high <= a.low)
		return;
	axis_draw_skyline(&a, g, 0, lines, p, d);
	skyline_marks(p, d, marks);
	draw_axis_marks(g, &a, lines, p, marks);
	axis_draw_scale(&a, g, lines + 3);
}
