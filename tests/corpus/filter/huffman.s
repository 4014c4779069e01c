!	.file	"s.c"
__SP_H__ = 0x3e
__SP_L__ = 0x3d
__SREG__ = 0x3f
__tmp_reg__ = 0
__zero_reg__ = 1
	.text
	.type	leaf, @function
leaf:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	movw r18,r24
	lsl r18
	rol r19
	add r24,r18
	adc r25,r19
	ret
	.size	leaf, .-leaf
.global	start
	.type	start, @function
start:
	push r16
	push r17
	push r28
	push r29
/* prologue: function */
/* frame size = 0 */
/* stack size = 4 */
.L__stack_usage = 4
	sbrc r24,2
	rjmp .L4
	movw r16,r24
	call more
	movw r28,r24
	movw r24,r16
	call leaf
	add r28,r24
	adc r29,r25
	movw r24,r16
	adiw r24,1
	call more
	add r24,r28
	adc r25,r29
	rjmp .L3
.L4:
	ldi r24,lo8(3)
	ldi r25,0
.L3:
/* epilogue start */
	pop r29
	pop r28
	pop r17
	pop r16
	ret
	.size	start, .-start
.global	tail
	.type	tail, @function
tail:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	adiw r24,1
	jmp more
	.size	tail, .-tail
.global	indirect
	.type	indirect, @function
indirect:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	movw r30,r24
	andi r30,1
	clr r31
	lsl r30
	rol r31
	subi r30,lo8(-(table))
	sbci r31,hi8(-(table))
	ld __tmp_reg__,Z+
	ld r31,Z
	mov r30,__tmp_reg__
	ijmp
	.size	indirect, .-indirect
.global	cases
	.type	cases, @function
cases:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	cpi r24,7
	cpc r25,__zero_reg__
	brsh .L9
	movw r30,r24
	subi r30,lo8(-(gs(.L11)))
	sbci r31,hi8(-(gs(.L11)))
	jmp __tablejump2__
	.section	.progmem.gcc_sw_table,"a",@progbits
	.p2align	1
.L11:
	.word gs(.L10)
	.word gs(.L18)
	.word gs(.L13)
	.word gs(.L14)
	.word gs(.L15)
	.word gs(.L16)
	.word gs(.L17)
	.text
.L14:
	ldi r24,lo8(4)
	ldi r25,0
	ret
.L10:
	ldi r24,lo8(1)
	ldi r25,0
	rjmp .L19
.L13:
	ldi r24,lo8(2)
	ldi r25,0
	call more
	adiw r24,1
	ret
.L15:
	ldi r24,lo8(77)
	ldi r25,0
	ret
.L16:
	ldi r24,lo8(9)
	ldi r25,0
.L19:
	jmp more
.L17:
	ldi r24,lo8(1)
	ldi r25,0
	ret
.L9:
	ldi r24,0
	ldi r25,0
	ret
.L18:
	ldi r24,lo8(7)
	ldi r25,0
	ret
	.size	cases, .-cases
.global	jumps
	.type	jumps, @function
jumps:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	lsl r24
	rol r25
	movw r30,r24
	subi r30,lo8(-(to.1596))
	sbci r31,hi8(-(to.1596))
	ld __tmp_reg__,Z+
	ld r31,Z
	mov r30,__tmp_reg__
	ijmp
.L21:
	ldi r24,lo8(1)
	ldi r25,0
	call more
	adiw r24,1
	ret
.L23:
	ldi r24,lo8(2)
	ldi r25,0
	call more
	adiw r24,3
	ret
	.size	jumps, .-jumps
.global	assembly
	.type	assembly, @function
assembly:
/* prologue: function */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
/* #APP */
 ;  9 "/tmp/tmp.WI1Cok2Zv6/s.c" 1
	nop
 ;  0 "" 2
/* #NOAPP */
	call more
	adiw r24,2
	ret
	.size	assembly, .-assembly
.global	bare
	.type	bare, @function
bare:
/* prologue: naked */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
/* #APP */
 ;  10 "/tmp/tmp.WI1Cok2Zv6/s.c" 1
	ret
 ;  0 "" 2
/* epilogue start */
/* #NOAPP */
	.size	bare, .-bare
.global	__vector_3
	.type	__vector_3, @function
__vector_3:
	push r1
	push r0
	in r0,__SREG__
	push r0
	clr __zero_reg__
	push r18
	push r19
	push r20
	push r21
	push r22
	push r23
	push r24
	push r25
	push r26
	push r27
	push r30
	push r31
/* prologue: Signal */
/* frame size = 0 */
/* stack size = 15 */
.L__stack_usage = 15
	lds r24,zero
	lds r25,zero+1
	call more
	sts zero+1,r25
	sts zero,r24
/* epilogue start */
	pop r31
	pop r30
	pop r27
	pop r26
	pop r25
	pop r24
	pop r23
	pop r22
	pop r21
	pop r20
	pop r19
	pop r18
	pop r0
	out __SREG__,r0
	pop r0
	pop r1
	reti
	.size	__vector_3, .-__vector_3
	.section	.rodata
	.type	to.1596, @object
	.size	to.1596, 4
to.1596:
	.word	gs(.L21)
	.word	gs(.L23)
	.comm	zero,2,1
	.comm	table,4,1
	.ident	"GCC: (GNU) 5.4.0"
.global __do_copy_data
.global __do_clear_bss
