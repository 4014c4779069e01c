/*
 * tasks: what part of the self time each task has: the main program, and whatever else nothing
 * calls (context.h).
 *
 * Interrupt handlers are no tasks. What several tasks run, and what nobody was seen to call, is of
 * none. Firmware without tasks has one, or none.
 */
#ifndef WSNTOP_PROFILE_LOOK_TASKS_H
#define WSNTOP_PROFILE_LOOK_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "core/profile/look/context.h"
#include "core/profile/profile.h"

#define TASKS_MOST 6

struct task_share {
	uint32_t root;			/* function of the profile */
	double share;			/* 0..1 of the self time of all but handlers */
};

struct tasks {
	struct task_share items[TASKS_MOST];	/* the largest first */
	size_t count;
	/* private */
	double *sums;
	size_t cap;
};

void tasks_release(struct tasks *t);		/* one that is all zero holds nothing */

/* Of a computed profile and its contexts. 0 or ERR_NOMEM (then it is empty). */
int tasks_find(struct tasks *t, const struct contexts *c, const struct profile *p);

#endif
