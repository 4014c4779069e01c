/*
 * quota: one limit in bytes for all that a program keeps of many things, whatever it is and whoever
 * keeps it. Each who keeps something has a part:
 *
 *	firm	quota_take() before it keeps more: it finds room, or it is refused and counted
 *	elastic	what can be let go, as the past of nodes: it has what nobody else takes, gives it
 *		back when a firm one asks, and may always keep `least`
 *
 * The sum of all parts stays within the limit, each counted with its `least` at least; but for what
 * quota_set() tells when it is kept already. Not thread-safe.
 */
#ifndef WSNTOP_BASE_QUOTA_H
#define WSNTOP_BASE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct quota_part {
	struct quota *quota;		/* NULL: in none */
	struct quota_part *next;
	size_t used, least;
	void (*give)(void *owner, size_t room);	/* keep no more than that; NULL: firm */
	void *owner;
};

struct quota {
	size_t limit, held;		/* held: by all parts, each `least` at least */
	struct quota_part *parts;
	uint64_t refused;		/* how often somebody found no room */
};

static inline void quota_init(struct quota *q, size_t limit)
{
	*q = (struct quota){ .limit = limit };
}

/* NULL: in none; all is granted then. */
void quota_join(struct quota *q, struct quota_part *p);
void quota_join_elastic(struct quota *q, struct quota_part *p, size_t least,
			void (*give)(void *owner, size_t room), void *owner);
void quota_leave(struct quota_part *p);	/* also one that is in none */

/* A firm part wants to keep so many bytes in all. False: no room, and it keeps what it has. */
bool quota_take(struct quota_part *p, size_t bytes);
/* So many more than now. */
bool quota_more(struct quota_part *p, size_t bytes);

/* It keeps so many now, whether there is room or not. */
void quota_set(struct quota_part *p, size_t bytes);

/* How many an elastic part may keep now; SIZE_MAX: it is in none. */
size_t quota_room(const struct quota_part *p);

#endif
