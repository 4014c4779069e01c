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
	if (m->budget->part.quota)
		quota_set(&m->budget->part, m->budget->used);
}

static size_t budget_limit(const struct budget *b)
{
	size_t room = quota_room(&b->part);

	return room < b->limit ? room : b->limit;
}

/* Of the others than `me` who keep more than `share`; NULL: none does. */
static struct budget_member *member_largest(const struct budget *b, const struct budget_member *me,
					    size_t share)
{
	struct budget_member *largest = NULL;

	for (struct budget_member *m = b->members; m; m = m->next) {
		if (m != me && m->used > (largest ? largest->used : share))
			largest = m;
	}
	return largest;
}

/* The others than `me` give until all is within the limit, or nobody can any more. */
static void budget_fit(struct budget *b, const struct budget_member *me, size_t limit)
{
	size_t share = b->count ? limit / b->count : limit;

	while (b->used > limit) {
		struct budget_member *largest = member_largest(b, me, share);
		size_t before = largest ? largest->used : 0, over = b->used - limit;

		if (!largest)
			break;
		largest->give(largest->owner, before - share > over ? before - over : share);
		if (largest->used >= before)
			break;		/* it cannot */
	}
}

static void budget_give(void *owner, size_t room)
{
	budget_fit(owner, NULL, room);
}

void budget_draw(struct budget *b, struct quota *from, size_t least)
{
	quota_join_elastic(from, &b->part, least < b->limit ? least : b->limit, budget_give, b);
	quota_set(&b->part, b->used);
}

void budget_part(struct budget *b)
{
	quota_leave(&b->part);
}

size_t budget_want(struct budget_member *m, size_t bytes)
{
	struct budget *b = m->budget;

	if (!b)
		return SIZE_MAX;
	budget_set(m, bytes);
	budget_fit(b, m, budget_limit(b));
	return budget_room(m);
}

size_t budget_room(const struct budget_member *m)
{
	const struct budget *b = m->budget;
	size_t limit = b ? budget_limit(b) : SIZE_MAX;
	size_t share = b ? limit / b->count : SIZE_MAX, others = b ? b->used - m->used : 0;

	return b && others + share < limit ? limit - others : share;
}
