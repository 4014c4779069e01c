/* port: SWO: how it was set up, what comes, and which link of its chain is broken. */
#include <string.h>

#include "core/base/text.h"
#include "tui/view/node/sections.h"

static void add_setup(struct board *b, const struct wire_setup *s)
{
	if (s->over || s->clock_hz > 0)
		board_add(b, BOARD_FACT, "core clock", ROLE_VALUE, "%.2f MHz", s->clock_hz / 1e6);
	if (!s->over) {
		board_add(b, BOARD_FACT, "set-up", ROLE_WARNING, "under way");
		return;
	}
	if (s->refused)
		board_add(b, BOARD_FACT, "set-up", ROLE_WARNING, "%u register%s not taken",
			  s->refused, s->refused == 1 ? "" : "s");
	else
		board_add(b, BOARD_FACT, "set-up", ROLE_GOOD, "each register read back");
	board_add(b, BOARD_FACT, "baud rate", ROLE_VALUE, "%s", TEXT_WHOLE(s->baud + 0.5));
}

static void add_samples(struct board *b, const struct node_port *p)
{
	char came[32], set[32];

	text_whole(came, sizeof(came), (uint64_t)(p->pcs_hz + 0.5));
	text_whole(set, sizeof(set), (uint64_t)(p->setup.pc_hz + 0.5));
	if (p->sets_up && p->setup.over && !(p->setup.pc_hz > 0))
		board_add(b, BOARD_FACT, "samples", ROLE_WARNING, "none: the line is too slow");
	else if (p->sets_up && p->setup.over)
		board_add(b, BOARD_FACT, "samples", ROLE_VALUE, "%s a second, %s set", came, set);
	else if (p->pcs_hz > 0)
		board_add(b, BOARD_FACT, "samples", ROLE_VALUE, "%s a second", came);
}

static void add_lost(struct board *b, const struct wire_stats *s)
{
	if (s->lost)
		board_add(b, BOARD_FACT, "overflows", ROLE_WARNING,
			  "%s packets came behind one, %.1f %% of all", TEXT_WHOLE(s->lost),
			  s->events ? 100 * (double)s->lost / (double)s->events : 100.0);
}

void section_port(struct board *b, const struct node *n)
{
	static const char format[] = "itm: ";
	const char *note = node_format_note(n);
	struct node_port p;
	char wrong[320];

	if (!node_port(n, &p))
		return;
	if (strncmp(note, format, strlen(format)) == 0)
		board_add(b, BOARD_FACT, "packets", ROLE_VALUE, "%s", note + strlen(format));
	if (p.sets_up)
		add_setup(b, &p.setup);
	add_samples(b, &p);
	if (p.clock_hz > 0)
		board_add(b, BOARD_FACT, "time stamps", ROLE_VALUE, "%.2f MHz", p.clock_hz / 1e6);
	add_lost(b, node_stats(n));
	if (node_probe_warning(n, wrong, sizeof(wrong)))
		board_add(b, BOARD_NOTE, "", ROLE_WARNING, "%s", wrong);
}
