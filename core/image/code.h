/*
 * code: the codemap that decoders work with, and the jumps that the linker slips between a call and
 * its function.
 */
#ifndef WSNTOP_IMAGE_CODE_H
#define WSNTOP_IMAGE_CODE_H

#include "core/image/call.h"
#include "core/image/elf.h"
#include "core/wire/codemap.h"

#define CODE_CALLED 0x80	/* private: target of a direct call */

/* A linker's veneer or trampoline: code that only jumps to another place. */
struct veneer {
	uint64_t low, high, target;
};

struct code {
	const struct elf *elf;
	struct codemap map;
	uint8_t *flags;
	struct veneer *veneers;		/* by address */
	size_t veneer_count, veneer_cap;
	uint64_t mcount[8];		/* hooks that -pg makes prologues call */
	size_t mcount_count;
};

/*
 * Flags CODE_TEXT, CODE_RETURN and CODE_CALLED, and the veneers. `elf` and `c` stay where they are.
 */
int code_init(struct code *c, const struct elf *elf);
void code_release(struct code *c);

/* A function starts here: CODE_ENTRY; and when all entries are marked, each one's CODE_EARLY. */
void code_mark_entry(struct code *c, uint64_t address);
void code_mark_early(struct code *c, uint64_t address, uint64_t size);

/* See image_normal. */
uint64_t code_normal(const struct code *c, uint64_t address);

#endif
