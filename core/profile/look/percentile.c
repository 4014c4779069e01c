#include "core/profile/look/percentile.h"

#include <math.h>

#include "core/base/lengths.h"

double percentile_bound(const struct profile *p, size_t i)
{
	return i < WIRE_BUCKETS - 1 ? profile_seconds(p, (double)p->terms.bucket_below[i]) :
				      (double)INFINITY;
}

void percentile_range(const struct profile *p, size_t i, double min_s, double max_s, double *low,
		      double *high)
{
	*low = i ? percentile_bound(p, i - 1) : 0;
	*high = percentile_bound(p, i);
	if (min_s > *low)
		*low = min_s;
	if (max_s < *high)
		*high = max_s;
}

/* --- the distribution ------------------------------------------------------------------------- */

/* The calls of a bucket: so many, from low to high. */
struct stretch {
	double calls, low, high;
};

struct shape {
	struct stretch s[WIRE_BUCKETS];
	size_t n;
	double calls, lows, highs;	/* sums, over all calls */
	double t;			/* where the mean lies in each stretch; NaN: not known */
	double from, scale;		/* x becomes from + (x - from) * scale */
};

/* What the mean says of a call: no longer than if all others were at their lowest. */
static double longest_possible(const struct shape *d, double low, double mean)
{
	return low + fmax(0, mean * d->calls - d->lows);
}

static void stretches_fill(struct shape *d, const struct profile *p,
			   const struct profile_buckets *b, const struct percentile_known *k)
{
	for (size_t i = 0; i < WIRE_BUCKETS; i++) {
		struct stretch *s = &d->s[d->n];

		if (!b->calls[i])
			continue;
		s->calls = (double)b->calls[i];
		percentile_range(p, i, k->min, k->max, &s->low, &s->high);
		s->low = fmin(s->low, k->max);		/* calibrated, or a newer row's */
		s->high = fmax(s->high, k->min);
		if (!d->n && k->reached)
			s->low = fmin(s->high, k->min);
		d->n++;
	}
	if (d->n && k->reached)
		d->s[d->n - 1].high = fmax(d->s[d->n - 1].low, k->max);
}

/* The last bucket ends nowhere where the longest call is not known. */
static void sums_make(struct shape *d, double mean)
{
	struct stretch *last = &d->s[d->n - 1];
	bool endless = isinf(last->high);

	if (endless)
		last->high = 2 * last->low;
	for (size_t i = 0; i < d->n; i++) {
		d->calls += d->s[i].calls;
		d->lows += d->s[i].calls * d->s[i].low;
		d->highs += d->s[i].calls * d->s[i].high;
	}
	if (!endless || !(mean * d->calls > d->highs))
		return;
	d->highs -= last->calls * last->high;
	last->high = longest_possible(d, last->low, mean);
	d->highs += last->calls * last->high;
}

/* A mean beyond all lows or all highs: these are drawn to the bound that is left. */
static void shape_fit(struct shape *d, const struct percentile_known *k)
{
	double sum = k->mean * d->calls, min = fmin(k->min, k->mean), max = fmax(k->max, k->mean);

	d->scale = 1;
	d->t = d->highs > d->lows ? (sum - d->lows) / (d->highs - d->lows) : 0;
	if (sum < d->lows) {
		d->t = 0;
		d->from = isnan(min) ? 0 : min;
		d->scale = (sum - d->from * d->calls) / (d->lows - d->from * d->calls);
	} else if (sum > d->highs) {
		d->t = 1;
		d->from = isnan(max) ? k->mean : max;
		d->scale = (d->from * d->calls - sum) / (d->from * d->calls - d->highs);
	}
}

static double stretch_at(const struct shape *d, const struct stretch *s, double u, double tick)
{
	double low = fmax(s->low, tick), x;

	if (isnan(d->t))
		return s->high > low ? low * pow(s->high / low, u) : s->high;
	if (d->t <= 0)
		x = s->low;
	else
		x = s->low + (s->high - s->low) * pow(u, (1 - d->t) / d->t);
	return d->from + (x - d->from) * d->scale;
}

double percentile_of(const struct profile *p, const struct profile_buckets *b, double q,
		     const struct percentile_known *k)
{
	struct shape d = { .t = NAN, .scale = 1 };
	double below = 0;
	size_t i = 0;

	if (p->terms.ticks_per_second <= 0 || !p->terms.bucket_below[0])
		return NAN;
	stretches_fill(&d, p, b, k);
	if (!d.n)
		return NAN;
	sums_make(&d, k->mean);
	if (k->mean >= 0)
		shape_fit(&d, k);
	while (i + 1 < d.n && below + d.s[i].calls < q * d.calls)
		below += d.s[i++].calls;
	return stretch_at(&d, &d.s[i], fmin(1, (q * d.calls - below) / d.s[i].calls),
			  profile_seconds(p, 1));
}

double percentile_fine(const struct profile *p, const uint64_t *calls, double q, double min_s,
		       double max_s)
{
	double all = 0, below = 0, low, s;
	unsigned at = 0;

	for (unsigned i = 0; i < LENGTHS; i++)
		all += (double)calls[i];
	if (all <= 0 || p->terms.ticks_per_second <= 0)
		return NAN;
	while (at + 1 < LENGTHS && below + (double)calls[at] < q * all)
		below += (double)calls[at++];
	low = (double)lengths_low(at);
	s = profile_seconds(p, at < 16 ? low : low + ((double)lengths_low(at + 1) - low) *
			    fmin(1, fmax(0, (q * all - below) / (double)calls[at])));
	s = fmax(s, isnan(min_s) ? s : min_s);
	return fmin(s, isnan(max_s) ? s : max_s);
}

/* --- what is known of the calls --------------------------------------------------------------- */

struct known_sum {
	struct percentile_known k;
	double calls, ticks;
	bool unbounded;			/* of some calls no bounds are known */
};

static void known_add_site(struct known_sum *sum, const struct profile *p, uint32_t site)
{
	const struct profile_site s = profile_site_shown(p, site);

	if (!s.timed || !s.calls || s.flags & (ROW_TWICE | ROW_TOTAL_NEGATIVE))
		return;
	sum->calls += (double)s.calls;
	sum->ticks += (double)s.total;
	sum->k.reached &= profile_site_range(&s) && !(s.flags & ROW_MIN_AT_LEAST);
	if (!profile_site_bounds(&s)) {
		sum->unbounded = true;
		return;
	}
	sum->k.min = fmin(sum->k.min, profile_seconds(p, (double)s.min));
	/* A field that was too narrow for the longest: at least that. */
	sum->k.max = s.flags & ROW_MAX_AT_LEAST ? (double)INFINITY :
		     fmax(sum->k.max, profile_seconds(p, (double)s.max));
}

static void known_add_edge(struct known_sum *sum, const struct profile *p, uint32_t edge)
{
	for (uint32_t i = p->edges[edge].first_site; i != PROFILE_NONE; i = p->sites[i].next)
		known_add_site(sum, p, i);
}

static struct percentile_known known_finish(const struct profile *p, const struct known_sum *sum)
{
	struct percentile_known k = sum->k;

	if (sum->unbounded)
		k.min = k.max = NAN;
	if (isinf(k.max))
		k.max = NAN;
	k.reached &= !isnan(k.min) && !isnan(k.max);
	k.mean = sum->calls > 0 ? profile_seconds(p, sum->ticks / sum->calls) : (double)NAN;
	return k;
}

static const struct known_sum known_none = { .k = { NAN, NAN, NAN, true } };

struct percentile_known percentile_site(const struct profile *p, uint32_t site)
{
	struct known_sum sum = known_none;

	known_add_site(&sum, p, site);
	return known_finish(p, &sum);
}

struct percentile_known percentile_edge(const struct profile *p, uint32_t edge)
{
	struct known_sum sum = known_none;

	known_add_edge(&sum, p, edge);
	return known_finish(p, &sum);
}

struct percentile_known percentile_function(const struct profile *p, uint32_t function)
{
	struct known_sum sum = known_none;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE;
	     i = p->edges[i].next_in)
		known_add_edge(&sum, p, i);
	return known_finish(p, &sum);
}
