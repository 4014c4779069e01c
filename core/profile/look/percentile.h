/*
 * percentile: the duration that a share of the calls did not exceed, from the counts by duration.
 *
 * The node counts calls in buckets. Which bucket a percentile lies in is known; where in it is an
 * estimate. Of the calls the shortest, the longest and the mean are known, too, so the estimate is
 * the percentile of a distribution that has all of them. In bucket i, from l to h (its bounds, or
 * the shortest and longest call where these are nearer), the calls are spread as
 *
 *	x(u) = l + (h - l) u^((1 - t) / t)	u: 0..1, rank of the call in the bucket
 *
 * whose mean is l + (h - l) t. One t for all buckets, from the mean of all calls:
 *
 *	t = (mean N - sum n l) / sum n (h - l)
 *
 * So any p_q obeys what arithmetic demands of min, mean and max (Markov's inequality):
 *
 *	p_q <= min + (mean - min) / (1 - q)	p_q >= max - (max - mean) / q
 *
 * Where the counts and the mean contradict each other (rows of unlike age, calibrated times) all
 * are drawn towards min or max until the mean fits. Without a mean the calls of a bucket are spread
 * evenly on a logarithmic scale.
 */
#ifndef WSNTOP_PROFILE_LOOK_PERCENTILE_H
#define WSNTOP_PROFILE_LOOK_PERCENTILE_H

#include "core/profile/profile.h"

/* Seconds; NaN where not known. No call is shorter than min or longer than max. */
struct percentile_known {
	double min, mean, max;
	bool reached;			/* some calls took min and max */
};

/* Bucket i counts calls shorter than so many seconds; infinity for the last. */
double percentile_bound(const struct profile *p, size_t i);

/*
 * The range of the calls in bucket i: its bounds, or the shortest and longest call where these are
 * nearer. `high` of the last bucket is infinity where the longest call is not known.
 */
void percentile_range(const struct profile *p, size_t i, double min_s, double max_s, double *low,
		      double *high);

/*
 * Seconds that a share `q` (0..1) of the counted calls took at most; NaN when none are counted or
 * the bounds are not known.
 */
double percentile_of(const struct profile *p, const struct profile_buckets *b, double q,
		     const struct percentile_known *known);

/*
 * The same from LENGTHS calls by duration (lengths.h): right to a tick below 16 ticks, to a 16th of
 * it above.
 */
double percentile_fine(const struct profile *p, const uint64_t *calls, double q, double min_s,
		       double max_s);

/*
 * What is known of all calls of a site, an edge, a function besides the counts. In a window the
 * shortest and longest call since the node's start are bounds of its calls.
 */
struct percentile_known percentile_site(const struct profile *p, uint32_t site);
struct percentile_known percentile_edge(const struct profile *p, uint32_t edge);
struct percentile_known percentile_function(const struct profile *p, uint32_t function);

#endif
