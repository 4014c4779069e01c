/* wsnprof_identity: the build-id, or Fletcher's sums over the program, a slice at a time. */
#include "wsnprof_node.h"

#if WSNPROF_IDENTITY && !defined(WSNPROF_ASSEMBLY)

#ifndef WSNPROF_NOTE		/* a port's 0: the checksum alone */
#define WSNPROF_NOTE 1
#endif

/*
 * The note that `ld --build-id` writes, if the linker script keeps it and defines this symbol: four
 * words, the id.
 */
extern const uint32_t wsnprof_build_id[] __attribute__((weak));

enum {
	SLICE = 4096,		/* bytes */
	NOTE_HEADER = 4,	/* words */
	NOTE_BUILD_ID = 3,
	NOTE_GNU = 0x554e47,	/* "GNU" */
};

/* Without --build-id the symbol stands before other bytes, at any address. */
WSNPROF_INLINE bool has_build_id(void)
{
	const uint32_t *note = wsnprof_build_id;

	return note && !((uintptr_t)note & 3) && note[0] == 4 &&
	       note[1] >= WSNPROF_IDENTITY_BYTES && note[2] == NOTE_BUILD_ID &&
	       note[3] == NOTE_GNU;
}

/* Of `whole` bytes the words from `length` on, at most a slice. There is one. */
WSNPROF_INLINE void slice_sum(struct wsnprof_identity *id, wsnprof_flash_address start,
			      wsnprof_flash_address whole)
{
	wsnprof_flash_address length = id->length;
	wsnprof_flash_address end = whole - length > SLICE ? length + SLICE : whole;
	uint16_t a = id->a;
	uint16_t b = id->b;

	do {
		a += wsnprof_flash_word(start + length);
		b += a;
		length += 2;
	} while (length < end);
	if (length >= whole)
		id->kind = WSNPROF_IDENTITY_SUM;
	id->start = start;
	id->length = length;
	id->a = a;
	id->b = b;
}

bool wsnprof_identity_step(void)
{
	struct wsnprof_identity *id = &wsnprof_identity;
	wsnprof_flash_address start = WSNPROF_FLASH_START;
	wsnprof_flash_address end = WSNPROF_FLASH_END;

	if (WSNPROF_NOTE && has_build_id()) {
		wsnprof_copy(&id->start, wsnprof_build_id + NOTE_HEADER, WSNPROF_IDENTITY_BYTES);
		id->kind = WSNPROF_IDENTITY_BUILD_ID;
	} else if (end > start) {
		slice_sum(id, start, end - start);
	} else {
		return false;
	}
	if (id->kind != WSNPROF_IDENTITY_NONE)
		wsnprof_refresh();
	return true;
}

#endif
