/*
 * trace/strikes: the time in which others ran while a call of a lane was open: what AWAY tells,
 * interrupt handlers, and tasks whose outermost call began and ended between two stamps of the
 * lane.
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
		s->has[lane] = s->open[lane] = false;
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

static void lane_strikes(struct strikes *s, unsigned lane, uint64_t begin, uint64_t end)
{
	bool is_task = lane != TRACE_LANE_HANDLERS;

	if (!s->has[lane] || s->next[lane].end < begin)
		lane_seek(s, lane, begin);
	trace_walk_extend(s->walks[lane]);
	for (; s->has[lane] || span_next(s, lane); s->has[lane] = false) {
		struct span n = s->next[lane];

		if (n.begin >= end)
			return;
		if (!is_task && n.end > begin)
			span_add(s, n.begin > begin ? n.begin : begin, n.end < end ? n.end : end);
		if (is_task && n.begin >= begin && n.end <= end)
			span_add(s, n.begin, n.end);
		if (n.end > end)
			return;		/* goes on in the next */
	}
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
		if (lane_begin(w, s, i)) {
			lane_strikes(s, i, seg->begin, seg->end);
			lanes++;
		}
	}
	if (lanes > 1 && s->count)
		spans_join(s);
	for (size_t i = 0; i < s->count; i++)
		seg->struck += s->spans[i].end - s->spans[i].begin;
}
