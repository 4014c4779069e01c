/*
 * draw: one frame: header, tabs, the view, the bottom line.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/app/header/header.h"
#include "tui/app/pane/timebar.h"
#include "tui/app/ui/ui.h"

enum { MIN_WIDTH = 40, MIN_HEIGHT = 10, HINTS = VIEW_HINTS, HINTS_STATE = 15, HINTS_PLAY = 3 };

static struct header header_of(struct ui *u, uint64_t now)
{
	struct pane *p = ui_pane(u);
	bool ends = p->past.held || p->shared.span == SPAN_INTERVAL;

	return (struct header){
		.node = p->node,
		.shared = &p->shared,
		.begin_ns = p->stretch.history ? p->stretch.begin_ns : 0,
		.end_ns = ends && p->stretch.history ? p->stretch.end_ns : UINT64_MAX,
		.index = u->current,
		.count = u->pane_count,
		.view = views[u->view],
		.state = ui_pane(u)->views[u->view],
		.watches = ui_pane(u)->watching.count,
		.passed = ui_pane(u)->watching.passed,
		.now = now,
	};
}

const struct view_ops *ui_tab_at(struct ui *u, int x)
{
	struct header h = header_of(u, 0);

	return header_tab(&h, u->width, x);
}

/*
 * The first hints are the ways back to the ordinary state: from the past, from a stretch of time,
 * from a pattern, to the other node. At most HINTS_STATE.
 */
static size_t state_hints(struct ui *u, enum action *hints)
{
	const struct pane *p = ui_pane(u);
	size_t n = 0;

	if (u->in_detail && u->detail_x >= 0) {
		hints[n++] = ACTION_ENTER;
		hints[n++] = ACTION_PARENT;
		hints[n++] = ACTION_VIEW_NEXT;
		hints[n++] = ACTION_DETAIL;
	}
	if (u->pane_count > 1)
		hints[n++] = ACTION_NODE_NEXT;
	if (u->pane_count > 1 || nodes_told(&u->nodes).nodes > 1)
		hints[n++] = ACTION_NODES;
	if (p->past.held) {
		hints[n++] = ACTION_TIME_LIVE;
		hints[n++] = ACTION_TIME_BACK;
		hints[n++] = ACTION_TIME_WINDOW;
		hints[n++] = ACTION_BOOKMARK;
	}
	if (p->shared.span != SPAN_START && p->past.window == PAST_WINDOW_NONE)
		hints[n++] = ACTION_SPAN;
	if (p->shared.search) {
		hints[n++] = ACTION_SEARCH_NEXT;
		hints[n++] = ACTION_SEARCH_PREVIOUS;
	}
	if (p->shared.search || p->shared.order.filter)
		hints[n++] = ACTION_CANCEL;
	return n;
}

bool ui_hint_is_among(const enum action *hints, size_t n, enum action a)
{
	for (size_t i = 0; i < n; i++)
		if (hints[i] == a)
			return true;
	return false;
}

/* Where it stands, for the mouse. */
static void remember_hint(struct ui *u, int x, int width, enum action a)
{
	if (u->hint_count < UI_HINTS)
		u->hints[u->hint_count++] = (struct ui_hint){ x, width, a };
}

enum action ui_hint_at(const struct ui *u, int x)
{
	for (size_t i = 0; i < u->hint_count; i++)
		if (x >= u->hints[i].x && x < u->hints[i].x + u->hints[i].width)
			return u->hints[i].action;
	return ACTION_NONE;
}

/* What a key does where the detail is shown, and in a recording. */
static struct view_word hint_word(const struct ui *u, enum action a)
{
	static const struct view_word there[] = {
		{ ACTION_ENTER, "go there", NULL }, { ACTION_PARENT, "back", NULL },
		{ ACTION_VIEW_NEXT, "list", NULL }, { ACTION_DETAIL, "hide", NULL },
	};
	static const struct view_word recorded[] = {
		{ ACTION_FREEZE, "pause", NULL }, { ACTION_TIME_LIVE, "end", NULL },
		{ ACTION_TIME_BACK, "step", NULL }, { ACTION_TIME_SLOWER, "speed", NULL },
	};
	const struct node *n = u->panes[u->current]->node;

	for (size_t i = 0; u->in_detail && i < sizeof(there) / sizeof(there[0]); i++)
		if (there[i].action == a)
			return there[i];
	if (a == ACTION_FREEZE && node_play(n, clock_now()).state == NODE_PLAY_PAUSED)
		return (struct view_word){ a, "play", NULL };
	for (size_t i = 0; node_can_seek(n) && i < sizeof(recorded) / sizeof(recorded[0]); i++)
		if (recorded[i].action == a)
			return recorded[i];
	if (a == ACTION_VIEW_NEXT)
		return (struct view_word){ a, "detail", NULL };
	if (a == ACTION_TIME_BACK)
		return (struct view_word){ a, "past", NULL };
	return view_word(views[u->view], a);
}

/* There is a moment to go to. */
static bool has_past(const struct ui *u)
{
	const struct history *h = u->panes[u->current]->stretch.history;

	return h && history_count(h) > 1;
}

/* "[ ]": two keys, one hint. */
static void pair_append(const struct ui *u, enum action a, char *key, size_t size)
{
	static const struct { enum action one, other; } pairs[] = {
		{ ACTION_TIME_BACK, ACTION_TIME_FORWARD },
		{ ACTION_TIME_SLOWER, ACTION_TIME_FASTER },
	};
	size_t used = strlen(key);
	char other[16];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (pairs[i].one == a &&
		    *keymap_first(&u->settings.keys, pairs[i].other, other, sizeof(other)))
			snprintf(key + used, size - used, " %s", other);
}

/* Columns used; 0: no key does it; -1: no room. */
static int draw_hint(struct ui *u, struct grid *g, int x, int y, enum action a)
{
	struct view_word word = hint_word(u, a);
	char key[40];
	int width;

	if (a == ACTION_TIME_FORWARD)		/* beside TIME_BACK */
		return 0;
	if (!has_past(u) && (a == ACTION_TIME_BACK || a == ACTION_TIME_WINDOW))
		return 0;
	if (!word.hint || !*keymap_first(&u->settings.keys, a, key, sizeof(key)))
		return 0;
	pair_append(u, a, key, sizeof(key));
	width = text_columns(key) + 1 + text_columns(word.hint);
	if (x + width > g->width)
		return -1;
	remember_hint(u, x, width, a);
	x += grid_textf(g, x, y, -1, ROLE_KEY, "%s", key) + 1;
	grid_text(g, x, y, -1, ROLE_LABEL, word.hint);
	return width + 2;
}

/* The player of a recording; at its end there is only a time to go to. At most HINTS_PLAY. */
static size_t play_hints(struct ui *u, enum action *hints)
{
	const struct node *n = ui_pane(u)->node;
	size_t count = 0;

	if (!node_can_seek(n))
		return 0;
	if (node_play(n, clock_now()).state != NODE_PLAY_ENDED) {
		hints[count++] = ACTION_FREEZE;
		hints[count++] = ACTION_TIME_SLOWER;
	}
	hints[count++] = ACTION_TIME_SEEK;
	return count;
}

/* What nothing can be done about: a screen that stands, a recording's end, a node that was. */
static bool hint_is_void(const struct ui *u, enum action a)
{
	const struct node *n = u->panes[u->current]->node;

	if (a == ACTION_FREEZE)
		return u->frozen || (node_can_seek(n) &&
				     node_play(n, clock_now()).state == NODE_PLAY_ENDED);
	return a == ACTION_COMMAND && node_can_seek(n);
}

static const struct node *tracer_find(const struct ui *u)
{
	for (size_t i = 0; i < u->pane_count; i++) {
		const struct trace *t = node_trace(u->panes[i]->node);

		if (t && !trace_is_empty(t))
			return u->panes[i]->node;
	}
	return NULL;
}

/* "Enter open  s sort  / search": as many as fit whole. */
static void draw_hints(struct ui *u, struct grid *g, int y)
{
	static const enum action always[] = { ACTION_VIEW_HELP, ACTION_BACK };
	enum action hints[HINTS_STATE + HINTS_PLAY + HINTS + 6];
	const struct view *v = ui_pane(u)->views[u->view];
	size_t n = 0, mine = view_hint_count(v->ops);
	int x = 0, width;

	if (u->welcome) {
		hints[n++] = ACTION_VIEW_HELP;
		hints[n++] = ACTION_PALETTE;
		if (tracer_find(u))
			hints[n++] = ACTION_VIEW_TIMELINE;
	}
	n += state_hints(u, &hints[n]);
	for (size_t i = 0; i < mine; i++) {
		hints[n++] = v->ops->hints[i];
		if (i == 0 && u->detail_x >= 0)
			hints[n++] = ACTION_VIEW_NEXT;
		if (i == 1)
			n += play_hints(u, &hints[n]);
	}
	memcpy(&hints[n], always, sizeof(always));
	n += 2;
	for (size_t i = 0; i < n; i++) {
		if (ui_hint_is_among(hints, i, hints[i]) || hint_is_void(u, hints[i]))
			continue;
		width = draw_hint(u, g, x, y, hints[i]);
		if (width < 0)
			break;
		x += width;
	}
}

/* On the bottom line: as many as fit whole. */
void ui_draw_keys(struct grid *g, const struct ui_key_hint *hints, size_t count)
{
	int x = 0, y = g->height - 1;

	grid_fill(g, 0, y, -1, ROLE_DEFAULT, ' ');
	for (const struct ui_key_hint *h = hints; h < hints + count; h++) {
		if (x + text_columns(h->key) + 1 + text_columns(h->does) > g->width)
			break;
		x += grid_text(g, x, y, -1, ROLE_KEY, h->key) + 1;
		x += grid_text(g, x, y, -1, ROLE_LABEL, h->does) + 2;
	}
}

/* The bottom line. The column of the cursor, -1: none. */
static int draw_bottom(struct ui *u, struct grid *g, int y)
{
	static const struct ui_key_hint menu_keys[] = {
		{ "Enter", "choose" }, { "Esc", "back" }, { "type", "to select" },
	};

	u->hint_count = 0;
	if (u->dialog && u->dialog->edited)
		return prompt_draw(&u->prompt, g, y);
	if (ui_dialog_is_menu(u) && !u->message[0])
		ui_draw_keys(g, menu_keys, sizeof(menu_keys) / sizeof(menu_keys[0]));
	else if (u->message[0])
		grid_text(g, 0, y, -1, u->message_bad ? ROLE_BAD : ROLE_GOOD, u->message);
	else
		draw_hints(u, g, y);
	return -1;
}

static void draw_too_small(struct grid *g)
{
	grid_textf(g, 0, 0, -1, ROLE_WARNING, "too small: %dx%d, needs %dx%d", g->width, g->height,
		   MIN_WIDTH, MIN_HEIGHT);
}

/* The view, and beside it the detail where there is room for both. */
static void draw_view(struct ui *u, struct grid *body)
{
	struct pane *p = ui_pane(u);
	struct view *v = p->views[u->view];
	const struct profile *profile = p->shared.model.profile;
	bool both = u->settings.detail && v->ops->cursor && profile && profile->function_count;
	int mine = both ? detail_width(body->width) : 0;
	int width = body->width - mine - (mine > 0);
	struct grid list = grid_sub(body, 0, 0, width, body->height);
	struct grid detail = grid_sub(body, width + 1, 0, mine, body->height);

	u->detail_x = mine ? width + 1 : -1;
	p->shared.tracer = tracer_find(u);
	v->width = width;
	v->height = body->height;
	v->ops->draw(v, &p->shared, &list);
	if (v->ops->goes_on && v->ops->goes_on(v))
		p->stale[u->view] = u->draw_soon = true;
	for (int y = 0; mine && y < body->height; y++)
		grid_fill(body, width, y, 1, ROLE_LABEL, 0x2502);
	if (mine)
		detail_draw(&p->detail, v, &p->shared, &detail, u->in_detail);
}

/* The view, between the tabs and what is below: the time bar, the hints, the selected name. */
static void draw_body(struct ui *u, struct grid *g)
{
	struct grid body;

	u->body_height = u->bar_y - u->body_y - u->name_line;
	body = grid_sub(g, 0, u->body_y, g->width, u->body_height);
	grid_clear(&body);
	body.naming = &u->naming;
	naming_begin(&u->naming, u->settings.hide_namespace ? ui_pane(u)->scope : "", u->name_left);
	draw_view(u, &body);
	naming_end(&u->naming);
}

void ui_draw(struct ui *u, uint64_t now)
{
	struct grid *g = screen_begin(u->screen);
	struct pane *p = ui_pane(u);
	struct header h;
	int cursor;

	if (g->width < MIN_WIDTH || g->height < MIN_HEIGHT) {
		draw_too_small(g);
		screen_end(u->screen, -1, -1);
		return;
	}
	pane_sync(p, u->view);
	h = header_of(u, now);
	u->body_y = header_draw(g, &h);
	ui_name_prepare(u, g);
	u->width = g->width;
	u->height = g->height;
	u->bar_lines = timebar_lines(p, g->height);
	u->bar_y = g->height - 1 - u->bar_lines;
	draw_body(u, g);
	/* The detail has the whole name. */
	if (u->detail_x < 0 && ui_name_reserve(u, g))
		draw_body(u, g);
	ui_name_draw(u, g, u->body_y + u->body_height);
	timebar_draw(p, g, u->bar_y, u->bar_lines);
	cursor = draw_bottom(u, g, g->height - 1);
	if (ui_dialog_is_menu(u))
		menu_draw(&u->menu, g, u->body_y);
	else if (u->dialog && u->dialog->draw)
		u->dialog->draw(u, g);
	screen_end_part(u->screen, cursor, g->height - 1);
}
