/*
 * cells: the contents of the flat view's columns, a line at a time: a function's, a group's.
 */
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/delta.h"
#include "tui/part/watched.h"
#include "tui/view/flat/flat.h"

enum { BAR = SETTINGS_BAR, TREND = SETTINGS_TREND };

/* --- cells ------------------------------------------------------------------------------------ */

/*
 * A vector's name alone tells little: " ISR" or " root" behind the name, where there is room, tells
 * that no function calls it.
 */
static void draw_function_name(const struct flat *f, const struct view_shared *s, struct grid *g,
			       struct table_span at, int y, const struct profile_function *fn)
{
	const char *mark = fn->flags & ROW_HANDLER ? " ISR" : flat_is_root(f, fn) ? " root" : "";
	enum role role = watched_passed(s, fn, COLUMN_COUNT) ? ROLE_BAD : part_role(fn);
	int indent = f->grouping == FLAT_UNGROUPED ? 0 : 2, used;

	used = indent + naming_put(g, at.x + indent, y, at.width - indent, role, fn->name,
				   s->search);
	if (*mark && at.width - used >= (int)strlen(mark))
		grid_text(g, at.x + used, y, at.width - used, ROLE_DIM, mark);
}

/* The mean of the known points in [from, to); NaN: none is known. */
static double trend_mean(const float *trend, size_t from, size_t to)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (!isnan(trend[i])) {
			sum += (double)trend[i];
			n++;
		}
	}
	return n ? sum / (double)n : (double)NAN;
}

/*
 * As high as its share of the row's own highest point, coloured by the load itself: two rows are
 * told apart though both reach the top. Calls a second are no load.
 */
static void draw_point(struct grid *g, int x, int y, double v, double most, bool load)
{
	if (!isnan(v))
		grid_fill(g, x, y, 1, most > 0 ? load ? role_load(v) : ROLE_BAR : ROLE_DIM,
			  grid_rise(most > 0 ? v / most : 0));
}

/*
 * The newest is at the right. A cell stands for the same moments as long as it is shown, or all
 * would move with each new moment: so the newest cell may have fewer.
 */
static void draw_trend(const struct view_shared *s, struct grid *g, struct table_span at, int y,
		       const float *trend, size_t to, bool load)
{
	size_t end = flat_last_moment(s) + 1, from;
	size_t cells = (size_t)at.width < HISTORY_TREND ? (size_t)at.width : HISTORY_TREND;
	size_t each = (HISTORY_TREND + cells - 1) / cells;
	double points[HISTORY_TREND], most = 0;

	from = to < end % each ? 0 : to - (end % each ? end % each : each < to ? each : to);
	for (size_t i = 0; i < cells; i++) {
		points[i] = trend_mean(trend, from, to);
		if (points[i] > most)
			most = points[i];
		to = from;
		from = to > each ? to - each : 0;
	}
	for (size_t i = 0; i < cells; i++)
		draw_point(g, at.x + at.width - 1 - (int)i, y, points[i], most, load);
}

static void draw_function_trend(const struct view_shared *s, struct grid *g, struct table_span at,
				int y, const struct profile_function *fn)
{
	size_t last = flat_last_moment(s);
	float trend[HISTORY_TREND];

	if (last != SIZE_MAX)
		draw_trend(s, g, at, y, trend,
			   history_trend(s->model.history, fn->address, last, trend),
			   fn->time != PROFILE_TIME_NONE);
}

/* Beside the most expensive line: SELF% has the share of all. */
static void draw_bar(const struct flat *f, struct grid *g, struct table_span at, int y,
		     const struct profile_function *fn)
{
	double share = f->hottest > 0 ? flat_share(f, fn) / f->hottest : 0;

	part_bar(g, at, y, share, share);
}

static void draw_cell(const struct flat *f, const struct view_shared *s, struct grid *g, size_t i,
		      int y, const struct profile_function *fn)
{
	uint32_t number = (uint32_t)(fn - f->data.profile->functions);
	struct table_span at = f->spans[i];
	unsigned cell = f->cells[i].cell;
	char text[COLUMN_TEXT], name[COLUMN_TEXT];

	switch (cell) {
	case BAR: draw_bar(f, g, at, y, fn); break;
	case TREND: draw_function_trend(s, g, at, y, fn); break;
	case FLAT_DELTA_LOAD: delta_function(g, at, y, s, number, COMPARE_LOAD); break;
	case FLAT_DELTA_CALL: delta_function(g, at, y, s, number, COMPARE_PER_CALL); break;
	case COLUMN_FUNCTION: draw_function_name(f, s, g, at, y, fn); break;
	case COLUMN_CALLS:
		part_calls(g, at, y, ROLE_NUMBER, fn->called ? (double)fn->calls : NAN,
			   fn->incomplete);
		break;
	case COLUMN_FILE: part_file(g, at, y, fn->file, fn->line); break;
	case COLUMN_CONTEXT:
		columns[cell].format(&f->data, fn, text, sizeof(text));
		grid_text(g, at.x, y, at.width, *text ? ROLE_NUMBER : ROLE_DIM,
			  naming_short(*text ? text : "-", at.width, name, sizeof(name)));
		break;
	default:
		columns[cell].format(&f->data, fn, text, sizeof(text));
		part_cell(g, at, y, watched_passed(s, fn, cell) ? ROLE_BAD : ROLE_NUMBER, text);
	}
}

void flat_draw_function(const struct flat *f, const struct view_shared *s, struct grid *g, int y,
			const struct profile_function *fn)
{
	for (size_t i = 0; i < f->cell_count; i++) {
		if (f->spans[i].width)
			draw_cell(f, s, g, i, y, fn);
	}
}

/* --- groups' lines ---------------------------------------------------------------------------- */

static void draw_group_name(const struct view_shared *s, struct grid *g, struct table_span at,
			    int y, const struct flat_group *group)
{
	const char *mark = group->folded ? (g->utf8 ? "▸ " : "+ ") : (g->utf8 ? "▾ " : "- ");
	int used = grid_text(g, at.x, y, at.width, ROLE_KEY, mark);

	used += part_name(g, at.x + used, y, at.width - used, ROLE_VALUE, group->name, s->search);
	if (at.width - used >= 15)
		grid_textf(g, at.x + used, y, at.width - used, ROLE_LABEL, "  %s function%s",
			   TEXT_WHOLE(group->count), group->count == 1 ? "" : "s");
}

static void draw_group_cell(const struct flat *f, const struct view_shared *s, struct grid *g,
			    size_t i, int y, const struct flat_group *group)
{
	struct table_span at = f->spans[i];
	unsigned cell = f->cells[i].cell;
	char text[COLUMN_TEXT];

	if (cell == BAR)
		draw_bar(f, g, at, y, &group->sum);
	if (cell == TREND && group->points)
		draw_trend(s, g, at, y, group->trend, group->points,
			   f->data.profile->totals.time != PROFILE_TIME_NONE);
	if (cell == COLUMN_FUNCTION)
		draw_group_name(s, g, at, y, group);
	if (cell == COLUMN_FILE)
		part_file(g, at, y, group->path, 0);
	if (cell >= COLUMN_COUNT || !columns[cell].sums)
		return;
	columns[cell].format(&f->data, &group->sum, text, sizeof(text));
	part_cell(g, at, y, ROLE_VALUE, text);
}

void flat_draw_group(const struct flat *f, const struct view_shared *s, struct grid *g, int y,
		     const struct flat_group *group)
{
	for (size_t i = 0; i < f->cell_count; i++) {
		if (f->spans[i].width)
			draw_group_cell(f, s, g, i, y, group);
	}
}
