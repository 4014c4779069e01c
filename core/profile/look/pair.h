/*
 * pair: which function of one profile is which of another. Private to core/profile.
 */
#ifndef WSNTOP_PROFILE_LOOK_PAIR_H
#define WSNTOP_PROFILE_LOOK_PAIR_H

#include "core/profile/profile.h"

/*
 * then[i]: the function of `base` that is function i of `now`, or PROFILE_NONE; on the way in a
 * guess, taken where name and file say the same. back[i]: likewise the other way round, on the way
 * out. 0 or ERR_NOMEM.
 */
int pair_functions(const struct profile *base, const struct profile *now, uint32_t *then,
		   uint32_t *back);

#endif
