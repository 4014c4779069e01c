/*
 * axis: events of a second way on the first one's time: of the same counter, of two clocks, beside
 * a first way that tells no time for long.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/node/parts.h"

enum { FIRST = 0, SECOND = 1, LANE = 0 };

#define CORE_HZ 72e6
#define HOST_HZ 1e9
#define ROUND (UINT64_C(1) << 32)

/* Nothing is read of the second input: it is there to be told apart. */
static struct node *node_across_new(void)
{
	struct node *n = node_new(&(struct node_options){ .source = "/dev/null" }, NULL);

	assert_non_null(n);
	n->across.input = SECOND;
	n->inputs[SECOND].node = n;
	n->arrival_ns = clock_now();
	return n;
}

/* As a decoder's sink does. */
static void seeing_tell(struct node *n, int way, const struct wire_seeing *seeing)
{
	if (!axis_seeing(&n->inputs[way], seeing))
		seen_setup(n, seeing);
}

static void value_tell(struct node *n, int way, uint64_t ticks, int64_t value)
{
	struct wire_event e = { .kind = EVENT_VALUE, .note = WATCH_NOTES + (uint32_t)way,
				.ticks = ticks, .value = value };

	if (!axis_events(&n->inputs[way], &e, 1))
		seen_events(n, &e, 1);
}

static size_t notes_count(const struct node *n)
{
	return n->calls.trace ? trace_notes_until(n->calls.trace, LANE, UINT64_MAX) : 0;
}

/* The i-th note, and how long after the first one it was, in ticks. */
static void assert_note(const struct node *n, size_t i, int64_t value, uint64_t since)
{
	struct trace_event first = trace_note(n->calls.trace, LANE, 0);
	struct trace_event e = trace_note(n->calls.trace, LANE, i);

	assert_int_equal(e.value, value);
	assert_int_equal(e.ticks - first.ticks, since);
}

/* CYCCNT of both, whose zeros are apart; in between it begins again at 0. */
static void one_counter_has_one_time(void **state)
{
	struct node *n = node_across_new();
	uint64_t zero = 5 * ROUND;

	(void)state;
	seeing_tell(n, FIRST, &(struct wire_seeing){ CORE_HZ, .cycles = true, .cycle = 1000 });
	seeing_tell(n, SECOND, &(struct wire_seeing){ CORE_HZ, .cycles = true, .cycle = 400 });
	value_tell(n, FIRST, zero - 500, 1);
	value_tell(n, SECOND, 600 + zero - 100, 2);	/* 100 before the counter's end */
	assert_int_equal(notes_count(n), 1);		/* it is not reached yet */
	value_tell(n, SECOND, 600 + 50, 3);	/* and 50 behind it, its own round unknown */
	value_tell(n, FIRST, zero + 300, 4);
	assert_int_equal(notes_count(n), 4);
	assert_note(n, 1, 2, 400);
	assert_note(n, 2, 3, 550);
	assert_note(n, 3, 4, 800);
	assert_true(axis_apart(n) == 0);
	node_free(n);
}

/* The first one's stamps before and behind an event are its bounds: how far apart is told. */
static void two_clocks_meet_by_arrivals(void **state)
{
	struct node *n = node_across_new();

	(void)state;
	seeing_tell(n, FIRST, &(struct wire_seeing){ CORE_HZ });
	seeing_tell(n, SECOND, &(struct wire_seeing){ CORE_HZ / 2 });
	assert_true(isnan(axis_apart(n)));
	value_tell(n, FIRST, 10000, 1);
	value_tell(n, SECOND, 1000, 2);			/* at 10000 or later */
	assert_int_equal(notes_count(n), 1);
	n->arrival_ns += CLOCK_SECOND / 10;
	value_tell(n, FIRST, 10720, 3);			/* it was before this one */
	assert_int_equal(notes_count(n), 3);
	assert_note(n, 1, 2, 0);
	assert_note(n, 2, 3, 720);
	assert_true(fabs(axis_apart(n) - 720 / CORE_HZ) < 1e-12);
	/* the second one's ticks are two of the first one's */
	value_tell(n, SECOND, 1500, 4);
	value_tell(n, FIRST, 13000, 5);
	assert_note(n, 3, 4, 1000);
	/* from another zero: what was known of the distance is not */
	value_tell(n, FIRST, 50, 6);
	assert_true(isnan(axis_apart(n)));
	node_free(n);
}

/* More than wait at a time: none is lost, and their order stays. */
static void none_that_waits_is_lost(void **state)
{
	struct node *n = node_across_new();

	(void)state;
	seeing_tell(n, FIRST, &(struct wire_seeing){ CORE_HZ, .cycles = true });
	seeing_tell(n, SECOND, &(struct wire_seeing){ CORE_HZ, .cycles = true });
	for (int i = 0; i < 3 * AXIS_HELD; i++)
		value_tell(n, SECOND, 1000 + 10 * (uint64_t)i, i);
	assert_int_equal(notes_count(n), 2 * AXIS_HELD);
	assert_true(axis_timeout(n, n->arrival_ns) > 0);
	axis_release(n);
	assert_int_equal(axis_timeout(n, n->arrival_ns), -1);
	assert_int_equal(notes_count(n), 3 * AXIS_HELD);
	for (int i = 0; i < 3 * AXIS_HELD; i++)
		assert_note(n, (size_t)i, i, 10 * (uint64_t)i);
	node_free(n);
}

/*
 * The first way has a clock, and nothing to tell for long: the second one's clock is the trace's.
 * When it tells something after all, the trace begins again, by its clock.
 */
static void who_tells_late_has_the_clock(void **state)
{
	struct node *n = node_across_new();

	(void)state;
	seeing_tell(n, FIRST, &(struct wire_seeing){ HOST_HZ, .ordered = true });
	seeing_tell(n, SECOND, &(struct wire_seeing){ CORE_HZ, .cycles = true });
	n->arrival_ns = clock_now() - 3 * CLOCK_SECOND;
	value_tell(n, SECOND, 72000, 1);
	value_tell(n, SECOND, 144000, 2);
	assert_int_equal(notes_count(n), 0);
	axis_service(n);
	assert_int_equal(notes_count(n), 2);
	assert_note(n, 1, 2, 72000);
	assert_true(trace_ticks_per_second(n->calls.trace) == CORE_HZ);
	n->arrival_ns = clock_now();
	value_tell(n, FIRST, 5000, 3);
	assert_int_equal(notes_count(n), 1);
	assert_note(n, 0, 3, 0);
	assert_true(trace_ticks_per_second(n->calls.trace) == HOST_HZ);
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_counter_has_one_time),
		cmocka_unit_test(two_clocks_meet_by_arrivals),
		cmocka_unit_test(none_that_waits_is_lost),
		cmocka_unit_test(who_tells_late_has_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
