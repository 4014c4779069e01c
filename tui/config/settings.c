#include "tui/config/settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/text.h"

/* --- the table -------------------------------------------------------------------------------- */

#define MEMBER(name) .offset = offsetof(struct settings, name)

const struct setting_row setting_rows[] = {
	{ .section = "screen", .name = "theme", .kind = SETTING_THEME, MEMBER(theme),
	  .argument = "NAME", .help = "colour theme: a name, or the path of a theme file",
	  .hint = "colour theme (live preview)",
	  .title = "Theme", .unset = "default" },
	{ .section = "screen", .name = "follow", .kind = SETTING_BOOL, MEMBER(follow),
	  .initial = "yes", .argument = "yes|no",
	  .help = "the cursor follows its function (yes), or stays on its row",
	  .hint = "cursor stays on the same function when rows move" },
	{ .section = "screen", .name = "interval", .kind = SETTING_NUMBER, MEMBER(interval),
	  .initial = "1", .least = 0.1, .most = 3600, .units = "seconds",
	  .argument = "SECONDS", .help = "length of the interval in seconds (1)",
	  .hint = "length of the interval in seconds",
	  .prompt = "Interval in seconds:", .unit = " s" },
	{ .section = "screen", .name = "timebar", .kind = SETTING_BOOL, MEMBER(timebar),
	  .initial = "yes", .argument = "yes|no", .help = "show the time bar (yes)",
	  .label = "time bar", .hint = "show the load over time below the view" },
	{ .section = "screen", .name = "detail", .kind = SETTING_BOOL, MEMBER(detail),
	  .initial = "yes", .argument = "yes|no",
	  .help = "show the selected function beside a list, from 120 columns on (yes)",
	  .hint = "the selected function beside a list, from 120 columns on" },
	{ .section = "screen", .name = "mouse", .kind = SETTING_BOOL, MEMBER(mouse),
	  .initial = "yes", .argument = "yes|no",
	  .help = "wsntop uses the mouse (yes), or the terminal keeps it",
	  .hint = "off: the terminal keeps the mouse for text selection" },
	{ .section = "screen", .name = "hide-namespace", .kind = SETTING_BOOL,
	  MEMBER(hide_namespace), .initial = "yes", .argument = "yes|no",
	  .help = "names are shown without the namespace that most have in common (yes)",
	  .label = "hide ns", .hint = "leave out the namespace that most names have" },
	{ .section = "columns", .name = "flat", .kind = SETTING_COLUMNS,
	  .argument = "COLUMN[:WIDTH]...",
	  .help = "columns of the flat view, in order (all with data, as far as there is room)",
	  .label = "columns", .hint = "columns, their order and widths",
	  .unset = "as far as there is room", .unit = " chosen" },
	{ .section = "columns", .name = "sort", .kind = SETTING_COLUMN, MEMBER(sort),
	  .initial = "self",
	  .argument = "COLUMN", .help = "sort column at the start (self)",
	  .hint = "sort column", .title = "Sorted by, at the start and now" },
	{ .section = "source", .name = "dir", .kind = SETTING_DIRS,
	  .argument = "FOLDER", .help = "folder with source files; repeatable",
	  .label = "folders", .hint = "folders with sources",
	  .prompt = "Folder with sources:", .title = "Folders with sources",
	  .add = "add a folder ...", .unset = "none" },
	{ .section = "source", .name = "map", .kind = SETTING_MAPS,
	  .argument = "FROM TO",
	  .help = "start of a path at build time, and on this machine; repeatable",
	  .label = "maps", .hint = "paths at build time, and on this machine",
	  .prompt = "Path at build time, a blank, path on this machine:",
	  .title = "Paths at build time, and on this machine",
	  .add = "add a pair ...", .unset = "none" },
	{ .section = "source", .name = "editor", .kind = SETTING_TEXT, MEMBER(editor),
	  .argument = "COMMAND", .help = "command that opens a source line ($VISUAL, $EDITOR, vi)",
	  .hint = "command that opens a source line",
	  .prompt = "Editor (empty: $VISUAL, $EDITOR):" },
	{ .section = "compare", .name = "load", .kind = SETTING_NUMBER, MEMBER(least_load),
	  .initial = "1", .least = 0, .most = 100, .units = "percent",
	  .argument = "PERCENT",
	  .help = "smallest relevant change of a load, in percent of a core; default 1",
	  .hint = "of a core: smallest relevant change",
	  .prompt = "Smallest relevant change of a load, in percent of a core:", .unit = " %" },
	{ .section = "compare", .name = "call", .kind = SETTING_NUMBER, MEMBER(least_call),
	  .initial = "5", .least = 0, .most = 1000, .units = "percent",
	  .argument = "PERCENT",
	  .help = "smallest relevant change of the time per call, in percent; default 5. The "
		  "load must also change by a tenth of its smallest relevant change",
	  .label = "per call", .hint = "of a call: smallest relevant change",
	  .prompt = "Smallest relevant change of a call, in percent:", .unit = " %" },
	{ .section = "watch", .name = "bound", .kind = SETTING_WATCHES,
	  .argument = "IMAGE | FUNCTION: FIGURE > VALUE",
	  .help = "bound on a figure of a function of this image; repeatable",
	  .label = "bounds", .hint = "figures that are watched",
	  .prompt = "IMAGE | FUNCTION: FIGURE > VALUE:", .title = "Watches",
	  .add = "add a bound ...", .unset = "none" },
	{ .section = "keys", .name = "keys", .kind = SETTING_KEYS,
	  .hint = "key bindings",
	  .title = "Keys", .unset = "default", .unit = " changed" },
	{ .name = NULL },
};

_Static_assert(sizeof(setting_rows) / sizeof(setting_rows[0]) - 1 <= SETTINGS_ROWS,
	       "room for all rows");

void settings_init(struct settings *s)
{
	*s = (struct settings){ 0 };
	keymap_init(&s->keys);
	for (const struct setting_row *r = setting_rows; r->name; r++) {
		int status = r->initial ? settings_read(s, r, r->initial, NULL) : 0;

		assert(status == 0);
		(void)status;
	}
}

void settings_release(struct settings *s)
{
	source_paths_release(&s->source);
}

/* --- places ----------------------------------------------------------------------------------- */

const char *settings_path(char *dst, size_t size)
{
	return file_place("XDG_CONFIG_HOME", ".config", "config.ini", dst, size);
}

const char *settings_contract(const char *path, char *dst, size_t size)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;
	bool inside = n > 1 && !strncmp(path, home, n) && (!path[n] || path[n] == '/');

	snprintf(dst, size, "%s%s", inside ? "~" : "", inside ? path + n : path);
	return dst;
}

const char *settings_editor(const struct settings *s)
{
	const char *const commands[] = { s->editor, getenv("VISUAL"), getenv("EDITOR") };

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i] && commands[i][strspn(commands[i], " \t\n")])
			return commands[i];
	return "vi";
}

/* --- the flat view's columns ------------------------------------------------------------------ */

/* Besides the columns of core/profile: pictures. */
static const struct { unsigned cell; const char *name; } pictures[] = {
	{ SETTINGS_BAR, "bar" }, { SETTINGS_TREND, "trend" },
};

enum { PICTURES = sizeof(pictures) / sizeof(pictures[0]), WIDEST = 400 };

const char *settings_cell_name(unsigned cell)
{
	for (size_t i = 0; i < PICTURES; i++)
		if (pictures[i].cell == cell)
			return pictures[i].name;
	return cell < COLUMN_COUNT ? columns[cell].name : NULL;
}

/* SETTINGS_CELLS: there is no column of that name. */
static unsigned cell_find(const char *name, size_t length)
{
	const struct column *c = column_find_word(name, length);

	for (size_t i = 0; i < PICTURES; i++)
		if (strlen(pictures[i].name) == length && !memcmp(pictures[i].name, name, length))
			return pictures[i].cell;
	return c ? c->id : SETTINGS_CELLS;
}

static int column_read(struct settings *s, const char *word, struct err *err)
{
	size_t n = strcspn(word, ":");
	unsigned cell = cell_find(word, n);
	uint64_t width = 0;

	if (cell == SETTINGS_CELLS)
		return err_set(err, ERR_FORMAT, "unknown column \"%.40s\"", word);
	if (word[n] && (!text_u64(word + n + 1, &width) || width > WIDEST))
		return err_set(err, ERR_FORMAT, "\"%.40s\": expected a width up to %d", word,
			       WIDEST);
	for (size_t i = 0; i < s->column_count; i++)
		if (s->columns[i].cell == cell)
			return err_set(err, ERR_FORMAT, "the column \"%.40s\" is given twice",
				       word);
	if (s->column_count == SETTINGS_COLUMNS)
		return err_set(err, ERR_FORMAT, "more than %d columns", SETTINGS_COLUMNS);
	s->columns[s->column_count++] = (struct settings_column){ .cell = (uint8_t)cell,
								  .width = (int16_t)width };
	return 0;
}

/* In order; a line that continues the value adds to it. */
static int columns_read(struct settings *s, char *value, struct err *err)
{
	char *save = NULL;
	int status = 0;

	for (char *w = strtok_r(value, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
		if (column_read(s, w, err) < 0)
			status = ERR_FORMAT;
	return status;
}

static void columns_write(const struct settings *s, struct buf *out)
{
	size_t line = out->len;

	for (size_t i = 0; i < s->column_count; i++) {
		const char *name = settings_cell_name(s->columns[i].cell);

		if (!name)
			continue;
		if (out->len - line > SETTINGS_VALUE - 40) {
			buf_adds(out, "\n\t");
			line = out->len;
		} else if (i) {
			buf_addc(out, ' ');
		}
		buf_adds(out, name);
		if (s->columns[i].width > 0)
			buf_addf(out, ":%d", s->columns[i].width);
	}
}

/* --- where sources are ------------------------------------------------------------------------ */

static int dir_read(struct settings *s, const char *value, struct err *err)
{
	char path[SETTINGS_PATH];

	if (!*value)
		return err_set(err, ERR_FORMAT, "the value is empty");
	if (source_paths_add_dir(&s->source, file_expand(value, path, sizeof(path))) < 0)
		return err_set(err, ERR_FORMAT, "more than %d", SOURCE_DIRS);
	return 0;
}

static int map_read(struct settings *s, const char *value, struct err *err)
{
	char from[SETTINGS_PATH], to[SETTINGS_PATH];
	size_t n = strcspn(value, " \t");
	const char *rest = value + n + strspn(value + n, " \t");

	if (!n || !*rest || n >= sizeof(from))
		return err_set(err, ERR_FORMAT,
			       "expected two paths: at build time, and on this machine");
	snprintf(from, sizeof(from), "%.*s", (int)n, value);
	file_expand(rest, to, sizeof(to));
	if (source_paths_add_map(&s->source, from, to) < 0)
		return err_set(err, ERR_FORMAT, "more than %d", SOURCE_MAPS);
	return 0;
}

/* --- lists ------------------------------------------------------------------------------------ */

size_t settings_count(const struct settings *s, const struct setting_row *r, size_t *given)
{
	size_t n = 0;

	switch (r->kind) {
	case SETTING_COLUMNS:
		return s->column_count;
	case SETTING_KEYS:
		for (const struct action_row *a = actions; a->action != ACTION_COUNT; a++)
			n += keymap_changed(&s->keys, a->action);
		return n;
	case SETTING_DIRS:
		if (given)
			*given = s->source.given_dirs;
		return s->source.dir_count;
	case SETTING_MAPS:
		if (given)
			*given = s->source.given_maps;
		return s->source.map_count;
	case SETTING_WATCHES:
		if (given)
			*given = s->given_watches;
		return s->watch_count;
	default:
		return 0;
	}
}

const char *settings_item(const struct settings *s, const struct setting_row *r, size_t i,
			  const char *between, char *dst, size_t size)
{
	char to[SETTINGS_PATH];

	if (r->kind == SETTING_DIRS)
		return settings_contract(s->source.dirs[i], dst, size);
	if (r->kind == SETTING_WATCHES)
		return settings_watch_line(&s->watches[i], dst, size);
	snprintf(dst, size, "%s%s%s", s->source.maps[i].from, between,
		 settings_contract(s->source.maps[i].to, to, sizeof(to)));
	return dst;
}

void settings_drop(struct settings *s, const struct setting_row *r, size_t i)
{
	if (r->kind == SETTING_DIRS) {
		source_paths_drop_dir(&s->source, i);
	} else if (r->kind == SETTING_MAPS) {
		source_paths_drop_map(&s->source, i);
	} else {
		s->given_watches -= i < s->given_watches;
		s->watch_count--;
		memmove(&s->watches[i], &s->watches[i + 1],
			(s->watch_count - i) * sizeof(s->watches[0]));
	}
}

static void paths_write(const struct settings *s, const struct setting_row *r, struct buf *out)
{
	char line[2 * SETTINGS_PATH];
	size_t given = 0, n = settings_count(s, r, &given);

	for (size_t i = given; i < n; i++)
		buf_addf(out, "%s%s", i > given ? "\n" : "",
			 settings_item(s, r, i, " ", line, sizeof(line)));
}

/* --- a value ---------------------------------------------------------------------------------- */

static int text_read(char *dst, const char *value, struct err *err)
{
	if (strlen(value) >= SETTINGS_TEXT)
		return err_set(err, ERR_FORMAT, "longer than %d bytes", SETTINGS_TEXT - 1);
	strcpy(dst, value);
	return 0;
}

static int bool_read(bool *on, const char *value, struct err *err)
{
	static const char *const words[] = {
		"no", "yes", "off", "on", "false", "true", "0", "1"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(words[i], value)) {
			*on = i % 2;
			return 0;
		}
	}
	return err_set(err, ERR_FORMAT, "\"%.40s\": expected yes or no", value);
}

static int number_read(const struct setting_row *r, double *number, const char *value,
		       struct err *err)
{
	double d;

	if (!text_double(value, &d) || !(d >= r->least && d <= r->most))
		return err_set(err, ERR_FORMAT, "\"%.40s\": expected a number of %s from %g to %g",
			       value, r->units, r->least, r->most);
	*number = d;
	return 0;
}

int settings_read(struct settings *s, const struct setting_row *r, const char *value,
		  struct err *err)
{
	void *member = (char *)s + r->offset;
	char copy[SETTINGS_TEXT];
	const struct column *c;

	switch (r->kind) {
	case SETTING_BOOL:
		return bool_read(member, value, err);
	case SETTING_NUMBER:
		return number_read(r, member, value, err);
	case SETTING_TEXT:
	case SETTING_THEME:
		return text_read(member, value, err);
	case SETTING_COLUMN:
		c = column_find(value);
		if (!c)
			return err_set(err, ERR_FORMAT, "unknown column \"%.40s\"", value);
		*(enum column_id *)member = c->id;
		return 0;
	case SETTING_COLUMNS:
		return text_read(copy, value, err) < 0 ? ERR_FORMAT : columns_read(s, copy, err);
	case SETTING_DIRS:
		return dir_read(s, value, err);
	case SETTING_MAPS:
		return map_read(s, value, err);
	case SETTING_WATCHES:
		return settings_watch_read(s, value, err);
	case SETTING_KEYS:
		break;
	}
	return 0;
}

const char *settings_value(const struct settings *s, const struct setting_row *r, char *dst,
			   size_t size)
{
	const void *member = (const char *)s + r->offset;

	dst[0] = 0;
	if (r->kind == SETTING_BOOL)
		snprintf(dst, size, "%s", *(const bool *)member ? "yes" : "no");
	else if (r->kind == SETTING_NUMBER)
		snprintf(dst, size, "%.6g", *(const double *)member);
	else if (r->kind == SETTING_TEXT || r->kind == SETTING_THEME)
		snprintf(dst, size, "%s", (const char *)member);
	else if (r->kind == SETTING_COLUMN)
		snprintf(dst, size, "%s", columns[*(const enum column_id *)member].name);
	return dst;
}

void settings_write(const struct settings *s, const struct setting_row *r, struct buf *out)
{
	char value[SETTINGS_TEXT];

	if (r->kind == SETTING_COLUMNS)
		columns_write(s, out);
	else if (r->kind == SETTING_DIRS || r->kind == SETTING_MAPS ||
		 r->kind == SETTING_WATCHES)
		paths_write(s, r, out);
	else if (strcmp(settings_value(s, r, value, sizeof(value)), r->initial ? r->initial : ""))
		buf_adds(out, value);
}
