#include "tui/view/timeline/search.h"

void search_begin(struct search *k, const struct search_wanted *wanted)
{
	*k = (struct search){ .wanted = *wanted };
	for (size_t id = 0; id < wanted->id_count; id++)
		k->bits |= wanted->ids[id] ? trace_id_bit((uint32_t)id) : 0;
}

/* --- one walk --------------------------------------------------------------------------------- */

struct searcher {
	const struct search_wanted *wanted;
	unsigned lane;
	struct scene_call best;
	bool has_best;
	struct {
		uint64_t begin;
		uint32_t id;
		bool wanted, timed;	/* timed: its begin is known */
	} open[SCENE_DEPTHS];
	uint32_t depth, waiting;	/* open calls that may be the one */
};

/* In the direction of the search? Of calls with the same begin the inner one is later. */
static bool is_beyond(const struct searcher *k, uint64_t ticks, uint32_t depth)
{
	const struct search_wanted *w = k->wanted;
	bool later = ticks != w->ticks ? ticks > w->ticks :
		     k->lane != w->lane ? k->lane > w->lane : depth > w->depth;
	bool same = ticks == w->ticks && k->lane == w->lane && depth == w->depth;

	return !same && later != w->backwards;
}

static bool is_wanted(const struct searcher *k, uint64_t ticks, uint32_t depth, uint32_t id)
{
	return id < k->wanted->id_count && k->wanted->ids[id] && is_beyond(k, ticks, depth);
}

static void searcher_offer(struct searcher *k, uint64_t begin, uint64_t end, uint32_t depth,
			   uint32_t id)
{
	bool later = k->has_best && begin >= k->best.begin;

	if ((k->has_best && later != k->wanted->backwards) || end - begin < k->wanted->least)
		return;
	k->has_best = true;
	k->best = (struct scene_call){ .begin = begin, .end = end, .depth = depth, .id = id,
				       .lane = (uint8_t)k->lane };
}

static void searcher_push(struct searcher *k, const struct trace_event *e, bool known)
{
	if (k->depth < SCENE_DEPTHS) {
		bool wanted = known && is_wanted(k, e->since, k->depth, e->id);

		k->open[k->depth].begin = e->since;
		k->open[k->depth].id = e->id;
		k->open[k->depth].wanted = wanted;
		k->open[k->depth].timed = e->time != TRACE_TIME_UNKNOWN;
		k->waiting += wanted;
		if (wanted && !k->wanted->least)
			searcher_offer(k, e->since, e->since, k->depth, e->id);
	}
	k->depth++;
}

static void searcher_pop(struct searcher *k, uint64_t end, bool known)
{
	if (!k->depth || --k->depth >= SCENE_DEPTHS || !k->open[k->depth].wanted)
		return;
	k->waiting--;
	if (k->wanted->least && !(known && k->open[k->depth].timed))
		return;
	searcher_offer(k, k->open[k->depth].begin, end, k->depth, k->open[k->depth].id);
}

/* `known`: not a call that began before the walk, which another one has met. */
static void searcher_take(struct searcher *k, const struct trace_event *e, bool known)
{
	switch (e->kind) {
	case TRACE_HELD:
	case TRACE_CALL:
		searcher_push(k, e, known);
		break;
	case TRACE_RETURN:
		searcher_pop(k, e->ticks, e->time != TRACE_TIME_UNKNOWN);
		break;
	case TRACE_BOX:
		if (is_wanted(k, e->ticks, e->depth, e->id))
			searcher_offer(k, e->ticks, e->until, e->depth, e->id);
		break;
	case TRACE_LOST:
		k->depth = k->waiting = 0;
		break;
	default:
		break;
	}
}

/*
 * From a time on, until a call was found or `end` is passed; the events that it met. Backwards it
 * goes up to the end, as the last one is looked for.
 */
static unsigned searcher_walk(struct searcher *k, const struct search *search,
			      const struct trace *t, uint64_t from, uint64_t end)
{
	struct trace_walk *w = trace_walk_new(t, k->lane);
	bool held = trace_place_before(t, k->lane, from) > 0;
	struct trace_event e;
	unsigned events = 0;

	k->depth = k->waiting = 0;
	if (!w)
		return SEARCH_WALK;
	trace_walk_seek(w, from, k->wanted->least);
	trace_walk_only(w, search->bits);
	while (events < SEARCH_WALK && trace_walk_next(w, &e)) {
		events++;
		held &= e.kind == TRACE_HELD;
		if (e.ticks > end && !k->waiting)
			break;
		searcher_take(k, &e, !held);
		if (!k->wanted->backwards && k->has_best && (!k->waiting || !k->wanted->least))
			break;
	}
	trace_walk_free(w);
	return events;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Backwards from further and further back: what ends before `from` stays closed. */
static unsigned place_search(struct search *k, struct searcher *s, const struct trace *t,
			     uint64_t begin, uint64_t end)
{
	uint64_t at = k->wanted.ticks, span, step;
	unsigned events = 0;

	if (!k->wanted.backwards)
		return searcher_walk(s, k, t, at > begin ? at : begin, end);
	at = end < at ? end : at;
	span = at > begin ? at - begin : 0;
	for (step = span / 256 + 1; ; step *= 4) {
		uint64_t from = step < span ? at - step : begin;

		events += searcher_walk(s, k, t, from, at);
		if ((s->has_best && s->best.begin >= from) || from == begin ||
		    events >= SEARCH_WALK)
			return events;
		s->has_best = false;		/* a later one may be in what stayed closed */
	}
}

static bool place_may_hold(const struct search *k, const struct trace *t)
{
	return k->place == 0 || (trace_place(t, k->lane, k->place).ids & k->bits);
}

/* No call of this lane from here on is nearer than what another one has. */
static bool lane_is_over(const struct search *k, uint64_t begin, uint64_t end)
{
	return k->has_found && (k->wanted.backwards ? end <= k->found.begin :
				begin > k->found.begin);
}

static void found_keep(struct search *k, const struct searcher *s)
{
	if (!s->has_best || (k->has_found && (s->best.begin >= k->found.begin) !=
					     k->wanted.backwards))
		return;
	k->found = s->best;
	k->has_found = true;
}

/* The place; true: the lane is done. */
static bool place_step(struct search *k, const struct trace *t, unsigned *events)
{
	size_t places = trace_places(t, k->lane);
	struct searcher s = { .wanted = &k->wanted, .lane = k->lane };
	uint64_t begin = trace_place(t, k->lane, k->place).ticks, end = UINT64_MAX;
	unsigned met = 1;

	if (k->place + 1 < places)
		end = trace_place(t, k->lane, k->place + 1).ticks;
	if (lane_is_over(k, begin, end))
		return true;
	if (place_may_hold(k, t))
		met += place_search(k, &s, t, begin, end);
	*events += met;
	k->skipped |= met >= SEARCH_WALK;
	found_keep(k, &s);
	if (s.has_best || (k->wanted.backwards ? k->place == 0 : k->place + 1 >= places))
		return true;
	k->place = k->wanted.backwards ? k->place - 1 : k->place + 1;
	return false;
}

enum search_state search_step(struct search *k, const struct trace *t)
{
	unsigned events = 0;

	while (events < SEARCH_STEP && k->lane < TRACE_LANES) {
		if (!k->begun || k->place >= trace_places(t, k->lane))
			k->place = trace_place_before(t, k->lane, k->wanted.ticks);
		k->begun = true;
		if (!place_step(k, t, &events))
			continue;
		k->lane++;
		k->begun = false;
	}
	if (k->lane < TRACE_LANES)
		return SEARCH_MORE;
	return k->has_found ? SEARCH_FOUND : SEARCH_NONE;
}

double search_share(const struct search *k, const struct trace *t)
{
	double done = 0, all = 0;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		size_t places = trace_places(t, lane);
		size_t from = trace_place_before(t, lane, k->wanted.ticks);
		double mine = (double)(k->wanted.backwards ? from + 1 : places - from);

		all += mine;
		if (lane < k->lane)
			done += mine;
		else if (lane == k->lane && k->begun)
			done += (double)(k->place > from ? k->place - from : from - k->place);
	}
	return done < all ? done / all : 1;
}
