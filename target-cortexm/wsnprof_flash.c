/* wsnprof_flash: where the program begins and ends in flash, by the names of the usual scripts. */
#include <stddef.h>
#include <stdint.h>

#include "wsnprof_port.h"

#define SCB_VTOR (*(const volatile uint32_t *)0xe000ed08)	/* 0 where there is none */

/* No flash is larger than 16 MB, or crosses such a border. */
static bool is_ours(uint32_t address)
{
	return (address ^ (uint32_t)(uintptr_t)wsnprof_image_start) >> 24 == 0;
}

/* The vectors come first. If they are a copy in RAM: where the memory with our code begins. */
uint32_t wsnprof_image_start(void)
{
	uint32_t vectors = SCB_VTOR;

	return is_ours(vectors) ? vectors :
	       (uint32_t)(uintptr_t)wsnprof_image_start & 0xff000000;
}

#if WSNPROF_FLASH_FIND

/* What a script may define for us, before all others' names. */
extern const char wsnprof_flash_end[] __attribute__((weak));

/* ld's own: the size of the section .data, where a script has no names for its start and end. */
extern const char data_bytes[] __asm__(".sizeof..data") __attribute__((weak));

/*
 * Where .data's image lies, and .data itself, whose length it has; names of the image's end. All
 * weak: what a script does not define is 0.
 */
#define IMAGES(X) \
	X(_sidata, _sdata, _edata)			/* STM32Cube */ \
	X(__etext, __data_start__, __data_end__)	/* CMSIS, nRF5 SDK, Arduino */ \
	X(_data_loadaddr, _data, _edata)		/* libopencm3 */ \
	X(_etext, _srelocate, _erelocate)		/* RIOT, SAM */ \
	X(__data_source, __data_start, __data_end)	/* picolibc */
#define ENDS(X) \
	X(_image_end)					/* MCUXpresso */ \
	X(__rom_region_end)				/* Zephyr */ \
	X(__flash_binary_end)				/* Pico */ \
	X(etext)

#define DECLARE(name) extern const char name[];
#define DECLARE_THREE(image, start, end) DECLARE(image) DECLARE(start) DECLARE(end)
IMAGES(DECLARE_THREE)
ENDS(DECLARE)
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
#pragma weak __data_source
#pragma weak __data_start
#pragma weak __data_end
#pragma weak _image_end
#pragma weak __rom_region_end
#pragma weak __flash_binary_end
#pragma weak etext

/* In one array, the ends behind the images. */
static const char *const names[] = {
#define NAME(name) name,
#define NAME_THREE(image, start, end) image, start, end,
	IMAGES(NAME_THREE)
#define COUNT(image, start, end) + 3
	ENDS(NAME)
};

/*
 * The furthest: a script may have `_etext` in the middle, and such a name may mean something else
 * in another one. 0: none.
 */
uint32_t wsnprof_image_end(void)
{
	const char *const *p = names;
	uint32_t most = (uint32_t)(uintptr_t)wsnprof_flash_end;

	while (!wsnprof_flash_end && p != names + sizeof(names) / sizeof(*names)) {
		uint32_t end = (uint32_t)(uintptr_t)p[0];

		if (p < names + (IMAGES(COUNT))) {
			if (end)
				end += (uint32_t)(uintptr_t)(p[1] ? p[2] - (uintptr_t)p[1] :
							     data_bytes);
			p += 2;
		}
		p++;
		if (end > most && is_ours(end))
			most = end;
	}
	return most & ~1u;
}
#endif
