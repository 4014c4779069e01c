/*
 * wsnprof_send: the interface of the chip's half, which counts, and the portable half, which sends.
 * For the runtime's own files.
 *
 * wsnprof_port.h of a chip must define:
 *
 *	WSNPROF_INLINE			static inline, always, not instrumented
 *	wsnprof_mask			an integer type: what wsnprof_lock() returns
 *	wsnprof_lock(), _unlock(mask)	interrupts off; as they were. Nest. Inline
 *	WSNPROF_WAS_LOCKED(mask)	interrupts were off before wsnprof_lock()
 *	wsnprof_pace()			uint16_t, callable from main: a clock of 20 to 1,000 counts
 *					a second that wraps at 2^16, any resolution. It paces the
 *					refreshes; nothing is measured with it
 *	WSNPROF_PACE_NUM, _DEN		its counts a second are NUM / DEN (integers below 2^32)
 *	WSNPROF_TABLES(X)		the tables, in slots:
 *					X(WSNPROF_TYPE_SITES, WSNPROF_SITES) X(...)
 *	WSNPROF_ROW_SIZE		bytes of the longest row, without skip
 *	WSNPROF_ARCH, _UNIT, _BASE	HELLO's fields; constants
 *	WSNPROF_FEATURES		all but RECEIVE and RUNNING
 *	WSNPROF_BUCKET_BYTE		HELLO's histogram byte; 0 without one
 *	WSNPROF_TICKS_PER_SECOND
 *	WSNPROF_SPREAD			HELLO's field, a constant; WSNPROF_SPREAD_MEASURED:
 *					wsnprof_spread instead
 *	WSNPROF_FLASH_START, _END	byte addresses of what the identity's checksum covers; any
 *					expression, START even
 *
 * and may define, where flash is not plain memory or another way is faster:
 *
 *	WSNPROF_ROM			attribute of constants that stay in flash
 *	wsnprof_rom_copy(to, from, n)	wsnprof_copy() from there
 *	wsnprof_flash_address		type of such an address; uint32_t
 *	wsnprof_flash_word(address)	the 16-bit little-endian word at a byte address
 *	wsnprof_crc(crc, byte)		a step of CRC-16/IBM-3740
 *	wsnprof_row_seek(type, slot, end, want)
 *					the first slot from `slot` on that wsnprof_row_put() may
 *					want;
 *					`end`: none
 *	WSNPROF_ASSEMBLY		wsnprof_send(), _varint(), _frame_end() and _identity_step()
 *					are the chip's
 *
 * (AVR: target-avr/wsnprof_flash.h and wsnprof_arch.h.)
 */
#ifndef WSNPROF_SEND_H
#define WSNPROF_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "wsnprof.h"
#include "wsnprof_defaults.h"
#include "wsnprof_protocol.h"
#ifdef WSNPROF_PORT		/* the port's header under another name */
#include WSNPROF_PORT
#else
#include "wsnprof_port.h"
#endif

#ifndef WSNPROF_ROW_SIZE
#error "wsnprof_port.h: WSNPROF_ROW_SIZE, the bytes of the longest row"
#endif

/*
 * `p` points to a struct. This hides its value from the compiler, so that AVR's addresses the
 * members relative to a register (2 bytes an access) and not each by its own address (4).
 */
#ifdef __AVR__
#define WSNPROF_NEAR(p) __asm__("" : "+b" (p))
#else
#define WSNPROF_NEAR(p) ((void)0)
#endif

/*
 * Copies 1 to 255 bytes. It must not call the library's memcpy(): an application may have wrapped
 * that, and the profiler would profile itself. The empty statement prevents the compiler from
 * turning the loop into such a call.
 */
WSNPROF_INLINE void wsnprof_copy(void *to, const void *from, uint8_t n)
{
	uint8_t *p = (uint8_t *)to;
	const uint8_t *q = (const uint8_t *)from;

	do {
		*p++ = *q++;
		__asm__ volatile("");
	} while (--n);
}

#ifndef WSNPROF_ROM
#define WSNPROF_ROM
#define wsnprof_rom_copy wsnprof_copy
#endif

#ifndef wsnprof_crc
WSNPROF_INLINE uint16_t wsnprof_crc(uint16_t crc, uint8_t byte)
{
	uint8_t x = (uint8_t)(crc >> 8 ^ byte);

	x ^= x >> 4;
	return (uint16_t)(crc << 8 ^ x << 12 ^ x << 5 ^ x);
}
#endif

#ifndef WSNPROF_FLASH_WORD
typedef uintptr_t wsnprof_flash_address;
#define wsnprof_flash_word(address) (*(const uint16_t *)(address))
#endif

#include "wsnprof_layout.h"

#ifndef wsnprof_row_seek
#define wsnprof_row_seek(type, slot, end, want) (slot)
#endif

/* What a pass over the tables looks for. */
enum wsnprof_want {
	WSNPROF_WANT_HOT = 0,	/* changed much since it was sent */
	WSNPROF_WANT_DIRTY = 1,	/* changed since it was sent */
	WSNPROF_WANT_ANY = 3,	/* is in use */
};

/* --- the chip's half ----------------------------------------------------------------------- */

/*
 * Clock and sampler on, own cost measured. Tables may hold anything after it: wsnprof_rows_clear()
 * follows.
 */
void wsnprof_port_init(void) WSNPROF_QUIET;

/* Count, count no more. Called when it changes only; main program. */
void wsnprof_port_start(void) WSNPROF_QUIET;
void wsnprof_port_stop(void) WSNPROF_QUIET;

/*
 * STATUS, fields 0 and 1: ticks profiled since the last wsnprof_rows_clear(), low and high; into
 * wsnprof_counts.
 */
void wsnprof_port_run(uint32_t run[2]) WSNPROF_QUIET;

/*
 * Empty all tables, the run's ticks too (reset; profiling is stopped); with WSNPROF_ASSEMBLY
 * wsnprof_counts, too, which is the chip's then. Else it is cleared by us.
 */
void wsnprof_rows_clear(void) WSNPROF_QUIET;

/*
 * If the row in `slot` of table `type` is wanted, encode it at p (without skip), mark it as sent,
 * and return the end; else NULL. It locks by itself, for no longer than the copy takes. An unwanted
 * slot should take little time: most are.
 */
uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p) WSNPROF_QUIET;

/*
 * wsnprof_poll() but for its taking itself out of the time (WSNPROF_ASIDE). With WSNPROF_ASSEMBLY
 * the chip has wsnprof_poll(); else these two around it: the time from _begin() to _end() is in no
 * duration and not in the run, but in STATUS' poll. Start and stop may be between.
 */
bool wsnprof_poll_step(void) WSNPROF_QUIET;
#ifndef WSNPROF_ASSEMBLY
uint32_t wsnprof_poll_begin(void) WSNPROF_QUIET;
void wsnprof_poll_end(uint32_t since) WSNPROF_QUIET;
#endif

/* HELLO's fields, sixteenths of a tick; measured by wsnprof_port_init(). */
extern uint16_t wsnprof_cost;
extern int16_t wsnprof_skew;
#ifdef WSNPROF_SPREAD_MEASURED
extern uint16_t wsnprof_spread;
#endif

#if WSNPROF_PCS > 0
/* PC samples a second, as HELLO has them. The command HZ sets another rate; 0: none. */
extern uint16_t wsnprof_hz;
void wsnprof_port_hz(uint16_t hz) WSNPROF_QUIET;
#endif

#if WSNPROF_TEXT
/* A row for the text report: byte addresses, running totals. False: the slot is empty. */
struct wsnprof_text_row {
	uint32_t from, to;
	uint32_t calls;
	uint32_t total;
	uint32_t min, max;		/* ticks, skew and all */
};
bool wsnprof_row_get(uint16_t slot, struct wsnprof_text_row *row) WSNPROF_QUIET;
#endif

/* --- the portable half --------------------------------------------------------------------- */

/* LEB128; the end. */
uint8_t *wsnprof_varint(uint8_t *p, uint32_t v) WSNPROF_QUIET;

/*
 * A frame, built in place (wsnprof_ring.h). Begin: where its body starts, or NULL: the one before
 * is still going out, or it is the sender's turn. At most WSNPROF_BODY_END - WSNPROF_HEAD bytes.
 * End: it is sent; that cannot fail. Main program only; between begin and end nothing else may
 * send.
 *
 *	uint8_t *p = wsnprof_frame_begin();
 *
 *	if (p) {
 *		p = wsnprof_varint(p, ...);
 *		wsnprof_frame_end(WSNPROF_CLOSED_ARCS, p);
 *	}
 */
uint8_t *wsnprof_frame_begin(void) WSNPROF_QUIET;
void wsnprof_frame_end(uint8_t type, uint8_t *end) WSNPROF_QUIET;

/* STATUS' fields. */
extern struct wsnprof_counts wsnprof_counts;

extern uint16_t wsnprof_epoch;

#endif
