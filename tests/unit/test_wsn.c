/* The decoder of the wsn protocol: docs/PROTOCOL.md, section by section; a stream is a script. */
#include "tests/unit/wsn_script.h"

#include "core/base/mem.h"
#include "core/wire/wsn/wsn.h"
#include "core/wire/wsn/state.h"

/* --- coding ----------------------------------------------------------------------------------- */

static void test_crc(void **state)
{
	struct wsn_crc_steps steps;
	uint8_t bytes[200];

	(void)state;
	memset(&steps, 0xff, sizeof(steps));
	wsn_crc_init(&steps);
	assert_int_equal(wsn_crc((const uint8_t *)"123456789", 9), 0x29b1);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (uint8_t)(i * i * 7 + i);
		assert_int_equal(wsn_crc(bytes, i), stream_crc(bytes, i));
		assert_int_equal(wsn_crc_fast(&steps, bytes, i), stream_crc(bytes, i));
	}
}

/* Cheshire and Baker's own examples, as far as they concern blocks without a 0xff code. */
static void test_cobs(void **state)
{
	static const struct { const char *plain; size_t n; const char *coded; } rows[] = {
		{ "\0", 1, "\1\1" },
		{ "\0\0", 2, "\1\1\1" },
		{ "\x11\x22\0\x33", 4, "\3\x11\x22\2\x33" },
		{ "\x11\x22\x33\x44", 4, "\5\x11\x22\x33\x44" },
		{ "\x11\0\0\0", 4, "\2\x11\1\1\1" },
	};
	uint8_t out[WSN_BLOCK_MAX + 1], back[WSN_BLOCK_MAX + 2], long_block[WSN_BLOCK_MAX];
	uint8_t too_long[WSN_BLOCK_MAX + 2];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		memset(out, 0xaa, sizeof(out));
		memset(back, 0xaa, sizeof(back));
		assert_int_equal(wsn_cobs_encode(out, (const uint8_t *)rows[i].plain, rows[i].n),
				 rows[i].n + 1);
		assert_memory_equal(out, rows[i].coded, rows[i].n + 1);
		assert_int_equal(out[rows[i].n + 1], 0xaa);	/* not a byte more */
		assert_int_equal(wsn_cobs_decode(back, out, rows[i].n + 1), rows[i].n);
		assert_memory_equal(back, rows[i].plain, rows[i].n);
		assert_int_equal(back[rows[i].n], 0xaa);
	}
	memset(long_block, 7, sizeof(long_block));
	assert_int_equal(wsn_cobs_encode(out, long_block, sizeof(long_block)), 255);
	assert_int_equal(out[0], 255);
	assert_int_equal(wsn_cobs_decode(back, out, 255), 254);
	assert_memory_equal(back, long_block, 254);
	assert_int_equal(wsn_cobs_decode(back, (const uint8_t *)"\5\1\1", 3), 0);
	memset(too_long, 1, sizeof(too_long));		/* 255 zeros: more than a block has */
	assert_int_equal(wsn_cobs_decode(back, too_long, 256), 0);
	assert_int_equal(wsn_cobs_decode(back, too_long, 255), 254);
	assert_int_equal(wsn_cobs_decode(back, (const uint8_t *)"\2\1\5", 3), 0);
	assert_int_equal(wsn_cobs_decode(back, (const uint8_t *)"\1", 1), 0);
}

static void test_command(void **state)
{
	static const struct { enum wsn_type type; uint16_t arg; size_t bytes; } rows[] = {
		{ WSN_START, 0, 0 }, { WSN_STOP, 9, 0 }, { WSN_RESET, 0, 0 }, { WSN_ALL, 0, 0 },
		{ WSN_HZ, 997, 2 }, { WSN_HZ, 0, 2 }, { WSN_SELECT, 5, 1 },
		{ WSN_PERIOD, 0x100, 2 },
		{ WSN_REPORT, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .seq = (uint8_t)(i * 50) };
		struct buf body = BUF_INIT;
		uint8_t out[WSN_COMMAND_MAX];
		size_t n = wsn_command(out, rows[i].type, s.seq, rows[i].arg);

		stream_fixed(&body, rows[i].arg, rows[i].bytes);
		stream_frame(&s, rows[i].type, &body);
		assert_int_equal(n, s.last.len);
		assert_memory_equal(out, s.last.data, n);
		assert_int_equal(wsn_command(out, WSN_HELLO, 0, 0), 0);
		buf_release(&body);
		stream_release(&s);
	}
}

/* Bounds are of durations with the skew off, as the shortest and the longest: never 0 nor down. */
static void test_bounds(void **state)
{
	static const struct {
		unsigned histogram;
		int skew;
		uint64_t below[WIRE_BUCKETS - 1];
	} rows[] = {
		{ 0x27, 0, { 128, 512, 2048, 8192, 32768, 131072, 524288 } },
		{ 0x27, 67 * 16 + 7, { 61, 445, 1981, 8125, 32701, 131005, 524221 } },
		{ 0x27, -8, { 129, 513, 2049, 8193, 32769, 131073, 524289 } },
		{ 0x13, 20 * 16, { 1, 1, 12, 44, 108, 236, 492 } },
		{ 0xff, 16, { 32767, (1u << 30) - 1, UINT64_C(1) << 45, UINT64_C(1) << 60,
			      UINT64_MAX,
			      UINT64_MAX, UINT64_MAX } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .seq = 1 };
		struct stream_hello said = STREAM_HELLO;
		struct wsn_hello h;
		uint8_t frame[WSN_BLOCK_MAX + 1];
		size_t n;

		said.histogram = rows[i].histogram;
		said.skew = rows[i].skew;
		stream_hello(&s, &said);
		n = wsn_cobs_decode(frame, (const uint8_t *)s.last.data + 1, s.last.len - 2);
		assert_true(wsn_read_hello(&h, frame, n - 2));
		for (size_t k = 0; k < WIRE_BUCKETS - 1; k++)
			assert_int_equal(h.wire.bucket_below[k], rows[i].below[k]);
		stream_release(&s);
	}
}

/* --- scripts ---------------------------------------------------------------------------------- */

#define HELLO_AVR "hello  v1 a1 f5e3 e0\n"

static void scripts_run(const struct script_case *cases, size_t n, const struct codemap *code)
{
	for (size_t i = 0; i < n; i++) {
		struct stream s = { .seq = 0 };

		stream_script(&s, cases[i].script);
		for (size_t step = 1; step < 80; step++)
			script_expect(&cases[i], &s, step, code);
		script_expect(&cases[i], &s, s.out.len, code);
		stream_release(&s);
	}
}

#define LONG "0123456789 0123456789 0123456789 0123456789 0123456789 " \
	     "0123456789 0123456789 0123456789 0123456789 012345"
#define TEN "\x81\x93\xa5\xff\x02\x03\x90\x04\x8f\xee"
#define NOISE TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const struct script_case frames[] = {
	{ "a hello is told once, and when a name or a feature comes",
	  "H|H|N blink|H|N blink|H f=0x4e3", HELLO_AVR "hello blink v1 a1 f5e3 e0\n"
						       "hello blink v1 a1 f4e3 e0\n" },
	{ "text around frames", "t boot\r\n|H|t one\ntwo\n|T 5|t half a |T 6|t line\n",
	  "T boot\r\\n\n" HELLO_AVR "T one\\ntwo\\n\nstatus 5\nT half a \nstatus 6\nT line\\n\n" },
	{ "UTF-8, colours, tabs are text", "H|t \x1b[31mgr\xc3\xbc\xc3\x9f "
					   "\xe2\x82\xac\x1b[0m\t\a\n|T 1",
	  HELLO_AVR "T \x1b[31mgr\xc3\xbc\xc3\x9f \xe2\x82\xac\x1b[0m\t\a\\n\nstatus 1\n" },
	{ "a damaged frame shows nothing, costs its number", "H|!S 0 1 2 3 4 5 6|T 1",
	  HELLO_AVR "status 1\n",
	  .lost = 1, .damaged = 1 },
	{ "the zero before a frame got lost", "H|t one\ntwo|/T 1|T 2",
	  HELLO_AVR "T one\\ntwo\nstatus 1\nstatus 2\n" },
	{ "the zero before the very first frame got lost", "t booting\n|/H|T 1",
	  "T booting\\n\n" HELLO_AVR "status 1\n" },
	{ "the zero behind a frame got lost", "H|T 1|z|t one\ntwo|T 2",
	  HELLO_AVR "status 1\nT one\\ntwo\nstatus 2\n" },
	{ "text, then a damaged frame whose zero got lost", "H|t one\ntwo|/X 2 3 4 5 6 7 8 9 10 "
							    "130 131 132 1 2|z|t "
	  "\1\2\3|T 2", HELLO_AVR "T one\\n\nstatus 2\n", .lost = 1, .damaged = 1 },
	{ "a line longer than any frame", "H|t " LONG LONG LONG LONG LONG "\n|T 1",
	  HELLO_AVR "T " LONG LONG LONG LONG LONG "\\n\nstatus 1\n" },
	{ "noise longer than any frame, text between",
	  "H|t " NOISE NOISE NOISE "\nwords here\n" NOISE NOISE NOISE "|T 1",
	  HELLO_AVR "T words here\\n\nstatus 1\n", .damaged = 1 },
	{ "a body that ends early, one that runs over, a slot beyond the table",
	  "H|X 3 0 1 2|X 3 0 1 2 3 4 5 0x86|S 64 1 2 3 4 5 6|T 1",
	  HELLO_AVR "status 1\n", .damaged = 3 },
	{ "types to come are skipped", "H|X 14 1 2 3|X 15|T 1", HELLO_AVR "status 1\n" },
	{ "calls without room, by arc", "H|X 9 1 2 3|T 1", HELLO_AVR "arc 2 4 3\nstatus 1\n" },
	{ "the identity is told to who has no HELLO yet, and after a restart",
	  "X 10 1 0x80 2 0x80 4 0x85 0x80 8|H|X 10 1 0 2 3|e2|T 1|T 2|"
	  "X 10 2 0x81 4 0 0x80 0x80 0x80 8|X 10 3 1 1 1|X 10 1 0 2",
	  "sum 100 200 5 2\n" HELLO_AVR "id 0102 01\n", .damaged = 1 },
	{ "our own commands, echoed, are skipped and have no number here",
	  "H|q 200|X 16|X 20 1 2|q 1|T 1", HELLO_AVR "status 1\n" },
	{ "a short HELLO is none", "H l=1|T 1|H", HELLO_AVR "status 1\n", .damaged = 1 },
	{ "a version of the future is refused", "H v=2|T 1|S 0 1 2 3 4 5 6",
	  "hello  v2 a0 f0 e0\n" },
	{ "another frame between the chip's and the host's sums", "H|T 1 0 0 0 0 0 0 0 0 0 0 0 7 9",
	  HELLO_AVR "status 1 unheard 7 9\n" },
	{ "run of 33 bits", "H|T 5 1", HELLO_AVR "status 4294967301\n" },
	{ "run's half that is no half", "H|T 0x100000000", HELLO_AVR, .damaged = 1 },
};

static const struct script_case rows[] = {
	{ "sites", "H|S 0 0x100 0x50 3 100 20 60 2 0x200 0x60 1 9 9 9",
	  HELLO_AVR "site 200 a0 3 100 20-60\nsite 400 c0 1 9 9-9\n" },
	{ "base and unit", "H a=3 B=0x8000000|A 0 0x100 0x50 3",
	  "hello  v1 a3 f5e3 e0\narc 8000200 80000a0 3\n" },
	{ "skew is taken off, not below zero", "H s=40|S 0 1 2 10 100 2 30|S 0 1 2 40 100 2 30",
	  HELLO_AVR "site 2 4 10 75 0-28\nsite 2 4 40 0 0-28\n" },
	{ "skew below zero is added", "H s=-16|S 0 1 2 10 100 2 30",
	  HELLO_AVR "site 2 4 10 110 3-31\n" },
	{ "coded durations", "H f=0x40b|S 0 1 2 3 4 0x7fff 0x8000|S 0 1 2 4 5 0x87ff 0xffff",
	  "hello  v1 a1 f40b e0\nsite 2 4 3 4 32767-32768\nsite 2 4 4 5 65520-2146959360 max>=\n" },
	{ "the greatest code has no end", "H f=0x40b s=16|S 0 1 2 1 9 0xffff 0xffff",
	  "hello  v1 a1 f40b e0\nsite 2 4 1 8 2146959359-2146959359 max>= min>=\n" },
	{ "ticks without a code have one", "H f=0x403|S 0 1 2 1 9 0x7ff80000 0x7ff80000",
	  "hello  v1 a1 f403 e0\nsite 2 4 1 9 2146959360-2146959360\n" },
	{ "a code of 17 bits", "H f=0x40b|S 0 1 2 3 4 5 0x10000", "hello  v1 a1 f40b e0\n",
	  .damaged = 1 },
	{ "histogram", "H f=0x407 g=0x25|S 0 1 2 36 99 1 50 1 2 3 4 5 6 7 8",
	  "hello  v1 a1 f407 e0\nsite 2 4 36 99 1-50 1,2,3,4,5,6,7,8\n" },
	{ "calls alone", "H f=0x400|S 0 1 2 36 0 3 4 5", "hello  v1 a1 f400 e0\nsite 2 4 36\n"
							 "site 6 8 5\n" },
	{ "an interrupt's row", "H|S 0 0 2 3 4 1 2", HELLO_AVR "site 0 4 3 4 1-2 handler\n" },
	{ "entered and not left", "H|S 0 1 2 0 0 65535 0", HELLO_AVR "site 2 4 0 0\n" },
	{ "an old row, late", "H|+S 0 1 2 3 30 1 9|S 0 1 2 4 40 1 9|r",
	  HELLO_AVR "site 2 4 4 40 1-9\n" },
	{ "noise that grew too far is given up", "H|S 0 1 2 999999 9999999 1 9|S 0 1 2 4 40 1 9|"
						 "S 0 1 2 5 50 1 9",
	  HELLO_AVR "site 2 4 999999 9999999 1-9\nsite 2 4 5 50 1-9\n" },
	{ "a slot with another key, twice", "H|S 0 1 2 3 30 1 9|S 0 3 4 3 30 1 9|S 0 3 4 3 30 1 9",
	  HELLO_AVR "site 2 4 3 30 1-9\nsite 2 4 0 0 gone\nsite 6 8 3 30 1-9\n" },
	{ "extension before and behind its row",
	  "H|S 0 1 2 5 7 1 9 2 0 0 2 1 0 0|S 3 0 0 3 2 0 0",
	  HELLO_AVR "site 2 4 5 7 1-9\n" },
	{ "an extension in the same frame, then another row",
	  "H|S 3 0 0 2 1 0 0|S 0 1 2 5 7 1 9",
	  HELLO_AVR "site 2 4 33554437 4294967303 1-9\n" },
	{ "a counter begins again, its extension comes later",
	  "H|S 0 1 2 0xfffff0 0xfffffff0 1 9|S 0 1 2 5 7 1 9|S 3 0 0 1 1 0 0",
	  HELLO_AVR "site 2 4 16777200 4294967280 1-9\nsite 2 4 16777221 4294967303 1-9\n" },
	{ "a counter begins again, its extension came first",
	  "H|S 0 1 2 0xfffff0 0xfffffff0 1 9|S 3 0 0 1 1 0 0|S 0 1 2 5 7 1 9",
	  HELLO_AVR "site 2 4 16777200 4294967280 1-9\nsite 2 4 16777221 4294967303 1-9\n" },
	{ "a row that extends itself, one that extends nothing there is",
	  "H|S 3 3 0 1 1 0 0|S 3 64 0 1 1 0 0|T 1",
	  HELLO_AVR "status 1\n", .damaged = 2 },
	{ "an address beyond 32 bits", "H|S 0 0x80000000 1 1 1 1 1|S 0 1 0x7fffffff 2 3 4 5",
	  HELLO_AVR "site 2 fffffffe 2 3 4-5\n", .damaged = 1 },
	{ "numbers of 64 bits", "H s=3|S 0 1 2 0xffffffffffffffff 0xffffffffffffffff "
				"0xffffffffffffffff "
	  "0xffffffffffffffff",
	  HELLO_AVR "site 2 4 18446744073709551615 14987979559889010687 "
		    "18446744073709551615-18446744073709551615\n" },
	{ "65 bits", "H|X 3 0 1 2 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff 2 3 4 5", HELLO_AVR,
	  .damaged = 1 },
	{ "an endless number",
	  "H|X 3 0 1 2 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff 1 3 4 5", HELLO_AVR,
	  .damaged = 1 },
	{ "skips that add up to too much", "H|A 40 1 2 3 40 1 2 3|A 65535 1 2 3|"
					   "A 0xffffffffffffffff 1 2 3",
	  HELLO_AVR, .damaged = 3 },
};

#define ARM "H a=4 f=0x403"		/* timed, min and max */
#define HELLO_ARM "hello  v1 a4 f403 e0\n"
#define CALLS_ARM "H a=4 f=0x400"
#define HELLO_CALLS "hello  v1 a4 f400 e0\n"
#define BUCKETS_ARM "H a=4 f=0x407"
#define BUCKETS_AVR "H f=0x407"

/*
 * Counters that pass their width: all that they counted is told, and nothing else makes a total
 * jump.
 */
static const struct script_case widths[] = {
	{ "an ARM's calls pass 2^32, again and again",
	  ARM "|S 0 1 2 0xc0000000 9 1 9|S 0 1 2 0xffffffff 10 1 9|S 0 1 2 5 11 1 9|"
	      "S 0 1 2 0x40000000 12 1 9|"
	  "S 0 1 2 0x70000000 13 1 9|S 0 1 2 0xa0000000 14 1 9|S 0 1 2 0xd0000000 15 1 9|"
	  "S 0 1 2 1 0x100000000 1 9",
	  HELLO_ARM "site 2 4 3221225472 9 1-9\nsite 2 4 4294967295 10 1-9\n"
		    "site 2 4 4294967301 11 1-9\n"
	  "site 2 4 5368709120 12 1-9\nsite 2 4 6174015488 13 1-9\nsite 2 4 6979321856 14 1-9\n"
	  "site 2 4 7784628224 15 1-9\nsite 2 4 8589934593 4294967296 1-9\n" },
	{ "calls alone pass 2^32", CALLS_ARM "|S 0 1 2 0xfffffff0|S 0 1 2 0xffffffff|S 0 1 2 7",
	  HELLO_CALLS "site 2 4 4294967280\nsite 2 4 4294967295\nsite 2 4 4294967303\n" },
	{ "a row of before the width was passed, late",
	  CALLS_ARM "|S 0 1 2 0xfffffff0|+S 0 1 2 0xfffffffe|"
	  "S 0 1 2 0xffffffff|S 0 1 2 7|r|S 0 1 2 8",
	  HELLO_CALLS "site 2 4 4294967280\nsite 2 4 4294967295\nsite 2 4 4294967303\n"
		      "site 2 4 4294967304\n" },
	{ "calls fell and so did the total, which has 64 bits: the node restarted, whatever it "
	  "says",
	  ARM "|S 0 1 2 0xfffffff0 90 1 9|S 0 1 2 0xffffffff 91 1 9|S 0 1 2 7 8 1 9|"
	      "S 0 1 2 8 9 1 9",
	  HELLO_ARM "site 2 4 4294967280 90 1-9\nsite 2 4 4294967295 91 1-9\nsite 2 4 8 9 1-9\n" },
	{ "run went back: the node restarted, and calls that fell passed nothing",
	  CALLS_ARM "|T 5000|S 0 1 2 0xfffffff0|S 0 1 2 0xffffffff|T 10|S 0 1 2 7|T 20|S 0 1 2 8",
	  HELLO_CALLS "status 5000\nsite 2 4 4294967280\nsite 2 4 4294967295\nepoch\nstatus 20\n"
		      "site 2 4 8\n" },
	{ "noise close to the width is not believed",
	  CALLS_ARM "|S 0 1 2 5|S 0 1 2 0xfffffff0|S 0 1 2 6|S 0 1 2 7",
	  HELLO_CALLS "site 2 4 5\nsite 2 4 6\nsite 2 4 7\n" },
	{ "noise was the first row", CALLS_ARM "|S 0 1 2 0xfffffff0|S 0 1 2 6|S 0 1 2 7",
	  HELLO_CALLS "site 2 4 4294967280\nsite 2 4 7\n" },
	{ "a leap that the next row bears out", CALLS_ARM "|S 0 1 2 5|S 0 1 2 0x60000000|"
							  "S 0 1 2 0x60000001",
	  HELLO_CALLS "site 2 4 5\nsite 2 4 1610612737\n" },
	{ "a figure of more bits than it can have",
	  CALLS_ARM "|S 0 1 2 0x100000000|A 0 1 2 0x100000000|T 1 0 0 0 0x100000000",
	  HELLO_CALLS, .damaged = 3 },
	{ "an ARM's buckets pass 2^32", BUCKETS_ARM "|S 0 1 2 0xfffffff0 9 1 2 0xfffffff0 0 0 0 0 "
						    "0 0 0|"
	  "S 0 1 2 0xffffffff 9 1 2 0xffffffff 0 0 0 0 0 0 0|S 0 1 2 3 9 1 2 2 1 0 0 0 0 0 0",
	  "hello  v1 a4 f407 e0\nsite 2 4 4294967280 9 1-2 4294967280,0,0,0,0,0,0,0\n"
	  "site 2 4 4294967295 9 1-2 4294967295,0,0,0,0,0,0,0\n"
	  "site 2 4 4294967299 9 1-2 4294967298,1,0,0,0,0,0,0\n" },
	{ "an AVR's pass 2^24 with the calls, whose extension comes behind",
	  BUCKETS_AVR "|S 0 1 2 0xfffff0 9 1 2 0xfffff0 0 0 0 0 0 0 0|"
		      "S 0 1 2 0xffffff 9 1 2 0xffffff 0 0 0 0 0 0 0|"
	  "S 0 1 2 3 9 1 2 2 1 0 0 0 0 0 0|S 3 0 0 1 0 0 0 0 0 0 0 0 0 0 0",
	  "hello  v1 a1 f407 e0\nsite 2 4 16777200 9 1-2 16777200,0,0,0,0,0,0,0\n"
	  "site 2 4 16777215 9 1-2 16777215,0,0,0,0,0,0,0\n"
	  "site 2 4 16777219 9 1-2 16777218,1,0,0,0,0,0,0\n" },
	{ "noise in a bucket", BUCKETS_AVR "|S 0 1 2 9 9 1 2 9 0 0 0 0 0 0 0|"
					   "S 0 1 2 9 9 1 2 0xfffff0 0 0 0 0 0 0 0|"
	  "S 0 1 2 9 9 1 2 9 0 0 0 0 0 0 0",
	  "hello  v1 a1 f407 e0\nsite 2 4 9 9 1-2 9,0,0,0,0,0,0,0\n"
	  "site 2 4 9 9 1-2 9,0,0,0,0,0,0,0\n" },
	{ "an AVR's extension found no slot: the host counts in its stead",
	  "H|T 1 0 0 0 0 0 0 0 1|S 0 1 2 0xfffff0 0xfffffff0 1 9|S 0 1 2 0xfffff8 0xfffffff8 1 9|"
	  "S 0 1 2 5 7 1 9|"
	  "S 0 1 2 6 8 1 9|S 0 1 2 7 9 1 9|S 0 1 2 8 10 1 9|S 0 1 2 9 11 1 9",
	  HELLO_AVR "status 1 carries 1\nsite 2 4 16777200 4294967280 1-9\n"
		    "site 2 4 16777208 4294967288 1-9\n"
	  "site 2 4 16777224 4294967306 1-9\nsite 2 4 16777225 4294967307 1-9\n" },
	{ "it had found one, and was late: it counts once",
	  "H|T 1 0 0 0 0 0 0 0 1|S 0 1 2 0xfffff0 0xfffffff0 1 9|S 0 1 2 0xfffff8 0xfffffff8 1 9|"
	  "S 0 1 2 5 7 1 9|"
	  "S 0 1 2 6 8 1 9|S 0 1 2 7 9 1 9|S 0 1 2 8 10 1 9|S 3 0 0 1 1 0 0|S 0 1 2 9 11 1 9",
	  HELLO_AVR "status 1 carries 1\nsite 2 4 16777200 4294967280 1-9\n"
		    "site 2 4 16777208 4294967288 1-9\n"
	  "site 2 4 16777224 4294967306 1-9\nsite 2 4 16777225 4294967307 1-9\n" },
	{ "noise before extensions that found no slot",
	  "H|T 1 0 0 0 0 0 0 0 1|S 0 1 2 4 4 1 9|S 0 1 2 0xfffff8 0xfffffff8 1 9|S 0 1 2 5 7 1 9|"
	  "S 0 1 2 6 8 1 9|S 0 1 2 7 9 1 9|S 0 1 2 8 10 1 9",
	  HELLO_AVR "status 1 carries 1\nsite 2 4 4 4 1-9\nsite 2 4 16777208 4294967288 1-9\n"
	  "site 2 4 8 10 1-9\n" },
	{ "an arc's and a PC's count pass 2^32", "H|A 0 1 2 0xfffffff0|P 0 5 0xfffffff0|"
						 "A 0 1 2 0xffffffff|P 0 5 0xffffffff|"
	  "A 0 1 2 1|P 0 5 2|A 0 1 2 0x10|P 0 5 0x20",
	  HELLO_AVR "arc 2 4 4294967280\npc a 4294967280\narc 2 4 4294967295\npc a 4294967295\n"
	  "arc 2 4 4294967297\npc a 4294967298\narc 2 4 4294967312\npc a 4294967328\n" },
	{ "and are closed then", "H|A 0 1 2 0xfffffff0|A 0 1 2 0xffffffff|A 0 1 2 1|a 0 1 2 9|"
				 "A 1 1 2 4",
	  HELLO_AVR "arc 2 4 4294967280\narc 2 4 4294967295\narc 2 4 4294967297\n"
		    "arc 2 4 4294967309\n" },
	{ "and leave their slot, the closing behind", "H|A 0 1 2 0xfffffff0|A 0 1 2 0xffffffff|"
						      "A 0 1 2 1|A 0 3 4 1|"
	  "a 0 1 2 9",
	  HELLO_AVR "arc 2 4 4294967280\narc 2 4 4294967295\narc 2 4 4294967297\n"
		    "arc 2 4 4294967297\n"
	  "arc 6 8 1\narc 2 4 4294967305\n" },
	{ "noise close to the width in an arc's count", "H|A 0 1 2 5|A 0 1 2 0xfffffff0|A 0 1 2 6|"
							"T 1",
	  HELLO_AVR "arc 2 4 5\narc 2 4 6\nstatus 1\n" },
	{ "an arc's count that falls from the middle is another's",
	  "H|A 0 1 2 0x30000000|A 0 1 2 0x30000001|A 0 1 2 1|"
	  "a 0 1 2 0x30000005",
	  HELLO_AVR "arc 2 4 805306368\narc 2 4 805306369\narc 2 4 805306370\n"
		    "arc 2 4 805306374\n" },
	{ "STATUS's counters pass 2^32", "H|T 1 0 0 0 0 0xfffffff0 0 0 0 0 0xfffffff0|"
	  "T 2 0 0 0 0 0xfffffff8 0 0 0 0 0xfffffff8|T 3 0 0 0 1 2 3 4 5 0 6 7 0 0 0 0 8",
	  HELLO_AVR "status 1 table 4294967280 arcs 4294967280\n"
		    "status 2 table 4294967288 arcs 4294967288\n"
	  "status 3 stack 1 table 4294967298 cut 3 text 4 carries 5 arcs 4294967302 pcs 7 "
	  "nostack 8\n" },
	{ "noise in STATUS", "H|T 1 0 0 0 1|T 2 0 0 0 0xfffffff0|T 3 0 0 0 2|T 4 0 0 0 3",
	  HELLO_AVR "status 1 stack 1\nstatus 2 stack 4294967280\nstatus 3 stack 2\n"
		    "status 4 stack 3\n" },
};

static const struct script_case closed[] = {
	{ "an arc's slot and its closed counts add up",
	  "H|A 0 1 2 5|a 0 1 2 7|A 0 3 4 1|A 0 3 4 2|A 1 1 2 4",
	  HELLO_AVR "arc 2 4 5\narc 2 4 5\narc 6 8 1\narc 6 8 2\narc 2 4 9\narc 2 4 11\n" },
	{ "the row that says less than its closing came late", "H|+A 0 1 2 5|a 0 1 2 7|r",
	  HELLO_AVR "arc 2 4 5\narc 2 4 7\n" },
	{ "a closing that was lost is missed", "H|A 0 1 2 5|-a 0 1 2 7|A 0 3 4 1|"
					       "T 9 0 0 0 0 0 0 0 0 0 0 0 7",
	  HELLO_AVR "arc 2 4 5\narc 2 4 5\narc 6 8 1\narc 2 4 0 gone\nstatus 9 unheard 7 0\n",
	  .lost = 1 },
	{ "an arc is back in another slot before its closing came",
	  "H|A 0 1 2 5|A 0 3 4 1|A 1 1 2 2|a 0 1 2 7",
	  HELLO_AVR "arc 2 4 5\narc 2 4 5\narc 6 8 1\narc 2 4 7\narc 2 4 9\n" },
	{ "an arc is back in its own", "H|A 0 1 2 5|A 0 1 2 1|a 0 1 2 7",
	  HELLO_AVR "arc 2 4 5\narc 2 4 6\narc 2 4 8\n" },
	{ "and has more than its closing, so that it is another's",
	  "H|A 0 1 2 50|a 0 1 2 7|A 0 1 2 51",
	  HELLO_AVR "arc 2 4 50\narc 2 4 51\narc 2 4 58\n" },
	{ "noise took the slot for a moment", "H|A 0 1 2 5|A 0 3 4 999|A 0 1 2 6|a 0 1 2 7|"
	  "T 1 0 0 0 0 0 0 0 0 0 0 0 7",
	  HELLO_AVR "arc 2 4 5\narc 2 4 5\narc 6 8 999\narc 6 8 999\narc 2 4 6\narc 2 4 7\n"
		    "status 1\n" },
	{ "one behind a gap, then the gap's own, late",
	  "H|+a 0 1 2 7|a 7 3 4 2|T 1 0 0 0 0 0 0 0 0 0 0 0 9|r|"
	  "T 2 0 0 0 0 0 0 0 0 0 0 0 9",
	  HELLO_AVR "arc 6 8 2\nstatus 1 unheard 7 0\narc 2 4 7\nstatus 2\n" },
	{ "a copy counts once", "H|a 0 1 2 7|d|T 1 0 0 0 0 0 0 0 0 0 0 0 7|"
				"a 7 3 4 2|d",
	  HELLO_AVR "arc 2 4 7\nstatus 1\narc 6 8 2\n" },
	{ "a copy that comes late counts once",
	  "H|a 0 1 2 7|T 1 0 0 0 0 0 0 0 0 0 0 0 7|a 7 3 4 2|"
	  "+a 9 3 4 1|r|T 2 0 0 0 0 0 0 0 0 0 0 0 10|r",
	  HELLO_AVR "arc 2 4 7\nstatus 1\narc 6 8 2\narc 6 8 3\nstatus 2\n" },
	{ "a host that joins late", "H|p 1000 5 3|T 1 0 0 0 0 0 0 0 0 0 0 0 0 1003",
	  HELLO_AVR "pc a 3\nstatus 1 unheard 0 1000\n" },
	{ "the sum passes 2^32", "H|p 0xfffffffe 5 3|p 1 5 4|T 1 0 0 0 0 0 0 0 0 0 0 0 0 5",
	  HELLO_AVR "pc a 3\npc a 7\nstatus 1 unheard 0 4294967294\n" },
	{ "PCs in slots", "H|P 0 5 3 0 6 2|P 1 6 9", HELLO_AVR "pc a 3\npc c 2\npc c 9\n" },
	{ "a closed count of 0 is none", "H|a 0 1 2 0", HELLO_AVR, .damaged = 1 },
	{ "noise put the sum too far; the next ones are news",
	  "H|a 1000000 1 2 7|a 0 3 4 1|a 1 3 4 1|"
	  "T 1 0 0 0 0 0 0 0 0 0 0 0 2",
	  HELLO_AVR "arc 2 4 7\narc 6 8 1\narc 6 8 2\nstatus 1\n" },
};

static const struct script_case order[] = {
	{ "frames lost are counted", "H|T 1|-T 2|-T 3|T 4", HELLO_AVR "status 1\nstatus 4\n",
	  .lost = 2 },
	{ "a late one is not lost", "H|T 1|+T 2|T 3|r", HELLO_AVR "status 1\nstatus 3\n" },
	{ "seq passes 255", "q 254|H|T 1|T 2|T 3", HELLO_AVR "status 1\nstatus 2\nstatus 3\n" },
	{ "copies", "H|T 1|d|d|T 2|d", HELLO_AVR "status 1\nstatus 2\n" },
	{ "before the HELLO frames are kept", "S 0 1 2 3 30 1 9|T 5|N x|H",
	  "hello x v1 a1 f5e3 e0\nsite 2 4 3 30 1-9\nstatus 5\n" },
	{ "no HELLO: nothing", "S 0 1 2 3 30 1 9|T 5|A 0 1 2 3", "" },
	{ "a new epoch's HELLO", "H|S 0 1 2 3 30 1 9|H e=1|S 0 1 2 1 10 1 9",
	  HELLO_AVR "site 2 4 3 30 1-9\nepoch\nhello  v1 a1 f5e3 e1\nsite 2 4 1 10 1-9\n" },
	{ "the same bits, another number: its second HELLO", "H e=3|T 9|H e=11|T 10|H e=11|T 1",
	  "hello  v1 a1 f5e3 e3\nstatus 9\nstatus 10\nepoch\nhello  v1 a1 f5e3 e11\nstatus 1\n" },
	{ "one HELLO of another epoch is noise", "H|T 50|H e=1|e 0|q 3|T 51|H|T 52",
	  HELLO_AVR "status 50\nstatus 51\nstatus 52\n", .lost = 1 },
	{ "a known site in another slot, once: noise",
	  "H|S 0 1 2 3 30 1 9|S 5 1 2 8 80 1 9|T 1|S 0 1 2 4 40 1 9",
	  HELLO_AVR "site 2 4 3 30 1-9\nstatus 1\nsite 2 4 4 40 1-9\n" },
	{ "twice: it is there, and nowhere else",
	  "H|S 5 1 2 3 30 1 9|S 0 1 2 8 80 1 9|T 1|S 0 1 2 9 90 1 9",
	  HELLO_AVR "site 2 4 3 30 1-9\nstatus 1\nsite 2 4 9 90 1-9\n" },
	{ "a known arc in another slot, once, waits up to the end",
	  "H|A 0 1 2 3|A 5 1 2 8|T 1|A 0 1 2 4|T 2",
	  HELLO_AVR "arc 2 4 3\nstatus 1\narc 2 4 4\nstatus 2\narc 2 4 12\n" },
	{ "back in its slot with the count it had: it never left, the row in between was noise",
	  "H|A 0 1 2 5|A 0 3 4 1|T 1|A 0 1 2 5|T 2",
	  HELLO_AVR "arc 2 4 5\narc 2 4 5\narc 6 8 1\nstatus 1\narc 6 8 1\narc 2 4 5\nstatus 2\n" },
	{ "twice: it moved, and its closing is to come", "H|A 0 1 2 3|A 5 1 2 8|T 1|A 5 1 2 9",
	  HELLO_AVR "arc 2 4 3\nstatus 1\narc 2 4 12\n" },
	{ "a new row of a table that was told waits for a second frame",
	  "H|T 1|T 2|T 3|T 4|S 3 7 8 5 50 1 9|T 5|S 3 7 8 6 60 1 9",
	  HELLO_AVR "status 1\nstatus 2\nstatus 3\nstatus 4\nstatus 5\nsite e 10 6 60 1-9\n" },
	{ "or for the stream's end", "H|T 1|T 2|T 3|T 4|S 3 7 8 5 50 1 9|A 1 2 3 4|T 5",
	  HELLO_AVR "status 1\nstatus 2\nstatus 3\nstatus 4\nstatus 5\nsite e 10 5 50 1-9\n"
		    "arc 4 6 4\n" },
	{ "an extension of no row that wrapped, once: noise",
	  "H|S 0 1 2 3 30 1 9|T 1|T 2|T 3|T 4|S 9 0 0 1 1 0 0|T 5|S 0 1 2 4 40 1 9",
	  HELLO_AVR "site 2 4 3 30 1-9\nstatus 1\nstatus 2\nstatus 3\nstatus 4\nstatus 5\n"
		    "site 2 4 4 40 1-9\n" },
	{ "a STATUS far ahead is noise, and no restart", "H|A 0 1 2 3|T 10|T 9000|T 12|T 13",
	  HELLO_AVR "arc 2 4 3\nstatus 10\nstatus 9000\nstatus 12\nstatus 13\n" },
	{ "a HELLO of other rows, once: noise", "H|H k=9 f=0x400|S 20 1 2 3 30 1 9",
	  HELLO_AVR "site 2 4 3 30 1-9\n" },
	{ "two frames of a new epoch; they wait for their HELLO",
	  "H|T 50|e 1|q 0|S 0 1 2 1 10 1 9|T 1|T 2|H e=1|T 3",
	  HELLO_AVR "status 50\nepoch\nhello  v1 a1 f5e3 e1\nsite 2 4 1 10 1-9\nstatus 1\n"
		    "status 2\nstatus 3\n" },
	{ "one frame of another epoch is noise", "H|T 50|e 5|q 77|T 1|e 0|q 2|T 51|T 52",
	  HELLO_AVR "status 50\nstatus 51\nstatus 52\n" },
	{ "one of the epoch before, late, twice", "H|T 50|H e=1|T 1|e 0|q 2|T 51|T 52|H|e 1|q 4|"
						  "T 2",
	  HELLO_AVR "status 50\nepoch\nhello  v1 a1 f5e3 e1\nstatus 1\nstatus 2\n" },
	{ "one copy of a new epoch's frame does not begin it",
	  "H|T 50|e 1|q 0|T 1|d|d|e 0|q 2|T 51",
	  HELLO_AVR "status 50\nstatus 51\n" },
	{ "run goes back twice: a node that forgot its epoch",
	  "H|T 5000|S 0 1 2 3 30 1 9|T 10|T 20|S 0 1 2 1 10 1 9",
	  HELLO_AVR "status 5000\nsite 2 4 3 30 1-9\nepoch\nstatus 20\nsite 2 4 1 10 1-9\n" },
	{ "run goes back once: noise", "H|T 5000|T 10|T 5010",
	  HELLO_AVR "status 5000\nstatus 5010\n" },
	{ "run goes back by a hair", "H|T 5000|T 4999", HELLO_AVR "status 5000\nstatus 4999\n" },
};

static void test_frames(void **state)
{
	(void)state;
	scripts_run(frames, COUNT(frames), NULL);
}

static void test_rows(void **state)
{
	(void)state;
	scripts_run(rows, COUNT(rows), NULL);
}

static void test_widths(void **state)
{
	(void)state;
	scripts_run(widths, COUNT(widths), NULL);
}

static void test_closed(void **state)
{
	(void)state;
	scripts_run(closed, COUNT(closed), NULL);
}

static void test_order(void **state)
{
	(void)state;
	scripts_run(order, COUNT(order), NULL);
}

/* --- a 22-bit program counter ----------------------------------------------------------------- */

/*
 * 256 KB: a call's return address and where it goes (0: indirect), two functions, a trampoline at
 * 0x200.
 */
static const struct { uint32_t ret, target; } big_calls[] = {
	{ 0x1000, 0x400 }, { 0x21000, 0x30000 },	/* the callee tells */
	{ 0x1010, 0x400 },				/* one page has a call there */
	{ 0x21020, 0 }, { 0x1020, 0x600 },		/* an indirect one, one that goes
							 * elsewhere */
	{ 0x1030, 0x400 }, { 0x21030, 0x400 },		/* cannot be told */
};

static uint64_t big_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	for (size_t i = 0; i < COUNT(big_calls); i++) {
		if (big_calls[i].ret == ret && big_calls[i].target)
			return big_calls[i].target;
	}
	return CODE_NO_TARGET;
}

static uint64_t big_normal(const void *ctx, uint64_t address)
{
	(void)ctx;
	return address == 0x200 ? 0x30000 : address;
}

static struct codemap big_code(void)
{
	static uint8_t flags[0x40000 / 2];

	memset(flags, CODE_TEXT, sizeof(flags));
	for (size_t i = 0; i < COUNT(big_calls); i++)
		flags[big_calls[i].ret / 2] |= CODE_RETURN;
	return (struct codemap){ .arch = CODE_AVR, .size = 0x40000, .flags = flags,
				 .target = big_target, .normal = big_normal };
}

static const struct script_case pages[] = {
	{ "the callee tells, through a trampoline too",
	  "H a=2 f=0x400|S 0 0x800 0x200 1 0 0x800 0x100 2 0 0x800 0x18000 3",
	  "hello  v1 a2 f400 e0\nsite 1000 400 1\nsite 21000 200 2 bit16\n"
	  "site 21000 30000 3 bit16\n" },
	{ "a call, an indirect call, two of one kind, none",
	  "H a=2 f=0x400|S 0 0x808 0x300 1 0 0x810 0x200 2 0 0x818 0x200 3 0 0x818 0x300 4 0 "
	  "0x900 0x300 5",
	  "hello  v1 a2 f400 e0\nsite 1010 600 1\nsite 21020 400 2 bit16\n"
	  "site 1030 400 3 ambiguous\n"
	  "site 1030 600 4 ambiguous\nsite 1200 600 5 ambiguous\n" },
	{ "handlers come from nowhere", "H a=2 f=0x400|S 0 0 0x200 1",
	  "hello  v1 a2 f400 e0\nsite 0 400 1 handler\n" },
};

static void test_pages(void **state)
{
	struct codemap code = big_code();

	(void)state;
	scripts_run(pages, COUNT(pages), &code);
}

/* The image comes, goes: addresses are taken back and sent again. */
static void test_set_code(void **state)
{
	struct codemap code = big_code();
	struct stream s = { .seq = 0 };
	struct said l = { BUF_INIT, BUF_INIT };
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = said_sink(&l);
	struct wire *w = wire_new("wsn", &o, &sink, NULL);

	(void)state;
	wire_set_code(w, &code);
	wire_set_code(w, NULL);
	stream_script(&s, "H a=2 f=0x400|S 0 0x800 0x100 2 0 0x818 0x200 3 0 0 0x200 1");
	stream_feed(w, s.out.data, s.out.len, 7);
	wire_set_code(w, &code);
	wire_set_code(w, NULL);
	assert_string_equal(buf_str(&l.out),
			    "hello  v1 a2 f400 e0\n"
			    "site 1000 200 2 ambiguous\nsite 1030 400 3 ambiguous\n"
			    "site 0 400 1 handler\n"
			    "site 1000 200 0 ambiguous gone\nsite 21000 200 2 bit16\n"
			    "site 21000 200 0 bit16 gone\nsite 1000 200 2 ambiguous\n");
	wire_free(w);
	said_release(&l);
	stream_release(&s);
}

/* --- live ------------------------------------------------------------------------------------- */

struct live {
	struct stream s;
	struct said l;
	struct wire *w;
};

static void live_start(struct live *v)
{
	struct wire_options o = { .code = NULL };
	struct wire_sink sink;

	memset(v, 0, sizeof(*v));
	sink = said_sink(&v->l);
	v->w = wire_new("wsn", &o, &sink, NULL);
	assert_non_null(v->w);
}

/* What was said since, when the script's bytes came. */
static void live_expect(struct live *v, const char *script, const char *want)
{
	buf_reset(&v->s.out);
	buf_reset(&v->l.out);
	stream_script(&v->s, script);
	wire_feed(v->w, (const uint8_t *)v->s.out.data, v->s.out.len);
	said_settle(&v->l);
	assert_string_equal(buf_str(&v->l.out), want);
}

static void live_flush(struct live *v, const char *want)
{
	buf_reset(&v->l.out);
	wire_flush(v->w, false);
	said_settle(&v->l);
	assert_string_equal(buf_str(&v->l.out), want);
}

static void live_end(struct live *v)
{
	wire_free(v->w);
	said_release(&v->l);
	stream_release(&v->s);
}

/* Lines appear at their newline, prompts in silence, frames at once; no character twice. */
static void test_live(void **state)
{
	struct live v;

	(void)state;
	live_start(&v);
	live_expect(&v, "H", HELLO_AVR);
	live_expect(&v, "t one\nt", "T one\\n\n");
	live_flush(&v, "T t\n");
	live_flush(&v, "");
	live_expect(&v, "t wo\n", "T wo\\n\n");
	live_expect(&v, "T 1", "status 1\n");
	live_expect(&v, "t > ", "");
	live_flush(&v, "T > \n");
	live_expect(&v, "/T 2", "status 2\n");
	live_end(&v);
}

/*
 * A pause within a frame, wherever, loses nothing. (What is printable of it may be shown as text.)
 */
static void test_pause_in_frame(void **state)
{
	struct stream s = { .epoch = 3, .seq = 0x40 };
	const char *want = "hello  v1 a1 f5e3 e3\nsite 20a00 8282 2570 2570 10-10\n";

	(void)state;
	stream_script(&s, "H|S 0 66816 16705 2570 2570 10 10");
	for (size_t at = 1; at < s.out.len; at++) {
		struct live v;

		struct wire_options o = { .code = NULL };
		struct wire_sink sink;

		memset(&v, 0, sizeof(v));
		sink = said_sink(&v.l);
		sink.text = NULL;
		v.w = wire_new("wsn", &o, &sink, NULL);
		wire_feed(v.w, (const uint8_t *)s.out.data, at);
		wire_flush(v.w, false);
		wire_feed(v.w, (const uint8_t *)s.out.data + at, s.out.len - at);
		assert_string_equal(buf_str(&v.l.out), want);
		live_end(&v);
	}
	stream_release(&s);
}

/* Rows mean nothing before the HELLO: what is waited for is said, and that something comes. */
static void test_waiting(void **state)
{
	struct live v;

	(void)state;
	live_start(&v);
	assert_string_equal(wire_note(v.w), "wsn: waiting for the node's HELLO (frames seen: 0)");
	live_expect(&v, "T 1|S 0 1 2 3 30 1 9", "");
	assert_string_equal(wire_note(v.w), "wsn: waiting for the node's HELLO (frames seen: 2)");
	live_expect(&v, "H", HELLO_AVR "status 1\nsite 2 4 3 30 1-9\n");
	assert_string_equal(wire_note(v.w), "wsn: HELLO of node '', AVR");
	live_end(&v);
}

/* --- hostile ---------------------------------------------------------------------------------- */

/* Every arc a new one: what is kept is bounded, what is not is counted as unheard. */
static void test_keys_without_end(void **state)
{
	struct wire_options o = { .code = NULL };
	struct said l = { BUF_INIT, BUF_INIT };
	struct wire_sink sink = { .ctx = &l, .status = said_status };
	struct wire *w = wire_new("wsn", &o, &sink, NULL);
	struct stream s = { .seq = 0 };
	uint32_t key = 0;

	(void)state;
	stream_script(&s, "H");
	for (int i = 0; i < 4000; i++) {
		struct buf body = BUF_INIT;

		stream_varint(&body, key);
		for (int k = 0; k < 40; k++, key++) {
			stream_varint(&body, key);
			stream_varint(&body, 1);
			stream_varint(&body, 1);
		}
		stream_frame(&s, 6, &body);
		stream_send(&s);
		buf_release(&body);
	}
	stream_script(&s, "T 1 0 0 0 0 0 0 0 0 0 0 0 160000");
	wire_feed(w, (const uint8_t *)s.out.data, s.out.len);
	assert_string_equal(buf_str(&l.out), "status 1 unheard 28928 0\n");
	wire_free(w);
	said_release(&l);
	stream_release(&s);
}

/* One address in every slot there can be: eight are kept. */
static void test_one_key_in_all_slots(void **state)
{
	static const char ALL[] = "A 0 1 2 1 0 1 2 1 0 1 2 1 0 1 2 1 0 1 2 1 0 1 2 1 0 1 2 1 "
				  "0 1 2 1 0 1 2 1";
	struct live v;

	(void)state;
	live_start(&v);
	live_expect(&v, "H k=65535 f=0x400", "hello  v1 a1 f400 e0\n");
	live_expect(&v, "A 65534 1 2 3", "arc 2 4 3\n");
	live_expect(&v, ALL, "");
	live_expect(&v, ALL, "arc 2 4 10\n");
	live_end(&v);
}

static void test_memory(void **state)
{
	struct stream s = { .seq = 0 };
	size_t made = 0;

	(void)state;
	stream_script(&s, "S 0 1 2 3 30 1 9|H|N blink|S 0 1 2 3 30 1 9 7 5 6 3 30 1 9|A 0 1 2 3|"
			  "P 0 9 9|"
		      "a 0 1 2 7|p 0 5 3|T 7|t text\n|S 3 0 0 1 1 0 0|H e=1|S 0 1 2 3 30 1 9");
	for (long n = 0; n < 40; n++) {
		struct wire_options o = { .code = NULL };
		struct wire_sink sink = { .ctx = NULL };
		struct wire *w;

		mem_fail_after(n);
		w = wire_new("wsn", &o, &sink, NULL);
		made += w != NULL;
		if (w) {
			stream_feed(w, s.out.data, s.out.len, 11);
			wire_flush(w, true);
			wire_free(w);
		}
		mem_fail_after(-1);
	}
	stream_release(&s);
	assert_true(made > 0 && made < 40);
}

/* --- auto ------------------------------------------------------------------------------------- */

#define REPORT "PROF:led:2:100:3932008:32768\r\n0x42:0x30:3:24:8:8\r\n" \
	       "0x37cc:0x48:575:10112:16:24\r\n\r\n"

struct auto_case {
	const char *name, *script, *want, *format, *note;
};

static const struct auto_case autos[] = {
	{ "a HELLO", "t boot\r\nmore\r\n|H|T 1|t last\n",
	  "T boot\r\\nmore\r\\n\n" HELLO_AVR "status 1\nT last\\n\n",
	  "wsn", "wsn: HELLO of node '', AVR; detected after a HELLO" },
	{ "two frames; both are had", "t boot\n|T 1|t a\nb\nc\nd\ne\nf\n|T 2|H",
	  "T boot\\na\\nb\\nc\\nd\\ne\\nf\\n\n" HELLO_AVR "status 1\nstatus 2\n", "wsn",
	  "wsn: HELLO of node '', AVR; detected after two frames" },
	{ "one frame decides nothing", "t boot\n|T 1|t word\n", NULL, "auto", NULL },
	{ "two frames that cannot follow one another", "T 1|q 200|T 2|e 3|T 5", NULL, "auto",
	  NULL },
	{ "the node's own report is text", "H|t " REPORT "|T 1", HELLO_AVR
	  "T PROF:led:2:100:3932008:32768\r\\n0x42:0x30:3:24:8:8\r\\n"
	  "0x37cc:0x48:575:10112:16:24\r\\n\r\\n\nstatus 1\n",
	  "wsn", NULL },
	{ "another firmware: reports, then frames", "t " REPORT "|H|T 1", NULL, "wsn", NULL },
	{ "another firmware: frames, then reports", "H|T 1|t boot\r\n" REPORT REPORT "\n", NULL,
	  "prof", NULL },
};

static void run_auto(const struct auto_case *c, size_t step)
{
	struct stream s = { .seq = 0 };
	struct said l = { BUF_INIT, BUF_INIT };
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = said_sink(&l);
	struct wire *w = wire_new("auto", &o, &sink, NULL);

	stream_script(&s, c->script);
	for (size_t i = 0; i < s.out.len; i += step) {
		wire_feed(w, (const uint8_t *)s.out.data + i, s.out.len - i < step ? s.out.len - i :
			  step);
		if (step > 200)
			wire_flush(w, false);
	}
	wire_flush(w, true);
	said_settle(&l);
	if (strcmp(wire_name(w), c->format) != 0 ||
	    (c->note && strcmp(wire_note(w), c->note) != 0) ||
	    (c->want && strcmp(buf_str(&l.out), c->want) != 0))
		fail_msg("%s, step %zu: %s, %s\n%s", c->name, step, wire_name(w), wire_note(w),
			 buf_str(&l.out));
	wire_free(w);
	said_release(&l);
	stream_release(&s);
}

static void test_auto(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(autos); i++) {
		for (size_t step = 1; step < 60; step++)
			run_auto(&autos[i], step);
		run_auto(&autos[i], 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc),
		cmocka_unit_test(test_cobs),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_set_code),
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_pause_in_frame),
		cmocka_unit_test(test_keys_without_end),
		cmocka_unit_test(test_one_key_in_all_slots),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_auto),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
