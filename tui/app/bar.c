/*
 * bar: the time bar: clicks and drags on it, its zoom.
 */
#include <stdio.h>

#include "tui/app/ui/ui.h"

/* The end of the moment that contains a time; false: no moment is kept. */
static bool moment_end(struct ui *u, uint64_t *time_ns)
{
	const struct history *h = past_whole(&ui_pane(u)->past, ui_pane(u)->node);
	struct history_moment m;

	if (!h || !history_moment(h, history_find(h, *time_ns), &m))
		return false;
	*time_ns = m.time_ns;
	return true;
}

/* --- the mouse -------------------------------------------------------------------------------- */

static void window_set(struct ui *u, uint64_t from_ns, uint64_t to_ns)
{
	struct past *p = &ui_pane(u)->past;

	p->window = from_ns == to_ns ? PAST_WINDOW_NONE : PAST_WINDOW_KEPT;
	p->from_ns = from_ns;
	ui_seek(u, to_ns);
}

/* The other end of a window: its first one is the moment shown, or the newest. */
static void window_to(struct ui *u, uint64_t to_ns)
{
	struct past *p = &ui_pane(u)->past;
	uint64_t from = ui_play_at(u);

	moment_end(u, &from);
	if (p->held)
		from = p->window == PAST_WINDOW_NONE ? p->at_ns : p->from_ns;
	p->window = PAST_WINDOW_KEPT;
	p->from_ns = from;
	ui_seek(u, to_ns);
}

void ui_bar_mouse(struct ui *u, const struct screen_mouse *m)
{
	uint64_t at;

	if (m->button == 4 || m->button == 5) {
		ui_time(u, m->button == 4 ? ACTION_TIME_BACK : ACTION_TIME_FORWARD);
		return;
	}
	if (!timebar_at(ui_pane(u), m->y - u->bar_y, m->x, false, &at) || !moment_end(u, &at))
		return;
	if (m->button == 3) {
		window_to(u, at);
		return;
	}
	window_set(u, at, at);
	u->dragging = true;
	u->drag_line = m->y - u->bar_y;
	u->drag_x = m->x;
	u->drag_ns = at;
}

void ui_bar_drag(struct ui *u, const struct screen_mouse *m)
{
	struct past *p = &ui_pane(u)->past;
	uint64_t at;

	if (!u->dragging || u->dialog)
		return;
	/* A click on a mark is at the mark, not in the middle of its column. */
	if (m->x == u->drag_x)
		window_set(u, u->drag_ns, u->drag_ns);
	else if (timebar_at(ui_pane(u), u->drag_line, m->x, true, &at) && moment_end(u, &at))
		window_set(u, u->drag_ns, at);
	u->draw_now = true;
	if (m->button != SCREEN_RELEASE)
		return;
	u->dragging = false;
	if (p->window != PAST_WINDOW_NONE)
		ui_say_window(u);
}

/* --- zoom ------------------------------------------------------------------------------------- */

void ui_bar_zoom(struct ui *u, int by)
{
	struct pane *p = ui_pane(u);
	uint64_t length, at;
	char text[24];

	if (!u->bar_lines)
		ui_say(u, false, u->settings.timebar ? "no time bar to zoom" :
		       "no time bar to zoom: {time-bar} shows it");
	else if (u->height < TIMEBAR_HEIGHT_TWO)
		ui_say(u, false, "zooming the time bar needs %d lines or more",
		       TIMEBAR_HEIGHT_TWO);
	else if (!timebar_zoom(p, by, &length))
		ui_say(u, false, by < 0 ? "time bar: shortest zoom" :
		       "time bar: all time is shown");
	else if (length)
		ui_say(u, false, past_shown(&p->past, p->node, &at) ?
		       "time bar: %s around the moment shown" : "time bar: the last %s",
		       past_length(length, text, sizeof(text)));
	else
		ui_say(u, false, "time bar: all time");
}
