/* health: samples add up, however often they were joined; shares; dips, restarts, silence. */
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

/* Totals at a second, told with a STATUS of that second, self times known. */
static struct health_now now_at(unsigned second, double run, double self)
{
	return (struct health_now){
		.time_ns = (second + 1) * HEALTH_STEP_NS,
		.told_ns = (second + 1) * HEALTH_STEP_NS,
		.selfs = true, .up = true, .of = { [HEALTH_RUN] = run, [HEALTH_SELF] = self },
	};
}

/* 5,000 seconds are more than there is room for: neighbours join, sums stay. */
static void samples_joined(void **state)
{
	struct health *h = health_fresh();
	struct health_now now = now_at(0, 0, 0);
	struct health_sample all;

	(void)state;
	for (unsigned i = 0; i <= 5000; i++) {
		now.time_ns = now.told_ns = (i + 1) * HEALTH_STEP_NS;
		assert_true(health_is_due(h, now.time_ns));
		health_take(h, &now);
		assert_false(health_is_due(h, now.time_ns + HEALTH_STEP_NS / 2));
		now.of[HEALTH_BYTES] += i % 7;
		now.of[HEALTH_CALLS] += 3;
		now.of[HEALTH_RUN] += 0.75;
		now.of[HEALTH_ISR] += 0.125;
	}
	assert_int_equal(h->joined, 8);
	assert_true(health_count(h) <= HEALTH_SAMPLES);
	all = health_range(h, 0, health_count(h));
	assert_near(all.wall_s, health_sum(h, -1).wall_s);
	assert_near(all.of[HEALTH_RUN], health_sum(h, -1).of[HEALTH_RUN]);
	assert_near(health_range(h, 1, 1).wall_s, 0);
	all = health_sum(h, -1);
	assert_near(all.wall_s, 5000);
	assert_near(all.told_s, 5000);
	assert_near(all.of[HEALTH_CALLS], 15000);
	assert_near(all.of[HEALTH_BYTES], now.of[HEALTH_BYTES] - 5000 % 7);
	assert_near(all.of[HEALTH_RUN], 3750);
	assert_near(all.of[HEALTH_ISR], 625);
	assert_near(health_sum(h, 60).wall_s, 64);	/* whole samples of 8 s */
	mem_free(h);
}

/* A restart that the stream tells: what the totals are now came since then. */
static void restart_counted(void **state)
{
	struct health *h = health_fresh();
	struct health_now now = now_at(0, 50, 20);
	struct health_sample all;

	(void)state;
	now.of[HEALTH_ISR] = 7;
	health_take(h, &now);		/* what was before we came does not count */
	now = now_at(1, 51, 21);
	now.of[HEALTH_ISR] = 8;
	health_take(h, &now);
	now = now_at(2, 0.5, 0.25);
	now.of[HEALTH_ISR] = 0.125;
	now.up = false;
	now.restarts = now.resets = 1;
	health_take(h, &now);
	all = health_sum(h, -1);
	assert_near(all.of[HEALTH_RUN], 1.5);
	assert_near(all.of[HEALTH_SELF], 1.25);
	assert_near(all.of[HEALTH_ISR], 1.125);
	assert_near(all.told_s, 1.5);	/* it may have been off for the rest */
	assert_true(all.down);
	assert_false(health_sample(h, 0).down);
	/* The user's reset leaves the node's own counters as they are. */
	now = now_at(3, 0.25, 0);
	now.of[HEALTH_ISR] = 0.375;
	now.restarts = 1;
	now.resets = 2;
	health_take(h, &now);
	all = health_sum(h, -1);
	assert_near(all.of[HEALTH_RUN], 1.75);
	assert_near(all.of[HEALTH_ISR], 1.375);
	mem_free(h);
}

/*
 * Whatever dips a derived total has: the samples add up to the difference of its ends, in the
 * whole and from any sample on, and each real restart counts once.
 */
static void dips_taken_back(void **state)
{
	(void)state;
	srand(11);
	for (unsigned round = 0; round < 200; round++) {
		struct health *h = health_fresh();
		unsigned seconds = 1 + (unsigned)rand() % 3000, restarts = 0;
		double run = rand() % 1000, truth = 0, first = 0, shown = 0;

		for (unsigned i = 0; i <= seconds; i++) {
			struct health_now now;

			if (rand() % 500 == 0) {
				truth += shown;
				run = 0;
				restarts++;
			}
			run += (double)rand() / RAND_MAX;
			/* Late rows, a calibration, names that come late: anything up to all. */
			shown = rand() % 4 ? 0.034 * run : run * ((double)rand() / RAND_MAX);
			now = now_at(i, run, shown);
			now.resets = now.restarts = restarts;
			if (i == 0)
				first = shown;
			health_take(h, &now);
		}
		if (fabs(health_sum(h, -1).of[HEALTH_SELF] - (truth + shown - first)) > 1e-6)
			fail_msg("round %u: %g s, not %g", round,
				 health_sum(h, -1).of[HEALTH_SELF], truth + shown - first);
		mem_free(h);
	}
}

/* A node that is silent or gone: no time is told, and it is not asleep. */
static void silence_unknown(void **state)
{
	struct health *h = health_fresh();
	struct health_sample all;
	double share[DUTIES];

	(void)state;
	for (unsigned i = 0; i <= 200; i++) {
		struct health_now now = now_at(i, i < 100 ? 0.5 * i : 50, 0);

		if (i >= 100) {
			now.told_ns = 101 * HEALTH_STEP_NS;
			now.up = false;
		}
		health_take(h, &now);
	}
	all = health_sum(h, -1);
	health_duty(&all, share);
	assert_near(all.wall_s, 200);
	assert_near(all.told_s, 100);
	assert_near(share[DUTY_ASLEEP], 0.5);
	all = health_sum(h, 60);
	health_duty(&all, share);
	assert_true(isnan(share[DUTY_ASLEEP]));
	mem_free(h);
}

/* Self times that become known late: only from then on, and not the whole past at once. */
static void named_late(void **state)
{
	struct health *h = health_fresh();
	struct health_sample all;
	double share[DUTIES];

	(void)state;
	for (unsigned i = 0; i <= 100; i++) {
		struct health_now now = now_at(i, 1000 + 0.5 * i, i < 60 ? 0 : 400 + 0.2 * i);

		now.selfs = i >= 60;
		health_take(h, &now);
		all = health_sum(h, -1);
		health_duty(&all, share);
		if (i == 59) {
			assert_near(share[DUTY_AWAKE], 0.5);
			assert_true(isnan(share[DUTY_PROFILED]));
		}
	}
	assert_near(share[DUTY_ASLEEP], 0.5);
	assert_near(share[DUTY_PROFILED], 0.2);
	assert_near(share[DUTY_UNPROFILED], 0.3);
	assert_true(isnan(share[DUTY_AWAKE]));
	mem_free(h);
}

#define SAMPLE(wall, run, isr, self, hooks) {						\
	.wall_s = wall, .told_s = wall, .selfs_s = wall,				\
	.of = { [HEALTH_RUN] = run, [HEALTH_ISR] = isr, [HEALTH_SELF] = self,		\
		[HEALTH_HOOKS] = hooks },						\
}

/* The stretch that is shown, in whole samples; one that is shorter than a sample is within one. */
static void stretch_between(void **state)
{
	struct health *h = health_fresh();
	struct health_now now = { .time_ns = 100 * HEALTH_STEP_NS, .up = true };
	static const struct { double begin, end, wall, bytes; } rows[] = {
		{ 0, 1e9, 20, 190 },		/* all of it */
		{ 105, 108, 3, 18 },		/* samples 5, 6 and 7 */
		{ 104.6, 108.4, 3, 18 },
		{ 103.2, 103.3, 1, 3 },		/* less than a sample */
		{ 119, 500, 1, 19 },		/* the newest */
		{ 10, 20, 0, 0 },		/* nothing is known of it */
		{ 500, 600, 0, 0 },
	};

	(void)state;
	for (unsigned i = 0; i <= 20; i++) {
		health_take(h, &now);
		now.time_ns += HEALTH_STEP_NS;
		now.of[HEALTH_BYTES] += i;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct health_sample s = health_between(h, (uint64_t)(rows[i].begin * 1e9),
							(uint64_t)(rows[i].end * 1e9));

		assert_near(s.wall_s, rows[i].wall);
		assert_near(s.of[HEALTH_BYTES], rows[i].bytes);
	}
	mem_free(h);
}

static const struct {
	const char *what;
	struct health_sample s;
	double share[DUTIES];	/* handlers, profiled, unprofiled, awake, hooks, asleep */
} duties[] = {
	{ "all kinds", SAMPLE(10, 6, 1, 3, 1), { 0.1, 0.2, 0.3, NAN, 0.1, 0.3 } },
	{ "a clock that never stands still", SAMPLE(10, 10, 0, 10, 0), { 0, 1, 0, NAN, 0, 0 } },
	{ "a clock that runs faster than ours",
	  SAMPLE(9.9, 10, 0, 5, 0), { 0, 0.5, 0.5, NAN, 0, 0 } },
	{ "handlers without hooks of their own",
	  SAMPLE(10, 10, 4, 2, 0), { 0.4, 0, 0.6, NAN, 0, 0 } },
	{ "torn self times", SAMPLE(10, 5, 0, 7, 0), { 0, 0.5, 0, NAN, 0, 0.5 } },
	{ "self times dip", SAMPLE(10, 5, 1, -3, 0), { 0.1, 0, 0.4, NAN, 0, 0.5 } },
	{ "it does not say how long it ran",
	  SAMPLE(10, 0, 0, 7, 0), { NAN, NAN, NAN, NAN, NAN, NAN } },
	{ "no self times: no image",
	  { .wall_s = 10, .told_s = 10,
	    .of = { [HEALTH_RUN] = 5, [HEALTH_ISR] = 1, [HEALTH_HOOKS] = 1 } },
	  { 0.1, NAN, NAN, 0.4, 0.1, 0.4 } },
};

static void duty_of(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(duties) / sizeof(duties[0]); i++) {
		double share[DUTIES], sum = 0;

		health_duty(&duties[i].s, share);
		for (int k = 0; k < DUTIES; k++) {
			sum += isnan(share[k]) && !isnan(share[0]) ? 0 : share[k];
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
		cmocka_unit_test(restart_counted),
		cmocka_unit_test(dips_taken_back),
		cmocka_unit_test(silence_unknown),
		cmocka_unit_test(named_late),
		cmocka_unit_test(stretch_between),
		cmocka_unit_test(duty_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
