/*
 * trace/forget: the oldest parts of a trace are let go.
 *
 * What comes behind a FORGET refers to nothing before it, but where a frame was lost (trees_find).
 * A lane is therefore cut at the first mark behind one: items before its chunk, and trees, notes
 * and marks that were made before, go; what remains is numbered again. A call that was open across
 * the cut keeps its counts, not its content.
 */
#include "core/trace/state.h"

#include <string.h>

#include "core/base/mem.h"

/* Without memory there is one less. */
void lane_boundary(struct lane *l)
{
	uint64_t at = store_end(&l->store);
	const struct boundary *last = l->boundary_count ? &l->boundaries[l->boundary_count - 1]
							: NULL;

	if ((last && at - last->at < BOUNDARY_ITEMS) ||
	    mem_grow(&l->boundaries, &l->boundary_cap, l->boundary_count + 1,
		     sizeof(*l->boundaries)) < 0)
		return;
	l->boundaries[l->boundary_count++] = (struct boundary){
		.at = at, .units = l->stamp, .trees = (uint32_t)l->trees.count,
		.notes = (uint32_t)l->note_count,
	};
}

void lane_reaches(struct lane *l, uint64_t at)
{
	while (l->boundary_count && l->boundaries[l->boundary_count - 1].at > at)
		l->boundary_count--;
}

/* The last one that may be cut at. */
static const struct boundary *boundary_before(const struct lane *l, uint64_t units, uint64_t passed)
{
	for (size_t i = l->boundary_count; i-- > 0;) {
		const struct boundary *b = &l->boundaries[i];

		if (b->units <= units && b->at < passed && b->at > store_begin(&l->store))
			return b;
	}
	return NULL;
}

/* --- what remains ----------------------------------------------------------------------------- */

static uint32_t item_renumber(uint32_t item, const struct boundary *b)
{
	uint32_t value = item_value(item);

	switch (item_kind(item)) {
	case ITEM_TREE:
		return value >= b->trees ? item_make(ITEM_TREE, value - b->trees)
					 : item_make(ITEM_UNKNOWN, 0);
	case ITEM_RETURN:
		return item_make(ITEM_RETURN, value >= b->trees && value != ITEM_NO_TREE ?
				 value - b->trees : ITEM_NO_TREE);
	case ITEM_NOTE:
		return value >= b->notes ? item_make(ITEM_NOTE, value - b->notes)
					 : item_make(ITEM_FRAME, 0);
	default:
		return item;
	}
}

static void items_renumber(struct store *s, const struct boundary *b)
{
	for (size_t i = 0; i < s->count; i++) {
		for (uint32_t k = 0; k < s->chunks[i]->count; k++)
			s->chunks[i]->items[k] = item_renumber(s->chunks[i]->items[k], b);
	}
}

static void table_renumber(uint32_t *table, uint32_t gone)
{
	for (size_t i = 0; i < TRACE_SLOTS; i++) {
		if (table[i] != TREE_NONE)
			table[i] = table[i] >= gone ? table[i] - gone : TREE_NONE;
	}
}

/* What was found out of them is found out again. */
static void trees_renumber(struct trees *f, uint32_t gone)
{
	f->count -= gone;
	if (f->count)
		memmove(f->v, f->v + gone, f->count * sizeof(*f->v));
	for (size_t i = 0; i < f->count; i++) {
		f->v[i].more = NULL;
		f->v[i].seen = f->v[i].seen == TREE_NONE ? TREE_NONE : 0;
	}
	f->visit = 0;
	arena_release(&f->arena);
	arena_init(&f->arena);
	arena_release(&f->before);
	arena_init(&f->before);
	f->made = f->made_before = NULL;
	table_renumber(f->table, gone);
	table_renumber(f->older, gone);
	memset(f->asides, 0xff, sizeof(f->asides));	/* TREE_NONE */
	f->told -= f->told > gone ? gone : f->told;
}

/* Marks from `first` on, in an arena of their own. */
static bool marks_keep(struct lane *l, size_t first)
{
	struct arena arena;

	arena_init(&arena);
	for (size_t i = first; i < l->mark_count; i++) {
		struct mark m = l->marks[i];
		struct mark_call *open = arena_alloc(&arena, (m.depth + 1) * sizeof(*open));

		if (!open) {
			arena_release(&arena);
			return false;
		}
		memcpy(open, m.open, m.depth * sizeof(*open));
		l->marks[i].open = open;
	}
	arena_release(&l->marked);
	l->marked = arena;
	l->mark_count -= first;
	memmove(l->marks, l->marks + first, l->mark_count * sizeof(*l->marks));
	return true;
}

static void boundaries_keep(struct lane *l, const struct boundary *cut)
{
	size_t gone = (size_t)(cut - l->boundaries) + 1;
	uint32_t trees = cut->trees, notes = cut->notes;

	l->boundary_count -= gone;
	memmove(l->boundaries, l->boundaries + gone, l->boundary_count * sizeof(*l->boundaries));
	for (size_t i = 0; i < l->boundary_count; i++) {
		l->boundaries[i].trees -= trees;
		l->boundaries[i].notes -= notes;
	}
}

/* On failure it stays as large as it was. */
static void *array_shrink(void *v, size_t *cap, size_t count, size_t size)
{
	void *less = *cap > 2 * count + 64 ? mem_realloc(v, (count + 64) * size) : NULL;

	*cap = less ? count + 64 : *cap;
	return less ? less : v;
}

static bool lane_cut(struct lane *l, const struct boundary *b, uint64_t passed)
{
	size_t first = 0;

	while (first < l->mark_count && l->marks[first].at < b->at)
		first++;
	if (first == l->mark_count || l->marks[first].at > passed)
		return false;
	load_cut(l, first);
	store_drop(&l->store, b->at);
	if (!marks_keep(l, first)) {		/* no memory: walks begin at the next one */
		memmove(l->marks, l->marks + first, (l->mark_count - first) * sizeof(*l->marks));
		l->mark_count -= first;
	}
	items_renumber(&l->store, b);
	trees_renumber(&l->trees, b->trees);
	l->note_count -= b->notes;
	l->notes_gone += b->notes;
	if (l->note_count)
		memmove(l->notes, l->notes + b->notes, l->note_count * sizeof(*l->notes));
	for (uint32_t i = 0; i < l->depth; i++)
		l->open[i].sure &= l->open[i].first >= store_begin(&l->store);
	if (l->epoch_at < store_begin(&l->store))
		l->epoch_at = store_begin(&l->store);
	boundaries_keep(l, b);
	l->trees.v = array_shrink(l->trees.v, &l->trees.cap, l->trees.count, sizeof(*l->trees.v));
	l->marks = array_shrink(l->marks, &l->mark_cap, l->mark_count, sizeof(*l->marks));
	l->notes = array_shrink(l->notes, &l->note_cap, l->note_count, sizeof(*l->notes));
	return true;
}

void trace_forget_before(struct trace *t, uint64_t ticks)
{
	for (unsigned i = 0; i < TRACE_LANES; i++)
		account_unread(t->lanes[i].account);
	for (unsigned i = 0; i < TRACE_LANES; i++) {
		struct lane *l = &t->lanes[i];
		uint64_t passed = account_position(l->account);
		const struct boundary *b = boundary_before(l, ticks >> t->shift, passed);

		if (b)
			t->cut |= lane_cut(l, b, passed);
	}
}
