/*
 * context: the firmware's threads of control that a function runs in, and how deep.
 *
 * A context is a root of the call graph: an interrupt handler, or a function that nothing calls
 * (main, a task's entry). A function that several roots reach runs in several. Depth counts calls
 * from the root; stack depth adds up the frames on the deepest way that was seen, as far as the
 * image has their sizes (.debug_frame).
 */
#ifndef WSNTOP_PROFILE_LOOK_CONTEXT_H
#define WSNTOP_PROFILE_LOOK_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/image/image.h"
#include "core/profile/profile.h"

#define CONTEXT_NONE UINT32_MAX
#define CONTEXT_SEVERAL (UINT32_MAX - 1)

struct context {
	uint32_t root;			/* function; CONTEXT_SEVERAL, CONTEXT_NONE */
	bool handler;			/* only interrupt handlers reach it */
	uint32_t depth;			/* calls from its nearest root; UINT32_MAX: none */
	int32_t frame;			/* bytes of its frame and return address; -1: unknown */
	int32_t stack;			/* bytes on the deepest way, its own too; -1: unknown */
	bool stack_at_least;		/* a frame of that way is unknown, or it has a cycle */
};

struct contexts {
	struct context *items;		/* by function */
	size_t count, cap;
	/* private */
	uint32_t *queue;
	size_t queue_cap;
};

void contexts_release(struct contexts *c);		/* one that is all zero holds nothing */

/* Of a computed profile; the image may be NULL. 0 or ERR_NOMEM (then it is empty). */
int contexts_build(struct contexts *c, const struct profile *p, const struct image *im);

#endif
