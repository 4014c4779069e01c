/*
 * SWO's set-up: which registers are written, in which order, for which clock and baud rate; a
 * server's answers in any pieces, late, or none; what does not take is told.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/wire/itm/registers.h"
#include "tests/unit/setup_server.h"

static const struct swo_register *row_of(const struct swo_plan *p, uint32_t address)
{
	for (size_t i = 0; i < p->count; i++) {
		if (p->rows[i].address == address)
			return &p->rows[i];
	}
	return NULL;
}

/* The rate of the PCs is the fastest that leaves half of the line to the rest. */
static void the_line_carries_what_is_sampled(void **state)
{
	static const struct {
		double clock_hz, baud;
		uint32_t acpr, ctrl;
		double pc_hz;
	} rows[] = {
		{ 72e6, 2e6, 35, 0x000116ab, 72e6 / 6144 },
		{ 16e6, 2e6, 7, 0x000116ab & ~(1u << 9) & ~0x1feu, 0 },
		{ 168e6, 2e6, 83, 0, 0 },
		{ 72e6, 12e6, 5, 0, 0 },
		{ 72e6, 115200, 624, 0, -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct swo_terms t = { rows[i].clock_hz, rows[i].baud, "", 0 };
		struct swo_plan p;
		uint32_t ctrl;

		assert_int_equal(swo_plan_make(&p, &t, NULL), 0);
		assert_int_equal(row_of(&p, SWO_ACPR)->value, rows[i].acpr);
		assert_true(fabs(p.baud / rows[i].baud - 1) < 0.025);
		ctrl = row_of(&p, SWO_DWT_CTRL)->value;
		if (i == 0)
			assert_int_equal(ctrl, rows[i].ctrl);
		if (rows[i].pc_hz > 0)
			assert_true(fabs(p.pc_hz / rows[i].pc_hz - 1) < 1e-9);
		assert_true(p.pc_hz * 16 <= p.baud / 10 * 1.0001);
		assert_int_equal(ctrl >> 12 & 1, p.pc_hz > 0);
		assert_int_equal(p.pc_hz > 0, rows[i].pc_hz >= 0);
	}
}

static void what_cannot_be_is_said(void **state)
{
	static const struct {
		struct swo_terms terms;
		const char *says;
	} rows[] = {
		{ { 72e6, 50e6, "", 0 }, "cannot make 50,000,000 baud" },
		{ { 72e6, 100, "", 0 }, "cannot make 100 baud" },
		{ { 0, 2e6, "", 0 }, "above 0" },
		{ { 72e6, 2e6, "pic", 0 },
		  "stm32, stm32l5, stm32h7, nrf52, nrf52832, nrf52840" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct swo_plan p;
		struct err err = { 0 };

		assert_int_equal(swo_plan_make(&p, &rows[i].terms, &err), ERR_USAGE);
		assert_non_null(strstr(err.text, rows[i].says));
		assert_int_equal(p.count, 0);
	}
}

/* An nRF52's trace port has a clock of its own. */
static void chips_have_their_own(void **state)
{
	struct swo_terms nordic = { 64e6, 1e6, "nrf52", 0 }, st = { 72e6, 2e6, "stm32", 0 },
			 large = { 400e6, 2e6, "stm32h7", 0 };
	struct swo_plan p;

	(void)state;
	assert_int_equal(swo_plan_make(&p, &nordic, NULL), 0);
	assert_int_equal(row_of(&p, SWO_ACPR)->value, 31);
	assert_int_equal(row_of(&p, 0x4000055c)->value, 0x10000);
	assert_int_equal(swo_plan_make(&p, &st, NULL), 0);
	assert_int_equal(row_of(&p, 0xe0042004)->value, 0x20);
	assert_int_equal(swo_plan_make(&p, &large, NULL), 0);
	assert_null(row_of(&p, SWO_ACPR));
	assert_int_equal(row_of(&p, 0x5c003010)->value, 199);
	large.trace_hz = 100e6;			/* a PLL's, as the user says */
	assert_int_equal(swo_plan_make(&p, &large, NULL), 0);
	assert_int_equal(row_of(&p, 0x5c003010)->value, 49);
}

/* Each chip's own rows are written and read back; the one of its pin that does not take is told. */
static void each_chip_has_its_pin(void **state)
{
	static const struct {
		const char *chip;
		uint32_t pin, value, acpr, divider;
	} rows[] = {
		{ "stm32", 0xe0042004, 0x20, SWO_ACPR, 35 },
		{ "stm32l5", 0xe0044004, 0x30, SWO_ACPR, 35 },
		{ "stm32h7", 0x5c001004, 0x700000, 0x5c003010, 35 },
		{ "stm32h7", 0x5c004000, 1, 0x5c003010, 35 },
		{ "nrf52", 0x4000055c, 0x10000, SWO_ACPR, 15 },
		{ "nrf52832", 0x50000748, 0x301, SWO_ACPR, 15 },
		{ "nrf52832", 0x4000055c, 0x10000, SWO_ACPR, 15 },
		{ "nrf52840", 0x50000a00, 0x301, SWO_ACPR, 15 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(rows); i++) {
		bool sticks = i & 1;
		struct setup_server *s = setup_server_new(72e6, 2e6, rows[i / 2].chip);

		s->stuck = sticks ? rows[i / 2].pin : 0;
		setup_server_run(s, 100);
		assert_true(s->heard.over);
		assert_int_equal(s->heard.refused, sticks);
		assert_int_equal(setup_server_word(s, rows[i / 2].acpr), rows[i / 2].divider);
		assert_int_equal(setup_server_word(s, rows[i / 2].pin),
				 sticks ? 0 : rows[i / 2].value);
		assert_true(!sticks || strstr(s->wrong, "is it this chip=?"));
		setup_server_free(s);
	}
}

static void registers_are_set_in_any_pieces(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 40; piece += 4) {
		struct setup_server *s = setup_server_new(72e6, 2e6, "stm32");

		s->piece = piece;
		setup_server_run(s, 100);
		assert_true(s->heard.over);
		assert_int_equal(s->heard.refused, 0);
		assert_int_equal(setup_server_word(s, SWO_ACPR), 35);
		assert_int_equal(setup_server_word(s, SWO_DWT_CTRL), 0x400116ab);
		assert_int_equal(setup_server_word(s, 0xe0042004), 0x20);
		setup_server_free(s);
	}
}

/* A server halts the target when somebody connects: it is let go first. */
static void a_gdb_server_will_do(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 40; piece += 4) {
		struct setup_server *s = setup_server_begin(WIRE_SETUP_GDB, 72e6, 2e6, "stm32");

		s->piece = piece;
		setup_server_run(s, 200);
		assert_true(s->heard.over);
		assert_false(s->halted);
		assert_int_equal(s->heard.refused, 0);
		assert_int_equal(setup_server_word(s, SWO_ACPR), 35);
		assert_int_equal(setup_server_word(s, SWO_DWT_CTRL), 0x400116ab);
		assert_int_equal(setup_server_word(s, 0xe0042004), 0x20);
		wire_down(s->wire);
		s->halted = true;
		s->acks = 0;
		setup_server_write(s, SWO_ACPR, 0);
		setup_server_run(s, 200);
		assert_false(s->halted);
		assert_int_equal(setup_server_word(s, SWO_ACPR), 35);
		setup_server_free(s);
	}
}

static void who_takes_nothing_is_not_asked_without_end(void **state)
{
	struct setup_server *s = setup_server_begin(WIRE_SETUP_GDB, 72e6, 2e6, "stm32");
	unsigned asked = 0;

	(void)state;
	for (; s->now < 11 * CLOCK_SECOND; s->now += CLOCK_SECOND / 10000) {
		struct wire_out out = { .room = WIRE_OUT_MAX };

		wire_ask(s->wire, s->now, &out);
		asked += out.count > 0;
		if (out.count)
			wire_feed(s->wire, (const uint8_t *)"-", 1);
	}
	assert_in_range(asked, 50, 1100);	/* in ten seconds; 100,000 were possible */
	setup_server_free(s);
}

/* Whoever ends us while it greets finds the target running. */
static void a_gdb_server_is_left_running(void **state)
{
	struct setup_server *s = setup_server_begin(WIRE_SETUP_GDB, 72e6, 2e6, "");
	struct wire_out out = { .room = WIRE_OUT_MAX };

	(void)state;
	wire_ask(s->wire, s->now, &out);
	assert_memory_equal(out.bytes, "$qSupported", 11);
	out.count = 0;
	assert_false(wire_leave(s->wire, false, &out));
	wire_feed(s->wire, (const uint8_t *)"+$#00", 5);
	assert_true(wire_leave(s->wire, false, &out));
	assert_memory_equal(out.bytes, "+$c#63", 6);
	setup_server_free(s);
}

/* Exceptions are traced afterwards only where they were before. */
static void it_leaves_what_it_found(void **state)
{
	static const char *const formats[] = { WIRE_SETUP, WIRE_SETUP_GDB };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(formats); i++) {
		struct setup_server *s = setup_server_begin(formats[i / 2], 72e6, 2e6, "");
		uint32_t found = i & 1 ? SWO_CTRL_EXCTRCENA : 0;
		unsigned rounds = 0;
		bool left = false;

		setup_server_write(s, SWO_DWT_CTRL, found);
		setup_server_run(s, 200);
		assert_int_equal(setup_server_word(s, SWO_DWT_CTRL), 0x400116ab);
		while (!left && rounds++ < 100) {
			struct wire_out out = { .room = WIRE_OUT_MAX - 1 };

			left = wire_leave(s->wire, false, &out);
			if (out.count)
				setup_server_hears(s, &out);
		}
		assert_true(left);
		assert_int_equal(setup_server_word(s, SWO_DWT_CTRL), 0x400006ab | 1 << 12 | found);
		setup_server_free(s);
	}
}

/* Two looks at CYCCNT a second apart: it wraps within a minute, never within that. */
static void the_clock_is_measured(void **state)
{
	static const double clocks[] = { 16e6, 72e6, 480e6 };

	(void)state;
	for (size_t i = 0; i < COUNT(clocks); i++) {
		struct setup_server *s = setup_server_new(0, 0, NULL);

		s->hz = clocks[i];
		setup_server_run(s, 2500);
		assert_true(s->heard.over);
		assert_true(fabs(s->heard.clock_hz / clocks[i] - 1) < 0.002);
		assert_true(fabs(s->heard.baud / SWO_BAUD - 1) < 0.025);
		setup_server_free(s);
	}
}

/* A host that was busy during the first looks: they do not count. None that is good: told. */
static void a_busy_host_measures_no_wrong_clock(void **state)
{
	struct setup_server *s = setup_server_new(0, 0, NULL);

	(void)state;
	s->late_ns = 300 * UINT64_C(1000000);
	setup_server_run(s, 1800);
	assert_false(s->heard.over);
	s->late_ns = 0;
	setup_server_run(s, 12000);
	assert_true(s->heard.over);
	assert_true(fabs(s->heard.clock_hz / s->hz - 1) < 0.002);
	setup_server_free(s);
	s = setup_server_new(0, 0, NULL);
	s->late_ns = 600 * UINT64_C(1000000);
	setup_server_run(s, 20000);
	assert_false(s->heard.over);
	assert_non_null(strstr(s->wrong, "cannot be measured"));
	setup_server_free(s);
}

/* OpenOCD has set the UART up: its rate stays, unless one is named. */
static void a_rate_that_is_set_is_kept(void **state)
{
	(void)state;
	for (int named = 0; named < 2; named++) {
		struct setup_server *s = setup_server_new(72e6, named ? 2e6 : 0, NULL);

		setup_server_write(s, SWO_SPPR, SWO_SPPR_NRZ);
		setup_server_write(s, SWO_ACPR, 71);
		setup_server_run(s, 100);
		assert_int_equal(setup_server_word(s, SWO_ACPR), named ? 35 : 71);
		setup_server_free(s);
	}
}

/* The first that does not take is named; all others are set all the same. */
static void what_does_not_take_is_told(void **state)
{
	static const struct {
		uint32_t stuck;
		const char *says;
	} rows[] = {
		{ SWO_DEMCR, "TRCENA" }, { SWO_SPPR, "NRZ" }, { SWO_ACPR, "ACPR" },
		{ 0xe0000e80, "ITM does not stay on" }, { 0xe0042004, "chip=" },
		{ SWO_DWT_CTRL, "counts no cycles" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct setup_server *s = setup_server_new(72e6, 2e6, "stm32");

		s->stuck = rows[i].stuck;
		setup_server_run(s, 100);
		assert_true(s->heard.over);
		assert_true(s->heard.refused > 0);
		assert_non_null(strstr(s->wrong, rows[i].says));
		assert_int_equal(setup_server_word(s, 0xe0000e00),
				 UINT32_MAX);
		setup_server_free(s);
	}
}

static void silence_and_errors_are_told(void **state)
{
	struct setup_server *s = setup_server_new(72e6, 2e6, NULL);

	(void)state;
	s->mute = true;
	setup_server_run(s, 2500);
	assert_non_null(strstr(s->wrong, "answers nothing"));
	s->mute = false;
	setup_server_run(s, 2500);
	assert_true(s->heard.over);
	setup_server_free(s);
	s = setup_server_new(72e6, 2e6, NULL);
	s->unreadable = true;
	setup_server_run(s, 2500);
	assert_non_null(strstr(s->wrong, "OpenOCD reads no memory"));
	assert_false(s->heard.over);
	setup_server_free(s);
	s = setup_server_begin(WIRE_SETUP_GDB, 72e6, 2e6, NULL);
	s->unreadable = true;
	setup_server_run(s, 2500);
	assert_non_null(strstr(s->wrong, "the gdb server reads no memory of the target: E01"));
	setup_server_free(s);
}

/* A reset of the chip, and of the line. */
static void it_is_kept_up(void **state)
{
	struct setup_server *s = setup_server_new(72e6, 2e6, NULL);

	(void)state;
	setup_server_run(s, 100);
	assert_int_equal(setup_server_word(s, 0xe0000e80), 0x1000f);
	setup_server_write(s, SWO_DEMCR, 0);
	setup_server_write(s, 0xe0000e80, 0);
	setup_server_run(s, 2500);
	assert_int_equal(setup_server_word(s, 0xe0000e80), 0x1000f);
	setup_server_write(s, 0xe0000e80, 0);
	wire_down(s->wire);
	setup_server_run(s, 100);
	assert_int_equal(setup_server_word(s, 0xe0000e80), 0x1000f);
	setup_server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_carries_what_is_sampled),
		cmocka_unit_test(what_cannot_be_is_said),
		cmocka_unit_test(chips_have_their_own),
		cmocka_unit_test(each_chip_has_its_pin),
		cmocka_unit_test(registers_are_set_in_any_pieces),
		cmocka_unit_test(a_gdb_server_will_do),
		cmocka_unit_test(a_gdb_server_is_left_running),
		cmocka_unit_test(it_leaves_what_it_found),
		cmocka_unit_test(who_takes_nothing_is_not_asked_without_end),
		cmocka_unit_test(the_clock_is_measured),
		cmocka_unit_test(a_busy_host_measures_no_wrong_clock),
		cmocka_unit_test(a_rate_that_is_set_is_kept),
		cmocka_unit_test(what_does_not_take_is_told),
		cmocka_unit_test(silence_and_errors_are_told),
		cmocka_unit_test(it_is_kept_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
