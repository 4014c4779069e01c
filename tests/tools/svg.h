/*
 * svg: a terminal's screen as a picture, for the README: what libvterm holds, nothing drawn by
 * hand.
 *
 * What stands together in one look is a text of its own at its place in the grid, its length forced
 * to it: the columns stay, whatever monospaced font the reader has, and where spaces are folded or
 * textLength is not known.
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

/* Spaces as no-break ones: plain ones are folded by some readers. */
static void svg_char(FILE *f, uint32_t cp)
{
	if (!cp || cp == ' ')
		cp = 0xa0;
	if (cp == '<' || cp == '>' || cp == '&' || cp > 126)
		fprintf(f, "&#%u;", (unsigned)cp);
	else
		fputc((int)cp, f);
}

static bool svg_blank(VTermScreen *screen, int x, int y, int n)
{
	for (int i = 0; i < n; i++) {
		VTermScreenCell c;

		vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x + i }, &c);
		if (c.chars[0] && c.chars[0] != ' ')
			return false;
	}
	return true;
}

/* Cells up to the end of the run or to two blank ones. */
static int svg_words(VTermScreen *screen, int x, int y, int end)
{
	int n = 0;

	while (x + n < end && !svg_blank(screen, x + n, y, x + n + 1 < end ? 2 : 1))
		n++;
	return n;
}

static void svg_text(FILE *f, VTermScreen *screen, int x, int y, int n, struct svg_look l)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s>",
		SVG_MARGIN + x * SVG_CELL_W, SVG_MARGIN + y * SVG_CELL_H + 13, n * SVG_CELL_W, l.fg,
		l.bold ? " font-weight=\"bold\"" : "");
	for (int i = 0; i < n; i++) {
		VTermScreenCell c;

		vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x + i }, &c);
		if (c.chars[0] != (uint32_t)-1)
			svg_char(f, c.chars[0]);
	}
	fprintf(f, "</text>\n");
}

static void svg_run(FILE *f, VTermScreen *screen, int x, int y, int n, struct svg_look l)
{
	int px = SVG_MARGIN + x * SVG_CELL_W, py = SVG_MARGIN + y * SVG_CELL_H;

	if (l.bg != 0x16181c)
		fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
			px, py, n * SVG_CELL_W, SVG_CELL_H, l.bg);
	for (int at = x; at < x + n; at++) {
		int words = svg_blank(screen, at, y, 1) ? 0 : svg_words(screen, at, y, x + n);

		if (words)
			svg_text(f, screen, at, y, words, l);
		at += words;
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
		"font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" "
		"fill=\"#16181c\"/>\n",
		2 * SVG_MARGIN + cols * SVG_CELL_W, 2 * SVG_MARGIN + rows * SVG_CELL_H);
	for (int y = 0; y < rows; y++)
		svg_row(f, screen, cols, y);
	fprintf(f, "</svg>\n");
}

#endif
