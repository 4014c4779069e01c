@ As gcc wrote it once: returns and tail calls that depend on a condition. Thumb-2; "args" is what the
@ filter knows gcc's functions by.
	.syntax unified
	.thumb
	.text

	.align	1
	.global	conditional_return
	.thumb_func
	.type	conditional_return, %function
conditional_return:
	@ args = 0, pretend = 0, frame = 0
	cmp	r0, #3
	it	eq
	bxeq	lr
	push	{r4, lr}
	mov	r4, r0
	bl	recursive
	cmp	r4, #2
	itt	ls
	addls	r0, r0, r4
	popls	{r4, pc}
	bl	tail
	cmp	r4, #6
	ite	ne
	addne	r0, r0, #1
	popeq	{r4, pc}
	cbz	r4, .L9
	adds	r0, r0, r4
.L9:
	pop	{r4, pc}
	.size	conditional_return, .-conditional_return

	.align	1
	.global	conditional_tail
	.thumb_func
	.type	conditional_tail, %function
conditional_tail:
	@ args = 0, pretend = 0, frame = 0
	cmp	r0, #4
	beq	recursive
	cmp	r0, #5
	it	hi
	bhi	tail
	push	{r4, r8, lr}
	mov	r8, r0
	bl	tail
	cmp	r8, #2
	it	ne
	popne	{r4, r8, pc}
	adds	r0, r0, #9
	ldmia	sp!, {r4, r8, pc}
	.size	conditional_tail, .-conditional_tail
