/* report: `wsntop report`: what a recording or a snapshot holds, to be read. */
#include "tui/command/command.h"

#include <string.h>

#include "core/report/summary.h"
#include "core/report/table.h"
#include "core/run/loaded.h"

enum { REPORT_ROWS = 10 };

struct report {
	bool help;
	struct options o;
};

/* --limit, or fewer than an export has. */
static uint64_t report_limit(struct options *o)
{
	const struct export_option *option;

	for (size_t i = 0; (option = export_option_at(i)); i++)
		if (!strcmp(option->name, "limit") && export_value(&o->values, option)->number)
			return export_value(&o->values, option)->number;
	return REPORT_ROWS;
}

static int file_report(struct report *r, size_t i, struct err *err)
{
	const char *path = r->o.ports.items[i];
	struct node_options node;
	struct loaded file;
	struct out out;
	int ret;

	options_node(&r->o, i, &node);
	ret = loaded_open(&file, path, &node, err);
	if (ret < 0)
		return ret;
	file.source.order = (struct rows_order){ .column = r->o.sort, .filter = r->o.filter };
	ret = out_open(&out, "-", err);
	if (ret == 0) {
		if (i)
			out_addc(&out, '\n');
		if (summary_write(&file.source, path, file.node, &out) < 0)
			err_set(err, ERR_NOMEM, "out of memory");
		out_addc(&out, '\n');
		if (table_write(&file.source, report_limit(&r->o), &out) < 0)
			err_set(err, ERR_NOMEM, "out of memory");
		ret = out_close(&out, err);
	}
	loaded_release(&file);
	return err_is_set(err) ? err->code : ret;
}

static int report_run(const struct command *c, int argc, char **argv)
{
	struct report r = { .help = false };
	struct err err = { 0 };
	int first, status = command_parse(c, &r.o, &r, &r.help, argc, argv, &first);

	if (status < 0) {
		status = command_files(&r.o, argc, argv, first, 1, SIZE_MAX, "a file", &err);
		for (size_t i = 0; status == 0 && i < r.o.ports.count; i++)
			status = file_report(&r, i, &err);
		status = status < 0 ? command_fail(c, &err) : 0;
	}
	options_release(&r.o);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

static const struct option_row rows[] = {
	OPTION_HELP(struct report, help),
	{ .name = NULL },
};

static const char *const shared[] = {
	"elf", "format", "hz", "report", "correct", "filter", "sort", "limit", NULL,
};

static const char *const usage[] = { "FILE... [OPTION]...", NULL };

const struct command command_report = {
	.name = "report", .summary = "what a recording or a snapshot holds",
	.usage = usage, .operand = OPERAND_FILE,
	.about = "Prints what a file holds: node, firmware, time, counts, stack, losses, the line\n"
		 "that took most where lines have times, and the most expensive functions (10;\n"
		 "--limit). FILE is a recording (-r), a snapshot (-x json), a file of another\n"
		 "tool (docs/EXPORTS.md, What is read), or received bytes, whose format --format\n"
		 "names.",
	.status = "Exit status: 0; 1 a file could not be used; 2 bad usage.",
	.options = { .own = rows, .shared = shared },
	.run = report_run,
};
