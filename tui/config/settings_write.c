/*
 * settings_write: write the user's file: changed values go to the lines where they were, all other
 * lines stay.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "tui/config/settings.h"

/* One of the names of the file. */
struct entry {
	const char *section, *name;
	const struct setting_row *row;	/* SETTING_KEYS: the action's */
	const struct action_row *action;
};

/*
 * All names of the file as one list: the rows', then the actions' in the place of SETTING_KEYS, the
 * last row. False: past the last.
 */
static bool entry_at(size_t i, struct entry *e)
{
	const struct setting_row *row = setting_rows;

	for (; row->kind != SETTING_KEYS && i; i--)
		row++;
	*e = (struct entry){ .section = row->section, .name = row->name, .row = row };
	if (row->kind != SETTING_KEYS)
		return true;
	e->action = &actions[i];
	e->name = actions[i].name;
	return actions[i].action != ACTION_COUNT;
}

/* Its value as text; "": as built in. Made for what is written alone: a file has many lines. */
static void entry_value(const struct entry *e, const struct settings *s, struct buf *value)
{
	char keys[KEYMAP_TEXT];

	buf_reset(value);
	if (!e->action) {
		settings_write(s, e->row, value);
	} else if (keymap_changed(&s->keys, e->action->action)) {
		keymap_text(&s->keys, e->action->action, keys, sizeof(keys));
		buf_adds(value, *keys ? keys : "none");
	}
}

/* The text of the file while it is rewritten. */
struct settings_writer {
	const struct settings *settings;
	struct buf *out;
	struct buf value;
	char section[64];
	bool written[SETTINGS_ROWS + ACTION_COUNT];
	size_t blank;			/* empty lines held back: new lines go before them */
	bool named, drop;		/* a name was seen; its further lines are removed */
};

static void blank_flush(struct settings_writer *w)
{
	for (; w->blank; w->blank--)
		buf_addc(w->out, '\n');
}

/* A repeated setting has a line for each value; a line that begins with a tab continues one. */
static void entry_write(struct settings_writer *w, const struct entry *e)
{
	const char *line;

	entry_value(e, w->settings, &w->value);
	for (line = buf_str(&w->value); *line;) {
		size_t n = strcspn(line, "\n");

		if (*line == '\t')
			buf_addf(w->out, "%.*s\n", (int)n, line);
		else
			buf_addf(w->out, "%s = %.*s\n", e->name, (int)n, line);
		line += n + (line[n] == '\n');
	}
}

/* Write the entries of the section that it has not had yet. */
static void section_close(struct settings_writer *w)
{
	struct entry e;

	for (size_t i = 0; entry_at(i, &e); i++) {
		if (w->written[i] || strcmp(e.section, w->section) != 0)
			continue;
		w->written[i] = true;
		entry_write(w, &e);
	}
}

/* Where libinih ends a name or a section: at one of `ends`; 0: a comment begins before it. */
static size_t name_end(const char *s, size_t n, const char *ends)
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
	size_t length = name_end(s, n, "=:");

	while (length && isspace((unsigned char)s[length - 1]))
		length--;
	return length;
}

/* Replace a line of the file by the value. False: an unknown name; the line stays. */
static bool entry_replace(struct settings_writer *w, const char *line, size_t length)
{
	struct entry e;

	for (size_t i = 0; entry_at(i, &e); i++) {
		if (strcmp(e.section, w->section) || strlen(e.name) != length ||
		    memcmp(e.name, line, length))
			continue;
		if (!w->written[i])
			entry_write(w, &e);
		w->written[i] = true;
		return true;
	}
	return false;
}

/* A line that is not empty. True: it is removed. */
static bool line_take(struct settings_writer *w, const char *s, size_t n, bool indented)
{
	size_t length;

	if (*s == ';' || *s == '#')
		return false;
	/* For libinih an indented line continues the value before it, even "[keys]". */
	if (indented && w->named)
		return w->drop;
	if (*s == '[') {
		length = name_end(s, n, "]");
		if (!length)
			return false;
		section_close(w);
		snprintf(w->section, sizeof(w->section), "%.*s", (int)length - 1, s + 1);
		w->drop = w->named = false;
		return false;
	}
	/* An empty name is one that libinih does not continue. */
	if (*s == '=' || *s == ':') {
		w->drop = w->named = false;
		return false;
	}
	length = name_length(s, n);
	if (length) {
		blank_flush(w);
		w->named = true;
		w->drop = entry_replace(w, s, length);
	}
	return length && w->drop;
}

static void line_merge(struct settings_writer *w, const char *line, size_t n)
{
	size_t indent = 0;

	while (indent < n && isspace((unsigned char)line[indent]))
		indent++;
	if (indent == n) {
		w->blank++;
		return;
	}
	if (n + 1 < SETTINGS_LINE && line_take(w, line + indent, n - indent, indent > 0))
		return;
	blank_flush(w);
	/* An indented [section] would continue the value that was written before it. */
	if (line[indent] == '[' && !w->named) {
		line += indent;
		n -= indent;
	}
	buf_add(w->out, line, n);
	buf_addc(w->out, '\n');
}

/* Sections that the file did not have. */
static void sections_add(struct settings_writer *w)
{
	struct entry e;

	for (size_t i = 0; entry_at(i, &e); i++) {
		if (w->written[i])
			continue;
		entry_value(&e, w->settings, &w->value);
		if (!w->value.len)
			continue;
		snprintf(w->section, sizeof(w->section), "%s", e.section);
		buf_addf(w->out, "%s[%s]\n", w->out->len ? "\n" : "", e.section);
		section_close(w);
	}
}

void settings_merge(const struct settings *s, const char *text, struct buf *out)
{
	struct settings_writer w = { .settings = s, .out = out, .value = BUF_INIT };

	if (!strncmp(text, SETTINGS_BOM, strlen(SETTINGS_BOM)))
		text += strlen(SETTINGS_BOM);
	while (*text) {
		size_t n = strcspn(text, "\n");

		line_merge(&w, text, n);
		text += n + (text[n] == '\n');
	}
	section_close(&w);
	sections_add(&w);
	buf_release(&w.value);
	out->failed |= w.value.failed;
}

static int old_keep(const struct settings *s, const char *text, size_t n, struct err *err)
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
	text = access(s->path, F_OK) < 0 ? mem_strdup("") :
	       file_read(s->path, SETTINGS_SIZE, &n, err);
	if (!text)
		return err_set(err, ERR_NOMEM, "out of memory");
	settings_merge(s, text, &out);
	status = old_keep(s, text, n, err);
	file_folders(s->path, NULL);	/* that one cannot be made, writing reports */
	if (status == 0)
		status = out.failed ? err_set(err, ERR_NOMEM, "out of memory") :
			 file_write(s->path, buf_str(&out), out.len, err);
	mem_free(text);
	buf_release(&out);
	return status;
}
