/*
 * timebar: a line for all the time kept: how loaded the node was, and which part is shown.
 *
 *	12:01:10 ▁▁▂▃▅█▂▁│▃▃▂▁▁▂▃▅▂▁▁▃ 12:03:41  live
 *
 * Heights are of the load, of calls a second where there is none, of bytes a second where there are
 * neither; the highest is the most there was. │ a reset, ● another firmware, ▼ the moment shown; a
 * window is marked, and moments with losses are drawn as a warning.
 */
#ifndef WSNTOP_TUI_APP_PANE_TIMEBAR_H
#define WSNTOP_TUI_APP_PANE_TIMEBAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/term/grid.h"

struct pane;

enum {
	TIMEBAR_HEIGHT = 14,		/* of the screen, from which there is one */
	TIMEBAR_COLUMNS = 512,		/* at most */
};

enum timebar_measure { TIMEBAR_LOAD, TIMEBAR_CALLS, TIMEBAR_BYTES };

/* What a column is of. */
struct timebar_strip {
	double value;			/* the most of the moments in it: a short peak must show */
	bool known, began, image, lost;
};

/* All moments as columns: made when a moment came, or the width is another one. */
struct timebar {
	const void *of;			/* the history */
	uint64_t serial;
	int width;
	enum timebar_measure by;
	double most;
	struct timebar_strip strips[TIMEBAR_COLUMNS];
};

/* Whether there is one: the user wants it, and there is something to choose from. */
bool timebar_is_shown(const struct pane *p, int height);

/* In line y. */
void timebar_draw(struct pane *p, struct grid *g, int y);

/* The time at column x of a screen so wide: true and *time_ns if that is on the bar. */
bool timebar_at(const struct pane *p, int width, int x, uint64_t *time_ns);

#endif
