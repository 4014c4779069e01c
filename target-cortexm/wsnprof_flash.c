/* wsnprof_flash: where the program ends in flash, by the names of the usual linker scripts. */
#include <stdint.h>

#include "wsnprof_port.h"

#if WSNPROF_FLASH_FIND

/* All weak: what a script does not define is 0. */
#define NAMES(X) \
	X(_sidata, _sdata, _edata)			/* STM32Cube */ \
	X(__etext, __data_start__, __data_end__)	/* CMSIS, nRF5 SDK, Arduino */ \
	X(_data_loadaddr, _data, _edata)		/* libopencm3 */ \
	X(_etext, _srelocate, _erelocate)		/* RIOT, SAM */ \
	X(__rom_region_end, wsnprof_none, wsnprof_none)	/* Zephyr */ \
	X(__flash_binary_end, wsnprof_none, wsnprof_none)	/* Pico */ \
	X(etext, wsnprof_none, wsnprof_none)

#define DECLARE(image, start, end) extern const char image[], start[], end[];
NAMES(DECLARE)
#pragma weak _sidata
#pragma weak _sdata
#pragma weak _edata
#pragma weak __etext
#pragma weak __data_start__
#pragma weak __data_end__
#pragma weak _data_loadaddr
#pragma weak _data
#pragma weak _etext
#pragma weak _srelocate
#pragma weak _erelocate
#pragma weak __rom_region_end
#pragma weak __flash_binary_end
#pragma weak etext
#pragma weak wsnprof_none

/* Where .data's image lies behind the code, and .data itself, whose length it has. */
static const struct {
	const char *image, *start, *end;
} names[] = {
#define ROW(image, start, end) { image, start, end },
	NAMES(ROW)
};

/* 0: none of them. */
uint32_t wsnprof_flash_end(void)
{
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].image) {
			uint32_t bytes = (uint32_t)(names[i].end - names[i].start);

			return ((uint32_t)names[i].image + bytes) & ~1u;
		}
	}
	return 0;
}
#endif
