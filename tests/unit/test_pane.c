/* pane: figures that take long to compute wait for their frame, keys do not wait for them. */
#include "tests/unit/node_made.h"

#include "core/base/mem.h"
#include "core/profile/raw/feed.h"
#include "tui/app/pane/pane.h"

enum { CALLS = 4 };

struct fixture {
	struct node *node;
	struct options options;
	struct settings settings;
	struct pane pane;
};

static void fixture_begin(struct fixture *f)
{
	static char source[128];
	struct node_options o = { .source = source, .batch = true };
	struct err err = { 0 };

	snprintf(source, sizeof(source), "%s", path_of("nothing"));
	write_file("nothing", "no packet\r\n");
	*f = (struct fixture){ .node = node_run(&o) };
	settings_init(&f->settings);
	assert_int_equal(pane_init(&f->pane, f->node, &f->options, &f->settings, &err), 0);
}

static void fixture_end(struct fixture *f)
{
	pane_release(&f->pane);
	settings_release(&f->settings);
	node_free(f->node);
}

/* CALLS more calls by one caller of each of `callees` functions. */
static void calls_come(struct fixture *f, uint32_t callees)
{
	for (uint32_t i = 0; i < CALLS * callees; i++) {
		struct wire_arc arc = { 0x100, 0x200 + i % callees * 0x40 };

		profile_add_arcs(node_profile(f->node), &arc, 1);
	}
	pane_change(&f->pane, NODE_DATA, 0);
}

static uint64_t calls_shown(const struct fixture *f)
{
	const struct profile *p = f->pane.shared.model.profile;
	uint64_t sum = 0;

	for (size_t i = 0; i < p->function_count; i++)
		sum += p->functions[i].calls;
	return sum;
}

/* As keys do it, and as frames for what came. */
static uint64_t shown_to_key(struct fixture *f)
{
	pane_sync(&f->pane, 0);
	return calls_shown(f);
}

static uint64_t shown_in_turn(struct fixture *f)
{
	pane_refresh(&f->pane);
	return shown_to_key(f);
}

/* One that was costly: whatever it took here. */
static void figures_cost(struct fixture *f, uint64_t ns)
{
	f->pane.figures.cost_ns = ns;
}

static void test_keys_do_not_wait(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	calls_come(&f, 2);
	assert_int_equal(shown_to_key(&f), 2 * CALLS);

	calls_come(&f, 2);
	figures_cost(&f, CLOCK_SECOND);
	assert_int_equal(shown_to_key(&f), 2 * CALLS);
	assert_true(f.pane.behind);
	assert_true(node_profile(f.node)->dirty);
	assert_int_equal(shown_in_turn(&f), 4 * CALLS);
	assert_false(f.pane.behind);

	/* Where they cost nothing keys have them, too. */
	calls_come(&f, 2);
	figures_cost(&f, 0);
	assert_int_equal(shown_to_key(&f), 6 * CALLS);
	fixture_end(&f);
}

/* Views have numbers of functions: with others nothing may be drawn that was not computed. */
static void test_other_numbers(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	calls_come(&f, 2);
	assert_int_equal(shown_to_key(&f), 2 * CALLS);

	calls_come(&f, 5);
	assert_int_equal(profile_compute(node_profile(f.node)), 0);	/* by somebody else */
	figures_cost(&f, CLOCK_SECOND);
	assert_int_equal(shown_to_key(&f), 7 * CALLS);

	profile_reset(node_profile(f.node));
	calls_come(&f, 3);
	figures_cost(&f, CLOCK_SECOND);
	assert_int_equal(shown_to_key(&f), 3 * CALLS);

	profile_reset(node_profile(f.node));
	calls_come(&f, 3);
	assert_int_equal(profile_compute(node_profile(f.node)), 0);
	figures_cost(&f, CLOCK_SECOND);
	assert_int_equal(shown_to_key(&f), 3 * CALLS);
	assert_false(f.pane.behind);

	calls_come(&f, 3);
	assert_int_equal(profile_rebase(node_profile(f.node)), 0);
	pane_change(&f.pane, NODE_DATA, 0);
	figures_cost(&f, CLOCK_SECOND);
	assert_int_equal(shown_to_key(&f), 0);
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_do_not_wait),
		cmocka_unit_test(test_other_numbers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
