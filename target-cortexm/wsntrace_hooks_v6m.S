/*
 * wsntrace_hooks_v6m: the same as wsntrace_hooks.S, for v6-M and v8-M baseline. Instructions:
 *
 *	leaf			24
 *	enter			21
 *	exit, known		37
 *	exit, new		42
 */
#if 0	/* what as without the preprocessor sees */
.error "wsntrace_hooks_v6m.S needs cpp: compile it with arm-none-eabi-gcc, not with as"
.end
#endif

#include "wsnprof_arch.h"
#include "wsntrace_lane.h"

#if WSNPROF_TRACE && WSNPROF_THUMB1
	.syntax unified
	.thumb
	.section .text.wsntrace, "ax", %progbits
	.balign	4

#define LANE(name) [r0, #WSNPROF_OFFSET(trace_lane, name)]
/* Where r0 is behind so many words that ldmia loaded. */
#define BEHIND(words, name) [r0, #WSNPROF_OFFSET(trace_lane, name) - 4 * words]

#if WSNPROF_TASKS
#define LEAF_KEPT r0-r6
#define ENTER_KEPT r0-r7
#else
#define LEAF_KEPT r0-r5
#define ENTER_KEPT r0-r6
#endif
#define EXIT_KEPT r0-r7

.macro	hook name
	.balign	4
	.global	\name
	.type	\name, %function
	.thumb_func
\name:
.endm

/* r0: the lane that runs, but for handlers'. */
.macro	lane_get
#if WSNPROF_TASKS
	ldr	r0, =wsntrace_of_task
	ldr	r0, [r0]
#else
	ldr	r0, =wsntrace_main
#endif
.endm

/*
 * With tasks none goes on in the midst of another's hook: interrupts are off in it. An exit's lr is
 * free for what they were.
 */
.macro	hook_lock keep
#if WSNPROF_TASKS
	mrs	\keep, primask
	cpsid	i
#endif
.endm
.macro	hook_unlock keep
#if WSNPROF_TASKS
	msr	primask, \keep
#endif
.endm

/* In a handler (r1: which): back to `fast` if the handlers' lane is its own. */
.macro	handler_look fast, out
#if WSNPROF_TRACE_HANDLERS > 0
	ldr	r0, =wsntrace_handlers
	ldr	r2, LANE(exception)
	cmp	r1, r2
	beq	\fast
#else
	b	\out
#endif
.endm

/* wsntrace_slow(the id before the function, why). Clobbers r0 to r3. */
.macro	enter_slowly why
	mov	r0, lr
	subs	r0, #9
	ldrh	r0, [r0]
	.if	\why == WSNTRACE_LEAF
	subs	r0, #0x80
	.endif
	movs	r1, #\why
	mov	r2, ip
	push	{r1, r2}
	bl	wsntrace_slow
	pop	{r1, r2}
	mov	ip, r2
.endm

#if WSNPROF_TRACE_LONG
/* r6: the clock (wsntrace_ticks()). */
.macro	ticks_get
#if defined(WSNPROF_CLOCK_ADDRESS) && WSNPROF_CLOCK_DIRECT && !defined(WSNPROF_CLOCK_CAPTURE)
	ldr	r6, =WSNPROF_CLOCK_ADDRESS
	ldr	r6, [r6]
#if WSNPROF_COUNTS_DOWN
	rsbs	r6, r6, #0
#endif
#else
	mov	r6, lr
	bl	ticks_call
#endif
.endm
/* r6: what lr is behind it. */
ticks_call:
	push	{r0-r3, lr}
	mov	r1, ip
	push	{r1, r6}
	bl	wsntrace_clock
	mov	r6, r0
	pop	{r1, r2}
	mov	ip, r1
	mov	lr, r2
	pop	{r0-r3, pc}

.macro	units_get
	ticks_get
#if WSNTRACE_SHIFT > 0
	lsrs	r6, #WSNTRACE_SHIFT
#endif
.endm

/*
 * The time of what follows, to r1. `end`, of which it is `less` bytes, is r5: from there on it is put
 * and dropped, which takes nearly as long. Clobbers r5, r6.
 */
.macro	stamp_put less
	units_get
	strb	r6, [r1, #1]
	lsrs	r6, #8
	strb	r6, [r1, #2]
	movs	r6, #0x80
	strb	r6, [r1]
	subs	r5, #\less
	cmp	r1, r5
	bhs	1f
	adds	r1, #3
1:
.endm
#endif

/* --- a call that calls nothing -------------------------------------------------------------- */

	hook	wsntrace_leaf
	push	{LEAF_KEPT, lr}
	hook_lock r6
	mrs	r1, ipsr
	cmp	r1, #0
	bne	leaf_handler
	lane_get
leaf_look:
	ldmia	r0!, {r1-r5}		/* w, hash, side, sp, end */
	cmp	r1, r5
	bhs	leaf_slow
	mov	r4, lr
	subs	r4, #9
	ldrh	r4, [r4]		/* 0x80 + id */
	cmp	r4, #0x80 + WSNTRACE_NARROW
	bhi	leaf_wide
	strb	r4, [r1]
	adds	r1, #1
leaf_hash:
	ldr	r5, =WSNTRACE_K
	muls	r2, r5
	adds	r2, r4
	adds	r3, r2
	subs	r0, #20
	stmia	r0!, {r1-r3}
leaf_out:
	hook_unlock r6
	mov	lr, ip
	pop	{LEAF_KEPT, pc}
leaf_wide:
	movs	r5, #0xfe
	strb	r5, [r1]
	movs	r5, #0xff		/* - 0x80: 0x7f80 */
	lsls	r5, #7
	adds	r4, r5
	strb	r4, [r1, #1]
	lsrs	r5, r4, #8
	strb	r5, [r1, #2]
	adds	r1, #3
	b	leaf_hash
leaf_handler:
	handler_look leaf_look, leaf_out
	b	leaf_call
leaf_slow:
	ldr	r2, BEHIND(5, mode)
	lsls	r3, r2, #31		/* OFF, and C: BOX */
	bmi	leaf_out
	bcs	leaf_box
leaf_call:
	enter_slowly WSNTRACE_LEAF
	b	leaf_out
leaf_box:
	ldr	r1, BEHIND(5, boxed)
	adds	r1, #1
	str	r1, BEHIND(5, boxed)
	b	leaf_out
	.size	wsntrace_leaf, . - wsntrace_leaf

/* --- a call --------------------------------------------------------------------------------- */

	hook	wsntrace_enter
	push	{ENTER_KEPT, lr}
	hook_lock r7
	mrs	r1, ipsr
	cmp	r1, #0
	bne	enter_handler
	lane_get
enter_look:
	ldmia	r0!, {r1-r6}		/* w, hash, side, sp, end, limit */
	cmp	r1, r5
	bhs	enter_slow
	cmp	r4, r6
	bhs	enter_call
#if WSNPROF_TRACE_LONG
	stamp_put WSNTRACE_FULL - WSNTRACE_UNSTAMPED
#endif
	stmia	r4!, {r1-r3}		/* where its token is, its caller's hash */
	mov	r2, lr
	subs	r2, #9
	ldrh	r2, [r2]
	cmp	r2, #WSNTRACE_NARROW
	bhi	enter_wide
	strb	r2, [r1]
	adds	r1, #1
enter_told:
	subs	r0, #24
	stmia	r0!, {r1-r4}
enter_out:
	hook_unlock r7
	mov	lr, ip
	pop	{ENTER_KEPT, pc}
enter_wide:
	movs	r5, #0xfe
	strb	r5, [r1]
	strb	r2, [r1, #1]
	lsrs	r5, r2, #8
	strb	r5, [r1, #2]
	adds	r1, #3
	b	enter_told
enter_handler:
	handler_look enter_look, enter_out
	b	enter_call
enter_slow:
	ldr	r2, BEHIND(6, mode)
	lsls	r3, r2, #31
	bmi	enter_out
	bcs	enter_box
enter_call:
	enter_slowly WSNTRACE_ENTER
	b	enter_out
enter_box:
	ldr	r1, BEHIND(6, nest)
	ldr	r2, BEHIND(6, boxed)
	adds	r1, #1
	adds	r2, #1
	str	r1, BEHIND(6, nest)
	str	r2, BEHIND(6, boxed)
	b	enter_out
	.ltorg
	.size	wsntrace_enter, . - wsntrace_enter

/* --- its end -------------------------------------------------------------------------------- */

	.global	wsntrace_exit_tail
	.type	wsntrace_exit_tail, %function
	.thumb_func
	hook	wsntrace_exit
wsntrace_exit_tail:
	push	{EXIT_KEPT, lr}
	hook_lock lr
	mrs	r1, ipsr
	cmp	r1, #0
	bne	exit_handler
	lane_get
exit_look:
	ldmia	r0!, {r1-r4}		/* w, hash, side, sp */
	cmp	r4, #0			/* before wsnprof_init() */
	beq	exit_out
	subs	r4, #12
	ldmia	r4!, {r5-r7}		/* place of OPEN, its caller's hash and side */
	subs	r4, #12
	adds	r3, r2
	subs	r7, r3, r7
	cmp	r5, #0
	beq	exit_sent
	lsls	r1, r7, #25
	lsrs	r1, #23
	adds	r1, r0
	ldr	r1, [r1, #WSNTRACE_TABLE - 16]
	cmp	r1, r2
	bne	exit_other
#if WSNPROF_TRACE_LONG		/* its stamp goes, too, but for a call that took long */
	ldr	r1, BEHIND(4, end)
	subs	r1, #WSNTRACE_FULL - WSNTRACE_UNSTAMPED
	cmp	r5, r1
	bhs	exit_refer
	units_get
	subs	r5, #2
	ldrb	r1, [r5]
	subs	r6, r1
	ldrb	r1, [r5, #1]
	lsls	r1, #8
	subs	r6, r1
	uxth	r6, r6
	ldr	r1, =wsntrace_bounds
	ldrh	r1, [r1, #2]
	cmp	r6, r1
	bhs	exit_lasted
	subs	r5, #1
	ldr	r6, [r4, #4]
exit_refer:
#endif
	movs	r1, #0x7f		/* known: back to its OPEN */
	strb	r1, [r5]
	strb	r7, [r5, #1]
	lsrs	r1, r2, #8
	strb	r1, [r5, #2]
	lsrs	r1, #8
	strb	r1, [r5, #3]
	adds	r1, r5, #4
exit_told:
	ldr	r5, =WSNTRACE_K		/* (the caller's hash + this one, rotated) * K */
	rors	r2, r5
	adds	r2, r6
	muls	r2, r5
	subs	r0, #16
	stmia	r0!, {r1-r4}
exit_out:
	hook_unlock lr
	pop	{EXIT_KEPT, pc}
exit_other:
	subs	r0, #16
	ldmia	r0!, {r1}
	adds	r0, #12
exit_new:
	ldr	r5, BEHIND(4, end)
	adds	r5, #WSNTRACE_LEAVE - WSNTRACE_FULL
	cmp	r1, r5
	bhs	exit_call
	lsls	r5, r7, #25
	lsrs	r5, #23
	adds	r5, r0
	str	r2, [r5, #WSNTRACE_TABLE - 16]
#if WSNPROF_TRACE_LONG
	ldr	r5, BEHIND(4, end)
	stamp_put WSNTRACE_FULL - WSNTRACE_STAMPED
	ldr	r6, [r4, #4]
#endif
	movs	r5, #0x7e
	strb	r5, [r1]
	adds	r1, #1
	b	exit_told
exit_handler:
	handler_look exit_look, exit_out
	b	exit_call
#if WSNPROF_TRACE_LONG
exit_lasted:
	ldr	r1, =wsntrace_bounds
	ldrh	r1, [r1]
	adds	r5, #2
	cmp	r6, r1
	ldr	r6, [r4, #4]
	blo	exit_refer
	b	exit_other		/* it is told again */
#endif
exit_slow:
	ldr	r2, BEHIND(4, mode)
	lsls	r3, r2, #31
	bmi	exit_out
	bcc	exit_call
	ldr	r1, BEHIND(4, nest)		/* in a box */
	subs	r1, #1
	str	r1, BEHIND(4, nest)
	bne	exit_out
	movs	r1, #WSNTRACE_BOX_END
	b	1f
/* Its OPEN was sent, or it was made from the top level, or a mode is set. */
exit_sent:
	ldr	r5, BEHIND(4, end)
	cmp	r5, #0
	beq	exit_slow
	ldr	r5, BEHIND(4, top)
	cmp	r4, r5
	bhi	exit_new
exit_call:
	movs	r1, #WSNTRACE_EXIT
1:	mov	r4, ip
#if WSNPROF_TASKS
	mov	r5, lr
	bl	wsntrace_slow
	mov	lr, r5
#else
	bl	wsntrace_slow
#endif
	mov	ip, r4
	b	exit_out
	.ltorg
	.size	wsntrace_exit, . - wsntrace_exit

/* --- longjmp -------------------------------------------------------------------------------- */

#if WSNPROF_TRACE_JUMPS > 0
.macro	jump_wrap name, told
	hook	__wrap_\name
	push	{r0-r2, lr}
	bl	\told
	ldr	r0, [sp, #12]
	mov	lr, r0
	pop	{r0-r2}
	add	sp, #4
	ldr	r3, =__real_\name
	bx	r3
	.ltorg
	.size	__wrap_\name, . - __wrap_\name
.endm
	jump_wrap setjmp, wsntrace_jump_set
	jump_wrap longjmp, wsntrace_jump
#endif
#endif
