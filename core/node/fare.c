/*
 * fare: how the node and its line fare, over time: what the samples of health.h are made of.
 */
#include "core/node/parts.h"

#include <math.h>

#include "core/wire/wsn/wsn.h"

static double known_or_zero(double x)
{
	return isnan(x) ? 0 : x;
}

/* Which functions put the processor to sleep: found once for each image. */
void fare_sleepers(struct node *n)
{
	struct binding *b = &n->binding;
	size_t count;

	if (b->sleepers_of == b->image)
		return;
	b->sleepers_of = b->image;
	count = b->image ? image_sleepers(b->image, b->sleepers, NODE_SLEEPERS) : 0;
	b->sleeper_count = count < NODE_SLEEPERS ? count : NODE_SLEEPERS;
}

static double sleep_seconds(struct node *n, const struct profile *p)
{
	double sum = 0;

	fare_sleepers(n);
	for (size_t i = 0; i < n->binding.sleeper_count; i++) {
		uint32_t id = image_find(n->binding.image, n->binding.sleepers[i]);
		uint32_t f = id == IMAGE_NONE ? MAP_NONE : map_get(&p->function_index, id);

		if (f < p->function_count)
			sum += known_or_zero(p->functions[f].self_s);
	}
	return sum;
}

/* What profiling took that is in nobody's time: the node took it back. */
static double hooks_taken_back(const struct node *n)
{
	double ticks = node_hooks_ticks(n);

	if (isnan(ticks) || !n->talk.hello.ticks_per_second)
		return 0;
	if (!(n->talk.hello.features & WSN_F_TAKEN_BACK))
		ticks = (double)n->talk.status.poll;
	return ticks / n->talk.hello.ticks_per_second;
}

/* A node that sends its calls counts no time itself. */
static double handler_seconds(const struct node *n)
{
	double ticks = calls_handlers(n);

	if (!n->talk.has_status || !n->talk.hello.ticks_per_second)
		return 0;
	return (isnan(ticks) ? (double)n->talk.status.isr : ticks) / n->talk.hello.ticks_per_second;
}

void fare_service(struct node *n, uint64_t time_ns)
{
	struct profile *p;
	bool timed;
	struct health_now now;

	if (n->options.batch || !health_is_due(&n->health, time_ns))
		return;
	p = node_profile(n);
	profile_compute(p);
	timed = p->totals.time == PROFILE_TIME_TIMED;
	now = (struct health_now){
		.time_ns = time_ns,
		.told_ns = timed && profile_run_told(p) > 0 ? p->run_ns : 0,
		.selfs = timed && !isnan(p->totals.profiled_s) && profile_settled(p),
		.up = link_state(n->inputs[0].link) == LINK_UP,
		.restarts = n->talk.epochs,
		.resets = p->resets + p->rebases,
		.profile = n->selected,
		.of = {
			[HEALTH_BYTES] = (double)n->stats.bytes,
			[HEALTH_EVENTS] = (double)n->stats.events,
			[HEALTH_LOST] = (double)n->stats.lost,
			[HEALTH_BAD] = (double)n->stats.bad_bytes,
			[HEALTH_DAMAGED] = (double)n->stats.damaged,
			[HEALTH_MISSING] = n->talk.has_status ?
					   (double)losses_missing(&n->talk.status) : 0,
			[HEALTH_CALLS] = (double)p->totals.calls,
			[HEALTH_RUN] = profile_run_told(p),
			[HEALTH_ISR] = handler_seconds(n),
			[HEALTH_HOOKS] = hooks_taken_back(n),
			[HEALTH_SELF] = known_or_zero(p->totals.profiled_s),
			[HEALTH_SLEEP] = sleep_seconds(n, p),
		},
	};
	health_take(&n->health, &now);
}
