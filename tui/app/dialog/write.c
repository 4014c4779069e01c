/*
 * write: ask for the name of a file to be written. A file that is there is replaced only after a
 * question, and one that this run reads or writes itself never.
 */
#include "tui/app/dialog/write.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/export/name.h"
#include "core/find/inputs.h"
#include "tui/app/ui/ui.h"

/* --- what must not be replaced ---------------------------------------------------------------- */

static bool is_of_node(const struct node *n, const char *path)
{
	const struct node_options *o = node_options(n);

	return inputs_is_source(o->source, path) || inputs_same(o->elf, path) ||
	       inputs_same(o->record, path) || inputs_is_meter(o->power, path) ||
	       (o->power && inputs_is_meter_record(o->record, path)) ||
	       (node_image(n) && inputs_same(image_path(node_image(n)), path));
}

static bool is_input(const struct ui *u, const char *path)
{
	if (options_use_file(u->options, path) || inputs_same(u->settings.path, path))
		return true;
	for (size_t i = 0; i < u->nodes.count; i++)
		if (is_of_node(u->nodes.items[i], path))
			return true;
	return false;
}

/* A file, or a directory that an export made: it has this file. */
static bool is_taken(const char *path)
{
	char part[PROMPT_TEXT * 2 + 10];

	snprintf(part, sizeof(part), "%s/metadata", path);
	return file_is_regular(path) || file_is_regular(part);
}

/* --- the name --------------------------------------------------------------------------------- */

static void name_check(struct ui *u)
{
	struct prompt *p = &u->prompt;
	char path[PROMPT_TEXT * 2];

	ui_prompt_clear(u);
	if (!p->len || !strcmp(p->text, "-"))
		return;
	file_expand(p->text, path, sizeof(path));
	if (is_input(u, path))
		snprintf(p->trouble, sizeof(p->trouble), "an input of this run");
	else if (is_taken(path))
		snprintf(p->trouble, sizeof(p->trouble), "exists");
}

static struct dialog_reply replace_ask(struct ui *u, const char *path, uint64_t size);

/* `text` as it was typed. */
static struct dialog_reply name_take(struct ui *u, const char *text, bool sure)
{
	char path[PROMPT_TEXT * 2];
	struct stat st;

	file_expand(text, path, sizeof(path));
	if (!strcmp(text, "-")) {
		ui_say(u, true, "cannot export to stdout while the screen is active; "
		       "give a file name");
		return DIALOG_CLOSED;
	}
	if (is_input(u, path)) {
		ui_say(u, true, "not written: %s is an input of this run", text);
		return DIALOG_CLOSED;
	}
	if (!sure && is_taken(path) && stat(path, &st) == 0)
		return replace_ask(u, text, (uint64_t)st.st_size);
	u->writes.write(u, path);
	return DIALOG_CLOSED;
}

static struct dialog_reply name_done(struct ui *u)
{
	char text[PROMPT_TEXT];

	if (!u->prompt.len) {
		ui_say(u, true, "not written: no name was given");
		return DIALOG_CLOSED;
	}
	snprintf(text, sizeof(text), "%s", u->prompt.text);
	return name_take(u, text, false);
}

static const struct dialog name_dialog = { .edited = name_check, .done = name_done };

/* --- a file that is there --------------------------------------------------------------------- */

static struct dialog_reply replace_done(struct ui *u)
{
	static const char *const yes[] = { "y", "Y", "yes" }, *const no[] = { "n", "N", "no", "" };
	char text[PROMPT_TEXT];

	snprintf(text, sizeof(text), "%s", u->prompt.text);
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (!strcmp(text, yes[i]))
			return name_take(u, u->writes.name, true);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		if (!strcmp(text, no[i])) {
			ui_say(u, false, "not written: %s stays as it is", u->writes.name);
			return DIALOG_CLOSED;
		}
	}
	return name_take(u, text, false);
}

static void replace_check(struct ui *u)
{
	const char *text = u->prompt.text;

	ui_prompt_clear(u);
	if (strcmp(text, "y") && strcmp(text, "n"))
		name_check(u);
}

static const struct dialog replace_dialog = { .edited = replace_check, .done = replace_done };

static struct dialog_reply replace_ask(struct ui *u, const char *text, uint64_t size)
{
	struct writes *w = &u->writes;
	char bytes[24];

	snprintf(w->name, sizeof(w->name), "%s", text);
	snprintf(w->label, sizeof(w->label),
		 "Replace %.40s%s (%s)? yes, no, or another name:", text,
		 strlen(text) > 40 ? "..." : "",
		 text_bytes(bytes, sizeof(bytes), (double)size));
	prompt_open(&u->prompt, w->label, "", NULL);
	ui_open_dialog(u, &replace_dialog);
	return DIALOG_CLOSED;
}

/* --- asked ------------------------------------------------------------------------------------ */

/* The time of what is shown, on the recording's clock where it is one. */
static uint64_t wall_shown(const struct pane *p)
{
	uint64_t wall;

	return p->stretch.history && node_wall(p->node, p->stretch.end_ns, &wall) ? wall :
										   clock_wall();
}

/* Its name; of one that sends none its source, without the ending of a file. */
static void node_name(const struct node *n, char *dst, size_t size)
{
	char *end;

	snprintf(dst, size, "%s", node_title(n));
	end = strrchr(dst, '.');
	if (end && end > dst && !node_called(n)[0])
		*end = '\0';
}

void ui_ask_file(struct ui *u, const char *label, const char *file,
		 void (*write)(struct ui *u, const char *path))
{
	struct pane *p = ui_pane(u);
	char name[EXPORT_NAME], node[128];

	u->writes.write = write;
	snprintf(u->writes.label, sizeof(u->writes.label), "%s", label);
	node_name(p->node, node, sizeof(node));
	prompt_open(&u->prompt, u->writes.label,
		    export_file_name(name, sizeof(name), node, wall_shown(p), file), NULL);
	prompt_propose(&u->prompt);
	name_check(u);
	ui_open_dialog(u, &name_dialog);
}
