/*
 * The boxes, the line above and the lines below them.
 *
 * Each box begins with a character of its own, so that boxes can be told apart without colours:
 * | a box, > the selected one, * a match of the search, + and - more and less time than before.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/part/graph_text.h"
#include "tui/view/flame/flame.h"

enum { BOXES = 6, EDGE = 0x2502, EDGE_SELECTED = 0x25b8 };

static const char *const colour_names[FLAME_COLOURS] = {
	[FLAME_HEAT] = "colours: own time", [FLAME_FILE] = "colours: file",
	[FLAME_DELTA] = "+ more time  - less",
};

int flame_rows(const struct view *v)
{
	return v->height - 1 - (v->height >= 8 ? 2 : v->height >= 5 ? 1 : 0);
}

/* --- one box ---------------------------------------------------------------------------------- */

static const struct compare_value *change_of(const struct flame *f, const struct view_shared *s,
					     const struct icicle_box *b)
{
	const struct compare_row *row = b->n.function == PROFILE_NONE ? NULL :
					compare_function(s->model.compare, b->n.function);

	return row ? &row->value[f->icicle.graph.times ? COMPARE_LOAD : COMPARE_RATE] : NULL;
}

static bool is_worse(const struct compare_value *v)
{
	return v && !v->minor && (v->verdict == COMPARE_WORSE || v->verdict == COMPARE_NEW);
}

static bool is_better(const struct compare_value *v)
{
	return v && !v->minor && v->verdict == COMPARE_BETTER;
}

/* Beside the hottest function of all; by the root, or all but that one would be cold. */
static enum role heat_of(const struct flame *f, const struct icicle_box *b)
{
	double hottest = f->icicle.hottest / f->icicle.graph.whole;
	enum role heat = role_heat(hottest > 0 ? sqrt(icicle_own(&f->icicle, b) / hottest) : 0);

	return (enum role)(ROLE_FLAME0 + (heat - ROLE_HEAT0));
}

/* FNV-1a: a file keeps its colour from run to run. */
static enum role file_role(const char *file)
{
	uint32_t hash = 2166136261u;

	if (!file)
		return ROLE_BOX_PLAIN;
	for (; *file; file++)
		hash = (hash ^ (unsigned char)*file) * 16777619u;
	return (enum role)(ROLE_BOX0 + (hash >> 8) % BOXES);
}

static enum role colour_of(const struct flame *f, const struct view_shared *s,
			   const struct icicle_box *b)
{
	const struct compare_value *change;

	if (b->n.function == PROFILE_NONE)
		return ROLE_BOX_PLAIN;
	switch (f->colour) {
	case FLAME_FILE:
		return file_role(f->profile->functions[b->n.function].file);
	case FLAME_DELTA:
		change = change_of(f, s, b);
		return is_worse(change) ? ROLE_FLAME4 :
		       is_better(change) ? ROLE_BOX_BETTER : ROLE_BOX_PLAIN;
	default:
		return heat_of(f, b);
	}
}

static uint32_t edge_of(const struct flame *f, const struct view_shared *s, const struct grid *g,
			const struct icicle_box *b)
{
	const struct compare_value *change = f->colour == FLAME_DELTA ? change_of(f, s, b) : NULL;

	if (b == flame_box(f))
		return EDGE_SELECTED;
	if (b->rest && b->width == 1)
		return g->utf8 ? 0x2026 : '.';
	if (flame_matches(f, s, b))
		return '*';
	return is_worse(change) ? '+' : is_better(change) ? '-' : EDGE;
}

static enum role role_of(const struct flame *f, const struct view_shared *s,
			 const struct icicle_box *b)
{
	if (b == flame_box(f))
		return ROLE_NAME;
	if (flame_matches(f, s, b))
		return ROLE_MATCH;
	if (b->n.function != PROFILE_NONE &&
	    !rows_match(&s->model.profile->functions[b->n.function], s->order.filter))
		return ROLE_DIM;
	return colour_of(f, s, b);
}

/* The figure behind the name, where there is room. */
static void figure_of(const struct flame *f, const struct view_shared *s,
		      const struct icicle_box *b, char *dst, size_t size)
{
	const struct compare_value *change = f->colour == FLAME_DELTA ? change_of(f, s, b) : NULL;
	const char *file = b->n.function == PROFILE_NONE || f->colour != FLAME_FILE ? NULL :
			   f->profile->functions[b->n.function].file;

	*dst = '\0';
	if (change)
		delta_text(dst, size, change, f->icicle.graph.times ? COMPARE_LOAD : COMPARE_RATE);
	else if (file)
		snprintf(dst, size, "%s", file);
	else if (f->icicle.graph.whole > 0)
		snprintf(dst, size, "%s%.1f %%", b->n.shared ? "~" : "",
			 100 * b->n.value / f->icicle.graph.whole);
}

/* As much of a name as has room: in a small box an ellipsis would take most of it. */
static void put_name(struct grid *g, int x, int y, int width, enum role role, const char *name)
{
	char begin[32];
	size_t left = strnlen(name, sizeof(begin) - 1), n = 0, step;
	int used = 0;
	uint32_t cp;

	memcpy(begin, name, left);
	while (left && (step = text_utf8(begin + n, left, &cp)) && used + text_width(cp) <= width) {
		used += text_width(cp);
		n += step;
		left -= step;
	}
	begin[n] = '\0';
	grid_text(g, x, y, width, role, width < 4 ? begin : name);
}

static const char *name_of(const struct flame *f, const struct icicle_box *b, bool utf8, char *dst,
			   size_t size)
{
	const char *name = b->n.function == PROFILE_NONE ? "all" :
			   f->profile->functions[b->n.function].name;

	if (b->rest)
		snprintf(dst, size, "%s%u", utf8 ? "…" : "..", b->rest);
	else if (b->again)
		snprintf(dst, size, "%s%s", utf8 ? "↻ " : "@ ", name);
	else
		return name;
	return dst;
}

static void draw_label(const struct flame *f, const struct view_shared *s, struct grid *g, int y,
		       const struct icicle_box *b, enum role role)
{
	char name[300], figure[80], visible[1000];
	const char *text = name_of(f, b, g->utf8, name, sizeof(name));
	int room = b->width - 1, used;

	text_visible(visible, sizeof(visible), text, strnlen(text, sizeof(visible)));
	put_name(g, b->x + 1, y, room, role, text);
	figure_of(f, s, b, figure, sizeof(figure));
	used = text_columns(visible) + 2;
	if (*figure && used + text_columns(figure) < room)
		grid_right(g, b->x + 1 + used, y, room - used - 1, role, figure);
}

static void draw_box(const struct flame *f, const struct view_shared *s, struct grid *g, int y,
		     const struct icicle_box *b)
{
	enum role role = role_of(f, s, b);
	struct grid cells = grid_sub(g, b->x, y, b->width, 1);

	grid_fill(g, b->x, y, b->width, role, ' ');
	grid_fill(g, b->x, y, 1, role, edge_of(f, s, g, b));
	if (b->width > 1)
		draw_label(f, s, g, y, b, role);
	if (b == flame_box(f))
		grid_select_row(&cells, 0);
}

/* --- above: where one is ---------------------------------------------------------------------- */

static size_t title_right(const struct flame *f, const struct view *v, char *dst, size_t size,
			  size_t top)
{
	size_t rows = flame_rows(v) > 0 ? (size_t)flame_rows(v) : 1, n = 0;

	*dst = '\0';
	if (!isnan(f->through))
		n += (size_t)snprintf(dst + n, size - n, "  matches: %.1f %%", 100 * f->through);
	if (f->icicle.levels > rows)
		n += (size_t)snprintf(dst + n, size - n, "  levels %zu-%zu of %zu", top + 1,
				      top + rows < f->icicle.levels ? top + rows : f->icicle.levels,
				      f->icicle.levels);
	return n;
}

/* "all > main > send": as much of its end as there is room for. */
static void draw_crumbs(struct flame *f, struct grid *g, int width)
{
	const struct icicle *c = &f->icicle;
	const char *all = f->inverted ? "bottom-up" : "top-down";
	int x = grid_text(g, 0, 0, width, ROLE_TITLE, all), left = width - x;
	size_t first = c->zoom.n;

	while (first &&
	       (left -= text_columns(f->profile->functions[c->above[first - 1]].name) + 3) >= 4)
		first--;
	if (first == c->zoom.n && first)
		first--;
	f->first_crumb = first;
	if (first)
		x += grid_text(g, x, 0, width - x, ROLE_TITLE, " …");
	for (size_t i = first; i < c->zoom.n; i++) {
		x += grid_text(g, x, 0, width - x, ROLE_TITLE, " > ");
		x += grid_text(g, x, 0, width - x, ROLE_TITLE,
			       f->profile->functions[c->above[i]].name);
		f->crumbs[i] = x;
	}
}

static void draw_zoom(struct flame *f, struct grid *g)
{
	char right[120];
	size_t n = title_right(f, &f->view, right, sizeof(right), flame_place(f)->top);
	int width;

	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	if (g->width >= 60)
		snprintf(right + n, sizeof(right) - n, "  %s", f->colour == FLAME_HEAT &&
			 !f->icicle.graph.times ? "colours: calls" : colour_names[f->colour]);
	width = text_columns(right);
	grid_right(g, g->width - width, 0, width, ROLE_TITLE, right);
	draw_crumbs(f, g, g->width - width);
}

/* --- below: what is selected ------------------------------------------------------------------ */

static void draw_name_line(const struct flame *f, const struct view_shared *s, struct grid *g,
			   int y, const struct icicle_box *b)
{
	const struct profile_function *fn;
	int x;

	if (b->rest) {
		grid_textf(g, 0, y, -1, ROLE_VALUE, "%u function%s too narrow to draw", b->rest,
			   b->rest == 1 ? "" : "s");
		return;
	}
	if (b->n.function == PROFILE_NONE) {
		grid_textf(g, 0, y, -1, ROLE_VALUE, "all: %zu %s%s", f->icicle.graph.root_count,
			   f->inverted ? "function" : "root",
			   f->icicle.graph.root_count == 1 ? "" : "s");
		return;
	}
	fn = &f->profile->functions[b->n.function];
	x = part_name(g, 0, y, -1, ROLE_VALUE, fn->name, s->search);
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
	double whole = f->icicle.graph.whole;
	bool about = graph_about(&f->icicle.graph, &b->n);
	bool mine = !b->again || f->inverted;
	char text[40];

	snprintf(text, sizeof(text), "%s%.1f %% of %s", b->n.shared ? "~" : "",
		 whole > 0 ? 100 * b->n.value / whole : 0,
		 f->icicle.graph.times ? "time" : "calls");
	figure_add(l, "", text);
	figure_add(l, "total ", graph_text_seconds(text, sizeof(text), b->n.total, about));
	figure_add(l, "self ",
		   graph_text_seconds(text, sizeof(text), mine ? b->n.self : NAN,
				      b->n.shared || graph_self_about(&f->icicle.graph, &b->n)));
	if (!isnan(b->n.calls)) {
		snprintf(text, sizeof(text), "%s%.0f", about ? "~" : "", b->n.calls);
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
	enum compare_measure m = f->icicle.graph.times ? COMPARE_LOAD : COMPARE_RATE;
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
	const struct compare_value *change = change_of(f, s, b);
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

static void draw_selected(const struct flame *f, const struct view_shared *s, struct grid *g, int y)
{
	const struct icicle_box *b = flame_box(f);

	if (!b || y >= g->height)
		return;
	if (y + 1 < g->height)
		draw_name_line(f, s, g, y++, b);
	draw_figures(f, s, g, y, b);
}

/* --- all -------------------------------------------------------------------------------------- */

/* Why there is only one level, or none. */
static void draw_reason(const struct flame *f, struct grid *g, int y, int rows)
{
	const struct profile *p = f->profile;
	const char *why = "";

	if (!(f->icicle.graph.whole > 0))
		why = "no call has ended yet: nothing has a width";
	else if (p->edge_count == 0)
		why = "no calls are known, only samples: each function stands by itself";
	else if (f->inverted && !f->icicle.graph.times && p->totals.time != PROFILE_TIME_NONE)
		why = "by calls: own times need the image (-e)";
	if (*why && y + 1 < rows)
		grid_text(g, 0, y + 2, -1, ROLE_LABEL, why);
}

void flame_draw_boxes(struct flame *f, const struct view_shared *s, struct grid *g)
{
	const struct icicle *c = &f->icicle;
	size_t level = flame_place(f)->top;
	int rows = flame_rows(&f->view), y = 1;

	draw_zoom(f, g);
	for (; y <= rows && level < c->levels; y++, level++) {
		for (size_t i = c->level[level]; i < c->level[level + 1]; i++)
			draw_box(f, s, g, y, &c->boxes[i]);
	}
	draw_reason(f, g, y - 1, rows);
	draw_selected(f, s, g, rows + 1);
}
