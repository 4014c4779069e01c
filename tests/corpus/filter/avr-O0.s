	.file	"s.c"
__SP_H__ = 0x3e
__SP_L__ = 0x3d
__SREG__ = 0x3f
__tmp_reg__ = 0
__zero_reg__ = 1
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.comm	table,4,1
	.comm	zero,2,1
	.type	leaf, @function
leaf:
.LFB0:
	.file 1 "/tmp/tmp.WI1Cok2Zv6/s.c"
	.loc 1 2 0
	.cfi_startproc
	push r28
.LCFI0:
	.cfi_def_cfa_offset 3
	.cfi_offset 28, -2
	push r29
.LCFI1:
	.cfi_def_cfa_offset 4
	.cfi_offset 29, -3
	rcall .
.LCFI2:
	.cfi_def_cfa_offset 6
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI3:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 4 */
.L__stack_usage = 4
	std Y+2,r25
	std Y+1,r24
	.loc 1 2 0
	ldd r18,Y+1
	ldd r19,Y+2
	movw r24,r18
	lsl r24
	rol r25
	add r24,r18
	adc r25,r19
/* epilogue start */
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	ret
	.cfi_endproc
.LFE0:
	.size	leaf, .-leaf
.global	start
	.type	start, @function
start:
.LFB1:
	.loc 1 3 0
	.cfi_startproc
	push r16
.LCFI4:
	.cfi_def_cfa_offset 3
	.cfi_offset 16, -2
	push r17
.LCFI5:
	.cfi_def_cfa_offset 4
	.cfi_offset 17, -3
	push r28
.LCFI6:
	.cfi_def_cfa_offset 5
	.cfi_offset 28, -4
	push r29
.LCFI7:
	.cfi_def_cfa_offset 6
	.cfi_offset 29, -5
	rcall .
.LCFI8:
	.cfi_def_cfa_offset 8
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI9:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 6 */
.L__stack_usage = 6
	std Y+2,r25
	std Y+1,r24
	.loc 1 3 0
	ldd r24,Y+1
	ldd r25,Y+2
	andi r24,4
	clr r25
	or r24,r25
	breq .L4
	.loc 1 3 0 is_stmt 0 discriminator 1
	ldi r24,lo8(3)
	ldi r25,0
	rjmp .L5
.L4:
	.loc 1 3 0 discriminator 2
	ldd r24,Y+1
	ldd r25,Y+2
	rcall more
	movw r16,r24
	ldd r24,Y+1
	ldd r25,Y+2
	rcall leaf
	add r16,r24
	adc r17,r25
	ldd r24,Y+1
	ldd r25,Y+2
	adiw r24,1
	rcall more
	add r24,r16
	adc r25,r17
.L5:
/* epilogue start */
	.loc 1 3 0
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	pop r17
	pop r16
	ret
	.cfi_endproc
.LFE1:
	.size	start, .-start
.global	tail
	.type	tail, @function
tail:
.LFB2:
	.loc 1 4 0 is_stmt 1
	.cfi_startproc
	push r28
.LCFI10:
	.cfi_def_cfa_offset 3
	.cfi_offset 28, -2
	push r29
.LCFI11:
	.cfi_def_cfa_offset 4
	.cfi_offset 29, -3
	rcall .
.LCFI12:
	.cfi_def_cfa_offset 6
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI13:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 4 */
.L__stack_usage = 4
	std Y+2,r25
	std Y+1,r24
	.loc 1 4 0
	ldd r24,Y+1
	ldd r25,Y+2
	adiw r24,1
	rcall more
/* epilogue start */
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	ret
	.cfi_endproc
.LFE2:
	.size	tail, .-tail
.global	indirect
	.type	indirect, @function
indirect:
.LFB3:
	.loc 1 5 0
	.cfi_startproc
	push r28
.LCFI14:
	.cfi_def_cfa_offset 3
	.cfi_offset 28, -2
	push r29
.LCFI15:
	.cfi_def_cfa_offset 4
	.cfi_offset 29, -3
	rcall .
.LCFI16:
	.cfi_def_cfa_offset 6
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI17:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 4 */
.L__stack_usage = 4
	std Y+2,r25
	std Y+1,r24
	.loc 1 5 0
	ldd r24,Y+1
	ldd r25,Y+2
	andi r24,1
	clr r25
	lsl r24
	rol r25
	subi r24,lo8(-(table))
	sbci r25,hi8(-(table))
	movw r30,r24
	ld r18,Z
	ldd r19,Z+1
	ldd r24,Y+1
	ldd r25,Y+2
	movw r30,r18
	icall
/* epilogue start */
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	ret
	.cfi_endproc
.LFE3:
	.size	indirect, .-indirect
.global	cases
	.type	cases, @function
cases:
.LFB4:
	.loc 1 6 0
	.cfi_startproc
	push r28
.LCFI18:
	.cfi_def_cfa_offset 3
	.cfi_offset 28, -2
	push r29
.LCFI19:
	.cfi_def_cfa_offset 4
	.cfi_offset 29, -3
	rcall .
.LCFI20:
	.cfi_def_cfa_offset 6
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI21:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 4 */
.L__stack_usage = 4
	std Y+2,r25
	std Y+1,r24
	.loc 1 6 0
	ldd r24,Y+1
	ldd r25,Y+2
	mov __tmp_reg__,r25
	lsl r0
	sbc r26,r26
	sbc r27,r27
	ldi r20,0
	ldi r21,0
	ldi r18,lo8(6)
	ldi r19,0
	sub r24,r20
	sbc r25,r21
	cp r18,r24
	cpc r19,r25
	brlo .L11
	subi r24,lo8(-(gs(.L13)))
	sbci r25,hi8(-(gs(.L13)))
	push r24
	push r25
	ret
	.section	.progmem.gcc_sw_table,"ax",@progbits
	.p2align	1
.L13:
	rjmp .L12
	rjmp .L14
	rjmp .L15
	rjmp .L16
	rjmp .L17
	rjmp .L18
	rjmp .L19
	.text
.L12:
	.loc 1 6 0 is_stmt 0 discriminator 1
	ldi r24,lo8(1)
	ldi r25,0
	rcall more
	rjmp .L20
.L14:
	.loc 1 6 0 discriminator 2
	ldi r24,lo8(7)
	ldi r25,0
	rjmp .L20
.L15:
	.loc 1 6 0 discriminator 3
	ldi r24,lo8(2)
	ldi r25,0
	rcall more
	adiw r24,1
	rjmp .L20
.L16:
	.loc 1 6 0 discriminator 4
	ldi r24,lo8(4)
	ldi r25,0
	rjmp .L20
.L17:
	.loc 1 7 0 is_stmt 1
	ldi r24,lo8(77)
	ldi r25,0
	rjmp .L20
.L18:
	ldi r24,lo8(9)
	ldi r25,0
	rcall more
	rjmp .L20
.L19:
	ldi r24,lo8(1)
	ldi r25,0
	rjmp .L20
.L11:
	ldi r24,0
	ldi r25,0
.L20:
/* epilogue start */
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	ret
	.cfi_endproc
.LFE4:
	.size	cases, .-cases
.global	jumps
	.type	jumps, @function
jumps:
.LFB5:
	.loc 1 8 0
	.cfi_startproc
	push r28
.LCFI22:
	.cfi_def_cfa_offset 3
	.cfi_offset 28, -2
	push r29
.LCFI23:
	.cfi_def_cfa_offset 4
	.cfi_offset 29, -3
	rcall .
.LCFI24:
	.cfi_def_cfa_offset 6
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI25:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 4 */
.L__stack_usage = 4
	std Y+2,r25
	std Y+1,r24
	.loc 1 8 0
	ldd r24,Y+1
	ldd r25,Y+2
	lsl r24
	rol r25
	subi r24,lo8(-(to.1596))
	sbci r25,hi8(-(to.1596))
	movw r30,r24
	ld r24,Z
	ldd r25,Z+1
	nop
	push r24
	push r25
	ret
.L23:
	ldi r24,lo8(1)
	ldi r25,0
	rcall more
	adiw r24,1
	rjmp .L24
.L25:
	ldi r24,lo8(2)
	ldi r25,0
	rcall more
	adiw r24,3
.L24:
/* epilogue start */
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	ret
	.cfi_endproc
.LFE5:
	.size	jumps, .-jumps
.global	assembly
	.type	assembly, @function
assembly:
.LFB6:
	.loc 1 9 0
	.cfi_startproc
	push r28
.LCFI26:
	.cfi_def_cfa_offset 3
	.cfi_offset 28, -2
	push r29
.LCFI27:
	.cfi_def_cfa_offset 4
	.cfi_offset 29, -3
	rcall .
.LCFI28:
	.cfi_def_cfa_offset 6
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI29:
	.cfi_def_cfa_register 28
/* prologue: function */
/* frame size = 2 */
/* stack size = 4 */
.L__stack_usage = 4
	std Y+2,r25
	std Y+1,r24
	.loc 1 9 0
/* #APP */
 ;  9 "/tmp/tmp.WI1Cok2Zv6/s.c" 1
	nop
 ;  0 "" 2
/* #NOAPP */
	ldd r24,Y+1
	ldd r25,Y+2
	rcall more
	adiw r24,2
/* epilogue start */
	pop __tmp_reg__
	pop __tmp_reg__
	pop r29
	pop r28
	ret
	.cfi_endproc
.LFE6:
	.size	assembly, .-assembly
.global	bare
	.type	bare, @function
bare:
.LFB7:
	.loc 1 10 0
	.cfi_startproc
/* prologue: naked */
/* frame size = 0 */
/* stack size = 0 */
.L__stack_usage = 0
	.loc 1 10 0
/* #APP */
 ;  10 "/tmp/tmp.WI1Cok2Zv6/s.c" 1
	ret
 ;  0 "" 2
/* #NOAPP */
	nop
/* epilogue start */
	.cfi_endproc
.LFE7:
	.size	bare, .-bare
.global	__vector_3
	.type	__vector_3, @function
__vector_3:
.LFB8:
	.loc 1 12 0
	.cfi_startproc
	push r1
.LCFI30:
	.cfi_def_cfa_offset 3
	.cfi_offset 1, -2
	push r0
.LCFI31:
	.cfi_def_cfa_offset 4
	.cfi_offset 0, -3
	lds r0,95
	push r0
	clr __zero_reg__
	push r18
.LCFI32:
	.cfi_def_cfa_offset 5
	.cfi_offset 18, -4
	push r19
.LCFI33:
	.cfi_def_cfa_offset 6
	.cfi_offset 19, -5
	push r20
.LCFI34:
	.cfi_def_cfa_offset 7
	.cfi_offset 20, -6
	push r21
.LCFI35:
	.cfi_def_cfa_offset 8
	.cfi_offset 21, -7
	push r22
.LCFI36:
	.cfi_def_cfa_offset 9
	.cfi_offset 22, -8
	push r23
.LCFI37:
	.cfi_def_cfa_offset 10
	.cfi_offset 23, -9
	push r24
.LCFI38:
	.cfi_def_cfa_offset 11
	.cfi_offset 24, -10
	push r25
.LCFI39:
	.cfi_def_cfa_offset 12
	.cfi_offset 25, -11
	push r26
.LCFI40:
	.cfi_def_cfa_offset 13
	.cfi_offset 26, -12
	push r27
.LCFI41:
	.cfi_def_cfa_offset 14
	.cfi_offset 27, -13
	push r30
.LCFI42:
	.cfi_def_cfa_offset 15
	.cfi_offset 30, -14
	push r31
.LCFI43:
	.cfi_def_cfa_offset 16
	.cfi_offset 31, -15
	push r28
.LCFI44:
	.cfi_def_cfa_offset 17
	.cfi_offset 28, -16
	push r29
.LCFI45:
	.cfi_def_cfa_offset 18
	.cfi_offset 29, -17
	in r28,__SP_L__
	in r29,__SP_H__
.LCFI46:
	.cfi_def_cfa_register 28
/* prologue: Signal */
/* frame size = 0 */
/* stack size = 17 */
.L__stack_usage = 17
	.loc 1 12 0
	lds r24,zero
	lds r25,zero+1
	rcall more
	sts zero+1,r25
	sts zero,r24
	nop
/* epilogue start */
	pop r29
	pop r28
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
	sts 95,r0
	pop r0
	pop r1
	reti
	.cfi_endproc
.LFE8:
	.size	__vector_3, .-__vector_3
	.section	.rodata
	.type	to.1596, @object
	.size	to.1596, 4
to.1596:
	.word	gs(.L23)
	.word	gs(.L25)
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x20c
	.word	0x2
	.long	.Ldebug_abbrev0
	.byte	0x4
	.uleb128 0x1
	.long	.LASF11
	.byte	0xc
	.long	.LASF12
	.long	.Ltext0
	.long	.Letext0
	.long	.Ldebug_line0
	.uleb128 0x2
	.long	.LASF13
	.byte	0x1
	.byte	0x2
	.byte	0x1
	.long	0x4b
	.long	.LFB0
	.long	.LFE0
	.long	.LLST0
	.byte	0x1
	.long	0x4b
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x2
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.byte	0
	.uleb128 0x4
	.byte	0x2
	.byte	0x5
	.string	"int"
	.uleb128 0x5
	.byte	0x1
	.long	.LASF0
	.byte	0x1
	.byte	0x3
	.byte	0x1
	.long	0x4b
	.long	.LFB1
	.long	.LFE1
	.long	.LLST1
	.byte	0x1
	.long	0x7d
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x3
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.byte	0
	.uleb128 0x5
	.byte	0x1
	.long	.LASF1
	.byte	0x1
	.byte	0x4
	.byte	0x1
	.long	0x4b
	.long	.LFB2
	.long	.LFE2
	.long	.LLST2
	.byte	0x1
	.long	0xa8
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x4
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.byte	0
	.uleb128 0x5
	.byte	0x1
	.long	.LASF2
	.byte	0x1
	.byte	0x5
	.byte	0x1
	.long	0x4b
	.long	.LFB3
	.long	.LFE3
	.long	.LLST3
	.byte	0x1
	.long	0xd3
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x5
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.byte	0
	.uleb128 0x5
	.byte	0x1
	.long	.LASF3
	.byte	0x1
	.byte	0x6
	.byte	0x1
	.long	0x4b
	.long	.LFB4
	.long	.LFE4
	.long	.LLST4
	.byte	0x1
	.long	0xfe
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x6
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.byte	0
	.uleb128 0x5
	.byte	0x1
	.long	.LASF4
	.byte	0x1
	.byte	0x8
	.byte	0x1
	.long	0x4b
	.long	.LFB5
	.long	.LFE5
	.long	.LLST5
	.byte	0x1
	.long	0x14b
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x8
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.uleb128 0x6
	.string	"to"
	.byte	0x1
	.byte	0x8
	.long	0x169
	.byte	0x5
	.byte	0x3
	.long	to.1596
	.uleb128 0x7
	.string	"a"
	.byte	0x1
	.byte	0x8
	.long	.L23
	.uleb128 0x7
	.string	"b"
	.byte	0x1
	.byte	0x8
	.long	.L25
	.byte	0
	.uleb128 0x8
	.long	0x164
	.long	0x15b
	.uleb128 0x9
	.long	0x15b
	.byte	0x1
	.byte	0
	.uleb128 0xa
	.byte	0x2
	.byte	0x7
	.long	.LASF5
	.uleb128 0xb
	.byte	0x2
	.uleb128 0xc
	.long	0x162
	.uleb128 0xc
	.long	0x14b
	.uleb128 0x5
	.byte	0x1
	.long	.LASF6
	.byte	0x1
	.byte	0x9
	.byte	0x1
	.long	0x4b
	.long	.LFB6
	.long	.LFE6
	.long	.LLST6
	.byte	0x1
	.long	0x199
	.uleb128 0x3
	.string	"v"
	.byte	0x1
	.byte	0x9
	.long	0x4b
	.byte	0x2
	.byte	0x8c
	.sleb128 1
	.byte	0
	.uleb128 0xd
	.byte	0x1
	.long	.LASF7
	.byte	0x1
	.byte	0xa
	.byte	0x1
	.long	.LFB7
	.long	.LFE7
	.byte	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.byte	0x1
	.uleb128 0xe
	.byte	0x1
	.long	.LASF8
	.byte	0x1
	.byte	0xc
	.byte	0x1
	.long	.LFB8
	.long	.LFE8
	.long	.LLST7
	.byte	0x1
	.uleb128 0x8
	.long	0x1d5
	.long	0x1d5
	.uleb128 0x9
	.long	0x15b
	.byte	0x1
	.byte	0
	.uleb128 0xf
	.byte	0x2
	.long	0x1db
	.uleb128 0x10
	.byte	0x1
	.long	0x4b
	.long	0x1eb
	.uleb128 0x11
	.long	0x4b
	.byte	0
	.uleb128 0x12
	.long	.LASF9
	.byte	0x1
	.byte	0x1
	.long	0x1c5
	.byte	0x1
	.byte	0x5
	.byte	0x3
	.long	table
	.uleb128 0x12
	.long	.LASF10
	.byte	0x1
	.byte	0x1
	.long	0x4b
	.byte	0x1
	.byte	0x5
	.byte	0x3
	.long	zero
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x1
	.uleb128 0x10
	.uleb128 0x6
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0xc
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x1
	.uleb128 0x40
	.uleb128 0x6
	.uleb128 0x2117
	.uleb128 0xc
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0xa
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0xc
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0xc
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x1
	.uleb128 0x40
	.uleb128 0x6
	.uleb128 0x2116
	.uleb128 0xc
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0xa
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0xa
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0xc
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0xc
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x1
	.uleb128 0x40
	.uleb128 0xa
	.uleb128 0x2117
	.uleb128 0xc
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0xc
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0xc
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x1
	.uleb128 0x40
	.uleb128 0x6
	.uleb128 0x2116
	.uleb128 0xc
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0x15
	.byte	0x1
	.uleb128 0x27
	.uleb128 0xc
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x5
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x12
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0xc
	.uleb128 0x2
	.uleb128 0xa
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loc,"",@progbits
.Ldebug_loc0:
.LLST0:
	.long	.LFB0-.Ltext0
	.long	.LCFI0-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI0-.Ltext0
	.long	.LCFI1-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI1-.Ltext0
	.long	.LCFI2-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI2-.Ltext0
	.long	.LCFI3-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI3-.Ltext0
	.long	.LFE0-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 6
	.long	0
	.long	0
.LLST1:
	.long	.LFB1-.Ltext0
	.long	.LCFI4-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI4-.Ltext0
	.long	.LCFI5-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI5-.Ltext0
	.long	.LCFI6-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI6-.Ltext0
	.long	.LCFI7-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 5
	.long	.LCFI7-.Ltext0
	.long	.LCFI8-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI8-.Ltext0
	.long	.LCFI9-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 8
	.long	.LCFI9-.Ltext0
	.long	.LFE1-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 8
	.long	0
	.long	0
.LLST2:
	.long	.LFB2-.Ltext0
	.long	.LCFI10-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI10-.Ltext0
	.long	.LCFI11-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI11-.Ltext0
	.long	.LCFI12-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI12-.Ltext0
	.long	.LCFI13-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI13-.Ltext0
	.long	.LFE2-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 6
	.long	0
	.long	0
.LLST3:
	.long	.LFB3-.Ltext0
	.long	.LCFI14-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI14-.Ltext0
	.long	.LCFI15-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI15-.Ltext0
	.long	.LCFI16-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI16-.Ltext0
	.long	.LCFI17-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI17-.Ltext0
	.long	.LFE3-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 6
	.long	0
	.long	0
.LLST4:
	.long	.LFB4-.Ltext0
	.long	.LCFI18-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI18-.Ltext0
	.long	.LCFI19-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI19-.Ltext0
	.long	.LCFI20-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI20-.Ltext0
	.long	.LCFI21-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI21-.Ltext0
	.long	.LFE4-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 6
	.long	0
	.long	0
.LLST5:
	.long	.LFB5-.Ltext0
	.long	.LCFI22-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI22-.Ltext0
	.long	.LCFI23-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI23-.Ltext0
	.long	.LCFI24-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI24-.Ltext0
	.long	.LCFI25-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI25-.Ltext0
	.long	.LFE5-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 6
	.long	0
	.long	0
.LLST6:
	.long	.LFB6-.Ltext0
	.long	.LCFI26-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI26-.Ltext0
	.long	.LCFI27-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI27-.Ltext0
	.long	.LCFI28-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI28-.Ltext0
	.long	.LCFI29-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI29-.Ltext0
	.long	.LFE6-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 6
	.long	0
	.long	0
.LLST7:
	.long	.LFB8-.Ltext0
	.long	.LCFI30-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 2
	.long	.LCFI30-.Ltext0
	.long	.LCFI31-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 3
	.long	.LCFI31-.Ltext0
	.long	.LCFI32-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 4
	.long	.LCFI32-.Ltext0
	.long	.LCFI33-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 5
	.long	.LCFI33-.Ltext0
	.long	.LCFI34-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 6
	.long	.LCFI34-.Ltext0
	.long	.LCFI35-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 7
	.long	.LCFI35-.Ltext0
	.long	.LCFI36-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 8
	.long	.LCFI36-.Ltext0
	.long	.LCFI37-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 9
	.long	.LCFI37-.Ltext0
	.long	.LCFI38-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 10
	.long	.LCFI38-.Ltext0
	.long	.LCFI39-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 11
	.long	.LCFI39-.Ltext0
	.long	.LCFI40-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 12
	.long	.LCFI40-.Ltext0
	.long	.LCFI41-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 13
	.long	.LCFI41-.Ltext0
	.long	.LCFI42-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 14
	.long	.LCFI42-.Ltext0
	.long	.LCFI43-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 15
	.long	.LCFI43-.Ltext0
	.long	.LCFI44-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 16
	.long	.LCFI44-.Ltext0
	.long	.LCFI45-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 17
	.long	.LCFI45-.Ltext0
	.long	.LCFI46-.Ltext0
	.word	0x3
	.byte	0x92
	.uleb128 0x20
	.sleb128 18
	.long	.LCFI46-.Ltext0
	.long	.LFE8-.Ltext0
	.word	0x2
	.byte	0x8c
	.sleb128 18
	.long	0
	.long	0
	.section	.debug_aranges,"",@progbits
	.long	0x1c
	.word	0x2
	.long	.Ldebug_info0
	.byte	0x4
	.byte	0
	.word	0
	.word	0
	.long	.Ltext0
	.long	.Letext0-.Ltext0
	.long	0
	.long	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF3:
	.string	"cases"
.LASF6:
	.string	"assembly"
.LASF8:
	.string	"__vector_3"
.LASF13:
	.string	"leaf"
.LASF0:
	.string	"start"
.LASF2:
	.string	"indirect"
.LASF7:
	.string	"bare"
.LASF10:
	.string	"zero"
.LASF11:
	.string	"GNU C11 5.4.0 -mn-flash=1 -mno-skip-bug -mmcu=avr25 -gdwarf-2 -O0"
.LASF5:
	.string	"sizetype"
.LASF1:
	.string	"tail"
.LASF12:
	.string	"/tmp/tmp.WI1Cok2Zv6/s.c"
.LASF4:
	.string	"jumps"
.LASF9:
	.string	"table"
	.ident	"GCC: (GNU) 5.4.0"
.global __do_copy_data
.global __do_clear_bss
