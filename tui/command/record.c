/* record: `wsntop record`: a node's bytes for hours, in parts. */
#include "tui/command/command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/run/recorder.h"
#include "tui/command/quantity.h"
#include "tui/term/signals.h"

#define PROGRESS_S 60			/* where a terminal reads the lines */

struct record_run {
	bool help;
	struct options o;
	struct option_list folders;
	struct record_rule rule;
	double every, each, keep, progress;
	struct nodes nodes;
	uint64_t elapsed_ns;
};

/* --- options ---------------------------------------------------------------------------------- */

static int every_take(void *own, const char *value, struct err *err)
{
	return quantity_time("every", value, &((struct record_run *)own)->every, err);
}

static int each_take(void *own, const char *value, struct err *err)
{
	return quantity_size("each", value, &((struct record_run *)own)->each, err);
}

static int keep_take(void *own, const char *value, struct err *err)
{
	return quantity_size("keep", value, &((struct record_run *)own)->keep, err);
}

static int for_take(void *own, const char *value, struct err *err)
{
	return quantity_time("for", value, &((struct record_run *)own)->o.seconds, err);
}

static int progress_take(void *own, const char *value, struct err *err)
{
	return quantity_time("progress", value, &((struct record_run *)own)->progress, err);
}

static int run_check(struct record_run *r, int argc, char **argv, int first, struct err *err)
{
	for (; first < argc; first++)
		if (options_operand(&r->o, argv[first], err) < 0)
			return ERR_USAGE;
	r->o.seek = false;
	if (!r->o.ports.count)
		return err_set(err, ERR_USAGE, "no source; give -p SOURCE");
	if (!r->folders.count)
		return err_set(err, ERR_USAGE, "no folder; give -o FOLDER");
	if (r->folders.count != r->o.ports.count)
		return err_set(err, ERR_USAGE, "%zu sources and %zu folders; give -o FOLDER for "
			       "each -p", r->o.ports.count, r->folders.count);
	if (r->keep > 0 && r->each > r->keep)
		return err_set(err, ERR_USAGE, "--each is more than --keep: a part alone would be "
			       "too large");
	if (options_check(&r->o, err) < 0)
		return ERR_USAGE;
	r->o.batch = true;
	return 0;
}

/* --- what is said ----------------------------------------------------------------------------- */

static void line_print(void *ctx, const char *line)
{
	char shown[COMMAND_SHOWN];

	(void)ctx;
	fprintf(stderr, "wsntop: record: %s\n", command_visible(shown, line));
}

/* "3 parts, 12.4 MB, 1 h 2 min, 0 bytes not kept, 0 frames lost" */
static void node_tell(const struct record_run *r, const struct node *n, size_t i)
{
	struct record_tally t = { 0 };
	double s = (double)r->elapsed_ns / 1e9;
	char line[COMMAND_SHOWN];

	node_tally(n, &t);
	snprintf(line, sizeof(line), "%s -> %s: %u part%s%s, %.1f MB, %d h %d min %.0f s, "
		 "%" PRIu64 " bytes not kept, %" PRIu64 " lost on the line, %u reconnect%s",
		 node_title(n), r->folders.items[i], t.parts, t.parts == 1 ? "" : "s",
		 t.removed ? " (older ones removed)" : "", (double)t.bytes / 1e6,
		 (int)(s / 3600), (int)(s / 60) % 60, floor(fmod(s, 60)), t.unkept,
		 node_stats(n)->lost + node_stats(n)->damaged, link_reconnects(node_link(n)),
		 link_reconnects(node_link(n)) == 1 ? "" : "s");
	line_print(NULL, line);
}

static void run_tell(void *ctx, uint64_t elapsed_ns)
{
	struct record_run *r = ctx;

	r->elapsed_ns = elapsed_ns;
	for (size_t i = 0; i < r->nodes.count; i++)
		node_tell(r, r->nodes.items[i], i);
}

/* --- the run ---------------------------------------------------------------------------------- */

static int nodes_begin(struct record_run *r, struct err *err)
{
	int ret = 0;

	r->rule = (struct record_rule){
		.every_ns = (uint64_t)(r->every * 1e9), .each = (uint64_t)r->each,
		.keep = (uint64_t)r->keep, .say = line_print,
	};
	for (size_t i = 0; ret == 0 && i < r->o.ports.count; i++) {
		struct node_options node;

		options_node(&r->o, i, &node);
		node.record = r->folders.items[i];
		node.rule = &r->rule;
		node.link.speed = 0;		/* a recording is copied as fast as it can be */
		node.trace_bytes = 1 << 20;	/* nobody looks at it */
		ret = nodes_open(&r->nodes, &node, err);
	}
	return ret;
}

/* Nothing came, or not all of it was kept. */
static bool run_is_short(const struct record_run *r)
{
	struct record_tally t = { 0 };

	for (size_t i = 0; i < r->nodes.count; i++)
		if (!node_tally(r->nodes.items[i], &t) || t.unkept ||
		    !node_stats(r->nodes.items[i])->bytes)
			return true;
	return false;
}

static int sources_record(struct record_run *r, struct err *err)
{
	const struct recorder_options o = {
		.seconds = r->o.seconds, .stop = &signals_stop, .tell = run_tell,
		.say = line_print, .ctx = r,
		.progress = r->progress > 0 ? r->progress :
			    isatty(STDERR_FILENO) ? PROGRESS_S : 0,
	};
	uint64_t begun = clock_now();
	int status = COMMAND_INPUT;

	signals_batch();
	nodes_init(&r->nodes);
	if (nodes_begin(r, err) == 0) {
		recorder_run(&r->nodes, &o, err);
		run_tell(r, clock_now() - begun);
		if (!err_is_set(err) && !run_is_short(r))
			status = 0;
	}
	nodes_release(&r->nodes);
	return status;
}

static int record_run(const struct command *c, int argc, char **argv)
{
	static struct record_run r = { .every = 3600, .each = 64 << 20 };
	struct err err = { 0 };
	int first, status = command_parse(c, &r.o, &r, &r.help, argc, argv, &first);

	if (status < 0 && run_check(&r, argc, argv, first, &err) < 0)
		status = command_fail(c, &err);
	if (status < 0) {
		status = sources_record(&r, &err);
		if (err_is_set(&err))
			status = command_fail(c, &err);
	}
	options_release(&r.o);
	mem_free(r.folders.items);
	return status;
}

/* --- its row ---------------------------------------------------------------------------------- */

static const struct option_row rows[] = {
	{ .name = "output", .letter = 'o', .argument = "FOLDER", .kind = OPTION_LIST, .own = true,
	  .offset = offsetof(struct record_run, folders),
	  .help = "where the parts are kept; made if it is not there;\n"
		  "repeatable: folders pair with -p in order" },
	{ .name = "every", .argument = "TIME", .set_own = every_take, .own = true,
	  .help = "a part's time at most: 10min, 1h, 1d (1h)" },
	{ .name = "each", .argument = "SIZE", .set_own = each_take, .own = true,
	  .help = "a part's size at most: 500K, 64M, 1G (64M)" },
	{ .name = "keep", .argument = "SIZE", .set_own = keep_take, .own = true,
	  .help = "size of all parts in the folder at most: the oldest\n"
		  "is removed for a new one (no bound: none is)" },
	{ .name = "for", .argument = "TIME", .set_own = for_take, .own = true,
	  .help = "stop after this time: 90, 10min, 8h" },
	{ .name = "progress", .argument = "TIME", .set_own = progress_take, .own = true,
	  .help = "a line on how it goes, each so often (1min where\n"
		  "standard error is a terminal, else none)" },
	OPTION_HELP(struct record_run, help),
	{ .name = NULL },
};

static const char *const shared[] = { "port", "elf", "baud", "format", "watch", NULL };

static const char *const usage[] = { "-p SOURCE -o FOLDER [-p ... -o ...] [OPTION]...", NULL };

const struct command command_record = {
	.name = "record", .summary = "record a node for hours, in parts",
	.usage = usage, .operand = OPERAND_NONE,
	.about = "Keeps every byte of a source with its time, without a screen, in parts in a\n"
		 "folder: recordings, each of which can be replayed alone. Their names are the\n"
		 "wall clock's time (UTC) at their beginning. `wsntop -p FOLDER` plays all of\n"
		 "them as one recording.\n\n"
		 "A port that is unplugged is waited for. Started again, also after a kill or a\n"
		 "power failure, it goes on in a new part: no recording is ever overwritten. On\n"
		 "a full disk the oldest parts are removed if --keep is given; without it, what\n"
		 "comes is counted as not kept until there is room again.",
	.status = "Exit status: 0, also when a signal stopped it; 1 a source could not be used,\n"
		  "no data came, or some were not kept; 2 bad usage.",
	.options = { .own = rows, .shared = shared },
	.run = record_run,
};
