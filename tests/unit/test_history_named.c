/*
 * history_named: what is kept of functions: names of then, trends, peaks, rows that come late.
 */
#include "tests/unit/history_made.h"

#include <math.h>

#include "core/profile/raw/copy.h"
#include "tests/unit/profile_firmware.h"

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
	assert_true(fabs(function_of(w, "a")->rate_self * 7 - function_of(w, "a")->self_s) < 1e-6);
	assert_true(isnan(function_of(w, "main")->rate_self));
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

/*
 * A row that is new after the connect has counts from before it: what its moment had is not known,
 * so that the trend begins level, whether the moment of the connect is one of its own or not.
 */
static void test_the_trend_begins_after_the_connect(void **state)
{
	struct fixture *t = *state;
	struct history *h = history_new();
	struct wire_total row = call_total(t, "main", 1, "a", 0, 0);
	float trend[HISTORY_TREND];

	history_begin(h, SECOND);
	history_image(h, t->image);
	profile_take_hello(&t->p, &hello);
	for (unsigned k = 1; k <= 4; k++) {
		row.calls += k == 1 ? 5000 : 10;
		row.total += k == 1 ? 50000 : 100;
		profile_take_totals(&t->p, &row, 1);
		profile_take_run(&t->p, 1000 * k);
		assert_int_equal(history_take(h, &t->p, NULL, (k + 1) * SECOND), 0);
	}
	assert_int_equal(history_trend(h, entry_of(t, "a"), SIZE_MAX, trend), 4);
	assert_true(isnan(trend[0]));
	for (int i = 1; i < 4; i++)
		assert_true(fabs((double)trend[i] - 0.1) < 1e-6);
	history_free(h);
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

/* A caller's row may tell of more time than its callees', or of less: its worst self is unsure. */
static void test_the_peak_of_a_caller_is_unsure(void **state)
{
	struct wire_total below;
	struct profile *w;
	struct late l;

	late_begin(&l, *state);
	below = call_total(l.t, "a", 2, "leaf", 0, 0);
	for (unsigned i = 0; i < 30; i++) {
		below.calls += 10;
		below.total += 50;
		profile_take_totals(&l.t->p, &below, 1);
		late_second(&l, 10, 0, OFTEN | SELDOM);
	}
	w = history_peaks(l.h, NULL);
	assert_true(function_of(w, "a")->self_s > 0);
	assert_true(profile_self_unsure(function_of(w, "a")));
	assert_false(profile_self_rough(function_of(w, "leaf")));
	assert_false(profile_self_rough(function_of(w, "b")));
	profile_drop(w);
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

/*
 * A node that does not poll in the middle of a refresh falls silent, as if it had told all: a row
 * that comes in every second refresh has the counts of two.
 */
static void test_a_refresh_that_looks_complete(void **state)
{
	struct late l;

	late_begin(&l, *state);
	for (unsigned i = 0; i < 30; i++)
		late_second(&l, 10, 0, OFTEN | ALL_TOLD | (i < 5 || i % 2 ? SELDOM : 0));
	assert_peak(&l, "a", 10, 0.1);
	assert_peak(&l, "b", 20, 0.2);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names_are_those_of_then, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_names_that_come_later, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_trend_and_peaks, firmware_up, firmware_down),
		cmocka_unit_test_setup_teardown(test_the_trend_begins_after_the_connect,
						firmware_up, firmware_down),
		cmocka_unit_test_setup_teardown(test_a_late_row_is_spread, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_late_rows_add_up, firmware_up, firmware_down),
		cmocka_unit_test_setup_teardown(test_the_peak_of_a_caller_is_unsure, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_a_burst_is_no_late_row, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_a_refresh_that_looks_complete, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_a_count_that_shrank_has_no_pace, firmware_up,
						firmware_down),
		cmocka_unit_test_setup_teardown(test_samples_told_every_fourth_refresh, firmware_up,
						firmware_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
