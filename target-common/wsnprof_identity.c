/* wsnprof_identity: Fletcher's sums over the program, a slice at a time. */
#include <stddef.h>

#include "wsnprof_node.h"

#ifdef WSNPROF_ASSEMBLY

_Static_assert(offsetof(struct wsnprof_identity, length) == 5, "wsnprof_send.S");
_Static_assert(offsetof(struct wsnprof_identity, a) == 9, "wsnprof_send.S");

#else

/* Words a slice: on a slow chip (AVR at 8 MHz) about 0.5 ms, and 128 KB take 512 polls. */
enum { SLICE = 128 };

void wsnprof_identity_step(void)
{
	wsnprof_flash_address address = WSNPROF_FLASH_START + wsnprof_identity.length;
	uint16_t a = wsnprof_identity.a;
	uint16_t b = wsnprof_identity.b;
	uint8_t n = SLICE;

	do {
		a += wsnprof_flash_word(address);
		b += a;
		address += 2;
		if (address == WSNPROF_FLASH_END) {
			wsnprof_identity.kind = WSNPROF_IDENTITY_SUM;
			wsnprof_refresh();
			break;
		}
	} while (--n);
	wsnprof_identity.length = address - WSNPROF_FLASH_START;
	wsnprof_identity.a = a;
	wsnprof_identity.b = b;
}

#endif
