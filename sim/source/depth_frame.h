/*
 * depth_frame: depth's part in each call and return, inline, as it runs at each of them. Private
 * to shadow.c and depth.c.
 */
#ifndef WSNTOP_SIM_SOURCE_DEPTH_FRAME_H
#define WSNTOP_SIM_SOURCE_DEPTH_FRAME_H

#include "sim/source/shadow.h"

static inline uint32_t depth_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The current stack's innermost frame goes on. */
static inline void depth_resume(struct shadow *s)
{
	const struct shadow_stack *k = &s->stacks[s->current];
	const struct shadow_frame *top = k->count ? &k->frames[k->count - 1] : NULL;

	s->depths.doubt = 0;
	s->depths.low = top && top->base ? top->low : 0;
}

static inline void depth_begin(struct shadow *s, struct shadow_stack *k, struct shadow_frame *f)
{
	if (!s->depths.known)
		return;
	if (k->count == 1)
		depth_first(k, f);
	f->inner = f->low;
	f->root = f->handler ? f->base : k->count > 1 ? f[-1].root : k->mark.base;
	f->apart |= k->count > 1 && f[-1].apart;
	s->depths.doubt = 0;
	s->depths.low = f->base ? f->low : 0;
}

/* Behind what was known of the function, or of the stack? */
static inline bool depth_is_news(const struct shadow *s, const struct shadow_stack *k,
				 const struct shadow_frame *f, uint32_t inner)
{
	const struct pack_depth *row = s->depths.rows;

	if (f->function >= s->depths.count)
		return true;
	row += f->function;
	return f->base > row->frame + f->low || f->base > row->use + inner ||
	       f->root + 1 > row->depth + f->low || f->low < k->mark.low || !row->known;
}

/* It was taken from the stack. */
static inline void depth_end(struct shadow *s, struct shadow_stack *k,
			     const struct shadow_frame *f)
{
	uint32_t inner = depth_least(f->low, f->inner);

	if (f->base && f->function != SHADOW_NONE && depth_is_news(s, k, f, inner))
		depth_news(s, k, f, inner);
	if (k->count && !f->handler && f->base)
		k->frames[k->count - 1].inner = depth_least(k->frames[k->count - 1].inner, inner);
	depth_resume(s);
}

#endif
