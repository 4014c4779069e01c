/*
 * board: facts under headings, laid out in as many columns as the width allows. Private to
 * tui/view.
 *
 * Built again for each frame: the facts are few. Sections stay whole; each goes into the shortest
 * column.
 */
#ifndef WSNTOP_TUI_PART_BOARD_H
#define WSNTOP_TUI_PART_BOARD_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "tui/term/grid.h"

#define BOARD_LINES 128
#define BOARD_POINTS 128
#define BOARD_PARTS 6

enum { BOARD_LABEL = 13 };		/* columns of a label; a longer one is cut */

enum board_kind {
	BOARD_HEADING,			/* begins a section */
	BOARD_FACT,			/* label and words, broken into lines */
	BOARD_BAR,			/* ... and a bar of `share` */
	BOARD_SPARK,			/* ... and points over time */
	BOARD_STACK,			/* parts of a whole, side by side */
	BOARD_PART,			/* ... what the part number `count` of it is */
	BOARD_NOTE,			/* a sentence, broken into lines */
};

struct board_line {
	enum board_kind kind;
	enum role role;			/* of the words */
	char label[20];
	char text[200];
	double share;			/* BAR: 0..1, NaN not known */
	double parts[BOARD_PARTS];	/* STACK: shares; their roles: board_part_role */
	size_t count;			/* of parts, of points */
	float points[BOARD_POINTS];
	double max;			/* of points */
};

struct board {
	struct board_line lines[BOARD_LINES];
	size_t count;
};

void board_clear(struct board *b);
void board_heading(struct board *b, const char *text);
/* Its words may be changed until the next one. Never NULL: too many lines share the last. */
struct board_line *board_add(struct board *b, enum board_kind kind, const char *label,
			     enum role role, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* How the i-th part of a STACK looks: a role and a letter or shade of its own. */
enum role board_part_role(size_t i);
uint32_t board_part_glyph(size_t i);

/*
 * Text in lines of `width` columns, broken at a blank where there is one; how many lines. NULL
 * draws nothing.
 */
int board_words(struct grid *g, int x, int y, int width, enum role role, const char *text);

int board_height(const struct board *b, int width);	/* lines of the longest column */
void board_draw(const struct board *b, struct grid *g, size_t top);
void board_text(const struct board *b, struct buf *out);	/* "label: words", a line each */

#endif
