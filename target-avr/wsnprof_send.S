/*
 * wsnprof_send: the sender's inner loops on AVR, in place of target-common's C: half the cycles, two
 * thirds of the bytes. The calling convention is the compiler's: r18 to r27, r30, r31 and r0 are free, r1 is 0.
 */
#include <avr/io.h>

#include "wsnprof_defaults.h"
#include "wsnprof_protocol.h"

#define SREG_IO _SFR_IO_ADDR(SREG)

#ifdef __AVR_HAVE_JMP_CALL__
#define XJMP jmp
#else
#define XJMP rjmp
#endif

/* struct wsnprof_ring; asserted in wsnprof_ring.c. */
#define RING_END (wsnprof_ring + 0)
#define RING_HEAD (wsnprof_ring + 2)
#define RING_STOP (wsnprof_ring + 4)
#define RING_SEQ (wsnprof_ring + 5)
#define RING_FRAME (wsnprof_ring + 6 + WSNPROF_RING)

	.section .text.wsnprof_varint, "ax", @progbits
/*
 * uint8_t *wsnprof_varint(uint8_t *p, uint32_t v)
 *
 * In: r24-r25 p, r20-r23 v. Out: r24-r25. Clobbers r18, r19, r30, r31. 20 cycles a byte.
 *
 * Shifting right by seven is shifting left by one and taking the upper four of five bytes.
 */
	.global wsnprof_varint
	.type wsnprof_varint, @function
wsnprof_varint:
	movw	r30, r24
1:	clr	r18
	lsl	r20
	rol	r21
	rol	r22
	rol	r23
	rol	r18
	lsr	r20			; the lower seven bits
	mov	r19, r21		; and is there more?
	or	r19, r22
	or	r19, r23
	or	r19, r18
	breq	2f
	ori	r20, 0x80
	st	Z+, r20
	mov	r20, r21
	mov	r21, r22
	mov	r22, r23
	mov	r23, r18
	rjmp	1b
2:	st	Z+, r20
	movw	r24, r30
	ret
	.size wsnprof_varint, . - wsnprof_varint

	.section .text.wsnprof_frame_end, "ax", @progbits
/*
 * void wsnprof_frame_end(uint8_t type, uint8_t *end)
 *
 * In: r24 type, r22-r23 end. Clobbers r18-r21, r24-r27, r30, r31. 24 cycles a byte for the CRC, 11 for COBS.
 */
	.global wsnprof_frame_end
	.type wsnprof_frame_end, @function
wsnprof_frame_end:
	movw	r26, r22
	ldi	r30, lo8(RING_FRAME)
	ldi	r31, hi8(RING_FRAME)
	st	Z+, r1			; delimiter
	st	Z+, r1			; COBS's byte, a zero like others to the loop below
	lds	r18, wsnprof_epoch
	swap	r18
	lsl	r18
	andi	r18, 0xe0
	or	r24, r18
	st	Z, r24
	lds	r18, RING_SEQ
	std	Z+1, r18
	inc	r18
	sts	RING_SEQ, r18

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

	/* COBS from the end: a zero becomes the distance to the zero behind it. A frame is shorter than 256: one byte tells where. */
	movw	r26, r30
	clr	r18
2:	ld	r19, -X
	inc	r18
	tst	r19
	brne	3f
	st	X, r18
	clr	r18
3:	cpi	r26, lo8(RING_FRAME + 1)
	brne	2b

	subi	r30, lo8(RING_FRAME - 1)
	in	r18, SREG_IO
	cli
	lds	r19, RING_HEAD
	sts	RING_STOP, r19
	sts	RING_END, r30
	out	SREG_IO, r18
	XJMP	wsnprof_kick
	.size wsnprof_frame_end, . - wsnprof_frame_end

	.section .text.wsnprof_identity_step, "ax", @progbits
/*
 * void wsnprof_identity_step(void)
 *
 * Sums up from where it stopped to the next multiple of 256 bytes, or the end: 15 cycles a word (13 up to 64 KB).
 * Clobbers r0, r18-r27, r30, r31.
 *
 *	wsnprof_identity: kind, start (4; here 0), length (4), a, b
 */
	.global wsnprof_identity_step
	.type wsnprof_identity_step, @function
wsnprof_identity_step:
	ldi	r26, lo8(wsnprof_identity + 5)
	ldi	r27, hi8(wsnprof_identity + 5)
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
	ldi	r19, lo8(__data_load_end + 1)
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
	cpi	r31, hi8(__data_load_end + 1)
#if FLASHEND > 0xffff
	brne	2f
	in	r18, _SFR_IO_ADDR(RAMPZ)
	cpi	r18, hlo8(__data_load_end + 1)
#endif
	brne	2f
	set				; whole
	rjmp	3f
2:	tst	r30
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
	XJMP	wsnprof_refresh		; HELLO tells it
4:	ret
	.size wsnprof_identity_step, . - wsnprof_identity_step
