#include "tui/part/board.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

enum {
	COLUMN_LEAST = 56,		/* narrower ones are not set side by side */
	COLUMNS_MOST = 3,
	GAP = 3,
	GRAPH_LEAST = 8,		/* a narrower bar tells nothing */
};

static const struct { enum role role; uint32_t glyph; } part_looks[BOARD_PARTS] = {
	{ ROLE_HEAT4, 0x2593 }, { ROLE_HEAT1, 0x2588 }, { ROLE_HEAT2, 0x2592 },
	{ ROLE_HEAT0, 0x2588 }, { ROLE_HEAT3, 0x2584 }, { ROLE_DIM, 0x2591 },
};

enum role board_part_role(size_t i)
{
	return part_looks[i % BOARD_PARTS].role;
}

uint32_t board_part_glyph(size_t i)
{
	return part_looks[i % BOARD_PARTS].glyph;
}

void board_clear(struct board *b)
{
	b->count = 0;
}

struct board_line *board_add(struct board *b, enum board_kind kind, const char *label,
			     enum role role, const char *fmt, ...)
{
	struct board_line *l = &b->lines[b->count < BOARD_LINES - 1 ? b->count++ : BOARD_LINES - 1];
	va_list ap;

	l->kind = kind;
	l->role = role;
	l->share = NAN;
	l->count = 0;
	snprintf(l->label, sizeof(l->label), "%s", label);
	va_start(ap, fmt);
	vsnprintf(l->text, sizeof(l->text), fmt, ap);
	va_end(ap);
	return l;
}

void board_heading(struct board *b, const char *text)
{
	board_add(b, BOARD_HEADING, "", ROLE_TITLE, "%s", text);
}

/* --- sentences -------------------------------------------------------------------------------- */

/* Bytes of text for one line of `width` columns, broken at a blank where there is one. */
static size_t line_bytes(const char *text, int width)
{
	size_t n = strlen(text), at = 0, blank = 0, step;
	int columns = 0;
	uint32_t cp;

	while (at < n && (step = text_utf8(text + at, n - at, &cp))) {
		columns += text_width(cp);
		if (columns > width)
			return blank ? blank : at ? at : step;
		if (cp == ' ')
			blank = at;
		at += step;
	}
	return n;
}

int board_words(struct grid *g, int x, int y, int width, enum role role, const char *text)
{
	int lines = 0;

	for (; *text && width > 0; lines++) {
		size_t n = line_bytes(text, width);

		if (g)
			grid_textf(g, x, y + lines, width, role, "%.*s", (int)n, text);
		text += n;
		text += *text == ' ';
	}
	return lines ? lines : 1;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Where a line's words begin. */
static int words_at(const struct board_line *l)
{
	return l->kind == BOARD_NOTE ? 1 : BOARD_LABEL + 2;
}

static int height_of(const struct board_line *l, int width)
{
	if (l->kind != BOARD_NOTE && l->kind != BOARD_FACT)
		return 1;
	width -= words_at(l);
	return board_words(NULL, 0, 0, width, l->role, l->text);
}

static void draw_parts(struct grid *g, int x, int y, int width, const struct board_line *l)
{
	double sum = 0;
	int at = 0;

	for (size_t i = 0; i < l->count; i++) {
		int end;

		sum += l->parts[i] > 0 ? l->parts[i] : 0;
		end = (int)lround(fmin(sum, 1) * width);
		grid_fill(g, x + at, y, end - at, board_part_role(i), board_part_glyph(i));
		at = end > at ? end : at;
	}
}

/* Behind the words, what is left of the line. */
static void draw_graph(struct grid *g, int x, int y, const struct board_line *l)
{
	int width = g->width - x;

	if (width < GRAPH_LEAST)
		return;
	if (l->kind == BOARD_BAR && !isnan(l->share))
		grid_bar(g, x, y, width < 40 ? width : 40, role_heat(l->share), l->share);
	else if (l->kind == BOARD_SPARK)
		grid_spark(g, x, y, width, ROLE_BAR, l->points, l->count, l->max);
}

static void draw_fact(struct grid *g, int y, const struct board_line *l)
{
	int x = words_at(l), words = g->width > 70 ? 30 : 22;

	grid_text(g, 1, y, BOARD_LABEL, ROLE_LABEL, l->label);
	if (l->kind == BOARD_FACT) {
		board_words(g, x, y, g->width - x, l->role, l->text);
		return;
	}
	grid_text(g, x, y, words, l->role, l->text);
	draw_graph(g, x + words + 1, y, l);
}

static void draw_part(struct grid *g, int y, const struct board_line *l)
{
	grid_fill(g, 1, y, 2, board_part_role(l->count), board_part_glyph(l->count));
	grid_text(g, 4, y, BOARD_LABEL + 1, ROLE_LABEL, l->label);
	grid_text(g, 4 + BOARD_LABEL + 1, y, -1, l->role, l->text);
}

static void draw_board_line(struct grid *g, int y, const struct board_line *l)
{
	switch (l->kind) {
	case BOARD_HEADING:
		grid_fill(g, 0, y, -1, ROLE_TITLE, ' ');
		grid_text(g, 1, y, -1, ROLE_TITLE, l->text);
		break;
	case BOARD_NOTE:
		board_words(g, words_at(l), y, g->width - words_at(l), l->role, l->text);
		break;
	case BOARD_STACK:
		draw_parts(g, 1, y, g->width - 2, l);
		break;
	case BOARD_PART:
		draw_part(g, y, l);
		break;
	default:
		draw_fact(g, y, l);
	}
}

/* --- columns ---------------------------------------------------------------------------------- */

static size_t section_end(const struct board *b, size_t from)
{
	size_t to = from + 1;

	while (to < b->count && b->lines[to].kind != BOARD_HEADING)
		to++;
	return to;
}

static int section_height(const struct board *b, size_t from, size_t to, int width)
{
	int height = 1;			/* the blank line behind it */

	for (size_t i = from; i < to; i++)
		height += height_of(&b->lines[i], width);
	return height;
}

static int columns_for(int width)
{
	int n = (width + GAP) / (COLUMN_LEAST + GAP);

	return n < 1 ? 1 : n > COLUMNS_MOST ? COLUMNS_MOST : n;
}

static void draw_section(const struct board *b, struct grid *column, size_t from, size_t to, int y)
{
	for (size_t i = from; i < to; i++) {
		int height = height_of(&b->lines[i], column->width);

		/* A sentence of which some lines are above the edge is drawn clipped. */
		if (y + height > 0 && y < column->height)
			draw_board_line(column, y, &b->lines[i]);
		y += height;
	}
}

struct board_layout {
	int columns, width;		/* of each */
	int used[COLUMNS_MOST];		/* lines */
};

static struct board_layout layout_begin(int width)
{
	struct board_layout l = { .columns = columns_for(width) };

	l.width = (width - (l.columns - 1) * GAP) / l.columns;
	return l;
}

/* Which column the section goes to: the shortest; *y is the line where. */
static int layout_place(struct board_layout *l, const struct board *b, size_t from, size_t to,
			int *y)
{
	int c = 0;

	for (int i = 1; i < l->columns; i++)
		c = l->used[i] < l->used[c] ? i : c;
	*y = l->used[c];
	l->used[c] += section_height(b, from, to, l->width);
	return c;
}

int board_height(const struct board *b, int width)
{
	struct board_layout l = layout_begin(width);
	int height = 0, y;

	for (size_t from = 0, to; from < b->count; from = to) {
		int c = layout_place(&l, b, from, to = section_end(b, from), &y);

		height = l.used[c] - 1 > height ? l.used[c] - 1 : height;
	}
	return height;
}

void board_draw(const struct board *b, struct grid *g, size_t top)
{
	struct board_layout l = layout_begin(g->width);
	int y;

	for (size_t from = 0, to; from < b->count; from = to) {
		int c = layout_place(&l, b, from, to = section_end(b, from), &y);
		struct grid column = grid_sub(g, c * (l.width + GAP), 0, l.width, g->height);

		draw_section(b, &column, from, to, y - (int)top);
	}
}

void board_text(const struct board *b, struct buf *out)
{
	for (size_t i = 0; i < b->count; i++) {
		const struct board_line *l = &b->lines[i];

		if (l->kind == BOARD_STACK)
			continue;
		if (l->kind == BOARD_HEADING && i)
			buf_addc(out, '\n');
		buf_addf(out, "%s%s%s\n", l->label, *l->label ? ": " : "", l->text);
	}
}
