/*
 * setup_typed: the options that are typed: the interval, the editor, where sources are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/setup.h"

/* Checked as the file is: by the row of its name. */
static void check(struct ui *u, const char *name)
{
	struct settings trial;
	struct err err = { 0 };

	settings_init(&trial);
	for (const struct setting_row *r = setting_rows; r->name; r++)
		if (!strcmp(r->name, name) && u->prompt.len)
			r->read(&trial, u->prompt.text, &err);
	if (u->prompt.text[0] == ';' || strstr(u->prompt.text, " ;"))
		err_set(&err, ERR_USAGE, "; would begin a comment");
	if (u->prompt.len > SETTINGS_VALUE)
		err_set(&err, ERR_USAGE, "too long");
	settings_release(&trial);
	snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s", err.text);
}

/* Take what was typed; false: it is no good, and is asked for again. */
static bool take(struct ui *u, const char *name, const struct dialog *again)
{
	check(u, name);
	if (u->prompt.trouble[0]) {
		u->dialog = again;
		return false;
	}
	for (const struct setting_row *r = setting_rows; u->prompt.len && r->name; r++)
		if (!strcmp(r->name, name))
			r->read(&u->settings, u->prompt.text, NULL);
	setup_changed(u);
	return true;
}

static const struct dialog interval_dialog, editor_dialog, dir_dialog, map_dialog;
static void interval_edited(struct ui *u)
{
	check(u, "interval");
}

static void interval_done(struct ui *u)
{
	if (take(u, "interval", &interval_dialog))
		setup_open(u);
}

static const struct dialog interval_dialog = {
	.edited = interval_edited, .done = interval_done, .cancelled = setup_open,
};

void setup_ask_interval(struct ui *u)
{
	char now[32];

	snprintf(now, sizeof(now), "%.6g", u->settings.interval);
	prompt_open(&u->prompt, "Interval in seconds:", now, NULL);
	ui_open_dialog(u, &interval_dialog);
}

void setup_say_interval(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%.6g s", u->settings.interval);
}

static void editor_edited(struct ui *u)
{
	check(u, "editor");
}

static void editor_done(struct ui *u)
{
	if (!u->prompt.len)
		u->settings.editor[0] = 0;	/* as the environment says */
	if (take(u, "editor", &editor_dialog))
		setup_open(u);
}

static const struct dialog editor_dialog = {
	.edited = editor_edited, .done = editor_done, .cancelled = setup_open,
};

void setup_ask_editor(struct ui *u)
{
	prompt_open(&u->prompt, "Editor (empty: $VISUAL, $EDITOR):", u->settings.editor, NULL);
	ui_open_dialog(u, &editor_dialog);
}

void setup_say_editor(struct ui *u, char *dst, size_t size)
{
	const char *name = u->settings.editor;

	if (!*name)
		name = getenv("VISUAL");
	if (!name || !*name)
		name = getenv("EDITOR");
	snprintf(dst, size, "%s", name && *name ? name : "vi");
}

static void dir_edited(struct ui *u)
{
	check(u, "dir");
}

static void dir_done(struct ui *u)
{
	if (take(u, "dir", &dir_dialog))
		setup_ask_dirs(u);
}

static const struct dialog dir_dialog = {
	.edited = dir_edited, .done = dir_done, .cancelled = setup_ask_dirs,
};

static void map_edited(struct ui *u)
{
	check(u, "map");
}

static void map_done(struct ui *u)
{
	if (take(u, "map", &map_dialog))
		setup_ask_maps(u);
}

static const struct dialog map_dialog = {
	.edited = map_edited, .done = map_done, .cancelled = setup_ask_maps,
};

/* --- folders and maps ------------------------------------------------------------------------- */

static const char *taken_away(bool given)
{
	return given ? "of the command line; Enter takes it away" : "Enter takes it away";
}

/* Lines of the menu: one to add, then what there is, each to be taken away. */
static void dirs_done(struct ui *u)
{
	struct source_paths *p = &u->settings.source;
	size_t at = u->menu.list.cursor;

	if (at == 0) {
		prompt_open(&u->prompt, "Folder with sources:", "", NULL);
		ui_open_dialog(u, &dir_dialog);
		return;
	}
	source_paths_drop_dir(p, at - 1);
	setup_changed(u);
	setup_ask_dirs(u);
}

static const struct dialog dirs_dialog = { .done = dirs_done, .cancelled = setup_open };

void setup_ask_dirs(struct ui *u)
{
	char path[SETTINGS_PATH];

	menu_open(&u->menu, "Folders with sources");
	menu_add(&u->menu, "add a folder ...", "");
	for (size_t i = 0; i < u->settings.source.dir_count; i++)
		menu_add(&u->menu, settings_contract(u->settings.source.dirs[i], path, sizeof(path)),
			 taken_away(i < u->settings.source.given_dirs));
	ui_open_dialog(u, &dirs_dialog);
}

void setup_say_dirs(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, u->settings.source.dir_count ? "%zu" : "none",
		 u->settings.source.dir_count);
}

static void maps_done(struct ui *u)
{
	struct source_paths *p = &u->settings.source;
	size_t at = u->menu.list.cursor;

	if (at == 0) {
		prompt_open(&u->prompt, "Path as built, a blank, path here:", "", NULL);
		ui_open_dialog(u, &map_dialog);
		return;
	}
	source_paths_drop_map(p, at - 1);
	setup_changed(u);
	setup_ask_maps(u);
}

static const struct dialog maps_dialog = { .done = maps_done, .cancelled = setup_open };

void setup_ask_maps(struct ui *u)
{
	char line[2 * SETTINGS_PATH], path[SETTINGS_PATH];

	menu_open(&u->menu, "Paths as built, and here");
	menu_add(&u->menu, "add a pair ...", "");
	for (size_t i = 0; i < u->settings.source.map_count; i++) {
		snprintf(line, sizeof(line), "%s  is  %s", u->settings.source.maps[i].from,
			 settings_contract(u->settings.source.maps[i].to, path, sizeof(path)));
		menu_add(&u->menu, line, taken_away(i < u->settings.source.given_maps));
	}
	ui_open_dialog(u, &maps_dialog);
}

void setup_say_maps(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, u->settings.source.map_count ? "%zu" : "none",
		 u->settings.source.map_count);
}
