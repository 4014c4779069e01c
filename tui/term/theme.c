#include "tui/term/theme.h"

#include <ctype.h>
#include <dirent.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"

#define THEME_SIZE 65536
#define STYLE_UNSET (-2)

/*
 * The roles' names in theme files and the built-in theme, one row each, in the words of a theme
 * file. A test compares it with themes/default.ini.
 */
static const struct role_row {
	const char *name;
	const char *style[THEME_DEPTHS];
} role_rows[ROLE_COUNT] = {
#define ROW(role, name_, s256, s8, mono) \
	[role] = { .name = name_, \
		   .style = { [THEME_256] = s256, [THEME_8] = s8, [THEME_MONO] = mono } }
	ROW(ROLE_DEFAULT, "default", "default", "default", "default"),
	ROW(ROLE_HEADER, "header", "default bold", "default bold", "default bold"),
	ROW(ROLE_LABEL, "label", "244", "default", "default"),
	ROW(ROLE_VALUE, "value", "default", "default", "default"),
	ROW(ROLE_GOOD, "good", "114", "green", "default"),
	ROW(ROLE_WARNING, "warning", "221", "yellow", "bold"),
	ROW(ROLE_BAD, "bad", "231 on 160 bold", "white on red bold", "reverse bold"),
	ROW(ROLE_TITLE, "title", "250 on 238", "black on white", "reverse"),
	ROW(ROLE_TITLE_SORTED, "title-sorted", "231 on 238 bold", "black on cyan", "reverse bold"),
	ROW(ROLE_SELECTED, "selected", "default on 24", "black on cyan", "reverse"),
	ROW(ROLE_NAME, "name", "default", "default", "default"),
	ROW(ROLE_NUMBER, "number", "default", "default", "default"),
	ROW(ROLE_DIM, "dim", "242", "default dim", "default dim"),
	ROW(ROLE_MATCH, "match", "16 on 221", "black on yellow", "bold underline"),
	ROW(ROLE_BAR, "bar", "67", "blue", "default"),
	ROW(ROLE_HEAT0, "heat0", "67", "blue", "default"),
	ROW(ROLE_HEAT1, "heat1", "73", "cyan", "default"),
	ROW(ROLE_HEAT2, "heat2", "143", "green", "default"),
	ROW(ROLE_HEAT3, "heat3", "179", "yellow", "default"),
	ROW(ROLE_HEAT4, "heat4", "167", "red", "bold"),
	ROW(ROLE_TAB, "tab", "248", "default", "default"),
	ROW(ROLE_TAB_ACTIVE, "tab-active", "231 on 24 bold", "black on cyan", "reverse bold"),
	ROW(ROLE_KEY, "key", "117", "cyan bold", "bold"),
	ROW(ROLE_PROMPT, "prompt", "default", "default", "default"),
	ROW(ROLE_MENU, "menu", "252 on 236", "white on blue", "reverse"),
	ROW(ROLE_MENU_SELECTED, "menu-selected", "231 on 24 bold", "black on cyan", "bold"),
	ROW(ROLE_FLAME0, "flame0", "16 on 67", "white on blue", "default underline"),
	ROW(ROLE_FLAME1, "flame1", "16 on 73", "white on blue bold", "default underline"),
	ROW(ROLE_FLAME2, "flame2", "16 on 143", "black on green", "default underline"),
	ROW(ROLE_FLAME3, "flame3", "16 on 179", "white on magenta", "default bold underline"),
	ROW(ROLE_FLAME4, "flame4", "16 on 167", "white on red bold", "default bold underline"),
	ROW(ROLE_BOX0, "box0", "16 on 110", "white on blue", "default underline"),
	ROW(ROLE_BOX1, "box1", "16 on 108", "black on green", "default bold underline"),
	ROW(ROLE_BOX2, "box2", "16 on 180", "white on magenta", "default underline"),
	ROW(ROLE_BOX3, "box3", "16 on 139", "white on red", "default bold underline"),
	ROW(ROLE_BOX4, "box4", "16 on 152", "white on blue bold", "default underline"),
	ROW(ROLE_BOX5, "box5", "16 on 174", "white on magenta bold", "default bold underline"),
	ROW(ROLE_BOX_PLAIN, "box-plain", "252 on 238", "black on white", "default underline"),
	ROW(ROLE_BOX_BETTER, "box-better", "16 on 74", "black on green", "default underline"),
#undef ROW
};

static const char *const depth_names[THEME_DEPTHS] = {
	[THEME_RGB] = "rgb", [THEME_256] = "256", [THEME_8] = "8", [THEME_MONO] = "mono",
};

static const int depth_colors[THEME_DEPTHS] = {
	[THEME_RGB] = 256, [THEME_256] = 256, [THEME_8] = 8, [THEME_MONO] = 0,
};

static const char *const color_names[] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
};

static const struct { const char *name; uint8_t bit; } attribute_names[] = {
	{ "bold", STYLE_BOLD }, { "underline", STYLE_UNDERLINE },
	{ "reverse", STYLE_REVERSE }, { "dim", STYLE_DIM },
};

/* --- styles --------------------------------------------------------------------------------- */

/* "#rrggbb", where the depth has such colours. */
static bool rgb_parse(const char *word, enum theme_depth depth, int32_t *color)
{
	if (depth != THEME_RGB || strlen(word) != 7 ||
	    strspn(word + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	*color = STYLE_RGB | (int32_t)strtol(word + 1, NULL, 16);
	return true;
}

static bool color_parse(const char *word, enum theme_depth depth, int32_t *color)
{
	int colors = depth_colors[depth];
	uint64_t n;

	if (!strcmp(word, "default")) {
		*color = -1;
		return true;
	}
	if (word[0] == '#')
		return rgb_parse(word, depth, color);
	for (int i = 0; i < 8; i++) {
		if (!strcmp(word, color_names[i]) && i < colors) {
			*color = i;
			return true;
		}
	}
	if (!isdigit((unsigned char)word[0]) || !text_u64(word, &n) || n >= (uint64_t)colors)
		return false;
	*color = (int32_t)n;
	return true;
}

static uint8_t attribute_parse(const char *word)
{
	for (size_t i = 0; i < sizeof(attribute_names) / sizeof(attribute_names[0]); i++)
		if (!strcmp(word, attribute_names[i].name))
			return attribute_names[i].bit;
	return 0;
}

/* [foreground] [on background] [attributes] */
static int style_parse(const char *text, enum theme_depth depth, struct style *style,
		       struct err *err)
{
	char copy[96], *save = NULL;
	struct style s = { .fg = -1, .bg = -1 };
	bool first = true, on = false;

	if (strlen(text) >= sizeof(copy))
		return err_set(err, ERR_FORMAT, "a style longer than %zu characters", sizeof(copy));
	strcpy(copy, text);
	for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
		uint8_t bit = attribute_parse(w);

		if (on && color_parse(w, depth, &s.bg))
			on = false;
		else if (!on && !strcmp(w, "on"))
			on = true;
		else if (!on && bit)
			s.attributes |= bit;
		else if (on || !first || !color_parse(w, depth, &s.fg))
			return err_set(err, ERR_FORMAT, "\"%s\" is not a colour or attribute of "
				       "[%s]", w, depth_names[depth]);
		first = false;
	}
	if (on)
		return err_set(err, ERR_FORMAT, "\"on\" without a colour");
	*style = s;
	return 0;
}

/* In [rgb]: the style of [256]. */
static const struct style unset = { .fg = STYLE_UNSET, .bg = STYLE_UNSET };

void theme_default(struct theme *t)
{
	memset(t, 0, sizeof(*t));
	strcpy(t->name, "default");
	for (int r = 0; r < ROLE_COUNT; r++) {
		t->styles[THEME_RGB][r] = unset;
		for (int d = THEME_256; d < THEME_DEPTHS; d++)
			style_parse(role_rows[r].style[d], (enum theme_depth)d, &t->styles[d][r],
				    NULL);
	}
}

static const struct style *style_of(const struct theme *t, enum theme_depth depth, enum role role)
{
	const struct style *s = &t->styles[depth][role];

	return s->fg == STYLE_UNSET ? &t->styles[THEME_256][role] : s;
}

struct style theme_style(const struct theme *t, enum theme_depth depth, enum role role,
			 bool selected)
{
	const struct style *row = style_of(t, depth, ROLE_SELECTED);
	struct style s = *style_of(t, depth, role);

	if (!selected || ((role == ROLE_MATCH || role == ROLE_BAD) && s.bg >= 0))
		return s;
	/* Dim text would be unreadable on the selected row's background. */
	if (role == ROLE_DIM || role == ROLE_LABEL)
		s = *style_of(t, depth, ROLE_DEFAULT);
	if (row->bg >= 0)
		s.bg = row->bg;
	/* Attributes belong to their own colour: bold black is grey on many terminals. */
	if (row->fg >= 0) {
		s.fg = row->fg;
		s.attributes = 0;
	}
	s.attributes |= row->attributes;
	return s;
}

/* --- files ---------------------------------------------------------------------------------- */

struct theme_reader {
	struct theme *theme;
	struct err why;			/* of the first bad line; inih returns its number */
};

static int about_read(struct theme_reader *r, const char *name, const char *value)
{
	if (!strcmp(name, "name")) {
		text_visible(r->theme->name, sizeof(r->theme->name), value, strlen(value));
		return 1;
	}
	if (!strcmp(name, "description")) {
		text_visible(r->theme->description, sizeof(r->theme->description), value,
			     strlen(value));
		return 1;
	}
	err_set(&r->why, ERR_FORMAT, "[theme] has no \"%s\"", name);
	return 0;
}

static int role_read(struct theme_reader *r, enum theme_depth depth, const char *name,
		     const char *value)
{
	for (int role = 0; role < ROLE_COUNT; role++)
		if (!strcmp(role_rows[role].name, name))
			return style_parse(value, depth, &r->theme->styles[depth][role],
					   &r->why) == 0;
	err_set(&r->why, ERR_FORMAT, "there is no role \"%s\"", name);
	return 0;
}

static int line_read(void *ctx, const char *section, const char *name, const char *value)
{
	struct theme_reader *r = ctx;

	if (!strcmp(section, "theme"))
		return about_read(r, name, value);
	for (int d = 0; d < THEME_DEPTHS; d++)
		if (!strcmp(section, depth_names[d]))
			return role_read(r, (enum theme_depth)d, name, value);
	err_set(&r->why, ERR_FORMAT, "there is no section [%s]", section);
	return 0;
}

int theme_parse(struct theme *t, const char *text, size_t n, struct err *err)
{
	struct theme fresh;
	struct theme_reader r = { .theme = &fresh };
	char *copy;
	int line;

	if (n > THEME_SIZE)
		return err_set(err, ERR_FORMAT, "larger than %d bytes", THEME_SIZE);
	if (n && memchr(text, 0, n))
		return err_set(err, ERR_FORMAT, "not a text file");
	copy = mem_strndup(n ? text : "", n);
	if (!copy)
		return err_set(err, ERR_NOMEM, "out of memory");
	theme_default(&fresh);
	line = ini_parse_string(copy, line_read, &r);
	mem_free(copy);
	if (line)
		return err_set(err, ERR_FORMAT, "line %d: %s", line < 0 ? 0 : line,
			       r.why.code ? r.why.text : "neither a [section] nor role = style");
	*t = fresh;
	return 0;
}

static int path_load(struct theme *t, const char *path, struct err *err)
{
	struct err why = { 0 };
	size_t n;
	char *text = file_read(path, THEME_SIZE, &n, err);
	int e;

	if (!text)
		return ERR_IO;
	e = theme_parse(t, text, n, &why);
	mem_free(text);
	return e < 0 ? err_set(err, e, "%s: %s", path, why.text) : 0;
}

/* The directories of themes, the user's own first. */
enum { PLACES = 5, PLACE_SIZE = 1024, THEMES_NAMED = 32 };

/* A checkout's themes: the program is in its build directory, or in one below that. */
static void place_checkout(const char *up, char *dst, size_t size)
{
	char *slash = strrchr(os_program(dst, size), '/');

	if (slash)
		snprintf(slash, size - (size_t)(slash - dst), "%s/themes", up);
}

static void place_path(int i, char *dst, size_t size)
{
	switch (i) {
	case 0:
		file_place("XDG_CONFIG_HOME", ".config", "themes", dst, size);
		break;
	case 1:
		snprintf(dst, size, "%s/themes", WSNTOP_DATADIR);
		break;
	case 2:
		snprintf(dst, size, "themes");
		break;
	case 3:
		place_checkout("/..", dst, size);
		break;
	default:
		place_checkout("/../..", dst, size);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct theme_name *)a)->name, ((const struct theme_name *)b)->name);
}

static bool is_listed(const struct theme_name *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i].name, name))
			return true;
	return false;
}

static size_t dir_list(const char *dir, struct theme_name *names, size_t n, size_t max)
{
	DIR *d = *dir ? opendir(dir) : NULL;
	const struct dirent *e;

	while (d && n < max && (e = readdir(d))) {
		size_t length = strlen(e->d_name);

		if (length < 5 || length - 4 >= sizeof(names[n].name) ||
		    strcmp(e->d_name + length - 4, ".ini"))
			continue;
		text_visible(names[n].name, sizeof(names[n].name), e->d_name, length - 4);
		n += !is_listed(names, n, names[n].name);
	}
	if (d)
		closedir(d);
	return n;
}

size_t theme_list(struct theme_name *names, size_t max)
{
	char dir[PLACE_SIZE];
	size_t n = 0;

	if (max)
		strcpy(names[n++].name, "default");
	for (int i = 0; i < PLACES; i++) {
		place_path(i, dir, sizeof(dir));
		n = dir_list(dir, names, n, max);
	}
	qsort(names, n, sizeof(*names), by_name);
	return n;
}

static int no_such_theme(const char *name, struct err *err)
{
	struct theme_name themes[THEMES_NAMED];
	struct buf names = BUF_INIT;
	size_t n = theme_list(themes, THEMES_NAMED);

	for (size_t i = 0; i < n; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", themes[i].name);
	err_set(err, ERR_ABSENT, "%s: no such theme; there are %s", name, buf_str(&names));
	buf_release(&names);
	return ERR_ABSENT;
}

int theme_load(struct theme *t, const char *name_or_path, struct err *err)
{
	char dir[PLACE_SIZE], path[PLACE_SIZE + 300];

	if (strchr(name_or_path, '/') || strstr(name_or_path, ".ini"))
		return path_load(t, name_or_path, err);
	for (int i = 0; i < PLACES; i++) {
		place_path(i, dir, sizeof(dir));
		snprintf(path, sizeof(path), "%s/%.255s.ini", dir, name_or_path);
		if (*dir && access(path, R_OK) == 0)
			return path_load(t, path, err);
	}
	if (!strcmp(name_or_path, "default")) {
		theme_default(t);
		return 0;
	}
	return no_such_theme(name_or_path, err);
}
