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
 * "The clock is read" marks both readings: what an instrumented call's time includes lies behind
 * the enter hook's second and before the exit hook's first one. With a clock that counts down,
 * stamp = clock + taken, taken = stamp - clock, and durations are the other way round: no
 * instruction more.
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
#if WSNPROF_AS_V7M
/* What hooks need that run before wsnprof_init(). */
	.section .rodata.wsnprof_no_frame, "a", %progbits
	.balign	4
	.global	wsnprof_no_frame
	.type	wsnprof_no_frame, %object
	.size	wsnprof_no_frame, .Lframe_bytes
wsnprof_no_frame:
	.word	0, 0, 1			@ sp: WSNPROF_EDGE, no function's

	.section .data.wsnprof_hook, "aw", %progbits
	.balign	8
	.global	wsnprof_hook
	.type	wsnprof_hook, %object
	.size	wsnprof_hook, .Lhook_bytes
wsnprof_hook:
	.space	WSNPROF_OFFSET(hook, sites)
	.word	wsnprof_sites, 1	@ and one
	.space	WSNPROF_OFFSET(hook, top) - WSNPROF_OFFSET(hook, one) - 4
	.word	wsnprof_no_frame + .Lframe_bytes
#if WSNPROF_SYSTICK_ALONE
	.space	.Lhook_bytes - WSNPROF_OFFSET(hook, top) - 4
#endif
wsnprof_hook_end:

	.section .bss.wsnprof_sites, "aw", %nobits
	.balign	8
	.global	wsnprof_sites
	.type	wsnprof_sites, %object
	.size	wsnprof_sites, WSNPROF_SITES << WSNPROF_SITE_SHIFT
wsnprof_sites:
	.space	WSNPROF_SITES << WSNPROF_SITE_SHIFT
#else
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
#if WSNPROF_AS
#include "wsnprof_as_count.inc"
#else
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
#endif

#elif WSNPROF_SITES > 0 && !WSNPROF_THUMB1
/* -------------------------------------------------------------------------- levels 1 to 3 */

/* The clock's address and the table's are loaded by one instruction. */
#if WSNPROF_SYSTICK_ALONE
#define CLOCK_WORD SYST_CVR
#elif !WSNPROF_CLOCK_DIRECT || WSNPROF_CLOCK_BOTH || defined(WSNPROF_CLOCK_INCLUDE) || \
	defined(WSNPROF_CLOCK_CAPTURE)
#elif defined(WSNPROF_CLOCK_ADDRESS)
#define CLOCK_WORD WSNPROF_CLOCK_ADDRESS
#endif

/*
 * What a hook saves; scratch while it reads SysTick. Those of WSNPROF_AS (wsnprof_as.inc) keep all
 * registers, load the table's address and `one`, and have `cost` in r4. \back: the register that
 * they return to.
 */
#if WSNPROF_AS
#define SAVED r0-r11, \back
#define ONE r0, r1,
#define LOOK r0
#define ASIDE r11
#define COUNT r11
#else
#define SAVED r4-r10, lr
#define ONE
#define LOOK ip
#define ASIDE ip
#define COUNT lr
#endif

/* PRIMASK is in r10. */
.macro	mask_begin
#if WSNPROF_AS && WSNPROF_FAULTMASK
	cpsid	f
#else
	mrs	r10, primask
	cpsid	i
#endif
.endm

.macro	mask_end
#if WSNPROF_AS && WSNPROF_FAULTMASK
	cpsie	f
#else
	msr	primask, r10
#endif
.endm

/*
 * r3: the table (WSNPROF_AS: HOOK_END, and r0 the table), r4 outside, r5 limit, r6 taken, r7 top,
 * r8 stamp, r10 PRIMASK; r2, with SysTick alone r4 too (taken and outside), is hook_end's. Up to the reading, and it: 5 instructions, a
 * clock found out at the start 7, SysTick 6, by capture 6 (to the write that captures).
 *
 * SysTick. wsnprof_clock.c's soft_read() adds rounds; there is none to add where no interrupt of it
 * is pending and the counter fell. Rare cases leave at 80 and 82: hook_aside.
 */
.macro	hook_begin back=lr
	push	{SAVED}
	mask_begin
#if WSNPROF_CLOCK_BOTH
	ldr	r3, =HOOK_END
	ldmdb	r3, {ONE r2, r4-r7}
	if_zero	r2, 80f
	ldr	r8, [r2]		@ the clock is read
81:
#elif WSNPROF_SYSTICK_ALONE
	ldrd	r2, r3, 89f
	ldr	LOOK, [r2, #ICSR - SYST_CVR]
	ldr	COUNT, [r2]		@ the clock is read
	lsls	LOOK, LOOK, #5		@ bit 26: pending
	ldmdb	r3, {ONE r4-r9}		@ last and base behind top
	bmi	80f
	cmp	COUNT, r8
	bhi	80f
	str	COUNT, [r3, #HOOK_LAST]
	subs	r8, r9, COUNT
81:
#else
#ifdef CLOCK_WORD
	ldrd	r2, r3, 89f
	ldr	r8, [r2]		@ the clock is read
#elif WSNPROF_CLOCK_SOFT
	clock_soft r8			@ the clock is read
#elif defined(WSNPROF_CLOCK_INCLUDE)
	wsnprof_clock_read r8, r2	@ the clock is read
#else
	ldr	r2, =WSNPROF_CLOCK_CAPTURE
	mov	r8, #1
	str	r8, [r2]		@ the clock is read
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	r8, [r2]
#endif
#ifndef CLOCK_WORD
	ldr	r3, =HOOK_END
#endif
	ldmdb	r3, {ONE r4-r7}
#endif
	stamp_make r8, r8, r6
#if WSNPROF_SYSTICK_ALONE && !WSNPROF_AS
	adds	r4, r4, r6
#endif
.endm

/* r4: what hook_end needs of the stamp; r8 is free then. */
.macro	stamp_keep
#if !WSNPROF_SYSTICK_ALONE
	stamp_lower r4, r8, r4
#endif
.endm

/*
 * Lost: r5, r6. Behind the reading 4 instructions, SysTick 6 and found out 5; by capture 7 from the
 * write on.
 */
.macro	hook_end
#if WSNPROF_CLOCK_BOTH
	if_zero	r2, 82f
	ldr	r2, [r2]		@ the clock is read
83:
#elif WSNPROF_SYSTICK_ALONE
	ldr	r5, [r3, #HOOK_LAST]
	ldr	r2, [r2]		@ the clock is read
	subs	r2, r5, r2
	blo	82f			@ a round ended; the next reading sees that, too
83:	adds	r2, r2, r4
#elif WSNPROF_CLOCK_SOFT
	clock_soft r2			@ the clock is read
#elif defined(WSNPROF_CLOCK_INCLUDE)
	wsnprof_clock_read r2, r5	@ the clock is read
#elif defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r2, =WSNPROF_CLOCK_CAPTURE
	movs	r5, #1
	str	r5, [r2]		@ the clock is read
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	r2, [r2]
#else
	ldr	r2, [r2]		@ the clock is read
#endif
#if !WSNPROF_SYSTICK_ALONE
	time_take r2, r2, r4
#endif
	strd	r2, r7, [r3, #HOOK_TAKEN]	@ and top
	msr	primask, r10
	pop	{r4-r10, pc}
.endm

/* What a hook has behind its end. */
.macro	hook_aside
#if WSNPROF_CLOCK_BOTH
80:	ldr	r2, =SYST_CVR
	ldr	ASIDE, [r2, #ICSR - SYST_CVR]
	ldr	r9, [r3, #HOOK_LAST]
	ldr	r8, [r2]
	lsls	ASIDE, ASIDE, #5	@ bit 26: pending
	bmi	84f
	cmp	r8, r9
	bhi	84f
	ldr	r9, [r3, #HOOK_BASE]
	str	r8, [r3, #HOOK_LAST]
	subs	r8, r9, r8
	movs	r2, #0
	b	81b
84:	clock_soft r8, wsnprof_clock_round
	movs	r2, #0
	b	81b
#if !WSNPROF_AS
82:	ldr	r2, =SYST_CVR
	ldrd	r5, r6, [r3, #HOOK_LAST]	@ and base
	ldr	r2, [r2]
	cmp	r2, r5
	sub	r2, r6, r2
	bls	83b
	systick_round r2, r5
	b	83b
#endif
#elif WSNPROF_SYSTICK_ALONE
80:	mov	r8, COUNT
	clock_soft r8, wsnprof_clock_round
	b	81b
#if !WSNPROF_AS
82:	systick_round r2, r5
	b	83b
#endif
#endif
#ifdef CLOCK_WORD
	.balign	4
89:	.word	CLOCK_WORD, HOOK_END
#endif
.endm

/* Behind C: taken is set. r8: the stamp at which the time goes on; r10 is kept. */
.macro	time_go_on
	ldr	r9, =HOOK_END
	ldr	r4, [r9, #HOOK_OUTSIDE]
#if WSNPROF_SYSTICK_ALONE
1:	bl	wsnprof_clock
	subs	r0, r0, r8
	adds	r6, r0, r4
	ldr	r2, =SYST_CVR
	ldr	r5, [r9, #HOOK_LAST]
	ldr	r2, [r2]
	subs	r2, r5, r2
	blo	1b
	adds	r2, r2, r6
#else
	stamp_lower r4, r8, r4
#if WSNPROF_CLOCK_BOTH
	ldr	r2, [r9, #HOOK_CLOCK]
	cbz	r2, 1f
	ldr	r0, [r2]
	b	2f
1:	bl	wsnprof_clock
	ldr	r2, =SYST_CVR
	ldrd	r5, r6, [r9, #HOOK_LAST]	@ and base
	ldr	r2, [r2]
	cmp	r2, r5
	bhi	1b
	subs	r0, r6, r2
2:
#else
	bl	wsnprof_clock
#endif
	time_take r2, r0, r4
#endif
	str	r2, [r9, #HOOK_TAKEN]
.endm

#if WSNPROF_AS
#include "wsnprof_as.inc"
#else
/*
 * __cyg_profile_func_enter, v7-M and v8-M mainline: 25 instructions (SysTick 35) when the first
 * bucket holds the row, 17 more for the second, 15 for each further one:
 *
 *	 5	registers, PRIMASK, its return
 *	 3	what lies in memory: its address and the clock's, struct wsnprof_hook, and back
 *	 5	time: two readings, the stamp, what was taken
 *	 2	room on the shadow stack, and profiling is on
 *	 3	the bucket
 *	 5	is the row this call's
 *	 2	the frame
 *
 *	r3 the table; r4 outside; r7 top; r8 stamp; r9 row; r10 PRIMASK. The stack holds r4-r10,
 *	lr: sp below them is the frame's
 */
	function __cyg_profile_func_enter
	hook_begin
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
	stamp_keep
	hook_end

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
	hook_aside

enter_slow:
	mov	r2, r8
	mov	r3, sp
	bl	wsnprof_enter_slow	@ (function, site, stamp, sp)

/* r8 stamp, r10 PRIMASK. What comes after the reading must be as short as in hook_end. */
hook_done:
	time_go_on
	msr	primask, r10
	pop	{r4-r10, pc}
	.ltorg
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

/*
 * __cyg_profile_func_exit, v7-M and v8-M mainline: 29 instructions (SysTick 39) at level 2 when the
 * top frame's row is ours, and the call is neither the shortest nor the longest:
 *
 *	 5	registers, PRIMASK, its return
 *	 3	what lies in memory, as above
 *	 5	time, as above
 *	 2	the frame, if there is one
 *	 5	is its row this call's
 *	 1	the duration
 *	 2	the row's numbers, and back
 *	 3	is it the shortest, the longest or negative
 *	 3	calls, total
 *
 *	r3 the table; r4 outside, then stamp_keep's; r5 start, then the duration; r6 row; r7 frame;
 *	r8 stamp, then the duration less min; r9, lr the row's site and function, then r0 min, r1
 *	range, r9 calls, ip and lr total; r10 PRIMASK. The same words on the stack as above
 */
	function __cyg_profile_func_exit
	hook_begin
	if_zero	r7, exit_slow
	ldrd	r5, r6, [r7, #-.Lframe_bytes]!	@ start, row
	ldmia	r6!, {r9, lr}		@ its site and function
	cmp	lr, r0
	it	eq
	cmpeq	r9, r1
	bne	exit_slow
	duration	r5, r5, r8
#if WSNPROF_LEVEL == 1
	bmi	5f
6:	stamp_keep
	ldmia	r6, {r0, r1, r9}
	adds	r0, #1
	adds	r1, r1, r5
	adc	r9, r9, #0
	stmia	r6, {r0, r1, r9}
#else
	stamp_keep
	ldmia	r6, {r0, r1, r9, ip, lr}
6:	sub	r8, r5, r0
	cmp	r8, r1
	bhi	5f
7:	add	r9, r9, #1
	adds	ip, ip, r5
	adc	lr, lr, #0
	stmia	r6, {r0, r1, r9, ip, lr}
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
	adds	r6, #4 * (WSNPROF_BUCKETS - WSNPROF_MIN)	@ from min to the buckets
	ldr	r1, [r6, r0, lsl #2]
	adds	r1, #1
	str	r1, [r6, r0, lsl #2]
#endif
	hook_end
#if WSNPROF_LEVEL == 1
5:	cmn	r5, #TIME_BACK		@ wsnprof_since()'s limit
	it	cs
	movcs	r5, #0
	b	6b
#else
5:	cmn	r5, #TIME_BACK		@ wsnprof_since()'s limit
	itt	cs
	movcs	r5, #0
	bcs	6b
	cmp	r5, r0
	it	hi
	movhi	r1, r8			@ the longest so far
	bhi	7b
	add	r1, r1, r0		@ the shortest
	subs	r1, r1, r5
	cmn	r0, #1
	it	eq
	moveq	r1, #0			@ or the first
	mov	r0, r5
	b	7b
#endif
exit_slow:
	mov	r2, r8
	mov	r3, sp
	bl	wsnprof_exit_slow	@ (function, site, stamp, sp)
	mov	r8, r0			@ where the time goes on: a handler's start
	b	hook_done
	hook_aside
	.ltorg
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
#endif
#endif

#if WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0 && !WSNPROF_AS
/*
 * For the host (core/image/calibration.h), which counts both hooks' instructions from their entry
 * down to their return: the way without a taken branch is the one that an empty call goes. And both
 * hooks have as many before their first reading of the clock, and behind their last: LEFT, what the
 * outer ones of the four (the enter hook's before, the exit hook's behind) are more than the inner.
 */
	.globl	wsnprof_calib_left
wsnprof_calib_left = 0
/* Instructions behind the last reading that the C half's way has more. */
	.globl	wsnprof_calib_slow
#if WSNPROF_SYSTICK
wsnprof_calib_slow = 0
#else
wsnprof_calib_slow = 1
#endif
#if WSNPROF_CLOCK_INSNS
	.globl	wsnprof_calib_insns
wsnprof_calib_insns = 1
#endif
#endif

@ For wsntop doctor.
	.globl	wsnprof_sites_max
wsnprof_sites_max = WSNPROF_SITES
	.globl	wsnprof_built_s
wsnprof_built_s = WSNPROF_BUILT
