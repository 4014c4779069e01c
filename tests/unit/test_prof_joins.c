/*
 * prof: what of held lines and a new one is put together to a row or a header, what is told to be
 * ambiguous, and what is left alone (join.c).
 */
#include "tests/unit/unit.h"

#include "core/base/buf.h"
#include "core/wire/prof/prof.h"

/* --- an image --------------------------------------------------------------------------------- */

/* 80 KB, functions and the calls of them; target 0: through a pointer. */
static uint8_t flags[0x14000 / 2];
static const uint32_t entries[] = { 0x200, 0x400, 0x10200, 0x10300 };
static const struct { uint32_t ret, target; } calls[] = {
	{ 0x210, 0 }, { 0x8010, 0x200 }, { 0x8020, 0x10300 }, { 0x10110, 0x400 },
};

static uint64_t call_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	for (size_t i = 0; i < COUNT(calls); i++)
		if (calls[i].ret == ret && calls[i].target)
			return calls[i].target;
	return CODE_NO_TARGET;
}

static const struct codemap *code_made(struct codemap *code, enum code_arch arch)
{
	if (arch == CODE_UNKNOWN)
		return NULL;
	memset(flags, CODE_TEXT, sizeof(flags));
	for (size_t i = 0; i < COUNT(entries); i++)
		flags[entries[i] / 2] |= CODE_ENTRY;
	for (size_t i = 0; i < COUNT(calls); i++)
		flags[calls[i].ret / 2] |= CODE_RETURN;
	*code = (struct codemap){ .arch = arch, .size = sizeof(flags) * 2, .flags = flags,
				  .target = call_target };
	return code;
}

/* --- joins ------------------------------------------------------------------------------------ */

/*
 * The last row, if there was one; the held lines; the new one; what comes of it: "no",
 * "ambiguous", or the cuts of the held lines from the first that is joined on, and the result.
 */
static const struct join_case {
	const char *name;
	enum prof_table table;
	enum code_arch arch;			/* CODE_UNKNOWN: no image */
	const char *last, *held[PROF_HELD_MAX], *line, *is;
} joins[] = {
	{ "a row torn once", TABLE_PROF, 0, NULL, { "0x8010:0x200:1tick 5" }, ":16:16:16",
	  "0: 14 = 8010 200 1 16 16 16" },
	{ "behind another line", TABLE_PROF, 0, NULL, { "radio", "0x8010:0x200:1tick 5" },
	  ":16:16:16", "1: 14 = 8010 200 1 16 16 16" },
	{ "with a line between", TABLE_PROF, 0, NULL, { "0x8010:0x200:1tick 5", "radio" },
	  ":16:16:16", "0: 14 0 = 8010 200 1 16 16 16" },
	{ "torn twice", TABLE_PROF, 0, NULL, { "0x8010:0x200:1foo", ":16bar" }, ":16:16",
	  "0: 14 3 = 8010 200 1 16 16 16" },
	{ "torn twice, a line between", TABLE_PROF, 0, NULL,
	  { "0x8010:0x200:1foo", "radio", ":16bar" }, ":16:16", "0: 14 0 3 = 8010 200 1 16 16 16" },
	{ "torn in three places", TABLE_PROF, 0, NULL, { "0x8010:0x200:1foo", ":16bar", ":16baz" },
	  ":16", "no" },
	{ "a colon alone is one, too", TABLE_PROF, 0, NULL,
	  { "0x8010:0x200:1foo", ":16bar", ":zap" }, "16:16", "no" },
	{ "also as the second", TABLE_PROF, 0, NULL, { "0x8010:0x200:1foo", ":zap", "16:bar" },
	  "16:16", "no" },
	{ "a whole row is nobody's end", TABLE_PROF, 0, NULL, { "tick" },
	  "0x10:0x30:1:5:5:5", "no" },
	{ "no table", TABLE_NONE, 0, NULL, { "0x8010:0x200:1tick" }, ":16:16:16", "no" },
	{ "a line that is no row's end", TABLE_PROF, 0, NULL, { "0x8010:0x200:1tick" },
	  ":16:16:16 and", "no" },
	{ "a sampled row", TABLE_SPROF, 0, NULL, { "0x11:2tick" }, "1", "0: 6 = 11 0 21 0 0 0" },
	{ "longer than any row", TABLE_PROF, 0, NULL,
	  { "0x8010:0x200:1:1:11111111111111111111111111111111111111111111111111111111111111111" },
	  "1111111111111111111111111111111111111111111111111111111111111111111111111111111:1",
	  "no" },

	{ "behind lines that are longer than any row", TABLE_PROF, 0, NULL,
	  { "0x8010:0x200:1:1:11111111111111111111111111111111111111111111111111111111111111111",
	    "1111111111111111111111111111111111111111111111111111111111111111111111111111111" },
	  ":1", "0: 18 0 = 8010 200 1 1 1 1" },

	/* Two cuts are as good: the one before a letter is the obvious one. */
	{ "16 or 6", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1(" }, "6", "ambiguous" },
	{ "before a letter", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1tick" }, "6",
	  "0: 21 = 8010 200 9 40 0 16" },
	{ "the last one", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1zed" }, "6",
	  "0: 21 = 8010 200 9 40 0 16" },
	{ "a capital", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1Zed" }, "6",
	  "0: 21 = 8010 200 9 40 0 16" },
	{ "behind the letters", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1{x" }, "6",
	  "ambiguous" },
	{ "before them", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1`x" }, "6", "ambiguous" },
	{ "the row's own carriage return", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:16\rtick" },
	  "", "0: 22 = 8010 200 9 40 0 16" },
	{ "with a line between", TABLE_PROF, 0, NULL, { "0x8010:0x200:9:40:0:1tick", "radio" }, "6",
	  "0: 21 0 = 8010 200 9 40 0 16" },
	{ "torn twice, the second not before a letter", TABLE_PROF, 0, NULL,
	  { "0x8010:0x200:9tick", ":40:0:1(" }, "6", "ambiguous" },
	{ "both before letters", TABLE_PROF, 0, NULL, { "0x8010:0x200:9tick", ":40:0:1wow" }, "6",
	  "0: 14 7 = 8010 200 9 40 0 16" },
	{ "in an address nothing is obvious", TABLE_PROF, 0, NULL, { "0x80tick" },
	  "10:0x300:1:16:16:16", "ambiguous" },
	{ "both give the same row", TABLE_PROF, 0, NULL, { "0x8010:0x200:1:16:16:16(", "6" }, "",
	  "0: 23 0 = 8010 200 1 16 16 16" },
	{ "the numbers agree in one alone", TABLE_PROF, 0, NULL, { "0x8010:0x200:1:16:1612(0)s" },
	  ":16", "0: 20 = 8010 200 1 16 16 16" },
	{ "a line that was seen tells", TABLE_PROF, 0, NULL, { "0x80ac 9" }, "10:0x300:1:5:5:5",
	  "0: 4 = 8010 300 1 5 5 5" },
	{ "an order that falls tells", TABLE_PROF, 0, "0x8000:0x300:1:5:5:5",
	  { "0x8010:0x3" }, "00:1:16:16:16", "0: 10 = 8010 300 1 16 16 16" },

	/* The image. */
	{ "a call of the function", TABLE_PROF, CODE_ARM, NULL, { "0x80acdc" }, "10:0x200:1:5:5:5",
	  "0: 4 = 8010 200 1 5 5 5" },
	{ "no function", TABLE_PROF, CODE_ARM, NULL, { "0x80tick" }, "10:0x204:1:5:5:5", "no" },
	{ "a call elsewhere tells nothing", TABLE_PROF, CODE_ARM, NULL, { "0x80acdc" },
	  "10:0x400:1:5:5:5", "ambiguous" },
	{ "one through a pointer does", TABLE_PROF, CODE_ARM, NULL, { "0x2acdc" },
	  "10:0x400:1:5:5:5", "0: 3 = 210 400 1 5 5 5" },
	{ "an ARM has lost no bit of the function", TABLE_PROF, CODE_ARM, NULL, { "0x80tick" },
	  "20:0x300:1:5:5:5", "no" },
	{ "an AVR may", TABLE_PROF, CODE_AVR, NULL, { "0x80acdc" }, "20:0x300:1:5:5:5",
	  "0: 4 = 8020 300 1 5 5 5" },
	{ "and of the caller", TABLE_PROF, CODE_AVR, NULL, { "0x1acdc" }, "10:0x400:1:5:5:5",
	  "0: 3 = 110 400 1 5 5 5" },
	{ "a function at either address", TABLE_PROF, CODE_AVR, NULL, { "0x80acdc" },
	  "10:0x200:1:5:5:5", "0: 4 = 8010 200 1 5 5 5" },
	{ "a sampled row in code", TABLE_SPROF, CODE_ARM, NULL, { "0xtick" }, "13ffe:21",
	  "0: 2 = 13ffe 0 21 0 0 0" },
	{ "in none", TABLE_SPROF, CODE_ARM, NULL, { "0xtick" }, "14000:21", "no" },
	{ "an AVR's are words", TABLE_SPROF, CODE_AVR, NULL, { "0xtick" }, "9fff:21",
	  "0: 2 = 9fff 0 21 0 0 0" },
	{ "in none", TABLE_SPROF, CODE_AVR, NULL, { "0xtick" }, "a000:21", "no" },

	/* Stacks: their number and time rise. */
	{ "a frame", TABLE_STACK, 0, "0: 0x6e4->0x5e0 @5", { "1: 0x604->0xtick" }, "582 @9",
	  "0: 12 = 604 582 0 9 0 0" },
	{ "at the same time", TABLE_STACK, 0, "0: 0x6e4->0x5e0 @5", { "1: 0x604->0xtick" },
	  "582 @5", "0: 12 = 604 582 0 5 0 0" },
	{ "earlier", TABLE_STACK, 0, "0: 0x6e4->0x5e0 @5", { "1: 0x604->0xtick" }, "582 @4", "no" },
	{ "of another number", TABLE_STACK, 0, "0: 0x6e4->0x5e0 @5", { "2: 0x604->0xtick" },
	  "582 @9", "no" },
	{ "the first", TABLE_STACK, 0, NULL, { "0: 0x604->0xtick" }, "582 @0",
	  "0: 12 = 604 582 0 0 0 0" },
	{ "by an image", TABLE_STACK, CODE_ARM, NULL, { "0: 0x8010->0xtick" }, "200 @1",
	  "0: 13 = 8010 200 0 1 0 0" },
	{ "no function", TABLE_STACK, CODE_ARM, NULL, { "0: 0x8010->0xtick" }, "204 @1", "no" },

	/* Headers. The report before was PROF:led:*:9:*:1000. */
	{ "a header torn in a number", TABLE_NONE, 0, NULL, { "PROF:x:3tick" }, ":9:100:1000",
	  "0: 8 = PROF x 3 9 100 1000" },
	{ "behind another line", TABLE_NONE, 0, NULL, { "radio", "PROF:x:3tick" }, ":9:100:1000",
	  "1: 8 = PROF x 3 9 100 1000" },
	{ "the first of two", TABLE_NONE, 0, NULL, { "PROF:x:3tick", "Port up" }, ":9:100:1000",
	  "0: 8 0 = PROF x 3 9 100 1000" },
	{ "the first of two that are", TABLE_NONE, 0, NULL, { "PROF:x:3tick", "PROF:y:3tick" },
	  ":8:100:10", "0: 8 0 = PROF x 3 8 100 10" },
	{ "a shorter cut by the name before", TABLE_NONE, 0, NULL, { "PROF:leick" }, "d:0:8:7:6",
	  "0: 7 = PROF led 0 8 7 6" },
	{ "else the longest", TABLE_NONE, 0, NULL, { "PROF:xyick" }, "d:0:8:7:6",
	  "0: 10 = PROF xyickd 0 8 7 6" },
	{ "a line that was seen tells", TABLE_NONE, 0, NULL, { "PROF:xy9 known" }, "d:0:8:7:6",
	  "0: 7 = PROF xyd 0 8 7 6" },
	{ "the number of sites before", TABLE_NONE, 0, NULL, { "PROF:x:2:99tick" }, ":7:6",
	  "0: 10 = PROF x 2 9 7 6" },
	{ "a sampled one", TABLE_NONE, 0, NULL, { "SPROF:x:2tick" }, ":9:5",
	  "0: 9 = SPROF x 2 9 5" },
	{ "a stack", TABLE_NONE, 0, NULL, { "Stacktrace: 2 fratick" }, "mes, 100 ticks/s",
	  "0: 17 = Stacktrace 2 100" },
	{ "an end that no header has", TABLE_NONE, 0, NULL, { "PROF:x:3tick" }, ":9:100:1000 ",
	  "no" },
	{ "a blank line", TABLE_NONE, 0, NULL, { "PROF:x:0:9:1:2tick" }, "", "no" },
	{ "a header is no end of one", TABLE_NONE, 0, NULL, { "Stick" }, "PROF:x:1:2:3", "no" },
	{ "a line that begins otherwise", TABLE_NONE, 0, NULL, { "xPROF:x:3tick" }, ":9:100:1000",
	  "no" },
};

static void line_hold(struct prof_held *h, const char *text)
{
	snprintf(h->bytes, sizeof(h->bytes), "%s\r\n", text);
	prof_line_init(&h->line, h->bytes, strlen(h->bytes));
}

static void joint_text(struct buf *out, const struct prof *p, const struct prof_joint *j,
		       bool header)
{
	const struct prof_header *h = &j->header;
	const struct wire_row *r = &j->entry.row;

	buf_addf(out, "%u:", j->first);
	for (unsigned i = j->first; i < p->held_n; i++)
		buf_addf(out, " %zu", j->cut[i]);
	if (!header)
		buf_addf(out, " = %x %x %u %u %u %u", (unsigned)r->from, (unsigned)r->to,
			 (unsigned)r->calls, (unsigned)r->total, (unsigned)r->min,
			 (unsigned)r->max);
	else if (h->table == TABLE_STACK)
		buf_addf(out, " = Stacktrace %u %u", (unsigned)h->num, (unsigned)h->tps);
	else if (h->table == TABLE_SPROF)
		buf_addf(out, " = SPROF %.*s %u %u %u", (int)h->name_n, h->name, (unsigned)h->num,
			 (unsigned)h->max, (unsigned)h->samples);
	else
		buf_addf(out, " = PROF %.*s %u %u %u %u", (int)h->name_n, h->name,
			 (unsigned)h->num, (unsigned)h->max, (unsigned)h->run, (unsigned)h->tps);
}

static void prof_made(struct prof *p, const struct join_case *c, struct codemap *code)
{
	memset(p, 0, sizeof(*p));
	p->wire.code = code_made(code, c->arch);
	p->table = c->table;
	p->header.num = 9;
	p->known_name = prof_shape("led", 3);
	p->known_max = 9;
	p->known_tps = 1000;
	prof_shape_learn(p, prof_shape("9 known", 7));
	prof_shape_learn(p, prof_shape("ac 9", 4));
	if (c->last) {
		assert_true(prof_parse_entry(c->table, c->last, strlen(c->last), &p->last));
		p->style = p->last.style;
		p->count = 1;
	}
	while (p->held_n < PROF_HELD_MAX && c->held[p->held_n]) {
		line_hold(&p->held[p->held_n], c->held[p->held_n]);
		p->held_n++;
	}
	/* What was held before is not looked at. */
	for (unsigned i = p->held_n; i < PROF_HELD_MAX; i++)
		line_hold(&p->held[i], "PROF:0x77");
}

static void pieces_are_put_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(joins); i++) {
		const struct join_case *c = &joins[i];
		struct buf is = BUF_INIT;
		static struct prof_joint j;
		static struct prof p;
		struct codemap code;
		struct prof_line l;
		enum prof_joined kind;
		char bytes[256];

		prof_made(&p, c, &code);
		snprintf(bytes, sizeof(bytes), "7%s\r\n", c->line);	/* a digit before it */
		prof_line_init(&l, bytes + 1, strlen(bytes + 1));
		kind = prof_join(&p, &l, &j);
		if (kind == JOIN_NO || kind == JOIN_AMBIGUOUS)
			buf_adds(&is, kind == JOIN_NO ? "no" : "ambiguous");
		else
			joint_text(&is, &p, &j, kind == JOIN_HEADER);
		if (strcmp(buf_str(&is), c->is))
			fail_msg("%s: %s", c->name, buf_str(&is));
		buf_release(&is);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_put_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
