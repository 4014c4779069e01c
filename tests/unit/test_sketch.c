/*
 * sketch, census: quantiles to 2 %, parts that merge bit for bit, bytes that come back or are
 * refused; functions over nodes.
 */
#include "tests/unit/random_normal.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/fleet/census.h"

enum { VALUES = 10000 };

static int number_order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void values_make(double *values, double center, double spread, uint64_t seed)
{
	for (size_t i = 0; i < VALUES; i++)
		values[i] = center * exp(spread * random_normal(&seed));
}

static void quantiles_are_within_2_percent(void **state)
{
	static const struct { double center, spread; } made[] = {
		{ 0.2, 0.1 }, { 0.01, 1 }, { 2e-5, 0.3 }, { 0.9, 0.02 }, { 1e-3, 2 },
	};
	static const double q[] = { 0, 0.01, 0.5, 0.9, 0.99, 1 };
	static double values[VALUES];

	(void)state;
	for (size_t m = 0; m < COUNT(made); m++) {
		struct sketch s = { { 0 } };

		values_make(values, made[m].center, made[m].spread, 3 + m);
		for (size_t i = 0; i < VALUES; i++)
			sketch_add(&s, values[i]);
		qsort(values, VALUES, sizeof(*values), number_order);
		assert_int_equal(sketch_count(&s), VALUES);
		for (size_t i = 0; i < COUNT(q); i++) {
			double is = values[(size_t)(q[i] * (VALUES - 1))];

			if (is < SKETCH_LEAST || is > 1)
				continue;
			assert_true(fabs(sketch_quantile(&s, q[i]) / is - 1) <
				    SKETCH_ERROR + 1e-9);
		}
	}
}

/* Each bucket's ends, and what is outside. */
static void every_value_has_its_bucket(void **state)
{
	(void)state;
	for (double value = SKETCH_LEAST; value <= 1; value *= 1.0007) {
		struct sketch s = { { 0 } };

		sketch_add(&s, value);
		assert_int_equal(s.bucket[0] + s.bucket[SKETCH_BUCKETS - 1], 0);
		assert_true(fabs(sketch_quantile(&s, 0.5) / value - 1) < SKETCH_ERROR + 1e-9);
	}
	for (int i = 0; i < 4; i++) {
		static const double out[] = { 0, 9e-7, -1, 1.01 };
		struct sketch s = { { 0 } };

		sketch_add(&s, out[i]);
		assert_int_equal(s.bucket[i < 3 ? 0 : SKETCH_BUCKETS - 1], 1);
		assert_true(sketch_quantile(&s, 0.5) == (i < 3 ? 0 : 1));
	}
	assert_true(isnan(sketch_quantile(&(struct sketch){ { 0 } }, 0.5)));
}

static void parts_make_the_whole_bit_for_bit(void **state)
{
	static const int orders[][4] = { { 0, 1, 2, 3 }, { 3, 1, 0, 2 }, { 2, 3, 1, 0 } };
	static double values[VALUES];
	struct sketch whole = { { 0 } }, part[4] = { { { 0 } } };

	(void)state;
	values_make(values, 0.01, 1.5, 99);
	for (size_t i = 0; i < VALUES; i++) {
		sketch_add(&whole, values[i]);
		sketch_add(&part[i * i % 4 + i % 3], values[i]);
	}
	for (size_t o = 0; o < COUNT(orders); o++) {
		struct sketch sum = { { 0 } };
		struct buf a = BUF_INIT, b = BUF_INIT;

		for (size_t i = 0; i < 4; i++)
			sketch_merge(&sum, &part[orders[o][i]]);
		assert_memory_equal(&sum, &whole, sizeof(whole));
		sketch_write(&sum, &a);
		sketch_write(&whole, &b);
		assert_int_equal(a.len, b.len);
		assert_memory_equal(a.data, b.data, a.len);
		buf_release(&a);
		buf_release(&b);
	}
}

static void counts_stop_where_they_end(void **state)
{
	struct sketch s = { { 0 } };

	(void)state;
	s.bucket[7] = UINT32_MAX - 1;
	for (int i = 0; i < 3; i++)
		sketch_merge(&s, &s);
	assert_int_equal(s.bucket[7], UINT32_MAX);
}

static void bytes_come_back(void **state)
{
	static double values[VALUES];
	struct sketch s = { { 0 } }, back = { { 1 } };
	struct buf bytes = BUF_INIT;

	(void)state;
	values_make(values, 0.06, 0.12, 4);
	for (size_t i = 0; i < VALUES; i++)
		sketch_add(&s, values[i]);
	s.bucket[0] = 3;
	s.bucket[SKETCH_BUCKETS - 1] = UINT32_MAX;
	sketch_write(&s, &bytes);
	assert_true(bytes.len < 100);
	buf_adds(&bytes, "more");
	assert_int_equal(sketch_read(&back, (const uint8_t *)bytes.data, bytes.len),
			 bytes.len - 4);
	assert_memory_equal(&back, &s, sizeof(s));
	for (size_t cut = 0; cut < bytes.len - 4; cut++) {
		uint8_t *some = malloc(cut + 1);

		memcpy(some, bytes.data, cut);
		assert_int_equal(sketch_read(&back, some, cut), 0);
		free(some);
	}
	assert_memory_equal(&back, &s, sizeof(s));
	buf_release(&bytes);
}

static void bytes_that_are_none_are_refused(void **state)
{
	static const struct { const char *bytes; size_t n; } rows[] = {
		{ "", 0 }, { "\2\0", 2 }, { "\0\0", 2 },		/* versions */
		{ "\1\xdd\2", 3 },				/* 349 buckets */
		{ "\1\1\xdc\2\1", 5 },				/* bucket 348 */
		{ "\1\1\1\0", 4 },				/* count 0 */
		{ "\1\2\1\1\0\1", 6 },				/* a bucket twice */
		{ "\1\1\1\x80\x80\x80\x80\x10", 8 },		/* 2^32 */
	};
	struct sketch s = { { 5 } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(sketch_read(&s, (const uint8_t *)rows[i].bytes, rows[i].n), 0);
	assert_int_equal(s.bucket[0], 5);
	assert_int_equal(sketch_read(&s, (const uint8_t *)"\1\0", 2), 2);
	assert_int_equal(sketch_count(&s), 0);
}

/* --- functions over nodes --------------------------------------------------------------------- */

enum { COUNTED = 400, FUNCTIONS = 6 };

struct counted {
	struct build build;
	struct crowd_cost costs[COUNTED][FUNCTIONS];
	double sums[COUNTED];
};

static void counted_make(struct counted *m)
{
	const struct wire_identity none = { .kind = WIRE_IDENTITY_NONE };
	uint64_t seed = 5;

	build_init(&m->build, &none, NULL);
	for (uint32_t f = 0; f < FUNCTIONS; f++)
		build_site(&m->build, TOTAL_SITE, 0x1000 + 4 * f, 0x100 + 0x10 * f);
	assert_int_equal(build_settle(&m->build), 0);
	assert_int_equal(m->build.function_count, FUNCTIONS);
	for (size_t i = 0; i < COUNTED; i++) {
		for (size_t f = 0; f < FUNCTIONS - 1; f++) {	/* the last is called by nobody */
			m->costs[i][f] = (struct crowd_cost){
				.calls = 10 + (double)i,
				.self_s = exp(0.2 * random_normal(&seed)) * (1 + (double)f),
			};
			m->sums[i] += m->costs[i][f].self_s;
		}
	}
}

static void census_node(struct census *s, const struct counted *m, size_t i)
{
	assert_int_equal(census_add(s, &m->build, m->costs[i], m->sums[i], i % 2 ? "p" : "q",
				    (uint32_t)(i / 2)), 0);
}

/* As it is computed from all values. */
static void a_function_is_known_over_all_nodes(void **state)
{
	struct counted *m = calloc(1, sizeof(*m));
	double shares[COUNTED], all = 0, self = 0, calls = 0;
	const struct census_function *f;
	struct census s = { NULL };
	size_t worst = 0;

	(void)state;
	counted_make(m);
	for (size_t i = 0; i < COUNTED; i++) {
		census_node(&s, m, i);
		shares[i] = m->costs[i][2].self_s / m->sums[i];
		worst = shares[i] > shares[worst] ? i : worst;
		self += m->costs[i][2].self_s;
		calls += m->costs[i][2].calls;
		all += m->sums[i];
	}
	assert_int_equal(s.count, FUNCTIONS - 1);
	assert_int_equal(s.nodes, COUNTED);
	assert_null(census_find(&s, 0x100 + 0x10 * (FUNCTIONS - 1)));
	f = census_find(&s, 0x120);
	assert_int_equal(f->nodes, COUNTED);
	assert_int_equal(f->calls, (uint64_t)calls);
	assert_true(fabs((double)f->self_ns / 1e9 - self) < 1e-6);
	assert_true(fabs(census_share(&s, f) - self / all) < 1e-9);
	assert_true(f->worst == shares[worst]);
	assert_int_equal(f->worst_id, worst / 2);
	assert_string_equal(f->worst_place, worst % 2 ? "p" : "q");
	qsort(shares, COUNTED, sizeof(*shares), number_order);
	assert_true(fabs(sketch_quantile(&f->shares, 0.5) / shares[(COUNTED - 1) / 2] - 1) <
		    0.021);
	census_release(&s);
	build_release(&m->build);
	free(m);
}

static void assert_censuses_same(const struct census *a, const struct census *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->self_ns, b->self_ns);
	for (size_t i = 0; i < a->count; i++) {
		const struct census_function *x = &a->functions[i];
		const struct census_function *y = census_find(b, x->address);

		assert_non_null(y);
		assert_int_equal(x->calls, y->calls);
		assert_int_equal(x->self_ns, y->self_ns);
		assert_int_equal(x->nodes, y->nodes);
		assert_int_equal(x->worst_id, y->worst_id);
		assert_string_equal(x->worst_place, y->worst_place);
		assert_true(x->worst == y->worst);
		assert_memory_equal(&x->shares, &y->shares, sizeof(x->shares));
	}
}

/* Nodes with equal shares among them. */
static void censuses_of_parts_make_the_whole(void **state)
{
	static const int orders[][4] = { { 0, 1, 2, 3 }, { 2, 3, 0, 1 }, { 3, 2, 1, 0 } };
	struct counted *m = calloc(1, sizeof(*m));
	struct census whole = { NULL }, part[4] = { { NULL } };

	(void)state;
	counted_make(m);
	for (size_t f = 0; f < FUNCTIONS; f++)
		for (size_t i = 0; i < 4; i++)
			m->costs[99 + 50 * i][f] = m->costs[99][f];
	for (size_t i = 0; i < 4; i++) {
		m->sums[99 + 50 * i] = m->sums[99];
		m->costs[99 + 50 * i][1].self_s *= 100;
	}
	for (size_t i = 0; i < COUNTED; i++) {
		census_node(&whole, m, i);
		census_node(&part[i * 7 % 4], m, i);
	}
	assert_int_equal(census_find(&whole, 0x110)->worst_id, 99 / 2);
	for (size_t o = 0; o < COUNT(orders); o++) {
		struct census sum = { NULL };

		for (size_t i = 0; i < 4; i++)
			assert_int_equal(census_merge(&sum, &part[orders[o][i]]), 0);
		assert_censuses_same(&sum, &whole);
		census_release(&sum);
	}
	for (size_t i = 0; i < 4; i++)
		census_release(&part[i]);
	census_release(&whole);
	build_release(&m->build);
	free(m);
}

static void a_census_without_memory_says_it(void **state)
{
	struct counted *m = calloc(1, sizeof(*m));
	int failed = 0;

	(void)state;
	counted_make(m);
	for (long n = 0; n < 4; n++) {
		struct census s = { NULL };

		mem_fail_after(n);
		failed += census_add(&s, &m->build, m->costs[0], m->sums[0], "p", 1) < 0;
		mem_fail_after(-1);
		census_release(&s);
	}
	assert_in_range(failed, 2, 3);
	build_release(&m->build);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_within_2_percent),
		cmocka_unit_test(every_value_has_its_bucket),
		cmocka_unit_test(parts_make_the_whole_bit_for_bit),
		cmocka_unit_test(counts_stop_where_they_end),
		cmocka_unit_test(bytes_come_back),
		cmocka_unit_test(bytes_that_are_none_are_refused),
		cmocka_unit_test(a_function_is_known_over_all_nodes),
		cmocka_unit_test(censuses_of_parts_make_the_whole),
		cmocka_unit_test(a_census_without_memory_says_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
