/*
 * What exporters take beside the model: 50 MB of a million edges, so their part of fewer; those
 * that follow call paths stop at as many (STACKS_MOST) whatever the edges.
 */
#include "tests/unit/unit.h"

#include "tests/unit/peak.h"
#include "tests/unit/export_load.h"

enum { FUNCTIONS = 800, CALLS = 40000, FIXED = 400000 };	/* fixed: zlib, a table's head */

#define MOST_OF_A_MILLION 50e6

static bool follows_paths(const char *name)
{
	static const char *const names[] = {
		"pprof", "folded", "flamegraph", "html", "speedscope", "firefox",
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static size_t format_peak(const struct exporter *e, const struct export_source *s, size_t *bytes)
{
	static const char path[] = "/dev/null";
	size_t before = peak_now;
	struct err err = { 0 };
	struct out out;

	peak_reset();
	assert_int_equal(out_open(&out, path, &err), 0);
	assert_int_equal(export_write(e, s, &out, &err), 0);
	*bytes += peak_most - before;
	assert_int_equal(out_close(&out, &err), 0);
	return peak_most - before;
}

/* With the call trace, and where a format can, without. */
static void no_format_gathers_what_it_writes(void **state)
{
	struct export_load l;
	size_t all = 0, peak;
	double edges;

	(void)state;
	if (!PEAK_COUNTS)
		skip();
	assert_int_equal(load_make(&l, FUNCTIONS, CALLS), 0);
	edges = (double)l.p.edge_count;
	assert_true(edges > 15000);
	for (const struct exporter *e = exporters; e->name; e++) {
		double part = follows_paths(e->name) ? 1 : edges / 1e6;
		double most = MOST_OF_A_MILLION * part + FIXED;
		struct export_source s = load_source(&l, true);

		s.baseline = !strcmp(e->name, "changes") ? &l.p : NULL;
		for (int traced = 1; traced >= 0; traced--) {
			if (!traced && !follows_paths(e->name))
				continue;
			s.trace = traced ? l.trace : NULL;
			peak = format_peak(e, &s, &all);
			if ((double)peak > most)
				fail_msg("%s takes %zu bytes beside the model, not %.0f", e->name,
					 peak, most);
		}
	}
	assert_true(all > 20000000);		/* it does count */
	load_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_format_gathers_what_it_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
