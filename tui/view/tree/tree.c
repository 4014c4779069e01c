/*
 * tree: the call graph as lines, foldable: from its roots down, or from each function up to its
 * callers. graph.h says what a line's time means.
 */
#include <string.h>

#include "core/base/mem.h"
#include "tui/part/graph_text.h"
#include "tui/view/tree/tree.h"
#include "tui/view/views.h"

static int tree_init(struct view *v)
{
	forest_init(&((struct tree *)v)->forest);
	return 0;
}

static void tree_release(struct view *v)
{
	forest_release(&((struct tree *)v)->forest);
}

/* The cursor stays on its path, or on the nearest line of it that is still there. */
static void keep_place(struct tree *t)
{
	struct tree_place *at = tree_place(t);
	size_t line = forest_find(&t->forest, at->path);

	at->list.count = t->forest.count;
	if (line < t->forest.count)
		at->list.cursor = line;
	else if (at->list.cursor >= at->list.count)
		at->list.cursor = at->list.count ? at->list.count - 1 : 0;
}

static void lines_rebuild(struct tree *t)
{
	forest_unroll(&t->forest);
	keep_place(t);
}

/* Another view chose a function: show where it is. */
static void reveal_selected(struct tree *t, const struct view_shared *s)
{
	const struct forest_line *l = tree_line(t);
	uint32_t selected = view_selected(s);
	uint64_t path;

	t->seen = s->selected_address;
	if (selected == PROFILE_NONE || (l && l->n.function == selected))
		return;
	path = forest_reveal(&t->forest, selected);
	if (path == 0)
		return;
	tree_place(t)->path = path;
	lines_rebuild(t);
}

static void tree_update(struct view *v, const struct view_shared *s)
{
	struct tree *t = (struct tree *)v;

	t->profile = s->model.profile;
	t->forest.count = tree_place(t)->list.count = 0;
	if (!s->model.profile || !s->model.profile->function_count)
		return;
	t->files = part_has_files(s->model.profile);
	t->timed = s->model.profile->totals.time == PROFILE_TIME_TIMED;
	t->buckets = s->model.profile->bucket_count > 0;
	if (forest_build(&t->forest, t->profile, t->inverted, s->order.filter) == 0)
		keep_place(t);
}

/* A screen of so many lines is filled with branches that nobody had to open. */
#define TALL 28

static int branches_shown(const struct view *v)
{
	return v->height - 1 - (v->height >= 6);
}

static void tree_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct tree *t = (struct tree *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	page = branches_shown(v);
	if (t->profile != s->model.profile)
		tree_update(v, s);
	if (part_lacks(g, s, VIEW_NEEDS_PROFILE))
		return;
	if (s->has_selected && t->seen != s->selected_address)
		reveal_selected(t, s);
	if (page >= TALL && !tree_place(t)->folded) {
		forest_fill(&t->forest, (size_t)page);
		keep_place(t);
	}
	tree_draw_lines(t, s, g, page);
}

/* --- acting ----------------------------------------------------------------------------------- */

static struct view_reply cursor_moved(struct tree *t, struct view_shared *s)
{
	const struct forest_line *l = tree_line(t);

	if (!l)
		return view_done();
	tree_place(t)->path = l->n.path;
	view_select(s, l->n.function);
	t->seen = s->selected_address;
	return view_redraw();
}

/* The cursor to a line by its path. */
static struct view_reply go_path(struct tree *t, struct view_shared *s, uint64_t path)
{
	if (path)
		tree_place(t)->path = path;
	lines_rebuild(t);
	return cursor_moved(t, s);
}

static struct view_reply fold_branch(struct tree *t, struct view_shared *s, bool open)
{
	cursor_moved(t, s);
	tree_place(t)->folded = true;
	forest_fold(&t->forest, tree_place(t)->list.cursor, open);
	lines_rebuild(t);
	return view_redraw();
}

static struct view_reply go_parent(struct tree *t, struct view_shared *s)
{
	const struct forest_line *l = tree_line(t);

	if (!l || l->parent >= t->forest.count)
		return view_done();
	tree_place(t)->list.cursor = l->parent;
	return cursor_moved(t, s);
}

/* The first child is the most expensive. */
static struct view_reply go_child(struct tree *t, struct view_shared *s)
{
	const struct forest_line *l = tree_line(t);

	if (!l || l->n.leaf || l->again)
		return view_done();
	if (!l->open)
		fold_branch(t, s, true);
	l = tree_line(t);
	if (!l || !l->open || tree_place(t)->list.cursor + 1 >= t->forest.count)
		return view_redraw();
	tree_place(t)->list.cursor++;
	return cursor_moved(t, s);
}

/* The root above the cursor. */
static uint64_t root_path(struct tree *t)
{
	const struct forest_line *l = tree_line(t);

	while (l && l->parent < t->forest.count)
		l = &t->forest.lines[l->parent];
	return l ? l->n.path : 0;
}

/*
 * Open every branch; where every one is open, close them. But what is open is what the user saw: a
 * branch that was opened with this key, for the function selected elsewhere, was closed until now.
 */
static struct view_reply open_all(struct tree *t, struct view_shared *s, bool unseen)
{
	uint64_t path = tree_place(t)->path;

	cursor_moved(t, s);
	tree_place(t)->folded = true;
	if (!forest_open_all(&t->forest) && !unseen) {
		path = root_path(t);
		forest_close_all(&t->forest);
	}
	return go_path(t, s, path);
}

/* The other direction; the selected function is shown there too. */
static struct view_reply invert_tree(struct tree *t, struct view_shared *s)
{
	cursor_moved(t, s);
	t->inverted = !t->inverted;
	tree_update(&t->view, s);
	reveal_selected(t, s);
	return view_redraw();
}

static bool branch_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct tree *t = k[0];

	const struct forest_line *l = &t->forest.lines[line];

	return !l->rest && part_matches(k[1], t->profile->functions[l->n.function].name);
}

/* A function that matches and has no line, all its branches being closed. */
static uint32_t hidden_match(const struct tree *t, const struct view_shared *s)
{
	size_t n = t->profile->function_count;
	uint32_t found = PROFILE_NONE;
	uint8_t *shown = mem_zalloc(n + 1);

	if (!shown)
		return PROFILE_NONE;
	for (size_t i = 0; i < t->forest.count; i++)
		if (!t->forest.lines[i].rest)
			shown[t->forest.lines[i].n.function] = 1;
	for (uint32_t i = 0; i < n && found == PROFILE_NONE; i++) {
		if (!shown[i] && (!t->forest.sifted || t->forest.sift.marks[i]) &&
		    part_matches(s, t->profile->functions[i].name))
			found = i;
	}
	mem_free(shown);
	return found;
}

/* Along the open lines; before the search wraps around, closed branches with a match are opened. */
static struct view_reply search_branches(struct tree *t, struct view_shared *s, bool backwards)
{
	struct list *list = &tree_place(t)->list;
	const void *ctx[] = { t, s };
	size_t before = list->cursor;
	bool found = list_search(list, backwards, branch_matches, ctx);
	uint32_t hidden;
	uint64_t path;

	if (found && (backwards ? list->cursor < before : list->cursor > before))
		return cursor_moved(t, s);
	hidden = hidden_match(t, s);
	path = hidden == PROFILE_NONE ? 0 : forest_reveal(&t->forest, hidden);
	if (path)
		return go_path(t, s, path);
	return found ? cursor_moved(t, s) : view_no_match();
}

static struct view_reply tree_act(struct view *v, struct view_shared *s, enum action a)
{
	struct tree *t = (struct tree *)v;
	const struct forest_line *l;
	bool unseen;

	/* A key may come before the first frame: it means what the user selected elsewhere. */
	if (t->profile != s->model.profile)
		tree_update(v, s);
	if (!t->profile || !tree_line(t))
		return view_pass();
	unseen = s->has_selected && t->seen != s->selected_address;
	if (!s->has_selected)
		cursor_moved(t, s);
	else if (unseen)
		reveal_selected(t, s);
	if (!(l = tree_line(t)))
		return view_pass();
	if (list_act(&tree_place(t)->list, a, branches_shown(v)))
		return cursor_moved(t, s);
	if (part_searches(a))
		return search_branches(t, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return fold_branch(t, s, !l->open);
	case ACTION_OPEN: return fold_branch(t, s, true);
	case ACTION_CLOSE: return fold_branch(t, s, false);
	case ACTION_OPEN_ALL: return open_all(t, s, unseen);
	case ACTION_LEFT: return l->open ? fold_branch(t, s, false) : go_parent(t, s);
	case ACTION_RIGHT: return l->open ? go_child(t, s) : fold_branch(t, s, true);
	case ACTION_PARENT: return go_parent(t, s);
	case ACTION_LONGEST_CHILD: return go_child(t, s);
	case ACTION_HOTTEST: return go_path(t, s, forest_hottest(&t->forest));
	case ACTION_INVERT: return invert_tree(t, s);
	default: return view_pass();
	}
}

/* A click on a line selects it; on its mark, or a double click, folds it. */
static struct view_reply tree_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct tree *t = (struct tree *)v;
	size_t line = tree_place(t)->list.top + (size_t)(y - 1);
	const struct forest_line *l;
	int mark;

	if (!t->profile || t->profile != s->model.profile)
		return view_pass();
	if (list_wheel(&tree_place(t)->list, button, branches_shown(v)))
		return cursor_moved(t, s);
	if ((button != 1 && button != 2) || y < 1 || y > branches_shown(v) ||
	    line >= t->forest.count)
		return view_pass();
	tree_place(t)->list.cursor = line;
	l = tree_line(t);
	mark = t->spans[TREE_CELL_FUNCTION].x + tree_indent(l, t->spans[TREE_CELL_FUNCTION].width);
	if (button == 2 || x == mark)
		return fold_branch(t, s, !l->open);
	return cursor_moved(t, s);
}

static uint32_t tree_cursor(struct view *v, const struct view_shared *s)
{
	struct tree *t = (struct tree *)v;
	const struct forest_line *l = t->profile && t->profile == s->model.profile ?
				      tree_line(t) : NULL;

	return l ? l->n.function : PROFILE_NONE;
}

static const enum action tree_hints[] = {
	ACTION_ENTER, ACTION_OPEN_ALL, ACTION_HOTTEST, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_BASELINE, ACTION_FILTER, ACTION_INVERT, ACTION_PARENT,
	ACTION_LONGEST_CHILD, ACTION_FREEZE, ACTION_EXPORT,
	ACTION_NONE,
};

/* The functions from the root down to a line. */
static size_t way_of(const struct tree *t, const struct forest_line *l, uint32_t *way)
{
	size_t n = l->n.depth + 1, i = n;

	while (i--) {
		way[i] = l->n.function;
		l = i ? &t->forest.lines[l->parent] : l;
	}
	return n;
}

static bool tree_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	struct tree *t = (struct tree *)v;
	const struct forest_line *l = tree_line(t);
	uint32_t way[FOREST_DEPTH];

	if (!l || l->rest || t->profile != s->model.profile)
		return false;
	graph_text_copy(&t->forest.graph, &l->n, way, way_of(t, l, way), out);
	return true;
}

static bool tree_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct tree *t = (const struct tree *)v;

	*shown = t->forest.sift.matching;
	*all = t->profile ? t->profile->function_count : 0;
	return t->forest.sifted;
}

static bool tree_where(struct view *v, const struct view_shared *s, struct view_place *at)
{
	struct tree *t = (struct tree *)v;
	const struct forest_line *l = tree_line(t);

	return l && !l->rest && t->profile == s->model.profile &&
	       view_declared(s, l->n.function, at);
}

static const struct view_word tree_words[] = {
	{ ACTION_ENTER, "open", "open or close the branch" },
	{ ACTION_HOTTEST, "hottest", "open the path that takes longest" },
	{ ACTION_INVERT, "bottom-up", "from the callees up; again: from the roots down" },
	{ ACTION_NONE, NULL, NULL },
};

const struct view_ops view_tree_ops = {
	.name = "tree",
	.title = "The call tree, top-down or bottom-up",
	.about =
		"Top-down, a row's time is the time of the calls on its own path. Bottom-up "
		"({invert}) a root is a function with its self time, and each caller below it "
		"has the part of it that this caller's calls cost. ~ marks times of functions "
		"with several callers: they are divided in proportion to the time of each "
		"caller's calls. Without times, CALLS% counts the calls of a row and of all below "
		"it. A recursive call is marked and not opened again; bottom-up, it is left out.",
	.action = ACTION_VIEW_TREE,
	.size = sizeof(struct tree),
	.init = tree_init,
	.release = tree_release,
	.update = tree_update,
	.draw = tree_draw,
	.act = tree_act,
	.mouse = tree_mouse,
	.hints = tree_hints,
	.words = tree_words,
	.cursor = tree_cursor,
	.copy = tree_copy,
	.place = tree_where,
	.filtered = tree_filtered,
};
