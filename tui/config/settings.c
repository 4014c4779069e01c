#include "tui/config/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/text.h"

void settings_init(struct settings *s)
{
	*s = (struct settings){ .follow = true, .timebar = true, .mouse = true, .interval = 1,
				.sort = COLUMN_SELF };
	keymap_init(&s->keys);
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

const char *settings_expand(const char *path, char *dst, size_t size)
{
	const char *home = getenv("HOME");
	bool tilde = path[0] == '~' && (!path[1] || path[1] == '/') && home && *home;

	snprintf(dst, size, "%s%s", tilde ? home : "", tilde ? path + 1 : path);
	return dst;
}

const char *settings_contract(const char *path, char *dst, size_t size)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;
	bool inside = n > 1 && !strncmp(path, home, n) && (!path[n] || path[n] == '/');

	snprintf(dst, size, "%s%s", inside ? "~" : "", inside ? path + n : path);
	return dst;
}

/* --- [screen] --------------------------------------------------------------------------------- */

static int read_text(char *dst, size_t size, const char *value, struct err *err)
{
	if (strlen(value) >= size)
		return err_set(err, ERR_FORMAT, "longer than %zu bytes", size - 1);
	strcpy(dst, value);
	return 0;
}

static int read_switch(bool *on, const char *value, struct err *err)
{
	static const struct { const char *word; bool on; } words[] = {
		{ "yes", true }, { "no", false }, { "on", true }, { "off", false },
		{ "true", true }, { "false", false }, { "1", true }, { "0", false },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(words[i].word, value)) {
			*on = words[i].on;
			return 0;
		}
	}
	return err_set(err, ERR_FORMAT, "\"%.40s\" is neither yes nor no", value);
}

static int read_theme(struct settings *s, const char *value, struct err *err)
{
	return read_text(s->theme, sizeof(s->theme), value, err);
}

static int read_follow(struct settings *s, const char *value, struct err *err)
{
	return read_switch(&s->follow, value, err);
}

static int read_timebar(struct settings *s, const char *value, struct err *err)
{
	return read_switch(&s->timebar, value, err);
}

static int read_mouse(struct settings *s, const char *value, struct err *err)
{
	return read_switch(&s->mouse, value, err);
}

static int read_interval(struct settings *s, const char *value, struct err *err)
{
	double d;

	if (!text_double(value, &d) || !(d >= 0.1 && d <= 3600))
		return err_set(err, ERR_FORMAT, "\"%.40s\" is no number of seconds from 0.1 to 3600",
			       value);
	s->interval = d;
	return 0;
}

static void write_theme(const struct settings *s, struct buf *out)
{
	buf_adds(out, s->theme);
}

/* What is switched on unless the user says no. */
static void write_off(bool on, struct buf *out)
{
	buf_adds(out, on ? "" : "no");
}

static void write_follow(const struct settings *s, struct buf *out)
{
	write_off(s->follow, out);
}

static void write_timebar(const struct settings *s, struct buf *out)
{
	write_off(s->timebar, out);
}

static void write_mouse(const struct settings *s, struct buf *out)
{
	write_off(s->mouse, out);
}

static void write_interval(const struct settings *s, struct buf *out)
{
	if (fabs(s->interval - 1) > 1e-9)
		buf_addf(out, "%.6g", s->interval);
}

/* --- [columns] -------------------------------------------------------------------------------- */

/* Beside the columns of core/profile: pictures. */
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

unsigned settings_cell(const char *name, size_t length)
{
	for (unsigned cell = 0; cell < SETTINGS_CELLS; cell++) {
		const char *its = settings_cell_name(cell);

		if (its && strlen(its) == length && !memcmp(its, name, length))
			return cell;
	}
	return SETTINGS_CELLS;
}

static int read_column(struct settings *s, const char *word, struct err *err)
{
	size_t n = strcspn(word, ":");
	unsigned cell = settings_cell(word, n);
	uint64_t width = 0;

	if (cell == SETTINGS_CELLS)
		return err_set(err, ERR_FORMAT, "there is no column \"%.40s\"", word);
	if (word[n] && (!text_u64(word + n + 1, &width) || width > WIDEST))
		return err_set(err, ERR_FORMAT, "\"%.40s\": a width is a number up to %d", word, WIDEST);
	for (size_t i = 0; i < s->column_count; i++)
		if (s->columns[i].cell == cell)
			return err_set(err, ERR_FORMAT, "the column \"%.40s\" is there twice", word);
	if (s->column_count == SETTINGS_COLUMNS)
		return err_set(err, ERR_FORMAT, "more than %d columns", SETTINGS_COLUMNS);
	s->columns[s->column_count++] = (struct settings_column){ .cell = (uint8_t)cell,
								  .width = (int16_t)width };
	return 0;
}

/* In order; a line that goes on in the next adds to it. */
static int read_columns(struct settings *s, const char *value, struct err *err)
{
	char copy[256], *save = NULL;
	int status = read_text(copy, sizeof(copy), value, err);

	for (char *w = strtok_r(status ? NULL : copy, " \t", &save); w;
	     w = strtok_r(NULL, " \t", &save))
		if (read_column(s, w, err) < 0)
			status = ERR_FORMAT;
	return status;
}

static void write_columns(const struct settings *s, struct buf *out)
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

static int read_sort(struct settings *s, const char *value, struct err *err)
{
	const struct column *c = column_find(value);

	if (!c)
		return err_set(err, ERR_FORMAT, "there is no column \"%.40s\"", value);
	s->sort = c->id;
	return 0;
}

static void write_sort(const struct settings *s, struct buf *out)
{
	if (s->sort != COLUMN_SELF)
		buf_adds(out, columns[s->sort].name);
}

/* --- [source] --------------------------------------------------------------------------------- */

static int read_dir(struct settings *s, const char *value, struct err *err)
{
	char path[SETTINGS_PATH];

	if (!*value)
		return err_set(err, ERR_FORMAT, "it is empty");
	if (source_paths_add_dir(&s->source, settings_expand(value, path, sizeof(path))) < 0)
		return err_set(err, ERR_FORMAT, "more than %d", SOURCE_DIRS);
	return 0;
}

static int read_map(struct settings *s, const char *value, struct err *err)
{
	char from[SETTINGS_PATH], to[SETTINGS_PATH];
	size_t n = strcspn(value, " \t");
	const char *rest = value + n + strspn(value + n, " \t");

	if (!n || !*rest || n >= sizeof(from))
		return err_set(err, ERR_FORMAT, "it takes two: the path as built, the path here");
	snprintf(from, sizeof(from), "%.*s", (int)n, value);
	settings_expand(rest, to, sizeof(to));
	if (source_paths_add_map(&s->source, from, to) < 0)
		return err_set(err, ERR_FORMAT, "more than %d", SOURCE_MAPS);
	return 0;
}

static int read_editor(struct settings *s, const char *value, struct err *err)
{
	return read_text(s->editor, sizeof(s->editor), value, err);
}

static void write_dir(const struct settings *s, struct buf *out)
{
	char path[SETTINGS_PATH];

	for (size_t i = s->source.given_dirs; i < s->source.dir_count; i++)
		buf_addf(out, "%s%s", i > s->source.given_dirs ? "\n" : "",
			 settings_contract(s->source.dirs[i], path, sizeof(path)));
}

static void write_map(const struct settings *s, struct buf *out)
{
	char path[SETTINGS_PATH];

	for (size_t i = s->source.given_maps; i < s->source.map_count; i++)
		buf_addf(out, "%s%s %s", i > s->source.given_maps ? "\n" : "", s->source.maps[i].from,
			 settings_contract(s->source.maps[i].to, path, sizeof(path)));
}

static void write_editor(const struct settings *s, struct buf *out)
{
	buf_adds(out, s->editor);
}

/* --- the table -------------------------------------------------------------------------------- */

const struct setting_row setting_rows[] = {
	{ .section = "screen", .name = "theme", .argument = "NAME",
	  .read = read_theme, .write = write_theme,
	  .help = "colours: a theme's name, or the path of its file" },
	{ .section = "screen", .name = "follow", .argument = "yes|no",
	  .read = read_follow, .write = write_follow,
	  .help = "the selection follows its function (yes), or keeps its line" },
	{ .section = "screen", .name = "interval", .argument = "SECONDS",
	  .read = read_interval, .write = write_interval,
	  .help = "what \"interval\" spans (1)" },
	{ .section = "screen", .name = "timebar", .argument = "yes|no",
	  .read = read_timebar, .write = write_timebar,
	  .help = "the time bar is there (yes)" },
	{ .section = "screen", .name = "mouse", .argument = "yes|no",
	  .read = read_mouse, .write = write_mouse,
	  .help = "the mouse is wsntop's (yes), or left to the terminal" },
	{ .section = "columns", .name = "flat", .argument = "COLUMN[:WIDTH]...",
	  .read = read_columns, .write = write_columns,
	  .help = "the flat view's columns, in order (those that have something to show, as room allows)" },
	{ .section = "columns", .name = "sort", .argument = "COLUMN",
	  .read = read_sort, .write = write_sort,
	  .help = "what the rows are sorted by at the start (self)" },
	{ .section = "source", .name = "dir", .argument = "FOLDER", .repeated = true,
	  .read = read_dir, .write = write_dir,
	  .help = "where source files may be; may be repeated" },
	{ .section = "source", .name = "map", .argument = "FROM TO", .repeated = true,
	  .read = read_map, .write = write_map,
	  .help = "a path's beginning as built, and the same here; may be repeated" },
	{ .section = "source", .name = "editor", .argument = "COMMAND",
	  .read = read_editor, .write = write_editor,
	  .help = "what opens a line ($VISUAL, $EDITOR, vi)" },
	{ .name = NULL },
};

_Static_assert(sizeof(setting_rows) / sizeof(setting_rows[0]) - 1 <= SETTINGS_ROWS, "room for all rows");
