/*
 * traced: which function an id of a call trace means. `wsntop as` writes a record into the section
 * .wsntrace_map, which is not loaded, for each function that it gave hooks:
 *
 *	u32 address	in bytes; Thumb: bit 0 set
 *	u16 id		1 and up
 *	u8 flags	1: it calls nothing, 2: an interrupt handler
 *	u8 0
 *
 * in the byte order of the chip's data.
 */
#ifndef WSNTOP_IMAGE_TRACED_H
#define WSNTOP_IMAGE_TRACED_H

#include "core/image/elf.h"

struct traced {
	uint64_t *addresses;		/* by id; TRACED_NONE */
	size_t count;
};

#define TRACED_NONE UINT64_MAX

void traced_read(struct traced *t, const struct elf *e);	/* nothing where it has none */
void traced_release(struct traced *t);

#endif
