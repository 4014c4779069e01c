/*
 * Is a stream in a TPIU's frames, and where do they begin? What makes packets plausible, one kind
 * against another; when it is sure; frames with synchronizations and without, of several streams.
 */
#include "tests/unit/unit.h"

#include "core/wire/itm/framing.h"
#include "core/wire/itm/tpiu.h"
#include "tests/unit/itm_stream.h"

enum { BASE = 0x08000000, CODE = 4096, TEXT_ENDS = 2048 };

static uint8_t flags[CODE / 2];
static struct codemap map = { .arch = CODE_ARM, .base = BASE, .size = CODE, .flags = flags };
static struct itm_stream bare, framed;

static int map_make(void **state)
{
	(void)state;
	memset(flags, CODE_TEXT, TEXT_ENDS / 2);
	return 0;
}

/* --- what is plausible ------------------------------------------------------------------------ */

#define SURE "000000000080000000000080 "	/* two synchronizations */

static size_t hex_read(uint8_t *dst, const char *hex)
{
	size_t n = 0;
	unsigned byte;

	for (; *hex; hex += *hex == ' ' ? 1 : 2) {
		if (*hex != ' ' && sscanf(hex, "%2x", &byte) == 1)
			dst[n++] = (uint8_t)byte;
	}
	return n;
}

static struct itm_framing hex_find(const char *hex, const struct codemap *code, bool *sure)
{
	struct itm_framing f;

	bare.n = hex_read(bare.bytes, hex);
	*sure = itm_framing_find(&f, bare.bytes, bare.n, code);
	return f;
}

static int hex_score(const char *hex, const struct codemap *code)
{
	char whole[256];
	bool sure;

	snprintf(whole, sizeof(whole), SURE "%s", hex);
	return hex_find(whole, code, &sure).score;
}

/* The first one is as plausible as the second, less so, or more. */
static const struct {
	const char *name, *a, *b;
	int order;			/* of a against b */
	bool code;			/* with an image */
} plausible[] = {
	{ "text is more than nothing", "0141", "", 1, false },
	{ "port 1 is as good as port 0", "0941", "0141", 0, false },
	{ "port 2 is doubtful", "1141", "", -1, false },
	{ "port 2 is so by little", "1141 0141", "", 0, false },
	{ "a blank is text", "0120", "0141", 0, false },
	{ "what stands before it is not", "011f", "0141", -1, false },
	{ "but it may be sent", "011f", "", 0, false },
	{ "the last letter", "017e", "0141", 0, false },
	{ "and behind it", "017f", "", 0, false },
	{ "bytes are text, words are not", "024100", "", 0, false },
	{ "two letters at once", "024142", "", 0, false },
	{ "a handler is more than a letter", "0e0f10", "0141", 1, false },
	{ "the last handler", "0eff10", "0e0f10", 0, false },
	{ "more than any chip has", "0e0011", "", -1, false },
	{ "that is as bad as a header of nothing", "0e0011", "04", 0, false },
	{ "sleep is a little", "1500", "0141", 0, false },
	{ "a time stamp too", "10", "0141", 0, false },
	{ "a global one too", "9401", "0141", 0, false },
	{ "counters are nothing", "0501", "", 0, false },
	{ "an overflow is nothing", "70", "", 0, false },
	{ "an extension is doubtful", "08", "1141", 0, false },
	{ "a synchronization is much", "000000000080", "0e0f10 0e0f10 0e0f10 0e0f10", 1, false },
	{ "zeros of none are bad, each", "0000 0141", "000000 0141 0141", 0, false },
	{ "PCs near each other", "17 00010008 17 02010008", "17 00010008 17 02010108", 1, false },
	{ "one alone is far", "17 00010008", "", -1, false },
	{ "an odd PC is bad", "17 01010008", "17 00010008", -1, false },
	{ "one in code is good", "17 00010008", "0e0f10", 1, true },
	{ "wherever it is", "17 00010008 17 fe070008", "17 00010008 17 02010008", 0, true },
	{ "behind the code it is bad", "17 00080008", "", -1, true },
	{ "behind the image it is", "17 00010108", "17 00080008", 0, true },
	{ "an odd one is worse, in code too", "17 01010008", "17 00080008", -1, true },
	{ "those behind it by each other", "17 00080008 17 02080008", "17 00080008 17 02080009",
	  1, true },
	{ "a match's PC is one", "47 00010008", "17 00010008", 0, true },
	{ "a match's value is nothing", "8f 00010008", "", 0, true },
};

static void packets_have_their_weight(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(plausible); i++) {
		const struct codemap *code = plausible[i].code ? &map : NULL;
		int a = hex_score(plausible[i].a, code), b = hex_score(plausible[i].b, code);

		if ((a > b) - (a < b) != plausible[i].order)
			fail_msg("%s: %d, %d", plausible[i].name, a, b);
	}
}

/* PCs are counted, those in code too: even, in the text. */
static void pcs_are_counted(void **state)
{
	struct itm_framing f;
	bool sure;

	(void)state;
	f = hex_find(SURE "17 00010008 17 02010008 47 04010008 17 01010008 17 00080008 0141",
		     &map, &sure);
	assert_true(sure);
	assert_int_equal(f.phase, FRAMING_RAW);
	assert_int_equal(f.pcs, 5);
	assert_int_equal(f.in_code, 3);
	f = hex_find(SURE "17 00010008", NULL, &sure);
	assert_int_equal(f.pcs, 1);
	assert_int_equal(f.in_code, 0);
}

/* --- when it is sure -------------------------------------------------------------------------- */

/* A synchronization and so many letters; nothing else has any sense. */
static void enough_is_sure(void **state)
{
	struct itm_framing f;

	(void)state;
	for (unsigned letters = 0; letters < 16; letters++) {
		bare.n = 0;
		itm_sync(&bare);
		for (unsigned i = 0; i < letters; i++)
			itm_text(&bare, 0, "x");
		assert_int_equal(itm_framing_find(&f, bare.bytes, bare.n, NULL), letters >= 8);
		assert_int_equal(f.phase, FRAMING_RAW);
		assert_int_equal(f.score, 16 + (int)letters);
	}
	assert_false(itm_framing_find(&f, bare.bytes, 0, NULL));
	assert_int_equal(f.phase, FRAMING_RAW);
}

/* Letters at port 1 by one reading, time stamps in frames of stream 4 by the other. */
static void two_readings_are_not(void **state)
{
	struct itm_framing f;

	(void)state;
	for (unsigned frames = 1; frames < 20; frames++) {
		for (size_t i = 0; i < 8 * (size_t)frames; i++) {
			bare.bytes[2 * i] = 0x09;
			bare.bytes[2 * i + 1] = i % 8 == 7 ? 0x20 : 0x60;
		}
		assert_int_equal(itm_framing_find(&f, bare.bytes, 16 * (size_t)frames, NULL),
				 frames >= 8);
		assert_int_equal(f.phase, FRAMING_RAW);
		assert_int_equal(f.score, 8 * frames);
		assert_int_equal(f.second, 7 * frames);
	}
}

/* --- frames ----------------------------------------------------------------------------------- */

static void handlers_make(struct itm_stream *s, size_t rounds)
{
	s->n = 0;
	for (size_t i = 0; i < rounds; i++) {
		itm_exception(s, 1, 15);
		itm_time(s, 3);
		itm_exception(s, 2, 15);
		itm_time(s, 300);
		itm_exception(s, 3, 0);
	}
}

/* What stands before and between the frames. */
enum between { NOTHING, SYNCS, SYNCS_OFTEN, FILLERS };

static size_t frames_write(uint8_t *dst, const struct itm_stream *frames, enum between between)
{
	static const uint8_t sync[] = { 0xff, 0xff, 0xff, 0x7f };
	size_t n = 0;

	for (size_t at = 0; at < frames->n; at += TPIU_FRAME) {
		if (between == SYNCS_OFTEN || (between == SYNCS && at / TPIU_FRAME % 8 == 0)) {
			memcpy(dst + n, sync, sizeof(sync));
			n += sizeof(sync);
		}
		memcpy(dst + n, frames->bytes + at, TPIU_FRAME);
		n += TPIU_FRAME;
		if (between == FILLERS) {
			memcpy(dst + n, sync + 2, 2);
			n += 2;
		}
	}
	return n;
}

/*
 * Wherever the recording begins. Where synchronizations are, every reading comes into step: they
 * are the same one, and none makes another doubtful.
 */
static void frames_are_found_with_what_is_between(void **state)
{
	static const char *const names[] = { "nothing", "syncs", "syncs often", "fillers" };
	static uint8_t bytes[ITM_BYTES];
	struct itm_framing f;

	(void)state;
	handlers_make(&bare, 60);
	itm_frame(&framed, &bare, 3, false);
	for (enum between between = NOTHING; between <= FILLERS; between++) {
		size_t n = frames_write(bytes, &framed, between);

		for (size_t cut = 0; cut < 32; cut++) {
			if (!itm_framing_find(&f, bytes + cut, n - cut, &map) || f.stream != 3 ||
			    f.phase == FRAMING_RAW)
				fail_msg("%s, without the first %zu bytes: phase %d, score %d, "
					 "second %d", names[between], cut, f.phase, f.score,
					 f.second);
			if (between == NOTHING)
				assert_int_equal(f.phase, (32 - cut) % 16);
			if (between == SYNCS_OFTEN && cut == 5)	/* of equal ones the first */
				assert_int_equal(f.phase, 0);
		}
	}
}

/* A frame of before that noise fell upon does not move the first one to the next. */
static void a_spoilt_frame_is_one(void **state)
{
	struct itm_framing f;

	(void)state;
	handlers_make(&bare, 60);
	itm_frame(&framed, &bare, 3, false);
	memset(framed.bytes + 1, 0x04, 14);
	assert_true(itm_framing_find(&f, framed.bytes, framed.n, &map));
	assert_int_equal(f.phase, 0);
}

enum { STREAM = 32 };		/* the first one: no header that counts for anything */

/* What is not whole tells nothing; zeros that are no synchronization tell against it. */
static void frames_count_whole(void **state)
{
	struct itm_framing whole, cut, zeros;

	(void)state;
	handlers_make(&bare, 60);
	itm_frame(&framed, &bare, 3, false);
	itm_framing_find(&whole, framed.bytes, framed.n - TPIU_FRAME, &map);
	itm_framing_find(&cut, framed.bytes, framed.n - 1, &map);
	assert_int_equal(cut.score, whole.score);
	handlers_make(&bare, 70);		/* a multiple of what a frame holds, */
	while (bare.n % 14)
		bare.bytes[bare.n++] = 0x10;
	itm_frame(&framed, &bare, 3, false);
	itm_framing_find(&whole, framed.bytes, framed.n, &map);
	memset(bare.bytes + bare.n, 0, 13);	/* and zeros before a time stamp */
	bare.bytes[bare.n + 13] = 0x10;
	bare.n += 14;
	itm_frame(&framed, &bare, 3, false);
	itm_framing_find(&zeros, framed.bytes, framed.n, &map);
	assert_int_equal(zeros.score, whole.score + 1 - 13);
}

/* Pairs of an id and a byte: `count` streams in turn, of which some are of handlers. */
static void mixed_make(unsigned count, unsigned good, unsigned also)
{
	unsigned turn = 0;
	size_t sent[8] = { 0 };

	framed.n = 0;
	for (size_t frame = 0; frame < 80; frame++) {
		uint8_t *f = framed.bytes + framed.n;

		memset(f, 0, TPIU_FRAME);
		f[14] = 1;			/* of no stream: nothing */
		for (size_t i = 0; i < 14; i += 2) {
			unsigned of = turn++ % count;
			bool handlers = of == good || of == also;

			f[i] = (uint8_t)((STREAM + of) << 1 | 1);
			f[i + 1] = handlers ? bare.bytes[sent[of]++] : 0x04;
		}
		framed.n += TPIU_FRAME;
	}
}

/* Four streams are looked at; the most plausible is taken, of equal ones the first. */
static void the_best_stream_is_taken(void **state)
{
	struct itm_framing f;

	(void)state;
	handlers_make(&bare, 60);
	for (unsigned count = 1; count <= 5; count++) {
		for (unsigned good = 0; good < count; good++) {
			mixed_make(count, good, good);
			assert_int_equal(itm_framing_find(&f, framed.bytes, framed.n, NULL),
					 good < 4);
			if (good < 4)
				assert_int_equal(f.stream, STREAM + good);
		}
	}
	mixed_make(2, 0, 1);
	assert_true(itm_framing_find(&f, framed.bytes, 40 * TPIU_FRAME, NULL));	/* 140 of each */
	assert_int_equal(f.stream, STREAM);
	mixed_make(3, 1, 2);
	assert_true(itm_framing_find(&f, framed.bytes, 63 * TPIU_FRAME, NULL));	/* 147 of each */
	assert_int_equal(f.stream, STREAM + 1);
}

/* Bytes of stream 0 are of nobody: without the frames there is more sense in them. */
static void stream_0_is_none(void **state)
{
	struct itm_framing f;

	(void)state;
	handlers_make(&bare, 60);
	itm_frame(&framed, &bare, 0, false);
	itm_framing_find(&f, framed.bytes, framed.n, &map);
	assert_int_equal(f.phase, FRAMING_RAW);
	itm_frame(&framed, &bare, 1, false);
	itm_framing_find(&f, framed.bytes, framed.n, &map);
	assert_int_equal(f.phase, 0);
	assert_int_equal(f.stream, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_have_their_weight),
		cmocka_unit_test(pcs_are_counted),
		cmocka_unit_test(enough_is_sure),
		cmocka_unit_test(two_readings_are_not),
		cmocka_unit_test(frames_are_found_with_what_is_between),
		cmocka_unit_test(a_spoilt_frame_is_one),
		cmocka_unit_test(frames_count_whole),
		cmocka_unit_test(the_best_stream_is_taken),
		cmocka_unit_test(stream_0_is_none),
	};

	return cmocka_run_group_tests(tests, map_make, NULL);
}
