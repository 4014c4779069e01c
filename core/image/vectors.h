/*
 * vectors: the vector table of a Cortex-M image (ARMv7-M Architecture Reference Manual, DDI 0403,
 * B1.5.3): the first stack pointer, the reset vector, then handlers; 0 where there is none.
 *
 * It is at the beginning of a section: where the flash begins, or of the table's own. A table of
 * pointers among data may look like one: the reset vector is the ELF's entry, or the section is the
 * first, or its name says what it is.
 */
#ifndef WSNTOP_IMAGE_VECTORS_H
#define WSNTOP_IMAGE_VECTORS_H

#include "core/image/elf.h"

#define VECTORS_MAX 512

/* The number of the first word behind the faults: then SVCall, PendSV, SysTick, interrupts. */
#define VECTORS_FIRST 8

/*
 * Addresses of the table's handlers by their number, without the Thumb bit, 0 none; how many words
 * it has, and where it begins (`at`). 0: there is no table. Words behind it may look like more of
 * it: they are functions' addresses all the same, or the table ends.
 */
size_t vectors_read(const struct elf *e, uint32_t handler[VECTORS_MAX], uint64_t *at);

/*
 * Where a handler is said to be whose address is not known: no code is there on any Cortex-M. What
 * such a place is called, as the manuals do ("SysTick", "IRQ 5"); false: it is none.
 */
uint32_t vectors_place(unsigned number);
bool vectors_is_place(uint64_t address);
bool vectors_place_name(uint64_t address, char *dst, size_t size);

#endif
