/*
 * manual: what docs/wsntop.1 and docs/completion/ say that the program's tables know. docs/renew
 * puts it there.
 *
 *	manual options | views | actions | settings | keynames | formats | exports | columns
 *						parts of the page, in roff
 *	manual markdown			docs/EXPORTS.md's tables
 *	manual bash | zsh | fish		a shell's completion
 *	manual names TABLE	the names of a table: options formats exports columns actions
 */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/export.h"
#include "core/import/import.h"
#include "core/profile/look/rows.h"
#include "core/wire/wire.h"
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

static void print_options(void)
{
	struct option_row r;

	for (size_t i = 0; option_row_at(i, &r); i++) {
		if (r.group)
			printf(".SS %s\n", r.group);
		printf(".TP\n");
		if (r.letter)
			printf("\\fB\\-%c\\fR, ", r.letter);
		printf("\\fB\\-\\-");
		roff_print(r.name);
		if (r.argument) {
			printf("\\fR=\\fI");
			roff_print(r.argument);
		}
		printf("\\fR\n");
		roff_print(r.help);
		printf("\n");
	}
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

/* --- what an option takes --------------------------------------------------------------------- */

enum values { NOTHING, ANYTHING, PORTS, FILES, FOLDERS, FORMATS, EXPORTS, COLUMNS, THEMES, CONFIG,
	      BAUDS, SPEEDS };

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
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].name ? !strcmp(kinds[i].name, r->name) :
		    !strcmp(kinds[i].argument, r->argument))
			return kinds[i].values;
	return ANYTHING;
}

static void names_formats(const char *between)
{
	for (const struct wire_format *f = wire_formats; f->name; f++)
		printf("%s%s", f == wire_formats ? "" : between, f->name);
}

static void names_exports(const char *between)
{
	for (const struct exporter *e = exporters; e->name; e++)
		printf("%s%s", e == exporters ? "" : between, e->name);
}

static void names_columns(const char *between)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		printf("%s%s", i ? between : "", columns[i].name);
}

static void names_options(const char *between)
{
	struct option_row r;

	for (size_t i = 0; option_row_at(i, &r); i++)
		printf("%s--%s%s", i ? between : "", r.name, r.argument ? "=" : "");
}

static void names_actions(const char *between)
{
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		printf("%s%s", r == actions ? "" : between, r->name);
}

static const char bauds[] =
	"9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 "
	"1500000 2000000";

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

static void bash_arm(const struct option_row *r, enum values v)
{
	printf("\t");
	if (r->letter)
		printf("-%c|", r->letter);
	printf("--%s) ", r->name);
	if (v == FORMATS || v == COLUMNS || v == BAUDS) {
		printf("_wsntop_words \"");
		if (v == FORMATS)
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
	       "\tif [[ ${COMP_WORDS[1]} == doctor && $COMP_CWORD -gt 1 ]]; then\n"
	       "\t\t[[ $opt == -e || $opt == --elf ]] && _wsntop_files -f || _wsntop_words \"-e "
	       "--elf= -p --port= --json\"\n"
	       "\t\treturn\n\tfi\n"
	       "\tcase $opt in\n");
}

static void print_bash(void)
{
	struct option_row r;

	bash_names();
	bash_word();
	for (size_t i = 0; option_row_at(i, &r); i++)
		if (values_of(&r) != NOTHING)
			bash_arm(&r, values_of(&r));
	printf("\t*)\tif [[ $cur == -* ]]; then\n\t\t\t_wsntop_words \"");
	names_options(" ");
	printf("\"\n"
	       "\t\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
	       "\t\telse\n"
	       "\t\t\t[[ $COMP_CWORD == 1 ]] && _wsntop_words \"doctor as\"\n"
	       "\t\t\t_wsntop_files -f\n"
	       "\t\tfi ;;\n"
	       "\tesac\n"
	       "}\n\n"
	       "complete -F _wsntop wsntop\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

static void zsh_values(enum values v)
{
	switch (v) {
	case PORTS:	printf("_wsntop_ports"); break;
	case FILES:	printf("_files"); break;
	case FOLDERS:	printf("_directories"); break;
	case CONFIG:	printf("_wsntop_config"); break;
	case THEMES:	printf("_wsntop_themes"); break;
	case EXPORTS:	printf("_wsntop_exports"); break;
	case FORMATS:	printf("("), names_formats(" "), printf(")"); break;
	case COLUMNS:	printf("("), names_columns(" "), printf(")"); break;
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
		zsh_values(values_of(r));
	}
	printf("' \\\n");
}

static void print_zsh(void)
{
	struct option_row r;

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
	       "_wsntop_config() {\n\tcompadd none\n\t_files\n}\n\n"
	       "_wsntop() {\n"
	       "\tif [[ $words[2] == doctor && $CURRENT -gt 2 ]]; then\n"
	       "\t\t_arguments '*'{-e+,--elf=}'[the image to examine]:FILE:_files' "
	       "{-p+,--port=}'[the debug server of a chip to examine]:SOURCE:(openocd\\:)' "
	       "--json'[findings as JSON]' '1:doctor:(doctor)'\n"
	       "\t\treturn\n\tfi\n"
	       "\t_arguments -s -S \\\n");
	for (size_t i = 0; option_row_at(i, &r); i++)
		zsh_option(&r);
	printf("\t'1:source or image:{ compadd doctor as; _files }' \\\n"
	       "\t'*:source or image:_files'\n}\n\n"
	       "_wsntop \"$@\"\n");
}

/* --- fish ------------------------------------------------------------------------------------- */

static void fish_values(enum values v)
{
	switch (v) {
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

static void print_fish(void)
{
	struct option_row r;

	printf("# wsntop's completion for fish. From the program's tables by docs/renew: not to be "
	       "edited.\n\n"
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
	       "end\n\n"
	       "complete -c wsntop -n __fish_is_first_token -a doctor -d 'is this image fit to "
	       "profile?'\n"
	       "complete -c wsntop -n __fish_is_first_token -a as -d 'hooks for call traces, by "
	       "gcc -B DIR'\n");
	for (size_t i = 0; option_row_at(i, &r); i++) {
		printf("complete -c wsntop");
		if (r.letter)
			printf(" -s %c", r.letter);
		printf(" -l %s", r.name);
		fish_values(values_of(&r));
		printf(" -d '");
		quoted_print(r.help, "\\'");
		printf("'\n");
	}
}

/* ---------------------------------------------------------------------------------------------- */

static const struct { const char *name; void (*print)(void);
} parts[] = {
	{ "options", print_options },   { "actions", print_actions },
	{ "settings", print_settings }, { "views", print_views },
	{ "keynames", print_keynames }, { "formats", print_formats },
	{ "exports", print_exports },   { "columns", print_columns },
	{ "bash", print_bash },         { "zsh", print_zsh },
	{ "fish", print_fish },         { "markdown", print_markdown },
};

static const struct { const char *name; void (*print)(const char *between); } names[] = {
	{ "options", names_options }, { "formats", names_formats }, { "exports", names_exports },
	{ "columns", names_columns }, { "actions", names_actions },
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
