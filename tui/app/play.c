/*
 * play: a recording's player: pause, speed, where it goes. All recordings on the screen move
 * together.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "tui/app/ui/ui.h"

#define SPEED_LEAST (1 / 8.0)
#define SPEED_MOST 64.0			/* above that: as fast as it is decoded */

bool ui_play_pauses(const struct pane *p)
{
	enum node_play_state state = node_play(p->node, 0).state;

	return state == NODE_PLAY_RUNS || state == NODE_PLAY_PAUSED || state == NODE_PLAY_SEEKS ||
	       state == NODE_PLAY_FOLLOWS;
}

bool ui_play_is_paused(struct ui *u)
{
	const struct pane *p = ui_pane(u);

	return ui_play_pauses(p) && (p->past.held || node_is_paused(p->node));
}

bool ui_play_at_end(struct ui *u)
{
	struct pane *p = ui_pane(u);

	if (!node_can_seek(p->node) || !node_ended(p->node) || p->past.held)
		return false;
	ui_say(u, false, "end of recording: {time-back} steps back, {time-seek} goes to a time");
	return true;
}

/* --- to a time -------------------------------------------------------------------------------- */

static void node_go(struct ui *u, struct node *n, uint64_t at_ns, bool paused)
{
	struct err err = { 0 };

	node_pause(n, paused);
	if (node_seek(n, at_ns, &err) < 0)
		ui_say(u, true, "%s", err.text);
	u->draw_now = true;
}

/* As far into each: they were not opened in the same nanosecond. */
void ui_play_go(struct ui *u, uint64_t at_ns, bool paused)
{
	uint64_t into = at_ns - link_zero(node_link(ui_pane(u)->node));

	for (size_t i = 0; i < u->pane_count; i++) {
		struct node *n = u->panes[i]->node;

		if (node_can_seek(n))
			node_go(u, n, link_zero(node_link(n)) + into, paused);
	}
}

void ui_play_end(struct ui *u)
{
	for (size_t i = 0; i < u->pane_count; i++)
		if (node_can_seek(u->panes[i]->node))
			node_go(u, u->panes[i]->node, LINK_NO_GOAL - 1, false);
}

bool ui_play_stop(struct ui *u)
{
	bool any = false;
	char at[24];

	for (size_t i = 0; i < u->pane_count; i++) {
		struct node *n = u->panes[i]->node;

		if (node_play(n, 0).state != NODE_PLAY_SEEKS)
			continue;
		node_pause(n, true);
		any = true;
	}
	if (any)
		ui_say(u, false, "seek stopped at %s", past_clock(ui_pane(u)->node,
			node_history(ui_pane(u)->node),
			link_at(node_link(ui_pane(u)->node), clock_now()), at, sizeof(at)));
	return any;
}

static uint64_t moment_end(const struct history *h, size_t i)
{
	struct history_moment m = { 0 };

	history_moment(h, i, &m);
	return m.time_ns;
}

uint64_t ui_play_at(struct ui *u)
{
	struct node_play p = node_play(ui_pane(u)->node, clock_now());

	if (!node_can_seek(ui_pane(u)->node))
		return UINT64_MAX;
	return p.state == NODE_PLAY_SEEKS ? p.goal_ns : p.at_ns;
}

/* What has the moments at a time: behind a leap the node's own, until the whole was read ahead. */
static const struct history *steps_of(const struct node *n, const struct history *whole,
				      uint64_t at)
{
	const struct history *own = node_history(n);

	return own && history_count(own) && at > moment_end(whole, history_count(whole) - 1) ?
	       own : whole;
}

/* Where no moment is known any more, a step is a second. */
static uint64_t step_unknown(const struct node_play *p, uint64_t at, long by)
{
	uint64_t way = (uint64_t)labs(by) * CLOCK_SECOND;

	if (by < 0)
		return at > p->begin_ns + way ? at - way : p->begin_ns;
	return p->ends && at + way > p->end_ns ? p->end_ns : at + way;
}

/* From where it stands, or goes to: moments are gone to by their end. */
uint64_t ui_play_step(struct ui *u, const struct history *whole, long by)
{
	struct node_play p = node_play(ui_pane(u)->node, clock_now());
	uint64_t at = ui_play_at(u);
	const struct history *h = steps_of(ui_pane(u)->node, whole, at);
	size_t last = history_count(h) - 1;
	long i = (long)history_find(h, at);

	/* On its way there, behind a leap. */
	if (!p.whole && h == whole && at > moment_end(h, last) + 2 * CLOCK_SECOND)
		return step_unknown(&p, at, by);
	if (at > moment_end(h, (size_t)i))
		i += by < 0;		/* behind the last one */
	else if (at < moment_end(h, (size_t)i))
		i -= by > 0;		/* within this one */
	i += by;
	if (i > (long)last && !p.whole)
		return step_unknown(&p, at > moment_end(h, last) ? at : moment_end(h, last),
				    i - (long)last);
	if (i < 0 && h != whole)
		return step_unknown(&p, at < moment_end(h, 0) ? at : moment_end(h, 0), i);
	if (i > (long)last && by > 0)
		return p.end_ns > at ? p.end_ns : at;
	return moment_end(h, i < 0 ? 0 : (size_t)i > last ? last : (size_t)i);
}

/* --- speed ------------------------------------------------------------------------------------ */

static double speed_next(double speed, bool faster)
{
	if (speed <= 0)
		return faster ? 0 : SPEED_MOST;
	if (faster)
		return 2 * speed > SPEED_MOST ? 0 : 2 * speed;
	return speed / 2 < SPEED_LEAST ? speed : speed / 2;
}

void ui_play_faster(struct ui *u, bool faster)
{
	struct node_play p = node_play(ui_pane(u)->node, 0);
	double speed = speed_next(p.speed, faster);
	char text[16];

	if (!p.recording) {
		ui_say(u, true, "only a recording has a speed");
		return;
	}
	for (size_t i = 0; i < u->pane_count; i++)
		if (link_has_pace(node_link(u->panes[i]->node)))
			node_set_pace(u->panes[i]->node, speed);
	ui_say(u, false, "speed %s", past_speed(speed, text, sizeof(text)));
}
