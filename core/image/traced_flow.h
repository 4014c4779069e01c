/*
 * traced_flow: the programs of functions that a trace by control flow tells (docs/PROTOCOL.md, 9
 * and 10), from the section .wsntrace_flow, which is not loaded. Records of 12 bytes, in the byte
 * order of the chip's data:
 *
 *	u8 kind		below
 *	u8 arg		BRANCH: the bit that goes to `to`; another goes on behind it
 *	u16 to		FUNCTION: operations that follow; BRANCH, JUMP: which of them, from 0 on;
 *			SWITCH: jumps that follow
 *	u32 address	FUNCTION: its own; CALL: the callee's second entry; SWITCH: the table's
 *	u32 behind	CALL, OUT: the return address, in bytes; 0: a jump
 *
 * A function whose records contradict themselves has no program.
 */
#ifndef WSNTOP_IMAGE_TRACED_FLOW_H
#define WSNTOP_IMAGE_TRACED_FLOW_H

#include "core/image/traced.h"

enum traced_op_kind {
	TRACED_OP_FUNCTION,
	TRACED_OP_CALL,			/* of a function that may be followed; else as OUT */
	TRACED_OP_OUT,			/* of others */
	TRACED_OP_BRANCH,
	TRACED_OP_JUMP,
	TRACED_OP_SWITCH,
	TRACED_OP_CLOSE,		/* the call returns */
	TRACED_OP_END,			/* its caller goes on */
	TRACED_OP_STOP,			/* nothing is known to follow */
	TRACED_OP_TICK,			/* a bit without meaning */
	TRACED_OP_KINDS,
};

#define TRACED_NO_PROGRAM UINT32_MAX

/* Of an ELF's sections; t->count is known. Nothing where it has none. */
void traced_flow_read(struct traced *t, const struct elf *e, const uint8_t *map, uint64_t map_size,
		      const uint8_t *flow, uint64_t size);

/* Its first operation. */
uint32_t traced_program(const struct traced *t, uint32_t id);
/* Where a call goes on, by its return address; NULL: none does there. */
const struct traced_place *traced_place(const struct traced *t, uint32_t address);

#endif
