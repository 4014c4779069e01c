/*
 * Which of several nodes is unlike the others, or unlike itself: planted factors are found, natural
 * spread is not.
 */
#include "tests/unit/random_normal.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdbool.h>

#include "core/fleet/odd.h"

enum { NODES = 200, FUNCTIONS = 30 };

struct fleet {
	struct odd_share shares[NODES][FUNCTIONS];
	struct odd_node nodes[NODES];
};

/* Shares of 1/30 each that differ by `spread` from node to node. */
static struct fleet *fleet_new(double spread, double calls, uint64_t seed)
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
		n += fabs(f->nodes[i].found.z) >= ODD_Z;
	return n;
}

static void nodes_that_are_alike_are_not_odd(void **state)
{
	static const double spreads[] = { 0, 0.05, 0.1, 0.3 };

	(void)state;
	for (size_t i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
		struct fleet *f = fleet_new(spreads[i], 1e6, 7 + i);

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
		assert_int_equal(f->nodes[42].found.z > 0, planted[i].times > 1);
		assert_int_equal(f->nodes[42].found.function, 0x10e);
		assert_true(fabs(f->nodes[42].found.times / planted[i].times - 1) < 0.05);
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
		assert_int_equal(fabs(f->nodes[i].found.z) >= ODD_Z, i < NODES * 2 / 5);
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
	assert_true(isnan(f->nodes[1].found.z));
	assert_int_equal(odd_find(f->nodes, ODD_NODES), 0);
	assert_true(f->nodes[1].found.z > ODD_Z);
	assert_int_equal(odd_find(f->nodes, 0), 0);
	f->nodes[0].count = 0;
	assert_int_equal(odd_find(f->nodes, ODD_NODES + 1), 0);
	assert_true(isnan(f->nodes[0].found.z) && f->nodes[1].found.z > ODD_Z);
	free(f);
}

/* --- against its own past --------------------------------------------------------------------- */

struct pasts {
	struct odd_change changes[NODES][FUNCTIONS];
	struct odd_past nodes[NODES];
};

/* Nodes that differ by `spread` for good, and move by a fifth of that; shares sum to 1. */
static struct pasts *pasts_new(double spread, double calls, uint64_t seed)
{
	struct pasts *p = calloc(1, sizeof(*p));

	for (size_t i = 0; i < NODES; i++) {
		p->nodes[i] = (struct odd_past){ .changes = p->changes[i], .count = FUNCTIONS };
		for (size_t k = 0; k < FUNCTIONS; k++) {
			double then = exp(spread * random_normal(&seed));

			p->changes[i][k] = (struct odd_change){
				.function = 0x100 + 2 * k, .calls_now = calls, .calls_then = calls,
				.then = then / 30,
				.now = then / 30 * exp(spread / 5 * random_normal(&seed)),
			};
		}
	}
	return p;
}

/* The node's function takes so many times as much as it would; its other shares give way. */
static void past_plant(struct pasts *p, size_t node, size_t k, double times)
{
	double sum = 0;

	p->changes[node][k].now = p->changes[node][k].then * times;
	for (size_t i = 0; i < FUNCTIONS; i++)
		sum += p->changes[node][i].now;
	for (size_t i = 0; i < FUNCTIONS; i++)
		p->changes[node][i].now /= sum;
}

static size_t changed_count(const struct pasts *p, double least)
{
	size_t n = 0;

	for (size_t i = 0; i < NODES; i++)
		n += fabs(p->nodes[i].found.z) >= least;
	return n;
}

static void nodes_that_go_on_are_like_themselves(void **state)
{
	static const double spreads[] = { 0, 0.05, 0.1, 0.3, 1 };
	double least;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		struct pasts *p = pasts_new(spreads[i % 5], i < 10 ? 1e6 : 300, 100 + i);

		assert_int_equal(odd_find_changed(p->nodes, NODES, &least), 0);
		assert_true(least > 4.9 && least < 5.4);
		assert_int_equal(changed_count(p, least), 0);
		free(p);
	}
}

/*
 * Factors that the comparison with the others cannot see: there the least at 0.1 is 1.8. 1.13 is 6
 * deviations, which the MAD of 200 nodes tells as 4.8 to 7.2.
 */
static void a_planted_change_is_found(void **state)
{
	static const struct { double times; size_t found; } planted[] = {
		{ 1.13, 9 }, { 1.17, 10 }, { 1.3, 10 }, { 4, 10 }, { 0.85, 10 }, { 0.5, 10 },
	};
	double least;

	(void)state;
	for (size_t t = 0; t < COUNT(planted); t++) {
		size_t found = 0;

		for (size_t seed = 0; seed < 10; seed++) {
			struct pasts *p = pasts_new(0.1, 1e6, 1000 + seed);
			size_t node = 13 * seed + 5, k = (7 * seed + t) % FUNCTIONS;
			const struct odd_finding *n = &p->nodes[node].found;
			bool seen;

			past_plant(p, node, k, planted[t].times);
			assert_int_equal(odd_find_changed(p->nodes, NODES, &least), 0);
			seen = fabs(n->z) >= least && n->function == 0x100 + 2 * k;
			assert_int_equal(changed_count(p, least), seen);
			assert_true(!seen || fabs(n->times / planted[t].times - 1) < 0.03);
			found += seen;
			free(p);
		}
		assert_true(found >= planted[t].found);
	}
}

/* All nodes of a fleet may change together, as at night: none is unlike itself. */
static void what_all_do_is_nobodys(void **state)
{
	struct pasts *p = pasts_new(0.1, 1e6, 5);
	double least;

	(void)state;
	for (size_t i = 0; i < NODES; i++)
		p->changes[i][4].now *= 3;
	assert_int_equal(odd_find_changed(p->nodes, NODES, &least), 0);
	assert_int_equal(changed_count(p, least), 0);
	free(p);
}

static void few_calls_prove_no_change(void **state)
{
	struct pasts *p = pasts_new(0, 1e6, 5);
	double least;

	(void)state;
	p->changes[1][1].now *= 2;
	p->changes[1][1].calls_now = 9;
	p->changes[2][1].now *= 2;
	p->changes[2][1].calls_then = 0;
	p->changes[3][1].now = ODD_LEAST / 2;
	p->nodes[4].count = 0;
	assert_int_equal(odd_find_changed(p->nodes, NODES, &least), 0);
	assert_int_equal(changed_count(p, least), 0);
	assert_true(isnan(p->nodes[4].found.z));
	assert_int_equal(odd_find_changed(p->nodes, ODD_NODES - 1, &least), 0);
	assert_true(isnan(p->nodes[1].found.z));
	free(p);
}

/* Two sides of a normal distribution where nodes are many; of few their MAD is not sure. */
static void the_least_follows_how_many_are_judged(void **state)
{
	(void)state;
	assert_true(fabs(odd_changed_least(1, 1e7) - 2.5758) < 1e-3);
	assert_true(fabs(odd_changed_least(0, 1e7) - 2.5758) < 1e-3);
	assert_true(fabs(odd_changed_least(600000, 10000) - 5.67) < 0.02);
	assert_true(odd_changed_least(80, 8) > 30 && odd_changed_least(80, 8) < 100);
	assert_true(odd_changed_least(0, 0) > 60);
}

/* Where two functions are as far off, either is right. */
static void assert_as_found(const struct odd_found *a, uint64_t function, double z, double times)
{
	assert_true(isnan(a->z) == isnan(z));
	if (isnan(z))
		return;
	assert_float_equal(fabs(a->z), fabs(z), 1e-3 * fabs(z) + 1e-9);
	if (0x100 + 2 * (uint64_t)a->function == function)
		assert_float_equal(a->times, times, 1e-6 * times);
}

/* As columns of a node; some functions are not called, some nodes are not there. */
static void a_sweep_finds_the_same(void **state)
{
	static const double spreads[] = { 0, 0.05, 0.3 };

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct fleet *f = fleet_new(spreads[i % 3], i < 3 ? 1e6 : 40, 70 + i);
		size_t nodes = i == 5 ? ODD_NODES - 1 : NODES - i;
		struct odd_sweep *s = odd_sweep_new(FUNCTIONS, nodes);

		for (size_t node = 0; node < nodes; node++) {
			double shares[FUNCTIONS] = { 0 }, calls[FUNCTIONS] = { 0 };

			f->nodes[node].count = FUNCTIONS - node % 4;
			if (node % 7 == 3)
				f->nodes[node].count = 0;
			if (node == 2)
				f->shares[node][7].share = 0.5;
			for (size_t k = 0; k < f->nodes[node].count; k++) {
				shares[k] = f->shares[node][k].share;
				calls[k] = f->shares[node][k].calls;
			}
			assert_int_equal(odd_sweep_add(s, (uint32_t)node, shares, calls), 0);
		}
		assert_int_equal(odd_find(f->nodes, nodes), 0);
		while (odd_sweep_judge(s))
			;
		for (size_t node = 0; node < nodes; node++)
			assert_as_found(&odd_sweep_found(s)[node], f->nodes[node].found.function,
					f->nodes[node].found.z, f->nodes[node].found.times);
		assert_true(i == 5 || fabs(f->nodes[2].found.z) > ODD_Z);
		odd_sweep_free(s);
		free(f);
	}
}

static void a_sweep_finds_the_same_changes(void **state)
{
	double least;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct pasts *p = pasts_new(i ? 0.1 * (double)i : 0, i < 2 ? 1e6 : 300, 30 + i);
		struct odd_sweep *s = odd_sweep_new(FUNCTIONS, NODES);

		past_plant(p, 11, 4, 1.5);
		for (size_t node = 0; node < NODES; node++) {
			double of[4][FUNCTIONS];

			for (size_t k = 0; k < FUNCTIONS; k++) {
				of[0][k] = p->changes[node][k].now;
				of[1][k] = p->changes[node][k].calls_now;
				of[2][k] = p->changes[node][k].then;
				of[3][k] = p->changes[node][k].calls_then;
			}
			assert_int_equal(odd_sweep_add_change(s, (uint32_t)node, of[0], of[1],
							      of[2], of[3]), 0);
		}
		assert_int_equal(odd_find_changed(p->nodes, NODES, &least), 0);
		while (odd_sweep_judge(s))
			;
		for (size_t node = 0; node < NODES; node++)
			assert_as_found(&odd_sweep_found(s)[node], p->nodes[node].found.function,
					p->nodes[node].found.z, p->nodes[node].found.times);
		assert_float_equal(odd_sweep_least(s), least, 1e-9);
		assert_true(i > 1 || fabs(odd_sweep_found(s)[11].z) >= least);
		odd_sweep_free(s);
		free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_that_are_alike_are_not_odd),
		cmocka_unit_test(a_planted_factor_is_found),
		cmocka_unit_test(a_large_part_that_is_odd_does_not_hide_itself),
		cmocka_unit_test(few_calls_prove_nothing),
		cmocka_unit_test(of_few_nodes_nothing_is_told),
		cmocka_unit_test(nodes_that_go_on_are_like_themselves),
		cmocka_unit_test(a_planted_change_is_found),
		cmocka_unit_test(what_all_do_is_nobodys),
		cmocka_unit_test(few_calls_prove_no_change),
		cmocka_unit_test(the_least_follows_how_many_are_judged),
		cmocka_unit_test(a_sweep_finds_the_same),
		cmocka_unit_test(a_sweep_finds_the_same_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
