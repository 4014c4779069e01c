/*
 * columns: which columns the flat view has, and where they stand.
 *
 * Built in, each column has a rank, and those with the highest go first where there is no room.
 * Columns that the user chose stand in his order; the rightmost go first. The name always stays.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/view/flat/flat.h"
#include "tui/view/flat/shown.h"

enum { BAR = SETTINGS_BAR, TREND = SETTINGS_TREND };

/* Left to right. */
static const struct { uint8_t cell, rank; } built_in[] = {
	{ COLUMN_SELF_PERCENT, 1 }, { BAR, 6 }, { COLUMN_SELF, 2 }, { FLAT_DELTA_LOAD, 2 },
	{ COLUMN_TOTAL, 4 }, { COLUMN_CALLS, 3 }, { COLUMN_PER_CALL, 5 }, { FLAT_DELTA_CALL, 7 },
	{ COLUMN_MIN, 9 }, { COLUMN_P50, 16 }, { COLUMN_P90, 18 }, { COLUMN_P99, 13 },
	{ COLUMN_MAX, 8 }, { COLUMN_SAMPLES, 7 }, { COLUMN_RAN, 9 },
	{ COLUMN_RAN_RATE, 16 }, { COLUMN_RAN_SELF, 14 }, { COLUMN_RATE, 11 },
	{ COLUMN_LOAD, 14 }, { COLUMN_CURRENT, 5 }, { COLUMN_ENERGY_CALL, 6 },
	{ COLUMN_ENERGY, 3 }, { TREND, 10 }, { COLUMN_STACK, 17 }, { COLUMN_STACK_MAX, 16 },
	{ COLUMN_STACK_USE, 18 }, { COLUMN_FRAME, 19 }, { COLUMN_CONTEXT, 15 },
	{ COLUMN_FUNCTION, 0 }, { COLUMN_FILE, 12 },
};

enum { BUILT_IN = sizeof(built_in) / sizeof(built_in[0]) };

enum { TREND_LEAST = 3 };		/* moments that make a line */

/* --- what there is ---------------------------------------------------------------------------- */

static int digits_of(uint64_t n)
{
	int digits = 1;

	while (n >= 10) {
		n /= 10;
		digits++;
	}
	return digits + (digits - 1) / 3;
}

bool flat_is_root(const struct flat *f, const struct profile_function *fn)
{
	const struct contexts *c = f->data.contexts;
	size_t i = (size_t)(fn - f->data.profile->functions);

	return c && i < c->count && c->items[i].root == i && !c->items[i].handler &&
	       fn->first_out != PROFILE_NONE && strcmp(fn->name, "main") != 0;
}

double flat_share(const struct flat *f, const struct profile_function *fn)
{
	return columns[COLUMN_SELF_PERCENT].value(&f->data, fn);
}

/* The widths that a line of numbers needs; a group's sum is no function of the profile. */
static void measure_line(struct flat *f, const struct profile_function *fn)
{
	int digits = digits_of(fn->calls | fn->samples) + 2 * fn->incomplete;
	double share = flat_share(f, fn);

	if (digits > f->digits)
		f->digits = digits;
	/* No more columns than bytes. */
	if (f->longest < (int)strlen(fn->name) && f->longest < text_columns(fn->name))
		f->longest = text_columns(fn->name);
	if (share > f->hottest)
		f->hottest = share;
}

static void measure_function(struct flat *f, const struct profile_function *fn)
{
	measure_line(f, fn);
	f->marks |= fn->flags & ROW_HANDLER || flat_is_root(f, fn);
	f->negative |= (fn->flags & ROW_TOTAL_NEGATIVE) != 0;
}

/* Where all functions have one context a column of it would tell nothing. */
static void measure_contexts(struct flat *f)
{
	const struct contexts *all = f->data.contexts;
	uint32_t one = CONTEXT_NONE;

	f->longest_context = 0;
	for (size_t i = 0; all && i < all->count; i++) {
		uint32_t root = all->items[i].root;
		int length;

		if (root == one || root == CONTEXT_NONE)
			continue;
		length = text_columns(column_context(&f->data, &f->data.profile->functions[i]));
		if (one != CONTEXT_NONE && length > f->longest_context)
			f->longest_context = length;
		one = root;
	}
}

void flat_measure(struct flat *f, const struct view_shared *s)
{
	const struct profile *p = f->data.profile;

	columns_fill(&f->data, f->present);
	f->present[COLUMN_FUNCTION] = true;
	f->present[BAR] = f->present[COLUMN_SELF_PERCENT];
	f->present[TREND] = s->model.history && history_count(s->model.history) >= TREND_LEAST;
	f->present[FLAT_DELTA_LOAD] = f->present[FLAT_DELTA_CALL] = s->model.compare && !s->peaks;
	f->hottest = 0;
	f->negative = f->marks = false;
	for (size_t i = 0; i < f->rows.count; i++)
		measure_function(f, &p->functions[f->rows.items[i]]);
	for (size_t i = 0; i < f->group_count; i++)
		measure_line(f, &f->groups[i].sum);
	measure_contexts(f);
}

/* --- where they stand ------------------------------------------------------------------------- */

static void add_cell(struct flat *f, unsigned cell, unsigned rank, int width)
{
	if (f->cell_count < FLAT_CELLS)
		f->cells[f->cell_count++] = (struct flat_cell){
			(uint8_t)cell, (uint8_t)rank, (int16_t)width,
		};
}

/* The name comes last if it was not chosen; differences stand beside it. */
static void choose_own(struct flat *f, const struct settings *set)
{
	bool named = false;

	for (size_t i = 0; i < set->column_count; i++)
		named |= set->columns[i].cell == COLUMN_FUNCTION;
	for (size_t i = 0; i < set->column_count + !named; i++) {
		struct settings_column c = { .cell = COLUMN_FUNCTION };

		if (i < set->column_count)
			c = set->columns[i];
		if (c.cell == COLUMN_FUNCTION) {
			add_cell(f, FLAT_DELTA_LOAD, 1, 0);
			add_cell(f, FLAT_DELTA_CALL, 2, 0);
		}
		add_cell(f, c.cell, c.cell == COLUMN_FUNCTION ? 0 : (unsigned)i + 3, c.width);
	}
}

static void choose_built_in(struct flat *f)
{
	for (size_t i = 0; i < BUILT_IN; i++) {
		unsigned cell = built_in[i].cell;

		if (cell == COLUMN_CONTEXT && !f->longest_context && f->order.column != cell)
			continue;
		add_cell(f, cell, cell == f->order.column ? 1 : built_in[i].rank, 0);
	}
}

/* Counts seldom need all that their columns allow; with the title's mark they need 6. */
static int width_of(const struct flat *f, unsigned cell)
{
	int least = cell == COLUMN_CALLS ? 6 : cell == COLUMN_SAMPLES ? 8 : columns[cell].width;

	if (cell == f->cells[0].cell)	/* no gap before it that the mark could use */
		least++;
	if (least < f->digits && least < columns[cell].width)
		least = f->digits < columns[cell].width ? f->digits : columns[cell].width;
	return least;
}

/* The marks behind names get room of their own where the rectangle is wide. */
static struct table_column name_width(const struct flat *f, int width)
{
	int indent = f->grouping == FLAT_UNGROUPED ? 0 : 2, mark = f->marks ? 5 : 0;
	struct table_column c =
		table_name(width, f->longest + indent + (width < 100 ? 0 : mark), 0);

	if (width < 100)
		c.wants += mark;
	if (f->grouping != FLAT_UNGROUPED && c.wants < 30)
		c.wants = 30;
	return c;
}

static struct table_column own_width(const struct flat *f, unsigned cell, int width)
{
	int file = f->longest + 8 < 32 ? 32 : 48;
	int context = f->longest_context > 8 ? f->longest_context : 8;

	switch (cell) {
	case BAR:
		return (struct table_column){ width < 100 ? 6 : 8, width < 160 ? 10 : 24, 0 };
	case TREND:
		return (struct table_column){ 8, width < 160 ? 12 : 20, 0 };
	case FLAT_DELTA_LOAD:
	case FLAT_DELTA_CALL:
		return (struct table_column){ DELTA_WIDTH, DELTA_WIDTH, 0 };
	case COLUMN_FUNCTION:
		return name_width(f, width);
	case COLUMN_FILE:
		return (struct table_column){ 15, file, 0 };
	case COLUMN_CONTEXT:
		return (struct table_column){ 8, context, 0 };
	default:
		return (struct table_column){ width_of(f, cell), width_of(f, cell), 0 };
	}
}

static struct table_column column_of(const struct flat *f, const struct flat_cell *cell, int width)
{
	struct table_column c;

	if (cell->cell >= FLAT_KINDS || !f->present[cell->cell])
		return (struct table_column){ 0 };
	c = own_width(f, cell->cell, width);
	if (cell->width > 0)
		c.width = c.wants = cell->width < width ? cell->width : width;
	c.rank = cell->rank;
	return c;
}

void flat_lay_out(struct flat *f, const struct view_shared *s, int width)
{
	struct table_column c[FLAT_CELLS];

	f->cell_count = 0;
	if (s->settings->column_count)
		choose_own(f, s->settings);
	else
		choose_built_in(f);
	for (size_t i = 0; i < f->cell_count; i++)
		c[i] = column_of(f, &f->cells[i], width);
	table_layout(c, f->cell_count, width, f->spans);
}

/* --- titles ----------------------------------------------------------------------------------- */

/* Times that --correct has changed are marked in their titles too. */
static bool is_estimate(const struct profile *p, unsigned cell)
{
	return profile_estimated(p) && (cell == COLUMN_SELF || cell == COLUMN_TOTAL);
}

static void draw_column_title(const struct flat *f, struct grid *g, size_t i)
{
	unsigned cell = f->cells[i].cell;
	bool changes = rows_by_change(&f->order);
	int direction = f->order.inverted ? -1 : 1;
	char title[COLUMN_TEXT];

	switch (cell) {
	case BAR:
		break;
	case TREND:
		part_title(g, f->spans[i], 0, "MINUTE", true, 0);
		break;
	case FLAT_DELTA_LOAD:
		part_title(g, f->spans[i], 0, g->utf8 ? "Δ LOAD" : "d LOAD", false,
			   changes ? direction : 0);
		break;
	case FLAT_DELTA_CALL:
		part_title(g, f->spans[i], 0, g->utf8 ? "Δ CALL" : "d CALL", false, 0);
		break;
	default:
		snprintf(title, sizeof(title), "%s%s",
			 is_estimate(f->data.profile, cell) ? "~" : "", columns[cell].header);
		part_title(g, f->spans[i], 0, title, columns[cell].left,
			   cell == f->order.column && !changes ? direction : 0);
	}
}

void flat_draw_titles(const struct flat *f, struct grid *g)
{
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	for (size_t i = 0; i < f->cell_count; i++)
		draw_column_title(f, g, i);
}

enum column_id flat_column_at(const struct flat *f, int x)
{
	size_t i = table_at(f->spans, f->cell_count, x);
	unsigned cell = i < f->cell_count ? f->cells[i].cell : COLUMN_COUNT;

	if (cell == BAR)
		return COLUMN_SELF_PERCENT;
	if (cell == TREND)
		return COLUMN_LOAD;
	return cell < COLUMN_COUNT ? (enum column_id)cell : COLUMN_COUNT;
}

bool flat_is_change_at(const struct flat *f, int x)
{
	size_t i = table_at(f->spans, f->cell_count, x);

	return i < f->cell_count && f->cells[i].cell == FLAT_DELTA_LOAD;
}

/* --- for who chooses -------------------------------------------------------------------------- */

size_t flat_built_in(struct settings_column *out, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < BUILT_IN && n < max; i++) {
		if (built_in[i].cell < SETTINGS_CELLS)
			out[n++] = (struct settings_column){ .cell = built_in[i].cell };
	}
	return n;
}

int flat_width(const struct view *v, unsigned cell)
{
	const struct flat *f = (const struct flat *)v;

	for (size_t i = 0; i < f->cell_count; i++) {
		if (f->cells[i].cell == cell)
			return f->spans[i].width;
	}
	return 0;
}

bool flat_shows(const struct view *v, unsigned cell)
{
	return flat_width(v, cell) > 0;
}

bool flat_holds(const struct view *v, unsigned cell)
{
	return cell < FLAT_KINDS && ((const struct flat *)v)->present[cell];
}

const char *flat_help(unsigned cell)
{
	return cell == BAR ? "its self time as a bar; full: the most expensive row" :
	       cell == TREND ? "its load over the last minute; coloured by load" :
	       columns[cell].help;
}
