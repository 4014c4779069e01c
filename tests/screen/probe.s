@ Seven functions that call one another once each, then `work`, which loops: for samples of a probe (probe.py).
	.syntax unified
	.cpu cortex-m3
	.thumb
	.text

	.macro chain name, next
	.global \name
	.type \name, %function
	.thumb_func
\name:	push	{r4, lr}
	bl	\next
	movs	r4, #1
	pop	{r4, pc}
	.size	\name, . - \name
	.balign	16
	.endm

	.global	main
	.type	main, %function
	.thumb_func
main:	bl	read_all
	b	main
	.size	main, . - main
	.balign	16
	chain	read_all, read_some
	chain	read_some, read_one
	chain	read_one, link_take
	chain	link_take, link_check
	chain	link_check, crc_all
	chain	crc_all, crc_block
	chain	crc_block, work

	.global	work
	.type	work, %function
	.thumb_func
work:	movs	r0, #100
1:	subs	r0, r0, #1
	bne	1b
	bx	lr
	.size	work, . - work
