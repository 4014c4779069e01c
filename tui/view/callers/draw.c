/*
 * The table of callers and callees, and below it the call sites of the edge under the cursor with
 * how long their calls took; on the function's own line what else is known of it.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/view/callers/callers.h"
#include "tui/part/delta.h"
#include "tui/part/distribution.h"
#include "tui/part/skyline.h"
#include "tui/part/table.h"

#define WIDE 150		/* columns: durations stand beside the call sites, not below */

enum { EDGE_CELL_SHARE, EDGE_CELL_BAR, EDGE_CELL_TOTAL, EDGE_CELL_CALLS, EDGE_CELL_PER_CALL,
       EDGE_CELL_DELTA, EDGE_CELL_MIN, EDGE_CELL_P50, EDGE_CELL_P99, EDGE_CELL_MAX, EDGE_CELL_SITES,
       EDGE_CELL_FUNCTION, EDGE_CELL_FILE, EDGE_CELL_COUNT };

static const struct { const char *title; bool left; struct table_column column; } cells[] = {
	[EDGE_CELL_SHARE] = { "SHARE%", false, { 6, 6, 1 } },
	[EDGE_CELL_BAR] = { "", false, { 6, 12, 6 } },
	[EDGE_CELL_TOTAL] = { "TOTAL", false, { 8, 8, 3 } },
	[EDGE_CELL_CALLS] = { "CALLS", false, { 8, 8, 2 } },
	[EDGE_CELL_PER_CALL] = { "PER CALL", false, { 8, 8, 4 } },
	[EDGE_CELL_DELTA] = { "", false, { 0, 0, 0 } },	/* delta.h */
	[EDGE_CELL_MIN] = { "MIN", false, { 9, 9, 8 } },
	[EDGE_CELL_P50] = { "P50", false, { 8, 8, 10 } },
	[EDGE_CELL_P99] = { "P99", false, { 8, 8, 9 } },
	[EDGE_CELL_MAX] = { "MAX", false, { 9, 9, 7 } },
	[EDGE_CELL_SITES] = { "SITES", false, { 5, 5, 5 } },
	[EDGE_CELL_FUNCTION] = { "FUNCTION", true, { 0, 0, 0 } },
	[EDGE_CELL_FILE] = { "FILE", true, { 15, 36, 11 } },
};

/*
 * Below: what the function's lines leave of the height, at least half of it where they fit into the
 * other half, else a third.
 */
static int panel_of(const struct view *v)
{
	const struct callers *c = (const struct callers *)v;
	int lines = c->b.count < (size_t)v->height ? (int)c->b.count : v->height;

	if (v->height < 10)
		return 0;
	if (v->height < 18)
		return 4;
	if (lines + 2 + v->height / 2 <= v->height)
		return v->height - 2 - lines;
	return v->height / 3;
}

int callers_page(const struct view *v)
{
	return v->height - 1 - panel_of(v);
}

static void edge_spans(const struct callers *c, const struct view_shared *s, int width,
		       struct table_span *spans)
{
	struct table_column cell[EDGE_CELL_COUNT];

	for (size_t i = 0; i < EDGE_CELL_COUNT; i++)
		cell[i] = cells[i].column;
	cell[EDGE_CELL_FUNCTION] = table_name(width, c->b.longest + 3, 0);
	if (!c->files)
		cell[EDGE_CELL_FILE].width = 0;
	if (!c->b.times)
		cell[EDGE_CELL_TOTAL].width = cell[EDGE_CELL_PER_CALL].width = 0;
	if (!c->b.minmax)
		cell[EDGE_CELL_MIN].width = cell[EDGE_CELL_MAX].width = 0;
	if (!c->b.buckets)
		cell[EDGE_CELL_P50].width = cell[EDGE_CELL_P99].width = 0;
	cell[EDGE_CELL_DELTA] = delta_column(s, 4);
	table_layout(cell, EDGE_CELL_COUNT, width, spans);
}

/* The line that joins callers and callees to the function: ┌ ├ └. */
static const char *branch_mark(const struct callers *c, size_t line, bool utf8)
{
	if (c->b.lines[line].kind == BUTTERFLY_FUNCTION)
		return "";
	if (line == 0)
		return utf8 ? "┌─ " : ",- ";
	if (line + 1 == c->b.count)
		return utf8 ? "└─ " : "`- ";
	return utf8 ? "├─ " : "|- ";
}

static void draw_other_name(const struct callers *c, const struct view_shared *s, struct grid *g,
			    struct table_span at, int y, size_t line)
{
	const struct butterfly_line *l = &c->b.lines[line];
	const struct profile_function *f = NULL;
	int used = grid_text(g, at.x, y, at.width, ROLE_LABEL, branch_mark(c, line, g->utf8));
	const char *again = "";

	if (l->other < c->profile->function_count)
		f = &c->profile->functions[l->other];
	if (l->kind == BUTTERFLY_CALLER && f && f->address == c->address)
		again = g->utf8 ? " ↻" : " @";
	if (l->kind == BUTTERFLY_NOTE || !f) {
		grid_text(g, at.x + used, y, at.width - used, ROLE_DIM,
			  l->note ? l->note : part_nobody(&c->profile->edges[l->edge]));
		return;
	}
	used += naming_put(g, at.x + used, y, at.width - used,
			   l->kind == BUTTERFLY_FUNCTION ? ROLE_VALUE : part_role(f),
			   f->name, s->search);
	grid_text(g, at.x + used, y, at.width - used, ROLE_LABEL, again);
}

static void draw_extremes(const struct callers *c, struct grid *g, const struct table_span *at,
			  int y, const struct profile_edge *e)
{
	const struct profile *p = c->profile;
	bool known = profile_edge_range(e);

	part_call_time(g, at[EDGE_CELL_MIN], y, p, known ? profile_seconds(p, (double)e->min) : NAN,
		       e->flags & ROW_MIN_AT_LEAST);
	part_call_time(g, at[EDGE_CELL_MAX], y, p, known ? profile_seconds(p, (double)e->max) : NAN,
		       e->flags & ROW_MAX_AT_LEAST);
}

/* A call site whose total went below zero on the node adds nothing: the sum is a lower bound. */
static void draw_times(const struct callers *c, struct grid *g, const struct table_span *at, int y,
		       const struct profile_edge *e)
{
	double total = butterfly_total(&c->b, e), per_call = butterfly_per_call(&c->b, e);
	bool at_least = e->flags & ROW_TOTAL_NEGATIVE;

	part_at_least(g, at[EDGE_CELL_TOTAL], y, at_least && !(total > 0) ? NAN : total, at_least);
	if (e->timed)
		part_call_time(g, at[EDGE_CELL_PER_CALL], y, c->profile, per_call, false);
	else
		part_seconds(g, at[EDGE_CELL_PER_CALL], y, per_call);
}

static void draw_edge(const struct callers *c, struct grid *g, const struct table_span *at, int y,
		      const struct butterfly_line *l)
{
	const struct profile_edge *e = &c->profile->edges[l->edge];

	part_percent(g, at[EDGE_CELL_SHARE], y, l->share);
	part_bar(g, at[EDGE_CELL_BAR], y, l->share, l->share);
	draw_times(c, g, at, y, e);
	part_calls(g, at[EDGE_CELL_CALLS], y, ROLE_NUMBER, (double)e->calls, e->flags & ROW_LOST);
	part_count(g, at[EDGE_CELL_SITES], y, e->sites);
	draw_extremes(c, g, at, y, e);
}

/* The function's own line: the same columns of core/profile as in the flat view. */
static void draw_function(const struct callers *c, struct grid *g, const struct table_span *at,
			  int y, const struct profile_function *f)
{
	static const struct { uint8_t cell, column; } same[] = {
		{ EDGE_CELL_TOTAL, COLUMN_TOTAL }, { EDGE_CELL_PER_CALL, COLUMN_PER_CALL },
		{ EDGE_CELL_MIN, COLUMN_MIN }, { EDGE_CELL_MAX, COLUMN_MAX },
	};
	struct column_data data = { .profile = c->profile };
	char text[COLUMN_TEXT];

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		columns[same[i].column].format(&data, f, text, sizeof(text));
		part_cell(g, at[same[i].cell], y, ROLE_VALUE, text);
	}
	part_calls(g, at[EDGE_CELL_CALLS], y, ROLE_VALUE, f->called ? (double)f->calls : NAN,
		   f->incomplete);
	part_count(g, at[EDGE_CELL_SITES], y, f->called ? f->sites : NAN);
}

static void draw_butterfly_line(const struct callers *c, const struct view_shared *s,
				struct grid *g, const struct table_span *at, int y, size_t line)
{
	const struct butterfly_line *l = &c->b.lines[line];

	if (l->edge != PROFILE_NONE) {
		draw_edge(c, g, at, y, l);
		delta_edge(g, at[EDGE_CELL_DELTA], y, s, l->edge, COMPARE_PER_CALL);
	} else if (l->kind == BUTTERFLY_FUNCTION) {
		draw_function(c, g, at, y, &c->profile->functions[l->other]);
		delta_function(g, at[EDGE_CELL_DELTA], y, s, l->other, COMPARE_PER_CALL);
	}
	if (l->kind != BUTTERFLY_NOTE) {
		part_percentile(g, at[EDGE_CELL_P50], y, c->profile, l->p50);
		part_percentile(g, at[EDGE_CELL_P99], y, c->profile, l->p99);
	}
	if (l->other != PROFILE_NONE)
		part_file(g, at[EDGE_CELL_FILE], y, c->profile->functions[l->other].file,
			  c->profile->functions[l->other].line);
	draw_other_name(c, s, g, at[EDGE_CELL_FUNCTION], y, line);
	if (line == c->list.cursor)
		grid_select_row(g, y);
}

static void draw_edge_titles(struct grid *g, const struct table_span *spans)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < EDGE_CELL_COUNT; i++)
		part_title(g, spans[i], 0, cells[i].title, cells[i].left, 0);
	delta_title(g, spans[EDGE_CELL_DELTA], 0, 0);
}

/* --- the panel -------------------------------------------------------------------------------- */

/*
 * How long the calls took, where at least the most of it has room: the first free line below. With
 * buckets it takes what a skyline can use.
 */
static int draw_durations(const struct callers *c, const struct view_shared *s, struct grid *g,
			  const struct duration *d, const char *title)
{
	int need = distribution_lines(d) + 1;
	int most = d->has_buckets ? need + 1 + SKYLINE_MOST : need;
	struct grid part = grid_sub(g, 0, 0, g->width, g->height < most ? g->height : most);

	if (g->width < 40 || g->height < need)
		return 0;
	distribution_draw(&part, &(struct distribution){
		.profile = c->profile, .line = d, .title = title, .node = s->node });
	return part.height + 1;
}

/* The rest of the rectangle: beside lines [y, end), or below them. */
static struct grid rest_of(struct grid *g, int y, int end, int left)
{
	if (left < g->width)
		return grid_sub(g, left + 2, y, g->width - left - 2, g->height - y);
	return grid_sub(g, 0, end + 1, g->width, g->height - end - 1);
}

/* Columns of the panel's left part. */
static int left_of(const struct grid *g)
{
	return g->width >= WIDE ? g->width * 5 / 9 : g->width;
}

/* The call sites of the other edges, from line y of the rectangle on: the first free line. */
static int draw_other_sites(struct callers *c, const struct view_shared *s, struct grid *g, int y,
			     uint32_t but)
{
	const struct image *im = s->node ? node_image(s->node) : NULL;

	c->others.plain = true;
	for (size_t i = 0; i < c->b.count && y + 1 < g->height; i++) {
		uint32_t edge = c->b.lines[i].edge;
		struct grid part;
		int lines;

		if (edge == PROFILE_NONE || edge == but ||
		    c->profile->edges[edge].sites > SITES_MAX)
			continue;
		sites_find(&c->others, c->profile, edge);
		lines = 1 + (int)c->others.count;
		part = grid_sub(g, 0, y, g->width, lines < g->height - y ? lines : g->height - y);
		sites_draw(&c->others, c->profile, im, &part, edge);
		y += lines + 1;
	}
	return y;
}

/*
 * What else there is, in the free lines of the left part (where it is wide) and of the rectangle
 * beside it, or below. Durations of other edges belong below those of this one.
 */
static void draw_free(struct callers *c, const struct view_shared *s, struct grid *left, int left_y,
		      struct grid *beside, int beside_y, uint32_t edge, bool buckets)
{
	struct grid below = grid_sub(beside, 0, beside_y, beside->width,
				     beside->height - beside_y);

	if (!left || !buckets) {
		callers_draw_room(c, s, beside, beside_y, edge);
		return;
	}
	callers_draw_others(c, &below, edge);
	callers_draw_room(c, s, left, left_y, edge);
}

/* "crc16 from app.c:17", what the chosen site's durations are of. */
static void site_title(const struct callers *c, const struct image *im,
		       const struct profile_edge *e, uint32_t site, char *dst, size_t size)
{
	const char *callee = c->profile->functions[e->to].name;
	char place[300];

	sites_place(im, &c->profile->sites[site], false, place, sizeof(place));
	if (e->flags & ROW_HANDLER)
		snprintf(dst, size, "%s", callee);
	else if (*place == '(')
		snprintf(dst, size, "%s from 0x%05x", callee,
			 (unsigned)c->profile->sites[site].from);
	else
		snprintf(dst, size, "%s from %s", callee, place);
}

static void draw_sites(struct callers *c, const struct view_shared *s, struct grid *g, int y,
		       uint32_t edge)
{
	const struct image *im = s->node ? node_image(s->node) : NULL;
	const struct profile_edge *e = &c->profile->edges[edge];
	int lines = 1 + (int)c->sites.count, room = g->height - y, left = left_of(g), used = 0;
	bool wide = left < g->width;
	uint32_t site = sites_chosen(&c->sites);
	struct duration d = { .has_buckets = false };
	struct grid part, rest;
	char title[600];

	lines = lines < room ? lines : room;
	part = grid_sub(g, 0, y, left, wide ? room : lines);
	sites_draw(&c->sites, c->profile, im, &part, edge);
	c->site_y = y + 1;
	c->site_rows = part.height - 1;
	c->site_width = left;
	rest = rest_of(g, y, y + lines, left);
	if (e->timed && site != PROFILE_NONE) {
		d = duration_of_site(c->profile, site);
		site_title(c, im, e, site, title, sizeof(title));
		used = draw_durations(c, s, &rest, &d, title);
		if (!wide && !d.has_buckets)
			used = draw_other_sites(c, s, &rest, used, edge);
	}
	if (wide)
		lines = draw_other_sites(c, s, &part, lines + 1, edge);
	draw_free(c, s, wide ? &part : NULL, lines, &rest, used, edge, d.has_buckets);
}

static void draw_facts(struct callers *c, const struct view_shared *s, struct grid *g, int y,
		       uint32_t function)
{
	int left = left_of(g), used = 0;
	struct grid part = grid_sub(g, 0, 0, left, g->height), rest;
	int end = facts_draw(&c->spots, c->profile, s->node ? node_image(s->node) : NULL, &part, y,
			     function);
	struct duration d = duration_of_function(c->profile, function);
	bool wide = left < g->width;

	rest = rest_of(g, y, end, left);
	if (d.max > 0)
		used = draw_durations(c, s, &rest, &d, c->profile->functions[function].name);
	if (wide)
		end = draw_other_sites(c, s, &part, end + 1, PROFILE_NONE);
	else if (!d.has_buckets)
		used = draw_other_sites(c, s, &rest, used, PROFILE_NONE);
	draw_free(c, s, wide ? &part : NULL, end, &rest, used, PROFILE_NONE, d.has_buckets);
}

void callers_draw_all(struct callers *c, const struct view_shared *s, struct grid *g)
{
	struct table_span spans[EDGE_CELL_COUNT];
	const struct butterfly_line *at;
	int page = callers_page(&c->view);

	if (c->center)
		c->list.top = c->b.middle > (size_t)page / 2 ? c->b.middle - (size_t)page / 2 : 0;
	c->center = false;
	list_show(&c->list, page);
	edge_spans(c, s, g->width, spans);
	draw_edge_titles(g, spans);
	for (int y = 0; y < page && c->list.top + (size_t)y < c->b.count; y++)
		draw_butterfly_line(c, s, g, spans, y + 1, c->list.top + (size_t)y);
	at = callers_cursor(c);
	c->site_rows = 0;
	if (panel_of(&c->view) && at && at->edge != PROFILE_NONE)
		draw_sites(c, s, g, page + 1, at->edge);
	else if (panel_of(&c->view))
		draw_facts(c, s, g, page + 1, c->b.lines[c->b.middle].other);
}

