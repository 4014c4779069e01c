/*
 * wsnprof_hooks_v6m: the compiler's hooks of -finstrument-functions for v6-M and v8-M baseline,
 * levels 1 to 3: as documented in wsnprof_hooks.S, in Thumb-1.
 */
#if 0	/* what as without the preprocessor sees */
.error "wsnprof_hooks_v6m.S needs cpp: compile it with arm-none-eabi-gcc, not with as"
.end
#endif

#include "wsnprof_hooks.h"

#if WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0 && WSNPROF_THUMB1
/* The first of the four words that each hook needs. */
#if WSNPROF_AS
	.set	HOOK_FAST, HOOK_COST
#else
	.set	HOOK_FAST, HOOK_OUTSIDE
#endif

/*
 * r2 stamp, r3 the table, r4 outside (WSNPROF_AS: cost; lr: ip), r5 limit, r6 taken, r7 top, ip PRIMASK. SysTick: r4 is taken
 * and outside. Up to the reading, and it: 5 instructions, SysTick 7, by capture 6 (to the write that
 * captures).
 */
.macro	hook_begin
#if WSNPROF_AS
	push	{r0-r7, lr}
	mov	lr, ip
#else
	push	{r4-r7, lr}
#endif
	mrs	ip, primask
	cpsid	i
#if WSNPROF_SYSTICK
	ldr	r4, =ICSR
	ldr	r4, [r4]
	ldr	r2, =SYST_CVR
	ldr	r2, [r2]		@ the clock is read
	lsls	r4, r4, #5		@ bit 26: pending
	bmi	80f
	ldr	r3, =wsnprof_sites + HOOK_LAST
	ldr	r5, [r3]
	cmp	r2, r5
	bhi	80f
	stmia	r3!, {r2}
	ldmia	r3!, {r4}		@ base
	subs	r2, r4, r2
81:
#else
#if WSNPROF_CLOCK_SOFT
	clock_soft r2			@ the clock is read
#elif defined(WSNPROF_CLOCK_INCLUDE)
	wsnprof_clock_read r2, r3	@ the clock is read
#elif defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r2, =WSNPROF_CLOCK_CAPTURE
	movs	r3, #1
	str	r3, [r2]		@ the clock is read
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	r2, [r2]
#else
	ldr	r2, =WSNPROF_CLOCK_ADDRESS
	ldr	r2, [r2]		@ the clock is read
#endif
	ldr	r3, =wsnprof_sites + HOOK_FAST
#endif
	ldmia	r3!, {r4-r7}
	stamp_make r2, r2, r6
#if WSNPROF_SYSTICK && !WSNPROF_AS
	adds	r4, r4, r6
#endif
.endm

/* r4: what hook_end needs of the stamp. */
.macro	stamp_keep
#if !WSNPROF_SYSTICK
	stamp_lower r4, r2, r4
#endif
.endm

/*
 * r3: at taken, SysTick at last. Lost: r5, r6. Behind the reading 4 instructions, SysTick 6; by
 * capture 6 from the write on.
 */
.macro	hook_end
#if WSNPROF_SYSTICK
	ldmia	r3!, {r5}
	adds	r3, #(HOOK_TAKEN - HOOK_BASE)
	ldr	r6, =SYST_CVR
	ldr	r6, [r6]		@ the clock is read
	subs	r6, r5, r6
	blo	82f			@ a round ended; the next reading sees that, too
83:	adds	r6, r6, r4
#else
#if WSNPROF_CLOCK_SOFT
	clock_soft r6			@ the clock is read
#elif defined(WSNPROF_CLOCK_INCLUDE)
	wsnprof_clock_read r6, r5	@ the clock is read
#elif defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r6, =WSNPROF_CLOCK_CAPTURE
	movs	r5, #1
	str	r5, [r6]		@ the clock is read
	ldr	r6, =WSNPROF_CLOCK_ADDRESS
	ldr	r6, [r6]
#else
	ldr	r6, =WSNPROF_CLOCK_ADDRESS
	ldr	r6, [r6]		@ the clock is read
#endif
	time_take r6, r6, r4
#endif
	stmia	r3!, {r6, r7}		@ taken, top
	msr	primask, ip
	pop	{r4-r7, pc}
.endm

/* What a hook has behind its end. */
.macro	hook_aside
#if WSNPROF_SYSTICK
80:	clock_soft r2, wsnprof_clock_round
	ldr	r3, =wsnprof_sites + HOOK_FAST
	b	81b
#if !WSNPROF_AS
82:	systick_round r6, r5
	b	83b
#endif
#endif
.endm

/* Behind C: taken is set. r4: the stamp at which the time goes on; r7 is kept. */
.macro	time_go_on
#if WSNPROF_SYSTICK
	ldr	r5, =wsnprof_sites + HOOK_LAST
#if WSNPROF_AS
	ldr	r6, =wsnprof_sites + HOOK_OUTSIDE
	ldr	r6, [r6]
#else
	ldr	r6, [r5, #HOOK_OUTSIDE - HOOK_LAST]
#endif
	subs	r4, r6, r4
86:	bl	wsnprof_clock
	adds	r6, r0, r4
	ldr	r3, [r5]
	ldr	r2, =SYST_CVR
	ldr	r2, [r2]
	subs	r2, r3, r2
	blo	86b
	adds	r2, r2, r6
	str	r2, [r5, #HOOK_TAKEN - HOOK_LAST]
#else
	ldr	r5, =wsnprof_sites + HOOK_OUTSIDE
	ldr	r6, [r5]
	stamp_lower r4, r4, r6
	bl	wsnprof_clock
	time_take r2, r0, r4
	str	r2, [r5, #HOOK_TAKEN - HOOK_OUTSIDE]
#endif
.endm

#if WSNPROF_AS
#include "wsnprof_as_v6m.inc"
#else
/* r4 stamp, r7 PRIMASK. What comes after the reading is as short as in hook_end. */
.macro	hook_done
	time_go_on
	msr	primask, r7
	pop	{r4-r7, pc}
.endm

/*
 * __cyg_profile_func_enter, v6-M and v8-M baseline: 30 instructions (by capture 36, SysTick 44) when
 * the first bucket holds the row, some 20 more for each further one:
 *
 *	 5	registers, PRIMASK, its return
 *	 4	struct wsnprof_hook, and back
 *	 7	time: two readings, the stamp, what was taken
 *	 2	room on the shadow stack, and profiling is on
 *	 4	the bucket
 *	 6	is the row this call's
 *	 2	the frame
 *
 * SysTick's 14 more, here and below: is its interrupt pending 4, did the counter rise 3, last and
 * base 3; at the end 4. Without the first four, rounds that end while interrupts are off would be
 * lost.
 *
 *	r5 row; r6 what is looked at. The stack holds r4-r7, lr: sp below them is the frame's
 */
	function __cyg_profile_func_enter
	hook_begin
	cmp	r7, r5
	bhs	2f
	lsls	r5, r1, #(30 - SITE_BITS)
	lsrs	r5, r5, #(32 - SITE_BITS)
	lsls	r5, r5, #WSNPROF_SITE_SHIFT
	adds	r5, r5, r3
	ldr	r6, [r5, #ROW_SITE]
	cmp	r6, r1
	bne	3f
	ldr	r6, [r5, #ROW_FUNCTION]
	cmp	r6, r0
	bne	3f
5:	mov	r6, sp
	stmia	r7!, {r2, r5, r6}	@ start, row, sp
	stamp_keep
#if WSNPROF_SYSTICK
	subs	r3, #-HOOK_LAST
#else
	subs	r3, #-HOOK_TAKEN
#endif
	hook_end

3:	mov	lr, r4			@ hook_end's
	movs	r4, #0			@ n; r5 walks
4:	ldr	r6, [r5, #ROW_FUNCTION]
	cmp	r6, #0
	beq	2f			@ a free row: none lies behind it
	adds	r4, #1
	cmp	r4, #SITE_WINDOW
	beq	2f
	lsls	r6, r4, #WSNPROF_SITE_SHIFT
	adds	r5, r5, r6
	ldr	r6, =wsnprof_sites + TABLE_BYTES
	cmp	r5, r6
	blo	6f
	ldr	r6, =TABLE_BYTES
	subs	r5, r5, r6
6:	ldr	r6, [r5, #ROW_SITE]
	cmp	r6, r1
	bne	4b
	ldr	r6, [r5, #ROW_FUNCTION]
	cmp	r6, r0
	bne	4b
	mov	r4, lr
	b	5b
2:	mov	r4, r2
	mov	r7, ip
	mov	r3, sp
	sub	sp, #4			@ to 8
	bl	wsnprof_enter_slow	@ (function, site, stamp, sp)
	add	sp, #4
	hook_done
	hook_aside
	.ltorg
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

/*
 * __cyg_profile_func_exit, v6-M and v8-M baseline: 36 instructions (by capture 42, SysTick 50) at
 * level 2 when the top frame's row is ours, and the call is neither the shortest nor the longest:
 *
 *	 5	registers, PRIMASK, its return
 *	 4	struct wsnprof_hook, and back
 *	 7	time, as above
 *	 4	the frame, if there is one
 *	 5	is its row this call's
 *	 1	the duration
 *	 4	the row's numbers, and back
 *	 3	is it the shortest, the longest or negative
 *	 3	calls, total
 *
 *	r5 start, then the duration; r6 row, walking; r7 frame; r0, r1, r3 what is looked at. The same
 *	words on the stack as above
 */
	function __cyg_profile_func_exit
	hook_begin
	subs	r7, #.Lframe_bytes
	blo	10f			@ top is 0
	ldmia	r7!, {r5, r6}		@ start, row
	duration	r5, r5, r2
	stamp_keep
	ldmia	r6!, {r2, r3}		@ its site and function
	cmp	r2, r1
	bne	9f
	cmp	r3, r0
	bne	9f
	subs	r7, #8
#if WSNPROF_LEVEL == 1
	cmp	r5, #0
	bmi	7f
#else
	ldmia	r6!, {r0, r1}		@ min, range
6:	subs	r0, r5, r0
	cmp	r0, r1
	bhi	7f
#endif
8:	ldmia	r6!, {r0, r1, r2}	@ calls, total
	adds	r0, #1
	adds	r1, r1, r5
	bcc	1f
	adds	r2, #1
1:	subs	r6, #12
	stmia	r6!, {r0, r1, r2}
#if WSNPROF_LEVEL == 3
/* Bucket: halve the duration until it is below 2^FIRST. r6: at the word before them. */
	adds	r6, #4
	movs	r0, #7
	lsrs	r5, r5, #WSNPROF_BUCKET_FIRST
4:	beq	5f
	adds	r6, #4
	subs	r0, #1
	beq	5f
	lsrs	r5, r5, #WSNPROF_BUCKET_STEP
	b	4b
5:	ldr	r0, [r6]
	adds	r0, #1
	str	r0, [r6]
#endif
#if WSNPROF_SYSTICK
	ldr	r3, =wsnprof_sites + HOOK_LAST
#else
	ldr	r3, =wsnprof_sites + HOOK_TAKEN
#endif
	hook_end
#if WSNPROF_LEVEL == 1
7:	ldr	r2, =TIME_BACK		@ wsnprof_since()'s limit
	adds	r2, r2, r5
	bcc	8b
	movs	r5, #0
	b	8b
#else
7:	ldr	r2, =TIME_BACK		@ wsnprof_since()'s limit
	subs	r6, #8
	adds	r2, r2, r5
	bcc	1f
	movs	r5, #0
	ldmia	r6!, {r0, r1}
	b	6b
1:	ldr	r2, [r6]		@ min
	cmp	r5, r2
	bls	2f
	movs	r1, r0			@ the longest so far
	movs	r0, r2
	b	3f
2:	adds	r1, r1, r2		@ the shortest
	subs	r1, r1, r5
	movs	r0, r5
	adds	r2, #1
	bne	3f
	movs	r1, #0			@ or the first
3:	stmia	r6!, {r0, r1}
	b	8b
#endif
9:	subs	r7, #8			@ the stamp again, from start and duration
	ldr	r6, [r7]
#if WSNPROF_COUNTS_DOWN
	subs	r2, r6, r5
#else
	adds	r2, r6, r5
#endif
10:	mov	r7, ip
	mov	r3, sp
	sub	sp, #4			@ to 8
	bl	wsnprof_exit_slow	@ (function, site, stamp, sp)
	add	sp, #4
	mov	r4, r0			@ where the time goes on: a handler's start
	hook_done
	hook_aside
	.ltorg
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
#endif
#endif
