/*
 * marks: the places of wsnprof_mark(n) in a firmware (target-common/wsnprof_mark.h): instructions
 * that do nothing. The section .debug_wsnprof_mark, which is not loaded, has 8 bytes for each, in
 * the ELF's byte order: u32 address, u32 number. An inlined function has several of one number.
 */
#ifndef WSNTOP_IMAGE_MARKS_H
#define WSNTOP_IMAGE_MARKS_H

#include "core/image/elf.h"

enum { MARKS_MOST = 4096 };

/* In the order of their addresses, for mem_free(); those that are in no code are left out. */
struct code_mark *marks_read(const struct elf *e, size_t *count);

#endif
