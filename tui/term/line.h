/*
 * line: how far the terminal is behind what was written to it.
 *
 *	write --> [ the kernel's queue ] --> [ the terminal ]
 *
 * A serial line has a queue that can be asked for (TIOCOUTQ), and a speed. A pseudo terminal has
 * neither: its TIOCOUTQ is always 0, and the speed of its modes means nothing. When LINE_QUEUE
 * bytes wait, a write blocks, on Linux until nearly all of them are taken: that gives a speed. So
 * does what was written since the last time. Where the two are alike, the terminal is slow; where
 * they are not, or it blocked once, it stood still for a while. One that never blocks kept up.
 *
 * The model (line_note, line_sent, line_blocked) reads no clock and makes no call.
 */
#ifndef WSNTOP_TUI_TERM_LINE_H
#define WSNTOP_TUI_TERM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_QUEUE = 20 * 1024 };	/* bytes that Linux keeps for the reader of a pty */

struct line {
	double speed;			/* bytes a second; 0: it has kept up */
	double behind;			/* bytes on their way, at the time ... */
	uint64_t at;
	bool full;			/* it took no more then */
	bool serial;			/* it has a queue that can be asked for */
	uint64_t blocked_at;		/* the last blocked write had ended; 0: none */
	size_t since, last;		/* bytes written since, and the last time */
	struct {
		uint64_t began;
		long waits;		/* of this thread, until then */
	} write;
};

/* What was seen: bytes queued, of a line of this many baud; that it takes no more. */
void line_note(struct line *l, int queued, double baud, bool full, uint64_t now);

/* Ask the kernel, and note it. */
void line_look(struct line *l, int fd, uint64_t now);

void line_sent(struct line *l, size_t bytes, uint64_t now);
void line_blocked(struct line *l, uint64_t from, uint64_t to);	/* the last write did */

/* Around writing of so many bytes: they are sent, and it is noted whether that blocked. */
void line_write_begin(struct line *l);
void line_write_end(struct line *l, int fd, size_t bytes);

/* When all is shown that was written; a time that has passed: it is. */
uint64_t line_clear_at(const struct line *l);

/* When bytes can be written without waiting for the terminal. */
uint64_t line_room_at(const struct line *l);

/* Bytes to be written at a time: what the user does next waits for a quarter of a second. */
size_t line_share(const struct line *l);

#endif
