/*
 * moment: times as people type them, in recordings of which the wall clock is known or is not; and
 * what is no time.
 */
#include "tests/unit/unit.h"

#include <time.h>

#include "core/base/clock.h"
#include "core/base/moment.h"

#define S CLOCK_SECOND
#define ZERO (1000 * S)			/* of the data's clock, where the recording begins */

/* Ten minutes that began at 23:55:00 UTC on 1 January 2026; it stands at 5:00. */
static const struct moment_span span = {
	.begin = ZERO, .end = ZERO + 600 * S, .at = ZERO + 300 * S, .whole = true,
	.wall_known = true, .wall = (int64_t)((1767225600 + 86400 - 300) * S - ZERO),
};

enum { NONE = -1 };

static const struct {
	const char *text;
	double clocked, plain;		/* s into it, of one with and one without a wall clock */
	enum moment_found found;	/* of both */
} rows[] = {
	{ "23:56:00", 60, 600, MOMENT_FOUND },
	{ "00:01:00", 360, 60, MOMENT_FOUND },
	{ "0:03:20", 500, 200, MOMENT_FOUND },
	{ "23:55:00", 0, 600, MOMENT_FOUND },
	{ "00:05:00", 600, 300, MOMENT_FOUND },
	{ "00:06:00", 360, 360, MOMENT_FOUND },	/* behind its end by the clock: into it */
	{ "12:00:00", 600, 600, MOMENT_BEHIND },
	{ "3:20", 200, 200, MOMENT_FOUND },
	{ "23:57", 120, 600, MOMENT_FOUND },	/* it is no 24 minutes long */
	{ "90", 90, 90, MOMENT_FOUND },
	{ " 1.5 ", 1.5, 1.5, MOMENT_FOUND },
	{ "2m", 120, 120, MOMENT_FOUND },
	{ "2 min", 120, 120, MOMENT_FOUND },
	{ "250ms", 0.25, 0.25, MOMENT_FOUND },
	{ "+30", 330, 330, MOMENT_FOUND },
	{ "-10s", 290, 290, MOMENT_FOUND },
	{ "- 1:30", 210, 210, MOMENT_FOUND },
	{ "+1h", 600, 600, MOMENT_BEHIND },
	{ "-1d", 0, 0, MOMENT_BEFORE },
	{ "40 %", 240, 240, MOMENT_FOUND },
	{ "40%", 240, 240, MOMENT_FOUND },
	{ "12.5 %", 75, 75, MOMENT_FOUND },
	{ "400 %", 600, 600, MOMENT_FOUND },
	{ "start", 0, 0, MOMENT_FOUND },
	{ "END ", 600, 600, MOMENT_FOUND },
	{ "e", 600, 600, MOMENT_FOUND },
	{ "", NONE, NONE, MOMENT_FOUND },
	{ " ", NONE, NONE, MOMENT_FOUND },
	{ "%", NONE, NONE, MOMENT_FOUND },
	{ "+", NONE, NONE, MOMENT_FOUND },
	{ "+-3", NONE, NONE, MOMENT_FOUND },
	{ "-40 %", NONE, NONE, MOMENT_FOUND },
	{ "1:", NONE, NONE, MOMENT_FOUND },
	{ "1:60", NONE, NONE, MOMENT_FOUND },
	{ "1:2:3:4", NONE, NONE, MOMENT_FOUND },
	{ "1:20s", NONE, NONE, MOMENT_FOUND },
	{ "3 apples", NONE, NONE, MOMENT_FOUND },
	{ "ending", NONE, NONE, MOMENT_FOUND },
	{ "nan", NONE, NONE, MOMENT_FOUND },
	{ "0x10", NONE, NONE, MOMENT_FOUND },
	{ "1e9", NONE, NONE, MOMENT_FOUND },
	{ "\xff\xfe", NONE, NONE, MOMENT_FOUND },
};

static void row_check(const char *text, const struct moment_span *s, double expected,
		      enum moment_found found)
{
	enum moment_found said;
	struct moment m;
	uint64_t ns;

	if (expected == NONE) {
		if (moment_parse(text, &m))
			fail_msg("\"%s\" is a time", text);
		return;
	}
	if (!moment_parse(text, &m))
		fail_msg("\"%s\" is no time", text);
	said = moment_find(&m, s, &ns);
	if (ns != ZERO + (uint64_t)(expected * 1e9 + 0.5))
		fail_msg("\"%s\": %.3f s into it, not %.3f", text, (double)(ns - ZERO) / 1e9,
			 expected);
	if (said != found && (s->wall_known || expected < 600))
		fail_msg("\"%s\": found %d, not %d", text, said, found);
}

static void a_time_is_found_in_a_recording(void **state)
{
	struct moment_span plain = span;

	(void)state;
	plain.wall_known = false;
	for (size_t i = 0; i < COUNT(rows); i++) {
		row_check(rows[i].text, &span, rows[i].clocked, rows[i].found);
		row_check(rows[i].text, &plain, rows[i].plain, rows[i].found);
	}
}

static void of_a_length_that_is_not_known_there_is_no_share(void **state)
{
	struct moment_span growing = span;
	struct moment m;
	uint64_t ns;

	(void)state;
	growing.whole = false;
	assert_true(moment_parse("40 %", &m));
	assert_int_equal(moment_find(&m, &growing, &ns), MOMENT_UNKNOWN);
	assert_true(moment_parse("20:00", &m));		/* it may become so long */
	growing.wall_known = false;
	assert_int_equal(moment_find(&m, &growing, &ns), MOMENT_FOUND);
	assert_int_equal(ns, ZERO + 1200 * S);
	assert_true(moment_parse("end", &m));
	assert_int_equal(moment_find(&m, &growing, &ns), MOMENT_FOUND);
	assert_true(ns > growing.end);
}

/* A recording begins within a second; that second is shown, and typed. */
static void the_second_it_began_in_is_its_start(void **state)
{
	struct moment_span late = span;
	struct moment m;
	uint64_t ns;

	(void)state;
	late.wall += (int64_t)(7 * S / 10);
	assert_true(moment_parse("23:55:00", &m));
	assert_int_equal(moment_find(&m, &late, &ns), MOMENT_FOUND);
	assert_int_equal(ns, late.begin);
	assert_true(moment_parse("23:55:01", &m));
	assert_int_equal(moment_find(&m, &late, &ns), MOMENT_FOUND);
	assert_int_equal(ns, late.begin + 3 * S / 10);
}

/* Whatever is typed: what is found is within the recording, or in what it may still become. */
static void nothing_that_is_typed_leaves_the_recording(void **state)
{
	static const char letters[] = "0123456789:.+-% smhdenstartind\t9999";
	struct moment_span spans[3] = { span, span, span };
	uint32_t seed = 1;

	(void)state;
	spans[1].wall_known = false;
	spans[2].wall = INT64_MIN;
	spans[2].end = spans[2].begin;
	for (int i = 0; i < 200000; i++) {
		char text[24];
		size_t n;
		struct moment m;
		uint64_t ns = 0;

		seed = seed * 1664525 + 1013904223;
		n = seed >> 20 & 15;
		for (size_t k = 0; k < n; k++) {
			seed = seed * 1664525 + 1013904223;
			text[k] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		text[n] = '\0';
		if (!moment_parse(text, &m))
			continue;
		for (size_t k = 0; k < COUNT(spans); k++) {
			moment_find(&m, &spans[k], &ns);
			assert_in_range(ns, spans[k].begin, spans[k].end);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_is_found_in_a_recording),
		cmocka_unit_test(of_a_length_that_is_not_known_there_is_no_share),
		cmocka_unit_test(the_second_it_began_in_is_its_start),
		cmocka_unit_test(nothing_that_is_typed_leaves_the_recording),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
