; wsntrace_bits: the hooks of call traces without a table (WSNPROF_TRACE 3 to 5). They may clobber
; r0, r26, r27, r30, r31 and SREG; r1 is 0. wsntrace_bits.h tells what they work on.
;
; Cycles, with ldi, call and jmp of the function or its caller's stub, without its own ret (16-bit
; program counter); in brackets, how many more where a byte is full:
;
;				global id	local id
;	leaf			26 (18)		25 (18)
;	call			29 (18)		28 (18)
;	return			11 (16)		13 (16)

#if 0	/* what as without the preprocessor sees */
.error "wsntrace_bits.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include <avr/io.h>

#include "wsnprof_arch.h"
#include "wsntrace_bits.h"

#if WSNTRACE_BITS && !WSNTRACE_FLOW

#define IO(x) _SFR_IO_ADDR(x)
#define POSITION IO(GPIOR0)
#define BYTE IO(GPIOR1)
#define DEPTH IO(GPIOR2)
; Without blanks: they are arguments of macros, too.
#define LIVE(name) wsntrace_bits+WSNPROF_OFFSET(bits_live,name)
#define LANE(i,name) wsntrace_bits_lanes+i*.Lbits_lane_bytes+WSNPROF_OFFSET(bits_lane,name)
#define UNDER(i) wsntrace_bits+WSNPROF_OFFSET(bits_live,under)+i
#define INNER(i) wsntrace_bits+WSNPROF_OFFSET(bits_live,inner)+i
; Bits of a short token, and of an id where one follows.
#define ID_BITS 7

#ifdef __AVR_HAVE_JMP_CALL__
#define XCALL call
#define XJMP jmp
#else
#define XCALL rcall
#define XJMP rjmp
#endif

; Before wsnprof_init(): hooks find the trace off. Clobbers r24. .init4 does not clear this memory.
	.section .init2, "ax", @progbits
	.global	wsntrace_off
wsntrace_off:
	out	POSITION, r1
	out	BYTE, r1
	out	DEPTH, r1
	sts	LIVE(on), r1
	sts	LIVE(nesting), r1

	.section .text.wsntrace, "ax", @progbits

; --- calls --------------------------------------------------------------------------------------

#if WSNPROF_TRACE == 3
; r30: the id, of a leaf with 0x80. A call is 1 and the id; its bits are WSNPROF_TRACE_BITS in all.
	.global	wsntrace_enter, wsntrace_leaf
	.type	wsntrace_enter, @function
	.type	wsntrace_leaf, @function
wsntrace_enter:
	in	r26, DEPTH
	inc	r26
	out	DEPTH, r26
wsntrace_leaf:
	lsl	r30
	ori	r30, 1
#if WSNPROF_TRACE_BITS == 8
	in	r26, POSITION
	mul	r30, r26
	breq	call_count
	in	r30, BYTE
	or	r30, r0
	out	BYTE, r1
	clr	r1
	rjmp	byte_put
#else
	ldi	r31, 1 << WSNPROF_TRACE_BITS
	rjmp	bits_put
#endif
	.size	wsntrace_enter, . - wsntrace_enter
	.size	wsntrace_leaf, . - wsntrace_leaf
#else
; From where no scope is known. r30: the id, of a leaf with 0x80.
	.global	wsntrace_enter, wsntrace_leaf
	.type	wsntrace_enter, @function
	.type	wsntrace_leaf, @function
wsntrace_enter:
	rcall	wsntrace_leaf
	in	r26, DEPTH
	inc	r26
	out	DEPTH, r26
	ret
wsntrace_leaf:
	in	r26, POSITION
	tst	r26
	breq	call_count
	andi	r30, 0x7f
	in	r26, DEPTH		; where nothing is open there are no other codes
	tst	r26
	breq	1f
	push	r30
#if WSNPROF_TRACE == 4
	ldi	r30, 2
	ldi	r31, 1 << 2
#else
	ldi	r30, 0
	ldi	r31, 1 << 4
#endif
	rcall	bits_put
	pop	r30
1:	ldi	r31, 1 << ID_BITS
	rjmp	bits_put
	.size	wsntrace_enter, . - wsntrace_enter
	.size	wsntrace_leaf, . - wsntrace_leaf
#endif

; --- bits ---------------------------------------------------------------------------------------

; A call is not told: it is counted where the trace is on. r1 is 0.
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

#if WSNPROF_TRACE != 3
; r30: bits of the caller's scope, r31: 1 << their number.
	.global	wsntrace_call, wsntrace_call_leaf
	.type	wsntrace_call, @function
	.type	wsntrace_call_leaf, @function
wsntrace_call:
	in	r26, DEPTH
	inc	r26
	out	DEPTH, r26
wsntrace_call_leaf:
#endif
; r30: bits, r31: 1 << their number, 7 at most.
bits_put:
	in	r26, POSITION
	mul	r30, r26
	in	r30, BYTE
	or	r30, r0
	mov	r27, r1
	mul	r31, r26
	tst	r0
	breq	1f
	out	POSITION, r0
	out	BYTE, r30
	ret
1:	tst	r1
	breq	call_count
	out	POSITION, r1
	out	BYTE, r27
	clr	r1
; r30: a byte that is full.
byte_put:
	lds	r26, LIVE(w)
	lds	r27, LIVE(page)
	st	X, r30
	inc	r26
	sts	LIVE(w), r26
	lds	r30, LIVE(limit)
	cp	r26, r30
	breq	ring_full
	ret
; The sender has not come this far. What is in `byte` is told yet, nothing behind it.
ring_full:
	in	r26, POSITION
	out	POSITION, r1
	in	r30, DEPTH
	lds	r27, LIVE(nesting)
	tst	r27
#if WSNPROF_TRACE_HANDLERS > 0
	brne	1f
#endif
	sts	LANE(0, held), r26
	sts	LANE(0, floor), r30
	ret
#if WSNPROF_TRACE_HANDLERS > 0
1:	sts	LANE(1, held), r26
	sts	LANE(1, floor), r30
	ret
#endif

; --- returns ------------------------------------------------------------------------------------

; Its `ret` is the function's, or comes back to it before a tail call.
#if WSNPROF_TRACE != 5		/* there, what --huffman did not filter must not link */
	.global	wsntrace_exit
#endif
	.type	wsntrace_exit, @function
wsntrace_exit:
	in	r30, DEPTH
	subi	r30, 1
	brcs	exit_unknown
	out	DEPTH, r30
#if WSNPROF_TRACE == 5		/* of a handler; functions have codes of their own */
	ldi	r30, 1
	ldi	r31, 1 << 1
	rjmp	exit_bits
#else
	in	r30, POSITION
	lsl	r30
	breq	1f
#if WSNPROF_TRACE == 4
	lsl	r30
	breq	2f
#endif
	out	POSITION, r30
	ret
1:	brcc	exit_floor
#if WSNPROF_TRACE == 4
	ldi	r30, 2
	rjmp	3f
#endif
2:	ldi	r30, 1
3:	out	POSITION, r30
	in	r30, BYTE
	out	BYTE, r1
	rjmp	byte_put
#endif
	.size	wsntrace_exit, . - wsntrace_exit

#if WSNPROF_TRACE == 5
; The same with r30: bits, r31: 1 << their number.
	.global	wsntrace_exit_code
	.type	wsntrace_exit_code, @function
wsntrace_exit_code:
	in	r26, DEPTH
	subi	r26, 1
	brcs	exit_unknown
	out	DEPTH, r26
exit_bits:
	in	r26, POSITION
	tst	r26
	breq	exit_floor
	rjmp	bits_put
	.size	wsntrace_exit_code, . - wsntrace_exit_code
#endif
; Nothing is told: how far the calls returned.
exit_floor:
	in	r30, DEPTH
	ldi	r26, lo8(LANE(0, floor))
	ldi	r27, hi8(LANE(0, floor))
#if WSNPROF_TRACE_HANDLERS > 0
	lds	r31, LIVE(nesting)
	tst	r31
	breq	1f
	ldi	r26, lo8(LANE(1, floor))
	ldi	r27, hi8(LANE(1, floor))
#endif
1:	ld	r31, X
	cp	r30, r31
	brsh	exit_unknown
	st	X, r30
exit_unknown:
	ret

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
	io_keep	UNDER(2), POSITION
	io_keep	UNDER(3), BYTE
	io_keep	UNDER(4), DEPTH
	byte_move UNDER(0), LIVE(w)
	byte_move UNDER(1), LIVE(limit)
	io_take	POSITION, LANE(1, position)
	io_take	BYTE, LANE(1, byte)
	out	DEPTH, r1
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
	io_keep	INNER(0), POSITION	; one that interrupts another is counted alone
	io_keep	INNER(1), BYTE
	io_keep	INNER(2), DEPTH
	out	POSITION, r1
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
	rcall	wsntrace_exit
	sts	LIVE(nesting), r1
	io_keep	LANE(1, position), POSITION
	io_keep	LANE(1, byte), BYTE
	byte_move LANE(1, w), LIVE(w)
	io_take	POSITION, UNDER(2)
	io_take	BYTE, UNDER(3)
	io_take	DEPTH, UNDER(4)
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
	io_take	POSITION, INNER(0)
	io_take	BYTE, INNER(1)
	io_take	DEPTH, INNER(2)
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
