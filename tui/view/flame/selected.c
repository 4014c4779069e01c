/*
 * What is selected: its name and figures in the last lines, and where boxes leave room a table of
 * all functions below it, and how long its calls took.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/part/distribution.h"
#include "tui/part/graph_text.h"
#include "tui/view/flame/flame.h"

#define WIDE 140		/* columns: durations stand beside the table, not below it */

enum { SUBTREE_CELL_SHARE, SUBTREE_CELL_BAR, SUBTREE_CELL_TOTAL, SUBTREE_CELL_SELF,
       SUBTREE_CELL_CALLS, SUBTREE_CELL_FUNCTION, SUBTREE_CELL_FILE, SUBTREE_CELL_COUNT };

static const struct { const char *title; bool left; struct table_column column; } cells[] = {
	[SUBTREE_CELL_SHARE] = { "SHARE%", false, { 6, 6, 1 } },
	[SUBTREE_CELL_BAR] = { "", false, { 6, 16, 5 } },
	[SUBTREE_CELL_TOTAL] = { "TOTAL", false, { 9, 9, 2 } },
	[SUBTREE_CELL_SELF] = { "SELF", false, { 9, 9, 4 } },
	[SUBTREE_CELL_CALLS] = { "CALLS", false, { 8, 8, 3 } },
	[SUBTREE_CELL_FUNCTION] = { "", true, { 0, 0, 0 } },
	[SUBTREE_CELL_FILE] = { "FILE", true, { 15, 36, 6 } },
};

/* --- two lines -------------------------------------------------------------------------------- */

static void draw_name_line(const struct flame *f, const struct view_shared *s, struct grid *g,
			   int y, const struct icicle_box *b)
{
	const struct profile_function *fn;
	int x;

	if (b->rest) {
		grid_textf(g, 0, y, -1, ROLE_VALUE, "%s function%s too narrow to draw",
			   TEXT_WHOLE(b->rest), b->rest == 1 ? "" : "s");
		return;
	}
	if (b->n.function == PROFILE_NONE) {
		size_t roots = flame_icicle(f)->graph.root_count;

		grid_textf(g, 0, y, -1, ROLE_VALUE, "all: %s %s%s", TEXT_WHOLE(roots),
			   f->inverted ? "function" : "root", roots == 1 ? "" : "s");
		return;
	}
	fn = &f->profile->functions[b->n.function];
	x = part_name(g, 0, y, -1, ROLE_VALUE, fn->name, s->search);
	if (text_columns(fn->name) <= g->width)
		naming_whole(g, fn->name);
	part_file(g, (struct table_span){ x + 2, g->width - x - 2 }, y, fn->file, fn->line);
}

/* A figure that does not fit whole is left out. */
struct figures {
	char text[300];
	int width, most;
};

static void figure_add(struct figures *l, const char *label, const char *value)
{
	size_t n = strlen(l->text);
	int wide = (n ? 2 : 0) + text_columns(label) + text_columns(value);

	if (!*value || l->width + wide > l->most)
		return;
	snprintf(l->text + n, sizeof(l->text) - n, "%s%s%s", n ? "  " : "", label, value);
	l->width += wide;
}

static void figures_of(const struct flame *f, const struct icicle_box *b, struct figures *l)
{
	const struct graph *graph = &flame_icicle(f)->graph;
	double whole = graph->whole;
	bool about = graph_about(graph, &b->n);
	bool mine = !b->again || f->inverted;
	char text[40];

	snprintf(text, sizeof(text), "%s%.1f %% of %s", b->n.shared ? "~" : "",
		 whole > 0 ? 100 * b->n.value / whole : 0,
		 graph->times ? "profiled time" : "calls");
	figure_add(l, "", text);
	figure_add(l, "total ", graph_text_seconds(text, sizeof(text), b->n.total, about));
	figure_add(l, "self ",
		   graph_text_seconds(text, sizeof(text), mine ? b->n.self : NAN,
				      b->n.shared || graph_self_about(graph, &b->n)));
	if (!isnan(b->n.calls)) {
		snprintf(text, sizeof(text), "%s%s", about ? "~" : "",
			 TEXT_WHOLE(b->n.calls + 0.5));
		figure_add(l, "calls ", text);
	}
	if (b->again)
		figure_add(l, "", "again: calls itself");
	else if (b->rest)
		figure_add(l, "", "together: zoom in above");
	else if (!b->n.leaf && b->n.depth + 2 >= ICICLE_LEVELS)
		figure_add(l, "", "deeper levels are not drawn");
}

/* The difference to the baseline, as much of it as there is room for. */
static const char *change_text(const struct flame *f, const struct compare_value *change, int room,
			       char *dst, size_t size)
{
	enum compare_measure m = flame_icicle(f)->graph.times ? COMPARE_LOAD : COMPARE_RATE;
	char delta[DELTA_TEXT];

	delta_sentence(dst, size, change, m);
	if (text_columns(dst) <= room)
		return dst;
	snprintf(dst, size, "%s %s", m == COMPARE_LOAD ? "load" : "calls",
		 change->verdict == COMPARE_SAME ? "as before" :
		 delta_text(delta, sizeof(delta), change, m));
	if (text_columns(dst) > room)
		*dst = '\0';
	return dst;
}

static void draw_figures(const struct flame *f, const struct view_shared *s, struct grid *g, int y,
			 const struct icicle_box *b)
{
	const struct compare_value *change = flame_change(f, s, b);
	struct figures l = { .most = g->width };
	const char *more = "";
	char text[120];

	figures_of(f, b, &l);
	if (change)
		more = change_text(f, change, g->width - l.width - 2, text, sizeof(text));
	else if (b->n.shared)
		more = "~ apportioned: it has several callers";
	else if (profile_estimated(f->profile))
		more = "~ estimate: the profiler's own cost subtracted";
	part_footer(g, y, l.text, text_columns(more) + 2 <= g->width - l.width ? more : "");
}

void flame_draw_selected(const struct flame *f, const struct view_shared *s, struct grid *g, int y)
{
	const struct icicle_box *b = flame_box(f);

	if (!b || y >= g->height)
		return;
	if (y + 1 < g->height)
		draw_name_line(f, s, g, y++, b);
	draw_figures(f, s, g, y, b);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* The functions above a box, the outermost first; their number. */
static size_t way_to(const struct icicle *c, const struct icicle_box *b, uint32_t *way)
{
	size_t n = 0;

	if (c->focus != PROFILE_NONE && (c->zoom.n || b->level))
		way[n++] = c->focus;
	for (size_t i = 0; i < c->zoom.n && n < ICICLE_LEVELS; i++) {
		if (c->above[i] != b->n.function)
			way[n++] = c->above[i];
	}
	for (uint32_t up = b->up; up != ICICLE_NONE && n < ICICLE_LEVELS; up = c->boxes[up].up) {
		if (c->boxes[up].n.function != PROFILE_NONE)
			way[n++] = c->boxes[up].n.function;
	}
	return n;
}

static void subtree_of(struct flame *f, const struct icicle *c, const struct icicle_box *b)
{
	uint32_t way[ICICLE_LEVELS + 1];

	f->table = c;
	f->table_box = b;
	if (subtree_find(&f->subtree, &c->graph, &b->n, way, way_to(c, b, way)) < 0)
		f->subtree.count = 0;
}

/* Where nothing is below a box: of all that is drawn with it, or in the other half. */
static void subtree_choose(struct flame *f, const struct icicle_box *b)
{
	const struct icicle *other = &f->halves[f->sandwich && !f->callers];
	const struct icicle *mine = flame_icicle(f);

	subtree_of(f, mine, b);
	if (!f->subtree.count && b != &mine->boxes[0])
		subtree_of(f, mine, &mine->boxes[0]);
	if (!f->subtree.count && other->count)
		subtree_of(f, other, &other->boxes[0]);
}

static void subtree_spans(const struct flame *f, int width, struct table_span *at)
{
	struct table_column c[SUBTREE_CELL_COUNT];
	int longest = 24;

	for (size_t i = 0; i < SUBTREE_CELL_COUNT; i++)
		c[i] = cells[i].column;
	for (size_t i = 0; i < f->subtree.count; i++) {
		int length = text_columns(f->profile->functions[f->subtree.rows[i].function].name);

		longest = length > longest ? length : longest;
	}
	c[SUBTREE_CELL_FUNCTION] = table_name(width, longest, 0);
	if (!f->files)
		c[SUBTREE_CELL_FILE].width = 0;
	if (!f->table->graph.times)
		c[SUBTREE_CELL_TOTAL].width = 0;
	if (!f->table->graph.times || f->table->graph.inverted)
		c[SUBTREE_CELL_SELF].width = 0;
	table_layout(c, SUBTREE_CELL_COUNT, width, at);
}

static void draw_subtree_row(const struct flame *f, const struct view_shared *s, struct grid *g,
			     const struct table_span *at, int y, const struct subtree_row *row,
			     double whole)
{
	const struct profile_function *fn = &f->profile->functions[row->function];
	double share = whole > 0 ? fmin(row->value / whole, 1) : NAN;
	char text[20];

	part_percent(g, at[SUBTREE_CELL_SHARE], y, share);
	part_bar(g, at[SUBTREE_CELL_BAR], y, share, share);
	part_cell(g, at[SUBTREE_CELL_TOTAL], y, ROLE_NUMBER,
		  graph_text_seconds(text, sizeof(text), row->value, row->about));
	part_cell(g, at[SUBTREE_CELL_SELF], y, ROLE_NUMBER,
		  graph_text_seconds(text, sizeof(text), row->self,
				     row->about || profile_self_rough(fn)));
	part_calls(g, at[SUBTREE_CELL_CALLS], y, ROLE_NUMBER, row->calls, false);
	naming_put(g, at[SUBTREE_CELL_FUNCTION].x, y, at[SUBTREE_CELL_FUNCTION].width,
		   part_role(fn), fn->name, s->search);
	part_file(g, at[SUBTREE_CELL_FILE], y, fn->file, fn->line);
}

/* All of the rectangle, its title first. */
static void draw_subtree(const struct flame *f, const struct view_shared *s, struct grid *g)
{
	const struct graph_node *top = &f->table_box->n;
	struct table_span at[SUBTREE_CELL_COUNT], name;
	char title[300] = "FUNCTION";

	if (top->function != PROFILE_NONE)
		snprintf(title, sizeof(title), "%s OF %s",
			 f->table->graph.inverted ? "CALLERS" : "CALLEES",
			 f->profile->functions[top->function].name);
	subtree_spans(f, g->width, at);
	name = at[SUBTREE_CELL_FUNCTION];
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < SUBTREE_CELL_COUNT; i++)
		part_title(g, at[i], 0, cells[i].title, cells[i].left, 0);
	part_title(g, name, 0, title, true, 0);
	for (int y = 1; y < g->height && (size_t)y <= f->subtree.count; y++)
		draw_subtree_row(f, s, g, at, y, &f->subtree.rows[y - 1], top->value);
}

/* The calls that a box is made of: its edge, or its function's where there is none. */
static struct duration box_duration(const struct flame *f, const struct icicle_box *b)
{
	const struct icicle *c = flame_icicle(f);
	const struct profile *p = f->profile;
	uint32_t up = b->up == ICICLE_NONE ? PROFILE_NONE : c->boxes[b->up].n.function;
	uint32_t from = c->graph.inverted ? b->n.function : up;
	uint32_t to = c->graph.inverted ? up : b->n.function;

	if (up == PROFILE_NONE)
		return duration_of_function(p, b->n.function);
	for (uint32_t e = p->functions[to].first_in; e != PROFILE_NONE; e = p->edges[e].next_in) {
		if (p->edges[e].from == from)
			return duration_of_edge(p, e);
	}
	return duration_of_function(p, b->n.function);
}

static void draw_durations(const struct flame *f, const struct view_shared *s, struct grid *g,
			   const struct duration *d)
{
	char title[300];

	distribution_draw(g, &(struct distribution){
		.profile = f->profile, .line = d, .node = s->node,
		.title = distribution_title(f->profile, d, title, sizeof(title)) });
}

/* Lines of the table that there is room for beside `below` lines for the durations. */
static int subtree_lines(const struct flame *f, int room, int below)
{
	int lines = f->subtree.count ? 1 + (int)f->subtree.count : 0;

	return lines <= room - below ? lines : room - below >= 6 ? room - below :
	       lines < room ? lines : room;
}

void flame_draw_tables(struct flame *f, const struct view_shared *s, struct grid *g, int y,
		       int end)
{
	const struct icicle_box *b = flame_box(f);
	struct duration d = { .max = NAN };
	int room = end - ++y, left = g->width, lines = 0, below;
	struct grid part;

	if (!b || b->rest || room < 3)
		return;
	subtree_choose(f, b);
	if (b->n.function != PROFILE_NONE)
		d = box_duration(f, b);
	if (d.max > 0 && g->width >= 40)
		lines = distribution_lines(&d) + 1;
	if (lines && f->subtree.count && g->width >= WIDE)
		left = g->width * 9 / 16;
	below = left < g->width || !lines ? 0 : lines + 1;
	below = subtree_lines(f, room, below);
	part = grid_sub(g, 0, y, left, left < g->width ? room : below);
	if (f->subtree.count)
		draw_subtree(f, s, &part);
	if (!lines)
		return;
	if (left < g->width)
		part = grid_sub(g, left + 2, y, g->width - left - 2, room);
	else
		part = grid_sub(g, 0, y + below + (below > 0), g->width,
				room - below - (below > 0));
	if (part.height >= lines)
		draw_durations(f, s, &part, &d);
}
