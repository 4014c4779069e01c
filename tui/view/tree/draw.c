/*
 * The lines of the tree view.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/part/distribution.h"
#include "tui/part/graph_text.h"
#include "tui/part/skyline.h"
#include "tui/view/tree/tree.h"

#define INDENT 2
#define WIDE 100		/* columns: single calls' times beside the sums */

static const struct { const char *title; bool left; struct table_column column; } cells[] = {
	[TREE_CELL_PERCENT] = { "TOTAL%", false, { 6, 6, 1 } },
	[TREE_CELL_BAR] = { "", false, { 6, 16, 5 } },
	[TREE_CELL_DELTA] = { "", false, { 0, 0, 0 } },	/* delta_column */
	[TREE_CELL_TOTAL] = { "TOTAL", false, { 9, 9, 2 } },
	[TREE_CELL_SELF] = { "SELF", false, { 8, 8, 4 } },
	[TREE_CELL_CALLS] = { "CALLS", false, { 8, 8, 3 } },
	[TREE_CELL_PER_CALL] = { "PER CALL", false, { 8, 8, 7 } },
	[TREE_CELL_MIN] = { "MIN", false, { 9, 9, 10 } },
	[TREE_CELL_P99] = { "P99", false, { 8, 8, 9 } },
	[TREE_CELL_MAX] = { "MAX", false, { 9, 9, 8 } },
	[TREE_CELL_FUNCTION] = { "FUNCTION", true, { 0, 0, 0 } },
	[TREE_CELL_FILE] = { "FILE", true, { 15, 36, 6 } },
};

int tree_indent(const struct forest_line *l, int width)
{
	int indent = (int)l->n.depth * INDENT, most = width / 2;

	return indent < most ? indent : most;
}

/* Columns that have nothing to show, or that this width has no use for. */
static void columns_drop(const struct tree *t, int width, struct table_column *c)
{
	if (!t->files)
		c[TREE_CELL_FILE].width = 0;
	if (!t->forest.graph.times)
		c[TREE_CELL_TOTAL].width = c[TREE_CELL_SELF].width = 0;
	if (!t->forest.graph.times || width < WIDE)
		c[TREE_CELL_PER_CALL].width = 0;
	if (!t->timed || width < WIDE)
		c[TREE_CELL_MIN].width = c[TREE_CELL_MAX].width = 0;
	if (!t->buckets || width < WIDE)
		c[TREE_CELL_P99].width = 0;
}

/* Columns of the longest name on the screen: one far away must not squeeze these. */
static int names_longest(struct tree *t, int width, int page)
{
	size_t top = tree_place(t)->list.top;
	int longest = 0;

	for (size_t i = top; i < t->forest.count && i < top + (size_t)page; i++) {
		const struct forest_line *l = &t->forest.lines[i];
		int length = tree_indent(l, width) + 4 + (l->rest ? 12 :
			     text_columns(t->profile->functions[l->n.function].name));

		longest = length > longest ? length : longest;
	}
	return longest;
}

static void branch_spans(struct tree *t, const struct view_shared *s, int width, int page)
{
	static const struct { int cell, below; } yield[] = {
		{ TREE_CELL_MIN, 999 }, { TREE_CELL_P99, 999 }, { TREE_CELL_MAX, 999 },
		{ TREE_CELL_PER_CALL, 999 }, { TREE_CELL_FILE, 999 }, { TREE_CELL_BAR, 60 },
		{ TREE_CELL_SELF, 60 }, { TREE_CELL_CALLS, 60 },
	};
	struct table_column c[TREE_CELL_COUNT];
	int needed = names_longest(t, width, page), longest = needed > 24 ? needed : 24;

	for (size_t i = 0; i < TREE_CELL_COUNT; i++)
		c[i] = cells[i].column;
	/* In steps, so that what stands behind the names seldom moves. */
	c[TREE_CELL_FUNCTION] = table_name(width, 24, 0);
	c[TREE_CELL_FUNCTION].wants = width < WIDE && longest < width / 2 ? width / 2 :
				      (longest + 7) / 8 * 8;
	columns_drop(t, width, c);
	c[TREE_CELL_DELTA] = delta_column(s, 3);
	if (t->inverted) {
		c[TREE_CELL_TOTAL].rank = cells[TREE_CELL_SELF].column.rank;
		c[TREE_CELL_SELF].rank = cells[TREE_CELL_TOTAL].column.rank;
		c[TREE_CELL_SELF].wants = c[TREE_CELL_SELF].width = c[TREE_CELL_SELF].width ? 9 : 0;
	}
	table_layout(c, TREE_CELL_COUNT, width, t->spans);
	/* Names come before all that is not their time. */
	for (size_t i = 0; i < sizeof(yield) / sizeof(yield[0]); i++) {
		int cell = yield[i].cell;

		if (cell == TREE_CELL_SELF && t->inverted)
			cell = TREE_CELL_TOTAL;
		if (t->spans[TREE_CELL_FUNCTION].width >= needed || width >= yield[i].below)
			continue;
		c[cell].width = 0;
		table_layout(c, TREE_CELL_COUNT, width, t->spans);
	}
}

static const char *title_of(const struct tree *t, size_t cell)
{
	if (cell != TREE_CELL_PERCENT)
		return cells[cell].title;
	return !t->forest.graph.times ? "CALLS%" : t->inverted ? "SELF%" : cells[cell].title;
}

static void draw_branch_titles(const struct tree *t, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < TREE_CELL_COUNT; i++)
		part_title(g, t->spans[i], 0, title_of(t, i), cells[i].left, 0);
	delta_title(g, t->spans[TREE_CELL_DELTA], 0, 0);
}

static const char *mark_of(const struct forest_line *l, bool utf8)
{
	if (l->again)
		return utf8 ? "↻ " : "@ ";
	if (l->n.leaf)
		return "  ";
	if (l->open)
		return utf8 ? "▾ " : "- ";
	return utf8 ? "▸ " : "+ ";
}

static enum role role_of(const struct tree *t, const struct view_shared *s,
			 const struct forest_line *l)
{
	const struct profile_function *f = &t->profile->functions[l->n.function];

	return l->again || !rows_match(f, s->order.filter) ? ROLE_DIM : part_role(f);
}

static void draw_branch_name(const struct tree *t, const struct view_shared *s, struct grid *g,
			     int y, const struct forest_line *l)
{
	struct table_span at = t->spans[TREE_CELL_FUNCTION];
	const struct profile_function *f = &t->profile->functions[l->n.function];
	int x = tree_indent(l, at.width);

	x += grid_text(g, at.x + x, y, at.width - x, ROLE_LABEL, mark_of(l, g->utf8));
	if (x < at.width)
		naming_put(g, at.x + x, y, at.width - x, role_of(t, s, l), f->name, s->search);
}

static void draw_time(struct grid *g, struct table_span at, int y, double seconds, bool about)
{
	char text[20];

	part_cell(g, at, y, ROLE_NUMBER, graph_text_seconds(text, sizeof(text), seconds, about));
}

/* A root: the columns of core/profile, as in the flat view. */
static void draw_root_calls(const struct tree *t, struct grid *g, int y,
			    const struct profile_function *f)
{
	static const struct { uint8_t cell, column; } same[] = {
		{ TREE_CELL_PER_CALL, COLUMN_PER_CALL }, { TREE_CELL_MIN, COLUMN_MIN },
		{ TREE_CELL_P99, COLUMN_P99 }, { TREE_CELL_MAX, COLUMN_MAX },
	};
	struct column_data data = { .profile = t->profile };
	char text[COLUMN_TEXT];

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		if (!t->spans[same[i].cell].width)
			continue;
		columns[same[i].column].format(&data, f, text, sizeof(text));
		part_cell(g, t->spans[same[i].cell], y, ROLE_NUMBER, text);
	}
}

/* Below a root: the calls between the line and the one above it, whatever the way to there. */
static void draw_single_calls(const struct tree *t, struct grid *g, int y,
			      const struct forest_line *l)
{
	const struct table_span *at = t->spans;
	struct duration d;

	if (!at[TREE_CELL_PER_CALL].width && !at[TREE_CELL_MAX].width)
		return;
	if (l->edge == PROFILE_NONE) {
		draw_root_calls(t, g, y, &t->profile->functions[l->n.function]);
		return;
	}
	d = duration_of_edge(t->profile, l->edge);
	if (t->profile->edges[l->edge].timed)
		part_call_time(g, at[TREE_CELL_PER_CALL], y, t->profile, d.average, false);
	else
		part_seconds(g, at[TREE_CELL_PER_CALL], y, d.average);
	part_call_time(g, at[TREE_CELL_MIN], y, t->profile, d.min, d.min_at_least);
	if (at[TREE_CELL_P99].width)
		part_percentile(g, at[TREE_CELL_P99], y, t->profile,
				duration_percentile(t->profile, &d, 0.99));
	part_call_time(g, at[TREE_CELL_MAX], y, t->profile, d.max, d.at_least);
}

/* What the filter leaves out below the line above, as one. */
static void draw_rest(const struct tree *t, struct grid *g, int y, const struct forest_line *l)
{
	const struct graph *graph = &t->forest.graph;
	struct table_span at = t->spans[TREE_CELL_FUNCTION];
	double percent = graph->whole > 0 ? l->n.value / graph->whole : NAN;
	int x = tree_indent(l, at.width) + 2;

	part_percent(g, t->spans[TREE_CELL_PERCENT], y, percent);
	part_bar(g, t->spans[TREE_CELL_BAR], y, percent, percent);
	draw_time(g, t->spans[TREE_CELL_TOTAL], y, l->n.total, l->n.shared);
	grid_textf(g, at.x + x, y, at.width > x ? at.width - x : 0, ROLE_DIM, "(%s other%s)",
		   TEXT_WHOLE(l->rest), l->rest == 1 ? "" : "s");
}

/* Deeper levels of a recursion are in the upper line's own time already. */
static void draw_branch(const struct tree *t, const struct view_shared *s, struct grid *g, int y,
			size_t line)
{
	const struct forest_line *l = &t->forest.lines[line];
	const struct profile_function *f = &t->profile->functions[l->n.function];
	const struct graph *graph = &t->forest.graph;
	double percent = graph->whole > 0 ? l->n.value / graph->whole : NAN;

	part_percent(g, t->spans[TREE_CELL_PERCENT], y, percent);
	part_bar(g, t->spans[TREE_CELL_BAR], y, percent, percent);
	if (t->spans[TREE_CELL_DELTA].width)
		delta_function(g, t->spans[TREE_CELL_DELTA], y, s, l->n.function,
			       graph->times ? COMPARE_LOAD : COMPARE_RATE);
	draw_time(g, t->spans[TREE_CELL_TOTAL], y, l->n.total, graph_about(graph, &l->n));
	draw_time(g, t->spans[TREE_CELL_SELF], y, l->again && !t->inverted ? NAN : l->n.self,
		  graph_self_about(graph, &l->n));
	part_calls(g, t->spans[TREE_CELL_CALLS], y, ROLE_NUMBER, l->n.calls, f->incomplete);
	draw_single_calls(t, g, y, l);
	draw_branch_name(t, s, g, y, l);
	part_file(g, t->spans[TREE_CELL_FILE], y, f->file, f->line);
}

/* Which way it is shown, and how much of it: what there is room for. */
static void direction_text(const struct tree *t, int width, char *dst, size_t size)
{
	const struct graph *graph = &t->forest.graph;
	size_t roots = graph->root_count, lines = t->forest.count, n;

	if (t->inverted)
		n = (size_t)snprintf(dst, size, "bottom-up: %s function%s by %s",
				     TEXT_WHOLE(roots), roots == 1 ? "" : "s",
				     graph->times ? "self time" : "calls");
	else
		n = (size_t)snprintf(dst, size, "top-down: %s root%s", TEXT_WHOLE(roots),
				     roots == 1 ? "" : "s");
	snprintf(dst + n, size - n, ", %s row%s open", TEXT_WHOLE(lines), lines == 1 ? "" : "s");
	if (text_columns(dst) > width)
		dst[n] = '\0';
}

static const char *warning_of(const struct tree *t, const struct view_shared *s)
{
	if (t->forest.cut)
		return "too many rows: close some";
	if (t->inverted && !t->forest.graph.times && t->profile->totals.time != PROFILE_TIME_NONE)
		return "self times need the image: -e";
	if (s->order.filter)
		return t->forest.sift.matching ? "dim: paths to matching functions" :
		       "no function passes the filter";
	if (!profile_estimated(t->profile))
		return "";
	return "~ estimate: the profiler's own cost subtracted";
}

static void draw_direction(const struct tree *t, const struct view_shared *s, struct grid *g)
{
	char text[120];

	direction_text(t, g->width, text, sizeof(text));
	part_footer(g, g->height - 1, text, warning_of(t, s));
}

/*
 * How long the calls of the line under the cursor took, in lines that the tree leaves empty; y is
 * the first of these.
 */
static void draw_line_durations(const struct tree *t, const struct view_shared *s, struct grid *g,
				int y, int end, const struct forest_line *l)
{
	struct duration d = l->edge == PROFILE_NONE ?
		duration_of_function(t->profile, l->n.function) :
		duration_of_edge(t->profile, l->edge);
	int lines = distribution_lines(&d) + 1, most = lines + 1 + SKYLINE_MOST;
	struct grid below;
	char title[300];

	if (!(d.max > 0) || g->width < 40 || y + 1 + lines > end)
		return;
	lines = !d.has_buckets ? lines : end - y - 1 < most ? end - y - 1 : most;
	below = grid_sub(g, 0, end - lines, g->width, lines);
	distribution_draw(&below, &(struct distribution){
		.profile = t->profile, .line = &d, .node = s->node,
		.title = distribution_title(t->profile, &d, title, sizeof(title)) });
}

void tree_draw_lines(struct tree *t, const struct view_shared *s, struct grid *g, int page)
{
	struct list *list = &tree_place(t)->list;
	const struct forest_line *at = tree_line(t);
	size_t line;

	list_show(list, page);
	line = list->top;
	branch_spans(t, s, g->width, page);
	draw_branch_titles(t, g);
	for (int y = 1; y <= page && line < t->forest.count; y++, line++) {
		if (t->forest.lines[line].rest)
			draw_rest(t, g, y, &t->forest.lines[line]);
		else
			draw_branch(t, s, g, y, line);
		if (line == list->cursor)
			grid_select_row(g, y);
	}
	if (at && !at->rest && t->forest.count < (size_t)page)
		draw_line_durations(t, s, g, 1 + (int)t->forest.count, 1 + page, at);
	if (page < g->height - 1)
		draw_direction(t, s, g);
}
