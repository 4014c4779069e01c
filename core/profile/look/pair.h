/* pair: pairs the functions of two profiles. Private to core/profile. */
#ifndef WSNTOP_PROFILE_LOOK_PAIR_H
#define WSNTOP_PROFILE_LOOK_PAIR_H

#include "core/profile/profile.h"

/*
 * In: then[i] is a guess of base's function that pairs with now's function i, used where name and
 * file are equal. Out: then[i] is that function or PROFILE_NONE, and back[i] likewise from base to
 * now. 0 or ERR_NOMEM.
 */
int pair_functions(const struct profile *base, const struct profile *now, uint32_t *then,
		   uint32_t *back);

#endif
