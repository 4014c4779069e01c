/*
 * objdump: a function's instructions, as the toolchain's own disassembler writes them.
 *
 * The disassembler is a child: no shell, nothing to read, its complaints thrown away, in a process
 * group of its own. Its output is read without blocking; it is killed when it takes longer than
 * OBJDUMP_SECONDS or writes more than OBJDUMP_OUTPUT. Its output is input like any other: lines
 * that are no instruction are skipped. Both GNU's and LLVM's form are read:
 *
 *	     100:\te8 fb 00 00 00       \tcall   200 <sample>		GNU
 *	     100: e8 fb 00 00 00        \tcallq\t0x200 <sample>		LLVM
 */
#ifndef WSNTOP_SOURCE_OBJDUMP_H
#define WSNTOP_SOURCE_OBJDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/image/image.h"
#include "core/source/branch.h"

#define OBJDUMP_SECONDS 10
#define OBJDUMP_OUTPUT (16u << 20)
#define OBJDUMP_LINE 512		/* bytes of a line that are looked at */
#define OBJDUMP_MAX 200000		/* instructions kept */
#define OBJDUMP_WHOLE UINT32_MAX
#define OBJDUMP_RANGES 8		/* of a function: parts beyond are left out */

/* One instruction. */
struct instruction {
	uint64_t address;
	/* Offset of its text in listing.text: NUL-terminated, bytes as they came. */
	uint32_t text;
	uint8_t size;			/* bytes of code */
	uint8_t branch;			/* enum branch_kind */
	uint64_t target;		/* of a branch */
};

struct listing {
	struct instruction *v;
	size_t count, cap;
	struct buf text;
	/* private: the line that is coming */
	char line[OBJDUMP_LINE];
	size_t length;
	bool sorted;
};

void listing_release(struct listing *l);	/* one that is all zero holds nothing */

/* Some of the output; the end of it, with a last line that has no newline. */
void listing_feed(struct listing *l, const char *data, size_t n);
void listing_end(struct listing *l);		/* and by address from now on */

const char *listing_text(const struct listing *l, size_t i);
/* The instruction that contains an address, SIZE_MAX: none. After listing_end. */
size_t listing_find(const struct listing *l, uint64_t address);
/* The instruction that one jumps to; SIZE_MAX: it does not jump, or out of the function. */
size_t listing_jump(const struct listing *l, size_t i);

/* The disassemblers that know a machine (image_machine), the best first; ends with NULL. */
const char *const *objdump_names(const char *machine);

struct objdump;

/*
 * Begin: a function of an image, or OBJDUMP_WHOLE: all of its code. NULL with the sentence where
 * there is no disassembler (it names those that were looked for), or it could not be started.
 */
struct objdump *objdump_start(const struct image *im, uint32_t function, struct err *err);
void objdump_free(struct objdump *o);		/* its child goes with it; NULL is fine */

int objdump_fd(const struct objdump *o);	/* to poll; -1: done */
/* Read the output so far. True when done: `listing` is complete. Call it once a second at least. */
bool objdump_service(struct objdump *o, uint64_t now);

const struct listing *objdump_listing(const struct objdump *o);
const char *objdump_tool(const struct objdump *o);	/* its path */
const char *objdump_trouble(const struct objdump *o);	/* the error; "" none */

#endif
