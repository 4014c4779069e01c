#include "core/profile/look/spots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

void spots_release(struct spots *s)
{
	mem_free(s->items);
	*s = (struct spots)SPOTS_INIT;
}

static int by_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return a == b ? 0 : strcmp(a, b);
}

/* Places in some order, equal ones side by side. One with neither label nor line is its address. */
static int by_place(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int order = by_text(x->label, y->label);

	if (order == 0)
		order = by_text(x->file, y->file);
	if (order)
		return order;
	if (!x->label && !x->file)
		return (x->pc > y->pc) - (x->pc < y->pc);
	return (x->line > y->line) - (x->line < y->line);
}

/* In the row of the node's runtime the places are its functions. */
static const char *runtime_name(const struct profile *p, const struct profile_pc *pc)
{
	uint32_t id = image_find(p->image, image_normal(p->image, pc->pc));

	return id != IMAGE_NONE ? image_function(p->image, id)->name : NULL;
}

static struct spot place_of(const struct profile *p, const struct profile_pc *pc)
{
	struct image_line line = { 0 };
	struct spot s = { .pc = pc->pc, .samples = pc->count };

	if (!p->image)
		return s;
	if (p->functions[pc->function].address == PROFILE_RUNTIME) {
		s.label = runtime_name(p, pc);
		return s;
	}
	s.label = image_label(p->image, pc->pc);
	if (image_line(p->image, pc->pc, &line)) {
		s.file = line.file;
		s.line = line.line;
	}
	return s;
}

/* Fold equal neighbours. */
static void spots_merge(struct spots *s)
{
	size_t kept = 0;

	for (size_t i = 1; i < s->count; i++) {
		struct spot *last = &s->items[kept];

		if (by_place(last, &s->items[i]) != 0) {
			s->items[++kept] = s->items[i];
			continue;
		}
		last->samples += s->items[i].samples;
		if (s->items[i].pc < last->pc)
			last->pc = s->items[i].pc;
	}
	s->count = s->count ? kept + 1 : 0;
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
		if (p->pcs[i].function != function || !p->pcs[i].count)
			continue;
		if (mem_grow(&s->items, &s->cap, s->count + 1, sizeof(*s->items)) < 0)
			return ERR_NOMEM;
		s->items[s->count++] = place_of(p, &p->pcs[i]);
	}
	if (!s->count)
		return 0;
	qsort(s->items, s->count, sizeof(*s->items), by_place);
	spots_merge(s);
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
