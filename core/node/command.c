#include "core/node/command.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"

#define AGAIN_NS (CLOCK_SECOND * 3 / 2)	/* longer than a refresh: a STATUS had time to come */
#define GIVE_UP_NS (CLOCK_SECOND * 6)
#define WRITE_NS (CLOCK_SECOND / 50)	/* a line that took nothing is tried again so soon */

const struct command_row command_rows[] = {
	{ .type = WSN_START, .name = "start", .help = "profiling goes on" },
	{ .type = WSN_STOP, .name = "stop", .help = "profiling pauses; the firmware runs on" },
	{ .type = WSN_RESET, .name = "reset", .help = "the node forgets its counts" },
	{ .type = WSN_ALL, .name = "everything now", .help = "send every row at once" },
	{ .type = WSN_HZ, .name = "hz: sampling rate", .help = "PC samples a second; 0: none",
	  .ask = "Samples a second:", .high = 65535 },
	{ .type = WSN_PERIOD, .name = "period", .help = "milliseconds from one refresh to the next",
	  .ask = "Milliseconds a refresh:", .low = 10, .high = 65535 },
	{ .type = WSN_SELECT, .name = "what is sent", .help = "call sites, arcs, samples" },
	{ .type = WSN_REPORT, .name = "print its report", .help = "as text, to the console" },
	{ .name = NULL },
};

const struct select_row select_rows[] = {
	{ "everything", "call sites, arcs and PC samples", 7 },
	{ "call sites", "timed calls alone", 1 },
	{ "arcs", "counted calls alone", 2 },
	{ "samples", "PC samples alone", 4 },
	{ "arcs and samples", "as gprof has them", 6 },
	{ "nothing", "no rows: only that it lives", 0 },
	{ NULL },
};

const struct command_row *command_row(enum wsn_type type)
{
	for (const struct command_row *r = command_rows; r->name; r++) {
		if (r->type == type)
			return r;
	}
	return NULL;
}

static void end(struct commands *c)
{
	c->was_quiet = c->queue[0].quiet;
	c->count--;
	memmove(c->queue, c->queue + 1, c->count * sizeof(c->queue[0]));
	c->since_ns = c->told_ns = 0;
	c->done = false;
}

int command_give(struct commands *c, enum wsn_type type, uint16_t arg, bool quiet, struct err *err)
{
	const struct command_row *row = command_row(type);

	if (!row)
		return err_set(err, ERR_USAGE, "no such command");
	if (row->ask && (arg < row->low || arg > row->high))
		return err_set(err, ERR_USAGE, "%s: from %u to %u", row->name, row->low, row->high);
	/* What nobody waits for gives way to the user, half written as it may be: zeros end it. */
	if (!quiet && c->count && c->queue[0].quiet)
		end(c);
	if (c->count == COMMANDS_MAX)
		return err_set(err, ERR_USAGE, "the node has not answered what it was told before");
	c->queue[c->count++] = (struct command){ type, arg, quiet };
	return 0;
}

/*
 * Numbers go on from what the node did last, whoever told it so: one that it knows already it would
 * not do again.
 */
void commands_heard(struct commands *c, uint64_t last)
{
	if (!c->heard && !c->since_ns)
		c->seq = (uint8_t)last;
	c->heard = true;
	if (c->count && c->since_ns && last == c->under_way + 1u)
		c->done = true;
}

void commands_drop(struct commands *c)
{
	*c = (struct commands){ .seq = c->seq };
}

static void begin(struct commands *c, uint64_t now)
{
	c->under_way = c->seq++;
	c->length = wsn_command(c->frame, c->queue[0].type, c->under_way, c->queue[0].arg);
	c->written = 0;
	c->since_ns = c->told_ns = now;
	c->done = false;
}

static enum command_news fail(struct commands *c, const char *why, char *line, size_t size)
{
	snprintf(line, size, "the node was not told to %s: %s", command_row(c->queue[0].type)->name,
		 why);
	end(c);
	return COMMAND_FAILED;
}

static enum command_news confirm(struct commands *c, char *line, size_t size)
{
	line[0] = '\0';
	if (!c->queue[0].quiet)
		snprintf(line, size, "the node did it: %s", command_row(c->queue[0].type)->name);
	end(c);
	return COMMAND_DONE;
}

static enum command_news give_up(struct commands *c, char *line, size_t size)
{
	if (c->written < c->length)
		return fail(c, "its line takes nothing", line, size);
	snprintf(line, size, "the node did not answer within %d seconds: %s", (int)(GIVE_UP_NS / CLOCK_SECOND),
		 command_row(c->queue[0].type)->name);
	end(c);
	return COMMAND_FAILED;
}

enum command_news commands_service(struct commands *c, struct link *l, uint64_t now, char *line,
				   size_t size)
{
	int sent;

	if (!c->count)
		return COMMAND_NOTHING;
	if (!c->since_ns)
		begin(c, now);
	if (c->done)
		return confirm(c, line, size);
	if (now - c->since_ns >= GIVE_UP_NS)
		return give_up(c, line, size);
	if (c->written == c->length && now - c->told_ns >= AGAIN_NS) {
		c->written = 0;
		c->told_ns = now;
	}
	if (c->written == c->length)
		return COMMAND_NOTHING;
	/* Not behind bytes that wait: it would be sent long after it was given up. */
	sent = link_unsent(l) ? LINK_FULL : link_send(l, c->frame, c->length);
	if (sent == LINK_DEAF)
		return fail(c, "its line cannot be written to", line, size);
	if (sent == 0)
		c->written = c->length;
	return COMMAND_NOTHING;
}

int commands_timeout(const struct commands *c, uint64_t now)
{
	uint64_t again = c->told_ns + AGAIN_NS, end_ns = c->since_ns + GIVE_UP_NS;

	if (!c->count)
		return -1;
	if (!c->since_ns || c->done)
		return 0;
	if (c->written < c->length)
		return clock_ms_until(now + WRITE_NS, now);
	return clock_ms_until(again < end_ns ? again : end_ns, now);
}
