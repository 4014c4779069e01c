/* act: keys of the log; the search, which goes on between two of them. */
#include <math.h>
#include <stdio.h>

#include "core/base/moment.h"
#include "tui/part/table.h"
#include "tui/view/log/view.h"

static struct view_reply following_update(struct log_view *v)
{
	v->left = v->list.cursor + 1 < v->list.count;
	return view_redraw();
}

/* While the end is followed no cursor is shown: a step up scrolls at once, as in a pager. */
static bool cursor_step_up(struct log_view *v, enum action a, int page)
{
	if (v->left || (a != ACTION_UP && a != ACTION_PAGE_UP) || v->list.count <= (size_t)page)
		return false;
	list_show(&v->list, page);
	v->list.cursor = v->list.top;
	if (a == ACTION_UP && v->list.cursor)
		v->list.cursor--;
	else
		list_act(&v->list, a, page);
	return true;
}

/* --- the search ------------------------------------------------------------------------------- */

static size_t line_beside(const struct log_view *v, size_t i)
{
	size_t last = v->list.count - 1;

	return v->backwards ? (i ? i - 1 : last) : i < last ? i + 1 : 0;
}

static bool line_matches(struct log_view *v, const struct view_shared *s, size_t i)
{
	char text[LOG_LINE];

	return log_entry_text(v, s, log_line(v, i), text) && part_matches(s, text);
}

static struct view_reply search_step(struct log_view *v, const struct view_shared *s)
{
	size_t count = v->list.count ? v->list.count : 1, passed = v->looked % count;
	size_t i = (v->list.cursor + (v->backwards ? count - passed : passed)) % count;
	struct view_reply reply = view_done();

	for (size_t n = 0; n < LOG_MATCHED && v->looked < v->list.count; n++) {
		i = line_beside(v, i);
		v->looked++;
		if (!line_matches(v, s, i))
			continue;
		v->list.cursor = i;
		v->left = true;
		v->looked = 0;
		return view_redraw();
	}
	if (v->looked >= v->list.count) {
		v->looked = 0;
		return view_no_match();
	}
	snprintf(v->said, sizeof(v->said), "searching: %d %%; {cancel} stops",
		 (int)(100 * v->looked / v->list.count));
	reply.more = true;
	reply.say = v->said;
	return reply;
}

/* --- the rest --------------------------------------------------------------------------------- */

static struct view_reply moment_show(struct log_view *v, struct view_shared *s)
{
	const struct trace_log_entry *e = log_line(v, v->list.cursor);

	if (!e)
		return view_done();
	v->left = true;
	s->moment_asked++;
	s->moment_ticks = e->ticks;
	s->moment_lane = e->lane;
	return view_go(ACTION_VIEW_TIMELINE);
}

static struct view_reply calls_toggle(struct log_view *v, struct view_shared *s)
{
	v->all_calls = !v->all_calls;
	v->node = NULL;			/* it begins again */
	v->left = false;
	log_catch_up(v, s);
	return view_say(v->all_calls ? "all calls of the trace" : "what is watched alone");
}

struct view_reply log_act(struct view *view, struct view_shared *s, enum action a)
{
	struct log_view *v = (struct log_view *)view;
	int page = log_page(view);

	if (!log_catch_up(v, s))
		return view_pass();
	if (a == ACTION_NONE)
		return v->looked ? search_step(v, s) : view_done();
	v->looked = 0;
	if (cursor_step_up(v, a, page) || list_act(&v->list, a, page))
		return following_update(v);
	if (part_searches(a)) {
		v->backwards = a == ACTION_SEARCH_PREVIOUS;
		return search_step(v, s);
	}
	switch (a) {
	case ACTION_ENTER: return moment_show(v, s);
	case ACTION_MODE: return calls_toggle(v, s);
	default: return view_pass();
	}
}

struct view_reply log_mouse(struct view *view, struct view_shared *s, int x, int y, int button)
{
	struct log_view *v = (struct log_view *)view;
	int page = log_page(view), top = page < view->height;
	size_t line = v->list.top + (size_t)(y - top);

	(void)x;
	if (!v->trace)
		return view_pass();
	if (!v->left && button == 4)
		v->list.cursor = v->list.top;
	if (list_wheel(&v->list, button, page)) {
		if (v->list.top + (size_t)page >= v->list.count && button == 5)
			v->list.cursor = v->list.count ? v->list.count - 1 : 0;
		return following_update(v);
	}
	if ((button != 1 && button != 2) || y < top || y >= top + page || line >= v->list.count)
		return view_pass();
	v->list.cursor = line;
	v->left = true;
	return button == 2 ? moment_show(v, s) : view_redraw();
}

/* Of the trace, in ns since its begin; of the day, if that is known. */
struct view_reply log_go_to(struct view *view, struct view_shared *s, const struct moment *m)
{
	struct log_view *v = (struct log_view *)view;
	struct moment_span span = { .whole = true };
	const struct trace_log_entry *e;
	uint64_t first, last, arrival, wall, ns;
	double rate;

	if (!log_catch_up(v, s) || !trace_span(v->trace, &first, &last))
		return view_done();
	rate = trace_ticks_per_second(v->trace) > 0 ? trace_ticks_per_second(v->trace) : 1;
	e = log_line(v, v->list.cursor);
	span.end = (uint64_t)((double)(last - first) / rate * 1e9);
	span.at = e && e->ticks > first ? (uint64_t)((double)(e->ticks - first) / rate * 1e9) : 0;
	span.wall_known = node_trace_arrival(s->node, first, &arrival) &&
			  node_wall(s->node, arrival, &wall);
	span.wall = span.wall_known ? (int64_t)wall : 0;
	moment_find(m, &span, &ns);
	v->list.cursor = log_line_at(v, first + (uint64_t)((double)ns / 1e9 * rate));
	v->list.cursor -= v->list.cursor && v->list.cursor == v->list.count;
	return following_update(v);
}

bool log_copy(struct view *view, const struct view_shared *s, struct buf *out)
{
	struct log_view *v = (struct log_view *)view;
	struct log_words w;
	double at, since;
	char text[LOG_LINE];

	if (!log_catch_up(v, s) || !log_line_words(v, s, v->list.cursor, &w, &at, &since))
		return false;
	log_line_text(&w, at, text);
	buf_adds(out, text);
	return true;
}
