/*
 * Each kind of instruction of an MSP430 that clang's assembler knows, in each of its modes (it lacks
 * stores of @rn+, and push, pop and br by way of a register): run once by a simulator, for its cycles.
 */
	.section .start,"ax",@progbits
	.globl start
start:
	mov	#0x0a00, r1
	mov	#0x0300, r4
	mov	#0x0310, r5
	mov	r4, r6
	mov	@r4, r6
	mov	@r4+, r6
	mov	2(r4), r6
	mov	&0x0302, r6
	mov	#0x1234, r6
	mov	#1, r6
	mov	#-1, r6
	mov	r6, 2(r5)
	mov	@r4, 2(r5)
	mov	2(r4), 4(r5)
	mov	&0x0302, 4(r5)
	mov	#0x1234, 4(r5)
	mov	#8, 4(r5)
	mov	r6, &0x0320
	mov	@r4, &0x0320
	mov	&0x0302, &0x0320
	mov	#0x55, &0x0320
	mov.b	r6, r7
	mov.b	@r4+, r7
	add	r6, r7
	addc	@r4, r7
	sub	2(r4), r7
	subc	#0x100, r7
	cmp	r6, 2(r5)
	bit	#2, 2(r5)
	bic	@r4, r7
	bis	&0x0302, &0x0320
	xor	r6, r7
	and.b	#0x0f, r7
	dadd	r6, r7
	rra	r7
	rrc	r7
	swpb	r7
	sxt	r7
	rra	@r5
	rra	@r5+
	rra	2(r5)
	rra	&0x0320
	swpb	2(r5)
	push	r7
	push	#0x1234
	push	#4
	pop	r8
	pop	r8
	clr	r8
	tst	r8
	inc	r8
	dec	2(r5)
	inv	r8
	rla	r8
	rlc	2(r5)
	adc	r8
	nop
	dint
	setc
	clrc
	call	#callee
	mov	#callee, r9
	call	r9
	mov	#pointer, r10
	call	@r10
	mov	#pointer, r10
	call	@r10+
	call	&pointer
	mov	#pointer-2, r10
	call	2(r10)
	jmp	1f
1:	jeq	2f
2:	jne	3f
3:	jc	4f
4:	br	#5f
5:	mov	#6f, r9
	br	r9
6:	mov	#target, r10
7:	mov	#target2, r10
	br	&target2
8:	mov	#target3-4, r10
	br	4(r10)
9:	mov	#handler, &0x0340
	push	#end
	push	r2
	reti
end:	jmp	end
callee:	nop
	ret
handler: reti
pointer: .word callee
target:	.word 7b
target2: .word 8b
target3: .word 9b
	.section .reset,"a"
	.word start
