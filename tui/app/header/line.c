#include "tui/app/header/line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

enum {
	GAP = 2,
	TERSE = 4,		/* a name is cut down to so much, not further */
};

struct line_segment *line_add(struct line *l, int rank, const char *label, enum role role,
			      const char *fmt, ...)
{
	int at = l->count < LINE_SEGMENTS - 1 ? l->count++ : LINE_SEGMENTS - 1;
	struct line_segment *s = &l->segments[at];
	va_list ap;

	*s = (struct line_segment){ .rank = rank, .role = role };
	snprintf(s->label, sizeof(s->label), "%s", label);
	va_start(ap, fmt);
	vsnprintf(s->value, sizeof(s->value), fmt, ap);
	va_end(ap);
	return s;
}

static int segment_width(const struct line_segment *s)
{
	return (*s->label ? text_columns(s->label) + 1 : 0) + text_columns(s->value) - s->cut;
}

static int line_width(const struct line *l)
{
	int width = 0;

	for (int i = 0; i < l->count; i++)
		width += segment_width(&l->segments[i]) + (i ? GAP : 0);
	return width;
}

static void segment_drop(struct line *l, int segment)
{
	l->count--;
	memmove(&l->segments[segment], &l->segments[segment + 1],
		(size_t)(l->count - segment) * sizeof(l->segments[0]));
}

/* Leave out the least important; false: all that is left must be there. */
static bool segment_drop_least(struct line *l)
{
	int worst = 0;

	for (int i = 1; i < l->count; i++)
		if (l->segments[i].rank >= l->segments[worst].rank)
			worst = i;
	if (l->count == 0 || l->segments[worst].rank == 0)
		return false;
	segment_drop(l, worst);
	return true;
}

/* Segments that must stay and are too long: the first, which is a name, is cut. */
static void line_fit(struct line *l, int width)
{
	struct line_segment *name = &l->segments[0];
	int over, most;

	while (line_width(l) > width && segment_drop_least(l))
		;
	over = line_width(l) - width;
	most = l->count ? text_columns(name->value) - TERSE : 0;
	if (over > 0 && most > 0)
		name->cut = over < most ? over : most;
}

static int segment_draw(struct grid *g, int x, int y, const struct line_segment *s)
{
	int used = 0;

	if (*s->label)
		used = grid_textf(g, x, y, -1, ROLE_LABEL, "%s ", s->label);
	return used + grid_text(g, x + used, y, segment_width(s) - used, s->role, s->value);
}

void line_draw(struct grid *g, int y, struct line *l)
{
	int x = 0, right = g->width;

	line_fit(l, g->width);
	grid_fill(g, 0, y, -1, ROLE_HEADER, ' ');
	for (int i = 0; i < l->count; i++) {
		const struct line_segment *s = &l->segments[i];

		if (s->right) {
			right -= segment_width(s);
			segment_draw(g, right, y, s);
			right -= GAP;
		} else {
			x += segment_draw(g, x, y, s) + GAP;
		}
	}
}
