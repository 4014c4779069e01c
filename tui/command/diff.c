/* diff: `wsntop diff`: what changed between two files. */
#include "tui/command/command.h"

#include <string.h>

#include "core/base/text.h"
#include "core/report/diff.h"
#include "core/run/loaded.h"

enum { OUTPUTS = 8 };

struct diff_command {
	struct {
		const struct diff_format *format;
		const char *path;
	} outputs[OUTPUTS];
	size_t count;
	bool all, help;
	struct options o;
};

static int output_set(void *own, const char *value, struct err *err)
{
	struct diff_command *d = own;
	size_t n = strcspn(value, ":");

	if (d->count == OUTPUTS)
		return err_set(err, ERR_USAGE, "--export: given more than %d times", OUTPUTS);
	for (const struct diff_format *f = diff_formats; f->name; f++) {
		if (strlen(f->name) != n || memcmp(f->name, value, n) != 0)
			continue;
		d->outputs[d->count].format = f;
		d->outputs[d->count++].path = value[n] && value[n + 1] ? value + n + 1 : "-";
		return 0;
	}
	return err_set(err, ERR_USAGE, "--export=%s: expected text, json, markdown or html", value);
}

static int output_write(const struct diff *d, const struct diff_format *f, const char *path,
			struct err *err)
{
	struct out out;

	if (out_open(&out, path, err) < 0)
		return ERR_IO;
	f->write(d, &out);
	return out_close(&out, err);
}

static int outputs_write(const struct diff_command *c, const struct diff *d, struct err *err)
{
	int ret = 0;

	if (!c->count)
		return output_write(d, &diff_formats[0], "-", err);
	for (size_t i = 0; ret == 0 && i < c->count; i++)
		ret = output_write(d, c->outputs[i].format, c->outputs[i].path, err);
	return ret;
}

static int both_compare(struct diff_command *c, const struct export_source *then,
			const struct export_source *now, struct err *err)
{
	const struct export_option *limit = NULL, *option;
	struct diff_options o = {
		.least = options_least(&c->o, COMPARE_LEAST_DEFAULT), .filter = c->o.filter,
		.all = c->all,
	};
	struct diff d;
	int ret;

	for (size_t i = 0; (option = export_option_at(i)); i++)
		if (!strcmp(option->name, "limit"))
			limit = option;
	if (limit)
		o.limit = export_value(&c->o.values, limit)->number;
	ret = diff_init(&d, then->profile, now->profile, text_basename(c->o.ports.items[0]),
			text_basename(c->o.ports.items[1]), &o);
	if (ret < 0)
		err_set(err, ERR_NOMEM, "out of memory");
	else
		ret = outputs_write(c, &d, err);
	diff_release(&d);
	return ret;
}

static int files_compare(struct diff_command *c, struct err *err)
{
	struct loaded files[2] = { { .node = NULL } };
	struct node_options node;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < 2; i++) {
		options_node(&c->o, i, &node);
		ret = loaded_open(&files[i], c->o.ports.items[i], &node, err);
	}
	if (ret == 0)
		ret = both_compare(c, &files[0].source, &files[1].source, err);
	loaded_release(&files[0]);
	loaded_release(&files[1]);
	return ret;
}

static int diff_ready(struct diff_command *c, int argc, char **argv, int first, struct err *err)
{
	int ret = command_files(&c->o, argc, argv, first, 2, 2, "two files, the older one first",
				err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < c->count; i++)
		if (options_use_file(&c->o, c->outputs[i].path))
			return err_set(err, ERR_USAGE, "--export=%s: %s is an input of this run; "
				       "give another file", c->outputs[i].format->name,
				       c->outputs[i].path);
	return 0;
}

static int diff_run(const struct command *command, int argc, char **argv)
{
	struct diff_command c = { .count = 0 };
	struct err err = { 0 };
	int first, status = command_parse(command, &c.o, &c, &c.help, argc, argv, &first);

	if (status < 0)
		status = diff_ready(&c, argc, argv, first, &err) < 0 ||
			 files_compare(&c, &err) < 0 ? command_fail(command, &err) : 0;
	options_release(&c.o);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

static const struct option_row rows[] = {
	{ .name = "export", .letter = 'x', .argument = "text|json|markdown|html[:FILE]",
	  .set_own = output_set,
	  .help = "the form of the comparison (text); FILE - or none:\n"
		  "standard output; repeatable" },
	{ .name = "all", .kind = OPTION_FLAG, .own = true,
	  .offset = offsetof(struct diff_command, all),
	  .help = "functions that did not change, too" },
	OPTION_HELP(struct diff_command, help),
	{ .name = NULL },
};

static const char *const shared[] = {
	"elf", "format", "hz", "report", "correct", "filter", "limit", "compare-load",
	"compare-call", NULL,
};

static const char *const usage[] = { "OLD NEW [-x FORMAT[:FILE]]... [OPTION]...", NULL };

const struct command command_diff = {
	.name = "diff", .summary = "what changed between two files",
	.usage = usage, .operand = OPERAND_FILE,
	.about = "Compares two profiles: snapshots (-x json), recordings, files of other tools\n"
		 "(docs/EXPORTS.md, What is read), or received bytes, whose format --format\n"
		 "names. Functions pair by name; the largest regressions come first. A change\n"
		 "within the noise is none; --compare-load and --compare-call tell which of the\n"
		 "others matter.\n"
		 "With two images (-e) the first belongs to OLD.",
	.status = "Exit status: 0, whatever changed; 1 a file could not be used; 2 bad usage.",
	.options = { .own = rows, .shared = shared },
	.run = diff_run,
};
