/* wire_when: when a batch happened, as far as its packet format knows. */
#include "tests/unit/unit.h"

#include "core/wire/wire.h"
#include "tests/unit/wsn_stream.h"

/* --- what the formats know -------------------------------------------------------------------- */

struct heard {
	struct wire *wire;
	unsigned batches, stamped;
	struct clock_terms terms;
	uint64_t ticks;
};

static void batch_hear(struct heard *h)
{
	const struct wire_when *when = wire_when(h->wire);

	h->batches++;
	if (!when->clock)
		return;
	h->stamped++;
	h->terms = *when->clock;
	h->ticks = when->ticks;
}

static void hear_arcs(void *ctx, const struct wire_arc *arcs, size_t n)
{
	(void)arcs;
	(void)n;
	batch_hear(ctx);
}

static void hear_report(void *ctx, const struct wire_report *r)
{
	(void)r;
	batch_hear(ctx);
}

static void hear_text(void *ctx, const char *text, size_t n)
{
	(void)text;
	(void)n;
	batch_hear(ctx);
}

static void hear_hello(void *ctx, const struct wire_hello *hello)
{
	(void)hello;
	batch_hear(ctx);
}

static void hear_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	(void)totals;
	(void)n;
	batch_hear(ctx);
}

/* The only one that may have a stamp. */
static void hear_status(void *ctx, const struct wire_status *status)
{
	struct heard *h = ctx;
	unsigned stamped = h->stamped;

	batch_hear(h);
	assert_int_equal(h->stamped, stamped + 1);
	assert_int_equal(h->ticks, status->run);
}

static void heard_feed(struct heard *h, const char *format, const void *data, size_t n)
{
	struct wire_sink sink = { .ctx = h, .arcs = hear_arcs, .report = hear_report,
				  .text = hear_text, .hello = hear_hello, .totals = hear_totals,
				  .status = hear_status };

	*h = (struct heard){ .wire = wire_new(format, NULL, &sink, NULL) };
	wire_feed(h->wire, data, n);
	wire_flush(h->wire, true);
	assert_true(h->batches > 0);
	wire_free(h->wire);
}

static void formats_without_a_clock(void **state)
{
	static const char report[] = "boot\r\nPROF:one:1:10:1000:1000\r\n"
				     "0x100:0x200:1:10:10:10\r\n\r\n";
	struct heard h;

	(void)state;
	heard_feed(&h, "prof", report, sizeof(report) - 1);
	assert_int_equal(h.stamped, 0);
	heard_feed(&h, "auto", report, sizeof(report) - 1);
	assert_int_equal(h.stamped, 0);
	heard_feed(&h, "gprof", "A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4"
				"A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4", 60);
	assert_int_equal(h.stamped, 0);
}

/* Its clock stands still: it says so, and has no map. */
static void wsn_dates_its_status(void **state)
{
	static const char *const formats[] = { "wsn", "auto" };

	(void)state;
	for (size_t i = 0; i < COUNT(formats); i++) {
		struct stream s = { .seq = 0 };
		struct clock c;
		struct heard h;

		stream_script(&s, "H|T 800|t text\n|T 1600");
		heard_feed(&h, formats[i], s.out.data, s.out.len);
		assert_int_equal(h.stamped, 2);
		assert_int_equal(h.terms.ticks_per_second, 8000000);
		assert_int_equal(h.terms.bits, 64);
		assert_true(h.terms.stands & CLOCK_STANDS_SLEEP);
		assert_true(h.terms.stands & CLOCK_STANDS_STOPPED);
		clock_init(&c, &h.terms, 0);
		assert_false(clock_has_map(&c));
		stream_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_without_a_clock),
		cmocka_unit_test(wsn_dates_its_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
