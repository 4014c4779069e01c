/*
 * traced: which function an id of a call trace means, and the codes that encodings without a table
 * write (docs/PROTOCOL.md, 10). `wsntop as` writes records into two sections that are not loaded.
 * In .wsntrace_map, for each function that it gave hooks:
 *
 *	u32 address	in bytes; Thumb: bit 0 set
 *	u16 id		1 and up
 *	u8 flags	1: it calls nothing, 2: an interrupt handler, 4: another entry of the same
 *	u8 0
 *
 * In .wsntrace_code, for each code of a function's scope:
 *
 *	u32 address	the function's
 *	u32 to		the address of the function that it calls; 0xffffffff: it returns
 *	u16 bits	the first is bit 0
 *	u8 length	1 to 7
 *	u8 0
 *
 * in the byte order of the chip's data. Names of marks, values and states are the strings in the
 * section .wsntrace_mark, which is not loaded either; an id is the offset of one.
 */
#ifndef WSNTOP_IMAGE_TRACED_H
#define WSNTOP_IMAGE_TRACED_H

#include "core/image/elf.h"

#define TRACED_NONE UINT64_MAX
#define TRACED_RETURN UINT32_MAX
#define TRACED_CALLED 0x80		/* in `flags`: by its second entry, from a program */

struct traced_code {
	uint32_t from, to;		/* ids; to: 0: not followed, or TRACED_RETURN */
	uint16_t bits;
	uint8_t length;
};

/* Of a program (traced_flow.h). */
struct traced_op {
	uint8_t kind, arg;
	uint32_t to;			/* an operation of any function; SWITCH: jumps behind it */
	uint32_t id;			/* CALL: 0: not followed; SWITCH: the first case's byte */
};

struct traced_place {
	uint32_t address;		/* where a call returns to */
	uint32_t op, id;
};

struct traced {
	uint64_t *addresses;		/* by id; TRACED_NONE */
	uint8_t *flags;			/* by id */
	size_t count;
	struct traced_code *codes;	/* by `from` */
	size_t code_count;
	struct traced_op *ops;
	size_t op_count;
	uint32_t *programs;		/* by id: the first operation */
	struct traced_place *places;	/* by address */
	size_t place_count;
	char *marks;
	uint64_t mark_bytes;
};

void traced_read(struct traced *t, const struct elf *e);	/* nothing where it has none */
void traced_release(struct traced *t);

/* So many bytes in the byte order of the chip's data. */
uint32_t traced_number(const struct elf *e, const uint8_t *p, size_t bytes);

/* NULL is a traced without any. */
bool traced_is_leaf(const struct traced *t, uint32_t id);
const char *traced_mark(const struct traced *t, uint32_t id);	/* NULL: it has no name */
const struct traced_code *traced_scope(const struct traced *t, uint32_t id, size_t *count);

#endif
