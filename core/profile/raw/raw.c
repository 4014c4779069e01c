/* raw: a profile's life, its call sites and PCs by address, counted arcs and samples. */
#include "core/profile/raw/raw.h"

#include <math.h>

#include "core/base/mem.h"

int profile_init(struct profile *p, const char *name)
{
	*p = (struct profile){
		.terms = { .hz = 1000 }, .dirty = true, .rebuild = true, .rate_calls = NAN,
		.pace = NAN,
	};
	map_init(&p->pc_index);
	map_init(&p->depth_index);
	map_init(&p->spent_index);
	map_init(&p->function_index);
	arena_init(&p->arena);
	p->totals.self_s = p->totals.profiled_s = 0;
	p->totals.run_s = NAN;
	p->name = mem_strdup(name);
	return p->name ? 0 : ERR_NOMEM;
}

void profile_release(struct profile *p)
{
	index_release(&p->site_index);
	map_release(&p->pc_index);
	index_release(&p->edge_index);
	map_release(&p->function_index);
	arena_release(&p->arena);
	mem_free(p->sites);
	mem_free(p->pcs);
	mem_free(p->edges);
	mem_free(p->functions);
	mem_free(p->site_base);
	mem_free(p->pc_base);
	mem_free(p->buckets);
	mem_free(p->fixes);
	mem_free(p->bucket_base);
	mem_free(p->ages);
	profile_fines_keep(p, 0);
	mem_free(p->fines);
	mem_free(p->paths);
	mem_free(p->places);
	mem_free(p->depths);
	map_release(&p->depth_index);
	mem_free(p->spent);
	map_release(&p->spent_index);
	mem_free(p->lines);
	regex_free(p->filter);
	mem_free((char *)p->name);
	*p = (struct profile){ 0 };
}

void profile_forget_derived(struct profile *p)
{
	p->rebuild = true;
	p->dirty = true;
}

static void bases_forget(struct profile *p)
{
	mem_free(p->site_base);
	mem_free(p->pc_base);
	mem_free(p->bucket_base);
	p->site_base = p->pc_base = NULL;
	p->bucket_base = NULL;
	p->site_bases = p->pc_bases = p->bucket_bases = 0;
	p->run_base = 0;
}

void profile_reset(struct profile *p)
{
	index_clear(&p->site_index);
	map_clear(&p->pc_index);
	p->site_count = 0;
	p->pc_count = 0;
	p->bucket_count = 0;
	profile_fines_keep(p, 0);
	p->path_count = 0;
	p->depth_count = 0;
	map_clear(&p->depth_index);
	p->spent_count = 0;
	map_clear(&p->spent_index);
	p->age_count = 0;
	p->age_run = p->age_told = p->age_before = p->age_common = 0;
	p->age_late = false;
	p->mixed = p->grew = p->gone = false;
	p->settled = 0;
	p->marks = 0;
	p->began_ns = 0;
	p->ticks_run = 0;
	p->asleep = p->asleep_base = 0;
	p->announced_samples = 0;
	p->terms.table_full = p->terms.incomplete = false;
	p->resets++;
	bases_forget(p);
	profile_forget_derived(p);
}

static void sites_rebase(struct profile *p, struct profile_base *base)
{
	for (size_t i = 0; i < p->site_count; i++) {
		struct profile_site *s = &p->sites[i];
		struct profile_base old = profile_site_base(p, (uint32_t)i);

		base[i] = (struct profile_base){ 0, 0 };
		if (p->running)
			base[i] = (struct profile_base){ old.calls + s->calls,
				old.total + s->total };
		s->calls = s->total = 0;
	}
	mem_free(p->site_base);
	p->site_base = base;
	p->site_bases = p->site_count;
}

static void pcs_rebase(struct profile *p, struct profile_base *base)
{
	for (size_t i = 0; i < p->pc_count; i++) {
		struct profile_base old = profile_pc_base(p, (uint32_t)i);

		base[i].calls = old.calls + (p->running ? p->pcs[i].count : 0);
		base[i].total = 0;
		p->pcs[i].count = 0;
	}
	mem_free(p->pc_base);
	p->pc_base = base;
	p->pc_bases = p->pc_count;
}

static void buckets_rebase(struct profile *p, struct profile_buckets *base)
{
	for (size_t i = 0; i < p->bucket_count; i++) {
		for (size_t k = 0; k < WIRE_BUCKETS; k++)
			base[i].calls[k] = p->buckets[i].calls[k] +
					   (i < p->bucket_bases ? p->bucket_base[i].calls[k] : 0);
		p->buckets[i] = (struct profile_buckets){ { 0 } };
	}
	mem_free(p->bucket_base);
	p->bucket_base = base;
	p->bucket_bases = p->bucket_count;
}

int profile_rebase(struct profile *p)
{
	struct profile_base *sites, *pcs;
	struct profile_buckets *buckets;

	if (p->picture)
		return 0;
	sites = mem_alloc((p->site_count + 1) * sizeof(*sites));
	pcs = mem_alloc((p->pc_count + 1) * sizeof(*pcs));
	buckets = mem_alloc((p->bucket_count + 1) * sizeof(*buckets));
	if (!sites || !pcs || !buckets) {
		mem_free(sites);
		mem_free(pcs);
		mem_free(buckets);
		return ERR_NOMEM;
	}
	sites_rebase(p, sites);
	pcs_rebase(p, pcs);
	buckets_rebase(p, buckets);
	profile_fines_rebase(p);
	profile_paths_rebase(p);
	profile_spent_rebase(p);
	p->run_base = p->ticks_run;
	p->asleep_base = p->asleep;
	p->rebases++;
	p->marks = 0;
	p->began_ns = 0;
	p->dirty = true;
	return 0;
}

void profile_set_image(struct profile *p, const struct image *image)
{
	if (p->picture)
		return;
	p->image = image;
	p->named = image && image_has_symbols(image);
	profile_forget_derived(p);
}

/* --- call sites ------------------------------------------------------------------------------- */

uint32_t profile_site_find(const struct profile *p, uint32_t from, uint32_t to)
{
	return index_get(&p->site_index, p->sites, profile_site_key_of, profile_site_key(from, to));
}

int profile_sites_index(struct profile *p)
{
	index_clear(&p->site_index);
	for (uint32_t i = 0; i < p->site_count; i++) {
		uint64_t key = profile_site_key_of(p->sites, i);

		if (index_put(&p->site_index, p->sites, profile_site_key_of, key, i) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static uint32_t site_new(struct profile *p, uint32_t from, uint32_t to)
{
	uint32_t i = (uint32_t)p->site_count;

	if (i >= PROFILE_SITES_MAX ||
	    mem_grow(&p->sites, &p->site_cap, p->site_count + 1, sizeof(*p->sites)) < 0 ||
	    index_put(&p->site_index, p->sites, profile_site_key_of, profile_site_key(from, to),
		      i) < 0) {
		p->dropped++;
		return PROFILE_NONE;
	}
	p->sites[i] = (struct profile_site){
		.from = from, .to = to, .min = UINT64_MAX, .kind = TOTAL_ARC,
		.edge = PROFILE_NONE, .next = PROFILE_NONE,
		.flags = wire_is_exc_return(from) ? ROW_HANDLER : 0,
	};
	p->site_count++;
	return i;
}

uint32_t profile_site_get(struct profile *p, uint32_t from, uint32_t to)
{
	uint32_t i = profile_site_find(p, from, to);

	return i != PROFILE_NONE ? i : site_new(p, from, to);
}

void profile_add_arcs(struct profile *p, const struct wire_arc *arcs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t s = profile_site_get(p, arcs[i].from, arcs[i].to);

		if (s != PROFILE_NONE)
			p->sites[s].calls++;
	}
	p->dirty = true;
}

/* --- samples ----------------------------------------------------------------------------- */

uint32_t profile_pc_get(struct profile *p, uint32_t pc)
{
	uint32_t i = map_get(&p->pc_index, pc);

	if (i != MAP_NONE)
		return i;
	i = (uint32_t)p->pc_count;
	if (i >= PROFILE_PCS_MAX ||
	    mem_grow(&p->pcs, &p->pc_cap, p->pc_count + 1, sizeof(*p->pcs)) < 0 ||
	    map_put(&p->pc_index, pc, i) < 0) {
		p->dropped++;
		return PROFILE_NONE;
	}
	p->pcs[i] = (struct profile_pc){ .pc = pc, .function = PROFILE_NONE };
	p->pc_count++;
	return i;
}

void profile_add_asleep(struct profile *p, uint64_t n)
{
	p->asleep += n;
	p->dirty = true;
}

void profile_add_samples(struct profile *p, const uint32_t *pcs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t pc = profile_pc_get(p, pcs[i]);

		if (pc != PROFILE_NONE)
			p->pcs[pc].count++;
	}
	p->dirty = true;
}
