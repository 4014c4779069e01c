#include "tui/view/durations.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/text.h"

struct duration_sum {
	double seconds, calls;
};

void durations_release(struct durations *s)
{
	mem_free(s->items);
	mem_free(s->sums);
}

/* Along the edges as they lie in memory: chains would miss the cache once for each. */
int durations_begin(struct durations *s, const struct profile *p)
{
	s->profile = p;
	s->count = 0;
	s->longest = 0;
	if (mem_grow(&s->sums, &s->sum_cap, p->function_count, sizeof(*s->sums)) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->function_count; i++)
		s->sums[i] = (struct duration_sum){ 0, 0 };
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];

		if (!e->timed || e->flags & ROW_TOTAL_NEGATIVE)
			continue;
		s->sums[e->to].seconds += e->total_s;
		s->sums[e->to].calls += (double)e->calls;
	}
	return 0;
}

static bool span_add(struct durations *s, const struct duration *span)
{
	const struct profile *p = s->profile;
	uint32_t from = span->edge == PROFILE_NONE ? span->function : p->edges[span->edge].from;
	int length = from == PROFILE_NONE ? 13 : text_columns(p->functions[from].name);

	if (mem_grow(&s->items, &s->cap, s->count + 1, sizeof(*s->items)) < 0)
		return false;
	s->items[s->count++] = *span;
	if (span->edge != PROFILE_NONE)
		length += 7;
	s->longest = length > s->longest ? length : s->longest;
	return true;
}

/*
 * Over all its callers; recursive calls are calls too, so that the average lies between the others.
 */
bool durations_add_function(struct durations *s, uint32_t function)
{
	const struct profile_function *f = &s->profile->functions[function];
	double total = s->sums[function].seconds, calls = s->sums[function].calls, average;
	struct duration span;

	if (calls == 0 && f->time == TIME_SAMPLED && f->called) {
		total = f->total_s;
		calls = (double)f->calls;
	}
	average = calls > 0 ? total / calls : NAN;
	if (!(average > 0) && !(f->max_s > 0))
		return false;
	span = (struct duration){
		.function = function, .edge = PROFILE_NONE, .calls = f->called ? (double)f->calls : NAN,
		.min = f->min_s, .max = f->max_s, .average = average,
		.at_least = f->flags & ROW_MAX_AT_LEAST,
	};
	span.has_buckets = profile_function_buckets(s->profile, function, &span.buckets);
	return span_add(s, &span);
}

static struct duration edge_span(const struct profile *p, uint32_t edge)
{
	const struct profile_edge *e = &p->edges[edge];
	bool known = profile_edge_range(e);
	struct duration span;
	bool summed = e->calls && e->total_s > 0 && !(e->flags & ROW_TOTAL_NEGATIVE);

	span = (struct duration){
		.function = e->to, .edge = edge, .calls = (double)e->calls,
		.min = known ? profile_seconds(p, (double)e->min) : NAN,
		.max = known ? profile_seconds(p, (double)e->max) : NAN,
		.average = summed ? e->total_s / (double)e->calls : NAN,
		.at_least = e->flags & ROW_MAX_AT_LEAST,
	};
	span.has_buckets = profile_edge_buckets(p, edge, &span.buckets);
	return span;
}

static int dearer_edge(const void *a, const void *b, void *ctx)
{
	const struct profile *p = ((const struct durations *)ctx)->profile;
	const struct duration *sa = a, *sb = b;
	double ta = p->edges[sa->edge].total_s, tb = p->edges[sb->edge].total_s;

	if (ta != tb)
		return ta > tb ? -1 : 1;
	return (sa->edge > sb->edge) - (sa->edge < sb->edge);
}

void durations_add_callers(struct durations *s, uint32_t function)
{
	const struct profile *p = s->profile;
	size_t first = s->count;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE; i = p->edges[i].next_in) {
		struct duration span = edge_span(p, i);

		span_add(s, &span);
	}
	if (s->count > first)
		qsort_r(s->items + first, s->count - first, sizeof(*s->items), dearer_edge, s);
}

double durations_bound(const struct durations *s, size_t i)
{
	return i + 1 < WIRE_BUCKETS ? profile_seconds(s->profile, (double)s->profile->bucket_below[i]) :
				      (double)INFINITY;
}

/*
 * Without extremes the buckets say where the calls lie: from the first that holds some to the last.
 */
static void bounds_of(const struct durations *s, const struct duration *d, double *low, double *high)
{
	*low = d->min > 0 ? d->min : d->average > 0 ? d->average : d->max;
	*high = d->max > 0 ? d->max : d->average;
	for (size_t i = 0; d->has_buckets && isnan(d->max) && i < WIRE_BUCKETS; i++) {
		double below = durations_bound(s, i), from = i ? durations_bound(s, i - 1) : below / 2;

		if (!d->buckets.calls[i])
			continue;
		*low = fmin(*low, from);
		*high = fmax(*high, isinf(below) ? 2 * from : below);
	}
}

/*
 * The decades that hold every duration: whole ones, so that the axis stands still while values
 * move. An average may lie far below one tick, where most calls took none: that is off the axis.
 */
void durations_fit(struct durations *s)
{
	double least = INFINITY, most = 0, tick = profile_seconds(s->profile, 1);

	for (size_t i = 0; i < s->count; i++) {
		const struct duration *at = &s->items[i];
		double low, high;

		bounds_of(s, at, &low, &high);
		if (low > 0 && low < least)
			least = low;
		if (high > most)
			most = high;
	}
	if (most <= 0)
		return;
	least = least < tick ? tick : least < most ? least : most;
	s->low = (int)floor(log10(least) + 1e-9);
	s->high = (int)ceil(log10(most) - 1e-9);
	if (s->high <= s->low)
		s->high = s->low + 1;
}
