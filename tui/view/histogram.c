/*
 * histogram: how long single calls take: shortest, average and longest on one logarithmic axis.
 *
 *	FUNCTION        CALLS |10 us      |100 us     |1 ms       |10 ms
 *	crc16_add       65536      ├──●────────┤
 *	fib             35421         ├─────────●───────────────────>
 *	  from main         1                            ├───●──────>
 *
 * Enter opens a function: one line for each caller. > says that the longest call was longer than the
 * node could count; < that the shortest was below one tick.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

struct span {
	uint32_t function;
	uint32_t edge;			/* PROFILE_NONE: the function's own line, over all callers */
	double calls;
	double min, average, max;	/* seconds; min and max NaN where only the average is known */
	bool at_least;			/* max is a lower bound */
};

struct sum {
	double seconds, calls;
};

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
	struct span *spans;
	size_t count, cap;
	struct sum *sums;		/* by function, over its timed callers */
	size_t sum_cap;
	size_t without;			/* functions of which no duration is known */
	struct list list;
	struct map open;		/* address of a function -> 1: its callers are shown */
	const struct profile *profile;
	uint64_t seen, at_caller;	/* what the cursor is on, by address; the caller of an edge's line */
	bool at_edge;
	int low, high;			/* decades that all spans fit in */
	int longest;
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
	mem_free(h->spans);
	mem_free(h->sums);
}

/* --- spans ------------------------------------------------------------------------------------ */

/* Along the edges as they lie in memory: chains would miss the cache once for each. */
static int sums_find(struct histogram *h)
{
	const struct profile *p = h->profile;

	if (mem_grow(&h->sums, &h->sum_cap, p->function_count, sizeof(*h->sums)) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->function_count; i++)
		h->sums[i] = (struct sum){ 0, 0 };
	for (size_t i = 0; i < p->edge_count; i++) {
		if (!p->edges[i].timed)
			continue;
		h->sums[p->edges[i].to].seconds += p->edges[i].total_s;
		h->sums[p->edges[i].to].calls += (double)p->edges[i].calls;
	}
	return 0;
}

/* Over all its callers; recursive calls are calls too, so that the average lies between the others. */
static bool function_span(const struct histogram *h, uint32_t function, struct span *span)
{
	const struct profile_function *f = &h->profile->functions[function];
	double total = h->sums[function].seconds, calls = h->sums[function].calls;

	if (calls == 0 && f->time == TIME_SAMPLED && f->called) {
		total = f->total_s;
		calls = (double)f->calls;
	}
	*span = (struct span){
		.function = function, .edge = PROFILE_NONE, .calls = f->called ? (double)f->calls : NAN,
		.min = f->min_s, .max = f->max_s, .average = calls > 0 ? total / calls : NAN,
		.at_least = f->flags & ROW_MAX_AT_LEAST,
	};
	return !isnan(span->average) && (span->average > 0 || span->max > 0);
}

static struct span edge_span(const struct profile *p, uint32_t edge)
{
	const struct profile_edge *e = &p->edges[edge];
	bool known = e->timed && e->calls;

	return (struct span){
		.function = e->to, .edge = edge, .calls = (double)e->calls,
		.min = known ? profile_seconds(p, e->min) : NAN,
		.max = known ? profile_seconds(p, e->max) : NAN,
		.average = e->calls && e->total_s > 0 ? e->total_s / (double)e->calls : NAN,
		.at_least = e->flags & ROW_MAX_AT_LEAST,
	};
}

static void span_add(struct histogram *h, struct span s)
{
	const struct profile *p = h->profile;
	uint32_t from = s.edge == PROFILE_NONE ? s.function : p->edges[s.edge].from;
	int length = from == PROFILE_NONE ? 13 : text_columns(p->functions[from].name);

	if (mem_grow(&h->spans, &h->cap, h->count + 1, sizeof(*h->spans)) < 0)
		return;
	h->spans[h->count++] = s;
	if (s.edge != PROFILE_NONE)
		length += 7;
	h->longest = length > h->longest ? length : h->longest;
}

static int dearer_edge(const void *a, const void *b, void *ctx)
{
	const struct profile *p = ((const struct histogram *)ctx)->profile;
	const struct span *sa = a, *sb = b;
	double ta = p->edges[sa->edge].total_s, tb = p->edges[sb->edge].total_s;

	if (ta != tb)
		return ta > tb ? -1 : 1;
	return (sa->edge > sb->edge) - (sa->edge < sb->edge);
}

static void add_callers(struct histogram *h, uint32_t function)
{
	const struct profile *p = h->profile;
	size_t first = h->count;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		span_add(h, edge_span(p, i));
	qsort_r(h->spans + first, h->count - first, sizeof(*h->spans), dearer_edge, h);
}

/*
 * The decades that hold every duration: whole ones, so that the axis stands still while values move.
 * An average may lie far below one tick, where most calls took none: that is off the axis.
 */
static void fit_axis(struct histogram *h)
{
	double least = INFINITY, most = 0, tick = profile_seconds(h->profile, 1);

	for (size_t i = 0; i < h->count; i++) {
		const struct span *s = &h->spans[i];
		double low = s->min > 0 ? s->min : s->average > 0 ? s->average : s->max;
		double high = s->max > 0 ? s->max : s->average;

		if (low > 0 && low < least)
			least = low;
		if (high > most)
			most = high;
	}
	if (most <= 0)
		return;
	least = least < tick ? tick : least < most ? least : most;
	h->low = (int)floor(log10(least) + 1e-9);
	h->high = (int)ceil(log10(most) - 1e-9);
	if (h->high <= h->low)
		h->high = h->low + 1;
}

/* The cursor's line, by what survives a recompute. */
static void place(struct histogram *h, uint64_t function, bool at_edge, uint64_t caller)
{
	const struct profile *p = h->profile;

	for (size_t i = 0; i < h->count; i++) {
		const struct span *s = &h->spans[i];
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
	h->count = h->without = h->list.count = 0;
	h->longest = 0;
	h->rows.count = 0;
	if (!s->profile || s->profile->function_count == 0 ||
	    rows_sort(&h->rows, s->profile, &s->order) < 0 || sums_find(h) < 0)
		return;
	for (size_t i = 0; i < h->rows.count; i++) {
		uint32_t f = h->rows.items[i];
		struct span span;

		if (!function_span(h, f, &span)) {
			h->without++;
			continue;
		}
		span_add(h, span);
		if (map_get(&h->open, s->profile->functions[f].address) == 1)
			add_callers(h, f);
	}
	fit_axis(h);
	h->list.count = h->count;
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

static void draw_span(const struct axis *a, struct grid *g, int y, const struct span *s)
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

static void draw_name(const struct histogram *h, const struct view_shared *s, struct grid *g,
		      struct table_span at, int y, const struct span *span)
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
		  from == PROFILE_NONE ? "(no function)" : p->functions[from].name, s->search);
}

static void draw_line(const struct histogram *h, const struct view_shared *s, struct grid *g,
		      const struct table_span *at, const struct axis *a, int y, size_t line)
{
	const struct span *span = &h->spans[line];
	char max[24] = ">=";

	draw_name(h, s, g, at[CELL_FUNCTION], y, span);
	part_count(g, at[CELL_CALLS], y, span->calls);
	part_seconds(g, at[CELL_MIN], y, span->min);
	part_seconds(g, at[CELL_AVERAGE], y, span->average);
	text_seconds(max + (span->at_least ? 2 : 0), 16, span->max);
	part_cell(g, at[CELL_MAX], y, ROLE_NUMBER, isnan(span->max) ? "" : max);
	draw_decades(a, g, y);
	draw_span(a, g, y, span);
	if (line == h->list.cursor)
		grid_select_row(g, y);
}

static void lay_out(const struct histogram *h, int width, struct table_span *at)
{
	struct table_column c[CELL_COUNT];

	for (size_t i = 0; i < CELL_COUNT; i++)
		c[i] = cells[i].column;
	c[CELL_FUNCTION] = table_name(width, h->longest + 2, 0);
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
	struct axis axis = { h->low, h->high, 0, 0 };
	int page = page_of(&h->view);

	list_show(&h->list, page);
	lay_out(h, g->width, at);
	axis.x = at[CELL_PLOT].x;
	axis.width = at[CELL_PLOT].width;
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < CELL_PLOT; i++)
		part_title(g, at[i], 0, cells[i].title, cells[i].left, 0);
	draw_axis(&axis, g);
	for (int y = 0; y < page && h->list.top + (size_t)y < h->count; y++)
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
	if (h->count)
		draw_table(h, s, g);
	else if (h->rows.count == 0)
		part_say(g, (const char *const[]){ "no function passes the filter", NULL });
	else
		part_say(g, (const char *const[]){ "no durations in this stream",
			"It counts calls, or samples without counting them.", NULL });
}

/* --- acting ----------------------------------------------------------------------------------- */

static unsigned moved(struct histogram *h, struct view_shared *s)
{
	const struct span *span = h->list.cursor < h->count ? &h->spans[h->list.cursor] : NULL;
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
	uint64_t address = h->profile->functions[h->spans[h->list.cursor].function].address;

	map_put(&h->open, address, open);
	histogram_update(&h->view, s);
	place(h, address, false, 0);
	return moved(h, s);
}

static unsigned toggle_all(struct histogram *h, struct view_shared *s)
{
	bool any = false;

	for (size_t i = 0; i < h->count; i++)
		any |= h->spans[i].edge != PROFILE_NONE;
	map_clear(&h->open);
	for (size_t i = 0; i < h->count && !any; i++)
		map_put(&h->open, h->profile->functions[h->spans[i].function].address, 1);
	histogram_update(&h->view, s);
	place(h, h->seen, false, 0);
	return moved(h, s);
}

static bool line_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct histogram *h = k[0];
	const struct span *span = &h->spans[line];
	uint32_t f = span->edge == PROFILE_NONE ? span->function : h->profile->edges[span->edge].from;

	return f != PROFILE_NONE && part_matches(k[1], h->profile->functions[f].name);
}

static unsigned histogram_act(struct view *v, struct view_shared *s, enum action a)
{
	struct histogram *h = (struct histogram *)v;
	const void *ctx[] = { h, s };
	bool open;

	if (!h->profile || h->profile != s->profile || h->list.cursor >= h->count)
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
	if ((button != 1 && button != 2) || y < 1 || y > page_of(v) || line >= h->count)
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
	.title = "How long single calls take",
	.about =
		"From the shortest call to the longest, the dot is the average; the axis is logarithmic. "
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
