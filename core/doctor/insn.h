/*
 * insn: as much of an instruction as the doctor needs: how long it is, where it goes, and which
 * registers the argument of a hook came from.
 *
 * Code is hostile: whatever the bytes are, `size` is at least 2 and a decoder looks at no more
 * than `left` of them.
 */
#ifndef WSNTOP_DOCTOR_INSN_H
#define WSNTOP_DOCTOR_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/image/call.h"
#include "core/image/elf.h"

enum insn_trait {
	INSN_RETURN = 1,	/* back to the caller, or out of an interrupt */
	INSN_SAVES_LINK = 2,	/* ARM: LR onto the stack */
	INSN_WRITES_LINK = 4,	/* ARM: LR becomes a scratch register */
	INSN_SAVES_FLAGS = 8,	/* AVR: reads SREG, as every handler's prologue does */
	INSN_FLOAT = 16,	/* ARM: touches the floating point registers */
	INSN_UPDATES = 32,	/* also reads the registers that it writes: add, eor, movt */
	INSN_LITERAL = 64,	/* ARM: loads a word placed after the function */
	INSN_ENDS = 128,	/* a jump: the next instruction is not reached from here */
	INSN_STORES = 256,	/* AVR: to `address`, or through the pair `pointer` plus that */
	INSN_CONSTANT = 512,	/* AVR: LDI of `address` */
};

struct insn {
	uint8_t size;			/* bytes: 2 or 4 */
	uint16_t traits;
	uint64_t call, jump;		/* where to; CODE_NO_TARGET: none, or not known */
	uint64_t literal;		/* address of its literal, with INSN_LITERAL */
	uint16_t address;		/* see the traits */
	uint8_t pointer;		/* the lower register; 0: none */
	uint32_t writes, reads;		/* registers, as far as they are understood */
	bool is_call;			/* indirect ones too */
};

/* The machines that are understood; others get their calls alone. */
struct insn insn_decode(const struct call_site *site);
void insn_avr(const struct call_site *site, struct insn *in);
void insn_arm(const struct call_site *site, struct insn *in);

/* Registers that hold a hook's two arguments; 0: not understood. */
uint32_t insn_arguments(const struct elf *e);

#endif
