/*
 * copy: a profile's picture at one moment, for showing or comparing while the node's own goes on.
 *
 * Holds all that views and exports read: functions, edges, call sites, samples, buckets, totals and
 * every string. Nothing in it points into the profile or its image, so that a new report or a
 * rebuilt image may come. Not to be fed or computed.
 */
#ifndef WSNTOP_PROFILE_RAW_COPY_H
#define WSNTOP_PROFILE_RAW_COPY_H

#include "core/profile/profile.h"

struct profile *profile_copy(const struct profile *p);	/* computed before; NULL: out of memory */
void profile_drop(struct profile *copied);		/* NULL is fine */

/*
 * A computed profile's strings become its own, so that its image may go: then profile_forget_image,
 * and it is not to be computed again. 0 or ERR_NOMEM.
 */
int profile_own(struct profile *p);
void profile_forget_image(struct profile *p);

#endif
