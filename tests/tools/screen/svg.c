#include "tests/tools/screen/svg.h"

struct look {
	unsigned fg, bg;		/* 0xrrggbb */
	bool bold;
};

static unsigned color_rgb(VTermScreen *screen, VTermColor c, unsigned when_default, bool is_default)
{
	if (is_default)
		return when_default;
	vterm_screen_convert_color_to_rgb(screen, &c);
	return (unsigned)c.rgb.red << 16 | (unsigned)c.rgb.green << 8 | c.rgb.blue;
}

static struct look look_of(VTermScreen *screen, const VTermScreenCell *c)
{
	struct look l = {
		.fg = color_rgb(screen, c->fg, SVG_INK, VTERM_COLOR_IS_DEFAULT_FG(&c->fg)),
		.bg = color_rgb(screen, c->bg, SVG_GROUND, VTERM_COLOR_IS_DEFAULT_BG(&c->bg)),
		.bold = c->attrs.bold,
	};

	if (c->attrs.reverse) {
		unsigned swap = l.fg;

		l.fg = l.bg;
		l.bg = swap;
	}
	return l;
}

static uint32_t cell_char(VTermScreen *screen, int x, int y)
{
	VTermScreenCell c;

	vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x }, &c);
	return c.chars[0] ? c.chars[0] : ' ';
}

static bool char_is_block(uint32_t cp)
{
	return cp >= 0x2580 && cp <= 0x2593;
}

void svg_char_add(struct buf *b, uint32_t cp)
{
	if (cp == '<' || cp == '>' || cp == '&' || cp > 126)
		buf_addf(b, "&#%u;", (unsigned)cp);
	else
		buf_addc(b, (char)cp);
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* n cells of the same block: a part of each from the left, or from below, or a shade. */
static void blocks_paint(struct svg_painter *to, int x, int y, int n, uint32_t cp, unsigned color)
{
	struct svg_piece p = {
		.layer = SVG_BLOCKS, .color = color, .opacity = 1, .height = SVG_CELL_H,
		.x = SVG_MARGIN + x * SVG_CELL_W, .y = SVG_MARGIN + y * SVG_CELL_H,
		.width = n * SVG_CELL_W,
	};

	if (cp >= 0x2591) {
		p.opacity = (cp - 0x2590) / 4.;
	} else if (cp == 0x2580) {
		p.height = SVG_CELL_H / 2.;
	} else if (cp <= 0x2588) {
		p.height = (cp - 0x2580) * SVG_CELL_H / 8.;
		p.y += SVG_CELL_H - p.height;
	} else {
		p.width = cp == 0x2590 ? SVG_CELL_W / 2. : (0x2590 - cp) * SVG_CELL_W / 8.;
		p.x += cp == 0x2590 ? SVG_CELL_W / 2. : 0;
		for (; n > 1; n--, p.x += SVG_CELL_W)
			to->paint(to, &p);
	}
	to->paint(to, &p);
}

/* Cells from x on that are one word, or the same block; 1 for a blank. */
static int word_cells(VTermScreen *screen, int x, int y, int end)
{
	uint32_t first = cell_char(screen, x, y), cp;
	int n = 1;

	for (; x + n < end && first != ' '; n++) {
		cp = cell_char(screen, x + n, y);
		if (char_is_block(first) ? cp != first : cp == ' ' || char_is_block(cp))
			break;
	}
	return n;
}

static void word_paint(struct svg_painter *to, VTermScreen *screen, int x, int y, int n,
		       struct look l)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < n; i++)
		if (cell_char(screen, x + i, y) != (uint32_t)-1)
			svg_char_add(&text, cell_char(screen, x + i, y));
	to->paint(to, &(struct svg_piece){
		.layer = SVG_WORDS, .color = l.fg, .bold = l.bold, .width = n * SVG_CELL_W,
		.x = SVG_MARGIN + x * SVG_CELL_W, .y = SVG_MARGIN + y * SVG_CELL_H + 13,
		.text = buf_str(&text),
	});
	buf_release(&text);
}

/* Cells that look alike. */
static void run_paint(struct svg_painter *to, VTermScreen *screen, int x, int y, int n,
		      struct look l)
{
	if (l.bg != SVG_GROUND)
		to->paint(to, &(struct svg_piece){
			.layer = SVG_GROUNDS, .color = l.bg, .opacity = 1,
			.x = SVG_MARGIN + x * SVG_CELL_W, .y = SVG_MARGIN + y * SVG_CELL_H,
			.width = n * SVG_CELL_W, .height = SVG_CELL_H,
		});
	for (int at = x, cells; at < x + n; at += cells) {
		uint32_t cp = cell_char(screen, at, y);

		cells = word_cells(screen, at, y, x + n);
		if (char_is_block(cp))
			blocks_paint(to, at, y, cells, cp, l.fg);
		else if (cp != ' ')
			word_paint(to, screen, at, y, cells, l);
	}
}

static void row_paint(struct svg_painter *to, VTermScreen *screen, int cols, int y)
{
	struct look run = { 0 };
	int start = 0;

	for (int x = 0; x <= cols; x++) {
		struct look l = { 0 };
		VTermScreenCell c;
		bool same;

		if (x < cols) {
			vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x }, &c);
			l = look_of(screen, &c);
		}
		same = x < cols && l.fg == run.fg && l.bg == run.bg && l.bold == run.bold;
		if (x > start && !same) {
			run_paint(to, screen, start, y, x - start, run);
			start = x;
		}
		run = x == start ? l : run;
	}
}

void svg_paint(VTermScreen *screen, int cols, int rows, struct svg_painter *painter)
{
	for (int y = 0; y < rows; y++)
		row_paint(painter, screen, cols, y);
}

/* --- the file --------------------------------------------------------------------------------- */

void svg_piece_write(FILE *f, const struct svg_piece *p, bool colored)
{
	bool word = p->layer == SVG_WORDS;

	fprintf(f, "<%s x=\"%g\" y=\"%g\" %s=\"%g\"", word ? "text" : "rect", p->x, p->y,
		word ? "textLength" : "width", p->width);
	if (!word)
		fprintf(f, " height=\"%g\"", p->height);
	if (colored)
		fprintf(f, " fill=\"#%06x\"%s", p->color, p->bold ? " font-weight=\"bold\"" : "");
	if (!word && p->opacity < 1)
		fprintf(f, " fill-opacity=\"%g\"", p->opacity);
	if (word)
		fprintf(f, ">%s</text>\n", p->text);
	else
		fprintf(f, "/>\n");
}

void svg_begin(FILE *f, int cols, int rows, int below)
{
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" "
		"font-size=\"13.3\">\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" "
		"fill=\"#%06x\"/>\n",
		2 * SVG_MARGIN + cols * SVG_CELL_W, 2 * SVG_MARGIN + rows * SVG_CELL_H + below,
		SVG_GROUND);
}

struct file_painter {
	struct svg_painter painter;
	FILE *f;
};

static void piece_to_file(struct svg_painter *painter, const struct svg_piece *p)
{
	svg_piece_write(((struct file_painter *)painter)->f, p, true);
}

void svg_write(FILE *f, VTermScreen *screen, int cols, int rows)
{
	struct file_painter to = { { piece_to_file }, f };

	svg_begin(f, cols, rows, 0);
	svg_paint(screen, cols, rows, &to.painter);
	fprintf(f, "</svg>\n");
}
