/* wsn/body: a frame's body, read whole or not at all (docs/PROTOCOL.md, 2 to 5). */
#include "core/wire/wsn/state.h"

#include <string.h>

#include "core/base/varint.h"

#define ADDRESS_MAX UINT32_MAX

/* Reads on; once anything is wrong, all further reads give 0 and `bad` stays. */
struct wsn_reader {
	const uint8_t *p, *end;
	bool bad;
	bool wide;			/* counts have no width */
};

static struct wsn_reader reader_of(const uint8_t *frame, size_t n)
{
	return (struct wsn_reader){ .p = frame + 2, .end = frame + n };
}

static uint64_t read_fixed(struct wsn_reader *r, size_t bytes)
{
	uint64_t x = 0;

	if ((size_t)(r->end - r->p) < bytes) {
		r->bad = true;
		r->p = r->end;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++)
		x |= (uint64_t)r->p[i] << 8 * i;
	r->p += bytes;
	return x;
}

static uint64_t read_varint_long(struct wsn_reader *r)
{
	uint64_t x;
	size_t n = varint_get(r->p, (size_t)(r->end - r->p), &x);

	if (!n || (n == VARINT_MAX && r->p[n - 1] > 1)) {	/* the latter: above 64 bits */
		r->bad = true;
		r->p = r->end;
		return 0;
	}
	r->p += n;
	return x;
}

static inline uint64_t read_varint(struct wsn_reader *r)
{
	const uint8_t *p = r->p;

	if (p < r->end && p[0] < 0x80) {	/* nearly all have one byte or two */
		r->p = p + 1;
		return p[0];
	}
	if (r->end - p >= 2 && p[1] < 0x80) {
		r->p = p + 2;
		return (p[0] & 0x7fu) | (uint64_t)p[1] << 7;
	}
	return read_varint_long(r);
}

/* At most `max`, else the frame is damaged. */
static uint64_t read_varint_to(struct wsn_reader *r, uint64_t max)
{
	uint64_t x = read_varint(r);

	if (x > max) {
		r->bad = true;
		return 0;
	}
	return x;
}

/* --- HELLO and STATUS ------------------------------------------------------------------------- */

/* `word`: HELLO's twelve bytes. */
static struct wire_identity identity_of(uint64_t kind, const uint32_t word[3])
{
	struct wire_identity id = { .kind = WIRE_IDENTITY_NONE };

	if (kind == WIRE_IDENTITY_SUM) {
		id.kind = WIRE_IDENTITY_SUM;
		id.start = word[0];
		id.length = word[1];
		id.a = (uint16_t)word[2];
		id.b = (uint16_t)(word[2] >> 16);
	} else if (kind == WIRE_IDENTITY_BUILD_ID) {
		id.kind = WIRE_IDENTITY_BUILD_ID;
		for (size_t i = 0; i < sizeof(id.build_id); i++)
			id.build_id[i] = (uint8_t)(word[i / 4] >> 8 * (i & 3));
	}
	return id;
}

static void read_identity(struct wire_identity *id, struct wsn_reader *r)
{
	uint64_t kind = read_fixed(r, 1);
	uint32_t word[3];

	for (size_t i = 0; i < 3; i++)
		word[i] = (uint32_t)read_fixed(r, 4);
	*id = identity_of(kind, word);
}

/*
 * The node counts durations as measured. What they are too long by is taken off the bounds as it is
 * off the shortest and the longest, so that both are of one kind; what that leaves nothing of is 1.
 */
static void read_buckets(uint64_t *below, uint8_t histogram, int16_t skew)
{
	unsigned first = histogram & 15, step = histogram >> 4;
	int off = (8 - skew) >> 4;		/* ticks, to the nearest */

	for (unsigned i = 0; i < WIRE_BUCKETS - 1; i++) {
		unsigned bit = first + i * step;

		below[i] = bit < 64 ? UINT64_C(1) << bit : UINT64_MAX;
		if (bit < 32)
			below[i] = (int64_t)below[i] + off > 0 ? below[i] + (uint64_t)off : 1;
	}
}

bool wsn_read_hello(struct wsn_hello *h, const uint8_t *frame, size_t n)
{
	struct wsn_reader r = reader_of(frame, n);
	struct wire_hello *w = &h->wire;
	uint8_t histogram;

	*h = (struct wsn_hello){ .wire = { .name = "" } };
	w->version = (uint8_t)read_fixed(&r, 1);
	if (w->version != WSN_VERSION)
		return !r.bad && w->version != 0;	/* what follows may be anything */
	w->arch = (uint8_t)read_fixed(&r, 1);
	w->features = (uint16_t)read_fixed(&r, 2);
	h->unit = (uint8_t)read_fixed(&r, 1);
	histogram = (uint8_t)read_fixed(&r, 1);
	w->ticks_per_second = (uint32_t)read_fixed(&r, 4);
	w->hz = (uint16_t)read_fixed(&r, 2);
	w->cost = (double)read_fixed(&r, 2) / 16;
	h->skew = (int16_t)read_fixed(&r, 2);
	w->skew = h->skew / 16.0;
	read_buckets(w->bucket_below, histogram, h->skew);
	w->spread = (double)read_fixed(&r, 2) / 16;
	w->max_sites = (uint16_t)read_fixed(&r, 2);
	w->max_stack = (uint16_t)read_fixed(&r, 2);
	w->max_arcs = (uint16_t)read_fixed(&r, 2);
	w->max_pcs = (uint16_t)read_fixed(&r, 2);
	h->base = (uint32_t)read_fixed(&r, 4);
	w->id = (uint32_t)read_fixed(&r, 4);
	w->epoch = (uint16_t)read_fixed(&r, 2);
	read_identity(&w->identity, &r);
	return !r.bad && h->unit > 0 && (w->epoch & 7) == frame[0] >> 5;
}

bool wsn_is_hello(const uint8_t *frame, size_t n)
{
	struct wsn_hello h;

	return n > 2 && (frame[0] & 0x1f) == WSN_HELLO && wsn_read_hello(&h, frame, n);
}

bool wsn_first_hello(struct wire_hello *hello, const uint8_t *data, size_t n)
{
	uint8_t frame[WSN_BLOCK_MAX + 1];
	struct wsn_hello h;
	size_t size;

	for (size_t at = 0, length; at < n; at += length + 1) {
		const uint8_t *zero = memchr(data + at, 0, n - at);

		length = zero ? (size_t)(zero - (data + at)) : n - at;
		if (!wsn_may_be_hello(data + at, length) || length > WSN_FRAME_MAX - 2)
			continue;
		size = wsn_unwrap(NULL, frame, data + at, length);
		if (size && wsn_read_hello(&h, frame, size) && h.wire.version == WSN_VERSION) {
			*hello = h.wire;
			return true;
		}
	}
	return false;
}

bool wsn_read_status(struct wsn_status *s, const uint8_t *frame, size_t n)
{
	struct wsn_reader r = reader_of(frame, n);
	uint64_t field[WSN_STATUS_FIELDS] = { 0 };

	for (size_t i = 0; i < sizeof(field) / sizeof(field[0]) && r.p < r.end; i++)
		field[i] = read_varint_to(&r, UINT32_MAX);
	*s = (struct wsn_status){
		.wire = {
			.run = field[0] | field[1] << 32, .isr = field[2] | field[3] << 32,
			.stack_full = field[4], .table_full = field[5], .cut = field[6],
			.text_lost = field[7], .carries_lost = field[8], .command = field[9],
			.arcs_lost = field[10], .pcs_lost = field[11],
			.poll = field[14] | field[15] << 32, .no_stack = field[16],
		},
		.closed = { (uint32_t)field[12], (uint32_t)field[13] },
	};
	return !r.bad;
}

bool wsn_read_identity(struct wire_identity *id, const uint8_t *frame, size_t n)
{
	struct wsn_reader r = reader_of(frame, n);
	uint64_t kind = read_varint(&r);
	uint32_t word[3];

	for (size_t i = 0; i < 3; i++)
		word[i] = (uint32_t)read_varint_to(&r, UINT32_MAX);
	*id = identity_of(kind, word);
	return !r.bad;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A counter has its width, but where a host wrote the frame (WIDE). */
static uint64_t read_count(struct wsn_reader *r, uint64_t most)
{
	return read_varint_to(r, r->wide ? INT64_MAX : most);
}

/* What one row consists of, by type: the rest follows from HELLO. */
struct wsn_shape {
	enum wire_total_kind kind;
	bool slots, pair, lost;
};

static const struct wsn_shape shapes[] = {
	[WSN_SITES] = { .kind = TOTAL_SITE, .slots = true, .pair = true },
	[WSN_ARCS] = { .kind = TOTAL_ARC, .slots = true, .pair = true },
	[WSN_PCS] = { .kind = TOTAL_PC, .slots = true },
	[WSN_CLOSED_ARCS] = { .kind = TOTAL_ARC, .pair = true },
	[WSN_CLOSED_PCS] = { .kind = TOTAL_PC },
	[WSN_LOST] = { .kind = TOTAL_ARC, .pair = true, .lost = true },
};

static uint32_t slots_most(const struct wsn_hello *h, enum wire_total_kind kind)
{
	switch (kind) {
	case TOTAL_SITE:
		return h->wire.max_sites;
	case TOTAL_ARC:
		return h->wire.max_arcs;
	default:
		return h->wire.max_pcs;
	}
}

/* A 16-bit code stands for ticks: docs/PROTOCOL.md, 2. */
static uint64_t read_duration(struct wsn_reader *r, bool coded)
{
	uint64_t c = coded ? read_varint_to(r, UINT16_MAX) : read_varint(r);

	if (!coded || c < 0x8000)
		return c;
	return (0x800 | (c & 0x7ff)) << ((c >> 11 & 15) + 4);
}

/* Units from base: a byte address. */
static uint32_t read_address(struct wsn_reader *r, const struct wsn_hello *h, uint64_t units)
{
	if (units > (ADDRESS_MAX - h->base) / h->unit) {
		r->bad = true;
		return 0;
	}
	return h->base + (uint32_t)units * h->unit;
}

static void read_site(struct wsn_row *row, struct wsn_reader *r, const struct wsn_hello *h)
{
	unsigned features = h->wire.features;
	uint64_t most = (UINT64_C(1) << wsn_bucket_bits(h)) - 1;
	bool coded = features & WSN_F_CODED;

	row->calls = read_count(r, wsn_is_arm(h) ? UINT32_MAX : UINT64_MAX);
	row->total = features & WSN_F_TIMED ? read_varint(r) : 0;
	row->min = row->max = 0;
	if (features & WSN_F_TIMED && features & WSN_F_MINMAX) {
		row->min = read_duration(r, coded);
		row->max = read_duration(r, coded);
	}
	if (features & WSN_F_TIMED && features & WSN_F_HISTOGRAM) {
		for (size_t i = 0; i < WIRE_BUCKETS; i++)
			row->bucket[i] = read_count(r, most);
	}
}

static void read_addresses(struct wsn_row *row, struct wsn_reader *r, const struct wsn_hello *h,
			   const struct wsn_shape *shape)
{
	uint64_t from = read_varint(r), to = shape->pair ? read_varint(r) : 0;

	row->extension = shape->kind == TOTAL_SITE && to == 0;
	row->handler = shape->kind == TOTAL_SITE && from == 0 && !row->extension;
	if (row->extension) {
		row->from = (uint32_t)from;
		row->to = 0;
		r->bad |= from >= h->wire.max_sites || from == row->slot;
		return;
	}
	row->from = read_address(r, h, from);
	row->to = shape->pair ? read_address(r, h, to) : 0;
}

static void read_row(struct wsn_rows *rows, struct wsn_reader *r, const struct wsn_hello *h,
		     const struct wsn_shape *shape, uint64_t *slot)
{
	struct wsn_row *row = &rows->row[rows->count++];
	uint32_t slots = slots_most(h, shape->kind);

	if (shape->slots) {
		*slot += read_varint_to(r, UINT16_MAX);
		r->bad |= *slot >= slots;
		row->slot = (uint32_t)(*slot)++;
	} else {
		row->slot = WSN_NO_SLOT;
	}
	read_addresses(row, r, h, shape);
	if (shape->kind == TOTAL_SITE) {
		read_site(row, r, h);
		return;
	}
	row->calls = read_count(r, UINT32_MAX);
	rows->sum += row->calls;
	r->bad |= !shape->slots && row->calls == 0;
}

bool wsn_read_rows(struct wsn_rows *rows, const struct wsn_hello *h, const uint8_t *frame, size_t n)
{
	struct wsn_reader r = reader_of(frame, n);
	unsigned type = frame[0] & 0x1f;
	const struct wsn_shape *shape;
	uint64_t slot = 0;

	if (type == WSN_WIDE) {
		type = (unsigned)read_fixed(&r, 1);
		if (type != WSN_SITES && type != WSN_ARCS && type != WSN_PCS)
			return false;
		r.wide = true;
	}
	shape = &shapes[type];

	rows->kind = shape->kind;
	rows->lost = shape->lost;
	rows->closed = !shape->slots && !shape->lost;
	rows->before = rows->closed ? (uint32_t)read_varint_to(&r, UINT32_MAX) : 0;
	rows->sum = 0;
	rows->count = 0;
	while (!r.bad && r.p < r.end && rows->count < WSN_ROWS)
		read_row(rows, &r, h, shape, &slot);
	return !r.bad && r.p == r.end;
}

/* --- TRACING and TRACE ------------------------------------------------------------------------ */

enum trace_flag { TRACE_LANE = 0x0f, TRACE_STACK = 0x10, TRACE_RESYNC = 0x20, TRACE_PACKED = 0x40 };

bool wsn_read_tracing(struct wire_tracing *t, const uint8_t *frame, size_t n)
{
	struct wsn_reader r = reader_of(frame, n);

	t->encoding = (uint8_t)read_fixed(&r, 1);
	t->stamp_shift = (uint8_t)read_fixed(&r, 1);
	t->slots = (uint32_t)read_varint_to(&r, UINT32_MAX);
	t->lanes = (uint32_t)read_varint_to(&r, TRACE_LANE + 1);
	return !r.bad;			/* more is of a later version */
}

bool wsn_read_trace(struct wsn_trace *t, const uint8_t *frame, size_t n)
{
	struct wsn_reader r = reader_of(frame, n);
	unsigned flags = (unsigned)read_fixed(&r, 1);
	struct wire_trace *w = &t->wire;

	*w = (struct wire_trace){
		.lane = flags & TRACE_LANE,
		.resync = flags & TRACE_RESYNC,
		.packed = flags & TRACE_PACKED,
	};
	w->number = (uint8_t)read_fixed(&r, 1);
	w->time = (uint32_t)read_fixed(&r, 4);
	w->untold = (uint32_t)read_varint_to(&r, UINT32_MAX);
	w->depth = (uint32_t)read_varint_to(&r, UINT16_MAX);
	if (flags & TRACE_STACK) {
		w->stack = t->stack;
		if (w->depth > WSN_BLOCK_MAX)
			return false;
		for (uint32_t i = 0; i < w->depth; i++)
			t->stack[i] = (uint32_t)read_varint_to(&r, 0x3fffff);
	}
	w->tokens = r.p;
	w->count = (size_t)(r.end - r.p);
	return !r.bad;
}
