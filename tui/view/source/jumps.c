/*
 * jumps: arrows from jumps to where they go, in lanes beside the instructions.
 *
 *	 ╭──  1594:  breq .+8		the shortest next to the code
 *	╭┼──  1596:  rjmp .-20
 *	│╰─▸  159e:  ld r22, Y
 *
 * An arrow whose other end is not in sight goes to the edge. Those of the instruction under the
 * cursor, out of it or into it, are bright and always there; the others where there is a lane.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/view/source/view.h"

enum { LANES = 6, LINES = 256, JUMPS = 256 };
enum { SIDE_UP = 1, SIDE_DOWN = 2, SIDE_LEFT = 4, SIDE_RIGHT = 8 };

struct jump {
	size_t length;			/* rows */
	int from, to;			/* lines of the page; beyond it: -1, or its height */
	bool bright;
};

struct jump_page {
	int lanes, height;
	size_t count;
	struct jump jumps[JUMPS];
	/* Sides of each cell, lane 0 at the right; the last is the way to the text. */
	uint8_t sides[LINES][LANES + 1], bright[LINES][LANES + 1];
	bool target[LINES];
};

int source_jumps_lanes(const struct source_view *v, int width)
{
	int most = width < 100 ? 1 : width < 160 ? 3 : LANES;

	if (!source_listed(v) || !v->code)
		return 0;
	return v->jumps < (size_t)most ? (int)v->jumps : most;
}

/* --- which ------------------------------------------------------------------------------------ */

static int page_line(const struct jump_page *p, size_t row, size_t top)
{
	return row < top ? -1 : row - top >= (size_t)p->height ? p->height : (int)(row - top);
}

static bool in_sight(const struct jump_page *p, int line)
{
	return line >= 0 && line < p->height;
}

static int by_length(const void *a, const void *b)
{
	const struct jump *x = a, *y = b;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->from != y->from ? x->from - y->from : x->to - y->to;
}

static void jumps_gather(struct jump_page *p, const struct source_view *v, size_t top)
{
	const struct listing *l = source_listing(v);

	for (size_t i = 0; i < l->count; i++) {
		size_t to = listing_jump(l, i), from_row, to_row;
		struct jump j;

		if (to == SIZE_MAX)
			continue;
		from_row = v->code[i].row;
		to_row = v->code[to].row;
		j.from = page_line(p, from_row, top);
		j.to = page_line(p, to_row, top);
		j.bright = from_row == v->list.cursor || to_row == v->list.cursor;
		j.length = from_row < to_row ? to_row - from_row : from_row - to_row;
		if ((!in_sight(p, j.from) && !in_sight(p, j.to)) || (p->lanes == 1 && !j.bright))
			continue;
		if (p->count < JUMPS)
			p->jumps[p->count++] = j;
		else if (j.bright)
			p->jumps[0] = j;
	}
	if (p->count)
		qsort(p->jumps, p->count, sizeof(p->jumps[0]), by_length);
}

/* --- lanes ------------------------------------------------------------------------------------ */

static bool lane_is_free(const struct jump_page *p, int lane, int low, int high)
{
	for (int y = low; y <= high; y++) {
		if (p->sides[y][lane] & (SIDE_UP | SIDE_DOWN))
			return false;
	}
	return true;
}

static void cell_join(struct jump_page *p, int y, int lane, int sides, bool bright)
{
	p->sides[y][lane] |= (uint8_t)sides;
	p->bright[y][lane] |= bright;
}

/* From the lane to the text. */
static void end_put(struct jump_page *p, int y, int lane, bool bright)
{
	cell_join(p, y, lane, SIDE_RIGHT, bright);
	for (int i = 0; i < lane; i++)
		cell_join(p, y, i, SIDE_LEFT | SIDE_RIGHT, bright);
	cell_join(p, y, LANES, SIDE_LEFT | SIDE_RIGHT, bright);
}

static void jump_put(struct jump_page *p, const struct jump *j)
{
	int low = j->from < j->to ? j->from : j->to, high = j->from < j->to ? j->to : j->from;
	int first = low < 0 ? 0 : low, last = high < p->height ? high : p->height - 1, lane = 0;

	while (lane < p->lanes && !lane_is_free(p, lane, first, last))
		lane++;
	if (lane == p->lanes && !j->bright)
		return;
	lane -= lane == p->lanes;
	for (int y = first; y <= last; y++)
		cell_join(p, y, lane, (y > low ? SIDE_UP : 0) | (y < high ? SIDE_DOWN : 0),
			  j->bright);
	if (in_sight(p, j->from))
		end_put(p, j->from, lane, j->bright);
	if (in_sight(p, j->to)) {
		end_put(p, j->to, lane, j->bright);
		p->target[j->to] = true;
	}
}

/* --- drawing ---------------------------------------------------------------------------------- */

static uint32_t sides_glyph(bool utf8, int sides)
{
	static const uint32_t glyphs[16] = {
		' ', 0x2502, 0x2502, 0x2502,	/* none, up, down, both */
		0x2500, 0x256f, 0x256e, 0x2524,	/* with left */
		0x2500, 0x2570, 0x256d, 0x251c,	/* with right */
		0x2500, 0x2534, 0x252c, 0x253c,
	};
	bool upright = sides & (SIDE_UP | SIDE_DOWN), flat = sides & (SIDE_LEFT | SIDE_RIGHT);

	if (utf8)
		return glyphs[sides];
	return upright && flat ? '+' : upright ? '|' : flat ? '-' : ' ';
}

static enum role arrow_role(bool bright)
{
	return bright ? ROLE_VALUE : ROLE_DIM;
}

void source_jumps_draw(const struct source_view *v, struct grid *g, struct table_span at, int text,
		       int top, int height)
{
	struct jump_page p = { .lanes = at.width < LANES ? at.width : LANES,
			       .height = height < LINES ? height : LINES };

	if (p.lanes <= 0 || p.height <= 0 || !source_listed(v) || !v->code)
		return;
	jumps_gather(&p, v, v->list.top);
	for (size_t i = 0; i < p.count; i++)
		jump_put(&p, &p.jumps[i]);
	for (int y = 0; y < p.height; y++) {
		int from = at.x + at.width;

		for (int lane = 0; lane < p.lanes; lane++) {
			if (p.sides[y][lane])
				grid_fill(g, from - 1 - lane, top + y, 1,
					  arrow_role(p.bright[y][lane]),
					  sides_glyph(g->utf8, p.sides[y][lane]));
		}
		if (p.sides[y][LANES])
			grid_fill(g, from, top + y, text - from, arrow_role(p.bright[y][LANES]),
				  sides_glyph(g->utf8, p.sides[y][LANES]));
		if (p.target[y] && text > from)
			grid_fill(g, text - 1, top + y, 1, arrow_role(p.bright[y][LANES]),
				  g->utf8 ? 0x25b8 : '>');
	}
}
