/* move: keys and clicks of the time line. */
#include "tui/term/screen.h"
#include "tui/view/timeline/timeline.h"

enum { STEPS = 8 };		/* half screens to the next call of a row, at most */

/* --- the cursor ------------------------------------------------------------------------------- */

/* The cursor's function is selected: other views show it. */
struct view_reply timeline_select(struct timeline *t, struct view_shared *s)
{
	const struct image *im = node_image(s->node);
	uint32_t function;

	t->moved = true;
	if (!timeline_ready(t, s) || !t->has_call || !im)
		return view_redraw();
	function = image_traced(im, t->call.call.id);
	if (function != IMAGE_NONE) {
		s->selected_address = image_function(im, function)->address;
		s->selected_hint = 0;
		s->has_selected = true;
	}
	return view_redraw();
}

static struct view_reply cursor_settle(struct timeline *t, struct view_shared *s)
{
	if (!timeline_scene_ready(t, s))
		return view_redraw();
	timeline_settle(t);
	return timeline_select(t, s);
}

static struct view_reply row_go(struct timeline *t, struct view_shared *s, size_t row)
{
	if (row >= t->row_count)
		return view_done();
	t->on_notes = false;
	t->lane = t->rows[row].lane;
	t->depth = t->rows[row].depth;
	t->follow = false;
	return cursor_settle(t, s);
}

static struct view_reply lane_step(struct timeline *t, struct view_shared *s, int step)
{
	size_t row = timeline_cursor_row(t);

	for (row += (size_t)step; row < t->row_count; row += (size_t)step)
		if (t->rows[row].depth == 0 && t->rows[row].lane != t->lane)
			return row_go(t, s, row);
	return view_done();
}

static bool row_is_empty(const struct timeline *t)
{
	uint32_t shown[TIMELINE_COLUMNS];
	int x = 0;

	scene_row(&t->scene, t->lane, t->depth, shown);
	while (x < t->scene.width && shown[x] == SCENE_NOTHING)
		x++;
	return x == t->scene.width;
}

/* Half a screen further, until the row has a call. */
static struct view_reply screen_step(struct timeline *t, struct view_shared *s, int step)
{
	t->follow = false;
	for (unsigned i = 0; i < STEPS; i++) {
		uint64_t before = t->begin;

		t->at = step > 0 ? t->begin + t->span : t->begin;
		timeline_window(t, step > 0 ? t->begin + t->span / 2 :
				t->begin > t->span / 2 ? t->begin - t->span / 2 : 0, t->span);
		t->at = t->at < t->begin + t->span ? t->at : t->begin + t->span - 1;
		if (!timeline_ready(t, s) || t->begin == before || !row_is_empty(t))
			break;
	}
	return cursor_settle(t, s);
}

/* Of a lot of short calls each column is a step. */
static struct view_reply call_step(struct timeline *t, struct view_shared *s, int step)
{
	uint32_t shown[TIMELINE_COLUMNS], here;
	int x = scene_column(&t->scene, t->at), width = t->scene.width;

	x = x < 0 ? 0 : x < width ? x : width - 1;
	scene_row(&t->scene, t->lane, t->depth, shown);
	here = shown[x];
	for (x += step; x >= 0 && x < width; x += step) {
		if (shown[x] == SCENE_NOTHING || (shown[x] == here && here != SCENE_CELL))
			continue;
		timeline_cursor_to(t, shown[x], x);
		t->follow = false;
		return timeline_select(t, s);
	}
	return screen_step(t, s, step);
}

static struct view_reply column_step(struct timeline *t, struct view_shared *s, int step)
{
	return timeline_on_notes(t) ? timeline_note_step(t, s, step) : call_step(t, s, step);
}

/* Above the first row are the console's lines. */
static struct view_reply row_up(struct timeline *t, struct view_shared *s)
{
	size_t row = timeline_cursor_row(t);

	if (timeline_on_notes(t))
		return view_done();
	return row ? row_go(t, s, row - 1) : timeline_notes_enter(t, s);
}

/* --- the window ------------------------------------------------------------------------------- */

static struct view_reply window_pan(struct timeline *t, struct view_shared *s, int quarters)
{
	uint64_t step = t->span / 4 * (uint64_t)(quarters < 0 ? -quarters : quarters);
	uint64_t before = t->begin;

	t->follow = false;
	timeline_window(t, quarters > 0 ? t->begin + step : t->begin > step ? t->begin - step : 0,
			t->span);
	t->at += t->begin - before;
	return cursor_settle(t, s);
}

/* About the cursor, which keeps its column. */
static struct view_reply window_zoom(struct timeline *t, struct view_shared *s, bool in)
{
	uint64_t left = t->at > t->begin ? t->at - t->begin : 0;
	uint64_t begin = in ? t->begin + left / 2 : t->begin > left ? t->begin - left : 0;

	timeline_window(t, begin, in ? t->span / 2 : t->span * 2);
	return timeline_select(t, s);
}

static struct view_reply call_enter(struct timeline *t, struct view_shared *s)
{
	const struct scene_call *c = &t->call.call;
	uint64_t length = c->end - c->begin;

	if (!t->has_call)
		return view_say("no call under the cursor");
	timeline_frame(t, c, c->begin > length / 32 ? c->begin - length / 32 : 0,
		       length + length / 16);
	return timeline_select(t, s);
}

static struct view_reply window_leave(struct timeline *t, struct view_shared *s)
{
	if (!t->way_count)
		return window_zoom(t, s, false);
	t->way_count--;
	t->follow = false;
	timeline_window(t, t->ways[t->way_count].begin, t->ways[t->way_count].span);
	return timeline_select(t, s);
}

static struct view_reply end_follow(struct timeline *t, struct view_shared *s)
{
	t->follow = true;
	timeline_window(t, t->last, t->span);
	t->at = t->begin + t->span - 1;
	return timeline_select(t, s);
}

static struct view_reply begin_go(struct timeline *t, struct view_shared *s)
{
	t->follow = false;
	t->at = t->first;
	timeline_window(t, t->first, t->span);
	return cursor_settle(t, s);
}

/* --- the mark --------------------------------------------------------------------------------- */

bool timeline_marked(const struct timeline *t, uint64_t *begin, uint64_t *end)
{
	if (t->mark_count < 2)
		return false;
	*begin = t->marks[t->marks[0] > t->marks[1]];
	*end = t->marks[t->marks[0] <= t->marks[1]];
	return true;
}

/* The first, the second; then a first one again, or none where one is. */
static struct view_reply mark_set(struct timeline *t)
{
	uint64_t at = timeline_cursor_at(t);

	t->panel_stale = true;
	for (unsigned i = 0; i < t->mark_count; i++) {
		if (t->marks[i] != at)
			continue;
		t->mark_count = 0;
		return view_say("marks cleared");
	}
	if (t->mark_count == 2)
		t->mark_count = 0;
	t->marks[t->mark_count++] = at;
	return view_redraw();
}

static struct view_reply marks_zoom(struct timeline *t, struct view_shared *s)
{
	struct scene_call c = { .lane = t->lane, .depth = t->depth };
	uint64_t end, room;

	if (!timeline_marked(t, &c.begin, &end))
		return view_say("no two marks to zoom to: {mode} sets one, or drag the mouse");
	room = (end - c.begin) / 32;
	timeline_frame(t, &c, c.begin > room ? c.begin - room : 0, end - c.begin + 2 * room);
	return cursor_settle(t, s);
}

static struct view_reply panel_next(struct timeline *t)
{
	static const char *const said[TIMELINE_PANELS] = {
		"panels: as many as fit", "panel: rhythm of the function",
		"panel: where the call's time went", "panel: what ran", "no panels",
	};

	t->panel = (t->panel + 1) % TIMELINE_PANELS;
	return view_say(said[t->panel]);
}

/* --- keys ------------------------------------------------------------------------------------- */

struct view_reply timeline_act(struct view *v, struct view_shared *s, enum action a)
{
	struct timeline *t = (struct timeline *)v;

	if (!timeline_ready(t, s))
		return view_pass();
	switch (a) {
	case ACTION_UP: return row_up(t, s);
	case ACTION_DOWN: return row_go(t, s, timeline_cursor_row(t) + !timeline_on_notes(t));
	case ACTION_PAGE_UP: return lane_step(t, s, -1);
	case ACTION_PAGE_DOWN: return lane_step(t, s, 1);
	case ACTION_LEFT: return column_step(t, s, -1);
	case ACTION_RIGHT: return column_step(t, s, 1);
	case ACTION_TIME_BACK: return window_pan(t, s, -1);
	case ACTION_TIME_FORWARD: return window_pan(t, s, 1);
	case ACTION_TIME_BACK_FAR: return window_pan(t, s, -4);
	case ACTION_TIME_FORWARD_FAR: return window_pan(t, s, 4);
	case ACTION_OPEN:
	case ACTION_ZOOM_IN: return window_zoom(t, s, true);
	case ACTION_CLOSE:
	case ACTION_ZOOM_OUT: return window_zoom(t, s, false);
	case ACTION_ENTER: return call_enter(t, s);
	case ACTION_PARENT: return window_leave(t, s);
	case ACTION_TOP: return begin_go(t, s);
	case ACTION_BOTTOM: return end_follow(t, s);
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
	case ACTION_LONGER_NEXT:
	case ACTION_NONE: return timeline_look(t, s, a);
	case ACTION_MODE: return mark_set(t);
	case ACTION_DETAIL: return panel_next(t);
	case ACTION_TIME_WINDOW: return marks_zoom(t, s);
	default: return view_pass();
	}
}

static struct view_reply overview_click(struct timeline *t, struct view_shared *s, int x)
{
	uint64_t all = t->last - t->first;

	t->at = t->first + (uint64_t)((double)all * (x + 0.5) / t->scene.width);
	t->follow = false;
	timeline_window(t, t->at > t->span / 2 ? t->at - t->span / 2 : 0, t->span);
	return timeline_select(t, s);
}

/* From one column to another, both whole. */
static struct view_reply lanes_drag(struct timeline *t, int x, bool released)
{
	double per = scene_ticks_per_column(&t->scene);
	int low = x < t->pressed_x ? x : t->pressed_x, high = x < t->pressed_x ? t->pressed_x : x;

	if (released && x == t->pressed_x)
		t->pressed_x = -1;		/* a click */
	if (t->pressed_x < 0)
		return view_done();
	t->marks[0] = (uint64_t)((double)t->scene.begin + low * per);
	t->marks[1] = (uint64_t)((double)t->scene.begin + (high + 1) * per);
	t->mark_count = 2;
	t->panel_stale = true;
	t->follow = false;
	if (released)
		t->pressed_x = -1;
	return view_redraw();
}

static struct view_reply mouse_drag(struct timeline *t, struct view_shared *s, int x,
				    bool released)
{
	x = x < 0 ? 0 : x < t->scene.width ? x : t->scene.width - 1;
	if (!t->pressed_overview)
		return lanes_drag(t, x, released);
	t->pressed_overview = !released;
	return overview_click(t, s, x);
}

static struct view_reply lanes_click(struct timeline *t, struct view_shared *s, int x, size_t row,
				     int button)
{
	t->on_notes = false;
	t->lane = t->rows[row].lane;
	t->depth = t->rows[row].depth;
	t->at = timeline_column_middle(t, x);
	t->follow = false;
	t->pressed_x = button == 1 ? x : -1;
	timeline_select(t, s);
	return button == 2 && t->has_call ? call_enter(t, s) : view_redraw();
}

struct view_reply timeline_mouse(struct view *v, struct view_shared *s, int x, int y, int button)
{
	struct timeline *t = (struct timeline *)v;
	const struct timeline_layout *l = &t->layout;
	size_t row = timeline_row_at(t, y - l->lanes);

	if (!timeline_ready(t, s))
		return view_pass();
	x -= t->gutter;
	if (button >= SCREEN_DRAG)
		return mouse_drag(t, s, x, button == SCREEN_RELEASE);
	if (x < 0 || x >= t->scene.width)
		return view_pass();
	t->pressed_x = -1;
	t->pressed_overview = y == l->overview && (button == 1 || button == 2);
	if (t->pressed_overview)
		return overview_click(t, s, x);
	if (button == 4 || button == 5) {
		t->at = timeline_column_middle(t, x);
		t->follow = false;
		return window_zoom(t, s, button == 4);
	}
	if (y == l->notes && button <= 2) {
		t->pressed_x = button == 1 ? x : -1;
		return timeline_notes_click(t, s, x);
	}
	if (y < l->lanes || y >= l->lanes + l->lane_lines || row >= t->row_count || button > 2)
		return view_pass();
	return lanes_click(t, s, x, row, button);
}
