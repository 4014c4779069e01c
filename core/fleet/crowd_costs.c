/* crowd_costs: what functions took on a node of a crowd, and for how long it ran. */
#include <math.h>

#include "core/fleet/crowd.h"

static double run_seconds(uint64_t run, uint64_t before, double ticks_per_second)
{
	return run > before && ticks_per_second > 0 ? (double)(run - before) / ticks_per_second : 0;
}

double crowd_run(const struct crowd_node *n, enum crowd_when when)
{
	switch (when) {
	case CROWD_LAST:
		return run_seconds(n->last.run, 0, n->ticks_per_second);
	case CROWD_BEFORE:
		return run_seconds(n->before.run, 0, n->ticks_per_second);
	case CROWD_SINCE:
		return run_seconds(n->last.run, n->before.run, n->ticks_per_second);
	default:
		return n->former ? run_seconds(n->former->last.run, 0,
					       n->former->ticks_per_second) : 0;
	}
}

double crowd_hooks(const struct crowd_node *n, enum crowd_when when)
{
	uint64_t last = when == CROWD_BEFORE ? n->before.hooks : n->last.hooks;

	return when == CROWD_FORMER ? 0 :
	       run_seconds(last, when == CROWD_SINCE ? n->before.hooks : 0, n->ticks_per_second);
}

/* Which calls and ticks a time has: `then` of `now`, or NULL. */
struct span {
	size_t count;
	const uint32_t *sites;
	const uint64_t *calls, *total, *calls_then, *total_then;
	double ticks_per_second, hz;
};

static struct span span_of(const struct crowd_node *n, enum crowd_when when)
{
	const struct crowd_rows r = crowd_rows(n);
	struct span s = {
		.count = r.count, .sites = r.sites, .calls = r.calls, .total = r.total,
		.ticks_per_second = n->ticks_per_second, .hz = n->hz,
	};
	const struct crowd_former *f = n->former;

	if (when == CROWD_BEFORE) {
		s.calls = r.calls_before;
		s.total = r.total_before;
	} else if (when == CROWD_SINCE) {
		s.calls_then = r.calls_before;
		s.total_then = r.total_before;
	} else if (when == CROWD_FORMER) {
		s = (struct span){ 0 };
		if (f)
			s = (struct span){
				.count = f->count, .calls = f->rows, .total = f->rows + f->count,
				.sites = (const uint32_t *)(f->rows + 2 * f->count),
				.ticks_per_second = f->ticks_per_second, .hz = f->hz,
			};
	}
	return s;
}

/* Running totals do not fall: what does was damaged on its way. */
static double span_count(const uint64_t *now, const uint64_t *then, size_t i)
{
	uint64_t before = then ? then[i] : 0;

	return now[i] > before ? (double)(now[i] - before) : 0;
}

enum { BY_CALLS, BY_SAMPLES, BY_TIME };

/* What tells self times: timed calls before samples. */
static int span_kind(const struct build *b, const struct span *s)
{
	int kind = BY_CALLS;

	for (size_t i = 0; i < s->count; i++) {
		if (span_count(s->total, s->total_then, i) > 0)
			return BY_TIME;
		if (b->sites[s->sites[i]].kind == TOTAL_PC)
			kind = BY_SAMPLES;
	}
	return kind;
}

static void cost_add(const struct build *b, const struct span *s, size_t i, int kind,
		     struct crowd_cost *costs)
{
	const struct build_site *at = &b->sites[s->sites[i]];
	double calls = span_count(s->calls, s->calls_then, i);
	double ticks = span_count(s->total, s->total_then, i);

	if (at->twice || at->callee == BUILD_NONE || at->callee >= b->function_count)
		return;
	if (at->kind == TOTAL_PC) {
		if (kind == BY_SAMPLES)
			costs[at->callee].self_s += s->hz > 0 ? calls / s->hz : 0;
		return;
	}
	costs[at->callee].calls += calls;
	if (kind != BY_TIME || !(s->ticks_per_second > 0))
		return;
	costs[at->callee].self_s += ticks / s->ticks_per_second;
	if (at->caller != BUILD_NONE && at->caller < b->function_count)
		costs[at->caller].self_s -= ticks / s->ticks_per_second;
}

double crowd_costs(const struct crowd *c, size_t node, enum crowd_when when,
		   struct crowd_cost *costs)
{
	const struct crowd_node *n = crowd_node(c, node);
	const struct span s = span_of(n, when);
	const struct build *b = crowd_build(c, when == CROWD_FORMER && n->former ?
					       n->former->build : n->build);
	int kind = span_kind(b, &s);
	double sum = 0;

	for (size_t i = 0; i < b->function_count; i++)
		costs[i] = (struct crowd_cost){ 0 };
	for (size_t i = 0; i < s.count; i++)
		cost_add(b, &s, i, kind, costs);
	for (size_t i = 0; i < b->function_count; i++) {
		/* The calls of one that never ended are not in its callers' time. */
		if (costs[i].self_s < 0)
			costs[i].self_s = 0;
		sum += costs[i].self_s;
		if (kind == BY_CALLS)
			costs[i].self_s = (double)NAN;
	}
	return sum;
}
