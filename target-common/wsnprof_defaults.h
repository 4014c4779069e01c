/*
 * wsnprof_defaults: the settings of all chips, their meaning and their defaults. Also for assembly:
 * numbers only.
 *
 * An application defines other values in its own wsnprof_config.h, which must exist on the include
 * path (it may be empty); or in a file of another name: -DWSNPROF_CONFIG='"name"'.
 *
 * The settings of one chip alone belong there too; its own headers describe them: AVR,
 * wsnprof_uart.h (WSNPROF_BAUD) and wsnprof_arch.h (_UART, _TIMER, _TIMER_READ, _PRESCALE,
 * _FLASH_END); Cortex-M, wsnprof_arch.h (WSNPROF_CLOCK_HZ, which is required, _CLOCK_...,
 * _SAMPLE_CLOCK, _RAW, _CLOSING, _BUCKET_...) and wsnprof_port.h (_FLASH_START, _FLASH_END).
 */
#ifndef WSNPROF_DEFAULTS_H
#define WSNPROF_DEFAULTS_H

#ifdef WSNPROF_CONFIG
#include WSNPROF_CONFIG
#else
#include "wsnprof_config.h"
#endif

/*
 * 1: as little flash as calls and times that are right need. The application's text, the identity
 * and, on AVR, what instrumented handlers and a fast search need are left out (WSNPROF_RING,
 * _IDENTITY, _HANDLERS, _NEXT, _ASIDE are 0 where they are not defined).
 */
#ifndef WSNPROF_LEAST
#define WSNPROF_LEAST 0
#endif

/*
 * 1: every call and return is told, in order, in place of timed call sites (docs/PROTOCOL.md, 9):
 * functions get their hooks from `wsntop as`, not from -finstrument-functions. On Cortex-M without
 * WSNPROF_ARCS, _PCS and _RAW.
 *
 * Without the table of known calls, in more bits a call, fewer cycles and less RAM (AVR alone):
 *	3	each call is its function's id
 *	4	its number among the functions that the caller calls (wsntop as --local)
 *	5	the same, in codes made by a profile (wsntop as --huffman)
 *	6	not told: the branches between calls are (wsntop as --control-flow)
 */
#ifndef WSNPROF_TRACE
#define WSNPROF_TRACE 0
#endif
/* With 3: bits of a call, 3 to 8; ids have one less. */
#ifndef WSNPROF_TRACE_BITS
#define WSNPROF_TRACE_BITS 8
#endif
#if WSNPROF_TRACE		/* there is no table of call sites */
#undef WSNPROF_SITES
#define WSNPROF_SITES 0
#undef WSNPROF_LEVEL
#define WSNPROF_LEVEL 0
#endif

/*
 * 1: the hooks of timed call sites are those that `wsntop as --timed` puts in (with WSNPROF_LEVEL 0
 * `wsntop as --count`), not those of -finstrument-functions. AVR alone.
 */
#ifndef WSNPROF_AS
#define WSNPROF_AS 0
#endif
#if WSNPROF_AS && WSNPROF_TRACE
#error "WSNPROF_AS, WSNPROF_TRACE: one of them"
#endif

/*
 * With WSNPROF_TRACE: calls that may be open at once in interrupt handlers, the handler's own
 * included, 4 bytes each (Cortex-M 8), and 628 bytes (Cortex-M 940); 2 to 54, or 0: what handlers
 * call is not told. (WSNPROF_STACK is the main program's.)
 */
#ifndef WSNPROF_TRACE_HANDLERS
#define WSNPROF_TRACE_HANDLERS 12
#endif

/*
 * With it, on AVR: bits of the hash that a call is known again by. 24: one new call in 65,536 is
 * taken for another; 40: one in 4,300 million, each lane takes 256 bytes more, an open
 * call 2.
 */
#ifndef WSNPROF_TRACE_HASH
#define WSNPROF_TRACE_HASH 24
#endif

/*
 * With it: tokens that a wsnprof_poll() packs at most, so that a frame holds three times as many; 1
 * to 255. 0: none is packed; each lane takes 320 bytes less. (wsntrace_pack.h)
 */
#ifndef WSNPROF_TRACE_PACK
#define WSNPROF_TRACE_PACK 24
#endif
#if !WSNPROF_TRACE || WSNPROF_TRACE > 2
#undef WSNPROF_TRACE_PACK
#define WSNPROF_TRACE_PACK 0
#endif

/*
 * With it: calls of so many units of stamps or more are told each time they run, and calls
 * that are told have stamps at any depth; 8 to 16,383. 0: stamps are those of the top level alone.
 */
#ifndef WSNPROF_TRACE_LONG
#define WSNPROF_TRACE_LONG 0
#endif

/*
 * With it each so manieth call that calls nothing has a stamp of its own, too, up to 255, where it
 * is told; it brings WSNPROF_TRACE_LONG, with which all other calls and returns that are told have
 * one. 0: none has.
 */
#ifndef WSNPROF_TRACE_EVERY
#define WSNPROF_TRACE_EVERY 0
#endif

/*
 * With it a slot of the table keeps how long its call took when it was told. A known call that
 * takes longer or shorter than that by more than this part of it, and 3 units, is told again, with
 * stamps, and its time is kept: 4, 8, 16 or 32. A call that a handler interrupted is let pass.
 * 0: a call is known by what it calls alone.
 */
#ifndef WSNPROF_TRACE_ALIKE
#define WSNPROF_TRACE_ALIKE 0
#endif
#if (WSNPROF_TRACE_EVERY || WSNPROF_TRACE_ALIKE) && !WSNPROF_TRACE_LONG
#undef WSNPROF_TRACE_LONG
#define WSNPROF_TRACE_LONG 65535
#endif

/*
 * With it every so many ms, up to 32,000, calls are told with stamps at any depth though they are
 * known: those from one wsnprof_poll() that finds nothing waiting to the next, that take 16, 64 or
 * 256 units, in turn. A host learns from that when what is in a known call runs. 0: none.
 */
#ifndef WSNPROF_TRACE_SAMPLE
#define WSNPROF_TRACE_SAMPLE 0
#endif
#if WSNPROF_TRACE_SAMPLE && !WSNPROF_TRACE_LONG
#undef WSNPROF_TRACE_LONG
#define WSNPROF_TRACE_LONG 65535
#endif

/*
 * With it: jmp_bufs that are known at a time, 6 bytes each (Cortex-M 16). longjmp() to one of them
 * ends the calls that it skips; link with -Wl,--wrap=setjmp,--wrap=longjmp. 0: such calls stay
 * open.
 */
#ifndef WSNPROF_TRACE_JUMPS
#define WSNPROF_TRACE_JUMPS 0
#endif

/*
 * What a timed call site stores: 0 calls alone, 1 and the total, 2 and min and max, 3 and 8 log2
 * buckets of durations. On Cortex-M, level 3 needs a WSNPROF_FRAME of 85 or more.
 */
#ifndef WSNPROF_LEVEL
#define WSNPROF_LEVEL 2
#endif

/*
 * Call sites (caller's instruction, callee) that fit; a power of two (AVR: 2 to 512), 0 (Cortex-M
 * alone): no timed call sites. Calls from further ones are counted as lost. Keep a third free: a
 * fuller table takes longer to search. Bytes each:
 *
 *	level		0	1	2	3
 *	AVR		8	16	16	40
 *	Cortex-M	16	32	32	64
 */
#ifndef WSNPROF_SITES
#define WSNPROF_SITES 128
#endif

/*
 * Instrumented calls that may be open at once, interrupts included. 8 bytes each on AVR, 12 on
 * Cortex-M; at level 0 none.
 */
#ifndef WSNPROF_STACK
#define WSNPROF_STACK 32
#endif

/*
 * Cortex-M: arcs and sampled PCs that fit; powers of two from 2 on, 0: none. 16 bytes each, an arc
 * 17, with more than 128 arcs 18. Any table costs few instructions a call while it has room; a
 * smaller one sends the counts of what leaves it.
 */
#ifndef WSNPROF_ARCS
#define WSNPROF_ARCS 0
#endif
#ifndef WSNPROF_PCS
#define WSNPROF_PCS 0
#endif

/* PC samples a second. Prime: see target-cortexm/README.md. */
#ifndef WSNPROF_HZ
#define WSNPROF_HZ 997
#endif

/* 1: the sampling period jitters pseudo-randomly by up to a quarter (gprof thesis, 2.2). */
#ifndef WSNPROF_JITTER
#define WSNPROF_JITTER 0
#endif

/* The node's name and its number among others. */
#ifndef WSNPROF_NAME
#define WSNPROF_NAME "node"
#endif
#ifndef WSNPROF_ID
#define WSNPROF_ID 0
#endif

/*
 * 1: the number is the variable wsnprof_id, which the program sets (wsnprof.h): one image, with one
 * checksum, for all nodes. Four bytes of RAM, on AVR 18 of flash.
 */
#ifndef WSNPROF_ID_VARIABLE
#define WSNPROF_ID_VARIABLE 0
#endif

/* Milliseconds from one refresh to the next. */
#ifndef WSNPROF_PERIOD_MS
#define WSNPROF_PERIOD_MS 1000
#endif

/*
 * Frames of unchanged rows sent each refresh, for hosts that joined late or lost one: a frame of 64
 * bytes has two to four call sites, or some ten arcs or PCs.
 */
#ifndef WSNPROF_SPARE_FRAMES
#define WSNPROF_SPARE_FRAMES (WSNPROF_SITES > 0 ? 2 : 1)
#endif

/* Bytes of a frame at most, delimiters included: 56 to 255. One frame is on its way at a time. */
#ifndef WSNPROF_FRAME
#define WSNPROF_FRAME 64
#endif

/*
 * Bytes of the ring for the application's text, 2 to 255. It holds one character less. 0: the line
 * is the profiler's alone, and there is no wsnprof_putchar().
 */
#ifndef WSNPROF_RING
#if WSNPROF_LEAST
#define WSNPROF_RING 0
#else
#define WSNPROF_RING 16
#endif
#endif

/*
 * 1: the checksum or build-id by which the host knows which firmware runs. 0: it can only judge by
 * the addresses whether an ELF is the right one.
 */
#ifndef WSNPROF_IDENTITY
#define WSNPROF_IDENTITY (!WSNPROF_LEAST)
#endif

/* 1: wsnprof_receive(), the host's commands. */
#ifndef WSNPROF_RECEIVE
#define WSNPROF_RECEIVE 0
#endif

/* 1: wsnprof_report(), INGA's text format: timed call sites alone. */
#ifndef WSNPROF_TEXT
#define WSNPROF_TEXT 0
#endif

/* 1: wsnprof_switch(). With WSNPROF_TRACE: tasks that may be told, 1 to 14. */
#ifndef WSNPROF_TASKS
#define WSNPROF_TASKS 0
#endif

#if WSNPROF_SITES & (WSNPROF_SITES - 1) || WSNPROF_ARCS & (WSNPROF_ARCS - 1) || \
	WSNPROF_PCS & (WSNPROF_PCS - 1)
#error "WSNPROF_SITES, WSNPROF_ARCS, WSNPROF_PCS: powers of two, or 0"
#endif
#if WSNPROF_TEXT && !WSNPROF_SITES
#error "WSNPROF_TEXT: the report lists timed call sites, of which there are none (WSNPROF_SITES)"
#endif
#if WSNPROF_TRACE && (WSNPROF_STACK < 2 || WSNPROF_STACK > 54)
#error "WSNPROF_STACK: 2 to 54 with WSNPROF_TRACE"
#endif
#if WSNPROF_TRACE == 2 || WSNPROF_TRACE > 6
#error "WSNPROF_TRACE: 0, 1, or 3 to 6"
#endif
#if WSNPROF_TRACE_BITS < 3 || WSNPROF_TRACE_BITS > 8
#error "WSNPROF_TRACE_BITS: 3 to 8"
#endif
#if (WSNPROF_TRACE && WSNPROF_TASKS > 14) || (WSNPROF_TRACE > 2 && WSNPROF_TASKS)
#error "WSNPROF_TASKS: at most 14 with WSNPROF_TRACE 1, none with others"
#endif
#if WSNPROF_TRACE && WSNPROF_TASKS && !WSNPROF_TRACE_HANDLERS
#error "WSNPROF_TASKS: with WSNPROF_TRACE, handlers need their lane (WSNPROF_TRACE_HANDLERS)"
#endif
#if WSNPROF_TRACE_HANDLERS == 1 || WSNPROF_TRACE_HANDLERS > 54
#error "WSNPROF_TRACE_HANDLERS: 2 to 54, or 0"
#endif
#if WSNPROF_LEVEL < 0 || WSNPROF_LEVEL > 3
#error "WSNPROF_LEVEL: 0 to 3"
#endif
#if WSNPROF_FRAME < 56 || WSNPROF_FRAME > 255
#error "WSNPROF_FRAME: 56 to 255"
#endif
#if (WSNPROF_RING < 2 && WSNPROF_RING != 0) || WSNPROF_RING > 255
#error "WSNPROF_RING: 2 to 255, or 0"
#endif
#if WSNPROF_TEXT && !WSNPROF_RING
#error "WSNPROF_TEXT: the report is text, for which there is no room (WSNPROF_RING)"
#endif

#endif
