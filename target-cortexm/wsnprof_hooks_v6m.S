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
/*
 * __cyg_profile_func_enter, v6-M and v8-M baseline: 32 instructions (by capture 40) when the first
 * bucket holds the row, some 20 more for each further one.
 *
 *	r2 stamp; r3 the table, then outside's address; r4 row; r6 top; r7 PRIMASK. The stack holds
 *	r4-r7, lr: sp below them is the frame's
 */
	function __cyg_profile_func_enter
	push	{r4-r7, lr}
	mrs	r7, primask
	cpsid	i
	clock_first r4
#if !WSNPROF_SYSTICK
	ldr	r3, =wsnprof_sites + HOOK_LIMIT
#endif
	ldmia	r3!, {r2, r5, r6}	@ limit, taken, top; r3: the table, right behind them
	mov	ip, r2
	stamp_make	r2, r4, r5
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
	subs	r3, #-HOOK_OUTSIDE	@ outside's
	str	r6, [r3, #HOOK_TOP - HOOK_OUTSIDE]
	clock_again r5
	ldr	r5, [r3]
	time_take_back r4, r5
	str	r2, [r3, #HOOK_TAKEN - HOOK_OUTSIDE]
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
	clock_last
	ldr	r5, [r3]
	time_take_back r4, r5
	str	r2, [r3, #HOOK_TAKEN - HOOK_OUTSIDE]
	msr	primask, r7
	pop	{r4-r7, pc}
	clock_aside r4
	.ltorg
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

/*
 * __cyg_profile_func_exit, v6-M and v8-M baseline: 40 instructions (by capture 48) at level 2 when
 * the top frame's row is ours.
 *
 *	r2 stamp; r3 the table, then outside's address; r4 start, then the duration; r5 frame; r6
 *	row, walking; r7 what is looked at; then r0 calls, r1 and r5 total, r7 min. The stack holds
 *	PRIMASK, r4-r7, lr
 */
	function __cyg_profile_func_exit
	push	{r4-r7, lr}
	mrs	r7, primask
	cpsid	i
	push	{r7}
	clock_first r4
#if WSNPROF_SYSTICK
	adds	r3, #4
#else
	ldr	r3, =wsnprof_sites + HOOK_TAKEN
#endif
	ldmia	r3!, {r2, r5}		@ taken, top; r3: the table
	stamp_make	r2, r4, r2
	subs	r5, #.Lframe_bytes
	blo	9f			@ top is 0
	ldmia	r5!, {r4, r6}		@ start, row
	ldmia	r6!, {r3, r7}		@ its site and function
	cmp	r3, r1
	bne	9f
	cmp	r7, r0
	bne	9f
	subs	r5, #8
	ldr	r3, =wsnprof_sites + HOOK_OUTSIDE
	str	r5, [r3, #HOOK_TOP - HOOK_OUTSIDE]
	duration	r4, r4, r2
	bmi	8f
10:
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
/* Bucket: halve the duration until it is below 2^FIRST. r6: at max. */
	adds	r6, #4 * (WSNPROF_BUCKETS - WSNPROF_MAX)
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
	clock_again r5
	ldr	r5, [r3]
	time_take_back r4, r5
	str	r2, [r3, #HOOK_TAKEN - HOOK_OUTSIDE]
	pop	{r7}
	msr	primask, r7
	pop	{r4-r7, pc}
#if WSNPROF_LEVEL > 1
6:	mov	r7, r4			@ the shortest so far
	b	2b
7:	str	r4, [r6]		@ the longest
	b	3b
#endif
8:	ldr	r7, =TIME_BACK		@ wsnprof_since()'s limit
	cmn	r4, r7
	bcc	10b
	movs	r4, #0
	b	10b
9:	add	r3, sp, #4		@ the frame's sp: r4-r7 and lr lie above it
	bl	wsnprof_exit_slow	@ (function, site, stamp, sp)
	mov	r4, r0			@ where the time goes on: a handler's start
	clock_last
	ldr	r5, [r3]
	time_take_back r4, r5
	str	r2, [r3, #HOOK_TAKEN - HOOK_OUTSIDE]
	pop	{r7}
	msr	primask, r7
	pop	{r4-r7, pc}
	clock_aside r4
	.ltorg
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
#endif
