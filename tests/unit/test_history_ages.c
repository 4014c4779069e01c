/*
 * history_ages: which image names which moments: where another image begins, and what is kept of
 * the one before. Functions are named by their addresses, whatever the image.
 */
#include "tests/unit/history_life.h"

#include "core/base/mem.h"
#include "core/profile/raw/copy.h"

struct named {
	struct life *l;
	struct image *images[2];
};

static int named_up(void **state)
{
	static const char *const paths[] = { "tests/corpus/image/avr2.elf",
					     "tests/corpus/image/avr4.elf" };
	struct named *n = calloc(1, sizeof(*n));
	struct err err = { 0 };
	void *life;

	assert_int_equal(life_up(&life), 0);
	n->l = life;
	for (int i = 0; i < 2; i++) {
		n->images[i] = image_new(paths[i], &err);
		assert_non_null(n->images[i]);
	}
	history_image(n->l->h, n->images[0]);
	*state = n;
	return 0;
}

static int named_down(void **state)
{
	struct named *n = *state;
	void *life = n->l;

	history_gone(n->l->h);		/* what stands behind the ages is no age */
	life_down(&life);
	for (int i = 0; i < 2; i++)
		image_free(n->images[i]);
	free(n);
	return 0;
}

static void node_restart(struct life *l)
{
	profile_reset(&l->p);
	profile_seen_from_start(&l->p);
	for (int i = 0; i < ROWS; i++)
		l->rows[i].calls = l->rows[i].total = 0;
	l->run = 0;
}

static void seconds_pass(struct life *l, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		row_count(l, 0, 1, 100);
		run_count(l, 1000);
		moment_end(l, SECOND);
	}
}

/* From which moment on the second image names them; `none`: not even the last one. */
static void assert_begins(const struct named *n, size_t at)
{
	const struct history *h = n->l->h;

	for (size_t i = 0; i < h->count; i++) {
		assert_int_equal(h->moments[i].age, i >= at ? h->age : h->age - 1);
		assert_int_equal(h->moments[i].m.image, i == at);
	}
	assert_int_equal(h->new_image, at == h->count);
	assert_ptr_equal(h->ages[h->age % AGES].image, n->images[1]);
}

/*
 * A node names its firmware within 5 s of its start: another image begins with the restart that was
 * so long ago, else with the next moment.
 */
static void another_image_begins_with_the_restart(void **state)
{
	static const struct { unsigned before, after; size_t at; } rows[] = {
		{ 8, 1, 8 }, { 8, 3, 8 }, { 8, 5, 8 }, { 8, 6, 8 }, { 8, 7, 15 }, { 1, 6, 1 },
		{ 1, 7, 8 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct named *n;
		uint64_t serial;

		if (i) {
			named_down(state);
			named_up(state);
		}
		n = *state;
		seconds_pass(n->l, rows[i].before);
		node_restart(n->l);
		seconds_pass(n->l, rows[i].after);
		serial = history_serial(n->l->h);
		history_image(n->l->h, n->images[0]);	/* the same: nothing begins */
		assert_int_equal(history_serial(n->l->h), serial);
		history_image(n->l->h, n->images[1]);
		assert_true(history_serial(n->l->h) > serial);
		assert_int_equal(n->l->h->age, 1);
		assert_begins(n, rows[i].at);
		assert_non_null(n->l->h->ages[0].then);
		assert_null(n->l->h->ages[0].image);
		if (rows[i].at == n->l->h->count) {	/* the next moment begins it */
			seconds_pass(n->l, 1);
			assert_true(moment_end(n->l, 0)->m.image);
		}
	}
}

/* All of the history is of its first 5 s: the image before named nothing. */
static void an_image_at_the_begin_takes_the_place(void **state)
{
	static const struct { unsigned first, seconds; uint32_t age; } rows[] = {
		{ 0, 0, 0 }, { 0, 1, 0 }, { 0, 4, 0 }, { 0, 5, 1 }, { 0, 6, 1 }, { 2, 2, 0 },
		{ 2, 3, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct named *n;

		if (i) {
			named_down(state);
			named_up(state);
		}
		n = *state;
		if (rows[i].first)
			moment_end(n->l, rows[i].first * SECOND);
		seconds_pass(n->l, rows[i].seconds);
		history_image(n->l->h, n->images[1]);
		assert_int_equal(n->l->h->age, rows[i].age);
		assert_ptr_equal(n->l->h->ages[n->l->h->age].image, n->images[1]);
		assert_int_equal(n->l->h->new_image, rows[i].age);
		for (size_t k = 0; k < n->l->h->count; k++)
			assert_false(n->l->h->moments[k].m.image);
	}
}

/* The first moment that is left may be a restart's: its image is of all that is left. */
static void a_restart_may_be_the_first_moment(void **state)
{
	struct named *n = *state;

	seconds_pass(n->l, 5);
	n->l->h->moments[0].m.began = true;	/* as where those before it were joined */
	history_image(n->l->h, n->images[1]);
	assert_int_equal(n->l->h->age, 0);
	assert_ptr_equal(n->l->h->ages[0].image, n->images[1]);
}

/* Two images after one restart: the second takes the moment of it from the first. */
static void the_last_image_names_the_restart(void **state)
{
	struct named *n = *state;

	seconds_pass(n->l, 8);
	node_restart(n->l);
	seconds_pass(n->l, 1);
	history_image(n->l->h, n->images[1]);
	history_image(n->l->h, n->images[0]);
	assert_int_equal(n->l->h->age, 2);
	assert_int_equal(n->l->h->moments[7].age, 0);
	assert_int_equal(n->l->h->moments[8].age, 2);
}

/* So many images' names are kept, and those of the oldest go. */
static void the_oldest_names_go(void **state)
{
	struct named *n = *state;
	struct history *h = n->l->h;

	seconds_pass(n->l, 6);
	for (uint32_t i = 1; i <= AGES + 2; i++) {
		uint32_t first = i < AGES ? 0 : i - AGES + 1;

		history_image(h, n->images[i % 2]);
		seconds_pass(n->l, 1);
		assert_int_equal(h->age, i);
		assert_int_equal(h->first_age, first);
		for (uint32_t age = 0; age <= i; age++) {
			struct history_kept k = { .age = age };
			struct history_age *of = history_age_of(h, &k);

			assert_int_equal(of != NULL, age >= first);
			if (of && age < i)
				assert_non_null(of->then);
			if (age == i)
				assert_ptr_equal(of->image, n->images[i % 2]);
		}
	}
}

/* Moments of different images are never added up, but where no names are left of either. */
static void moments_of_one_image_are_alike(void **state)
{
	static const struct { uint32_t a, b; bool same; } rows[] = {
		{ 4, 4, true }, { 3, 3, true }, { 1, 2, true }, { 3, 4, false }, { 2, 3, false },
		{ 3, 2, false }, { 2, 4, false }, { 4, 2, false },
	};
	struct named *n = *state;

	n->l->h->first_age = 3;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct history_kept a = { .age = rows[i].a }, b = { .age = rows[i].b };

		assert_int_equal(history_age_same(n->l->h, &a, &b), rows[i].same);
	}
	n->l->h->first_age = 0;
}

/* With all of its addresses and the newest terms; out of memory none of them rather than some. */
static void the_names_are_whole_or_none(void **state)
{
	static const uint32_t functions[] = { A, B, LEAF };
	struct named *n = *state;
	const struct wire_total pcs[] = {
		{ .kind = TOTAL_PC, .from = 0x5000, .calls = 3 },
		{ .kind = TOTAL_PC, .from = 0x6000, .calls = 3 },
	};
	long granted = 0;
	size_t whole = 0;

	for (; granted < 400 && !whole; granted++) {
		const struct profile *then;

		if (granted) {
			named_down(state);
			named_up(state);
			n = *state;
		}
		seconds_pass(n->l, 3);
		profile_take_rate(&n->l->p, 250);
		row_count(n->l, 1, 1, 10);
		row_count(n->l, 2, 1, 10);
		assert_int_equal(profile_take_totals(&n->l->p, pcs, COUNT(pcs)), 0);
		seconds_pass(n->l, 3);
		mem_fail_after(granted);
		history_image(n->l->h, n->images[1]);
		mem_fail_after(-1);
		assert_begins(n, 6);
		then = n->l->h->ages[0].then;
		if (!then)
			continue;
		assert_int_equal(then->site_count, ROWS);
		assert_int_equal(then->pc_count, COUNT(pcs));
		assert_float_equal(then->terms.hz, 250, 0);
		for (size_t i = 0; i < COUNT(functions); i++)
			assert_int_not_equal(profile_find_address(then, functions[i]),
					     PROFILE_NONE);
		whole = then->function_count;
	}
	assert_true(granted > 5 && whole > COUNT(functions));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, named_up, named_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(another_image_begins_with_the_restart),
		CASE(an_image_at_the_begin_takes_the_place),
		CASE(a_restart_may_be_the_first_moment),
		CASE(the_last_image_names_the_restart),
		CASE(the_oldest_names_go),
		CASE(moments_of_one_image_are_alike),
		CASE(the_names_are_whole_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
