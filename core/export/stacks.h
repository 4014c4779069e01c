/*
 * stacks: a profile as call paths with whole numbers, for formats whose unit is the path: pprof,
 * folded, flame graphs. Private to core/export.
 *
 * A frame is a function on a path from outside in. Its own figures are nanoseconds, calls and
 * samples; over all frames of a function they add up to that function's, to the last unit: what
 * core/profile/tree apportions is rounded so that sums hold. What no path explains (recursion
 * through a cycle, paths beyond STACKS_MOST) stands in a frame without a parent.
 */
#ifndef WSNTOP_EXPORT_STACKS_H
#define WSNTOP_EXPORT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/export/export.h"

enum { STACKS_MOST = 400000, STACKS_DEEP = 512 };

struct stack_frame {
	uint32_t parent;		/* an earlier frame, PROFILE_NONE: it is a root */
	uint32_t function;
	uint32_t end;			/* the frames up to here are below it */
	uint16_t depth;			/* of a root 0 */
	bool shared;			/* apportioned: an estimate */
	uint64_t ns, calls, samples;	/* its own */
	union {
		struct {		/* with all frames below */
			uint64_t all_ns, all_calls;
		};
		struct {		/* private, until these are known */
			double self, count;
		};
	};
};

struct stacks {
	struct stack_frame *frames;	/* a frame before those below it */
	size_t count, cap;
	bool times;			/* false: the profile has calls alone */
};

/* 0 or ERR_NOMEM. Under a filter frames of paths on which nothing passes it have nothing. */
int stacks_build(struct stacks *s, const struct export_source *source);
void stacks_release(struct stacks *s);	/* one that is all zero holds nothing */

#endif
