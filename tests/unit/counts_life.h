/* counts_life: each test of counts has a profile of its own as its state. */
#ifndef WSNTOP_TESTS_COUNTS_LIFE_H
#define WSNTOP_TESTS_COUNTS_LIFE_H

#include "core/profile/profile.h"

static int counts_up(void **state)
{
	struct profile *p = malloc(sizeof(*p));

	*state = p;
	return profile_init(p, "test");
}

static int counts_down(void **state)
{
	profile_release(*state);
	free(*state);
	return 0;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, counts_up, counts_down)

#endif
