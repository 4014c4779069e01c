/*
 * noise: the error of a profile's figures, as one standard deviation.
 *
 * Of C calls with a mean of m seconds:
 *
 *	clock	a duration is the difference of two readings, each cut to a tick, with the error
 *		that the node gives (`spread`): clock^2 = (spread^2 + 1/12 + 1/12) ticks^2 (Widrow,
 *		Kollar: Quantization Noise, 2008, 1.3: a uniform error's variance is 1/12).
 *	calls	the variance of their durations is not known, but its largest possible value is: all
 *		calls at the bounds of their buckets, or at the shortest and longest call, such that
 *		the mean is m. Without buckets that is (max - m)(m - min) (Bhatia, Davis: A Better
 *		Bound on the Variance, Amer. Math. Monthly 107, 2000). Without min and max: m^2. One
 *		more call with an error of m is added: a few equal calls prove nothing.
 *	events	the number of calls is random like any count (Poisson: its error is the square
 *		root). But calls come in bursts: the calls made by one call of the caller are one
 *		event. A function's events are, summed over its callers, its calls or the caller's
 *		events, whichever are fewer; a caller with few calls is a loop that never returns,
 *		not a burst.
 *	chains	the same with no loops but the program itself: callers that were never called, main,
 *		or what was called once by such code and takes half of the time. What init calls
 *		fifty times, once, happened once. Only for the question whether a function is new
 *		or gone.
 *	samples	n of them have an error of sqrt(n + 1), and so has time propagated over arcs, which
 *		is made of fractions of samples.
 *	age	the rows of a wsn stream come in turn, so that a caller's sum may lack calls that
 *		its callee's already has: NOISE_AGE seconds (PROTOCOL.md, 7: most rows once a
 *		period, a little longer on a slow line) of all that went through it. It matters for
 *		short runs, and for self times that are small beside the callees'. A simulator's
 *		rows are of one time.
 *
 *	per call	timed: sqrt((variance + m^2 / C + clock^2) / C)
 *			sampled: m * sqrt(1 / (n + 1) + 1 / events), n the samples of its total
 *	rate		C / run * sqrt(1 / events + (age / run)^2); the run, here and for the load,
 *			until the rows came (profile_rate())
 *	load		timed: sqrt(self^2 / events + C * variance of self
 *			+ (calls in and out) * clock^2 + (total * age / run)^2) / run; self time
 *			varies as the whole call does
 *			sampled: sqrt(n + 1) / (hz * run)
 *	max		clock
 */
#ifndef WSNTOP_PROFILE_LOOK_NOISE_H
#define WSNTOP_PROFILE_LOOK_NOISE_H

#include <stdbool.h>

#include "core/profile/look/compare.h"

#define NOISE_AGE 0.5			/* seconds, as one standard deviation */

struct noise_figure {
	double value, sigma;		/* NaN: not known */
};

/* What loads and rates refer to. */
enum noise_scale {
	NOISE_RUN,			/* the time profiled */
	NOISE_SHARES,			/* all time counted */
	NOISE_WALL,			/* wall time, as LOAD% and CALLS/S of any view */
};

struct noise {
	const struct profile *p;
	double run;			/* seconds that loads and rates refer to; NaN: not known */
	bool shares;			/* run is all time counted, not a time that passed */
	double clock;			/* one sigma of one duration, seconds */
	double age;			/* share of a sum that may be missing: NOISE_AGE / run */
	double *events;			/* by function */
	double *chains;			/* likewise */
};

/* Seconds that were profiled; NaN: not known. */
double noise_run(const struct profile *p);

/* The best that both profiles know. */
enum noise_scale noise_scale(const struct profile *a, const struct profile *b);
double noise_seconds(const struct profile *p, enum noise_scale scale);

/* Of a computed profile, which must stay as it is. 0 or ERR_NOMEM. */
int noise_init(struct noise *n, const struct profile *p, enum noise_scale scale);
void noise_release(struct noise *n);

void noise_function(const struct noise *n, uint32_t function,
		    struct noise_figure figures[COMPARE_MEASURES]);
void noise_edge(const struct noise *n, uint32_t edge,
		struct noise_figure figures[COMPARE_MEASURES]);

/* The largest variance, in s^2, that calls of this mean may have. b: NULL where not counted. */
double noise_variance(const struct profile *p, const struct profile_buckets *b, double min_s,
		      double max_s, double mean_s);

#endif
