/*
 * spots: where inside a function its PC samples fell: by assembler label and source line.
 *
 * A label inside a function is a place in it, not a function of its own (gprof books 59 % of the
 * gprof thesis' capture to a label `loop`): here it is, as a line.
 */
#ifndef WSNTOP_PROFILE_LOOK_SPOTS_H
#define WSNTOP_PROFILE_LOOK_SPOTS_H

#include "core/profile/profile.h"

struct spot {
	const char *label;		/* assembler label at or before,
		NULL: none inside the function;
					 * in the row "(wsnprof)" the function's name */
	const char *file;		/* NULL: not known */
	uint32_t line;
	uint32_t pc;			/* the lowest PC of the spot */
	uint64_t samples;
};

struct spots {
	struct spot *items;		/* most samples first */
	size_t count, cap;
};

#define SPOTS_INIT { NULL, 0, 0 }

void spots_release(struct spots *s);

/* The spots of one function of a computed profile. 0 or ERR_NOMEM. */
int spots_find(struct spots *s, const struct profile *p, uint32_t function);

/* "loop, WAIT1.c:160", "WAIT1.c:160" or "0x0146a": what to call it. */
const char *spot_name(const struct spot *s, char *dst, size_t size);

#endif
