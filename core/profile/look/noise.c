#include "core/profile/look/noise.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/look/percentile.h"

#define LOOP_EVENTS 30		/* a caller with fewer is a loop that never returns */
#define PROGRAM_SHARE 0.5	/* of the time profiled */
#define SWEEPS 4		/* over the call graph, for bursts within bursts */
#define BUCKET_RATIO 4		/* an open bucket whose longest call is not known */

double noise_run(const struct profile *p)
{
	if (p->totals.run_s > 0)
		return p->totals.run_s;
	return p->totals.samples && p->terms.hz > 0 ? (double)p->totals.samples / p->terms.hz :
						      (double)NAN;
}

enum noise_scale noise_scale(const struct profile *a, const struct profile *b)
{
	double run = noise_run(a) + noise_run(b);

	return isnan(run) ? NOISE_SHARES : a->pace > 0 && b->pace > 0 ? NOISE_WALL : NOISE_RUN;
}

double noise_seconds(const struct profile *p, enum noise_scale scale)
{
	return scale == NOISE_SHARES ? p->totals.self_s :
	       noise_run(p) / (scale == NOISE_WALL ? p->pace : 1);
}

/* --- events ----------------------------------------------------------------------------------- */

/* Called by nothing that was called itself: by the code that starts the program, say. */
static bool is_started(const struct profile *p, const struct profile_function *f)
{
	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		if (p->edges[i].from != PROFILE_NONE && p->functions[p->edges[i].from].called)
			return false;
	return true;
}

/*
 * The program: main, or what the code that starts it calls once, and that most of the time is in.
 * (Of SystemInit the first holds alone.)
 */
static bool is_program(const struct profile *p, const struct profile_function *f)
{
	return f->calls <= 1 && (!strcmp(f->name, "main") ||
				 (f->total_s > PROGRAM_SHARE * p->totals.run_s &&
				  is_started(p, f)));
}

static bool is_entry(const struct noise *n, uint32_t caller)
{
	const struct profile_function *f = &n->p->functions[caller];

	return caller == PROFILE_NONE || !f->called || is_program(n->p, f);
}

static bool is_loop(const struct noise *n, uint32_t caller)
{
	return is_entry(n, caller) || n->events[caller] < LOOP_EVENTS;
}

static bool is_inside(const struct profile *p, const struct profile_edge *e)
{
	const struct profile_function *to = &p->functions[e->to];

	if (e->from == PROFILE_NONE)
		return false;
	return e->from == e->to || (to->cycle && p->functions[e->from].cycle == to->cycle);
}

/* Of one sweep: `events` are those of the sweep before. */
static double events_of(const struct noise *n, const double *events, uint32_t function)
{
	const struct profile *p = n->p;
	double sum = 0;
	bool whole;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE;
	     i = p->edges[i].next_in) {
		const struct profile_edge *e = &p->edges[i];
		double calls = (double)e->calls;

		if (is_inside(p, e))
			continue;
		whole = events == n->chains ? is_entry(n, e->from) : is_loop(n, e->from);
		sum += whole ? calls : fmin(calls, events[e->from]);
	}
	return sum > 0 ? fmin(sum, events[function]) : events[function];
}

static void events_count(const struct noise *n, double *events)
{
	for (size_t i = 0; i < n->p->function_count; i++)
		events[i] = fmax(1, (double)n->p->functions[i].calls);
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		for (uint32_t i = 0; i < n->p->function_count; i++)
			events[i] = events_of(n, events, i);
}

int noise_init(struct noise *n, const struct profile *p, enum noise_scale scale)
{
	double spread = profile_spread(p), ticks = sqrt(spread * spread + 2 / 12.0);

	*n = (struct noise){ .p = p, .clock = profile_seconds(p, ticks) };
	n->shares = scale == NOISE_SHARES;
	n->run = noise_seconds(p, scale);
	if (!(n->run > 0))
		n->run = NAN;
	if (p->terms.gathers && !p->terms.together && !n->shares && !isnan(n->run))
		n->age = NOISE_AGE / n->run;
	/* Two arrays in one block. */
	n->events = mem_alloc(2 * (p->function_count + 1) * sizeof(*n->events));
	if (!n->events)
		return ERR_NOMEM;
	n->chains = n->events + p->function_count + 1;
	events_count(n, n->events);
	events_count(n, n->chains);
	return 0;
}

void noise_release(struct noise *n)
{
	mem_free(n->events);
	n->events = n->chains = NULL;
}

/* --- the calls' own spread -------------------------------------------------------------------- */

struct stretch {
	double calls, low, high;
};

static struct stretch stretch_of(const struct profile *p, const struct profile_buckets *b, size_t i,
				 double min_s, double max_s)
{
	struct stretch s = { .calls = (double)b->calls[i] };

	percentile_range(p, i, min_s, max_s, &s.low, &s.high);
	if (isinf(s.high))
		s.high = BUCKET_RATIO * s.low;
	if (s.high < s.low)
		s.high = s.low;
	return s;
}

/*
 * The largest variance with this mean has all calls at the bounds of their ranges. Each second
 * moved to a higher bound adds (low + high) to the sum of squares: the longest first.
 */
static double variance_largest(const struct stretch *s, size_t n, double mean)
{
	double calls = 0, sum = 0, squares = 0, spare, moved;

	for (size_t i = 0; i < n; i++) {
		calls += s[i].calls;
		sum += s[i].calls * s[i].low;
		squares += s[i].calls * s[i].low * s[i].low;
	}
	spare = fmax(0, mean * calls - sum);
	for (size_t i = n; i-- > 0;) {
		moved = fmin(spare, s[i].calls * (s[i].high - s[i].low));
		squares += moved * (s[i].low + s[i].high);
		spare -= moved;
	}
	return fmax(0, squares / calls - mean * mean);
}

double noise_variance(const struct profile *p, const struct profile_buckets *b, double min_s,
		      double max_s, double mean_s)
{
	struct stretch s[WIRE_BUCKETS], whole = { 1, min_s, max_s };
	size_t n = 0;

	for (size_t i = 0; b && p->terms.bucket_below[0] && i < WIRE_BUCKETS; i++) {
		if (b->calls[i])
			s[n++] = stretch_of(p, b, i, min_s, max_s);
	}
	if (n)
		return variance_largest(s, n, mean_s);
	return max_s >= min_s ? variance_largest(&whole, 1, mean_s) : mean_s * mean_s;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* The calls that a function's or an edge's figures are made of. */
struct calls {
	double count, events;
	double mean, variance;		/* of one's inclusive time, seconds; mean NaN: not known */
	double max;			/* NaN: not known */
	double age;			/* of n->run since their rows came */
};

/* Profiled seconds of a profile's run as seconds of n->run. */
static double age_scaled(const struct noise *n, double age_s)
{
	return !n->shares && n->p->totals.run_s > 0 ? age_s * n->run / n->p->totals.run_s : 0;
}

static double per_call_sigma(const struct noise *n, const struct calls *c)
{
	double off = c->variance + c->mean * c->mean / c->count + n->clock * n->clock;

	return sqrt(off / c->count);
}

static struct noise_figure per_call_figure(const struct noise *n, const struct calls *c, bool timed)
{
	double hz = n->p->terms.hz, samples = c->mean * c->count * hz;

	if (isnan(c->mean))
		return (struct noise_figure){ NAN, NAN };
	if (timed)
		return (struct noise_figure){ c->mean, per_call_sigma(n, c) };
	return (struct noise_figure){
		c->mean, hypot(sqrt(samples + 1) / hz / c->count, c->mean / sqrt(c->events)),
	};
}

/*
 * Where the time profiled is not known the rate over the last seconds by the host's clock is used:
 * `window` calls a second, or NaN.
 */
static struct noise_figure rate_figure(const struct noise *n, const struct calls *c, double window)
{
	double run = n->run, rate;

	if (n->shares || isnan(run)) {
		if (isnan(window))
			return (struct noise_figure){ NAN, NAN };
		return (struct noise_figure){
			window, sqrt(window * PROFILE_PAST + 1) / PROFILE_PAST,
		};
	}
	if (c->count <= 0)
		return (struct noise_figure){ 0, 1 / run };
	rate = profile_rate(c->count, run, c->age);
	return (struct noise_figure){ rate, rate * hypot(1 / sqrt(c->events), n->age) };
}

/*
 * Sigma, in seconds, of a time summed over these calls, with so many `readings` of the clock and
 * `through` seconds from rows of unlike age.
 */
static double sum_sigma(const struct noise *n, const struct calls *c, double sum, double readings,
			double through)
{
	double vary = 0, age = fmax(0, through) * n->age;

	if (c->mean > 0)
		vary = sum * sum / c->count * (c->variance / (c->mean * c->mean));
	return sqrt(sum * sum / c->events + vary + readings * n->clock * n->clock + age * age);
}

static struct noise_figure max_figure(const struct noise *n, const struct calls *c)
{
	return (struct noise_figure){ c->max, isnan(c->max) ? (double)NAN : n->clock };
}

static double sampled_sigma(const struct noise *n, double seconds)
{
	double hz = n->p->terms.hz;

	return sqrt(fmax(0, seconds) * hz + 1) / hz / n->run;
}

/* --- functions -------------------------------------------------------------------------------- */

static struct calls function_calls(const struct noise *n, uint32_t function)
{
	const struct profile_function *f = &n->p->functions[function];
	bool exact = f->has_minmax && !(f->flags & ROW_MAX_AT_LEAST);
	struct calls c = { .count = f->called ? (double)f->calls : 0, .events = n->events[function],
			   .mean = NAN, .max = exact ? f->max_s : (double)NAN,
			   .age = age_scaled(n, (double)f->age_s) };
	struct profile_buckets b;
	bool counted;

	if (c.count <= 0 || f->time == PROFILE_TIME_NONE || isnan(f->per_call_s))
		return c;
	c.mean = f->per_call_s;
	if (f->time != PROFILE_TIME_TIMED)
		return c;
	counted = profile_function_buckets(n->p, function, &b);
	c.variance = noise_variance(n->p, counted ? &b : NULL,
				    f->has_minmax ? f->min_s : (double)NAN, c.max, c.mean);
	return c;
}

/* A self time is the sum of readings for its calls less those for the calls that it makes. */
static double readings_of(const struct profile *p, const struct profile_function *f)
{
	double calls = (double)f->calls;

	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out)
		calls += (double)p->edges[i].calls;
	return calls;
}

static struct noise_figure load_figure(const struct noise *n, const struct profile_function *f,
				       const struct calls *c)
{
	double sigma;

	if (isnan(n->run) || isnan(f->self_s) || f->time == PROFILE_TIME_NONE)
		return (struct noise_figure){ NAN, NAN };
	if (f->time == PROFILE_TIME_SAMPLED)
		sigma = sampled_sigma(n, f->self_s);
	else
		sigma = sum_sigma(n, c, f->self_s, readings_of(n->p, f), f->total_s) / n->run;
	return (struct noise_figure){ profile_rate(fmax(0, f->self_s), n->run, c->age), sigma };
}

void noise_function(const struct noise *n, uint32_t function,
		    struct noise_figure figures[COMPARE_MEASURES])
{
	const struct profile_function *f = &n->p->functions[function];
	struct calls c = function_calls(n, function);
	struct noise_figure unknown = { NAN, NAN };

	figures[COMPARE_LOAD] = load_figure(n, f, &c);
	figures[COMPARE_PER_CALL] = per_call_figure(n, &c, f->time == PROFILE_TIME_TIMED);
	figures[COMPARE_RATE] = f->called ? rate_figure(n, &c, f->rate_calls) : unknown;
	figures[COMPARE_MAX] = max_figure(n, &c);
}

/* --- edges ------------------------------------------------------------------------------------ */

static struct calls edge_calls(const struct noise *n, uint32_t edge)
{
	const struct profile *p = n->p;
	const struct profile_edge *e = &p->edges[edge];
	bool range = profile_edge_range(e), exact = range && !(e->flags & ROW_MAX_AT_LEAST);
	struct calls c = { .count = (double)e->calls, .mean = NAN, .max = NAN,
			   .events = fmax(1, (double)e->calls),
			   .age = age_scaled(n, (double)p->functions[e->to].age_s) };
	struct profile_buckets b;
	bool counted;

	if (!is_loop(n, e->from) && !is_inside(p, e))
		c.events = fmin(c.events, n->events[e->from]);
	if (exact)
		c.max = profile_seconds(p, (double)e->max);
	if (c.count <= 0 || isnan(e->total_s) ||
	    (!e->timed && (!p->totals.samples || p->functions[e->to].time == PROFILE_TIME_NONE)))
		return c;
	c.mean = e->total_s / c.count;
	if (!e->timed)
		return c;
	counted = profile_edge_buckets(p, edge, &b);
	c.variance = noise_variance(p, counted ? &b : NULL,
				    range ? profile_seconds(p, (double)e->min) : (double)NAN,
				    c.max, c.mean);
	return c;
}

void noise_edge(const struct noise *n, uint32_t edge, struct noise_figure figures[COMPARE_MEASURES])
{
	const struct profile_edge *e = &n->p->edges[edge];
	struct calls c = edge_calls(n, edge);
	double sigma;

	figures[COMPARE_LOAD] = (struct noise_figure){ NAN, NAN };
	if (!isnan(n->run) && !isnan(c.mean)) {
		sigma = e->timed ? sum_sigma(n, &c, e->total_s, c.count, e->total_s) / n->run :
				   sampled_sigma(n, e->total_s);
		figures[COMPARE_LOAD] =
			(struct noise_figure){ profile_rate(e->total_s, n->run, c.age), sigma };
	}
	figures[COMPARE_PER_CALL] = per_call_figure(n, &c, e->timed);
	figures[COMPARE_RATE] = rate_figure(n, &c, NAN);
	figures[COMPARE_MAX] = max_figure(n, &c);
}
