/*
 * test_unpack: what the node's packer (target-common/wsntrace_pack.c) writes, the host's reader
 * (core/trace/unpack.c) reads: tokens at random and in patterns, until the frame is full. Then
 * hostile bytes.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#define WSNPROF_CONFIG "tests/unit/tracenode/wsnprof_config.h"
#define WSNPROF_PORT "tests/unit/tracenode/wsnprof_port.h"
#include "target-common/wsntrace_pack.c"

#include "core/trace/state.h"

/* --- the chip --------------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t dice_roll(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* --- tokens ----------------------------------------------------------------------------------- */

struct made {
	uint8_t kind, n;
	uint16_t value;
	uint8_t bytes[12];
};

static struct made token_made(unsigned noise)
{
	static const uint8_t others[][5] = {
		{ 0xff, 1 }, { 0xff, 3, 0x34, 0x12 }, { 0xff, 2, 0, 0x2c, 1 }, { 0xff, 4, 0x85, 1 },
		{ 0xfd, 5 },
	};
	static const uint8_t lengths[] = { 2, 4, 0, 4, 2 };
	struct made m = { .kind = (uint8_t)dice_roll(noise > 50 ? 8 : 4) };
	unsigned which = dice_roll(5);

	switch (m.kind) {
	case WSNTRACE_KIND_STAMP:
	case WSNTRACE_KIND_STAMP_OWN:
		m.value = (uint16_t)dice_roll(dice_roll(100) < noise ? 65536 : 4);
		break;
	case WSNTRACE_KIND_REF:
		m.value = (uint16_t)(dice_roll(100) < noise ? dice_roll(65536) : 4242);
		break;
	case WSNTRACE_KIND_LEAF:
	case WSNTRACE_KIND_OPEN:
		m.value = (uint16_t)(1 + dice_roll(dice_roll(100) < noise ? 32767 : 5));
		break;
	case WSNTRACE_KIND_OTHER:
		m.n = lengths[which] ? lengths[which] : 2;
		memcpy(m.bytes, others[lengths[which] ? which : 0], m.n);
		break;
	case WSNTRACE_KIND_BOX:
		m.value = (uint16_t)((1 + dice_roll(255)) | (1 + dice_roll(127)) << 8);
		break;
	}
	return m;
}

static void token_same(const struct made *m, const struct token *t, uint16_t *stamp)
{
	switch (m->kind) {
	case WSNTRACE_KIND_STAMP:
		*stamp = (uint16_t)(t->kind == TOKEN_STAMP ? t->count : *stamp + t->count);
		assert_true(t->kind == TOKEN_STAMP || t->kind == TOKEN_STAMP_SHORT);
		assert_int_equal(*stamp, m->value);
		break;
	case WSNTRACE_KIND_STAMP_OWN:
		*stamp = (uint16_t)(t->kind == TOKEN_STAMP_OWN ? t->count : *stamp + t->count);
		assert_true(t->kind == TOKEN_STAMP_OWN || t->kind == TOKEN_STAMP_OWN_SHORT);
		assert_int_equal(*stamp, m->value);
		break;
	case WSNTRACE_KIND_REF:
		assert_int_equal(t->kind, TOKEN_REF);
		assert_int_equal(t->id, m->value);
		break;
	case WSNTRACE_KIND_LEAF:
	case WSNTRACE_KIND_OPEN:
		assert_int_equal(t->kind, m->kind == WSNTRACE_KIND_LEAF ? TOKEN_LEAF : TOKEN_OPEN);
		assert_int_equal(t->id, m->value);
		break;
	case WSNTRACE_KIND_CLOSE:
		assert_int_equal(t->kind, TOKEN_CLOSE);
		break;
	case WSNTRACE_KIND_BOX:
		assert_int_equal(t->kind, TOKEN_BOX);
		assert_int_equal(t->id | t->count << 8, m->value);
		break;
	default:
		if (m->bytes[0] == 0xfd) {
			assert_int_equal(t->kind, TOKEN_AWAY);
			assert_int_equal(t->id, m->bytes[1]);
			break;
		}
		assert_int_equal(t->kind, m->bytes[1] == 1 ? TOKEN_FORGET :
				 m->bytes[1] == 3 ? TOKEN_BOX_REF : TOKEN_MARK);
	}
}

/* --- tests ------------------------------------------------------------------------------------ */

enum { LONG = 255 };

/* Tokens until no more fit: how many. `noise`: of 100, how many are not of the pattern. */
static unsigned frame_round(struct wsntrace_pack *k, unsigned noise, unsigned pattern,
			    unsigned stop)
{
	const struct token_dialect *d = token_dialect(1);
	struct made made[LONG + 1];
	uint16_t stamp = 0, told = 0;
	struct unpack u;
	unsigned n = 0;

	wsntrace_pack_begin(k, (uint8_t)(pattern % 7));
	while (!k->full && n < stop) {
		struct made *m = &made[n];

		*m = n >= pattern && dice_roll(100) >= noise ? made[n - pattern] :
							       token_made(noise);
		if (wsntrace_kind_is_stamp(m->kind))
			m->value = stamp += n >= pattern ? 500 : (uint16_t)dice_roll(3);
		if (!wsntrace_pack_put(k, m->kind, m->value, m->bytes, m->n))
			break;
		n++;
	}
	wsntrace_pack_end(k);
	assert_in_range(k->at, k->counted + 1, WSNTRACE_PACK_ROOM);
	unpack_begin(&u, d, k->body + k->counted, (size_t)(k->at - k->counted));
	assert_int_equal(u.left, n);
	for (unsigned i = 0; i < n; i++) {
		struct token t;

		assert_true(unpack_next(&u, &t));
		token_same(&made[i], &t, &told);
	}
	return n;
}

static void what_is_packed_is_read(void **state)
{
	static struct wsntrace_pack k;
	unsigned least = LONG, most = 0;

	(void)state;
	for (seed = 1; seed < 20000 * 77u; seed += 77) {
		uint32_t s = seed;
		unsigned stop = dice_roll(4) ? LONG + 1 : dice_roll(9);
		unsigned n = frame_round(&k, dice_roll(3) * 40, 1 + dice_roll(9), stop);

		least = n < least ? n : least;
		most = n > most ? n : most;
		seed = s;
	}
	assert_int_equal(least, 0);
	assert_int_equal(most, LONG);		/* as many as the number of tokens says */
}

/* One that repeats costs a fraction of a bit, one that does not some 16 bits more than a REF. */
static void what_repeats_costs_little(void **state)
{
	static struct wsntrace_pack k;
	unsigned n = 0;

	(void)state;
	wsntrace_pack_begin(&k, 0);
	while (n < 250 && wsntrace_pack_put(&k, WSNTRACE_KIND_REF, n & 1 ? 77 : 1234, NULL, 0))
		n++;
	wsntrace_pack_end(&k);
	assert_int_equal(n, 250);
	for (unsigned i = 0; i < 2; i++) {	/* no token; none that has bits of its own */
		wsntrace_pack_begin(&k, 0);
		if (i)
			wsntrace_pack_put(&k, WSNTRACE_KIND_CLOSE, 0, NULL, 0);
		wsntrace_pack_end(&k);
		assert_in_range(k.at, 1, 3);
	}
	wsntrace_pack_begin(&k, 0);
	for (n = 0; n < 250; n++)
		wsntrace_pack_put(&k, WSNTRACE_KIND_REF, n & 1 ? 77 : 1234, NULL, 0);
	wsntrace_pack_end(&k);
	assert_in_range(k.at, 6, 20);
	wsntrace_pack_begin(&k, 0);
	n = 0;
	while (wsntrace_pack_put(&k, WSNTRACE_KIND_REF, (uint16_t)dice_roll(65536), NULL, 0))
		n++;
	assert_in_range(n, 15, 21);
}

static void hostile_bytes_end(void **state)
{
	(void)state;
	for (seed = 1; seed < 3000; seed++) {
		uint32_t s = seed;
		uint8_t bytes[64];
		struct unpack u;
		struct token t;
		unsigned n = 0;

		for (unsigned i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)dice_roll(256);
		unpack_begin(&u, token_dialect(1), bytes, dice_roll(sizeof(bytes)));
		for (; u.left; n++) {
			if (!unpack_next(&u, &t))
				break;
			assert_in_range(t.kind, 0, TOKEN_KINDS - 1);
			assert_true(t.kind != TOKEN_BOX || t.count);
		}
		assert_in_range(n, 0, LONG);
		seed = s;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_is_read),
		cmocka_unit_test(what_repeats_costs_little),
		cmocka_unit_test(hostile_bytes_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
