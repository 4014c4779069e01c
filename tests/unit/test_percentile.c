/*
 * percentile: from counts by duration. Bounds as a node says them, in ticks of a millisecond; what
 * is expected is worked out by hand: even on a logarithmic scale inside a bucket where no mean is
 * known.
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

static const struct percentile_known nothing = { NAN, NAN, NAN, false };

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
		got = percentile_of(&scale, &b, cases[i].q,
				    &(struct percentile_known){ cases[i].min, NAN,
								cases[i].max, false });
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
	assert_true(isnan(percentile_of(&silent, &b, 0.5, &nothing)));
	assert_true(isnan(percentile_of(&timeless, &b, 0.5, &nothing)));
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
			struct percentile_known k = { min, NAN, max, false };
			double v = percentile_of(&scale, &b, q, &k);

			if (isnan(v))
				break;
			assert_true(v >= last);
			assert_true(!(v < min) && !(v > max));
			last = v;
		}
	}
}

/* --- with a mean ------------------------------------------------------------------------------ */

/* Calls that a node counted: all of them, and what it tells. */
struct calls {
	double *s;
	size_t n;
	struct profile_buckets b;
	struct percentile_known known;
};

static double part_random(void)
{
	return (double)rand() / RAND_MAX;
}

/* Short and long ones in any mixture, of three shapes. */
static double call_random(unsigned shape, double at)
{
	double u = part_random();

	switch (shape % 4) {
	case 0: return at * (1 + 0.03 * u);			/* all nearly alike */
	case 1: return at * exp(3 * u * u * u);			/* a long tail */
	case 2: return u < 0.95 ? at * (1 + 0.1 * u) : 40 * at * u;	/* few long ones */
	default: return at * -log(1 - 0.999 * u);
	}
}

static void calls_make(struct calls *c, unsigned shape)
{
	double at = exp(11 * part_random()) / 1000, sum = 0;

	c->n = 1 + (size_t)rand() % 400;
	c->s = test_calloc(c->n, sizeof(*c->s));
	memset(&c->b, 0, sizeof(c->b));
	c->known = (struct percentile_known){ INFINITY, NAN, 0, true };
	for (size_t i = 0; i < c->n; i++) {
		size_t k = 0;

		c->s[i] = call_random(shape, at);
		while (k < WIRE_BUCKETS - 1 && c->s[i] >= percentile_bound(&scale, k))
			k++;
		c->b.calls[k]++;
		sum += c->s[i];
		c->known.min = fmin(c->known.min, c->s[i]);
		c->known.max = fmax(c->known.max, c->s[i]);
	}
	c->known.mean = sum / (double)c->n;
}

static void percentiles_check(const struct profile_buckets *b, const struct percentile_known *k,
			      const char *what, unsigned round)
{
	double last = 0;

	for (double q = 0.005; q < 1; q += 0.005) {
		double v = percentile_of(&scale, b, q, k), slack = 1e-9 * (v + k->mean);

		if (isnan(v) || v < last - slack)
			fail_msg("%s %u: p%g is %g after %g", what, round, 100 * q, v, last);
		if (v < k->min - slack || v > k->max + slack)
			fail_msg("%s %u: p%g %g, not in %g to %g", what, round, 100 * q, v, k->min,
				 k->max);
		if (v > fmax(0, k->min) + (k->mean - fmax(0, k->min)) / (1 - q) + slack)
			fail_msg("%s %u: p%g %g, min %g, mean %g", what, round, 100 * q, v, k->min,
				 k->mean);
		if (v < k->max - (k->max - k->mean) / q - slack)
			fail_msg("%s %u: p%g %g, max %g, mean %g", what, round, 100 * q, v, k->max,
				 k->mean);
		last = v;
	}
}

/* What arithmetic demands of each quantile, over random distributions. */
static void arithmetic_allows_them(void **state)
{
	(void)state;
	srand(4);
	for (unsigned round = 0; round < 4000; round++) {
		struct calls c;
		struct percentile_known less;

		calls_make(&c, round);
		percentiles_check(&c.b, &c.known, "exact", round);
		less = c.known;
		less.reached = false;		/* a window: bounds that no call reached */
		less.min *= part_random();
		less.max *= 1 + part_random();
		percentiles_check(&c.b, &less, "bounded", round);
		less.min = less.max = NAN;
		percentiles_check(&c.b, &less, "a mean alone", round);
		/* Calibrated, or of a newer row: they do not fit the counts. */
		less = c.known;
		less.mean *= 0.5 + part_random();
		less.min = fmin(less.mean, less.min * (0.5 + part_random()));
		less.max = fmax(less.mean, less.max * (0.5 + part_random()));
		percentiles_check(&c.b, &less, "contradicting", round);
		test_free(c.s);
	}
}

static int by_length(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A bucket's ends are a factor of 4 apart. Without the mean, nine in ten were off by up to 0.52. */
static void estimates_are_near(void **state)
{
	double off[4000];
	size_t n = 0;

	(void)state;
	srand(5);
	for (unsigned round = 0; n < 4000; round++) {
		struct calls c;
		double q = n % 2 ? 0.5 : 0.99, truth;

		calls_make(&c, round);
		qsort(c.s, c.n, sizeof(*c.s), by_length);
		truth = c.s[(size_t)(q * (double)(c.n - 1))];
		off[n++] = fabs(log(percentile_of(&scale, &c.b, q, &c.known) / truth));
		test_free(c.s);
	}
	qsort(off, n, sizeof(*off), by_length);
	if (off[n / 2] > 0.08 || off[n * 9 / 10] > 0.4)
		fail_msg("half are off by up to %g, nine in ten by %g", off[n / 2],
			 off[n * 9 / 10]);
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
	row.total = 1000;
	assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
	assert_int_equal(profile_compute(&t->p), 0);

	columns[COLUMN_P50].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, "~28.0 ms");	/* t = 1/3: 16 + 48 / 4 */
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
		cmocka_unit_test(arithmetic_allows_them),
		cmocka_unit_test(estimates_are_near),
		cmocka_unit_test_setup_teardown(columns_show_them, profile_up, profile_down),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
