/* A meter's samples: windows against sums made sample by sample, thinning, edges, the map. */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/power/power.h"

#define HZ 100000.0
enum { SAMPLES = 300000, SLOW_HZ = 8, AWAYS = 20000 };

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* --- samples with holes, kept beside as they are ---------------------------------------------- */

struct made {
	struct power *power;
	float *all;			/* NaN: missing */
	uint64_t first, count;
};

static struct made made_new(size_t bytes, uint64_t first)
{
	struct made m = { .power = power_new(bytes), .first = first, .count = SAMPLES };
	uint32_t seed = 7;
	uint64_t at = 0;

	m.all = malloc(SAMPLES * sizeof(*m.all));
	assert_true(m.power && m.all);
	for (size_t i = 0; i < SAMPLES; i++)
		m.all[i] = NAN;
	power_set_rate(m.power, HZ, 100);
	while (at < SAMPLES) {
		uint64_t n = 1 + random_next(&seed) % (random_next(&seed) % 4 ? 900 : 20000);
		float *run = m.all + at;

		if (n > SAMPLES - at)
			n = SAMPLES - at;
		for (size_t i = 0; i < n; i++)
			run[i] = (float)(random_next(&seed) % 1000) * 1e-5f;
		if (random_next(&seed) % 3 == 0)
			run[n / 2] = NAN;	/* told as no number */
		assert_int_equal(power_add(m.power, first + at, run, n, NULL), 0);
		at += n;
		if (random_next(&seed) % 5 == 0)
			at += random_next(&seed) % 15000;
	}
	m.count = power_end(m.power) - first;
	return m;
}

static void made_free(struct made *m)
{
	power_free(m->power);
	free(m->all);
}

static struct power_span span_made(const struct made *m, uint64_t from, uint64_t to)
{
	struct power_span s = { .grain = 1 };
	double sum = 0;

	for (uint64_t i = from - m->first; i < to - m->first; i++) {
		double a = (double)m->all[i];

		if (isnan(a)) {
			s.missing++;
			continue;
		}
		s.min = !s.count || a < s.min ? a : s.min;
		s.max = !s.count || a > s.max ? a : s.max;
		sum += a;
		s.count++;
	}
	s.mean = s.count ? sum / (double)s.count : 0;
	s.charge = sum / HZ;
	return s;
}

static void spans_equal(const struct power_span *a, const struct power_span *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->missing, b->missing);
	assert_true(a->min == b->min && a->max == b->max);
	assert_true(fabs(a->mean - b->mean) <= 1e-6 * fabs(b->mean));
	assert_true(fabs(a->charge - b->charge) <= 1e-6 * fabs(b->charge));
}

static void windows_are_exact(void **state)
{
	static const uint64_t firsts[] = { 0, 12345, UINT64_C(1) << 40 };
	uint32_t seed = 3;

	(void)state;
	for (size_t k = 0; k < COUNT(firsts); k++) {
		struct made m = made_new(0, firsts[k]);

		for (int i = 0; i < UNIT_TRIALS(400); i++) {
			uint64_t most = i % 2 ? 3000 : m.count;
			uint64_t from = m.first + random_next(&seed) % (m.count - 1);
			uint64_t to = from + 1 + random_next(&seed) % most;
			struct power_span got, made;

			if (to > m.first + m.count)
				to = m.first + m.count;
			made = span_made(&m, from, to);
			assert_int_equal(power_span(m.power, from, to, &got), made.count > 0);
			if (made.count)
				spans_equal(&got, &made);
			assert_int_equal(got.grain, 1);
		}
		assert_int_equal(power_count(m.power) + power_missing(m.power), m.count);
		made_free(&m);
	}
}

static void what_is_beyond_both_ends_is_none(void **state)
{
	struct made m = made_new(0, 1000);
	struct power_span all, wide;

	(void)state;
	assert_true(power_span(m.power, 1000, 1000 + m.count, &all));
	assert_true(power_span(m.power, 0, UINT64_MAX, &wide));
	spans_equal(&all, &wide);
	assert_false(power_span(m.power, 0, 1000, &wide));
	assert_false(power_span(m.power, 1000 + m.count, UINT64_MAX, &wide));
	assert_false(power_span(m.power, 5000, 5000, &wide));
	assert_true(isnan(power_at(m.power, 999)) && isnan(power_at(m.power, 1000 + m.count)));
	assert_true(power_at(m.power, 1000) == m.all[0]);
	made_free(&m);
}

/* With little memory: sums stay right to the grain at both ends, extremes are never lost. */
static void older_parts_become_coarser(void **state)
{
	static const size_t bytes[] = { 1 << 20, 1 << 18, 1 << 16, 1 << 12 };
	uint32_t seed = 5;

	(void)state;
	for (size_t k = 0; k < COUNT(bytes); k++) {
		struct made m = made_new(bytes[k], 0);
		uint64_t coarsest = 0;

		assert_true(power_memory(m.power) < 3 * bytes[k] + 200000);
		for (int i = 0; i < UNIT_TRIALS(300); i++) {
			uint64_t from = random_next(&seed) % (m.count - 1);
			uint64_t to = from + 1 + random_next(&seed) % (m.count - from);
			struct power_span got, inner, outer = { 0 };
			uint64_t g;
			bool any = power_span(m.power, from, to, &got);

			g = got.grain > 1 ? got.grain : 0;
			coarsest = g > coarsest ? g : coarsest;
			outer = span_made(&m, from > g ? from - g : 0,
					  to + g < m.count ? to + g : m.count);
			if (!any)
				continue;
			assert_true(got.min >= outer.min && got.max <= outer.max);
			assert_true(got.charge <= outer.charge * (1 + 1e-6));
			if (to - from <= 2 * g)
				continue;
			inner = span_made(&m, from + g, to - g);
			assert_true(!inner.count || (got.min <= inner.min && got.max >= inner.max));
			assert_true(got.charge >= inner.charge * (1 - 1e-6));
		}
		assert_true(coarsest >= (k < 1 ? 16 : k < 2 ? 256 : 4096));
		made_free(&m);
	}
}

/* All of it, however coarse. */
static void the_whole_stays_right(void **state)
{
	(void)state;
	for (size_t bytes = 1 << 22; bytes >= 1 << 12; bytes /= 4) {
		struct made m = made_new(bytes, 0);
		struct power_span got, made = span_made(&m, 0, m.count);

		assert_true(power_span(m.power, 0, m.count, &got));
		spans_equal(&got, &made);
		made_free(&m);
	}
}

/* A day of silence between two samples takes no memory and no time. */
static void a_long_pause_takes_nothing(void **state)
{
	struct power *p = power_new(0);
	const float a = 1;
	struct power_span s;

	(void)state;
	power_set_rate(p, HZ, 0);
	power_add(p, 0, &a, 1, NULL);
	power_add(p, UINT64_C(1) << 50, &a, 1, NULL);
	assert_true(power_memory(p) < 100000);
	assert_true(power_span(p, 0, UINT64_MAX, &s));
	assert_int_equal(s.count, 2);
	assert_int_equal(s.missing, (UINT64_C(1) << 50) - 1);
	power_arrived(p, UINT64_C(1) << 50, UINT64_C(1) << 40, 0);
	power_add(p, UINT64_C(1) << 53, &a, 1, NULL);
	power_arrived(p, UINT64_C(1) << 53, UINT64_C(1) << 41, 0);	/* no anchor a second */
	assert_true(power_memory(p) < 200000);
	assert_false(power_span(p, 5, UINT64_C(1) << 49, &s));
	assert_int_equal(s.missing, (UINT64_C(1) << 49) - 5);
	power_free(p);
}

static void what_comes_again_is_left_out(void **state)
{
	static const float first[] = { 1, 2, 3, 4 }, again[] = { 9, 9, 5, 6 };
	struct power *p = power_new(0);
	struct power_span s;

	(void)state;
	power_set_rate(p, 10, 0);
	power_add(p, 10, first, 4, NULL);
	power_add(p, 12, again, 4, NULL);
	power_add(p, 3, first, 4, NULL);
	assert_true(power_span(p, 0, 100, &s));
	assert_int_equal(s.count, 6);
	assert_true(s.max == 6 && fabs(s.charge - 2.1) < 1e-9);
	power_set_rate(p, 20, 0);	/* another rate: nothing of it is kept */
	assert_int_equal(power_count(p), 0);
	power_free(p);
}

static void inputs_are_kept_as_edges(void **state)
{
	static const uint8_t bits[] = { 0, 0, 1, 1, 3, 3, 3, 0 };
	static const struct power_edge expected[] = {
		{ 100, 0 }, { 102, 1 }, { 104, 3 }, { 107, 0 },
	};
	struct power *p = power_new(0);
	const struct power_edge *e;
	float amps[COUNT(bits)] = { 0 };

	(void)state;
	power_set_rate(p, HZ, 0);
	power_add(p, 100, amps, 3, bits);
	power_add(p, 103, amps, 5, bits + 3);
	assert_int_equal(power_edges(p, &e), COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++)
		assert_true(e[i].tick == expected[i].tick && e[i].bits == expected[i].bits);
	assert_int_equal(power_edges_gone(p), 0);
	power_free(p);
}

/* --- the host's time -------------------------------------------------------------------------- */

/* Chunks of 4 ms that arrive up to 3 ms late, by a clock that is 80 ppm fast. */
static void chunks_arrive(struct power *p, uint64_t first, double begin_s, unsigned count)
{
	static float amps[400];
	uint32_t seed = 11;

	for (unsigned i = 0; i < count; i++) {
		uint64_t at = first + i * 400u;
		double taken = begin_s + ((double)(i + 1) * 400 - 1) / HZ / (1 + 80e-6);

		power_add(p, at, amps, 400, NULL);
		taken += random_next(&seed) % 3000 * 1e-6;
		power_arrived(p, at + 399, (uint64_t)(taken * 1e9), 0);
	}
}

static double error_of(const struct power *p, uint64_t tick, uint64_t first, double begin_s)
{
	struct clock_moment m = power_host(p, tick);

	assert_false(isnan(m.uncertainty));
	return fabs((double)m.ns * 1e-9 - begin_s - (double)(tick - first) / HZ / (1 + 80e-6)) -
	       m.uncertainty * 1e-9;
}

static void ticks_and_times_go_both_ways(void **state)
{
	struct power *p = power_new(0);
	double uncertainty;

	(void)state;
	power_set_rate(p, HZ, 1000);
	assert_true(isnan(power_host(p, 0).uncertainty));
	chunks_arrive(p, 0, 50, 30000);		/* two minutes */
	for (uint64_t tick = 0; tick < 12000000; tick += 99991) {
		struct clock_moment m = power_host(p, tick);
		double back = power_tick(p, m.ns, &uncertainty);

		assert_true(error_of(p, tick, 0, 50) < 60e-6);
		assert_true(fabs(back - (double)tick) < 1.01);
		assert_true(uncertainty >= 0 && uncertainty < 300);
	}
	power_free(p);
}

/* Away for ten seconds: each part has its own map, the time between has no ticks. */
static void a_meter_that_was_away_has_another_map(void **state)
{
	struct power *p = power_new(0);
	double uncertainty;

	(void)state;
	power_set_rate(p, HZ, 1000);
	chunks_arrive(p, 0, 50, 5000);		/* 20 s */
	power_restart(p);
	chunks_arrive(p, 2000000, 80, 5000);
	for (uint64_t tick = 100000; tick < 2000000; tick += 99991)
		assert_true(error_of(p, tick, 0, 50) < 100e-6);
	for (uint64_t tick = 2000000; tick < 4000000; tick += 99991)
		assert_true(error_of(p, tick, 2000000, 80) < 100e-6);
	assert_true(fabs(power_tick(p, UINT64_C(75) * 1000000000, &uncertainty) - 2e6) < 1.01);
	assert_int_equal(power_clock(p)->restarts, 1);
	power_free(p);
}

/* Away again and again: more maps than are kept. Memory and time stay within bounds. */
static void a_meter_that_is_away_all_the_time(void **state)
{
	struct power *p = power_new(1 << 20);
	const float amps[SLOW_HZ] = { 0 };
	uint64_t arrival = 0, tick = 0;
	double uncertainty;
	size_t most = 0;

	(void)state;
	power_set_rate(p, SLOW_HZ, 1000);
	for (unsigned i = 0; i < AWAYS; i++) {
		for (unsigned k = 0; k < 12; k++, tick += SLOW_HZ) {
			assert_int_equal(power_add(p, tick, amps, SLOW_HZ, NULL), 0);
			arrival += CLOCK_SECOND;
			power_arrived(p, tick + SLOW_HZ - 1, arrival, 0);
		}
		power_restart(p);
		arrival += CLOCK_SECOND;
		if (i == AWAYS / 2)
			most = power_memory(p);
	}
	assert_true(power_memory(p) < most + (1 << 20));
	assert_false(isnan(power_host(p, tick - 1).uncertainty));
	assert_true(isnan(power_host(p, 0).uncertainty));	/* the first one is let go */
	assert_true(fabs(power_tick(p, arrival - 2 * CLOCK_SECOND, &uncertainty) -
			 (double)(tick - 1 - SLOW_HZ)) < 1);
	assert_false(isnan(uncertainty));
	power_free(p);
}

static void no_memory_is_survived(void **state)
{
	static float amps[20000];

	(void)state;
	for (long fail = 0; fail < 12; fail++) {
		struct power *p = power_new(0);
		struct power_span s;

		assert_non_null(p);
		power_set_rate(p, HZ, 0);
		mem_fail_after(fail);
		assert_int_not_equal(power_add(p, 0, amps, 20000, NULL), fail < 3 ? 0 : 1);
		mem_fail_after(-1);
		power_add(p, 30000, amps, 20000, NULL);
		assert_true(power_span(p, 30000, 50000, &s));
		assert_int_equal(s.count, 20000);
		power_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_exact),
		cmocka_unit_test(what_is_beyond_both_ends_is_none),
		cmocka_unit_test(older_parts_become_coarser),
		cmocka_unit_test(the_whole_stays_right),
		cmocka_unit_test(a_long_pause_takes_nothing),
		cmocka_unit_test(what_comes_again_is_left_out),
		cmocka_unit_test(inputs_are_kept_as_edges),
		cmocka_unit_test(ticks_and_times_go_both_ways),
		cmocka_unit_test(a_meter_that_was_away_has_another_map),
		cmocka_unit_test(a_meter_that_is_away_all_the_time),
		cmocka_unit_test(no_memory_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
