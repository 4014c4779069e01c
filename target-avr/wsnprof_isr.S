; wsnprof_isr: what the handlers of WSNPROF_ISR() (wsnprof_port.h) have in common.

#if 0	/* what as without the preprocessor sees */
.error "wsnprof_isr.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include "wsnprof_isr.inc"

#ifdef RAMPZ
#define BEHIND 30
#else
#define BEHIND 27
#endif

	.section .text.wsnprof_isr, "ax", @progbits

; Z: the body, a function; r24, r25, r30 and r31 are pushed already. 105 cycles beside the body's.
	.global	wsnprof_isr
	.type	wsnprof_isr, @function
wsnprof_isr:
	isr_read
	push	r0
	in	r0, IO(SREG)
	push	r0
	push	r1
	clr	r1
	push	r18
	push	r19
	push	r20
	push	r21
	push	r22
	push	r23
	push	r26
	push	r27
#ifdef RAMPZ
	in	r0, IO(RAMPZ)
	push	r0
	out	IO(RAMPZ), r1
#endif
	isr_began 9, BEHIND		; two pushes, two ldi, a jmp
	bld	r18, 0
	push	r18
	push	r24
	push	r25
	icall
	pop	r25
	pop	r24
	pop	r18
	bst	r18, 0
	isr_clear
#ifdef RAMPZ
	pop	r0
	out	IO(RAMPZ), r0
#endif
	pop	r27
	pop	r26
	pop	r23
	pop	r22
	pop	r21
	pop	r20
	pop	r19
	pop	r18
	pop	r1
	pop	r0
	out	IO(SREG), r0
	pop	r0
	pop	r31
	pop	r30
	isr_end
	.size	wsnprof_isr, . - wsnprof_isr
