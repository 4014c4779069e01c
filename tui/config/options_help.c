/* options_help: the text of --help, from the tables. */
#include "tui/config/options.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/wire/wire.h"

enum { HELP_COLUMN = 29 };

void option_row_help(struct buf *out, const struct option_row *r)
{
	char head[64], letter[8] = "    ";

	if (r->letter)
		snprintf(letter, sizeof(letter), "-%c, ", r->letter);
	snprintf(head, sizeof(head), "  %s--%s%s%s", letter, r->name, r->argument ? "=" : "",
		 r->argument ? r->argument : "");
	if (strlen(head) < HELP_COLUMN)
		buf_addf(out, "%-*s ", HELP_COLUMN - 1, head);
	else
		buf_addf(out, "%s\n%*s", head, HELP_COLUMN, "");
	for (const char *s = r->help; *s; s++) {
		buf_addc(out, *s);
		if (*s == '\n')
			buf_addf(out, "%*s", HELP_COLUMN, "");
	}
	buf_addc(out, '\n');
}

void option_name_help(struct buf *out, const char *name, const char *help)
{
	buf_addf(out, "  %-*s %s\n", HELP_COLUMN - 3, name, help);
}

void options_describe(const struct exporter *e, struct buf *out)
{
	buf_adds(out, e->help);
	for (size_t i = 0; e->options[i]; i++)
		buf_addf(out, "%s--%s", i ? ", " : " (", e->options[i]->name);
	if (e->options[0])
		buf_addc(out, ')');
}

static void help_exporter(struct buf *out, const struct exporter *e)
{
	struct buf help = BUF_INIT;

	options_describe(e, &help);
	option_name_help(out, e->name, buf_str(&help));
	buf_release(&help);
}

static const char usage[] =
	"usage: wsntop -p SOURCE -e APP.ELF         live, full screen\n"
	"       wsntop                              choose from the ports found\n"
	"       wsntop APP.ELF                      find the port of the node that runs it\n"
	"       wsntop FILE                         replay a recording, or received bytes\n"
	"       wsntop -B -p SOURCE -e APP.ELF ...  batch, for scripts\n"
	"       wsntop COMMAND ...                  one of those below\n\n"
	"Shows which functions of a microcontroller's firmware take its time.\n";

void options_help(struct buf *out, const char *commands)
{
	struct option_row r;

	buf_adds(out, usage);
	buf_adds(out, commands);
	for (size_t i = 0; option_row_at(i, &r); i++) {
		if (r.group)
			buf_addf(out, "\n%s\n", r.group);
		option_row_help(out, &r);
	}
	buf_adds(out, "\nPacket formats (--format)\n");
	for (const struct wire_format *f = wire_formats; f->name; f++)
		option_name_help(out, f->name, f->help);
	buf_adds(out, "\nExport formats (--export)\n");
	for (const struct exporter *e = exporters; e->name; e++)
		help_exporter(out, e);
	buf_adds(out, "\nColumns (--sort)\n");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		option_name_help(out, columns[i].name, columns[i].help);
	buf_adds(out, "\nExit status: 0; 1 the input could not be used; 2 bad usage; "
		 "3 a bound was passed.\n");
}
