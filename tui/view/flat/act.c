/* act: keys and clicks of the flat view: the cursor, sorting, searching, groups. */
#include "tui/part/traced.h"
#include "tui/view/flat/flat.h"

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

	if (group)
		return fold_group(f, s, !group->folded);
	return view_go(traced_enters(s) ? ACTION_LONGEST_CALL : ACTION_VIEW_CALLERS);
}

struct view_reply flat_act(struct view *v, struct view_shared *s, enum action a)
{
	struct flat *f = (struct flat *)v;

	if (!s->follow || !s->has_selected)
		select_cursor(f, s);
	if (list_act(&f->list, a, flat_page(v))) {
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

struct view_reply flat_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct flat *f = (struct flat *)v;
	size_t line = f->list.top + (size_t)(y - 1);

	if (list_wheel(&f->list, button, flat_page(v))) {
		select_cursor(f, s);
		return view_redraw();
	}
	if (y == 0 && button <= 3)
		return click_column(f, s, x, button);
	if (button != 1 && button != 2)
		return view_pass();
	if (y < 1 || y > flat_page(v) || line >= f->list.count)
		return view_done();
	f->list.cursor = line;
	select_cursor(f, s);
	if (button == 2 && flat_column_at(f, x) == COLUMN_MAX && node_trace(s->node))
		return view_go(ACTION_LONGEST_CALL);
	return button == 2 ? row_enter(f, s) : view_redraw();
}
