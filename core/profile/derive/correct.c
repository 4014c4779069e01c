#include "core/profile/derive/derive.h"

#include <math.h>

/*
 * The cost of INGA's profiler, taken back from its reports. Measured on its own code (Contiki for
 * INGA, ATmega1284P at 8 MHz, avr-gcc 5.4 -Os): 418 cycles of the hooks lie inside the interval
 * that is charged to the function itself; the rest of a call's cost C falls to the caller, and C
 * grows with the number of sites, because the hooks search a sorted table. An estimate: a report
 * says how many sites there are, not where each one was found.
 */
#define CLOCK_HZ 8e6
#define OWN_CYCLES 418

static const struct { double sites, cycles; } call_cost[] = {
	{ 1, 1173 }, { 5, 1295 }, { 10, 1368 }, { 20, 1449 }, { 45, 1556 }, { 75, 1625 },
	{ 100, 1666 },
};
#define COSTS (sizeof(call_cost) / sizeof(call_cost[0]))

/* Binary search: between the measured points the cost goes with the logarithm of the sites. */
static double call_cycles(double sites)
{
	size_t i = 1;
	double t;

	if (sites <= call_cost[0].sites)
		return call_cost[0].cycles;
	while (i < COSTS - 1 && sites > call_cost[i].sites)
		i++;
	t = log(sites / call_cost[i - 1].sites) / log(call_cost[i].sites / call_cost[i - 1].sites);
	return call_cost[i - 1].cycles + t * (call_cost[i].cycles - call_cost[i - 1].cycles);
}

struct correction {
	struct profile *p;
	const struct profile_components *c;
	double own, caller;	/* ticks a call costs the callee's and the caller's time */
	double *overhead;	/* by component, inclusive, ticks */
	double *entered;	/* by component: ticks of the calls into it from outside */
	double *self;		/* by component: corrected self of its members */
};

static void entered_count(struct correction *k)
{
	for (size_t i = 0; i < k->p->edge_count; i++) {
		const struct profile_edge *e = &k->p->edges[i];

		if (e->timed && !profile_edge_inside(k->c, e))
			k->entered[k->c->component[e->to]] += (double)e->total;
	}
}

static void self_correct(struct correction *k, uint32_t function)
{
	struct profile_function *f = &k->p->functions[function];
	uint32_t here = k->c->component[function];
	double cost = k->own * (double)f->calls, below = 0;

	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = k->p->edges[i].next_out) {
		const struct profile_edge *e = &k->p->edges[i];
		uint32_t to = k->c->component[e->to];

		if (!e->timed)
			continue;
		cost += k->caller * (double)e->calls;
		if (!profile_edge_inside(k->c, e) && k->entered[to] > 0)
			below += k->overhead[to] * (double)e->total / k->entered[to];
	}
	k->overhead[here] += cost + below;
	if (f->time != PROFILE_TIME_TIMED)
		return;
	f->self_ticks = (int64_t)fmax(0, round((double)f->self_ticks - cost));
	if (!isnan(f->self_s))
		f->self_s = profile_seconds(k->p, (double)f->self_ticks);
	k->self[here] += (double)f->self_ticks;
}

/* What is left of each tick measured in this component. */
static double component_remaining(const struct correction *k, uint32_t component)
{
	double entered = k->entered[component];

	if (entered <= 0)
		return 1;
	return fmin(1, fmax(k->self[component], entered - k->overhead[component]) / entered);
}

static void edge_correct(struct correction *k, struct profile_edge *e)
{
	double r = component_remaining(k, k->c->component[e->to]);

	if (!e->timed)
		return;
	e->total = (uint64_t)llround((double)e->total * r);
	e->total_s = profile_seconds(k->p, (double)e->total);
	if (!profile_edge_range(e))
		return;
	e->min = (uint64_t)llround((double)e->min * r);
	e->max = (uint64_t)llround((double)e->max * r);
}

static void function_correct(struct correction *k, uint32_t function)
{
	struct profile_function *f = &k->p->functions[function];
	double r = component_remaining(k, k->c->component[function]);

	if (f->time != PROFILE_TIME_TIMED)
		return;
	f->total_ticks = (int64_t)fmax((double)f->self_ticks, round((double)f->total_ticks * r));
	f->total_s = profile_seconds(k->p, (double)f->total_ticks);
	f->per_call_s *= r;
	if (!f->has_minmax)
		return;
	f->min = (uint64_t)llround((double)f->min * r);
	f->max = (uint64_t)llround((double)f->max * r);
	f->min_s = profile_seconds(k->p, (double)f->min);
	f->max_s = profile_seconds(k->p, (double)f->max);
}

void profile_correct(struct profile *p, const struct profile_components *c, double *scratch)
{
	size_t n = p->function_count + 1;
	double cycles = call_cycles((double)(p->num_sites ? p->num_sites : p->site_count));
	double ticks_per_cycle = p->terms.ticks_per_second / CLOCK_HZ;
	struct correction k = {
		.p = p, .c = c, .own = OWN_CYCLES * ticks_per_cycle,
		.caller = (cycles - OWN_CYCLES) * ticks_per_cycle,
		.overhead = scratch, .entered = scratch + n, .self = scratch + 2 * n,
	};

	if (p->totals.time != PROFILE_TIME_TIMED)
		return;
	for (size_t i = 0; i < 3 * n; i++)
		scratch[i] = 0;
	entered_count(&k);
	for (size_t i = 0; i < p->function_count; i++)
		self_correct(&k, c->order[i]);
	for (size_t i = 0; i < p->edge_count; i++)
		edge_correct(&k, &p->edges[i]);
	p->totals.self_s = 0;
	for (uint32_t i = 0; i < p->function_count; i++) {
		function_correct(&k, i);
		if (p->functions[i].time != PROFILE_TIME_NONE)
			p->totals.self_s += p->functions[i].self_s;
	}
}
