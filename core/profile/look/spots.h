/*
 * spots: the places inside a function where its PC samples were taken: assembler labels and source
 * lines.
 *
 * A label inside a function is a place in it, not a function of its own (gprof gives 59 % of the
 * gprof thesis' capture to a label `loop`).
 */
#ifndef WSNTOP_PROFILE_LOOK_SPOTS_H
#define WSNTOP_PROFILE_LOOK_SPOTS_H

#include "core/profile/profile.h"

struct spot {
	/*
	 * The assembler label at or before; NULL: none in the function. In "(wsnprof)": its name.
	 */
	const char *label;
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

/* Its name: "loop, WAIT1.c:160", "WAIT1.c:160" or "0x0146a". */
const char *spot_name(const struct spot *s, char *dst, size_t size);

#endif
