/*
 * profile_firmware: a small program, assembled here, and a profile of it. Only its call
 * instructions matter, and where they stand.
 */
#ifndef WSNTOP_TESTS_PROFILE_FIRMWARE_H
#define WSNTOP_TESTS_PROFILE_FIRMWARE_H

#include "tests/unit/image_made.h"

#include "core/image/image.h"
#include "core/profile/profile.h"

/* Each function is a row of 5-byte calls, so that return address n is its start + 5 * n. */
static const char firmware_source[] =
	".text\n"
	".macro fn name\n .globl \\name\n .type \\name,@function\n \\name:\n .endm\n"
	".macro end name\n ret\n .size \\name,.-\\name\n .balign 64,0xcc\n .endm\n"
	"fn main\n call a\n call b\n call fib\n call leaf\n end main\n"
	"fn a\n call b\n call leaf\n end a\n"
	"fn b\n call a\n call leaf\n end b\n"
	"fn fib\n call fib\n call fib\n end fib\n"
	"fn leaf\n nop\n nop\n nop\n nop\n end leaf\n"
	"fn lonely\n nop\n end lonely\n"
	"fn wsnprof_put\n nop\n nop\n end wsnprof_put\n"
	"fn __gnu_mcount_nc\n nop\n nop\n end __gnu_mcount_nc\n";

struct fixture {
	char dir[32];
	struct image *image;
	struct profile p;
};

static inline int set_up(void **state)
{
	struct fixture *t = calloc(1, sizeof(*t));

	t->image = unit_image(t->dir, firmware_source, "");
	*state = t;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *t = *state;

	image_free(t->image);
	assert_int_equal(unit_remove(t->dir), 0);
	free(t);
	return 0;
}

static inline int profile_up(void **state)
{
	struct fixture *t = *state;

	assert_int_equal(profile_init(&t->p, "test"), 0);
	profile_set_image(&t->p, t->image);
	return 0;
}

static inline int profile_down(void **state)
{
	struct fixture *t = *state;

	profile_release(&t->p);
	return 0;
}

static inline uint32_t entry_of(const struct fixture *t, const char *name)
{
	uint32_t id = image_find_name(t->image, name);

	assert_int_not_equal(id, IMAGE_NONE);
	return (uint32_t)image_function(t->image, id)->address;
}

static inline const struct profile_function *function_named(const struct fixture *t,
							    const char *name)
{
	uint32_t i = profile_find_name(&t->p, name);

	assert_int_not_equal(i, PROFILE_NONE);
	return &t->p.functions[i];
}

#endif
