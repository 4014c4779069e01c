/*
 * console: the firmware's output besides packets, with the time of each line. For a stream of text
 * alone it is a serial terminal: Enter opens a line to be sent.
 *
 * The end is followed until the cursor leaves it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/view/console/view.h"
#include "tui/part/table.h"
#include "tui/view/views.h"

enum {
	SCROLL_COLUMNS = 8,
	NARROW = 60,			/* columns: below this, time stamps are short */
	ADVICE_HEIGHT = 10,		/* lines: below this, there is no room for advice */
};

static const struct {
	const char *said, *brief;	/* when it is chosen; in the footer */
} stamps[STAMPS] = {
	[STAMP_START] = { "time stamps: seconds since the first line", "" },
	[STAMP_WALL] = { "time stamps: time of day", ", time of day" },
	[STAMP_DELTA] = { "time stamps: seconds since the line above", ", since the line above" },
	[STAMP_NONE] = { "no time stamps", ", no time stamps" },
};

static void console_view_release(struct view *v)
{
	mem_free(((struct console_view *)v)->shown);
}

static void console_update(struct view *v, const struct view_shared *s)
{
	if (s->node)
		console_catch_up((struct console_view *)v, s);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int console_page(const struct view *v)
{
	const struct console_view *c = (const struct console_view *)v;

	return v->height - (v->height >= 4) - c->top;
}

/* Past the first `skip` columns. */
static const char *text_skip(const char *s, int skip)
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

static double seconds_between(uint64_t from, uint64_t to)
{
	return (double)(int64_t)(to - from) / (double)CLOCK_SECOND;
}

/* Of a recording as it was then; of a file that says nothing of times that of the arrival. */
static void time_of_day(const struct node *node, char *dst, size_t size, uint64_t time_ns,
			bool brief)
{
	uint64_t wall;
	size_t n;

	if (!node_wall(node, time_ns, &wall))
		wall = clock_wall() + time_ns - clock_now();
	n = strlen(text_wall(dst, size, wall));

	if (n && !brief)
		snprintf(dst + n, size - n, ".%03u", (unsigned)(wall % CLOCK_SECOND / 1000000));
}

static int draw_stamp(const struct console_view *c, const struct node *node, struct grid *g, int y,
		      size_t index, const struct console_line *line)
{
	bool narrow = g->width < NARROW;
	struct console_line before;
	char text[32];

	switch (c->stamp) {
	case STAMP_START:
		return grid_textf(g, 0, y, -1, ROLE_DIM, narrow ? "%7.1f " : "%10.3f  ",
				  seconds_between(c->first_ns, line->time_ns));
	case STAMP_WALL:
		time_of_day(node, text, sizeof(text), line->time_ns, narrow);
		return grid_textf(g, 0, y, -1, ROLE_DIM, narrow ? "%s " : "%s  ", text);
	case STAMP_DELTA:
		if (!index || !console_line_at(c, index - 1, &before))
			before = *line;
		return grid_textf(g, 0, y, -1, ROLE_DIM, narrow ? "%+7.1f " : "%+10.3f  ",
				  seconds_between(before.time_ns, line->time_ns));
	default:
		return 0;
	}
}

static void draw_console_line(const struct console_view *c, const struct view_shared *s,
			      struct grid *g, int y, size_t index)
{
	struct console_line line;
	int x;

	if (!console_line_at(c, index, &line))
		return;
	x = draw_stamp(c, s->node, g, y, index, &line);
	if (line.ours)
		x += grid_text(g, x, y, -1, ROLE_WARNING, g->utf8 ? "▶ " : "* ");
	part_name(g, x, y, g->width - x, line.ours ? ROLE_WARNING : ROLE_DEFAULT,
		  text_skip(line.text, c->scrolled), s->search);
	if (c->left && index == c->list.cursor)
		grid_select_row(g, y);
}

static const char *following_state(const struct console_view *c, const struct view_shared *s)
{
	if (s->window_to != SIZE_MAX)
		return "up to the window's end";
	return s->frozen ? "frozen" : c->left ? "not following" : "following the end";
}

static void draw_console_state(const struct console_view *c, const struct view_shared *s,
			       struct grid *g)
{
	char text[200], lines[32], gone[32];

	snprintf(text, sizeof(text), "%s line%s%s%s%s%s, %s%s",
		 text_whole(lines, sizeof(lines), c->list.count), c->list.count == 1 ? "" : "s",
		 *c->filter ? " match" : "", c->dropped ? ", " : "",
		 c->dropped ? text_whole(gone, sizeof(gone), c->dropped) : "",
		 c->dropped ? " older dropped" : "", following_state(c, s),
		 stamps[c->stamp].brief);
	part_footer(g, g->height - 1, text, "");
}

/* A stream of packets alone is normal. */
static void draw_no_lines(const struct view_shared *s, struct grid *g)
{
	if (s->node && s->order.filter && console_count(node_console(s->node)))
		part_say(g, s, (const char *const[]){ "no line matches the filter",
			"{filter} changes it, {cancel} clears it.", NULL });
	else if (s->node && s->window_to != SIZE_MAX && console_count(node_console(s->node)))
		part_say(g, s, (const char *const[]){ "nothing was printed until then",
			"{time-live} shows the live console.", NULL });
	else if (s->node && node_stats(s->node)->events)
		part_say(g, s, (const char *const[]){ "the firmware has printed nothing",
			"The stream has only packets.", NULL });
	else
		part_unheard(g, s);
}

/* The first of some sentences that fits. */
static void draw_fitting_sentence(struct grid *g, int y, enum role role,
				  const char *const *sentences)
{
	while (sentences[1] && text_columns(*sentences) > g->width)
		sentences++;
	grid_text(g, 0, y, -1, role, *sentences);
}

/* For text without packets: how to profile. Returns the rows used. */
static int draw_advice(const struct view_shared *s, struct grid *g)
{
	const struct wire_stats *stats = node_stats(s->node);
	char bytes[32], news[140];

	if (stats->events || !stats->bytes || node_hello(s->node) || g->height < ADVICE_HEIGHT)
		return 0;
	snprintf(news, sizeof(news), "no packets in %s bytes: only text",
		 text_whole(bytes, sizeof(bytes), stats->bytes));
	if (stats->bad_bytes * 4 > stats->bytes)
		snprintf(news, sizeof(news), "no packets in %s bytes, and little text: is the baud "
			 "rate right (-b)?", bytes);
	grid_text(g, 0, 0, -1, ROLE_WARNING, news);
	draw_fitting_sentence(g, 1, ROLE_LABEL, (const char *const[]){
		"To profile: put the runtime into the firmware (docs/PORTING.md); "
		"wsntop doctor -e APP.ELF checks it; -f: its format",
		"To profile: put the runtime into the firmware (docs/PORTING.md); -f: its format",
		"To profile: docs/PORTING.md; wsntop doctor -e APP.ELF",
		"To profile: docs/PORTING.md", NULL });
	return 2;
}

static void console_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct console_view *c = (struct console_view *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (s->node)
		console_catch_up(c, s);
	c->top = 0;
	if (!s->node || c->list.count == 0) {
		draw_no_lines(s, g);
		return;
	}
	c->top = draw_advice(s, g);
	page = console_page(v);
	list_show(&c->list, page);
	for (int y = 0; y < page && c->list.top + (size_t)y < c->list.count; y++)
		draw_console_line(c, s, g, c->top + y, c->list.top + (size_t)y);
	if (g->height >= 4)
		draw_console_state(c, s, g);
}

/* --- acting ----------------------------------------------------------------------------------- */

static struct view_reply following_update(struct console_view *c)
{
	c->left = c->list.cursor + 1 < c->list.count;
	return view_redraw();
}

/*
 * While the end is followed there is no visible cursor: a step up scrolls at once, as in a pager.
 */
static bool cursor_step_up(struct console_view *c, enum action a, int page)
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

struct line_search {
	const struct console_view *c;
	const struct view_shared *s;
};

static bool console_line_matches(void *ctx, size_t index)
{
	const struct line_search *k = ctx;
	struct console_line line;

	return console_line_at(k->c, index, &line) && part_matches(k->s, line.text);
}

static struct view_reply columns_scroll(struct console_view *c, int by)
{
	c->scrolled += by;
	if (c->scrolled < 0)
		c->scrolled = 0;
	if (c->scrolled > CONSOLE_WIDTH)
		c->scrolled = CONSOLE_WIDTH;
	return view_redraw();
}

static struct view_reply stamp_next(struct console_view *c)
{
	c->stamp = (enum stamp)((c->stamp + 1) % STAMPS);
	return view_say(stamps[c->stamp].said);
}

static struct view_reply visit_leave(struct console_view *c)
{
	c->returning = true;
	return view_leave_time();
}

/*
 * Enter goes to the moment of the cursor's line, and from there back. While the end of a live
 * node's text is followed there is no cursor, and the console is a serial terminal.
 */
static struct view_reply line_enter(struct console_view *c, const struct view_shared *s)
{
	struct console_line line;

	if (!c->left && !s->frozen && link_is_live(node_link(s->node)))
		return view_input();
	if (s->visiting && console_line_number(c, c->list.cursor) == c->visited)
		return visit_leave(c);
	if (!console_line_at(c, c->list.cursor, &line))
		return view_done();
	c->visited = console_line_number(c, c->list.cursor);
	c->left = true;
	return view_visit_time(line.time_ns);
}

static struct view_reply console_act(struct view *v, struct view_shared *s, enum action a)
{
	struct console_view *c = (struct console_view *)v;
	struct line_search k = { c, s };
	int page = console_page(v);

	if (!s->node || c->console != node_console(s->node))
		return a == ACTION_ENTER ? view_input() : view_pass();
	console_catch_up(c, s);
	if (a == ACTION_ENTER)
		return line_enter(c, s);
	if (s->visiting && (a == ACTION_PARENT || a == ACTION_BACK))
		return visit_leave(c);
	if (cursor_step_up(c, a, page) || list_act(&c->list, a, page))
		return following_update(c);
	if (part_searches(a)) {
		if (!list_search(&c->list, a == ACTION_SEARCH_PREVIOUS, console_line_matches, &k))
			return view_no_match();
		c->left = true;
		return view_redraw();
	}
	switch (a) {
	case ACTION_LEFT: return columns_scroll(c, -SCROLL_COLUMNS);
	case ACTION_RIGHT: return columns_scroll(c, SCROLL_COLUMNS);
	case ACTION_MODE: return stamp_next(c);
	default: return view_pass();
	}
}

static struct view_reply console_mouse(struct view *v, struct view_shared *s, int x, int y,
				       int button)
{
	struct console_view *c = (struct console_view *)v;
	size_t line = c->list.top + (size_t)(y - c->top);
	int page = console_page(v);

	(void)x;
	if (!s->node || c->console != node_console(s->node))
		return view_pass();
	if (!c->left && button == 4)
		c->list.cursor = c->list.count > (size_t)page ? c->list.count - (size_t)page : 0;
	if (list_wheel(&c->list, button, page)) {
		/* The wheel reached the last page: follow the end again. */
		if (c->list.top + (size_t)page >= c->list.count && button == 5)
			c->list.cursor = c->list.count ? c->list.count - 1 : 0;
		return following_update(c);
	}
	if ((button != 1 && button != 2) || y < c->top || y >= c->top + page ||
	    line >= c->list.count)
		return view_pass();
	c->list.cursor = line;
	c->left = true;
	return button == 2 ? line_enter(c, s) : view_redraw();
}

static bool console_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	struct console_view *c = (struct console_view *)v;
	struct console_line line;

	if (!s->node || c->console != node_console(s->node) ||
	    !console_line_at(c, c->list.cursor, &line))
		return false;
	buf_adds(out, line.text);
	return true;
}

static const enum action console_hints[] = {
	ACTION_ENTER, ACTION_BOTTOM, ACTION_SEARCH, ACTION_FILTER, ACTION_MODE, ACTION_COPY,
	ACTION_FREEZE, ACTION_LEFT, ACTION_RIGHT, ACTION_NONE,
};

static const struct view_word console_words[] = {
	{ ACTION_ENTER, "moment, send",
	  "to the moment of the line, and back; while following a live node: send a line" },
	{ ACTION_MODE, "time stamps", "next kind of time stamps, or none" },
	{ ACTION_BOTTOM, "follow", "to the last line, and follow new lines" },
	{ ACTION_NONE, NULL, NULL },
};

static bool console_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct console_view *c = (const struct console_view *)v;

	*shown = c->list.count;
	*all = c->console ? console_count(c->console) : 0;
	return c->console != NULL;
}

const struct view_ops view_console_ops = {
	.name = "console",
	.title = "Output of the firmware",
	.about =
		"All bytes that belong to no packet, with seconds since the first line; {mode} "
		"changes the time stamps. Control bytes are shown, not executed; colours are "
		"removed. Moving up stops following; the last line ({bottom}) follows again. "
		"{enter} goes to the moment of the cursor's line, and back; while following a live "
		"node it opens an input line for text to send. Marked lines come from wsntop: "
		"decoded stack traces, resets.",
	.action = ACTION_VIEW_CONSOLE,
	.size = sizeof(struct console_view),
	.release = console_view_release,
	.update = console_update,
	.draw = console_draw,
	.act = console_act,
	.mouse = console_mouse,
	.hints = console_hints,
	.words = console_words,
	.copy = console_copy,
	.filtered = console_filtered,
};
