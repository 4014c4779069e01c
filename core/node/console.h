/*
 * console: the firmware's own text, a ring of lines with the time each began.
 *
 * Lines are kept made visible (text_visible), at most CONSOLE_LINES of them: the oldest go, and are
 * counted. A line that is not finished is there too, and grows.
 *
 * The sequences by which firmware colours its log and shells tidy up their prompt (ECMA-48: SGR,
 * erase to the end, cursor back) are left out, for they say nothing; all others are shown.
 */
#ifndef WSNTOP_NODE_CONSOLE_H
#define WSNTOP_NODE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONSOLE_LINES 8192
#define CONSOLE_SEQUENCE 32		/* bytes of a sequence that is left out, at most */
#define CONSOLE_WIDTH 1024		/* bytes of a line; what is longer goes on in the next */

struct console_line {
	uint64_t time_ns;
	char *text;			/* visible UTF-8 */
	/* said by wsntop (a stack trace decoded, a reset seen), not by the node */
	bool ours;
};

struct console {
	struct console_line *lines;	/* ring */
	size_t first, count;
	uint64_t dropped;
	char partial[CONSOLE_WIDTH];	/* the unfinished line, raw */
	size_t partial_len;
	uint64_t partial_time;
	char partial_text[4 * CONSOLE_WIDTH + 1];	/* the same, visible */
	char sequence[CONSOLE_SEQUENCE];	/* one that has begun, from its ESC on */
	size_t sequence_len;
	bool after_cr;
};

void console_init(struct console *c);
void console_release(struct console *c);
void console_add(struct console *c, uint64_t time_ns, const char *text, size_t n);
/* a line of our own */
void console_say(struct console *c, uint64_t time_ns, const char *line);

/* Line i of console_count(): 0 is the oldest kept; the last may be the unfinished one. */
size_t console_count(const struct console *c);
bool console_get(const struct console *c, size_t i, struct console_line *line);

#endif
