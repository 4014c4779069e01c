/*
 * frames: how much stack each function's own frame takes, from the call frame information that
 * unwinders use (DWARF 5, 6.4): .debug_frame (AVR, ARM, MSP430) and .eh_frame (RISC-V, hosts).
 *
 * Each row has the distance of the stack pointer from the canonical frame address, its value
 * before the call. So the largest offset of all rows is the size of the frame, with the return
 * address where the call pushes one (AVR: 2 bytes, 3 above 128 KiB of flash; x86: a word). That is
 * the figure of gcc -fstack-usage on AVR and ARM, but for the status bytes that an AVR interrupt
 * handler pushes (SREG, RAMPZ: 1 or 2), which avr-gcc does not describe. Stack used beyond a frame
 * pointer (alloca, arguments pushed for a call) is not included.
 *
 * Only the offsets are read, by a bounded reader of our own: libdwarf 20210528 does not check
 * these sections well enough for broken files.
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

/* Of the table's functions. 0 or ERR_NOMEM; broken entries are left out. */
int frames_init(struct frames *f, const struct elf *e, const struct table *t,
		const atomic_bool *stop);
void frames_release(struct frames *f);

int32_t frames_size(const struct frames *f, uint32_t id);

#endif
