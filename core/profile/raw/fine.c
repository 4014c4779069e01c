/* fine: calls by duration of a site, in the ranges of lengths.h, where each duration is known. */
#include "core/base/lengths.h"
#include "core/base/mem.h"
#include "core/profile/raw/feed.h"
#include "core/profile/raw/raw.h"

#include <string.h>

int profile_take_fine(struct profile *p, uint32_t from, uint32_t to, const uint32_t *calls)
{
	uint32_t site = profile_site_find(p, from, to);
	struct profile_fine *f;

	if (site == PROFILE_NONE)
		return 0;
	if (site >= p->fine_count) {
		if (mem_grow(&p->fines, &p->fine_cap, site + 1, sizeof(*p->fines)) < 0)
			return ERR_NOMEM;
		memset(p->fines + p->fine_count, 0,
		       (site + 1 - p->fine_count) * sizeof(*p->fines));
		p->fine_count = site + 1;
	}
	f = &p->fines[site];
	if (!f->calls)
		f->calls = mem_alloc(LENGTHS * sizeof(*f->calls));
	if (!f->calls)
		return ERR_NOMEM;
	memcpy(f->calls, calls, LENGTHS * sizeof(*f->calls));
	return 0;
}

void profile_fines_keep(struct profile *p, size_t sites)
{
	for (size_t i = sites; i < p->fine_count; i++) {
		mem_free(p->fines[i].calls);
		mem_free(p->fines[i].base);
	}
	if (p->fine_count > sites)
		p->fine_count = sites;
}

void profile_fines_rebase(struct profile *p)
{
	for (size_t i = 0; i < p->fine_count; i++) {
		struct profile_fine *f = &p->fines[i];

		if (!f->calls)
			continue;
		if (!f->base)
			f->base = mem_alloc(LENGTHS * sizeof(*f->base));
		if (f->base)
			memcpy(f->base, f->calls, LENGTHS * sizeof(*f->base));
	}
}

int profile_fines_copy(struct profile *to, const struct profile *from)
{
	if (mem_grow(&to->fines, &to->fine_cap, from->fine_count, sizeof(*to->fines)) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < from->fine_count; i++) {
		const struct profile_fine *f = &from->fines[i];
		struct profile_fine *copy = &to->fines[to->fine_count++];

		*copy = (struct profile_fine){ .calls = NULL };
		if (!f->calls)
			continue;
		copy->calls = mem_alloc(LENGTHS * sizeof(*copy->calls));
		if (!copy->calls)
			return ERR_NOMEM;
		for (size_t k = 0; k < LENGTHS; k++)
			copy->calls[k] = f->calls[k] - (f->base ? f->base[k] : 0);
	}
	return 0;
}

/* Sites move down in their order: those of one that went end up behind all that stay. */
void profile_fine_move(struct profile *p, size_t from, size_t to)
{
	struct profile_fine gone;

	if (from == to || to >= p->fine_count)
		return;
	if (from >= p->fine_count) {	/* sites behind it have none either */
		profile_fines_keep(p, to);
		return;
	}
	gone = p->fines[to];
	p->fines[to] = p->fines[from];
	p->fines[from] = gone;
}

size_t profile_fines_memory(const struct profile *p)
{
	size_t sum = p->fine_cap * sizeof(*p->fines);

	for (size_t i = 0; i < p->fine_count; i++)
		sum += (size_t)(!!p->fines[i].calls + !!p->fines[i].base) *
		       LENGTHS * sizeof(*p->fines->calls);
	return sum;
}

/* False: not all of its durations are known so finely. */
bool profile_fine_add(const struct profile *p, uint32_t site, uint64_t *sum)
{
	const struct profile_fine *f = site < p->fine_count ? &p->fines[site] : NULL;

	if (!p->sites[site].calls)
		return true;
	if (!f || !f->calls)
		return false;
	for (size_t k = 0; k < LENGTHS; k++)
		sum[k] += f->calls[k] - (f->base ? f->base[k] : 0);
	return true;
}
