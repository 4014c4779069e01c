/*
 * profile_rates: what the marks make of a node's counts, by hand: rates over the window, between
 * the times of its rows; the pace of its run. No image: functions are named by their addresses.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/raw/feed.h"
#include "core/profile/raw/raw.h"

#define SECOND CLOCK_SECOND

#define OUTSIDE UINT32_C(0xfffffff9)	/* an exception, which no function calls */

enum { A = 0x2000, B = 0x3000, L = 0x4000 };

static int rates_up(void **state)
{
	static const uint64_t none[WIRE_BUCKETS - 1];
	struct profile *p = malloc(sizeof(*p));

	assert_int_equal(profile_init(p, ""), 0);
	p->named = true;
	profile_take_clock(p, 1000, none);
	profile_take_rate(p, 100);
	*state = p;
	return 0;
}

static int rates_down(void **state)
{
	profile_release(*state);
	free(*state);
	return 0;
}

/* Running totals. */
static void calls_are(struct profile *p, uint32_t from, uint32_t to, uint64_t calls, uint64_t ticks)
{
	const struct wire_total t = {
		.kind = TOTAL_SITE, .from = from, .to = to, .calls = calls, .total = ticks,
		.has = TOTAL_TIMED,
	};

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static void samples_are(struct profile *p, uint32_t at, uint64_t n)
{
	const struct wire_total t = { .kind = TOTAL_PC, .from = at, .calls = n };

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static struct profile_function *function_at(const struct profile *p, uint32_t address)
{
	uint32_t i = profile_find_address(p, address);

	assert_int_not_equal(i, PROFILE_NONE);
	return &p->functions[i];
}

/* --- the window ------------------------------------------------------------------------------- */

/* In second k so many calls: the window is the last nine seconds, or all since the first mark. */
static void rates_are_of_the_window(void **state)
{
	struct profile *p = *state;
	double sums[26] = { 0 };

	profile_seen_from_start(p);
	for (unsigned k = 1; k <= 25; k++) {
		unsigned from = k > 10 ? k - 9 : 1;
		double rate = 0;

		sums[k] = sums[k - 1] + 10 * k;
		calls_are(p, OUTSIDE, A, (uint64_t)sums[k], 5 * (uint64_t)sums[k]);
		profile_mark(p, k * SECOND);
		rate = (sums[k] - sums[from]) / (k - from);
		assert_float_equal(function_at(p, A)->rate_calls, rate, 1e-9);
		assert_float_equal(function_at(p, A)->rate_self, rate * 5 / 1000, 1e-9);
		/* of all functions: once the window has two seconds */
		assert_float_equal(p->rate_calls, k - from >= 2 ? rate : NAN, 1e-9);
	}
}

/* Closer than a twentieth of a second a mark is none. */
static void marks_are_apart(void **state)
{
	struct profile *p = *state;

	profile_seen_from_start(p);
	calls_are(p, OUTSIDE, A, 1, 1);
	profile_mark(p, 10 * SECOND);
	profile_mark(p, 11 * SECOND);
	profile_mark(p, 12 * SECOND);
	profile_mark(p, 12 * SECOND + SECOND / 20 - 1);
	assert_int_equal(p->marks, 3);
	profile_mark(p, 12 * SECOND + SECOND / 20);
	assert_int_equal(p->marks, 4);
}

/* Self time that shrank is none; that of a function without times began with nothing. */
static void self_time_has_no_rate_below_zero(void **state)
{
	const struct wire_total arc = { .kind = TOTAL_ARC, .from = OUTSIDE, .to = L, .calls = 4 };
	struct profile *p = *state;

	profile_seen_from_start(p);
	calls_are(p, OUTSIDE, A, 10, 800);
	calls_are(p, A, B, 10, 100);
	assert_int_equal(profile_take_totals(p, &arc, 1), 0);
	profile_mark(p, SECOND);
	assert_true(isnan(function_at(p, L)->rate_self));
	calls_are(p, A, B, 20, 400);
	samples_are(p, L, 50);
	profile_mark(p, 2 * SECOND);
	assert_true(function_at(p, A)->rate_self == 0);
	assert_float_equal(function_at(p, B)->rate_self, 0.3, 1e-9);
	assert_float_equal(function_at(p, L)->rate_self, 0.5, 1e-9);
}

/* --- rows that were counted before ------------------------------------------------------------ */

/* A node that has counted for hours: five marks without a new row, then its counts are new. */
static void new_rows_begin_the_window_anew(void **state)
{
	struct profile *p = *state;

	assert_true(profile_settled(p));	/* nothing that runs */
	for (unsigned k = 1; k <= 12; k++) {
		calls_are(p, OUTSIDE, A, 1000 + 10 * k, 1);
		if (k >= 3)
			calls_are(p, OUTSIDE, B, 90000 + 20 * k, 1);
		profile_mark(p, k * SECOND);
		assert_int_equal(p->settled, k < 3 ? k - 1 : k < 8 ? k - 3 : PROFILE_SETTLED);
		assert_int_equal(profile_settled(p), k >= 8);
		assert_float_equal(function_at(p, A)->rate_calls, k == 1 || k == 3 ? NAN : 10,
				   1e-9);
		if (k >= 3)
			assert_float_equal(function_at(p, B)->rate_calls, k == 3 ? NAN : 20, 1e-9);
	}
	p->settled = 0;
	assert_false(profile_settled(p));
	p->generation = 1;			/* a report is whole */
	assert_true(profile_settled(p));
}

/* --- the age of rows -------------------------------------------------------------------------- */

static float age_now(const struct profile *p, uint32_t address)
{
	return function_at(p, address)->past[(p->marks - 1) % PROFILE_PAST].age_s;
}

/*
 * A function's rows by their calls, and one each; of a row that did not come for long, up to when
 * the node had told all; samples likewise. Rows without a time have no age.
 */
static void ages_are_those_of_the_rows(void **state)
{
	struct profile *p = *state;

	profile_seen_from_start(p);
	calls_are(p, OUTSIDE, L, 5, 50);		/* no time is given yet */
	for (unsigned k = 0; k < 12; k++) {
		uint64_t now = (100 + 10 * k) * SECOND;

		p->told_ns = 0;
		p->heard_ns = now - SECOND;
		calls_are(p, OUTSIDE, A, 29 + k, 300 + k);
		p->heard_ns = now - SECOND / 2;
		calls_are(p, OUTSIDE + 4, A, 9, 90 + k);
		p->heard_ns = now - 5 * SECOND;
		calls_are(p, OUTSIDE, B, 7, 70 + k);
		profile_mark(p, now);
		assert_float_equal(age_now(p, A), (1.0 * (30 + k) + 0.5 * 10) / (40 + k), 2e-3);
		assert_float_equal(age_now(p, B), 5, 2e-3);
		assert_float_equal(age_now(p, L), 0, 0);
		p->told_ns = now - 3 * SECOND + SECOND / 10;
		samples_are(p, 0x5000, 3);
		profile_mark(p, now + SECOND / 10);
		assert_float_equal(age_now(p, B), 3, 1e-6);
		assert_float_equal(age_now(p, L), 3, 1e-6);
		assert_float_equal(age_now(p, 0x5000), 3, 1e-6);
		assert_float_equal(age_now(p, A), (1.1 * (30 + k) + 0.6 * 10) / (40 + k), 2e-3);
	}
}

/* A quarter of a second between the rows' times gives a rate; with less the last one stays. */
static void a_rate_needs_a_quarter_of_a_second(void **state)
{
	static const struct { double at, told, rate; uint64_t samples; } rows[] = {
		{ 1, 1, NAN, 0 }, { 1.125, 1.125, NAN, 10 }, { 1.25, 1.25, 0.4, 10 },
		{ 1.5, 1.25, 1.2, 30 }, { 1.75, 1.125, 1.2, 60 }, { 2, 1, 1.2, 60 },
		{ 3, 3, 0.3, 60 },
	};
	struct profile *p = *state;

	profile_seen_from_start(p);
	samples_are(p, L, 100);
	for (size_t i = 0; i < COUNT(rows); i++) {
		p->heard_ns = (uint64_t)(rows[i].at * 1e9);
		p->told_ns = (uint64_t)(rows[i].told * 1e9);
		samples_are(p, L, 100 + rows[i].samples);
		profile_mark(p, (uint64_t)(rows[i].at * 1e9));
		assert_float_equal(function_at(p, L)->rate_self, rows[i].rate, 1e-6);
	}
}

/* --- the pace of the run ---------------------------------------------------------------------- */

/* Since the start where that was seen, else since the first mark; over two seconds at least. */
static void the_run_has_a_pace(void **state)
{
	static const struct { unsigned began; bool gathers; double at, run, pace; } rows[] = {
		{ 10, true, 14, 2, 0.5 }, { 0, true, 15, 2.5, 0.5 },
		{ 0, false, 16, 5, 0.5 },		/* nothing of it: it stays */
		{ 0, true, 20, 3, 0.3 },
	};
	struct profile *p = *state;

	profile_seen_from_start(p);
	p->pace = NAN;
	calls_are(p, OUTSIDE, A, 1, 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		p->began_ns = rows[i].began * SECOND;
		p->terms.gathers = rows[i].gathers;
		p->run_ns = i % 2 ? (uint64_t)(rows[i].at * 1e9) : 0;
		profile_take_run(p, (uint64_t)(rows[i].run * 1000));
		p->dirty = true;
		profile_mark(p, (uint64_t)(rows[i].at * 1e9) + (i % 2 ? SECOND / 2 : 0));
		assert_float_equal(p->pace, rows[i].pace, 1e-9);
	}
}

/* It stands still in sleep, which is part of the time; a pace of nothing is not known. */
static void a_run_that_stands_still(void **state)
{
	static const struct { double at, run, pace; } rows[] = {
		{ 1, 1, NAN }, { 2, 1, NAN }, { 2.5, 1.75, NAN }, { 3, 2, 0.5 }, { 4, 2.5, 0.5 },
		{ 6, 0.5, NAN }, { 7, 1.5, NAN }, { 8, 1.5, 0.5 },	/* fewer: since then */
	};
	struct profile *p = *state;

	profile_seen_from_start(p);
	p->pace = NAN;
	p->terms.gathers = true;
	calls_are(p, OUTSIDE, A, 1, 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		profile_take_run(p, (uint64_t)(rows[i].run * 1000));
		p->dirty = true;
		profile_mark(p, (uint64_t)(rows[i].at * 1e9));
		assert_float_equal(p->pace, rows[i].pace, 1e-9);
	}
	profile_reset(p);
	profile_seen_from_start(p);
	p->terms.gathers = true;
	p->pace = NAN;
	p->began_ns = 0;
	calls_are(p, OUTSIDE, A, 1, 1);
	profile_take_run(p, 1000);
	profile_mark(p, 10 * SECOND);
	profile_take_run(p, 1000);
	p->dirty = true;
	profile_mark(p, 13 * SECOND);
	assert_true(isnan(p->pace));
}

/* --- the rest --------------------------------------------------------------------------------- */

static void a_picture_is_not_derived(void **state)
{
	struct profile *p = *state;

	calls_are(p, OUTSIDE, A, 1, 1);
	p->picture = true;
	assert_true(p->dirty);
	assert_int_equal(profile_compute(p), 0);
	assert_int_equal(p->function_count, 0);
	p->picture = false;
	assert_int_equal(profile_compute(p), 0);
	assert_int_equal(p->function_count, 1);
}

static void places_are_found_by_their_function(void **state)
{
	static const size_t want[] = { 3, 0, 3, 2, 3 };
	struct profile *p = *state;
	struct profile_place places[] = {
		{ .function = 1 }, { .function = 1 }, { .function = 3 }, { .function = 4 },
	};

	p->places = places;
	p->place_count = 3;
	for (uint32_t i = 0; i < COUNT(want); i++)
		assert_int_equal(profile_places(p, i), want[i]);
	p->places = NULL;
	p->place_count = 0;
}

/* Each of its lists is a part. */
static void memory_is_that_of_all_lists(void **state)
{
	struct profile p = {
		.site_cap = 3, .pc_cap = 5, .edge_cap = 7, .function_cap = 11, .bucket_cap = 13,
		.bucket_bases = 17, .path_cap = 19, .place_cap = 23, .depth_cap = 29,
		.spent_cap = 31, .age_cap = 37, .fix_cap = 41, .arena.bytes = 43, .fine_cap = 47,
	};
	struct map *maps[] = { &p.depth_index, &p.spent_index, &p.pc_index, &p.function_index };
	const struct profile *real = *state;
	size_t sum = 3 * sizeof(*p.sites) + 5 * sizeof(*p.pcs) + 7 * sizeof(*p.edges) +
		     11 * sizeof(*p.functions) + (13 + 17) * sizeof(*p.buckets) +
		     19 * sizeof(*p.paths) + 23 * sizeof(*p.places) + 29 * sizeof(*p.depths) +
		     31 * sizeof(*p.spent) + 37 * sizeof(*p.ages) + 41 * sizeof(*p.fixes) + 43;

	sum += profile_fines_memory(&p);
	calls_are(*state, OUTSIDE, A, 1, 1);
	assert_int_equal(profile_compute(*state), 0);
	p.site_index = real->site_index;
	p.edge_index = real->edge_index;
	sum += index_memory(&p.site_index) + index_memory(&p.edge_index);
	assert_true(index_memory(&p.site_index) && index_memory(&p.edge_index));
	assert_true(profile_fines_memory(&p) > 0);
	for (size_t i = 0; i < COUNT(maps); i++) {
		assert_int_equal(map_put(maps[i], i, 1), 0);
		assert_true(map_memory(maps[i]) > 0);
		sum += map_memory(maps[i]);
	}
	assert_int_equal(profile_memory(&p), sum);
	for (size_t i = 0; i < COUNT(maps); i++)
		map_release(maps[i]);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, rates_up, rates_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(rates_are_of_the_window),
		CASE(marks_are_apart),
		CASE(self_time_has_no_rate_below_zero),
		CASE(new_rows_begin_the_window_anew),
		CASE(ages_are_those_of_the_rows),
		CASE(a_rate_needs_a_quarter_of_a_second),
		CASE(the_run_has_a_pace),
		CASE(a_run_that_stands_still),
		CASE(a_picture_is_not_derived),
		CASE(places_are_found_by_their_function),
		CASE(memory_is_that_of_all_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
