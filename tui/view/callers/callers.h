/*
 * callers: the state of the view of callers and callees, shared by its files. Private to tui/view.
 *
 *	callers.c	where the cursor is, and what keys and clicks do
 *	draw.c		the table, and the panel below it
 */
#ifndef WSNTOP_TUI_VIEW_CALLERS_CALLERS_H
#define WSNTOP_TUI_VIEW_CALLERS_CALLERS_H

#include "tui/view/callers/butterfly.h"
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
};

static inline const struct butterfly_line *callers_cursor(const struct callers *c)
{
	return c->list.cursor < c->b.count ? &c->b.lines[c->list.cursor] : NULL;
}

/* Lines that scroll. */
int callers_page(const struct view *v);

/* All of it, when there is a function to show. */
void callers_draw_all(struct callers *c, const struct view_shared *s, struct grid *g);

#endif
