/*
 * header: the lines on top: the node, its line and its image; where its time goes; the tabs.
 *
 *	mote 7  connected 12:34  1.37 kB/s  no losses  image app.elf matches            FROZEN
 *	▓██████▒▒▒▒▒▒▒▒▄▄▄▄░░░░░░░ handlers  1  profiled 33  other 41  profiling cost  9  sleep 16 %
 *	the image does not match ... (loud): while there is something to warn of
 *	 1 flat  2 callers  3 tree  4 flame  5 histogram  6 source  7 console  8 compare  ...
 *
 * The bar is of the stretch of time that is shown; where there are tasks (look/tasks.h) what is
 * profiled begins with them, the largest first. What does not fit is left out, the least important
 * first. The tabs stand closer, then have short names, then only the one shown has its name.
 */
#ifndef WSNTOP_TUI_APP_HEADER_HEADER_H
#define WSNTOP_TUI_APP_HEADER_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/term/grid.h"
#include "tui/view/view.h"

struct header {
	const struct node *node;
	const struct view_shared *shared;
	size_t index, count;		/* of the node among all */
	const struct view_ops *view;	/* the one shown */
	const struct view *state;	/* and its rows */
	uint64_t begin_ns, end_ns;	/* the stretch of time shown, on the data's clock */
	size_t watches, passed;		/* bounds on figures; how many were passed */
	uint64_t now;			/* clock_now() */
};

/* Draw from line 0 on; how many lines it took, tabs included. */
int header_draw(struct grid *g, const struct header *h);

/* The view whose tab is at column x of the tabs line, or NULL. */
const struct view_ops *header_tab(const struct header *h, int width, int x);

#endif
