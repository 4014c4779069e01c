/*
 * swo: a chip that is set up to send SWO, by a second input to a debug server; and which link of
 * the chain is broken when nothing comes.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/link/source.h"
#include "core/wire/itm/registers.h"

#define SILENT_NS (3 * CLOCK_SECOND)	/* from the last register to the first byte */

enum { NONSENSE_LEAST = 1024, LOST_LEAST = 100, LOST_EACH = 20 };

/* Who can set it up: the second input's scheme, and what it speaks then. */
static const struct swo_server {
	const char *scheme, *format, *name;
} servers[] = {
	{ "openocd:", WIRE_SETUP, "OpenOCD" },
	{ "gdb:", WIRE_SETUP_GDB, "the gdb server" },
};

static const struct swo_server *server_find(const char *source)
{
	for (size_t i = 0; i < sizeof(servers) / sizeof(*servers); i++) {
		if (strncmp(source, servers[i].scheme, strlen(servers[i].scheme)) == 0)
			return &servers[i];
	}
	return NULL;
}

int swo_open(struct node *n, struct err *err)
{
	const struct swo_server *s;
	char server[160];

	if (!source_option(n->options.source, "setup", server, sizeof(server)) ||
	    !link_is_live(n->inputs[0].link))
		return 0;
	s = server_find(server);
	if (!s)
		return err_set(err, ERR_USAGE, "setup=%s: expected setup=openocd:[HOST:PORT], "
			       "OpenOCD's Tcl port, or setup=gdb:[HOST:PORT]", server);
	n->seen.swo.input = n->input_count;
	return input_open(&n->inputs[n->input_count++], n, &(struct input_options){
		.source = server, .format = s->format, .terms = n->options.source,
		.link = n->options.link }, err);
}

static void on_setup(void *ctx, const struct wire_setup *setup)
{
	struct node *n = input_batch(ctx);
	struct node_swo *s = &n->seen.swo;
	bool over = setup->over && !s->setup.over;
	struct buf line = BUF_INIT;

	s->setup = *setup;
	snprintf(s->wrong, sizeof(s->wrong), "%s", setup->wrong);
	s->setup.wrong = s->wrong;
	n->changes |= NODE_STATE;
	n->recorded.due = true;
	if (!over)
		return;
	s->over_ns = clock_now();
	s->bytes = n->inputs[0].stats.bytes;
	buf_addf(&line, "SWO is set up: core %.2f MHz, %.0f baud, ", setup->clock_hz / 1e6,
		 setup->baud);
	if (setup->pc_hz > 0)
		buf_addf(&line, "%.0f PCs a second", setup->pc_hz);
	else
		buf_adds(&line, "too slow a line for PCs");
	if (setup->refused)
		buf_addf(&line, "; registers refused: %u", setup->refused);
	node_say(n, setup->refused > 0, ADVICE_NONE, buf_str(&line));
	buf_release(&line);
}

/* Bytes come, and are no packets. */
static bool is_nonsense(const struct wire_stats *s)
{
	return s->bytes >= NONSENSE_LEAST && s->bytes / 2 > 8 * s->events;
}

static bool chain_warning(const struct node *n, char *dst, size_t size)
{
	const struct node_swo *s = &n->seen.swo;
	const struct link *server = n->inputs[s->input].link;
	char chips[80];

	if (link_state(server) != LINK_UP && link_why(server)[0])
		snprintf(dst, size, "SWO's set-up waits for %s: %s",
			 server_find(link_name(server))->name, link_why(server));
	else if (*s->wrong)
		snprintf(dst, size, "SWO: %s", s->wrong);
	else if (s->setup.over && n->inputs[0].stats.bytes == s->bytes &&
		 clock_now() - s->over_ns > SILENT_NS)
		snprintf(dst, size, "SWO: all registers are set and no byte comes: the pin is not "
			 "assigned (chip=%s), not wired, or the adapter does not read it",
			 swo_chip_names(chips, sizeof(chips)));
	else
		return false;
	return true;
}

bool swo_warning(const struct node *n, char *dst, size_t size)
{
	const struct wire_stats *s = &n->inputs[0].stats;

	if (n->seen.swo.input && chain_warning(n, dst, size))
		return true;
	if (strcmp(node_format(n), "itm") != 0)
		return false;
	if (is_nonsense(s))
		snprintf(dst, size, "SWO: bytes come that are no packets: the baud rate of the pin "
			 "is not that of the adapter (baud=, and clock= of the trace port)");
	else if (s->lost >= LOST_LEAST && s->lost > s->events / LOST_EACH)
		snprintf(dst, size, "SWO: the pin is too slow: %.0f %% of the packets came behind "
			 "an overflow; a higher baud rate, or fewer PCs a second",
			 100 * (double)s->lost / (double)s->events);
	else
		return false;
	return true;
}

bool node_port(const struct node *n, struct node_port *port)
{
	const struct node_seen *s = &n->seen;
	bool now;

	if (!n->input_count || strcmp(node_format(n), "itm") != 0)
		return false;
	now = !link_is_live(n->inputs[0].link) || n->now_ns - s->sampling.came_ns < SILENT_NS;
	*port = (struct node_port){
		.sets_up = s->swo.input > 0, .setup = s->swo.setup, .pcs_hz = s->sampling.rate,
		.clock_hz = s->ported.hz, .pcs_now = now ? s->sampling.now_hz : 0,
		.asleep_now = s->sampling.now_asleep,
	};
	return true;
}

void swo_sink(struct wire_sink *sink)
{
	sink->setup = on_setup;
}
