; wsntrace_hooks: what `wsntop as` makes functions call (WSNPROF_TRACE). They may clobber r0, r26,
; r27, r30, r31 and SREG; r1 is 0. target-common/wsntrace_lane.h tells what they work on.
;
; Nothing is locked: a handler's hooks work on another lane, and leave this one's state in
; wsntrace_live and GPIOR0 to 2 as it was.
;
; Cycles, with the function's ldi, call and jmp, without its own ret (16-bit program counter):
;
;				WSNPROF_TRACE_HASH 24	40
;	leaf			38			46
;	enter			44			56
;	exit, known		71			105
;	exit, new		84			124
;
; From the top level, with time stamps, a call costs some 390. What is not so simple goes to
; wsntrace_slow() (300 to 1,300), but for calls in a box.

#if 0	/* what as without the preprocessor sees */
.error "wsntrace_hooks.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include <avr/io.h>

#include "wsnprof_arch.h"
#include "wsntrace_lane.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#define IO(x) _SFR_IO_ADDR(x)
#define H0 IO(GPIOR0)
#define H1 IO(GPIOR1)
#define H2 IO(GPIOR2)
#define H3 LIVE(hash)		/* with 40 bits */
#define H4 (LIVE(hash) + 1)

#ifdef __AVR_HAVE_JMP_CALL__
#define XCALL call
#define XJMP jmp
#else
#define XCALL rcall
#define XJMP rjmp
#endif

#define LIVE(name) (wsntrace_live + WSNPROF_OFFSET(trace_live, name))
#define LANE(name) WSNPROF_OFFSET(trace_lane, name)
#define HANDLERS(name) (wsntrace_handlers + WSNTRACE_STRUCT_AT + WSNPROF_OFFSET(trace_lane, name))
; Of a lane: the page behind its tokens, where its struct is.
#define STRUCT_PAGE(lane) hi8(lane + WSNTRACE_STRUCT_AT)

	.if	.Ltrace_lane_bytes - WSNTRACE_BASE
	.error	"wsntrace_lane.h: WSNTRACE_BASE"
	.endif

; A hook. With tasks none goes on in the midst of another's: interrupts are off in it.
#if WSNPROF_TASKS
#define HOOK(name) name##_masked
.macro	hook	name
	.global	\name
	.type	\name, @function
\name:
	brid	\name\()_masked
	cli
	rcall	\name\()_masked
	sei
	ret
\name\()_masked:
.endm
#else
#define HOOK(name) name
.macro	hook	name
	.global	\name
	.type	\name, @function
\name:
.endm
#endif

; r1:r0: what the call took so far, of Z: its OPEN, compared with n. Clobbers r27.
#if WSNPROF_TRACE_LONG
.macro	took_compare n
	in	r27, IO(SREG)
	cli
	lds	r0, WSNPROF_T_LOW
	lds	r1, WSNPROF_T_HIGH
	out	IO(SREG), r27
	subi	r30, 2			; its stamp
	ld	r27, Z+
	sub	r0, r27
	ld	r27, Z+
	sbc	r1, r27
	long_compare \n
.endm
.macro	long_compare n
	lds	r27, wsntrace_bounds + \n
	cp	r0, r27
	lds	r27, wsntrace_bounds + \n + 1
	cpc	r1, r27
.endm
#endif

; The time of what follows, to X+ or Z+. Clobbers r0 and r1.
#if WSNPROF_TRACE_LONG
.macro	stamp_put to
	clr	r1
	in	r0, IO(SREG)
	sec
	ror	r1			; 0x80
	st	\to\()+, r1
	cli				; handlers read the timer, too
	lds	r1, WSNPROF_T_LOW
	st	\to\()+, r1
	lds	r1, WSNPROF_T_HIGH
	out	IO(SREG), r0
	st	\to\()+, r1
.endm
#endif

; Each N-th leaf has a stamp, at X+. Clobbers r0 and \n; r1 is 0.
#if WSNPROF_TRACE_EVERY
.macro	stamp_each n
	lds	\n, LIVE(every)
	dec	\n
	sts	LIVE(every), \n
	brne	1f
	ldi	\n, WSNPROF_TRACE_EVERY
	sts	LIVE(every), \n
	stamp_put X
	clr	r1
	cpi	r26, WSNTRACE_UNSTAMPED + 3
	brlo	1f
	subi	r26, 3			; takes as long without
1:
.endm
#endif

; The slot of the call that returns keeps what it took: Z: behind its stamp; r0: its OPEN, or 0.
; Clobbers r0, r1.
#if WSNPROF_TRACE_ALIKE
.macro	took_keep
	push	r26
	push	r30
	ld	r27, -Z
	ld	r26, -Z
	mov	r30, r0
	dec	r30
	cpi	r30, WSNTRACE_UNSTAMPED - 1
	brsh	1f
	ld	r1, Z
	ld	r0, -Z
	sub	r26, r0
	sbc	r27, r1
	rjmp	2f
1:	ldi	r26, 0xff
	ldi	r27, 0xff
2:	in	r30, H0
	lsl	r30
	subi	r31, 2
	st	Z+, r26
	st	Z, r27
	subi	r31, -2
	mov	r27, r31
	inc	r27
	pop	r30
	pop	r26
.endm
#endif

; The hash goes on with r30; wide: and r31. Clobbers r0, r26, r27, r30, r31; r1 is 0.
; C has it as wsntrace_hash_pair(a, b).
.macro	hash_add wide
	ldi	r26, WSNTRACE_K
	in	r27, H2
	eor	r27, r30
	mul	r27, r26
	in	r27, H1
	add	r0, r27
	.if	\wide
	brcc	.+2
	inc	r1
	mov	r30, r31
	eor	r31, r31
	.else
	ldi	r31, 0
	adc	r1, r31
	.endif
#if WSNTRACE_HASH_BYTES > 3
	lds	r27, H4
	out	H2, r27
	sts	H4, r0
	lds	r27, H3
#else
	out	H2, r0
	in	r27, H0
#endif
	.if	\wide
	eor	r27, r30
	.endif
	mov	r30, r1
	mul	r27, r26
#if WSNTRACE_HASH_BYTES > 3
	in	r27, H0
	sts	H3, r27
#endif
	add	r0, r30
	adc	r1, r31
	out	H0, r0
	out	H1, r1
	clr	r1
.endm

; A call of r31:r30 begins; r1 is 0.
.macro	hash_begin high
	out	H0, r30
	out	H1, \high
	out	H2, r1
#if WSNTRACE_HASH_BYTES > 3
	sts	H3, r30
	sts	H4, r1
#endif
.endm

; X: where its caller's hash is kept. Clobbers r31.
.macro	hash_keep
#if WSNTRACE_HASH_BYTES > 3
	lds	r31, H3
	st	X+, r31
	in	r31, H0
	st	X+, r31
	lds	r31, H4
	st	X+, r31
#else
	in	r31, H0
	st	X+, r31
#endif
	in	r31, H1
	st	X+, r31
	in	r31, H2
	st	X+, r31
.endm

; --- before wsnprof_init() ----------------------------------------------------------------------

; Hooks that run before it find the trace off. Clobbers r24. .init4 does not clear this memory.
	.section .init2, "ax", @progbits
	.global	wsntrace_off
wsntrace_off:
	ldi	r24, WSNTRACE_SLOW
	sts	LIVE(w), r24
	ldi	r24, WSNTRACE_BASE
	sts	LIVE(sp), r24
	ldi	r24, hi8(wsntrace_main + WSNTRACE_TOKENS_AT)
	sts	LIVE(page), r24
	sts	LIVE(nesting), r1
	ldi	r24, WSNTRACE_OFF
	sts	wsntrace_main + WSNTRACE_STRUCT_AT + LANE(mode), r24
	sts	wsntrace_main + WSNTRACE_STRUCT_AT + LANE(no_call), r1
#if WSNPROF_TRACE_HANDLERS > 0
	sts	wsntrace_handlers + WSNTRACE_STRUCT_AT + LANE(mode), r24
	sts	wsntrace_handlers + WSNTRACE_STRUCT_AT + LANE(no_call), r1
	ldi	r24, WSNTRACE_SLOW
	sts	wsntrace_handlers + WSNTRACE_STRUCT_AT + LANE(w), r24
	ldi	r24, WSNTRACE_BASE
	sts	wsntrace_handlers + WSNTRACE_STRUCT_AT + LANE(sp), r24
#endif

	.section .text.wsntrace, "ax", @progbits

; --- a call that calls nothing ------------------------------------------------------------------

; r30: the id + 0x80.
	hook	wsntrace_leaf
	lds	r26, LIVE(w)
	cpi	r26, WSNTRACE_FULL
	brsh	leaf_slow
	lds	r27, LIVE(page)
#if WSNPROF_TRACE_EVERY
	stamp_each r31
#endif
	st	X+, r30
	sts	LIVE(w), r26
leaf_hash:
	hash_add 0
	ret
leaf_slow:
	rcall	mode_look
	sbrc	r26, 7
	rjmp	nested_count
	sbrc	r26, WSNTRACE_OFF_BIT
	ret
	sbrc	r26, WSNTRACE_BOX_BIT
	rjmp	leaf_box
	cpi	r26, WSNTRACE_TOP
	brne	2f
	push	r30
	rcall	top_stamp
	pop	r0
	brcs	1f
	st	X+, r0
	std	Z+LANE(w_true), r26
	mov	r30, r0
	rjmp	leaf_hash
1:	mov	r30, r0
2:	andi	r30, 0x7f
	ldi	r31, 0
	ldi	r26, WSNTRACE_LEAF
	rjmp	slow
leaf_box:
	sbrc	r26, WSNTRACE_DEAF_BIT
	rjmp	box_count
	mov	r0, r30
	rcall	box_count
	mov	r30, r0
	rjmp	leaf_hash
	.size	wsntrace_leaf, . - wsntrace_leaf

; --- a call -------------------------------------------------------------------------------------

; r30: the id.
	hook	wsntrace_enter
	lds	r26, LIVE(w)
	cpi	r26, WSNTRACE_FULL
	brsh	enter_slow
	lds	r31, LIVE(sp)
	lds	r0, LIVE(limit)
	cp	r31, r0
	brsh	enter_slow
	lds	r27, LIVE(page)
#if WSNPROF_TRACE_LONG
	stamp_put X
	clr	r1
	cpi	r26, WSNTRACE_UNSTAMPED + 3
	brlo	1f
	subi	r26, 3			; takes as long without
1:
#endif
	mov	r0, r26
	st	X+, r30
	sts	LIVE(w), r26
	mov	r26, r31
	inc	r27
	hash_keep
	st	X+, r0
	sts	LIVE(sp), r26
	hash_begin r1
	ret
enter_slow:
	rcall	mode_look
	sbrc	r26, 7
	rjmp	nested_count
	sbrc	r26, WSNTRACE_OFF_BIT
	ret
	ldi	r31, 0
	sbrc	r26, WSNTRACE_BOX_BIT
	rjmp	box_enter
	cpi	r26, WSNTRACE_TOP
	breq	enter_top
enter_rare:
	ldi	r31, 0
	ldi	r26, WSNTRACE_ENTER
	rjmp	slow
; From the top level: with its time. What it calls is not at the top level.
enter_top:
	ldi	r26, LANE(top)
	ld	r0, X
	lds	r26, LIVE(sp)
	cp	r26, r0
	brne	enter_rare
	lds	r0, LIVE(limit)
	cp	r26, r0
	brsh	enter_rare
#if WSNPROF_TRACE_LONG
	ldi	r26, LANE(w_true)
	ld	r31, X
	cpi	r31, WSNTRACE_STAMPED
	brsh	enter_rare
	sts	LIVE(w), r31
	ldi	r26, LANE(mode)
	st	X, r1
	rcall	HOOK(wsntrace_enter)
	lds	r26, LIVE(sp)
	lds	r27, LIVE(page)
	inc	r27
	ld	r0, -X
	st	X, r1			; its end comes to exit_slow
	ldi	r26, LANE(top_at)
	st	X, r0
	ret
#else
	push	r30
	rcall	top_stamp
	pop	r0
	mov	r30, r0
	brcs	enter_rare
	ldi	r30, 0
	std	Z+LANE(mode), r30
	std	Z+LANE(top_at), r26
	sts	LIVE(w), r26
	mov	r30, r0
	rcall	HOOK(wsntrace_enter)
	lds	r26, LIVE(sp)
	lds	r27, LIVE(page)
	inc	r27
	st	-X, r1			; its end comes to exit_slow
	ret
#endif
	.size	wsntrace_enter, . - wsntrace_enter

; --- its end ------------------------------------------------------------------------------------

exit_full:
	clr	r1
	ldi	r26, WSNTRACE_EXIT
	rjmp	slow
exit_out:
	ret
exit_mode:
	mov	r30, r0
	andi	r30, WSNTRACE_OFF | WSNTRACE_BOX
	breq	exit_full
	cpi	r30, WSNTRACE_BOX
	brne	exit_out
	ldi	r26, LANE(nest)
	ld	r30, X+
	ld	r31, X
	sbiw	r30, 1
	st	X, r31
	st	-X, r30
	breq	exit_box
	sbrc	r0, WSNTRACE_DEAF_BIT
	ret
	lds	r26, LIVE(sp)
	dec	r26
	rjmp	exit_pop
exit_box:
	ldi	r26, WSNTRACE_BOX_END
	rjmp	slow
; Its OPEN was sent, or it was made from the top level, or a mode is set. r27: the struct's page;
; r26: sp - 1.
exit_slow:
	lds	r30, LIVE(nesting)
	cpi	r30, 2
	brsh	exit_out
	mov	r31, r27
	ldi	r30, 0
	ldd	r0, Z+LANE(mode)
	tst	r0
	brne	exit_mode
	ldd	r0, Z+LANE(top)
	subi	r26, WSNTRACE_CALL_BYTES - 1
	cp	r0, r26
	brlo	1f
	lds	r1, LIVE(w)		; from the top level: its time behind it
	ldi	r30, WSNTRACE_LEAVE - 4
	cp	r1, r30
	brsh	exit_full
	push	r24
	push	r25
	in	r0, IO(SREG)		; handlers read the timer, too
	cli
	lds	r24, WSNPROF_T_LOW
	lds	r25, WSNPROF_T_HIGH
	out	IO(SREG), r0
	ldi	r30, 0
	clr	r1
	ldd	r0, Z+LANE(top_at)
	std	Z+LANE(top_at), r1
	subi	r26, 1 - WSNTRACE_CALL_BYTES
	rcall	exit_placed
	lds	r26, LIVE(w)
	lds	r27, LIVE(page)
	mov	r31, r27
	inc	r31
	ldi	r30, 0
	clt
	rcall	stamp_at
	std	Z+LANE(w_true), r26
	pop	r25
	pop	r24
	ldi	r26, WSNTRACE_TOP
	std	Z+LANE(mode), r26
	ldi	r26, WSNTRACE_SLOW
	sts	LIVE(w), r26
	ret
1:	subi	r26, 1 - WSNTRACE_CALL_BYTES
	clr	r0
exit_close:
	rjmp	exit_new
; The fast part with r0: where OPEN is, 0: it was sent.
exit_placed:
	tst	r0
	breq	exit_close
#if WSNTRACE_HASH_BYTES > 3
	st	X, r0			; exit_find looks again
#endif
	in	r30, H0
	lsl	r30
	dec	r31
	dec	r31
#if WSNPROF_TRACE_LONG		/* its stamp stays */
	ld	r1, Z+
	ld	r31, Z
	in	r30, H1
	cp	r1, r30
	in	r30, H2
	cpc	r31, r30
	brne	exit_close
	mov	r30, r0
	mov	r31, r27
	dec	r31
	cpi	r30, WSNTRACE_UNSTAMPED
	brsh	1f
	took_compare 0
	brsh	2f
#if WSNPROF_TRACE_ALIKE
	rcall	took_alike
	brcc	3f
#endif
1:	rjmp	exit_refer
2:	rjmp	exit_long
#if WSNPROF_TRACE_ALIKE
3:	rjmp	exit_differs
#endif
#else
	rjmp	exit_find
#endif
exit_new:
	lds	r30, LIVE(w)
	cpi	r30, WSNTRACE_LEAVE
	brlo	1f
	rjmp	exit_full
1:
#if WSNPROF_TRACE_LONG			/* as near to the return as that of a call is to it */
	mov	r31, r27
	dec	r31
#if WSNPROF_TRACE_ALIKE
	push	r0
	stamp_put Z
	pop	r0
	took_keep
#else
	stamp_put Z
#endif
	cpi	r30, WSNTRACE_STAMPED + 3
	brlo	1f
	subi	r30, 3
1:	sts	LIVE(w), r30
#endif
	in	r30, H0
	lsl	r30
	mov	r31, r27
	subi	r31, 2
	in	r0, H1
	st	Z+, r0
	in	r0, H2
	st	Z, r0
#if WSNTRACE_HASH_BYTES > 3
	dec	r31
	lds	r0, H4
	st	Z, r0
	lds	r0, H3
	st	-Z, r0
#endif
	lds	r30, LIVE(w)
	mov	r31, r27
	dec	r31
	ldi	r27, 0x7e
	st	Z+, r27
	rjmp	exit_told
#if WSNPROF_TRACE_LONG
exit_lasted:
	long_compare 0
	brsh	exit_long
#if WSNPROF_TRACE_ALIKE
	rcall	took_alike
	brcc	exit_differs
#endif
	rjmp	exit_refer
; Known, and told: as soon after what a reference takes as can be.
exit_long:
	lds	r30, LIVE(w)
	cpi	r30, WSNTRACE_LEAVE
	brsh	exit_not_long
	stamp_put Z
	cpi	r30, WSNTRACE_STAMPED + 3
	brlo	1f
	subi	r30, 3
1:	ldi	r27, 0x7e
	st	Z+, r27
	rjmp	exit_told
exit_not_long:
	rjmp	exit_full
#endif
exit_not_so:
	rjmp	exit_slow
exit_other:
	rjmp	exit_new
#if WSNPROF_TRACE_LONG
exit_lasts:
	rjmp	exit_lasted
#endif
#if WSNPROF_TRACE_ALIKE
exit_differs:
	mov	r0, r30
	mov	r27, r31
	inc	r27
	rjmp	exit_new
#endif
; Its `ret` is the function's, or comes back to it before a tail call.
	hook	wsntrace_exit
	lds	r26, LIVE(sp)
	lds	r27, LIVE(page)
	in	r30, H0			; the slot: bits 0 to 6, two bytes each
	lsl	r30
	mov	r31, r27
	dec	r31
	inc	r27
	ld	r0, -X
	tst	r0
	breq	exit_not_so
#if !WSNPROF_TRACE_LONG
exit_find:
#endif
#if WSNTRACE_HASH_BYTES > 3
	ld	r1, Z+
	in	r0, H1
	cp	r1, r0
	ld	r1, Z
	in	r0, H2
	cpc	r1, r0
	brne	exit_new
	dec	r31
	ld	r1, Z
	lds	r0, H4
	cp	r1, r0
	ld	r1, -Z
	lds	r0, H3
	cpc	r1, r0
	brne	exit_new
	ld	r0, X
#else
	ld	r1, Z+
	ld	r31, Z
	in	r30, H1
	cp	r1, r30
	in	r30, H2
	cpc	r31, r30
	brne	exit_other
#endif
	mov	r30, r0			; known: back to its OPEN
	mov	r31, r27
	dec	r31
#if WSNPROF_TRACE_LONG
	cpi	r30, WSNTRACE_UNSTAMPED
	brsh	exit_unstamped
	took_compare 2
	brsh	exit_lasts
#if WSNPROF_TRACE_ALIKE
	rcall	took_alike
	brcc	exit_differs
#endif
	subi	r30, 3			; without its stamp
exit_refer:
#endif
	ldi	r27, 0x7f
	st	Z+, r27
	in	r0, H0
	st	Z+, r0
	in	r0, H1
	st	Z+, r0
#if WSNTRACE_REF_BYTES > 2
	in	r0, H2
	st	Z+, r0
#endif
exit_told:
	sts	LIVE(w), r30
	mov	r27, r31
	inc	r27
; The caller's hash goes on with this one's: wsntrace_lane.c's wsntrace_hash_call().
exit_pop:
	ld	r31, -X			; the caller's bits 16 to 23
#if WSNTRACE_HASH_BYTES > 3
	lds	r30, H3
#else
	in	r30, H0
#endif
	eor	r31, r30
	ldi	r30, WSNTRACE_K
	mul	r31, r30
	ld	r31, -X			; bits 8 to 15
	add	r0, r31
	ldi	r31, 0
	adc	r1, r31
#if WSNTRACE_HASH_BYTES > 3
	lds	r30, H4
	sts	H4, r0
	ld	r31, -X			; bits 32 to 39
	in	r0, H1
	add	r31, r0
	in	r0, H2
	out	H2, r31
	out	H1, r0			; this one's bits 16 to 23
	ld	r31, -X			; bits 0 to 7
	in	r0, H0
	add	r31, r0
	sts	H3, r31
	ld	r31, -X			; bits 24 to 31
	sts	LIVE(sp), r26
	in	r0, H1
	eor	r31, r0
	mov	r27, r1
	ldi	r26, WSNTRACE_K
	mul	r31, r26
	add	r0, r27
	ldi	r27, 0
	adc	r1, r27
	add	r1, r30
#else
	in	r31, H2
	out	H2, r0
	ld	r0, -X			; bits 0 to 7
	sts	LIVE(sp), r26
	eor	r31, r0
	mov	r27, r1
	mul	r31, r30
	add	r0, r27
	ldi	r27, 0
	adc	r1, r27
	in	r27, H1
	add	r1, r27
#endif
	out	H0, r0
	out	H1, r1
	clr	r1
	ret
#if WSNPROF_TRACE_LONG
; Takes as long as with a stamp: calls that are told are a measure of those that are known.
exit_unstamped:
	took_compare 2
#if WSNPROF_TRACE_ALIKE
	ldi	r27, 14
1:	dec	r27
	brne	1b
#endif
	rjmp	exit_refer
#endif
	.size	wsntrace_exit, . - wsntrace_exit

#if WSNPROF_TRACE_ALIKE
; r1:r0: what the call took, of Z: its OPEN. C: set: as long as when it was told, or for a handler.
; Clobbers r0, r1, r27.
took_alike:
	push	r30
	push	r26
	in	r30, H0
	lsl	r30
	subi	r31, 2
	ld	r26, Z+
	ld	r27, Z
	inc	r31
	inc	r31
	sub	r0, r26
	sbc	r1, r27
	brcc	1f
	com	r0
	com	r1
1:
	.rept	WSNTRACE_ALIKE_SHIFT
	lsr	r27
	ror	r26
	.endr
	subi	r26, lo8(-WSNTRACE_ALIKE_SLACK)
	sbci	r27, hi8(-WSNTRACE_ALIKE_SLACK)
	cp	r0, r26
	cpc	r1, r27
	pop	r26
	pop	r30
	brcs	2f
	push	r24
	push	r25
	push	r26
	push	r30
	subi	r30, 2
	ld	r0, Z+
	ld	r1, Z
	in	r25, IO(SREG)
	cli
	lds	r26, wsntrace_struck
	lds	r27, wsntrace_struck + 1
	lds	r24, WSNPROF_T_LOW
	lds	r30, WSNPROF_T_HIGH
	out	IO(SREG), r25
	sub	r24, r0
	sbc	r30, r1
	sub	r26, r0
	sbc	r27, r1
	cp	r26, r24
	cpc	r27, r30
	pop	r30
	pop	r26
	pop	r25
	pop	r24
2:	ret
#endif

; wsntrace_hash_pair(r24, r22), wsntrace_hash_return()
	.global	wsntrace_hash_pair, wsntrace_hash_return
	.type	wsntrace_hash_pair, @function
wsntrace_hash_pair:
	mov	r30, r24
	mov	r31, r22
	hash_add 1
	ret
	.size	wsntrace_hash_pair, . - wsntrace_hash_pair
	.type	wsntrace_hash_return, @function
wsntrace_hash_return:
	lds	r26, LIVE(sp)
	lds	r27, LIVE(page)
	dec	r26
	inc	r27
	rjmp	exit_pop
	.size	wsntrace_hash_return, . - wsntrace_hash_return

; --- ids above 0x7c -----------------------------------------------------------------------------

; r31:r30: the id, which may be small. 57 cycles and 61, with two ldi and call.
	hook	wsntrace_leaf_wide
	ldi	r26, WSNTRACE_NARROW
	cp	r26, r30
	cpc	r1, r31
	brlo	1f
	ori	r30, 0x80
	XJMP	HOOK(wsntrace_leaf)
1:	lds	r26, LIVE(w)
	cpi	r26, WSNTRACE_FULL
	brsh	2f
#if WSNPROF_TRACE_EVERY
	lds	r27, LIVE(page)
	push	r30
	stamp_each r30
	pop	r30
#else
	lds	r27, LIVE(page)
#endif
	movw	r0, r30
	mov	r30, r31
	ldi	r31, 0xfe
	st	X+, r31
	st	X+, r0
	ori	r30, 0x80
	st	X+, r30
	sts	LIVE(w), r26
	mov	r31, r30
	mov	r30, r0
wsntrace_leaf_wide_hash:		; r30: the id's low bits, r31: the high ones, and 0x80
	hash_add 1
	ret
2:	ldi	r26, WSNTRACE_LEAF
	XJMP	wsntrace_wide
	.size	wsntrace_leaf_wide, . - wsntrace_leaf_wide
	hook	wsntrace_enter_wide
	ldi	r26, WSNTRACE_NARROW
	cp	r26, r30
	cpc	r1, r31
	brlo	1f
	XJMP	HOOK(wsntrace_enter)
1:	lds	r26, LIVE(w)
	cpi	r26, WSNTRACE_FULL
	brsh	2f
	lds	r27, LIVE(sp)
	lds	r0, LIVE(limit)
	cp	r27, r0
	brsh	2f
#if WSNPROF_TRACE_LONG
	lds	r27, LIVE(page)
	cpi	r26, WSNTRACE_UNSTAMPED
	brsh	1f
	stamp_put X
1:	movw	r0, r30
	lds	r31, LIVE(sp)
#else
	movw	r0, r30
	mov	r31, r27
	lds	r27, LIVE(page)
#endif
	ldi	r30, 0xfe
	st	X+, r30
	mov	r30, r26
	dec	r30			; its place
	st	X+, r0
	st	X+, r1
	sts	LIVE(w), r26
	mov	r26, r31
	inc	r27
	hash_keep
	st	X+, r30
	sts	LIVE(sp), r26
	mov	r30, r0
	mov	r31, r1
	clr	r1
	hash_begin r31
	ret
2:	ldi	r26, WSNTRACE_ENTER
	XJMP	wsntrace_wide
	.size	wsntrace_enter_wide, . - wsntrace_enter_wide

	.section .text.wsntrace, "ax", @progbits
; r26: LEAF or ENTER.
	.type	wsntrace_wide, @function
wsntrace_wide:
	mov	r0, r26
	rcall	mode_look
	sbrc	r26, 7
	rjmp	nested_count
	sbrc	r26, WSNTRACE_OFF_BIT
	ret
	sbrs	r26, WSNTRACE_BOX_BIT
	rjmp	1f
	sbrs	r0, 0
	rjmp	box_enter
	sbrc	r26, WSNTRACE_DEAF_BIT
	rjmp	box_count
	mov	r0, r30
	rcall	box_count
	mov	r30, r0
	ori	r31, 0x80
	XJMP	wsntrace_leaf_wide_hash
1:	mov	r26, r0
	rjmp	slow

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

; Before the prologue: keeps all but r30, which has the id. Interrupts are off.
	.global	wsntrace_handler_enter, wsntrace_handler_enter_wide, wsntrace_handler_exit
	.type	wsntrace_handler_enter, @function
wsntrace_handler_enter:
	push	r31
	ldi	r31, 0
	rcall	wsntrace_handler_enter_wide
	pop	r31
	ret
	.size	wsntrace_handler_enter, . - wsntrace_handler_enter
; The same, but for r31, which has the rest of the id.
	.type	wsntrace_handler_enter_wide, @function
wsntrace_handler_enter_wide:
	handler_save
#if WSNPROF_TRACE_HANDLERS > 0
	lds	r26, LIVE(nesting)
	tst	r26
	brne	1f
	lds	r26, HANDLERS(mode)
	cpi	r26, WSNTRACE_TOP
	brne	1f
	ldi	r26, WSNTRACE_NARROW
	cp	r26, r30
	cpc	r1, r31
	brlo	1f
	push	r30
	ldi	r30, 1
	sts	LIVE(nesting), r30
	lds	r31, LIVE(page)		; the live lane's state goes into its struct
	sts	wsntrace_under, r31
	inc	r31
	ldi	r30, 0
	in	r0, H0
	st	Z, r0
	in	r0, H1
	std	Z+1, r0
	in	r0, H2
	std	Z+2, r0
#if WSNTRACE_HASH_BYTES > 3
	lds	r0, H3
	std	Z+3, r0
	lds	r0, H4
	std	Z+4, r0
#endif
	lds	r0, LIVE(w)
	std	Z+LANE(w), r0
	lds	r0, LIVE(sp)
	std	Z+LANE(sp), r0
	lds	r0, LIVE(limit)
	std	Z+LANE(limit), r0
	ldi	r27, hi8(wsntrace_handlers + WSNTRACE_TOKENS_AT)
	sts	LIVE(page), r27
	inc	r27
	ldi	r26, WSNTRACE_SLOW
	sts	LIVE(w), r26
	ldi	r26, WSNTRACE_BASE
	sts	LIVE(sp), r26
	lds	r26, HANDLERS(limit)
	sts	LIVE(limit), r26
	pop	r30
	rcall	enter_top
#if WSNPROF_TRACE_ALIKE
	lds	r26, WSNPROF_T_LOW
	lds	r27, WSNPROF_T_HIGH
	sts	wsntrace_struck, r26
	sts	wsntrace_struck + 1, r27
#endif
	rjmp	handler_restore
#endif
1:	ldi	r26, WSNTRACE_HANDLER_ENTER
	rcall	slow
	rjmp	handler_restore
	.size	wsntrace_handler_enter_wide, . - wsntrace_handler_enter_wide
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
#if WSNPROF_TRACE_HANDLERS > 0
	lds	r26, LIVE(nesting)
	cpi	r26, 1
	brne	2f
	lds	r26, HANDLERS(mode)
	tst	r26
	brne	2f
	rcall	HOOK(wsntrace_exit)
	sts	LIVE(nesting), r1
	lds	r31, wsntrace_under	; the other lane's state comes back
	sts	LIVE(page), r31
	inc	r31
	ldi	r30, 0
	ld	r0, Z
	out	H0, r0
	ldd	r0, Z+1
	out	H1, r0
	ldd	r0, Z+2
	out	H2, r0
#if WSNTRACE_HASH_BYTES > 3
	ldd	r0, Z+3
	sts	H3, r0
	ldd	r0, Z+4
	sts	H4, r0
#endif
	ldd	r0, Z+LANE(w)
	sts	LIVE(w), r0
	ldd	r0, Z+LANE(sp)
	sts	LIVE(sp), r0
	ldd	r0, Z+LANE(limit)
	sts	LIVE(limit), r0
	rjmp	handler_restore
#endif
2:	ldi	r26, WSNTRACE_HANDLER_EXIT
	rcall	slow
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

; --- the top level ------------------------------------------------------------------------------

; A stamp of the live lane at w_true, but where the last one says it. Out: Z: the struct, X: behind
; the stamp. C: set: no room. Clobbers r0, r26, r27, r30, r31; r1 is 0.
top_stamp:
	lds	r31, LIVE(page)
	mov	r27, r31
	inc	r31
	ldi	r30, 0
	ldd	r26, Z+LANE(w_true)
	cpi	r26, WSNTRACE_FULL - 12
	brlo	1f
	sec
	ret
1:	push	r24
	push	r25
	in	r0, IO(SREG)
	cli
	lds	r24, WSNPROF_T_LOW
	lds	r25, WSNPROF_T_HIGH
	out	IO(SREG), r0
	set
	rcall	stamp_at
	pop	r25
	pop	r24
	clc
	ret
; r25:r24 to X, Z: the struct; T: not where the last one says it. Clobbers r24, r25; r1 is 0.
stamp_at:
	ldd	r0, Z+LANE(stamp)
	ldd	r1, Z+LANE(stamp)+1
	sub	r24, r0
	sbc	r25, r1
	push	r24
	ldd	r24, Z+LANE(stamped)
	lsr	r24
	pop	r24
	brcc	3f
	tst	r25
	brne	3f
	brtc	2f
	cpi	r24, 2
	brlo	4f
2:
#if !WSNPROF_TRACE_LONG		/* it may be counted from one that is taken back */
	add	r0, r24
	adc	r1, r25
	std	Z+LANE(stamp), r0
	std	Z+LANE(stamp)+1, r1
	ldi	r25, 0x7d
	st	X+, r25
	st	X+, r24
	rjmp	4f
#endif
3:	add	r0, r24
	adc	r1, r25
	std	Z+LANE(stamp), r0
	std	Z+LANE(stamp)+1, r1
	ldi	r24, 0
	st	X+, r24
	st	X+, r0
	st	X+, r1
	ldi	r24, 1
	std	Z+LANE(stamped), r24
4:	clr	r1
	ret

; --- parts --------------------------------------------------------------------------------------

; r26: the live lane's mode, r27: its struct's page; or bit 7: in a handler that interrupted one.
mode_look:
	lds	r26, LIVE(nesting)
	cpi	r26, 2
	brsh	1f
	lds	r27, LIVE(page)
	inc	r27
	ldi	r26, LANE(mode)
	ld	r26, X
	ret
1:	ldi	r26, 0x80
	ret

; A call of r31:r30 in a box, r27: the struct's page, r26: the mode. Its hash goes on while there is
; room for calls.
box_enter:
	bst	r26, WSNTRACE_DEAF_BIT
	movw	r0, r30
	ldi	r26, LANE(nest)
	ld	r30, X+
	ld	r31, X
	adiw	r30, 1
	st	X, r31
	st	-X, r30
	brts	2f
	ldi	r26, LANE(last)
	ld	r31, X
	lds	r26, LIVE(sp)
	cp	r31, r26
	brlo	1f
	hash_keep
	ldi	r31, 0
	st	X+, r31
	sts	LIVE(sp), r26
	mov	r30, r0
	mov	r31, r1
	clr	r1
	hash_begin r31
	rjmp	box_count
1:	ldi	r26, LANE(mode)
	ld	r30, X
	ori	r30, WSNTRACE_DEAF
	st	X, r30
2:	clr	r1
; Clobbers r26, r30.
box_count:
	ldi	r26, LANE(boxed)
1:	ld	r30, X			; the number at X, however many bytes it has
	inc	r30
	st	X+, r30
	breq	1b
	ret
; A call in a handler that interrupted another, and may be interrupted by one.
nested_count:
#if WSNPROF_TRACE_HANDLERS > 0
	lds	r26, wsntrace_handlers + WSNTRACE_STRUCT_AT + LANE(mode)
	sbrc	r26, WSNTRACE_OFF_BIT
	ret
	ldi	r30, lo8(wsntrace_inner_calls)
	ldi	r31, hi8(wsntrace_inner_calls)
	in	r27, IO(SREG)
	cli
1:	ld	r26, Z
	inc	r26
	st	Z+, r26
	breq	1b
	out	IO(SREG), r27
#endif
	ret

; wsntrace_slow(r31:r30, r26).
slow:
	push	r18
	push	r19
	push	r20
	push	r21
	push	r22
	push	r23
	push	r24
	push	r25
	movw	r24, r30
	mov	r22, r26
	XCALL	wsntrace_slow
	pop	r25
	pop	r24
	pop	r23
	pop	r22
	pop	r21
	pop	r20
	pop	r19
	pop	r18
	ret

#endif
