/*
 * noise: each figure's error against the formulas of noise.h, worked out by hand: which calls are
 * events, what the durations may vary by, what is not known.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/profile/look/noise.h"
#include "tests/unit/noise_same.h"
#include "tests/unit/sides_made.h"

static void assert_figure(struct noise_figure f, double value, double sigma)
{
	assert_near(value, f.value);
	assert_near(sigma, f.sigma);
}

static void function_look(const struct side *s, enum noise_scale scale, uint32_t function,
			  struct noise_figure *f)
{
	struct noise n;

	assert_int_equal(noise_init(&n, &s->p, scale), 0);
	noise_function(&n, function, f);
	noise_release(&n);
}

static void edge_look(const struct side *s, enum noise_scale scale, uint32_t edge,
		      struct noise_figure *f)
{
	struct noise n;

	assert_int_equal(noise_init(&n, &s->p, scale), 0);
	noise_edge(&n, edge, f);
	noise_release(&n);
}

/* --- what loads and rates refer to ------------------------------------------------------------ */

static void the_run_is_told_or_counted_in_samples(void **state)
{
	static const struct { double told; uint64_t samples; double hz, run; } rows[] = {
		{ 0.5, 0, 1000, 0.5 },
		{ 10, 500, 1000, 10 },		/* told: samples do not matter */
		{ 0, 500, 1000, 0.5 },
		{ NAN, 500, 0.5, 1000 },
		{ NAN, 500, 0, NAN },
		{ NAN, 0, 1000, NAN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct side s;

		side_init(&s, rows[i].told);
		s.p.totals.samples = rows[i].samples;
		s.p.terms.hz = rows[i].hz;
		assert_near(rows[i].run, noise_run(&s.p));
	}
}

static void the_best_scale_is_what_both_know(void **state)
{
	static const struct { double run[2], pace[2]; enum noise_scale scale; } rows[] = {
		{ { 10, 10 }, { 0.6, 0.4 }, NOISE_WALL },
		{ { 10, 10 }, { NAN, 0.4 }, NOISE_RUN },
		{ { 10, 10 }, { 0.4, NAN }, NOISE_RUN },
		{ { 10, 10 }, { 0.4, 0 }, NOISE_RUN },
		{ { 10, 10 }, { 0, 0.4 }, NOISE_RUN },
		{ { NAN, 10 }, { 0.6, 0.4 }, NOISE_SHARES },
		{ { 10, NAN }, { 0.6, 0.4 }, NOISE_SHARES },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct side s[2];

		for (int k = 0; k < 2; k++) {
			side_init(&s[k], rows[i].run[k]);
			s[k].p.pace = rows[i].pace[k];
			s[k].p.totals.self_s = 3;
		}
		assert_int_equal(noise_scale(&s[0].p, &s[1].p), rows[i].scale);
	}
}

static void seconds_are_those_of_the_scale(void **state)
{
	struct side s;

	(void)state;
	side_init(&s, 10);
	s.p.pace = 0.4;
	s.p.totals.self_s = 3;
	assert_near(10, noise_seconds(&s.p, NOISE_RUN));
	assert_near(25, noise_seconds(&s.p, NOISE_WALL));
	assert_near(3, noise_seconds(&s.p, NOISE_SHARES));
}

/* Rows that come in turn lack half a second of the run; a simulator's, and shares, do not. */
static void rows_in_turn_lack_half_a_second(void **state)
{
	static const struct {
		bool gathers, together;
		enum noise_scale scale;
		double run, age;
	} rows[] = {
		{ true, false, NOISE_RUN, 10, 0.05 },
		{ true, false, NOISE_WALL, 10, 0.02 },
		{ false, false, NOISE_RUN, 10, 0 },
		{ true, true, NOISE_RUN, 10, 0 },
		{ true, false, NOISE_SHARES, 10, 0 },
		{ true, false, NOISE_RUN, NAN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct noise n;
		struct side s;

		side_init(&s, rows[i].run);
		s.p.pace = 0.4;
		s.p.totals.self_s = 3;
		s.p.terms.gathers = rows[i].gathers;
		s.p.terms.together = rows[i].together;
		assert_int_equal(noise_init(&n, &s.p, rows[i].scale), 0);
		assert_near(rows[i].age, n.age);
		noise_release(&n);
	}
}

/* --- events ----------------------------------------------------------------------------------- */

/* A task that a caller enters so often, each time calling a leaf a hundred times. */
static void a_caller_with_thirty_calls_makes_bursts(void **state)
{
	static const struct { uint64_t frames; double events; } rows[] = {
		{ 29, 2900 }, { 30, 30 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t calls = 100 * rows[i].frames;
		uint32_t entry, frame, leaf;
		struct noise n;
		struct side s;

		side_init(&s, 10);
		entry = add_timed(&s, "main", 1, 9e6, 1, 0);
		frame = add_timed(&s, "frame", rows[i].frames, 1e6, 1, 0);
		leaf = add_timed(&s, "leaf", calls, 1e6, 1, 0);
		add_edge(&s, entry, frame, rows[i].frames);
		add_edge(&s, frame, leaf, calls);
		assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
		assert_near(1, n.events[entry]);
		assert_near((double)rows[i].frames, n.events[frame]);
		assert_near(rows[i].events, n.events[leaf]);
		noise_release(&n);
	}
}

/* Calls from outside of all functions, and of a handler that nobody calls, are each an event. */
static void calls_from_outside_are_events(void **state)
{
	uint32_t handler, leaf;
	struct noise n;
	struct side s;

	(void)state;
	side_init(&s, 10);
	handler = function_add(&s, "handler", "a.c");
	leaf = add_timed(&s, "leaf", 5000, 1e6, 1, 0);
	add_edge(&s, handler, leaf, 2000);
	add_edge(&s, PROFILE_NONE, leaf, 3000);
	assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
	assert_near(5000, n.events[leaf]);
	assert_near(5000, n.chains[leaf]);
	assert_near(1, n.events[handler]);
	noise_release(&n);
}

/* walk and step call each other: entering the two is an event, calls between them are none. */
static void calls_within_a_cycle_are_none(void **state)
{
	uint32_t entry, other, walk, step;
	struct noise n;
	struct side s;

	(void)state;
	side_init(&s, 10);
	entry = add_timed(&s, "main", 1, 9e6, 1, 0);
	other = add_timed(&s, "other", 100, 1e6, 1, 0);
	walk = add_timed(&s, "walk", 5040, 1e6, 1, 0);
	step = add_timed(&s, "step", 5100, 1e6, 1, 0);
	s.functions[other].cycle = 1;
	s.functions[walk].cycle = s.functions[step].cycle = 2;
	add_edge(&s, entry, other, 100);
	add_edge(&s, entry, walk, 40);
	add_edge(&s, PROFILE_NONE, step, 50);
	add_edge(&s, other, step, 50);
	add_edge(&s, step, walk, 5000);
	add_edge(&s, walk, step, 5000);
	assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
	assert_near(40, n.events[walk]);
	assert_near(100, n.events[step]);
	noise_release(&n);
}

/* A burst of a burst of a burst of a burst, in whatever order the functions stand. */
static void bursts_are_seen_through_four_levels(void **state)
{
	enum { LEVELS = 5 };
	uint32_t f[LEVELS + 1];
	struct noise n;
	struct side s;

	(void)state;
	side_init(&s, 10);
	for (int i = 0; i < LEVELS; i++)
		f[i] = add_timed(&s, "level", UINT64_C(10000000) >> (3 * i), 1e6, 1, 0);
	f[LEVELS] = add_timed(&s, "main", 1, 9e6, 1, 0);
	for (int i = 0; i < LEVELS; i++)
		add_edge(&s, f[i + 1], f[i], s.functions[f[i]].calls);
	assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
	for (int i = 0; i < LEVELS; i++)
		assert_near((double)(10000000 >> (3 * (LEVELS - 1))), n.events[f[i]]);
	noise_release(&n);
}

/*
 * What the program calls often came often; what was called once at the start and calls much
 * happened once. The program is main, or what takes more than half of the time and was called once,
 * by the code that starts it.
 */
static void the_program_is_no_burst(void **state)
{
	static const struct {
		const char *name;
		uint64_t calls;
		double total_us;
		bool caller_called;
		double chains;
	} rows[] = {
		{ "main", 1, 0, false, 50000 },
		{ "main", 1, 0, true, 50000 },
		{ "main", 2, 0, true, 1 },
		{ "app", 1, 9e6, false, 50000 },
		{ "app", 1, 9e6, true, 1 },		/* its caller was called by another */
		{ "app", 2, 9e6, false, 2 },
		{ "app", 1, 5e6, false, 1 },		/* half, and no more */
		{ "app", 1, 4e6, false, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint32_t start, program, fresh;
		struct noise n;
		struct side s;

		side_init(&s, 10);
		start = add_timed(&s, "start", 1, 0, 1, 0);
		s.functions[start].called = rows[i].caller_called;
		program = add_timed(&s, rows[i].name, rows[i].calls, rows[i].total_us, 1, 0);
		fresh = add_timed(&s, "fresh", 50000, 1e6, 1, 0);
		add_edge(&s, start, program, rows[i].calls);
		add_edge(&s, PROFILE_NONE, program, 0);
		add_edge(&s, program, fresh, 50000);
		assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
		assert_near(rows[i].chains, n.chains[fresh]);
		noise_release(&n);
	}
}

/* --- the calls' own spread -------------------------------------------------------------------- */

/* Ninety calls in [8, 16) us, ten in [64, 80], unless the row says otherwise. */
static void variances_are_as_worked_out(void **state)
{
	static const struct {
		struct profile_buckets b;
		double min, max, mean, variance;
	} rows[] = {
		/* 240 us above all at their lowest: the long ones take 160, the short ones 80 */
		{ { { 90, 0, 10 } }, 8, 80, 16,
		  (90 * 64 + 10 * 4096 + 160 * (64 + 80) + 80 * (8 + 16)) / 100.0 - 256 },
		/* a mean below all at their lowest, or above their highest: other rows' */
		{ { { 90, 0, 10 } }, 8, 80, 13, (90 * 64 + 10 * 4096) / 100.0 - 169 },
		{ { { 90, 0, 10 } }, 8, 80, 100, 0 },
		/* the longest is not known: four times as long as the last bound, 65536 us */
		{ { { [7] = 10 } }, NAN, NAN, 2 * 65536.0, 2 * 65536.0 * 65536.0 },
		/* a maximum below the bucket: a newer row's */
		{ { { 0, 10 } }, NAN, 10, 16, 0 },
	};
	static const struct profile_buckets counted = { { 90, 0, 10 } };
	struct side s;

	(void)state;
	side_init(&s, 1);
	/* No bounds are given. */
	assert_near(400e-12, noise_variance(&s.p, &counted, 10e-6, 50e-6, 30e-6));
	for (size_t i = 0; i < WIRE_BUCKETS - 1; i++)
		s.p.terms.bucket_below[i] = UINT64_C(16) << (2 * i);
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = noise_variance(&s.p, &rows[i].b, rows[i].min / 1e6, rows[i].max / 1e6,
					    rows[i].mean / 1e6);

		if (!(fabs(got * 1e12 - rows[i].variance) <= 1e-9 * rows[i].variance + 1e-6))
			fail_msg("row %zu: %g us^2, not %g", i, got * 1e12, rows[i].variance);
	}
}

/* --- functions -------------------------------------------------------------------------------- */

/* By the host's clock, over ten seconds: 99 calls, by chance 10 more or less. */
static void without_a_run_the_rate_is_the_windows(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, NAN);
	add_timed(&s, "f", 1000, 500000, 1, 0);
	s.functions[0].rate_calls = 9.9;
	function_look(&s, NOISE_RUN, 0, f);
	assert_figure(f[COMPARE_RATE], 9.9, 1);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	function_look(&s, NOISE_SHARES, 0, f);
	assert_figure(f[COMPARE_RATE], 9.9, 1);
	assert_near(1, f[COMPARE_LOAD].value);
	s.functions[0].rate_calls = NAN;
	function_look(&s, NOISE_SHARES, 0, f);
	assert_figure(f[COMPARE_RATE], NAN, NAN);
}

/* Nothing was profiled yet: no load and no rate, not an infinite one. */
static void a_run_of_nothing_tells_nothing(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, NAN);
	add_timed(&s, "f", 0, 0, 1, 0);
	function_look(&s, NOISE_SHARES, 0, f);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	assert_figure(f[COMPARE_RATE], NAN, NAN);
	s.functions[0].time = PROFILE_TIME_SAMPLED;
	function_look(&s, NOISE_SHARES, 0, f);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
}

/* One call may as well have been none or two. */
static void few_calls_prove_little(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, 4);
	add_timed(&s, "never", 0, 0, 1, 0);
	add_timed(&s, "once", 1, 20, 1, 0);
	s.functions[0].per_call_s = NAN;
	function_look(&s, NOISE_RUN, 0, f);
	assert_figure(f[COMPARE_RATE], 0, 0.25);
	assert_figure(f[COMPARE_PER_CALL], NAN, NAN);
	s.p.terms.spread = sqrt(4 - 1 / 6.0);		/* the clock: 2 us a duration */
	function_look(&s, NOISE_RUN, 1, f);
	assert_figure(f[COMPARE_RATE], 0.25, 0.25);
	/* its variance is 20^2, once more for its being one, and the clock */
	assert_figure(f[COMPARE_PER_CALL], 20e-6, sqrt(2 * 400 + 4) * 1e-6);
	/* in 4 s: one event, its variance, the clock */
	assert_figure(f[COMPARE_LOAD], 5e-6, sqrt(400 + 400 + 4) * 1e-6 / 4);
	assert_figure(f[COMPARE_MAX], NAN, NAN);
}

/* Shorter than a tick: nothing but the clock's error is left of it. */
static void calls_of_no_tick_have_the_clocks_error(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, 10);
	s.p.terms.gathers = true;
	s.p.terms.spread = sqrt(4 - 1 / 6.0);
	add_timed(&s, "f", 100, 0, 0, 0);
	function_look(&s, NOISE_RUN, 0, f);
	assert_figure(f[COMPARE_PER_CALL], 0, 0.2e-6);
	assert_figure(f[COMPARE_LOAD], 0, 2e-6);	/* 10 * 2 us in 10 s */
	assert_figure(f[COMPARE_MAX], 0, 2e-6);
}

/* A self time is the difference of its own calls' clocks and those of the calls that it makes. */
static void callees_readings_are_in_the_self_time(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	uint32_t caller, callee;
	struct side s;

	(void)state;
	side_init(&s, 10);
	s.p.terms.spread = sqrt(4 - 1 / 6.0);
	caller = add_timed(&s, "caller", 100, 3000, 30, 30);
	callee = add_timed(&s, "callee", 800, 1600, 2, 2);
	add_edge(&s, PROFILE_NONE, caller, 100);
	add_edge(&s, caller, callee, 500);
	add_edge(&s, caller, callee, 300);
	s.functions[caller].self_s = 1400e-6;
	function_look(&s, NOISE_RUN, caller, f);
	assert_figure(f[COMPARE_LOAD], 140e-6, sqrt(140e-6 * 140e-6 + 900 * 4e-12) / 10);
}

/*
 * Rows are two seconds old: what they counted is of the eight before. By wall time all of it is
 * twice as long.
 */
static void old_rows_count_up_to_when_they_came(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, 10);
	add_timed(&s, "f", 10000, 400000, 40, 40);
	s.functions[0].age_s = 2;
	s.p.pace = 0.5;
	function_look(&s, NOISE_RUN, 0, f);
	assert_near(1250, f[COMPARE_RATE].value);
	assert_near(0.05, f[COMPARE_LOAD].value);
	function_look(&s, NOISE_WALL, 0, f);
	assert_near(625, f[COMPARE_RATE].value);
	assert_near(0.025, f[COMPARE_LOAD].value);
	s.p.totals.self_s = 8;				/* of shares they are no part */
	function_look(&s, NOISE_SHARES, 0, f);
	assert_near(0.05, f[COMPARE_LOAD].value);
	side_init(&s, 0.8);
	add_timed(&s, "f", 10000, 40000, 4, 4);
	s.functions[0].age_s = 0.3f;
	function_look(&s, NOISE_RUN, 0, f);
	assert_near(10000 / (0.8 - 0.3f), f[COMPARE_RATE].value);
	s.p.totals.run_s = 0;				/* samples alone tell the run: 0.5 s */
	s.p.totals.samples = 500;
	function_look(&s, NOISE_RUN, 0, f);
	assert_near(20000, f[COMPARE_RATE].value);
}

static void what_is_not_known_has_no_figure(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, 10);
	add_timed(&s, "f", 100, 3000, 30, 40);
	s.functions[0].flags = ROW_MAX_AT_LEAST;	/* the field was too narrow */
	function_look(&s, NOISE_RUN, 0, f);
	assert_figure(f[COMPARE_MAX], NAN, NAN);
	/* so its calls' variance is that of any mean: 30^2 */
	assert_near(sqrt((900 + 9 + 1 / 6.0) / 100) * 1e-6, f[COMPARE_PER_CALL].sigma);
	s.functions[0].self_s = NAN;			/* no ELF */
	function_look(&s, NOISE_RUN, 0, f);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	assert_near(30e-6, f[COMPARE_PER_CALL].value);
	function_add(&s, "counted", "a.c");		/* its calls alone */
	s.functions[1].called = true;
	s.functions[1].calls = 400;
	s.functions[1].self_s = s.functions[1].per_call_s = 0;
	function_look(&s, NOISE_RUN, 1, f);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	assert_figure(f[COMPARE_PER_CALL], NAN, NAN);
	assert_figure(f[COMPARE_RATE], 40, 2);
	function_add(&s, "caller", "a.c");		/* not even those */
	s.functions[2].time = PROFILE_TIME_SAMPLED;
	s.functions[2].self_s = s.functions[2].per_call_s = 0;
	function_look(&s, NOISE_RUN, 2, f);
	assert_figure(f[COMPARE_RATE], NAN, NAN);
	assert_figure(f[COMPARE_PER_CALL], NAN, NAN);
	assert_figure(f[COMPARE_LOAD], 0, 1e-4);	/* one sample in 10,000, by chance none */
}

/* A time that goes below zero, as a clock's race makes, is no load. */
static void no_load_is_negative(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;

	(void)state;
	side_init(&s, 10);
	s.p.terms.gathers = true;
	add_timed(&s, "f", 100, -100, 1, 0);
	function_look(&s, NOISE_RUN, 0, f);
	assert_near(0, f[COMPARE_LOAD].value);
}

/* --- edges ------------------------------------------------------------------------------------ */

/* 400 of leaf's calls come from frame, which was called a hundred times. */
static uint32_t edge_made(struct side *s, double run)
{
	uint32_t entry, frame, leaf;

	side_init(s, run);
	s->p.terms.spread = sqrt(4 - 1 / 6.0);		/* the clock: 2 us */
	entry = add_timed(s, "main", 1, 9e6, 1, 0);
	frame = add_timed(s, "frame", 100, 1e6, 1, 0);
	leaf = add_timed(s, "leaf", 900, 27000, 10, 50);
	add_edge(s, entry, frame, 100);
	add_edge(s, entry, leaf, 500);
	add_edge(s, frame, leaf, 400);
	s->edges[2].total_s = 0.008;
	s->edges[2].min = 10;
	s->edges[2].max = 40;
	return 2;
}

static void timed_edges_are_as_worked_out(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;
	uint32_t e = edge_made(&s, 10);

	(void)state;
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_RATE], 40, 4);			/* a hundred events */
	/* 20 us a call; (40 - 20)(20 - 10), one more call of 20^2, the clock */
	assert_figure(f[COMPARE_PER_CALL], 20e-6, sqrt((200 + 1 + 4) / 400.0) * 1e-6);
	/* 8 ms: 1 in 10 of the events; the spread and the clock of 400 calls */
	assert_figure(f[COMPARE_LOAD], 800e-6,
		      sqrt(800e-6 * 800e-6 + 400 * (200 + 4) * 1e-12) / 10);
	assert_figure(f[COMPARE_MAX], 40e-6, 2e-6);
	s.p.terms.gathers = true;				/* and half a second of all of it */
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_LOAD], 800e-6,
		      sqrt(800e-6 * 800e-6 + 400 * (200 + 4) * 1e-12 + 400e-6 * 400e-6) / 10);
	s.p.terms.gathers = false;
	s.functions[s.edges[e].to].age_s = 2;
	edge_look(&s, NOISE_RUN, e, f);
	assert_near(50, f[COMPARE_RATE].value);
	assert_near(0.001, f[COMPARE_LOAD].value);
	s.edges[e].flags = ROW_MAX_AT_LEAST;
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_MAX], NAN, NAN);
	assert_near(sqrt((400 + 1 + 4) / 400.0) * 1e-6, f[COMPARE_PER_CALL].sigma);
	edge_look(&s, NOISE_SHARES, e, f);
	assert_figure(f[COMPARE_RATE], NAN, NAN);
}

/* Calls from main, from no function, and of a function to itself are an event each. */
static void calls_of_a_loop_are_events_of_an_edge(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	uint32_t leaf;
	struct side s;

	(void)state;
	edge_made(&s, 10);
	edge_look(&s, NOISE_RUN, 1, f);
	assert_figure(f[COMPARE_RATE], 50, 50 / sqrt(500));
	leaf = s.edges[1].to;
	edge_look(&s, NOISE_RUN, add_edge(&s, PROFILE_NONE, leaf, 400), f);
	assert_figure(f[COMPARE_RATE], 40, 2);
	edge_look(&s, NOISE_RUN, add_edge(&s, leaf, leaf, 90000), f);
	assert_figure(f[COMPARE_RATE], 9000, 30);
}

/* An edge of one call, or of none that returned. */
static void edges_of_few_calls_prove_little(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct side s;
	uint32_t e = edge_made(&s, 4);

	(void)state;
	s.edges[e].calls = 1;
	s.edges[e].total_s = 20e-6;
	s.edges[e].min = s.edges[e].max = 20;
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_RATE], 0.25, 0.25);
	assert_figure(f[COMPARE_PER_CALL], 20e-6, sqrt(400 + 4) * 1e-6);
	s.edges[e].calls = 0;			/* what a damaged row adds is no call */
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_RATE], 0, 0.25);
	assert_figure(f[COMPARE_PER_CALL], NAN, NAN);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	assert_figure(f[COMPARE_MAX], NAN, NAN);
}

/* Time that samples give to an arc: 99 of them, of 1000 a second. */
static void sampled_edges_are_as_worked_out(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	uint32_t caller, callee, e;
	struct side s;

	(void)state;
	side_init(&s, NAN);
	caller = add_sampled(&s, "caller", 901);
	callee = add_sampled(&s, "callee", 99);
	e = add_edge(&s, caller, callee, 100);
	s.edges[e].timed = false;
	s.edges[e].total_s = 0.099;
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_LOAD], 0.099, 0.01);
	assert_figure(f[COMPARE_PER_CALL], 0.00099, hypot(0.0001, 0.000099));
	assert_figure(f[COMPARE_RATE], 100, 10);
	assert_figure(f[COMPARE_MAX], NAN, NAN);
	s.functions[callee].time = PROFILE_TIME_NONE;	/* no sample met it */
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	assert_figure(f[COMPARE_PER_CALL], NAN, NAN);
	s.functions[callee].time = PROFILE_TIME_SAMPLED;
	s.edges[e].total_s = NAN;
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_LOAD], NAN, NAN);
	s.edges[e].total_s = 0;
	s.p.totals.samples = 0;				/* arcs alone */
	edge_look(&s, NOISE_RUN, e, f);
	assert_figure(f[COMPARE_PER_CALL], NAN, NAN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_run_is_told_or_counted_in_samples),
		cmocka_unit_test(the_best_scale_is_what_both_know),
		cmocka_unit_test(seconds_are_those_of_the_scale),
		cmocka_unit_test(rows_in_turn_lack_half_a_second),
		cmocka_unit_test(a_caller_with_thirty_calls_makes_bursts),
		cmocka_unit_test(calls_from_outside_are_events),
		cmocka_unit_test(calls_within_a_cycle_are_none),
		cmocka_unit_test(bursts_are_seen_through_four_levels),
		cmocka_unit_test(the_program_is_no_burst),
		cmocka_unit_test(variances_are_as_worked_out),
		cmocka_unit_test(without_a_run_the_rate_is_the_windows),
		cmocka_unit_test(a_run_of_nothing_tells_nothing),
		cmocka_unit_test(few_calls_prove_little),
		cmocka_unit_test(calls_of_no_tick_have_the_clocks_error),
		cmocka_unit_test(callees_readings_are_in_the_self_time),
		cmocka_unit_test(old_rows_count_up_to_when_they_came),
		cmocka_unit_test(what_is_not_known_has_no_figure),
		cmocka_unit_test(no_load_is_negative),
		cmocka_unit_test(timed_edges_are_as_worked_out),
		cmocka_unit_test(calls_of_a_loop_are_events_of_an_edge),
		cmocka_unit_test(edges_of_few_calls_prove_little),
		cmocka_unit_test(sampled_edges_are_as_worked_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
