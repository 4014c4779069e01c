/*
 * wsnprof_port: Cortex-M's half of what target-common/wsnprof_send.h asks for. For the runtime's
 * own files; wsnprof_cortexm.h is the application's.
 */
#ifndef WSNPROF_PORT_H
#define WSNPROF_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "wsnprof_arch.h"
#include "wsnprof_protocol.h"

/* The hooks save no floating point registers: nothing that they call may use one. */
#if defined(__ARM_FP) && !defined(__clang__)
#pragma GCC target("general-regs-only")
#endif

#define WSNPROF_INLINE static inline __attribute__((always_inline, no_instrument_function))

/* --- interrupts off ------------------------------------------------------------------------ */

typedef uint32_t wsnprof_mask;

WSNPROF_INLINE wsnprof_mask wsnprof_lock(void)
{
	wsnprof_mask mask;

	__asm__ volatile ("mrs %0, primask\n\tcpsid i" : "=r" (mask) : : "memory");
	return mask;
}

#define WSNPROF_WAS_LOCKED(mask) ((mask) & 1)

WSNPROF_INLINE void wsnprof_unlock(wsnprof_mask mask)
{
	__asm__ volatile ("msr primask, %0" : : "r" (mask) : "memory");
}

/* The exception that is being handled, 0 none. */
WSNPROF_INLINE uint32_t wsnprof_exception(void)
{
	uint32_t n;

	__asm__ volatile ("mrs %0, ipsr" : "=r" (n));
	return n;
}

#define WSNPROF_EXCEPTION_SYSTICK 15

/* --- clock --------------------------------------------------------------------------------- */

/* The clock's count as it is: 32 bits, up, or down with WSNPROF_COUNTS_DOWN. */
uint32_t wsnprof_clock(void) __attribute__((no_instrument_function));

/*
 * Pace: ticks, own cost taken back where it is. A count each 2^SHIFT ticks, 20 to 1,000 a second:
 * right from 1.3 MHz to 262 MHz, and for slow timers.
 */
#ifndef WSNPROF_PACE_SHIFT
#if WSNPROF_CLOCK_HZ >= 16000000
#define WSNPROF_PACE_SHIFT 18
#elif WSNPROF_CLOCK_HZ >= 1000000
#define WSNPROF_PACE_SHIFT 14
#else
#define WSNPROF_PACE_SHIFT 10
#endif
#endif
#define WSNPROF_PACE_NUM WSNPROF_CLOCK_HZ
#define WSNPROF_PACE_DEN (1UL << WSNPROF_PACE_SHIFT)

/*
 * The portable half asks at each wsnprof_poll(). So what must be done from time to time is done
 * here: the clock's rounds are counted, and rows that left their slots are sent.
 */
uint16_t wsnprof_pace(void) __attribute__((no_instrument_function));

/* --- tables -------------------------------------------------------------------------------- */

/* Level 0 and the raw stream need no shadow stack, the latter no table either. */
#define WSNPROF_TIMED (WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0)
#define WSNPROF_CACHES (WSNPROF_ARCS > 0 || WSNPROF_PCS > 0)

#if WSNPROF_SITES > 0
#define WSNPROF_TABLE_SITES(X) X(WSNPROF_TYPE_SITES, WSNPROF_SITES)
#else
#define WSNPROF_TABLE_SITES(X)
#endif
#if WSNPROF_ARCS > 0 && !WSNPROF_RAW
#define WSNPROF_TABLE_ARCS(X) X(WSNPROF_TYPE_ARCS, WSNPROF_ARCS)
#else
#define WSNPROF_TABLE_ARCS(X)
#endif
#if WSNPROF_PCS > 0 && !WSNPROF_RAW
#define WSNPROF_TABLE_PCS(X) X(WSNPROF_TYPE_PCS, WSNPROF_PCS)
#else
#define WSNPROF_TABLE_PCS(X)
#endif
#if WSNPROF_RAW && WSNPROF_SITES == 0
#define WSNPROF_TABLES(X) X(WSNPROF_TYPE_PCS, 1)	/* one that has nothing */
#else
#define WSNPROF_TABLES(X) WSNPROF_TABLE_SITES(X) WSNPROF_TABLE_ARCS(X) WSNPROF_TABLE_PCS(X)
#endif

/* Two addresses of 31 bits, calls of 32; a total of 64, min and max; eight buckets. */
#if WSNPROF_SITES == 0 || WSNPROF_LEVEL == 0
#define WSNPROF_ROW_SIZE 15
#elif WSNPROF_LEVEL == 1
#define WSNPROF_ROW_SIZE 25
#elif WSNPROF_LEVEL == 2
#define WSNPROF_ROW_SIZE 35
#else
#define WSNPROF_ROW_SIZE 75
#if WSNPROF_FRAME < 85
#error "WSNPROF_LEVEL 3 on Cortex-M: WSNPROF_FRAME 85 or more, WSNPROF_RING more than that"
#endif
#endif

/* --- HELLO --------------------------------------------------------------------------------- */

#if WSNPROF_THUMB1
#define WSNPROF_ARCH WSNPROF_ARCH_ARMV6M
#else
#define WSNPROF_ARCH WSNPROF_ARCH_ARMV7M
#endif
#define WSNPROF_UNIT 2

#if WSNPROF_TRACE
#define WSNPROF_LEVELS (WSNPROF_STACK - 1)	/* one is the stack's own */
#endif
#define WSNPROF_FEATURES ( \
	(WSNPROF_TRACE ? WSNPROF_F_TRACE : 0) | \
	(WSNPROF_SITES > 0 ? WSNPROF_F_SITES : 0) | \
	(WSNPROF_TIMED ? WSNPROF_F_TIMED | WSNPROF_F_TAKEN_BACK | WSNPROF_F_ISR : 0) | \
	(WSNPROF_TIMED && WSNPROF_LEVEL >= 2 ? WSNPROF_F_MINMAX : 0) | \
	(WSNPROF_TIMED && WSNPROF_LEVEL >= 3 ? WSNPROF_F_HISTOGRAM : 0) | \
	(WSNPROF_ARCS > 0 ? WSNPROF_F_ARCS : 0) | \
	(WSNPROF_PCS > 0 ? WSNPROF_F_PCS : 0))

#if WSNPROF_LEVEL >= 3
#define WSNPROF_BUCKET_BYTE (WSNPROF_BUCKET_FIRST | WSNPROF_BUCKET_STEP << 4)
#else
#define WSNPROF_BUCKET_BYTE 0
#endif
#define WSNPROF_TICKS_PER_SECOND WSNPROF_CLOCK_HZ
#define WSNPROF_SPREAD 0
#if WSNPROF_TIMED
#define WSNPROF_SPREAD_MEASURED
#endif

/*
 * What addresses count from: a constant. The application defines where flash begins, if not at 0,
 * so that addresses are short.
 *
 * What the identity's checksum covers: from there, or else from the vectors, to the image's end
 * (.data's included). Every linker script has its own name for that; wsnprof_flash.c knows some of
 * them. Others define wsnprof_flash_end, or WSNPROF_FLASH_END is an expression.
 */
#ifndef WSNPROF_BASE
#ifdef WSNPROF_FLASH_START
#define WSNPROF_BASE WSNPROF_FLASH_START
#else
#define WSNPROF_BASE 0u
#endif
#endif
#ifndef WSNPROF_FLASH_START
#define WSNPROF_FLASH_START wsnprof_image_start()
#endif
#ifndef WSNPROF_FLASH_END
#define WSNPROF_FLASH_FIND 1
#define WSNPROF_FLASH_END wsnprof_image_end()
#else
#define WSNPROF_FLASH_FIND 0
#endif
uint32_t wsnprof_image_start(void) __attribute__((no_instrument_function));
uint32_t wsnprof_image_end(void) __attribute__((no_instrument_function));

/* --- between this folder's files ----------------------------------------------------------- */

/* Profiling is on. Read with interrupts off. */
extern volatile bool wsnprof_on;

/*
 * Is this row what the portable half looks for? enum wsnprof_want. Hot: 512 calls or more that the
 * host does not know.
 */
WSNPROF_INLINE bool wsnprof_wanted(uint32_t count, uint32_t sent, uint8_t want)
{
	uint32_t news = count - sent;

	return want == 0 ? news >= 512 : want == 1 ? news > 0 : true;	/* enum wsnprof_want */
}

#if WSNPROF_CACHES && !WSNPROF_RAW && !WSNPROF_LEAST
#define wsnprof_row_seek wsnprof_cache_seek
unsigned wsnprof_cache_seek(uint8_t type, unsigned at, unsigned end, uint8_t want)
	__attribute__((no_instrument_function));
#endif

#if WSNPROF_TRACE
#include "wsntrace_port.h"
#endif

/* In the sampling interrupt: the next one's time; the clock's rounds. */
void wsnprof_sample_more(void) __attribute__((no_instrument_function));

#endif
