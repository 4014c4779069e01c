/*
 * branch: where an instruction of a disassembler's listing goes, from its text.
 *
 *	brne	.-8      	; 0x128 <main+0x4>	AVR: behind the instruction
 *	b.n	1234 <f+0x10>				GNU, most machines: hex without 0x
 *	cbz	r0, 0x1234 <f+0x10>			LLVM
 *	jnz	$-6      	;abs 0x4412		MSP430: from the instruction's own place
 *
 * The text is input like any other: what is not understood is no branch.
 */
#ifndef WSNTOP_SOURCE_BRANCH_H
#define WSNTOP_SOURCE_BRANCH_H

#include <stdint.h>

enum branch_kind {
	BRANCH_NONE,			/* none, or to a place that its text does not tell */
	BRANCH_JUMP,			/* conditional or not */
	BRANCH_CALL,
};

/* Of the instruction of `size` bytes at `address`; *target is set unless it is BRANCH_NONE. */
enum branch_kind branch_read(const char *text, uint64_t address, unsigned size, uint64_t *target);

#endif
