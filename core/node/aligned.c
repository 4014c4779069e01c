/* aligned: the node's clock and the power meter's (core/power/align.h). */
#include "core/node/parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"

enum {
	SPANS = 8192,			/* that an anchor rests on, at most */
	ANCHORS_LIVE = 2,		/* windows looked at in one call, while more comes */
	ANCHORS_ENDED = 64,
	NOTES = 4096,			/* marks and states that edges are compared with */
	NOTE_IDS = 16,
	WINDOW_SPANS = 64,		/* that a second should have */
	LEAST_TICKS = 4,
};

/*
 * s: a simulator that keeps real time may be so late, and catches up then (sim/source/simavr.c,
 * LATE_MAX). What ran when is not known better, and by the current a lag would be found that is
 * right for a moment.
 */
#define SIMULATOR_LATE 0.2

#define SPACING 16.0			/* s: between two windows, at most */
#define FIRST_WINDOW 8.0		/* s, without arrivals */
#define PPM_CRYSTALS 100.0		/* files have no arrivals to know a rate by */

double aligned_seconds(const struct node *n, uint64_t ticks)
{
	uint64_t ns;

	/* PC samples without a clock are aligned by the host's time; what is watched has one. */
	if (n->energy.count && !n->inputs[0].ticks && n->metered.power)
		return node_trace_arrival(n, ticks, &ns) ? (double)ns / CLOCK_SECOND : (double)NAN;
	return (double)ticks / trace_ticks_per_second(n->calls.trace);
}

bool aligned_sleeps(const struct node *n, uint32_t id)
{
	const uint64_t *sleepers;
	size_t count = node_sleepers(n, &sleepers);
	uint32_t address = count ? energy_address(n, id) : 0;

	for (size_t i = 0; i < count; i++)
		if (sleepers[i] == address)
			return true;
	return false;
}

/* --- by arrivals ------------------------------------------------------------------------------ */

/* The newest time that the node told, on its own axis and the host's. */
static bool newest_host(const struct node *n, double *at, struct clock_moment *m, double *drift)
{
	const struct node_energy *e = &n->energy;
	const struct clock *c = n->calls.trace && !e->count ? &e->clock : &n->inputs[0].clock;
	double error;

	*drift = 0;
	if (e->count && !n->inputs[0].ticks) {	/* its times are the host's */
		*at = e->pcs[e->count - 1].at;
		*m = (struct clock_moment){ (uint64_t)(*at * CLOCK_SECOND),
					    e->clock.grain * CLOCK_SECOND };
		return *at > 0;
	}
	if (!c->terms.ticks_per_second || !clock_has_map(c))
		return false;
	*at = (double)c->ticks / (double)c->terms.ticks_per_second;
	*m = clock_host(c, c->ticks);
	*drift = clock_drift(c, &error);
	return !isnan(m->uncertainty);
}

static void arrivals_align(struct node *n)
{
	const struct power *p = n->metered.power;
	struct clock_moment m;
	double at, unsure, tick, drift, hz = power_hz(p), meter, error;

	if (!newest_host(n, &at, &m, &drift))
		return;
	tick = power_tick(p, m.ns, &unsure);
	if (isnan(unsure))
		return;
	meter = power_clock(p) ? clock_drift(power_clock(p), &error) : 0;
	align_arrival(&n->energy.align, at, tick, hz * (1 + drift) / (1 + meter),
		      m.uncertainty / CLOCK_SECOND + unsure / hz +
			      (metered_is_simulated(n) ? SIMULATOR_LATE : 0));
}

/* --- by the current --------------------------------------------------------------------------- */

enum { GROUP_SLEEP, GROUP_SHORT, GROUP_FIRST };

struct window {
	const struct node *node;
	struct align_span *spans;
	size_t count;
	double least;			/* s: what is shorter tells nothing of itself */
	uint32_t id;			/* the last one that was asked for: */
	bool sleeps;
};

/* Short ones are one with each other, and what is alike with its neighbour. */
static void window_add(struct window *w, double begin, double end, uint32_t group)
{
	struct align_span *last = w->count ? &w->spans[w->count - 1] : NULL;

	if (end - begin < w->least)
		group = GROUP_SHORT;
	if (last && last->group == group && begin <= last->end)
		last->end = end;
	else if (w->count < SPANS)
		w->spans[w->count++] = (struct align_span){ begin, end, group };
}

static void window_take(void *ctx, const struct runs_span *s)
{
	struct window *w = ctx;

	if (s->unknown)
		return;
	if (s->id && s->id != w->id) {
		w->id = s->id;
		w->sleeps = aligned_sleeps(w->node, s->id);
	}
	window_add(w, aligned_seconds(w->node, s->begin), aligned_seconds(w->node, s->end),
		   s->id && !w->sleeps ? GROUP_FIRST + s->id : GROUP_SLEEP);
}

static void window_read_trace(struct window *w, double begin, double end)
{
	const struct trace *t = w->node->calls.trace;
	double rate = trace_ticks_per_second(t);
	struct runs_taker taker = { .ctx = w, .span = window_take };
	struct runs runs = { .at = (uint64_t)(begin * rate) };

	runs_read(&runs, t, (uint64_t)(end * rate), &taker);
}

static void window_read_pcs(struct window *w, double begin, double end)
{
	const struct node_energy *e = &w->node->energy;

	for (size_t i = 0; i < e->count && w->count < SPANS; i++) {
		double at = e->pcs[i].at;

		if (at >= begin && at < end)
			w->spans[w->count++] = (struct align_span){ at, at, e->pcs[i].function };
	}
}

/* A node that seldom wakes up needs more than a second. */
static bool window_align(struct node *n, double begin, double end, double last)
{
	struct window w = { .node = n, .spans = mem_alloc(SPANS * sizeof(*w.spans)) };
	bool found = false;

	w.least = LEAST_TICKS / power_hz(n->metered.power);
	while (w.spans) {
		w.count = 0;
		if (n->energy.count)
			window_read_pcs(&w, begin, end);
		else
			window_read_trace(&w, begin, end);
		if (w.count >= WINDOW_SPANS || end >= last || end - begin >= SPACING)
			break;
		end = fmin(begin + 2 * (end - begin), last);
	}
	if (w.spans)
		found = align_current(&n->energy.align, n->metered.power, w.spans, w.count);
	mem_free(w.spans);
	return found;
}

/* From when to when the node tells what ran; false: it does not. */
static bool told_span(const struct node *n, bool ended, double *begin, double *end)
{
	const struct node_energy *e = &n->energy;
	uint64_t from, to;

	if (e->count) {
		*begin = e->pcs[0].at;
		*end = e->pcs[e->count - 1].at;
		return *end > *begin;
	}
	if (!n->calls.trace || !trace_span(n->calls.trace, &from, &to))
		return false;
	*begin = aligned_seconds(n, from);
	*end = aligned_seconds(n, runs_told(n->calls.trace, ended));
	return *end > *begin;
}

/*
 * Where nothing is known yet, as of two files: the more of the time, the better one lag is told
 * from another. Again when there is twice as much.
 */
static void first_align(struct node *n, bool ended, double end)
{
	struct node_energy *e = &n->energy;
	double length = fmin(end - e->next, FIRST_WINDOW);

	if (length <= (ended ? e->tried : fmax(ALIGN_WINDOW, 2 * e->tried)))
		return;
	e->tried = length;
	if (window_align(n, e->next, e->next + length, end) || length >= FIRST_WINDOW) {
		e->next += length;
		e->tried = 0;
	}
}

/* Each window that both have told; the next one is twice as far from it as the one before. */
static void current_align(struct node *n, bool ended)
{
	struct node_energy *e = &n->energy;
	const struct power *p = n->metered.power;
	double begin, end, last;

	if (!told_span(n, ended, &begin, &end))
		return;
	begin = fmax(begin, align_at(&e->align, (double)power_whole_from(p)));
	end = fmin(end, align_at(&e->align, (double)power_end(p)));
	if (e->next < begin)
		e->next = begin;
	if (!align_is_known(&e->align))
		first_align(n, ended, end);
	if (!align_is_known(&e->align))
		return;
	for (int i = 0; i < (ended ? ANCHORS_ENDED : ANCHORS_LIVE); i++) {
		last = e->next + ALIGN_WINDOW;
		if (last > end || last <= e->next)
			return;
		if (window_align(n, e->next, last, end))
			e->spacing = fmin(2 * e->spacing, SPACING);
		e->next += e->spacing;
	}
}

/* --- by edges --------------------------------------------------------------------------------- */

static int time_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of all lanes, ascending; those whose time is not known are left out. */
static size_t note_times(const struct node *n, const struct trace_event *of, double *times)
{
	const struct trace *t = n->calls.trace;
	size_t count = 0;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		size_t all = trace_notes_until(t, lane, UINT64_MAX);

		for (size_t i = all > NOTES ? all - NOTES : 0; i < all && count < NOTES; i++) {
			struct trace_event e = trace_note(t, lane, i);
			double at = aligned_seconds(n, e.ticks);

			if (e.kind == of->kind && e.id == of->id && !isnan(at))
				times[count++] = at;
		}
	}
	qsort(times, count, sizeof(*times), time_compare);
	return count;
}

/* The marks and states that there are, each once. */
static size_t note_kinds(const struct trace *t, struct trace_event *kinds)
{
	size_t count = 0;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		size_t all = trace_notes_until(t, lane, UINT64_MAX);

		for (size_t i = all > NOTES ? all - NOTES : 0; i < all && count < NOTE_IDS; i++) {
			struct trace_event e = trace_note(t, lane, i);
			size_t k = 0;

			while (k < count && !(kinds[k].kind == e.kind && kinds[k].id == e.id))
				k++;
			if (k == count && (e.kind == TRACE_MARK || e.kind == TRACE_STATE))
				kinds[count++] = e;
		}
	}
	return count;
}

/* Where the meter saw twice as many edges as when they were last looked at. */
static void edges_align(struct node *n, bool ended)
{
	struct node_energy *e = &n->energy;
	struct trace_event kinds[NOTE_IDS];
	const struct power_edge *edges;
	size_t count = power_edges(n->metered.power, &edges), notes;
	double *times;

	if (!n->calls.trace || count < ALIGN_MATCHES || count == e->edges ||
	    (!ended && count < 2 * e->edges))
		return;
	e->edges = count;
	times = mem_alloc(NOTES * sizeof(*times));
	notes = times ? note_kinds(n->calls.trace, kinds) : 0;
	for (size_t i = 0; i < notes; i++)
		if (align_edge(&e->align, n->metered.power, times,
			       note_times(n, &kinds[i], times)))
			break;
	mem_free(times);
}

/* The meter was away: its ticks did not go on meanwhile. What comes now has a line of its own. */
static void clock_follow(struct node *n)
{
	struct node_energy *e = &n->energy;
	const struct clock *c = power_clock(n->metered.power);

	if (!c || c->restarts == e->restarts)
		return;
	e->restarts = c->restarts;
	if (!e->begun)
		return;
	e->begun = false;
	e->from = e->whole.runs.at;
	e->pcs_from = e->whole.taken;
	e->window.begun = false;
	if (e->pcs_from < e->count)
		e->line_from = e->pcs[e->pcs_from].at;
	else if (n->calls.trace)
		e->line_from = aligned_seconds(n, e->from);
}

static bool align_begin(struct node *n, bool ended)
{
	struct node_energy *e = &n->energy;
	double begin, end;

	if (!told_span(n, ended, &begin, &end))
		return false;
	align_init(&e->align, power_hz(n->metered.power));
	e->align.at = begin;
	e->align.tick = (double)power_begin(n->metered.power);
	e->align.ppm = PPM_CRYSTALS;
	e->spacing = ALIGN_WINDOW;
	e->begun = true;
	return true;
}

void aligned_update(struct node *n, bool ended)
{
	const struct power *p = n->metered.power;

	if (!(power_hz(p) > 0) || power_begin(p) == power_end(p))
		return;
	clock_follow(n);
	if (!n->energy.begun && !align_begin(n, ended))
		return;
	arrivals_align(n);
	if (metered_is_simulated(n))
		return;
	edges_align(n, ended);
	current_align(n, ended);
}

double node_power_tick(const struct node *n, uint64_t ticks)
{
	if (n->calls.trace && n->energy.model)
		return modelled_tick(n, aligned_seconds(n, ticks));
	if (!n->calls.trace || !n->metered.power || !align_is_known(&n->energy.align))
		return NAN;
	return align_tick(&n->energy.align, aligned_seconds(n, ticks));
}
