/* convert: `wsntop convert`: a file that holds a profile as another format. */
#include "tui/command/command.h"

#include "core/profile/raw/copy.h"
#include "core/run/baseline.h"
#include "core/run/loaded.h"

struct convert {
	bool help;
	struct options o;
};

static int exports_write(const struct options *o, struct export_source *s, struct err *err)
{
	const struct compare_least least = options_least(o, COMPARE_LEAST_DEFAULT);
	int ret = 0;

	s->least = &least;
	s->order = (struct rows_order){ .column = o->sort, .filter = o->filter };
	s->values = &o->values;
	for (size_t i = 0; ret == 0 && i < o->export_count; i++)
		ret = export_file(o->exports[i].exporter, s, o->exports[i].path, err);
	return ret;
}

static int file_convert(const struct options *o, struct err *err)
{
	struct profile *baseline = NULL;
	struct node_options node;
	struct loaded file;
	int ret;

	options_node(o, 0, &node);
	if (o->baseline && !(baseline = baseline_read(o->baseline, &node, err)))
		return err->code;
	ret = loaded_open(&file, o->ports.items[0], &node, err);
	if (ret == 0) {
		file.source.baseline = baseline;
		ret = exports_write(o, &file.source, err);
	}
	loaded_release(&file);
	profile_drop(baseline);
	return ret;
}

static int convert_ready(struct options *o, int argc, char **argv, int first, struct err *err)
{
	int ret = command_files(o, argc, argv, first, 1, 1, "one file", err);

	if (ret < 0)
		return ret;
	if (!o->export_count)
		return err_set(err, ERR_USAGE, "no format; give -x FORMAT[:FILE]");
	return options_check(o, err);
}

static int convert_run(const struct command *c, int argc, char **argv)
{
	struct convert v = { .help = false };
	struct err err = { 0 };
	int first, status = command_parse(c, &v.o, &v, &v.help, argc, argv, &first);

	if (status < 0)
		status = convert_ready(&v.o, argc, argv, first, &err) < 0 ||
			 file_convert(&v.o, &err) < 0 ? command_fail(c, &err) : 0;
	options_release(&v.o);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

static const struct option_row rows[] = {
	OPTION_HELP(struct convert, help),
	{ .name = NULL },
};

static const char *const shared[] = {
	"elf", "export", "format", "hz", "report", "correct", "baseline", "compare-load",
	"compare-call", "filter", "sort", "limit", "cluster", "per-site", "by-task", "log-calls",
	"volts", "trace-memory", NULL,
};

static const char *const usage[] = { "IN [-e APP.ELF] -x FORMAT[:FILE]... [OPTION]...", NULL };

const struct command command_convert = {
	.name = "convert", .summary = "a recording or a snapshot as another format",
	.usage = usage, .operand = OPERAND_FILE,
	.about = "Writes what a file holds as any of the formats of --export (wsntop --help). IN\n"
		 "is a recording (-r), a snapshot (-x json), a file of another tool\n"
		 "(docs/EXPORTS.md, What is read), or received bytes, whose format --format\n"
		 "names. A snapshot holds functions, edges and call sites, but no trace.",
	.status = "Exit status: 0; 1 the file could not be used, or a format does not fit it; 2\n"
		  "bad usage.",
	.options = { .own = rows, .shared = shared },
	.run = convert_run,
};
