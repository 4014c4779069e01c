/*
 * test_trace_account: the profile of a trace: times between stamps, times less what ran meanwhile,
 * every duration, every way of calls; against what a node in C did.
 */
#include "tests/unit/unit.h"

#include "core/base/lengths.h"
#include "core/trace/walk.h"
#include "tests/unit/trace_made.h"

enum { FUNCTIONS = 24, STRUCK = 400 };

static struct node *handlers;		/* the same node's; NULL: none */
static unsigned stamped;		/* one call in so many has a stamp; 0: none within */

/* A handler that takes so long strikes a call. */
static void handler_strike(struct node *n, unsigned ticks)
{
	handlers->ticks = n->ticks;
	node_enter(handlers, 60);
	handlers->ticks += ticks / 2;
	node_leaf_of(handlers, 61, ticks / 4);
	handlers->ticks += ticks / 4;
	node_exit(handlers);
	n->ticks = handlers->ticks;
}

/* Each function has its own times before, between and after its calls. */
static void function_run(struct node *n, uint32_t id, unsigned noise)
{
	unsigned calls = id % 4, twist = node_random(n, 100) < noise ? node_random(n, 3) : 0;

	if (stamped && n->depth && node_random(n, stamped) == 0)
		node_stamp(n);
	if (id >= FUNCTIONS || calls == 0) {
		node_leaf_of(n, id, id >= FUNCTIONS ? 400 : 10 * id);
		return;
	}
	node_enter(n, id);
	n->ticks += 16 * id;
	for (unsigned i = 0; i < calls + twist; i++) {
		function_run(n, id + 1 + (i + twist) % 3, noise);
		n->ticks += id % 5 * 24;
		if (handlers && node_random(n, 8) == 0)
			handler_strike(n, STRUCK);
	}
	n->ticks += 8;
	node_exit(n);
}

static void program_run(struct node *n, unsigned rounds, unsigned noise)
{
	for (unsigned i = 0; i < rounds; i++) {
		function_run(n, 1 + i % 3 + i / 3 % 5 * 4, noise);
		n->ticks += 1000;
		while (handlers && handlers->count > FRAME)
			node_send(handlers);
		while (n->count > FRAME)
			node_send(n);
		if (i % 50 == 0)
			assert_int_equal(trace_account_live(n->trace), 0);
	}
	while (handlers && handlers->count)
		node_send(handlers);
	while (n->count)
		node_send(n);
}

/* A second lane of the same trace. */
static struct node *lane_new(struct node *of)
{
	struct node *n = calloc(1, sizeof(*n));

	made_check(n);
	node_begin(n, 77, 0);
	n->trace = of->trace;
	n->lane = TRACE_LANE_HANDLERS;
	return n;
}

static void lane_free(struct node *n)
{
	free(n->truth);
	free(n);
}

static int error_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Ticks within which 95 % of the events' times are. */
static uint64_t error_of(const struct node *n)
{
	struct trace_walk *w = trace_walk_new(n->trace, 0);
	uint64_t *off = calloc(n->truth_count, sizeof(*off)), worst;
	struct trace_event e;
	size_t i = 0;

	assert_non_null(w);
	assert_non_null(off);
	for (; trace_walk_next(w, &e); i++) {
		uint64_t at = e.ticks - (UINT64_C(1) << 32);	/* where the trace's clock begins */

		assert_int_equal(e.kind, n->truth[i].kind);
		off[i] = at > n->truth[i].ticks ? at - n->truth[i].ticks : n->truth[i].ticks - at;
	}
	assert_int_equal(i, n->truth_count);
	qsort(off, i, sizeof(*off), error_compare);
	worst = off[i * 95 / 100];
	free(off);
	trace_walk_free(w);
	return worst;
}

static void times_between_stamps_are_learned(void **state)
{
	struct node *n = node_new(5, 0);
	uint64_t before, after;

	(void)state;
	handlers = NULL;
	stamped = 16;
	for (unsigned i = 0; i < 1500; i++) {
		function_run(n, 1 + i % 3 + i / 3 % 5 * 4, 30);
		n->ticks += 1000;
		while (n->count > FRAME)
			node_send(n);
	}
	while (n->count)
		node_send(n);
	before = error_of(n);
	assert_int_equal(trace_account(n->trace), 0);
	after = error_of(n);
	stamped = 0;
	assert_true(before > 1000);
	assert_true(after < before / 5);
	node_free(n);
}

/*
 * A function takes another time in each of four calls that differ in what they call: no weight of a
 * gap tells that. The first round behind a FORGET has stamps; later ones are references.
 */
static void habit_round(struct node *n, bool told)
{
	node_enter(n, 1);
	n->ticks += 40;
	for (uint32_t i = 0; i < 4; i++) {
		if (told)
			node_stamp_own(n);
		node_enter(n, 2);
		n->ticks += 400 + 900 * (i * i % 3);
		if (told)
			node_stamp_own(n);
		node_leaf_of(n, 10 + i, 80);
		n->ticks += 16;
		if (told)
			node_stamp_own(n);
		node_exit(n);
		n->ticks += 24;
	}
	node_exit(n);
	n->ticks += 1000;
}

static struct node *habit_rounds(void)
{
	struct node *n = node_new(5, 0);

	handlers = NULL;
	for (unsigned i = 0; i < 600; i++) {
		if (i % 50 == 0 && i <= 400)	/* the last time without stamps */
			node_forget(n);
		habit_round(n, i % 50 == 0 && i < 400);
		while (n->count > FRAME)
			node_send(n);
	}
	while (n->count)
		node_send(n);
	return n;
}

static void what_stamps_told_of_a_call_is_kept(void **state)
{
	struct node *n = habit_rounds();
	uint64_t before, after;

	(void)state;
	before = error_of(n);
	assert_int_equal(trace_account(n->trace), 0);
	after = error_of(n);
	assert_true(before > 300);
	assert_true(after <= 24);		/* three units */
	node_free(n);
}

/* All habits are forgotten in the middle of a call that has one: its parts are gone. */
static void a_walk_survives_that_habits_are_forgotten(void **state)
{
	static const struct moment moments[4] = { { .clock = 0 } };
	struct node *n = habit_rounds();
	struct habits *habits = &n->trace->habits;
	struct trace_walk *w = trace_walk_new(n->trace, 0);
	uint64_t last = 0, events = 0;
	struct trace_event e;

	(void)state;
	assert_int_equal(trace_account(n->trace), 0);
	assert_true(habits->count > 0);
	while (trace_walk_next(w, &e)) {
		assert_true(e.ticks >= last);
		last = e.ticks;
		if (++events == n->truth_count / 2)
			break;
	}
	while (!(w->depth == 2 && w->open[1].part_count)) {
		assert_true(trace_walk_next(w, &e));
		events++;
	}
	for (uint64_t key = 0; !habits->forgotten; key++)
		habit_learn(habits, key, moments, 4);
	for (last = e.ticks; trace_walk_next(w, &e); last = e.ticks) {
		assert_true(e.ticks >= last);
		events++;
	}
	assert_int_equal(events, n->truth_count);
	trace_walk_free(w);
	node_free(n);
}

/* Calls of the model's outermost functions: calls, sum, least and most, less what struck them. */
struct sum {
	uint64_t calls, total, min, max;
};

static void truth_sum(const struct node *n, struct sum *sums)
{
	uint64_t begun = 0;
	uint32_t depth = 0;

	for (size_t i = 0; i < n->truth_count; i++) {
		const struct event *t = &n->truth[i];

		if (t->kind == TRACE_CALL && depth++ == 0)
			begun = t->ticks;
		if (t->kind == TRACE_RETURN && --depth == 0) {
			struct sum *s = &sums[t->id];
			uint64_t took = t->ticks - begun;

			for (size_t k = 0; handlers && k < handlers->truth_count; k++) {
				const struct event *h = &handlers->truth[k];

				if (h->id == 60 && h->kind == TRACE_CALL && h->ticks >= begun &&
				    h->ticks < t->ticks)
					took -= STRUCK;
			}
			s->min = !s->calls || took < s->min ? took : s->min;
			s->max = took > s->max ? took : s->max;
			s->calls++;
			s->total += took;
		}
	}
}

static void handlers_are_in_no_times_but_their_own(void **state)
{
	struct node *n = node_new(9, 0);
	struct sum sums[128] = { { 0 } };
	struct trace_edge *e;
	size_t count, outer = 0;

	(void)state;
	handlers = lane_new(n);
	program_run(n, 400, 20);
	assert_int_equal(trace_account(n->trace), 0);
	truth_sum(n, sums);
	e = trace_edges(n->trace, &count);
	for (size_t i = 0; i < count; i++) {
		const struct sum *s = &sums[e[i].to];

		if (e[i].to == 60) {
			assert_true(e[i].handler);
			assert_in_range(e[i].max, STRUCK - 8, STRUCK + 8);
		}
		if (e[i].from || e[i].handler)
			continue;
		assert_int_equal(e[i].calls, s->calls);
		/* Stamps are of 8 ticks, of the call and of each handler in it. */
		assert_in_range((uint64_t)e[i].total, s->total - 8 * s->calls,
				s->total + 8 * s->calls);
		assert_in_range(e[i].max, s->max - 80, s->max + 80);
		assert_in_range(e[i].min, s->min - s->min / 4, s->min + s->min / 4);
		outer++;
	}
	assert_true(outer > 8);
	lane_free(handlers);
	handlers = NULL;
	node_free(n);
}

/*
 * Two tasks take turns, 100 units each, in a call of theirs. One had no room for AWAY: what the
 * other tells is known of it, too.
 */
static void no_time_is_two_tasks(void **state)
{
	static const uint8_t told[] = {
		0, 0, 0, 1,				/* 1 begins at 0, */
		0, 100, 0, 0xfd, 3, 0, 200, 0,		/* not in 100 to 200, */
		0, 44, 1, 0xfd, 3, 0, 144, 1,		/* 300 to 400, */
		0, 244, 1, 0xfd, 3, 0, 88, 2,		/* 500 to 600 */
		0x7e, 0, 188, 2,			/* and ends at 700 */
	};
	static const uint8_t untold[] = { 0, 100, 0, 2, 0x7e, 0, 88, 2 };	/* 2: 100 to 600 */
	static const struct wire_trace frames[] = {
		{ .lane = 2, .time = 700 * 8, .tokens = told, .count = sizeof(told) },
		{ .lane = 3, .time = 700 * 8, .tokens = untold, .count = sizeof(untold) },
	};
	static const uint64_t ran[] = { 400 * 8, 300 * 8 };
	struct trace *t = trace_new();
	struct trace_edge *e;
	uint64_t begin, end;
	size_t count;

	(void)state;
	assert_non_null(t);
	trace_setup(t, &(struct wire_tracing){ .encoding = 1, .stamp_shift = 3, .slots = 128,
					       .lanes = 4 }, 1000000);
	for (unsigned i = 0; i < 2; i++)
		trace_frame(t, &frames[i]);
	assert_int_equal(trace_account(t), 0);
	e = trace_edges(t, &count);
	assert_int_equal(count, 2);
	assert_true(trace_span(t, &begin, &end));
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(e[i].calls, 1);
		assert_int_equal(e[i].total, ran[e[i].to - 1]);
		assert_int_equal(trace_busy_until(t, 2 + i, end), ran[i]);
	}
	trace_free(t);
}

/* Of a part of the time, lanes run no more than there is of it; of all, as the profile says. */
static void loads_are_of_what_a_lane_ran_itself(void **state)
{
	enum { PARTS = 50 };
	struct node *n = node_new(9, 0);
	double totals[2] = { 0 };
	struct trace_edge *e;
	uint64_t begin, end;
	size_t count, calls = 0;

	(void)state;
	handlers = lane_new(n);
	program_run(n, 2000, 20);
	assert_int_equal(trace_account(n->trace), 0);
	e = trace_edges(n->trace, &count);
	for (size_t i = 0; i < count; i++) {
		if (e[i].from && !e[i].handler)
			continue;
		totals[e[i].handler] += e[i].total;
		calls += e[i].calls;
	}
	assert_true(trace_span(n->trace, &begin, &end));
	assert_true(trace_places(n->trace, 0) > 8 && trace_places(n->trace, 1) > 2);
	for (unsigned lane = 0; lane < 2; lane++)
		assert_in_range(trace_busy_until(n->trace, lane, end),
				(uint64_t)totals[lane] - 8 * calls,
				(uint64_t)totals[lane] + 8 * calls);
	for (uint64_t i = 0, was = 0; i <= PARTS; i++) {
		uint64_t at = begin + (end - begin) * i / PARTS;
		uint64_t sum = trace_busy_until(n->trace, 0, at) +
			       trace_busy_until(n->trace, 1, at);

		assert_true(sum >= was);
		if (i)
			assert_in_range(sum - was, (end - begin) / PARTS / 2,
					(end - begin) / PARTS);
		was = sum;
	}
	lane_free(handlers);
	handlers = NULL;
	node_free(n);
}

static void rounds_run(struct node *n, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		node_enter(n, 1);
		node_leaf(n, 2);
		node_exit(n);
		n->ticks += 100;
	}
	while (n->count)
		node_send(n);
}

/*
 * A walk goes on where it was, though the places where walks begin were moved meanwhile. (Valgrind
 * and sanitizers see whether it reads what was freed.)
 */
static void a_walk_that_goes_on_outlives_its_beginning(void **state)
{
	enum { ROUNDS = 9000 };
	struct node *n = node_new(4, 0);
	struct trace_walk *w;
	struct trace_event e;
	unsigned events = 0;

	(void)state;
	handlers = NULL;
	rounds_run(n, ROUNDS);
	w = trace_walk_new(n->trace, 0);
	assert_non_null(w);
	trace_walk_seek(w, UINT64_MAX, 0);
	trace_walk_extend(w);
	while (trace_walk_next(w, &e))
		;
	assert_int_equal(e.kind, TRACE_RETURN);
	rounds_run(n, 8 * ROUNDS);
	trace_walk_extend(w);
	for (; trace_walk_next(w, &e); events++)
		;
	assert_int_equal(events, 4 * 8 * ROUNDS);
	trace_walk_free(w);
	node_free(n);
}

static void each_duration_is_counted(void **state)
{
	struct node *n = node_new(3, 0);
	struct trace_edge *e;
	size_t count;

	(void)state;
	for (uint64_t x = 0; x < 100000; x += 1 + x / 50) {
		unsigned at = lengths_of(x);

		assert_true(lengths_low(at) <= x && x < lengths_low(at + 1));
		assert_true(x < 16 || lengths_low(at + 1) - lengths_low(at) <= x / 16);
	}
	assert_int_equal(lengths_of(UINT64_MAX), LENGTHS - 1);
	handlers = NULL;
	program_run(n, 500, 20);
	assert_int_equal(trace_account(n->trace), 0);
	e = trace_edges(n->trace, &count);
	assert_true(count > 20);
	for (size_t i = 0; i < count; i++) {
		uint64_t sum = 0;
		unsigned first = LENGTHS, last = 0;

		for (unsigned k = 0; k < LENGTHS; k++) {
			sum += e[i].spread[k];
			first = e[i].spread[k] && k < first ? k : first;
			last = e[i].spread[k] ? k : last;
		}
		assert_int_equal(sum, e[i].timed);
		/* Durations are rounded, the least one down, the longest one up. */
		assert_in_range(first - lengths_of(e[i].min), 0, 1);
		assert_in_range(lengths_of(e[i].max) - last, 0, 1);
		assert_true((double)e[i].min * (double)e[i].timed <= e[i].total);
		assert_true((double)e[i].max * (double)e[i].timed >= e[i].total);
	}
	node_free(n);
}

/* Calls on each way, told from the list of all that happened. */
static void each_way_of_calls_is_counted(void **state)
{
	struct node *n = node_new(8, 0);
	const struct trace_path *p;
	size_t count, calls = 0;

	(void)state;
	handlers = NULL;
	program_run(n, 500, 20);
	assert_int_equal(trace_account(n->trace), 0);
	p = trace_paths(n->trace, &count);
	assert_true(count > 50);
	for (size_t i = TRACE_PATH_FIRST; i < count; i++) {
		uint32_t way[DEPTH], open[DEPTH], depth = 0, long_way = 0, told = 0;

		calls += p[i].calls;
		if (i % (UNIT_EACH * UNIT_EACH))
			continue;
		for (uint32_t at = (uint32_t)i; at >= TRACE_PATH_FIRST; at = p[at].parent)
			way[long_way++] = p[at].id;
		for (size_t k = 0; k < n->truth_count; k++) {
			bool same = n->truth[k].kind == TRACE_CALL && depth + 1 == long_way;

			if (n->truth[k].kind == TRACE_RETURN) {
				depth--;
				continue;
			}
			open[depth++] = n->truth[k].id;
			for (uint32_t d = 0; same && d < depth; d++)
				same = open[d] == way[long_way - 1 - d];
			told += same;
		}
		assert_int_equal(p[i].calls, told);
		assert_int_equal(p[i].timed, told);
	}
	assert_int_equal(calls, n->truth_count / 2);
	node_free(n);
}

/* Its oldest parts go; the profile and what remains stay right. */
static void memory_has_a_limit(void **state)
{
	enum { LIMIT = 1 << 19, PROFILE = 5 << 19 };	/* the profile is no part of it */
	struct node *n = node_new(8, 0);
	struct trace_walk *w;
	struct trace_event e;
	struct trace_edge *edges;
	uint64_t begin, end, calls = 0;
	size_t count, at;

	(void)state;
	handlers = NULL;
	trace_limit(n->trace, LIMIT);
	for (unsigned i = 0; i < 300; i++) {
		program_run(n, 5, 20);
		node_forget(n);
		assert_int_equal(trace_account(n->trace), 0);
		assert_true(trace_memory(n->trace) < LIMIT + LIMIT / 4 + PROFILE);
	}
	assert_true(trace_was_cut(n->trace));
	assert_true(trace_span(n->trace, &begin, &end));
	assert_true(begin > (UINT64_C(1) << 32) + n->ticks / 10);
	edges = trace_edges(n->trace, &count);
	for (size_t i = 0; i < count; i++)
		calls += edges[i].calls;
	assert_int_equal(calls, n->truth_count / 2);
	/* Those that went are in no part of what remains. */
	assert_true(trace_calls_until(n->trace, 0, begin - 1) > calls / 10);
	assert_int_equal(trace_calls_until(n->trace, 0, begin - 1),
			 trace_calls_until(n->trace, 0, begin));

	w = trace_walk_new(n->trace, 0);
	assert_true(trace_walk_next(w, &e));
	for (count = 1; trace_walk_next(w, &e); count++)
		;
	assert_true(count > 10000 && count < n->truth_count / 2);
	trace_walk_seek(w, 0, 0);
	for (at = n->truth_count - count; trace_walk_next(w, &e); at++) {
		assert_int_equal(e.kind, n->truth[at].kind);
		assert_int_equal(e.id, n->truth[at].id);
	}
	trace_walk_free(w);
	node_free(n);
}

/* Calls that refer to before a FORGET, where frames were lost, hold what is there, and no more. */
static void memory_has_a_limit_where_frames_are_lost(void **state)
{
	enum { LIMIT = 1 << 19, PROFILE = 5 << 19 };
	struct node *n = node_new(8, 50);
	struct trace_walk *w;
	struct trace_event e;
	struct trace_edge *edges;
	struct trace_stats stats;
	uint64_t calls = 0;
	size_t count;

	(void)state;
	handlers = NULL;
	trace_limit(n->trace, LIMIT);
	for (unsigned i = 0; i < 600; i++) {
		program_run(n, 5, 5);
		node_forget(n);
		assert_int_equal(trace_account(n->trace), 0);
		assert_true(trace_memory(n->trace) < LIMIT + LIMIT / 2 + PROFILE);
	}
	assert_true(trace_was_cut(n->trace));
	trace_stats(n->trace, &stats);
	assert_true(stats.frames_lost > 50 && stats.bad == 0);
	edges = trace_edges(n->trace, &count);
	for (size_t i = 0; i < count; i++)
		calls += edges[i].calls;
	assert_true(calls > n->truth_count / 4 && calls <= n->truth_count / 2);
	w = trace_walk_new(n->trace, 0);
	for (count = 0; trace_walk_next(w, &e); count++)
		;
	assert_true(count > 10000 && count < n->truth_count);
	trace_walk_free(w);
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_between_stamps_are_learned),
		cmocka_unit_test(what_stamps_told_of_a_call_is_kept),
		cmocka_unit_test(a_walk_survives_that_habits_are_forgotten),
		cmocka_unit_test(handlers_are_in_no_times_but_their_own),
		cmocka_unit_test(no_time_is_two_tasks),
		cmocka_unit_test(loads_are_of_what_a_lane_ran_itself),
		cmocka_unit_test(a_walk_that_goes_on_outlives_its_beginning),
		cmocka_unit_test(each_duration_is_counted),
		cmocka_unit_test(each_way_of_calls_is_counted),
		cmocka_unit_test(memory_has_a_limit),
		cmocka_unit_test(memory_has_a_limit_where_frames_are_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
