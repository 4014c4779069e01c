/* PCs by gdb's remote protocol: by memory reads, by stops, by servers of every habit. */
#include "tests/unit/unit.h"

#include "core/wire/probe/rsp.h"
#include "tests/unit/gdb_server.h"

static void packets_are_read(void **state)
{
	static const struct {
		const char *bytes, *contents;
		bool bad;
	} rows[] = {
		{ "$OK#9a", "OK" }, { "++$OK#9a", "OK" }, { "$#00", "" },
		{ "$0* #7a", "0000" }, { "$a}]b#9d", "a}b" }, { "noise$OK#9a", "OK" },
		{ "$cut$OK#9a", "OK" }, { "$OK#9b", NULL, true }, { "$OK#zz", NULL, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct rsp r = { .state = RSP_OUT };
		bool found = false, bad = false;

		for (const char *p = rows[i].bytes; *p; p++) {
			enum rsp_found f = rsp_take(&r, (uint8_t)*p);

			found |= f == RSP_PACKET;
			bad |= f == RSP_BAD;
		}
		assert_int_equal(bad, rows[i].bad);
		assert_int_equal(found, !rows[i].bad);
		if (found)
			assert_string_equal(r.packet, rows[i].contents);
	}
}

static void packets_that_are_too_long_are_none(void **state)
{
	struct rsp r = { .state = RSP_OUT };
	uint8_t sum = 0;
	char tail[8];

	(void)state;
	rsp_take(&r, '$');
	for (int i = 0; i < 5000; i++) {
		assert_int_equal(rsp_take(&r, 'x'), RSP_NOTHING);
		sum += 'x';
	}
	snprintf(tail, sizeof(tail), "#%02x", sum);
	rsp_take(&r, (uint8_t)tail[0]);
	rsp_take(&r, (uint8_t)tail[1]);
	assert_int_equal(rsp_take(&r, (uint8_t)tail[2]), RSP_BAD);
}

/* One that reads memory while the target runs: it is set going once and never stopped. */
static void where_memory_is_read_nothing_is_halted(void **state)
{
	struct gdb_server *s = gdb_server_new(500, 0);

	(void)state;
	gdb_run(s, 4000);
	assert_int_equal(s->demcr, 1u << 24);
	assert_int_equal(s->dwt_ctrl, 0x40000001);
	assert_int_equal(s->stops, 0);
	assert_int_equal(s->goes, 1);
	assert_true(s->runs);
	assert_in_range(s->pcs, 1900, 2050);
	assert_int_equal(s->pc_sum, s->pcs * 0x1000);
	assert_true(s->probe.halted == 0);
	s->asleep = true;
	gdb_run(s, 1000);
	assert_in_range(s->asleeps, 450, 550);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	gdb_server_free(s);
}

/* Of the others nobody is stopped unless that was allowed; then no more often than that. */
static void stops_need_leave(void **state)
{
	static const struct {
		const char *supported;
		bool reads, single, stop_pc, needs_ack;
	} habits[] = {
		{ "PacketSize=1000;qXfer:features:read+;multiprocess+", false, true },
		{ "PacketSize=1000;QStartNoAckMode+", false, true },
		{ "qXfer:memory-map:read+", false, false, false, true },
		{ "", false, false, true, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(habits); i++) {
		for (int allowed = 0; allowed < 2; allowed++) {
			struct gdb_server *s = gdb_server_new(1000, allowed ? 100 : 0);

			s->supported = habits[i].supported;
			s->reads = habits[i].reads;
			s->single = habits[i].single;
			s->stop_pc = habits[i].stop_pc;
			s->needs_ack = habits[i].needs_ack;
			gdb_run(s, 10000);
			assert_true(s->runs || allowed);
			if (!allowed) {
				assert_int_equal(s->stops, 0);
				assert_int_equal(s->pcs, 0);
				assert_int_equal(s->probe.trouble, PROBE_MUST_STOP);
			} else {
				assert_in_range(s->stops, 850, 1050);
				assert_true(s->pcs + 1 >= s->stops);
				assert_int_equal(s->pc_sum, s->pcs * 0x1000);
				assert_true(s->probe.halted > 0.01 && s->probe.halted < 0.2);
				/* What is said is no less than what was. */
				assert_true(s->probe.halted >
					    0.5 * (double)s->stood_ns / 1e10);
			}
			if (strstr(habits[i].supported, "multiprocess"))
				assert_int_equal(s->acks, 0);	/* QEMU stops at a late one */
			gdb_server_free(s);
		}
	}
}

static void acknowledgements_are_sent_to_who_wants_them(void **state)
{
	struct gdb_server *s = gdb_server_new(1000, 50);

	(void)state;
	s->supported = "";
	s->needs_ack = true;
	s->spoil = 7;			/* a wrong sum is asked for again */
	gdb_run(s, 4000);
	assert_true(s->acks > 300);
	assert_in_range(s->pcs, 120, 210);
	assert_int_equal(s->pc_sum, s->pcs * 0x1000);
	gdb_server_free(s);
}

/* Whoever ends this leaves the target running, at whatever moment. */
static void the_target_runs_on(void **state)
{
	(void)state;
	for (unsigned ms = 20; ms < 120; ms++) {
		struct gdb_server *s = gdb_server_new(1000, 200);
		struct wire_out out = { .room = WIRE_OUT_MAX };

		s->supported = "multiprocess+";
		gdb_run(s, ms);
		wire_leave(s->wire, true, &out);
		gdb_take(s, out.bytes, out.count);
		assert_true(s->runs);
		gdb_server_free(s);
	}
}

/* And of a server that loses what comes before it told of a stop. */
static void a_stop_is_waited_for(void **state)
{
	unsigned waited = 0;

	(void)state;
	for (unsigned ms = 20; ms < 220; ms++) {
		struct gdb_server *s = gdb_server_new(1000, 200);
		struct wire_out out = { .room = WIRE_OUT_MAX }, last = { .room = WIRE_OUT_MAX };
		uint64_t pcs;

		s->supported = "";
		s->needs_ack = s->slow = true;
		gdb_run(s, ms);
		pcs = s->pcs;
		if (!wire_leave(s->wire, false, &out)) {
			waited++;
			gdb_take(s, out.bytes, out.count);
			gdb_stopped(s);
			assert_true(wire_leave(s->wire, false, &last));
			gdb_take(s, last.bytes, last.count);
		} else {
			gdb_take(s, out.bytes, out.count);
			gdb_stopped(s);
		}
		assert_true(s->runs);
		assert_int_equal(s->pcs, pcs);
		gdb_server_free(s);
	}
	assert_true(waited > 50);
}

/* A fault stops it: it is left as it is, for who looks into it, and that is said. */
static void a_target_that_stops_by_itself_is_left(void **state)
{
	struct gdb_server *s = gdb_server_new(500, 0);
	uint64_t pcs;

	(void)state;
	gdb_run(s, 500);
	s->runs = false;
	gdb_say(s, "T0bthread:01;");
	pcs = s->pcs;
	assert_int_equal(s->probe.trouble, PROBE_HALTED);
	assert_int_equal(s->goes, 1);
	assert_true(pcs > 100);
	gdb_server_free(s);
}

static void silence_is_said_and_survived(void **state)
{
	struct gdb_server *s = gdb_server_new(500, 0);

	(void)state;
	gdb_run(s, 300);
	s->mute = true;
	gdb_run(s, 3000);
	assert_int_equal(s->probe.trouble, PROBE_NO_ANSWER);
	s->mute = false;
	gdb_run(s, 3000);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	wire_down(s->wire);
	gdb_run(s, 1000);
	assert_true(s->runs);
	gdb_server_free(s);
}

/* QEMU, which ran: it stops as somebody connects, and says so before it is asked. */
static void a_stop_before_the_first_answer_is_no_answer(void **state)
{
	struct gdb_server *s = gdb_server_new(500, 100);

	(void)state;
	s->supported = "PacketSize=1000;qXfer:features:read+;multiprocess+";
	s->tells_connect = true;
	gdb_run(s, 5000);
	assert_int_equal(s->greetings, 1);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	assert_in_range(s->pcs, 400, 550);
	assert_int_equal(s->pc_sum, s->pcs * 0x1000);
	gdb_server_free(s);
}

/* Each answer is awaited, however long it takes: who asks again is out of step from then on. */
static void slow_servers_are_waited_for(void **state)
{
	static const unsigned delays[] = { 300, 1200, 3000 };

	(void)state;
	for (size_t i = 0; i < COUNT(delays); i++) {
		struct gdb_server *s = gdb_server_new(500, 0);

		s->delay_ns = delays[i] * UINT64_C(1000000);
		gdb_run(s, 60 * delays[i]);
		assert_int_equal(s->greetings, 1);
		assert_int_equal(s->goes, 1);
		assert_in_range(s->pcs, 40, 60);
		assert_int_equal(s->pc_sum, s->pcs * 0x1000);
		gdb_server_free(s);
	}
}

/* A serial port is not closed by who goes away: answers to what he asked come first. */
static void answers_to_others_are_none(void **state)
{
	static const char *const stale[] = {
		"010000400080320000000000000000000000000000000000000000000010000",
		"0000000000010000", "T02thread:01;", "E01",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(stale); i++) {
		struct gdb_server *s = gdb_server_new(500, 0);

		s->stale = stale[i];
		gdb_run(s, 4000);
		assert_int_equal(s->greetings, 1);
		assert_int_equal(s->probe.trouble, PROBE_FINE);
		assert_int_equal(s->demcr, 1u << 24);
		assert_in_range(s->probe.cycles_hz, 71000000 / 2, 73000000);
		assert_in_range(s->pcs, 1900, 2050);
		gdb_server_free(s);
	}
}

/* On a busy host: the clock is measured by the answers that came soon. */
static void late_answers_measure_no_wrong_clock(void **state)
{
	static const uint64_t late_ms[] = { 0, 5, 100, 300, 700 };

	(void)state;
	for (size_t i = 0; i < COUNT(late_ms); i++) {
		struct gdb_server *s = gdb_server_new(500, 0);

		s->clocked = true;
		s->delay_ns = late_ms[i] * (CLOCK_SECOND / 1000);
		gdb_run(s, 6000);
		s->delay_ns = 0;
		gdb_run(s, 5000);
		assert_in_range(s->probe.cycles_hz, 72e6 * 0.995, 72e6 * 1.005);
		s->delay_ns = late_ms[i] * (CLOCK_SECOND / 1000);
		gdb_run(s, 6000);
		assert_in_range(s->probe.cycles_hz, 72e6 * 0.995, 72e6 * 1.005);
		gdb_server_free(s);
	}
}

static void who_takes_nothing_is_not_asked_without_end(void **state)
{
	struct wire_options o = { .hz = 1000 };
	struct wire_sink sink = { .ctx = NULL };
	struct wire *w = wire_new("gdb", &o, &sink, NULL);
	uint64_t now = CLOCK_SECOND;
	unsigned asked = 0;

	(void)state;
	while (now < 11 * CLOCK_SECOND) {
		struct wire_out out = { .room = WIRE_OUT_MAX };

		wire_ask(w, now, &out);
		asked += out.count > 0;
		if (out.count)
			wire_feed(w, (const uint8_t *)"-", 1);
		now += CLOCK_SECOND / 10000;
	}
	assert_in_range(asked, 50, 250);	/* in ten seconds; 100,000 were possible */
	wire_free(w);
}

/* A Black Magic Probe, by its documents: it looks for its target when asked, until it is there. */
static void a_probe_is_told_to_attach(void **state)
{
	struct gdb_server *s = gdb_server_open((struct wire_options){
		.hz = 500, .stop_hz = 100, .attach = true });

	(void)state;
	s->supported = "PacketSize=400;qXfer:memory-map:read+;QStartNoAckMode+";
	s->scans = true;
	s->reads = false;
	gdb_run(s, 6000);
	assert_int_equal(s->scanned, 2);
	assert_int_equal(s->attached, 1);
	assert_string_equal(s->text, "Target\n");
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	assert_in_range(s->pcs, 350, 600);
	gdb_server_free(s);
}

static void consoles_of_servers_are_text(void **state)
{
	struct gdb_server *s = gdb_server_new(500, 0);

	(void)state;
	gdb_run(s, 100);
	gdb_say(s, "O68656c6c6f");
	assert_string_equal(s->text, "hello");
	gdb_server_free(s);
}

/* Its recording tells the same, however it is cut. */
static void a_recording_tells_the_same(void **state)
{
	(void)state;
	for (int stops = 0; stops < 2; stops++) {
		struct gdb_server *s = gdb_server_new(500, stops ? 100 : 0);

		s->supported = stops ? "multiprocess+" : s->supported;
		gdb_run(s, 1000);
		s->asleep = !stops;
		gdb_run(s, 500);
		for (size_t piece = 1; piece < 5000; piece *= 7) {
			struct gdb_server *r = gdb_server_new(500, 0);

			for (size_t at = 0; at < s->said_n; at += piece)
				wire_feed(r->wire, (const uint8_t *)s->said + at,
					  s->said_n - at < piece ? s->said_n - at : piece);
			assert_in_range(r->pcs, s->pcs, s->pcs + 1);
			assert_int_equal(r->asleeps, s->asleeps);
			gdb_server_free(r);
		}
		gdb_server_free(s);
	}
}

/* Its code is read now and then, where nothing is halted for it. */
static void the_firmware_is_told(void **state)
{
	static uint8_t flags[8192];
	static const struct codemap code = {
		.arch = CODE_ARM, .base = 0x8000000, .size = 2 * sizeof(flags), .flags = flags,
	};
	struct gdb_server *s = gdb_server_new(1000, 0);
	struct wire_identity first;

	(void)state;
	memset(flags, CODE_TEXT, sizeof(flags));
	wire_set_code(s->wire, &code);
	gdb_run(s, 3000);
	assert_int_equal(s->identities, 1);
	assert_int_equal(s->identity.kind, WIRE_IDENTITY_BLOCKS);
	assert_int_equal(s->identity.block_count, WIRE_BLOCKS);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	assert_int_equal(s->stops, 0);
	assert_true(s->pcs > 2000);
	first = s->identity;
	s->firmware = 1;
	gdb_run(s, 20000);
	assert_true(s->identities >= 2);
	assert_memory_not_equal(&first, &s->identity, sizeof(first));
	s->no_flash = true;
	s->identities = s->pcs = 0;
	s->blocks_asked = 0;
	gdb_run(s, 20000);
	assert_true(s->identities <= 1 && s->blocks_asked > 60);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	assert_true(s->pcs > 12000);
	gdb_server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_read),
		cmocka_unit_test(packets_that_are_too_long_are_none),
		cmocka_unit_test(where_memory_is_read_nothing_is_halted),
		cmocka_unit_test(stops_need_leave),
		cmocka_unit_test(acknowledgements_are_sent_to_who_wants_them),
		cmocka_unit_test(the_target_runs_on),
		cmocka_unit_test(a_stop_is_waited_for),
		cmocka_unit_test(a_target_that_stops_by_itself_is_left),
		cmocka_unit_test(silence_is_said_and_survived),
		cmocka_unit_test(a_stop_before_the_first_answer_is_no_answer),
		cmocka_unit_test(slow_servers_are_waited_for),
		cmocka_unit_test(answers_to_others_are_none),
		cmocka_unit_test(late_answers_measure_no_wrong_clock),
		cmocka_unit_test(who_takes_nothing_is_not_asked_without_end),
		cmocka_unit_test(a_probe_is_told_to_attach),
		cmocka_unit_test(consoles_of_servers_are_text),
		cmocka_unit_test(a_recording_tells_the_same),
		cmocka_unit_test(the_firmware_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
