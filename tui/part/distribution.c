#include "tui/part/distribution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/percentile.h"
#include "core/profile/look/rows.h"
#include "tui/part/axis.h"
#include "tui/part/skyline.h"
#include "tui/part/table.h"

enum { BUCKET_CELL_FROM, BUCKET_CELL_BELOW, BUCKET_CELL_CALLS, BUCKET_CELL_SHARE,
       BUCKET_CELL_RECENT, BUCKET_CELL_BAR, BUCKET_CELL_MARKS, BUCKET_CELL_COUNT };

static const struct { const char *title; struct table_column column; } cells[BUCKET_CELL_COUNT] = {
	[BUCKET_CELL_FROM] = { "FROM", { 8, 8, 0 } },
	[BUCKET_CELL_BELOW] = { "BELOW", { 8, 8, 1 } },
	[BUCKET_CELL_CALLS] = { "CALLS", { 8, 10, 1 } },
	[BUCKET_CELL_SHARE] = { "SHARE%", { 6, 6, 2 } },
	[BUCKET_CELL_RECENT] = { "", { 10, 10, 5 } },	/* its title has the time */
	[BUCKET_CELL_BAR] = { "", { 10, 10, 3 } },	/* wants a third of the width */
	[BUCKET_CELL_MARKS] = { "", { 32, 84, 4 } },
};

/* --- title ------------------------------------------------------------------------------------ */

static void title_text(char *dst, size_t size, const struct profile *p, const struct duration *d,
		       const char *title, bool percentiles)
{
	struct skyline_mark marks[SKYLINE_MARKS];
	char count[32], time[24];
	int n = snprintf(dst, size, "%.200s", title);

	if (!isnan(d->calls) && d->calls < 1e18)
		n += snprintf(dst + n, size - (size_t)n, ": %s call%s",
			      text_whole(count, sizeof(count), (uint64_t)d->calls),
			      d->calls == 1 ? "" : "s");
	skyline_marks(p, d, marks);
	for (size_t i = 0; i < SKYLINE_MARKS; i++) {
		const struct skyline_mark *m = &marks[i];

		if ((percentiles || !m->estimate) && *skyline_mark_text(p, m, time, sizeof(time)))
			n += snprintf(dst + n, size - (size_t)n, ", %s %s", m->name, time);
	}
}

/* Where it is narrow the percentiles stand beside their bars alone, and names are shortened. */
static void draw_summary(struct grid *g, const struct profile *p, const struct duration *d,
			 const char *title)
{
	char text[512], name[300];
	int over;

	title_text(text, sizeof(text), p, d, title, true);
	if (text_columns(text) > g->width)
		title_text(text, sizeof(text), p, d, title, false);
	over = text_columns(text) - g->width;
	if (over > 0 && text_columns(title) - over >= 8)
		title_text(text, sizeof(text), p, d,
			   naming_short(title, text_columns(title) - over, name, sizeof(name)),
			   false);
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	grid_text(g, 0, 0, g->width, ROLE_TITLE, text);
}

/* --- buckets ---------------------------------------------------------------------------------- */

/* The first and the last bucket that hold calls. False: none does. */
static bool buckets_held(const struct duration *d, size_t *first, size_t *last)
{
	bool any = false;

	for (size_t i = 0; d->has_buckets && i < WIRE_BUCKETS; i++) {
		if (!d->buckets.calls[i])
			continue;
		*first = any ? *first : i;
		*last = i;
		any = true;
	}
	return any;
}

static bool in_bucket(const struct profile *p, size_t i, double seconds)
{
	double from = i ? percentile_bound(p, i - 1) : 0;

	return !isnan(seconds) && seconds >= from && seconds < percentile_bound(p, i);
}

static void marks_text(char *dst, size_t size, const struct profile *p, const struct duration *d,
		       size_t bucket, bool values)
{
	struct skyline_mark marks[SKYLINE_MARKS];
	size_t used = 0;

	skyline_marks(p, d, marks);
	dst[0] = '\0';
	for (size_t i = 0; i < SKYLINE_MARKS && used < size; i++) {
		const struct skyline_mark *m = &marks[i];
		char text[24] = "";

		if (!in_bucket(p, bucket, m->seconds))
			continue;
		if (values)
			skyline_mark_text(p, m, text, sizeof(text));
		used += (size_t)snprintf(dst + used, size - used, "%s%s%s%s", used ? "  " : "",
					 m->name, values ? " " : "", text);
	}
}

static void draw_marks(struct grid *g, struct table_span at, int y, const struct profile *p,
		       const struct duration *d, size_t bucket)
{
	char text[256];

	if (!at.width)
		return;
	marks_text(text, sizeof(text), p, d, bucket, true);
	if (text_columns(text) > at.width)
		marks_text(text, sizeof(text), p, d, bucket, false);
	grid_text(g, at.x, y, at.width, ROLE_LABEL, text);
}

static double calls_most(const struct duration *d)
{
	uint64_t most = 1;

	for (size_t i = 0; i < WIRE_BUCKETS; i++)
		most = d->buckets.calls[i] > most ? d->buckets.calls[i] : most;
	return (double)most;
}

static double calls_sum(const struct duration *d)
{
	double all = 0;

	for (size_t i = 0; i < WIRE_BUCKETS; i++)
		all += (double)d->buckets.calls[i];
	return all > 0 ? all : 1;
}

static void draw_bucket(struct grid *g, const struct table_span *at, int y,
			const struct distribution *dist, size_t i, double heat)
{
	const struct profile *p = dist->profile;
	double calls = (double)dist->line->buckets.calls[i];

	if (i)
		part_seconds(g, at[BUCKET_CELL_FROM], y, percentile_bound(p, i - 1));
	else
		part_cell(g, at[BUCKET_CELL_FROM], y, ROLE_NUMBER, "0 s");
	if (i + 1 < WIRE_BUCKETS)
		part_seconds(g, at[BUCKET_CELL_BELOW], y, percentile_bound(p, i));
	else
		part_cell(g, at[BUCKET_CELL_BELOW], y, ROLE_LABEL, "and more");
	part_count(g, at[BUCKET_CELL_CALLS], y, calls);
	part_percent(g, at[BUCKET_CELL_SHARE], y, calls / calls_sum(dist->line));
	if (dist->recent)
		part_count(g, at[BUCKET_CELL_RECENT], y, (double)dist->recent->calls[i]);
	part_bar(g, at[BUCKET_CELL_BAR], y, calls / calls_most(dist->line), heat);
	draw_marks(g, at[BUCKET_CELL_MARKS], y, p, dist->line, i);
}

static void bucket_spans(const struct distribution *dist, int width, struct table_span *at)
{
	struct table_column c[BUCKET_CELL_COUNT];

	for (size_t i = 0; i < BUCKET_CELL_COUNT; i++)
		c[i] = cells[i].column;
	if (c[BUCKET_CELL_BAR].wants < width / 3)
		c[BUCKET_CELL_BAR].wants = width / 3;
	if (!dist->recent)
		c[BUCKET_CELL_RECENT].width = 0;
	table_layout(c, BUCKET_CELL_COUNT, width, at);
}

static void draw_bucket_titles(struct grid *g, const struct table_span *at, int y, double recent_s)
{
	char recent[24];

	for (size_t i = 0; i < BUCKET_CELL_RECENT; i++)
		part_cell(g, at[i], y, ROLE_LABEL, cells[i].title);
	snprintf(recent, sizeof(recent), recent_s < 9.95 ? "LAST %.1f s" : "LAST %.0f s",
		 recent_s < 999 ? recent_s : 999);
	if (at[BUCKET_CELL_RECENT].width)
		part_cell(g, at[BUCKET_CELL_RECENT], y, ROLE_LABEL, recent);
}

static void draw_buckets(struct grid *g, const struct distribution *dist, size_t first, size_t last)
{
	struct table_span at[BUCKET_CELL_COUNT];
	int y = 1, rows = (int)(last - first) + 1;
	double span = last > first ? (double)(last - first) : 1;

	bucket_spans(dist, g->width, at);
	if (rows < g->height - 1)
		draw_bucket_titles(g, at, y++, dist->recent_s);
	for (size_t i = first; i <= last && y < g->height; i++, y++)
		draw_bucket(g, at, y, dist, i, (double)(i - first) / span);
	if (g->height - y > SKYLINE_LEAST && g->width >= 60) {
		struct grid rest = grid_sub(g, 0, y + 1, g->width, g->height - y - 1);

		skyline_draw(&rest, dist->profile, dist->line);
	}
}

/* --- without buckets -------------------------------------------------------------------------- */

static const char *buckets_cure(const struct node *n)
{
	if (n && node_hello(n))
		return "no call-time distribution: build the node with WSNPROF_LEVEL 3";
	return "no call-time distribution in this stream (needs WSNPROF_LEVEL 3)";
}

/* A label above the mark that it names, within the line. */
static void draw_extreme_label(struct grid *g, const struct axis *a, int y, int *free_from,
			       const char *name, double seconds)
{
	int at = axis_column(a, seconds), length = text_columns(name), x;

	if (isnan(seconds))
		return;
	at = at < 0 ? 0 : at >= a->width ? a->width - 1 : at;
	x = at - length / 2;
	x = x + length > a->width ? a->width - length : x;
	x = x < *free_from ? *free_from : x;
	if (x + length > a->width)
		return;
	grid_text(g, a->x + x, y, length, ROLE_LABEL, name);
	*free_from = x + length + 1;
}

static void draw_extremes(struct grid *g, const struct profile *p, const struct duration *d,
			  const struct node *node)
{
	struct axis a = { .x = 1, .width = g->width - 2 };
	struct durations one = { .items = (struct duration *)d, .count = 1, .profile = p };
	int free_from = 0;

	durations_fit(&one);
	a.low = one.low;
	a.high = one.high;
	if (g->height >= 5 && a.width >= 20 && a.high > a.low) {
		draw_extreme_label(g, &a, 1, &free_from, "min", d->min);
		draw_extreme_label(g, &a, 1, &free_from, "average", d->average);
		draw_extreme_label(g, &a, 1, &free_from, "max", d->max);
		axis_draw_grid(&a, g, 2);
		axis_draw_span(&a, g, 2, d);
		axis_draw_scale(&a, g, 3);
	}
	if (g->height >= 2)
		grid_text(g, 0, g->height >= 5 ? 4 : 1, g->width, ROLE_LABEL, buckets_cure(node));
}

const char *distribution_title(const struct profile *p, const struct duration *d, char *dst,
			       size_t size)
{
	const struct profile_edge *e = d->edge == PROFILE_NONE ? NULL : &p->edges[d->edge];

	if (!e)
		snprintf(dst, size, "%s", p->functions[d->function].name);
	else
		snprintf(dst, size, "%s from %s", p->functions[d->function].name,
			 e->from == PROFILE_NONE ? part_nobody(e) : p->functions[e->from].name);
	return dst;
}

int distribution_lines(const struct duration *d)
{
	size_t first = 0, last = 0;

	return buckets_held(d, &first, &last) ? (int)(last - first) + 2 : 4;
}

void distribution_draw(struct grid *g, const struct distribution *dist)
{
	size_t first = 0, last = 0;

	if (g->height < 1)
		return;
	draw_summary(g, dist->profile, dist->line, dist->title);
	if (buckets_held(dist->line, &first, &last))
		draw_buckets(g, dist, first, last);
	else
		draw_extremes(g, dist->profile, dist->line, dist->node);
}
