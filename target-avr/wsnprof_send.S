/*
 * wsnprof_send: the sender on AVR, in place of target-common's C, which documents it: half the
 * cycles, two thirds of the bytes. The calling convention is the compiler's: r18 to r27, r30, r31
 * and r0 are free, r1 is 0.
 */
#if 0	/* what as without the preprocessor sees */
.error "wsnprof_send.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include <avr/io.h>

#include "wsnprof_arch.h"
#include "wsnprof_layout.h"
#include "wsnprof_protocol.h"

#define SREG_IO _SFR_IO_ADDR(SREG)

#ifdef __AVR_HAVE_JMP_CALL__
#define XCALL call
#define XJMP jmp
#else
#define XCALL rcall
#define XJMP rjmp
#endif

/* A member's address; its offset. */
#define AT(s, name) (wsnprof_##s + WSNPROF_OFFSET(s, name))
#define OFFSET(s, name) WSNPROF_OFFSET(s, name)

	.section .text.wsnprof_send, "ax", @progbits

/* Slots above 128: numbers of 16 bits, skips of one byte or two. */
#if WSNPROF_SLOTS > 255
#define WIDE 1			/* a number: the assembler's "true" is -1 */
#else
#define WIDE 0
#endif
#define SKIP_BYTES (1 + WIDE)

#define BODY (AT(ring, frame) + WSNPROF_HEAD)
#if !WSNPROF_TRACE
/* A row and its skip still fit behind it. */
#define ROWS_LIMIT (WSNPROF_BODY_END - WSNPROF_ROW_SIZE - SKIP_BYTES)
#endif

/* Fields of STATUS that nothing counts here, before poll; with them, one more still fits. */
#if WSNPROF_RECEIVE
#define STATUS_ABSENT 4
#else
#define STATUS_ABSENT 5
#endif
#define TRACE_ABSENT 5
#define STATUS_LIMIT (WSNPROF_BODY_END - STATUS_ABSENT - 5)

/*
 * Z, and RAMPZ where there is one, to a constant in flash; \dst from there. The linker may put
 * constants above 64 KB.
 */
.macro	flash_at name
	ldi	r30, lo8(\name)
	ldi	r31, hi8(\name)
#if FLASHEND > 0xffff
	ldi	r24, hlo8(\name)
	out	_SFR_IO_ADDR(RAMPZ), r24
#endif
.endm
.macro	flash_next dst
#if FLASHEND > 0xffff
	elpm	\dst, Z+
#else
	lpm	\dst, Z+
#endif
.endm

#if !WSNPROF_TRACE
/* Z: the pass's cursor. SPARE has its own, the second. Clobbers r24. */
	.type cursor_address, @function
cursor_address:
	ldi	r30, lo8(AT(node, cursor))
	ldi	r31, hi8(AT(node, cursor))
	lds	r24, AT(node, step)
	cpi	r24, WSNPROF_SEND_SPARE
	brne	1f
	adiw	r30, WSNPROF_SIZE_wsnprof_slot
1:	ret
#endif

/*
 * bool wsnprof_send(void)
 *
 * The next frame of a refresh. Out: r24 0: none is left. Clobbers r0, r18-r27, r30, r31. A pass
 * over rows that are not wanted takes 30 cycles a slot beside wsnprof_row_put()'s own, 42 with more
 * than 128 slots.
 *
 *	r28-r29	the body's end so far	X	the same for HELLO, NAME
 *	r16	slot			r17	slots that the pass has not seen
 *	r15	skip			r12, r13, r14	WIDE: the high bytes of slot, of what is
 *							not seen, of skip
 */
	.global wsnprof_send
	.type wsnprof_send, @function
wsnprof_send:
#if WIDE
	push	r12
	push	r13
	push	r14
#endif
	push	r15
	push	r16
	push	r17
	push	r28
	push	r29
	ldi	r28, lo8(BODY)
	ldi	r29, hi8(BODY)
	movw	r26, r28
	lds	r24, AT(node, step)
	cpi	r24, WSNPROF_SENT
	brne	5f
	rjmp	.Lnone
5:
#if WSNPROF_TRACE
	rjmp	.Lsmall
#else
	cpi	r24, WSNPROF_SEND_SPARE
	brsh	.Lrows
	rjmp	.Lsmall

.Lrows:
	rcall	cursor_address
	ld	r15, Z
	mov	r16, r15
	lds	r17, AT(node, left)
#if WIDE
	ldd	r14, Z+1
	mov	r12, r14
	lds	r13, AT(node, left) + 1
#endif
6:
#if WSNPROF_RECEIVE
	clr	r24
	clr	r25
	lds	r20, AT(node, select)
	sbrs	r20, 0
	rjmp	7f
#endif
	movw	r18, r28
	subi	r18, lo8(-SKIP_BYTES)
	sbci	r19, hi8(-SKIP_BYTES)
#if WIDE
	movw	r24, r14		; a skip below 128 takes a byte
	lsl	r25
	rol	r24
	brne	1f
	subi	r18, 1
	sbci	r19, 0
1:
#endif
	lds	r20, AT(node, step)
	dec	r20
	andi	r20, 3			/* enum wsnprof_want */
	mov	r22, r16
#if WIDE
	mov	r23, r12
#else
	ldi	r23, 0
#endif
	ldi	r24, WSNPROF_TYPE_SITES
	XCALL	wsnprof_row_put
7:	sbiw	r24, 0
	breq	8f
#if WIDE
	mov	r18, r15
	lsl	r18
	rol	r14			; skip / 128
	breq	1f
	sec
	ror	r18			; bit 7: more
	std	Y+1, r14
	rjmp	2f
1:	lsr	r18
2:	st	Y, r18
	clr	r14
	dec	r14
#else
	st	Y, r15
#endif
	movw	r28, r24
	clr	r15
	dec	r15
8:
#if WIDE
	ldi	r18, 1
	add	r15, r18
	adc	r14, r1
	add	r16, r18
	adc	r12, r1
	sub	r17, r18
	sbc	r13, r1
	mov	r18, r17
	or	r18, r13
	breq	9f
	ldi	r18, hi8(WSNPROF_SITES)
	cpi	r16, lo8(WSNPROF_SITES)
	cpc	r12, r18
	breq	9f
#else
	inc	r15
	inc	r16
	dec	r17
	breq	9f
	cpi	r16, WSNPROF_SITES
	breq	9f
#endif
	mov	r24, r28
	subi	r24, lo8(AT(ring, frame))
	cpi	r24, ROWS_LIMIT + 1
	brlo	6b
9:					/* behind the last comes the first */
	rcall	cursor_address
#if WIDE
	mov	r18, r12
	andi	r18, hi8(WSNPROF_SITES - 1)
	andi	r16, lo8(WSNPROF_SITES - 1)
	st	Z, r16
	std	Z+1, r18
	sts	AT(node, left), r17
	sts	AT(node, left) + 1, r13
	or	r17, r13
#else
	andi	r16, WSNPROF_SITES - 1
	st	Z, r16
	sts	AT(node, left), r17
#endif
	movw	r26, r28
	ldi	r24, WSNPROF_TYPE_SITES
	tst	r17
	breq	.Lnext
	lds	r25, AT(node, step)
	cpi	r25, WSNPROF_SEND_SPARE
	brne	.Lframe
	cpi	r26, lo8(BODY)
	breq	.Lsome
	lds	r25, AT(node, spare)
	dec	r25
	sts	AT(node, spare), r25
	breq	.Lnext
	rjmp	.Lframe
#endif

	/*
	 * X: the body's end, r24: its type. The next step; an empty body is no frame (one byte of
	 * the address tells).
	 */
.Lnext:
	lds	r25, AT(node, step)
	inc	r25
	sts	AT(node, step), r25
#if !WSNPROF_TRACE
	ldi	r25, lo8(WSNPROF_SITES)
	sts	AT(node, left), r25
#if WIDE
	ldi	r25, hi8(WSNPROF_SITES)
	sts	AT(node, left) + 1, r25
#endif
#endif
.Lframe:
	cpi	r26, lo8(BODY)
	breq	.Lsome
	movw	r22, r26
	rcall	wsnprof_frame_end
.Lsome:
	ldi	r24, 1
	rjmp	.Lout
.Lnone:
	clr	r24
.Lout:
	pop	r29
	pop	r28
	pop	r17
	pop	r16
	pop	r15
#if WIDE
	pop	r14
	pop	r13
	pop	r12
#endif
	ret

.Lsmall:
	cpi	r24, WSNPROF_SEND_NAME
#if WSNPROF_ID_VARIABLE			/* both are too far then */
	brlo	.Lhello
	breq	1f
	rjmp	.Lstatus
1:	rjmp	.Lname
.Lhello:
#else
	breq	.Lname
	brsh	.Lstatus
#endif

	flash_at wsnprof_hello_rom
#if WSNPROF_ID_VARIABLE
	ldi	r24, OFFSET(hello_rom, id)
#else
	ldi	r24, OFFSET(hello_rom, bytes)
#endif
1:	flash_next r0
	st	X+, r0
	dec	r24
	brne	1b
#if WSNPROF_ID_VARIABLE			/* the last four of these bytes */
	ldi	r30, lo8(wsnprof_id)
	ldi	r31, hi8(wsnprof_id)
	ldi	r24, 4
1:	ld	r0, Z+
	st	X+, r0
	dec	r24
	brne	1b
#endif
	lds	r24, AT(node, running)
	ldd	r25, Y+OFFSET(hello_rom, features_high)
	or	r24, r25
#if WSNPROF_TIMER_READ == 1
	lds	r25, wsnprof_missed
	or	r24, r25
#endif
	std	Y+OFFSET(hello_rom, features_high), r24
	lds	r24, wsnprof_cost
	std	Y+OFFSET(hello_rom, cost), r24
	lds	r24, wsnprof_cost + 1
	std	Y+OFFSET(hello_rom, cost)+1, r24
#if WSNPROF_LEVEL > 0
	lds	r24, wsnprof_skew
	std	Y+OFFSET(hello_rom, skew), r24
	lds	r24, wsnprof_skew + 1
	std	Y+OFFSET(hello_rom, skew)+1, r24
#endif
	lds	r24, wsnprof_epoch
	st	X+, r24
	lds	r24, wsnprof_epoch + 1
	st	X+, r24
#if WSNPROF_IDENTITY
	lds	r24, wsnprof_identity
	st	X+, r24
	ldi	r24, 4			; the start
#else
	ldi	r24, 1 + WSNPROF_IDENTITY_BYTES
#endif
2:	st	X+, r1
	dec	r24
	brne	2b
#if WSNPROF_IDENTITY
	ldi	r30, lo8(AT(identity, length))
	ldi	r31, hi8(AT(identity, length))
	ldi	r24, OFFSET(identity, bytes) - OFFSET(identity, length)
3:	ld	r0, Z+
	st	X+, r0
	dec	r24
	brne	3b
#endif
	ldi	r24, WSNPROF_HELLO
	rjmp	.Lnext

.Lname:
	flash_at wsnprof_name_rom
	rjmp	4f
3:	st	X+, r0
4:	flash_next r0
	tst	r0
	brne	3b
	ldi	r24, WSNPROF_NODE_NAME
	rjmp	.Lnext

.Lstatus:
	cpi	r24, WSNPROF_SEND_IDENTITY
#if WSNPROF_IDENTITY
	breq	.Lidentity
#else
	brne	1f
	rjmp	.Lnext
1:
#endif
	ldi	r16, lo8(wsnprof_counts)
	ldi	r17, hi8(wsnprof_counts)
	movw	r24, r16
	XCALL	wsnprof_port_run
5:	movw	r30, r16
	in	r18, SREG_IO
	cli
	ld	r20, Z+
	ld	r21, Z+
	ld	r22, Z+
	ld	r23, Z+
	out	SREG_IO, r18
	movw	r16, r30
	movw	r24, r28
	rcall	wsnprof_varint
	movw	r28, r24
#if WSNPROF_TRACE			/* handlers' time and what tables lose: none */
	cpi	r16, lo8(wsnprof_counts + OFFSET(counts, text))
	brne	6f
	ldi	r24, TRACE_ABSENT
1:	st	Y+, r1
	dec	r24
	brne	1b
6:
#if WSNPROF_RECEIVE
	cpi	r16, lo8(wsnprof_counts + OFFSET(counts, command))
	brne	6f
	st	Y+, r1			; carries
6:
#endif
#elif WSNPROF_COUNTS_POLL
	subi	r24, lo8(AT(ring, frame))	; the next fits, whatever it is?
	cpi	r24, STATUS_LIMIT + 1
	brsh	7f
	cpi	r16, lo8(wsnprof_counts + OFFSET(counts, poll_low))
	brne	6f
	ldi	r24, STATUS_ABSENT
1:	st	Y+, r1
	dec	r24
	brne	1b
6:
#endif
	cpi	r16, lo8(wsnprof_counts + OFFSET(counts, bytes))
	brne	5b
7:	movw	r26, r28
	ldi	r24, WSNPROF_STATUS
	rjmp	.Lnext

#if WSNPROF_IDENTITY
	/* Nothing, while it is not known or if this refresh's HELLO has it. */
.Lidentity:
	lds	r18, wsnprof_identity
	lds	r24, AT(node, refreshes)
	andi	r24, 3
	dec	r24
	breq	1f
	tst	r18
	breq	1f
	st	X+, r18
	st	X+, r1			; the start
	movw	r24, r26
	ldi	r28, lo8(AT(identity, length))
	ldi	r29, hi8(AT(identity, length))
	ldi	r17, 2			; the length; a, b
2:	ld	r20, Y+
	ld	r21, Y+
	ld	r22, Y+
	ld	r23, Y+
	rcall	wsnprof_varint
	dec	r17
	brne	2b
	movw	r26, r24
1:	ldi	r24, WSNPROF_NODE_IDENTITY
	rjmp	.Lnext
#endif
	.size wsnprof_send, . - wsnprof_send

/*
 * uint8_t *wsnprof_varint(uint8_t *p, uint32_t v)
 *
 * In: r24-r25 p, r20-r23 v. Out: r24-r25. Clobbers r18-r23, r26, r27: Z stays. 20 cycles
 * a byte.
 *
 * Shifting right by seven is shifting left by one and taking the upper four of five bytes.
 */
	.global wsnprof_varint
	.type wsnprof_varint, @function
wsnprof_varint:
	movw	r26, r24
1:	clr	r18
	lsl	r20
	rol	r21
	rol	r22
	rol	r23
	rol	r18
	lsr	r20			; the lower seven bits
	mov	r19, r21		; not zero: more bytes follow
	or	r19, r22
	or	r19, r23
	or	r19, r18
	breq	2f
	ori	r20, 0x80
	st	X+, r20
	mov	r20, r21
	mov	r21, r22
	mov	r22, r23
	mov	r23, r18
	rjmp	1b
2:	st	X+, r20
	movw	r24, r26
	ret
	.size wsnprof_varint, . - wsnprof_varint

/*
 * void wsnprof_frame_end(uint8_t type, uint8_t *end)
 *
 * In: r24 type, r22-r23 end. Clobbers r18-r21, r24-r27, r30, r31. 24 cycles a byte for the CRC, 11
 * for COBS.
 */
	.global wsnprof_frame_end
	.type wsnprof_frame_end, @function
wsnprof_frame_end:
	movw	r26, r22
	ldi	r30, lo8(AT(ring, frame))
	ldi	r31, hi8(AT(ring, frame))
	st	Z+, r1			; delimiter
	st	Z+, r1			; COBS's byte, a zero like others to the loop below
	lds	r18, wsnprof_epoch
	swap	r18
	lsl	r18
	andi	r18, 0xe0
	or	r24, r18
	st	Z, r24
	lds	r18, AT(ring, seq)
	std	Z+1, r18
	inc	r18
	sts	AT(ring, seq), r18

	/*
	 * CRC in r25:r24. x = (high ^ byte) ^ (high ^ byte) >> 4; new high = low ^ x << 4 ^ x >> 3,
	 * new low = x << 5 ^ x. One swap of x serves all three shifts.
	 */
	ldi	r24, lo8(WSNPROF_CRC_INIT)
	ldi	r25, hi8(WSNPROF_CRC_INIT)
1:	ld	r18, Z+
	eor	r18, r25
	mov	r19, r18
	swap	r19
	andi	r19, 0x0f
	eor	r19, r18		; x
	mov	r20, r19
	swap	r20
	mov	r25, r20
	andi	r25, 0xf0
	eor	r25, r24
	lsl	r20			; x << 5, (x >> 4) << 1, and in the carry bit 3 of x
	mov	r24, r20
	andi	r24, 0xe0
	eor	r24, r19
	andi	r20, 0x1e
	adc	r20, r1			; x >> 3
	eor	r25, r20
	cp	r30, r26
	cpc	r31, r27
	brne	1b
	st	Z+, r24
	st	Z+, r25
	st	Z, r1

	/*
	 * COBS from the end: a zero becomes the distance to the zero behind it. A frame is shorter
	 * than 256: one byte tells where.
	 */
	movw	r26, r30
	clr	r18
2:	ld	r19, -X
	inc	r18
	tst	r19
	brne	3f
	st	X, r18
	clr	r18
3:	cpi	r26, lo8(AT(ring, frame) + 1)
	brne	2b

	subi	r30, lo8(AT(ring, frame) - 1)
	in	r18, SREG_IO
	cli
#if WSNPROF_RING > 0
	lds	r19, AT(ring, head)
	sts	AT(ring, stop), r19
#endif
	sts	AT(ring, end), r30
	out	SREG_IO, r18
	XJMP	wsnprof_kick
	.size wsnprof_frame_end, . - wsnprof_frame_end

#if WSNPROF_IDENTITY
/*
 * bool wsnprof_identity_step(void)
 *
 * Sums up from where it stopped to the next multiple of 1,024 bytes, or the end: 16 cycles a word,
 * 8,200 in all. Out: r24 1. Clobbers r0, r18-r27, r30, r31.
 *
 *	wsnprof_identity: kind, length (4), a, b
 */
	.global wsnprof_identity_step
	.type wsnprof_identity_step, @function
wsnprof_identity_step:
	ldi	r26, lo8(AT(identity, length))
	ldi	r27, hi8(AT(identity, length))
	ld	r30, X+
	ld	r31, X+
#if FLASHEND > 0xffff
	ld	r18, X+
	out	_SFR_IO_ADDR(RAMPZ), r18
	adiw	r26, 1
#else
	adiw	r26, 2
#endif
	ld	r24, X+			; a
	ld	r25, X+
	ld	r22, X+			; b
	ld	r23, X+
	ldi	r19, lo8(WSNPROF_FLASH_END + 1)
	andi	r19, 0xfe
	clt
1:
#if FLASHEND > 0xffff
	elpm	r0, Z+
	add	r24, r0
	elpm	r0, Z+
#else
	lpm	r0, Z+
	add	r24, r0
	lpm	r0, Z+
#endif
	adc	r25, r0
	add	r22, r24
	adc	r23, r25
	cp	r30, r19
	brne	2f
	cpi	r31, hi8(WSNPROF_FLASH_END + 1)
#if FLASHEND > 0xffff
	brne	2f
	in	r18, _SFR_IO_ADDR(RAMPZ)
	cpi	r18, hlo8(WSNPROF_FLASH_END + 1)
#endif
	brne	2f
	set				; whole
	rjmp	3f
2:	tst	r30
	brne	1b
	mov	r18, r31
	andi	r18, 3
	brne	1b
3:	st	-X, r23
	st	-X, r22
	st	-X, r25
	st	-X, r24
#if FLASHEND > 0xffff
	sbiw	r26, 1
	in	r18, _SFR_IO_ADDR(RAMPZ)
	st	-X, r18
#else
	sbiw	r26, 2
#endif
	st	-X, r31
	st	-X, r30
	brtc	4f
	ldi	r18, WSNPROF_IDENTITY_SUM
	sts	wsnprof_identity, r18
	XCALL	wsnprof_refresh		; HELLO has it
4:	ldi	r24, 1
	ret
	.size wsnprof_identity_step, . - wsnprof_identity_step
#endif
