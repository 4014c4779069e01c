/*
 * calib: what it counts around the hooks, in code as avr-gcc 5.4 and arm-none-eabi-gcc 12.2 write
 * it; and what a profile makes of it, with an image of fuzz_image's: start() calls leaf(), in
 * which twice() is inlined.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/image/calib/calib.h"
#include "core/image/calib/insn.h"
#include "core/profile/profile.h"
#include "core/profile/raw/feed.h"
#include "core/wire/wsn/wsn.h"

/* Words of AVR code at 0; the hooks are at 0x1000 and 0x1002. */
#define ENTER 0x940e, 0x0800
#define EXIT 0x940e, 0x0801
#define HOOK_ARGUMENTS 0x8168, 0x8179, 0x2776, 0x2767, 0x2776, 0xe080, 0xe090
#define FRAME_ADDRESS 0xb7cd, 0xb7de, 0x5fcd, 0x4fdf
#define SAVE_Y 0x93cf, 0x93df
#define RESTORE_Y 0x91df, 0x91cf
#define RET 0x9508

#define THUMB_NOTHING \
	0xb538, 0x4674, 0x4d04, 0x4671, 0x4628, 0xf000, 0xfff9, 0x4621, 0x4628, 0xf000, 0xfff6, \
	0xbd38, 0x0001, 0x0001

static const struct row {
	const char *name;
	uint16_t words[64];
	int count;
	double missing[2], within[2], beside[2];
	const struct calib_machine *machine;	/* NULL: AVR */
	enum calib_core core;
} rows[] = {
	{ "void bump(void): Y for the return address alone",
	  { SAVE_Y, FRAME_ADDRESS, HOOK_ARGUMENTS, ENTER,
	    0x9180, 0x0200, 0x5f8f, 0x9380, 0x0200, HOOK_ARGUMENTS, EXIT, RESTORE_Y, RET },
	  1, { 4, 4 }, { 13, 13 }, { 25, 25 } },
	{ "a value lives across a call of its own: one register is the program's",
	  { 0x931f, SAVE_Y, 0x2f18, FRAME_ADDRESS, HOOK_ARGUMENTS, ENTER,
	    0x940e, 0x0900, 0x9310, 0x0200, HOOK_ARGUMENTS, EXIT, RESTORE_Y, 0x911f, RET },
	  1, { 9, 9 }, { 13, 13 }, { 25, 25 } },
	{ "a result and an argument are kept across the hooks",
	  { 0x931f, SAVE_Y, 0x2f18, FRAME_ADDRESS, HOOK_ARGUMENTS, ENTER,
	    0x0f11, HOOK_ARGUMENTS, EXIT, 0x2f81, RESTORE_Y, 0x911f, RET },
	  1, { 4, 4 }, { 13, 13 }, { 31, 31 } },
	{ "a frame pointer that nothing uses, as without optimisation",
	  { SAVE_Y, 0xb7cd, 0xb7de, 0x01ce, 0x5f8d, 0x4f9f, 0x01fc, 0x8180, 0x8191, 0x01bc,
	    0xe080, 0xe090, ENTER, 0x0000, 0xe080, 0xe090, EXIT, RESTORE_Y, RET },
	  1, { 14, 14 }, { 6, 6 }, { 15, 15 } },
	{ "the exit hook is jumped to: it returns in the function's place",
	  { SAVE_Y, FRAME_ADDRESS, HOOK_ARGUMENTS, ENTER,
	    HOOK_ARGUMENTS, RESTORE_Y, 0x940c, 0x0801 },
	  1, { 4, 4 }, { 16, 16 }, { 17, 17 } },
	{ "no hooks", { 0x0000, RET }, 0, { 0, 0 }, { 0, 0 }, { 0, 0 } },
	{ "the enter hook alone: it never returns",
	  { ENTER, 0xcfff }, 0, { 0, 0 }, { 0, 0 }, { 0, 0 } },
	{ "Thumb: an empty function saves for the hooks alone, and returns by pop",
	  { THUMB_NOTHING }, 1, { 1, 1 }, { 3, 3 }, { 6, 6 }, &calib_thumb },
	{ "Thumb, M0's cycles: pop and return against bx",
	  { THUMB_NOTHING }, 1, { 3, 3 }, { 6, 6 }, { 19, 19 }, &calib_thumb, CALIB_M0 },
	{ "Thumb: a value lives across a call of its own; the result is kept across the hook",
	  { 0xb570, 0x4675, 0x4604, 0x4e07, 0x4671, 0x4630, 0xf000, 0xfff8, 0x4620, 0xf000, 0xfff7,
	    0x1824, 0x4630, 0x4629, 0xf000, 0xfff1, 0x4620, 0xbd70, 0x0001, 0x0001 },
	  1, { 3, 3 }, { 4, 4 }, { 6, 6 }, &calib_thumb },
	{ "Thumb: IT, and the exit hook is jumped to",
	  { 0xb538, 0x4674, 0xf8df, 0x501c, 0x4671, 0x4628, 0xf000, 0xfff8, 0x2800, 0xbf08, 0x2201,
	    0x4621, 0x4628, 0xe8bd, 0x4038, 0xf000, 0xbff0, 0xbf00, 0x0001, 0x0001 },
	  1, { 1, 1 }, { 4, 4 }, { 5, 5 }, &calib_thumb },
	{ "Thumb: MOVW and MOVT, a table",
	  { 0xb570, 0xf240, 0x0401, 0xf2c0, 0x0400, 0x4671, 0x4675, 0x4620, 0xf000, 0xfff6, 0xe8df,
	    0xf006, 0xbf00, 0xbf00, 0x4629, 0x4620, 0xf000, 0xffef, 0xbd70 },
	  1, { 1, 1 }, { 3, 3 }, { 7, 7 }, &calib_thumb },
};

static size_t bytes_of(const struct row *r, uint8_t *bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(r->words) / sizeof(r->words[0]); i++) {
		bytes[2 * i] = (uint8_t)r->words[i];
		bytes[2 * i + 1] = (uint8_t)(r->words[i] >> 8);
		if (r->words[i])
			n = 2 * (i + 1);
	}
	return n;
}

static struct calib_code code_of(const struct row *r, const uint8_t *bytes, size_t size)
{
	return (struct calib_code){
		.machine = r && r->machine ? r->machine : &calib_avr,
		.core = r ? r->core : CALIB_INSNS, .bytes = bytes, .size = size, .high = size,
		.enter = 0x1000, .exit = 0x1002,
	};
}

static void assert_range(struct calib_range r, const double *want)
{
	assert_float_equal(r.low, want[0], 1e-6);
	assert_float_equal(r.high, want[1], 1e-6);
}

static void counts_around_the_hooks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t bytes[2 * 64];
		struct calib_call calls[CALIB_CALLS_MAX];
		struct calib_code code = code_of(&rows[i], bytes, bytes_of(&rows[i], bytes));

		print_message("%s\n", rows[i].name);
		assert_int_equal(calib_count(&code, calls), rows[i].count);
		if (!rows[i].count)
			continue;
		assert_range(calls[0].missing, rows[i].missing);
		assert_range(calls[0].within, rows[i].within);
		assert_range(calls[0].beside, rows[i].beside);
	}
}

/* Cut anywhere: nothing beyond the end is read, and no figure is without an end. */
static void cut_code_is_harmless(void **state)
{
	uint8_t bytes[2 * 64];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t size = bytes_of(&rows[i], bytes);

		for (size_t n = 0; n < size; n++) {
			struct calib_call calls[CALIB_CALLS_MAX];
			uint8_t *cut = mem_alloc(n + 1);
			struct calib_code code = code_of(&rows[i], cut, n);

			memcpy(cut, bytes, n);
			assert_in_range(calib_count(&code, calls), 0, 1);
			mem_free(cut);
		}
	}
}

/* --- a profile -------------------------------------------------------------------------------- */

enum { TWICE = 0x0, LEAF = 0x62, START = 0xee, FROM_START = 0x132, CALLS = 10 };

static const struct wire_hello hello = {
	.name = "", .version = 1, .ticks_per_second = 8000000, .features = WSN_F_TAKEN_BACK,
	.skew = 67, .spread = 13, .max_sites = 64,
};

static void profile_feed(struct profile *p)
{
	struct wire_total totals[] = {
		{ .from = FROM_START, .to = LEAF, .total = 5000, .min = 400, .max = 600 },
		{ .from = FROM_START, .to = TWICE, .total = 2000, .min = 200, .max = 200 },
	};

	for (size_t i = 0; i < COUNT(totals); i++) {
		totals[i].kind = TOTAL_SITE;
		totals[i].calls = CALLS;
		totals[i].has = TOTAL_TIMED | TOTAL_MINMAX;
	}
	profile_take_hello(p, &hello);
	profile_take_totals(p, totals, COUNT(totals));
}

static struct image *image_hooked(void)
{
	struct err err = { 0 };
	struct image *im = image_new("tests/corpus/image/avr-hooks.elf", &err);

	assert_non_null(im);
	return im;
}

static void times_are_the_plain_programs(void **state)
{
	struct image *im = image_hooked();
	struct image_calibration leaf, twice;
	struct profile p;
	struct profile_site shown;
	double left;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	profile_feed(&p);
	assert_int_equal(profile_compute(&p), 0);
	assert_null(p.fixes);			/* no image: as the node gave them */
	assert_int_equal(profile_site_shown(&p, 0).total, 5000);
	profile_set_image(&p, im);
	assert_int_equal(profile_compute(&p), 0);
	assert_non_null(p.fixes);
	assert_true(image_calibration(im, FROM_START, LEAF, &leaf));
	assert_true(leaf.around == IMAGE_NOWHERE);
	assert_true(image_calibration(im, FROM_START, TWICE, &twice));
	assert_true(twice.around == LEAF);
	assert_false(image_calibration(im, FROM_START, LEAF + 2, &leaf));
	left = CALLS * (twice.left + hello.skew);
	shown = profile_site_shown(&p, 0);
	assert_float_equal((double)shown.total, 5000 + CALLS * leaf.own - left, 2);
	assert_float_equal((double)shown.min, 400 + leaf.own - left * 400 / 5000, 2);
	assert_int_equal(p.sites[0].total, 5000);		/* raw stays raw */
	assert_true(profile_spread(&p) < hello.spread);
	profile_release(&p);
	image_free(im);
}

/* Two ways at each of 120 steps are more than anyone walks: it is not understood, and at once. */
static void walks_of_branches_end(void **state)
{
	enum { LEFT = 8, SIZE = LEFT + 2 * 120 + 2 };
	uint8_t bytes[SIZE] = { 0x0e, 0x94, 0x00, 0x08, 0x0e, 0x94, 0x01, 0x08 };
	struct calib_call calls[CALIB_CALLS_MAX];
	struct calib_code code = code_of(NULL, bytes, SIZE);

	(void)state;
	for (size_t i = LEFT; i < SIZE - 2; i += 2)
		bytes[i + 1] = 0xf0;				/* BRCS to the next */
	bytes[SIZE - 2] = 0x08;
	bytes[SIZE - 1] = 0x95;
	assert_int_equal(calib_count(&code, calls), 0);
}

/* Out of memory anywhere: the profile says so, and a later try succeeds. */
static void survives_a_lack_of_memory(void **state)
{
	int ret = ERR_NOMEM;

	(void)state;
	for (long n = 0; n < 200 && ret < 0; n++) {
		struct image *im = image_hooked();
		struct profile p;

		assert_int_equal(profile_init(&p, ""), 0);
		profile_feed(&p);
		profile_set_image(&p, im);
		mem_fail_after(n);
		ret = profile_compute(&p);
		mem_fail_after(-1);
		assert_int_equal(profile_compute(&p), 0);
		profile_release(&p);
		image_free(im);
	}
	assert_int_equal(ret, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_around_the_hooks),
		cmocka_unit_test(cut_code_is_harmless),
		cmocka_unit_test(walks_of_branches_end),
		cmocka_unit_test(times_are_the_plain_programs),
		cmocka_unit_test(survives_a_lack_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
