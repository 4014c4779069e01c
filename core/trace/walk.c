/*
 * trace/walk: items -> events, with their times.
 *
 * Between two stamps, events have no time of their own: they are put at equal distances. A call
 * that follows a stamp, and a return before one, happened at that stamp. Whatever the node did
 * not tell takes as much room as the calls that it counted.
 */
#include "core/trace/state.h"

#include "core/base/mem.h"
#include "core/base/sorted.h"

/* Items of a tree that is being expanded; the first range is the lane itself. */
struct range {
	uint64_t at, end;
};

/* From one stamp to the next. */
struct segment {
	uint64_t begin, end;		/* ticks */
	uint64_t steps;			/* equal distances in it */
	uint64_t step;			/* passed */
	bool begun;			/* `begin` is a stamp */
	bool ended;			/* `end` is one, else a time when all of it was over */
};

struct trace_walk {
	const struct lane *lane;
	unsigned shift;
	uint8_t number;			/* the lane's */
	struct range *ranges;
	size_t count, cap;
	const struct mark *mark;	/* what was open there is told first; NULL: all is told */
	uint32_t held;			/* of that, so many were */
	uint64_t whole;			/* ticks: shorter trees are not looked into */
	uint64_t sought;		/* ticks */
	uint64_t ids;			/* if not 0: nor those without one of these, or that end */
					/* before the ticks sought */
	struct segment segment;
	uint32_t *open;			/* ids */
	uint32_t depth;
	size_t open_cap;
	bool leaving;			/* the leaf's return is next */
	bool fresh;			/* at the beginning of a segment */
	bool failed;
};

struct trace_walk *trace_walk_new(const struct trace *t, unsigned lane)
{
	struct trace_walk *w = mem_zalloc(sizeof(*w));

	if (!w)
		return NULL;
	w->lane = &t->lanes[lane];
	w->shift = t->shift;
	w->number = (uint8_t)lane;
	if (mem_grow(&w->ranges, &w->cap, 1, sizeof(*w->ranges)) < 0) {
		mem_free(w);
		return NULL;
	}
	trace_walk_seek(w, 0, 0);
	return w;
}

/* The last mark at or before a time; NULL: none. */
static const struct mark *mark_before(const struct lane *l, uint64_t units)
{
	size_t n = SORTED_ABOVE(l->marks, l->mark_count, units, units);

	return n ? &l->marks[n - 1] : NULL;
}

void trace_walk_seek(struct trace_walk *w, uint64_t ticks, uint64_t whole)
{
	w->mark = mark_before(w->lane, ticks >> w->shift);
	w->held = w->depth = 0;
	w->whole = whole;
	w->sought = ticks;
	w->ids = 0;
	w->leaving = false;
	w->segment = (struct segment){ .begin = 0 };
	w->count = 1;
	w->ranges[0] = (struct range){
		.at = w->mark ? w->mark->at : 0,
		.end = store_end(&w->lane->store),
	};
	w->fresh = true;
}

void trace_walk_only(struct trace_walk *w, uint64_t ids)
{
	w->ids = ids;
}

void trace_walk_free(struct trace_walk *w)
{
	if (!w)
		return;
	mem_free(w->ranges);
	mem_free(w->open);
	mem_free(w);
}

void trace_walk_extend(struct trace_walk *w)
{
	w->ranges[0].end = w->lane->stamp_end;
}

/* --- time ------------------------------------------------------------------------------------- */

/* How many events an item stands for: a count's are not told, but took their time. */
static uint64_t item_events(const struct trace_walk *w, uint32_t item, bool outermost)
{
	switch (item_kind(item)) {
	case ITEM_CALL:
	case ITEM_RETURN:
	case ITEM_HELD:
		return 1;
	case ITEM_LEAF:
	case ITEM_UNKNOWN:
		return 2;
	case ITEM_TREE:
		return 2 * w->lane->trees.v[item_value(item)].calls;
	case ITEM_COUNT:
	case ITEM_GAP:
		return 2 * (uint64_t)item_value(item);
	case ITEM_NOTE:
		return outermost;	/* not again with each run of a call that it was in once */
	case ITEM_BOX:
	case ITEM_STAMP:
	case ITEM_FRAME:
	case ITEM_LOST:
		break;
	}
	return 0;
}

/* Does its first event begin something, so that a stamp before it is its own? */
static bool item_begins(uint32_t item)
{
	return item_kind(item) != ITEM_RETURN;
}

/* Does its last event end something, so that a stamp behind it is its own? */
static bool item_ends(uint32_t item)
{
	return item_kind(item) != ITEM_CALL && item_kind(item) != ITEM_HELD;
}

static uint64_t stamp_ticks(const struct trace_walk *w, uint64_t at)
{
	return store_time(&w->lane->store, at) << w->shift;
}

/* From `at` to the next stamp, or to where nothing is known. */
static void segment_begin(struct trace_walk *w, uint64_t at)
{
	struct segment s = { .begin = w->segment.end, .begun = w->segment.ended };
	uint64_t events = 0, end = w->ranges[0].end;
	bool first = false, last = false;

	s.end = s.begin;
	for (; store_is_at(&w->lane->store, &at, end); at++) {
		uint32_t item = store_item(&w->lane->store, at);
		uint64_t n = item_events(w, item, true);

		if (item_kind(item) == ITEM_STAMP || item_kind(item) == ITEM_FRAME)
			s.end = stamp_ticks(w, at);
		s.ended = item_kind(item) == ITEM_STAMP;
		if (s.ended || item_kind(item) == ITEM_LOST)
			break;
		if (n && !events)
			first = item_begins(item);
		if (n)
			last = item_ends(item);
		events += n;
	}
	s.step = !(first && s.begun);
	s.steps = events + s.step - (events && last && s.ended);
	if (s.steps == 0)
		s.steps = 1;
	w->segment = s;
}

/* Of the next event; `events` of them pass. */
static uint64_t event_time(struct trace_walk *w, struct trace_event *e, uint64_t events)
{
	struct segment *s = &w->segment;
	uint64_t length = s->end > s->begin ? s->end - s->begin : 0;
	double share = (double)s->step / (double)s->steps;

	if (s->step == 0 || (s->ended && s->step >= s->steps))
		e->time = TRACE_TIME_STAMPED;
	else
		e->time = s->begun && s->ended ? TRACE_TIME_BETWEEN : TRACE_TIME_UNKNOWN;
	share = share < 1 ? share : 1;
	e->ticks = s->begun ? s->begin + (uint64_t)((double)length * share) : s->end;
	s->step += events;
	return e->ticks;
}

/* --- items ------------------------------------------------------------------------------------ */

static void event_fill(const struct trace_walk *w, struct trace_event *e,
		       enum trace_event_kind kind, uint32_t id)
{
	*e = (struct trace_event){ .kind = kind, .lane = w->number, .depth = w->depth, .id = id };
}

static void event_call(struct trace_walk *w, struct trace_event *e, enum trace_event_kind kind,
		       uint32_t id)
{
	event_fill(w, e, kind, id);
	e->since = event_time(w, e, 1);
	if (mem_grow(&w->open, &w->open_cap, w->depth + 1, sizeof(*w->open)) < 0)
		w->failed = true;
	else
		w->open[w->depth++] = id;
}

static void event_return(struct trace_walk *w, struct trace_event *e)
{
	uint32_t id = w->depth ? w->open[--w->depth] : 0;

	event_fill(w, e, TRACE_RETURN, id);
	event_time(w, e, 1);
}

/* A call with nothing told in it: its two ends. */
static void event_closed(struct trace_walk *w, struct trace_event *e, enum trace_event_kind kind,
			 uint32_t id, uint64_t count)
{
	struct trace_event end;

	event_fill(w, e, kind, id);
	e->count = count;
	event_time(w, e, 2 * count - 1);
	e->until = event_time(w, &end, 1);
}

static void event_lost(struct trace_walk *w, struct trace_event *e, uint32_t frames)
{
	event_fill(w, e, TRACE_LOST, 0);
	e->count = frames;
	e->ticks = w->segment.end;
	e->depth = w->depth = 0;
	w->segment.ended = false;
}

static void event_note(struct trace_walk *w, struct trace_event *e, uint32_t note)
{
	const struct note *n = &w->lane->notes[note];

	event_fill(w, e, n->kind, n->id);
	e->value = n->value;
	event_time(w, e, 1);
}

/* Nothing in it is asked for: by its length, its end, or what it holds. */
static bool tree_stays_whole(const struct trace_walk *w, uint32_t tree)
{
	const struct tree *t = &w->lane->trees.v[tree];
	const struct segment *s = &w->segment;
	double length = s->end > s->begin ? (double)(s->end - s->begin) : 0;
	double step = length / (double)s->steps;

	if (w->ids && !(t->holds & w->ids))
		return true;
	if (w->ids && s->begun && (double)s->begin + step * (double)(s->step + tree_steps(t)) + 1 <
				  (double)w->sought)
		return true;
	return w->whole && s->end >= s->begin && 2 * (double)t->calls * step < (double)w->whole;
}

static void tree_enter(struct trace_walk *w, uint32_t tree)
{
	const struct tree *t = &w->lane->trees.v[tree];

	if (mem_grow(&w->ranges, &w->cap, w->count + 1, sizeof(*w->ranges)) < 0)
		w->failed = true;
	else
		w->ranges[w->count++] = (struct range){ .at = t->first, .end = t->last + 1 };
}

static uint32_t count_behind(struct trace_walk *w, struct range *r)
{
	uint32_t item;

	if (!store_is_at(&w->lane->store, &r->at, r->end))
		return 1;
	item = store_item(&w->lane->store, r->at++);
	return item_value(item) ? item_value(item) : 1;
}

/* False: the item is no event. */
static bool item_take(struct trace_walk *w, struct range *r, uint32_t item, struct trace_event *e)
{
	uint32_t value = item_value(item);
	bool outermost = w->count == 1;

	switch (item_kind(item)) {
	case ITEM_CALL:
	case ITEM_HELD:
		event_call(w, e, item_kind(item) == ITEM_CALL ? TRACE_CALL : TRACE_HELD, value);
		return true;
	case ITEM_LEAF:
		event_call(w, e, TRACE_CALL, value);
		w->leaving = true;
		return true;
	case ITEM_RETURN:
		event_return(w, e);
		return true;
	case ITEM_UNKNOWN:
		event_closed(w, e, TRACE_UNKNOWN, 0, 1);
		return true;
	case ITEM_BOX:
		event_closed(w, e, TRACE_BOX, value, count_behind(w, r));
		return true;
	case ITEM_GAP:
		event_fill(w, e, TRACE_GAP, 0);
		e->count = value;
		event_time(w, e, 2 * (uint64_t)value);
		return true;
	case ITEM_LOST:
		event_lost(w, e, value);
		return true;
	case ITEM_NOTE:
		if (outermost)
			event_note(w, e, value);
		return outermost;
	case ITEM_TREE:
		if (tree_stays_whole(w, value)) {
			event_closed(w, e, TRACE_WHOLE, w->lane->trees.v[value].id,
				     w->lane->trees.v[value].calls);
			e->tree = value;
			return true;
		}
		tree_enter(w, value);
		return false;
	case ITEM_STAMP:
		w->fresh |= outermost;
		return false;
	case ITEM_FRAME:
	case ITEM_COUNT:
		break;
	}
	return false;
}

/* What was open where the walk begins. */
static void held_next(struct trace_walk *w, struct trace_event *e)
{
	const struct mark_call *c = &w->mark->open[w->held++];

	event_fill(w, e, TRACE_HELD, c->id);
	e->ticks = w->mark->units << w->shift;
	e->since = c->since << w->shift;
	if (mem_grow(&w->open, &w->open_cap, w->depth + 1, sizeof(*w->open)) < 0)
		w->failed = true;
	else
		w->open[w->depth++] = c->id;
}

bool trace_walk_next(struct trace_walk *w, struct trace_event *e)
{
	if (w->mark && w->held < w->mark->depth && !w->failed) {
		held_next(w, e);
		return true;
	}
	if (w->leaving) {
		w->leaving = false;
		event_return(w, e);
		return true;
	}
	while (w->count && !w->failed) {
		struct range *r = &w->ranges[w->count - 1];
		uint32_t item;
		bool lost;

		if (!store_is_at(&w->lane->store, &r->at, r->end)) {
			if (w->count == 1)
				return false;	/* more may come */
			w->count--;
			continue;
		}
		if (w->fresh)
			segment_begin(w, r->at);
		w->fresh = false;
		item = store_item(&w->lane->store, r->at++);
		lost = item_kind(item) == ITEM_LOST;
		if (!item_take(w, r, item, e))
			continue;
		w->fresh |= lost;
		return true;
	}
	return false;
}
