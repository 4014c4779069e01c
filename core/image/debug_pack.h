/*
 * debug_pack: the tables of debug_data from the process that read them (core/base/confined.h).
 *
 * Shape: struct pack_head (debug_pack.c), then each table as it stands in memory, in the order of
 * the head's counts; a string is its offset in the first of them. Both sides are one program. The
 * reader still checks it all: the writer may be anybody, once a file broke into libdwarf.
 */
#ifndef WSNTOP_IMAGE_DEBUG_PACK_H
#define WSNTOP_IMAGE_DEBUG_PACK_H

#include "core/base/confined.h"
#include "core/image/debug.h"

void debug_pack(const struct debug_data *d, int out);

/*
 * Into d, which debug_init made. False: it ended before its end, wants more than `most` bytes, or
 * memory is out; d is empty then.
 */
bool debug_unpack(struct debug_data *d, struct confined *from, uint64_t most);

#endif
