/*
 * lines: text in pieces -> lines without their ends. Private to core/wire/power.
 */
#ifndef WSNTOP_WIRE_POWER_LINES_H
#define WSNTOP_WIRE_POWER_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_MOST = 256 };

struct lines {
	char text[LINE_MOST];
	size_t count;
	size_t dropped;			/* bytes of it beyond what fits */
};

/* True: lines->text is a line, until the next call. Empty lines are none. */
static inline bool lines_take(struct lines *l, uint8_t c)
{
	size_t count = l->count;

	if (c != '\n' && c != '\r') {
		if (count < LINE_MOST - 1)
			l->text[l->count++] = (char)c;
		else
			l->dropped++;
		return false;
	}
	l->text[count] = '\0';
	l->count = 0;
	return count > 0;
}

/* What came of the line that is under way, as a line. */
static inline bool lines_end(struct lines *l)
{
	return lines_take(l, '\n');
}

#endif
