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

#include "core/image/calib/calib.h"

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
	CALIB_UPPER = 4096,	/* the upper half of `writes` becomes `value` */
	CALIB_IT = 8192,	/* the next `value` instructions are done or not */
	CALIB_MAYBE = 16384,	/* one of those */
};

#define CALIB_REGISTERS 33		/* and the flags */
#define CALIB_FLAGS (UINT64_C(1) << 32)	/* the status register, behind the registers' bits */

struct calib_insn {
	uint16_t traits;
	uint8_t size;			/* bytes */
	uint8_t cycles, more;		/* `more`, when a branch is taken */
	uint8_t each;			/* of `cycles`: for each register saved or restored */
	uint64_t reads, writes, kills;	/* registers; killed: nothing of the old value is left */
	uint64_t target;
	uint32_t value;
};

/* What an instruction does with the flags: sets all that matter, some, reads them, both. */
enum calib_flags { FLAGS_NONE, FLAGS_SETS, FLAGS_SOME, FLAGS_READS, FLAGS_BOTH };

void calib_flags_use(enum calib_flags flags, struct calib_insn *in);

/* Of one instruction set. */
struct calib_machine {
	/* What is at `at`, at least 2 bytes of code before the `left` ones are over. */
	void (*decode)(const struct calib_code *c, uint64_t at, uint64_t left,
		       struct calib_insn *in);
	/* A return that is left when the exit hook is jumped to; `saved`: registers are restored */
	double (*return_cycles)(const struct calib_code *c, bool saved);
	uint64_t saved;			/* registers that a function must restore */
	uint64_t scratch;		/* that it may use freely */
	uint64_t arguments;		/* of any call */
	uint64_t results;
	uint64_t hooks;			/* of the hooks */
	uint64_t callee;		/* their first */
	uint64_t pointers;		/* saved ones that may hold an address to load from */
	/* the return address, and one instruction saves many; 0: AVR, whose stack has it */
	uint64_t link;
};

extern const struct calib_machine calib_avr, calib_thumb;

/*
 * In the loop in which the runtime measures itself (target-cortexm/wsnprof_port.c): cycles of a
 * hook's call with its arguments; of all that is not the hooks.
 */
double calib_thumb_call(enum calib_core core);
double calib_thumb_loop(enum calib_core core);

#endif
