/*
 * wsnprof_hooks: the compiler's hooks of -finstrument-functions.
 *
 *	in	r0: the function; r1: its call site, the return address; both with the Thumb bit
 *	kept	r4-r11, s0-s31, PRIMASK
 *	lost	r0-r3, ip, flags: ordinary calls to the compiler
 *
 * Interrupts are off from the first reading of the clock to the last one: what is done in between
 * is whole for an interrupt's own hooks, and for wsnprof_poll().
 *
 * Time. `taken` is what the profiler has taken so far. A hook reads the clock first of all and has
 * with it the stamp: clock - taken, the time as the application knows it. When done it sets taken =
 * clock - stamp, so that the time does not go on meanwhile; and `outside` more, the call, the first
 * instructions and the last, which are outside of the two readings: wsnprof_init() measures them.
 * With a clock that counts down, stamp = clock + taken, taken = stamp - clock, and durations are
 * the other way round: no instruction more.
 *
 * Rows lie in the bucket that call site and function name, ((function + 2 site) >> 2) mod
 * WSNPROF_SITES, or 1, 3, 6... further (v6-M: site >> 2, which is two instructions less than a
 * shift and a sum), and the frame on the shadow stack holds the row's address, so that leaving
 * needs no search. All that is not as usual (a new row, a full stack, a handler, a longjmp,
 * profiling off) is the C half's, wsnprof_sites.c:
 *
 * - a handler: its call site is EXC_RETURN, in no row;
 * - profiling is off: limit is 0, so the stack is full; top is 0;
 * - the stack is empty, or full and more: the top frame's row is one that fits no function.
 */
#if 0	/* what as without the preprocessor sees */
.error "wsnprof_hooks.S needs cpp: compile it with arm-none-eabi-gcc, not with as"
.end
#endif

#include "wsnprof_hooks.h"

#if WSNPROF_SITES > 0
	.section .bss.wsnprof_hook, "aw", %nobits
	.balign	8
	.global	wsnprof_hook, wsnprof_sites
	.type	wsnprof_hook, %object
	.type	wsnprof_sites, %object
	.size	wsnprof_hook, .Lhook_bytes
	.size	wsnprof_sites, WSNPROF_SITES << WSNPROF_SITE_SHIFT
wsnprof_hook:
	.space	.Lhook_bytes
wsnprof_sites:
	.space	WSNPROF_SITES << WSNPROF_SITE_SHIFT
#endif

#ifdef WSNPROF_CLOCK_INCLUDE
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
 * __cyg_profile_func_enter: 16 instructions (v6-M 20) when the bucket holds the row. No shadow
 * stack; a row's bit 0 of ROW_SITE is turned over while profiling is off, so that nothing is found.
 */
	function __cyg_profile_func_enter
	ldr	r3, =wsnprof_sites
#if !WSNPROF_THUMB1
	add	r2, r0, r1, lsl #1
	ubfx	r2, r2, #2, #SITE_BITS
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

#elif WSNPROF_SITES > 0 && !WSNPROF_THUMB1
/* -------------------------------------------------------------------------- levels 1 to 3 */

/*
 * __cyg_profile_func_enter, v7-M and v8-M mainline: 26 instructions when the first bucket holds the
 * row, 17 more for the second, 15 for each further one.
 *
 *	r3 the table; r4 outside; r7 top; r8 stamp; r9 row; r10 PRIMASK. The stack holds r4-r10,
 *	lr: sp below them is the frame's
 */
	function __cyg_profile_func_enter
	push	{r4-r10, lr}
	mrs	r10, primask
	cpsid	i
	ldr	r3, =wsnprof_sites
	clock_first r8
	ldmdb	r3, {r4-r7}		@ outside, limit, taken, top
	stamp_make	r8, r8, r6
	add	r9, r0, r1, lsl #1
	ubfx	r9, r9, #2, #SITE_BITS
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
	clock_again r6
	time_take_back r8, r4
	strd	r2, r7, [r3, #HOOK_TAKEN]	@ and top
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
	clock_aside r8

enter_slow:
	mov	r2, r8
	mov	r3, sp
	bl	wsnprof_enter_slow	@ (function, site, stamp, sp)
hook_done:				@ r8 stamp, r4 outside, r10 PRIMASK
	clock_last
	time_take_back r8, r4
	str	r2, [r3, #HOOK_TAKEN]
	msr	primask, r10
	pop	{r4-r10, pc}
	.ltorg
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

/*
 * __cyg_profile_func_exit, v7-M and v8-M mainline: 32 instructions at level 2 when the top frame's
 * row is ours.
 *
 *	r3 the table; r4 outside; r5 start, then the duration; r6 row; r7 frame; r8 stamp; r9, lr
 *	the row's site and function, then r0 calls, r1 and r9 total, ip min, lr max; r10 PRIMASK.
 *	The same words on the stack as above
 */
	function __cyg_profile_func_exit
	push	{r4-r10, lr}
	mrs	r10, primask
	cpsid	i
	ldr	r3, =wsnprof_sites
	clock_first r8
	ldmdb	r3, {r4-r7}		@ outside, limit, taken, top
	stamp_make	r8, r8, r6
	if_zero	r7, exit_slow
	ldrd	r5, r6, [r7, #-.Lframe_bytes]!	@ start, row
	ldmia	r6!, {r9, lr}		@ its site and function
	cmp	lr, r0
	it	eq
	cmpeq	r9, r1
	bne	exit_slow
	duration	r5, r5, r8
	bmi	5f
6:
#if WSNPROF_LEVEL == 1
	ldmia	r6, {r0, r1, r9}
	adds	r0, #1
	adds	r1, r1, r5
	adc	r9, r9, #0
	stmia	r6, {r0, r1, r9}
#else
	ldmia	r6, {r0, r1, r9, ip, lr}
	adds	r0, #1
	adds	r1, r1, r5
	adc	r9, r9, #0
	cmp	r5, ip
	blo	1f
2:	cmp	r5, lr
	bhi	3f
4:	stmia	r6, {r0, r1, r9, ip, lr}
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
	adds	r6, #4 * (WSNPROF_BUCKETS - WSNPROF_CALLS)	@ from calls to the buckets
	ldr	r1, [r6, r0, lsl #2]
	adds	r1, #1
	str	r1, [r6, r0, lsl #2]
#endif
	clock_again r6
	time_take_back r8, r4
	strd	r2, r7, [r3, #HOOK_TAKEN]	@ and top
	msr	primask, r10
	pop	{r4-r10, pc}
#if WSNPROF_LEVEL > 1
1:	mov	ip, r5			@ the shortest so far
	b	2b
3:	mov	lr, r5			@ the longest
	b	4b
#endif
5:	cmn	r5, #TIME_BACK		@ wsnprof_since()'s limit
	it	cs
	movcs	r5, #0
	b	6b
exit_slow:
	mov	r2, r8
	mov	r3, sp
	bl	wsnprof_exit_slow	@ (function, site, stamp, sp)
	mov	r8, r0			@ where the time goes on: a handler's start
	b	hook_done
	clock_aside r8
	.ltorg
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
#endif

@ For wsntop doctor.
	.globl	wsnprof_sites_max
wsnprof_sites_max = WSNPROF_SITES
	.globl	wsnprof_built_s
wsnprof_built_s = WSNPROF_BUILT
