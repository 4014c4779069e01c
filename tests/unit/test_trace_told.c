/*
 * A trace that is told event by event from outside: every event has its time, however far apart
 * they are; the profile of it is exact.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/image/image.h"
#include "core/trace/trace.h"

enum { EVENTS = 40000, FUNCTIONS = 9, DEPTH = 30 };

struct truth {
	struct trace_told told[EVENTS];
	size_t count;
	uint64_t calls[FUNCTIONS], ticks[FUNCTIONS], most[FUNCTIONS];
};

static uint32_t random_below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

/* Pauses from none to hours of a fast clock. */
static uint64_t pause_of(uint32_t *seed)
{
	return random_below(seed, 4) ? random_below(seed, 50) :
	       (uint64_t)random_below(seed, 1000) << random_below(seed, 34);
}

static void truth_make(struct truth *t, uint32_t seed)
{
	struct {
		uint32_t id;
		uint64_t begin;
	} open[DEPTH];
	size_t depth = 0;
	uint64_t now = random_below(&seed, 1000);

	memset(t, 0, sizeof(*t));
	while (t->count < EVENTS) {
		struct trace_told *e = &t->told[t->count++];
		uint32_t what = random_below(&seed, 20);

		now += pause_of(&seed);
		*e = (struct trace_told){ .kind = TRACE_STATE, .ticks = now, .id = 3,
					  .value = random_below(&seed, 4) };
		if (what < 10 && depth < DEPTH) {
			uint32_t f = random_below(&seed, FUNCTIONS);

			e->kind = TRACE_CALL;
			e->id = IMAGE_TOLD + 2 * f;
			e->value = 0;
			open[depth].id = f;
			open[depth++].begin = now;
			t->calls[f]++;
		} else if (what < 19 && depth) {
			uint32_t f = open[--depth].id;
			uint64_t ticks = now - open[depth].begin;

			e->kind = TRACE_RETURN;
			e->value = 0;
			t->ticks[f] += ticks;
			t->most[f] = ticks > t->most[f] ? ticks : t->most[f];
		}
	}
	for (; depth; depth--)
		t->calls[open[depth - 1].id]--;		/* they did not return */
}

static struct trace *trace_made(const struct truth *t)
{
	struct trace *trace = trace_new();

	assert_non_null(trace);
	trace_setup_told(trace, 72e6);
	for (size_t i = 0; i < t->count; i++) {
		assert_int_equal(trace_tell(trace, &t->told[i]), 0);
		if (i % 777 == 0)
			assert_int_equal(trace_account_live(trace), 0);
	}
	assert_int_equal(trace_account(trace), 0);
	return trace;
}

static void every_event_has_its_time(void **state)
{
	static struct truth t;

	(void)state;
	for (uint32_t seed = 1; seed <= UNIT_TRIALS(8); seed++) {
		struct trace *trace;
		struct trace_walk *w;
		struct trace_event e;
		uint64_t begin, end, base;
		size_t n = 0;

		truth_make(&t, seed);
		trace = trace_made(&t);
		assert_true(trace_span(trace, &begin, &end));
		base = end - t.told[t.count - 1].ticks;
		w = trace_walk_new(trace, 0);
		for (; trace_walk_next(w, &e); n++) {
			assert_true(n < t.count);
			assert_int_equal(e.kind, t.told[n].kind);
			assert_int_equal(e.ticks, t.told[n].ticks + base);
			assert_int_equal(e.value, t.told[n].value);
			if (e.kind == TRACE_CALL)
				assert_int_equal(e.id, t.told[n].id);
		}
		assert_int_equal(n, t.count);
		trace_walk_free(w);
		trace_free(trace);
	}
}

static void its_profile_is_exact(void **state)
{
	static struct truth t;

	(void)state;
	for (uint32_t seed = 1; seed <= UNIT_TRIALS(8); seed++) {
		uint64_t calls[FUNCTIONS] = { 0 }, most[FUNCTIONS] = { 0 };
		double ticks[FUNCTIONS] = { 0 };
		struct trace *trace;
		struct trace_edge *e;
		size_t edges;

		truth_make(&t, seed);
		trace = trace_made(&t);
		e = trace_edges(trace, &edges);
		for (size_t i = 0; i < edges; i++) {
			uint32_t f = (e[i].to - IMAGE_TOLD) / 2;

			assert_true(f < FUNCTIONS);
			calls[f] += e[i].timed;
			ticks[f] += e[i].total;
			most[f] = e[i].max > most[f] ? e[i].max : most[f];
		}
		for (uint32_t f = 0; f < FUNCTIONS; f++) {
			assert_int_equal(calls[f], t.calls[f]);
			assert_int_equal(most[f], t.most[f]);
			assert_true(fabs(ticks[f] - (double)t.ticks[f]) <=
				    1e-9 * (double)t.ticks[f] + 1);
		}
		trace_free(trace);
	}
}

static void event_tell(struct trace *t, enum trace_event_kind kind, uint8_t lane, uint32_t id,
		       uint64_t ticks)
{
	struct trace_told e = { .kind = kind, .lane = lane, .id = id, .ticks = ticks };

	assert_int_equal(trace_tell(t, &e), 0);
}

static struct trace_edge edge_to(struct trace *t, uint32_t id)
{
	size_t count;
	struct trace_edge *e = trace_edges(t, &count);

	for (size_t i = 0; i < count; i++)
		if (e[i].to == id)
			return e[i];
	return (struct trace_edge){ .calls = 0 };
}

/* A handler's time is none of what it interrupted; what is open at a loss has none. */
static void handlers_and_losses_are_taken_out(void **state)
{
	enum {
		PROGRAM = IMAGE_TOLD, CALLEE = IMAGE_TOLD + 6,
		TICK = IMAGE_TOLD + 2 + IMAGE_TOLD_HANDLER,
		RADIO = IMAGE_TOLD + 4 + IMAGE_TOLD_HANDLER,
	};
	struct trace *t = trace_new();
	struct trace_stats stats;

	(void)state;
	trace_setup_told(t, 1e6);
	event_tell(t, TRACE_CALL, 0, PROGRAM, 1000);
	event_tell(t, TRACE_CALL, 1, TICK, 1100);
	event_tell(t, TRACE_CALL, 1, CALLEE, 1105);
	event_tell(t, TRACE_CALL, 1, RADIO, 1110);	/* preempts both */
	event_tell(t, TRACE_RETURN, 1, 0, 1140);
	event_tell(t, TRACE_RETURN, 1, 0, 1150);
	event_tell(t, TRACE_RETURN, 1, 0, 1200);
	event_tell(t, TRACE_RETURN, 0, 0, 2000);
	event_tell(t, TRACE_RETURN, 0, 0, 2001);	/* of nothing */
	event_tell(t, TRACE_CALL, 1, TICK, 3000);
	event_tell(t, TRACE_LOST, 1, 0, 3100);
	event_tell(t, TRACE_RETURN, 1, 0, 3200);
	assert_int_equal(trace_account(t), 0);
	assert_int_equal(edge_to(t, PROGRAM).max, 900);
	assert_int_equal(edge_to(t, TICK).max, 70);
	assert_int_equal(edge_to(t, TICK).timed, 1);
	assert_true(edge_to(t, TICK).handler);
	assert_int_equal(edge_to(t, CALLEE).max, 15);
	assert_int_equal(edge_to(t, CALLEE).from, TICK);
	assert_int_equal(edge_to(t, RADIO).max, 30);
	assert_int_equal(edge_to(t, RADIO).from, 0);
	assert_true(edge_to(t, RADIO).handler);
	trace_stats(t, &stats);
	assert_int_equal(stats.calls, 5);
	assert_int_equal(stats.frames_lost, 1);
	trace_free(t);
}

static void notes_have_names(void **state)
{
	struct trace *t = trace_new();

	(void)state;
	assert_null(trace_note_name(t, 3));
	trace_name(t, &(struct wire_naming){ .note = 3, .name = "radio" });
	trace_name(t, &(struct wire_naming){ .note = 3, .name = "radio_state" });
	trace_name(t, &(struct wire_naming){ .note = 3, .name = "TX", .of_state = true,
					     .state = -1 });
	assert_string_equal(trace_note_name(t, 3), "radio_state");
	assert_string_equal(trace_state_name(t, 3, -1), "TX");
	assert_null(trace_state_name(t, 3, 1));
	assert_null(trace_note_name(NULL, 3));
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_has_its_time),
		cmocka_unit_test(its_profile_is_exact),
		cmocka_unit_test(handlers_and_losses_are_taken_out),
		cmocka_unit_test(notes_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
