/*
 * wsnprof_arch: Cortex-M's settings and layouts, for C and assembly: numbers only.
 *
 * Clock, one of four:
 *
 *	nothing set			v7-M, v8-M mainline: DWT's CYCCNT; SysTick if it does not
 *					count. v6-M, v8-M baseline: SysTick
 *	WSNPROF_CLOCK_ADDRESS		a timer's count register of WSNPROF_CLOCK_BITS (32) bits,
 *					which counts up, or down with WSNPROF_CLOCK_DOWN 1, through
 *					all of its values. The application starts it before
 *					wsnprof_init(). WSNPROF_CLOCK_CAPTURE: an address where a 1
 *					must be written first (nRF)
 *	WSNPROF_CLOCK_SYSTICK 1		SysTick
 *	WSNPROF_CLOCK_INCLUDE "file"	assembly that defines the macro wsnprof_clock_read reg,
 *					scratch (32 bits, counts up; other registers and the stack
 *					stay as they are)
 *
 * The application always defines WSNPROF_CLOCK_HZ, the clock's ticks a second.
 *
 * Durations are 32 bits of ticks. Their last quarter stands for negative values, and counts as 0:
 * the hooks' own time is measured at the start, and a short call sometimes runs faster than that. A
 * single call of more than 3 * 2^30 ticks (128 s at 25 MHz) is therefore reported too short. A
 * clock of fewer bits is extended by software. SysTick's rounds are exact if its handler calls
 * wsnprof_clock_tick(); a timer's, or those of a SysTick without a handler, if the clock is read
 * more than once in each round, which instrumented calls, wsnprof_poll() and wsnprof_clock_tick()
 * do. SysTick takes some 10 instructions more a hook than a timer of 32 bits (v6-M 14), a timer of
 * fewer bits some 50.
 */
#ifndef WSNPROF_ARCH_H
#define WSNPROF_ARCH_H

#include "wsnprof_defaults.h"
#include "wsnprof_struct.h"

#ifndef WSNPROF_CLOCK_HZ
#error "wsnprof_config.h: WSNPROF_CLOCK_HZ, the clock's ticks a second (usually the core's)"
#endif

/*
 * 1: as little flash as arcs that are right need. No row leaves a full table: further arcs are
 * lost, without names. An arc that is not in its bucket is found by C, and any changed row is sent.
 * What a call costs is not measured. With WSNPROF_IDENTITY 1 the checksum of the flash is in HELLO
 * alone, each fourth refresh, and a build-id is not looked for: a WSNPROF_FLASH_END of the
 * application's belongs to it. WSNPROF_SITES 0, too.
 */
#ifndef WSNPROF_LEAST
#define WSNPROF_LEAST 0
#endif
#define WSNPROF_NOTE (!WSNPROF_LEAST)
#define WSNPROF_IDENTITY_FRAMES (!WSNPROF_LEAST)

/* wsnprof_poll() takes itself out of the time. */
#define WSNPROF_ASIDE (WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0)

/*
 * v7-M and v8-M mainline with WSNPROF_AS: the hooks turn interrupts off by FAULTMASK, which needs
 * not be read first. A program that calls functions with hooks while it has set FAULTMASK itself
 * (PRIMASK and BASEPRI may be set) defines 0: PRIMASK, an instruction more a hook.
 */
#ifndef WSNPROF_FAULTMASK
#define WSNPROF_FAULTMASK 1
#endif

/* The sampling timer's ticks a second. */
#ifndef WSNPROF_SAMPLE_CLOCK
#define WSNPROF_SAMPLE_CLOCK WSNPROF_CLOCK_HZ
#endif

/* 1: the stream of the gprof thesis, 'A' from to and 'P' pc, instead of tables and frames. */
#ifndef WSNPROF_RAW
#define WSNPROF_RAW 0
#endif

/*
 * Bytes for rows that left an arc's or a PC's slot and wait for wsnprof_poll() to send them: 15 to
 * what a frame takes. A PC is 4 to 6, an arc 6 to 10.
 */
#ifndef WSNPROF_CLOSING
#if WSNPROF_FRAME < 60
#define WSNPROF_CLOSING (WSNPROF_FRAME - 12)
#else
#define WSNPROF_CLOSING 48
#endif
#endif
#if WSNPROF_CLOSING < 15 || WSNPROF_CLOSING > WSNPROF_FRAME - 12
#error "WSNPROF_CLOSING: 15 to WSNPROF_FRAME - 12"
#endif

/* Buckets in which a call site's row may lie. */
#define WSNPROF_WINDOW 16

/* WSNPROF_AS_V7M: they are bucket ^ 0, 1, 3, 6.. of it. Odd, and not near: calls lie together. */
#define WSNPROF_SITE_STEP 85

/* The same for a PC's: where they are too many for the table, more probes do not help. */
#define WSNPROF_PC_WINDOW 4

/* A link from an arc's row to the next one. */
#if WSNPROF_ARCS > 128
#define WSNPROF_NEXT_BYTES 2
#else
#define WSNPROF_NEXT_BYTES 1
#endif

/* Arcs whose calls found no room that the host is told by name, 12 bytes each; 0: none. */
#if WSNPROF_LEAST
#undef WSNPROF_LOST_ARCS
#define WSNPROF_LOST_ARCS 0
#elif !defined(WSNPROF_LOST_ARCS)
#define WSNPROF_LOST_ARCS 4
#endif

#if WSNPROF_ARCS == 1 || WSNPROF_PCS == 1
#error "WSNPROF_ARCS, WSNPROF_PCS: 2 or more, or 0"
#endif

#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define WSNPROF_THUMB1 1
#else
#define WSNPROF_THUMB1 0
#endif

#ifndef WSNPROF_CLOCK_BITS
#define WSNPROF_CLOCK_BITS 32
#endif
#ifndef WSNPROF_CLOCK_DOWN
#define WSNPROF_CLOCK_DOWN 0
#endif
#ifndef WSNPROF_CLOCK_SYSTICK
#define WSNPROF_CLOCK_SYSTICK 0
#endif

/* 1: the clock counts instructions, not cycles: QEMU with -icount. For the host. */
#ifndef WSNPROF_CLOCK_INSNS
#define WSNPROF_CLOCK_INSNS 0
#endif

#define WSNPROF_CYCCNT 0xe0001004

/*
 * How the clock is read: DIRECT, a register; SOFT, a function that extends it; BOTH, found out by
 * wsnprof_init().
 */
#if defined(WSNPROF_CLOCK_INCLUDE)
#define WSNPROF_CLOCK_DIRECT 1
#define WSNPROF_CLOCK_SOFT 0
#elif defined(WSNPROF_CLOCK_ADDRESS)
#define WSNPROF_CLOCK_DIRECT (WSNPROF_CLOCK_BITS == 32)
#define WSNPROF_CLOCK_SOFT (WSNPROF_CLOCK_BITS < 32)
#else
#define WSNPROF_CLOCK_DIRECT (!WSNPROF_CLOCK_SYSTICK && !WSNPROF_THUMB1)
#define WSNPROF_CLOCK_SOFT 1
#endif
#define WSNPROF_CLOCK_BOTH (WSNPROF_CLOCK_DIRECT && WSNPROF_CLOCK_SOFT)

/* What software extends is SysTick. */
#if WSNPROF_CLOCK_SOFT && !defined(WSNPROF_CLOCK_ADDRESS)
#define WSNPROF_SYSTICK 1
#else
#define WSNPROF_SYSTICK 0
#endif

/* And that is known when the hooks are compiled. */
#define WSNPROF_SYSTICK_ALONE (WSNPROF_SYSTICK && !WSNPROF_CLOCK_BOTH)

/* The sampler has more to do than to count: wsnprof_sample_more(). */
#define WSNPROF_SAMPLE_MORE (WSNPROF_JITTER || WSNPROF_CLOCK_SOFT)

/* Down is for the register as it is; what software extends counts up. */
#define WSNPROF_COUNTS_DOWN (WSNPROF_CLOCK_DOWN && !WSNPROF_CLOCK_SOFT)

/* Hooks of `wsntop as --timed`, v7-M and v8-M mainline: wsnprof_as.inc. */
#define WSNPROF_AS_V7M (WSNPROF_AS && WSNPROF_LEVEL > 0 && !WSNPROF_THUMB1)

/* Bytes of a call site's row: level 1 keeps level 2's layout. */
#if WSNPROF_LEVEL == 0
#define WSNPROF_SITE_SHIFT 4
#elif WSNPROF_LEVEL < 3
#define WSNPROF_SITE_SHIFT 5
#else
#define WSNPROF_SITE_SHIFT 6
#endif

/* Up to so many ticks below 0 count as negative. */
#define WSNPROF_TIME_BACK 0x40000000

/* --- layouts ------------------------------------------------------------------------------- */

/* An arc's row, or a sampled PC's (wsnprof_cache.h). */
WSNPROF_STRUCT(row)
	/*
	 * The return address, Thumb bit and all, or the PC. While profiling is stopped bit 0 is
	 * inverted, so that __gnu_mcount_nc finds nothing without testing a switch. A free row has
	 * 0 (1 when stopped), all others an odd value.
	 */
	WSNPROF_MEMBER(row, uint32_t, from)
	WSNPROF_MEMBER(row, uint32_t, to)	/* behind the call of the hook; 0: a PC's row */
	WSNPROF_MEMBER(row, uint32_t, count)	/* v6-M: right behind them */
	WSNPROF_MEMBER(row, uint32_t, sent)	/* the count that the host was told */
WSNPROF_STRUCT_END(row)

/*
 * Words of a call site's row: level 0 has the first four (SENT in TOTAL's place), level 3 all.
 * RANGE is the longest call less the shortest: one comparison finds that a call is neither. MIN is
 * UINT32_MAX before the first one.
 */
#define WSNPROF_SITE 0			/* the return address, Thumb bit and all; 0: a handler */
#define WSNPROF_FUNCTION 1		/* 0: the row is free */
#if WSNPROF_AS && WSNPROF_LEVEL > 0
/* The exit hook reads a row from its beginning on. */
#undef WSNPROF_SITE
#undef WSNPROF_FUNCTION
#define WSNPROF_SITE 5			/* without the Thumb bit */
#define WSNPROF_FUNCTION 6		/* where the enter hook returns to */
#if WSNPROF_LEVEL > 1
#define WSNPROF_MIN 0
#define WSNPROF_RANGE 1
#define WSNPROF_CALLS 2
#define WSNPROF_TOTAL 3
#else
#define WSNPROF_CALLS 0
#define WSNPROF_TOTAL 1
#define WSNPROF_MIN 3
#define WSNPROF_RANGE 4
#endif
#elif WSNPROF_LEVEL < 2
#define WSNPROF_CALLS 2
#define WSNPROF_TOTAL 3			/* low, high */
#define WSNPROF_MIN 5			/* not used */
#define WSNPROF_RANGE 6
#else
#define WSNPROF_MIN 2
#define WSNPROF_RANGE 3
#define WSNPROF_CALLS 4
#define WSNPROF_TOTAL 5
#endif
#if WSNPROF_LEVEL == 0
#define WSNPROF_SITE_SENT 3
#else
#define WSNPROF_SITE_SENT 7
#endif
#define WSNPROF_BUCKETS 8

/* How far behind its beginning a function's hook returns (WSNPROF_AS; core/filter/filter.h). */
#if !WSNPROF_AS
#define WSNPROF_BEHIND 0
#elif WSNPROF_THUMB1
#define WSNPROF_BEHIND 6
#else
#define WSNPROF_BEHIND 8
#endif

/*
 * A level of the shadow stack. sp: of the hook that opened it, by which the frames that a longjmp
 * skipped are known; in a handler's frame bit 0 is set, and above it stands the exception whose
 * handler this one interrupted.
 */
WSNPROF_STRUCT(frame)
	WSNPROF_MEMBER(frame, uint32_t, start)	/* stamp */
	WSNPROF_POINTER(frame, uint32_t, row)
	WSNPROF_MEMBER(frame, uint32_t, sp)
WSNPROF_STRUCT_END(frame)

/*
 * The call sites' table follows it: the hooks reach both with one address. With WSNPROF_AS_V7M it
 * has contents from the start on (wsnprof_hooks.S), and the table's address. SysTick: its counter
 * when it was read last, and the clock's count when the counter is at 0; each family of hooks, and
 * each of v7-M's two ways, has them where it reads them with fewer instructions.
 */
WSNPROF_STRUCT(hook)
#if WSNPROF_AS
	/* the same, of hooks that went the long way */
	WSNPROF_MEMBER(hook, uint32_t, outside)
#endif
#if WSNPROF_CLOCK_BOTH
	WSNPROF_MEMBER(hook, uint32_t, last)
	WSNPROF_MEMBER(hook, uint32_t, base)
#endif
#if WSNPROF_AS_V7M
	WSNPROF_POINTER(hook, uint32_t, sites)
	WSNPROF_MEMBER(hook, uint32_t, one)	/* 1, which UMLAL multiplies by */
#endif
#if WSNPROF_CLOCK_BOTH
	/* NULL: extended by software */
	WSNPROF_POINTER(hook, const volatile uint32_t, clock)
#elif WSNPROF_SYSTICK_ALONE && WSNPROF_THUMB1
	WSNPROF_MEMBER(hook, uint32_t, last)
	WSNPROF_MEMBER(hook, uint32_t, base)
#endif
#if WSNPROF_AS
	/* ticks that both hooks of a call take */
	WSNPROF_MEMBER(hook, uint32_t, cost)
#else
	/* ticks of a hook outside of its two readings of the clock */
	WSNPROF_MEMBER(hook, uint32_t, outside)
#endif
	/* top may not pass it; NULL: profiling is off, and top NULL or behind wsnprof_no_frame */
	WSNPROF_POINTER(hook, struct wsnprof_frame, limit)
	WSNPROF_MEMBER(hook, uint32_t, taken)
	WSNPROF_POINTER(hook, struct wsnprof_frame, top)
#if WSNPROF_SYSTICK_ALONE && !WSNPROF_THUMB1
	WSNPROF_MEMBER(hook, uint32_t, last)
	WSNPROF_MEMBER(hook, uint32_t, base)
#endif
WSNPROF_STRUCT_END(hook)

#ifndef __ASSEMBLER__
_Static_assert(sizeof(struct wsnprof_row) == 4 * 4 && sizeof(struct wsnprof_frame) == 3 * 4 &&
	       sizeof(struct wsnprof_hook) ==
	       (4 + 2 * WSNPROF_SYSTICK + WSNPROF_CLOCK_BOTH +
		(WSNPROF_AS ? 1 : 0) + (WSNPROF_AS_V7M ? 2 : 0)) * 4,
	       "assembly: words, no padding");
#endif

/* Level 3: bucket i (0 to 6) counts durations below 2^(FIRST + i STEP) ticks. STEP: 1, 2 or 4. */
#ifndef WSNPROF_BUCKET_FIRST
#define WSNPROF_BUCKET_FIRST 8
#endif
#ifndef WSNPROF_BUCKET_STEP
#define WSNPROF_BUCKET_STEP 2
#endif

#endif
