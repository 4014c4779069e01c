#include "core/base/budget.h"

#include <stdint.h>

void budget_join(struct budget *b, struct budget_member *m, void (*give)(void *owner, size_t room),
		 void *owner)
{
	*m = (struct budget_member){ .budget = b, .next = b->members, .give = give,
				     .owner = owner };
	b->members = m;
	b->count++;
}

void budget_leave(struct budget_member *m)
{
	struct budget *b = m->budget;

	if (!b)
		return;
	budget_set(m, 0);
	for (struct budget_member **at = &b->members; *at; at = &(*at)->next) {
		if (*at == m) {
			*at = m->next;
			b->count--;
			break;
		}
	}
	m->budget = NULL;
}

void budget_set(struct budget_member *m, size_t bytes)
{
	if (!m->budget)
		return;
	m->budget->used += bytes - m->used;
	m->used = bytes;
}

/* Of the others who keep more than `share`; NULL: none does. */
static struct budget_member *member_largest(const struct budget_member *me, size_t share)
{
	struct budget_member *largest = NULL;

	for (struct budget_member *m = me->budget->members; m; m = m->next) {
		if (m != me && m->used > (largest ? largest->used : share))
			largest = m;
	}
	return largest;
}

size_t budget_want(struct budget_member *m, size_t bytes)
{
	struct budget *b = m->budget;
	size_t share;

	if (!b)
		return SIZE_MAX;
	share = b->limit / b->count;
	budget_set(m, bytes);
	while (b->used > b->limit) {
		struct budget_member *largest = member_largest(m, share);
		size_t before = largest ? largest->used : 0, over = b->used - b->limit;

		if (!largest)
			break;
		largest->give(largest->owner, before - share > over ? before - over : share);
		if (largest->used >= before)
			break;		/* it cannot */
	}
	return budget_room(m);
}

size_t budget_room(const struct budget_member *m)
{
	const struct budget *b = m->budget;
	size_t share = b ? b->limit / b->count : SIZE_MAX, others = b ? b->used - m->used : 0;

	return b && others + share < b->limit ? b->limit - others : share;
}
