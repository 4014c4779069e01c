/*
 * What a decoder of SWO tells, packet by packet, with its time; what it holds back until the
 * framing is known; when it takes it for lost, and what a line that goes down leaves of it.
 */
#include "tests/unit/unit.h"

#include "tests/unit/itm_stream.h"

enum { BASE = 0x08000000, ROM = 0x1fff0000, CODE = 4096, HZ = 8000000 };

static uint8_t flags[CODE / 2];
static struct codemap map = { .arch = CODE_ARM, .base = BASE, .size = CODE, .flags = flags };
static struct itm_stream bare, framed;

static int map_make(void **state)
{
	(void)state;
	memset(flags, CODE_TEXT, sizeof(flags));
	return 0;
}

/* --- what is told, as text -------------------------------------------------------------------- */

struct told {
	struct wire *wire;
	char text[2048];
	size_t n;
	unsigned count[128];		/* of each, by its first letter */
	struct wire_stats stats;
};

/* One more, and the ticks of its time. */
__attribute__((format(printf, 2, 3)))
static void told_add(struct told *t, const char *format, ...)
{
	const struct wire_when *when = wire_when(t->wire);
	size_t begin = t->n ? t->n + 2 : 0, size = sizeof(t->text);
	va_list args;

	if (begin + 256 > size)
		begin = t->n = 0;
	else if (t->n)
		memcpy(t->text + t->n, "; ", 3);
	va_start(args, format);
	t->n = begin + (size_t)vsnprintf(t->text + begin, size - begin, format, args);
	va_end(args);
	if (when->clock)
		t->n += (size_t)snprintf(t->text + t->n, size - t->n, " @%llu",
					 (unsigned long long)when->ticks);
	t->count[t->text[begin] & 0x7f]++;
}

static void samples_told(void *ctx, const uint32_t *pcs, size_t n)
{
	char text[200] = "";
	size_t len = 0;

	for (size_t i = 0; i < n && len < sizeof(text) - 10; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %x", (unsigned)pcs[i]);
	told_add(ctx, "pc%s", text);
}

static void asleep_told(void *ctx, size_t n)
{
	told_add(ctx, "asleep %zu", n);
}

static void exception_told(void *ctx, const struct wire_exception *e)
{
	static const char *const kinds[] = { "enter", "exit", "back" };

	told_add(ctx, "%s %u", kinds[e->kind], e->number);
}

static void access_told(void *ctx, const struct wire_access *a)
{
	char text[100];
	size_t n = (size_t)snprintf(text, sizeof(text), "c%u", a->comparator);

	if (a->has & ACCESS_PC)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " by %x", (unsigned)a->pc);
	if (a->has & ACCESS_ADDRESS)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " at %x", a->address);
	if (a->has & ACCESS_VALUE)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %s %u:%x",
				      a->has & ACCESS_WRITE ? "w" : "r", a->size,
				      (unsigned)a->value);
	if (a->has & ACCESS_MATCH)
		snprintf(text + n, sizeof(text) - n, " match");
	told_add(ctx, "%s", text);
}

static void missing_told(void *ctx)
{
	told_add(ctx, "missing");
}

static void text_told(void *ctx, const char *text, size_t n)
{
	told_add(ctx, "'%.*s'", (int)n, text);
}

static struct wire *told_new(struct told *t, const struct codemap *code)
{
	struct wire_sink sink = {
		.ctx = t, .samples = samples_told, .asleep = asleep_told,
		.exception = exception_told, .access = access_told, .missing = missing_told,
		.text = text_told,
	};
	struct wire_options o = { .code = code, .clock_hz = HZ };

	memset(t, 0, sizeof(*t));
	t->wire = wire_new("itm", &o, &sink, NULL);
	assert_non_null(t->wire);
	assert_string_equal(wire_note(t->wire), "itm: no packet yet");
	return t->wire;
}

static void told_begin(struct told *t)
{
	t->n = 0;
	t->text[0] = '\0';
	memset(t->count, 0, sizeof(t->count));
}

static void told_free(struct told *t)
{
	wire_free(t->wire);
	t->wire = NULL;
}

static void hex_feed(struct wire *w, const char *hex)
{
	unsigned byte;

	for (; *hex; hex += *hex == ' ' ? 1 : 2) {
		uint8_t one;

		if (*hex == ' ' || sscanf(hex, "%2x", &byte) != 1)
			continue;
		one = (uint8_t)byte;
		wire_feed(w, &one, 1);
	}
}

static void hex_repeat(struct wire *w, const char *hex, size_t times)
{
	for (size_t i = 0; i < times; i++)
		hex_feed(w, hex);
}

#define SYNC "000000000080 "
#define SURE SYNC SYNC			/* two: the framing is known when the line is silent */

/* --- packets ---------------------------------------------------------------------------------- */

#define PC_A "17 00010008 "		/* 0x08000100 */
#define PC_B "17 02010008 "

static const struct {
	const char *name, *hex, *want;
	unsigned events, bad, text, lost;
} told_cases[] = {
	{ "PCs of a run at once", PC_A PC_B "c00a", "pc 8000100 8000102 @10", 2, 0, 0, 0 },
	{ "asleep", "1500 1500 10", "asleep 2 @1", 2, 0, 0, 0 },
	{ "now and then", PC_A "1500 " PC_B "20",
	  "pc 8000100 8000102 @2; asleep 1 @2", 3, 0, 0, 0 },
	{ "a handler between", PC_A "0e0f10 " PC_B "30",
	  "pc 8000100 @3; enter 15 @3; pc 8000102 @3", 3, 0, 0, 0 },
	{ "all of an exception", "0e0f10 10 0e0f20 c07f 0e0030 d07f",
	  "enter 15 @1; exit 15 @128; back 0 @255", 3, 0, 0, 0 },
	{ "late ones count as others do", "70 d00a 70 e00a 70 f00a",
	  "missing @10; missing @20; missing @30", 3, 0, 0, 3 },
	{ "the longest time", "70 c0ffffffff 70 c0ffffffff",
	  "missing @268435455; missing @536870910", 2, 0, 0, 2 },
	{ "a time without packets", "10 20 70 10", "missing @4", 1, 0, 0, 1 },
	{ "no time yet", PC_A "0e0f10", "pc 8000100; enter 15", 2, 0, 0, 0 },
	{ "behind the last time", "70 c07f 70", "missing @127; missing @127", 2, 0, 0, 2 },
	{ "a global time, counters, extensions are nobody's",
	  "70 9401 94808080c0 b481808001 b4ffffffffff07 0501 08 888101 10",
	  "missing @1", 1, 0, 0, 1 },
	{ "text, letters and words", "0141 024243 0344454647 10",
	  "'A' @1; 'BC' @1; 'DEFG' @1", 3, 0, 7, 0 },
	{ "of other ports none", "0941 124243 134445464f fa4142 10", "", 4, 0, 0, 0 },
	{ "headers of nothing", "04 80 70 b0", "missing", 1, 3, 0, 1 },
	{ "a packet of no size that there is", "2f01020304 70", "missing", 1, 5, 0, 1 },
	{ "zeros of no synchronization", "70 0000 70 000000 10",
	  "missing @1; missing @1", 2, 5, 0, 2 },
	{ "and behind one", "70 " SYNC "70 0000000000000080 10",
	  "missing @1; missing @1", 2, 2, 0, 2 },
	{ "a PC without its end, and a synchronization", "1700 " SYNC "70 10",
	  "pc 0 @1; missing @1", 2, 3, 0, 1 },
	/* matches */
	{ "written", "8d2a 10", "c0 w 1:2a @1", 1, 0, 0, 0 },
	{ "read", "a67856 10", "c2 r 2:5678 @1", 1, 0, 0, 0 },
	{ "a word", "9f78563412 10", "c1 w 4:12345678 @1", 1, 0, 0, 0 },
	{ "by whom, where, what", "57 10000008 5e3412 9d07 10",
	  "c1 by 8000010 at 1234 w 1:7 @1", 3, 0, 0, 0 },
	{ "v8-M's match", "7501 7501 10", "c3 match @1; c3 match @1", 2, 0, 0, 0 },
	{ "two by nobody", "8d01 8d02 10", "c0 w 1:1 @1; c0 w 1:2 @1", 2, 0, 0, 0 },
	{ "a place alone, twice", "4e3412 4e3612 10", "c0 at 1234 @1; c0 at 1236 @1", 2, 0, 0, 0 },
	{ "another comparator's between", "47 10000008 5e3412 8d07 10",
	  "c0 by 8000010 @1; c1 at 1234 @1; c0 w 1:7 @1", 3, 0, 0, 0 },
	{ "a PC sample between is no end", "47 10000008 " PC_A "8d07 10",
	  "pc 8000100 @1; c0 by 8000010 w 1:7 @1", 3, 0, 0, 0 },
	{ "sleep neither", "47 10000008 1500 8d07 10",
	  "asleep 1 @1; c0 by 8000010 w 1:7 @1", 3, 0, 0, 0 },
	{ "an exception is", "47 10000008 0e0f10 8d07 10",
	  "c0 by 8000010 @1; enter 15 @1; c0 w 1:7 @1", 3, 0, 0, 0 },
	{ "text is", "47 10000008 0941 8d07 10", "c0 by 8000010 @1; c0 w 1:7 @1", 3, 0, 0, 0 },
	{ "an overflow is", "47 10000008 70 8d07 10",
	  "c0 by 8000010 @1; missing @1; c0 w 1:7 @1", 3, 0, 0, 1 },
	{ "a time is", "47 10000008 10 8d07 10", "c0 by 8000010 @1; c0 w 1:7 @2", 2, 0, 0, 0 },
	{ "the end is", "47 10000008", "c0 by 8000010", 1, 0, 0, 0 },
};

static void packets_are_told(void **state)
{
	struct told t;

	(void)state;
	for (size_t i = 0; i < COUNT(told_cases); i++) {
		struct wire *w = told_new(&t, NULL);

		hex_feed(w, SURE);
		wire_flush(w, false);
		assert_string_equal(wire_note(w), "itm: raw packets");
		hex_feed(w, told_cases[i].hex);
		wire_flush(w, false);
		wire_stats(w, &t.stats);
		if (strcmp(t.text, told_cases[i].want) != 0 ||
		    t.stats.events != told_cases[i].events ||
		    t.stats.bad_bytes != told_cases[i].bad ||
		    t.stats.text_bytes != told_cases[i].text || t.stats.lost != told_cases[i].lost)
			fail_msg("%s: %s; %u events, %u bad, %u text, %u lost", told_cases[i].name,
				 t.text, (unsigned)t.stats.events, (unsigned)t.stats.bad_bytes,
				 (unsigned)t.stats.text_bytes, (unsigned)t.stats.lost);
		assert_null(wire_when(w)->clock);
		told_free(&t);
	}
}

/* Without listeners, and without a clock. */
static void nobody_listens(void **state)
{
	struct wire_sink sink = { .ctx = NULL };
	struct wire_stats stats;
	struct wire *w = wire_new("itm", NULL, &sink, NULL);

	(void)state;
	assert_non_null(w);
	hex_feed(w, SURE PC_A "1500 0e0f10 0141 70 8d07 10");
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_int_equal(stats.events, 6);
	wire_free(w);
}

static const struct wire *dated_wire;
static uint64_t dated_hz;

static void missing_dated(void *ctx)
{
	(void)ctx;
	dated_hz = wire_when(dated_wire)->clock->ticks_per_second;
}

static void times_have_the_clock_that_was_said(void **state)
{
	struct wire_sink sink = { .missing = missing_dated };

	(void)state;
	for (uint64_t hz = 0; hz <= HZ; hz += HZ) {
		struct wire_options o = { .clock_hz = hz };
		struct wire *w = wire_new("itm", hz ? &o : NULL, &sink, NULL);

		assert_non_null(w);
		dated_wire = w;
		dated_hz = 77;
		hex_feed(w, SURE "70 10");
		wire_flush(w, true);
		assert_int_equal(dated_hz, hz);
		wire_free(w);
	}
}

/* --- packets that wait for their time --------------------------------------------------------- */

static void packets_wait(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, NULL);

	(void)state;
	hex_feed(w, SURE);
	wire_flush(w, false);
	hex_repeat(w, "70", 255);
	assert_int_equal(t.count['m'], 0);
	hex_feed(w, "70");			/* so many and no time: there is none */
	assert_int_equal(t.count['m'], 256);
	hex_feed(w, "70");
	assert_int_equal(t.count['m'], 256);
	wire_flush(w, false);			/* the line is silent */
	assert_int_equal(t.count['m'], 257);

	told_begin(&t);
	hex_repeat(w, "0941", 255);		/* a match at the end of what waits is not cut */
	hex_feed(w, "47 10000008");
	assert_string_equal(t.text, "");
	hex_feed(w, "8d07 10");
	assert_string_equal(t.text, "c0 by 8000010 w 1:7 @1");
	told_free(&t);
}

/* --- until the framing is known --------------------------------------------------------------- */

/* Looked for in the first 256 bytes, then in twice as many. */
static void bytes_are_held_until_it_is_known(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, NULL);

	(void)state;
	hex_repeat(w, "70 0141 10", 63);
	hex_feed(w, "70 0141");
	assert_string_equal(t.text, "");
	hex_feed(w, "10");
	assert_int_equal(t.count['m'], 64);
	assert_string_equal(wire_note(w), "itm: raw packets");
	told_free(&t);

	w = told_new(&t, NULL);
	hex_repeat(w, "0141", 11);		/* less than 24 points in 256 bytes, */
	hex_repeat(w, "70", 256 - 22);
	hex_repeat(w, "0141", 127);		/* enough in 512 */
	hex_feed(w, "01");
	assert_string_equal(t.text, "");
	hex_feed(w, "41");
	wire_flush(w, false);
	assert_int_equal(t.count['\''], 139);
	assert_int_equal(t.count['m'], 234);
	told_free(&t);
}

/* 4,096 bytes that are nothing: the older half of them is bad, the newer one is kept. */
static void what_is_nothing_is_given_up(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, NULL);

	(void)state;
	hex_repeat(w, "04", 2048);
	hex_repeat(w, "70", 2047);
	wire_stats(w, &t.stats);
	assert_int_equal(t.stats.bad_bytes, 0);
	hex_feed(w, "70");
	wire_stats(w, &t.stats);
	assert_int_equal(t.stats.bad_bytes, 2048);
	hex_repeat(w, "0141", 1023);
	hex_feed(w, "01");
	assert_int_equal(t.count['\''], 0);
	hex_feed(w, "41");
	wire_flush(w, false);
	assert_int_equal(t.count['m'], 2048);
	assert_int_equal(t.count['\''], 1024);
	wire_stats(w, &t.stats);
	assert_int_equal(t.stats.bad_bytes, 2048);
	told_free(&t);
}

/* What little there is at the end, or when the line is silent. */
static void the_end_takes_what_is_likely(void **state)
{
	static const struct {
		const char *name, *hex, *silent, *end;
		unsigned bad;
	} rows[] = {
		{ "a letter", "0141", "", "'A'", 0 },
		{ "nothing that tells", "70 70", "", "", 2 },
		{ "nothing that is a packet", "04 0141", "", "", 3 },
		{ "enough", SURE "0141", "'A'", "'A'", 0 },
		{ "no byte", "", "", "", 0 },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire *w = told_new(&t, NULL);

		hex_feed(w, rows[i].hex);
		wire_flush(w, false);
		wire_stats(w, &t.stats);
		if (strcmp(t.text, rows[i].silent) != 0 || t.stats.bad_bytes)
			fail_msg("%s: silent: %s", rows[i].name, t.text);
		wire_flush(w, true);
		wire_stats(w, &t.stats);
		if (strcmp(t.text, rows[i].end) != 0 || t.stats.bad_bytes != rows[i].bad)
			fail_msg("%s: at the end: %s", rows[i].name, t.text);
		told_free(&t);
	}
}

/* Silence between any two bytes of frames changes nothing of them. */
static void silence_is_no_other_framing(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, &map);

	(void)state;
	bare.n = 0;
	for (unsigned i = 0; i < 200; i++)
		itm_exception(&bare, 1, 15);
	itm_frame(&framed, &bare, 3, true);
	hex_feed(w, "5a");			/* the first frame begins behind it */
	for (size_t i = 0; i < framed.n; i++) {
		wire_feed(w, framed.bytes + i, 1);
		if (i >= 256)
			wire_flush(w, false);
	}
	assert_string_equal(wire_note(w), "itm: TPIU frames, stream 3");
	assert_int_equal(t.count['e'], 200);
	wire_stats(w, &t.stats);
	assert_int_equal(t.stats.resyncs, 0);
	told_free(&t);
}

/*
 * A synchronization behind each frame, and bytes of one are lost. One byte: the synchronization's
 * first stands for it, as low bits that make ports' headers of seven packets; the next frame is
 * right. Six: what is left of the frame is bad.
 */
static void frames_come_into_step(void **state)
{
	static const uint8_t sync[] = { 0xff, 0xff, 0xff, 0x7f };
	static const struct {
		size_t lost;
		unsigned bad, fewer;
	} rows[] = { { 0, 0, 0 }, { 1, 0, 7 }, { 6, 10, 7 } };
	struct told t;

	(void)state;
	bare.n = 0;
	while (bare.n < 14 * 200) {		/* seven of each in a frame */
		itm_overflow(&bare);
		itm_time(&bare, 1);
	}
	itm_frame(&framed, &bare, 1, false);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire *w = told_new(&t, &map);

		for (size_t frame = 0; frame < 200; frame++) {
			size_t lost = frame == 100 ? rows[i].lost : 0;

			wire_feed(w, framed.bytes + 16 * frame, 16 - lost);
			wire_feed(w, sync, sizeof(sync));
		}
		wire_flush(w, true);
		assert_int_equal(t.count['m'], 7 * 200 - rows[i].fewer);
		wire_stats(w, &t.stats);
		assert_int_equal(t.stats.resyncs, 0);
		assert_int_equal(t.stats.bad_bytes, rows[i].bad);
		told_free(&t);
	}
}

/* --- is it still right? ----------------------------------------------------------------------- */

/* One in eight of 256 packets may be bad. */
static void too_many_bad_ones_are_another_stream(void **state)
{
	static const struct {
		const char *name, *bad;
		bool code;
	} rows[] = {
		{ "headers of nothing", "04", false }, { "odd PCs", "17 01010008", false },
		{ "odd PCs in code", "17 01010008", true },
		{ "PCs of matches", "47 01010009", true }, { "zeros", "00 10", false },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (unsigned over = 0; over < 2; over++) {
			struct wire *w = told_new(&t, rows[i].code ? &map : NULL);

			hex_feed(w, SURE);	/* two packets */
			wire_flush(w, false);
			hex_repeat(w, rows[i].bad, 32 + over);
			hex_repeat(w, "10", 253 - 32 - over);
			wire_stats(w, &t.stats);
			if (t.stats.resyncs)
				fail_msg("%s: after 255", rows[i].name);
			hex_feed(w, "70");
			wire_stats(w, &t.stats);
			if (t.stats.resyncs != over)
				fail_msg("%s: %u more", rows[i].name, over);
			assert_string_equal(wire_note(w), over ? "itm: packets no longer in step" :
					    "itm: raw packets");
			assert_int_equal(t.count['m'], over);	/* what waits is given out then */
			if (!over) {			/* counted from there on, */
				hex_repeat(w, rows[i].bad, 32);
				hex_repeat(w, "10", 256 - 32);
			} else {			/* or held again */
				told_begin(&t);
				hex_repeat(w, "70 0141 10", 63);
				hex_feed(w, "70 0141");
				assert_string_equal(t.text, "");
				hex_feed(w, "10");
				assert_int_equal(t.count['m'], 64);
			}
			wire_stats(w, &t.stats);
			assert_int_equal(t.stats.resyncs, over);
			told_free(&t);
		}
	}
}

/* Good ones are not bad: PCs in code, even ones out of it, values that look like odd PCs. */
static void good_packets_are_not_bad(void **state)
{
	static const struct {
		const char *hex;
		bool code;
	} rows[] = {
		{ PC_A, true }, { "17 00010009", false }, { "17 00010009", true },
		{ "57 02010008", true },
		{ "8f 01010009", true }, { "0e0f10", true }, { "70", true }, { "0101", true },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire *w = told_new(&t, rows[i].code ? &map : NULL);

		hex_feed(w, SURE);
		wire_flush(w, false);
		hex_repeat(w, rows[i].hex, 600);
		wire_stats(w, &t.stats);
		assert_int_equal(t.stats.resyncs, 0);
		told_free(&t);
	}
}

/*
 * Samples in a ROM or a radio's stack, which the image has not: so many of ten, of 800. All are
 * heard, in frames and without.
 */
static void samples_may_be_out_of_the_image(void **state)
{
	(void)state;
	for (unsigned out = 0; out <= 10; out++) {
		bare.n = 0;
		srand(out + 1);
		for (unsigned i = 0; i < 800; i++) {
			uint32_t at = (uint32_t)rand() & 0xffe;

			itm_pc(&bare, (unsigned)rand() % 10 < out ? ROM + 13 * at : BASE + at);
			itm_time(&bare, 100);
		}
		for (unsigned frames = 0; frames < 2; frames++) {
			const struct itm_stream *s = frames ? &framed : &bare;
			struct told t;
			struct wire *w = told_new(&t, &map);

			if (frames)
				itm_frame(&framed, &bare, 1, true);
			wire_feed(w, s->bytes, s->n);
			wire_flush(w, true);
			wire_stats(w, &t.stats);
			if (t.count['p'] != 800 || t.stats.resyncs || t.stats.bad_bytes > 16)
				fail_msg("%u of 10, %u: %u heard, %u bad bytes, %s", out, frames,
					 t.count['p'], (unsigned)t.stats.bad_bytes, wire_note(w));
			told_free(&t);
		}
	}
}

static void the_note_has_its_shares(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, &map);

	(void)state;
	hex_feed(w, SURE PC_A PC_B PC_A "17 00010009");
	wire_flush(w, false);
	assert_string_equal(wire_note(w), "itm: raw packets; 75 % of PCs in code");
	hex_repeat(w, "1500 " PC_A PC_B PC_B PC_B "10", 50);
	assert_string_equal(wire_note(w), "itm: raw packets; 75 % of PCs in code; "
			    "19.6 % of the samples asleep");
	told_free(&t);

	w = told_new(&t, &map);
	hex_feed(w, SURE PC_A PC_B PC_A);
	wire_flush(w, false);
	assert_string_equal(wire_note(w), "itm: raw packets; 100 % of PCs in code");
	told_free(&t);

	w = told_new(&t, NULL);			/* no image: no such share */
	hex_feed(w, SURE PC_A PC_B);
	wire_flush(w, false);
	assert_string_equal(wire_note(w), "itm: raw packets");
	hex_repeat(w, "1500 10", 128);
	assert_string_equal(wire_note(w), "itm: raw packets; 98.4 % of the samples asleep");
	told_free(&t);
}

/* --- the line --------------------------------------------------------------------------------- */

static void line_up(struct wire *w)
{
	struct wire_out out = { .room = WIRE_OUT_MAX };

	wire_ask(w, 0, &out);
	assert_int_equal(out.count, 0);
}

/* What was under way ends with the line; what comes behind it may be of another program. */
static void a_line_goes_down(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, NULL);

	(void)state;
	line_up(w);
	hex_feed(w, SURE "10");
	wire_flush(w, false);
	hex_feed(w, "70 47 10000008");
	wire_down(w);
	assert_string_equal(t.text, "missing @1; c0 by 8000010 @1");
	told_begin(&t);
	hex_feed(w, "8d07 c00a");		/* held: is it bare? */
	wire_down(w);				/* it did not come up */
	hex_feed(w, SURE);
	wire_flush(w, false);
	assert_string_equal(t.text, "c0 w 1:7 @11");
	told_free(&t);

	w = told_new(&t, NULL);
	line_up(w);
	hex_repeat(w, "0141", 20);		/* held, and given up with the line */
	wire_down(w);
	wire_stats(w, &t.stats);
	assert_int_equal(t.stats.bad_bytes, 40);
	hex_repeat(w, "70 0141 10", 63);
	hex_feed(w, "70 0141");
	assert_string_equal(t.text, "");
	hex_feed(w, "10");
	assert_int_equal(t.count['m'], 64);
	told_free(&t);

	w = told_new(&t, NULL);
	line_up(w);
	hex_feed(w, SURE "1700");		/* in the midst of a packet */
	wire_flush(w, false);
	wire_down(w);
	hex_feed(w, SURE "70 10");
	wire_flush(w, false);
	assert_string_equal(t.text, "missing @1");
	told_free(&t);
}

/* A recording was never up: its bytes go on. */
static void a_recording_goes_on(void **state)
{
	struct told t;
	struct wire *w = told_new(&t, NULL);

	(void)state;
	hex_feed(w, SURE "47 10000008");
	wire_flush(w, false);
	told_begin(&t);
	hex_feed(w, "47 10000008 17 0001");
	wire_down(w);
	hex_feed(w, "0008 8d07 10");
	assert_string_equal(t.text, "pc 8000100 @1; c0 by 8000010 w 1:7 @1");
	told_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_told),
		cmocka_unit_test(nobody_listens),
		cmocka_unit_test(times_have_the_clock_that_was_said),
		cmocka_unit_test(packets_wait),
		cmocka_unit_test(bytes_are_held_until_it_is_known),
		cmocka_unit_test(what_is_nothing_is_given_up),
		cmocka_unit_test(the_end_takes_what_is_likely),
		cmocka_unit_test(silence_is_no_other_framing),
		cmocka_unit_test(frames_come_into_step),
		cmocka_unit_test(too_many_bad_ones_are_another_stream),
		cmocka_unit_test(good_packets_are_not_bad),
		cmocka_unit_test(samples_may_be_out_of_the_image),
		cmocka_unit_test(the_note_has_its_shares),
		cmocka_unit_test(a_line_goes_down),
		cmocka_unit_test(a_recording_goes_on),
	};

	return cmocka_run_group_tests(tests, map_make, NULL);
}
