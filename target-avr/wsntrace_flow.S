; wsntrace_flow: the hooks of call traces by control flow (WSNPROF_TRACE 6). wsntrace_bits.h tells
; what they work on.
;
; Cycles, with the call of the hook (16-bit program counter), as bench/node measures them; in brackets,
; how many more where a byte is full:
;
;	a logged branch, by carry		18 (42)
;	by another flag				21 (42)
;	a skip: not skipped; skipped		23 (40); 25 (40)
;	a switch				144: one is, always
;	a call from outside, top level		82 (49)
;	a call out by name, and back		65 (37)

#if 0	/* what as without the preprocessor sees */
.error "wsntrace_flow.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include <avr/io.h>

#include "wsnprof_arch.h"
#include "wsntrace_bits.h"

#if WSNTRACE_FLOW

#define IO(x) _SFR_IO_ADDR(x)
#define BITS IO(GPIOR0)
#define BASE IO(GPIOR1)
#define PLACE IO(GPIOR2)
; Without blanks: they are arguments of macros, too.
#define LIVE(name) wsntrace_bits+WSNPROF_OFFSET(bits_live,name)
#define LANE(i,name) wsntrace_bits_lanes+i*.Lbits_lane_bytes+WSNPROF_OFFSET(bits_lane,name)
#define UNDER(i) wsntrace_bits+WSNPROF_OFFSET(bits_live,under)+i
#define INNER(i) wsntrace_bits+WSNPROF_OFFSET(bits_live,inner)+i
#define NONE WSNTRACE_NO_BITS

#ifdef __AVR_HAVE_JMP_CALL__
#define XCALL call
#define XJMP jmp
#else
#define XCALL rcall
#define XJMP rjmp
#endif
#define ID_BITS 7

; Before wsnprof_init(): hooks find the trace off. Clobbers r24. .init4 clears `told`.
	.section .init2, "ax", @progbits
	.global	wsntrace_off
wsntrace_off:
	ldi	r24, NONE
	out	BITS, r24
	ldi	r24, lo8(wsntrace_places)
	out	BASE, r24
	out	PLACE, r24
	sts	LIVE(on), r1
	sts	LIVE(nesting), r1

	.section .text.wsntrace, "ax", @progbits

; --- bits ---------------------------------------------------------------------------------------

; r30: a byte that is full. Keeps all but r30 and SREG.
byte_put:
	push	r26
	push	r27
	ldi	r26, NONE
	out	BITS, r26
	lds	r26, LIVE(nesting)
	tst	r26
	brne	1f
	lds	r27, LANE(0, told)
	rjmp	2f
1:
#if WSNPROF_TRACE_HANDLERS > 0
	cpi	r26, 2
	brsh	3f
	lds	r27, LANE(1, told)
#else
	rjmp	3f
#endif
2:	tst	r27
	breq	3f
	lds	r26, LIVE(w)
	lds	r27, LIVE(page)
	st	X, r30
	inc	r26
	sts	LIVE(w), r26
	lds	r30, LIVE(limit)
	cp	r26, r30
	brne	3f
	rcall	lane_hold		; the sender has not come this far
3:	pop	r27
	pop	r26
	ret

; Nothing more of the lane is told. Clobbers r26, r27.
lane_hold:
	ldi	r26, 0
	lds	r27, LIVE(nesting)
	tst	r27
	brne	1f
	sts	LANE(0, told), r26
1:
#if WSNPROF_TRACE_HANDLERS > 0
	cpi	r27, 1
	brne	2f
	sts	LANE(1, told), r26
2:
#endif
	ret

; r30: bits, r31: their number. Clobbers r26, r30, r31.
bits_put:
	lsr	r30
	in	r26, BITS
	ror	r26
	out	BITS, r26
	brcs	2f
1:	dec	r31
	brne	bits_put
	ret
2:	push	r30
	mov	r30, r26
	rcall	byte_put
	pop	r30
	rjmp	1b

; In a function's body: they keep all but r0. `bit`: of SREG.
.macro	flag name, bit
	.global	wsntrace_flag_\name
	.type	wsntrace_flag_\name, @function
wsntrace_flag_\name:
	in	r0, IO(SREG)
	push	r30
	in	r30, BITS
.if \bit
	clc
	sbrc	r0, \bit
	sec
.endif
	ror	r30
	out	BITS, r30
	brcs	flag_full
	pop	r30
	out	IO(SREG), r0
	ret
	.size	wsntrace_flag_\name, . - wsntrace_flag_\name
.endm

	flag	c, 0
	flag	z, 1
	flag	n, 2
	flag	v, 3

flag_full:
	rcall	byte_put
flag_end:
	pop	r30
	out	IO(SREG), r0
	ret

	flag	s, 4
	flag	h, 5
	flag	t, 6

	.global	wsntrace_bit_0, wsntrace_bit_1
	.type	wsntrace_bit_0, @function
	.type	wsntrace_bit_1, @function
wsntrace_bit_0:
	in	r0, IO(SREG)
	clc
	rjmp	1f
	.size	wsntrace_bit_0, . - wsntrace_bit_0
wsntrace_bit_1:
	in	r0, IO(SREG)
	sec
1:	push	r30
	in	r30, BITS
	ror	r30
	out	BITS, r30
	brcs	flag_full
	rjmp	flag_end
	.size	wsntrace_bit_1, . - wsntrace_bit_1

; Before a jump through a table, Z: of which word. Keeps all but r0.
	.global	wsntrace_switch
	.type	wsntrace_switch, @function
wsntrace_switch:
	in	r0, IO(SREG)
	push	r30
	push	r31
	push	r26
	ldi	r31, 8
	rcall	bits_put
	pop	r26
	pop	r31
	rjmp	flag_end
	.size	wsntrace_switch, . - wsntrace_switch

; --- calls --------------------------------------------------------------------------------------

; From outside: r30, the id. Clobbers r26, r27, r30, r31.
	.global	wsntrace_enter
	.type	wsntrace_enter, @function
wsntrace_enter:
	lds	r26, LIVE(nesting)
	tst	r26
	brne	1f
	lds	r26, LANE(0, told)
	rjmp	2f
1:
#if WSNPROF_TRACE_HANDLERS > 0
	cpi	r26, 2
	brsh	call_count
	lds	r26, LANE(1, told)
#else
	rjmp	call_count
#endif
2:	tst	r26
	breq	call_count
	ldi	r31, ID_BITS
	in	r26, PLACE
	in	r27, BASE
	cp	r26, r27
	breq	3f
	lsl	r30			; inside of a call out: a 1 before it
	ori	r30, 1
	inc	r31
3:	rjmp	bits_put
	.size	wsntrace_enter, . - wsntrace_enter

; A call is not told: it is counted where the trace is on. Clobbers r26, r27, r30, r31.
call_count:
	lds	r26, LIVE(on)
	tst	r26
	breq	2f
	in	r31, IO(SREG)
	cli
	ldi	r26, lo8(LANE(0, untold))
	ldi	r27, hi8(LANE(0, untold))
	lds	r30, LIVE(nesting)
	tst	r30
	breq	1f
#if WSNPROF_TRACE_HANDLERS > 0
	ldi	r26, lo8(LANE(1, untold))
	ldi	r27, hi8(LANE(1, untold))
#else
	rjmp	3f
#endif
1:	ld	r30, X			; however many bytes it has
	inc	r30
	st	X+, r30
	breq	1b
3:	out	IO(SREG), r31
2:	ret

; A call of what is not followed, Z: what is told meanwhile comes from outside. In place of its
; return address stands that of wsntrace_back. Clobbers r0, r26, r27.
	.global	wsntrace_out
	.type	wsntrace_out, @function
wsntrace_out:
	in	r26, PLACE
	cpi	r26, lo8(wsntrace_places + WSNTRACE_PLACES * WSNTRACE_PLACE_BYTES)
	breq	out_full
	subi	r26, -WSNTRACE_PLACE_BYTES
	out	PLACE, r26
	subi	r26, 2
	ldi	r27, hi8(wsntrace_places)
.rept	WSNTRACE_PLACE_ADDRESS
	pop	r0
	st	-X, r0
.endr
	subi	r26, -WSNTRACE_PLACE_ADDRESS
	in	r0, IO(SPL)
	st	X+, r0
	in	r0, IO(SPH)
	st	X, r0
	ldi	r26, lo8(pm(wsntrace_back))
	push	r26
	ldi	r26, hi8(pm(wsntrace_back))
	push	r26
#ifdef __AVR_3_BYTE_PC__
	ldi	r26, hh8(pm(wsntrace_back))
	push	r26
	eijmp
#else
	ijmp
#endif
; It cannot be told apart when it returns: not before all of these have.
out_full:
	rcall	lane_hold
#ifdef __AVR_3_BYTE_PC__
	eijmp
#else
	ijmp
#endif
	.size	wsntrace_out, . - wsntrace_out

; Such a call has returned: a 0. Clobbers r0, r26, r27, r30, r31.
	.global	wsntrace_back
	.type	wsntrace_back, @function
wsntrace_back:
	in	r26, PLACE
1:	ldi	r27, hi8(wsntrace_places)
	in	r30, IO(SPL)
	in	r31, IO(SPH)
	ld	r0, -X
	cp	r0, r31
	ld	r0, -X
	cpc	r0, r30
	brne	2f
	subi	r26, WSNTRACE_PLACE_ADDRESS
.rept	WSNTRACE_PLACE_ADDRESS
	ld	r0, X+
	push	r0
.endr
	subi	r26, WSNTRACE_PLACE_ADDRESS
	out	PLACE, r26
	in	r30, BITS
	lsr	r30
	out	BITS, r30
	brcs	3f
	ret
; A longjmp() ended that call: what was told since means nothing.
2:	subi	r26, WSNTRACE_PLACE_ADDRESS
	push	r26
	rcall	lane_hold
	ldi	r26, NONE
	out	BITS, r26
	pop	r26
	rjmp	1b
3:	rjmp	byte_put
	.size	wsntrace_back, . - wsntrace_back

; --- interrupt handlers -------------------------------------------------------------------------

; What a handler's hook keeps besides r30 and r31; r1 is 0.
.macro	handler_save
	push	r26
	push	r0
	in	r0, IO(SREG)
	cli
	push	r0
	push	r1
	clr	r1
	push	r27
.endm

.macro	byte_move to, from
	lds	r26, \from
	sts	\to, r26
.endm

.macro	io_keep to, from
	in	r26, \from
	sts	\to, r26
.endm

.macro	io_take to, from
	lds	r26, \from
	out	\to, r26
.endm

; Before the prologue: keeps all but r30, which has the id. Interrupts are off.
	.global	wsntrace_handler_enter, wsntrace_handler_exit
	.type	wsntrace_handler_enter, @function
wsntrace_handler_enter:
	handler_save
	push	r31
	lds	r26, LIVE(nesting)
	inc	r26
	sts	LIVE(nesting), r26
#if WSNPROF_TRACE_HANDLERS > 0
	cpi	r26, 1
	brne	1f
	io_keep	UNDER(2), BITS
	io_keep	UNDER(3), BASE
	byte_move UNDER(0), LIVE(w)
	byte_move UNDER(1), LIVE(limit)
	io_take	BITS, LANE(1, position)
	in	r26, PLACE
	out	BASE, r26
	byte_move LIVE(w), LANE(1, w)
	byte_move LIVE(limit), LANE(1, limit)
	ldi	r26, hi8(wsntrace_ring_handlers)
	sts	LIVE(page), r26
	rcall	wsntrace_enter
	rjmp	3f
1:	cpi	r26, 2
	brne	2f
#else
	cpi	r26, 1
	brne	3f
#endif
	io_keep	INNER(0), BITS		; one that interrupts another is counted alone
	ldi	r26, NONE
	out	BITS, r26
2:
#if WSNPROF_TRACE_HANDLERS > 0
	rcall	call_count
#endif
3:	pop	r31
	rjmp	handler_restore
	.size	wsntrace_handler_enter, . - wsntrace_handler_enter
; In place of its reti: keeps all.
	.type	wsntrace_handler_exit, @function
wsntrace_handler_exit:
	push	r30
	push	r31
	rcall	1f
	pop	r31
	pop	r30
	reti
1:	handler_save
	lds	r26, LIVE(nesting)
	dec	r26
#if WSNPROF_TRACE_HANDLERS > 0
	brne	2f
	sts	LIVE(nesting), r1
	io_keep	LANE(1, position), BITS
	byte_move LANE(1, w), LIVE(w)
	io_take	BITS, UNDER(2)
	io_take	BASE, UNDER(3)
	byte_move LIVE(w), UNDER(0)
	byte_move LIVE(limit), UNDER(1)
	ldi	r26, hi8(wsntrace_ring_main)
	sts	LIVE(page), r26
	rjmp	handler_restore
2:	sts	LIVE(nesting), r26
	cpi	r26, 1
	brne	handler_restore
#else
	sts	LIVE(nesting), r26
	brne	handler_restore
#endif
	io_take	BITS, INNER(0)
; Behind handler_save.
handler_restore:
	pop	r27
	pop	r1
	pop	r0
	out	IO(SREG), r0
	cli
	pop	r0
	pop	r26
	ret
	.size	wsntrace_handler_exit, . - wsntrace_handler_exit

; --- longjmp ------------------------------------------------------------------------------------

#if WSNPROF_TRACE_JUMPS > 0
	.global	__wrap_setjmp, __wrap_longjmp
	.type	__wrap_setjmp, @function
__wrap_setjmp:
	push	r24
	push	r25
	XCALL	wsntrace_jump_set
	pop	r25
	pop	r24
	XJMP	__real_setjmp
	.size	__wrap_setjmp, . - __wrap_setjmp
	.type	__wrap_longjmp, @function
__wrap_longjmp:
	push	r22
	push	r23
	push	r24
	push	r25
	XCALL	wsntrace_jump
	pop	r25
	pop	r24
	pop	r23
	pop	r22
	XJMP	__real_longjmp
	.size	__wrap_longjmp, . - __wrap_longjmp
#endif

#endif
