/*
 * fleet: all nodes in one table, a row each: is it there, which firmware, where its time goes, what
 * was lost, and whether it is unlike the others of its firmware (core/fleet/odd.h). Enter shows a
 * node. It is over the whole screen; data go on. Its other pages are fleet_functions.c's.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/app/fleet.h"
#include "tui/app/whole.h"

#define WORK_NS (2 * CLOCK_SECOND / 1000)	/* of a turn of the loop */

enum { NAME_LONGEST = 24, FIRMWARES = 4 };

static const struct fleet_column {
	const char *title;
	struct table_column at;
	bool left;
	enum { OF_ALL, OF_BROKERS, OF_MANY } of;
} cells[FLEET_CELLS] = {
	[FLEET_NODE] = { "NODE", { 10, NAME_LONGEST, 0 }, true, OF_ALL },
	[FLEET_ID] = { "ID", { 8, 8, 4 }, true, OF_ALL },
	[FLEET_SITE] = { "SITE", { 7, 16, 6 }, true, OF_BROKERS },
	[FLEET_STATE] = { "STATE", { 9, 12, 1 }, true, OF_ALL },
	[FLEET_FIRMWARE] = { "FIRMWARE", { 8, 20, 5 }, true, OF_ALL },
	[FLEET_UP] = { "UP", { 5, 6, 7 }, false, OF_BROKERS },
	[FLEET_LOAD] = { "LOAD%", { 5, 5, 2 }, false, OF_ALL },
	[FLEET_TREND] = { "TREND", { 6, GATHER_TRAIL, 10 }, true, OF_MANY },
	[FLEET_HOOKS] = { "COST%", { 5, 5, 8 }, false, OF_ALL },
	[FLEET_LOST] = { "LOST", { 4, 7, 3 }, false, OF_ALL },
	[FLEET_CALLS] = { "CALLS/S", { 7, 7, 11 }, false, OF_ALL },
	[FLEET_FUNCTION] = { "MOST TIME IN", { 12, 28, 3 }, true, OF_ALL },
	[FLEET_SHARE] = { "SELF%", { 5, 5, 9 }, false, OF_ALL },
	[FLEET_PAST] = { "UNLIKE ITSELF", { 13, 44, 3 }, true, OF_ALL },
	[FLEET_ODD] = { "UNLIKE THE OTHERS", { 19, 44, 2 }, true, OF_ALL },
};

/* Where the rows begin. */
static int fleet_top(const struct fleet *f)
{
	return f->shown == FLEET_NODES && f->told_of ? FLEET_TOP : FLEET_TOP - 1;
}

static void fleet_sort_next(struct ui *u, int step)
{
	static const enum fleet_cell by[] = {
		FLEET_NODE, FLEET_LOAD, FLEET_HOOKS, FLEET_LOST, FLEET_UP, FLEET_CALLS,
		FLEET_FUNCTION, FLEET_SHARE, FLEET_PAST, FLEET_ODD,
	};
	const int count = sizeof(by) / sizeof(by[0]);
	struct fleet *f = u->fleet;
	int at = 0;

	while (by[at] != f->sorted)
		at++;
	f->sorted = by[(at + step + count) % count];
	f->unordered = true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* "×3.0 z 11.1 flash_write"; less than half of what is odd is not worth a word. */
static void score_draw(struct grid *g, struct table_span at, int y, bool odd, double times,
		       double z, const char *name)
{
	if (at.width && (odd || fabs(z) >= ODD_Z / 2))
		grid_textf(g, at.x, y, at.width, odd ? ROLE_BAD : ROLE_DIM, "×%.2g z %.1f %s",
			   times, z, name);
}

/* "41 d", ">3 h" where it may be more. */
static void up_draw(struct grid *g, struct table_span at, int y, const struct fleet_row *r)
{
	static const struct { double s; char unit; } units[] = {
		{ 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' },
	};
	char text[32] = "";
	size_t i = 0;

	while (i < 3 && r->up < units[i].s)
		i++;
	if (!isnan(r->up))
		snprintf(text, sizeof(text), "%s%.0f %c", r->begun ? "" : ">",
			 fmin(floor(r->up / units[i].s), 9999), units[i].unit);
	part_cell(g, at, y, ROLE_NUMBER, text);
}

/* The load of its last keyframes. */
static void trend_draw(const struct ui *u, struct grid *g, struct table_span at, int y,
		       const struct fleet_row *r)
{
	const struct gather_told *t = r->pane ? NULL : gather_told(u, r->node);
	float values[GATHER_TRAIL];
	size_t count = 0;

	for (size_t i = 0; t && i < GATHER_TRAIL; i++)
		if (t->trail[i] != GATHER_NO_LOAD)
			values[count++] = t->trail[i];
	if (at.width && count)
		grid_spark(g, at.x, y, (int)count < at.width ? (int)count : at.width, ROLE_BAR,
			   values, count, 100);
}

static void row_draw(const struct ui *u, const struct table_span *at, struct grid *g, int y,
		     const struct fleet_row *r, uint64_t now)
{
	char state[40], room[24];
	enum role role = fleet_row_state(u, r, now, state, sizeof(state)), of;
	uint32_t id = fleet_row_id(u, r);
	const char *firmware = fleet_row_firmware(u, r, &of);

	grid_text(g, at[FLEET_NODE].x, y, at[FLEET_NODE].width, ROLE_NAME,
		  fleet_row_title(u, r, room, sizeof(room)));
	if (at[FLEET_ID].width && (!r->pane || node_hello(r->pane->node)))
		grid_textf(g, at[FLEET_ID].x, y, at[FLEET_ID].width, ROLE_LABEL, "%08" PRIx32, id);
	if (at[FLEET_SITE].width)
		grid_text(g, at[FLEET_SITE].x, y, at[FLEET_SITE].width, ROLE_LABEL,
			  fleet_row_site(u, r));
	if (at[FLEET_STATE].width)
		grid_text(g, at[FLEET_STATE].x, y, at[FLEET_STATE].width, role, state);
	if (at[FLEET_FIRMWARE].width)
		grid_text(g, at[FLEET_FIRMWARE].x, y, at[FLEET_FIRMWARE].width, of, firmware);
	up_draw(g, at[FLEET_UP], y, r);
	part_percent(g, at[FLEET_LOAD], y, r->load);
	trend_draw(u, g, at[FLEET_TREND], y, r);
	part_percent(g, at[FLEET_HOOKS], y, r->hooks);
	part_calls(g, at[FLEET_LOST], y, r->lost ? ROLE_WARNING : ROLE_NUMBER, (double)r->lost,
		   false);
	part_count(g, at[FLEET_CALLS], y, r->calls_s);
	if (at[FLEET_FUNCTION].width)
		grid_text(g, at[FLEET_FUNCTION].x, y, at[FLEET_FUNCTION].width, ROLE_NAME,
			  fleet_row_function(u, r, FLEET_FUNCTION, room, sizeof(room)));
	part_percent(g, at[FLEET_SHARE], y, r->share);
	score_draw(g, at[FLEET_ODD], y, fabs(r->z) >= ODD_Z, r->times, r->z,
		   fleet_row_function(u, r, FLEET_ODD, room, sizeof(room)));
	score_draw(g, at[FLEET_PAST], y, r->past.odd, r->past.times, r->past.z,
		   fleet_row_function(u, r, FLEET_PAST, room, sizeof(room)));
}

static void group_draw(struct grid *g, int y, const struct fleet_group *at)
{
	grid_fill(g, 0, y, -1, ROLE_TAB, ' ');
	grid_textf(g, 0, y, -1, ROLE_TAB, "%s: %s nodes, %s live, %s unlike the others", at->name,
		   TEXT_WHOLE(at->nodes), TEXT_WHOLE(at->live), TEXT_WHOLE(at->odd));
}

static bool cell_is_there(const struct fleet *f, enum fleet_cell cell)
{
	if (cell == FLEET_SITE && !f->sum.many_sites)
		return false;
	return cells[cell].of == OF_ALL || f->many || (cells[cell].of == OF_BROKERS && f->told_of);
}

static void titles_draw(const struct fleet *f, struct grid *g, int y, struct table_span *spans)
{
	struct table_column c[FLEET_CELLS];

	for (size_t i = 0; i < FLEET_CELLS; i++)
		c[i] = cell_is_there(f, (enum fleet_cell)i) ? cells[i].at :
		       (struct table_column){ 0, 0, 0 };
	table_layout(c, FLEET_CELLS, g->width, spans);
	for (size_t i = 0; i < FLEET_CELLS; i++)
		part_title(g, spans[i], y, cells[i].title, cells[i].left,
			   i != f->sorted || i == FLEET_NODE ? 0 : f->inverted ? -1 : 1);
}

/* Behind what *dst says: messages that a bound left out. */
static void beyond_say(char *dst, size_t size, uint64_t messages, size_t bound, const char *of)
{
	if (messages)
		snprintf(dst + strlen(dst), size - strlen(dst), ", %s messages beyond %s %s left "
			 "out", TEXT_WHOLE(messages), TEXT_WHOLE(bound), of);
}

/* What a broker sent and is not shown; "" nothing. */
static void refused_say(const struct ui *u, char *dst, size_t size)
{
	struct carrier_count told = nodes_told(&u->nodes);
	struct crowd_tally tally = { { 0 }, 0 };
	uint64_t refused = told.refused, by_memory = told.by_memory;

	if (gather_crowd(u))
		crowd_tally(gather_crowd(u), &tally);
	for (int i = CROWD_FOREIGN; i < CROWD_RESULTS; i++)
		*(i == CROWD_NO_ROOM ? &by_memory : &refused) += tally.by[i];
	dst[0] = '\0';
	if (refused)
		snprintf(dst, size, ", %s messages refused", TEXT_WHOLE(refused));
	beyond_say(dst, size, by_memory, u->memory.limit >> 20, "MB");
	beyond_say(dst, size, told.by_nodes, told.most, "nodes");
	beyond_say(dst, size, told.by_sites, told.most_sites, "sites");
}

/* "12 nodes: 11 live, 1 unlike the others" */
static void summary_draw(const struct ui *u, struct grid *g)
{
	const struct fleet *f = u->fleet;
	char changed[60] = "", states[100] = "", refused[200] = "", shown[40] = "";

	if (f->sum.changed)
		snprintf(changed, sizeof(changed), ", %s unlike itself",
			 TEXT_WHOLE(f->sum.changed));
	if (f->many) {
		snprintf(states, sizeof(states), ", %s late, %s offline", TEXT_WHOLE(f->sum.late),
			 TEXT_WHOLE(f->sum.gone));
		refused_say(u, refused, sizeof(refused));
	}
	if (f->filter)
		snprintf(shown, sizeof(shown), "%s of ",
			 TEXT_WHOLE(f->list.count - f->group_count));
	grid_fill(g, 0, 0, -1, ROLE_TAB, ' ');
	grid_textf(g, 1, 0, -1, ROLE_TAB, "%s%s nodes: %s live%s, %s unlike the others%s%s", shown,
		   TEXT_WHOLE(f->count), TEXT_WHOLE(f->sum.live), states, TEXT_WHOLE(f->sum.odd),
		   changed, refused);
}

/* Of builds with an ELF the next by nodes: fewer than `before`, or as many from `from` on. */
static uint32_t firmware_behind(const struct crowd *c, size_t before, uint32_t from)
{
	uint32_t found = CROWD_NONE;

	for (uint32_t b = 0; b < crowd_builds(c); b++) {
		size_t nodes = crowd_build(c, b)->image ? crowd_build(c, b)->nodes : 0;

		if (nodes && (nodes < before || (nodes == before && b >= from)) &&
		    (found == CROWD_NONE || nodes > crowd_build(c, found)->nodes))
			found = b;
	}
	return found;
}

/* Figures of the last two seconds or more. */
static void traffic_follow(const struct ui *u, uint64_t now)
{
	struct carrier_count told = nodes_told(&u->nodes);
	struct fleet_traffic *t = &u->fleet->traffic, was = *t;
	double s = (double)(now - was.at_ns) / 1e9;

	u->fleet->told_of = told.nodes;
	if (was.at_ns && s < 2)
		return;
	*t = (struct fleet_traffic){
		.at_ns = now, .messages = told.messages, .bytes = told.bytes,
		.messages_s = was.at_ns ? (double)(told.messages - was.messages) / s : (double)NAN,
		.bytes_s = was.at_ns ? (double)(told.bytes - was.bytes) / s : (double)NAN,
	};
}

static void firmware_say(char *dst, size_t size, const char *name, size_t nodes)
{
	if (nodes)
		snprintf(dst + strlen(dst), size - strlen(dst), "%s%s %s", *dst ? ", " : "", name,
			 TEXT_WHOLE(nodes));
}

/* How many nodes run each firmware, most first. */
static void firmwares_say(const struct ui *u, char *dst, size_t size)
{
	const struct crowd *c = gather_crowd(u);
	size_t before = SIZE_MAX, left = 0;
	uint32_t at = 0;

	*dst = '\0';
	for (uint32_t b = 0; c && b < crowd_builds(c); b++)
		left += crowd_build(c, b)->nodes;
	for (int i = 0; c && i < FIRMWARES; i++) {
		at = firmware_behind(c, before, at);
		if (at == CROWD_NONE)
			break;
		before = crowd_build(c, at)->nodes;
		left -= before;
		firmware_say(dst, size, gather_elf(u, at++), before);
	}
	firmware_say(dst, size, at == CROWD_NONE ? "no ELF" : "others", left);
}

/* "v1.elf 9,012, v2.elf 857       4,004 messages/s  1.90 MB/s  12 lost" */
static void traffic_draw(const struct ui *u, struct grid *g)
{
	const struct fleet *f = u->fleet;
	char firmwares[400], text[120] = "", bytes[24];
	int width;

	if (!isnan(f->traffic.messages_s))
		snprintf(text, sizeof(text), "%.*f messages/s  %s/s  ",
			 f->traffic.messages_s < 10, f->traffic.messages_s,
			 text_bytes(bytes, sizeof(bytes), f->traffic.bytes_s));
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s lost",
		 TEXT_WHOLE(f->sum.lost));
	width = text_columns(text);
	firmwares_say(u, firmwares, sizeof(firmwares));
	grid_text(g, 1, 1, g->width - width - 4, ROLE_LABEL, firmwares);
	grid_text(g, g->width - width - 1, 1, width, f->sum.lost ? ROLE_WARNING : ROLE_LABEL, text);
}

static void line_draw(struct ui *u, const struct table_span *spans, struct grid *g, int y,
		      const struct fleet_line *at, uint64_t now)
{
	struct fleet *f = u->fleet;

	if (at->row == UINT32_MAX) {
		group_draw(g, y, &f->groups[at->group]);
		return;
	}
	if (!f->rows[at->row].pane)
		fleet_row_follow(u, &f->rows[at->row]);
	row_draw(u, spans, g, y, &f->rows[at->row], now);
}

static void nodes_draw(struct ui *u, struct grid *g, uint64_t now)
{
	static const struct ui_key_hint hints[] = {
		{ "Enter", "this node" }, { "<>", "sort" }, { "I", "invert" },
		{ "f", "filter" }, { "T", "group" }, { "Tab", "functions" }, { "q", "back" },
	};
	struct table_span spans[FLEET_CELLS];
	struct fleet *f = u->fleet;

	int top;

	traffic_follow(u, now);
	top = fleet_top(f);
	fleet_figures_follow(u, now);
	fleet_order(u, now);
	summary_draw(u, g);
	if (f->told_of)
		traffic_draw(u, g);
	titles_draw(f, g, top - 1, spans);
	f->page = g->height - 1 - top;
	list_show(&f->list, f->page);
	for (int y = 0; y < f->page && f->list.top + (size_t)y < f->list.count; y++) {
		line_draw(u, spans, g, y + top, &f->lines[f->list.top + (size_t)y], now);
		if (f->list.top + (size_t)y == f->list.cursor)
			grid_select_row(g, y + top);
	}
	if (f->typing)
		prompt_draw(&u->prompt, g, g->height - 1);
	else
		ui_draw_keys(g, hints, sizeof(hints) / sizeof(hints[0]));
}

static void fleet_draw(struct ui *u, struct grid *g)
{
	struct fleet *f = u->fleet;
	uint64_t now = clock_now();

	if (!fleet_rows_follow(u))
		return;
	grid_clear(g);
	f->page = g->height - FLEET_TOP;
	fleet_work(u, now + WORK_NS);
	f->news = false;
	if (f->shown == FLEET_NODES)
		nodes_draw(u, g, now);
	else
		fleet_page_draw(u, g, now);
	if (u->message[0] && !f->typing) {
		grid_fill(g, 0, g->height - 1, -1, ROLE_DEFAULT, ' ');
		grid_text(g, 0, g->height - 1, -1, u->message_bad ? ROLE_BAD : ROLE_GOOD,
			  u->message);
	}
}

/* What takes long for many nodes goes on between frames. */
bool ui_nodes_work(struct ui *u, uint64_t now)
{
	bool more = u->fleet && fleet_work(u, now + WORK_NS);

	if (u->fleet && (u->fleet->unordered || u->fleet->news))
		u->draw_soon = true;
	return more;
}

/* --- keys ------------------------------------------------------------------------------------- */

void ui_nodes_close(struct ui *u)
{
	struct fleet *f = u->fleet;

	if (!f)
		return;
	fleet_pages_release(f);
	fleet_work_release(f);
	fleet_rows_release(f);
	regex_free(f->filter);
	mem_free(f->rows);
	mem_free(f->lines);
	mem_free(f->groups);
	mem_free(f->ranks);
	mem_free(f->costs);
	mem_free(f);
	u->fleet = NULL;
}

static struct dialog_reply fleet_close(struct ui *u)
{
	ui_nodes_close(u);
	return DIALOG_CLOSED;
}

static size_t pane_index(const struct ui *u, const struct pane *p)
{
	size_t i = 0;

	while (i < u->pane_count && u->panes[i] != p)
		i++;
	return i < u->pane_count ? i : SIZE_MAX;
}

/* The pane of the selected line, opened if need be; SIZE_MAX: there is none. */
static size_t pane_selected(struct ui *u)
{
	const struct fleet *f = u->fleet;
	const struct fleet_row *r;
	uint32_t row;

	if (f->shown != FLEET_NODES) {
		size_t node = fleet_page_node(u);

		return node == CROWD_NONE ? SIZE_MAX : whole_open(u, node);
	}
	if (f->list.cursor >= f->list.count || !f->lines)
		return SIZE_MAX;
	row = f->lines[f->list.cursor].row;
	r = row == UINT32_MAX ? NULL : &f->rows[row];
	return !r ? SIZE_MAX : r->pane ? pane_index(u, r->pane) : whole_open(u, r->node);
}

static struct dialog_reply node_show(struct ui *u)
{
	size_t pane = pane_selected(u);

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
	const int top = fleet_top(u->fleet);
	size_t line = l->top + (size_t)(m->y - top);

	if (list_wheel(l, m->button, u->fleet->page) || m->y < top || line >= l->count)
		return stay;
	l->cursor = line;
	return m->button == 2 ? node_show(u) : stay;
}

static void nodes_filter(struct fleet *f, struct regex *filter)
{
	regex_free(f->filter);
	f->filter = filter;
	f->unordered = true;
	f->list.cursor = f->list.top = 0;
}

/* Takes effect as it is typed; a pattern that does not compile leaves the one before. */
static void nodes_filter_type(struct ui *u, uint32_t key)
{
	enum prompt_answer answer = prompt_key(&u->prompt, key);
	struct err err = { 0 };
	struct regex *filter;

	if (answer == PROMPT_DONE || answer == PROMPT_CANCELLED)
		u->fleet->typing = false;
	if (answer == PROMPT_CANCELLED)
		nodes_filter(u->fleet, NULL);
	if (answer != PROMPT_EDITED)
		return;
	u->prompt.trouble[0] = '\0';
	filter = u->prompt.len ? regex_new(u->prompt.text, &err) : NULL;
	if (err_is_set(&err))
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s", err.text);
	else
		nodes_filter(u->fleet, filter);
}

static void nodes_filter_ask(struct ui *u)
{
	struct fleet *f = u->fleet;

	prompt_open(&u->prompt, "Filter:", f->filter ? regex_pattern(f->filter) : "", NULL);
	f->typing = true;
}

/* Of the page of nodes. False: it is another page's. */
static bool nodes_act(struct ui *u, enum action a)
{
	struct fleet *f = u->fleet;

	if (f->shown != FLEET_NODES)
		return false;
	if (a == ACTION_SORT_NEXT || a == ACTION_SORT_PREVIOUS) {
		fleet_sort_next(u, a == ACTION_SORT_NEXT ? 1 : -1);
	} else if (a == ACTION_INVERT) {
		f->inverted = !f->inverted;
	} else if (a == ACTION_GROUP) {
		f->grouped = (f->grouped + 1) % GROUPS;
		if (f->grouped == GROUP_SITE && !f->told_of)
			f->grouped = GROUP_NONE;
	} else if (a == ACTION_FILTER) {
		nodes_filter_ask(u);
	} else {
		return false;
	}
	f->unordered = true;
	return true;
}

static struct dialog_reply fleet_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	static const struct dialog_reply stay = { .stay = true };
	struct fleet *f = u->fleet;
	enum action a = keymap_of_key(&u->settings.keys, key);

	if (key == KEY_MOUSE_)
		return fleet_mouse(u, mouse);
	if (f->typing) {
		nodes_filter_type(u, key);
		return stay;
	}
	if (key == '\r' || a == ACTION_ENTER)
		return node_show(u);
	if (f->filter && f->shown == FLEET_NODES && (key == 27 || a == ACTION_CANCEL)) {
		nodes_filter(f, NULL);
		return stay;
	}
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
	else if (!nodes_act(u, a))
		list_act(fleet_list(f), a, f->page);
	return stay;
}

void ui_ask_nodes(struct ui *u)
{
	static const struct dialog dialog = { .draw = fleet_draw, .key = fleet_key };

	if (u->pane_count < 2 && !gather_is_many(u)) {
		ui_say(u, false, "there is only one node; give -p for each");
		return;
	}
	u->fleet = mem_zalloc(sizeof(*u->fleet));
	if (!u->fleet) {
		ui_say(u, true, "out of memory");
		return;
	}
	u->fleet->list.cursor = gather_is_many(u) ? 0 : u->current;
	u->fleet->build = u->fleet->before = CROWD_NONE;
	ui_open_dialog(u, &dialog);
}
