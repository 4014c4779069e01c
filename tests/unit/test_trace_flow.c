/*
 * test_trace_flow: encoding 6 (docs/PROTOCOL.md, 9): programs and bits make calls; joins, losses,
 * and programs that mean no good.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "core/base/mem.h"
#include "core/image/traced_flow.h"
#include "core/trace/trace.h"

enum { FUNCTIONS = 9, MAP_RECORD = 8, OP_RECORD = 12, AT = 100, TABLE = 0x30a };

/* Function n is at AT * n, its second entry 2 bytes behind. Return addresses: + 50. */
#define FUNCTION(id, ops) { TRACED_OP_FUNCTION, 0, ops, AT * (id), 0 }
#define CALL(id, behind) { TRACED_OP_CALL, 0, 0, AT * (id) + 2, behind }
#define OUT(behind) { TRACED_OP_OUT, 0, 0, 0, behind }
#define BRANCH(bit, to) { TRACED_OP_BRANCH, bit, to, 0, 0 }
#define JUMP(to) { TRACED_OP_JUMP, 0, to, 0, 0 }
#define SWITCH(n) { TRACED_OP_SWITCH, 0, n, TABLE, 0 }
#define CLOSE { TRACED_OP_CLOSE, 0, 0, 0, 0 }
#define END { TRACED_OP_END, 0, 0, 0, 0 }
#define TICK { TRACED_OP_TICK, 0, 0, 0, 0 }

struct op {
	uint8_t kind, arg;
	uint16_t to;
	uint32_t address, behind;
};

static const struct op ops[] = {
	/* 1: fib, as gcc makes it */
	FUNCTION(1, 5), BRANCH(0, 3), CLOSE, END, CALL(1, 150), JUMP(0),
	FUNCTION(2, 2), CLOSE, END,			/* a leaf */
	/* 3: calls out, and the leaf */
	FUNCTION(3, 5), CALL(2, 340), OUT(350), CALL(2, 360), CLOSE, END,
	/* 4: three cases */
	FUNCTION(4, 8), SWITCH(3), JUMP(4), JUMP(5), JUMP(6), CALL(2, 450), CALL(2, 452), CLOSE,
	END,
	/* 5: a tail call of itself, as long as bits are 1 */
	FUNCTION(5, 6), BRANCH(1, 3), CLOSE, END, CLOSE, CALL(5, 0), END,
	/* 6: calls 3, and nobody that is followed calls it */
	FUNCTION(6, 3), CALL(3, 650), CLOSE, END,
	/* 7: calls what is not followed, by name; and then for ever the leaf */
	FUNCTION(7, 4), { TRACED_OP_CALL, 0, 0, 99, 750 }, TICK, CALL(2, 760), JUMP(1),
	/* 8: for ever, and no bit */
	FUNCTION(8, 2), CALL(2, 850), JUMP(0),
};

static uint64_t addresses[FUNCTIONS];
static uint8_t flags[FUNCTIONS];
static struct traced traced;

static void number_put(uint8_t *p, uint32_t x, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(x >> 8 * i);
}

static void programs_read(const struct op *of, size_t count)
{
	uint8_t map[2 * FUNCTIONS * MAP_RECORD] = { 0 };
	uint8_t *flow = calloc(count + 1, OP_RECORD);

	assert_non_null(flow);
	memset(flags, 0, sizeof(flags));
	flags[2] = 1;
	traced = (struct traced){ .addresses = addresses, .flags = flags, .count = FUNCTIONS };
	for (uint32_t i = 0; i < 2 * FUNCTIONS; i++) {
		number_put(map + i * MAP_RECORD, i / 2 * AT + i % 2 * 2, 4);
		number_put(map + i * MAP_RECORD + 4, i / 2, 2);
	}
	for (size_t i = 0; i < count; i++) {
		uint8_t *p = flow + i * OP_RECORD;

		p[0] = of[i].kind;
		p[1] = of[i].arg;
		number_put(p + 2, of[i].to, 2);
		number_put(p + 4, of[i].address, 4);
		number_put(p + 8, of[i].behind, 4);
	}
	traced_flow_read(&traced, &(struct elf){ .big_data = false }, map, sizeof(map), flow,
			 count * OP_RECORD);
	free(flow);
}

static void programs_release(void)
{
	mem_free(traced.ops);
	mem_free(traced.places);
	mem_free(traced.programs);
}

/* A batch of one frame: bits as text, the first is the first. */
static void batch_feed(struct trace *t, uint8_t number, const char *bits, uint32_t depth,
		       const uint32_t *places, bool resync)
{
	uint8_t frame[64] = { 0x10 };
	size_t n = 0;

	for (; *bits; bits++) {
		if (*bits == ' ')
			continue;
		frame[1 + n / 8] |= (uint8_t)((*bits - '0') << n % 8);
		n++;
	}
	frame[0] |= (uint8_t)(-n & 7);
	trace_frame(t, &(struct wire_trace){
		.number = number, .time = number * 1000u, .depth = depth, .stack = places,
		.resync = resync, .tokens = frame, .count = 1 + (n + 7) / 8,
	});
}

/* "(1 (2 ) )" of all that was told. */
static void events_write(const struct trace *t, char *text)
{
	struct trace_walk *w = trace_walk_new(t, 0);
	struct trace_event e;

	assert_non_null(w);
	*text = '\0';
	while (trace_walk_next(w, &e)) {
		if (e.kind == TRACE_CALL)
			text += sprintf(text, "(%u", (unsigned)e.id);
		else if (e.kind == TRACE_RETURN)
			text += sprintf(text, ")");
		else if (e.kind == TRACE_LOST)
			text += sprintf(text, "!");
	}
	trace_walk_free(w);
}

static struct trace *trace_make(void)
{
	struct trace *t = trace_new();

	assert_non_null(t);
	trace_setup(t, &(struct wire_tracing){ .encoding = 6, .slots = 7 }, 1000000);
	trace_traced(t, &traced);
	return t;
}

#define FIB "1000000 "

static const struct {
	const char *what, *bits, *told;
	bool bad;
} cases[] = {
	{ "a leaf", "0100000", "(2)", false },
	{ "its return waits for the next bit", FIB "1", "(1", false },
	{ "fib(0), fib(1)", FIB "1" FIB "1" FIB, "(1)(1)(1", false },
	{ "fib(2)", FIB "011" FIB, "(1(1))(1", false },
	{ "a call out: what is behind it waits", "1100000 0 0100000", "(3(2)(2))(2)", false },
	{ "and is called back", "1100000 1 1000000 1 1 0100000 0 0100000", "(3(2)(1)(2)(2))(2)",
	  false },
	{ "a switch, first case", "0010000 10100001 0100000", "(4(2)(2))(2)", false },
	{ "its last", "0010000 11100001 0100000", "(4)(2)", false },
	{ "one that is none", "0010000 00010001 0100000", "(4", true },
	{ "tail calls", "1010000 1 1 0 0100000", "(5)(5)(5)(2)", false },
	{ "a call by name of what is not followed", "1110000 1 1000000 1 0 1 1", "(7(1)(2)",
	  false },
	{ "an endless program", "0001000 1", "", true },
	{ "a function without a program", "0000000 1", "", true },
};

static void bits_tell_calls(void **state)
{
	(void)state;
	programs_read(ops, COUNT(ops));
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct trace *t = trace_make();
		struct trace_stats stats;
		char *told = calloc(1, 1 << 20);

		assert_non_null(told);
		batch_feed(t, 1, cases[i].bits, 0, NULL, true);
		events_write(t, told);
		trace_stats(t, &stats);
		if (strncmp(told, cases[i].told, strlen(cases[i].told)) != 0 ||
		    (!cases[i].bad && strlen(told) > strlen(cases[i].told)) ||
		    (stats.bad > 0) != cases[i].bad)
			fail_msg("%s: %.200s; bad %u", cases[i].what, told, (unsigned)stats.bad);
		free(told);
		trace_free(t);
	}
	programs_release();
}

static void depth_0_ends_all(void **state)
{
	struct trace *t;
	char told[256];

	(void)state;
	programs_read(ops, COUNT(ops));
	t = trace_make();
	batch_feed(t, 1, FIB "1", 0, NULL, true);
	batch_feed(t, 2, FIB "0", 0, NULL, false);
	events_write(t, told);
	assert_string_equal(told, "(1)(1");
	/* but what cannot have returned is lost */
	batch_feed(t, 3, "0100000", 0, NULL, false);
	events_write(t, told);
	assert_string_equal(told, "(1)(1(1!(2)");
	/* a frame that did not come costs what was open */
	batch_feed(t, 4, FIB "0", 0, NULL, false);
	batch_feed(t, 6, "0100000", 0, NULL, false);
	events_write(t, told);
	assert_string_equal(told, "(1)(1(1!(2)(1!(2)");
	trace_free(t);
	programs_release();
}

static void places_tell_where(void **state)
{
	static const uint32_t in_3[] = { 350 / 2 }, in_6[] = { 1234 };
	struct trace *t;
	struct trace_stats stats;
	char told[256];

	(void)state;
	programs_read(ops, COUNT(ops));
	t = trace_make();
	/* in 3, which 6 calls: where 6 goes on is not known */
	batch_feed(t, 9, "1 0100000 0", 1, in_3, true);
	batch_feed(t, 10, "0100000", 1, NULL, false);
	events_write(t, told);
	assert_string_equal(told, "(2)(2))");
	trace_stats(t, &stats);
	assert_int_equal(stats.bad, 0);
	batch_feed(t, 11, "0100000", 0, NULL, false);
	batch_feed(t, 12, "0", 1, in_6, true);		/* no such place */
	batch_feed(t, 13, "0100000", 0, NULL, false);
	events_write(t, told);
	assert_non_null(strstr(told, "!(2)"));
	trace_stats(t, &stats);
	assert_int_equal(stats.bad, 1);
	trace_free(t);
	programs_release();
}

static const struct {
	const char *what;
	struct op ops[4];
} faults[] = {
	{ "a jump out", { FUNCTION(1, 2), JUMP(2), END, END } },
	{ "no end", { FUNCTION(1, 2), JUMP(0), CLOSE, END } },
	{ "a switch over the end", { FUNCTION(1, 3), SWITCH(3), JUMP(0), JUMP(0) } },
	{ "a switch to what is no jump", { FUNCTION(1, 3), SWITCH(1), CLOSE, END } },
	{ "an operation that is not known", { FUNCTION(1, 3), { 77, 0, 0, 0, 0 }, CLOSE, END } },
	{ "more than there are", { FUNCTION(1, 4), CLOSE, END, END } },
	{ "a function that is not followed", { { 0, 0, 3, 55, 0 }, CLOSE, CLOSE, END } },
	{ "no function", { CLOSE, CLOSE, CLOSE, END } },
};

static void contradictions_are_no_program(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(faults); i++) {
		programs_read(faults[i].ops, COUNT(faults[i].ops));
		for (uint32_t id = 0; id < FUNCTIONS + 2; id++)
			if (traced_program(&traced, id) != TRACED_NO_PROGRAM)
				fail_msg("%s", faults[i].what);
		programs_release();
	}
	assert_int_equal(traced_program(NULL, 1), TRACED_NO_PROGRAM);
}

/* Programs that were of another ELF are not gone on with. */
static void another_image_begins_anew(void **state)
{
	struct trace *t;
	char told[256];

	(void)state;
	programs_read(ops, COUNT(ops));
	t = trace_make();
	batch_feed(t, 1, "1100000", 0, NULL, true);
	programs_release();
	programs_read(ops, 9);
	trace_traced(t, &traced);
	batch_feed(t, 2, "0 0100000", 1, NULL, false);
	batch_feed(t, 3, "0100000", 0, NULL, false);
	events_write(t, told);
	assert_string_equal(told, "(3!(2)");
	trace_free(t);
	programs_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_tell_calls),
		cmocka_unit_test(depth_0_ends_all),
		cmocka_unit_test(places_tell_where),
		cmocka_unit_test(contradictions_are_no_program),
		cmocka_unit_test(another_image_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
