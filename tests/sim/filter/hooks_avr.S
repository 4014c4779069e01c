; The hooks of core/filter/filter.h on AVR, for tests: they write down the call, and spoil each
; register that they may change.
#include <avr/io.h>
#ifdef __AVR_3_BYTE_PC__
#define PC 3
#else
#define PC 2
#endif
	.macro SAVE
	in	r0, _SFR_IO_ADDR(SREG)
	cli				; handlers that may be interrupted share a lane
	push	r0
	.irp r, 18,19,20,21,22,23,24,25
	push	r\r
	.endr
	in	r20, _SFR_IO_ADDR(SPL)
	in	r21, _SFR_IO_ADDR(SPH)
	.endm
	.macro RESTORE
	.irp r, 25,24,23,22,21,20,19,18
	pop	r\r
	.endr
	pop	r0
	out	_SFR_IO_ADDR(SREG), r0
	.endm
	.macro SPOIL
	ldi	r26, 0xa5
	mov	r0, r26
	mov	r27, r26
	mov	r30, r26
	mov	r31, r26
	subi	r26, 0x77
	.endm
	; the stack as it is in the function: the hook's own saves, and the call's address
	.macro ABOVE reg, n
	subi	r20, lo8(-(\n))
	sbci	r21, hi8(-(\n))
	movw	\reg, r20
	.endm
	.macro NUMBER wide
	mov	r24, r30
	.if \wide
	mov	r25, r31
	.else
	andi	r24, 0x7f
	clr	r25
	.endif
	.endm
	.macro HOOK name, record, wide
	.global	\name
	.type	\name, @function
\name:
	SAVE
	ABOVE	r22, 9 + PC
	NUMBER	\wide
	call	\record
	RESTORE
	SPOIL
	ret
	.size	\name, .-\name
	.endm
	HOOK wsntrace_enter, record_enter, 0
	HOOK wsntrace_leaf, record_leaf, 0
	HOOK wsntrace_enter_wide, record_enter, 1
	HOOK wsntrace_leaf_wide, record_leaf, 1

	.global	wsntrace_exit
wsntrace_exit:
	SAVE
	ABOVE	r24, 9
	call	record_exit
	RESTORE
	SPOIL
	ret

	.macro SAVE_ALL
	push	r0
	in	r0, _SFR_IO_ADDR(SREG)
	push	r0
	cli
	push	r1
	clr	r1
	.irp r, 18,19,20,21,22,23,24,25,26,27,30,31
	push	r\r
	.endr
	in	r20, _SFR_IO_ADDR(SPL)
	in	r21, _SFR_IO_ADDR(SPH)
	.endm
	.macro RESTORE_ALL
	.irp r, 31,30,27,26,25,24,23,22,21,20,19,18
	pop	r\r
	.endr
	pop	r1
	pop	r0
	out	_SFR_IO_ADDR(SREG), r0
	pop	r0
	.endm
	.macro HANDLER name, above, wide
	.global	\name
\name:
	SAVE_ALL
	ABOVE	r22, 15 + \above
	NUMBER	\wide
	call	record_handler_enter
	RESTORE_ALL
	ldi	r30, 0xa5
	ret
	.endm
	HANDLER wsntrace_handler_enter, 1 + PC, 0
	HANDLER wsntrace_handler_enter_wide, 2 + PC, 1

	.global	wsntrace_handler_exit
wsntrace_handler_exit:
	SAVE_ALL
	ABOVE	r24, 15
	call	record_handler_exit
	RESTORE_ALL
	reti
