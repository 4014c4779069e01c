/*
 * test_trace: a node in C writes tokens as docs/PROTOCOL.md, 9, says, of programs made at random;
 * the decoder's events are what the programs did. Losses, boxes, gaps and hostile bytes as well.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "tests/unit/trace_made.h"

/* --- programs --------------------------------------------------------------------------------- */

enum { FUNCTIONS = 24 };

/* Function `id` calls those above it: mostly the same ones, in the same order. */
static void function_run(struct node *n, uint32_t id, unsigned noise)
{
	unsigned calls = id % 4, twist = node_random(n, 100) < noise ? node_random(n, 3) : 0;

	if (id >= FUNCTIONS || calls == 0 || n->depth >= DEPTH - 1) {
		node_leaf(n, id);
		return;
	}
	node_enter(n, id);
	for (unsigned i = 0; i < calls + twist; i++) {
		n->ticks += 10;
		function_run(n, id + 1 + (i + twist) % 3, noise);
	}
	n->ticks += 10;
	node_exit(n);
}

static void program_run(struct node *n, unsigned rounds, unsigned noise)
{
	for (unsigned i = 0; i < rounds; i++) {
		function_run(n, 1 + i % 3, noise);
		n->ticks += 1000;
		if (n->count > FRAME)
			node_send(n);
	}
	while (n->count)
		node_send(n);
}

static size_t events_of(const struct trace *t, struct trace_event **events)
{
	struct trace_walk *w = trace_walk_new(t, 0);
	size_t count = 0, cap = 0;
	struct trace_event e;

	assert_non_null(w);
	*events = NULL;
	while (trace_walk_next(w, &e)) {
		if (count == cap) {
			cap = cap ? 2 * cap : 1024;
			*events = realloc(*events, cap * sizeof(**events));
			assert_non_null(*events);
		}
		(*events)[count++] = e;
	}
	trace_walk_free(w);
	return count;
}

/* --- tests ------------------------------------------------------------------------------------ */

/*
 * The model never takes a new call for a known one, as a node with 16 bits to compare does. That
 * would happen as often as chance allows: chains of calls must not have one hash in any order.
 */
static void calls_told_in_order(uint8_t encoding, uint64_t *closed, uint64_t *mistaken)
{
	for (unsigned seed = 1; seed <= UNIT_TRIALS(30); seed++) {
		struct node *n = node_new_as(encoding, seed, 0);
		struct trace_event *e;
		struct trace_stats stats;
		size_t count;

		program_run(n, 300, seed % 3 * 10);
		count = events_of(n->trace, &e);
		assert_int_equal(count, n->truth_count);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(e[i].kind, n->truth[i].kind);
			assert_int_equal(e[i].id, n->truth[i].id);
		}
		trace_stats(n->trace, &stats);
		assert_int_equal(stats.calls, n->truth_count / 2);
		assert_int_equal(stats.unknown + stats.bad + stats.frames_lost, 0);
		*closed += n->closed;
		*mistaken += n->mistaken;
		free(e);
		node_free(n);
	}
}

static void every_call_is_told_in_order(void **state)
{
	uint64_t closed = 0, mistaken = 0;

	(void)state;
	calls_told_in_order(8, &closed, &mistaken);
	calls_told_in_order(1, &closed, &mistaken);
	assert_true(mistaken < closed / 65536 * 2 + 10);
}

static void with_a_hash_of_32_bits_no_call_is_taken_for_another(void **state)
{
	uint64_t closed = 0, mistaken = 0;

	(void)state;
	calls_told_in_order(2, &closed, &mistaken);
	assert_true(closed > 10000);
	assert_int_equal(mistaken, 0);
}

static void with_a_hash_of_40_bits_no_call_is_taken_for_another(void **state)
{
	uint64_t closed = 0, mistaken = 0;

	(void)state;
	calls_told_in_order(7, &closed, &mistaken);
	assert_true(closed > 10000);
	assert_int_equal(mistaken, 0);
}

static void a_program_that_repeats_takes_few_bits(void **state)
{
	struct node *n = node_new(7, 0);

	(void)state;
	program_run(n, 3000, 0);
	assert_true((double)n->bytes * 8 / ((double)n->truth_count / 2) < 4);
	node_free(n);
}

/* The first frame's time is its offset. */
static void outermost_calls_have_their_stamps(void **state)
{
	struct node *n = node_new(3, 0);
	struct trace_event *e;
	size_t count;
	uint64_t offset;

	(void)state;
	program_run(n, 200, 10);
	count = events_of(n->trace, &e);
	assert_int_equal(count, n->truth_count);
	offset = e[count - 1].ticks / 8 - n->truth[count - 1].ticks / 8;
	for (size_t i = 0; i < count; i++) {
		uint64_t true_units = n->truth[i].ticks >> UNIT_SHIFT;

		if (e[i].depth == 0 && n->truth[i].kind == TRACE_CALL &&
		    e[i].time == TRACE_TIME_STAMPED)
			assert_int_equal(e[i].ticks / 8 - offset, true_units);
		if (i)
			assert_true(e[i].ticks >= e[i - 1].ticks);
		/* within its outermost call */
		assert_in_range(e[i].ticks / 8 - offset, true_units > 200 ? true_units - 200 : 0,
				true_units + 200);
	}
	free(e);
	node_free(n);
}

/* From any time on the rest comes as in a walk over all; short known calls are one event. */
static void a_walk_begins_anywhere(void **state)
{
	struct node *n = node_new(5, 0);
	struct trace_walk *w;
	struct trace_event *all, e;
	uint64_t begin, end;
	size_t count;

	(void)state;
	program_run(n, UNIT_LENGTH(3000), 5);
	count = events_of(n->trace, &all);
	assert_true(trace_span(n->trace, &begin, &end));
	w = trace_walk_new(n->trace, 0);
	for (unsigned i = 1; i < 50; i += UNIT_EACH) {
		uint64_t at = begin + (end - begin) * i / 50;
		size_t held = 0, k = count, rest = 0, whole = 0;

		trace_walk_seek(w, at, 0);
		while (trace_walk_next(w, &e) && e.kind == TRACE_HELD)
			held++;
		assert_true(e.ticks <= at + 8);
		assert_int_equal(e.depth, held);
		for (rest = 1; trace_walk_next(w, &e); rest++)
			;
		assert_true(rest <= count);
		k = count - rest;
		trace_walk_seek(w, at, 0);
		for (size_t skip = 0; skip < held; skip++)
			trace_walk_next(w, &e);
		for (; trace_walk_next(w, &e); k++) {
			assert_int_equal(e.kind, all[k].kind);
			assert_int_equal(e.id, all[k].id);
			assert_int_equal(e.ticks, all[k].ticks);
		}
		trace_walk_seek(w, at, UINT64_MAX);
		while (trace_walk_next(w, &e))
			whole += e.kind == TRACE_WHOLE;
		assert_true(whole > 0);
	}
	assert_int_equal(trace_calls_until(n->trace, 0, end), count / 2);
	assert_int_equal(trace_calls_until(n->trace, 0, begin), 0);
	trace_walk_free(w);
	free(all);
	node_free(n);
}

/* Calls of each caller and callee are exact; what is called from outside has its own stamps. */
static void the_profile_is_that_of_the_calls(void **state)
{
	struct node *n = node_new(5, 0);
	uint64_t calls[32][32] = { { 0 } }, ticks[32] = { 0 }, begun[DEPTH];
	uint32_t ids[DEPTH + 1] = { 0 }, depth = 0;
	struct trace_edge *e;
	size_t count, edges = 0;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {		/* as frames come */
		program_run(n, 50, 10);
		assert_int_equal(trace_account(n->trace), 0);
	}
	for (size_t i = 0; i < n->truth_count; i++) {
		const struct event *t = &n->truth[i];

		if (t->kind == TRACE_CALL) {
			calls[ids[depth]][t->id]++;
			begun[depth] = t->ticks;
			ids[++depth] = t->id;
		} else if (--depth == 0) {
			ticks[t->id] += t->ticks - begun[0];
		}
	}
	e = trace_edges(n->trace, &count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(e[i].calls, calls[e[i].from][e[i].to]);
		assert_int_equal(e[i].timed, e[i].calls);
		assert_true(e[i].min <= e[i].max && e[i].max <= e[i].total);
		if (e[i].from == 0)
			assert_in_range(e[i].total, ticks[e[i].to] - 8 * e[i].calls,
					ticks[e[i].to] + 8 * e[i].calls);
	}
	for (size_t i = 0; i < 32 * 32; i++)
		edges += calls[i / 32][i % 32] > 0;
	assert_int_equal(count, edges);
	node_free(n);
}

/* What is told is true: all calls of one name fit between losses. */
static void a_lost_frame_costs_itself(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= UNIT_TRIALS(20); seed++) {
		struct node *n = node_new(seed, 30);
		struct trace_event *e;
		struct trace_stats stats;
		size_t count, lost = 0;

		program_run(n, UNIT_LENGTH(2000), 10);
		count = events_of(n->trace, &e);
		for (size_t i = 0; i < count; i++)
			lost += e[i].kind == TRACE_LOST ? e[i].count : 0;
		trace_stats(n->trace, &stats);
		assert_int_equal(lost, stats.frames_lost);
		assert_int_equal(stats.bad, 0);
		if (n->frames > 200)
			assert_true(stats.calls > n->truth_count / 2 / 2);
		free(e);
		node_free(n);
	}
}

static void boxes_and_gaps_are_counted(void **state)
{
	/* OPEN 1; BOX 2, 5 calls; GAP 3; LEAF 4; CLOSE */
	static const uint8_t tokens[] = { 1, 0xff, 2, 2, 5, 0xff, 7, 3, 0x84, 0x7e };
	struct node *n = node_new(1, 0);
	struct trace_event *e;
	struct trace_stats stats;

	(void)state;
	trace_frame(n->trace, &(struct wire_trace){ .time = 1000, .untold = 8, .tokens = tokens,
						    .count = sizeof(tokens) });
	assert_int_equal(events_of(n->trace, &e), 6);
	assert_int_equal(e[1].kind, TRACE_BOX);
	assert_int_equal(e[1].id, 2);
	assert_int_equal(e[1].count, 5);
	assert_int_equal(e[2].kind, TRACE_GAP);
	assert_int_equal(e[2].count, 3);
	assert_int_equal(e[5].kind, TRACE_RETURN);
	assert_int_equal(e[5].id, 1);
	trace_stats(n->trace, &stats);
	assert_int_equal(stats.calls, 10);
	assert_int_equal(stats.untold, 8);
	free(e);
	node_free(n);
}

/*
 * A box under way is counted. Its call turns out to be known and is told: the node's count of those
 * that are not goes back.
 */
static void what_turns_out_known_is_untold_no_longer(void **state)
{
	static const uint8_t tokens[] = {
		5, 0x7e, 7, 0x7f, 5, 0, 0x7e, 3,	/* 5; 7, which calls 5; into 3, */
		0xff, 3, 0xe1, 6, 0x7e,			/* which calls 7: a box */
	};
	const struct wire_trace frames[] = {
		{ .number = 0, .time = 1000, .untold = 1, .tokens = tokens, .count = 8 },
		{ .number = 1, .time = 2000, .untold = 3, .tokens = tokens, .depth = 1 },
		{ .number = 2, .time = 3000, .untold = 1, .tokens = tokens + 8, .count = 5,
		  .depth = 1 },
	};
	struct node *n = node_new(1, 0);
	struct trace_stats stats;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		trace_frame(n->trace, &frames[i]);
		trace_stats(n->trace, &stats);
		assert_int_equal(stats.untold, frames[i].untold);
	}
	assert_int_equal(stats.calls, 6);
	assert_int_equal(stats.unknown + stats.bad, 0);
	node_free(n);
}

/*
 * What is in a known call that ran as a box is not in the node's table, nor when the call around it
 * runs again: 9 stays where 5, which 7 calls, would be.
 */
static void a_box_leaves_the_table_as_it_was(void **state)
{
	static const uint8_t tokens[] = {
		5, 0x7e, 7, 0x7f, 5, 0, 0x7e,		/* 5; 7, which calls 5 */
		9, 0xb6, 0x7e,				/* 9, which calls 54 */
		3, 0xff, 3, 0xe1, 6, 0x7e,		/* 3, which calls 7: a box */
		0x7f, 0xf4, 0x59, 0x7f, 0x85, 9,		/* 3 again, 9 again */
	};
	static const uint32_t calls[] = { 5, 7, 5, 9, 54, 3, 7, 5, 3, 7, 5, 9, 54 };
	struct node *n = node_new(1, 0);
	struct trace_event *e;
	struct trace_stats stats;
	size_t count, k = 0;

	(void)state;
	trace_frame(n->trace, &(struct wire_trace){ .time = 1000, .tokens = tokens,
						    .count = sizeof(tokens) });
	trace_stats(n->trace, &stats);
	assert_int_equal(stats.unknown + stats.bad, 0);
	count = events_of(n->trace, &e);
	for (size_t i = 0; i < count; i++) {
		if (e[i].kind != TRACE_CALL)
			continue;
		assert_true(k < sizeof(calls) / sizeof(calls[0]));
		assert_int_equal(e[i].id, calls[k++]);
	}
	assert_int_equal(k, sizeof(calls) / sizeof(calls[0]));
	assert_int_equal(trace_account(n->trace), 0);
	free(e);
	node_free(n);
}

/* Where the frame that told it is lost, it is the one of before the FORGET; not of before two. */
static void a_call_told_before_a_forget_is_known(void **state)
{
	static const struct {
		uint8_t number, tokens[16], count;
		unsigned calls, unknown;	/* behind it */
	} frames[] = {
		{ 0, { 5, 0x7e, 7, 0x7f, 5, 0, 0x7e, 0xff, 1 }, 9, 3, 0 },
		{ 2, { 0x7f, 0xe1, 6, 0x7f, 5, 0 }, 6, 6, 0 },			/* 7, 5 */
		{ 3, { 0xff, 1, 0x7f, 5, 0, 0xff, 3, 0xe1, 6 }, 9, 9, 0 },
		/* a box has left 7 out of the table */
		{ 4, { 0xff, 1, 0x7f, 5, 0, 0x7f, 0xe1, 6 }, 8, 11, 1 },
		{ 5, { 0xff, 1, 0xff, 1, 0x7f, 5, 0 }, 7, 12, 2 },
	};
	struct node *n = node_new(1, 0);
	struct trace_stats stats;

	(void)state;
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		trace_frame(n->trace, &(struct wire_trace){
			.time = 1000 * (uint32_t)(i + 1), .number = frames[i].number,
			.tokens = frames[i].tokens, .count = frames[i].count });
		trace_stats(n->trace, &stats);
		assert_int_equal(stats.calls, frames[i].calls);
		assert_int_equal(stats.unknown, frames[i].unknown);
		assert_int_equal(stats.bad, 0);
		assert_int_equal(trace_account(n->trace), 0);
	}
	node_free(n);
}

/* Its calls do not take the time that it was away; a function that never returns names it. */
static void a_task_is_away(void **state)
{
	/* STAMP 100; OPEN 1; LEAF 4; STAMP 110; AWAY, lane 3; STAMP 160; CLOSE; STAMP 170 */
	static const uint8_t tokens[] = {
		0, 100, 0, 1, 0x84, 0x7d, 10, 0xfd, 3, 0x7d, 50, 0x7e, 0x7d, 10,
	};
	struct node *n = node_new(1, 0);
	struct trace_edge *edges;
	struct trace_event e[5];
	struct trace_walk *w;
	uint64_t begin, end;
	size_t count;

	(void)state;
	trace_frame(n->trace, &(struct wire_trace){
		.lane = 2, .time = 1000 << UNIT_SHIFT, .tokens = tokens, .count = 11 });
	assert_int_equal(trace_lane_root(n->trace, 2), 1);
	assert_int_equal(trace_lane_root(n->trace, 3), 0);
	assert_false(trace_lane_is_shared(n->trace, 2));
	trace_frame(n->trace, &(struct wire_trace){
		.lane = 4, .time = 1000 << UNIT_SHIFT, .tokens = tokens, .count = 4 });
	assert_true(trace_lane_is_shared(n->trace, 2) && trace_lane_is_shared(n->trace, 4));
	assert_false(trace_lane_is_shared(n->trace, 3));
	trace_frame(n->trace, &(struct wire_trace){
		.lane = 2, .number = 1, .time = 1001 << UNIT_SHIFT, .depth = 1,
		.tokens = (const uint8_t[]){ 0x7e, 0, 170, 0 }, .count = 4 });
	assert_int_equal(trace_lane_root(n->trace, 2), 0);
	w = trace_walk_new(n->trace, 2);
	for (size_t i = 0; i < 5; i++)
		assert_true(trace_walk_next(w, &e[i]));
	trace_walk_free(w);
	assert_int_equal(e[3].kind, TRACE_AWAY);
	assert_int_equal(e[3].id, 3);
	assert_int_equal(e[3].depth, 1);
	assert_int_equal(e[3].until - e[3].ticks, 50 << UNIT_SHIFT);
	assert_int_equal(e[4].ticks - e[3].until, 10 << UNIT_SHIFT);
	assert_int_equal(trace_account(n->trace), 0);
	edges = trace_edges(n->trace, &count);
	assert_int_equal(count, 2);
	assert_int_equal(edges[1].to, 1);
	assert_int_equal(edges[1].total, 20 << UNIT_SHIFT);
	assert_true(trace_span(n->trace, &begin, &end));
	assert_int_equal(trace_busy_until(n->trace, 2, end), 20 << UNIT_SHIFT);
	node_free(n);
}

/* A stamp of what follows it is no end of what is before, and may be a return's. */
static void a_stamp_below_the_top_level_is_of_what_follows(void **state)
{
	/*
	 * OWN 100; OPEN 1; LEAF 4; OWN 110; OPEN 2; LEAF 4; OWN 130; CLOSE; LEAF 4; OWN 150; CLOSE;
	 * STAMP 151
	 */
	static const uint8_t tokens[] = {
		0x80, 100, 0, 1, 0x84, 0x80, 110, 0, 2, 0x84, 0x80, 130, 0, 0x7e, 0x84,
		0x80, 150, 0, 0x7e, 0, 151, 0,
	};
	static const struct { uint8_t at; bool stamped; } told[] = {
		{ 100, true }, { 0, false }, { 0, false }, { 110, true }, { 0, false },
		{ 0, false }, { 130, true }, { 0, false }, { 0, false }, { 150, true },
	};
	struct node *n = node_new(1, 0);
	struct trace_event *e;
	uint64_t before = 0;

	(void)state;
	trace_frame(n->trace, &(struct wire_trace){
		.time = 1000 << UNIT_SHIFT, .tokens = tokens, .count = sizeof(tokens) });
	assert_int_equal(events_of(n->trace, &e), 10);
	for (size_t i = 0; i < 10; i++) {
		uint64_t units = (e[i].ticks >> UNIT_SHIFT & 0xffff);

		assert_int_equal(e[i].time, told[i].stamped ? TRACE_TIME_STAMPED :
							      TRACE_TIME_BETWEEN);
		if (told[i].stamped)
			assert_int_equal(units, told[i].at);
		assert_true(e[i].ticks >= before);
		before = e[i].ticks;
	}
	/* a leaf's return and the next call: some time passes between them */
	assert_true(e[3].ticks - e[2].ticks > 1 << UNIT_SHIFT);
	assert_true(e[7].ticks - e[6].ticks > 1 << UNIT_SHIFT);
	free(e);
	node_free(n);
}

static void any_bytes_are_taken(void **state)
{
	struct node *n = node_new(11, 0);
	struct trace_event e;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		uint8_t tokens[40];
		struct trace_walk *w;

		for (size_t k = 0; k < sizeof(tokens); k++)
			tokens[k] = (uint8_t)node_random(n, 256);
		trace_frame(n->trace, &(struct wire_trace){
			.lane = 0, .number = (uint8_t)(i + (node_random(n, 9) == 0)),
			.time = node_random(n, UINT32_MAX), .depth = node_random(n, 4),
			.tokens = tokens, .count = node_random(n, sizeof(tokens)),
		});
		if (i % 300)
			continue;
		w = trace_walk_new(n->trace, 0);
		for (unsigned k = 0; k < 100000 && trace_walk_next(w, &e); k++)
			assert_true(e.kind <= TRACE_AWAY);
		trace_walk_free(w);
	}
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_is_told_in_order),
		cmocka_unit_test(with_a_hash_of_32_bits_no_call_is_taken_for_another),
		cmocka_unit_test(with_a_hash_of_40_bits_no_call_is_taken_for_another),
		cmocka_unit_test(a_program_that_repeats_takes_few_bits),
		cmocka_unit_test(outermost_calls_have_their_stamps),
		cmocka_unit_test(a_walk_begins_anywhere),
		cmocka_unit_test(the_profile_is_that_of_the_calls),
		cmocka_unit_test(a_lost_frame_costs_itself),
		cmocka_unit_test(boxes_and_gaps_are_counted),
		cmocka_unit_test(what_turns_out_known_is_untold_no_longer),
		cmocka_unit_test(a_box_leaves_the_table_as_it_was),
		cmocka_unit_test(a_call_told_before_a_forget_is_known),
		cmocka_unit_test(a_task_is_away),
		cmocka_unit_test(a_stamp_below_the_top_level_is_of_what_follows),
		cmocka_unit_test(any_bytes_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
