/*
 * gprof: what stands between packets is console text or bad, and how many packets it may have been;
 * and how plausible one packet is. The width is given, so that no stream has to be long.
 */
#include "tests/unit/unit.h"

#include "core/wire/gprof/state.h"
#include "tests/unit/gprof_stream.h"

enum { ARC = 7, PC = 4 };		/* bytes of a packet with addresses of three */

/* --- gaps ------------------------------------------------------------------------------------- */

/* n times a byte (BAD: one that is no text, nor a packet's), then a text. */
static const struct gap_case {
	const char *name;
	struct { size_t n; char byte; const char *text; } part[3];
	size_t text, bad, lost, resyncs;
} gaps[] = {
	{ "four printable bytes are text", { { 0, 0, "bcde" } }, 4, 0, 0, 0 },
	{ "three are chance", { { 0, 0, "bcd" } }, 0, 3, 1, 1 },
	{ "text amid what is bad", { { 1, 1, "bcde" }, { 1, 2, "" } }, 4, 2, 1, 1 },
	{ "two texts", { { 0, 0, "bcde" }, { 1, 1, "fghi" } }, 8, 1, 1, 1 },
	{ "a short run before a long one", { { 1, 1, "bcd" }, { 1, 1, "efgh" } }, 4, 5, 1, 1 },
	{ "an arc was damaged: the next stands where it should", { { ARC, 1, "" } }, 0, 7, 1, 0 },
	{ "a byte more: two", { { ARC + 1, 1, "" } }, 0, 8, 2, 1 },
	{ "two arcs' length", { { 2 * ARC, 1, "" } }, 0, 14, 2, 1 },
	{ "one sample was damaged", { { PC, 1, "" } }, 0, 4, 1, 0 },
	{ "five bytes", { { PC + 1, 1, "" } }, 0, 5, 1, 1 },
	{ "text and bad are as long as an arc", { { 3, 1, "bcde" } }, 4, 3, 1, 1 },
	{ "text without an end", { { 300, 'x', "" } }, 300, 0, 0, 0 },
	/* A gap is sorted in pieces of 256. */
	{ "text over a piece's end", { { 254, 1, "bcdefg" } }, 6, 254, 37, 1 },
	{ "two bytes are left of a long text", { { 256, 'x', "yz" } }, 258, 0, 0, 0 },
	{ "two bytes behind the text's end", { { 256, 'x', "" }, { 1, 1, "yz" } }, 256, 3, 1, 1 },
	{ "two bytes at a piece's end", { { 254, 1, "yz" }, { 1, 1, "" } }, 0, 257, 37, 1 },
	{ "bad again in the next piece", { { 300, 1, "" } }, 0, 300, 43, 1 },
};

static void gap_put(struct stream *s, const struct gap_case *c, char *text)
{
	*text = '\0';
	for (size_t i = 0; i < COUNT(c->part); i++) {
		size_t n = c->part[i].n;

		memset(s->bytes + s->n, c->part[i].byte, n);
		s->n += n;
		if (c->part[i].byte >= ' ')
			sprintf(text + strlen(text), "%.*s", (int)n, (char *)s->bytes + s->n - n);
		if (!c->part[i].text)
			continue;
		stream_text(s, c->part[i].text);
		if (strlen(c->part[i].text) >= 4 || (i == 0 && n == 256))
			strcat(text, c->part[i].text);
	}
}

static void packets_put(struct stream *s)
{
	stream_packet(s, true, 0x153d, 0x14e5);
	stream_packet(s, false, 0x1466, 0);
	stream_packet(s, true, 0x150d, 0x1499);
}

static void what_is_in_no_packet_is_text_or_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gaps); i++) {
		const struct gap_case *c = &gaps[i];
		struct wire_stats stats;
		struct gprof_map map;
		struct stream s;
		struct tally t;
		char text[512];

		gprof_map_init(&map, CODE_ARM, 0);
		stream_init(&s, 3, false, 4096);
		packets_put(&s);
		gap_put(&s, c, text);
		packets_put(&s);
		tally_init(&t);
		decode_all(&t, "gprof", 3, &map.code, s.bytes, s.n, &stats);
		if (stats.events != 6 || stats.text_bytes != c->text || stats.bad_bytes != c->bad ||
		    stats.lost != c->lost || stats.resyncs != c->resyncs)
			fail_msg("%s: %u events, text %u, bad %u, lost %u, resyncs %u", c->name,
				 (unsigned)stats.events, (unsigned)stats.text_bytes,
				 (unsigned)stats.bad_bytes, (unsigned)stats.lost,
				 (unsigned)stats.resyncs);
		assert_string_equal(t.text_len ? t.text : "", text);
		tally_release(&t);
		stream_release(&s);
	}
}

/* In hex a digit is half a byte, and what is no digit is text as it stands. */
static void gaps_of_hex_streams(void **state)
{
	static const struct { const char *between, *text; size_t text_n, bad, lost; } rows[] = {
		{ "62636465", "bcde", 8, 0, 0 },		/* text in hex */
		{ "6f6f6F6F", "oooo", 8, 0, 0 },
		{ "626364", "", 0, 6, 1 },
		{ "6263646", "", 0, 7, 1 },
		{ "626364656", "bcde", 8, 1, 1 },		/* and half a byte */
		{ "\nok, go\n", "ok, go\n", 5, 0, 0 },		/* as it stands, with its blanks */
		{ "\no k, go\n", "o k, go\n", 5, 0, 0 },
		{ "zyx", "", 0, 3, 1 },
		{ "zyx\n", "", 0, 3, 1 },
		{ "0101010101010101", "", 0, 16, 2 },
		{ "6263 6465\n6667", "bcdefg", 12, 0, 0 },	/* blanks are nothing */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_stats stats;
		struct gprof_map map;
		struct stream s;
		struct tally t;

		gprof_map_init(&map, CODE_ARM, 0);
		stream_init(&s, 3, true, 4096);
		packets_put(&s);
		stream_text(&s, rows[i].between);
		packets_put(&s);
		tally_init(&t);
		decode_all(&t, "gprof-hex", 3, &map.code, s.bytes, s.n, &stats);
		if (stats.events != 6 || stats.text_bytes != rows[i].text_n ||
		    stats.bad_bytes != rows[i].bad || stats.lost != rows[i].lost ||
		    t.text_len != strlen(rows[i].text) ||
		    memcmp(t.text, rows[i].text, t.text_len))
			fail_msg("%s: %u events, text %u, bad %u, lost %u", rows[i].between,
				 (unsigned)stats.events, (unsigned)stats.text_bytes,
				 (unsigned)stats.bad_bytes, (unsigned)stats.lost);
		tally_release(&t);
		stream_release(&s);
	}
}

/* What a silent line shows of a gap need not wait; it is not shown twice. */
static void text_is_shown_when_the_line_is_silent(void **state)
{
	struct gprof_map map;
	struct wire_options o = { .width = 3, .code = &map.code };
	struct wire_stats stats;
	struct wire_sink sink;
	struct stream s;
	struct tally t;
	struct wire *w;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0);
	stream_init(&s, 3, false, 4096);
	packets_put(&s);
	tally_init(&t);
	sink = tally_sink(&t);
	w = wire_new("gprof", &o, &sink, NULL);
	wire_feed(w, s.bytes, s.n);
	wire_flush(w, false);
	wire_feed(w, (const uint8_t *)"login", 5);
	wire_flush(w, false);
	assert_string_equal(t.text, "login");
	for (const char *c = ": "; *c; c++) {		/* the text goes on, however short */
		wire_feed(w, (const uint8_t *)c, 1);
		wire_flush(w, false);
	}
	assert_string_equal(t.text, "login: ");
	wire_feed(w, (const uint8_t *)"\001ok", 3);	/* too short so far */
	wire_flush(w, false);
	assert_string_equal(t.text, "login: ");
	wire_feed(w, (const uint8_t *)"ay", 2);
	wire_flush(w, false);
	assert_string_equal(t.text, "login: okay");
	wire_feed(w, s.bytes, s.n);
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_int_equal(stats.text_bytes, 11);
	assert_int_equal(stats.bad_bytes, 1);
	assert_int_equal(stats.events, 6);
	wire_free(w);
	tally_release(&t);
	stream_release(&s);
}

static void runs_of_text_are_counted(void **state)
{
	static const struct { const char *bytes; size_t text; } rows[] = {
		{ "", 0 }, { "abc", 0 }, { "abcd", 4 }, { "\001abcd", 4 }, { "abcd\001efg", 4 },
		{ "abcd\001efgh", 8 }, { "abc\001efgh", 4 }, { "a\tb\r\n\033", 6 },
		{ "ab\177cd", 0 }, { "ab\037cd", 0 }, { "~   ", 4 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char bytes[32];			/* what stands behind them is no part of them */

		memset(bytes, 'x', sizeof(bytes));
		memcpy(bytes, rows[i].bytes, strlen(rows[i].bytes));
		assert_int_equal(gprof_text_len((const uint8_t *)bytes, strlen(rows[i].bytes)),
				 rows[i].text);
	}
}

/* --- one packet ------------------------------------------------------------------------------- */

/* The LED program of gprof_map.h: `from` follows a call, `to` is the entry or follows mcount's. */
static void arcs_are_as_plausible_as_their_calls(void **state)
{
	static const struct {
		const char *name;
		enum code_arch arch;
		uint32_t from, to;
		enum gprof_grade grade;
	} rows[] = {
		{ "the call is of that function", CODE_ARM, 0x153d, 0x14e5, GRADE_KNOWN },
		{ "and its entry", CODE_ARM, 0x153d, 0x14d9, GRADE_KNOWN },
		{ "somewhere in its prologue", CODE_ARM, 0x153d, 0x14e3, GRADE_FAIR },
		{ "at the end of the longest prologue", CODE_ARM, 0x153d, 0x1519, GRADE_FAIR },
		{ "behind it", CODE_ARM, 0x153d, 0x151b, GRADE_WEAK },
		{ "it calls another: a tail call, or torn", CODE_ARM, 0x153d, 0x1499, GRADE_DOUBT },
		{ "likewise, not exact", CODE_ARM, 0x153d, 0x148f, GRADE_WEAK },
		{ "through a pointer, exact", CODE_ARM, 0x0483, 0x148d, GRADE_GOOD },
		{ "through a pointer", CODE_ARM, 0x0483, 0x148f, GRADE_FAIR },
		{ "through a pointer, a long prologue", CODE_ARM, 0x0483, 0x1517, GRADE_FAIR },
		{ "through a pointer, the longest prologue", CODE_ARM, 0x0483, 0x1519, GRADE_FAIR },
		{ "behind the longest", CODE_ARM, 0x0483, 0x151b, GRADE_WEAK },
		{ "from no call", CODE_ARM, 0x1001, 0x1499, GRADE_WEAK },
		{ "from no call, to no prologue", CODE_ARM, 0x1001, 0x151b, GRADE_NONE },
		{ "to no code", CODE_ARM, 0x153d, 0x14d7, GRADE_NONE },
		{ "an interrupt's handler", CODE_ARM, 0xfffffff9, 0x148d, GRADE_GOOD },
		{ "one with the Thumb bit, one without", CODE_ARM, 0x153c, 0x14e5, GRADE_WEAK },
		{ "both without", CODE_ARM, 0x153c, 0x14e4, GRADE_KNOWN },
		{ "AVR", CODE_AVR, 0x153c, 0x14e4, GRADE_KNOWN },
		{ "no instruction is at an odd address", CODE_AVR, 0x153d, 0x14e5, GRADE_NONE },
		{ "nor one of the two", CODE_AVR, 0x153c, 0x14e5, GRADE_NONE },
		{ "no EXC_RETURN elsewhere", CODE_AVR, 0xfffffff8, 0x148c, GRADE_WEAK },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct gprof_lens l = { .width = 4, .unit = 1 };
		enum gprof_grade grade;
		struct gprof_map map;

		gprof_map_init(&map, rows[i].arch, 0);
		l.code = &map.code;
		grade = gprof_grade_arc(&l, rows[i].from, rows[i].to);
		if (grade != rows[i].grade)
			fail_msg("%s: %d", rows[i].name, grade);
		map.code.target = NULL;		/* nobody knows where calls go: as by a pointer */
		assert_int_equal(gprof_grade_arc(&l, 0x0482, 0x148c), GRADE_GOOD);
		assert_int_equal(gprof_grade_arc(&l, 0x153c, 0x1498), GRADE_GOOD);
	}
}

static void samples_are_plausible_in_code(void **state)
{
	static const struct { enum code_arch arch; uint32_t pc; enum gprof_grade grade; } rows[] = {
		{ CODE_ARM, 0x1466, GRADE_FAIR }, { CODE_ARM, 0x1467, GRADE_WEAK },
		{ CODE_ARM, 0x14d6, GRADE_NONE }, { CODE_AVR, 0x1466, GRADE_FAIR },
		{ CODE_AVR, 0x1467, GRADE_NONE }, { CODE_HOST, 0x1467, GRADE_FAIR },
		{ CODE_UNKNOWN, 0x1467, GRADE_FAIR },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct gprof_lens l = { .width = 4, .unit = 1 };
		struct gprof_map map;

		gprof_map_init(&map, rows[i].arch, 0);
		l.code = &map.code;
		assert_int_equal(gprof_grade_pc(&l, rows[i].pc), rows[i].grade);
	}
}

/* Without an image: well-formed, from pages that were seen, or seen as they are. */
static void what_was_seen_is_more_plausible(void **state)
{
	static struct gprof_known known;
	const struct gprof_packet arc = { KIND_ARC, 0x12344, 0x56788 };
	const struct gprof_packet pc = { KIND_PC, 0x9a010, 0 };
	struct gprof_lens l = { .width = 4, .unit = 1 };

	(void)state;
	assert_int_equal(gprof_grade_arc(&l, 0x12344, 0x56788), GRADE_LIKELY);
	assert_int_equal(gprof_grade_pc(&l, 0x9a010), GRADE_LIKELY);
	gprof_known_init(&known);
	l.known = &known;
	assert_int_equal(gprof_grade_arc(&l, 0, 0), GRADE_LIKELY);
	assert_int_equal(gprof_grade_pc(&l, 0), GRADE_LIKELY);
	assert_int_equal(gprof_grade_arc(&l, 0x12344, 0x56788), GRADE_LIKELY);
	gprof_learn(&known, &arc);
	assert_int_equal(gprof_grade_arc(&l, 0x12344, 0x56788), GRADE_KNOWN);
	assert_int_equal(gprof_grade_arc(&l, 0x12346, 0x5678a), GRADE_FAIR);
	assert_int_equal(gprof_grade_arc(&l, 0x12346, 0x6678a), GRADE_LIKELY);
	assert_int_equal(gprof_grade_arc(&l, 0x22346, 0x5678a), GRADE_LIKELY);
	assert_int_equal(gprof_grade_arc(&l, 0x12347, 0x5678a), GRADE_WEAK);
	assert_int_equal(gprof_grade_pc(&l, 0x12344), GRADE_FAIR);	/* of the same page */
	assert_int_equal(gprof_grade_pc(&l, 0x56788), GRADE_FAIR);
	assert_int_equal(gprof_grade_pc(&l, 0x9a010), GRADE_LIKELY);
	gprof_learn(&known, &pc);
	assert_int_equal(gprof_grade_pc(&l, 0x9a010), GRADE_KNOWN);
	assert_int_equal(gprof_grade_pc(&l, 0x9a012), GRADE_FAIR);
	assert_int_equal(gprof_grade_pc(&l, 0x9a013), GRADE_WEAK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_no_packet_is_text_or_bad),
		cmocka_unit_test(gaps_of_hex_streams),
		cmocka_unit_test(text_is_shown_when_the_line_is_silent),
		cmocka_unit_test(runs_of_text_are_counted),
		cmocka_unit_test(arcs_are_as_plausible_as_their_calls),
		cmocka_unit_test(samples_are_plausible_in_code),
		cmocka_unit_test(what_was_seen_is_more_plausible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
