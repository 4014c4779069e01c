/*
 * budget: a limit in bytes that several members share.
 *
 * As long as all members together keep less than the limit, each may use the rest. Beyond it the
 * member furthest above an equal share must give back. So one busy node has all the room, two busy
 * nodes half each, and the sum stays within the limit as far as members can give. Not thread-safe.
 *
 * A budget may draw from a quota (quota.h), which has more than it: its limit is what is left there
 * then, where that is less.
 */
#ifndef WSNTOP_BASE_BUDGET_H
#define WSNTOP_BASE_BUDGET_H

#include <stddef.h>

#include "core/base/quota.h"

struct budget_member {
	struct budget *budget;		/* NULL: in none */
	struct budget_member *next;
	size_t used;
	/* Keep no more than `room`, as far as possible; budget_set. */
	void (*give)(void *owner, size_t room);
	void *owner;
};

struct budget {
	size_t limit, used;
	struct budget_member *members;
	size_t count;
	struct quota_part part;		/* of whom it draws from */
};

static inline void budget_init(struct budget *b, size_t limit)
{
	*b = (struct budget){ .limit = limit };
}

/* From now on; `least` it has in any case. Until budget_part, before the quota goes. */
void budget_draw(struct budget *b, struct quota *from, size_t least);
void budget_part(struct budget *b);

void budget_join(struct budget *b, struct budget_member *m, void (*give)(void *owner, size_t room),
		 void *owner);
void budget_leave(struct budget_member *m);	/* also one that is in none */

/* The member keeps so many bytes now. */
void budget_set(struct budget_member *m, size_t bytes);

/*
 * The member wants to keep so many bytes: others give back the excess over their share. Returns
 * how many it may keep; SIZE_MAX in no budget.
 */
size_t budget_want(struct budget_member *m, size_t bytes);

/* How many bytes it may keep now; SIZE_MAX in no budget. */
size_t budget_room(const struct budget_member *m);

#endif
