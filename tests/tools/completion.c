/*
 * completion: the shells' completion, from the program's tables. docs/renew puts it into
 * docs/completion/.
 *
 *	completion bash | zsh | fish
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/tools/table_names.h"

/* --- what an option takes --------------------------------------------------------------------- */

enum values { NOTHING, ANYTHING, PORTS, FILES, FOLDERS, FORMATS, EXPORTS, COLUMNS, THEMES, CONFIG,
	      BAUDS, SPEEDS, CHOICES };

/* By the option's name, or by its argument's. */
static const struct {
	const char *name, *argument;
	enum values values;
} kinds[] = {
	{ .name = "port", .values = PORTS },
	{ .name = "baud", .values = BAUDS },
	{ .name = "format", .values = FORMATS },
	{ .name = "theme", .values = THEMES },
	{ .name = "config", .values = CONFIG },
	{ .name = "speed", .values = SPEEDS },
	{ .argument = "FILE", .values = FILES },
	{ .argument = "DIR", .values = FOLDERS },
	{ .argument = "FORMAT[:FILE]", .values = EXPORTS },
	{ .argument = "COLUMN", .values = COLUMNS },
};

static enum values values_of(const struct option_row *r)
{
	if (!r->argument)
		return NOTHING;
	/* "pass|fail|warn"; in "N|max" a word stands for others. */
	if (strchr(r->argument, '|') && *r->argument >= 'a')
		return CHOICES;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].name ? !strcmp(kinds[i].name, r->name) :
		    !strcmp(kinds[i].argument, r->argument))
			return kinds[i].values;
	return ANYTHING;
}

static const char crosses[] = "avr- arm-none-eabi-";
static const char bauds[] =
	"9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 "
	"1500000 2000000";

static void choices_print(const struct option_row *r)
{
	for (const char *c = r->argument; *c && *c != '['; c++)
		putchar(*c == '|' ? ' ' : *c);
}

/* In a shell's single quotes, where `quote` stands for one; in zsh without its brackets. */
static void quoted_print(const char *s, const char *quote)
{
	for (; *s; s++) {
		if (*s == '\'')
			printf("%s", quote);
		else if (!strchr("[]\\", *s))
			putchar(*s == '\n' ? ' ' : *s);
	}
}

/* --- bash ------------------------------------------------------------------------------------- */

static const struct { enum values values; const char *call; } bash_calls[] = {
	{ PORTS, "_wsntop_ports" }, { FILES, "_wsntop_files -f" }, { FOLDERS, "_wsntop_files -d" },
	{ EXPORTS, "_wsntop_exports" }, { THEMES, "_wsntop_words \"$(_wsntop_themes)\"" },
	{ CONFIG, "_wsntop_words none; _wsntop_files -f" }, { SPEEDS, "_wsntop_words max" },
};

/* Behind the command's name and the option: "doctor--elf". */
static void bash_arm(const char *command, const struct option_row *r, enum values v)
{
	printf("\t");
	if (r->letter)
		printf("%s-%c|", command, r->letter);
	printf("%s--%s) ", command, r->name);
	if (v == FORMATS || v == COLUMNS || v == BAUDS || v == CHOICES) {
		printf("_wsntop_words \"");
		if (v == CHOICES)
			choices_print(r);
		else if (v == FORMATS)
			names_formats(" ");
		else if (v == COLUMNS)
			names_columns(" ");
		else
			printf("%s", bauds);
		printf("\"");
	}
	for (size_t i = 0; i < sizeof(bash_calls) / sizeof(bash_calls[0]); i++)
		if (bash_calls[i].values == v)
			printf("%s", bash_calls[i].call);
	printf("%s;;\n", v == ANYTHING ? "" : " ");
}

/* What completes names of files, ports and exports. */
static void bash_names(void)
{
	printf("# wsntop's completion for bash. From the program's tables by docs/renew: not to be "
	       "edited.\n\n"
	       "_wsntop_words() { COMPREPLY+=($(compgen -W \"$1\" -- \"$cur\")); }\n\n"
	       "_wsntop_files() {\n"
	       "\tlocal found\n"
	       "\tcompopt -o filenames 2>/dev/null\n"
	       "\tmapfile -t found < <(compgen \"$1\" -- \"$cur\")\n"
	       "\tCOMPREPLY+=(\"${found[@]}\")\n"
	       "}\n\n"
	       "# Behind a kind of source and its colon, too: those are words of their own here.\n"
	       "_wsntop_ports() {\n"
	       "\tcase $kind in\n"
	       "\tfile|unix) _wsntop_files -f ;;\n"
	       "\tserial) COMPREPLY+=($(compgen -W \"$(_wsntop_devices)\" -- \"$cur\")) ;;\n"
	       "\ttcp) COMPREPLY+=($(compgen -A hostname -- \"$cur\")) ;;\n"
	       "\t*)\t_wsntop_words \"$(_wsntop_devices) serial: tcp: unix: file: -\"\n"
	       "\t\t[[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null\n"
	       "\t\t_wsntop_files -f ;;\n"
	       "\tesac\n"
	       "}\n\n"
	       "_wsntop_devices() { compgen -G '/dev/tty[AU][CS][MB]*'; }\n\n"
	       "_wsntop_exports() {\n"
	       "\tif [[ $kind ]]; then\n\t\t_wsntop_files -f\n\telse\n\t\t_wsntop_words \"");
	names_exports(" ");
	printf("\"\n\tfi\n}\n\n"
	       "_wsntop_themes() {\n"
	       "\tlocal file folder\n"
	       "\tfor folder in \"${XDG_CONFIG_HOME:-$HOME/.config}/wsntop/themes\" \\\n"
	       "\t\t{/usr/local,/usr}/share/wsntop/themes themes; do\n"
	       "\t\tfor file in \"$folder\"/*.ini; do\n"
	       "\t\t\tfile=${file##*/}\n"
	       "\t\t\t[[ $file == '*.ini' ]] || echo \"${file%%.ini}\"\n"
	       "\t\tdone\n\tdone\n\techo default\n}\n\n");
}

/* The word at hand and the option that it belongs to. */
static void bash_word(void)
{
	printf("# \"--sort=ca\" may come as one word or, as readline cuts it, as three; \"json:f\" "
	       "likewise.\n"
	       "_wsntop() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD opt kind=\n"
	       "\tCOMPREPLY=()\n"
	       "\tif [[ $cur == : ]]; then\n\t\tkind=${COMP_WORDS[at-1]} cur= at=$((at - 1))\n"
	       "\telif [[ ${COMP_WORDS[at-1]} == : ]]; then\n\t\tkind=${COMP_WORDS[at-2]} at=$((at "
	       "- 2))\n\tfi\n"
	       "\topt=${COMP_WORDS[at-1]}\n"
	       "\tif [[ $cur == = && ! $kind ]]; then\n\t\tcur=\n"
	       "\telif [[ $opt == = ]]; then\n\t\topt=${COMP_WORDS[at-2]}\n"
	       "\telif [[ $cur == --*=* ]]; then\n\t\topt=${cur%%%%=*} cur=${cur#*=}\n\tfi\n"
	       "\tlocal command=\n"
	       "\t[[ $COMP_CWORD -gt 1 ]] && case ${COMP_WORDS[1]} in\n\t");
	names_commands("|");
	printf(") command=${COMP_WORDS[1]} ;;\n\tesac\n"
	       "\tcase $command$opt in\n");
}

static void bash_arms(const char *command, const struct option_table *t)
{
	struct option_row r;

	for (size_t i = 0; option_table_row(t, i, &r); i++)
		if (values_of(&r) != NOTHING)
			bash_arm(command, &r, values_of(&r));
}

/* All options of a command line. */
static void bash_words(const char *command, const struct option_table *t)
{
	printf("\t\t\t%s) _wsntop_words \"", command);
	names_of_rows(t, " ");
	printf("\" ;;\n");
}

static void bash_operands(const struct command *c)
{
	if (c->operand == OPERAND_FILE)
		return;			/* as wsntop itself */
	printf("\t\t\t%s) ", c->name);
	if (c->operand == OPERAND_COMMAND) {
		printf("_wsntop_words \"");
		names_commands(" ");
		printf("\" ");
	} else if (c->operand == OPERAND_CROSS) {
		printf("_wsntop_words \"%s\" ", crosses);
	}
	printf(";;\n");
}

static void print_bash(void)
{
	bash_names();
	bash_word();
	bash_arms("", &table_all);
	for (const struct command *const *c = commands; *c; c++)
		bash_arms((*c)->name, &(*c)->options);
	printf("\t*)\tif [[ $cur == -* ]]; then\n\t\t\tcase $command in\n");
	for (const struct command *const *c = commands; *c; c++)
		bash_words((*c)->name, &(*c)->options);
	bash_words("*", &table_all);
	printf("\t\t\tesac\n"
	       "\t\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
	       "\t\telse\n\t\t\tcase $command in\n");
	for (const struct command *const *c = commands; *c; c++)
		bash_operands(*c);
	printf("\t\t\t*)\t[[ $COMP_CWORD == 1 ]] && _wsntop_words \"");
	names_commands(" ");
	printf("\"\n\t\t\t\t_wsntop_files -f ;;\n\t\t\tesac\n"
	       "\t\tfi ;;\n"
	       "\tesac\n"
	       "}\n\n"
	       "complete -F _wsntop wsntop\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

/* _arguments evaluates them, where a ~ is a user's home. */
static void zsh_columns(void)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		printf("%s%s%s", i ? " " : "(", *columns[i].name == '~' ? "\\" : "",
		       columns[i].name);
	printf(")");
}

static void zsh_values(const struct option_row *r, enum values v)
{
	switch (v) {
	case CHOICES:	printf("("), choices_print(r), printf(")"); break;
	case PORTS:	printf("_wsntop_ports"); break;
	case FILES:	printf("_files"); break;
	case FOLDERS:	printf("_directories"); break;
	case CONFIG:	printf("_wsntop_config"); break;
	case THEMES:	printf("_wsntop_themes"); break;
	case EXPORTS:	printf("_wsntop_exports"); break;
	case FORMATS:	printf("("), names_formats(" "), printf(")"); break;
	case COLUMNS:	zsh_columns(); break;
	case BAUDS:	printf("(%s)", bauds); break;
	case SPEEDS:	printf("(max)"); break;
	case NOTHING:
	case ANYTHING:	printf(" "); break;
	}
}

static void zsh_option(const struct option_row *r)
{
	printf("\t");
	if (r->argument)
		printf("'*'");
	if (r->letter)
		printf("{-%c%s,--%s%s}", r->letter, r->argument ? "+" : "", r->name,
		       r->argument ? "=" : "");
	else
		printf("--%s%s", r->name, r->argument ? "=" : "");
	printf("'[");
	quoted_print(r->help, "'\\''");
	printf("]");
	if (r->argument) {
		printf(":%.*s:", (int)strcspn(r->argument, "[:|"), r->argument);
		zsh_values(r, values_of(r));
	}
	printf("' \\\n");
}

static void zsh_options(const struct option_table *t)
{
	struct option_row r;

	for (size_t i = 0; option_table_row(t, i, &r); i++)
		zsh_option(&r);
}

/* A function for each command. */
static void zsh_command(const struct command *c)
{
	printf("_wsntop_%s() {\n\t_arguments -s -S%s \\\n", c->name,
	       c->options.in_order ? " -A '-*'" : "");
	zsh_options(&c->options);
	switch (c->operand) {
	case OPERAND_NONE:
		printf("\t&& return\n}\n\n");
		return;
	case OPERAND_FILE:
		printf("\t'*:file:_files'\n}\n\n");
		return;
	case OPERAND_COMMAND:
		printf("\t'1:command:(");
		names_commands(" ");
		printf(")'\n}\n\n");
		return;
	case OPERAND_CROSS:
		printf("\t'1:cross:(%s)' '*:argument:_files'\n}\n\n", crosses);
		return;
	}
}

static void print_zsh(void)
{
	printf("#compdef wsntop\n"
	       "# wsntop's completion for zsh. From the program's tables by docs/renew: not to be "
	       "edited.\n\n"
	       "_wsntop_ports() {\n"
	       "\tlocal -a devices=(/dev/tty(ACM|USB)*(N))\n"
	       "\tif compset -P '(file|unix):'; then\n\t\t_files\n"
	       "\telif compset -P 'serial:'; then\n\t\tcompadd -a devices\n"
	       "\telif compset -P 'tcp:'; then\n\t\t_hosts\n"
	       "\telse\n\t\tcompadd -a devices\n\t\tcompadd -S '' serial: tcp: unix: "
	       "file:\n\t\tcompadd -- -\n"
	       "\t\t_files\n\tfi\n}\n\n"
	       "_wsntop_exports() {\n"
	       "\tif compset -P '*:'; then\n\t\t_files\n\telse\n\t\tcompadd ");
	names_exports(" ");
	printf("\n\tfi\n}\n\n"
	       "_wsntop_themes() {\n"
	       "\tlocal -a files=(${XDG_CONFIG_HOME:-$HOME/.config}/wsntop/themes/*.ini(N:t:r)\n"
	       "\t\t/usr/local/share/wsntop/themes/*.ini(N:t:r) "
	       "/usr/share/wsntop/themes/*.ini(N:t:r)\n"
	       "\t\tthemes/*.ini(N:t:r) default)\n"
	       "\tcompadd -a files\n}\n\n"
	       "_wsntop_config() {\n\tcompadd none\n\t_files\n}\n\n");
	for (const struct command *const *c = commands; *c; c++)
		zsh_command(*c);
	printf("_wsntop() {\n"
	       "\tlocal -a all=(");
	names_commands(" ");
	printf(")\n\tif (( CURRENT > 2 && $all[(Ie)$words[2]] )); then\n"
	       "\t\tlocal command=$words[2]\n"
	       "\t\tshift words\n\t\t(( CURRENT-- ))\n"
	       "\t\t_wsntop_$command\n"
	       "\t\treturn\n\tfi\n"
	       "\t_arguments -s -S \\\n");
	zsh_options(&table_all);
	printf("\t'1:source or image:{ compadd -a all; _files }' \\\n"
	       "\t'*:source or image:_files'\n}\n\n"
	       "_wsntop \"$@\"\n");
}

/* --- fish ------------------------------------------------------------------------------------- */

static void fish_values(const struct option_row *r, enum values v)
{
	switch (v) {
	case CHOICES:	printf(" -x -a '"), choices_print(r), printf("'"); break;
	case PORTS:
		printf(" -r -a '(__wsntop_ports)'");
		break;
	case FILES:	printf(" -r -F"); break;
	case FOLDERS:	printf(" -x -a '(__fish_complete_directories)'"); break;
	case CONFIG:	printf(" -r -F -a none"); break;
	case THEMES:	printf(" -x -a '(__wsntop_themes)'"); break;
	case EXPORTS:	printf(" -x -a '"), names_exports(" "), printf("'"); break;
	case FORMATS:	printf(" -x -a '"), names_formats(" "), printf("'"); break;
	case COLUMNS:	printf(" -x -a '"), names_columns(" "), printf("'"); break;
	case BAUDS:	printf(" -x -a '%s'", bauds); break;
	case SPEEDS:	printf(" -x -a max"); break;
	case ANYTHING:	printf(" -x"); break;
	case NOTHING:	break;
	}
}

static void fish_options(const char *where, const struct option_table *t)
{
	struct option_row r;

	for (size_t i = 0; option_table_row(t, i, &r); i++) {
		printf("complete -c wsntop -n '%s'", where);
		if (r.letter)
			printf(" -s %c", r.letter);
		printf(" -l %s", r.name);
		fish_values(&r, values_of(&r));
		printf(" -d '");
		quoted_print(r.help, "\\'");
		printf("'\n");
	}
}

static void fish_command(const struct command *c)
{
	char where[80];

	printf("\ncomplete -c wsntop -n __fish_is_first_token -a %s -d '", c->name);
	quoted_print(c->summary, "\\'");
	printf("'\n");
	snprintf(where, sizeof(where), "__fish_seen_subcommand_from %s", c->name);
	if (c->operand == OPERAND_COMMAND)
		printf("complete -c wsntop -n '%s' -f -a \"$__wsntop_commands\"\n", where);
	if (c->operand == OPERAND_CROSS)
		printf("complete -c wsntop -n '%s' -a '%s'\n", where, crosses);
	if (c->operand == OPERAND_NONE)
		printf("complete -c wsntop -n '%s' -f\n", where);
	fish_options(where, &c->options);
}

static void print_fish(void)
{
	printf("# wsntop's completion for fish. From the program's tables by docs/renew: not to be "
	       "edited.\n\n"
	       "set -g __wsntop_commands ");
	names_commands(" ");
	printf("\n\n"
	       "function __wsntop_ports\n"
	       "\tfor device in /dev/ttyACM* /dev/ttyUSB*\n\t\techo $device\n\tend\n"
	       "\tprintf '%%s\\n' serial: tcp: unix: file: -\n"
	       "end\n\n"
	       "function __wsntop_themes\n"
	       "\tset -l config $XDG_CONFIG_HOME\n"
	       "\ttest -n \"$config\"; or set config $HOME/.config\n"
	       "\tfor file in $config/wsntop/themes/*.ini /usr/local/share/wsntop/themes/*.ini "
	       "/usr/share/wsntop/themes/*.ini themes/*.ini\n"
	       "\t\tstring replace -r '.*/(.*)\\.ini$' '$1' -- $file\n"
	       "\tend\n"
	       "\techo default\n"
	       "end\n\n");
	for (const struct command *const *c = commands; *c; c++)
		fish_command(*c);
	printf("\n");
	fish_options("not __fish_seen_subcommand_from $__wsntop_commands", &table_all);
}

/* ---------------------------------------------------------------------------------------------- */

static const struct { const char *name; void (*print)(void); } shells[] = {
	{ "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (!strcmp(shells[i].name, argv[1])) {
			shells[i].print();
			return 0;
		}
	}
	return 2;
}
