/*
 * draw: the detail from the top down: name, place, figures; then the parts of estimates.c, edges.c
 * and times.c.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/part/board.h"
#include "tui/part/traced.h"
#include "tui/view/detail/scene.h"
#include "tui/view/histogram/latched.h"

enum { NAME_LINES = 4 };

void scene_heading(struct grid *g, const char *fmt, ...)
{
	char text[96];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	grid_fill(g, 0, 0, -1, ROLE_TITLE, ' ');
	grid_text(g, 1, 0, -1, ROLE_TITLE, text);
}

/* --- name and place -------------------------------------------------------------------------- */

static int name_lines(const struct scene *c, int width)
{
	int lines = board_words(NULL, 0, 0, width, ROLE_TITLE, c->f->name);

	return lines < NAME_LINES ? lines : NAME_LINES;
}

static void name_draw(const struct scene *c, struct grid *g)
{
	enum role role = c->focus ? ROLE_TAB_ACTIVE : ROLE_TITLE_SORTED;

	for (int y = 0; y < g->height; y++)
		grid_fill(g, 0, y, -1, role, ' ');
	board_words(g, 1, 0, g->width - 2, role, c->f->name);
}

static bool has_place(const struct scene *c)
{
	return c->f->file || c->f->flags & ROW_HANDLER;
}

static void place_draw(const struct scene *c, struct grid *g)
{
	const char *isr = c->f->flags & ROW_HANDLER ? "ISR" : "";
	int x = 1;

	if (c->f->file && c->f->line)
		x += grid_textf(g, x, 0, g->width - 6, ROLE_LABEL, "%s:%" PRIu32, c->f->file,
				c->f->line) + 2;
	else if (c->f->file)
		x += grid_text(g, x, 0, g->width - 6, ROLE_LABEL, c->f->file) + 2;
	grid_text(g, x, 0, -1, ROLE_LABEL, isr);
}

/* --- figures --------------------------------------------------------------------------------- */

static const enum column_id figures[] = {
	COLUMN_SELF, COLUMN_SELF_PERCENT, COLUMN_TOTAL, COLUMN_LOAD, COLUMN_CALLS, COLUMN_RATE,
	COLUMN_PER_CALL, COLUMN_SAMPLES, COLUMN_CONTEXT, COLUMN_STACK, COLUMN_STACK_MAX,
	COLUMN_STACK_USE, COLUMN_FRAME,
};

enum { FIGURES = sizeof(figures) / sizeof(figures[0]), FIGURE_WIDTH = 20 };

static bool figure_text(const struct scene *c, size_t i, char *dst, size_t size)
{
	struct column_data data = { c->p, c->s->model.contexts };

	columns[figures[i]].format(&data, c->f, dst, size);
	return *dst;
}

static int figures_across(int width)
{
	int n = (width - 1) / FIGURE_WIDTH;

	return n < 1 ? 1 : n < 4 ? n : 4;
}

static int figure_lines(const struct scene *c, int width)
{
	int n = 0, across = figures_across(width);
	char text[COLUMN_TEXT];

	for (size_t i = 0; i < FIGURES; i++)
		n += figure_text(c, i, text, sizeof(text));
	return (n + across - 1) / across;
}

static void figures_draw(const struct scene *c, struct grid *g)
{
	int n = 0, across = figures_across(g->width), width = (g->width - 1) / across;
	char text[COLUMN_TEXT];

	for (size_t i = 0; i < FIGURES; i++) {
		int x = 1 + n % across * width, y = n / across;

		if (!figure_text(c, i, text, sizeof(text)))
			continue;
		grid_text(g, x, y, 9, ROLE_LABEL, columns[figures[i]].header);
		grid_right(g, x + 9, y, width - 11, ROLE_VALUE, text);
		n++;
	}
}

/* --- all of it ------------------------------------------------------------------------------- */

static int place_lines(const struct scene *c, int width)
{
	(void)width;
	return has_place(c);
}

/* From the top down; `least`: lines below which a part is left out. */
static const struct part {
	int (*lines)(const struct scene *c, int width);
	void (*draw)(const struct scene *c, struct grid *g);
	int least;
	bool heading;
} parts[] = {
	{ name_lines, name_draw, 1, false },
	{ place_lines, place_draw, 1, false },
	{ figure_lines, figures_draw, 2, false },
	{ scene_estimate_lines, scene_estimates, 2, true },
	{ scene_caller_lines, scene_callers, 3, true },
	{ scene_callee_lines, scene_callees, 4, true },
	{ scene_duration_lines, scene_durations, 3, true },
	{ scene_worst_lines, scene_worst, 3, true },
	{ scene_hot_lines, scene_hot, 3, true },
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

/*
 * Each gets its least, the first ones first; then what it can use. True: there is room for a blank
 * line before each heading.
 */
static bool parts_lay_out(const struct scene *c, const struct grid *g, int got[PARTS])
{
	int room = g->height, wants[PARTS], headings = 0;

	for (size_t i = 0; i < PARTS; i++) {
		int least = parts[i].least;

		wants[i] = parts[i].lines(c, g->width);
		least = least < wants[i] ? least : wants[i];
		got[i] = least <= room ? least : 0;
		room -= got[i];
	}
	for (size_t i = 0; i < PARTS; i++) {
		int more = got[i] ? wants[i] - got[i] : 0;

		more = more < room ? more : room;
		got[i] += more;
		room -= more;
		headings += parts[i].heading && got[i];
	}
	return room >= headings;
}

void detail_draw(struct detail *d, struct view *v, const struct view_shared *s,
		 struct grid *g, bool focus)
{
	struct scene c = { .d = d, .s = s, .p = s->model.profile, .focus = focus,
			   .y = g->y };
	int got[PARTS], y = 0;
	bool loose;

	detail_update(d, v, s);
	d->caller_lines = d->callee_lines = 0;
	d->longest_lines = 0;
	if (d->function == PROFILE_NONE)
		return;
	c.f = &c.p->functions[d->function];
	d->line = duration_of_function(c.p, d->function);
	c.worst = latched_of(s, d->function, PROFILE_NONE);
	c.traced = traced_longest(s, &c.longest);
	scene_hot_find(&c);
	loose = parts_lay_out(&c, g, got);
	naming_begin(&d->naming, g->naming ? g->naming->names.scope : "", 0);
	g->naming = &d->naming;
	for (size_t i = 0; i < PARTS; i++) {
		struct grid part;

		if (!got[i])
			continue;
		y += loose && parts[i].heading;
		part = grid_sub(g, 0, y, g->width, got[i]);
		parts[i].draw(&c, &part);
		if (parts[i].draw == scene_worst && c.traced) {
			d->longest_y = y;
			d->longest_lines = got[i];
		}
		y += got[i];
	}
	naming_end(&d->naming);
}
