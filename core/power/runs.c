#include "core/power/runs.h"

#include "core/base/err.h"
#include "core/base/mem.h"

enum { DEPTH = 1024 };			/* deeper calls count for the one there */

struct runs_lane {
	struct trace_walk *walk;
	struct trace_event next;
	bool has;
	uint32_t *open;			/* DEPTH */
	uint32_t depth;
	bool unknown;			/* until a call tells */
	uint64_t closed;		/* until then a call of which nothing is told */
};

struct reading {
	struct runs *runs;
	const struct runs_taker *taker;
	struct runs_lane lanes[TRACE_LANES];
};

uint64_t runs_told(const struct trace *t, bool ended)
{
	struct trace_stats stats;
	uint64_t begin, end, told;

	if (!trace_span(t, &begin, &end))
		return 0;
	for (unsigned i = 0; i < TRACE_LANES && !ended; i++) {
		trace_lane_stats(t, i, &stats);
		told = stats.frames ? trace_lane_told(t, i) : end;
		end = told < end ? told : end;
	}
	return end;
}

static void reading_end(struct reading *r)
{
	for (unsigned i = 0; i < TRACE_LANES; i++) {
		trace_walk_free(r->lanes[i].walk);
		mem_free(r->lanes[i].open);
	}
}

static int reading_begin(struct reading *r, const struct trace *t)
{
	struct trace_stats stats;

	for (unsigned i = 0; i < TRACE_LANES; i++) {
		struct runs_lane *l = &r->lanes[i];

		trace_lane_stats(t, i, &stats);
		if (!stats.frames)
			continue;
		l->walk = trace_walk_new(t, i);
		l->open = mem_alloc(DEPTH * sizeof(*l->open));
		if (!l->walk || !l->open)
			return ERR_NOMEM;
		trace_walk_seek(l->walk, r->runs->at, 0);
		l->has = trace_walk_next(l->walk, &l->next);
	}
	return 0;
}

/* The lane with the next event; TRACE_LANES: none has one. */
static unsigned lane_next(const struct reading *r)
{
	unsigned first = TRACE_LANES;

	for (unsigned i = 0; i < TRACE_LANES; i++) {
		const struct runs_lane *l = &r->lanes[i];

		if (l->has &&
		    (first == TRACE_LANES || l->next.ticks < r->lanes[first].next.ticks))
			first = i;
	}
	return first;
}

static bool lane_runs(const struct runs_lane *l, uint64_t at)
{
	return l->depth > 0 || l->unknown || l->closed > at;
}

static void span_give(const struct reading *r, uint64_t begin, uint64_t end)
{
	const struct runs_lane *handlers = &r->lanes[TRACE_LANE_HANDLERS], *l;
	struct runs_span s = { .begin = begin, .end = end, .lane = r->runs->lane };

	s.handler = lane_runs(handlers, begin);
	if (s.handler)
		s.lane = TRACE_LANE_HANDLERS;
	l = &r->lanes[s.lane];
	s.unknown = l->unknown || l->closed > begin;
	if (l->depth && !s.unknown)
		s.id = l->open[l->depth < DEPTH ? l->depth - 1 : DEPTH - 1];
	r->taker->span(r->taker->ctx, &s);
}

/* Up to an event, or the end; a call of which nothing is told may end in between. */
static void spans_pass(struct reading *r, uint64_t until)
{
	while (r->runs->at < until) {
		uint64_t end = until;

		for (unsigned i = 0; i < TRACE_LANES; i++) {
			uint64_t closed = r->lanes[i].closed;

			if (closed > r->runs->at && closed < end)
				end = closed;
		}
		if (r->taker->span)
			span_give(r, r->runs->at, end);
		r->runs->at = end;
	}
}

static void call_open(struct runs_lane *l, uint32_t id)
{
	if (l->depth < DEPTH)
		l->open[l->depth] = id;
	l->depth++;
	l->unknown = false;
}

static void event_run(struct reading *r, unsigned lane, const struct trace_event *e)
{
	struct runs_lane *l = &r->lanes[lane];

	if (lane != TRACE_LANE_HANDLERS)
		r->runs->lane = (uint8_t)(e->kind == TRACE_AWAY && e->id < TRACE_LANES ? e->id :
					  lane);
	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		call_open(l, e->id);
		break;
	case TRACE_RETURN:
		l->depth -= l->depth > 0;
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
	case TRACE_UNKNOWN:
		l->closed = e->until;
		break;
	case TRACE_GAP:
	case TRACE_LOST:
		l->depth = e->kind == TRACE_LOST ? 0 : l->depth;
		l->unknown = true;
		break;
	default:
		break;
	}
}

int runs_read(struct runs *r, const struct trace *t, uint64_t until, const struct runs_taker *taker)
{
	struct reading reading = { .runs = r, .taker = taker };
	uint64_t begin, end;
	unsigned lane;
	int ret;

	if (!trace_span(t, &begin, &end) || until <= r->at)
		return 0;
	r->at = r->at > begin ? r->at : begin;
	ret = reading_begin(&reading, t);
	while (ret == 0 && (lane = lane_next(&reading)) < TRACE_LANES) {
		struct runs_lane *l = &reading.lanes[lane];
		uint64_t at = l->next.ticks;

		if (at >= until)
			break;
		if (at > r->at)
			spans_pass(&reading, at);
		if (taker->event && l->next.kind != TRACE_HELD &&
		    (at >= r->at || l->next.kind == TRACE_STATE))
			taker->event(taker->ctx, &l->next);
		event_run(&reading, lane, &l->next);
		l->has = trace_walk_next(l->walk, &l->next);
	}
	if (ret == 0)
		spans_pass(&reading, until);
	reading_end(&reading);
	return ret;
}
