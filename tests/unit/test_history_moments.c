/*
 * history_moments: what a moment is told to be (its time, length, load, the stream's counters),
 * which moments are joined and what is left of them, each function's trend and worst moment.
 */
#include "tests/unit/history_life.h"

#include "core/base/mem.h"
#include "core/profile/raw/copy.h"

#define APART (SECOND / 20)
#define SHORT (SECOND / 2)

/* So many seconds with a call of A each, which takes 100 ms. */
static void seconds_pass(struct life *l, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		row_count(l, 0, 1, 100);
		run_count(l, 1000);
		moment_end(l, SECOND);
	}
}

/* --- times ------------------------------------------------------------------------------------ */

/*
 * Moments come with their time; what comes at once, as out of a file, is told apart by the node's
 * own run, or lies a millisecond behind the last one.
 */
static void times_ascend_and_keep_to_the_run(void **state)
{
	static const struct { uint64_t after, run, length; } rows[] = {
		{ SECOND, 1000, SECOND },		/* the first one: its run is as long */
		{ APART, 1000, APART },
		{ APART - 1, 1000, SECOND },
		{ 0, 250, SECOND / 4 },
		{ 0, 0, SECOND / 1000 },
		{ 0, UINT64_C(2000000000000), SECOND / 1000 },	/* longer than anything runs */
		{ 0, 200000, 200 * SECOND },
	};
	struct life *l = *state;
	uint64_t end = BEGIN;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct history_kept *k;

		row_count(l, 0, 1, 1);
		run_count(l, rows[i].run);
		l->now = end;
		k = moment_end(l, rows[i].after);
		end += rows[i].length;
		assert_int_equal(k->m.length_ns, rows[i].length);
		assert_int_equal(k->m.time_ns, end);
		assert_int_equal(k->run, rows[i].run);
	}
}

/* The first moment is as long as the node's run where that is more than twice as long. */
static void the_first_moment_has_the_run(void **state)
{
	static const struct { uint64_t length, run, want; } rows[] = {
		{ 0, 0, 0 }, { SECOND, 2000, SECOND }, { SECOND, 2001, 2001 * (SECOND / 1000) },
		{ SECOND, 2500, 2500 * (SECOND / 1000) },
		{ SECOND, 101000, SECOND }, { SECOND, 100999, 100999 * (SECOND / 1000) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		void *made;
		struct life *l;

		life_up(&made);
		l = made;
		row_count(l, 0, 1, 1);
		run_count(l, rows[i].run);
		assert_int_equal(moment_end(l, rows[i].length)->m.length_ns, rows[i].want);
		life_down(&made);
	}
}

/* Nothing happened: half a second makes a moment nevertheless, a shorter time none. */
static void a_short_time_without_a_change_is_no_moment(void **state)
{
	static const struct { uint64_t after; size_t count; } rows[] = {
		{ SHORT - 1, 1 }, { SHORT, 2 }, { SHORT / 2, 2 },
	};
	struct life *l = *state;

	seconds_pass(l, 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t last = l->h->last_ns;

		assert_int_equal(history_take(l->h, &l->p, NULL, last + rows[i].after), 0);
		assert_int_equal(l->h->count, rows[i].count);
	}
}

static void moments_are_found_by_their_times(void **state)
{
	struct life *l = *state;
	static const struct { uint64_t time; size_t at; } rows[] = {
		{ 0, 0 }, { BEGIN + SECOND, 0 }, { BEGIN + SECOND + 1, 1 },
		{ BEGIN + 2 * SECOND, 1 }, { BEGIN + 3 * SECOND, 2 }, { UINT64_MAX, 2 },
	};

	assert_int_equal(history_start(l->h, 0), 0);
	assert_int_equal(history_start(l->h, SIZE_MAX), 0);
	seconds_pass(l, 2);
	profile_reset(&l->p);
	l->rows[0].calls = l->rows[0].total = l->run = 0;
	seconds_pass(l, 1);
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(history_find(l->h, rows[i].time), rows[i].at);
	assert_int_equal(history_start(l->h, 1), 0);
	assert_int_equal(history_start(l->h, 3), 2);
	assert_int_equal(history_start(l->h, SIZE_MAX), 2);
}

/* --- boundaries ------------------------------------------------------------------------------- */

/* Also between the first moment and the second; and each row is told once to be there. */
static void a_restart_is_a_boundary(void **state)
{
	struct life *l = *state;

	profile_reset(&l->p);		/* before the first one: none */
	profile_seen_from_start(&l->p);
	row_count(l, 1, 5, 50);
	seconds_pass(l, 1);
	assert_false(l->h->moments[0].m.began || l->h->moments[0].m.reset);
	assert_int_equal(l->h->sites_seen, 2);
	profile_reset(&l->p);
	profile_seen_from_start(&l->p);
	l->rows[0].calls = l->rows[0].total = l->run = 0;
	seconds_pass(l, 1);
	assert_true(l->h->moments[1].m.began && l->h->moments[1].m.reset);
	assert_int_equal(l->h->sites_seen, 1);
	assert_int_equal(l->h->moments[1].run, 1000);
}

/* The worst moments are those since the reset, and nothing has run since. */
static void the_users_reset_drops_peaks(void **state)
{
	struct life *l = *state;
	struct profile *w;

	seconds_pass(l, 1);
	assert_int_equal(profile_rebase(&l->p), 0);
	moment_end(l, SECOND);
	assert_true(l->h->moments[1].m.reset && !l->h->moments[1].m.began);
	assert_int_equal(l->h->moments[1].run, 0);
	w = history_peaks(l->h, NULL);
	assert_int_equal(w->function_count, 0);
	profile_drop(w);
}

/* A hostile node has ever new ones: the last of them stands for all beyond. */
static void terms_are_so_many_and_no_more(void **state)
{
	enum { TERMS = 1024 };
	struct life *l = *state;

	for (unsigned i = 0; i < TERMS + 3; i++) {
		profile_take_rate(&l->p, i + 1);
		moment_end(l, SECOND);
	}
	assert_int_equal(l->h->terms_count, TERMS);
	assert_int_equal(l->h->moments[TERMS + 2].terms, TERMS - 1);
	assert_int_equal(l->h->moments[7].terms, 7);
	profile_take_rate(&l->p, 8);
	assert_int_equal(moment_end(l, SECOND)->terms, 7);
}

/* --- what is told of a moment ----------------------------------------------------------------- */

static void a_moment_has_the_streams_counters(void **state)
{
	struct life *l = *state;
	struct wire_stats stats = { .bytes = 0 };

	for (uint64_t i = 1; i <= 3; i++) {
		const struct history_moment *m;

		stats.bytes += 1000 * i;
		stats.lost += 10 * i;
		stats.bad_bytes += i;
		l->now += SECOND;
		assert_int_equal(history_take(l->h, &l->p, &stats, l->now), 0);
		m = &l->h->moments[i - 1].m;
		assert_int_equal(m->bytes, 1000 * i);
		assert_int_equal(m->lost, 10 * i);
		assert_int_equal(m->bad, i);
	}
}

/* Profiled time over the moment's length: never more than all of it; without names not known. */
static void load_is_a_share(void **state)
{
	static const struct { uint64_t ticks; bool named; double load; } rows[] = {
		{ 250, true, 0.25 }, { 1000, true, 1 }, { 1500, true, 1 }, { 2500, true, 1 },
		{ 250, false, NAN },
	};
	struct life *l = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		double load;

		l->p.named = rows[i].named;
		row_count(l, 0, 1, rows[i].ticks);
		load = moment_end(l, SECOND)->m.load;
		if (isnan(rows[i].load))
			assert_true(isnan(load));
		else
			assert_near(load, rows[i].load);
	}
}

/* Each call counts, also a single one; a count that was corrected downwards is none. */
static void a_moment_has_its_calls(void **state)
{
	static const struct { int64_t step; uint64_t calls; } rows[] = {
		{ 1, 1 }, { 10, 10 }, { -5, 0 }, { 2, 2 },
	};
	struct life *l = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		row_count(l, 0, (uint64_t)rows[i].step, 10);
		assert_int_equal(moment_end(l, SECOND)->m.calls, rows[i].calls);
	}
}

static void samples_have_their_time(void **state)
{
	static const struct { double hz, seconds; } rows[] = { { 100, 0.5 }, { 1, 50 }, { 0, 0 } };
	struct life *l = *state;
	struct wire_total pc = { .kind = TOTAL_PC, .from = LEAF };

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct history_kept *k;

		profile_take_rate(&l->p, rows[i].hz);
		pc.calls += 50;
		assert_int_equal(profile_take_totals(&l->p, &pc, 1), 0);
		k = moment_end(l, SECOND);
		assert_int_equal(k->m.samples, 50);
		assert_near(k->sampled_s, rows[i].seconds);
	}
	/* fewer: the node corrected itself */
	pc.calls -= 20;
	assert_int_equal(profile_take_totals(&l->p, &pc, 1), 0);
	assert_int_equal(moment_end(l, SECOND)->m.samples, 0);
}

/* --- trends and worst moments ----------------------------------------------------------------- */

static double trend_at(const struct life *l, uint64_t address, size_t last, size_t back)
{
	float trend[HISTORY_TREND];
	size_t n = history_trend(l->h, address, last, trend);

	assert_true(back < n);
	return (double)trend[n - 1 - back];
}

static const struct profile_function *peak_of(const struct profile *w, uint64_t address)
{
	uint32_t i = profile_find_address(w, address);

	return i == PROFILE_NONE ? NULL : &w->functions[i];
}

static void peak_is(const struct life *l, uint64_t address, uint64_t calls, double self,
		    double total)
{
	struct profile *w = history_peaks(l->h, NULL);
	const struct profile_function *f = peak_of(w, address);

	assert_non_null(f);
	assert_int_equal(f->calls, calls);
	assert_near(f->self_s, self);
	assert_near(f->total_s, total);
	profile_drop(w);
}

/* No moment is more than full: the first such one stays. Of two equal ones the first, too. */
static void the_worst_moment_is_full_at_most(void **state)
{
	static const struct { uint64_t calls, ticks, worst; double self; } rows[] = {
		{ 1, 300, 1, 0.3 }, { 2, 300, 1, 0.3 }, { 3, 301, 3, 0.301 },
		{ 4, 1200, 4, 1 }, { 5, 1500, 4, 1 },
	};
	struct life *l = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		row_count(l, 0, rows[i].calls, rows[i].ticks);
		moment_end(l, SECOND);
		peak_is(l, A, rows[i].worst, rows[i].self, rows[i].self);
		assert_near(trend_at(l, A, SIZE_MAX, 0), (fmin(1, (double)rows[i].ticks / 1e3)));
	}
}

/* What it calls is in its total, and not in its self time. */
static void self_and_total_of_the_worst_moment(void **state)
{
	struct life *l = *state;

	moment_end(l, SECOND);
	row_count(l, 0, 2, 500);
	row_count(l, 1, 4, 300);
	moment_end(l, SECOND);
	peak_is(l, A, 2, 0.2, 0.5);
	peak_is(l, LEAF, 4, 0.3, 0.3);
	assert_int_equal(l->h->slots[history_slot_find(l->h, 0, A)].peak, 2);
	/* its callee's row is ahead of its own: no time, and none below */
	row_count(l, 1, 4, 900);
	moment_end(l, SECOND);
	assert_true(trend_at(l, A, SIZE_MAX, 0) == 0);
	assert_near(trend_at(l, A, SIZE_MAX, 1), 0.2);
}

/* A quarter of a second gives a rate; a shorter time gives none. */
static void a_rate_needs_time(void **state)
{
	static const struct { uint64_t length, calls, worst; } rows[] = {
		{ SECOND / 4, 1, 4 }, { SECOND / 4 - 1, 2, 4 }, { SECOND, 5, 5 },
	};
	struct life *l = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		row_count(l, 0, rows[i].calls, 100 + 500 * rows[i].calls / 5 * (i == 2));
		moment_end(l, rows[i].length);
		peak_is(l, A, rows[i].worst, i == 2 ? 0.6 : 0.4, i == 2 ? 0.6 : 0.4);
	}
}

/* Counted alone: the most calls a second; the first of equal ones. Neighbours by a byte are two. */
static void without_times_calls_are_the_trend(void **state)
{
	static const uint64_t calls[] = { 30, 50, 50, 7 };
	struct life *l = *state;

	l->rows[0].has = l->rows[1].has = l->rows[2].has = 0;
	for (size_t i = 0; i < COUNT(calls); i++) {
		row_count(l, 1, calls[i], 0);
		row_count(l, 2, 2 * calls[i], 0);
		moment_end(l, SECOND / 2);
		assert_near(trend_at(l, LEAF, SIZE_MAX, 0), 2 * (double)calls[i]);
		assert_near(trend_at(l, B, SIZE_MAX, 0), 4 * (double)calls[i]);
	}
	assert_int_equal(l->h->slots[history_slot_find(l->h, 0, LEAF)].peak, 2);
	assert_int_equal(l->h->slots[history_slot_find(l->h, 0, B)].rate, 200);
}

/* Time without a call that ended, and calls that took no tick: the trend is of time. */
static void a_trend_is_of_time(void **state)
{
	struct life *l = *state;

	seconds_pass(l, 1);
	row_count(l, 0, 0, 200);
	moment_end(l, SECOND);
	assert_near(trend_at(l, A, SIZE_MAX, 0), 0.2);
	row_count(l, 0, 9, 0);
	moment_end(l, SECOND);
	assert_true(trend_at(l, A, SIZE_MAX, 0) == 0);
}

/* Samples in LEAF, called by counted arcs: gprof's total is what it grew by. */
static void sampled_functions_have_trends_and_peaks(void **state)
{
	static const double rates[] = { 1, 10 };

	(void)state;
	for (size_t k = 0; k < COUNT(rates); k++) {
		struct wire_total pc = { .kind = TOTAL_PC, .from = LEAF };
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		profile_take_rate(&l->p, rates[k]);
		l->rows[0].has = l->rows[1].has = 0;
		row_count(l, 0, 1, 0);
		for (unsigned i = 1; i <= 3; i++) {
			pc.calls += i;
			assert_int_equal(profile_take_totals(&l->p, &pc, 1), 0);
			row_count(l, 1, i % 2, 0);	/* the second time no call ends */
			moment_end(l, 10 * SECOND);
			assert_near(trend_at(l, LEAF, SIZE_MAX, 0), 0.1 * i / rates[k]);
		}
		peak_is(l, LEAF, 0, 0.3 / rates[k], 0.3 / rates[k]);
		assert_int_equal(moment_end(l, SECOND)->size, 3);	/* nothing: three ends */
		life_down(&made);
	}
}

/* A handler has no caller: it is the profile's first function. */
static void the_first_function_has_a_trend(void **state)
{
	struct life *l = *state;

	l->rows[2].from = 0;
	l->rows[2].flags = ROW_HANDLER;
	row_count(l, 2, 1, 300);
	moment_end(l, SECOND);
	assert_int_equal(l->p.functions[0].address, B);
	peak_is(l, B, 1, 0.3, 0.3);
	assert_near(trend_at(l, B, SIZE_MAX, 0), 0.3);
}

/* Each column is written again when its place comes round: none has a figure of a minute ago. */
static void a_trend_forgets_what_was_before(void **state)
{
	enum { MOMENTS = HISTORY_TREND + 20 };
	static const size_t asked[] = {
		MOMENTS - 1, MOMENTS - 2, MOMENTS - 4, MOMENTS - 3, MOMENTS - 1, 3, 5, 4,
		HISTORY_TREND - 2, HISTORY_TREND - 1, HISTORY_TREND, MOMENTS, 8,
	};
	struct life *l = *state;

	for (unsigned i = 0; i < MOMENTS; i++) {
		if (i % 7 != 3)
			row_count(l, 0, 1, i + 1);
		moment_end(l, SECOND);
		if (i < 15 || i > HISTORY_TREND + 8)
			trend_at(l, A, SIZE_MAX, 0);
	}
	for (size_t k = 0; k < COUNT(asked); k++) {
		float trend[HISTORY_TREND + 1] = { 0 };
		size_t n = history_trend(l->h, A, asked[k], trend);
		size_t last = asked[k] < MOMENTS ? asked[k] : MOMENTS - 1;

		assert_int_equal(n, last < HISTORY_TREND ? last + 1 : HISTORY_TREND);
		assert_true(trend[n] == 0);
		for (size_t i = 0; i < n; i++) {
			size_t at = last + 1 - n + i;

			assert_near((double)trend[i],
					   (at % 7 != 3 ? (double)(at + 1) / 1e3 : 0));
		}
	}
}

/* Moments are taken and joined between two questions: all columns may be other ones. */
static void a_trend_follows_what_is_joined(void **state)
{
	enum { MOMENTS = 12 };
	static const struct { unsigned taken, joined; size_t before, after; } rows[] = {
		{ 0, 1, 5, 5 }, { 0, 1, 5, 6 }, { 0, 1, 6, 5 }, { 2, 1, 5, 6 }, { 1, 0, 5, 8 },
		{ 1, 0, 11, 12 }, { 1, 1, 11, 11 },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct life *l;
		void *made;

		life_up(&made);
		l = made;
		for (unsigned i = 0; i < MOMENTS + rows[k].taken; i++) {
			if (i == MOMENTS)
				trend_at(l, A, rows[k].before, 0);
			row_count(l, 0, 1, i * i);
			moment_end(l, SECOND);
		}
		if (!rows[k].taken)
			trend_at(l, A, rows[k].before, 0);
		history_bound(l->h, HISTORY_MOMENTS_BYTES, l->h->count - rows[k].joined);
		history_thin(l->h);
		for (size_t i = 0; i < rows[k].after; i++) {	/* the first two may be one */
			double at = (double)(rows[k].after - i + rows[k].joined);

			assert_near(trend_at(l, A, rows[k].after, i), at * at / 1e3);
		}
		life_down(&made);
	}
}

static void without_memory_there_is_no_trend(void **state)
{
	struct life *l = *state;
	float trend[HISTORY_TREND];

	seconds_pass(l, 3);
	for (long n = 0; n < 2; n++) {
		mem_fail_after(n);
		assert_int_equal(history_trend(l->h, A, SIZE_MAX, trend), 0);
		mem_fail_after(-1);
	}
	assert_int_equal(history_trend(l->h, A, SIZE_MAX, trend), 3);
}

/* Many functions come after the first trend was asked for. */
static void trends_grow_with_the_functions(void **state)
{
	struct life *l = *state;

	seconds_pass(l, 2);
	assert_near(trend_at(l, A, SIZE_MAX, 0), 0.1);
	for (uint32_t i = 0; i < 100; i++) {
		struct wire_total t = l->rows[2];

		t.to = 0x8000 + i;
		t.calls = 1;
		t.total = i;
		assert_int_equal(profile_take_totals(&l->p, &t, 1), 0);
	}
	moment_end(l, SECOND);
	for (uint32_t i = 0; i < 100; i++) {
		assert_near(trend_at(l, 0x8000 + i, SIZE_MAX, 0), i / 1e3);
		assert_true(trend_at(l, 0x8000 + i, SIZE_MAX, 1) == 0);
	}
	assert_near(trend_at(l, A, SIZE_MAX, 1), 0.1);
	assert_true(trend_at(l, A, SIZE_MAX, 0) == 0);
}

/* --- joining ---------------------------------------------------------------------------------- */

static void kept_sum(const struct history *h, struct history_kept *sum, double *load)
{
	size_t bytes = 0;

	*sum = (struct history_kept){ .seconds = 0, .self_s = 0 };
	*load = 0;
	for (size_t i = 0; i < h->count; i++) {
		const struct history_kept *k = &h->moments[i];

		sum->m.length_ns += k->m.length_ns;
		sum->m.calls += k->m.calls;
		sum->m.samples += k->m.samples;
		sum->m.bytes += k->m.bytes;
		sum->m.lost += k->m.lost;
		sum->m.bad += k->m.bad;
		sum->run += k->run;
		sum->seconds += isnan(k->seconds) ? 0 : k->seconds;
		sum->self_s += isnan(k->self_s) ? 0 : k->self_s;
		sum->sampled_s += k->sampled_s;
		*load += isnan(k->m.load) ? 0 : k->m.load * k->seconds;
		bytes += k->size;
	}
	assert_int_equal(h->bytes, bytes);
}

static void sums_are_same(const struct history_kept *a, const struct history_kept *b)
{
	assert_int_equal(a->m.length_ns, b->m.length_ns);
	assert_int_equal(a->m.calls, b->m.calls);
	assert_int_equal(a->m.samples, b->m.samples);
	assert_int_equal(a->m.bytes, b->m.bytes);
	assert_int_equal(a->m.lost, b->m.lost);
	assert_int_equal(a->m.bad, b->m.bad);
	assert_int_equal(a->run, b->run);
	assert_near(a->seconds, b->seconds);
	assert_near(a->self_s, b->self_s);
	assert_near(a->sampled_s, b->sampled_s);
}

/* In some of them nothing is profiled, and no load is known. */
static void joined_moments_have_what_each_had(void **state)
{
	struct life *l = *state;
	struct wire_total pc = { .kind = TOTAL_PC, .from = LEAF };
	struct wire_stats stats = { .bytes = 0 };
	struct history_kept before, after;
	double load, joined;

	l->rows[2].has = 0;		/* counted alone */
	for (unsigned i = 0; i < 40; i++) {
		if (i % 3)
			row_count(l, 0, i, 10 * i);
		row_count(l, 2, i, 0);
		pc.calls += i;
		assert_int_equal(profile_take_totals(&l->p, &pc, 1), 0);
		stats.bytes += 100 * i;
		stats.lost += i;
		stats.bad_bytes += 2 * i;
		run_count(l, 900);
		l->now += SECOND;
		assert_int_equal(history_take(l->h, &l->p, &stats, l->now), 0);
	}
	kept_sum(l->h, &before, &load);
	for (size_t bound = 39; bound > 0; bound -= bound > 5 ? 5 : 1) {
		history_bound(l->h, HISTORY_MOMENTS_BYTES, bound);
		history_thin(l->h);
		assert_int_equal(l->h->count, bound);
		kept_sum(l->h, &after, &joined);
		sums_are_same(&before, &after);
	}
	assert_near(l->h->moments[0].m.load, before.self_s / before.seconds);
	assert_near(trend_at(l, A, SIZE_MAX, 0), before.self_s / before.seconds);
	assert_near(trend_at(l, LEAF, SIZE_MAX, 0), before.sampled_s / before.seconds);
	assert_near(trend_at(l, B, SIZE_MAX, 0), 40 * 39 / 2 / before.seconds);
}

/* Large moments, at once: it is within its bound when the moment is taken. */
static void large_moments_are_joined_at_once(void **state)
{
	struct life *l = *state;

	for (uint32_t k = 0; k < 12; k++) {
		for (uint32_t i = 0; i < 400; i++) {
			struct wire_total t = l->rows[2];

			t.from += 4 * i;
			t.calls = 1 + k;
			assert_int_equal(profile_take_totals(&l->p, &t, 1), 0);
		}
		assert_true(moment_end(l, SECOND)->size > 1024);
	}
	history_bound(l->h, HISTORY_MOMENTS_BYTES, 3);
	history_thin(l->h);
	assert_int_equal(l->h->count, 3);
}

static void a_joined_moments_load_is_a_share(void **state)
{
	struct life *l = *state;

	for (int i = 0; i < 2; i++) {
		row_count(l, 0, 1, 1500);
		moment_end(l, SECOND);
	}
	history_bound(l->h, HISTORY_MOMENTS_BYTES, 1);
	history_thin(l->h);
	assert_true(l->h->moments[0].m.load == 1);
}

/* Which moments are joined first: short ones for their age, boundaries last, other terms never. */
static void the_past_gets_coarse_from_its_begin(void **state)
{
	static const struct {
		int reset, terms;	/* the moment in which it is */
		unsigned lengths[6];	/* before */
		size_t joined;		/* the moment that gets longer */
	} rows[] = {
		{ -1, -1, { 1, 1, 1, 1, 1, 1 }, 0 },
		{ -1, -1, { 3, 3, 1, 1, 3, 3 }, 2 },
		{ -1, -1, { 8, 4, 3, 1, 1, 1 }, 3 },
		{ -1, -1, { 8, 4, 2, 1, 1, 1 }, 2 },
		{ -1, -1, { 9, 9, 9, 9, 1, 1 }, 0 },
		{ 1, -1, { 1, 1, 1, 1, 1, 1 }, 1 },
		{ -1, 1, { 1, 1, 1, 1, 1, 1 }, 1 },
		{ -1, 2, { 1, 1, 1, 1, 1, 1 }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		void *made;
		struct life *l;

		life_up(&made);
		l = made;
		for (int k = 0; k < 6; k++) {
			if (k == rows[i].reset)
				assert_int_equal(profile_rebase(&l->p), 0);
			if (k == rows[i].terms)
				profile_take_rate(&l->p, 999);
			row_count(l, 0, 1, 1);
			moment_end(l, rows[i].lengths[k] * SECOND);
		}
		history_bound(l->h, HISTORY_MOMENTS_BYTES, 5);
		history_thin(l->h);
		assert_int_equal(l->h->count, 5);
		for (size_t k = 0; k < 5; k++)
			assert_int_equal(l->h->moments[k].m.length_ns / SECOND,
					 rows[i].lengths[k + (k > rows[i].joined)] +
					 (k == rows[i].joined ? rows[i].lengths[k + 1] : 0));
		life_down(&made);
	}
}

/* None can be joined: the oldest go, and are counted; one stays, whatever it takes. */
static void what_cannot_be_joined_goes(void **state)
{
	struct life *l = *state;
	struct history_kept sum;
	uint64_t serial;
	double load;

	for (unsigned i = 0; i < 6; i++) {
		profile_take_rate(&l->p, i + 1);
		row_count(l, 0, i ? 1 + i : 1000000, 1);
		moment_end(l, SECOND);
	}
	history_bound(l->h, HISTORY_MOMENTS_BYTES, 4);
	serial = history_serial(l->h);
	history_thin(l->h);
	assert_int_equal(history_serial(l->h), serial + 2);
	assert_int_equal(l->h->count, 4);
	assert_int_equal(history_lost(l->h), 2);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(l->h->moments[i].m.calls, 3 + i);
	kept_sum(l->h, &sum, &load);
	history_bound(l->h, 1, 100);
	history_thin(l->h);
	assert_int_equal(l->h->count, 1);
	assert_int_equal(l->h->moments[0].m.calls, 6);
	kept_sum(l->h, &sum, &load);
}

/* To the byte: what all moments take, and what was counted before the first. */
static void the_bound_is_kept_to_the_byte(void **state)
{
	struct life *l = *state;
	size_t all;

	l->p.settled = 0;
	row_count(l, 1, 5, 50);
	profile_add_samples(&l->p, &(uint32_t){ LEAF }, 1);
	seconds_pass(l, 8);
	assert_true(l->h->before_sites.cap && l->h->before_pcs.cap);
	all = l->h->bytes + l->h->count * sizeof(*l->h->moments) + l->h->before_sites.cap +
	      l->h->before_pcs.cap;
	history_bound(l->h, all, 100);
	history_thin(l->h);
	assert_int_equal(l->h->count, 8);
	history_bound(l->h, all - 1, 100);
	history_thin(l->h);
	assert_int_equal(l->h->count, 7);
}

/* --- what was counted before the connect ------------------------------------------------------ */

/* Many rows come one after the other: they are written again as one, and all of them are kept. */
static void what_was_before_is_kept_once(void **state)
{
	enum { EACH = 6000, TIMES = 3 };
	struct life *l = *state;
	struct profile *w;

	for (uint32_t k = 0; k < TIMES; k++) {
		l->p.settled = 0;
		for (uint32_t i = k * EACH; i < (k + 1) * EACH; i++) {
			struct wire_total t = {
				.kind = TOTAL_SITE, .from = 0x10000 + 4 * i, .to = A,
				.calls = (UINT64_C(1) << 40) + i, .total = 3 * i,
				.has = TOTAL_TIMED,
			};

			assert_int_equal(profile_take_totals(&l->p, &t, 1), 0);
			t.kind = TOTAL_PC;
			assert_int_equal(profile_take_totals(&l->p, &t, i % 16 == 0), 0);
		}
		moment_end(l, SECOND);
		assert_true(l->h->before_compacted > 65536);
		assert_int_equal(l->h->before_compacted == l->h->before_sites.len +
				 l->h->before_pcs.len, k != 1);
		w = history_window(l->h, 0, SIZE_MAX, NULL);
		assert_int_equal(w->site_count, l->p.site_count);
		for (size_t i = 0; i < w->site_count; i++) {
			assert_int_equal(w->sites[i].calls, l->p.sites[i].calls);
			assert_int_equal(w->sites[i].total, l->p.sites[i].total);
		}
		assert_int_equal(w->pc_count, l->p.pc_count);
		for (size_t i = 0; i < w->pc_count; i++)
			assert_int_equal(w->pcs[i].count, l->p.pcs[i].count);
		profile_drop(w);
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, life_up, life_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(times_ascend_and_keep_to_the_run),
		cmocka_unit_test(the_first_moment_has_the_run),
		CASE(a_short_time_without_a_change_is_no_moment),
		CASE(moments_are_found_by_their_times),
		CASE(a_restart_is_a_boundary),
		CASE(the_users_reset_drops_peaks),
		CASE(terms_are_so_many_and_no_more),
		CASE(a_moment_has_the_streams_counters),
		CASE(load_is_a_share),
		CASE(a_moment_has_its_calls),
		CASE(samples_have_their_time),
		CASE(the_worst_moment_is_full_at_most),
		CASE(self_and_total_of_the_worst_moment),
		CASE(a_rate_needs_time),
		CASE(without_times_calls_are_the_trend),
		CASE(a_trend_is_of_time),
		cmocka_unit_test(sampled_functions_have_trends_and_peaks),
		CASE(the_first_function_has_a_trend),
		CASE(a_trend_forgets_what_was_before),
		cmocka_unit_test(a_trend_follows_what_is_joined),
		CASE(without_memory_there_is_no_trend),
		CASE(trends_grow_with_the_functions),
		CASE(joined_moments_have_what_each_had),
		CASE(a_joined_moments_load_is_a_share),
		CASE(large_moments_are_joined_at_once),
		cmocka_unit_test(the_past_gets_coarse_from_its_begin),
		CASE(what_cannot_be_joined_goes),
		CASE(the_bound_is_kept_to_the_byte),
		CASE(what_was_before_is_kept_once),
	};

	return cmocka_run_group_tests_name("history_moments", tests, NULL, NULL);
}
