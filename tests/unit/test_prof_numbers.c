/*
 * The numbers of a PROF report's rows: what a 32-bit total and count of calls can have been, what a
 * clock's race made of them, which rows are sound, and which may lack a digit at their end.
 */
#include "tests/unit/unit.h"

#include "core/wire/prof/prof.h"

#define TWO32 UINT64_C(4294967296)
#define SLACK UINT64_C(1048560)		/* 16 of the longest calls: a running table may be off by */
#define FULL 65535			/* a 16-bit field that is saturated */

enum {
	MAX = ROW_MAX_AT_LEAST, BOTH = ROW_MAX_AT_LEAST | ROW_MIN_AT_LEAST,
	NEGATIVE = ROW_TOTAL_NEGATIVE, WRAPPED = ROW_WRAPPED,
};

/* A row as it was printed, of a program that ran for `run` ticks (0: not known), and as it was. */
struct numbers_case {
	const char *name;
	uint64_t calls, total;
	uint32_t min, max;
	uint64_t run, calls_were, total_was;
	unsigned flags;
};

static void numbers_check(const struct numbers_case *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct numbers_case *c = &rows[i];
		struct wire_row r = { .calls = c->calls, .total = c->total, .min = c->min,
				      .max = c->max };

		prof_fix_numbers(&r, 1, c->run);
		if (r.calls != c->calls_were || r.total != c->total_was || r.flags != c->flags)
			fail_msg("%s: %llu calls, total %llu, flags %x", c->name,
				 (unsigned long long)r.calls, (unsigned long long)r.total,
				 (unsigned)r.flags);
	}
}

/*
 * A call whose end came before its beginning saturates its minimum and maximum, and takes the total
 * below zero.
 */
static void a_clocks_race_makes_a_total_negative(void **state)
{
	static const struct numbers_case rows[] = {
		{ "minus 8", 1, TWO32 - 8, FULL, FULL, 4000, 1, 0, BOTH | NEGATIVE },
		{ "no call was completed", 0, TWO32 - 8, FULL, FULL, 4000, 0, 0, BOTH | NEGATIVE },
		{ "no call was that long", 1000000, TWO32 - 8, 4000, 5000, 4000, 1000000, TWO32 - 8,
		  0 },
		{ "the least that is below zero", 1, TWO32 / 2, FULL, FULL, 1, 1, 0,
		  BOTH | NEGATIVE },
		{ "the most that is not", 1, TWO32 / 2 - 1, FULL, FULL, 1, 1, TWO32 / 2 - 1, BOTH },
		{ "more than 32 bits", 1, TWO32, FULL, FULL, 1, 1, TWO32, BOTH },
		/* 65536 calls of 65535 ticks and more take 4294901760 */
		{ "its calls take so long", 65537, 4294901759, FULL, FULL, 1, 65537, 4294901759,
		  BOTH },
		{ "all of them but one do not", 65537, 4294901760, FULL, FULL, 1, 65537, 0,
		  BOTH | NEGATIVE },
		{ "64 calls within each other", 1, TWO32 - 64, FULL, FULL, 67108863, 1, TWO32 - 64,
		  BOTH },
		{ "more than 64", 1, TWO32 - 64, FULL, FULL, 67108862, 1, 0, BOTH | NEGATIVE },
		{ "no run is told: a second or so below zero", 1, TWO32 - (1 << 20) + 1, FULL, FULL,
		  0, 1, 0, BOTH | NEGATIVE },
		{ "no run is told: 18 hours", 1, TWO32 - (1 << 20), FULL, FULL, 0, 1,
		  TWO32 - (1 << 20), BOTH },
	};

	(void)state;
	numbers_check(rows, COUNT(rows));
}

/* Totals and counts are modulo 2^32; minimum and maximum tell how often they wrapped. */
static void wraps_are_told_by_min_and_max(void **state)
{
	static const struct numbers_case rows[] = {
		{ "as they are", 1000, 8000, 8, 8, 0, 1000, 8000, 0 },
		{ "the most that a running table explains", 1000, 8000 + SLACK, 0, 8, 0, 1000,
		  8000 + SLACK, 0 },
		{ "more than that", 1000, 8001 + SLACK, 0, 8, 0, TWO32 + 1000, 8001 + SLACK,
		  WRAPPED },
		{ "once is enough", 10, TWO32 - 6, 0, 1, 0, TWO32 + 10, TWO32 - 6, WRAPPED },
		{ "no call took a tick, all did: a contradiction", 5, 2000000, 0, 0, 0, 5, 2000000,
		  0 },
		{ "no end of the longest is known", 5, 2000000, 0, FULL, 0, 5, 2000000, MAX },
		{ "calls of one length", 1000000, 5000000000 - TWO32, 5000, 5000, 0, 1000000,
		  5000000000, WRAPPED },
		/* The newest call was counted, and its time not added yet. */
		{ "the same, a call short", 1000000, 4999995000 - TWO32, 5000, 5000, 0, 1000000,
		  4999995000, WRAPPED },
		/* a million of 5000 and one of 20000 take 5000020000 */
		{ "as short as can be explained", 1000001, 5000020000 - SLACK - TWO32, 5000, 20000,
		  0, 1000001, 5000020000 - SLACK, WRAPPED },
		{ "shorter: twice", 1000001, 5000019999 - SLACK - TWO32, 5000, 20000, 0, 1000001,
		  5000019999 - SLACK + TWO32, WRAPPED },
		/* a million of 4000 and one of 9000 take 4000009000 */
		{ "short, as can be explained", 1000001, 4000009000 - SLACK, 4000, 9000, 0, 1000001,
		  4000009000 - SLACK, 0 },
		{ "too short", 1000001, 4000008999 - SLACK, 4000, 9000, 0, 1000001,
		  4000008999 - SLACK + TWO32, WRAPPED },
		/* a million of 6000 and one of 5000 are 6000005000, the most there can be */
		{ "the most", 1000001, 6000005000 + SLACK - TWO32, 5000, 6000, 0, 1000001,
		  6000005000 + SLACK, WRAPPED },
		{ "more: no wrap explains it", 1000001, 6000005001 + SLACK - TWO32, 5000, 6000, 0,
		  1000001, 6000005001 + SLACK - TWO32, 0 },
		{ "a node that counts in 64 bits", TWO32, 100, 1, 8, 0, TWO32, 100, 0 },
		{ "its totals", 1000, TWO32, 0, 8, 0, 1000, TWO32, 0 },
		{ "min above max: nothing is known", 5, 1000000000, 9, 8, 0, 5, 1000000000, 0 },
		{ "2^32 calls", 0, 17, 0, 8, 0, TWO32, 17, WRAPPED },
		{ "entered, never left", 0, 0, FULL, 0, 0, 0, 0, 0 },
	};

	(void)state;
	numbers_check(rows, COUNT(rows));
}

/* --- one row ---------------------------------------------------------------------------------- */

/* A line that was cut off: is its maximum the beginning of a longer number? */
static void a_cut_maximum_shows_in_the_total(void **state)
{
	static const struct { uint64_t calls, total; uint32_t min, max; bool may; } rows[] = {
		{ 1, 16, 16, 16, false },
		{ 2, 746, 16, 73, true },	/* one of 730 and one of 16 */
		{ 2, 745, 16, 73, false },
		{ 2, 100000, 0, 6553, true },
		{ 2, 100000, 0, 6554, false },	/* 65540 does not fit into 16 bits */
		{ 3, 50, 0, 0, false },		/* printf writes no 0 in front */
		{ 5, 60, 1, 1, true },
		{ 1, 100, 0, 5, true },
		{ 0, 100, 0, 5, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_row r = { .calls = rows[i].calls, .total = rows[i].total,
				      .min = rows[i].min, .max = rows[i].max };

		if (prof_max_may_be_cut(&r) != rows[i].may)
			fail_msg("row %zu", i);
	}
}

/* calls - 1 of them took min or more, one of them max; and the other way round. */
static void a_rows_numbers_agree(void **state)
{
	static const struct { uint64_t calls, total; uint32_t min, max; bool sound; } rows[] = {
		{ 1, 8, 8, 8, true },
		{ 1, 9, 8, 8, false },
		{ 1, 7, 8, 8, false },
		{ 3, 30, 5, 20, true },		/* 5 + 5 + 20 */
		{ 3, 29, 5, 20, false },
		{ 3, 45, 5, 20, true },		/* 5 + 20 + 20 */
		{ 3, 46, 5, 20, false },
		{ 3, 30, 20, 5, false },
		{ 3, 1000000, 5, FULL, true },	/* no end of the longest is known */
		{ 3, 5, 5, FULL, false },
		{ 0, 0, FULL, 0, true },	/* entered, never left */
		{ 0, 1, FULL, 0, false },
		{ 0, 0, FULL, 1, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_row r = { .calls = rows[i].calls, .total = rows[i].total,
				      .min = rows[i].min, .max = rows[i].max };

		if (prof_row_sound(&r) != rows[i].sound)
			fail_msg("row %zu", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clocks_race_makes_a_total_negative),
		cmocka_unit_test(wraps_are_told_by_min_and_max),
		cmocka_unit_test(a_cut_maximum_shows_in_the_total),
		cmocka_unit_test(a_rows_numbers_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
