/*
 * callers: the state of the view of callers and callees, shared by its files. Private to tui/view.
 *
 *	callers.c	where the cursor is, and what keys and clicks do
 *	draw.c		the table, and the panel below it
 *	room.c		what stands where the panel leaves room
 */
#ifndef WSNTOP_TUI_VIEW_CALLERS_CALLERS_H
#define WSNTOP_TUI_VIEW_CALLERS_CALLERS_H

#include "tui/view/callers/butterfly.h"
#include "tui/part/excerpt.h"
#include "tui/part/facts.h"
#include "tui/view/callers/sites.h"
#include "tui/view/view.h"

#define CALLERS_HISTORY 64

struct callers {
	struct view view;
	struct butterfly b;
	struct list list;
	const struct profile *profile;
	uint64_t address;		/* of the function in the middle */
	enum butterfly_kind at_kind;	/* the cursor's line, by what survives a recompute */
	uint64_t at_address;
	bool center;			/* another function: its callees are to be seen */
	bool files;			/* some function's file is known */
	uint64_t history[CALLERS_HISTORY];	/* functions visited before, a ring */
	size_t depth;
	struct sites sites;			/* of the edge under the cursor */
	int site_y, site_rows, site_width;	/* where they were drawn last; no rows: nowhere */
	struct sites others;			/* of one edge after the other, to draw them */
	struct spots spots;			/* of the function in the middle */
	struct excerpt excerpt;			/* the source of either */
};

static inline const struct butterfly_line *callers_cursor(const struct callers *c)
{
	return c->list.cursor < c->b.count ? &c->b.lines[c->list.cursor] : NULL;
}

/* Lines that scroll. */
int callers_page(const struct view *v);

/*
 * room.c: into g, from line y on, with a blank line before each part. The longest call of an edge
 * (PROFILE_NONE: of the function in the middle) with its path, then the source around the chosen
 * call site, or where the function is.
 */
void callers_draw_room(struct callers *c, const struct view_shared *s, struct grid *g, int y,
		       uint32_t edge);

/*
 * room.c: into g, how long the calls took of the function in the middle and of its other callers
 * and callees, those with buckets: as many as have room. `but` is left out; the function where it
 * is PROFILE_NONE.
 */
void callers_draw_others(const struct callers *c, struct grid *g, uint32_t but);

/* All of it, when there is a function to show. */
void callers_draw_all(struct callers *c, const struct view_shared *s, struct grid *g);

#endif
