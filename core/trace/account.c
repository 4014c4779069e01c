/*
 * trace/account: the profile of a trace: calls and times of each caller and callee.
 *
 * A lane is walked as far as its newest stamp, once, as frames come. A call that was told before
 * is not looked into: its summary says what is in it, and its own time is spread over that.
 */
#include "core/trace/state.h"

#include "core/base/err.h"
#include "core/base/mem.h"

struct running {
	uint64_t since;			/* ticks */
	uint32_t id;
	bool timed;			/* `since` is known */
};

struct account {
	struct trace_walk *walk;
	struct running *running;
	size_t depth, cap;
	bool failed;
};

void account_free(struct account *a)
{
	if (!a)
		return;
	trace_walk_free(a->walk);
	mem_free(a->running);
	mem_free(a);
}

static struct account *account_of(const struct trace *t, struct lane *l, unsigned lane)
{
	struct account *a = l->account;

	if (a)
		return a;
	a = mem_zalloc(sizeof(*a));
	if (!a)
		return NULL;
	a->walk = trace_walk_new(t, lane);
	if (!a->walk) {
		mem_free(a);
		return NULL;
	}
	trace_walk_seek(a->walk, 0, UINT64_MAX);
	l->account = a;
	return a;
}

/* --- edges ------------------------------------------------------------------------------------ */

static struct trace_edge *edge_of(struct edges *s, uint32_t from, uint32_t to)
{
	uint64_t key = (uint64_t)from << 32 | to;
	uint32_t at = map_get(&s->map, key);

	if (at != MAP_NONE)
		return &s->v[at];
	if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0 ||
	    map_put(&s->map, key, (uint32_t)s->count) < 0)
		return NULL;
	s->v[s->count] = (struct trace_edge){ .from = from, .to = to, .min = UINT64_MAX };
	return &s->v[s->count++];
}

/* `timed` of the calls took `total`, one of them at least `min` and at most `max`. */
static bool account_edge_add(struct edges *s, uint32_t from, uint32_t to,
			     const struct trace_edge *more)
{
	struct trace_edge *e = edge_of(s, from, to);

	if (!e)
		return false;
	e->changed = true;
	e->handler |= more->handler;
	e->calls += more->calls;
	e->timed += more->timed;
	if (!more->timed)
		return true;
	e->total += more->total;
	e->min = more->min < e->min ? more->min : e->min;
	if (more->max <= e->max)
		return true;
	e->max = more->max;
	e->max_begin = more->max_begin;
	e->max_end = more->max_end;
	e->max_lane = more->max_lane;
	return true;
}

static uint64_t share_of(uint64_t ticks, uint64_t steps, uint64_t all)
{
	return (uint64_t)((double)ticks * (double)steps / (double)all + 0.5);
}

/* What is in a run of a tree. */
static bool tree_account(struct edges *s, const struct tree *t, const struct trace_event *run,
			 bool timed)
{
	uint64_t all = tree_steps(t), ticks = run->until - run->ticks;
	bool ok = true;

	for (uint32_t i = 0; i < t->edge_count; i++) {
		const struct tree_edge *e = &t->edges[i];

		ok &= account_edge_add(s, e->from, e->to, &(struct trace_edge){
			.calls = e->calls,
			.timed = timed ? e->calls : 0,
			.total = share_of(ticks, e->steps, all),
			.min = share_of(ticks, e->shortest, all),
			.max = share_of(ticks, e->longest, all),
			.max_begin = run->ticks, .max_end = run->until, .max_lane = run->lane,
		});
	}
	return ok;
}

/* --- events ----------------------------------------------------------------------------------- */

static uint32_t caller_id(const struct account *a)
{
	return a->depth ? a->running[a->depth - 1].id : 0;
}

static bool call_begin(struct account *a, const struct trace_event *e)
{
	if (mem_grow(&a->running, &a->cap, a->depth + 1, sizeof(*a->running)) < 0)
		return false;
	a->running[a->depth++] = (struct running){
		.since = e->ticks, .id = e->id,
		.timed = e->kind == TRACE_CALL && e->time != TRACE_TIME_UNKNOWN,
	};
	return true;
}

static bool call_account(const struct account *a, struct edges *s, const struct trace_event *e,
			 uint64_t since, uint64_t until, bool timed)
{
	uint64_t ticks = until > since ? until - since : 0;

	return account_edge_add(s, caller_id(a), e->id, &(struct trace_edge){
		.handler = e->lane == TRACE_LANE_HANDLERS && a->depth == 0,
		.calls = 1, .timed = timed, .total = ticks, .min = ticks, .max = ticks,
		.max_begin = since, .max_end = until, .max_lane = e->lane,
	});
}

static bool call_end(struct account *a, struct edges *s, const struct trace_event *e)
{
	struct running r;

	if (!a->depth)
		return true;
	r = a->running[--a->depth];
	return call_account(a, s, e, r.since, e->ticks,
			    r.timed && e->time != TRACE_TIME_UNKNOWN);
}

static bool event_account(struct account *a, struct edges *s, struct lane *l,
			  const struct trace_event *e)
{
	bool timed = e->time != TRACE_TIME_UNKNOWN;

	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		return call_begin(a, e);
	case TRACE_RETURN:
		return call_end(a, s, e);
	case TRACE_WHOLE:
		return tree_summary(&l->trees, &l->store, e->tree) == 0 &&
		       call_account(a, s, e, e->ticks, e->until, timed) &&
		       tree_account(s, &l->trees.v[e->tree], e, timed);
	case TRACE_BOX:			/* where it is outermost, no stamp tells its end */
		return call_account(a, s, e, e->ticks, e->until, timed && e->depth > 0);
	case TRACE_LOST:
		a->depth = 0;
		return true;
	default:
		return true;
	}
}

int trace_account(struct trace *t)
{
	bool ok = true;

	for (unsigned i = 0; i < TRACE_LANES; i++) {
		struct lane *l = &t->lanes[i];
		struct account *a = l->store.count ? account_of(t, l, i) : NULL;
		struct trace_event e;

		if (!l->store.count)
			continue;
		ok &= a != NULL;
		if (a)
			trace_walk_extend(a->walk);
		while (a && trace_walk_next(a->walk, &e))
			ok &= event_account(a, &t->edges, l, &e);
	}
	return ok ? 0 : ERR_NOMEM;
}

struct trace_edge *trace_edges(const struct trace *t, size_t *count)
{
	*count = t->edges.count;
	return t->edges.v;
}

bool trace_longest(const struct trace *t, uint32_t id, struct trace_edge *longest)
{
	*longest = (struct trace_edge){ .max = 0 };
	for (size_t i = 0; i < t->edges.count; i++) {
		if (t->edges.v[i].to == id && t->edges.v[i].max > longest->max)
			*longest = t->edges.v[i];
	}
	return longest->max > 0;
}
