/*
 * trace/summary: which calls a known call makes, and how long each of them takes of it.
 *
 * It is the same for each run, in steps from one event to the next: a run spreads its time evenly
 * over them. A tree's summary is that of its children and the calls of these, so that a call that
 * was told in one token is accounted for in as many steps as it has callers and callees.
 */
#include "core/trace/state.h"

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"

/* Of a tree in the making. */
struct sums {
	struct tree_edge *v;
	size_t count, cap;
	struct map map;			/* caller and callee -> v */
};

static int summary_edge_add(struct sums *s, const struct tree_edge *e)
{
	uint64_t key = (uint64_t)e->from << 32 | e->to;
	uint32_t at = map_get(&s->map, key);
	struct tree_edge *sum;

	if (at == MAP_NONE) {
		if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0 ||
		    map_put(&s->map, key, (uint32_t)s->count) < 0)
			return ERR_NOMEM;
		s->v[s->count++] = *e;
		return 0;
	}
	sum = &s->v[at];
	sum->calls += e->calls;
	sum->steps += e->steps;
	sum->shortest = e->shortest < sum->shortest ? e->shortest : sum->shortest;
	sum->longest = e->longest > sum->longest ? e->longest : sum->longest;
	return 0;
}

/* A child of `from` that lasts so many steps. */
static int summary_child_add(struct sums *s, uint32_t from, uint32_t to, uint64_t steps)
{
	return summary_edge_add(s, &(struct tree_edge){
		.from = from, .to = to, .calls = 1, .steps = steps, .shortest = steps,
		.longest = steps,
	});
}

static int summary_tree_add(struct sums *s, const struct tree *caller, const struct tree *t)
{
	int ret = summary_child_add(s, caller->id, t->id, tree_steps(t));

	for (uint32_t i = 0; ret == 0 && i < t->edge_count; i++)
		ret = summary_edge_add(s, &t->edges[i]);
	return ret;
}

/* --- children --------------------------------------------------------------------------------- */

/* What the items from `first` to `last` of a tree are, one child after the other. */
struct children {
	const struct store *store;
	uint64_t at, end;
};

struct child {
	uint32_t tree;			/* TREE_NONE: `id` alone is known */
	uint32_t id;			/* 0: no call */
	uint64_t steps;
};

/* A call that was told here: its tree stands at its return. */
static uint64_t return_of(const struct children *c, uint64_t at)
{
	size_t depth = 0;

	for (; store_is_at(c->store, &at, c->end); at++) {
		enum item_kind kind = item_kind(store_item(c->store, at));

		depth += kind == ITEM_CALL;
		if (kind == ITEM_RETURN && --depth == 0)
			break;
	}
	return at;
}

static uint64_t box_steps(struct children *c)
{
	if (!store_is_at(c->store, &c->at, c->end))
		return 1;
	return 2 * (uint64_t)item_value(store_item(c->store, c->at++)) - 1;
}

static bool child_next(struct children *c, struct child *child)
{
	while (store_is_at(c->store, &c->at, c->end)) {
		uint32_t item = store_item(c->store, c->at++);
		uint32_t value = item_value(item);

		*child = (struct child){ .tree = TREE_NONE, .steps = 1 };
		switch (item_kind(item)) {
		case ITEM_LEAF:
			child->id = value;
			return true;
		case ITEM_BOX:
			child->id = value;
			child->steps = box_steps(c);
			return true;
		case ITEM_TREE:
			child->tree = value;
			return true;
		case ITEM_CALL:
			c->at = return_of(c, c->at - 1);
			if (c->at >= c->end)
				return false;
			child->tree = item_value(store_item(c->store, c->at++));
			return child->tree != ITEM_NO_TREE;
		default:
			break;
		}
	}
	return false;
}

static struct children children_of(const struct trees *f, const struct store *s, uint32_t tree)
{
	const struct tree *t = &f->v[tree];

	return (struct children){ .store = s, .at = t->first + 1, .end = t->last };
}

/* --- summaries -------------------------------------------------------------------------------- */

static int summary_keep(struct trees *f, struct tree *t, const struct sums *s)
{
	struct tree_edge *edges = arena_alloc(&f->arena, (s->count + 1) * sizeof(*edges));

	if (!edges)
		return ERR_NOMEM;
	for (size_t i = 0; i < s->count; i++)
		edges[i] = s->v[i];
	t->edges = edges;
	t->edge_count = (uint32_t)s->count;
	return 0;
}

/* Of a tree whose children have theirs. */
static int summary_make(struct trees *f, const struct store *store, uint32_t tree)
{
	struct children c = children_of(f, store, tree);
	struct tree *t = &f->v[tree];
	struct sums s = { .v = NULL };
	struct child child;
	int ret = 0;

	map_init(&s.map);
	while (ret == 0 && child_next(&c, &child))
		ret = child.tree == TREE_NONE ? summary_child_add(&s, t->id, child.id, child.steps)
					      : summary_tree_add(&s, t, &f->v[child.tree]);
	if (ret == 0)
		ret = summary_keep(f, t, &s);
	map_release(&s.map);
	mem_free(s.v);
	return ret;
}

/* Puts children without a summary on the stack; how many, or ERR_NOMEM. */
static int children_push(const struct trees *f, const struct store *store, uint32_t tree,
			 uint32_t **stack, size_t *count, size_t *cap)
{
	struct children c = children_of(f, store, tree);
	struct child child;
	int pushed = 0;

	while (child_next(&c, &child)) {
		if (child.tree == TREE_NONE || f->v[child.tree].edge_count != TREE_NOT_ASKED)
			continue;
		if (mem_grow(stack, cap, *count + 1, sizeof(**stack)) < 0)
			return ERR_NOMEM;
		(*stack)[(*count)++] = child.tree;
		pushed = 1;
	}
	return pushed;
}

int tree_summary(struct trees *f, const struct store *store, uint32_t tree)
{
	uint32_t *stack = NULL;
	size_t count = 0, cap = 0;
	int ret = 0;

	if (f->v[tree].edge_count != TREE_NOT_ASKED)
		return 0;
	if (mem_grow(&stack, &cap, 1, sizeof(*stack)) < 0)
		return ERR_NOMEM;
	stack[count++] = tree;
	while (ret >= 0 && count) {
		uint32_t top = stack[count - 1];

		ret = f->v[top].edge_count != TREE_NOT_ASKED
			      ? 0 : children_push(f, store, top, &stack, &count, &cap);
		if (ret != 0)
			continue;
		count--;
		if (f->v[top].edge_count == TREE_NOT_ASKED)
			ret = summary_make(f, store, top);
	}
	mem_free(stack);
	return ret < 0 ? ret : 0;
}
