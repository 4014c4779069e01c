/*
 * wsn: a frame's body, number and epoch, each by itself (body.c, epoch.c, wsn.c): what is read of
 * which byte, which frames are copies, late or another epoch's, which HELLO is believed.
 */
#include "tests/unit/wsn_script.h"

#include "core/wire/wsn/state.h"

#define AVR "hello  v1 a1 f5e3 e0\n"
#define CALLS_ARM "H a=4 f=0x400"
#define SAID_ARM "hello  v1 a4 f400 e0\n"

static void scripts_run(const struct script_case *cases, size_t n, const struct codemap *code)
{
	for (size_t i = 0; i < n; i++) {
		struct stream s = { .seq = 0 };

		stream_script(&s, cases[i].script);
		script_expect(&cases[i], &s, s.out.len, code);
		stream_release(&s);
	}
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* A HELLO's frame: head, seq, body. Its length. */
static size_t hello_frame(uint8_t *frame, const struct stream_hello *h, unsigned epoch)
{
	struct stream s = { .epoch = epoch };
	size_t n;

	stream_hello(&s, h);
	n = wsn_cobs_decode(frame, (const uint8_t *)s.last.data + 1, s.last.len - 2);
	stream_release(&s);
	return n - 2;
}

static void each_field_of_a_hello_is_read(void **state)
{
	struct stream_hello said = STREAM_HELLO;
	uint8_t frame[WSN_BLOCK_MAX + 1];
	struct wsn_hello h;
	size_t n;

	(void)state;
	said.skew = 40;
	n = hello_frame(frame, &said, 3);
	assert_true(wsn_read_hello(&h, frame, n));
	assert_true(h.wire.cost == 33 / 16.0);
	assert_true(h.wire.spread == 24 / 16.0);
	assert_true(h.wire.skew == 2.5);
	assert_int_equal(h.wire.hz, 997);
	assert_int_equal(h.wire.ticks_per_second, 8000000);
	assert_int_equal(h.wire.epoch, 3);
	assert_int_equal(h.wire.identity.kind, WIRE_IDENTITY_SUM);
	assert_int_equal(h.wire.identity.start, 0x100);
	assert_int_equal(h.wire.identity.length, 0x2000);
	assert_int_equal(h.wire.identity.a, 0x1234);
	assert_int_equal(h.wire.identity.b, 0xabcd);
}

static void bounds_of_buckets_are_less_the_skew(void **state)
{
	static const struct {
		unsigned histogram;
		int skew;
		uint64_t below[5];
	} rows[] = {
		{ 0xf4, 16, { 15, (1 << 19) - 1, UINT64_C(1) << 34, UINT64_C(1) << 49,
			      UINT64_MAX } },
		{ 0xf2, 16, { 3, (1 << 17) - 1, UINT64_C(1) << 32, UINT64_C(1) << 47,
			      UINT64_C(1) << 62 } },
		{ 0x13, 136, { 1, 8, 24, 56, 120 } },	/* nothing is left of 8 */
		{ 0x13, 9, { 7, 15, 31, 63, 127 } },	/* to the nearest tick */
		{ 0x13, 8, { 8, 16, 32, 64, 128 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream_hello said = STREAM_HELLO;
		uint8_t frame[WSN_BLOCK_MAX + 1];
		struct wsn_hello h;
		size_t n;

		said.histogram = rows[i].histogram;
		said.skew = rows[i].skew;
		n = hello_frame(frame, &said, 0);
		assert_true(wsn_read_hello(&h, frame, n));
		for (size_t k = 0; k < COUNT(rows[i].below); k++)
			assert_int_equal(h.wire.bucket_below[k], rows[i].below[k]);
	}
}

static void what_makes_no_sense_is_no_hello(void **state)
{
	static const struct {
		unsigned version, unit, left_out;
		uint8_t head;			/* put over the frame's */
		bool read, is;
	} rows[] = {
		{ 1, 2, 0, WSN_HELLO, true, true },
		{ 1, 1, 0, WSN_HELLO, true, true },
		{ 1, 0, 0, WSN_HELLO, false, false },		/* units of nothing */
		{ 1, 2, 1, WSN_HELLO, false, false },
		{ 1, 2, 0, WSN_HELLO | 1 << 5, false, false },	/* its epoch is another */
		{ 1, 2, 0, WSN_STATUS, true, false },
		{ 0, 2, 0, WSN_HELLO, false, false },
		{ 2, 0, 0, WSN_HELLO, true, true },	/* of the future: the rest may be any */
		{ 2, 0, 48, WSN_HELLO, true, true },
		{ 2, 0, 49, WSN_HELLO, false, false },
		{ 1, 2, 48, WSN_HELLO, false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream_hello said = STREAM_HELLO;
		uint8_t frame[WSN_BLOCK_MAX + 1];
		struct wsn_hello h;
		size_t n;

		said.version = rows[i].version;
		said.unit = rows[i].unit;
		said.left_out = rows[i].left_out;
		n = hello_frame(frame, &said, 0);
		frame[0] = rows[i].head;
		if (wsn_read_hello(&h, frame, n) != rows[i].read ||
		    wsn_is_hello(frame, n) != rows[i].is)
			fail_msg("row %zu", i);
	}
}

static void the_first_hello_of_a_recording_is_found(void **state)
{
	static const struct { const char *script; bool found; unsigned id; } rows[] = {
		{ "H i=9", true, 9 },
		{ "t boot|T 1|H i=9|H i=8", true, 9 },
		{ "T 1|!H i=9|H v=2|H l=1|H i=8", true, 8 },
		{ "H v=2", false, 0 },
		{ "T 1|t text|S 0 1 2 3 30 1 9", false, 0 },
		{ "", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .seq = 0 };
		struct wire_hello h = { .id = 0 };
		uint8_t bytes[1200];
		size_t n;

		stream_script(&s, rows[i].script);
		/* Before it too many bytes for a frame, that begin as a HELLO; or no first zero. */
		for (unsigned cut = 0; cut < 3; cut++) {
			memset(bytes, 1 + WSN_HELLO, 600);
			bytes[1] = WSN_HELLO;
			bytes[600] = 0;
			n = cut < 2 ? 0 : 601;
			memcpy(bytes + n, buf_str(&s.out) + (cut == 1 && s.out.len), s.out.len);
			n += s.out.len - (cut == 1 && s.out.len);
			assert_int_equal(wsn_first_hello(&h, bytes, n), rows[i].found);
			assert_int_equal(h.id, rows[i].id);
			/* The last zero is not there yet: what stands behind it is none of it. */
			if (n > 1) {
				bytes[n - 1] = 9;
				bytes[n] = 0;
				assert_int_equal(wsn_first_hello(&h, bytes, n - 1),
						 rows[i].found);
			}
		}
		stream_release(&s);
	}
}

/* A HELLO of a later revision is as long as a frame can be. */
static void the_longest_hello_is_found(void **state)
{
	struct stream_hello said = STREAM_HELLO;
	uint8_t block[WSN_BLOCK_MAX + 2] = { 0 }, coded[WSN_FRAME_MAX];
	struct wire_hello h;
	size_t n = hello_frame(block, &said, 0);

	(void)state;
	memset(block + n, 3, WSN_BLOCK_MAX - 2 - n);
	assert_int_equal(wsn_wrap(coded, block, WSN_BLOCK_MAX - 2), WSN_FRAME_MAX);
	assert_true(wsn_first_hello(&h, coded, sizeof(coded)));
	assert_int_equal(h.id, 7);
}

/* A frame of type, seq, numbers; a byte behind it that is none of it. */
static size_t numbers_frame(uint8_t *frame, unsigned type, const uint64_t *v, size_t count)
{
	size_t n = 2;

	frame[0] = (uint8_t)type;
	frame[1] = 7;
	for (size_t i = 0; i < count; i++)
		n += varint_put(frame + n, v[i]);
	memset(frame + n, 5, 8);
	return n;
}

#define FRAME(frame, type, ...) \
	numbers_frame(frame, type, (const uint64_t[]){ __VA_ARGS__ }, \
		      sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void each_field_of_a_status_is_read(void **state)
{
	uint8_t frame[300];
	struct wsn_status s;
	size_t n = FRAME(frame, WSN_STATUS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
			 17, 18, 19);

	(void)state;
	assert_true(wsn_read_status(&s, frame, n));	/* more are of a later version */
	assert_int_equal(s.wire.run, UINT64_C(2) << 32 | 1);
	assert_int_equal(s.wire.isr, UINT64_C(4) << 32 | 3);
	assert_int_equal(s.wire.stack_full, 5);
	assert_int_equal(s.wire.table_full, 6);
	assert_int_equal(s.wire.cut, 7);
	assert_int_equal(s.wire.text_lost, 8);
	assert_int_equal(s.wire.carries_lost, 9);
	assert_int_equal(s.wire.command, 10);
	assert_int_equal(s.wire.arcs_lost, 11);
	assert_int_equal(s.wire.pcs_lost, 12);
	assert_int_equal(s.closed[0], 13);
	assert_int_equal(s.closed[1], 14);
	assert_int_equal(s.wire.poll, UINT64_C(16) << 32 | 15);
	assert_int_equal(s.wire.no_stack, 17);
	assert_true(wsn_read_status(&s, frame, 4));
	assert_int_equal(s.wire.run, UINT64_C(2) << 32 | 1);
	assert_int_equal(s.wire.isr, 0);
}

static void an_identity_is_read_whole(void **state)
{
	static const uint8_t id[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	struct wire_identity got;
	uint8_t frame[64];
	size_t n;

	(void)state;
	n = FRAME(frame, WSN_IDENTITY, 2, 0x04030201, 0x08070605, 0x0c0b0a09);
	assert_true(wsn_read_identity(&got, frame, n));
	assert_int_equal(got.kind, WIRE_IDENTITY_BUILD_ID);
	assert_memory_equal(got.build_id, id, sizeof(id));
	assert_int_equal(got.block_count, 0);
	assert_false(wsn_read_identity(&got, frame, n - 1));
	n = FRAME(frame, WSN_IDENTITY, 1, 5, 6);	/* a small number stands behind it */
	assert_false(wsn_read_identity(&got, frame, n));
	n = FRAME(frame, WSN_IDENTITY, 1, 0x102, 0x304, 0x56780506);
	assert_true(wsn_read_identity(&got, frame, n));
	assert_int_equal(got.start, 0x102);
	assert_int_equal(got.length, 0x304);
	assert_int_equal(got.a, 0x0506);
	assert_int_equal(got.b, 0x5678);
	n = FRAME(frame, WSN_IDENTITY, 1, 0x102, 0x304, UINT64_C(1) << 32);
	assert_false(wsn_read_identity(&got, frame, n));
}

static const struct wsn_hello *hello_of(unsigned arch, unsigned features)
{
	static struct wsn_hello h;

	h = (struct wsn_hello){ .unit = 2, .base = 0x8000000 };
	h.wire.arch = (uint8_t)arch;
	h.wire.features = (uint16_t)features;
	h.wire.max_sites = h.wire.max_arcs = h.wire.max_pcs = 64;
	return &h;
}

static void rows_are_read_by_what_hello_says(void **state)
{
	static struct wsn_rows r;
	uint8_t frame[300];
	size_t n;

	(void)state;
	memset(&r, 0xff, sizeof(r));
	/* An address up to 2^32, no further. */
	n = FRAME(frame, WSN_ARCS, 0, 0x7bffffff, 1, 9);
	assert_true(wsn_read_rows(&r, hello_of(1, 0), frame, n));
	assert_int_equal(r.row[0].from, 0xfffffffe);
	assert_int_equal(r.row[0].to, 0x8000002);
	assert_int_equal(r.before, 0);
	assert_false(r.closed);
	n = FRAME(frame, WSN_ARCS, 0, 0x7c000000, 1, 9);
	assert_false(wsn_read_rows(&r, hello_of(1, 0), frame, n));
	/* Buckets of an AVR have 24 bits. */
	n = FRAME(frame, WSN_SITES, 0, 1, 1, 9, 8, 0, 0, 0xffffff, 0, 0, 0, 0, 0, 0, 7);
	memset(&r, 0xff, sizeof(r));
	assert_true(wsn_read_rows(&r, hello_of(1, WSN_F_TIMED | WSN_F_MINMAX | WSN_F_HISTOGRAM),
				  frame, n));
	assert_int_equal(r.row[0].bucket[0], 0xffffff);
	assert_int_equal(r.row[0].bucket[7], 7);
	n = FRAME(frame, WSN_SITES, 0, 1, 1, 9, 8, 0, 0, 0x1000000, 0, 0, 0, 0, 0, 0, 7);
	assert_false(wsn_read_rows(&r, hello_of(1, WSN_F_TIMED | WSN_F_MINMAX | WSN_F_HISTOGRAM),
				   frame, n));
	/* What is not timed has calls alone, whatever else is said. */
	n = FRAME(frame, WSN_SITES, 0, 1, 1, 9);
	memset(&r, 0xff, sizeof(r));
	assert_true(wsn_read_rows(&r, hello_of(1, WSN_F_MINMAX | WSN_F_HISTOGRAM), frame, n));
	assert_int_equal(r.row[0].calls, 9);
	assert_int_equal(r.row[0].total, 0);
	assert_int_equal(r.row[0].min, 0);
	assert_int_equal(r.row[0].max, 0);
	/* An extension is of a slot, a PC has no callee. */
	n = FRAME(frame, WSN_SITES, 5, 3, 0, 9);
	assert_true(wsn_read_rows(&r, hello_of(1, 0), frame, n));
	assert_true(r.row[0].extension);
	assert_int_equal(r.row[0].from, 3);
	assert_int_equal(r.row[0].to, 0);
	assert_int_equal(r.row[0].slot, 5);
	n = FRAME(frame, WSN_PCS, 5, 3, 9, 0, 4, 8);
	assert_true(wsn_read_rows(&r, hello_of(1, 0), frame, n));
	assert_int_equal(r.count, 2);
	assert_int_equal(r.row[0].to, 0);
	assert_int_equal(r.row[1].slot, 6);
	assert_int_equal(r.sum, 17);
}

/* WIDE: rows of another type, whose counts have no width. */
static void a_wide_frame_has_rows_of_its_type(void **state)
{
	static const struct { unsigned type; bool is; enum wire_total_kind kind; } rows[] = {
		{ WSN_SITES, true, TOTAL_SITE }, { WSN_ARCS, true, TOTAL_ARC },
		{ WSN_PCS, true, TOTAL_PC }, { WSN_CLOSED_ARCS, false, 0 }, { WSN_LOST, false, 0 },
		{ WSN_STATUS, false, 0 },
	};
	static struct wsn_rows r;
	uint8_t frame[64];
	size_t n;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (rows[i].kind == TOTAL_PC)
			n = FRAME(frame, WSN_WIDE, rows[i].type, 5, 3, UINT64_C(1) << 40);
		else
			n = FRAME(frame, WSN_WIDE, rows[i].type, 5, 3, 2, UINT64_C(1) << 40);
		assert_int_equal(wsn_read_rows(&r, hello_of(4, 0), frame, n), rows[i].is);
		if (!rows[i].is)
			continue;
		assert_int_equal(r.kind, rows[i].kind);
		assert_int_equal(r.row[0].slot, 5);
		assert_int_equal(r.row[0].calls, UINT64_C(1) << 40);
	}
}

static void a_trace_frame_is_read_up_to_its_tokens(void **state)
{
	uint8_t frame[] = { WSN_TRACE, 0, 0x53, 9, 1, 2, 3, 4, 0x81, 1, 2, 0x85, 1, 6, 0xaa, 0xbb,
			    5, 5, 5, 5 };
	uint8_t tracing[] = { WSN_TRACING, 0, 8, 5, 0x90, 1, 16, 5, 5 };
	struct wire_tracing told;
	struct wsn_trace t;

	(void)state;
	assert_true(wsn_read_trace(&t, frame, 16));
	assert_int_equal(t.wire.lane, 3);
	assert_false(t.wire.resync);
	assert_true(t.wire.packed);
	assert_int_equal(t.wire.number, 9);
	assert_int_equal(t.wire.time, 0x04030201);
	assert_int_equal(t.wire.untold, 129);
	assert_int_equal(t.wire.depth, 2);
	assert_ptr_equal(t.wire.stack, t.stack);
	assert_int_equal(t.stack[0], 133);
	assert_int_equal(t.stack[1], 6);
	assert_ptr_equal(t.wire.tokens, frame + 14);
	assert_int_equal(t.wire.count, 2);
	assert_true(wsn_read_trace(&t, frame, 14));
	assert_int_equal(t.wire.count, 0);
	assert_false(wsn_read_trace(&t, frame, 13));	/* its stack ends early */
	frame[2] = 0x21;
	assert_true(wsn_read_trace(&t, frame, 16));
	assert_int_equal(t.wire.lane, 1);
	assert_true(t.wire.resync);
	assert_null(t.wire.stack);
	assert_int_equal(t.wire.count, 5);

	assert_true(wsn_read_tracing(&told, tracing, 7));
	assert_int_equal(told.encoding, 8);
	assert_int_equal(told.stamp_shift, 5);
	assert_int_equal(told.slots, 144);
	assert_int_equal(told.lanes, 16);
	assert_false(wsn_read_tracing(&told, tracing, 6));
	tracing[6] = 17;
	assert_false(wsn_read_tracing(&told, tracing, 7));
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* seq, CRC, as they come; what it is, its number from the first one on, what is lost then. */
static void frames_are_numbered_without_end(void **state)
{
	static const struct {
		uint8_t seq, low, high;
		enum wsn_order order;
		int number;
		uint64_t lost;
	} rows[] = {
		{ 10, 1, 1, ORDER_NEXT, 0, 0 },
		{ 10, 1, 1, ORDER_AGAIN, 0, 0 },
		{ 9, 1, 1, ORDER_LATE, -1, 0 },		/* of before we listened: none was lost */
		{ 9, 1, 1, ORDER_AGAIN, 0, 0 },
		{ 13, 1, 1, ORDER_NEXT, 3, 2 },
		{ 12, 1, 1, ORDER_LATE, 2, 1 },
		{ 12, 1, 1, ORDER_AGAIN, 0, 1 },
		{ 42, 2, 2, ORDER_NEXT, 32, 29 },
		{ 10, 1, 1, ORDER_AGAIN, 0, 29 },	/* 32 ago */
		{ 11, 1, 1, ORDER_LATE, 1, 28 },
		{ 43, 0, 0, ORDER_NEXT, 33, 28 },
		{ 75, 7, 7, ORDER_NEXT, 65, 59 },
		{ 43, 5, 5, ORDER_NEXT, 289, 282 },	/* another: a round of numbers later */
		{ 44, 1, 1, ORDER_NEXT, 290, 282 },
		{ 108, 1, 1, ORDER_NEXT, 354, 345 },	/* 64 on: what was before is forgotten */
		{ 107, 1, 1, ORDER_LATE, 353, 344 },
		{ 76, 1, 1, ORDER_LATE, 322, 343 },	/* 32 ago, which did not come */
		{ 75, 1, 1, ORDER_NEXT, 577, 565 },
		{ 76, 9, 9, ORDER_NEXT, 578, 565 },
		{ 116, 1, 1, ORDER_NEXT, 618, 604 },
		{ 76, 9, 9, ORDER_NEXT, 834, 819 },	/* the same, but 40 ago: another */
	};
	struct wsn_order_state o = { .begun = false };
	uint64_t lost = 0, first = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint8_t frame[] = { 2, rows[i].seq, 5, 6, rows[i].low, rows[i].high, 9, 9 };
		uint64_t seq = 0;
		enum wsn_order order = wsn_order_take(&o, frame, 4, &seq, &lost);

		if (!first)
			first = seq;
		if (order != rows[i].order || lost != rows[i].lost ||
		    (order != ORDER_AGAIN && seq != first + (uint64_t)(int64_t)rows[i].number))
			fail_msg("row %zu: order %d number %d lost %d", i, (int)order,
				 (int)(seq - first), (int)lost);
	}
}

/* A frame of the same seq is a copy when CRC and length are the same, to the last bit. */
static void a_copy_has_all_bits_of_the_first(void **state)
{
	static const struct { uint8_t low, high; size_t n; } rows[] = {
		{ 0x80, 0, 4 }, { 0, 0, 4 }, { 0, 0x80, 4 }, { 1, 0, 4 }, { 0, 1, 4 }, { 1, 1, 4 },
		{ 1, 1, 5 }, { 0x80, 0x80, 5 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t k = 0; k < COUNT(rows); k++) {
			struct wsn_order_state o = { .begun = false };
			uint8_t frame[8] = { 2, 40, 3, 3, 3, 3, 3, 3 };
			uint64_t seq, lost = 0;

			frame[rows[i].n] = rows[i].low;
			frame[rows[i].n + 1] = rows[i].high;
			wsn_order_take(&o, frame, rows[i].n, &seq, &lost);
			memset(frame + 2, 3, 6);
			frame[rows[k].n] = rows[k].low;
			frame[rows[k].n + 1] = rows[k].high;
			assert_int_equal(wsn_order_take(&o, frame, rows[k].n, &seq, &lost) ==
						 ORDER_AGAIN, i == k);
		}
	}
}

/* Would a segment that begins so be no surprise? Epoch 2, the newest frame has seq 100. */
static void what_begins_as_the_next_frame_is_expected(void **state)
{
	static const struct { uint8_t block[4]; size_t n; bool known, expected; } rows[] = {
		{ { 5 }, 0, true, false },
		{ { 5 }, 1, true, true },
		{ { 1 }, 1, true, true },
		{ { 5, 0x42 }, 2, true, true },
		{ { 5, 0x22 }, 2, true, false },		/* epoch 1 */
		{ { 5, 0x22 }, 2, false, true },
		{ { 1, 0x42 }, 2, true, false },		/* a zero first: no head is 0 */
		{ { 1, 0x42 }, 2, false, false },
		{ { 5, 0x40 }, 2, true, false },
		{ { 5, 0x40 }, 2, false, false },
		{ { 5, 0x50 }, 2, true, false },		/* a command's */
		{ { 5, 0x50 }, 2, false, false },
		{ { 5, 0x4f }, 2, true, true },
		{ { 5, 0x41 }, 2, true, true },
		{ { 5, 0x42, 100 }, 3, true, true },
		{ { 5, 0x42, 132 }, 3, true, true },
		{ { 5, 0x42, 133 }, 3, true, false },
		{ { 5, 0x42, 68 }, 3, true, true },
		{ { 5, 0x42, 67 }, 3, true, false },
		{ { 5, 0x22, 100 }, 3, true, false },
		{ { 5, 0x42, 200, 100 }, 4, true, false },
		{ { 2, 0x42, 100 }, 3, true, false },		/* seq 0 */
		{ { 3, 0x42, 100 }, 3, true, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct wsn w;

		w.epoch.bits = rows[i].known ? 2 : -1;
		w.order.newest = 1024 + 100;
		if (wsn_expects(&w, rows[i].block, rows[i].n) != rows[i].expected)
			fail_msg("row %zu", i);
	}
	for (unsigned newest = 0; newest < 256; newest++) {
		static struct wsn w;
		const uint8_t zero[] = { 2, 0x42, 9 };

		w.epoch.bits = 2;
		w.order.newest = 1024 + newest;
		assert_int_equal(wsn_expects(&w, zero, 3), newest <= 32 || newest >= 224);
	}
}

/* --- epochs ----------------------------------------------------------------------------------- */

static const struct script_case epochs[] = {
	{ "two frames of a new epoch, one lost between, one behind",
	  "H|T 50|e 1|q 0|T 1|-T 2|T 3|-T 4|H e=1|T 5",
	  AVR "status 50\nepoch\nhello  v1 a1 f5e3 e1\nstatus 1\nstatus 3\nstatus 5\n", .lost = 2 },
	{ "one frame each of two epochs: noise", "H|T 50|e 1|q 0|T 1|e 2|q 1|T 2|e 0|q 2|T 51",
	  AVR "status 50\nstatus 51\n" },
	{ "a HELLO of the epoch before, late, twice",
	  "H e=0|T 50|H e=1|T 1|e 0|q 2|H e=0|H e=0|e 1|q 4|T 2",
	  AVR "status 50\nepoch\nhello  v1 a1 f5e3 e1\nstatus 1\nstatus 2\n" },
	{ "with its bits, but eight epochs later: a new one",
	  "H e=0|T 50|H e=1|T 1|H e=8|H e=8|T 2",
	  AVR "status 50\nepoch\nhello  v1 a1 f5e3 e1\nstatus 1\nepoch\n"
	  "hello  v1 a1 f5e3 e8\nstatus 2\n" },
	{ "two numbers eight and sixteen later, once each: noise",
	  "H e=3|T 9|H e=11|T 10|H e=19|T 11",
	  "hello  v1 a1 f5e3 e3\nstatus 9\nstatus 10\nstatus 11\n" },
	{ "calls pass their width before the epoch's first STATUS",
	  CALLS_ARM "|H a=4 f=0x400 e=1|S 0 1 2 0xfffffff0|S 0 1 2 0xffffffff|S 0 1 2 7",
	  "hello  v1 a4 f400 e0\nhello  v1 a4 f400 e1\nsite 2 4 4294967280\n"
	  "site 2 4 4294967295\nsite 2 4 4294967303\n" },
	{ "calls pass their width behind a reset that run told",
	  CALLS_ARM "|T 5000|T 10|T 20|S 0 1 2 0xfffffff0|S 0 1 2 0xffffffff|S 0 1 2 7",
	  "hello  v1 a4 f400 e0\nstatus 5000\nepoch\nstatus 20\n"
	  "site 2 4 4294967280\nsite 2 4 4294967295\nsite 2 4 4294967303\n" },
	{ "closed counts are read by the HELLO before them: another unit",
	  "H|a 0 1 2 7|H u=4|H u=4|a 7 1 2 1",
	  AVR "arc 2 4 7\nhello  v1 a1 f5e3 e0\narc 4 8 1\n" },
	{ "another base", "H|a 0 1 2 7|H B=256|H B=256|a 7 1 2 1",
	  AVR "arc 2 4 7\nhello  v1 a1 f5e3 e0\narc 102 104 1\n" },
	{ "another version", "H|a 0 1 2 7|H v=2|H v=2",
	  AVR "arc 2 4 7\nhello  v2 a0 f0 e0\n" },
	{ "the same HELLO does not end their waiting", "H|a 0 1 2 7|H|N x",
	  AVR "hello x v1 a1 f5e3 e0\narc 2 4 7\n" },
	{ "a version of the future is told once", "H v=2 l=20|H v=2 l=20",
	  "hello  v2 a0 f0 e0\n" },
	{ "however short it is", "H v=2 l=1|H v=2 l=1|H v=2 l=2",
	  "hello  v2 a0 f0 e0\nhello  v2 a0 f0 e0\n" },
	{ "and what it says last is part of it", "H v=2 l=46 f=1|H v=2 l=46 f=2|H v=2 l=46 f=2",
	  "hello  v2 a0 f0 e0\nhello  v2 a0 f0 e0\n" },
	{ "what waits for a HELLO is dropped by one of the future",
	  "T 5|H v=2|H|H|T 6",
	  "hello  v2 a0 f0 e0\nhello  v1 a1 f5e3 e0\nstatus 6\n" },
	{ "all counters of STATUS pass 2^32",
	  "H|T 1 0 0 0 0xfffffff0 0 0xfffffff0|T 2 0 0 0 0xfffffff8 0 0xfffffff8|T 3 0 0 0 1 0 2",
	  AVR "status 1 stack 4294967280 cut 4294967280\n"
	  "status 2 stack 4294967288 cut 4294967288\n"
	  "status 3 stack 4294967297 cut 4294967298\n" },
};

static void an_epoch_begins_with_its_second_frame(void **state)
{
	(void)state;
	scripts_run(epochs, COUNT(epochs), NULL);
}

/* So many frames between two that another epoch, or the one before, sent. */
static void frames_of_other_epochs_are_forgotten(void **state)
{
	static const struct {
		const char *name, *before, *one, *between, *other, *sign;
		unsigned frames;
		bool begins;
	} rows[] = {
		{ "a rival for 32 frames", "H|T 1", "e 1|q 0|T 1|e 0|q 2", "T 2",
		  "e 1|q 1|H e=1", "e1\n", 32, true },
		{ "and not for 33", "H|T 1", "e 1|q 0|T 1|e 0|q 2", "T 2",
		  "e 1|q 1|H e=1", "e1\n", 33, false },
		{ "its noise is none of the epoch that begins later", "H|T 1",
		  "e 1|q 0|T 7777|e 0|q 2", "T 2", "e 1|q 1|T 5|H e=1", "status 7777", 33, false },
		{ "the epoch before for 64", "H|T 1", "H e=1|T 1", "T 2",
		  "e 0|q 2|H e=0|T 7777", "status 7777", 63, false },
		{ "and not for more", "H|T 1", "H e=1|T 1", "T 2",
		  "e 0|q 2|H e=0|T 7777", "status 7777", 64, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .seq = 0 };
		struct said l = { BUF_INIT, BUF_INIT };
		struct wire_sink sink = said_sink(&l);
		struct wire *w = wire_new("wsn", NULL, &sink, NULL);

		stream_script(&s, rows[i].before);
		stream_script(&s, rows[i].one);
		for (unsigned k = 0; k < rows[i].frames; k++)
			stream_script(&s, rows[i].between);
		stream_script(&s, rows[i].other);
		wire_feed(w, (const uint8_t *)s.out.data, s.out.len);
		if ((strstr(buf_str(&l.out), rows[i].sign) != NULL) != rows[i].begins)
			fail_msg("%s:\n%s", rows[i].name, buf_str(&l.out));
		wire_free(w);
		said_release(&l);
		stream_release(&s);
	}
}

/* STATUS's run goes back by more than a 64th: twice is a restart, once is noise. */
static void run_that_goes_back_twice_is_a_restart(void **state)
{
	static const struct { uint64_t run; bool taken, restarted; } rows[] = {
		{ 6400, true, false },
		{ 6300, true, false },		/* by a 64th: its own cost is an estimate */
		{ 6400, true, false },
		{ 6299, false, false },
		{ 6400, true, false },		/* once */
		{ 90000, true, false },		/* far ahead: noise, as the next one tells */
		{ 6500, true, false },
		{ 6600, true, false },
		{ 90000, true, false },
		{ 6600, true, false },		/* no further than before that */
		{ 100, false, false },
		{ 200, true, true },
		{ 199, true, false },
		{ 197, true, false },
		{ 150, false, false },
		/* Noise far ahead is taken for it by the run before: each of these is a step on. */
		{ 5000, true, false },
		{ 6400, true, false },
		{ 6450, true, false },
		{ 5500, false, false },
		{ 6900, true, false },
		{ 12800, true, false },
		{ 12600, true, false },
		{ 8000, false, false },
	};
	struct wire_sink sink = { .ctx = NULL };
	struct wsn *w = (struct wsn *)wire_new("wsn", NULL, &sink, NULL);

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		bool taken;

		w->status.run = 1;		/* forgotten at a restart */
		taken = wsn_epoch_status(w, rows[i].run);
		if (taken != rows[i].taken || (w->status.run == 0) != rows[i].restarted)
			fail_msg("row %zu: %d %d", i, taken, w->status.run == 0);
	}
	wire_free(&w->wire);
}

/* Frames wait for a HELLO, the newest 256; the others are lost. */
static void so_many_frames_wait_for_a_hello(void **state)
{
	struct stream s = { .seq = 0 };
	struct said l = { BUF_INIT, BUF_INIT };
	struct wire_sink sink = said_sink(&l);
	struct wire *w = wire_new("wsn", NULL, &sink, NULL);
	struct wire_stats stats;
	char script[32], *at;

	(void)state;
	for (unsigned i = 1; i <= WSN_QUEUE + 5; i++) {
		snprintf(script, sizeof(script), "T %u", i);
		stream_script(&s, script);
	}
	stream_script(&s, "H");
	wire_feed(w, (const uint8_t *)s.out.data, s.out.len);
	wire_stats(w, &stats);
	assert_int_equal(stats.lost, 5);
	at = strchr(buf_str(&l.out), '\n') + 1;
	for (unsigned i = 6; i <= WSN_QUEUE + 5; i++) {
		snprintf(script, sizeof(script), "status %u\n", i);
		assert_memory_equal(at, script, strlen(script));
		at += strlen(script);
	}
	assert_int_equal(*at, '\0');
	wire_free(w);
	said_release(&l);
	stream_release(&s);
}

/* --- the decoder ------------------------------------------------------------------------------ */

static struct wsn *decoder_fed(const char *script, const struct wire_sink *sink)
{
	struct stream s = { .seq = 0 };
	struct wsn *w = (struct wsn *)wire_new("wsn", NULL, sink, NULL);

	stream_script(&s, script);
	wire_feed(&w->wire, (const uint8_t *)s.out.data, s.out.len);
	stream_release(&s);
	return w;
}

/* Where a frame stands in the stream: behind all that came before it, text and damage, too. */
static void a_frame_has_its_place_in_the_stream(void **state)
{
	const struct wire_sink none = { .ctx = NULL };
	struct wsn *w = decoder_fed("H|t text\n|!S 0 1 2 3 4 5 6|t \1\2\3|T 1", &none);
	uint64_t sent = w->age.sent;

	(void)state;
	assert_int_equal(w->wire.stats.text_bytes, 5);
	assert_int_equal(w->wire.stats.bad_bytes, 12 + 3);
	assert_int_equal(sent, 54 + 2 + 8);	/* HELLO's and STATUS's, with their zeros */
	assert_int_equal(w->age.place, sent - 8 + 5 + w->wire.stats.bad_bytes);
	wire_free(&w->wire);
}

/* A CRC that fits, and rows that cannot be: the frame's bytes are bad. */
static void bytes_of_a_damaged_body_are_bad(void **state)
{
	struct stream s = { .seq = 0 };
	struct wire *w = wire_new("wsn", NULL, &(struct wire_sink){ .ctx = NULL }, NULL);
	struct wire_stats stats;

	(void)state;
	stream_script(&s, "H|S 64 1 2 3 4 5 6");
	wire_feed(w, (const uint8_t *)s.out.data, s.out.len);
	wire_stats(w, &stats);
	assert_int_equal(stats.damaged, 1);
	assert_int_equal(stats.bad_bytes, 2 + 7);
	wire_free(w);
	stream_release(&s);
}

static unsigned calls_made;

static void call_count(void *ctx)
{
	(void)ctx;
	calls_made++;
}

static void trace_count(void *ctx, const struct wire_trace *t)
{
	(void)ctx;
	(void)t;
	calls_made++;
}

static uint64_t clock_missed;

static void missed_keep(void *ctx, const struct wire_status *s)
{
	(void)ctx;
	clock_missed = s->clock_missed;
}

/* An epoch's end is told while its counts are there: when something was. */
static void an_epochs_end_is_told_when_it_had_counts(void **state)
{
	static const struct { const char *script; unsigned ends; } rows[] = {
		{ "H|T 1|H e=1|T 2", 1 },
		{ "H|H e=1|H e=1", 0 },			/* nothing was told */
		{ "H|T 1000|T 5000|T 10|T 20", 1 },
		{ "H|T 1|e 1|q 0|T 1|T 2|e 2|T 3|T 4", 1 },	/* of the second no HELLO came */
		{ "H|T 1", 0 },
	};
	const struct wire_sink sink = { .ends = call_count };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		calls_made = 0;
		wire_free(&decoder_fed(rows[i].script, &sink)->wire);
		assert_int_equal(calls_made, rows[i].ends);
	}
}

static void what_the_sink_has_no_ears_for_is_not_told(void **state)
{
	const struct wire_sink none = { .ctx = NULL };

	(void)state;
	wire_free(&decoder_fed("H f=0x25e3|X 12 8 5 1 1|X 11 0 1 0 0 0 0 0 0 5|T 1|H e=1|T 2|"
			       "t text|X 10 1 0 2 3|S 0 1 2 3 4 5 6", &none)->wire);
}

static void a_late_trace_frame_is_lost(void **state)
{
	const struct wire_sink sink = { .trace = trace_count };

	(void)state;
	calls_made = 0;
	wire_free(&decoder_fed("H f=0x25e3|X 11 0 1 0 0 0 0 0 0 5|+X 11 0 2 0 0 0 0 0 0 5|"
			       "X 11 0 3 0 0 0 0 0 0 5|r", &sink)->wire);
	assert_int_equal(calls_made, 2);
}

static void what_hello_says_of_the_clock_is_known(void **state)
{
	static const struct { unsigned features, stands; bool missed; } rows[] = {
		{ 0x400, CLOCK_STANDS_SLEEP | CLOCK_STANDS_STOPPED, false },
		{ 0x410, CLOCK_STANDS_SLEEP | CLOCK_STANDS_STOPPED | CLOCK_STANDS_HOOKS, false },
		{ 0x600, CLOCK_STANDS_SLEEP | CLOCK_STANDS_STOPPED | CLOCK_STANDS_HANDLERS, false },
		{ 0x1400, CLOCK_STANDS_SLEEP | CLOCK_STANDS_STOPPED, true },
	};
	const struct wire_sink sink = { .status = missed_keep };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char script[40];
		struct wsn *w;

		snprintf(script, sizeof(script), "H f=%u|T 1", rows[i].features);
		w = decoder_fed(script, &sink);
		assert_int_equal(w->run_clock.stands, rows[i].stands);
		assert_int_equal(w->run_clock.bits, 64);
		assert_int_equal(w->run_clock.step, 1);
		assert_int_equal(w->run_clock.ticks_per_second, 8000000);
		assert_int_equal(clock_missed, rows[i].missed);
		wire_free(&w->wire);
	}
}

/* Of HELLO's 49 bytes those that rows are read by do not change within an epoch. */
static void a_hello_that_reads_rows_otherwise_is_doubted(void **state)
{
	const struct wire_sink sink = { .ctx = NULL };
	struct stream_hello said = STREAM_HELLO;
	uint8_t frame[WSN_BLOCK_MAX + 1];
	size_t n = hello_frame(frame, &said, 0);

	(void)state;
	assert_int_equal(n, 2 + 49);
	for (size_t i = 1; i < 49; i++) {
		bool layout = i < 10 || (i >= 18 && i < 30), epoch = i == 34 || i == 35;
		struct wsn *w;
		struct stream s = { .seq = 0 };
		struct buf body = BUF_INIT;

		if (epoch)
			continue;
		stream_script(&s, "H");
		frame[2 + i] ^= 0x40;
		buf_add(&body, frame + 2, 49);
		frame[2 + i] ^= 0x40;
		stream_frame(&s, WSN_HELLO, &body);
		stream_send(&s);
		w = (struct wsn *)wire_new("wsn", NULL, &sink, NULL);
		wire_feed(&w->wire, (const uint8_t *)s.out.data, s.out.len);
		if ((memcmp(w->hello_told, body.data, 49) == 0) == layout)
			fail_msg("byte %zu", i);
		wire_free(&w->wire);
		buf_release(&body);
		stream_release(&s);
	}
}

static void architectures_have_names(void **state)
{
	static const struct { uint8_t arch; const char *name; } rows[] = {
		{ 0, "unknown architecture" }, { 1, "AVR" }, { 2, "AVR, 22-bit program counter" },
		{ 3, "ARMv6-M" }, { 4, "ARMv7-M or v8-M" }, { 5, "unknown architecture" },
		{ 255, "unknown architecture" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(wsn_arch_name(rows[i].arch), rows[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_of_a_hello_is_read),
		cmocka_unit_test(bounds_of_buckets_are_less_the_skew),
		cmocka_unit_test(what_makes_no_sense_is_no_hello),
		cmocka_unit_test(the_first_hello_of_a_recording_is_found),
		cmocka_unit_test(the_longest_hello_is_found),
		cmocka_unit_test(each_field_of_a_status_is_read),
		cmocka_unit_test(an_identity_is_read_whole),
		cmocka_unit_test(rows_are_read_by_what_hello_says),
		cmocka_unit_test(a_wide_frame_has_rows_of_its_type),
		cmocka_unit_test(a_trace_frame_is_read_up_to_its_tokens),
		cmocka_unit_test(frames_are_numbered_without_end),
		cmocka_unit_test(a_copy_has_all_bits_of_the_first),
		cmocka_unit_test(what_begins_as_the_next_frame_is_expected),
		cmocka_unit_test(an_epoch_begins_with_its_second_frame),
		cmocka_unit_test(frames_of_other_epochs_are_forgotten),
		cmocka_unit_test(run_that_goes_back_twice_is_a_restart),
		cmocka_unit_test(so_many_frames_wait_for_a_hello),
		cmocka_unit_test(a_frame_has_its_place_in_the_stream),
		cmocka_unit_test(bytes_of_a_damaged_body_are_bad),
		cmocka_unit_test(an_epochs_end_is_told_when_it_had_counts),
		cmocka_unit_test(what_the_sink_has_no_ears_for_is_not_told),
		cmocka_unit_test(a_late_trace_frame_is_lost),
		cmocka_unit_test(what_hello_says_of_the_clock_is_known),
		cmocka_unit_test(a_hello_that_reads_rows_otherwise_is_doubted),
		cmocka_unit_test(architectures_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
