/*
 * percentile: what share of calls took no longer than so long, from the counts by duration.
 *
 * The node counts calls in buckets; inside one they are taken to lie evenly on a logarithmic scale,
 * between its bounds, or the shortest and longest call where these are nearer. So a percentile is
 * right to the bucket, and an estimate inside it.
 */
#ifndef WSNTOP_PROFILE_LOOK_PERCENTILE_H
#define WSNTOP_PROFILE_LOOK_PERCENTILE_H

#include "core/profile/profile.h"

/*
 * Seconds that a share `q` (0..1) of the counted calls took at most; NaN when none are counted or
 * the profile does not say what the bounds are. min_s and max_s: NaN where not known.
 */
double percentile_of(const struct profile *p, const struct profile_buckets *b, double q,
		     double min_s, double max_s);

/* Of a function, over all its callers. NaN where the node counts no durations. */
double percentile_function(const struct profile *p, uint32_t function, double q);

#endif
