/*
 * codemap: what a decoder needs to know of the firmware's code, in a form that costs one load.
 *
 * One byte of flags for every 2 bytes of code (all four architectures align instructions to 2).
 * core/image makes it, core/wire reads it: plausibility of addresses, resynchronisation, lost bits.
 */
#ifndef WSNTOP_WIRE_CODEMAP_H
#define WSNTOP_WIRE_CODEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CODE_TEXT = 1,		/* lies in executable code */
	CODE_ENTRY = 2,		/* a function starts here */
	CODE_EARLY = 4,		/* in a function's first 16 bytes: a profiling prologue's place */
	CODE_RETURN = 8,	/* the instruction before is a call: a return address */
	CODE_SLEEP = 16,	/* this instruction halts the processor until an interrupt */
};

/* A place of wsnprof_mark(n) (core/image/marks.h). */
struct code_mark {
	uint32_t address;
	uint16_t number;
};

enum code_arch { CODE_UNKNOWN, CODE_AVR, CODE_ARM, CODE_MSP430, CODE_RISCV, CODE_HOST };

struct codemap {
	enum code_arch arch;
	uint64_t base;		/* address of flags[0]; even */
	uint64_t size;		/* bytes of code covered: flags has (size + 1) / 2 entries */
	const uint8_t *flags;

	/*
	 * Where the call before return address `ret` goes, or CODE_NO_TARGET when that is no direct
	 * call (indirect, or none). `ctx` is the image's.
	 */
	uint64_t (*target)(const void *ctx, uint64_t ret);

	/*
	 * Where an address leads when a linker's veneer or trampoline stands there; else itself.
	 * May be NULL.
	 */
	uint64_t (*normal)(const void *ctx, uint64_t address);
	const void *ctx;

	const struct code_mark *marks;	/* by address */
	size_t mark_count;

	/*
	 * Where the handlers of the vector table begin, by the number of its word; 0: there is
	 * none. Words below `faults` are the reset's and the faults'.
	 */
	const uint32_t *handlers;
	uint16_t handler_count, faults;
};

#define CODE_NO_TARGET UINT64_MAX

/* Flags of a byte address (bit 0, ARM's Thumb bit, is ignored); 0 outside the code. */
static inline unsigned code_flags(const struct codemap *m, uint64_t address)
{
	uint64_t off = address - m->base;

	return off < m->size ? m->flags[off >> 1] : 0;
}

#endif
