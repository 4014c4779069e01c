/*
 * graph: the call tree. main calls a (100 ticks) and b (60); a calls b (30) and leaf (20); b calls
 * leaf (45). So a third of b's time is below a, and a third of leaf's time in b, too.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/profile/profile.h"
#include "core/profile/raw/feed.h"
#include "core/profile/tree/graph.h"
#include "core/profile/tree/sift.h"
#include "tests/unit/profile_firmware.h"

static const struct {
	const char *from;
	unsigned call;			/* which one of its call instructions */
	const char *to;
	uint64_t ticks;
} calls[] = {
	{ "main", 1, "a", 100 }, { "main", 2, "b", 60 },
	{ "a", 1, "b", 30 }, { "a", 2, "leaf", 20 }, { "b", 2, "leaf", 45 },
};

static void calls_take(struct fixture *t)
{
	const struct wire_hello hello = { .name = "", .ticks_per_second = 1000 };

	profile_take_hello(&t->p, &hello);
	for (size_t i = 0; i < COUNT(calls); i++) {
		const struct wire_total total = {
			.kind = TOTAL_SITE, .has = TOTAL_TIMED, .calls = 1,
			.from = entry_of(t, calls[i].from) + 5 * calls[i].call,
			.to = entry_of(t, calls[i].to), .total = calls[i].ticks,
		};

		assert_int_equal(profile_take_totals(&t->p, &total, 1), 0);
	}
	assert_int_equal(profile_compute(&t->p), 0);
}

/* Sum of the values of a function's nodes at and below n. No node has less than its children. */
static double node_sum(const struct graph *g, const struct graph_node *n, const char *name)
{
	const struct profile *p = g->profile;
	double sum = strcmp(p->functions[n->function].name, name) == 0 ? n->value : 0, below = 0;

	for (uint32_t e = graph_first(g, n->function); e != PROFILE_NONE; e = graph_next(g, e)) {
		struct graph_node child;

		graph_below(g, n, e, &child);
		assert_int_equal(child.depth, n->depth + 1);
		below += child.value;
		sum += node_sum(g, &child, name);
	}
	assert_true(below <= n->value + 1e-9);
	return sum;
}

static void each_function_has_its_time_in_all(void **state)
{
	static const struct { const char *name; double seconds; } rows[] = {
		{ "main", 0.160 }, { "a", 0.100 }, { "b", 0.090 }, { "leaf", 0.065 },
	};
	struct graph g = { 0 };
	struct graph_node root;

	calls_take(*state);
	assert_int_equal(graph_build(&g, &((struct fixture *)*state)->p, false), 0);
	assert_true(g.times);
	assert_int_equal(g.root_count, 1);
	graph_root(&g, 0, &root);
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_true(fabs(node_sum(&g, &root, rows[i].name) - rows[i].seconds) < 1e-9);
	graph_release(&g);
}

/*
 * Rows come in turn: a callee's row that came after its caller's may be more than that. Its box
 * stays within the caller's; its figures are its row's, as in all views.
 */
static void a_newer_row_keeps_its_figures(void **state)
{
	struct fixture *t = *state;
	const struct wire_total newer = {
		.kind = TOTAL_SITE, .has = TOTAL_TIMED, .calls = 2,
		.from = entry_of(t, "main") + 5, .to = entry_of(t, "a"), .total = 200,
	}, root_row = {
		.kind = TOTAL_SITE, .has = TOTAL_TIMED, .calls = 1,
		.from = 0x10, .to = entry_of(t, "main"), .total = 180,
	};
	struct graph g = { 0 };
	struct graph_node root, a;
	uint32_t e;

	calls_take(t);
	assert_int_equal(profile_take_totals(&t->p, &newer, 1), 0);
	assert_int_equal(profile_take_totals(&t->p, &root_row, 1), 0);
	assert_int_equal(profile_compute(&t->p), 0);
	assert_int_equal(graph_build(&g, &t->p, false), 0);
	graph_root(&g, 0, &root);
	assert_string_equal(g.profile->functions[root.function].name, "main");
	for (e = graph_first(&g, root.function); e != PROFILE_NONE; e = graph_next(&g, e)) {
		graph_below(&g, &root, e, &a);
		if (!strcmp(g.profile->functions[a.function].name, "a"))
			break;
	}
	assert_true(e != PROFILE_NONE);
	assert_true(fabs(a.value - 0.180) < 1e-9);
	assert_true(fabs(a.total - 0.200) < 1e-9 && fabs(a.share - 1) < 1e-9 && !a.shared);
	assert_true(fabs(a.self - g.profile->functions[a.function].self_s) < 1e-9);
	graph_release(&g);
}

/* Bottom-up the callers' values are shares of the root's self time. */
static void callers_share_the_self_time(void **state)
{
	struct graph g = { 0 };
	struct graph_node root;

	calls_take(*state);
	assert_int_equal(graph_build(&g, &((struct fixture *)*state)->p, true), 0);
	graph_root(&g, 0, &root);
	assert_string_equal(g.profile->functions[root.function].name, "leaf");
	assert_true(fabs(root.value - 0.065) < 1e-9);
	assert_true(fabs(node_sum(&g, &root, "b") - 0.045) < 1e-9);
	assert_true(fabs(node_sum(&g, &root, "a") - 0.035) < 1e-9);	/* 20, and a third of 45 */
	assert_true(fabs(node_sum(&g, &root, "main") - 0.065) < 1e-9);
	graph_release(&g);
}

static uint8_t mark_of(const struct sift *s, const struct graph *g, const char *name)
{
	for (size_t i = 0; i < g->profile->function_count; i++)
		if (!strcmp(g->profile->functions[i].name, name))
			return s->marks[i];
	fail_msg("no %s", name);
	return 0;
}

struct sought {
	const struct profile *p;
	const char *name;
};

static bool is_sought(void *ctx, uint32_t function)
{
	const struct sought *s = ctx;

	return !strcmp(s->p->functions[function].name, s->name);
}

/* Top-down the callers lead to a function, bottom-up those that it calls. */
static void a_filter_keeps_what_leads_to_its_functions(void **state)
{
	static const struct {
		const char *sought;
		bool inverted;
		uint8_t main, a, b, leaf;
	} rows[] = {
		{ "b", false, SIFT_LEADS, SIFT_LEADS, SIFT_MATCHES, 0 },
		{ "b", true, 0, 0, SIFT_MATCHES, SIFT_LEADS },
		{ "main", false, SIFT_MATCHES, 0, 0, 0 },
		{ "main", true, SIFT_MATCHES, SIFT_LEADS, SIFT_LEADS, SIFT_LEADS },
		{ "none", false, 0, 0, 0, 0 },
	};
	struct sift s = { 0 };

	calls_take(*state);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct sought sought = { &((struct fixture *)*state)->p, rows[i].sought };
		struct graph g = { 0 };

		assert_int_equal(graph_build(&g, sought.p, rows[i].inverted), 0);
		assert_int_equal(sift_build(&s, &g, is_sought, &sought), 0);
		assert_int_equal(mark_of(&s, &g, "main"), rows[i].main);
		assert_int_equal(mark_of(&s, &g, "a"), rows[i].a);
		assert_int_equal(mark_of(&s, &g, "b"), rows[i].b);
		assert_int_equal(mark_of(&s, &g, "leaf"), rows[i].leaf);
		assert_int_equal(s.matching, strcmp(rows[i].sought, "none") != 0);
		graph_release(&g);
	}
	sift_release(&s);
}

static void an_empty_profile_has_no_roots(void **state)
{
	struct fixture *t = *state;

	assert_int_equal(profile_compute(&t->p), 0);
	for (int inverted = 0; inverted < 2; inverted++) {
		struct graph g = { 0 };
		uint32_t way[4];

		assert_int_equal(graph_build(&g, &t->p, inverted), 0);
		assert_int_equal(g.root_count, 0);
		assert_int_equal(graph_hottest(&g, way, COUNT(way)), 0);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_function_has_its_time_in_all, profile_up,
						profile_down),
		cmocka_unit_test_setup_teardown(a_newer_row_keeps_its_figures, profile_up,
						profile_down),
		cmocka_unit_test_setup_teardown(callers_share_the_self_time, profile_up,
						profile_down),
		cmocka_unit_test_setup_teardown(a_filter_keeps_what_leads_to_its_functions,
						profile_up, profile_down),
		cmocka_unit_test_setup_teardown(an_empty_profile_has_no_roots, profile_up,
						profile_down),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
