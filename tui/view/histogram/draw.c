/*
 * The table of durations, and below it the line under the cursor drawn large, with the longest
 * calls.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/profile/look/rows.h"
#include "tui/part/axis.h"
#include "tui/part/delta.h"
#include "tui/part/distribution.h"
#include "tui/part/skyline.h"
#include "tui/view/histogram/histogram.h"
#include "tui/view/histogram/latched.h"

#define WIDE 150		/* columns: the longest calls stand beside the distribution */

const struct histogram_column histogram_columns[HISTOGRAM_CELLS] = {
	[HISTOGRAM_FUNCTION] = { "FUNCTION", true, COLUMN_FUNCTION, 0, { 0, 0, 0 } },
	[HISTOGRAM_CALLS] = { "CALLS", false, COLUMN_CALLS, 0, { 8, 8, 2 } },
	[HISTOGRAM_MIN] = { "MIN", false, COLUMN_MIN, 0, { 8, 8, 6 } },
	[HISTOGRAM_AVERAGE] = { "PER CALL", false, COLUMN_PER_CALL, 0, { 8, 8, 3 } },
	[HISTOGRAM_DELTA] = { "", false, COLUMN_COUNT, 0, { 0, 0, 0 } },	/* delta.h */
	[HISTOGRAM_P50] = { "P50", false, COLUMN_P50, 0.50, { 8, 8, 7 } },
	[HISTOGRAM_P90] = { "P90", false, COLUMN_P90, 0.90, { 8, 8, 8 } },
	[HISTOGRAM_P99] = { "P99", false, COLUMN_P99, 0.99, { 8, 8, 4 } },
	[HISTOGRAM_MAX] = { "MAX", false, COLUMN_MAX, 0, { 9, 9, 5 } },
	[HISTOGRAM_WORST] = { "WORST", false, COLUMN_COUNT, 0, { 9, 9, 9 } },
	[HISTOGRAM_AGO] = { "AGO", false, COLUMN_COUNT, 0, { 7, 7, 9 } },
	[HISTOGRAM_PLOT] = { "", true, COLUMN_COUNT, 0, { 20, 400, 1 } },
};


/* --- the table -------------------------------------------------------------------------------- */

/*
 * Lines of the panel below, its title included: up to half of the height, and what the list does
 * not need.
 */
static int panel_lines(const struct view *v)
{
	const struct histogram *h = (const struct histogram *)v;
	int half = v->height / 2, wants = h->lines.any_buckets ? 2 + WIRE_BUCKETS + 1 : 6;
	int count = h->lines.count < (size_t)v->height ? (int)h->lines.count : v->height;
	int spare = v->height - 2 - count;

	if (v->height < 16)
		return 0;
	if (h->lines.any_buckets && half > wants + SKYLINE_LEAST)
		wants += SKYLINE_MOST;
	if (v->width < WIDE)
		wants += half > wants + 3 ? WORST_LINES : 0;
	wants = wants < half ? wants : half;
	return spare > wants ? spare : wants;
}

int histogram_page(const struct view *v)
{
	return v->height - 1 - (v->height >= 6) - panel_lines(v);
}

/* Returns the columns used. */
static int draw_caller(const struct histogram *h, const struct view_shared *s, struct grid *g,
		       int x, int y, int width, const struct duration *d)
{
	const struct profile_edge *e = &h->profile->edges[d->edge];
	bool nobody = e->from == PROFILE_NONE;

	return naming_put(g, x, y, width, nobody ? ROLE_DIM : ROLE_NAME,
			  nobody ? part_nobody(e) : h->profile->functions[e->from].name, s->search);
}

static void draw_duration_name(const struct histogram *h, const struct view_shared *s,
			       struct grid *g, struct table_span at, int y,
			       const struct duration *d)
{
	const struct profile_function *f = &h->profile->functions[d->function];
	int x;

	if (d->edge == PROFILE_NONE) {
		x = grid_text(g, at.x, y, at.width, ROLE_LABEL, histogram_is_open(h, f->address) ?
			      (g->utf8 ? "▾ " : "- ") : (g->utf8 ? "▸ " : "+ "));
		naming_put(g, at.x + x, y, at.width - x, part_role(f), f->name, s->search);
		return;
	}
	if (h->mode != HISTOGRAM_MODE_EDGES) {
		x = grid_text(g, at.x, y, at.width, ROLE_LABEL, "    from ");
		draw_caller(h, s, g, at.x + x, y, at.width - x, d);
		return;
	}
	x = draw_caller(h, s, g, at.x, y, at.width, d);
	x += grid_text(g, at.x + x, y, at.width - x, ROLE_LABEL, " > ");
	naming_put(g, at.x + x, y, at.width - x, part_role(f), f->name, s->search);
}

static void draw_percentiles(const struct histogram *h, struct grid *g, const struct table_span *at,
			     int y, const struct duration *d)
{
	for (size_t i = HISTOGRAM_P50; i <= HISTOGRAM_P99; i++) {
		if (at[i].width)
			part_percentile(g, at[i], y, h->profile,
					duration_percentile(h->profile, d,
							    histogram_columns[i].percentile));
	}
}

static void draw_worst_call(const struct view_shared *s, struct grid *g,
			    const struct table_span *at, int y, const struct duration *d)
{
	const struct worst_call *c = NULL;
	char age[24] = "";

	if (at[HISTOGRAM_WORST].width)
		c = latched_of(s, d->function, d->edge);

	part_call_time(g, at[HISTOGRAM_WORST], y, s->model.profile, c ? c->seconds : NAN,
		       c && c->at_least);
	part_cell(g, at[HISTOGRAM_AGO], y, ROLE_LABEL,
		  c ? latched_age(s, c, age, sizeof(age)) : "");
}

static void draw_duration(const struct histogram *h, const struct view_shared *s, struct grid *g,
			  const struct axis *a, int y, size_t line)
{
	const struct duration *d = &h->lines.items[line];
	const struct table_span *at = h->spans;

	draw_duration_name(h, s, g, at[HISTOGRAM_FUNCTION], y, d);
	part_count(g, at[HISTOGRAM_CALLS], y, d->calls);
	part_call_time(g, at[HISTOGRAM_MIN], y, h->profile, d->min, d->min_at_least);
	part_call_time(g, at[HISTOGRAM_AVERAGE], y, h->profile, d->average, false);
	if (d->edge != PROFILE_NONE)
		delta_edge(g, at[HISTOGRAM_DELTA], y, s, d->edge, COMPARE_PER_CALL);
	else
		delta_function(g, at[HISTOGRAM_DELTA], y, s, d->function, COMPARE_PER_CALL);
	draw_percentiles(h, g, at, y, d);
	part_call_time(g, at[HISTOGRAM_MAX], y, h->profile, d->max, d->at_least);
	draw_worst_call(s, g, at, y, d);
	axis_draw_grid(a, g, y);
	if (!axis_draw_buckets(a, g, y, h->profile, d))
		axis_draw_span(a, g, y, d);
	if (line == h->list.cursor)
		grid_select_row(g, y);
}

static void lay_out_durations(struct histogram *h, const struct view_shared *s, int width)
{
	struct table_column c[HISTOGRAM_CELLS];

	for (size_t i = 0; i < HISTOGRAM_CELLS; i++)
		c[i] = histogram_columns[i].column;
	c[HISTOGRAM_FUNCTION] = table_name(width, h->lines.longest + 2, 0);
	/* Numbers get at most half of the width, or 5/8: the plot is the purpose of this view. */
	c[HISTOGRAM_PLOT].width = width >= WIDE ? width * 3 / 8 : width / 2 > 20 ? width / 2 : 20;
	for (size_t i = HISTOGRAM_P50; i <= HISTOGRAM_P99 && !h->lines.any_buckets; i++)
		c[i].width = 0;
	if (!s->node || !node_link(s->node) || !link_is_live(node_link(s->node)))
		c[HISTOGRAM_WORST].width = c[HISTOGRAM_AGO].width = 0;
	c[HISTOGRAM_DELTA] = delta_column(s, 4);
	table_layout(c, HISTOGRAM_CELLS, width, h->spans);
}

static void draw_duration_titles(const struct histogram *h, const struct view_shared *s,
				 struct grid *g)
{
	bool changes = rows_by_change(&h->order) && h->mode != HISTOGRAM_MODE_EDGES;
	int direction = s->order.inverted ? -1 : 1;

	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < HISTOGRAM_PLOT; i++) {
		const struct histogram_column *c = &histogram_columns[i];
		bool edges = i == HISTOGRAM_FUNCTION && h->mode == HISTOGRAM_MODE_EDGES;
		int sorted = c->sort != s->order.column || c->sort == COLUMN_COUNT || changes ?
			     0 : direction;

		part_title(g, h->spans[i], 0, edges ? "CALLER > CALLEE" : c->title, c->left,
			   sorted);
	}
	delta_title(g, h->spans[HISTOGRAM_DELTA], 0, changes ? direction : 0);
}

static void draw_histogram_footer(const struct histogram *h, struct grid *g, int y)
{
	bool estimated = profile_estimated(h->profile);
	size_t with = h->mode == HISTOGRAM_MODE_EDGES ? h->lines.count : h->rows.count - h->without;
	const char *warning = estimated ? "~ estimate: the profiler's own cost subtracted" : "";
	char text[300];
	int n = snprintf(text, sizeof(text), "%s %s%s with durations", TEXT_WHOLE(with),
			 h->mode == HISTOGRAM_MODE_EDGES ? "edge" : "function",
			 with == 1 ? "" : "s");

	if (h->mode != HISTOGRAM_MODE_EDGES && (!estimated || g->width >= 100))
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", %s without",
			      TEXT_WHOLE(h->without));
	/* Once: percentiles are right to the bucket. */
	if (h->lines.any_buckets && !estimated && g->width >= 80)
		snprintf(text + n, sizeof(text) - (size_t)n, "  %s",
			 axis_legend(g->utf8, g->width >= 110, h->profile->fine_count > 0));
	part_footer(g, y, text, warning);
}

/* --- the panel -------------------------------------------------------------------------------- */

static void draw_way(const struct histogram *h, const struct view_shared *s, struct grid *g, int y,
		     size_t line, const char *lead)
{
	const struct profile_edge *e = &h->profile->edges[h->worst[line]];
	const struct worst_call *c = latched_of(s, e->to, h->worst[line]);
	char text[600], time[24], when[80], way[400];
	int x;

	if (!c)
		return;
	column_call_time(h->profile, c->seconds, c->at_least, time, sizeof(time));
	latched_when(s, c, when, sizeof(when));
	latched_way(s, c, h->profile->functions[e->to].name, way, sizeof(way));
	x = grid_text(g, 0, y, g->width, ROLE_LABEL, lead);
	x += grid_text(g, x, y, g->width - x, ROLE_VALUE, time);
	snprintf(text, sizeof(text), "%s%s: %s", *when ? ", " : "", when, way);
	grid_text(g, x, y, g->width - x, ROLE_NAME, text);
}

static void draw_ways(const struct histogram *h, const struct view_shared *s, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	grid_text(g, 0, 0, g->width, ROLE_TITLE,
		  h->worst_count > 1 ? "longest call so far, by caller" : "longest call so far");
	if (!h->worst_count)
		grid_text(g, 0, 1, g->width, ROLE_LABEL, "(not known, or none since the reset)");
	for (size_t i = 0; i < h->worst_count && (int)i + 1 < g->height; i++)
		draw_way(h, s, g, (int)i + 1, i, "");
}

/*
 * The callers of the cursor's function, each with its own histogram on the list's axis. The lines
 * that they take.
 */
static int draw_by_caller(const struct histogram *h, const struct view_shared *s, struct grid *g,
			   const struct duration *d)
{
	enum { CALLS = 9, AVERAGE = 9, GAP = 2 };
	int name = g->width / 4, plot = name + CALLS + AVERAGE + 3 * GAP, y = 1;
	struct axis axis = { h->lines.low, h->lines.high, plot, g->width - plot };
	uint32_t e = h->profile->functions[d->function].first_in;

	if (g->height < 3 || axis.width < 20 || d->edge != PROFILE_NONE || e == PROFILE_NONE)
		return 0;
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	part_title(g, (struct table_span){ 0, name }, 0, "CALLER", true, 0);
	part_title(g, (struct table_span){ name + GAP, CALLS }, 0, "CALLS", false, 0);
	part_title(g, (struct table_span){ name + CALLS + 2 * GAP, AVERAGE }, 0,
		   histogram_columns[HISTOGRAM_AVERAGE].title, false, 0);
	axis_draw_scale(&axis, g, 0);
	for (; e != PROFILE_NONE && y < g->height; e = h->profile->edges[e].next_in, y++) {
		struct duration one = duration_of_edge(h->profile, e);

		draw_caller(h, s, g, 0, y, name, &one);
		part_count(g, (struct table_span){ name + GAP, CALLS }, y, one.calls);
		part_call_time(g, (struct table_span){ name + CALLS + 2 * GAP, AVERAGE }, y,
			       h->profile, one.average, false);
		axis_draw_grid(&axis, g, y);
		if (!axis_draw_buckets(&axis, g, y, h->profile, &one))
			axis_draw_span(&axis, g, y, &one);
	}
	return y;
}

/* The function's source, in what room is left. */
static void draw_excerpt(struct histogram *h, const struct view_shared *s, struct grid *g,
			 const struct duration *d)
{
	const struct profile_function *f = &h->profile->functions[d->function];
	const struct image *im = s->node ? node_image(s->node) : NULL;

	if (im && f->path && g->height > 0)
		excerpt_draw(&h->excerpt, g, f->path, f->line, image_path(im),
			     &s->settings->source);
}

/* The longest calls, below them the callers' histograms, and the source where room is left. */
static void draw_beside(struct histogram *h, const struct view_shared *s, struct grid *g,
			const struct duration *d)
{
	int ways = 1 + (h->worst_count ? (int)h->worst_count : 1);
	struct grid below = grid_sub(g, 0, ways + 1, g->width, g->height - ways - 1), rest;
	int callers;

	draw_ways(h, s, g);
	if (g->height <= ways + 1)
		return;
	callers = draw_by_caller(h, s, &below, d);
	callers += callers > 0;
	rest = grid_sub(&below, 0, callers, below.width, below.height - callers);
	draw_excerpt(h, s, &rest, d);
}

/* The distribution, and beside it, below it or in its last line the longest calls. */
static void draw_panel(struct histogram *h, const struct view_shared *s, struct grid *g)
{
	const struct duration *d = histogram_cursor(h);
	int need = d ? distribution_lines(d) + 1 : 0, left = g->width;
	struct profile_buckets recent;
	struct grid large, ways;
	char title[256];
	bool known;

	if (!d)
		return;
	if (g->width >= WIDE) {
		left = g->width * 9 / 16;
		ways = grid_sub(g, left + 2, 0, g->width - left - 2, g->height);
		draw_beside(h, s, &ways, d);
		need = g->height;
	} else if (g->height >= need + 4) {
		/* The skyline takes what the longest calls leave. */
		int lines = 1 + (h->worst_count ? (int)h->worst_count : 1);

		if (d->has_buckets && g->height - lines - 1 > need + SKYLINE_LEAST)
			need = g->height - lines - 1;
		ways = grid_sub(g, 0, need + 1, g->width, g->height - need - 1);
		draw_beside(h, s, &ways, d);
	} else {
		need = need < g->height ? need : g->height - (h->worst_count > 0);
		if (h->worst_count && need < g->height)
			draw_way(h, s, g, need, 0, "longest ");
	}
	large = grid_sub(g, 0, 0, left, need);
	distribution_title(h->profile, d, title, sizeof(title));
	known = recent_buckets(&h->recent, h->profile, d, &recent);
	distribution_draw(&large, &(struct distribution){
		.profile = h->profile, .line = d, .title = title, .node = s->node,
		.recent = known ? &recent : NULL, .recent_s = h->recent.seconds });
}

void histogram_draw_all(struct histogram *h, const struct view_shared *s, struct grid *g)
{
	struct axis axis = { h->lines.low, h->lines.high, 0, 0 };
	int page = histogram_page(&h->view), panel = panel_lines(&h->view), y = g->height - panel;
	struct grid below = grid_sub(g, 0, y, g->width, panel);

	list_show(&h->list, page);
	lay_out_durations(h, s, g->width);
	axis.x = h->spans[HISTOGRAM_PLOT].x;
	axis.width = h->spans[HISTOGRAM_PLOT].width;
	draw_duration_titles(h, s, g);
	axis_draw_scale(&axis, g, 0);
	for (int i = 0; i < page && h->list.top + (size_t)i < h->lines.count; i++)
		draw_duration(h, s, g, &axis, i + 1, h->list.top + (size_t)i);
	if (panel)
		draw_panel(h, s, &below);
	if (page < y - 1)
		draw_histogram_footer(h, g, y - 1);
}
