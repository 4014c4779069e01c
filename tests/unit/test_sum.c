/*
 * What is summed of call sites: edges, functions, self times, and how far these may be off where
 * rows came one after the other. A profile put together by hand, its clock ticks milliseconds; each
 * figure is worked out beside its case.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/profile/derive/derive.h"
#include "core/profile/raw/raw.h"
#include "tests/unit/noise_same.h"

struct sums {
	struct profile p;
	struct profile_function functions[8];
	struct profile_edge edges[16];
	struct profile_site sites[16];
	struct profile_age ages[16];
};

/* What stands behind the last function and edge is no part of the profile, whatever it is. */
static const struct profile_function ghost = {
	.called = true, .calls = 12345, .samples = 678, .self_s = 500, .self_slack_s = 400,
	.self_ticks = 500000, .time = PROFILE_TIME_TIMED, .cycle = 3,
};
static const struct profile_edge ghost_edge = {
	.from = 0, .to = 0, .calls = 777, .timed = true, .total = 88888, .min = 1, .max = 2,
};

static void sums_init(struct sums *s, uint64_t run)
{
	*s = (struct sums){ .p = { .name = "", .named = true, .ticks_run = run,
				   .terms = { .ticks_per_second = 1000, .hz = 100 } } };
	for (size_t i = 0; i < COUNT(s->functions); i++)
		s->functions[i] = ghost;
	for (size_t i = 0; i < COUNT(s->edges); i++)
		s->edges[i] = ghost_edge;
	s->p.functions = s->functions;
	s->p.edges = s->edges;
	s->p.sites = s->sites;
	s->p.ages = s->ages;
}

static uint32_t function_add(struct sums *s, const char *name)
{
	uint32_t i = (uint32_t)s->p.function_count++;

	s->functions[i] = (struct profile_function){ .name = name, .address = 0x100 * (i + 1) };
	return i;
}

static uint32_t edge_between(struct sums *s, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < s->p.edge_count; i++)
		if (s->edges[i].from == from && s->edges[i].to == to)
			return i;
	s->edges[s->p.edge_count] = (struct profile_edge){ .from = from, .to = to };
	return (uint32_t)s->p.edge_count++;
}

/* A timed call site of `from` (PROFILE_NONE: outside of all functions). */
static struct profile_site *site_add(struct sums *s, uint32_t from, uint32_t to, uint64_t calls,
				     uint64_t total, uint64_t min, uint64_t max)
{
	struct profile_site *site = &s->sites[s->p.site_count++];

	*site = (struct profile_site){
		.edge = edge_between(s, from, to), .calls = calls, .total = total, .min = min,
		.max = max, .timed = true, .kind = TOTAL_SITE, .to = 0x100 * (to + 1),
	};
	return site;
}

/* Its row came at `run` with its present total, and at `before` with that of then. */
static void site_read(struct sums *s, const struct profile_site *site, uint64_t run,
		      uint64_t before, uint64_t total_before)
{
	size_t i = (size_t)(site - s->sites);

	s->ages[i] = (struct profile_age){ { { run, site->total }, { before, total_before } } };
	s->p.age_count = s->p.site_count;
	if (run > s->p.age_run)
		s->p.age_run = run;
}

static void sums_make(struct sums *s)
{
	profile_sum(&s->p);
	assert_memory_equal(&s->functions[s->p.function_count], &ghost, sizeof(ghost));
	assert_memory_equal(&s->edges[s->p.edge_count], &ghost_edge, sizeof(ghost_edge));
}

/* --- calls, totals, ranges -------------------------------------------------------------------- */

static void sites_add_up(void **state)
{
	uint32_t caller, callee, counted;
	struct profile_site *s;
	struct sums m;

	(void)state;
	sums_init(&m, 10000);
	caller = function_add(&m, "caller");
	callee = function_add(&m, "callee");
	counted = function_add(&m, "counted");
	site_add(&m, PROFILE_NONE, caller, 1, 900, 900, 900);
	site_add(&m, caller, callee, 5, 300, 50, 90);
	site_add(&m, caller, callee, 4, 240, 40, 80);
	site_add(&m, caller, callee, 1, 95, 95, 95);
	site_add(&m, caller, callee, 0, 0, UINT64_MAX, 0);	/* never came back */
	site_add(&m, PROFILE_NONE, callee, 2, 70, 30, 40);
	s = site_add(&m, caller, counted, 7, 0, 0, 0);
	s->timed = false;
	s->kind = TOTAL_ARC;
	sums_make(&m);
	assert_int_equal(m.edges[1].calls, 10);
	assert_int_equal(m.edges[1].total, 635);
	assert_int_equal(m.edges[1].sites, 4);
	assert_int_equal(m.edges[1].min, 40);
	assert_int_equal(m.edges[1].max, 95);
	assert_near(0.635, m.edges[1].total_s);
	assert_int_equal(m.functions[callee].calls, 12);
	assert_int_equal(m.functions[callee].timed_calls, 12);
	assert_int_equal(m.functions[callee].sites, 5);
	assert_int_equal(m.functions[callee].total_ticks, 705);
	assert_near(0.705, m.functions[callee].total_s);
	assert_near(0.03, m.functions[callee].min_s);
	assert_near(0.095, m.functions[callee].max_s);
	assert_near(0.705 / 12, m.functions[callee].per_call_s);
	assert_int_equal(m.functions[caller].self_ticks, 900 - 635);
	assert_near(0.265, m.functions[caller].self_s);
	assert_false(m.functions[caller].incomplete);
	assert_true(m.functions[counted].called && !m.edges[3].timed);
	assert_int_equal(m.functions[counted].time, PROFILE_TIME_NONE);
	assert_int_equal(m.functions[counted].calls, 7);
	assert_true(isnan(m.functions[counted].per_call_s));
	assert_int_equal(m.p.totals.calls, 1 + 12 + 7);
	assert_int_equal(m.p.totals.time, PROFILE_TIME_TIMED);
	assert_near(0.97, m.p.totals.self_s);
	assert_near(10, m.p.totals.run_s);
	/* The chains have each edge once. */
	assert_int_equal(m.functions[callee].first_in, 1);
	assert_int_equal(m.edges[1].next_in, 2);
	assert_int_equal(m.edges[2].next_in, PROFILE_NONE);
	assert_int_equal(m.functions[caller].first_out, 1);
	assert_int_equal(m.edges[1].next_out, 3);
	assert_int_equal(m.edges[3].next_out, PROFILE_NONE);
}

/* Calls within a call are in its total already; their own time is their own. */
static void a_recursive_call_is_within_another(void **state)
{
	struct sums m;
	uint32_t fib;

	(void)state;
	sums_init(&m, 10000);
	fib = function_add(&m, "fib");
	site_add(&m, PROFILE_NONE, fib, 2, 100, 40, 60);
	site_add(&m, fib, fib, 8, 120, 5, 50);
	sums_make(&m);
	assert_int_equal(m.functions[fib].calls, 10);
	assert_int_equal(m.functions[fib].total_ticks, 100);
	assert_int_equal(m.functions[fib].self_ticks, 100);
	assert_near(0.022, m.functions[fib].per_call_s);
}

/* A clock's race: the calls count, their time and their mean do not. */
static void a_negative_total_is_in_no_mean(void **state)
{
	struct sums m;
	uint32_t f;

	(void)state;
	sums_init(&m, 10000);
	f = function_add(&m, "f");
	site_add(&m, PROFILE_NONE, f, 2, 100, 40, 60);
	function_add(&m, "g");
	site_add(&m, 1, f, 3, 0, 1, 1)->flags = ROW_TOTAL_NEGATIVE;
	sums_make(&m);
	assert_int_equal(m.functions[f].calls, 5);
	assert_int_equal(m.functions[f].timed_calls, 2);
	assert_near(0.05, m.functions[f].per_call_s);
}

/* In a window the range of some calls is known, and of others that they are within a wider one. */
static void bounds_widen_a_windows_range(void **state)
{
	struct sums m;
	uint32_t f, g;

	(void)state;
	sums_init(&m, 10000);
	f = function_add(&m, "f");
	g = function_add(&m, "g");
	site_add(&m, PROFILE_NONE, f, 2, 100, 40, 60);
	site_add(&m, PROFILE_NONE, f, 2, 100, 20, 80)->flags = ROW_BOUNDS;
	site_add(&m, PROFILE_NONE, f, 2, 100, 30, 80)->flags = ROW_BOUNDS;
	site_add(&m, g, f, 2, 100, 10, 90)->flags = ROW_BOUNDS;
	site_add(&m, PROFILE_NONE, g, 4, 500, 100, 150);
	sums_make(&m);
	assert_int_equal(m.edges[0].min, 20);
	assert_int_equal(m.edges[0].max, 60);
	assert_true((m.edges[0].flags & ROW_MIN_AT_LEAST) && (m.edges[0].flags & ROW_MAX_AT_LEAST));
	assert_int_equal(m.functions[f].min, 10);
	assert_near(0.01, m.functions[f].min_s);
	assert_true(m.functions[f].flags & ROW_MAX_AT_LEAST);
	assert_int_equal(m.functions[g].min, 100);
	assert_false(m.functions[g].flags & ROW_MAX_AT_LEAST);
}

/* Counters of a hostile node: sums stop at 9e18, as a double too. */
static void absurd_totals_stop(void **state)
{
	const int64_t most = INT64_C(9000000000000000000);
	const uint64_t half = UINT64_C(5000000000000000000);
	struct sums m;

	(void)state;
	sums_init(&m, 10000);
	function_add(&m, "caller");
	function_add(&m, "callee");
	function_add(&m, "other");
	site_add(&m, 0, 1, half, half, 1, 1);
	site_add(&m, 0, 1, half, half, 1, 1);
	site_add(&m, 0, 2, 1, half, 1, 1);
	site_add(&m, PROFILE_NONE, 2, 1, half, 1, 1);
	site_add(&m, PROFILE_NONE, 0, 1, 0, 0, 0);
	sums_make(&m);
	assert_int_equal(m.edges[0].calls, most);
	assert_int_equal(m.edges[0].total, most);
	assert_int_equal(m.functions[2].total_ticks, most);
	assert_int_equal(m.functions[0].short_ticks, most);
	assert_near(0, m.functions[0].max_s);
	assert_int_equal(m.functions[0].cycle, 0);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Ten seconds, of which the hooks took two, and the newest row came a second later. */
static void the_run_is_what_was_told_and_the_newest_row(void **state)
{
	struct sums m;

	(void)state;
	sums_init(&m, 12000);
	m.p.run_base = 2000;
	m.p.left = 2000.5;
	m.p.age_run = 13000;
	m.p.age_told = 12000;
	function_add(&m, "caller");		/* nobody calls it */
	function_add(&m, "f");
	site_add(&m, 0, 1, 4, 100, 20, 30);
	sums_make(&m);
	assert_near(7.9995, profile_run_told(&m.p));
	assert_near(8.9995, m.p.totals.run_s);
	assert_int_equal(m.p.totals.calls, 4);
	assert_false(m.p.totals.both);
	m.p.left = 10001;			/* more than there was */
	assert_near(0, profile_run_told(&m.p));
	m.p.run_base = 12000;			/* reset just now */
	sums_make(&m);
	assert_true(isnan(m.p.totals.run_s));
	m.sites[0].timed = false;		/* and no clock at all */
	m.p.run_base = 0;
	sums_make(&m);
	assert_true(isnan(m.p.totals.run_s));
	assert_int_equal(m.p.totals.time, PROFILE_TIME_NONE);
}

static void samples_tell_the_run(void **state)
{
	struct profile_pc pcs[2] = { { .function = 0, .count = 30 },
				     { .function = 1, .count = 20 } };
	struct sums m;

	(void)state;
	sums_init(&m, 0);
	function_add(&m, "f");
	function_add(&m, "g");
	m.p.pcs = pcs;
	m.p.pc_count = 2;
	m.p.asleep = 60;
	m.p.asleep_base = 10;
	sums_make(&m);
	assert_int_equal(m.functions[0].samples, 30);
	assert_int_equal(m.functions[1].samples, 20);
	assert_int_equal(m.p.totals.samples, 50);
	assert_int_equal(m.p.totals.time, PROFILE_TIME_SAMPLED);
	assert_near(0.5, m.p.totals.self_s);
	assert_near(1, m.p.totals.run_s);	/* half of it asleep */
	assert_false(m.p.totals.both);
	site_add(&m, PROFILE_NONE, 0, 4, 100, 20, 30);
	sums_make(&m);
	assert_true(m.p.totals.both);
	assert_int_equal(m.p.totals.time, PROFILE_TIME_TIMED);
}

/* Self times as derived, and how far each may be off; of so long a run. */
static void estimates_are_no_more_than_the_run(void **state)
{
	static const struct {
		const char *name;
		double run, self[3], slack[3], self_was[3], profiled, shares;
	} rows[] = {
		{ "less than the run", 10, { 4, 3, 1 }, { 1, 1, 0 }, { 4, 3, 1 }, 8, 8 },
		{ "exact ones are not bent", 10, { 8, 3, 1 }, { 0, 0, 0 }, { 8, 3, 1 }, 10, 12 },
		{ "as much as the run", 8, { 4, 3, 1 }, { 1, 1, 0 }, { 4, 3, 1 }, 8, 8 },
		/* 2 s too many, 4 s of doubt: each by half of it */
		{ "by half of its doubt", 10, { 8, 3, 1 }, { 3, 1, 0 }, { 6.5, 2.5, 1 }, 10, 10 },
		{ "no doubt is more than the time itself", 10, { 8, 3, 1 }, { 3, 1, 5 },
		  { 6.8, 2.6, 0.6 }, 10, 10 },
		/* 1 s of doubt, then 11 s are 10 */
		{ "more than all doubt", 10, { 8, 3, 1 }, { 0, 1, 0 },
		  { 80 / 11.0, 20 / 11.0, 10 / 11.0 }, 10, 10 },
		{ "no run is known", NAN, { 8, 3, 1 }, { 3, 1, 0 }, { 8, 3, 1 }, 12, 12 },
		{ "a doubt of half a second", 11.5, { 8, 3, 1 }, { 0.5, 0, 0 }, { 7.5, 3, 1 }, 11.5,
		  11.5 },
		{ "half a second of run", 0.5, { 0.6, 0, 0 }, { 0.2, 0, 0 }, { 0.5, 0, 0 }, 0.5,
		  0.5 },
		{ "what is short is no share", 10, { 8, 0.5, -1 }, { 0, 0, 0 }, { 8, 0.5, -1 }, 7.5,
		  8.5 },
		{ "the hooks took all of the run", 0, { 4, 3, 1 }, { 1, 1, 0 }, { 4, 3, 1 }, 0, 8 },
		{ "what is short is no doubt", 10, { 8, 4, -1 }, { 4, 0, 2 }, { 6, 4, -1 }, 9, 10 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct sums m;

		sums_init(&m, 0);
		m.p.totals.time = PROFILE_TIME_TIMED;
		m.p.totals.run_s = rows[i].run;
		for (int k = 0; k < 3; k++) {
			function_add(&m, "f");
			m.functions[k].time = PROFILE_TIME_TIMED;
			m.functions[k].self_s = rows[i].self[k];
			m.functions[k].self_slack_s = rows[i].slack[k];
			m.p.totals.self_s += rows[i].self[k];
		}
		profile_limit(&m.p);
		for (int k = 0; k < 3; k++)
			if (fabs(m.functions[k].self_s - rows[i].self_was[k]) > 1e-9)
				fail_msg("%s: self %d is %g", rows[i].name, k,
					 m.functions[k].self_s);
		if (fabs(m.p.totals.profiled_s - rows[i].profiled) > 1e-9 ||
		    fabs(m.p.totals.shares_s - rows[i].shares) > 1e-9)
			fail_msg("%s: profiled %g, shares %g", rows[i].name,
				 m.p.totals.profiled_s, m.p.totals.shares_s);
	}
}

/* Timed calls and samples: time may be in the sum twice, but is no more than the samples tell. */
static void both_sources_are_limited_by_the_samples(void **state)
{
	struct sums m;

	(void)state;
	sums_init(&m, 0);
	function_add(&m, "timed");
	function_add(&m, "caller");
	m.functions[0].time = PROFILE_TIME_TIMED;
	m.functions[0].self_s = m.p.totals.self_s = 3;
	m.functions[0].self_slack_s = 2;
	m.functions[1].self_s = 5;		/* its time is not known */
	m.p.totals.time = PROFILE_TIME_TIMED;
	m.p.totals.samples = 200;
	m.p.totals.both = true;
	m.p.totals.run_s = NAN;
	profile_limit(&m.p);
	assert_near(2, m.p.totals.profiled_s);
	assert_near(3, m.p.totals.shares_s);
	assert_near(3, m.functions[0].self_s);
	m.p.totals.both = false;		/* the samples are of no function */
	profile_limit(&m.p);
	assert_near(3, m.p.totals.profiled_s);
	m.p.totals.time = PROFILE_TIME_SAMPLED;	/* the same of sampled figures */
	m.p.totals.run_s = 2;
	profile_limit(&m.p);
	assert_near(3, m.functions[0].self_s);
	m.p.totals.self_s = 4;			/* some samples are in no function */
	profile_limit(&m.p);
	assert_near(4, m.p.totals.shares_s);
}

/* --- self times below zero -------------------------------------------------------------------- */

/* A caller with its calls and total, its callee's, and how far a duration may be off. */
static void callees_that_took_longer_tell_of_calls_that_are_missing(void **state)
{
	static const struct {
		uint64_t calls, total, callee_calls, callee_total;
		double spread;
		int64_t self, short_ticks;
		bool incomplete, known;
	} rows[] = {
		{ 10, 1000, 5, 600, 0, 400, 0, false, true },
		{ 10, 1000, 5, 1000, 0, 0, 0, false, true },
		{ 10, 1000, 5, 1001, 0, 0, 1, true, true },
		/* fifteen calls may be off by two each, and a tick a site */
		{ 10, 1000, 5, 1032, 2, 0, 0, false, true },
		{ 10, 1000, 5, 1033, 2, 0, 33, true, true },
		{ 10, 1000, 5, 1009, 0.5, 0, 0, false, true },
		{ 10, 1000, 5, 1010, 0.5, 0, 10, true, true },
		/* entered, never left */
		{ 0, 0, 5, 600, 0, 0, 0, false, false },
		{ 0, 0, 5, 0, 0, 0, 0, false, true },
		{ 1, 0, 5, 600, 0, 0, 600, true, true },
		{ 0, 10, 5, 600, 0, 0, 590, true, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct profile_function *f;
		struct sums m;

		sums_init(&m, 10000);
		function_add(&m, "caller");
		function_add(&m, "callee");
		m.p.terms.spread = rows[i].spread;
		site_add(&m, PROFILE_NONE, 0, rows[i].calls, rows[i].total, 1, 1000);
		site_add(&m, 0, 1, rows[i].callee_calls, rows[i].callee_total, 1, 1000);
		sums_make(&m);
		f = &m.functions[0];
		if (f->incomplete != rows[i].incomplete || f->short_ticks != rows[i].short_ticks ||
		    (f->time == PROFILE_TIME_TIMED) != rows[i].known ||
		    (rows[i].known && f->self_ticks != rows[i].self))
			fail_msg("row %zu: self %lld, short %lld, incomplete %d", i,
				 (long long)f->self_ticks, (long long)f->short_ticks,
				 f->incomplete);
		if (rows[i].known)
			assert_near(0, f->self_slack_s);
		if (rows[i].known)	/* what is short was called from nowhere */
			assert_near((double)(rows[i].callee_total + (uint64_t)rows[i].self -
					     (uint64_t)rows[i].short_ticks) / 1000,
				    m.p.totals.self_s);
	}
}

static void rows_without_room_make_a_function_incomplete(void **state)
{
	struct sums m;

	(void)state;
	sums_init(&m, 10000);
	function_add(&m, "f");
	site_add(&m, PROFILE_NONE, 0, 3, 30, 10, 10)->flags = ROW_LOST;
	sums_make(&m);
	assert_true(m.functions[0].incomplete);
	assert_int_equal(m.functions[0].self_ticks, 30);
	m.p.named = false;			/* nor is any self time known without names */
	sums_make(&m);
	assert_true(isnan(m.functions[0].self_s));
	assert_near(0.03, m.functions[0].total_s);
}

/* --- rows of unlike age ----------------------------------------------------------------------- */

/*
 * A caller that takes half of the time and its callee, three tenths of it. One row came at 90 s,
 * the other at 100 s; the older one is what both are taken to.
 */
static struct profile_function *aged_sums(struct sums *m, bool caller_old)
{
	struct profile_site *caller, *callee;

	sums_init(m, 100000);
	function_add(m, "caller");
	function_add(m, "callee");
	m->p.age_before = 85000;
	m->p.age_told = 100000;
	caller = site_add(m, PROFILE_NONE, 0, 9, caller_old ? 45000 : 50000, 1, 9000);
	callee = site_add(m, 0, 1, 9, caller_old ? 30000 : 27000, 1, 9000);
	if (caller_old) {
		site_read(m, caller, 90000, 80000, 40000);
		site_read(m, callee, 100000, 85000, 25500);
	} else {
		site_read(m, caller, 100000, 85000, 42500);
		site_read(m, callee, 90000, 80000, 24000);
	}
	sums_make(m);
	return m->functions;
}

static void a_newer_callee_is_taken_back(void **state)
{
	struct profile_function *f;
	struct sums m;

	(void)state;
	f = aged_sums(&m, true);
	assert_int_equal(m.p.age_common, 90000);
	assert_near(-3000, (double)f[1].late_total);	/* at 90 s it had 27 s */
	assert_int_equal(f[0].total_ticks, 45000);	/* what was sent stays */
	assert_int_equal(f[0].self_ticks, 18000);
	assert_near(1.5, f[0].self_slack_s);		/* 27 s are 1.5 s from the reading before */
	assert_int_equal(f[1].self_ticks, 30000);
	assert_near(0, f[1].self_slack_s);
	assert_near(10, f[0].age_s);			/* its row came ten seconds ago */
	assert_near(0, f[1].age_s);
}

/* The callee's share of the older time, of the total as it was sent: 13 of 45 s, of 50. */
static void a_newer_caller_keeps_the_share(void **state)
{
	struct profile_function *f;
	struct sums m;

	(void)state;
	f = aged_sums(&m, false);
	assert_near(-5000, (double)f[0].late_total);
	assert_int_equal(f[0].total_ticks, 50000);
	assert_int_equal(f[0].self_ticks, (int64_t)(18000 * 50000.0 / 45000));
	assert_near(2.5 * 50 / 45, f[0].self_slack_s);
}

/* What a self time may be off by is no more than what it could be at all. */
static void slack_is_no_more_than_the_total(void **state)
{
	struct profile_site *caller, *callee;
	struct sums m;

	(void)state;
	sums_init(&m, 100000);
	function_add(&m, "caller");
	function_add(&m, "callee");
	m.p.age_before = 85000;
	caller = site_add(&m, PROFILE_NONE, 0, 9, 45000, 1, 9000);
	callee = site_add(&m, 0, 1, 9, 99000, 1, 9000);
	site_read(&m, caller, 90000, 80000, 40000);
	site_read(&m, callee, 100000, 80000, 1000);
	sums_make(&m);
	/* At 90 s the callee had 50 s, more than the caller: nothing is left. It is off by 49 s. */
	assert_false(m.functions[0].incomplete);	/* so calls need not be missing */
	assert_int_equal(m.functions[0].self_ticks, 0);
	assert_near(45, m.functions[0].self_slack_s);
}

/*
 * A caller whose last row is far from the one before: its self time may be anything. At 90 s it
 * had 45.5 s, its callee 30; of the 90 s that were sent it may be off by no more than the rest.
 */
static void slack_is_no_more_than_the_rest(void **state)
{
	struct profile_site *caller, *callee;
	struct sums m;

	(void)state;
	sums_init(&m, 100000);
	function_add(&m, "caller");
	function_add(&m, "callee");
	m.p.age_before = 85000;
	caller = site_add(&m, PROFILE_NONE, 0, 9, 90000, 1, 9000);
	callee = site_add(&m, 0, 1, 9, 30000, 1, 9000);
	site_read(&m, caller, 100000, 80000, 1000);
	site_read(&m, callee, 90000, 80000, 26000);
	sums_make(&m);
	assert_int_equal(m.functions[0].self_ticks, (int64_t)(15500 * (90000 / 45500.0)));
	assert_near(90 - 15.5 * (90 / 45.5), m.functions[0].self_slack_s);
}

/* Entered once, and left within its first tick, while its callee's row is of another time. */
static void a_caller_of_no_time_has_none_of_its_own(void **state)
{
	struct profile_site *caller, *callee;
	struct sums m;

	(void)state;
	sums_init(&m, 100000);
	function_add(&m, "caller");
	function_add(&m, "callee");
	m.p.age_before = 85000;
	caller = site_add(&m, PROFILE_NONE, 0, 1, 0, 0, 0);
	callee = site_add(&m, 0, 1, 9, 30000, 1, 9000);
	site_read(&m, caller, 90000, 0, 0);
	site_read(&m, callee, 100000, 85000, 25500);
	site_read(&m, site_add(&m, PROFILE_NONE, 1, 9, 30000, 1, 9000), 90000, 80000, 26000);
	sums_make(&m);
	assert_int_equal(m.p.age_common, 90000);
	assert_int_equal(m.functions[0].self_ticks, 0);
	assert_near(0, m.functions[0].self_slack_s);
}

/* --- readings --------------------------------------------------------------------------------- */

static void readings_are_kept_newest_first(void **state)
{
	static struct profile_site sites[4];
	struct profile_base bases[2] = { { 0, 0 }, { 3, 7000 } };
	struct profile p = { .sites = sites, .site_count = 3, .age_cap = 8,
			     .site_base = bases, .site_bases = 2 };
	struct profile_reading *r;
	const uint8_t *behind;

	(void)state;
	p.ages = mem_alloc(p.age_cap * sizeof(*p.ages));
	memset(p.ages, 0xaa, p.age_cap * sizeof(*p.ages));	/* as the heap is */
	for (uint64_t i = 1; i <= 5; i++) {
		sites[2].total = 10 * i;
		assert_int_equal(profile_age_take(&p, 2, 100 * i, 10 * i - 10), 0);
	}
	assert_int_equal(p.age_run, 500);
	assert_int_equal(p.age_count, 3);
	r = p.ages[2].readings;
	for (unsigned k = 0; k < PROFILE_READINGS; k++) {
		assert_int_equal(r[k].run, 500 - 100 * k);
		assert_int_equal(r[k].total, 50 - 10 * k);
	}
	for (unsigned k = 0; k < PROFILE_READINGS; k++)
		assert_int_equal(p.ages[0].readings[k].run | p.ages[1].readings[k].total, 0);
	behind = (const uint8_t *)&p.ages[3];
	for (size_t k = 0; k < sizeof(*p.ages); k++)
		assert_int_equal(behind[k], 0xaa);
	/* The same time again: the newer figure. An older time: likewise, and the run stays. */
	sites[2].total = 55;
	profile_age_take(&p, 2, 500, 50);
	assert_int_equal(r[0].total, 55);
	assert_int_equal(r[1].total, 40);
	profile_age_take(&p, 2, 450, 55);
	assert_int_equal(p.age_run, 500);
	assert_int_equal(r[0].run, 450);
	assert_int_equal(r[1].total, 40);
	/* A total that shrank is a correction: nothing before it counts. */
	sites[2].total = 54;
	profile_age_take(&p, 2, 600, 55);
	assert_int_equal(r[0].total, 54);
	assert_int_equal(r[1].run, 0);
	/* What the user's reset subtracts is in a total, and in what it was. */
	sites[1].total = 30;
	profile_age_take(&p, 1, 600, 0);
	sites[1].total = 50;
	profile_age_take(&p, 1, 700, 30);
	assert_int_equal(p.ages[1].readings[0].total, 7050);
	assert_int_equal(p.ages[1].readings[1].total, 7030);
	sites[1].total = 49;
	profile_age_take(&p, 1, 800, 50);
	assert_int_equal(p.ages[1].readings[1].run, 0);
	/* The next site, which has no reading yet. */
	sites[3] = sites[2];
	profile_age_take(&p, 3, 700, 0);
	assert_int_equal(p.age_count, 4);
	assert_int_equal(p.ages[3].readings[0].run, 700);
	assert_int_equal(p.ages[3].readings[1].run, 0);
	for (size_t k = 0; k < sizeof(*p.ages); k++)
		assert_int_equal(behind[sizeof(*p.ages) + k], 0xaa);
	mem_free(p.ages);
}

/* A row that did not come had no change, unless it is still to come. */
static void rows_that_are_overdue_had_no_change(void **state)
{
	/* At 1000; readings at `run`, one before, and two before. */
	static const struct {
		uint64_t run, third;
		bool late;
		uint64_t before;
		double age;
	} rows[] = {
		{ 1000, 0, false, 900, 0 },
		{ 950, 0, false, 900, 50 },
		{ 900, 0, false, 900, 100 },	/* it came when the refresh before did */
		{ 899, 0, false, 900, 0 },
		/* a line that is late: after twice the time that two rows took */
		{ 800, 700, true, 900, 200 },
		{ 799, 700, true, 900, 0 },
		{ 0, 0, false, 0, 0 },		/* it never came */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile_age ages[2] = {
			{ { { rows[i].run, 5 }, { 0, 0 }, { rows[i].third, 0 } } },
			{ { { 950, 7 } } },		/* behind the last */
		};
		struct profile p = { .ages = ages, .age_count = 1, .age_run = 1000,
				     .age_late = rows[i].late, .age_before = rows[i].before };

		if (profile_age_newest(&p, 0) != rows[i].age)
			fail_msg("row %zu: %g", i, profile_age_newest(&p, 0));
		assert_near(0, profile_age_newest(&p, 1));
	}
}

/* Rows are taken to the time of the oldest one that grows by a 512th of the run. */
static void rows_that_hardly_grow_do_not_matter(void **state)
{
	static const struct { uint64_t run, total, older_run, older, second, common; } rows[] = {
		{ 46080, 20000, 40960, 19899, 0, 46080 }, /* 101 more are to come by 51200 */
		{ 46080, 20000, 40960, 19900, 0, 51200 }, /* 100: a 512th of it */
		{ 46080, 20000, 0, 0, 0, 46080 },	/* all since the start */
		{ 51200, 20000, 46080, 0, 0, 51200 },
		{ 30000, 20000, 24880, 0, 0, 51200 },	/* overdue */
		{ 46080, 20000, 40960, 0, 48000, 46080 }, /* the older one of two */
		{ 48000, 20000, 40960, 0, 46080, 46080 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile_age ages[3] = {
			{ { { rows[i].run, rows[i].total },
			    { rows[i].older_run, rows[i].older } } },
			{ { { rows[i].second, 9000 } } },
			{ { { 41000, 20000 } } },		/* behind the last */
		};
		struct profile p = { .ages = ages, .age_count = 2, .age_run = 51200,
				     .age_before = 40000 };

		profile_age_settle(&p);
		if (p.age_common != rows[i].common)
			fail_msg("row %zu: %llu", i, (unsigned long long)p.age_common);
	}
}

/* Between two readings the total is on the line between them; behind the last, on its way on. */
static void totals_are_on_the_line_of_their_readings(void **state)
{
	static const struct profile_age ages[] = {
		{ { { 1000, 500 }, { 800, 400 }, { 600, 350 }, { 400, 50 } } },
		{ { { 1000, 500 } } },			/* 0 at the start */
		{ { { 800, 400 }, { 600, 100 } } },
		{ { { 0, 0 } } },
		{ { { 450, 55 }, { 480, 40 } } },	/* the newer one is of an older time */
		{ { { 800, 400 }, { 600, 100 } } },	/* behind the last */
	};
	static const struct {
		uint32_t site;
		uint64_t common;
		double late, off;
		uint64_t before;
	} rows[] = {
		{ 0, 1000, 0, 0 },
		{ 0, 900, -50, 50 },
		{ 0, 850, -75, 25 },
		{ 0, 800, -100, 0 },
		{ 0, 750, -112.5, 12.5 },		/* 387.5, from 400 */
		{ 0, 650, -137.5, 12.5 },		/* 362.5, from 350 */
		{ 0, 500, -300, 150 },			/* 200, from 350 as from 50 */
		{ 0, 350, -500, 50 },			/* no total is below 0; it had 50 later */
		{ 1, 600, -200, 200 },
		{ 1, 400, -300, 200 },
		{ 2, 900, 150, 150 },
		{ 3, 900, 0, 0 },
		{ 4, 900, 0, 0 },
		{ 4, 450, 0, 0 },			/* its own; the other is later */
		{ 5, 900, 0, 0 },			/* none was kept */
		{ 2, 900, 0, 0, 801 },			/* overdue */
		{ 2, 700, -150, 150, 801 },		/* but then it was there */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct profile p = { .ages = (struct profile_age *)ages, .age_count = 5,
				     .age_run = 1000, .age_common = rows[i].common,
				     .age_before = rows[i].before };
		double off, late = profile_age_late(&p, rows[i].site, &off);

		if (fabs(late - rows[i].late) > 1e-9 || fabs(off - rows[i].off) > 1e-9)
			fail_msg("row %zu: %g, off by %g", i, late, off);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sites_add_up),
		cmocka_unit_test(a_recursive_call_is_within_another),
		cmocka_unit_test(a_negative_total_is_in_no_mean),
		cmocka_unit_test(bounds_widen_a_windows_range),
		cmocka_unit_test(absurd_totals_stop),
		cmocka_unit_test(the_run_is_what_was_told_and_the_newest_row),
		cmocka_unit_test(samples_tell_the_run),
		cmocka_unit_test(estimates_are_no_more_than_the_run),
		cmocka_unit_test(both_sources_are_limited_by_the_samples),
		cmocka_unit_test(callees_that_took_longer_tell_of_calls_that_are_missing),
		cmocka_unit_test(rows_without_room_make_a_function_incomplete),
		cmocka_unit_test(a_newer_callee_is_taken_back),
		cmocka_unit_test(a_newer_caller_keeps_the_share),
		cmocka_unit_test(slack_is_no_more_than_the_total),
		cmocka_unit_test(slack_is_no_more_than_the_rest),
		cmocka_unit_test(a_caller_of_no_time_has_none_of_its_own),
		cmocka_unit_test(readings_are_kept_newest_first),
		cmocka_unit_test(rows_that_are_overdue_had_no_change),
		cmocka_unit_test(rows_that_hardly_grow_do_not_matter),
		cmocka_unit_test(totals_are_on_the_line_of_their_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
