#include "core/profile/spots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

void spots_release(struct spots *s)
{
	mem_free(s->items);
	*s = (struct spots)SPOTS_INIT;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* A spot with neither label nor line is its address, and none is like it. */
static bool same_place(const struct spot *a, const struct spot *b)
{
	if (!a->label && !a->file)
		return !b->label && !b->file && a->pc == b->pc;
	return a->line == b->line && same_text(a->label, b->label) && same_text(a->file, b->file);
}

static struct spot place_of(const struct profile *p, const struct profile_pc *pc)
{
	struct image_line line = { 0 };
	struct spot s = { .pc = pc->pc, .samples = pc->count };

	if (!p->image)
		return s;
	s.label = image_label(p->image, pc->pc);
	if (image_line(p->image, pc->pc, &line)) {
		s.file = line.file;
		s.line = line.line;
	}
	return s;
}

static int spot_add(struct spots *s, const struct spot *spot)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!same_place(&s->items[i], spot))
			continue;
		s->items[i].samples += spot->samples;
		if (spot->pc < s->items[i].pc)
			s->items[i].pc = spot->pc;
		return 0;
	}
	if (mem_grow(&s->items, &s->cap, s->count + 1, sizeof(*s->items)) < 0)
		return ERR_NOMEM;
	s->items[s->count++] = *spot;
	return 0;
}

static int by_samples(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return (x->pc > y->pc) - (x->pc < y->pc);
}

int spots_find(struct spots *s, const struct profile *p, uint32_t function)
{
	s->count = 0;
	for (size_t i = 0; i < p->pc_count; i++) {
		struct spot spot;

		if (p->pcs[i].function != function || !p->pcs[i].count)
			continue;
		spot = place_of(p, &p->pcs[i]);
		if (spot_add(s, &spot) < 0)
			return ERR_NOMEM;
	}
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), by_samples);
	return 0;
}

const char *spot_name(const struct spot *s, char *dst, size_t size)
{
	if (s->label && s->file)
		snprintf(dst, size, "%s, %s:%u", s->label, s->file, s->line);
	else if (s->file)
		snprintf(dst, size, "%s:%u", s->file, s->line);
	else if (s->label)
		snprintf(dst, size, "%s", s->label);
	else
		snprintf(dst, size, "0x%05x", (unsigned)s->pc);
	return dst;
}
