/*
 * flat: every function on a line of its own, in the order of a column.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

/* What stands in the table, left to right: the columns of core/profile and the heat bar. */
enum { FLAT_BAR = COLUMN_COUNT, FLAT_CELLS = 17 };

static const struct { uint8_t column, rank; } cells[FLAT_CELLS] = {
	{ COLUMN_SELF_PERCENT, 1 }, { FLAT_BAR, 6 }, { COLUMN_SELF, 2 }, { COLUMN_TOTAL, 4 },
	{ COLUMN_CALLS, 3 }, { COLUMN_PER_CALL, 5 }, { COLUMN_MIN, 9 }, { COLUMN_MAX, 8 },
	{ COLUMN_SAMPLES, 7 }, { COLUMN_RATE, 10 }, { COLUMN_LOAD, 12 }, { COLUMN_FUNCTION, 0 },
	{ COLUMN_FILE, 11 }, { COLUMN_P50, 16 }, { COLUMN_P99, 13 }, { COLUMN_STACK, 17 },
	{ COLUMN_CONTEXT, 15 },
};

struct flat {
	struct view view;
	struct rows rows;
	struct list list;
	const struct profile *profile;		/* that rows are of */
	struct rows_order order;		/* that they are in */
	uint64_t seen;				/* address that the cursor was last put on */
	bool present[COLUMN_COUNT];		/* holds something in this profile */
	double hottest;				/* the largest share of self time */
	bool handlers;				/* there are interrupt handlers */
	bool negative;				/* some total went below zero on the node */
	int longest;				/* columns of the longest name */
	int digits;				/* of the largest count */
	struct table_span spans[FLAT_CELLS];	/* as drawn last, for clicks */
};

static int flat_init(struct view *v)
{
	rows_init(&((struct flat *)v)->rows);
	return 0;
}

static void flat_release(struct view *v)
{
	rows_release(&((struct flat *)v)->rows);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const struct profile_function *function_at(const struct flat *f, size_t line)
{
	if (line >= f->rows.count || f->rows.items[line] >= f->profile->function_count)
		return NULL;
	return &f->profile->functions[f->rows.items[line]];
}

static int digits_of(uint64_t n)
{
	int digits = 1;

	while (n >= 10) {
		n /= 10;
		digits++;
	}
	return digits;
}

static void measure(struct flat *f)
{
	const struct profile *p = f->profile;
	struct column_data data = { .profile = p };

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		f->present[i] = i == COLUMN_FUNCTION || column_holds(&columns[i], &data);
	f->hottest = 0;
	f->negative = f->handlers = false;
	for (size_t i = 0; i < f->rows.count; i++) {
		const struct profile_function *fn = function_at(f, i);
		int length = text_columns(fn->name), digits = digits_of(fn->calls | fn->samples);

		if (digits > f->digits)
			f->digits = digits;
		if (length > f->longest)
			f->longest = length;
		f->handlers |= (fn->flags & ROW_HANDLER) != 0;
		f->negative |= (fn->flags & ROW_TOTAL_NEGATIVE) != 0;
		if (p->totals.self_s > 0 && fn->self_s / p->totals.self_s > f->hottest)
			f->hottest = fn->self_s / p->totals.self_s;
	}
}

/* The cursor goes where the selected function is now, or keeps its line. */
static void place(struct flat *f, const struct view_shared *s)
{
	uint32_t selected = view_selected(s);

	if (selected == PROFILE_NONE || (!s->follow && f->seen == s->selected_address))
		return;
	for (size_t i = 0; i < f->rows.count; i++) {
		if (f->rows.items[i] == selected) {
			f->list.cursor = i;
			break;
		}
	}
	f->seen = s->selected_address;
}

static void flat_update(struct view *v, const struct view_shared *s)
{
	struct flat *f = (struct flat *)v;

	if (f->profile != s->profile)
		f->longest = f->digits = 0;
	f->profile = s->profile;
	f->order = s->order;
	f->rows.count = f->rows.hidden = 0;
	if (s->profile && s->profile->function_count &&
	    rows_sort(&f->rows, s->profile, &s->order) < 0)
		f->rows.count = 0;
	f->list.count = f->rows.count;
	if (s->profile)
		measure(f);
	place(f, s);
}

static bool is_stale(const struct flat *f, const struct view_shared *s)
{
	return f->profile != s->profile || f->order.column != s->order.column ||
	       f->order.inverted != s->order.inverted || f->order.filter != s->order.filter;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int page_of(const struct view *v)
{
	return v->height - 1 - (v->height >= 6);
}

/* Counts seldom need all that their columns allow; with the title's mark they need 6. */
static int width_of(const struct flat *f, enum column_id id)
{
	int least = id == COLUMN_CALLS ? 6 : id == COLUMN_SAMPLES ? 8 : columns[id].width;

	/* The first has no gap before it that the mark could use. */
	if (id == cells[0].column)
		return least + 1;
	if (least < f->digits && id != COLUMN_FILE && least < columns[id].width)
		least = f->digits < columns[id].width ? f->digits : columns[id].width;
	return least;
}

static struct table_column cell_column(const struct flat *f, size_t i, int width)
{
	enum column_id id = cells[i].column;
	int file = f->longest + 8 < 32 ? 32 : 48;

	if (cells[i].column == FLAT_BAR) {
		if (!f->present[COLUMN_SELF_PERCENT])
			return (struct table_column){ 0 };
		return (struct table_column){ width < 100 ? 6 : 8, width < 160 ? 10 : 24, 6 };
	}
	if (!f->present[id])
		return (struct table_column){ 0 };
	if (id == COLUMN_FUNCTION) {
		struct table_column name = table_name(width, f->longest, 0);

		name.wants += f->handlers ? 4 : 0;	/* what stands behind their names */
		return name;
	}
	return (struct table_column){
		.width = id == COLUMN_FILE ? 15 : width_of(f, id),
		.wants = id == COLUMN_FILE ? file : width_of(f, id),
		.rank = id == f->order.column ? 1 : cells[i].rank,
	};
}

static void lay_out(struct flat *f, int width)
{
	struct table_column c[FLAT_CELLS];

	for (size_t i = 0; i < FLAT_CELLS; i++)
		c[i] = cell_column(f, i, width);
	table_layout(c, FLAT_CELLS, width, f->spans);
}

/* Times that --correct has touched say so in their titles too. */
static bool is_estimate(const struct profile *p, enum column_id id)
{
	return profile_estimated(p) && (id == COLUMN_SELF || id == COLUMN_TOTAL);
}

static void draw_titles(const struct flat *f, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < FLAT_CELLS; i++) {
		const struct column *c = &columns[cells[i].column];
		char title[COLUMN_TEXT];
		int sorted;

		if (cells[i].column == FLAT_BAR)
			continue;
		sorted = c->id != f->order.column ? 0 : f->order.inverted ? -1 : 1;
		snprintf(title, sizeof(title), "%s%s", is_estimate(f->profile, c->id) ? "~" : "",
			 c->header);
		part_title(g, f->spans[i], 0, title, c->left, sorted);
	}
}

static const char isr[] = " ISR";

/*
 * What a vector is called says little: that nobody calls it stands behind its name, where there is
 * room.
 */
static void draw_name(struct grid *g, struct table_span at, int y, const struct profile_function *fn,
		      const struct view_shared *s)
{
	int used = part_name(g, at.x, y, at.width, part_role(fn), fn->name, s->search);

	if (fn->flags & ROW_HANDLER && at.width - used >= (int)strlen(isr))
		grid_text(g, at.x + used, y, at.width - used, ROLE_DIM, isr);
}

static void draw_cell(const struct flat *f, const struct view_shared *s, struct grid *g, size_t i,
		      int y, const struct profile_function *fn)
{
	const struct profile *p = f->profile;
	struct column_data data = { .profile = p };
	struct table_span at = f->spans[i];
	char text[COLUMN_TEXT];
	double share;

	switch (cells[i].column) {
	case FLAT_BAR:
		share = p->totals.self_s > 0 ? fn->self_s / p->totals.self_s : NAN;
		part_bar(g, at, y, share, f->hottest > 0 ? share / f->hottest : 0);
		break;
	case COLUMN_FUNCTION:
		draw_name(g, at, y, fn, s);
		break;
	case COLUMN_FILE:
		part_file(g, at, y, fn->file, fn->line);
		break;
	default:
		columns[cells[i].column].format(&data, fn, text, sizeof(text));
		part_cell(g, at, y, ROLE_NUMBER, text);
	}
}

static void draw_row(const struct flat *f, const struct view_shared *s, struct grid *g, int y,
		     size_t line)
{
	const struct profile_function *fn = function_at(f, line);

	if (!fn)
		return;
	for (size_t i = 0; i < FLAT_CELLS; i++) {
		if (f->spans[i].width)
			draw_cell(f, s, g, i, y, fn);
	}
	if (line == f->list.cursor)
		grid_select_row(g, y);
}

/* "42 functions, 12 hidden by the filter, 4.90 s of 7.10 s profiled" */
static void draw_totals(const struct flat *f, struct grid *g, int y)
{
	const struct profile *p = f->profile;
	char plain[200], warning[300], self[16], run[16];
	int n = snprintf(plain, sizeof(plain), "%zu function%s", f->rows.count + f->rows.hidden,
			 f->rows.count + f->rows.hidden == 1 ? "" : "s");

	if (f->rows.hidden)
		n += snprintf(plain + n, sizeof(plain) - (size_t)n, ", %zu hidden by the filter",
			      f->rows.hidden);
	if (p->totals.time == TIME_NONE) {
		n += snprintf(plain + n, sizeof(plain) - (size_t)n, ", counts only: no times");
	} else if (isnan(p->totals.self_s)) {
		n += snprintf(plain + n, sizeof(plain) - (size_t)n,
			      ", self times need the ELF that was flashed (-e)");
	} else {
		text_seconds(self, sizeof(self), p->totals.profiled_s);
		n += snprintf(plain + n, sizeof(plain) - (size_t)n, ", %s", self);
		if (!isnan(p->totals.run_s) && p->totals.time == TIME_TIMED)
			n += snprintf(plain + n, sizeof(plain) - (size_t)n, " of %s",
				      text_seconds(run, sizeof(run), p->totals.run_s));
		n += snprintf(plain + n, sizeof(plain) - (size_t)n, " %s",
			      p->totals.time == TIME_TIMED ? "profiled" : "sampled");
	}
	if (p->totals.both)
		snprintf(plain + n, sizeof(plain) - (size_t)n, ", %s",
			 "times from the node's clock, from samples where it has none");
	snprintf(warning, sizeof(warning), "%s%s%s%s%s",
		 p->dropped ? "out of memory: events not counted  " : "",
		 p->incomplete ? "newest report cut short  " : "",
		 p->table_full ? "node's table full: call sites may be missing  " : "",
		 f->negative ? "totals below zero not counted  " : "",
		 profile_estimated(p) ? "~ estimate: the profiler's own cost taken back" : "");
	part_footer(g, y, plain, warning);
}

static void flat_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct flat *f = (struct flat *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (is_stale(f, s))
		flat_update(v, s);
	if (part_empty(g, s))
		return;
	if (s->has_selected && f->seen != s->selected_address)
		place(f, s);
	page = page_of(v);
	list_show(&f->list, page);
	lay_out(f, g->width);
	draw_titles(f, g);
	for (int y = 0; y < page; y++)
		draw_row(f, s, g, y + 1, f->list.top + (size_t)y);
	if (f->rows.count == 0 && page > 0)
		grid_text(g, 0, 1, -1, ROLE_LABEL, "No function passes the filter.");
	if (page < g->height - 1)
		draw_totals(f, g, g->height - 1);
}

/* --- acting ----------------------------------------------------------------------------------- */

static void select_cursor(struct flat *f, struct view_shared *s)
{
	if (f->profile != s->profile || !function_at(f, f->list.cursor))
		return;
	view_select(s, f->rows.items[f->list.cursor]);
	f->seen = s->selected_address;
}

static void sort_by(struct view_shared *s, enum column_id id)
{
	if (s->order.column == id)
		s->order.inverted = !s->order.inverted;
	else
		s->order.inverted = false;
	s->order.column = id;
}

/* The next column that holds something, round the end. */
static void sort_step(const struct flat *f, struct view_shared *s, size_t step)
{
	size_t id = s->order.column;

	do
		id = (id + step) % COLUMN_COUNT;
	while (!f->present[id] && id != s->order.column);
	s->order.column = (enum column_id)id;
	s->order.inverted = false;
}

static bool line_matches(void *ctx, size_t line)
{
	const void **c = ctx;
	const struct profile_function *fn = function_at(c[0], line);

	return fn && part_matches(c[1], fn->name);
}

static unsigned search(struct flat *f, struct view_shared *s, bool backwards)
{
	const void *ctx[] = { f, s };

	if (f->profile != s->profile || !list_search(&f->list, backwards, line_matches, ctx))
		return VIEW_NO_MATCH;
	select_cursor(f, s);
	return VIEW_REDRAW;
}

static unsigned flat_act(struct view *v, struct view_shared *s, enum action a)
{
	struct flat *f = (struct flat *)v;

	if (!s->follow || !s->has_selected)
		select_cursor(f, s);
	if (list_act(&f->list, a, page_of(v))) {
		select_cursor(f, s);
		return VIEW_REDRAW;
	}
	if (part_searches(a))
		return search(f, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return VIEW_GO_CALLERS;
	case ACTION_SORT_NEXT: sort_step(f, s, 1); return VIEW_REDRAW;
	case ACTION_SORT_PREVIOUS: sort_step(f, s, COLUMN_COUNT - 1); return VIEW_REDRAW;
	case ACTION_INVERT: s->order.inverted = !s->order.inverted; return VIEW_REDRAW;
	default: return VIEW_NOTHING;
	}
}

static unsigned click_title(const struct flat *f, struct view_shared *s, int x)
{
	size_t i = table_at(f->spans, FLAT_CELLS, x);

	if (i == FLAT_CELLS)
		return VIEW_HANDLED;
	sort_by(s, cells[i].column == FLAT_BAR ? COLUMN_SELF_PERCENT :
		(enum column_id)cells[i].column);
	return VIEW_REDRAW;
}

static unsigned flat_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct flat *f = (struct flat *)v;
	size_t line = f->list.top + (size_t)(y - 1);

	if (list_wheel(&f->list, button, page_of(v))) {
		select_cursor(f, s);
		return VIEW_REDRAW;
	}
	if (button != 1 && button != 2)
		return VIEW_NOTHING;
	if (y == 0)
		return click_title(f, s, x);
	if (y < 1 || y > page_of(v) || line >= f->rows.count)
		return VIEW_HANDLED;
	f->list.cursor = line;
	select_cursor(f, s);
	return button == 2 ? VIEW_GO_CALLERS : VIEW_REDRAW;
}

static size_t flat_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = {
		ACTION_ENTER, ACTION_SORT, ACTION_INVERT, ACTION_FILTER, ACTION_SEARCH,
		ACTION_FREEZE, ACTION_EXPORT,
	};

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

const struct view_ops view_flat_ops = {
	.name = "flat",
	.title = "Every function, dearest first",
	.about =
		"SELF is the time in a function itself, TOTAL with all that it called. The bar is its "
		"share of all self time. MIN and MAX are single calls; >= says the node could not count "
		"higher. A dash is not known: a dim function is only known as a caller. ISR: an interrupt's "
		"handler, whose time is in nobody else's.",
	.action = ACTION_VIEW_FLAT,
	.size = sizeof(struct flat),
	.init = flat_init,
	.release = flat_release,
	.update = flat_update,
	.draw = flat_draw,
	.act = flat_act,
	.mouse = flat_mouse,
	.hints = flat_hints,
};
