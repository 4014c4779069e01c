/*
 * manual: what docs/wsntop.1 says that the program's tables know. docs/renew puts it there.
 *
 *	manual options | views | actions | settings | keynames | formats | exports | columns
 *	       | commands			parts of the page, in roff
 *	manual markdown			docs/EXPORTS.md's tables
 *	manual names TABLE	the names of a table: options formats exports columns actions
 *				commands
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/export.h"
#include "core/import/import.h"
#include "core/profile/look/rows.h"
#include "core/wire/wire.h"
#include "tests/tools/table_names.h"
#include "tui/command/command.h"
#include "tui/config/action.h"
#include "tui/config/keymap.h"
#include "tui/config/options.h"
#include "tui/config/settings.h"
#include "tui/view/view.h"

/* --- roff ------------------------------------------------------------------------------------- */

static void roff_print(const char *s)
{
	uint32_t cp;
	size_t n;

	if (*s == '.' || *s == '\'')
		printf("\\&");
	for (; *s; s += n) {
		n = text_utf8(s, strlen(s), &cp);
		if (n > 1)
			printf("\\[u%04X]", (unsigned)cp);
		else if (*s == '\\')
			printf("\\e");
		else
			printf("%s%c", *s == '-' ? "\\" : "", *s == '\n' ? ' ' : *s);
		n = n ? n : 1;
	}
}

static void paragraph_print(const char *name, const char *help)
{
	printf(".TP\n\\fB");
	roff_print(name);
	printf("\\fR\n");
	roff_print(help);
	printf("\n");
}

static void option_print(const struct option_row *r)
{
	printf(".TP\n");
	if (r->letter)
		printf("\\fB\\-%c\\fR, ", r->letter);
	printf("\\fB\\-\\-");
	roff_print(r->name);
	if (r->argument) {
		printf("\\fR=\\fI");
		roff_print(r->argument);
	}
	printf("\\fR\n");
	roff_print(r->help);
	printf("\n");
}

static void print_options(void)
{
	struct option_row r;

	for (size_t i = 0; option_row_at(i, &r); i++) {
		if (r.group)
			printf(".SS %s\n", r.group);
		option_print(&r);
	}
}

/* Paragraphs: a blank line begins the next; a line that begins with a blank is as it is. */
static void text_print(const char *text)
{
	bool exact = false;

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		char line[256];

		n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		if ((*line == ' ') != exact)
			printf("%s", exact ? ".EE\n" : ".PP\n.EX\n");
		exact = *line == ' ';
		roff_print(*line ? line : "");
		printf("%s\n", *line ? "" : ".PP");
	}
	if (exact)
		printf(".EE\n");
}

static void command_print_page(const struct command *c)
{
	struct option_row r;

	printf(".SS wsntop %s\n", c->name);
	for (size_t i = 0; c->usage[i]; i++) {
		printf("%s\\fBwsntop %s\\fR ", i ? ".br\n" : "", c->name);
		roff_print(c->usage[i]);
		printf("\n");
	}
	printf(".PP\n");
	text_print(c->about);
	for (size_t i = 0; option_table_row(&c->options, i, &r); i++)
		option_print(&r);
	printf(".PP\n");
	roff_print(c->status);
	printf("\n");
}

static void print_commands(void)
{
	for (const struct command *const *c = commands; *c; c++)
		command_print_page(*c);
}

/* An action's keys, and its name for [keys]. */
static void print_action(const struct action_row *r)
{
	printf(".TP\n");
	for (int i = 0; i < ACTION_KEYS && r->keys[i]; i++) {
		char name[16];

		printf("%s\\fB", i ? ", " : "");
		roff_print(key_text(r->keys[i], name, sizeof(name)));
		printf("\\fR");
	}
	printf("%s (\\fI", r->keys[0] ? "" : "no key");
	roff_print(r->name);
	printf("\\fR)\n");
	roff_print(r->help);
	printf("\n");
}

static void print_actions(void)
{
	const char *group = "";

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		if (strcmp(group, r->group)) {
			group = r->group;
			printf(".SS %s\n", group);
		}
		print_action(r);
	}
}

/* The views as their tabs have them, and how each is read. */
static void print_views(void)
{
	char about[KEYMAP_SENTENCE];
	struct keymap keys;

	keymap_init(&keys);
	for (size_t i = 0; views[i]; i++) {
		const struct action_row *r = action_row(views[i]->action);
		char key[16];

		printf(".TP\n\\fB");
		roff_print(key_text(r->keys[0], key, sizeof(key)));
		printf(" %s\\fR\n", views[i]->name);
		roff_print(views[i]->title);
		printf(".\n");
		if (views[i]->about && *views[i]->about) {
			printf(".br\n");
			roff_print(keymap_expand(&keys, views[i]->about, about, sizeof(about)));
			printf("\n");
		}
	}
}

static void print_settings(void)
{
	const char *section = "";

	for (const struct setting_row *r = setting_rows; r->kind != SETTING_KEYS; r++) {
		if (strcmp(section, r->section)) {
			section = r->section;
			printf(".SS [%s]\n", section);
		}
		printf(".TP\n\\fB%s\\fR = \\fI", r->name);
		roff_print(r->argument);
		printf("\\fR\n");
		roff_print(r->help);
		printf("\n");
	}
}

static void print_keynames(void)
{
	for (size_t i = 0; key_named(i); i++)
		printf("\\fB%s\\fR, ", key_named(i));
	printf("\\fBF1\\fR to \\fBF%d\\fR, \\fBCtrl\\-A\\fR to \\fBCtrl\\-Z\\fR\n", KEY_FUNCTIONS);
}

static void print_formats(void)
{
	for (const struct wire_format *f = wire_formats; f->name; f++)
		paragraph_print(f->name, f->help);
}

static void print_exports(void)
{
	for (const struct exporter *e = exporters; e->name; e++) {
		struct buf help = BUF_INIT;

		options_describe(e, &help);
		paragraph_print(e->name, buf_str(&help));
		buf_release(&help);
	}
}

/* For docs/EXPORTS.md. */
static void print_markdown(void)
{
	printf("| format | what for | open it with | kept | lost |\n|---|---|---|---|---|\n");
	for (const struct exporter *e = exporters; e->name; e++) {
		struct buf help = BUF_INIT;

		options_describe(e, &help);
		printf("| `%s` | %s | %s | %s | %s |\n", e->name, buf_str(&help), e->opened,
		       e->kept, e->lost);
		buf_release(&help);
	}
	printf("\n## What is read\n\n| format | what |\n|---|---|\n");
	for (const struct importer *i = importers; i->name; i++)
		printf("| `%s` | %s |\n", i->name, i->help);
}

static void print_columns(void)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const struct column *c = &columns[i];
		char text[600];

		snprintf(text, sizeof(text), "%s: %s.%s%s%s%s%s%s", c->header, c->help,
			 c->figure ? " Figure: " : "", c->figure ? c->figure : "",
			 c->figure ? "." : "", c->key ? " JSON and CSV: " : "",
			 c->key ? c->key : "", c->key ? "." : "");
		paragraph_print(c->name, text);
	}
}

static void names_actions(const char *between)
{
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		printf("%s%s", r == actions ? "" : between, r->name);
}

/* ---------------------------------------------------------------------------------------------- */

static const struct { const char *name; void (*print)(void);
} parts[] = {
	{ "options", print_options },   { "actions", print_actions },
	{ "settings", print_settings }, { "views", print_views },
	{ "keynames", print_keynames }, { "formats", print_formats },
	{ "exports", print_exports },   { "columns", print_columns },
	{ "commands", print_commands }, { "markdown", print_markdown },
};

static const struct { const char *name; void (*print)(const char *between); } names[] = {
	{ "options", names_options }, { "formats", names_formats }, { "exports", names_exports },
	{ "columns", names_columns }, { "actions", names_actions }, { "commands", names_commands },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!strcmp(parts[i].name, argv[1])) {
			parts[i].print();
			return 0;
		}
	}
	for (size_t i = 0; argc == 3 && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i].name, argv[2])) {
			names[i].print("\n");
			putchar('\n');
			return 0;
		}
	}
	return 2;
}
