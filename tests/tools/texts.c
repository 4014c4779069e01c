/*
 * texts: every text of the program's tables, checked.
 *
 *	texts			each "{name}" in them is an action; prints those that are none
 *	texts keys		a [keys] section in which no action has a key it was built with
 *	texts built-in		what the tables say with the keys as built in, a line each
 *
 * tests/screen/test_texts.sh asks for all three.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/wire/wsn/command.h"
#include "core/export/export.h"
#include "core/profile/look/rows.h"
#include "core/wire/wire.h"
#include "tui/config/keymap.h"
#include "tui/command/command.h"
#include "tui/config/options.h"
#include "tui/config/settings.h"
#include "tui/app/ui/ui.h"
#include "tui/view/view.h"

/* What is done with each text; `where`: the name of its row. */
typedef void visit(const char *where, const char *text);

static int wrong;

static void text_check(const char *where, const char *text)
{
	char name[40];

	for (const char *at = text; (at = strchr(at, '{')) != NULL; at++) {
		size_t n = strcspn(at + 1, "}");

		snprintf(name, sizeof(name), "%.*s", (int)n, at + 1);
		if (at[1 + n] == '}' && action_find(name))
			continue;
		printf("%s: {%s} is no action: %s\n", where, name, text);
		wrong = 1;
	}
	if (strlen(text) >= KEYMAP_SENTENCE / 2) {
		printf("%s: longer than keymap_expand is sure to hold\n", where);
		wrong = 1;
	}
}

static void text_print(const char *where, const char *text)
{
	char expanded[KEYMAP_SENTENCE];
	struct keymap keys;

	keymap_init(&keys);
	printf("%s: %s\n", where, keymap_expand(&keys, text, expanded, sizeof(expanded)));
}

static void text_visit(visit *v, const char *where, const char *text)
{
	if (text)
		v(where, text);
}

static void view_visit(visit *v, const struct view_ops *ops)
{
	text_visit(v, ops->name, ops->title);
	text_visit(v, ops->name, ops->about);
	for (const struct view_word *w = ops->words; w && w->action != ACTION_NONE; w++) {
		text_visit(v, ops->name, w->hint);
		text_visit(v, ops->name, w->help);
	}
}

static void command_visit(visit *v, const struct command *c)
{
	text_visit(v, c->name, c->summary);
	text_visit(v, c->name, c->about);
	for (const struct option_row *r = c->options.own; r && r->name; r++)
		text_visit(v, r->name, r->help);
}

static void texts_visit(visit *v)
{
	struct option_row option;
	const char *name, *help;

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		text_visit(v, r->name, r->hint);
		text_visit(v, r->name, r->help);
	}
	for (size_t i = 0; views[i]; i++)
		view_visit(v, views[i]);
	for (size_t i = 0; option_row_at(i, &option); i++)
		text_visit(v, option.name, option.help);
	for (const struct command *const *c = commands; *c; c++)
		command_visit(v, *c);
	for (const struct setting_row *r = setting_rows; r->name; r++)
		text_visit(v, r->name, r->help);
	for (const struct exporter *e = exporters; e->name; e++)
		text_visit(v, e->name, e->help);
	for (const struct wire_format *f = wire_formats; f->name; f++)
		text_visit(v, f->name, f->help);
	for (const struct wsn_command_row *r = wsn_command_rows; r->name; r++)
		text_visit(v, r->name, r->help);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		text_visit(v, columns[i].name, columns[i].help);
	for (size_t i = 0; ui_option(i, &name, &help); i++)
		text_visit(v, name, help);
}

/* Letters that no terminal program has: U+0430 and up. */
static void keys_print(void)
{
	uint32_t letter = 0x430;

	printf("[keys]\n");
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++, letter++) {
		char key[8] = "";

		key[text_encode(letter, key)] = '\0';
		printf("%s = %s\n", r->name, key);
	}
}

int main(int argc, char **argv)
{
	if (argc == 1)
		texts_visit(text_check);
	else if (!strcmp(argv[1], "keys"))
		keys_print();
	else
		texts_visit(text_print);
	return wrong;
}
