/*
 * timeline: every call of the node, in order, on an axis of time.
 */
#include "tui/view/timeline/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/text.h"
#include "tui/part/table.h"
#include "tui/part/traced.h"
#include "tui/view/views.h"

enum {
	FIRST_CALLS = 30,		/* that the first window shows, about; */
	FIRST_SECONDS = 10,		/* without calls, at most */
	FOLLOW_BACK = 64,		/* windows to the newest call of a lane, at most */
	USUAL_CALLS = 16,		/* that a median is of, at least */
};

static void timeline_release(struct view *v)
{
	struct timeline *t = (struct timeline *)v;

	scene_release(&t->scene);
	timeline_look_release(t);
}

/* --- names ------------------------------------------------------------------------------------ */

const char *timeline_name(const struct view_shared *s, uint32_t id, char *dst, size_t size)
{
	const struct image *im = node_image(s->node);
	uint32_t function = im ? image_traced(im, id) : IMAGE_NONE;

	if (function != IMAGE_NONE)
		return image_function(im, function)->name;
	if (trace_note_name(node_trace(s->node), id))
		snprintf(dst, size, "%s", trace_note_name(node_trace(s->node), id));
	else if (id)
		snprintf(dst, size, "function %" PRIu32, id);
	else
		snprintf(dst, size, "?");
	return dst;
}

const char *timeline_lane(const struct view_shared *s, unsigned lane, char *dst, size_t size)
{
	const struct trace *trace = s->node ? node_trace(s->node) : NULL;
	uint32_t root = trace && lane > TRACE_LANE_HANDLERS ? trace_lane_root(trace, lane) : 0;
	unsigned task = lane - TRACE_LANE_HANDLERS;
	char name[32];

	if (lane == TRACE_LANE_MAIN)
		return "main";
	if (lane == TRACE_LANE_HANDLERS)
		return "handlers";
	if (lane >= TRACE_LANES)
		return "a task that is not told";
	if (root && !trace_lane_is_shared(trace, lane))
		return timeline_name(s, root, dst, size);
	if (root)
		snprintf(dst, size, "%.*s/%u", (int)size - 4,
			 timeline_name(s, root, name, sizeof(name)), task);
	else
		snprintf(dst, size, "task %u", task);
	return dst;
}

double timeline_seconds(const struct timeline *t, double ticks)
{
	return ticks / t->rate;
}

const char *timeline_time(const struct timeline *t, uint64_t ticks, int decimals, char *dst,
			  size_t size)
{
	bool before = ticks < t->first;

	snprintf(dst, size, "%s%.*f s", before ? "-" : "", decimals,
		 timeline_seconds(t, (double)(before ? t->first - ticks : ticks - t->first)));
	return dst;
}

/* --- the window ------------------------------------------------------------------------------- */

static int timeline_gutter(const struct timeline *t)
{
	bool wide = t->view.width >= TIMELINE_WIDE;
	int least = wide ? TIMELINE_GUTTER_WIDE : TIMELINE_GUTTER;
	int most = wide ? TIMELINE_GUTTER_WIDEST : TIMELINE_GUTTER_MOST;

	return t->named < least ? least : t->named < most ? t->named + 1 : most;
}

static int timeline_plot(const struct timeline *t)
{
	int width = t->view.width - timeline_gutter(t);

	return width < 8 ? 8 : width < TIMELINE_COLUMNS ? width : TIMELINE_COLUMNS;
}

void timeline_window(struct timeline *t, uint64_t begin, uint64_t span)
{
	uint64_t all = t->last - t->first;

	all = all > TIMELINE_LEAST ? all : TIMELINE_LEAST;
	span = span < TIMELINE_LEAST ? TIMELINE_LEAST : span < all ? span : all;
	if (span != t->span) {
		memset(t->depths, 0, sizeof(t->depths));
		t->opening = false;
	}
	begin = begin < t->first ? t->first : begin;
	if (begin + span > t->first + all)
		begin = t->first + all - span;
	t->begin = begin;
	t->span = span;
	t->stale = true;
}

void timeline_window_to_cursor(struct timeline *t)
{
	if (t->at < t->begin || t->at >= t->begin + t->span)
		timeline_window(t, t->at > t->span / 2 ? t->at - t->span / 2 : 0, t->span);
}

/* 1, 2 or 5 times a power of ten of a second's parts. */
static uint64_t span_round(const struct timeline *t, double ticks)
{
	double step = t->rate / 1e6;

	for (unsigned i = 0; step < ticks && i < 60; i++)
		step *= i % 3 == 1 ? 2.5 : 2;
	return (uint64_t)step;
}

void timeline_frame(struct timeline *t, const struct scene_call *c, uint64_t begin, uint64_t span)
{
	for (size_t i = 1; i < TIMELINE_WAYS && t->way_count == TIMELINE_WAYS; i++)
		t->ways[i - 1] = t->ways[i];
	t->way_count -= t->way_count == TIMELINE_WAYS;
	t->ways[t->way_count].begin = t->begin;
	t->ways[t->way_count++].span = t->span;
	t->lane = c->lane;
	t->depth = c->depth;
	t->at = c->begin;
	t->follow = false;
	timeline_window(t, begin, span);
}

uint64_t timeline_told(const struct trace_stats *stats)
{
	return stats->calls - stats->counted;
}

bool timeline_has_calls(const struct timeline *t)
{
	struct trace_stats stats;

	trace_stats(t->trace, &stats);
	return stats.calls || stats.untold || !trace_is_told(t->trace);
}

/* The main program, or, if it is not followed, the task with the most calls. */
static uint8_t lane_first(const struct trace *trace)
{
	struct trace_stats stats;
	uint64_t most = 0;
	uint8_t first = TRACE_LANE_MAIN;

	for (uint8_t lane = 0; lane < TRACE_LANES; lane++) {
		trace_lane_stats(trace, lane, &stats);
		if (lane == TRACE_LANE_HANDLERS || stats.calls <= most)
			continue;
		most = lane == TRACE_LANE_MAIN ? UINT64_MAX : stats.calls;
		first = lane;
	}
	return first;
}

/*
 * Until there are calls enough to tell how long a window of some is, and of values alone: all, ten
 * seconds at most. A trace that has just begun may be some ticks long.
 */
static void opening_show(struct timeline *t)
{
	struct trace_stats stats;
	bool few;

	trace_stats(t->trace, &stats);
	few = timeline_told(&stats) < FIRST_CALLS;
	timeline_window(t, t->last, few ? (uint64_t)(FIRST_SECONDS * t->rate) :
			span_round(t, (double)(t->last - t->first) * FIRST_CALLS /
				      (double)(timeline_told(&stats) + 1)));
	t->opening = few;
}

static void timeline_begin(struct timeline *t, const struct trace *trace)
{
	t->trace = trace;
	t->rate = trace_ticks_per_second(trace);
	t->rate = t->rate > 0 ? t->rate : 1;
	trace_span(trace, &t->first, &t->last);
	opening_show(t);
	t->named = 0;
	t->follow = true;
	t->lane = lane_first(trace);
	t->depth = 0;
	t->at = t->last;
	t->way_count = 0;
	t->mark_count = 0;
	t->pressed_x = -1;
	timeline_look_release(t);
}

/* --- what is shown ---------------------------------------------------------------------------- */

uint64_t timeline_column_middle(const struct timeline *t, int column)
{
	return (uint64_t)((double)t->scene.begin +
			  (column + 0.5) * scene_ticks_per_column(&t->scene));
}

void timeline_cursor_to(struct timeline *t, uint32_t shown, int column)
{
	t->at = timeline_column_middle(t, column);
	if (shown >= SCENE_BOXES)
		t->at = t->scene.calls[shown - SCENE_BOXES].begin;
	t->at = t->at < t->begin ? t->begin : t->at;
}

void timeline_settle(struct timeline *t)
{
	uint32_t shown[TIMELINE_COLUMNS];
	int width = t->scene.width, at = scene_column(&t->scene, t->at);

	at = at < 0 ? 0 : at < width ? at : width - 1;
	scene_row(&t->scene, t->lane, t->depth, shown);
	for (int d = 0; d < width && shown[at] == SCENE_NOTHING; d++) {
		int found = at + d < width && shown[at + d] ? at + d :
			    at >= d && shown[at - d] ? at - d : -1;

		if (found < 0)
			continue;
		timeline_cursor_to(t, shown[found], found);
		break;
	}
}

/* Where the window has too few calls of the function for a median, more time around it. */
static void usual_look(struct timeline *t)
{
	uint64_t begin = t->begin, span = t->span;

	for (;;) {
		t->usual_of = (struct find_window){ t->lane, begin, begin + span,
						    t->call.call.begin };
		find_usual(t->trace, t->call.call.id, &t->usual_of, &t->usual);
		t->usual_is_wide = span > t->span;
		if (t->usual.calls >= USUAL_CALLS || t->usual.cut || span >= t->last - t->first)
			return;
		begin = begin > t->first + 4 * span ? begin - 4 * span : t->first;
		span *= 8;
	}
}

/* The call under the cursor: a box, or of those in its column the nearest. */
static void cursor_look(struct timeline *t)
{
	const struct scene_call *box = scene_box(&t->scene, t->lane, t->depth, t->at);
	double per = scene_ticks_per_column(&t->scene);
	int column = scene_column(&t->scene, t->at);
	struct find_place place = { .lane = t->lane, .depth = t->depth, .at = t->at };
	const struct scene_cell *cells = scene_cells(&t->scene, t->lane, t->depth);
	bool dense = t->scene.lanes[t->lane].dense || t->depth >= t->scene.lanes[t->lane].depths;

	place.from = (uint64_t)((double)t->scene.begin + column * per);
	place.to = (uint64_t)((double)t->scene.begin + (column + 1) * per) + 1;
	if (box || dense)
		place.from = t->at;
	if (box) {
		place.to = t->at + 1;
		place.whole = (uint64_t)per;
	}
	t->panel_stale = true;
	t->moved = t->has_call = false;
	t->struck = 0;
	t->usual.calls = t->usual.interval_count = 0;
	t->usual.ticks = 0;
	if (column < 0 || column >= t->scene.width)
		return;
	if (!box && !dense && !(cells && cells[column].calls + cells[column].busy))
		return;
	t->has_call = find_call(t->trace, &place, &t->call);
	if (t->has_call && t->call.call.id)
		usual_look(t);
	if (t->has_call && t->call.call.kind == TRACE_CALL && !t->call.call.open)
		t->struck = why_struck(t->trace, &t->call.call, &t->struck_ticks);
}

/* Another view asked for the longest call of the selected function. */
static void longest_go(struct timeline *t, const struct view_shared *s)
{
	struct trace_edge longest;
	struct scene_call c;
	uint64_t length;

	t->longest_seen = s->longest_asked;
	if (!traced_longest(s, &longest) || !find_longest(t->trace, &longest, &c))
		return;
	length = c.end - c.begin;
	timeline_frame(t, &c, c.begin > length / 4 ? c.begin - length / 4 : 0,
		       length + length / 2);
}

/* The log asked for a moment. */
static void moment_go(struct timeline *t, const struct view_shared *s)
{
	t->moment_seen = s->moment_asked;
	t->lane = s->moment_lane;
	t->depth = 0;
	t->at = s->moment_ticks < t->first ? t->first : s->moment_ticks;
	t->follow = false;
	timeline_window(t, t->at > t->span / 2 ? t->at - t->span / 2 : 0, t->span);
}

static bool lane_is_empty(const struct timeline *t)
{
	for (size_t i = 0; i < t->scene.count; i++)
		if (t->scene.calls[i].lane == t->lane)
			return false;
	return !scene_cells(&t->scene, t->lane, 0);
}

/*
 * At the end of the trace, or, if the cursor's lane is idle there, at its newest call: a short
 * window would show most of the time nothing.
 */
static int newest_show(struct timeline *t, int width)
{
	struct find_place place = { .lane = t->lane, .at = t->last, .to = t->last + 1,
				    .whole = UINT64_MAX };
	struct found_call newest;

	if (t->opening)
		opening_show(t);
	else
		timeline_window(t, t->last, t->span);
	t->at = t->begin + t->span - 1;
	if (scene_build(&t->scene, t->trace, t->begin, t->begin + t->span, width) < 0)
		return ERR_NOMEM;
	place.from = t->span < t->last / FOLLOW_BACK ? t->last - FOLLOW_BACK * t->span : 0;
	if (!lane_is_empty(t) || !find_call(t->trace, &place, &newest))
		return 0;
	timeline_window(t, newest.call.end + t->span / 8 - t->span, t->span);
	t->at = newest.call.begin > t->begin ? newest.call.begin : t->begin;
	return scene_build(&t->scene, t->trace, t->begin, t->begin + t->span, width);
}

static int scene_show(struct timeline *t, const struct view_shared *s)
{
	int width = timeline_plot(t);

	t->gutter = timeline_gutter(t);
	return t->follow && !s->frozen ? newest_show(t, width) :
	       scene_build(&t->scene, t->trace, t->begin, t->begin + t->span, width);
}

bool timeline_scene_ready(struct timeline *t, const struct view_shared *s)
{
	const struct trace *trace = s->node ? node_trace(s->node) : NULL;

	t->gutter = timeline_gutter(t);
	if (!trace || trace_is_empty(trace)) {
		t->trace = NULL;
		return false;
	}
	if (trace != t->trace || node_restarts(s->node) != t->restarts) {
		timeline_begin(t, trace);
		t->restarts = node_restarts(s->node);
	}
	if (s->longest_asked != t->longest_seen)
		longest_go(t, s);
	if (s->moment_asked != t->moment_seen)
		moment_go(t, s);
	if (!t->stale && t->scene.width == timeline_plot(t))
		return true;
	trace_span(trace, &t->first, &t->last);
	if (scene_show(t, s) < 0 || (timeline_names_grow(t, s) && scene_show(t, s) < 0))
		return false;
	t->stale = false;
	timeline_list_rows(t);
	if (t->follow && !s->frozen)
		timeline_settle(t);
	t->moved = true;
	return true;
}

bool timeline_ready(struct timeline *t, const struct view_shared *s)
{
	if (!timeline_scene_ready(t, s))
		return false;
	if (t->moved)
		cursor_look(t);
	return true;
}

static void timeline_update(struct view *v, const struct view_shared *s)
{
	(void)s;
	((struct timeline *)v)->stale = true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void timeline_missing_draw(const struct view_shared *s, struct grid *g)
{
	static const char fact[] = "no call trace: the node does not send one";
	static const char build[] = "Build its firmware through wsntop as --trace, with "
				    "WSNPROF_TRACE defined:";
	static const char gain[] = "it then sends every call and return, which are shown here in "
				   "order.";
	static const char *const port[] = {
		"no times of interrupts yet: SWO's local time stamps tell them",
		"Behind the source ?setup=openocd: turns them on (ITM_TCR.TSENA), and the",
		"exceptions' packets (DWT_CTRL.EXCTRCENA). ?clock=72M names their clock.", NULL
	};
	char other[200];
	struct node_port facts;

	if (s->node && node_port(s->node, &facts)) {
		part_say(g, s, port);
		return;
	}
	if (!s->tracer || s->tracer == s->node) {
		part_say(g, s, (const char *const[]){ fact, build, gain, NULL });
		return;
	}
	snprintf(other, sizeof(other), "The node \"%.100s\" sends one: {node-next} shows the next "
		 "node.", node_title(s->tracer));
	part_say(g, s, (const char *const[]){ fact, other, build, gain, NULL });
}

static void timeline_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct timeline *t = (struct timeline *)v;

	v->width = g->width;
	v->height = g->height;
	if (!timeline_ready(t, s)) {
		timeline_missing_draw(s, g);
		return;
	}
	t->layout = timeline_lay_out(t, s, g->height);
	timeline_show_cursor(t);
	timeline_draw_scale(t, s, g);
	timeline_draw_lanes(t, s, g);
	timeline_draw_tracks(t, s, g);
	timeline_draw_power(t, s, g);
	timeline_draw_panels(t, s, g);
	timeline_draw_facts(t, s, g);
}

static bool timeline_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	struct timeline *t = (struct timeline *)v;
	char name[32], begin[32], takes[24];

	if (!timeline_ready(t, s) || !t->has_call)
		return false;
	buf_addf(out, "%s at %s, %s", timeline_name(s, t->call.call.id, name, sizeof(name)),
		 timeline_time(t, t->call.call.begin, 6, begin, sizeof(begin)),
		 text_seconds(takes, sizeof(takes), timeline_seconds(t,
			(double)(t->call.call.end - t->call.call.begin))));
	return true;
}

static const enum action timeline_hints[] = {
	ACTION_OPEN, ACTION_CLOSE, ACTION_ENTER, ACTION_PARENT, ACTION_SEARCH_NEXT,
	ACTION_LONGER_NEXT, ACTION_LONGEST_CALL, ACTION_MODE, ACTION_DETAIL, ACTION_BOTTOM,
	ACTION_SEARCH, ACTION_SEARCH_PREVIOUS, ACTION_TIME_SEEK, ACTION_TIME_WINDOW,
	ACTION_TIME_BACK, ACTION_TIME_FORWARD, ACTION_TIME_BACK_FAR, ACTION_TIME_FORWARD_FAR,
	ACTION_UP, ACTION_DOWN, ACTION_LEFT, ACTION_RIGHT, ACTION_PAGE_UP, ACTION_PAGE_DOWN,
	ACTION_TOP, ACTION_NONE,
};

static const struct view_word timeline_words[] = {
	{ ACTION_OPEN, "zoom", "zoom in about the cursor" },
	{ ACTION_CLOSE, "out", "zoom out about the cursor" },
	{ ACTION_ENTER, "into", "zoom to the cursor's call" },
	{ ACTION_PARENT, "back", "the window before {enter}; then zoom out" },
	{ ACTION_SEARCH_NEXT, "next", "next match; without a search: next call of this function" },
	{ ACTION_SEARCH_PREVIOUS, "previous", "previous match, or call of this function" },
	{ ACTION_MODE, "mark", "set a mark at the cursor, then a second one; there again: clear" },
	{ ACTION_TIME_WINDOW, "to marks", "the window to the time between two marks" },
	{ ACTION_TIME_SEEK, "go to", "go to a time: 3.2s, +30ms, -1s, 40 %, 12:03:41, start, end" },
	{ ACTION_BOTTOM, "follow", "to the end of the trace, and follow it" },
	{ ACTION_DETAIL, "panels",
	  "panels: as many as fit; rhythm, where the time went, what ran; none" },
	{ ACTION_TOP, "begin", "to the begin of the trace" },
	{ ACTION_TIME_BACK, "earlier", "a quarter of the window back" },
	{ ACTION_TIME_FORWARD, "later", "a quarter of the window on" },
	{ ACTION_TIME_BACK_FAR, "window back", "a window back" },
	{ ACTION_TIME_FORWARD_FAR, "window on", "a window on" },
	{ ACTION_UP, "caller", "a row up: to the caller, the lane above, the console's lines" },
	{ ACTION_DOWN, "callee", "a row down: to a callee, or the lane below" },
	{ ACTION_LEFT, "previous call", "to the previous call in this row" },
	{ ACTION_RIGHT, "next call", "to the next call in this row" },
	{ ACTION_PAGE_UP, "lane above", "to the lane above" },
	{ ACTION_PAGE_DOWN, "lane below", "to the lane below" },
	{ ACTION_NONE, NULL, NULL },
};

const struct view_ops view_timeline_ops = {
	.name = "time line",
	.brief = "time",
	.title = "Time line: every call, in order",
	.about =
		"A lane each for interrupt handlers, the main program and further tasks; in it a "
		"row each for a depth of calls. A function keeps its colour. [ ] ends of a call "
		"that the node stamped, ( ) interpolated, ~ not known, < > beyond the window. A "
		"bar is the share of its column that short calls take; a lane of bars alone is a "
		"graph of its load. samples: three and more PC samples in a row in one function, "
		"no call. ===: calls counted, not told; ???: a lost frame told which; xxx: lost "
		"frames; ---: another task runs; empty: not told yet. Coarse: what ran is "
		"estimated. The bottom lines are about the call under the cursor; usual is the "
		"median around it. Panels, where there is room or by {detail}: RHYTHM: durations "
		"of the function's calls and intervals between their begins; the period is the "
		"median interval, the jitter the longest less the shortest. WHERE ITS TIME WENT: "
		"the call beside usual ones. WHAT RAN: between two marks, which dragging the "
		"mouse sets, or in the window. Console text stands where it arrived.",
	.action = ACTION_VIEW_TIMELINE,
	.size = sizeof(struct timeline),
	.release = timeline_release,
	.update = timeline_update,
	.draw = timeline_draw,
	.act = timeline_act,
	.mouse = timeline_mouse,
	.hints = timeline_hints,
	.words = timeline_words,
	.copy = timeline_copy,
	.go_to = timeline_go_to,
	.steps = true,
};
