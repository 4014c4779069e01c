/* wsnprof_identity: the build-id, or Fletcher's sums over the program, a slice at a time. */
#include "wsnprof_node.h"

#ifndef WSNPROF_ASSEMBLY

/*
 * The note that `ld --build-id` writes, if the linker script keeps it and defines this symbol:
 * three words, "GNU", the id.
 */
extern const uint32_t wsnprof_build_id[] __attribute__((weak));

enum {
	SLICE = 4096,		/* bytes */
	NOTE_HEADER = 4,	/* words */
};

/* Words of the program from `length` on, at most a slice. There is one. */
static WSNPROF_QUIET void slice_sum(struct wsnprof_identity *id)
{
	wsnprof_flash_address whole = WSNPROF_FLASH_END - WSNPROF_FLASH_START;
	wsnprof_flash_address length = id->length;
	wsnprof_flash_address end = whole - length > SLICE ? length + SLICE : whole;
	uint16_t a = id->a;
	uint16_t b = id->b;

	do {
		a += wsnprof_flash_word(WSNPROF_FLASH_START + length);
		b += a;
		length += 2;
	} while (length < end);
	if (length >= whole)
		id->kind = WSNPROF_IDENTITY_SUM;
	id->length = length;
	id->a = a;
	id->b = b;
}

bool wsnprof_identity_step(void)
{
	struct wsnprof_identity *id = &wsnprof_identity;

	if (wsnprof_build_id) {
		wsnprof_copy(&id->start, wsnprof_build_id + NOTE_HEADER, WSNPROF_IDENTITY_BYTES);
		id->kind = WSNPROF_IDENTITY_BUILD_ID;
	} else if (WSNPROF_FLASH_END > WSNPROF_FLASH_START) {
		slice_sum(id);
	} else {
		return false;
	}
	if (id->kind != WSNPROF_IDENTITY_NONE)
		wsnprof_refresh();
	return true;
}

#endif
