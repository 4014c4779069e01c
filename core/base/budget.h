/*
 * budget: a number of bytes that several may keep together.
 *
 * While all together keep less than the limit each may keep what is left; past it whoever is
 * furthest above an equal share gives back. So one busy node has all the room, two busy ones half
 * each, and the sum stays within the limit as far as members can give. Not for threads: all
 * members are changed by one.
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

/* It keeps so many bytes now. */
void budget_set(struct budget_member *m, size_t bytes);

/*
 * It wants to keep so many bytes: others give what they have above their share. Returns what it may
 * keep; SIZE_MAX in no budget.
 */
size_t budget_want(struct budget_member *m, size_t bytes);

/* What it may keep as things are; SIZE_MAX in no budget. */
size_t budget_room(const struct budget_member *m);

#endif
