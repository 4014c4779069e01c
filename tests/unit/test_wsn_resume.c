/*
 * wsn: what a decoder tells one that begins to read behind it (resume.c). The second one says what
 * the first knows, and would itself tell a third one the same bytes.
 */
#include "tests/unit/wsn_stream.h"

#include "core/wire/wsn/state.h"

#define AVR "hello  v1 a1 f5e3 e0\n"

struct resume_case {
	const char *name, *script, *want;
	bool partly;			/* not all that was counted is in it */
	bool cut;			/* the script ends within a frame */
};

static void case_run(const struct resume_case *c)
{
	struct said l = { BUF_INIT, BUF_INIT }, m = { BUF_INIT, BUF_INIT };
	struct wire_sink first_sink = said_sink(&l), second_sink = said_sink(&m);
	struct wire *first = wire_new("wsn", NULL, &first_sink, NULL);
	struct wire *second = wire_new("wsn", NULL, &second_sink, NULL);
	struct buf told = BUF_INIT, again = BUF_INIT;
	struct stream s = { .seq = 250 };
	struct wire_stats stats;
	bool whole;

	stream_script(&s, c->script);
	wire_feed(first, (const uint8_t *)s.out.data, s.out.len);
	whole = wire_resume(first, &told);
	wire_feed(second, (const uint8_t *)told.data, told.len);
	said_settle(&m);
	if (strcmp(buf_str(&m.out), c->want) != 0 || whole == c->partly)
		fail_msg("%s: %s\n%s--- wanted\n%s", c->name, whole ? "whole" : "partly",
			 buf_str(&m.out), c->want);
	wire_resume(second, &again);
	if (!c->partly &&
	    (told.len != again.len || memcmp(told.data, again.data, told.len) != 0))
		fail_msg("%s: it tells another one something else", c->name);
	/* The node's next frame leaves no gap. */
	buf_reset(&s.out);
	stream_script(&s, "T 99999");
	wire_feed(second, (const uint8_t *)s.out.data, s.out.len);
	wire_stats(second, &stats);
	if (!c->partly && !c->cut && (stats.lost || stats.damaged || !stats.events))
		fail_msg("%s: lost %u damaged %u", c->name, (unsigned)stats.lost,
			 (unsigned)stats.damaged);
	wire_free(first);
	wire_free(second);
	said_release(&l);
	said_release(&m);
	buf_release(&told);
	buf_release(&again);
	stream_release(&s);
}

#define CONTROLS "\1\1\1\1\1\1\1\1\1\1"
#define N50 "a name of fifty letters, as a fifth of a frame has"

static const struct resume_case cases[] = {
	{ "all that there is",
	  "H|N blink|S 0 1 2 3 30 1 9 4 5 6 7 70 2 8|A 1 1 2 3 7 5 6 8|P 2 9 4 0 10 6|a 0 1 2 7|"
	  "p 0 3 5|T 1000 1 2 3 4 5 6 7 0 9 0 12 7 5 14 15 16",
	  AVR "hello blink v1 a1 f5e3 e0\nsite 2 4 3 30 1-9\nsite a c 7 70 2-8\n"
	  "arc a c 8\npc 12 4\npc 14 6\narc 2 4 7\npc 6 5\n"
	  "status 4294968296 stack 4 table 5 cut 6 text 7 pcs 12 nostack 16\n" },
	{ "nothing yet", "t text",
	  "", .partly = true },
	{ "a version of the future", "H v=2",
	  "", .partly = true },
	{ "base and unit", "H a=3 B=0x8000000 u=4|A 0 0x100 0x50 3|S 3 0x20 0x30 4 5 1 4|T 1",
	  "hello  v1 a3 f5e3 e0\nsite 8000080 80000c0 4 5 1-4\n"
	  "arc 8000400 8000140 3\nstatus 1\n" },
	{ "an extension and its row, either slot first",
	  "H|S 3 0 0 2 1 0 0|S 0 1 2 5 7 1 9|S 5 9 0 1 0 0 0|S 9 7 8 5 7 1 9|T 1",
	  AVR "site 2 4 33554437 4294967303 1-9\nsite e 10 16777221 7 1-9\nstatus 1\n" },
	{ "an extension that is waited for",
	  "H|S 0 1 2 0xfffff0 0xfffffff0 1 9|S 0 1 2 5 7 1 9|T 1",
	  AVR "site 2 4 5 7 1-9\nstatus 1\n", .partly = true },
	{ "one that comes early", "H|S 0 1 2 0xfffff0 9 1 9|S 3 0 0 1 0 0 0|T 1",
	  AVR "site 2 4 33554416 9 1-9\nstatus 1\n",
	  .partly = true },
	{ "one that found no slot",
	  "H|T 1 0 0 0 0 0 0 0 1|S 0 1 2 0xfffff0 9 1 9|S 0 1 2 0xfffff8 9 1 9|S 0 1 2 5 9 1 9|"
	  "S 0 1 2 6 9 1 9|S 0 1 2 7 9 1 9|S 0 1 2 8 9 1 9",
	  AVR "site 2 4 8 9 1-9\nstatus 1 carries 1\n", .partly = true },
	{ "coded durations",
	  "H f=0x40b|S 0 1 2 3 4 0x7fff 0x8000 0 3 4 4 5 0x87ff 0x8800 0 5 6 4 5 0x9234 0xfffe "
	  "0 7 8 1 1 0 0xffff|T 1",
	  "hello  v1 a1 f40b e0\nsite 2 4 3 4 32767-32768\n"
	  "site 6 8 4 5 65520-65536\nsite a c 4 5 167168-2146435072\n"
	  "site e 10 1 1 0-2146959360 max>=\nstatus 1\n" },
	{ "durations without a code", "H f=0x403|S 0 1 2 3 4 0x7fff 0x12345678|T 1",
	  "hello  v1 a1 f403 e0\nsite 2 4 3 4 32767-305419896\nstatus 1\n" },
	{ "calls alone", "H f=0x400|S 0 1 2 36|T 1",
	  "hello  v1 a1 f400 e0\nsite 2 4 36\nstatus 1\n" },
	{ "timed without bounds", "H f=0x401|S 0 1 2 36 99|T 1",
	  "hello  v1 a1 f401 e0\nsite 2 4 36 99\nstatus 1\n" },
	{ "buckets", "H f=0x407|S 0 1 2 36 99 1 50 1 2 3 4 5 6 7 8|T 1",
	  "hello  v1 a1 f407 e0\nsite 2 4 36 99 1-50 1,2,3,4,5,6,7,8\nstatus 1\n" },
	{ "an ARM's calls beyond 2^32",
	  "H a=4 f=0x400|S 0 1 2 0xfffffff0 0 5 6 9|S 0 1 2 0xffffffff|S 0 1 2 7|T 1",
	  "hello  v1 a4 f400 e0\nsite 2 4 4294967303\nsite a c 9\n"
	  "site 2 4 4294967303\nstatus 1\n" },
	{ "an ARM's calls about to pass 2^32: told twice",
	  "H a=4 f=0x400|S 0 1 2 0xfffffff0 0 5 6 9|S 0 1 2 0xffffffff|T 1",
	  "hello  v1 a4 f400 e0\nsite 2 4 4294967295\nsite a c 9\n"
	  "site 2 4 4294967295\nstatus 1\n" },
	{ "an ARM's calls that leapt there are not",
	  "H a=4 f=0x400|S 0 1 2 0xfffffff0|T 1",
	  "hello  v1 a4 f400 e0\nsite 2 4 4294967280\nstatus 1\n" },
	{ "buckets beyond 2^24, and about to pass it",
	  "H f=0x407|S 0 1 2 0xfffff0 9 1 2 0xfffff0 0 0 0 0 0 0 0x800000|"
	  "S 0 1 2 0xffffff 9 1 2 0xffffff 0 0 0 0 0 0 0x800001|T 1",
	  "hello  v1 a1 f407 e0\n"
	  "site 2 4 16777215 9 1-2 16777215,0,0,0,0,0,0,8388609\n"
	  "site 2 4 16777215 9 1-2 16777215,0,0,0,0,0,0,8388609\nstatus 1\n" },
	{ "arcs and PCs beyond 2^32",
	  "H|A 0 1 2 0xfffffff0|P 0 5 0xfffffff0|A 0 1 2 0xffffffff|P 0 5 0xffffffff|A 0 1 2 1|"
	  "P 0 5 2|T 1",
	  AVR "arc 2 4 4294967297\npc a 4294967298\narc 2 4 4294967297\n"
	  "pc a 4294967298\nstatus 1\n" },
	{ "arcs about to pass it", "H|A 0 1 2 0xfffffff0 3 1 3 7|A 0 1 2 0xfffffff1|T 1",
	  AVR "arc 2 4 4294967281\narc 2 6 7\narc 2 4 4294967281\nstatus 1\n" },
	{ "STATUS as often as it was heard, and no more than four times",
	  "H|T 1|T 2|T 3|T 4|T 5|T 6",
	  AVR "status 6\nstatus 6\nstatus 6\nstatus 6\n" },
	{ "of 33 bits", "H|T 5 1 6 2 0 0 0 0 0 0 0 0 0 0 7 3",
	  AVR "status 4294967301\n" },
	{ "a closing is owed", "H|A 0 1 2 5|A 0 3 4 1|T 1",
	  AVR "arc 6 8 1\nstatus 1\n", .partly = true },
	{ "a closing waits for the sum behind it", "H|a 0 1 2 7",
	  AVR, .partly = true },
	{ "closed counts beyond 2^32",
	  "H|a 0 1 2 0x7fffffff|a 0x7fffffff 1 2 0x7fffffff|a 0xfffffffe 1 2 0x10000|"
	  "T 1 0 0 0 0 0 0 0 0 0 0 0 0xfffe",
	  AVR "arc 2 4 4295032830\nstatus 1\n" },
	{ "closed counts behind a gap", "H|p 1000 5 3|T 1 0 0 0 0 0 0 0 0 0 0 0 0 1003",
	  AVR "pc a 3\nstatus 1 unheard 0 1000\n" },
	{ "a row waits for a second frame", "H|T 1|T 2|T 3|T 4|S 3 7 8 5 50 1 9",
	  AVR "status 4\nstatus 4\nstatus 4\nstatus 4\n",
	  .partly = true },
	{ "a frame is missing", "H|T 1|-T 2|T 3",
	  AVR "status 3\nstatus 3\n", .partly = true },
	{ "it came late", "H|T 1|+T 2|T 3|r",
	  AVR "status 3\nstatus 3\n" },
	{ "arcs that found no room", "H|T 1 0 0 0 0 0 0 0 0 0 1",
	  AVR "status 1 arcs 1\n", .partly = true },
	{ "run went back once", "H|T 5000|T 10",
	  AVR "status 5000\n", .partly = true },
	{ "one frame of another epoch", "H|T 5000|e 1|q 9|T 10|e 0|q 252",
	  AVR "status 5000\n", .partly = true },
	{ "a call trace", "H f=0x25e3|T 1",
	  "hello  v1 a1 f25e3 e0\nstatus 1\n", .partly = true },
	{ "within a frame", "H|T 1|T 2|z|z|z",
	  AVR "status 1\n", .cut = true },
	{ "within a line longer than any frame",
	  "H|T 1|t 01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789",
	  AVR "status 1\n",
	  .partly = true },
	{ "a new epoch", "H|T 5000|H e=1|T 1|A 0 1 2 3",
	  "hello  v1 a1 f5e3 e1\narc 2 4 3\nstatus 1\n", .partly = true },
	{ "the first bucket alone about to pass 2^24",
	  "H f=0x407|S 0 1 2 9 9 1 2 0x800000 0 0 0 0 0 0 0|S 0 1 2 9 9 1 2 0x800001 0 0 0 0 0 0 0|"
	  "T 1",
	  "hello  v1 a1 f407 e0\nsite 2 4 9 9 1-2 8388609,0,0,0,0,0,0,0\n"
	  "site 2 4 9 9 1-2 8388609,0,0,0,0,0,0,0\nstatus 1\n" },
	{ "a quarter of it is not near",
	  "H f=0x407|S 0 1 2 9 9 1 2 0x500000 0 0 0 0 0 0 0|S 0 1 2 9 9 1 2 0x500001 0 0 0 0 0 0 0|"
	  "T 1",
	  "hello  v1 a1 f407 e0\nsite 2 4 9 9 1-2 5242881,0,0,0,0,0,0,0\nstatus 1\n" },
	{ "nor of 2^32", "H a=4 f=0x400|S 0 1 2 0x50000000|S 0 1 2 0x50000001|T 1",
	  "hello  v1 a4 f400 e0\nsite 2 4 1342177281\nstatus 1\n" },
	{ "the first bucket alone beyond 2^24",
	  "H f=0x407|S 0 1 2 0xfffff0 9 1 2 0xfffff0 0 0 0 0 0 0 0|"
	  "S 0 1 2 0xffffff 9 1 2 0xffffff 0 0 0 0 0 0 0|S 0 1 2 3 9 1 2 2 1 0 0 0 0 0 0|"
	  "S 3 0 0 1 0 0 0 0 0 0 0 0 0 0 0|T 1",
	  "hello  v1 a1 f407 e0\nsite 2 4 16777219 9 1-2 16777218,1,0,0,0,0,0,0\n"
	  "site 2 4 16777219 9 1-2 16777218,1,0,0,0,0,0,0\nstatus 1\n" },
	{ "one frame of another epoch, which has no bits",
	  "H e=1|T 5000|e 0|q 9|T 10|e 1|q 252",
	  "hello  v1 a1 f5e3 e1\nstatus 5000\n", .partly = true },
	{ "a name that is as long as a frame",
	  "H|N " N50 N50 N50 N50 N50,
	  AVR "hello " N50 N50 N50 N50 N50 " v1 a1 f5e3 e0\n" },
	{ "a name that is too long when it can be seen",
	  "H|N " CONTROLS CONTROLS CONTROLS CONTROLS N50 N50 N50 N50,
	  AVR },
};

static void the_second_knows_what_the_first_did(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		case_run(&cases[i]);
}

/* More rows than a frame has room for, of each kind. */
static void all_rows_are_told(void **state)
{
	static const char *const lists[] = {
		"H k=400 f=0x5e3", "H k=400 f=0x407", "H k=400 f=0x40b", "H k=400 a=4 f=0x400",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct buf script = BUF_INIT, want = BUF_INIT;
		struct said l = { BUF_INIT, BUF_INIT };
		struct wire_sink sink = said_sink(&l), none = { .ctx = NULL };
		struct wire *first = wire_new("wsn", NULL, &none, NULL);
		struct wire *second = wire_new("wsn", NULL, &sink, NULL);
		struct stream s = { .seq = 0 };
		struct buf told = BUF_INIT;
		struct wire_stats stats;

		buf_adds(&script, lists[i]);
		for (unsigned k = 0; k < 300; k++) {
			buf_addf(&script, "|a %u %u 7 1|p %u %u 1", k, k + 1, k, k + 1);
			buf_addf(&script, "|A %u %u 9 %u|P %u %u %u", k, k + 400, k + 1, k,
				 k + 400, k + 1);
		}
		buf_adds(&script, "|T 1 0 0 0 0 0 0 0 0 0 0 0 300 300");
		stream_script(&s, buf_str(&script));
		wire_feed(first, (const uint8_t *)s.out.data, s.out.len);
		assert_true(wire_resume(first, &told));
		wire_feed(second, (const uint8_t *)told.data, told.len);
		wire_stats(second, &stats);
		assert_int_equal(stats.damaged, 0);
		for (unsigned k = 0; k < 300; k++) {
			buf_reset(&want);
			buf_addf(&want, "arc %x e 1\n", 2 * (k + 1));
			assert_non_null(strstr(buf_str(&l.out), buf_str(&want)));
			buf_reset(&want);
			buf_addf(&want, "arc %x 12 %u\n", 2 * (k + 400), k + 1);
			assert_non_null(strstr(buf_str(&l.out), buf_str(&want)));
			buf_reset(&want);
			buf_addf(&want, "pc %x %u\n", 2 * (k + 400), k + 1);
			assert_non_null(strstr(buf_str(&l.out), buf_str(&want)));
		}
		wire_free(first);
		wire_free(second);
		said_release(&l);
		stream_release(&s);
		buf_release(&script);
		buf_release(&want);
		buf_release(&told);
	}
}

#define TEN "T 1|T 1|T 1|T 1|T 1|T 1|T 1|T 1|T 1|T 1"

/* What lies so many frames back does not matter any more. */
static void what_is_long_ago_is_settled(void **state)
{
	static const struct { const char *name, *script; unsigned frames; bool whole; } rows[] = {
		{ "a frame that is missing, 31 ago", "H|-T 1", 31, false },
		{ "32 ago", "H|-T 1", 32, true },
		{ "among many, 5 ago", "H|" TEN "|" TEN "|" TEN "|" TEN "|-T 1", 5,
		  false },
		{ "a frame of another epoch, 32 ago", "H|T 1|e 1|q 9|T 1|e 0|q 2", 32, false },
		{ "of epoch 0, 32 ago", "H e=1|T 1|e 0|q 9|T 1|e 1|q 2", 32, false },
		{ "33 ago", "H|T 1|e 1|q 9|T 1|e 0|q 2", 33, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .seq = 0 };
		struct wire *w = wire_new("wsn", NULL, &(struct wire_sink){ .ctx = NULL }, NULL);
		struct buf told = BUF_INIT;

		stream_script(&s, rows[i].script);
		for (unsigned k = 0; k < rows[i].frames; k++)
			stream_script(&s, "T 2");
		wire_feed(w, (const uint8_t *)s.out.data, s.out.len);
		if (wire_resume(w, &told) != rows[i].whole)
			fail_msg("%s", rows[i].name);
		wire_free(w);
		buf_release(&told);
		stream_release(&s);
	}
}

/* Closed counts up to 2^40 of an address are told, in as many rows as it takes. */
static void closed_counts_have_a_bound(void **state)
{
	static const struct { uint64_t closed, told; bool whole; } rows[] = {
		{ (UINT64_C(1) << 40) - 1, (UINT64_C(1) << 40) - 1, true },
		{ (UINT64_C(1) << 40) + 5, 5, false },
		{ (UINT64_C(3) << 40) + 7, 7, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_sink none = { .ctx = NULL };
		struct wire *first = wire_new("wsn", NULL, &none, NULL);
		struct wire *second = wire_new("wsn", NULL, &none, NULL);
		struct buf told = BUF_INIT;
		struct stream s = { .seq = 0 };

		stream_script(&s, "H|a 0 1 2 7|T 1 0 0 0 0 0 0 0 0 0 0 0 7");
		wire_feed(first, (const uint8_t *)s.out.data, s.out.len);
		((struct wsn *)first)->table[TOTAL_ARC].entries[0].closed = rows[i].closed;
		assert_int_equal(wire_resume(first, &told), rows[i].whole);
		wire_feed(second, (const uint8_t *)told.data, told.len);
		wire_flush(second, true);
		assert_int_equal(((struct wsn *)second)->table[TOTAL_ARC].entries[0].closed,
				 rows[i].told);
		wire_free(first);
		wire_free(second);
		buf_release(&told);
		stream_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_second_knows_what_the_first_did),
		cmocka_unit_test(all_rows_are_told),
		cmocka_unit_test(what_is_long_ago_is_settled),
		cmocka_unit_test(closed_counts_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
