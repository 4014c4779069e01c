/*
 * histogram: how long single calls take: shortest, average and longest on one logarithmic axis; and
 * where the node counts calls by duration, how many took how long, as a skyline over that axis.
 *
 *	FUNCTION        CALLS |10 us      |100 us     |1 ms       |10 ms
 *	crc16_add       65536      ├──●────────┤
 *	fib             35421         ├─────────●───────────────────>
 *	  from main         1                            ├───●──────>
 *
 *	  from isr          9          ▁▁▁▁▄▄▄▄██●██▃▃▃▃
 *
 * Enter opens a function: one line for each caller. > says that the longest call was longer than the
 * node could count; < that the shortest was below one tick.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/text.h"
#include "tui/view/durations.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

struct axis {
	int low, high;			/* decades: 10^low s to 10^high s */
	int x, width;
};

enum { CELL_FUNCTION, CELL_CALLS, CELL_MIN, CELL_AVERAGE, CELL_MAX, CELL_PLOT, CELL_COUNT };

static const struct { const char *title; bool left; struct table_column column; } cells[] = {
	[CELL_FUNCTION] = { "FUNCTION", true, { 0, 0, 0 } },
	[CELL_CALLS] = { "CALLS", false, { 8, 8, 2 } },
	[CELL_MIN] = { "MIN", false, { 8, 8, 4 } },
	[CELL_AVERAGE] = { "AVERAGE", false, { 8, 8, 3 } },
	[CELL_MAX] = { "MAX", false, { 9, 9, 4 } },
	[CELL_PLOT] = { "", true, { 20, 400, 1 } },
};

struct histogram {
	struct view view;
	struct rows rows;
	struct rows_order order;	/* that rows are in */
	struct durations lines;
	size_t without;			/* functions of which no duration is known */
	struct list list;
	struct map open;		/* address of a function -> 1: its callers are shown */
	const struct profile *profile;
	uint64_t seen, at_caller;	/* what the cursor is on, by address; the caller of an edge's line */
	bool at_edge;
};

static int histogram_init(struct view *v)
{
	struct histogram *h = (struct histogram *)v;

	rows_init(&h->rows);
	map_init(&h->open);
	return 0;
}

static void histogram_release(struct view *v)
{
	struct histogram *h = (struct histogram *)v;

	rows_release(&h->rows);
	map_release(&h->open);
	durations_release(&h->lines);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The cursor's line, by what survives a recompute. */
static void place(struct histogram *h, uint64_t function, bool at_edge, uint64_t caller)
{
	const struct profile *p = h->profile;

	for (size_t i = 0; i < h->lines.count; i++) {
		const struct duration *s = &h->lines.items[i];
		uint32_t from = s->edge == PROFILE_NONE ? PROFILE_NONE : p->edges[s->edge].from;

		if (p->functions[s->function].address != function)
			continue;
		if (s->edge == PROFILE_NONE)
			h->list.cursor = i;
		else if (at_edge && from != PROFILE_NONE && p->functions[from].address == caller)
			h->list.cursor = i;
	}
}

static void histogram_update(struct view *v, const struct view_shared *s)
{
	struct histogram *h = (struct histogram *)v;

	h->profile = s->profile;
	h->order = s->order;
	h->lines.count = h->without = h->list.count = h->rows.count = 0;
	if (!s->profile || s->profile->function_count == 0 ||
	    rows_sort(&h->rows, s->profile, &s->order) < 0 ||
	    durations_begin(&h->lines, s->profile) < 0)
		return;
	for (size_t i = 0; i < h->rows.count; i++) {
		uint32_t f = h->rows.items[i];

		if (!durations_add_function(&h->lines, f))
			h->without++;
		else if (map_get(&h->open, s->profile->functions[f].address) == 1)
			durations_add_callers(&h->lines, f);
	}
	durations_fit(&h->lines);
	h->list.count = h->lines.count;
	if (s->has_selected && (s->follow || h->seen != s->selected_address)) {
		place(h, s->selected_address, h->at_edge && h->seen == s->selected_address,
		      h->at_caller);
		h->seen = s->selected_address;
	}
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int page_of(const struct view *v)
{
	return v->height - 1 - (v->height >= 6);
}

/* The column of a duration; -1 and width: off the axis. */
static int column_of(const struct axis *a, double seconds)
{
	double at;

	if (!(seconds > 0))
		return -1;
	at = (log10(seconds) - a->low) / (a->high - a->low) * (a->width - 1);
	return at < 0 ? -1 : at > a->width - 1 ? a->width : (int)lround(at);
}

static int decade_column(const struct axis *a, int decade)
{
	return (decade - a->low) * (a->width - 1) / (a->high - a->low);
}

static void decade_label(char *dst, size_t size, int decade)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int group = decade >= 0 ? 3 : decade < -9 ? 0 : (decade + 9) / 3;
	int zeros = decade - (group * 3 - 9);

	snprintf(dst, size, "%.0f %s", pow(10, zeros), units[group]);
}

static void draw_axis(const struct axis *a, struct grid *g)
{
	int free_from = a->x;

	for (int d = a->low; d <= a->high; d++) {
		char label[24];
		int x = a->x + decade_column(a, d), length;

		decade_label(label, sizeof(label), d);
		length = text_columns(label);
		/* The last decade's label ends at the edge. */
		if (x + 1 + length > a->x + a->width) {
			if (x - length < free_from)
				continue;
			grid_text(g, x - length, 0, length, ROLE_TITLE, label);
			grid_text(g, x, 0, 1, ROLE_TITLE, g->utf8 ? "│" : "|");
			break;
		}
		if (x < free_from)
			continue;
		grid_text(g, x, 0, 1, ROLE_TITLE, g->utf8 ? "│" : "|");
		grid_text(g, x + 1, 0, length, ROLE_TITLE, label);
		free_from = x + length + 2;
	}
}

static void draw_decades(const struct axis *a, struct grid *g, int y)
{
	for (int d = a->low; d <= a->high; d++)
		grid_text(g, a->x + decade_column(a, d), y, 1, ROLE_DIM, g->utf8 ? "·" : ".");
}

static void draw_span(const struct axis *a, struct grid *g, int y, const struct duration *s)
{
	int from = column_of(a, s->min), to = column_of(a, s->max), at = column_of(a, s->average);
	enum role role = role_heat(at < 0 ? 0 : (double)at / a->width);
	bool below = from < 0;

	if (!isnan(s->min) && !isnan(s->max) && s->max > 0) {
		from = below ? 0 : from;
		to = to < from ? from : to >= a->width ? a->width - 1 : to;
		grid_fill(g, a->x + from, y, to - from + 1, role, g->utf8 ? 0x2500 : '-');
		grid_text(g, a->x + from, y, 1, role, below ? "<" : g->utf8 ? "├" : "|");
		grid_text(g, a->x + to, y, 1, role, s->at_least ? ">" : g->utf8 ? "┤" : "|");
	}
	if (s->average > 0)
		grid_text(g, a->x + (at < 0 ? 0 : at >= a->width ? a->width - 1 : at), y, 1, role,
			  g->utf8 ? "●" : "o");
}

/* The columns that a bucket covers of [from, to], which is where the calls lie. */
static bool bucket_columns(const struct histogram *h, const struct axis *a, size_t i, int from,
			   int to, int *first, int *last)
{
	*first = i ? column_of(a, durations_bound(&h->lines, i - 1)) : 0;
	*last = i + 1 < WIRE_BUCKETS ? column_of(a, durations_bound(&h->lines, i)) - 1 : a->width - 1;
	*first = *first < from ? from : *first;
	*last = *last > to ? to : *last;
	return *first <= *last;
}

/* One of eight heights, the fullest bucket's the highest; a single call is still seen. */
static uint32_t height_of(uint64_t calls, uint64_t most, bool utf8)
{
	int eighth = (int)ceil(8 * (double)calls / (double)most);

	return utf8 ? 0x2580u + (uint32_t)eighth : (uint32_t)".:-=+*%#"[eighth - 1];
}

/* How many calls took how long. False: the node does not say. */
static bool draw_buckets(const struct histogram *h, const struct axis *a, struct grid *g, int y,
			 const struct duration *s)
{
	int from = column_of(a, s->min), to = column_of(a, s->max), at = column_of(a, s->average);
	uint64_t most = 0;
	int first, last;

	from = isnan(s->min) || from < 0 ? 0 : from;
	to = isnan(s->max) || to >= a->width ? a->width - 1 : to;
	for (size_t i = 0; s->has_buckets && i < WIRE_BUCKETS; i++)
		most = s->buckets.calls[i] > most ? s->buckets.calls[i] : most;
	for (size_t i = 0; most && i < WIRE_BUCKETS; i++) {
		if (!s->buckets.calls[i])
			continue;
		/* What a coarse axis leaves no column for stands in the nearest. */
		if (!bucket_columns(h, a, i, from, to, &first, &last))
			first = last = first > to ? to : last < from ? from : first;
		grid_fill(g, a->x + first, y, last - first + 1, role_heat((double)first / a->width),
			  height_of(s->buckets.calls[i], most, g->utf8));
	}
	if (most && at >= 0 && at < a->width)
		grid_text(g, a->x + at, y, 1, role_heat((double)at / a->width), g->utf8 ? "●" : "o");
	return most != 0;
}

static void draw_name(const struct histogram *h, const struct view_shared *s, struct grid *g,
		      struct table_span at, int y, const struct duration *span)
{
	const struct profile *p = h->profile;
	const struct profile_function *f = &p->functions[span->function];
	uint32_t from;
	bool open;
	int x;

	if (span->edge == PROFILE_NONE) {
		open = map_get(&h->open, f->address) == 1;
		x = grid_text(g, at.x, y, at.width, ROLE_LABEL,
			      open ? (g->utf8 ? "▾ " : "- ") : (g->utf8 ? "▸ " : "+ "));
		part_name(g, at.x + x, y, at.width - x, part_role(f), f->name, s->search);
		return;
	}
	from = p->edges[span->edge].from;
	x = grid_text(g, at.x, y, at.width, ROLE_LABEL, "    from ");
	part_name(g, at.x + x, y, at.width - x, from == PROFILE_NONE ? ROLE_DIM : ROLE_NAME,
		  from == PROFILE_NONE ? part_nobody(&p->edges[span->edge]) : p->functions[from].name, s->search);
}

static void draw_line(const struct histogram *h, const struct view_shared *s, struct grid *g,
		      const struct table_span *at, const struct axis *a, int y, size_t line)
{
	const struct duration *span = &h->lines.items[line];

	draw_name(h, s, g, at[CELL_FUNCTION], y, span);
	part_count(g, at[CELL_CALLS], y, span->calls);
	part_call_time(g, at[CELL_MIN], y, h->profile, span->min, false);
	part_call_time(g, at[CELL_AVERAGE], y, h->profile, span->average, false);
	part_call_time(g, at[CELL_MAX], y, h->profile, span->max, span->at_least);
	draw_decades(a, g, y);
	if (!draw_buckets(h, a, g, y, span))
		draw_span(a, g, y, span);
	if (line == h->list.cursor)
		grid_select_row(g, y);
}

static void lay_out(const struct histogram *h, int width, struct table_span *at)
{
	struct table_column c[CELL_COUNT];

	for (size_t i = 0; i < CELL_COUNT; i++)
		c[i] = cells[i].column;
	c[CELL_FUNCTION] = table_name(width, h->lines.longest + 2, 0);
	/* Numbers may have half of the width: the picture is what one comes for. */
	c[CELL_PLOT].width = width / 2 > 20 ? width / 2 : 20;
	table_layout(c, CELL_COUNT, width, at);
}

static void draw_footer(const struct histogram *h, struct grid *g)
{
	char text[200];

	snprintf(text, sizeof(text), "%zu function%s with durations, %zu without",
		 h->rows.count - h->without, h->rows.count - h->without == 1 ? "" : "s", h->without);
	part_footer(g, g->height - 1, text,
		    profile_estimated(h->profile) ? "~ estimate: the profiler's own cost taken back" : "");
}

static void draw_table(struct histogram *h, const struct view_shared *s, struct grid *g)
{
	struct table_span at[CELL_COUNT];
	struct axis axis = { h->lines.low, h->lines.high, 0, 0 };
	int page = page_of(&h->view);

	list_show(&h->list, page);
	lay_out(h, g->width, at);
	axis.x = at[CELL_PLOT].x;
	axis.width = at[CELL_PLOT].width;
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < CELL_PLOT; i++)
		part_title(g, at[i], 0, cells[i].title, cells[i].left, 0);
	draw_axis(&axis, g);
	for (int y = 0; y < page && h->list.top + (size_t)y < h->lines.count; y++)
		draw_line(h, s, g, at, &axis, y + 1, h->list.top + (size_t)y);
	if (page < g->height - 1)
		draw_footer(h, g);
}

static void histogram_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct histogram *h = (struct histogram *)v;

	v->width = g->width;
	v->height = g->height;
	if (h->profile != s->profile || h->order.column != s->order.column ||
	    h->order.inverted != s->order.inverted || h->order.filter != s->order.filter ||
	    (s->has_selected && h->seen != s->selected_address))
		histogram_update(v, s);
	if (part_empty(g, s))
		return;
	if (h->lines.count)
		draw_table(h, s, g);
	else if (h->rows.count == 0)
		part_say(g, (const char *const[]){ "no function passes the filter", NULL });
	else
		part_say(g, (const char *const[]){ "no durations in this stream",
			"It counts calls, or samples without counting them.", NULL });
}

/* --- acting ----------------------------------------------------------------------------------- */

static const struct duration *cursor_line(const struct histogram *h)
{
	return h->list.cursor < h->lines.count ? &h->lines.items[h->list.cursor] : NULL;
}

static unsigned moved(struct histogram *h, struct view_shared *s)
{
	const struct duration *span = cursor_line(h);
	uint32_t from;

	if (!span)
		return VIEW_HANDLED;
	view_select(s, span->function);
	h->seen = s->selected_address;
	h->at_edge = span->edge != PROFILE_NONE;
	from = h->at_edge ? h->profile->edges[span->edge].from : PROFILE_NONE;
	h->at_caller = from == PROFILE_NONE ? UINT64_MAX : h->profile->functions[from].address;
	return VIEW_REDRAW;
}

static unsigned toggle(struct histogram *h, struct view_shared *s, bool open)
{
	uint64_t address = h->profile->functions[h->lines.items[h->list.cursor].function].address;

	map_put(&h->open, address, open);
	histogram_update(&h->view, s);
	place(h, address, false, 0);
	return moved(h, s);
}

static unsigned toggle_all(struct histogram *h, struct view_shared *s)
{
	bool any = false;

	for (size_t i = 0; i < h->lines.count; i++)
		any |= h->lines.items[i].edge != PROFILE_NONE;
	map_clear(&h->open);
	for (size_t i = 0; i < h->lines.count && !any; i++)
		map_put(&h->open, h->profile->functions[h->lines.items[i].function].address, 1);
	histogram_update(&h->view, s);
	place(h, h->seen, false, 0);
	return moved(h, s);
}

static bool line_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct histogram *h = k[0];
	const struct duration *span = &h->lines.items[line];
	uint32_t f = span->edge == PROFILE_NONE ? span->function : h->profile->edges[span->edge].from;

	return f != PROFILE_NONE && part_matches(k[1], h->profile->functions[f].name);
}

static unsigned histogram_act(struct view *v, struct view_shared *s, enum action a)
{
	struct histogram *h = (struct histogram *)v;
	const void *ctx[] = { h, s };
	bool open;

	if (!h->profile || h->profile != s->profile || h->list.cursor >= h->lines.count)
		return VIEW_NOTHING;
	if (!s->follow || !s->has_selected)
		moved(h, s);
	if (list_act(&h->list, a, page_of(v)))
		return moved(h, s);
	if (part_searches(a))
		return list_search(&h->list, a == ACTION_SEARCH_PREVIOUS, line_matches, ctx) ?
			moved(h, s) : VIEW_NO_MATCH;
	open = map_get(&h->open, h->seen) == 1;
	switch (a) {
	case ACTION_ENTER: return toggle(h, s, !open);
	case ACTION_OPEN:
	case ACTION_RIGHT: return toggle(h, s, true);
	case ACTION_CLOSE:
	case ACTION_LEFT: return toggle(h, s, false);
	case ACTION_OPEN_ALL: return toggle_all(h, s);
	default: return VIEW_NOTHING;
	}
}

static unsigned histogram_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct histogram *h = (struct histogram *)v;
	size_t line = h->list.top + (size_t)(y - 1);

	(void)x;
	if (!h->profile || h->profile != s->profile)
		return VIEW_NOTHING;
	if (list_wheel(&h->list, button, page_of(v)))
		return moved(h, s);
	if ((button != 1 && button != 2) || y < 1 || y > page_of(v) || line >= h->lines.count)
		return VIEW_NOTHING;
	h->list.cursor = line;
	moved(h, s);
	return button == 2 ? toggle(h, s, map_get(&h->open, h->seen) != 1) : VIEW_REDRAW;
}

static size_t histogram_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = {
		ACTION_ENTER, ACTION_OPEN_ALL, ACTION_SORT, ACTION_FILTER, ACTION_SEARCH,
		ACTION_FREEZE, ACTION_EXPORT,
	};

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

const struct view_ops view_histogram_ops = {
	.name = "histogram",
	.brief = "hist",
	.title = "How long single calls take",
	.about =
		"From the shortest call to the longest, the dot is the average; the axis is logarithmic. "
		"Where the node counts calls by duration, the skyline says how many took how long: the "
		"fullest of its eight buckets is the highest. "
		"> at the end: longer than the node could count. < at the start: shorter than its tick. "
		"Enter shows the calls of each caller by themselves.",
	.action = ACTION_VIEW_HISTOGRAM,
	.size = sizeof(struct histogram),
	.init = histogram_init,
	.release = histogram_release,
	.update = histogram_update,
	.draw = histogram_draw,
	.act = histogram_act,
	.mouse = histogram_mouse,
	.hints = histogram_hints,
};
