/*
 * setup: the options (F2): what is set, a line each, and how to set it. What is chosen holds at
 * once, and is written to the user's file when this is left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/app/setup.h"

enum { VALUE = 22 };

void setup_changed(struct ui *u)
{
	u->settings.changed = true;
	for (size_t i = 0; i < u->nodes.count; i++)
		pane_stale(u->panes[i]);
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
	setup_changed(u);
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
	setup_open(u);
}

static void theme_cancelled(struct ui *u)
{
	show_theme(u, u->setup->theme);
	setup_open(u);
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
	s->theme_count = theme_list(s->themes, SETUP_THEMES);
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
	setup_open(u);
}

static void say_timebar(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", yes_no(u->settings.timebar));
}

static void set_timebar(struct ui *u)
{
	u->settings.timebar ^= true;
	setup_changed(u);
	setup_open(u);
}

static void say_mouse(struct ui *u, char *dst, size_t size)
{
	snprintf(dst, size, "%s", yes_no(u->settings.mouse));
}

static void set_mouse(struct ui *u)
{
	u->settings.mouse ^= true;
	screen_mouse(u->screen, u->settings.mouse);
	setup_changed(u);
	setup_open(u);
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
	setup_changed(u);
	setup_open(u);
}

static const struct dialog sort_dialog = { .done = sort_done, .cancelled = setup_open };

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
	{ .name = "interval", .say = setup_say_interval, .set = setup_ask_interval,
	  .help = "what \"interval\" spans" },
	{ .name = "time bar", .say = say_timebar, .set = set_timebar,
	  .help = "a line of the past below the view" },
	{ .name = "mouse", .say = say_mouse, .set = set_mouse,
	  .help = "no: the terminal has it, to mark text" },
	{ .section = "Columns:", .name = "columns", .say = say_columns, .set = set_columns,
	  .help = "which, in which order, how wide" },
	{ .name = "sort", .say = say_sort, .set = ask_sort, .help = "what the rows are sorted by" },
	{ .section = "Source:", .name = "folders", .say = setup_say_dirs, .set = setup_ask_dirs,
	  .help = "where sources may be" },
	{ .name = "maps", .say = setup_say_maps, .set = setup_ask_maps,
	  .help = "paths as built, and the same here" },
	{ .name = "editor", .say = setup_say_editor, .set = setup_ask_editor, .help = "what opens a line" },
	{ .section = "Keys:", .name = "keys", .say = setup_say_keys, .set = setup_ask_keys,
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

void setup_open(struct ui *u)
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
		setup_open(u);
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
