/*
 * freeze: a profile's picture at one moment, for showing while the node's own goes on.
 *
 * Holds all that views read: functions, edges, call sites, samples, totals and every string.
 * Nothing in it points into the profile or its image, so that a new report or a rebuilt image may
 * come. Not to be fed or computed.
 */
#ifndef WSNTOP_TUI_FREEZE_H
#define WSNTOP_TUI_FREEZE_H

#include "core/profile/profile.h"

struct profile *freeze_take(const struct profile *p);	/* NULL: out of memory */
void freeze_drop(struct profile *frozen);		/* NULL is fine */

#endif
