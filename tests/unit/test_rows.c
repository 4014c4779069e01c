/*
 * rows: every function once, in the order asked for, whatever the values; columns that hold
 * nothing.
 */
#include "tests/unit/unit.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/look/rows.h"

enum { MOST = 300 };

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

/* Values that often are alike, or not known. */
static void profile_make(struct profile *p, struct profile_function *functions, size_t n,
			 uint32_t *seed)
{
	static const double values[] = { NAN, 0, 1, 2, 3.5, -1 };

	*p = (struct profile){ .functions = functions, .function_count = n };
	for (size_t i = 0; i < n; i++) {
		functions[i] = (struct profile_function){
			.name = random_next(seed) % 2 ? "odd" : "even",
			.called = random_next(seed) % 4,
			.calls = random_next(seed) % 3, .address = random_next(seed) % 50,
			.total_s = values[random_next(seed) % COUNT(values)],
			.self_s = values[random_next(seed) % COUNT(values)],
			.rate_calls = NAN, .rate_self = NAN, .min_s = NAN, .max_s = NAN,
		};
		p->totals.self_s = NAN;
	}
}

/* As the header has it; ties: the busier, the lower address, the one that came first. */
static bool in_order(const struct profile *p, const struct rows_order *o, uint32_t ia, uint32_t ib)
{
	const struct column_data d = { .profile = p };
	const struct profile_function *a = &p->functions[ia], *b = &p->functions[ib];
	double va = columns[o->column].value(&d, a), vb = columns[o->column].value(&d, b);
	double ca = a->called ? (double)a->calls : -1, cb = b->called ? (double)b->calls : -1;

	va = isnan(va) ? -1e9 : va;
	vb = isnan(vb) ? -1e9 : vb;
	if (va != vb)
		return o->inverted ? va < vb : va > vb;
	if (ca != cb)
		return ca > cb;
	return a->address != b->address ? a->address < b->address : ia < ib;
}

static void all_are_there_in_order(void **state)
{
	static struct profile_function functions[MOST];
	uint32_t seed = 1;
	struct rows r;

	(void)state;
	rows_init(&r);
	for (size_t n = 0; n < MOST; n++) {
		struct rows_order o = {
			.column = n % 2 ? COLUMN_TOTAL : COLUMN_CALLS, .inverted = n / 2 % 2,
		};
		bool seen[MOST] = { false };
		struct profile p;

		profile_make(&p, functions, n, &seed);
		assert_int_equal(rows_sort(&r, &p, &o), 0);
		assert_int_equal(r.count, n);
		for (size_t i = 0; i < n; i++) {
			assert_false(seen[r.items[i]]);
			seen[r.items[i]] = true;
			assert_true(i == 0 || in_order(&p, &o, r.items[i - 1], r.items[i]));
		}
	}
	rows_release(&r);
}

static void a_filter_hides(void **state)
{
	static struct profile_function functions[MOST];
	struct rows_order o = { .column = COLUMN_TOTAL, .filter = regex_new("^odd$", NULL) };
	struct profile p;
	struct rows r;
	uint32_t seed = 7;

	(void)state;
	rows_init(&r);
	profile_make(&p, functions, MOST, &seed);
	assert_int_equal(rows_sort(&r, &p, &o), 0);
	assert_true(r.count > 100 && r.hidden > 100);
	assert_int_equal(r.count + r.hidden, MOST);
	for (size_t i = 0; i < r.count; i++)
		assert_string_equal(functions[r.items[i]].name, "odd");
	rows_release(&r);
	regex_free((struct regex *)(uintptr_t)o.filter);
}

/* Of what is timed and has no image only the totals are known: they decide for SELF too. */
static void totals_stand_in_for_self_times(void **state)
{
	struct profile_function functions[] = {
		{ .name = "a", .self_s = NAN, .total_s = 1, .address = 1 },
		{ .name = "b", .self_s = NAN, .total_s = 3, .address = 2 },
		{ .name = "c", .self_s = NAN, .total_s = NAN, .address = 3 },
		{ .name = "d", .self_s = NAN, .total_s = 2, .address = 4 },
	};
	struct profile p = { .functions = functions, .function_count = COUNT(functions),
			     .totals.self_s = NAN };
	struct rows r;

	(void)state;
	rows_init(&r);
	assert_int_equal(rows_sort(&r, &p, &(struct rows_order){ .column = COLUMN_SELF }), 0);
	assert_int_equal(r.items[0], 1);
	assert_int_equal(r.items[1], 3);
	assert_int_equal(r.items[2], 0);
	assert_int_equal(r.items[3], 2);
	rows_release(&r);
}

/* A column that holds something has a cell that is not empty, and the other way round. */
static void columns_know_what_they_hold(void **state)
{
	static struct profile_function functions[MOST];
	uint32_t seed = 3;

	(void)state;
	for (size_t n = 0; n < 40; n++) {
		struct profile p;
		struct column_data d = { .profile = &p };

		profile_make(&p, functions, n, &seed);
		for (size_t c = 0; c < COLUMN_COUNT; c++) {
			char text[COLUMN_TEXT];
			bool any = false;

			for (size_t i = 0; i < n; i++) {
				columns[c].format(&d, &functions[i], text, sizeof(text));
				any |= *text != '\0';
			}
			if (column_holds(&columns[c], &d) != any)
				fail_msg("%s of %zu functions", columns[c].name, n);
		}
	}
}

/* Sanitizers see to it that no arithmetic is done on what is not there. */
static void none_are_sorted(void **state)
{
	struct profile p = { .name = "" };
	struct rows r = { 0 };

	(void)state;
	for (int column = 0; column < COLUMN_COUNT; column++) {
		assert_int_equal(rows_sort(&r, &p, &(struct rows_order){ .column = column }), 0);
		assert_int_equal(r.count + r.hidden, 0);
	}
	rows_release(&r);
}

static void memory_may_run_out(void **state)
{
	static struct profile_function functions[MOST];
	struct rows_order o = { .column = COLUMN_TOTAL };
	struct profile p;
	uint32_t seed = 5;

	(void)state;
	profile_make(&p, functions, MOST, &seed);
	for (long n = 0; n < 2; n++) {
		struct rows r;

		rows_init(&r);
		mem_fail_after(n);
		assert_int_equal(rows_sort(&r, &p, &o), ERR_NOMEM);
		mem_fail_after(-1);
		rows_release(&r);
	}
}

/* The manual has the definition of each figure, and its name in JSON and CSV. */
static void columns_are_defined(void **state)
{
	(void)state;
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const struct column *c = &columns[i];

		assert_true(c->id == i);
		assert_true(!c->value || (c->figure && *c->figure));
		assert_true(c->key || i == COLUMN_SELF_PERCENT);	/* of what the rows are */
	}
}

/* The header is the name in capitals; older names are still read, whatever their case. */
static void columns_have_one_name(void **state)
{
	static const struct { const char *word; enum column_id id; } words[] = {
		{ "percent", COLUMN_SELF_PERCENT }, { "percall", COLUMN_PER_CALL },
		{ "rate", COLUMN_RATE }, { "load", COLUMN_LOAD }, { "Calls/s", COLUMN_RATE },
		{ "PER CALL", COLUMN_PER_CALL }, { "SELF", COLUMN_SELF },
	};

	(void)state;
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const struct column *c = &columns[i];

		assert_ptr_equal(column_find(c->name), c);
		assert_ptr_equal(column_find(c->header), c);
		assert_int_equal(strlen(c->name), strlen(c->header));
		for (size_t k = 0; c->name[k]; k++)
			assert_int_equal(c->header[k], c->name[k] == '-' ? ' ' :
					 toupper((unsigned char)c->name[k]));
	}
	for (size_t i = 0; i < COUNT(words); i++)
		assert_ptr_equal(column_find(words[i].word), &columns[words[i].id]);
	assert_null(column_find("per"));
	assert_null(column_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_have_one_name),
		cmocka_unit_test(columns_are_defined),
		cmocka_unit_test(all_are_there_in_order),
		cmocka_unit_test(a_filter_hides),
		cmocka_unit_test(totals_stand_in_for_self_times),
		cmocka_unit_test(columns_know_what_they_hold),
		cmocka_unit_test(none_are_sorted),
		cmocka_unit_test(memory_may_run_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
