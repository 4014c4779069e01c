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
	.set	SITE_STEP, WSNPROF_SITE_STEP
	.set	TABLE_BYTES, WSNPROF_SITES << WSNPROF_SITE_SHIFT
	.set	TIME_BACK, WSNPROF_TIME_BACK
	.set	ROW_SITE, 4 * WSNPROF_SITE
	.set	ROW_FUNCTION, 4 * WSNPROF_FUNCTION
	.set	ROW_CALLS, 4 * WSNPROF_CALLS

/* struct wsnprof_hook, and the table right behind it: one address serves both. */
#if WSNPROF_AS_V7M
#define HOOK_END wsnprof_hook_end
#else
#define HOOK_END wsnprof_sites
#endif
#define HOOK(name) (WSNPROF_OFFSET(hook, name) - .Lhook_bytes)	/* from HOOK_END */
#if WSNPROF_CLOCK_BOTH
	.set	HOOK_CLOCK, HOOK(clock)
#endif
	.set	HOOK_OUTSIDE, HOOK(outside)
#if WSNPROF_AS
	.set	HOOK_COST, HOOK(cost)
#endif
#if WSNPROF_AS_V7M
	.set	HOOK_SITES, HOOK(sites)
#endif
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

/* v6-M: the last register that it saves; the hooks of WSNPROF_AS keep lr in it. */
#if WSNPROF_AS
#define CLOCK_LAST r5
#else
#define CLOCK_LAST r4
#endif

/* reg = function(reg), which is C. Kept: all but the flags. */
.macro	clock_soft reg, function=wsnprof_clock_soft
#if WSNPROF_THUMB1
	push	{r0-CLOCK_LAST}
	mov	r4, ip
#if WSNPROF_AS
	mov	r5, lr
#endif
	mov	r0, \reg		@ _round(now)
	bl	\function
	mov	ip, r4
#if WSNPROF_AS
	mov	lr, r5
#endif
#else
	push	{r0-r3, ip, lr}
	mov	r0, \reg
	bl	\function
#endif
	.ifc	\reg, r2
	str	r0, [sp, #8]		@ where r2 comes back from
	.else
	mov	\reg, r0
	.endif
#if WSNPROF_THUMB1
	pop	{r0-CLOCK_LAST}
#else
	pop	{r0-r3, ip, lr}
#endif
.endm

/* Some code is too long for cbz. */
.macro	if_zero reg, label
#if WSNPROF_LEVEL == 3 || (WSNPROF_AS && WSNPROF_CLOCK_BOTH)
	cmp	\reg, #0
	beq	\label
#else
	cbz	\reg, \label
#endif
.endm

#if WSNPROF_SYSTICK
	.set	SYST_RVR, 0xe000e014
	.set	SYST_CVR, 0xe000e018
	.set	ICSR, 0xe000ed04

/* reg: ticks that went by, and the counter was reloaded meanwhile. */
.macro	systick_round reg, scratch
	ldr	\scratch, =SYST_RVR
	ldr	\scratch, [\scratch]
	adds	\reg, \reg, \scratch
	adds	\reg, #1
.endm
#endif

/* to = stamp: clock - taken (a clock that counts up) */
.macro	stamp_make to, clock, taken
#if WSNPROF_COUNTS_DOWN
	adds	\to, \clock, \taken
#else
	subs	\to, \clock, \taken
#endif
.endm

/* to = what time_take() subtracts the clock from, or from the clock */
.macro	stamp_lower to, stamp, outside
#if WSNPROF_COUNTS_DOWN
	adds	\to, \stamp, \outside
#else
	subs	\to, \stamp, \outside
#endif
.endm

/* to = taken */
.macro	time_take to, clock, lowered
#if WSNPROF_COUNTS_DOWN
	subs	\to, \lowered, \clock
#else
	subs	\to, \clock, \lowered
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
