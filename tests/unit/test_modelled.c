/* test_modelled: the current that a model says, over time: by calls, by PC samples alone. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

#include "core/image/image.h"
#include "core/node/parts.h"

enum { RATE = 1000000, RADIO = 7 };

#define ACTIVE 4.4e-3
#define SLEEP 3e-6

static struct node *node_estimated(void)
{
	struct node *n = node_new(&(struct node_options){ .source = "/dev/null" }, NULL);

	assert_non_null(n);
	n->energy.model = calloc(1, sizeof(*n->energy.model));
	assert_non_null(n->energy.model);
	assert_int_equal(power_model_parse(n->energy.model, "active = 4.4 mA\nsleep = 3 uA\n"
					   "radio = 1 20 mA\n", "board", NULL), 0);
	assert_non_null(calls_trace(n));
	trace_setup_told(n->calls.trace, RATE);
	trace_name(n->calls.trace, &(struct wire_naming){ .note = RADIO, .name = "radio" });
	return n;
}

static void event_tell(struct node *n, enum trace_event_kind kind, int64_t value, uint64_t ticks)
{
	assert_int_equal(trace_tell(n->calls.trace, &(struct trace_told){
		.kind = kind, .id = kind == TRACE_STATE ? RADIO : IMAGE_TOLD + 2, .value = value,
		.ticks = ticks }), 0);
}

/* Of the trace's time from one tick to another; NaN: nothing is known. */
static double mean_of(const struct node *n, uint64_t from, uint64_t to)
{
	struct power_span span;
	double a = node_power_tick(n, from), b = node_power_tick(n, to);

	assert_true(b > a);
	if (b <= 0 || !power_span(node_current(n), (uint64_t)fmax(round(a), 0),
				  (uint64_t)round(b), &span))
		return NAN;
	return span.mean;
}

static void assert_amps(double amps, double expected)
{
	if (!(fabs(amps - expected) < 1e-3 * expected))
		fail_msg("%g A, expected %g", amps, expected);
}

/* Ten milliseconds of calls in 100, twenty with the radio, until a loss. */
static void calls_have_what_the_model_says(void **state)
{
	struct node *n = node_estimated();
	const struct energy_report *r;

	(void)state;
	for (uint64_t at = 100000; at <= 1000000; at += 100000) {
		event_tell(n, TRACE_CALL, 0, at);
		event_tell(n, TRACE_RETURN, 0, at + 10000);
		event_tell(n, TRACE_STATE, 1, at + 50000);
		event_tell(n, TRACE_STATE, 0, at + 70000);
	}
	event_tell(n, TRACE_LOST, 0, 1100000);
	event_tell(n, TRACE_CALL, 0, 1500000);
	event_tell(n, TRACE_RETURN, 0, 1600000);
	calls_advance(n);
	n->inputs[0].ended = true;
	r = node_energy(n);
	assert_true(r->estimate);
	assert_non_null(node_current(n));
	assert_null(node_power(n));
	assert_false(node_current_by_pcs(n));
	assert_amps(mean_of(n, 200000, 210000), ACTIVE);
	assert_amps(mean_of(n, 210000, 250000), SLEEP);
	assert_amps(mean_of(n, 250000, 270000), SLEEP + 20e-3);
	/* behind the last event before the loss nothing is known */
	assert_amps(mean_of(n, 100000, 1490000),
		    (.1 * ACTIVE + .87 * SLEEP + .2 * 20e-3) / .97);
	assert_true(isnan(mean_of(n, 1150000, 1490000)));
	assert_amps(mean_of(n, 1500000, 1600000), ACTIVE);
	/* the mean of all is that of the report, but for what was lost */
	assert_amps(r->known_charge, 1e-6 * (1000000 * (.1 * ACTIVE + .9 * SLEEP + .2 * 20e-3) +
		    400000 * SLEEP + 100000 * ACTIVE));
	node_free(n);
}

/* A sample each millisecond, one in four asleep; none for half a second. */
static void pc_samples_have_active_and_sleep(void **state)
{
	struct node *n = node_estimated();
	const uint32_t pc = 0x1000;

	(void)state;
	for (uint64_t at = 1000; at <= 2000000; at += 1000)
		if (at <= 1000000 || at > 1500000)
			modelled_pcs(n, at / 1000 % 4 ? &pc : NULL, 1, at);
	assert_true(node_current_by_pcs(n));
	assert_amps(mean_of(n, 10000, 990000), .75 * ACTIVE + .25 * SLEEP);
	assert_true(isnan(mean_of(n, 1001000, 1490000)));
	assert_amps(mean_of(n, 1510000, 1990000), .75 * ACTIVE + .25 * SLEEP);
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_have_what_the_model_says),
		cmocka_unit_test(pc_samples_have_active_and_sleep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
