/* act: keys and clicks of the view of durations. */
#include "tui/part/traced.h"
#include "tui/view/histogram/histogram.h"

static const char *const mode_names[HISTOGRAM_MODES] = {
	[HISTOGRAM_MODE_FUNCTIONS] = "functions; {enter} opens one",
	[HISTOGRAM_MODE_CALLERS] = "functions and each of their callers",
	[HISTOGRAM_MODE_EDGES] = "one row per caller and callee",
};

static struct view_reply callers_toggle(struct histogram *h, struct view_shared *s, bool open)
{
	uint64_t address = h->profile->functions[h->lines.items[h->list.cursor].function].address;

	if (h->mode == HISTOGRAM_MODE_EDGES)
		return view_go(ACTION_VIEW_CALLERS);
	map_put(&h->open, address, open);
	histogram_update(&h->view, s);
	histogram_cursor_to(h, address, false, 0);
	return histogram_select(h, s);
}

static struct view_reply mode_set(struct histogram *h, struct view_shared *s,
				  enum histogram_mode mode)
{
	h->mode = mode;
	map_clear(&h->open);
	histogram_update(&h->view, s);
	histogram_cursor_to(h, h->seen, h->at_edge, h->at_caller);
	return histogram_select(h, s);
}

static struct view_reply next_mode(struct histogram *h, struct view_shared *s)
{
	mode_set(h, s, (enum histogram_mode)((h->mode + 1) % HISTOGRAM_MODES));
	return view_say(mode_names[h->mode]);
}

/* All callers, or none where some are shown. */
static struct view_reply callers_toggle_all(struct histogram *h, struct view_shared *s)
{
	bool any = false;

	for (size_t i = 0; i < h->lines.count; i++)
		any |= h->lines.items[i].edge != PROFILE_NONE;
	return mode_set(h, s, any ? HISTOGRAM_MODE_FUNCTIONS : HISTOGRAM_MODE_CALLERS);
}

static bool function_matches(const struct histogram *h, const struct view_shared *s,
			     uint32_t function)
{
	return function != PROFILE_NONE && part_matches(s, h->profile->functions[function].name);
}

static bool duration_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct histogram *h = k[0];
	const struct duration *d = &h->lines.items[line];
	bool edge = d->edge != PROFILE_NONE;

	return (edge && function_matches(h, k[1], h->profile->edges[d->edge].from)) ||
	       ((!edge || h->mode == HISTOGRAM_MODE_EDGES) &&
		function_matches(h, k[1], d->function));
}

struct view_reply histogram_act(struct view *v, struct view_shared *s, enum action a)
{
	struct histogram *h = (struct histogram *)v;
	const void *ctx[] = { h, s };
	bool open;

	if (!h->profile || h->profile != s->model.profile || h->list.cursor >= h->lines.count)
		return view_pass();
	if (!s->follow || !s->has_selected)
		histogram_select(h, s);
	if (list_act(&h->list, a, histogram_page(v)))
		return histogram_select(h, s);
	if (part_searches(a))
		return list_search(&h->list, a == ACTION_SEARCH_PREVIOUS, duration_matches, ctx) ?
			histogram_select(h, s) : view_no_match();
	open = histogram_is_open(h, h->seen);
	switch (a) {
	case ACTION_ENTER:
		return traced_enters(s) ? view_go(ACTION_LONGEST_CALL) :
		       callers_toggle(h, s, !open);
	case ACTION_OPEN:
	case ACTION_RIGHT: return callers_toggle(h, s, true);
	case ACTION_CLOSE:
	case ACTION_LEFT:
		return h->mode == HISTOGRAM_MODE_EDGES ? view_done() : callers_toggle(h, s, false);
	case ACTION_OPEN_ALL: return callers_toggle_all(h, s);
	case ACTION_MODE: return next_mode(h, s);
	default: return view_pass();
	}
}

static struct view_reply histogram_title_click(const struct histogram *h, struct view_shared *s,
					       int x)
{
	size_t i = table_at(h->spans, HISTOGRAM_PLOT, x);
	bool same;

	if (i == HISTOGRAM_PLOT ||
	    (histogram_columns[i].sort == COLUMN_COUNT && i != HISTOGRAM_DELTA))
		return view_done();
	same = s->order.by_change == (i == HISTOGRAM_DELTA) &&
	       (i == HISTOGRAM_DELTA || s->order.column == histogram_columns[i].sort);
	s->order.inverted = same && !s->order.inverted;
	s->order.by_change = i == HISTOGRAM_DELTA;
	if (i != HISTOGRAM_DELTA)
		s->order.column = histogram_columns[i].sort;
	return view_redraw();
}

struct view_reply histogram_mouse(struct view *v, struct view_shared *s, int x, int y,
					 int button)
{
	struct histogram *h = (struct histogram *)v;
	size_t line = h->list.top + (size_t)(y - 1);

	if (!h->profile || h->profile != s->model.profile)
		return view_pass();
	if (list_wheel(&h->list, button, histogram_page(v)))
		return histogram_select(h, s);
	if (button != 1 && button != 2)
		return view_pass();
	if (y == 0)
		return histogram_title_click(h, s, x);
	if (y > histogram_page(v) || line >= h->lines.count)
		return view_done();
	h->list.cursor = line;
	histogram_select(h, s);
	return button == 2 ? callers_toggle(h, s, !histogram_is_open(h, h->seen)) : view_redraw();
}
