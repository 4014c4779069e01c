/*
 * manual: the parts of docs/wsntop.1 that come from the tables of options and actions, in roff.
 *
 *	manual options | keys
 */
#include <stdio.h>
#include <string.h>

#include "tui/action.c"		/* tools link core alone */
#include "tui/operand.c"
#include "tui/options.c"

static void print_roff(const char *s)
{
	for (; *s; s++) {
		if (*s == '-' || *s == '\\')
			putchar('\\');
		if (*s == '\\')
			putchar('e');
		else
			putchar(*s == '\n' ? ' ' : *s);
	}
}

static void print_options(void)
{
	for (const struct option_row *r = option_rows; r->name; r++) {
		if (r->group)
			printf(".SS %s\n", r->group);
		printf(".TP\n");
		if (r->letter)
			printf("\\fB\\-%c\\fR, ", r->letter);
		printf("\\fB\\-\\-");
		print_roff(r->name);
		if (r->argument) {
			printf("\\fR=\\fI");
			print_roff(r->argument);
		}
		printf("\\fR\n");
		print_roff(r->help);
		printf("\n");
	}
}

static void print_keys(void)
{
	const char *group = "";

	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++) {
		if (strcmp(group, r->group)) {
			group = r->group;
			printf(".SS %s\n", group);
		}
		printf(".TP\n");
		for (int i = 0; i < ACTION_KEYS && r->keys[i]; i++) {
			char name[16];

			printf("%s\\fB", i ? ", " : "");
			print_roff(key_text(r->keys[i], name, sizeof(name)));
			printf("\\fR");
		}
		printf("\n");
		print_roff(r->help);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "options"))
		print_options();
	else if (argc == 2 && !strcmp(argv[1], "keys"))
		print_keys();
	else
		return 2;
	return 0;
}
