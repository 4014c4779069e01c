#include "tui/settings.h"

#include <ctype.h>
#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
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
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	*dst = 0;
	if (config && *config)
		snprintf(dst, size, "%s/wsntop/config.ini", config);
	else if (home && *home)
		snprintf(dst, size, "%s/.config/wsntop/config.ini", home);
	return dst;
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

enum { ROWS = sizeof(setting_rows) / sizeof(setting_rows[0]) - 1 };

static const struct setting_row *row_find(const char *section, const char *name)
{
	for (const struct setting_row *r = setting_rows; r->name; r++)
		if (!strcmp(r->section, section) && !strcmp(r->name, name))
			return r;
	return NULL;
}

#define BOM "\xef\xbb\xbf"		/* some editors begin a file with it */

enum { LINE = 200 };		/* what libinih reads of one (INI_MAX_LINE) */

/* --- reading ---------------------------------------------------------------------------------- */

/*
 * libinih says only where the first error was, and splits lines that are too long for it. So lines
 * are handed to it one by one, and it is watched what it makes of them.
 */
struct reader {
	struct settings *settings;
	const char *at, *end;
	size_t line;			/* of the one handed out last */
	bool expects;			/* it must come to something */
	struct err first;
	size_t wrong;
};

static void complain(struct reader *r, const char *why)
{
	if (r->wrong++ == 0)
		err_set(&r->first, ERR_FORMAT, "line %zu: %s", r->line, why);
}

static bool known_section(const char *line)
{
	size_t n = strcspn(line + 1, "]");

	if (!strncmp(line + 1, "keys]", 5))
		return true;
	for (const struct setting_row *row = setting_rows; row->name; row++)
		if (strlen(row->section) == n && !memcmp(row->section, line + 1, n))
			return true;
	return false;
}

static void look_at(struct reader *r, const char *line)
{
	const char *s = line + strspn(line, " \t\r\n");

	r->expects = *s && *s != ';' && *s != '#' && *s != '[';
	if (*s != '[')
		return;
	if (!strchr(s, ']'))
		complain(r, "a section's name ends with ]");
	else if (!known_section(s))
		complain(r, "there is no such section");
}

static char *next_line(char *dst, int size, void *ctx)
{
	struct reader *r = ctx;

	if (r->expects)
		complain(r, "neither a [section] nor name = value");
	for (r->expects = false; r->at < r->end;) {
		const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		size_t n = (size_t)((newline ? newline + 1 : r->end) - r->at);

		r->line++;
		r->at += n;
		if (n + !newline < (size_t)size) {
			memcpy(dst, r->at - n, n);
			dst[n] = 0;
			look_at(r, dst);
			return dst;
		}
		complain(r, "too long");
	}
	return NULL;
}

static int take(void *ctx, const char *section, const char *name, const char *value)
{
	struct reader *r = ctx;
	const struct setting_row *row = row_find(section, name);
	struct err err = { 0 };
	char why[320];

	r->expects = false;
	if (*value == ';') {
		complain(r, "a value that begins with ; (a comment has a blank before it)");
	} else if (!strcmp(section, "keys")) {
		if (keymap_set(&r->settings->keys, name, value, &err) < 0)
			complain(r, err.text);
	} else if (!row) {
		snprintf(why, sizeof(why), "[%.40s] has no \"%.40s\"", section, name);
		complain(r, why);
	} else if (row->read(r->settings, value, &err) < 0) {
		snprintf(why, sizeof(why), "%s: %.250s", name, err.text);
		complain(r, why);
	}
	return 1;
}

int settings_parse(struct settings *s, const char *text, size_t n, struct err *err)
{
	struct reader r = { .settings = s, .at = text, .end = text + n };

	s->wrong = 0;
	if (n >= strlen(BOM) && !memcmp(text, BOM, strlen(BOM)))
		r.at += strlen(BOM);
	if (n > SETTINGS_SIZE || (n && memchr(text, 0, n))) {
		s->wrong = 1;
		return err_set(err, ERR_FORMAT, n > SETTINGS_SIZE ? "too large" : "not a text file");
	}
	if (ini_parse_stream(next_line, &r, take, &r) == -2)
		return err_set(err, ERR_NOMEM, "out of memory");
	s->wrong = r.wrong;
	if (r.wrong > 1)
		return err_set(err, ERR_FORMAT, "%.200s; and %zu more line%s", r.first.text, r.wrong - 1,
			       r.wrong == 2 ? "" : "s");
	return r.wrong ? err_set(err, ERR_FORMAT, "%s", r.first.text) : 0;
}

int settings_load(struct settings *s, const char *path, struct err *err)
{
	struct err why = { 0 };
	char shown[SETTINGS_PATH], *text;
	size_t n;
	int status;

	s->path[0] = 0;
	if (path && !strcmp(path, "none"))
		return 0;
	if (path)
		snprintf(s->path, sizeof(s->path), "%s", path);
	else if (!*settings_path(s->path, sizeof(s->path)) || access(s->path, F_OK) < 0)
		return 0;
	text = file_read(s->path, SETTINGS_SIZE, &n, err);
	if (!text) {
		s->path[0] = 0;		/* what cannot be read is not written over */
		return ERR_IO;
	}
	status = settings_parse(s, text, n, &why);
	mem_free(text);
	if (status == 0)
		return 0;
	return err_set(err, status, "%.120s: %.180s", settings_contract(s->path, shown, sizeof(shown)),
		       why.text);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* All names of the file as one list: the rows', then the actions'. False: past the last. */
static bool entry(size_t i, const struct settings *s, const char **section, const char **name,
		  struct buf *value)
{
	const struct action_row *action = i >= ROWS ? &actions[i - ROWS] : NULL;
	char keys[KEYMAP_TEXT];

	buf_reset(value);
	if (action && action->action == ACTION_COUNT)
		return false;
	*section = action ? "keys" : setting_rows[i].section;
	*name = action ? action->name : setting_rows[i].name;
	if (!action)
		setting_rows[i].write(s, value);
	else if (keymap_changed(&s->keys, action->action))
		buf_adds(value, *keymap_text(&s->keys, action->action, keys, sizeof(keys)) ? keys : "none");
	return true;
}

/* The text of the file while it is written anew. */
struct writer {
	const struct settings *settings;
	struct buf *out;
	struct buf value;
	char section[64];
	bool written[ROWS + ACTION_COUNT];
	size_t blank;			/* empty lines held back: what is new goes before them */
	bool named, drop;		/* there was a name; the lines that go on from it go with it */
};

static void flush_blank(struct writer *w)
{
	for (; w->blank; w->blank--)
		buf_addc(w->out, '\n');
}

/* Repeated ones are a line each; a line that begins with a tab goes on. */
static void add_entry(struct writer *w, const char *name)
{
	const char *line = buf_str(&w->value);

	while (*line) {
		size_t n = strcspn(line, "\n");

		if (*line == '\t')
			buf_addf(w->out, "%.*s\n", (int)n, line);
		else
			buf_addf(w->out, "%s = %.*s\n", name, (int)n, line);
		line += n + (line[n] == '\n');
	}
}

/* What the section has not had yet. */
static void end_section(struct writer *w)
{
	const char *section, *name;

	for (size_t i = 0; entry(i, w->settings, &section, &name, &w->value); i++) {
		if (w->written[i] || strcmp(section, w->section) != 0)
			continue;
		w->written[i] = true;
		add_entry(w, name);
	}
}

/* Where libinih ends a name, or a section's: at one of `ends`; 0: before that a comment begins. */
static size_t end_of_name(const char *s, size_t n, const char *ends)
{
	for (size_t i = 1; i < n; i++) {
		if (strchr(ends, s[i]))
			return i;
		if (s[i] == ';' && isspace((unsigned char)s[i - 1]))
			break;
	}
	return 0;
}

/* The name of a line "name = value": its length. */
static size_t name_length(const char *s, size_t n)
{
	size_t length = end_of_name(s, n, "=:");

	while (length && isspace((unsigned char)s[length - 1]))
		length--;
	return length;
}

/* A line of the file as it was. False: it is none of ours, and stays. */
static bool replace(struct writer *w, const char *line, size_t length)
{
	const char *section, *name;

	for (size_t i = 0; entry(i, w->settings, &section, &name, &w->value); i++) {
		if (strcmp(section, w->section) || strlen(name) != length || memcmp(name, line, length))
			continue;
		if (!w->written[i])
			add_entry(w, name);
		w->written[i] = true;
		return true;
	}
	return false;
}

/* What a line with something in it is: true when it goes. */
static bool take_line(struct writer *w, const char *s, size_t n, bool indented)
{
	size_t length;

	if (*s == '[') {
		length = end_of_name(s, n, "]");
		if (!length)
			return false;
		end_section(w);
		snprintf(w->section, sizeof(w->section), "%.*s", (int)length - 1, s + 1);
		w->drop = w->named = false;
		return false;
	}
	if (*s == ';' || *s == '#')
		return false;
	if (indented && w->named)
		return w->drop;
	length = name_length(s, n);
	if (length) {
		flush_blank(w);
		w->named = true;
		w->drop = replace(w, s, length);
	}
	return length && w->drop;
}

static void merge_line(struct writer *w, const char *line, size_t n)
{
	size_t indent = 0;

	while (indent < n && isspace((unsigned char)line[indent]))
		indent++;
	if (indent == n) {
		w->blank++;
		return;
	}
	if (n + 1 < LINE && take_line(w, line + indent, n - indent, indent > 0))
		return;
	flush_blank(w);
	buf_add(w->out, line, n);
	buf_addc(w->out, '\n');
}

/* Sections that the file did not have. */
static void add_sections(struct writer *w)
{
	const char *section, *name;

	for (size_t i = 0; entry(i, w->settings, &section, &name, &w->value); i++) {
		if (w->written[i] || !w->value.len)
			continue;
		snprintf(w->section, sizeof(w->section), "%s", section);
		buf_addf(w->out, "%s[%s]\n", w->out->len ? "\n" : "", section);
		end_section(w);
	}
}

void settings_merge(const struct settings *s, const char *text, struct buf *out)
{
	struct writer w = { .settings = s, .out = out, .value = BUF_INIT };

	if (!strncmp(text, BOM, strlen(BOM)))
		text += strlen(BOM);
	while (*text) {
		size_t n = strcspn(text, "\n");

		merge_line(&w, text, n);
		text += n + (text[n] == '\n');
	}
	end_section(&w);
	add_sections(&w);
	buf_release(&w.value);
	out->failed |= w.value.failed;
}

/* The folders that a file is to lie in. What cannot be made is said when the file cannot be. */
static void make_folders(const char *path)
{
	char part[SETTINGS_PATH];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdir(part, 0777);
	}
}

static int keep_old(const struct settings *s, const char *text, size_t n, struct err *err)
{
	char path[SETTINGS_PATH + 8];

	if (!s->wrong)
		return 0;
	snprintf(path, sizeof(path), "%s.bak", s->path);
	return file_write(path, text, n, err);
}

int settings_save(struct settings *s, struct err *err)
{
	struct buf out = BUF_INIT;
	char *text;
	size_t n = 0;
	int status;

	s->changed = false;
	if (!s->path[0])
		return 0;
	text = access(s->path, F_OK) == 0 ? file_read(s->path, SETTINGS_SIZE, &n, err) : mem_strdup("");
	if (!text)
		return err_set(err, ERR_NOMEM, "out of memory");
	settings_merge(s, text, &out);
	status = keep_old(s, text, n, err);
	make_folders(s->path);
	if (status == 0)
		status = out.failed ? err_set(err, ERR_NOMEM, "out of memory") :
			 file_write(s->path, buf_str(&out), out.len, err);
	mem_free(text);
	buf_release(&out);
	return status;
}
