/* elf_code: the code of an ELF file as elf_open() reads it; elf.h has what others ask of it. */
#ifndef WSNTOP_IMAGE_ELF_CODE_H
#define WSNTOP_IMAGE_ELF_CODE_H

#include <gelf.h>

#include "core/image/elf.h"

enum { MAX_SECTIONS = 100000 };

/* 0, or negative with the sentence. `elf` is e's, open. */
int elf_read_code(struct elf *e, Elf *elf, const char *path, struct err *err);

/* The sentence of a file that ends before `what`. */
int elf_set_truncated(const char *path, const char *what, struct err *err);

#endif
