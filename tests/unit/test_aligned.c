/*
 * aligned: the node's clock on a meter's by the edges that its firmware makes and tells, some of
 * them in its tasks and some in its handlers.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/node/parts.h"

enum { HZ = 10000, SECONDS = 30, SAMPLES = HZ * (SECONDS + 1), RATE = 1000000, RADIO = 7 };

#define AHEAD 0.2			/* s: the meter began before the node */
#define FAST 40e-6			/* and its clock is so much faster */

static double random_unit(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) / 16777216.;
}

static double tick_of(double at)
{
	return (AHEAD + at) * HZ * (1 + FAST);
}

/* A state that changes about each 100 ms, told by `lanes` lanes in turn; D0 changes with it. */
static struct node *node_edges(unsigned lanes)
{
	static float amps[SAMPLES];
	static uint8_t logic[SAMPLES];
	struct node *n = node_new(&(struct node_options){ .source = "/dev/null", .batch = true },
				  NULL);
	uint32_t seed = 5;
	unsigned count = 0;
	size_t tick = 0;

	assert_non_null(n);
	trace_setup_told(calls_trace(n), RATE);
	for (double at = .05; at < SECONDS - .2; at += .08 + .04 * random_unit(&seed)) {
		struct trace_told told = {
			.kind = TRACE_STATE, .id = RADIO, .value = (count + 1) % 2,
			.lane = (uint8_t)(count % lanes), .ticks = (uint64_t)(at * RATE),
		};

		for (; tick < (size_t)tick_of(at); tick++)
			logic[tick] = count % 2;
		assert_int_equal(trace_tell(n->calls.trace, &told), 0);
		count++;
	}
	for (; tick < SAMPLES; tick++)
		logic[tick] = count % 2;
	for (size_t i = 0; i < SAMPLES; i++)
		amps[i] = 1e-3f * (1 + logic[i]);
	n->metered.power = power_new(0);
	assert_non_null(n->metered.power);
	power_set_rate(n->metered.power, HZ, 50);
	assert_int_equal(power_add(n->metered.power, 0, amps, SAMPLES, logic), 0);
	n->inputs[0].ended = true;
	return n;
}

static void edges_are_told_by_any_lane(void **state)
{
	(void)state;
	for (unsigned lanes = 1; lanes <= 3; lanes++) {
		struct node *n = node_edges(lanes);
		const struct align *a = &n->energy.align;

		assert_non_null(node_energy(n));
		assert_int_equal(a->method, ALIGN_EDGE);
		/* the trace has a zero of its own: distances count */
		assert_true(fabs(a->rate / HZ - 1 - FAST) < 10e-6);
		for (size_t i = 1; i < a->count; i++)
			assert_true(a->anchors[i].at > a->anchors[i - 1].at);
		assert_int_equal(a->count, ALIGN_ANCHORS);
		node_free(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_are_told_by_any_lane),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
