/*
 * frames: how much stack each function's own frame takes, from the call frame information that
 * unwinders use (DWARF 5, 6.4): .debug_frame (AVR, ARM, MSP430) and .eh_frame (RISC-V, hosts).
 *
 * A row of it says how far the stack pointer stands below the canonical frame address: where it
 * stood before the call. So the largest offset of all rows is what the frame takes, with the return
 * address where the call pushes one (AVR: 2 bytes, 3 above 128 KiB of flash; x86: a word). That is
 * the figure of gcc -fstack-usage on AVR and ARM, but for the status bytes that an AVR interrupt
 * handler pushes (SREG, RAMPZ: 1 or 2), of which avr-gcc does not tell. What a function
 * takes beyond a frame pointer (alloca, arguments pushed for a call) is not in it.
 *
 * Only the offsets are read, so there is a reader of its own for them here, each byte of it
 * bounded: libdwarf 20210528 trusts these sections too far to be shown broken ones.
 */
#ifndef WSNTOP_IMAGE_FRAMES_H
#define WSNTOP_IMAGE_FRAMES_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/image/elf.h"
#include "core/image/table.h"

#define FRAME_UNKNOWN (-1)

struct frames {
	int32_t *sizes;			/* by id in the table; FRAME_UNKNOWN */
	size_t count;
};

/* Of the table's functions. 0 or ERR_NOMEM; what is broken is left out. */
int frames_init(struct frames *f, const struct elf *e, const struct table *t,
		const atomic_bool *stop);
void frames_release(struct frames *f);

int32_t frames_size(const struct frames *f, uint32_t id);

#endif
