/*
 * watch: bounds as users write them, and what of a profile is beyond them.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/profile/look/watch.h"

static const struct {
	const char *text, *function;
	enum column_id column;
	bool below;
	double bound;
	const char *written;
} bounds[] = {
	{ "clock_tick: max > 300 us", "clock_tick", COLUMN_MAX, false, 300e-6, "max > 300 us" },
	{ "  tick :MAX>300us ", "tick", COLUMN_MAX, false, 300e-6, "max > 300 us" },
	{ "f: calls/s > 1,000", "f", COLUMN_RATE, false, 1000, "calls/s > 1000" },
	{ "f: rate < 0.5", "f", COLUMN_RATE, true, 0.5, "calls/s < 0.5" },
	{ "f: self > 20 %", "f", COLUMN_SELF_PERCENT, false, 0.2, "self% > 20 %" },
	{ "f: self > 1.5 s", "f", COLUMN_SELF, false, 1.5, "self > 1.5 s" },
	{ "f: load < 5%", "f", COLUMN_LOAD, true, 0.05, "load% < 5 %" },
	{ "f: per call > 12.75 ms", "f", COLUMN_PER_CALL, false, 12.75e-3, "per-call > 12.75 ms" },
	{ "f: calls > 12345678", "f", COLUMN_CALLS, false, 12345678, "calls > 12345678" },
	{ "a::b<c>::operator<<(d<e>): min < 1 ns", "a::b<c>::operator<<(d<e>)", COLUMN_MIN, true,
	  1e-9, "min < 1 ns" },
	{ "f: percall > 1 ms", "f", COLUMN_PER_CALL, false, 1e-3, "per-call > 1 ms" },
	{ "f: p90 > 2 ms", "f", COLUMN_P90, false, 2e-3, "p90 > 2 ms" },
	{ "operator>(int): p99 > 2 ms", "operator>(int)", COLUMN_P99, false, 2e-3, "p99 > 2 ms" },
};

static void what_is_written_is_read_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		struct watch w, again;
		char text[WATCH_TEXT];

		assert_int_equal(watch_parse(bounds[i].text, &w, NULL), 0);
		assert_string_equal(w.function, bounds[i].function);
		assert_int_equal(w.column, bounds[i].column);
		assert_int_equal(w.below, bounds[i].below);
		assert_true(fabs(w.bound - bounds[i].bound) <= 1e-12 * bounds[i].bound);
		assert_string_equal(watch_bound(&w, text, sizeof(text)), bounds[i].written);
		assert_int_equal(watch_parse(watch_text(&w, text, sizeof(text)), &again, NULL), 0);
		assert_string_equal(again.function, w.function);
		assert_int_equal(again.column, w.column);
		assert_true(fabs(again.bound - w.bound) <= 1e-6 * w.bound);
	}
}

static void what_is_no_bound_is_refused(void **state)
{
	static const char *const wrong[] = {
		"", ":", ">", "f", "f: max", "f max > 3 us", "f: max > ", "f: max > us",
		"f: max > 3", "f: max > 3 %", "f: rate > 3 us", "f: speed > 3", ": max > 3 us",
		"f: max > -3 us", "f: max > 1e999 us", "f: max > 3 us x", "f: file > 3",
		"f: max > 1.2.3 us", "f: max > 99999999999999999999999999999999999999999999 s",
	};
	char longest[400];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct err err = { 0 };
		struct watch w;

		assert_int_equal(watch_parse(wrong[i], &w, &err), ERR_FORMAT);
		assert_true(err.text[0] && !strchr(err.text, '\n'));
	}
	memset(longest, 'f', sizeof(longest));
	strcpy(longest + 300, ": max > 1 s");
	assert_int_equal(watch_parse(longest, &(struct watch){ 0 }, NULL), ERR_FORMAT);
}

/* The name may stand for several functions: the furthest counts. Unknown figures pass nothing. */
static void what_is_beyond_is_found(void **state)
{
	struct profile_function functions[] = {
		{ .name = "f", .max_s = 100e-6, .rate_calls = NAN },
		{ .name = "f", .max_s = 400e-6, .rate_calls = NAN },
		{ .name = "g", .max_s = 900e-6, .rate_calls = 7 },
	};
	const struct profile p = { .functions = functions, .function_count = 3 };
	const struct column_data d = { .profile = &p };
	struct watch w;
	double value;

	(void)state;
	assert_int_equal(watch_parse("f: max > 300 us", &w, NULL), 0);
	assert_true(watch_passed(&w, &d, &value));
	assert_true(fabs(value - 400e-6) < 1e-12);
	assert_false(watch_function_passed(&w, &d, &functions[0]));
	assert_true(watch_function_passed(&w, &d, &functions[1]));
	w.below = true;
	assert_true(watch_passed(&w, &d, &value));
	assert_true(fabs(value - 100e-6) < 1e-12);
	assert_int_equal(watch_parse("f: max > 400 us", &w, NULL), 0);
	assert_false(watch_passed(&w, &d, &value));
	assert_int_equal(watch_parse("f: rate > 0", &w, NULL), 0);
	assert_false(watch_passed(&w, &d, &value));
	assert_true(isnan(value));
	assert_int_equal(watch_parse("nobody: max > 0 s", &w, NULL), 0);
	assert_false(watch_passed(&w, &d, &value));
	assert_true(isnan(value));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(what_is_no_bound_is_refused),
		cmocka_unit_test(what_is_beyond_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
