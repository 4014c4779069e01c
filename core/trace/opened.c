/*
 * trace/opened: what is open where a walk is, and how long what is in it takes.
 *
 * A call that is told takes what its stamps say, and its gaps have their weights. In a tree each
 * call has a share of the tree's time: as its caller's habit says, or its own one. It is over when
 * its share is, whatever its gaps would take: so no event is behind the tree's end.
 */
#include "core/trace/walk.h"

#include <math.h>

#include "core/base/mem.h"

enum { FIND_ITEMS = 1024 };		/* a call told in more is spread by weights alone */

static const struct opened *opened_innermost(const struct trace_walk *w)
{
	return w->depth ? &w->open[w->depth - 1] : NULL;
}

/* A habit may be forgotten while a walk is in its call. */
static bool part_is_known(const struct trace_walk *w, const struct opened *o, uint32_t part)
{
	return part < o->part_count && o->forgotten == w->trace->habits.forgotten;
}

double opened_gap(const struct trace_walk *w, bool to_call)
{
	const struct opened *o = opened_innermost(w);

	if (w->segment.free && w->segment.step == 0)
		return 0;
	if (!o || !o->id)
		return w->segment.outside;
	if (!to_call && isfinite(o->limit))
		return fmax(o->limit - w->segment.passed, 0);
	if (part_is_known(w, o, o->part))
		return (double)o->parts[o->part] * o->scale;
	return pace_weight(&w->trace->pace, o->id, pace_gap_of(w->from, to_call)) * o->scale;
}

double opened_limit(const struct trace_walk *w)
{
	const struct opened *o = opened_innermost(w);

	return o ? o->limit : INFINITY;
}

double opened_share(const struct trace_walk *w, double ticks)
{
	const struct opened *o = opened_innermost(w);

	if (o && part_is_known(w, o, o->part + 1))
		return (double)o->parts[o->part + 1] * o->scale;
	return o ? ticks * o->scale : ticks;
}

double opened_tree(const struct trace_walk *w, const struct tree *tree)
{
	return opened_share(w, tree_ticks(w->trace, tree));
}

/* The tree of a call that was told there, within another tree; NULL: it is too long. */
static const struct tree *tree_at(const struct trace_walk *w, const struct range *r, uint64_t at)
{
	const struct trees *f = &w->lane->trees;
	uint32_t depth = 0;

	if (at == f->v[r->tree].first)
		return &f->v[r->tree];
	for (unsigned i = 0; i < FIND_ITEMS && store_is_at(&w->lane->store, &at, r->end); i++) {
		uint32_t item = store_item(&w->lane->store, at++);

		depth += item_kind(item) == ITEM_CALL;
		if (item_kind(item) == ITEM_RETURN && --depth == 0)
			return item_value(item) != ITEM_NO_TREE ? &f->v[item_value(item)] : NULL;
	}
	return NULL;
}

void opened_push(struct trace_walk *w, const struct opened *o)
{
	if (mem_grow(&w->open, &w->open_cap, w->depth + 1, sizeof(*w->open)) < 0)
		w->failed = true;
	else
		w->open[w->depth++] = *o;
}

static struct opened opened_outermost(uint32_t id)
{
	return (struct opened){ .id = id, .scale = 1, .limit = INFINITY };
}

/* It takes so much; by itself it would take `own`. */
static struct opened opened_within(const struct trace_walk *w, uint32_t id, double share,
				   double own)
{
	struct opened o = opened_outermost(id);

	o.scale = fmin(share / fmax(own, 1e-6), 1e6);
	o.limit = fmin(w->segment.passed + share, opened_limit(w));
	return o;
}

void opened_leaf(struct trace_walk *w, uint32_t id)
{
	double own = pace_weight(&w->trace->pace, id, PACE_WHOLE);
	struct opened o = opened_outermost(id);

	if (w->count > 1)
		o = opened_within(w, id, opened_share(w, own), own);
	opened_push(w, &o);
}

void opened_call(struct trace_walk *w, uint32_t id, uint64_t at)
{
	const struct range *r = &w->ranges[w->count - 1];
	const struct tree *tree = w->count > 1 ? tree_at(w, r, at) : NULL;
	const struct habit *h = tree ? habit_of(&w->trace->habits, tree_key(tree)) : NULL;
	struct opened o = opened_outermost(id);

	if (tree)
		o = opened_within(w, id, opened_tree(w, tree), tree_ticks(w->trace, tree));
	else if (w->count > 1)
		o.limit = opened_limit(w);
	if (h) {
		o.parts = h->ticks;
		o.part_count = h->parts;
		o.forgotten = w->trace->habits.forgotten;
	}
	opened_push(w, &o);
}

uint32_t opened_pop(struct trace_walk *w)
{
	uint32_t id = w->depth ? w->open[--w->depth].id : 0;

	opened_passed(w);
	return id;
}

void opened_passed(struct trace_walk *w)
{
	if (w->depth)
		w->open[w->depth - 1].part += 2;
}
