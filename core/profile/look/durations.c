#include "core/profile/look/durations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/lengths.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/profile/look/percentile.h"

void durations_release(struct durations *s)
{
	mem_free(s->items);
}

void durations_begin(struct durations *s, const struct profile *p)
{
	s->profile = p;
	s->count = 0;
	s->longest = 0;
	s->any_buckets = false;
}

static int name_columns(const struct profile *p, uint32_t function)
{
	return function == PROFILE_NONE ? 13 : text_columns(p->functions[function].name);
}

static bool duration_add(struct durations *s, const struct duration *line, int length)
{
	if (mem_grow(&s->items, &s->cap, s->count + 1, sizeof(*s->items)) < 0)
		return false;
	s->items[s->count++] = *line;
	s->longest = length > s->longest ? length : s->longest;
	s->any_buckets |= line->has_buckets;
	return true;
}

/* --- one line --------------------------------------------------------------------------------- */

/* Over all its callers, recursive calls included, so that the average is between min and max. */
struct duration duration_of_function(const struct profile *p, uint32_t function)
{
	const struct profile_function *f = &p->functions[function];
	struct duration d = {
		.function = function, .edge = PROFILE_NONE, .site = PROFILE_NONE,
			.calls = f->called ? (double)f->calls : NAN,
		.min = f->min_s, .max = f->max_s, .average = f->per_call_s,
		.min_at_least = f->flags & ROW_MIN_AT_LEAST,
			.at_least = f->flags & ROW_MAX_AT_LEAST,
	};

	d.has_buckets = profile_function_buckets(p, function, &d.buckets);
	if (d.has_buckets)
		d.known = percentile_function(p, function);
	return d;
}

struct duration duration_of_edge(const struct profile *p, uint32_t edge)
{
	const struct profile_edge *e = &p->edges[edge];
	bool known = profile_edge_range(e);
	bool summed = e->calls && e->total_s > 0 && !(e->flags & ROW_TOTAL_NEGATIVE);
	struct duration d = {
		.function = e->to, .edge = edge, .site = PROFILE_NONE, .calls = (double)e->calls,
		.min = known ? profile_seconds(p, (double)e->min) : NAN,
		.max = known ? profile_seconds(p, (double)e->max) : NAN,
		.average = summed ? e->total_s / (double)e->calls : NAN,
		.min_at_least = e->flags & ROW_MIN_AT_LEAST,
			.at_least = e->flags & ROW_MAX_AT_LEAST,
	};

	d.has_buckets = profile_edge_buckets(p, edge, &d.buckets);
	if (d.has_buckets)
		d.known = percentile_edge(p, edge);
	return d;
}

struct duration duration_of_site(const struct profile *p, uint32_t site)
{
	const struct profile_site shown = profile_site_shown(p, site), *s = &shown;
	bool known = profile_site_range(s);
	bool summed = s->timed && s->calls && s->total && !(s->flags & ROW_TOTAL_NEGATIVE);
	struct duration d = {
		.function = PROFILE_NONE, .edge = s->edge, .site = site, .calls = (double)s->calls,
		.min = known ? profile_seconds(p, (double)s->min) : NAN,
		.max = known ? profile_seconds(p, (double)s->max) : NAN,
		.average = summed ? profile_seconds(p, (double)s->total) / (double)s->calls : NAN,
		.min_at_least = s->flags & ROW_MIN_AT_LEAST,
			.at_least = s->flags & ROW_MAX_AT_LEAST,
	};

	d.has_buckets = profile_site_buckets(p, site, &d.buckets);
	if (d.has_buckets)
		d.known = percentile_site(p, site);
	return d;
}

static bool edge_fine(const struct profile *p, uint32_t edge, uint64_t *calls)
{
	uint32_t site = p->edges[edge].first_site;

	while (site != PROFILE_NONE && profile_fine_add(p, site, calls))
		site = p->sites[site].next;
	return site == PROFILE_NONE;
}

bool duration_fine(const struct profile *p, const struct duration *d, uint64_t *calls)
{
	uint32_t edge;

	if (!p->fine_count)
		return false;
	if (d->site != PROFILE_NONE)
		return profile_fine_add(p, d->site, calls);
	if (d->edge != PROFILE_NONE)
		return edge_fine(p, d->edge, calls);
	edge = p->functions[d->function].first_in;
	while (edge != PROFILE_NONE && edge_fine(p, edge, calls))
		edge = p->edges[edge].next_in;
	return edge == PROFILE_NONE;
}

double duration_percentile(const struct profile *p, const struct duration *d, double share)
{
	uint64_t calls[LENGTHS] = { 0 };

	if (duration_fine(p, d, calls))
		return percentile_fine(p, calls, share, d->min, d->max);
	return d->has_buckets ? percentile_of(p, &d->buckets, share, &d->known) : (double)NAN;
}

/* --- all lines -------------------------------------------------------------------------------- */

bool durations_add_function(struct durations *s, uint32_t function)
{
	const struct profile_function *f = &s->profile->functions[function];
	struct duration line;

	if (!(f->per_call_s > 0) && !(f->max_s > 0))
		return false;
	line = duration_of_function(s->profile, function);
	return duration_add(s, &line, name_columns(s->profile, function));
}

static int total_order(const struct profile *p, const struct duration *a, const struct duration *b)
{
	double ta = p->edges[a->edge].total_s, tb = p->edges[b->edge].total_s;

	if (ta != tb)
		return ta > tb ? -1 : 1;
	return (a->edge > b->edge) - (a->edge < b->edge);
}

static int by_total(const void *a, const void *b, void *ctx)
{
	return total_order(((const struct durations *)ctx)->profile, a, b);
}

void durations_add_callers(struct durations *s, uint32_t function)
{
	const struct profile *p = s->profile;
	size_t first = s->count;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE; i =
	     p->edges[i].next_in) {
		struct duration line = duration_of_edge(p, i);

		duration_add(s, &line, name_columns(p, p->edges[i].from) + 7);
	}
	if (s->count > first)
		qsort_r(s->items + first, s->count - first, sizeof(*s->items), by_total, s);
}

size_t durations_add_edges(struct durations *s, uint32_t function)
{
	const struct profile *p = s->profile;
	size_t added = 0;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE; i =
	     p->edges[i].next_in) {
		struct duration line = duration_of_edge(p, i);
		int length = name_columns(p, p->edges[i].from) + 3 + name_columns(p, function);

		if (line.average > 0 || line.max > 0)
			added += duration_add(s, &line, length);
	}
	return added;
}

/* --- order ------------------------------------------------------------------------------------ */

struct edge_order {
	const struct profile *profile;
	const struct rows_order *order;
};

static double column_value(const struct edge_order *o, const struct duration *d)
{
	switch (o->order->column) {
	case COLUMN_CALLS: return d->calls;
	case COLUMN_PER_CALL: return d->average;
	case COLUMN_MIN: return d->min;
	case COLUMN_MAX: return d->max;
	case COLUMN_P50: return duration_percentile(o->profile, d, 0.50);
	case COLUMN_P90: return duration_percentile(o->profile, d, 0.90);
	case COLUMN_P99: return duration_percentile(o->profile, d, 0.99);
	default: return o->profile->edges[d->edge].total_s;
	}
}

static const char *caller_of(const struct profile *p, const struct duration *d)
{
	uint32_t from = p->edges[d->edge].from;

	return from == PROFILE_NONE ? "" : p->functions[from].name;
}

static int names_order(const struct profile *p, const struct duration *a, const struct duration *b)
{
	int order = strcmp(p->functions[a->function].name, p->functions[b->function].name);

	return order ? order : strcmp(caller_of(p, a), caller_of(p, b));
}

/* Unknown values come last in both directions. */
static int by_column(const void *a, const void *b, void *ctx)
{
	const struct edge_order *o = ctx;
	const struct duration *da = a, *db = b;
	double va = da->key, vb = db->key;
	int order;

	if (o->order->column == COLUMN_FUNCTION)
		order = names_order(o->profile, da, db);
	else if (isnan(va) || isnan(vb))
		return isnan(va) != isnan(vb) ? (isnan(va) ? 1 : -1) :
			total_order(o->profile, da, db);
	else
		order = (va < vb) - (va > vb);
	if (o->order->inverted)
		order = -order;
	return order ? order : total_order(o->profile, da, db);
}

void durations_sort(struct durations *s, const struct rows_order *order)
{
	struct edge_order o = { s->profile, order };

	for (size_t i = 0; i < s->count; i++)
		s->items[i].key = column_value(&o, &s->items[i]);
	if (s->count)
		qsort_r(s->items, s->count, sizeof(*s->items), by_column, &o);
}

/* --- the common axis -------------------------------------------------------------------------- */

/* Without extremes the range is that of the buckets with calls. */
static void bounds_of(const struct durations *s, const struct duration *d, double *low,
		      double *high)
{
	*low = d->min > 0 ? d->min : d->average > 0 ? d->average : d->max;
	*high = d->max > 0 ? d->max : d->average;
	for (size_t i = 0; d->has_buckets && isnan(d->max) && i < WIRE_BUCKETS; i++) {
		double below = percentile_bound(s->profile, i);
		double from = i ? percentile_bound(s->profile, i - 1) : below / 2;

		if (!d->buckets.calls[i])
			continue;
		*low = fmin(*low, from);
		*high = fmax(*high, isinf(below) ? 2 * from : below);
	}
}

/*
 * The decades that contain every duration: whole ones, so that the axis stays while values change.
 * An average far below one tick (most calls took none) is off the axis.
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
