/*
 * decoder: the interface of a packet format. Private to core/wire.
 *
 * A decoder's state begins with struct wire; wire_new allocates `size` zeroed bytes, sets sink and
 * code, and calls init; release follows an init that failed, too. wire_feed counts stats.bytes,
 * feed does not.
 *
 * Formats whose other end must be asked fill in ask, timeout and down. Their rules:
 *
 * - Zeroed is "the line is down": the first ask after init or down opens the conversation.
 * - feed has no clock and sends nothing: it marks what is owed, and ask, called after each read,
 *   sends it.
 * - A message that finds no room is marked as blocked, and timeout leaves it out: ask is called
 *   when there is room. (A timeout of 0 for it would spin.)
 * - down forgets the requests in flight. Addresses and counts stay: the line comes back.
 * - auto forwards to the decoder that it decided on, and sends nothing before: a firmware's console
 *   could take it for input. A format that must speak first is named by the user.
 *
 * A client of gdb's remote protocol that samples memory, as a sketch (OpenOCD's Tcl server is
 * alike: 0x1a ends a packet, and there are no acknowledgements):
 *
 *	struct gdb {
 *		struct wire wire;
 *		enum { GDB_DOWN, GDB_GREETING, GDB_READY } state;
 *		struct gdb_request flight[4];	oldest first, each with its address and time:
 *		size_t in_flight;		answers carry no number, their order pairs them
 *		unsigned acks;			'+' or '-' owed
 *		bool blocked;
 *		uint64_t due_ns, period_ns;
 *	};
 *
 *	ask	Add the acks owed. GDB_DOWN: add "$qSupported#37", then GDB_GREETING. Is flight[0]
 *		older than its deadline? The stream is out of step: greet again. GDB_READY and due:
 *		as long as flight has room, wire_out_add("$m20000000,40#..") puts a request there.
 *		due_ns += period_ns, or now + period_ns when that is past: missed reads are not made
 *		up for. Several requests in flight hide the link's latency.
 *	feed	A packet whose checksum is right answers flight[0]: its values go to the sink, or
 *		the greeting is over (GDB_READY). A wrong checksum: '-' is owed, flight stays.
 *	timeout	0 while acks or a greeting are owed, unless blocked. Else until due_ns (not while
 *		flight is full) or flight[0]'s deadline, whichever is sooner.
 *	command	Halt, continue: into a queue that ask takes before the next read.
 *	down	GDB_DOWN; in_flight = acks = 0; commands end as WIRE_TOLD_DOWN.
 *
 * A recording (core/link/record.h) holds the answers alone. What they do not tell without the
 * questions, `keep` adds as packets of its own, between theirs, that `feed` reads again of a
 * recording (core/wire/gdb/told.c). Not kept instead: the questions. The same answers would then
 * need the same times, watches and ELF for the same events, and all of them.
 */
#ifndef WSNTOP_WIRE_DECODER_H
#define WSNTOP_WIRE_DECODER_H

#include "core/wire/wire.h"

struct wire_ops {
	size_t size;
	int (*init)(struct wire *w, const struct wire_options *o, struct err *err);
	void (*release)(struct wire *w);
	void (*feed)(struct wire *w, const uint8_t *data, size_t n);
	void (*flush)(struct wire *w, bool end);
	void (*set_code)(struct wire *w);		/* may be NULL: w->code changed */
	/* What wire.h says of wire_ask, wire_timeout, wire_command, wire_down; each may be NULL. */
	void (*ask)(struct wire *w, uint64_t now, struct wire_out *out);
	int (*timeout)(const struct wire *w, uint64_t now);
	int (*command)(struct wire *w, const struct wire_command *command, struct err *err);
	void (*down)(struct wire *w);
	void (*watch)(struct wire *w, const struct wire_watchpoint *points, size_t count);
	void (*allow_stops)(struct wire *w, double hz);		/* NULL: it stops nothing */
	bool (*can_watch)(const struct wire *w);	/* NULL: whether there is a watch */
	void (*keep)(struct wire *w, struct wire_out *out);
	bool (*resume)(const struct wire *w, struct buf *bytes);	/* NULL: nothing is known */
	bool (*leave)(struct wire *w, bool last, struct wire_out *out);
	const char *(*name)(const struct wire *w);	/* may be NULL: the table's */
	const struct wire_when *(*when)(const struct wire *w);	/* may be NULL: &w->when */
	void (*stats)(const struct wire *w, struct wire_stats *stats);	/* may be NULL: w->stats */
};

struct wire {
	const struct wire_ops *ops;
	const char *name;
	struct wire_sink sink;
	const struct codemap *code;	/* NULL: none */
	struct wire_stats stats;
	struct wire_when when;		/* set for a batch that has ticks, then zeroed */
	char note[160];
};

extern const struct wire_ops wire_auto_ops, wire_wsn_ops, wire_prof_ops, wire_gprof_ops,
	wire_gprof_hex_ops, wire_itm_ops, wire_openocd_ops,
	wire_sim_ops, wire_gdb_ops, wire_setup_ops,
	wire_setup_gdb_ops, wire_ppk2_ops, wire_lpm01a_ops, wire_text_ops;

/* Printable or a control character that consoles get. */
static inline bool wire_is_plain(uint8_t c)
{
	return (c >= 0x20 && c < 0x7f) || (c >= '\a' && c <= '\r') || c == 0x1b;
}

#endif
