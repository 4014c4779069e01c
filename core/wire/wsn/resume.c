/*
 * wsn/resume: what brings a new decoder to where this one stands, as frames that the node could
 * have sent (docs/PROTOCOL.md): HELLO, NAME, the closed counts, the tables' rows as they were sent
 * last, STATUS; then the bytes of the frame that is cut. Frames, not a copy of the state: whoever
 * reads them checks them as he checks a node's. Counters that passed their width are in WIDE.
 *
 * Their numbers end with the newest frame's, so that the node's next one leaves no gap.
 */
#include "core/wire/wsn/state.h"

#include <string.h>

#include "core/base/varint.h"

enum {
	BODY_MOST = WSN_BLOCK_MAX - 4,	/* head, seq, CRC */
	ROW_MOST = 160,			/* 14 numbers of at most 10 bytes */
	HELLO_BODY = 49,
};

struct resume {
	const struct wsn *w;
	struct buf *out;		/* NULL: they are counted */
	unsigned frames;
	uint8_t seq;			/* of the next one */
	bool inexact;			/* a figure is beyond what a frame can say */
	bool wide;			/* rows have counters beyond a node's width */
	uint8_t block[WSN_BLOCK_MAX];
	size_t n;			/* of the frame being made; 0: none is */
	uint32_t slot;			/* behind its last row */
};

/* --- frames ----------------------------------------------------------------------------------- */

static void frame_start(struct resume *r, enum wsn_type type)
{
	r->block[0] = (uint8_t)((r->wide ? WSN_WIDE : (unsigned)type) |
				(unsigned)r->w->epoch.bits << 5);
	r->n = 2;
	if (r->wide)
		r->block[r->n++] = (uint8_t)type;
	r->slot = 0;
}

static void frame_finish(struct resume *r)
{
	uint8_t coded[WSN_FRAME_MAX];
	size_t n;

	if (!r->n)
		return;
	r->frames++;
	r->block[1] = r->seq++;
	n = wsn_wrap(coded, r->block, r->n);
	if (r->out)
		buf_add(r->out, coded, n);
	r->n = 0;
}

static void body_put(struct resume *r, const void *data, size_t n)
{
	memcpy(r->block + r->n, data, n);
	r->n += n;
}

static void number_put(struct resume *r, uint64_t x)
{
	r->n += varint_put(r->block + r->n, x);
}

/* A frame of rows that has room for one more. */
static void row_room(struct resume *r, enum wsn_type type)
{
	if (r->n && r->n + ROW_MOST > BODY_MOST)
		frame_finish(r);
	if (!r->n)
		frame_start(r, type);
}

static void slot_put(struct resume *r, enum wsn_type type, uint32_t slot)
{
	row_room(r, type);
	if (slot < r->slot) {
		frame_finish(r);
		frame_start(r, type);
	}
	number_put(r, slot - r->slot);
	r->slot = slot + 1;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void address_put(struct resume *r, uint32_t address)
{
	const struct wsn_hello *h = &r->w->hello;

	number_put(r, (uint32_t)(address - h->base) / h->unit);
}

static void bounded_put(struct resume *r, uint64_t x, uint64_t most)
{
	most = r->wide ? INT64_MAX : most;
	r->inexact |= x > most;
	number_put(r, x > most ? most : x);
}

/* The code of ticks that a code stood for. */
static void duration_put(struct resume *r, uint64_t ticks)
{
	unsigned shift = 4;

	if (!(r->w->hello.wire.features & WSN_F_CODED) || ticks < 0x8000) {
		number_put(r, ticks);
		return;
	}
	while (ticks >> shift > 0xfff && shift < 19)
		shift++;
	number_put(r, 0x8000 | (uint64_t)(shift - 4) << 11 | (ticks >> shift & 0x7ff));
}

/* --- call sites ------------------------------------------------------------------------------- */

static void figures_put(struct resume *r, const struct wsn_slot *s)
{
	const struct wsn_hello *h = &r->w->hello;
	unsigned f = h->wire.features;

	bounded_put(r, s->calls, wsn_is_arm(h) ? UINT32_MAX : UINT64_MAX);
	if (f & WSN_F_TIMED)
		number_put(r, s->total);
	if (f & WSN_F_TIMED && f & WSN_F_MINMAX) {
		duration_put(r, s->min);
		duration_put(r, s->max);
	}
	for (size_t i = 0; f & WSN_F_TIMED && f & WSN_F_HISTOGRAM && i < WIRE_BUCKETS; i++)
		bounded_put(r, s->bucket[i], (UINT64_C(1) << wsn_bucket_bits(h)) - 1);
}

/*
 * A counter that is about to pass its width is followed over it only where it was heard twice: such
 * rows are told twice.
 */
static bool is_told_twice(const struct wsn *w, const struct wsn_slot *s)
{
	uint64_t most = s->calls > s->whole_calls ? s->calls : s->whole_calls;
	uint64_t buckets = 0;

	for (size_t i = 0; i < WIRE_BUCKETS; i++)
		buckets |= s->bucket[i];
	return s->sure && (most >> (WSN_COUNT_BITS - 1) ||
			   buckets >> (wsn_bucket_bits(&w->hello) - 1));
}

/* Some counter passed its width, which the host has followed it over. */
static bool is_wide(const struct wsn *w, enum wire_total_kind kind)
{
	const struct wsn_table *t = &w->table[kind];
	unsigned bits = wsn_bucket_bits(&w->hello);
	uint64_t counts = 0, buckets = 0;

	for (uint32_t i = 0; i < t->slot_count; i++) {
		const struct wsn_slot *s = &t->slots[i];

		if (!s->used)
			continue;
		if (kind != TOTAL_SITE)
			counts |= s->whole_calls;
		else if (wsn_is_arm(&w->hello))
			counts |= s->calls;
		for (size_t k = 0; kind == TOTAL_SITE && k < WIRE_BUCKETS; k++)
			buckets |= s->bucket[k];
	}
	return counts >> WSN_COUNT_BITS || buckets >> bits;
}

enum pass { PASS_EXTENSIONS, PASS_ROWS, PASS_AGAIN };

/* Extensions first: a row whose extension comes behind it waits for its next one. */
static void sites_put(struct resume *r, enum pass pass)
{
	const struct wsn_table *t = &r->w->table[TOTAL_SITE];
	bool extensions = pass == PASS_EXTENSIONS;

	r->wide = is_wide(r->w, TOTAL_SITE);
	for (uint32_t i = 0; i < t->slot_count; i++) {
		const struct wsn_slot *s = &t->slots[i];

		if (!s->used || s->extension != extensions ||
		    (pass == PASS_AGAIN && !is_told_twice(r->w, s)))
			continue;
		r->inexact |= s->awaits_carry || s->awaits_own || s->lost_calls || s->lost_total;
		slot_put(r, WSN_SITES, i);
		if (extensions)
			number_put(r, s->key);
		else
			address_put(r, t->entries[s->key].raw);
		address_put(r, extensions ? r->w->hello.base : t->entries[s->key].to);
		figures_put(r, s);
	}
	frame_finish(r);
	r->wide = false;
}

/* --- arcs and PCs ----------------------------------------------------------------------------- */

static void counted_put(struct resume *r, enum wire_total_kind kind, enum wsn_type type,
			enum pass pass)
{
	const struct wsn_table *t = &r->w->table[kind];

	r->inexact |= t->owed_count > 0;
	r->wide = is_wide(r->w, kind);
	for (uint32_t i = 0; i < t->slot_count; i++) {
		const struct wsn_slot *s = &t->slots[i];

		if (!s->used || (pass == PASS_AGAIN && !is_told_twice(r->w, s)))
			continue;
		slot_put(r, type, i);
		address_put(r, t->entries[s->key].raw);
		if (kind == TOTAL_ARC)
			address_put(r, t->entries[s->key].to);
		bounded_put(r, s->whole_calls, UINT32_MAX);
	}
	frame_finish(r);
	r->wide = false;
}

static void closed_row(struct resume *r, enum wire_total_kind kind, enum wsn_type type,
		       const struct wsn_entry *e, uint64_t calls, uint32_t *before)
{
	bool fresh = !r->n || r->n + ROW_MOST > BODY_MOST;

	row_room(r, type);
	if (fresh)
		number_put(r, *before);
	address_put(r, e->raw);
	if (kind == TOTAL_ARC)
		address_put(r, e->to);
	number_put(r, calls);
	*before += (uint32_t)calls;
}

/* The sum of all closed counts goes on behind them as it does here. */
static void closed_put(struct resume *r, enum wire_total_kind kind, enum wsn_type type)
{
	const struct wsn_table *t = &r->w->table[kind];
	uint32_t before = (uint32_t)t->closed.end;

	for (size_t i = 0; i < t->entry_count; i++)
		before -= (uint32_t)t->entries[i].closed;
	for (size_t i = 0; i < t->entry_count; i++) {
		const struct wsn_entry *e = &t->entries[i];

		r->inexact |= e->closed >> 40 > 0;
		for (uint64_t left = e->closed & ((UINT64_C(1) << 40) - 1); left;) {
			uint64_t calls = left < UINT32_MAX ? left : UINT32_MAX;

			closed_row(r, kind, type, e, calls, &before);
			left -= calls;
		}
	}
	frame_finish(r);
}

/* --- what the node says of itself ------------------------------------------------------------- */

static void hello_put(struct resume *r)
{
	size_t n = strlen(r->w->name);

	frame_start(r, WSN_HELLO);
	body_put(r, r->w->hello_told, HELLO_BODY);
	frame_finish(r);
	if (!n || n > BODY_MOST)
		return;
	frame_start(r, WSN_NAME);
	body_put(r, r->w->name, n);
	frame_finish(r);
}

static void status_put(struct resume *r)
{
	const struct wsn *w = r->w;
	const struct wire_status *s = &w->status;
	const uint64_t fields[WSN_STATUS_FIELDS] = {
		s->run & UINT32_MAX, s->run >> 32, s->isr & UINT32_MAX, s->isr >> 32,
		s->stack_full, s->table_full, s->cut, s->text_lost, s->carries_lost, s->command,
		s->arcs_lost, s->pcs_lost, w->table[TOTAL_ARC].closed.status,
		w->table[TOTAL_PC].closed.status, s->poll & UINT32_MAX, s->poll >> 32, s->no_stack,
	};

	/* As often as it takes until new rows need a second frame (held.c). */
	for (uint32_t n = 0; n < w->age.refresh && n < WSN_JOINED; n++) {
		frame_start(r, WSN_STATUS);
		for (size_t i = 0; i < WSN_STATUS_FIELDS; i++)
			bounded_put(r, fields[i], UINT32_MAX);
		frame_finish(r);
	}
}

static void all_put(struct resume *r)
{
	hello_put(r);
	closed_put(r, TOTAL_ARC, WSN_CLOSED_ARCS);
	closed_put(r, TOTAL_PC, WSN_CLOSED_PCS);
	sites_put(r, PASS_EXTENSIONS);
	for (enum pass pass = PASS_ROWS; pass <= PASS_AGAIN; pass++) {
		sites_put(r, pass);
		counted_put(r, TOTAL_ARC, WSN_ARCS, pass);
		counted_put(r, TOTAL_PC, WSN_PCS, pass);
	}
	status_put(r);
}

/* --- all of it -------------------------------------------------------------------------------- */

/*
 * Something is under way that no frame says: frames that are late, or wait; another epoch; a trace;
 * arcs that are known by name as lost.
 */
static bool is_settled(const struct wsn *w)
{
	const uint64_t late = (UINT64_C(1) << WSN_LATE) - 1;
	uint64_t sent = w->frames < WSN_LATE ? (UINT64_C(1) << w->frames) - 1 : late;

	for (size_t i = 0; i < WSN_TABLES; i++)
		if (w->table[i].held_count || w->table[i].closed.waits)
			return false;
	/* What waits behind a HELLO is a rival's. */
	return (w->order.heard & sent) == sent && w->epoch.backward == 0 &&
	       (w->epoch.rival < 0 || w->epoch.rival_age > WSN_LATE) && !w->split.cut &&
	       !(w->hello.wire.features & WSN_F_TRACE) && !w->status.arcs_lost;
}

bool wsn_resume(const struct wire *wire, struct buf *bytes)
{
	const struct wsn *w = (const struct wsn *)wire;
	struct resume count = { .w = w }, put = { .w = w, .out = bytes };

	if (w->greeted && !w->refused) {
		all_put(&count);
		put.seq = (uint8_t)(w->order.newest + 1 - count.frames);
		all_put(&put);
	}
	buf_add(bytes, w->split.seg, w->split.len);
	return w->greeted && !w->refused && !put.inexact && is_settled(w) && !bytes->failed;
}
