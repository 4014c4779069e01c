#include "core/profile/look/percentile.h"

#include <math.h>

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

/* On a logarithmic scale: not from 0, and not to infinity. */
static void range_limit(const struct profile *p, double *low, double *high)
{
	double tick = profile_seconds(p, 1);

	if (*low < tick)
		*low = tick;
	if (isinf(*high))		/* the last, and its longest call is not known */
		*high = 2 * *low;
	if (*high < *low)
		*high = *low;
}

double percentile_of(const struct profile *p, const struct profile_buckets *b, double q,
		     double min_s, double max_s)
{
	double all = 0, below = 0, low, high;

	for (size_t i = 0; i < WIRE_BUCKETS; i++)
		all += (double)b->calls[i];
	if (all <= 0 || p->terms.ticks_per_second <= 0 || !p->terms.bucket_below[0])
		return NAN;
	for (size_t i = 0; i < WIRE_BUCKETS; i++) {
		double here = (double)b->calls[i];

		if (here > 0 && below + here >= q * all) {
			percentile_range(p, i, min_s, max_s, &low, &high);
			range_limit(p, &low, &high);
			return low * pow(high / low, (q * all - below) / here);
		}
		below += here;
	}
	return max_s;
}

double percentile_function(const struct profile *p, uint32_t function, double q)
{
	const struct profile_function *f = &p->functions[function];
	struct profile_buckets b;

	if (!p->terms.bucket_below[0])
		return NAN;
	return profile_function_buckets(p, function, &b) ?
	       percentile_of(p, &b, q, f->min_s, f->max_s) : NAN;
}
