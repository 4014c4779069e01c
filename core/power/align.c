/* align: lags by arrivals, by the current, by edges; the line through them. */
#include "core/power/align.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

enum {
	STEPS = 1000,			/* lags looked at to each side, at most */
	FINER = 8,			/* to each side of the best one, then finer */
	PARTS = 4,
	AGREE = 3,			/* parts that agree, at least */
	MISSES = 2,
	EDGES = 1 << 14,		/* looked at */
	BESIDE = 100,			/* of a far range: so much of it is beside the best lag */
	FAR = 500,			/* ticks: a far range */
};

#define AGREES 0.12			/* of the range: parts are so near the whole */
/* Of the variance, at least: right lags told 0.27 to 1, wrong ones (sim, the demo) up to 0.1. */
#define TELLS 0.2
#define VARIES 0.01		/* of the mean: a current that varies by less tells nothing */
#define CHANCES 4	/* standard deviations: the best of many lags is looked at */
#define ALONE 0.9			/* of the best lag's share: no other one has more */
#define CLIP 2.0			/* times the mean: a radio does not outweigh all the rest */
#define EDGE_NEAR 200e-6		/* s: an edge and its note */
#define SMALLEST 0.5			/* ticks: a sample has no place within its own */
/* s: the current follows what draws it when the board's capacitors let it; nothing tells when */
#define CAPACITORS 20e-6

void align_init(struct align *a, double hz)
{
	*a = (struct align){ .rate = hz, .uncertainty = NAN, .ppm = 200 };
}

void align_arrival(struct align *a, double at, double tick, double rate, double uncertainty)
{
	double moved = fabs(align_tick(a, at) - tick) / rate;

	if (a->method > ALIGN_ARRIVAL)
		return;
	if (a->method == ALIGN_NONE || moved > a->uncertainty ||
	    uncertainty < a->uncertainty / 2)
		a->moves++;
	a->method = ALIGN_ARRIVAL;
	a->at = at;
	a->tick = tick;
	a->rate = rate;
	a->uncertainty = uncertainty + ALIGN_DELAYS;
}

/* --- a line through anchors ------------------------------------------------------------------- */

/* The rate by the anchors alone needs two seconds and three of them. */
static bool rate_fit(const struct align *a, double *rate)
{
	double x = 0, y = 0, xx = 0, xy = 0, n = (double)a->count;
	const struct align_anchor *first = &a->anchors[0];

	if (a->count < 3 || a->anchors[a->count - 1].at - first->at < 2)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		x += (a->anchors[i].at - first->at) / n;
		y += (a->anchors[i].tick - first->tick) / n;
	}
	for (size_t i = 0; i < a->count; i++) {
		double dx = a->anchors[i].at - first->at - x;

		xx += dx * dx;
		xy += dx * (a->anchors[i].tick - first->tick - y);
	}
	*rate = xx > 0 ? xy / xx : *rate;
	return xx > 0;
}

/* Through their middle; it is unsure of what they scatter by and of what each is off. */
static void anchors_fit(struct align *a, enum align_method method)
{
	struct align before = *a;
	double at = 0, tick = 0, scatter = 0, n = (double)a->count;

	if (rate_fit(a, &a->rate))
		a->ppm = 20;
	for (size_t i = 0; i < a->count; i++) {
		at += a->anchors[i].at / n;
		tick += a->anchors[i].tick / n;
	}
	a->at = at;
	a->tick = tick;
	for (size_t i = 0; i < a->count; i++) {
		double off = align_tick(a, a->anchors[i].at) - a->anchors[i].tick;

		scatter += off * off + a->anchors[i].error * a->anchors[i].error;
	}
	a->uncertainty = (SMALLEST + 2 * sqrt(scatter / n / n)) / a->rate +
			 (method == ALIGN_CURRENT ? CAPACITORS : 0);
	a->method = method;
	if (before.method != method || a->uncertainty < before.uncertainty / 2 ||
	    fabs(align_tick(&before, at) - tick) / a->rate > before.uncertainty)
		a->moves++;
}

/* The oldest goes where there is no room; the meter's clock began again: all go. */
static void anchor_add(struct align *a, const struct align_anchor *anchor)
{
	if (a->count == ALIGN_ANCHORS) {
		memmove(a->anchors, a->anchors + 1, (ALIGN_ANCHORS - 1) * sizeof(*a->anchors));
		a->count--;
	}
	a->anchors[a->count++] = *anchor;
}

/* --- by the current --------------------------------------------------------------------------- */

/* The window's samples, clipped, summed up: sum[i] is of those before `first` + i. */
struct lag_look {
	const struct align *line;
	const struct align_span *spans;
	size_t count;
	double *sum;
	uint64_t first;
	size_t ticks;
	double variance;		/* of a sample */
};

static double sum_until(const struct lag_look *l, double tick)
{
	double x = tick - (double)l->first;
	size_t i;

	if (!(x > 0))
		return 0;
	if (x >= (double)l->ticks)
		return l->sum[l->ticks];
	i = (size_t)x;
	return l->sum[i] + (x - (double)i) * (l->sum[i + 1] - l->sum[i]);
}

/*
 * The share of the variance between groups at a lag, for spans from `from` to `to`. What the window
 * does not reach is left out: it would count as no current. Half of them must be in it.
 */
static double lag_score(const struct lag_look *l, size_t from, size_t to, double lag)
{
	double charge[ALIGN_GROUPS] = { 0 }, width[ALIGN_GROUPS] = { 0 };
	double all = 0, wide = 0, between = 0, out = 0;
	double last = (double)(l->first + l->ticks);

	for (size_t i = from; i < to; i++) {
		double begin = align_tick(l->line, l->spans[i].begin) + lag;
		double end = align_tick(l->line, l->spans[i].end) + lag;
		uint32_t g = l->spans[i].group;

		g = g ? 1 + g % (ALIGN_GROUPS - 1) : 0;
		end = end > begin ? end : begin + 1;
		if (begin < (double)l->first || end > last) {
			out += end - begin;
			continue;
		}
		charge[g] += sum_until(l, end) - sum_until(l, begin);
		width[g] += end - begin;
	}
	for (size_t g = 0; g < ALIGN_GROUPS; g++) {
		all += charge[g];
		wide += width[g];
		between += width[g] > 0 ? charge[g] * charge[g] / width[g] : 0;
	}
	return wide > out && l->variance > 0 ?
	       (between - all * all / wide) / wide / l->variance : 0;
}

/* The best lag within `range` ticks of `middle`; of equally good ones the nearest to it. */
static double lag_best(const struct lag_look *l, size_t from, size_t to, double middle,
		       double range, double *score)
{
	double step = fmax(range / STEPS, 2), best = middle;

	*score = lag_score(l, from, to, middle);
	for (double d = step; d <= range; d += step) {
		for (int side = -1; side <= 1; side += 2) {
			double s = lag_score(l, from, to, middle + side * d);

			if (s > *score * 1.000001) {
				*score = s;
				best = middle + side * d;
			}
		}
	}
	for (; step > 0.1; step /= FINER / 2) {
		double about = best;

		for (int i = -FINER; i <= FINER; i++) {
			double lag = about + i * step / FINER, s = lag_score(l, from, to, lag);

			if (s > *score) {
				*score = s;
				best = lag;
			}
		}
	}
	return best;
}

/* Of files as well: what is not known counts as the sample before. False: there are too few. */
static bool look_read(struct lag_look *l, const struct power *p, double from, double to)
{
	double all = 0, squares = 0, mean;
	struct power_span span;
	float amps = 0;

	from = fmax(floor(from), (double)power_begin(p));
	to = fmin(ceil(to), (double)power_end(p));
	if (!(to - from >= 16) || to - from > 1e8 ||
	    !power_span(p, (uint64_t)from, (uint64_t)to, &span) || !(span.mean > 0))
		return false;
	l->first = (uint64_t)from;
	l->ticks = (size_t)(to - from);
	l->sum = mem_alloc((l->ticks + 1) * sizeof(*l->sum));
	if (!l->sum)
		return false;
	for (size_t i = 0; i < l->ticks; i++) {
		float at = power_at(p, l->first + i);

		amps = isnan(at) ? amps : at;
		l->sum[i] = all;
		all += fmin((double)amps, CLIP * span.mean);
		squares += fmin((double)amps, CLIP * span.mean) *
			   fmin((double)amps, CLIP * span.mean);
	}
	l->sum[l->ticks] = all;
	mean = all / (double)l->ticks;
	l->variance = squares / (double)l->ticks - mean * mean;
	return l->variance > VARIES * VARIES * mean * mean;
}

/* What runs without a pause is one: far ranges are searched by sleep and run alone. */
static size_t spans_merge(const struct align_span *spans, size_t count, struct align_span *to)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t group = spans[i].group != 0;

		if (n && to[n - 1].group == group && spans[i].begin <= to[n - 1].end)
			to[n - 1].end = spans[i].end;
		else
			to[n++] = (struct align_span){ spans[i].begin, spans[i].end, group };
	}
	return n;
}

/*
 * The best of coarse lags in a far range. NaN: another one, not beside it, is nearly as good, as
 * where the firmware does the same again and again.
 */
static double lag_coarse(const struct lag_look *l, double range)
{
	double scores[2 * STEPS + 1], step = range / STEPS, second = 0;
	int best = STEPS;

	for (int i = 0; i <= 2 * STEPS; i++)
		scores[i] = lag_score(l, 0, l->count, (i - STEPS) * step);
	for (int i = 0; i <= 2 * STEPS; i++)
		best = scores[i] > scores[best] ? i : best;
	for (int i = 0; i <= 2 * STEPS; i++)
		if (abs(i - best) > STEPS / BESIDE)
			second = fmax(second, scores[i]);
	return second > ALONE * scores[best] ? (double)NAN : (best - STEPS) * step;
}

/* A far range first, coarsely; by sleep and run, if it sleeps at all. NaN: it is not to be told. */
static double lag_find(struct lag_look *l, double range, double *score)
{
	struct align_span *merged = NULL;
	struct lag_look coarse = *l;
	double lag = 0, step = range / STEPS;

	if (range > FAR)
		merged = mem_alloc(l->count * sizeof(*merged));
	if (merged) {
		coarse.spans = merged;
		coarse.count = spans_merge(l->spans, l->count, merged);
		if (coarse.count < 3)
			coarse = *l;
		lag = lag_coarse(&coarse, range);
		range = fmax(4 * step, 40);
		mem_free(merged);
	}
	return isnan(lag) ? lag : lag_best(l, 0, l->count, lag, range, score);
}

/* Do the parts of it, each by itself, agree with the whole? *error: of the whole, ticks. */
static bool parts_agree(const struct lag_look *l, double lag, double range, double *error)
{
	double near = fmax(AGREES * range, 2), squares = 0, score;
	unsigned agree = 0;

	for (size_t i = 0; i < PARTS; i++) {
		size_t from = l->count * i / PARTS, to = l->count * (i + 1) / PARTS;
		double off = lag_best(l, from, to, lag, range, &score) - lag;

		if (fabs(off) > near)
			continue;
		agree++;
		squares += off * off;
	}
	*error = agree ? sqrt(squares / agree / PARTS) : 0;
	return agree >= AGREE;
}

/*
 * Few PC samples of many functions tell some of any variance by chance: what is told beyond that.
 * Spans of a trace are many, and each is a mean of its own.
 */
static double share_told(const struct lag_look *l, double score)
{
	bool seen[ALIGN_GROUPS] = { false };
	double groups = 0, chance;

	if (!l->count)
		return 0;
	for (size_t i = 0; i < l->count; i++) {
		uint32_t g = l->spans[i].group;

		if (l->spans[i].end > l->spans[i].begin)
			return score;
		g = g ? 1 + g % (ALIGN_GROUPS - 1) : 0;
		groups += !seen[g];
		seen[g] = true;
	}
	chance = groups - 1 + CHANCES * sqrt(2 * (groups - 1));
	chance /= fmax((double)l->count - 1, 1);
	return chance < 1 ? (score - chance) / (1 - chance) : 0;
}

/* Ticks to either side of the line that may be right; for parts of a far range less. */
static double range_of(const struct align *a, double at, double hz)
{
	double away = a->count ? fabs(at - a->anchors[a->count - 1].at) : 0;

	if (a->method == ALIGN_NONE)
		return ALIGN_APART * hz;
	if (a->method == ALIGN_ARRIVAL)
		return (a->uncertainty + 1e-3) * hz;
	return (1e-3 + 3 * a->uncertainty + away * a->ppm * 1e-6) * hz;
}

/* Few anchors that no other window confirms came by chance: only the arrivals tell something. */
static void anchors_doubt(struct align *a)
{
	if (a->method != ALIGN_CURRENT || ++a->misses < MISSES || a->count > a->misses)
		return;
	a->method = ALIGN_NONE;
	a->uncertainty = NAN;
	a->count = a->misses = 0;
	a->moves++;
}

bool align_current(struct align *a, const struct power *p, const struct align_span *spans,
		   size_t count)
{
	struct lag_look l = { .line = a, .spans = spans, .count = count };
	double hz = power_hz(p), range, lag, error, score = 0, middle;
	bool found = false;

	if (count < 2 * PARTS || !(hz > 0) || a->method == ALIGN_EDGE)
		return false;
	middle = (spans[0].begin + spans[count - 1].end) / 2;
	range = range_of(a, middle, hz);
	if (look_read(&l, p, align_tick(a, spans[0].begin) - range,
		      align_tick(a, spans[count - 1].end) + range)) {
		lag = lag_find(&l, range, &score);
		found = !isnan(lag) && share_told(&l, score) > TELLS &&
			parts_agree(&l, lag, fmin(range, 5e-3 * hz + 20), &error);
	}
	mem_free(l.sum);
	if (!found) {
		anchors_doubt(a);
		return false;
	}
	a->misses = 0;
	anchor_add(a, &(struct align_anchor){ middle, align_tick(a, middle) + lag, error });
	anchors_fit(a, ALIGN_CURRENT);
	return true;
}

/* --- by edges --------------------------------------------------------------------------------- */

/* The ticks at which D0 changed; `rising`: to 1 alone. How many. */
static size_t edges_of(const struct power *p, bool rising, double *ticks)
{
	const struct power_edge *edges;
	size_t count = power_edges(p, &edges), n = 0;

	for (size_t i = 1; i < count && n < EDGES; i++) {
		bool changed = (edges[i].bits ^ edges[i - 1].bits) & 1;

		if (changed && (!rising || edges[i].bits & 1))
			ticks[n++] = (double)edges[i].tick;
	}
	return n;
}

/* The nearest of ascending ticks to one; they are not none. */
static double tick_nearest(const double *ticks, size_t count, double tick)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ticks[middle] < tick)
			low = middle + 1;
		else
			high = middle;
	}
	if (low && (low == count || tick - ticks[low - 1] < ticks[low] - tick))
		low--;
	return ticks[low];
}

/* Notes that have an edge near them when all are shifted by so much. */
static size_t matches_of(const struct align *a, const double *ticks, size_t edges,
			 const double *times, size_t count, double shift, double near)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		double tick = align_tick(a, times[i]) + shift;

		n += fabs(tick_nearest(ticks, edges, tick) - tick) <= near;
	}
	return n;
}

/* The shift with the most matches: each edge near the first notes proposes one. */
static double shift_find(const struct align *a, const double *ticks, size_t edges,
			 const double *times, size_t count, double range, double near)
{
	double best = 0;
	size_t most = 0, few = count < 64 ? count : 64;

	for (size_t k = 0; k < 4 && k < count; k++) {
		for (size_t i = 0; i < edges; i++) {
			double shift = ticks[i] - align_tick(a, times[k]);
			size_t n;

			if (fabs(shift) > range)
				continue;
			n = matches_of(a, ticks, edges, times, few, shift, near);
			if (n > most || (n == most && fabs(shift) < fabs(best))) {
				most = n;
				best = shift;
			}
		}
	}
	return most >= ALIGN_MATCHES / 2 ? best : NAN;
}

/* The newest matches become the anchors. */
static size_t anchors_match(struct align *a, const double *ticks, size_t edges,
			    const double *times, size_t count, double shift, double near)
{
	struct align line = *a;
	size_t matched = 0;

	a->count = 0;
	for (size_t i = 0; i < count; i++) {
		double tick = align_tick(&line, times[i]) + shift;
		double edge = tick_nearest(ticks, edges, tick);

		if (!(fabs(edge - tick) <= near))
			continue;
		matched++;
		shift += (edge - tick) / 8;	/* the clocks drift */
		anchor_add(a, &(struct align_anchor){ times[i], edge, SMALLEST / 2 });
	}
	return matched;
}

static bool edge_try(struct align *a, const double *ticks, size_t edges, const double *times,
		     size_t count, double hz)
{
	struct align tried = *a;
	double range = (a->method == ALIGN_NONE ? ALIGN_APART : a->uncertainty + 5e-3) * hz;
	double near = EDGE_NEAR * hz + 1, shift;
	size_t matched, most = edges < count ? edges : count;

	if (edges < ALIGN_MATCHES || count < ALIGN_MATCHES)
		return false;
	shift = shift_find(a, ticks, edges, times, count, range, near);
	if (isnan(shift))
		return false;
	matched = anchors_match(&tried, ticks, edges, times, count, shift, near);
	if (matched < ALIGN_MATCHES || matched * 10 < most * 8)
		return false;
	anchors_fit(&tried, ALIGN_EDGE);
	*a = tried;
	return true;
}

bool align_edge(struct align *a, const struct power *p, const double *times, size_t count)
{
	double *ticks = mem_alloc(EDGES * sizeof(*ticks));
	bool found = false;

	/* A pulse is told by one mark: when it begins. A state may be told at both of its edges. */
	for (int all = 0; ticks && all < 2 && !found; all++) {
		size_t edges = edges_of(p, !all, ticks);

		found = edge_try(a, ticks, edges, times, count, power_hz(p));
	}
	mem_free(ticks);
	return found;
}

/* --- charge ----------------------------------------------------------------------------------- */

enum { SINGLY = 48 };			/* ticks that are looked at each by itself */

static void ticks_charge(const struct power *p, double from, double to, double *sum,
			 double *covered)
{
	for (double at = floor(from); at < to; at++) {
		double part = fmin(at + 1, to) - fmax(at, from);
		float amps = at >= 0 ? power_at(p, (uint64_t)at) : NAN;

		if (isnan(amps))
			continue;
		*sum += (double)amps * part;
		*covered += part;
	}
}

double power_charge(const struct power *p, double from, double to, double *covered)
{
	double sum = 0, first, last;
	struct power_span span;

	/* Behind the newest nothing is known; far behind it, adding 1 changes no tick. */
	*covered = 0;
	from = fmax(from, 0);
	if (to > (double)power_end(p))
		to = (double)power_end(p);
	if (!(to > from) || !(power_hz(p) > 0))
		return 0;
	if (to - from < SINGLY) {
		ticks_charge(p, from, to, &sum, covered);
		return sum / power_hz(p);
	}
	first = ceil(from);
	last = floor(to);
	ticks_charge(p, from, first, &sum, covered);
	ticks_charge(p, last, to, &sum, covered);
	if (power_span(p, (uint64_t)first, (uint64_t)last, &span)) {
		sum += span.mean * (double)span.count;
		*covered += (double)span.count;
	}
	return sum / power_hz(p);
}
