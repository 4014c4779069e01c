/* Cycles of a sample: sleep with the counter on and off, gaps, counters that are set back. */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/wire/probe/cycles.h"

enum { SAMPLES = 4000, BURST = 10 };

/* Awake and asleep in turn, BURST samples each, a sample each `span` cycles of the clock. */
static struct cycles cycles_made(uint32_t first, uint32_t span, bool sleeps, bool stands)
{
	struct cycles c = { .odd = 0 };
	uint32_t count = first;
	bool before = false;

	for (int i = 0; i < SAMPLES; i++) {
		bool asleep = sleeps && i / BURST % 2;

		/* On the way to sleep and back half of the span is awake. */
		count += !stands || (!before && !asleep) ? span : before && asleep ? 0 : span / 2;
		cycles_read(&c, count);
		cycles_sample(&c, asleep);
		before = asleep;
	}
	return c;
}

static void a_period_is_the_same_in_sleep(void **state)
{
	static const struct { uint32_t first, span; bool sleeps, stands; } rows[] = {
		{ 0, 72000, false, false }, { 0, 72000, true, false }, { 0, 72000, true, true },
		{ UINT32_MAX - 100, 3200, true, true }, { 0, 1u << 30, false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct cycles c = cycles_made(rows[i].first, rows[i].span, rows[i].sleeps,
					  rows[i].stands);

		assert_true(fabs(cycles_period(&c) / rows[i].span - 1) < 0.002);
	}
}

/* What lies between two connections, or in a halt, is of no sample. */
static void gaps_are_left_out(void **state)
{
	struct cycles c = { .odd = 0 };
	uint32_t count = 0;

	(void)state;
	for (int i = 0; i < SAMPLES; i++) {
		if (i % 100 == 50) {
			cycles_gap(&c);
			count += 72000000;
		}
		cycles_read(&c, count += 1000);
		cycles_sample(&c, false);
	}
	assert_true(cycles_period(&c) == 1000);
	/* Without the counter there is a gap, too. */
	cycles_sample(&c, false);
	cycles_read(&c, count += 72000000);
	cycles_sample(&c, false);
	assert_true(cycles_period(&c) == 1000);
}

/* Firmware that sets it to 0 for measurements of its own: now and then, or all the time. */
static void a_counter_that_is_set_back_is_not_trusted(void **state)
{
	static const struct { int each; bool known; } rows[] = { { 500, true }, { 20, false } };

	(void)state;
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct cycles c = { .odd = 0 };
		uint32_t count = 0;

		for (int i = 0; i < SAMPLES; i++) {
			count = i % rows[k].each == 0 ? 100 : count + 1000;
			cycles_read(&c, count);
			cycles_sample(&c, false);
		}
		assert_true(rows[k].known ? fabs(cycles_period(&c) - 1000) < 5 :
					    cycles_period(&c) == 0);
	}
}

static void few_samples_tell_nothing(void **state)
{
	struct cycles c = { .odd = 0 };

	(void)state;
	assert_true(cycles_period(&c) == 0);
	for (uint32_t i = 0; i < CYCLES_LEAST; i++) {
		cycles_read(&c, 10 * i);
		cycles_sample(&c, false);
		assert_true(cycles_period(&c) == 0);
	}
	cycles_read(&c, 10 * CYCLES_LEAST);
	cycles_sample(&c, true);
	assert_true(cycles_period(&c) == 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_period_is_the_same_in_sleep),
		cmocka_unit_test(gaps_are_left_out),
		cmocka_unit_test(a_counter_that_is_set_back_is_not_trusted),
		cmocka_unit_test(few_samples_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
