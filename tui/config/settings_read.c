/*
 * settings_read: the user's file read, line by line.
 */
#include <ini.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "tui/config/settings.h"

static const struct setting_row *row_find(const char *section, const char *name)
{
	for (const struct setting_row *r = setting_rows; r->name; r++)
		if (!strcmp(r->section, section) && !strcmp(r->name, name))
			return r;
	return NULL;
}

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
	if (n >= strlen(SETTINGS_BOM) && !memcmp(text, SETTINGS_BOM, strlen(SETTINGS_BOM)))
		r.at += strlen(SETTINGS_BOM);
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
