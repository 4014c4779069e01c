/*
 * The numbers of a PROF report's rows: what a 32-bit total and count of calls can have been, what a
 * clock's race made of them, which rows are sound, and which may lack a digit at their end.
 */
#include "tests/unit/unit.h"

#include "core/base/mem.h"
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

/* calls - 1 of them took min or more, one of them max; or the reverse. */
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

/* --- bit 16 ----------------------------------------------------------------------------------- */

/*
 * An AVR of 256 KB. Functions begin at the same place of several pages of 64 KB, and so do calls:
 * what is printed of an address is its place in the page.
 */
static const uint32_t big_entries[] = { 0x400, 0x700, 0x800, 0x10800, 0x30900, 0x10a00, 0x20a00 };

static const struct { uint32_t ret, target; } big_calls[] = {	/* target 0: through a pointer */
	{ 0x120, 0x400 }, { 0x30420, 0x400 },
	{ 0x500, 0x400 }, { 0x20500, 0x400 },
	{ 0x600, 0x700 }, { 0x10600, 0 },
	{ 0x10610, 0x700 },
	{ 0x10620, 0x400 }, { 0x20620, 0x400 },
	{ 0x1630, 0x800 }, { 0x10650, 0x800 },
	{ 0x2100, 0x30900 },
};

static uint64_t big_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	for (size_t i = 0; i < COUNT(big_calls); i++)
		if (big_calls[i].ret == ret && big_calls[i].target)
			return big_calls[i].target;
	return CODE_NO_TARGET;
}

static struct codemap big_code(void)
{
	static uint8_t flags[0x40000 / 2];

	memset(flags, CODE_TEXT, sizeof(flags));
	memset(flags + 0xf000 / 2, 0, 0x1000 / 2);		/* data */
	for (size_t i = 0; i < COUNT(big_entries); i++)
		flags[big_entries[i] / 2] |= CODE_ENTRY;
	for (size_t i = 0; i < COUNT(big_calls); i++)
		flags[big_calls[i].ret / 2] |= CODE_RETURN;
	return (struct codemap){ .arch = CODE_AVR, .size = sizeof(flags) * 2, .flags = flags,
				 .target = big_target };
}

static void lost_bits_are_told_by_the_image(void **state)
{
	enum { AMBIGUOUS = ROW_AMBIGUOUS, BIT16 = ROW_BIT16 };
	static const struct {
		const char *name;
		struct { uint32_t from, to, from_was, to_was; unsigned flags; } row[2];
		bool unsorted;
	} cases[] = {
		{ "a call of it, nowhere else one", { { 0x120, 0x400, 0x120, 0x400, 0 } }, false },
		{ "the call stands in the last page", { { 0x420, 0x400, 0x30420, 0x400, BIT16 } },
		  false },
		{ "callee in the last page", { { 0x2100, 0x900, 0x2100, 0x30900, BIT16 } }, false },
		{ "two calls of it", { { 0x500, 0x400, 0x500, 0x400, AMBIGUOUS } }, false },
		{ "a call through a pointer rather than of another function",
		  { { 0x600, 0x400, 0x10600, 0x400, BIT16 } }, false },
		{ "a call of another function rather than none",
		  { { 0x610, 0x400, 0x10610, 0x400, BIT16 } }, false },
		{ "no call at all: an interrupt's", { { 0x4000, 0x400, 0x4000, 0x400, AMBIGUOUS } },
		  false },
		/* Printed in full: 0x20620 would fit as well. */
		{ "a caller above 64 KB lost nothing",
		  { { 0x10620, 0x400, 0x10620, 0x400, 0 } }, false },
		{ "a callee above 64 KB lost nothing",
		  { { 0x1a000, 0x10a00, 0x1a000, 0x10a00, 0 } }, false },
		/* Of the second row a call of 0x800 fits better than one of 0x10800. */
		{ "the table's order has nothing against what fits",
		  { { 0x30420, 0x400, 0x30420, 0x400, 0 },
		    { 0x10650, 0x800, 0x10650, 0x800, 0 } }, false },
		{ "a row out of order rather than a function that is not there",
		  { { 0x10650, 0x800, 0x10650, 0x800, 0 },
		    { 0x30420, 0x400, 0x30420, 0x400, 0 } }, false },
		{ "a stack has no order",
		  { { 0x1630, 0x800, 0x1630, 0x800, 0 },
		    { 0x120, 0x400, 0x120, 0x400, 0 } }, true },
	};
	struct codemap code = big_code();

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		static const struct wire_row behind = { .from = 0x420, .to = 0x400 };
		struct wire_row r[3] = { { 0 }, behind, behind };
		size_t n = cases[i].row[1].to ? 2 : 1;

		for (size_t k = 0; k < n; k++) {
			r[k].from = cases[i].row[k].from;
			r[k].to = cases[i].row[k].to;
		}
		prof_fix_bit16(r, n, &code, !cases[i].unsorted);
		assert_memory_equal(&r[n], &behind, sizeof(behind));
		for (size_t k = 0; k < n; k++)
			if (r[k].from != cases[i].row[k].from_was ||
			    r[k].to != cases[i].row[k].to_was ||
			    r[k].flags != cases[i].row[k].flags)
				fail_msg("%s: row %zu is %x:%x, flags %x", cases[i].name, k,
					 (unsigned)r[k].from, (unsigned)r[k].to,
					 (unsigned)r[k].flags);
	}
}

static void without_memory_all_rows_are_ambiguous(void **state)
{
	struct wire_row r[3] = { { .from = 0x120, .to = 0x400 }, { .from = 0x420, .to = 0x400 } };
	struct codemap code = big_code();

	(void)state;
	for (long n = 0; n < 2; n++) {
		r[0].flags = r[1].flags = 0;
		mem_fail_after(n);
		prof_fix_bit16(r, 2, &code, true);
		mem_fail_after(-1);
		assert_int_equal(r[0].flags, ROW_AMBIGUOUS);
		assert_int_equal(r[1].flags, ROW_AMBIGUOUS);
		assert_int_equal(r[2].flags, 0);
	}
}

/* 64 KB have no bit 16; nor is it lost where addresses are bytes, not AVR's words. */
static void bits_are_lost_beyond_64_kb(void **state)
{
	static const struct { enum code_arch arch; uint64_t size; bool loses; } rows[] = {
		{ CODE_AVR, 0x10000, false }, { CODE_AVR, 0x10002, true },
		{ CODE_ARM, 0x10002, false }, { CODE_UNKNOWN, 0x20000, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct codemap code = { .arch = rows[i].arch, .size = rows[i].size };

		assert_int_equal(prof_loses_bit16(&code), rows[i].loses);
	}
	assert_true(prof_loses_bit16(NULL));
}

/* Rows rise by (to, from), unless bits are lost. */
static void rows_rise(void **state)
{
	static const struct { uint32_t from, to; bool rises; } rows[] = {
		{ 0x110, 0x200, false },		/* the last row again */
		{ 0x112, 0x200, true }, { 0x10e, 0x200, false },
		{ 0x100, 0x202, true }, { 0x120, 0x1fe, false },
	};
	static struct prof p;
	struct codemap code = { .arch = CODE_AVR, .size = 0x20000 };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_row r = { .from = rows[i].from, .to = rows[i].to };

		p.last.row = (struct wire_row){ .from = 0x110, .to = 0x200 };
		p.wire.code = NULL;
		p.count = 1;
		assert_int_equal(prof_in_order(&p, &r), rows[i].rises);
		p.wire.code = &code;
		assert_true(prof_in_order(&p, &r));
		code.size = 0x8000;
		assert_int_equal(prof_in_order(&p, &r), rows[i].rises);
		code.size = 0x20000;
		p.wire.code = NULL;
		p.count = 0;			/* the first one */
		assert_true(prof_in_order(&p, &r));
	}
}

static void odd_addresses_are_words(void **state)
{
	struct wire_sampled s[3] = { { 0x100, 1 }, { 0x202, 1 }, { 0x303, 1 } };
	bool words = false;

	(void)state;
	prof_fix_words(s, 2, NULL, &words);	/* the third one is behind the report */
	assert_false(words);
	assert_int_equal(s[0].pc, 0x100);
	prof_fix_words(s, 3, NULL, &words);
	assert_true(words);
	assert_int_equal(s[0].pc, 0x200);
	assert_int_equal(s[2].pc, 0x606);
	prof_fix_words(s, 2, NULL, &words);	/* so are those of the next report */
	assert_int_equal(s[0].pc, 0x400);
	assert_int_equal(s[2].pc, 0x606);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clocks_race_makes_a_total_negative),
		cmocka_unit_test(wraps_are_told_by_min_and_max),
		cmocka_unit_test(a_cut_maximum_shows_in_the_total),
		cmocka_unit_test(a_rows_numbers_agree),
		cmocka_unit_test(lost_bits_are_told_by_the_image),
		cmocka_unit_test(without_memory_all_rows_are_ambiguous),
		cmocka_unit_test(bits_are_lost_beyond_64_kb),
		cmocka_unit_test(rows_rise),
		cmocka_unit_test(odd_addresses_are_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
