/*
 * stabs: detects debug information in STABS, which is not supported.
 */
#ifndef WSNTOP_IMAGE_STABS_H
#define WSNTOP_IMAGE_STABS_H

#include <stdbool.h>

#include "core/image/elf.h"

/*
 * Does STABS describe functions? An assembler's lines alone (avr-gcc -ggdb on a .S file) hide
 * nothing; and the start-up code may have DWARF as well. An entry has 12 bytes, its type is the
 * fifth.
 */
bool stabs_has_functions(const struct elf *e);

#endif
