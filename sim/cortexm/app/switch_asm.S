/*
 * switch_asm: the task switcher's assembly.
 */
	.syntax unified
	.thumb
	.section .text.switch, "ax", %progbits

/*
 * switch_begin: in r0: top of the handlers' stack. The process stack goes on where the main one
 * is. Lost: r1, r2.
 */
	.global	switch_begin
	.type	switch_begin, %function
	.thumb_func
switch_begin:
	mov	r1, sp
	msr	psp, r1
	movs	r2, #2
	msr	control, r2		@ sp is the process stack's
	isb
	msr	msp, r0
	bx	lr
	.size	switch_begin, . - switch_begin

/* switch_end: and back. Lost: r1, r2. */
	.global	switch_end
	.type	switch_end, %function
	.thumb_func
switch_end:
	mrs	r1, psp
	msr	msp, r1
	movs	r2, #0
	msr	control, r2
	isb
	bx	lr
	.size	switch_end, . - switch_end

/*
 * PendSV_Handler: r4-r11 and EXC_RETURN go below what the exception saved on the process stack:
 *
 *	r4 .. r11  EXC_RETURN  [s16 .. s31]  r0-r3 ip lr pc xpsr [s0 .. fpscr]
 *
 * Lost: r0-r3, ip, which the exception restores. Interrupts are off but for the saving and
 * restoring of what nobody else can touch.
 */
	.global	PendSV_Handler
	.type	PendSV_Handler, %function
	.thumb_func
PendSV_Handler:
	mrs	r0, psp
#if __ARM_ARCH_ISA_THUMB == 2
#ifdef __ARM_FP
	tst	lr, #16
	it	eq
	vstmdbeq r0!, {s16-s31}
#endif
	stmdb	r0!, {r4-r11, lr}
	cpsid	i
	bl	switch_stacks
	cpsie	i
	ldmia	r0!, {r4-r11, lr}
#ifdef __ARM_FP
	tst	lr, #16
	it	eq
	vldmiaeq r0!, {s16-s31}
#endif
	msr	psp, r0
	bx	lr
#else
	subs	r0, #36
	mov	r1, r0
	stmia	r1!, {r4-r7}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	stmia	r1!, {r4-r7}
	mov	r4, lr
	str	r4, [r1]
	cpsid	i
	bl	switch_stacks
	cpsie	i
	mov	r1, r0
	adds	r1, #16
	ldmia	r1!, {r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	ldr	r2, [r1]
	adds	r1, #4
	msr	psp, r1
	ldmia	r0!, {r4-r7}
	bx	r2			@ as FreeRTOS' returns
#endif
	.size	PendSV_Handler, . - PendSV_Handler
