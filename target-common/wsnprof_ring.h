/*
 * wsnprof_ring: the bytes to send: one frame at a time, and the application's text. For the
 * runtime's own files.
 *
 *	frame	0 n head seq body... crc crc 0	built in place by the main program; `end` is set
 *		    ^ at			when it is whole, and 0 again when it is out
 *	text	a ring: putchar's, from anywhere
 *
 * A frame is sent after the text that was there before the frame was complete; later text waits for
 * the frame's end. So neither can starve the other. A frame is never interrupted by text, and never
 * copied, and interrupts are never off for longer than a character takes. One byte of the ring
 * stays free, so that head == tail is empty.
 */
#ifndef WSNPROF_RING_H
#define WSNPROF_RING_H

#include "wsnprof_send.h"

extern struct wsnprof_ring wsnprof_ring;

#if WSNPROF_RING > 0
WSNPROF_INLINE uint8_t wsnprof_ring_next(uint8_t at)
{
	return ++at == WSNPROF_RING ? 0 : at;
}
#endif

/* For drivers, with interrupts off: the next byte, or -1. */
WSNPROF_INLINE int16_t wsnprof_ring_take(void)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t end, byte;

	WSNPROF_NEAR(r);
	end = r->end;
#if WSNPROF_RING > 0
	if (!end || r->tail != r->stop) {
		uint8_t tail = r->tail;

		if (r->head == tail)
			return -1;
		byte = r->text[tail];
		r->tail = wsnprof_ring_next(tail);
		return byte;
	}
#else
	if (!end)
		return -1;
#endif
	uint8_t at = r->at;

	byte = r->frame[at++];
	if (at == end)
		r->end = at = 0;
	r->at = at;
	return byte;
}

#endif
