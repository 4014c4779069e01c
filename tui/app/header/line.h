/*
 * line: a line of facts, each "label value", of which the least important are left out where the
 * width does not hold all of them.
 */
#ifndef WSNTOP_TUI_APP_HEADER_LINE_H
#define WSNTOP_TUI_APP_HEADER_LINE_H

#include <stdbool.h>

#include "tui/term/grid.h"

enum { LINE_SEGMENTS = 24 };

/* "label value"; the higher its rank, the sooner it is left out; never at rank 0. */
struct line_segment {
	char label[16];
	char value[160];
	enum role role;
	int rank;
	bool right;		/* a badge at the right edge */
	int cut;		/* columns by which its value is cut */
};

/* All zero: empty. */
struct line {
	struct line_segment segments[LINE_SEGMENTS];
	int count;
};

/* Never NULL: too many share the last. */
struct line_segment *line_add(struct line *l, int rank, const char *label, enum role role,
			      const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* In line y, over its whole width. What does not fit is gone from the line afterwards. */
void line_draw(struct grid *g, int y, struct line *l);

#endif
