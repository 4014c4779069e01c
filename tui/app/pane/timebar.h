/*
 * timebar: one or two lines for the time kept: how loaded the node was, what happened, and which
 * part is shown.
 *
 *	12:01:10 ▂▂▅█▇▂▂R▂▂▂▅█▇▅▃▂▂▂▂!▃▂▂▅█▇▅▃▂▂▅█▇▅[▂▂]▂ 13:54:41  load 38 %, max 60 %
 *	13:50:10 ▂▂▂▂▂▂▂▃▃▃▅▅▅▅▅▅▅▅▅▅▅▃▃▃▂▂▂▂▂▂▼▂▂▂▂▂!▂▂▂ 13:51:10  13:50:56, 3:45 ago
 *
 * The first line has all time, the second the neighbourhood of the moment shown, which is between
 * [ and ] in the first. Both have the height of a column by the most there was, and its colour by
 * the load itself; what a recording has not played yet is dim. Signs are those of marks.h; ▼ is the
 * moment shown; a window is marked.
 */
#ifndef WSNTOP_TUI_APP_PANE_TIMEBAR_H
#define WSNTOP_TUI_APP_PANE_TIMEBAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app/pane/marks.h"
#include "tui/app/pane/scale.h"
#include "tui/term/grid.h"

struct pane;

enum {
	TIMEBAR_HEIGHT = 14,		/* of the screen, from which there is a line */
	TIMEBAR_HEIGHT_TWO = 24,	/* from which there may be two */
	TIMEBAR_LINES = 2,
};

struct timebar {
	struct scale scales[TIMEBAR_LINES];	/* as drawn last */
	int x;				/* of their columns */
	int lines;
	uint64_t near_ns;		/* length of the neighbourhood that was chosen; 0: none */
	uint64_t near_begin_ns;		/* of it */
	bool recentre;			/* around the moment shown */
};

/*
 * Lines on a screen of this height: none where there is no room, the user does not want it, or
 * there is nothing to choose from. Two where there is room and all time is longer than the
 * neighbourhood.
 */
int timebar_lines(const struct pane *p, int height);

/* In the lines from y on. */
void timebar_draw(struct pane *p, struct grid *g, int y, int lines);

/*
 * The time at column x of one of the lines as they were drawn: of the mark that is there, if there
 * is one. False: beside the columns; `clamp`: then the first or last of them.
 */
bool timebar_at(const struct pane *p, int line, int x, bool clamp, uint64_t *time_ns);

/*
 * A shorter neighbourhood (by < 0), or a longer one: its length in *length_ns, 0 if it has become
 * all time. False: it has its least length already, or is all time.
 */
bool timebar_zoom(struct pane *p, int by, uint64_t *length_ns);

#endif
