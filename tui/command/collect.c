/* collect: `wsntop collect`: the nodes of a site on a broker, added up by build and function. */
#include "tui/command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/collect/collect.h"
#include "core/find/inputs.h"
#include "tui/command/check_file.h"
#include "tui/command/quantity.h"
#include "tui/term/signals.h"

struct collect_command {
	bool help;
	struct options o;
	const char *from, *group, *summary, *listen, *push, *rules_file;
	double period, push_period, memory;
	unsigned shards;
	struct rules rules;
	struct check_file base;
	struct output_file files[OPTIONS_EXPORTS];
};

static int group_take(void *own, const char *value, struct err *err)
{
	((struct collect_command *)own)->group = value;
	return collect_is_group(value) ? 0 :
	       err_set(err, ERR_USAGE, "--group=%s: expected 1 to %d letters, digits, - or _",
		       value, COLLECT_GROUP);
}

static int period_take(void *own, const char *value, struct err *err)
{
	return quantity_period("period", value, &((struct collect_command *)own)->period, err);
}

static int push_period_take(void *own, const char *value, struct err *err)
{
	return quantity_period("push-period", value, &((struct collect_command *)own)->push_period,
			       err);
}

static int memory_take(void *own, const char *value, struct err *err)
{
	return quantity_size("memory", value, &((struct collect_command *)own)->memory, err);
}

static int shards_set(void *own, const char *value, struct err *err)
{
	return quantity_shards(value, &((struct collect_command *)own)->shards, err);
}

static void collect_print(void *ctx, const char *line)
{
	char shown[COMMAND_SHOWN];

	(void)ctx;
	fprintf(stderr, "wsntop: collect: %s\n", command_visible(shown, line));
}

/* Every one to a file: sums are written again and again. */
static int files_ready(struct collect_command *c, struct err *err)
{
	for (size_t i = 0; i < c->o.export_count; i++) {
		const struct batch_export *x = &c->o.exports[i];

		c->files[i] = (struct output_file){
			.format = x->exporter, .path = x->path ? x->path : x->exporter->file,
		};
		if (!strcmp(c->files[i].path, "-"))
			return err_set(err, ERR_USAGE, "-x %s: give a file: it is written again "
				       "each period", x->exporter->name);
	}
	return 0;
}

/* Of these subjects a sum of nodes has no figure: their rules pass whatever comes. */
static void rules_warn(const struct collect_command *c)
{
	char line[COMMAND_SHOWN];

	for (size_t i = 0; c->rules_file && i < c->rules.count; i++) {
		const struct rule *r = &c->rules.items[i];

		if (r->subject == RULE_FUNCTION || r->subject == RULE_TOTAL)
			continue;
		snprintf(line, sizeof(line), "%s:%u: %s: not judged: a sum of nodes does not have "
			 "it", c->rules_file, r->line, r->text);
		collect_print(NULL, line);
	}
}

static int collect_ready(struct collect_command *c, int argc, char **argv, int first,
			 struct err *err)
{
	if (argc - first != 1)
		return err_set(err, ERR_USAGE, "expected one broker and site, mqtt://BROKER/SITE");
	c->from = argv[first];
	if (files_ready(c, err) < 0)
		return ERR_USAGE;
	if (c->summary && !strcmp(c->summary, "-"))
		return err_set(err, ERR_USAGE, "--summary: give a file: it is written again each "
			       "period");
	if (c->summary && (options_use_file(&c->o, c->summary) ||
			   inputs_same(c->rules_file, c->summary)))
		return err_set(err, ERR_USAGE, "--summary=%s: it is an input of this run; give "
			       "another file", c->summary);
	if (c->rules_file && rules_read(&c->rules, c->rules_file, collect_print, NULL, err) < 0)
		return ERR_USAGE;
	if (c->rules_file && rules_relative(&c->rules) && !c->o.baseline)
		return err_set(err, ERR_USAGE, "%s: its rules compare with a baseline; give "
			       "--baseline FILE", c->rules_file);
	rules_warn(c);
	return !c->o.baseline ? 0 :
	       check_file_open(&c->base, c->o.baseline, &c->o, NULL, err);
}

static void tally_tell(const struct collect_tally *t)
{
	char line[400], full[60] = "";

	if (t->no_room)
		snprintf(full, sizeof(full), ", memory was full %llu times",
			 (unsigned long long)t->no_room);
	snprintf(line, sizeof(line), "%llu node%s in the sum, %llu of unknown firmware, %llu left "
		 "out; here %llu keyframes, %llu payloads refused, %llu epochs ended, the last "
		 "counts of %llu are lost%s", (unsigned long long)t->nodes,
		 t->nodes == 1 ? "" : "s",
		 (unsigned long long)t->unknown, (unsigned long long)t->doubtful, t->keys,
		 t->refused, t->ended, t->ends_lost, full);
	collect_print(NULL, line);
}

static int nodes_collect(struct collect_command *c, struct err *err)
{
	const struct collect_options o = {
		.from = c->from, .group = c->group,
		.elfs = (const char *const *)c->o.elfs.items, .elf_count = c->o.elfs.count,
		.shards = c->shards, .period = c->period, .memory = c->memory,
		.more_memory = "--memory=2G, for example",
		.seconds = c->o.seconds, .stop = &signals_stop,
		.say = { .line = collect_print },
		.outputs = {
			.files = c->files, .file_count = c->o.export_count,
			.values = &c->o.values, .group = c->group, .summary = c->summary,
			.listen = c->listen, .push = c->push,
			.push_period = c->push_period, .rules = c->rules_file ? &c->rules : NULL,
			.baseline = c->base.profile ? &c->base.input : NULL,
			.say = { .line = collect_print },
		},
	};
	struct collect_tally t = { 0 };

	signals_batch();
	if (collect_run(&o, &t, err) < 0)
		return COMMAND_INPUT;
	tally_tell(&t);
	return t.failed ? COMMAND_FAILED : t.nodes && !t.broken ? 0 : COMMAND_INPUT;
}

static int collect_command_run(const struct command *command, int argc, char **argv)
{
	static struct collect_command c = {
		.group = "default", .period = COLLECT_PERIOD_S, .push_period = 60,
		.memory = COLLECT_MEMORY,
	};
	struct err err = { 0 };
	int first, status = command_parse(command, &c.o, &c, &c.help, argc, argv, &first);

	if (status >= 0)
		return status;
	if (collect_ready(&c, argc, argv, first, &err) == 0)
		status = nodes_collect(&c, &err);
	if (status < 0 && c.rules.wrong && !err_is_set(&err))
		status = COMMAND_USAGE;		/* each line was said */
	else if (err_is_set(&err))
		status = command_fail(command, &err);
	check_file_close(&c.base);
	rules_release(&c.rules);
	options_release(&c.o);
	return status;
}

#define MEMBER(name) .own = true, .offset = offsetof(struct collect_command, name)

static const struct option_row rows[] = {
	{ .name = "group", .argument = "NAME", .set_own = group_take, .own = true,
	  .help = "collectors of one name share the nodes (default)" },
	{ .name = "period", .argument = "SECONDS", .set_own = period_take, .own = true,
	  .help = "time between two sums, and between outputs (10)" },
	{ .name = "listen", .argument = "[HOST:]PORT", .kind = OPTION_TEXT, MEMBER(listen),
	  .help = "answer Prometheus there, at /metrics; without HOST\n"
		  "this machine alone may ask" },
	{ .name = "summary", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(summary),
	  .help = "all builds and functions as one JSON file, written\n"
		  "again each period: sums, spread over the nodes, and\n"
		  "the nodes that are unlike the others" },
	{ .name = "push", .argument = "URL", .kind = OPTION_TEXT, MEMBER(push),
	  .help = "push a profile of each build and site to Pyroscope,\n"
		  "http://HOST:4040 or https://HOST, with ?ca=FILE and\n"
		  "?user=NAME, whose password is WSNTOP_PUSH_PASSWORD;\n"
		  "a token without a name is WSNTOP_PUSH_TOKEN" },
	{ .name = "push-period", .argument = "SECONDS", .set_own = push_period_take, .own = true,
	  .help = "the time that such a profile is of (60)" },
	{ .name = "rules", .argument = "FILE", .kind = OPTION_TEXT, MEMBER(rules_file),
	  .help = "rules as of wsntop check: say which fail, and end\n"
		  "with status 3 if some do then" },
	{ .name = "memory", .argument = "SIZE", .set_own = memory_take, .own = true,
	  .help = "what all nodes here and sums may take (1G): what is\n"
		  "beyond is refused and counted" },
	{ .name = "shards", .argument = "N", .set_own = shards_set, .own = true,
	  .help = "how many parts collectors share (as the broker has\n"
		  "it in wsn/config, else 64)" },
	OPTION_HELP(struct collect_command, help),
	{ .name = NULL },
};

static const char *const shared[] = { "elf", "export", "limit", "baseline", "for", NULL };

static const char *const usage[] = { "mqtt://BROKER/SITE -e APP.ELF [-e FILE]... [OPTION]...",
				     NULL };

const struct command command_collect = {
	.name = "collect", .summary = "add up all nodes on an MQTT broker",
	.usage = usage, .operand = OPERAND_NONE,
	.about = "Adds up what all nodes of a site have counted, as `wsntop relay` publishes it:\n"
		 "calls and times by firmware build and function, exact. Any number of collectors\n"
		 "of one --group may run, anywhere: they share the nodes, and when one goes the\n"
		 "others take its part over. SITE + is all sites.\n\n"
		 "    wsntop collect mqtt://BROKER/plant1 -e v1.elf -e v2.elf --listen=9464\n\n"
		 "Each puts out the sum of the whole group: for Prometheus (--listen), in files\n"
		 "(-x FORMAT:FILE, written again each period, the build's name in the file's;\n"
		 "--summary, one for all), and retained on the broker (wsn/sum/GROUP/SHARD,\n"
		 "JSON). One of them pushes (--push).",
	.status = "Exit status: 0, also when a signal stopped it; 1 no node was there, or a file\n"
		  "could not be written; 2 bad usage, or the broker's nodes are shared\n"
		  "otherwise; 3 a rule fails at the end.",
	.options = { .own = rows, .shared = shared },
	.run = collect_command_run,
};
