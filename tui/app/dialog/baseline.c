/*
 * baseline: set the baseline: what was before a mark, the profile of now, a snapshot, a recording,
 * what ran before.
 */
#include "tui/app/dialog/baseline.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/profile/raw/copy.h"
#include "core/import/import.h"
#include "tui/app/ui/ui.h"
#include "tui/view/compare/compare.h"

enum { PIECE = 512 * 1024 };		/* bytes decoded between two looks at the keyboard */

#define SAID_NS (CLOCK_SECOND / 4)	/* between two words on how far it is */

/* --- one is set ------------------------------------------------------------------------------- */

/* The mark belongs to its own baseline. */
static void mark_clear(struct ui *u)
{
	for (size_t i = 0; i < u->pane_count; i++) {
		u->panes[i]->mark_ns = 0;
		if (u->panes[i]->shared.span == SPAN_MARK)
			u->panes[i]->shared.span = SPAN_START;
	}
}

static void baseline_set(struct ui *u, size_t pane, struct profile *baseline, const char *name)
{
	mark_clear(u);
	pane_set_baseline(u->panes[pane], baseline, name);
	ui_say(u, false, views[u->view] == &view_compare_ops ? "compared with %s" :
	       "compared with %s; {view-compare} shows the changes", name);
}

static void baseline_set_copy(struct ui *u, const struct profile *p, const char *name)
{
	struct profile *copy = p ? profile_copy(p) : NULL;

	if (copy)
		baseline_set(u, u->current, copy, name);
	else
		ui_say(u, true,
		       p ? "out of memory: no baseline" : "no data to compare with yet");
}

static void baseline_set_now(struct ui *u)
{
	struct pane *p = ui_pane(u);
	char name[64];

	pane_refresh(p);
	pane_sync(p, u->view);
	if (p->past.held)
		past_name(&p->past, p->node, &p->stretch, p->shared.span, 40, name, sizeof(name));
	else if (p->stretch.history)
		past_clock(p->node, p->stretch.history, p->stretch.end_ns, name, sizeof(name));
	else
		text_wall(name, sizeof(name), clock_wall());
	baseline_set_copy(u, p->shared.model.profile, name);
}

/* --- before and since a mark ------------------------------------------------------------------ */

/* The moment that a mark here would follow; false: nothing can come after it, or there is none. */
static bool mark_find(struct ui *u, const struct history **h, size_t *at)
{
	const struct pane *p = ui_pane(u);

	*h = past_history(&p->past, p->node);
	if (!*h || p->past.exact || p->past.window != PAST_WINDOW_NONE)
		return false;
	*at = p->past.held ? history_find(*h, p->past.at_ns) : history_count(*h) - 1;
	return *at + 1 < history_count(*h) || (!p->past.held && !node_ended(p->node));
}

/* All nodes show what comes after the mark. */
static void mark_show(struct ui *u, uint64_t mark_ns)
{
	u->frozen = false;
	for (size_t i = 0; i < u->pane_count; i++) {
		struct pane *p = u->panes[i];

		if (p->past.held)
			pane_thaw(p);
		p->mark_ns = mark_ns;
		p->shared.span = SPAN_MARK;
	}
}

static void baseline_set_mark(struct ui *u)
{
	struct pane *p = ui_pane(u);
	const struct history *h;
	struct history_moment m;
	struct profile *before;
	struct err err = { 0 };
	char at[24], name[48];
	size_t last;

	if (!p->past.held)
		node_moment(p->node);
	if (!mark_find(u, &h, &last))
		return;
	before = history_window(h, history_start(h, last), last + 1, &err);
	if (!before) {
		ui_say(u, true, "%s", err.text);
		return;
	}
	history_moment(h, last, &m);
	snprintf(name, sizeof(name), "before %s",
		 past_clock(p->node, h, m.time_ns, at, sizeof(at)));
	baseline_set(u, u->current, before, name);
	mark_show(u, m.time_ns);
	ui_say(u, false, "compared with %s; figures are since then, {span} shows other times",
	       name);
}

/* --- files ------------------------------------------------------------------------------------ */

static void snapshot_load(struct ui *u, const char *path)
{
	struct err err = { 0 };
	struct profile *p = import_read(path, 0, &err);

	if (p)
		baseline_set(u, u->current, p, text_basename(path));
	else
		ui_say(u, true, "%s", err.text);
}

/* Decoded as the current node is, with whichever of the ELFs fits. */
static void recording_load(struct ui *u, const char *path)
{
	struct baselines *b = &u->baselines;
	struct node_options o;
	struct err err = { 0 };
	char source[4200];

	ui_baseline_stop(u);
	options_node(u->options, u->current, &o);
	baseline_options(&o, path, source, sizeof(source));
	b->loading = node_new(&o, &err);
	if (!b->loading) {
		ui_say(u, true, "%s", err.text);
		return;
	}
	snprintf(b->name, sizeof(b->name), "%s", text_basename(path));
	b->pane = u->current;
	b->said_ns = 0;
}

void ui_baseline_file(struct ui *u, const char *path)
{
	struct err err = { 0 };

	switch (baseline_kind_of(path, &err)) {
	case FIND_RECORDING: recording_load(u, path); break;
	case FIND_SNAPSHOT: snapshot_load(u, path); break;
	default: ui_say(u, true, "%s", err.text);
	}
}

/* --- a recording, piece by piece -------------------------------------------------------------- */

bool ui_baseline_stop(struct ui *u)
{
	struct baselines *b = &u->baselines;

	if (!b->loading)
		return false;
	node_free(b->loading);
	b->loading = NULL;
	return true;
}

static void recording_take(struct ui *u)
{
	struct baselines *b = &u->baselines;
	struct err err = { 0 };
	struct profile *taken = baseline_taken(b->loading, &err);

	if (taken)
		baseline_set(u, b->pane, taken, b->name);
	else
		ui_say(u, true, "%s", err.text);
	if (taken && node_image_refused(b->loading))
		ui_say(u, true, "compared with %s by address: its firmware is different; give its "
		       "ELF too (-e)", b->name);
	ui_baseline_stop(u);
}

void ui_baseline_service(struct ui *u, uint64_t now)
{
	struct baselines *b = &u->baselines;

	if (!b->loading)
		return;
	node_service(b->loading, now, PIECE);
	/* Names come when the image has read its own. */
	if (node_ended(b->loading) && node_image_is_read(b->loading)) {
		recording_take(u);
		return;
	}
	if (now - b->said_ns < SAID_NS)
		return;
	b->said_ns = now;
	keymap_print(&u->settings.keys, u->message, sizeof(u->message),
		     "reading %s: %.0f %%; {cancel} stops", b->name,
		     100 * link_progress(node_link(b->loading)));
	u->message_bad = false;
	u->draw_soon = true;
}

/* --- the menu --------------------------------------------------------------------------------- */

static void offer_add(struct ui *u, enum baseline_kind kind, size_t find, const char *label,
		      const char *help)
{
	struct baselines *b = &u->baselines;

	if (b->count == sizeof(b->offers) / sizeof(b->offers[0]))
		return;
	b->offers[b->count].kind = kind;
	b->offers[b->count++].find = find;
	menu_add(&u->menu, label, help);
}

static bool is_same_day(const struct tm *a, const struct tm *b)
{
	return a->tm_yday == b->tm_yday && a->tm_year == b->tm_year;
}

/* "recording of 12:03, 1.20 MB"; of another day: its date. */
static void find_text(char *dst, size_t size, const struct find *f)
{
	time_t now = time(NULL);
	char when[32], bytes[24];
	struct tm then, today;

	localtime_r(&f->changed.tv_sec, &then);
	localtime_r(&now, &today);
	strftime(when, sizeof(when), is_same_day(&then, &today) ? "%H:%M" : "%Y-%m-%d", &then);
	snprintf(dst, size, "%s of %s, %s",
		 f->kind == FIND_SNAPSHOT ? "snapshot" : "recording", when,
		 text_bytes(bytes, sizeof(bytes), (double)f->size));
}

static void offer_finds(struct ui *u)
{
	const struct finds *f = &u->baselines.finds;
	char help[80];

	for (size_t i = 0; i < f->count; i++) {
		find_text(help, sizeof(help), &f->items[i]);
		offer_add(u, BASELINE_FOUND, i, f->items[i].name, help);
	}
}

static void offer_kept(struct ui *u)
{
	const struct node *n = ui_pane(u)->node;

	if (node_before_image(n))
		offer_add(u, BASELINE_BEFORE, 0, "before the change",
			  "the previous firmware");
	if (node_before_reset(n))
		offer_add(u, BASELINE_RESTART, 0, "before the reset",
			  "the counts up to the reset");
}

static void ask_path(struct ui *u);

static struct dialog_reply baseline_done(struct ui *u)
{
	const struct node *n = ui_pane(u)->node;
	const struct baselines *b = &u->baselines;
	size_t i = u->menu.list.cursor;

	if (i >= b->count)
		return DIALOG_CLOSED;
	switch (b->offers[i].kind) {
	case BASELINE_MARK: baseline_set_mark(u); break;
	case BASELINE_NOW: baseline_set_now(u); break;
	case BASELINE_BEFORE:
		baseline_set_copy(u, node_before_image(n), "before the change");
		break;
	case BASELINE_RESTART:
		baseline_set_copy(u, node_before_reset(n), "before the reset");
		break;
	case BASELINE_FOUND:
		ui_baseline_file(u, b->finds.items[b->offers[i].find].name);
		break;
	case BASELINE_FILE: ask_path(u); break;
	case BASELINE_NONE:
		mark_clear(u);
		pane_set_baseline(ui_pane(u), NULL, "");
		ui_say(u, false, "baseline cleared");
		break;
	}
	return DIALOG_CLOSED;
}

static const struct dialog baseline_dialog = { .done = baseline_done };

void ui_ask_baseline(struct ui *u)
{
	struct baselines *b = &u->baselines;
	const struct history *h;
	size_t last;

	finds_look(&b->finds, ".");
	b->count = 0;
	menu_open(&u->menu, "Compare with");
	if (mark_find(u, &h, &last))
		offer_add(u, BASELINE_MARK, 0, "before/after",
			  "the time before this moment, against the time after");
	offer_add(u, BASELINE_NOW, 0, "now", "the profile shown now");
	offer_kept(u);
	offer_finds(u);
	offer_add(u, BASELINE_FILE, 0, "a file...",
		  "a snapshot or a recording: type its path");
	if (ui_pane(u)->baseline)
		offer_add(u, BASELINE_NONE, 0, "none", "clear the baseline");
	ui_open_dialog(u, &baseline_dialog);
}

/* --- a file elsewhere ------------------------------------------------------------------------- */

static struct dialog_reply path_done(struct ui *u)
{
	char path[PROMPT_TEXT * 2];

	if (u->prompt.len)
		ui_baseline_file(u, file_expand(u->prompt.text, path, sizeof(path)));
	return DIALOG_CLOSED;
}

static const struct dialog path_dialog = { .edited = ui_prompt_clear, .done = path_done };

static void ask_path(struct ui *u)
{
	prompt_open(&u->prompt, "Compare with:", "", NULL);
	ui_open_dialog(u, &path_dialog);
}

/* --- the compare view's order ----------------------------------------------------------------- */

static struct dialog_reply order_done(struct ui *u)
{
	compare_sort_by(ui_pane(u)->views[u->view], u->menu.list.cursor);
	pane_stale(ui_pane(u));
	return DIALOG_CLOSED;
}

static const struct dialog order_dialog = { .done = order_done };

void ui_ask_order(struct ui *u)
{
	menu_open(&u->menu, "Sort by");
	for (size_t i = 0; compare_order_at(i).name; i++) {
		menu_add(&u->menu, compare_order_at(i).name, compare_order_at(i).help);
		if (i == compare_sorted_by(ui_pane(u)->views[u->view]))
			menu_go(&u->menu, i);
	}
	ui_open_dialog(u, &order_dialog);
}
