; wsnprof_hooks: what the compiler calls around every instrumented function, the table's search,
; the clock. Its parts are included: wsnprof_timer.inc, wsnprof_enter.inc, wsnprof_clock.inc,
; wsnprof_exit.inc, wsnprof_sites.inc; builds name this file alone.
;
; The compiler passes, and its calls may clobber (r1 is 0):
;	r25:24 the callee, r23:22 the return address in the caller, both in words
;	r0, r18-r27, r30, r31
; Interrupts are off while something is changed, so that a handler's calls find everything whole.
;
; A call of an instrumented function costs, in cycles (level 2, 16-bit program counter; sites at
; their place):
;
;	the compiler's: spills, arguments		32 to 48
;	call and ret of both hooks			16
;	enter	lock, unlock				 3
;		stack full?				 3
;		clock, overflow pending?		 6
;		hash					 7
;		is it this site?			13
;		push					18
;	exit	lock, unlock				 3
;		clock					 4
;		pop, site				 6
;		is it this call?			 7
;		duration: neither long nor too short?	16
;		pop					 3
;		calls					 6
;		total					11
;		min, max				14
;		take back				 8
;
; In bench/node's program of 86 sites the compiler's part is 47 on the average: 191. New sites add 2,
; sites that are not at their place 4 (33 for the next slot, 10 more for each up to the sixth, some
; 330 behind it), calls longer than 32,767 ticks 4.
;
; Names: T is the timer (WSNPROF_TIMER). The stack pointer points behind the innermost level and is
; in GPIOR1:GPIOR0.
; It is FULL while there is room for no call, and while profiling is off: one test tells both.

#if 0	/* what as without the preprocessor sees */
.error "wsnprof_hooks.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include <avr/io.h>

#include "wsnprof_arch.h"
#if !WSNPROF_TRACE			/* else wsntrace_hooks.S */
#include "wsnprof_isr.inc"
#include "wsnprof_layout.h"

#define IO(x) _SFR_IO_ADDR(x)
#define SP_LOW IO(GPIOR0)
#define SP_HIGH IO(GPIOR1)

; Cycles from reading T in the enter hook to enter_hit, less the way there from setting T.
#define SEARCHED (21 + WSNPROF_T_READ_MORE - WSNPROF_T_SET_MORE)
; The same when the call has no level: what is left of the enter hook is shorter.
#define LOST ((40 + WSNPROF_T_READ_MORE - WSNPROF_T_SET_MORE) / WSNPROF_PRESCALE)
; Cycles that tests/sim/hooks/even.c holds against those of a site at its place. What a search takes
; besides its probes; a new site's more; with all vectors; with the search of a handler's row; what a
; lost call's takes less, because what is left of the hook is shorter. Then what an exit takes that is
; not the innermost call's: its search, each level that it drops, its own; between the duration of a
; long call and its code; with a handler's.
#if WSNPROF_HANDLERS > 0
#define NO_HANDLER 0
#define NO_HANDLER_LOST 0
#define NO_HANDLER_CODED 0
#else
#define NO_HANDLER 5
#define NO_HANDLER_LOST 7
#define NO_HANDLER_CODED 1
#endif
#ifdef __AVR_3_BYTE_PC__
#define SEARCH (132 - NO_HANDLER + SEARCH_MORE)
#if WSNPROF_HANDLERS == 0
#define CALLED 61
#else
#define CALLED 106
#endif
#define VECTORS (2 + VECTOR * (_VECTORS_SIZE) / 4)
#define HANDLER 146
#define SEARCH_LOST (148 - NO_HANDLER_LOST - LOST_LESS)
#define LEFT (82 - NO_HANDLER + LEFT_MORE)
#define LEFT_LEVEL 96
#define CODED (91 - NO_HANDLER_CODED + CODED_MORE)
#define CODED_ISR 35
#else
#define SEARCH (120 - NO_HANDLER + SEARCH_MORE)
#if WSNPROF_HANDLERS == 0
#define CALLED 57
#elif !defined(__AVR_HAVE_JMP_CALL__)
#define CALLED 85
#elif FLASHEND > 0xffff
#define CALLED 112
#else
#define CALLED 109
#endif
#define VECTORS (3 + VECTOR * (_VECTORS_SIZE) / 4)
#define HANDLER 140
#define SEARCH_LOST (140 - NO_HANDLER_LOST - LOST_LESS)
#define LEFT (79 - NO_HANDLER + LEFT_MORE)
#define LEFT_LEVEL 92
#define CODED (83 - NO_HANDLER_CODED + CODED_MORE)
#define CODED_ISR 33
#endif
; Without a code, as at level 1.
#if WSNPROF_LEVEL > 1
#define NOT_CODED 0
#elif defined(__AVR_3_BYTE_PC__)
#define NOT_CODED 15
#else
#define NOT_CODED 13
#endif
#ifdef __AVR_HAVE_JMP_CALL__
#define VECTOR 23
#else
#define VECTOR 44
#endif
#define LEFT_FOUND 6

; Coming to the table's end takes a search as long as so many slots.
#define FIND_END 3

; A call before the return address tells that the callee is no handler. With a program counter of 22
; bits a part of that address is not told.
#if defined(__AVR_HAVE_JMP_CALL__) && !defined(__AVR_3_BYTE_PC__)
#define ENTER_CALLS 1
#else
#define ENTER_CALLS 0
#endif
; A handler's row may be anywhere.
#if WSNPROF_SITES < 256
#define ENTER_SLOTS WSNPROF_SITES
#else
#define ENTER_SLOTS 255
#endif

; From setting T in clock_set to its caller's next instruction, less setting it in line.
#ifdef __AVR_3_BYTE_PC__
#define SET_BEHIND 5
#else
#define SET_BEHIND 4
#endif

#ifdef __AVR_HAVE_JMP_CALL__
#define XCALL call
#define XJMP jmp
#else
#define XCALL rcall
#define XJMP rjmp
#endif

#include "wsnprof_timer.inc"

; The hooks of -finstrument-functions; those of `wsntop as` call them for what is not ordinary, with
; so many bytes more on the stack than a level's SP is told by. LEVEL_MARKED: see wsnprof_timed.inc.
#if WSNPROF_AS
#define hook_enter wsnprof_hook_enter
#define hook_exit wsnprof_hook_exit
#ifdef __AVR_3_BYTE_PC__
#define DEEPER (8 + 3)
#else
#define DEEPER (8 + 2)
#endif
#define LEVEL_MARKED 0x80
#else
#define hook_enter __cyg_profile_func_enter
#define hook_exit __cyg_profile_func_exit
#endif

#define FROM WSNPROF_OFFSET(site, from)
#define TO WSNPROF_OFFSET(site, to)
#define FRESH WSNPROF_OFFSET(site, fresh)
#define CALLS WSNPROF_OFFSET(site, calls)
#if WSNPROF_LEVEL > 0
#define TOTAL WSNPROF_OFFSET(site, total)
#define MIN WSNPROF_OFFSET(site, min)
#define MAX WSNPROF_OFFSET(site, max)
#endif
#define WRAPS WSNPROF_OFFSET(level, wraps)
#define LEVEL_SITE WSNPROF_OFFSET(level, site)
#define T_LOW WSNPROF_OFFSET(level, t_low)
#define T_HIGH WSNPROF_OFFSET(level, t_high)
#define LEVEL_BYTES WSNPROF_LEVEL_BYTES

#define FULL (wsnprof_stack + LEVEL_BYTES * WSNPROF_STACK)
#define BUCKETS WSNPROF_BUCKETS_AT

; From wsnprof_run on; see below.
#define RUN_T 4
#define DEEP_SITE 4
#define RUNNING (wsnprof_running - wsnprof_run)
#define DEEP (wsnprof_deep - wsnprof_run)

#define ISR_LOW (wsnprof_counts + WSNPROF_OFFSET(counts, isr_low))
#define STACK_FULL (wsnprof_counts + WSNPROF_OFFSET(counts, stack_full))
#define TABLE_FULL (wsnprof_counts + WSNPROF_OFFSET(counts, table_full))
#define CUT (wsnprof_counts + WSNPROF_OFFSET(counts, cut))
#define CARRIES (wsnprof_counts + WSNPROF_OFFSET(counts, carries))

	.if	.Lsite_bytes - WSNPROF_SITE_BYTES || .Llevel_bytes - WSNPROF_LEVEL_BYTES
	.error	"wsnprof_arch.h: WSNPROF_SITE_BYTES, WSNPROF_LEVEL_BYTES"
	.endif

; --- for the host ---------------------------------------------------------------------------------

; Numbers in the image alone (core/image/calibration.h), with which the host puts each function's
; own instructions around the hooks in the place of the mean that is taken back; in cycles. They
; cost the node nothing.
#if WSNPROF_TAKES_BACK && !WSNPROF_AS
; From the enter hook's first instruction to reading T, from setting T in the exit hook to behind
; its ret; in the calibration's calls the latter is followed by an rcall.
#ifdef __AVR_3_BYTE_PC__
#define CALIB_AROUND (13 + WSNPROF_T_SET_MORE)
#define CALIB_CALL 4
	.global	wsnprof_calib_wide
	.set	wsnprof_calib_wide, 1
#else
#define CALIB_AROUND (12 + WSNPROF_T_SET_MORE)
#define CALIB_CALL 3
#endif
#if WSNPROF_STACK > 32
#define CALIB_TEST 3
#else
#define CALIB_TEST 0
#endif
	.global	wsnprof_calib_own, wsnprof_calib_left, wsnprof_calib_short
	.set	wsnprof_calib_own, WSNPROF_SKEW_COMPILER / 16 - 1	; rcall less ret
	.set	wsnprof_calib_left, WSNPROF_TAKEN + WSNPROF_SKEW_COMPILER / 16 + CALIB_CALL - \
		CALIB_AROUND - CALIB_TEST
	.set	wsnprof_calib_short, WSNPROF_SHORT
#endif

; --- memory -------------------------------------------------------------------------------------

; With a type and a size, from which avr-nm and `wsntop doctor` compute the memory that it takes.
.macro	object name, bytes
	.global	\name
	.type	\name, @object
	.size	\name, \bytes
\name:
	.space	\bytes
.endm
; Two bytes of another: the assembler would take its size.
.macro	within name, place
	.global	\name
	.set	\name, \place
	.size	\name, 2
.endm

	.section .bss
	.balign	8
#if WSNPROF_LEVEL > 0
	object	wsnprof_stack, (LEVEL_BYTES * WSNPROF_STACK)
#endif

; Apart: the assembler fills up an aligned section's end.
	.section .bss.wsnprof, "aw", @nobits
#if WSNPROF_LEVEL > 2 || WSNPROF_AS
	.balign	8
#endif
	object	wsnprof_table, (WSNPROF_SITE_BYTES * WSNPROF_SITES)
; Reads as a free site: a search that comes here goes on at the table's beginning. Also the site of
; levels that are no call's: no function has its callee's address.
	object	wsnprof_table_end, (WSNPROF_BUCKETS_AT - WSNPROF_SITE_BYTES * WSNPROF_SITES)
#if WSNPROF_LEVEL > 2
; Level 3: of each site the low bytes of 8 counters, then their middle ones; behind them all sites'
; high ones.
	object	wsnprof_buckets, (24 * WSNPROF_SITES)
#define BUCKETS_HIGH (wsnprof_buckets + 16 * WSNPROF_SITES)
#endif
#if WSNPROF_HANDLERS > 0
; The rows of the handlers that were looked for last; 0 behind them.
	object	wsnprof_handlers, (2 * WSNPROF_HANDLERS)
#else
; For wsntop doctor.
	.global	wsnprof_no_handlers
	.set	wsnprof_no_handlers, 1
#endif
; Slots in use.
#if WSNPROF_SITES > 256
	object	wsnprof_used, 2
#else
	object	wsnprof_used, 1
#endif
; The run's wraps of T that are in no open level; T when it stopped.
	object	wsnprof_run, 6
#if WSNPROF_LEVEL > 0
; Calls made while the stack was full that are still open, and the site of the level beneath them:
; its level has wsnprof_table_end instead, until they are through. None are while it is stopped.
	within	wsnprof_deep_site, (wsnprof_run + DEEP_SITE)
#endif
	object	wsnprof_counts, WSNPROF_OFFSET(counts, bytes)
	.global	wsnprof_cleared_end
wsnprof_cleared_end:
	object	wsnprof_running, 1
	object	wsnprof_wraps, 2
#if WSNPROF_LEVEL > 0
	object	wsnprof_deep, 2
#endif
	object	wsnprof_cost, 2
#if WSNPROF_LEVEL > 0
; The lowest level needs no T.
	within	wsnprof_skew, (wsnprof_stack + T_HIGH)
#else
	object	wsnprof_skew, 2
#endif

#if WSNPROF_SUM
; See wsnprof_timer.inc.
	object	wsnprof_base, 2
	object	wsnprof_last, 1
#if WSNPROF_TIMER_READ
	object	wsnprof_high, 1
#endif
#if WSNPROF_TIMER_READ == 1
	object	wsnprof_missed, 1
#elif WSNPROF_TIMER_READ == 2
	object	wsnprof_told, 1
#endif
#endif

; The stack is FULL and its innermost level no call's: off. Clobbers r24, r30, r31. 10 cycles.
.macro	profiling_off
	ldi	r30, lo8(FULL)
	ldi	r31, hi8(FULL)
	out	SP_LOW, r30
	out	SP_HIGH, r31
	ldi	r24, hi8(wsnprof_table_end)
	st	-Z, r24
	ldi	r24, lo8(wsnprof_table_end)
	st	-Z, r24
#if WSNPROF_AS
	sbiw	r30, LEVEL_SITE - WSNPROF_OFFSET(level, sp) - 1
	ldi	r24, 0xff		; no function's
	st	Z, r24
#endif
.endm

; Which timer is taken, or only read, for `wsntop doctor`.
#if WSNPROF_TIMER_READ
	.global	wsnprof_timer_read
	.set	wsnprof_timer_read, WSNPROF_TIMER
#else
	.global	wsnprof_timer
	.set	wsnprof_timer, WSNPROF_TIMER
#endif

; --- before wsnprof_init() ----------------------------------------------------------------------

; Start-up comes through here: hooks that run before wsnprof_init() (constructors', .init code's,
; early handlers') find profiling off: the stack FULL, and its innermost level no call's. In
; .init2, behind the C library's own: .init1 may have to turn external memory on, .init3 is
; others'. In .init5 again: .init4 has cleared the mark. Clobbers r24, r30, r31. 22 cycles.
	.section .init2, "ax", @progbits
	.global	wsnprof_off
wsnprof_off:
#if WSNPROF_LEVEL > 0
	sts	wsnprof_running, r1
	profiling_off
	.section .init5, "ax", @progbits
	profiling_off
#else
	cbi	SP_LOW, 0
#endif

	.section .text.wsnprof, "ax", @progbits

; --- the table ----------------------------------------------------------------------------------

; Z = the site's place: from's low byte is the slot number, its bits in whatever order takes least.
; So call sites within 256 words of each other have places of their own. In: r23:22. Clobbers
; nothing. 7 cycles.
.macro	site_place
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

; Z flag: the site so many slots behind Z has `from` r23:22. Clobbers r20. 6 or 7 cycles, when the
; low byte is alike 6.
.macro	is_from slots
	ldd	r20, Z+\slots * WSNPROF_SITE_BYTES
	cp	r20, r22
	ldd	r20, Z+\slots * WSNPROF_SITE_BYTES + 1
	cpc	r20, r23
.endm

; Search the site (r23:22, r25:24) in r26 slots from Z on; interrupts may be on.
; Out: C clear: it is at Z. C set: it is not there; Z is a free slot, or r26 is 0: none near.
; Clobbers r20, r21, r26. 14 cycles for a slot with another site; r27 gets 2 more for one that is
; alike and takes as long as three.
site_find:
	ld	r20, Z
	ldd	r21, Z+TO
	cp	r20, r22
	cpc	r21, r24
	breq	find_alike
	or	r20, r21
	breq	find_zero		; most that are in use end here
find_next:
	adiw	r30, WSNPROF_SITE_BYTES
	dec	r26
	brne	site_find
find_absent:
	sec
find_out:
	ret
find_alike:
	rcall	site_is
	breq	find_out		; C is clear
	subi	r27, -2
	rjmp	1f
1:
#ifndef __AVR_3_BYTE_PC__
	rjmp	2f
2:
#endif
	mov	r20, r22
	or	r20, r24
	brne	find_next
find_zero:
	rcall	site_is_free
	brne	find_next
	ldi	r20, hi8(wsnprof_table_end)
	cpi	r30, lo8(wsnprof_table_end)
	cpc	r31, r20
	brne	find_absent
	ldi	r30, lo8(wsnprof_table)
	ldi	r31, hi8(wsnprof_table)
	subi	r26, FIND_END		; for its time
	breq	find_absent
	brcc	site_find
	clr	r26
	rjmp	find_absent

#if WSNPROF_TAKES_BACK
; site_find; r19:18 gets its cycles. Clobbers r27, too.
site_search:
	mov	r27, r26
	rcall	site_find
	in	r21, IO(SREG)
	sub	r27, r26
	push	r0
	ldi	r20, 14
	mul	r27, r20
	add	r18, r0
	adc	r19, r1
	clr	r1
	pop	r0
	out	IO(SREG), r21
	ret
#else
#define site_search site_find
#endif

; is_site.
site_is:
	is_site
	ret

; Z flag: the slot at Z is free, or the table's end. Clobbers r20, r21.
site_is_free:
	ld	r20, Z
	ldd	r21, Z+1
	or	r20, r21
	ldd	r21, Z+TO
	or	r20, r21
	ldd	r21, Z+TO+1
	or	r20, r21
	ret

; \dst from flash, Z on; RAMPZ has the rest of the address.
.macro	code_next dst
#if FLASHEND > 0xffff
	elpm	\dst, Z+
#else
	lpm	\dst, Z+
#endif
.endm

; The slot at Z gets r23:22; interrupts are off. Clobbers r20.
site_insert:
	st	Z, r22
	std	Z+1, r23
	lds	r20, wsnprof_used
	subi	r20, -1
	sts	wsnprof_used, r20
#if WSNPROF_SITES > 256
	brcs	1f
	lds	r20, wsnprof_used+1
	inc	r20
	sts	wsnprof_used+1, r20
1:
#endif
	ret

; Add 1 to the number at Z, however many bytes it has: all stay below 2^their width. Clobbers r20,
; Z.
counter_count:
	ld	r20, Z
	inc	r20
	st	Z+, r20
	breq	counter_count
	ret

; Z flag: the stack pointer is FULL. In: r26, its low byte: 32 levels, the lowest no call's, differ
; in it. More do not. Clobbers r20, r27. 1 cycle (4).
.macro	stack_is_full
	cpi	r26, lo8(FULL)
#if WSNPROF_STACK > 32
	in	r27, SP_HIGH
	ldi	r20, hi8(FULL)
	cpc	r27, r20
#endif
.endm

; A search's cycles, which T is set back by: r19:18.
.macro	cost_begin cycles
#if WSNPROF_TAKES_BACK
	ldi	r18, lo8(\cycles)
	ldi	r19, hi8(\cycles)
#endif
.endm
.macro	cost_add cycles:vararg
#if WSNPROF_TAKES_BACK
	subi	r18, lo8(-(\cycles))
	sbci	r19, hi8(-(\cycles))
#endif
.endm
; r21:20 = where the rjmp leads that is r21:20 and has Z behind it. Clobbers r26, r27.
.macro	relative_target
	andi	r21, 0x0f
	sbrc	r21, 3
	ori	r21, 0xf0
	movw	r26, r30
	lsr	r27
	ror	r26
	add	r20, r26
	adc	r21, r27
.endm

; In this order, so that branches reach.
#include "wsnprof_enter.inc"
#include "wsnprof_clock.inc"
#if WSNPROF_LEVEL > 0
#include "wsnprof_exit.inc"
#endif
#if WSNPROF_AS
#include "wsnprof_timed.inc"
#endif

; --- the overflow interrupt ---------------------------------------------------------------------

#if WSNPROF_SUM
#include "wsnprof_over.inc"
#else
; T does not advance meanwhile, but for WSNPROF_REST.
; From the interrupt to reading T, and from setting T to the end.
#ifdef __AVR_3_BYTE_PC__
#define OVERFLOW_CYCLES 29
#else
#define OVERFLOW_CYCLES 27
#endif
	isr_name WSNPROF_T_OVERFLOW_VECT
	push	r20
	in	r20, IO(SREG)
	push	r20
	push	r21
#if WSNPROF_TAKES_BACK
	lds	r20, WSNPROF_T_LOW
	lds	r21, WSNPROF_T_HIGH
	subi	r20, lo8(OVERFLOW_CYCLES - WSNPROF_REST)
	sbci	r21, hi8(OVERFLOW_CYCLES - WSNPROF_REST)
	push	r20
	push	r21
#endif
	push	r26
	push	r30
	push	r31
	ldi	r30, lo8(wsnprof_wraps)
	ldi	r31, hi8(wsnprof_wraps)
	rcall	counter_count
	lds	r20, wsnprof_running
	sbrc	r20, 0
	rcall	wrap_count
	pop	r31
	pop	r30
	pop	r26
#if WSNPROF_TAKES_BACK
	pop	r21
	pop	r20
	sts	WSNPROF_T_HIGH, r21
	sts	WSNPROF_T_LOW, r20
#endif
	pop	r21
	pop	r20
	out	IO(SREG), r20
	pop	r20
	reti
#endif

#if WSNPROF_TASKS
; For wsnprof_tasks.c; interrupts are off. uint16_t wsnprof_clock(void); void
; wsnprof_clock_back(uint16_t t): clock_restore; void wsnprof_drop(void).
	.global	wsnprof_clock, wsnprof_clock_back, wsnprof_drop
wsnprof_clock:
	rcall	clock_now
	movw	r24, r18
	ret
wsnprof_clock_back:
	movw	r20, r24
	rjmp	clock_set
wsnprof_drop:
	rjmp	level_drop
#endif

#if WSNPROF_ASIDE
#include "wsnprof_poll.inc"
#endif
#include "wsnprof_sites.inc"

; For wsntop doctor.
	.globl wsnprof_sites_max
wsnprof_sites_max = WSNPROF_SITES
	.globl wsnprof_built_s
wsnprof_built_s = WSNPROF_BUILT

#endif
