/*
 * shadow: the calls of an ordinary firmware, seen one instruction at a time: a shadow call stack
 * for each stack that it uses, and running totals of each call site. No hooks, no names of its
 * runtime: what a call is the instructions tell.
 *
 *	call		a frame, with the stack pointer behind its return address
 *	return		ends the frame whose stack pointer and return address these are, and those
 *			above it (a longjmp passed them by)
 *	jump		to the beginning of another function, with the frame's own stack pointer: a
 *			tail call, which ends the frame and begins another of the same caller
 *	interrupt	a frame that nobody called
 *	return to none	into a function that is open further out: a longjmp. Else another stack: one
 *			that is known goes on, or a task begins there
 *
 * Durations are ticks of the simulator's clock, from the first instruction to the end of the
 * return, less handlers', sleep, and what other stacks ran in between.
 */
#ifndef WSNTOP_SIM_SOURCE_SHADOW_H
#define WSNTOP_SIM_SOURCE_SHADOW_H

#include "core/base/map.h"
#include "sim/source/depth.h"
#include "sim/source/pack.h"
#include "sim/source/watch.h"

#define SHADOW_NONE UINT32_MAX

enum { SHADOW_DEPTH = 4096, SHADOW_STACKS = 64, SHADOW_NEAR = 256 };

/* The firmware's functions, by number. */
struct shadow_code {
	const void *ctx;
	uint32_t (*find)(const void *ctx, uint32_t address);	/* SHADOW_NONE: in none */
	uint32_t (*entry)(const void *ctx, uint32_t function);
};

struct shadow_frame {
	uint32_t from;			/* 0: nobody called it */
	uint32_t function;		/* its number; SHADOW_NONE: a handler's, not there yet */
	uint32_t sp, ret;
	bool handler;
	bool told;			/* its CALL is in the events, and no RETURN yet */
	uint8_t lane;
	uint64_t begin, out;		/* ticks; the stack's `out` then */
	/* stack pointers (depth.h); base 0: not known. root: where its context begins */
	uint32_t base, low, inner, root;
	bool apart;			/* it runs on another stack than those below it */
};

struct shadow_stack {
	struct shadow_frame *frames;
	size_t count, cap;
	uint64_t out;			/* ticks that were not its own, so far */
	uint64_t away;			/* since when it is */
	unsigned handlers;		/* frames of them */
	struct shadow_mark mark;
};

struct shadow {
	struct shadow_code code;
	struct pack *pack;
	bool trace;			/* calls are told one by one */
	struct watches *watches;	/* or those that are watched alone; NULL: none is */
	uint64_t hz;
	struct shadow_stack stacks[SHADOW_STACKS];
	size_t stack_count, current;
	struct pack_row *rows;
	uint8_t *rooted;		/* by row: it is told with a call that goes on */
	size_t row_count, row_cap, rooted_cap;
	struct map row_at;		/* from and function -> row */
	uint64_t asleep, handlers;	/* ticks */
	uint64_t deepest;		/* frames */
	struct shadow_depths depths;
	bool failed;			/* out of memory: what follows is not exact */
};

void shadow_init(struct shadow *s, const struct shadow_code *code, struct pack *pack,
		 uint64_t hz);
void shadow_release(struct shadow *s);

/*
 * For who follows the calls otherwise: a function began, called from an address (0: an interrupt's
 * handler, or a task's own), the innermost one ended, another stack goes on. `base`: the stack
 * pointer before the call, 0: not known; `sp`: now.
 */
struct shadow_entry {
	uint32_t function, from;
	bool handler, apart;
	uint32_t base, sp;
};

void shadow_enter(struct shadow *s, const struct shadow_entry *entry, uint64_t now);
void shadow_leave(struct shadow *s, uint64_t now);
void shadow_stack(struct shadow *s, size_t stack, uint64_t now);

/* A call was made; `ret`: where it returns to; `sp`: behind its return address. */
void shadow_call(struct shadow *s, uint32_t to, uint32_t ret, uint32_t sp, uint64_t now);
/* A jump from one address to another. */
void shadow_jump(struct shadow *s, uint32_t from, uint32_t to, uint32_t sp, uint64_t now);
/* A return to an address; `sp`: before it, with the return address on the stack. */
void shadow_return(struct shadow *s, uint32_t to, uint32_t sp, uint64_t now);
/* An interrupt struck; the handler's function is what runs next, or is jumped to. */
void shadow_interrupt(struct shadow *s, uint32_t ret, uint32_t sp, uint64_t now);
/* The stack pointer is below s->depths.low; `written`: as a number, not by a push (depth.h). */
void shadow_depth(struct shadow *s, uint32_t sp, bool written);
/* The current stack begins there, whatever is called first. */
void shadow_stack_begins(struct shadow *s, uint32_t sp);
/* What went on is another stack that nobody told of: of what is open no depth is known. */
void shadow_stack_lost(struct shadow *s);
/* What is not a jump runs at an address: a handler that waits for its function has it. */
void shadow_settle(struct shadow *s, uint32_t at, uint64_t now);
void shadow_sleep(struct shadow *s, uint64_t ticks);

/* A STATUS, and all rows, of that time. */
void shadow_tell(struct shadow *s, uint64_t now, double pace);

static inline bool shadow_waits(const struct shadow *s)
{
	const struct shadow_stack *k = &s->stacks[s->current];

	return k->count && k->frames[k->count - 1].function == SHADOW_NONE;
}

#endif
