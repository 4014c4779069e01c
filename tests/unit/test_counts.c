/*
 * counts: what a profile keeps by address, and at which bounds: running totals, reports of a
 * 32-bit node, the user's reset, a restart. No image: only sites and PCs are looked at.
 */
#include "tests/unit/unit.h"
#include "tests/unit/counts_life.h"

#include "core/base/mem.h"
#include "core/profile/raw/raw.h"
#include "core/wire/wsn/wsn.h"

enum { FROM = 0x1004, TO = 0x2000, ALL = TOTAL_TIMED | TOTAL_MINMAX };

/* Site n's total: each has its own caller. */
static struct wire_total total_made(unsigned n, uint64_t calls, uint64_t total)
{
	return (struct wire_total){
		.kind = TOTAL_SITE, .from = FROM + 8 * n, .to = TO, .calls = calls, .total = total,
		.min = 3, .max = 9, .has = ALL,
	};
}

static void total_feed(struct profile *p, struct wire_total t)
{
	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

static void flagged_feed(struct profile *p, struct wire_total t, enum wire_total_kind kind,
			 unsigned flags)
{
	t.kind = kind;
	t.flags = (uint16_t)flags;
	total_feed(p, t);
}

/* --- terms ------------------------------------------------------------------------------------ */

static void a_hello_gives_a_rate_or_leaves_it(void **state)
{
	static const struct { uint16_t hz; double want; } rows[] = {
		{ 0, 1000 }, { 1, 1 }, { 0, 1 }, { 250, 250 },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		profile_take_hello(p, &(struct wire_hello){ .name = "", .hz = rows[i].hz });
		assert_true(p->terms.hz == rows[i].want);
	}
}

/* Samples of another rate would weigh differently; calls and times do not. */
static void another_rate_leaves_calls_as_they_are(void **state)
{
	struct profile *p = *state;

	total_feed(p, total_made(0, 10, 100));
	profile_take_hello(p, &(struct wire_hello){ .name = "", .hz = 250 });
	assert_int_equal(p->rebases, 0);
	assert_int_equal(p->sites[0].calls, 10);
}

static void skew_is_of_nodes_that_take_their_hooks_back(void **state)
{
	struct profile *p = *state;
	struct wire_hello hello = { .name = "", .skew = 2.5 };

	profile_take_hello(p, &hello);
	assert_true(p->terms.skew == 0);
	hello.features = WSN_F_TAKEN_BACK;
	profile_take_hello(p, &hello);
	assert_true(p->terms.skew == 2.5);
}

enum term { TERM_RATE, TERM_CYCLES, TERM_CLOCK, TERM_RUN, TERM_AGE, TERMS };

static void term_give(struct profile *p, enum term term, unsigned value)
{
	static const uint64_t below[WIRE_BUCKETS - 1] = { 16, 64 };

	switch (term) {
	case TERM_RATE:
		profile_take_rate(p, value);
		break;
	case TERM_CYCLES:
		profile_take_cycles(p, value, CYCLES_CLOCK);
		break;
	case TERM_CLOCK:
		profile_take_clock(p, value, below);
		break;
	case TERM_RUN:
		profile_take_run(p, value);
		break;
	default:
		profile_take_age(p, &(struct wire_status){ .run = value });
	}
}

/* Deriving is linear in sites: it is done when a term changed, and not when it was said again. */
static void figures_are_derived_again_when_a_term_changed(void **state)
{
	struct profile *p = *state;

	for (enum term term = 0; term < TERMS; term++) {
		for (unsigned i = 0; i < 4; i++) {
			assert_int_equal(profile_compute(p), 0);
			assert_false(p->dirty);
			term_give(p, term, 5 + i / 2);
			assert_int_equal(p->dirty, i % 2 == 0);
		}
	}
}

static void cycles_have_a_source_when_they_are_known(void **state)
{
	struct profile *p = *state;

	for (unsigned cycles = 0; cycles < 3; cycles++) {
		profile_take_cycles(p, cycles, CYCLES_STAMPS);
		assert_int_equal(p->terms.cycles_by, cycles ? CYCLES_STAMPS : CYCLES_UNKNOWN);
	}
}

/* --- totals ----------------------------------------------------------------------------------- */

static void a_range_needs_calls_and_a_node_that_sends_it(void **state)
{
	static const struct { uint64_t calls; uint8_t has; bool known; } rows[] = {
		{ 5, ALL, true }, { 0, ALL, false }, { 5, TOTAL_TIMED, false }, { 5, 0, false },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_total t = total_made(0, rows[i].calls, 20);

		t.has = rows[i].has;
		total_feed(p, t);
		assert_int_equal(p->sites[0].total, rows[i].has ? 20 : 0);
		assert_int_equal(p->sites[0].flags, 0);
		assert_true(p->sites[0].min == (rows[i].known ? 3 : UINT64_MAX));
		assert_true(p->sites[0].max == (rows[i].known ? 9 : 0));
	}
}

static void readings_are_kept_of_timed_rows_with_a_run(void **state)
{
	static const struct { uint64_t run; uint8_t has; size_t ages; } rows[] = {
		{ 0, ALL, 0 }, { 700, 0, 0 }, { 700, TOTAL_TIMED, 1 },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_total t = total_made(0, 5, 20);

		t.run = rows[i].run;
		t.has = rows[i].has;
		total_feed(p, t);
		assert_int_equal(p->age_count, rows[i].ages);
	}
}

/* Arcs of gprof and timed sites together may tell a call twice, which is looked for then alone. */
static void kinds_are_mixed_once_both_came(void **state)
{
	static const struct { enum wire_total_kind kind; bool mixed; } rows[] = {
		{ TOTAL_SITE, false }, { TOTAL_ARC, true }, { TOTAL_SITE, true },
	};
	struct profile *p = *state;

	for (unsigned i = 0; i < COUNT(rows); i++) {
		flagged_feed(p, total_made(i, 5, 20), rows[i].kind, 0);
		assert_int_equal(p->mixed, rows[i].mixed);
	}
}

static void a_known_row_is_no_new_one(void **state)
{
	struct profile *p = *state;

	for (int again = 0; again < 2; again++) {
		p->grew = false;
		flagged_feed(p, total_made(0, 5, 0), TOTAL_PC, 0);
		assert_int_equal(p->grew, !again);
		p->grew = false;
		total_feed(p, total_made(1, 5, 20));
		assert_int_equal(p->grew, !again);
	}
}

/* Only then: all functions and edges are made again, from the first site on. */
static void a_row_that_turns_out_a_handlers_gets_another_edge(void **state)
{
	struct profile *p = *state;

	total_feed(p, total_made(0, 5, 20));
	assert_int_equal(profile_compute(p), 0);
	total_feed(p, total_made(0, 6, 20));
	assert_false(p->rebuild);
	assert_int_not_equal(p->edges[p->sites[0].edge].from, PROFILE_NONE);
	flagged_feed(p, total_made(0, 7, 20), TOTAL_SITE, ROW_HANDLER);
	assert_true(p->rebuild);
	assert_int_equal(profile_compute(p), 0);
	assert_int_equal(p->edges[p->sites[0].edge].from, PROFILE_NONE);
	assert_int_equal(p->edges[p->sites[0].edge].calls, 7);
}

/* A site told the call: an arc of the same place adds nothing, is not lost, takes nothing away. */
static void what_a_site_tells_no_arc_changes(void **state)
{
	static const uint16_t flags[] = { 0, ROW_LOST, ROW_GONE };
	struct profile *p = *state;

	total_feed(p, total_made(0, 5, 20));
	for (size_t i = 0; i < COUNT(flags); i++) {
		flagged_feed(p, total_made(0, 50, 0), TOTAL_ARC, flags[i]);
		assert_int_equal(profile_compute(p), 0);
		assert_int_equal(p->site_count, 1);
		assert_int_equal(p->sites[0].calls, 5);
		assert_int_equal(p->sites[0].flags & (ROW_LOST | ROW_GONE), 0);
	}
}

static void what_is_not_there_cannot_go(void **state)
{
	struct profile *p = *state;

	total_feed(p, total_made(0, 5, 20));
	flagged_feed(p, total_made(1, 0, 0), TOTAL_SITE, ROW_GONE);
	assert_false(p->gone);
	assert_int_equal(p->site_count, 1);
}

static void a_counted_arc_is_no_handlers(void **state)
{
	static const struct { uint32_t from; bool handler; } rows[] = {
		{ FROM, false }, { 0xfffffff9, true },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		profile_add_arcs(p, &(struct wire_arc){ rows[i].from, TO }, 1);
		assert_int_equal(p->sites[i].flags, rows[i].handler ? ROW_HANDLER : 0);
		assert_int_equal(p->sites[i].calls, 1);
	}
}

/* The second site's come first: what is written of the first stays within it. */
static void an_edges_durations_are_those_of_its_sites(void **state)
{
	static const uint64_t none[WIRE_BUCKETS - 1];
	struct profile *p = *state;
	struct profile_buckets sum;

	profile_take_hello(p, &(struct wire_hello){ .name = "", .bucket_below = { 16, 64 } });
	for (unsigned i = 0; i < 3; i++)
		total_feed(p, total_made(i, 1, 1));
	for (unsigned i = 2; i-- > 0;) {
		struct wire_total t = total_made(i, 5, 20);

		t.has |= TOTAL_HISTOGRAM;
		t.bucket[0] = t.bucket[WIRE_BUCKETS - 1] = 5 + i;
		total_feed(p, t);
	}
	assert_int_equal(p->bucket_count, 2);
	assert_int_equal(profile_compute(p), 0);
	for (unsigned i = 0; i < 3; i++) {
		bool any = profile_edge_buckets(p, p->sites[i].edge, &sum);

		assert_int_equal(any, i < 2);
		assert_int_equal(sum.calls[0], i < 2 ? 5 + i : 0);
		assert_int_equal(sum.calls[WIRE_BUCKETS - 1], i < 2 ? 5 + i : 0);
	}
	profile_take_clock(p, 1000, none);	/* of which lengths is not known any more */
	assert_false(profile_site_buckets(p, 0, &sum));
}

/* --- a reset, a restart, rows that go --------------------------------------------------------- */

static struct wire_total full_total(unsigned n, unsigned more)
{
	struct wire_total t = total_made(n, 40 + n + more, 400 + n + more);

	t.has |= TOTAL_HISTOGRAM;
	t.bucket[0] = t.bucket[7] = 20 + n + more;
	t.run = 5000;
	return t;
}

static void full_feed(struct profile *p, unsigned more)
{
	for (unsigned i = 0; i < 2; i++)
		total_feed(p, full_total(i, more));
	flagged_feed(p, total_made(0, 70, 0), TOTAL_PC, 0);
	profile_take_run(p, 6000);
	profile_add_asleep(p, 8);
	p->began_ns = p->marks = 1;
}

static void the_users_reset_leaves_zeros(void **state)
{
	struct profile *p = *state;

	full_feed(p, 0);
	assert_int_equal(profile_rebase(p), 0);
	assert_int_equal(p->sites[0].calls | p->sites[0].total | p->pcs[0].count, 0);
	assert_int_equal(p->buckets[1].calls[0] | p->buckets[1].calls[7], 0);
	assert_int_equal(p->marks | p->began_ns, 0);
	assert_int_equal(p->run_base, 6000);
	assert_int_equal(p->asleep_base, 8);
}

/* Counts that were added one by one are no running totals: nothing of them is taken off later. */
static void counted_arcs_and_samples_have_no_base(void **state)
{
	struct profile *p = *state;
	const uint32_t pcs[] = { FROM, TO };

	assert_true(p->totals.self_s == 0);
	profile_add_arcs(p, &(struct wire_arc){ FROM, TO }, 1);
	profile_add_samples(p, pcs, 1);
	assert_int_equal(p->pc_count, 1);
	assert_int_equal(profile_rebase(p), 0);
	total_feed(p, total_made(0, 10, 100));
	flagged_feed(p, total_made(0, 30, 0), TOTAL_PC, 0);
	assert_int_equal(p->sites[0].calls, 10);
	assert_int_equal(p->sites[0].total, 100);
	assert_int_equal(p->pcs[0].count, 30);
}

static void a_picture_is_not_reset(void **state)
{
	struct profile *p = *state;

	total_feed(p, total_made(0, 10, 100));
	p->picture = true;
	assert_int_equal(profile_rebase(p), 0);
	assert_int_equal(p->rebases, 0);
	assert_int_equal(p->sites[0].calls, 10);
	p->picture = false;
}

static void without_memory_a_reset_changes_nothing(void **state)
{
	struct profile *p = *state;

	full_feed(p, 0);
	for (long n = 0; n < 3; n++) {
		mem_fail_once(n);
		assert_int_equal(profile_rebase(p), ERR_NOMEM);
		mem_fail_after(-1);
		assert_int_equal(p->sites[0].calls, 40);
		assert_int_equal(p->pcs[0].count, 70);
		assert_int_equal(p->buckets[0].calls[7], 20);
	}
}

static void a_restart_leaves_nothing(void **state)
{
	struct profile *p = *state;
	const struct wire_depth depth = { TO, 16, 32, 48 };
	const struct wire_spent spent = { TO, 16 };
	const struct profile_path path = { .parent = PROFILE_NONE, .address = TO };

	full_feed(p, 0);
	profile_take_age(p, &(struct wire_status){ .run = 9, .run_before = 8, .late = true });
	profile_take_depths(p, &depth, 1);
	profile_take_spent(p, &spent, 1);
	profile_take_paths(p, &path, 1, true);
	profile_seen_from_start(p);
	p->announced_samples = p->age_common = 7;
	assert_int_equal(profile_rebase(p), 0);
	p->marks = p->began_ns = 1;
	profile_reset(p);
	assert_int_equal(p->run_base | p->ticks_run | p->began_ns | p->marks, 0);
	assert_int_equal(p->asleep | p->asleep_base | p->announced_samples, 0);
	assert_int_equal(p->age_run | p->age_told | p->age_before | p->age_common, 0);
	assert_int_equal(p->depth_count | p->age_count | p->bucket_count | p->settled, 0);
	assert_int_equal(p->site_count | p->pc_count | p->path_count | p->spent_count, 0);
	assert_false(p->age_late);
	total_feed(p, full_total(0, 0));
	assert_int_equal(p->sites[0].calls, 40);
	assert_int_equal(p->buckets[0].calls[7], 20);
}

/* The first site's row goes, and before it the second's: the third has none of their figures. */
static void a_row_that_goes_leaves_no_figures_to_the_next(void **state)
{
	struct profile *p = *state;
	struct wire_total plain = total_made(2, 5, 0);
	struct profile_buckets sum;

	profile_take_hello(p, &(struct wire_hello){ .name = "", .bucket_below = { 16, 64 } });
	full_feed(p, 0);
	assert_int_equal(profile_rebase(p), 0);
	full_feed(p, 3);
	assert_int_equal(p->buckets[1].calls[0] | p->buckets[1].calls[7], 3);
	flagged_feed(p, total_made(1, 0, 0), TOTAL_SITE, ROW_GONE);
	assert_int_equal(profile_sites_forget(p), 0);
	assert_int_equal(p->age_count | p->bucket_count | p->bucket_bases | p->site_bases, 1);
	plain.has = 0;
	total_feed(p, plain);
	assert_false(profile_site_buckets(p, 1, &sum));
	flagged_feed(p, total_made(0, 0, 0), TOTAL_SITE, ROW_GONE);
	assert_int_equal(profile_sites_forget(p), 0);
	assert_int_equal(p->site_count, 1);
	assert_int_equal(p->sites[0].from, plain.from);
	assert_int_equal(p->ages[0].readings[0].run, 0);
	assert_int_equal(p->buckets[0].calls[0] | p->buckets[0].calls[7], 0);
	plain.has = ALL | TOTAL_HISTOGRAM;
	plain.bucket[7] = 5;
	total_feed(p, plain);
	assert_int_equal(p->sites[0].calls, 5);
	assert_int_equal(p->buckets[0].calls[7], 5);
}

/* --- reports ---------------------------------------------------------------------------------- */

static struct wire_row row_made(unsigned n, uint64_t calls, uint64_t total)
{
	return (struct wire_row){
		.from = FROM + 8 * n, .to = TO, .calls = calls, .total = total, .min = 1, .max = 9,
	};
}

static void report_feed(struct profile *p, const struct wire_row *rows, size_t n)
{
	const struct wire_report r = {
		.kind = REPORT_PROF, .name = "", .num_sites = n, .max_sites = 64, .complete = true,
		.rows = rows, .count = n,
	};

	assert_int_equal(profile_take_report(p, &r, true), 0);
}

/* A count that is less than before has wrapped at 32 bits, or the node began again. */
static void a_count_that_fell_wrapped_or_the_node_restarted(void **state)
{
	static const struct { uint64_t before, now, calls; bool restarted; } rows[] = {
		{ 0x80000000, 5, UINT64_C(0x100000005), false },
		{ 0x7fffffff, 5, 5, true },
		{ 0xfff00000, 0x7fffffff, UINT64_C(0x17fffffff), false },
		{ 0xfff00000, 0x80000000, 0x80000000, true },
		{ 7, 7, 7, false },
		{ 7, 8, 8, false },
		{ UINT64_C(0x100000005), 0xffffffff, UINT64_C(0x1ffffffff), false },
		{ UINT64_C(0x300000000), UINT64_C(0x200000000), UINT64_C(0x200000000), false },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_row row = row_made(0, rows[i].before, rows[i].before);
		unsigned resets;

		profile_reset(p);
		report_feed(p, &row, 1);
		resets = p->resets;
		row.calls = row.total = rows[i].now;
		report_feed(p, &row, 1);
		assert_true(p->sites[0].calls == rows[i].calls);
		assert_true(p->sites[0].total == rows[i].calls);
		assert_int_equal(p->resets != resets, rows[i].restarted);
	}
}

/* A wrap is told by the whole count, with what the user's reset took off. */
static void counts_wrap_behind_a_reset_too(void **state)
{
	static const struct { uint64_t now, shown; } rows[] = {
		{ 0x10000000, 0x20000000 }, { 0x10000010, 0x20000010 },
		{ 0x10000000, 0x10000000 },	/* less: it began again */
	};
	struct profile *p = *state;
	struct wire_row row = row_made(0, 0xf0000000, 0xf0000000);

	report_feed(p, &row, 1);
	assert_int_equal(profile_rebase(p), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		row.calls = row.total = rows[i].now;
		report_feed(p, &row, 1);
		assert_true(p->sites[0].calls == rows[i].shown);
		assert_true(p->sites[0].total == rows[i].shown);
	}
}

static void a_restart_behind_a_reset_is_noticed(void **state)
{
	struct profile *p = *state;
	struct wire_row row = row_made(0, 100, 1000);

	report_feed(p, &row, 1);
	assert_int_equal(profile_rebase(p), 0);
	row = row_made(0, 130, 1300);
	report_feed(p, &row, 1);
	assert_int_equal(p->sites[0].calls, 30);
	row = row_made(0, 120, 1200);
	report_feed(p, &row, 1);
	assert_int_equal(p->sites[0].calls, 120);
	assert_int_equal(p->sites[0].total, 1200);
}

static void a_call_that_was_never_left_is_no_restart(void **state)
{
	struct profile *p = *state;
	const struct wire_row rows[] = { row_made(0, 5, 50), row_made(1, 0, 0) };

	report_feed(p, rows, 1);
	report_feed(p, rows, 2);
	assert_int_equal(p->resets, 0);
	assert_int_equal(p->site_count, 2);
}

static void a_row_named_again_counts_alone(void **state)
{
	struct profile *p = *state;
	const struct wire_row rows[] = { row_made(0, 5, 50), row_made(0, 0, 0) };

	report_feed(p, rows, 2);
	assert_int_equal(p->sites[0].calls | p->sites[0].total, 0);
}

/* The second one's row fell, but is behind this report: no restart, and the site goes. */
static void a_report_is_its_rows_alone(void **state)
{
	struct profile *p = *state;
	const struct wire_row first[] = { row_made(0, 5, 50), row_made(1, 6, 60) };
	const struct wire_row second[] = { row_made(0, 5, 50), row_made(1, 2, 20) };
	const struct wire_row third[] = { row_made(1, 7, 70) };

	report_feed(p, first, 2);
	report_feed(p, second, 1);
	assert_int_equal(p->resets, 0);
	assert_int_equal(p->site_count, 1);
	assert_int_equal(p->sites[0].from, first[0].from);
	report_feed(p, third, 1);
	assert_int_equal(p->site_count, 1);
	assert_int_equal(p->sites[0].from, first[1].from);
	assert_int_equal(p->sites[0].calls, 7);
}

/* The newest report has the second row alone. */
static void a_cut_report_keeps_rows_unless_strict(void **state)
{
	static const struct { bool complete, strict, kept; } rows[] = {
		{ false, false, true }, { true, false, false }, { false, true, false },
		{ true, true, false },
	};
	const struct wire_row all[] = { row_made(0, 5, 50), row_made(1, 6, 60) };
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_report r = {
			.kind = REPORT_PROF, .name = "", .num_sites = 1,
			.complete = rows[i].complete, .rows = all + 1, .count = 1,
		};

		profile_reset(p);
		report_feed(p, all, 2);
		assert_int_equal(profile_take_report(p, &r, rows[i].strict), 0);
		assert_int_equal(p->site_count, rows[i].kept ? 2 : 1);
		assert_int_equal(p->sites[0].flags, rows[i].kept ? ROW_STALE : 0);
	}
}

static void a_time_below_zero_is_none(void **state)
{
	struct profile *p = *state;
	struct wire_row row = row_made(0, 5, 50);

	row.flags = ROW_TOTAL_NEGATIVE;
	report_feed(p, &row, 1);
	assert_int_equal(p->sites[0].calls, 5);
	assert_int_equal(p->sites[0].total, 0);
}

/* Three rows are there; the header announced fewer, or a node with less room. */
static void rows_beyond_the_header_are_counted(void **state)
{
	static const struct {
		uint64_t announced, room;
		size_t taken, beyond;
		bool full;
	} rows[] = {
		{ 3, 64, 3, 0, false }, { 2, 64, 2, 1, false }, { 4, 64, 3, 0, false },
		{ 3, 3, 3, 0, true }, { 3, 4, 3, 0, false }, { 3, 0, 3, 0, false },
	};
	const struct wire_row all[] = {
		row_made(0, 5, 50), row_made(1, 6, 60), row_made(2, 7, 70),
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct wire_report r = {
			.kind = REPORT_PROF, .name = "", .num_sites = rows[i].announced,
			.max_sites = rows[i].room, .complete = true, .rows = all, .count = 3,
		};

		assert_int_equal(profile_take_report(p, &r, true), 0);
		assert_int_equal(p->site_count, rows[i].taken);
		assert_int_equal(p->beyond, rows[i].beyond);
		assert_int_equal(p->terms.table_full, rows[i].full);
	}
}

static void sampled_feed(struct profile *p, const struct wire_sampled *rows, size_t n,
			 uint64_t announced, bool complete, bool strict)
{
	const struct wire_report r = {
		.kind = REPORT_SPROF, .name = "", .samples = announced, .complete = complete,
		.sampled = rows, .count = n,
	};

	assert_int_equal(profile_take_report(p, &r, strict), 0);
}

static void sixteen_bits_wrap_at_their_bounds(void **state)
{
	static const struct { uint64_t before, now, count; } rows[] = {
		{ 500, 500, 500 }, { 500, 499, 65536 + 499 }, { 65540, 65535, 65536 + 65535 },
		{ 200000, 65536, 65536 }, { 500, 70000, 70000 },
	};
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_sampled row = { FROM, rows[i].before };

		profile_reset(p);
		sampled_feed(p, &row, 1, 100, true, true);
		row.count = rows[i].now;
		sampled_feed(p, &row, 1, 100, true, true);	/* as many in all: no restart */
		assert_int_equal(p->pcs[0].count, rows[i].count);
		assert_int_equal(p->resets, i + 1);
	}
}

static void samples_wrap_behind_a_reset_too(void **state)
{
	static const struct { uint64_t now, shown; } rows[] = { { 464, 1000 }, { 1464, 2000 } };
	struct profile *p = *state;
	struct wire_sampled row = { FROM, 65000 };

	sampled_feed(p, &row, 1, 65000, true, true);
	assert_int_equal(profile_rebase(p), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		row.count = rows[i].now;
		sampled_feed(p, &row, 1, 66000 + 1000 * i, true, true);
		assert_int_equal(p->pcs[0].count, rows[i].shown);
	}
}

/* The newest report has the second PC alone: the first one's samples go, unless it was cut. */
static void a_cut_report_keeps_samples_unless_strict(void **state)
{
	static const struct { bool complete, strict; uint64_t kept; } rows[] = {
		{ false, false, 30 }, { true, false, 0 }, { false, true, 0 }, { true, true, 0 },
	};
	static const struct wire_sampled all[] = { { FROM, 30 }, { TO, 40 }, { TO + 2, 50 } };
	struct profile *p = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		profile_reset(p);
		sampled_feed(p, all, 2, 70, true, true);
		assert_int_equal(p->pc_count, 2);
		sampled_feed(p, all + 1, 1, 70, rows[i].complete, rows[i].strict);
		assert_int_equal(p->pcs[0].count, rows[i].kept);
		assert_int_equal(p->pcs[1].count, 40);
		assert_int_equal(p->pc_count, 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_hello_gives_a_rate_or_leaves_it),
		CASE(another_rate_leaves_calls_as_they_are),
		CASE(skew_is_of_nodes_that_take_their_hooks_back),
		CASE(figures_are_derived_again_when_a_term_changed),
		CASE(cycles_have_a_source_when_they_are_known),
		CASE(a_range_needs_calls_and_a_node_that_sends_it),
		CASE(readings_are_kept_of_timed_rows_with_a_run),
		CASE(kinds_are_mixed_once_both_came),
		CASE(a_known_row_is_no_new_one),
		CASE(a_row_that_turns_out_a_handlers_gets_another_edge),
		CASE(what_a_site_tells_no_arc_changes),
		CASE(what_is_not_there_cannot_go),
		CASE(a_counted_arc_is_no_handlers),
		CASE(an_edges_durations_are_those_of_its_sites),
		CASE(the_users_reset_leaves_zeros),
		CASE(counted_arcs_and_samples_have_no_base),
		CASE(a_picture_is_not_reset),
		CASE(without_memory_a_reset_changes_nothing),
		CASE(a_restart_leaves_nothing),
		CASE(a_row_that_goes_leaves_no_figures_to_the_next),
		CASE(a_count_that_fell_wrapped_or_the_node_restarted),
		CASE(counts_wrap_behind_a_reset_too),
		CASE(a_restart_behind_a_reset_is_noticed),
		CASE(a_call_that_was_never_left_is_no_restart),
		CASE(a_row_named_again_counts_alone),
		CASE(a_report_is_its_rows_alone),
		CASE(a_cut_report_keeps_rows_unless_strict),
		CASE(a_time_below_zero_is_none),
		CASE(rows_beyond_the_header_are_counted),
		CASE(sixteen_bits_wrap_at_their_bounds),
		CASE(samples_wrap_behind_a_reset_too),
		CASE(a_cut_report_keeps_samples_unless_strict),
	};

	return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
