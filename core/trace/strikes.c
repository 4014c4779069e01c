/*
 * trace/strikes: the time in which others ran while a call of a lane was open: what AWAY tells,
 * interrupt handlers, and tasks whose outermost call began and ended between two stamps of the
 * lane.
 *
 * Where a lane had no room for AWAY, those of other tasks tell who ran: one says when its task
 * stopped, which one went on, and when it came back. The last one known to run ran until the next
 * is known to, or until the lane has a stamp. So no time is two tasks'.
 */
#include "core/trace/walk.h"

#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

static struct strikes *strikes_of(struct trace_walk *w)
{
	if (!w->strikes)
		w->strikes = mem_zalloc(sizeof(*w->strikes));
	return w->strikes;
}

void strikes_free(struct strikes *s)
{
	for (size_t i = 0; s && i < TRACE_LANES; i++)
		trace_walk_free(s->walks[i]);
	if (s)
		mem_free(s->spans);
	if (s)
		mem_free(s->changes);
	mem_free(s);
}

/* --- the outermost calls of a lane ------------------------------------------------------------ */

/* Has it become one that is over? */
static bool span_follow(struct strikes *s, unsigned lane, const struct trace_event *e)
{
	if (e->kind == TRACE_LOST)
		s->open[lane] = false;
	if (e->depth)
		return false;
	switch (e->kind) {
	case TRACE_WHOLE:
	case TRACE_BOX:
	case TRACE_UNKNOWN:
		s->next[lane] = (struct span){ e->ticks, e->until };
		return e->time != TRACE_TIME_UNKNOWN;
	case TRACE_CALL:
	case TRACE_HELD:
		s->next[lane].begin = e->since;
		s->open[lane] = e->time != TRACE_TIME_UNKNOWN;
		return false;
	case TRACE_RETURN:
		s->next[lane].end = e->ticks;
		return s->open[lane] && e->time != TRACE_TIME_UNKNOWN;
	default:
		return false;
	}
}

static bool span_next(struct strikes *s, unsigned lane)
{
	struct trace_event e;

	s->has[lane] = false;
	while (!s->has[lane] && trace_walk_next(s->walks[lane], &e)) {
		s->has[lane] = span_follow(s, lane, &e);
		s->open[lane] &= !s->has[lane];
	}
	return s->has[lane];
}

/* At the last mark before a time, unless it is nearer already. */
static void lane_seek(struct strikes *s, unsigned lane, uint64_t ticks)
{
	struct trace_walk *w = s->walks[lane];
	const struct lane *l = w->lane;
	uint64_t units = ticks >> w->shift;
	size_t n = SORTED_ABOVE(l->marks, l->mark_count, units, units);

	if (n && l->marks[n - 1].at > w->ranges[0].at) {
		trace_walk_seek(w, ticks, UINT64_MAX);
		trace_walk_near(w, 0);
		s->has[lane] = s->open[lane] = s->has_ahead[lane] = false;
		s->back[lane] = 0;
	}
}

static bool lane_begin(struct trace_walk *w, struct strikes *s, unsigned lane)
{
	if (lane == w->number || w->number == TRACE_LANE_HANDLERS ||
	    !w->trace->lanes[lane].store.count)
		return false;
	if (s->walks[lane])
		return true;
	s->walks[lane] = trace_walk_new(w->trace, lane);
	if (!s->walks[lane])
		return false;
	s->walks[lane]->alone = true;
	s->walks[lane]->whole = UINT64_MAX;
	return true;
}

/* --- spans in a segment ----------------------------------------------------------------------- */

static void span_add(struct strikes *s, uint64_t begin, uint64_t end)
{
	if (end <= begin || (s->count == s->cap && mem_grow(&s->spans, &s->cap, s->count + 1,
							      sizeof(*s->spans)) < 0))
		return;
	s->spans[s->count++] = (struct span){ begin, end };
}

static void handlers_strike(struct strikes *s, uint64_t begin, uint64_t end)
{
	unsigned lane = TRACE_LANE_HANDLERS;

	if (!s->has[lane] || s->next[lane].end < begin)
		lane_seek(s, lane, begin);
	trace_walk_extend(s->walks[lane]);
	for (; s->has[lane] || span_next(s, lane); s->has[lane] = false) {
		struct span n = s->next[lane];

		if (n.begin >= end)
			return;
		if (n.end > begin)
			span_add(s, n.begin > begin ? n.begin : begin, n.end < end ? n.end : end);
		if (n.end > end)
			return;		/* goes on in the next */
	}
}

/* --- who ran, as other tasks tell ------------------------------------------------------------- */

static void change_add(struct strikes *s, uint64_t ticks, uint32_t lane)
{
	if (mem_grow(&s->changes, &s->change_cap, s->change_count + 1, sizeof(*s->changes)) < 0)
		return;
	s->changes[s->change_count++] = (struct change){ ticks, lane };
}

/* Its task comes back; in a later segment perhaps. */
static void task_back(struct strikes *s, unsigned lane, uint64_t begin, uint64_t end)
{
	uint64_t back = s->back[lane];

	if (!back || back > end)
		return;
	if (back > begin)
		change_add(s, back, lane);
	s->back[lane] = 0;
}

static bool task_ahead(struct strikes *s, unsigned lane)
{
	if (!s->has_ahead[lane])
		s->has_ahead[lane] = trace_walk_next(s->walks[lane], &s->ahead[lane]);
	return s->has_ahead[lane];
}

static void task_strikes(struct strikes *s, unsigned lane, uint64_t begin, uint64_t end)
{
	const struct trace_event *e = &s->ahead[lane];

	if (!s->has_ahead[lane] || e->ticks < begin)
		lane_seek(s, lane, begin);
	trace_walk_extend(s->walks[lane]);
	task_back(s, lane, begin, end);
	for (; task_ahead(s, lane) && e->ticks <= end; s->has_ahead[lane] = false) {
		if (e->kind == TRACE_AWAY) {
			if (e->ticks > begin)
				change_add(s, e->ticks, e->id);
			s->back[lane] = e->until;
			task_back(s, lane, begin, end);
		} else if (span_follow(s, lane, e)) {
			s->open[lane] = false;
			if (s->next[lane].begin >= begin && s->next[lane].end <= end)
				span_add(s, s->next[lane].begin, s->next[lane].end);
		}
	}
}

static int change_compare(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

/* At the segment's ends the lane itself runs. */
static void changes_strike(struct strikes *s, uint32_t lane, uint64_t begin, uint64_t end)
{
	uint32_t runs = lane;
	uint64_t since = begin;

	if (s->change_count > 1)
		qsort(s->changes, s->change_count, sizeof(*s->changes), change_compare);
	for (size_t i = 0; i < s->change_count; i++) {
		const struct change *c = &s->changes[i];

		if (runs != lane)
			span_add(s, since, c->ticks);
		runs = c->lane;
		since = c->ticks;
	}
	if (runs != lane)
		span_add(s, since, end);
	s->change_count = 0;
}

static int span_compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* In order, and none within or across another. */
static void spans_join(struct strikes *s)
{
	size_t n = 0;

	qsort(s->spans, s->count, sizeof(*s->spans), span_compare);
	for (size_t i = 0; i < s->count; i++) {
		if (n && s->spans[i].begin <= s->spans[n - 1].end) {
			if (s->spans[i].end > s->spans[n - 1].end)
				s->spans[n - 1].end = s->spans[i].end;
		} else {
			s->spans[n++] = s->spans[i];
		}
	}
	s->count = n;
}

/*
 * A handler's stamps are in its hooks: the processor took a while to come to the first, and has a
 * way back behind the last. Half of that each, of the spans from `first` on.
 */
static void spans_widen(struct strikes *s, size_t first, struct segment *seg, double more)
{
	uint64_t half = (uint64_t)(more / 2 + 0.5);

	for (size_t i = first; i < s->count; i++) {
		struct span *p = &s->spans[i], was = *p;
		uint64_t low = i > first ? s->spans[i - 1].end : seg->begin;
		uint64_t high = i + 1 < s->count ? s->spans[i + 1].begin : seg->end;

		p->begin = was.begin > low + half ? was.begin - half : low;
		p->end = high > was.end + half ? was.end + half : high;
		seg->widened += was.begin - p->begin + p->end - was.end;
	}
}

/* Of the handlers' lane, or a task's. */
static void lane_strikes(struct trace_walk *w, struct strikes *s, unsigned lane)
{
	struct segment *seg = &w->segment;
	size_t first = s->count;
	double more = pace_weight(&w->trace->pace, 0, PACE_STRUCK);

	if (lane != TRACE_LANE_HANDLERS) {
		task_strikes(s, lane, seg->begin, seg->end);
		return;
	}
	handlers_strike(s, seg->begin, seg->end);
	seg->strikes = (unsigned)(s->count - first);
	/* Shorter than a unit it may be the stamps' own; what is told from outside is exact. */
	if (!w->trace->told && more >= (double)(UINT64_C(1) << w->shift))
		spans_widen(s, first, seg, more);
}

void strikes_find(struct trace_walk *w)
{
	struct segment *seg = &w->segment;
	struct strikes *s;
	unsigned lanes = 0;

	if (seg->struck_known)
		return;
	seg->struck_known = true;
	if (w->alone || !seg->begun || seg->end <= seg->begin)
		return;
	s = strikes_of(w);
	if (!s)
		return;
	s->count = 0;
	if (seg->away) {
		span_add(s, seg->begin, seg->end);
		seg->struck = s->count ? seg->end - seg->begin : 0;
		return;
	}
	for (unsigned i = 0; i < w->trace->lane_end; i++) {
		if (!lane_begin(w, s, i))
			continue;
		lane_strikes(w, s, i);
		lanes++;
	}
	changes_strike(s, w->number, seg->begin, seg->end);
	if (lanes > 1 && s->count)
		spans_join(s);
	for (size_t i = 0; i < s->count; i++)
		seg->struck += s->spans[i].end - s->spans[i].begin;
}
