/*
 * wsnprof_ring: the transmit ring that frames and the application's text share. For the runtime's
 * own files.
 *
 *	tail        ready          head
 *	  v           v              v
 *	  |  to send  |  being filled |  free
 *
 * A character is put with interrupts off. A frame reserves its bytes in one short section with
 * interrupts off, is filled in with interrupts on, and becomes ready when it is whole; what interrupts
 * put meanwhile lies behind it and becomes ready with it. So nothing is torn and interrupts are never
 * off for long. One frame at a time: `busy`. One byte stays free, so that head == tail is empty.
 *
 * Fairness. A sender with a frame in mind has room for it promised: from then on text leaves that much
 * free, so that text without end cannot starve frames. In turn, when text was refused since the last
 * frame, the next one waits until text has put WSNPROF_CREDIT more characters or the ring has run empty.
 */
#ifndef WSNPROF_RING_H
#define WSNPROF_RING_H

#include "wsnprof_send.h"

/* A line of the report at its longest: "0x1fffe:0x1fffe:", four numbers of 10 digits, CR LF. */
#define WSNPROF_LINE_SIZE 64

enum {
	WSNPROF_HUNGRY = 0x80,
	WSNPROF_CREDIT = 16,
};

struct wsnprof_ring {
	volatile uint8_t tail;
	volatile uint8_t ready;
	volatile uint8_t head;
	volatile uint8_t share;		/* bit 7: text was refused; bits 0-6: what is left of its credit */
	volatile uint8_t promised;	/* bytes that all but the sender must leave free */
	volatile bool busy;
	uint8_t seq;			/* of the next frame */
	uint8_t data[WSNPROF_RING];
};

extern struct wsnprof_ring wsnprof_ring;

/* For drivers, with interrupts off: does a byte wait? Then take it. */
WSNPROF_INLINE bool wsnprof_ring_waits(void)
{
	return wsnprof_ring.tail != wsnprof_ring.ready;
}

WSNPROF_INLINE uint8_t wsnprof_ring_next(void)
{
	uint8_t tail = wsnprof_ring.tail;
	uint8_t byte = wsnprof_ring.data[tail];

	wsnprof_ring.tail = ++tail == WSNPROF_RING ? 0 : tail;
	return byte;
}

/* The sender's: promise room for a frame; is it there, and the sender's turn? wsnprof_poll() only. */
bool wsnprof_ring_claim(void) WSNPROF_QUIET;

/* wsnprof_frame_send(), but `leave` bytes stay free: none for the sender, whom the room was promised. */
bool wsnprof_frame_put(uint8_t type, uint8_t *frame, uint8_t *end, uint8_t leave) WSNPROF_QUIET;

/* The sender's turn is over: the promise ends, text has its credit. */
WSNPROF_INLINE void wsnprof_ring_yield(void)
{
	wsnprof_ring.promised = 0;
	wsnprof_ring.share = WSNPROF_CREDIT;
}

#if WSNPROF_TEXT
/*
 * The sender's whole line, or nothing: false. `length` at most WSNPROF_LINE_SIZE, a line feed at the end. A line of the
 * application's that is unfinished is ended first.
 */
bool wsnprof_ring_line(const char *line, uint8_t length) WSNPROF_QUIET;
#endif

#endif
