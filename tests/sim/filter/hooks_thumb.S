/* The hooks of core/filter/filter.h on Thumb, for tests: they write down the call, and spoil each
   register that they may change. ARMv6-M's instructions. */
	.syntax unified
	.thumb
	.text

	.macro BEGIN name
	.global	\name
	.type	\name, %function
	.thumb_func
\name:
	push	{r0-r3, lr}
	mov	r0, ip
	push	{r0}
	.endm

	.macro ENTER name, record, plus
	BEGIN	\name
	mov	r0, lr
	subs	r0, #9
	ldrh	r0, [r0]
	subs	r0, #\plus
	add	r1, sp, #24
	bl	\record
	pop	{r0}
	mov	lr, r0
	movs	r0, #0x5a
	mov	ip, r0
	pop	{r0-r3}
	.endm

	ENTER	wsntrace_enter, record_enter, 0
	pop	{pc}
	ENTER	wsntrace_leaf, record_leaf, 0x80
	pop	{pc}

	BEGIN	wsntrace_exit
	add	r0, sp, #24
	bl	record_exit
	pop	{r0}
	movs	r0, #0xa5
	mov	ip, r0
	pop	{r0-r3, pc}

	BEGIN	wsntrace_exit_tail
	add	r0, sp, #24
	bl	record_exit
	pop	{r0}
	mov	ip, r0
	pop	{r0-r3, pc}
