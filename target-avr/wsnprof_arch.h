/*
 * wsnprof_arch: the AVR half's settings and layouts, for C and assembly: numbers only.
 */
#ifndef WSNPROF_ARCH_H
#define WSNPROF_ARCH_H

#include <avr/io.h>

#include "wsnprof_defaults.h"
#include "wsnprof_struct.h"

/* For the sender, which is in assembly (wsnprof_send.S). */
#define WSNPROF_ASSEMBLY
#if WSNPROF_TRACE
#define WSNPROF_TABLES(X)
#else
#define WSNPROF_TABLES(X) X(WSNPROF_TYPE_SITES, WSNPROF_SITES)
#endif

/*
 * The clock's timer: 1, 3, 4 or 5, of those that have 16 bits on the chip; 0 or 2, of 8 bits. It is
 * the runtime's.
 */
#ifndef WSNPROF_TIMER
#define WSNPROF_TIMER 1
#endif

/*
 * The timer is the application's, has 16 bits and runs from 0 to 65,535 with WSNPROF_PRESCALE: it
 * is only read, by the hooks, wsnprof_poll(), and wsnprof_clock_look() (wsnprof_port.h).
 *
 *	1	Nobody else uses its overflow flag, which the runtime clears. It must be
 *		read once in 65,280 ticks. Where the flag shows that a round passed unread it is
 *		made up for, and told (WSNPROF_F_MISSED): there may have been more.
 *	2	The application has an overflow interrupt, which calls wsnprof_clock_tick(). No
 *		register is written, and no round is missed.
 */
#ifndef WSNPROF_TIMER_READ
#define WSNPROF_TIMER_READ 0
#endif

#define WSNPROF_TIMER_8 (WSNPROF_TIMER == 0 || WSNPROF_TIMER == 2)
/* The clock is the timer's count and a variable: see wsnprof_timer.inc. */
#define WSNPROF_SUM (WSNPROF_TIMER_8 || WSNPROF_TIMER_READ)

/*
 * Its count, high byte written first and low byte read first; its flags and interrupts with the
 * bits of the overflow; its mode, its clock's selection and the overflow's vector.
 */
#define WSNPROF_T_OF(name, n, rest) name##n##rest
#define WSNPROF_T_AT(name, n, rest) WSNPROF_T_OF(name, n, rest)
#define WSNPROF_T WSNPROF_T_AT(TCNT, WSNPROF_TIMER, )
#if WSNPROF_TIMER_8
#define WSNPROF_T_LOW WSNPROF_T
#else
#define WSNPROF_T_LOW WSNPROF_T_AT(TCNT, WSNPROF_TIMER, L)
#endif
#define WSNPROF_T_HIGH WSNPROF_T_AT(TCNT, WSNPROF_TIMER, H)
#define WSNPROF_T_FLAGS WSNPROF_T_AT(TIFR, WSNPROF_TIMER, )
#define WSNPROF_T_OVERFLOW WSNPROF_T_AT(TOV, WSNPROF_TIMER, )
#define WSNPROF_T_INTERRUPTS WSNPROF_T_AT(TIMSK, WSNPROF_TIMER, )
#define WSNPROF_T_OVERFLOW_ENABLE WSNPROF_T_AT(TOIE, WSNPROF_TIMER, )
#define WSNPROF_T_MODE WSNPROF_T_AT(TCCR, WSNPROF_TIMER, A)
#define WSNPROF_T_SELECT WSNPROF_T_AT(TCCR, WSNPROF_TIMER, B)
#define WSNPROF_T_OVERFLOW_VECT WSNPROF_T_AT(TIMER, WSNPROF_TIMER, _OVF_vect)

#if !defined(GPIOR0) || !defined(GPIOR1) || !defined(ICR1L) || !defined(TIFR1)
#error "wsnprof needs an ATmega with GPIOR0 and TIFR1, as 168 to 2561, 32U4 and 128RFA1 are: it \
does not run on ATmega8 to 128, ATtiny, XMEGA, megaAVR 0-series"
#include "this chip cannot run wsnprof: see the error above"	/* ends the compiler here */
#endif
#if (WSNPROF_TIMER != 1 || !defined(ICR1L)) && (WSNPROF_TIMER != 3 || !defined(ICR3L)) && \
	(WSNPROF_TIMER != 4 || !defined(ICR4L)) && (WSNPROF_TIMER != 5 || !defined(ICR5L)) && \
	(WSNPROF_TIMER != 0 || !defined(TIFR0)) && (WSNPROF_TIMER != 2 || !defined(TIFR2))
#error "WSNPROF_TIMER: this chip has no timer of that number, or it has neither 8 nor 16 bits"
#include "this chip lacks the timer: see the error above"
#endif
#if WSNPROF_TIMER_READ < 0 || WSNPROF_TIMER_READ > 2
#error "WSNPROF_TIMER_READ: 0 to 2"
#endif
#if WSNPROF_TRACE && WSNPROF_SUM
#error "WSNPROF_TRACE: a 16-bit timer of the runtime's own (WSNPROF_TIMER, _TIMER_READ)"
#endif
#if WSNPROF_TIMER_READ && WSNPROF_TIMER_8
#error "WSNPROF_TIMER_READ: a timer that is only read has 16 bits; 0 and 2 have 8"
#endif

#if WSNPROF_AS && WSNPROF_SUM
#error "WSNPROF_AS: a 16-bit timer of the runtime's own (WSNPROF_TIMER, _TIMER_READ)"
#endif

/* 1: USART 0 sends (wsnprof_uart.h). */
#ifndef WSNPROF_UART
#define WSNPROF_UART 1
#endif

/* Its prescaler: 1, 8, 64, 256 or 1024 cycles a tick. Own cost is taken back with 1 only. */
#ifndef WSNPROF_PRESCALE
#if WSNPROF_TRACE
#define WSNPROF_PRESCALE 64	/* a tick is a unit of the stamps; 16 bits must last */
#else
#define WSNPROF_PRESCALE 1
#endif
#endif
#define WSNPROF_TAKES_BACK (WSNPROF_PRESCALE == 1 && WSNPROF_LEVEL > 0)

/*
 * T begins its round here: a wrap is worth 65,536 ticks less these, and whoever counts one sets T
 * on by as many. So the overflow interrupt, and others right behind it, can set T back by all that
 * they take, and T stays behind the wrap. A power of two, WSNPROF_REST_SHIFT's.
 */
#define WSNPROF_REST_SHIFT 5
#if WSNPROF_TAKES_BACK
#define WSNPROF_REST (1 << WSNPROF_REST_SHIFT)
#else
#define WSNPROF_REST 0
#endif

/*
 * 1: wsnprof_poll() takes itself out of the time. 0: its time is its caller's and the run's, and
 * some 200 bytes of flash are less; an uninstrumented main program polls in no function anyway.
 */
#ifndef WSNPROF_ASIDE
#define WSNPROF_ASIDE (WSNPROF_TAKES_BACK && !WSNPROF_LEAST)
#endif
#if WSNPROF_ASIDE && !WSNPROF_TAKES_BACK
#error "WSNPROF_ASIDE: with WSNPROF_PRESCALE 1 and WSNPROF_LEVEL 1 or more"
#endif

/*
 * A symbol: the identity's checksum is over flash from 0 to there. The one of avr-libc's linker
 * scripts is the end of .data's image; sections that are linked behind it need another.
 */
#ifndef WSNPROF_FLASH_END
#define WSNPROF_FLASH_END __data_load_end
#endif

/*
 * Cycles from reading T in a hook on, and from setting T on, more than where T is a timer of the
 * runtime's with 16 bits.
 */
#if !WSNPROF_SUM
#define WSNPROF_T_READ_MORE 0
#define WSNPROF_T_SET_MORE 0
#elif WSNPROF_TIMER_8
#define WSNPROF_T_READ_MORE 10
#define WSNPROF_T_SET_MORE 10
#else
#define WSNPROF_T_READ_MORE 14
#define WSNPROF_T_SET_MORE 8
#endif

/*
 * WSNPROF_AS, cycles of the hooks' short way (wsnprof_timed.inc): of the enter hook to reading T,
 * and all; of the exit hook to reading T, and from setting it to the `ret`. Between them are 14.
 */
#ifdef __AVR_3_BYTE_PC__
#define WSNPROF_WIDE 1
#else
#define WSNPROF_WIDE 0
#endif
#ifdef __AVR_HAVE_JMP_CALL__
#define WSNPROF_TIMED_SHORT 0
#else
#define WSNPROF_TIMED_SHORT 1
#endif
#if WSNPROF_SITES > 256
#define WSNPROF_TIMED_OPEN (74 + 12 * WSNPROF_WIDE)
#else
#define WSNPROF_TIMED_OPEN (71 + 12 * WSNPROF_WIDE - WSNPROF_TIMED_SHORT)
#endif
#define WSNPROF_TIMED_READ (25 - WSNPROF_TIMED_SHORT)
#if WSNPROF_LEVEL == 3
#define WSNPROF_TIMED_REST 78
#elif WSNPROF_LEVEL == 2
#define WSNPROF_TIMED_REST 43
#else
#define WSNPROF_TIMED_REST 29
#endif
#define WSNPROF_TIMED_TAKEN (WSNPROF_TIMED_OPEN + WSNPROF_TIMED_READ + WSNPROF_TIMED_REST)
#define WSNPROF_TIMED_SKEW (23 + 5 * WSNPROF_WIDE + WSNPROF_TIMED_READ)
#if WSNPROF_LEVEL == 0
#define WSNPROF_TIMED_COST (51 + 8 * WSNPROF_WIDE)
#elif WSNPROF_TAKES_BACK
#define WSNPROF_TIMED_COST (WSNPROF_TIMED_TAKEN + 14)
#else
#define WSNPROF_TIMED_COST (WSNPROF_TIMED_TAKEN + 7)
#endif

/*
 * Cycles taken back a call besides those between reading T in the exit hook and setting it there:
 * the rest of the hooks, and what the compiler needs to call them (32 to 48, by the function; the
 * number fits the mean best).
 */
#if !WSNPROF_TAKES_BACK
#define WSNPROF_TAKEN 0
#elif WSNPROF_AS	/* by the exit hook's long way; its short one takes WSNPROF_TIMED_TAKEN */
#define WSNPROF_TAKEN (WSNPROF_TIMED_OPEN + WSNPROF_TIMED_READ + 32 + 2 * WSNPROF_WIDE)
#elif defined(__AVR_3_BYTE_PC__)
#define WSNPROF_TAKEN (123 + WSNPROF_T_READ_MORE + WSNPROF_T_SET_MORE)
#else
#define WSNPROF_TAKEN (119 + WSNPROF_T_READ_MORE + WSNPROF_T_SET_MORE)
#endif

/*
 * A call as long as this, from reading T in the enter hook to reading it in the exit hook, is an
 * empty one: taking back more of it would set T to before the call, and the caller's clock would
 * run backwards.
 */
#if WSNPROF_AS
#define WSNPROF_SHORT 0			/* no more is taken back than it took */
#define WSNPROF_OPEN WSNPROF_TIMED_OPEN
#else
#define WSNPROF_OPEN WSNPROF_SHORT
#define WSNPROF_SHORT (WSNPROF_TAKEN - 32 - WSNPROF_T_SET_MORE)
#endif

/*
 * What the compiler adds to calls that the runtime makes itself, in sixteenths of a tick: to a
 * duration, between the hooks; to the cost, with what is taken back.
 *
 * Taken back: T stands still over these calls, which are empty. The cost is WSNPROF_TAKEN and the
 * cycles from reading T in the exit hook to setting it. Else T has them, and the first one's search
 * through table and vectors.
 */
#define WSNPROF_CALIBRATE_T 0x4000
#define WSNPROF_SKEW_COMPILER (16 * 10 / WSNPROF_PRESCALE)
#if !WSNPROF_TAKES_BACK && defined(__AVR_HAVE_JMP_CALL__)
#define WSNPROF_COST_REST ((16 * 40 - 336 - 22 * ((_VECTORS_SIZE) / 4)) / WSNPROF_PRESCALE)
#elif !WSNPROF_TAKES_BACK
#define WSNPROF_COST_REST ((16 * 40 - 336 - 22 * ((_VECTORS_SIZE) / 2)) / WSNPROF_PRESCALE)
#elif WSNPROF_LEVEL > 2
#define WSNPROF_COST_REST (16 * (WSNPROF_TAKEN + 106))
#elif WSNPROF_LEVEL > 1
#define WSNPROF_COST_REST (16 * (WSNPROF_TAKEN + 73))
#else
#define WSNPROF_COST_REST (16 * (WSNPROF_TAKEN + 59))
#endif

/*
 * Where the clock is a sum, nothing is measured: the application's timer may stand still, and
 * rounds of an 8-bit one pass in a search with interrupts off. These are cycles: of an empty call,
 * between reading T in its hooks; and of the hooks.
 */
#if WSNPROF_AS
#define WSNPROF_SUM_SKEW (16 * WSNPROF_TIMED_SKEW / WSNPROF_PRESCALE)
#define WSNPROF_SUM_COST (16 * WSNPROF_TIMED_COST / WSNPROF_PRESCALE)
#elif WSNPROF_SUM
#ifdef __AVR_3_BYTE_PC__
#define WSNPROF_EMPTY (56 + WSNPROF_T_READ_MORE)
#define WSNPROF_HOOKS_WIDE 8
#else
#define WSNPROF_EMPTY (54 + WSNPROF_T_READ_MORE)
#define WSNPROF_HOOKS_WIDE 0
#endif
#if WSNPROF_LEVEL == 0
#define WSNPROF_HOOKS 103
#elif WSNPROF_LEVEL == 1
#define WSNPROF_HOOKS (170 + 2 * WSNPROF_T_READ_MORE)
#elif WSNPROF_LEVEL == 2
#define WSNPROF_HOOKS (184 + 2 * WSNPROF_T_READ_MORE)
#else
#define WSNPROF_HOOKS (217 + 2 * WSNPROF_T_READ_MORE)
#endif
#if WSNPROF_TAKES_BACK
#define WSNPROF_HOOKS_SET (4 + WSNPROF_T_SET_MORE)
#else
#define WSNPROF_HOOKS_SET 0
#endif
#define WSNPROF_SUM_SKEW (16 * WSNPROF_EMPTY / WSNPROF_PRESCALE + WSNPROF_SKEW_COMPILER)
#define WSNPROF_SUM_COST \
	(16 * (WSNPROF_HOOKS + WSNPROF_HOOKS_WIDE + WSNPROF_HOOKS_SET) / WSNPROF_PRESCALE)
#endif

/*
 * WSNPROF_AS: `to` is where the enter hook returns to, so many words behind the function's
 * beginning. With a program counter of 22 bits the hook is told the function instead.
 */
#if !WSNPROF_AS || defined(__AVR_3_BYTE_PC__)
#define WSNPROF_TO_MORE 0
#elif defined(__AVR_HAVE_JMP_CALL__)
#define WSNPROF_TO_MORE 2
#else
#define WSNPROF_TO_MORE 1
#endif

/*
 * A call site. `from` and `to` are in words, as the compiler passes them; both 0: the row is free.
 *
 * `from` is 0 in the row of an interrupt handler: one row, wherever it interrupts. `to` is 0 in an
 * extension: `from` is its owner's address then, `calls` and `total` count the owner's carries
 * (2^24 calls, 2^32 ticks), and `fresh` is 1 when they changed since the row was sent.
 */
WSNPROF_STRUCT(site)
	WSNPROF_MEMBER(site, uint16_t, from)
	WSNPROF_MEMBER(site, uint16_t, to)
	WSNPROF_MEMBER(site, uint8_t, fresh)		/* calls since the row was sent, 1 to 255 */
	WSNPROF_ARRAY(site, uint8_t, calls, 3)		/* those before */
#if WSNPROF_LEVEL > 0
	WSNPROF_MEMBER(site, uint32_t, total)
	WSNPROF_MEMBER(site, uint16_t, min)		/* 16-bit codes (PROTOCOL, section 2) */
	WSNPROF_MEMBER(site, uint16_t, max)
#endif
WSNPROF_STRUCT_END(site)

/*
 * A level of the call stack, at an address that 8 divides. T is the timer when the call began.
 * Wraps: how often the timer overflowed while this call was the innermost one, or one that it made
 * and that has returned. Thus the overflow interrupt changes one level, and the sum of all levels'
 * wraps is the clock's upper half.
 *
 * The lowest level is no call's: it holds the wraps at which no call was open.
 */
WSNPROF_STRUCT(level)
	WSNPROF_MEMBER(level, uint16_t, sp)
	WSNPROF_MEMBER(level, uint16_t, wraps)
	WSNPROF_MEMBER(level, uint8_t, t_high)
	WSNPROF_MEMBER(level, uint8_t, t_low)
	WSNPROF_POINTER(level, void, site)
WSNPROF_STRUCT_END(level)

/* Sizes for the preprocessor; wsnprof_hooks.S compares them with the structs. */
#if WSNPROF_LEVEL == 0
#define WSNPROF_SITE_BYTES 8
#else
#define WSNPROF_SITE_BYTES 16
#endif
#define WSNPROF_LEVEL_BYTES 8

/* A row as it is sent. from, to: 3 each; calls: 4; total: 5; min, max: 3 each; buckets: 4 each. */
#if WSNPROF_LEVEL == 0
#define WSNPROF_ROW_SIZE 10
#elif WSNPROF_LEVEL == 1
#define WSNPROF_ROW_SIZE 15
#elif WSNPROF_LEVEL == 2
#define WSNPROF_ROW_SIZE 21
#else
#define WSNPROF_ROW_SIZE 53
#endif

/*
 * Level 3: from a site to its buckets, which are 8-aligned. Else: where the table's end mark ends.
 */
#if WSNPROF_LEVEL > 2
#define WSNPROF_BUCKETS_AT (WSNPROF_SITE_BYTES * WSNPROF_SITES + 8)
#else
#define WSNPROF_BUCKETS_AT (WSNPROF_SITE_BYTES * WSNPROF_SITES + 4)
#endif

/*
 * A row further from its place than this is not looked for: a full table costs time, not more. The
 * table's end counts as three.
 */
#if WSNPROF_SITES < 32
#define WSNPROF_PROBES (WSNPROF_SITES + 3)
#else
#define WSNPROF_PROBES 32
#endif

/*
 * Slots behind a row's place that are looked at before the search, with interrupts off: 6 or 3; 3
 * where the clock is a sum, for the sake of the time that interrupts are off. 0: some 100 bytes of
 * flash less; a row that is not at its place takes some 250 cycles more.
 */
#ifndef WSNPROF_NEXT
#if WSNPROF_SUM
#define WSNPROF_NEXT (3 - 3 * WSNPROF_LEAST)
#else
#define WSNPROF_NEXT (6 - 6 * WSNPROF_LEAST)
#endif
#endif

/*
 * Instrumented interrupt handlers whose rows are found at once, wherever they interrupt: 2 bytes
 * each. Those beyond are looked for in the whole table. 0: no handler is instrumented, and what
 * gives them rows of their own is left out: some 350 bytes of flash.
 */
#ifndef WSNPROF_HANDLERS
#define WSNPROF_HANDLERS (4 - 4 * WSNPROF_LEAST)
#endif
/* Slots that are kept for handlers' rows when the table is full of calls. */
#if WSNPROF_SITES < 8 || WSNPROF_HANDLERS == 0
#define WSNPROF_KEPT 0
#elif WSNPROF_SITES < 64
#define WSNPROF_KEPT 1
#else
#define WSNPROF_KEPT (WSNPROF_SITES / 32)
#endif

/*
 * Level 3: bucket i (0 to 6) counts durations below 2^(FIRST + i STEP) ticks; HELLO's histogram
 * byte.
 */
#define WSNPROF_BUCKET_FIRST 7
#define WSNPROF_BUCKET_STEP 2

#if !WSNPROF_TRACE && (WSNPROF_SITES < 2 || WSNPROF_SITES > 512)
#error "WSNPROF_SITES: 2 to 512 on AVR"
#endif
#if WSNPROF_NEXT != 0 && WSNPROF_NEXT != 3 && WSNPROF_NEXT != 6
#error "WSNPROF_NEXT: 6, 3 or 0"
#endif
#if WSNPROF_HANDLERS < 0 || WSNPROF_HANDLERS > 64
#error "WSNPROF_HANDLERS: 0 to 64"
#endif
#if WSNPROF_STACK < 2 || WSNPROF_STACK > 255
#error "WSNPROF_STACK: 2 to 255 on AVR"
#endif
#if WSNPROF_TASKS && !WSNPROF_TRACE && WSNPROF_STACK > 32
#error "WSNPROF_STACK: at most 32 with WSNPROF_TASKS"
#endif

#endif
