#include "core/wire/gdb/points.h"

#include <inttypes.h>
#include <stdio.h>

void points_unwant(struct points *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->of[i].wanted = false;
}

static struct point *point_find(struct points *p, enum point_type type, uint32_t address,
				uint32_t size)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->of[i].type == type && p->of[i].address == address && p->of[i].size == size)
			return &p->of[i];
	return NULL;
}

/* Room of one that is neither wanted nor set. */
static struct point *room_find(struct points *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (!p->of[i].wanted && !p->of[i].set)
			return &p->of[i];
	return p->count < POINTS ? &p->of[p->count++] : NULL;
}

struct point *points_want(struct points *p, enum point_type type, uint32_t address, uint32_t size)
{
	struct point *point = point_find(p, type, address, size);

	if (!point) {
		point = room_find(p);
		if (!point)
			return NULL;
		*point = (struct point){ .type = type, .address = address, .size = size };
	}
	point->wanted = true;
	return point;
}

struct point *points_break(struct points *p, uint32_t address)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->of[i].type == POINT_BREAK && p->of[i].address == address)
			return p->of[i].wanted ? &p->of[i] : NULL;
	return NULL;
}

bool points_lift(struct points *p, uint32_t address)
{
	bool any = false;

	for (size_t i = 0; i < p->count; i++) {
		struct point *point = &p->of[i];

		if (point->type == POINT_BREAK || !point->wanted ||
		    address - point->address >= point->size)
			continue;
		point->lifted = any = true;
	}
	return any;
}

bool point_goes(const struct point *point)
{
	return point->set && (!point->wanted || point->lifted);
}

struct point *points_due(struct points *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (point_goes(&p->of[i]))
			return &p->of[i];
	for (size_t i = 0; i < p->count; i++)
		if (p->of[i].lifted)
			return NULL;	/* its room is not for others */
	for (size_t i = 0; i < p->count; i++) {
		struct point *point = &p->of[i];

		if (point->wanted && !point->set && !point->refused)
			return point;
	}
	return NULL;
}

size_t point_text(const struct point *point, char *dst, size_t size)
{
	int n = snprintf(dst, size, "%c%d,%" PRIx32 ",%" PRIx32, point_goes(point) ? 'z' : 'Z',
			 point->type, point->address, point->size);

	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

/* What went for good makes room for others. One that the server does not take away is gone, too. */
void points_told(struct points *p, struct point *point, bool ok)
{
	if (!point_goes(point)) {
		point->set = point->taken = ok;
		point->refused = !ok;
		return;
	}
	point->set = false;
	point->taken &= point->lifted;
	for (size_t i = 0; i < p->count && !point->lifted; i++)
		p->of[i].refused = false;
}

bool points_unlift(struct points *p)
{
	bool any = false;

	for (size_t i = 0; i < p->count; i++) {
		any |= p->of[i].lifted;
		p->of[i].lifted = false;
	}
	return any;
}

size_t points_set(const struct points *p, bool breaks)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += p->of[i].taken && (p->of[i].type == POINT_BREAK) == breaks;
	return count;
}

struct point *points_any_set(struct points *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->of[i].set)
			return &p->of[i];
	return NULL;
}

void points_forget(struct points *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->of[i].set = p->of[i].taken = p->of[i].refused = p->of[i].lifted = false;
}
