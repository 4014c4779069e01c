/*
 * compare: changes since the baseline, one line per function, regressions first. Differences within
 * the noise are dim and follow below.
 */
#include "tui/view/compare/compare.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/compare/changes.h"
#include "tui/part/delta.h"
#include "tui/part/table.h"
#include "tui/view/views.h"

enum { VERDICT_LONGEST = 22 };		/* "worse load, call, rate" */

struct compare_view {
	struct view view;
	struct list list;
	struct changes changes;
	uint64_t seen;			/* address that the cursor was last put on */
	bool on_gone;			/* the cursor is on one that is gone, at address `seen` */
	struct table_span spans[CHANGE_CELLS];	/* as drawn last, for clicks */
};

static void compare_view_release(struct view *v)
{
	changes_release(&((struct compare_view *)v)->changes);
}

struct compare_order compare_order_at(size_t i)
{
	if (i >= CHANGE_CELLS)
		return (struct compare_order){ NULL, NULL };
	return (struct compare_order){ changes_cells[i].name, changes_cells[i].help };
}

size_t compare_sorted_by(const struct view *v)
{
	return ((const struct compare_view *)v)->changes.sort;
}

void compare_sort_by(struct view *v, size_t i)
{
	changes_sort(&((struct compare_view *)v)->changes, i);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const struct compare_row *change_at(const struct compare_view *c, size_t line)
{
	return changes_row(&c->changes, line);
}

/* NULL also while the lines are of a comparison that is gone. */
static const struct compare_row *change_at_cursor(const struct compare_view *c,
						  const struct view_shared *s)
{
	return c->changes.compare == s->model.compare ? change_at(c, c->list.cursor) : NULL;
}

/* The cursor goes where the selected function is now, or keeps its line. */
static void cursor_to_selected(struct compare_view *c, const struct view_shared *s)
{
	bool elsewhere = s->has_selected && c->seen != s->selected_address && !c->on_gone;
	uint64_t address = elsewhere ? s->selected_address : c->seen;

	if (!elsewhere && !s->follow)
		return;
	for (size_t i = 0; i < c->list.count; i++) {
		const struct compare_row *r = change_at(c, i);

		if ((r->now == PROFILE_NONE) == c->on_gone &&
		    changes_subject(&c->changes, i)->address == address) {
			c->list.cursor = i;
			break;
		}
	}
	c->seen = address;
}

static void compare_update(struct view *v, const struct view_shared *s)
{
	struct compare_view *c = (struct compare_view *)v;

	changes_fill(&c->changes, s->model.compare, s->order.filter);
	c->list.count = c->changes.count;
	cursor_to_selected(c, s);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Lines with the selected row in sentences. */
static int detail_lines(const struct view *v)
{
	return v->height < 12 ? 0 : v->height < 20 ? 1 : 2;
}

/* Lines below the table: the selected row's, a rule above them, and the totals. */
static int lines_below(const struct view *v)
{
	int selected = detail_lines(v);

	return v->height < 6 ? 0 : selected ? selected + 2 : 1;
}

static int changes_page(const struct view *v)
{
	return v->height - 1 - lines_below(v);
}

static struct table_column cell_column(const struct compare_view *c, size_t i, int width)
{
	const struct change_cell *cell = &changes_cells[i];

	if (cell->kind == CHANGE_NAME)
		return table_name(width, c->changes.longest, cell->rank);
	if (cell->kind == CHANGE_VERDICT)
		return (struct table_column){ width < 60 ? 8 : cell->width,
					      width < 100 ? cell->width : VERDICT_LONGEST,
					      cell->rank };
	if (cell->kind == CHANGE_FILE)
		return (struct table_column){ c->changes.files ? cell->width : 0, 32, cell->rank };
	if (!c->changes.known[cell->m])
		return (struct table_column){ 0 };
	return (struct table_column){ cell->width, cell->width,
				      i == c->changes.sort ? 1 : cell->rank };
}

static void lay_out_changes(struct compare_view *c, int width)
{
	struct table_column cells[CHANGE_CELLS];

	for (size_t i = 0; i < CHANGE_CELLS; i++)
		cells[i] = cell_column(c, i, width);
	table_layout(cells, CHANGE_CELLS, width, c->spans);
}

static bool is_left(enum change_kind kind)
{
	return kind == CHANGE_NAME || kind == CHANGE_FILE || kind == CHANGE_VERDICT;
}

static void draw_change_titles(const struct compare_view *c, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < CHANGE_CELLS; i++) {
		const struct change_cell *cell = &changes_cells[i];
		int sorted = i != c->changes.sort ? 0 : c->changes.inverted ? -1 : 1;

		part_title(g, c->spans[i], 0, g->utf8 || !cell->ascii ? cell->title : cell->ascii,
			   is_left(cell->kind), sorted);
	}
}

static void draw_change_figure(struct grid *g, struct table_span at, int y, double v,
			       enum compare_measure m, bool dim)
{
	char text[DELTA_TEXT];

	part_cell(g, at, y, dim ? ROLE_DIM : ROLE_NUMBER, delta_figure(text, sizeof(text), v, m));
}

static void draw_change_cell(const struct compare_view *c, const struct view_shared *s,
			     struct grid *g, size_t i, int y, size_t line)
{
	const struct compare_row *r = change_at(c, line);
	const struct profile_function *f = changes_subject(&c->changes, line);
	const struct compare_value *v = &r->value[changes_cells[i].m];
	char text[40];
	struct table_span at = c->spans[i];
	bool dim = !changes_differs(r->verdict);

	switch (changes_cells[i].kind) {
	case CHANGE_NAME:
		naming_put(g, at.x, y, at.width, dim ? ROLE_DIM : ROLE_NAME, f->name, s->search);
		break;
	case CHANGE_FILE:
		part_file(g, at, y, f->file, f->line);
		break;
	case CHANGE_VERDICT:
		grid_text(g, at.x, y, at.width, delta_row_role(r),
			  delta_verdict(text, sizeof(text), r));
		break;
	case CHANGE_DELTA:
		delta_cell(g, at, y, v, changes_cells[i].m);
		break;
	default:
		draw_change_figure(g, at, y, changes_cells[i].kind == CHANGE_NOW ? v->now : v->then,
				   changes_cells[i].m, dim);
	}
}

static void draw_change(const struct compare_view *c, const struct view_shared *s, struct grid *g,
			int y, size_t line)
{
	if (!change_at(c, line))
		return;
	for (size_t i = 0; i < CHANGE_CELLS; i++) {
		if (c->spans[i].width)
			draw_change_cell(c, s, g, i, y, line);
	}
	if (line == c->list.cursor)
		grid_select_row(g, y);
}

static void compare_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct compare_view *c = (struct compare_view *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (c->changes.compare != s->model.compare)
		compare_update(v, s);
	if (part_lacks(g, s, VIEW_NEEDS_COMPARE) || !c->changes.compare)
		return;
	cursor_to_selected(c, s);
	page = changes_page(v);
	list_show(&c->list, page);
	lay_out_changes(c, g->width);
	draw_change_titles(c, g);
	for (int y = 0; y < page; y++)
		draw_change(c, s, g, y + 1, c->list.top + (size_t)y);
	if (c->list.count == 0 && page > 0)
		grid_text(g, 0, 1, -1, ROLE_LABEL, "No function passes the filter.");
	if (detail_lines(v))
		changes_draw_line(&c->changes, c->list.cursor, g, g->height - lines_below(v),
				  detail_lines(v));
	if (lines_below(v))
		changes_draw_totals(&c->changes, g, g->height - 1);
}

/* --- acting ----------------------------------------------------------------------------------- */

static void change_select(struct compare_view *c, struct view_shared *s)
{
	const struct compare_row *r = change_at_cursor(c, s);

	if (!r)
		return;
	c->on_gone = r->now == PROFILE_NONE;
	c->seen = changes_subject(&c->changes, c->list.cursor)->address;
	if (!c->on_gone)
		view_select(s, r->now);
}

static bool change_matches(void *ctx, size_t line)
{
	const void **both = ctx;
	const struct compare_view *c = both[0];

	return line < c->list.count &&
	       part_matches(both[1], changes_subject(&c->changes, line)->name);
}

static struct view_reply change_search(struct compare_view *c, struct view_shared *s,
				       bool backwards)
{
	const void *ctx[] = { c, s };

	if (!c->changes.compare || !list_search(&c->list, backwards, change_matches, ctx))
		return view_no_match();
	change_select(c, s);
	return view_redraw();
}

static struct view_reply change_open(const struct compare_view *c)
{
	const struct compare_row *r = change_at(c, c->list.cursor);

	if (!r || r->now != PROFILE_NONE)
		return view_go(ACTION_VIEW_CALLERS);
	return view_say("this function is gone: nothing to open");
}

static struct view_reply changes_resort(struct compare_view *c, const struct view_shared *s)
{
	compare_update(&c->view, s);
	return view_redraw();
}

static struct view_reply compare_act(struct view *v, struct view_shared *s, enum action a)
{
	struct compare_view *c = (struct compare_view *)v;

	if (!s->model.compare)
		return view_pass();
	if (!s->has_selected)
		change_select(c, s);
	if (list_act(&c->list, a, changes_page(v))) {
		change_select(c, s);
		return view_redraw();
	}
	if (part_searches(a))
		return change_search(c, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return change_open(c);
	case ACTION_SORT_NEXT: changes_sort_step(&c->changes, 1); return changes_resort(c, s);
	case ACTION_SORT_PREVIOUS:
		changes_sort_step(&c->changes, CHANGE_CELLS - 1);
		return changes_resort(c, s);
	case ACTION_INVERT: c->changes.inverted ^= true; return changes_resort(c, s);
	default: return view_pass();
	}
}

static struct view_reply change_title_click(struct compare_view *c, const struct view_shared *s,
					    int x)
{
	size_t i = table_at(c->spans, CHANGE_CELLS, x);

	if (i == CHANGE_CELLS || !changes_cells[i].name)
		return view_done();
	compare_sort_by(&c->view, i);
	return changes_resort(c, s);
}

static struct view_reply compare_mouse(struct view *v, struct view_shared *s, int x, int y,
				       int button)
{
	struct compare_view *c = (struct compare_view *)v;
	size_t line = c->list.top + (size_t)(y - 1);

	if (!s->model.compare)
		return view_pass();
	if (list_wheel(&c->list, button, changes_page(v))) {
		change_select(c, s);
		return view_redraw();
	}
	if (button != 1 && button != 2)
		return view_pass();
	if (y == 0)
		return change_title_click(c, s, x);
	if (y < 1 || y > changes_page(v) || line >= c->list.count)
		return view_done();
	c->list.cursor = line;
	change_select(c, s);
	return button == 2 ? change_open(c) : view_redraw();
}

static const enum action compare_hints[] = {
	ACTION_BASELINE, ACTION_ENTER, ACTION_SORT, ACTION_FILTER, ACTION_SEARCH,
	ACTION_TIME_BACK, ACTION_TIME_WINDOW, ACTION_INVERT, ACTION_FREEZE, ACTION_COPY,
	ACTION_EXPORT, ACTION_RIGHT, ACTION_NONE,
};

static const struct view_word compare_words[] = {
	{ ACTION_RIGHT, "names", "scroll long names; left: back" },
	{ ACTION_NONE, NULL, NULL },
};

/* The whole row, also figures whose columns have no room. */
static bool compare_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	const struct compare_view *c = (const struct compare_view *)v;
	const struct compare_row *r = change_at_cursor(c, s);
	char text[120];

	if (!r)
		return false;
	buf_addf(out, "%s: %s", changes_subject(&c->changes, c->list.cursor)->name,
		 delta_verdict(text, sizeof(text), r));
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		delta_sentence(text, sizeof(text), &r->value[m], (enum compare_measure)m);
		if (text[0])
			buf_addf(out, "; %s", text);
	}
	return true;
}

static bool compare_place(struct view *v, const struct view_shared *s, struct view_place *at)
{
	const struct compare_view *c = (const struct compare_view *)v;
	const struct compare_row *r = change_at_cursor(c, s);
	const struct profile_function *f = r ? changes_subject(&c->changes, c->list.cursor) : NULL;

	if (!f || !(f->path ? f->path : f->file))
		return false;
	*at = (struct view_place){ f->path ? f->path : f->file, f->line };
	return true;
}

static bool compare_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct changes *c = &((const struct compare_view *)v)->changes;

	*shown = c->count;
	*all = c->count + c->hidden;
	return true;
}

const struct view_ops view_compare_ops = {
	.name = "compare",
	.brief = "diff",
	.title = "Changes since the baseline",
	.about =
		"Each figure now, as it WAS, and the difference (of loads in percentage points). "
		"{baseline} sets the baseline: before/after compares what came before this moment "
		"with what comes after it. VERDICT names the figures that got worse or better: "
		"load, time per call, rate of calls; mixed: some got worse (+), others better "
		"(-). Only relevant changes count: 1 % of a core, or 5 % of a call that also "
		"changes the load by a tenth of that; {options} sets both limits. ~ marks "
		"differences within the noise: less than 1 %, or less than three standard "
		"deviations. new, gone: the function ran at least ten times in one of the two and "
		"never in the other (a function that is still in the image: with a relevant "
		"load). LOAD (time in the function itself) and RATE are per second of wall time, "
		"as LOAD% and CALLS/S; where a stream has no wall time of its run, per second of "
		"profiled time. Largest regressions first; unchanged rows are dimmed.",
	.action = ACTION_VIEW_COMPARE,
	.size = sizeof(struct compare_view),
	.release = compare_view_release,
	.update = compare_update,
	.draw = compare_draw,
	.act = compare_act,
	.mouse = compare_mouse,
	.hints = compare_hints,
	.words = compare_words,
	.copy = compare_copy,
	.place = compare_place,
	.filtered = compare_filtered,
};
