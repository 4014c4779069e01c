/*
 * act: carry out actions and clicks. The view shown gets an action first; others are done here.
 */
#include "tui/app/ui/ui.h"
#include "tui/part/traced.h"
#include "tui/view/compare/compare.h"

enum { NAMES_STEP = 8 };		/* columns */

/* --- views ---------------------------------------------------------------------------------- */

static void go_back(struct ui *u)
{
	if (u->history_count)
		ui_show_view(u, u->history[--u->history_count], false);
	else
		u->quit = true;
}

static void next_view(struct ui *u, size_t step)
{
	ui_show_view(u, (u->view + step) % ui_view_count(), true);
}

/* --- order ---------------------------------------------------------------------------------- */

static void next_column(struct ui *u, int step)
{
	int column = (int)ui_pane(u)->shared.order.column + step + COLUMN_COUNT;

	ui_sort(u, (enum column_id)(column % COLUMN_COUNT));
	ui_say(u, false, "sorted by %s", columns[column % COLUMN_COUNT].name);
}

static void order_invert(struct ui *u)
{
	ui_pane(u)->shared.order.inverted ^= true;
	pane_stale(ui_pane(u));
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Live nodes freeze: data are still received. A file is paused. */
static void toggle_freeze(struct ui *u)
{
	struct err err = { 0 };
	bool stop;

	if (ui_play_at_end(u))
		return;
	stop = !u->frozen && !ui_play_is_paused(u);
	u->frozen = stop && !ui_play_pauses(ui_pane(u));
	for (size_t i = 0; i < u->pane_count; i++) {
		struct pane *p = u->panes[i];

		if (!stop || p->past.held)
			pane_thaw(p);
		if (ui_play_pauses(p))
			node_pause(p->node, stop);
		else if (stop && pane_freeze(p, &err) < 0)
			ui_say(u, true, "%s", err.text);
	}
}

static void next_report(struct ui *u)
{
	struct node *n = ui_pane(u)->node;

	if (node_profiles(n) < 2) {
		ui_say(u, false, "this stream has only one report");
		return;
	}
	if (u->frozen)
		toggle_freeze(u);
	node_select(n, (node_selected(n) + 1) % node_profiles(n));
	pane_stale(ui_pane(u));
	ui_say(u, false, "report %s", node_profile(n)->name);
}

static void next_node(struct ui *u)
{
	if (u->pane_count < 2) {
		ui_say(u, false, nodes_told(&u->nodes).nodes > 1 ?
		       "only one node is open; {nodes} shows all" :
		       "there is only one node; give -p for each");
		return;
	}
	u->current = (u->current + 1) % u->pane_count;
	pane_refresh(ui_pane(u));
	ui_pane(u)->stale[u->view] = true;
}

static void cancel_first(struct ui *u, bool had_message)
{
	struct pane *p = ui_pane(u);

	if (ui_baseline_stop(u))
		ui_say(u, false, "stopped; the baseline is unchanged");
	else if (ui_play_stop(u) || had_message || pane_clear(p, PATTERN_SEARCH))
		return;
	else if (views[u->view]->action == ACTION_VIEW_HELP && u->history_count)
		go_back(u);
	else
		pane_clear(p, PATTERN_FILTER);
}

static void next_one(struct ui *u)		{ next_view(u, 1); }
static void previous_one(struct ui *u)		{ next_view(u, ui_view_count() - 1); }
static void next_sort(struct ui *u)		{ next_column(u, 1); }
static void previous_sort(struct ui *u)		{ next_column(u, -1); }
static void ask_search(struct ui *u)		{ ui_ask_pattern(u, PATTERN_SEARCH); }
static void ask_filter(struct ui *u)		{ ui_ask_pattern(u, PATTERN_FILTER); }
static void screen_draw_again(struct ui *u)	{ screen_redraw(u->screen); }
static void job_suspend(struct ui *u)		{ screen_suspend(u->screen); }
static void loop_quit(struct ui *u)		{ u->quit = true; }

static void zoom_in(struct ui *u)		{ ui_bar_zoom(u, -1); }
static void zoom_out(struct ui *u)		{ ui_bar_zoom(u, 1); }
static void next_mark(struct ui *u)		{ ui_mark_step(u, 1); }
static void previous_mark(struct ui *u)		{ ui_mark_step(u, -1); }

static void names_scroll(struct ui *u, int by)
{
	if (!ui_name_scroll(u, by) && !u->name_left && by > 0)
		ui_say(u, false, "no name is longer than its column");
}

static void names_left(struct ui *u)		{ names_scroll(u, -NAMES_STEP); }
static void names_right(struct ui *u)		{ names_scroll(u, NAMES_STEP); }

static void show_source(struct ui *u)
{
	ui_show_view(u, ui_view_of(ACTION_VIEW_SOURCE), true);
}

/* On the time line. */
static void show_longest(struct ui *u)
{
	struct view_shared *s = &ui_pane(u)->shared;
	struct trace_edge longest;

	if (!node_trace(s->node)) {
		ui_say(u, false, "no call trace: the node sends only sums");
	} else if (!traced_longest(s, &longest)) {
		ui_say(u, false, "no call of the selected function is in the trace");
	} else {
		s->longest_asked++;
		ui_show_view(u, ui_view_of(ACTION_VIEW_TIMELINE), true);
	}
}

static void ask_order(struct ui *u)
{
	if (views[u->view] == &view_compare_ops)
		ui_ask_order(u);
	else
		ui_ask_column(u);
}

static void toggle_detail(struct ui *u)
{
	u->settings.detail = !u->settings.detail;
	u->settings.changed = true;
	u->in_detail = false;
	if (u->width < DETAIL_SCREEN)
		ui_say(u, false, u->settings.detail ? "the detail needs %d columns or more" :
		       "detail hidden", DETAIL_SCREEN);
}

static void toggle_follow(struct ui *u)
{
	ui_set_follow(u, !u->settings.follow);
	ui_say(u, false, u->settings.follow ? "the cursor follows its function" :
	       "the cursor stays on its row");
}

/* Actions that no view handled, but those that show a view and those of time.c (act_whole). */
static void (*const whole[ACTION_COUNT])(struct ui *u) = {
	[ACTION_VIEW_NEXT] = next_one,		[ACTION_VIEW_PREVIOUS] = previous_one,
	[ACTION_SORT] = ask_order,		[ACTION_COLUMNS] = ui_ask_columns,
	[ACTION_SORT_NEXT] = next_sort,		[ACTION_SORT_PREVIOUS] = previous_sort,
	[ACTION_INVERT] = order_invert,		[ACTION_FOLLOW] = toggle_follow,
	[ACTION_SEARCH] = ask_search,		[ACTION_FILTER] = ask_filter,
	[ACTION_FREEZE] = toggle_freeze,	[ACTION_RESET] = ui_ask_reset,
	[ACTION_COMMAND] = ui_ask_command,	[ACTION_EXPORT] = ui_ask_export,
	[ACTION_REPORT_NEXT] = next_report,	[ACTION_NODE_NEXT] = next_node,
	[ACTION_NODES] = ui_ask_nodes,
	[ACTION_COPY] = ui_copy,		[ACTION_EDITOR] = ui_edit,
	[ACTION_DETAIL] = toggle_detail,	[ACTION_LONGEST_CALL] = show_longest,
	[ACTION_ANNOTATE] = show_source,	[ACTION_BASELINE] = ui_ask_baseline,
	[ACTION_OPTIONS] = ui_ask_options,	[ACTION_PALETTE] = ui_ask_palette,
	[ACTION_REDRAW] = screen_draw_again,	[ACTION_SUSPEND] = job_suspend,
	[ACTION_OPEN] = zoom_in,		[ACTION_CLOSE] = zoom_out,
	[ACTION_ZOOM_IN] = zoom_in,		[ACTION_ZOOM_OUT] = zoom_out,
	[ACTION_MARK_NEXT] = next_mark,		[ACTION_MARK_PREVIOUS] = previous_mark,
	[ACTION_LEFT] = names_left,		[ACTION_RIGHT] = names_right,
	[ACTION_BOOKMARK] = ui_ask_bookmark,	[ACTION_MARKS] = ui_ask_marks,
	[ACTION_WATCH] = ui_ask_watch,		[ACTION_LOG_WATCH] = ui_ask_logged,
	[ACTION_TIME_SEEK] = ui_ask_time,	[ACTION_BATTERY] = ui_ask_battery,
	[ACTION_BACK] = go_back,		[ACTION_QUIT] = loop_quit,
};

static void act_whole(struct ui *u, enum action a)
{
	u->draw_now = true;
	if (ui_view_of(a) < PANE_VIEWS)
		ui_show_view(u, ui_view_of(a), true);
	else if (whole[a])
		whole[a](u);
	else
		ui_time(u, a);
}

/* --- views' answers ------------------------------------------------------------------------- */

static void follow_reply(struct ui *u, const struct view_reply *r, const struct rows_order *before)
{
	struct pane *p = ui_pane(u);
	const struct rows_order *order = &p->shared.order;
	char text[KEYMAP_SENTENCE];

	u->draw_now |= r->redraw;
	u->more = r->more;
	if (before->column != order->column || before->by_change != order->by_change ||
	    before->inverted != order->inverted)
		pane_stale(p);
	if (r->input)
		ui_ask_send(u);
	if (r->visit)
		ui_visit(u, r->visit_ns);
	if (r->leave)
		ui_leave(u);
	if (r->no_match)
		ui_say(u, true, "no match for /%s", pane_pattern(p, PATTERN_SEARCH));
	if (r->say)
		ui_say(u, false, "%s",
		       keymap_expand(&u->settings.keys, r->say, text, sizeof(text)));
	if (r->error)
		ui_say(u, true, "%s", r->error);
	if (r->go != ACTION_NONE)
		act_whole(u, r->go);
}

/*
 * A view must see its rows as they stand: indices into a profile that was computed meanwhile would
 * name other functions, or none.
 */
static struct view *view_ready(struct ui *u)
{
	pane_sync(ui_pane(u), u->view);
	return ui_pane(u)->views[u->view];
}

/* Where the detail is shown, the next view's key goes to it and back. False: it is not shown. */
static bool act_detail(struct ui *u, enum action a)
{
	struct pane *p = ui_pane(u);
	struct rows_order before = p->shared.order;
	struct view_reply reply;

	if (u->detail_x < 0 || !views[u->view]->cursor)
		return false;
	if (a == ACTION_VIEW_NEXT || (u->in_detail && a == ACTION_CANCEL)) {
		u->in_detail = !u->in_detail;
		u->draw_now = true;
		return true;
	}
	if (!u->in_detail)
		return false;
	reply = detail_act(&p->detail, p->views[u->view], &p->shared, a);
	follow_reply(u, &reply, &before);
	return reply.handled;
}

static void action_carry_out(struct ui *u, enum action a)
{
	struct view *v = view_ready(u);
	struct pane *p = ui_pane(u);
	struct rows_order before = p->shared.order;
	struct view_reply reply = { 0 };
	bool had_message = u->message[0];

	u->message[0] = 0;
	u->draw_now |= had_message;
	if (act_detail(u, a))
		return;
	if (a == ACTION_CANCEL) {
		u->draw_now = true;
		if (u->more)
			ui_say(u, false, "stopped");
		else
			cancel_first(u, had_message);
		u->more = false;
		return;
	}
	u->more = false;
	if ((a == ACTION_SEARCH_NEXT || a == ACTION_SEARCH_PREVIOUS) && !p->shared.search &&
	    !v->ops->steps) {
		ui_say(u, true, "no search pattern: press {search}");
		return;
	}
	if (v->ops->act)
		reply = v->ops->act(v, &p->shared, a);
	follow_reply(u, &reply, &before);
	if (!reply.handled)
		act_whole(u, a);
}

/* The bottom line's hints are buttons. */
static void click_bottom(struct ui *u, const struct screen_mouse *m)
{
	enum action a = m->button <= 2 ? ui_hint_at(u, m->x) : ACTION_NONE;

	if (a != ACTION_NONE)
		action_carry_out(u, a);
}

/* A click gives the side the focus. */
static bool is_in_detail(struct ui *u, const struct screen_mouse *m)
{
	bool there = u->detail_x >= 0 && m->x >= u->detail_x;

	u->draw_now |= u->in_detail != there;
	u->in_detail = m->button <= 3 ? there : u->in_detail;
	return there;
}

static void act_mouse(struct ui *u, const struct screen_mouse *m)
{
	struct view *v = view_ready(u);
	struct pane *p = ui_pane(u);
	struct rows_order before = p->shared.order;
	struct view_reply reply;

	u->draw_now |= u->message[0] || m->y < u->body_y || m->y >= u->body_y + u->body_height;
	u->message[0] = 0;
	u->more = false;
	if (m->y == u->body_y - 1 && (m->button == 1 || m->button == 2)) {
		const struct view_ops *tab = ui_tab_at(u, m->x);

		if (tab)
			ui_show_view(u, ui_view_of(tab->action), true);
	} else if (m->y == u->height - 1) {
		click_bottom(u, m);
	} else if (m->y >= u->bar_y && m->y < u->bar_y + u->bar_lines) {
		ui_bar_mouse(u, m);
	} else if (m->y >= u->body_y && m->y < u->body_y + u->body_height && is_in_detail(u, m)) {
		reply = detail_mouse(&p->detail, v, &p->shared, m->y - u->body_y, m->button);
		follow_reply(u, &reply, &before);
	} else if (m->y >= u->body_y && m->y < u->body_y + u->body_height && v->ops->mouse) {
		u->body_pressed = m->button == 1 || m->button == 2;
		reply = v->ops->mouse(v, &p->shared, m->x, m->y - u->body_y, m->button);
		follow_reply(u, &reply, &before);
	}
}

/* The mouse moves with its button held, or lets it go. */
static void act_drag(struct ui *u, const struct screen_mouse *m)
{
	struct view *v = view_ready(u);
	struct pane *p = ui_pane(u);
	struct rows_order before = p->shared.order;
	struct view_reply reply;

	if (u->dragging || !u->body_pressed || u->dialog || !v->ops->mouse) {
		ui_bar_drag(u, m);
		return;
	}
	u->body_pressed = m->button != SCREEN_RELEASE;
	reply = v->ops->mouse(v, &p->shared, m->x, m->y - u->body_y, m->button);
	follow_reply(u, &reply, &before);
}

/* A time that was typed, of what the view shows. */
static void view_go_to(struct ui *u)
{
	struct view *v = view_ready(u);
	struct pane *p = ui_pane(u);
	struct rows_order before = p->shared.order;
	struct view_reply reply = view_pass();

	u->moment_typed = false;
	if (v->ops->go_to)
		reply = v->ops->go_to(v, &p->shared, &u->moment);
	follow_reply(u, &reply, &before);
}

static void view_go_on(struct ui *u)
{
	struct view *v = view_ready(u);
	struct pane *p = ui_pane(u);
	struct rows_order before = p->shared.order;
	struct view_reply reply = v->ops->act(v, &p->shared, ACTION_NONE);

	if (!reply.more)
		u->message[0] = 0;
	u->draw_now |= !reply.more;
	follow_reply(u, &reply, &before);
}

/* With neither, the view is not asked for: it is made ready when something is to be drawn. */
void ui_go_on(struct ui *u)
{
	if (u->moment_typed)
		view_go_to(u);
	if (u->more)
		view_go_on(u);
}

void ui_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	enum action a = ACTION_NONE;

	if (key != KEY_RESIZE_)
		ui_welcomed(u);
	if (key == KEY_RESIZE_)
		u->draw_now = true;
	else if (key == KEY_MOUSE_ && mouse->button >= SCREEN_DRAG)
		act_drag(u, mouse);
	else if (u->dialog)
		a = ui_dialog_key(u, key, mouse);
	else if (key == KEY_MOUSE_)
		act_mouse(u, mouse);
	else
		a = keymap_of_key(&u->settings.keys, key);
	if (a != ACTION_NONE)
		action_carry_out(u, a);
}
