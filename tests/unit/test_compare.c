/*
 * compare: functions paired across builds, figures worked out by hand, and that chance alone is not
 * taken for a difference (a fixed seed, thousands of runs).
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/profile/look/compare.h"
#include "core/profile/raw/copy.h"
#include "core/profile/look/noise.h"
#include "tests/unit/sides_made.h"

/* --- pairing ---------------------------------------------------------------------------------- */

static const char *then_of(const struct compare *c, const char *name, uint64_t address)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct compare_row *r = &c->rows[i];

		if (r->now == PROFILE_NONE || strcmp(c->now->functions[r->now].name, name) ||
		    c->now->functions[r->now].address != address)
			continue;
		return r->then == PROFILE_NONE ? "none" : c->base->functions[r->then].name;
	}
	return "no row";
}

static void functions_pair_by_the_likest(void **state)
{
	struct side a, b;
	struct compare c = { 0 };

	(void)state;
	side_init(&a, 1);
	side_init(&b, 1);
	function_add(&a, "init", "uart.c");
	function_add(&a, "init", "adc.c");
	function_add(&a, "step.constprop.0", "m.c");
	function_add(&a, "moved", "old.c");
	function_add(&a, "0x00600", NULL);
	function_add(&a, "lost", "m.c");
	function_add(&b, "moved", "new.c");
	function_add(&b, "step.isra.3", "m.c");
	function_add(&b, "init", "adc.c");
	function_add(&b, "init", "uart.c");
	function_add(&b, "fresh", "m.c");
	function_add(&b, "named_now", "m.c");
	b.functions[5].address = a.functions[4].address = 0x700;
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	assert_int_equal(c.count, 7);
	assert_int_equal(c.rows[2].then, 1);
	assert_int_equal(c.rows[3].then, 0);
	assert_string_equal(then_of(&c, "moved", 0x100), "moved");
	assert_string_equal(then_of(&c, "step.isra.3", 0x200), "step.constprop.0");
	assert_string_equal(then_of(&c, "fresh", 0x500), "none");
	assert_string_equal(then_of(&c, "named_now", 0x700), "0x00600");
	assert_int_equal(c.rows[6].then, 5);
	assert_int_equal(c.rows[6].now, PROFILE_NONE);
	assert_string_equal(compare_subject(&c, &c.rows[6])->name, "lost");
	assert_null(compare_function(&c, 6));
	compare_release(&c);
}

static void several_of_one_name_pair_in_order(void **state)
{
	struct side a, b;
	struct compare c = { 0 };

	(void)state;
	side_init(&a, 1);
	side_init(&b, 1);
	for (int i = 0; i < 3; i++)
		function_add(&a, "twin", "a.h");
	function_add(&b, "other", "b.c");
	for (int i = 0; i < 2; i++)
		function_add(&b, "twin", "a.h");
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	assert_int_equal(c.rows[1].then, 0);
	assert_int_equal(c.rows[2].then, 1);
	/* Again, now with what was found as a guess; and when rows before it come in between. */
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	assert_int_equal(c.rows[1].then, 0);
	assert_int_equal(c.rows[2].then, 1);
	assert_int_equal(c.count, 4);
	assert_int_equal(c.rows[3].then, 2);
	compare_release(&c);
}

static void edges_pair_by_their_functions(void **state)
{
	struct side a, b;
	struct compare c = { 0 };
	uint32_t f, g;

	(void)state;
	side_init(&a, 1);
	side_init(&b, 1);
	f = add_timed(&a, "f", 100, 1000, 10, 10);
	g = add_timed(&a, "g", 100, 1000, 10, 10);
	add_edge(&a, g, f, 40);
	add_edge(&a, PROFILE_NONE, f, 60);
	g = add_timed(&b, "g", 100, 1000, 10, 10);
	f = add_timed(&b, "f", 100, 1000, 10, 10);
	add_edge(&b, PROFILE_NONE, f, 60);
	add_edge(&b, g, f, 30);
	add_edge(&b, f, g, 10);
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	assert_int_equal(c.edge_count, 3);
	assert_int_equal(compare_edge(&c, 0)->then, 1);
	assert_int_equal(compare_edge(&c, 1)->then, 0);
	assert_int_equal(compare_edge(&c, 2)->then, PROFILE_NONE);
	assert_int_equal(compare_edge(&c, 2)->verdict, COMPARE_NEW);
	assert_float_equal(compare_edge(&c, 1)->value[COMPARE_RATE].then, 40, 1e-9);
	assert_float_equal(compare_edge(&c, 1)->value[COMPARE_RATE].now, 30, 1e-9);
	assert_null(compare_edge(&c, 3));
	assert_null(compare_edge(NULL, 0));
	compare_release(&c);
}

/* --- figures ---------------------------------------------------------------------------------- */

static void the_largest_variance_is_at_the_bounds(void **state)
{
	static const struct { double min, max, mean, variance; } rows[] = {
		{ 10, 10, 10, 0 },
		{ 10, 30, 20, 100 },		/* half at each end */
		{ 0, 100, 1, 99 },		/* one in a hundred at the top: 99 * 1 */
		{ NAN, NAN, 7, 49 },
	};
	struct profile_buckets b = { { 90, 0, 10 } };
	struct side s;

	(void)state;
	side_init(&s, 1);
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_float_equal(noise_variance(&s.p, NULL, rows[i].min / 1e6, rows[i].max / 1e6,
						  rows[i].mean / 1e6) * 1e12,
				   rows[i].variance, 1e-6);
	/*
	 * Ninety in [8, 16), ten in [64, 80]: all at their lower bounds are 1360 us. Of a mean of
	 * 14 us forty are left, which move the long ones up: by 4 us each, or two and a half of
	 * them to 80. squares = 90 * 64 + 10 * 4096 + 40 * 144 = 52480; / 100 - 196 = 328.8.
	 */
	for (size_t i = 0; i < WIRE_BUCKETS - 1; i++)
		s.p.terms.bucket_below[i] = UINT64_C(16) << (2 * i);
	assert_float_equal(noise_variance(&s.p, &b, 8 / 1e6, 80 / 1e6, 14 / 1e6) * 1e12, 328.8,
			   1e-6);
}

static void timed_figures_are_as_worked_out(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct noise n;
	struct side s;

	(void)state;
	side_init(&s, 10);
	s.p.terms.spread = 3;
	add_timed(&s, "f", 10000, 200000, 10, 40);	/* 20 us a call, 1000 a second, 2 % */
	assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
	noise_function(&n, 0, f);
	assert_float_equal(f[COMPARE_LOAD].value, 0.02, 1e-12);
	assert_float_equal(f[COMPARE_PER_CALL].value, 20e-6, 1e-12);
	assert_float_equal(f[COMPARE_RATE].value, 1000, 1e-9);
	assert_float_equal(f[COMPARE_MAX].value, 40e-6, 1e-12);
	/* variance (40 - 20)(20 - 10) = 200, one call off by all: 400 / 10000, clock 9 + 1/6 */
	assert_float_equal(f[COMPARE_PER_CALL].sigma * 1e6, sqrt((200 + 0.04 + 9 + 1 / 6.0) / 1e4),
			   1e-9);
	assert_float_equal(f[COMPARE_RATE].sigma, 10, 1e-9);	/* sqrt(10000) in 10 s */
	/* self 0.2 s: 1 % for the events; spread sqrt(200) a call; the clock a call */
	assert_float_equal(f[COMPARE_LOAD].sigma * 10,
			   sqrt(4e-6 + 1e4 * 200e-12 + 1e4 * (9 + 1 / 6.0) * 1e-12), 1e-9);
	assert_float_equal(f[COMPARE_MAX].sigma * 1e6, sqrt(9 + 1 / 6.0), 1e-9);
	noise_release(&n);
}

/* The run stands still in sleep and hooks: load and rate are those of LOAD% and CALLS/S. */
static void loads_and_rates_are_of_wall_time_where_it_is_known(void **state)
{
	const struct compare_row *row;
	struct compare c = { 0 };
	struct side a, b;

	(void)state;
	side_init(&a, 6);
	side_init(&b, 60);
	add_timed(&a, "tick", 2500, 100000, 40, 40);	/* in 10 s of wall time */
	add_timed(&b, "tick", 37500, 1500000, 40, 40);	/* in 150 s */
	a.p.pace = 0.6;
	b.p.pace = 0.4;
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	row = compare_function(&c, 0);
	assert_float_equal(row->value[COMPARE_RATE].then, 250, 1e-9);
	assert_float_equal(row->value[COMPARE_RATE].now, 250, 1e-9);
	assert_float_equal(row->value[COMPARE_LOAD].now, 0.01, 1e-12);
	assert_float_equal(c.load.then, 0.01, 1e-12);
	assert_int_equal(row->verdict, COMPARE_SAME);
	/* One of the two does not tell: both are of the run. */
	a.p.pace = NAN;
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	row = compare_function(&c, 0);
	assert_float_equal(row->value[COMPARE_RATE].then, 2500 / 6.0, 1e-9);
	assert_float_equal(row->value[COMPARE_RATE].now, 625, 1e-9);
	compare_release(&c);
}

/* A caller's row and its callee's may be told half a second apart: what went through is missing. */
static void rows_of_unlike_age_prove_nothing(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct compare c = { 0 };
	struct side then, now;
	struct noise n;

	(void)state;
	side_init(&then, 10);
	side_init(&now, 10);
	add_timed(&then, "task", 10000, 2e6, 100, 300);
	add_timed(&now, "task", 10400, 2e6, 100, 300);
	then.functions[0].self_s = 0.10;
	now.functions[0].self_s = 0.15;		/* of 2 s; what came in 1/4 s was not there yet */
	assert_int_equal(compare_build(&c, &then.p, &now.p, NULL), 0);
	assert_int_equal(c.rows[0].value[COMPARE_LOAD].verdict, COMPARE_WORSE);
	assert_int_equal(c.rows[0].value[COMPARE_RATE].verdict, COMPARE_SAME);
	compare_release(&c);
	then.p.terms.gathers = now.p.terms.gathers = true;
	assert_int_equal(compare_build(&c, &then.p, &now.p, NULL), 0);
	assert_int_equal(c.rows[0].value[COMPARE_LOAD].verdict, COMPARE_SAME);
	compare_release(&c);

	assert_int_equal(noise_init(&n, &now.p, NOISE_RUN), 0);
	noise_function(&n, 0, f);
	/* 5 % of the 2 s, besides the rest; and of the 1040 calls a second */
	assert_float_equal(f[COMPARE_LOAD].sigma * 10, 0.1, 1e-3);
	assert_float_equal(f[COMPARE_RATE].sigma, 1040 * hypot(1 / sqrt(10400), 0.05), 1e-9);
	noise_release(&n);
}

static void sampled_figures_are_as_worked_out(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct noise n;
	struct side s;

	(void)state;
	side_init(&s, NAN);
	add_sampled(&s, "f", 99);
	add_sampled(&s, "rest", 901);
	s.functions[0].called = true;
	s.functions[0].calls = 100;
	s.functions[0].per_call_s = 0.00099;
	assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
	noise_function(&n, 0, f);
	assert_float_equal(f[COMPARE_LOAD].value, 0.099, 1e-12);
	assert_float_equal(f[COMPARE_LOAD].sigma, 0.01, 1e-12);		/* sqrt(99 + 1) of 1000 */
	assert_float_equal(f[COMPARE_PER_CALL].value, 0.00099, 1e-12);
	assert_float_equal(f[COMPARE_PER_CALL].sigma, hypot(0.0001, 0.000099), 1e-12);
	assert_true(isnan(f[COMPARE_MAX].value));
	noise_function(&n, 1, f);
	assert_true(isnan(f[COMPARE_RATE].value));
	noise_release(&n);
}

/* What one frame calls a hundred times came a hundred times, but is one event. */
static void a_burst_is_one_event(void **state)
{
	struct noise_figure f[COMPARE_MEASURES];
	struct noise n;
	struct side s;
	uint32_t entry, frame, leaf;

	(void)state;
	side_init(&s, 10);
	entry = add_timed(&s, "main", 1, 9e6, 1, 0);
	frame = add_timed(&s, "frame", 100, 1e6, 1, 0);
	leaf = add_timed(&s, "leaf", 10000, 1e6, 1, 0);
	add_edge(&s, entry, frame, 100);
	add_edge(&s, frame, leaf, 10000);
	add_edge(&s, leaf, leaf, 5000);
	assert_int_equal(noise_init(&n, &s.p, NOISE_RUN), 0);
	noise_function(&n, frame, f);
	assert_float_equal(f[COMPARE_RATE].sigma, 1, 1e-9);	/* main runs for ever: 100 events */
	noise_function(&n, leaf, f);
	/* 1000 / sqrt(100), not / sqrt(10000) */
	assert_float_equal(f[COMPARE_RATE].sigma, 100, 1e-9);
	noise_release(&n);
}

static void verdicts_are_told(void **state)
{
	/* microseconds a call, then and now; 10000 calls of constant length each in 10 s */
	static const struct { double then, now; enum compare_verdict per_call, row; } rows[] = {
		{ 20, 20, COMPARE_SAME, COMPARE_SAME },
		{ 20, 22, COMPARE_WORSE, COMPARE_WORSE },
		{ 22, 20, COMPARE_BETTER, COMPARE_BETTER },
		{ 20, 20.15, COMPARE_SAME, COMPARE_SAME }, /* beyond the noise, but below 1 % */
		{ 20, 0, COMPARE_GONE, COMPARE_GONE },
		{ 0, 20, COMPARE_NEW, COMPARE_NEW },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct compare c = { 0 };
		struct side a, b;

		side_init(&a, 10);
		side_init(&b, 10);
		if (rows[i].then > 0)
			add_timed(&a, "f", 10000, 10000 * rows[i].then, rows[i].then, rows[i].then);
		if (rows[i].now > 0)
			add_timed(&b, "f", 10000, 10000 * rows[i].now, rows[i].now, rows[i].now);
		assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
		assert_int_equal(c.count, 1);
		assert_int_equal(c.rows[0].value[COMPARE_PER_CALL].verdict, rows[i].per_call);
		assert_int_equal(c.rows[0].verdict, rows[i].row);
		assert_int_equal(c.verdicts[rows[i].row], 1);
		assert_float_equal(c.rows[0].cost, (rows[i].now - rows[i].then) / 1000, 1e-9);
		compare_release(&c);
	}
}

/* What is beyond the noise need not matter. Calls of constant length in 10 s. */
static void small_changes_are_not_relevant(void **state)
{
	enum { LOAD = 1 << COMPARE_LOAD, CALL = 1 << COMPARE_PER_CALL, RATE = 1 << COMPARE_RATE };
	/* calls and microseconds a call, then and now */
	static const struct {
		double calls, us, calls_now, us_now;
		struct compare_least least;
		enum compare_verdict verdict;
		unsigned relevant;
	} rows[] = {
		/* 23 % a call, but 0.05 % of a core */
		{ 1240, 19.5, 1240, 24, { 0.01, 0.05 }, COMPARE_SAME, 0 },
		{ 1240, 19.5, 1240, 24, { 0.001, 0.05 }, COMPARE_WORSE, CALL },
		{ 1240, 19.5, 1240, 24, { 0, 0 }, COMPARE_WORSE, CALL | LOAD },
		/* 4 % a call, 0.4 % of a core */
		{ 10000, 100, 10000, 104, { 0.01, 0.05 }, COMPARE_SAME, 0 },
		/* 1.2 % of a core: by the call's time, by the rate, by both against each other */
		{ 10000, 20, 10000, 32, { 0.01, 0.05 }, COMPARE_WORSE, LOAD | CALL },
		{ 10000, 20, 16000, 20, { 0.01, 0.05 }, COMPARE_WORSE, LOAD | RATE },
		{ 16000, 20, 10000, 20, { 0.01, 0.05 }, COMPARE_BETTER, LOAD | RATE },
		{ 16000, 20, 5000, 24, { 0.01, 0.05 }, COMPARE_MIXED, LOAD | CALL | RATE },
		/* twice as many calls, 0.2 % of a core */
		{ 1000, 20, 2000, 20, { 0.01, 0.05 }, COMPARE_SAME, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct compare c = { 0 };
		struct side a, b;

		side_init(&a, 10);
		side_init(&b, 10);
		add_timed(&a, "f", (uint64_t)rows[i].calls, rows[i].calls * rows[i].us,
			  rows[i].us, rows[i].us);
		add_timed(&b, "f", (uint64_t)rows[i].calls_now,
			  rows[i].calls_now * rows[i].us_now, rows[i].us_now, rows[i].us_now);
		assert_int_equal(compare_build(&c, &a.p, &b.p, &rows[i].least), 0);
		assert_int_equal(c.rows[0].verdict, rows[i].verdict);
		assert_int_equal(c.rows[0].relevant & ~RATE, rows[i].relevant & ~RATE);
		if (rows[i].least.load > 0)
			assert_int_equal(c.rows[0].relevant, rows[i].relevant);
		assert_int_equal(compare_is_same(&c), rows[i].verdict == COMPARE_SAME);
		for (int m = 0; m < COMPARE_MAX; m++)
			assert_int_equal(c.rows[0].value[m].minor,
					 c.rows[0].value[m].verdict > COMPARE_SAME &&
					 !(c.rows[0].relevant >> m & 1));
		compare_release(&c);
	}
}

/* What ran at the start is not gone; nor is what ran too rarely to be seen in a shorter run. */
static void what_ran_at_the_start_is_not_gone(void **state)
{
	static const struct { uint64_t init, puts, rare; double run; } rows[] = {
		{ 1, 50, 9, 10 }, { 9, 5000, 9, 1000 }, { 1, 1, 30, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct compare c = { 0 };
		struct side then, now;
		uint32_t entry, init, puts;

		side_init(&then, 60);
		side_init(&now, rows[i].run);
		entry = function_add(&then, "main", "a.c");
		init = add_timed(&then, "init", rows[i].init, 1e6, 1, 1e6);
		puts = add_timed(&then, "puts", rows[i].puts, 2e6, 1, 1e6);
		add_timed(&then, "rare", rows[i].rare, 1e6, 1, 1e6);
		add_timed(&then, "often", 60000, 1e6, 10, 20);
		add_edge(&then, entry, init, rows[i].init);
		add_edge(&then, init, puts, rows[i].puts);
		assert_int_equal(compare_build(&c, &then.p, &now.p, NULL), 0);
		assert_int_equal(c.verdicts[COMPARE_GONE], 1);
		assert_int_equal(c.rows[4].verdict, COMPARE_GONE);
		compare_release(&c);
		assert_int_equal(compare_build(&c, &now.p, &then.p, NULL), 0);
		assert_int_equal(c.verdicts[COMPARE_NEW], 1);
		assert_int_equal(c.rows[4].verdict, COMPARE_NEW);
		compare_release(&c);
	}
}

/*
 * What main calls often is new, though the code that starts the program called main: simavr's
 * __do_clear_bss does. What is called once beside it and takes little is no program.
 */
static void what_the_program_calls_is_new(void **state)
{
	static const struct { const char *name; double total_us; size_t news; } rows[] = {
		{ "main", 0, 1 }, { "start_kernel", 9e6, 1 }, { "SystemInit", 1e3, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct compare c = { 0 };
		struct side then, now;
		uint32_t start, program, fresh;

		side_init(&then, 10);
		side_init(&now, 10);
		start = function_add(&now, "__do_clear_bss", NULL);
		program = add_timed(&now, rows[i].name, 1, rows[i].total_us, 1, 9e6);
		fresh = add_timed(&now, "fresh", 50000, 1e6, 10, 30);
		add_edge(&now, start, program, 1);
		add_edge(&now, program, fresh, 50000);
		assert_int_equal(compare_build(&c, &then.p, &now.p, NULL), 0);
		assert_int_equal(c.verdicts[COMPARE_NEW], rows[i].news);
		assert_int_equal(c.rows[fresh].verdict, rows[i].news ? COMPARE_NEW : COMPARE_SAME);
		compare_release(&c);
	}
}

static void a_shorter_max_of_fewer_calls_proves_nothing(void **state)
{
	struct compare c = { 0 };
	struct side a, b;

	(void)state;
	side_init(&a, 10);
	side_init(&b, 10);
	add_timed(&a, "f", 10000, 200000, 10, 400);
	add_timed(&b, "f", 5000, 100000, 10, 200);
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	assert_int_equal(c.rows[0].value[COMPARE_MAX].verdict, COMPARE_SAME);
	assert_int_equal(compare_build(&c, &b.p, &a.p, NULL), 0);
	assert_int_equal(c.rows[0].value[COMPARE_MAX].verdict, COMPARE_WORSE);
	compare_release(&c);
}

/* A report that does not say for how long it was profiled: shares are all there is. */
static void without_a_run_loads_are_shares(void **state)
{
	struct compare c = { 0 };
	struct side a, b;

	(void)state;
	side_init(&a, NAN);
	side_init(&b, 10);
	add_timed(&a, "f", 1000, 30000, 30, 30);
	add_timed(&a, "g", 1000, 10000, 10, 10);
	add_timed(&b, "f", 1000, 30000, 30, 30);
	add_timed(&b, "g", 1000, 30000, 30, 30);
	assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
	assert_true(c.shares);
	assert_float_equal(c.rows[1].value[COMPARE_LOAD].then, 0.25, 1e-9);
	assert_float_equal(c.rows[1].value[COMPARE_LOAD].now, 0.5, 1e-9);
	assert_int_equal(c.rows[1].value[COMPARE_RATE].verdict, COMPARE_UNKNOWN);
	assert_int_equal(c.rows[1].value[COMPARE_PER_CALL].verdict, COMPARE_WORSE);
	compare_release(&c);
}

/* --- chance ----------------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014) */
static uint64_t seed;

static double uniform_draw(void)
{
	uint64_t z = seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* How long a call takes, in microseconds, around 100. */
static double constant_draw(void)
{
	return 100;
}

static double even_draw(void)
{
	return 50 + 100 * uniform_draw();
}

static double exponential_draw(void)
{
	return -100 * log(1 - uniform_draw());
}

static double two_peaks(void)
{
	return uniform_draw() < 0.9 ? 60 : 460;
}

/* A run of a second of a function that is called `rate` times a second, at random moments. */
static void second_run(struct side *s, double rate, double scale, double (*duration)(void),
		       bool counted)
{
	double total = 0, min = INFINITY, max = 0, t = 0;
	uint64_t calls = 0;
	uint32_t i;

	side_init(s, 1);
	for (size_t k = 0; k < WIRE_BUCKETS - 1; k++)
		s->p.terms.bucket_below[k] = UINT64_C(16) << (2 * k);
	while ((t -= log(1 - uniform_draw()) / rate) < 1) {
		double d = floor(scale * duration() + uniform_draw());	/* the clock's tick */
		size_t k = 0;

		while (k < WIRE_BUCKETS - 1 && d >= (double)s->p.terms.bucket_below[k])
			k++;
		s->buckets[0].calls[k]++;
		total += d;
		min = fmin(min, d);
		max = fmax(max, d);
		calls++;
	}
	i = add_timed(s, "f", calls, total, min, max);
	add_edge(s, PROFILE_NONE, i, calls);
	if (!counted)
		return;
	s->edges[0].first_site = 0;
	s->sites[0].next = PROFILE_NONE;
	s->p.site_count = s->p.bucket_count = 1;
}

enum { RUNS = 2000 };

/* Of so many comparisons, how many told a difference. */
static unsigned differences_count(enum compare_measure m, double rate, double scale,
				  double (*duration)(void), bool counted)
{
	unsigned n = 0;

	for (int i = 0; i < RUNS; i++) {
		struct compare c = { 0 };
		struct side a, b;

		second_run(&a, rate, 1, duration, counted);
		second_run(&b, rate, scale, duration, counted);
		assert_int_equal(compare_build(&c, &a.p, &b.p, NULL), 0);
		n += c.rows[0].value[m].verdict > COMPARE_SAME;
		compare_release(&c);
	}
	return n;
}

static double (*const durations[])(void) = { constant_draw, even_draw, exponential_draw,
	two_peaks };

/* Two equal firmwares: fewer than one in a hundred is said to differ, whatever is looked at. */
static void chance_is_no_difference(void **state)
{
	static const double rates[] = { 3, 30, 300 };

	(void)state;
	seed = 4;
	for (size_t d = 0; d < COUNT(durations); d++)
		for (size_t r = 0; r < COUNT(rates); r++)
			for (int m = 0; m < COMPARE_MAX; m++)
				assert_in_range(differences_count((enum compare_measure)m, rates[r],
								  1, durations[d], r % 2), 0,
					RUNS / 100 - 1);
}

/* Sampled: the counts are Poisson's. */
static void chance_of_samples_is_no_difference(void **state)
{
	static const double rates[] = { 1, 10, 100 };

	(void)state;
	seed = 5;
	for (size_t r = 0; r < COUNT(rates); r++) {
		unsigned n = 0;

		for (int i = 0; i < RUNS; i++) {
			struct compare c = { 0 };
			struct side s[2];

			for (int k = 0; k < 2; k++) {
				uint64_t samples = 0;

				for (double t = -log(1 - uniform_draw()); t < rates[r];
				     t -= log(1 - uniform_draw()))
					samples++;
				side_init(&s[k], NAN);
				add_sampled(&s[k], "f", samples);
				add_sampled(&s[k], "rest", 1000 - samples);
			}
			assert_int_equal(compare_build(&c, &s[0].p, &s[1].p, NULL), 0);
			n += c.rows[0].sure;
			compare_release(&c);
		}
		assert_in_range(n, 0, RUNS / 100 - 1);
	}
}

/* Ten percent are found, given calls enough for the spread there is. */
static void ten_percent_are_found(void **state)
{
	static const struct { double (*duration)(void); double rate; } rows[] = {
		{ constant_draw, 100 }, { even_draw, 1600 },
	};

	(void)state;
	seed = 6;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_in_range(differences_count(COMPARE_PER_CALL, rows[i].rate, 1.1,
						  rows[i].duration, true), RUNS * 98 / 100, RUNS);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void without_memory_it_is_empty(void **state)
{
	struct side a, b;
	int ret = -1;

	(void)state;
	side_init(&a, 10);
	side_init(&b, 10);
	add_timed(&a, "f", 100, 1000, 10, 10);
	add_timed(&b, "g", 100, 1000, 10, 10);
	add_edge(&a, PROFILE_NONE, 0, 100);
	add_edge(&b, PROFILE_NONE, 0, 100);
	for (long n = 0; ret < 0; n++) {
		struct compare c = { 0 };

		assert_in_range(n, 0, 20);
		mem_fail_after(n);
		ret = compare_build(&c, &a.p, &b.p, NULL);
		mem_fail_after(-1);
		assert_int_equal(c.count, ret < 0 ? 0 : 2);
		compare_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_pair_by_the_likest),
		cmocka_unit_test(several_of_one_name_pair_in_order),
		cmocka_unit_test(edges_pair_by_their_functions),
		cmocka_unit_test(the_largest_variance_is_at_the_bounds),
		cmocka_unit_test(timed_figures_are_as_worked_out),
		cmocka_unit_test(loads_and_rates_are_of_wall_time_where_it_is_known),
		cmocka_unit_test(rows_of_unlike_age_prove_nothing),
		cmocka_unit_test(sampled_figures_are_as_worked_out),
		cmocka_unit_test(a_burst_is_one_event),
		cmocka_unit_test(verdicts_are_told),
		cmocka_unit_test(small_changes_are_not_relevant),
		cmocka_unit_test(what_ran_at_the_start_is_not_gone),
		cmocka_unit_test(what_the_program_calls_is_new),
		cmocka_unit_test(a_shorter_max_of_fewer_calls_proves_nothing),
		cmocka_unit_test(without_a_run_loads_are_shares),
		cmocka_unit_test(chance_is_no_difference),
		cmocka_unit_test(chance_of_samples_is_no_difference),
		cmocka_unit_test(ten_percent_are_found),
		cmocka_unit_test(without_memory_it_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
