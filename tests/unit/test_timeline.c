/*
 * test_timeline: what the time line shows of a window, and the calls that its keys look for,
 * against the plain list of all calls that a walk over the whole trace makes.
 */
#include "tests/unit/calls_made.h"
#include "tui/view/timeline/find.h"
#include "tui/view/timeline/search.h"

enum { WIDTH = 100 };

/* The call at this depth around another. */
static const struct made_call *call_around(const struct calls *c, size_t i, uint32_t depth)
{
	while (i-- > 0)
		if (c->v[i].depth == depth)
			return &c->v[i];
	return NULL;
}

static bool is_box(const struct scene *s, const struct made_call *c)
{
	return c->end >= s->begin && c->begin < s->end &&
	       (double)(c->end - c->begin) >= SCENE_BOX * scene_ticks_per_column(s);
}

static void boxes_are_the_calls_that_are_wide(void **state)
{
	struct node *n = program_run(2000, 10, 0);
	struct scene s = { .begin = 0 };
	struct calls c = { .v = NULL };
	uint64_t begin, end;
	size_t shown = 0;

	(void)state;
	calls_list(&c, n->trace);
	trace_span(n->trace, &begin, &end);
	for (unsigned k = 0; k < 600; k++) {
		uint64_t at = begin + (end - begin) * k / 600, span = 300 << k % 8;
		size_t boxes = 0;

		assert_int_equal(scene_build(&s, n->trace, at, at + span, WIDTH), 0);
		for (size_t i = 0; i < c.count; i++) {
			const struct scene_call *box;

			if (!is_box(&s, &c.v[i]) || c.v[i].begin < at || c.v[i].end >= at + span)
				continue;
			box = scene_box(&s, 0, c.v[i].depth, c.v[i].begin);
			assert_non_null(box);
			assert_int_equal(box->id, c.v[i].id);
			assert_int_equal(box->begin, c.v[i].begin);
			assert_int_equal(box->end, c.v[i].end);
			boxes++;
		}
		assert_true(boxes <= s.count);
		shown += boxes;
	}
	assert_true(shown > 500);
	scene_release(&s);
	free(c.v);
	node_free(n);
}

/* Of depth 0 all ticks are in boxes or in cells. */
static void short_calls_are_added_up(void **state)
{
	struct node *n = program_run(500, 10, 0);
	struct scene s = { .begin = 0 };
	struct calls c = { .v = NULL };
	uint64_t begin, end, all = 0, busy = 0, calls = 0, count = 0;

	(void)state;
	calls_list(&c, n->trace);
	trace_span(n->trace, &begin, &end);
	assert_int_equal(scene_build(&s, n->trace, begin, end + 1, WIDTH), 0);
	for (size_t i = 0; i < c.count; i++) {
		all += c.v[i].depth ? 0 : c.v[i].end - c.v[i].begin;
		count += c.v[i].depth == 0;
	}
	for (int x = 0; x < WIDTH; x++) {
		busy += scene_cells(&s, 0, 0)[x].busy;
		calls += scene_cells(&s, 0, 0)[x].calls;
	}
	for (size_t i = 0; i < s.count; i++) {
		busy += s.calls[i].depth ? 0 : s.calls[i].end - s.calls[i].begin;
		calls += s.calls[i].depth == 0;
	}
	assert_int_equal(calls, count);
	assert_in_range(busy, all - 2 * count, all);
	scene_release(&s);
	free(c.v);
	node_free(n);
}

static void rows_below_what_is_no_box_are_empty(void **state)
{
	struct node *n = program_run(500, 10, 0);
	struct scene s = { .begin = 0 };
	uint32_t above[WIDTH], row[WIDTH];
	uint64_t begin, end;

	(void)state;
	trace_span(n->trace, &begin, &end);
	assert_int_equal(scene_build(&s, n->trace, begin + 5000, begin + 15000, WIDTH), 0);
	scene_row(&s, 0, 0, above);
	for (uint32_t depth = 1; depth < 8; depth++) {
		scene_row(&s, 0, depth, row);
		for (int x = 0; x < WIDTH; x++)
			if (row[x] == SCENE_CELL)
				assert_true(above[x] >= SCENE_BOXES);
		memcpy(above, row, sizeof(row));
	}
	scene_release(&s);
	node_free(n);
}

static void too_many_calls_are_counted(void **state)
{
	struct node *n = program_run(40000, 50, 0);
	struct scene s = { .begin = 0 };
	struct trace_stats stats;
	uint64_t begin, end, sum = 0;

	(void)state;
	trace_span(n->trace, &begin, &end);
	assert_int_equal(scene_build(&s, n->trace, begin, end + 1, WIDTH), 0);
	trace_stats(n->trace, &stats);
	assert_true(s.lanes[0].dense);
	for (int x = 0; x < WIDTH; x++)
		sum += scene_cells(&s, 0, 0)[x].calls;
	assert_in_range(sum, stats.calls * 99 / 100, stats.calls);
	assert_int_equal(s.count, 0);
	scene_release(&s);
	node_free(n);
}

static void lost_frames_are_boxes_of_their_own(void **state)
{
	struct node *n = program_run(600, 10, 60);
	struct scene s = { .begin = 0 };
	struct trace_stats stats;
	uint64_t begin, end, lost = 0;

	(void)state;
	trace_span(n->trace, &begin, &end);
	assert_int_equal(scene_build(&s, n->trace, begin, end + 1, WIDTH), 0);
	for (size_t i = 0; i < s.count; i++)
		lost += s.calls[i].kind == TRACE_LOST ? s.calls[i].count : 0;
	trace_stats(n->trace, &stats);
	assert_true(lost > 0);
	assert_int_equal(lost, stats.frames_lost);
	scene_release(&s);
	node_free(n);
}

static void a_call_is_found_by_its_place(void **state)
{
	struct node *n = program_run(1000, 10, 0);
	struct calls c = { .v = NULL };
	unsigned tried = 0;

	(void)state;
	calls_list(&c, n->trace);
	for (size_t i = 0; i < c.count; i += 37) {
		uint64_t at = (c.v[i].begin + c.v[i].end) / 2;
		struct find_place p = { .depth = c.v[i].depth, .from = at, .at = at, .to = at + 1 };
		struct found_call f;

		if (at == c.v[i].end)
			continue;
		assert_true(find_call(n->trace, &p, &f));
		assert_int_equal(f.call.id, c.v[i].id);
		assert_int_equal(f.call.begin, c.v[i].begin);
		assert_int_equal(f.call.end, c.v[i].end);
		for (uint32_t d = 0; d < c.v[i].depth; d++)
			assert_int_equal(f.path[d], call_around(&c, i, d)->id);
		tried++;
	}
	assert_true(tried > 100);
	free(c.v);
	node_free(n);
}

/* In a column with other calls of its row: what runs before it is near, too. */
static void a_call_is_found_among_short_ones(void **state)
{
	struct node *n = program_run(1000, 10, 0);
	struct calls c = { .v = NULL };
	unsigned tried = 0;

	(void)state;
	calls_list(&c, n->trace);
	for (size_t i = 20; i + 20 < c.count; i += 7) {
		uint64_t at = c.v[i].begin;
		struct find_place p = { .depth = c.v[i].depth, .from = c.v[i - 20].begin, .at = at,
					.to = c.v[i + 20].begin };
		struct found_call f;

		if (at == c.v[i].end)
			continue;
		assert_true(find_call(n->trace, &p, &f));
		assert_int_equal(f.call.begin, at);
		assert_int_equal(f.call.end, c.v[i].end);
		assert_false(f.call.open);
		tried++;
	}
	assert_true(tried > 100);
	free(c.v);
	node_free(n);
}

static bool event_next(struct trace_walk *w, uint64_t ticks, struct trace_event *e,
		       unsigned *events)
{
	bool more;

	do
		++*events, more = trace_walk_next(w, e);
	while (more && (e->kind == TRACE_HELD || e->ticks < ticks));
	return more;
}

/* What comes behind is the same as of a walk from further back, the calls around it, too. */
static void a_walk_begins_near(void **state)
{
	static const uint32_t depths[] = { 0, 1, 2, UINT32_MAX };
	struct node *n = program_run(600, 10, 20);
	uint64_t begin, end;
	unsigned events[2] = { 0 };

	(void)state;
	trace_span(n->trace, &begin, &end);
	for (unsigned k = 1; k < 400; k++) {
		uint64_t ticks = begin + (end - begin) * k / 400;
		struct trace_walk *far = trace_walk_new(n->trace, 0);
		struct trace_walk *near = trace_walk_new(n->trace, 0);
		struct trace_event a = { .kind = 0 }, b = { .kind = 0 };

		trace_walk_seek(far, ticks, 0);
		trace_walk_seek(near, ticks, 0);
		trace_walk_near(near, depths[k % 4]);
		for (unsigned i = 0; i < 40; i++) {
			bool more = event_next(far, ticks, &a, &events[0]);

			assert_int_equal(event_next(near, ticks, &b, &events[1]), more);
			if (!more)
				break;
			assert_true(a.kind == b.kind && a.id == b.id && a.depth == b.depth);
			assert_true(a.ticks == b.ticks && a.until == b.until && a.time == b.time);
		}
		trace_walk_free(far);
		trace_walk_free(near);
	}
	assert_true(events[0] > 3 * events[1]);
	node_free(n);
}

static void the_longest_call_is_found(void **state)
{
	struct node *n = program_run(3000, 10, 0);
	struct calls c = { .v = NULL };

	(void)state;
	assert_int_equal(trace_account(n->trace), 0);
	calls_list(&c, n->trace);
	for (uint32_t id = 1; id <= FUNCTIONS; id++) {
		struct scene_call call;
		struct trace_edge edge;
		uint64_t most = 0;
		size_t k = 0;

		for (size_t i = 0; i < c.count; i++)
			if (c.v[i].id == id && c.v[i].end - c.v[i].begin > most)
				most = c.v[i].end - c.v[i].begin;
		assert_true(trace_longest(n->trace, id, &edge));
		assert_true(find_longest(n->trace, &edge, &call));
		assert_int_equal(call.id, id);
		assert_in_range(call.end - call.begin, most - 2, most);	/* ticks are rounded */
		while (k < c.count && (c.v[k].begin != call.begin || c.v[k].id != id))
			k++;
		assert_true(k < c.count);
		assert_int_equal(call.depth, c.v[k].depth);
	}
	assert_false(trace_longest(n->trace, 999, &(struct trace_edge){ .max = 0 }));
	free(c.v);
	node_free(n);
}

/* The next or the one before of a function that takes so long; SIZE_MAX: none. */
static size_t next_plainly(const struct calls *c, size_t from, bool back, uint64_t least)
{
	for (size_t i = from; back ? i-- > 0 : ++i < c->count; )
		if (c->v[i].id == c->v[from].id && c->v[i].end - c->v[i].begin >= least)
			return i;
	return SIZE_MAX;
}

static enum search_state search_run(struct search *k, const struct trace *t)
{
	enum search_state state;

	do
		state = search_step(k, t);
	while (state == SEARCH_MORE);
	return state;
}

/* From each fifth call forwards or backwards, of any duration or of half as much again. */
static void search_all(struct node *n, const struct calls *c, size_t step)
{
	unsigned found = 0;

	for (size_t i = 0; i < c->count; i += step) {
		bool back = i % 2;
		uint64_t least = i % 3 ? 0 : (c->v[i].end - c->v[i].begin) * 3 / 2 + 1;
		uint8_t ids[64] = { 0 };
		struct search_wanted w = { .ids = ids, .id_count = sizeof(ids), .least = least,
					   .backwards = back, .ticks = c->v[i].begin,
					   .depth = c->v[i].depth };
		size_t next = next_plainly(c, i, back, least);
		struct search k;

		ids[c->v[i].id] = 1;
		search_begin(&k, &w);
		assert_int_equal(search_run(&k, n->trace), next == SIZE_MAX ? SEARCH_NONE :
				 SEARCH_FOUND);
		assert_false(k.skipped);
		if (next == SIZE_MAX)
			continue;
		assert_int_equal(k.found.begin, c->v[next].begin);
		assert_int_equal(k.found.id, c->v[next].id);
		assert_int_equal(k.found.depth, c->v[next].depth);
		found++;
	}
	assert_true(found > c->count / step / 2);
}

static void the_next_call_of_a_function_is_found(void **state)
{
	struct node *n = program_run(300, 20, 0);
	struct calls c = { .v = NULL };

	(void)state;
	calls_list(&c, n->trace);
	search_all(n, &c, 5);
	free(c.v);
	node_free(n);
}

/* Over many places where a walk may begin. */
static void the_next_call_is_found_far_away(void **state)
{
	struct node *n = program_run(6000, 60, 0);
	struct calls c = { .v = NULL };

	(void)state;
	calls_list(&c, n->trace);
	assert_true(trace_places(n->trace, 0) > 20);
	search_all(n, &c, 211 * UNIT_EACH);
	free(c.v);
	node_free(n);
}

/* In ten million calls, which three million events do not reach. */
static void a_rare_call_is_found_in_bounded_steps(void **state)
{
	struct node *n = node_new(5, 0);
	uint8_t ids[64] = { [40] = 1 };
	struct search_wanted w = { .ids = ids, .id_count = sizeof(ids) };
	struct trace_stats stats = { .calls = 0 };
	struct search k;
	unsigned steps = 0;

	(void)state;
	for (unsigned i = 0; stats.calls < 10000000; i++) {
		n->truth_count = 0;
		function_run(n, 1 + i % 3, 5);
		n->ticks += 1000;
		if (i == 200000 || i == 1000)
			node_leaf(n, 40);
		while (n->count > FRAME)
			node_send(n);
		trace_stats(n->trace, &stats);
	}
	w.ticks = 100000000;
	w.ticks += UINT64_C(1) << 32;
	search_begin(&k, &w);
	assert_int_equal(search_run(&k, n->trace), SEARCH_FOUND);
	assert_int_equal(k.found.id, 40);
	w.ticks = k.found.begin;
	w.backwards = true;
	for (search_begin(&k, &w); search_step(&k, n->trace) == SEARCH_MORE; steps++)
		assert_in_range(search_share(&k, n->trace) * 1000, 0, 1000);
	assert_true(k.has_found && k.found.begin < w.ticks);
	assert_true(steps < 10);
	node_free(n);
}

static int duration_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void usual_is_the_median_in_the_window(void **state)
{
	struct node *n = program_run(200, 20, 0);
	struct calls c = { .v = NULL };
	uint64_t begin, end, durations[FIND_SAMPLES];
	size_t count = 0;
	struct find_usual u;

	(void)state;
	calls_list(&c, n->trace);
	trace_span(n->trace, &begin, &end);
	begin += (end - begin) / 2;
	for (size_t i = 0; i < c.count && count < FIND_SAMPLES; i++)
		if (c.v[i].id == 2 && c.v[i].begin >= begin && c.v[i].end < end)
			durations[count++] = c.v[i].end - c.v[i].begin;
	qsort(durations, count, sizeof(*durations), duration_compare);
	find_usual(n->trace, 2, &(struct find_window){ .begin = begin, .end = end }, &u);
	assert_false(u.cut);
	assert_int_equal(u.calls, count);
	assert_true(u.ticks == (double)(durations[(count - 1) / 2] + durations[count / 2]) / 2);
	free(c.v);
	node_free(n);
}

/* Of calls before the window some are met, as the walk begins further back: none of them counts. */
static void intervals_are_of_calls_in_the_window(void **state)
{
	struct node *n = program_run(300, 20, 0);
	struct calls c = { .v = NULL };
	uint64_t first, all;
	static struct find_usual u;

	(void)state;
	calls_list(&c, n->trace);
	trace_span(n->trace, &first, &all);
	all -= first;
	for (unsigned k = 1; k < 40; k++) {
		uint64_t begin = first + all * k / 41, end = begin + all / 41, last = 0, most = 0;

		for (size_t i = 0; i < c.count; i++) {
			if (c.v[i].id != 2 || c.v[i].begin < begin || c.v[i].begin >= end)
				continue;
			if (last && c.v[i].begin - last > most)
				most = c.v[i].begin - last;
			last = c.v[i].begin;
		}
		find_usual(n->trace, 2, &(struct find_window){ .begin = begin, .end = end }, &u);
		assert_false(u.cut);
		assert_int_equal(u.interval_count ? u.intervals[u.interval_count - 1] : 0, most);
	}
	free(c.v);
	node_free(n);
}

/* Behind a lost frame calls have no time until the next stamp: no call takes none at all. */
static void usual_leaves_out_times_that_are_not_known(void **state)
{
	struct node *n = program_run(600, 10, 60);
	static struct find_usual u;
	uint64_t begin, end;

	(void)state;
	trace_span(n->trace, &begin, &end);
	for (uint32_t id = 1; id <= FUNCTIONS; id++) {
		find_usual(n->trace, id, &(struct find_window){ .begin = begin, .end = end }, &u);
		assert_true(u.calls > 0);
		assert_true(u.durations[0] > 0);
	}
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_are_the_calls_that_are_wide),
		cmocka_unit_test(short_calls_are_added_up),
		cmocka_unit_test(rows_below_what_is_no_box_are_empty),
		cmocka_unit_test(too_many_calls_are_counted),
		cmocka_unit_test(lost_frames_are_boxes_of_their_own),
		cmocka_unit_test(a_call_is_found_by_its_place),
		cmocka_unit_test(a_call_is_found_among_short_ones),
		cmocka_unit_test(a_walk_begins_near),
		cmocka_unit_test(the_longest_call_is_found),
		cmocka_unit_test(the_next_call_of_a_function_is_found),
		cmocka_unit_test(the_next_call_is_found_far_away),
		cmocka_unit_test(a_rare_call_is_found_in_bounded_steps),
		cmocka_unit_test(usual_is_the_median_in_the_window),
		cmocka_unit_test(intervals_are_of_calls_in_the_window),
		cmocka_unit_test(usual_leaves_out_times_that_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
