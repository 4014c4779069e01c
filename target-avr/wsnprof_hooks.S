; wsnprof_hooks: what the compiler calls around every instrumented function, the table's search, the clock.
;
; The compiler passes, and its calls may clobber (r1 is 0):
;	r25:24 the callee, r23:22 the return address in the caller, both in words
;	r0, r18-r27, r30, r31
; Interrupts are off inside, so that a handler's calls find everything whole.
;
; A call of an instrumented function costs, in cycles (level 2, 16-bit program counter; sites at their place):
;
;	the compiler's: spills, arguments		32 to 48
;	call and ret of both hooks			16
;	enter	lock, unlock				 3
;		stack full?				 3
;		clock, overflow pending?		 6
;		hash					 8
;		is it this site?			13
;		push					21
;	exit	lock, unlock				 3
;		clock					 4
;		pop, site				 6
;		is it this call?			 7
;		duration, below 32,768?			15
;		pop					 3
;		calls					 6
;		total					11
;		min, max				14
;		take back				 8
;
; Names: T is timer 1. The stack pointer points behind the innermost level and is in GPIOR1:GPIOR0. It is FULL while
; there is room for no call, and while profiling is off: one test tells both.

#include <avr/io.h>

#include "wsnprof_arch.h"

#define IO(x) _SFR_IO_ADDR(x)
#define SP_LOW IO(GPIOR0)
#define SP_HIGH IO(GPIOR1)

; From reading T in the enter hook to e_hit, less the way there from setting T.
#define SEARCHED (16 / WSNPROF_PRESCALE)
; The same when the call has no level: what is left of the enter hook is shorter.
#define LOST (40 / WSNPROF_PRESCALE)

#ifdef __AVR_HAVE_JMP_CALL__
#define XCALL call
#else
#define XCALL rcall
#endif

#define FROM WSNPROF_SITE_FROM
#define TO WSNPROF_SITE_TO
#define FRESH WSNPROF_SITE_FRESH
#define CALLS WSNPROF_SITE_CALLS
#define TOTAL WSNPROF_SITE_TOTAL
#define MIN WSNPROF_SITE_MIN
#define MAX WSNPROF_SITE_MAX
#define WRAPS WSNPROF_FRAME_WRAPS
#define FRAME WSNPROF_FRAME_BYTES

#define FULL (wsnprof_stack + FRAME * WSNPROF_STACK)
#define BUCKETS WSNPROF_BUCKETS_AT

; From wsnprof_run on; see below.
#define RUN_T 4
#define DEEP_SITE 4
#define RUNNING 6
#define DEEP 9

#define ISR_LOW (wsnprof_counts + WSNPROF_COUNTS_ISR)
#define STACK_FULL (wsnprof_counts + WSNPROF_COUNTS_STACK_FULL)
#define TABLE_FULL (wsnprof_counts + WSNPROF_COUNTS_TABLE_FULL)
#define CUT (wsnprof_counts + WSNPROF_COUNTS_CUT)
#define CARRIES (wsnprof_counts + WSNPROF_COUNTS_CARRIES)

; --- memory -------------------------------------------------------------------------------------

	.section .bss
	.balign	8
#if WSNPROF_LEVEL > 0
	.global	wsnprof_stack
wsnprof_stack:
	.space	FRAME * WSNPROF_STACK
#endif

	.section .bss.wsnprof, "aw", @nobits	; apart: the assembler fills up an aligned section's end
#if WSNPROF_LEVEL > 2
	.balign	8
#endif
	.global	wsnprof_table
wsnprof_table:
	.space	WSNPROF_SITE_BYTES * WSNPROF_SITES
; Reads as a free site: a search that comes here goes on at the table's beginning. Also the site of levels that are
; no call's: its callee is nobody's.
wsnprof_table_end:
	.space	WSNPROF_BUCKETS_AT - WSNPROF_SITE_BYTES * WSNPROF_SITES
#if WSNPROF_LEVEL > 2
	.global	wsnprof_buckets
; Level 3: of each site the low bytes of 8 counters, then their middle ones; behind them all sites' high ones.
wsnprof_buckets:
	.space	24 * WSNPROF_SITES
#define BUCKETS_HIGH (wsnprof_buckets + 16 * WSNPROF_SITES)
#endif
	.global	wsnprof_table_end, wsnprof_run, wsnprof_cleared_end, wsnprof_running, wsnprof_wraps
; The run's wraps of T that are in no open level; T when it stopped.
wsnprof_run:
	.space	6
#if WSNPROF_LEVEL > 0
; Calls made while the stack was full that are still open, and the site of the level beneath them: its level has
; wsnprof_table_end instead, until they are through. None are while it is stopped.
	.global	wsnprof_deep, wsnprof_deep_site
	.set	wsnprof_deep_site, wsnprof_run + DEEP_SITE
#endif
wsnprof_cleared_end:
wsnprof_running:
	.space	1
wsnprof_wraps:
	.space	2
#if WSNPROF_LEVEL > 0
wsnprof_deep:
	.space	2
#endif
	.global	wsnprof_cost, wsnprof_skew
wsnprof_cost:
	.space	2
#if WSNPROF_LEVEL > 0
	.set	wsnprof_skew, wsnprof_stack + WSNPROF_FRAME_T	; the lowest level needs no T
#else
wsnprof_skew:
	.space	2
#endif

; The stack is FULL and its innermost level no call's: off. Clobbers r24, r30, r31. 10 cycles.
.macro	off
	ldi	r30, lo8(FULL)
	ldi	r31, hi8(FULL)
	out	SP_LOW, r30
	out	SP_HIGH, r31
	ldi	r24, hi8(wsnprof_table_end)
	st	-Z, r24
	ldi	r24, lo8(wsnprof_table_end)
	st	-Z, r24
.endm

; --- before wsnprof_init() ----------------------------------------------------------------------

; Start-up comes through here: hooks that run before wsnprof_init() (constructors', .init code's, early handlers')
; find profiling off: the stack FULL, and its innermost level no call's. In .init2, behind the C library's own: .init1 may
; have to turn external memory on, .init3 is others'. In .init5 again: .init4 has cleared the mark. Clobbers r24, r30, r31.
; 22 cycles.
	.section .init2, "ax", @progbits
	.global	wsnprof_off
wsnprof_off:
#if WSNPROF_LEVEL > 0
	sts	wsnprof_running, r1
	off
	.section .init5, "ax", @progbits
	off
#else
	cbi	SP_LOW, 0
#endif

	.if wsnprof_running - wsnprof_run - RUNNING
	.error	"RUNNING"
	.endif
#if WSNPROF_LEVEL > 0
	.if wsnprof_deep - wsnprof_run - DEEP
	.error	"DEEP"
	.endif
#endif

	.section .text.wsnprof, "ax", @progbits

; --- the table ----------------------------------------------------------------------------------

; Z = the site's place: from's low byte is the slot number, its bits in whatever order takes least. So call sites
; within 256 words of each other have places of their own.
; In: r23:22. Clobbers nothing. 7 cycles.
.macro	place
	mov	r30, r22
	swap	r30
	mov	r31, r30
#if WSNPROF_SITES > 256
	eor	r31, r23
#endif
#if WSNPROF_LEVEL > 0
	andi	r30, 0xf0 & (16 * WSNPROF_SITES - 1)
	andi	r31, (WSNPROF_SITES - 1) >> 4
#else
	andi	r30, 0xf8 & (8 * WSNPROF_SITES - 1)
	andi	r31, (WSNPROF_SITES - 1) >> 5
#endif
	subi	r30, lo8(-(wsnprof_table))
	sbci	r31, hi8(-(wsnprof_table))
.endm

; Z flag: the site at Z is (r23:22, r25:24). Clobbers r20, r21. 12 cycles.
.macro	is_site
	ld	r20, Z
	ldd	r21, Z+1
	cp	r20, r22
	cpc	r21, r23
	ldd	r20, Z+TO
	cpc	r20, r24
	ldd	r21, Z+TO+1
	cpc	r21, r25
.endm

; Search the site (r23:22, r25:24) from Z on.
; Out: C clear: it is at Z. C set: it is not there; Z is a free slot, or r26 is 0: none near.
; Clobbers r20, r21, r26. 12 cycles for a slot with another site.
find:
	ldi	r26, WSNPROF_PROBES
	rjmp	f_slot
; The same when it is known that the site at Z is another one.
find_on:
	ldi	r26, WSNPROF_PROBES
	rjmp	f_in_use
f_slot:
	ld	r20, Z
	cp	r20, r22
	brne	f_other
	ldd	r20, Z+1
	cp	r20, r23
	brne	f_in_use
	ldd	r20, Z+TO
	cp	r20, r24
	brne	f_in_use
	ldd	r20, Z+TO+1
	cp	r20, r25
	breq	f_out			; C is clear
f_in_use:
	ld	r20, Z
f_other:
	tst	r20			; most that are in use end here
	brne	f_next
	ldd	r20, Z+1
	ldd	r21, Z+TO
	or	r20, r21
	ldd	r21, Z+TO+1
	or	r20, r21
	breq	f_free
f_next:
	adiw	r30, WSNPROF_SITE_BYTES
	dec	r26
	brne	f_slot
f_absent:
	sec
f_out:
	ret
f_free:
	ldi	r20, hi8(wsnprof_table_end)
	cpi	r30, lo8(wsnprof_table_end)
	cpc	r31, r20
	brne	f_absent
	ldi	r30, lo8(wsnprof_table)
	ldi	r31, hi8(wsnprof_table)
	rjmp	f_slot

; Add 1 to the number at Z, however many bytes it has: all stay below 2^their width. Clobbers r20, Z.
count:
	ld	r20, Z
	inc	r20
	st	Z+, r20
	breq	count
	ret

; Z flag: the stack pointer is FULL. In: r26, its low byte: 32 levels, the lowest no call's, differ in it. More do not.
; Clobbers r20, r27. 1 cycle (4).
.macro	is_full
	cpi	r26, lo8(FULL)
#if WSNPROF_STACK > 32
	in	r27, SP_HIGH
	ldi	r20, hi8(FULL)
	cpc	r27, r20
#endif
.endm

; --- enter --------------------------------------------------------------------------------------

	.global	__cyg_profile_func_enter
#if WSNPROF_LEVEL > 0

; Cold: above the hook, in reach of its branches.

; The overflow flag is up. Before T was read, or after? The next interrupt counts the latter.
e_wrapped:
	sbrs	r19, 7
	rcall	wrap
#if WSNPROF_TAKES_BACK
	rcall	set_clock_back		; so close that it wraps once more is no harm: the flag was cleared
#endif
	in	r26, SP_LOW
	rjmp	e_clock

e_near:
	adiw	r30, WSNPROF_SITE_BYTES	; most that are not at their place are next to it
	is_site
	brne	e_far
	rjmp	e_found
e_far:
	sbiw	r30, WSNPROF_SITE_BYTES
	rjmp	e_search
e_is_full:
	rjmp	e_full

; In: r25:24 callee, r23:22 return address.
; Clobbers r0, r18-r21, r26, r27, r30, r31. 54 cycles and ret when the site is at its place.
__cyg_profile_func_enter:
	in	r0, IO(SREG)
	cli
	in	r26, SP_LOW
	is_full
	breq	e_is_full
e_room:
	lds	r18, TCNT1L
	lds	r19, TCNT1H
	sbic	IO(TIFR1), TOV1
	rjmp	e_wrapped
e_clock:
	place
	is_site
	brne	e_near
e_hit:
	in	r27, SP_HIGH
	in	r20, IO(SPL)
	st	X+, r20
	in	r20, IO(SPH)
	st	X+, r20
	st	X+, r1
	st	X+, r1
	st	X+, r19
	st	X+, r18
	st	X+, r30
	st	X+, r31
	out	SP_LOW, r26
	out	SP_HIGH, r27
e_out:
	out	IO(SREG), r0
	ret

; The stack is full, or profiling off. Drop calls that a longjmp has left behind: the level's SP is not above
; ours. If none was, count a call that has no level.
e_full:
	lds	r20, wsnprof_running
	sbrs	r20, 0
	rjmp	e_out
	rcall	clock
	clt
e_stale:
	in	r30, SP_LOW
	in	r31, SP_HIGH
	sbiw	r30, FRAME
	ld	r20, Z
	ldd	r21, Z+1
	in	r26, IO(SPL)
	in	r27, IO(SPH)
	cp	r26, r20
	cpc	r27, r21
	brlo	e_live
	rcall	drop
	set
	rjmp	e_stale
e_live:
	brtc	e_deep
	sts	wsnprof_deep, r1
	sts	wsnprof_deep+1, r1
	rcall	set_clock_back
	in	r26, SP_LOW
	rjmp	e_room
e_deep:
	ldi	r30, lo8(wsnprof_run)
	ldi	r31, hi8(wsnprof_run)
	ldd	r20, Z+DEEP
	ldd	r21, Z+DEEP+1
	or	r20, r21
	brne	e_deeper
	in	r26, SP_LOW
	in	r27, SP_HIGH
	ld	r20, -X
	std	Z+DEEP_SITE+1, r20
	ld	r20, -X
	std	Z+DEEP_SITE, r20
	ldi	r20, lo8(wsnprof_table_end)
	st	X+, r20
	ldi	r20, hi8(wsnprof_table_end)
	st	X, r20
e_deeper:
	adiw	r30, DEEP
	rcall	count
	ldi	r30, lo8(STACK_FULL)
	ldi	r31, hi8(STACK_FULL)
e_lost:
	rcall	count
	ldi	r20, LOST
	rcall	go_on
	rjmp	e_out

#else

e_near:
	adiw	r30, WSNPROF_SITE_BYTES	; most that are not at their place are next to it
	is_site
	breq	e_hit
	sbiw	r30, WSNPROF_SITE_BYTES
	rcall	find_on
	brcc	e_hit
	rjmp	e_absent
e_carry:
	rcall	calls_carry
	rjmp	e_out

; Level 0. In: r25:24 callee, r23:22 return address.
; Clobbers r0, r20, r21, r30, r31. 31 cycles and ret when the site is at its place.
__cyg_profile_func_enter:
	in	r0, IO(SREG)
	cli
	place
	is_site
	brne	e_near
e_hit:
	in	r21, SP_LOW		; 1, or 0 when off
	ldd	r20, Z+FRESH
	add	r20, r21
	std	Z+FRESH, r20
	brcs	e_carry
e_out:
	out	IO(SREG), r0
	ret

	.global	__cyg_profile_func_exit
__cyg_profile_func_exit:
	ret

e_lost:
	rcall	count
	rjmp	e_out
#endif

e_no_room:
	ldi	r30, lo8(TABLE_FULL)
	ldi	r31, hi8(TABLE_FULL)
	rjmp	e_lost

; Not at its place. Elsewhere? Or an interrupt handler, which has a row from nowhere? Or new: then it is a handler
; if the vectors say so. T has stood still meanwhile.
e_search:
#if WSNPROF_LEVEL > 0
	rcall	find_on
	brcc	e_found
#else
e_absent:
	sbis	SP_LOW, 0
	rjmp	e_out			; off
#endif
	tst	r26
	breq	e_no_room
	push	r22
	push	r23
	push	r30
	push	r31
	ldi	r22, 0
	ldi	r23, 0
	ldi	r30, lo8(wsnprof_table)
	ldi	r31, hi8(wsnprof_table)
	rcall	find
	brcc	e_handler		; a handler that has been here
	tst	r26
	breq	e_function
	movw	r26, r30
	movw	r22, r24
#ifdef __AVR_3_BYTE_PC__
	movw	r30, r24		; a linker's stub, for a handler above 128 KB? Then it is a jmp like the vector's
	lsl	r30
	rol	r31
	brcs	e_direct
	lpm	r20, Z+
	andi	r20, 0x0e
	lpm	r21, Z+
	andi	r21, 0xfe
	cpi	r20, 0x0c
	ldi	r20, 0x94
	cpc	r21, r20
	brne	e_direct
	lpm	r22, Z+
	lpm	r23, Z+
e_direct:
#endif
	ldi	r30, lo8(__vectors)
	ldi	r31, hi8(__vectors)
#ifdef __AVR_HAVE_JMP_CALL__
	ldi	r20, _VECTORS_SIZE / 4
e_vector:				; jmp, target
	adiw	r30, 2
	lpm	r21, Z+
	cp	r21, r22
	lpm	r21, Z+
	cpc	r21, r23
#else
#error "chips whose vectors are rjmp: not yet"
#endif
	breq	e_new_handler
	dec	r20
	brne	e_vector
e_function:
	pop	r31
	pop	r30
	pop	r23
	pop	r22
	rjmp	e_insert
e_new_handler:
	movw	r30, r26
	ldi	r22, 0
	ldi	r23, 0
	sec
e_handler:
	pop	r20
	pop	r20
	pop	r20
	pop	r20
	brcc	e_found
e_insert:
	st	Z, r22
	std	Z+1, r23
	std	Z+TO, r24
	std	Z+TO+1, r25
#if WSNPROF_LEVEL > 1
	ldi	r20, 0xff
	std	Z+MIN, r20
	std	Z+MIN+1, r20
#endif
e_found:
#if WSNPROF_LEVEL > 0
	ldi	r20, SEARCHED
	rcall	go_on
#endif
#if WSNPROF_LEVEL > 0
	in	r26, SP_LOW
#endif
	rjmp	e_hit

; --- carries ------------------------------------------------------------------------------------

; The site at Z has had 256 calls since it was sent: 255 of them go to `calls`, one stays, so that it is
; not 0. They took some 0.7 of a wrap of T that taking back has hidden.
; Clobbers r20-r23, r26, r27.
calls_carry:
	ldi	r20, 1
	std	Z+FRESH, r20
	movw	r26, r30
	ldi	r30, lo8(wsnprof_wraps)
	ldi	r31, hi8(wsnprof_wraps)
	rcall	count
	movw	r30, r26
	ldd	r20, Z+CALLS		; + 255 is - 1, + 256
	subi	r20, 1
	std	Z+CALLS, r20
	ldd	r20, Z+CALLS+1
	sbci	r20, -1
	std	Z+CALLS+1, r20
	ldd	r20, Z+CALLS+2
	sbci	r20, -1
	std	Z+CALLS+2, r20
	brcs	c_out
	ldi	r20, CALLS
; The counter at offset r20 of the site at Z went over: count it in the site's extension.
; Clobbers r20-r23, r26, r27.
carry:
	push	r24
	push	r25
	push	r30
	push	r31
	mov	r27, r20
	movw	r22, r30		; the key: the site's address, 0
	ldi	r24, 0
	ldi	r25, 0
	rcall	find			; from the site itself on
	brcc	c_found
	tst	r26
	breq	c_lost
	st	Z, r22
	std	Z+1, r23
c_found:
	ldi	r20, 1
	std	Z+FRESH, r20
	add	r30, r27
	adc	r31, r1
c_count:
	rcall	count
	pop	r31
	pop	r30
	pop	r25
	pop	r24
c_out:
	ret
c_lost:
	ldi	r30, lo8(CARRIES)
	ldi	r31, hi8(CARRIES)
	rjmp	c_count

; --- the clock ----------------------------------------------------------------------------------

; T in r19:18, with an overflow that is pending counted if it came before.
; Clobbers r20, r21, r26, r30, r31.
clock:
	lds	r18, TCNT1L
	lds	r19, TCNT1H
; The same when T has been read.
clock_read:
	sbic	IO(TIFR1), TOV1
	sbrc	r19, 7
	ret
; T has wrapped: clear the flag; the innermost level counts it, the run at level 0. Clobbers r20, r21, r26, r30, r31.
wrap:
	sbi	IO(TIFR1), TOV1
wrap_interrupt:
#if WSNPROF_LEVEL == 0
	ldi	r30, lo8(wsnprof_run)
	ldi	r31, hi8(wsnprof_run)
	rjmp	count
#else
	in	r30, SP_LOW
	in	r31, SP_HIGH
	sbiw	r30, FRAME
wrap_level:
	ldi	r20, 1
	ldi	r21, 0
; The level at Z gets r21:20 more wraps. Clobbers r26; Z when the level's go over, after 2^32 ticks: the run gets
; them then, and a call's duration is too short by that.
add_wraps:
	ldd	r26, Z+WRAPS
	add	r26, r20
	std	Z+WRAPS, r26
	ldd	r26, Z+WRAPS+1
	adc	r26, r21
	std	Z+WRAPS+1, r26
	brcc	c_out
	ldi	r30, lo8(wsnprof_run+2)
	ldi	r31, hi8(wsnprof_run+2)
	rjmp	count

; T = r19:18: as when it was read. Clobbers r20, r21.
set_clock_back:
	ldi	r20, 0
; T = r19:18 + r20, unless that wraps: then let it be. Clobbers r20, r21.
go_on:
	mov	r21, r19
	add	r20, r18
	adc	r21, r1
	brcs	c_out
; T = r21:20, no overflow pending. It waits at 0, so that it cannot wrap between. Odd values are given up:
; simavr 1.6 makes 0 of 0xffff. Clobbers r20.
set_clock:
	andi	r20, 0xfe
	sts	TCNT1H, r1
	sts	TCNT1L, r1
	sbi	IO(TIFR1), TOV1
	sts	TCNT1H, r21
	sts	TCNT1L, r20
	ret

; Drop the innermost level: its call never left. Clobbers r20, r21, r26, r30, r31; the flag T is 0.
drop:
	clt
	rcall	pop_level
	ldi	r30, lo8(CUT)
	ldi	r31, hi8(CUT)
	rjmp	count

; The innermost level is no more. Its caller gets its wraps, unless T is set: then they go with the time of
; a handler. Out: r21:20 the wraps. Clobbers r26, r30, r31.
pop_level:
	in	r30, SP_LOW
	in	r31, SP_HIGH
	sbiw	r30, FRAME
	out	SP_LOW, r30
	out	SP_HIGH, r31
	ldd	r20, Z+WRAPS
	ldd	r21, Z+WRAPS+1
	sbiw	r30, FRAME
	brtc	add_wraps
	ret

; --- exit ---------------------------------------------------------------------------------------

; Cold: above the hook, in reach of its branches.

x_calls:
	rcall	calls_carry
	rjmp	x_called
x_total:
	ldd	r20, Z+TOTAL+2
	ldd	r21, Z+TOTAL+3
	subi	r20, -1
	sbci	r21, -1
	std	Z+TOTAL+2, r20
	std	Z+TOTAL+3, r21
	brcs	x_totalled		; subtracting -1 borrows but from 0xffff
x_total_over:
	ldi	r20, TOTAL
	rcall	carry
	rjmp	x_totalled
#if WSNPROF_TAKES_BACK
; 32,768 or more; or so short that taking back would set T to before the call. It goes no further back than from
; WSNPROF_SHORT.
x_short:
	brcc	x_is_long
	subi	r18, lo8(-(WSNPROF_SHORT))
	sbci	r19, hi8(-(WSNPROF_SHORT))
	sub	r18, r24
	sbc	r19, r25
	rjmp	x_timed
#endif
x_not_top:
	rjmp	x_search
x_is_long:
	rjmp	x_long

; In: r25:24 callee, r23:22 return address.
; Clobbers r0, r18-r21, r24-r27, r30, r31. 77 cycles and ret when the call is the innermost one and short.
	.global	__cyg_profile_func_exit
__cyg_profile_func_exit:
	in	r0, IO(SREG)
	cli
	lds	r18, TCNT1L
	lds	r19, TCNT1H
	in	r26, SP_LOW
	in	r27, SP_HIGH
	ld	r31, -X
	ld	r30, -X
	ld	r20, Z			; a handler's is 0, and so it is wsnprof_table_end's
	cp	r20, r22
	ldd	r20, Z+1
	cpc	r20, r23
	brne	x_not_top
	movw	r24, r18
	ld	r20, -X
	sub	r24, r20
	ld	r20, -X
	sbc	r25, r20		; a wrap that is pending will be the caller's
#if !WSNPROF_TAKES_BACK
	brmi	x_is_long		; 32,768 or more
#endif
	ld	r20, -X
	ld	r21, -X
	or	r20, r21
	brne	x_is_long		; wraps
#if WSNPROF_TAKES_BACK
	cpi	r24, WSNPROF_SHORT
	cpc	r25, r1
	brlt	x_short
#endif
x_timed:
	subi	r26, WRAPS		; levels are 8-aligned
	out	SP_LOW, r26
	out	SP_HIGH, r27
	ldd	r20, Z+TOTAL
	ldd	r21, Z+TOTAL+1
	add	r20, r24
	adc	r21, r25
	std	Z+TOTAL, r20
	std	Z+TOTAL+1, r21
	brcs	x_total
x_totalled:
	ldd	r20, Z+FRESH
	inc	r20
	std	Z+FRESH, r20
	breq	x_calls
x_called:
#if WSNPROF_LEVEL > 1
	ldd	r20, Z+MIN
	ldd	r21, Z+MIN+1
	cp	r24, r20
	cpc	r25, r21
	brlo	x_min
x_minned:
	ldd	r20, Z+MAX
	ldd	r21, Z+MAX+1
	cp	r20, r24
	cpc	r21, r25
	brlo	x_max
x_maxed:
#endif
#if WSNPROF_LEVEL > 2
	lsl	r24
	rol	r25
	brcs	x_coded
	ldi	r20, 0			; each comparison adds 1 when it is not below
	cpi	r25, 1
	sbci	r20, -1
	cpi	r25, 4
	sbci	r20, -1
	cpi	r25, 16
	sbci	r20, -1
	cpi	r25, 64
	sbci	r20, -1
x_bucket:
	subi	r30, lo8(-(BUCKETS))
	sbci	r31, hi8(-(BUCKETS))
	add	r30, r20
	adc	r31, r1
	ld	r20, Z
	inc	r20
	st	Z, r20
	breq	x_bucket_over
x_bucketed:
#endif
x_back:
#if WSNPROF_TAKES_BACK
	subi	r18, lo8(WSNPROF_TAKEN)
	sbci	r19, hi8(WSNPROF_TAKEN)
	cpi	r19, 0xff		; below 0, or it might have wrapped by now
	breq	x_near
	sts	TCNT1H, r19
	sts	TCNT1L, r18
#endif
x_out:
	out	IO(SREG), r0
	ret

#if WSNPROF_LEVEL > 1
x_min:
	std	Z+MIN, r24
	std	Z+MIN+1, r25
	rjmp	x_minned
x_max:
	std	Z+MAX, r24
	std	Z+MAX+1, r25
	rjmp	x_maxed
#endif

#if WSNPROF_LEVEL > 2
x_coded:
	ldi	r20, 5			; exponents 0 and 1, 2 and 3, more
	cpi	r25, 0x20
	sbci	r20, -1
	cpi	r25, 0x40
	sbci	r20, -1
	rjmp	x_bucket
x_bucket_over:
	ldd	r20, Z+8
	inc	r20
	std	Z+8, r20
	brne	1f
	subi	r30, lo8(wsnprof_buckets)
	sbci	r31, hi8(wsnprof_buckets)
	mov	r20, r30
	andi	r20, 7
	andi	r30, 0xf0
	lsr	r31
	ror	r30
	or	r30, r20
	subi	r30, lo8(-(BUCKETS_HIGH))
	sbci	r31, hi8(-(BUCKETS_HIGH))
	ld	r20, Z
	inc	r20
	st	Z, r20
	brne	1f
	ldi	r30, lo8(CARRIES)
	ldi	r31, hi8(CARRIES)
	rcall	count
1:	rjmp	x_bucketed
#endif

; All that this hook did after reading T takes no time, nor did it wrap.
x_slow:
	rcall	set_clock_back
	rjmp	x_back

#if WSNPROF_TAKES_BACK
; T - WSNPROF_TAKEN, mod 2^16, is 0xff00 or more. Below 0? It may wrap any moment, or have done so in this hook.
x_near:
	ldi	r20, hi8(-(WSNPROF_TAKEN))
	cpi	r18, lo8(-(WSNPROF_TAKEN))
	cpc	r19, r20
	brlo	x_set
	lds	r20, TCNT1L		; below 0, or a short call was taken for longer and so past the wrap
	lds	r20, TCNT1H		; read before the flag: a wrap in between is in the flag
	sbic	IO(TIFR1), TOV1
	rjmp	x_set			; nobody has counted a wrap
	cpi	r20, 0xff
	breq	x_set			; nor was there one
	in	r30, SP_LOW		; the one that the caller has counted did not happen
	in	r31, SP_HIGH
	sbiw	r30, FRAME
	ldd	r26, Z+WRAPS
	ldd	r27, Z+WRAPS+1
	sbiw	r26, 1
	brcs	x_set			; cannot be
	std	Z+WRAPS, r26
	std	Z+WRAPS+1, r27
x_set:
	rcall	set_clock_back
	rjmp	x_out
#endif

; Not the innermost call's exit, or a handler's. Off? One of those that had no level? Else look for its level
; further out: what lies above it, a longjmp has left behind.
x_search:
	adiw	r26, 2			; behind the level again
	tst	r31
	breq	x_no_level		; start-up has cleared the mark and not set it again
	ldi	r20, hi8(wsnprof_table_end)
	cpi	r30, lo8(wsnprof_table_end)
	cpc	r31, r20
	brne	x_level
x_no_level:
	is_full
	brne	x_slow			; no level is open: began before the start, or had no row
	ldi	r30, lo8(wsnprof_run)
	ldi	r31, hi8(wsnprof_run)
	ldd	r20, Z+RUNNING
	sbrs	r20, 0
	rjmp	x_out
	ldd	r24, Z+DEEP
	ldd	r25, Z+DEEP+1
	sbiw	r24, 1
	std	Z+DEEP, r24
	std	Z+DEEP+1, r25
	brne	x_slow
	ldd	r20, Z+DEEP_SITE+1
	st	-X, r20
	ldd	r20, Z+DEEP_SITE
	st	-X, r20
	rjmp	x_slow
x_level:
	ld	r31, -X
	ld	r30, -X
	ldd	r20, Z+TO
	ldd	r21, Z+TO+1
	cp	r20, r24
	cpc	r21, r25
	brne	x_outward
	ld	r20, Z
	ldd	r21, Z+1
	cp	r20, r22
	cpc	r21, r23
	breq	x_found
	or	r20, r21
	breq	x_found			; a handler's, whatever it interrupted
x_outward:
	sbiw	r26, FRAME - 2
	ldi	r20, hi8(wsnprof_table_end)
	cpi	r30, lo8(wsnprof_table_end)
	cpc	r31, r20
	brne	x_level
	rjmp	x_slow			; had no row
x_found:
	adiw	r26, 2
	movw	r22, r26
x_drop:
	in	r20, SP_LOW
	in	r21, SP_HIGH
	cp	r20, r22
	cpc	r21, r23
	breq	x_innermost
	rcall	drop
	rjmp	x_drop
x_innermost:
	movw	r26, r22
	ld	r31, -X
	ld	r30, -X
	movw	r24, r18
	ld	r20, -X
	sub	r24, r20
	ld	r20, -X
	sbc	r25, r20

; Any call: longer than 32,767 ticks, or a wrap of T is in it, or a handler's, which leaves T as it
; found it. In: Z the site, X in its level, r25:24 the difference of T, r19:18 T.
x_long:
	clt
	ld	r20, Z
	ldd	r21, Z+1
	or	r20, r21
	brne	1f
	set				; a handler
1:	push	r30
	push	r31
	rcall	clock_read
	rcall	pop_level
	movw	r22, r20
	pop	r31
	pop	r30
	cp	r18, r24		; the difference borrowed
	cpc	r19, r25
	sbc	r22, r1
	sbc	r23, r1
	brcc	3f
	clr	r22			; ended before it began: what was taken back is a mean
	clr	r23
	movw	r24, r22
3:	brtc	4f
	sub	r18, r24
	sbc	r19, r25
	movw	r26, r30
	ldi	r30, lo8(ISR_LOW - TOTAL)
	ldi	r31, hi8(ISR_LOW - TOTAL)
	rcall	add_ticks
	brcc	5f
	adiw	r30, TOTAL + 4
	rcall	count
5:	movw	r30, r26
4:	rcall	add_ticks
	clt
	brcc	6f
	set				; goes over
6:
#if WSNPROF_LEVEL > 1
	rcall	code
#endif
	brtc	7f
	ldi	r20, TOTAL
	rcall	carry
7:
	rcall	set_clock_back
	rjmp	x_totalled

; The 32 bits at Z+TOTAL get r23:22:25:24 more. C: carry. Clobbers r20.
add_ticks:
	ldd	r20, Z+TOTAL
	add	r20, r24
	std	Z+TOTAL, r20
	ldd	r20, Z+TOTAL+1
	adc	r20, r25
	std	Z+TOTAL+1, r20
	ldd	r20, Z+TOTAL+2
	adc	r20, r22
	std	Z+TOTAL+2, r20
	ldd	r20, Z+TOTAL+3
	adc	r20, r23
	std	Z+TOTAL+3, r20
	ret

; r25:24 = the code of r23:22:25:24 ticks (PROTOCOL, section 2): 12 bits are left after e + 4 shifts. Clobbers r20,
; r22, r23. 8 cycles a shift.
code:
	mov	r20, r25
	andi	r20, 0x80
	or	r20, r22
	or	r20, r23
	breq	c_coded
	ldi	r20, 0x78 - 4 * 8	; the high byte is 0x80 + 8 e + (12 bits - 0x800) / 256
1:	lsr	r23
	ror	r22
	ror	r25
	ror	r24
	subi	r20, -8
	cpi	r25, 0x10
	cpc	r22, r1
	cpc	r23, r1
	brsh	1b
	add	r25, r20
	brcc	c_coded
	ldi	r24, 0xff		; 2^31 or more
	ldi	r25, 0xff
c_coded:
	ret

#endif

; --- the overflow interrupt ---------------------------------------------------------------------

; T stands still meanwhile; it has just begun anew, so that its low byte is all of it, unless interrupts were off for long.
	.global	TIMER1_OVF_vect
TIMER1_OVF_vect:
	push	r20
	in	r20, IO(SREG)
	push	r20
#if WSNPROF_TAKES_BACK
	lds	r20, TCNT1L
	subi	r20, 11			; of the 13 at least that it took to come here; 9 are to come
	push	r20
#endif
	push	r21
	push	r26
	push	r30
	push	r31
	ldi	r30, lo8(wsnprof_wraps)
	ldi	r31, hi8(wsnprof_wraps)
	rcall	count
	lds	r20, wsnprof_running
	sbrc	r20, 0
	rcall	wrap_interrupt
	pop	r31
	pop	r30
	pop	r26
	pop	r21
#if WSNPROF_TAKES_BACK
	ldi	r20, 0
	sts	TCNT1H, r20
	pop	r20
	sts	TCNT1L, r20
#endif
	pop	r20
	out	IO(SREG), r20
	pop	r20
	reti

#if WSNPROF_TASKS
; For wsnprof_tasks.c; interrupts are off. uint16_t wsnprof_clock(void); void wsnprof_clock_back(uint16_t t): set_clock;
; void wsnprof_drop(void).
	.global	wsnprof_clock, wsnprof_clock_back, wsnprof_drop
wsnprof_clock:
	rcall	clock
	movw	r24, r18
	ret
wsnprof_clock_back:
	movw	r20, r24
	rjmp	set_clock
wsnprof_drop:
	rjmp	drop
#endif

#include "wsnprof_sites.inc"
