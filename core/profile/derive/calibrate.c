#include "core/profile/derive/derive.h"
#include "core/profile/raw/raw.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/*
 * The node measures from hook to hook and takes back the same time for each call; the image tells
 * what the compiler put around the hooks of each function (core/image/calib). So a duration becomes
 * the plain program's,
 *
 *	duration + own - what the calls made within left in it
 *
 * The calls within are known by function, not by call: a function's part of them is divided among
 * its callers, and among the shortest and the longest call, as the time is. Self times do not
 * depend on that division. Rows of different age are brought to one time for it, as for self times
 * (profile_age_late()); a fix is in step with its own row.
 */

/*
 * Cycles that a calibrated duration may be off besides the difference of its function's paths: the
 * copies and saved registers that the plain program may have or not. 95 calls of 100, and of those
 * within each, are off by no more (tests/sim/test_calib.sh).
 */
#define UNKNOWN_CYCLES 6

struct calibration {
	struct profile *p;
	const struct profile_components *c;
	double *overhead;	/* by component: ticks left in it by the calls within */
	double *entered;	/* by component: ticks of the calls into it from outside */
};

/*
 * The node takes back less of a call so short that its clock would run backwards. Of a site's calls
 * only the mean, the shortest and the longest are known: the true mean of what is not taken back
 * lies between that of calls all alike and of calls at both ends (Jensen's inequality).
 */
static double short_rest(const struct profile_site *s, double shortest, double skew)
{
	double mean = (double)s->total / (double)s->calls + skew;
	double low = mean, high = mean, least, most;

	if (profile_site_bounds(s) && s->min < s->max) {
		low = (double)s->min + skew;
		high = (double)s->max + skew;
	}
	if (high <= shortest || low >= shortest || !(high > low))
		return fmax(0, shortest - mean);
	least = fmax(0, shortest - mean);
	most = (shortest - low) * fmin(1, fmax(0, (high - mean) / (high - low)));
	return (least + fmax(least, most)) / 2;
}

/* Ticks that a cycle of the image's figures takes; 0: not known. */
static double cycle_ticks(const struct profile *p, const struct image_calibration *ic)
{
	return ic->empty > 0 ? p->terms.cost / ic->empty : 1;
}

/* In ticks. */
static bool calibration_get(const struct profile *p, const struct profile_site *s,
			    struct image_calibration *ic)
{
	double tick = 0;

	*ic = (struct image_calibration){ 0 };
	if (image_calibration(p->image, s->from, s->to, ic))
		tick = cycle_ticks(p, ic);
	ic->own *= tick;
	ic->own_off = (ic->own_off + UNKNOWN_CYCLES) * tick;
	ic->slow *= tick;
	ic->left *= tick;
	ic->told = ic->empty > 0 ? ic->told * tick + ic->skews * p->terms.skew : 0;
	return tick > 0;
}

/* The component of the function at an address; PROFILE_NONE: it is not in the profile. */
static uint32_t component_at(const struct calibration *k, uint64_t address)
{
	uint32_t id = image_find(k->p->image, address);
	uint32_t f = id == IMAGE_NONE ? MAP_NONE : map_get(&k->p->function_index, id);

	return f == MAP_NONE ? PROFILE_NONE : k->c->component[f];
}

/* What a row was at the time that all are taken to, in parts of what it is. */
static double site_grown(const struct profile *p, uint32_t i)
{
	double off, late = profile_age_late(p, i, &off);

	return p->sites[i].total ? fmax(0, 1 + late / (double)p->sites[i].total) : 1;
}

/*
 * A site's own part of its fix, and what its calls leave in their caller's time. What an inlined
 * function's leave is in the function around it; its caller is that function's.
 *
 * A handler's duration on Cortex-M is as any function's. On AVR the registers that it saves are
 * mostly there for the hooks, which is not counted. What it leaves is in whatever it strikes.
 */
static void site_calibrate(struct calibration *k, uint32_t i)
{
	struct profile *p = k->p;
	const struct profile_site *s = &p->sites[i];
	uint32_t from = p->edges[s->edge].from;
	uint32_t in = from == PROFILE_NONE ? PROFILE_NONE : k->c->component[from];
	bool handler = s->flags & ROW_HANDLER;
	struct image_calibration ic;
	double left, calls;

	if (s->flags & ROW_TWICE || !s->timed || !s->calls)
		return;
	if (s->kind != TOTAL_SITE || !calibration_get(p, s, &ic)) {
		p->spread = fmax(p->spread, p->terms.spread);
		return;
	}
	if (handler && ic.empty <= 0)
		return;
	if (handler)
		ic.own -= ic.slow;
	p->fixes[i].min = p->fixes[i].max = llround(ic.own);
	p->fixes[i].total = llround(ic.own * (double)s->calls);
	p->spread = fmax(p->spread, ic.own_off);
	if (handler)
		return;
	calls = (double)s->calls * site_grown(p, i);
	left = (ic.left + ic.skews * p->terms.skew + short_rest(s, ic.shortest, p->terms.skew)) *
	       calls;
	p->left += left;
	p->left_told += ic.told * calls;
	if (ic.around != IMAGE_NOWHERE)
		in = component_at(k, ic.around);
	if (in != PROFILE_NONE)
		k->overhead[in] += left;
}

static void entered_sum(struct calibration *k)
{
	for (size_t i = 0; i < k->p->edge_count; i++) {
		const struct profile_edge *e = &k->p->edges[i];

		if (e->timed && !profile_edge_inside(k->c, e))
			k->entered[k->c->component[e->to]] += (double)e->total + (double)e->late;
	}
}

/* A component also has what is left in those that it calls: callees before callers. */
static void overhead_pass(struct calibration *k)
{
	for (size_t i = 0; i < k->p->function_count; i++) {
		uint32_t f = k->c->order[i];

		for (uint32_t n = k->p->functions[f].first_out; n != PROFILE_NONE;
		     n = k->p->edges[n].next_out) {
			const struct profile_edge *e = &k->p->edges[n];
			uint32_t to = k->c->component[e->to];

			if (e->timed && !profile_edge_inside(k->c, e) && k->entered[to] > 0)
				k->overhead[k->c->component[f]] +=
					k->overhead[to] * ((double)e->total + (double)e->late) /
					k->entered[to];
		}
	}
}

/* Ticks of a site that what was left within takes of so many of its ticks. */
static int64_t ticks_within(const struct calibration *k, const struct profile_site *s,
			    uint64_t ticks)
{
	uint32_t to = k->c->component[k->p->edges[s->edge].to];

	return k->entered[to] > 0 ?
	       llround(k->overhead[to] * (double)ticks / k->entered[to]) : 0;
}

static void fixes_finish(struct calibration *k)
{
	for (size_t i = 0; i < k->p->site_count; i++) {
		const struct profile_site *s = &k->p->sites[i];
		struct profile_fix *fix = &k->p->fixes[i];

		if (!s->timed)
			continue;
		fix->total -= ticks_within(k, s, s->total);
		if (!profile_site_bounds(s))
			continue;
		fix->min -= ticks_within(k, s, s->min);
		fix->max -= ticks_within(k, s, s->max);
	}
}

void profile_fixes_forget(struct profile *p)
{
	mem_free(p->fixes);
	p->fixes = NULL;
	p->fix_count = p->fix_cap = 0;
	p->left = p->left_told = 0;
}

/* One of its sites can be calibrated: then memory for all is of use. */
static bool is_calibrated(const struct profile *p)
{
	struct image_calibration ic;

	for (size_t i = 0; p->image && p->terms.skew > 0 && i < p->site_count; i++) {
		const struct profile_site *s = &p->sites[i];

		if (s->timed && calibration_get(p, s, &ic))
			return true;
	}
	return false;
}

int profile_calibrate(struct profile *p, const struct profile_components *c, double *scratch)
{
	struct calibration k = {
		.p = p, .c = c, .overhead = scratch, .entered = scratch + p->function_count + 1,
	};

	if (!is_calibrated(p))
		return 0;
	if (mem_grow(&p->fixes, &p->fix_cap, p->site_count + 1, sizeof(*p->fixes)) < 0)
		return ERR_NOMEM;
	p->fix_count = p->site_count;
	memset(p->fixes, 0, p->fix_count * sizeof(*p->fixes));
	p->spread = 0;
	p->left = p->left_told = 0;
	for (size_t i = 0; i < 2 * (p->function_count + 1); i++)
		scratch[i] = 0;
	for (uint32_t i = 0; i < p->site_count; i++)
		site_calibrate(&k, i);
	entered_sum(&k);
	overhead_pass(&k);
	fixes_finish(&k);
	return 1;
}

static uint64_t ticks_fixed(uint64_t ticks, int64_t fix)
{
	return fix < 0 && ticks < (uint64_t)-fix ? 0 : ticks + (uint64_t)fix;
}

/* Each is rounded to a tick; their mean lies between the shortest and the longest nevertheless. */
static void site_widen(struct profile_site *s)
{
	if (s->min > s->total / s->calls)
		s->min = s->total / s->calls;
	if (s->max < s->total / s->calls + (s->total % s->calls > 0))
		s->max = s->total / s->calls + (s->total % s->calls > 0);
}

struct profile_site profile_site_shown(const struct profile *p, uint32_t site)
{
	struct profile_site s = p->sites[site];

	if (site >= p->fix_count || !s.timed)
		return s;
	s.total = ticks_fixed(s.total, p->fixes[site].total);
	if (!profile_site_bounds(&s))
		return s;
	s.min = ticks_fixed(s.min, p->fixes[site].min);
	s.max = ticks_fixed(s.max, p->fixes[site].max);
	site_widen(&s);
	return s;
}
