/*
 * settings_read: read the user's file, line by line.
 */
#include <ini.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "tui/config/settings.h"

/* The row of a name; NULL as the name: any row of the section. */
static const struct setting_row *row_find(const char *section, size_t n, const char *name)
{
	for (const struct setting_row *r = setting_rows; r->name; r++)
		if (strlen(r->section) == n && !memcmp(r->section, section, n) &&
		    (!name || r->kind == SETTING_KEYS || !strcmp(r->name, name)))
			return r;
	return NULL;
}

/*
 * libinih reports only the first error's line, and splits lines that are too long for it. Therefore
 * it gets the lines one by one, and a line of which it makes no value is reported here.
 */
struct settings_reader {
	struct settings *settings;
	const char *at, *end;
	size_t line;			/* number of the line that libinih got last */
	bool expects;			/* a value, from that line */
	struct err first;
	size_t wrong;
};

static void line_refuse(struct settings_reader *r, const char *why)
{
	if (r->wrong++ == 0)
		err_set(&r->first, ERR_FORMAT, "line %zu: %s", r->line, why);
}

static void line_inspect(struct settings_reader *r, const char *line)
{
	const char *s = line + strspn(line, " \t\r\n");

	r->expects = *s && *s != ';' && *s != '#' && *s != '[';
	if (*s != '[')
		return;
	if (!strchr(s, ']'))
		line_refuse(r, "missing ] after the section's name");
	else if (!row_find(s + 1, strcspn(s + 1, "]"), NULL))
		line_refuse(r, "unknown section");
}

static char *line_next(char *dst, int size, void *ctx)
{
	struct settings_reader *r = ctx;

	if (r->expects)
		line_refuse(r, "expected [section] or name = value");
	for (r->expects = false; r->at < r->end;) {
		const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		size_t n = (size_t)((newline ? newline + 1 : r->end) - r->at);

		r->line++;
		r->at += n;
		if (n + !newline < (size_t)size) {
			memcpy(dst, r->at - n, n);
			dst[n] = 0;
			line_inspect(r, dst);
			return dst;
		}
		line_refuse(r, "too long");
	}
	return NULL;
}

static int value_take(void *ctx, const char *section, const char *name, const char *value)
{
	struct settings_reader *r = ctx;
	const struct setting_row *row = row_find(section, strlen(section), name);
	struct err err = { 0 };
	char why[320];

	r->expects = false;
	if (*value == ';') {
		line_refuse(r, "the value begins with ; (a comment needs a blank before ;)");
	} else if (!row) {
		snprintf(why, sizeof(why), "unknown setting \"%.40s\" in [%.40s]", name, section);
		line_refuse(r, why);
	} else if (strlen(name) + strlen(" = \n") + strlen(value) >= SETTINGS_LINE) {
		line_refuse(r, "too long");	/* as it is written back */
	} else if (row->kind == SETTING_KEYS) {
		/* The first sentence alone is shown. */
		if (keymap_set(&r->settings->keys, name, value, r->wrong ? NULL : &err) < 0)
			line_refuse(r, err.text);
	} else if (settings_read(r->settings, row, value, &err) < 0) {
		snprintf(why, sizeof(why), "%s: %.250s", name, err.text);
		line_refuse(r, why);
	}
	return 1;
}

int settings_parse(struct settings *s, const char *text, size_t n, struct err *err)
{
	struct settings_reader r = { .settings = s, .at = text, .end = text + n };

	s->wrong = 0;
	if (n >= strlen(SETTINGS_BOM) && !memcmp(text, SETTINGS_BOM, strlen(SETTINGS_BOM)))
		r.at += strlen(SETTINGS_BOM);
	if (n > SETTINGS_SIZE || (n && memchr(text, 0, n))) {
		s->wrong = 1;
		return err_set(err, ERR_FORMAT,
			       n > SETTINGS_SIZE ? "too large" : "not a text file");
	}
	if (ini_parse_stream(line_next, &r, value_take, &r) == -2)
		return err_set(err, ERR_NOMEM, "out of memory");
	s->wrong = r.wrong;
	if (r.wrong > 1)
		return err_set(err, ERR_FORMAT, "%.200s; and %zu more line%s", r.first.text,
			       r.wrong - 1, r.wrong == 2 ? "" : "s");
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
		s->path[0] = 0;		/* a file that cannot be read is not overwritten */
		return ERR_IO;
	}
	status = settings_parse(s, text, n, &why);
	mem_free(text);
	if (status == 0)
		return 0;
	return err_set(err, status, "%.120s: %.180s",
		       settings_contract(s->path, shown, sizeof(shown)), why.text);
}
