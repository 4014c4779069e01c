/*
 * wsnprof_flash: what an AVR does its own way for the portable half (wsnprof_send.h): constants
 * that stay in flash, inner loops in assembly. wsnprof_port.h includes it.
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

/*
 * The identity's checksum is over all from the vectors to the end of .data's image, a whole number
 * of words.
 */
#define WSNPROF_FLASH_START 0

#define WSNPROF_FLASH_WORD
#if FLASHEND > 0xffff
typedef uint32_t wsnprof_flash_address;
#else
typedef uint16_t wsnprof_flash_address;
#endif

#endif
