/*
 * rollout, chance: a build against the one before. Few nodes find 5 %; what is no difference is
 * told as one no more often than is stated; the quantiles are those of the printed tables.
 */
#include "tests/unit/random_normal.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "core/fleet/chance.h"
#include "core/fleet/rollout.h"

enum { NODES = 80, FUNCTIONS = 30, TRIALS = 1000 };

/* --- chance ----------------------------------------------------------------------------------- */

/* Abramowitz, Stegun 1964, table 26.10, and computed to more digits. */
static void quantiles_are_those_of_the_tables(void **state)
{
	static const struct { double p, freedom, at; } rows[] = {
		{ 0.05, 1, 12.706204736432095 }, { 0.05, 2, 4.302652729911275 },
		{ 0.05, 9, 2.2621571627409915 }, { 0.01, 4, 4.604094871415897 },
		{ 0.001, 29, 3.659405019466333 }, { 0.5, 1, 1 },
		{ 0.1, 120, 1.6576508993552355 }, { 0.05, 1e6, 1.9599662 },
	};
	static const struct { double p, at; } normal[] = {
		{ 0.05, 1.959963984540054 }, { 0.01, 2.5758293035489004 },
		{ 0.3173105078629141, 1 }, { 1.973175290075396e-09, 6 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double at = chance_student_at(rows[i].p, rows[i].freedom);

		assert_true(fabs(at / rows[i].at - 1) < 1e-6);
		assert_true(fabs(chance_student(at, rows[i].freedom) / rows[i].p - 1) < 1e-9);
	}
	for (size_t i = 0; i < COUNT(normal); i++)
		assert_true(fabs(chance_normal_at(normal[i].p) / normal[i].at - 1) < 1e-9);
}

/* In closed form: 1 and 2 degrees of freedom, the beta function of whole numbers, its symmetry. */
static void the_beta_function_is_exact(void **state)
{
	(void)state;
	for (double t = 0.01; t < 1e4; t *= 1.7) {
		double one = 1 - 2 / M_PI * atan(t), two = 1 - t / sqrt(2 + t * t);

		assert_true(fabs(chance_student(t, 1) - one) < 1e-12 + 1e-9 * one);
		assert_true(fabs(chance_student(t, 2) - two) < 1e-12 + 1e-9 * two);
	}
	for (double x = 0.05; x < 1; x += 0.1) {
		assert_true(fabs(chance_beta(1, 1, x) - x) < 1e-14);
		assert_true(fabs(chance_beta(3, 2, x) - (4 * pow(x, 3) - 3 * pow(x, 4))) < 1e-14);
		assert_true(fabs(chance_beta(2.5, 7.5, x) + chance_beta(7.5, 2.5, 1 - x) - 1) <
			    1e-13);
	}
	assert_true(chance_beta(2, 3, 0) == 0 && chance_beta(2, 3, 1) == 1);
}

/* --- fleets ----------------------------------------------------------------------------------- */

struct shares {
	struct odd_share of[2][NODES][FUNCTIONS];
	struct rollout_node nodes[NODES];
};

/* Shares that sum to 1: what grows pushes the others. */
static void table_make(struct odd_share *s, const double *cost, uint64_t *seed, double moves,
		       size_t dearer, double times)
{
	double sum = 0;

	for (size_t f = 0; f < FUNCTIONS; f++) {
		s[f] = (struct odd_share){
			.function = 100 + f, .calls = 1e6,
			.share = cost[f] * exp(moves * random_normal(seed)),
		};
		s[f].share *= f == dearer ? times : 1;
		sum += s[f].share;
	}
	for (size_t f = 0; f < FUNCTIONS; f++)
		s[f].share /= sum;
}

/*
 * The first `paired` nodes have both builds, the next a A alone, the next b B alone. Nodes differ
 * by `spread` for good, and what a node does now from what it did by a fifth of that.
 */
static size_t fleet_make(struct shares *s, size_t paired, size_t a, size_t b, double spread,
			 size_t dearer, double times, uint64_t seed)
{
	for (size_t i = 0; i < paired + a + b; i++) {
		double cost[FUNCTIONS];

		for (size_t f = 0; f < FUNCTIONS; f++)
			cost[f] = (1 + f % 5) * exp(spread * random_normal(&seed));
		table_make(s->of[0][i], cost, &seed, 0, FUNCTIONS, 1);
		table_make(s->of[1][i], cost, &seed, spread / 5, dearer, times);
		s->nodes[i] = (struct rollout_node){
			.a = s->of[0][i], .a_count = i < paired + a ? FUNCTIONS : 0,
			.b = s->of[1][i], .b_count = i < paired || i >= paired + a ? FUNCTIONS : 0,
		};
	}
	return paired + a + b;
}

/* Of functions from `first` on. */
static void nodes_judge(const struct rollout_node *nodes, size_t n, size_t first,
			struct rollout_verdict v[FUNCTIONS])
{
	struct rollout *r = rollout_new(first + FUNCTIONS);
	size_t steps = 0;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(rollout_add(r, &nodes[i]), 0);
	while (rollout_step(r))
		steps++;
	assert_true(steps >= 2 * n + FUNCTIONS);	/* a node, or a function, each */
	memcpy(v, rollout_verdicts(r) + first, FUNCTIONS * sizeof(*v));
	rollout_free(r);
}

/* Trials in which the dearer function is found; *wrong: in which another verdict is false. */
static unsigned trials_run(unsigned trials, size_t paired, size_t a, size_t b, double spread,
			   double times, unsigned *wrong)
{
	struct shares *s = calloc(1, sizeof(*s));
	struct rollout_verdict v[FUNCTIONS];
	unsigned found = 0;

	*wrong = 0;
	for (unsigned i = 0; i < trials; i++) {
		size_t dearer = times == 1 ? FUNCTIONS : i % FUNCTIONS;
		size_t n = fleet_make(s, paired, a, b, spread, dearer, times,
				      i + 1000 * paired + 7);
		bool false_one = false;

		nodes_judge(s->nodes, n, 100, v);
		for (size_t f = 0; f < FUNCTIONS; f++) {
			assert_int_equal(v[f].paired, paired >= ROLLOUT_PAIRS);
			if (f == dearer)
				found += v[f].kind == (times > 1 ? ROLLOUT_DEARER :
								   ROLLOUT_CHEAPER);
			else
				false_one |= v[f].kind == ROLLOUT_DEARER ||
					     v[f].kind == ROLLOUT_CHEAPER;
		}
		*wrong += false_one;
	}
	free(s);
	return found;
}

static void the_same_nodes_find_5_percent(void **state)
{
	static const struct { size_t nodes; double spread; unsigned least; } rows[] = {
		{ 10, 0.1, 95 }, { 10, 0.12, 80 }, { 20, 0.17, 95 }, { 30, 0.2, 98 },
	};
	unsigned wrong;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned up = trials_run(100, rows[i].nodes, 0, 0, rows[i].spread, 1.05, &wrong);
		unsigned down = trials_run(100, rows[i].nodes, 0, 0, rows[i].spread, 0.95, &wrong);

		assert_true(up >= rows[i].least);
		assert_true(down >= rows[i].least);
	}
}

/* Groups of other nodes need many, as their spread counts. */
static void other_nodes_find_what_is_large(void **state)
{
	unsigned wrong;

	(void)state;
	assert_true(trials_run(50, 0, 40, 40, 0.05, 1.1, &wrong) >= 48);
	assert_true(trials_run(50, 2, 40, 10, 0.1, 1.3, &wrong) >= 45);
	assert_true(trials_run(50, 0, 10, 10, 0.1, 1.02, &wrong) <= 3);
}

/*
 * No difference: in at most one of 20 comparisons something is told. Of 1,000 that is 50, and by
 * chance up to 20 more (3 deviations of a binomial).
 */
static void no_difference_is_none(void **state)
{
	static const struct { size_t paired, a, b; } rows[] = {
		{ 10, 0, 0 }, { 30, 0, 0 }, { 0, 10, 10 },
	};
	unsigned wrong;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		trials_run(TRIALS, rows[i].paired, rows[i].a, rows[i].b, 0.15, 1, &wrong);
		assert_true(wrong <= TRIALS * ROLLOUT_FALSE + 20);
	}
}

/* What one function takes more, the others have less of: that is no verdict on them. */
static void what_is_pushed_aside_is_no_cheaper(void **state)
{
	unsigned wrong;

	(void)state;
	assert_int_equal(trials_run(100, 20, 0, 0, 0.1, 4, &wrong), 100);
	assert_true(wrong <= 10);
}

static void the_interval_holds_the_truth(void **state)
{
	struct shares *s = calloc(1, sizeof(*s));
	struct rollout_verdict v[FUNCTIONS];
	size_t n = fleet_make(s, 60, 0, 0, 0.05, 7, 1.05, 5);

	(void)state;
	nodes_judge(s->nodes, n, 100, v);
	assert_true(v[7].low < 1.05 && v[7].high > 1.05 && v[7].high - v[7].low < 0.03);
	assert_true(v[7].low < v[7].times && v[7].times < v[7].high);
	assert_int_equal(v[7].a, 60);
	for (size_t f = 0; f < FUNCTIONS; f++)
		assert_int_equal(v[f].kind, f == 7 ? ROLLOUT_DEARER : ROLLOUT_ALIKE);
	free(s);
}

/* Computed from the formulas: three nodes with both, five functions of which one changed. */
static void the_intervals_are_those_of_the_formulas(void **state)
{
	enum { FEW = 5 };
	static const double change[3] = { 0.1, 0.2, 0.3 };
	struct shares *s = calloc(1, sizeof(*s));
	struct rollout_verdict v[FUNCTIONS];
	double wide = chance_student_at(0.05 / FEW, 2) * 0.1 / sqrt(3), a[12], b[10];
	double mean[2] = { 0 }, of[2] = { 0 }, freedom;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (size_t f = 0; f < FEW; f++) {
			s->of[0][i][f] = (struct odd_share){ f, 0.1, 1000 };
			s->of[1][i][f] = (struct odd_share){
				f, 0.1 * (f == 2 ? exp(change[i]) : 1), 1000,
			};
			s->nodes[i] = (struct rollout_node){ s->of[0][i], s->of[1][i], FEW, FEW };
		}
	nodes_judge(s->nodes, 3, 0, v);
	assert_true(fabs(log(v[2].times) - 0.2) < 1e-12);
	assert_true(fabs(log(v[2].low) - 0.2 + wide) < 1e-9);
	assert_true(fabs(log(v[2].high) - 0.2 - wide) < 1e-9);

	/* Others: 12 of A, 10 of B. */
	for (size_t i = 0; i < 22; i++)
		for (size_t f = 0; f < FEW; f++) {
			double ln = i < 12 ? 0.01 * (double)(i % 4) : 0.05 * (double)(i % 3) + 0.3;

			*(i < 12 ? &a[i] : &b[i - 12]) = ln;
			s->of[0][i][f] = (struct odd_share){ f, 0.1 * (f == 2 ? exp(ln) : 1), 9 };
			s->nodes[i] = (struct rollout_node){
				s->of[0][i], s->of[0][i], i < 12 ? FEW : 0, i < 12 ? 0 : FEW,
			};
		}
	for (size_t i = 0; i < 22; i++)
		mean[i >= 12] += i < 12 ? a[i] / 12 : b[i - 12] / 10;
	for (size_t i = 0; i < 22; i++)
		of[i >= 12] += i < 12 ? pow(a[i] - mean[0], 2) / 11 / 12 :
					pow(b[i - 12] - mean[1], 2) / 9 / 10;
	freedom = pow(of[0] + of[1], 2) / (of[0] * of[0] / 11 + of[1] * of[1] / 9);
	wide = chance_student_at(0.05 / FEW, freedom) * sqrt(of[0] + of[1]);
	nodes_judge(s->nodes, 22, 0, v);
	assert_int_equal(v[2].a, 12);
	assert_int_equal(v[2].b, 10);
	assert_true(fabs(log(v[2].times) - (mean[1] - mean[0])) < 1e-12);
	assert_true(fabs(log(v[2].low) - (mean[1] - mean[0]) + wide) < 1e-9);
	assert_true(fabs(log(v[2].high) - (mean[1] - mean[0]) - wide) < 1e-9);
	free(s);
}

static void few_nodes_are_unsure(void **state)
{
	struct shares *s = calloc(1, sizeof(*s));
	struct rollout_verdict v[FUNCTIONS];
	static const struct { size_t paired, a, b; } rows[] = {
		{ 1, 0, 0 }, { 2, 0, 0 }, { 0, 9, 40 }, { 0, 40, 9 }, { 2, 40, 7 }, { 0, 40, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = fleet_make(s, rows[i].paired, rows[i].a, rows[i].b, 0.01, 3, 9, 5);

		nodes_judge(s->nodes, n, 100, v);
		for (size_t f = 0; f < FUNCTIONS; f++) {
			assert_int_equal(v[f].kind, ROLLOUT_UNSURE);
			assert_true(isnan(v[f].times));
		}
	}
	nodes_judge(s->nodes, 0, 100, v);
	assert_int_equal(v[0].kind, ROLLOUT_UNSURE);
	/* one build alone has it */
	s->nodes[0] = (struct rollout_node){ .a = s->of[0][0], .a_count = 0 };
	for (size_t i = 0; i < 12; i++)
		s->nodes[i] = (struct rollout_node){
			.a = s->of[0][i], .a_count = FUNCTIONS - 1,
			.b = s->of[0][i], .b_count = FUNCTIONS,
		};
	nodes_judge(s->nodes, 12, 100, v);
	assert_int_equal(v[FUNCTIONS - 1].kind, ROLLOUT_UNSURE);
	assert_int_equal(v[0].kind, ROLLOUT_ALIKE);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_the_tables),
		cmocka_unit_test(the_beta_function_is_exact),
		cmocka_unit_test(the_same_nodes_find_5_percent),
		cmocka_unit_test(other_nodes_find_what_is_large),
		cmocka_unit_test(no_difference_is_none),
		cmocka_unit_test(what_is_pushed_aside_is_no_cheaper),
		cmocka_unit_test(the_interval_holds_the_truth),
		cmocka_unit_test(the_intervals_are_those_of_the_formulas),
		cmocka_unit_test(few_nodes_are_unsure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
