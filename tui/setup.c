/*
 * setup: the options (F2): what is set, a line each, and how to set it. What is chosen holds at
 * once, and is written to the user's file when this is left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/ui.h"

enum { THEMES = 48, VALUE = 22 };

struct setup {
	size_t line;			/* of the options: to come back to */
	size_t key_line;		/* of the list of keys */
	struct theme_name themes[THEMES];
	size_t theme_count;
	char theme[256];		/* before one tried others */
};

static void open_options(struct ui *u);

static void changed(struct ui *u)
{
	u->settings.changed = true;
	for (size_t i = 0; i < u->count; i++)
		pane_stale(&u->panes[i]);
}

static const char *yes_no(bool on)
{
	return on ? "yes" : "no";
}

/* --- theme ------------------------------------------------------------------------------------ */

/* "": the built-in one. What cannot be loaded is said, and the old one stays. */
static bool show_theme(struct ui *u, const char *name)
{
	struct theme theme;
	struct err err = { 0 };

	if (theme_load(&theme, *name ? name : "default", &err) < 0) {
		ui_say(u, true, "%s", err.text);
		return false;
	}
	screen_theme(u->screen, &theme);
	return true;
}

void ui_set_theme(struct ui *u, const char *name)
{
	char copy[sizeof(u->settings.theme)];

	snprintf(copy, sizeof(copy), "%s", name);
	if (!show_theme(u, copy))
		return;
	strcpy(u->settings.theme, strcmp(copy, "default") ? copy : "");
	changed(u);
}

static void theme_moved(struct ui *u)
{
	size_t at = u->menu.list.cursor;

	if (at < u->setup->theme_count)
		show_theme(u, u->setup->themes[at].name);
}

static void theme_done(struct ui *u)
{
	ui_set_theme(u, u->setup->themes[u->menu.list.cursor].name);
	open_options(u);
}

static void theme_cancelled(struct ui *u)
{
	show_theme(u, u->setup->theme);
	open_options(u);
}

static const struct dialog theme_dialog = {
	.done = theme_done, .moved = theme_moved, .cancelled = theme_cancelled,
};

/* The one in use is on the command line, or in the settings. */
static void ask_theme(struct ui *u)
{
	struct setup *s = u->setup;
	const char *now = u->settings.theme[0] ? u->settings.theme : "default";

	if (!u->settings.changed && u->options->theme)
		now = u->options->theme;
	snprintf(s->theme, sizeof(s->theme), "%s", now);
	s->theme_count = theme_list(s->themes, THEMES);
	menu_open(&u->menu, "Theme");
	for (size_t i = 0; i < s->theme_count; i++) {
		struct theme theme;

		menu_add(&u->menu, s->themes[i].name,
			 theme_load(&theme, s->themes[i].name, NULL) < 0 ? "cannot be read" :
			 theme.description);
		if (!strcmp(s->themes[i].name, now))
			menu_go(&u->menu, i);
	}
	ui_open_dialog(u, &theme_dialog);
}

static void say_theme(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", u->settings.theme[0] ? u->settings.theme : "default");
}

/* --- switches --------------------------------------------------------------------------------- */

static void say_follow(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", yes_no(u->settings.follow));
}

static void set_follow(struct ui *u)
{
	ui_set_follow(u, !u->settings.follow);
	open_options(u);
}

static void say_timebar(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", yes_no(u->settings.timebar));
}

static void set_timebar(struct ui *u)
{
	u->settings.timebar ^= true;
	changed(u);
	open_options(u);
}

static void say_mouse(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", yes_no(u->settings.mouse));
}

static void set_mouse(struct ui *u)
{
	u->settings.mouse ^= true;
	screen_mouse(u->screen, u->settings.mouse);
	changed(u);
	open_options(u);
}

/* --- what is typed: interval, editor, folders --------------------------------------------------- */

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
	changed(u);
	return true;
}

static const struct dialog interval_dialog, editor_dialog, dir_dialog, map_dialog;
static void ask_dirs(struct ui *u);
static void ask_maps(struct ui *u);

static void interval_edited(struct ui *u)
{
	check(u, "interval");
}

static void interval_done(struct ui *u)
{
	if (take(u, "interval", &interval_dialog))
		open_options(u);
}

static const struct dialog interval_dialog = {
	.edited = interval_edited, .done = interval_done, .cancelled = open_options,
};

static void ask_interval(struct ui *u)
{
	char now[32];

	snprintf(now, sizeof(now), "%.6g", u->settings.interval);
	prompt_open(&u->prompt, "Interval in seconds:", now, NULL);
	ui_open_dialog(u, &interval_dialog);
}

static void say_interval(struct ui *u, char *dst, size_t size)
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
		open_options(u);
}

static const struct dialog editor_dialog = {
	.edited = editor_edited, .done = editor_done, .cancelled = open_options,
};

static void ask_editor(struct ui *u)
{
	prompt_open(&u->prompt, "Editor (empty: $VISUAL, $EDITOR):", u->settings.editor, NULL);
	ui_open_dialog(u, &editor_dialog);
}

static void say_editor(struct ui *u, char *dst, size_t size)
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
		ask_dirs(u);
}

static const struct dialog dir_dialog = {
	.edited = dir_edited, .done = dir_done, .cancelled = ask_dirs,
};

static void map_edited(struct ui *u)
{
	check(u, "map");
}

static void map_done(struct ui *u)
{
	if (take(u, "map", &map_dialog))
		ask_maps(u);
}

static const struct dialog map_dialog = {
	.edited = map_edited, .done = map_done, .cancelled = ask_maps,
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
	changed(u);
	ask_dirs(u);
}

static const struct dialog dirs_dialog = { .done = dirs_done, .cancelled = open_options };

static void ask_dirs(struct ui *u)
{
	char path[SETTINGS_PATH];

	menu_open(&u->menu, "Folders with sources");
	menu_add(&u->menu, "add a folder ...", "");
	for (size_t i = 0; i < u->settings.source.dir_count; i++)
		menu_add(&u->menu, settings_contract(u->settings.source.dirs[i], path, sizeof(path)),
			 taken_away(i < u->settings.source.given_dirs));
	ui_open_dialog(u, &dirs_dialog);
}

static void say_dirs(struct ui *u, char *dst, size_t size)
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
	changed(u);
	ask_maps(u);
}

static const struct dialog maps_dialog = { .done = maps_done, .cancelled = open_options };

static void ask_maps(struct ui *u)
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

static void say_maps(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, u->settings.source.map_count ? "%zu" : "none",
		 u->settings.source.map_count);
}

/* --- columns ---------------------------------------------------------------------------------- */

static void close_options(struct ui *u);

static void set_columns(struct ui *u)
{
	close_options(u);
	ui_ask_columns(u);
}

static void say_columns(struct ui *u, char *dst, size_t size)
{
	if (u->settings.column_count)
		snprintf(dst, size, "%zu chosen", u->settings.column_count);
	else
		snprintf(dst, size, "as there is room");
}

static void sort_done(struct ui *u)
{
	u->settings.sort = columns[u->menu.list.cursor].id;
	ui_sort(u, u->settings.sort);
	changed(u);
	open_options(u);
}

static const struct dialog sort_dialog = { .done = sort_done, .cancelled = open_options };

static void ask_sort(struct ui *u)
{
	menu_open(&u->menu, "Sorted by, at the start and now");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		menu_add(&u->menu, columns[i].name, columns[i].help);
	menu_go(&u->menu, u->settings.sort);
	ui_open_dialog(u, &sort_dialog);
}

static void say_sort(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", columns[u->settings.sort].name);
}

/* --- keys ------------------------------------------------------------------------------------- */

static void ask_keys(struct ui *u);

static const struct action_row *chosen_action(const struct ui *u)
{
	return &actions[u->setup->key_line];
}

static void bind(struct ui *u, const struct action_row *row, uint32_t key)
{
	enum action before = keymap_bind(&u->settings.keys, row->action, key);
	char text[16];

	key_text(key, text, sizeof(text));
	if (before != ACTION_NONE)
		ui_say(u, true, "%s is %s now, and no more %s", text, row->name,
		       action_row(before)->name);
	else if (keymap_of_key(&u->settings.keys, key) == row->action)
		ui_say(u, false, "%s is %s", text, row->name);
	else
		ui_say(u, true, "%s has %d keys already", row->name, KEYMAP_KEYS);
}

/* Any key but those that say something here. */
static bool key_pressed(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	const struct action_row *row = chosen_action(u);

	(void)mouse;
	if (key == KEY_MOUSE_)
		return true;
	if (key == KEY_DELETE_)
		keymap_unbind(&u->settings.keys, row->action);
	else if (key == KEY_BACKSPACE_)
		keymap_restore(&u->settings.keys, row->action);
	else if (key != 27)
		bind(u, row, key);
	if (key != 27)
		changed(u);
	ask_keys(u);
	return true;
}

static void key_draw(struct ui *u, struct grid *g)
{
	const struct action_row *row = chosen_action(u);
	char keys[KEYMAP_TEXT], now[KEYMAP_TEXT + 16];

	keymap_text(&u->settings.keys, row->action, keys, sizeof(keys));
	snprintf(now, sizeof(now), "now: %s", *keys ? keys : "no key");
	menu_open(&u->menu, row->name);
	menu_heading(&u->menu, row->help);
	menu_heading(&u->menu, now);
	menu_heading(&u->menu, "");
	menu_add(&u->menu, "press a key", "to have it, too");
	menu_add(&u->menu, "Del", "no key");
	menu_add(&u->menu, "Backspace", "as built in");
	menu_add(&u->menu, "Esc", "leave it as it is");
	menu_draw(&u->menu, g);
}

static const struct dialog key_dialog = { .draw = key_draw, .key = key_pressed };

static void keys_done(struct ui *u)
{
	u->setup->key_line = u->menu.list.cursor;
	ui_open_dialog(u, &key_dialog);
}

static const struct dialog keys_dialog = { .done = keys_done, .cancelled = open_options };

static void ask_keys(struct ui *u)
{
	char keys[KEYMAP_TEXT];

	menu_open(&u->menu, "Keys");
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		menu_add_right(&u->menu, r->name, r->help,
			       keymap_text(&u->settings.keys, r->action, keys, sizeof(keys)));
	menu_go(&u->menu, u->setup->key_line);
	ui_open_dialog(u, &keys_dialog);
}

static void say_keys(struct ui *u, char *dst, size_t size)
{
	int n = 0;

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		n += keymap_changed(&u->settings.keys, r->action);
	if (n)
		snprintf(dst, size, "%d changed", n);
	else
		snprintf(dst, size, "as built in");
}

/* --- the options ------------------------------------------------------------------------------ */

static const struct row {
	const char *section;		/* a heading above it; NULL: none */
	const char *name, *help;
	void (*say)(struct ui *u, char *dst, size_t size);	/* what is set */
	void (*set)(struct ui *u);
} rows[] = {
	{ .section = "Screen:", .name = "theme", .say = say_theme, .set = ask_theme,
	  .help = "colours; shown while one looks through them" },
	{ .name = "follow", .say = say_follow, .set = set_follow,
	  .help = "the selection goes with its function" },
	{ .name = "interval", .say = say_interval, .set = ask_interval,
	  .help = "what \"interval\" spans" },
	{ .name = "time bar", .say = say_timebar, .set = set_timebar,
	  .help = "a line of the past above the view" },
	{ .name = "mouse", .say = say_mouse, .set = set_mouse,
	  .help = "no: the terminal has it, to mark text" },
	{ .section = "Columns:", .name = "columns", .say = say_columns, .set = set_columns,
	  .help = "which, in which order, how wide" },
	{ .name = "sort", .say = say_sort, .set = ask_sort, .help = "what the rows are sorted by" },
	{ .section = "Source:", .name = "folders", .say = say_dirs, .set = ask_dirs,
	  .help = "where sources may be" },
	{ .name = "maps", .say = say_maps, .set = ask_maps,
	  .help = "paths as built, and the same here" },
	{ .name = "editor", .say = say_editor, .set = ask_editor, .help = "what opens a line" },
	{ .section = "Keys:", .name = "keys", .say = say_keys, .set = ask_keys,
	  .help = "which key does what" },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* The row of the menu's line, headings aside. */
static const struct row *row_at(size_t line)
{
	size_t at = 0;

	for (size_t i = 0; i < ROWS; i++, at++) {
		at += rows[i].section != NULL;
		if (at == line)
			return &rows[i];
	}
	return NULL;
}

static void close_options(struct ui *u)
{
	struct err err = { 0 };
	char shown[SETTINGS_PATH];

	mem_free(u->setup);
	u->setup = NULL;
	if (!u->settings.changed)
		return;
	if (settings_save(&u->settings, &err) < 0)
		ui_say(u, true, "not saved: %s", err.text);
	else if (u->settings.path[0])
		ui_say(u, false, "saved in %s", settings_contract(u->settings.path, shown, sizeof(shown)));
}

static void options_done(struct ui *u)
{
	const struct row *r = row_at(u->menu.list.cursor);

	u->setup->line = u->menu.list.cursor;
	if (r)
		r->set(u);
}

static const struct dialog options_dialog = { .done = options_done, .cancelled = close_options };

static void list_row(struct ui *u, const struct row *r)
{
	char value[300], line[500];
	int pad;

	r->say(u, value, sizeof(value));
	pad = VALUE - text_columns(value);
	snprintf(line, sizeof(line), "%s%*s %s", value, pad > 0 ? pad : 1, "", r->help);
	if (r->section)
		menu_heading(&u->menu, r->section);
	menu_add(&u->menu, r->name, line);
}

static void open_options(struct ui *u)
{
	menu_open(&u->menu, "Options");
	for (size_t i = 0; i < ROWS; i++)
		list_row(u, &rows[i]);
	menu_go(&u->menu, u->setup->line);
	ui_open_dialog(u, &options_dialog);
}

static bool begin(struct ui *u)
{
	if (!u->setup)
		u->setup = mem_zalloc(sizeof(*u->setup));
	if (!u->setup)
		ui_say(u, true, "out of memory");
	return u->setup != NULL;
}

void ui_ask_options(struct ui *u)
{
	if (begin(u))
		open_options(u);
}

bool ui_option(size_t i, const char **name, const char **help)
{
	if (i >= ROWS)
		return false;
	*name = rows[i].name;
	*help = rows[i].help;
	return true;
}

/* As if it was chosen among the options; one comes back to it there. */
void ui_set_option(struct ui *u, size_t i)
{
	if (!begin(u))
		return;
	u->setup->line = 0;
	for (size_t at = 0; at <= i; at++)
		u->setup->line += 1 + (rows[at].section != NULL);
	u->setup->line--;
	rows[i].set(u);
}
