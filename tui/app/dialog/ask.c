/*
 * ask: small dialogs: a pattern, the column to sort by, an export and its file.
 */
#include <stdio.h>
#include <string.h>

#include "core/export/export.h"
#include "tui/app/ui/ui.h"

/* --- patterns ------------------------------------------------------------------------------- */

static void try_pattern(struct ui *u, enum pattern which)
{
	struct err err = { 0 };

	pane_try(ui_pane(u), which, u->prompt.text, &err);
	snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s", err.text);
}

static void search_edited(struct ui *u)
{
	try_pattern(u, PATTERN_SEARCH);
}

static void filter_edited(struct ui *u)
{
	try_pattern(u, PATTERN_FILTER);
}

/*
 * Enter on a pattern that does not compile asks again: the last good one, which is in effect, is
 * not what was typed.
 */
static struct dialog_reply search_done(struct ui *u)
{
	if (u->prompt.trouble[0])
		return (struct dialog_reply){ .stay = true };
	pane_keep(ui_pane(u), PATTERN_SEARCH);
	prompt_remember(&u->searches, u->prompt.text);
	return (struct dialog_reply){ .go = u->prompt.len ? ACTION_SEARCH_NEXT : ACTION_NONE };
}

static struct dialog_reply filter_done(struct ui *u)
{
	if (u->prompt.trouble[0])
		return (struct dialog_reply){ .stay = true };
	pane_keep(ui_pane(u), PATTERN_FILTER);
	prompt_remember(&u->filters, u->prompt.text);
	return DIALOG_CLOSED;
}

static void search_cancelled(struct ui *u)
{
	pane_drop(ui_pane(u), PATTERN_SEARCH);
}

static void filter_cancelled(struct ui *u)
{
	pane_drop(ui_pane(u), PATTERN_FILTER);
}

static const struct dialog search_dialog = {
	.edited = search_edited, .done = search_done, .cancelled = search_cancelled,
};

static const struct dialog filter_dialog = {
	.edited = filter_edited, .done = filter_done, .cancelled = filter_cancelled,
};

void ui_ask_pattern(struct ui *u, enum pattern which)
{
	if (which == PATTERN_SEARCH)
		prompt_open(&u->prompt, "/", "", &u->searches);
	else
		prompt_open(&u->prompt, "Filter:", pane_pattern(ui_pane(u), which), &u->filters);
	ui_open_dialog(u, which == PATTERN_SEARCH ? &search_dialog : &filter_dialog);
}

/* --- columns -------------------------------------------------------------------------------- */

/* The last line, behind the columns, sorts by what got worse. */
static struct dialog_reply column_done(struct ui *u)
{
	struct rows_order *o = &ui_pane(u)->shared.order;

	if (u->menu.list.cursor < COLUMN_COUNT) {
		ui_sort(u, columns[u->menu.list.cursor].id);
		return DIALOG_CLOSED;
	}
	o->by_change = true;
	o->inverted = false;
	pane_stale(ui_pane(u));
	return DIALOG_CLOSED;
}

static const struct dialog column_dialog = { .done = column_done };

void ui_ask_column(struct ui *u)
{
	menu_open(&u->menu, "Sort by");
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		menu_add(&u->menu, columns[i].name, columns[i].help);
		if (columns[i].id == ui_pane(u)->shared.order.column)
			u->menu.list.cursor = i;
	}
	if (ui_pane(u)->shared.model.compare)
		menu_add(&u->menu, "change", "largest regressions since the baseline first");
	if (ui_pane(u)->shared.model.compare && ui_pane(u)->shared.order.by_change)
		u->menu.list.cursor = COLUMN_COUNT;
	ui_open_dialog(u, &column_dialog);
}

/* --- exports -------------------------------------------------------------------------------- */

static void export_write_to(struct ui *u, const char *path)
{
	struct export_source s;
	struct err err = { 0 };

	pane_export_source(ui_pane(u), u->options, &s);
	if (export_file(u->exporter, &s, path, &err) < 0)
		ui_tell(u, true, err.advice, err.text);
	else
		ui_say(u, false, "%s written to %s", u->exporter->name, path);
}

void ui_ask_export_file(struct ui *u, const struct exporter *e)
{
	u->exporter = e;
	ui_ask_file(u, "Write to:", e->file, export_write_to);
}

static struct dialog_reply exporter_done(struct ui *u)
{
	ui_ask_export_file(u, &exporters[u->menu.list.cursor]);
	return DIALOG_CLOSED;
}

static const struct dialog export_dialog = { .done = exporter_done };

void ui_ask_export(struct ui *u)
{
	menu_open(&u->menu, "Export");
	for (const struct exporter *e = exporters; e->name; e++)
		menu_add(&u->menu, e->name, e->help);
	ui_open_dialog(u, &export_dialog);
}
