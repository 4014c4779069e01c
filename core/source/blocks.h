/*
 * blocks: which instructions of a listing run exactly once in each call of their function, and the
 * cycles that they take (core/image/once.h).
 *
 * Such an instruction is on every way from the function's entry to an end of the call, and on no
 * way back to itself. What is not understood counts as if it went anywhere: an instruction may be
 * left out, but none is there that may run twice or not at all, as long as callees return. A
 * function that code outside of it jumps into has none.
 */
#ifndef WSNTOP_SOURCE_BLOCKS_H
#define WSNTOP_SOURCE_BLOCKS_H

#include "core/image/once.h"
#include "core/source/step.h"

/* A function's code: [low, high), its entry first. */
struct blocks_range {
	uint64_t low, high;
};

/*
 * Of functions by address that do not overlap, in a listing that ended. 0 or ERR_NOMEM (then it is
 * empty). Linear in the listing.
 */
int blocks_find(struct once *once, const struct listing *l, const struct blocks_range *functions,
		size_t count, enum step_core core);

/*
 * Of an image's functions; those that share code with another are left out. `core`: as core_text()
 * tells it, "" not known.
 */
int blocks_of_image(struct once *once, const struct listing *l, const struct image *im,
		    const char *core);

/*
 * Whose cycles are taken, and the least that they are off by (once.doubt): of ARM by the core, else
 * by the architecture that the image was made for.
 */
enum step_core blocks_core(const struct image *im, const char *core, double *doubt);

#endif
