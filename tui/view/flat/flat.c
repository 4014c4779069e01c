/*
 * flat: every function on a line of its own, in the order of a column; alone or by file or task.
 */
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

void flat_update(struct view *v, const struct view_shared *s)
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
	page = flat_page(v);
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
	*at = (struct view_place){ .path = group ? group->path : fn->path,
				   .line = group ? 0 : fn->line };
	return true;
}

static const enum action flat_hints[] = {
	ACTION_ENTER, ACTION_SORT, ACTION_FILTER, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_BASELINE, ACTION_SPAN, ACTION_FREEZE, ACTION_EXPORT,
	ACTION_COLUMNS, ACTION_GROUP, ACTION_INVERT, ACTION_RIGHT, ACTION_LONGEST_CALL,
	ACTION_NONE,
};

static const struct view_word flat_words[] = {
	{ ACTION_ENTER, "open", "callers and callees; by MAX: its longest call; fold a group" },
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
		"for example). The line below compares the time in all these functions with the "
		"time that the program ran, without sleep and profiling cost; the rest is code "
		"without hooks. {group} groups the functions by file or by task; the row of a "
		"group is the sum. {columns} chooses columns, their order and widths.",
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
