/*
 * trace/summary: which calls a known call makes, on which ways, and how many of each.
 *
 * It is the same for each run. A tree's summary is that of its children put together, so that a
 * call that was told in one token is accounted for in as many steps as it has parts.
 */
#include "core/trace/state.h"

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"

enum { SUMMARY_PATHS = 1024 };		/* deeper ones are counted as part of the way there */

/* Of a tree in the making. */
struct sums {
	const struct trees *trees;
	struct tree_path *paths;
	struct tree_part *parts;
	size_t path_count, path_cap, part_count, part_cap;
	struct map path_at, part_at;
	uint32_t *mapped;		/* by path of a child: its own here, */
	bool *inner;			/* and whether that leads back */
	size_t mapped_cap, inner_cap;
};

static void sums_release(struct sums *s)
{
	map_release(&s->path_at);
	map_release(&s->part_at);
	mem_free(s->paths);
	mem_free(s->parts);
	mem_free(s->mapped);
	mem_free(s->inner);
}

/* The path of calls of `id` from a path; `inner`: it is one that the way there passed. */
static int path_below(struct sums *s, uint32_t from, uint32_t id, uint32_t *path, bool *inner)
{
	uint64_t key = (uint64_t)from << 32 | id;
	uint32_t at = from, found = map_get(&s->path_at, key);

	*inner = false;
	*path = found;
	if (found != MAP_NONE)
		return 0;
	*inner = true;
	for (*path = at; s->paths[at].id != id && at; at = s->paths[at].parent)
		;
	if (s->paths[at].id == id || s->path_count >= SUMMARY_PATHS) {
		*path = s->paths[at].id == id ? at : from;
		return 0;
	}
	*inner = false;
	if (mem_grow(&s->paths, &s->path_cap, s->path_count + 1, sizeof(*s->paths)) < 0 ||
	    map_put(&s->path_at, key, (uint32_t)s->path_count) < 0)
		return ERR_NOMEM;
	s->paths[s->path_count] = (struct tree_path){ from, id };
	*path = (uint32_t)s->path_count++;
	return 0;
}

static bool part_is_like(const struct tree_part *a, const struct tree_part *b)
{
	return a->path == b->path && a->from == b->from && a->id == b->id && a->tree == b->tree &&
	       a->calls == b->calls && a->inner == b->inner;
}

static int part_add(struct sums *s, const struct tree_part *part)
{
	uint64_t key = map_hash(part->path ^ map_hash(part->tree ^ map_hash(
		       (uint64_t)part->from << 32 | (part->id ^ part->calls << 1 ^ part->inner))));
	uint32_t at = map_get(&s->part_at, key);

	while (at != MAP_NONE && !part_is_like(&s->parts[at], part))
		at = map_get(&s->part_at, ++key);
	if (at != MAP_NONE) {
		s->parts[at].count += part->count;
		return 0;
	}
	if (mem_grow(&s->parts, &s->part_cap, s->part_count + 1, sizeof(*s->parts)) < 0 ||
	    map_put(&s->part_at, key, (uint32_t)s->part_count) < 0)
		return ERR_NOMEM;
	s->parts[s->part_count++] = *part;
	return 0;
}

/* What is in a child, below its path here. */
static int child_parts_add(struct sums *s, const struct tree_more *m, uint32_t path)
{
	int ret = 0;

	if (mem_grow(&s->mapped, &s->mapped_cap, m->path_count, sizeof(*s->mapped)) < 0 ||
	    mem_grow(&s->inner, &s->inner_cap, m->path_count, sizeof(*s->inner)) < 0)
		return ERR_NOMEM;
	s->mapped[0] = path;
	s->inner[0] = false;
	for (uint32_t i = 1; ret == 0 && i < m->path_count; i++)
		ret = path_below(s, s->mapped[m->paths[i].parent], m->paths[i].id, &s->mapped[i],
				 &s->inner[i]);
	for (uint32_t i = 0; ret == 0 && i < m->part_count; i++) {
		struct tree_part part = m->parts[i];

		part.inner |= s->inner[part.path];
		part.path = s->mapped[part.path];
		ret = part_add(s, &part);
	}
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
	uint64_t calls;			/* of a box; else 0 */
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

static uint64_t box_calls(struct children *c)
{
	if (!store_is_at(c->store, &c->at, c->end))
		return 1;
	return item_value(store_item(c->store, c->at++));
}

static bool child_next(struct children *c, struct child *child)
{
	while (store_is_at(c->store, &c->at, c->end)) {
		uint32_t item = store_item(c->store, c->at++);
		uint32_t value = item_value(item);

		*child = (struct child){ .tree = TREE_NONE };
		switch (item_kind(item)) {
		case ITEM_LEAF:
			child->id = value;
			return true;
		case ITEM_BOX:
			child->id = value;
			child->calls = box_calls(c);
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

	if (t->first < store_begin(s))		/* its items were let go */
		return (struct children){ .store = s };
	return (struct children){ .store = s, .at = t->first + 1, .end = tree_last(t) };
}

/* --- summaries -------------------------------------------------------------------------------- */

static int summary_keep(struct trees *f, uint32_t tree, const struct sums *s)
{
	struct tree_more *m = tree_more(f, tree);
	struct tree_path *paths = arena_alloc(&f->arena, s->path_count * sizeof(*paths));
	struct tree_part *parts = arena_alloc(&f->arena, (s->part_count + 1) * sizeof(*parts));

	if (!m || !paths || !parts)
		return ERR_NOMEM;
	for (size_t i = 0; i < s->path_count; i++)
		paths[i] = s->paths[i];
	for (size_t i = 0; i < s->part_count; i++)
		parts[i] = s->parts[i];
	m->paths = paths;
	m->path_count = (uint32_t)s->path_count;
	m->parts = parts;
	m->part_count = (uint32_t)s->part_count;
	return 0;
}

static int summary_child(struct sums *s, uint32_t from, const struct child *c)
{
	uint32_t id = c->tree == TREE_NONE ? c->id : s->trees->v[c->tree].id;
	struct tree_part part = { .from = from, .id = id, .tree = c->tree, .calls = c->calls,
				  .count = 1 };

	if (path_below(s, 0, id, &part.path, &part.inner) < 0 || part_add(s, &part) < 0)
		return ERR_NOMEM;
	return c->tree == TREE_NONE ? 0
				    : child_parts_add(s, s->trees->v[c->tree].more, part.path);
}

/* Of a tree whose children have theirs. */
static int summary_make(struct trees *f, const struct store *store, uint32_t tree)
{
	struct children c = children_of(f, store, tree);
	uint32_t id = f->v[tree].id;
	struct sums s = { .trees = f };
	struct child child;
	int ret;

	map_init(&s.path_at);
	map_init(&s.part_at);
	ret = mem_grow(&s.paths, &s.path_cap, 1, sizeof(*s.paths)) < 0 ? ERR_NOMEM : 0;
	if (ret == 0)
		s.paths[s.path_count++] = (struct tree_path){ 0, id };
	while (ret == 0 && child_next(&c, &child))
		ret = summary_child(&s, id, &child);
	if (ret == 0)
		ret = summary_keep(f, tree, &s);
	sums_release(&s);
	return ret;
}

static bool has_summary(const struct trees *f, uint32_t tree)
{
	return f->v[tree].more && f->v[tree].more->paths;
}

/* Puts children without a summary on the stack; how many, or ERR_NOMEM. */
static int children_push(const struct trees *f, const struct store *store, uint32_t tree,
			 uint32_t **stack, size_t *count, size_t *cap)
{
	struct children c = children_of(f, store, tree);
	struct child child;
	int pushed = 0;

	while (child_next(&c, &child)) {
		if (child.tree == TREE_NONE || has_summary(f, child.tree))
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

	if (has_summary(f, tree))
		return 0;
	if (mem_grow(&stack, &cap, 1, sizeof(*stack)) < 0)
		return ERR_NOMEM;
	stack[count++] = tree;
	while (ret >= 0 && count) {
		uint32_t top = stack[count - 1];

		ret = has_summary(f, top) ? 0 : children_push(f, store, top, &stack, &count, &cap);
		if (ret != 0)
			continue;
		count--;
		if (!has_summary(f, top))
			ret = summary_make(f, store, top);
	}
	mem_free(stack);
	return ret < 0 ? ret : 0;
}

double tree_ticks(const struct trace *t, const struct tree *tree)
{
	const struct habit *h = t->habits.count ? habit_of(&t->habits, tree_key(tree)) : NULL;

	return (double)(h ? h->took : tree->weight);
}

double tree_part_weight(const struct trace *t, const struct trees *f, const struct tree_part *part)
{
	if (part->tree != TREE_NONE)
		return tree_ticks(t, &f->v[part->tree]);
	return part->calls ? pace_closed_weight(&t->pace, part->calls)
			   : pace_weight(&t->pace, part->id, PACE_WHOLE);
}

void tree_tally(const struct trees *f, struct pace *p, uint32_t tree)
{
	const struct tree_more *m = f->v[tree].more;

	pace_tally_call(p, f->v[tree].id, &f->v[tree].made, 1);
	for (uint32_t i = 0; i < m->part_count; i++) {
		const struct tree_part *part = &m->parts[i];

		p->blind |= part->calls > 0;
		if (part->tree != TREE_NONE)
			pace_tally_call(p, part->id, &f->v[part->tree].made, (double)part->count);
		else
			pace_tally(p, part->id, PACE_WHOLE, (double)part->count);
	}
}
