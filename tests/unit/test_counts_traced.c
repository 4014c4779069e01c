/*
 * counts_traced: what call traces and simulators tell besides totals (durations finely, ways of
 * calls, bytes of stack, ticks of instructions), and the copy of a profile, which has all of it.
 */
#include "tests/unit/unit.h"
#include "tests/unit/counts_life.h"

#include "core/base/lengths.h"
#include "core/base/mem.h"
#include "core/profile/raw/copy.h"
#include "core/profile/raw/raw.h"

enum { FROM = 0x1004, TO = 0x2000 };

static uint32_t site_from(unsigned n)
{
	return FROM + 8 * n;
}

static void site_feed(struct profile *p, unsigned n, uint64_t calls, unsigned flags)
{
	const struct wire_total t = {
		.kind = TOTAL_SITE, .from = site_from(n), .to = TO, .calls = calls,
		.flags = (uint16_t)flags,
	};

	assert_int_equal(profile_take_totals(p, &t, 1), 0);
}

/* --- durations, finely ------------------------------------------------------------------------ */

/* `calls` of each length at the two ends of the ranges. */
static void fine_feed(struct profile *p, unsigned n, uint32_t calls)
{
	uint32_t fine[LENGTHS] = { calls };

	fine[LENGTHS - 1] = 2 * calls;
	assert_int_equal(profile_take_fine(p, site_from(n), TO, fine), 0);
}

/* False: not known. Else its calls in the first range; the last one has twice as many. */
static bool fine_of(const struct profile *p, uint32_t site, uint64_t *calls)
{
	uint64_t sum[LENGTHS] = { 1000 };
	bool known;

	sum[LENGTHS - 1] = 1000;
	known = profile_fine_add(p, site, sum);
	assert_int_equal(sum[LENGTHS - 1] - 1000, 2 * (sum[0] - 1000));
	*calls = sum[0] - 1000;
	return known;
}

static void fine_is(const struct profile *p, uint32_t site, uint64_t want)
{
	uint64_t calls;

	assert_true(fine_of(p, site, &calls));
	assert_int_equal(calls, want);
}

static void fine_is_unknown(const struct profile *p, uint32_t site)
{
	uint64_t calls;

	assert_false(fine_of(p, site, &calls));
	assert_int_equal(calls, 0);
}

/* The third site's came, then the first one's: the second has none, and is between them. */
static void durations_are_known_of_sites_that_have_them(void **state)
{
	struct profile *p = *state;

	for (unsigned i = 0; i < 4; i++)
		site_feed(p, i, i < 3 ? 30 : 0, 0);
	fine_feed(p, 2, 7);
	assert_int_equal(p->fine_count, 3);
	fine_is_unknown(p, 0);
	fine_feed(p, 0, 5);
	assert_int_equal(p->fine_count, 3);
	fine_is(p, 0, 5);
	fine_is_unknown(p, 1);
	fine_is(p, 2, 7);
	fine_is(p, 3, 0);		/* not called: there are none */
	fine_feed(p, 0, 6);
	fine_is(p, 0, 6);
}

static void durations_of_no_site_are_left_out(void **state)
{
	struct profile *p = *state;

	site_feed(p, 0, 30, 0);
	fine_feed(p, 1, 7);
	assert_int_equal(p->fine_count, 0);
}

static void durations_since_a_reset(void **state)
{
	struct profile *p = *state;

	for (unsigned i = 0; i < 3; i++)
		site_feed(p, i, 30, 0);
	fine_feed(p, 0, 5);
	fine_feed(p, 2, 7);
	for (uint32_t again = 0; again < 2; again++) {
		assert_int_equal(profile_rebase(p), 0);
		for (unsigned i = 0; i < 3; i++)
			site_feed(p, i, 40 + again, 0);
		fine_feed(p, 0, 15 + 10 * again);
		fine_feed(p, 2, 27 + 20 * again);
		fine_is(p, 0, 10);
		fine_is_unknown(p, 1);
		fine_is(p, 2, 20);
	}
}

/* A site that comes to the place of one that went has not its durations, nor what it subtracts. */
static void durations_go_with_their_site(void **state)
{
	struct profile *p = *state;

	for (unsigned i = 0; i < 3; i++)
		site_feed(p, i, 30, 0);
	fine_feed(p, 0, 5);
	fine_feed(p, 1, 6);
	assert_int_equal(profile_rebase(p), 0);
	site_feed(p, 0, 0, ROW_GONE);
	assert_int_equal(profile_sites_forget(p), 0);
	site_feed(p, 1, 40, 0);
	site_feed(p, 2, 40, 0);
	fine_feed(p, 1, 16);
	fine_is(p, 0, 10);		/* the second is the first now */
	fine_is_unknown(p, 1);
	site_feed(p, 3, 40, 0);
	fine_is_unknown(p, 2);
	fine_feed(p, 3, 9);
	fine_is(p, 2, 9);		/* of which nothing is subtracted */
}

static void one_without_durations_has_none_of_who_went(void **state)
{
	struct profile *p = *state;

	for (unsigned i = 0; i < 3; i++)
		site_feed(p, i, 30, 0);
	fine_feed(p, 0, 5);
	site_feed(p, 0, 0, ROW_GONE);
	assert_int_equal(profile_sites_forget(p), 0);
	assert_int_equal(p->site_count, 2);
	fine_is_unknown(p, 0);
	fine_is_unknown(p, 1);
}

static void a_restart_forgets_durations(void **state)
{
	struct profile *p = *state;

	site_feed(p, 0, 30, 0);
	fine_feed(p, 0, 5);
	profile_reset(p);
	site_feed(p, 0, 30, 0);
	fine_is_unknown(p, 0);
	assert_int_equal(p->fine_count, 0);
}

static void memory_of_durations_is_counted(void **state)
{
	enum { ARRAY = LENGTHS * sizeof(uint32_t) };
	struct profile *p = *state;

	for (unsigned i = 0; i < 2; i++)
		site_feed(p, i, 30, 0);
	fine_feed(p, 0, 5);
	fine_feed(p, 1, 5);
	assert_int_equal(profile_fines_memory(p), p->fine_cap * sizeof(*p->fines) + 2 * ARRAY);
	assert_int_equal(profile_rebase(p), 0);
	assert_int_equal(profile_fines_memory(p), p->fine_cap * sizeof(*p->fines) + 4 * ARRAY);
}

/* --- ways of calls, stack, instructions ------------------------------------------------------- */

static void paths_feed(struct profile *p, uint64_t calls, size_t n, bool again)
{
	struct profile_path paths[4];

	for (uint32_t i = 0; i < COUNT(paths); i++)
		paths[i] = (struct profile_path){
			.parent = i ? i - 1 : PROFILE_NONE, .address = TO + i,
			.calls = calls + i, .total = (double)(10 * calls + i),
		};
	assert_int_equal(profile_take_paths(p, paths, n, again), 0);
}

/* Those that came after the reset have nothing taken off; counted again none is known any more. */
static void ways_of_calls_are_those_since_a_reset(void **state)
{
	struct profile *p = *state;

	paths_feed(p, 5, 2, true);
	assert_int_equal(p->path_count, 2);
	assert_int_equal(profile_rebase(p), 0);
	paths_feed(p, 8, 3, false);
	assert_int_equal(p->path_count, 3);
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(p->paths[i].calls, 8 + i);
		assert_int_equal(p->paths[i].base_calls, i < 2 ? 5 + i : 0);
		assert_true(p->paths[i].base_total == (i < 2 ? 50 + (double)i : 0));
	}
	paths_feed(p, 1, 3, true);
	assert_int_equal(p->path_count, 0);
}

static void ways_of_calls_may_begin_anew(void **state)
{
	struct profile *p = *state;

	paths_feed(p, 5, 3, true);
	p->paths[0].base_calls = 4;	/* as of a reset that another profile had */
	paths_feed(p, 6, 3, true);
	assert_int_equal(p->path_count, 3);
	assert_int_equal(p->paths[0].base_calls, 0);
	assert_int_equal(p->paths[0].calls, 6);
}

static void depth_is(const struct profile *p, uint32_t address, uint32_t frame)
{
	const struct profile_function *f = &p->functions[profile_find_address(p, address)];

	assert_int_equal(f->depth.known, frame != 0);
	assert_int_equal(f->depth.frame, frame);
	assert_int_equal(f->depth.use, 2 * frame);
	assert_int_equal(f->depth.depth, 3 * frame);
}

static struct wire_depth depth_made(uint32_t address, uint32_t frame)
{
	return (struct wire_depth){ address, frame, 2 * frame, 3 * frame };
}

/* They are called from FROM; the last measure is not given. */
static void a_function_has_its_newest_depth(void **state)
{
	static const uint32_t at[] = { TO, TO + 4, UINT32_MAX };
	struct profile *p = *state;
	const struct wire_depth first[] = {
		depth_made(TO, 8), depth_made(UINT32_MAX, 24), depth_made(FROM, 32),
		depth_made(TO + 4, 99),
	};
	const struct wire_depth later = depth_made(TO, 16);

	for (size_t i = 0; i < COUNT(at); i++)
		profile_add_arcs(p, &(struct wire_arc){ FROM, at[i] }, 1);
	assert_int_equal(profile_take_depths(p, first, 3), 0);
	assert_int_equal(p->depth_count, 3);
	assert_int_equal(profile_compute(p), 0);
	depth_is(p, FROM, 32);
	depth_is(p, TO, 8);
	depth_is(p, TO + 4, 0);
	depth_is(p, UINT32_MAX, 24);
	assert_int_equal(profile_take_depths(p, &later, 1), 0);
	assert_int_equal(p->depth_count, 3);
	assert_int_equal(profile_compute(p), 0);
	depth_is(p, TO, 16);
	depth_is(p, UINT32_MAX, 24);
}

static void without_memory_depths_are_refused(void **state)
{
	struct profile *p = *state;
	const struct wire_depth d = depth_made(TO, 8);

	for (long n = 0; n < 2; n++) {
		mem_fail_once(n);
		assert_int_equal(profile_take_depths(p, &d, 1), ERR_NOMEM);
		mem_fail_after(-1);
		assert_int_equal(p->depth_count, 0);
	}
	assert_int_equal(profile_take_depths(p, &d, 1), 0);
	assert_int_equal(p->depths[0].frame, 8);
}

static void instructions_have_their_ticks_since_a_reset(void **state)
{
	struct profile *p = *state;
	struct wire_spent spent[] = { { TO, 50 }, { TO + 2, 70 }, { TO + 4, 90 } };

	assert_int_equal(profile_take_spent(p, spent, 2), 0);
	assert_int_equal(p->spent_count, 2);
	assert_int_equal(profile_rebase(p), 0);
	assert_int_equal(p->spent[0].ticks | p->spent[1].ticks, 0);
	spent[1].ticks = 75;
	assert_int_equal(profile_take_spent(p, spent, 2), 0);
	assert_int_equal(p->spent[0].ticks, 0);
	assert_int_equal(p->spent[1].ticks, 5);
}

/* --- a copy ----------------------------------------------------------------------------------- */

enum { FUNCTIONS = 40, PLACES = 7, FILE_LENGTH = 3000 };

static char file_names[FUNCTIONS][FILE_LENGTH];

/* A profile that has something of everything; each second function a long name of a file. */
static void full_make(struct profile *p)
{
	static const uint8_t of[PLACES] = { 1, 1, 2, 1, 1, 0, 2 };
	static const char *const paths[] = { NULL, "one.c", "two.c" };

	for (unsigned i = 0; i < FUNCTIONS; i++)
		profile_add_arcs(p, &(struct wire_arc){ site_from(i), TO + 4 * i }, 1);
	profile_add_samples(p, &(uint32_t){ TO }, 1);
	p->running = true;
	fine_feed(p, 0, 5);
	assert_int_equal(profile_rebase(p), 0);
	profile_add_arcs(p, &(struct wire_arc){ site_from(0), TO }, 1);
	fine_feed(p, 0, 15);
	profile_add_arcs(p, &(struct wire_arc){ site_from(1), TO + 4 }, 1);
	assert_int_equal(profile_take_fine(p, site_from(1), TO + 4, (uint32_t[LENGTHS]){
		4, [LENGTHS - 1] = 8 }), 0);
	paths_feed(p, 5, 2, false);
	assert_int_equal(profile_take_spent(p, &(struct wire_spent){ TO, 50 }, 1), 0);
	assert_int_equal(profile_compute(p), 0);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		p->functions[2 * i].image_id = (uint32_t)i;
		memset(file_names[i], 'a', FILE_LENGTH - 1);
		p->functions[2 * i].file = file_names[i];
		p->functions[2 * i].path = i % 2 ? file_names[i] : NULL;
	}
	p->places = mem_zalloc(PLACES * sizeof(*p->places));
	for (size_t i = 0; i < PLACES; i++)
		p->places[i].path = paths[of[i]];
	p->place_count = PLACES;
	p->lines = mem_zalloc(2 * sizeof(*p->lines));
	p->lines[1] = (struct profile_line){ .function = 1, .line = 12 };
	p->line_count = 2;
}

static bool text_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 && a != b : a == b;
}

/* Its strings are its own: the other's may go. */
static void copy_is_whole(const struct profile *f, const struct profile *p)
{
	assert_string_equal(f->name, p->name);
	assert_int_equal(f->function_count, p->function_count);
	for (size_t i = 0; i < p->function_count; i++) {
		assert_true(text_same(f->functions[i].name, p->functions[i].name));
		assert_true(text_same(f->functions[i].file, p->functions[i].file));
		assert_true(text_same(f->functions[i].path, p->functions[i].path));
		assert_int_equal(f->functions[i].image_id, IMAGE_NONE);
	}
	assert_int_equal(f->place_count, p->place_count);
	for (size_t i = 0; i < p->place_count; i++)
		assert_true(text_same(f->places[i].path, p->places[i].path));
	assert_int_equal(f->line_count, p->line_count);
	assert_memory_equal(f->lines, p->lines, p->line_count * sizeof(*p->lines));
	assert_int_equal(f->path_count, p->path_count);
	assert_memory_equal(f->paths, p->paths, p->path_count * sizeof(*p->paths));
	assert_int_equal(f->spent_count, p->spent_count);
	assert_memory_equal(f->spent, p->spent, p->spent_count * sizeof(*p->spent));
	assert_int_equal(f->site_count, p->site_count);
	assert_memory_equal(f->sites, p->sites, p->site_count * sizeof(*p->sites));
	assert_int_equal(f->pc_count, p->pc_count);
	assert_int_equal(f->edge_count, p->edge_count);
	assert_int_equal(f->fix_count, 0);
	fine_is(f, 0, 10);
	fine_is(f, 1, 4);
	for (uint32_t i = 2; i < FUNCTIONS; i++)
		assert_true(profile_fine_add(f, i, NULL));	/* not called since the reset */
}

static void a_copy_has_all_and_shares_nothing(void **state)
{
	struct profile *p = *state, *f;

	full_make(p);
	f = profile_copy(p);
	assert_non_null(f);
	copy_is_whole(f, p);
	profile_drop(f);
}

/* Whole, or not at all: where all fails from some allocation on, and where one fails. */
static void without_memory_no_copy_is_half(void **state)
{
	static void (*const fail[])(long) = { mem_fail_after, mem_fail_once };
	struct profile *p = *state;

	full_make(p);
	for (size_t i = 0; i < COUNT(fail); i++) {
		unsigned made = 0;

		for (long n = 0; n < 40; n++) {
			struct profile *f;

			fail[i](n);
			f = profile_copy(p);
			mem_fail_after(-1);
			if (f)
				copy_is_whole(f, p);
			profile_drop(f);
			made += f != NULL;
		}
		assert_in_range(made, 1, 30);
	}
}

/* Its image goes; the names, which were the image's, stay, and so do the functions' numbers. */
static void a_profile_owns_its_strings(void **state)
{
	struct profile *p = *state;
	const char *file;

	full_make(p);
	file = p->functions[0].file;
	assert_int_equal(profile_own(p), 0);
	assert_true(p->functions[0].file != file);
	assert_string_equal(p->functions[0].file, file);
	assert_int_equal(p->functions[2].image_id, 1);
}

static void an_images_numbers_are_forgotten_with_it(void **state)
{
	struct profile *p = *state;

	full_make(p);
	profile_forget_image(p);
	for (size_t i = 0; i < p->function_count; i++)
		assert_int_equal(p->functions[i].image_id, IMAGE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(durations_are_known_of_sites_that_have_them),
		CASE(durations_of_no_site_are_left_out),
		CASE(durations_since_a_reset),
		CASE(durations_go_with_their_site),
		CASE(one_without_durations_has_none_of_who_went),
		CASE(a_restart_forgets_durations),
		CASE(memory_of_durations_is_counted),
		CASE(ways_of_calls_are_those_since_a_reset),
		CASE(ways_of_calls_may_begin_anew),
		CASE(a_function_has_its_newest_depth),
		CASE(without_memory_depths_are_refused),
		CASE(instructions_have_their_ticks_since_a_reset),
		CASE(a_copy_has_all_and_shares_nothing),
		CASE(without_memory_no_copy_is_half),
		CASE(a_profile_owns_its_strings),
		CASE(an_images_numbers_are_forgotten_with_it),
	};

	return cmocka_run_group_tests_name("counts_traced", tests, NULL, NULL);
}
