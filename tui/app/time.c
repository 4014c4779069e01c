/*
 * time: the actions about time: the past, windows, intervals, saving the bytes that are kept.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/app/pane/timebar.h"
#include "tui/app/ui/ui.h"

#define TIME_STEPS "{time-back} {time-forward} {time-back-far} {time-forward-far}"

enum { FAR = 10 };			/* moments of a page */

/* All nodes show the same time; one that has no past is held as it is. */
static void all_follow(struct ui *u)
{
	const struct past *shown = &ui_pane(u)->past;

	u->frozen = shown->held;
	for (size_t i = 0; i < u->pane_count; i++) {
		struct pane *p = u->panes[i];

		if (i == u->current)
			continue;
		if (!shown->held) {
			pane_thaw(p);
		} else if (past_history(&p->past, p->node)) {
			pane_hold(p, shown->at_ns);
			p->past.window = shown->window;
			p->past.from_ns = shown->from_ns;
		} else if (!p->past.held) {
			pane_freeze(p, NULL);
		}
	}
}

static const struct history *past_of(struct ui *u)
{
	const struct history *h = past_whole(&ui_pane(u)->past, ui_pane(u)->node);

	if (!h)
		ui_say(u, false, "no moments yet: wsntop keeps one per second, or one per report");
	return h;
}

static uint64_t time_of(const struct history *h, size_t moment)
{
	struct history_moment m = { 0 };

	history_moment(h, moment, &m);
	return m.time_ns;
}

static bool in_recording(struct ui *u)
{
	return node_can_seek(ui_pane(u)->node);
}

static void go_live(struct ui *u)
{
	pane_thaw(ui_pane(u));
	all_follow(u);
	if (in_recording(u))
		ui_play_end(u);
}

/* A recording is at the later end of what is shown; one moment of it is the node as it is. */
static void seek_go(struct ui *u, uint64_t at_ns, bool paused)
{
	struct past *p = &ui_pane(u)->past;
	bool window = p->window != PAST_WINDOW_NONE;

	if (window || !in_recording(u))
		pane_hold(ui_pane(u), at_ns);
	else if (p->held)
		pane_thaw(ui_pane(u));
	all_follow(u);
	if (in_recording(u))
		ui_play_go(u, window && p->from_ns > at_ns ? p->from_ns : at_ns, paused);
}

void ui_seek(struct ui *u, uint64_t at_ns)
{
	seek_go(u, at_ns, true);
}

void ui_seek_on(struct ui *u, uint64_t at_ns)
{
	const struct pane *p = ui_pane(u);

	seek_go(u, at_ns, p->past.held || node_is_paused(p->node) || node_ended(p->node));
}

/* --- steps ------------------------------------------------------------------------------------ */

static size_t moment_moved(size_t i, long by, size_t count)
{
	if (by < 0)
		return i < (size_t)-by ? 0 : i - (size_t)-by;
	return i + (size_t)by < count ? i + (size_t)by : count - 1;
}

/* Both ends, as far as there is room for both. */
static void window_move(struct ui *u, const struct history *h, long by)
{
	struct past *p = &ui_pane(u)->past;
	size_t at = history_find(h, p->at_ns), from = history_find(h, p->from_ns);
	size_t low = at < from ? at : from, high = at < from ? from : at;
	long room = by < 0 ? -(long)low : (long)(history_count(h) - 1 - high);

	if ((by < 0 && by < room) || (by > 0 && by > room))
		by = room;
	p->from_ns = time_of(h, (size_t)((long)from + by));
	ui_seek(u, time_of(h, (size_t)((long)at + by)));
}

static void time_step(struct ui *u, long by)
{
	const struct history *h = past_of(u);
	struct past *p = &ui_pane(u)->past;
	size_t at;

	if (!h)
		return;
	if (in_recording(u) && p->window == PAST_WINDOW_NONE) {
		ui_seek(u, ui_play_step(u, h, by));
		return;
	}
	if (!p->held && by > 0) {
		ui_say(u, false, "live: nothing is newer");
		return;
	}
	if (p->held && p->window == PAST_WINDOW_KEPT) {
		window_move(u, h, by);
		return;
	}
	/* From live the first step is to the newest moment. */
	at = p->held ? history_find(h, p->at_ns) : history_count(h);
	if (p->held && !p->exact && by > 0 && at + 1 == history_count(h) &&
	    p->window == PAST_WINDOW_NONE)
		go_live(u);
	else
		ui_seek(u, time_of(h, moment_moved(at, by, history_count(h))));
}

/* --- windows ---------------------------------------------------------------------------------- */

static void window_begin(struct ui *u, const struct history *h)
{
	struct past *p = &ui_pane(u)->past;
	size_t at = p->held ? history_find(h, p->at_ns) : history_count(h) - 1;

	if (in_recording(u))
		at = history_find(h, ui_play_step(u, h, 0));
	p->window = PAST_WINDOW_OPEN;
	p->from_ns = time_of(h, at);
	ui_seek(u, p->from_ns);
	ui_say(u, false, "window begins here: " TIME_STEPS " move its other end, "
	       "{time-window} sets it");
}

void ui_say_window(struct ui *u)
{
	ui_say(u, false, node_can_seek(ui_pane(u)->node) ?
	       "window set: " TIME_STEPS " move, {baseline} baseline, {time-window} clear" :
	       "window set: " TIME_STEPS " move, {baseline} baseline, {time-window} clear, "
	       "{time-live} live");
}

static void next_window(struct ui *u)
{
	const struct history *h = past_of(u);
	struct past *p = &ui_pane(u)->past;

	if (!h)
		return;
	switch (p->held ? p->window : PAST_WINDOW_NONE) {
	case PAST_WINDOW_NONE:
		window_begin(u, h);
		break;
	case PAST_WINDOW_OPEN:
		p->window = PAST_WINDOW_KEPT;
		all_follow(u);
		ui_say_window(u);
		break;
	case PAST_WINDOW_KEPT:
		p->window = PAST_WINDOW_NONE;
		if (in_recording(u))
			ui_seek(u, p->at_ns);
		else
			all_follow(u);
		break;
	}
}

/* --- spans ------------------------------------------------------------------------------------ */

/* What is shown of one time, whatever the span; false: the span counts. */
static bool span_is_idle(struct ui *u)
{
	const struct past *p = &ui_pane(u)->past;

	if (!p->held || (p->window == PAST_WINDOW_NONE && !p->exact))
		return false;
	ui_say(u, false, p->window == PAST_WINDOW_NONE ?
	       "frozen: {span} has no effect; {freeze} continues" :
	       "a window is shown: {span} has no effect; {time-window} clears the window");
	return true;
}

static void next_span(struct ui *u)
{
	static const char *const words[SPANS] = {
		[SPAN_START] = "since the start, or the reset",
		[SPAN_INTERVAL] = "the last interval",
		[SPAN_PEAK] = "each function in its worst second",
		[SPAN_MARK] = "since the baseline",
	};
	enum view_span span = (ui_pane(u)->shared.span + 1) % SPANS;

	if (span_is_idle(u))
		return;
	if (span == SPAN_MARK && !ui_pane(u)->mark_ns)
		span = SPAN_START;
	for (size_t i = 0; i < u->pane_count; i++)
		u->panes[i]->shared.span = span;
	ui_say(u, false, "%s", words[span]);
	if (span == SPAN_INTERVAL)
		ui_say(u, false, "the last %.3g s; again: each function at its peak",
		       u->settings.interval);
	else if (span == SPAN_PEAK && views[u->view]->action != ACTION_VIEW_FLAT)
		ui_say(u, false, "the flat view shows peaks; this view shows "
		       "all since the start");
}

static void toggle_bar(struct ui *u)
{
	u->settings.timebar ^= true;
	u->settings.changed = true;
	if (u->settings.timebar && u->height < TIMEBAR_HEIGHT)
		ui_say(u, false, "the time bar needs %d lines or more", TIMEBAR_HEIGHT);
	else
		ui_say(u, false, u->settings.timebar ? "time bar" : "no time bar");
}

/* --- all that is kept, as a recording --------------------------------------------------------- */

static void recording_write(struct ui *u, const char *path)
{
	const struct node *n = ui_pane(u)->node;
	char kept[24], gone[24];
	struct err err = { 0 };

	text_bytes(kept, sizeof(kept), (double)stream_kept(node_stream(n)));
	text_bytes(gone, sizeof(gone), (double)stream_dropped(node_stream(n)));
	if (node_save(n, path, &err) < 0 || beside_save(&ui_pane(u)->beside, path, &err) < 0)
		ui_say(u, true, "%s", err.text);
	else if (stream_dropped(node_stream(n)))
		ui_say(u, false, "%s: %s; the first %s were no longer kept", path, kept,
		       gone);
	else
		ui_say(u, false, "%s: all %s", path, kept);
}

static void ask_save(struct ui *u)
{
	const struct node *n = ui_pane(u)->node;
	char kept[24];

	if (!node_stream(n) || !stream_kept(node_stream(n))) {
		ui_say(u, true, "nothing to save: no data received yet");
		return;
	}
	text_bytes(kept, sizeof(kept), (double)stream_kept(node_stream(n)));
	snprintf(u->asked, sizeof(u->asked), "Save %s to:", kept);
	ui_ask_file(u, u->asked, "profile.wsnrec", recording_write);
}

void ui_time(struct ui *u, enum action a)
{
	switch (a) {
	case ACTION_SPAN:		next_span(u); break;
	case ACTION_TIME_BACK:		time_step(u, -1); break;
	case ACTION_TIME_FORWARD:	time_step(u, 1); break;
	case ACTION_TIME_BACK_FAR:	time_step(u, -FAR); break;
	case ACTION_TIME_FORWARD_FAR:	time_step(u, FAR); break;
	case ACTION_TIME_WINDOW:	next_window(u); break;
	case ACTION_TIME_LIVE:		go_live(u); break;
	case ACTION_TIME_SLOWER:	ui_play_faster(u, false); break;
	case ACTION_TIME_FASTER:	ui_play_faster(u, true); break;
	case ACTION_TIME_BAR:		toggle_bar(u); break;
	case ACTION_SAVE:		ask_save(u); break;
	default:			break;
	}
}
