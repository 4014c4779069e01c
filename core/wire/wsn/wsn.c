#include "core/wire/wsn/state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* --- the sink --------------------------------------------------------------------------------- */

const char *wsn_arch_name(uint8_t arch)
{
	static const char *const names[] = {
		[WSN_ARCH_AVR] = "AVR",
		[WSN_ARCH_AVR22] = "AVR, 22-bit program counter",
		[WSN_ARCH_ARMV6M] = "ARMv6-M",
		[WSN_ARCH_ARMV7M] = "ARMv7-M or v8-M",
	};

	return arch < sizeof(names) / sizeof(names[0]) && names[arch] ? names[arch] :
								       "unknown architecture";
}

static void note_say(struct wsn *w)
{
	char *note = w->wire.note, name[48];
	size_t size = sizeof(w->wire.note);

	text_visible(name, sizeof(name), w->name, strlen(w->name));
	if (w->refused)
		snprintf(note, size, "wsn: the node speaks version %u of the protocol, wsntop "
				     "version %d",
			 w->hello.wire.version, WSN_VERSION);
	else if (w->greeted)
		snprintf(note, size, "wsn: HELLO of node '%s', %s", name,
			 wsn_arch_name(w->hello.wire.arch));
	else
		snprintf(note, size, "wsn: waiting for the node's HELLO (frames seen: %llu)",
			 (unsigned long long)w->frames);
}

static void tell_hello(struct wsn *w)
{
	w->hello.wire.name = w->name;
	w->hello_shown = true;
	note_say(w);
	if (w->wire.sink.hello)
		w->wire.sink.hello(w->wire.sink.ctx, &w->hello.wire);
}

static void tell_status(struct wsn *w)
{
	w->status.arcs_before = wsn_closed_before(&w->table[TOTAL_ARC].closed);
	w->status.pcs_before = wsn_closed_before(&w->table[TOTAL_PC].closed);
	w->status.arcs_unheard = wsn_closed_unheard(&w->table[TOTAL_ARC].closed);
	w->status.pcs_unheard = wsn_closed_unheard(&w->table[TOTAL_PC].closed);
	w->status.clock_missed = (w->hello.wire.features & WSN_F_MISSED) != 0;
	w->said = true;
	w->wire.when = (struct wire_when){ .clock = &w->run_clock, .ticks = w->status.run };
	if (w->wire.sink.status)
		w->wire.sink.status(w->wire.sink.ctx, &w->status);
	w->wire.when = (struct wire_when){ .clock = NULL };
	wsn_commands_heard(&w->commands, w->status.command, &w->wire.sink);
}

void wsn_damaged(struct wsn *w, size_t bytes)
{
	w->wire.stats.damaged++;
	w->wire.stats.resyncs++;
	w->wire.stats.bad_bytes += bytes;
}

/* --- frames ----------------------------------------------------------------------------------- */

enum { FRAME_AROUND = 5 };		/* CRC, COBS's byte, two zeros */

static void take_name(struct wsn *w, const uint8_t *frame, size_t n)
{
	char name[sizeof(w->name)];

	text_visible(name, sizeof(name), (const char *)frame + 2, n - 2);
	if (strcmp(name, w->name) == 0)
		return;
	strcpy(w->name, name);
	if (w->greeted)
		tell_hello(w);
}

/* For who has no HELLO of this epoch yet. */
static void take_identity(struct wsn *w, const uint8_t *frame, size_t n)
{
	struct wire_identity id;

	if (!wsn_read_identity(&id, frame, n))
		wsn_damaged(w, n);
	else if (!w->greeted && id.kind != WIRE_IDENTITY_NONE && w->wire.sink.identity)
		w->wire.sink.identity(w->wire.sink.ctx, &id);
}

/*
 * STATUS's sum of all closed counts. Counts missing from this sum are lost: stop waiting for their
 * CLOSED rows.
 */
static void take_sum(struct wsn *w, enum wire_total_kind kind, uint32_t sum, uint64_t seq)
{
	struct wsn_table *t = &w->table[kind];
	bool missing;

	wsn_closed_confirm(w, kind, sum, seq, true);
	missing = wsn_closed_status(&t->closed, sum);
	wsn_table_forget_owed(t, missing ? seq : seq - WSN_OWED_AGE);
	wsn_table_give(w, kind);
}

/* Its counters go on from 0, too: they become what they have counted in all. */
static void follow_counters(struct wsn *w, struct wire_status *s)
{
	const struct wire_status *old = &w->status;
	struct { uint64_t old, *now; } rows[] = {
		{ old->stack_full, &s->stack_full }, { old->table_full, &s->table_full },
		{ old->cut, &s->cut }, { old->text_lost, &s->text_lost },
		{ old->carries_lost, &s->carries_lost }, { old->arcs_lost, &s->arcs_lost },
		{ old->pcs_lost, &s->pcs_lost }, { old->no_stack, &s->no_stack },
	};
	bool near = true;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		near &= wsn_follow(rows[i].old, rows[i].now, WSN_COUNT_BITS, w->status_sure);
	w->status_sure = near && w->epoch.backward == 0;
}

static void take_status(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
			uint64_t seq)
{
	struct wsn_status s;

	if (!wsn_read_status(&s, frame, n)) {
		wsn_damaged(w, n);
		return;
	}
	if (order == ORDER_LATE || !wsn_epoch_status(w, s.wire.run))
		return;
	follow_counters(w, &s.wire);
	wsn_age_status(w, &s.wire);
	s.wire.searched = wsn_searched(w);	/* by the STATUS before: rows are as old */
	w->status = s.wire;
	take_sum(w, TOTAL_ARC, s.closed[0], seq);
	take_sum(w, TOTAL_PC, s.closed[1], seq);
	tell_status(w);
}

static void take_rows(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
		      uint64_t seq)
{
	if (!wsn_read_rows(&w->rows, &w->hello, frame, n))
		wsn_damaged(w, n);
	else if (w->rows.lost)
		wsn_lost_give(w, &w->rows);
	else if (w->rows.closed)
		wsn_closed_frame(w, frame, n, order, seq);
	else
		wsn_table_rows(w, &w->rows, order, seq);
}

static void take_tracing(struct wsn *w, const uint8_t *frame, size_t n)
{
	struct wire_tracing t;

	if (!wsn_read_tracing(&t, frame, n))
		wsn_damaged(w, n);
	else if (w->wire.sink.tracing)
		w->wire.sink.tracing(w->wire.sink.ctx, &t);
}

/* A late one is lost: those behind it were told without it. */
static void take_trace(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order)
{
	struct wsn_trace t;

	if (!wsn_read_trace(&t, frame, n))
		wsn_damaged(w, n);
	else if (order != ORDER_LATE && w->wire.sink.trace)
		w->wire.sink.trace(w->wire.sink.ctx, &t.wire);
}

/* A frame that a HELLO of its epoch explains. */
static void take_greeted(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
			 uint64_t seq)
{
	switch (frame[0] & 0x1f) {
	case WSN_STATUS:
		take_status(w, frame, n, order, seq);
		break;
	case WSN_SITES:
	case WSN_ARCS:
	case WSN_PCS:
	case WSN_CLOSED_ARCS:
	case WSN_CLOSED_PCS:
	case WSN_LOST:
	case WSN_WIDE:
		take_rows(w, frame, n, order, seq);
		break;
	case WSN_TRACING:
		take_tracing(w, frame, n);
		break;
	case WSN_TRACE:
		take_trace(w, frame, n, order);
		break;
	default:
		break;		/* of a version to come */
	}
}

static void take_waiting(struct wsn *w)
{
	struct wsn_queued q;

	while (wsn_queue_get(w, &q)) {
		if (q.frame[0] >> 5 == w->epoch.bits)
			take_greeted(w, q.frame, q.len, q.order, q.seq);
	}
}

/* Does it say what the last one said? If not, remember it. */
static bool is_known_hello(struct wsn *w, const uint8_t *frame, size_t n)
{
	uint8_t body[sizeof(w->hello_told)] = { 0 };

	memcpy(body, frame + 2, n - 2 < sizeof(body) ? n - 2 : sizeof(body));
	if (w->hello_shown && memcmp(body, w->hello_told, sizeof(body)) == 0)
		return true;
	memcpy(w->hello_told, body, sizeof(body));
	return false;
}

/* STATUS's run: the time profiled. Some chips include sleep; HELLO does not tell which. */
static struct clock_terms run_clock(const struct wire_hello *hello)
{
	unsigned features = hello->features;

	return (struct clock_terms){
		.ticks_per_second = hello->ticks_per_second,
		.bits = 64,
		.step = 1,
		.stands = CLOCK_STANDS_STOPPED | CLOCK_STANDS_SLEEP |
			  (features & WSN_F_TAKEN_BACK ? CLOCK_STANDS_HOOKS : 0) |
			  (features & WSN_F_ISR ? CLOCK_STANDS_HANDLERS : 0),
	};
}

/* What rows are read by, of HELLO's body: all up to the clock, capacities, base. */
static void layout_copy(uint8_t layout[WSN_LAYOUT], const uint8_t *frame, size_t n)
{
	uint8_t body[sizeof(((struct wsn *)0)->hello_told)] = { 0 };

	memcpy(body, frame + 2, n - 2 < sizeof(body) ? n - 2 : sizeof(body));
	body[3] &= (uint8_t)~((WSN_F_RUNNING | WSN_F_MISSED) >> 8);	/* they come and go */
	memcpy(layout, body, 10);
	memcpy(layout + 10, body + 18, WSN_LAYOUT - 10);
}

/* It does not change within an epoch: a HELLO that tells another once is noise. */
static bool hello_is_odd(struct wsn *w, const uint8_t *frame, size_t n)
{
	uint8_t layout[WSN_LAYOUT];
	bool odd;

	layout_copy(layout, frame, n);
	odd = w->greeted && memcmp(layout, w->layout, WSN_LAYOUT) != 0 &&
	      memcmp(layout, w->layout_doubt, WSN_LAYOUT) != 0;
	memcpy(odd ? w->layout_doubt : w->layout, layout, WSN_LAYOUT);
	return odd;
}

static void take_hello(struct wsn *w, const struct wsn_hello *hello, const uint8_t *frame, size_t n,
		       enum wsn_order order)
{
	if ((w->greeted && order == ORDER_LATE) || hello_is_odd(w, frame, n))
		return;
	if (hello->wire.version != w->hello.wire.version || hello->unit != w->hello.unit ||
	    hello->base != w->hello.base)
		wsn_closed_give(w);	/* frames are read by the HELLO that they came behind */
	w->hello = *hello;
	w->hello.wire.name = w->name;
	w->run_clock = run_clock(&hello->wire);
	w->greeted = true;
	w->refused = hello->wire.version != WSN_VERSION;
	if (!is_known_hello(w, frame, n))
		tell_hello(w);
	if (w->refused)
		w->queue.count = 0;
	else
		take_waiting(w);
}

/* Of an epoch that has just begun by its second frame: what was kept, its HELLO first. */
static void take_kept(struct wsn *w)
{
	struct wsn_queued q;
	struct wsn_hello hello;

	if (w->greeted || !wsn_queue_hello(w, &q) || !wsn_read_hello(&hello, q.frame, q.len))
		return;
	wsn_epoch_known(w, &hello);
	take_hello(w, &hello, q.frame, q.len, q.order);
}

/* Bytes before the frame: `sent` has those of frames so far, without text and damage. */
static uint64_t frame_place(struct wsn *w, size_t n)
{
	uint64_t place = w->age.sent + w->wire.stats.text_bytes + w->wire.stats.bad_bytes;

	w->age.sent += n + FRAME_AROUND;
	return place;
}

void wsn_take(struct wsn *w, const uint8_t *frame, size_t n)
{
	unsigned type = frame[0] & 0x1f;
	struct wsn_hello hello;
	enum wsn_order order;
	uint64_t seq;

	if (type == 0 || type >= WSN_START)
		return;		/* our own commands, echoed */
	if (type == WSN_HELLO && !wsn_read_hello(&hello, frame, n)) {
		wsn_damaged(w, n);
		return;
	}
	w->frames++;
	w->wire.stats.events++;
	w->age.place = frame_place(w, n);
	if (!w->greeted)
		note_say(w);
	if (!wsn_epoch_take(w, frame, n, type == WSN_HELLO ? &hello : NULL)) {
		take_kept(w);
		return;
	}
	order = wsn_order_take(&w->order, frame, n, &seq, &w->wire.stats.lost);
	if (order == ORDER_AGAIN)
		return;
	if (type == WSN_HELLO)
		take_hello(w, &hello, frame, n, order);
	else if (type == WSN_NAME)
		take_name(w, frame, n);
	else if (type == WSN_IDENTITY)
		take_identity(w, frame, n);
	else if (!w->greeted)
		wsn_queue_put(w, frame, n, order, seq);
	else if (!w->refused)
		take_greeted(w, frame, n, order, seq);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static int wsn_init(struct wire *wire, const struct wire_options *o, struct err *err)
{
	struct wsn *w = (struct wsn *)wire;

	(void)o;
	(void)err;
	w->epoch.bits = w->epoch.rival = -1;
	for (size_t i = 0; i < WSN_TABLES; i++)
		map_init(&w->table[i].map);
	wsn_crc_init(&w->crc);
	note_say(w);
	return 0;
}

static void wsn_release(struct wire *wire)
{
	struct wsn *w = (struct wsn *)wire;

	for (size_t i = 0; i < WSN_TABLES; i++)
		wsn_table_release(&w->table[i]);
	mem_free(w->queue.v);
}

static void wsn_feed(struct wire *wire, const uint8_t *data, size_t n)
{
	wsn_split_feed((struct wsn *)wire, data, n);
}

static void wsn_flush(struct wire *wire, bool end)
{
	struct wsn *w = (struct wsn *)wire;

	wsn_split_flush(w, end);
	if (!end)
		return;
	wsn_closed_give(w);
	wsn_held_give(w);
}

static void wsn_set_code(struct wire *wire)
{
	struct wsn *w = (struct wsn *)wire;

	if (w->greeted && !w->refused && w->hello.wire.arch == WSN_ARCH_AVR22)
		wsn_table_resolve(w);
}

/* A host that joins asks for everything once, so that its picture is whole at once. */
static void ask_for_all(struct wsn *w)
{
	const struct wire_command all = { .type = WSN_ALL, .quiet = true };
	struct wsn_commands *c = &w->commands;

	if (c->asked_all || !c->heard || !w->greeted || w->refused ||
	    !(w->hello.wire.features & WSN_F_RECEIVE))
		return;
	c->asked_all = wsn_commands_give(c, &all, NULL) == 0;	/* else with the next call */
}

static void wsn_ask(struct wire *wire, uint64_t now, struct wire_out *out)
{
	struct wsn *w = (struct wsn *)wire;

	ask_for_all(w);
	wsn_commands_ask(&w->commands, now, out, &wire->sink);
}

static int wsn_timeout(const struct wire *wire, uint64_t now)
{
	return wsn_commands_timeout(&((const struct wsn *)wire)->commands, now);
}

static int wsn_give(struct wire *wire, const struct wire_command *command, struct err *err)
{
	return wsn_commands_give(&((struct wsn *)wire)->commands, command, err);
}

static void wsn_down(struct wire *wire)
{
	wsn_commands_down(&((struct wsn *)wire)->commands, &wire->sink);
}

const struct wire_ops wire_wsn_ops = {
	.size = sizeof(struct wsn),
	.init = wsn_init,
	.release = wsn_release,
	.feed = wsn_feed,
	.flush = wsn_flush,
	.set_code = wsn_set_code,
	.ask = wsn_ask,
	.timeout = wsn_timeout,
	.command = wsn_give,
	.down = wsn_down,
	.resume = wsn_resume,
};
