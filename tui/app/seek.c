/*
 * seek: a time of a recording that the user types.
 */
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/moment.h"
#include "tui/app/ui/ui.h"

static void seek_edited(struct ui *u)
{
	struct moment m;

	ui_prompt_clear(u);
	if (u->prompt.len && !moment_parse(u->prompt.text, &m))
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble),
			 "not a time: 12:03:41, 3:20, +30, -10s, 40 %%, start, end");
}

static void seek_to(struct ui *u, const struct moment *m)
{
	struct node *n = ui_pane(u)->node;
	struct node_play p = node_play(n, clock_now());
	uint64_t wall = 0, to;
	struct moment_span span = { .begin = p.begin_ns, .end = p.end_ns, .at = p.at_ns,
				    .whole = p.ends };

	span.wall_known = node_wall(n, p.begin_ns, &wall);
	span.wall = (int64_t)(wall - p.begin_ns);
	switch (moment_find(m, &span, &to)) {
	case MOMENT_UNKNOWN:
		ui_say(u, true, "the length is not known yet: the recording is still being read");
		return;
	case MOMENT_BEFORE:
		ui_say(u, false, "start of recording");
		break;
	case MOMENT_BEHIND:
		ui_say(u, false, "end of recording");
		break;
	case MOMENT_FOUND:
		break;
	}
	ui_pane(u)->past.window = PAST_WINDOW_NONE;
	ui_seek_on(u, to);
}

/* The view has times of its own to go to, and no player is on its way. */
static bool view_takes_time(const struct ui *u)
{
	const struct node *n = u->panes[u->current]->node;

	return views[u->view]->go_to && node_trace(n) &&
	       (!node_can_seek(n) || node_play(n, 0).state == NODE_PLAY_ENDED);
}

static struct dialog_reply seek_done(struct ui *u)
{
	struct moment m = { .kind = MOMENT_START };

	if (u->prompt.len && !moment_parse(u->prompt.text, &m))
		return (struct dialog_reply){ .stay = true };
	u->moment = m;
	u->moment_typed = u->prompt.len && view_takes_time(u);
	if (u->moment_typed)
		return DIALOG_CLOSED;
	if (u->prompt.len)
		seek_to(u, &m);
	return DIALOG_CLOSED;
}

static const struct dialog seek_dialog = { .edited = seek_edited, .done = seek_done };

/* What has no times, or cannot go back, is said in a line. */
static bool seek_refused(struct ui *u)
{
	const struct node *n = ui_pane(u)->node;
	struct node_play p = node_play(n, 0);

	if (node_can_seek(n) && p.end_ns)
		return false;
	if (node_can_seek(n))
		ui_say(u, true, "cannot seek yet: nothing was read");
	else if (p.recording)
		ui_say(u, true, "cannot seek: the recording is read from a pipe");
	else if (p.state == NODE_PLAY_LIVE || p.state == NODE_PLAY_DOWN)
		ui_say(u, true, "cannot seek in a live stream: {time-back} {time-forward} step "
		       "through its past");
	else
		ui_say(u, true, "cannot seek: not a recording, its bytes have no times");
	return true;
}

void ui_ask_time(struct ui *u)
{
	if (!view_takes_time(u) && seek_refused(u))
		return;
	prompt_open(&u->prompt, "Go to (12:03:41, 3:20, +30, -10s, 40 %, start, end):", "", NULL);
	ui_open_dialog(u, &seek_dialog);
}
