/*
 * test_trace_look: walks that look into a part of a trace alone, where they can begin, how long a
 * lane ran, and where the longest call of a function is: against the plain list of all calls.
 */
#include "tests/unit/calls_made.h"

enum { RARE = 40 };

/* As program_run; a rare function runs in one of 500 rounds. */
static struct node *rare_run(unsigned rounds)
{
	struct node *n = node_new(7, 0);

	for (unsigned i = 0; i < rounds; i++) {
		node_enter(n, 50);
		function_run(n, 1 + i % 3, 5);
		if (i % 500 == 250)
			node_leaf(n, RARE);
		node_exit(n);
		n->ticks += 1000;
		while (n->count > FRAME)
			node_send(n);
	}
	while (n->count)
		node_send(n);
	return n;
}

static void a_walk_looks_only_into_what_may_hold_an_id(void **state)
{
	struct node *n = rare_run(5000);
	struct calls c = { .v = NULL };
	struct trace_walk *w = trace_walk_new(n->trace, 0);
	struct trace_event e;
	size_t events = 0, found = 0, at = 0;

	(void)state;
	calls_list(&c, n->trace);
	trace_walk_seek(w, 0, 0);
	trace_walk_only(w, trace_id_bit(RARE));
	for (; trace_walk_next(w, &e); events++) {
		if (e.kind != TRACE_CALL || e.id != RARE)
			continue;
		while (c.v[at].id != RARE)
			at++;
		assert_int_equal(e.ticks, c.v[at].begin);
		assert_int_equal(e.depth, 1);
		at++;
		found++;
	}
	assert_int_equal(found, 10);
	assert_true(events < c.count / 2);
	trace_walk_free(w);
	free(c.v);
	node_free(n);
}

/* Trees that end before the ticks sought stay closed; from there on nothing is missing. */
static void a_walk_does_not_look_into_what_ended_before(void **state)
{
	struct node *n = program_run(1000, 10, 0);
	struct calls c = { .v = NULL };
	struct trace_walk *w = trace_walk_new(n->trace, 0);
	struct trace_event e;
	size_t whole = 0;

	(void)state;
	calls_list(&c, n->trace);
	for (size_t from = 0; from < c.count; from += 911) {
		uint64_t ticks = c.v[from].begin + 1;
		size_t at = 0;

		while (at < c.count && c.v[at].begin < ticks)
			at++;
		trace_walk_seek(w, ticks, 0);
		trace_walk_only(w, UINT64_MAX);
		for (unsigned i = 0; at < c.count && i < 20000 && trace_walk_next(w, &e); i++) {
			if (e.kind == TRACE_WHOLE) {
				assert_true(e.until <= ticks);
				whole++;
			}
			if (e.kind != TRACE_CALL || e.ticks < ticks)
				continue;
			assert_int_equal(e.ticks, c.v[at].begin);
			assert_int_equal(e.id, c.v[at].id);
			at++;
		}
	}
	assert_true(whole > 100);
	trace_walk_free(w);
	free(c.v);
	node_free(n);
}

static void a_place_knows_the_ids_that_follow(void **state)
{
	struct node *n = rare_run(5000);
	struct calls c = { .v = NULL };
	size_t places = trace_places(n->trace, 0), without = 0, at = 0;

	(void)state;
	calls_list(&c, n->trace);
	assert_true(places > 5);
	assert_int_equal(trace_place(n->trace, 0, 0).ids, UINT64_MAX);
	for (size_t i = 1; i < places; i++) {
		struct trace_place p = trace_place(n->trace, 0, i);
		uint64_t end = i + 1 < places ? trace_place(n->trace, 0, i + 1).ticks : UINT64_MAX;

		assert_int_equal(trace_place_before(n->trace, 0, p.ticks), i);
		assert_true(p.items >= trace_place(n->trace, 0, i - 1).items + 1000 || i == 1);
		while (at < c.count && c.v[at].begin <= p.ticks)
			at++;
		for (; at < c.count && c.v[at].begin < end; at++)
			assert_true(p.ids & trace_id_bit(c.v[at].id));
		without += !(p.ids & trace_id_bit(RARE));
	}
	assert_true(without > 0 && without < places - 1);
	free(c.v);
	node_free(n);
}

static void a_lane_is_busy_while_a_call_is_open(void **state)
{
	struct node *n = program_run(3000, 10, 0);
	struct calls c = { .v = NULL };
	uint64_t busy = 0, begin, end;

	(void)state;
	calls_list(&c, n->trace);
	for (size_t i = 0; i < c.count; i++)
		busy += c.v[i].depth ? 0 : c.v[i].end - c.v[i].begin;
	trace_span(n->trace, &begin, &end);
	assert_true(busy > 0 && busy < end - begin);
	assert_int_equal(trace_busy_until(n->trace, 0, end), busy);
	assert_int_equal(trace_busy_until(n->trace, 0, begin), 0);
	assert_in_range(trace_busy_until(n->trace, 0, begin + (end - begin) / 2), busy * 48 / 100,
			busy * 52 / 100);
	free(c.v);
	node_free(n);
}

static void the_longest_call_has_a_place(void **state)
{
	struct node *n = program_run(3000, 10, 0);
	struct calls c = { .v = NULL };
	struct trace_edge *edges;
	size_t count;

	(void)state;
	assert_int_equal(trace_account(n->trace), 0);
	calls_list(&c, n->trace);
	edges = trace_edges(n->trace, &count);
	assert_true(count > 10);
	for (size_t i = 0; i < count; i++) {
		const struct trace_edge *e = &edges[i];
		uint64_t most = 0;

		assert_true(e->max_end - e->max_begin + 1 >= e->max);
		assert_int_equal(e->max_lane, 0);
		for (size_t k = 0; k < c.count; k++)
			if (c.v[k].id == e->to && c.v[k].begin >= e->max_begin &&
			    c.v[k].end <= e->max_end && c.v[k].end - c.v[k].begin > most)
				most = c.v[k].end - c.v[k].begin;
		assert_in_range(most, e->max - 1, UINT64_MAX - 1);	/* a tick is rounded */
	}
	free(c.v);
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_walk_looks_only_into_what_may_hold_an_id),
		cmocka_unit_test(a_walk_does_not_look_into_what_ended_before),
		cmocka_unit_test(a_place_knows_the_ids_that_follow),
		cmocka_unit_test(a_lane_is_busy_while_a_call_is_open),
		cmocka_unit_test(the_longest_call_has_a_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
