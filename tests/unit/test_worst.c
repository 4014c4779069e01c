/*
 * worst: the longest call of each edge, latched: when it was seen, which way it came, what a reset
 * and a restart leave of it. The firmware is the one of profile_firmware.h.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/base/lengths.h"
#include "core/base/mem.h"
#include "core/profile/look/worst.h"
#include "core/profile/raw/feed.h"
#include "tests/unit/profile_firmware.h"

static const struct wire_hello hello = {
	.name = "", .version = 1, .ticks_per_second = 1000, .max_sites = 64,
};

static struct worst w;

static int worst_up(void **state)
{
	struct fixture *t = *state;

	profile_up(state);
	profile_take_hello(&t->p, &hello);
	worst_init(&w);
	return 0;
}

static int worst_down(void **state)
{
	worst_release(&w);
	return profile_down(state);
}

static struct wire_total site_total(const struct fixture *t, const char *caller, unsigned n,
				    const char *callee, uint64_t calls, uint64_t max)
{
	return (struct wire_total){
		.kind = TOTAL_SITE, .from = entry_of(t, caller) + 5 * n, .to = entry_of(t, callee),
		.calls = calls, .total = calls * max, .min = 1, .max = max,
		.has = TOTAL_TIMED | TOTAL_MINMAX,
	};
}

static void worst_look_at(struct fixture *t, const struct wire_total *rows, size_t n,
			  uint64_t seconds)
{
	assert_int_equal(profile_take_totals(&t->p, rows, n), 0);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(worst_look(&w, &t->p, seconds * CLOCK_SECOND), 0);
}

static uint32_t index_of(const struct fixture *t, const char *name)
{
	return profile_find_name(&t->p, name);
}

static const struct worst_call *worst_call_of(const struct fixture *t, const char *callee)
{
	return worst_of_function(&w, &t->p, index_of(t, callee));
}

static const struct worst_call *of_edge(const struct fixture *t, const char *caller,
					const char *callee)
{
	uint32_t from = index_of(t, caller), to = index_of(t, callee);

	for (uint32_t i = 0; i < t->p.edge_count; i++) {
		if (t->p.edges[i].from == from && t->p.edges[i].to == to)
			return worst_of_edge(&w, &t->p, i);
	}
	return NULL;
}

static void path_is(const struct fixture *t, const struct worst_call *c, const char *path)
{
	char text[256] = "";

	for (size_t i = 0; i < c->path_length; i++) {
		uint32_t id = image_find(t->image, c->path[i]);

		if (i == c->certain)
			strcat(text, "probably ");
		strcat(strcat(text, image_function(t->image, id)->name), " ");
	}
	assert_string_equal(text, path);
}

static void a_longer_call_is_latched_with_its_time(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);

	worst_look_at(t, &r, 1, 100);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.050, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 100 * CLOCK_SECOND);
	/* It may have been long before we came. */
	assert_int_equal(worst_call_of(t, "a")->after_ns, 0);
	r.calls = 20;
	worst_look_at(t, &r, 1, 101);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 100 * CLOCK_SECOND);
	r.calls = 21;
	r.max = 70;
	worst_look_at(t, &r, 1, 102);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.070, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 102 * CLOCK_SECOND);
	assert_int_equal(worst_call_of(t, "a")->after_ns, 101 * CLOCK_SECOND);
	assert_int_equal(worst_call_of(t, "a")->site, r.from);
	assert_ptr_equal(of_edge(t, "main", "a"), worst_call_of(t, "a"));
}

static void a_row_that_is_new_is_a_new_call_only_when_the_picture_stood(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = { site_total(t, "main", 1, "a", 10, 50),
		site_total(t, "main", 4, "leaf", 1, 9) };

	worst_look_at(t, r, 1, 100);
	worst_look_at(t, r, 2, 101);
	assert_int_equal(worst_call_of(t, "leaf")->after_ns, 0);
	worst_clear(&w);
	profile_seen_from_start(&t->p);
	worst_look_at(t, r, 1, 102);
	r[1] = site_total(t, "a", 2, "leaf", 1, 20);
	worst_look_at(t, r, 2, 103);
	assert_int_equal(worst_call_of(t, "leaf")->after_ns, 102 * CLOCK_SECOND);
}

/* Times from that caller: a short call by one is no longest by another. */
static void each_caller_has_its_own(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = {
		site_total(t, "main", 4, "leaf", 5, 30), site_total(t, "a", 2, "leaf", 5, 80),
		site_total(t, "a", 1, "b", 5, 90), site_total(t, "main", 1, "a", 5, 100),
	};

	worst_look_at(t, r, 4, 1);
	assert_float_equal(of_edge(t, "main", "leaf")->seconds, 0.030, 1e-9);
	assert_float_equal(of_edge(t, "a", "leaf")->seconds, 0.080, 1e-9);
	assert_ptr_equal(worst_call_of(t, "leaf"), of_edge(t, "a", "leaf"));
	path_is(t, of_edge(t, "main", "leaf"), "main ");
	path_is(t, worst_call_of(t, "leaf"), "a main ");
	assert_int_equal(worst_call_of(t, "leaf")->top, WORST_ROOT);
	/* Now main's is the longest. */
	r[0].max = 81;
	r[0].calls++;
	worst_look_at(t, r, 1, 2);
	assert_ptr_equal(worst_call_of(t, "leaf"), of_edge(t, "main", "leaf"));
}

static void a_way_with_several_callers_is_a_guess(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = {
		site_total(t, "b", 2, "leaf", 5, 10),		/* who called b? */
		site_total(t, "main", 2, "b", 100, 50), site_total(t, "a", 1, "b", 5, 20),
	};

	worst_look_at(t, r, 3, 1);
	path_is(t, worst_call_of(t, "leaf"), "b probably main ");
}

static void a_cycle_ends_the_way(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = { site_total(t, "b", 1, "a", 5, 10),
		site_total(t, "a", 1, "b", 5, 20) };

	worst_look_at(t, r, 2, 1);
	path_is(t, worst_call_of(t, "b"), "a b ");
	assert_int_equal(worst_call_of(t, "b")->top, WORST_DEEPER);
}

static void recursion_is_no_way_up(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = { site_total(t, "fib", 1, "fib", 500, 10),
		site_total(t, "main", 3, "fib", 1, 90) };

	worst_look_at(t, r, 2, 1);
	path_is(t, of_edge(t, "fib", "fib"), "fib main ");
}

static void an_interrupt_is_the_top(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = { site_total(t, "leaf", 0, "lonely", 5, 10),
		site_total(t, "lonely", 1, "a", 1, 5) };

	r[0].from = 0;
	r[0].flags = ROW_HANDLER;
	worst_look_at(t, r, 1, 1);
	path_is(t, worst_call_of(t, "lonely"), "");
	assert_int_equal(worst_call_of(t, "lonely")->top, WORST_HANDLER);
}

static void it_outlives_a_restart(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);

	worst_look_at(t, &r, 1, 1);
	profile_reset(&t->p);
	r.max = 7;
	worst_look_at(t, &r, 1, 2);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.050, 1e-9);
	r.max = 51;
	r.calls++;
	worst_look_at(t, &r, 1, 3);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.051, 1e-9);
}

static void the_users_reset_forgets_it(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);

	worst_look_at(t, &r, 1, 1);
	worst_forget(&w, &t->p);
	assert_int_equal(profile_rebase(&t->p), 0);
	r.calls++;
	worst_look_at(t, &r, 1, 2);
	/* The node still says 50, of a call before the reset. */
	assert_null(worst_call_of(t, "a"));
	r.calls++;
	r.max = 60;
	worst_look_at(t, &r, 1, 3);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.060, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->after_ns, 2 * CLOCK_SECOND);
}

/* After a reset here and a restart there its maxima are new again. */
static void a_restart_after_a_reset_starts_anew(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);

	worst_look_at(t, &r, 1, 1);
	worst_forget(&w, &t->p);
	profile_reset(&t->p);
	r.max = 7;
	worst_look_at(t, &r, 1, 2);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.007, 1e-9);
}

/* Said so, a call as long as the longest before it is new, too. */
static void a_restart_that_is_known_bars_nothing(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);

	worst_look_at(t, &r, 1, 1);
	worst_forget(&w, &t->p);
	profile_reset(&t->p);
	worst_restart(&w);
	worst_look_at(t, &r, 1, 2);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.050, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 2 * CLOCK_SECOND);
	assert_int_equal(worst_call_of(t, "a")->after_ns, CLOCK_SECOND);
}

static void names_may_come_later(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);
	const struct worst_call *c;

	profile_set_image(&t->p, NULL);
	r.to++;			/* a function of its own, without an image */
	worst_look_at(t, &r, 1, 1);
	profile_set_image(&t->p, t->image);
	t->p.dirty = true;
	r.calls++;
	worst_look_at(t, &r, 1, 2);
	c = worst_call_of(t, "a");
	assert_non_null(c);
	assert_int_equal(c->seen_ns, CLOCK_SECOND);
	path_is(t, c, "main ");
}

/* As derive/calibrate.c corrects it: more or less, with the calls that came since. */
static void look_corrected(struct fixture *t, struct profile_fix *fix, int64_t more, uint64_t calls,
			   uint64_t seconds)
{
	t->p.totals.calls = calls;
	*fix = (struct profile_fix){ .total = more, .min = 0, .max = more };
	t->p.fixes = fix;
	t->p.fix_count = 1;
	for (uint32_t i = 0; i < t->p.edge_count; i++)
		t->p.edges[i].max = profile_site_shown(&t->p, t->p.edges[i].first_site).max;
	assert_int_equal(worst_look(&w, &t->p, seconds * CLOCK_SECOND), 0);
}

static void a_correction_is_no_longer_call(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);
	struct profile_fix fix;

	worst_look_at(t, &r, 1, 100);
	look_corrected(t, &fix, 7, 11, 101);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.057, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 100 * CLOCK_SECOND);
	look_corrected(t, &fix, 3, 12, 102);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.053, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 100 * CLOCK_SECOND);
	/* After the user's reset none is known, whatever the correction does. */
	worst_forget(&w, &t->p);
	look_corrected(t, &fix, 9, 13, 103);
	assert_null(worst_call_of(t, "a"));
	t->p.fixes = NULL;			/* the test's own */
	t->p.fix_count = 0;
	r.calls = 21;
	r.max = 70;
	worst_look_at(t, &r, 1, 104);
	assert_float_equal(worst_call_of(t, "a")->seconds, 0.070, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, 104 * CLOCK_SECOND);
}

static const struct worst_call *estimate_look(struct fixture *t, const struct wire_total *rows,
					      size_t n, uint64_t seconds)
{
	static const uint32_t fine[LENGTHS];

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(profile_take_totals(&t->p, &rows[i], 1), 0);
		assert_int_equal(profile_take_fine(&t->p, rows[i].from, rows[i].to, fine), 0);
	}
	worst_look_at(t, rows, n, seconds);
	return worst_call_of(t, "a");
}

/* Times of a call trace that are known better later; a restart lowers them, too. */
static void an_estimate_that_falls_is_the_longest_no_more(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = { site_total(t, "main", 1, "a", 10, 50),
				  site_total(t, "b", 1, "a", 10, 45) };

	assert_float_equal(estimate_look(t, r, 2, 1)->seconds, 0.050, 1e-9);
	r[0].max = 47;
	r[0].calls++;
	assert_float_equal(estimate_look(t, r, 2, 2)->seconds, 0.047, 1e-9);
	assert_int_equal(worst_call_of(t, "a")->seen_ns, CLOCK_SECOND);
	r[0].max = 40;
	r[0].calls++;
	assert_float_equal(estimate_look(t, r, 2, 3)->seconds, 0.045, 1e-9);
	path_is(t, worst_call_of(t, "a"), "b ");
	profile_reset(&t->p);
	worst_restart(&w);
	r[0].max = r[1].max = 5;
	assert_float_equal(estimate_look(t, r, 2, 4)->seconds, 0.045, 1e-9);
}

static void what_has_no_times_has_no_longest(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 10, 50);

	r.has = 0;
	worst_look_at(t, &r, 1, 1);
	assert_null(worst_call_of(t, "a"));
}

static void too_many_edges_are_counted(void **state)
{
	struct fixture *t = *state;
	struct wire_total r = site_total(t, "main", 1, "a", 1, 5);

	profile_set_image(&t->p, NULL);
	for (uint32_t i = 0; i < WORST_EDGES + 10; i++) {
		r.from = 0x1000 + 2 * i;
		r.to = 0x1000 + 2 * (i & 255);
		assert_int_equal(profile_take_totals(&t->p, &r, 1), 0);
	}
	worst_look_at(t, &r, 1, 1);
	assert_true(t->p.edge_count > WORST_EDGES);
	assert_int_equal(w.left_out, t->p.edge_count - WORST_EDGES);
}

static void without_memory_what_is_there_stays(void **state)
{
	struct fixture *t = *state;
	struct wire_total r[] = { site_total(t, "main", 1, "a", 10, 50),
		site_total(t, "main", 4, "leaf", 1, 9) };

	worst_look_at(t, r, 1, 1);
	assert_int_equal(profile_take_totals(&t->p, r, 2), 0);
	assert_int_equal(profile_compute(&t->p), 0);
	worst_clear(&w);
	for (long n = 0; n < 4; n++) {
		mem_fail_after(n);
		worst_look(&w, &t->p, 2 * CLOCK_SECOND);
		mem_fail_after(-1);
		if (worst_call_of(t, "a"))
			assert_float_equal(worst_call_of(t, "a")->seconds, 0.050, 1e-9);
		w.looked = false;
	}
	assert_int_equal(worst_look(&w, &t->p, 3 * CLOCK_SECOND), 0);
	assert_float_equal(worst_call_of(t, "leaf")->seconds, 0.009, 1e-9);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, worst_up, worst_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_longer_call_is_latched_with_its_time),
		TEST(a_row_that_is_new_is_a_new_call_only_when_the_picture_stood),
		TEST(each_caller_has_its_own),
		TEST(a_way_with_several_callers_is_a_guess),
		TEST(a_cycle_ends_the_way),
		TEST(recursion_is_no_way_up),
		TEST(an_interrupt_is_the_top),
		TEST(it_outlives_a_restart),
		TEST(the_users_reset_forgets_it),
		TEST(a_restart_after_a_reset_starts_anew),
		TEST(a_restart_that_is_known_bars_nothing),
		TEST(names_may_come_later),
		TEST(a_correction_is_no_longer_call),
		TEST(an_estimate_that_falls_is_the_longest_no_more),
		TEST(what_has_no_times_has_no_longest),
		TEST(too_many_edges_are_counted),
		TEST(without_memory_what_is_there_stays),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
