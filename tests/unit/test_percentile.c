/*
 * percentile: from counts by duration. Bounds as a node says them, in ticks of a millisecond; what
 * is expected is worked out by hand: even on a logarithmic scale inside a bucket.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/profile/look/percentile.h"
#include "core/profile/look/rows.h"
#include "core/profile/raw/feed.h"
#include "tests/unit/profile_firmware.h"

static const struct profile scale = {
	.terms = {
		.ticks_per_second = 1000,
		.bucket_below = { 16, 64, 256, 1024, 4096, 16384, 65536 },
	},
};

static const struct {
	uint64_t calls[WIRE_BUCKETS];
	double q, min, max, expected;
} cases[] = {
	{ { 0, 10 }, 0.5, NAN, NAN, 0.032 },			/* the middle of 16 and 64 */
	{ { 0, 10 }, 0.0, NAN, NAN, 0.016 },
	{ { 0, 10 }, 1.0, NAN, NAN, 0.064 },
	{ { 0, 10 }, 0.5, 0.020, 0.045, 0.030 },		/* the range is nearer */
	{ { 0, 10 }, 1.0, 0.020, 0.045, 0.045 },
	{ { 0, 10 }, 0.5, 0.001, 9, 0.032 },			/* it is not */
	{ { 5, 0, 5 }, 0.5, NAN, NAN, 0.016 },
	{ { 5, 0, 5 }, 0.75, NAN, NAN, 0.128 },
	{ { 99, 0, 0, 1 }, 0.99, NAN, NAN, 0.016 },
	{ { 98, 0, 0, 2 }, 0.99, NAN, NAN, 0.512 },
	{ { 16 }, 0.5, NAN, NAN, 0.004 },			/* from one tick to 16 */
	/* the last ends where the longest does */
	{ { [7] = 4 }, 0.5, NAN, 262.144, 131.072 },
	{ { [7] = 4 }, 1.0, NAN, NAN, 131.072 },
	{ { [1] = 1 }, 0.5, 0.040, 0.040, 0.040 },
	{ { 0 }, 0.5, 0.1, 0.2, NAN },
};

static void percentiles_lie_in_their_bucket(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct profile_buckets b;
		double got;

		memcpy(b.calls, cases[i].calls, sizeof(b.calls));
		got = percentile_of(&scale, &b, cases[i].q, cases[i].min, cases[i].max);
		if (isnan(cases[i].expected) ? !isnan(got) :
		    !(fabs(got / cases[i].expected - 1) < 1e-9))
			fail_msg("case %zu: %g, not %g", i, got, cases[i].expected);
	}
}

static void without_bounds_nothing_is_known(void **state)
{
	static const struct profile silent = { .terms = { .ticks_per_second = 1000 } };
	static const struct profile timeless = { .terms = { .bucket_below = { 16 } } };
	struct profile_buckets b = { { 1, 2, 3 } };

	(void)state;
	assert_true(isnan(percentile_of(&silent, &b, 0.5, NAN, NAN)));
	assert_true(isnan(percentile_of(&timeless, &b, 0.5, NAN, NAN)));
}

/* Whatever was counted: a larger share took longer, and all lie in the range. */
static void they_rise(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct profile_buckets b;
		double last = 0, min = i % 3 ? 0.010 : (double)NAN,
			max = i % 2 ? 70.0 : (double)NAN;

		for (size_t k = 0; k < WIRE_BUCKETS; k++) {
			seed = seed * 1664525 + 1013904223;
			b.calls[k] = seed >> 28 ? seed >> 20 : 0;
		}
		for (double q = 0; q <= 1; q += 0.01) {
			double v = percentile_of(&scale, &b, q, min, max);

			if (isnan(v))
				break;
			assert_true(v >= last);
			assert_true(!(v < min) && !(v > max));
			last = v;
		}
	}
}

/* The columns: of all callers, sorted by, and empty where no durations were counted. */
static void columns_show_them(void **state)
{
	static const struct wire_hello hello = {
		.name = "", .version = 1, .ticks_per_second = 1000,
		.bucket_below = { 16, 64, 256, 1024, 4096, 16384, 65536 },
	};
	struct fixture *t = *state;
	struct wire_total row = {
		.kind = TOTAL_SITE, .from = entry_of(t, "main") + 5, .to = entry_of(t, "a"),
		.calls = 10,
		.total = 320, .has = TOTAL_TIMED | TOTAL_HISTOGRAM, .bucket = { 0, 10 },
	};
	struct column_data d = { .profile = &t->p };
	char text[COLUMN_TEXT];
	struct rows r;

	profile_take_hello(&t->p, &hello);
	assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
	row.from = entry_of(t, "a") + 5;
	row.to = entry_of(t, "b");
	row.has = TOTAL_TIMED;
	assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
	row.to = entry_of(t, "leaf");
	row.has = TOTAL_TIMED | TOTAL_HISTOGRAM;
	row.bucket[1] = 0;
	row.bucket[2] = 10;
	assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
	assert_int_equal(profile_compute(&t->p), 0);

	columns[COLUMN_P50].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, "~32.0 ms");
	columns[COLUMN_P99].format(&d, function_named(t, "b"), text, sizeof(text));
	assert_string_equal(text, "");
	rows_init(&r);
	assert_int_equal(rows_sort(&r, &t->p, &(struct rows_order){ .column = COLUMN_P99 }), 0);
	assert_string_equal(t->p.functions[r.items[0]].name, "leaf");
	assert_string_equal(t->p.functions[r.items[1]].name, "a");
	rows_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_lie_in_their_bucket),
		cmocka_unit_test(without_bounds_nothing_is_known),
		cmocka_unit_test(they_rise),
		cmocka_unit_test_setup_teardown(columns_show_them, profile_up, profile_down),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
