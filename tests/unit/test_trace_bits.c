/*
 * test_trace_bits: a node in C writes encodings 3 to 5 as docs/PROTOCOL.md, 9, says, of programs
 * made at random; the decoder's events are what the programs did. Losses and hostile bytes as well.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "core/image/traced.h"
#include "core/trace/trace.h"

enum { FUNCTIONS = 20, EVENTS = 20000, FRAME = 40, LEAVES = 10 };

struct event {
	uint32_t id;
	bool call;
};

static struct node {
	unsigned encoding;
	uint32_t seed;
	uint8_t bits[EVENTS * 3];
	size_t count;			/* bits */
	uint32_t open[64];
	uint32_t depth, batch_depth;
	struct event truth[EVENTS];
	size_t events;
	uint8_t number;
	uint32_t ticks;
	struct trace *trace;
	unsigned lose;			/* each so manieth frame; 0: none */
	bool resync;
} node;

/* Of f's scope: its return, then f + 1 to f + 3; where 4 divides f, f + 1 alone. */
static struct traced_code codes[FUNCTIONS * 4];
static uint8_t flags[FUNCTIONS + 4];
static uint64_t addresses[FUNCTIONS + 4];
static struct traced traced = { addresses, flags, FUNCTIONS + 4, codes, 0 };

static void tables_make(unsigned encoding)
{
	static const struct traced_code of[2][4] = {
		{ { .length = 3, .bits = 1 }, { .length = 3, .bits = 5 },
		  { .length = 3, .bits = 3 }, { .length = 3, .bits = 7 } },
		{ { .length = 1, .bits = 1 }, { .length = 2, .bits = 2 },
		  { .length = 3, .bits = 4 }, { .length = 4, .bits = 8 } },
	};

	traced.code_count = 0;
	for (uint32_t f = 1; f <= FUNCTIONS; f++) {
		flags[f] = f > FUNCTIONS - LEAVES;
		for (uint32_t i = encoding == 4; i < (f % 4 ? 4 : 2) && !flags[f]; i++) {
			struct traced_code c = of[encoding == 5][i];

			if (f % 4 == 0 && encoding == 4)
				c = (struct traced_code){ .length = 1, .bits = 1 };
			c.from = f;
			c.to = i ? f + i : TRACED_RETURN;
			codes[traced.code_count++] = c;
		}
	}
	flags[FUNCTIONS + 1] = flags[FUNCTIONS + 2] = flags[FUNCTIONS + 3] = 1;
}

static uint32_t dice_roll(uint32_t n)
{
	node.seed = node.seed * 1664525 + 1013904223;
	return (node.seed >> 8) % n;
}

static void bits_put(uint32_t bits, unsigned length)
{
	for (unsigned i = 0; i < length; i++, node.count++) {
		if (node.count % 8 == 0)
			node.bits[node.count / 8] = 0;
		node.bits[node.count / 8] |= (uint8_t)((bits >> i & 1) << node.count % 8);
	}
}

static void code_put(uint32_t scope, uint32_t to)
{
	size_t count;
	const struct traced_code *c = traced_scope(&traced, scope, &count);

	while (c->to != to)
		c++;
	bits_put(c->bits, c->length);
}

static void event_note(uint32_t id, bool call)
{
	node.truth[node.events++] = (struct event){ id, call };
}

/* `stranger`: called by what is not followed. */
static void call_put(uint32_t id, bool stranger)
{
	event_note(id, true);
	if (node.encoding == 3)
		bits_put(id << 1 | 1, 7);
	else if (!node.depth)
		bits_put(id, 7);
	else if (stranger)
		bits_put(id << (node.encoding == 4 ? 2 : 4) | (node.encoding == 4 ? 2 : 0),
			 node.encoding == 4 ? 9 : 11);
	else
		code_put(node.open[node.depth - 1], id);
}

static void function_run(uint32_t id, bool stranger)
{
	call_put(id, stranger);
	if (flags[id]) {
		event_note(id, false);
		return;
	}
	node.open[node.depth++] = id;
	for (unsigned i = dice_roll(4); i > 0; i--)
		function_run(id + 1 + dice_roll(id % 4 ? 3 : 1), dice_roll(8) == 0);
	if (node.encoding == 5)
		code_put(id, TRACED_RETURN);
	else
		bits_put(0, node.encoding == 3 ? 1 : 2);
	node.depth--;
	event_note(id, false);
}

static void batch_send(void)
{
	size_t bytes = (node.count + 7) / 8, at = 0;

	do {
		size_t n = bytes - at < FRAME ? bytes - at : FRAME;
		uint8_t frame[FRAME + 2] = { at ? 0x08 : 0 }, head = 1;
		bool resync = node.resync && at == 0;

		if (at + n == bytes)
			frame[0] |= (uint8_t)(0x10 | (8 * bytes - node.count));
		head += resync;			/* a floor of 0 */
		memcpy(frame + head, node.bits + at, n);
		node.number++;
		if (!node.lose || node.number % node.lose)
			trace_frame(node.trace, &(struct wire_trace){
				.number = node.number, .time = node.ticks, .resync = resync,
				.depth = at ? 0 : node.batch_depth, .tokens = frame,
				.count = n + head,
			});
		node.resync &= !resync;
		at += n;
	} while (at < bytes);
	node.count = 0;
	node.batch_depth = node.depth;
}

static void program_run(unsigned encoding, uint32_t seed, unsigned lose)
{
	memset(&node, 0, sizeof(node));
	node.encoding = encoding;
	node.seed = seed;
	node.lose = lose;
	node.resync = true;
	tables_make(encoding);
	node.trace = trace_new();
	assert_non_null(node.trace);
	trace_setup(node.trace, &(struct wire_tracing){ .encoding = (uint8_t)encoding, .slots = 7 },
		    1000000);
	trace_traced(node.trace, &traced);
	while (node.events < EVENTS - 4000) {
		node.ticks += 1000;
		for (unsigned i = dice_roll(6); i > 0; i--)
			function_run(1 + dice_roll(FUNCTIONS), true);
		batch_send();
	}
}

/* Events of the trace in order; returns how many of them the truth has at the same place. */
static size_t events_compare(bool all)
{
	struct trace_walk *w = trace_walk_new(node.trace, 0);
	struct trace_event e;
	size_t at = 0;

	assert_non_null(w);
	while (trace_walk_next(w, &e)) {
		if (e.kind != TRACE_CALL && e.kind != TRACE_RETURN)
			continue;
		if (!all && e.id == 0)
			continue;
		assert_true(at < node.events);
		if (all) {
			assert_int_equal(e.id, node.truth[at].id);
			assert_int_equal(e.kind == TRACE_CALL, node.truth[at].call);
		}
		at++;
	}
	trace_walk_free(w);
	return at;
}

static void every_call_is_told_in_order(void **state)
{
	(void)state;
	for (unsigned encoding = 3; encoding <= 5; encoding++) {
		for (uint32_t seed = 1; seed < 8; seed++) {
			struct trace_stats stats;

			program_run(encoding, seed, 0);
			assert_int_equal(events_compare(true), node.events);
			trace_stats(node.trace, &stats);
			assert_int_equal(stats.calls, node.events / 2);
			assert_int_equal(stats.bad + stats.frames_lost, 0);
			trace_free(node.trace);
		}
	}
}

/* A call in a batch all of whose frames came is told; no other is made up. */
static void a_lost_frame_costs_its_batch(void **state)
{
	(void)state;
	for (unsigned encoding = 3; encoding <= 5; encoding++) {
		struct trace_stats stats;
		size_t told;

		program_run(encoding, 5, 5);
		told = events_compare(false);
		trace_stats(node.trace, &stats);
		assert_true(stats.frames_lost > 20);
		assert_int_equal(stats.bad, 0);
		assert_in_range(told, node.events / 4, node.events - 1);
		trace_free(node.trace);
	}
}

/* The profile is made of it: all calls are in it. */
static void the_profile_has_every_call(void **state)
{
	size_t count;
	uint64_t calls = 0;

	(void)state;
	program_run(4, 3, 0);
	assert_int_equal(trace_account(node.trace), 0);
	for (const struct trace_edge *e = trace_edges(node.trace, &count); count; e++, count--)
		calls += e->calls;
	assert_int_equal(calls, node.events / 2);
	trace_free(node.trace);
}

/* Without the ELF nothing is made up. */
static void tables_are_needed(void **state)
{
	struct trace_stats stats;

	(void)state;
	program_run(4, 1, 0);
	trace_free(node.trace);
	node.trace = trace_new();
	assert_non_null(node.trace);
	trace_setup(node.trace, &(struct wire_tracing){ .encoding = 5, .slots = 7 }, 1000000);
	function_run(1, true);
	function_run(1, true);
	node.resync = true;
	batch_send();
	trace_stats(node.trace, &stats);
	assert_true(stats.bad > 0);
	trace_free(node.trace);
}

static void any_bytes_are_survived(void **state)
{
	uint8_t bytes[64];

	(void)state;
	for (uint32_t round = 0; round < 3000; round++) {
		struct trace *t = trace_new();
		unsigned encoding = 3 + round % 3;

		assert_non_null(t);
		tables_make(encoding);
		node.seed = round;
		trace_setup(t, &(struct wire_tracing){ .encoding = (uint8_t)encoding, .slots = 8 },
			    1000000);
		trace_traced(t, &traced);
		for (uint8_t i = 0; i < 6; i++) {
			for (size_t k = 0; k < sizeof(bytes); k++)
				bytes[k] = (uint8_t)dice_roll(256);
			trace_frame(t, &(struct wire_trace){
				.number = i, .time = i * 100u, .resync = dice_roll(3) == 0,
				.depth = dice_roll(4), .tokens = bytes,
				.count = dice_roll(sizeof(bytes)),
			});
		}
		assert_int_equal(trace_account(t), 0);
		trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_is_told_in_order),
		cmocka_unit_test(a_lost_frame_costs_its_batch),
		cmocka_unit_test(the_profile_has_every_call),
		cmocka_unit_test(tables_are_needed),
		cmocka_unit_test(any_bytes_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
