/*
 * flat: every function on a line of its own, in the order of a column; alone or by file or task.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/view/flat/flat.h"
#include "tui/view/views.h"

static int flat_init(struct view *v)
{
	struct flat *f = (struct flat *)v;

	rows_init(&f->rows);
	map_init(&f->by_key);
	map_init(&f->folded);
	return 0;
}

static void flat_release(struct view *v)
{
	struct flat *f = (struct flat *)v;

	rows_release(&f->rows);
	flat_groups_release(f);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The cursor goes where the selected function or group is now, or keeps its line. */
static void cursor_place(struct flat *f, const struct view_shared *s)
{
	uint32_t selected = view_selected(s);
	size_t line = SIZE_MAX;

	if (!s->follow && f->seen == s->selected_address)
		return;
	if (f->seen != s->selected_address)	/* selected elsewhere */
		f->on_group = false;
	if (f->on_group)
		line = flat_line_of_group(f, f->at_key);
	if (line == SIZE_MAX && selected != PROFILE_NONE)
		line = flat_line_of(f, selected);
	if (line != SIZE_MAX)
		f->list.cursor = line;
	f->seen = s->selected_address;
}

static void rows_update(struct flat *f, const struct view_shared *s)
{
	f->rows.count = f->rows.hidden = 0;
	if (!s->model.profile || !s->model.profile->function_count ||
	    rows_sort(&f->rows, s->model.profile, &f->order) < 0)
		f->rows.count = 0;
	if (flat_group_rows(f) < 0)
		f->list.count = f->rows.count = 0;
}

static void flat_update(struct view *v, const struct view_shared *s)
{
	struct flat *f = (struct flat *)v;

	if (f->data.profile != s->model.profile)
		f->longest = f->digits = 0;
	f->data = (struct column_data){ s->model.profile, s->model.contexts };
	f->order = s->order;
	f->order.contexts = s->model.contexts;
	f->order.compare = s->peaks ? NULL : s->model.compare;
	rows_update(f, s);
	if (s->model.profile)
		flat_measure(f, s);
	flat_group_trends(f, s);
	cursor_place(f, s);
}

static bool is_stale(const struct flat *f, const struct view_shared *s)
{
	return f->data.profile != s->model.profile || f->order.column != s->order.column ||
	       f->order.inverted != s->order.inverted || f->order.filter != s->order.filter ||
	       f->order.by_change != s->order.by_change;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int lines_shown(const struct view *v)
{
	return v->height - 1 - (v->height >= 6);
}

static void draw_list_line(const struct flat *f, const struct view_shared *s, struct grid *g, int y,
		     size_t line)
{
	const struct profile_function *fn = flat_function_at(f, line);
	const struct flat_group *group = flat_group_at(f, line);

	if (group)
		flat_draw_group(f, s, g, y, group);
	else if (fn)
		flat_draw_function(f, s, g, y, fn);
	else
		return;
	if (line == f->list.cursor)
		grid_select_row(g, y);
}

static void flat_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct flat *f = (struct flat *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (is_stale(f, s))
		flat_update(v, s);
	if (part_lacks(g, s, VIEW_NEEDS_PROFILE))
		return;
	if (s->has_selected && f->seen != s->selected_address)
		cursor_place(f, s);
	page = lines_shown(v);
	list_show(&f->list, page);
	flat_lay_out(f, s, g->width);
	flat_draw_titles(f, g);
	for (int y = 0; y < page; y++)
		draw_list_line(f, s, g, y + 1, f->list.top + (size_t)y);
	if (f->list.count == 0 && page > 0)
		grid_text(g, 0, 1, -1, ROLE_LABEL, "No function passes the filter.");
	if (page < g->height - 1)
		flat_draw_totals(f, s, g, g->height - 1);
}

/* --- acting ----------------------------------------------------------------------------------- */

static void select_cursor(struct flat *f, struct view_shared *s)
{
	const struct flat_group *group = flat_group_at(f, f->list.cursor);

	if (f->data.profile != s->model.profile || f->list.cursor >= f->list.count)
		return;
	f->on_group = group != NULL;
	if (group) {
		f->at_key = group->key;
		return;
	}
	view_select(s, f->lines[f->list.cursor].function);
	f->seen = s->selected_address;
}

static void sort_by(struct view_shared *s, enum column_id id)
{
	s->order.inverted = s->order.column == id && !s->order.by_change && !s->order.inverted;
	s->order.column = id;
	s->order.by_change = false;
}

static void sort_by_change(struct view_shared *s)
{
	s->order.inverted = s->order.by_change && !s->order.inverted;
	s->order.by_change = true;
}

/* The next column that holds something, round the end. */
static void sort_step(const struct flat *f, struct view_shared *s, size_t step)
{
	size_t id = s->order.column;

	do
		id = (id + step) % COLUMN_COUNT;
	while (!f->present[id] && id != s->order.column);
	s->order.column = (enum column_id)id;
	s->order.inverted = s->order.by_change = false;
}

/* --- searching -------------------------------------------------------------------------------- */

static bool group_matches(const struct flat *f, const struct view_shared *s,
			  const struct flat_group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		if (part_matches(s, f->data.profile->functions[f->grouped[group->first + i]].name))
			return true;
	}
	return false;
}

/* A folded group stands for the functions in it. */
static bool row_matches(void *ctx, size_t line)
{
	const void **c = ctx;
	const struct flat *f = c[0];
	const struct profile_function *fn = flat_function_at(f, line);
	const struct flat_group *group = flat_group_at(f, line);

	if (fn)
		return part_matches(c[1], fn->name);
	return group && group->folded && group_matches(f, c[1], group);
}

static struct view_reply search_rows(struct flat *f, struct view_shared *s, bool backwards)
{
	const void *ctx[] = { f, s };
	struct flat_group *group;

	if (f->data.profile != s->model.profile ||
	    !list_search(&f->list, backwards, row_matches, ctx))
		return view_no_match();
	group = flat_group_at(f, f->list.cursor);
	if (group && flat_fold(f, group, false) == 0)
		list_search(&f->list, false, row_matches, ctx);
	select_cursor(f, s);
	return view_redraw();
}

/* --- groups ----------------------------------------------------------------------------------- */

static struct view_reply next_grouping(struct flat *f, struct view_shared *s)
{
	static const char *const said[FLAT_GROUPINGS] = {
		[FLAT_UNGROUPED] = "functions, not grouped",
		[FLAT_BY_FILE] = "grouped by file; again: by task",
		[FLAT_BY_TASK] = "grouped by task: main, interrupts, a task; again: not grouped",
	};

	f->grouping = (f->grouping + 1) % FLAT_GROUPINGS;
	f->on_group = false;
	f->seen = ~s->selected_address;		/* place the cursor, even if it keeps its line */
	f->list.top = 0;			/* and show its group's heading */
	flat_update(&f->view, s);
	return view_say(said[f->grouping]);
}

/* + and - on a function fold its group. */
static struct view_reply fold_group(struct flat *f, struct view_shared *s, bool folded)
{
	struct flat_group *group;
	uint64_t key;

	if (!f->group_count)
		return view_pass();
	if (f->list.cursor >= f->list.count || f->data.profile != s->model.profile)
		return view_done();
	group = &f->groups[f->lines[f->list.cursor].group];
	key = group->key;
	if (group->folded == folded)
		return view_done();
	flat_fold(f, group, folded);
	if (folded)
		f->list.cursor = flat_line_of_group(f, key);
	select_cursor(f, s);
	return view_redraw();
}

static struct view_reply fold_groups(struct flat *f, struct view_shared *s)
{
	uint64_t key;

	if (!f->group_count || f->list.cursor >= f->list.count ||
	    f->data.profile != s->model.profile)
		return view_done();
	key = f->groups[f->lines[f->list.cursor].group].key;
	flat_fold_all(f);
	f->list.cursor = flat_line_of_group(f, key);
	select_cursor(f, s);
	return view_redraw();
}

static struct view_reply row_enter(struct flat *f, struct view_shared *s)
{
	const struct flat_group *group = flat_group_at(f, f->list.cursor);

	return group ? fold_group(f, s, !group->folded) : view_go(ACTION_VIEW_CALLERS);
}

static struct view_reply flat_act(struct view *v, struct view_shared *s, enum action a)
{
	struct flat *f = (struct flat *)v;

	if (!s->follow || !s->has_selected)
		select_cursor(f, s);
	if (list_act(&f->list, a, lines_shown(v))) {
		select_cursor(f, s);
		return view_redraw();
	}
	if (part_searches(a))
		return search_rows(f, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return row_enter(f, s);
	case ACTION_OPEN: return fold_group(f, s, false);
	case ACTION_CLOSE: return fold_group(f, s, true);
	case ACTION_OPEN_ALL: return fold_groups(f, s);
	case ACTION_GROUP: return next_grouping(f, s);
	case ACTION_SORT_NEXT: sort_step(f, s, 1); return view_redraw();
	case ACTION_SORT_PREVIOUS: sort_step(f, s, COLUMN_COUNT - 1); return view_redraw();
	case ACTION_INVERT: s->order.inverted = !s->order.inverted; return view_redraw();
	default: return view_pass();
	}
}

static struct view_reply click_column(const struct flat *f, struct view_shared *s, int x,
				      int button)
{
	enum column_id id = flat_column_at(f, x);

	if (button == 3)
		return view_go(ACTION_COLUMNS);
	if (flat_is_change_at(f, x))
		sort_by_change(s);
	else if (id == COLUMN_COUNT)
		return view_done();
	else
		sort_by(s, id);
	return view_redraw();
}

static struct view_reply flat_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct flat *f = (struct flat *)v;
	size_t line = f->list.top + (size_t)(y - 1);

	if (list_wheel(&f->list, button, lines_shown(v))) {
		select_cursor(f, s);
		return view_redraw();
	}
	if (y == 0 && button <= 3)
		return click_column(f, s, x, button);
	if (button != 1 && button != 2)
		return view_pass();
	if (y < 1 || y > lines_shown(v) || line >= f->list.count)
		return view_done();
	f->list.cursor = line;
	select_cursor(f, s);
	return button == 2 ? row_enter(f, s) : view_redraw();
}

/* --- the row as text -------------------------------------------------------------------------- */

/* "send	self 573 ms	total 1.00 s	..." */
static bool flat_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	const struct flat *f = (const struct flat *)v;
	const struct flat_group *group = flat_group_at(f, f->list.cursor);
	const struct profile_function *fn = flat_function_at(f, f->list.cursor);
	char text[COLUMN_TEXT];

	if (f->data.profile != s->model.profile || (!fn && !group))
		return false;
	buf_adds(out, group ? group->name : fn->name);
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const struct column *c = &columns[i];

		if (!f->present[i] || i == COLUMN_FUNCTION || (group && !c->sums))
			continue;
		c->format(&f->data, group ? &group->sum : fn, text, sizeof(text));
		if (*text)
			buf_addf(out, "\t%s %s", c->name, text);
	}
	return true;
}

static uint32_t flat_cursor(struct view *v, const struct view_shared *s)
{
	const struct flat *f = (const struct flat *)v;

	return f->data.profile == s->model.profile && f->list.cursor < f->list.count &&
	       !flat_group_at(f, f->list.cursor) ?
	       f->lines[f->list.cursor].function : PROFILE_NONE;
}

static bool flat_place(struct view *v, const struct view_shared *s, struct view_place *at)
{
	const struct flat *f = (const struct flat *)v;
	const struct flat_group *group = flat_group_at(f, f->list.cursor);
	const struct profile_function *fn = flat_function_at(f, f->list.cursor);

	if (f->data.profile != s->model.profile || (!fn && !group))
		return false;
	*at = group ? (struct view_place){ .path = group->path } :
	      (struct view_place){ .path = fn->path, .line = fn->line };
	return true;
}

static const enum action flat_hints[] = {
	ACTION_ENTER, ACTION_SORT, ACTION_FILTER, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_BASELINE, ACTION_SPAN, ACTION_FREEZE, ACTION_EXPORT,
	ACTION_COLUMNS, ACTION_GROUP, ACTION_INVERT, ACTION_RIGHT, ACTION_NONE,
};

static const struct view_word flat_words[] = {
	{ ACTION_ENTER, "callers", "callers and callees of the function; fold a group" },
	{ ACTION_RIGHT, "names", "scroll long names; left: back" },
	{ ACTION_NONE, NULL, NULL },
};

static bool flat_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct flat *f = (const struct flat *)v;

	*shown = f->rows.count;
	*all = f->rows.count + f->rows.hidden;
	return true;
}

const struct view_ops view_flat_ops = {
	.name = "flat",
	.title = "All functions, most expensive first",
	.about =
		"SELF is the time in a function itself, TOTAL with all that it called. The bar "
		"is SELF relative to the most expensive row. MINUTE is the load over the last "
		"minute, scaled to its own maximum and coloured by the load. MIN and MAX are "
		"single calls; >= means the node could not count higher. A dash means unknown; "
		"a dimmed function is known only as a caller. ISR: interrupt handler; its "
		"time is not charged to other functions. root: no known caller (a task's entry, "
		"for example). {group} groups the functions by file or by task; the "
		"row of a group is the sum. {columns} chooses columns, their order and widths.",
	.action = ACTION_VIEW_FLAT,
	.size = sizeof(struct flat),
	.init = flat_init,
	.release = flat_release,
	.update = flat_update,
	.draw = flat_draw,
	.act = flat_act,
	.mouse = flat_mouse,
	.hints = flat_hints,
	.words = flat_words,
	.copy = flat_copy,
	.cursor = flat_cursor,
	.place = flat_place,
	.filtered = flat_filtered,
};
