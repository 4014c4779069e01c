/*
 * console_view: the state that the console view's files share. Private to tui/view/console.
 *
 *	console.c	drawing, keys
 *	lines.c		which lines are shown
 */
#ifndef WSNTOP_TUI_VIEW_CONSOLE_VIEW_H
#define WSNTOP_TUI_VIEW_CONSOLE_VIEW_H

#include "tui/view/view.h"

enum stamp { STAMP_START, STAMP_WALL, STAMP_DELTA, STAMP_NONE, STAMPS };

struct console_view {
	struct view view;
	struct list list;		/* of the lines shown */
	const struct console *console;
	uint64_t dropped;		/* lines dropped by the ring at the last update */
	uint64_t hold;			/* first line not shown (frozen, or the past) */
	uint64_t first_ns;		/* time of the first line seen: stamps count from it */
	unsigned restarts;		/* node_restarts() then */
	bool has_first;
	bool left;			/* the user went up: the end is not followed */
	int scrolled;			/* columns to the right */
	enum stamp stamp;
	uint64_t visited;		/* number of the line whose moment is shown */
	bool returning;			/* the cursor is to go back to that line */
	int top;			/* rows of advice above the lines, as drawn last */
	/* with a filter: */
	char filter[256];		/* "" none */
	uint64_t *shown;		/* numbers of the lines that match */
	size_t shown_count, shown_cap;
	uint64_t searched;		/* complete lines before this number were matched */
};

/* Updates the list: lines received, the filter, the window. */
void console_catch_up(struct console_view *c, const struct view_shared *s);

/* The number of the list's line i. */
uint64_t console_line_number(const struct console_view *c, size_t i);

/* The list's line i; false: there is none. */
bool console_line_at(const struct console_view *c, size_t i, struct console_line *line);

#endif
