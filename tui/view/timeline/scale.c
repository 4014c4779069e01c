/* scale: the lines above the lanes: what the window is of, the axis. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/view/timeline/timeline.h"

/* --- the whole trace -------------------------------------------------------------------------- */

/* Calls before that are gone. A file without times has only the fact. */
static const char *cut_text(const struct timeline *t, const struct view_shared *s, char *dst,
			    size_t size)
{
	uint64_t arrival, wall;
	char time[16];

	if (!trace_was_cut(t->trace))
		return "";
	if (!node_trace_arrival(s->node, t->first, &arrival) ||
	    !node_wall(s->node, arrival, &wall) || !*text_wall(time, sizeof(time), wall))
		return "  older calls dropped";
	snprintf(dst, size, "  calls before %s dropped", time);
	return dst;
}

/* How many there are, of which the node told so many. */
/* `some`: of those that are watched, and of handlers. */
static int calls_text(const struct timeline *t, bool some, char *dst, size_t size)
{
	struct trace_stats stats;
	uint64_t told, calls;
	int n;

	if (!timeline_has_calls(t))
		return snprintf(dst, size, "no calls told");
	trace_stats(t->trace, &stats);
	told = timeline_told(&stats);
	calls = told + (stats.untold > stats.counted ? stats.untold : stats.counted);
	if (some)
		n = snprintf(dst, size, "%s calls, others not told", TEXT_WHOLE(calls));
	else
		n = snprintf(dst, size, "%s calls, %.4g %% told", TEXT_WHOLE(calls),
			     calls ? 100.0 * (double)told / (double)calls : 100.0);
	if (stats.frames_lost)
		n += snprintf(dst + n, size - (size_t)n, "  %s frame%s lost",
			      TEXT_WHOLE(stats.frames_lost), stats.frames_lost == 1 ? "" : "s");
	if (trace_is_order_only(t->trace))
		n += snprintf(dst + n, size - (size_t)n, "  order only (host's clock)");
	return n;
}

static void draw_title(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	char span[24], all[24], cut[48], text[240];
	bool coarse = false;
	int n;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++)
		coarse |= t->scene.lanes[lane].used && t->scene.lanes[lane].dense;
	coarse &= timeline_has_calls(t);
	text_seconds(span, sizeof(span), timeline_seconds(t, (double)t->span));
	text_seconds(all, sizeof(all), timeline_seconds(t, (double)(t->last - t->first)));
	n = snprintf(text, sizeof(text), "window %s of %s%s  %s", span, all,
		     coarse ? ", coarse" : "",
		     s->frozen ? "frozen  " : t->follow ? "following  " : "");
	n += calls_text(t, node_tells_some(s->node), text + n, sizeof(text) - (size_t)n);
	snprintf(text + n, sizeof(text) - (size_t)n, "%s", cut_text(t, s, cut, sizeof(cut)));
	grid_fill(g, 0, t->layout.title, g->width, ROLE_TITLE, ' ');
	grid_text(g, 0, t->layout.title, g->width, ROLE_TITLE,
		  text_columns(text) > g->width ? text + strlen("window ") : text);
}

static uint64_t calls_until(const struct timeline *t, uint64_t ticks)
{
	uint64_t sum = 0;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++)
		sum += t->scene.lanes[lane].used ? trace_calls_until(t->trace, lane, ticks) : 0;
	return sum;
}

/* Calls a second over the whole trace, the window in brackets. */
static void draw_overview(const struct timeline *t, struct grid *g)
{
	float rates[TIMELINE_COLUMNS];
	double all = (double)(t->last - t->first), most = 0;
	char text[24];
	uint64_t before = calls_until(t, t->first);
	int width = t->scene.width, y = t->layout.overview, from, to;

	for (int x = 0; x < width; x++) {
		uint64_t calls = calls_until(t, t->first + (uint64_t)(all * (x + 1) / width));

		rates[x] = (float)(calls - before);
		most = rates[x] > most ? rates[x] : most;
		before = calls;
	}
	grid_text(g, 0, y, t->gutter, ROLE_LABEL, "calls/s");
	if (t->gutter >= TIMELINE_GUTTER_WIDE && all > 0)
		grid_right(g, 0, y, t->gutter - 1, ROLE_DIM, text_count(text, sizeof(text),
			   most * width / timeline_seconds(t, all)));
	grid_spark(g, t->gutter, y, width, ROLE_BAR, rates, (size_t)width, most);
	from = all > 0 ? (int)((double)(t->begin - t->first) / all * width) : 0;
	to = all > 0 ? (int)((double)(t->begin + t->span - t->first) / all * width) : width;
	to = to <= from ? from + 1 : to;
	grid_role(g, t->gutter + from, y, to - from, ROLE_VALUE);
	if (t->span + 1 >= (uint64_t)all)
		return;
	if (from > 0)
		grid_text(g, t->gutter + from - 1, y, 1, ROLE_VALUE, "[");
	if (to < width)
		grid_text(g, t->gutter + to, y, 1, ROLE_VALUE, "]");
}

/* The share of each column in which a call of the lane was open, of the highest one. */
static void draw_load(const struct timeline *t, const struct view_shared *s, struct grid *g, int y,
		      unsigned lane)
{
	float loads[TIMELINE_COLUMNS];
	double all = (double)(t->last - t->first);
	uint64_t before = trace_busy_until(t->trace, lane, t->first);
	double most = 0;
	int width = t->scene.width;

	for (int x = 0; x < width; x++) {
		uint64_t busy = trace_busy_until(t->trace, lane, t->first +
						 (uint64_t)(all * (x + 1) / width));

		loads[x] = busy > before ? (float)((double)(busy - before) * width / all) : NAN;
		before = busy;
		most = fmax(most, loads[x]);	/* NAN: less than any */
	}
	timeline_draw_label(t, s, g, y, lane, fmin(most, 1), ROLE_LABEL);
	grid_spark(g, t->gutter, y, width, ROLE_BAR, loads, (size_t)width, most);
}

static void draw_loads(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	int line = 0;

	for (unsigned i = 0; i < TRACE_LANES && line < t->layout.load_lines; i++)
		if (t->scene.lanes[timeline_lane_at(i)].used)
			draw_load(t, s, g, t->layout.loads + line++, timeline_lane_at(i));
}

/* --- the axis --------------------------------------------------------------------------------- */

/* The smallest of 1, 2, 5 times a power of ten whose labels have room. */
static double axis_step(const struct timeline *t, int *decimals)
{
	double window = timeline_seconds(t, (double)t->span), step = 1e-9;
	char label[48];

	for (unsigned i = 0; i < 60; i++) {
		double places = -floor(log10(step) + 1e-9);

		*decimals = places > 0 ? (int)places : 0;
		timeline_time(t, t->begin + t->span, *decimals, label, sizeof(label));
		if (step / window * t->scene.width >= text_columns(label) + 2)
			break;
		step *= i % 3 == 1 ? 2.5 : 2;
	}
	return step;
}

/* Is this column inside a label that begins at x? */
static bool axis_covers(int x, const char *label, int column)
{
	return column > x && column <= x + text_columns(label);
}

static void axis_mark(const struct timeline *t, struct grid *g, uint64_t ticks, const char *text)
{
	int x = scene_column(&t->scene, ticks);

	if (x >= 0 && x < t->scene.width)
		grid_text(g, t->gutter + x, t->layout.axis, 1, ROLE_TITLE_SORTED, text);
}

static bool axis_has_mark(const struct timeline *t, int x, const char *label)
{
	bool has = false;

	for (unsigned i = 0; i < t->mark_count; i++)
		has |= axis_covers(x, label, scene_column(&t->scene, t->marks[i]));
	return has;
}

/* The time between the marks. */
static void axis_between(const struct timeline *t, struct grid *g)
{
	uint64_t begin, end;
	int from, to;

	if (!timeline_marked(t, &begin, &end) || end < t->scene.begin || begin >= t->scene.end)
		return;
	from = scene_column(&t->scene, begin);
	to = scene_column(&t->scene, end);
	from = from > 0 ? from : 0;
	to = to < t->scene.width ? to + 1 : t->scene.width;
	grid_role(g, t->gutter + from, t->layout.axis, to - from, ROLE_MATCH);
}

static void draw_axis(const struct timeline *t, struct grid *g)
{
	int decimals, y = t->layout.axis, cursor = scene_column(&t->scene, t->at);
	double step = axis_step(t, &decimals) * t->rate;
	double at = ceil((double)(t->begin - t->first) / step) * step;
	char label[48];

	grid_fill(g, 0, y, g->width, ROLE_TITLE, ' ');
	for (unsigned i = 0; i < TIMELINE_COLUMNS; i++, at += step) {
		uint64_t ticks = t->first + (uint64_t)(at + 0.5);
		int x = scene_column(&t->scene, ticks);

		if (x < 0 || x >= t->scene.width)
			break;
		grid_text(g, t->gutter + x, y, 1, ROLE_TITLE, g->utf8 ? "│" : "|");
		timeline_time(t, ticks, decimals, label, sizeof(label));
		if (x + 1 + text_columns(label) <= t->scene.width &&
		    !axis_covers(x, label, cursor) && !axis_has_mark(t, x, label))
			grid_text(g, t->gutter + x + 1, y, -1, ROLE_TITLE, label);
	}
	axis_between(t, g);
	for (unsigned i = 0; i < t->mark_count; i++)
		axis_mark(t, g, t->marks[i], "M");
	axis_mark(t, g, t->at, g->utf8 ? "▼" : "v");
}

void timeline_draw_scale(struct timeline *t, const struct view_shared *s, struct grid *g)
{
	if (t->layout.title >= 0)
		draw_title(t, s, g);
	if (t->layout.overview >= 0)
		draw_overview(t, g);
	draw_loads(t, s, g);
	draw_axis(t, g);
	timeline_draw_notes(t, s, g);
}
