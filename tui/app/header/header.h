/*
 * header: the lines on top: the node, its link and its profile; and the tabs.
 *
 *	/dev/ttyACM0  up 12:34  format prof  report cpu 2/3                        FROZEN
 *	11.5 kB/s  320 events/s  bad 0  lost 0  image app.elf 100 %  profiled 12.3 s of 20 s
 *	the image does not match ... (loud), or what the decoder found (dim)
 *	 1 flat  2 callers  3 tree  4 flame  5 histogram  6 source  7 console  8 compare  ...
 *
 * What does not fit is left out, the least important first. The tabs stand closer, then have short
 * names, then only the one shown has its name.
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
	uint64_t now;			/* clock_now() */
};

/* Draw from line 0 on; how many lines it took, tabs included. */
int header_draw(struct grid *g, const struct header *h);

/* The view whose tab is at column x of the tabs line, or NULL. */
const struct view_ops *header_tab(const struct header *h, int width, int x);

#endif
