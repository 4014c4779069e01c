/*
 * Comparators for watches: which registers become what, by the manuals of v7-M and v8-M; a
 * debugger's are left alone; what is watched on keeps its comparator; what does not take is told.
 */
#include "tests/unit/unit.h"

#include "core/wire/itm/comparators.h"
#include "tests/unit/setup_server.h"

#define CTRL_M3 0x40000000u		/* four comparators */
#define DEVARCH_M33 0x47701a02u

enum { WRITES = WATCH_WRITES, READS = WATCH_READS, BOTH = WATCH_READS | WATCH_WRITES };

static struct wire_watchpoint value_point(uint32_t address, uint32_t size, unsigned bytes)
{
	return (struct wire_watchpoint){ .kind = WATCH_VALUE, .note = address, .address = address,
					 .size = size, .access = WRITES,
					 .reading.bytes = (uint8_t)bytes };
}

/* The value of the last row for a register; UINT32_MAX: there is none. */
static uint32_t row_value(const struct comparators_plan *p, uint32_t address)
{
	uint32_t value = UINT32_MAX;

	for (size_t i = 0; i < p->rows_n; i++)
		value = p->rows[i].address == address ? p->rows[i].value : value;
	return value;
}

static void v7_has_its_functions(void **state)
{
	static const struct {
		struct wire_watchpoint point;
		uint32_t comp, mask, function;	/* function 0: refused */
		enum wire_watch_refusal refusal;
	} rows[] = {
		{ { .size = 1, .address = 0x20000101, .access = WRITES, .reading.bytes = 1 },
		  0x20000101, 0, 15, REFUSED_NOT },
		{ { .size = 2, .address = 0x20000102, .access = READS, .reading.bytes = 2 },
		  0x20000102, 1, 14, REFUSED_NOT },
		{ { .size = 4, .address = 0x40011010, .access = BOTH, .reading.bytes = 4 },
		  0x40011010, 2, 3, REFUSED_NOT },
		{ { .size = 4, .address = 0x40011010, .access = 0, .reading.bytes = 4 },
		  0x40011010, 2, 15, REFUSED_NOT },
		/* in parts: across words, wider than one, a bit-field */
		{ { .size = 4, .address = 0x20000102, .access = WRITES, .reading.bytes = 4 },
		  0x20000100, 3, 0x2f, REFUSED_NOT },
		{ { .size = 8, .address = 0x20000108, .access = WRITES, .reading.bytes = 8 },
		  0x20000108, 3, 0x2f, REFUSED_NOT },
		{ { .size = 4, .address = 0x20000108, .access = WRITES,
		    .reading = { .bytes = 4, .bits = 3, .shift = 5 } },
		  0x20000108, 2, 0x2f, REFUSED_NOT },
		/* ranges: addresses */
		{ { .size = 0x400, .address = 0x40011000, .access = WRITES }, 0x40011000, 10, 0x2d,
		  REFUSED_NOT },
		{ { .size = 0x400, .address = 0x40011000, .access = BOTH }, 0x40011000, 10, 0x21,
		  REFUSED_NOT },
		{ { .size = 4, .address = 0x200000fe, .access = READS }, 0x20000000, 9, 0x2c,
		  REFUSED_NOT },
		{ { .size = 0x10000, .address = 0x20000000, .access = WRITES }, 0x20000000, 16,
		  0x2d, REFUSED_NOT },
		{ { .size = 0x10000, .address = 0x20008000, .access = WRITES }, 0, 0, 0,
		  REFUSED_SIZE },
		{ { .size = 0, .address = 0x20000000, .access = WRITES }, 0, 0, 0, REFUSED_SIZE },
		{ { .size = 0x20000, .address = 0x20000000, .access = WRITES }, 0, 0, 0,
		  REFUSED_SIZE },
		{ { .size = 8, .address = 0xfffffffc, .access = WRITES }, 0, 0, 0, REFUSED_SIZE },
		{ { .kind = WATCH_CALL, .size = 8, .address = 0x1000 }, 0, 0, 0, REFUSED_KIND },
		{ { .kind = WATCH_MARK }, 0, 0, 0, REFUSED_KIND },
	};
	struct comparators c = comparators_of(CTRL_M3, 0);

	(void)state;
	assert_int_equal(c.count, 4);
	assert_false(c.v8);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct comparators_plan p = { .rows_n = 0 };

		comparators_make(&p, &c, &rows[i].point, 1);
		assert_int_equal(p.points_n, 1);
		assert_int_equal(p.points[0].refusal, rows[i].refusal);
		assert_int_equal(p.used, rows[i].function != 0);
		if (!rows[i].function) {
			assert_int_equal(p.rows_n, 0);
			continue;
		}
		assert_int_equal(p.points[0].way, WATCHED_COMPARATOR);
		assert_int_equal(p.rows[0].address, 0xe0001028);	/* off, before it changes */
		assert_int_equal(p.rows[0].value, 0);
		assert_int_equal(row_value(&p, 0xe0001020), rows[i].comp);
		assert_int_equal(row_value(&p, 0xe0001024), rows[i].mask);
		assert_int_equal(row_value(&p, 0xe0001028), rows[i].function);
	}
}

static void v8_has_others(void **state)
{
	static const struct {
		struct wire_watchpoint point;
		unsigned comparator;
		uint32_t comp, function;
		enum wire_watch_refusal refusal;
	} rows[] = {
		{ { .size = 4, .address = 0x20000100, .access = WRITES, .reading.bytes = 4 },
		  0, 0x20000100, 0x83d, REFUSED_NOT },
		{ { .size = 1, .address = 0x20000101, .access = READS, .reading.bytes = 1 },
		  0, 0x20000101, 0x3e, REFUSED_NOT },
		{ { .size = 2, .address = 0x20000102, .access = BOTH, .reading.bytes = 2 },
		  0, 0x20000102, 0x43c, REFUSED_NOT },
		/* a call's entry: the first comparator that can match instructions */
		{ { .kind = WATCH_CALL, .size = 8, .address = 0x1001 }, 1, 0x1000, 0x22,
		  REFUSED_NOT },
		{ { .size = 64, .address = 0x20000100, .access = WRITES }, 0, 0, 0, REFUSED_SIZE },
		{ { .size = 8, .address = 0x20000100, .access = WRITES, .reading.bytes = 8 },
		  0, 0, 0, REFUSED_SIZE },
	};
	struct comparators c = comparators_of(CTRL_M3, DEVARCH_M33);

	(void)state;
	assert_true(c.v8);
	c.functions[0] = 8u << 27;		/* data addresses; the next one both */
	c.functions[1] = 10u << 27;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct comparators_plan p = { .rows_n = 0 };
		unsigned at = 16 * rows[i].comparator;

		comparators_make(&p, &c, &rows[i].point, 1);
		assert_int_equal(p.points[0].refusal, rows[i].refusal);
		if (rows[i].refusal)
			continue;
		assert_int_equal(p.points[0].comparator, rows[i].comparator);
		assert_int_equal(row_value(&p, 0xe0001020 + at), rows[i].comp);
		assert_int_equal(row_value(&p, 0xe0001028 + at), rows[i].function);
		assert_int_equal(row_value(&p, 0xe0001024 + at), UINT32_MAX);	/* no MASK */
	}
}

/* Of four, one is a debugger's and one is left on by somebody's trace. */
static void there_are_as_many_as_there_are(void **state)
{
	struct comparators c = comparators_of(CTRL_M3, 0);
	struct comparators_plan p = { .rows_n = 0 };
	struct wire_watchpoint points[5];

	(void)state;
	for (size_t i = 0; i < COUNT(points); i++)
		points[i] = value_point(0x20000000 + 4 * (uint32_t)i, 4, 4);
	points[0].kind = WATCH_HANDLER;		/* needs none */
	c.functions[1] = 6;
	c.functions[3] = 0x0100000f;
	comparators_make(&p, &c, points, 2);
	assert_int_equal(p.points[0].way, WATCHED_TRACED);
	assert_int_equal(p.points[1].comparator, 0);
	assert_int_equal(row_value(&p, 0xe0001058), 0);
	assert_int_equal(p.used, 2);
	p.points_n = 0;
	comparators_make(&p, &c, points, COUNT(points));
	assert_int_equal(p.points[2].comparator, 2);
	assert_int_equal(p.points[3].comparator, 3);
	assert_int_equal(p.points[4].refusal, REFUSED_FULL);
	assert_int_equal(p.points[4].way, WATCHED_NOT);
	assert_int_equal(row_value(&p, 0xe0001038), UINT32_MAX);
	assert_int_equal(p.used, 4);
}

/* The first is watched no more: the others' comparators are not touched, its own is free. */
static void what_stays_stays(void **state)
{
	struct comparators c = comparators_of(CTRL_M3, 0);
	struct comparators_plan p = { .rows_n = 0 };
	struct wire_watchpoint points[5];

	(void)state;
	for (size_t i = 0; i < COUNT(points); i++)
		points[i] = value_point(0x20000000 + 4 * (uint32_t)i, 4, 4);
	comparators_make(&p, &c, points, 4);
	for (unsigned i = 0; i < 4; i++)
		c.functions[i] = 0x0100000f;
	comparators_make(&p, &c, points + 1, 4);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(p.points[i].comparator, i + 1);
	assert_int_equal(p.points[3].comparator, 0);
	assert_int_equal(row_value(&p, 0xe0001020), 0x20000010);
	assert_int_equal(row_value(&p, 0xe0001030), UINT32_MAX);
	c.functions[2] = 0;			/* the chip was reset */
	comparators_make(&p, &c, points + 1, 4);
	assert_int_equal(row_value(&p, 0xe0001038 + 16), 15);
}

/* Which registers, in which order, of which point, and what of them must be there again. */
static void rows_are_checked(void **state)
{
	static const struct {
		uint32_t devarch, address, value, check;
		uint8_t point;
	} rows[] = {
		{ 0, 0xe0001028, 0, 0, POINT_NONE }, { 0, 0xe0001020, 0x20000102, UINT32_MAX, 0 },
		{ 0, 0xe0001024, 1, 0x1f, 0 }, { 0, 0xe0001028, 15, 0x2f, 0 },
		{ 0, 0xe0001048, 0, 0, POINT_NONE },	/* on, and nobody's */
		{ DEVARCH_M33, 0xe0001028, 0, 0, POINT_NONE },
		{ DEVARCH_M33, 0xe0001020, 0x20000102, UINT32_MAX, 0 },
		{ DEVARCH_M33, 0xe0001028, 0x43d, 0xc3f, 0 },
		{ DEVARCH_M33, 0xe0001048, 0, 0, POINT_NONE },
	};
	struct wire_watchpoint point = value_point(0x20000102, 2, 2);
	size_t at = 0;

	(void)state;
	for (unsigned v8 = 0; v8 < 2; v8++) {
		struct comparators c = comparators_of(CTRL_M3, v8 ? DEVARCH_M33 : 0);
		struct comparators_plan p = { .rows_n = 0 };

		for (size_t i = 0; i < c.count; i++)
			c.functions[i] = v8 ? 8u << 27 : 0;
		c.functions[2] |= v8 ? 0x3d : 15;
		comparators_make(&p, &c, &point, 1);
		for (size_t i = 0; i < p.rows_n; i++, at++) {
			assert_true(at < COUNT(rows) && !rows[at].devarch == !v8);
			assert_int_equal(p.rows[i].address, rows[at].address);
			assert_int_equal(p.rows[i].value, rows[at].value);
			assert_int_equal(p.rows[i].mask, UINT32_MAX);
			assert_int_equal(p.rows[i].check, rows[at].check);
			assert_int_equal(p.row_points[i], rows[at].point);
		}
	}
	assert_int_equal(at, COUNT(rows));
}

/* Debug events are a debugger's, and on v8-M what only triggers; all else may be taken. */
static void a_debuggers_are_known(void **state)
{
	static const struct {
		const char *name;
		uint32_t devarch, function;
		bool others;
	} rows[] = {
		{ "v7-M off", 0, 0, false }, { "v7-M PC", 0, 3, false },
		{ "v7-M PC event", 0, 4, true }, { "v7-M write event", 0, 6, true },
		{ "v7-M last trigger", 0, 11, true }, { "v7-M read value", 0, 12, false },
		{ "v7-M matched", 0, 0x01000004, true },
		{ "v8-M off", DEVARCH_M33, 0x50000000, false },
		{ "v8-M off, with an action", DEVARCH_M33, 0x50000010, false },
		{ "v8-M trigger", DEVARCH_M33, 0x50000004, true },
		{ "v8-M event", DEVARCH_M33, 0x50000014, true },
		{ "v8-M match packet", DEVARCH_M33, 0x50000024, false },
		{ "v8-M PC and value", DEVARCH_M33, 0x5000003c, false },
		{ "v8-M cycles alone", DEVARCH_M33, 0x08000000, true },	/* it cannot */
	};
	struct wire_watchpoint point = value_point(0x20000100, 4, 4);

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct comparators c = comparators_of(0x10000000, rows[i].devarch);
		struct comparators_plan p = { .rows_n = 0 };

		assert_int_equal(c.count, 1);
		c.functions[0] = rows[i].function;
		comparators_make(&p, &c, &point, 1);
		if (p.points[0].refusal != (rows[i].others ? REFUSED_FULL : REFUSED_NOT) ||
		    (rows[i].others && p.rows_n))
			fail_msg("%s: refusal %d, %zu rows", rows[i].name, p.points[0].refusal,
				 p.rows_n);
	}
}

/* Packets tell four; a gdb server takes the lowest ones. */
static void they_are_taken_in_order(void **state)
{
	struct wire_watchpoint points[WIRE_WATCHES + 1];

	(void)state;
	assert_int_equal(comparators_of(0xf0000000, 0).count, 4);
	assert_int_equal(comparators_of(0x00000000, 0).count, 0);
	for (size_t i = 0; i < COUNT(points); i++)
		points[i] = value_point(0x20000000 + 4 * (uint32_t)i, 4, 4);
	for (unsigned count = 0; count <= 4; count++) {
		for (unsigned high = 0; high < 2; high++) {
			struct comparators c = comparators_of(count << 28, 0);
			struct comparators_plan p = { .rows_n = 0 };

			c.high = high;
			comparators_make(&p, &c, points, COUNT(points));
			assert_int_equal(p.points_n, WIRE_WATCHES);
			for (unsigned i = 0; i < count; i++)
				assert_int_equal(p.points[i].comparator, high ? count - 1 - i : i);
			for (unsigned i = count; i < WIRE_WATCHES; i++)
				assert_int_equal(p.points[i].refusal, REFUSED_FULL);
			assert_int_equal(p.used, count);
			assert_int_equal(p.rows_n, 4 * count);
			comparators_make(&p, &c, points, COUNT(points));	/* and not more */
			assert_int_equal(p.points_n, WIRE_WATCHES);
			assert_int_equal(p.used, count);
		}
	}
}

static struct comparators kept_begin(struct comparators_plan *p, struct wire_watchpoint *points)
{
	struct comparators c = comparators_of(CTRL_M3, 0);

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < 5; i++)
		points[i] = value_point(0x20000000 + 4 * (uint32_t)i, 4, 4);
	comparators_make(p, &c, points, 5);
	for (unsigned i = 0; i < 4; i++)
		c.functions[i] = 0x0100000f;
	return c;
}

/* Watched on, nothing is written; what is another match now is written again. */
static void only_the_same_stays(void **state)
{
	struct wire_watchpoint points[5];
	struct comparators_plan p;
	struct comparators c = kept_begin(&p, points);

	(void)state;
	comparators_make(&p, &c, points, 5);
	assert_int_equal(p.rows_n, 0);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(p.points[i].comparator, i);
	assert_int_equal(p.points[4].refusal, REFUSED_FULL);	/* as before */
	assert_int_equal(p.used, 4);

	points[1].address += 0x100;
	comparators_make(&p, &c, points, 5);
	assert_int_equal(p.rows_n, 4);
	assert_int_equal(row_value(&p, 0xe0001030), 0x20000104);

	points[2].note = 99;			/* another one's, of the same place */
	comparators_make(&p, &c, points, 4);
	assert_int_equal(p.rows_n, 4);
	assert_int_equal(row_value(&p, 0xe0001040), 0x20000008);

	points[3].access = READS;
	comparators_make(&p, &c, points, 4);
	assert_int_equal(p.rows_n, 4);
	assert_int_equal(row_value(&p, 0xe0001058), 14);

	c.functions[0] = 5;			/* a debugger took one */
	c.functions[3] = 14;
	comparators_make(&p, &c, points, 4);
	assert_int_equal(p.points[0].refusal, REFUSED_FULL);
	assert_int_equal(p.used, 4);
}

/* Another chip behind the line has two. */
static void fewer_keep_less(void **state)
{
	struct wire_watchpoint points[5];
	struct comparators_plan p;
	struct comparators c = kept_begin(&p, points);

	(void)state;
	c.count = 2;
	comparators_make(&p, &c, points, 4);
	assert_int_equal(p.points[0].way, WATCHED_COMPARATOR);
	assert_int_equal(p.points[1].way, WATCHED_COMPARATOR);
	assert_int_equal(p.points[2].refusal, REFUSED_FULL);
	assert_int_equal(p.points[3].refusal, REFUSED_FULL);
	assert_int_equal(p.used, 2);
	assert_int_equal(p.rows_n, 0);
}

/* --- by a server ------------------------------------------------------------------------------ */

static struct wire_watching heard;

static void watching_hear(void *ctx, const struct wire_watching *watching)
{
	(void)ctx;
	heard = *watching;
}

static struct wire *watched_new(struct setup_server *s, const char *format)
{
	struct wire_sink sink = { .ctx = s, .setup = setup_server_hear, .watching = watching_hear };
	struct wire_options o = { .clock_hz = 72000000 };

	wire_free(s->wire);
	s->wire = wire_new(format, &o, &sink, NULL);
	assert_non_null(s->wire);
	assert_true(wire_can_watch(s->wire));
	heard = (struct wire_watching){ .count = 0 };
	return s->wire;
}

static void a_server_sets_them(void **state)
{
	static const char *const formats[] = { WIRE_SETUP, WIRE_SETUP_GDB };
	struct wire_watchpoint points[] = { value_point(0x20000100, 4, 4),
					    value_point(0x20000105, 1, 1) };

	(void)state;
	for (size_t i = 0; i < COUNT(formats); i++) {
		struct setup_server *s = setup_server_begin(formats[i], 72e6, 2e6, "");
		struct wire *w = watched_new(s, formats[i]);

		wire_watch(w, points, 1);
		setup_server_run(s, 300);
		assert_int_equal(heard.count, 1);
		assert_int_equal(heard.comparators, 4);
		assert_int_equal(heard.comparators_used, 1);
		assert_int_equal(heard.of[0].way, WATCHED_COMPARATOR);
		assert_int_equal(setup_server_word(s, 0xe0001020), 0x20000100);
		assert_int_equal(setup_server_word(s, 0xe0001028), 15);
		wire_watch(w, points, 2);		/* while it runs */
		setup_server_run(s, 100);
		assert_int_equal(heard.count, 2);
		assert_int_equal(setup_server_word(s, 0xe0001030), 0x20000105);
		assert_int_equal(setup_server_word(s, 0xe0001038), 15);
		wire_watch(w, points + 1, 1);
		setup_server_run(s, 100);
		assert_int_equal(heard.comparators_used, 1);
		assert_int_equal(setup_server_word(s, 0xe0001028), 0);
		assert_int_equal(setup_server_word(s, 0xe0001038), 15);
		setup_server_free(s);
	}
}

static void what_is_not_kept_is_refused(void **state)
{
	static const uint32_t stuck[] = { 0xe0001020, 0xe0001024, 0xe0001028 };
	struct wire_watchpoint points[] = { value_point(0x20000100, 4, 4),
					    value_point(0x20000104, 4, 4) };

	(void)state;
	for (size_t i = 0; i < COUNT(stuck); i++) {
		struct setup_server *s = setup_server_new(72e6, 2e6, "");
		struct wire *w = watched_new(s, WIRE_SETUP);

		s->stuck = stuck[i];
		wire_watch(w, points, 2);
		setup_server_run(s, 300);
		assert_int_equal(heard.of[0].way, WATCHED_NOT);
		assert_int_equal(heard.of[0].refusal, REFUSED_SERVER);
		assert_int_equal(heard.of[1].way, WATCHED_COMPARATOR);
		setup_server_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(v7_has_its_functions),
		cmocka_unit_test(v8_has_others),
		cmocka_unit_test(there_are_as_many_as_there_are),
		cmocka_unit_test(what_stays_stays),
		cmocka_unit_test(rows_are_checked),
		cmocka_unit_test(a_debuggers_are_known),
		cmocka_unit_test(they_are_taken_in_order),
		cmocka_unit_test(only_the_same_stays),
		cmocka_unit_test(fewer_keep_less),
		cmocka_unit_test(a_server_sets_them),
		cmocka_unit_test(what_is_not_kept_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
