#include "core/image/inflate.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>

#include "core/base/bits.h"
#include "core/base/mem.h"

#define AT_ONCE 65536u
#define RATIO_MOST 1032		/* of deflate: 258 bytes of two bits (RFC 1951) */

/*
 * Its header: where the bytes begin, and how many they become. False: not one that is read; more
 * than they can become is refused before there is memory for it.
 */
static bool header_read(const struct elf *e, const struct elf_section *s, uint64_t *head,
			uint64_t *size)
{
	uint8_t h[sizeof(Elf64_Chdr)];

	*head = e->bits == 64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	if (s->size <= *head || !elf_read_at(e->fd, h, *head, s->offset) ||
	    bits_load32(h, e->big_data) != ELFCOMPRESS_ZLIB)
		return false;
	*size = e->bits == 64 ? bits_load(h + offsetof(Elf64_Chdr, ch_size), 8, e->big_data) :
				bits_load32(h + offsetof(Elf32_Chdr, ch_size), e->big_data);
	return *size / RATIO_MOST <= s->size - *head;
}

/* The bytes in [at, end) of the file, which become exactly z->avail_out. */
static bool bytes_inflate(const struct elf *e, uint64_t at, uint64_t end, z_stream *z)
{
	uint8_t in[AT_ONCE];
	int ret = Z_OK;

	while (ret == Z_OK && at < end) {
		size_t n = end - at < AT_ONCE ? (size_t)(end - at) : AT_ONCE;

		if (!elf_read_at(e->fd, in, n, at))
			return false;
		z->next_in = in;
		z->avail_in = (uInt)n;
		ret = inflate(z, Z_NO_FLUSH);
		at += n;
	}
	return ret == Z_STREAM_END && !z->avail_out;
}

uint8_t *inflate_section(const struct elf *e, const struct elf_section *s, size_t pad,
			 uint64_t most, uint64_t *size)
{
	z_stream z = { .avail_in = 0 };
	uint64_t head, whole;
	uint8_t *bytes;
	bool sound;

	if (!header_read(e, s, &head, &whole) || whole > most || whole > UINT32_MAX ||
	    inflateInit(&z) != Z_OK)
		return NULL;
	bytes = mem_alloc((size_t)whole + pad);
	z.next_out = bytes;
	z.avail_out = (uInt)whole;
	sound = bytes && bytes_inflate(e, s->offset + head, s->offset + s->size, &z);
	inflateEnd(&z);
	if (!sound) {
		mem_free(bytes);
		return NULL;
	}
	memset(bytes + whole, 0, pad);
	*size = whole;
	return bytes;
}
