/*
 * as: the command `wsntop as`, which stands between gcc and the assembler and puts in the hooks for
 * call traces (core/filter/).
 */
#include "tui/command/command.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"
#include "core/filter/assembler.h"
#include "core/export/snapshot.h"
#include "core/filter/chip.h"
#include "core/filter/scope.h"
#include "core/profile/raw/copy.h"
#include "core/source/program.h"

struct as_options {
	struct filter_options filter;
	bool hooks, off, help;
	const char *chip, *install;
	struct scope_counts counts;
};

static void message_say(void *ctx, const char *file, const char *line)
{
	char shown[COMMAND_SHOWN];

	(void)ctx;
	fprintf(stderr, "wsntop: as: %s: %s\n", command_visible(shown, file), line);
}

/* --- options ---------------------------------------------------------------------------------- */

static int counts_fill(struct scope_counts *counts, const struct profile *p)
{
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];
		const char *from = e->from == PROFILE_NONE ? "" : p->functions[e->from].name;

		ret = scope_counts_add(counts, from, p->functions[e->to].name, e->calls);
	}
	return ret;
}

static int huffman_take(void *own, const char *path, struct err *err)
{
	struct as_options *o = own;
	struct err why = { 0 };
	struct profile *p = snapshot_read(path, &why);
	int ret;

	if (!p)
		return err_set(err, ERR_USAGE, "%s", why.text);
	ret = counts_fill(&o->counts, p);
	profile_drop(p);
	o->filter.codes = FILTER_HUFFMAN;
	o->filter.counts = &o->counts;
	return ret < 0 ? err_set(err, ERR_NOMEM, "%s: out of memory", path) : 0;
}

static const char *const use_names[] = {
	[FILTER_TRACE] = "trace", [FILTER_TIMED] = "timed", [FILTER_COUNT] = "count",
};

static int use_take(void *own, enum filter_use use, struct err *err)
{
	struct as_options *o = own;

	if (o->hooks && o->filter.use != use)
		return err_set(err, ERR_USAGE, "--trace, --timed, --count exclude each other");
	o->hooks = true;
	o->filter.use = use;
	return 0;
}

static int trace_take(void *own, const char *value, struct err *err)
{
	(void)value;
	return use_take(own, FILTER_TRACE, err);
}

static int timed_take(void *own, const char *value, struct err *err)
{
	(void)value;
	return use_take(own, FILTER_TIMED, err);
}

static int count_take(void *own, const char *value, struct err *err)
{
	(void)value;
	return use_take(own, FILTER_COUNT, err);
}

static int select_take(struct as_options *o, enum select_kind kind, const char *name,
		       const char *value, struct err *err)
{
	struct err why = { 0 };

	if (select_add(&o->filter.select, kind, value, &why) == 0)
		return 0;
	return err_set(err, ERR_USAGE, "%s=%s: %s", name, value, why.text);
}

static int only_take(void *own, const char *value, struct err *err)
{
	return select_take(own, SELECT_ONLY, "--only", value, err);
}

static int except_take(void *own, const char *value, struct err *err)
{
	return select_take(own, SELECT_EXCEPT, "--except", value, err);
}

static int files_take(void *own, const char *value, struct err *err)
{
	return select_take(own, SELECT_FILES, "--files", value, err);
}

static int local_take(void *own, const char *value, struct err *err)
{
	(void)value, (void)err;
	((struct as_options *)own)->filter.codes = FILTER_LOCAL;
	return 0;
}

static int flow_take(void *own, const char *value, struct err *err)
{
	(void)value, (void)err;
	((struct as_options *)own)->filter.codes = FILTER_FLOW;
	return 0;
}

/* Up to the first argument that is no option, *first. */
static int words_take(struct as_options *o, int argc, char **argv, int *first, struct err *err)
{
	struct option_line line = { .table = &command_as.options, .own = o, .is_command = true };

	return options_words(&line, argc, argv, first, err);
}

/* Those of WSNTOP_AS. *words holds them as long as the options are used. */
static int environment_take(struct as_options *o, char **words, struct err *err)
{
	const char *env = getenv("WSNTOP_AS");
	char **argv, *word, *state = NULL;
	int argc = 1, first, ret;

	*words = mem_strdup(env ? env : "");
	argv = *words ? mem_alloc((strlen(*words) / 2 + 3) * sizeof(*argv)) : NULL;
	if (!argv)
		return err_set(err, ERR_NOMEM, "out of memory");
	argv[0] = (char *)"WSNTOP_AS";
	for (word = strtok_r(*words, " \t\n", &state); word; word = strtok_r(NULL, " \t\n", &state))
		argv[argc++] = word;
	argv[argc] = NULL;
	ret = words_take(o, argc, argv, &first, err);
	if (ret == 0 && first < argc)
		ret = err_set(err, ERR_USAGE, "%s: not an option, in WSNTOP_AS", argv[first]);
	mem_free(argv);
	return ret;
}

/* --- --install -------------------------------------------------------------------------------- */

static void word_quote(struct buf *out, const char *word)
{
	buf_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *word);
	}
	buf_adds(out, "' ");
}

/* CROSS with its place: what starts gcc may have another PATH. */
static int cross_add(struct buf *out, const char *cross, struct err *err)
{
	struct buf name = BUF_INIT;
	char *path;

	buf_addf(&name, "%sas", cross);
	path = program_find(buf_str(&name));
	if (!path) {
		err_set(err, ERR_ABSENT, "%s: no such program", buf_str(&name));
		buf_release(&name);
		return ERR_ABSENT;
	}
	path[strlen(path) - 2] = '\0';
	word_quote(out, path);
	mem_free(path);
	buf_release(&name);
	return 0;
}

/* A list's place must hold wherever gcc runs. */
static void option_quote(struct buf *out, const char *option)
{
	bool profile = strncmp(option, "--huffman=", 10) == 0;
	const char *at = profile ? option + 10 : strstr(option, "=@");
	char real[PATH_MAX];
	struct buf word = BUF_INIT;

	if (at && !profile)
		at += 2;
	if (at && realpath(at, real)) {
		buf_add(&word, option, (size_t)(at - option));
		buf_adds(&word, real);
		option = buf_str(&word);
	}
	word_quote(out, option);
	buf_release(&word);
}

static int script_write(const char *dir, const struct buf *text, struct err *err)
{
	struct buf path = BUF_INIT;
	int ret;

	buf_addf(&path, "%s/as", dir);
	ret = text->failed ? err_set(err, ERR_NOMEM, "out of memory") :
			     file_folders(buf_str(&path), err);
	if (ret == 0)
		ret = file_write(buf_str(&path), text->data, text->len, err);
	if (ret == 0 && chmod(buf_str(&path), 0755) < 0)
		ret = err_errno(err, "%s: cannot make it executable", buf_str(&path));
	buf_release(&path);
	return ret;
}

/* argv: CROSS and the options behind it. */
static int script_install(struct as_options *o, int argc, char **argv, struct err *err)
{
	struct buf text = BUF_INIT;
	char self[PATH_MAX];
	int ret;

	if (!*os_program(self, sizeof(self)))
		return err_set(err, ERR_IO, "wsntop: its own path cannot be read");
	buf_adds(&text, "#!/bin/sh\nexec ");
	word_quote(&text, self);
	buf_adds(&text, "as ");
	if (!o->off)
		buf_addf(&text, "--%s ", use_names[o->filter.use]);
	for (int i = 1; i < argc; i++)
		option_quote(&text, argv[i]);
	ret = cross_add(&text, argv[0], err);
	buf_adds(&text, "-- \"$@\"\n");
	if (ret == 0)
		ret = script_write(o->install, &text, err);
	buf_release(&text);
	return ret;
}

/* --- the command ------------------------------------------------------------------------------ */

/* The assembler's status, or negative. */
static int assembler_start(struct as_options *o, const char *cross, char **argv, struct err *err)
{
	struct buf name = BUF_INIT;
	struct assembler a = {
		.argv = argv, .filters = o->hooks && !o->off, .filter = o->filter,
		.errors = STDERR_FILENO, .say = message_say,
	};
	int status;

	buf_addf(&name, "%sas", cross);
	a.path = argv[0] = name.data;
	status = assembler_run(&a, err);
	buf_release(&name);
	return status;
}

static int filter_check(struct as_options *o, const char *cross, struct err *err)
{
	struct filter_options *f = &o->filter;

	f->chip = chip_find(o->chip, cross);
	if (!f->chip)
		return err_set(err, ERR_USAGE, "%s: not a chip that is known; --chip=avr or "
			       "--chip=thumb", o->chip ? o->chip : cross);
	if (f->codes != FILTER_GLOBAL && (f->chip != &chip_avr || f->wide))
		return err_set(err, ERR_USAGE, "--local, --huffman, --control-flow: for AVR, "
			       "without --wide");
	if (f->use != FILTER_TRACE && (f->wide || f->codes != FILTER_GLOBAL))
		return err_set(err, ERR_USAGE, "--wide, --local, --huffman, --control-flow: for "
			       "--trace");
	return 0;
}

/* argv: CROSS and what is behind it. The exit status, or negative. */
static int cross_run(struct as_options *o, int argc, char **argv, struct err *err)
{
	int last, ret = 0;

	if (argc < 1 || !*argv[0])
		return err_set(err, ERR_USAGE, "CROSS is missing (avr-, arm-none-eabi-)");
	if (o->install) {
		ret = words_take(o, argc, argv, &last, err);
		if (ret == 0 && last < argc)
			ret = err_set(err, ERR_USAGE, "%s: not an option", argv[last]);
	}
	if (ret < 0 || (ret = filter_check(o, argv[0], err)) < 0)
		return ret;
	if (o->install)
		return script_install(o, argc, argv, err);
	if (argc < 2 || strcmp(argv[1], "--") != 0)
		return err_set(err, ERR_USAGE, "-- must follow CROSS");
	return assembler_start(o, argv[0], argv + 1, err);
}

static int as_run(const struct command *c, int argc, char **argv)
{
	struct as_options o = { .hooks = false };
	struct err err = { 0 };
	char *words = NULL;
	int status, first;

	map_init(&o.counts.calls);
	status = environment_take(&o, &words, &err) < 0 ? command_fail(c, &err) :
		 command_parse(c, NULL, &o, &o.help, argc, argv, &first);
	if (status < 0) {
		status = cross_run(&o, argc - first, argv + first, &err);
		if (status < 0)
			status = command_fail(c, &err);
	}
	select_release(&o.filter.select);
	map_release(&o.counts.calls);
	mem_free(words);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

#define MEMBER(name) .own = true, .offset = offsetof(struct as_options, name)

static const struct option_row rows[] = {
	{ .name = "trace", .set_own = trace_take,
	  .help = "hooks for call traces (default with --install)" },
	{ .name = "timed", .set_own = timed_take,
	  .help = "hooks for timed calls, in place of\n-finstrument-functions" },
	{ .name = "count", .set_own = count_take, .help = "hooks that count calls" },
	{ .name = "only", .argument = "PATTERN", .set_own = only_take,
	  .help = "only functions that match (PCRE2); @FILE: those\nthat it lists" },
	{ .name = "except", .argument = "PATTERN", .set_own = except_take,
	  .help = "all but these; @FILE likewise" },
	{ .name = "files", .argument = "PATTERN", .set_own = files_take,
	  .help = "only functions of source files that match; @FILE\nlikewise" },
	{ .name = "wide", .kind = OPTION_FLAG, MEMBER(filter.wide),
	  .help = "AVR, --trace: ids of 16 bits, for more than 124\nfunctions" },
	{ .name = "local", .set_own = local_take,
	  .help = "AVR: calls by numbers of the caller's own\n(WSNPROF_TRACE 4)" },
	{ .name = "huffman", .argument = "FILE", .set_own = huffman_take,
	  .help = "the same, in codes by an export of a run (-x json)" },
	{ .name = "control-flow", .set_own = flow_take,
	  .help = "AVR: branches instead of calls, a bit each\n(WSNPROF_TRACE 6)" },
	{ .name = "no-handlers", .kind = OPTION_FLAG, MEMBER(filter.no_handlers),
	  .help = "AVR: leave interrupt handlers alone" },
	{ .name = "off", .kind = OPTION_FLAG, MEMBER(off),
	  .help = "run the assembler without any change" },
	{ .name = "chip", .argument = "NAME", .kind = OPTION_TEXT, MEMBER(chip),
	  .help = "avr or thumb, where CROSS does not tell" },
	{ .name = "install", .argument = "DIR", .kind = OPTION_TEXT, MEMBER(install),
	  .help = "write DIR/as, which runs this command with the\nother options" },
	OPTION_HELP(struct as_options, help),
	{ .name = NULL },
};

static const char *const usage[] = {
	"--install DIR CROSS [OPTION]...",
	"[OPTION]... CROSS -- ASSEMBLER-OPTION...",
	NULL,
};

const struct command command_as = {
	.name = "as", .summary = "put hooks for call traces into firmware, for gcc -B",
	.usage = usage, .operand = OPERAND_CROSS,
	.about = "Puts the profiler's hooks into what gcc compiles: gcc -B DIR calls DIR/as,\n"
		 "which filters the compiler's assembler text and runs CROSSas on it (CROSS:\n"
		 "avr-, arm-none-eabi-). --install writes DIR/as with the options given.\n\n"
		 "--only, --except and --files may be repeated. WSNTOP_AS holds further options,\n"
		 "separated by blanks.",
	.status = "Exit status: 0 or the assembler's; 1 it cannot be run; 2 bad usage.",
	.options = { .own = rows, .in_order = true },
	.run = as_run,
};
