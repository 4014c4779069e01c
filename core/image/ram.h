/*
 * ram: what the sections of an ELF tell of the chip's memory: how much of it a stack has left.
 * Addresses are the processor's: on AVR without the offset that ELFs add to data.
 */
#ifndef WSNTOP_IMAGE_RAM_H
#define WSNTOP_IMAGE_RAM_H

#include "core/image/elf.h"

/* As image_stack_room (image.h). */
int64_t ram_room(const struct elf *e, uint64_t low);

#endif
