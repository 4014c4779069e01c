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
#if WSNPROF_SYSTICK
	.set	HOOK_LAST, HOOK(last)
	.set	HOOK_BASE, HOOK(base)
#endif
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
 * r2 = clock. r0, r1, r8 stay. A register whose address is known takes 2 instructions and 1; found
 * out at the start (BOTH), 3 and 2; by capture (nRF), 5 and 5; SysTick, 10 and 5 (v6-M 13 and 7);
 * extended by a function, some 25 each. Rare cases leave at 80 and 82, which the hook must have
 * behind its end (clock_aside).
 */
.macro	clock_soft reg, function=wsnprof_clock_soft
#if WSNPROF_THUMB1
	push	{r0-r3}
#else
	push	{r0-r3, ip, lr}
#endif
	mov	r0, \reg		@ _round(now)
	bl	\function
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

#if WSNPROF_SYSTICK
	.set	SYST_CVR, 0xe000e018
	.set	ICSR, 0xe000ed04
/*
 * SysTick. wsnprof_clock.c's soft_read() adds rounds; there is none to add where no interrupt of it
 * is pending and the counter fell. v6-M: leaves r3 at limit; lost: r2, r5. v7-M: lost: r2, r4-r6.
 */
.macro	systick_first reg, aside
#if WSNPROF_THUMB1
	ldr	r2, =ICSR
	ldr	r2, [r2]
	ldr	\reg, =SYST_CVR
	ldr	\reg, [\reg]
	lsls	r2, r2, #5		@ bit 26: pending
	bmi	\aside
	ldr	r3, =wsnprof_sites + HOOK_LAST
	ldr	r5, [r3]
	cmp	\reg, r5
	bhi	\aside
	stmia	r3!, {\reg}
	ldmia	r3!, {r5}		@ base
	subs	\reg, r5, \reg
#else
	ldr	r2, =SYST_CVR
	ldr	r4, [r2, #ICSR - SYST_CVR]
	ldrd	r5, r6, [r3, #HOOK_LAST]	@ and base
	ldr	\reg, [r2]
	lsls	r4, r4, #5		@ bit 26: pending
	bmi	\aside
	cmp	\reg, r5
	bhi	\aside
	str	\reg, [r3, #HOOK_LAST]
	subs	\reg, r6, \reg
#endif
.endm

/* Nothing is pending, and a round takes longer than a hook. r3: v6-M, outside's. Lost: r5, r6. */
.macro	systick_again aside
	ldr	r2, =SYST_CVR
	ldr	r2, [r2]
#if WSNPROF_THUMB1
	ldr	r5, [r3, #HOOK_LAST - HOOK_OUTSIDE]
	cmp	r2, r5
	bhi	\aside
	ldr	r5, [r3, #HOOK_BASE - HOOK_OUTSIDE]
	subs	r2, r5, r2
#else
	ldrd	r5, r6, [r3, #HOOK_LAST]
	cmp	r2, r5
	bhi	\aside
	subs	r2, r6, r2
#endif
.endm
#endif

.macro	clock_first reg
#if WSNPROF_CLOCK_BOTH
	ldr	r2, [r3, #HOOK_CLOCK]
	if_zero	r2, 80f
	ldr	\reg, [r2]
81:
#elif WSNPROF_SYSTICK
	systick_first \reg, 80f
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

/* v7-M: scratch is a low register. v6-M: r2's address went, and r3 is outside's. */
.macro	clock_again scratch
#if WSNPROF_CLOCK_BOTH
	if_zero	r2, 82f
	ldr	r2, [r2]
83:
#elif WSNPROF_SYSTICK
83:	systick_again 82f
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
#if WSNPROF_THUMB1
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
#endif
	ldr	r2, [r2]
#endif
.endm

/*
 * Behind C: r2 = clock; r3 = the table, v6-M outside's address. Lost: r0, r1, ip, lr; SysTick: r5,
 * r6. What comes after the reading must be as short as behind clock_again.
 */
.macro	clock_last
86:	bl	wsnprof_clock
#if WSNPROF_THUMB1
	ldr	r3, =wsnprof_sites + HOOK_OUTSIDE
#else
	ldr	r3, =wsnprof_sites
#endif
#if WSNPROF_CLOCK_BOTH
	ldr	r2, [r3, #HOOK_CLOCK]
	cbz	r2, 87f
	ldr	r2, [r2]
	b	88f
87:	systick_again 86b
88:
#elif WSNPROF_SYSTICK
	systick_again 86b
#else
	mov	r2, r0
#endif
.endm

.macro	clock_aside reg
#if WSNPROF_CLOCK_BOTH
80:	systick_first \reg, 84f
	movs	r2, #0
	b	81b
84:	clock_soft \reg, wsnprof_clock_round
	movs	r2, #0
	b	81b
82:	systick_again 85f
	b	83b
85:	clock_soft r2, wsnprof_clock_round
	b	82b			@ read once more: what comes after it is not taken back
#elif WSNPROF_SYSTICK
80:	clock_soft \reg, wsnprof_clock_round
#if WSNPROF_THUMB1
	ldr	r3, =wsnprof_sites + HOOK_LIMIT
#endif
	b	81b
82:	clock_soft r2, wsnprof_clock_round
	b	83b			@ read once more: what comes after it is not taken back
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
