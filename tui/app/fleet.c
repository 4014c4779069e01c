/*
 * fleet: all nodes in one table, a row each: is it there, which firmware, where its time goes, what
 * was lost, and whether it is unlike the others of its firmware (core/fleet/odd.h). Enter shows a
 * node. It is over the whole screen; data go on. Its other pages are fleet_functions.c's.
 *
 * A node's figures are made again once a second, in turn, for so long as a key may wait: with many
 * nodes they are older.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/losses.h"
#include "tui/app/fleet.h"

#define FRESH_NS CLOCK_SECOND
#define WORK_NS (4 * CLOCK_SECOND / 1000)	/* of a frame */
#define LATE_NS (5 * CLOCK_SECOND)	/* without a byte */

enum { SECONDS = 10, NAME_LONGEST = 24 };

enum fleet_cell {
	FLEET_NODE, FLEET_ID, FLEET_STATE, FLEET_FIRMWARE, FLEET_LOAD, FLEET_HOOKS, FLEET_LOST,
	FLEET_CALLS, FLEET_FUNCTION, FLEET_SHARE, FLEET_PAST, FLEET_ODD, FLEET_CELLS,
};

static const struct fleet_column {
	const char *title;
	struct table_column at;
	bool left;
} cells[FLEET_CELLS] = {
	[FLEET_NODE] = { "NODE", { 10, NAME_LONGEST, 0 }, true },
	[FLEET_ID] = { "ID", { 8, 8, 6 }, true },
	[FLEET_STATE] = { "STATE", { 10, 10, 1 }, true },
	[FLEET_FIRMWARE] = { "FIRMWARE", { 8, 20, 4 }, true },
	[FLEET_LOAD] = { "LOAD%", { 5, 5, 2 }, false },
	[FLEET_HOOKS] = { "COST%", { 5, 5, 6 }, false },
	[FLEET_LOST] = { "LOST", { 5, 7, 3 }, false },
	[FLEET_CALLS] = { "CALLS/S", { 7, 7, 7 }, false },
	[FLEET_FUNCTION] = { "MOST TIME IN", { 12, 28, 3 }, true },
	[FLEET_SHARE] = { "SELF%", { 5, 5, 3 }, false },
	[FLEET_PAST] = { "UNLIKE ITSELF", { 20, 44, 8 }, true },
	[FLEET_ODD] = { "UNLIKE THE OTHERS", { 20, 44, 2 }, true },
};

/* --- figures ---------------------------------------------------------------------------------- */

static int share_order(const void *a, const void *b)
{
	const struct odd_share *x = a, *y = b;

	return (x->share < y->share) - (x->share > y->share);
}

/* The functions with most time, of those that are known by calls and self time. */
static void shares_take(struct fleet_row *r, const struct profile *p)
{
	struct odd_share *all = mem_zalloc((p->function_count + 1) * sizeof(*all));
	size_t n = 0;

	r->share = (double)NAN;
	r->function[0] = '\0';
	r->share_count = 0;
	for (size_t i = 0; all && i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		double share = f->self_s / p->totals.shares_s;

		if (!(share > 0))
			continue;
		if (isnan(r->share) || share > r->share) {
			r->share = share;
			snprintf(r->function, sizeof(r->function), "%s", f->name);
		}
		if (f->called && profile_has_address(f))
			all[n++] = (struct odd_share){ f->address, share, (double)f->calls };
	}
	if (all)
		qsort(all, n, sizeof(*all), share_order);
	for (; all && r->share_count < n && r->share_count < FLEET_SHARES; r->share_count++)
		r->shares[r->share_count] = all[r->share_count];
	mem_free(all);
}

static void row_make(struct fleet_row *r, uint64_t now)
{
	struct node *n = r->pane->node;
	struct profile *p = node_profile(n);
	struct health_sample last = health_sum(node_health(n), SECONDS);
	double duty[DUTIES];

	r->made_ns = now;
	health_duty(&last, duty);
	r->load = 1 - duty[DUTY_ASLEEP];
	r->hooks = duty[DUTY_HOOKS];
	r->lost = node_stats(n)->lost + (node_status(n) ? losses_missing(node_status(n)) : 0);
	if (profile_compute(p) < 0)
		return;
	r->pane->behind = true;		/* views have yet to learn of it */
	r->calls_s = p->rate_calls;
	shares_take(r, p);
}

/* Of the nodes of one firmware. */
static bool is_alike(const struct node *a, const struct node *b)
{
	const struct wire_identity *x = node_identity(a), *y = node_identity(b);

	if (node_image(a) || node_image(b))
		return node_image(a) && node_image(b) &&
		       !strcmp(image_path(node_image(a)), image_path(node_image(b)));
	return x && y && x->kind != WIRE_IDENTITY_NONE && build_same(x, y);
}

static void odd_take(struct fleet_row *r, const struct odd_node *odd)
{
	uint32_t f = isnan(odd->z) ? PROFILE_NONE :
		     profile_find_address(node_profile(r->pane->node), odd->function);

	r->z = f == PROFILE_NONE ? (double)NAN : odd->z;
	r->times = odd->times;
	if (f != PROFILE_NONE)
		snprintf(r->odd, sizeof(r->odd), "%s",
			 node_profile(r->pane->node)->functions[f].name);
}

/* Each group of nodes of one firmware is judged by itself. */
static void odd_judge(struct fleet *f)
{
	struct odd_node *nodes = mem_zalloc((f->count + 1) * sizeof(*nodes));
	size_t *which = mem_zalloc((f->count + 1) * sizeof(*which));
	bool *judged = mem_zalloc((f->count + 1) * sizeof(*judged));

	for (size_t i = 0; nodes && which && judged && i < f->count; i++) {
		size_t n = 0;

		for (size_t k = i; !judged[i] && k < f->count; k++) {
			const struct fleet_row *r = &f->rows[k];

			if (judged[k] ||
			    (k != i && !is_alike(f->rows[i].pane->node, r->pane->node)))
				continue;
			which[n] = k;
			nodes[n++] = (struct odd_node){ r->shares, r->share_count };
		}
		odd_find(nodes, n);
		for (size_t k = 0; k < n; k++) {
			odd_take(&f->rows[which[k]], &nodes[k]);
			judged[which[k]] = true;
		}
	}
	mem_free(nodes);
	mem_free(which);
	mem_free(judged);
}

/* Each build by itself, over the last two times that a node's counts were taken (gather.h). */
static void past_judge(struct ui *u)
{
	struct crowd *c = gather_crowd(u);
	size_t count = c ? crowd_count(c) : 0;
	struct judge_past *found = mem_alloc((count + 1) * sizeof(*found));
	struct fleet *f = u->fleet;

	for (size_t i = 0; found && i < count; i++)
		found[i] = (struct judge_past){ .function = BUILD_NONE, .z = (double)NAN };
	for (uint32_t b = 0; found && c && b < crowd_builds(c); b++)
		judge_pasts(c, b, found);
	for (size_t i = 0; found && i < f->count; i++) {
		struct fleet_row *r = &f->rows[i];
		size_t node = gather_node(u, i);
		const struct build_function *at;

		r->past = (struct judge_past){ .function = BUILD_NONE, .z = (double)NAN };
		if (node == CROWD_NONE || found[node].function == BUILD_NONE)
			continue;
		r->past = found[node];
		at = &crowd_build(c, crowd_node(c, node)->build)->functions[r->past.function];
		if (at->name)
			snprintf(r->changed, sizeof(r->changed), "%s", at->name);
		else
			snprintf(r->changed, sizeof(r->changed), "%#" PRIx64, at->address);
	}
	mem_free(found);
}

/* --- order ------------------------------------------------------------------------------------ */

/* Higher ones first. */
static double row_rank(const struct fleet_row *r, enum fleet_cell by)
{
	double value = by == FLEET_LOAD ? r->load : by == FLEET_HOOKS ? r->hooks :
		       by == FLEET_LOST ? (double)r->lost : by == FLEET_CALLS ? r->calls_s :
		       by == FLEET_SHARE ? r->share : by == FLEET_ODD ? fabs(r->z) :
		       by == FLEET_PAST ? fabs(r->past.z) : 0;

	return isnan(value) ? -1 : value;
}

static int row_compare(const struct fleet *f, size_t a, size_t b)
{
	const struct fleet_row *x = &f->rows[a], *y = &f->rows[b];
	double before = row_rank(x, f->sorted), behind = row_rank(y, f->sorted);
	int by = 0;

	if (f->sorted == FLEET_FUNCTION)
		by = strcmp(x->function, y->function);
	else
		by = (before < behind) - (before > behind);
	by = f->inverted ? -by : by;
	return by ? by : (a > b) - (a < b);
}

/* Few change their places between two frames. */
static void fleet_order(struct fleet *f)
{
	for (size_t i = 1; i < f->count; i++) {
		size_t row = f->order[i], k = i;

		for (; k > 0 && row_compare(f, f->order[k - 1], row) > 0; k--)
			f->order[k] = f->order[k - 1];
		f->order[k] = row;
	}
}

static void fleet_sort_next(struct ui *u, int step)
{
	static const enum fleet_cell by[] = {
		FLEET_NODE, FLEET_LOAD, FLEET_HOOKS, FLEET_LOST, FLEET_CALLS, FLEET_FUNCTION,
		FLEET_SHARE, FLEET_PAST, FLEET_ODD,
	};
	const int count = sizeof(by) / sizeof(by[0]);
	struct fleet *f = u->fleet;
	int at = 0;

	while (by[at] != f->sorted)
		at++;
	f->sorted = by[(at + step + count) % count];
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* New nodes come at the end. False: no memory. */
static bool rows_follow(struct ui *u)
{
	struct fleet *f = u->fleet;

	if (mem_grow(&f->rows, &f->cap, u->pane_count, sizeof(*f->rows)) < 0 ||
	    mem_grow(&f->order, &f->order_cap, u->pane_count, sizeof(*f->order)) < 0)
		return false;
	for (; f->count < u->pane_count; f->count++) {
		f->rows[f->count] = (struct fleet_row){
			.pane = u->panes[f->count], .load = (double)NAN, .hooks = (double)NAN,
			.calls_s = (double)NAN, .share = (double)NAN, .z = (double)NAN,
			.past = { .z = (double)NAN },
		};
		f->order[f->count] = f->count;
	}
	f->list.count = f->count;
	return true;
}

static void figures_follow(struct ui *u, uint64_t now)
{
	uint64_t begin = clock_now();
	struct fleet *f = u->fleet;

	for (size_t i = 0; i < f->count && clock_now() - begin < WORK_NS; i++) {
		struct fleet_row *r = &f->rows[f->next % f->count];

		f->next++;
		if (!r->made_ns || now - r->made_ns >= FRESH_NS)
			row_make(r, now);
	}
	if (now >= f->odd_ns) {
		begin = clock_now();
		odd_judge(f);
		past_judge(u);
		f->odd_ns = fleet_due(begin, FRESH_NS);
	}
}

static enum role state_of(const struct node *n, uint64_t now, char *dst, size_t size)
{
	const struct link *l = node_link(n);
	char since[24];

	switch (link_state(l)) {
	case LINK_CONNECTING:
		snprintf(dst, size, "connecting");
		return ROLE_WARNING;
	case LINK_WAITING:
		text_span(since, sizeof(since), now - link_since(l));
		snprintf(dst, size, "gone %s", since);
		return ROLE_BAD;
	case LINK_ENDED:
		snprintf(dst, size, "ended");
		return ROLE_LABEL;
	default:
		break;
	}
	if (link_is_live(l) && now - node_heard(n) > LATE_NS) {
		text_span(since, sizeof(since), now - node_heard(n));
		snprintf(dst, size, "late %s", since);
		return ROLE_WARNING;
	}
	snprintf(dst, size, link_is_live(l) ? "live" : "playing");
	return ROLE_GOOD;
}

static void firmware_draw(struct grid *g, struct table_span at, int y, const struct node *n)
{
	const struct image *image = node_image(n);

	if (!at.width)
		return;
	if (image)
		grid_text(g, at.x, y, at.width, ROLE_VALUE, text_basename(image_path(image)));
	else
		grid_text(g, at.x, y, at.width, node_image_refused(n) ? ROLE_BAD : ROLE_DIM,
			  node_image_refused(n) ? "another" : "no ELF");
}

/* "×3.0 z 11.1 flash_write"; less than half of what is odd is not worth a word. */
static void odd_draw(struct grid *g, struct table_span at, int y, const struct fleet_row *r)
{
	if (at.width && fabs(r->z) >= ODD_Z / 2)
		grid_textf(g, at.x, y, at.width, fabs(r->z) >= ODD_Z ? ROLE_BAD : ROLE_DIM,
			   "×%.2g z %.1f %s", r->times, r->z, r->odd);
}

static void past_draw(struct grid *g, struct table_span at, int y, const struct fleet_row *r)
{
	if (at.width && (r->past.odd || fabs(r->past.z) >= ODD_Z / 2))
		grid_textf(g, at.x, y, at.width, r->past.odd ? ROLE_BAD : ROLE_DIM,
			   "×%.2g z %.1f %s", r->past.times, r->past.z, r->changed);
}

static void row_draw(const struct table_span *at, struct grid *g, int y, const struct fleet_row *r,
		     uint64_t now)
{
	const struct node *n = r->pane->node;
	char state[40];
	enum role role = state_of(n, now, state, sizeof(state));

	grid_text(g, at[FLEET_NODE].x, y, at[FLEET_NODE].width, ROLE_NAME, node_title(n));
	if (node_hello(n) && at[FLEET_ID].width)
		grid_textf(g, at[FLEET_ID].x, y, at[FLEET_ID].width, ROLE_LABEL, "%08" PRIx32,
			   node_hello(n)->id);
	if (at[FLEET_STATE].width)
		grid_text(g, at[FLEET_STATE].x, y, at[FLEET_STATE].width, role, state);
	firmware_draw(g, at[FLEET_FIRMWARE], y, n);
	part_percent(g, at[FLEET_LOAD], y, r->load);
	part_percent(g, at[FLEET_HOOKS], y, r->hooks);
	part_calls(g, at[FLEET_LOST], y, r->lost ? ROLE_WARNING : ROLE_NUMBER, (double)r->lost,
		   false);
	part_count(g, at[FLEET_CALLS], y, r->calls_s);
	if (at[FLEET_FUNCTION].width)
		grid_text(g, at[FLEET_FUNCTION].x, y, at[FLEET_FUNCTION].width, ROLE_NAME,
			  r->function);
	part_percent(g, at[FLEET_SHARE], y, r->share);
	odd_draw(g, at[FLEET_ODD], y, r);
	past_draw(g, at[FLEET_PAST], y, r);
}

static void titles_draw(const struct fleet *f, struct grid *g, int y, struct table_span *spans)
{
	struct table_column c[FLEET_CELLS];

	for (size_t i = 0; i < FLEET_CELLS; i++)
		c[i] = cells[i].at;
	table_layout(c, FLEET_CELLS, g->width, spans);
	for (size_t i = 0; i < FLEET_CELLS; i++)
		part_title(g, spans[i], y, cells[i].title, cells[i].left,
			   i != f->sorted || i == FLEET_NODE ? 0 : f->inverted ? -1 : 1);
}

/* "12 nodes: 11 live, 1 odd" */
static void summary_draw(const struct fleet *f, struct grid *g, uint64_t now)
{
	size_t live = 0, odd = 0, changed = 0;
	char state[40];

	for (size_t i = 0; i < f->count; i++) {
		live += state_of(f->rows[i].pane->node, now, state, sizeof(state)) == ROLE_GOOD;
		odd += fabs(f->rows[i].z) >= ODD_Z;
		changed += f->rows[i].past.odd;
	}
	grid_fill(g, 0, 0, -1, ROLE_TAB, ' ');
	if (changed)
		snprintf(state, sizeof(state), ", %zu unlike itself", changed);
	grid_textf(g, 1, 0, -1, ROLE_TAB, "%zu nodes: %zu live, %zu unlike the others%s", f->count,
		   live, odd, changed ? state : "");
}

static void nodes_draw(struct ui *u, struct grid *g, uint64_t now)
{
	static const struct ui_key_hint hints[] = {
		{ "Enter", "this node" }, { "<>", "sort" }, { "I", "invert" },
		{ "Tab", "functions" }, { "q", "back" },
	};
	struct table_span spans[FLEET_CELLS];
	struct fleet *f = u->fleet;

	figures_follow(u, now);
	fleet_order(f);
	summary_draw(f, g, now);
	titles_draw(f, g, 1, spans);
	list_show(&f->list, f->page);
	for (int y = 0; y < f->page && f->list.top + (size_t)y < f->count; y++) {
		row_draw(spans, g, y + 2, &f->rows[f->order[f->list.top + (size_t)y]], now);
		if (f->list.top + (size_t)y == f->list.cursor)
			grid_select_row(g, y + 2);
	}
	ui_draw_keys(g, hints, sizeof(hints) / sizeof(hints[0]));
}

static void fleet_draw(struct ui *u, struct grid *g)
{
	struct fleet *f = u->fleet;
	uint64_t now = clock_now();

	if (!rows_follow(u))
		return;
	grid_clear(g);
	f->page = g->height - FLEET_TOP;
	if (f->shown == FLEET_NODES)
		nodes_draw(u, g, now);
	else
		fleet_page_draw(u, g, now);
}

/* --- keys ------------------------------------------------------------------------------------- */

void ui_nodes_close(struct ui *u)
{
	if (!u->fleet)
		return;
	fleet_pages_release(u->fleet);
	mem_free(u->fleet->rows);
	mem_free(u->fleet->order);
	mem_free(u->fleet);
	u->fleet = NULL;
}

static struct dialog_reply fleet_close(struct ui *u)
{
	ui_nodes_close(u);
	return DIALOG_CLOSED;
}

static struct dialog_reply node_show(struct ui *u)
{
	const struct fleet *f = u->fleet;
	size_t pane = f->shown != FLEET_NODES ? fleet_page_pane(u) :
		      f->list.cursor < f->count ? f->order[f->list.cursor] : u->current;

	if (pane == SIZE_MAX)
		return (struct dialog_reply){ .stay = true };
	u->current = pane;
	pane_refresh(ui_pane(u));
	ui_pane(u)->stale[u->view] = true;
	return fleet_close(u);
}

static struct dialog_reply fleet_mouse(struct ui *u, const struct screen_mouse *m)
{
	static const struct dialog_reply stay = { .stay = true };
	struct list *l = fleet_list(u->fleet);
	size_t line = l->top + (size_t)(m->y - 2);

	if (list_wheel(l, m->button, u->fleet->page) || m->y < 2 || line >= l->count)
		return stay;
	l->cursor = line;
	return m->button == 2 ? node_show(u) : stay;
}

static struct dialog_reply fleet_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	static const struct dialog_reply stay = { .stay = true };
	struct fleet *f = u->fleet;
	enum action a = keymap_of_key(&u->settings.keys, key);

	if (key == KEY_MOUSE_)
		return fleet_mouse(u, mouse);
	if (key == '\r' || a == ACTION_ENTER)
		return node_show(u);
	if (key == 27 || a == ACTION_CANCEL || a == ACTION_BACK || a == ACTION_NODES)
		return fleet_close(u);
	if (a == ACTION_QUIT) {
		fleet_close(u);
		return (struct dialog_reply){ .go = a };
	}
	if (a == ACTION_VIEW_NEXT || a == ACTION_VIEW_PREVIOUS)
		f->shown = (f->shown + (a == ACTION_VIEW_NEXT ? 1 : FLEET_PAGES - 1)) % FLEET_PAGES;
	else if (a == ACTION_LEFT || a == ACTION_RIGHT)
		fleet_build_step(u, a == ACTION_RIGHT ? 1 : -1);
	else if (a == ACTION_SORT_NEXT || a == ACTION_SORT_PREVIOUS)
		fleet_sort_next(u, a == ACTION_SORT_NEXT ? 1 : -1);
	else if (a == ACTION_INVERT)
		f->inverted = !f->inverted;
	else
		list_act(fleet_list(f), a, f->page);
	return stay;
}

void ui_ask_nodes(struct ui *u)
{
	static const struct dialog dialog = { .draw = fleet_draw, .key = fleet_key };

	if (u->pane_count < 2) {
		ui_say(u, false, "there is only one node; give -p for each");
		return;
	}
	u->fleet = mem_zalloc(sizeof(*u->fleet));
	if (!u->fleet) {
		ui_say(u, true, "out of memory");
		return;
	}
	u->fleet->list.cursor = u->current;
	u->fleet->build = u->fleet->before = CROWD_NONE;
	ui_open_dialog(u, &dialog);
}
