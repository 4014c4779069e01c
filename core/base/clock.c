#include "core/base/clock.h"

#include <math.h>
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec;
}

uint64_t clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

int clock_ms_until(uint64_t then, uint64_t now)
{
	const uint64_t ms = CLOCK_SECOND / 1000, hour = 3600 * CLOCK_SECOND;

	if (then <= now)
		return 0;
	return (int)(((then - now < hour ? then - now : hour) + ms - 1) / ms);
}

int clock_sooner(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

/* --- another clock ---------------------------------------------------------------------------- */

#define WIDTH_FIRST (1 / 64.)		/* s a slice; doubled when all are in use ... */
#define WIDTH_MOST 2.			/* ... up to this: a drift is straight for a minute */
#define AHEAD_MOST .1			/* s before its time that an arrival lowers a young map */
#define LATE_TIMES 16			/* times the usual lateness that an arrival is an odd one */
#define LATE_LEAST 1e-3			/* s */
#define LATE_SPAN (CLOCK_SECOND / 2)
/*
 * The error of the line's two ends in terms of how low the slices' lowest points lie in the mean:
 * in 1 % of the cases it is more (tests/unit/test_clock.c).
 */
#define CONFIDENCE 6

/* With defaults for what is not said. */
static struct clock_terms terms_whole(const struct clock_terms *terms)
{
	struct clock_terms whole = *terms;

	if (whole.bits < 8 || whole.bits > 64)
		whole.bits = 64;
	if (!whole.ppm)
		whole.ppm = CLOCK_PPM;
	return whole;
}

void clock_init(struct clock *c, const struct clock_terms *terms, uint64_t grain_ns)
{
	*c = (struct clock){ .terms = terms_whole(terms),
			     .grain = (double)grain_ns / CLOCK_SECOND, .width = WIDTH_FIRST };
}

bool clock_has_terms(const struct clock *c, const struct clock_terms *terms)
{
	struct clock_terms whole = terms_whole(terms);

	return memcmp(&c->terms, &whole, sizeof(whole)) == 0;
}

bool clock_has_map(const struct clock *c)
{
	return c->terms.ticks_per_second && !c->terms.stands;
}

static double ticks_seconds(const struct clock *c, uint64_t ticks)
{
	return (double)ticks / (double)c->terms.ticks_per_second;
}

/* Seconds of the source since the base. */
static double source_seconds(const struct clock *c, uint64_t ticks)
{
	return (double)(int64_t)(ticks - c->base_ticks) / (double)c->terms.ticks_per_second;
}

static double host_seconds(const struct clock *c, uint64_t ns)
{
	return (double)(int64_t)(ns - c->base_ns) / CLOCK_SECOND;
}

static double wrap_seconds(const struct clock *c)
{
	return ldexp(1, (int)c->terms.bits) / (double)c->terms.ticks_per_second;
}

static double line_at(const struct clock *c, double x)
{
	return c->line.offset + c->line.drift * x;
}

static double line_error(const struct clock *c, double x)
{
	double error = fmax(c->line.from_error, c->line.to_error);

	if (x < c->line.from)
		error = c->line.from_error + (c->line.from - x) * c->line.drift_error;
	else if (x > c->line.to)
		error = c->line.to_error + (x - c->line.to) * c->line.drift_error;
	return error + c->line.gap + c->grain +
	       ticks_seconds(c, c->terms.step ? c->terms.step : 1);
}

/* --- the line --------------------------------------------------------------------------------- */

static double slope_between(const struct clock_slice *a, const struct clock_slice *b)
{
	return (b->z - a->z) / (b->x - a->x);
}

/* The edge of the lower hull that goes by x; the same point twice where there is none. */
static void hull_edge(const struct clock *c, double x, const struct clock_slice **from,
		      const struct clock_slice **to)
{
	const struct clock_slice *hull[CLOCK_SLICES] = { c->slice };
	size_t n = 1, i = 0;

	for (const struct clock_slice *s = c->slice + 1; s < c->slice + c->slices; s++) {
		if (s->x <= hull[n - 1]->x)
			continue;
		while (n > 1 && slope_between(hull[n - 2], hull[n - 1]) >=
				slope_between(hull[n - 1], s))
			n--;
		hull[n++] = s;
	}
	while (i + 2 < n && hull[i + 1]->x < x)
		i++;
	*from = hull[i];
	*to = n > 1 ? hull[i + 1] : hull[i];
}

/* The least lateness of the slices from `first` up to `end`. */
static double slices_least(const struct clock *c, size_t first, size_t end)
{
	double least = INFINITY;

	for (size_t i = first; i < end; i++)
		least = fmin(least, c->slice[i].z - line_at(c, c->slice[i].x));
	return least;
}

/*
 * How far the line is above the truth. The least of n delays falls as 1/n when they begin at once
 * (exponential, uniform), slower when the earliest are rare (several causes of delay added up). So
 * the exponent is estimated: from the mean delay to the mean of each slice's least.
 */
static void line_rate(struct clock *c, double count, double mean)
{
	double slices = (double)c->slices, low = 0, before = 0, exponent = 1;

	for (size_t i = 0; i < c->slices; i++) {
		low += (c->slice[i].z - line_at(c, c->slice[i].x)) / slices;
		before += c->slice[i].x <= mean;
	}
	if (c->line.usual > low && count > slices)
		exponent = log(c->line.usual / low) / log(count / slices);
	exponent = fmax(.25, fmin(1, exponent));
	low = fmax(0, low - c->grain);	/* the grain is part of every uncertainty already */
	c->line.from_error = CONFIDENCE * low * pow(fmax(1, before), -exponent);
	c->line.to_error = CONFIDENCE * low * pow(fmax(1, slices - before), -exponent);
}

static void line_fit(struct clock *c)
{
	const double most = c->terms.ppm * 1e-6;
	const size_t quarter = (c->slices + 3) / 4;
	const struct clock_slice *from, *to;
	double span = c->slice[c->slices - 1].x - c->slice[0].x, sum_x = 0, sum_z = 0, count = 0;

	for (size_t i = 0; i < c->slices; i++) {
		sum_x += c->slice[i].sum_x;
		sum_z += c->slice[i].sum_z;
		count += c->slice[i].count;
	}
	hull_edge(c, sum_x / count, &from, &to);
	c->line.drift = from < to ? fmax(-most, fmin(most, slope_between(from, to))) : 0;
	c->line.offset = 0;
	c->line.offset = slices_least(c, 0, c->slices);
	c->line.from = from->x;
	c->line.to = to->x;
	c->line.count = (unsigned)fmin(count, 1e9);
	c->line.usual = fmax(0, (sum_z - c->line.drift * sum_x) / count - c->line.offset);
	line_rate(c, count, sum_x / count);
	c->line.drift_error = 2 * most;
	if (from < to)
		c->line.drift_error = fmin(2 * most, (c->line.from_error + c->line.to_error +
						      c->grain) / fmax(to->x - from->x, span / 2));
	c->line.gap = fmax(slices_least(c, 0, quarter),
			   slices_least(c, c->slices - quarter, c->slices));
}

/* --- the slices ------------------------------------------------------------------------------- */

static void slices_join(struct clock *c)
{
	for (size_t i = 0; i < CLOCK_SLICES / 2; i++) {
		struct clock_slice a = c->slice[2 * i], b = c->slice[2 * i + 1];

		if (b.z - c->line.drift * b.x < a.z - c->line.drift * a.x) {
			a.x = b.x;
			a.z = b.z;
		}
		a.sum_x += b.sum_x;
		a.sum_z += b.sum_z;
		a.count += b.count;
		c->slice[i] = a;
	}
	c->slices = CLOCK_SLICES / 2;
	c->width *= 2;
}

static struct clock_slice *slice_new(struct clock *c, double x, double z)
{
	if (c->slices == CLOCK_SLICES && c->width < WIDTH_MOST)
		slices_join(c);
	if (c->slices == CLOCK_SLICES)
		memmove(c->slice, c->slice + 1, --c->slices * sizeof(c->slice[0]));
	c->slice[c->slices] = (struct clock_slice){ .first = x, .x = x, .z = z };
	return &c->slice[c->slices++];
}

static void slices_add(struct clock *c, double x, double z)
{
	struct clock_slice *s = c->slices ? &c->slice[c->slices - 1] : NULL;

	if (!s || x - s->first >= c->width)
		s = slice_new(c, x, z);
	s->sum_x += x;
	s->sum_z += z;
	s->count++;
	if (z - c->line.drift * x < s->z - c->line.drift * s->x) {
		s->x = x;
		s->z = z;
	}
	line_fit(c);
}

/* --- ticks ------------------------------------------------------------------------------------ */

static void map_begin(struct clock *c, uint64_t ticks, uint64_t ns)
{
	c->restarts += c->begun;
	c->begun = true;
	c->base_ticks = c->ticks = ticks;
	c->base_ns = c->ns = ns;
	c->newest.x = c->newest.z = 0;
	c->slices = 0;
	c->width = WIDTH_FIRST;
	c->late.count = 0;
	memset(&c->line, 0, sizeof(c->line));
}

/* By how much the newest arrival is late when that is no usual lateness; else 0. */
static double newest_late(const struct clock *c)
{
	double x = c->newest.x, late = c->newest.z - line_at(c, x);

	if (c->line.count < CLOCK_LEAST ||
	    late <= LATE_TIMES * c->line.usual + LATE_LEAST + line_error(c, x))
		return 0;
	return late;
}

/* The last one of an arrival goes into the line, unless it is much too late. */
static void newest_settle(struct clock *c)
{
	double late = newest_late(c);

	if (late <= 0) {
		c->late.count = 0;
		slices_add(c, c->newest.x, c->newest.z);
		return;
	}
	if (!c->late.count++) {
		c->late.since_ns = c->ns;
		c->late.least = late;
	}
	c->late.least = fmin(c->late.least, late);
	if (c->late.count >= CLOCK_LEAST && c->ns - c->late.since_ns >= LATE_SPAN)
		map_begin(c, c->ticks, c->ns);
}

/*
 * How many ticks ahead of the newest the ticks are, wraps bridged by the arrival. false: they went
 * back, or came before their time.
 */
static bool ticks_step(const struct clock *c, uint64_t ticks, uint64_t ns, int64_t *step)
{
	uint64_t mask = UINT64_MAX >> (64 - c->terms.bits), ahead = (ticks - c->ticks) & mask;
	uint64_t back = (c->ticks - ticks) & mask;
	double last = source_seconds(c, c->ticks), wrap = wrap_seconds(c), slack, expected, wraps;

	expected = (host_seconds(c, ns) - c->line.offset) / (1 + c->line.drift) - last;
	slack = AHEAD_MOST;
	if (c->line.count >= CLOCK_LEAST)
		slack = 4 * line_error(c, last + expected) + LATE_LEAST;
	slack = fmin(slack, wrap / 4);
	if (ticks_seconds(c, ahead) > expected + slack) {
		*step = -(int64_t)(back & INT64_MAX);
		return ticks_seconds(c, back) <= slack;
	}
	wraps = floor((expected + slack - ticks_seconds(c, ahead)) / wrap);
	if (ahead > INT64_MAX || ldexp(wraps, (int)c->terms.bits) > 4e18)
		return false;
	*step = (int64_t)ahead;
	if (wraps > 0)
		*step += (int64_t)ldexp(wraps, (int)c->terms.bits);
	return true;
}

uint64_t clock_note(struct clock *c, uint64_t ticks, uint64_t ns)
{
	uint64_t mask = UINT64_MAX >> (64 - c->terms.bits), at;
	int64_t step;

	if (!clock_has_map(c))
		return ticks;
	if (!c->begun) {
		map_begin(c, ticks & mask, ns);
		return c->ticks;
	}
	if (ns > c->ns)
		newest_settle(c);
	if (ns < c->ns || !ticks_step(c, ticks, ns, &step)) {
		map_begin(c, c->ticks + ((ticks - c->ticks) & mask), ns);
		return c->ticks;
	}
	at = c->ticks + (uint64_t)step;
	if (step >= 0) {
		c->ticks = at;
		c->newest.x = source_seconds(c, at);
		c->newest.z = host_seconds(c, ns) - c->newest.x;
	}
	c->ns = ns;
	return at;
}

struct clock_moment clock_host(const struct clock *c, uint64_t ticks)
{
	struct clock_moment m = { .ns = c->ns, .uncertainty = NAN };
	double x, ns, late;

	if (c->line.count < CLOCK_LEAST || LATE_TIMES * c->line.usual > wrap_seconds(c))
		return m;
	x = source_seconds(c, ticks);
	ns = (x + line_at(c, x)) * CLOCK_SECOND;
	if (x < 0 || !(fabs(ns) < 4e18) || (ns < 0 && (uint64_t)-ns > c->base_ns))
		return m;
	m.ns = c->base_ns + (uint64_t)(int64_t)ns;
	late = x > c->line.to ? newest_late(c) : 0;
	m.uncertainty = line_error(c, x) + (c->late.count ? fmin(late, c->late.least) : late);
	m.uncertainty *= CLOCK_SECOND;
	return m;
}

double clock_drift(const struct clock *c, double *error)
{
	*error = c->line.count < CLOCK_LEAST ? (double)NAN : c->line.drift_error;
	return c->line.drift;
}
