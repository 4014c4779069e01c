/*
 * wsn: what is console text and what a frame, byte by byte (split.c), and whether a stream of any
 * kind has frames (spot.c).
 */
#include "tests/unit/wsn_stream.h"

#include "core/wire/wsn/state.h"

struct console {
	struct stream s;
	struct said l;
	struct wire *w;
};

static void console_open(struct console *c)
{
	struct wire_sink sink;

	memset(c, 0, sizeof(*c));
	sink = said_sink(&c->l);
	c->w = wire_new("wsn", NULL, &sink, NULL);
	assert_non_null(c->w);
}

static void console_close(struct console *c)
{
	wire_free(c->w);
	said_release(&c->l);
	stream_release(&c->s);
}

/* Some bytes, in pieces; what was shown since. */
static void bytes_show(struct console *c, const void *data, size_t n, size_t step, const char *want)
{
	buf_reset(&c->l.out);
	stream_feed(c->w, data, n, step);
	said_settle(&c->l);
	assert_string_equal(buf_str(&c->l.out), want);
}

static void script_show(struct console *c, const char *script, const char *want)
{
	buf_reset(&c->s.out);
	stream_script(&c->s, script);
	bytes_show(c, c->s.out.data, c->s.out.len, c->s.out.len, want);
}

/* --- characters ------------------------------------------------------------------------------- */

/* A prompt that stands in silence: is it text? One byte in eight may be off. */
static void text_is_utf8_that_may_be_cut(void **state)
{
	static const struct { const char *bytes; bool text; } rows[] = {
		{ "abc", true }, { "\xc3\xbc", true }, { "ab\xc3\xbc", true },
		{ "abc\xc2", true }, { "abc\xdf", true }, { "abc\xc1", false },
		{ "abc\xe0", true }, { "abc\xe0\xa0", true }, { "abc\xe2\x82", true },
		{ "abc\xe0\x80\x80", false },			/* three bytes, and none */
		{ "abc\xf0", true }, { "abc\xf0\x9f", true }, { "abc\xf0\x9f\x98", true },
		{ "abc\xf0\x80\x80\x80", false },
		{ "abc\xf4", true }, { "abc\xf5", false }, { "abc\x80", false },
		{ "abc\xe2\x41", false }, { "abc\xf0\x9f\x41", false }, { "abc\xc3\x41", false },
		{ "abc\xe2\xc2", false },
		{ "\x81" "abcdefg", true },		/* one of eight */
		{ "\x81" "abcdef", false },
		{ "abcdef\x81", false }, { "abcdefg\x81", true },
		{ "\x81\x81" "abcdefgh", false },
		{ "\x81\x81" "abcdefghijklmn", true },
		{ "\x81\xc3\xbc" "abcdef", true }, { "\xc3\xbc\x81" "abcd", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct console c;

		console_open(&c);
		script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
		bytes_show(&c, rows[i].bytes, strlen(rows[i].bytes), 99, "");
		wire_flush(c.w, false);
		assert_int_equal(c.l.text.len, rows[i].text ? strlen(rows[i].bytes) : 0);
		buf_reset(&c.l.text);
		/* Not shown, it is a damaged frame where a zero ends it. */
		wire_feed(c.w, (const uint8_t *)"", 1);
		assert_int_equal(c.l.text.len, 0);
		assert_int_equal(c.w->stats.text_bytes, rows[i].text ? strlen(rows[i].bytes) : 0);
		assert_int_equal(c.w->stats.bad_bytes, rows[i].text ? 0 : strlen(rows[i].bytes));
		assert_int_equal(c.w->stats.damaged, !rows[i].text);
		console_close(&c);
	}
}

/* --- zeros that got lost ---------------------------------------------------------------------- */

/* A frame of the longest block, 254 bytes: arcs without room. Its coded bytes, without zeros. */
static size_t long_frame(uint8_t *coded, uint8_t seq, size_t size)
{
	uint8_t block[WSN_BLOCK_MAX + 2], frame[WSN_FRAME_MAX];
	size_t n = 2;

	block[0] = WSN_LOST;
	block[1] = seq;
	while (n + 3 <= size - 2) {
		memcpy(block + n, (const uint8_t[]){ 1, 2, 3 }, 3);
		n += 3;
	}
	if (n < size - 2) {			/* numbers of two bytes */
		block[n - 3] = 0x81;
		block[n - 2] = 1;
		block[n - 1] = 2;
		block[n++] = 3;
	}
	if (n < size - 2)
		return 0;
	n = wsn_wrap(frame, block, n);
	memcpy(coded, frame + 1, n - 2);
	return n - 2;
}

/* The zero before a frame is lost; before it stands so much of a console's line. */
static void a_frame_is_found_behind_text_of_any_length(void **state)
{
	static const size_t sizes[] = { 7, 8, 100, 253, 254 };

	(void)state;
	for (size_t k = 0; k < COUNT(sizes); k++) {
		for (size_t before = 1; before < 700;
		     before += before < 3 || before > 250 ? 1 : 60) {
			uint8_t bytes[1200];
			struct console c;
			size_t n = before;

			if (before > 265 && before < 500)
				continue;
			memset(bytes, 'x', before);
			n += long_frame(bytes + n, 1, sizes[k]);
			if (n == before)
				continue;
			bytes[n++] = 0;
			console_open(&c);
			script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
			wire_feed(c.w, bytes, n);
			if (c.w->stats.events != 2 || c.w->stats.damaged ||
			    c.w->stats.text_bytes != before)
				fail_msg("%zu of %zu: events %u text %u damaged %u", sizes[k],
					 before,
					 (unsigned)c.w->stats.events,
					 (unsigned)c.w->stats.text_bytes,
					 (unsigned)c.w->stats.damaged);
			console_close(&c);
		}
	}
}

/* The zero behind it is lost; text of any length follows, and then a frame. */
static void text_is_found_behind_a_frame_of_any_length(void **state)
{
	static const size_t sizes[] = { 7, 8, 100, 240, 253, 254 };

	(void)state;
	for (size_t k = 0; k < COUNT(sizes); k++) {
		for (size_t behind = 1; behind + sizes[k] + 1 <= WSN_BLOCK_MAX + 1; behind++) {
			uint8_t bytes[1200];
			struct console c;
			size_t n = long_frame(bytes, 1, sizes[k]);

			if (!n)
				continue;
			memset(bytes + n, 'x', behind);
			bytes[n + behind] = 0;
			console_open(&c);
			script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
			wire_feed(c.w, bytes, n + behind + 1);
			if (c.w->stats.events != 2 || c.w->stats.damaged ||
			    c.w->stats.text_bytes != behind)
				fail_msg("%zu, %zu behind: events %u text %u damaged %u", sizes[k],
					 behind, (unsigned)c.w->stats.events,
					 (unsigned)c.w->stats.text_bytes,
					 (unsigned)c.w->stats.damaged);
			console_close(&c);
		}
	}
}

static void a_lost_zero_costs_no_frame(void **state)
{
	static const struct {
		const char *script, *shown;
		unsigned damaged, bad;
	} rows[] = {
		/* a byte of text before it; before its own HELLO's */
		{ "H|t a|/T 1", "hello  v1 a1 f5e3 e0\nT a\nstatus 1\n", 0, 0 },
		{ "t a|/H|T 1", "T a\nhello  v1 a1 f5e3 e0\nstatus 1\n", 0, 0 },
		/* what was no text: damaged, and the frame is had all the same */
		{ "H|t \x81\x82\x83\x84|/T 1", "hello  v1 a1 f5e3 e0\nstatus 1\n", 1, 4 },
		{ "H e=1|t \x81\x82\x83\x84|/T 1", "hello  v1 a1 f5e3 e1\nstatus 1\n", 1, 4 },
		/* a command of ours is no frame of a node's: all is text, or damage */
		{ "H|t one|/X 16 1 2 3|T 1", "hello  v1 a1 f5e3 e0\nstatus 1\n", 1, 11 },
		{ "H|X 16 1 2 3|z|t one|T 1", "hello  v1 a1 f5e3 e0\nstatus 1\n", 1, 11 },
		/* before any epoch is known no frame is looked for at a segment's beginning */
		{ "T 1|z|t one|H|T 2", "hello  v1 a1 f5e3 e0\nstatus 2\n", 1, 9 },
		/* behind a frame something that is no text: the frame alone is lost */
		{ "H|T 1|z|t \x81\x82\x83\x84|T 2", "hello  v1 a1 f5e3 e0\nstatus 2\n", 1, 10 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct console c;

		console_open(&c);
		script_show(&c, rows[i].script, rows[i].shown);
		assert_int_equal(c.w->stats.damaged, rows[i].damaged);
		assert_int_equal(c.w->stats.bad_bytes, rows[i].bad);
		console_close(&c);
	}
}

/* A frame is taken at its zero, and text before it is told before it, in whatever pieces. */
static void frames_and_text_are_told_in_their_order(void **state)
{
	struct console c;

	(void)state;
	console_open(&c);
	script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
	script_show(&c, "T 1|z", "");
	bytes_show(&c, "", 1, 1, "status 1\n");
	script_show(&c, "t x", "");
	script_show(&c, "/T 2", "T x\nstatus 2\n");
	console_close(&c);
}

/* --- lines ------------------------------------------------------------------------------------ */

/*
 * A line is shown at its newline where no frame begins so. One that begins as a frame would is
 * shown when it is longer than any frame, or at its zero.
 */
static void a_line_is_shown_when_it_is_no_frame(void **state)
{
	struct console c;
	char line[700];

	(void)state;
	console_open(&c);
	script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
	memset(line, 'a', sizeof(line));
	/* "\7\t\1..." is as STATUS in epoch 0 would begin */
	memcpy(line, "\7\11\1", 3);
	line[253] = '\n';
	bytes_show(&c, line, 254, 1, "");
	bytes_show(&c, "b", 1, 1, "");
	assert_int_equal(c.l.text.len, 0);
	wire_feed(c.w, (const uint8_t *)"c", 1);	/* 256: no frame is so long */
	assert_int_equal(c.w->stats.text_bytes, 254);	/* the line behind has no end yet */
	wire_feed(c.w, (const uint8_t *)"d\n", 2);
	assert_int_equal(c.w->stats.text_bytes, 258);
	console_close(&c);

	/* The newline is the 255th byte: it may be a frame yet. */
	console_open(&c);
	script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
	line[253] = 'a';
	line[254] = '\n';
	wire_feed(c.w, (const uint8_t *)line, 255);
	assert_int_equal(c.w->stats.text_bytes, 0);
	console_close(&c);

	/* The newline is the 256th byte. */
	console_open(&c);
	script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
	line[254] = 'a';
	line[255] = '\n';
	wire_feed(c.w, (const uint8_t *)line, 255);
	assert_int_equal(c.w->stats.text_bytes, 0);
	wire_feed(c.w, (const uint8_t *)line + 255, 1);
	assert_int_equal(c.w->stats.text_bytes, 256);
	console_close(&c);

	/* A newline before, and the 256th byte is none: the line before it is shown then. */
	console_open(&c);
	script_show(&c, "H", "hello  v1 a1 f5e3 e0\n");
	line[255] = 'a';
	line[100] = '\n';
	wire_feed(c.w, (const uint8_t *)line, 255);
	assert_int_equal(c.w->stats.text_bytes, 0);
	wire_feed(c.w, (const uint8_t *)line + 255, 1);
	assert_int_equal(c.w->stats.text_bytes, 101);
	/* Without an end half of what is kept goes on when it is full. */
	wire_feed(c.w, (const uint8_t *)line + 256, 255);
	assert_int_equal(c.w->stats.text_bytes, 101);
	wire_feed(c.w, (const uint8_t *)line + 511, 1);
	assert_int_equal(c.w->stats.text_bytes, 256);
	wire_feed(c.w, (const uint8_t *)line + 512, 100);
	wire_feed(c.w, (const uint8_t *)"", 1);
	assert_int_equal(c.w->stats.text_bytes, 612);
	console_close(&c);
}

/* The same is shown, and as early, however the bytes are split. */
static void what_is_shown_depends_on_the_bytes_alone(void **state)
{
	uint8_t bytes[1600];
	size_t n = 0;

	(void)state;
	for (unsigned i = 0; n + 300 < sizeof(bytes); i++) {
		size_t length = 40 + i * 97 % 260;

		memset(bytes + n, 'a' + (int)i, length);
		if (i % 3 == 0)
			memcpy(bytes + n, "\7\11\1", 3);
		bytes[n + length - 1] = '\n';
		n += length;
		if (i % 4 == 3)
			bytes[n++] = 0;
	}
	for (size_t step = 1; step < 400; step = step * 2 + 1) {
		struct console one, other;

		console_open(&one);
		console_open(&other);
		script_show(&one, "H", "hello  v1 a1 f5e3 e0\n");
		script_show(&other, "H", "hello  v1 a1 f5e3 e0\n");
		for (size_t i = 0; i < n; i += step) {
			size_t k = n - i < step ? n - i : step;

			stream_feed(one.w, bytes + i, k, 1);
			wire_feed(other.w, bytes + i, k);
			assert_int_equal(one.l.text.len, other.l.text.len);
		}
		assert_string_equal(buf_str(&one.l.text), buf_str(&other.l.text));
		console_close(&one);
		console_close(&other);
	}
}

/* --- is it a stream of frames? ---------------------------------------------------------------- */

/* Bytes looked at, in pieces of `step`; 0: no frames were found. */
static size_t frames_spot(const void *data, size_t n, size_t step, bool *hello)
{
	struct wsn_spotter s = { .len = 0 };
	const uint8_t *p = data;
	bool found = false;
	size_t at = 0;

	while (at < n && !found) {
		size_t k = n - at < step ? n - at : step;

		for (size_t i = 0; i < k && !found;)
			i += wsn_spot(&s, p + at + i, k - i, &found), *hello = s.hello;
		at += k;
	}
	return found ? at : 0;
}

static void frames_are_spotted_in_any_stream(void **state)
{
	static const struct { const char *name, *script; bool found, hello; } rows[] = {
		{ "a HELLO", "t boot\r\n|H", true, true },
		{ "one of a version to come", "H v=2", false, false },
		{ "two frames", "T 1|t text|T 2", true, false },
		{ "a HELLO behind a frame", "T 1|H", true, true },
		{ "a copy tells nothing", "T 1|d|d", false, false },
		{ "64 frames later", "q 100|T 1|q 164|T 2", true, false },
		{ "65", "q 100|T 1|q 165|T 2", false, false },
		{ "63, around", "q 200|T 1|q 7|T 2", true, false },
		{ "backwards", "q 100|T 1|q 99|T 2", false, false },
		{ "of two epochs", "T 1|e 1|T 2", false, false },
		{ "of epochs that differ in one bit", "e 4|T 1|e 6|T 2", false, false },
		{ "of one high epoch", "e 7|T 1|T 2", true, false },
		{ "an identity is the last type", "X 10 1 2 3 4|X 10 1 2 3 5", true, false },
		{ "a type behind it", "X 11 1 2 3 4|X 11 1 2 3 5", false, false },
		{ "no type at all", "X 0 1 2 3 4|X 0 1 2 3 5", false, false },
		{ "one byte of a body is the least", "X 2 1|X 2 1", true, false },
		{ "none is no frame", "X 2|X 2", false, false },
		{ "noise between", "T 1|!T 2|t \1\2|T 3", true, false },
		{ "one frame between such that do not follow", "q 9|T 1|q 200|T 1|q 201|T 2", true,
		  false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .seq = 0 };

		stream_script(&s, rows[i].script);
		for (size_t step = 1; step <= s.out.len; step++) {
			bool hello = false;
			size_t at = frames_spot(s.out.data, s.out.len, step, &hello);

			if ((at > 0) != rows[i].found || (at && hello != rows[i].hello))
				fail_msg("%s, step %zu", rows[i].name, step);
		}
		stream_release(&s);
	}
}

/* The spotter ends right behind the zero that settles it, and has the frames that did. */
static void what_was_spotted_is_kept(void **state)
{
	struct stream s = { .seq = 0 };
	bool found;

	(void)state;
	stream_script(&s, "t word|T 1|t other|T 2|T 3");
	for (size_t step = 1; step <= s.out.len; step++) {
		struct wsn_spotter spot = { .len = 0 };
		size_t at = 0;

		for (found = false; !found;) {
			size_t k = s.out.len - at < step ? s.out.len - at : step;

			at += wsn_spot(&spot, (const uint8_t *)s.out.data + at, k, &found);
		}
		assert_int_equal(at, s.out.len - 8);	/* a STATUS with its zeros */
		assert_int_equal(spot.first_len, 6);
		assert_memory_equal(spot.first, s.out.data + 5, 6);
		assert_int_equal(spot.len, 6);
		assert_memory_equal(spot.segment, s.out.data + at - 7, 6);
		assert_int_equal(spot.frames, 1);
		assert_int_equal(spot.head[0], WSN_STATUS);
		assert_int_equal(spot.head[1], 0);
	}
	stream_release(&s);
}

/* Zeros everywhere, as addresses have them, at each distance before a frame. */
static void zeros_before_a_frame_hide_nothing(void **state)
{
	(void)state;
	for (size_t before = 0; before < 40; before++) {
		for (size_t apart = 1; apart < 12; apart++) {
			struct stream s = { .seq = 0 };
			uint8_t bytes[200];
			bool hello = false;

			for (size_t i = 0; i < before; i++)
				bytes[i] = i % apart ? 0x80 + (uint8_t)i : 0;
			stream_script(&s, "H");
			bytes[before] = 0;
			memcpy(bytes + before + 1, s.out.data, s.out.len);
			for (size_t step = 1; step < 20; step += 6)
				assert_true(frames_spot(bytes, before + 1 + s.out.len, step,
							&hello) > 0);
			assert_true(frames_spot(bytes, before + 1 + s.out.len, 200, &hello) > 0);
			stream_release(&s);
		}
	}
}

/* Frames of the greatest length, and a byte more, which is none: in one piece and in many. */
static void no_frame_is_longer_than_the_longest(void **state)
{
	(void)state;
	for (size_t more = 0; more < 3; more++) {
		uint8_t bytes[1200] = { 0 };
		size_t n = 1;

		for (uint8_t seq = 1; seq <= 2; seq++) {
			memset(bytes + n, 'x', more);
			n += more;
			n += long_frame(bytes + n, seq, WSN_BLOCK_MAX);
			bytes[n++] = 0;
		}
		for (size_t step = 1; step < n + 200; step += 100) {
			bool hello = false;

			assert_int_equal(frames_spot(bytes, n, step, &hello) > 0, more == 0);
		}
	}
}

/* A stream without zeros, in pieces that would fit one by one. */
static void a_stream_without_zeros_has_no_frames(void **state)
{
	struct stream s = { .seq = 0 };
	uint8_t bytes[4000];
	bool hello = false;

	(void)state;
	memset(bytes, 0x81, sizeof(bytes));
	stream_script(&s, "H");
	memcpy(bytes + 3800, s.out.data, s.out.len);
	for (size_t step = 50; step < 400; step += 50) {
		assert_int_equal(frames_spot(bytes, 3800, step, &hello), 0);
		assert_true(frames_spot(bytes, 3800 + s.out.len, step, &hello) > 0);
	}
	stream_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_utf8_that_may_be_cut),
		cmocka_unit_test(a_frame_is_found_behind_text_of_any_length),
		cmocka_unit_test(text_is_found_behind_a_frame_of_any_length),
		cmocka_unit_test(a_lost_zero_costs_no_frame),
		cmocka_unit_test(frames_and_text_are_told_in_their_order),
		cmocka_unit_test(a_line_is_shown_when_it_is_no_frame),
		cmocka_unit_test(what_is_shown_depends_on_the_bytes_alone),
		cmocka_unit_test(frames_are_spotted_in_any_stream),
		cmocka_unit_test(what_was_spotted_is_kept),
		cmocka_unit_test(zeros_before_a_frame_hide_nothing),
		cmocka_unit_test(no_frame_is_longer_than_the_longest),
		cmocka_unit_test(a_stream_without_zeros_has_no_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
