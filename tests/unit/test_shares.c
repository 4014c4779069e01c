/*
 * shares, worst: how functions' shares are spread over nodes: parts of a fleet make the whole in
 * any order, also by their texts; the median and its deviation of a sketch; a node that is unlike
 * the others is named as odd_find names it; texts that are none.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/collect/shares.h"
#include "core/collect/worst.h"
#include "core/fleet/odd.h"
#include "tests/unit/random_normal.h"

enum { NODES = 101, FUNCTIONS = 12, ODD = 77 };

struct fleet {
	struct build build;
	struct build_function functions[FUNCTIONS];
	struct crowd_cost costs[NODES][FUNCTIONS];
	double sums[NODES];
};

/* Function 3 takes three times as long on node ODD; of function 11 five nodes alone know. */
static struct fleet *fleet_make(double spread)
{
	struct fleet *f = calloc(1, sizeof(*f));
	uint64_t seed = 9;

	f->build.functions = f->functions;
	f->build.function_count = FUNCTIONS;
	for (size_t k = 0; k < FUNCTIONS; k++)
		f->functions[k].address = 0x100 + 0x10 * k;
	for (size_t i = 0; i < NODES; i++)
		for (size_t k = 0; k < FUNCTIONS; k++) {
			struct crowd_cost *c = &f->costs[i][k];

			c->calls = 100000 + (double)i;
			c->self_s = exp(spread * random_normal(&seed)) * (double)(k + 1);
			c->self_s *= i == ODD && k == 3 ? 3 : k == 11 && i % 20 != 3 ? 0 : 1;
			f->sums[i] += c->self_s;
		}
	return f;
}

static void node_add(struct shares *s, const struct fleet *f, size_t i)
{
	shares_add(s, &f->build, f->costs[i], f->sums[i], (uint32_t)(1000 + i));
}

/* By address, whatever came first. */
static void assert_same(const struct shares *a, const struct shares *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct shares_function *x = &a->functions[i];
		const struct shares_function *y = shares_find(b, x->address);
		struct sketch p, q;

		assert_non_null(y);
		assert_int_equal(x->nodes, y->nodes);
		assert_true(x->sum == y->sum);
		assert_int_equal(x->worst_count, y->worst_count);
		for (size_t k = 0; k < x->worst_count; k++) {
			assert_int_equal(x->worst[k].id, y->worst[k].id);
			assert_int_equal(x->worst[k].share, y->worst[k].share);
			assert_true(x->worst[k].calls == y->worst[k].calls);
		}
		shares_sketch(x, &p);
		shares_sketch(y, &q);
		assert_memory_equal(&p, &q, sizeof(p));
	}
}

static struct buf shares_text(const struct shares *s)
{
	static struct out out;
	struct buf text = BUF_INIT;
	struct json_out j = { .out = &out };

	out_open_buf(&out, &text);
	json_begin_object(&j, NULL);
	shares_write(s, &j);
	json_end_object(&j);
	assert_int_equal(out_close(&out, NULL), 0);
	return text;
}

/* Each entry of "functions": what stands in quotes behind the bracket. */
static void text_read(struct shares *s, const struct buf *text)
{
	char *copy = strdup(buf_str(text)), *at = strchr(copy, '[');

	for (char *begin; (begin = strchr(at, '"')) != NULL;) {
		char *end = strchr(++begin, '"');

		*end = '\0';
		assert_true(shares_read(s, begin));
		assert_false(shares_read(s, begin));	/* each once */
		at = end + 1;
	}
	free(copy);
}

static void parts_make_the_whole(void **state)
{
	static const size_t orders[][4] = { { 0, 1, 2, 3 }, { 3, 1, 0, 2 }, { 2, 3, 1, 0 } };
	struct fleet *f = fleet_make(0.1);
	struct shares whole = { NULL }, part[4] = { { NULL } };

	(void)state;
	for (size_t i = 0; i < NODES; i++) {
		node_add(&whole, f, i);
		node_add(&part[i * 7 % 4], f, i);
	}
	assert_int_equal(whole.count, FUNCTIONS);
	assert_int_equal(shares_find(&whole, 0x130)->worst[0].id, 1000 + ODD);
	assert_int_equal(shares_find(&whole, 0x1b0)->nodes, 5);
	for (size_t o = 0; o < COUNT(orders); o++) {
		struct shares sum = { NULL };

		for (size_t i = 0; i < 4; i++) {
			if (o == 1)
				shares_pack(&part[orders[o][i]]);
			shares_merge(&sum, &part[orders[o][i]]);
			if (o == 2)
				shares_pack(&sum);
		}
		assert_same(&sum, &whole);
		shares_release(&sum);
	}
	for (size_t i = 0; i < 4; i++)
		shares_release(&part[i]);
	shares_release(&whole);
	free(f);
}

static void texts_come_back(void **state)
{
	struct fleet *f = fleet_make(0.1);
	struct shares whole = { NULL }, back = { NULL };
	struct buf text;

	(void)state;
	for (size_t i = 0; i < NODES; i++)
		node_add(&whole, f, i);
	shares_pack(&whole);
	text = shares_text(&whole);
	text_read(&back, &text);
	assert_same(&back, &whole);
	shares_merge(&back, &whole);
	assert_int_equal(shares_find(&back, 0x100)->nodes, 2 * NODES);
	/* added up without 1.4 KB for each function: whoever told it may name thousands */
	for (size_t i = 0; i < back.count; i++)
		assert_null(back.functions[i].open);
	assert_true(shares_memory(&back) < back.cap * 500 + 4096);
	buf_release(&text);
	shares_release(&back);
	shares_release(&whole);
	free(f);
}

static void texts_that_are_none(void **state)
{
	static const struct {
		const char *text;
		bool good;
	} rows[] = {
		{ "3f0 1 5 0101b10201 2a/351234567/1200", true },
		{ "3f0 2 5 0101b10202 2a/351234567/1200 2b/1/1", true },
		{ "", false }, { "3f0", false }, { "3f0 1 5", false },
		{ "3f0 1 5 0101b10201", false },
		{ "3f0 1 5 0101b10201 ", false },
		{ "3f0 2 5 0101b10201 2a/1/1", false },		/* nodes that its sketch has not */
		{ "3f0 0 0 0100 2a/1/1", false },
		/* more than all of a node */
		{ "3f0 1 1000000001 0101b10201 2a/1/1", false },
		{ "3f0 1 5 0101b10201 2a/1000000001/1", false },
		{ "3f0 1 5 0101b102010 2a/1/1", false }, { "3f0 1 5 0101b1020100 2a/1/1", false },
		{ "3f0 1 5 0201b10201 2a/1/1", false }, { "3f0 1 5 zz 2a/1/1", false },
		{ "3f0 1 5 0101b10201 2a/1/1 2b/1/1", false },	/* more than nodes */
		{ "3f0 4 5 0101b10204 1/1/1 2/1/1 3/1/1 4/1/1", false },
		{ "3f0 1 5 0101b10201 2a/1/", false }, { "3f0 1 5 0101b10201 2a/1", false },
		{ "-1 1 5 0101b10201 2a/1/1", false }, { "3F0 1 5 0101b10201 2a/1/1", false },
		{ "3f0 4294967296 5 0101b10201 2a/1/1", false },
		{ "3f0 1 5 0101b10201 100000000/1/1", false },
		{ "3f0 1 5 0101b10201 2a/1/9223372036854775808", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct shares s = { NULL };

		if (shares_read(&s, rows[i].text) != rows[i].good)
			fail_msg("\"%s\"", rows[i].text);
		assert_int_equal(s.count, rows[i].good);
		shares_release(&s);
	}
}

static void without_memory_nodes_are_left_out(void **state)
{
	struct fleet *f = fleet_make(0.1);

	(void)state;
	for (long n = 0; n < 40; n++) {
		struct shares s = { NULL }, to = { NULL };

		mem_fail_after(n);
		node_add(&s, f, 0);
		node_add(&s, f, 1);
		shares_pack(&s);
		shares_merge(&to, &s);
		mem_fail_after(-1);
		for (size_t i = 0; i < to.count; i++) {
			struct sketch sketch;

			shares_sketch(&to.functions[i], &sketch);
			assert_int_equal(sketch_count(&sketch), to.functions[i].nodes);
		}
		shares_release(&s);
		shares_release(&to);
	}
	free(f);
}

static int number_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of values that lie close, far apart, and in one bucket: to a part of a bucket's width. */
static void a_sketch_knows_its_spread(void **state)
{
	static const double spreads[] = { 0.001, 0.02, 0.05, 0.1, 0.3, 1 };
	static double values[1001];
	static const struct sketch none;
	uint64_t seed = 5;

	(void)state;
	for (size_t i = 0; i < COUNT(spreads); i++) {
		struct sketch s = { { 0 } };
		double median, deviation, exact;

		sketch_add(&s, 1e-5);		/* of no interest */
		for (size_t k = 0; k < COUNT(values); k++) {
			values[k] = log(0.02) + spreads[i] * random_normal(&seed);
			sketch_add(&s, exp(values[k]));
		}
		if (i < 5)
			assert_int_equal(sketch_spread(&s, 1e-3, &median, &deviation),
					 COUNT(values));
		else
			assert_true(sketch_spread(&s, 1e-6, &median, &deviation) > 1000);
		qsort(values, COUNT(values), sizeof(*values), number_compare);
		exact = values[COUNT(values) / 2];
		assert_true(fabs(median - exact) < 0.02);
		for (size_t k = 0; k < COUNT(values); k++)
			values[k] = fabs(values[k] - exact);
		qsort(values, COUNT(values), sizeof(*values), number_compare);
		assert_true(fabs(deviation - values[COUNT(values) / 2]) < 0.012);
	}
	assert_int_equal(sketch_spread(&none, 0, &(double){ 0 }, &(double){ 0 }), 0);
}

/* The same z as where all shares are known, to 15 %: the sketch has buckets of 4 %. */
static void who_is_odd_is_named(void **state)
{
	static struct odd_share shares[NODES][FUNCTIONS];
	static struct odd_node nodes[NODES];
	struct fleet *f = fleet_make(0.1);
	struct profile_function functions[FUNCTIONS + 1] = { { .name = "f" } };
	struct profile profile = { .functions = functions, .function_count = FUNCTIONS };
	struct sum_part part = { .nodes = NODES };
	struct output_part p = { .part = &part, .profile = &profile };
	struct worst_node worst[WORST_NODES];

	(void)state;
	for (size_t k = 0; k < FUNCTIONS; k++)
		functions[k].address = f->functions[k].address;
	for (size_t i = 0; i < NODES; i++) {
		node_add(&part.shares, f, i);
		nodes[i] = (struct odd_node){ .shares = shares[i] };
		for (size_t k = 0; k < FUNCTIONS; k++)
			if (f->costs[i][k].self_s > 0)
				shares[i][nodes[i].count++] = (struct odd_share){
					f->functions[k].address,
					f->costs[i][k].self_s / f->sums[i], f->costs[i][k].calls,
				};
	}
	assert_int_equal(odd_find(nodes, NODES), 0);
	assert_int_equal(worst_find(&p, worst), 1);
	assert_int_equal(worst[0].node->id, 1000 + ODD);
	assert_true(worst[0].function == &functions[3]);
	assert_true(nodes[ODD].found.function == 0x130);
	assert_true(fabs(worst[0].z / nodes[ODD].found.z - 1) < 0.15);
	assert_true(fabs(worst[0].times / nodes[ODD].found.times - 1) < 0.02);
	shares_release(&part.shares);
	free(f);
}

/* Of many that are off the farthest, each once, by the function where it is farthest. */
static void the_worst_are_few(void **state)
{
	struct fleet *f = fleet_make(0.01);
	struct profile_function functions[FUNCTIONS] = { { .name = "f" } };
	struct profile profile = { .functions = functions, .function_count = FUNCTIONS };
	struct sum_part part = { .nodes = NODES };
	struct output_part p = { .part = &part, .profile = &profile };
	struct worst_node worst[WORST_NODES];

	(void)state;
	for (size_t k = 0; k < FUNCTIONS; k++)
		functions[k].address = f->functions[k].address;
	f->costs[ODD][3].self_s /= 3;
	f->costs[50][2].self_s *= 2;
	f->costs[50][4].self_s *= 30;
	f->costs[50][6].self_s *= 3;
	for (size_t i = 10; i < 17; i++)
		f->costs[i][i - 9].self_s *= 3 + (double)i / 5;
	for (size_t i = 0; i < NODES; i++) {
		f->sums[i] = 0;
		for (size_t k = 0; k < FUNCTIONS; k++)
			f->sums[i] += f->costs[i][k].self_s;
		node_add(&part.shares, f, i);
	}
	assert_int_equal(worst_find(&p, worst), WORST_NODES);
	for (size_t i = 0; i < WORST_NODES; i++) {
		assert_true(worst[i].z >= (i ? ODD_Z : 2 * ODD_Z));
		assert_true(i == 0 || worst[i].z <= worst[i - 1].z);
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(worst[i].node->id, worst[k].node->id);
	}
	assert_int_equal(worst[0].node->id, 1050);
	assert_true(worst[0].function == &functions[4]);
	shares_release(&part.shares);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_make_the_whole),
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(texts_that_are_none),
		cmocka_unit_test(without_memory_nodes_are_left_out),
		cmocka_unit_test(a_sketch_knows_its_spread),
		cmocka_unit_test(who_is_odd_is_named),
		cmocka_unit_test(the_worst_are_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
