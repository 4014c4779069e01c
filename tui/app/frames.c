#include "tui/app/frames.h"

#include "core/base/clock.h"
#include "tui/app/relief.h"
#include "tui/app/ui/ui.h"
#include "tui/term/line.h"

#define FRAME_NS (CLOCK_SECOND / 5)	/* numbers that change faster are not read */

static uint64_t time_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* For the times in the header, until the node has ended. */
static bool header_ticks(const struct ui *u)
{
	return !node_ended(u->nodes.items[u->current]);
}

/* The decoder needs no time: what is behind is drawn as soon as it can be read. */
static bool nodes_rest(const struct ui *u)
{
	for (size_t i = 0; i < u->nodes.count; i++) {
		struct node_play p = node_play(u->nodes.items[i], 0);

		if (!p.whole || (p.state != NODE_PLAY_PAUSED && p.state != NODE_PLAY_ENDED))
			return false;
	}
	return true;
}

uint64_t frames_due(const struct ui *u, const struct frames *f)
{
	const struct line *line = screen_line(u->screen, false);
	uint64_t due = FRAMES_NEVER;

	if (u->draw_now)
		return line_room_at(line);
	if (screen_is_left(u->screen))
		return line_clear_at(line);
	if (u->draw_soon)
		due = f->fresh + (nodes_rest(u) ? FRAME_NS : f->interval);
	else if (header_ticks(u))
		due = f->last + time_later(f->interval, CLOCK_SECOND);
	return due == FRAMES_NEVER ? due : time_later(due, line_clear_at(line));
}

/* Frames that take long must not leave the decoder without time: it gets four fifths. */
void frames_draw(struct ui *u, struct frames *f)
{
	uint64_t now = clock_now();
	bool asked;

	if (now < frames_due(u, f))
		return;
	screen_line(u->screen, true);
	if (now < frames_due(u, f))
		return;
	if (!u->draw_now && screen_is_left(u->screen)) {
		relief_begin(&u->nodes);
		screen_more(u->screen);
		relief_end();
		return;
	}
	asked = u->draw_now;
	u->draw_now = u->draw_soon = false;
	if (!asked)
		pane_refresh(u->panes[u->current]);
	relief_begin(&u->nodes);
	ui_draw(u, now);
	relief_end();
	f->last = now;
	u->draw_soon |= u->panes[u->current]->behind && asked;
	if (u->draw_soon && asked)
		return;
	f->fresh = now;
	f->interval = time_later(5 * (clock_now() - now), FRAME_NS);
}
