/*
 * wsnprof_mcount: the compiler's hook of -pg, and the sampling interrupt's entry.
 *
 * Rows are wsnprof_cache.h's, 16 bytes. An arc is looked for in the bucket that call site and callee
 * name, ((4 from + to) / 16) mod WSNPROF_ARCS: neighbours in the code, calls or functions, have
 * buckets of their own. Then in the rows that are linked behind it. What is not there is
 * wsnprof_count()'s (C).
 */
#if 0	/* what as without the preprocessor sees */
.error "wsnprof_mcount.S needs cpp: compile it with arm-none-eabi-gcc, not with as"
.end
#endif

#include "wsnprof_arch.h"

	.syntax unified
	.thumb
	.text

	.set	ROW_COUNT, WSNPROF_OFFSET(row, count)
	.set	ROW_FROM, WSNPROF_OFFSET(row, from)
	.set	ROW_TO, WSNPROF_OFFSET(row, to)

#if WSNPROF_ARCS > 0 && !WSNPROF_RAW
	.set	ARC_BITS, 0
	.rept	16
	.if	(1 << ARC_BITS) < WSNPROF_ARCS
	.set	ARC_BITS, ARC_BITS + 1
	.endif
	.endr

	.set	PROMOTE_BITS, 9			@ wsnprof_arc_promote() at 512 counts

#endif

#if WSNPROF_ARCS > 0
	.section .text.__gnu_mcount_nc, "ax", %progbits
	.balign	4
	.global	__gnu_mcount_nc
	.type	__gnu_mcount_nc, %function
	.thumb_func
#if WSNPROF_RAW
/*
 * __gnu_mcount_nc, raw: every arc goes to C. Registers as below.
 */
__gnu_mcount_nc:
	push	{r0-r3}
	ldr	r0, [sp, #16]
	mov	r1, lr
	push	{r1}			@ and so the stack is aligned to 8
	bl	wsnprof_count
	pop	{r1}
	mov	ip, r1
	ldr	r0, [sp, #16]
	mov	lr, r0
	pop	{r0-r3}
	add	sp, #4
	bx	ip

#elif !WSNPROF_THUMB1
/*
 * __gnu_mcount_nc, v7-M and v8-M mainline: the compiler has pushed one word, its caller's lr, and
 * called us.
 *
 *	in	[sp]: from, where the function will return to; lr: to, behind the call of us
 *	out	lr: from; the word is popped: the function goes on as if nothing had been
 *	kept	r0-r11, s0-s31
 *	lost	ip, flags
 *
 * 17 instructions when the bucket holds the arc, 15 more for the row linked behind it, 10 more for
 * each further one (WSNPROF_LEAST: C finds it):
 *
 *	 3	registers, its return
 *	 5	from; the bucket, and where it lies
 *	 2	the row's words
 *	 4	are they this arc's
 *	 3	one more, if nothing came between
 *
 * gcc's two around it make 19: arcs that are linked, and what is sent, come on top. No lock: any exception between LDREX and STREX clears the monitor, so that the
 * row is read again, key and count. The key is compared in between: an interrupt could evict the row
 * after the comparison. If one changes a link meanwhile, the arc is not found, and C looks again.
 *
 *	r0 from; r1, ip the row's from and to; r2 count; r3 row; r4 its index + 1
 */
__gnu_mcount_nc:
	push	{r0-r4, lr}
	ldr	r0, [sp, #24]		@ from
	ldr	r3, =wsnprof_rows
	add	r1, lr, r0, lsl #2
	ubfx	r1, r1, #4, #ARC_BITS
	add	r3, r3, r1, lsl #4	@ the bucket's row
1:	ldrex	r2, [r3, #ROW_COUNT]
	ldrd	r1, ip, [r3, #ROW_FROM]
	cmp	r1, r0
	it	eq
	cmpeq	ip, lr
	bne	4f
2:	adds	r2, #1
	strex	r1, r2, [r3, #ROW_COUNT]
	cbnz	r1, 6f			@ which jumps forwards only
3:	pop	{r0-r4, ip, lr}		@ to, and from: the word that the compiler pushed
	bx	ip

4:
#if !WSNPROF_LEAST
	add	r4, lr, r0, lsl #2
	ubfx	r4, r4, #4, #ARC_BITS
	adds	r4, #1
5:	ldr	r2, =wsnprof_arc_next - WSNPROF_NEXT_BYTES
#if WSNPROF_NEXT_BYTES == 1
	ldrb	r4, [r2, r4]
#else
	ldrh	r4, [r2, r4, lsl #1]
#endif
	cbz	r4, 7f			@ the last one
	ldr	r3, =wsnprof_rows - 16
	add	r3, r3, r4, lsl #4
	ldrex	r2, [r3, #ROW_COUNT]
	ldrd	r1, ip, [r3, #ROW_FROM]
	cmp	r1, r0
	it	eq
	cmpeq	ip, lr
	bne	5b
	adds	r2, #1
	strex	r1, r2, [r3, #ROW_COUNT]
	cbnz	r1, 6f
	lsls	r2, r2, #(32 - PROMOTE_BITS)
	bne	3b
	ldr	r4, =wsnprof_arc_promote
	b	8f
7:
#endif
	ldr	r4, =wsnprof_count
8:	mov	r1, lr
	push	{r1}			@ aligned to 8 now: gcc's word, six registers, this one
	blx	r4			@ (from, to)
	pop	{r1}
	b	3b
6:	b	1b
	.ltorg

#else
/*
 * __gnu_mcount_nc, v6-M and v8-M baseline: as above, 23 instructions when the bucket holds the arc,
 * 18 more for the row linked behind it, 10 or 13 more for each further one: registers and return 2,
 * the word that the compiler pushed 3, from and the bucket 7, PRIMASK 3, the row 1, comparison 4,
 * count 3. Thumb-1 has no exclusive
 * access (v6-M), so interrupts are off from reading the row to writing it back. It can pop into pc,
 * not into lr: `to` takes the place of the word that the compiler pushed.
 *
 *	r0 from; r1 index + 1; r2 what is looked at; r3 row, walking; r4 PRIMASK
 */
__gnu_mcount_nc:
	push	{r0-r4}
	ldr	r0, [sp, #20]		@ from
	ldr	r3, =wsnprof_rows
	lsls	r1, r0, #2
	add	r1, lr
	ldr	r2, =(WSNPROF_ARCS - 1) * 16
	ands	r1, r2
	adds	r3, r3, r1		@ the bucket's row
	mrs	r4, primask
	cpsid	i
	ldmia	r3!, {r1, r2}		@ its from and to
	cmp	r1, r0
	bne	3f
	cmp	r2, lr
	bne	3f
1:	ldr	r1, [r3]
	adds	r1, #1
	str	r1, [r3]
	msr	primask, r4
2:	mov	r1, lr
	str	r1, [sp, #20]
	mov	lr, r0
	pop	{r0-r4, pc}

3:
#if !WSNPROF_LEAST
	ldr	r1, =wsnprof_rows + ROW_COUNT - 16
	subs	r1, r3, r1
	lsrs	r1, r1, #4
4:	ldr	r2, =wsnprof_arc_next - WSNPROF_NEXT_BYTES
#if WSNPROF_NEXT_BYTES == 1
	ldrb	r1, [r2, r1]
#else
	lsls	r1, r1, #1
	ldrh	r1, [r2, r1]
#endif
	cmp	r1, #0
	beq	5f			@ the last one
	ldr	r3, =wsnprof_rows - 16
	lsls	r2, r1, #4
	adds	r3, r3, r2
	ldmia	r3!, {r2}
	cmp	r2, r0
	bne	4b
	ldmia	r3!, {r2}
	cmp	r2, lr
	bne	4b
	ldr	r1, [r3]
	adds	r1, #1
	str	r1, [r3]
	msr	primask, r4
	lsls	r1, r1, #(32 - PROMOTE_BITS)
	bne	2b
	ldr	r2, =wsnprof_arc_promote
	b	6f
5:
#endif
	msr	primask, r4
	ldr	r2, =wsnprof_count
6:	mov	r1, lr
	mov	r4, r1			@ aligned to 8: gcc's word, five registers
	blx	r2			@ (from, to)
	mov	lr, r4
	ldr	r0, [sp, #20]
	b	2b
	.ltorg
#endif
	.size	__gnu_mcount_nc, . - __gnu_mcount_nc
#endif

#if WSNPROF_PCS > 0 && !WSNPROF_RAW
	.set	PC_BITS, 0
	.rept	16
	.if	(1 << PC_BITS) < WSNPROF_PCS
	.set	PC_BITS, PC_BITS + 1
	.endif
	.endr

/*
 * The sampled PC's row: looks into WSNPROF_PC_WINDOW buckets from (pc >> 1) * 9 on, and counts it
 * up: no lock, the sampler alone writes these counts, and all else that changes a row keeps it out.
 * While profiling is stopped no row is found. In: r4 pc; lost: r0-r5. 13 instructions in the first
 * bucket (v6-M 15), 9 (10) more for each further one. pc is even, and so all of this is times two:
 * r2 bucket, r0 step.
 */
.macro	pc_count
	ldr	r3, =wsnprof_rows + WSNPROF_ARCS * 16
	movs	r0, #0
#if WSNPROF_THUMB1
	lsls	r2, r4, #3
	adds	r2, r2, r4
	adds	r4, #1			@ as rows have it
10:	adds	r2, r2, r0
	lsls	r1, r2, #(31 - PC_BITS)
	lsrs	r1, r1, #(28 - PC_BITS)	@ bucket times 16
	adds	r1, r1, r3
#else
	add	r2, r4, r4, lsl #3
	adds	r4, #1			@ as rows have it
10:	add	r2, r2, r0
	ubfx	r1, r2, #1, #PC_BITS
	add	r1, r3, r1, lsl #4
#endif
	ldr	r5, [r1, #ROW_FROM]
	cmp	r5, r4
	beq	11f
	adds	r0, #2
	cmp	r0, #(2 * WSNPROF_PC_WINDOW)
	bne	10b
	mov	r0, r4
	movs	r1, #0
	bl	wsnprof_count		@ (pc, 0)
	pop	{r3-r5, pc}
11:	ldr	r5, [r1, #ROW_COUNT]
	adds	r5, #1
	str	r5, [r1, #ROW_COUNT]
.endm
#endif

/*
 * wsnprof_sample_irq: the vector of the sampling timer. The exception pushed r0-r3, ip, lr, pc and
 * flags on the stack in use, which EXC_RETURN's bit 2 selects: main or process; the floating
 * point's registers, if any, lie above them, so that pc is at 24 in either case. r4 and r5 are
 * kept, the rest the exception restores. 22 instructions and the application's wsnprof_sample_ack()
 * when the first bucket holds the row (v6-M 25).
 */
	.section .text.wsnprof_sample_irq, "ax", %progbits
	.balign	4
	.global	wsnprof_sample_irq
	.type	wsnprof_sample_irq, %function
	.thumb_func
wsnprof_sample_irq:
#if WSNPROF_PCS == 0
	.weak	wsnprof_sample_ack	@ a vector without samples: just that
	ldr	r0, =wsnprof_sample_ack
	bx	r0
	.ltorg
#else
#if WSNPROF_THUMB1
	mov	r0, lr
	lsls	r0, r0, #29		@ bit 2 is the sign
	mrs	r0, msp			@ MRS leaves the flags alone
	bpl	1f
	mrs	r0, psp
1:
#else
	tst	lr, #4
	ite	eq
	mrseq	r0, msp
	mrsne	r0, psp
#endif
	ldr	r0, [r0, #24]
	push	{r3-r5, lr}
	mov	r4, r0
	bl	wsnprof_sample_ack
#if WSNPROF_SAMPLE_MORE
	bl	wsnprof_sample_more
#endif
#if WSNPROF_RAW
	mov	r0, r4
	movs	r1, #0
	bl	wsnprof_count		@ (pc, 0)
#else
	pc_count
#endif
	pop	{r3-r5, pc}
	.ltorg
#endif
	.size	wsnprof_sample_irq, . - wsnprof_sample_irq

@ For wsntop doctor.
	.globl	wsnprof_arcs_max
wsnprof_arcs_max = WSNPROF_ARCS
