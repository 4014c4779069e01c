/* Which of several nodes is unlike the others: planted factors are found, natural spread is not. */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/fleet/odd.h"

enum { NODES = 200, FUNCTIONS = 30 };

struct fleet {
	struct odd_share shares[NODES][FUNCTIONS];
	struct odd_node nodes[NODES];
};

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* About normal, mean 0, deviation 1. */
static double random_normal(uint32_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(random_next(seed) & 0xffff) / 65536;
	return sum;
}

/* Shares of 1/30 each that differ by `spread` from node to node. */
static struct fleet *fleet_new(double spread, double calls, uint32_t seed)
{
	struct fleet *f = calloc(1, sizeof(*f));

	for (size_t i = 0; i < NODES; i++) {
		f->nodes[i] = (struct odd_node){ .shares = f->shares[i], .count = FUNCTIONS };
		for (size_t k = 0; k < FUNCTIONS; k++)
			f->shares[i][k] = (struct odd_share){
				.function = 0x100 + 2 * k, .calls = calls,
				.share = exp(spread * random_normal(&seed)) / FUNCTIONS,
			};
	}
	return f;
}

static size_t odd_count(const struct fleet *f)
{
	size_t n = 0;

	for (size_t i = 0; i < NODES; i++)
		n += fabs(f->nodes[i].z) >= ODD_Z;
	return n;
}

static void nodes_that_are_alike_are_not_odd(void **state)
{
	static const double spreads[] = { 0, 0.05, 0.1, 0.3 };

	(void)state;
	for (size_t i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
		struct fleet *f = fleet_new(spreads[i], 1e6, 7 + (uint32_t)i);

		assert_int_equal(odd_find(f->nodes, NODES), 0);
		assert_int_equal(odd_count(f), 0);
		free(f);
	}
}

static void a_planted_factor_is_found(void **state)
{
	static const struct { double spread, times; } planted[] = {
		{ 0, 1.4 }, { 0.05, 1.8 }, { 0.1, 2.5 }, { 0.2, 5 }, { 0.1, 0.4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(planted) / sizeof(planted[0]); i++) {
		struct fleet *f = fleet_new(planted[i].spread, 1e6, 11);

		f->shares[42][7].share = planted[i].times / FUNCTIONS;
		assert_int_equal(odd_find(f->nodes, NODES), 0);
		assert_int_equal(odd_count(f), 1);
		assert_int_equal(f->nodes[42].z > 0, planted[i].times > 1);
		assert_int_equal(f->nodes[42].function, 0x10e);
		assert_true(fabs(f->nodes[42].times / planted[i].times - 1) < 0.05);
		free(f);
	}
}

/* Up to half of them may lie without making the others odd. */
static void a_large_part_that_is_odd_does_not_hide_itself(void **state)
{
	struct fleet *f = fleet_new(0.05, 1e6, 3);

	(void)state;
	for (size_t i = 0; i < NODES * 2 / 5; i++)
		f->shares[i][3].share *= 20;
	assert_int_equal(odd_find(f->nodes, NODES), 0);
	for (size_t i = 0; i < NODES; i++)
		assert_int_equal(fabs(f->nodes[i].z) >= ODD_Z, i < NODES * 2 / 5);
	free(f);
}

static void few_calls_prove_nothing(void **state)
{
	struct fleet *f = fleet_new(0, 1e6, 3);

	(void)state;
	f->shares[1][1].share *= 3;
	f->shares[1][1].calls = 4;
	f->shares[2][1].calls = 0;		/* never completed */
	f->shares[3][1].share = ODD_LEAST / 2;
	assert_int_equal(odd_find(f->nodes, NODES), 0);
	assert_int_equal(odd_count(f), 0);
	free(f);
}

static void of_few_nodes_nothing_is_told(void **state)
{
	struct fleet *f = fleet_new(0, 1e6, 3);

	(void)state;
	f->shares[1][1].share *= 9;
	assert_int_equal(odd_find(f->nodes, ODD_NODES - 1), 0);
	assert_true(isnan(f->nodes[1].z));
	assert_int_equal(odd_find(f->nodes, ODD_NODES), 0);
	assert_true(f->nodes[1].z > ODD_Z);
	assert_int_equal(odd_find(f->nodes, 0), 0);
	f->nodes[0].count = 0;
	assert_int_equal(odd_find(f->nodes, ODD_NODES + 1), 0);
	assert_true(isnan(f->nodes[0].z) && f->nodes[1].z > ODD_Z);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_that_are_alike_are_not_odd),
		cmocka_unit_test(a_planted_factor_is_found),
		cmocka_unit_test(a_large_part_that_is_odd_does_not_hide_itself),
		cmocka_unit_test(few_calls_prove_nothing),
		cmocka_unit_test(of_few_nodes_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
