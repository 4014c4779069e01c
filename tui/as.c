#include "tui/as.h"

#include <errno.h>
#include <getopt.h>
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
#include "core/base/text.h"
#include "core/filter/assembler.h"
#include "core/export/snapshot.h"
#include "core/filter/chip.h"
#include "core/filter/scope.h"
#include "core/profile/raw/copy.h"
#include "core/source/program.h"

enum { STATUS_FAULT = 1, STATUS_USAGE = 2, SHOWN = 1024 };

static const char help[] =
	"usage: wsntop as --install DIR CROSS [OPTION]...\n"
	"       wsntop as [OPTION]... CROSS -- ASSEMBLER-OPTION...\n\n"
	"Puts the profiler's hooks into what gcc compiles: gcc -B DIR calls DIR/as, which\n"
	"filters the compiler's assembler text and runs CROSSas on it (CROSS: avr-,\n"
	"arm-none-eabi-). --install writes DIR/as with the options given.\n\n"
	"  --trace            hooks for call traces (default with --install)\n"
	"  --timed            hooks for timed calls, in place of -finstrument-functions\n"
	"  --count            hooks that count calls\n"
	"  --only=PATTERN     only functions that match (PCRE2); @FILE: those that it lists\n"
	"  --except=PATTERN   all but these; @FILE likewise\n"
	"  --files=PATTERN    only functions of source files that match; @FILE likewise\n"
	"  --wide             AVR, --trace: ids of 16 bits, for more than 124 functions\n"
	"  --local            AVR: calls by numbers of the caller's own (WSNPROF_TRACE 4)\n"
	"  --huffman=FILE     the same, in codes by an export of a run (-x json)\n"
	"  --control-flow     AVR: branches instead of calls, a bit each (WSNPROF_TRACE 6)\n"
	"  --no-handlers      AVR: leave interrupt handlers alone\n"
	"  --off              run the assembler without any change\n"
	"  --chip=NAME        avr or thumb, where CROSS does not tell\n"
	"  -h, --help         print this\n\n"
	"--only, --except and --files may be repeated. WSNTOP_AS holds further options, separated\n"
	"by blanks. Exit status: the assembler's; 1 it cannot be run; 2 bad usage.\n";

enum { OPT_TRACE = 256, OPT_TIMED, OPT_COUNT, OPT_ONLY, OPT_EXCEPT, OPT_FILES, OPT_WIDE, OPT_LOCAL,
       OPT_HUFFMAN, OPT_FLOW, OPT_NO_HANDLERS, OPT_OFF, OPT_CHIP, OPT_INSTALL };

static const struct option longs[] = {
	{ .name = "trace", .val = OPT_TRACE },
	{ .name = "timed", .val = OPT_TIMED },
	{ .name = "count", .val = OPT_COUNT },
	{ .name = "only", .has_arg = required_argument, .val = OPT_ONLY },
	{ .name = "except", .has_arg = required_argument, .val = OPT_EXCEPT },
	{ .name = "files", .has_arg = required_argument, .val = OPT_FILES },
	{ .name = "wide", .val = OPT_WIDE },
	{ .name = "local", .val = OPT_LOCAL },
	{ .name = "huffman", .has_arg = required_argument, .val = OPT_HUFFMAN },
	{ .name = "control-flow", .val = OPT_FLOW },
	{ .name = "no-handlers", .val = OPT_NO_HANDLERS },
	{ .name = "off", .val = OPT_OFF },
	{ .name = "chip", .has_arg = required_argument, .val = OPT_CHIP },
	{ .name = "install", .has_arg = required_argument, .val = OPT_INSTALL },
	{ .name = "help", .val = 'h' },
	{ 0 },
};

struct as_options {
	struct filter_options filter;
	bool hooks, off, help;
	const char *chip, *install;
	struct scope_counts counts;
};

static void message_say(void *ctx, const char *file, const char *line)
{
	char shown[SHOWN];

	(void)ctx;
	text_visible(shown, sizeof(shown), file, strlen(file));
	fprintf(stderr, "wsntop: as: %s: %s\n", shown, line);
}

static int usage_fail(const char *what, const char *why)
{
	char shown[SHOWN];

	text_visible(shown, sizeof(shown), what, strlen(what));
	fprintf(stderr, "wsntop: as: %s%s; wsntop as --help\n", shown, why);
	return STATUS_USAGE;
}

static int fault_fail(const struct err *err)
{
	fprintf(stderr, "wsntop: as: %s\n", err->text);
	return STATUS_FAULT;
}

/* --- options ---------------------------------------------------------------------------------- */

static int counts_take(struct as_options *o, const char *path)
{
	struct err err = { 0 };
	struct profile *p = snapshot_read(path, &err);
	int ret = 0;

	if (!p) {
		fprintf(stderr, "wsntop: as: %s\n", err.text);
		return STATUS_USAGE;
	}
	for (uint32_t i = 0; ret == 0 && i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];
		const char *from = e->from == PROFILE_NONE ? "" : p->functions[e->from].name;

		ret = scope_counts_add(&o->counts, from, p->functions[e->to].name, e->calls);
	}
	profile_drop(p);
	o->filter.codes = FILTER_HUFFMAN;
	o->filter.counts = &o->counts;
	return ret < 0 ? usage_fail(path, ": out of memory") : 0;
}

static const char *const use_names[] = {
	[FILTER_TRACE] = "trace", [FILTER_TIMED] = "timed", [FILTER_COUNT] = "count",
};

static int use_take(struct as_options *o, enum filter_use use)
{
	if (o->hooks && o->filter.use != use)
		return usage_fail("--trace, --timed, --count", " exclude each other");
	o->hooks = true;
	o->filter.use = use;
	return 0;
}

static int use_check(const struct filter_options *f)
{
	if (f->wide || f->codes != FILTER_GLOBAL)
		return usage_fail("--wide, --local, --huffman, --control-flow",
				  ": for --trace");
	return 0;
}

static int option_take(struct as_options *o, int c)
{
	static const enum select_kind kinds[] = { SELECT_ONLY, SELECT_EXCEPT, SELECT_FILES };
	static const char *const select_names[] = { "--only", "--except", "--files" };
	static const enum filter_use uses[] = { FILTER_TRACE, FILTER_TIMED, FILTER_COUNT };
	struct err err = { 0 };

	switch (c) {
	case OPT_TRACE:
	case OPT_TIMED:
	case OPT_COUNT:
		return use_take(o, uses[c - OPT_TRACE]);
	case OPT_ONLY:
	case OPT_EXCEPT:
	case OPT_FILES:
		if (select_add(&o->filter.select, kinds[c - OPT_ONLY], optarg, &err) == 0)
			return 0;
		fprintf(stderr, "wsntop: as: %s=%s: %s; wsntop as --help\n",
			select_names[c - OPT_ONLY], optarg, err.text);
		return STATUS_USAGE;
	case OPT_WIDE:
		o->filter.wide = true;
		return 0;
	case OPT_LOCAL:
		o->filter.codes = FILTER_LOCAL;
		return 0;
	case OPT_HUFFMAN:
		return counts_take(o, optarg);
	case OPT_FLOW:
		o->filter.codes = FILTER_FLOW;
		return 0;
	case OPT_NO_HANDLERS:
		o->filter.no_handlers = true;
		return 0;
	case OPT_OFF:
		o->off = true;
		return 0;
	case OPT_CHIP:
		o->chip = optarg;
		return 0;
	case OPT_INSTALL:
		o->install = optarg;
		return 0;
	default:
		o->help = true;
		return 0;
	}
}

/* Up to the first argument that is no option; the rest is from optind on. */
static int options_take(struct as_options *o, int argc, char **argv)
{
	int c, status = 0;

	optind = 0;
	opterr = 0;
	while (status == 0 && (c = getopt_long(argc, argv, "+:h", longs, NULL)) != -1) {
		if (c == ':')
			return usage_fail(argv[optind - 1], ": its value is missing");
		if (c == '?')
			return usage_fail(argv[optind - 1], ": no such option");
		status = option_take(o, c);
	}
	return status;
}

/* Those of WSNTOP_AS. *words holds them as long as the options are used. */
static int environment_take(struct as_options *o, char **words)
{
	const char *env = getenv("WSNTOP_AS");
	char **argv, *word, *state = NULL;
	int argc = 1, status;

	*words = mem_strdup(env ? env : "");
	argv = *words ? mem_alloc((strlen(*words) / 2 + 3) * sizeof(*argv)) : NULL;
	if (!argv)
		return usage_fail("", "out of memory");
	argv[0] = (char *)"WSNTOP_AS";
	for (word = strtok_r(*words, " \t\n", &state); word; word = strtok_r(NULL, " \t\n", &state))
		argv[argc++] = word;
	argv[argc] = NULL;
	status = options_take(o, argc, argv);
	if (status == 0 && optind < argc)
		status = usage_fail(argv[optind], ": not an option, in WSNTOP_AS");
	mem_free(argv);
	return status;
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
static int script_install(struct as_options *o, int argc, char **argv)
{
	struct buf text = BUF_INIT;
	struct err err = { 0 };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int ret;

	if (n < 0)
		return usage_fail("/proc/self/exe", ": cannot be read");
	self[n] = '\0';
	buf_adds(&text, "#!/bin/sh\nexec ");
	word_quote(&text, self);
	buf_adds(&text, "as ");
	if (!o->off)
		buf_addf(&text, "--%s ", use_names[o->filter.use]);
	for (int i = 1; i < argc; i++)
		option_quote(&text, argv[i]);
	ret = cross_add(&text, argv[0], &err);
	buf_adds(&text, "-- \"$@\"\n");
	if (ret == 0)
		ret = script_write(o->install, &text, &err);
	buf_release(&text);
	return ret < 0 ? fault_fail(&err) : 0;
}

/* --- the command ------------------------------------------------------------------------------ */

static int assembler_start(struct as_options *o, const char *cross, char **argv)
{
	struct buf name = BUF_INIT;
	struct err err = { 0 };
	struct assembler a = {
		.argv = argv, .filters = o->hooks && !o->off, .filter = o->filter,
		.errors = STDERR_FILENO, .say = message_say,
	};
	int status;

	buf_addf(&name, "%sas", cross);
	a.path = argv[0] = name.data;
	status = assembler_run(&a, &err);
	buf_release(&name);
	return status < 0 ? fault_fail(&err) : status;
}

static int command_run(struct as_options *o, int argc, char **argv)
{
	int status = options_take(o, argc, argv), first = optind;
	const char *cross = first < argc ? argv[first] : "";

	if (status || o->help)
		return status ? status : fputs(help, stdout) == EOF ? STATUS_FAULT : 0;
	if (!*cross)
		return usage_fail("CROSS", " is missing (avr-, arm-none-eabi-)");
	if (o->install) {
		status = options_take(o, argc - first, argv + first);
		if (status == 0 && optind < argc - first)
			return usage_fail(argv[first + optind], ": not an option");
	}
	o->filter.chip = chip_find(o->chip, cross);
	if (status == 0 && !o->filter.chip)
		return usage_fail(o->chip ? o->chip : cross, ": not a chip that is known; "
				  "--chip=avr or --chip=thumb");
	if (status == 0 && o->filter.codes != FILTER_GLOBAL &&
	    (o->filter.chip != &chip_avr || o->filter.wide))
		return usage_fail("--local, --huffman, --control-flow",
				  ": for AVR, without --wide");
	if (status == 0 && o->filter.use != FILTER_TRACE)
		status = use_check(&o->filter);
	if (status)
		return status;
	if (o->install)
		return script_install(o, argc - first, argv + first);
	if (first + 1 >= argc || strcmp(argv[first + 1], "--") != 0)
		return usage_fail("--", " must follow CROSS");
	return assembler_start(o, cross, argv + first + 1);
}

int as_main(int argc, char **argv)
{
	struct as_options o = { .hooks = false };
	char *words = NULL;
	int status;

	map_init(&o.counts.calls);
	status = environment_take(&o, &words);

	if (status == 0)
		status = command_run(&o, argc, argv);
	select_release(&o.filter.select);
	map_release(&o.counts.calls);
	mem_free(words);
	return status;
}
