/*
 * wsnprof_ring: what goes out: one frame at a time, and the application's text. For the runtime's
 * own files.
 *
 *	frame	0 n head seq body... crc crc 0		built in place by the main program; `end` is set
 *		    ^ at				when it is whole, and 0 again when it is out
 *	text	a ring: putchar's, from anywhere
 *
 * Between two frames text goes out, up to WSNPROF_CREDIT characters when a frame waits: so neither can starve
 * the other. A frame is never torn, as text waits in a place of its own; nobody copies it, and interrupts
 * are never off for longer than a character takes. The ring's last byte stays free, so that head == tail
 * is empty.
 */
#ifndef WSNPROF_RING_H
#define WSNPROF_RING_H

#include "wsnprof_send.h"

enum { WSNPROF_CREDIT = 16 };

struct wsnprof_ring {
	volatile uint8_t end;		/* of the frame that is going out; 0: none, it may be written */
	uint8_t at;			/* its next byte */
	volatile uint8_t head;		/* of the text */
	volatile uint8_t tail;
	uint8_t credit;			/* text's, before the next frame; 0 within a frame */
	uint8_t seq;			/* of the next frame */
	uint8_t text[WSNPROF_RING];
	uint8_t frame[WSNPROF_FRAME];
};
extern struct wsnprof_ring wsnprof_ring;

WSNPROF_INLINE uint8_t wsnprof_ring_next(uint8_t at)
{
	return ++at == WSNPROF_RING ? 0 : at;
}

/* For drivers, with interrupts off: the next byte, or -1. */
WSNPROF_INLINE int16_t wsnprof_ring_take(void)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t tail = r->tail;
	uint8_t byte;

	WSNPROF_NEAR(r);
	if (r->end && (r->credit == 0 || r->head == tail)) {
		uint8_t at = r->at;

		byte = r->frame[at++];
		r->credit = 0;
		if (at == r->end) {
			r->credit = WSNPROF_CREDIT;
			r->end = 0;
			at = 0;
		}
		r->at = at;
		return byte;
	}
	if (r->head == tail)
		return -1;
	byte = r->text[tail];
	r->tail = wsnprof_ring_next(tail);
	if (r->credit)
		r->credit--;
	return byte;
}

#endif
