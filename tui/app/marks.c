/*
 * marks: going to what happened, and bookmarks: set with a note, listed, deleted.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/app/ui/ui.h"

static const char *clock_text(struct ui *u, uint64_t time_ns, char *dst, size_t size)
{
	const struct pane *p = ui_pane(u);

	return past_clock(p->node, past_whole(&p->past, p->node), time_ns, dst, size);
}

static void mark_show(struct ui *u, const struct mark *mark)
{
	ui_pane(u)->past.window = PAST_WINDOW_NONE;
	ui_seek(u, mark->time_ns);
}

/* The moment shown: the one held, else the newest. False: none is kept. */
static bool moment_shown(struct ui *u, struct history_moment *m)
{
	const struct past *p = &ui_pane(u)->past;
	const struct history *h = past_whole(p, ui_pane(u)->node);
	uint64_t at;

	if (!past_shown(p, ui_pane(u)->node, &at))
		at = UINT64_MAX;
	return h && history_moment(h, history_find(h, at), m);
}

void ui_mark_step(struct ui *u, int by)
{
	const struct marks *marks = pane_marks(ui_pane(u));
	const struct mark *mark;
	struct history_moment m = { 0 };
	char at[24], text[BOOKMARK_NOTE];
	bool back = by < 0;
	uint64_t at_ns;

	if (!past_shown(&ui_pane(u)->past, ui_pane(u)->node, &at_ns) || !moment_shown(u, &m))
		m.time_ns = UINT64_MAX;
	else if (back)
		m.time_ns -= m.length_ns < m.time_ns ? m.length_ns : 0;
	mark = back ? marks_until(marks, m.time_ns) : marks_after(marks, m.time_ns);
	if (mark) {
		mark_show(u, mark);
		ui_say(u, false, "%s %s", clock_text(u, mark->time_ns, at, sizeof(at)),
		       mark_text(mark, text, sizeof(text)));
	} else {
		ui_say(u, false, !marks->count ? "no marks: no bookmark, reset or loss" :
		       back ? "no mark before this moment" : "no mark after this moment");
	}
}

/* --- for a while ------------------------------------------------------------------------------ */

void ui_visit(struct ui *u, uint64_t at_ns)
{
	struct past *p = &ui_pane(u)->past;
	struct past_visit *v = &ui_pane(u)->visit;
	char at[24];

	if (!past_whole(p, ui_pane(u)->node)) {
		ui_say(u, false, "no moments yet: wsntop keeps one per second, or one per report");
		return;
	}
	if (!v->on)
		*v = (struct past_visit){
			.held = p->held, .window = p->window, .before_ns = p->at_ns,
			.from_ns = p->from_ns,
		};
	if (!v->on && !p->held) {
		v->held = past_shown(p, ui_pane(u)->node, &v->before_ns);
		v->playing = v->held && node_play(ui_pane(u)->node, 0).state == NODE_PLAY_RUNS;
	}
	v->on = true;
	v->at_ns = at_ns;
	p->window = PAST_WINDOW_NONE;
	ui_seek(u, at_ns);
	ui_say(u, false, "%s: the moment of this line; {enter} goes back",
	       clock_text(u, at_ns, at, sizeof(at)));
}

void ui_leave(struct ui *u)
{
	struct past *p = &ui_pane(u)->past;
	struct past_visit v = ui_pane(u)->visit;

	ui_pane(u)->visit.on = false;
	if (!v.held) {
		ui_time(u, ACTION_TIME_LIVE);
		return;
	}
	p->window = v.window;
	p->from_ns = v.from_ns;
	ui_seek(u, v.before_ns);
	for (size_t i = 0; v.playing && i < u->pane_count; i++)
		if (node_can_seek(u->panes[i]->node))
			node_pause(u->panes[i]->node, false);
}

/* --- a bookmark ------------------------------------------------------------------------------- */

static struct dialog_reply bookmark_done(struct ui *u)
{
	struct pane *p = ui_pane(u);
	struct err err = { 0 };
	char at[24];

	clock_text(u, u->mark_ns, at, sizeof(at));
	if (beside_set(&p->beside, p->node, u->mark_ns, u->prompt.text, &err) < 0)
		ui_say(u, true, "%s", err.text);
	else if (*p->beside.path)
		ui_say(u, false, "bookmark at %s, in %s", at, p->beside.path);
	else
		ui_say(u, false, "bookmark at %s, for this session; {save} saves it with a "
		       "recording", at);
	return DIALOG_CLOSED;
}

static const struct dialog bookmark_dialog = {
	.edited = ui_prompt_clear, .done = bookmark_done,
};

void ui_ask_bookmark(struct ui *u)
{
	const struct pane *p = ui_pane(u);
	const struct bookmark *there;
	struct history_moment m;
	char at[24];

	if (!moment_shown(u, &m)) {
		ui_say(u, false, "no moments yet: wsntop keeps one per second, or one per report");
		return;
	}
	u->mark_ns = m.time_ns;
	there = beside_find(&p->beside, p->node, m.time_ns);
	snprintf(u->asked, sizeof(u->asked), "Note for %s:",
		 clock_text(u, m.time_ns, at, sizeof(at)));
	prompt_open(&u->prompt, u->asked, there ? there->note : "", NULL);
	ui_open_dialog(u, &bookmark_dialog);
}

/* --- the list --------------------------------------------------------------------------------- */

static void list_open(struct ui *u, size_t cursor);

static struct dialog_reply marks_done(struct ui *u)
{
	mark_show(u, &u->listed.items[u->menu.list.cursor]);
	return DIALOG_CLOSED;
}

static void marks_other(struct ui *u, uint32_t key)
{
	struct pane *p = ui_pane(u);
	const struct mark *mark = &u->listed.items[u->menu.list.cursor];
	struct err err = { 0 };

	if (key != KEY_DELETE_)
		return;
	if (mark->kind != MARK_BOOKMARK)
		ui_say(u, false, "only bookmarks can be deleted");
	else if (beside_drop(&p->beside, p->node, mark->time_ns, &err) < 0)
		ui_say(u, true, "%s", err.text);
	if (mark->kind == MARK_BOOKMARK)
		list_open(u, u->menu.list.cursor);
}

static const struct dialog marks_dialog = { .done = marks_done, .other = marks_other };

/* A copy: while the menu is open the marks may become others. */
static bool list_copy(struct ui *u, const struct marks *from)
{
	struct marks *to = &u->listed;

	if (mem_grow(&to->items, &to->cap, from->count, sizeof(*to->items)) < 0)
		return false;
	to->count = from->count;
	memcpy(to->items, from->items, from->count * sizeof(*to->items));
	return true;
}

static void list_open(struct ui *u, size_t cursor)
{
	const struct marks *marks = pane_marks(ui_pane(u));
	char label[40], at[24], text[BOOKMARK_NOTE];

	u->dialog = NULL;
	u->draw_now = true;
	if (!marks->count || !list_copy(u, marks)) {
		ui_say(u, false, "no marks yet: {bookmark} sets a bookmark");
		return;
	}
	menu_open(&u->menu, "Go to (Del deletes a bookmark)");
	for (size_t i = 0; i < marks->count; i++) {
		const struct mark *k = &marks->items[i];

		snprintf(label, sizeof(label), "%s  %c",
			 clock_text(u, k->time_ns, at, sizeof(at)), mark_rows[k->kind].sign);
		menu_add(&u->menu, label, mark_text(k, text, sizeof(text)));
	}
	menu_go(&u->menu, cursor < marks->count ? cursor : marks->count - 1);
	ui_open_dialog(u, &marks_dialog);
}

/* The cursor is on the mark shown, or on the last one before it. */
void ui_ask_marks(struct ui *u)
{
	const struct marks *marks = pane_marks(ui_pane(u));
	struct history_moment m = { .time_ns = UINT64_MAX };
	const struct mark *mark;

	moment_shown(u, &m);
	mark = marks_until(marks, m.time_ns);
	list_open(u, mark ? (size_t)(mark - marks->items) : 0);
}
