/*
 * call: decodes calls, per architecture.
 *
 * Each even offset is decoded independently, so data between functions cannot misalign the
 * decoder. An operand that happens to look like a call adds a false return address; it never hides
 * a true one.
 */
#ifndef WSNTOP_IMAGE_CALL_H
#define WSNTOP_IMAGE_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/bits.h"
#include "core/image/elf.h"

struct call {
	uint8_t size;			/* bytes until the return address; 0: no call here */
	uint64_t target;		/* CODE_NO_TARGET: indirect */
};

/* Input of a call decoder: `left` bytes of code from `at` on. */
struct call_site {
	const struct elf *elf;
	const uint8_t *bytes;
	uint64_t at, left;
	char mode;			/* ARM: 'a' or 't' */
};

/* The 16 bits at an offset in `bytes`, in the code's byte order. */
static inline uint16_t call_half(const struct call_site *site, unsigned at)
{
	return bits_load16(site->bytes + at, site->elf->big_code);
}

struct call call_decode(const struct call_site *site);

/*
 * The longest call, so where to start looking before a return address; and the step of that search.
 */
unsigned call_longest(const struct elf *e);
unsigned call_step(const struct elf *e);

/*
 * AVR: where the JMP at an address goes, or CODE_NO_TARGET: trampolines consist of one.
 */
uint64_t call_avr_jump(const struct elf *e, uint64_t at);

/*
 * Where AVR's RCALL or RJMP `op` goes: 4 KB each way, and around the end of the flash in chips that
 * have no more than that.
 */
uint64_t call_avr_relative(const struct call_site *site, uint16_t op);

/* Where Thumb's BL, BLX or B.W of the halfwords `op` and `low` goes, before any alignment. */
uint64_t call_thumb_relative(const struct call_site *site, uint16_t op, uint16_t low);

#endif
