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

#if WSNPROF_TRACE_LONG
/* lr: the clock (wsntrace_ticks()). Clobbers the flags. */
.macro	ticks_get
#if WSNPROF_CLOCK_BOTH
	ldr	lr, =wsnprof_clock_at
	ldr	lr, [lr]
	cmp	lr, #0
	ite	ne
	ldrne	lr, [lr]
	bleq	ticks_call
#elif defined(WSNPROF_CLOCK_ADDRESS) && WSNPROF_CLOCK_DIRECT && !defined(WSNPROF_CLOCK_CAPTURE)
	ldr	lr, =WSNPROF_CLOCK_ADDRESS
	ldr	lr, [lr]
#if WSNPROF_COUNTS_DOWN
	rsb	lr, lr, #0
#endif
#else
	bl	ticks_call
#endif
.endm
ticks_call:
	push	{r0-r3, ip, lr}
	bl	wsntrace_clock
	mov	lr, r0
	pop	{r0-r3, ip, pc}

/*
 * The time of what follows, to r1. `end`, of which it is `less` bytes, is r5: from there on it is put
 * and dropped, which takes as long. Clobbers r5, lr.
 */
.macro	stamp_put less
	ticks_get
	ubfx	lr, lr, #WSNTRACE_SHIFT, #16
	lsl	lr, lr, #8
	orr	lr, lr, #0x80
	str	lr, [r1]
	subs	r5, #\less
	cmp	r1, r5
	it	lo
	addlo	r1, #3
.endm

/* r1: which of wsntrace_bounds. */
.macro	bound_get n, value
#if WSNPROF_TRACE_SAMPLE
	ldr	r1, =wsntrace_bounds
	ldrh	r1, [r1, #\n]
#else
	movw	r1, #\value
#endif
.endm
#endif

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
#if WSNPROF_TRACE_LONG
	ldrh	r6, [lr, #-9]
	stamp_put WSNTRACE_FULL - WSNTRACE_UNSTAMPED
	stmia	r4!, {r1-r3}
	mov	r2, r6
#else
	stmia	r4!, {r1-r3}		/* where its token is, its caller's hash */
	ldrh	r2, [lr, #-9]
#endif
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
#if WSNPROF_TRACE_LONG
	b	exit_timed
exit_refer:
#endif
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
exit_handler:
	handler_look exit_look, exit_out
	b	exit_call
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
#if WSNPROF_TRACE_LONG
	ubfx	lr, r7, #0, #7
	add	lr, r0, lr, lsl #2
	str	r2, [lr, #WSNTRACE_TABLE]
	stamp_put WSNTRACE_LEAVE - WSNTRACE_STAMPED
#else
	ubfx	r5, r7, #0, #7
	add	r5, r0, r5, lsl #2
	str	r2, [r5, #WSNTRACE_TABLE]
#endif
	movs	r5, #0x7e
	strb	r5, [r1], #1
	b	exit_told
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
#if WSNPROF_TRACE_LONG
/* Known: its stamp goes, too, but for a call that took long; a longer one is told. */
exit_timed:
	ldr	r1, LANE(end)
	subs	r1, #WSNTRACE_FULL - WSNTRACE_UNSTAMPED
	cmp	r5, r1
	bhs	exit_refer
	ticks_get
	ubfx	lr, lr, #WSNTRACE_SHIFT, #16
	ldrh	r1, [r5, #-2]
	sub	lr, lr, r1
	uxth	lr, lr
	bound_get 2, WSNPROF_TRACE_LONG / 4
	cmp	lr, r1
	bhs	exit_lasted
	subs	r5, #3
	b	exit_refer
exit_lasted:
	bound_get 0, WSNPROF_TRACE_LONG
	cmp	lr, r1
	blo	exit_refer
	ldr	r1, [r0]
	b	exit_new
#endif
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
