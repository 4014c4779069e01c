/*
 * period: how many cycles of the processor a PC sample stands for (profile_take_cycles).
 *
 * A trace port samples each so many cycles, and its time stamps count them. Not each span between
 * two samples is a period: packets are lost, and in sleep the sampler may stand while the stamps go
 * on. Spans of up to NODE_PERIOD_MOST usual ones are told by the samples that came, so that lost
 * ones weigh as what they were; longer ones are sleep.
 */
#include "core/node/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/link/source.h"
#include "core/profile/raw/feed.h"

enum { NODE_PERIOD_MOST = 8 };

static int span_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double span_usual(const struct node_period *k)
{
	double sorted[NODE_PERIODS];

	memcpy(sorted, k->recent, sizeof(sorted));
	qsort(sorted, NODE_PERIODS, sizeof(*sorted), span_compare);
	return sorted[NODE_PERIODS / 2];
}

static void span_take(struct node_period *k, double span)
{
	double each = span / (double)k->count;

	k->recent[k->known++ % NODE_PERIODS] = each;
	if (k->known < NODE_PERIODS || each > NODE_PERIOD_MOST * span_usual(k))
		return;
	k->sum += span;
	k->samples += (double)k->count;
}

void period_take(struct node_period *k, uint64_t ticks, size_t count)
{
	if (ticks > k->ticks) {
		if (k->ticks && k->count)
			span_take(k, (double)(ticks - k->ticks));
		k->ticks = ticks;
		k->count = 0;
	}
	k->count += count;
}

/* Of SWO that was set up here, else as given. */
static double clock_known(const struct node *n)
{
	double set = n->seen.swo.setup.clock_hz;

	return set > 0 ? set : source_number(n->options.source, "clock");
}

void period_give(struct node *n)
{
	const struct node_seen *s = &n->seen;
	struct profile *p = node_stream_profile(n);
	double counted = wire_when(n->inputs[0].wire)->sample_cycles;
	double runs = s->has_probe ? 1 - s->probe.halted : 1, clock = clock_known(n);

	if (counted > 0)
		profile_take_cycles(p, counted, CYCLES_COUNTER);
	else if (s->stamped.samples > 0)
		profile_take_cycles(p, s->stamped.sum / s->stamped.samples, CYCLES_STAMPS);
	else if (clock > 0 && s->sampling.rate > 0)
		profile_take_cycles(p, clock * runs / s->sampling.rate, CYCLES_CLOCK);
	else
		profile_take_cycles(p, 0, CYCLES_UNKNOWN);
}
