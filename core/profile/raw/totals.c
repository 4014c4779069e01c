/*
 * totals: wsn's running totals, one by one from its frames, and the terms in its HELLO. Calls by
 * duration have an array of their own beside the sites: most streams have none.
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/raw/raw.h"
#include "core/wire/wsn/wsn.h"

/* --- terms ------------------------------------------------------------------------------------ */

/*
 * Samples are counted, not timed: at another rate the old ones would have another weight. So the
 * counts begin here.
 */
static void rate_take(struct profile *p, double hz)
{
	if (hz <= 0 || hz == p->terms.hz)
		return;
	if (p->pc_count && p->running)
		profile_rebase(p);	/* out of memory: the old samples stay, with a wrong weight
					 * */
	p->terms.hz = hz;
	p->dirty = true;
}

void profile_take_hello(struct profile *p, const struct wire_hello *hello)
{
	struct profile_terms *t = &p->terms;

	double skew = hello->features & WSN_F_TAKEN_BACK ? hello->skew : 0;

	if (t->ticks_per_second != hello->ticks_per_second || t->spread != hello->spread ||
	    t->skew != skew || t->cost != hello->cost)
		p->dirty = true;
	t->skew = skew;
	t->cost = hello->cost;
	t->ticks_per_second = hello->ticks_per_second;
	t->spread = hello->spread;
	t->max_sites = hello->max_sites;
	if (!t->gathers)
		profile_forget_derived(p);
	t->gathers = true;
	t->together = hello->together;
	t->correct = false;		/* that cost is INGA's profiler's */
	memcpy(t->bucket_below, hello->bucket_below, sizeof(t->bucket_below));
	rate_take(p, hello->hz);
}

void profile_take_rate(struct profile *p, double hz)
{
	p->dirty |= p->terms.hz != hz;
	p->terms.hz = hz;
}

void profile_take_cycles(struct profile *p, double cycles, enum profile_cycles by)
{
	p->dirty |= p->terms.cycles != cycles;
	p->terms.cycles = cycles;
	p->terms.cycles_by = (uint8_t)(cycles > 0 ? by : CYCLES_UNKNOWN);
}

void profile_take_clock(struct profile *p, double ticks_per_second, const uint64_t *bucket_below)
{
	p->dirty |= p->terms.ticks_per_second != ticks_per_second;
	p->terms.ticks_per_second = ticks_per_second;
	memcpy(p->terms.bucket_below, bucket_below, sizeof(p->terms.bucket_below));
}

void profile_seen_from_start(struct profile *p)
{
	p->settled = PROFILE_SETTLED;
}

void profile_take_run(struct profile *p, uint64_t ticks)
{
	p->dirty |= p->ticks_run != ticks;
	p->ticks_run = ticks;
}

void profile_take_age(struct profile *p, const struct wire_status *status)
{
	p->dirty |= p->age_run < status->run;
	p->age_run = p->age_told = status->run;
	p->age_before = status->run_before;
	p->age_late = status->late;
}

/* --- removal ---------------------------------------------------------------------------------- */

static void site_move(struct profile *p, size_t from, size_t to)
{
	p->sites[to] = p->sites[from];
	profile_fine_move(p, from, to);
	if (to < p->age_count)
		p->ages[to] = from < p->age_count ? p->ages[from] : (struct profile_age){ 0 };
	if (to < p->site_bases)
		p->site_base[to] = profile_site_base(p, (uint32_t)from);
	if (to < p->bucket_count)
		p->buckets[to] = from < p->bucket_count ? p->buckets[from] :
							  (struct profile_buckets){ { 0 } };
	if (to < p->bucket_bases)
		p->bucket_base[to] = from < p->bucket_bases ? p->bucket_base[from] :
							      (struct profile_buckets){ { 0 } };
}

int profile_sites_forget(struct profile *p)
{
	size_t kept = 0;

	if (!p->gone)
		return 0;
	for (size_t i = 0; i < p->site_count; i++) {
		if (!(p->sites[i].flags & ROW_GONE))
			site_move(p, i, kept++);
	}
	p->site_count = kept;
	profile_fines_keep(p, kept);
	if (p->site_bases > kept)
		p->site_bases = kept;
	if (p->age_count > kept)
		p->age_count = kept;
	if (p->bucket_count > kept)
		p->bucket_count = kept;
	if (p->bucket_bases > kept)
		p->bucket_bases = kept;
	p->gone = false;
	profile_forget_derived(p);
	return profile_sites_index(p);
}

/* --- one total -------------------------------------------------------------------------------- */

static int buckets_take(struct profile *p, uint32_t site, const uint64_t *bucket)
{
	if (site >= p->bucket_count) {
		if (mem_grow(&p->buckets, &p->bucket_cap, site + 1, sizeof(*p->buckets)) < 0) {
			p->dropped++;
			return ERR_NOMEM;
		}
		memset(p->buckets + p->bucket_count, 0,
		       (site + 1 - p->bucket_count) * sizeof(*p->buckets));
		p->bucket_count = site + 1;
	}
	for (size_t k = 0; k < WIRE_BUCKETS; k++) {
		uint64_t base = site < p->bucket_bases ? p->bucket_base[site].calls[k] : 0;

		p->buckets[site].calls[k] = profile_less(bucket[k], base);
	}
	return 0;
}

static void times_take(struct profile_site *s, const struct wire_total *t, uint64_t base)
{
	s->timed = t->has & TOTAL_TIMED;
	s->total = s->timed ? profile_less(t->total, base) : 0;
	s->min = t->has & TOTAL_MINMAX && t->calls ? t->min : UINT64_MAX;
	s->max = t->has & TOTAL_MINMAX && t->calls ? t->max : 0;
}

/* An arc with the callee's entry as address is the same call as a site, whose counts are kept. */
static bool is_told(const struct profile *p, uint32_t site, const struct wire_total *t)
{
	return site != PROFILE_NONE && t->kind == TOTAL_ARC && p->sites[site].kind == TOTAL_SITE;
}

/* 1: this is the total's site, made when it was not there. 0: another total tells it already. */
static int total_site(struct profile *p, const struct wire_total *t, uint32_t *site)
{
	*site = profile_site_find(p, t->from, t->to);
	if (is_told(p, *site, t))
		return 0;
	if (*site == PROFILE_NONE)
		*site = profile_site_get(p, t->from, t->to);
	return *site == PROFILE_NONE ? ERR_NOMEM : 1;
}

/* The next profile_compute removes it, as a rule together with others. */
static int call_forget(struct profile *p, const struct wire_total *t)
{
	uint32_t i = profile_site_find(p, t->from, t->to);

	if (i == PROFILE_NONE || is_told(p, i, t))
		return 0;
	p->sites[i].flags |= ROW_GONE;
	p->gone = true;
	return 0;
}

static int call_take(struct profile *p, const struct wire_total *t)
{
	unsigned flags = (t->flags & (ROW_DECODED | ROW_BOUNDS)) |
			 (wire_is_exc_return(t->from) ? ROW_HANDLER : 0);
	size_t before = p->site_count;
	struct profile_base base;
	struct profile_site *s;
	uint64_t was;
	uint32_t i;
	int ret = total_site(p, t, &i);

	if (ret <= 0)
		return ret;
	s = &p->sites[i];
	base = profile_site_base(p, i);
	p->grew |= p->site_count > before && t->calls;
	if ((s->flags ^ flags) & ROW_HANDLER && s->edge != PROFILE_NONE)
		profile_forget_derived(p);	/* it gets another edge */
	s->kind = (uint8_t)t->kind;
	s->heard = profile_heard(p);
	p->mixed |= p->sites[0].kind != s->kind;
	s->calls = profile_less(t->calls, base.calls);
	s->flags = (uint16_t)((s->flags & (ROW_NO_CALL | ROW_LOST)) | flags);
	was = s->total;
	times_take(s, t, base.total);
	if (t->run && s->timed && profile_age_take(p, i, t->run, was) < 0)
		return ERR_NOMEM;
	return t->has & TOTAL_HISTOGRAM ? buckets_take(p, i, t->bucket) : 0;
}

static int sample_take(struct profile *p, const struct wire_total *t)
{
	size_t before = p->pc_count;
	uint32_t i = profile_pc_get(p, t->from);

	if (i == PROFILE_NONE)
		return ERR_NOMEM;
	/* One that is gone has a count of 0: it is shown nowhere. */
	p->pcs[i].count = profile_less(t->calls, profile_pc_base(p, i).calls);
	p->pcs[i].heard = profile_heard(p);
	p->grew |= p->pc_count > before;
	return 0;
}

/* A row that the node has no room for was never heard: these are all that is known of it. */
static int lost_take(struct profile *p, const struct wire_total *t)
{
	uint32_t i;
	int ret = total_site(p, t, &i);

	if (ret <= 0)
		return ret;
	p->sites[i].flags |= ROW_LOST;
	if (!p->sites[i].heard && t->calls > p->sites[i].calls)
		p->sites[i].calls = t->calls;
	return 0;
}

static int total_take(struct profile *p, const struct wire_total *t)
{
	if (t->flags & ROW_LOST)
		return lost_take(p, t);
	if (t->kind == TOTAL_PC)
		return sample_take(p, t);
	return t->flags & ROW_GONE ? call_forget(p, t) : call_take(p, t);
}

int profile_take_totals(struct profile *p, const struct wire_total *totals, size_t n)
{
	int ret = 0;

	p->running = true;
	p->dirty = true;
	for (size_t i = 0; i < n; i++) {
		const struct wire_total *t = &totals[i];

		if (total_take(p, t) < 0)
			ret = ERR_NOMEM;
	}
	return ret;
}

/* --- calls by duration ------------------------------------------------------------------------ */

static bool buckets_add(const struct profile *p, uint32_t site, struct profile_buckets *sum)
{
	uint64_t any = 0;

	if (site >= p->bucket_count || !p->terms.bucket_below[0])
		return false;
	for (size_t k = 0; k < WIRE_BUCKETS; k++) {
		uint64_t calls = p->buckets[site].calls[k];

		any |= calls;
		if (__builtin_add_overflow(sum->calls[k], calls, &sum->calls[k]))
			sum->calls[k] = UINT64_MAX;
	}
	return any != 0;
}

bool profile_site_buckets(const struct profile *p, uint32_t site, struct profile_buckets *sum)
{
	*sum = (struct profile_buckets){ { 0 } };
	return buckets_add(p, site, sum);
}

static bool edge_buckets_add(const struct profile *p, uint32_t edge, struct profile_buckets *sum)
{
	bool any = false;

	for (uint32_t i = p->edges[edge].first_site; i != PROFILE_NONE; i = p->sites[i].next)
		any |= buckets_add(p, i, sum);
	return any;
}

bool profile_edge_buckets(const struct profile *p, uint32_t edge, struct profile_buckets *sum)
{
	*sum = (struct profile_buckets){ { 0 } };
	return p->bucket_count && edge_buckets_add(p, edge, sum);
}

bool profile_function_buckets(const struct profile *p, uint32_t function,
			      struct profile_buckets *sum)
{
	bool any = false;

	*sum = (struct profile_buckets){ { 0 } };
	if (!p->bucket_count)
		return false;
	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE;
	     i = p->edges[i].next_in)
		any |= edge_buckets_add(p, i, sum);
	return any;
}
