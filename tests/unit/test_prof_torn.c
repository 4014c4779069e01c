/*
 * Reports that other output tears apart, at each byte: what comes out is rows that the node sent,
 * or fewer, and those are counted as lost. How many tears are put together is counted.
 */
#include "tests/unit/unit.h"

#include "core/base/buf.h"
#include "core/wire/wire.h"

#define ROWS 4

#define PROF \
	"PROF:x:4:9:100:1000\r\n0x110:0x200:3:24:8:8\r\n0x8010:0x200:1:16:16:16\r\n" \
	"0x120:0x400:40:752:16:24\r\n0:0x500:7:35:5:5\r\n\r\n"
#define PROF_ROWS \
	{ 0x110, 0x200, 24 }, { 0x8010, 0x200, 16 }, { 0x120, 0x400, 752 }, { 0, 0x500, 35 }
#define BARE \
	"PROF:x:3:9:100:1000\n8000412:8000400:1:5:5:5\n8000500:8000420:2:9:4:5\n" \
	"8000a00:8000920:12:60:5:5\n\n"
#define BARE_ROWS \
	{ 0x8000412, 0x8000400, 5 }, { 0x8000500, 0x8000420, 9 }, { 0x8000a00, 0x8000920, 60 }
#define SPROF "SPROF:led:3:250:16\r\n0x1923:5\r\n0x38d:10\r\n0x501:1\r\n\r\n"
#define SPROF_ROWS { 0x3246, 0, 5 }, { 0x71a, 0, 10 }, { 0xa02, 0, 1 }
#define SPROF_BYTES "SPROF:led:3:250:16\r\n0x3246:5\r\n0x71a:10\r\n0xa02:1\r\n\r\n"
#define SPROF_BYTES_ROWS SPROF_ROWS
#define STACK \
	"Stacktrace: 2 frames, 32768 ticks/s\r\n0: 0x6e4->0x5e0 @23328\r\n" \
	"1: 0x604->0x582 @23336\r\n\r\n"
#define STACK_ROWS { 0x6e4, 0x5e0, 23328 }, { 0x604, 0x582, 23336 }

/* A stream of one report, what is in it, and the image by which it is read, if by any. */
static const struct report_case {
	const char *name;
	enum code_arch arch;			/* CODE_UNKNOWN: no image */
	uint32_t base;
	const char *bytes;
	uint64_t row[ROWS][3];			/* from, to, total; SPROF: PC, 0, count */
	size_t rows;
	/*
	 * Of the tears: all rows came; the other output came as it was; and a row came that was not
	 * sent: a digit alone before or behind a number cannot be told from it, nor can the 0 that
	 * is left of an address.
	 */
	unsigned whole, clean, wrong;
} reports[] = {
	{ "PROF", CODE_UNKNOWN, 0, PROF, { PROF_ROWS }, 4, 967, 870, 30 },
	{ "PROF by an ARM's image", CODE_ARM, 0, PROF, { PROF_ROWS }, 4, 1074, 977, 30 },
	{ "PROF by an AVR's, which lost bits", CODE_AVR, 0, PROF, { PROF_ROWS }, 4, 1064, 967, 30 },
	{ "PROF without 0x", CODE_UNKNOWN, 0, BARE, { BARE_ROWS }, 3, 644, 573, 9 },
	{ "PROF without 0x, by an image", CODE_ARM, 0x8000000, BARE, { BARE_ROWS }, 3, 944, 873,
	  9 },
	{ "SPROF", CODE_UNKNOWN, 0, SPROF, { SPROF_ROWS }, 3, 372, 291, 9 },
	{ "SPROF by an AVR's image", CODE_AVR, 0, SPROF, { SPROF_ROWS }, 3, 374, 293, 9 },
	{ "SPROF by an ARM's", CODE_ARM, 0, SPROF_BYTES, { SPROF_BYTES_ROWS }, 3, 373, 292,
	  9 },
	{ "Stacktrace", CODE_UNKNOWN, 0, STACK, { STACK_ROWS }, 2, 738, 697, 44 },
	{ "Stacktrace by an image", CODE_ARM, 0, STACK, { STACK_ROWS }, 2, 804, 763, 28 },
};

/* --- its image -------------------------------------------------------------------------------- */

/* 80 KB: the rows' functions and calls, and code of others around them. */
static uint8_t flags[0x14000 / 2];

static uint64_t row_target(const void *ctx, uint64_t ret)
{
	const struct report_case *c = ctx;

	for (size_t i = 0; i < c->rows; i++)
		if (c->row[i][0] == ret)
			return c->row[i][1];
	return CODE_NO_TARGET;
}

static const struct codemap *code_of(struct codemap *code, const struct report_case *c)
{
	if (c->arch == CODE_UNKNOWN)
		return NULL;
	memset(flags, CODE_TEXT, sizeof(flags));
	memset(flags + 0x3000 / 2, 0, 0x200 / 2);	/* data */
	for (size_t i = 0; i < c->rows; i++) {
		flags[(c->row[i][0] - c->base) / 2] |= CODE_RETURN;
		if (c->row[i][1])
			flags[(c->row[i][1] - c->base) / 2] |= CODE_ENTRY;
	}
	flags[0x80 / 2] |= CODE_RETURN;
	flags[0x300 / 2] |= CODE_ENTRY;
	*code = (struct codemap){ .arch = c->arch, .base = c->base, .size = sizeof(flags) * 2,
				  .flags = flags, .target = row_target, .ctx = c };
	return code;
}

/* What an interrupt prints. */
static const char *const others[] = {
	"tick 5\r\n", "\r\nradio\r\n", "12(0)s\r\n", "rx\r\ntx\r\n", "7\n", "#\r\n", "Port up\r\n",
	"0xdead\r\n", "\r\n", ": 3\r\n",
};

struct heard {
	uint64_t row[16][3];
	size_t rows, lost;
	struct buf text;
};

static void row_hear(struct heard *h, uint64_t from, uint64_t to, uint64_t total)
{
	assert_in_range(h->rows, 0, COUNT(h->row) - 1);
	h->row[h->rows][0] = from;
	h->row[h->rows][1] = to;
	h->row[h->rows++][2] = total;
}

static void report_hear(void *ctx, const struct wire_report *r)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->kind == REPORT_PROF)
			row_hear(ctx, r->rows[i].from, r->rows[i].to, r->rows[i].total);
		else
			row_hear(ctx, r->sampled[i].pc, 0, r->sampled[i].count);
	}
}

static void stack_hear(void *ctx, const struct wire_stack *s)
{
	for (size_t i = 0; i < s->count; i++)
		row_hear(ctx, s->frames[i].from, s->frames[i].to, s->frames[i].ticks);
}

static void text_hear(void *ctx, const char *s, size_t n)
{
	buf_add(&((struct heard *)ctx)->text, s, n);
}

static void stream_hear(struct heard *h, const struct codemap *code, const char *bytes, size_t n)
{
	struct wire_sink sink = { .ctx = h, .report = report_hear, .stack = stack_hear,
				  .text = text_hear };
	struct wire *w = wire_new("prof", &(struct wire_options){ .code = code }, &sink, NULL);
	struct wire_stats stats;

	wire_feed(w, (const uint8_t *)bytes, n);
	wire_flush(w, true);
	wire_stats(w, &stats);
	h->lost = stats.lost;
	assert_int_equal(stats.events, h->rows);
	assert_int_equal(stats.text_bytes, h->text.len);
	wire_free(w);
}

/* Rows that were not sent, or more often than they were. */
static unsigned rows_invented(const struct report_case *c, const struct heard *h)
{
	unsigned invented = 0, next = 0;

	for (size_t i = 0; i < h->rows; i++) {
		size_t k = next;

		while (k < c->rows && memcmp(h->row[i], c->row[k], sizeof(h->row[i])))
			k++;
		if (k < c->rows)
			next = (unsigned)k + 1;
		else
			invented++;
	}
	return invented;
}

static void torn_reports_lose_rows_and_invent_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(reports); i++) {
		const struct report_case *c = &reports[i];
		size_t n = strlen(c->bytes);
		unsigned whole = 0, clean = 0, wrong = 0, tears = 0;
		struct codemap code;

		for (size_t k = 0; k < COUNT(others); k++) {
			for (size_t at = 0; at <= n; at++) {
				struct heard h = { .text = BUF_INIT };
				struct buf in = BUF_INIT;
				bool same;

				buf_add(&in, c->bytes, at);
				buf_adds(&in, others[k]);
				buf_adds(&in, c->bytes + at);
				stream_hear(&h, code_of(&code, c), in.data, in.len);
				tears++;
				wrong += rows_invented(c, &h) > 0;
				whole += h.rows == c->rows && !rows_invented(c, &h);
				same = !strcmp(buf_str(&h.text), others[k]);
				clean += same;
				if (h.rows && h.rows < c->rows)
					assert_true(h.rows + h.lost >= c->rows);
				buf_release(&h.text);
				buf_release(&in);
			}
		}
		if (whole != c->whole || clean != c->clean || wrong != c->wrong)
			fail_msg("%s: %u tears: %u whole, %u clean, %u wrong", c->name, tears,
				 whole, clean, wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(torn_reports_lose_rows_and_invent_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
