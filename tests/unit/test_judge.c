/*
 * judge: a crowd's nodes against their own past, and a build against the one before: what is
 * planted in one function, or one node, is found there by its name, and nowhere else.
 */
#include "tests/unit/image_made.h"
#include "tests/unit/random_normal.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/fleet/census.h"
#include "core/fleet/judge.h"

enum { NODES = 40, FUNCTIONS = 10, SIZE = 64, TEXT_A = 0x1000, TEXT_B = 0x2000 };

struct fleet {
	struct image *images[2];
	struct crowd *crowd;
	double cost[NODES][FUNCTIONS];	/* ticks a call, which the node keeps */
	struct wire_total totals[NODES][FUNCTIONS];
	uint64_t run[NODES];
	uint64_t seed;
};

/* main, then f0 to f9; only in `extra` a function more. */
static struct image *image_of(uint32_t text, bool extra)
{
	static char dir[32];
	char source[2000] = ".text\n.globl main\n", flags[40];
	size_t n = strlen(source);

	n += (size_t)sprintf(source + n, ".type main,@function\nmain: .skip 64,0x90\n"
			     ".size main,64\n");
	for (int i = 0; i < FUNCTIONS; i++)
		n += (size_t)sprintf(source + n, ".type f%d,@function\nf%d: .skip 64,0x90\n"
				     ".size f%d,64\n", i, i, i);
	if (extra)
		sprintf(source + n, ".type more,@function\nmore: .skip 64,0x90\n.size more,64\n");
	sprintf(flags, "-Wl,-Ttext=%#x", text);
	return unit_image(dir, source, flags);
}

static const struct image *image_given(void *ctx, const struct wire_identity *identity)
{
	struct fleet *f = ctx;

	return identity->a <= 2 ? f->images[identity->a - 1] : NULL;
}

static struct fleet *fleet_new(double spread)
{
	struct fleet *f = calloc(1, sizeof(*f));
	const struct crowd_limits limits = { .image = image_given, .ctx = f };

	f->images[0] = image_of(TEXT_A, false);
	f->images[1] = image_of(TEXT_B, true);
	f->crowd = crowd_new(&limits);
	f->seed = 5;
	for (size_t i = 0; i < NODES; i++)
		for (size_t k = 0; k < FUNCTIONS; k++)
			f->cost[i][k] = 1000 * (1 + (double)k) * exp(spread *
								     random_normal(&f->seed));
	return f;
}

static void fleet_free(struct fleet *f)
{
	crowd_free(f->crowd);
	image_free(f->images[0]);
	image_free(f->images[1]);
	free(f);
}

static enum crowd_result node_feed(struct fleet *f, size_t i, unsigned build, uint16_t epoch)
{
	const struct wire_hello hello = {
		.name = "", .ticks_per_second = 1000000, .id = (uint32_t)i, .epoch = epoch,
		.identity = { .kind = WIRE_IDENTITY_SUM, .a = (uint16_t)build },
	};
	const struct wire_status status = { .run = f->run[i] };
	const struct crowd_model model = { &hello, &status, f->totals[i], FUNCTIONS };
	const struct crowd_heard heard = { .place = "p", .id = (uint32_t)i };

	return crowd_feed_model(f->crowd, &heard, &model);
}

/* A million calls of each function; `dearer` takes so many times as long; all move by `moves`. */
static void node_work(struct fleet *f, size_t i, uint32_t text, double moves, size_t dearer,
		      double times)
{
	for (size_t k = 0; k < FUNCTIONS; k++) {
		struct wire_total *t = &f->totals[i][k];
		double ticks = 1e6 * f->cost[i][k] * exp(moves * random_normal(&f->seed));

		*t = (struct wire_total){
			.kind = TOTAL_SITE, .from = text + 8, .has = TOTAL_TIMED,
			.to = text + SIZE * (uint32_t)(k + 1), .calls = t->calls + 1000000,
			.total = t->total + (uint64_t)(k == dearer ? ticks * times : ticks),
		};
		f->run[i] += (uint64_t)ticks;
	}
}

static void node_reset(struct fleet *f, size_t i)
{
	memset(f->totals[i], 0, sizeof(f->totals[i]));
	f->run[i] = 0;
}

static void nodes_with_a(struct fleet *f)
{
	for (size_t i = 0; i < NODES; i++) {
		node_work(f, i, TEXT_A, 0.01, FUNCTIONS, 1);
		assert_int_equal(node_feed(f, i, 1, 1), CROWD_TAKEN);
	}
}

static const struct judge_row *row_of(const struct judge_rollout *j, const char *name)
{
	for (size_t i = 0; i < j->count; i++)
		if (strcmp(j->rows[i].name, name) == 0)
			return &j->rows[i];
	fail_msg("no row of %s", name);
	return NULL;
}

/* All pieces of a comparison. */
static int rollout_whole(const struct crowd *c, uint32_t a, uint32_t b, struct judge_rollout *j)
{
	struct judge_compare *s;
	int ret = judge_compare_new(&s, c, a, b);
	enum judge_state at = JUDGE_GONE;

	*j = (struct judge_rollout){ NULL };
	while (ret == 0 && (at = judge_compare_step(s)) == JUDGE_GOES_ON)
		;
	if (at == JUDGE_DONE)
		judge_compare_give(s, j);
	judge_compare_free(s);
	return ret == 0 && at == JUDGE_GONE ? ERR_NOMEM : ret;
}

static void the_same_nodes_tell_what_is_dearer(void **state)
{
	struct fleet *f = fleet_new(0.2);
	struct judge_rollout j;

	(void)state;
	nodes_with_a(f);
	assert_int_equal(judge_build_before(f->crowd, 0), CROWD_NONE);
	for (size_t i = 0; i < 12; i++) {
		node_reset(f, i);
		node_work(f, i, TEXT_B, 0.01, 4, 1.05);
		assert_int_equal(node_feed(f, i, 2, 2), CROWD_TAKEN);
	}
	assert_int_equal(judge_build_before(f->crowd, 1), 0);
	assert_int_equal(rollout_whole(f->crowd, 0, 1, &j), 0);
	assert_int_equal(j.a, NODES);
	assert_int_equal(j.b, 12);
	assert_int_equal(j.both, 12);
	assert_true(j.count >= FUNCTIONS);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		char name[8];
		const struct judge_row *r;

		snprintf(name, sizeof(name), "f%zu", i);
		r = row_of(&j, name);
		assert_true(r->verdict.paired);
		assert_int_equal(r->verdict.b, 12);
		assert_int_equal(r->verdict.kind == ROLLOUT_DEARER, i == 4);
		assert_int_not_equal(r->verdict.kind, ROLLOUT_CHEAPER);
		assert_true(fabs(r->a - (1 + (double)i) / 55) < 0.02);
	}
	assert_true(row_of(&j, "f4")->verdict.low < 1.05 && row_of(&j, "f4")->verdict.high > 1.05);
	for (size_t i = 1; i < FUNCTIONS; i++)
		assert_true(j.rows[i - 1].b >= j.rows[i].b);
	judge_rollout_release(&j);
	/* The other way around there are no nodes with both. */
	assert_int_equal(rollout_whole(f->crowd, 1, 0, &j), 0);
	assert_int_equal(j.both, 0);
	assert_false(row_of(&j, "f4")->verdict.paired);
	assert_int_equal(row_of(&j, "f4")->verdict.kind, ROLLOUT_UNSURE);
	judge_rollout_release(&j);
	fleet_free(f);
}

/* A function that is new, or another name: from the beginning. */
static void what_changes_meanwhile_begins_again(void **state)
{
	struct fleet *f = fleet_new(0.1);
	struct judge_compare *s;

	(void)state;
	nodes_with_a(f);
	node_reset(f, 3);
	node_work(f, 3, TEXT_B, 0, FUNCTIONS, 1);
	node_feed(f, 3, 2, 2);
	assert_int_equal(judge_compare_new(&s, f->crowd, 0, 1), 0);
	assert_int_equal(judge_compare_step(s), JUDGE_GOES_ON);
	f->totals[3][0].to = TEXT_B + SIZE * (FUNCTIONS + 1);
	f->totals[3][0].calls += 9;
	f->run[3]++;
	assert_int_equal(node_feed(f, 3, 2, 2), CROWD_TAKEN);
	assert_int_equal(judge_compare_step(s), JUDGE_GONE);
	judge_compare_free(s);
	assert_int_equal(judge_compare_new(&s, f->crowd, 0, 1), 0);
	crowd_rename(f->crowd);
	assert_int_equal(judge_compare_step(s), JUDGE_GONE);
	judge_compare_free(s);
	fleet_free(f);
}

static void without_an_image_nothing_is_compared(void **state)
{
	struct fleet *f = fleet_new(0.1);
	struct judge_rollout j;

	(void)state;
	nodes_with_a(f);
	assert_int_equal(node_feed(f, 3, 3, 2), CROWD_TAKEN);
	assert_int_equal(rollout_whole(f->crowd, 0, 1, &j), ERR_ABSENT);
	judge_rollout_release(&j);
	fleet_free(f);
}

static void one_node_is_unlike_itself(void **state)
{
	struct fleet *f = fleet_new(0.2);
	struct judge_past found[NODES] = { { 0 } };

	(void)state;
	nodes_with_a(f);
	assert_int_equal(judge_pasts(f->crowd, 0, found), 0);	/* nothing was before */
	for (size_t i = 0; i < NODES; i++)
		assert_true(found[i].function == BUILD_NONE && !found[i].odd);
	for (size_t i = 0; i < NODES; i++) {
		node_work(f, i, TEXT_A, 0.01, i == 7 ? 6 : FUNCTIONS, 1.4);
		assert_int_equal(node_feed(f, i, 1, 1), CROWD_TAKEN);
	}
	assert_int_equal(judge_pasts(f->crowd, 0, found), 0);
	for (size_t i = 0; i < NODES; i++)
		assert_int_equal(found[i].odd, i == 7);
	assert_string_equal(crowd_build(f->crowd, 0)->functions[found[7].function].name, "f6");
	assert_true(found[7].times > 1.3 && found[7].times < 1.5);
	fleet_free(f);
}

/* Piece by piece the same is told; not when functions got other numbers meanwhile. */
static void a_sweep_tells_the_same(void **state)
{
	struct fleet *f = fleet_new(0.2);
	struct judge_past found[NODES] = { { 0 } }, swept[NODES] = { { 0 } };
	struct judge_sweep *s;
	enum judge_state at;

	(void)state;
	nodes_with_a(f);
	for (size_t i = 0; i < NODES; i++) {
		node_work(f, i, TEXT_A, 0.01, i == 7 ? 6 : FUNCTIONS, 1.4);
		node_feed(f, i, 1, 1);
	}
	assert_int_equal(judge_pasts(f->crowd, 0, found), 0);
	s = judge_sweep_new(f->crowd, 0, JUDGE_ITSELF);
	while ((at = judge_sweep_step(s)) == JUDGE_GOES_ON)
		;
	assert_int_equal(at, JUDGE_DONE);
	judge_sweep_give(s, swept);
	judge_sweep_free(s);
	for (size_t i = 0; i < NODES; i++) {
		assert_int_equal(swept[i].odd, i == 7);
		assert_float_equal(fabs(swept[i].z), fabs(found[i].z), 0.01 * fabs(found[i].z));
	}
	assert_int_equal(swept[7].function, found[7].function);
	s = judge_sweep_new(f->crowd, 0, JUDGE_OTHERS);
	assert_int_equal(judge_sweep_step(s), JUDGE_GOES_ON);
	crowd_rename(f->crowd);
	assert_int_equal(judge_sweep_step(s), JUDGE_GONE);
	judge_sweep_free(s);
	for (long n = 0; n < 8; n++) {
		mem_fail_after(n);
		s = judge_sweep_new(f->crowd, 0, JUDGE_OTHERS);
		mem_fail_after(-1);
		assert_null(s);
	}
	fleet_free(f);
}

/* Those of one build alone. */
static void a_census_is_of_a_builds_nodes(void **state)
{
	struct fleet *f = fleet_new(0.1);
	struct census a = { NULL }, b = { NULL };

	(void)state;
	nodes_with_a(f);
	for (size_t i = 0; i < 12; i++) {
		node_reset(f, i);
		node_work(f, i, TEXT_B, 0, FUNCTIONS, 1);
		node_feed(f, i, 2, 2);
	}
	assert_int_equal(census_crowd(&a, f->crowd, 0, CROWD_LAST), 0);
	assert_int_equal(census_crowd(&b, f->crowd, 1, CROWD_LAST), 0);
	assert_int_equal(a.nodes, NODES - 12);
	assert_int_equal(b.nodes, 12);
	assert_int_equal(census_find(&a, TEXT_A + SIZE)->calls, (NODES - 12) * 1000000);
	assert_int_equal(census_find(&b, TEXT_B + SIZE)->calls, 12 * 1000000);
	assert_null(census_find(&b, TEXT_A + SIZE));
	mem_fail_after(0);
	assert_int_equal(census_crowd(&a, f->crowd, 0, CROWD_LAST), ERR_NOMEM);
	mem_fail_after(-1);
	census_release(&a);
	census_release(&b);
	fleet_free(f);
}

static void without_memory_it_is_said(void **state)
{
	struct fleet *f = fleet_new(0.1);
	struct judge_past found[NODES];
	unsigned failed = 0;

	(void)state;
	nodes_with_a(f);
	for (size_t i = 0; i < 12; i++) {
		node_reset(f, i);
		node_work(f, i, TEXT_B, 0.01, 4, 1.05);
		node_feed(f, i, 2, 2);
	}
	crowd_build(f->crowd, 0);
	crowd_build(f->crowd, 1);
	for (long n = 0; n < 60; n++) {
		struct judge_rollout j;

		mem_fail_after(n);
		failed += rollout_whole(f->crowd, 0, 1, &j) == ERR_NOMEM;
		mem_fail_after(n % 8);
		failed += judge_pasts(f->crowd, 0, found) == ERR_NOMEM;
		mem_fail_after(-1);
		judge_rollout_release(&j);
	}
	assert_in_range(failed, 20, 119);
	fleet_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_nodes_tell_what_is_dearer),
		cmocka_unit_test(what_changes_meanwhile_begins_again),
		cmocka_unit_test(without_an_image_nothing_is_compared),
		cmocka_unit_test(one_node_is_unlike_itself),
		cmocka_unit_test(a_sweep_tells_the_same),
		cmocka_unit_test(a_census_is_of_a_builds_nodes),
		cmocka_unit_test(without_memory_it_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
