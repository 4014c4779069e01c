#include "tui/view/callers/sites.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/durations.h"
#include "tui/part/table.h"

#define FRAMES 6

enum { SITE_CELL_LINE, SITE_CELL_CALLS, SITE_CELL_TOTAL, SITE_CELL_PER_CALL, SITE_CELL_MIN,
       SITE_CELL_P50, SITE_CELL_P99, SITE_CELL_MAX, SITE_CELL_ADDRESS, SITE_CELL_COUNT };

static const struct { const char *title; struct table_column column; } cells[SITE_CELL_COUNT] = {
	[SITE_CELL_LINE] = { "", { 22, 0, 0 } },	/* wants what is left */
	[SITE_CELL_CALLS] = { "CALLS", { 8, 8, 1 } },
	[SITE_CELL_TOTAL] = { "TOTAL", { 8, 8, 2 } },
	[SITE_CELL_PER_CALL] = { "PER CALL", { 8, 8, 4 } },
	[SITE_CELL_MIN] = { "MIN", { 9, 9, 6 } },
	[SITE_CELL_P50] = { "P50", { 8, 8, 8 } },
	[SITE_CELL_P99] = { "P99", { 8, 8, 7 } },
	[SITE_CELL_MAX] = { "MAX", { 9, 9, 5 } },
	[SITE_CELL_ADDRESS] = { "RETURN", { 10, 10, 3 } },
};

/* --- finding ---------------------------------------------------------------------------------- */

static bool site_costs_more(const struct profile_site *a, const struct profile_site *b)
{
	if (a->total != b->total)
		return a->total > b->total;
	return a->calls != b->calls ? a->calls > b->calls : a->from < b->from;
}

/* A heap whose root is the cheapest of those kept: most of a million need one look at it. */
static void heap_sink(struct sites *s, const struct profile *p, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;
		uint32_t swap = s->top[at];

		if (child >= s->count)
			return;
		if (child + 1 < s->count &&
		    site_costs_more(&p->sites[s->top[child]], &p->sites[s->top[child + 1]]))
			child++;
		if (!site_costs_more(&p->sites[swap], &p->sites[s->top[child]]))
			return;
		s->top[at] = s->top[child];
		s->top[child] = swap;
		at = child;
	}
}

static void heap_put(struct sites *s, const struct profile *p, uint32_t site)
{
	if (s->count < SITES_MAX) {
		s->top[s->count++] = site;
		for (size_t i = s->count / 2; s->count == SITES_MAX && i-- > 0;)
			heap_sink(s, p, i);
	} else if (site_costs_more(&p->sites[site], &p->sites[s->top[0]])) {
		s->top[0] = site;
		heap_sink(s, p, 0);
	}
}

static int by_cost(const void *a, const void *b, void *ctx)
{
	const struct profile *p = ctx;
	const uint32_t *x = a, *y = b;

	return site_costs_more(&p->sites[*x], &p->sites[*y]) ? -1 : *x != *y;
}

static uint64_t function_address(const struct profile *p, uint32_t function)
{
	return function == PROFILE_NONE ? UINT64_MAX : p->functions[function].address;
}

static void chosen_find(struct sites *s, const struct profile *p)
{
	for (size_t i = 0; i < s->count; i++) {
		if (p->sites[s->top[i]].from == s->chosen)
			s->list.cursor = i;
	}
}

void sites_find(struct sites *s, const struct profile *p, uint32_t edge)
{
	const struct profile_edge *e = edge < p->edge_count ? &p->edges[edge] : NULL;
	uint64_t caller = e ? function_address(p, e->from) : UINT64_MAX;
	uint64_t callee = e ? function_address(p, e->to) : UINT64_MAX;
	bool same = e && s->caller == caller && s->callee == callee;

	s->count = s->all = 0;
	for (uint32_t i = e ? e->first_site : PROFILE_NONE; i != PROFILE_NONE;
	     i = p->sites[i].next, s->all++)
		heap_put(s, p, i);
	if (s->count)
		qsort_r(s->top, s->count, sizeof(s->top[0]), by_cost, (void *)p);
	s->list.count = s->count;
	s->caller = caller;
	s->callee = callee;
	if (!same)
		s->list = (struct list){ .count = s->count };
	else
		chosen_find(s, p);
	sites_moved(s, p);
}

uint32_t sites_chosen(const struct sites *s)
{
	return s->list.cursor < s->count ? s->top[s->list.cursor] : PROFILE_NONE;
}

void sites_moved(struct sites *s, const struct profile *p)
{
	uint32_t site = sites_chosen(s);

	s->chosen = site == PROFILE_NONE ? 0 : p->sites[site].from;
}

/* --- where it stands -------------------------------------------------------------------------- */

/* A return address: the call is the instruction before. */
static uint64_t call_of(const struct profile_site *s)
{
	return (uint64_t)(s->from & ~1u) - 1;
}

bool sites_line(const struct image *im, const struct profile_site *s, struct image_line *line)
{
	return im && s->from >= 2 && !(s->flags & (ROW_HANDLER | ROW_NO_CALL)) &&
	       image_line(im, call_of(s), line) && line->file;
}

static const char *name_of(const struct image_line *line, bool paths)
{
	return paths && line->path ? line->path : line->file ? line->file : "?";
}

bool sites_place(const struct image *im, const struct profile_site *s, bool paths, char *dst,
		 size_t size)
{
	struct image_frame frames[FRAMES];
	struct image_line line;
	size_t count;
	int n;

	if (!sites_line(im, s, &line)) {
		snprintf(dst, size, "%s", s->flags & ROW_HANDLER ? "(called from no place)" :
			 /* Thumb-1's clobbered LR, or another firmware */
			 s->flags & ROW_NO_CALL ? "(no call instruction there)" :
			 im ? "(no source line)" : "(no image: -e)");
		return false;
	}
	n = snprintf(dst, size, "%s:%" PRIu32, name_of(&line, paths), line.line);
	count = image_inlines(im, call_of(s), frames, FRAMES);
	count = count < FRAMES ? count : FRAMES;
	for (size_t i = 0; i + 1 < count && n < (int)size; i++)
		n += snprintf(dst + n, size - (size_t)n, " in %s, inlined at %s:%" PRIu32,
			      frames[i].function, name_of(&frames[i + 1].at, false),
			      frames[i + 1].at.line);
	return true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* A mark before the chosen one, where there is a choice. */
static int draw_choice(struct grid *g, struct table_span at, int y, size_t count, bool chosen)
{
	if (count > 1)
		grid_text(g, at.x, y, at.width, ROLE_VALUE, !chosen ? "" : g->utf8 ? "▸" : ">");
	return count > 1 ? 2 : 0;
}

static void draw_place(struct grid *g, struct table_span at, int y, const struct image *im,
		       const struct profile_site *s)
{
	char text[512];
	bool known = sites_place(im, s, true, text, sizeof(text));
	enum role role = known ? ROLE_NAME : s->flags & ROW_NO_CALL ? ROLE_WARNING : ROLE_DIM;

	if (!at.width)
		return;
	/* Of a path that does not fit the end is shown. */
	if (known && text_columns(text) > at.width)
		sites_place(im, s, false, text, sizeof(text));
	grid_text(g, at.x, y, at.width, role, text);
}

static void draw_site(struct grid *g, const struct table_span *at, int y, const struct profile *p,
		      const struct image *im, uint32_t site)
{
	const struct profile_site shown = profile_site_shown(p, site), *s = &shown;
	const struct profile_edge *e = s->edge == PROFILE_NONE ? NULL : &p->edges[s->edge];
	bool known = s->timed && !(s->flags & ROW_TOTAL_NEGATIVE);
	double sum = known ? profile_seconds(p, (double)s->total) : NAN;
	struct duration d = duration_of_site(p, site);
	char address[16];

	part_count(g, at[SITE_CELL_CALLS], y, (double)s->calls);
	part_seconds(g, at[SITE_CELL_TOTAL], y,
		     e && profile_call_inner(p, e) ? NAN : sum);
	part_call_time(g, at[SITE_CELL_PER_CALL], y, p, s->calls ? sum / (double)s->calls : NAN,
		       false);
	part_call_time(g, at[SITE_CELL_MIN], y, p, d.min, d.min_at_least);
	part_percentile(g, at[SITE_CELL_P50], y, p, duration_percentile(p, &d, 0.50));
	part_percentile(g, at[SITE_CELL_P99], y, p, duration_percentile(p, &d, 0.99));
	part_call_time(g, at[SITE_CELL_MAX], y, p, d.max, d.at_least);
	snprintf(address, sizeof(address), "0x%05" PRIx32, s->from);
	part_cell(g, at[SITE_CELL_ADDRESS], y, ROLE_DIM, s->flags & ROW_HANDLER ? "" : address);
	draw_place(g, at[SITE_CELL_LINE], y, im, s);
}

static void site_spans(const struct profile *p, const struct profile_edge *e, int width,
		       struct table_span *spans)
{
	struct table_column c[SITE_CELL_COUNT];

	for (size_t i = 0; i < SITE_CELL_COUNT; i++)
		c[i] = cells[i].column;
	c[SITE_CELL_LINE].wants = width < 48 ? width : width < 130 ? 48 : width / 3;
	if (!e->timed)
		c[SITE_CELL_TOTAL].width = c[SITE_CELL_PER_CALL].width = c[SITE_CELL_MIN].width =
			c[SITE_CELL_MAX].width = 0;
	if (!p->bucket_count)
		c[SITE_CELL_P50].width = c[SITE_CELL_P99].width = 0;
	table_layout(c, SITE_CELL_COUNT, width, spans);
}

static void draw_site_count(const struct sites *s, const struct profile *p,
			    const struct profile_edge *e, struct grid *g, int width)
{
	if (s->plain)
		grid_textf(g, 0, 0, width, ROLE_TITLE, "%s > %s", e->from == PROFILE_NONE ?
			   part_nobody(e) : p->functions[e->from].name, p->functions[e->to].name);
	else if (e->flags & ROW_HANDLER)
		grid_text(g, 0, 0, width, ROLE_TITLE, "an interrupt's handler");
	else
		grid_textf(g, 0, 0, width, ROLE_TITLE, "%s call site%s in %s%s",
			   TEXT_WHOLE(s->all), s->all == 1 ? "" : "s",
			   e->from == PROFILE_NONE ? "no function" : p->functions[e->from].name,
			   s->all > s->count ? ", the most expensive" : "");
}

void sites_draw(struct sites *s, const struct profile *p, const struct image *im, struct grid *g,
		uint32_t edge)
{
	struct table_span spans[SITE_CELL_COUNT];
	int room = g->height - 1, mark;

	if (edge >= p->edge_count || room < 1)
		return;
	list_show(&s->list, room);
	site_spans(p, &p->edges[edge], g->width, spans);
	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	draw_site_count(s, p, &p->edges[edge], g, spans[SITE_CELL_LINE].width);
	for (size_t i = SITE_CELL_CALLS; i < SITE_CELL_COUNT; i++)
		part_title(g, spans[i], 0, cells[i].title, false, 0);
	for (int y = 0; y < room && s->list.top + (size_t)y < s->count; y++) {
		size_t i = s->list.top + (size_t)y;
		struct table_span place = spans[SITE_CELL_LINE];

		mark = draw_choice(g, place, y + 1, s->plain ? 0 : s->count,
				   i == s->list.cursor);
		spans[SITE_CELL_LINE] = (struct table_span){ place.x + mark, place.width - mark };
		draw_site(g, spans, y + 1, p, im, s->top[i]);
		spans[SITE_CELL_LINE] = place;
	}
}
