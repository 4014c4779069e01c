/* Calls from PC samples: what makes them right, how far they may be off, what follows from them. */
#include "tests/unit/profile_firmware.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/profile/derive/executions.h"
#include "core/profile/look/estimate.h"
#include "core/profile/raw/feed.h"

/* An instruction a function that runs once a call: its cycles, and the samples that met it. */
static const struct { const char *name; uint16_t cycles; unsigned samples; } once_rows[] = {
	{ "main", 4, 5 }, { "a", 2, 1000 }, { "b", 8, 2000 }, { "leaf", 1, 400 },
};

static int by_address(const void *a, const void *b)
{
	const struct once_pc *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* The image's; and `doubt` of its cycles. */
static void once_set(const struct fixture *t, double doubt)
{
	struct once once = { .doubt = doubt };
	size_t n = COUNT(once_rows);

	once.functions = mem_zalloc(n * sizeof(*once.functions));
	once.pcs = mem_zalloc(n * sizeof(*once.pcs));
	assert_non_null(once.functions);
	assert_non_null(once.pcs);
	for (size_t i = 0; i < n; i++)
		once.pcs[i] = (struct once_pc){ .address = entry_of(t, once_rows[i].name),
						.callee = ONCE_NONE,
						.cycles = once_rows[i].cycles };
	qsort(once.pcs, n, sizeof(*once.pcs), by_address);
	for (size_t i = 0; i < n; i++) {
		once.functions[i] = (struct once_function){ .address = once.pcs[i].address,
							    .cycles = once.pcs[i].cycles };
		once.pcs[i].function = (uint32_t)i;
	}
	once.function_count = once.pc_count = n;
	image_set_once(t->image, &once);
}

static void samples_add(struct fixture *t)
{
	for (size_t i = 0; i < COUNT(once_rows); i++) {
		uint32_t pc = entry_of(t, once_rows[i].name);

		for (unsigned k = 0; k < once_rows[i].samples; k++)
			profile_add_samples(&t->p, &pc, 1);
	}
	profile_take_rate(&t->p, 1000);
}

static void calls_count(struct fixture *t, const char *name, uint32_t calls)
{
	struct wire_total total = { .kind = TOTAL_SITE, .to = entry_of(t, name), .calls = calls,
				    .flags = ROW_HANDLER };

	assert_int_equal(profile_take_totals(&t->p, &total, 1), 0);
}

static void calls_are_samples_by_cycles(void **state)
{
	struct fixture *t = *state;
	const struct profile_function *f;

	once_set(t, 0);
	samples_add(t);
	profile_take_cycles(&t->p, 500, CYCLES_COUNTER);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(t->p.ran.count, 3);
	assert_int_equal(t->p.ran.by, CYCLES_COUNTER);
	assert_true(isnan(t->p.ran.spread) && isnan(t->p.ran.apart));
	f = function_named(t, "a");
	assert_true(fabs(f->ran.calls - 1000 * 500 / 2) < 1);
	/* Poisson: 1000 +- 6.3 % */
	assert_true(fabs(f->ran.low / f->ran.calls - 0.939) < 0.002);
	assert_true(fabs(f->ran.high / f->ran.calls - 1.064) < 0.002);
	assert_false(f->called);
	assert_true(function_named(t, "main")->ran.calls == 0);	/* too few samples */
}

/* Nothing tells what a sample stands for: nothing is estimated. */
static void without_cycles_there_is_none(void **state)
{
	struct fixture *t = *state;

	once_set(t, 0);
	samples_add(t);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(t->p.ran.count, 0);
	assert_true(function_named(t, "a")->ran.calls == 0);
	assert_true(isnan(estimate_of(&t->p, function_named(t, "a"), ESTIMATE_CALLS).value));
}

/* Of guessed cycles no interval is narrower than the doubt, however many samples there are. */
static void a_guess_is_never_sure(void **state)
{
	static const double doubts[] = { 0.1, 0.35 };
	struct fixture *t = *state;

	samples_add(t);
	profile_take_cycles(&t->p, 500, CYCLES_COUNTER);
	for (size_t i = 0; i < COUNT(doubts); i++) {
		once_set(t, doubts[i]);
		t->p.dirty = true;
		assert_int_equal(profile_compute(&t->p), 0);
		assert_true(t->p.ran.doubt == doubts[i]);
		for (size_t k = 1; k < COUNT(once_rows); k++) {
			const struct profile_function *f = function_named(t, once_rows[k].name);

			assert_true(f->ran.high >= (1 + doubts[i]) * f->ran.calls);
			assert_true(f->ran.low <= f->ran.calls / (1 + doubts[i]));
		}
	}
}

/* One counted function makes all others right, and has no estimate itself. */
static void counted_calls_calibrate(void **state)
{
	static const struct { uint32_t calls; double given, used, apart; } rows[] = {
		{ 100000, 0, 400, NAN },	/* 100,000 calls of 8 cycles in 2,000 samples */
		{ 100000, 500, 400, 0.8 },
		{ 10000, 500, 500, 0.08 },	/* counted for a part of the time alone */
	};
	struct fixture *t = *state;

	once_set(t, 0);
	samples_add(t);
	for (size_t i = 0; i < COUNT(rows); i++) {
		calls_count(t, "b", rows[i].calls);
		profile_take_cycles(&t->p, rows[i].given, CYCLES_CLOCK);
		assert_int_equal(profile_compute(&t->p), 0);
		assert_true(fabs(t->p.ran.cycles - rows[i].used) < 1e-6);
		assert_int_equal(t->p.ran.by,
				 rows[i].used == 500 ? CYCLES_CLOCK : CYCLES_COUNTED);
		assert_true(isnan(rows[i].apart) ? isnan(t->p.ran.apart) :
			    fabs(t->p.ran.apart - rows[i].apart) < 1e-6);
		assert_true(fabs(function_named(t, "a")->ran.calls - 500 * rows[i].used) < 1);
		assert_true(function_named(t, "b")->ran.calls == 0);
		assert_int_equal(function_named(t, "b")->calls, rows[i].calls);
	}
}

/* --- callers against callees ------------------------------------------------------------------ */

/* main has 400 samples at its 4 cycles, so that each callee of 10 cycles should have 1000. */
static const struct { const char *name; uint16_t cycles; unsigned samples; } pair_rows[] = {
	{ "main", 4, 400 }, { "a", 10, 1000 }, { "b", 10, 1105 }, { "fib", 10, 819 },
	{ "leaf", 10, 1350 }, { "lonely", 10, 1492 }, { "wsnprof_put", 10, 800 },
	{ "__gnu_mcount_nc", 10, 9 },
};

/* main calls the next `callees`, one after the other; the last function calls that before it. */
static void pairs_set(const struct fixture *t, size_t callees)
{
	struct once once = { .doubt = 0 };
	size_t n = COUNT(pair_rows), at = 0;

	once.functions = mem_zalloc(n * sizeof(*once.functions));
	once.pcs = mem_zalloc(3 * n * sizeof(*once.pcs));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t entry = entry_of(t, pair_rows[i].name);
		uint32_t first = i == 0 ? 1 : (uint32_t)n - 2;
		size_t calls = i == 0 ? callees : i == n - 1;

		once.functions[i] = (struct once_function){ .address = entry,
							    .cycles = pair_rows[i].cycles,
							    .sites = i > 0 };
		once.pcs[at++] = (struct once_pc){ .address = entry, .callee = ONCE_NONE,
						   .cycles = pair_rows[i].cycles, .function = i };
		for (uint32_t k = 0; k < calls; k++)
			once.pcs[at++] = (struct once_pc){ .address = entry + k + 1,
							   .callee = first + k, .function = i };
	}
	qsort(once.pcs, at, sizeof(*once.pcs), by_address);
	once.function_count = n;
	once.pc_count = at;
	image_set_once(t->image, &once);
}

static void pairs_sample(struct fixture *t)
{
	for (size_t i = 0; i < COUNT(pair_rows); i++) {
		uint32_t pc = entry_of(t, pair_rows[i].name);

		for (unsigned k = 0; k < pair_rows[i].samples; k++)
			profile_add_samples(&t->p, &pc, 1);
	}
}

/*
 * The median of their ratios' logarithms, less that of the samples' noise. One whose caller has too
 * few samples is none of the pairs; of too few pairs nothing is said.
 */
static void callers_tell_the_spread(void **state)
{
	static const struct { size_t callees; double ratio, samples; } rows[] = {
		{ 5, 819, 1105 }, { 4, 0, 0 },
	};
	struct fixture *t = *state;

	pairs_sample(t);
	for (size_t i = 0; i < COUNT(rows); i++) {
		double all = 1.4826 * log(1000 / rows[i].ratio);
		double noise = 1 / rows[i].samples + 400 / 16.0 / (100 * 100);

		pairs_set(t, rows[i].callees);
		t->p.dirty = true;
		assert_int_equal(profile_compute(&t->p), 0);
		assert_int_equal(t->p.ran.pairs, rows[i].callees);
		if (rows[i].callees < EXECUTIONS_PAIRS)
			assert_true(isnan(t->p.ran.spread));
		else
			assert_true(fabs(t->p.ran.spread - sqrt(all * all - noise)) < 1e-9);
	}
}

/* Wilson and Hilferty's: the exact bounds of a Poisson count are near. */
static void intervals_are_those_of_poisson(void **state)
{
	static const struct { double count, low, high, off; } rows[] = {
		{ 0, 0, 3.689, 0.023 }, { 1, 0.025, 5.572, 0.013 }, { 2, 0.242, 7.225, 0.019 },
		{ 10, 4.795, 18.390, 0.009 }, { 100, 81.364, 121.627, 0.01 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double low, high;

		executions_interval(rows[i].count, &low, &high);
		assert_true(fabs(low - rows[i].low) < rows[i].off);
		assert_true(fabs(high - rows[i].high) < rows[i].off);
	}
}

/* A second, and of a call: of the same interval, whose least calls are the longest time. */
static void what_follows_has_an_interval(void **state)
{
	struct fixture *t = *state;
	const struct profile_function *f;
	struct estimate calls, rate, self;

	once_set(t, 0);
	samples_add(t);
	profile_add_asleep(&t->p, 595);		/* 4 s in all */
	profile_take_cycles(&t->p, 500, CYCLES_COUNTER);
	assert_int_equal(profile_compute(&t->p), 0);
	f = function_named(t, "a");
	calls = estimate_of(&t->p, f, ESTIMATE_CALLS);
	rate = estimate_of(&t->p, f, ESTIMATE_RATE);
	self = estimate_of(&t->p, f, ESTIMATE_SELF);
	assert_true(fabs(rate.value - calls.value / 4) < 1e-6);
	assert_true(fabs(rate.low - calls.low / 4) < 1e-6);
	assert_true(fabs(self.value - 1.0 / calls.value) < 1e-12);	/* 1 s */
	assert_true(fabs(self.low - 1.0 / calls.high) < 1e-12);
	assert_true(fabs(self.high - 1.0 / calls.low) < 1e-12);
}

/* --- at the edges of what is taken ------------------------------------------------------------ */

/*
 * Functions at addresses of their own, or of the firmware by name, by their addresses; `caller`
 * calls each that has `callee`, and `poor` each that has `twice`.
 */
struct flat {
	const char *name;
	uint16_t cycles;
	unsigned samples;
	bool callee, no_sites, twice;
};

enum { OWN = 0x10000000, CALL_SITES = 0x100 };

static void flat_set(struct fixture *t, const struct flat *rows, size_t n, size_t caller,
		     size_t poor)
{
	struct once once = { .doubt = 0.1 };

	once.functions = mem_zalloc(n * sizeof(*once.functions));
	once.pcs = mem_zalloc(3 * n * sizeof(*once.pcs));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t entry = rows[i].name ? entry_of(t, rows[i].name) : OWN + 64 * i;
		uint32_t callers[] = { (uint32_t)caller, (uint32_t)poor };
		bool calls[] = { rows[i].callee, rows[i].twice };

		once.functions[i] = (struct once_function){ .address = entry,
							    .cycles = rows[i].cycles,
							    .sites = !rows[i].no_sites };
		once.pcs[once.pc_count++] = (struct once_pc){
			.address = entry, .callee = ONCE_NONE, .cycles = rows[i].cycles,
			.function = i,
		};
		for (size_t k = 0; k < COUNT(calls); k++) {
			if (calls[k])
				once.pcs[once.pc_count++] = (struct once_pc){
					.address = CALL_SITES * k + 2 * i, .callee = i,
					.function = callers[k],
				};
		}
		for (unsigned k = 0; k < rows[i].samples; k++)
			profile_add_samples(&t->p, &entry, 1);
	}
	qsort(once.pcs, once.pc_count, sizeof(*once.pcs), by_address);
	once.function_count = n;
	image_set_once(t->image, &once);
	t->p.dirty = true;
}

/* Of an even number of pairs the median is the mean of the two in the middle. */
static void an_even_number_of_pairs(void **state)
{
	static const struct flat rows[] = {
		{ NULL, 10, 1000, true }, { NULL, 10, 1105, true }, { NULL, 10, 819, true },
		{ NULL, 10, 1350, true }, { NULL, 10, 1492, true }, { NULL, 10, 740, true },
		{ NULL, 10, 1200, true }, { NULL, 10, 600, true }, { NULL, 4, 400 },
	};
	struct fixture *t = *state;
	/* in order: 1, 1.105, 1.2, 1 / 0.819; 1.35, 1 / 0.74, 1.492, 1 / 0.6 */
	double all = 1.4826 * (log(1 / 0.819) + log(1.35)) / 2;
	double noise = (1 / 1105.0 + 1 / 1000.0) / 2 + 400 / 16.0 / 10000;

	flat_set(t, rows, COUNT(rows), COUNT(rows) - 1, 0);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(t->p.ran.pairs, 8);
	assert_float_equal(t->p.ran.spread, sqrt(all * all - noise), 1e-9);
}

/*
 * Ten samples are enough of a callee and of its caller, also where the caller's ten tell of half a
 * call. A callee is no pair that others may call, too, or one of whose callers has too few samples.
 */
static void which_callees_are_pairs(void **state)
{
	static const struct flat rows[] = {
		{ NULL, 10, 10, true }, { NULL, 10, 50, true }, { NULL, 10, 9, true },
		{ NULL, 10, 50, true, .no_sites = true }, { NULL, 10, 50, true, .twice = true },
		{ NULL, 10, 50 }, { NULL, 20, 10 }, { NULL, 20, 9 },
	};
	struct fixture *t = *state;

	flat_set(t, rows, COUNT(rows), 6, 7);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(t->p.ran.pairs, 2);
}

/* What else is sampled in a function tells nothing of its calls; Thumb's bit is no address. */
static void only_its_instructions_count(void **state)
{
	static const struct flat rows[] = { { "a", 2, 100 }, { "lonely", 5, 100 } };
	struct fixture *t = *state;

	flat_set(t, rows, COUNT(rows), 0, 0);
	for (unsigned k = 0; k < 60; k++) {
		uint32_t pcs[] = { entry_of(t, "a") + 1, entry_of(t, "a") + 4,
				   entry_of(t, "lonely") + 64 };

		profile_add_samples(&t->p, pcs, COUNT(pcs));
	}
	profile_take_cycles(&t->p, 10, CYCLES_CLOCK);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_float_equal(function_named(t, "a")->ran.calls, 160 * 10 / 2, 1e-9);
	assert_float_equal(function_named(t, "lonely")->ran.calls, 100 * 10 / 5, 1e-9);
}

/* 400 samples of counted functions tell the period, of functions with ten each. */
static void enough_counted_samples(void **state)
{
	static const struct {
		unsigned samples[2];
		uint32_t calls[2];
		double given, used, apart;
	} rows[] = {
		{ { 400, 0 }, { 50, 0 }, 0, 1, NAN },
		{ { 400, 0 }, { 50, 0 }, 1, 1, 1 },
		{ { 400, 0 }, { 100, 0 }, 1, 1, 2 },		/* it contradicts: the given one */
		{ { 399, 0 }, { 5000, 0 }, 0, 0, NAN },
		{ { 390, 10 }, { 5000, 1000 }, 0, (5000 * 8 + 1000 * 4) / 400.0, NAN },
		{ { 400, 9 }, { 5000, 1000 }, 0, 100, NAN },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct fixture *t = *state;
		struct flat of[] = {
			{ "main", 8, rows[i].samples[0] }, { "a", 4, rows[i].samples[1] },
			{ "b", 2, 30 }, { NULL, 2, 500 },
		};

		profile_down(state);
		profile_up(state);
		flat_set(t, of, COUNT(of), 0, 0);
		calls_count(t, "main", rows[i].calls[0]);
		if (rows[i].calls[1])
			calls_count(t, "a", rows[i].calls[1]);
		profile_take_cycles(&t->p, rows[i].given, CYCLES_CLOCK);
		assert_int_equal(profile_compute(&t->p), 0);
		assert_float_equal(t->p.ran.cycles, rows[i].used, 1e-9);
		assert_float_equal(t->p.ran.apart, rows[i].apart, 1e-9);
		assert_int_equal(t->p.ran.count, rows[i].used > 0);
		assert_float_equal(function_named(t, "b")->ran.calls, 15 * rows[i].used, 1e-9);
	}
}

/* Ten samples give an estimate, nine none; less than a call has no bound of a call. */
static void ten_samples_are_an_estimate(void **state)
{
	static const struct flat rows[] = { { "a", 10, 10 }, { "b", 10, 9 } };
	struct fixture *t = *state;
	const struct profile_function *f;

	flat_set(t, rows, COUNT(rows), 0, 0);
	profile_take_cycles(&t->p, 1, CYCLES_CLOCK);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(t->p.ran.count, 1);
	f = function_named(t, "a");
	assert_float_equal(f->ran.calls, 1, 1e-9);
	assert_true(f->ran.low > 0.4 && f->ran.low < 0.6);
	/* once they are counted, none is left */
	calls_count(t, "a", 3);
	calls_count(t, "b", 3);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(t->p.ran.count, 0);
	for (size_t i = 0; i < t->p.function_count; i++)
		assert_true(t->p.functions[i].ran.calls == 0);
}

/* Without samples, or instructions that run once, nothing is told of calls, not even a period. */
static void without_samples_there_is_nothing(void **state)
{
	static const struct flat rows[] = { { "a", 10, 0 } };
	struct fixture *t = *state;
	struct once none = { .doubt = 0.2 };
	uint32_t pc = entry_of(t, "a");

	profile_take_cycles(&t->p, 500, CYCLES_CLOCK);
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			flat_set(t, rows, COUNT(rows), 0, 0);
		else
			image_set_once(t->image, &none);
		if (i == 1)
			profile_add_samples(&t->p, &pc, 1);
		t->p.dirty = true;
		assert_int_equal(profile_compute(&t->p), 0);
		assert_true(t->p.ran.cycles == 0 && t->p.ran.doubt == 0);
		assert_true(isnan(t->p.ran.spread));
	}
}

static void no_memory_is_told(void **state)
{
	struct fixture *t = *state;
	long granted = 0;
	int ret;

	pairs_set(t, 5);
	pairs_sample(t);
	profile_take_cycles(&t->p, 500, CYCLES_COUNTER);
	assert_int_equal(profile_compute(&t->p), 0);
	do {
		mem_fail_after(granted++);
		ret = profile_executions(&t->p);
		mem_fail_after(-1);
		assert_true(ret == 0 || ret == ERR_NOMEM);
	} while (ret < 0);
	assert_true(granted > 1);
	assert_int_equal(t->p.ran.count, COUNT(pair_rows) - 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, profile_up, profile_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(calls_are_samples_by_cycles),
		CASE(without_cycles_there_is_none),
		CASE(a_guess_is_never_sure),
		CASE(counted_calls_calibrate),
		CASE(callers_tell_the_spread),
		CASE(intervals_are_those_of_poisson),
		CASE(what_follows_has_an_interval),
		CASE(an_even_number_of_pairs),
		CASE(which_callees_are_pairs),
		CASE(only_its_instructions_count),
		CASE(enough_counted_samples),
		CASE(ten_samples_are_an_estimate),
		CASE(without_samples_there_is_nothing),
		CASE(no_memory_is_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
