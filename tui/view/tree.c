/*
 * tree: the call graph from its roots down, foldable. forest.h says what a line's time means.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/forest.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

#define INDENT 2

enum { CELL_PERCENT, CELL_BAR, CELL_TOTAL, CELL_SELF, CELL_CALLS, CELL_FUNCTION, CELL_FILE,
       CELL_COUNT };

static const struct { const char *title; bool left; struct table_column column; } cells[] = {
	[CELL_PERCENT] = { "TOTAL%", false, { 6, 6, 1 } },
	[CELL_BAR] = { "", false, { 6, 16, 5 } },
	[CELL_TOTAL] = { "TOTAL", false, { 9, 9, 2 } },
	[CELL_SELF] = { "SELF", false, { 8, 8, 4 } },
	[CELL_CALLS] = { "CALLS", false, { 8, 8, 3 } },
	[CELL_FUNCTION] = { "FUNCTION", true, { 0, 0, 0 } },
	[CELL_FILE] = { "FILE", true, { 15, 36, 6 } },
};

struct tree {
	struct view view;
	struct forest forest;
	struct list list;
	const struct profile *profile;
	uint64_t path;			/* of the line under the cursor */
	uint64_t seen;			/* address that the cursor was put on */
	bool files;			/* some function's file is known */
	struct table_span spans[CELL_COUNT];
};

static int tree_init(struct view *v)
{
	forest_init(&((struct tree *)v)->forest);
	return 0;
}

static void tree_release(struct view *v)
{
	forest_release(&((struct tree *)v)->forest);
}

static const struct forest_line *cursor_line(const struct tree *t)
{
	return t->list.cursor < t->forest.count ? &t->forest.lines[t->list.cursor] : NULL;
}

/* Unroll again; the cursor stays on its path, or on the nearest line of it that is still there. */
static void rebuild(struct tree *t)
{
	size_t line;

	if (forest_build(&t->forest, t->profile) < 0)
		t->forest.count = 0;
	t->list.count = t->forest.count;
	line = forest_find(&t->forest, t->path);
	if (line < t->forest.count)
		t->list.cursor = line;
}

/* Another view chose a function: show where it is. */
static void reveal(struct tree *t, const struct view_shared *s)
{
	const struct forest_line *l = cursor_line(t);
	uint32_t selected = view_selected(s);
	uint64_t path;

	t->seen = s->selected_address;
	if (selected == PROFILE_NONE || (l && l->function == selected))
		return;
	path = forest_reveal(&t->forest, selected);
	if (path == 0)
		return;
	t->path = path;
	rebuild(t);
}

static void tree_update(struct view *v, const struct view_shared *s)
{
	struct tree *t = (struct tree *)v;

	t->profile = s->profile;
	t->forest.count = t->list.count = 0;
	if (!s->profile)
		return;
	t->files = part_has_files(s->profile);
	rebuild(t);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int page_of(const struct view *v)
{
	return v->height - 1 - (v->height >= 6);
}

static int indent_of(const struct forest_line *l, int width)
{
	int indent = (int)l->depth * INDENT, most = width / 2;

	return indent < most ? indent : most;
}

/* Only the lines on the screen count: a long name far away must not squeeze these. */
static void lay_out(struct tree *t, int width, int page)
{
	static const struct { int cell, below; } yield[] = {
		{ CELL_FILE, 999 }, { CELL_BAR, 60 }, { CELL_SELF, 60 }, { CELL_CALLS, 60 },
	};
	struct table_column c[CELL_COUNT];
	int longest, needed = 0;

	for (size_t i = t->list.top; i < t->forest.count && i < t->list.top + (size_t)page; i++) {
		const struct forest_line *l = &t->forest.lines[i];
		int length = indent_of(l, width) + 4 +
			     text_columns(t->profile->functions[l->function].name);

		needed = length > needed ? length : needed;
	}
	longest = needed > 24 ? needed : 24;
	for (size_t i = 0; i < CELL_COUNT; i++)
		c[i] = cells[i].column;
	c[CELL_FUNCTION] = table_name(width, 24, 0);
	c[CELL_FUNCTION].wants = longest > width / 2 ? longest : width / 2;
	if (!t->files)
		c[CELL_FILE].width = 0;
	if (!t->forest.times)
		c[CELL_TOTAL].width = c[CELL_SELF].width = 0;
	table_layout(c, CELL_COUNT, width, t->spans);
	/* Names come before all that is not their time. */
	for (size_t i = 0; i < sizeof(yield) / sizeof(yield[0]); i++) {
		if (t->spans[CELL_FUNCTION].width >= needed || width >= yield[i].below)
			continue;
		c[yield[i].cell].width = 0;
		table_layout(c, CELL_COUNT, width, t->spans);
	}
}

static void draw_titles(const struct tree *t, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < CELL_COUNT; i++)
		part_title(g, t->spans[i], 0, i || t->forest.times ? cells[i].title : "CALLS%",
			   cells[i].left, 0);
}

static const char *mark_of(const struct forest_line *l, bool utf8)
{
	if (l->again)
		return utf8 ? "↻ " : "@ ";
	if (l->leaf)
		return "  ";
	if (l->open)
		return utf8 ? "▾ " : "- ";
	return utf8 ? "▸ " : "+ ";
}

static void draw_name(const struct tree *t, const struct view_shared *s, struct grid *g, int y,
		      const struct forest_line *l)
{
	struct table_span at = t->spans[CELL_FUNCTION];
	const struct profile_function *f = &t->profile->functions[l->function];
	int x = indent_of(l, at.width);

	x += grid_text(g, at.x + x, y, at.width - x, ROLE_LABEL, mark_of(l, g->utf8));
	if (x < at.width)
		part_name(g, at.x + x, y, at.width - x, l->again ? ROLE_DIM : part_role(f), f->name,
			  s->search);
}

static void draw_total(const struct tree *t, struct grid *g, int y, const struct forest_line *l)
{
	char text[20] = "~";

	text_seconds(text + l->shared, 16, l->value);
	part_cell(g, t->spans[CELL_TOTAL], y, ROLE_NUMBER, text);
}

/*
 * Deeper levels of a recursion are in the upper line's own time already. Below zero: see
 * columns[COLUMN_SELF].
 */
static void draw_self(const struct tree *t, struct grid *g, int y, const struct forest_line *l)
{
	const struct profile_function *f = &t->profile->functions[l->function];

	if (f->self_s < 0 && !l->again)
		part_cell(g, t->spans[CELL_SELF], y, ROLE_NUMBER, "~0 s");
	else
		part_seconds(g, t->spans[CELL_SELF], y,
			     f->time == TIME_NONE || l->again ? NAN : f->self_s * l->share);
}

static void draw_line(const struct tree *t, const struct view_shared *s, struct grid *g, int y,
		      size_t line)
{
	const struct forest_line *l = &t->forest.lines[line];
	const struct profile_function *f = &t->profile->functions[l->function];
	double percent = t->forest.whole > 0 ? l->value / t->forest.whole : NAN;

	part_percent(g, t->spans[CELL_PERCENT], y, percent);
	part_bar(g, t->spans[CELL_BAR], y, percent, percent);
	draw_total(t, g, y, l);
		draw_self(t, g, y, l);
	part_count(g, t->spans[CELL_CALLS], y, l->calls);
	draw_name(t, s, g, y, l);
	part_file(g, t->spans[CELL_FILE], y, f->file, f->line);
	if (line == t->list.cursor)
		grid_select_row(g, y);
}

static void draw_footer(const struct tree *t, const struct view_shared *s, struct grid *g)
{
	char text[120];

	snprintf(text, sizeof(text), "%zu root%s, %zu lines open%s", t->forest.root_count,
		 t->forest.root_count == 1 ? "" : "s", t->forest.count, s->order.filter ? "; the filter does not apply here" : "");
	part_footer(g, g->height - 1, text,
		    t->forest.cut ? "too many lines: close some" :
		    profile_estimated(t->profile) ? "~ estimate: the profiler's own cost taken back" : "");
}

static void tree_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct tree *t = (struct tree *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (t->profile != s->profile)
		tree_update(v, s);
	if (part_empty(g, s))
		return;
	if (s->has_selected && t->seen != s->selected_address)
		reveal(t, s);
	page = page_of(v);
	list_show(&t->list, page);
	lay_out(t, g->width, page);
	draw_titles(t, g);
	for (int y = 0; y < page && t->list.top + (size_t)y < t->forest.count; y++)
		draw_line(t, s, g, y + 1, t->list.top + (size_t)y);
	if (page < g->height - 1)
		draw_footer(t, s, g);
}

/* --- acting ----------------------------------------------------------------------------------- */

static unsigned moved(struct tree *t, struct view_shared *s)
{
	const struct forest_line *l = cursor_line(t);

	if (!l)
		return VIEW_HANDLED;
	t->path = l->path;
	view_select(s, l->function);
	t->seen = s->selected_address;
	return VIEW_REDRAW;
}

static unsigned fold(struct tree *t, struct view_shared *s, bool open)
{
	moved(t, s);
	forest_fold(&t->forest, t->list.cursor, open);
	rebuild(t);
	return VIEW_REDRAW;
}

static unsigned go_parent(struct tree *t, struct view_shared *s)
{
	const struct forest_line *l = cursor_line(t);

	if (!l || l->parent >= t->forest.count)
		return VIEW_HANDLED;
	t->list.cursor = l->parent;
	return moved(t, s);
}

/* The first child is the dearest. */
static unsigned go_child(struct tree *t, struct view_shared *s)
{
	const struct forest_line *l = cursor_line(t);

	if (!l || l->leaf || l->again)
		return VIEW_HANDLED;
	if (!l->open)
		fold(t, s, true);
	l = cursor_line(t);
	if (!l || !l->open || t->list.cursor + 1 >= t->forest.count)
		return VIEW_REDRAW;
	t->list.cursor++;
	return moved(t, s);
}

/* Below the cursor; where nothing is below it, everywhere. */
static void each_open(struct tree *t, void (*apply)(struct forest *f, size_t line))
{
	const struct forest_line *l = cursor_line(t);

	if (l && !l->leaf && !l->again) {
		apply(&t->forest, t->list.cursor);
		return;
	}
	for (size_t i = 0; i < t->forest.count; i++) {
		if (t->forest.lines[i].depth == 0)
			apply(&t->forest, i);
	}
}

/* Open all; when all is open, close it. */
static unsigned open_all(struct tree *t, struct view_shared *s)
{
	size_t before = t->forest.count;

	moved(t, s);
	each_open(t, forest_open_all);
	rebuild(t);
	if (t->forest.count == before) {
		each_open(t, forest_close_all);
		rebuild(t);
	}
	return VIEW_REDRAW;
}

static bool line_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct tree *t = k[0];

	return part_matches(k[1], t->profile->functions[t->forest.lines[line].function].name);
}

/* First among the lines that are open; a match that is folded away is revealed. */
static unsigned search(struct tree *t, struct view_shared *s, bool backwards)
{
	const void *ctx[] = { t, s };

	if (list_search(&t->list, backwards, line_matches, ctx))
		return moved(t, s);
	for (uint32_t i = 0; i < t->profile->function_count; i++) {
		if (!part_matches(s, t->profile->functions[i].name))
			continue;
		view_select(s, i);
		reveal(t, s);
		return VIEW_REDRAW;
	}
	return VIEW_NO_MATCH;
}

static unsigned tree_act(struct view *v, struct view_shared *s, enum action a)
{
	struct tree *t = (struct tree *)v;
	const struct forest_line *l;

	if (!t->profile || t->profile != s->profile || !(l = cursor_line(t)))
		return VIEW_NOTHING;
	if (!s->has_selected)
		moved(t, s);
	if (list_act(&t->list, a, page_of(v)))
		return moved(t, s);
	if (part_searches(a))
		return search(t, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return fold(t, s, !l->open);
	case ACTION_OPEN: return fold(t, s, true);
	case ACTION_CLOSE: return fold(t, s, false);
	case ACTION_OPEN_ALL: return open_all(t, s);
	case ACTION_LEFT: return l->open ? fold(t, s, false) : go_parent(t, s);
	case ACTION_RIGHT: return l->open ? go_child(t, s) : fold(t, s, true);
	case ACTION_PARENT: return go_parent(t, s);
	case ACTION_LONGEST_CHILD: return go_child(t, s);
	default: return VIEW_NOTHING;
	}
}

/* A click on a line selects it; on its mark, or a double click, folds it. */
static unsigned tree_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct tree *t = (struct tree *)v;
	size_t line = t->list.top + (size_t)(y - 1);
	const struct forest_line *l;
	int mark;

	if (!t->profile || t->profile != s->profile)
		return VIEW_NOTHING;
	if (list_wheel(&t->list, button, page_of(v)))
		return moved(t, s);
	if ((button != 1 && button != 2) || y < 1 || y > page_of(v) || line >= t->forest.count)
		return VIEW_NOTHING;
	t->list.cursor = line;
	l = cursor_line(t);
	mark = t->spans[CELL_FUNCTION].x + indent_of(l, t->spans[CELL_FUNCTION].width);
	if (button == 2 || x == mark)
		return fold(t, s, !l->open);
	return moved(t, s);
}

static size_t tree_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = {
		ACTION_ENTER, ACTION_OPEN_ALL, ACTION_PARENT, ACTION_LONGEST_CHILD, ACTION_SEARCH,
		ACTION_FREEZE, ACTION_EXPORT,
	};

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

const struct view_ops view_tree_ops = {
	.name = "tree",
	.title = "The call tree, from its roots",
	.about =
		"A line's time is the time of the calls on its own path. Where a function has several "
		"ways to it, its time is apportioned by what each caller's calls took: ~ marks that. "
		"A function that is among its own callers is marked and not opened again.",
	.action = ACTION_VIEW_TREE,
	.size = sizeof(struct tree),
	.init = tree_init,
	.release = tree_release,
	.update = tree_update,
	.draw = tree_draw,
	.act = tree_act,
	.mouse = tree_mouse,
	.hints = tree_hints,
};
