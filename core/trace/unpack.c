/*
 * trace/unpack: tokens of a packed frame (docs/PROTOCOL.md, 9, Packed frames): the node's packer
 * (target-common/wsntrace_pack.c), backwards. What a frame does not say is the same in all.
 */
#include "core/trace/state.h"

#include <string.h>

/* Where the chances of what begin. A tree of n bits has nodes 1 to 2^n - 1. */
enum { MISSED = 0, KINDS = 3, NEAR = 11, NEARER = 27, UNKNOWN = 43 };

enum { SUREST = 3, ID_SHORT = 127 };

static const uint8_t usual[UNPACK_CHANCES] = {
	40, 196, 226, 245,
	208, 151, 184, 139, 152, 231, 56,
	100, 213, 177, 60, 160, 126, 135, 128, 194, 135, 56, 84, 167, 64, 192, 128,
	225, 206, 227, 103, 227, 76, 223, 192, 211, 127, 79, 157, 200, 100, 192, 128,
	16, 209, 207, 113, 136, 118, 209, 230, 32, 219, 128, 36, 188, 41, 230, 32,
};

static const enum token_kind kinds[8] = {
	TOKEN_STAMP, TOKEN_REF, TOKEN_LEAF, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_KINDS, TOKEN_BOX,
	TOKEN_STAMP_OWN,
};

enum { KIND_OTHER = 5, KIND_STAMP_OWN = 7 };

static bool kind_is_stamp(unsigned kind)
{
	return kinds[kind] == TOKEN_STAMP || kinds[kind] == TOKEN_STAMP_OWN;
}

/* --- the range coder: RFC 6386, 7.3 ----------------------------------------------------------- */

/* Bytes that are not there are 0. */
static uint8_t byte_take(struct unpack *u)
{
	return u->p == u->end ? 0 : *u->p++;
}

static bool bit_take(struct unpack *u, uint8_t chance)
{
	unsigned split = 1 + ((u->range - 1) * chance >> 8);
	bool bit = u->value >= split << 8;

	u->value -= bit ? split << 8 : 0;
	u->range = bit ? u->range - split : split;
	while (u->range < 128) {
		u->range <<= 1;
		u->value <<= 1;
		if (++u->shifted == 8) {
			u->value |= byte_take(u);
			u->shifted = 0;
		}
	}
	return bit;
}

static bool learned_take(struct unpack *u, unsigned which)
{
	uint8_t chance = u->chance[which];
	bool bit = bit_take(u, chance);

	u->chance[which] = (uint8_t)(bit ? chance - (chance >> 3) : chance + ((256 - chance) >> 3));
	return bit;
}

/* From the frame's end on, the lowest first. */
static uint32_t plain_take(struct unpack *u, unsigned bits)
{
	uint32_t x;

	for (; u->held < bits; u->held += 8)
		u->window |= (u->behind == u->begin ? 0 : (uint32_t)*--u->behind) << u->held;
	x = u->window & ((UINT32_C(1) << bits) - 1);
	u->window >>= bits;
	u->held -= bits;
	return x;
}

static unsigned tree_take(struct unpack *u, unsigned first, unsigned bits)
{
	unsigned node = 1;

	for (unsigned i = 0; i < bits; i++)
		node = node << 1 | learned_take(u, first + node);
	return node & ((1U << bits) - 1);
}

static uint16_t number_take(struct unpack *u, unsigned first, bool sign)
{
	bool minus;
	unsigned bits;
	uint32_t x;

	if (!learned_take(u, first))
		return 0;
	minus = sign && plain_take(u, 1);
	bits = tree_take(u, first, 4);
	x = UINT32_C(1) << bits | plain_take(u, bits);
	return (uint16_t)(minus ? 0 - x : x);
}

/* --- tokens ----------------------------------------------------------------------------------- */

void unpack_begin(struct unpack *u, const struct token_dialect *d, const uint8_t *p, size_t n)
{
	*u = (struct unpack){ .d = d, .p = p, .end = p + n, .range = 255 };
	u->left = byte_take(u);
	u->begin = u->p;
	u->behind = u->end;
	memcpy(u->chance, usual, sizeof(usual));
	for (unsigned i = 0; i < UNPACK_SLOTS; i++)
		u->slots[i].kind = KIND_OTHER;
	u->value = (unsigned)byte_take(u) << 8;
	u->value |= byte_take(u);
}

/* One that the encoding alone knows: its own bytes. */
static bool other_take(struct unpack *u, struct token *t)
{
	uint8_t bytes[15];
	size_t n = plain_take(u, 4);

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)plain_take(u, 8);
	return n && u->d->read(bytes, n, t) == n;
}

static bool literal_take(struct unpack *u, unsigned *kind, uint32_t *value, struct token *t)
{
	*kind = tree_take(u, KINDS, 3);
	switch (kinds[*kind]) {
	case TOKEN_REF:
		*value = plain_take(u, u->d->ref_bits);
		return true;
	case TOKEN_BOX:
		*value = plain_take(u, 16);
		return true;
	case TOKEN_LEAF:
	case TOKEN_OPEN:
		*value = plain_take(u, 7);
		if (*value == ID_SHORT)
			*value = plain_take(u, 15);
		return *value != 0;
	case TOKEN_STAMP:
	case TOKEN_STAMP_OWN:
	case TOKEN_CLOSE:
		return true;
	default:
		return *kind == KIND_OTHER && other_take(u, t);
	}
}

/* The units since the stamp before, into the slot; the frame's first says all. */
static void stamp_take(struct unpack *u, bool hit, unsigned kind, const struct unpack_slot *slot,
		       struct token *t)
{
	uint16_t since;

	if (!u->stamped) {
		u->stamped = true;
		t->kind = kinds[kind];
		t->count = plain_take(u, 16);
		since = hit ? (uint16_t)slot->value : 0;
	} else {
		t->kind = kind == KIND_STAMP_OWN ? TOKEN_STAMP_OWN_SHORT : TOKEN_STAMP_SHORT;
		since = !hit ? number_take(u, UNKNOWN, false) :
			(uint16_t)(slot->value + number_take(u, slot->sure ? NEARER : NEAR, true));
		t->count = since;
	}
	u->since = since;
}

static void place_follow(struct unpack *u, unsigned kind, uint32_t value)
{
	uint8_t place = (uint8_t)(37 * kind);

	if (kind_is_stamp(kind)) {
		u->stamps += u->stamps < 2;
		return;
	}
	for (; value; value >>= 8)
		place ^= (uint8_t)value;
	u->place = place ^ place >> 5;
	u->stamps = 0;
}

static void slot_learn(struct unpack_slot *slot, bool hit, unsigned kind, uint32_t value)
{
	if (!hit && slot->sure >= 2) {
		slot->sure -= 2;
		return;
	}
	slot->sure = hit ? slot->sure + (slot->sure < SUREST) : 0;
	slot->kind = (uint8_t)kind;
	slot->value = value;
}

/* What the encodings share. */
static bool token_make(unsigned kind, uint32_t value, struct token *t)
{
	t->kind = kinds[kind];
	t->id = value;
	if (t->kind == TOKEN_BOX) {
		t->id = value & 0xff;
		t->count = value >> 8;
		return t->id && t->count;
	}
	return true;
}

bool unpack_next(struct unpack *u, struct token *t)
{
	struct unpack_slot *slot = &u->slots[(uint8_t)(u->place + 21 * u->stamps) % UNPACK_SLOTS];
	unsigned kind = slot->kind;
	uint32_t value = slot->value;
	bool hit;

	*t = (struct token){ .kind = TOKEN_CLOSE };
	u->left--;
	hit = !learned_take(u, MISSED + slot->sure);
	if (hit ? kind == KIND_OTHER : !literal_take(u, &kind, &value, t))
		return false;
	if (kind_is_stamp(kind)) {
		place_follow(u, kind, 0);
		stamp_take(u, hit, kind, slot, t);
		slot_learn(slot, hit, kind, u->since);
		return true;
	}
	if (kind == KIND_OTHER || kinds[kind] == TOKEN_CLOSE)
		value = 0;
	place_follow(u, kind, value);
	slot_learn(slot, hit, kind, value);
	return kind == KIND_OTHER || token_make(kind, value, t);
}
