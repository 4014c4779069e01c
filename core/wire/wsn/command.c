#include "core/wire/wsn/command.h"

#include <string.h>

#include "core/base/clock.h"

#define AGAIN_NS (CLOCK_SECOND * 3 / 2)	/* longer than a refresh: a STATUS had time to come */
#define GIVE_UP_NS (CLOCK_SECOND * 6)

const struct wsn_command_row wsn_command_rows[] = {
	{ .type = WSN_START, .name = "start", .help = "continue profiling" },
	{ .type = WSN_STOP, .name = "stop", .help = "pause profiling; the firmware continues" },
	{ .type = WSN_RESET, .name = "reset", .help = "reset the node's counters" },
	{ .type = WSN_ALL, .name = "send all data now", .help = "send every row at once" },
	{ .type = WSN_HZ, .name = "hz: sampling rate", .help = "PC samples a second; 0: none",
	  .ask = "Samples a second:", .high = 65535 },
	{ .type = WSN_PERIOD, .name = "period", .help = "refresh period in milliseconds",
	  .ask = "Refresh period in milliseconds:", .low = 10, .high = 65535 },
	{ .type = WSN_SELECT, .name = "data selection", .help = "call sites, arcs, samples",
	  .high = 7 },
	{ .type = WSN_REPORT, .name = "print a report",
	  .help = "as text, to the console" },
	{ .name = NULL },
};

const struct wsn_select_row wsn_select_rows[] = {
	{ "everything", "call sites, arcs and PC samples", 7 },
	{ "call sites", "timed calls alone", 1 },
	{ "arcs", "counted calls alone", 2 },
	{ "samples", "PC samples alone", 4 },
	{ "arcs and samples", "as gprof has them", 6 },
	{ "nothing", "no rows, only HELLO", 0 },
	{ NULL },
};

const struct wsn_command_row *wsn_command_row(unsigned type)
{
	for (const struct wsn_command_row *r = wsn_command_rows; r->name; r++) {
		if (r->type == type)
			return r;
	}
	return NULL;
}

static void first_remove(struct wsn_commands *c)
{
	c->count--;
	memmove(c->queue, c->queue + 1, c->count * sizeof(c->queue[0]));
	c->since_ns = c->sent_ns = 0;
	c->blocked = false;
}

/* It leaves the queue first: the sink may give another. */
static void first_end(struct wsn_commands *c, enum wire_told_code code,
		      const struct wire_sink *sink)
{
	struct wire_told told = { .code = code, .command = c->queue[0],
				  .seconds = GIVE_UP_NS / CLOCK_SECOND };

	first_remove(c);
	if (sink->told)
		sink->told(sink->ctx, &told);
}

int wsn_commands_give(struct wsn_commands *c, const struct wire_command *command, struct err *err)
{
	const struct wsn_command_row *row = wsn_command_row(command->type);

	if (!row)
		return err_set(err, ERR_USAGE, "no such command");
	if (command->arg < row->low || command->arg > row->high)
		return err_set(err, ERR_USAGE, "%s: from %u to %u", row->name, row->low, row->high);
	/* A command that nobody waits for gives way to the user, and comes behind no other. */
	if (command->quiet && c->count)
		return err_set(err, ERR_USAGE, "a command waits for the node's answer already");
	if (!command->quiet && c->count && c->queue[0].quiet)
		first_remove(c);
	if (c->count == WSN_COMMANDS)
		return err_set(err, ERR_USAGE, "%d commands wait for the node's answer already",
			       WSN_COMMANDS);
	c->queue[c->count++] = *command;
	return 0;
}

/*
 * Numbers go on from the one that the node did last, whoever told it so: one that it knows already
 * it would not do again.
 */
void wsn_commands_heard(struct wsn_commands *c, uint64_t last, const struct wire_sink *sink)
{
	if (!c->heard && !c->since_ns)
		c->seq = (uint8_t)last;
	c->heard = true;
	if (c->sent_ns && last == c->under_way + 1u)
		first_end(c, WIRE_TOLD_DONE, sink);
}

void wsn_commands_ask(struct wsn_commands *c, uint64_t now, struct wire_out *out,
		      const struct wire_sink *sink)
{
	uint8_t frame[WSN_COMMAND_MAX];

	if (c->count && c->since_ns && now - c->since_ns >= GIVE_UP_NS)
		first_end(c, c->blocked ? WIRE_TOLD_BLOCKED : WIRE_TOLD_SILENCE, sink);
	if (!c->count)
		return;
	if (!c->since_ns) {
		c->since_ns = now;
		c->under_way = c->seq++;
	}
	if (c->sent_ns && !c->blocked && now - c->sent_ns < AGAIN_NS)
		return;
	c->blocked = !wire_out_add(out, frame, wsn_command(frame, c->queue[0].type, c->under_way,
							   (uint16_t)c->queue[0].arg));
	if (!c->blocked)
		c->sent_ns = now;
}

/* A blocked command is sent when there is room: only its end is a matter of time. */
int wsn_commands_timeout(const struct wsn_commands *c, uint64_t now)
{
	uint64_t due = c->since_ns + GIVE_UP_NS;

	if (!c->count)
		return -1;
	if (!c->since_ns)
		return 0;
	if (!c->blocked && c->sent_ns + AGAIN_NS < due)
		due = c->sent_ns + AGAIN_NS;
	return clock_ms_until(due, now);
}

void wsn_commands_down(struct wsn_commands *c, const struct wire_sink *sink)
{
	for (size_t n = c->count; n; n--)
		first_end(c, WIRE_TOLD_DOWN, sink);
	*c = (struct wsn_commands){ .seq = c->seq };
}
