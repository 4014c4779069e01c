/*
 * wsnprof_hooks: the compiler's hooks of -finstrument-functions.
 *
 *	in	r0: the function; r1: its call site, the return address; both with the Thumb bit
 *	kept	r4-r11, s0-s31, PRIMASK
 *	lost	r0-r3, ip, flags: ordinary calls to the compiler
 *
 * Interrupts are off from the first reading of the clock to the last one: what is done in between is
 * whole for an interrupt's own hooks, and for wsnprof_poll().
 *
 * Time. `taken` is what the profiler has taken so far. A hook reads the clock first of all and has with it the stamp:
 * clock - taken, the time as the application knows it. When done it sets taken = clock - stamp, so that the time does not go on
 * meanwhile; and `outside` more, the call, the first instructions and the last, which are outside of the two
 * readings: wsnprof_init() measures them. With a clock that counts down, stamp = clock + taken, taken = stamp - clock,
 * and durations are the other way round: no instruction more.
 *
 * Rows lie in the bucket that the call site names, (site >> 2) mod WSNPROF_SITES, or 1, 3, 6... further, and the frame on the
 * shadow stack holds the row's address, so that leaving needs no search. All that is not as usual (
 * a new row, a full stack, a handler, a longjmp, profiling off) is the C half's, wsnprof_sites.c:
 *
 * - a handler: its call site is EXC_RETURN, in no row;
 * - profiling is off: limit is 0, so the stack is full; top is 0;
 * - the stack is empty, or full and more: the top frame's row is one that fits no function.
 */
#include "wsnprof_arch.h"

	.syntax unified
	.thumb
	.text

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
	.set	ROW_SITE, 0
	.set	ROW_FUNCTION, 4
	.set	ROW_CALLS, 8

/* struct wsnprof_hook, and the table right behind it: one address serves both. */
	.set	HOOK_CLOCK, -20		@ from wsnprof_sites
	.set	HOOK_OUTSIDE, -16
	.set	HOOK_LIMIT, -12
	.set	HOOK_TAKEN, -8
	.set	HOOK_TOP, -4
	.section .bss.wsnprof_hook, "aw", %nobits
	.balign	8
	.global	wsnprof_hook, wsnprof_sites
	.type	wsnprof_hook, %object
	.type	wsnprof_sites, %object
	.size	wsnprof_hook, 20
	.size	wsnprof_sites, WSNPROF_SITES << WSNPROF_SITE_SHIFT
wsnprof_hook:
	.space	20
wsnprof_sites:
	.space	WSNPROF_SITES << WSNPROF_SITE_SHIFT

.macro	function name
	.section .text.\name, "ax", %progbits
	.balign	4
	.global	\name
	.type	\name, %function
	.thumb_func
\name:
.endm
#endif

#ifdef WSNPROF_CLOCK_INCLUDE
#include WSNPROF_CLOCK_INCLUDE
/* wsnprof_clock_raw: the clock for C. */
	.section .text.wsnprof_clock_raw, "ax", %progbits
	.balign	4
	.global	wsnprof_clock_raw
	.type	wsnprof_clock_raw, %function
	.thumb_func
wsnprof_clock_raw:
	wsnprof_clock_read r0, r1
	bx	lr
	.ltorg
#endif

#if WSNPROF_SITES > 0 && WSNPROF_LEVEL == 0
/* ------------------------------------------------------------------- level 0: calls alone */

/*
 * __cyg_profile_func_enter: 15 instructions (v6-M 20) when the bucket holds the row. No shadow stack; a
 * row's bit 0 of ROW_SITE is turned over while profiling is off, so that nothing is found.
 */
	function __cyg_profile_func_enter
	ldr	r3, =wsnprof_sites
#if !WSNPROF_THUMB1
	ubfx	r2, r1, #2, #SITE_BITS
	add	r3, r3, r2, lsl #WSNPROF_SITE_SHIFT
1:	ldrex	r2, [r3, #ROW_CALLS]	@ an exception up to STREX: once more
	ldr	ip, [r3, #ROW_SITE]
	cmp	ip, r1
	bne	2f
	ldr	ip, [r3, #ROW_FUNCTION]
	cmp	ip, r0
	bne	2f
	adds	r2, #1
	strex	ip, r2, [r3, #ROW_CALLS]
	cmp	ip, #0
	bne	1b
	bx	lr
2:	b.w	wsnprof_enter_slow
	.ltorg
#else
	push	{r4}
	lsls	r2, r1, #(30 - SITE_BITS)
	lsrs	r2, r2, #(32 - SITE_BITS)
	lsls	r2, r2, #WSNPROF_SITE_SHIFT
	adds	r3, r3, r2
	mrs	r4, primask
	cpsid	i
	ldr	r2, [r3, #ROW_SITE]
	cmp	r2, r1
	bne	2f
	ldr	r2, [r3, #ROW_FUNCTION]
	cmp	r2, r0
	bne	2f
	ldr	r2, [r3, #ROW_CALLS]
	adds	r2, #1
	str	r2, [r3, #ROW_CALLS]
	msr	primask, r4
	pop	{r4}
	bx	lr
2:	msr	primask, r4
	pop	{r4}
	ldr	r3, =wsnprof_enter_slow
	bx	r3
	.ltorg
#endif
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

	function __cyg_profile_func_exit
	bx	lr
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit

#elif WSNPROF_SITES > 0
/* -------------------------------------------------------------------------- levels 1 to 3 */

/*
 * The clock, twice in a hook. clock_first reg: reg = clock, r2 what clock_again needs; clock_again: r2 =
 * clock. r0, r1, r3-r8 stay. An address that is known: 2 instructions and 1; found out at the start (BOTH):
 * 3 and 2; by capture (nRF): 5 and 5; extended by software: some 25 each. BOTH leaves at 80 and 82, which
 * the hook must have behind its end.
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
.macro	stamp to, clock, taken
#if WSNPROF_COUNTS_DOWN
	adds	\to, \clock, \taken
#else
	subs	\to, \clock, \taken
#endif
.endm

/* r2: the clock now, becomes taken. stamp is used up */
.macro	take stamp, outside
#if WSNPROF_COUNTS_DOWN
	adds	\stamp, \stamp, \outside
	subs	r2, \stamp, r2
#else
	subs	\stamp, \stamp, \outside
	subs	r2, r2, \stamp
#endif
.endm

/* to = the time from `start` to `now`, stamps */
.macro	since to, start, now
#if WSNPROF_COUNTS_DOWN
	subs	\to, \start, \now
#else
	subs	\to, \now, \start
#endif
.endm

#if !WSNPROF_THUMB1
/*
 * __cyg_profile_func_enter, v7-M and v8-M mainline: 26 instructions when the first bucket holds the row, 17 more for the
 * second, 15 for each further one.
 *
 *	r3 the table; r4 outside; r7 top; r8 stamp; r9 row; r10 PRIMASK. The stack holds r4-r10, lr: sp below them is the frame's
 */
	function __cyg_profile_func_enter
	push	{r4-r10, lr}
	mrs	r10, primask
	cpsid	i
	ldr	r3, =wsnprof_sites
	clock_first r8
	ldmdb	r3, {r4-r7}		@ outside, limit, taken, top
	stamp	r8, r8, r6
	ubfx	r9, r1, #2, #SITE_BITS
	add	r9, r3, r9, lsl #WSNPROF_SITE_SHIFT
	cmp	r7, r5
	bhs	enter_slow
	ldrd	r6, lr, [r9, #ROW_SITE]
	cmp	r6, r1
	it	eq
	cmpeq	lr, r0
	bne	1f
2:	mov	ip, sp
	stmia	r7!, {r8, r9, ip}	@ start, row, sp
	str	r7, [r3, #HOOK_TOP]
	clock_again r6
	take	r8, r4
	str	r2, [r3, #HOOK_TAKEN]
	msr	primask, r10
	pop	{r4-r10, pc}

1:	mov	ip, #0			@ n; r9 walks
3:	cmp	lr, #0
	beq	enter_slow		@ a free row: none lies behind it
	add	ip, ip, #1
	cmp	ip, #SITE_WINDOW
	beq	enter_slow
	add	r9, r9, ip, lsl #WSNPROF_SITE_SHIFT
	ldr	r6, =wsnprof_sites + TABLE_BYTES
	cmp	r9, r6
	it	hs
	subhs	r9, r9, #TABLE_BYTES
	ldrd	r6, lr, [r9, #ROW_SITE]
	cmp	r6, r1
	it	eq
	cmpeq	lr, r0
	bne	3b
	b	2b
	clock_soft_blocks r8

enter_slow:
	mov	r2, r8
	mov	r3, sp
	bl	wsnprof_enter_slow	@ (function, site, stamp, sp)
hook_done:				@ r8 stamp, r4 outside, r10 PRIMASK
	bl	wsnprof_clock
	mov	r2, r0
	take	r8, r4
	ldr	r3, =wsnprof_sites
	str	r2, [r3, #HOOK_TAKEN]
	msr	primask, r10
	pop	{r4-r10, pc}
	.ltorg
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

/*
 * __cyg_profile_func_exit, v7-M and v8-M mainline: 31 instructions at level 2 when the top frame's row is ours.
 *
 *	r3 the table; r4 outside; r5 start, then the duration; r6 row; r7 frame; r8 stamp; r9, lr the row's site and
 *	function, then r0 calls, r1 and r7 total, r9 min, lr max; r10 PRIMASK. The same words on the stack as above
 */
	function __cyg_profile_func_exit
	push	{r4-r10, lr}
	mrs	r10, primask
	cpsid	i
	ldr	r3, =wsnprof_sites
	clock_first r8
	ldmdb	r3, {r4-r7}		@ outside, limit, taken, top
	stamp	r8, r8, r6
	if_zero	r7, exit_slow
	ldrd	r5, r6, [r7, #-WSNPROF_FRAME_BYTES]!	@ start, row
	ldmia	r6!, {r9, lr}		@ its site and function
	cmp	lr, r0
	it	eq
	cmpeq	r9, r1
	bne	exit_slow
	str	r7, [r3, #HOOK_TOP]
	since	r5, r5, r8
#if WSNPROF_LEVEL == 1
	ldmia	r6, {r0, r1, r7}
	adds	r0, #1
	adds	r1, r1, r5
	adc	r7, r7, #0
	stmia	r6, {r0, r1, r7}
#else
	ldmia	r6, {r0, r1, r7, r9, lr}
	adds	r0, #1
	adds	r1, r1, r5
	adc	r7, r7, #0
	cmp	r5, r9
	blo	1f
2:	cmp	r5, lr
	bhi	3f
4:	stmia	r6, {r0, r1, r7, r9, lr}
#endif
#if WSNPROF_LEVEL == 3
/* Bucket: (bits of the duration - FIRST) / STEP, upwards, 0 to 7. 11 instructions. */
	clz	r0, r5
	rsbs	r0, r0, #(32 - WSNPROF_BUCKET_FIRST + WSNPROF_BUCKET_STEP - 1)
	it	mi
	movmi	r0, #0
#if WSNPROF_BUCKET_STEP > 1
	lsrs	r0, r0, #(WSNPROF_BUCKET_STEP / 2)
#endif
	cmp	r0, #7
	it	hi
	movhi	r0, #7
	adds	r6, #24			@ from calls to the buckets
	ldr	r1, [r6, r0, lsl #2]
	adds	r1, #1
	str	r1, [r6, r0, lsl #2]
#endif
	clock_again r6
	take	r8, r4
	str	r2, [r3, #HOOK_TAKEN]
	msr	primask, r10
	pop	{r4-r10, pc}
#if WSNPROF_LEVEL > 1
1:	mov	r9, r5			@ the shortest so far
	b	2b
3:	mov	lr, r5			@ the longest
	b	4b
#endif
	clock_soft_blocks r8
exit_slow:
	mov	r2, r8
	mov	r3, sp
	bl	wsnprof_exit_slow	@ (function, site, stamp, sp)
	mov	r8, r0			@ where the time goes on: a handler's start
	b	hook_done
	.ltorg
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit

#else
/*
 * __cyg_profile_func_enter, v6-M and v8-M baseline: 32 instructions (by capture 40) when the first bucket holds the row, some 20 more for
 * each further one.
 *
 *	r2 stamp; r3 the table, then outside's address; r4 row; r6 top; r7 PRIMASK. The stack holds r4-r7, lr: sp below them is the frame's
 */
	function __cyg_profile_func_enter
	push	{r4-r7, lr}
	mrs	r7, primask
	cpsid	i
	clock_first r4
	ldr	r3, =wsnprof_sites + HOOK_LIMIT
	ldmia	r3!, {r2, r5, r6}	@ limit, taken, top; r3: the table, right behind them
	mov	ip, r2
	stamp	r2, r4, r5
	cmp	r6, ip
	bhs	2f
	lsls	r4, r1, #(30 - SITE_BITS)
	lsrs	r4, r4, #(32 - SITE_BITS)
	lsls	r4, r4, #WSNPROF_SITE_SHIFT
	adds	r4, r4, r3
	ldr	r5, [r4, #ROW_SITE]
	cmp	r5, r1
	bne	3f
	ldr	r5, [r4, #ROW_FUNCTION]
	cmp	r5, r0
	bne	3f
5:	mov	r5, sp
	stmia	r6!, {r2, r4, r5}	@ start, row, sp
	mov	r4, r2
	subs	r3, #16			@ outside's
	str	r6, [r3, #12]
	clock_reload r5
	ldr	r5, [r3]
	take	r4, r5
	str	r2, [r3, #8]
	msr	primask, r7
	pop	{r4-r7, pc}

3:	mov	ip, r7			@ PRIMASK
	movs	r7, #0			@ n; r4 walks
4:	ldr	r5, [r4, #ROW_FUNCTION]
	cmp	r5, #0
	beq	1f			@ a free row: none lies behind it
	adds	r7, #1
	cmp	r7, #SITE_WINDOW
	beq	1f
	lsls	r5, r7, #WSNPROF_SITE_SHIFT
	adds	r4, r4, r5
	ldr	r5, =wsnprof_sites + TABLE_BYTES
	cmp	r4, r5
	blo	6f
	ldr	r5, =TABLE_BYTES
	subs	r4, r4, r5
6:	ldr	r5, [r4, #ROW_SITE]
	cmp	r5, r1
	bne	4b
	ldr	r5, [r4, #ROW_FUNCTION]
	cmp	r5, r0
	bne	4b
	mov	r7, ip
	b	5b
1:	mov	r7, ip
2:	mov	r4, r2
	mov	r3, sp
	sub	sp, #4			@ to 8
	bl	wsnprof_enter_slow	@ (function, site, stamp, sp)
	add	sp, #4
	clock_reload r5
	ldr	r3, =wsnprof_sites + HOOK_OUTSIDE
	ldr	r5, [r3]
	take	r4, r5
	str	r2, [r3, #8]
	msr	primask, r7
	pop	{r4-r7, pc}
	.ltorg
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

/*
 * __cyg_profile_func_exit, v6-M and v8-M baseline: 42 instructions (by capture 50) at level 2 when the top frame's row is ours.
 *
 *	r2 stamp; r3 the table, then outside's address; r4 start, then the duration; r5 frame; r6 row, walking; r7 what is looked at;
 *	then r0 calls, r1 and r5 total, r7 min. The stack holds PRIMASK, r4-r7, lr
 */
	function __cyg_profile_func_exit
	push	{r4-r7, lr}
	mrs	r7, primask
	cpsid	i
	push	{r7}
	clock_first r4
	ldr	r3, =wsnprof_sites + HOOK_TAKEN
	ldmia	r3!, {r2, r5}		@ taken, top; r3: the table
	stamp	r2, r4, r2
	subs	r5, #WSNPROF_FRAME_BYTES
	blo	9f			@ top is 0
	ldmia	r5!, {r4, r6}		@ start, row
	ldr	r7, [r6, #ROW_SITE]
	cmp	r7, r1
	bne	9f
	ldr	r7, [r6, #ROW_FUNCTION]
	cmp	r7, r0
	bne	9f
	subs	r5, #8
	subs	r3, #16			@ outside's
	str	r5, [r3, #12]
	since	r4, r4, r2
	adds	r6, #ROW_CALLS
#if WSNPROF_LEVEL == 1
	ldmia	r6!, {r0, r1, r5}
	adds	r0, #1
	adds	r1, r1, r4
	bcc	1f
	adds	r5, #1
1:	subs	r6, #12
	stmia	r6!, {r0, r1, r5}
#else
	ldmia	r6!, {r0, r1, r5, r7}	@ calls, total, min
	adds	r0, #1
	adds	r1, r1, r4
	bcc	1f
	adds	r5, #1
1:	cmp	r4, r7
	blo	6f
2:	subs	r6, #16
	stmia	r6!, {r0, r1, r5, r7}
	ldr	r7, [r6]		@ max
	cmp	r4, r7
	bhi	7f
3:
#endif
#if WSNPROF_LEVEL == 3
/* Bucket: halve the duration until it is below 2^FIRST. r6: at max, 8 before the buckets. */
	adds	r6, #8
	movs	r0, #7
	lsrs	r4, r4, #WSNPROF_BUCKET_FIRST
4:	beq	5f
	adds	r6, #4
	subs	r0, #1
	beq	5f
	lsrs	r4, r4, #WSNPROF_BUCKET_STEP
	b	4b
5:	ldr	r0, [r6]
	adds	r0, #1
	str	r0, [r6]
#endif
	mov	r4, r2
	clock_reload r5
	ldr	r5, [r3]
	take	r4, r5
	str	r2, [r3, #8]
	pop	{r7}
	msr	primask, r7
	pop	{r4-r7, pc}
#if WSNPROF_LEVEL > 1
6:	mov	r7, r4			@ the shortest so far
	b	2b
7:	str	r4, [r6]		@ the longest
	b	3b
#endif
9:	add	r3, sp, #4		@ the frame's sp: r4-r7 and lr lie above it
	bl	wsnprof_exit_slow	@ (function, site, stamp, sp)
	mov	r4, r0			@ where the time goes on: a handler's start
	clock_reload r5
	ldr	r3, =wsnprof_sites + HOOK_OUTSIDE
	ldr	r5, [r3]
	take	r4, r5
	str	r2, [r3, #8]
	pop	{r7}
	msr	primask, r7
	pop	{r4-r7, pc}
	.ltorg
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
#endif
#endif
