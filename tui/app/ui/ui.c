/*
 * ui: what actions and dialogs alike do to the screen's state: say something, show a view, set the
 * order, reset.
 */
#include "tui/app/ui/ui.h"

#include <stdarg.h>

#include "tui/config/advice.h"

void ui_say(struct ui *u, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keymap_vprint(&u->settings.keys, u->message, sizeof(u->message), fmt, ap);
	va_end(ap);
	u->message_bad = bad;
	u->draw_now = true;
}

void ui_tell(struct ui *u, bool bad, enum advice advice, const char *fact)
{
	char what[200] = "";

	if (advice_rows[advice].screen)
		keymap_expand(&u->settings.keys, advice_rows[advice].screen, what, sizeof(what));
	ui_say(u, bad, "%s%s%s", fact, *what ? "; " : "", what);
}

void ui_open_dialog(struct ui *u, const struct dialog *d)
{
	u->dialog = d;
	u->draw_now = true;
}

/* --- views ---------------------------------------------------------------------------------- */

size_t ui_view_count(void)
{
	size_t n = 0;

	while (n < PANE_VIEWS && views[n])
		n++;
	return n;
}

size_t ui_view_of(enum action a)
{
	for (size_t i = 0; i < ui_view_count(); i++)
		if (views[i]->action == a)
			return i;
	return PANE_VIEWS;
}

/*
 * Views one came through are remembered, each once: going to one of them again is going back to it,
 * so that the way back is never longer than there are views.
 */
void ui_show_view(struct ui *u, size_t view, bool remember)
{
	size_t n = 0;

	if (view == u->view || view >= ui_view_count())
		return;
	if (remember)
		u->history[u->history_count++] = u->view;
	while (n < u->history_count && u->history[n] != view)
		n++;
	u->history_count = n;
	for (size_t i = 0; i < u->pane_count; i++)
		u->panes[i]->shared.help_for = views[u->view];
	u->view = view;
	u->name_left = 0;
	u->in_detail = false;
	u->panes[u->current]->stale[view] = true;
}

/* --- the panes -------------------------------------------------------------------------------- */

void ui_sort(struct ui *u, enum column_id column)
{
	ui_pane(u)->shared.order.column = column;
	ui_pane(u)->shared.order.inverted = ui_pane(u)->shared.order.by_change = false;
	pane_stale(ui_pane(u));
}

void ui_set_follow(struct ui *u, bool on)
{
	for (size_t i = 0; i < u->pane_count; i++)
		u->panes[i]->shared.follow = on;
	u->settings.follow = on;
	u->settings.changed = true;
}

void ui_reset_here(struct ui *u)
{
	struct pane *p = ui_pane(u);

	node_reset(p->node);
	p->behind = true;
	u->frozen = false;
	for (size_t i = 0; i < u->pane_count; i++)
		if (u->panes[i]->past.held)
			pane_thaw(u->panes[i]);
	ui_say(u, false, "counters reset");
}
