/*
 * console: what the firmware prints besides packets, with the time of each line.
 *
 * The end is followed until the cursor leaves it. Lines are counted from the first that ever came,
 * so that one stays where one reads while the ring drops what is oldest.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

#define SCROLL 8

struct console_view {
	struct view view;
	struct list list;		/* of the lines kept */
	const struct console *console;
	uint64_t dropped;		/* lines gone when list was last brought up to date */
	uint64_t hold;			/* frozen: lines up to here (gone ones included) are shown */
	uint64_t first_ns;		/* time of the first line seen: stamps count from it */
	bool has_first;
	bool left;			/* the user went up: the end is not followed */
	int scrolled;			/* columns to the right */
};

/* --- lines ------------------------------------------------------------------------------------ */

/* Bring the list in step with the ring: what was dropped moves the cursor up with its line. */
static void catch_up(struct console_view *c, const struct view_shared *s)
{
	const struct console *k = &s->node->console;
	uint64_t gone = k->dropped - c->dropped, all = k->dropped + console_count(k);
	struct console_line line;

	if (c->console != k || k->dropped < c->dropped) {
		*c = (struct console_view){ .view = c->view, .console = k };
		gone = 0;
	}
	c->dropped = k->dropped;
	if (!s->frozen || c->hold == 0 || c->hold > all)
		c->hold = all;
	c->list.count = c->hold > k->dropped ? (size_t)(c->hold - k->dropped) : 0;
	c->list.cursor = c->list.cursor > gone ? c->list.cursor - (size_t)gone : 0;
	c->list.top = c->list.top > gone ? c->list.top - (size_t)gone : 0;
	if (!c->left && c->list.count)
		c->list.cursor = c->list.count - 1;
	if (!c->has_first && console_get(k, 0, &line)) {
		c->first_ns = line.time_ns;
		c->has_first = true;
	}
}

static void console_update(struct view *v, const struct view_shared *s)
{
	if (s->node)
		catch_up((struct console_view *)v, s);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int page_of(const struct view *v)
{
	return v->height - (v->height >= 4);
}

/* Past the first `skip` columns. */
static const char *scrolled(const char *s, int skip)
{
	size_t n = strlen(s), step;
	uint32_t cp = '?';

	while (n && skip > 0) {
		step = text_utf8(s, n, &cp);
		skip -= text_width(cp);
		step = step ? step : 1;
		s += step;
		n -= step;
	}
	return s;
}

static void draw_line(const struct console_view *c, const struct view_shared *s, struct grid *g,
		      int y, size_t index)
{
	struct console_line line;
	int x;

	if (!console_get(c->console, index, &line))
		return;
	x = grid_textf(g, 0, y, -1, ROLE_DIM, g->width < 60 ? "%7.1f " : "%10.3f  ",
		       (double)(int64_t)(line.time_ns - c->first_ns) / (double)CLOCK_SECOND);
	if (line.ours)
		x += grid_text(g, x, y, -1, ROLE_WARNING, g->utf8 ? "▶ " : "* ");
	part_name(g, x, y, g->width - x, line.ours ? ROLE_WARNING : ROLE_DEFAULT,
		  scrolled(line.text, c->scrolled), s->search);
	if (c->left && index == c->list.cursor)
		grid_select_row(g, y);
}

static void draw_footer(const struct console_view *c, const struct view_shared *s, struct grid *g)
{
	const struct wire_stats *stats = &s->node->stats;
	char text[120], lines[32], gone[32];

	snprintf(text, sizeof(text), "%s line%s%s%s%s, %s",
		 part_grouped(lines, sizeof(lines), c->list.count),
		 c->list.count == 1 ? "" : "s", c->dropped ? ", " : "",
		 c->dropped ? part_grouped(gone, sizeof(gone), c->dropped) : "",
		 c->dropped ? " older ones gone" : "",
		 s->frozen ? "frozen" : c->left ? "not following" : "following the end");
	part_footer(g, g->height - 1, text,
		    stats->events == 0 && stats->bytes ?
		    "no packets yet: does the firmware print reports? -f names the format" : "");
}

/* Nothing printed: that is as it should be where the stream is all packets. */
static void draw_nothing(const struct view_shared *s, struct grid *g)
{
	if (s->node && s->node->stats.events)
		part_say(g, (const char *const[]){ "the firmware has printed nothing",
			"All that came were packets.", NULL });
	else
		part_unheard(g, s->node);
}

static void console_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct console_view *c = (struct console_view *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (s->node)
		catch_up(c, s);
	if (!s->node || c->list.count == 0) {
		draw_nothing(s, g);
		return;
	}
	page = page_of(v);
	list_show(&c->list, page);
	for (int y = 0; y < page && c->list.top + (size_t)y < c->list.count; y++)
		draw_line(c, s, g, y, c->list.top + (size_t)y);
	if (page < g->height)
		draw_footer(c, s, g);
}

/* --- acting ----------------------------------------------------------------------------------- */

static unsigned moved(struct console_view *c)
{
	c->left = c->list.cursor + 1 < c->list.count;
	return VIEW_REDRAW;
}

/*
 * Without a cursor to be seen (the end is followed) a step up scrolls at once, as in a pager.
 */
static bool step_up(struct console_view *c, enum action a, int page)
{
	if (c->left || (a != ACTION_UP && a != ACTION_PAGE_UP) || c->list.count <= (size_t)page)
		return false;
	list_show(&c->list, page);
	c->list.cursor = c->list.top;
	if (a == ACTION_UP && c->list.cursor)
		c->list.cursor--;
	else
		list_act(&c->list, a, page);
	return true;
}

struct search {
	const struct console_view *c;
	const struct view_shared *s;
};

static bool line_matches(void *ctx, size_t index)
{
	const struct search *k = ctx;
	struct console_line line;

	return console_get(k->c->console, index, &line) && part_matches(k->s, line.text);
}

static unsigned scroll(struct console_view *c, int by)
{
	c->scrolled += by;
	if (c->scrolled < 0)
		c->scrolled = 0;
	if (c->scrolled > CONSOLE_WIDTH)
		c->scrolled = CONSOLE_WIDTH;
	return VIEW_REDRAW;
}

static unsigned console_act(struct view *v, struct view_shared *s, enum action a)
{
	struct console_view *c = (struct console_view *)v;
	struct search k = { c, s };
	int page = page_of(v);

	if (!s->node || c->console != &s->node->console)
		return VIEW_NOTHING;
	catch_up(c, s);
	if (step_up(c, a, page) || list_act(&c->list, a, page))
		return moved(c);
	if (part_searches(a)) {
		if (!list_search(&c->list, a == ACTION_SEARCH_PREVIOUS, line_matches, &k))
			return VIEW_NO_MATCH;
		c->left = true;
		return VIEW_REDRAW;
	}
	switch (a) {
	case ACTION_LEFT: return scroll(c, -SCROLL);
	case ACTION_RIGHT: return scroll(c, SCROLL);
	default: return VIEW_NOTHING;
	}
}

static unsigned console_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct console_view *c = (struct console_view *)v;
	size_t line = c->list.top + (size_t)y;
	int page = page_of(v);

	(void)x;
	if (!s->node || c->console != &s->node->console)
		return VIEW_NOTHING;
	if (!c->left && button == 4)
		c->list.cursor = c->list.count > (size_t)page ? c->list.count - (size_t)page : 0;
	if (list_wheel(&c->list, button, page)) {
		/* Wheeled down to the last page: at the end again. */
		if (c->list.top + (size_t)page >= c->list.count && button == 5)
			c->list.cursor = c->list.count ? c->list.count - 1 : 0;
		return moved(c);
	}
	if ((button != 1 && button != 2) || y < 0 || y >= page || line >= c->list.count)
		return VIEW_NOTHING;
	c->list.cursor = line;
	c->left = true;
	return VIEW_REDRAW;
}

static size_t console_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = {
		ACTION_BOTTOM, ACTION_SEARCH, ACTION_FREEZE, ACTION_LEFT, ACTION_RIGHT,
	};

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

const struct view_ops view_console_ops = {
	.name = "console",
	.title = "What the firmware prints",
	.about =
		"All bytes that belong to no packet, with seconds since the first line. Control bytes are "
		"shown, not obeyed. Going up stops following; the last line (End) follows again. "
		"Marked lines are wsntop's own: stack traces decoded, resets seen.",
	.action = ACTION_VIEW_CONSOLE,
	.size = sizeof(struct console_view),
	.update = console_update,
	.draw = console_draw,
	.act = console_act,
	.mouse = console_mouse,
	.hints = console_hints,
};
