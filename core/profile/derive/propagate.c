#include "core/profile/derive/derive.h"

#include <math.h>

/*
 * gprof's propagation (Graham, Kessler, McKusick: "gprof: a call graph execution profiler", 1982,
 * section 4): a callee's time goes to its callers in proportion to their calls; a cycle is one
 * node, whose time goes to its callers from outside. The share of calls from no function goes to
 * none. Also here: inclusive ticks of timed functions in cycles.
 */

/* By component: what its members took together. */
struct shares {
	double *self;		/* of all members */
	double *children;	/* of what members call outside the component */
	double *calls;		/* into it from outside */
};

static void shares_count(const struct profile *p, const struct profile_components *c,
			 struct shares *s)
{
	for (size_t i = 0; i < p->edge_count; i++) {
		if (!profile_edge_inside(c, &p->edges[i]))
			s->calls[c->component[p->edges[i].to]] += (double)p->edges[i].calls;
	}
	for (size_t i = 0; i < p->function_count; i++)
		s->self[c->component[i]] += (double)p->functions[i].samples / p->terms.hz;
}

/*
 * One function's outgoing arcs: take over what its callees' components took. Returns its children's
 * time.
 */
static double arcs_charge(struct profile *p, const struct profile_components *c, struct shares *s,
			  uint32_t function)
{
	double children = 0;

	for (uint32_t i = p->functions[function].first_out; i != PROFILE_NONE;
	     i = p->edges[i].next_out) {
		struct profile_edge *e = &p->edges[i];
		uint32_t to = c->component[e->to];
		double share;

		if (profile_edge_inside(c, e) || s->calls[to] == 0)
			continue;
		share = (double)e->calls / s->calls[to];
		if (!e->timed) {
			e->self_s = s->self[to] * share;
			e->total_s = (s->self[to] + s->children[to]) * share;
		}
		children += (s->self[to] + s->children[to]) * share;
	}
	return children;
}

static bool is_sampled(const struct profile *p, const struct profile_function *f)
{
	if (f->time == PROFILE_TIME_TIMED)
		return false;
	/* With samples alone, 0 samples is a known time; beside timed rows only a hit is. */
	return p->totals.both ? f->samples > 0 : p->totals.samples > 0;
}

static void samples_propagate(struct profile *p, const struct profile_components *c,
			      struct shares *s)
{
	shares_count(p, c, s);
	for (size_t i = 0; i < p->function_count; i++) {
		uint32_t at = c->order[i];
		struct profile_function *f = &p->functions[at];
		double children = arcs_charge(p, c, s, at);

		s->children[c->component[at]] += children;
		if (!is_sampled(p, f))
			continue;
		f->time = PROFILE_TIME_SAMPLED;
		f->self_s = (double)f->samples / p->terms.hz;
		f->total_s = f->self_s + children;
		if (f->called && f->calls)
			f->per_call_s = f->total_s / (double)f->calls;
		if (p->totals.both)	/* else it has them all */
			p->totals.self_s += f->self_s;
	}
}

/*
 * Timed, in a cycle: the node summed every call of a member, those made while the cycle was already
 * running included. No member can have run longer than all calls into the cycle from outside; that
 * is exact for the member called from outside and an upper bound for the others.
 */
static void cycles_bound(struct profile *p, const struct profile_components *c, double *entered)
{
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];

		if (e->timed && !profile_edge_inside(c, e))
			entered[c->component[e->to]] += (double)e->total;
	}
	for (size_t i = 0; i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];
		double bound = entered[c->component[i]];

		if (!f->cycle || f->time != PROFILE_TIME_TIMED || bound <= 0 ||
		    (double)f->total_ticks <= bound)
			continue;
		f->total_ticks = (int64_t)bound;
		f->total_s = profile_seconds(p, bound);
	}
}

void profile_propagate(struct profile *p, const struct profile_components *c, double *scratch)
{
	size_t n = p->function_count + 1;
	struct shares s = { scratch, scratch + n, scratch + 2 * n };

	if (p->totals.samples)
		samples_propagate(p, c, &s);
	for (size_t i = 0; i < n; i++)
		scratch[i] = 0;
	cycles_bound(p, c, scratch);
}
