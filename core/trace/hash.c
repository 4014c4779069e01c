/* trace/hash: hashes of calls as the nodes make them (docs/PROTOCOL.md, 9). */
#include "core/trace/state.h"

enum { MARK_BOX = 0xb0, MARK_GAP = 0xa0, MARK_KNOWN = 0xc0,
       WORD_TURN = 21, WORD_NO_LEAF = 0x100 };

#define WORD_FACTOR UINT32_C(0x9e3779b5)

/* --- bytes: encodings 1, 7 and 8 -------------------------------------------------------------- */

static bool is_wide(const struct token_dialect *d)
{
	return d->hash == HASH_40;
}

static uint32_t byte_of(uint64_t hash, unsigned n)
{
	return (uint32_t)(hash >> 8 * n) & 0xff;
}

static uint64_t pair_add(const struct token_dialect *d, uint64_t h, uint32_t a, uint32_t b)
{
	uint32_t p = d->factor * (byte_of(h, 2) ^ a) + byte_of(h, 1);
	uint32_t q = d->factor * (byte_of(h, is_wide(d) ? 3 : 0) ^ b) + (p >> 8);

	if (!is_wide(d))
		return q | (p & 0xff) << 16;
	return q | byte_of(h, 4) << 16 | byte_of(h, 0) << 24 | (uint64_t)(p & 0xff) << 32;
}

static uint64_t byte_add(uint64_t h, unsigned n, uint32_t value)
{
	uint64_t sum = (byte_of(h, n) + value) & 0xff;

	return (h & ~(UINT64_C(0xff) << 8 * n)) | sum << 8 * n;
}

static uint64_t bytes_call(const struct token_dialect *d, uint64_t h, uint64_t call)
{
	h = pair_add(d, h, byte_of(call, is_wide(d) ? 3 : 0), byte_of(call, 2));
	if (!is_wide(d))
		return byte_add(h, 1, byte_of(call, 1));
	h = byte_add(h, 1, byte_of(call, 4));
	h = byte_add(h, 2, byte_of(call, 1));
	return byte_add(h, 3, byte_of(call, 0));
}

static uint64_t bytes_leaf(const struct token_dialect *d, uint64_t h, uint32_t id)
{
	if (id > TOKEN_NARROW)
		return pair_add(d, h, id & 0xff, 0x80 | id >> 8);
	return pair_add(d, h, 0x80 | id, 0);
}

static uint64_t bytes_number(const struct token_dialect *d, uint64_t h, uint32_t n)
{
	h = pair_add(d, h, n & 0xff, n >> 8 & 0xff);
	return pair_add(d, h, n >> 16 & 0xff, n >> 24);
}

/* --- a word and the sum of what it was: encoding 2 -------------------------------------------- */

struct words {
	uint32_t word;
	uint8_t side;
};

static uint32_t word_turn(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

/*
 * As if the call ended here, which adds its word to its side. The side has the low bits, the word's
 * low byte the highest ones: it is in no reference.
 */
static uint64_t words_join(struct words w)
{
	return (uint8_t)(w.side + w.word) | (uint64_t)word_turn(w.word, 8) << 8;
}

static struct words words_of(uint64_t h)
{
	uint32_t word = word_turn((uint32_t)(h >> 8), 24);

	return (struct words){ word, (uint8_t)(h - word) };
}

static uint64_t words_add(uint64_t h, uint32_t child)
{
	struct words w = words_of(h);

	w.word = w.word * WORD_FACTOR + child;
	w.side += (uint8_t)w.word;
	return words_join(w);
}

static uint64_t words_call(uint64_t h, uint64_t call)
{
	struct words w = words_of(h);

	w.word = (w.word + word_turn(words_of(call).word, WORD_TURN)) * WORD_FACTOR;
	w.side += (uint8_t)call;
	return words_join(w);
}

/* --- which ------------------------------------------------------------------------------------ */

uint64_t token_hash_begin(const struct token_dialect *d, uint32_t id)
{
	if (d->hash == HASH_WORDS)
		return words_join((struct words){ id, 0 });
	return is_wide(d) ? (id & 0xffff) | (uint64_t)(id & 0xff) << 24 : id;
}

uint64_t token_hash_leaf(const struct token_dialect *d, uint64_t h, uint32_t id)
{
	if (d->hash == HASH_WORDS)
		return words_add(h, id | (id > TOKEN_NARROW ? 0x8000 : 0x80));
	return bytes_leaf(d, h, id);
}

uint64_t token_hash_call(const struct token_dialect *d, uint64_t h, uint64_t call)
{
	if (d->hash == HASH_WORDS)
		return words_call(h, call);
	return bytes_call(d, h, call);
}

uint64_t token_hash_known(const struct token_dialect *d, uint64_t h, uint64_t call, bool boxed)
{
	if (boxed && d->hash != HASH_WORDS)
		h = pair_add(d, h, MARK_KNOWN, 1);
	h = token_hash_call(d, h, call);
	return boxed && d->hash == HASH_WORDS ? words_add(h, WORD_NO_LEAF + MARK_KNOWN) : h;
}

uint64_t token_hash_box(const struct token_dialect *d, uint64_t h, uint32_t id, uint32_t n)
{
	if (d->hash == HASH_WORDS)
		return words_add(words_add(words_add(h, n), id), WORD_NO_LEAF + MARK_BOX);
	h = pair_add(d, h, MARK_BOX, 1);
	h = pair_add(d, h, id & 0xff, id >> 8 & 0xff);
	return bytes_number(d, h, n);
}

uint64_t token_hash_gap(const struct token_dialect *d, uint64_t h, uint32_t n)
{
	if (d->hash == HASH_WORDS)
		return words_add(words_add(h, n), WORD_NO_LEAF + MARK_GAP);
	return bytes_number(d, pair_add(d, h, MARK_GAP, 1), n);
}
