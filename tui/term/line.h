/*
 * line: how far the terminal is behind what was written to it.
 *
 *	write --> [ the kernel's queue ] --> [ the terminal ]
 *
 * A serial line has a queue that can be asked for (TIOCOUTQ), and a speed. A pseudo terminal tells
 * neither: its TIOCOUTQ is always 0, and the speed of its modes means nothing. It only takes no
 * more when LINE_QUEUE bytes wait. Where that happens again and again, it took between two such
 * moments as many bytes as were written between them: that is its speed. One that is never full
 * has kept up, and one that was full once stood still for a while: both count as fast.
 *
 * The model (line_note, line_sent) reads no clock and makes no call.
 */
#ifndef WSNTOP_TUI_TERM_LINE_H
#define WSNTOP_TUI_TERM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_QUEUE = 12 * 1024 };	/* bytes that Linux keeps for the reader of a pty */

struct line {
	double speed;			/* bytes a second; 0: it has kept up */
	double behind;			/* bytes on their way, at the time ... */
	uint64_t at;
	bool full;			/* it took no more then */
	bool serial;			/* it has a queue that can be asked for */
	uint64_t full_at;		/* from then on it was full again and again; 0: it is not */
	size_t since, since_full;	/* bytes written since then, and since it was full last */
};

/* What was seen: bytes queued, of a line of this many baud; or that it takes no more. */
void line_note(struct line *l, int queued, double baud, bool full, uint64_t now);

/* Ask the kernel, and note it. */
void line_look(struct line *l, int fd, uint64_t now);

void line_sent(struct line *l, size_t bytes, uint64_t now);

/* When all is shown that was written; a time that has passed: it is. */
uint64_t line_clear_at(const struct line *l);

/* When bytes can be written without waiting for the terminal. */
uint64_t line_room_at(const struct line *l);

/* Bytes to be written at a time: what the user does next waits for a quarter of a second. */
size_t line_share(const struct line *l);

#endif
