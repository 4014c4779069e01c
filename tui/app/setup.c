/*
 * setup: the options screen (F2): a line for each row of setting_rows, with its value and the
 * dialog of its kind. A choice holds at once, and is written to the user's file when the screen is
 * left.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/app/ui/ui.h"
#include "tui/term/theme.h"

enum { VALUE_WIDTH = 22, THEMES = 48 };

struct setup {
	const struct setting_row *row;	/* chosen */
	size_t key_line;		/* of the list of keys: to come back to */
	struct theme_name themes[THEMES];
	size_t theme_count;
	char theme[SETTINGS_TEXT];	/* in use before others were tried */
};

static void options_list(struct ui *u);

static void setup_changed(struct ui *u)
{
	u->settings.changed = true;
	for (size_t i = 0; i < u->pane_count; i++)
		pane_stale(u->panes[i]);
}

/* A value that is known to be good. */
static void setup_set(struct ui *u, const char *value)
{
	settings_read(&u->settings, u->setup->row, value, NULL);
	setup_changed(u);
}

/* --- yes or no -------------------------------------------------------------------------------- */

static void bool_toggle(struct ui *u)
{
	char now[SETTINGS_TEXT];

	settings_value(&u->settings, u->setup->row, now, sizeof(now));
	setup_set(u, strcmp(now, "yes") ? "yes" : "no");
	/* The panes and the terminal have copies. */
	ui_set_follow(u, u->settings.follow);
	screen_mouse(u->screen, u->settings.mouse);
	options_list(u);
}

/* --- a theme ---------------------------------------------------------------------------------- */

/* False: it cannot be loaded; this is reported, and the old one stays. */
static bool theme_show(struct ui *u, const char *name)
{
	struct theme theme;
	struct err err = { 0 };

	if (theme_load(&theme, name, &err) < 0) {
		ui_say(u, true, "%s", err.text);
		return false;
	}
	screen_theme(u->screen, &theme);
	return true;
}

void ui_set_theme(struct ui *u, const char *name)
{
	char copy[SETTINGS_TEXT];

	snprintf(copy, sizeof(copy), "%s", name);
	if (!theme_show(u, *copy ? copy : "default"))
		return;
	strcpy(u->settings.theme, strcmp(copy, "default") ? copy : "");
	setup_changed(u);
}

static void theme_moved(struct ui *u)
{
	if (u->menu.list.cursor < u->setup->theme_count)
		theme_show(u, u->setup->themes[u->menu.list.cursor].name);
}

static struct dialog_reply theme_done(struct ui *u)
{
	ui_set_theme(u, u->setup->themes[u->menu.list.cursor].name);
	options_list(u);
	return DIALOG_CLOSED;
}

static void theme_cancelled(struct ui *u)
{
	theme_show(u, u->setup->theme);
	options_list(u);
}

static const struct dialog theme_dialog = {
	.done = theme_done, .moved = theme_moved, .cancelled = theme_cancelled,
};

/* The theme in use is from the command line, or from the settings. */
static void theme_choose(struct ui *u)
{
	struct setup *s = u->setup;
	const char *now = u->settings.theme[0] ? u->settings.theme : "default";

	if (!u->settings.changed && u->options->theme)
		now = u->options->theme;
	snprintf(s->theme, sizeof(s->theme), "%s", now);
	s->theme_count = theme_list(s->themes, THEMES);
	menu_open(&u->menu, s->row->title);
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

/* --- a column --------------------------------------------------------------------------------- */

static struct dialog_reply column_done(struct ui *u)
{
	enum column_id column = columns[u->menu.list.cursor].id;

	setup_set(u, columns[column].name);
	ui_sort(u, column);
	options_list(u);
	return DIALOG_CLOSED;
}

static const struct dialog column_dialog = { .done = column_done, .cancelled = options_list };

static void column_choose(struct ui *u)
{
	char now[SETTINGS_TEXT];

	settings_value(&u->settings, u->setup->row, now, sizeof(now));
	menu_open(&u->menu, u->setup->row->title);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		menu_add(&u->menu, columns[i].name, columns[i].help);
	menu_go(&u->menu, column_find(now)->id);
	ui_open_dialog(u, &column_dialog);
}

/* --- a number, a text, paths: typed ----------------------------------------------------------- */

static void paths_list(struct ui *u);

/* Nothing typed unsets a text, and leaves another kind as it is. */
static void typed_read(struct ui *u, struct settings *s, struct err *err)
{
	if (u->prompt.len || u->setup->row->kind == SETTING_TEXT)
		settings_read(s, u->setup->row, u->prompt.text, err);
}

/* The same checks as for the file. */
static void typed_check(struct ui *u)
{
	struct settings trial;
	struct err err = { 0 };

	settings_init(&trial);
	typed_read(u, &trial, &err);
	if (u->prompt.text[0] == ';' || strstr(u->prompt.text, " ;"))
		err_set(&err, ERR_USAGE, "a ; would begin a comment");
	if (u->prompt.len > SETTINGS_VALUE)
		err_set(&err, ERR_USAGE, "too long");
	settings_release(&trial);
	snprintf(u->prompt.trouble, sizeof(u->prompt.trouble), "%s", err.text);
}

/* The menu that the prompt came from. */
static void typed_back(struct ui *u)
{
	if (u->setup->row->add)
		paths_list(u);
	else
		options_list(u);
}

static const struct dialog typed_dialog;
static struct dialog_reply typed_done(struct ui *u)
{
	typed_check(u);
	if (u->prompt.trouble[0]) {
		u->dialog = &typed_dialog;
		return DIALOG_CLOSED;
	}
	typed_read(u, &u->settings, NULL);
	setup_changed(u);
	typed_back(u);
	return DIALOG_CLOSED;
}

static const struct dialog typed_dialog = {
	.edited = typed_check, .done = typed_done, .cancelled = typed_back,
};

static void value_type(struct ui *u)
{
	char now[SETTINGS_TEXT];

	prompt_open(&u->prompt, u->setup->row->prompt,
		    settings_value(&u->settings, u->setup->row, now, sizeof(now)), NULL);
	ui_open_dialog(u, &typed_dialog);
}

/* The first line of the menu adds a path, the others are the paths. */
static struct dialog_reply paths_done(struct ui *u)
{
	if (u->menu.list.cursor == 0) {
		value_type(u);
		return DIALOG_CLOSED;
	}
	settings_drop(&u->settings, u->setup->row, u->menu.list.cursor - 1);
	setup_changed(u);
	paths_list(u);
	return DIALOG_CLOSED;
}

static const struct dialog paths_dialog = { .done = paths_done, .cancelled = options_list };

static void paths_list(struct ui *u)
{
	const struct setting_row *r = u->setup->row;
	char line[2 * SETTINGS_PATH];
	size_t given, n = settings_count(&u->settings, r, &given);

	menu_open(&u->menu, r->title);
	menu_add(&u->menu, r->add, "");
	for (size_t i = 0; i < n; i++)
		menu_add(&u->menu,
			 settings_item(&u->settings, r, i, "  is  ", line, sizeof(line)),
			 i < given ? "from the command line; Enter removes it" :
			 "Enter removes it");
	ui_open_dialog(u, &paths_dialog);
}

/* --- keys: an action is chosen, and its new key pressed --------------------------------------- */

static void keys_list(struct ui *u);

static void key_bind(struct ui *u, const struct action_row *row, uint32_t key)
{
	enum action before = keymap_bind(&u->settings.keys, row->action, key);
	char text[16];

	key_text(key, text, sizeof(text));
	if (before != ACTION_NONE)
		ui_say(u, true, "%s is now %s, no longer %s", text, row->name,
		       action_row(before)->name);
	else if (keymap_of_key(&u->settings.keys, key) == row->action)
		ui_say(u, false, "%s is %s", text, row->name);
	else
		ui_say(u, true, "%s has %d keys already", row->name, KEYMAP_KEYS);
}

/* Binds any key but those with a meaning here. */
static struct dialog_reply key_pressed(struct ui *u, uint32_t key,
				       const struct screen_mouse *mouse)
{
	const struct action_row *row = &actions[u->setup->key_line];

	(void)mouse;
	if (key == KEY_MOUSE_)
		return (struct dialog_reply){ .stay = true };
	if (key == KEY_DELETE_)
		keymap_unbind(&u->settings.keys, row->action);
	else if (key == KEY_BACKSPACE_)
		keymap_restore(&u->settings.keys, row->action);
	else if (key != 27)
		key_bind(u, row, key);
	if (key != 27)
		setup_changed(u);
	keys_list(u);
	return DIALOG_CLOSED;
}

static void key_draw(struct ui *u, struct grid *g)
{
	const struct action_row *row = &actions[u->setup->key_line];
	char keys[KEYMAP_TEXT], now[KEYMAP_TEXT + 16];

	keymap_text(&u->settings.keys, row->action, keys, sizeof(keys));
	snprintf(now, sizeof(now), "now: %s", *keys ? keys : "no key");
	menu_open(&u->menu, row->name);
	menu_heading(&u->menu, row->help);
	menu_heading(&u->menu, now);
	menu_heading(&u->menu, "");
	menu_add(&u->menu, "press a key", "add a key");
	menu_add(&u->menu, "Del", "no key");
	menu_add(&u->menu, "Backspace", "default");
	menu_add(&u->menu, "Esc", "keep it unchanged");
	menu_draw(&u->menu, g, u->body_y);
}

static const struct dialog key_dialog = { .draw = key_draw, .key = key_pressed };

static struct dialog_reply keys_done(struct ui *u)
{
	u->setup->key_line = u->menu.list.cursor;
	ui_open_dialog(u, &key_dialog);
	return DIALOG_CLOSED;
}

static const struct dialog keys_dialog = { .done = keys_done, .cancelled = options_list };

static void keys_list(struct ui *u)
{
	char keys[KEYMAP_TEXT];

	menu_open(&u->menu, u->setup->row->title);
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		menu_add_right(&u->menu, r->name, r->help,
			       keymap_text(&u->settings.keys, r->action, keys, sizeof(keys)));
	menu_go(&u->menu, u->setup->key_line);
	ui_open_dialog(u, &keys_dialog);
}

/* --- the list --------------------------------------------------------------------------------- */

static void options_close(struct ui *u)
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
		ui_say(u, false, "saved in %s",
		       settings_contract(u->settings.path, shown, sizeof(shown)));
}

static void columns_choose(struct ui *u)
{
	options_close(u);
	ui_ask_columns(u);
}

static void (*const dialogs[])(struct ui *u) = {
	[SETTING_BOOL] = bool_toggle,		[SETTING_NUMBER] = value_type,
	[SETTING_TEXT] = value_type,		[SETTING_THEME] = theme_choose,
	[SETTING_COLUMN] = column_choose,	[SETTING_COLUMNS] = columns_choose,
	[SETTING_DIRS] = paths_list,		[SETTING_MAPS] = paths_list,
	[SETTING_WATCHES] = paths_list,		[SETTING_KEYS] = keys_list,
};

static const char *row_label(const struct setting_row *r)
{
	return r->label ? r->label : r->name;
}

static bool row_has_heading(const struct setting_row *r)
{
	return r == setting_rows || strcmp(r->section, r[-1].section);
}

/* The row's line in the menu, below the headings. */
static size_t row_line(const struct setting_row *row)
{
	size_t line = 0;

	for (const struct setting_row *r = setting_rows; r < row; r++)
		line += 1 + row_has_heading(r);
	return line + row_has_heading(row);
}

static struct dialog_reply options_done(struct ui *u)
{
	for (const struct setting_row *r = setting_rows; r->name; r++) {
		if (row_line(r) == u->menu.list.cursor) {
			u->setup->row = r;
			dialogs[r->kind](u);
			return DIALOG_CLOSED;
		}
	}
	return DIALOG_CLOSED;
}

static const struct dialog options_dialog = { .done = options_done, .cancelled = options_close };

static void row_add(struct ui *u, const struct setting_row *r)
{
	const struct settings *s = &u->settings;
	size_t n = settings_count(s, r, NULL);
	char value[SETTINGS_TEXT], shown[SETTINGS_TEXT + 16], line[500], heading[32];
	int pad;

	settings_value(s, r, value, sizeof(value));
	if (n)
		snprintf(value, sizeof(value), "%zu", n);
	if (*value)
		snprintf(shown, sizeof(shown), "%s%s", value, r->unit ? r->unit : "");
	else
		snprintf(shown, sizeof(shown), "%s", r->unset ? r->unset : settings_editor(s));
	pad = VALUE_WIDTH - text_columns(shown);
	snprintf(line, sizeof(line), "%s%*s %s", shown, pad > 0 ? pad : 1, "", r->hint);
	snprintf(heading, sizeof(heading), "%c%s:", toupper((unsigned char)r->section[0]),
		 r->section + 1);
	if (row_has_heading(r))
		menu_heading(&u->menu, heading);
	menu_add(&u->menu, row_label(r), line);
}

static void options_list(struct ui *u)
{
	menu_open(&u->menu, "Options");
	for (const struct setting_row *r = setting_rows; r->name; r++)
		row_add(u, r);
	menu_go(&u->menu, row_line(u->setup->row));
	ui_open_dialog(u, &options_dialog);
}

static bool setup_begin(struct ui *u, size_t row)
{
	if (!u->setup)
		u->setup = mem_zalloc(sizeof(*u->setup));
	if (!u->setup) {
		ui_say(u, true, "out of memory");
		return false;
	}
	u->setup->row = &setting_rows[row];
	return true;
}

void ui_ask_options(struct ui *u)
{
	if (setup_begin(u, 0))
		options_list(u);
}

bool ui_option(size_t i, const char **name, const char **help)
{
	*name = setting_rows[i].name ? row_label(&setting_rows[i]) : NULL;
	*help = setting_rows[i].hint;
	return *name;
}

/* As if it was chosen from the list; its dialog comes back to the list. */
void ui_set_option(struct ui *u, size_t i)
{
	if (setup_begin(u, i))
		dialogs[setting_rows[i].kind](u);
}
