#include "core/base/quota.h"

static size_t part_held(const struct quota_part *p)
{
	return p->used > p->least ? p->used : p->least;
}

void quota_join_elastic(struct quota *q, struct quota_part *p, size_t least,
			void (*give)(void *owner, size_t room), void *owner)
{
	*p = (struct quota_part){ .quota = q, .least = least, .give = give, .owner = owner };
	if (!q)
		return;
	p->next = q->parts;
	q->parts = p;
	q->held += least;
}

void quota_join(struct quota *q, struct quota_part *p)
{
	quota_join_elastic(q, p, 0, NULL, NULL);
}

void quota_leave(struct quota_part *p)
{
	struct quota *q = p->quota;

	if (!q)
		return;
	q->held -= part_held(p);
	for (struct quota_part **at = &q->parts; *at; at = &(*at)->next) {
		if (*at == p) {
			*at = p->next;
			break;
		}
	}
	*p = (struct quota_part){ NULL };
}

void quota_set(struct quota_part *p, size_t bytes)
{
	if (p->quota)
		p->quota->held -= part_held(p);
	p->used = bytes;
	if (p->quota)
		p->quota->held += part_held(p);
}

/* Elastic parts let go what is missing, as far as they can. */
static void room_make(struct quota *q, size_t wanted)
{
	for (struct quota_part *p = q->parts; p && wanted > q->limit - q->held; p = p->next) {
		size_t missing, left;

		if (!p->give || p->used <= p->least)
			continue;
		missing = wanted - (q->limit - q->held);
		left = p->used - p->least > missing ? p->used - missing : p->least;
		p->give(p->owner, left);
	}
}

bool quota_take(struct quota_part *p, size_t bytes)
{
	struct quota *q = p->quota;

	if (!q || bytes <= part_held(p)) {
		quota_set(p, bytes);
		return true;
	}
	if (q->held <= q->limit)
		room_make(q, bytes - part_held(p));
	if (q->held > q->limit || bytes - part_held(p) > q->limit - q->held) {
		q->refused++;
		return false;
	}
	quota_set(p, bytes);
	return true;
}

bool quota_more(struct quota_part *p, size_t bytes)
{
	return quota_take(p, p->used + bytes);
}

size_t quota_room(const struct quota_part *p)
{
	const struct quota *q = p->quota;
	size_t others = q ? q->held - part_held(p) : 0;

	return !q ? SIZE_MAX : others + p->least < q->limit ? q->limit - others : p->least;
}
