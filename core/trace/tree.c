/*
 * trace/tree: calls that were told whole, and the node's table of them.
 *
 * The node's table has a slot for each of the low bits of a hash: it holds the call that returned
 * last with these bits. The host does the same with what it is told. A run of a known call is
 * told as one REF; each call inside it passed through the table, too, so that the table
 * afterwards holds, in each slot, the last of them that fits there. Which these are is found out
 * when a tree is first referred to, and kept: it is the same for each run.
 */
#include "core/trace/state.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

void trees_init(struct trees *f)
{
	*f = (struct trees){ .v = NULL };
	arena_init(&f->arena);
	arena_init(&f->before);
	trees_clear(f);
}

void trees_release(struct trees *f)
{
	mem_free(f->v);
	arena_release(&f->arena);
	arena_release(&f->before);
}

void trees_clear(struct trees *f)
{
	memset(f->table, 0xff, sizeof(f->table));	/* TREE_NONE */
	memset(f->older, 0xff, sizeof(f->older));
	memset(f->asides, 0xff, sizeof(f->asides));
	f->told = 0;
}

void trees_forget(struct trees *f, uint64_t at, uint64_t accounted)
{
	memcpy(f->older, f->table, sizeof(f->older));
	memset(f->table, 0xff, sizeof(f->table));
	memset(f->asides, 0xff, sizeof(f->asides));
	f->told = (uint32_t)f->count;
	if (accounted < f->before_at)
		return;
	for (struct tree_more *m = f->made_before; m; m = m->next)
		f->v[m->tree].more = NULL;
	arena_release(&f->before);
	f->before = f->arena;
	f->made_before = f->made;
	arena_init(&f->arena);
	f->made = NULL;
	f->before_at = at;
}

uint32_t trees_add(struct trees *f, const struct tree *tree)
{
	if (f->count >= ITEM_NO_TREE ||
	    mem_grow(&f->v, &f->cap, f->count + 1, sizeof(*f->v)) < 0)
		return TREE_NONE;
	f->v[f->count] = *tree;
	return (uint32_t)f->count++;
}

uint32_t trees_aside(struct trees *f, uint32_t tree)
{
	struct tree t = f->v[tree];
	uint32_t *aside = &f->asides[token_slot(t.hash)];

	if (*aside != TREE_NONE && f->v[*aside].first == t.first)
		return *aside;
	t.seen = TREE_NONE;
	t.more = NULL;
	*aside = trees_add(f, &t);
	return *aside;
}

struct tree_more *tree_more(struct trees *f, uint32_t tree)
{
	struct tree_more *m = f->v[tree].more;

	if (m)
		return m;
	m = arena_alloc(&f->arena, sizeof(*m));
	if (m)
		*m = (struct tree_more){ .tree = tree, .next = f->made };
	f->made = m ? m : f->made;
	f->v[tree].more = m;
	return m;
}

uint32_t trees_again(struct trees *f, uint32_t tree)
{
	struct tree t = f->v[tree];

	t.seen = 0;
	t.more = NULL;
	return trees_add(f, &t);
}

uint32_t trees_find(const struct trees *f, const struct token_dialect *d, uint32_t ref)
{
	uint32_t mask = (UINT32_C(1) << d->ref_bits) - 1, slot = token_slot(ref);
	const uint32_t *tables[] = { f->table, f->older };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		uint32_t tree = tables[i][slot];

		if (tree != TREE_NONE && (f->v[tree].hash & mask) == ref)
			return tree;
	}
	return TREE_NONE;
}

/* --- what a run leaves in the table ----------------------------------------------------------- */

/* A tree whose children are met from its last to its first. */
struct visit {
	uint32_t tree;
	uint64_t at;			/* children before this position are to be met */
};

struct visits {
	struct visit *v;
	size_t count, cap;
	uint64_t begin;			/* position: what is before it is gone */
	uint32_t slots[TRACE_SLOTS];
};

static void slot_write(struct visits *s, const struct trees *f, uint32_t tree)
{
	uint32_t *slot = &s->slots[token_slot(f->v[tree].hash)];

	if (*slot == TREE_NONE)		/* later ones were met before */
		*slot = tree;
}

/* A later run of the same tree has overwritten all that this one wrote. */
static int tree_meet(struct visits *s, struct trees *f, uint32_t tree)
{
	struct tree *t = &f->v[tree];

	if (t->seen == f->visit || t->seen == TREE_NONE)
		return 0;
	t->seen = f->visit;
	if (t->more && t->more->written) {
		for (uint32_t i = 0; i < t->more->written_count; i++)
			slot_write(s, f, t->more->written[i]);
		return 0;
	}
	if (t->first < s->begin) {		/* its items were let go */
		slot_write(s, f, tree);
		return 0;
	}
	if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0)
		return ERR_NOMEM;
	s->v[s->count++] = (struct visit){ .tree = tree, .at = tree_last(t) };
	slot_write(s, f, tree);
	return 0;
}

/* The position before `at`, which is above 0. */
static uint64_t position_before(const struct store *s, uint64_t at)
{
	uint64_t c = at / CHUNK_ITEMS;

	if (at % CHUNK_ITEMS)
		return at - 1;
	return (c - 1) * CHUNK_ITEMS + store_chunk(s, (c - 1) * CHUNK_ITEMS)->count - 1;
}

/* The next child of the innermost visit, from the end; TREE_NONE: there is none left. */
static uint32_t child_before(const struct visit *v, uint64_t *at, const struct trees *f,
			     const struct store *s)
{
	*at = v->at;
	while (*at > f->v[v->tree].first) {
		uint32_t item, tree;

		*at = position_before(s, *at);
		if (*at <= f->v[v->tree].first)
			break;
		item = store_item(s, *at);
		tree = item_value(item);
		if (item_kind(item) == ITEM_TREE)
			return tree;
		if (item_kind(item) == ITEM_RETURN && tree != ITEM_NO_TREE) {
			*at = f->v[tree].first;
			return tree;
		}
	}
	return TREE_NONE;
}

static int visits_run(struct visits *s, struct trees *f, const struct store *store)
{
	while (s->count) {
		struct visit *v = &s->v[s->count - 1];
		uint64_t at;
		uint32_t child = child_before(v, &at, f, store);

		v->at = at;
		if (child == TREE_NONE)
			s->count--;
		else if (tree_meet(s, f, child) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int written_keep(struct trees *f, uint32_t tree, const struct visits *s)
{
	struct tree_more *more = tree_more(f, tree);
	uint32_t n = 0, *written;

	for (size_t i = 0; i < TRACE_SLOTS; i++)
		n += s->slots[i] != TREE_NONE;
	written = arena_alloc(&f->arena, n * sizeof(*written));
	if (!written || !more)
		return ERR_NOMEM;
	more->written = written;
	more->written_count = n;
	for (size_t i = 0; i < TRACE_SLOTS; i++) {
		if (s->slots[i] != TREE_NONE)
			*written++ = s->slots[i];
	}
	return 0;
}

static int written_find(struct trees *f, const struct store *store, uint32_t tree)
{
	struct visits s = { .begin = store_begin(store) };
	int ret;

	memset(s.slots, 0xff, sizeof(s.slots));
	f->visit++;
	ret = tree_meet(&s, f, tree);
	if (ret == 0)
		ret = visits_run(&s, f, store);
	if (ret == 0)
		ret = written_keep(f, tree, &s);
	mem_free(s.v);
	return ret;
}

int trees_ran(struct trees *f, const struct store *store, uint32_t tree)
{
	const struct tree_more *m = f->v[tree].more;

	if ((!m || !m->written) && written_find(f, store, tree) < 0)
		return ERR_NOMEM;
	m = f->v[tree].more;
	for (uint32_t i = 0; i < m->written_count; i++)
		f->table[token_slot(f->v[m->written[i]].hash)] = m->written[i];
	return 0;
}
