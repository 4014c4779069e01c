/* depth: see depth.h. */
#include "sim/source/depth.h"

#include <string.h>

#include "core/base/mem.h"
#include "sim/source/depth_frame.h"

enum { DOUBTS = 2 };

static uint32_t depth_most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* --- the deepest point of a stack ------------------------------------------------------------- */

/* Calls are open up to the one of index `top`. */
static void mark_set(const struct shadow *s, struct shadow_stack *k, size_t top, uint32_t low)
{
	struct shadow_mark *m = &k->mark;
	size_t first = top + 1 > SIM_PATH ? top + 1 - SIM_PATH : 0;

	m->low = low;
	m->open = top + 1;
	m->count = 0;
	for (size_t i = first; i <= top; i++)
		if (k->frames[i].function != SHADOW_NONE)
			m->path[m->count++] = s->code.entry(s->code.ctx, k->frames[i].function);
}

void depth_first(struct shadow_stack *k, const struct shadow_frame *f)
{
	if (f->base <= k->mark.base || k->mark.lost)
		return;
	k->mark.low = k->mark.base ? k->mark.low : f->base;
	k->mark.base = f->base;
}

/* --- frames ----------------------------------------------------------------------------------- */

static struct pack_depth *row_of(struct shadow *s, uint32_t function)
{
	struct shadow_depths *d = &s->depths;

	if (function >= d->count) {
		if (mem_grow(&d->rows, &d->cap, function + 1u, sizeof(*d->rows)) < 0) {
			s->failed = true;
			return NULL;
		}
		memset(d->rows + d->count, 0, (function + 1u - d->count) * sizeof(*d->rows));
		d->count = function + 1u;
	}
	return &d->rows[function];
}

/* The frame of index `at`, down to `low` by itself and to `inner` with what it called. */
static void frame_count(struct shadow *s, struct shadow_stack *k, const struct shadow_frame *f,
			size_t at, uint32_t low, uint32_t inner)
{
	struct pack_depth *row = f->base && f->function != SHADOW_NONE ?
				 row_of(s, f->function) : NULL;

	if (!row)
		return;
	row->known = true;
	row->frame = depth_most(row->frame, f->base - depth_least(low, f->base));
	row->use = depth_most(row->use, f->base - depth_least(inner, f->base));
	if (f->root)
		row->depth = depth_most(row->depth, 1 + f->root - depth_least(low, f->root));
	if (k->mark.base && !f->apart && low < k->mark.low)
		mark_set(s, k, at, low);
}

void depth_news(struct shadow *s, struct shadow_stack *k, const struct shadow_frame *f,
		uint32_t inner)
{
	frame_count(s, k, f, k->count, f->low, inner);
}

void depth_leave(struct shadow *s, struct shadow_stack *k)
{
	if (s->depths.doubt && k->count)
		k->frames[k->count - 1].low = s->depths.before;
	s->depths.doubt = 0;
}

void shadow_stack_begins(struct shadow *s, uint32_t sp)
{
	struct shadow_mark *m = &s->stacks[s->current].mark;

	if (!m->base && !m->lost)
		m->base = m->low = sp;
}

void shadow_stack_lost(struct shadow *s)
{
	struct shadow_stack *k = &s->stacks[s->current];

	for (size_t i = 0; i < k->count; i++)
		k->frames[i].base = k->frames[i].root = 0;
	k->mark = (struct shadow_mark){ .lost = true };
	depth_resume(s);
}

void shadow_depth(struct shadow *s, uint32_t sp, bool written)
{
	struct shadow_stack *k = &s->stacks[s->current];
	struct shadow_depths *d = &s->depths;

	if (!k->count)
		return;
	d->before = d->doubt ? d->before : d->low;
	d->doubt = written ? DOUBTS : 0;
	d->low = k->frames[k->count - 1].low = sp;
}

/* --- what is told ----------------------------------------------------------------------------- */

static void stack_tell(struct shadow *s, struct shadow_stack *k)
{
	bool current = k == &s->stacks[s->current];
	uint32_t inner = UINT32_MAX;

	for (size_t i = k->count; i-- > 0; ) {
		const struct shadow_frame *f = &k->frames[i];
		bool doubted = current && i + 1 == k->count && s->depths.doubt;
		uint32_t low = doubted ? s->depths.before : f->low;

		inner = depth_least(inner, depth_least(low, f->inner));
		frame_count(s, k, f, i, low, inner);
		if (f->handler)
			inner = UINT32_MAX;
	}
	if (k->mark.base)
		pack_stack(s->pack, (uint32_t)(k - s->stacks), k->mark.base + s->depths.empty,
			   k->mark.low + s->depths.empty, k->mark.open, k->mark.path,
			   k->mark.count);
}

void depth_tell(struct shadow *s)
{
	struct shadow_depths *d = &s->depths;

	if (!d->known)
		return;
	d->doubt -= d->doubt > 0;
	for (size_t i = 0; i < s->stack_count; i++)
		stack_tell(s, &s->stacks[i]);
	for (size_t i = 0; i < d->count; i++)
		d->rows[i].address = d->rows[i].known ?
				     s->code.entry(s->code.ctx, (uint32_t)i) : 0;
	pack_depths(s->pack, d->rows, d->count);
}

void depth_release(struct shadow *s)
{
	mem_free(s->depths.rows);
}
