/*
 * wsnprof_ring: the transmit ring that reports and the application's text share.
 *
 *	tail        ready          head
 *	  v           v              v
 *	  |  to send  |  being filled |  free
 *
 * A writer reserves its bytes in one short section with interrupts off, fills them with interrupts
 * on, and they become ready when the outermost writer is done: an interrupt that writes in between
 * gets its own stretch behind. So nobody's bytes are torn and interrupts are never off for long.
 * One byte stays free, so that head == tail is empty.
 *
 * Text leaves room for a line of a report, so that an application that prints without end cannot
 * starve the reports. They in turn wait a while for more room, so that text gets its share.
 */
#ifndef WSNPROF_RING_H
#define WSNPROF_RING_H

#include "wsnprof_table.h"

/* A row at its longest, "0x1fffe:0x1fffe:", two numbers of 10 digits, two of 5, CR LF, is 50. */
#define WSNPROF_LINE_SIZE 64

struct wsnprof_ring {
	volatile uint8_t tail;
	volatile uint8_t ready;
	volatile uint8_t head;
	uint8_t writers;	/* nested ones under way */
	bool line_open;		/* the last byte reserved was no line feed */
	uint32_t dropped;	/* characters that found no room */
	uint8_t data[WSNPROF_RING];
};

extern struct wsnprof_ring wsnprof_ring;

/* Bytes that would fit now. */
uint8_t wsnprof_ring_room(void) WSNPROF_QUIET;

/*
 * A whole line, or nothing: false. `line` ends in a line feed. A line of the application's that is
 * unfinished is ended first.
 */
bool wsnprof_ring_put_line(const char *line, uint8_t length) WSNPROF_QUIET;

/* For the driver, with interrupts off: the next byte to send, or -1. */
WSNPROF_INLINE int16_t wsnprof_ring_take(void)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t tail = r->tail;
	uint8_t byte;

	if (tail == r->ready)
		return -1;
	byte = r->data[tail];
	r->tail = (tail + 1) & (WSNPROF_RING - 1);
	return byte;
}

#endif
