/*
 * derive: figures of small call graphs, worked out by hand: what the hooks cost, time of samples
 * over the arcs, cycles. No image: functions are named by their addresses, callers are taken as
 * known.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/raw/raw.h"

enum { H = 0x100, M = 0x200, A = 0x300, B = 0x400, L = 0x500, Z = 0x600, EXC = -7 };

static int graph_up(void **state)
{
	static const uint64_t none[WIRE_BUCKETS - 1];
	struct profile *p = malloc(sizeof(*p));

	assert_int_equal(profile_init(p, "graph"), 0);
	p->named = true;
	profile_take_clock(p, 8e6, none);
	*state = p;
	return 0;
}

static int graph_down(void **state)
{
	profile_release(*state);
	free(*state);
	return 0;
}

static void calls_timed(struct profile *p, uint32_t from, uint32_t to, uint64_t calls,
			uint64_t ticks)
{
	const struct wire_total t = {
		.kind = TOTAL_SITE, .from = from, .to = to, .calls = calls, .total = ticks,
		.has = TOTAL_TIMED,
	};

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static void calls_counted(struct profile *p, uint32_t from, uint32_t to, uint64_t calls)
{
	const struct wire_total t = { .kind = TOTAL_ARC, .from = from, .to = to, .calls = calls };

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static void samples_taken(struct profile *p, uint32_t at, uint64_t n)
{
	const struct wire_total t = { .kind = TOTAL_PC, .from = at, .calls = n };

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static const struct profile_function *function_at(const struct profile *p, uint32_t address)
{
	uint32_t i = profile_find_address(p, address);

	assert_int_not_equal(i, PROFILE_NONE);
	return &p->functions[i];
}

static const struct profile_edge *edge_of(const struct profile *p, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];

		if (p->functions[e->to].address == to && e->from != PROFILE_NONE &&
		    p->functions[e->from].address == from)
			return e;
	}
	fail_msg("no edge");
	return NULL;
}

static void ticks_are(const struct profile *p, uint32_t address, int64_t self, int64_t total)
{
	assert_int_equal(function_at(p, address)->self_ticks, self);
	assert_int_equal(function_at(p, address)->total_ticks, total);
}

static void seconds_are(const struct profile *p, uint32_t address, double self, double total)
{
	assert_float_equal(function_at(p, address)->self_s, self, 1e-9);
	assert_float_equal(function_at(p, address)->total_s, total, 1e-9);
}

/* --- what INGA's hooks cost ------------------------------------------------------------------- */

/* A tick is a cycle. A call costs its callee 418, and its caller what is left of 1173. */
static void hooks_are_taken_off(void **state)
{
	struct profile *p = *state;

	p->terms.correct = true;
	p->num_sites = 1;
	calls_timed(p, (uint32_t)EXC, H, 10, 50000);	/* the first function, the first edge */
	calls_timed(p, M, A, 10, 100000);
	calls_timed(p, A, L, 20, 30000);
	calls_timed(p, A, Z, 5, 0);			/* too short for its clock */
	assert_int_equal(profile_compute(p), 0);
	ticks_are(p, H, 50000 - 4180, 50000 - 4180);
	ticks_are(p, L, 30000 - 8360, 30000 - 8360);
	ticks_are(p, A, 70000 - 4180 - 25 * 755, 100000 - 4180 - 25 * 755 - 8360);
	assert_int_equal(p->edges[0].total, 50000 - 4180);
	assert_int_equal(edge_of(p, A, L)->total, 30000 - 8360);
	assert_true(fabs(p->totals.self_s * 8e6 - 45820 - 21640 - 46945) < 1e-3);
}

/* Between the measured numbers of sites it goes with their logarithm, and on behind them. */
static void a_calls_cost_grows_with_the_sites(void **state)
{
	static const struct { unsigned sites; double cycles; } rows[] = {
		{ 1, 1173 }, { 3, 1256.277 }, { 5, 1295 }, { 7, 1330.436 }, { 10, 1368 },
		{ 20, 1449 }, { 60, 1594.859 }, { 75, 1625 }, { 90, 1650.984 }, { 100, 1666 },
		{ 200, 1764.786 }, { 0, 1225.543 },	/* not announced: the two that came */
	};
	struct profile *p = *state;

	p->terms.correct = true;
	calls_timed(p, M, A, 1, 9000000);
	calls_timed(p, A, L, 1000, 1000000);
	for (size_t i = 0; i < COUNT(rows); i++) {
		double want = 8000000 - 418 - 1000 * (rows[i].cycles - 418);

		p->num_sites = rows[i].sites;
		p->dirty = true;
		assert_int_equal(profile_compute(p), 0);
		assert_true(fabs((double)function_at(p, A)->self_ticks - want) < 2);
	}
}

/* Inner calls cost as any; they are part of the outer one. */
static void a_recursive_functions_hooks_are_taken_off(void **state)
{
	struct profile *p = *state;

	p->terms.correct = true;
	p->num_sites = 1;
	calls_timed(p, M, A, 10, 100000);
	calls_timed(p, A, A, 5, 40000);
	calls_timed(p, A, L, 20, 30000);
	assert_int_equal(profile_compute(p), 0);
	ticks_are(p, A, 70000 - 15 * 418 - 25 * 755, 100000 - 15 * 418 - 25 * 755 - 8360);
	assert_int_equal(edge_of(p, A, A)->total, 26598);	/* as much of it: 66.495 % */
	assert_int_equal(edge_of(p, M, A)->total, 66495);
}

/* What two that call each other spent on hooks comes off their caller's total, once. */
static void a_cycles_hooks_are_taken_off(void **state)
{
	struct profile *p = *state;

	p->terms.correct = true;
	p->num_sites = 1;
	calls_timed(p, (uint32_t)EXC, M, 1, 200000);
	calls_timed(p, M, A, 10, 100000);
	calls_timed(p, A, B, 20, 60000);
	calls_timed(p, B, A, 5, 20000);
	assert_int_equal(profile_compute(p), 0);
	assert_int_equal(function_at(p, A)->self_ticks, 60000 - 15 * 418 - 20 * 755);
	assert_int_equal(function_at(p, B)->self_ticks, 40000 - 20 * 418 - 5 * 755);
	assert_int_equal(edge_of(p, M, A)->total, 100000 - 35 * 418 - 25 * 755);
	ticks_are(p, M, 100000 - 418 - 10 * 755,
		  200000 - 418 - 10 * 755 - 35 * 418 - 25 * 755);
}

/* Calls too short for the clock: nothing is left of them, and their caller keeps its own time. */
static void no_more_is_taken_off_than_there_is(void **state)
{
	struct profile *p = *state;

	p->terms.correct = true;
	p->num_sites = 1;
	calls_timed(p, M, A, 10, 1000000);
	calls_timed(p, A, L, 1000, 1);
	calls_timed(p, A, Z, 5, 0);
	assert_int_equal(profile_compute(p), 0);
	ticks_are(p, L, 0, 0);
	ticks_are(p, Z, 0, 0);
	ticks_are(p, A, 999999 - 4180 - 1005 * 755, 999999 - 4180 - 1005 * 755);
	assert_int_equal(edge_of(p, M, A)->total, 999999 - 4180 - 1005 * 755);
}

/* --- samples over the arcs -------------------------------------------------------------------- */

/* L is called twice: by a handler's entry, which has no caller, and by A. */
static void time_goes_to_callers_by_their_calls(void **state)
{
	struct profile *p = *state;

	p->terms.hz = 100;
	calls_counted(p, (uint32_t)EXC, L, 1);		/* L is the first function */
	calls_counted(p, A, L, 3);
	calls_counted(p, M, A, 2);
	calls_counted(p, M, Z, 0);
	samples_taken(p, L, 400);
	samples_taken(p, A, 50);
	samples_taken(p, M, 70);
	samples_taken(p, Z, 100);
	assert_int_equal(profile_compute(p), 0);
	assert_int_equal(p->functions[0].address, L);
	seconds_are(p, L, 4, 4);
	seconds_are(p, A, 0.5, 3.5);
	seconds_are(p, M, 0.7, 4.2);
	assert_true(fabs(function_at(p, L)->per_call_s - 1) < 1e-9);
	assert_true(fabs(function_at(p, A)->per_call_s - 1.75) < 1e-9);
	assert_true(isnan(function_at(p, Z)->per_call_s));	/* no call of it ended */
	assert_true(fabs(edge_of(p, A, L)->total_s - 3) < 1e-9);
	assert_true(fabs(edge_of(p, M, A)->self_s - 0.5) < 1e-9);
	assert_true(fabs(edge_of(p, M, A)->total_s - 3.5) < 1e-9);
}

/* Beside timed rows a function without a sample has no time; one sample is a time. */
static void beside_timed_rows_a_sample_is_needed(void **state)
{
	struct profile *p = *state;

	p->terms.hz = 100;
	calls_timed(p, M, A, 1, 8000000);
	calls_counted(p, M, L, 1);
	calls_counted(p, M, Z, 1);
	samples_taken(p, L, 1);
	assert_int_equal(profile_compute(p), 0);
	assert_int_equal(function_at(p, A)->time, PROFILE_TIME_TIMED);
	assert_int_equal(function_at(p, L)->time, PROFILE_TIME_SAMPLED);
	assert_int_equal(function_at(p, Z)->time, PROFILE_TIME_NONE);
	seconds_are(p, L, 0.01, 0.01);
	assert_true(fabs(p->totals.self_s - 1.01) < 1e-9);
}

static void one_sample_is_a_time(void **state)
{
	struct profile *p = *state;

	p->terms.hz = 100;
	calls_counted(p, M, L, 1);
	samples_taken(p, L, 1);
	assert_int_equal(profile_compute(p), 0);
	seconds_are(p, L, 0.01, 0.01);
	seconds_are(p, M, 0, 0.01);
}

/* --- cycles ----------------------------------------------------------------------------------- */

/* A and B call each other; the way in is a handler's, so that A is the first function. */
static void a_cycle_takes_no_more_than_its_entries(void **state)
{
	static const struct { uint64_t entered, a, b; } rows[] = {	/* A's total, B's */
		{ 100, 100, 30 },	/* B took less: it stays */
		{ 20, 20, 20 }, { 1, 1, 1 },
		{ 0, 80, 30 },		/* nobody came in: what the node summed */
	};
	static const uint64_t samples[] = { 0, 1000 };

	for (size_t i = 0; i < COUNT(rows) * COUNT(samples); i++) {
		size_t k = i / COUNT(samples);
		struct profile *p = *state;

		profile_reset(p);
		p->terms.hz = 1;
		calls_timed(p, (uint32_t)EXC, A, 1, rows[k].entered);
		calls_timed(p, A, B, 2, 30);
		calls_timed(p, B, A, 1, 80);
		if (samples[i % COUNT(samples)])
			samples_taken(p, A, samples[i % COUNT(samples)]);
		assert_int_equal(profile_compute(p), 0);
		assert_int_equal(function_at(p, A)->total_ticks, rows[k].a);
		assert_int_equal(function_at(p, B)->total_ticks, rows[k].b);
		assert_int_equal(function_at(p, A)->cycle, 1);
		assert_int_equal(function_at(p, B)->cycle, 1);
	}
}

/* Two cycles, one of three, and functions in none, numbered from their callees on. */
static void cycles_are_found(void **state)
{
	static const struct { uint32_t from, to; } calls[] = {
		{ M, A }, { A, A + 4 }, { A, B }, { B, A }, { A, L }, { L, Z }, { Z, H },
		{ H, L }, { B, L }, { A, A + 8 }, { M, Z }, { M, M + 4 }, { M + 4, M + 4 },
	};
	static const struct { uint32_t at; unsigned cycle; bool recursive; } want[] = {
		{ M, 0, false }, { A, 2, false }, { B, 2, false }, { L, 1, false }, { Z, 1, false },
		{ H, 1, false }, { M + 4, 0, true }, { A + 4, 0, false }, { A + 8, 0, false },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(calls); i++)
		calls_counted(p, calls[i].from, calls[i].to, 1);
	assert_int_equal(profile_compute(p), 0);
	for (size_t i = 0; i < COUNT(want); i++) {
		assert_int_equal(function_at(p, want[i].at)->cycle, want[i].cycle);
		assert_int_equal(function_at(p, want[i].at)->recursive, want[i].recursive);
	}
}

/* --- deriving again --------------------------------------------------------------------------- */

static void rates_are(const struct profile *p, double calls, double self)
{
	static const uint32_t all[] = { H, A };

	for (size_t i = 0; i < COUNT(all); i++) {
		assert_true(fabs(function_at(p, all[i])->rate_calls - calls) < 1e-6);
		assert_true(fabs(function_at(p, all[i])->rate_self - self) < 1e-6);
	}
}

/*
 * Ten calls a second, of a tenth of it. Another image, or a row that goes: all functions are made
 * again, with their moments, those of another begin. Without memory nothing is half of it.
 */
static void rates_survive_that_all_is_derived_again(void **state)
{
	struct profile *p = *state;

	for (uint64_t k = 1; k <= 6; k++) {
		calls_timed(p, (uint32_t)EXC, H, 10 * k, 800000 * k);
		calls_timed(p, M, A, 10 * k, 800000 * k);
		profile_seen_from_start(p);
		if (k == 4)
			profile_forget_derived(p);
		if (k == 5) {
			const struct wire_total gone = {
				.kind = TOTAL_SITE, .from = B, .to = L, .flags = ROW_GONE,
			};

			assert_int_equal(profile_take_totals(p, &gone, 1), 0);
		}
		if (k == 2)
			calls_timed(p, B, L, 1, 1);
		assert_int_equal(profile_compute(p), 0);
		if (k > 2)
			rates_are(p, 10, 0.1);	/* before the moment is marked: of the last one */
		profile_mark(p, k * CLOCK_SECOND);
		if (k > 1)
			rates_are(p, 10, 0.1);
		assert_int_equal(profile_find_address(p, L) == PROFILE_NONE, k == 1 || k > 4);
		assert_false(p->rebuild);	/* else it was all of it each time */
	}
	assert_int_equal(p->marks, 6);
}

/* Without an image each address is a function, up to a number of them; the others share one. */
static void addresses_are_functions_up_to_a_bound(void **state)
{
	enum { BOUND = 65536 };
	struct profile *p = *state;

	for (int again = 0; again < 2; again++) {
		for (uint32_t i = 0; i < BOUND - 2; i++)
			samples_taken(p, 0x10000 + 2 * i, 1);
		calls_counted(p, M, A, 1);
		assert_int_equal(profile_compute(p), 0);
		assert_int_equal(p->function_count, BOUND);
		assert_int_equal(profile_find_address(p, PROFILE_REST), PROFILE_NONE);
		for (uint32_t i = 0; i < 3; i++)
			samples_taken(p, 0x1000 + 2 * i, 1);
		assert_int_equal(profile_compute(p), 0);
		assert_int_equal(p->function_count, BOUND + 1);
		assert_int_equal(p->functions[BOUND].samples, 3);
		assert_int_equal(p->functions[BOUND].address, PROFILE_REST);
		profile_reset(p);
	}
}

/* Told, and the next time it is right. */
static void without_memory_nothing_is_derived(void **state)
{
	struct profile *p = *state;
	unsigned failed = 0;

	calls_timed(p, M, A, 10, 100000);
	calls_timed(p, A, L, 20, 30000);
	samples_taken(p, Z, 5);
	profile_mark(p, CLOCK_SECOND);
	for (long n = 0; n < 30; n++) {
		int ret;

		profile_forget_derived(p);
		mem_fail_once(n);
		ret = profile_compute(p);
		mem_fail_after(-1);
		assert_true(ret == 0 || ret == ERR_NOMEM);
		failed += ret < 0;
		if (ret == 0)
			assert_int_equal(p->function_count, 4);
		assert_int_equal(profile_compute(p), 0);
		ticks_are(p, A, 70000, 100000);
		assert_int_equal(function_at(p, Z)->samples, 5);
	}
	assert_in_range(failed, 5, 29);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, graph_up, graph_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(hooks_are_taken_off),
		CASE(a_calls_cost_grows_with_the_sites),
		CASE(a_recursive_functions_hooks_are_taken_off),
		CASE(a_cycles_hooks_are_taken_off),
		CASE(no_more_is_taken_off_than_there_is),
		CASE(time_goes_to_callers_by_their_calls),
		CASE(beside_timed_rows_a_sample_is_needed),
		CASE(one_sample_is_a_time),
		CASE(a_cycle_takes_no_more_than_its_entries),
		CASE(cycles_are_found),
		CASE(rates_survive_that_all_is_derived_again),
		CASE(addresses_are_functions_up_to_a_bound),
		CASE(without_memory_nothing_is_derived),
	};

	return cmocka_run_group_tests_name("derive", tests, NULL, NULL);
}
