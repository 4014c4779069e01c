/*
 * copy: a profile as it is at one moment, to show or compare while the node's own goes on. Has all
 * that views and exports read: functions, edges, call sites, samples, buckets, totals, terms and
 * all strings. Nothing in it points into the profile or its image, so that a new report or a
 * rebuilt image may come. Do not feed or compute it.
 */
#ifndef WSNTOP_PROFILE_RAW_COPY_H
#define WSNTOP_PROFILE_RAW_COPY_H

#include "core/profile/profile.h"

struct profile *profile_copy(const struct profile *p);	/* computed before; NULL: out of memory */
void profile_drop(struct profile *copied);		/* NULL is fine */

/*
 * Copies the strings of a computed profile into it, so that its image may be freed: then call
 * profile_forget_image, and do not compute it again. 0 or ERR_NOMEM.
 */
int profile_own(struct profile *p);
void profile_forget_image(struct profile *p);

#endif
