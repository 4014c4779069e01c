/*
 * depth: how much of the stack the calls of a shadow stack took, in bytes: a part of shadow, which
 * calls it where frames begin and end and stacks change.
 *
 *	base	of a frame: the stack pointer before the call, with no return address on it yet
 *	low	the lowest stack pointer while the function itself ran
 *	inner	the lowest of what it called; handlers that struck meanwhile are not among them
 *
 * So a function's frame is base - low, what a call of it took with its callees base - inner. Its
 * depth is from where its context begins, the stack's begin or a handler's base, to low, as the
 * STACK of core/profile/look/context.h. The high-water mark of the whole stack has the handlers.
 *
 * Whoever executes the instructions calls shadow_depth when the stack pointer is below `low`; that
 * is one comparison an instruction. A pointer that was written, not pushed to, may be the beginning
 * of a switch to another stack: it counts when the next call begins or the function returns, and
 * not if another stack goes on.
 */
#ifndef WSNTOP_SIM_SOURCE_DEPTH_H
#define WSNTOP_SIM_SOURCE_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/source/pack.h"

struct shadow;
struct shadow_frame;
struct shadow_stack;

/* The deepest point of a stack, and the calls that were open there, innermost last. */
struct shadow_mark {
	uint32_t base, low;		/* base 0: nothing is known */
	uint32_t path[SIM_PATH];
	size_t count, open;		/* open: calls; the innermost `count` are in path */
	bool lost;			/* several stacks are taken for it: it is not told */
};

struct shadow_depths {
	bool known;			/* stack pointers are told */
	uint8_t word;			/* bytes of a return address that a call pushes */
	uint8_t empty;			/* 1: the pointer is one below what was pushed (AVR) */
	uint32_t low;			/* a stack pointer below this one is news; 0: none is */
	uint32_t before;		/* the low before it was written, */
	unsigned doubt;			/* while this is not 0: so many shadow_tell are waited */
	struct pack_depth *rows;	/* by the function's number */
	size_t count, cap;
};

/* Frames begin and end in depth_frame.h. A stack's first frame; news of one that ended. */
void depth_first(struct shadow_stack *k, const struct shadow_frame *f);
void depth_news(struct shadow *s, struct shadow_stack *k, const struct shadow_frame *f,
		uint32_t inner);
/* `k` does not go on for now. */
void depth_leave(struct shadow *s, struct shadow_stack *k);
/* Of open frames, too. */
void depth_tell(struct shadow *s);
void depth_release(struct shadow *s);

#endif
