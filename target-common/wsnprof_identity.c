/* wsnprof_identity: the build-id, or Fletcher's sums over the program, a slice at a time. */
#include <stddef.h>
#include <string.h>

#include "wsnprof_node.h"

#ifdef WSNPROF_ASSEMBLY

_Static_assert(offsetof(struct wsnprof_identity, length) == 5, "wsnprof_send.S");
_Static_assert(offsetof(struct wsnprof_identity, a) == 9, "wsnprof_send.S");

#else

/*
 * The note that `ld --build-id` writes, where the linker script keeps it and says so: three words, "GNU",
 * the id.
 */
extern const uint32_t wsnprof_build_id[] __attribute__((weak));

enum {
	SLICE = 128,		/* words */
	NOTE_HEADER = 4,	/* words */
	ID_BYTES = 12,
};

/* Words of the program from `length` on, at most a slice. */
static WSNPROF_QUIET void sum_slice(struct wsnprof_identity *id)
{
	wsnprof_flash_address length = id->length;
	uint16_t a = id->a;
	uint16_t b = id->b;
	uint8_t n = SLICE;

	do {
		a += wsnprof_flash_word(WSNPROF_FLASH_START + length);
		b += a;
		length += 2;
		if (length >= WSNPROF_FLASH_END - WSNPROF_FLASH_START) {
			id->kind = WSNPROF_IDENTITY_SUM;
			break;
		}
	} while (--n);
	id->length = length;
	id->a = a;
	id->b = b;
}

void wsnprof_identity_step(void)
{
	struct wsnprof_identity *id = &wsnprof_identity;

	if (wsnprof_build_id) {
		id->kind = WSNPROF_IDENTITY_BUILD_ID;
		memcpy((uint8_t *)id + offsetof(struct wsnprof_identity, start), wsnprof_build_id + NOTE_HEADER, ID_BYTES);
	} else {
		sum_slice(id);
	}
	if (id->kind != WSNPROF_IDENTITY_NONE)
		wsnprof_refresh();
}

#endif
