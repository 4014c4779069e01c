	.cpu cortex-m0
	.arch armv6s-m
	.fpu softvfp
	.eabi_attribute 20, 1
	.eabi_attribute 21, 1
	.eabi_attribute 23, 3
	.eabi_attribute 24, 1
	.eabi_attribute 25, 1
	.eabi_attribute 26, 1
	.eabi_attribute 30, 4
	.eabi_attribute 34, 0
	.eabi_attribute 18, 4
	.file	"s.c"
	.text
	.align	1
	.syntax unified
	.code	16
	.thumb_func
	.type	leaf, %function
leaf:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	@ link register save eliminated.
	movs	r3, #3
	@ sp needed
	muls	r0, r3
	bx	lr
	.size	leaf, .-leaf
	.align	1
	.global	start
	.syntax unified
	.code	16
	.thumb_func
	.type	start, %function
start:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, r5, r6, lr}
	movs	r5, r0
	movs	r0, #3
	lsls	r3, r5, #29
	bmi	.L2
	movs	r0, r5
	bl	more
	movs	r4, r0
	movs	r0, r5
	bl	leaf
	adds	r4, r4, r0
	adds	r0, r5, #1
	bl	more
	adds	r0, r4, r0
.L2:
	@ sp needed
	pop	{r4, r5, r6, pc}
	.size	start, .-start
	.align	1
	.global	tail
	.syntax unified
	.code	16
	.thumb_func
	.type	tail, %function
tail:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	adds	r0, r0, #1
	bl	more
	@ sp needed
	pop	{r4, pc}
	.size	tail, .-tail
	.align	1
	.global	indirect
	.syntax unified
	.code	16
	.thumb_func
	.type	indirect, %function
indirect:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	movs	r3, #1
	push	{r4, lr}
	ldr	r2, .L8
	ands	r3, r0
	lsls	r3, r3, #2
	ldr	r3, [r3, r2]
	blx	r3
	@ sp needed
	pop	{r4, pc}
.L9:
	.align	2
.L8:
	.word	.LANCHOR0
	.size	indirect, .-indirect
	.align	1
	.global	cases
	.syntax unified
	.code	16
	.thumb_func
	.type	cases, %function
cases:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	movs	r3, r0
	push	{r4, lr}
	movs	r0, #0
	cmp	r3, #6
	bhi	.L10
	movs	r0, r3
	bl	__gnu_thumb1_case_uqi
.L13:
	.byte	(.L19-.L13)/2
	.byte	(.L18-.L13)/2
	.byte	(.L17-.L13)/2
	.byte	(.L20-.L13)/2
	.byte	(.L15-.L13)/2
	.byte	(.L14-.L13)/2
	.byte	(.L12-.L13)/2
	.p2align 1
.L18:
	movs	r0, #7
.L10:
	@ sp needed
	pop	{r4, pc}
.L19:
	movs	r0, #1
.L21:
	bl	more
	b	.L10
.L17:
	movs	r0, #2
	bl	more
	adds	r0, r0, #1
	b	.L10
.L15:
	movs	r0, #77
	b	.L10
.L14:
	movs	r0, #9
	b	.L21
.L12:
	movs	r0, #1
	b	.L10
.L20:
	movs	r0, #4
	b	.L10
	.size	cases, .-cases
	.align	1
	.global	jumps
	.syntax unified
	.code	16
	.thumb_func
	.type	jumps, %function
jumps:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	ldr	r3, .L26
	lsls	r0, r0, #2
	ldr	r3, [r0, r3]
	push	{r4, lr}
	mov	pc, r3
.L23:
	movs	r0, #1
	bl	more
	adds	r0, r0, #1
.L22:
	@ sp needed
	pop	{r4, pc}
.L25:
	movs	r0, #2
	bl	more
	adds	r0, r0, #3
	b	.L22
.L27:
	.align	2
.L26:
	.word	.LANCHOR1
	.size	jumps, .-jumps
	.align	1
	.global	assembly
	.syntax unified
	.code	16
	.thumb_func
	.type	assembly, %function
assembly:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	.syntax divided
@ 9 "/tmp/tmp.WI1Cok2Zv6/s.c" 1
	nop
@ 0 "" 2
	.thumb
	.syntax unified
	@ sp needed
	bl	more
	adds	r0, r0, #2
	pop	{r4, pc}
	.size	assembly, .-assembly
	.align	1
	.global	bare
	.syntax unified
	.code	16
	.thumb_func
	.type	bare, %function
bare:
	@ Naked Function: prologue and epilogue provided by programmer.
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	.syntax divided
@ 10 "/tmp/tmp.WI1Cok2Zv6/s.c" 1
	ret
@ 0 "" 2
	.thumb
	.syntax unified
	.size	bare, .-bare
	.align	1
	.global	__vector_3
	.syntax unified
	.code	16
	.thumb_func
	.type	__vector_3, %function
__vector_3:
	@ args = 0, pretend = 0, frame = 0
	@ frame_needed = 0, uses_anonymous_args = 0
	push	{r4, lr}
	ldr	r4, .L31
	@ sp needed
	ldr	r0, [r4, #8]
	bl	more
	str	r0, [r4, #8]
	pop	{r4, pc}
.L32:
	.align	2
.L31:
	.word	.LANCHOR0
	.size	__vector_3, .-__vector_3
	.global	zero
	.global	table
	.section	.rodata
	.align	2
	.set	.LANCHOR1,. + 0
	.type	to.0, %object
	.size	to.0, 8
to.0:
	.word	.L23
	.word	.L25
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	table, %object
	.size	table, 8
table:
	.space	8
	.type	zero, %object
	.size	zero, 4
zero:
	.space	4
	.ident	"GCC: (15:12.2.rel1-1) 12.2.1 20221205"
