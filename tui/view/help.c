/*
 * help: the view one came from, then every key, from the table of actions.
 *
 * The lines are made anew when drawn: there are few, and they follow the width.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/wire/wsn.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

#define KEY_COLUMN 22

struct help {
	struct view view;
	struct list list;		/* top and count; it has no cursor to be seen */
};

/* A place to draw lines at, or just to count them (grid NULL). */
struct page {
	struct grid *g;
	size_t top, line;
};

/* The next line's y, or -1 when it is not on the screen. */
static int next_line(struct page *p)
{
	size_t line = p->line++;

	if (!p->g || line < p->top || line - p->top >= (size_t)p->g->height)
		return -1;
	return (int)(line - p->top);
}

static void heading(struct page *p, const char *text)
{
	int y;

	if (p->line)
		next_line(p);
	y = next_line(p);
	if (y >= 0) {
		grid_fill(p->g, 0, y, -1, ROLE_TITLE, ' ');
		grid_text(p->g, 0, y, -1, ROLE_TITLE, text);
	}
}

#define READABLE 90		/* longer lines tire */

/* The bytes of text that make a line of `width` columns (the text is ASCII): broken at a blank. */
static size_t line_length(const char *text, size_t width)
{
	size_t n = strlen(text), end = width;

	if (n <= width)
		return n;
	while (end > 0 && text[end] != ' ')
		end--;
	return end ? end : width;
}

static void paragraph(struct page *p, const char *text, int width)
{
	size_t room = width < 10 ? 10 : width > READABLE ? READABLE : (size_t)width;

	while (*text) {
		size_t n = line_length(text, room);
		int y = next_line(p);

		if (y >= 0)
			grid_textf(p->g, 1, y, -1, ROLE_DEFAULT, "%.*s", (int)n, text);
		text += n;
		text += *text == ' ';
	}
}

static void keys_text(const struct action_row *r, char *dst, size_t size)
{
	size_t used = 0;

	dst[0] = '\0';
	for (int i = 0; i < ACTION_KEYS && r->keys[i] && used + 1 < size; i++) {
		char name[16];

		used += (size_t)snprintf(dst + used, size - used, "%s%s", i ? " " : "",
					 key_text(r->keys[i], name, sizeof(name)));
	}
}

static void action_line(struct page *p, const struct action_row *r)
{
	int y = next_line(p), column;
	char keys[80];

	if (y < 0)
		return;
	column = p->g->width < 60 ? KEY_COLUMN / 2 + 4 : KEY_COLUMN;
	keys_text(r, keys, sizeof(keys));
	grid_text(p->g, 1, y, column - 1, ROLE_KEY, keys);
	grid_text(p->g, column + 1, y, -1, ROLE_DEFAULT, r->help);
}

/* Only where calls are timed there is a cost in times, and an uncertainty of them. */
static int said_clock(const struct wire_hello *hello, char *dst, size_t size)
{
	double tps = hello->ticks_per_second;
	char cost[16], spread[16];

	if (!(hello->features & WSN_F_TIMED))
		return snprintf(dst, size, "It counts calls, and times none.");
	return snprintf(dst, size, "Its clock ticks %.0f times a second. Profiling costs %s a call, which %s "
			"in the times; each time +- %s. A ~ marks times of which that is a quarter or more.",
			tps, text_seconds(cost, sizeof(cost), hello->cost / tps),
			hello->features & WSN_F_TAKEN_BACK ? "is not" : "is",
			text_seconds(spread, sizeof(spread), hello->spread / tps));
}

/* A node that says who it is says how good its times are, too. */
static void said(struct page *p, const struct view_shared *s, int width)
{
	const struct node *n = s->node;
	double hooks;
	char text[400];
	int used;

	if (!n || !n->has_hello || !n->hello.ticks_per_second)
		return;
	hooks = node_hooks(n);
	used = said_clock(&n->hello, text, sizeof(text));
	if (n->hello.hz)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 " It takes %u PC samples a second.", n->hello.hz);
	if (!isnan(hooks))
		snprintf(text + used, sizeof(text) - (size_t)used,
			 " Now its hooks take %.1f %% of the processor.", 100 * hooks);
	heading(p, "This node");
	paragraph(p, text, width - 1);
	for (const struct loss *l = losses; n->has_status && l->name; l++) {
		if (!loss_count(l, &n->status))
			continue;
		loss_say(l, &n->status, text, sizeof(text));
		paragraph(p, text, width - 1);
	}
}

static void lines(struct page *p, const struct view_shared *s, int width)
{
	const struct view_ops *from = s->help_for;
	const char *group = NULL;

	if (from && from->about) {
		heading(p, from->title);
		paragraph(p, from->about, width - 1);
	}
	said(p, s, width);
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		if (!group || strcmp(group, r->group) != 0) {
			group = r->group;
			heading(p, group);
		}
		action_line(p, r);
	}
	heading(p, "Mouse");
	paragraph(p, "A click selects a line, on a column's title it sorts, on a tab it goes there. "
		"A double click is Enter. The wheel scrolls.", width - 1);
	heading(p, "Columns");
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		int y = next_line(p), column;

		if (y < 0)
			continue;
		column = p->g->width < 60 ? KEY_COLUMN / 2 + 4 : KEY_COLUMN;
		grid_text(p->g, 1, y, column - 1, ROLE_KEY, columns[i].header);
		grid_text(p->g, column + 1, y, -1, ROLE_DEFAULT, columns[i].help);
	}
}

static void help_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct help *h = (struct help *)v;
	struct page count = { NULL, 0, 0 }, page = { g, 0, 0 };
	size_t height = g->height > 0 ? (size_t)g->height : 1;

	v->width = g->width;
	v->height = g->height;
	lines(&count, s, g->width);
	h->list.count = count.line;
	if (h->list.top + height > count.line)
		h->list.top = count.line > height ? count.line - height : 0;
	page.top = h->list.top;
	lines(&page, s, g->width);
}

/* There is no cursor: what moves is the page. */
static unsigned help_act(struct view *v, struct view_shared *s, enum action a)
{
	struct help *h = (struct help *)v;
	size_t height = v->height > 0 ? (size_t)v->height : 1;
	size_t last = h->list.count > height ? h->list.count - height : 0;
	size_t step = a == ACTION_PAGE_UP || a == ACTION_PAGE_DOWN ? height : 1;

	(void)s;
	switch (a) {
	case ACTION_UP:
	case ACTION_PAGE_UP: h->list.top = h->list.top > step ? h->list.top - step : 0; break;
	case ACTION_DOWN:
	case ACTION_PAGE_DOWN: h->list.top += step; break;
	case ACTION_TOP: h->list.top = 0; break;
	case ACTION_BOTTOM: h->list.top = last; break;
	default: return VIEW_NOTHING;
	}
	if (h->list.top > last)
		h->list.top = last;
	return VIEW_REDRAW;
}

static unsigned help_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct help *h = (struct help *)v;

	(void)s;
	(void)x;
	(void)y;
	return list_wheel(&h->list, button, v->height) ? VIEW_REDRAW : VIEW_NOTHING;
}

static size_t help_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = { ACTION_PAGE_DOWN, ACTION_PAGE_UP };

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

const struct view_ops view_help_ops = {
	.name = "help",
	.title = "Help",
	.action = ACTION_VIEW_HELP,
	.size = sizeof(struct help),
	.draw = help_draw,
	.act = help_act,
	.mouse = help_mouse,
	.hints = help_hints,
};
