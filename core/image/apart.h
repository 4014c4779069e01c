/*
 * apart: the reading of DWARF in a process of its own, which libdwarf may crash, and a file made to
 * harm may exhaust: that costs what was to be read, nothing else.
 */
#ifndef WSNTOP_IMAGE_APART_H
#define WSNTOP_IMAGE_APART_H

#include "core/base/confined.h"
#include "core/image/elf.h"

/* A job with the limits of a file of that size; work and ctx are the caller's. */
struct confined_job apart_job(const struct elf *e);

#endif
