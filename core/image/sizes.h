/*
 * sizes: how much flash and RAM a firmware image takes, by its sections, as `size` of binutils
 * counts: code, constants and the initial values of variables in flash; variables in RAM. On AVR
 * the sections beyond 0x810000 (EEPROM, fuses, lock bits) are in neither (avr-libc: Memory
 * Sections).
 */
#ifndef WSNTOP_IMAGE_SIZES_H
#define WSNTOP_IMAGE_SIZES_H

#include <stdint.h>

#include "core/base/err.h"

struct image_sizes {
	uint64_t flash, ram;		/* bytes */
};

/* 0, or negative with the sentence. */
int image_sizes_read(const char *path, struct image_sizes *sizes, struct err *err);

#endif
