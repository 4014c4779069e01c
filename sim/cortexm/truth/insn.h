/*
 * insn: an instruction of the firmware: what it does to the flow of control, and how often it ran.
 */
#ifndef TRUTH_INSN_H
#define TRUTH_INSN_H

#include "image.h"

enum flow {
	FLOW_ON,		/* the next instruction is next */
	FLOW_CALL,		/* bl, blx */
	FLOW_BRANCH,		/* b, b<cond>, cbz: a fixed target */
	FLOW_JUMP,		/* mov pc, tbb, ...: a target from a register */
	FLOW_BX,		/* bx rN: likewise; v6-M's return from handlers that switch */
	FLOW_RETURN,		/* bx lr, pop {pc}: a return, as far as one can see */
};

struct insn {
	uint32_t address;
	uint32_t end;
	struct function *function;	/* or NULL */
	enum flow flow;
	uint16_t code;			/* its first halfword */
	uint64_t count;			/* times it ran */
	uint64_t told;			/* count as sim/source/qemu told it */
	uint64_t paused;		/* of these, while profiling was off */
	uint64_t mark;			/* count at the last change between on and off */
	int32_t reach;			/* of a run that begins here (sim/source/qemu): bytes, not
					 * above 0, that it takes the stack pointer down to */
};

/*
 * The instruction at an address, made at its first translation. `before`: the one in front of it,
 * or NULL: a `bx` of what that loads from the text goes to one place, as `b` does.
 */
struct insn *insn_at(const struct image *image, uint32_t address, const uint8_t *code, size_t size,
		     const struct insn *before);

/* Call `each` with all instructions there are, in no order. */
void insn_each(void (*each)(struct insn *insn, void *user), void *user);

/* strb, whatever its address is made of. */
bool insn_stores_byte(const struct insn *insn);

static inline bool insn_begins_function(const struct insn *insn)
{
	return insn->function && insn->function->address == insn->address;
}

#endif
