/*
 * lines: address -> source line, and the inlined bodies at an address. Made once from debug_data.
 */
#ifndef WSNTOP_IMAGE_LINES_H
#define WSNTOP_IMAGE_LINES_H

#include "core/image/debug.h"

struct lines {
	struct debug_row *rows;		/* by address; a row holds until the next */
	size_t count;
	struct spans inlined;		/* flat; ids: debug_inline */
};

/*
 * After table_from_dwarf, which decides which parts of d are valid. Takes d's rows and sequences
 * and frees them.
 */
int lines_init(struct lines *l, struct debug_data *d, const struct elf *e);
void lines_release(struct lines *l);

/* The row that holds an address, or NULL. */
const struct debug_row *lines_find(const struct lines *l, uint64_t address);

/* Where the first row behind an address begins; UINT64_MAX: there is none. */
uint64_t lines_after(const struct lines *l, uint64_t address);

/* The innermost inlined body at an address, or DEBUG_NONE. */
uint32_t lines_inline(const struct lines *l, uint64_t address);

#endif
