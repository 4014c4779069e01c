/*
 * budget: a limit in bytes that several members share.
 *
 * As long as all members together keep less than the limit, each may use the rest. Beyond it the
 * member furthest above an equal share must give back. So one busy node has all the room, two busy
 * nodes half each, and the sum stays within the limit as far as members can give. Not thread-safe.
 */
#ifndef WSNTOP_BASE_BUDGET_H
#define WSNTOP_BASE_BUDGET_H

#include <stddef.h>

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
};

static inline void budget_init(struct budget *b, size_t limit)
{
	*b = (struct budget){ .limit = limit };
}

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
