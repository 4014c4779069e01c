/*
 * history_paces: what a late row's increment gives each moment, by hand: in units of
 * profile_stamp(), of which a moment has ten.
 */
#include "tests/unit/unit.h"

#include "core/history/take.h"

enum { LENGTH = 10, NOW = 10000 };

struct pacer {
	struct history h;
	struct profile p;
	struct take t;
	struct history_pace k;
};

/* The row last came at `then`; its node has told all at `told`, and before. */
static struct pacer *pacer_new(uint32_t then, uint32_t told)
{
	struct pacer *r = calloc(1, sizeof(*r));

	r->t.h = &r->h;
	r->t.p = &r->p;
	r->t.now = NOW;
	r->t.length = LENGTH;
	r->k.heard = then;
	r->h.told[0] = told;
	r->h.told[1] = told - 3;
	r->h.told[2] = told - 10;
	return r;
}

static void assert_paced(struct paced is, int64_t calls, int64_t total)
{
	assert_int_equal(is.calls, calls);
	assert_int_equal(is.total, total);
}

/* What stands behind the times that were told stays as it is. */
static void assert_untouched(const struct pacer *r)
{
	static const uint8_t none[sizeof(r->h.begun)];

	assert_memory_equal(&r->h.begun, none, sizeof(none));
}

/* --- a moment's begin and end ----------------------------------------------------------------- */

static uint64_t stamp_ns(uint64_t stamp)
{
	return stamp << 20;
}

static void a_moment_with_rows_and_a_length_has_paces(void **state)
{
	static const struct {
		uint64_t heard, length, number;
		bool began, paced, again;
	} rows[] = {
		{ 0, LENGTH, 0, false, false, false }, { NOW, 0, 0, false, false, false },
		{ NOW, LENGTH, 0, false, true, true }, { NOW, LENGTH, 4, false, true, false },
		{ NOW, LENGTH, 4, true, true, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(0, 500);

		r->t.now = 0;
		r->t.length = 0;
		r->p.heard_ns = stamp_ns(rows[i].heard);
		r->t.kept.m.length_ns = stamp_ns(rows[i].length);
		r->t.kept.m.time_ns = stamp_ns(NOW + 1);
		r->t.kept.m.began = rows[i].began;
		r->h.number = rows[i].number;
		history_paces_begin(&r->t);
		assert_int_equal(r->t.paced, rows[i].paced);
		assert_int_equal(r->t.now, rows[i].paced ? NOW + 1 : 0);
		assert_float_equal(r->t.length, rows[i].paced ? LENGTH : 0, 0);
		/* nothing is known from before the moment of a restart */
		assert_int_equal(r->h.told[0], rows[i].again ? NOW + 1 - LENGTH : 500);
		assert_int_equal(r->h.told[1], rows[i].again ? NOW + 1 - LENGTH : 497);
		assert_int_equal(r->h.told[2], rows[i].again ? NOW + 1 - LENGTH : 490);
		assert_untouched(r);
		free(r);
	}
}

/* The newest refreshes that told all, each once. */
static void what_was_told_is_remembered(void **state)
{
	static const struct { uint64_t told, want[HISTORY_TOLD]; } rows[] = {
		{ 0, { 511, 508, 501 } }, { 511, { 511, 508, 501 } }, { 520, { 520, 511, 508 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(0, 511);

		r->p.told_ns = stamp_ns(rows[i].told);
		history_paces_end(&r->t);
		for (int k = 0; k < HISTORY_TOLD; k++)
			assert_int_equal(r->h.told[k], rows[i].want[k]);
		assert_untouched(r);
		free(r);
	}
}

/* --- a row comes ------------------------------------------------------------------------------ */

/* An increment over its time, of which a moment has ten units. */
static void an_increment_is_spread_over_its_time(void **state)
{
	static const struct {
		uint32_t then, told, heard;
		int64_t calls, total;
		double unsaid;
		int64_t paced_calls, paced_total;
		uint32_t until;
	} rows[] = {
		/* since the row came before; a shorter time than the moment's is the moment's */
		{ NOW - 40, NOW - 90, NOW, 80, 400, 0, 20, 100, NOW + 50 },
		{ NOW - 9, NOW - 90, NOW, 80, 400, 0, 80, 400, NOW + 20 },
		{ NOW - 10, NOW - 90, NOW, 80, 400, 0, 80, 400, NOW + 20 },
		{ NOW - 11, NOW - 90, NOW, 88, 440, 0, 80, 400, NOW + 21 },
		{ NOW - 40, NOW - 90, NOW, 80, 0, 0, 20, 0, NOW + 50 },
		{ NOW - 40, NOW - 90, NOW, 0, 400, 0, 0, 100, NOW + 50 },
		/* it was left out of three refreshes: since the last of them */
		{ NOW - 40, NOW - 20, NOW, 80, 400, 0, 40, 200, NOW + 30 },
		{ NOW - 40, NOW - 30, NOW, 60, 300, 0, 15, 75, NOW + 50 },
		{ NOW - 41, NOW - 30, NOW, 60, 300, 0, 20, 100, NOW + 40 },
		/* but for what it may have left out of them */
		{ NOW - 80, NOW - 20, NOW, 80, 400, 40, 20, 100, NOW + 50 },
		{ NOW - 80, NOW - 20, NOW, 80, 400, 160, 10, 50, NOW + 90 },
		{ NOW - 80, NOW - 20, NOW, 0, 400, 0.5, 0, 100, NOW + 50 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(rows[i].then, rows[i].told);
		struct paced n = { rows[i].calls, rows[i].total };

		n = history_pace_take(&r->t, &r->k, rows[i].heard, n, rows[i].unsaid);
		assert_paced(n, rows[i].paced_calls, rows[i].paced_total);
		assert_int_equal(r->k.heard, rows[i].heard);
		assert_in_range(r->k.until, rows[i].until - 1, rows[i].until);
		free(r);
	}
}

/* A correction is of this moment alone, and no pace of later ones. */
static void a_count_that_shrank_is_of_its_moment(void **state)
{
	static const struct paced rows[] = {
		{ -5, 3 }, { 5, -3 }, { -5, -3 }, { -1, 0 }, { 0, -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(NOW - 40, NOW - 90);

		r->k.calls = r->k.total = 2;
		r->k.part = 0.5F;
		assert_paced(history_pace_take(&r->t, &r->k, NOW, rows[i], 0), rows[i].calls,
			     rows[i].total);
		assert_int_equal(r->k.heard, NOW);
		assert_int_equal(r->k.until, NOW);
		assert_true(r->k.calls == 0 && r->k.total == 0 && r->k.part == 0);
		free(r);
	}
}

/* It came and had not changed: nothing happened since. Without it the pace goes on. */
static void a_row_that_comes_sets_its_pace(void **state)
{
	static const struct {
		uint32_t heard;
		int64_t calls, total, paced_calls, paced_total;
	} rows[] = {
		{ NOW, 0, 0, 0, 0 }, { NOW - 40, 0, 0, 20, 30 }, { NOW - 40, 5, 0, 5, 0 },
		{ NOW - 40, 0, 5, 0, 5 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(NOW - 40, NOW - 90);
		struct paced n = { rows[i].calls, rows[i].total };

		r->k.calls = 2;
		r->k.total = 3;
		r->k.until = NOW + 10;
		assert_paced(history_pace_take(&r->t, &r->k, rows[i].heard, n, 0),
			     rows[i].paced_calls, rows[i].paced_total);
		free(r);
	}
}

/* --- a row does not come ---------------------------------------------------------------------- */

/*
 * It goes on as it did, until it is overdue. Where it was left out of refreshes it has had at most
 * what they may leave out.
 */
static void without_a_row_it_goes_on(void **state)
{
	static const struct {
		float calls, total;
		uint32_t until;
		bool quiet;
		double unsaid;
		int64_t paced_calls, paced_total;
	} rows[] = {
		{ 2, 6, NOW, false, 0, 20, 60 }, { 2, 6, NOW - 1, false, 0, 0, 0 },
		{ 2, 0, NOW + 5, false, 0, 20, 0 }, { 2, 0, NOW - 5, false, 0, 0, 0 },
		{ 0, 6, NOW + 5, false, 0, 0, 60 }, { 0, 6, NOW - 5, false, 0, 0, 0 },
		{ 2, 6, NOW + 5, true, 10, 10, 30 }, { 2, 6, NOW + 5, true, 20, 20, 60 },
		{ 2, 6, NOW + 5, true, 40, 20, 60 }, { 2, 6, NOW + 5, true, 0, 0, 0 },
		{ 2, 0, NOW + 5, true, 10, 10, 0 }, { 0, 6, NOW + 5, true, 0, 0, 0 },
		{ 0, 0, NOW + 5, true, 10, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(NOW - 40, rows[i].quiet ? NOW - 20 : NOW - 90);
		struct paced n = { 0, 0 };

		r->k.calls = rows[i].calls;
		r->k.total = rows[i].total;
		r->k.until = rows[i].until;
		n = history_pace_take(&r->t, &r->k, r->k.heard, n, rows[i].unsaid);
		assert_paced(n, rows[i].paced_calls, rows[i].paced_total);
		free(r);
	}
}

/* Fractions of calls are carried on: no call is lost. A float's error is none. */
static void fractions_are_carried_on(void **state)
{
	static const struct {
		float pace;
		unsigned moments;
		double length;
		int64_t calls;
	} rows[] = {
		{ 0.05F, 40, 10, 20 }, { 0.075F, 40, 10, 30 }, { 0.7F, 1, 10, 7 },
		{ 0.7F, 1, 10000, 7000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pacer *r = pacer_new(NOW - 40, NOW - 90);
		int64_t calls = 0;

		r->t.length = rows[i].length;
		r->k.calls = rows[i].pace;
		r->k.until = NOW;
		for (unsigned n = 0; n < rows[i].moments; n++) {
			int64_t now = history_pace_take(&r->t, &r->k, r->k.heard,
							(struct paced){ 0, 0 }, 0).calls;

			assert_in_range(now, floor((double)rows[i].pace * rows[i].length),
					ceil((double)rows[i].pace * rows[i].length));
			calls += now;
		}
		assert_int_equal(calls, rows[i].calls);
		free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_moment_with_rows_and_a_length_has_paces),
		cmocka_unit_test(what_was_told_is_remembered),
		cmocka_unit_test(an_increment_is_spread_over_its_time),
		cmocka_unit_test(a_count_that_shrank_is_of_its_moment),
		cmocka_unit_test(a_row_that_comes_sets_its_pace),
		cmocka_unit_test(without_a_row_it_goes_on),
		cmocka_unit_test(fractions_are_carried_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
