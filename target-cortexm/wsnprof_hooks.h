/*
 * wsnprof_hooks.h: what both families' hooks share, for assembly: layouts, the clock, stamps.
 * wsnprof_hooks.S has the whole story.
 */
#ifndef WSNPROF_HOOKS_H
#define WSNPROF_HOOKS_H

#include "wsnprof_arch.h"

	.syntax unified
	.thumb
	.text

#ifdef WSNPROF_CLOCK_INCLUDE
#include WSNPROF_CLOCK_INCLUDE
#endif

#if WSNPROF_SITES > 0
	.set	SITE_BITS, 0
	.rept	16
	.if	(1 << SITE_BITS) < WSNPROF_SITES
	.set	SITE_BITS, SITE_BITS + 1
	.endif
	.endr

#if WSNPROF_SITES < WSNPROF_WINDOW
	.set	SITE_WINDOW, WSNPROF_SITES
#else
	.set	SITE_WINDOW, WSNPROF_WINDOW
#endif
	.set	TABLE_BYTES, WSNPROF_SITES << WSNPROF_SITE_SHIFT
	.set	TIME_BACK, WSNPROF_TIME_BACK
	.set	ROW_SITE, 4 * WSNPROF_SITE
	.set	ROW_FUNCTION, 4 * WSNPROF_FUNCTION
	.set	ROW_CALLS, 4 * WSNPROF_CALLS

/* struct wsnprof_hook, and the table right behind it: one address serves both. */
#define HOOK(name) (WSNPROF_OFFSET(hook, name) - .Lhook_bytes)	/* from wsnprof_sites */
	.set	HOOK_CLOCK, HOOK(clock)
	.set	HOOK_OUTSIDE, HOOK(outside)
	.set	HOOK_LIMIT, HOOK(limit)
	.set	HOOK_TAKEN, HOOK(taken)
	.set	HOOK_TOP, HOOK(top)

.macro	function name
	.section .text.\name, "ax", %progbits
	.balign	4
	.global	\name
	.type	\name, %function
	.thumb_func
\name:
.endm

/*
 * The clock, twice in a hook. clock_first reg: reg = clock, r2 what clock_again needs; clock_again:
 * r2 = clock. r0, r1, r3-r8 stay. An address that is known: 2 instructions and 1; found out at the
 * start (BOTH): 3 and 2; by capture (nRF): 5 and 5; extended by software: some 25 each. BOTH leaves
 * at 80 and 82, which the hook must have behind its end.
 */
.macro	clock_soft reg
#if WSNPROF_THUMB1
	push	{r0-r3}
#else
	push	{r0-r3, ip, lr}
#endif
	bl	wsnprof_clock_soft
	.ifc	\reg, r2
	str	r0, [sp, #8]		@ where r2 comes back from
	.else
	mov	\reg, r0
	.endif
#if WSNPROF_THUMB1
	pop	{r0-r3}
#else
	pop	{r0-r3, ip, lr}
#endif
.endm

/* Level 3's code is too long for cbz. */
.macro	if_zero reg, label
#if WSNPROF_LEVEL == 3
	cmp	\reg, #0
	beq	\label
#else
	cbz	\reg, \label
#endif
.endm

.macro	clock_first reg
#if WSNPROF_CLOCK_BOTH
	ldr	r2, [r3, #HOOK_CLOCK]
	if_zero	r2, 80f
	ldr	\reg, [r2]
81:
#elif WSNPROF_CLOCK_SOFT
	clock_soft \reg
#elif defined(WSNPROF_CLOCK_INCLUDE)
	wsnprof_clock_read \reg, r2
#elif defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r2, =WSNPROF_CLOCK_CAPTURE
#if WSNPROF_THUMB1
	movs	\reg, #1
#else
	mov	\reg, #1
#endif
	str	\reg, [r2]
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	\reg, [r2]
#elif defined(WSNPROF_CLOCK_ADDRESS)
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	\reg, [r2]
#else
	ldr	r2, =WSNPROF_CYCCNT
	ldr	\reg, [r2]
#endif
.endm

/* scratch: a low register */
.macro	clock_again scratch
#if WSNPROF_CLOCK_BOTH
	if_zero	r2, 82f
	ldr	r2, [r2]
83:
#elif WSNPROF_CLOCK_SOFT
	clock_soft r2
#elif defined(WSNPROF_CLOCK_INCLUDE)
	wsnprof_clock_read r2, \scratch
#elif defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r2, =WSNPROF_CLOCK_CAPTURE
	movs	\scratch, #1
	str	\scratch, [r2]
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	r2, [r2]
#else
	ldr	r2, [r2]
#endif
.endm

/* r2 = clock, wherever r2's address went; scratch: a low register */
.macro	clock_reload scratch
#if WSNPROF_CLOCK_SOFT
	clock_soft r2
#else
#if defined(WSNPROF_CLOCK_ADDRESS) && !defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
#endif
	clock_again \scratch
#endif
.endm

.macro	clock_soft_blocks reg
#if WSNPROF_CLOCK_BOTH
80:	clock_soft \reg
	b	81b
82:	clock_soft r2
	b	83b
#endif
.endm

/* to = stamp: clock - taken (a clock that counts up) */
.macro	stamp_make to, clock, taken
#if WSNPROF_COUNTS_DOWN
	adds	\to, \clock, \taken
#else
	subs	\to, \clock, \taken
#endif
.endm

/* r2: the clock now, becomes taken. stamp is used up */
.macro	time_take_back stamp, outside
#if WSNPROF_COUNTS_DOWN
	adds	\stamp, \stamp, \outside
	subs	r2, \stamp, r2
#else
	subs	\stamp, \stamp, \outside
	subs	r2, r2, \stamp
#endif
.endm

/* to = the time from `start` to `now`, stamps */
.macro	duration to, start, now
#if WSNPROF_COUNTS_DOWN
	subs	\to, \start, \now
#else
	subs	\to, \now, \start
#endif
.endm
#endif

#endif
