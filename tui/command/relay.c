/* relay: `wsntop relay`: nodes at this machine's ports, on a broker. */
#include "tui/command/command.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/relay/relay.h"
#include "core/relay/spool.h"
#include "tui/command/quantity.h"
#include "tui/term/signals.h"

struct relay_command {
	bool help, commands;
	struct options o;
	const char *to, *spool;
	double period, keep, age;
	unsigned shards;
};

static int to_take(void *own, const char *value, struct err *err)
{
	(void)err;
	((struct relay_command *)own)->to = value;
	return 0;
}

static int period_take(void *own, const char *value, struct err *err)
{
	return quantity_period("period", value, &((struct relay_command *)own)->period, err);
}

static int shards_take(void *own, const char *value, struct err *err)
{
	return quantity_shards(value, &((struct relay_command *)own)->shards, err);
}

static int spool_take(void *own, const char *value, struct err *err)
{
	((struct relay_command *)own)->spool = value;
	return *value ? 0 : err_set(err, ERR_USAGE, "--spool=: expected a folder");
}

static int keep_take(void *own, const char *value, struct err *err)
{
	return quantity_size("keep", value, &((struct relay_command *)own)->keep, err);
}

static int age_take(void *own, const char *value, struct err *err)
{
	return quantity_time("age", value, &((struct relay_command *)own)->age, err);
}

static void line_print(void *ctx, const char *line)
{
	char shown[COMMAND_SHOWN];

	(void)ctx;
	fprintf(stderr, "wsntop: relay: %s\n", command_visible(shown, line));
}

static int relay_check(struct relay_command *r, int argc, char **argv, int first, struct err *err)
{
	for (; first < argc; first++)
		if (options_operand(&r->o, argv[first], err) < 0)
			return ERR_USAGE;
	if (!r->o.ports.count)
		return err_set(err, ERR_USAGE, "no source; give -p SOURCE");
	if (!r->to)
		return err_set(err, ERR_USAGE, "no broker; give --to=mqtt://BROKER/SITE");
	if (r->spool && r->keep < (double)SPOOL_LEAST * (double)r->o.ports.count)
		return err_set(err, ERR_USAGE, "--keep is too little; give %zuK or more, 256K a "
			       "port", r->o.ports.count * SPOOL_LEAST / 1024);
	return 0;
}

/* What was kept of nodes while the broker was away, refused, and lost. */
static void more_tell(const struct relay_tally *t)
{
	char line[512];

	if (t->kept || t->drained || t->unheard)
		snprintf(line, sizeof(line), "spool: %llu bytes kept, %llu sent, %llu nobody asked "
			 "for, %llu let go, %llu not kept", t->kept, t->drained, t->unheard,
			 t->thinned, t->unkept);
	else
		*line = '\0';
	if (*line)
		line_print(NULL, line);
	snprintf(line, sizeof(line), "refused: %llu bytes, %llu changes of epoch or id; %zu node%s "
		 "whose clock runs ahead", t->refused, t->changes_refused, t->fast,
		 t->fast == 1 ? "" : "s");
	if (t->refused || t->changes_refused || t->fast)
		line_print(NULL, line);
	snprintf(line, sizeof(line), "%llu command%s sent to nodes, %llu refused", t->commands,
		 t->commands == 1 ? "" : "s", t->commands_refused);
	if (t->commands || t->commands_refused)
		line_print(NULL, line);
	snprintf(line, sizeof(line), "%llu epoch%s ended, the last counts of %llu are lost",
		 t->ends, t->ends == 1 ? "" : "s", t->ends_lost);
	if (t->ends)
		line_print(NULL, line);
}

static int nodes_relay(struct relay_command *r, struct err *err)
{
	const struct relay_options o = {
		.to = r->to, .sources = (const char *const *)r->o.ports.items,
		.count = r->o.ports.count, .baud = r->o.baud, .period = r->period,
		.shards = r->shards, .commands = r->commands,
		.spool = r->spool, .keep = (uint64_t)r->keep, .age = r->age,
		.seconds = r->o.seconds, .stop = &signals_stop,
		.say = { .line = line_print },
	};
	struct relay_tally t = { 0 };
	char line[256];

	signals_batch();
	if (relay_run(&o, &t, err) < 0)
		return COMMAND_INPUT;
	snprintf(line, sizeof(line), "%zu node%s, %llu keyframes, %llu batches, %llu not sent",
		 t.nodes, t.nodes == 1 ? "" : "s", t.keys, t.batches, t.unsent);
	line_print(NULL, line);
	more_tell(&t);
	return t.nodes && t.keys ? 0 : COMMAND_INPUT;
}

static int relay_command_run(const struct command *c, int argc, char **argv)
{
	static struct relay_command r = {
		.period = RELAY_PERIOD_S, .keep = RELAY_KEEP, .age = RELAY_AGE_S,
	};
	struct err err = { 0 };
	int first, status = command_parse(c, &r.o, &r, &r.help, argc, argv, &first);

	if (status < 0 && relay_check(&r, argc, argv, first, &err) < 0)
		status = command_fail(c, &err);
	if (status < 0) {
		status = nodes_relay(&r, &err);
		if (err_is_set(&err))
			status = command_fail(c, &err);
	}
	options_release(&r.o);
	return status;
}

static const struct option_row rows[] = {
	{ .name = "to", .argument = "URL", .set_own = to_take, .own = true,
	  .help = "the broker and a name for this place:\n"
		  "mqtt://HOST[:PORT]/SITE; mqtts:// is TLS, with\n"
		  "?ca=FILE&cert=FILE&key=FILE; ?user=NAME takes its\n"
		  "password from WSNTOP_MQTT_PASSWORD" },
	{ .name = "period", .argument = "SECONDS", .set_own = period_take, .own = true,
	  .help = "time between two keyframes (60)" },
	{ .name = "shards", .argument = "N", .set_own = shards_take, .own = true,
	  .help = "how many parts collectors share (as the broker has\n"
		  "it in wsn/config, else 64)" },
	{ .name = "spool", .argument = "FOLDER", .set_own = spool_take, .own = true,
	  .help = "where nodes are kept while the broker is away, each\n"
		  "a recording in parts; made if it is not there" },
	{ .name = "keep", .argument = "SIZE", .set_own = keep_take, .own = true,
	  .help = "its size at most (64M): then oldest tables are let\n"
		  "go, whose counts newer ones have" },
	{ .name = "age", .argument = "TIME", .set_own = age_take, .own = true,
	  .help = "their age at most (1d)" },
	{ .name = "allow-commands", .kind = OPTION_FLAG, .own = true,
	  .offset = offsetof(struct relay_command, commands),
	  .help = "pass commands from the broker (reset, stop, ...) on\n"
		  "to the nodes; all who may write there can send them" },
	OPTION_HELP(struct relay_command, help),
	{ .name = NULL },
};

static const char *const shared[] = { "port", "baud", "for", NULL };

static const char *const usage[] = { "-p SOURCE [-p SOURCE]... --to=URL [OPTION]...", NULL };

const struct command command_relay = {
	.name = "relay", .summary = "publish nodes on an MQTT broker",
	.usage = usage, .operand = OPERAND_NONE,
	.about = "Publishes what nodes at this machine's ports say (wsn protocol) on a broker:\n"
		 "a keyframe of each, with all that it has counted, once a period; and its bytes\n"
		 "as they come while somebody looks at it:\n\n"
		 "    wsntop -p mqtt://BROKER/SITE/+ -e app.elf\n\n"
		 "A port that is unplugged and a broker that goes away are waited for. With\n"
		 "--spool what comes meanwhile is kept, also over a kill of the relay, and sent\n"
		 "then.",
	.status = "Exit status: 0, also when a signal stopped it; 1 no node was published; 2 bad\n"
		  "usage, or the broker's nodes are shared otherwise.",
	.options = { .own = rows, .shared = shared },
	.run = relay_command_run,
};
