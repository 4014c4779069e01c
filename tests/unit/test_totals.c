/*
 * totals: a profile fed by wsn's running totals: kinds that mix, handlers, calls by duration, a
 * reset of the user's, rates of who joins late. The firmware is the one of profile_firmware.h.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/look/rows.h"
#include "core/profile/look/spots.h"
#include "core/profile/raw/feed.h"
#include "core/wire/wsn/wsn.h"
#include "tests/unit/profile_firmware.h"

static const struct wire_hello hello = {
	.name = "", .version = 1, .ticks_per_second = 1000, .hz = 100, .spread = 1.5,
	.max_sites = 64,
	.bucket_below = { 16, 64, 256, 1024, 4096, 16384, 65536 },
};

enum { ALL = TOTAL_TIMED | TOTAL_MINMAX };

static struct wire_total site_total(const struct fixture *t, const char *caller, unsigned n,
				    const char *callee, uint64_t calls, uint64_t total)
{
	return (struct wire_total){
		.kind = TOTAL_SITE, .from = entry_of(t, caller) + 5 * n, .to = entry_of(t, callee),
		.calls = calls, .total = total, .min = 1, .max = total, .has = ALL,
	};
}

static struct wire_total handler_total(const struct fixture *t, const char *callee, uint64_t calls,
				       uint64_t total)
{
	struct wire_total row = site_total(t, callee, 0, callee, calls, total);

	row.from = 0;
	row.flags = ROW_HANDLER;
	return row;
}

/* `into`: bytes behind the callee's entry, as an mcount's return address is. */
static struct wire_total arc_total(const struct fixture *t, const char *caller, unsigned n,
				   const char *callee, unsigned into, uint64_t calls)
{
	struct wire_total row = site_total(t, caller, n, callee, calls, 0);

	row.kind = TOTAL_ARC;
	row.to += into;
	row.has = 0;
	return row;
}

static struct wire_total sample_total(const struct fixture *t, const char *function, uint64_t count)
{
	return (struct wire_total){
		.kind = TOTAL_PC, .from = entry_of(t, function) + 2, .calls = count,
	};
}

static void totals_feed(struct fixture *t, const struct wire_total *rows, size_t n)
{
	profile_take_hello(&t->p, &hello);
	assert_int_equal(profile_take_totals(&t->p, rows, n), 0);
	assert_int_equal(profile_compute(&t->p), 0);
}

static const struct profile_edge *edge_between(const struct fixture *t, const char *from,
					       const char *to)
{
	for (size_t i = 0; i < t->p.edge_count; i++) {
		const struct profile_edge *e = &t->p.edges[i];
		const char *name = e->from == PROFILE_NONE ? "" : t->p.functions[e->from].name;

		if (!strcmp(name, from) && !strcmp(t->p.functions[e->to].name, to))
			return e;
	}
	fail_msg("no edge from %s to %s", from, to);
	return NULL;
}

static void a_newer_total_replaces_an_older(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 10, 1000),
		site_total(t, "a", 2, "leaf", 30, 600) };

	totals_feed(t, rows, 2);
	rows[0].calls = 11;
	rows[0].total = 1100;
	totals_feed(t, rows, 1);
	assert_int_equal(function_named(t, "a")->calls, 11);
	assert_int_equal(function_named(t, "a")->self_ticks, 500);
	assert_int_equal(function_named(t, "leaf")->calls, 30);
	profile_take_run(&t->p, 5000);
	profile_compute(&t->p);
	assert_float_equal(t->p.totals.run_s, 5.0, 1e-9);
}

/* The clock of this node is 1.5 ticks off: a call of which it counted none took less than that. */
static void no_call_takes_no_time(void **state)
{
	struct fixture *t = *state;
	struct wire_total row = site_total(t, "main", 1, "a", 10, 12);
	struct column_data d = { .profile = &t->p };
	char text[COLUMN_TEXT];

	row.min = 0;
	row.max = 60;
	totals_feed(t, &row, 1);
	assert_true(function_named(t, "a")->min_s == 0);
	columns[COLUMN_MIN].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, "<1.50 ms");
	columns[COLUMN_PER_CALL].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, "~1.20 ms");
	column_call_time(&t->p, 0, true, text, sizeof(text));
	assert_string_equal(text, ">=0 s");
	column_percentile(&t->p, 0, text, sizeof(text));
	assert_string_equal(text, "<1.50 ms");
	/* without a spread: a tick */
	t->p.terms.spread = 0;
	column_call_time(&t->p, 0, false, text, sizeof(text));
	assert_string_equal(text, "<1.00 ms");
	column_call_time(&t->p, NAN, false, text, sizeof(text));
	assert_string_equal(text, "");
	t->p.terms.ticks_per_second = 0;
	column_call_time(&t->p, 0, false, text, sizeof(text));
	assert_string_equal(text, "0 s");
}

/* Calls of a are missing, its callee's are not: a's own time is not known, and never below 0. */
static void no_self_time_is_below_zero(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		site_total(t, "main", 1, "a", 10, 500), site_total(t, "a", 2, "leaf", 30, 900),
			site_total(t, "main", 3, "b", 1, 100),
	};
	struct column_data d = { .profile = &t->p };
	char text[COLUMN_TEXT];

	totals_feed(t, rows, 3);
	assert_int_equal(function_named(t, "a")->self_ticks, 0);
	assert_true(function_named(t, "a")->self_s == 0);
	assert_true(function_named(t, "a")->incomplete);
	assert_false(function_named(t, "b")->incomplete);
	assert_float_equal(t->p.totals.self_s, 0.6, 1e-9);
	assert_float_equal(t->p.totals.shares_s, 1.0, 1e-9);
	columns[COLUMN_SELF].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, "~0 s");
	columns[COLUMN_TOTAL].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, ">=500ms");
	assert_true((int)strlen(text) <= columns[COLUMN_TOTAL].width);
	columns[COLUMN_CALLS].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, ">=10");
	columns[COLUMN_SELF_PERCENT].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, "~0");
	assert_float_equal(columns[COLUMN_SELF_PERCENT].value(&d, function_named(t, "leaf")), 0.9,
			   1e-9);
	assert_float_equal(columns[COLUMN_SELF_PERCENT].value(&d, function_named(t, "b")), 0.1,
			   1e-9);
}

static void rows_feed_at(struct fixture *t, struct wire_total *row, uint64_t run, uint64_t calls,
			 uint64_t total)
{
	const struct wire_status status = { .run = run, .run_before = run, .late = true };

	row->run = run;
	row->calls = calls;
	row->total = total;
	totals_feed(t, row, 1);
	profile_take_run(&t->p, run);
	profile_take_age(&t->p, &status);
	profile_compute(&t->p);
}

/*
 * a calls leaf ten times and has a tenth of its time for itself; its row is a third older than
 * leaf's. Taken as they came, a would have no time of its own.
 */
static void rows_of_unlike_age_are_taken_to_one_time(void **state)
{
	struct fixture *t = *state;
	struct wire_total a = site_total(t, "main", 1, "a", 0, 0);
	struct wire_total leaf = site_total(t, "a", 2, "leaf", 0, 0);
	struct column_data d = { .profile = &t->p };
	const struct profile_function *f;
	char text[COLUMN_TEXT];

	rows_feed_at(t, &a, 10000, 10, 9000);
	rows_feed_at(t, &leaf, 10000, 100, 8100);
	f = function_named(t, "a");
	assert_int_equal(f->self_ticks, 900);
	assert_true(f->self_slack_s == 0);
	rows_feed_at(t, &a, 20000, 20, 18000);
	rows_feed_at(t, &leaf, 30000, 300, 24300);
	f = function_named(t, "a");
	assert_int_equal(f->total_ticks, 18000);	/* as it was sent */
	assert_int_equal(f->self_ticks, 1800);
	assert_float_equal(f->self_s, 1.8, 1e-9);
	assert_float_equal(f->self_slack_s, 8.1, 1e-3);	/* leaf was read at 10 and at 30 s */
	assert_false(f->incomplete);
	assert_float_equal(t->p.totals.self_s, 1.8 + 24.3, 1e-9);
	columns[COLUMN_SELF].format(&d, f, text, sizeof(text));
	assert_string_equal(text, "~1.80 s");
	rows_feed_at(t, &a, 30000, 30, 27000);
	f = function_named(t, "a");
	assert_int_equal(f->self_ticks, 2700);
	assert_true(f->self_slack_s == 0);		/* all are of now: exact */
	/* Overdue: it did not go on. */
	rows_feed_at(t, &leaf, 80000, 300, 24300);
	assert_true(function_named(t, "a")->self_slack_s == 0);
}

/* More than the node ran is nobody's: what is estimated gives way, what is exact does not. */
static void estimates_are_no_more_than_the_run(void **state)
{
	struct fixture *t = *state;
	struct wire_total a = site_total(t, "main", 1, "a", 0, 0);
	struct wire_total leaf = site_total(t, "a", 2, "leaf", 0, 0);
	struct wire_total b = site_total(t, "main", 3, "b", 0, 0);

	rows_feed_at(t, &b, 10000, 10, 5000);
	rows_feed_at(t, &a, 20000, 10, 10000);
	rows_feed_at(t, &leaf, 24000, 1, 1);
	profile_take_run(&t->p, 14000);
	profile_compute(&t->p);
	assert_float_equal(t->p.totals.self_s, 14.0, 1e-6);
	assert_float_equal(function_named(t, "a")->self_s, 8.999, 1e-6);
	assert_true(function_named(t, "b")->self_s == 5);	/* it calls none: exact */
	assert_true(function_named(t, "leaf")->self_s == 0.001);
}

/* The node had no room for some calls of an arc: its function's count is "at least". */
static void calls_without_room_mark_their_function(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { arc_total(t, "main", 1, "a", 4, 10),
		arc_total(t, "main", 1, "a", 4, 3), arc_total(t, "main", 1, "leaf", 4, 7),
		arc_total(t, "main", 3, "b", 4, 5),
	};
	struct column_data d = { .profile = &t->p };
	char text[COLUMN_TEXT];

	rows[1].flags = rows[2].flags = ROW_LOST;
	totals_feed(t, rows, 4);
	assert_int_equal(function_named(t, "a")->calls, 10);
	assert_true(function_named(t, "a")->incomplete);
	assert_int_equal(function_named(t, "leaf")->calls, 7);	/* it never had a row */
	assert_true(function_named(t, "leaf")->incomplete);
	assert_false(function_named(t, "b")->incomplete);
	columns[COLUMN_CALLS].format(&d, function_named(t, "a"), text, sizeof(text));
	assert_string_equal(text, ">=10");
	rows[0].calls = 20;
	totals_feed(t, rows, 1);
	assert_true(function_named(t, "a")->incomplete);	/* as long as the counts last */
	rows[2].flags = 0;
	rows[2].calls = 2;
	totals_feed(t, &rows[2], 1);
	assert_int_equal(function_named(t, "leaf")->calls, 2);
}

static void durations_have_64_bits(void **state)
{
	struct fixture *t = *state;
	struct wire_total row = site_total(t, "main", 1, "a", 2, UINT64_C(1) << 40);

	row.min = UINT64_C(1) << 33;
	row.max = UINT64_C(1) << 39;
	totals_feed(t, &row, 1);
	assert_true(function_named(t, "a")->min == UINT64_C(1) << 33);
	assert_true(function_named(t, "a")->max == UINT64_C(1) << 39);
	assert_float_equal(function_named(t, "a")->max_s, 549755813.888, 1e-3);
}

static void what_is_not_sent_is_not_known(void **state)
{
	static const struct { uint8_t has; bool timed, range; } rows[] = {
		{ 0, false, false }, { TOTAL_TIMED, true, false }, { ALL, true, true },
	};
	struct fixture *t = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_total row = site_total(t, "main", 1, "a", 3, 30);

		row.has = rows[i].has;
		totals_feed(t, &row, 1);
		assert_int_equal(function_named(t, "a")->calls, 3);
		assert_int_equal(function_named(t, "a")->time == PROFILE_TIME_TIMED, rows[i].timed);
		assert_int_equal(function_named(t, "a")->has_minmax, rows[i].range);
	}
}

/* main -> a 100 ticks, in which the handler b ran 40: the node took these out of a. */
static void a_handler_is_called_from_no_place(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		site_total(t, "main", 1, "a", 1, 100), handler_total(t, "b", 4, 40),
			site_total(t, "b", 2, "leaf", 4, 8),
	};

	totals_feed(t, rows, 3);
	assert_int_equal(edge_between(t, "", "b")->calls, 4);
	assert_true(edge_between(t, "", "b")->flags & ROW_HANDLER);
	assert_false(edge_between(t, "", "b")->flags & ROW_NO_CALL);
	assert_int_equal(function_named(t, "a")->self_ticks, 100);
	assert_int_equal(function_named(t, "b")->total_ticks, 40);
	assert_int_equal(function_named(t, "b")->self_ticks, 32);
	assert_float_equal(t->p.totals.self_s, 0.140, 1e-9);
	/* The same without an image: no function at 0 is made up. */
	profile_set_image(&t->p, NULL);
	assert_int_equal(profile_compute(&t->p), 0);
	for (size_t i = 0; i < t->p.function_count; i++)
		assert_int_not_equal(t->p.functions[i].address, 0);
	profile_set_image(&t->p, t->image);
}

/*
 * -pg on a Cortex-M: what called a handler is EXC_RETURN, one of several, told as an arc's `from`.
 */
static void exc_return_is_no_caller(void **state)
{
	static const uint32_t from[] = { 0xffffffe1, 0xfffffff9, 0xfffffffd, 0xffffffbc };
	struct fixture *t = *state;
	struct wire_arc counted = { 0xfffffff1, entry_of(t, "b") + 1 };

	for (size_t i = 0; i < COUNT(from); i++) {
		struct wire_total row = arc_total(t, "main", 1, "a", 1, 3);

		row.from = from[i];
		totals_feed(t, &row, 1);
		totals_feed(t, &row, 1);
		assert_true(t->p.sites[i].flags & ROW_HANDLER);
		assert_false(t->p.sites[i].flags & ROW_NO_CALL);
	}
	profile_add_arcs(&t->p, &counted, 1);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(edge_between(t, "", "a")->calls, 3 * COUNT(from));
	assert_true(function_named(t, "a")->flags & ROW_HANDLER);
	assert_true(function_named(t, "b")->flags & ROW_HANDLER);
	assert_false(wire_is_exc_return(0xffffff7f));
}

/* A task's loop was entered and is never left: its callees' time is told, its own is not. */
static void what_never_returns_has_no_self_time(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 0, 0),
		site_total(t, "a", 2, "leaf", 30, 600) };

	totals_feed(t, rows, 2);
	assert_int_equal(function_named(t, "a")->time, PROFILE_TIME_NONE);
	assert_true(isnan(function_named(t, "a")->self_s));
	assert_true(t->p.totals.self_s == 0.6);
	profile_mark(&t->p, CLOCK_SECOND);
	rows[1].total = 700;
	totals_feed(t, &rows[1], 1);
	profile_mark(&t->p, 3 * CLOCK_SECOND);
	assert_true(isnan(function_named(t, "a")->rate_self));
	/* It came back: now it is known. */
	rows[0] = site_total(t, "main", 1, "a", 1, 900);
	totals_feed(t, rows, 1);
	assert_float_equal(function_named(t, "a")->self_s, 0.2, 1e-9);
}

/* Within what each duration may be off a self time below zero is none; beyond, calls are lost. */
static void a_little_below_zero_is_nothing(void **state)
{
	static const struct { uint64_t total; bool incomplete; } cases[] = {
		{ 600, false }, { 540, false }, { 530, true }, { 100, true },
	};
	struct fixture *t = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {	/* 1.5 ticks a call, 10 and 30 of them, 2
							 * sites */
		struct wire_total rows[] = {
			site_total(t, "main", 1, "a", 10, cases[i].total),
				site_total(t, "a", 2, "leaf", 30, 600),
		};

		totals_feed(t, rows, 2);
		assert_int_equal(function_named(t, "a")->self_ticks, 0);
		assert_int_equal(function_named(t, "a")->incomplete, cases[i].incomplete);
	}
}

/* Who called is known by the image alone: without it a self time would hold the callees' too. */
static void without_an_image_no_self_time_is_known(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 10, 1000),
		site_total(t, "a", 2, "leaf", 30, 600) };
	struct rows sorted;

	profile_set_image(&t->p, NULL);
	profile_take_run(&t->p, 1000);
	totals_feed(t, rows, 2);
	assert_true(isnan(t->p.totals.self_s));
	for (size_t i = 0; i < t->p.function_count; i++)
		assert_true(isnan(t->p.functions[i].self_s));
	rows_init(&sorted);
	assert_int_equal(rows_sort(&sorted, &t->p, &(struct rows_order){ .column = COLUMN_SELF }),
			 0);
	assert_float_equal(t->p.functions[sorted.items[0]].total_s, 1, 1e-9);
	rows_release(&sorted);
	profile_set_image(&t->p, t->image);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_float_equal(t->p.totals.self_s, 1, 1e-9);
}

/* A call from nowhere lies in somebody's time, in whose is not known: never more than the run. */
static void no_more_is_profiled_than_ran(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 10, 1000),
		site_total(t, "a", 2, "leaf", 30, 600) };

	rows[1].from = 0x10;
	profile_take_run(&t->p, 1200);
	totals_feed(t, rows, 2);
	assert_float_equal(t->p.totals.profiled_s, 1.2, 1e-9);
	assert_float_equal(t->p.totals.self_s, 1.6, 1e-9);	/* shares add up to a whole */
}

static void a_call_told_by_arc_and_site_counts_once(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		arc_total(t, "main", 1, "a", 3, 9), site_total(t, "main", 1, "a", 10, 1000),
		arc_total(t, "a", 2, "leaf", 3, 30), arc_total(t, "main", 4, "leaf", 0, 2),
		site_total(t, "main", 4, "leaf", 5, 50), arc_total(t, "main", 4, "leaf", 0, 4),
	};

	totals_feed(t, rows, 6);
	assert_int_equal(function_named(t, "a")->calls, 10);
	assert_int_equal(function_named(t, "a")->sites, 1);
	assert_int_equal(edge_between(t, "a", "leaf")->calls, 30);
	assert_false(edge_between(t, "a", "leaf")->timed);
	assert_int_equal(edge_between(t, "main", "leaf")->calls, 5);
	assert_true(edge_between(t, "main", "leaf")->timed);
}

/* Ten samples each second: main is not instrumented, a and leaf are. */
static void times_and_samples_mix(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		site_total(t, "main", 1, "a", 10, 600), site_total(t, "a", 2, "leaf", 30, 200),
		sample_total(t, "main", 40), sample_total(t, "a", 41), sample_total(t, "leaf", 19),
	};

	profile_take_run(&t->p, 1000);
	totals_feed(t, rows, 5);
	assert_true(t->p.totals.both);
	assert_int_equal(function_named(t, "a")->time, PROFILE_TIME_TIMED);
	assert_float_equal(function_named(t, "a")->self_s, 0.4, 1e-9);
	assert_int_equal(function_named(t, "a")->samples, 41);
	assert_int_equal(function_named(t, "main")->time, PROFILE_TIME_SAMPLED);
	assert_float_equal(function_named(t, "main")->self_s, 0.4, 1e-9);
	assert_float_equal(t->p.totals.self_s, 1.0, 1e-9);
}

/*
 * What runs unmeasured below a timed function is in its time already: never more than all there
 * was.
 */
static void mixed_times_stay_within_the_run(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 1, 950),
		sample_total(t, "lonely", 90) };

	profile_take_run(&t->p, 1000);
	totals_feed(t, rows, 2);
	assert_float_equal(t->p.totals.profiled_s, 1.0, 1e-9);
	assert_float_equal(t->p.totals.self_s, 1.85, 1e-9);
}

/*
 * What the profiler itself takes is one row, and its places are the functions that it is made of.
 */
static void samples_in_the_runtime_are_one_row(void **state)
{
	static const struct { const char *label; uint64_t samples; } places[] = {
		{ "wsnprof_put", 5 }, { "__gnu_mcount_nc", 3 },
	};
	struct fixture *t = *state;
	struct wire_total rows[] = {
		sample_total(t, "wsnprof_put", 4), sample_total(t, "__gnu_mcount_nc", 3),
			sample_total(t, "leaf", 2),
		sample_total(t, "wsnprof_put", 1), arc_total(t, "main", 1, "wsnprof_put", 1, 7),
	};
	struct spots spots = SPOTS_INIT;
	uint32_t i;

	rows[3].from--;
	totals_feed(t, rows, COUNT(rows));
	i = profile_find_name(&t->p, "(wsnprof)");
	assert_int_not_equal(i, PROFILE_NONE);
	assert_int_equal(t->p.functions[i].samples, 8);
	assert_float_equal(t->p.functions[i].self_s, 0.08, 1e-9);
	/* who calls it is told as ever */
	assert_int_equal(function_named(t, "wsnprof_put")->calls, 7);
	assert_int_equal(function_named(t, "wsnprof_put")->samples, 0);
	assert_int_equal(profile_find_name(&t->p, "__gnu_mcount_nc"), PROFILE_NONE);
	assert_int_equal(spots_find(&spots, &t->p, i), 0);
	assert_int_equal(spots.count, COUNT(places));
	for (size_t k = 0; k < COUNT(places); k++) {
		assert_string_equal(spots.items[k].label, places[k].label);
		assert_int_equal(spots.items[k].samples, places[k].samples);
	}
	spots_release(&spots);
	profile_set_image(&t->p, NULL);		/* without names there is nothing to gather */
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(profile_find_name(&t->p, "(wsnprof)"), PROFILE_NONE);
}

/* A stream that is not wsn's: what is called so there is the firmware's own. */
static void other_streams_gather_nothing(void **state)
{
	struct fixture *t = *state;
	uint32_t pc = entry_of(t, "wsnprof_put");

	profile_add_samples(&t->p, &pc, 1);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(function_named(t, "wsnprof_put")->samples, 1);
}

static void buckets_add_up(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 2, "b", 3, 9),
		site_total(t, "a", 1, "b", 4, 40) };
	struct profile_buckets sum;

	rows[0].bucket[0] = 3;
	rows[1].bucket[0] = 1;
	rows[1].bucket[7] = 3;
	rows[1].has |= TOTAL_HISTOGRAM;
	totals_feed(t, rows, 2);
	assert_false(profile_site_buckets(&t->p, 0, &sum));	/* it did not say so */
	rows[0].has |= TOTAL_HISTOGRAM;
	totals_feed(t, rows, 2);
	assert_true(profile_site_buckets(&t->p, 1, &sum));
	assert_int_equal(sum.calls[7], 3);
	assert_true(profile_function_buckets(&t->p, profile_find_name(&t->p, "b"), &sum));
	assert_int_equal(sum.calls[0], 4);
	assert_int_equal(sum.calls[7], 3);
	assert_false(profile_function_buckets(&t->p, profile_find_name(&t->p, "a"), &sum));
}

static void the_users_reset_is_a_baseline_of_everything(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		site_total(t, "main", 1, "a", 10, 1000), arc_total(t, "main", 4, "leaf", 2, 7),
			sample_total(t, "a", 50),
	};
	struct profile_buckets sum;

	rows[0].has |= TOTAL_HISTOGRAM;
	rows[0].bucket[1] = 10;
	profile_take_run(&t->p, 2000);
	totals_feed(t, rows, 3);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(profile_rebase(&t->p), 0);
		for (size_t i = 0; i < 3; i++)
			rows[i].calls += 3;
		rows[0].total += 60;
		rows[0].bucket[1] += 3;
		profile_take_run(&t->p, 2000 + 500 * ((uint64_t)again + 1));
		totals_feed(t, rows, 3);
		assert_int_equal(function_named(t, "a")->calls, 3);
		assert_int_equal(function_named(t, "a")->total_ticks, 60);
		assert_int_equal(function_named(t, "a")->samples, 3);
		assert_int_equal(function_named(t, "leaf")->calls, 3);
		assert_float_equal(t->p.totals.run_s, 0.5, 1e-9);
		assert_true(profile_site_buckets(&t->p, 0, &sum));
		assert_int_equal(sum.calls[1], 3);
	}
	profile_reset(&t->p);		/* the node's: all of it counts again */
	totals_feed(t, rows, 3);
	assert_int_equal(function_named(t, "a")->calls, 16);
	assert_true(profile_site_buckets(&t->p, 0, &sum));
	assert_int_equal(sum.calls[1], 16);
}

/* What the decoder takes back goes, and everything behind it keeps its own. */
static void what_is_gone_is_forgotten(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		arc_total(t, "main", 1, "a", 2, 7), site_total(t, "main", 2, "b", 9, 90),
			site_total(t, "main", 4, "leaf", 5, 50),
	};
	struct wire_total gone = rows[0];
	struct profile_buckets sum;

	rows[2].has |= TOTAL_HISTOGRAM;
	rows[2].bucket[2] = 5;
	totals_feed(t, rows, 3);
	assert_int_equal(profile_rebase(&t->p), 0);
	gone.flags = ROW_GONE;
	gone.calls = 0;
	rows[1].calls += 1;
	rows[2].calls += 2;
	rows[2].bucket[2] += 2;
	totals_feed(t, &gone, 1);
	totals_feed(t, rows + 1, 2);
	assert_int_equal(profile_find_name(&t->p, "a"), PROFILE_NONE);
	assert_int_equal(function_named(t, "b")->calls, 1);
	assert_int_equal(function_named(t, "leaf")->calls, 2);
	assert_true(profile_function_buckets(&t->p, profile_find_name(&t->p, "leaf"), &sum));
	assert_int_equal(sum.calls[2], 2);
	rows[0].calls = 3;		/* and may come again */
	totals_feed(t, rows, 1);
	assert_int_equal(function_named(t, "a")->calls, 3);
}

/* Another sampling rate: the samples taken at the old one would stand for another time. */
static void another_rate_counts_samples_anew(void **state)
{
	struct fixture *t = *state;
	struct wire_total row = sample_total(t, "a", 100);
	struct wire_hello faster = hello;

	totals_feed(t, &row, 1);
	assert_float_equal(function_named(t, "a")->self_s, 1.0, 1e-9);
	faster.hz = 1000;
	profile_take_hello(&t->p, &faster);
	row.calls = 300;
	assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_float_equal(function_named(t, "a")->self_s, 0.2, 1e-9);
}

/* Each of HELLO's terms that times are made of makes them again, alone. */
static void a_hello_with_one_other_term_makes_times_anew(void **state)
{
	struct fixture *t = *state;
	struct wire_total row = sample_total(t, "a", 100);
	struct wire_hello base = hello, other[5];

	base.features |= WSN_F_TAKEN_BACK;
	profile_take_hello(&t->p, &base);
	for (size_t i = 0; i < COUNT(other); i++)
		other[i] = base;
	other[0].ticks_per_second *= 2;
	other[1].spread += 1;
	other[2].skew += 1;
	other[3].cost += 1;
	for (size_t i = 0; i < COUNT(other); i++) {
		profile_take_hello(&t->p, &base);
		assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
		assert_int_equal(profile_compute(&t->p), 0);
		assert_false(t->p.dirty);
		profile_take_hello(&t->p, &other[i]);
		assert_int_equal(t->p.dirty, i < 4);
	}
}

/* A node that ran for an hour: its rows come one by one, and their totals are no rates. */
static void who_joins_late_sees_no_spikes(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 360000, 900),
		site_total(t, "main", 4, "leaf", 720000, 9) };
	double most = 0;

	for (uint64_t second = 1; second <= 12; second++) {
		rows[0].calls += 100;
		rows[1].calls += 200;
		totals_feed(t, rows, second < 3 ? 1 : 2);
		profile_mark(&t->p, second * CLOCK_SECOND);
		if (!isnan(t->p.rate_calls))
			most = fmax(most, t->p.rate_calls);
	}
	assert_float_equal(most, 300, 1);
	assert_float_equal(function_named(t, "leaf")->rate_calls, 200, 1);
}

/* A rate below zero is next to nothing, and shown so. */
static void no_load_is_below_zero(void **state)
{
	static const struct { double rate; const char *text; } cases[] = {
		{ -0.0001, "~0" }, { -3, "~0" }, { 0, "0.0" }, { 0.25, "25.0" }, { NAN, "" },
	};
	struct fixture *t = *state;
	char text[COLUMN_TEXT];

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct profile_function f = { .rate_self = cases[i].rate };

		columns[COLUMN_LOAD].format(&(struct column_data){ .profile = &t->p }, &f, text,
					    sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

/* What begins before our eyes has a rate from its first call on. */
static void what_begins_now_has_a_rate(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = { site_total(t, "main", 1, "a", 10, 9),
		site_total(t, "main", 4, "leaf", 500, 9) };

	profile_seen_from_start(&t->p);
	totals_feed(t, rows, 1);
	profile_mark(&t->p, 1 * CLOCK_SECOND);
	totals_feed(t, rows, 2);
	profile_mark(&t->p, 2 * CLOCK_SECOND);
	assert_float_equal(function_named(t, "leaf")->rate_calls, 500, 1e-6);
}

static void absurd_totals_do_no_harm(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		site_total(t, "main", 1, "a", UINT64_MAX, UINT64_MAX),
			site_total(t, "a", 1, "b", UINT64_MAX, UINT64_MAX),
		handler_total(t, "a", UINT64_MAX, UINT64_MAX), sample_total(t, "main", UINT64_MAX),
		arc_total(t, "b", 1, "a", 1, UINT64_MAX),
	};
	struct profile_buckets sum;

	for (size_t i = 0; i < COUNT(rows); i++) {
		rows[i].has |= TOTAL_HISTOGRAM;
		for (size_t k = 0; k < WIRE_BUCKETS; k++)
			rows[i].bucket[k] = UINT64_MAX;
	}
	profile_take_run(&t->p, UINT64_MAX);
	totals_feed(t, rows, COUNT(rows));
	assert_true(profile_function_buckets(&t->p, profile_find_name(&t->p, "a"), &sum));
	assert_true(sum.calls[0] == UINT64_MAX);
	assert_true(isfinite(t->p.totals.self_s));
	profile_mark(&t->p, CLOCK_SECOND);
	profile_mark(&t->p, 2 * CLOCK_SECOND);
}

static void memory_may_run_out_anywhere(void **state)
{
	struct fixture *t = *state;
	struct wire_total rows[] = {
		site_total(t, "main", 1, "a", 10, 1000), handler_total(t, "b", 3, 30),
			sample_total(t, "a", 5),
		arc_total(t, "main", 4, "leaf", 2, 7),
	};

	rows[0].has |= TOTAL_HISTOGRAM;
	rows[0].bucket[3] = 10;
	for (long n = 0; n < 40; n++) {
		struct profile p;

		assert_int_equal(profile_init(&p, "x"), 0);
		profile_set_image(&p, t->image);
		profile_take_hello(&p, &hello);
		mem_fail_after(n);
		profile_take_totals(&p, rows, COUNT(rows));
		profile_compute(&p);
		profile_rebase(&p);
		mem_fail_after(-1);
		profile_reset(&p);
		assert_int_equal(profile_take_totals(&p, rows, COUNT(rows)), 0);
		assert_int_equal(profile_compute(&p), 0);
		assert_int_equal(p.functions[profile_find_name(&p, "a")].calls, 10);
		profile_release(&p);
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, profile_up, profile_down)

/* A tick of 250 Hz whose row is read 0.8 s before each mark: from the first figure on it is 250. */
static void rates_are_250(struct fixture *t, bool silences)
{
	static const uint64_t late_ns[] = { 800000000, 100000000, 950000000, 400000000 };
	unsigned known = 0;

	profile_take_hello(&t->p, &hello);
	profile_seen_from_start(&t->p);
	t->p.told_ns = CLOCK_SECOND;		/* nothing was counted until then */
	for (uint64_t second = 1; second <= 30; second++) {
		uint64_t at = second * CLOCK_SECOND - late_ns[second % 4];
		struct wire_total row;

		if (second > 1) {
			row = handler_total(t, "leaf", (at - CLOCK_SECOND) / 4000000, 1000);
			t->p.heard_ns = at;
			assert_int_equal(profile_take_totals(&t->p, &row, 1), 0);
		}
		if (silences && second % 3 == 0)
			t->p.told_ns = second * CLOCK_SECOND - CLOCK_SECOND / 20;
		profile_mark(&t->p, second * CLOCK_SECOND);
		if (t->p.function_count && !isnan(function_named(t, "leaf")->rate_calls)) {
			assert_float_equal(function_named(t, "leaf")->rate_calls, 250, 2);
			known++;
		}
	}
	assert_true(known >= 28);
}

static void rates_span_the_rows_times(void **state)
{
	rates_are_250(*state, false);
}

/* Silent in the middle of a turn: the row waits, although all seems to be told. */
static void a_silence_moves_no_rate(void **state)
{
	rates_are_250(*state, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_newer_total_replaces_an_older),
		CASE(rates_span_the_rows_times),
		CASE(a_silence_moves_no_rate),
		CASE(no_call_takes_no_time),
		CASE(no_self_time_is_below_zero),
		CASE(calls_without_room_mark_their_function),
		CASE(rows_of_unlike_age_are_taken_to_one_time),
		CASE(estimates_are_no_more_than_the_run),
		CASE(durations_have_64_bits),
		CASE(what_is_not_sent_is_not_known),
		CASE(a_handler_is_called_from_no_place),
		CASE(exc_return_is_no_caller),
		CASE(what_never_returns_has_no_self_time),
		CASE(a_little_below_zero_is_nothing),
		CASE(without_an_image_no_self_time_is_known),
		CASE(no_more_is_profiled_than_ran),
		CASE(a_call_told_by_arc_and_site_counts_once),
		CASE(times_and_samples_mix),
		CASE(mixed_times_stay_within_the_run),
		CASE(samples_in_the_runtime_are_one_row),
		CASE(other_streams_gather_nothing),
		CASE(buckets_add_up),
		CASE(the_users_reset_is_a_baseline_of_everything),
		CASE(what_is_gone_is_forgotten),
		CASE(another_rate_counts_samples_anew),
		CASE(a_hello_with_one_other_term_makes_times_anew),
		CASE(who_joins_late_sees_no_spikes),
		CASE(what_begins_now_has_a_rate),
		CASE(no_load_is_below_zero),
		CASE(absurd_totals_do_no_harm),
		CASE(memory_may_run_out_anywhere),
	};

	return cmocka_run_group_tests_name("totals", tests, set_up, tear_down);
}
