/*
 * One line of a console that prints the reports of INGA: whether it is a row, a header, a boot
 * banner, in what dress it comes, and what kind of line it is.
 */
#include "tests/unit/unit.h"

#include "core/wire/prof/prof.h"

#define ESC "\x1b"

/* What stands before and behind a line in the buffer is no part of it, whatever it is. */
static const char around[] = "1:x*m ;s.'P";

static const char *line_in(const char *line, char other)
{
	static char text[256];
	size_t n = strlen(line);

	memset(text, other, sizeof(text));
	assert_in_range(n, 0, sizeof(text) - 16);
	return memcpy(text + 8, line, n);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const struct entry_case {
	enum prof_table table;
	const char *line;
	bool is;
	enum prof_style style;
	bool padded;
} entries[] = {
	{ TABLE_PROF, "0x42:0x30:3:24:8:9", true, STYLE_0X, false },
	{ TABLE_PROF, "0XA:0xf:3:24:8:9", true, STYLE_0X, false },
	{ TABLE_PROF, "42:30:3:24:8:9", true, STYLE_BARE, false },
	{ TABLE_PROF, "8000412:8000400:3:24:8:9", true, STYLE_BARE, false },
	{ TABLE_PROF, "0:0x30:3:24:8:9", true, STYLE_0X, false },
	{ TABLE_PROF, "0x30:0:3:24:8:9", true, STYLE_0X, false },
	{ TABLE_PROF, "0:0:3:24:8:9", true, STYLE_ANY, false },
	{ TABLE_PROF, "0:30:3:24:8:9", true, STYLE_BARE, false },
	{ TABLE_PROF, "0x042:0x30:3:24:8:9", true, STYLE_0X, true },
	{ TABLE_PROF, "00:30:3:24:8:9", true, STYLE_BARE, true },
	{ TABLE_PROF, "0x0:0x30:3:24:8:9", true, STYLE_0X, true },
	{ TABLE_PROF, "0x42:30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:0x30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "12345678:30:3:24:8:9", true, STYLE_BARE, false },
	{ TABLE_PROF, "123456789:30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "1x42:0x30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "g:30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "0x:0x30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, ":30:3:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:24:8:", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:24:8:9 ", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:24:8", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:24:8:9:1", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:0:0:65535:0", true, STYLE_BARE, false },
	{ TABLE_PROF, "42:30:03:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:123456789012345678:24:8:9", true, STYLE_BARE, false },
	{ TABLE_PROF, "42:30:1234567890123456789:24:8:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:24:4294967295:9", true, STYLE_BARE, false },
	{ TABLE_PROF, "42:30:3:24:4294967296:9", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:24:8:4294967295", true, STYLE_BARE, false },
	{ TABLE_PROF, "42:30:3:24:8:4294967296", false, STYLE_ANY, false },
	{ TABLE_PROF, "42:30:3:2/:8:9", false, STYLE_ANY, false },
	{ TABLE_SPROF, "0x1923:5", true, STYLE_0X, false },
	{ TABLE_SPROF, "1923:5", true, STYLE_BARE, false },
	{ TABLE_SPROF, "0x1923:5:1", false, STYLE_ANY, false },
	{ TABLE_SPROF, "0x1923", false, STYLE_ANY, false },
	{ TABLE_STACK, "0: 0x6e4->0x5e0 @23328", true, STYLE_0X, false },
	{ TABLE_STACK, "12: 6e4->5e0 @0", true, STYLE_BARE, false },
	{ TABLE_STACK, "0:0x6e4->0x5e0 @23328", false, STYLE_ANY, false },
	{ TABLE_STACK, "0: 0x6e4-0x5e0 @23328", false, STYLE_ANY, false },
	{ TABLE_STACK, "0: 0x6e4->0x5e0 23328", false, STYLE_ANY, false },
	{ TABLE_STACK, "0: 0x6e4->0x5e0 @23328.", false, STYLE_ANY, false },
	{ TABLE_STACK, "0: 0x6e4->0x5e0", false, STYLE_ANY, false },
	{ TABLE_NONE, "0x42:0x30:3:24:8:9", false, STYLE_ANY, false },
};

static void rows_are_what_printf_prints(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(entries) * COUNT(around); i++) {
		const struct entry_case *c = &entries[i / COUNT(around)];
		struct prof_entry e = { .style = STYLE_BARE, .padded = true };
		const char *s = line_in(c->line, around[i % COUNT(around)]);
		bool is = prof_parse_entry(c->table, s, strlen(c->line), &e);

		if (is != c->is || (is && (e.style != c->style || e.padded != c->padded)))
			fail_msg("%s: %d, style %d, padded %d", c->line, is, e.style, e.padded);
	}
}

static void a_row_has_its_numbers(void **state)
{
	struct prof_entry e = { .row.flags = ROW_MAX_AT_LEAST };

	(void)state;
	assert_true(prof_parse_entry(TABLE_PROF, "0x1aF:0x9b:3:24:8:10", 20, &e));
	assert_int_equal(e.row.from, 0x1af);
	assert_int_equal(e.row.to, 0x9b);
	assert_int_equal(e.row.calls, 3);
	assert_int_equal(e.row.total, 24);
	assert_int_equal(e.row.min, 8);
	assert_int_equal(e.row.max, 10);
	assert_int_equal(e.row.flags + e.level, 0);
	assert_true(prof_parse_entry(TABLE_SPROF, "0x38d:10", 8, &e));
	assert_int_equal(e.row.from, 0x38d);
	assert_int_equal(e.row.calls, 10);
	assert_true(prof_parse_entry(TABLE_STACK, "11: 0x6e4->0x5e0 @23328", 23, &e));
	assert_int_equal(e.level, 11);
	assert_int_equal(e.row.from, 0x6e4);
	assert_int_equal(e.row.to, 0x5e0);
	assert_int_equal(e.row.total, 23328);
}

static void a_line_can_be_torn_where_a_row_could_go_on(void **state)
{
	static const struct { enum prof_table table; const char *line; size_t run; } rows[] = {
		{ TABLE_PROF, "0x556:0x446:1:24:24tick 0", 19 },
		{ TABLE_PROF, "0XaF", 4 },
		{ TABLE_PROF, "12 ", 2 },
		{ TABLE_PROF, "12->", 2 },
		{ TABLE_PROF, "tick", 0 },
		{ TABLE_PROF, "", 0 },
		{ TABLE_STACK, "0: 0x6e4->0x5e0 @23tick", 19 },
		{ TABLE_SPROF, "12:3@", 4 },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows) * COUNT(around); k++) {
		size_t i = k / COUNT(around);
		struct prof_line l;

		prof_line_init(&l, line_in(rows[i].line, around[k % COUNT(around)]),
			       strlen(rows[i].line));
		if (prof_row_run(rows[i].table, &l) != rows[i].run)
			fail_msg("%s", rows[i].line);
	}
}

/* --- headers ---------------------------------------------------------------------------------- */

#define STACK "Stacktrace: 5 frames, 32768 ticks/s"
#define PRETTY "PROF: \"a \" b\" 1 sites 9 max sites 100 ticks spent 1000 ticks/s"
#define PRETTY_S "SPROF: \"b\" 1 sites 250 max_sites 7 samples"
#define DOTS "................"		/* as many characters as a prompt may have */

static const struct header_case {
	const char *line;
	size_t lead;
	const char *name;		/* NULL: no header */
	struct prof_header h;
} headers[] = {
	{ "PROF:led:2:100:3932008:32768", 0, "led",
	  { .table = TABLE_PROF, .num = 2, .max = 100, .run = 3932008, .tps = 32768 } },
	{ "PROF::0:9:1:2", 0, "", { .table = TABLE_PROF, .max = 9, .run = 1, .tps = 2 } },
	{ "SPROF:led-test:3:250:16", 0, "led-test",
	  { .table = TABLE_SPROF, .num = 3, .max = 250, .samples = 16 } },
	{ STACK, 0, "", { .table = TABLE_STACK, .num = 5, .tps = 32768 } },
	{ PRETTY, 0, "a \" b",
	  { .table = TABLE_PROF, .num = 1, .max = 9, .run = 100, .tps = 1000, .pretty = true } },
	{ PRETTY_S, 0, "b",
	  { .table = TABLE_SPROF, .num = 1, .max = 250, .samples = 7, .pretty = true } },
	{ "> PROF:x:0:9:1:2", 2, "x", { .table = TABLE_PROF, .max = 9, .run = 1, .tps = 2 } },
	{ "/:@[`{PROF:x:0:9:1:2", 6, "x", { .table = TABLE_PROF, .max = 9, .run = 1, .tps = 2 } },
	{ DOTS "PROF:x:0:9:1:2", 16, "x", { .table = TABLE_PROF, .max = 9, .run = 1, .tps = 2 } },
	{ DOTS ".PROF:x:0:9:1:2", 0, NULL, { 0 } },
	{ "0PROF:x:0:9:1:2", 0, NULL, { 0 } }, { "9PROF:x:0:9:1:2", 0, NULL, { 0 } },
	{ "aPROF:x:0:9:1:2", 0, NULL, { 0 } }, { "ZPROF:x:0:9:1:2", 0, NULL, { 0 } },
	{ "PROF:x:0:9:1", 0, NULL, { 0 } }, { "PROF:x:0:9:1:2:3", 0, NULL, { 0 } },
	{ "PROF:x:0:9:1:2 ", 0, NULL, { 0 } }, { "PROF:x:0:9:1:", 0, NULL, { 0 } },
	{ "PROF:x:0:9::2", 0, NULL, { 0 } }, { "PROF:x:0::1:2", 0, NULL, { 0 } },
	{ "PROF:x::9:1:2", 0, NULL, { 0 } }, { "PROF:x", 0, NULL, { 0 } },
	{ "PROF:", 0, NULL, { 0 } }, { "PROF", 0, NULL, { 0 } },
	{ "SPROF:x:3:250", 0, NULL, { 0 } }, { "SPROF:x:3:250:16:1", 0, NULL, { 0 } },
	{ "SPROF:x:3:250:", 0, NULL, { 0 } },
	{ STACK "!", 0, NULL, { 0 } }, { "Stacktrace:5 frames, 1 ticks/s", 0, NULL, { 0 } },
	{ "Stacktrace: x frames, 1 ticks/s", 0, NULL, { 0 } },
	{ "Stacktrace: 5 frame, 1 ticks/s", 0, NULL, { 0 } },
	{ "Stacktrace: 5 frames, x ticks/s", 0, NULL, { 0 } },
	{ "Stacktrace: 5 frames, 1 tick/s", 0, NULL, { 0 } },
	{ PRETTY "!", 0, NULL, { 0 } }, { PRETTY_S "!", 0, NULL, { 0 } },
	{ "PROF: \"b 1 sites 9 max sites 100 ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\"1 sites 9 max sites 100 ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" x sites 9 max sites 100 ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 site 9 max sites 100 ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 sites x max sites 100 ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 sites 9 max_sites 100 ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 sites 9 max sites x ticks spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 sites 9 max sites 100 tick spent 1000 ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 sites 9 max sites 100 ticks spent x ticks/s", 0, NULL, { 0 } },
	{ "PROF: \"b\" 1 sites 9 max sites 100 ticks spent 1000 tick/s", 0, NULL, { 0 } },
	{ "SPROF: \"b\" 1 sites 250 max sites 7 samples", 0, NULL, { 0 } },
	{ "SPROF: \"b\" 1 sites 250 max_sites x samples", 0, NULL, { 0 } },
	{ "SPROF: \"b\" 1 sites 250 max_sites 7 sample", 0, NULL, { 0 } },
};

static void headers_are_what_the_node_prints(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(headers) * COUNT(around); i++) {
		const struct header_case *c = &headers[i / COUNT(around)];
		const char *s = line_in(c->line, around[i % COUNT(around)]);
		struct prof_header h;
		bool is = prof_parse_header(s, strlen(c->line), &h);

		if (is != (c->name != NULL))
			fail_msg("%s: %d", c->line, is);
		if (!is)
			continue;
		if (h.table != c->h.table || h.num != c->h.num || h.max != c->h.max ||
		    h.run != c->h.run || h.tps != c->h.tps || h.samples != c->h.samples ||
		    h.pretty != c->h.pretty || h.lead != c->lead ||
		    h.name_n != strlen(c->name) || memcmp(h.name ? h.name : "", c->name, h.name_n))
			fail_msg("%s: its figures", c->line);
	}
}

/* A line that is not all there: may a header come of it? */
static void beginnings_of_headers_are_known(void **state)
{
	static const struct { const char *line; bool prefix, begins; } rows[] = {
		{ "P", true, true }, { "PRO", true, true }, { "PROF:", true, true },
		{ "PROF:led:2", true, true }, { "S", true, true }, { "SP", true, true },
		{ "St", true, true }, { "SPROF:x", true, true }, { "Stacktrace: 5", true, true },
		{ "Port", false, true }, { "SPI", false, true }, { "Q", false, false },
		{ "R", false, false }, { "", true, false },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows) * COUNT(around); k++) {
		size_t i = k / COUNT(around);
		struct prof_line l;

		prof_line_init(&l, line_in(rows[i].line, around[k % COUNT(around)]),
			       strlen(rows[i].line));
		if (prof_header_prefix(l.s, l.n) != rows[i].prefix ||
		    prof_header_begins(&l) != rows[i].begins)
			fail_msg("%s", rows[i].line);
	}
}

static void other_marks_are_known(void **state)
{
	static const struct { const char *line; bool boot, title, corrupted; } rows[] = {
		{ "*******Booting Contiki 3.0*******", true, false, false },
		{ "******* Booting Contiki 3.0 *", true, false, false },
		{ "0x556:0x4*  Booting*", true, false, false },
		{ "*Booting*", true, false, false },
		{ "Booting*", false, false, false },
		{ "  Booting*", false, false, false },
		{ "-Booting*", false, false, false },
		{ "*******Booting Contiki 3.0", false, false, false },
		{ "*", false, false, false },
		{ "", false, false, false },
		{ "from:to:calls:time", false, true, false },
		{ "from:to:calls:time:min:max", false, true, false },
		{ "pc:calls", false, true, false },
		{ "pc:call", false, false, false },
		{ "from:to", false, false, false },
		{ "Stack corrupted or not recorded.", false, false, true },
		{ "Stack corrupted or not recorded", false, false, false },
		{ "Stack corrupted or not recorded..", false, false, false },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows) * COUNT(around); k++) {
		size_t i = k / COUNT(around), n = strlen(rows[i].line);
		const char *s = line_in(rows[i].line, around[k % COUNT(around)]);

		if (prof_is_boot(s, n) != rows[i].boot || prof_is_title(s, n) != rows[i].title ||
		    prof_is_corrupted_stack(s, n) != rows[i].corrupted)
			fail_msg("%s", rows[i].line);
	}
}

/* --- dress ------------------------------------------------------------------------------------ */

static void lines_are_freed_of_their_dress(void **state)
{
	static const struct {
		const char *raw, *line;
		unsigned returns;
		bool ended, dressed;
	} rows[] = {
		{ "x\n", "x", 0, true, false },
		{ "x\r\n", "x", 1, true, false },
		{ "x\r\r\n", "x", 2, true, false },
		{ "x\r", "x", 1, false, false },
		{ "\n", "", 0, true, false },
		{ "", "", 0, false, false },
		{ "x..\n", "x..", 0, true, false },
		/* simavr */
		{ ESC "[0m" ESC "[32mx..\n", "x", 0, true, true },
		{ ESC "[0mx.\n", "x", 0, true, true },
		{ ESC "[0mx...\n", "x.", 0, true, true },
		{ ESC "[m..\n", "", 0, true, true },
		{ ESC "[m.", "", 0, false, true },
		{ ESC "[m", "", 0, false, true },
		{ ESC "[1;32mx", "x", 0, false, true },
		{ ESC "[32", ESC "[32", 0, false, false },
		{ ESC "[32Kx", ESC "[32Kx", 0, false, false },
		{ ESC "m", ESC "m", 0, false, false },
		{ "[0mx", "[0mx", 0, false, false },
		{ "x[0mx", "x[0mx", 0, false, false },
		{ ESC "(0mx", ESC "(0mx", 0, false, false },
		/* test.py */
		{ "20131014 120000: node PROF:x", "PROF:x", 0, false, false },
		{ "20131014 120000: node\n", "", 0, true, false },
		{ "20131014 120000: n x", "x", 0, false, false },
		{ "20131014 120000: PROF:x", "PROF:x", 0, false, false },
		{ "20131014 120000: :x", ":x", 0, false, false },
		{ "20131014 120000: \n", "", 0, true, false },
		{ "20131014 120000:\n", "", 0, true, false },
		{ "20131014 120000\n", "20131014 120000", 0, true, false },
		{ "20131014 12000: node x", "20131014 12000: node x", 0, false, false },
		{ "x0131014 120000: node x", "x0131014 120000: node x", 0, false, false },
		{ "2013101a 120000: node x", "2013101a 120000: node x", 0, false, false },
		{ "20131014-120000: node x", "20131014-120000: node x", 0, false, false },
		{ "20131014 120000:node x", "20131014 120000:node x", 0, false, false },
		{ ESC "[0m20131014 120000: node x..", "x", 0, false, true },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows) * COUNT(around); k++) {
		size_t i = k / COUNT(around);
		struct prof_line l;

		prof_line_init(&l, line_in(rows[i].raw, around[k % COUNT(around)]),
			       strlen(rows[i].raw));
		if (l.n != strlen(rows[i].line) || memcmp(l.s, rows[i].line, l.n) ||
		    l.returns != rows[i].returns || l.ended != rows[i].ended ||
		    l.dressed != rows[i].dressed || l.raw_n != strlen(rows[i].raw))
			fail_msg("row %zu: %.*s, %u returns", i, (int)l.n, l.s, l.returns);
	}
}

/* --- shapes ----------------------------------------------------------------------------------- */

static uint32_t shape_of(const char *s)
{
	return prof_shape(s, strlen(s));
}

static void lines_of_one_kind_differ_in_numbers_alone(void **state)
{
	static const struct { const char *a, *b; bool same; } rows[] = {
		{ "tick 5", "tick 17", true },
		{ "tick 5\r\n", "tick 17", true },
		{ "t1 5", "t22 6", true },
		{ "tick 9", "tick 0", true },
		{ "tick 5", "tack 5", false },
		{ "tick 5", "tick 5 5", false },
		{ "tick 5:", "tick 5;", false },
		{ "tick", "tick 5", false },
		{ "5", "", false },
		/* 24 characters make a shape */
		{ "twenty-three letters are", "twenty-three letters are known", true },
		{ "twenty-three letters ar5", "twenty-three letters ar", false },
		{ "twenty-three letters arX", "twenty-three letters arY", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if ((shape_of(rows[i].a) == shape_of(rows[i].b)) != rows[i].same)
			fail_msg("%s, %s", rows[i].a, rows[i].b);
	assert_int_equal(shape_of(""), 0);
	assert_int_equal(shape_of("\r\n"), 0);
	assert_int_not_equal(shape_of("\r\n."), 0);
}

static void the_newest_kinds_are_remembered(void **state)
{
	static struct prof p;

	(void)state;
	assert_false(prof_shape_known(&p, 0));
	for (uint32_t shape = 1; shape <= PROF_SHAPES; shape++) {
		assert_false(prof_shape_known(&p, shape));
		prof_shape_learn(&p, shape);
		prof_shape_learn(&p, shape);
		prof_shape_learn(&p, 0);
	}
	for (uint32_t shape = 1; shape <= PROF_SHAPES; shape++)
		assert_true(prof_shape_known(&p, shape));
	prof_shape_learn(&p, 1000);
	assert_true(prof_shape_known(&p, 1000));
	assert_false(prof_shape_known(&p, 1));
	assert_true(prof_shape_known(&p, 2));
	assert_false(prof_shape_known(&p, p.shape_n));	/* what stands behind them is none */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_what_printf_prints),
		cmocka_unit_test(a_row_has_its_numbers),
		cmocka_unit_test(a_line_can_be_torn_where_a_row_could_go_on),
		cmocka_unit_test(headers_are_what_the_node_prints),
		cmocka_unit_test(beginnings_of_headers_are_known),
		cmocka_unit_test(other_marks_are_known),
		cmocka_unit_test(lines_are_freed_of_their_dress),
		cmocka_unit_test(lines_of_one_kind_differ_in_numbers_alone),
		cmocka_unit_test(the_newest_kinds_are_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
