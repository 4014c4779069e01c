#include "tui/view/timeline/why.h"

#include <math.h>
#include <stdlib.h>

/* A call that is looked at, and its parts so far. */
struct looked {
	struct why_part parts[WHY_PARTS];
	size_t count;
	uint64_t begin, child;		/* ticks: when it, and the callee that is open, began */
	uint64_t inside;		/* ticks in callees */
	uint32_t depth;
	bool open, known;		/* known: its times are */
};

struct interval {
	uint64_t begin, end;
};

/* A direct callee of a call that was taken. */
struct callee {
	uint64_t begin, end;
	uint32_t id;
};

enum { CALLEES = WHY_EVENTS / 2 };

struct look {
	const struct scene_call *call;
	const struct find_window *window;	/* NULL: at the call itself */
	double most;
	struct why *why;
	struct looked at;
	struct interval intervals[WHY_CALLS];	/* that were taken */
	size_t interval_count;
	struct callee callees[CALLEES];	/* of these, in order; then of the call at hand */
	size_t callee_count, callees_taken;
};

/* NULL: there are too many. */
static struct why_part *part_of(struct why_part *parts, size_t *count, enum why_kind kind,
				unsigned lane, uint32_t id)
{
	for (size_t i = 0; i < *count; i++)
		if (parts[i].kind == kind && parts[i].id == id && parts[i].lane == lane)
			return &parts[i];
	if (*count == WHY_PARTS)
		return NULL;
	parts[*count] = (struct why_part){ .kind = kind, .lane = (uint8_t)lane, .id = id };
	return &parts[(*count)++];
}

static void why_add(struct why *w, const struct why_part *p, bool usual)
{
	struct why_part *sum = part_of(w->parts, &w->count, p->kind, p->lane, p->id);

	if (!sum)
		return;
	*(usual ? &sum->usual_calls : &sum->calls) += p->calls;
	*(usual ? &sum->usual_ticks : &sum->ticks) += p->ticks;
}

/* --- what it calls ---------------------------------------------------------------------------- */

static void callee_add(struct look *k, uint32_t id, uint64_t begin, uint64_t end)
{
	struct looked *l = &k->at;
	struct why_part *p = part_of(l->parts, &l->count, WHY_CALLEE, 0, id);
	uint64_t ticks = end - begin;

	l->inside += ticks;
	if (k->callee_count < CALLEES)
		k->callees[k->callee_count++] = (struct callee){ begin, end, id };
	if (!p)
		return;
	p->calls++;
	p->ticks += (double)ticks;
}

/* It returned: is it one that is looked for? */
static void looked_end(struct look *k, uint64_t end)
{
	struct looked *l = &k->at;
	uint64_t ticks = end - l->begin;
	bool usual = k->window;
	bool taken = usual ? l->known && l->begin != k->call->begin && (double)ticks < k->most &&
			     l->begin >= k->window->begin && k->interval_count < WHY_CALLS :
		     l->begin == k->call->begin && l->depth == k->call->depth;

	l->open = false;
	if (!taken || (!usual && k->interval_count))
		return;
	k->callees_taken = k->callee_count;
	k->intervals[k->interval_count++] = (struct interval){ l->begin, end };
	for (size_t i = 0; i < l->count; i++)
		why_add(k->why, &l->parts[i], usual);
	why_add(k->why, &(struct why_part){
		.kind = WHY_SELF, .calls = 1,
		.ticks = ticks > l->inside ? (double)(ticks - l->inside) : 0,
	}, usual);
}

static void look_take(struct look *k, const struct trace_event *e)
{
	struct looked *l = &k->at;
	bool call = e->kind == TRACE_CALL || e->kind == TRACE_HELD;

	if (e->kind == TRACE_LOST) {
		l->open = false;
	} else if (!l->open && call && e->id == k->call->id) {
		l->open = true;
		k->callee_count = k->callees_taken;
		l->known = e->time != TRACE_TIME_UNKNOWN;
		l->count = 0;
		l->inside = 0;
		l->begin = e->since;
		l->depth = e->depth;
	} else if (!l->open) {
		return;
	} else if (call && e->depth == l->depth + 1) {
		l->child = e->since;
	} else if (e->kind == TRACE_RETURN && e->depth == l->depth + 1) {
		callee_add(k, e->id, l->child, e->ticks);
	} else if (e->kind == TRACE_RETURN && e->depth == l->depth) {
		l->known &= e->time != TRACE_TIME_UNKNOWN;
		looked_end(k, e->ticks);
	} else if (e->until && e->depth == l->depth + 1) {
		callee_add(k, e->id, e->ticks, e->until);
	}
}

static void look_walk(struct look *k, const struct trace *t, uint64_t begin, uint64_t end)
{
	struct trace_walk *w = trace_walk_new(t, k->call->lane);
	struct trace_event e;

	if (!w)
		return;
	trace_walk_seek(w, begin, 0);
	trace_walk_near(w, UINT32_MAX);
	trace_walk_only(w, trace_id_bit(k->call->id));
	for (unsigned i = 0; i < WHY_EVENTS && trace_walk_next(w, &e) && e.ticks <= end; i++) {
		if (!k->window && !k->at.open && e.since != begin)
			continue;		/* before it, or a call around it of its function */
		look_take(k, &e);
	}
	trace_walk_free(w);
}

/* --- what ran meanwhile ----------------------------------------------------------------------- */

/* It ran while a callee was open, or in between: that took so much less itself. */
static void struck_shorten(struct look *k, uint64_t begin, uint64_t ticks)
{
	struct why_part p = { .kind = WHY_SELF, .ticks = -(double)ticks };
	size_t low = 0, high = k->callees_taken;

	while (low < high) {		/* the first that ends behind it */
		size_t middle = (low + high) / 2;

		if (k->callees[middle].end <= begin)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < k->callees_taken && k->callees[low].begin <= begin) {
		p.kind = WHY_CALLEE;
		p.id = k->callees[low].id;
	}
	why_add(k->why, &p, k->window);
}

/*
 * The share of a call of another lane that is inside of the intervals. One of a task that began
 * before was interrupted itself.
 */
static void other_add(struct look *k, size_t *at, const struct trace_event *e, uint64_t begin,
		      uint64_t end)
{
	bool task = e->lane != TRACE_LANE_HANDLERS;

	while (*at < k->interval_count && k->intervals[*at].end <= begin)
		(*at)++;
	for (size_t i = *at; i < k->interval_count && k->intervals[i].begin < end; i++) {
		uint64_t from = begin > k->intervals[i].begin ? begin : k->intervals[i].begin;
		uint64_t to = end < k->intervals[i].end ? end : k->intervals[i].end;

		if (task && begin < k->intervals[i].begin)
			continue;
		why_add(k->why, &(struct why_part){
			.kind = WHY_OTHER, .lane = e->lane, .id = e->id, .calls = 1,
			.ticks = to > from ? (double)(to - from) : 0,
		}, k->window);
		if (to > from)
			struck_shorten(k, from, to - from);
	}
}

static void others_walk(struct look *k, const struct trace *t, unsigned lane)
{
	struct trace_walk *w = trace_walk_new(t, lane);
	uint64_t end = k->intervals[k->interval_count - 1].end, since = 0;
	struct trace_event e;
	size_t at = 0;

	if (!w)
		return;
	trace_walk_seek(w, k->intervals[0].begin, UINT64_MAX);
	trace_walk_near(w, 0);
	for (unsigned i = 0; i < WHY_EVENTS && trace_walk_next(w, &e) && e.ticks < end; i++) {
		if (e.depth == 0 && (e.kind == TRACE_CALL || e.kind == TRACE_HELD))
			since = e.since;
		else if (e.depth == 0 && e.kind == TRACE_RETURN)
			other_add(k, &at, &e, since, e.ticks);
		else if (e.depth == 0 && e.until)
			other_add(k, &at, &e, e.ticks, e.until);
	}
	trace_walk_free(w);
}

/* No task runs while a handler does. */
static void others_find(struct look *k, const struct trace *t)
{
	bool any = k->interval_count && k->call->lane != TRACE_LANE_HANDLERS;

	for (unsigned lane = 0; any && lane < TRACE_LANES; lane++) {
		struct trace_stats stats;

		trace_lane_stats(t, lane, &stats);
		if (stats.frames && lane != k->call->lane)
			others_walk(k, t, lane);
	}
}

/* --- both ------------------------------------------------------------------------------------- */

static int part_compare(const void *a, const void *b)
{
	const struct why_part *x = a, *y = b;
	double dx = fabs(x->ticks - x->usual_ticks), dy = fabs(y->ticks - y->usual_ticks);

	return dx > dy ? -1 : dx < dy;
}

void why_find(const struct trace *t, const struct scene_call *c,
	      const struct find_window *usual_of, double most, struct why *w)
{
	struct look mine = { .call = c, .why = w };
	struct look usual = { .call = c, .window = usual_of, .most = most, .why = w };

	w->count = w->usual_calls = 0;
	look_walk(&mine, t, c->begin, c->end);
	w->found = mine.interval_count;
	if (!w->found)
		return;
	others_find(&mine, t);
	look_walk(&usual, t, usual_of->begin, usual_of->end);
	others_find(&usual, t);
	w->usual_calls = usual.interval_count;
	for (size_t i = 0; i < w->count && w->usual_calls; i++) {
		w->parts[i].usual_calls /= (double)w->usual_calls;
		w->parts[i].usual_ticks /= (double)w->usual_calls;
	}
	qsort(w->parts, w->count, sizeof(*w->parts), part_compare);
}

uint64_t why_struck(const struct trace *t, const struct scene_call *c, uint64_t *ticks)
{
	struct why w = { .count = 0 };
	struct look k = { .call = c, .why = &w, .interval_count = 1 };
	double calls = 0, sum = 0;

	k.intervals[0] = (struct interval){ c->begin, c->end };
	others_find(&k, t);
	for (size_t i = 0; i < w.count; i++) {
		calls += w.parts[i].kind == WHY_OTHER ? w.parts[i].calls : 0;
		sum += w.parts[i].kind == WHY_OTHER ? w.parts[i].ticks : 0;
	}
	*ticks = (uint64_t)sum;
	return (uint64_t)calls;
}
