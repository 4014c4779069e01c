/*
 * The portable part of a traced node (target-common/wsntrace_*), compiled here and heard by the
 * host's decoder: whatever the line does, what is told happened, and told and counted calls are
 * all.
 */
#include "tests/unit/unit.h"

#define WSNPROF_CONFIG "tests/unit/tracenode/wsnprof_config.h"
#define WSNPROF_PORT "tests/unit/tracenode/wsnprof_port.h"
#include "target-common/wsnprof_ring.c"
#include "target-common/wsnprof_send.c"
#include "target-avr/wsntrace_handlers.c"
#include "target-common/wsntrace_jumps.c"
#include "target-common/wsntrace_lane.c"
#include "target-common/wsntrace_marks.c"
#include "target-common/wsntrace_pack.c"
#include "target-common/wsntrace_send.c"
#include "target-common/wsntrace_slow.c"
#include "target-common/wsntrace_start.c"
#include "target-common/wsntrace_take.c"

#include "core/trace/trace.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

/* --- the chip ------------------------------------------------------------------------------- */

uint16_t wsnprof_cost;
int16_t wsnprof_skew;
uint8_t chip_hash[3];
struct wsnprof_trace_live wsntrace_live;

static struct chip {
	uint32_t ticks;
	unsigned locks;
	bool storm;			/* interrupts strike wherever they may */
	uint32_t seed;
} chip;

static uint32_t dice_roll(uint32_t n)
{
	chip.seed = chip.seed * 1664525 + 1013904223;
	return (chip.seed >> 8) % n;
}

static void interrupt_strike(void);

wsnprof_mask wsnprof_lock(void)
{
	return chip.locks++;
}

void wsnprof_unlock(wsnprof_mask mask)
{
	assert_int_equal(--chip.locks, mask);
	if (!mask && chip.storm && dice_roll(20) == 0)
		interrupt_strike();
}

uint16_t wsnprof_pace(void)
{
	return (uint16_t)(chip.ticks >> 10);
}

void wsnprof_kick(void)
{
}

void wsnprof_port_init(void)
{
}

void wsnprof_port_start(void)
{
	wsntrace_start();
}

void wsnprof_port_stop(void)
{
	wsntrace_stop();
}

void wsnprof_port_run(uint32_t run[2])
{
	run[0] = chip.ticks;
}

void wsnprof_rows_clear(void)
{
	wsntrace_init();
}

uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	(void)type;
	(void)slot;
	(void)want;
	(void)p;
	return NULL;
}

struct wsnprof_counts wsnprof_counts;

uint32_t wsntrace_ticks(void)
{
	return chip.ticks;
}

uint16_t chip_timer(void)
{
	return (uint16_t)chip.ticks;
}

enum { PAGE_MAIN = 1, PAGE_HANDLERS };

struct wsntrace_lane *chip_lane(uint8_t page)
{
	return page == PAGE_MAIN ? &wsntrace_main.lane : &wsntrace_handlers.lane;
}

uint8_t chip_page(const struct wsntrace_lane *l)
{
	return l == &wsntrace_main.lane ? PAGE_MAIN : PAGE_HANDLERS;
}

/* --- the hooks, as target-avr/wsntrace_hooks.S has them, and the truth ----------------------- */

enum { EVENTS = 1 << 20, RETURN = 0 };

static struct truth {
	uint16_t events[EVENTS];	/* ids of calls, or RETURN */
	size_t count;
	uint64_t calls;
} truths[2];


static uint64_t nested;			/* calls in handlers that interrupted handlers */

static void event_note(uint16_t event)
{
	struct truth *t = &truths[wsntrace_live.nesting > 0];

	chip.ticks += 1 + dice_roll(3);
	if (wsntrace_live.nesting > 1) {
		nested += event != RETURN;
		return;
	}
	assert_true(t->count < EVENTS);
	t->events[t->count++] = event;
	t->calls += event != RETURN;
}

void wsntrace_hash_pair(uint8_t a, uint8_t b)
{
	struct wsntrace_hash h = wsntrace_hash(NULL);
	unsigned p = 231u * (h.byte[2] ^ a) + h.byte[1];
	unsigned q = 231u * (h.byte[0] ^ b) + (p >> 8);

	wsntrace_hash_set(NULL, (struct wsntrace_hash){ {
		(uint8_t)q, (uint8_t)(q >> 8), (uint8_t)p,
	} });
}

void wsntrace_hash_return(void)
{
	struct wsntrace_lane *l = wsntrace_lane_live();
	struct wsntrace_hash hash = wsntrace_hash(l);

	call_pop(l);
	wsntrace_hash_call(l, hash);
}

static void hook_call(uint16_t id, uint8_t why)
{
	struct wsntrace_lane *l = wsntrace_lane_live();
	struct wsnprof_trace_lane *is = &l->is;

	if (wsntrace_live.nesting > 1) {
		if (why != WSNTRACE_EXIT)
			wsntrace_handlers.lane.is.untold++;
	} else if (!(is->mode & WSNTRACE_BOX)) {
		wsntrace_slow(id, why);
	} else if (why == WSNTRACE_LEAF) {
		is->boxed++;
		if (!(is->mode & WSNTRACE_DEAF))
			wsntrace_hash_leaf(l, id);
	} else if (why == WSNTRACE_ENTER) {
		is->boxed++;
		is->nest++;
		if (wsntrace_live.sp > is->last)
			is->mode |= WSNTRACE_DEAF;
		if (!(is->mode & WSNTRACE_DEAF))
			call_push(l, id, 0);
	} else if (--is->nest == 0) {
		wsntrace_slow(id, WSNTRACE_BOX_END);
	} else if (!(is->mode & WSNTRACE_DEAF)) {
		wsntrace_call_return(l);
	}
}

/* Calls that repeat, with some that do not; `deep` levels at most. */
static void calls_make(unsigned deep, uint16_t first)
{
	unsigned n = 1 + (dice_roll(8) ? first % 3 : dice_roll(4));

	for (unsigned i = 0; i < n; i++) {
		uint16_t id = (uint16_t)(first + i) % 150 + 1;

		if (!deep || (first + i) % 4 == 0) {
			event_note(id);
			hook_call(id, WSNTRACE_LEAF);
			event_note(RETURN);
		} else {
			event_note(id);
			hook_call(id, WSNTRACE_ENTER);
			calls_make(deep - 1, (uint16_t)(id * 7));
			event_note(RETURN);
			hook_call(0, WSNTRACE_EXIT);
		}
		if (chip.storm && dice_roll(30) == 0)
			interrupt_strike();
	}
}

static void interrupt_strike(void)
{
	uint16_t id = (uint16_t)(140 + dice_roll(4));
	unsigned locks = chip.locks;

	if (wsntrace_live.nesting > 2)
		return;
	chip.locks = 1;
	wsntrace_slow(id, WSNTRACE_HANDLER_ENTER);
	event_note(id);
	calls_make(2, (uint16_t)(id % 2));
	event_note(RETURN);
	wsntrace_slow(0, WSNTRACE_HANDLER_EXIT);
	chip.locks = locks;
}

/* --- the host ------------------------------------------------------------------------------- */

static struct host {
	struct wire *wire;
	struct trace *trace;
	unsigned lose;			/* each so manieth TRACE frame; 0: none */
	unsigned frames;
} host;

static void on_tracing(void *ctx, const struct wire_tracing *t)
{
	(void)ctx;
	trace_setup(host.trace, t, WSNPROF_TICKS_PER_SECOND);
}

static void on_trace(void *ctx, const struct wire_trace *t)
{
	(void)ctx;
	if (!host.lose || ++host.frames % host.lose)
		trace_frame(host.trace, t);
}

/* What the line carries meanwhile. */
static void line_run(unsigned bytes)
{
	int16_t byte;

	while (bytes-- && (byte = wsnprof_ring_take()) >= 0) {
		uint8_t b = (uint8_t)byte;

		wire_feed(host.wire, &b, 1);
	}
}

static void node_start(uint32_t seed, bool storm)
{
	static const struct wire_sink sink = { .tracing = on_tracing, .trace = on_trace };

	chip = (struct chip){ .seed = seed };
	memset(truths, 0, sizeof(truths));
	nested = 0;
	host = (struct host){ .trace = trace_new() };
	host.wire = wire_new("wsn", NULL, &sink, NULL);
	assert_non_null(host.trace);
	assert_non_null(host.wire);
	wsntrace_live.page = PAGE_MAIN;
	wsnprof_init();
	wsnprof_start();
	for (int i = 0; i < 10; i++) {		/* HELLO */
		wsnprof_poll();
		line_run(100);
	}
	chip.storm = storm;
}

static void node_stop(void)
{
	chip.storm = false;
	wsnprof_stop();
	for (int i = 0; i < 40; i++) {
		wsnprof_poll();
		line_run(1000);
	}
}

static void node_drop(void)
{
	wire_free(host.wire);
	trace_free(host.trace);
}

/* Behind the call that begins at `at`; its calls are counted. */
static size_t subtree_end(const struct truth *t, size_t at, uint64_t *calls)
{
	unsigned depth = 0;

	do {
		assert_true(at < t->count);
		depth += t->events[at] != RETURN ? 1 : -1u;
		*calls += t->events[at++] != RETURN;
	} while (depth);
	return at;
}

/* Whether the event is what happened at `*at`, which moves on behind it. */
static bool event_follows(const struct truth *t, size_t *at, const struct trace_event *e)
{
	uint64_t calls = 0;

	if (*at >= t->count)
		return false;
	if (e->kind == TRACE_CALL)
		return t->events[(*at)++] == e->id;
	if (e->kind == TRACE_RETURN)
		return t->events[(*at)++] == RETURN;
	if (e->kind == TRACE_BOX && t->events[*at] != e->id)
		return false;
	do {
		if (*at >= t->count || t->events[*at] == RETURN)
			return false;
		*at = subtree_end(t, *at, &calls);
	} while (e->kind == TRACE_GAP && calls < e->count);
	return calls == e->count;
}

/* How far a lane is as it was: whole, up to a loss, or up to what was something else. */
enum follows { FOLLOWS, FOLLOWS_TO_LOSS, FOLLOWS_NOT };

/* *told: calls that were. */
static enum follows lane_follow(unsigned lane, uint64_t *told)
{
	struct trace_walk *w = trace_walk_new(host.trace, lane);
	enum follows follows = FOLLOWS;
	struct trace_event e;
	size_t at = 0;

	assert_non_null(w);
	*told = 0;
	while (trace_walk_next(w, &e)) {
		*told += e.kind == TRACE_CALL;
		if (e.kind == TRACE_LOST && follows == FOLLOWS)
			follows = FOLLOWS_TO_LOSS;
		if (follows == FOLLOWS && !event_follows(&truths[lane], &at, &e))
			follows = FOLLOWS_NOT;
	}
	trace_walk_free(w);
	return follows;
}

static void sums_check(unsigned lane, uint64_t told)
{
	struct trace_stats stats;

	trace_lane_stats(host.trace, lane, &stats);
	assert_int_equal(stats.bad, 0);
	assert_int_equal(told + stats.untold, truths[lane].calls + (lane ? nested : 0));
}

/* --- tests ---------------------------------------------------------------------------------- */

static void all_is_told_where_the_line_is_fast(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= UNIT_TRIALS(19); seed++) {
		uint64_t told;

		node_start(seed, false);
		for (int i = 0; i < 2000; i++) {
			calls_make(3, (uint16_t)(i % 5));
			wsnprof_poll();
			line_run(64);
		}
		node_stop();
		assert_int_equal(lane_follow(0, &told), FOLLOWS);
		sums_check(0, told);
		assert_true(told > 10000);
		assert_int_equal(told, truths[0].calls);
		node_drop();
	}
}

/*
 * Boxes, gaps, returns without room; interrupts that come in the sender, too. Boxes of any number
 * of calls make so many different calls that some are taken for others.
 */
static void a_slow_line_costs_calls_not_counts(void **state)
{
	unsigned losses = 0, others = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= UNIT_TRIALS(159); seed++) {
		node_start(seed, true);
		for (int i = 0; i < 200; i++) {
			calls_make(2 + seed % 9, (uint16_t)i);
			if (seed % 3 == 0 || dice_roll(3) == 0)
				wsnprof_poll();
			line_run(seed % 5 * 8);
		}
		node_stop();
		for (unsigned lane = 0; lane < 2; lane++) {
			uint64_t told;
			enum follows follows = lane_follow(lane, &told);

			losses += follows == FOLLOWS_TO_LOSS;
			others += follows == FOLLOWS_NOT;
			if (follows == FOLLOWS)
				sums_check(lane, told);
			assert_true(told > 0);
		}
		node_drop();
	}
	assert_true(losses > UNIT_TRIALS(5));
	assert_true(others < 16);
}

static void call_make(uint16_t id, uint16_t leaf)
{
	event_note(id);
	hook_call(id, WSNTRACE_ENTER);
	event_note(leaf);
	hook_call(leaf, WSNTRACE_LEAF);
	event_note(RETURN);
	event_note(RETURN);
	hook_call(0, WSNTRACE_EXIT);
}

/*
 * A main loop that never sleeps, as many are, and a line that carries half of what it tells: gaps
 * must not take the room that calls need.
 */
static void a_busy_loop_is_told_as_far_as_the_line_goes(void **state)
{
	uint64_t told;

	(void)state;
	node_start(1, false);
	for (int i = 0; i < 4000; i++) {
		call_make(1, 2);
		call_make(3, 4);
		call_make(5, 6);
		wsnprof_poll();
		line_run(5);
	}
	node_stop();
	assert_int_equal(lane_follow(0, &told), FOLLOWS);
	sums_check(0, told);
	/* stamps take more of the line than calls */
	assert_true(told > truths[0].calls / (WSNPROF_TRACE_LONG ? 10 : 3));
	node_drop();
}

/* What the host makes of frames that are missing is its test's; here nothing contradicts itself. */
static void a_lost_frame_costs_itself(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= UNIT_TRIALS(19); seed++) {
		struct trace_stats stats;

		node_start(seed, true);
		host.lose = 3 + seed % 7;	/* each second: may be all of one lane */
		for (int i = 0; i < 2000; i++) {
			calls_make(4, (uint16_t)(i % 9));
			wsnprof_poll();
			line_run(64);
		}
		node_stop();
		trace_stats(host.trace, &stats);
		assert_int_equal(stats.bad, 0);
		assert_true(stats.frames_lost > 0 && stats.calls > 1000);
		node_drop();
	}
}

static void marks_come_in_their_order(void **state)
{
	struct trace_walk *w;
	struct trace_event e;
	int32_t next = -50;

	(void)state;
	node_start(7, false);
	for (int32_t i = -50; i < 50; i++) {
		event_note(9);
		hook_call(9, WSNTRACE_ENTER);
		wsnprof_value(300, i * 100000);
		event_note(RETURN);
		hook_call(0, WSNTRACE_EXIT);
		wsnprof_state(2, (uint16_t)(i + 50));
		wsnprof_mark(1);
		wsnprof_poll();
		line_run(64);
	}
	node_stop();
	w = trace_walk_new(host.trace, 0);
	assert_non_null(w);
	while (trace_walk_next(w, &e)) {
		if (e.kind == TRACE_VALUE) {
			assert_int_equal(e.id, 300);
			assert_int_equal(e.depth, 1);
			assert_int_equal(e.value, next * 100000);
		} else if (e.kind == TRACE_STATE) {
			assert_int_equal(e.value, next + 50);
		} else if (e.kind == TRACE_MARK) {
			next++;
		}
	}
	assert_int_equal(next, 50);
	assert_int_equal(wsntrace_notes_lost, 0);
	trace_walk_free(w);
	node_drop();
}

static void a_longjmp_ends_what_it_skips(void **state)
{
	uint64_t told;

	(void)state;
	node_start(3, false);
	for (unsigned i = 0; i < 400; i++) {
		int buf, deep = (int)dice_roll(20);

		event_note(5);
		hook_call(5, WSNTRACE_ENTER);
		wsntrace_jump_set(&buf);
		for (int n = 0; n < deep; n++) {
			event_note((uint16_t)(6 + n));
			hook_call((uint16_t)(6 + n), WSNTRACE_ENTER);
		}
		wsntrace_jump(&buf);
		for (int n = 0; n < deep; n++)
			event_note(RETURN);
		calls_make(1, 3);
		event_note(RETURN);
		hook_call(0, WSNTRACE_EXIT);
		wsnprof_poll();
		line_run(80);
	}
	node_stop();
	assert_int_equal(lane_follow(0, &told), FOLLOWS);
	sums_check(0, told);
	node_drop();
}

#if WSNPROF_TRACE_ALIKE
/* What the newest call became: its token CLOSE, or a REF of three bytes. */
static bool call_was_told(unsigned ticks)
{
	const uint8_t *tokens = wsntrace_main.lane.tokens;

	hook_call(3, WSNTRACE_ENTER);
	chip.ticks += ticks;
	hook_call(4, WSNTRACE_LEAF);
	hook_call(0, WSNTRACE_EXIT);
	if (tokens[wsntrace_live.w - 1] == WSNTRACE_CLOSE)
		return true;
	assert_int_equal(tokens[wsntrace_live.w - 3], WSNTRACE_REF);
	return false;
}

static void a_call_that_takes_another_time_is_told_again(void **state)
{
	(void)state;
	node_start(1, false);
	hook_call(1, WSNTRACE_ENTER);
	assert_true(call_was_told(400));
	assert_false(call_was_told(400));
	assert_false(call_was_told(453));	/* an eighth, and three units */
	assert_true(call_was_told(454));
	assert_false(call_was_told(400));	/* of 454 now */
	assert_true(call_was_told(394));
	wsntrace_struck = (uint16_t)(chip.ticks + 100);
	assert_false(call_was_told(600));	/* a handler interrupted it */
	assert_true(call_was_told(600));
	hook_call(0, WSNTRACE_EXIT);
	node_drop();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_told_where_the_line_is_fast),
		cmocka_unit_test(a_slow_line_costs_calls_not_counts),
		cmocka_unit_test(a_busy_loop_is_told_as_far_as_the_line_goes),
		cmocka_unit_test(a_lost_frame_costs_itself),
		cmocka_unit_test(marks_come_in_their_order),
		cmocka_unit_test(a_longjmp_ends_what_it_skips),
#if WSNPROF_TRACE_ALIKE
		cmocka_unit_test(a_call_that_takes_another_time_is_told_again),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
