/* trace/token: the encodings of call traces (docs/PROTOCOL.md, 9). */
#include "core/trace/state.h"

#include "core/base/varint.h"

/* --- 1, 7, 8: bytes, AVR; 2: the same, Cortex-M ----------------------------------------------- */

enum {
	BYTES_STAMP = 0x00, BYTES_SHORT = 0x7d, BYTES_CLOSE = 0x7e,
	BYTES_REF = 0x7f, BYTES_STAMP_OWN = 0x80, BYTES_LEAF = 0x80, BYTES_AWAY = 0xfd,
	BYTES_WIDE = 0xfe, BYTES_MORE = 0xff, BYTES_WIDE_LEAF = 0x8000,
};

/* Behind 0xff. */
enum bytes_more {
	MORE_FORGET = 1, MORE_BOX, MORE_BOX_REF, MORE_MARK, MORE_VALUE, MORE_STATE, MORE_GAP,
};

/* Reads on; once bytes are missing, all further reads give 0. */
struct byte_reader {
	const uint8_t *p, *end;
	bool cut;
	bool wide;		/* references have 24 bits, else 16 */
};

static uint32_t byte_next(struct byte_reader *r)
{
	if (r->p == r->end) {
		r->cut = true;
		return 0;
	}
	return *r->p++;
}

static uint32_t pair_next(struct byte_reader *r)
{
	uint32_t low = byte_next(r);

	return low | byte_next(r) << 8;
}

static uint32_t ref_next(struct byte_reader *r)
{
	uint32_t low = pair_next(r);

	return r->wide ? low | byte_next(r) << 16 : low;
}

static uint64_t number_next(struct byte_reader *r)
{
	uint64_t x = 0;
	size_t n = varint_get(r->p, (size_t)(r->end - r->p), &x);

	if (!n)
		r->cut = true;
	r->p += n;
	return x;
}

static int64_t signed_next(struct byte_reader *r)
{
	uint64_t n = number_next(r);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

static bool more_read(struct byte_reader *r, struct token *t)
{
	enum bytes_more more = (enum bytes_more)byte_next(r);

	switch (more) {
	case MORE_FORGET:
		t->kind = TOKEN_FORGET;
		return true;
	case MORE_BOX:
		t->kind = TOKEN_BOX;
		t->id = byte_next(r);
		if (t->id == 0)
			t->id = pair_next(r);
		t->count = number_next(r);
		return t->count > 0;
	case MORE_BOX_REF:
		t->kind = TOKEN_BOX_REF;
		t->id = ref_next(r);
		return true;
	case MORE_MARK:
		t->kind = TOKEN_MARK;
		t->id = (uint32_t)number_next(r);
		return true;
	case MORE_VALUE:
	case MORE_STATE:
		t->kind = more == MORE_VALUE ? TOKEN_VALUE : TOKEN_STATE;
		t->id = (uint32_t)number_next(r);
		t->value = more == MORE_VALUE ? signed_next(r) : (int64_t)number_next(r);
		return true;
	case MORE_GAP:
		t->kind = TOKEN_GAP;
		t->count = number_next(r);
		return true;
	}
	return false;
}

static bool wide_read(struct byte_reader *r, struct token *t)
{
	uint32_t id = pair_next(r);

	t->kind = id & BYTES_WIDE_LEAF ? TOKEN_LEAF : TOKEN_OPEN;
	t->id = id & ~(uint32_t)BYTES_WIDE_LEAF;
	return t->id != 0;
}

static bool byte_token_read(struct byte_reader *r, struct token *t)
{
	uint32_t first = byte_next(r);

	if (first == BYTES_STAMP || first == BYTES_SHORT) {
		t->kind = first == BYTES_STAMP ? TOKEN_STAMP : TOKEN_STAMP_SHORT;
		t->count = first == BYTES_STAMP ? pair_next(r) : byte_next(r);
	} else if (first == BYTES_STAMP_OWN) {
		t->kind = TOKEN_STAMP_OWN;
		t->count = pair_next(r);
	} else if (first == BYTES_CLOSE) {
		t->kind = TOKEN_CLOSE;
	} else if (first == BYTES_REF) {
		t->kind = TOKEN_REF;
		t->id = ref_next(r);
	} else if (first == BYTES_AWAY) {
		t->kind = TOKEN_AWAY;
		t->id = byte_next(r);
	} else if (first == BYTES_WIDE) {
		return wide_read(r, t);
	} else if (first == BYTES_MORE) {
		return more_read(r, t);
	} else {
		t->kind = first & BYTES_LEAF ? TOKEN_LEAF : TOKEN_OPEN;
		t->id = first & ~(uint32_t)BYTES_LEAF;
		return t->id > 0 && t->id <= TOKEN_NARROW;
	}
	return true;
}

static size_t token_read(struct byte_reader r, struct token *t)
{
	const uint8_t *p = r.p;

	*t = (struct token){ .kind = TOKEN_CLOSE };
	return byte_token_read(&r, t) && !r.cut ? (size_t)(r.p - p) : 0;
}

static size_t byte_tokens_read(const uint8_t *p, size_t n, struct token *t)
{
	return token_read((struct byte_reader){ .p = p, .end = p + n }, t);
}

static size_t wide_tokens_read(const uint8_t *p, size_t n, struct token *t)
{
	return token_read((struct byte_reader){ .p = p, .end = p + n, .wide = true }, t);
}

/* --- which ------------------------------------------------------------------------------------ */

#define BITS { .bits = true }

static const struct token_dialect dialects[] = {
	[1] = { .read = byte_tokens_read, .hash = HASH_24, .factor = 251, .ref_bits = 16 },
	[2] = { .read = wide_tokens_read, .hash = HASH_WORDS, .ref_bits = 24 },
	[3] = BITS,		/* global ids */
	[4] = BITS,		/* local ids */
	[5] = BITS,		/* local ids, Huffman */
	[6] = BITS,		/* control flow */
	[7] = { .read = wide_tokens_read, .hash = HASH_40, .factor = 251, .ref_bits = 24 },
	[8] = { .read = byte_tokens_read, .hash = HASH_24, .factor = 231, .ref_bits = 16 },
};

const struct token_dialect *token_dialect(unsigned encoding)
{
	if (encoding >= sizeof(dialects) / sizeof(dialects[0]) ||
	    (!dialects[encoding].read && !dialects[encoding].bits))
		return NULL;
	return &dialects[encoding];
}
