/* find: a call by where it is, the longest one, how long they usually take. */
#include "tui/view/timeline/find.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

/* --- one call --------------------------------------------------------------------------------- */

struct call_look {
	const struct find_place *place;
	struct found_call *best;
	uint64_t distance;		/* of the best; UINT64_MAX: none */
	struct found_call open;		/* at the depth, not returned yet */
	bool is_open;
	uint32_t ids[SCENE_DEPTHS];
	uint32_t depth;
};

/* Ticks between a time and a call. */
static uint64_t call_distance(const struct scene_call *c, uint64_t at)
{
	return at < c->begin ? c->begin - at : at < c->end ? 0 : at - c->end + 1;
}

static void look_offer(struct call_look *l, const struct found_call *f)
{
	uint64_t distance = call_distance(&f->call, l->place->at);

	if (f->call.end < l->place->from || (f->call.begin >= l->place->to && distance) ||
	    distance >= l->distance)
		return;
	l->distance = distance;
	*l->best = *f;
}

static void look_open(struct call_look *l, const struct trace_event *e,
		      enum trace_event_kind kind)
{
	l->open = (struct found_call){ .call = {
		.begin = kind == TRACE_CALL ? e->since : e->ticks, .id = e->id,
		.depth = e->depth, .lane = e->lane, .kind = kind, .begin_time = e->time,
		.count = e->count, .end = e->until, .end_time = e->time,
	} };
	memcpy(l->open.path, l->ids, sizeof(l->ids));
}

static void look_close(struct call_look *l, uint64_t end, enum trace_time time, bool open)
{
	if (!l->is_open)
		return;
	l->is_open = false;
	l->open.call.end = end > l->open.call.begin ? end : l->open.call.begin + open;
	l->open.call.end_time = time;
	l->open.call.open = open;
	look_offer(l, &l->open);
}

static void look_push(struct call_look *l, const struct trace_event *e)
{
	l->open.inner += l->is_open;
	if (l->depth == l->place->depth) {
		look_open(l, e, TRACE_CALL);
		l->is_open = true;
	}
	if (l->depth < SCENE_DEPTHS)
		l->ids[l->depth] = e->id;
	l->depth++;
}

static void look_take(struct call_look *l, const struct trace_event *e)
{
	switch (e->kind) {
	case TRACE_HELD:
	case TRACE_CALL:
		look_push(l, e);
		break;
	case TRACE_RETURN:
		l->depth -= l->depth > 0;
		if (l->depth == l->place->depth)
			look_close(l, e->ticks, e->time, false);
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
	case TRACE_UNKNOWN:
		if (e->depth == l->place->depth) {
			look_open(l, e, e->kind == TRACE_WHOLE ? TRACE_CALL : e->kind);
			l->open.inner = e->count ? e->count - 1 : 0;
			look_offer(l, &l->open);
		} else if (l->is_open) {
			l->open.inner += e->count;
		}
		break;
	case TRACE_GAP:
		l->open.inner += l->is_open ? e->count : 0;
		break;
	case TRACE_LOST:
		look_close(l, e->ticks, TRACE_TIME_UNKNOWN, false);
		l->depth = 0;
		break;
	case TRACE_MARK:
	case TRACE_VALUE:
	case TRACE_STATE:
	case TRACE_AWAY:
		break;
	}
}

bool find_call(const struct trace *t, const struct find_place *at, struct found_call *found)
{
	struct call_look l = { .place = at, .best = found, .distance = UINT64_MAX };
	struct trace_walk *w = trace_walk_new(t, at->lane);
	struct trace_event e;
	uint64_t last = at->from, told = trace_lane_told(t, at->lane);
	bool more = true;
	unsigned i;

	if (!w)
		return false;
	trace_walk_seek(w, at->from, at->whole);
	trace_walk_near(w, at->depth);
	trace_walk_only(w, UINT64_MAX);
	for (i = 0; i < FIND_LOOK && l.distance && (more = trace_walk_next(w, &e)); i++) {
		if (e.ticks >= at->to && !(l.is_open && l.open.call.begin < at->to))
			break;
		if (!l.is_open && l.distance != UINT64_MAX && e.ticks >= at->at + l.distance)
			break;
		last = e.ticks;
		look_take(&l, &e);
	}
	l.open.cut = i == FIND_LOOK;
	last = !more && told > last ? told : last;
	look_close(&l, last, TRACE_TIME_UNKNOWN, true);
	trace_walk_free(w);
	return l.distance != UINT64_MAX;
}

/* --- the longest one -------------------------------------------------------------------------- */

static void longest_offer(struct scene_call *best, const struct trace_event *e, uint64_t begin,
			  uint64_t end)
{
	if (end - begin <= best->end - best->begin && best->end)
		return;
	*best = (struct scene_call){ .begin = begin, .end = end, .depth = e->depth, .id = e->id,
				     .lane = e->lane };
}

bool find_longest(const struct trace *t, const struct trace_edge *longest,
		  struct scene_call *call)
{
	struct trace_walk *w = trace_walk_new(t, longest->max_lane);
	uint64_t since[SCENE_DEPTHS] = { 0 };
	struct trace_event e;

	*call = (struct scene_call){ .begin = 0 };
	if (!w)
		return false;
	trace_walk_seek(w, longest->max_begin, longest->max / 2);
	trace_walk_only(w, trace_id_bit(longest->to));
	for (unsigned i = 0; i < FIND_LONGEST && trace_walk_next(w, &e); i++) {
		bool inside = e.ticks >= longest->max_begin && e.ticks <= longest->max_end;

		if (e.ticks > longest->max_end)
			break;
		if (e.depth >= SCENE_DEPTHS)
			continue;
		if (e.kind == TRACE_CALL || e.kind == TRACE_HELD)
			since[e.depth] = e.since;
		if (e.id != longest->to || !inside)
			continue;
		if (e.kind == TRACE_RETURN && since[e.depth] >= longest->max_begin)
			longest_offer(call, &e, since[e.depth], e.ticks);
		else if (e.kind == TRACE_BOX && e.until <= longest->max_end)
			longest_offer(call, &e, e.ticks, e.until);
	}
	trace_walk_free(w);
	return call->end != 0;
}

/* --- calls of a function ---------------------------------------------------------------------- */

static int duration_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct find_times find_times(const uint64_t *ascending, size_t count)
{
	struct find_times f = { .mean = 0 };

	if (!count)
		return f;
	f.least = (double)ascending[0];
	f.most = (double)ascending[count - 1];
	f.median = (double)(ascending[(count - 1) / 2] + ascending[count / 2]) / 2;
	f.p95 = (double)ascending[(count * 95 + 99) / 100 - 1];
	f.p99 = (double)ascending[(count * 99 + 99) / 100 - 1];
	for (size_t i = 0; i < count; i++)
		f.mean += (double)ascending[i] / (double)count;
	return f;
}

/*
 * A call begins: how long after the one before, if none was missed meanwhile. Of those before the
 * window only some are met: the walk leaves trees closed there.
 */
static void interval_add(struct find_usual *u, const struct find_window *w, uint64_t *last,
			 uint64_t begin)
{
	uint64_t interval = *last && begin > *last ? begin - *last : 0;

	if (begin < w->begin)
		return;
	*last = begin;
	if (!interval)
		return;
	if (begin == w->at)
		u->before = interval;
	if (u->interval_count < FIND_SAMPLES)
		u->intervals[u->interval_count++] = interval;
}

/* A call at a time that is not known: nothing is reckoned with it. */
static void usual_take(struct find_usual *u, const struct find_window *w,
		       const struct trace_event *e, uint64_t *since, uint64_t *last)
{
	if (e->time == TRACE_TIME_UNKNOWN) {
		*last = 0;
	} else if (e->kind == TRACE_CALL) {
		interval_add(u, w, last, e->since);
	} else if (e->kind == TRACE_BOX) {
		interval_add(u, w, last, e->ticks);
		if (e->ticks >= w->begin && e->until <= w->end)
			u->durations[u->calls++] = e->until - e->ticks;
	} else if (e->kind == TRACE_RETURN && since[e->depth] >= w->begin &&
		   since[e->depth] <= e->ticks) {
		u->durations[u->calls++] = e->ticks - since[e->depth];
	}
}

void find_usual(const struct trace *t, uint32_t id, const struct find_window *w,
		struct find_usual *u)
{
	struct trace_walk *walk = trace_walk_new(t, w->lane);
	uint64_t since[SCENE_DEPTHS] = { 0 }, last = 0;
	struct trace_event e;
	unsigned events = 0;

	u->calls = u->interval_count = 0;
	u->cut = false;
	u->ticks = 0;
	u->before = 0;
	if (!walk)
		return;
	trace_walk_seek(walk, w->begin, 0);
	trace_walk_near(walk, UINT32_MAX);
	trace_walk_only(walk, trace_id_bit(id));
	while (!u->cut && trace_walk_next(walk, &e) && e.ticks < w->end) {
		u->cut = ++events >= FIND_USUAL || u->calls == FIND_SAMPLES;
		if (e.kind == TRACE_LOST || e.kind == TRACE_GAP)
			last = 0;
		if ((e.kind == TRACE_CALL || e.kind == TRACE_HELD) && e.depth < SCENE_DEPTHS)
			since[e.depth] = e.time == TRACE_TIME_UNKNOWN ? UINT64_MAX : e.since;
		if (!u->cut && e.id == id && e.depth < SCENE_DEPTHS)
			usual_take(u, w, &e, since, &last);
	}
	trace_walk_free(walk);
	qsort(u->durations, u->calls, sizeof(*u->durations), duration_compare);
	qsort(u->intervals, u->interval_count, sizeof(*u->intervals), duration_compare);
	u->ticks = find_times(u->durations, u->calls).median;
}
