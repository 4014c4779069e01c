/*
 * insn: an instruction as the calibration sees it: how long it takes, which registers it reads and
 * writes, where it leads.
 *
 * Code is hostile: whatever the bytes are, `size` is at least 2, and a decoder looks at no more
 * than `left` of them. What a decoder does not understand is INSN_KEPT: it is the program's own.
 */
#ifndef WSNTOP_IMAGE_CALIB_INSN_H
#define WSNTOP_IMAGE_CALIB_INSN_H

#include <stdbool.h>
#include <stdint.h>

#define CALIB_NOWHERE UINT64_MAX

enum calib_trait {
	CALIB_KEPT = 1,		/* has an effect besides its registers */
	CALIB_CALL = 2,
	CALIB_JUMP = 4,		/* to `target`, or CALIB_NOWHERE: not known */
	CALIB_BRANCH = 8,	/* maybe to `target` */
	CALIB_SKIP = 16,	/* maybe over the next instruction */
	CALIB_RETURN = 32,
	CALIB_SAVE = 64,	/* pushes `reads` */
	CALIB_RESTORE = 128,	/* pops `writes` */
	CALIB_COPY = 256,	/* `writes` becomes `reads` */
	CALIB_CONSTANT = 512,	/* `writes` becomes `value` */
	CALIB_FRAME = 1024,	/* reads the stack pointer */
	CALIB_POINTER = 2048,	/* loads or stores by a register in `reads` */
};

#define CALIB_REGISTERS 33		/* and the flags */
#define CALIB_FLAGS (UINT64_C(1) << 32)	/* the status register, behind the registers' bits */

struct calib_insn {
	uint16_t traits;
	uint8_t size;			/* bytes */
	uint8_t cycles, more;		/* `more`, when a branch is taken */
	uint64_t reads, writes, kills;	/* registers; killed: nothing of the old value is left */
	uint64_t target;
	uint32_t value;
};

/* Of one instruction set. */
struct calib_machine {
	void (*decode)(const uint8_t *bytes, uint64_t at, uint64_t left, bool wide,
		       struct calib_insn *in);
	uint64_t saved;			/* registers that a function must restore */
	uint64_t scratch;		/* that it may use freely */
	uint64_t arguments;		/* of any call */
	uint64_t results;
	uint64_t hooks;			/* of the hooks */
	uint64_t callee;		/* their first */
	uint64_t pointers;		/* saved ones that may hold an address to load from */
};

extern const struct calib_machine calib_avr;

#endif
