/*
 * trace/telling: what is told in full, event by event as an account passes it, becomes habits.
 *
 * The moments of all calls that are open are on one stack: those of a call lie above those that its
 * caller had before it, and leave it with its return.
 */
#include "core/trace/state.h"

#include "core/base/mem.h"

enum { MOMENTS_MAX = 1 << 16 };

#define UNSURE 0.2			/* of a weight: how far it is off */

/* An open call: moments from `first` on are its own, while it is the innermost one. */
struct told_call {
	size_t first;
	uint32_t id;
	enum pace_from from;		/* its newest moment */
	bool blind;			/* some are not known: no habit */
};

struct telling {
	struct moment *moments;
	size_t count, cap;
	struct told_call *calls;
	size_t depth, call_cap;
	uint64_t told;			/* returns since the outermost call */
};

struct telling *telling_new(void)
{
	return mem_zalloc(sizeof(struct telling));
}

void telling_free(struct telling *s)
{
	if (!s)
		return;
	mem_free(s->moments);
	mem_free(s->calls);
	mem_free(s);
}

static struct told_call *told_innermost(struct telling *s)
{
	return s->depth ? &s->calls[s->depth - 1] : NULL;
}

/* Of the innermost call. */
static void told_moment(struct telling *s, const struct moment *m)
{
	struct told_call *c = told_innermost(s);

	if (!c || c->blind)
		return;
	c->blind = s->count - c->first > HABIT_PARTS || s->count >= MOMENTS_MAX ||
		   mem_grow(&s->moments, &s->cap, s->count + 1, sizeof(*s->moments)) < 0;
	if (c->blind)
		s->count = c->first;
	else
		s->moments[s->count++] = *m;
}

static void part_is(struct moment *m, double ticks, double doubt)
{
	m->part = (float)ticks;
	m->doubt = (float)doubt;
}

static void part_is_gap(struct moment *m, const struct pace *p, uint32_t id, enum pace_gap gap)
{
	double ticks = pace_weight(p, id, gap);

	part_is(m, ticks, UNSURE * UNSURE * ticks * ticks);
}

/* The gap before a call in the innermost one, or before its return. */
static void part_is_before(struct moment *m, const struct telling *s, const struct pace *p,
			   bool to_call)
{
	if (s->depth)
		part_is_gap(m, p, s->calls[s->depth - 1].id,
			    pace_gap_of(s->calls[s->depth - 1].from, to_call));
}

/* What weights say of a tree is as unsure as of each gap in it. */
static void part_is_tree(struct moment *m, const struct trace *t, const struct tree *tree)
{
	const struct habit *h = habit_of(&t->habits, tree_key(tree));
	double ticks = (double)(h ? h->took : tree->weight);

	part_is(m, ticks, h && h->runs ? habit_doubt(&t->habits, h)
				       : UNSURE * UNSURE * ticks * ticks / (double)tree->calls);
}

static void called_from(struct telling *s, enum pace_from from)
{
	if (s->depth)
		s->calls[s->depth - 1].from = from;
}

static void told_begin(struct telling *s, const struct pace *p, const struct trace_event *e,
		       const struct moment *at)
{
	struct moment m = *at;

	part_is_before(&m, s, p, true);
	told_moment(s, &m);
	if (mem_grow(&s->calls, &s->call_cap, s->depth + 1, sizeof(*s->calls)) < 0) {
		s->depth = s->count = 0;	/* returns of nothing are passed over */
		return;
	}
	s->calls[s->depth++] = (struct told_call){
		.first = s->count, .id = e->id, .from = PACE_FROM_CALL,
		.blind = e->kind == TRACE_HELD,
	};
	told_moment(s, at);
}

/* Stamps within it tell more than that of its caller, which is told each time where it has one. */
static bool moments_teach(const struct telling *s, const struct told_call *c)
{
	size_t told = 0;

	for (size_t i = c->first; i < s->count; i++)
		told += s->moments[i].told;
	return told > 2 || (told == 2 && s->depth > 1);
}

static void told_end(struct telling *s, struct trace *t, const struct lane *l,
		     const struct trace_event *e, const struct moment *at)
{
	const struct tree *tree = e->tree != ITEM_NO_TREE ? &l->trees.v[e->tree] : NULL;
	const struct told_call *c = told_innermost(s);
	struct moment m = *at;
	bool was_leaf;

	if (!c)
		return;
	part_is_before(&m, s, &t->pace, false);
	told_moment(s, &m);
	if (tree && !c->blind && s->count - c->first == 2 * (size_t)tree->made.calls + 2 &&
	    (habit_of(&t->habits, tree_key(tree)) || moments_teach(s, c)))
		habit_learn(&t->habits, tree_key(tree), &s->moments[c->first], s->count - c->first);
	if (tree)
		part_is_tree(&m, t, tree);
	else
		part_is_gap(&m, &t->pace, c->id, PACE_WHOLE);
	was_leaf = !tree && s->count - c->first == 2;
	s->told = s->depth > 1 ? s->told + !was_leaf : 0;
	s->count = c->first;
	s->depth--;
	told_moment(s, &m);
	called_from(s, was_leaf ? PACE_FROM_LEAF : PACE_FROM_RETURN);
}

static void told_whole(struct telling *s, struct trace *t, const struct tree *tree,
		       const struct moment *at, double until)
{
	struct moment m = *at;

	if (!s->depth && at->told)	/* a stamp is behind it, too */
		habit_ran(&t->habits, tree_key(tree), until - at->clock);
	part_is_before(&m, s, &t->pace, true);
	told_moment(s, &m);
	m.told = false;
	part_is_tree(&m, t, tree);
	told_moment(s, &m);
	called_from(s, PACE_FROM_RETURN);
}

void telling_event(struct telling *s, struct trace *t, const struct lane *l,
		   const struct trace_event *e, double clock, double until)
{
	double more = pace_weight(&t->pace, 0, PACE_TOLD) * (double)s->told;
	struct moment at = { .clock = clock - more, .told = e->time == TRACE_TIME_STAMPED };

	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		told_begin(s, &t->pace, e, &at);
		break;
	case TRACE_RETURN:
		told_end(s, t, l, e, &at);
		break;
	case TRACE_WHOLE:
		told_whole(s, t, &l->trees.v[e->tree], &at, until - more);
		break;
	case TRACE_BOX:
	case TRACE_UNKNOWN:
	case TRACE_GAP:
		if (s->depth) {
			s->calls[s->depth - 1].blind = true;
			s->count = s->calls[s->depth - 1].first;
		}
		break;
	case TRACE_LOST:
		s->depth = s->count = 0;
		break;
	default:
		break;
	}
}
