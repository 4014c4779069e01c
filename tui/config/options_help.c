/*
 * options_help: what --help prints; the rows say it.
 */
#include "tui/config/options.h"

#include <stdio.h>

#include "core/wire/wire.h"

enum { HELP_COLUMN = 29 };

static void help_row(struct buf *out, const struct option_row *r)
{
	char head[64], letter[8] = "    ";

	if (r->letter)
		snprintf(letter, sizeof(letter), "-%c, ", r->letter);
	snprintf(head, sizeof(head), "  %s--%s%s%s", letter, r->name, r->argument ? "=" : "",
		 r->argument ? r->argument : "");
	buf_addf(out, "%-*s ", HELP_COLUMN - 1, head);
	for (const char *s = r->help; *s; s++) {
		buf_addc(out, *s);
		if (*s == '\n')
			buf_addf(out, "%*s", HELP_COLUMN, "");
	}
	buf_addc(out, '\n');
}

static void help_name(struct buf *out, const char *name, const char *help)
{
	buf_addf(out, "  %-*s %s\n", HELP_COLUMN - 3, name, help);
}

void options_help(struct buf *out)
{
	buf_adds(out, "usage: wsntop -p SOURCE -e APP.ELF         live, full screen\n"
		      "       wsntop                              choose from the ports found\n"
		      "       wsntop APP.ELF                      find the port of the node that runs it\n"
		      "       wsntop FILE                         a recording, or what a node sent\n"
		      "       wsntop -B -p SOURCE -e APP.ELF ...  batch, for scripts\n"
		      "       wsntop doctor -e APP.ELF ...        is this image fit to profile?\n\n"
		      "Shows which functions of a microcontroller's firmware take its time.\n");
	for (const struct option_row *r = option_rows; r->name; r++) {
		if (r->group)
			buf_addf(out, "\n%s\n", r->group);
		help_row(out, r);
	}
	buf_adds(out, "\nPacket formats (--format)\n");
	for (const struct wire_format *f = wire_formats; f->name; f++)
		help_name(out, f->name, f->help);
	buf_adds(out, "\nExport formats (--export)\n");
	for (const struct exporter *e = exporters; e->name; e++)
		help_name(out, e->name, e->help);
	buf_adds(out, "\nColumns (--sort)\n");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		help_name(out, columns[i].name, columns[i].help);
	buf_adds(out, "\nExit status: 0; 1 the input could not be used; 2 bad usage.\n");
}
