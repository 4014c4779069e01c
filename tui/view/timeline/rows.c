/* rows: which rows of lanes there are, and on which lines of the screen all stands. */
#include "tui/view/timeline/timeline.h"

enum {
	LOW = 12,		/* lines: below this, only lanes and two lines of facts */
	TALL = 30,		/* from there on the load of lanes has lines */
	LOADS = 6,		/* ... of so many of them the lines of a screen */
	GRAPH = 4,		/* lines of a lane that is a graph, at most */
};

/* Handlers first, as they interrupt the others. */
unsigned timeline_lane_at(unsigned i)
{
	static const uint8_t first[] = { TRACE_LANE_HANDLERS, TRACE_LANE_MAIN };

	return i < sizeof(first) ? first[i] : i;
}

void timeline_list_rows(struct timeline *t)
{
	t->row_count = 0;
	for (unsigned i = 0; i < TRACE_LANES; i++) {
		unsigned lane = timeline_lane_at(i);
		const struct scene_lane *l = &t->scene.lanes[lane];

		if (!l->used)
			continue;
		if (t->depths[lane] < l->depths)
			t->depths[lane] = l->depths;
		for (uint32_t d = 0; d == 0 || d < t->depths[lane]; d++)
			t->rows[t->row_count++] = (struct timeline_row){ (uint8_t)lane,
									 (uint8_t)d };
	}
}

bool timeline_is_graph(const struct timeline *t, unsigned lane)
{
	return t->scene.lanes[lane].bars && t->depths[lane] <= 1;
}

int timeline_row_height(const struct timeline *t, size_t row)
{
	return timeline_is_graph(t, t->rows[row].lane) ? t->layout.tall : 1;
}

int timeline_row_line(const struct timeline *t, size_t row)
{
	int line = 0;

	for (size_t i = t->top; i < row && i < t->row_count; i++)
		line += timeline_row_height(t, i) +
			(i + 1 < t->row_count && t->rows[i + 1].depth == 0 ? t->layout.apart : 0);
	return line;
}

size_t timeline_row_at(const struct timeline *t, int line)
{
	for (size_t i = t->top; i < t->row_count; i++) {
		int y = timeline_row_line(t, i);

		if (line >= y && line < y + timeline_row_height(t, i))
			return i;
	}
	return t->row_count;
}

/* Where its depth has no row, the deepest that its lane has. */
size_t timeline_cursor_row(const struct timeline *t)
{
	size_t row = 0;

	for (size_t i = 0; i < t->row_count; i++)
		if (t->rows[i].lane == t->lane && t->rows[i].depth <= t->depth)
			row = i;
	return row;
}

/* Graphs are as tall as there is room beside the panels, or without them. */
static int graphs_tall(const struct timeline *t, int lines, int rows, int graphs)
{
	bool panels = timeline_panel_lines(t, lines, rows) > 0;
	int tall = graphs ? GRAPH : 1;

	for (; tall > 1; tall--) {
		int used = rows + (tall - 1) * graphs;
		int panel = timeline_panel_lines(t, lines, used);

		if (panels == (panel > 0) && used + panel <= lines)
			break;
	}
	return tall;
}

/* Of all tracks, where a value's has so many. */
static int tracks_lines(const struct timeline *t, int curve)
{
	int lines = 0;

	for (size_t i = 0; i < t->scene.track_count; i++)
		lines += t->scene.tracks[i].kind == TRACE_VALUE ? curve : 1;
	return lines;
}

/*
 * A quarter of the lines, or what the rows of lanes leave. Values are curves where all of them can
 * be in that quarter; where no calls are told, in all that is left.
 */
static void tracks_lay_out(const struct timeline *t, struct timeline_layout *l, int rows)
{
	int quarter = l->lane_lines / 4, left = l->lane_lines - rows;
	int most = left > quarter ? left : quarter, all;

	all = tracks_lines(t, TIMELINE_CURVE);
	l->curve = all <= (timeline_has_calls(t) ? quarter : most) ? TIMELINE_CURVE : 1;
	all = tracks_lines(t, l->curve);
	l->track_lines = all < most ? all : most;
}

/* What the row of notes shows: not the samples, which have a track alone. */
static bool scene_has_notes(const struct scene *s)
{
	for (size_t i = 0; i < s->note_count; i++) {
		if (s->notes[i].id != TRACE_SAMPLES)
			return true;
	}
	return false;
}

struct timeline_layout timeline_lay_out(const struct timeline *t, const struct view_shared *s,
					int height)
{
	struct timeline_layout l = { .title = -1, .overview = -1, .notes = -1, .legend = -1 };
	bool notes = scene_has_notes(&t->scene) || console_count(node_console(s->node));
	bool low = height < LOW;
	int y = 0, rows = -1, lanes = 0, graphs = 0;

	for (unsigned i = 0; i < TRACE_LANES; i++) {
		lanes += t->scene.lanes[i].used;
		graphs += t->scene.lanes[i].used && timeline_is_graph(t, i);
	}
	if (!low) {
		l.title = y++;
		l.overview = y++;
		l.loads = y;
		l.load_lines = height < TALL ? 0 : lanes < height / LOADS ? lanes : height / LOADS;
		y += l.load_lines;
	}
	l.axis = y++;
	if (!low && notes)
		l.notes = y++;
	l.lanes = y;
	l.fact_lines = low ? 2 : 4;
	l.legend = low ? -1 : height - 1;
	l.facts = height - l.fact_lines - !low;
	l.lane_lines = l.facts - l.lanes - !low;
	l.lane_lines = l.lane_lines > 0 ? l.lane_lines : 0;
	for (size_t i = 0; i < t->row_count; i++)
		rows += t->rows[i].depth ? 1 : 2;
	tracks_lay_out(t, &l, rows);
	l.lane_lines -= l.track_lines;
	l.power_lines = low ? 0 : timeline_power_lines(s, l.lane_lines);
	l.lane_lines -= l.power_lines;
	l.tall = graphs_tall(t, l.lane_lines, rows, graphs);
	rows += (l.tall - 1) * graphs;
	l.panel_lines = low ? 0 : timeline_panel_lines(t, l.lane_lines, rows);
	l.lane_lines -= l.panel_lines;
	l.power = l.lanes + l.lane_lines + l.track_lines;
	l.panel = l.power + l.power_lines;
	l.apart = rows <= l.lane_lines;
	l.tracks = l.lanes + (l.apart && rows < l.lane_lines ? rows + (l.track_lines == 0) :
			      l.lane_lines);
	return l;
}

void timeline_show_cursor(struct timeline *t)
{
	size_t row = timeline_cursor_row(t), lines = (size_t)t->layout.lane_lines;

	if (t->row_count <= lines || row < t->top)
		t->top = t->row_count <= lines ? 0 : row;
	else if (lines && row >= t->top + lines)
		t->top = row + 1 - lines;
}
