/*
 * The log of a trace: however it is taken in by pieces while the trace grows, it has each event
 * once, in order, each call with its end.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "core/image/image.h"
#include "core/trace/log.h"

enum { EVENTS = UNIT_LENGTH(60000), FUNCTIONS = 9, DEPTH = 30, LANES = 3 };

struct want {
	struct trace_log_entry e;
	bool call;
};

/* What was told, and what the log has to say of it. */
struct truth {
	struct trace_told told[EVENTS];
	struct want wants[EVENTS];
	size_t count, want_count;
	bool ties;			/* of several events a tick; and losses */
};

static uint32_t random_below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

static bool wants_third(const void *ctx, uint32_t id)
{
	(void)ctx;
	return (id - IMAGE_TOLD) / 2 == 3;
}

static const struct trace_log_terms terms[] = {
	[TRACE_LOG_NO_CALLS] = { TRACE_LOG_NO_CALLS, NULL, NULL },
	[TRACE_LOG_SOME_CALLS] = { TRACE_LOG_SOME_CALLS, wants_third, NULL },
	[TRACE_LOG_ALL_CALLS] = { TRACE_LOG_ALL_CALLS, NULL, NULL },
};

static void want_add(struct truth *t, const struct trace_told *told, uint64_t ticks,
		     uint32_t within)
{
	t->wants[t->want_count++] = (struct want){
		.e = { .ticks = ticks, .value = told->value, .id = told->id,
		       .kind = (uint8_t)told->kind, .lane = told->lane },
		.call = told->kind == TRACE_CALL,
	};
	t->wants[t->want_count - 1].e.within = within;
	if (told->kind == TRACE_LOST)
		t->wants[t->want_count - 1].e.count = 1;
}

static void truth_make(struct truth *t, uint32_t seed)
{
	size_t open[LANES][DEPTH], depth[LANES] = { 0 };
	uint64_t now = 5;

	memset(t, 0, sizeof(*t));
	t->ties = seed % 2;
	while (t->count < EVENTS) {
		struct trace_told *e = &t->told[t->count++];
		uint32_t what = random_below(&seed, 1000), lane = random_below(&seed, LANES);
		uint32_t within = depth[lane] ? t->wants[open[lane][depth[lane] - 1]].e.id : 0;

		now += !t->ties + (random_below(&seed, 3) ? random_below(&seed, 9) : 0);
		*e = (struct trace_told){ .kind = TRACE_VALUE, .ticks = now, .id = 3 + what % 4,
					  .lane = (uint8_t)lane, .value = (int64_t)what - 500 };
		if (what < 400 && depth[lane] < DEPTH) {
			e->kind = TRACE_CALL;
			e->id = IMAGE_TOLD + 2 * random_below(&seed, FUNCTIONS);
			e->value = 0;
			open[lane][depth[lane]++] = t->want_count;
		} else if (what < 880 && depth[lane]) {
			e->kind = TRACE_RETURN;
			e->value = 0;
			t->wants[open[lane][--depth[lane]]].e.until = now;
			continue;
		} else if (what < 920) {
			e->kind = TRACE_AWAY;
			continue;
		} else if (what == 999 && t->ties) {
			e->kind = TRACE_LOST;
			for (e->value = e->id = within = 0; depth[lane]; )
				t->wants[open[lane][--depth[lane]]].e.until = TRACE_LOG_CUT;
		}
		if (e->kind == TRACE_VALUE && depth[TRACE_LANE_HANDLERS])
			within = t->wants[open[1][depth[1] - 1]].e.id;
		want_add(t, e, now, within);
	}
}

static bool want_is_of(const struct want *w, enum trace_log_calls calls)
{
	return !w->call || calls == TRACE_LOG_ALL_CALLS ||
	       (calls == TRACE_LOG_SOME_CALLS && wants_third(NULL, w->e.id));
}

/* Where events are missing is not right to the tick where calls are walked: counted alone. */
static uint64_t losses_of(const struct trace_log *l)
{
	uint64_t n = 0;

	for (uint64_t i = trace_log_first(l); i < trace_log_end(l); i++)
		n += trace_log_entry(l, i)->kind == TRACE_LOST;
	return n;
}

static void log_is_true(const struct trace_log *l, const struct truth *t,
			enum trace_log_calls calls)
{
	uint64_t n = 0, lost = 0;

	for (size_t i = 0; i < t->want_count; i++) {
		const struct want *w = &t->wants[i];
		const struct trace_log_entry *e;

		if (!want_is_of(w, calls))
			continue;
		lost += w->e.kind == TRACE_LOST;
		if (w->e.kind == TRACE_LOST && calls != TRACE_LOG_NO_CALLS)
			continue;
		do
			e = trace_log_entry(l, n++);
		while (e && e->kind == TRACE_LOST && calls != TRACE_LOG_NO_CALLS);
		assert_non_null(e);
		assert_int_equal(e->kind, w->e.kind);
		assert_int_equal(e->lane, w->e.lane);
		assert_int_equal(e->ticks, w->e.ticks);
		assert_int_equal(e->id, w->e.id);
		assert_int_equal(e->value, w->e.value);
		if (calls == TRACE_LOG_NO_CALLS)
			assert_int_equal(e->within, TRACE_LOG_SOMEWHERE);
		else if (!t->ties)
			assert_int_equal(e->within, w->e.within);
	}
	while (trace_log_entry(l, n) && trace_log_entry(l, n)->kind == TRACE_LOST)
		n++;
	assert_int_equal(losses_of(l), lost);
	assert_int_equal(trace_log_end(l), n);
	assert_null(trace_log_entry(l, n));
}

/* Of one tick, lanes have their own order: the first one's events come first. */
static void truth_order(struct truth *t)
{
	for (size_t i = 1; i < t->want_count; i++)
		for (size_t k = i; k && t->wants[k].e.ticks == t->wants[k - 1].e.ticks &&
				   t->wants[k].e.lane < t->wants[k - 1].e.lane; k--) {
			struct want w = t->wants[k];

			t->wants[k] = t->wants[k - 1];
			t->wants[k - 1] = w;
		}
}

static void whole_in_pieces(void **state)
{
	struct truth *t = malloc(sizeof(*t));

	(void)state;
	for (uint32_t seed = 1; seed < 5; seed++) {
		struct trace *trace = trace_new();

		truth_make(t, seed);
		truth_order(t);
		trace_setup_told(trace, 72e6);
		for (size_t i = 0; i < t->count; i++)
			assert_int_equal(trace_tell(trace, &t->told[i]), 0);
		for (int calls = TRACE_LOG_NO_CALLS; calls <= TRACE_LOG_ALL_CALLS; calls++) {
			struct trace_log *l = trace_log_new(1 << 20);
			uint32_t random = seed;
			size_t pieces = 1;

			trace_log_begin(l, &terms[calls]);
			while (trace_log_take(l, trace, true,
					      1 + random_below(&random, UNIT_LENGTH(1000))))
				pieces++;
			assert_true(pieces > 5);
			assert_true(trace_log_share(l, trace) >= 1);
			log_is_true(l, t, (enum trace_log_calls)calls);
			trace_log_free(l);
		}
		trace_free(trace);
	}
	free(t);
}

/* Within a tick the order is that of arrival, where the log looked in between. */
static void grows_with_the_trace(void **state)
{
	struct truth *t = malloc(sizeof(*t));
	struct trace *trace = trace_new();
	struct trace_log *logs[3];

	(void)state;
	truth_make(t, 78);
	trace_setup_told(trace, 8e6);
	for (int calls = 0; calls < 3; calls++) {
		logs[calls] = trace_log_new(1 << 20);
		trace_log_begin(logs[calls], &terms[calls]);
	}
	for (size_t i = 0; i < t->count; i++) {
		bool last = i + 1 == t->count || t->told[i + 1].ticks > t->told[i].ticks;

		trace_tell(trace, &t->told[i]);
		for (int calls = 0; last && calls < 3 && i % (5 * UNIT_EACH) == 0; calls++)
			while (trace_log_take(logs[calls], trace, false, 100))
				;
	}
	truth_order(t);
	for (int calls = 0; calls < 3; calls++) {
		trace_log_take(logs[calls], trace, true, SIZE_MAX);
		log_is_true(logs[calls], t, (enum trace_log_calls)calls);
		trace_log_free(logs[calls]);
	}
	trace_free(trace);
	free(t);
}

static void survives_what_is_let_go(void **state)
{
	struct truth *t = malloc(sizeof(*t));

	(void)state;
	truth_make(t, 3);
	for (int calls = 0; calls < 3; calls++) {
		struct trace *trace = trace_new();
		struct trace_log *l = trace_log_new(1 << 20);
		uint64_t before = 0;

		trace_limit(trace, 1 << 20);
		trace_setup_told(trace, 8e6);
		trace_log_begin(l, &terms[calls]);
		for (size_t round = 0; round < UNIT_TRIALS(1200000); round++) {
			struct trace_told told = t->told[round % EVENTS];

			told.ticks += round / EVENTS * 1000000;
			trace_tell(trace, &told);
			if (round % 4000 == 0)
				trace_account_live(trace);
			if (round % UNIT_TRIALS(300000) == 77)
				trace_log_take(l, trace, false, 20000);
		}
		assert_true(trace_was_cut(trace));
		while (trace_log_take(l, trace, true, 5000))
			;
		for (uint64_t n = trace_log_first(l); n < trace_log_end(l); n++) {
			assert_true(trace_log_entry(l, n)->ticks >= before);
			before = trace_log_entry(l, n)->ticks;
		}
		assert_int_equal(trace_log_at(l, before + 1), trace_log_end(l));
		assert_true(trace_log_end(l) > 1000);
		trace_log_free(l);
		trace_free(trace);
	}
	free(t);
}

static void knows_the_function_around(void **state)
{
	static const struct trace_told told[] = {
		{ TRACE_CALL, 0, IMAGE_TOLD, 0, 100 }, { TRACE_VALUE, 0, 5, 1, 110 },
		{ TRACE_CALL, 0, IMAGE_TOLD + 2, 0, 120 }, { TRACE_VALUE, 0, 5, 2, 130 },
		{ TRACE_RETURN, 0, 0, 0, 140 }, { TRACE_VALUE, 0, 5, 3, 150 },
		{ TRACE_RETURN, 0, 0, 0, 160 }, { TRACE_VALUE, 0, 5, 4, 170 },
		{ .kind = TRACE_VALUE, .id = 5, .ticks = 180, .by = IMAGE_TOLD + 4 },
	};
	static const uint32_t within[] = { 0, IMAGE_TOLD, IMAGE_TOLD, IMAGE_TOLD + 2, IMAGE_TOLD,
					   0 };
	struct trace *trace = trace_new();
	struct trace_log *l = trace_log_new(1 << 20);

	(void)state;
	trace_setup_told(trace, 1e6);
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		trace_tell(trace, &told[i]);
	trace_log_begin(l, &terms[TRACE_LOG_ALL_CALLS]);
	trace_log_take(l, trace, true, SIZE_MAX);
	assert_int_equal(trace_log_end(l), 7);
	assert_int_equal(trace_log_entry(l, 6)->within, IMAGE_TOLD + 4);	/* as it was told */
	for (uint64_t n = 0; n < 6; n++)
		assert_int_equal(trace_log_within(trace, trace_log_entry(l, n)), within[n]);
	assert_int_equal(trace_log_entry(l, 0)->until, 160);
	trace_log_begin(l, &terms[TRACE_LOG_NO_CALLS]);
	trace_log_take(l, trace, true, SIZE_MAX);
	assert_int_equal(trace_log_entry(l, 4)->within, IMAGE_TOLD + 4);
	trace_log_free(l);
	trace_free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_in_pieces),
		cmocka_unit_test(grows_with_the_trace),
		cmocka_unit_test(survives_what_is_let_go),
		cmocka_unit_test(knows_the_function_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
