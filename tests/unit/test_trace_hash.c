/*
 * Hashes of calls (core/trace/hash.c): calls that differ have the same one as seldom as chance
 * allows. Counted over sets in which much repeats: where a sum would cancel out.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "core/trace/state.h"

enum { BITS = 16, ORDERS = 40320, DEEP = 100, GAPS = 300, FEW = 20,
       CALLS = 3 * (1 << BITS) + 2 * ORDERS + 2 * DEEP * GAPS };

struct hashes {
	const struct token_dialect *d;
	uint64_t v[CALLS];
	size_t count;
};

/* Leaves of two functions, in each order. */
static void leaves_make(struct hashes *h)
{
	for (unsigned order = 0; order < 1 << BITS; order++) {
		uint64_t hash = token_hash_begin(h->d, 9);

		for (unsigned i = 0; i < BITS; i++)
			hash = token_hash_leaf(h->d, hash, order >> i & 1 ? 5 : 4);
		h->v[h->count++] = hash;
	}
}

/* Two functions that call each other, in each order; and with a leaf behind each call. */
static void chains_make(struct hashes *h, bool leaf)
{
	for (unsigned order = 0; order < 1 << BITS; order++) {
		uint64_t hash = token_hash_begin(h->d, leaf ? 10 : 11);

		for (unsigned i = 0; i < BITS; i++) {
			uint64_t caller = token_hash_begin(h->d, order >> i & 1 ? 5 : 7);

			hash = token_hash_call(h->d, caller, hash);
			if (leaf)
				hash = token_hash_leaf(h->d, hash, 4);
		}
		h->v[h->count++] = hash;
	}
}

/* Eight functions, each called by the one before; and one behind the other. */
static void orders_make(struct hashes *h, unsigned *ids, unsigned n)
{
	uint64_t chain, row;

	for (unsigned i = 0; i < n; i++) {
		unsigned id = ids[i];

		ids[i] = ids[n - 1];
		ids[n - 1] = id;
		orders_make(h, ids, n - 1);
		ids[n - 1] = ids[i];
		ids[i] = id;
	}
	if (n)
		return;
	chain = token_hash_begin(h->d, 1);
	row = token_hash_begin(h->d, 2);
	for (unsigned i = 0; i < 8; i++) {
		chain = token_hash_call(h->d, token_hash_begin(h->d, ids[i]), chain);
		row = token_hash_leaf(h->d, row, ids[i]);
	}
	h->v[h->count++] = chain;
	h->v[h->count++] = row;
}

/* A function that calls itself, with a gap innermost; and another one that calls it. */
static void gaps_make(struct hashes *h)
{
	for (unsigned n = 1; n <= GAPS; n++) {
		uint64_t hash = token_hash_gap(h->d, token_hash_begin(h->d, 56), n);

		for (unsigned depth = 0; depth < DEEP; depth++) {
			h->v[h->count++] = token_hash_call(h->d, token_hash_begin(h->d, 59), hash);
			hash = token_hash_call(h->d, token_hash_begin(h->d, 56), hash);
			h->v[h->count++] = hash;
		}
	}
}

/* One gap, one box, or two leaves, of which the one is many: in each of a few functions. */
static void counts_make(struct hashes *h)
{
	for (unsigned id = 1; id <= FEW; id++) {
		uint64_t hash = token_hash_begin(h->d, id);

		for (unsigned n = 1; n <= GAPS; n++) {
			h->v[h->count++] = token_hash_gap(h->d, hash, n);
			for (unsigned of = 1; of <= FEW; of++)
				h->v[h->count++] = token_hash_box(h->d, hash, of, n);
			h->v[h->count++] = token_hash_leaf(h->d, token_hash_leaf(h->d, hash,
										 0x20), n);
		}
	}
}

/* Calls of 16 functions, four deep; and two deep, with a leaf in each. */
static void neighbours_make(struct hashes *h, uint32_t first)
{
	for (unsigned n = 0; n < 1 << BITS; n++) {
		uint32_t a = first + (n & 15), b = first + (n >> 4 & 15);
		uint32_t c = first + (n >> 8 & 15), d = first + (n >> 12);
		uint64_t in_a = token_hash_begin(h->d, a), in_b = token_hash_begin(h->d, b);
		uint64_t called = token_hash_leaf(h->d, in_b, c);
		uint64_t deep = token_hash_call(h->d, token_hash_begin(h->d, c),
						token_hash_begin(h->d, d));

		deep = token_hash_call(h->d, in_b, deep);
		h->v[h->count++] = token_hash_call(h->d, in_a, deep);
		h->v[h->count++] = token_hash_leaf(h->d, token_hash_call(h->d, in_a, called), d);
		h->v[h->count++] = token_hash_call(h->d, token_hash_leaf(h->d, in_a, d), called);
	}
}

static int hash_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Pairs of calls that have the same bits. */
static uint64_t pairs_count(struct hashes *h, uint64_t mask)
{
	uint64_t pairs = 0, run = 0;

	for (size_t i = 0; i < h->count; i++)
		h->v[i] &= mask;
	qsort(h->v, h->count, sizeof(*h->v), hash_compare);
	for (size_t i = 1; i < h->count; i++) {
		run = h->v[i] == h->v[i - 1] ? run + 1 : 0;
		pairs += run;
	}
	return pairs;
}

static struct hashes *hashes_of(unsigned encoding)
{
	static struct hashes h;
	unsigned ids[8] = { 12, 15, 18, 21, 24, 27, 30, 33 };

	h.d = token_dialect(encoding);
	h.count = 0;
	leaves_make(&h);
	chains_make(&h, false);
	chains_make(&h, true);
	orders_make(&h, ids, 8);
	gaps_make(&h);
	assert_int_equal(h.count, CALLS);
	return &h;
}

/* By how many times as many of them have the same slot and the same number in it as by chance. */
static double neighbours_alike(unsigned encoding, uint32_t first)
{
	static struct hashes h;

	h.d = token_dialect(encoding);
	h.count = 0;
	neighbours_make(&h, first);
	return (double)pairs_count(&h, 0xffff7f) * 2 * (1 << 23) /
	       ((double)h.count * (double)h.count);
}

static double by_chance(unsigned bits)
{
	return (double)CALLS * CALLS / 2 / (double)(UINT64_C(1) << bits);
}

static void few_calls_have_the_same_24_bits(void **state)
{
	(void)state;
	assert_true((double)pairs_count(hashes_of(1), 0xffffff) < 3 * by_chance(24));
	assert_true((double)pairs_count(hashes_of(8), 0xffffff) < 3 * by_chance(24));
}

/* A file's functions have ids in a row. By the factor of encoding 1: 5 to 18 times as by chance. */
static void neighbours_are_told_apart(void **state)
{
	(void)state;
	for (uint32_t first = 1; first + 16 <= TOKEN_NARROW; first += 7) {
		double alike = neighbours_alike(8, first);

		assert_true(alike < 2);
		assert_true(neighbours_alike(1, first) > 2 * alike);
	}
}

static void hardly_any_calls_have_the_same_40_bits(void **state)
{
	(void)state;
	assert_true((double)pairs_count(hashes_of(2), UINT64_C(0xffffffffff)) < by_chance(40) + 2);
	assert_true((double)pairs_count(hashes_of(7), UINT64_C(0xffffffffff)) < by_chance(40) + 2);
}

/* What a slot compares: its number is of the other 8. */
static void few_calls_have_the_same_32_bits_of_40(void **state)
{
	uint64_t words = pairs_count(hashes_of(2), UINT64_C(0xffffffff00));
	uint64_t bytes = pairs_count(hashes_of(7), UINT64_C(0xffffffff00));

	(void)state;
	assert_true((double)words < 3 * by_chance(32) + 10);
	assert_true((double)bytes < 3 * by_chance(32) + 10);
}

/* What a reference after lost frames is known by. */
static void few_calls_have_the_same_24_bits_of_40(void **state)
{
	(void)state;
	assert_true((double)pairs_count(hashes_of(2), 0xffffff) < 1.5 * by_chance(24));
	assert_true((double)pairs_count(hashes_of(7), 0xffffff) < 1.5 * by_chance(24));
}

static void counted_calls_differ(void **state)
{
	static const unsigned encodings[] = { 2, 7 };
	static struct hashes h;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		h.d = token_dialect(encodings[i]);
		h.count = 0;
		counts_make(&h);
		assert_int_equal(h.count, FEW * (FEW + 2) * GAPS);
		assert_true(pairs_count(&h, UINT64_C(0xffffffff00)) < 10);
	}
}

/* Each slot takes its share of the calls. */
static void slots_are_taken_evenly(void **state)
{
	(void)state;
	assert_true((double)pairs_count(hashes_of(1), 0x7f) < 1.05 * by_chance(7));
	assert_true((double)pairs_count(hashes_of(8), 0x7f) < 1.05 * by_chance(7));
	assert_true((double)pairs_count(hashes_of(2), 0x7f) < 1.1 * by_chance(7));
	assert_true((double)pairs_count(hashes_of(7), 0x7f) < 1.05 * by_chance(7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_calls_have_the_same_24_bits),
		cmocka_unit_test(neighbours_are_told_apart),
		cmocka_unit_test(hardly_any_calls_have_the_same_40_bits),
		cmocka_unit_test(few_calls_have_the_same_32_bits_of_40),
		cmocka_unit_test(few_calls_have_the_same_24_bits_of_40),
		cmocka_unit_test(counted_calls_differ),
		cmocka_unit_test(slots_are_taken_evenly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
