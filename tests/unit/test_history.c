/*
 * history: what is kept over time. A node is made up whose counters grow at random, restart, are
 * reset, lose addresses; whatever the history joins, its sums are the counters', to the count.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/history/history.h"
#include "core/history/stream.h"
#include "core/link/record.h"
#include "core/profile/raw/copy.h"
#include "core/profile/raw/feed.h"
#include "tests/unit/profile_firmware.h"

#define SECOND CLOCK_SECOND

enum { SITES = 40, PCS = 12, ALL = TOTAL_TIMED | TOTAL_MINMAX | TOTAL_HISTOGRAM };

static const struct wire_hello hello = {
	.name = "", .version = 1, .ticks_per_second = 1000, .hz = 100, .max_sites = 64,
	.bucket_below = { 16, 64, 256, 1024, 4096, 16384, 65536 },
};

/* --- a node that is made up ------------------------------------------------------------------- */

struct made {
	struct profile p;
	struct history *h;
	struct wire_total site[SITES], pc[PCS];
	uint64_t run, now;
	uint32_t random;
	/* everything ever counted, whatever was reset since */
	uint64_t ever_calls[SITES], ever_total[SITES], ever_pc[PCS];
	uint64_t ever_bucket[SITES][WIRE_BUCKETS];
};

static uint32_t random_next(struct made *m, uint32_t below)
{
	m->random = m->random * 1664525 + 1013904223;
	return (m->random >> 8) % below;
}

static void made_begin(struct made *m)
{
	*m = (struct made){ .now = 100 * SECOND, .random = 7 };
	assert_int_equal(profile_init(&m->p, "made"), 0);
	profile_take_hello(&m->p, &hello);
	profile_seen_from_start(&m->p);
	m->h = history_new();
	history_begin(m->h, m->now);
	for (uint32_t i = 0; i < SITES; i++)
		m->site[i] = (struct wire_total){
			.kind = i % 5 == 4 ? TOTAL_ARC : TOTAL_SITE, .from = 0x1000 + i * 6,
			.to = 0x4000 + i % 7 * 64, .has = i % 5 == 4 ? 0 : ALL,
		};
	for (uint32_t i = 0; i < PCS; i++)
		m->pc[i] = (struct wire_total){ .kind = TOTAL_PC, .from = 0x4000 + i * 32 };
}

static void made_end(struct made *m)
{
	history_free(m->h);
	profile_release(&m->p);
}

static void site_grow(struct made *m, uint32_t i)
{
	struct wire_total *s = &m->site[i];
	uint32_t calls = 1 + random_next(m, 900), ticks = random_next(m, 70000),
		k = random_next(m, WIRE_BUCKETS);

	m->ever_calls[i] += calls;
	s->calls += calls;
	if (s->kind == TOTAL_ARC)
		return;
	m->ever_total[i] += ticks;
	m->ever_bucket[i][k] += calls;
	s->min = !s->total || ticks < s->min ? ticks : s->min;
	s->max = ticks > s->max ? ticks : s->max;
	s->total += ticks;
	s->bucket[k] += calls;
}

static void made_say(struct made *m)
{
	profile_take_totals(&m->p, m->site, SITES);
	profile_take_totals(&m->p, m->pc, PCS);
	profile_take_run(&m->p, m->run);
}

/* A second of its life. */
static void made_live(struct made *m)
{
	for (uint32_t i = 0; i < SITES; i++) {
		if (random_next(m, 3) == 0)
			site_grow(m, i);
	}
	for (uint32_t i = 0; i < PCS; i++) {
		uint32_t n = random_next(m, 2) ? 0 : random_next(m, 70);

		m->pc[i].calls += n;
		m->ever_pc[i] += n;
	}
	m->run += 1000;
	m->now += SECOND;
	made_say(m);
}

static void made_reboot(struct made *m)
{
	for (int i = 0; i < SITES; i++) {
		m->site[i].calls = m->site[i].total = m->site[i].min = m->site[i].max = 0;
		memset(m->site[i].bucket, 0, sizeof(m->site[i].bucket));
	}
	for (int i = 0; i < PCS; i++)
		m->pc[i].calls = 0;
	m->run = 0;
	profile_reset(&m->p);
	profile_take_hello(&m->p, &hello);
	profile_seen_from_start(&m->p);
}

static void moment_take(struct made *m)
{
	assert_int_equal(history_take(m->h, &m->p, NULL, m->now), 0);
}

/* --- sums ------------------------------------------------------------------------------------- */

static const struct profile_site *site_of(const struct profile *p, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < p->site_count; i++)
		if (p->sites[i].from == from && p->sites[i].to == to)
			return &p->sites[i];
	return NULL;
}

static uint64_t samples_of(const struct profile *p, uint32_t pc)
{
	for (size_t i = 0; i < p->pc_count; i++)
		if (p->pcs[i].pc == pc)
			return p->pcs[i].count;
	return 0;
}

/* A window is the same as the profile itself: raw and derived. */
static void assert_same(const struct profile *w, const struct profile *p)
{
	assert_int_equal(w->site_count, p->site_count);
	for (size_t i = 0; i < p->site_count; i++) {
		const struct profile_site *a = site_of(w, p->sites[i].from, p->sites[i].to);
		struct profile_buckets x, y;

		assert_non_null(a);
		assert_int_equal(a->calls, p->sites[i].calls);
		assert_int_equal(a->total, p->sites[i].total);
		assert_int_equal(a->kind, p->sites[i].kind);
		assert_int_equal(a->timed, p->sites[i].timed);
		profile_site_buckets(w, (uint32_t)(a - w->sites), &x);
		profile_site_buckets(p, (uint32_t)i, &y);
		assert_memory_equal(&x, &y, sizeof(x));
	}
	for (size_t i = 0; i < p->pc_count; i++)
		assert_int_equal(samples_of(w, p->pcs[i].pc), p->pcs[i].count);
	assert_int_equal(w->function_count, p->function_count);
	assert_int_equal(w->edge_count, p->edge_count);
	assert_int_equal(w->totals.calls, p->totals.calls);
	assert_int_equal(w->totals.samples, p->totals.samples);
	assert_int_equal(w->ticks_run, p->ticks_run - p->run_base);
}

static void assert_window_is_live(struct made *m)
{
	size_t last = history_count(m->h) - 1;
	struct err err = { 0 };
	struct profile *w = history_window(m->h, history_start(m->h, last), SIZE_MAX, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(profile_compute(&m->p), 0);
	assert_same(w, &m->p);
	profile_drop(w);
}

/* All moments, one by one: together they have all that was ever counted. */
static void assert_nothing_lost(struct made *m)
{
	uint64_t calls[SITES] = { 0 }, total[SITES] = { 0 }, pcs[PCS] = { 0 };
	uint64_t bucket[SITES][WIRE_BUCKETS] = { { 0 } };

	for (size_t k = 0; k < history_count(m->h); k++) {
		struct profile *w = history_window(m->h, k, k + 1, NULL);

		assert_non_null(w);
		for (int i = 0; i < SITES; i++) {
			const struct profile_site *s = site_of(w, m->site[i].from, m->site[i].to);
			struct profile_buckets b;

			if (!s)
				continue;
			calls[i] += s->calls;
			total[i] += s->total;
			profile_site_buckets(w, (uint32_t)(s - w->sites), &b);
			for (int j = 0; j < WIRE_BUCKETS; j++)
				bucket[i][j] += b.calls[j];
		}
		for (int i = 0; i < PCS; i++)
			pcs[i] += samples_of(w, m->pc[i].from);
		profile_drop(w);
	}
	assert_memory_equal(calls, m->ever_calls, sizeof(calls));
	assert_memory_equal(total, m->ever_total, sizeof(total));
	assert_memory_equal(bucket, m->ever_bucket, sizeof(bucket));
	assert_memory_equal(pcs, m->ever_pc, sizeof(pcs));
}

static void test_a_window_of_all_is_the_profile(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	for (int i = 0; i < 50; i++) {
		made_live(&m);
		moment_take(&m);
		assert_window_is_live(&m);
	}
	assert_int_equal(history_count(m.h), 50);
	assert_nothing_lost(&m);
	made_end(&m);
}

static void test_thinning_loses_no_count(void **state)
{
	struct made m;
	struct history_moment first, last;

	(void)state;
	made_begin(&m);
	history_bound(m.h, 24 << 10, 1000);
	for (int i = 0; i < 600; i++) {
		made_live(&m);
		moment_take(&m);
		assert_true(history_memory(m.h) < 200 << 10);
	}
	assert_true(history_count(m.h) > 20 && history_count(m.h) < 100);
	assert_window_is_live(&m);
	assert_nothing_lost(&m);
	/* the past is coarse, the present is not; together they are all of the time */
	assert_true(history_moment(m.h, 0, &first));
	assert_true(history_moment(m.h, history_count(m.h) - 1, &last));
	assert_true(first.length_ns > 10 * SECOND);
	assert_int_equal(last.length_ns, SECOND);
	assert_int_equal(first.time_ns - first.length_ns, 100 * SECOND);
	assert_int_equal(last.time_ns, 700 * SECOND);
	assert_int_equal(history_lost(m.h), 0);
	made_end(&m);
}

static void test_the_number_of_moments_is_bounded(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	history_bound(m.h, HISTORY_MOMENTS_BYTES, 16);
	for (int i = 0; i < 200; i++) {
		made_live(&m);
		moment_take(&m);
		assert_true(history_count(m.h) <= 16);
	}
	assert_nothing_lost(&m);
	made_end(&m);
}

/* The node restarts, the user resets, an address goes: at random, while it is thinned. */
static void test_boundaries(void **state)
{
	struct made m;
	unsigned began = 0;

	(void)state;
	made_begin(&m);
	history_bound(m.h, 40 << 10, 1000);
	for (int i = 0; i < 400; i++) {
		uint32_t what = random_next(&m, 30);

		made_live(&m);
		if (what < 2)
			moment_take(&m);		/* what node.c does before it forgets */
		if (what == 0) {
			made_reboot(&m);
			began++;
			made_live(&m);
		} else if (what == 1) {
			assert_int_equal(profile_rebase(&m.p), 0);
			made_live(&m);
		}
		moment_take(&m);
		assert_window_is_live(&m);
	}
	assert_true(began > 3);
	assert_nothing_lost(&m);
	made_end(&m);
}

static void test_a_boundary_is_marked(void **state)
{
	struct made m;
	struct history_moment moment;

	(void)state;
	made_begin(&m);
	for (int i = 0; i < 3; i++) {
		made_live(&m);
		moment_take(&m);
	}
	made_reboot(&m);
	made_live(&m);
	moment_take(&m);
	profile_rebase(&m.p);
	made_live(&m);
	moment_take(&m);
	history_moment(m.h, 2, &moment);
	assert_false(moment.began || moment.reset);
	history_moment(m.h, 3, &moment);
	assert_true(moment.began && moment.reset);
	history_moment(m.h, 4, &moment);
	assert_true(!moment.began && moment.reset);
	assert_int_equal(history_start(m.h, 2), 0);
	assert_int_equal(history_start(m.h, 3), 3);
	assert_int_equal(history_start(m.h, 4), 4);
	made_end(&m);
}

/* An arc that leaves its slot takes its calls with it. */
static void test_what_goes_is_taken_back(void **state)
{
	struct wire_total gone;
	struct made m;

	(void)state;
	made_begin(&m);
	made_live(&m);
	moment_take(&m);
	gone = m.site[4];
	gone.flags = ROW_GONE;
	profile_take_totals(&m.p, &gone, 1);
	m.now += SECOND;
	moment_take(&m);
	m.p.dirty = true;
	{
		struct profile *w = history_window(m.h, 0, SIZE_MAX, NULL);
		const struct profile_site *s = site_of(w, gone.from, gone.to);

		assert_int_equal(profile_compute(&m.p), 0);
		assert_null(site_of(&m.p, gone.from, gone.to));
		assert_true(!s || s->calls == 0);
		assert_int_equal(w->totals.calls, m.p.totals.calls);
		profile_drop(w);
	}
	made_end(&m);
}

/* Counters beyond 32 bits, beyond 63: sums stop, nothing overflows. */
/* A report that was cut short leaves sites of an older one, stale: they are in the window, too. */
static void test_what_is_stale_stays(void **state)
{
	static const struct wire_row rows[] = {
		{ .from = 0x1000, .to = 0x4000, .calls = 10, .total = 50, .min = 1, .max = 9 },
		{ .from = 0x1006, .to = 0x4040, .calls = 20, .total = 60, .min = 1, .max = 9 },
	};
	struct wire_report report = {
		.kind = REPORT_PROF, .name = "made", .num_sites = 2, .ticks_run = 1000,
		.ticks_per_second = 1000, .complete = true, .rows = rows, .count = 2,
	};
	struct made m;

	(void)state;
	made_begin(&m);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(profile_take_report(&m.p, &report, false), 0);
		report.complete = false;
		report.count = 1;
		report.ticks_run += 1000;
		m.now += SECOND;
		moment_take(&m);
	}
	assert_int_equal(site_of(&m.p, 0x1006, 0x4040)->flags, ROW_STALE);
	m.p.sites[1].calls++;		/* seen again with the flag on it */
	m.p.dirty = true;
	m.now += SECOND;
	moment_take(&m);
	{
		struct profile *w = history_window(m.h, 0, SIZE_MAX, NULL);

		assert_non_null(site_of(w, 0x1006, 0x4040));
		assert_int_equal(site_of(w, 0x1006, 0x4040)->calls, 21);
		assert_int_equal(site_of(w, 0x1006, 0x4040)->flags, 0);
		profile_drop(w);
	}
	made_end(&m);
}

static void test_great_counters(void **state)
{
	static const uint64_t values[] = {
		UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_C(1) << 62, INT64_MAX, UINT64_MAX, 3,
	};
	struct profile *whole, *last;
	struct made m;

	(void)state;
	made_begin(&m);
	for (size_t i = 0; i < COUNT(values); i++) {
		m.site[0].calls = m.site[0].total = m.site[0].max = values[i];
		m.pc[0].calls = values[i];
		m.run = values[i];
		m.now += SECOND;
		made_say(&m);
		moment_take(&m);
		whole = history_window(m.h, 0, SIZE_MAX, NULL);
		last = history_window(m.h, i, i + 1, NULL);
		assert_true(whole && last && whole->function_count && last->function_count);
		assert_false(whole->totals.run_s < 0 || last->totals.run_s < 0);
		profile_drop(whole);
		profile_drop(last);
	}
	made_end(&m);
}

/* --- who joins late --------------------------------------------------------------------------- */

static void test_what_was_before_is_in_no_moment(void **state)
{
	struct made m;
	struct history_moment moment;
	struct profile *w;

	(void)state;
	made_begin(&m);
	profile_release(&m.p);
	assert_int_equal(profile_init(&m.p, "late"), 0);
	profile_take_hello(&m.p, &hello);	/* nobody saw it start */
	for (int i = 0; i < 40; i++)
		m.site[i].calls = 1000000;
	made_live(&m);
	moment_take(&m);
	history_moment(m.h, 0, &moment);
	assert_int_equal(moment.calls, 0);
	assert_window_is_live(&m);
	made_live(&m);
	moment_take(&m);
	history_moment(m.h, 1, &moment);
	assert_true(moment.calls > 0 && moment.calls < 40 * 900);
	assert_window_is_live(&m);
	w = history_window(m.h, 1, 2, NULL);
	assert_int_equal(w->totals.calls, moment.calls);
	assert_int_equal(w->ticks_run, 1000);
	profile_drop(w);
	/* The calls before have their seconds. */
	w = history_window(m.h, 0, 2, NULL);
	assert_float_equal(w->rate_calls * w->totals.run_s, w->pace * (double)w->totals.calls,
			   1e-3);
	profile_drop(w);
	made_end(&m);
}

/* --- what a window knows of the extremes ------------------------------------------------------ */

static void feed_range(struct made *m, uint64_t calls, uint64_t min, uint64_t max)
{
	m->site[0].calls = calls;
	m->site[0].total = calls * min;
	m->site[0].min = min;
	m->site[0].max = max;
	m->now += SECOND;
	profile_take_totals(&m->p, m->site, 1);
	moment_take(m);
}

static void assert_range(struct made *m, size_t from, size_t to, bool known, uint64_t min,
			 uint64_t max, unsigned flags)
{
	struct profile *w = history_window(m->h, from, to, NULL);
	const struct profile_site *s = &w->sites[0];

	assert_int_equal(profile_site_range(s), known);
	if (known) {
		assert_int_equal(s->min, min);
		assert_int_equal(s->max, max);
		assert_int_equal(s->flags, flags);
	}
	profile_drop(w);
}

static void test_extremes_are_known_where_they_were_passed(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	feed_range(&m, 10, 50, 60);
	feed_range(&m, 20, 50, 60);		/* nothing new: calls between the two */
	feed_range(&m, 30, 50, 90);		/* a longer one */
	feed_range(&m, 40, 40, 95);
	feed_range(&m, 50, 30, 95);		/* only a shorter one */
	assert_range(&m, 0, 1, true, 50, 60, 0);
	assert_range(&m, 1, 2, false, 0, 0, 0);
	assert_range(&m, 2, 3, true, 50, 90, ROW_MIN_AT_LEAST);
	assert_range(&m, 3, 4, true, 40, 95, 0);
	assert_range(&m, 4, 5, false, 0, 0, 0);
	assert_range(&m, 1, 5, true, 30, 95, 0);
	assert_range(&m, 0, 5, true, 30, 95, 0);
	made_end(&m);
}

/* --- failing allocations ---------------------------------------------------------------------- */

/* A file whose node says that it ran for thirty years between any two reports. */
static void test_centuries(void **state)
{
	struct history_moment m;
	struct made made;
	uint64_t last = 0;

	(void)state;
	made_begin(&made);
	for (int i = 0; i < 40; i++) {
		made.run += UINT64_C(900000000000);
		made_live(&made);
		made.now -= SECOND;
		moment_take(&made);
	}
	for (size_t i = 0; history_moment(made.h, i, &m); i++) {
		assert_true(m.time_ns >= last);
		last = m.time_ns;
	}
	assert_true(last > UINT64_MAX / 2);
	made_end(&made);
}

/* What had no room is in a later moment. */
static void test_out_of_memory(void **state)
{
	struct made m;
	unsigned failed = 0;

	(void)state;
	made_begin(&m);
	history_bound(m.h, 30 << 10, 1000);
	for (long i = 0; i < 300; i++) {
		made_live(&m);
		assert_int_equal(profile_compute(&m.p), 0);
		mem_fail_after(i % 25);
		failed += history_take(m.h, &m.p, NULL, m.now) < 0;
		mem_fail_after(i % 14);
		profile_drop(history_window(m.h, 0, SIZE_MAX, NULL));
		mem_fail_after(-1);
	}
	assert_true(failed > 10);
	m.now += SECOND;
	moment_take(&m);
	assert_window_is_live(&m);
	assert_nothing_lost(&m);
	made_end(&m);
}

/* --- names ------------------------------------------------------------------------------------ */

static struct wire_total call_total(const struct fixture *t, const char *caller, unsigned n,
				    const char *callee, uint64_t calls, uint64_t total)
{
	return (struct wire_total){
		.kind = TOTAL_SITE, .from = entry_of(t, caller) + 5 * n, .to = entry_of(t, callee),
		.calls = calls, .total = total, .min = 1, .max = total, .has = ALL,
	};
}

static const struct profile_function *function_of(const struct profile *p, const char *name)
{
	uint32_t i = profile_find_name(p, name);

	return i == PROFILE_NONE ? NULL : &p->functions[i];
}

static int firmware_up(void **state)
{
	return set_up(state) || profile_up(state);
}

static int firmware_down(void **state)
{
	profile_down(state);
	return tear_down(state);
}

static void test_names_are_those_of_then(void **state)
{
	struct fixture *t = *state;
	struct history *h = history_new();
	struct profile *w;
	struct wire_total rows[] = {
		call_total(t, "main", 1, "a", 10, 500), call_total(t, "a", 1, "b", 20, 300),
		{ .kind = TOTAL_PC, .from = entry_of(t, "leaf") + 2, .calls = 7 },
	};
	struct history_moment m;

	history_begin(h, SECOND);
	history_image(h, t->image);
	profile_take_hello(&t->p, &hello);
	profile_seen_from_start(&t->p);
	for (int i = 1; i < 9; i++) {
		rows[0].calls += 10;
		rows[0].total += 100;
		profile_take_totals(&t->p, rows, 3);
		assert_int_equal(history_take(h, &t->p, NULL, (unsigned)i * SECOND), 0);
	}
	/* its image goes: the next firmware has other functions at these addresses */
	history_image(h, NULL);
	profile_set_image(&t->p, NULL);
	image_free(t->image);
	t->image = NULL;
	rows[0].calls += 10;
	profile_take_totals(&t->p, rows, 1);
	assert_int_equal(history_take(h, &t->p, NULL, 10 * SECOND), 0);
	history_moment(h, 8, &m);
	assert_true(m.image);

	w = history_window(h, 0, 8, NULL);
	assert_int_equal(function_of(w, "a")->calls, 90);
	assert_int_equal(function_of(w, "b")->calls, 20);
	assert_int_equal(function_of(w, "leaf")->samples, 7);
	assert_true(function_of(w, "a")->self_s > 0);
	assert_non_null(function_of(w, "main"));
	assert_null(w->image);
	assert_int_equal(function_of(w, "a")->image_id, IMAGE_NONE);
	profile_drop(w);
	/* a window over both is the newer's alone */
	w = history_window(h, 0, 9, NULL);
	assert_null(function_of(w, "a"));
	assert_int_equal(w->totals.calls, 10);
	profile_drop(w);
	assert_int_equal(history_start(h, 8), 8);
	history_free(h);
}

/* The ELF comes after the stream: what was counted is named by it. */
static void test_names_that_come_later(void **state)
{
	struct fixture *t = *state;
	struct history *h = history_new();
	struct wire_total row = call_total(t, "main", 1, "a", 10, 500);
	struct profile *w;

	profile_set_image(&t->p, NULL);
	profile_take_hello(&t->p, &hello);
	profile_seen_from_start(&t->p);
	profile_take_totals(&t->p, &row, 1);
	assert_int_equal(history_take(h, &t->p, NULL, 20 * SECOND), 0);
	history_image(h, t->image);
	w = history_window(h, 0, 1, NULL);
	assert_int_equal(function_of(w, "a")->calls, 10);
	assert_ptr_equal(w->image, t->image);
	profile_forget_image(w);
	assert_int_equal(function_of(w, "a")->image_id, IMAGE_NONE);
	profile_drop(w);
	history_free(h);
}

/* --- trends and peaks ------------------------------------------------------------------------- */

static void test_trend_and_peaks(void **state)
{
	struct fixture *t = *state;
	struct history *h = history_new();
	struct wire_total row = call_total(t, "main", 1, "a", 0, 0);
	float trend[HISTORY_TREND];
	struct profile *w;
	uint64_t a = entry_of(t, "a");

	assert_int_equal(history_trend(h, a, SIZE_MAX, trend), 0);
	history_begin(h, SECOND);
	history_image(h, t->image);
	profile_take_hello(&t->p, &hello);
	profile_seen_from_start(&t->p);
	/* in second k it takes k hundredths, in the 71st the half of it */
	for (unsigned k = 1; k <= 100; k++) {
		row.calls += 10 * k;
		row.total += k == 71 ? 500 : k;
		profile_take_totals(&t->p, &row, 1);
		profile_take_run(&t->p, 1000 * k);
		assert_int_equal(history_take(h, &t->p, NULL, (k + 1) * SECOND), 0);
		if (k % 7 == 0)			/* as it grows, and jumps */
			history_trend(h, a, SIZE_MAX, trend);
	}
	assert_int_equal(history_trend(h, a, SIZE_MAX, trend), HISTORY_TREND);
	for (int i = 0; i < HISTORY_TREND; i++)
		assert_true(fabs((double)trend[i] - (i == 30 ? 0.5 : (i + 41) / 1000.0)) < 1e-6);
	assert_int_equal(history_trend(h, a, 4, trend), 5);
	for (int i = 0; i < 5; i++)
		assert_true(fabs((double)trend[i] - (i + 1) / 1000.0) < 1e-6);
	assert_int_equal(history_trend(h, 0x999999, 4, trend), 5);
	assert_true(isnan(trend[0]));

	w = history_peaks(h, NULL);
	assert_int_equal(function_of(w, "a")->calls, 710);
	assert_true(fabs(function_of(w, "a")->self_s - 0.5) < 1e-6);
	assert_true(fabs(function_of(w, "a")->total_s - 0.5) < 1e-6);
	assert_null(function_of(w, "main"));	/* it did nothing that is known */
	profile_drop(w);
	/* joined moments have it still */
	history_bound(h, HISTORY_MOMENTS_BYTES, 10);
	row.total++;
	profile_take_totals(&t->p, &row, 1);
	assert_int_equal(history_take(h, &t->p, NULL, 102 * SECOND), 0);
	assert_int_equal(history_count(h), 10);
	w = history_peaks(h, NULL);
	assert_int_equal(function_of(w, "a")->calls, 710);
	profile_drop(w);
	assert_int_equal(history_trend(h, a, SIZE_MAX, trend), 10);
	history_free(h);
}

/* --- rows that come late ---------------------------------------------------------------------- */

/* A node of three rows, a second at a time; what comes of it is what a second tells. */
struct late {
	struct fixture *t;
	struct history *h;
	struct wire_total often, seldom, pc;	/* main calls b, main calls a; samples in leaf */
	unsigned second;
};

enum { OFTEN = 1, SELDOM = 2, SAMPLES = 4, ALL_TOLD = 8 };

static void late_begin(struct late *l, struct fixture *t)
{
	*l = (struct late){
		.t = t, .h = history_new(), .second = 100,
		.often = call_total(t, "main", 2, "b", 0, 0),
		.seldom = call_total(t, "main", 1, "a", 0, 0),
		.pc = { .kind = TOTAL_PC, .from = entry_of(t, "leaf") + 2 },
	};
	history_begin(l->h, l->second * SECOND);
	history_image(l->h, t->image);
	profile_take_hello(&t->p, &hello);
	profile_seen_from_start(&t->p);
	t->p.told_ns = l->second * SECOND;
}

/* `told`: which rows come at its end; or that the node has said all. */
static void late_second(struct late *l, unsigned calls, unsigned samples, unsigned told)
{
	struct profile *p = &l->t->p;
	uint64_t now = ++l->second * SECOND;

	l->often.calls += 20;
	l->often.total += 200;
	l->seldom.calls += calls;
	l->seldom.total += 10 * (uint64_t)calls;
	l->pc.calls += samples;
	p->heard_ns = now;
	if (told & OFTEN)
		profile_take_totals(p, &l->often, 1);
	if (told & SELDOM)
		profile_take_totals(p, &l->seldom, 1);
	if (told & SAMPLES)
		profile_take_totals(p, &l->pc, 1);
	profile_take_run(p, 1000 * (uint64_t)(l->second - 100));
	if (told & ALL_TOLD)
		p->told_ns = now;
	assert_int_equal(history_take(l->h, p, NULL, now), 0);
}

static bool is_near(double value, double expected)
{
	return fabs(value - expected) <= 0.1 * expected;
}

static void assert_peak(const struct late *l, const char *name, double calls, double self)
{
	struct profile *w = history_peaks(l->h, NULL);
	const struct profile_function *f = function_of(w, name);

	if (!f || !is_near((double)f->calls, calls) || !is_near(f->self_s, self))
		fail_msg("%s: %llu calls, %f of the time", name,
			 f ? (unsigned long long)f->calls : 0, f ? f->self_s : 0);
	profile_drop(w);
}

/* Ten calls a second, heard of every third: its peak is ten, and its trend is level. */
static void test_a_late_row_is_spread(void **state)
{
	float trend[HISTORY_TREND];
	struct late l;

	late_begin(&l, *state);
	for (unsigned i = 0; i < 30; i++)
		late_second(&l, 10, 10, OFTEN | (i % 3 == 2 ? SELDOM | SAMPLES : 0));
	assert_peak(&l, "a", 10, 0.1);
	assert_peak(&l, "b", 20, 0.2);
	{
		struct profile *w = history_peaks(l.h, NULL);

		assert_true(is_near(function_of(w, "leaf")->self_s, 0.1));
		profile_drop(w);
	}
	history_trend(l.h, entry_of(l.t, "a"), SIZE_MAX, trend);
	for (unsigned i = 3; i < 30; i++)
		assert_true(is_near((double)trend[i], 0.1));
	{
		struct profile *w = history_window(l.h, 0, SIZE_MAX, NULL);

		assert_int_equal(function_of(w, "a")->calls, 300);
		assert_int_equal(function_of(w, "leaf")->samples, 300);
		profile_drop(w);
	}
	history_free(l.h);
}

/* Two call sites of one function, each heard in turn: their paces add up. */
static void test_late_rows_add_up(void **state)
{
	struct late l;

	late_begin(&l, *state);
	l.often.to = l.seldom.to;
	for (unsigned i = 0; i < 30; i++)
		late_second(&l, 10, 0, i % 2 ? SELDOM : OFTEN);
	assert_peak(&l, "a", 30, 0.3);
	history_free(l.h);
}

/* A burst of a second on a line that has time to spare: its row did not change before. */
static void test_a_burst_is_no_late_row(void **state)
{
	struct profile *w;
	struct late l;

	late_begin(&l, *state);
	for (unsigned i = 0; i < 40; i++) {
		unsigned burst = i == 30 ? 50 : 0;

		late_second(&l, burst, burst, OFTEN | ALL_TOLD | (burst ? SELDOM | SAMPLES : 0));
	}
	w = history_peaks(l.h, NULL);
	assert_int_equal(function_of(w, "a")->calls, 50);
	assert_true(fabs(function_of(w, "a")->self_s - 0.5) < 1e-6);
	/* less the 12 samples that may be from before */
	assert_true(function_of(w, "leaf")->self_s > 0.37);
	profile_drop(w);
	/* so it is where the next refresh does not come through any more */
	for (unsigned i = 0; i < 10; i++)
		late_second(&l, i ? 0 : 70, 0, OFTEN | (i ? 0 : SELDOM));
	assert_peak(&l, "a", 70, 0.7);
	history_free(l.h);
}

/* A count that shrank, because a frame with closed counts was lost, is no pace of later moments. */
static void test_a_count_that_shrank_has_no_pace(void **state)
{
	enum { LATER = 10 };
	float trend[HISTORY_TREND];
	struct profile *w;
	struct late l;
	size_t n;

	late_begin(&l, *state);
	l.seldom.kind = TOTAL_ARC;
	l.seldom.has = 0;
	for (unsigned i = 0; i < 12; i++)
		late_second(&l, 10, 0, OFTEN | (i % 3 == 2 ? SELDOM : 0));
	l.seldom.calls -= 60;
	late_second(&l, 0, 0, OFTEN | SELDOM);
	for (unsigned i = 0; i < LATER; i++)
		late_second(&l, 0, 0, OFTEN);
	n = history_trend(l.h, entry_of(l.t, "a"), SIZE_MAX, trend);
	assert_true(n > LATER);
	for (size_t i = n - LATER; i < n; i++)
		assert_true(trend[i] == 0);
	w = history_window(l.h, 0, SIZE_MAX, NULL);
	assert_int_equal(function_of(w, "a")->calls, 60);
	profile_drop(w);
	history_free(l.h);
}

/* A steady count that a line with time to spare leaves out of three refreshes in four. */
static void test_samples_told_every_fourth_refresh(void **state)
{
	struct profile *w;
	struct late l;

	late_begin(&l, *state);
	for (unsigned i = 0; i < 200; i++)
		late_second(&l, 0, 10, OFTEN | ALL_TOLD | (i % 4 == 3 || i < 24 ? SAMPLES : 0));
	w = history_peaks(l.h, NULL);
	assert_true(is_near(function_of(w, "leaf")->self_s, 0.1));
	profile_drop(w);
	history_free(l.h);
}

/* --- moments by their time -------------------------------------------------------------------- */

static void test_moments_by_time(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	assert_int_equal(history_find(m.h, 1), 0);
	assert_false(history_moment(m.h, 0, &(struct history_moment){ 0 }));
	assert_null(history_window(m.h, 0, 1, NULL));
	for (int i = 0; i < 5; i++) {
		made_live(&m);
		moment_take(&m);
	}
	assert_int_equal(history_find(m.h, 102 * SECOND + 1), 2);
	assert_int_equal(history_find(m.h, 999 * SECOND), 4);
	/* a report of a file comes at the same time as the one before: times ascend nevertheless */
	made_live(&m);
	m.now -= SECOND;
	moment_take(&m);
	{
		struct history_moment moment;

		history_moment(m.h, 5, &moment);
		assert_int_equal(moment.time_ns, 106 * SECOND);
		assert_int_equal(moment.length_ns, SECOND);
	}
	made_end(&m);
}

/* --- bytes ------------------------------------------------------------------------------------ */

static void test_stream_is_saved_whole(void **state)
{
	struct stream *s = stream_new();
	uint8_t data[3000];
	char path[] = "/tmp/wsntop-stream-XXXXXX";
	uint64_t bytes = 0, time = 5 * SECOND;
	struct record_chunk c;
	size_t n, used, at = RECORD_HEADER;
	char *file;

	(void)state;
	close(mkstemp(path));
	assert_int_equal(stream_save(s, path, 0, NULL), ERR_ABSENT);
	stream_bound(s, 300000);
	for (int i = 0; i < 1000; i++) {
		size_t length = (size_t)i * 37 % sizeof(data) + 1;

		for (size_t k = 0; k < length; k++)
			data[k] = (uint8_t)(bytes + k);
		stream_add(s, time, data, length);
		bytes += length;
		time += i % 3 ? SECOND / 100 : 0;
		assert_true(stream_kept(s) <= 300000);
		assert_int_equal(stream_kept(s) + stream_dropped(s), bytes);
	}
	assert_true(stream_kept(s) > 150000 && stream_dropped(s) > 0);
	assert_int_equal(stream_save(s, path, 1000, NULL), 0);
	file = file_read(path, 1 << 20, &n, NULL);
	assert_non_null(file);
	/* every byte that is kept, in order, and the wall clock of the first */
	bytes = stream_dropped(s);
	for (time = 0; at < n; at += used) {
		assert_int_equal(record_parse((uint8_t *)file + at, n - at, &c, &used),
				 RECORD_CHUNK);
		assert_true(record_is_whole((uint8_t *)file + at, used));
		assert_true(c.offset_ns >= time);
		time = c.offset_ns;
		for (uint32_t k = 0; k < c.length; k++)
			assert_int_equal(c.data[k], (uint8_t)bytes++);
	}
	assert_int_equal(bytes, stream_dropped(s) + stream_kept(s));
	mem_free(file);
	unlink(path);
	stream_free(s);
}

static void test_stream_without_memory(void **state)
{
	struct stream *s = stream_new();
	uint8_t data[100] = { 0 };

	(void)state;
	stream_add(s, 1, data, sizeof(data));
	mem_fail_after(0);
	for (unsigned i = 0; i < 1000; i++)
		stream_add(s, 2 + i, data, sizeof(data));
	mem_fail_after(-1);
	/* no hole: what is kept is the end of what came */
	assert_int_equal(stream_kept(s) + stream_dropped(s), 100100);
	assert_int_equal(stream_kept(s), 0);
	stream_add(s, 2000, data, sizeof(data));
	assert_int_equal(stream_kept(s), 100);
	stream_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_window_of_all_is_the_profile),
		cmocka_unit_test(test_thinning_loses_no_count),
		cmocka_unit_test(test_the_number_of_moments_is_bounded),
		cmocka_unit_test(test_boundaries),
		cmocka_unit_test(test_a_boundary_is_marked),
		cmocka_unit_test(test_what_goes_is_taken_back),
		cmocka_unit_test(test_what_is_stale_stays),
		cmocka_unit_test(test_great_counters),
		cmocka_unit_test(test_what_was_before_is_in_no_moment),
		cmocka_unit_test(test_extremes_are_known_where_they_were_passed),
		cmocka_unit_test(test_centuries),
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test_setup_teardown(test_names_are_those_of_then, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_names_that_come_later, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_trend_and_peaks, firmware_up, firmware_down),
		cmocka_unit_test_setup_teardown(test_a_late_row_is_spread, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_late_rows_add_up, firmware_up, firmware_down),
		cmocka_unit_test_setup_teardown(test_a_burst_is_no_late_row, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_a_count_that_shrank_has_no_pace, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_samples_told_every_fourth_refresh, firmware_up,
						firmware_down),
		cmocka_unit_test(test_moments_by_time),
		cmocka_unit_test(test_stream_is_saved_whole),
		cmocka_unit_test(test_stream_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
