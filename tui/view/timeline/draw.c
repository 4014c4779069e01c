/* draw: the lanes: boxes of calls, bars of those too short for one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/part/naming.h"
#include "tui/part/table.h"
#include "tui/view/timeline/timeline.h"

enum { BOX_ROLES = ROLE_BOX5 - ROLE_BOX0 + 1, NAMED = 4 };

/* A function keeps its colour. */
static enum role box_role(const struct scene_call *c)
{
	if (c->kind == TRACE_LOST)
		return ROLE_BAD;
	if (c->kind != TRACE_CALL || !c->id)
		return ROLE_BOX_PLAIN;
	return (enum role)(ROLE_BOX0 + c->id % BOX_ROLES);
}

static char edge_begin(const struct timeline *t, const struct scene_call *c)
{
	if (c->begin < t->scene.begin)
		return '<';
	return c->begin_time == TRACE_TIME_STAMPED ? '[' :
	       c->begin_time == TRACE_TIME_BETWEEN ? '(' : '~';
}

static char edge_end(const struct timeline *t, const struct scene_call *c)
{
	if (c->end > t->scene.end || c->open)
		return '>';
	return c->end_time == TRACE_TIME_STAMPED ? ']' :
	       c->end_time == TRACE_TIME_BETWEEN ? ')' : '~';
}

static const char *box_text(const struct view_shared *s, const struct scene_call *c, int width,
			    char *dst, size_t size)
{
	char name[32];

	switch (c->kind) {
	case TRACE_BOX:
		snprintf(dst, size, "%s calls in %s", TEXT_WHOLE(c->count),
			 timeline_name(s, c->id, name, sizeof(name)));
		if (text_columns(dst) > width)
			snprintf(dst, size, "%s %s", TEXT_WHOLE(c->count),
				 timeline_name(s, c->id, name, sizeof(name)));
		break;
	case TRACE_GAP:
		snprintf(dst, size, "%s calls", TEXT_WHOLE(c->count));
		break;
	case TRACE_LOST:
		snprintf(dst, size, "%s frame%s lost", TEXT_WHOLE(c->count),
			 c->count == 1 ? "" : "s");
		break;
	case TRACE_UNKNOWN:
		snprintf(dst, size, "told in a lost frame");
		break;
	default:
		return naming_short(timeline_name(s, c->id, name, sizeof(name)), width, dst, size);
	}
	return dst;
}

/* What is not told, or lost, looks different without colours, too; a call has none. */
static char box_fill(const struct scene_call *c)
{
	switch (c->kind) {
	case TRACE_LOST: return 'x';
	case TRACE_UNKNOWN: return '?';
	case TRACE_BOX:
	case TRACE_GAP: return '=';
	default: return 0;
	}
}

static void draw_filled(struct grid *g, int y, int from, int to, enum role role, char fill,
			const char *text)
{
	int width = to - from;

	grid_fill(g, from, y, width, role, (uint32_t)fill);
	if (text_columns(text) + 4 <= width)
		grid_textf(g, from + 2, y, width - 3, role, " %s ", text);
}

/* Another task runs. */
static void draw_away(const struct view_shared *s, struct grid *g, int y,
		      const struct scene_call *c, int from, int to, bool selected)
{
	enum role role = selected ? ROLE_SELECTED : ROLE_DIM;
	char name[32];

	grid_fill(g, from, y, to - from, role, '-');
	if (to - from > NAMED)
		grid_textf(g, from + 1, y, to - from - 2, role, " %s ",
			   timeline_lane(s, c->id, name, sizeof(name)));
}

static void draw_box(const struct timeline *t, const struct view_shared *s, struct grid *g, int y,
		     const struct scene_call *c, int from, int to, bool selected)
{
	int inner = to - from - 2;
	enum role role = selected ? ROLE_SELECTED : box_role(c);
	char text[300];

	if (c->kind == TRACE_AWAY) {
		draw_away(s, g, y, c, from, to, selected);
		return;
	}
	box_text(s, c, box_fill(c) ? inner - 2 : inner, text, sizeof(text));
	if (box_fill(c)) {
		draw_filled(g, y, from, to, role, box_fill(c), text);
		if (c->kind == TRACE_LOST)
			return;
	} else {
		grid_fill(g, from, y, to - from, role, ' ');
	}
	grid_fill(g, from, y, 1, role, (uint32_t)edge_begin(t, c));
	if (to - from > 1)
		grid_fill(g, to - 1, y, 1, role, (uint32_t)edge_end(t, c));
	if (box_fill(c))
		return;
	if (inner > 0 && inner < NAMED)
		grid_textf(g, from + 1, y, inner, role, "%.*s", inner, text);
	else if (inner > 0)
		part_name(g, from + 1, y, inner, role, text, s->search);
}

static double cell_load(const struct timeline *t, const struct scene_cell *cell)
{
	return fmin((double)cell->busy / scene_ticks_per_column(&t->scene), 1);
}

/* A column in which calls were not told, or are lost; 0: all were. */
static char cell_sign(const struct scene_cell *cell)
{
	if (cell->kinds & 1u << TRACE_LOST)
		return 'x';
	if (cell->kinds & 1u << TRACE_UNKNOWN)
		return '?';
	return cell->kinds & (1u << TRACE_BOX | 1u << TRACE_GAP) ? '=' : 0;
}

/* A column of short calls: as high as the share of it that they take. */
static void draw_cell(const struct timeline *t, struct grid *g, int x, int y,
		      const struct scene_cell *cell, bool selected)
{
	double share = cell_load(t, cell);
	char sign = cell_sign(cell);

	grid_fill(g, x, y, 1, selected ? ROLE_SELECTED : sign == 'x' ? ROLE_BAD : role_heat(share),
		  sign ? (uint32_t)sign : grid_rise(share));
}

/* Where nothing runs; what is not told yet is left empty, and a lane of which no calls are told. */
static void draw_idle(const struct timeline *t, struct grid *g, int y, unsigned lane)
{
	uint64_t told = t->scene.lanes[lane].told;
	int from = t->first > t->scene.begin ? scene_column(&t->scene, t->first) : 0;
	int to = told < t->scene.end ? scene_column(&t->scene, told) : t->scene.width;

	if (!timeline_has_calls(t))
		grid_text(g, 0, y, g->width, ROLE_DIM, "no calls told");
	else if (to > from)
		grid_fill(g, from, y, to - from, ROLE_DIM, g->utf8 ? 0xb7 : '.');
}

/* --- a lane without boxes --------------------------------------------------------------------- */

/* The highest of its columns; 0: it never ran. */
static double lane_most(const struct timeline *t, unsigned lane)
{
	const struct scene_cell *cells = scene_cells(&t->scene, lane, 0);
	double most = 0;

	for (int x = 0; cells && x < t->scene.width; x++)
		most = fmax(most, cell_load(t, &cells[x]));
	return most;
}

/* A bar of several lines, from the lowest up; as high as its share of the lane's highest. */
static void draw_graph_column(const struct timeline *t, struct grid *g, int x, int y,
			      const struct scene_cell *cell, double most)
{
	double load = cell_load(t, cell), eighths = ceil(load / most * t->layout.tall * 8);
	char sign = cell_sign(cell);

	for (int i = 0; i < t->layout.tall && eighths > i * 8; i++)
		grid_fill(g, x, y + t->layout.tall - 1 - i, 1, role_load(load),
			  grid_rise(fmin((eighths - i * 8) / 8, 1)));
	if (sign)
		grid_fill(g, x, y + t->layout.tall - 1, 1, sign == 'x' ? ROLE_BAD : ROLE_WARNING,
			  (uint32_t)sign);
}

static void draw_graph(const struct timeline *t, struct grid *g, int y, unsigned lane, int cursor)
{
	const struct scene_cell *cells = scene_cells(&t->scene, lane, 0);
	double most = lane_most(t, lane);

	draw_idle(t, g, y + t->layout.tall - 1, lane);
	for (int x = 0; cells && x < t->scene.width; x++)
		draw_graph_column(t, g, x, y, &cells[x], most > 0 ? most : 1);
	for (size_t i = 0; i < t->scene.count; i++) {
		const struct scene_call *c = &t->scene.calls[i];
		int from = scene_column(&t->scene, c->begin);

		if (c->lane == lane)		/* frames lost: there are no others */
			grid_fill(g, from > 0 ? from : 0, y + t->layout.tall - 1,
				  scene_column(&t->scene, c->end) - from + 1, ROLE_BAD, 'x');
	}
	for (int i = 0; cursor >= 0 && cursor < t->scene.width && i < t->layout.tall; i++)
		grid_role(g, cursor, y + i, 1, ROLE_SELECTED);
}

/* --- all lanes -------------------------------------------------------------------------------- */

static void draw_row(struct timeline *t, const struct view_shared *s, struct grid *g, int y,
		     const struct timeline_row *row, int cursor)
{
	const struct scene_cell *cells = scene_cells(&t->scene, row->lane, row->depth);
	uint32_t shown[TIMELINE_COLUMNS];

	if (timeline_is_graph(t, row->lane)) {
		draw_graph(t, g, y, row->lane, cursor);
		return;
	}
	scene_row(&t->scene, row->lane, row->depth, shown);
	if (row->depth == 0)
		draw_idle(t, g, y, row->lane);
	for (int x = 0, to; x < t->scene.width; x = to) {
		to = x + 1;
		if (shown[x] == SCENE_CELL)
			draw_cell(t, g, x, y, &cells[x], x == cursor);
		if (shown[x] < SCENE_BOXES)
			continue;
		while (to < t->scene.width && shown[to] == shown[x])
			to++;
		draw_box(t, s, g, y, &t->scene.calls[shown[x] - SCENE_BOXES], x, to,
			 cursor >= x && cursor < to);
	}
	if (cursor >= 0 && cursor < t->scene.width && shown[cursor] == SCENE_NOTHING)
		grid_role(g, cursor, y, 1, ROLE_SELECTED);
}

void timeline_draw_label(const struct timeline *t, const struct view_shared *s, struct grid *g,
			 int y, unsigned lane, double load, enum role role)
{
	char name[32], text[64], of[24] = "";
	int width = t->gutter - 1;

	if (load >= 0 && t->gutter >= TIMELINE_GUTTER_WIDE)
		snprintf(of, sizeof(of), " %.1f %%", 100 * load);
	width -= text_columns(of);
	grid_text(g, 0, y, width, role, naming_short(timeline_lane(s, lane, name, sizeof(name)),
						     width, text, sizeof(text)));
	grid_text(g, width, y, -1, role == ROLE_LABEL ? ROLE_DIM : role, of);
}

/* Of a graph with the load of a bar that is as high as its lane. */
static void draw_row_label(const struct timeline *t, const struct timeline_row *row,
			   const struct view_shared *s, struct grid *g, int y, bool cursor)
{
	enum role role = cursor ? ROLE_SELECTED : row->depth ? ROLE_DIM : ROLE_VALUE;
	double load = timeline_is_graph(t, row->lane) ? lane_most(t, row->lane) : -1;
	bool below = load >= 0 && t->layout.tall > 1;
	char text[32];

	grid_fill(g, 0, y, t->gutter, role, ' ');
	snprintf(text, sizeof(text), "%u ", row->depth);
	if (row->depth)
		grid_right(g, 0, y, t->gutter, role, text);
	else
		timeline_draw_label(t, s, g, y, row->lane, below ? -1 : load, role);
	snprintf(text, sizeof(text), "%.1f %% ", 100 * load);
	if (below)
		grid_right(g, 0, y + 1, t->gutter, ROLE_DIM, text);
}

void timeline_draw_lanes(struct timeline *t, const struct view_shared *s, struct grid *g)
{
	struct grid plot = grid_sub(g, t->gutter, t->layout.lanes,
				    g->width - t->gutter, t->layout.lane_lines);
	size_t at = timeline_cursor_row(t);

	for (size_t row = t->top; row < t->row_count; row++) {
		int y = timeline_row_line(t, row);

		if (y >= t->layout.lane_lines)
			break;
		draw_row_label(t, &t->rows[row], s, g, t->layout.lanes + y,
			       row == at && !timeline_on_notes(t));
		draw_row(t, s, &plot, y, &t->rows[row],
			 row == at ? scene_column(&t->scene, t->at) : -1);
	}
}
