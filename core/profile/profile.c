#include "core/profile/profile.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/derive/derive.h"
#include "core/profile/raw/raw.h"

int profile_init(struct profile *p, const char *name)
{
	*p = (struct profile){
		.terms = { .hz = 1000 }, .dirty = true, .rebuild = true, .rate_calls = NAN,
	};
	map_init(&p->pc_index);
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
	mem_free(p->bucket_base);
	mem_free((char *)p->name);
	*p = (struct profile){ 0 };
}

void profile_forget_derived(struct profile *p)
{
	p->rebuild = true;
	p->dirty = true;
}

static void forget_bases(struct profile *p)
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
	p->mixed = p->grew = p->gone = false;
	p->settled = 0;
	p->marks = 0;
	p->ticks_run = 0;
	p->announced_samples = 0;
	p->terms.table_full = p->terms.incomplete = false;
	p->resets++;
	forget_bases(p);
	profile_forget_derived(p);
}

static void rebase_sites(struct profile *p, struct profile_base *base)
{
	for (size_t i = 0; i < p->site_count; i++) {
		struct profile_site *s = &p->sites[i];
		struct profile_base old = profile_site_base(p, (uint32_t)i);

		base[i] = (struct profile_base){ 0, 0 };
		if (p->running)
			base[i] = (struct profile_base){ old.calls + s->calls, old.total + s->total };
		s->calls = s->total = 0;
	}
	mem_free(p->site_base);
	p->site_base = base;
	p->site_bases = p->site_count;
}

static void rebase_pcs(struct profile *p, struct profile_base *base)
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

static void rebase_buckets(struct profile *p, struct profile_buckets *base)
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
	struct profile_base *sites = mem_alloc((p->site_count + 1) * sizeof(*sites));
	struct profile_base *pcs = mem_alloc((p->pc_count + 1) * sizeof(*pcs));
	struct profile_buckets *buckets = mem_alloc((p->bucket_count + 1) * sizeof(*buckets));

	if (!sites || !pcs || !buckets) {
		mem_free(sites);
		mem_free(pcs);
		mem_free(buckets);
		return ERR_NOMEM;
	}
	rebase_sites(p, sites);
	rebase_pcs(p, pcs);
	rebase_buckets(p, buckets);
	p->run_base = p->ticks_run;
	p->rebases++;
	p->marks = 0;
	p->dirty = true;
	return 0;
}

void profile_set_image(struct profile *p, const struct image *image)
{
	p->image = image;
	p->named = image && image_has_symbols(image);
	profile_forget_derived(p);
}

/* --- raw: sites ------------------------------------------------------------------------------- */

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

	if (mem_grow(&p->sites, &p->site_cap, p->site_count + 1, sizeof(*p->sites)) < 0 ||
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

/* --- raw: samples ----------------------------------------------------------------------------- */

uint32_t profile_pc_get(struct profile *p, uint32_t pc)
{
	uint32_t i = map_get(&p->pc_index, pc);

	if (i != MAP_NONE)
		return i;
	i = (uint32_t)p->pc_count;
	if (mem_grow(&p->pcs, &p->pc_cap, p->pc_count + 1, sizeof(*p->pcs)) < 0 ||
	    map_put(&p->pc_index, pc, i) < 0) {
		p->dropped++;
		return PROFILE_NONE;
	}
	p->pcs[i] = (struct profile_pc){ .pc = pc, .function = PROFILE_NONE };
	p->pc_count++;
	return i;
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

/* --- derived ---------------------------------------------------------------------------------- */

int profile_compute(struct profile *p)
{
	struct profile_components c = { 0 };
	double *scratch;
	int ret;

	if (!p->dirty)
		return 0;
	ret = profile_sites_forget(p);
	if (ret == 0)
		ret = profile_resolve(p);
	if (ret < 0)
		return ret;
	profile_sum(p);
	ret = profile_components_find(p, &c);
	if (ret < 0)
		return ret;
	scratch = mem_zalloc((p->function_count + 1) * 3 * sizeof(*scratch));
	if (scratch) {
		profile_propagate(p, &c, scratch);
		if (p->terms.correct)
			profile_correct(p, &c, scratch);
		profile_limit(p);
		p->dirty = false;
	} else {
		ret = ERR_NOMEM;
	}
	mem_free(scratch);
	profile_components_release(&c);
	return ret;
}

/*
 * Closer moments than this tell no rate; a file's reports, which all come at once, are one moment.
 */
#define MARK_APART (CLOCK_SECOND / 20)

#define SETTLED 5		/* marks without a row that is new: the picture stands */

/*
 * Who joins a node that counts for hours hears of its rows one by one: what stands in them did not
 * happen this second. Until nothing new comes any more the window begins again with each of them.
 */
static void settle(struct profile *p)
{
	if (p->grew && p->settled < SETTLED) {
		p->marks = 0;
		p->settled = 0;
		for (size_t i = 0; i < p->function_count; i++)
			p->functions[i].rate_calls = p->functions[i].rate_self = NAN;
	} else if (p->settled < SETTLED) {
		p->settled++;
	}
	p->grew = false;
}

bool profile_settled(const struct profile *p)
{
	return !p->running || p->generation || p->settled >= SETTLED;
}

void profile_witness(struct profile *p)
{
	p->settled = SETTLED;
}

static void function_rate(struct profile_function *f, uint32_t oldest, double seconds)
{
	f->rate_calls = f->rate_self = NAN;
	if (seconds <= 0)
		return;
	if (f->called)
		f->rate_calls = ((double)f->calls - (double)f->past[oldest].calls) / seconds;
	if (f->time != TIME_NONE)	/* NaN where one of the two is not known */
		f->rate_self = (f->self_s - f->past[oldest].self_s) / seconds;
}

void profile_mark(struct profile *p, uint64_t time_ns)
{
	uint32_t now, oldest;
	double seconds;

	if (p->marks && time_ns - p->mark_ns[(p->marks - 1) % PROFILE_PAST] < MARK_APART)
		return;
	if (profile_compute(p) < 0)
		return;
	settle(p);
	now = p->marks % PROFILE_PAST;
	oldest = p->marks < PROFILE_PAST ? 0 : (p->marks + 1) % PROFILE_PAST;
	p->mark_ns[now] = time_ns;
	seconds = (double)(int64_t)(time_ns - p->mark_ns[oldest]) / (double)CLOCK_SECOND;
	p->rate_calls = seconds >= 2 ? 0 : NAN;	/* shorter, and it says when a refresh came */
	for (size_t i = 0; i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];

		f->past[now].calls = f->calls;
		f->past[now].self_s = f->time == TIME_NONE ? 0 : f->self_s;
		function_rate(f, oldest, seconds);
		if (!isnan(f->rate_calls))
			p->rate_calls += f->rate_calls;
	}
	p->marks++;
}

uint32_t profile_find_name(const struct profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->function_count; i++) {
		if (strcmp(p->functions[i].name, name) == 0)
			return i;
	}
	return PROFILE_NONE;
}

uint32_t profile_find_address(const struct profile *p, uint64_t address)
{
	for (uint32_t i = 0; i < p->function_count; i++)
		if (p->functions[i].address == address)
			return i;
	return PROFILE_NONE;
}

static size_t map_memory(const struct map *m)
{
	return m->slots ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

size_t profile_memory(const struct profile *p)
{
	return p->site_cap * sizeof(*p->sites) + p->pc_cap * sizeof(*p->pcs) +
	       p->edge_cap * sizeof(*p->edges) + p->function_cap * sizeof(*p->functions) +
	       index_memory(&p->site_index) + index_memory(&p->edge_index) +
	       (p->bucket_cap + p->bucket_bases) * sizeof(*p->buckets) + map_memory(&p->pc_index) + map_memory(&p->function_index) + p->arena.bytes;
}
