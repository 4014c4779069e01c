/*
 * node_health: how the node and its line fare, over time: what the samples of health.h are made of.
 */
#include "core/node/parts.h"

#include <math.h>

#include "core/wire/wsn/wsn.h"

static double if_known(double x)
{
	return isnan(x) ? 0 : x;
}

/* Which functions put the processor to sleep: found once for each image. */
static void find_sleepers(struct node *n)
{
	if (n->sleepers_of == n->image)
		return;
	n->sleepers_of = n->image;
	n->sleeper_count = n->image ? image_sleepers(n->image, n->sleepers, NODE_SLEEPERS) : 0;
	if (n->sleeper_count > NODE_SLEEPERS)
		n->sleeper_count = NODE_SLEEPERS;
}

static double slept(struct node *n, const struct profile *p)
{
	double sum = 0;

	find_sleepers(n);
	for (size_t i = 0; i < n->sleeper_count; i++) {
		uint32_t id = image_find(n->image, n->sleepers[i]);
		uint32_t f = id == IMAGE_NONE ? MAP_NONE : map_get(&p->function_index, id);

		if (f < p->function_count)
			sum += if_known(p->functions[f].self_s);
	}
	return sum;
}

/* What the hooks took that is in nobody's time: the node took it back. */
static double hooks_taken_back(const struct node *n, const struct profile *p)
{
	if (!n->has_hello || !n->hello.ticks_per_second || n->hello.cost <= 0 ||
	    !(n->hello.features & WSN_F_TAKEN_BACK))
		return 0;
	return (double)p->totals.calls * n->hello.cost / n->hello.ticks_per_second;
}

void node_health_service(struct node *n, uint64_t time_ns)
{
	struct profile *p;
	struct health_now now;

	if (n->options.batch || !health_is_due(&n->health, time_ns))
		return;
	p = node_profile(n);
	profile_compute(p);
	now = (struct health_now){
		.time_ns = time_ns,
		.bytes = n->stats.bytes, .events = n->stats.events, .lost = n->stats.lost,
		.bad = n->stats.bad_bytes, .damaged = n->stats.damaged,
		.missing = n->has_status ? losses_missing(&n->status) : 0,
		.calls = p->totals.calls,
		.run_s = if_known(p->totals.time == TIME_TIMED ? p->totals.run_s : NAN),
		.isr_s = n->has_status && n->hello.ticks_per_second ?
			 (double)n->status.isr / n->hello.ticks_per_second : 0,
		.self_s = if_known(p->totals.profiled_s),
		.sleep_s = slept(n, p),
		.hooks_s = hooks_taken_back(n, p),
		.up = link_state(n->link) == LINK_UP,
	};
	health_take(&n->health, &now);
}
