/*
 * trace/segment: from one stamp to the next: when each of the events between was.
 *
 * A call that follows a stamp, and a return before one, happened at that stamp. Events between have
 * no time of their own: they are put where the weights of the gaps between them say (pace.h), and
 * behind whatever else ran meanwhile. What the node did not tell takes as much as the calls that it
 * counted, at the usual weight.
 */
#include "core/trace/walk.h"

#include <math.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* How many events an item stands for: a count's are not told, but took their time. */
static uint64_t item_events(const struct trace_walk *w, uint32_t item)
{
	switch (item_kind(item)) {
	case ITEM_CALL:
	case ITEM_RETURN:
	case ITEM_HELD:
	case ITEM_NOTE:
		return 1;
	case ITEM_LEAF:
	case ITEM_UNKNOWN:
		return 2;
	case ITEM_TREE:
		return 2 * w->lane->trees.v[item_value(item)].calls;
	case ITEM_COUNT:
	case ITEM_GAP:
		return 2 * (uint64_t)item_value(item);
	case ITEM_BOX:
	case ITEM_STAMP:
	case ITEM_STAMP_OWN:
	case ITEM_FRAME:
	case ITEM_LOST:
		break;
	}
	return 0;
}

static bool item_is_away(const struct trace_walk *w, uint32_t item)
{
	return item_kind(item) == ITEM_NOTE &&
	       w->lane->notes[item_value(item)].kind == TRACE_AWAY;
}

/* Does its first event begin something, so that a stamp before it is its own? */
static bool item_begins(uint32_t item)
{
	return item_kind(item) != ITEM_RETURN;
}

/* Does its last event end something that is stamped, so that a stamp behind it is its own? */
static bool item_ends(uint32_t item)
{
	return item_kind(item) != ITEM_CALL && item_kind(item) != ITEM_HELD &&
	       item_kind(item) != ITEM_LEAF;
}

/* --- weights ---------------------------------------------------------------------------------- */

/* The events to come, one after the other. */
struct gauge {
	struct trace_walk *w;
	struct pace *tally;		/* NULL: nobody learns from them */
	uint32_t base;			/* so many of the walk's open calls are still open, */
	uint32_t more;			/* and these of its scratch */
	enum pace_from from;
	bool free;
	double weight;
	uint32_t outsides;
};

static uint32_t gauge_context(const struct gauge *g)
{
	if (g->more)
		return g->w->scratch[g->more - 1];
	return g->base ? g->w->open[g->base - 1].id : 0;
}

static void gauge_gap(struct gauge *g, bool to_call)
{
	enum pace_gap gap = pace_gap_of(g->from, to_call);
	uint32_t id = gauge_context(g);

	if (!g->free && !id) {
		g->outsides++;
		if (g->tally)
			g->tally->blind = true;		/* nothing ran, perhaps */
	} else if (!g->free) {
		g->weight += pace_weight(&g->w->trace->pace, id, gap);
		if (g->tally)
			pace_tally(g->tally, id, gap, 1);
	}
	g->free = false;
	g->from = PACE_FROM_RETURN;
}

static void gauge_push(struct gauge *g, uint32_t id)
{
	struct trace_walk *w = g->w;

	if (mem_grow(&w->scratch, &w->scratch_cap, g->more + 1, sizeof(*w->scratch)) < 0)
		w->failed = true;
	else
		w->scratch[g->more++] = id;
}

static void gauge_pop(struct gauge *g)
{
	if (g->more)
		g->more--;
	else if (g->base)
		g->base--;
}

/* A call that was told before. */
static void gauge_tree(struct gauge *g, uint32_t tree)
{
	struct trace_walk *w = g->w;
	struct lane *l;

	gauge_gap(g, true);
	g->weight += tree_ticks(w->trace, &w->lane->trees.v[tree]);
	if (!g->tally)
		return;
	l = &w->grows->lanes[w->number];
	if (tree_summary(&l->trees, &l->store, tree) < 0)
		g->tally->blind = true;
	else
		tree_tally(&l->trees, g->tally, tree);
}

static void gauge_closed(struct gauge *g, uint64_t calls)
{
	g->weight += pace_closed_weight(&g->w->trace->pace, calls);
	g->free = false;
	g->from = PACE_FROM_RETURN;
	if (g->tally)
		g->tally->blind = true;
}

static void gauge_item(struct gauge *g, uint32_t item)
{
	uint32_t value = item_value(item);

	switch (item_kind(item)) {
	case ITEM_CALL:
		gauge_gap(g, true);
		gauge_push(g, value);
		g->from = PACE_FROM_CALL;
		break;
	case ITEM_HELD:
		gauge_push(g, value);
		g->from = PACE_FROM_RETURN;
		break;
	case ITEM_RETURN:
		gauge_gap(g, false);
		gauge_pop(g);
		if (g->tally)
			pace_tally(g->tally, 0, PACE_TOLD, 1);
		break;
	case ITEM_LEAF:
		gauge_gap(g, true);
		gauge_push(g, value);
		g->from = PACE_FROM_CALL;
		gauge_gap(g, false);
		gauge_pop(g);
		g->from = PACE_FROM_LEAF;
		break;
	case ITEM_TREE:
		gauge_tree(g, value);
		break;
	case ITEM_UNKNOWN:
		gauge_gap(g, true);
		gauge_closed(g, 1);
		break;
	case ITEM_COUNT:
		gauge_gap(g, true);
		gauge_closed(g, value);
		break;
	case ITEM_GAP:
		gauge_closed(g, value);
		break;
	default:
		break;
	}
}

/* --- the segment ------------------------------------------------------------------------------ */

static uint64_t stamp_ticks(const struct trace_walk *w, uint64_t at)
{
	return store_time(&w->lane->store, at) << w->shift;
}

/* The one behind `was`, from `at`. */
static struct segment segment_scan(struct trace_walk *w, const struct segment *was, uint64_t at,
				   struct pace *tally)
{
	struct segment s = { .begin = was->end, .begun = was->ended };
	struct gauge g = { .w = w, .tally = tally, .base = w->depth, .from = w->from };
	uint64_t events = 0, end = w->ranges[0].end;
	bool last = false;

	s.end = s.begin;
	for (; store_is_at(&w->lane->store, &at, end); at++) {
		uint32_t item = store_item(&w->lane->store, at);
		uint64_t n = item_events(w, item);

		if (item_is_stamp(item) || item_kind(item) == ITEM_FRAME)
			s.end = stamp_ticks(w, at);
		s.ended = item_is_stamp(item);
		s.own = item_kind(item) == ITEM_STAMP_OWN;
		if (s.ended || item_kind(item) == ITEM_LOST)
			break;
		if (n && !events)
			s.free = g.free = s.begun && (was->own || item_begins(item));
		if (n)
			last = item_ends(item);
		if (n)
			s.away = !events && item_is_away(w, item);
		gauge_item(&g, item);
		events += n;
	}
	last &= s.ended && !s.own;
	if (!(events && last))
		gauge_gap(&g, true);
	s.step = !s.free;
	s.steps = events + s.step - (events && last);
	if (s.steps == 0)
		s.steps = 1;
	s.weight = g.weight;
	s.outsides = g.outsides;
	return s;
}

/* Weights are ticks: what they leave of the segment passed outside of all calls. */
static void outsides_weigh(struct trace_walk *w)
{
	struct segment *s = &w->segment;
	double rest;

	if (!s->outsides)
		return;
	strikes_find(w);
	rest = (double)(s->end - s->begin) - (double)s->struck - s->weight;
	s->outside = fmax(rest / s->outsides, (double)w->trace->pace.usual);
	s->weight += s->outside * s->outsides;
}

/* What lies between two stamps is an equation for the weights. */
static bool segment_learn(struct trace_walk *w, const struct segment *was, uint64_t at)
{
	const struct segment *s = &w->segment;
	struct pace *p = &w->grows->pace;
	struct lane *l = &w->grows->lanes[w->number];
	uint64_t struck = s->struck - s->widened, length = s->end - s->begin;

	if (at < l->learned_at)
		return false;
	l->learned_at = at + 1;
	if (!s->begun || !s->ended || s->away || !pace_wants(p))
		return false;
	segment_scan(w, was, at, p);
	if (s->strikes)
		pace_tally(p, 0, PACE_STRUCK, s->strikes);
	return pace_learn(p, length > struck ? (double)(length - struck) : 0,
			  (double)(UINT64_C(1) << w->shift));
}

bool segment_begin(struct trace_walk *w, uint64_t at)
{
	struct segment was = w->segment, next = segment_scan(w, &was, at, NULL);

	if (next.end > w->until)
		return false;
	w->clock_begin += was.begun && was.end > was.begin + was.struck
				  ? (double)(was.end - was.begin - was.struck) : 0;
	w->segment = next;
	if (!w->grows) {
		outsides_weigh(w);
		return true;
	}
	strikes_find(w);
	if (segment_learn(w, &was, at)) {
		for (unsigned i = 0; i < TRACE_LANES; i++)
			lane_reweigh(&w->grows->lanes[i], &w->grows->pace);
		w->segment.weight = segment_scan(w, &was, at, NULL).weight;
	}
	outsides_weigh(w);
	return true;
}

/* --- times ------------------------------------------------------------------------------------ */

/* Ticks of the lane's own up to there. */
static double own_until(const struct segment *s, double passed)
{
	uint64_t length = s->end > s->begin ? s->end - s->begin : 0;
	double own = length > s->struck ? (double)(length - s->struck) : 0;

	return s->weight > 0 && passed < s->weight ? own * passed / s->weight : own;
}

/* Others ran between: those that began earlier come first. */
static double behind_spans(struct trace_walk *w, double own, size_t *span, uint64_t *out)
{
	const struct segment *s = &w->segment;
	size_t count = s->struck ? w->strikes->count : 0;

	for (; *span < count; ++*span) {
		const struct span *p = &w->strikes->spans[*span];

		if (own + (double)*out <= (double)(p->begin - s->begin))
			break;
		*out += p->end - p->begin;
	}
	return own + (double)*out;
}

uint64_t segment_time(struct trace_walk *w, double passed)
{
	const struct segment *s = &w->segment;
	size_t span;
	uint64_t out;

	strikes_find(w);
	span = s->span;
	out = s->out;
	return s->begin + (uint64_t)(behind_spans(w, own_until(s, passed), &span, &out) + 0.5);
}

uint64_t segment_pass(struct trace_walk *w, struct trace_event *e, double gap, uint64_t events)
{
	struct segment *s = &w->segment;
	double own;

	s->passed = fmin(s->passed + gap, opened_limit(w));
	if (s->step == 0 || (s->ended && s->step >= s->steps))
		e->time = TRACE_TIME_STAMPED;
	else
		e->time = s->begun && s->ended ? TRACE_TIME_BETWEEN : TRACE_TIME_UNKNOWN;
	if (!s->begun || (s->ended && s->step >= s->steps)) {
		e->ticks = s->end;
		own = s->begun ? own_until(s, s->weight) : 0;
	} else if (s->step == 0) {
		e->ticks = s->begin;
		own = 0;
	} else {
		strikes_find(w);
		own = own_until(s, s->passed);
		e->ticks = s->begin + (uint64_t)(behind_spans(w, own, &s->span, &s->out) + 0.5);
	}
	w->clock = w->clock_begin + own;
	s->step += events;
	return e->ticks;
}
