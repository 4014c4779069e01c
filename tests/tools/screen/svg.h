/*
 * svg: a terminal's screen as a picture, for the documents: what libvterm holds, nothing drawn by
 * hand.
 *
 * Each word is a text of its own at its place in the grid, its length forced to it; blocks are
 * rectangles. So the columns stand in any font, where spaces are folded and where textLength is not
 * known, and a bar has no gaps where the font lacks its glyphs.
 */
#ifndef WSNTOP_TESTS_SVG_H
#define WSNTOP_TESTS_SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <vterm.h>

#include "core/base/buf.h"

enum { SVG_CELL_W = 8, SVG_CELL_H = 17, SVG_MARGIN = 10 };
enum { SVG_INK = 0xd0d0d0, SVG_GROUND = 0x16181c };	/* the terminal's default colours */

/* In the order in which they are painted. */
enum svg_layer { SVG_GROUNDS, SVG_BLOCKS, SVG_WORDS };

struct svg_piece {
	enum svg_layer layer;
	unsigned color;			/* 0xrrggbb */
	bool bold;			/* a word */
	double x, y, width;		/* pixels; a word's y is its base line */
	double height, opacity;		/* a rectangle */
	const char *text;		/* a word, escaped for XML; borrowed, valid for the call */
};

struct svg_painter {
	void (*paint)(struct svg_painter *, const struct svg_piece *);
};

/* All that is on the screen, row by row. */
void svg_paint(VTermScreen *screen, int cols, int rows, struct svg_painter *painter);

void svg_char_add(struct buf *b, uint32_t cp);	/* escaped */

/* An element; its colour and weight can stand in the group around it instead. */
void svg_piece_write(FILE *f, const struct svg_piece *p, bool colored);

/* The whole picture's tag and ground; below the screen is room for `below` pixels more. */
void svg_begin(FILE *f, int cols, int rows, int below);

/* The whole screen into an open file. */
void svg_write(FILE *f, VTermScreen *screen, int cols, int rows);

#endif
