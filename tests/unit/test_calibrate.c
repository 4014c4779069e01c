/*
 * calibrate: durations as the plain program's, by hand, with an image's figures of an AVR: a call
 * of leaf() is 10 ticks longer than it was measured, of start() 25, of twice() 5 shorter; the node
 * takes 67 back of each, and left 64 and 74 too few of what the first two leave in their callers.
 */
#include "tests/unit/unit.h"

#include "core/base/err.h"
#include "core/profile/raw/feed.h"
#include "core/profile/profile.h"
#include "core/wire/wsn/wsn.h"

enum { TWICE = 0x0, LEAF = 0x62, START = 0xee, FROM_START = 0x132, FROM_LEAF = 0x70,
       NOWHERE = 0x4000, HOOK = 0x1a8, SPREAD = 13, UNKNOWN = 6 };

struct fixed {
	struct image *image;
	struct profile p;
};

static void skew_take(struct profile *p, uint16_t skew)
{
	const struct wire_hello hello = {
		.name = "", .version = 1, .ticks_per_second = 8000000,
		.features = WSN_F_TAKEN_BACK, .skew = skew, .spread = SPREAD, .max_sites = 64,
	};

	profile_take_hello(p, &hello);
}

static int fixed_up(void **state)
{
	struct fixed *f = calloc(1, sizeof(*f));
	struct err err = { 0 };

	f->image = image_new("tests/corpus/image/avr-hooks.elf", &err);
	assert_non_null(f->image);
	assert_int_equal(profile_init(&f->p, ""), 0);
	skew_take(&f->p, 67);
	profile_set_image(&f->p, f->image);
	*state = f;
	return 0;
}

static int fixed_down(void **state)
{
	struct fixed *f = *state;

	profile_release(&f->p);
	image_free(f->image);
	free(f);
	return 0;
}

static void site_take(struct profile *p, uint32_t from, uint32_t to, uint64_t calls,
		      uint64_t total, uint64_t min, uint64_t max, uint16_t flags)
{
	const struct wire_total t = {
		.kind = TOTAL_SITE, .from = from, .to = to, .calls = calls, .total = total,
		.min = min, .max = max, .has = TOTAL_TIMED | TOTAL_MINMAX, .flags = flags,
	};

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static void site_is(const struct profile *p, uint32_t site, uint64_t total, uint64_t min,
		    uint64_t max)
{
	struct profile_site s = profile_site_shown(p, site);

	assert_int_equal(s.total, total);
	assert_int_equal(s.min, min);
	assert_int_equal(s.max, max);
}

/* 50 calls of leaf() leave 3 ticks each in start(), and start()'s 7 too few in nobody. */
static void what_calls_leave_is_taken_off_their_callers(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	site_take(p, NOWHERE, START, 10, 20000, 1500, 2500, 0);
	site_take(p, FROM_START, LEAF, 50, 10000, 150, 300, 0);
	assert_int_equal(profile_compute(p), 0);
	site_is(p, 0, 20000 + 250 - 150, 1500 + 25 - 11, 2500 + 25 - 19);
	site_is(p, 1, 10000 + 500, 150 + 10, 300 + 10);
	assert_float_equal(p->left, 150 - 70, 1e-3);
	assert_float_equal(p->left_told, 0, 0);
	assert_float_equal(profile_spread(p), UNKNOWN, 1e-9);
	/* without the image nothing is left of it */
	profile_set_image(p, NULL);
	assert_int_equal(profile_compute(p), 0);
	site_is(p, 0, 20000, 1500, 2500);
	assert_true(p->left == 0 && p->left_told == 0);
	assert_float_equal(profile_spread(p), SPREAD, 0);
}

/* What leaf() leaves in start() is divided among start()'s callers, and so is start()'s above. */
static void it_is_divided_as_the_time_is(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	site_take(p, NOWHERE, START, 10, 6000, 500, 700, 0);
	site_take(p, FROM_LEAF, START, 10, 4000, 300, 500, 0);
	site_take(p, FROM_START, TWICE, 100, 2000, 20, 20, 0);
	site_take(p, NOWHERE, LEAF, 10, 9000, 900, 900, 0);
	assert_int_equal(profile_compute(p), 0);
	/* twice() is inlined in leaf(): 100 * (67 - 95) and 3 more of each shorter than 90 */
	assert_float_equal(p->left, 10 * -7 + 10 * -7 + 100 * (67 - 95 + 3) + 10 * 3, 1e-3);
	site_is(p, 0, 6000 + 250, 525, 725);
	site_is(p, 1, 4000 + 250, 325, 525);
	site_is(p, 2, 2000 - 500, 15, 15);
	/* leaf(): twice()'s, and start()'s ten calls */
	site_is(p, 3, 9000 + 100 + 2500 + 70, 900 + 10 + 257, 900 + 10 + 257);
}

/* An inner call's part is of the outer one's time, which it is a part of. */
static void of_a_recursive_function(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	site_take(p, NOWHERE, LEAF, 10, 5000, 400, 600, 0);
	site_take(p, FROM_LEAF, LEAF, 5, 1000, 150, 250, 0);
	assert_int_equal(profile_compute(p), 0);
	site_is(p, 0, 5000 + 100 - 15, 400 + 10 - 1, 600 + 10 - 2);
	site_is(p, 1, 1000 + 50 - 3, 150 + 10, 250 + 10 - 1);
}

/* Of calls shorter than 90 ticks the node takes less back: between two means. */
static void short_calls(void **state)
{
	static const struct { uint64_t total, min, max; double rest; } rows[] = {
		{ 2300, 230, 230, 0 }, { 100, 5, 20, 13 }, { 100, 10, 10, 13 },
		{ 300, 5, 60, 18 * 30 / 55.0 / 2 }, { 200, 10, 60, (3 + 13 * 40 / 50.0) / 2 },
		{ 300, 24, 60, 0 }, { 100, 9, 3, 13 }, { 229, 20, 23, 0.1 },
	};
	struct fixed *f = *state;
	struct profile *p = &f->p;

	for (size_t i = 0; i < COUNT(rows); i++) {
		site_take(p, FROM_START, LEAF, 10, rows[i].total, rows[i].min, rows[i].max, 0);
		assert_int_equal(profile_compute(p), 0);
		assert_float_equal(p->left, 10 * (67 - 64 + rows[i].rest), 1e-3);
	}
}

/* Never less than nothing, and the mean lies within the bounds. */
static void what_is_shown_is_possible(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	site_take(p, FROM_LEAF + 2, TWICE, 10, 30, 3, 3, 0);
	site_take(p, FROM_START, TWICE, 10, 30, 3, 3, 0);
	site_take(p, NOWHERE, START, 3, 301, 100, 100, 0);
	site_take(p, NOWHERE + 4, START, 3, 300, 100, 100, 0);
	site_take(p, NOWHERE + 8, START, 3, 299, 100, 100, 0);
	site_take(p, NOWHERE + 12, START, 3, 300, 98, 99, 0);
	assert_int_equal(profile_compute(p), 0);
	site_is(p, 1, 0, 0, 0);
	site_is(p, 2, 301 + 75, 125, 126);
	site_is(p, 3, 300 + 75, 125, 125);
	site_is(p, 4, 299 + 75, 124, 125);
	site_is(p, 5, 300 + 75, 123, 125);
}

/* Of calls that took no time there is nothing to divide; of a tick it is all. */
static void of_calls_of_next_to_no_time(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	site_take(p, NOWHERE, START, 10, 20000, 2000, 2000, 0);
	site_take(p, FROM_START, LEAF, 10, 0, 0, 0, 0);
	assert_int_equal(profile_compute(p), 0);
	/* each is 90 - 67 short */
	site_is(p, 0, 20000 + 250 - 10 * (3 + 23), 2000 + 25 - 26, 2000 + 25 - 26);
	site_is(p, 1, 100, 10, 10);
	site_take(p, FROM_START, LEAF, 1, 1, 1, 1, 0);
	site_take(p, FROM_START, TWICE, 11, 2200, 200, 200, 0);
	assert_int_equal(profile_compute(p), 0);
	site_is(p, 1, 1 + 10 + 308, 319, 319);
	site_is(p, 0, 20000 + 250 - (3 + 22) + 308, 2000 + 25 + 28, 2000 + 25 + 29);
}

static void site_read(struct profile *p, uint32_t from, uint32_t to, uint64_t calls, uint64_t total,
		      uint64_t run)
{
	const struct wire_total t = {
		.kind = TOTAL_SITE, .from = from, .to = to, .calls = calls, .total = total,
		.has = TOTAL_TIMED, .run = run,
	};

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

/* start()'s row is newer than the others, by half of its time: by half of its calls, too. */
static void rows_of_unlike_age(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	site_read(p, NOWHERE, LEAF, 1, 40000, 100000);
	site_read(p, START + 0x20, TWICE, 50, 5000, 100000);
	site_read(p, FROM_LEAF, START, 5, 10000, 100000);
	site_read(p, FROM_LEAF, START, 10, 20000, 200000);
	assert_int_equal(profile_compute(p), 0);
	assert_float_equal(p->left, 3 - 350 - 35, 1e-3);	/* twice(): 67 - 74 */
	assert_int_equal(profile_site_shown(p, 2).total, 20000 + 250 + 350 * 2);
	assert_int_equal(profile_site_shown(p, 0).total, 40000 + 10 + 350 + 35);
}

/* Rows that are no calls of their own, or have none that ended, leave nothing. */
static void rows_that_leave_nothing(void **state)
{
	const struct wire_total arc = {
		.kind = TOTAL_ARC, .from = NOWHERE, .to = START, .calls = 9,
	};
	struct fixed *f = *state;
	struct profile *p = &f->p;

	assert_int_equal(profile_take_totals(p, &arc, 1), 0);
	assert_int_equal(profile_compute(p), 0);
	assert_null(p->fixes);				/* no time that could be the program's */
	site_take(p, FROM_START, LEAF, 50, 10000, 150, 300, 0);
	site_take(p, NOWHERE + 4, START, 0, 0, 1, 0, 0);
	site_take(p, NOWHERE + 8, LEAF, 10, 4000, 400, 400, ROW_HANDLER);
	assert_int_equal(profile_compute(p), 0);
	assert_float_equal(p->left, 150, 1e-3);
	assert_float_equal(profile_spread(p), UNKNOWN, 1e-9);
	assert_int_equal(p->fixes[0].total, 0);
	assert_int_equal(p->fixes[2].total, 0);
	site_is(p, 3, 4000, 400, 400);
	/* a function without hooks: its durations may be off as the node says */
	site_take(p, NOWHERE, HOOK, 1, 10, 10, 10, 0);
	assert_int_equal(profile_compute(p), 0);
	assert_float_equal(profile_spread(p), SPREAD, 0);
}

/* Of a node that does not tell what it takes back nothing is known. */
static void without_a_skew_there_is_none(void **state)
{
	struct fixed *f = *state;
	struct profile *p = &f->p;

	for (uint16_t skew = 0; skew < 2; skew++) {
		skew_take(p, skew);
		site_take(p, FROM_START, LEAF, 50, 10000, 150, 300, 0);
		assert_int_equal(profile_compute(p), 0);
		assert_int_equal(p->fixes != NULL, skew > 0);
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, fixed_up, fixed_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_calls_leave_is_taken_off_their_callers),
		CASE(it_is_divided_as_the_time_is),
		CASE(of_a_recursive_function),
		CASE(short_calls),
		CASE(what_is_shown_is_possible),
		CASE(of_calls_of_next_to_no_time),
		CASE(rows_of_unlike_age),
		CASE(rows_that_leave_nothing),
		CASE(without_a_skew_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
