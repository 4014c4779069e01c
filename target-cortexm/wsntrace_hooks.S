/*
 * wsntrace_hooks: what `wsntop as` makes functions call (WSNPROF_TRACE), v7-M and v8-M mainline.
 * wsntrace_arch.h tells what they work on, core/filter/filter.h what they may change.
 *
 *	wsntrace_leaf, _enter	ip: the function's lr; lr: 6 behind its beginning, and the Thumb bit
 *	wsntrace_exit, _exit_tail
 *				in front of its return, or of its jump to another function
 *
 * Nothing is locked, but with tasks: a handler's hooks work on another lane than the main program's,
 * and one that interrupts a handler's is counted alone (wsntrace_lanes.c). Registers, in all of
 * them: r0 the lane, r1 w, r2 hash, r3 side, r4 sp. Instructions, with the function's own
 * (mov and bl; b and bl), without tasks; these take 4 more:
 *
 *	leaf			19
 *	enter			19
 *	exit, known		27
 *	exit, new		32
 *
 * What is not so simple goes to wsntrace_slow() (60 to 200), but for calls in a box.
 */
#if 0	/* what as without the preprocessor sees */
.error "wsntrace_hooks.S needs cpp: compile it with arm-none-eabi-gcc, not with as"
.end
#endif

#include "wsnprof_arch.h"
#include "wsntrace_lane.h"

#if WSNPROF_TRACE && !WSNPROF_THUMB1
	.syntax unified
	.thumb
	.section .text.wsntrace, "ax", %progbits
	.balign	4

#define LANE(name) [r0, #WSNPROF_OFFSET(trace_lane, name)]

/* What they keep; and where they call C, whose stack is a multiple of 8. */
#if WSNPROF_TASKS
#define LEAF_KEPT r0-r6
#define LEAF_SLOW ip, lr
#define ENTER_KEPT r0-r7
#define ENTER_SLOW r4, ip, lr
#define EXIT_KEPT r0-r8
#define EXIT_SLOW r4, ip
#else
#define LEAF_KEPT r0-r5
#define LEAF_SLOW r4, ip, lr
#define ENTER_KEPT r0-r6
#define ENTER_SLOW ip, lr
#define EXIT_KEPT r0-r7
#define EXIT_SLOW r4, ip, lr
#endif

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

/* With tasks none goes on in the midst of another's hook: interrupts are off in it. */
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

/* --- a call that calls nothing -------------------------------------------------------------- */

	hook	wsntrace_leaf
	push	{LEAF_KEPT, lr}
	hook_lock r6
	mrs	r1, ipsr
	cbnz	r1, leaf_handler
	lane_get
leaf_look:
	ldmia	r0, {r1-r5}		/* w, hash, side, sp, end */
	cmp	r1, r5
	bhs	leaf_slow
	ldrh	r4, [lr, #-9]		/* 0x80 + id */
	cmp	r4, #0x80 + WSNTRACE_NARROW
	bhi	leaf_wide
	strb	r4, [r1], #1
leaf_hash:
	ldr	r5, =WSNTRACE_K
	mla	r2, r2, r5, r4
	add	r3, r2
	stmia	r0, {r1-r3}
leaf_out:
	hook_unlock r6
	mov	lr, ip
	pop	{LEAF_KEPT, pc}
leaf_wide:			/* 23; the word's last byte is behind w */
	add	r4, r4, #0x8000 - 0x80
	lsls	r5, r4, #8
	orr	r5, r5, #0xfe
	str	r5, [r1], #3
	b	leaf_hash
leaf_handler:
	handler_look leaf_look, leaf_out
	b	leaf_call
leaf_slow:
	ldr	r2, LANE(mode)
	lsls	r3, r2, #31		/* OFF, and C: BOX */
	bmi	leaf_out
	bcs	leaf_box
leaf_call:
	ldrh	r0, [lr, #-9]
	subs	r0, #0x80
	movs	r1, #WSNTRACE_LEAF
	push	{LEAF_SLOW}
	bl	wsntrace_slow
	pop	{LEAF_SLOW}
	b	leaf_out
leaf_box:
	ldr	r1, LANE(boxed)
	adds	r1, #1
	str	r1, LANE(boxed)
	b	leaf_out
	.size	wsntrace_leaf, . - wsntrace_leaf

/* --- a call --------------------------------------------------------------------------------- */

	hook	wsntrace_enter
	push	{ENTER_KEPT, lr}
	hook_lock r7
	mrs	r1, ipsr
	cbnz	r1, enter_handler
	lane_get
enter_look:
	ldmia	r0, {r1-r6}		/* w, hash, side, sp, end, limit */
	cmp	r1, r5
	bhs	enter_slow
	cmp	r4, r6
	bhs	enter_call
	stmia	r4!, {r1-r3}		/* where its token is, its caller's hash */
	ldrh	r2, [lr, #-9]
	cmp	r2, #WSNTRACE_NARROW
	bhi	enter_wide
	strb	r2, [r1], #1
enter_told:
	stmia	r0, {r1-r4}
enter_out:
	hook_unlock r7
	mov	lr, ip
	pop	{ENTER_KEPT, pc}
enter_wide:			/* 22 */
	lsls	r5, r2, #8
	orr	r5, r5, #0xfe
	str	r5, [r1], #3
	b	enter_told
enter_handler:
	handler_look enter_look, enter_out
	b	enter_call
enter_slow:
	ldr	r2, LANE(mode)
	lsls	r3, r2, #31
	bmi	enter_out
	bcs	enter_box
enter_call:
	ldrh	r0, [lr, #-9]
	movs	r1, #WSNTRACE_ENTER
	push	{ENTER_SLOW}
	bl	wsntrace_slow
	pop	{ENTER_SLOW}
	b	enter_out
enter_box:
	ldr	r1, LANE(nest)
	ldr	r2, LANE(boxed)
	adds	r1, #1
	adds	r2, #1
	str	r1, LANE(nest)
	str	r2, LANE(boxed)
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
	hook_lock r8
	mrs	r1, ipsr
	cbnz	r1, exit_handler
	lane_get
exit_look:
	ldmia	r0, {r1-r4}		/* w, hash, side, sp */
	cbz	r4, exit_out		/* before wsnprof_init() */
	ldmdb	r4!, {r5-r7}		/* place of OPEN, its caller's hash and side */
	add	r3, r2
	subs	r7, r3, r7
	ubfx	lr, r7, #0, #7
	cbz	r5, exit_sent
	add	lr, r0, lr, lsl #2
	ldr	lr, [lr, #WSNTRACE_TABLE]
	cmp	lr, r2
	bne	exit_new
	lsl	lr, r2, #8		/* known: back to its OPEN */
	bfi	lr, r7, #8, #8
	orr	lr, lr, #0x7f
	str	lr, [r5]
	adds	r1, r5, #4
exit_told:
	ldr	lr, =WSNTRACE_K		/* (the caller's hash + this one, rotated) * K */
	add	r2, r6, r2, ror #WSNTRACE_TURN
	mul	r2, r2, lr
	stmia	r0, {r1-r4}
exit_out:
	hook_unlock r8
	pop	{EXIT_KEPT, pc}
/* Its OPEN was sent, or it was made from the top level, or a mode is set. */
exit_sent:
	ldr	r5, LANE(end)
	cbz	r5, exit_slow
	ldr	r5, LANE(top)
	cmp	r4, r5
	bls	exit_call
exit_new:
	ldr	r5, LANE(end)
	adds	r5, #WSNTRACE_LEAVE - WSNTRACE_FULL
	cmp	r1, r5
	bhs	exit_call
	ubfx	r5, r7, #0, #7
	add	r5, r0, r5, lsl #2
	str	r2, [r5, #WSNTRACE_TABLE]
	movs	r5, #0x7e
	strb	r5, [r1], #1
	b	exit_told
exit_handler:
	handler_look exit_look, exit_out
	b	exit_call
exit_slow:
	ldr	r2, LANE(mode)
	lsls	r3, r2, #31
	bmi	exit_out
	bcc	exit_call
	ldr	r1, LANE(nest)		/* in a box */
	subs	r1, #1
	str	r1, LANE(nest)
	bne	exit_out
	movs	r1, #WSNTRACE_BOX_END
	b	1f
exit_call:
	movs	r1, #WSNTRACE_EXIT
1:	push	{EXIT_SLOW}
	bl	wsntrace_slow
	pop	{EXIT_SLOW}
	b	exit_out
	.size	wsntrace_exit, . - wsntrace_exit
	.ltorg

/* --- longjmp -------------------------------------------------------------------------------- */

#if WSNPROF_TRACE_JUMPS > 0
	hook	__wrap_setjmp
	push	{r0, r1, r2, lr}
	bl	wsntrace_jump_set
	pop	{r0, r1, r2, lr}
	b	__real_setjmp
	.size	__wrap_setjmp, . - __wrap_setjmp

	hook	__wrap_longjmp
	push	{r0, r1, r2, lr}
	bl	wsntrace_jump
	pop	{r0, r1, r2, lr}
	b	__real_longjmp
	.size	__wrap_longjmp, . - __wrap_longjmp
#endif
#endif
