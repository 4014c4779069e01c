/*
 * profile: self and inclusive time, recursion, cycles, propagation, reports of running totals.
 *
 * The firmware is the one of profile_firmware.h. The expected figures are worked out by hand beside
 * each case.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/profile.h"
#include "core/profile/raw/feed.h"
#include "core/profile/look/rows.h"
#include "tests/unit/profile_firmware.h"

/* The n-th call of `caller`, to `callee`. */
static struct wire_row call_row(const struct fixture *t, const char *caller, unsigned n,
				const char *callee, uint64_t calls, uint64_t total, uint32_t min,
				uint32_t max)
{
	return (struct wire_row){
		.from = entry_of(t, caller) + 5 * n, .to = entry_of(t, callee),
		.calls = calls, .total = total, .min = min, .max = max,
	};
}

static void report_take(struct fixture *t, const struct wire_row *rows, size_t n, bool complete,
			bool strict)
{
	struct wire_report r = {
		.kind = REPORT_PROF, .name = "test", .index = 1, .num_sites = n, .max_sites = 100,
		.ticks_run = 10000, .ticks_per_second = 1000, .complete = complete,
		.rows = rows, .count = n,
	};

	assert_int_equal(profile_take_report(&t->p, &r, strict), 0);
	assert_int_equal(profile_compute(&t->p), 0);
}

static void self_is_total_less_the_calls_made(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 10, 1000, 90, 110),
		call_row(t, "a", 2, "leaf", 30, 600, 10, 40),
		call_row(t, "main", 4, "leaf", 1, 7, 7, 7),
	};

	report_take(t, rows, 3, true, true);
	assert_int_equal(function_named(t, "a")->self_ticks, 400);
	assert_int_equal(function_named(t, "a")->total_ticks, 1000);
	assert_int_equal(function_named(t, "leaf")->calls, 31);
	assert_int_equal(function_named(t, "leaf")->min, 7);
	assert_int_equal(function_named(t, "leaf")->max, 40);
	assert_int_equal(function_named(t, "leaf")->sites, 2);
	assert_float_equal(function_named(t, "a")->total_s, 1.0, 1e-9);
	/* main is known as a caller only: nothing is known of its own times. */
	assert_false(function_named(t, "main")->called);
	assert_true(isnan(function_named(t, "main")->self_s));
	assert_float_equal(t->p.totals.self_s, 1.007, 1e-9);
	assert_float_equal(t->p.totals.profiled_s, 1.007, 1e-9);
	assert_float_equal(t->p.totals.run_s, 10.0, 1e-9);
}

static void a_recursive_call_is_not_counted_twice(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 3, "fib", 2, 500, 1, 450),
		call_row(t, "fib", 1, "fib", 20, 900, 1, 300),
		call_row(t, "fib", 2, "fib", 20, 700, 1, 200),
	};

	report_take(t, rows, 3, true, true);
	assert_int_equal(function_named(t, "fib")->total_ticks, 500);
	assert_int_equal(function_named(t, "fib")->self_ticks, 500);
	assert_int_equal(function_named(t, "fib")->calls, 42);
	assert_true(function_named(t, "fib")->recursive);
	assert_int_equal(function_named(t, "fib")->cycle, 0);
	/* The edge keeps the node's own sum. */
	for (size_t i = 0; i < t->p.edge_count; i++) {
		const struct profile_edge *e = &t->p.edges[i];

		if (e->from == e->to) {
			assert_int_equal(e->sites, 2);
			assert_int_equal(e->total, 1600);
		}
	}
}

/* main -> a (100) -> b (90) -> a (80) -> b (70): both run inside the outer 100. */
static void mutual_recursion_stays_within_the_call_that_began_it(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 1, 100, 100, 100),
		call_row(t, "a", 1, "b", 2, 160, 70, 90),
		call_row(t, "b", 1, "a", 1, 80, 80, 80),
	};

	report_take(t, rows, 3, true, true);
	assert_int_equal(function_named(t, "a")->total_ticks, 100);
	/* upper bound; 90 in truth */
	assert_int_equal(function_named(t, "b")->total_ticks, 100);
	assert_int_equal(function_named(t, "a")->self_ticks, 20);	/* 100 + 80 - 160 */
	assert_int_equal(function_named(t, "b")->self_ticks, 80);	/* 160 - 80 */
	assert_int_equal(function_named(t, "a")->cycle, 1);
	assert_int_equal(function_named(t, "b")->cycle, 1);
}

static void a_call_never_left_has_no_extremes(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = { call_row(t, "main", 1, "a", 0, 0, 65535, 0) };

	report_take(t, rows, 1, true, true);
	assert_true(function_named(t, "a")->called);
	assert_int_equal(function_named(t, "a")->calls, 0);
	assert_false(function_named(t, "a")->has_minmax);
	assert_true(isnan(function_named(t, "a")->min_s));
}

static void a_caller_outside_all_functions_is_nowhere(void **state)
{
	struct fixture *t = *state;
	struct wire_row rows[] = { call_row(t, "main", 1, "a", 3, 9, 3, 3) };

	rows[0].from = 0x10;
	report_take(t, rows, 1, true, true);
	assert_int_equal(t->p.edge_count, 1);
	assert_int_equal(t->p.edges[0].from, PROFILE_NONE);
	assert_int_equal(t->p.function_count, 1);
	assert_true(t->p.edges[0].flags & ROW_NO_CALL);
}

static void a_newer_report_replaces_an_older(void **state)
{
	struct fixture *t = *state;
	const struct wire_row first[] = {
		call_row(t, "main", 1, "a", 1, 10, 10, 10),
			call_row(t, "main", 4, "leaf", 5, 5, 1, 1),
	};
	const struct wire_row second[] = { call_row(t, "main", 1, "a", 3, 30, 9, 11) };

	report_take(t, first, 2, true, true);
	report_take(t, second, 1, true, true);
	assert_int_equal(function_named(t, "a")->calls, 3);
	assert_int_equal(profile_find_name(&t->p, "leaf"), PROFILE_NONE);
}

static void a_cut_report_keeps_what_it_lacks_unless_strict(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 1, 10, 10, 10),
			call_row(t, "main", 4, "leaf", 5, 5, 1, 1),
	};

	report_take(t, rows, 2, true, false);
	report_take(t, rows, 1, false, false);
	assert_int_equal(function_named(t, "leaf")->calls, 5);
	assert_true(function_named(t, "leaf")->flags & ROW_STALE);
	report_take(t, rows, 1, false, true);
	assert_int_equal(profile_find_name(&t->p, "leaf"), PROFILE_NONE);
}

static void wrapped_counters_go_on(void **state)
{
	struct fixture *t = *state;
	struct wire_row rows[] = { call_row(t, "main", 1, "a", 4294967290u, 4000000000u, 1, 9) };

	report_take(t, rows, 1, true, true);
	rows[0].calls = 4;
	rows[0].total = 100;
	report_take(t, rows, 1, true, true);
	assert_true(function_named(t, "a")->calls == UINT64_C(4294967300));
	assert_true(function_named(t, "a")->total_ticks == INT64_C(4294967396));
}

static void take_samples(struct fixture *t, uint32_t pc, uint64_t count, uint64_t announced)
{
	struct wire_sampled row = { pc, count };
	struct wire_report r = {
		.kind = REPORT_SPROF, .name = "test", .num_sites = 1, .samples = announced,
		.complete = true, .sampled = &row, .count = 1,
	};

	assert_int_equal(profile_take_report(&t->p, &r, true), 0);
	assert_int_equal(profile_compute(&t->p), 0);
}

static void sixteen_bits_of_samples_go_round(void **state)
{
	struct fixture *t = *state;
	uint32_t pc = entry_of(t, "leaf");

	take_samples(t, pc, 65000, 65000);
	take_samples(t, pc, 464, 66000);		/* 66000 - 65536 */
	assert_int_equal(function_named(t, "leaf")->samples, 66000);
	take_samples(t, pc, 1464, 67000);
	assert_int_equal(function_named(t, "leaf")->samples, 67000);
	take_samples(t, pc, 5, 5);			/* fewer in all: a new start */
	assert_int_equal(function_named(t, "leaf")->samples, 5);
}

static void a_site_named_twice_is_no_wrap(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 1000, 4000, 1, 9),
			call_row(t, "main", 1, "a", 10, 40, 1, 9),
	};

	report_take(t, rows, 2, true, true);
	assert_int_equal(function_named(t, "a")->calls, 10);
	assert_int_equal(function_named(t, "a")->total_ticks, 40);
}

static void smaller_counters_mean_a_new_start(void **state)
{
	struct fixture *t = *state;
	struct wire_row rows[] = { call_row(t, "main", 1, "a", 100, 1000, 1, 90) };

	report_take(t, rows, 1, true, true);
	profile_mark(&t->p, CLOCK_SECOND);
	rows[0].calls = 7;
	rows[0].total = 70;
	report_take(t, rows, 1, true, true);
	assert_int_equal(function_named(t, "a")->calls, 7);
	assert_int_equal(t->p.marks, 0);
}

static void the_users_reset_is_a_baseline(void **state)
{
	struct fixture *t = *state;
	struct wire_row rows[] = { call_row(t, "main", 1, "a", 100, 1000, 1, 90) };

	report_take(t, rows, 1, true, true);
	assert_int_equal(profile_rebase(&t->p), 0);
	rows[0].calls = 130;
	rows[0].total = 1600;
	report_take(t, rows, 1, true, true);
	assert_int_equal(function_named(t, "a")->calls, 30);
	assert_int_equal(function_named(t, "a")->total_ticks, 600);
	assert_int_equal(profile_rebase(&t->p), 0);
	rows[0].calls = 131;
	rows[0].total = 1601;
	report_take(t, rows, 1, true, true);
	assert_int_equal(function_named(t, "a")->calls, 1);
}

static void rates_are_differences_over_time(void **state)
{
	struct fixture *t = *state;
	struct wire_row rows[] = { call_row(t, "main", 1, "a", 100, 1000, 1, 90) };

	for (uint64_t second = 1; second <= 30; second++) {
		report_take(t, rows, 1, true, true);
		profile_mark(&t->p, second * CLOCK_SECOND);
		if (second == 1)
			assert_true(isnan(function_named(t, "a")->rate_calls));
		else
			assert_float_equal(function_named(t, "a")->rate_calls, 50, 1e-9);
		rows[0].calls += 50;
		rows[0].total += 250;	/* a quarter of each second's 1000 ticks */
	}
	assert_float_equal(function_named(t, "a")->rate_self, 0.25, 1e-9);
}

/*
 * gprof's example by hand, 1000 Hz: leaf has 400 samples and is called 3 times by a, once by b; a
 * is called once by main.
 */
static void sampled_time_goes_over_the_arcs(void **state)
{
	struct fixture *t = *state;
	struct wire_arc arcs[] = {
		{ entry_of(t, "main") + 5, entry_of(t, "a") },
		{ entry_of(t, "a") + 10, entry_of(t, "leaf") + 4 },
		{ entry_of(t, "a") + 10, entry_of(t, "leaf") + 4 },
		{ entry_of(t, "a") + 10, entry_of(t, "leaf") + 4 },
		{ entry_of(t, "b") + 10, entry_of(t, "leaf") + 4 },
	};
	uint32_t pc = entry_of(t, "leaf") + 1;

	profile_add_arcs(&t->p, arcs, COUNT(arcs));
	for (int i = 0; i < 400; i++)
		profile_add_samples(&t->p, &pc, 1);
	pc = entry_of(t, "a");
	for (int i = 0; i < 50; i++)
		profile_add_samples(&t->p, &pc, 1);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_float_equal(function_named(t, "leaf")->self_s, 0.4, 1e-9);
	assert_float_equal(function_named(t, "a")->self_s, 0.05, 1e-9);
	assert_float_equal(function_named(t, "a")->total_s, 0.35, 1e-9);
	assert_float_equal(function_named(t, "b")->total_s, 0.1, 1e-9);
	assert_float_equal(function_named(t, "main")->total_s, 0.35, 1e-9);
	assert_false(function_named(t, "main")->called);
	assert_int_equal(t->p.totals.time, PROFILE_TIME_SAMPLED);
	assert_float_equal(t->p.totals.run_s, 0.45, 1e-9);
}

/* a and b call each other; main called a 3 times, b once; 100 samples in each; leaf under b: 80. */
/* Timed a and main, sampled leaf: shares are of all that is shown. */
static void shares_of_both_sources_add_up(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = { call_row(t, "main", 1, "a", 10, 1000, 90, 110) };
	const uint32_t pcs[] = { entry_of(t, "leaf"), entry_of(t, "leaf"), entry_of(t, "leaf") };

	t->p.terms.hz = 1;
	report_take(t, rows, 1, true, true);
	assert_true(t->p.totals.self_s == 1);
	profile_add_samples(&t->p, pcs, 3);
	for (int correct = 0; correct < 2; correct++) {
		t->p.terms.correct = correct;
		t->p.dirty = true;
		assert_int_equal(profile_compute(&t->p), 0);
		assert_true(t->p.totals.both);
		assert_true(function_named(t, "leaf")->self_s == 3);
		assert_true(t->p.totals.self_s ==
			    3 + t->p.functions[profile_find_name(&t->p, "a")].self_s);
	}
}

static void a_cycle_is_one_node(void **state)
{
	struct fixture *t = *state;
	const struct { const char *from; unsigned n; const char *to; int calls; } arcs[] = {
		{ "main", 1, "a", 3 }, { "main", 2, "b", 1 }, { "a", 1, "b", 9 },
		{ "b", 1, "a", 9 },
		{ "b", 2, "leaf", 5 },
	};
	const struct { const char *name; int samples; } hits[] = {
		{ "a", 100 }, { "b", 100 }, { "leaf", 80 },
	};

	for (size_t i = 0; i < COUNT(arcs); i++) {
		struct wire_arc arc = { entry_of(t, arcs[i].from) + 5 * arcs[i].n,
			entry_of(t, arcs[i].to) };

		for (int k = 0; k < arcs[i].calls; k++)
			profile_add_arcs(&t->p, &arc, 1);
	}
	for (size_t i = 0; i < COUNT(hits); i++) {
		uint32_t pc = entry_of(t, hits[i].name);

		for (int k = 0; k < hits[i].samples; k++)
			profile_add_samples(&t->p, &pc, 1);
	}
	assert_int_equal(profile_compute(&t->p), 0);
	assert_float_equal(function_named(t, "main")->total_s, 0.28, 1e-9);
	assert_float_equal(function_named(t, "a")->total_s, 0.1, 1e-9);
	assert_float_equal(function_named(t, "b")->total_s, 0.18, 1e-9);
	for (size_t i = 0; i < t->p.edge_count; i++) {
		const struct profile_edge *e = &t->p.edges[i];
		const char *from = t->p.functions[e->from].name, *to = t->p.functions[e->to].name;

		if (strcmp(from, "main") == 0 && strcmp(to, "a") == 0)
			assert_float_equal(e->total_s, 0.21, 1e-9);	/* 3 of 4 entries */
		if (strcmp(from, "a") == 0 && strcmp(to, "b") == 0)
			assert_float_equal(e->total_s, 0, 1e-9);
	}
}

static void rows_are_filtered_and_sorted(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 10, 1000, 90, 110),
			call_row(t, "a", 2, "leaf", 30, 600, 10, 40),
		call_row(t, "main", 3, "fib", 2, 500, 1, 450),
	};
	struct rows_order order = { .column = COLUMN_SELF };
	struct err err = { 0 };
	struct rows r;

	report_take(t, rows, 3, true, true);
	rows_init(&r);
	assert_int_equal(rows_sort(&r, &t->p, &order), 0);
	assert_int_equal(r.count, 4);
	assert_string_equal(t->p.functions[r.items[0]].name, "leaf");
	assert_string_equal(t->p.functions[r.items[1]].name, "fib");
	assert_string_equal(t->p.functions[r.items[3]].name, "main");	/* unknown comes last */
	order.column = COLUMN_FUNCTION;
	order.inverted = true;
	order.filter = regex_new("^(a|fib)$", &err);
	assert_int_equal(rows_sort(&r, &t->p, &order), 0);
	assert_int_equal(r.count, 2);
	assert_int_equal(r.hidden, 2);
	assert_string_equal(t->p.functions[r.items[0]].name, "fib");
	regex_free((struct regex *)order.filter);
	rows_release(&r);
}

/* Half of what the hooks cost must come off, and nothing below zero. */
static void correction_takes_the_hooks_back(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 1000, 20000, 10, 40),
			call_row(t, "a", 2, "leaf", 1000, 3000, 2, 8),
	};
	struct wire_report r = {
		.kind = REPORT_PROF, .name = "test", .num_sites = 10, .max_sites = 100,
		.ticks_per_second = 32768, .complete = true, .rows = rows, .count = 2,
	};

	t->p.terms.correct = true;
	assert_int_equal(profile_take_report(&t->p, &r, true), 0);
	assert_int_equal(profile_compute(&t->p), 0);
	/* 418 cycles of 8 MHz are 1.712 ticks, 1368 - 418 are 3.891: leaf 3000 - 1712 */
	assert_int_equal(function_named(t, "leaf")->self_ticks, 1288);
	assert_int_equal(function_named(t, "a")->self_ticks, 17000 - 1712 - 3891);
	assert_int_equal(function_named(t, "leaf")->total_ticks, 1288);
	assert_true(function_named(t, "a")->total_ticks < 20000 - 5000);
}

/* No node counts so far, but a report may say so: sums end, they do not go round. */
static void absurd_numbers_do_not_go_round(void **state)
{
	struct fixture *t = *state;
	const uint64_t most = 999999999999999999;	/* the longest number that a row may hold */
	struct wire_row rows[24];

	for (unsigned i = 0; i < 12; i++) {
		/* Callers and callees of no function: each address is one of its own. */
		rows[i] = (struct wire_row){ 0x100 + 2 * i, 0x4000, most, most, 0, 9, 0 };
		rows[12 + i] = (struct wire_row){ 0x4000, 0x5000 + 2 * i, most, most, 0, 9, 0 };
	}
	profile_set_image(&t->p, NULL);
	for (int correct = 0; correct < 2; correct++) {
		const struct profile_function *f;

		t->p.terms.correct = correct;
		report_take(t, rows, 12, true, true);
		f = function_named(t, "0x04000");
		assert_int_equal(f->calls, 9000000000000000000);
		assert_true(f->self_ticks > 8000000000000000000);
		assert_true(f->total_ticks > 8000000000000000000);
		report_take(t, rows + 12, 12, true, true);
		f = function_named(t, "0x04000");
		assert_true(correct || f->self_ticks == -9000000000000000000);
	}
	profile_set_image(&t->p, t->image);
}

/* Every allocation fails once: no crash, no leak, and the next try comes out right. */
static void memory_may_run_out_anywhere(void **state)
{
	struct fixture *t = *state;
	const struct wire_row rows[] = {
		call_row(t, "main", 1, "a", 10, 1000, 90, 110),
			call_row(t, "a", 2, "leaf", 30, 600, 10, 40),
	};
	struct wire_report r = {
		.kind = REPORT_PROF, .name = "test", .num_sites = 2, .max_sites = 100,
		.ticks_per_second = 1000, .complete = true, .rows = rows, .count = 2,
	};

	for (long n = 0; n < 40; n++) {
		struct profile p;

		assert_int_equal(profile_init(&p, "x"), 0);
		profile_set_image(&p, t->image);
		mem_fail_after(n);
		profile_take_report(&p, &r, true);
		profile_compute(&p);
		mem_fail_after(-1);
		assert_int_equal(profile_take_report(&p, &r, true), 0);
		assert_int_equal(profile_compute(&p), 0);
		assert_int_equal(p.functions[profile_find_name(&p, "a")].self_ticks, 400);
		profile_release(&p);
	}
}

/* A stream of ever new addresses: as many are kept as firmware can have, the rest is counted. */
static void addresses_are_bounded(void **state)
{
	struct profile p;

	(void)state;
	assert_int_equal(profile_init(&p, "x"), 0);
	for (uint32_t i = 0; i < PROFILE_SITES_MAX + 5; i++) {
		struct wire_arc arc = { .from = 2 * i, .to = 16 };

		profile_add_arcs(&p, &arc, 1);
		profile_add_samples(&p, &arc.from, 1);
	}
	profile_add_arcs(&p, &(struct wire_arc){ .from = 2, .to = 16 }, 1);
	assert_int_equal(p.site_count, PROFILE_SITES_MAX);
	assert_int_equal(p.pc_count, PROFILE_PCS_MAX);
	assert_int_equal(p.sites[1].calls, 2);
	assert_int_equal(p.dropped, 10);
	profile_release(&p);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, profile_up, profile_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(self_is_total_less_the_calls_made),
		CASE(a_recursive_call_is_not_counted_twice),
		CASE(mutual_recursion_stays_within_the_call_that_began_it),
		CASE(a_call_never_left_has_no_extremes),
		CASE(a_caller_outside_all_functions_is_nowhere),
		CASE(a_newer_report_replaces_an_older),
		CASE(a_cut_report_keeps_what_it_lacks_unless_strict),
		CASE(wrapped_counters_go_on),
		CASE(sixteen_bits_of_samples_go_round),
		CASE(a_site_named_twice_is_no_wrap),
		CASE(smaller_counters_mean_a_new_start),
		CASE(the_users_reset_is_a_baseline),
		CASE(rates_are_differences_over_time),
		CASE(sampled_time_goes_over_the_arcs),
		CASE(shares_of_both_sources_add_up),
		CASE(a_cycle_is_one_node),
		CASE(rows_are_filtered_and_sorted),
		CASE(correction_takes_the_hooks_back),
		CASE(absurd_numbers_do_not_go_round),
		CASE(memory_may_run_out_anywhere),
		cmocka_unit_test(addresses_are_bounded),
	};

	return cmocka_run_group_tests_name("profile", tests, set_up, tear_down);
}
