#include "tui/view/sites.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/parts.h"

enum { CELL_LINE, CELL_CALLS, CELL_TOTAL, CELL_PER_CALL, CELL_MIN, CELL_MAX, CELL_ADDRESS,
       CELL_COUNT };

static const struct { const char *title; struct table_column column; } cells[CELL_COUNT] = {
	[CELL_LINE] = { "", { 22, 48, 0 } },
	[CELL_CALLS] = { "CALLS", { 8, 8, 1 } },
	[CELL_TOTAL] = { "TOTAL", { 8, 8, 2 } },
	[CELL_PER_CALL] = { "PER CALL", { 8, 8, 4 } },
	[CELL_MIN] = { "MIN", { 9, 9, 6 } },
	[CELL_MAX] = { "MAX", { 9, 9, 5 } },
	[CELL_ADDRESS] = { "RETURN", { 10, 10, 3 } },
};

static bool dearer(const struct profile_site *a, const struct profile_site *b)
{
	return a->total != b->total ? a->total > b->total : a->calls > b->calls;
}

static void sites_put(struct sites *s, const struct profile *p, uint32_t site)
{
	size_t at = s->count;

	s->all++;
	while (at > 0 && dearer(&p->sites[site], &p->sites[s->top[at - 1]]))
		at--;
	if (at == SITES_MAX)
		return;
	if (s->count < SITES_MAX)
		s->count++;
	memmove(&s->top[at + 1], &s->top[at], (s->count - 1 - at) * sizeof(s->top[0]));
	s->top[at] = site;
}

void sites_find(struct sites *s, const struct profile *p, uint32_t edge)
{
	s->count = s->all = 0;
	if (edge >= p->edge_count)
		return;
	for (uint32_t i = p->edges[edge].first_site; i != PROFILE_NONE; i = p->sites[i].next)
		sites_put(s, p, i);
}

/* "main.c:12", and for code that was inlined there, from which function it is. */
static void draw_line(struct grid *g, struct table_span at, int y, const struct image *im,
		      const struct profile_site *s)
{
	uint32_t from = s->from;
	/* A return address: the call is the instruction before. */
	uint64_t call = (uint64_t)(from & ~1u) - 1;
	struct image_frame frames[4];
	struct image_line line;
	char text[256];
	int n;

	if (!at.width)
		return;
	if (s->flags & ROW_HANDLER) {
		grid_text(g, at.x, y, at.width, ROLE_DIM, "(called from no place)");
		return;
	}
	if (s->flags & PROFILE_NO_CALL) {	/* Thumb-1's clobbered LR, or another firmware */
		grid_text(g, at.x, y, at.width, ROLE_WARNING, "(no call stands there)");
		return;
	}
	if (!im || from < 2 || !image_line(im, call, &line) || !line.file) {
		grid_text(g, at.x, y, at.width, ROLE_DIM, im ? "(no source line)" : "(no image: -e)");
		return;
	}
	n = snprintf(text, sizeof(text), "%s:%u", line.file, line.line);
	if (n < (int)sizeof(text) && image_inlines(im, call, frames, 4) > 1)
		snprintf(text + n, sizeof(text) - (size_t)n, " in %s, inlined", frames[0].function);
	grid_text(g, at.x, y, at.width, ROLE_NAME, text);
}

static void draw_site(struct grid *g, const struct table_span *at, int y, const struct profile *p,
		      const struct image *im, const struct profile_site *s)
{
	bool known = s->timed && !(s->flags & ROW_TOTAL_NEGATIVE);
	double total = known ? profile_seconds(p, (double)s->total) : NAN;
	char address[16];

	part_count(g, at[CELL_CALLS], y, (double)s->calls);
	part_seconds(g, at[CELL_TOTAL], y, total);
	part_call_time(g, at[CELL_PER_CALL], y, p, s->calls ? total / (double)s->calls : NAN, false);
	if (profile_site_range(s)) {
		part_call_time(g, at[CELL_MIN], y, p, profile_seconds(p, (double)s->min),
			       s->flags & ROW_MIN_AT_LEAST);
		part_call_time(g, at[CELL_MAX], y, p, profile_seconds(p, (double)s->max),
			       s->flags & ROW_MAX_AT_LEAST);
	}
	snprintf(address, sizeof(address), "0x%05" PRIx32, s->from);
	part_cell(g, at[CELL_ADDRESS], y, ROLE_DIM, s->flags & ROW_HANDLER ? "" : address);
	draw_line(g, at[CELL_LINE], y, im, s);
}

static void lay_out(const struct profile_edge *e, int width, struct table_span *spans)
{
	struct table_column c[CELL_COUNT];

	for (size_t i = 0; i < CELL_COUNT; i++)
		c[i] = cells[i].column;
	if (!e->timed)
		c[CELL_TOTAL].width = c[CELL_PER_CALL].width = c[CELL_MIN].width = c[CELL_MAX].width = 0;
	table_layout(c, CELL_COUNT, width, spans);
}

static void draw_title(const struct sites *s, const struct profile *p, const struct profile_edge *e,
		       struct grid *g, int y, int width, bool more)
{
	if (e->flags & ROW_HANDLER)
		grid_text(g, 0, y, width, ROLE_TITLE, "an interrupt's handler");
	else
		grid_textf(g, 0, y, width, ROLE_TITLE, "%zu call site%s in %s%s", s->all,
			   s->all == 1 ? "" : "s",
			   e->from == PROFILE_NONE ? "no function" : p->functions[e->from].name,
			   more ? ", the dearest" : "");
}

void sites_draw(const struct sites *s, const struct profile *p, const struct image *im,
		struct grid *g, int y, uint32_t edge)
{
	struct table_span spans[CELL_COUNT];
	const struct profile_edge *e;
	int room = g->height - y - 1;

	if (edge >= p->edge_count || room < 1)
		return;
	e = &p->edges[edge];
	lay_out(e, g->width, spans);
	grid_fill(g, 0, y, g->width, ROLE_TITLE, ' ');
	draw_title(s, p, e, g, y, spans[CELL_LINE].width, s->all > (size_t)room);
	for (size_t i = CELL_CALLS; i < CELL_COUNT; i++)
		part_title(g, spans[i], y, cells[i].title, false, 0);
	for (size_t i = 0; i < s->count && (int)i < room; i++)
		draw_site(g, spans, y + 1 + (int)i, p, im, &p->sites[s->top[i]]);
}
