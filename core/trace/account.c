/*
 * trace/account: the profile of a trace: calls and times of each caller and callee, and of each way
 * of calls.
 *
 * A lane is walked as far as all lanes have told, once, as frames come. A call that was told before
 * is not looked into: its summary says what is in it, and its own time is spread over that by the
 * weights of its gaps.
 */
#include "core/trace/state.h"

#include <math.h>

#include "core/base/err.h"
#include "core/base/lengths.h"
#include "core/base/mem.h"
#include "core/image/image.h"

enum { PATHS_MAX = 1 << 16, SPREADS_MAX = 1 << 13, AGAIN_ITEMS = 1 << 18 };

struct running {
	double since;			/* ticks of the lane's own */
	double preempted;		/* ticks of handlers that interrupted it, a handler */
	uint64_t begin;			/* ticks */
	uint32_t id;
	uint32_t path;
	bool timed;			/* `since` is known */
};

struct account {
	struct trace_walk *walk;
	struct telling *telling;
	struct running *running;
	size_t depth, cap;
};

void account_free(struct account *a)
{
	if (!a)
		return;
	trace_walk_free(a->walk);
	telling_free(a->telling);
	mem_free(a->running);
	mem_free(a);
}

uint64_t account_position(const struct account *a)
{
	return a ? walk_position(a->walk) : UINT64_MAX;
}

void account_unread(struct account *a)
{
	if (a)
		walk_unread(a->walk);
}

static struct account *account_of(struct trace *t, unsigned lane)
{
	struct lane *l = &t->lanes[lane];

	if (l->account)
		return l->account;
	l->account = mem_zalloc(sizeof(*l->account));
	if (!l->account)
		return NULL;
	l->account->walk = walk_account_new(t, lane);
	l->account->telling = telling_new();
	load_begin(t, l);
	if (!l->account->walk || !l->account->telling) {
		account_free(l->account);
		l->account = NULL;
	}
	return l->account;
}

/* --- edges ------------------------------------------------------------------------------------ */

void trace_edges_forget(struct trace *t)
{
	for (size_t i = 0; i < t->edges.count; i++)
		mem_free(t->edges.v[i].spread);
	t->edges.count = t->paths.count = 0;
	map_clear(&t->edges.map);
	map_clear(&t->paths.map);
	t->paths.epoch++;
	t->paths.full = false;
}

size_t trace_edges_memory(const struct trace *t)
{
	size_t sum = t->edges.cap * sizeof(*t->edges.v) + map_memory(&t->edges.map) +
		     t->paths.cap * sizeof(*t->paths.v) + map_memory(&t->paths.map);

	for (size_t i = 0; i < t->edges.count; i++)
		sum += t->edges.v[i].spread ? LENGTHS * sizeof(*t->edges.v->spread) : 0;
	return sum;
}

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

/* Calls that are alike. */
struct calls {
	uint32_t from, to, path;
	uint64_t count;
	double ticks;			/* of each; negative: not known */
	bool handler;
	bool inner;			/* their ticks are part of those of an outer one */
	const struct trace_event *event;	/* in it they were */
	uint64_t begin, end;
};

static bool spread_add(struct edges *s, struct trace_edge *e, uint64_t ticks, uint64_t count)
{
	uint32_t *in;

	if (!e->spread && s->count <= SPREADS_MAX)
		e->spread = mem_zalloc(LENGTHS * sizeof(*e->spread));
	if (!e->spread)
		return s->count > SPREADS_MAX;
	in = &e->spread[lengths_of(ticks)];
	*in = count < UINT32_MAX - *in ? *in + (uint32_t)count : UINT32_MAX;
	return true;
}

static bool edge_account(struct edges *s, const struct calls *c)
{
	struct trace_edge *e = edge_of(s, c->from, c->to);
	uint64_t ticks;

	if (!e)
		return false;
	e->changed = true;
	e->handler |= c->handler;
	e->calls += c->count;
	if (c->ticks < 0)
		return true;
	ticks = (uint64_t)(c->ticks + 0.5);
	e->timed += c->count;
	e->total += c->ticks * (double)(int64_t)c->count;
	/* Rounded so that the mean is between them. */
	e->min = (uint64_t)c->ticks < e->min ? (uint64_t)c->ticks : e->min;
	if (c->ticks > (double)(int64_t)e->max) {
		e->max = (uint64_t)ceil(c->ticks);
		e->max_begin = c->begin;
		e->max_end = c->end;
		e->max_lane = c->event->lane;
	}
	return spread_add(s, e, ticks, c->count);
}

/* --- ways of calls ---------------------------------------------------------------------------- */

static bool paths_begin(struct paths *s)
{
	if (s->count)
		return true;
	if (mem_grow(&s->v, &s->cap, TRACE_PATH_FIRST, sizeof(*s->v)) < 0)
		return false;
	s->v[TRACE_PATH_MAIN] = (struct trace_path){ .parent = TRACE_PATH_MAIN };
	s->v[TRACE_PATH_HANDLERS] = (struct trace_path){ .parent = TRACE_PATH_HANDLERS };
	s->count = TRACE_PATH_FIRST;
	return true;
}

/* `inner`: the function is on the way already; its path is that one. */
static uint32_t path_below(struct paths *s, uint32_t from, uint32_t id, bool *inner)
{
	uint64_t key = (uint64_t)from << 32 | id;
	uint32_t at = map_get(&s->map, key);

	*inner = false;
	if (at != MAP_NONE)
		return at;
	*inner = true;
	for (at = from; at >= TRACE_PATH_FIRST; at = s->v[at].parent) {
		if (s->v[at].id == id)
			return at;
	}
	if (s->count >= PATHS_MAX || s->count < TRACE_PATH_FIRST ||
	    mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0 ||
	    map_put(&s->map, key, (uint32_t)s->count) < 0) {
		s->full = true;
		return from;
	}
	*inner = false;
	s->v[s->count] = (struct trace_path){ .parent = from, .id = id };
	return (uint32_t)s->count++;
}

static void path_account(struct paths *s, const struct calls *c)
{
	struct trace_path *p = &s->v[c->path];

	if (c->inner || c->path >= s->count)
		return;
	p->calls += c->count;
	if (c->ticks < 0)
		return;
	p->timed += c->count;
	p->total += c->ticks * (double)c->count;
}

static bool calls_account(struct trace *t, const struct calls *c)
{
	path_account(&t->paths, c);
	return edge_account(&t->edges, c);
}

const struct trace_path *trace_paths(const struct trace *t, size_t *count)
{
	*count = t->paths.count;
	return t->paths.full ? NULL : t->paths.v;
}

uint32_t trace_paths_epoch(const struct trace *t)
{
	return t->paths.epoch;
}

/* --- known calls ------------------------------------------------------------------------------ */

enum { GRAFT_INNER = 1 };

/* Its ways below one of the trace's: each index twice, and whether it leads back. */
static bool tree_graft(struct trace *t, struct trees *f, uint32_t tree, uint32_t root)
{
	struct tree_more *m = f->v[tree].more;

	if (m->grafts && m->root == root && m->graft_epoch == t->paths.epoch)
		return true;
	if (!m->grafts)
		m->grafts = arena_alloc(&f->arena, m->path_count * sizeof(*m->grafts));
	if (!m->grafts)
		return false;
	m->root = root;
	m->graft_epoch = t->paths.epoch;
	m->grafts[0] = root << 1;
	for (uint32_t i = 1; i < m->path_count; i++) {
		bool inner;
		uint32_t from = m->grafts[m->paths[i].parent] >> 1;

		m->grafts[i] = path_below(&t->paths, from, m->paths[i].id, &inner) << 1;
		m->grafts[i] |= inner ? GRAFT_INNER : 0;
	}
	return true;
}

/* What is in a run of a tree on a way, which took so many ticks; negative: not known. */
static bool tree_account(struct trace *t, struct trees *f, const struct trace_event *run,
			 uint32_t path, double ticks)
{
	const struct tree_more *m;
	double scale = ticks / fmax(tree_ticks(t, &f->v[run->tree]), 1e-6);
	bool ok = tree_graft(t, f, run->tree, path);

	m = f->v[run->tree].more;
	for (uint32_t i = 0; ok && i < m->part_count; i++) {
		const struct tree_part *part = &m->parts[i];
		double took = scale * tree_part_weight(t, f, part);
		uint32_t graft = m->grafts[part->path];

		ok = calls_account(t, &(struct calls){
			.from = part->from, .to = part->id, .path = graft >> 1,
			.count = part->count, .ticks = took < ticks ? took : ticks,
			.inner = part->inner || graft & GRAFT_INNER,
			.event = run, .begin = run->ticks, .end = run->until,
		});
	}
	return ok;
}

/* --- events ----------------------------------------------------------------------------------- */

static uint32_t caller_id(const struct account *a)
{
	return a->depth ? a->running[a->depth - 1].id : 0;
}

/* It was called by nobody, whatever it interrupted. */
static bool called_by_nobody(const struct trace *t, uint32_t id)
{
	return t->told && id >= IMAGE_TOLD && id & IMAGE_TOLD_HANDLER;
}

static uint32_t caller_path(const struct trace *t, const struct account *a,
			    const struct trace_event *e)
{
	if (called_by_nobody(t, e->id))
		return TRACE_PATH_HANDLERS;
	if (a->depth)
		return a->running[a->depth - 1].path;
	return e->lane == TRACE_LANE_HANDLERS ? TRACE_PATH_HANDLERS : TRACE_PATH_MAIN;
}

static bool call_begin(struct trace *t, struct account *a, const struct trace_event *e)
{
	bool inner;
	uint32_t path = path_below(&t->paths, caller_path(t, a, e), e->id, &inner);

	if (mem_grow(&a->running, &a->cap, a->depth + 1, sizeof(*a->running)) < 0)
		return false;
	a->running[a->depth++] = (struct running){
		.since = walk_clock(a->walk), .begin = e->ticks, .id = e->id, .path = path,
		.timed = e->kind == TRACE_CALL && e->time != TRACE_TIME_UNKNOWN,
	};
	return true;
}

/* A call that is over, of the innermost one. `ticks` as struct calls has it. */
static struct calls call_over(struct trace *t, const struct account *a, const struct trace_event *e,
			    double ticks)
{
	struct calls c = {
		.from = caller_id(a), .to = e->id, .count = 1, .ticks = ticks, .event = e,
		.handler = e->lane == TRACE_LANE_HANDLERS && a->depth == 0,
		.begin = e->ticks, .end = e->until,
	};

	if (called_by_nobody(t, e->id)) {
		c.from = 0;
		c.handler = true;
	}
	c.path = path_below(&t->paths, caller_path(t, a, e), e->id, &c.inner);
	return c;
}

static bool call_end(struct trace *t, struct account *a, const struct trace_event *e)
{
	struct running r;
	struct calls c;
	double ticks;

	if (!a->depth)
		return true;
	r = a->running[--a->depth];
	ticks = fmax(walk_clock(a->walk) - r.since - r.preempted, 0);
	if (called_by_nobody(t, e->id))
		for (size_t i = 0; i < a->depth; i++)
			a->running[i].preempted += ticks;
	c = call_over(t, a, e, r.timed && e->time != TRACE_TIME_UNKNOWN ? ticks : -1);
	c.begin = r.begin;
	c.end = e->ticks;
	return calls_account(t, &c);
}

static bool whole_account(struct trace *t, struct account *a, struct lane *l,
			  const struct trace_event *e)
{
	double ticks = e->time == TRACE_TIME_UNKNOWN ? -1 :
		       fmax(walk_clock_until(a->walk) - walk_clock(a->walk), 0);
	struct calls c = call_over(t, a, e, ticks);

	return tree_summary(&l->trees, &l->store, e->tree) == 0 && calls_account(t, &c) &&
	       tree_account(t, &l->trees, e, c.path, ticks);
}

/* Where it is outermost, no stamp tells its end. */
static bool box_account(struct trace *t, struct account *a, const struct trace_event *e)
{
	struct calls c = call_over(t, a, e, e->time != TRACE_TIME_UNKNOWN && e->depth ?
				 fmax(walk_clock_until(a->walk) - walk_clock(a->walk), 0) : -1);

	return calls_account(t, &c);
}

/*
 * What was open ends at a time that nobody knows. A node counts its calls itself; of those that are
 * seen from outside this is the only count.
 */
static bool open_forget(struct trace *t, struct account *a, const struct trace_event *lost)
{
	struct trace_event e = *lost;

	while (t->told && a->depth) {
		struct calls c;

		e.id = a->running[--a->depth].id;
		c = call_over(t, a, &e, -1);
		if (!calls_account(t, &c))
			return false;
	}
	a->depth = 0;
	return true;
}

static bool event_account(struct trace *t, struct account *a, struct lane *l,
			  const struct trace_event *e)
{
	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		return call_begin(t, a, e);
	case TRACE_RETURN:
		return call_end(t, a, e);
	case TRACE_WHOLE:
		return whole_account(t, a, l, e);
	case TRACE_BOX:
		return box_account(t, a, e);
	case TRACE_LOST:
		return open_forget(t, a, e);
	default:
		return true;
	}
}

static bool lane_account(struct trace *t, unsigned lane, uint64_t until)
{
	struct lane *l = &t->lanes[lane];
	struct account *a = l->store.count ? account_of(t, lane) : NULL;
	struct trace_event e;
	bool ok = a || !l->store.count;

	if (!a)
		return ok;
	walk_until(a->walk, until);
	while (trace_walk_next(a->walk, &e)) {
		if (l->within)
			telling_event(a->telling, t, l, &e, walk_clock(a->walk),
				      walk_clock_until(a->walk));
		load_event(t, l, a->walk, &e, a->depth > 0);
		ok &= event_account(t, a, l, &e);
	}
	return ok;
}

/* Others have told what they ran up to then. */
static uint64_t told_until(const struct trace *t, unsigned lane)
{
	uint64_t until = UINT64_MAX;

	for (unsigned i = 0; lane != TRACE_LANE_HANDLERS && i < TRACE_LANES; i++) {
		uint64_t end = trace_lane_told(t, i);

		if (i != lane && (t->lanes[i].begun || i == TRACE_LANE_HANDLERS))
			until = end < until ? end : until;
	}
	return until;
}

static bool lanes_account(struct trace *t, bool live)
{
	bool ok = paths_begin(&t->paths);

	for (unsigned i = 0; i < TRACE_LANES; i++)
		ok &= lane_account(t, i, live ? told_until(t, i) : UINT64_MAX);
	return ok;
}

/*
 * With other weights, times in what was accounted for are others. While that is cheap it is done
 * again: the longest call is then where a walk finds it.
 */
static bool lanes_account_again(struct trace *t, bool live)
{
	uint64_t items = 0;

	for (unsigned i = 0; i < TRACE_LANES; i++)
		items += store_end(&t->lanes[i].store) - t->lanes[i].epoch_at;
	if (t->cut || t->account_generation == t->pace.generation || (live && items > AGAIN_ITEMS))
		return true;
	t->account_generation = t->pace.generation;
	trace_edges_forget(t);
	for (unsigned i = 0; i < TRACE_LANES; i++) {
		account_free(t->lanes[i].account);
		t->lanes[i].account = NULL;
	}
	return lanes_account(t, live);
}

int trace_account(struct trace *t)
{
	return lanes_account(t, false) && lanes_account_again(t, false) ? 0 : ERR_NOMEM;
}

int trace_account_live(struct trace *t)
{
	return lanes_account(t, true) && lanes_account_again(t, true) ? 0 : ERR_NOMEM;
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
