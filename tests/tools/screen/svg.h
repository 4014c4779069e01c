/*
 * svg: a terminal's screen as a picture, for the README: what libvterm holds, nothing drawn by
 * hand.
 *
 * Each word is a text of its own at its place in the grid, its length forced to it; blocks are
 * rectangles. So the columns stand in any font, where spaces are folded and where textLength is not
 * known, and a bar has no gaps where the font lacks its glyphs.
 */
#ifndef WSNTOP_TESTS_SVG_H
#define WSNTOP_TESTS_SVG_H

#include <stdbool.h>
#include <stdio.h>
#include <vterm.h>

enum { SVG_CELL_W = 8, SVG_CELL_H = 17, SVG_MARGIN = 10 };

struct svg_look {
	unsigned fg, bg;		/* 0xrrggbb */
	bool bold, dim;
};

static unsigned svg_color(VTermScreen *screen, VTermColor c, unsigned when_default, bool is_default)
{
	if (is_default)
		return when_default;
	vterm_screen_convert_color_to_rgb(screen, &c);
	return (unsigned)c.rgb.red << 16 | (unsigned)c.rgb.green << 8 | c.rgb.blue;
}

static struct svg_look svg_look_of(VTermScreen *screen, const VTermScreenCell *c)
{
	struct svg_look l = {
		.fg = svg_color(screen, c->fg, 0xd0d0d0, VTERM_COLOR_IS_DEFAULT_FG(&c->fg)),
		.bg = svg_color(screen, c->bg, 0x16181c, VTERM_COLOR_IS_DEFAULT_BG(&c->bg)),
		.bold = c->attrs.bold,
	};

	if (c->attrs.reverse) {
		unsigned swap = l.fg;

		l.fg = l.bg;
		l.bg = swap;
	}
	return l;
}

static uint32_t svg_cell(VTermScreen *screen, int x, int y)
{
	VTermScreenCell c;

	vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x }, &c);
	return c.chars[0] ? c.chars[0] : ' ';
}

static bool svg_is_block(uint32_t cp)
{
	return cp >= 0x2580 && cp <= 0x2593;
}

static void svg_char(FILE *f, uint32_t cp)
{
	if (cp == '<' || cp == '>' || cp == '&' || cp > 126)
		fprintf(f, "&#%u;", (unsigned)cp);
	else
		fputc((int)cp, f);
}

static void svg_rect(FILE *f, double x, double y, double width, double height, unsigned color,
		     double opacity)
{
	fprintf(f, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"", x, y,
		width, height, color);
	if (opacity < 1)
		fprintf(f, " fill-opacity=\"%g\"", opacity);
	fprintf(f, "/>\n");
}

/* n cells of the same block: a part of each from the left, or from below, or a shade. */
static void svg_blocks(FILE *f, int x, int y, int n, uint32_t cp, unsigned color)
{
	double left = SVG_MARGIN + x * SVG_CELL_W, top = SVG_MARGIN + y * SVG_CELL_H;
	double part, width = n * SVG_CELL_W;

	if (cp >= 0x2591) {
		svg_rect(f, left, top, width, SVG_CELL_H, color, (cp - 0x2590) / 4.);
	} else if (cp == 0x2580) {
		svg_rect(f, left, top, width, SVG_CELL_H / 2., color, 1);
	} else if (cp <= 0x2588) {
		part = (cp - 0x2580) * SVG_CELL_H / 8.;
		svg_rect(f, left, top + SVG_CELL_H - part, width, part, color, 1);
	} else {
		part = cp == 0x2590 ? .5 : (0x2590 - cp) / 8.;
		for (int i = 0; i < n; i++)
			svg_rect(f, left + (i + (cp == 0x2590 ? .5 : 0)) * SVG_CELL_W, top,
				 part * SVG_CELL_W, SVG_CELL_H, color, 1);
	}
}

/* Cells from x on that are one word, or the same block; 1 for a blank. */
static int svg_word(VTermScreen *screen, int x, int y, int end)
{
	uint32_t first = svg_cell(screen, x, y), cp;
	int n = 1;

	for (; x + n < end && first != ' '; n++) {
		cp = svg_cell(screen, x + n, y);
		if (svg_is_block(first) ? cp != first : cp == ' ' || svg_is_block(cp))
			break;
	}
	return n;
}

static void svg_text(FILE *f, VTermScreen *screen, int x, int y, int n, struct svg_look l)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s>",
		SVG_MARGIN + x * SVG_CELL_W, SVG_MARGIN + y * SVG_CELL_H + 13, n * SVG_CELL_W, l.fg,
		l.bold ? " font-weight=\"bold\"" : "");
	for (int i = 0; i < n; i++)
		if (svg_cell(screen, x + i, y) != (uint32_t)-1)
			svg_char(f, svg_cell(screen, x + i, y));
	fprintf(f, "</text>\n");
}

static void svg_run(FILE *f, VTermScreen *screen, int x, int y, int n, struct svg_look l)
{
	if (l.bg != 0x16181c)
		svg_rect(f, SVG_MARGIN + x * SVG_CELL_W, SVG_MARGIN + y * SVG_CELL_H,
			 n * SVG_CELL_W, SVG_CELL_H, l.bg, 1);
	for (int at = x, cells; at < x + n; at += cells) {
		uint32_t cp = svg_cell(screen, at, y);

		cells = svg_word(screen, at, y, x + n);
		if (svg_is_block(cp))
			svg_blocks(f, at, y, cells, cp, l.fg);
		else if (cp != ' ')
			svg_text(f, screen, at, y, cells, l);
	}
}

static void svg_row(FILE *f, VTermScreen *screen, int cols, int y)
{
	struct svg_look run = { 0 };
	int start = 0;

	for (int x = 0; x <= cols; x++) {
		struct svg_look l = { 0 };
		VTermScreenCell c;
		bool same;

		if (x < cols) {
			vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x }, &c);
			l = svg_look_of(screen, &c);
		}
		same = x < cols && l.fg == run.fg && l.bg == run.bg && l.bold == run.bold;
		if (x > start && !same) {
			svg_run(f, screen, start, y, x - start, run);
			start = x;
		}
		run = x == start ? l : run;
	}
}

/* The whole screen into an open file. */
static void svg_write(FILE *f, VTermScreen *screen, int cols, int rows)
{
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" "
		"font-size=\"13.3\">\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" "
		"fill=\"#16181c\"/>\n",
		2 * SVG_MARGIN + cols * SVG_CELL_W, 2 * SVG_MARGIN + rows * SVG_CELL_H);
	for (int y = 0; y < rows; y++)
		svg_row(f, screen, cols, y);
	fprintf(f, "</svg>\n");
}

#endif
