/* SWO: packets of all kinds, in frames and bare, in any pieces, with errors; a real capture. */
#include "tests/unit/unit.h"

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/wire/itm/framing.h"
#include "core/wire/itm/packet.h"
#include "tests/unit/itm_stream.h"

#define CAPTURE "../shared/captures/swo-stm32f105/capture.bin"

enum { BASE = 0x08000000, CODE = 4096 };

static uint8_t flags[CODE / 2];
static struct codemap map = { .arch = CODE_ARM, .base = BASE, .size = CODE, .flags = flags };
static struct itm_stream bare, framed;

static int map_make(void **state)
{
	(void)state;
	memset(flags, CODE_TEXT, sizeof(flags));
	return 0;
}

/* Rounds of all that there is, with time stamps. */
static void stream_make(struct itm_stream *s, unsigned rounds, bool stamps)
{
	s->n = 0;
	for (unsigned i = 0; i < rounds; i++) {
		itm_pc(s, BASE + i * 26 % CODE);
		if (stamps)
			itm_time(s, 3);
		itm_exception(s, 1, 15);
		if (stamps)
			itm_time(s, 700);
		itm_pc(s, BASE + i * 6 % CODE);
		itm_exception(s, 2, 15);
		itm_exception(s, 3, 0);
		itm_writer(s, 1, BASE + 0x10);
		itm_written(s, 1, i, i % 3 == 2 ? 4 : i % 3 + 1);
		if (stamps)
			itm_time(s, 70000);
		itm_text(s, 0, i % 2 ? "on" : "off");
		itm_text(s, 1, "x");
		itm_sleep(s);
		if (i % 50 == 7)
			itm_overflow(s);
		if (i % 64 == 9)
			itm_sync(s);
	}
}

static void rounds_check(const struct itm_heard *h, unsigned rounds)
{
	assert_int_equal(h->pcs, 2 * rounds);
	assert_int_equal(h->asleep, rounds);
	assert_int_equal(h->entered, rounds);
	assert_int_equal(h->exited, rounds);
	assert_int_equal(h->returned, rounds);
	assert_int_equal(h->accesses, rounds);
	assert_int_equal(h->access_pcs, rounds);
	assert_int_equal(h->missing, (rounds + 42) / 50);
	assert_int_equal(h->stats.lost, h->missing);
	assert_int_equal(h->stats.resyncs, 0);
}

static void raw_packets_are_told(void **state)
{
	struct itm_heard h;

	(void)state;
	for (int with = 0; with < 2; with++) {
		for (int stamps = 0; stamps < 2; stamps++) {
			stream_make(&bare, 300, stamps);
			itm_hear(&h, with ? &map : NULL, bare.bytes, bare.n, bare.n);
			rounds_check(&h, 300);
			assert_int_equal(h.stats.bad_bytes, 0);
			assert_memory_equal(h.text, "offonoffon", 10);
			assert_int_equal(!h.ticks, !stamps);
		}
	}
}

/* Wherever the first frame begins; what stands before it is no stream. */
static void frames_are_found(void **state)
{
	static uint8_t late[ITM_BYTES + 16];
	struct itm_heard h;

	(void)state;
	stream_make(&bare, 300, true);
	for (int other = 0; other < 2; other++) {
		itm_frame(&framed, &bare, 1, other);
		for (size_t phase = 0; phase < 16; phase++) {
			memset(late, 0x5a, phase);
			memcpy(late + phase, framed.bytes, framed.n);
			itm_hear(&h, &map, late, framed.n + phase, 4096);
			rounds_check(&h, 300);
		}
	}
}

static void any_split_is_the_same(void **state)
{
	struct itm_heard whole, parts;

	(void)state;
	stream_make(&bare, 200, true);
	itm_frame(&framed, &bare, 1, true);
	for (int frames = 0; frames < 2; frames++) {
		const struct itm_stream *s = frames ? &framed : &bare;

		itm_hear(&whole, &map, s->bytes, s->n, s->n);
		for (size_t piece = 1; piece < 100; piece++) {
			itm_hear(&parts, &map, s->bytes, s->n, piece);
			assert_memory_equal(&parts, &whole, sizeof(whole));
		}
	}
}

/* All packets before a local time stamp have its time. */
static void time_stamps_date_what_is_before(void **state)
{
	static const struct {
		uint32_t ticks;
		unsigned bytes;
	} stamps[] = { { 1, 1 }, { 6, 1 }, { 7, 2 }, { 127, 2 }, { 128, 3 }, { 1 << 14, 4 },
		       { 1 << 27, 5 } };
	struct itm_parser p = { .need = 0 };
	struct itm_packet k;

	(void)state;
	for (size_t i = 0; i < COUNT(stamps); i++) {
		bare.n = 0;
		itm_time(&bare, stamps[i].ticks);
		assert_int_equal(bare.n, stamps[i].bytes);
		for (size_t at = 0; at < bare.n; at++)
			assert_int_equal(itm_parse(&p, bare.bytes[at], &k), at + 1 == bare.n);
		assert_int_equal(k.kind, ITM_LOCAL_TIME);
		assert_int_equal(k.value, stamps[i].ticks);
	}
}

/* --- matches of comparators ------------------------------------------------------------------- */

enum { HEARD_MOST = 16 };

struct matches {
	struct wire *wire;
	struct {
		struct wire_access access;
		uint64_t ticks;		/* UINT64_MAX: at no time */
	} of[HEARD_MOST];
	size_t count;
};

static void match_hear(void *ctx, const struct wire_access *a)
{
	struct matches *m = ctx;
	const struct wire_when *when = wire_when(m->wire);

	if (m->count == HEARD_MOST)
		m->count--;
	m->of[m->count].access = *a;
	m->of[m->count++].ticks = when->clock ? when->ticks : UINT64_MAX;
}

/* In one packet or several; those without a value end with the time stamp behind them. */
static void matches_have_their_parts(void **state)
{
	static const struct {
		uint8_t comparator, has;
		uint16_t address;
		uint32_t pc, value;
		uint64_t ticks;
	} rows[] = {
		{ 0, ACCESS_PC | ACCESS_VALUE | ACCESS_WRITE, 0, BASE + 0x10, 7, 100 },
		{ 1, ACCESS_ADDRESS | ACCESS_VALUE | ACCESS_WRITE, 0x1234, 0, 8, 200 },
		{ 2, ACCESS_ADDRESS, 0xfffe, 0, 0, 300 },
		{ 2, ACCESS_ADDRESS, 0xfffc, 0, 0, 300 },
		{ 3, ACCESS_MATCH, 0, 0, 0, 400 },
		{ 3, ACCESS_MATCH, 0, 0, 0, 400 },
		{ 3, ACCESS_PC, 0, BASE + 0x20, 0, 500 },
	};
	struct matches m = { .count = 0 };
	struct wire_sink sink = { .ctx = &m, .access = match_hear };

	(void)state;
	bare.n = 0;
	for (unsigned i = 0; i < 100; i++)
		itm_pc(&bare, BASE + 2 * (i % 16));
	itm_time(&bare, 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint8_t has = rows[i].has, of = (uint8_t)(rows[i].comparator << 1);

		if (has & ACCESS_PC)
			itm_writer(&bare, rows[i].comparator, rows[i].pc);
		if (has & ACCESS_ADDRESS)
			itm_add(&bare, (uint8_t)((9 | of) << 3 | 4 | 2), rows[i].address, 2);
		if (has & ACCESS_MATCH)
			itm_add(&bare, (uint8_t)((8 | of) << 3 | 4 | 1), 1, 1);
		if (has & ACCESS_VALUE)
			itm_written(&bare, rows[i].comparator, rows[i].value, 4);
		if (i + 1 == COUNT(rows) || rows[i + 1].ticks != rows[i].ticks)
			itm_time(&bare, i ? 100 : 99);
	}
	m.wire = wire_new("itm", &(struct wire_options){ .code = &map }, &sink, NULL);
	assert_non_null(m.wire);
	wire_feed(m.wire, bare.bytes, bare.n);
	assert_int_equal(m.count, COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct wire_access *a = &m.of[i].access;

		assert_int_equal(a->comparator, rows[i].comparator);
		assert_int_equal(a->has, rows[i].has);
		assert_int_equal(a->address, rows[i].address);
		assert_int_equal(a->pc, rows[i].pc);
		assert_int_equal(a->value, rows[i].value);
		assert_int_equal(m.of[i].ticks, rows[i].ticks);
	}
	wire_free(m.wire);
}

/* A bit of a thousand bytes flipped: some packets are wrong, all others are as they were. */
static void errors_cost_themselves(void **state)
{
	struct itm_heard h;
	uint32_t seed = 5;

	(void)state;
	stream_make(&bare, 900, true);
	for (size_t i = 0; i < bare.n / 1000; i++) {
		seed = seed * 1664525 + 1013904223;
		bare.bytes[seed % bare.n] ^= (uint8_t)(1 << (seed >> 28 & 7));
	}
	itm_hear(&h, &map, bare.bytes, bare.n, 777);
	assert_in_range(h.pcs, 1750, 1820);
	assert_in_range(h.entered, 870, 910);
	assert_int_equal(h.stats.resyncs, 0);
}

/* The formatter was switched on while the node ran. */
static void another_framing_is_found(void **state)
{
	static uint8_t both[2 * ITM_BYTES];
	struct itm_heard h;

	(void)state;
	stream_make(&bare, 400, false);
	itm_frame(&framed, &bare, 1, false);
	memcpy(both, bare.bytes, bare.n);
	memcpy(both + bare.n, framed.bytes, framed.n);
	itm_hear(&h, &map, both, bare.n + framed.n, 512);
	assert_true(h.stats.resyncs >= 1);
	assert_true(h.entered > 700);
}

static void any_bytes_are_taken(void **state)
{
	static uint8_t noise[1 << 16];
	struct itm_heard h;
	uint32_t seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
	itm_hear(&h, &map, noise, sizeof(noise), 100);
	assert_true(h.pcs < 10);
	assert_true(h.stats.bad_bytes + h.stats.text_bytes <= sizeof(noise));
	memset(noise, 0, sizeof(noise));
	itm_hear(&h, &map, noise, sizeof(noise), 100);
	assert_int_equal(h.stats.events, 0);
}

/* What its expected.json and sigrok-cli say. */
static void a_capture_of_an_stm32_is_read(void **state)
{
	struct itm_heard h;
	size_t n;
	char *bytes = file_read(CAPTURE, 1 << 20, &n, NULL);

	(void)state;
	if (!bytes) {
		printf("SKIP: no " CAPTURE "\n");
		skip();
	}
	for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
		itm_hear(&h, NULL, (const uint8_t *)bytes, n, piece);
		assert_int_equal(h.pcs, 393);
		assert_int_equal(h.entered, 8);
		assert_int_equal(h.exited, 0);
		assert_int_equal(h.returned, 8);
		assert_int_equal(h.missing, 14);
		assert_int_equal(h.access_pcs, 9);
		assert_int_equal(h.stats.bad_bytes, 0);
		assert_string_equal(h.text, "OnOffOnOffOnOffOnOffOnOff");
	}
	mem_free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_packets_are_told),
		cmocka_unit_test(frames_are_found),
		cmocka_unit_test(any_split_is_the_same),
		cmocka_unit_test(time_stamps_date_what_is_before),
		cmocka_unit_test(matches_have_their_parts),
		cmocka_unit_test(errors_cost_themselves),
		cmocka_unit_test(another_framing_is_found),
		cmocka_unit_test(any_bytes_are_taken),
		cmocka_unit_test(a_capture_of_an_stm32_is_read),
	};

	return cmocka_run_group_tests(tests, map_make, NULL);
}
