/*
 * test_timeline_panels: what the panels of the time line have: rhythm of a function, where the time
 * of a long call went, what ran in a time and what was interrupted.
 */
#include "tests/unit/calls_made.h"
#include "tui/view/timeline/find.h"
#include "tui/view/timeline/ran.h"
#include "tui/view/timeline/why.h"

/* A task that calls 2 once and 3 once; its 50th run 3 four times, and a handler strikes there. */
static struct node *periodic_run(unsigned rounds, struct node **handlers)
{
	struct node *n = node_new(3, 0), *h = node_new(4, 0);

	trace_free(h->trace);
	h->trace = n->trace;
	h->lane = TRACE_LANE_HANDLERS;
	for (unsigned i = 0; i < rounds; i++) {
		uint64_t begin = n->ticks;

		node_enter(n, 1);
		node_leaf_of(n, 2, 80);
		for (unsigned k = 0; k < (i == 50 ? 4 : 1); k++)
			node_leaf_of(n, 3, 80);
		h->ticks = n->ticks;
		if (i == 50) {
			node_enter(h, 9);
			node_leaf_of(h, 8, 32);
			node_exit(h);
		}
		n->ticks += 40;
		node_exit(n);
		n->ticks = begin + 2000 + (i % 10 == 9 ? 80 : 0);
		if (n->count > FRAME)
			node_send(n);
	}
	while (n->count)
		node_send(n);
	while (h->count)
		node_send(h);
	*handlers = h;
	return n;
}

static void runs_free(struct node *n, struct node *handlers)
{
	handlers->trace = NULL;			/* n's, too */
	node_free(handlers);
	node_free(n);
}

static void a_period_and_its_jitter_are_found(void **state)
{
	struct node *h, *n = periodic_run(200, &h);
	struct find_usual u;
	struct find_times f;
	uint64_t begin, end;

	(void)state;
	trace_span(n->trace, &begin, &end);
	find_usual(n->trace, 1, &(struct find_window){ .begin = begin, .end = end + 1,
						       .at = begin + 20080 }, &u);
	assert_int_equal(u.calls, 200);
	assert_int_equal(u.interval_count, 199);
	f = find_times(u.intervals, u.interval_count);
	assert_true(f.least == 2000 && f.median == 2000 && f.p99 == 2080 && f.most == 2080);
	assert_true(f.mean > 2005 && f.mean < 2010);
	assert_int_equal(u.before, 2080);
	f = find_times(u.durations, u.calls);
	assert_true(f.least == 200 && f.p95 == 200 && f.most == 440);
	runs_free(n, h);
}

static const struct why_part *part_find(const struct why *w, enum why_kind kind, uint32_t id)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->parts[i].kind == kind && w->parts[i].id == id)
			return &w->parts[i];
	return NULL;
}

static void a_long_call_is_compared_with_the_usual_ones(void **state)
{
	struct node *h, *n = periodic_run(200, &h);
	const struct why_part *p;
	struct find_usual u;
	struct why w;
	struct scene_call c = { .id = 1 };
	struct find_window window = { .lane = 0 };
	uint64_t begin, end;
	double all = 0;

	(void)state;
	trace_span(n->trace, &begin, &end);
	window.begin = begin;
	window.end = end + 1;
	find_usual(n->trace, 1, &window, &u);
	c.begin = begin + 50 * 2000 + 5 * 80;
	c.end = c.begin + 440;
	why_find(n->trace, &c, &window, 1.5 * u.ticks, &w);
	assert_true(w.found);
	assert_int_equal(w.usual_calls, WHY_CALLS);
	p = part_find(&w, WHY_CALLEE, 3);
	assert_non_null(p);
	assert_true(p->calls == 4 && p->usual_calls == 1 && p->ticks > 3 * p->usual_ticks);
	p = part_find(&w, WHY_CALLEE, 2);
	assert_true(p && p->calls == 1 && p->usual_calls == 1);
	p = part_find(&w, WHY_OTHER, 9);
	assert_true(p && p->calls == 1 && p->ticks == 32 && p->usual_calls == 0);
	assert_int_equal(p->lane, TRACE_LANE_HANDLERS);
	for (size_t i = 0; i < w.count; i++)
		all += w.parts[i].ticks;
	assert_true(all == 440);
	assert_int_equal(why_struck(n->trace, &c, &end), 1);
	assert_int_equal(end, 32);
	runs_free(n, h);
}

/* What it interrupted did not run in it. */
static void nothing_runs_in_a_handler_but_its_own(void **state)
{
	struct node *h, *n = periodic_run(200, &h);
	struct find_window window = { .lane = TRACE_LANE_HANDLERS };
	struct scene_call c = { .id = 9, .lane = TRACE_LANE_HANDLERS };
	struct trace_event e;
	struct trace_walk *w = trace_walk_new(n->trace, TRACE_LANE_HANDLERS);
	struct why y;
	uint64_t ticks;

	(void)state;
	while (trace_walk_next(w, &e) && e.kind != TRACE_RETURN)
		c.begin = e.kind == TRACE_CALL && !e.depth ? e.ticks : c.begin;
	trace_walk_free(w);
	c.end = c.begin + 32;
	window.begin = c.begin;
	window.end = c.end;
	why_find(n->trace, &c, &window, 1000, &y);
	assert_true(y.found && part_find(&y, WHY_CALLEE, 8));
	for (size_t i = 0; i < y.count; i++)
		assert_true(y.parts[i].kind != WHY_OTHER);
	assert_int_equal(why_struck(n->trace, &c, &ticks), 0);
	runs_free(n, h);
}

static void what_ran_adds_up(void **state)
{
	struct node *h, *n = periodic_run(200, &h);
	uint64_t begin, end, sum[2] = { 0 };
	struct ran r;

	(void)state;
	trace_span(n->trace, &begin, &end);
	ran_find(n->trace, begin, end, &r);
	assert_false(r.cut);
	assert_int_equal(r.calls, 200 * 3 + 3 + 2);
	for (size_t i = 0; i < r.count; i++)
		sum[r.parts[i].lane] += r.parts[i].ticks;
	assert_int_equal(sum[0], 200 * 200 + 240 - 32);	/* less the handler */
	assert_int_equal(sum[0], r.busy[0]);
	assert_int_equal(sum[1], 32);
	assert_int_equal(r.busy[1], 32);
	assert_int_equal(r.strike_count, 1);
	assert_true(r.strikes[0].lane == 0 && r.strikes[0].by == 9 && r.strikes[0].count == 1);
	assert_int_equal(r.strikes[0].ticks, 32);
	runs_free(n, h);
}

/* Too many calls to walk: sums of the marks, about, and functions as in a sample of them. */
static void what_ran_in_a_long_time_is_estimated(void **state)
{
	struct node *h, *n = periodic_run(20000, &h);
	uint64_t begin, end, calls = 0, ticks = 0;
	struct ran r;

	(void)state;
	trace_span(n->trace, &begin, &end);
	ran_find(n->trace, begin, end, &r);
	assert_true(r.cut && r.strike_count == 0);
	assert_int_equal(r.calls, 20000 * 3 + 3 + 2);
	assert_int_equal(r.busy[0], 20000 * 200 + 240);
	assert_in_range(r.sampled, RAN_EVENTS / 4, RAN_EVENTS);
	for (size_t i = 0; i < r.count; i++) {
		const struct ran_part *p = &r.parts[i];

		calls += p->lane ? 0 : p->calls;
		ticks += p->lane ? 0 : p->ticks;
		if (!p->lane)
			assert_in_range(p->calls, 20000 * 95 / 100, 20000 * 105 / 100);
	}
	assert_in_range(calls, 20000 * 3, 20000 * 3 + 6);
	assert_in_range(ticks, r.busy[0] - 3, r.busy[0] + 3);
	runs_free(n, h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_period_and_its_jitter_are_found),
		cmocka_unit_test(a_long_call_is_compared_with_the_usual_ones),
		cmocka_unit_test(nothing_runs_in_a_handler_but_its_own),
		cmocka_unit_test(what_ran_adds_up),
		cmocka_unit_test(what_ran_in_a_long_time_is_estimated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
