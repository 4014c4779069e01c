/*
 * traced: which function an id of a call trace means. `wsntop as` writes, for each function that it
 * gave hooks, a byte into the section .wsntrace_id, whose offset is the id less 1, and the
 * function's address into .wsntrace_fn, both not loaded; the linker puts them in one order.
 */
#ifndef WSNTOP_IMAGE_TRACED_H
#define WSNTOP_IMAGE_TRACED_H

#include "core/image/elf.h"

struct traced {
	uint32_t *addresses;		/* by id - 1; ARM's Thumb bit is stripped by who looks up */
	size_t count;
};

void traced_read(struct traced *t, const struct elf *e);	/* nothing where it has none */
void traced_release(struct traced *t);

#endif
