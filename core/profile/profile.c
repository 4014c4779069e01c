#include "core/profile/profile.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/derive.h"

int profile_init(struct profile *p, const char *name)
{
	*p = (struct profile){ .hz = 1000, .dirty = true, .rebuild = true };
	map_init(&p->pc_index);
	map_init(&p->function_index);
	arena_init(&p->arena);
	p->totals.self_s = 0;
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
	mem_free((char *)p->name);
	*p = (struct profile){ 0 };
}

static void forget_derived(struct profile *p)
{
	p->rebuild = true;
	p->dirty = true;
}

static void forget_bases(struct profile *p)
{
	mem_free(p->site_base);
	mem_free(p->pc_base);
	p->site_base = p->pc_base = NULL;
	p->site_bases = p->pc_bases = 0;
	p->run_base = 0;
}

void profile_reset(struct profile *p)
{
	index_clear(&p->site_index);
	map_clear(&p->pc_index);
	p->site_count = 0;
	p->pc_count = 0;
	p->marks = 0;
	p->ticks_run = 0;
	p->announced_samples = 0;
	p->table_full = p->incomplete = false;
	forget_bases(p);
	forget_derived(p);
}

static struct profile_base site_base(const struct profile *p, size_t i)
{
	return i < p->site_bases ? p->site_base[i] : (struct profile_base){ 0, 0 };
}

static struct profile_base pc_base(const struct profile *p, size_t i)
{
	return i < p->pc_bases ? p->pc_base[i] : (struct profile_base){ 0, 0 };
}

static void rebase_sites(struct profile *p, struct profile_base *base)
{
	for (size_t i = 0; i < p->site_count; i++) {
		struct profile_site *s = &p->sites[i];
		struct profile_base old = site_base(p, i);

		base[i] = (struct profile_base){ 0, 0 };
		if (s->timed)
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
		struct profile_base old = pc_base(p, i);

		base[i].calls = old.calls + (p->sampled_reports ? p->pcs[i].count : 0);
		base[i].total = 0;
		p->pcs[i].count = 0;
	}
	mem_free(p->pc_base);
	p->pc_base = base;
	p->pc_bases = p->pc_count;
}

int profile_rebase(struct profile *p)
{
	struct profile_base *sites = mem_alloc((p->site_count + 1) * sizeof(*sites));
	struct profile_base *pcs = mem_alloc((p->pc_count + 1) * sizeof(*pcs));

	if (!sites || !pcs) {
		mem_free(sites);
		mem_free(pcs);
		return ERR_NOMEM;
	}
	rebase_sites(p, sites);
	rebase_pcs(p, pcs);
	p->run_base = p->ticks_run;
	p->marks = 0;
	p->dirty = true;
	return 0;
}

void profile_set_image(struct profile *p, const struct image *image)
{
	p->image = image;
	forget_derived(p);
}

/* --- raw: sites ------------------------------------------------------------------------------- */

static uint32_t site_find(const struct profile *p, uint32_t from, uint32_t to)
{
	return index_get(&p->site_index, p->sites, profile_site_key_of, profile_site_key(from, to));
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
		.from = from, .to = to, .min = UINT32_MAX,
		.edge = PROFILE_NONE, .next = PROFILE_NONE,
	};
	p->site_count++;
	return i;
}

static uint32_t site_get(struct profile *p, uint32_t from, uint32_t to)
{
	uint32_t i = site_find(p, from, to);

	return i != PROFILE_NONE ? i : site_new(p, from, to);
}

void profile_add_arcs(struct profile *p, const struct wire_arc *arcs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t s = site_get(p, arcs[i].from, arcs[i].to);

		if (s != PROFILE_NONE)
			p->sites[s].calls++;
	}
	p->dirty = true;
}

/* --- raw: samples ----------------------------------------------------------------------------- */

static struct profile_pc *pc_get(struct profile *p, uint32_t pc)
{
	uint32_t i = map_get(&p->pc_index, pc);

	if (i != MAP_NONE)
		return &p->pcs[i];
	i = (uint32_t)p->pc_count;
	if (mem_grow(&p->pcs, &p->pc_cap, p->pc_count + 1, sizeof(*p->pcs)) < 0 ||
	    map_put(&p->pc_index, pc, i) < 0) {
		p->dropped++;
		return NULL;
	}
	p->pcs[i] = (struct profile_pc){ .pc = pc, .function = PROFILE_NONE };
	p->pc_count++;
	return &p->pcs[i];
}

void profile_add_samples(struct profile *p, const uint32_t *pcs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct profile_pc *pc = pc_get(p, pcs[i]);

		if (pc)
			pc->count++;
	}
	p->dirty = true;
}

/* --- raw: reports of running totals ----------------------------------------------------------- */

/*
 * A 32-bit counter stood at `before` and now prints `now`: has it wrapped, or did it start anew? A
 * node that reports at least every few minutes cannot lap half its range in between.
 */
static bool wrapped(uint64_t before, uint64_t now)
{
	return (uint32_t)before >= 0x80000000u && (uint32_t)now < 0x80000000u;
}

static uint64_t carried_on(uint64_t before, uint64_t now)
{
	if (now >= before || now > UINT32_MAX)
		return now;
	return before + (uint32_t)((uint32_t)now - (uint32_t)before);
}

static bool rows_shrank(const struct profile *p, const struct wire_report *r)
{
	for (size_t i = 0; i < r->count; i++) {
		uint32_t s = site_find(p, r->rows[i].from, r->rows[i].to);
		uint64_t before = s != PROFILE_NONE ? p->sites[s].calls + site_base(p, s).calls : 0;

		if (r->rows[i].calls < (uint32_t)before && !wrapped(before, r->rows[i].calls))
			return true;
	}
	return false;
}

/* Running totals cannot shrink: where one did, the node started anew and so do we. */
static bool started_anew(const struct profile *p, const struct wire_report *r)
{
	if (r->after_boot)
		return true;
	if (r->kind == REPORT_SPROF)
		return r->samples < p->announced_samples;
	return rows_shrank(p, r);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void row_take(struct profile *p, const struct wire_row *row)
{
	uint32_t i = site_get(p, row->from, row->to);
	struct profile_base base = site_base(p, i);
	struct profile_site *s;
	bool again;

	if (i == PROFILE_NONE)
		return;
	s = &p->sites[i];
	/* Named twice in one report (a garbled address): the later row counts; it is no wrap. */
	again = s->timed && s->generation == p->generation;
	s->calls = less(carried_on(again ? 0 : s->calls + base.calls, row->calls), base.calls);
	if (row->flags & ROW_TOTAL_NEGATIVE)
		s->total = 0;
	else
		s->total = less(carried_on(again ? 0 : s->total + base.total, row->total), base.total);
	s->min = row->min;
	s->max = row->max;
	s->flags = row->flags;
	s->timed = true;
	s->generation = p->generation;
}

/* Sites that the newest report does not name: gone, or kept as stale. */
static int sites_settle(struct profile *p, bool keep)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->site_count; i++) {
		struct profile_site *s = &p->sites[i];

		if (s->timed && s->generation != p->generation) {
			if (!keep)
				continue;
			s->flags |= PROFILE_STALE;
		}
		if (i < p->site_bases)
			p->site_base[kept] = p->site_base[i];
		else if (kept < p->site_bases)
			p->site_base[kept] = (struct profile_base){ 0, 0 };
		p->sites[kept++] = *s;
	}
	if (kept == p->site_count)
		return 0;
	p->site_count = kept;
	if (p->site_bases > kept)
		p->site_bases = kept;
	forget_derived(p);
	index_clear(&p->site_index);
	for (uint32_t i = 0; i < kept; i++) {
		uint64_t key = profile_site_key_of(p->sites, i);

		if (index_put(&p->site_index, p->sites, profile_site_key_of, key, i) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int take_rows(struct profile *p, const struct wire_report *r, bool strict)
{
	size_t count = r->count;

	/* Printed from a live table, more rows can follow than the header announced. */
	if (strict && count > r->num_sites)
		count = (size_t)r->num_sites;
	p->beyond = r->count - count;
	for (size_t i = 0; i < count; i++)
		row_take(p, &r->rows[i]);
	p->num_sites = r->num_sites;
	p->max_sites = r->max_sites;
	p->table_full = r->max_sites && r->num_sites >= r->max_sites;
	return sites_settle(p, !r->complete && !strict);
}

/* Paper 1's counters of samples at one PC have 16 bits: one that shrank went round. */
static uint64_t samples_carried_on(uint64_t before, uint64_t now)
{
	return now >= before || now > UINT16_MAX ? now : before + (uint16_t)(now - before);
}

static void sampled_take(struct profile *p, const struct wire_sampled *row)
{
	struct profile_pc *pc = pc_get(p, row->pc);
	uint64_t base;

	if (!pc)
		return;
	base = pc_base(p, (size_t)(pc - p->pcs)).calls;
	pc->count = less(samples_carried_on(pc->count + base, row->count), base);
	pc->generation = p->generation;
}

static void take_sampled(struct profile *p, const struct wire_report *r, bool strict)
{
	p->sampled_reports = true;
	p->announced_samples = r->samples;
	for (size_t i = 0; i < r->count; i++)
		sampled_take(p, &r->sampled[i]);
	for (size_t i = 0; i < p->pc_count && (r->complete || strict); i++) {
		if (p->pcs[i].generation != p->generation)
			p->pcs[i].count = 0;
	}
}

int profile_take_report(struct profile *p, const struct wire_report *r, bool strict)
{
	uint64_t dropped = p->dropped;
	int ret = 0;

	if (started_anew(p, r))
		profile_reset(p);
	p->generation++;
	p->incomplete = !r->complete;
	p->dirty = true;
	if (r->kind == REPORT_PROF) {
		p->ticks_run = r->ticks_run;
		p->ticks_per_second = (double)r->ticks_per_second;
		ret = take_rows(p, r, strict);
	} else {
		take_sampled(p, r, strict);
	}
	return p->dropped != dropped ? ERR_NOMEM : ret;
}

/* --- derived ---------------------------------------------------------------------------------- */

int profile_compute(struct profile *p)
{
	struct profile_components c = { 0 };
	double *scratch;
	int ret;

	if (!p->dirty)
		return 0;
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
		if (p->correct)
			profile_correct(p, &c, scratch);
		p->dirty = false;
	} else {
		ret = ERR_NOMEM;
	}
	mem_free(scratch);
	profile_components_release(&c);
	return ret;
}

/* Closer moments than this tell no rate; a file's reports, which all come at once, are one moment. */
#define MARK_APART (CLOCK_SECOND / 20)

static void function_rate(struct profile_function *f, uint32_t oldest, double seconds)
{
	f->rate_calls = f->rate_self = NAN;
	if (seconds <= 0)
		return;
	if (f->called)
		f->rate_calls = ((double)f->calls - (double)f->past[oldest].calls) / seconds;
	if (f->time != TIME_NONE)
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
	now = p->marks % PROFILE_PAST;
	oldest = p->marks < PROFILE_PAST ? 0 : (p->marks + 1) % PROFILE_PAST;
	p->mark_ns[now] = time_ns;
	seconds = (double)(int64_t)(time_ns - p->mark_ns[oldest]) / (double)CLOCK_SECOND;
	for (size_t i = 0; i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];

		f->past[now].calls = f->calls;
		f->past[now].self_s = f->time == TIME_NONE ? 0 : f->self_s;
		function_rate(f, oldest, seconds);
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

static size_t map_memory(const struct map *m)
{
	return m->slots ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

size_t profile_memory(const struct profile *p)
{
	return p->site_cap * sizeof(*p->sites) + p->pc_cap * sizeof(*p->pcs) +
	       p->edge_cap * sizeof(*p->edges) + p->function_cap * sizeof(*p->functions) +
	       index_memory(&p->site_index) + index_memory(&p->edge_index) +
	       map_memory(&p->pc_index) + map_memory(&p->function_index) + p->arena.bytes;
}
