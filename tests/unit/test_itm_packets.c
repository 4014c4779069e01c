/*
 * SWO's packets and frames byte by byte, by the manuals (DDI 0403E.e, appendix D4; IHI 0029, "Trace
 * formatter"): which header is what, how long a packet is, what damage costs and where it ends.
 */
#include "tests/unit/unit.h"

#include <limits.h>

#include "core/wire/itm/packet.h"
#include "core/wire/itm/tpiu.h"

#define BYTES(...) { __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

/* --- packets ---------------------------------------------------------------------------------- */

struct packet_case {
	const char *name;
	uint8_t bytes[24];
	size_t n;
	struct itm_packet want[4];		/* until `bytes` is 0 */
	uint64_t skipped;
};

static const struct packet_case packet_cases[] = {
	/* kind, id, size, bytes, value */
	{ "synchronization", BYTES(0, 0, 0, 0, 0, 0x80), { { ITM_SYNC, 0, 0, 6, 0 } }, 0 },
	{ "more zeros before it", BYTES(0, 0, 0, 0, 0, 0, 0, 0x80), { { ITM_SYNC, 0, 0, 6, 0 } },
	  2 },
	{ "too few zeros", BYTES(0, 0, 0, 0, 0x80), { { ITM_RESERVED, 0, 1, 1, 0 } }, 4 },
	{ "too few behind a packet", BYTES(0x70, 0, 0, 0, 0, 0x80),
	  { { ITM_OVERFLOW, 0, 0, 1, 7 }, { ITM_RESERVED, 0, 1, 1, 0 } }, 4 },
	{ "zeros and a packet", BYTES(0, 0, 0, 0, 0, 0, 0x70), { { ITM_OVERFLOW, 0, 0, 1, 7 } },
	  6 },
	{ "two of them", BYTES(0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0x80),
	  { { ITM_SYNC, 0, 0, 6, 0 }, { ITM_SYNC, 0, 0, 6, 0 } }, 0 },
	{ "overflow", BYTES(0x70), { { ITM_OVERFLOW, 0, 0, 1, 7 } }, 0 },

	/* local time stamps */
	{ "short, least", BYTES(0x10), { { ITM_LOCAL_TIME, 0, 0, 1, 1 } }, 0 },
	{ "short, most", BYTES(0x60), { { ITM_LOCAL_TIME, 0, 0, 1, 6 } }, 0 },
	{ "long, of the time", BYTES(0xc0, 0x07), { { ITM_LOCAL_TIME, 0, 1, 2, 7 } }, 0 },
	{ "long, late", BYTES(0xd0, 0x7f), { { ITM_LOCAL_TIME, ITM_TIME_LATE, 1, 2, 127 } }, 0 },
	{ "long, of a late event", BYTES(0xe0, 0x80, 0x01),
	  { { ITM_LOCAL_TIME, ITM_EVENT_LATE, 2, 3, 128 } }, 0 },
	{ "long, both late", BYTES(0xf0, 0x85, 0x80, 0x01),
	  { { ITM_LOCAL_TIME, ITM_TIME_LATE | ITM_EVENT_LATE, 3, 4, 0x4005 } }, 0 },
	{ "the longest ends by itself", BYTES(0xc0, 0xff, 0xff, 0xff, 0xff, 0x10),
	  { { ITM_LOCAL_TIME, 0, 4, 5, 0xfffffff }, { ITM_LOCAL_TIME, 0, 0, 1, 1 } }, 0 },
	{ "of no ticks", BYTES(0xc0, 0x00), { { ITM_LOCAL_TIME, 0, 1, 2, 0 } }, 0 },

	/* global ones: bits 25 to 0, clock changed, wrapped; bits 47 to 26, or 63 to 26 */
	{ "low part, a byte", BYTES(0x94, 0x2a), { { ITM_GLOBAL_TIME, 0, 1, 2, 0x2a } }, 0 },
	{ "low part, wrapped", BYTES(0x94, 0x80, 0x80, 0x80, 0x40),
	  { { ITM_GLOBAL_TIME, 0, 4, 5, 1u << 27 } }, 0 },
	{ "low part, its clock changed", BYTES(0x94, 0xff, 0xff, 0xff, 0x3f),
	  { { ITM_GLOBAL_TIME, 0, 4, 5, (1u << 27) - 1 } }, 0 },
	{ "low part ends by itself", BYTES(0x94, 0x81, 0x80, 0x80, 0x80, 0x20),
	  { { ITM_GLOBAL_TIME, 0, 4, 5, 1 }, { ITM_LOCAL_TIME, 0, 0, 1, 2 } }, 0 },
	{ "high part of 48 bits", BYTES(0xb4, 0x81, 0x80, 0x80, 0x01),
	  { { ITM_GLOBAL_TIME, 1, 4, 5, 0x200001 } }, 0 },
	{ "high part of 64 bits", BYTES(0xb4, 0xff, 0xff, 0xff, 0xff, 0xff, 0x07),
	  { { ITM_GLOBAL_TIME, 1, 6, 7, 0x3fffffffff } }, 0 },
	{ "high part ends by itself", BYTES(0xb4, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x30),
	  { { ITM_GLOBAL_TIME, 1, 6, 7, 1ull << 35 }, { ITM_LOCAL_TIME, 0, 0, 1, 3 } }, 0 },

	/* extensions: of ITM and of hardware */
	{ "a page of ports", BYTES(0x28), { { ITM_EXTENSION, 0, 0, 1, 2 } }, 0 },
	{ "of hardware", BYTES(0x7c), { { ITM_EXTENSION, 0, 0, 1, 7 } }, 0 },
	{ "long", BYTES(0x88, 0x81, 0x02), { { ITM_EXTENSION, 0, 2, 3, 0x101 } }, 0 },
	{ "the longest", BYTES(0xfc, 0x80, 0x80, 0x80, 0x80, 0x10),
	  { { ITM_EXTENSION, 0, 4, 5, 0 }, { ITM_LOCAL_TIME, 0, 0, 1, 1 } }, 0 },

	/* sources of 1, 2 and 4 bytes */
	{ "port 0, a byte", BYTES(0x01, 0x41), { { ITM_STIMULUS, 0, 1, 2, 0x41 } }, 0 },
	{ "port 5, two", BYTES(0x2a, 0x34, 0x12), { { ITM_STIMULUS, 5, 2, 3, 0x1234 } }, 0 },
	{ "port 31, four", BYTES(0xfb, 0x78, 0x56, 0x34, 0x92),
	  { { ITM_STIMULUS, 31, 4, 5, 0x92345678 } }, 0 },
	{ "a counter wrapped", BYTES(0x05, 0x21), { { ITM_COUNTERS, 0, 1, 2, 0x21 } }, 0 },
	{ "a handler entered", BYTES(0x0e, 0x0f, 0x10),
	  { { ITM_EXCEPTION, ITM_ENTERED, 2, 3, 15 } }, 0 },
	{ "the last one left", BYTES(0x0e, 0xff, 0x21),
	  { { ITM_EXCEPTION, ITM_EXITED, 2, 3, 0x1ff } }, 0 },
	{ "back in the program", BYTES(0x0e, 0x00, 0x30),
	  { { ITM_EXCEPTION, ITM_RETURNED, 2, 3, 0 } }, 0 },
	{ "bits that say nothing", BYTES(0x0e, 0x0b, 0xde),
	  { { ITM_EXCEPTION, ITM_ENTERED, 2, 3, 0xb } }, 0 },
	{ "neither entered nor left", BYTES(0x0e, 0x0f, 0x00), { { ITM_RESERVED, 0, 2, 3, 15 } },
	  0 },
	{ "a PC", BYTES(0x17, 0x00, 0x01, 0x00, 0x08), { { ITM_PC, 2, 4, 5, 0x08000100 } }, 0 },
	{ "asleep", BYTES(0x15, 0x00), { { ITM_SLEEP, 2, 1, 2, 0 } }, 0 },
	{ "no PC is permitted", BYTES(0x15, 0xff), { { ITM_SLEEP, 2, 1, 2, 0xff } }, 0 },
	{ "the PC of a match", BYTES(0x57, 0x10, 0x02, 0x00, 0x08),
	  { { ITM_DATA_PC, 1, 4, 5, 0x08000210 } }, 0 },
	{ "its address", BYTES(0x6e, 0xfe, 0xca), { { ITM_DATA_ADDRESS, 2, 2, 3, 0xcafe } }, 0 },
	{ "a byte read", BYTES(0x85, 0x80), { { ITM_DATA_READ, 0, 1, 2, 0x80 } }, 0 },
	{ "two written", BYTES(0xbe, 0x80, 0xff), { { ITM_DATA_WRITE, 3, 2, 3, 0xff80 } }, 0 },
	{ "four read", BYTES(0xa7, 0x80, 0x80, 0x80, 0x80),
	  { { ITM_DATA_READ, 2, 4, 5, 0x80808080 } }, 0 },
	{ "it matched, no more", BYTES(0x75, 0x01), { { ITM_DATA_MATCH, 3, 1, 2, 1 } }, 0 },
};

static void packet_check(const char *name, const struct itm_packet *is,
			 const struct itm_packet *want)
{
	if (is->kind != want->kind || is->size != want->size || is->bytes != want->bytes ||
	    is->value != want->value || (want->kind != ITM_RESERVED && is->id != want->id &&
	    want->kind != ITM_PC && want->kind != ITM_SLEEP))
		fail_msg("%s: kind %d id %u size %u bytes %u value %llx", name, is->kind, is->id,
			 is->size, is->bytes, (unsigned long long)is->value);
}

/* Behind each of them stands a header: of a letter. */
static void packet_case_run(const struct packet_case *v)
{
	static const struct itm_packet letter = { ITM_STIMULUS, 0, 1, 2, 'a' };
	struct itm_parser p = { .need = 0 };
	struct itm_packet is;
	size_t heard = 0;

	for (size_t i = 0; i < v->n; i++) {
		if (!itm_parse(&p, v->bytes[i], &is))
			continue;
		if (heard == COUNT(v->want) || !v->want[heard].bytes)
			fail_msg("%s: one packet more, of kind %d", v->name, is.kind);
		packet_check(v->name, &is, &v->want[heard++]);
	}
	if (heard < COUNT(v->want) && v->want[heard].bytes)
		fail_msg("%s: %zu packets", v->name, heard);
	if (p.skipped != v->skipped)
		fail_msg("%s: %llu skipped", v->name, (unsigned long long)p.skipped);
	if (itm_parse(&p, 0x01, &is) || !itm_parse(&p, 'a', &is))
		fail_msg("%s: no header is awaited", v->name);
	packet_check(v->name, &is, &letter);
}

static void packets_are_as_the_manual_has_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(packet_cases); i++)
		packet_case_run(&packet_cases[i]);
}

/* Each header that is of no packet is told, and costs itself alone. */
static void headers_of_nothing_are_told(void **state)
{
	static const uint8_t none[] = {
		0x04, 0x14, 0x24, 0x34, 0x44, 0x54, 0x64, 0x74, 0x80, 0x84, 0x90, 0xa0, 0xa4, 0xb0,
		0xc4, 0xd4, 0xe4, 0xf4,
	};
	size_t found = 0;

	(void)state;
	for (unsigned head = 1; head < 256; head++) {
		struct itm_parser p = { .need = 0 };
		struct itm_packet k;
		bool whole = itm_parse(&p, (uint8_t)head, &k);

		if (!whole || k.kind != ITM_RESERVED)
			continue;
		assert_true(found < COUNT(none));
		assert_int_equal(head, none[found++]);
		assert_int_equal(k.size, 1);
		assert_int_equal(k.bytes, 1);
		assert_int_equal(p.need, 0);
	}
	assert_int_equal(found, COUNT(none));
}

/* Packets of hardware: by the header's id, from first to last, and the payload's size. */
static const struct {
	unsigned first, last, step, size;
	enum itm_kind kind;
} hardware[] = {
	{ 0, 0, 1, 1, ITM_COUNTERS }, { 1, 1, 1, 2, ITM_EXCEPTION },
	{ 2, 2, 1, 1, ITM_SLEEP }, { 2, 2, 1, 4, ITM_PC },
	{ 8, 14, 2, 1, ITM_DATA_MATCH }, { 8, 14, 2, 4, ITM_DATA_PC },
	{ 9, 15, 2, 2, ITM_DATA_ADDRESS },
	{ 16, 22, 2, 1, ITM_DATA_READ }, { 16, 22, 2, 2, ITM_DATA_READ },
	{ 16, 22, 2, 4, ITM_DATA_READ },
	{ 17, 23, 2, 1, ITM_DATA_WRITE }, { 17, 23, 2, 2, ITM_DATA_WRITE },
	{ 17, 23, 2, 4, ITM_DATA_WRITE },
};

static enum itm_kind hardware_kind(unsigned id, unsigned size)
{
	for (size_t i = 0; i < COUNT(hardware); i++) {
		if (id >= hardware[i].first && id <= hardware[i].last && size == hardware[i].size &&
		    (id - hardware[i].first) % hardware[i].step == 0)
			return hardware[i].kind;
	}
	return ITM_RESERVED;
}

static void hardware_has_its_sizes(void **state)
{
	static const unsigned sizes[] = { 0, 1, 2, 4 };

	(void)state;
	for (unsigned id = 0; id < 32; id++) {
		for (unsigned ss = 1; ss < 4; ss++) {
			struct itm_parser p = { .need = 0 };
			struct itm_packet k;

			assert_false(itm_parse(&p, (uint8_t)(id << 3 | 4 | ss), &k));
			for (unsigned at = 1; at <= sizes[ss]; at++)
				assert_int_equal(itm_parse(&p, at == 2 ? 0x10 : 0x01, &k),
						 at == sizes[ss]);
			assert_int_equal(k.size, sizes[ss]);
			assert_int_equal(k.bytes, 1 + sizes[ss]);
			assert_int_equal(k.kind, hardware_kind(id, sizes[ss]));
		}
	}
}

/*
 * Bytes were lost, and the packet took some of the synchronization's zeros for its own: what stands
 * behind them is one nevertheless, for no header is a zero. The zeros it took are counted.
 */
static void a_cut_packet_hides_no_synchronization(void **state)
{
	static const struct {
		const char *name;
		uint8_t bytes[5];
		size_t n;
		uint64_t taken;			/* zeros that the packet has for its own */
	} rows[] = {
		{ "a PC's header", BYTES(0x17), 4 }, { "a PC's first byte", BYTES(0x17, 0x12), 3 },
		{ "a PC but for a byte", BYTES(0x17, 0x12, 0x34, 0x56), 1 },
		{ "a whole PC", BYTES(0x17, 0x12, 0x34, 0x56, 0x08), 0 },
		{ "a whole one of zeros", BYTES(0x8f, 0, 0, 0, 0), 0 },
		{ "an exception's header", BYTES(0x0e), 2 }, { "text's", BYTES(0x01), 1 },
		{ "a time stamp's", BYTES(0xc0), 1 },
		{ "a long one's", BYTES(0xc0, 0x81, 0x80), 1 },
		{ "a global one's", BYTES(0xb4, 0x80), 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct itm_parser p = { .need = 0 };
		struct itm_packet k;
		uint64_t skipped;

		for (size_t at = 0; at < rows[i].n; at++)
			itm_parse(&p, rows[i].bytes[at], &k);
		for (size_t at = 0; at < 5; at++)
			itm_parse(&p, 0, &k);
		skipped = p.skipped;
		if (!itm_parse(&p, 0x80, &k) || k.kind != ITM_SYNC || k.bytes != 6 || skipped ||
		    p.skipped != rows[i].taken)
			fail_msg("%s: kind %d, %llu skipped", rows[i].name, k.kind,
				 (unsigned long long)p.skipped);
		assert_false(itm_parse(&p, 0x01, &k));
		assert_true(itm_parse(&p, 'b', &k));
		assert_int_equal(k.kind, ITM_STIMULUS);
		assert_int_equal(p.skipped, rows[i].taken);
	}
}

/* --- frames ----------------------------------------------------------------------------------- */

#define SYNC 0xff, 0xff, 0xff, 0x7f
#define FILL 0xff, 0x7f

struct frame_case {
	const char *name;
	uint8_t bytes[64];
	size_t n;
	const char *want;		/* stream and a colon where it changes, bytes */
	uint64_t frames, syncs, dropped;
};

static const struct frame_case frame_cases[] = {
	{ "low bits stand in the last byte",
	  BYTES(0x03, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad,
		0xae, 0xaa),
	  "1: a1 a3 a3 a4 a5 a7 a7 a8 a9 ab ab ac ad af", 1, 0, 0 },
	{ "a stream begins at once, or a byte later",
	  BYTES(0x03, 0x11, 0x05, 0x21, 0x07, 0x22, 0x30, 0x33, 0x09, 0x34, 0x03, 0x41, 0x04, 0x05,
		0x0a, 0x52),
	  "1: 11 21 3: 22 30 33 34 1: 41 05 05 0a", 1, 0, 0 },
	{ "a later one that is later still",
	  BYTES(0x03, 0x11, 0x05, 0x21, 0x07, 0x22, 0x30, 0x33, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x06),
	  "1: 11 21 2: 22 3: 30 33 00 00 00 00 00 00 00", 1, 0, 0 },
	{ "a stream goes on in the next frame",
	  BYTES(0x03, 0x11, 0x03, 0x12, 0x03, 0x13, 0x03, 0x14, 0x03, 0x15, 0x03, 0x16, 0x03, 0x17,
		0x18, 0x00,
		0x20, 0x21, 0x03, 0x22, 0x03, 0x23, 0x03, 0x24, 0x03, 0x25, 0x03, 0x26, 0x03, 0x27,
		0x28, 0x81),
	  "1: 11 12 13 14 15 16 17 18 21 21 22 23 24 25 26 27 29", 2, 0, 0 },
	{ "an id is the last byte of data",
	  BYTES(0x03, 0x11, 0x03, 0x12, 0x03, 0x13, 0x03, 0x14, 0x03, 0x15, 0x03, 0x16, 0x03, 0x17,
		0x05, 0x00,
		0x20, 0x21, 0x05, 0x22, 0x05, 0x23, 0x05, 0x24, 0x05, 0x25, 0x05, 0x26, 0x05, 0x27,
		0x07, 0x80,
		0x30, 0x31, 0x07, 0x32, 0x07, 0x33, 0x07, 0x34, 0x07, 0x35, 0x07, 0x36, 0x07, 0x37,
		0x38, 0x00),
	  "1: 11 12 13 14 15 16 17 2: 20 21 22 23 24 25 26 27 "
	  "3: 30 31 32 33 34 35 36 37 38", 3, 0, 0 },
	{ "nothing before the first id",
	  BYTES(0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x03, 0x19, 0x1a, 0x1b, 0x1c, 0x1d,
		0x1e, 0x00),
	  "0: 10 11 12 13 14 15 16 17 1: 19 1a 1b 1c 1d 1e", 1, 0, 0 },
	{ "fillers before, in and behind a frame",
	  BYTES(FILL, FILL, 0x03, 0xa1, FILL, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, FILL,
		FILL, FILL, 0xaa, 0xab, 0xac, 0xad, FILL, 0xae, 0x00, FILL),
	  "1: a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae", 1, 0, 0 },
	{ "what looks like one at an odd place: a byte and an id",
	  BYTES(0x03, 0xff, 0x7f, 0x11, 0x03, 0x7f, 0xfe, 0x7f, 0xfe, 0xff, 0x03, 0xff, 0x10, 0xff,
		0x7e, 0x00),
	  "1: ff 63: 11 1: 7f fe 7f fe ff ff 10 ff 7e", 1, 0, 0 },
	{ "synchronization between frames",
	  BYTES(SYNC, 0x03, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac,
		0xad, 0xae, 0xfe, SYNC, SYNC, 0x10, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8,
		0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0x00),
	  "1: a1 a3 a3 a5 a5 a7 a7 a9 a9 ab ab ad ad af "
	  "10 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae", 2, 3, 0 },
	{ "behind a frame that ends like one",
	  BYTES(0x03, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0xff,
		0xfe, 0xff, SYNC, 0x03, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a,
		0x2b, 0x2c, 0x2d, 0x2e, 0x00),
	  "0: 11 1: 13 13 15 15 17 17 19 19 1b 1b 1d ff ff "
	  "21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e", 2, 1, 0 },
};

/* The pieces behind those that are there already. */
static void pieces_write(char *text, size_t size, const struct tpiu_piece *of, size_t n,
			 unsigned *stream)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(text);

		if (of[i].stream != *stream)
			snprintf(text + len, size - len, "%s%u:", len ? " " : "", of[i].stream);
		*stream = of[i].stream;
		len = strlen(text);
		snprintf(text + len, size - len, " %02x", of[i].byte);
	}
}

static void frame_case_run(const struct frame_case *v)
{
	struct tpiu_piece pieces[TPIU_DATA];
	struct tpiu t = { .have = 0 };
	unsigned stream = UINT_MAX;
	char text[400] = "";

	for (size_t i = 0; i < v->n; i++)
		pieces_write(text, sizeof(text), pieces, tpiu_take(&t, v->bytes[i], pieces),
			     &stream);
	if (strcmp(text, v->want) != 0 || t.frames != v->frames || t.syncs != v->syncs ||
	    t.dropped != v->dropped)
		fail_msg("%s: %s; %llu frames, %llu syncs, %llu dropped", v->name, text,
			 (unsigned long long)t.frames, (unsigned long long)t.syncs,
			 (unsigned long long)t.dropped);
}

static void frames_are_as_the_manual_has_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(frame_cases); i++)
		frame_case_run(&frame_cases[i]);
}

/*
 * Of a frame only the first bytes came: the one behind the synchronization is whole, also where the
 * cut one took a part of that for its own last bytes.
 */
static void a_cut_frame_hides_no_synchronization(void **state)
{
	static const uint8_t frame[] = { 0x05, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19,
					 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x00 };
	static const uint8_t sync[] = { SYNC };

	(void)state;
	for (size_t cut = 0; cut < sizeof(frame); cut++) {
		struct tpiu_piece pieces[TPIU_DATA];
		struct tpiu t = { .have = 0 };
		size_t n = 0;
		bool filled = cut + sizeof(sync) > sizeof(frame);

		for (size_t i = 0; i < cut; i++)
			assert_int_equal(tpiu_take(&t, frame[i], pieces), 0);
		for (size_t i = 0; i < sizeof(sync); i++)
			tpiu_take(&t, sync[i], pieces);
		assert_int_equal(t.syncs, 1);
		assert_int_equal(t.frames, filled);
		assert_int_equal(t.dropped, filled ? 0 : cut);
		for (size_t i = 0; i < sizeof(frame); i++) {
			assert_int_equal(n, 0);
			n = tpiu_take(&t, frame[i], pieces);
		}
		assert_int_equal(n, 14);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(pieces[i].stream, 2);
			assert_int_equal(pieces[i].byte, 0x11 + i);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_as_the_manual_has_them),
		cmocka_unit_test(headers_of_nothing_are_told),
		cmocka_unit_test(hardware_has_its_sizes),
		cmocka_unit_test(a_cut_packet_hides_no_synchronization),
		cmocka_unit_test(frames_are_as_the_manual_has_them),
		cmocka_unit_test(a_cut_frame_hides_no_synchronization),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
