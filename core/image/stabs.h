/*
 * stabs: whether the debug information is of a kind that is not read here.
 */
#ifndef WSNTOP_IMAGE_STABS_H
#define WSNTOP_IMAGE_STABS_H

#include <stdbool.h>

#include "core/image/elf.h"

/*
 * Does STABS describe functions? An assembler's lines alone (avr-gcc -ggdb on a .S file) hide
 * nothing; and DWARF may stand beside it, the start-up code's. An entry has 12 bytes, its type is
 * the fifth.
 */
bool stabs_has_functions(const struct elf *e);

#endif
