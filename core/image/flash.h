/*
 * flash: does a chip's flash hold this ELF? What it should hold, in blocks, and a verdict on what
 * was read of it.
 *
 * The blocks come in an order that is spread over the whole ELF, so that the first few see most
 * other builds: what follows a changed function moves. None comes twice.
 *
 *	flash_init(&f, &identity, 1024);
 *	while (flash_next(&f, &block))
 *		... read block.size bytes at block.address ...
 *		flash_take(&f, block.address, bytes, block.size);
 *
 * Left out: what is loaded into RAM, and bytes at the ends of a part that are no whole word.
 */
#ifndef WSNTOP_IMAGE_FLASH_H
#define WSNTOP_IMAGE_FLASH_H

#include "core/image/identity.h"

struct flash_block {
	uint32_t address, size;		/* both a multiple of 4 */
};

struct flash {
	const struct identity *id;	/* borrowed */
	uint32_t block;			/* bytes of a whole one */
	uint64_t blocks, step, given;
	uint64_t total;			/* bytes of all blocks */
	uint64_t compared, code_off, data_off;	/* bytes; off: they differ */
	uint64_t erased;		/* bytes read as 0xff where the ELF has another */
	uint64_t first_off;		/* lowest address of those that differ */
	uint64_t start;			/* lowest address of all */
};

/* `block`: bytes, a multiple of 4. */
void flash_init(struct flash *f, const struct identity *id, uint32_t block);

/* The next one; false: that were all. */
bool flash_next(struct flash *f, struct flash_block *block);

/*
 * What was read there. Bytes that the ELF does not have are left out, and so is the eighth word of
 * a vector table at the start of flash where the ELF has zero: NXP's programmers put a checksum
 * there (LPC17xx user manual UM10360, "Criterion for Valid User Code").
 */
void flash_take(struct flash *f, uint32_t address, const uint8_t *bytes, size_t n);

/*
 * OTHER: code differs. UNSURE: only constants do, which a program may change that keeps settings in
 * its flash. SAME: what was compared is equal. UNKNOWN: nothing was compared.
 */
enum identity_verdict flash_verdict(const struct flash *f);

#endif
