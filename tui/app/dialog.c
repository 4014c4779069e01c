/*
 * dialog: what is asked for on the way: a pattern, a column, an export and its file. One row of
 * struct dialog each: a prompt if it has `edited`, a menu if not.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/export/export.h"
#include "tui/app/ui.h"

void ui_open_dialog(struct ui *u, const struct dialog *d)
{
	u->dialog = d;
	u->draw_now = true;
}

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

/* Enter on a pattern that does not compile: the last good one is not what was asked for. */
static bool refuse_bad(struct ui *u, const struct dialog *d)
{
	if (!u->prompt.trouble[0])
		return false;
	u->dialog = d;
	return true;
}

static const struct dialog search_dialog, filter_dialog;

static void search_done(struct ui *u)
{
	if (refuse_bad(u, &search_dialog))
		return;
	pane_keep(ui_pane(u), PATTERN_SEARCH);
	prompt_remember(&u->searches, u->prompt.text);
	if (u->prompt.len)
		ui_act(u, ACTION_SEARCH_NEXT);
}

static void filter_done(struct ui *u)
{
	if (refuse_bad(u, &filter_dialog))
		return;
	pane_keep(ui_pane(u), PATTERN_FILTER);
	prompt_remember(&u->filters, u->prompt.text);
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

void ui_sort(struct ui *u, enum column_id column)
{
	ui_pane(u)->shared.order.column = column;
	ui_pane(u)->shared.order.inverted = ui_pane(u)->shared.order.by_change = false;
	pane_stale(ui_pane(u));
}

/* Behind the columns: what got worse. */
static void column_done(struct ui *u)
{
	struct rows_order *o = &ui_pane(u)->shared.order;

	if (u->menu.list.cursor < COLUMN_COUNT) {
		ui_sort(u, columns[u->menu.list.cursor].id);
		return;
	}
	o->by_change = true;
	o->inverted = false;
	pane_stale(ui_pane(u));
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
		menu_add(&u->menu, "change", "what got worse since the baseline, by what it costs");
	if (ui_pane(u)->shared.model.compare && ui_pane(u)->shared.order.by_change)
		u->menu.list.cursor = COLUMN_COUNT;
	ui_open_dialog(u, &column_dialog);
}

/* --- exports -------------------------------------------------------------------------------- */

static void file_edited(struct ui *u)
{
	u->prompt.trouble[0] = 0;
	if (u->prompt.len && strcmp(u->prompt.text, "-") && access(u->prompt.text, F_OK) == 0)
		snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "exists: will be replaced");
}

static void file_done(struct ui *u)
{
	struct export_source s;
	struct err err = { 0 };

	if (!u->prompt.len || !strcmp(u->prompt.text, "-")) {
		ui_say(u, true, "cannot export to stdout while the screen is active; "
		       "give a file name");
		return;
	}
	pane_export_source(ui_pane(u), u->options, &s);
	if (export_file(u->exporter, &s, u->prompt.text, &err) < 0)
		ui_tell(u, true, err.advice, err.text);
	else
		ui_say(u, false, "%s written to %s", u->exporter->name, u->prompt.text);
}

static const struct dialog file_dialog = { .edited = file_edited, .done = file_done };

void ui_ask_export_file(struct ui *u, const struct exporter *e)
{
	u->exporter = e;
	prompt_open(&u->prompt, "Write to:", u->exporter->file, NULL);
	file_edited(u);
	ui_open_dialog(u, &file_dialog);
}

static void exporter_done(struct ui *u)
{
	ui_ask_export_file(u, &exporters[u->menu.list.cursor]);
}

static const struct dialog export_dialog = { .done = exporter_done };

void ui_ask_export(struct ui *u)
{
	menu_open(&u->menu, "Export");
	for (const struct exporter *e = exporters; e->name; e++)
		menu_add(&u->menu, e->name, e->help);
	ui_open_dialog(u, &export_dialog);
}

/* --- keys ----------------------------------------------------------------------------------- */

bool ui_dialog_is_menu(const struct ui *u)
{
	return u->dialog && !u->dialog->edited && !u->dialog->draw;
}

static void finish(struct ui *u, bool done)
{
	const struct dialog *d = u->dialog;

	u->dialog = NULL;
	if (done)
		d->done(u);
	else if (d->cancelled)
		d->cancelled(u);
}

static void menu_answered(struct ui *u, enum menu_answer answer)
{
	if (answer == MENU_CHOSEN || answer == MENU_CANCELLED)
		finish(u, answer == MENU_CHOSEN);
	else if (answer == MENU_MOVED && u->dialog->moved)
		u->dialog->moved(u);
}

bool ui_prompt_click(struct ui *u, const struct screen_mouse *mouse)
{
	if (mouse->y != u->height - 1 || mouse->button > 2)
		return false;
	prompt_click(&u->prompt, u->width, mouse->x);
	return true;
}

void ui_dialog_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	enum prompt_answer answer;

	u->draw_now = true;
	u->message[0] = 0;
	if (u->dialog->draw) {
		if (!u->dialog->key(u, key, mouse))
			u->dialog = NULL;
		return;
	}
	if (ui_dialog_is_menu(u)) {
		menu_answered(u, key == KEY_MOUSE_ ? menu_mouse(&u->menu, mouse) :
			      menu_key(&u->menu, &u->settings.keys, key));
		return;
	}
	if (key == KEY_MOUSE_) {
		ui_prompt_click(u, mouse);
		return;
	}
	answer = prompt_key(&u->prompt, key);
	if (answer == PROMPT_EDITED)
		u->dialog->edited(u);
	else if (answer == PROMPT_DONE || answer == PROMPT_CANCELLED)
		finish(u, answer == PROMPT_DONE);
	else if (answer == PROMPT_NOTHING && u->dialog->other)
		u->dialog->other(u, key);
}
