/*
 * wsnprof_send: between the chip's half, which counts, and the portable half, which sends.
 * For the runtime's own files.
 *
 * What wsnprof_port.h of a chip must give:
 *
 *	WSNPROF_INLINE			static inline, always, not instrumented
 *	wsnprof_mask			an integer type: what wsnprof_lock() returns
 *	wsnprof_lock(), _unlock(mask)	interrupts off; as they were. Nest. Inline
 *	wsnprof_pace()			uint16_t, callable from main: a clock of 20 to 1,000 counts a second that wraps
 *					at 2^16, any resolution. It paces the refreshes; nothing is measured with it
 *	WSNPROF_PACE_NUM, _DEN		its counts a second are NUM / DEN (integers below 2^32)
 *	WSNPROF_TABLES(X)		the tables, in slots: X(WSNPROF_TYPE_SITES, WSNPROF_SITES) X(...)
 *	WSNPROF_ROW_SIZE		bytes of the longest row, without skip
 *	WSNPROF_ARCH, _UNIT, _BASE	HELLO's fields; constants
 *	WSNPROF_FEATURES		all but RECEIVE and RUNNING
 *	WSNPROF_BUCKET_BYTE		HELLO's histogram byte; 0 without one
 *	WSNPROF_TICKS_PER_SECOND
 *	WSNPROF_SPREAD			HELLO's field, a constant
 *	WSNPROF_FLASH_START, _END	byte addresses of what the identity's checksum covers; any expression, START even
 *
 * and may give, where flash is not plain memory or something is quicker:
 *
 *	WSNPROF_ROM			attribute of constants that stay in flash
 *	wsnprof_rom_copy(to, from, n)	memcpy from there
 *	wsnprof_flash_address		type of such an address; uint32_t
 *	wsnprof_flash_word(address)	the 16-bit little-endian word at a byte address
 *	wsnprof_crc(crc, byte)		a step of CRC-16/IBM-3740
 *	WSNPROF_VARINT			wsnprof_varint() is the chip's, in assembly
 *
 * (AVR: target-avr/wsnprof_flash.h gives all these; wsnprof_port.h includes it.)
 */
#ifndef WSNPROF_SEND_H
#define WSNPROF_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "wsnprof.h"
#include "wsnprof_defaults.h"
#include "wsnprof_protocol.h"
#include "wsnprof_port.h"

#ifndef WSNPROF_ROW_SIZE
#error "wsnprof_port.h: WSNPROF_ROW_SIZE, the bytes of the longest row"
#endif

#ifndef WSNPROF_ROM
#define WSNPROF_ROM
#define wsnprof_rom_copy memcpy
#endif

#ifndef WSNPROF_FLASH_WORD
typedef uintptr_t wsnprof_flash_address;
#define wsnprof_flash_word(address) (*(const uint16_t *)(address))
#endif

/*
 * The buffer that a frame is built in: the bytes before the body and behind it are
 * wsnprof_frame_send()'s.
 *
 *	uint8_t frame[WSNPROF_BUFFER];
 *	uint8_t *p = frame + WSNPROF_HEAD;		the body begins
 *	... at most frame + WSNPROF_BODY_END
 */
#define WSNPROF_BUFFER (WSNPROF_FRAME - 1)
#define WSNPROF_HEAD 3
#define WSNPROF_BODY_END (WSNPROF_BUFFER - 3)

enum wsnprof_want {
	WSNPROF_WANT_HOT,	/* changed much since it was sent */
	WSNPROF_WANT_DIRTY,	/* changed since it was sent */
	WSNPROF_WANT_ANY,	/* is in use */
};

/* --- the chip's half ----------------------------------------------------------------------- */

/* Clock and sampler on, own cost measured. Tables may hold anything after it: wsnprof_rows_clear() follows. */
void wsnprof_port_init(void) WSNPROF_QUIET;

/* Count, count no more. Called when it changes only; main program. */
void wsnprof_port_start(void) WSNPROF_QUIET;
void wsnprof_port_stop(void) WSNPROF_QUIET;

/* STATUS, fields 0 and 1: ticks profiled since the last wsnprof_rows_clear(), low and high. */
void wsnprof_port_run(uint32_t run[2]) WSNPROF_QUIET;

/* Empty all tables, the run's ticks too (reset; profiling is stopped). wsnprof_counts is cleared by us. */
void wsnprof_rows_clear(void) WSNPROF_QUIET;

/*
 * If the row in `slot` of table `type` is what is wanted, encode it at p (without skip), mark it as
 * sent, and return the end; else NULL. Takes its own lock, no longer than the copy. An unwanted slot
 * should be quick: most are.
 */
uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p) WSNPROF_QUIET;

/* HELLO's fields, sixteenths of a tick; measured by wsnprof_port_init(). */
extern uint16_t wsnprof_cost;
extern int16_t wsnprof_skew;

#if WSNPROF_PCS > 0
/* PC samples a second, as HELLO tells them. HZ asks for another rate; 0: none. */
extern uint16_t wsnprof_hz;
void wsnprof_port_hz(uint16_t hz) WSNPROF_QUIET;
#endif

#if WSNPROF_TEXT
/* A row for the text report: byte addresses, running totals. False: the slot is empty. */
struct wsnprof_text_row {
	uint32_t from, to;
	uint32_t calls;
	uint32_t total;
	uint32_t min, max;
};
bool wsnprof_row_get(uint16_t slot, struct wsnprof_text_row *row) WSNPROF_QUIET;
#endif

/* --- the portable half --------------------------------------------------------------------- */

/* LEB128; the end. */
uint8_t *wsnprof_varint(uint8_t *p, uint32_t v) WSNPROF_QUIET;

#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
/*
 * Send a frame whose body ends at `end`. False: no room in the ring, or another is just being put
 * (a caller in an interrupt hit it) and the caller must do without; nothing was sent and no number taken.
 * Callable from anywhere. The buffer is used up.
 */
bool wsnprof_frame_send(uint8_t type, uint8_t *frame, uint8_t *end) WSNPROF_QUIET;
#endif

/* Counters of STATUS, fields 2 to 13, that the chip's half counts up under its lock. */
struct wsnprof_counts {
	uint32_t isr_low, isr_high;
	uint32_t stack_full;
	uint32_t table_full;
	uint32_t cut;
	uint32_t text;			/* the ring's */
	uint32_t carries;
	uint32_t command;		/* the receiver's */
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	uint32_t arcs_lost, pcs_lost;
	uint32_t arcs_closed, pcs_closed;
#endif
};
extern struct wsnprof_counts wsnprof_counts;

extern uint16_t wsnprof_epoch;

#endif
