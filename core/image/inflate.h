/*
 * inflate: the bytes of a compressed section (gABI, "Section Compression"; zlib's alone:
 * Zstandard's is not read). The section claims its own size, so that the caller says what it may
 * be.
 */
#ifndef WSNTOP_IMAGE_INFLATE_H
#define WSNTOP_IMAGE_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/image/elf.h"

/*
 * Followed by `pad` zero bytes, for mem_free(). NULL: it is more than `most` bytes, not compressed
 * so, damaged, or memory is out.
 */
uint8_t *inflate_section(const struct elf *e, const struct elf_section *s, size_t pad,
			 uint64_t most, uint64_t *size);

#endif
