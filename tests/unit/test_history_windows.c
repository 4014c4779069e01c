/*
 * history_windows: what a window of moments adds up to where its moments are unlike: other clocks,
 * rates, bounds of durations, runs of the node; rows that go and come again; counts from before
 * the connect; memory that runs out.
 */
#include "tests/unit/history_life.h"

#include "core/base/mem.h"
#include "core/profile/raw/copy.h"

static struct profile *window_of(const struct life *l, size_t from, size_t to)
{
	struct profile *w = history_window(l->h, from, to, NULL);

	assert_non_null(w);
	return w;
}

static const struct profile_site *site_in(const struct profile *w, const struct wire_total *t)
{
	for (size_t i = 0; i < w->site_count; i++)
		if (w->sites[i].from == t->from && w->sites[i].to == t->to)
			return &w->sites[i];
	return NULL;
}

static const struct profile_function *function_at(const struct profile *w, uint64_t address)
{
	return &w->functions[profile_find_address(w, address)];
}

static void samples_count(struct life *l, uint32_t pc, uint64_t n)
{
	const struct wire_total t = { .kind = TOTAL_PC, .from = pc, .calls = n };

	assert_int_equal(profile_take_totals(&l->p, &t, 1), 0);
}

static void clock_is(struct life *l, uint32_t ticks, uint64_t bucket_below)
{
	struct wire_hello other = hello;

	other.ticks_per_second = ticks;
	other.bucket_below[0] = bucket_below;
	profile_take_hello(&l->p, &other);
}

/* --- unlike moments --------------------------------------------------------------------------- */

/* Ticks of another clock are made the last one's; of one that is not known they are as given. */
static void ticks_are_those_of_the_last_clock(void **state)
{
	static const struct { uint32_t then, now; uint64_t want; } rows[] = {
		{ 1000, 1000, 807 }, { 1000, 2000, 1607 }, { 2000, 1000, 407 },
		{ 0, 1000, 807 }, { 1, 3, 2407 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile *w;
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		clock_is(l, rows[i].then, 16);
		row_count(l, 0, 1, 800);
		run_count(l, 800);
		moment_end(l, SECOND);
		clock_is(l, rows[i].now, 16);
		row_count(l, 0, 1, 7);
		run_count(l, 7);
		moment_end(l, SECOND);
		w = window_of(l, 0, 2);
		assert_int_equal(w->sites[0].total, rows[i].want);
		assert_int_equal(w->ticks_run, rows[i].want);
		profile_drop(w);
		life_down(&made);
	}
}

/* More than the 53 bits that a double has. */
static void ticks_are_exact(void **state)
{
	const uint64_t great = (UINT64_C(1) << 60) + 1;
	struct life *l = *state;
	struct profile *w;

	row_count(l, 0, 1, great);
	run_count(l, great);
	moment_end(l, SECOND);
	w = window_of(l, 0, 1);
	assert_true(w->sites[0].total == great);
	assert_true(w->ticks_run == great);
	profile_drop(w);
}

/* Durations by other bounds, or in other ticks, are left out: the last moments' are shown. */
static void durations_have_the_last_bounds(void **state)
{
	static const struct { uint32_t ticks; uint64_t below, want; } rows[] = {
		{ 1000, 16, 12 }, { 1000, 17, 7 }, { 2000, 16, 7 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile_buckets sum;
		struct profile *w;
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		l->rows[0].has |= TOTAL_HISTOGRAM;
		clock_is(l, 1000, 16);
		l->rows[0].bucket[0] = 5;
		row_count(l, 0, 5, 1);
		moment_end(l, SECOND);
		clock_is(l, rows[i].ticks, rows[i].below);
		l->rows[0].bucket[0] += 7;
		row_count(l, 0, 7, 1);
		moment_end(l, SECOND);
		w = window_of(l, 0, 2);
		assert_true(profile_site_buckets(w, 0, &sum));
		assert_int_equal(sum.calls[0], rows[i].want);
		profile_drop(w);
		life_down(&made);
	}
}

/* The rate that keeps the time of all samples; the cycles of one go with it. */
static void samples_of_several_rates_keep_their_time(void **state)
{
	static const struct { double then, now; uint64_t before, after; double hz; } rows[] = {
		{ 100, 50, 100, 100, 200 / 3.0 }, { 50, 100, 1, 0, 50 }, { 50, 100, 0, 0, 100 },
		{ 100, 100, 5, 5, 100 }, { 0, 0, 5, 5, 0 }, { 2, 1, 0, 4, 1 }, { 0.5, 2, 1, 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile *w;
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		profile_take_rate(&l->p, rows[i].then);
		row_count(l, 0, 1, 1);
		samples_count(l, LEAF, rows[i].before);
		moment_end(l, SECOND);
		profile_take_rate(&l->p, rows[i].now);
		profile_take_cycles(&l->p, 600, CYCLES_CLOCK);
		samples_count(l, LEAF, rows[i].before + rows[i].after);
		moment_end(l, SECOND);
		w = window_of(l, 0, 2);
		assert_near(w->terms.hz, rows[i].hz);
		assert_near(w->terms.cycles,
				   (rows[i].hz > 0 ? 600 * rows[i].now / rows[i].hz : 600));
		profile_drop(w);
		life_down(&made);
	}
}

/* --- rates and pace --------------------------------------------------------------------------- */

static void a_window_has_rates(void **state)
{
	static const struct { uint64_t length; double seconds; } rows[] = {
		{ SECOND, 2 }, { SECOND / 2, 1 }, { SECOND / 4, 0.5 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile *w;
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		l->rows[2].from = 0;		/* of the first function */
		l->rows[2].flags = ROW_HANDLER;
		profile_set_image(&l->p, NULL);
		l->p.named = true;
		for (int k = 0; k < 2; k++) {
			row_count(l, 2, 6, 30);
			row_count(l, 0, 3, 60);
			run_count(l, 200);
			moment_end(l, rows[i].length);
		}
		w = window_of(l, 0, 2);
		assert_near(w->rate_calls, 18 / rows[i].seconds);
		assert_near(function_at(w, A)->rate_calls, 6 / rows[i].seconds);
		assert_near(w->functions[0].rate_calls, 12 / rows[i].seconds);
		assert_true(isnan(function_at(w, OUTSIDE)->rate_self));
		assert_near(w->pace, 0.4 / rows[i].seconds);
		profile_drop(w);
		life_down(&made);
	}
}

/* The first moment's length is not known, and nothing tells how long the node ran. */
static void without_a_length_there_are_no_rates(void **state)
{
	struct life *l = *state;
	struct profile *w;

	row_count(l, 0, 3, 60);
	moment_end(l, 0);
	row_count(l, 0, 3, 60);
	moment_end(l, SECOND);
	w = window_of(l, 0, 1);
	assert_true(isnan(w->rate_calls));
	assert_true(isnan(function_at(w, A)->rate_calls));
	assert_true(isnan(w->pace));
	profile_drop(w);
	w = window_of(l, 0, 2);
	assert_near(w->rate_calls, 6);
	profile_drop(w);
}

/* Only a stream whose clock stands still in sleep has a pace. */
static void a_pace_is_of_nodes_that_gather(void **state)
{
	struct life *l = *state;
	struct profile *w;

	l->p.terms.gathers = false;
	row_count(l, 0, 3, 60);
	run_count(l, 500);
	moment_end(l, SECOND);
	w = window_of(l, 0, 1);
	assert_true(isnan(w->pace));
	profile_drop(w);
}

/* 1000 ticks before the connect took as many seconds as 500 behind it: two. */
static void counts_from_before_the_connect_have_their_seconds(void **state)
{
	struct life *l = *state;
	struct profile *w;

	l->p.settled = 0;
	row_count(l, 0, 100, 60);
	run_count(l, 1000);
	moment_end(l, SECOND);
	w = window_of(l, 0, 1);
	assert_int_equal(w->ticks_run, 1000);
	assert_near(w->rate_calls, 100);
	assert_true(isnan(w->pace));
	profile_drop(w);
	profile_seen_from_start(&l->p);
	row_count(l, 0, 20, 60);
	run_count(l, 500);
	moment_end(l, SECOND);
	w = window_of(l, 0, 2);
	assert_int_equal(w->ticks_run, 1500);
	assert_near(w->rate_calls, 120 / 6.0);
	assert_near(w->pace, 1.5 / 6);
	profile_drop(w);
	w = window_of(l, 1, 2);
	assert_int_equal(w->ticks_run, 500);
	assert_near(w->rate_calls, 20);
	profile_drop(w);
}

/* What is known already, when a row joins late, is of its moment. */
static void a_known_row_is_of_its_moment(void **state)
{
	struct life *l = *state;
	float trend[HISTORY_TREND];
	struct profile *w;

	profile_take_rate(&l->p, 100);
	for (uint64_t k = 1; k <= 3; k++) {
		l->p.settled = k == 3 ? PROFILE_SETTLED : 0;
		samples_count(l, LEAF, 10 * k);
		samples_count(l, A, k);
		if (k == 3)
			samples_count(l, B, 5);		/* new, and nothing is from before */
		moment_end(l, SECOND);
	}
	assert_int_equal(l->h->moments[0].m.samples, 0);
	assert_int_equal(l->h->moments[1].m.samples, 11);
	assert_int_equal(l->h->moments[2].m.samples, 16);
	w = window_of(l, 1, 2);
	assert_int_equal(function_at(w, LEAF)->samples, 10);
	assert_int_equal(function_at(w, A)->samples, 1);
	profile_drop(w);
	assert_int_equal(history_trend(l->h, LEAF, SIZE_MAX, trend), 3);
	assert_true(isnan(trend[0]));
	assert_near((double)trend[1], 0.1);
	assert_near((double)trend[2], 0.1);
}

/* --- the shortest and the longest call -------------------------------------------------------- */

static void range_feed(struct life *l, uint64_t calls, uint64_t min, uint64_t max)
{
	l->rows[0].has = TOTAL_TIMED | TOTAL_MINMAX;
	l->rows[0].min = min;
	l->rows[0].max = max;
	row_count(l, 0, calls, calls * min);
	moment_end(l, SECOND);
}

/* Of two runs of the node the shorter and the longer one; bounds are known of the present run. */
static void ranges_over_a_restart(void **state)
{
	static const struct { size_t from, to; bool known, bounds; uint64_t min, max; } rows[] = {
		{ 0, 1, true, true, 30, 60 }, { 1, 2, false, false, 0, 0 },
		{ 0, 4, true, true, 30, 80 }, { 2, 3, true, true, 50, 80 },
		{ 3, 4, false, true, 50, 80 }, { 2, 4, true, true, 50, 80 },
	};
	struct life *l = *state;

	range_feed(l, 5, 30, 60);
	range_feed(l, 5, 30, 60);
	profile_reset(&l->p);
	profile_seen_from_start(&l->p);
	l->rows[0].calls = l->rows[0].total = 0;
	range_feed(l, 5, 50, 80);
	range_feed(l, 5, 50, 80);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile *w = window_of(l, rows[i].from, rows[i].to);
		const struct profile_site *s = &w->sites[0];

		assert_int_equal(profile_site_range(s), rows[i].known);
		assert_int_equal(profile_site_bounds(s), rows[i].bounds);
		if (rows[i].bounds) {
			assert_int_equal(s->min, rows[i].min);
			assert_int_equal(s->max, rows[i].max);
		}
		profile_drop(w);
	}
}

/* A longest call that was cut off at the node bounds no other call. */
static void a_longest_call_that_was_cut_bounds_nothing(void **state)
{
	struct life *l = *state;
	struct profile *w;

	l->rows[0].flags = ROW_MAX_AT_LEAST;
	range_feed(l, 5, 30, 60);
	range_feed(l, 5, 30, 60);
	w = window_of(l, 0, 2);
	assert_true(profile_site_range(&w->sites[0]));
	assert_true(w->sites[0].flags & ROW_MAX_AT_LEAST);
	profile_drop(w);
	w = window_of(l, 1, 2);
	assert_false(profile_site_bounds(&w->sites[0]));
	profile_drop(w);
}

/* --- worst moments ---------------------------------------------------------------------------- */

/* A row of nothing but what the worst moment had; no site, no edge, no cycle. */
static void a_peak_is_of_a_second(void **state)
{
	struct life *l = *state;
	struct profile *w;
	const struct profile_function *f;

	l->rows[0].flags = ROW_WRAPPED;
	samples_count(l, A, 4);
	row_count(l, 0, 4, 500);
	row_count(l, 1, 8, 300);
	run_count(l, 1000);
	moment_end(l, SECOND);
	row_count(l, 2, 2, 100);
	run_count(l, 1000);
	moment_end(l, SECOND);
	w = history_peaks(l->h, NULL);
	assert_int_equal(w->function_count, 3);
	assert_int_equal(w->site_count | w->pc_count | w->edge_count | w->bucket_count, 0);
	assert_int_equal(w->totals.samples, 0);
	assert_true(w->totals.self_s == 1 && w->totals.shares_s == 1);
	assert_near(w->totals.profiled_s, 0.2 + 0.3 + 0.1);
	assert_true(isnan(w->totals.run_s) && isnan(w->pace));
	f = function_at(w, A);
	assert_near(f->per_call_s, 0.5 / 4);
	assert_near(f->self_slack_s, f->self_s);	/* its row and LEAF's may differ */
	assert_true(function_at(w, LEAF)->self_slack_s == 0);
	assert_int_equal(f->cycle | f->sites | f->flags | f->samples, 0);
	assert_int_equal(f->self_ticks | f->total_ticks, 0);
	assert_near(function_at(w, B)->per_call_s, 0.05);
	profile_drop(w);
}

/* Calls of itself, and counted ones, leave a self time as exact as its row. */
static void recursive_and_counted_calls_make_no_caller(void **state)
{
	static const struct { uint32_t to; uint8_t has; bool caller; } rows[] = {
		{ LEAF, TOTAL_TIMED, true }, { LEAF, 0, false }, { A, TOTAL_TIMED, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile *w;
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		l->rows[1].to = rows[i].to;
		l->rows[1].has = rows[i].has;
		row_count(l, 0, 4, 500);
		row_count(l, 1, 8, rows[i].has ? 300 : 0);
		moment_end(l, SECOND);
		w = history_peaks(l->h, NULL);
		assert_int_equal(function_at(w, A)->self_slack_s > 0, rows[i].caller);
		assert_int_equal(isnan(function_at(w, A)->per_call_s), rows[i].to == A);
		profile_drop(w);
		life_down(&made);
	}
}

/* Where a call did not end, or one did. */
static void a_calls_time_needs_a_call(void **state)
{
	struct life *l = *state;
	struct profile *w;

	row_count(l, 0, 0, 200);
	row_count(l, 2, 1, 300);
	moment_end(l, SECOND);
	w = history_peaks(l->h, NULL);
	assert_true(isnan(function_at(w, A)->per_call_s));
	assert_near(function_at(w, A)->self_s, 0.2);
	assert_near(function_at(w, B)->per_call_s, 0.3);
	profile_drop(w);
}

/* Only calls are known: no time at all. */
static void without_times_peaks_have_none(void **state)
{
	struct life *l = *state;
	struct profile *w;

	l->rows[2].has = 0;
	row_count(l, 2, 8, 0);
	moment_end(l, SECOND);
	w = history_peaks(l->h, NULL);
	assert_true(w->totals.self_s == 0);
	assert_true(isnan(function_at(w, B)->self_s));
	assert_int_equal(function_at(w, B)->time, PROFILE_TIME_NONE);
	assert_int_equal(function_at(w, B)->calls, 8);
	profile_drop(w);
}

/* --- rows that go ----------------------------------------------------------------------------- */

static void row_goes(struct life *l, unsigned n)
{
	struct wire_total gone = l->rows[n];

	gone.flags = ROW_GONE;
	assert_int_equal(profile_take_totals(&l->p, &gone, 1), 0);
	l->rows[n].calls = l->rows[n].total = 0;
	memset(l->rows[n].bucket, 0, sizeof(l->rows[n].bucket));
}

/* The first row goes, with its ticks and durations; the others keep theirs; it may come again. */
static void a_row_that_goes_takes_all_with_it(void **state)
{
	struct life *l = *state;
	struct profile_buckets sum;
	const struct profile_site *s;
	struct profile *w;

	for (unsigned n = 0; n < ROWS; n++) {
		l->rows[n].has |= TOTAL_HISTOGRAM;
		for (int k = 0; k < WIRE_BUCKETS; k++)
			l->rows[n].bucket[k] = 1;	/* each of them by one */
		row_count(l, n, 8, 100 * (n + 1));
	}
	samples_count(l, LEAF, 3);
	samples_count(l, B, 4);
	moment_end(l, SECOND);
	w = window_of(l, 0, 1);
	assert_true(profile_site_buckets(w, 0, &sum));
	profile_drop(w);
	row_goes(l, 0);
	for (unsigned n = 1; n < ROWS; n++) {
		l->rows[n].bucket[3] += 2;
		row_count(l, n, 2, 10);
	}
	moment_end(l, SECOND);
	w = window_of(l, 0, 2);
	s = site_in(w, &l->rows[0]);
	assert_true(!s || (s->calls | s->total) == 0);
	assert_true(!s || !profile_site_buckets(w, (uint32_t)(s - w->sites), &sum));
	for (unsigned n = 1; n < ROWS; n++) {
		s = site_in(w, &l->rows[n]);
		assert_int_equal(s->calls, 10);
		assert_int_equal(s->total, 100 * (n + 1) + 10);
		assert_true(profile_site_buckets(w, (uint32_t)(s - w->sites), &sum));
		assert_int_equal(sum.calls[0], 1);
		assert_int_equal(sum.calls[3], 3);
		assert_int_equal(sum.calls[7], 1);
	}
	profile_drop(w);
	l->rows[0].bucket[5] = 9;
	row_count(l, 0, 9, 70);
	moment_end(l, SECOND);
	w = window_of(l, 0, 3);
	s = site_in(w, &l->rows[0]);
	assert_int_equal(s->calls, 9);
	assert_int_equal(s->total, 70);
	assert_true(profile_site_buckets(w, (uint32_t)(s - w->sites), &sum));
	assert_int_equal(sum.calls[5], 9);
	assert_int_equal(sum.calls[0], 0);
	profile_drop(w);
}

/* After a restart rows come in another order: each is known by its addresses. */
static void rows_in_another_order_are_the_same(void **state)
{
	static const uint32_t pcs[] = { LEAF, B, A };
	struct life *l = *state;
	struct profile *w;

	for (unsigned n = 0; n < ROWS; n++) {
		row_count(l, n, n + 1, 100);
		samples_count(l, pcs[n], n + 1);
	}
	moment_end(l, SECOND);
	profile_reset(&l->p);
	profile_seen_from_start(&l->p);
	for (unsigned n = ROWS; n-- > 0;) {
		l->rows[n].calls = l->rows[n].total = 0;
		row_count(l, n, 10 * (n + 1), 100);
		samples_count(l, pcs[n], 10 * (n + 1));
	}
	moment_end(l, SECOND);
	w = window_of(l, 0, 2);
	assert_int_equal(w->site_count, ROWS);
	assert_int_equal(w->pc_count, ROWS);
	for (unsigned n = 0; n < ROWS; n++) {
		assert_int_equal(site_in(w, &l->rows[n])->calls, 11 * (n + 1));
		assert_int_equal(function_at(w, pcs[n])->samples, 11 * (n + 1));
	}
	profile_drop(w);
}

/* --- memory that runs out --------------------------------------------------------------------- */

/* One allocation fails: what found no room comes with a later moment, and nothing is taken back. */
static void a_moment_without_memory_takes_nothing_back(void **state)
{
	enum { ROOM = 40, FAIL = 30 };

	(void)state;
	for (long n = 0; n < 2 * FAIL; n++) {
		struct wire_total t[ROOM], pc[ROOM];
		struct profile *w;
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		for (uint32_t k = 1; k <= 3; k++) {
			for (uint32_t i = 0; i < ROOM; i++) {
				t[i] = l->rows[2];
				t[i].from += 4 * i;
				t[i].calls = k;
				t[i].total = UINT64_C(1000000000000) * k;
				pc[i] = (struct wire_total){
					.kind = TOTAL_PC, .from = LEAF + 8 * i, .calls = k,
				};
			}
			assert_int_equal(profile_take_totals(&l->p, t, ROOM), 0);
			assert_int_equal(profile_take_totals(&l->p, pc, ROOM), 0);
			assert_int_equal(profile_compute(&l->p), 0);
			l->now += SECOND;
			if (k == 1 + n / FAIL)
				mem_fail_once(n % FAIL);
			history_take(l->h, &l->p, NULL, l->now);
			mem_fail_after(-1);
			w = history_window(l->h, 0, SIZE_MAX, NULL);
			for (size_t i = 0; w && i < w->site_count; i++)
				assert_in_range(w->sites[i].calls, k > 1 ? k - 1 : 0, k);
			profile_drop(w);
		}
		w = window_of(l, 0, SIZE_MAX);
		assert_int_equal(w->totals.calls, 3 * ROOM);
		assert_int_equal(w->totals.samples, 3 * ROOM);
		profile_drop(w);
		life_down(&made);
	}
}

/* Whole, or not at all. */
static void without_memory_no_window_is_half(void **state)
{
	struct life *l = *state;
	unsigned made = 0;

	l->rows[0].has |= TOTAL_HISTOGRAM;
	l->rows[0].bucket[2] = 4;
	for (unsigned n = 0; n < ROWS; n++)
		row_count(l, n, 4, 100);
	samples_count(l, LEAF, 3);
	moment_end(l, SECOND);
	for (long n = 0; n < 60; n++) {
		struct err err = { 0 };
		struct profile_buckets sum;
		struct profile *w;

		mem_fail_once(n);
		w = history_window(l->h, 0, SIZE_MAX, &err);
		mem_fail_after(-1);
		assert_int_equal(!w, err_is_set(&err));
		made += w != NULL;
		if (!w)
			continue;
		assert_int_equal(w->site_count, ROWS);
		assert_int_equal(w->totals.calls, 4 * ROWS);
		assert_int_equal(w->totals.samples, 3);
		assert_true(profile_site_buckets(w, 0, &sum) && sum.calls[2] == 4);
		assert_int_equal(w->function_count, l->p.function_count);
		profile_drop(w);
	}
	assert_in_range(made, 1, 59);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, life_up, life_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_those_of_the_last_clock),
		CASE(ticks_are_exact),
		cmocka_unit_test(durations_have_the_last_bounds),
		cmocka_unit_test(samples_of_several_rates_keep_their_time),
		cmocka_unit_test(a_window_has_rates),
		CASE(without_a_length_there_are_no_rates),
		CASE(a_pace_is_of_nodes_that_gather),
		CASE(counts_from_before_the_connect_have_their_seconds),
		CASE(a_known_row_is_of_its_moment),
		CASE(ranges_over_a_restart),
		CASE(a_longest_call_that_was_cut_bounds_nothing),
		CASE(a_peak_is_of_a_second),
		cmocka_unit_test(recursive_and_counted_calls_make_no_caller),
		CASE(a_calls_time_needs_a_call),
		CASE(without_times_peaks_have_none),
		CASE(a_row_that_goes_takes_all_with_it),
		CASE(rows_in_another_order_are_the_same),
		cmocka_unit_test(a_moment_without_memory_takes_nothing_back),
		CASE(without_memory_no_window_is_half),
	};

	return cmocka_run_group_tests_name("history_windows", tests, NULL, NULL);
}
