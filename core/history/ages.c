/* ages: which image named the addresses when. */
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/history/parts.h"
#include "core/profile/raw/copy.h"
#include "core/profile/raw/feed.h"

/* A node names its firmware within so long after its start. */
#define SAID (5 * CLOCK_SECOND)

static struct history_age *age_at(struct history *h, uint32_t age)
{
	return &h->ages[age % AGES];
}

struct history_age *history_age_of(const struct history *h, const struct history_kept *k)
{
	return k->age < h->first_age ? NULL : (struct history_age *)&h->ages[k->age % AGES];
}

bool history_age_same(const struct history *h, const struct history_kept *a,
		      const struct history_kept *b)
{
	return a->age == b->age || (a->age < h->first_age && b->age < h->first_age);
}

static void age_release(struct history_age *age)
{
	profile_drop(age->then);
	*age = (struct history_age){ 0 };
}

void history_ages_release(struct history *h)
{
	for (int i = 0; i < AGES; i++)
		age_release(&h->ages[i]);
}

/* --- names that stay -------------------------------------------------------------------------- */

static void addresses_feed(const struct history *h, struct profile *p)
{
	for (size_t i = 0; i < h->site_count; i++) {
		const struct history_site *s = &h->sites[i];
		struct wire_total t = {
			.kind = s->kind, .from = s->from, .to = s->to,
			.flags = s->flags & ROW_DECODED,
		};

		profile_take_totals(p, &t, 1);
	}
	for (size_t i = 0; i < h->pc_count; i++) {
		struct wire_total t = { .kind = TOTAL_PC, .from = h->pcs[i].pc };

		profile_take_totals(p, &t, 1);
	}
}

/* A profile of all known addresses, with their functions. NULL: out of memory. */
static struct profile *names_keep(const struct history *h, const struct image *image)
{
	struct profile *p = mem_zalloc(sizeof(*p));

	if (!p || profile_init(p, "") < 0) {
		mem_free(p);
		return NULL;
	}
	if (h->terms_count)
		p->terms = h->terms[h->terms_count - 1];
	addresses_feed(h, p);
	profile_set_image(p, image);
	if (p->dropped || profile_compute(p) < 0 || profile_own(p) < 0) {
		profile_drop(p);
		return NULL;
	}
	profile_forget_image(p);
	return p;
}

/* --- another image ---------------------------------------------------------------------------- */

/* The first moment of the new firmware: the one in which the node restarted just now. */
static size_t began_at(const struct history *h)
{
	uint64_t now = h->last_ns;
	size_t i = h->count;

	if (h->count && now - (h->moments[0].m.time_ns - h->moments[0].m.length_ns) < SAID)
		return 0;
	while (i > 0 && h->moments[i - 1].age == h->age) {
		i--;
		if (h->moments[i].m.time_ns + SAID < now)
			break;
		if (h->moments[i].m.began)
			return i;
	}
	return h->count;
}

static void age_begin(struct history *h, const struct image *image, size_t first)
{
	h->age++;
	if (h->age - h->first_age >= AGES)
		age_release(&h->ages[h->first_age++ % AGES]);
	*age_at(h, h->age) = (struct history_age){ .image = image };
	for (size_t i = first; i < h->count; i++)
		h->moments[i].age = h->age;
	if (first < h->count)
		h->moments[first].m.image = true;
	else
		h->new_image = true;
	h->serial++;
}

void history_image(struct history *h, const struct image *image)
{
	struct history_age *age = age_at(h, h->age);
	size_t first;

	if (image == age->image)
		return;
	h->serial++;
	if (!age->image) {		/* the first image: earlier counts belong to it */
		age->image = image;
		return;
	}
	first = began_at(h);
	if (first == 0) {		/* no moment belongs to the old one */
		age->image = image;
		return;
	}
	age->then = names_keep(h, age->image);
	age->image = NULL;
	age_begin(h, image, first);
}
