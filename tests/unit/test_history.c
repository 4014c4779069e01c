/*
 * history: what is kept over time. Whatever the history joins, its sums are the made node's
 * counters, to the count.
 */
#include "tests/unit/history_made.h"

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/history/stream.h"
#include "core/link/record.h"
#include "core/profile/raw/copy.h"

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
	assert_int_equal(stream_save(s, path, 0, "", NULL), ERR_ABSENT);
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
	assert_int_equal(stream_save(s, path, 1000, "", NULL), 0);
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
		cmocka_unit_test(test_moments_by_time),
		cmocka_unit_test(test_stream_is_saved_whole),
		cmocka_unit_test(test_stream_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
