/*
 * wsnprof_flash: what an AVR does its own way for the portable half (wsnprof_send.h): constants that
 * stay in flash, the program's own checksum, CRC. wsnprof_port.h includes it.
 */
#ifndef WSNPROF_FLASH_H
#define WSNPROF_FLASH_H

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>
#include <util/crc16.h>

#define WSNPROF_ROM PROGMEM
#define wsnprof_rom_copy memcpy_P

/* The polynomial and the direction are XMODEM's; only the start differs. */
#define wsnprof_crc _crc_xmodem_update

/* From the vectors to the end of .data's image, a whole number of words. */
#define WSNPROF_FLASH_START 0
#define WSNPROF_FLASH_END wsnprof_flash_end()

#define WSNPROF_FLASH_WORD
#if FLASHEND > 0xffff
typedef uint32_t wsnprof_flash_address;
#define wsnprof_flash_word pgm_read_word_far
#else
typedef uint16_t wsnprof_flash_address;
#define wsnprof_flash_word pgm_read_word_near
#endif

/* In assembly, because a C pointer to the symbol has 16 bits. */
static inline __attribute__((always_inline, no_instrument_function))
wsnprof_flash_address wsnprof_flash_end(void)
{
	wsnprof_flash_address end;

	__asm__("ldi %A0, lo8(__data_load_end + 1)\n\t"
		"ldi %B0, hi8(__data_load_end + 1)\n\t"
#if FLASHEND > 0xffff
		"ldi %C0, hlo8(__data_load_end + 1)\n\t"
		"ldi %D0, 0\n\t"
#endif
		"andi %A0, 0xfe"
		: "=d" (end));
	return end;
}

#endif
