/*
 * test_arrivals: the time of day of a trace's times: within a millisecond over days, in bounded
 * memory, though the line is often late.
 */
#include "tests/unit/unit.h"

#include "core/node/parts.h"
#include "core/trace/trace.h"

enum { SECONDS = 100000, TICKS = 1000000, BOUND = 1 << 14, LATE_MS = 40 };

#define BEGAN (UINT64_C(1000) * CLOCK_SECOND)

static void days_are_kept_in_bounded_memory(void **state)
{
	static struct node n;
	uint64_t begin, end, time_ns, ticks;

	(void)state;
	n.calls.trace = trace_new();
	assert_non_null(n.calls.trace);
	trace_setup(n.calls.trace, &(struct wire_tracing){ .encoding = 1, .stamp_shift = 3 },
		    TICKS);
	for (uint64_t i = 0; i < SECONDS; i++) {
		trace_frame(n.calls.trace, &(struct wire_trace){
			.number = (uint8_t)i, .time = (uint32_t)(i * TICKS),
		});
		n.arrival_ns = BEGAN + i * CLOCK_SECOND + i % 5 * LATE_MS * (CLOCK_SECOND / 1000);
		arrivals_note(&n);
		assert_true(n.arrivals.count <= BOUND);
	}
	assert_true(trace_span(n.calls.trace, &begin, &end));
	for (uint64_t i = 0; i < SECONDS; i += 997) {
		assert_true(node_trace_arrival(&n, begin + i * TICKS, &time_ns));
		assert_in_range(time_ns, BEGAN + i * CLOCK_SECOND - CLOCK_SECOND / 1000,
				BEGAN + i * CLOCK_SECOND + CLOCK_SECOND / 1000);
		assert_true(node_trace_ticks(&n, time_ns, &ticks));
		assert_in_range(ticks, begin + i * TICKS - TICKS / 1000,
				begin + i * TICKS + TICKS / 1000);
	}
	assert_true(node_trace_ticks(&n, 1, &ticks));
	assert_int_equal(ticks, begin - 1000 * (uint64_t)TICKS);	/* before its first frame */
	assert_true(n.arrivals.count > BOUND / 4);
	arrivals_forget(&n);
	trace_free(n.calls.trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(days_are_kept_in_bounded_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
