/*
 * compare: what changed since the baseline, a function a line, what got worse first. What is within
 * the noise stands dim below what is not.
 */
#include "tui/view/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/view/delta.h"
#include "tui/view/parts.h"
#include "tui/view/views.h"

enum cell_kind { CELL_NAME, CELL_NOW, CELL_THEN, CELL_DELTA, CELL_VERDICT, CELL_FILE };

/* The table, left to right. Widths are a title's with the mark of the order beside it, or more. */
static const struct cell_row {
	enum cell_kind kind;
	enum compare_measure m;
	const char *title;
	int width, rank;
	const char *name, *help;	/* to sort by; NULL: not */
} cells[] = {
	{ CELL_VERDICT, COMPARE_LOAD, "VERDICT", 7, 2, "verdict",
	  "what got worse first, by what it costs" },
	{ CELL_NOW, COMPARE_LOAD, "LOAD", 6, 3, "load", "share of the time, now" },
	{ CELL_THEN, COMPARE_LOAD, "WAS", 6, 3, "load-was", "share of the time, then" },
	{ CELL_DELTA, COMPARE_LOAD, NULL, DELTA_WIDTH, 1, "load-change", "change of the load" },
	{ CELL_NOW, COMPARE_PER_CALL, "PER CALL", 8, 5, "per-call", "time a call, now" },
	{ CELL_THEN, COMPARE_PER_CALL, "WAS", 7, 5, "per-call-was", "time a call, then" },
	{ CELL_DELTA, COMPARE_PER_CALL, NULL, DELTA_WIDTH, 4, "per-call-change",
	  "change of the time a call" },
	{ CELL_NOW, COMPARE_RATE, "CALLS", 7, 7, "calls", "calls a second, now" },
	{ CELL_THEN, COMPARE_RATE, "WAS", 7, 7, "calls-was", "calls a second, then" },
	{ CELL_DELTA, COMPARE_RATE, NULL, DELTA_WIDTH, 6, "calls-change", "change of the calls a second" },
	{ CELL_NOW, COMPARE_MAX, "MAX", 7, 9, "max", "the longest call, now" },
	{ CELL_THEN, COMPARE_MAX, "WAS", 7, 9, "max-was", "the longest call, then" },
	{ CELL_DELTA, COMPARE_MAX, NULL, DELTA_WIDTH, 8, "max-change", "change of the longest call" },
	{ CELL_NAME, COMPARE_LOAD, "FUNCTION", 0, 0, "function", "name" },
	{ CELL_FILE, COMPARE_LOAD, "FILE", 15, 10, NULL, NULL },
};

enum { CELLS = sizeof(cells) / sizeof(cells[0]) };

struct compare_view {
	struct view view;
	struct list list;
	const struct compare *compare;	/* that lines are of */
	uint32_t *lines;		/* rows of it, in order */
	size_t cap, hidden;
	uint64_t seen;			/* address that the cursor was last put on */
	bool on_gone;			/* the cursor is on one that is gone, at address `seen` */
	size_t sort;			/* cell */
	bool inverted;
	bool known[COMPARE_MEASURES];	/* of some function */
	int longest;			/* columns of the longest name */
	struct table_span spans[CELLS];	/* as drawn last, for clicks */
};

static void compare_view_release(struct view *v)
{
	mem_free(((struct compare_view *)v)->lines);
}

/* --- order ------------------------------------------------------------------------------------ */

struct compare_order compare_order_at(size_t i)
{
	return i < CELLS ? (struct compare_order){ cells[i].name, cells[i].help } :
			   (struct compare_order){ NULL, NULL };
}

size_t compare_sorted_by(const struct view *v)
{
	return ((const struct compare_view *)v)->sort;
}

void compare_sort_by(struct view *v, size_t i)
{
	struct compare_view *c = (struct compare_view *)v;

	c->inverted = c->sort == i && !c->inverted;
	c->sort = i;
}

/* Worse above better above what is within the noise. */
static int class_of(enum compare_verdict v)
{
	static const int classes[COMPARE_VERDICTS] = {
		[COMPARE_WORSE] = 0, [COMPARE_NEW] = 0, [COMPARE_BETTER] = 1, [COMPARE_GONE] = 1,
		[COMPARE_SAME] = 2, [COMPARE_UNKNOWN] = 3,
	};

	return classes[v];
}

/* What a difference weighs: how much more; then how many times more. */
static double weight(const struct compare_value *v, enum compare_measure m)
{
	double then = isnan(v->then) ? 0 : v->then, now = isnan(v->now) ? 0 : v->now;

	if (v->verdict <= COMPARE_SAME)
		return isnan(v->now) ? -1 : v->now;
	if (m == COMPARE_LOAD)
		return now - then;
	return then > 0 && now > 0 ? log(now / then) : now > then ? 1e9 : -1e9;
}

/* A row's cost is the load's change; where loads are not known, calls' times and then their number. */
static double cost(const struct compare_row *r)
{
	if (!isnan(r->cost))
		return class_of(r->verdict) < 2 ? r->cost : fmax(r->value[COMPARE_LOAD].now, 0);
	return weight(&r->value[isnan(r->value[COMPARE_PER_CALL].now) ? COMPARE_RATE :
				COMPARE_PER_CALL], COMPARE_PER_CALL);
}

static int by_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

/* Of what got better what gained most comes first. */
static int by_change(enum compare_verdict va, double a, enum compare_verdict vb, double b)
{
	int ca = class_of(va), cb = class_of(vb);

	if (ca != cb)
		return ca - cb;
	return ca == 1 ? by_number(b, a) : by_number(a, b);
}

static const struct profile_function *subject(const struct compare_view *c, uint32_t row)
{
	return compare_subject(c->compare, &c->compare->rows[row]);
}

static int by_cell(const struct compare_view *c, const struct cell_row *cell, uint32_t ia, uint32_t ib)
{
	const struct compare_row *a = &c->compare->rows[ia], *b = &c->compare->rows[ib];
	const struct compare_value *va = &a->value[cell->m], *vb = &b->value[cell->m];

	switch (cell->kind) {
	case CELL_NOW: return by_number(va->now, vb->now);
	case CELL_THEN: return by_number(va->then, vb->then);
	case CELL_DELTA:
		return by_change(va->verdict, weight(va, cell->m), vb->verdict, weight(vb, cell->m));
	case CELL_VERDICT: return by_change(a->verdict, cost(a), b->verdict, cost(b));
	default: return strcmp(subject(c, ia)->name, subject(c, ib)->name);
	}
}

static int by_order(const void *a, const void *b, void *ctx)
{
	const struct compare_view *c = ctx;
	uint32_t ia = *(const uint32_t *)a, ib = *(const uint32_t *)b;
	int order = by_cell(c, &cells[c->sort], ia, ib);

	if (order)
		return c->inverted ? -order : order;
	if (subject(c, ia)->address != subject(c, ib)->address)
		return subject(c, ia)->address < subject(c, ib)->address ? -1 : 1;
	return ia < ib ? -1 : 1;
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool passes(const struct profile_function *f, const struct regex *filter)
{
	return !filter || regex_match(filter, f->name) || (f->file && regex_match(filter, f->file));
}

static void measure(struct compare_view *c, uint32_t row)
{
	const struct compare_value *v = c->compare->rows[row].value;
	int length = text_columns(subject(c, row)->name);

	if (length > c->longest)
		c->longest = length;
	for (int m = 0; m < COMPARE_MEASURES; m++)
		c->known[m] |= !isnan(v[m].now) || !isnan(v[m].then);
}

static void fill(struct compare_view *c, const struct regex *filter)
{
	size_t n = c->compare->count;

	c->list.count = c->hidden = 0;
	if (mem_grow(&c->lines, &c->cap, n + 1, sizeof(*c->lines)) < 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (passes(subject(c, i), filter)) {
			c->lines[c->list.count++] = i;
			measure(c, i);
		}
	}
	c->hidden = n - c->list.count;
	if (c->list.count)
		qsort_r(c->lines, c->list.count, sizeof(*c->lines), by_order, c);
}

static const struct compare_row *row_at(const struct compare_view *c, size_t line)
{
	return c->compare && line < c->list.count ? &c->compare->rows[c->lines[line]] : NULL;
}

/* The cursor goes where the selected function is now, or keeps its line. */
static void place(struct compare_view *c, const struct view_shared *s)
{
	bool elsewhere = s->has_selected && c->seen != s->selected_address && !c->on_gone;
	uint64_t address = elsewhere ? s->selected_address : c->seen;

	if (!elsewhere && !s->follow)
		return;
	for (size_t i = 0; i < c->list.count; i++) {
		const struct compare_row *r = row_at(c, i);

		if ((r->now == PROFILE_NONE) == c->on_gone &&
		    subject(c, c->lines[i])->address == address) {
			c->list.cursor = i;
			break;
		}
	}
	c->seen = address;
}

static void compare_update(struct view *v, const struct view_shared *s)
{
	struct compare_view *c = (struct compare_view *)v;

	c->compare = s->compare;
	c->list.count = 0;
	if (!c->compare)
		return;
	c->longest = 0;
	memset(c->known, 0, sizeof(c->known));
	fill(c, s->order.filter);
	place(c, s);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Lines below the table: totals, and what is known of the selected row. */
static int below(const struct view *v)
{
	return v->height < 6 ? 0 : v->height < 12 ? 1 : 3;
}

static int page_of(const struct view *v)
{
	return v->height - 1 - below(v);
}

static struct table_column cell_column(const struct compare_view *c, size_t i, int width)
{
	const struct cell_row *cell = &cells[i];

	if (cell->kind == CELL_NAME)
		return table_name(width, c->longest, cell->rank);
	if (cell->kind == CELL_FILE)
		return (struct table_column){ cell->width, 32, cell->rank };
	if (cell->kind != CELL_VERDICT && !c->known[cell->m])
		return (struct table_column){ 0 };
	return (struct table_column){ cell->width, cell->width, i == c->sort ? 1 : cell->rank };
}

static void lay_out(struct compare_view *c, int width)
{
	struct table_column columns_[CELLS];

	for (size_t i = 0; i < CELLS; i++)
		columns_[i] = cell_column(c, i, width);
	table_layout(columns_, CELLS, width, c->spans);
}

static bool is_left(enum cell_kind kind)
{
	return kind == CELL_NAME || kind == CELL_FILE || kind == CELL_VERDICT;
}

static void draw_titles(const struct compare_view *c, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < CELLS; i++) {
		int sorted = i != c->sort ? 0 : c->inverted ? -1 : 1;

		if (!c->spans[i].width)
			continue;
		if (cells[i].kind == CELL_DELTA)
			delta_title(g, c->spans[i], 0, sorted);
		else
			part_title(g, c->spans[i], 0, cells[i].title, is_left(cells[i].kind), sorted);
	}
}

static void draw_figure(struct grid *g, struct table_span at, int y, double v, enum compare_measure m,
			bool dim)
{
	char text[DELTA_TEXT];

	part_cell(g, at, y, dim ? ROLE_DIM : ROLE_NUMBER, delta_figure(text, sizeof(text), v, m));
}

static void draw_cell(const struct compare_view *c, const struct view_shared *s, struct grid *g,
		      size_t i, int y, uint32_t row)
{
	const struct compare_row *r = &c->compare->rows[row];
	const struct profile_function *f = subject(c, row);
	const struct compare_value *v = &r->value[cells[i].m];
	struct compare_value of_row = { .verdict = r->verdict };
	bool dim = class_of(r->verdict) >= 2;

	switch (cells[i].kind) {
	case CELL_NAME:
		part_name(g, c->spans[i].x, y, c->spans[i].width, dim ? ROLE_DIM : ROLE_NAME, f->name,
			  s->search);
		break;
	case CELL_FILE:
		part_file(g, c->spans[i], y, f->file, f->line);
		break;
	case CELL_VERDICT:
		grid_text(g, c->spans[i].x, y, c->spans[i].width, delta_role(&of_row),
			  r->verdict == COMPARE_UNKNOWN ? "-" : delta_word(r->verdict));
		break;
	case CELL_DELTA:
		part_delta(g, c->spans[i], y, v, cells[i].m);
		break;
	default:
		draw_figure(g, c->spans[i], y, cells[i].kind == CELL_NOW ? v->now : v->then, cells[i].m,
			    dim);
	}
}

static void draw_row(const struct compare_view *c, const struct view_shared *s, struct grid *g, int y,
		     size_t line)
{
	if (line >= c->list.count)
		return;
	for (size_t i = 0; i < CELLS; i++) {
		if (c->spans[i].width)
			draw_cell(c, s, g, i, y, c->lines[line]);
	}
	if (line == c->list.cursor)
		grid_select_row(g, y);
}

/* --- below the table -------------------------------------------------------------------------- */

static void add_word(char *dst, size_t size, size_t n, const char *word)
{
	size_t used = strlen(dst);

	if (n)
		snprintf(dst + used, size - used, "%s%zu %s", used ? ", " : "", n, word);
}

/* "load 35.0 %, was 31.2 %: +3.8 pt (noise 0.1 %); 3 worse, 1 better, 40 within the noise" */
static void draw_totals(const struct compare_view *c, struct grid *g, int y)
{
	const struct compare *k = c->compare;
	/* Of samples alone, or of shares, all together are the whole, whatever changed. */
	bool whole = k->shares || (k->load.then > 0.999 && k->load.now > 0.999);
	char counts[160] = "", load[120] = "", line[300];

	add_word(counts, sizeof(counts), k->verdicts[COMPARE_WORSE], "worse");
	add_word(counts, sizeof(counts), k->verdicts[COMPARE_BETTER], "better");
	add_word(counts, sizeof(counts), k->verdicts[COMPARE_NEW], "new");
	add_word(counts, sizeof(counts), k->verdicts[COMPARE_GONE], "gone");
	add_word(counts, sizeof(counts), k->verdicts[COMPARE_SAME], "within the noise");
	add_word(counts, sizeof(counts), k->verdicts[COMPARE_UNKNOWN], "not measured");
	add_word(counts, sizeof(counts), c->hidden, "hidden by the filter");
	if (!whole)
		delta_sentence(load, sizeof(load), &k->load, COMPARE_LOAD);
	if (g->width >= text_columns(load) + text_columns(counts) + 2 && load[0])
		snprintf(line, sizeof(line), "%s; %s", load, counts);
	else
		snprintf(line, sizeof(line), "%s", counts);
	part_footer(g, y, line, k->shares ? "loads are shares: for how long was profiled is not said" : "");
}

/* The selected row in sentences, with the noise: as many as fit, the load's first. */
static void draw_selected(const struct compare_view *c, struct grid *g, int y)
{
	const struct compare_row *r = row_at(c, c->list.cursor);
	char text[120];
	int x;

	if (!r)
		return;
	grid_fill(g, 0, y, g->width, ROLE_DIM, g->utf8 ? 0x2500 : '-');
	x = grid_text(g, 0, y + 1, g->width / 2, ROLE_NAME, subject(c, c->lines[c->list.cursor])->name);
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		delta_sentence(text, sizeof(text), &r->value[m], (enum compare_measure)m);
		if (!text[0] || x + 2 + text_columns(text) > g->width)
			continue;
		x += grid_text(g, x, y + 1, -1, ROLE_LABEL, x && m ? "; " : ": ");
		x += grid_text(g, x, y + 1, -1, delta_role(&r->value[m]), text);
	}
}

/* --- nothing to compare ----------------------------------------------------------------------- */

static void say_no_baseline(const struct view_shared *s, struct grid *g)
{
	(void)s;
	part_say(g, (const char *const[]){
		"Nothing to compare with yet: b marks a baseline.",
		"It can be what is shown now, a snapshot (-x json, or the x key), a recording (-r, or W),",
		"or what ran before the firmware changed.", NULL });
}

static void compare_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct compare_view *c = (struct compare_view *)v;
	int page;

	v->width = g->width;
	v->height = g->height;
	if (c->compare != s->compare)
		compare_update(v, s);
	if (part_empty(g, s))
		return;
	if (!c->compare) {
		say_no_baseline(s, g);
		return;
	}
	place(c, s);
	page = page_of(v);
	list_show(&c->list, page);
	lay_out(c, g->width);
	draw_titles(c, g);
	for (int y = 0; y < page; y++)
		draw_row(c, s, g, y + 1, c->list.top + (size_t)y);
	if (c->list.count == 0 && page > 0)
		grid_text(g, 0, 1, -1, ROLE_LABEL, "No function passes the filter.");
	if (below(v) == 3)
		draw_selected(c, g, g->height - 3);
	if (below(v))
		draw_totals(c, g, g->height - 1);
}

/* --- acting ----------------------------------------------------------------------------------- */

static void select_cursor(struct compare_view *c, struct view_shared *s)
{
	const struct compare_row *r = c->compare == s->compare ? row_at(c, c->list.cursor) : NULL;

	if (!r)
		return;
	c->on_gone = r->now == PROFILE_NONE;
	c->seen = subject(c, c->lines[c->list.cursor])->address;
	if (!c->on_gone)
		view_select(s, r->now);
}

/* The next column that is there, round the end. */
static void sort_step(struct compare_view *c, size_t step)
{
	do
		c->sort = (c->sort + step) % CELLS;
	while (!cells[c->sort].name || (!is_left(cells[c->sort].kind) && !c->known[cells[c->sort].m]));
	c->inverted = false;
}

static bool line_matches(void *ctx, size_t line)
{
	const void **both = ctx;
	const struct compare_view *c = both[0];

	return line < c->list.count && part_matches(both[1], subject(c, c->lines[line])->name);
}

static unsigned search(struct compare_view *c, struct view_shared *s, bool backwards)
{
	const void *ctx[] = { c, s };

	if (!c->compare || !list_search(&c->list, backwards, line_matches, ctx))
		return VIEW_NO_MATCH;
	select_cursor(c, s);
	return VIEW_REDRAW;
}

static unsigned enter(const struct compare_view *c, struct view_shared *s)
{
	const struct compare_row *r = row_at(c, c->list.cursor);

	if (!r || r->now != PROFILE_NONE)
		return VIEW_GO_CALLERS;
	snprintf(s->said, sizeof(s->said), "it is gone: there is nothing of it now to open");
	return VIEW_SAY;
}

static unsigned sorted(struct compare_view *c, const struct view_shared *s)
{
	compare_update(&c->view, s);
	return VIEW_REDRAW;
}

static unsigned compare_act(struct view *v, struct view_shared *s, enum action a)
{
	struct compare_view *c = (struct compare_view *)v;

	if (!s->compare)
		return VIEW_NOTHING;
	if (!s->has_selected)
		select_cursor(c, s);
	if (list_act(&c->list, a, page_of(v))) {
		select_cursor(c, s);
		return VIEW_REDRAW;
	}
	if (part_searches(a))
		return search(c, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER: return enter(c, s);
	case ACTION_SORT_NEXT: sort_step(c, 1); return sorted(c, s);
	case ACTION_SORT_PREVIOUS: sort_step(c, CELLS - 1); return sorted(c, s);
	case ACTION_INVERT: c->inverted ^= true; return sorted(c, s);
	default: return VIEW_NOTHING;
	}
}

static unsigned click_title(struct compare_view *c, const struct view_shared *s, int x)
{
	size_t i = table_at(c->spans, CELLS, x);

	if (i == CELLS || !cells[i].name)
		return VIEW_HANDLED;
	compare_sort_by(&c->view, i);
	return sorted(c, s);
}

static unsigned compare_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct compare_view *c = (struct compare_view *)v;
	size_t line = c->list.top + (size_t)(y - 1);

	if (!s->compare)
		return VIEW_NOTHING;
	if (list_wheel(&c->list, button, page_of(v))) {
		select_cursor(c, s);
		return VIEW_REDRAW;
	}
	if (button != 1 && button != 2)
		return VIEW_NOTHING;
	if (y == 0)
		return click_title(c, s, x);
	if (y < 1 || y > page_of(v) || line >= c->list.count)
		return VIEW_HANDLED;
	c->list.cursor = line;
	select_cursor(c, s);
	return button == 2 ? enter(c, s) : VIEW_REDRAW;
}

static size_t compare_hints(const struct view *v, enum action *hints, size_t max)
{
	static const enum action mine[] = {
		ACTION_BASELINE, ACTION_ENTER, ACTION_SORT, ACTION_INVERT, ACTION_FILTER, ACTION_SEARCH,
		ACTION_COPY,
	};

	(void)v;
	return part_hints(mine, sizeof(mine) / sizeof(mine[0]), hints, max);
}

/* The row with all it has, whatever columns have room. */
static bool compare_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	const struct compare_view *c = (const struct compare_view *)v;
	const struct compare_row *r = c->compare == s->compare ? row_at(c, c->list.cursor) : NULL;
	char text[120];

	if (!r)
		return false;
	buf_addf(out, "%s: %s", subject(c, c->lines[c->list.cursor])->name, delta_word(r->verdict));
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
	const struct compare_row *r = c->compare == s->compare ? row_at(c, c->list.cursor) : NULL;
	const struct profile_function *f = r ? subject(c, c->lines[c->list.cursor]) : NULL;

	if (!f || !(f->path ? f->path : f->file))
		return false;
	*at = (struct view_place){ f->path ? f->path : f->file, f->line };
	return true;
}

const struct view_ops view_compare_ops = {
	.name = "compare",
	.title = "What changed since the baseline",
	.about =
		"Each figure as it is now, as it WAS, and the difference: a load's in points of a percent, "
		"the others' in percent. b marks the baseline. ~ is within the noise: less than three "
		"times what the clock, the spread of the calls and the number of samples or events leave "
		"uncertain, or less than 1 %. LOAD is time in the function itself a second of run. Worst "
		"first, by what it costs; what is dim did not change.",
	.action = ACTION_VIEW_COMPARE,
	.size = sizeof(struct compare_view),
	.release = compare_view_release,
	.update = compare_update,
	.draw = compare_draw,
	.act = compare_act,
	.mouse = compare_mouse,
	.hints = compare_hints,
	.copy = compare_copy,
	.place = compare_place,
};
