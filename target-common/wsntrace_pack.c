/* wsntrace_pack: a call trace's tokens, predicted, through a range coder. */
#include "wsnprof_node.h"

#if WSNPROF_TRACE_PACK

#include "wsntrace_pack.h"

enum { SLOTS = WSNTRACE_PACK_SLOTS, ROOM = WSNTRACE_PACK_ROOM, KIND = 7, SURE = 8, SUREST = 24 };

/* Where the chances of what begin. A tree of n bits has nodes 1 to 2^n - 1. */
enum { MISSED = 0, KINDS = 3, NUMBERS = 11, NUMBER = 16, UNKNOWN = NUMBERS + 2 * NUMBER };

/* At a frame's beginning: about what the demo, a packet stack and others have on the average. */
static const uint8_t usual[WSNTRACE_PACK_CHANCES] WSNPROF_ROM = {
	40, 196, 226, 245,
	208, 151, 184, 139, 152, 231, 56,
	/* numbers: near a prediction that is new; nearer to one that was right; any */
	100, 213, 177, 60, 160, 126, 135, 128, 194, 135, 56, 84, 167, 64, 192, 128,
	225, 206, 227, 103, 227, 76, 223, 192, 211, 127, 79, 157, 200, 100, 192, 128,
	16, 209, 207, 113, 136, 118, 209, 230, 32, 219, 128, 36, 188, 41, 230, 32,
};

#define OUT_OF_LINE __attribute__((noinline))

/* --- the range coder: that of RFC 6386, 7.3 --------------------------------------------------- */

/* `low` has 8 bits that count in the interval, above them 7, above them a carry. */
static WSNPROF_QUIET OUT_OF_LINE void byte_put(struct wsntrace_pack *k, uint16_t low)
{
	uint8_t *p = k->body + k->at++;

	*p = (uint8_t)(low >> 7);
	if (low & 0x8000)
		while (++*--p == 0)
			;
}

static WSNPROF_QUIET OUT_OF_LINE void bit_put(struct wsntrace_pack *k, uint8_t which,
							    bool bit)
{
	uint8_t *chance = k->chance + which;
	uint8_t c = *chance, range = k->range, pending;
	uint8_t split = (uint8_t)(1 + ((uint16_t)((uint8_t)(range - 1) * c) >> 8));
	uint16_t low;

	if (bit) {
		k->low += split;
		range -= split;
		c -= c >> 3;
	} else {
		range = split;
		c += (uint8_t)-c >> 3;
	}
	*chance = c;
	if (!(range & 0x80)) {
		low = k->low;
		pending = k->pending;
		do {
			if (pending == 7) {
				byte_put(k, low);
				low &= 0x7f;
				pending = 0xff;
			}
			low <<= 1;
			pending++;
			range = (uint8_t)(range << 1);
		} while (!(range & 0x80));
		k->low = low;
		k->pending = pending;
	}
	k->range = range;
}

/* So many that whatever follows is no part of the number. */
static WSNPROF_QUIET void coder_end(struct wsntrace_pack *k)
{
	uint16_t low = (k->low + 63) & (uint16_t)~63;
	bool more = k->pending == 7;

	for (; k->pending != 7; k->pending++)
		low <<= 1;
	byte_put(k, low);
	if (more)
		k->body[k->at++] = (uint8_t)(low << 1);
}

/* The low bits of x, as they are, the lowest first. */
static WSNPROF_QUIET OUT_OF_LINE void plain_put(struct wsntrace_pack *k, uint16_t x,
							      uint8_t bits)
{
	while (bits) {
		uint8_t n = bits < 8 ? bits : 8;
		uint8_t held = k->held;
		uint16_t window = (uint16_t)((uint8_t)x & (uint8_t)(0xff >> (8 - n))) << held;

		window |= k->window;
		held += n;
		if (held >= 8) {
			k->behind++;
			k->body[sizeof(k->body) - k->behind] = (uint8_t)window;
			window >>= 8;
			held -= 8;
		}
		k->held = held;
		k->window = window;
		x >>= 8;
		bits -= n;
	}
}

static WSNPROF_QUIET OUT_OF_LINE void tree_put(struct wsntrace_pack *k,
							     uint8_t first, uint8_t x, uint8_t bits)
{
	uint8_t node = 1;

	for (uint8_t top = 1 << (bits - 1); top; top >>= 1) {
		bool bit = x & top;

		bit_put(k, first + node, bit);
		node = (uint8_t)(node << 1 | bit);
	}
}

/* 0, or how many bits it has, then those behind the first. */
static WSNPROF_QUIET void number_put(struct wsntrace_pack *k, uint8_t first, uint16_t x, bool sign)
{
	bool minus = sign && x & 0x8000;
	uint8_t bits = 0;
	uint16_t rest;

	bit_put(k, first, x != 0);
	if (!x)
		return;
	if (sign)
		plain_put(k, minus, 1);
	if (minus)
		x = (uint16_t)-x;
	for (rest = x; rest > 1; rest >>= 1)
		bits++;
	tree_put(k, first, bits, 4);
	plain_put(k, x, bits);
}

/* --- tokens ----------------------------------------------------------------------------------- */

/* What is not predicted; a stamp's number is not in it. */
static WSNPROF_QUIET void literal_put(struct wsntrace_pack *k, uint8_t kind, wsntrace_value value,
				      const uint8_t *bytes, uint8_t n)
{
	tree_put(k, KINDS, kind, 3);
	switch (kind) {
	case WSNTRACE_KIND_REF:
	case WSNTRACE_KIND_BOX:
		plain_put(k, (uint16_t)value, 16);
#if WSNTRACE_REF_BYTES > 2
		if (kind == WSNTRACE_KIND_REF)
			plain_put(k, (uint16_t)(value >> 16), 8);
#endif
		break;
	case WSNTRACE_KIND_LEAF:
	case WSNTRACE_KIND_OPEN:
		plain_put(k, value < 127 ? (uint16_t)value : 127, 7);
		if (value >= 127)
			plain_put(k, (uint16_t)value, 15);
		break;
	case WSNTRACE_KIND_OTHER:
		plain_put(k, n, 4);
		while (n--)
			plain_put(k, *bytes++, 8);
		break;
	}
}

/* The units since the stamp before; `predicted` ones were expected. */
static WSNPROF_QUIET uint16_t stamp_put(struct wsntrace_pack *k, uint16_t stamp, bool hit,
					uint8_t sure, uint16_t predicted)
{
	uint16_t since = (uint16_t)(stamp - k->stamp);

	k->stamp = stamp;
	if (!k->stamped) {
		k->stamped = true;
		plain_put(k, stamp, 16);
		return hit ? predicted : 0;
	}
	if (hit)
		number_put(k, sure ? NUMBERS + NUMBER : NUMBERS, (uint16_t)(since - predicted),
			   true);
	else
		number_put(k, UNKNOWN, since, false);
	return since;
}

/* The place behind this token. */
static WSNPROF_QUIET void place_follow(struct wsntrace_pack *k, uint8_t kind, wsntrace_value value)
{
	uint8_t place = (uint8_t)(37 * kind);

	if (wsntrace_kind_is_stamp(kind)) {
		k->stamps += k->stamps < 2;
		return;
	}
	place ^= (uint8_t)value ^ (uint8_t)(value >> 8);
#if WSNTRACE_REF_BYTES > 2
	place ^= (uint8_t)(value >> 16);
#endif
	k->place = place ^ place >> 5;
	k->stamps = 0;
}

void wsntrace_pack_begin(struct wsntrace_pack *k, uint8_t at)
{
	uint8_t i;

	for (i = 0; i < SLOTS; i++)
		k->kind[i] = WSNTRACE_KIND_OTHER;
	wsnprof_rom_copy(k->chance, usual, sizeof(usual));
	k->place = k->stamps = 0;
	k->stamped = k->full = false;
	k->range = 255;
	k->low = k->window = 0;
	k->pending = k->behind = k->held = 0;
	k->counted = at;
	k->body[at] = 0;
	k->at = at + 1;
}

static WSNPROF_QUIET uint8_t behind_bytes(const struct wsntrace_pack *k)
{
	return k->behind + (k->held != 0);
}

bool wsntrace_pack_put(struct wsntrace_pack *k, uint8_t kind, wsntrace_value value,
		       const uint8_t *bytes, uint8_t n)
{
	uint8_t slot = (uint8_t)(k->place + 21 * k->stamps) % SLOTS;
	uint8_t was = k->kind[slot], sure = was & SUREST;
	bool stamp = wsntrace_kind_is_stamp(kind);
	bool hit = kind == (was & KIND) && kind != WSNTRACE_KIND_OTHER &&
		   (stamp || value == k->value[slot]);
	struct {
		uint8_t behind, held;
		uint16_t window;
	} before;

	before.behind = k->behind;
	before.held = k->held;
	before.window = k->window;
	bit_put(k, MISSED + sure / SURE, !hit);
	if (!hit)
		literal_put(k, kind, value, bytes, n);
	place_follow(k, kind, value);
	if (stamp)
		value = stamp_put(k, (uint16_t)value, hit, sure, (uint16_t)k->value[slot]);
	if (hit || sure < 2 * SURE) {
		k->value[slot] = value;
		k->kind[slot] = kind | (!hit ? 0 : sure < SUREST ? sure + SURE : sure);
	} else {
		k->kind[slot] = was - 2 * SURE;
	}
	if (k->at + 2 + behind_bytes(k) > ROOM) {
		/* the bytes that fit tell the others whole */
		k->behind = before.behind;
		k->held = before.held;
		k->window = before.window;
		wsntrace_pack_end(k);
		return false;
	}
	if (++k->body[k->counted] == 255)
		wsntrace_pack_end(k);
	return true;
}

void wsntrace_pack_end(struct wsntrace_pack *k)
{
	uint8_t behind;

	if (k->full)
		return;
	k->full = true;
	if (!k->body[k->counted]) {
		k->at = k->counted + 1;
		return;
	}
	coder_end(k);
	if (k->held) {
		k->behind++;
		k->body[sizeof(k->body) - k->behind] = (uint8_t)k->window;
	}
	behind = k->behind;
	if (k->at > ROOM - behind)
		k->at = (uint8_t)(ROOM - behind);
	for (; behind; behind--)
		k->body[k->at++] = k->body[sizeof(k->body) - behind];
}

#endif
