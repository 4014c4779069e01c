/*
 * grid: a rectangle of character cells that views draw into. No curses here: screen.c shows it.
 *
 * A cell has a role, which tells its meaning; the theme maps roles to colours (themes/, one ini
 * file each). Drawing outside the rectangle is clipped. Strings are UTF-8 and are made visible on
 * the way in: no byte of a name can act as a control sequence.
 */
#ifndef WSNTOP_TUI_TERM_GRID_H
#define WSNTOP_TUI_TERM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role {
	ROLE_DEFAULT,
	ROLE_HEADER,		/* the lines on top */
	ROLE_LABEL,		/* "port", "image" in the header; dim words */
	ROLE_VALUE,		/* beside a label */
	ROLE_GOOD, ROLE_WARNING, ROLE_BAD,
	ROLE_TITLE,		/* column headers */
	ROLE_TITLE_SORTED,	/* the column sorted by */
	ROLE_SELECTED,		/* the selected row */
	ROLE_NAME,		/* a function's name */
	ROLE_NUMBER,
	ROLE_DIM,		/* unknown, stale, unprofiled */
	ROLE_MATCH,		/* found by the search */
	ROLE_BAR,		/* bars; heat 0..4 follows in order, cheap to expensive */
	ROLE_HEAT0, ROLE_HEAT1, ROLE_HEAT2, ROLE_HEAT3, ROLE_HEAT4,
	ROLE_TAB, ROLE_TAB_ACTIVE,
	ROLE_KEY,		/* a key's name in hints and help */
	ROLE_PROMPT,
	ROLE_MENU, ROLE_MENU_SELECTED,
	ROLE_FLAME0, ROLE_FLAME1, ROLE_FLAME2, ROLE_FLAME3, ROLE_FLAME4,	/* boxes by heat */
	ROLE_BOX0, ROLE_BOX1, ROLE_BOX2, ROLE_BOX3, ROLE_BOX4, ROLE_BOX5,	/* boxes by file */
	ROLE_BOX_PLAIN,		/* without a meaning */
	ROLE_BOX_BETTER,	/* cheaper than the baseline; more expensive: ROLE_FLAME4 */
	ROLE_COUNT,
};

struct cell {
	uint32_t ch[3];		/* and up to two combining ones; 0: right half of a wide one */
	uint8_t role;
	bool selected;		/* drawn on the selected row: its background */
};

struct naming;			/* tui/part/naming.h */

struct grid {
	struct cell *cells;	/* of the whole screen */
	int stride;
	int x, y, width, height;	/* of this rectangle in it */
	bool utf8;		/* false: ASCII stand-ins for bars, lines and arrows */
	struct naming *naming;	/* where functions' names are kept until all are known; or NULL */
};

/* A rectangle of another, clipped to it; coordinates relative to it. */
struct grid grid_sub(const struct grid *g, int x, int y, int width, int height);

void grid_clear(struct grid *g);
/*
 * Put text at (x, y), at most `width` columns (negative: to the edge), cut with an ellipsis;
 * returns columns used.
 */
int grid_text(struct grid *g, int x, int y, int width, enum role role, const char *s);
int grid_textf(struct grid *g, int x, int y, int width, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
/* Likewise, right-aligned in [x, x + width). */
void grid_right(struct grid *g, int x, int y, int width, enum role role, const char *s);
void grid_fill(struct grid *g, int x, int y, int width, enum role role, uint32_t ch);
/* An empty box with a border, its title in it. All cells below it are cleared, selected or not. */
void grid_box(struct grid *g, int x, int y, int width, int height, enum role role,
	      const char *title);
/* A horizontal bar of `share` (0..1) of width, in eighths where there is UTF-8, '#' where not. */
void grid_bar(struct grid *g, int x, int y, int width, enum role role, double share);
/* A block as high as this share of its cell, in eighths, at least one. */
uint32_t grid_rise(double share);
/*
 * A line of blocks, one column a value, the newest at the right edge, each as high as its share of
 * `max`. NaN is a gap. With more values than columns, a column shows the largest of its values.
 */
void grid_spark(struct grid *g, int x, int y, int width, enum role role, const float *values,
		size_t n, double max);
void grid_select_row(struct grid *g, int y);		/* mark a whole row as selected */
bool grid_is_selected(const struct grid *g, int x, int y);
void grid_role(struct grid *g, int x, int y, int width, enum role role);	/* recolour */

enum role role_heat(double share);			/* ROLE_HEAT0..4 for 0..1 */
/* The same colours for a share of the processor's time: 0..1, 5, 15, 40 % and more. */
enum role role_load(double share);

#endif
