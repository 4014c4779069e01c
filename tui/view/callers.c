/*
 * callers: one function with who calls it above and whom it calls below, as in gprof's call graph.
 *
 *	callers, the dearest nearest to the middle
 *	the function
 *	callees, the dearest first
 *	------
 *	the call sites of the edge under the cursor, with their source lines; or, on the function
 *	itself, where inside it its samples fell
 *
 * Enter walks to the caller or callee under the cursor, u goes back the way one came.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/butterfly.h"
#include "tui/view/facts.h"
#include "tui/view/parts.h"
#include "tui/view/sites.h"
#include "tui/view/views.h"

#define HISTORY 64

enum { CELL_SHARE, CELL_BAR, CELL_TOTAL, CELL_CALLS, CELL_PER_CALL, CELL_MIN, CELL_MAX, CELL_SITES,
       CELL_FUNCTION, CELL_FILE, CELL_COUNT };

static const struct { const char *title; bool left; struct table_column column; } cells[] = {
	[CELL_SHARE] = { "SHARE%", false, { 6, 6, 1 } },
	[CELL_BAR] = { "", false, { 6, 12, 6 } },
	[CELL_TOTAL] = { "TOTAL", false, { 8, 8, 3 } },
	[CELL_CALLS] = { "CALLS", false, { 8, 8, 2 } },
	[CELL_PER_CALL] = { "PER CALL", false, { 8, 8, 4 } },
	[CELL_MIN] = { "MIN", false, { 9, 9, 8 } },
	[CELL_MAX] = { "MAX", false, { 9, 9, 7 } },
	[CELL_SITES] = { "SITES", false, { 5, 5, 5 } },
	[CELL_FUNCTION] = { "FUNCTION", true, { 0, 0, 0 } },
	[CELL_FILE] = { "FILE", true, { 15, 36, 9 } },
};

struct callers {
	struct view view;
	struct butterfly b;
	struct list list;
	const struct profile *profile;
	uint64_t address;			/* of the function in the middle */
	enum line_kind at_kind;			/* the cursor's line, by what survives a recompute */
	uint64_t at_address;
	bool files;				/* some function's file is known */
	uint64_t history[HISTORY];		/* where one came from, a ring */
	size_t depth;
	struct sites sites;			/* of the edge under the cursor */
	struct spots spots;			/* of the function in the middle */
};

static void callers_release(struct view *v)
{
	struct callers *c = (struct callers *)v;

	butterfly_release(&c->b);
	spots_release(&c->spots);
}

/* The function to show: the selected one, else the dearest. */
static uint32_t function_shown(const struct view_shared *s)
{
	const struct profile *p = s->profile;
	uint32_t best = view_selected(s);

	if (best != PROFILE_NONE)
		return best;
	for (uint32_t i = 0; i < p->function_count; i++) {
		if (best == PROFILE_NONE || p->functions[i].self_s > p->functions[best].self_s ||
		    isnan(p->functions[best].self_s))
			best = i;
	}
	return best;
}

/* --- cursor ----------------------------------------------------------------------------------- */

static const struct line *cursor_line(const struct callers *c)
{
	return c->list.cursor < c->b.count ? &c->b.lines[c->list.cursor] : NULL;
}

static uint64_t line_address(const struct callers *c, const struct line *l)
{
	return l->other < c->profile->function_count ? c->profile->functions[l->other].address :
						       UINT64_MAX;
}

/* Remember the line by what survives a recompute, and find its call sites. */
static void cursor_moved(struct callers *c)
{
	const struct line *l = cursor_line(c);

	c->at_kind = l ? l->kind : LINE_FUNCTION;
	c->at_address = l ? line_address(c, l) : UINT64_MAX;
	sites_find(&c->sites, c->profile, l ? l->edge : PROFILE_NONE);
}

static void cursor_find(struct callers *c)
{
	c->list.cursor = c->b.middle;
	for (size_t i = 0; i < c->b.count; i++) {
		if (c->b.lines[i].kind == c->at_kind &&
		    line_address(c, &c->b.lines[i]) == c->at_address)
			c->list.cursor = i;
	}
	cursor_moved(c);
}

static void callers_update(struct view *v, const struct view_shared *s)
{
	struct callers *c = (struct callers *)v;
	uint32_t function = s->profile ? function_shown(s) : PROFILE_NONE;

	c->profile = s->profile;
	butterfly_build(&c->b, s->profile, function);
	c->list.count = c->b.count;
	if (function == PROFILE_NONE)
		return;
	if (c->address != s->profile->functions[function].address)
		c->at_kind = LINE_FUNCTION;
	c->address = s->profile->functions[function].address;
	c->files = part_has_files(s->profile);
	cursor_find(c);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Below: half of the height where the function's lines fit into the other half. */
static int panel_of(const struct view *v)
{
	const struct callers *c = (const struct callers *)v;

	if (v->height < 10)
		return 0;
	if (v->height < 18)
		return 4;
	return (int)c->b.count < v->height / 2 ? v->height / 2 : v->height / 3;
}

static int page_of(const struct view *v)
{
	return v->height - 1 - panel_of(v);
}

static void lay_out(const struct callers *c, int width, struct table_span *spans)
{
	struct table_column cell[CELL_COUNT];

	for (size_t i = 0; i < CELL_COUNT; i++)
		cell[i] = cells[i].column;
	cell[CELL_FUNCTION] = table_name(width, c->b.longest + 3, 0);
	if (!c->files)
		cell[CELL_FILE].width = 0;
	if (!c->b.times)
		cell[CELL_TOTAL].width = cell[CELL_PER_CALL].width = 0;
	if (!c->b.minmax)
		cell[CELL_MIN].width = cell[CELL_MAX].width = 0;
	table_layout(cell, CELL_COUNT, width, spans);
}

/* The line that joins callers and callees to the function: ┌ ├ └. */
static const char *branch(const struct callers *c, size_t line, bool utf8)
{
	if (c->b.lines[line].kind == LINE_FUNCTION)
		return "";
	if (line == 0)
		return utf8 ? "┌─ " : ",- ";
	if (line + 1 == c->b.count)
		return utf8 ? "└─ " : "`- ";
	return utf8 ? "├─ " : "|- ";
}

static void draw_name(const struct callers *c, const struct view_shared *s, struct grid *g,
		      struct table_span at, int y, size_t line)
{
	const struct line *l = &c->b.lines[line];
	const struct profile_function *f = NULL;
	int used = grid_text(g, at.x, y, at.width, ROLE_LABEL, branch(c, line, g->utf8));
	const char *again = "";

	if (l->other < c->profile->function_count)
		f = &c->profile->functions[l->other];
	if (l->kind == LINE_CALLER && f && f->address == c->address)
		again = g->utf8 ? " ↻" : " @";
	if (l->kind == LINE_NOTE || !f) {
		grid_text(g, at.x + used, y, at.width - used, ROLE_DIM,
			  l->note ? l->note : part_nobody(&c->profile->edges[l->edge]));
		return;
	}
	used += part_name(g, at.x + used, y, at.width - used,
			  l->kind == LINE_FUNCTION ? ROLE_VALUE : part_role(f), f->name, s->search);
	grid_text(g, at.x + used, y, at.width - used, ROLE_LABEL, again);
}

static void draw_extremes(const struct callers *c, struct grid *g, const struct table_span *at,
			  int y, const struct profile_edge *e)
{
	const struct profile *p = c->profile;
	bool known = profile_edge_range(e);

	part_call_time(g, at[CELL_MIN], y, p, known ? profile_seconds(p, (double)e->min) : NAN,
		       e->flags & ROW_MIN_AT_LEAST);
	part_call_time(g, at[CELL_MAX], y, p, known ? profile_seconds(p, (double)e->max) : NAN,
		       e->flags & ROW_MAX_AT_LEAST);
}

static void draw_per_call(const struct callers *c, struct grid *g, struct table_span at, int y,
			  const struct profile_edge *e, double seconds)
{
	if (e->timed)
		part_call_time(g, at, y, c->profile, seconds, false);
	else
		part_seconds(g, at, y, seconds);
}

/* A call site whose total went below zero on the node gives none: the others' is the least it was. */
static void draw_times(const struct callers *c, struct grid *g, const struct table_span *at, int y,
		       const struct profile_edge *e)
{
	double total = butterfly_total(&c->b, e);
	char text[24] = ">=";

	if (!(e->flags & ROW_TOTAL_NEGATIVE)) {
		part_seconds(g, at[CELL_TOTAL], y, total);
		draw_per_call(c, g, at[CELL_PER_CALL], y, e, e->calls ? total / (double)e->calls : NAN);
		return;
	}
	text_seconds(text + 2, 16, total);
	part_cell(g, at[CELL_TOTAL], y, ROLE_NUMBER, total > 0 ? text : "");
	part_seconds(g, at[CELL_PER_CALL], y, NAN);
}

static void draw_edge(const struct callers *c, struct grid *g, const struct table_span *at, int y,
		      const struct line *l)
{
	const struct profile_edge *e = &c->profile->edges[l->edge];

	part_percent(g, at[CELL_SHARE], y, l->share);
	part_bar(g, at[CELL_BAR], y, l->share, l->share);
	draw_times(c, g, at, y, e);
	part_count(g, at[CELL_CALLS], y, (double)e->calls);
	part_count(g, at[CELL_SITES], y, e->sites);
	draw_extremes(c, g, at, y, e);
}

/* The function's own line: the columns of core/profile say what they say in the flat view. */
static void draw_function(const struct callers *c, struct grid *g, const struct table_span *at,
			  int y, const struct profile_function *f)
{
	static const struct { uint8_t cell, column; } same[] = {
		{ CELL_TOTAL, COLUMN_TOTAL }, { CELL_CALLS, COLUMN_CALLS },
		{ CELL_PER_CALL, COLUMN_PER_CALL }, { CELL_MIN, COLUMN_MIN },
		{ CELL_MAX, COLUMN_MAX },
	};
	struct column_data data = { .profile = c->profile };
	char text[COLUMN_TEXT];

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		columns[same[i].column].format(&data, f, text, sizeof(text));
		part_cell(g, at[same[i].cell], y, ROLE_VALUE, text);
	}
	part_count(g, at[CELL_SITES], y, f->called ? f->sites : NAN);
}

static void draw_line(const struct callers *c, const struct view_shared *s, struct grid *g,
		      const struct table_span *at, int y, size_t line)
{
	const struct line *l = &c->b.lines[line];

	if (l->edge != PROFILE_NONE)
		draw_edge(c, g, at, y, l);
	else if (l->kind == LINE_FUNCTION)
		draw_function(c, g, at, y, &c->profile->functions[l->other]);
	if (l->other != PROFILE_NONE)
		part_file(g, at[CELL_FILE], y, c->profile->functions[l->other].file,
			  c->profile->functions[l->other].line);
	draw_name(c, s, g, at[CELL_FUNCTION], y, line);
	if (line == c->list.cursor)
		grid_select_row(g, y);
}

static void draw_titles(struct grid *g, const struct table_span *spans)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < CELL_COUNT; i++)
		part_title(g, spans[i], 0, cells[i].title, cells[i].left, 0);
}

static void callers_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct callers *c = (struct callers *)v;
	struct table_span spans[CELL_COUNT];
	const struct line *at;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (c->profile != s->profile || (s->has_selected && c->address != s->selected_address))
		callers_update(v, s);
	if (part_empty(g, s) || c->b.count == 0)
		return;
	page = page_of(v);
	list_show(&c->list, page);
	lay_out(c, g->width, spans);
	draw_titles(g, spans);
	for (int y = 0; y < page && c->list.top + (size_t)y < c->b.count; y++)
		draw_line(c, s, g, spans, y + 1, c->list.top + (size_t)y);
	at = cursor_line(c);
	if (panel_of(v) && at && at->edge != PROFILE_NONE)
		sites_draw(&c->sites, c->profile, s->node ? s->node->image : NULL, g, page + 1,
			   at->edge);
	else if (panel_of(v))
		facts_draw(&c->spots, c->profile, s->node ? s->node->image : NULL, g, page + 1,
			   c->b.lines[c->b.middle].other);
}

/* --- acting ----------------------------------------------------------------------------------- */

static unsigned walk(struct callers *c, struct view_shared *s, uint32_t function)
{
	if (function >= c->profile->function_count ||
	    c->profile->functions[function].address == c->address)
		return VIEW_HANDLED;
	c->history[c->depth++ % HISTORY] = c->address;
	view_select(s, function);
	callers_update(&c->view, s);
	return VIEW_REDRAW;
}

static unsigned walk_back(struct callers *c, struct view_shared *s)
{
	if (c->depth == 0)
		return VIEW_HANDLED;
	s->selected_address = c->history[--c->depth % HISTORY];
	/* A ring: what was overwritten cannot be gone back to. */
	if (c->depth && c->history[(c->depth - 1) % HISTORY] == c->address)
		c->depth = 0;
	callers_update(&c->view, s);
	return VIEW_REDRAW;
}

static bool line_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct callers *c = k[0];
	uint32_t other = c->b.lines[line].other;

	return other != PROFILE_NONE && part_matches(k[1], c->profile->functions[other].name);
}

static unsigned search(struct callers *c, const struct view_shared *s, bool backwards)
{
	const void *ctx[] = { c, s };

	if (!list_search(&c->list, backwards, line_matches, ctx))
		return VIEW_NO_MATCH;
	cursor_moved(c);
	return VIEW_REDRAW;
}

/* The dearest callee stands right below the function. */
static uint32_t longest_callee(const struct callers *c)
{
	return c->b.middle + 1 < c->b.count ? c->b.lines[c->b.middle + 1].other : PROFILE_NONE;
}

static unsigned callers_act(struct view *v, struct view_shared *s, enum action a)
{
	struct callers *c = (struct callers *)v;

	if (!c->profile || c->profile != s->profile || c->b.count == 0)
		return VIEW_NOTHING;
	if (!s->has_selected)
		view_select(s, c->b.lines[c->b.middle].other);
	if (list_act(&c->list, a, page_of(v))) {
		cursor_moved(c);
		return VIEW_REDRAW;
	}
	if (part_searches(a))
		return search(c, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER:
	case ACTION_RIGHT: return walk(c, s, c->b.lines[c->list.cursor].other);
	case ACTION_LONGEST_CHILD: return walk(c, s, longest_callee(c));
	case ACTION_PARENT:
	case ACTION_LEFT: return walk_back(c, s);
	default: return VIEW_NOTHING;
	}
}

static unsigned callers_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct callers *c = (struct callers *)v;
	size_t line = c->list.top + (size_t)(y - 1);

	(void)x;
	if (!c->profile || c->profile != s->profile || c->b.count == 0)
		return VIEW_NOTHING;
	if (list_wheel(&c->list, button, page_of(v))) {
		cursor_moved(c);
		return VIEW_REDRAW;
	}
	if ((button != 1 && button != 2) || y < 1 || y > page_of(v) || line >= c->b.count)
		return VIEW_NOTHING;
	c->list.cursor = line;
	cursor_moved(c);
	return button == 2 ? walk(c, s, c->b.lines[line].other) : VIEW_REDRAW;
}

static size_t callers_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = {
		ACTION_ENTER, ACTION_PARENT, ACTION_LONGEST_CHILD, ACTION_SEARCH, ACTION_FREEZE,
		ACTION_EXPORT,
	};

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

const struct view_ops view_callers_ops = {
	.name = "callers",
	.title = "Who calls a function, and whom it calls",
	.about =
		"Callers stand above the function, callees below; the dearest are nearest to it. "
		"(interrupt): a handler, which nothing calls. TOTAL, "
		"PER CALL, MIN and MAX of a line are those of the calls from that caller to that callee. "
		"SHARE is of the function's time, or of its calls where no time is known. Below are the "
		"places in the source that make these calls; on the function's own line, where inside it "
		"the PC samples fell.",
	.action = ACTION_VIEW_CALLERS,
	.size = sizeof(struct callers),
	.release = callers_release,
	.update = callers_update,
	.draw = callers_draw,
	.act = callers_act,
	.mouse = callers_mouse,
	.hints = callers_hints,
};
