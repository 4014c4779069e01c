/*
 * check: `wsntop check`: rules held against a run, for CI: lines, JUnit XML, and the exit status.
 */
#include "tui/command/command.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/find/finds.h"
#include "core/find/inputs.h"
#include "core/gate/junit.h"
#include "core/profile/raw/copy.h"
#include "core/run/batch.h"
#include "tui/command/check_file.h"
#include "tui/term/signals.h"

enum { UNSURE_SHOWN = 20 };

struct check {
	const char *rules_file, *junit, *baseline_elf;
	enum gate_policy policy;
	bool help;
	struct options o;
	struct rules rules;
	struct check_file base;
	struct out *xml;		/* NULL: none is written */
	struct buf lines;
	size_t failed;
	bool broken;			/* a source ended by a failure */
};

/* --- one node --------------------------------------------------------------------------------- */

static void result_say(struct check *c, const struct gate *g, const struct gate_result *r)
{
	size_t n = c->lines.len;

	buf_addf(&c->lines, "%s: ", gate_verdict_names[r->verdict]);
	gate_describe(g, r, &c->lines);
	if (r->verdict == GATE_FAILED) {
		buf_adds(&c->lines, "; ");
		n = c->lines.len;
		gate_where(g, r, &c->lines);
	}
	buf_addf(&c->lines, "%s%s:%u\n", r->verdict == GATE_FAILED && c->lines.len == n ? "" : "; ",
		 g->rules->file, r->rule->line);
}

static void results_say(struct check *c, const struct gate *g, const char *node)
{
	size_t unsure = 0, failed = 0;
	char shown[COMMAND_SHOWN];

	for (size_t i = 0; i < g->count; i++) {
		const struct gate_result *r = &g->results[i];

		failed += gate_counts(r, c->policy);
		if (r->verdict == GATE_FAILED || (r->verdict == GATE_UNSURE &&
						  c->policy != GATE_PASS &&
						  unsure++ < UNSURE_SHOWN))
			result_say(c, g, r);
	}
	if (unsure > UNSURE_SHOWN)
		buf_addf(&c->lines, "not sure: %zu more\n", unsure - UNSURE_SHOWN);
	buf_addf(&c->lines, "%s: %zu checks: %zu passed, %zu failed, %zu not sure\n",
		 command_visible(shown, node), g->count, g->verdicts[GATE_PASSED],
		 g->verdicts[GATE_FAILED], g->verdicts[GATE_UNSURE]);
	c->failed += failed;
}

static const char *elf_first(const struct check *c)
{
	return c->o.elfs.count ? c->o.elfs.items[0] : NULL;
}

static int input_judge(struct check *c, const struct gate_input *now, const char *name,
		       struct err *err)
{
	struct gate g;
	int ret = gate_run(&g, &c->rules, now, c->base.profile ? &c->base.input : NULL);

	if (ret == 0) {
		results_say(c, &g, name);
		if (c->xml)
			junit_suite(c->xml, &g, name, c->policy);
	}
	gate_release(&g);
	return ret < 0 ? err_set(err, ERR_NOMEM, "out of memory") : 0;
}

/* --- the run ---------------------------------------------------------------------------------- */

/* The image that it has proven to run, else the one that was given. */
static int node_judge(struct check *c, struct node *n, struct err *err)
{
	struct image_sizes sizes;
	struct export_source s;
	struct gate_input now;
	const char *elf;

	node_export_source(n, &s);
	elf = s.image ? image_path(s.image) : elf_first(c);
	if (elf && image_sizes_read(elf, &sizes, err) < 0)
		return err->code;
	now = (struct gate_input){
		.profile = s.profile, .image = s.image, .sizes = elf ? &sizes : NULL,
		.status = s.status, .stream = &s.stream, .hooks = s.hooks_share,
		.marks = s.marks, .mark_count = s.mark_count,
	};
	return input_judge(c, &now, s.node, err);
}

static int nodes_judge(struct check *c, const struct nodes *nodes, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < nodes->count; i++) {
		ret = node_judge(c, nodes->items[i], err);
		/* batch_run has said why. What ran before that is no run to pass a gate with. */
		c->broken |= *link_why(node_link(nodes->items[i])) != 0;
	}
	return ret;
}

/* The exit status of the run, or negative. */
static int sources_run(struct check *c, struct err *err)
{
	struct batch_options batch;
	struct nodes nodes;
	int status = 0;

	signals_batch();
	options_batch(&c->o, &batch);
	batch.silent = true;
	batch.stop = &signals_stop;
	batch.say = command_say;
	batch.baseline = c->base.profile;
	nodes_init(&nodes);
	for (size_t i = 0; status == 0 && i < c->o.ports.count; i++) {
		struct node_options node;

		options_node(&c->o, i, &node);
		status = nodes_open(&nodes, &node, err);
	}
	if (status == 0)
		status = batch_run(&nodes, &batch, err);
	if (status == 0 || status == BATCH_PASSED)
		status = nodes_judge(c, &nodes, err) < 0 ? -1 : status;
	nodes_release(&nodes);
	if (signals_stop) {
		command_say(NULL, ADVICE_NONE, "check: interrupted: what came until then was "
			    "judged; --for=SECONDS ends a run");
		c->broken = true;
	}
	return status;
}

/* A file that is no stream: a snapshot. */
static int file_run(struct check *c, const char *path, struct err *err)
{
	struct check_file file;
	int ret = check_file_open(&file, path, &c->o, elf_first(c), err);

	if (ret == 0)
		ret = input_judge(c, &file.input, text_basename(path), err);
	check_file_close(&file);
	return ret;
}

static bool is_profile(const struct options *o)
{
	enum find_kind kind = o->ports.count == 1 ? finds_kind_of(o->ports.items[0]) :
						    FIND_NEITHER;

	return kind != FIND_NEITHER && kind != FIND_RECORDING;
}

/* --- before it -------------------------------------------------------------------------------- */

static void rule_say(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "wsntop: check: %s\n", line);
}

static int options_ready(struct check *c, int argc, char **argv, int first, struct err *err)
{
	struct options *o = &c->o;

	for (; first < argc; first++)
		if (options_operand(o, argv[first], err) < 0)
			return ERR_USAGE;
	o->seek = false;
	if (!o->ports.count)
		return err_set(err, ERR_USAGE, "no source; give -p SOURCE");
	if (!c->rules_file)
		return err_set(err, ERR_USAGE, "no rules; give --rules FILE");
	if (options_check(o, err) < 0)
		return ERR_USAGE;
	if (c->junit && (options_use_file(o, c->junit) || inputs_same(c->rules_file, c->junit) ||
			 inputs_same(c->baseline_elf, c->junit)))
		return err_set(err, ERR_USAGE, "--junit=%s: it is an input of this run; give "
			       "another file", c->junit);
	o->batch = true;
	return 0;
}

static int elf_needed(const struct check *c, enum rule_subject subject, const char *elf,
		      bool relative, const char *option, struct err *err)
{
	if (elf || !rules_need(&c->rules, subject, relative))
		return 0;
	return err_set(err, ERR_USAGE, "%s: its rules of %s need %s", c->rules_file,
		       subject == RULE_IMAGE ? "the image" : "the stack", option);
}

/* What the rules need is there. */
static int rules_ready(struct check *c, struct err *err)
{
	const char *elf = elf_first(c);

	if (rules_read(&c->rules, c->rules_file, rule_say, NULL, err) < 0)
		return ERR_USAGE;
	if (elf_needed(c, RULE_IMAGE, elf, false, "-e APP.ELF", err) < 0 ||
	    elf_needed(c, RULE_STACK, elf, false, "-e APP.ELF", err) < 0 ||
	    elf_needed(c, RULE_IMAGE, c->baseline_elf, true, "--baseline-elf FILE", err) < 0 ||
	    elf_needed(c, RULE_STACK, c->baseline_elf, true, "--baseline-elf FILE", err) < 0)
		return ERR_USAGE;
	if (rules_relative(&c->rules) && !c->o.baseline)
		return err_set(err, ERR_USAGE, "%s: its rules compare with a baseline; give "
			       "--baseline FILE", c->rules_file);
	return 0;
}

/* --- after it --------------------------------------------------------------------------------- */

static int lines_print(struct check *c)
{
	/* Not into the XML. */
	FILE *to = c->junit && !strcmp(c->junit, "-") ? stderr : stdout;

	if (c->lines.failed || fputs(buf_str(&c->lines), to) == EOF || fflush(to) == EOF) {
		perror("wsntop: standard output");
		return COMMAND_INPUT;
	}
	return 0;
}

/* The exit status, or negative. */
static int check_judge(struct check *c, struct err *err)
{
	struct out xml;
	int status;

	if (c->junit && out_open(&xml, c->junit, err) < 0)
		return -1;
	if (c->junit) {
		c->xml = &xml;
		junit_begin(&xml);
	}
	status = is_profile(&c->o) ? file_run(c, c->o.ports.items[0], err) : sources_run(c, err);
	if (c->xml && status != 0 && status != BATCH_PASSED) {
		out_discard(&xml);
	} else if (c->xml) {
		junit_end(&xml);
		if (out_close(&xml, err) < 0)
			return -1;
	}
	if (status == 0 || status == BATCH_PASSED)
		return lines_print(c) ? COMMAND_INPUT :
		       c->failed || status ? COMMAND_FAILED : c->broken ? COMMAND_INPUT : 0;
	return status;
}

static int check_run(const struct command *command, int argc, char **argv)
{
	static struct check c;
	struct err err = { 0 };
	int first, status = command_parse(command, &c.o, &c, &c.help, argc, argv, &first);

	if (status >= 0)
		return status;
	if (options_ready(&c, argc, argv, first, &err) == 0 && rules_ready(&c, &err) == 0 &&
	    (!c.o.baseline ||
	     check_file_open(&c.base, c.o.baseline, &c.o, c.baseline_elf, &err) == 0))
		status = check_judge(&c, &err);
	if (status < 0 && c.rules.wrong && !err_is_set(&err))
		status = COMMAND_USAGE;		/* each line was said */
	else if (status < 0 || (status == COMMAND_INPUT && err_is_set(&err)))
		status = command_fail(command, &err);
	check_file_close(&c.base);
	rules_release(&c.rules);
	buf_release(&c.lines);
	options_release(&c.o);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

static int unsure_set(void *own, const char *value, struct err *err)
{
	static const char *const names[] = {
		[GATE_WARN] = "warn", [GATE_PASS] = "pass", [GATE_FAIL] = "fail",
	};

	for (int i = 0; i < 3; i++) {
		if (!strcmp(names[i], value)) {
			((struct check *)own)->policy = (enum gate_policy)i;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "--unsure=%s: expected pass, fail or warn", value);
}

#define MEMBER(name) .own = true, .offset = offsetof(struct check, name)

static const struct option_row rows[] = {
	{ .name = "rules", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(rules_file),
	  .help = "the rules" },
	{ .name = "junit", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(junit),
	  .help = "write the results as JUnit XML; -: to standard\n"
		  "output, and the lines to standard error" },
	{ .name = "unsure", .argument = "pass|fail|warn", .set_own = unsure_set,
	  .help = "what a result that is not sure counts as (warn:\n"
		  "it is shown, and skipped in the XML)" },
	{ .name = "baseline-elf", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(baseline_elf),
	  .help = "the baseline's image, for rules of image and stack" },
	OPTION_HELP(struct check, help),
	{ .name = NULL },
};

static const char *const shared[] = {
	"port", "elf", "baseline", "for", "export", "limit", "baud", "format", "hz", "report",
	"power", "volts", "correct", "trace-memory", "record", "watch", NULL,
};

static const char *const usage[] = {
	"-p SOURCE -e NEW.ELF --rules FILE [OPTION]...",
	"-p SOURCE -e NEW.ELF --rules FILE --baseline OLD.json ...",
	NULL,
};

const struct command command_check = {
	.name = "check", .summary = "hold a run against rules, for CI",
	.usage = usage, .operand = OPERAND_FILE,
	.about = "Reads a source to its end, or for the time of --for, and holds what was\n"
		 "measured against rules. SOURCE may be a snapshot (-x json), too. A line of the\n"
		 "rules is SUBJECT FIGURE OPERATOR BOUND:\n"
		 "\n"
		 "  crc16_*   self   <= +5 %     since the baseline\n"
		 "  *_isr     max    <= 40 us\n"
		 "  total     calls  <  1e6\n"
		 "  node      loss   == 0        damaged, lost, bad-bytes, hooks\n"
		 "  image     flash  <= +1 KB    ram\n"
		 "  stack     max    <= 480      free\n"
		 "\n"
		 "SUBJECT is a pattern (* ? [a-z]) over names of functions, or one of these\n"
		 "words ([t]otal is a function). FIGURE is a column (wsntop --help). A bound with\n"
		 "a sign is a change since the baseline; sums are compared as if both ran equally\n"
		 "long.\n"
		 "A rule has failed if its bound is passed by more than the noise (3 standard\n"
		 "deviations; a time since the baseline by 1 %, too). Within the noise, or if the\n"
		 "figure is not known, the result is \"not sure\". Failures come first, the worst\n"
		 "of them at the top, with the call path and the line where the change is.",
	.status = "Exit status: 0; 1 an input could not be used, or failed while it was read; 2\n"
		  "bad usage or rules; 3 a rule has failed, or a bound of --watch was passed.",
	.options = { .own = rows, .shared = shared },
	.run = check_run,
};
