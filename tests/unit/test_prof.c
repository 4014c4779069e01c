/* The decoder of INGA's profiler's reports: damage that it must survive, and the real captures. */
#include "tests/unit/unit.h"

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/wire/wire.h"

/* --- what a decoder says, as text ------------------------------------------------------------- */

/*
 * R index name rows/announced [torn N] [boot], its rows one a line, T text, B boot, S stack.
 * Consecutive text is one piece, so that the split of the bytes does not show.
 */
struct log {
	struct buf out, text;
	size_t rows;
};

static const struct { unsigned flag; const char *name; } flag_names[] = {
	{ ROW_MAX_AT_LEAST, " max+" }, { ROW_MIN_AT_LEAST, " min+" },
	{ ROW_TOTAL_NEGATIVE, " negative" }, { ROW_WRAPPED, " wrapped" }, { ROW_BIT16, " bit16" },
	{ ROW_REJOINED, " joined" }, { ROW_AMBIGUOUS, " ambiguous" },
};

static void log_settle(struct log *l)
{
	if (l->text.len) {
		buf_adds(&l->out, "T ");
		for (size_t i = 0; i < l->text.len; i++) {
			char c = l->text.data[i];

			if (c == '\n')
				buf_adds(&l->out, "\\n");
			else if (c == '\r')
				buf_adds(&l->out, "\\r");
			else
				buf_addc(&l->out, c);
		}
		buf_addc(&l->out, '\n');
	}
	buf_reset(&l->text);
}

static void log_text(void *ctx, const char *s, size_t n)
{
	buf_add(&((struct log *)ctx)->text, s, n);
}

static void log_boot(void *ctx)
{
	struct log *l = ctx;

	log_settle(l);
	buf_adds(&l->out, "B\n");
}

static void log_row(struct log *l, const struct wire_row *r)
{
	buf_addf(&l->out, " %x %x %llu %llu %u %u", (unsigned)r->from, (unsigned)r->to,
		 (unsigned long long)r->calls, (unsigned long long)r->total, (unsigned)r->min,
		 (unsigned)r->max);
	for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++) {
		if (r->flags & flag_names[i].flag)
			buf_adds(&l->out, flag_names[i].name);
	}
	buf_addc(&l->out, '\n');
}

static void log_report(void *ctx, const struct wire_report *r)
{
	struct log *l = ctx;

	log_settle(l);
	buf_addf(&l->out, "%c %u <%s> %zu/%llu max %llu", r->kind == REPORT_PROF ? 'R' : 'P',
		 r->index,
		 r->name, r->count, (unsigned long long)r->num_sites,
		 (unsigned long long)r->max_sites);
	if (r->kind == REPORT_PROF)
		buf_addf(&l->out, " run %llu at %llu", (unsigned long long)r->ticks_run,
			 (unsigned long long)r->ticks_per_second);
	else
		buf_addf(&l->out, " samples %llu", (unsigned long long)r->samples);
	if (!r->complete)
		buf_adds(&l->out, " incomplete");
	if (r->torn)
		buf_addf(&l->out, " torn %u", r->torn);
	if (r->after_boot)
		buf_adds(&l->out, " boot");
	buf_addc(&l->out, '\n');
	l->rows += r->count;
	for (size_t i = 0; i < r->count; i++) {
		if (r->kind == REPORT_PROF)
			log_row(l, &r->rows[i]);
		else
			buf_addf(&l->out, " %x %llu\n", (unsigned)r->sampled[i].pc,
				 (unsigned long long)r->sampled[i].count);
	}
}

static void log_stack(void *ctx, const struct wire_stack *s)
{
	struct log *l = ctx;

	log_settle(l);
	buf_addf(&l->out, "S %zu/%llu at %llu%s\n", s->count, (unsigned long long)s->announced,
		 (unsigned long long)s->ticks_per_second, s->corrupted ? " corrupted" : "");
	for (size_t i = 0; i < s->count; i++)
		buf_addf(&l->out, " %x %x %llu\n", (unsigned)s->frames[i].from,
			 (unsigned)s->frames[i].to, (unsigned long long)s->frames[i].ticks);
}

static struct wire *decoder_new(struct log *l, const struct codemap *code)
{
	struct wire_options o = { .code = code };
	struct wire_sink sink = { .ctx = l, .report = log_report, .stack = log_stack,
				  .text = log_text, .boot = log_boot };
	struct wire *w = wire_new("prof", &o, &sink, NULL);

	assert_non_null(w);
	return w;
}

static void log_release(struct log *l)
{
	buf_release(&l->out);
	buf_release(&l->text);
}

/* Decode in pieces of `step` bytes (0: one piece) and check what is said. */
static void expect_split(const char *in, size_t n, size_t step, const struct codemap *code,
			 const char *want)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, code);

	for (size_t i = 0; i < n; i += step ? step : n)
		wire_feed(w, (const uint8_t *)in + i, step && n - i > step ? step : n - i);
	wire_flush(w, true);
	log_settle(&l);
	assert_string_equal(buf_str(&l.out), want);
	wire_free(w);
	log_release(&l);
}

static void log_expect(const char *in, const struct codemap *code, const char *want)
{
	size_t n = strlen(in);

	for (size_t step = 0; step <= n && step < 40; step++)
		expect_split(in, n, step, code, want);
}

/* --- a small image ---------------------------------------------------------------------------- */

/* 80 KB: functions and the calls of them. target 0: an indirect call. */
struct call {
	uint32_t ret, target;
};

static uint8_t small_flags[0x14000 / 2];
static const uint32_t small_entries[] = { 0x100, 0x200, 0x400, 0x8000, 0x10200, 0x10300 };
static const struct call small_calls[] = {
	{ 0x110, 0x200 }, { 0x120, 0x400 }, { 0x210, 0 }, { 0x412, 0x400 }, { 0x8010, 0x200 },
	{ 0x8020, 0x10300 }, { 0x10000, 0x8000 }, { 0x10110, 0x100 }, { 0x10208, 0x10200 },
	{ 0x10210, 0x10300 }, { 0x10420, 0x400 },
};

static uint64_t small_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	for (size_t i = 0; i < COUNT(small_calls); i++) {
		if (small_calls[i].ret == ret && small_calls[i].target)
			return small_calls[i].target;
	}
	return CODE_NO_TARGET;
}

static struct codemap small_code(enum code_arch arch, uint64_t size)
{
	memset(small_flags, CODE_TEXT, sizeof(small_flags));
	for (size_t i = 0; i < COUNT(small_entries); i++)
		small_flags[small_entries[i] / 2] |= CODE_ENTRY;
	for (size_t i = 0; i < COUNT(small_calls); i++)
		small_flags[small_calls[i].ret / 2] |= CODE_RETURN;
	return (struct codemap){ .arch = arch, .size = size, .flags = small_flags,
				 .target = small_target };
}

/* --- the grammar ------------------------------------------------------------------------------ */

#define BOOT "\r\n*******Booting Contiki 3.0*******\r\n"
#define BOOT_LINE "*******Booting Contiki 3.0*******\\r\\n"

struct grammar_case {
	const char *name, *in, *want;
};

static const struct grammar_case grammar[] = {
	{ "plain report, CRLF, text around",
	  "60(0)s\r\nPROF:led:2:100:3932008:32768\r\n0x42:0x30:3:24:8:8\r\n"
	  "0x37cc:0x48:575:10112:16:24\r\n"
	  "\r\nTEST:PASS\r\n",
	  "T 60(0)s\\r\\n\nR 1 <led> 2/2 max 100 run 3932008 at 32768\n 42 30 3 24 8 8\n"
	  " 37cc 48 575 10112 16 24\nT TEST:PASS\\r\\n\n" },
	{ "LF only, no 0x",
	  "PROF:x:2:9:100:1000\n8000412:8000400:1:5:5:5\n8000500:8000420:2:9:4:5\n\n",
	  "R 1 <x> 2/2 max 9 run 100 at 1000\n 8000412 8000400 1 5 5 5\n"
	  " 8000500 8000420 2 9 4 5\n" },
	{ "a row that ends with LF before a line of CR LF",
	  "PROF:x:1:9:100:1000\n0x10:0x30:1:55:55:55\n\r\n",
	  "R 1 <x> 1/1 max 9 run 100 at 1000\n 10 30 1 55 55 55\n" },
	{ "point 3: address 0 prints plain",
	  "PROF:x:2:9:100:1000\r\n0:0x30:1:5:5:5\r\n0x10:0x30:1:5:5:5\r\n\r\n",
	  "R 1 <x> 2/2 max 9 run 100 at 1000\n 0 30 1 5 5 5\n 10 30 1 5 5 5\n" },
	{ "point 3: no row without 0x in a report with it",
	  "PROF:x:2:9:100:1000\r\n0x10:0x30:1:5:5:5\r\n10:40:1:5:5:5\r\n0x20:0x40:1:5:5:5\r\n\r\n",
	  "T 10:40:1:5:5:5\\r\\n\nR 1 <x> 2/2 max 9 run 100 at 1000\n 10 30 1 5 5 5\n"
	  " 20 40 1 5 5 5\n" },
	{ "points 2, 4: SPROF, odd addresses are words, text right behind",
	  "\r\nSPROF:led-test:3:250:16\r\n0x1923:5\r\n0x38d:10\r\n0:1\r\nTEST:PASS\r\n",
	  "T \\r\\n\nP 1 <led-test> 3/3 max 250 samples 16\n 3246 5\n 71a 10\n 0 1\n"
	  "T TEST:PASS\\r\\n\n" },
	{ "SPROF of even addresses: bytes",
	  "SPROF:m:2:250:7\n0x4400:3\n0x4402:4\n",
	  "P 1 <m> 2/2 max 250 samples 7\n 4400 3\n 4402 4\n" },
	{ "numbers as printf has them: no zero in front, at most 18 digits",
	  "PROF:x:2:9:100:1000\n10:30:01:5:5:5\n10:30:1:1234567890123456789:5:5\n"
	  "20:30:1:123456789012345678:5:5\n30:30:10:50:5:5\n\n",
	  "T 10:30:01:5:5:5\\n10:30:1:1234567890123456789:5:5\\n\n"
	  "R 1 <x> 2/2 max 9 run 100 at 1000 torn 2\n 20 30 1 123456789012345678 5 5\n"
	  " 30 30 10 50 5 5\n" },
	{ "point 5: names",
	  "PROF::0:9:1:2\r\n\r\nPROF:a \"b\", c:0:9:1:2\r\n\r\n"
	  "The profile report name is invalid\r\nPROF:invalid:0:9:1:2\r\n\r\n",
	  "R 1 <> 0/0 max 9 run 1 at 2\nR 2 <a \"b\", c> 0/0 max 9 run 1 at 2\n"
	  "T The profile report name is invalid\\r\\n\nR 3 <invalid> 0/0 max 9 run 1 at 2\n" },
	{ "hostile name",
	  "PROF:\x1b[2J\xff$(x):0:9:1:2\n\n",
	  "R 1 <\\x1b[2J\\xff$(x)> 0/0 max 9 run 1 at 2\n" },
	{ "point 6: pretty",
	  "PROF: \"a \" b\" 1 sites 9 max sites 100 ticks spent 1000 ticks/s\r\n"
	  "from:to:calls:time\r\n"
	  "0x10:0x30:1:5:5:5\r\n\r\nSPROF: \"b\" 1 sites 250 max_sites 7 samples\r\npc:calls\r\n"
	  "0x11:7\r\nx\r\n",
	  "R 1 <a \" b> 1/1 max 9 run 100 at 1000\n 10 30 1 5 5 5\n"
	  "P 2 <b> 1/1 max 250 samples 7\n 22 7\nT x\\r\\n\n" },
	{ "points 7, 8: live, more rows than announced",
	  "PROF:live:1:100:0:32768\r\n0x10:0x30:1:5:5:5\r\n0x20:0x30:3:24:8:8\r\n"
	  "0x10:0x40:1:5:5:5\r\n\r\n",
	  "R 1 <live> 3/1 max 100 run 0 at 32768\n 10 30 1 5 5 5\n 20 30 3 24 8 8\n"
	  " 10 40 1 5 5 5\n" },
	{ "point 8: foreign lines before all rows are there, and behind",
	  "PROF:x:2:9:100:1000\r\n0x10:0x30:1:5:5:5\r\ntick\r\n0x20:0x30:1:5:5:5\r\ntick\r\n"
	  "0x30:0x30:1:5:5:5\r\n\r\n",
	  "T tick\\r\\ntick\\r\\n\nR 1 <x> 3/2 max 9 run 100 at 1000\n 10 30 1 5 5 5\n"
	  " 20 30 1 5 5 5\n"
	  " 30 30 1 5 5 5\n" },
	{ "point 8: a blank line, a header, a banner end it early",
	  "PROF:x:3:9:100:1000\r\n0x10:0x30:1:5:5:5\r\n\r\nPROF:y:3:9:100:1000\r\n"
	  "0x10:0x30:1:5:5:5\r\n"
	  "PROF:z:3:9:100:1000\r\n0x10:0x30:1:5:5:5\r\n" BOOT "PROF:z:0:9:100:1000\r\n\r\n",
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete\n 10 30 1 5 5 5\n"
	  "R 2 <y> 1/3 max 9 run 100 at 1000 incomplete\n 10 30 1 5 5 5\n"
	  "R 3 <z> 1/3 max 9 run 100 at 1000 incomplete\n 10 30 1 5 5 5\n"
	  "B\nT " BOOT_LINE "\nR 4 <z> 0/0 max 9 run 100 at 1000 boot\n" },
	{ "a blank line of other output amid the rows",
	  "PROF:x:2:9:100:1000\n0x10:0x30:1:5:5:5\n\nradio\n0x20:0x30:1:5:5:5\n\n",
	  "T \\nradio\\n\nR 1 <x> 2/2 max 9 run 100 at 1000\n 10 30 1 5 5 5\n 20 30 1 5 5 5\n" },
	{ "point 9: entered, never left",
	  "PROF:x:1:9:100:1000\n0x10:0x30:0:0:65535:0\n\n",
	  "R 1 <x> 1/1 max 9 run 100 at 1000\n 10 30 0 0 65535 0\n" },
	{ "point 10: saturated",
	  "PROF:x:2:9:400000:1000\n0x10:0x30:2:100005:5:65535\n0x20:0x30:2:200000:65535:65535\n\n",
	  "R 1 <x> 2/2 max 9 run 400000 at 1000\n 10 30 2 100005 5 65535 max+\n"
	  " 20 30 2 200000 65535 65535 max+ min+\n" },
	{ "point 10: negative, with and without a known run time",
	  "PROF:x:1:9:4000:1000\n0x10:0x30:1:4294967288:65535:65535\n\n"
	  "PROF:x:1:9:0:1000\n0x10:0x30:1:4294967288:65535:65535\n\n",
	  "R 1 <x> 1/1 max 9 run 4000 at 1000\n 10 30 1 0 65535 65535 max+ min+ negative\n"
	  "R 2 <x> 1/1 max 9 run 0 at 1000\n 10 30 1 0 65535 65535 max+ min+ negative\n" },
	{ "point 10: no negative: 18 hours and more",
	  "PROF:x:1:9:4000000000:32768\n0x10:0x30:40000:3000000000:65535:65535\n\n",
	  "R 1 <x> 1/1 max 9 run 4000000000 at 32768\n"
	  " 10 30 40000 3000000000 65535 65535 max+ min+\n" },
	{ "point 10: wrapped total, wrapped calls",
	  "PROF:x:3:9:4000000000:32768\n0x10:0x30:1000000:1205032704:5000:6000\n"
	  "0x20:0x30:0:17:0:8\n0x30:0x30:5:1000000000:0:8\n\n",
	  "R 1 <x> 3/3 max 9 run 4000000000 at 32768\n 10 30 1000000 5500000000 5000 6000 wrapped\n"
	  " 20 30 4294967296 17 0 8 wrapped\n 30 30 4294967301 1000000000 0 8 wrapped\n" },
	{ "a running table's small contradictions are no wraps",
	  "PROF:x:2:9:0:1000\n0x10:0x30:3:20:8:8\n0x20:0x30:3:30:8:8\n\n",
	  "R 1 <x> 2/2 max 9 run 0 at 1000\n 10 30 3 20 8 8\n 20 30 3 30 8 8\n" },
	{ "point 14: full tables",
	  "PROF:x:1:1:100:1000\n0x10:0x30:1:5:5:5\n\n",
	  "R 1 <x> 1/1 max 1 run 100 at 1000\n 10 30 1 5 5 5\n" },
	{ "point 17: stack",
	  "Stacktrace: 2 frames, 32768 ticks/s\r\n0: 0x6e4->0x5e0 @23328\r\n"
	  "1: 0x604->0x582 @23336\r\n\r\n"
	  "Stack corrupted or not recorded.\r\nx\r\n",
	  "S 2/2 at 32768\n 6e4 5e0 23328\n 604 582 23336\nS 0/0 at 0 corrupted\nT x\\r\\n\n" },
	{ "point 18: simavr's console",
	  "\x1b[0m\x1b[32m..\n\x1b[0m\x1b[32mPROF:x:2:9:100:1000..\n"
	  "\x1b[0m\x1b[32m0x10:0x30:1:5:5:5..\n"
	  "\x1b[0m\x1b[32m0x20:0x30:1:5:5tick 1..\n\x1b[0m\x1b[32m:5..\n\x1b[0m\x1b[32m..\n\x1b[0m",
	  "T \x1b[0m\x1b[32m..\\ntick 1..\\n\n"
	  "R 1 <x> 2/2 max 9 run 100 at 1000\n 10 30 1 5 5 5\n 20 30 1 5 5 5 joined\nT \x1b[0m\n" },
	{ "point 18: test.py's log",
	  "20131014 120000: node PROF:x:1:9:100:1000\n20131014 120001: node 0x10:0x30:1:5:5:5\n"
	  "20131014 120001: node\n20131014 120002: PROF:y:0:9:100:1000\n20131014 120003: \nok\n",
	  "R 1 <x> 1/1 max 9 run 100 at 1000\n 10 30 1 5 5 5\nR 2 <y> 0/0 max 9 run 100 at 1000\n"
	  "T ok\\n\n" },
	{ "a header behind a prompt",
	  "> PROF:x:0:9:1:2\n\n", "T > \nR 1 <x> 0/0 max 9 run 1 at 2\n" },
	{ "text that is like a report",
	  "PROF:\nPROF:a:b\nSPROF of us\nPROF:a:1:2:3\nStacktrace: no\n0x10:0x30:1:5:5:5\n",
	  "T PROF:\\nPROF:a:b\\nSPROF of us\\nPROF:a:1:2:3\\nStacktrace: no\\n0x10:0x30:1:5:5:5\\n"
	  "\n" },
};

static void test_grammar(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(grammar); i++) {
		if (getenv("VERBOSE"))
			printf("%s\n", grammar[i].name);
		log_expect(grammar[i].in, NULL, grammar[i].want);
	}
}

/* --- torn lines ------------------------------------------------------------------------------- */

#define HEAD "PROF:x:3:9:100:1000\r\n"
#define R1 "0x110:0x200:3:24:8:8\r\n"
#define R2 "0x8010:0x200:1:16:16:16\r\n"
#define R3 "0x120:0x400:40:752:16:24\r\n"
#define GOT " run 100 at 1000\n"
#define ROW1 " 110 200 3 24 8 8\n"
#define ROW2 " 8010 200 1 16 16 16\n"
#define ROW2J " 8010 200 1 16 16 16 joined\n"
#define ROW3 " 120 400 40 752 16 24\n"
#define BARE1 "PROF:x:3:9:100:1000\n8000412:8000400:1:5:5:5\n"
#define ALL(text) text "R 1 <x> 3/3 max 9" GOT ROW1 ROW2J ROW3

static const struct grammar_case torn[] = {
	{ "behind the row, its newline alone left",
	  HEAD R1 "0x8010:0x200:1:16:16:16tick 8\r\n\r\n" R3 "\r\n", ALL("T tick 8\\r\\n\n") },
	{ "between CR and LF",
	  HEAD R1 "0x8010:0x200:1:16:16:16\rtick 8\r\n\n" R3 "\r\n", ALL("T tick 8\\r\\n\n") },
	{ "within 0x", HEAD R1 "0tick 5\r\nx8010:0x200:1:16:16:16\r\n" R3 "\r\n",
	  ALL("T tick 5\\r\\n\n") },
	{ "behind 0x", HEAD R1 "0xtick 5\r\n8010:0x200:1:16:16:16\r\n" R3 "\r\n",
	  ALL("T tick 5\\r\\n\n") },
	{ "foreign text that begins with a newline",
	  HEAD R1 "0x8010:0x200:1\r\ntick 5\r\n:16:16:16\r\n" R3 "\r\n",
	  ALL("T \\r\\ntick 5\\r\\n\n") },
	{ "two foreign lines", HEAD R1 "0x8010:0x200:1ab\r\nfoo\r\n:16:16:16\r\n" R3 "\r\n",
	  ALL("T ab\\r\\nfoo\\r\\n\n") },
	{ "torn twice", HEAD R1 "0x8010:0x200:1foo\r\n:16:1bar\r\n6:16\r\n" R3 "\r\n",
	  ALL("T foo\\r\\nbar\\r\\n\n") },
	{ "foreign text that begins with digits: the row's invariants tell",
	  HEAD R1 "0x8010:0x200:1:16:1612(0)s\r\n:16\r\n" R3 "\r\n", ALL("T 12(0)s\\r\\n\n") },
	{ "the last row", HEAD R1 R2 "0x120:0x400:40:752:16tick 5\r\n:24\r\n\r\n",
	  "T tick 5\\r\\n\nR 1 <x> 3/3 max 9" GOT ROW1 ROW2 " 120 400 40 752 16 24 joined\n" },
	{ "ambiguous: max may be 16 or 6, nothing tells",
	  HEAD R1 "0x8010:0x200:9:40:0:1(\r\n6\r\n" R3 "\r\n",
	  "T 0x8010:0x200:9:40:0:1(\\r\\n6\\r\\n\n"
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete torn 1\n"
	  ROW1 ROW3 },
	{ "the same before a letter: foreign text begins with a letter rather than with a digit "
	  "and one",
	  HEAD R1 "0x8010:0x200:9:40:0:1tick\r\n6\r\n" R3 "\r\n",
	  "T tick\\r\\n\nR 1 <x> 3/3 max 9" GOT ROW1 " 8010 200 9 40 0 16 joined\n" ROW3 },
	{ "ambiguous address: torn", HEAD R1 "0x80tick\r\n10:0x300:1:16:16:16\r\n" R3 "\r\n",
	  "T 0x80tick\\r\\n10:0x300:1:16:16:16\\r\\n\n"
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete torn 1\n" ROW1 ROW3 },
	{ "the same, such a line seen before: its shape tells",
	  "tick 1\r\n" HEAD R1 "0x80tick 2\r\n10:0x200:1:16:16:16\r\n" R3 "\r\n",
	  ALL("T tick 1\\r\\ntick 2\\r\\n\n") },
	{ "a row that is garbled for good",
	  HEAD R1 "0x80#0:0x200:1:16:16:16\r\n" R3 "\r\n",
	  "T 0x80#0:0x200:1:16:16:16\\r\\n\nR 1 <x> 2/3 max 9 run 100 at 1000 incomplete torn 1\n"
	  ROW1 ROW3 },
	{ "header torn in a number", "PROF:x:3tick\r\n:9:100:1000\r\n" R1 R2 R3 "\r\n",
	  "T tick\\r\\n\nR 1 <x> 3/3 max 9" GOT ROW1 ROW2 ROW3 },
	{ "header torn in its first letters", "PRtick\r\nOF:x:3:9:100:1000\r\n" R1 R2 R3 "\r\n",
	  "T tick\\r\\n\nR 1 <x> 3/3 max 9" GOT ROW1 ROW2 ROW3 },
	{ "header torn in its name; the report before had it",
	  "PROF:led:0:9:100:1000\r\n\r\nPROF:leick\r\nd:0:9:100:1000\r\n\r\n",
	  "R 1 <led> 0/0 max 9" GOT "T ick\\r\\n\nR 2 <led> 0/0 max 9" GOT },
	{ "a stack's frame",
	  "Stacktrace: 2 frames, 32768 ticks/s\r\n0: 0x6e4->0xtick\r\n5e0 @23328\r\n"
	  "1: 0x604->0x582 @23tick\r\n336\r\n\r\n",
	  "T tick\\r\\ntick\\r\\n\nS 2/2 at 32768\n 6e4 5e0 23328\n 604 582 23336\n" },
	{ "a sampled row", "SPROF:x:2:9:23\r\n0x11:2tick\r\n1\r\n0x13:2\r\nx\r\n",
	  "T tick\\r\\n\nP 1 <x> 2/2 max 9 samples 23\n 22 21\n 26 2\nT x\\r\\n\n" },
	{ "point 13: half a row, then a banner",
	  HEAD R1 "0x80" BOOT,
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete torn 1\n" ROW1
	  "T 0x80\\r\\n\nB\nT " BOOT_LINE "\n" },
	{ "point 13: a cut maximum that parses: too small for the total, or merely possible",
	  HEAD R1 R2 "0x120:0x400:40:752:16:2" BOOT HEAD R1 R2 "0x120:0x400:2:752:16:73" BOOT,
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete torn 1\n" ROW1 ROW2 "B\nT " BOOT_LINE "\n"
	  "R 2 <x> 2/3 max 9 run 100 at 1000 incomplete torn 1 boot\n" ROW1 ROW2
	  "B\nT " BOOT_LINE "\n" },
	{ "point 13: cut behind a row that can hold no digit more",
	  HEAD R1 "0x8010:0x200:1:16:16:16" BOOT,
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete\n" ROW1 ROW2 "B\nT " BOOT_LINE "\n" },
	{ "point 13: cut within the row's own CR LF",
	  HEAD R1 "0x8010:0x200:20:16:0:1\r" BOOT,
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete\n" ROW1 " 8010 200 20 16 0 1\n"
	  "B\nT " BOOT_LINE "\n" },
	{ "banner on the half row's line", HEAD R1 "0x80*******Booting it*******\r\n",
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete\n" ROW1 "B\nT 0x80*******Booting "
								"it*******\\r\\n\n" },
	{ "the end within a row", HEAD R1 "0x8010:0x200:20:16:0:1",
	  "T 0x8010:0x200:20:16:0:1\nR 1 <x> 1/3 max 9 run 100 at 1000 incomplete torn 1\n" ROW1 },
	{ "the end within a row's CR LF", HEAD R1 "0x8010:0x200:20:16:0:1\r",
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete\n" ROW1 " 8010 200 20 16 0 1\n" },
	{ "the end behind a row that can hold no digit more", HEAD R1 "0x8010:0x200:1:16:16:16",
	  "R 1 <x> 2/3 max 9 run 100 at 1000 incomplete\n" ROW1 ROW2 },
	{ "the same, torn", HEAD R1 "0x8010:0x200:1:16tick\r\n:16:16",
	  "T tick\\r\\n\nR 1 <x> 2/3 max 9 run 100 at 1000 incomplete\n" ROW1 ROW2J },
	{ "the end behind sampled rows that add up", "SPROF:x:2:9:23\r\n0x11:21\r\n0x13:2",
	  "P 1 <x> 2/2 max 9 samples 23\n 22 21\n 26 2\n" },
	{ "the end within one: they do not", "SPROF:x:2:9:43\r\n0x11:21\r\n0x13:2",
	  "T 0x13:2\nP 1 <x> 1/2 max 9 samples 43 incomplete torn 1\n 22 21\n" },
	{ "more rows to come: nothing adds up yet", "SPROF:x:3:9:23\r\n0x11:21\r\n0x13:2",
	  "T 0x13:2\nP 1 <x> 1/3 max 9 samples 23 incomplete torn 1\n 22 21\n" },
	{ "a banner behind sampled rows that add up",
	  "SPROF:x:2:9:23\r\n0x11:21\r\n0x13:2" BOOT "SPROF:x:1:9:2\r\n0x13:2" BOOT,
	  "P 1 <x> 2/2 max 9 samples 23\n 22 21\n 26 2\nB\nT " BOOT_LINE "\n"
	  "P 2 <x> 1/1 max 9 samples 2 boot\n 26 2\nB\nT " BOOT_LINE "\n" },
	{ "a banner within one", "SPROF:x:2:9:43\r\n0x11:21\r\n0x13:2" BOOT,
	  "P 1 <x> 1/2 max 9 samples 43 incomplete torn 1\n 22 21\nB\nT " BOOT_LINE "\n" },
	{ "a banner without a newline ends the stream", HEAD R1 "*******Booting it*******",
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete\n" ROW1 "B\nT *******Booting it*******\n" },
	{ "the end within a header", "PROF:x:3:9:100:10", "T PROF:x:3:9:100:10\n" },
	{ "0x alone is no row's beginning", HEAD R1 "0xtick\r\n" R3 "\r\n",
	  "T 0xtick\\r\\n\nR 1 <x> 2/3 max 9 run 100 at 1000 incomplete\n" ROW1 ROW3 },
	{ "with a digit it is", HEAD R1 "0x8tick\r\n" R3 "\r\n",
	  "T 0x8tick\\r\\n\nR 1 <x> 2/3 max 9 run 100 at 1000 incomplete torn 1\n" ROW1 ROW3 },
	{ "digits are none", BARE1 "012 ticks\nax1!\n1!\n",
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete\n 8000412 8000400 1 5 5 5\n"
	  "T 012 ticks\\nax1!\\n1!\\n\n" },
	{ "behind the last row is none",
	  "PROF:x:1:9:100:1000\r\n" R1 "0x80#\r\nPROF:y:0:9:1:2\r\n\r\n",
	  "R 1 <x> 1/1 max 9" GOT ROW1 "T 0x80#\\r\\n\nR 2 <y> 0/0 max 9 run 1 at 2\n" },
	{ "a garbled row before a torn one",
	  HEAD R1 "0x9#\r\n0x8010:0x200:1tick\r\n:16:16:16\r\n" R3 "\r\n",
	  "T 0x9#\\r\\ntick\\r\\n\nR 1 <x> 3/3 max 9 run 100 at 1000 torn 1\n" ROW1 ROW2J ROW3 },
	{ "other output behind the last row ends the report",
	  "PROF:x:1:9:100:1000\r\n" R1 "a\nb\nc\nd\ne\n",
	  "R 1 <x> 1/1 max 9" GOT ROW1 "T a\\nb\\nc\\nd\\ne\\n\n" },
	{ "but for a torn header in it",
	  "PROF:x:1:9:100:1000\r\n" R1 "a\nPRtick\nb\nc\nOF:y:0:9:1:2\n\n",
	  "R 1 <x> 1/1 max 9" GOT ROW1 "T a\\ntick\\nb\\nc\\n\nR 2 <y> 0/0 max 9 run 1 at 2\n" },
	{ "titles belong to a pretty report alone, before its rows",
	  HEAD "from:to:calls:time\n" R1 R2 R3 "\r\n"
	  "PROF: \"a\" 2 sites 9 max sites 100 ticks spent 1000 ticks/s\r\n"
	  R1 "from:to:calls:time\n" R2 "\r\n",
	  "T from:to:calls:time\\n\nR 1 <x> 3/3 max 9" GOT ROW1 ROW2 ROW3
	  "T from:to:calls:time\\n\nR 2 <a> 2/2 max 9" GOT ROW1 ROW2 },
	{ "the end behind a row, a garbled one before", HEAD R1 "0x9#\r\n0x8010:0x200:1:16:16:16",
	  "T 0x9#\\r\\n0x8010:0x200:1:16:16:16\n"
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete torn 2\n" ROW1 },
	{ "the end behind a torn row whose last number may go on",
	  HEAD R1 "0x8010:0x200:20:16tick\r\n:0:1",
	  "T 0x8010:0x200:20:16tick\\r\\n:0:1\n"
	  "R 1 <x> 1/3 max 9 run 100 at 1000 incomplete torn 2\n" ROW1 },
};

static void test_torn(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(torn); i++) {
		if (getenv("VERBOSE"))
			printf("%s\n", torn[i].name);
		log_expect(torn[i].in, NULL, torn[i].want);
	}
}

/* --- images ----------------------------------------------------------------------------------- */

static const struct image_case {
	const char *name;
	enum code_arch arch;
	uint64_t size;
	const char *in, *want;
} images[] = {
	{ "point 1: bit 16: direct calls, an indirect one, the fall of the callees",
	  CODE_AVR, 0x14000,
	  "PROF:x:7:9:100:1000\n0x110:0x200:1:5:5:5\n0x8010:0x200:1:5:5:5\n0x120:0x400:1:5:5:5\n"
	  "0x420:0x400:1:5:5:5\n0:0x8000:1:5:5:5\n0x210:0x200:1:5:5:5\n0x8020:0x300:1:5:5:5\n\n",
	  "R 1 <x> 7/7 max 9" GOT " 110 200 1 5 5 5\n 8010 200 1 5 5 5\n 120 400 1 5 5 5\n"
	  " 10420 400 1 5 5 5 bit16\n 10000 8000 1 5 5 5 bit16\n 210 10200 1 5 5 5 bit16\n"
	  " 8020 10300 1 5 5 5 bit16\n" },
	{ "point 1: an image of 64 KB has lost nothing", CODE_AVR, 0x10000,
	  "PROF:x:1:9:100:1000\n0x420:0x400:1:5:5:5\n\n",
	  "R 1 <x> 1/1 max 9" GOT " 420 400 1 5 5 5\n" },
	{ "point 1: nor has an ARM", CODE_ARM, 0x14000,
	  "PROF:x:1:9:100:1000\n0x420:0x400:1:5:5:5\n\n",
	  "R 1 <x> 1/1 max 9" GOT " 420 400 1 5 5 5\n" },
	{ "point 15: a caller that calls nothing: an interrupt's", CODE_AVR, 0x14000,
	  "PROF:x:1:9:100:1000\n0x3000:0x8000:1:5:5:5\n\n",
	  "R 1 <x> 1/1 max 9" GOT " 3000 8000 1 5 5 5 ambiguous\n" },
	{ "both rows lost the callee's bit: nothing falls, the callers tell", CODE_AVR, 0x14000,
	  "PROF:x:2:9:100:1000\n0x210:0x300:1:5:5:5\n0x8020:0x300:1:5:5:5\n\n",
	  "R 1 <x> 2/2 max 9" GOT " 210 10300 1 5 5 5 bit16\n 8020 10300 1 5 5 5 bit16\n" },
	{ "a stack's frames", CODE_AVR, 0x14000,
	  "Stacktrace: 2 frames, 1000 ticks/s\n0: 0x8020->0x300 @5\n1: 0x210->0x200 @6\n\n",
	  "S 2/2 at 1000\n 8020 10300 5\n 210 200 6\n" },
	{ "point 2: SPROF on AVR prints words, even ones too", CODE_AVR, 0x8000,
	  "SPROF:x:1:9:7\n0x100:7\n\n", "P 1 <x> 1/1 max 9 samples 7\n 200 7\n" },
	{ "point 2: elsewhere bytes", CODE_MSP430, 0x8000,
	  "SPROF:x:1:9:7\n0x100:7\n\n", "P 1 <x> 1/1 max 9 samples 7\n 100 7\n" },
	{ "the image tells where a line was torn", CODE_ARM, 0x14000,
	  "PROF:x:1:9:100:1000\n0x80tick\n10:0x200:1:5:5:5\n\n",
	  "T tick\\n\nR 1 <x> 1/1 max 9" GOT " 8010 200 1 5 5 5 joined\n" },
	{ "also when the foreign text begins as an address could go on", CODE_ARM, 0x14000,
	  "PROF:x:1:9:100:1000\n0x80acdc\n10:0x200:1:5:5:5\n\n",
	  "T acdc\\n\nR 1 <x> 1/1 max 9" GOT " 8010 200 1 5 5 5 joined\n" },
};

static void test_images(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(images); i++) {
		struct codemap code = small_code(images[i].arch, images[i].size);

		if (getenv("VERBOSE"))
			printf("%s\n", images[i].name);
		log_expect(images[i].in, &code, images[i].want);
	}
}

/* --- silence, bounds, memory ------------------------------------------------------------------ */

static void log_say(struct wire *w, const char *s)
{
	wire_feed(w, (const uint8_t *)s, strlen(s));
}

static void log_said(struct log *l, const char *want)
{
	log_settle(l);
	assert_string_equal(buf_str(&l->out), want);
	buf_reset(&l->out);
}

static void test_silence(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);

	(void)state;
	log_say(w, "SPROF:x:2:9:7\r\n0x11:3\r\n");
	wire_flush(w, false);
	log_said(&l, "");			/* not all rows are there: it waits */
	log_say(w, "0x13:4\r\n");
	log_said(&l, "");
	wire_flush(w, false);
	log_said(&l, "P 1 <x> 2/2 max 9 samples 7\n 22 3\n 26 4\n");
	log_say(w, "Port 5\r\nlogin: ");
	log_said(&l, "");			/* a header may have been torn behind its P */
	wire_flush(w, false);
	log_said(&l, "T Port 5\\r\\nlogin: \n");
	log_say(w, "root\r\n");
	log_said(&l, "T root\\r\\n\n");
	log_say(w, "PROF:y:1:9:1");
	wire_flush(w, false);
	log_said(&l, "");
	log_say(w, "00:5\n0x10:0x30:1:5:5:5\n\n");
	log_said(&l, "R 2 <y> 1/1 max 9 run 100 at 5\n 10 30 1 5 5 5\n");
	wire_free(w);
	log_release(&l);
}

/* What silence showed of a line is not shown again, whatever the line becomes. */
static void test_shown_once(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);
	char line[1025];

	(void)state;
	log_say(w, "> ");
	wire_flush(w, false);
	log_said(&l, "T > \n");
	wire_flush(w, false);
	log_said(&l, "");
	log_say(w, "* PROF:x:0:9:1:2\n\n");		/* a header behind its prompt */
	log_said(&l, "T * \nR 1 <x> 0/0 max 9 run 1 at 2\n");
	log_say(w, "abc");
	wire_flush(w, false);
	log_said(&l, "T abc\n");
	memset(line, 'x', sizeof(line));		/* a line that no report has */
	line[1024] = '\0';
	log_say(w, "de");
	log_say(w, line);
	log_say(w, "y\n");
	line[10] = '\0';
	log_settle(&l);
	assert_int_equal(l.out.len, strlen("T de\n") + 1024 + strlen("y\\n"));
	assert_memory_equal(buf_str(&l.out), "T de", 4);
	assert_int_equal(strspn(buf_str(&l.out) + 4, "x"), 1024);
	buf_reset(&l.out);
	log_say(w, "PROF:x:0:9:1:2\n");			/* no row is to come: over with any text */
	memset(line, 'x', 1024);
	line[1024] = '\0';
	log_say(w, line);
	log_say(w, line);
	log_settle(&l);
	assert_int_equal(memcmp(buf_str(&l.out), "R 2 <x>", 7), 0);
	wire_flush(w, true);
	log_settle(&l);
	buf_reset(&l.out);
	log_say(w, "ok\n");				/* a stream may begin again */
	log_said(&l, "T ok\\n\n");
	log_say(w, "lo");
	wire_flush(w, false);
	log_said(&l, "T lo\n");
	log_say(w, "gin");
	wire_flush(w, false);
	log_said(&l, "T gin\n");
	wire_flush(w, true);
	log_say(w, "PRtick\nOF:y:0:9:1:2\n\n");	/* with a torn header, too */
	log_said(&l, "T tick\\n\nR 3 <y> 0/0 max 9 run 1 at 2\n");
	log_say(w, "Pti");
	wire_flush(w, false);
	log_said(&l, "T Pti\n");
	log_say(w, "ck\nROF:y:0:9:1:2\n\n");		/* one that began as something else */
	log_said(&l, "T ck\\n\nR 4 <y> 0/0 max 9 run 1 at 2\n");
	wire_free(w);
	log_release(&l);
}

/* What cannot be a row's or a header's beginning is shown at once. */
static void test_shown_at_once(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);
	static const char *const rows[][2] = {
		{ "12\n", "T 12\\n\n" }, { "tick\n", "T tick\\n\n" }, { ":tick\n", "T :tick\\n\n" },
		{ "x1\n", "T x1\\n\n" }, { "12\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		log_say(w, rows[i][0]);
		log_said(&l, rows[i][1]);
		if (i == 0)
			log_say(w, BARE1);
	}
	wire_free(w);
	log_release(&l);
}

/* A report's longest line has 1,024 bytes; a longer one ends none that has rows to come. */
static void test_long_lines(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);
	char line[1200], want[1200];

	(void)state;
	for (int more = 0; more < 2; more++) {
		char name[1100];

		snprintf(name, sizeof(name), "%0*d", 1024 - 14 + more, 0);
		snprintf(line, sizeof(line), "PROF:%s:0:9:1:2\n", name);
		assert_int_equal(strlen(line), 1024 + more);
		log_say(w, line);
		log_say(w, "\n");
		if (more)
			snprintf(want, sizeof(want), "T %.*s\\n\\n\n", 1024, line);
		else
			snprintf(want, sizeof(want), "R 1 <%s> 0/0 max 9 run 1 at 2\n", name);
		log_said(&l, want);
	}
	log_say(w, HEAD R1);
	log_say(w, line);
	log_say(w, R2 R3 "\r\n");
	snprintf(want, sizeof(want), "T %.*s\\n\nR 2 <x> 3/3 max 9" GOT ROW1 ROW2 ROW3, 1024, line);
	log_said(&l, want);
	wire_free(w);
	log_release(&l);
}

static void test_a_corrupted_stack_is_named(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);

	(void)state;
	log_say(w, "Stack corrupted or not recorded.\n");
	assert_string_equal(wire_note(w), "prof: a Stacktrace, corrupted");
	log_say(w, "PROF:x:0:9:1:2\n\n");
	assert_string_equal(wire_note(w), "prof: a Stacktrace, corrupted");
	wire_free(w);
	log_release(&l);
	l = (struct log){ BUF_INIT, BUF_INIT, 0 };
	w = decoder_new(&l, NULL);
	log_say(w, "PROF:x:0:9:1:2\n\nStack corrupted or not recorded.\n");
	assert_string_equal(wire_note(w), "prof: first header PROF, 0 call sites, report x");
	wire_free(w);
	log_release(&l);
}

/* A line beyond 1 KB is text, however it begins; 70,000 rows are too many; a header may boast. */
static void test_bounds(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);
	struct buf in = BUF_INIT;
	struct wire_stats stats;

	(void)state;
	buf_adds(&in, "PROF:");
	for (unsigned i = 0; i < 5000; i++)
		buf_addc(&in, 'x');
	buf_adds(&in, ":1:9:100:1000\n");
	wire_feed(w, (const uint8_t *)in.data, in.len);
	assert_int_equal(l.text.len, in.len);
	buf_reset(&l.text);
	buf_reset(&in);
	buf_adds(&in, "PROF:x:999999999999999999:9:100:1000\n");
	for (unsigned i = 0; i < 70000; i++)
		buf_addf(&in, "0x%x:0x4000:1:5:5:5\n", i + 1);
	wire_feed(w, (const uint8_t *)in.data, in.len);
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_int_equal(l.rows, 65536);
	assert_int_equal(stats.events, 65536);
	assert_in_range(stats.lost, 70000 - 65536, 65536);
	wire_free(w);
	buf_release(&in);
	log_release(&l);
}

static void test_memory(void **state)
{
	struct codemap code = small_code(CODE_AVR, 0x14000);
	struct wire_options o = { .code = &code };
	static const char in[] = "Stacktrace: 1 frames, 1000 ticks/s\n0: 0x8020->0x300 @5\n\n"
				 HEAD R1 R2 R3 "\r\nSPROF:x:1:9:7\n0x100:7\n";

	(void)state;
	for (long n = 0; n < 12; n++) {
		struct wire_sink sink = { .ctx = NULL };
		struct wire_stats stats;
		struct wire *w;

		mem_fail_after(n);
		w = wire_new("prof", &o, &sink, NULL);
		if (w) {
			wire_feed(w, (const uint8_t *)in, sizeof(in) - 1);
			wire_flush(w, true);
			wire_stats(w, &stats);
			assert_true(stats.events + stats.lost >= 4);
			wire_free(w);
		} else {
			assert_int_equal(n, 0);
		}
		mem_fail_after(-1);
	}
}

static void test_stats(void **state)
{
	struct log l = { BUF_INIT, BUF_INIT, 0 };
	struct wire *w = decoder_new(&l, NULL);
	struct wire_stats s;

	(void)state;
	log_say(w, "hello\n" HEAD R1 "0x80#\r\n" R3 "\r\n");
	wire_flush(w, true);
	wire_stats(w, &s);
	assert_int_equal(s.bytes, strlen("hello\n" HEAD R1 "0x80#\r\n" R3 "\r\n"));
	assert_int_equal(s.events, 2);
	assert_int_equal(s.lost, 1);
	assert_int_equal(s.text_bytes, strlen("hello\n0x80#\r\n"));
	assert_int_equal(s.bad_bytes, 0);
	assert_string_equal(wire_note(w), "prof: first header PROF, 3 call sites, report x");
	wire_free(w);
	log_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grammar),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_shown_once),
		cmocka_unit_test(test_shown_at_once),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_a_corrupted_stack_is_named),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_stats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
