/*
 * trace/bits: encodings 3 to 6 (docs/PROTOCOL.md, 9): a string of bits, the lowest of a byte first.
 *
 * What a token is depends on the innermost open call, and which codes that has is in the ELF. A
 * frame that is lost therefore costs all up to a batch at whose beginning nothing is open, or only
 * what is known to be.
 */
#include "core/trace/state.h"

#include "core/base/varint.h"

enum {
	ENCODING_GLOBAL = 3, ENCODING_LOCAL = 4, ENCODING_HUFFMAN = 5, ENCODING_FLOW = 6,
	ID_BITS = 7,			/* behind an escape */
	HEAD_UNUSED = 0x07, HEAD_GOES_ON = 0x08, HEAD_BATCH_ENDS = 0x10,
	NEED_MORE = 0, TOKEN_BITS_MAX = 16,
};

/* A frame, its head taken off. */
struct bits_frame {
	const uint8_t *p, *end;
	unsigned unused;		/* bits of the last byte */
	uint32_t floor;			/* calls that stayed open while some were not told */
	bool goes_on, batch_ends;
};

static bool frame_read(struct bits_frame *b, const struct wire_trace *frame, bool has_floor)
{
	uint64_t floor = 0;
	size_t n;

	*b = (struct bits_frame){ .p = frame->tokens, .end = frame->tokens + frame->count };
	if (!frame->count)
		return false;
	b->goes_on = *b->p & HEAD_GOES_ON;
	b->batch_ends = *b->p & HEAD_BATCH_ENDS;
	b->unused = b->batch_ends ? *b->p & HEAD_UNUSED : 0;
	b->p++;
	if (frame->resync && has_floor) {
		n = varint_get(b->p, (size_t)(b->end - b->p), &floor);
		if (!n)
			return false;
		b->p += n;
	}
	b->floor = floor < TRACE_DEPTH ? (uint32_t)floor : TRACE_DEPTH;
	return b->p < b->end || !b->unused;
}

/* --- tokens ----------------------------------------------------------------------------------- */

/* Of the bits at hand. Its length; NEED_MORE; above TOKEN_BITS_MAX: it is none. */
static unsigned call_read(const struct lane *l, uint32_t bits, unsigned count, unsigned skip,
			  unsigned length, struct token *t)
{
	if (count < length)
		return NEED_MORE;
	t->id = (bits & ((UINT32_C(1) << length) - 1)) >> skip;
	t->kind = traced_is_leaf(l->traced, t->id) ? TOKEN_LEAF : TOKEN_OPEN;
	return t->id ? length : TOKEN_BITS_MAX + 1;
}

static unsigned scope_read(const struct lane *l, uint32_t bits, unsigned count, struct token *t)
{
	size_t codes = 0;
	const struct traced_code *c = traced_scope(l->traced, l->open[l->depth - 1].id, &codes);
	bool cut = !codes;

	for (size_t i = 0; i < codes; i++) {
		uint32_t mask = (UINT32_C(1) << c[i].length) - 1;

		if (count < c[i].length) {
			cut = true;
			continue;
		}
		if ((bits & mask) != c[i].bits)
			continue;
		t->kind = c[i].to == TRACED_RETURN ? TOKEN_CLOSE : TOKEN_OPEN;
		t->id = c[i].to == TRACED_RETURN ? 0 : c[i].to;
		if (t->id && traced_is_leaf(l->traced, t->id))
			t->kind = TOKEN_LEAF;
		return c[i].length;
	}
	return cut && count < ID_BITS ? NEED_MORE : TOKEN_BITS_MAX + 1;
}

static unsigned token_read(const struct lane *l, uint32_t bits, unsigned count, struct token *t)
{
	unsigned escape = l->encoding == ENCODING_LOCAL ? 2 : 4;
	uint32_t escapes = l->encoding == ENCODING_LOCAL ? 2 : 0;

	*t = (struct token){ .kind = TOKEN_CLOSE };
	if (l->encoding == ENCODING_GLOBAL)
		return bits & 1 ? call_read(l, bits, count, 1, l->call_bits, t) : 1;
	if (!l->depth)
		return call_read(l, bits, count, 0, ID_BITS, t);
	if (count >= escape && (bits & ((1u << escape) - 1)) == escapes)
		return call_read(l, bits, count, escape, escape + ID_BITS, t);
	if (count < escape && (l->encoding == ENCODING_LOCAL ? !(bits & 1) : !bits))
		return NEED_MORE;		/* the beginning of an escape, or a return's */
	if (l->encoding == ENCODING_LOCAL && (bits & 3) == 0)
		return 2;
	return scope_read(l, bits, count, t);
}

static unsigned token_take(const struct feed *f, uint32_t bits, unsigned count)
{
	struct token t;
	unsigned n;

	if (f->lane->encoding == ENCODING_FLOW)
		return flow_take(f, bits, count);
	n = token_read(f->lane, bits, count, &t);
	if (n == NEED_MORE || n > TOKEN_BITS_MAX)
		return n;
	return store_reserve(&f->lane->store, 2, f->lane->stamp) == 0 && lane_token(f, &t) ?
	       n : TOKEN_BITS_MAX + 1;
}

/* Those that are whole. False: one has no meaning, or contradicts what was told. */
static bool tokens_read(const struct feed *f, struct bits_frame *b)
{
	struct lane *l = f->lane;
	uint32_t bits = l->bits;
	unsigned count = l->bit_count;
	bool last;

	do {
		unsigned n;

		last = b->p == b->end;
		if (!last) {
			bits |= (uint32_t)*b->p++ << count;
			count += 8 - (b->p == b->end ? b->unused : 0);
			bits &= (uint32_t)((UINT64_C(1) << count) - 1);
		}
		while (count && (n = token_take(f, bits, count)) != NEED_MORE) {
			if (n > TOKEN_BITS_MAX)
				return false;
			bits >>= n;
			count -= n;
		}
	} while (!last);
	l->bits = bits;
	l->bit_count = count;
	return count <= TOKEN_BITS_MAX;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Calls above `floor` may have returned, and others may be open in their place. */
static bool batch_join(struct lane *l, const struct wire_trace *frame, uint32_t floor)
{
	uint32_t ids[TRACE_DEPTH];
	struct wire_trace known = *frame;
	bool next = l->begun && !l->broken && (uint8_t)(l->number + 1) == frame->number;

	if (next && !frame->resync && l->depth == frame->depth)
		return true;
	for (uint32_t i = 0; i < frame->depth; i++)
		ids[i] = next && i < floor && i < l->depth ? l->open[i].id : 0;
	known.stack = ids;
	return lane_loss(l, &known);
}

bool lane_bits(const struct feed *f, const struct wire_trace *frame)
{
	struct lane *l = f->lane;
	struct bits_frame b;
	bool flows = l->encoding == ENCODING_FLOW, ok = frame_read(&b, frame, !flows);

	if (ok && b.goes_on && (l->broken || !l->begun))
		return false;			/* of a batch whose beginning is not known */
	if (ok && b.goes_on && (uint8_t)(l->number + 1) != frame->number) {
		lane_loss(l, frame);
		return false;
	}
	if (ok && !b.goes_on) {
		l->bits = l->bit_count = 0;
		l->waits = false;
		ok = flows ? flow_join(f, frame) : batch_join(l, frame, b.floor);
	}
	if (!ok || !tokens_read(f, &b)) {
		l->stats.bad += !l->waits;
		return false;
	}
	if (!b.batch_ends)
		return true;
	return store_reserve(&l->store, 2, l->stamp) == 0 &&
	       lane_token(f, &(struct token){ .kind = TOKEN_STAMP, .count = f->end & 0xffff });
}
