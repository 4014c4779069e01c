/* export_gmon: gmon.out, read back as gprof reads it. */
#include "tests/unit/export_made.h"

struct gmon {
	const uint8_t *at, *end;
	uint64_t samples;		/* over all records */
	unsigned records, ranges, arcs;
	uint64_t calls, low, high;	/* of arcs; of the last range */
	uint32_t rate, bin, most;
	uint32_t previous_from;
};

static uint64_t report_take(struct gmon *g, unsigned bytes)
{
	uint64_t v = 0;

	assert_true(g->end - g->at >= (ptrdiff_t)bytes);
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)*g->at++ << 8 * i;
	return v;
}

static void take_histogram(struct gmon *g)
{
	uint64_t low = report_take(g, 4), high = report_take(g, 4), bins = report_take(g, 4);

	g->rate = (uint32_t)report_take(g, 4);
	assert_true(bins > 0 && high > low && (high - low) % bins == 0);
	if (g->records++)
		assert_int_equal(g->bin, (high - low) / bins);
	g->bin = (uint32_t)((high - low) / bins);
	g->ranges += low != g->low || high != g->high;
	g->low = low;
	g->high = high;
	assert_memory_equal(g->at, "seconds\0\0\0\0\0\0\0\0s", 16);
	g->at += 16;
	for (uint64_t i = 0; i < bins; i++) {
		uint32_t n = (uint32_t)report_take(g, 2);

		g->samples += n;
		g->most = n > g->most ? n : g->most;
	}
}

static void take_arc(struct gmon *g)
{
	uint32_t from = (uint32_t)report_take(g, 4);

	assert_true(from >= g->previous_from);
	g->previous_from = from;
	report_take(g, 4);
	g->calls += report_take(g, 4);
	g->arcs++;
}

static struct gmon read_gmon(const struct export_source *s)
{
	struct gmon g = { .low = 1, .high = 0 };
	struct buf out = BUF_INIT;

	write_as("gmon", s, &out);
	assert_memory_equal(out.data, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	g.at = (const uint8_t *)out.data + 20;
	g.end = (const uint8_t *)out.data + out.len;
	while (g.at < g.end) {
		switch (report_take(&g, 1)) {
		case 0: take_histogram(&g); break;
		case 1: take_arc(&g); break;
		default: fail_msg("unknown record");
		}
	}
	buf_release(&out);
	return g;
}

static void gmon_of_samples(void **state)
{
	static const struct wire_arc arcs[] = {
		{ 0x527, 0x200 }, { 0x524, 0x200 }, { 0x11, 0x300 },
	};
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	profile_add_arcs(&p, arcs, COUNT(arcs));
	add_samples(&p, 0x202, 3);
	add_samples(&p, 0x204, 5);
	add_samples(&p, 0x412, 2);
	assert_int_equal(profile_compute(&p), 0);

	s = source_of(&p, "gprof-hex");
	g = read_gmon(&s);
	assert_int_equal(g.bin, 4);	/* the gprof thesis' counters */
	assert_int_equal(g.low, 0x200);
	assert_int_equal(g.high, 0x414);
	assert_int_equal(g.rate, 1000);
	assert_int_equal(g.samples, 10);
	assert_int_equal(g.arcs, 2);	/* two share one counter's 4 bytes */
	assert_int_equal(g.calls, 3);

	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_int_equal(g.bin, 2);
	assert_int_equal(g.arcs, 3);
	profile_release(&p);
}

/* Arcs alone: the gprof thesis' host states its rate all the same. */
static void gmon_of_arcs_alone(void **state)
{
	static const struct wire_arc arcs[] = { { 0x527, 0x200 }, { 0x11, 0x300 } };
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	profile_add_arcs(&p, arcs, COUNT(arcs));
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.rate, 1000);
	assert_int_equal(g.samples, 0);
	assert_int_equal(g.calls, 2);
	profile_release(&p);
}

static void gmon_splits_what_16_bits_cannot_hold(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	add_samples(&p, 0x200, 65535 * 2 + 7);
	add_samples(&p, 0x204, 1);
	add_samples(&p, 0x20000000, 9);		/* code in RAM: a range of its own */
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.records, 4);
	assert_int_equal(g.ranges, 2);
	assert_int_equal(g.samples, 65535 * 2 + 7 + 1 + 9);
	profile_release(&p);
}

/* Neither what is written several times nor what is spread wide takes the bytes between. */
static void gmon_ranges_are_small(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	add_samples(&p, 0x200, 65535 * 2 + 7);
	add_samples(&p, 0x300, 1);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.ranges, 2);
	assert_int_equal(g.records, 4);			/* 3 of the first */
	for (uint32_t i = 1; i <= 17; i++)		/* more than a megabyte together */
		add_samples(&p, 0xf000 * i, 1);
	assert_int_equal(profile_compute(&p), 0);
	g = read_gmon(&s);
	assert_int_equal(g.ranges, 2 + 17);
	assert_int_equal(g.samples, 65535 * 2 + 7 + 1 + 17);
	profile_release(&p);
}

static void gmon_scales_what_no_records_hold(void **state)
{
	const struct wire_sampled many[] = {
		{ 0x200, UINT64_C(4000000000000) }, { 0x202, 1000000000000 },
	};
	struct wire_report report = {
		.kind = REPORT_SPROF, .name = "unit", .index = 1, .num_sites = 2, .max_sites = 9,
		.samples = UINT64_C(5000000000000), .complete = true, .sampled = many, .count = 2,
	};
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, "unit"), 0);
	p.named = true;
	p.terms.hz = 1e9;
	assert_int_equal(profile_take_report(&p, &report, true), 0);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_in_range(g.records, 1, 64);
	assert_true(fabs((double)g.samples / g.rate - 5000) < 5);
	profile_release(&p);
}

static void gmon_of_an_odd_rate(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	p.terms.hz = 139.6;
	add_samples(&p, 0x200, 1396);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_int_equal(g.rate, 698);
	assert_int_equal(g.samples, 6980);
	profile_release(&p);
}

static void gmon_of_times(void **state)
{
	static const double scales[] = { 1e-6, 1, 1e3, 1e6 };	/* of a tick: ns to a month */

	(void)state;
	for (size_t i = 0; i < COUNT(scales); i++) {
		struct wire_report report = report_of(rows, COUNT(rows));
		struct profile p;
		struct export_source s;
		struct gmon g;

		assert_int_equal(profile_init(&p, "unit"), 0);
		p.named = true;
		assert_int_equal(profile_take_report(&p, &report, true), 0);
		p.terms.ticks_per_second = 1000 / scales[i];
		p.dirty = true;
		assert_int_equal(profile_compute(&p), 0);
		s = source_of(&p, "prof");
		g = read_gmon(&s);
		assert_int_equal(g.calls, 45);
		assert_int_equal(g.arcs, 4);	/* the call that never came back is no arc */
		assert_true(g.rate > 0);
		assert_true(fabs((double)g.samples / g.rate / p.totals.self_s - 1) < 1e-3);
		if (scales[i] <= 1)
			assert_int_equal(g.records, 1);
		profile_release(&p);
	}
}

/*
 * Samples in the node's own runtime, one row, lie where they were taken; JSON knows no address of
 * it.
 */
static void the_runtimes_row_has_no_address(void **state)
{
	struct wire_report report = report_of(rows, COUNT(rows));
	struct buf out = BUF_INIT;
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, "unit"), 0);
	p.named = true;
	p.terms.hz = 100;
	assert_int_equal(profile_take_report(&p, &report, true), 0);
	add_samples(&p, 0x702, 300);
	assert_int_equal(profile_compute(&p), 0);
	function_at(&p, 0x702)->address = PROFILE_RUNTIME;
	s = source_of(&p, "wsn");
	g = read_gmon(&s);
	assert_true(fabs((double)g.samples / g.rate / p.totals.self_s - 1) < 1e-3);
	write_as("json", &s, &out);
	assert_non_null(strstr(buf_str(&out), "\"address\":null"));
	assert_null(strstr(buf_str(&out), "4294967294"));
	buf_reset(&out);
	write_as("csv", &s, &out);
	assert_null(strstr(buf_str(&out), "fffffffe"));
	buf_release(&out);
	profile_release(&p);
}

static void gmon_of_many_calls(void **state)
{
	const struct wire_row many[] = {
		{ .from = 0x10, .to = 0x20, .calls = UINT64_C(10000000000), .total = 5, .max = 1 },
	};
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	make_timed(&p, many, 1);
	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_int_equal(g.arcs, 3);
	assert_true(g.calls == UINT64_C(10000000000));
	profile_release(&p);
}

static void gmon_of_nothing_still_has_a_histogram(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.records, 1);
	assert_int_equal(g.samples, 0);
	profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gmon_of_samples),
		cmocka_unit_test(gmon_of_arcs_alone),
		cmocka_unit_test(gmon_splits_what_16_bits_cannot_hold),
		cmocka_unit_test(gmon_ranges_are_small),
		cmocka_unit_test(gmon_scales_what_no_records_hold),
		cmocka_unit_test(gmon_of_an_odd_rate),
		cmocka_unit_test(gmon_of_times),
		cmocka_unit_test(the_runtimes_row_has_no_address),
		cmocka_unit_test(gmon_of_many_calls),
		cmocka_unit_test(gmon_of_nothing_still_has_a_histogram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
