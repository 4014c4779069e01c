; wsnprof_udre: USART 0 takes the ring's next byte (wsnprof_ring_take() in assembly: a call from C
; would save 15 registers).

#if 0	/* what as without the preprocessor sees */
.error "wsnprof_udre.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include "wsnprof_isr.inc"
#include "wsnprof_layout.h"

#if WSNPROF_UART && defined(UDR0)

#if defined(USART0_UDRE_vect)
#define UDRE_VECT USART0_UDRE_vect
#else
#define UDRE_VECT USART_UDRE_vect
#endif

#define RING(name) WSNPROF_OFFSET(ring, name)
#define RING_AT(name) (wsnprof_ring + RING(name))

	.section .text.wsnprof_udre, "ax", @progbits

; 88 cycles with the interrupt's own.
	isr_name UDRE_VECT
	push	r24
	push	r25
	isr_read
	push	r26
	in	r26, IO(SREG)
	push	r26
	push	r27
	push	r30
	push	r31
	isr_began 0, 11
	ldi	r30, lo8(wsnprof_ring)
	ldi	r31, hi8(wsnprof_ring)
#if WSNPROF_RING > 0
	ldd	r27, Z+RING(tail)
#endif
	ldd	r26, Z+RING(end)
	tst	r26
	breq	udre_text
#if WSNPROF_RING > 0
	ldd	r26, Z+RING(stop)
	cp	r26, r27
	brne	udre_text
#endif
	ldd	r27, Z+RING(at)
	ldd	r26, Z+RING(end)
	sub	r26, r27
	dec	r26
	breq	udre_last
	mov	r26, r27
	inc	r26
	rjmp	udre_frame
udre_last:
	std	Z+RING(end), r26	; 0: it is out
udre_frame:
	std	Z+RING(at), r26
	ldi	r31, 0
	mov	r30, r27
	subi	r30, lo8(-(RING_AT(frame)))
	sbci	r31, hi8(-(RING_AT(frame)))
udre_send:
	ld	r26, Z
	sts	UDR0, r26
udre_out:
	isr_clear
	pop	r31
	pop	r30
	pop	r27
	pop	r26
	out	IO(SREG), r26
	pop	r26
	isr_end

udre_text:
#if WSNPROF_RING > 0
	ldd	r26, Z+RING(head)
	cp	r26, r27
	breq	udre_empty
	mov	r26, r27
	inc	r26
	cpi	r26, WSNPROF_RING
	brne	1f
	ldi	r26, 0
1:	std	Z+RING(tail), r26
	ldi	r31, 0
	mov	r30, r27
	subi	r30, lo8(-(RING_AT(text)))
	sbci	r31, hi8(-(RING_AT(text)))
	rjmp	udre_send
udre_empty:
#endif
	lds	r26, UCSR0B
	andi	r26, lo8(~(1 << UDRIE0))
	sts	UCSR0B, r26
	rjmp	udre_out
	.size	UDRE_VECT, . - UDRE_VECT

#endif
