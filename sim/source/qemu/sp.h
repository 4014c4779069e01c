/*
 * sp: the stack pointer of a Cortex-M in QEMU, for a plugin that is told of no registers.
 *
 * Instructions that move it by a constant (push, pop, sub sp, vpush ..) are found when they are
 * translated, and QEMU adds their constants to a number of ours as they run: no callback. Where it
 * changes otherwise (mov sp, msr, sub by a register, within an IT block, an exception) it is read
 * at the next straight run, where QEMU holds the registers in memory: by the function that its own
 * gdb stub reads them with. That is no part of the plugins' interface; where the program does not
 * export it, nothing is known of the stack.
 */
#ifndef WSNTOP_SIM_SOURCE_QEMU_SP_H
#define WSNTOP_SIM_SOURCE_QEMU_SP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sp_move {
	SP_STAYS,
	SP_MOVES,			/* by *delta */
	SP_CHANGES,			/* nobody knows by how much */
};

/* What a Thumb instruction of 2 or 4 bytes does to it. */
enum sp_move sp_move_of(const uint8_t *code, size_t size, int32_t *delta);

/* Instructions behind an IT, itself not counted, that are conditional; 0: it is none. */
unsigned sp_conditional(const uint8_t *code, size_t size);

bool sp_readable(void);
uint32_t sp_read(void);			/* only where a straight run begins */
/*
 * Where a handler begins: what it was before the exception. False: the handler runs on another
 * stack.
 */
bool sp_exception(uint32_t sp, uint32_t *before);

#endif
