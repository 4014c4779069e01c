/* What is watched by gdb's remote protocol: none missed, whatever habits the server has. */
#include "tests/unit/unit.h"

#include "tests/unit/gdb_server.h"

enum { F = 0x200, G = 0x300, REC = 0x400, HANDLER = 0x500, NOTE = 0x1000, FP_SIX = 0x260 };

/*
 * Two calls of f, the second right behind the first; g jumps to f; rec calls itself; an interrupt.
 * f writes the variable: 1, 1 again, 2.
 */
static const struct gdb_insn program[] = {
	{ 0x100, 0x8000, 0, false, 0, 0 },
	{ F, 0x8000, 0x105, false, 0, 0 }, { F + 2, 0x8000, 0x105, true, 1, 0 },
	{ F + 4, 0x8000, 0x105, false, 0, 0 },
	{ 0x104, 0x8000, 0x105, false, 0, 0 },
	{ F, 0x8000, 0x109, false, 0, 0 }, { F + 2, 0x8000, 0x109, true, 1, 0 },
	{ F + 4, 0x8000, 0x109, false, 0, 0 },
	{ 0x108, 0x8000, 0x109, false, 0, 0 },
	{ G, 0x8000, 0x10d, false, 0, 0 },
	{ F, 0x8000, 0x10d, false, 0, 0 }, { F + 2, 0x8000, 0x10d, true, 2, 0 },
	{ F + 4, 0x8000, 0x10d, false, 0, 0 },
	{ 0x10c, 0x8000, 0x10d, false, 0, 0 },
	{ REC, 0x8000, 0x111, false, 0, 0 }, { REC + 2, 0x7ff0, 0x111, false, 0, 0 },
	{ REC, 0x7ff0, 0x407, false, 0, 0 }, { REC + 2, 0x7fe0, 0x407, false, 0, 0 },
	{ REC + 6, 0x7ff0, 0x407, false, 0, 0 },
	{ 0x110, 0x8000, 0x407, false, 0, 0 },
	{ HANDLER, 0x7fe0, 0xfffffff9, false, 0, 15 },
	{ HANDLER + 2, 0x7fe0, 0xfffffff9, false, 0, 15 },
	{ 0x112, 0x8000, 0x407, false, 0, 0 },
};

static const uint32_t handlers[16] = { [3] = 0x600, [7] = 0x600, [11] = 0x600, [15] = HANDLER };
static const struct code_mark marks[] = { { 0x110, 7 }, { REC + 6, 9 } };
static uint8_t flags[0x400];
static const struct codemap code = {
	.arch = CODE_ARM, .base = 0, .size = 2 * sizeof(flags), .flags = flags,
	.handlers = handlers, .handler_count = 16, .faults = 8,
	.marks = marks, .mark_count = COUNT(marks),
};

/* From the interrupt on. */
static const struct {
	enum wire_event_kind kind;
	uint8_t lane;
	uint32_t address;
	int64_t value;
} round_of[] = {
	{ EVENT_CALL, 1, HANDLER, 0 }, { EVENT_RETURN, 1, 0, 0 },
	{ EVENT_CALL, 0, F, 0 }, { EVENT_VALUE, 0, 0, 1 }, { EVENT_RETURN, 0, 0, 0 },
	{ EVENT_CALL, 0, F, 0 }, { EVENT_VALUE, 0, 0, 1 }, { EVENT_RETURN, 0, 0, 0 },
	{ EVENT_CALL, 0, G, 0 }, { EVENT_CALL, 0, F, 0 }, { EVENT_VALUE, 0, 0, 2 },
	{ EVENT_RETURN, 0, 0, 0 }, { EVENT_RETURN, 0, 0, 0 },
	{ EVENT_CALL, 0, REC, 0 }, { EVENT_CALL, 0, REC, 0 },
	{ EVENT_RETURN, 0, 0, 0 }, { EVENT_RETURN, 0, 0, 0 },
};

static const struct wire_watchpoint points[] = {
	{ .kind = WATCH_CALL, .note = NOTE, .address = F, .size = 16, .name = "call:f" },
	{ .kind = WATCH_CALL, .note = NOTE + 1, .address = G, .size = 16, .name = "call:g" },
	{ .kind = WATCH_CALL, .note = NOTE + 2, .address = REC, .size = 16, .name = "call:rec" },
	{ .kind = WATCH_HANDLER, .note = NOTE + 3, .number = WATCH_ALL_HANDLERS, .name = "irq" },
	{ .kind = WATCH_VALUE, .note = NOTE + 4, .address = GDB_VARIABLE, .size = 4,
	  .access = WATCH_WRITES, .reading = { .bytes = 4 }, .name = "variable" },
};

static const struct habit {
	const char *name, *supported;
	bool reads, stops_before, stops_again, blind, no_cycles, needs_ack, left_running;
	bool says_nothing;
} habits[] = {
	{ "QEMU", "PacketSize=1000;qXfer:features:read+;multiprocess+", false, true, true, false,
	  true, false },
	{ "OpenOCD", "PacketSize=4000;QStartNoAckMode+;qXfer:features:read+", true, false, true,
	  false, false, false },
	{ "st-util", "PacketSize=4000;QStartNoAckMode+", false, false, false, false, false, false },
	{ "OpenOCD that leaves it running", "PacketSize=4000;QStartNoAckMode+", true, false, true,
	  false, false, false, true, false },
	{ "stands without a reason", "PacketSize=4000;QStartNoAckMode+", true, false, true,
	  false, false, false, false, true },
	{ "mspdebug", "PacketSize=4000", false, false, false, true, true, true },
};

static struct gdb_server *server_made(const struct habit *h, double stop_hz, bool allowed)
{
	struct gdb_server *s = gdb_server_open((struct wire_options){
		.hz = 100, .stop_hz = stop_hz, .stop_to_watch = allowed, .code = &code });

	s->supported = h->supported;
	s->reads = h->reads;
	s->stops_before = h->stops_before;
	s->stops_again = h->stops_again;
	s->blind = h->blind;
	s->needs_ack = h->needs_ack;
	s->left_running = s->runs = h->left_running;
	s->says_nothing = h->says_nothing;
	s->no_cycles = h->no_cycles;
	s->dwt_ctrl = h->no_cycles ? 0 : 0x40000000;
	s->fp_ctrl = h->no_cycles ? 0 : FP_SIX;
	s->program = program;
	s->program_n = COUNT(program);
	s->frame[0] = 0x112;
	s->frame[1] = 1u << 24;
	return s;
}

/* All of them, again and again, from the first interrupt on. How many rounds. */
static size_t events_check(const struct gdb_server *s, bool timed)
{
	size_t at = 0, rounds = 0;
	uint64_t began = 0;

	while (at < s->event_n && !s->events[at].handler)
		at++;
	for (size_t i = at; i < s->event_n; i++) {
		const struct wire_event *e = &s->events[i];
		size_t k = (i - at) % COUNT(round_of);

		assert_int_equal(e->kind, round_of[k].kind);
		assert_int_equal(e->lane, round_of[k].lane);
		if (e->kind == EVENT_CALL)
			assert_int_equal(e->address, round_of[k].address);
		if (e->kind == EVENT_VALUE)
			assert_int_equal(e->value, round_of[k].value);
		if (e->kind == EVENT_VALUE)
			assert_int_equal(e->note, NOTE + 4);
		if (timed && k == 0 && rounds)
			assert_int_equal(e->ticks - began, 720 * COUNT(program));
		if (k == 0)
			began = e->ticks;
		if (timed && k == 1)	/* two instructions */
			assert_int_equal(e->ticks - began, 1440);
		rounds += k == 0;
	}
	return rounds;
}

static void none_is_missed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(habits); i++) {
		for (int samples = 0; samples < 2; samples++) {
			const struct habit *h = &habits[i];
			struct gdb_server *s = server_made(h, samples ? 50 : 0, true);

			print_message("%s%s\n", h->name, samples ? ", sampled" : "");
			wire_watch(s->wire, points, COUNT(points));
			gdb_run(s, 6000);
			assert_true(events_check(s, !h->no_cycles) > 20);
			assert_int_equal(s->seeing.counted, h->no_cycles);
			assert_int_equal(s->totals > 0, h->no_cycles);
			if (!h->no_cycles)
				assert_in_range(s->seeing.ticks_per_second, 65000000, 73000000);
			assert_int_equal(s->watching.count, COUNT(points));
			for (size_t k = 0; k < COUNT(points); k++) {
				assert_int_equal(s->watching.of[k].way, k == 4 ?
						 WATCHED_STOPS : WATCHED_BREAKPOINT);
				assert_int_equal(s->watching.of[k].lost, 0);
			}
			assert_int_equal(s->watching.breakpoints, h->no_cycles ? -1 : 6);
			assert_int_equal(s->watching.comparators_used, 1);
			assert_true(s->watching.stop_s > 0 && s->watching.halted > 0.1);
			assert_int_equal(s->probe.trouble, PROBE_FINE);
			assert_int_equal(s->pcs > 0, samples || h->reads);
			gdb_server_free(s);
		}
	}
}

/* Those of wsnprof_mark(n), each with its number. */
static void marks_are_told(void **state)
{
	static const struct wire_watchpoint mark = { .kind = WATCH_MARK, .note = NOTE };

	(void)state;
	for (size_t i = 0; i < COUNT(habits); i++) {
		struct gdb_server *s = server_made(&habits[i], 0, true);

		wire_watch(s->wire, &mark, 1);
		gdb_run(s, 3000);
		assert_true(s->event_n > 20);
		for (size_t k = 0; k < s->event_n; k++) {
			assert_int_equal(s->events[k].kind, EVENT_MARK);
			assert_int_equal(s->events[k].note, NOTE);
			assert_int_equal(s->events[k].value, s->events[k].address == 0x110 ? 7 : 9);
			if (k)
				assert_int_not_equal(s->events[k].value, s->events[k - 1].value);
		}
		assert_int_equal(s->watching.of[0].way, WATCHED_BREAKPOINT);
		assert_int_equal(s->watching.breakpoints_used, 2);
		gdb_server_free(s);
	}
}

/* Without leave nothing is stopped, and that is said. */
static void leave_is_needed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(habits); i++) {
		struct gdb_server *s = server_made(&habits[i], 0, false);

		wire_watch(s->wire, points, COUNT(points));
		gdb_run(s, 3000);
		assert_int_equal(s->stops, 0);
		assert_int_equal(s->set_n, 0);
		assert_int_equal(s->event_n, 0);
		assert_true(s->runs);
		for (size_t k = 0; k < COUNT(points); k++)
			assert_int_equal(s->watching.of[k].refusal, REFUSED_STOPS);
		gdb_server_free(s);
	}
}

/* No image, none with a vector table, none with that handler, none with a mark: said so. */
static void what_the_elf_lacks_is_told(void **state)
{
	static const struct wire_watchpoint wanted[] = {
		{ .kind = WATCH_HANDLER, .note = NOTE, .number = WATCH_ALL_HANDLERS },
		{ .kind = WATCH_HANDLER, .note = NOTE + 1, .number = 15 },
		{ .kind = WATCH_HANDLER, .note = NOTE + 2, .number = 14 },
		{ .kind = WATCH_HANDLER, .note = NOTE + 3, .number = 40 },
		{ .kind = WATCH_MARK, .note = NOTE + 4 },
	};
	struct codemap tableless = code, markless = code;
	const struct {
		const struct codemap *code;
		enum wire_watch_refusal refusals[COUNT(wanted)];
	} lacks[] = {
		{ NULL, { REFUSED_VECTORS, REFUSED_VECTORS, REFUSED_VECTORS, REFUSED_VECTORS,
			  REFUSED_MARKS } },
		{ &tableless, { REFUSED_VECTORS, REFUSED_VECTORS, REFUSED_VECTORS,
				REFUSED_VECTORS, REFUSED_NOT } },
		{ &markless, { REFUSED_NOT, REFUSED_NOT, REFUSED_NUMBER, REFUSED_NUMBER,
			       REFUSED_MARKS } },
		{ &code, { REFUSED_NOT, REFUSED_NOT, REFUSED_NUMBER, REFUSED_NUMBER,
			   REFUSED_NOT } },
	};
	struct gdb_server *s = server_made(&habits[0], 0, true);

	(void)state;
	tableless.handler_count = 0;
	markless.mark_count = 0;
	for (size_t i = 0; i < COUNT(lacks); i++) {
		wire_set_code(s->wire, lacks[i].code);
		wire_watch(s->wire, wanted, COUNT(wanted));
		gdb_run(s, 2000);
		for (size_t k = 0; k < COUNT(wanted); k++) {
			assert_int_equal(s->watching.of[k].refusal, lacks[i].refusals[k]);
			assert_int_equal(s->watching.of[k].way == WATCHED_NOT,
					 lacks[i].refusals[k] != REFUSED_NOT);
		}
	}
	gdb_server_free(s);
}

/* Added, changed and removed while it runs. */
static void watches_come_and_go(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(habits); i++) {
		struct gdb_server *s = server_made(&habits[i], 0, true);
		size_t before;

		gdb_run(s, 1000);
		assert_int_equal(s->stops, 0);
		wire_watch(s->wire, points + 4, 1);
		gdb_run(s, 3000);
		assert_true(s->event_n > 20);
		for (size_t k = 0; k < s->event_n; k++)
			assert_int_equal(s->events[k].kind, EVENT_VALUE);
		wire_watch(s->wire, points, COUNT(points));
		s->event_n = 0;
		gdb_run(s, 3000);
		assert_true(events_check(s, !habits[i].no_cycles) > 10);
		wire_watch(s->wire, points, 0);
		gdb_run(s, 500);
		before = s->event_n;
		gdb_run(s, 1000);
		assert_int_equal(s->event_n, before);
		assert_int_equal(s->set_n, 0);
		assert_true(s->runs);
		gdb_server_free(s);
	}
}

/* Of what the chip has no room for that is said; a call whose end cannot be seen is lost. */
static void what_is_left_is_told(void **state)
{
	struct gdb_server *s = server_made(&habits[1], 0, true);

	(void)state;
	s->room = 2;
	s->fp_ctrl = 0x220;
	wire_watch(s->wire, points, 3);
	gdb_run(s, 4000);
	assert_int_equal(s->watching.breakpoints, 2);
	assert_int_equal(s->watching.breakpoints_used, 2);
	assert_int_equal(s->watching.of[0].way, WATCHED_BREAKPOINT);
	assert_int_equal(s->watching.of[1].way, WATCHED_BREAKPOINT);
	assert_int_equal(s->watching.of[2].refusal, REFUSED_FULL);
	assert_true(s->watching.of[0].lost > 0);
	for (size_t k = 0; k < s->event_n; k++)
		assert_true(s->events[k].kind != EVENT_RETURN);
	gdb_server_free(s);
}

/*
 * At whatever moment, and with a question on its way that the server answers later: nothing stays
 * set, and the target runs.
 */
static void nothing_is_left_behind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(habits); i++) {
		for (unsigned ms = 0; ms < 200; ms += UNIT_EACH) {
			struct gdb_server *s = server_made(&habits[i], 0, true);
			struct wire_out asked = { .room = WIRE_OUT_MAX };
			struct wire_out behind = { .room = WIRE_OUT_MAX };
			bool left;

			wire_watch(s->wire, points, COUNT(points));
			gdb_run(s, ms < 100 ? ms : 1400 + ms);
			wire_ask(s->wire, s->now, &asked);
			left = wire_leave(s->wire, false, &behind);
			gdb_take(s, asked.bytes, asked.count);
			gdb_take(s, behind.bytes, behind.count);
			for (unsigned k = 0; k < 100 && !left; k++) {
				struct wire_out out = { .room = WIRE_OUT_MAX };

				left = wire_leave(s->wire, false, &out);
				s->now += 1000000;
				gdb_take(s, out.bytes, out.count);
				if (!left)
					gdb_program_run(s);
			}
			assert_true(left);
			assert_int_equal(s->set_n, 0);
			assert_true(s->runs);
			gdb_server_free(s);
		}
	}
}

/* Its recording has samples alone: what was met is not taken for them. */
static void a_recording_has_no_false_samples(void **state)
{
	struct gdb_server *s = server_made(&habits[0], 0, true), *r;

	(void)state;
	wire_watch(s->wire, points, COUNT(points));
	gdb_run(s, 3000);
	assert_true(s->event_n > 100);
	r = gdb_server_new(100, 0);
	wire_feed(r->wire, (const uint8_t *)s->said, s->said_n);
	assert_int_equal(r->pcs, 0);
	gdb_server_free(r);
	gdb_server_free(s);
}

/* The line goes down and comes up again: what is watched is set once more. */
static void a_line_comes_back(void **state)
{
	struct gdb_server *s = server_made(&habits[1], 0, true);

	(void)state;
	wire_watch(s->wire, points, COUNT(points));
	gdb_run(s, 3000);
	assert_true(s->event_n > 20);
	wire_down(s->wire);
	s->set_n = s->in_n = 0;
	s->event_n = 0;
	gdb_run(s, 3000);
	assert_true(events_check(s, true) > 10);
	gdb_server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_missed),
		cmocka_unit_test(marks_are_told),
		cmocka_unit_test(leave_is_needed),
		cmocka_unit_test(what_the_elf_lacks_is_told),
		cmocka_unit_test(watches_come_and_go),
		cmocka_unit_test(what_is_left_is_told),
		cmocka_unit_test(nothing_is_left_behind),
		cmocka_unit_test(a_recording_has_no_false_samples),
		cmocka_unit_test(a_line_comes_back),
	};

	memset(flags, CODE_TEXT, sizeof(flags));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
