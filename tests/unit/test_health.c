/* health: samples add up, however often they were joined; shares of the time; new beginnings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/node/health.h"

static struct health *health_fresh(void)
{
	struct health *h = mem_alloc(sizeof(*h));

	assert_non_null(h);
	health_init(h);
	return h;
}

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-6 * fmax(1, fabs(b)))
		fail_msg("%.9g, not %.9g", a, b);
}

/* 5,000 seconds are more than there is room for: neighbours join, sums stay. */
static void samples_joined(void **state)
{
	struct health *h = health_fresh();
	struct health_now now = { .up = true };
	struct health_sample all;

	(void)state;
	for (unsigned i = 0; i <= 5000; i++) {
		now.time_ns = i * HEALTH_STEP_NS;
		assert_true(health_is_due(h, now.time_ns));
		health_take(h, &now);
		assert_false(health_is_due(h, now.time_ns + HEALTH_STEP_NS / 2));
		now.bytes += i % 7;
		now.calls += 3;
		now.run_s += 0.75;
		now.isr_s += 0.125;
	}
	assert_int_equal(h->joined, 8);
	assert_true(health_count(h) <= HEALTH_SAMPLES);
	all = health_sum(h, -1);
	assert_near(all.wall_s, 5000);
	assert_int_equal(all.calls, 15000);
	assert_int_equal(all.bytes, now.bytes - 5000 % 7);
	assert_near(all.run_s, 3750);
	assert_near(all.isr_s, 625);
	assert_near(health_sum(h, 60).wall_s, 64);	/* whole samples of 8 s */
	mem_free(h);
}

/* A total that fell is a new beginning: what it is now came since then. */
static void began_anew(void **state)
{
	struct health *h = health_fresh();
	struct health_now now = { .bytes = 1000, .run_s = 50, .up = true };
	struct health_sample all;

	(void)state;
	health_take(h, &now);		/* what was before we came is nobody's */
	now = (struct health_now){
		.time_ns = HEALTH_STEP_NS, .bytes = 1100, .run_s = 51, .up = true
	};
	health_take(h, &now);
	now = (struct health_now){
		.time_ns = 2 * HEALTH_STEP_NS, .bytes = 40, .run_s = 0.5, .up = false
	};
	health_take(h, &now);
	all = health_sum(h, -1);
	assert_int_equal(all.bytes, 140);
	assert_near(all.run_s, 1.5);
	assert_true(all.down);
	assert_false(health_sample(h, 0).down);
	mem_free(h);
}

static const struct {
	const char *what;
	struct health_sample s;
	double share[DUTIES];		/* asleep, handlers, profiled, unprofiled, hooks */
} duties[] = {
	{ "all kinds",
	  { .wall_s = 10, .run_s = 6, .isr_s = 1, .self_s = 3, .hooks_s = 1 },
	  { 0.3, 0.1, 0.2, 0.3, 0.1 } },
	{ "a clock that never stands still",
	  { .wall_s = 10, .run_s = 10, .self_s = 10 },
	  { 0, 0, 1, 0, 0 } },
	{ "a clock that runs faster than ours",
	  { .wall_s = 9.9, .run_s = 10, .self_s = 5 },
	  { 0, 0, 0.5, 0.5, 0 } },
	{ "handlers without hooks of their own",
	  { .wall_s = 10, .run_s = 10, .isr_s = 4, .self_s = 2 },
	  { 0, 0.4, 0, 0.6, 0 } },
	{ "torn self times", { .wall_s = 10, .run_s = 5, .self_s = 7 }, { 0.5, 0, 0.5, 0, 0 } },
	{ "it does not say how long it ran",
	  { .wall_s = 10, .self_s = 7 },
	  { NAN, NAN, NAN, NAN, NAN } },
};

static void duty_of(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(duties) / sizeof(duties[0]); i++) {
		double share[DUTIES], sum = 0;

		health_duty(&duties[i].s, share);
		for (int k = 0; k < DUTIES; k++) {
			sum += share[k];
			if (isnan(duties[i].share[k]) ? !isnan(share[k]) :
			    fabs(share[k] - duties[i].share[k]) > 1e-9)
				fail_msg("%s: share %d is %g", duties[i].what, k, share[k]);
		}
		assert_true(isnan(sum) || fabs(sum - 1) < 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_joined),
		cmocka_unit_test(began_anew),
		cmocka_unit_test(duty_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
