/* trace/walk: items -> events, with their times. */
#include "core/trace/walk.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

struct trace_walk *trace_walk_new(const struct trace *t, unsigned lane)
{
	struct trace_walk *w = mem_zalloc(sizeof(*w));

	if (!w)
		return NULL;
	w->trace = t;
	w->lane = &t->lanes[lane];
	w->shift = t->shift;
	w->number = (uint8_t)lane;
	if (mem_grow(&w->ranges, &w->cap, 1, sizeof(*w->ranges)) < 0) {
		mem_free(w);
		return NULL;
	}
	w->until = UINT64_MAX;
	trace_walk_seek(w, 0, 0);
	return w;
}

struct trace_walk *walk_account_new(struct trace *t, unsigned lane)
{
	struct trace_walk *w = trace_walk_new(t, lane);

	if (!w)
		return NULL;
	trace_walk_seek(w, 0, UINT64_MAX);
	w->mark.depth = 0;
	w->ranges[0].at = w->lane->epoch_at;
	w->grows = t;
	return w;
}

void walk_until(struct trace_walk *w, uint64_t ticks)
{
	trace_walk_extend(w);
	w->until = ticks;
}

double walk_clock(const struct trace_walk *w)
{
	return w->clock;
}

double walk_clock_begin(const struct trace_walk *w)
{
	return w->clock_begin;
}

uint64_t walk_position(const struct trace_walk *w)
{
	return w->ranges[0].at;
}

void walk_unread(struct trace_walk *w)
{
	strikes_free(w->strikes);
	w->strikes = NULL;
}

double walk_clock_until(const struct trace_walk *w)
{
	return w->clock_until;
}

/* The last mark at or before a time; NULL: none. */
static const struct mark *mark_before(const struct lane *l, uint64_t units)
{
	size_t n = SORTED_ABOVE(l->marks, l->mark_count, units, units);

	return n ? &l->marks[n - 1] : NULL;
}

void trace_walk_seek(struct trace_walk *w, uint64_t ticks, uint64_t whole)
{
	const struct mark *mark = mark_before(w->lane, ticks >> w->shift);

	if (!mark && w->lane->store.gone && w->lane->mark_count)
		mark = &w->lane->marks[0];
	w->mark = mark ? *mark : (struct mark){ .at = 0 };
	w->held = w->depth = 0;
	w->noted = w->notes_end = 0;
	w->whole = whole;
	w->sought = ticks;
	w->ids = 0;
	w->leaving = false;
	w->from = PACE_FROM_RETURN;
	w->clock = w->clock_begin = 0;
	strikes_free(w->strikes);
	w->strikes = NULL;
	w->segment = (struct segment){ .begin = 0 };
	w->count = 1;
	w->ranges[0] = (struct range){
		.at = w->mark.at,
		.end = store_end(&w->lane->store),
	};
	w->fresh = true;
}

/* How many calls are open behind an item. */
static uint32_t item_depth(uint32_t item, uint32_t depth)
{
	switch (item_kind(item)) {
	case ITEM_CALL:
	case ITEM_HELD: return depth + 1;
	case ITEM_RETURN: return depth - (depth > 0);
	case ITEM_LOST: return 0;
	default: return depth;
	}
}

/* What it leaves behind it, which is told by the next item. */
static enum pace_from item_from(uint32_t item)
{
	if (item_kind(item) == ITEM_CALL)
		return PACE_FROM_CALL;
	return item_kind(item) == ITEM_LEAF ? PACE_FROM_LEAF : PACE_FROM_RETURN;
}

/* The position of that stamp; UINT64_MAX: there is none. */
static uint64_t near_find(const struct trace_walk *w, uint32_t most)
{
	const struct store *s = &w->lane->store;
	uint64_t found = UINT64_MAX, units = w->sought >> w->shift;
	uint32_t depth = w->mark.depth;

	for (uint64_t at = w->ranges[0].at; store_is_at(s, &at, w->ranges[0].end); at++) {
		uint32_t item = store_item(s, at);

		depth = item_depth(item, depth);
		if (!item_is_stamp(item))
			continue;
		if (store_time(s, at) >= units)
			break;
		if (depth <= most)
			found = at;
	}
	return found;
}

/* What is open at a position, if there is memory for it. */
static bool near_open(struct trace_walk *w, uint64_t end)
{
	const struct store *s = &w->lane->store;
	uint32_t depth = w->mark.depth;
	uint64_t stamp = w->mark.units;

	if (mem_grow(&w->near_open, &w->near_cap, depth + 1, sizeof(*w->near_open)) < 0)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		w->near_open[i] = w->mark.open[i];
	for (uint64_t at = w->ranges[0].at; store_is_at(s, &at, end); at++) {
		uint32_t item = store_item(s, at), behind = item_depth(item, depth);

		if (item_is_stamp(item))
			stamp = store_time(s, at);
		else if (item_kind(item) != ITEM_NOTE && item_kind(item) != ITEM_FRAME)
			w->from = item_from(item);
		if (mem_grow(&w->near_open, &w->near_cap, behind + 1, sizeof(*w->near_open)) < 0)
			return false;
		if (behind > depth)
			w->near_open[depth] = (struct mark_call){ stamp, item_value(item) };
		depth = behind;
	}
	w->mark.depth = depth;
	return true;
}

void trace_walk_near(struct trace_walk *w, uint32_t depth)
{
	uint64_t at = near_find(w, depth);

	if (at == UINT64_MAX || !near_open(w, at))
		return;
	w->mark.units = store_time(&w->lane->store, at);
	w->mark.open = w->near_open;
	w->noted = w->ranges[0].at;
	w->notes_end = w->ranges[0].at = at;
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
	mem_free(w->scratch);
	mem_free(w->near_open);
	strikes_free(w->strikes);
	mem_free(w);
}

void trace_walk_extend(struct trace_walk *w)
{
	w->ranges[0].end = w->lane->stamp_end;
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
	double gap = kind == TRACE_HELD ? 0 : opened_gap(w, true);

	event_fill(w, e, kind, id);
	e->since = segment_pass(w, e, gap, 1);
	w->from = kind == TRACE_CALL ? PACE_FROM_CALL : PACE_FROM_RETURN;
}

static void event_return(struct trace_walk *w, struct trace_event *e)
{
	double gap = opened_gap(w, false);
	uint32_t id = opened_pop(w);

	event_fill(w, e, TRACE_RETURN, id);
	e->tree = ITEM_NO_TREE;
	segment_pass(w, e, gap, 1);
	w->from = PACE_FROM_RETURN;
}

/* A call with nothing told in it: its two ends. */
static void event_closed(struct trace_walk *w, struct trace_event *e, enum trace_event_kind kind,
			 uint32_t id, uint64_t count, double weight)
{
	struct trace_event end;
	double clock;

	event_fill(w, e, kind, id);
	e->count = count;
	segment_pass(w, e, opened_gap(w, true), 2 * count - 1);
	clock = w->clock;
	e->until = segment_pass(w, &end, weight, 1);
	w->clock_until = w->clock;
	w->clock = clock;
	w->from = PACE_FROM_RETURN;
	opened_passed(w);
}

static void event_lost(struct trace_walk *w, struct trace_event *e, uint32_t frames)
{
	event_fill(w, e, TRACE_LOST, 0);
	e->count = frames;
	e->ticks = w->segment.end;
	e->depth = w->depth = 0;
	w->from = PACE_FROM_RETURN;
	w->segment.ended = false;
}

static void event_note(struct trace_walk *w, struct trace_event *e, uint32_t note)
{
	const struct note *n = &w->lane->notes[note];

	event_fill(w, e, n->kind, n->id);
	e->value = n->value;
	e->by = n->by;
	segment_pass(w, e, 0, 1);
	if (n->kind == TRACE_AWAY)	/* the stamp behind it is of its end */
		e->until = w->segment.away ? w->segment.end : e->ticks;
}

/* Nothing in it is asked for: by its length, its end, or what it holds. */
static bool tree_stays_whole(struct trace_walk *w, const struct tree *t)
{
	const struct segment *s = &w->segment;
	double begin = s->passed + opened_gap(w, true), end = begin + opened_tree(w, t);
	uint64_t ends;

	if (w->whole == UINT64_MAX || t->first < store_begin(&w->lane->store) ||
	    (w->ids && !(t->holds & w->ids)))
		return true;
	if (!w->whole && !w->ids)
		return false;
	ends = s->begun ? segment_time(w, end) : 0;
	if (w->ids && s->begun && ends + 1 < w->sought)
		return true;
	return w->whole && (!s->begun || ends - segment_time(w, begin) + 2 < w->whole);
}

static void tree_enter(struct trace_walk *w, uint32_t tree)
{
	const struct tree *t = &w->lane->trees.v[tree];

	if (mem_grow(&w->ranges, &w->cap, w->count + 1, sizeof(*w->ranges)) < 0)
		w->failed = true;
	else
		w->ranges[w->count++] = (struct range){
			.at = t->first, .end = tree_last(t) + 1, .tree = tree,
		};
}

static uint32_t count_behind(struct trace_walk *w, struct range *r)
{
	uint32_t item;

	if (!store_is_at(&w->lane->store, &r->at, r->end))
		return 1;
	item = store_item(&w->lane->store, r->at++);
	return item_value(item) ? item_value(item) : 1;
}

static void event_gap(struct trace_walk *w, struct trace_event *e, uint32_t calls)
{
	event_fill(w, e, TRACE_GAP, 0);
	e->count = calls;
	segment_pass(w, e, 0, 2 * (uint64_t)calls);
	w->segment.passed += pace_closed_weight(&w->trace->pace, calls);
	w->from = PACE_FROM_RETURN;
}

/* A call that was told before: one event, or what is in it. */
static bool tree_take(struct trace_walk *w, struct trace_event *e, uint32_t tree)
{
	const struct tree *t = &w->lane->trees.v[tree];

	if (!tree_stays_whole(w, t)) {
		tree_enter(w, tree);
		return false;
	}
	event_closed(w, e, TRACE_WHOLE, t->id, t->calls, opened_tree(w, t));
	e->tree = tree;
	return true;
}

/* False: the item is no event. */
static bool item_take(struct trace_walk *w, struct range *r, uint32_t item, struct trace_event *e)
{
	const struct pace *p = &w->trace->pace;
	uint32_t value = item_value(item);
	bool outermost = w->count == 1;

	switch (item_kind(item)) {
	case ITEM_CALL:
		event_call(w, e, TRACE_CALL, value);
		opened_call(w, value, r->at - 1);
		return true;
	case ITEM_HELD:
		event_call(w, e, TRACE_HELD, value);
		opened_push(w, &(struct opened){ .id = value, .scale = 1, .limit = INFINITY });
		return true;
	case ITEM_LEAF:
		event_call(w, e, TRACE_CALL, value);
		opened_leaf(w, value);
		w->leaving = true;
		return true;
	case ITEM_RETURN:
		event_return(w, e);
		e->tree = value;
		return true;
	case ITEM_UNKNOWN:
		event_closed(w, e, TRACE_UNKNOWN, 0, 1, pace_closed_weight(p, 1));
		return true;
	case ITEM_BOX:
		e->count = count_behind(w, r);
		event_closed(w, e, TRACE_BOX, value, e->count, pace_closed_weight(p, e->count));
		return true;
	case ITEM_GAP:
		event_gap(w, e, value);
		return true;
	case ITEM_LOST:
		event_lost(w, e, value);
		return true;
	case ITEM_NOTE:
		if (outermost)
			event_note(w, e, value);
		return outermost;
	case ITEM_TREE:
		return tree_take(w, e, value);
	case ITEM_STAMP:
	case ITEM_STAMP_OWN:
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
	const struct mark_call *c = &w->mark.open[w->held++];

	event_fill(w, e, TRACE_HELD, c->id);
	e->ticks = w->mark.units << w->shift;
	e->since = c->since << w->shift;
	opened_push(w, &(struct opened){ .id = c->id, .scale = 1, .limit = INFINITY });
}

/* A state or value where the walk skipped. False: there is no other. */
static bool skipped_next(struct trace_walk *w, struct trace_event *e)
{
	while (store_is_at(&w->lane->store, &w->noted, w->notes_end)) {
		uint32_t item = store_item(&w->lane->store, w->noted++);
		const struct note *n;

		if (item_kind(item) != ITEM_NOTE)
			continue;
		n = &w->lane->notes[item_value(item)];
		if (n->kind != TRACE_STATE && n->kind != TRACE_VALUE)
			continue;
		event_fill(w, e, n->kind, n->id);
		e->value = n->value;
		e->ticks = w->mark.units << w->shift;
		return true;
	}
	return false;
}

bool trace_walk_next(struct trace_walk *w, struct trace_event *e)
{
	if (w->held < w->mark.depth && !w->failed) {
		held_next(w, e);
		return true;
	}
	if (w->noted < w->notes_end && skipped_next(w, e))
		return true;
	if (w->leaving) {
		w->leaving = false;
		event_return(w, e);
		w->from = PACE_FROM_LEAF;
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
		if (w->fresh && !segment_begin(w, r->at))
			return false;
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
