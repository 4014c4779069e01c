/*
 * percentile: the duration that a share of the calls did not exceed, from the counts by duration.
 *
 * The node counts calls in buckets. Inside a bucket they are assumed to be spread evenly on a
 * logarithmic scale, between its bounds, or the shortest and longest call where these are nearer.
 * So the bucket of a percentile is exact, its place in the bucket an estimate.
 */
#ifndef WSNTOP_PROFILE_LOOK_PERCENTILE_H
#define WSNTOP_PROFILE_LOOK_PERCENTILE_H

#include "core/profile/profile.h"

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
 * the bounds are not known. min_s and max_s: NaN where not known.
 */
double percentile_of(const struct profile *p, const struct profile_buckets *b, double q,
		     double min_s, double max_s);

/* Of a function, over all its callers. NaN where the node counts no durations. */
double percentile_function(const struct profile *p, uint32_t function, double q);

#endif
