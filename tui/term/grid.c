#include "tui/term/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/*
 * The stand-ins where only ASCII may be drawn. Other letters become '?', so that a name in another
 * script keeps its width.
 */
static const struct { uint32_t ch; char ascii; } stand_ins[] = {
	{ 0x2500, '-' }, { 0x2502, '|' },				/* lines */
	{ 0x250c, '+' }, { 0x2510, '+' }, { 0x2514, '`' }, { 0x2518, '+' },
	{ 0x251c, '|' }, { 0x2524, '|' }, { 0x252c, '+' }, { 0x2534, '+' }, { 0x253c, '+' },
	{ 0x256d, '+' }, { 0x256e, '+' }, { 0x256f, '+' }, { 0x2570, '+' },
	{ 0x2501, '=' }, { 0x2503, '|' }, { 0x2574, '-' }, { 0x2576, '-' },
	{ 0x2581, '_' }, { 0x2582, '.' }, { 0x2583, '-' }, { 0x2584, '=' },	/* rising */
	{ 0x2585, '+' }, { 0x2586, '*' }, { 0x2587, '%' }, { 0x2588, '#' },
	{ 0x2589, '#' }, { 0x258a, '#' }, { 0x258b, '#' },	/* blocks */
	{ 0x258c, '#' }, { 0x258d, ' ' }, { 0x258e, ' ' }, { 0x258f, ' ' }, { 0x2590, '#' },
	{ 0x2591, '.' }, { 0x2592, ':' }, { 0x2593, '%' },
	{ 0x25b2, '^' }, { 0x25b4, '^' }, { 0x25bc, 'v' }, { 0x25be, 'v' },	/* arrows */
	{ 0x25b6, '>' }, { 0x25b8, '>' }, { 0x25c0, '<' }, { 0x25c2, '<' },
	{ 0x2190, '<' }, { 0x2191, '^' }, { 0x2192, '>' }, { 0x2193, 'v' }, { 0x21bb, '@' },
	{ 0x2022, '*' }, { 0x25cf, '*' }, { 0x25cb, 'o' }, { 0x00b7, '.' },
	{ 0x2026, '~' }, { 0x2013, '-' }, { 0x2014, '-' }, { 0x2265, '>' }, { 0x2264, '<' },
	{ 0x00d7, 'x' }, { 0x00b5, 'u' }, { 0x03bc, 'u' }, { 0x2713, '+' }, { 0x2717, '!' },
	{ 0x0394, 'd' }, { 0x25c6, '*' },
};

static uint32_t stand_in(uint32_t ch)
{
	for (size_t i = 0; i < sizeof(stand_ins) / sizeof(stand_ins[0]); i++)
		if (stand_ins[i].ch == ch)
			return (unsigned char)stand_ins[i].ascii;
	return '?';
}

struct grid grid_sub(const struct grid *g, int x, int y, int width, int height)
{
	struct grid sub = *g;

	if (x < 0) {
		width += x;
		x = 0;
	}
	if (y < 0) {
		height += y;
		y = 0;
	}
	if (width > g->width - x)
		width = g->width - x;
	if (height > g->height - y)
		height = g->height - y;
	sub.x += x;
	sub.y += y;
	sub.width = width > 0 ? width : 0;
	sub.height = height > 0 ? height : 0;
	return sub;
}

static struct cell *cell_at(struct grid *g, int x, int y)
{
	if (x < 0 || y < 0 || x >= g->width || y >= g->height)
		return NULL;
	return &g->cells[(size_t)(g->y + y) * (size_t)g->stride + (size_t)(g->x + x)];
}

void grid_clear(struct grid *g)
{
	for (int y = 0; y < g->height; y++) {
		struct cell *row = &g->cells[(size_t)(g->y + y) * (size_t)g->stride + (size_t)g->x];

		for (int x = 0; x < g->width; x++)
			row[x] = (struct cell){ .ch = { ' ' } };
	}
}

/* A wide character of which one half is about to be overwritten leaves a space in the other. */
static void wide_split(struct grid *g, int x, int y)
{
	struct cell *c = cell_at(g, x, y);
	struct cell *left = cell_at(g, x - 1, y), *right = cell_at(g, x + 1, y);

	if (c->ch[0] == 0 && left)
		left->ch[0] = ' ';
	if (c->ch[0] != 0 && right && right->ch[0] == 0)
		right->ch[0] = ' ';
}

static void cell_put(struct grid *g, int x, int y, enum role role, uint32_t ch)
{
	struct cell *c = cell_at(g, x, y);

	if (!c)
		return;
	wide_split(g, x, y);
	c->ch[0] = ch;
	c->ch[1] = c->ch[2] = 0;
	c->role = (uint8_t)role;
}

static void cell_put_wide(struct grid *g, int x, int y, enum role role, uint32_t ch)
{
	bool whole = cell_at(g, x, y) && cell_at(g, x + 1, y);

	cell_put(g, x, y, role, whole ? ch : ' ');
	cell_put(g, x + 1, y, role, ' ');
	if (whole)
		cell_at(g, x + 1, y)->ch[0] = 0;
}

/* A combining character joins the one before it; a third one is dropped. */
static void cell_put_combining(struct grid *g, int x, int y, uint32_t ch)
{
	struct cell *c = cell_at(g, x - 1, y);

	if (c && c->ch[0] == 0)
		c = cell_at(g, x - 2, y);
	if (!c || !g->utf8)
		return;
	if (!c->ch[1])
		c->ch[1] = ch;
	else if (!c->ch[2])
		c->ch[2] = ch;
}

static void cell_put_any(struct grid *g, int x, int y, enum role role, uint32_t ch, int columns)
{
	if (!g->utf8 && ch > 0x7e) {
		for (int i = 0; i < columns; i++)
			cell_put(g, x + i, y, role, stand_in(ch));
	} else if (columns == 2) {
		cell_put_wide(g, x, y, role, ch);
	} else {
		cell_put(g, x, y, role, ch);
	}
}

/* Visible text, known to be UTF-8: as much as fits in `width` columns; columns used. */
static int text_put(struct grid *g, int x, int y, int width, enum role role, const char *s)
{
	size_t n = strlen(s), step;
	int used = 0;
	uint32_t cp;

	for (; (step = text_utf8(s, n, &cp)) != 0 && n; s += step, n -= step) {
		int columns = text_width(cp);

		if (used + columns > width)
			break;
		if (columns == 0 && used)
			cell_put_combining(g, x + used, y, cp);
		else if (columns)
			cell_put_any(g, x + used, y, role, cp, columns);
		used += columns;
	}
	return used;
}

/* The longest text of one call: 500 columns of the longest characters. */
enum { VISIBLE = 2048 };

/* As it is drawn. One sign takes two columns where there is only ASCII: plus over minus. */
static void text_prepare(const struct grid *g, char visible[VISIBLE], const char *s)
{
	static const char sign[] = "\u00b1";
	char *at = visible;

	text_visible(visible, VISIBLE, s, strnlen(s, VISIBLE));
	while (!g->utf8 && (at = strstr(at, sign)))
		memcpy(at, "+-", strlen(sign));
}

int grid_text(struct grid *g, int x, int y, int width, enum role role, const char *s)
{
	char visible[VISIBLE];
	int used;

	if (width < 0 || width > g->width - x)
		width = g->width - x;
	if (width <= 0 || y < 0 || y >= g->height)
		return 0;
	text_prepare(g, visible, s);
	if (text_columns(visible) <= width)
		return text_put(g, x, y, width, role, visible);
	used = text_put(g, x, y, width - 1, role, visible);
	cell_put_any(g, x + used, y, role, 0x2026, 1);
	return used + 1;
}

int grid_textf(struct grid *g, int x, int y, int width, enum role role, const char *fmt, ...)
{
	char text[VISIBLE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return grid_text(g, x, y, width, role, text);
}

void grid_right(struct grid *g, int x, int y, int width, enum role role, const char *s)
{
	char visible[VISIBLE];
	int columns;

	text_prepare(g, visible, s);
	columns = text_columns(visible);
	if (columns < width) {
		x += width - columns;
		width = columns;
	}
	if (width > 0)
		grid_text(g, x, y, width, role, s);
}

void grid_fill(struct grid *g, int x, int y, int width, enum role role, uint32_t ch)
{
	if (width < 0 || width > g->width - x)
		width = g->width - x;
	for (int i = 0; i < width; i++)
		cell_put_any(g, x + i, y, role, ch, 1);
}

static void bar_ascii(struct grid *g, int x, int y, int width, enum role role, double share)
{
	int full = (int)lround(share * width);

	for (int i = 0; i < width; i++)
		cell_put(g, x + i, y, role, i < full ? '#' : ' ');
}

void grid_bar(struct grid *g, int x, int y, int width, enum role role, double share)
{
	int eighths;

	if (width <= 0)
		return;
	if (!(share > 0))
		share = 0;
	else if (share > 1)
		share = 1;
	if (!g->utf8) {
		bar_ascii(g, x, y, width, role, share);
		return;
	}
	eighths = (int)lround(share * width * 8);
	if (share > 0 && eighths == 0)
		eighths = 1;
	for (int i = 0; i < width; i++, eighths -= 8)
		cell_put(g, x + i, y, role,
		    eighths >= 8 ? 0x2588 : eighths > 0 ? 0x2590u - (unsigned)eighths : ' ');
}

void grid_box(struct grid *g, int x, int y, int width, int height, enum role role,
	      const char *title)
{
	struct grid box = grid_sub(g, x, y, width, height);
	struct grid around = grid_sub(g, x - 1, y, width + 2, height);
	int right = box.width - 1, bottom = box.height - 1;

	grid_clear(&around);		/* what is below does not touch the border */
	for (int row = 0; row <= bottom; row++) {
		grid_fill(&box, 0, row, -1, role, row == 0 || row == bottom ? 0x2500 : ' ');
		grid_fill(&box, 0, row, 1, role, 0x2502);
		grid_fill(&box, right, row, 1, role, 0x2502);
	}
	grid_fill(&box, 0, 0, 1, role, 0x250c);
	grid_fill(&box, right, 0, 1, role, 0x2510);
	grid_fill(&box, 0, bottom, 1, role, 0x2514);
	grid_fill(&box, right, bottom, 1, role, 0x2518);
	grid_textf(&box, 2, 0, width - 4, role, " %s ", title);
}

/* The largest of values [from, to); NaN when none is known. */
static double largest_value(const float *values, size_t from, size_t to)
{
	double best = NAN;

	for (size_t i = from; i < to; i++)
		if (!isnan(values[i]) && !(values[i] <= best))
			best = values[i];
	return best;
}

uint32_t grid_rise(double share)
{
	int eighths = (int)ceil(8 * (share > 0 ? share : 0) - 1e-9);

	return 0x2580u + (uint32_t)(eighths < 1 ? 1 : eighths < 8 ? eighths : 8);
}

void grid_spark(struct grid *g, int x, int y, int width, enum role role, const float *values,
		size_t n, double max)
{
	size_t columns = width > 0 ? (size_t)width : 0, used = n < columns ? n : columns;

	for (size_t i = 0; i < used; i++) {
		double v = largest_value(values, i * n / used, (i + 1) * n / used);

		cell_put_any(g, x + (int)(columns - used + i), y, role,
			isnan(v) ? ' ' : grid_rise(max > 0 ? v / max : 0), 1);
	}
}

void grid_select_row(struct grid *g, int y)
{
	for (int x = 0; x < g->width; x++) {
		struct cell *c = cell_at(g, x, y);

		if (c)
			c->selected = true;
	}
}

bool grid_is_selected(const struct grid *g, int x, int y)
{
	return x >= 0 && y >= 0 && x < g->width && y < g->height &&
	       g->cells[(size_t)(g->y + y) * (size_t)g->stride + (size_t)(g->x + x)].selected;
}

void grid_role(struct grid *g, int x, int y, int width, enum role role)
{
	for (int i = 0; i < width; i++) {
		struct cell *c = cell_at(g, x + i, y);

		if (c)
			c->role = (uint8_t)role;
	}
}

enum role role_load(double share)
{
	static const double from[] = { 0.01, 0.05, 0.15, 0.40 };
	size_t i = 0;

	while (i < sizeof(from) / sizeof(from[0]) && share >= from[i])
		i++;
	return (enum role)(ROLE_HEAT0 + i);
}

enum role role_heat(double share)
{
	int step = !(share > 0) ? 0 : share >= 1 ? 4 : (int)(share * 5);

	return (enum role)(ROLE_HEAT0 + step);
}
