/* PCs by OpenOCD's Tcl server: the set-up, sleep, what is in the way, late answers, a replay. */
#include "tests/unit/unit.h"

#include "tests/unit/openocd_server.h"

static void tracing_is_switched_on_and_read_back(void **state)
{
	struct server *s = server_new(1000);

	(void)state;
	server_run(s, 20);
	assert_int_equal(s->demcr, 1u << 24);
	assert_int_equal(s->dwt_ctrl, 0x40000001);
	assert_int_equal(s->writes, 2);
	assert_true(s->pcs > 5);
	assert_string_equal(s->core, "Cortex-M3 r2p1");
	server_free(s);
}

/* What is asked for, as long as the answers allow it; never more. */
static void the_rate_is_kept(void **state)
{
	static const struct {
		double asked, least, most;
	} rates[] = {
		{ 50, 48, 52 }, { 300, 290, 310 }, { 1000, 950, 1050 }, { 9000, 1900, 2000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rates); i++) {
		struct server *s = server_new(rates[i].asked);

		server_run(s, 10000);
		assert_true(s->pcs >= 10 * rates[i].least && s->pcs <= 10 * rates[i].most);
		assert_true(s->probe.reached_hz > 0.9 * rates[i].least);
		assert_true(s->probe.reached_hz < 1.1 * rates[i].most);
		assert_true(s->probe.asked_hz == rates[i].asked);
		server_free(s);
	}
}

/* The pauses vary: no two in a row of 50 are a period's, and the mean is. */
static void pauses_vary(void **state)
{
	struct server *s = server_new(100);
	unsigned kinds[20] = { 0 }, different = 0, asked = 0;
	uint64_t last = 0;

	(void)state;
	server_run(s, 100);
	for (int i = 0; i < 10000; i++) {
		server_run(s, 1);
		if (s->samples_asked == asked)
			continue;
		asked = s->samples_asked;
		if (last && (s->now - last) / 1000000 < 20)
			kinds[(s->now - last) / 1000000]++;
		last = s->now;
	}
	for (int i = 0; i < 20; i++)
		different += kinds[i] > 20;
	assert_true(different >= 8);
	server_free(s);
}

static void sleep_is_no_pc(void **state)
{
	struct server *s = server_new(1000);
	uint64_t pcs;

	(void)state;
	server_run(s, 100);
	pcs = s->pcs;
	s->asleep = true;
	server_run(s, 1000);
	assert_int_equal(s->pcs, pcs);
	assert_in_range(s->asleeps, 900, 1100);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	s->asleep = false;
	s->wakes = 3;			/* PCSR was all ones, DHCSR says awake by then */
	server_run(s, 100);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	assert_int_equal(s->probe.refused, 0);
	assert_true(s->pcs > pcs + 80);
	server_free(s);
}

static void what_is_in_the_way_is_said(void **state)
{
	struct server *s;

	(void)state;
	s = server_new(1000);
	s->trace_sticks = false;
	server_run(s, 1000);
	assert_int_equal(s->probe.trouble, PROBE_TRACE_OFF);
	s->trace_sticks = true;			/* a power cycle cured it */
	server_run(s, 1000);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	s->locked = true;
	server_run(s, 1000);
	assert_int_equal(s->probe.trouble, PROBE_NOT_PERMITTED);
	assert_true(s->probe.refused > 3 && s->probe.refused < 20);
	s->locked = false;
	s->halted = true;
	server_run(s, 1000);
	assert_int_equal(s->probe.trouble, PROBE_HALTED);
	s->halted = false;
	s->pc = 0;
	server_run(s, 1000);
	assert_int_equal(s->probe.trouble, PROBE_NO_PCSR);
	server_free(s);

	s = server_new(1000);
	s->cpuid = 0;
	server_run(s, 100);
	assert_string_equal(s->core, "CPUID 0x00000000");
	server_free(s);
}

/* The node was reset: TRCENA is off again. */
static void a_reset_target_is_set_up_again(void **state)
{
	struct server *s = server_new(1000);
	uint64_t pcs;

	(void)state;
	server_run(s, 100);
	s->demcr = s->dwt_ctrl = 0;
	server_run(s, 300);
	pcs = s->pcs;
	server_run(s, 100);
	assert_true(s->pcs > pcs + 80);
	assert_int_equal(s->demcr, 1u << 24);
	wire_down(s->wire);
	s->demcr = 0;
	server_run(s, 100);
	assert_int_equal(s->demcr, 1u << 24);
	server_free(s);
}

/* One that comes after it was given up is no answer to the next question. */
static void late_answers_answer_nothing_else(void **state)
{
	struct server *s = server_new(1000);

	(void)state;
	s->mute = true;
	server_run(s, 3500);
	assert_int_equal(s->probe.trouble, PROBE_NO_ANSWER);
	assert_true(s->commands >= 3);
	s->mute = false;
	for (unsigned i = 1; i < s->commands; i++)	/* none to the last */
		server_say(s, s->unsaid[i]);
	assert_int_equal(s->demcr, 0);
	server_run(s, 2500);
	assert_int_equal(s->demcr, 1u << 24);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	server_free(s);
}

static void hostile_answers_are_counted(void **state)
{
	static const char *const answers[] = {
		"", "0x", "6:1 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb", "99999999999999999999",
		"6:", "7:1 0x1", "99:1 0x1", "0:0", ":", "6:1 0x1ffffffff",
		"target not examined yet", "-1", "0x1 zz",
	};
	static char longer[5000];
	struct server *s = server_new(1000);
	struct wire_stats stats;

	(void)state;
	server_run(s, 50);
	memset(longer, '1', sizeof(longer) - 1);
	for (size_t i = 0; i < COUNT(answers); i++)
		server_say(s, answers[i]);
	server_say(s, longer);
	server_run(s, 3000);
	wire_stats(s->wire, &stats);
	assert_true(stats.bad_bytes > 0);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	server_free(s);
}

/* Its recording tells the same, however it is cut, and from the middle on. */
static void a_recording_tells_the_same(void **state)
{
	static const size_t pieces[] = { 1, 2, 7, 50, 5000 };
	struct server *s = server_new(1000);

	(void)state;
	server_run(s, 500);
	s->asleep = true;
	server_run(s, 500);
	s->asleep = false;
	server_run(s, 500);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		struct server *r = server_new(1000);

		for (size_t at = 0; at < s->said_n; at += pieces[i])
			wire_feed(r->wire, (const uint8_t *)s->said + at,
				  s->said_n - at < pieces[i] ? s->said_n - at : pieces[i]);
		assert_int_equal(r->pcs, s->pcs);
		assert_int_equal(r->asleeps, s->asleeps);
		assert_int_equal(r->pc_sum, s->pc_sum);
		assert_string_equal(r->core, s->core);
		server_free(r);
		r = server_new(1000);
		wire_feed(r->wire, (const uint8_t *)s->said + 1000, s->said_n - 1000);
		assert_in_range(r->pcs + r->asleeps, s->pcs + s->asleeps - 30,
				s->pcs + s->asleeps);
		server_free(r);
	}
	server_free(s);
}

/* The format of a recording is found; nothing is sent to who may be something else. */
static void a_recording_is_known_by_its_answers(void **state)
{
	struct server *s = server_new(1000), *r = server_new(1000);
	struct wire_sink sink = server_sink(r);
	struct wire_out out = { .room = WIRE_OUT_MAX };
	struct wire *w = wire_new("auto", NULL, &sink, NULL);

	(void)state;
	server_run(s, 500);
	wire_feed(w, (const uint8_t *)s->said + 5, s->said_n - 5);
	assert_string_equal(wire_name(w), "openocd");
	assert_int_equal(r->pcs, s->pcs);
	wire_ask(w, CLOCK_SECOND, &out);
	assert_int_equal(out.count, 0);
	assert_int_equal(wire_timeout(w, CLOCK_SECOND), -1);
	wire_free(w);
	server_free(r);
	server_free(s);
}

static uint8_t code_flags_made[SERVER_MEMORY / 2];
static struct codemap code_made = {
	.arch = CODE_ARM, .base = SERVER_BASE, .size = SERVER_MEMORY, .flags = code_flags_made,
};

static struct server *server_with_code(void)
{
	struct server *s = server_new(1000);

	memset(code_flags_made, CODE_TEXT, sizeof(code_flags_made));
	for (unsigned i = 0; i < SERVER_MEMORY / 4; i++)
		s->memory[i] = i * 2654435761u;
	wire_set_code(s->wire, &code_made);
	return s;
}

/* The code is read now and then; of what is changed there, the next round tells. */
static void the_firmware_is_told(void **state)
{
	struct server *s = server_with_code();
	struct wire_identity first;

	(void)state;
	server_run(s, 3000);
	assert_int_equal(s->identities, 1);
	assert_int_equal(s->identity.kind, WIRE_IDENTITY_BLOCKS);
	assert_int_equal(s->identity.block_count, WIRE_BLOCKS);
	assert_true(s->pcs > 2500);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	first = s->identity;
	wire_set_code(s->wire, NULL);		/* refused: they are read all the same */
	for (unsigned i = 0; i < SERVER_MEMORY / 4; i++)
		s->memory[i] ^= 4;
	server_run(s, 40000);
	assert_true(s->identities >= 3);
	assert_memory_not_equal(&s->identity, &first, sizeof(first));
	assert_int_equal(s->identity.blocks[9].address, first.blocks[9].address);
	s->blocks_asked = 0;
	server_run(s, 10000);
	assert_in_range(s->blocks_asked, 20, 50);	/* 4 a second */
	server_free(s);
}

/* Programmed while the processor was halted: looked at again at once. */
static void a_halt_is_followed_by_a_look(void **state)
{
	struct server *s = server_with_code();
	uint64_t before;

	(void)state;
	server_run(s, 3000);
	before = s->identities;
	s->halted = true;
	server_run(s, 500);
	s->blocks_asked = 0;
	server_run(s, 1000);
	assert_int_equal(s->blocks_asked, 0);
	s->halted = false;
	server_run(s, 2500);
	assert_true(s->identities > before);
	server_free(s);
}

/* Half of the code cannot be read. */
static void code_that_cannot_be_read_is_left_out(void **state)
{
	struct server *s = server_with_code();
	struct wire_stats stats;

	(void)state;
	code_made.base += SERVER_MEMORY / 2;
	wire_set_code(s->wire, &code_made);
	server_run(s, 3000);
	code_made.base -= SERVER_MEMORY / 2;
	wire_stats(s->wire, &stats);
	assert_int_equal(stats.bad_bytes, 0);
	assert_int_equal(s->identity.block_count, WIRE_BLOCKS / 2);
	assert_int_equal(s->probe.trouble, PROBE_FINE);
	server_free(s);
}

static void a_recording_tells_the_firmware(void **state)
{
	static const size_t pieces[] = { 1, 7, 4096 };
	struct server *s = server_with_code();

	(void)state;
	server_run(s, 3000);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		struct server *again = server_new(1000);

		for (size_t at = 0; at < s->said_n; at += pieces[i]) {
			wire_feed(again->wire, (const uint8_t *)s->said + at,
				  pieces[i] < s->said_n - at ? pieces[i] : s->said_n - at);
			wire_down(again->wire);		/* nothing can be sent to a file */
		}
		assert_int_equal(again->identities, s->identities);
		assert_memory_equal(&again->identity, &s->identity, sizeof(s->identity));
		assert_int_equal(again->pcs, s->pcs);
		server_free(again);
	}
	server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tracing_is_switched_on_and_read_back),
		cmocka_unit_test(the_rate_is_kept),
		cmocka_unit_test(pauses_vary),
		cmocka_unit_test(sleep_is_no_pc),
		cmocka_unit_test(what_is_in_the_way_is_said),
		cmocka_unit_test(a_reset_target_is_set_up_again),
		cmocka_unit_test(late_answers_answer_nothing_else),
		cmocka_unit_test(hostile_answers_are_counted),
		cmocka_unit_test(a_recording_tells_the_same),
		cmocka_unit_test(a_recording_is_known_by_its_answers),
		cmocka_unit_test(the_firmware_is_told),
		cmocka_unit_test(a_halt_is_followed_by_a_look),
		cmocka_unit_test(code_that_cannot_be_read_is_left_out),
		cmocka_unit_test(a_recording_tells_the_firmware),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
