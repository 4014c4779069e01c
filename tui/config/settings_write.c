/*
 * settings_write: the user's file written back: what changed goes where it stood, the rest stays.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "tui/config/settings.h"

static size_t row_count(void)
{
	size_t n = 0;

	while (setting_rows[n].name)
		n++;
	return n;
}

/* All names of the file as one list: the rows', then the actions'. False: past the last. */
static bool entry(size_t i, const struct settings *s, const char **section, const char **name,
		  struct buf *value)
{
	size_t rows = row_count();
	const struct action_row *action = i >= rows ? &actions[i - rows] : NULL;
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
	bool written[SETTINGS_ROWS + ACTION_COUNT];
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

	if (*s == ';' || *s == '#')
		return false;
	/* To libinih whatever is indented goes on with the value before it, "[keys]" too. */
	if (indented && w->named)
		return w->drop;
	if (*s == '[') {
		length = end_of_name(s, n, "]");
		if (!length)
			return false;
		end_section(w);
		snprintf(w->section, sizeof(w->section), "%.*s", (int)length - 1, s + 1);
		w->drop = w->named = false;
		return false;
	}
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
	if (n + 1 < SETTINGS_LINE && take_line(w, line + indent, n - indent, indent > 0))
		return;
	flush_blank(w);
	/* What was written before a section's line must not be gone on with by it. */
	if (line[indent] == '[' && !w->named) {
		line += indent;
		n -= indent;
	}
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

	if (!strncmp(text, SETTINGS_BOM, strlen(SETTINGS_BOM)))
		text += strlen(SETTINGS_BOM);
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
